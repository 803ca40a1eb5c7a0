"""`dealwright play` shows the person's hint as numbered choices, and takes them."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from dealwright.compiler.cli import main
from tests.hints_match.small_rules import small_rule
from tests.support import RULES


def lines(rule: Path, *typed: str, seed: int = 5) -> list[str]:
    """What a match in the terminal prints."""
    result = CliRunner().invoke(
        main,
        ["play", str(rule), "--seed", str(seed)],
        input="".join(f"{line}\n" for line in typed),
    )
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def test_choices_are_listed_and_forced_cards_are_not_asked_for() -> None:
    shown = lines(RULES / "big_two.json", "#3", "q")
    assert "   #1     Single: 1 of 1" in shown
    assert "   #3     Triple: 3 of 1 2 3" in shown
    assert "   #4     Full house: 5 of 1 2 3 6 7 29 31" in shown
    at = shown.index("cards, or skip> #3")
    assert shown[at + 1].startswith("you play Triple: [1] ")


def test_cards_are_asked_for_until_they_are_right_or_the_person_goes_back() -> None:
    typed = ["#9", "#2", "1 6", "1 1", "1", "", "#2", "3, 1", "quit"]
    shown = lines(RULES / "big_two.json", *typed)
    told = [line for line in shown if line.startswith(("refused", "there is"))]
    assert told == [
        "there is no choice #9",
        "refused (card_not_offered): that card is not offered for this",
        "refused (duplicate_card): that card is picked already",
        "refused (card_count): needs exactly 2 cards, not 1",
    ]
    assert "cards for Pair> 3, 1" in shown
    assert any(line.startswith("you play Pair: [3] ") for line in shown)
    assert shown[-1] == "you leave; the match stays unfinished"


def test_leaving_while_cards_are_asked_for() -> None:
    for typed in (["#2", "quit"], ["#2"]):
        shown = lines(RULES / "big_two.json", *typed)
        assert shown[-1] == "you leave; the match stays unfinished"
        assert not any(line.startswith("you play") for line in shown)


def test_a_skip_is_a_choice_and_so_is_an_option() -> None:
    shown = lines(RULES / "big_two.json", "#1", "#1", "#2", "#3", "#4", seed=2)
    assert any(line.startswith("   #") and line.endswith(" skip") for line in shown)
    shown = lines(RULES / "twenty_one.json", "#2", "q")
    assert any(line.startswith("you choose 0") for line in shown)


def test_regions_are_listed_by_name(tmp_path: Path) -> None:
    rule = small_rule(1, has_order=False)
    flow = rule["design"]["match_flow"]
    options = [{"name": "onhand", "value": 4}, {"name": "weapon", "value": 7}]
    flow["mix"] = {"type": 19, "content": {"next": "ask"}}
    content = {"kind": "region", "options": options, "next": "deal"}
    flow["ask"] = {"type": 22, "content": content}
    path = tmp_path / "regions.json"
    path.write_text(json.dumps(rule), encoding="utf-8")
    shown = lines(path, "#2", "q")
    assert "   #2       weapon" in shown
    assert "you choose 7 (weapon)" in shown
