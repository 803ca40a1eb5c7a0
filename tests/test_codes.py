"""The table of codes: every code has a cause and a nearest thing that is fine, words in both languages, and its row.

The examples are those of docs/codes.md. What the front says in less simple cases is in `test_front_*`.
"""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest
from click.testing import CliRunner

from dealwright.compiler.cli import main
from dealwright.compiler.diagnostics.codes import Code, Severity
from dealwright.compiler.diagnostics.reporter import CODES, Diagnostic
from dealwright.compiler.front import read_rule
from dealwright.compiler.reading import source
from dealwright.compiler.report.examples import (
    AS_IT_IS,
    BASE,
    EXAMPLES,
    Change,
    Edit,
    Missing,
)
from dealwright.compiler.report.page import COMMAND, codes_page

PAGE = Path(__file__).resolve().parent.parent / "docs" / "codes.md"


@pytest.fixture(autouse=True)
def _fewer_values(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a million values take a second to read; a hundredth of the limit shows the same (see `said`)."""
    if "R110" in request.node.name:
        monkeypatch.setattr(source, "MAX_VALUES", source.MAX_VALUES // 100)


def said(change: Change, tmp_path: Path) -> tuple[Diagnostic, ...]:
    if isinstance(change, Missing):
        return read_rule(tmp_path / "missing.json")[1].diagnostics()
    data = change.data().replace(b"0," * 100, b"0,")
    return read_rule(data, "x.json")[1].diagnostics()


def codes(found: tuple[Diagnostic, ...]) -> list[str]:
    """The codes; that a change leaves nodes unused is no news."""
    return [one.code for one in found if one.code != "R401"]


def test_nothing_to_say_about_the_base(tmp_path: Path) -> None:
    assert said(AS_IT_IS, tmp_path) == ()
    assert read_rule(BASE.encode())[1].diagnostics() == ()


def test_every_code_has_an_example() -> None:
    assert list(EXAMPLES) == list(CODES)


@pytest.mark.parametrize("code", CODES)
def test_example(code: str, tmp_path: Path) -> None:
    """The bad one gives this code and no other, the good one gives none."""
    example = EXAMPLES[code]
    bad = said(example.bad, tmp_path)
    if code == "R401":
        assert [one.code for one in bad] == [code]
    else:
        assert codes(bad) == [code]
    good = said(example.good, tmp_path)
    assert codes(good) == []
    assert code not in [one.code for one in good]
    assert any(one.code == code and one.severity is CODES[code].severity for one in bad)


@pytest.mark.parametrize("code", CODES)
def test_both_languages(code: str, tmp_path: Path) -> None:
    """Chinese sentences are Chinese: no word of ours is left in English, and nothing is left unfilled.

    What stands in quotes is not ours: names of the rule, or what the system says about a file.
    """
    found = [one for one in said(EXAMPLES[code].bad, tmp_path) if one.code == code]
    for one in found:
        for text in (one.message_zh, one.remedy_zh):
            assert any("\u4e00" <= letter <= "\u9fff" for letter in text), text
            for word in (" the ", " is ", " not ", " must ", " of ", " and ", " or "):
                assert word not in re.sub("'[^']*'", "", text)
        texts = (one.message_en, one.message_zh, one.remedy_en, one.remedy_zh)
        # some remedies show how JSON is to be written
        assert not any(re.search(r"\{[a-z_]+\}", text) for text in texts), texts


def blanks(template: str) -> set[str | None]:
    return {name for _, name, _, _ in string.Formatter().parse(template)} - {None}


@pytest.mark.parametrize("entry", CODES.values(), ids=lambda entry: entry.code)
def test_the_languages_say_the_same(entry: Code) -> None:
    assert blanks(entry.en) == blanks(entry.zh)
    # a remedy may repeat what the sentence names, in one language where the other needs no name
    assert blanks(entry.remedy_en) == blanks(entry.remedy_zh)


def test_codes_are_grouped_by_severity() -> None:
    for code, entry in CODES.items():
        expected = {"3": Severity.WARNING, "4": Severity.NOTE}
        assert entry.severity is expected.get(code[1], Severity.ERROR)


def test_changes_are_small() -> None:
    """A row of the page can be read: what is long has words, and nothing needs more than a few edits."""
    for code, example in EXAMPLES.items():
        for change in (example.bad, example.good):
            if isinstance(change, Edit):
                assert len(change.values) <= 4, code
    assert max(map(len, codes_page().splitlines())) < 1500


def test_page_is_what_we_would_generate() -> None:
    committed = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    assert committed == codes_page(), f"docs/codes.md is out of date; run: {COMMAND}"


def test_page_has_every_code_and_no_broken_row() -> None:
    lines = codes_page().splitlines()
    rows = [line for line in lines if line.startswith("| **R")]
    assert [row[4:8] for row in rows] == list(CODES)
    for row in rows:
        assert row.replace("\\|", "").count("|") == 6, row


def test_command_prints_the_page() -> None:
    result = CliRunner().invoke(main, ["codes"])
    assert (result.exit_code, result.stdout) == (0, codes_page())
    assert "codes" not in CliRunner().invoke(main, ["--help"]).stdout
