"""The page about hints says what is true: its examples are run, and so are the two commands that it names."""

from __future__ import annotations

import doctest
import json

from click.testing import CliRunner

from dealwright.compiler.cli import main
from dealwright.runtime.hints import schema, typescript
from tests.support import ROOT


def test_the_examples_of_the_page_are_right() -> None:
    text = (ROOT / "docs" / "hints.md").read_text(encoding="utf-8")
    example = doctest.DocTestParser().get_doctest(text, {}, "hints.md", "hints.md", 0)
    assert len(example.examples) > 20
    said: list[str] = []
    options = doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
    runner = doctest.DocTestRunner(optionflags=options)
    failures, _ = runner.run(example, out=said.append)
    assert failures == 0, "".join(said)


def test_the_commands_print_the_schema_and_the_types() -> None:
    done = CliRunner().invoke(main, ["schema", "--hints", "--dialect", "extended"])
    assert json.loads(done.output) == schema("Hint", "extended")
    done = CliRunner().invoke(main, ["schema", "--typescript"])
    assert done.output == typescript()
