"""`dealwright explain`: what it prints, for which names, on which terminals; that every line of code is a line of build/."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from dealwright.compiler import pipeline
from dealwright.compiler.cli import main
from dealwright.compiler.report.explain import WIDE, print_beside, stacked
from dealwright.compiler.report.explained import Explained
from tests.front.small import DELETE, comparison, edited, text_of
from tests.support import RULES, python, shipped_rules

ROOT = Path(__file__).resolve().parent.parent
BIG_TWO = RULES / "big_two.json"
WAR = RULES / "war.json"
ODD = RULES / "qiang_duizi.json"


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, ["explain", *map(str, arguments)])
    assert result.exception is None or isinstance(
        result.exception, SystemExit
    ), result.exception
    return result


def titles(result: Result) -> list[str]:
    """The first line of each flow; all other lines are indented."""
    assert result.exit_code == 0, result.output
    return [line for line in result.output.splitlines() if line[:1].strip()]


def explained(path: Path) -> Explained:
    return pipeline.explain(path.read_bytes(), f"rules/{path.name}")


def test_one_flow_whole() -> None:
    said = run(BIG_TWO, "Four and one").output
    assert said.startswith("""\
cardset 'Four and one' ('5'), build flow
  accepted lengths: 5
  decided by the number of cards: right_size
  read of cards: card.rank; card.id (through Table.may_be_played)
  read of the match: table.opened (through Table.may_be_played)
  elements that exist: sorted_rank[0..1, 3..4], by what the cardset accepts
  elements with a guard: nothing
  order of the cards: does not matter
  handed over by recognition: sorted_rank
  asked only if: may_be_played
  counts its work: no, it is short
  outline:
    entry may_play
""")
    assert "    def build_Four_and_one(cards: Hand, sorted_rank: list[int])" in said
    assert "\ncardset 'Four and one' ('5'), compare flow\n" in said


def test_regions_are_shown_by_name(tmp_path: Path) -> None:
    rule = json.loads(WAR.read_text("utf-8"))
    rule["design"]["match_flow"]["ask_lead"] = {
        "type": 22,
        "content": {
            "kind": "region",
            "options": [{"name": "hand", "value": 1}, {"name": "table", "value": 2}],
            "next": "reply_turn",
        },
    }
    path = tmp_path / "war.json"
    path.write_text(json.dumps(rule), "utf-8")
    said = run(path, "match").output
    assert "ask_lead: ask region of hand=1, table=2, 30 s, then reply_turn" in said


def test_readme_shows_what_is_printed() -> None:
    """The block of the README that shows `explain` is its output."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"^\$ dealwright explain (.+)\n([^`]+)^```", readme, re.MULTILINE)
    assert block is not None
    rule, flow = block[1].split()
    said = run(ROOT / rule, flow).output
    assert block[2] in said


@pytest.mark.parametrize(
    ("path", "name", "expected"),
    [
        (WAR, "match", ["match flow"]),
        (WAR, "settle", ["settlement of one player"]),
        (BIG_TWO, "Table.top_card", ["method 'top_card' of table"]),
        (BIG_TWO, "table.TOP_card", ["method 'top_card' of table"]),
        (
            BIG_TWO,
            "2",
            [
                "cardset 'Pair' ('2'), build flow",
                "cardset 'Pair' ('2'), compare flow",
            ],
        ),
        (
            BIG_TWO,
            "straight FLUSH",
            [
                "cardset 'Straight flush' ('4'), build flow",
                "cardset 'Straight flush' ('4'), compare flow",
            ],
        ),
        (
            ODD,
            "单张 against 对子（两张）",
            ["comparison of '单张' against '对子（两张）'"],
        ),
    ],
)
def test_flows_are_asked_for_by_name(
    path: Path, name: str, expected: list[str]
) -> None:
    assert titles(run(path, name)) == expected


def test_a_name_comes_before_an_id(tmp_path: Path) -> None:
    rule = tmp_path / "small.json"
    rule.write_text(
        text_of(edited({"cardsets/2/name": "1", "cardset_comparisons": DELETE})),
        encoding="utf-8",
    )
    assert titles(run(rule, "1")) == ["cardset '1' ('2'), build flow"]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("Flsh", "'Flush'"),
        ("table.top", "'Table.top_card'"),
        ("settel", "'settle'"),
        ("\x1b[31m", "'Single', 'Pair', 'Triple', "),
    ],
)
def test_an_unknown_name_lists_the_nearest(name: str, near: str) -> None:
    result = run(BIG_TWO, name)
    assert result.exit_code == 2
    assert f"nearest: {near}" in result.output
    assert "\x1b" not in result.output
    assert not result.stdout


def test_all_flows_in_the_order_of_the_generated_text() -> None:
    assert titles(run(ODD))[-3:] == [
        "method '算分' of table",
        "match flow",
        "settlement of one player",
    ]


@pytest.mark.parametrize("path", shipped_rules(), ids=lambda path: path.stem)
def test_code_is_what_build_holds_and_nothing_is_left_out(path: Path) -> None:
    """Every function of the flows stands in one flow, as it stands in the generated file."""
    found = explained(path)
    whole = {
        line.strip()
        for file in (ROOT / "build" / path.stem).glob("*.py")
        for line in file.read_text(encoding="utf-8").splitlines()
    }
    lines = [line for flow in found.flows for line in flow.code.splitlines()]
    assert {line.strip() for line in lines} <= whole
    functions = [line for line in lines if line.startswith("def ")]
    assert len(functions) == len(set(functions))
    marked = {line for line in whole if "  # [" in line and not _is_row(line)}
    assert marked <= {line.strip() for line in lines}


def _is_row(line: str) -> bool:
    """Whether this is a row of RESUME, which belongs to no function."""
    return "Wait(" in line and ": " in line


def test_a_comparison_that_is_never_used_has_no_code(tmp_path: Path) -> None:
    """The first written comparison of two cardsets counts."""
    again = {"cardsetA": "对", "cardsetB": "单", "compare_flow": comparison()}
    rule = tmp_path / "small.json"
    rule.write_text(text_of(edited({"cardset_comparisons/2": again})), encoding="utf-8")
    said = run(rule, "对 against 单").output
    assert said.count("def compare_") == 1
    assert "nothing: no play is ever compared by it" in said


def test_chinese() -> None:
    said = run(BIG_TWO, "Pair", "--lang", "zh").output
    assert said.startswith("牌型 'Pair'（'2'），识别流程\n  接受的张数: 2\n")
    assert "accepted" not in said


def test_players() -> None:
    assert titles(run(RULES / "twenty_one.json", "settle", "--players", "3"))
    refused = run(WAR, "--players", "3")
    assert refused.exit_code == 2
    assert "is for 2 players; leave the option out" in refused.output


def test_a_rule_with_errors_is_not_explained(tmp_path: Path) -> None:
    rule = tmp_path / "small.json"
    rule.write_text(text_of(edited({"match_flow/end": DELETE})), encoding="utf-8")
    result = run(rule)
    assert result.exit_code == 1
    assert f"{rule}:" in result.stderr
    assert result.stderr.endswith(
        "dealwright: there is nothing to explain before the errors are mended\n"
    )
    assert not result.stdout


def test_the_same_bytes_everywhere(tmp_path: Path) -> None:
    """Neither the hash seed, nor the working directory, nor the order of keys shows."""
    rule = json.loads(ODD.read_text(encoding="utf-8"))
    shuffled = tmp_path / ODD.name
    shuffled.write_text(json.dumps(_turned(rule)), encoding="utf-8")
    texts = {
        python(
            *("-m", "dealwright", "explain", str(path)),
            cwd=folder,
            path=[ROOT / ".src"],
            environment={"PYTHONHASHSEED": seed, "COLUMNS": columns},
        )
        for path, folder, seed, columns in (
            (ODD, tmp_path, "1", "200"),
            (shuffled, ROOT, "2", "40"),
        )
    }
    assert len(texts) == 1


def _turned(value: object, is_flow: bool = False) -> object:
    """The document with the keys of its nodes and contents in the opposite order; that of sections has a meaning."""
    if isinstance(value, dict):
        is_node = "type" in value and "content" in value
        items = [(key, _turned(one, is_node)) for key, one in value.items()]
        return dict(reversed(items) if is_node or is_flow else items)
    if isinstance(value, list):
        return [_turned(one) for one in value]
    return value


def _shown(found: Explained, width: int) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=width, color_system=None)
    print_beside(found.rule, found.named("Pair"), "en", console)
    return stream.getvalue()


def test_side_by_side_on_a_wide_terminal() -> None:
    """Facts and outline stand on the left, the code on the right; nothing is lost."""
    found = explained(BIG_TWO)
    for width in (WIDE, 200):
        lines = _shown(found, width).splitlines()
        assert max(map(len, lines)) <= width
        first = next(line for line in lines if "def build_Pair" in line)
        assert first.startswith("accepted lengths: 2  ")
        for word in ("cards[0..1]", "right_size", "build_Pair", "[right_cards]"):
            assert word in "\n".join(lines)


def test_names_of_the_rule_are_no_markup_and_no_control_sequences(
    tmp_path: Path,
) -> None:
    bold = "[bold]\x1b[31m\u202e"
    document = edited({"cardsets/2/name": bold, "cardset_comparisons": DELETE})
    found = pipeline.explain(text_of(document).encode(), "rules/x.json")
    stream = io.StringIO()
    console = Console(file=stream, width=WIDE, color_system=None)
    print_beside(found.rule, found.flows, "en", console)
    plain = "\n".join(stacked(found.rule, found.flows, "en"))
    for text in (stream.getvalue(), plain):
        assert "[bold]" in text
        assert "\x1b" not in text
        assert "\u202e" not in text
