"""The page about windows says what is true: its examples are run."""

from __future__ import annotations

import doctest

from tests.support import ROOT


def test_the_examples_of_the_page_are_right() -> None:
    text = (ROOT / "docs" / "windows.md").read_text(encoding="utf-8")
    example = doctest.DocTestParser().get_doctest(
        text, {}, "windows.md", "windows.md", 0
    )
    assert len(example.examples) > 40
    said: list[str] = []
    options = doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
    runner = doctest.DocTestRunner(optionflags=options)
    failures, _ = runner.run(example, out=said.append)
    assert failures == 0, "".join(said)
