"""The table of single edits: for each rule that we ship, one place of each edit, with the exact number of lines that change.

Here an edit costs what it says of itself: nothing for keys and the canvas, two lines for a constant, a check or a branch
that leads elsewhere, one for a node, for a wait a function and its row, for a cardset its function and what lists it, two
for each line that has the name of a property. The places of the table are chosen so: it is no proof that an edit is short
elsewhere. What holds at every place stands below it: two lines for each one that has a constant, two for a check of a build
flow that asks if some card is low. Other checks may cost more; `test_small_diffs` goes through all places of all edits, and
counts what, and why.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import small_edits
from tests.rule_changes import document
from tests.small_edits import (
    EDITORS,
    Editor,
)
from tests.support import shipped_rules
from tests.test_small_diffs import BEATS, diff_of, diffs

A_WAIT = 1 + 1 + 2 + 1
"""`return`, `def`, two empty lines, and a row; a choice has three lines where a play has one."""
A_CHOICE = A_WAIT + 2
A_SECOND_CARDSET = 11 + BEATS
A_FIRST_ONE = 2
"""The first play of a rule that only has choices: what it needs is imported."""

NOTHING: dict[Editor, tuple[str, int]] = {
    small_edits.keys_reordered: ("", 0),
    small_edits.moved_on_the_canvas: ("", 0),
}
TABLE: dict[str, dict[Editor, tuple[str, int]]] = {
    "tiny": {
        small_edits.constant: ("settle.py zero", 2),
        small_edits.check: ("build one_card => yes | no", 2),
        small_edits.check_of_some_card: ("build one_card => yes | no", 2),
        small_edits.node_in_the_middle: ("match deal -> ask", 1),
        small_edits.retargeted: ("settle is_out -> won | instead", 2),
        small_edits.wait: ("deal -> ask 21", A_WAIT),
        small_edits.property_renamed: ("rank", 16),
        small_edits.cardset_added: ("", 11),
        small_edits.cardset_removed: ("", 11),
        **NOTHING,
    },
    "war": {
        small_edits.constant: ("match.py ten", 2),
        small_edits.check: ("build one_card => yes | failed", 2),
        small_edits.check_of_some_card: ("build one_card => yes | failed", 2),
        small_edits.node_in_the_middle: ("match shuffle -> deal", 1),
        small_edits.retargeted: ("settle is_ahead -> won | drawn", 2),
        small_edits.wait: ("ask_reply -> keep_reply 21", A_WAIT),
        small_edits.property_renamed: ("round", 12),
        small_edits.cardset_added: ("", A_SECOND_CARDSET),
        small_edits.cardset_removed: ("", A_SECOND_CARDSET),
        **NOTHING,
    },
    "twenty_one": {
        small_edits.constant: ("classes.py new_aces", 2),
        small_edits.check: ("build one_card => an_ace | no", 2),
        small_edits.check_of_some_card: ("build one_card => an_ace | no", 2),
        small_edits.node_in_the_middle: ("match first_card -> second_card", 1),
        small_edits.retargeted: ("match last_seat -> over | instead", 2),
        small_edits.wait: ("second_card -> ask 21", A_WAIT + A_FIRST_ONE),
        small_edits.property_renamed: ("aces", 12),
        small_edits.cardset_added: ("", 11),
        small_edits.cardset_removed: ("", 11),
        **NOTHING,
    },
    "big_two": {
        small_edits.constant: ("match.py played", 2),
        small_edits.check: ("build right_size => may_play | no", 2),
        small_edits.check_of_some_card: ("build right_size => may_play | no", 2),
        small_edits.node_in_the_middle: ("match deal -> ask", 1),
        small_edits.retargeted: ("settle is_out -> lost | instead", 2),
        small_edits.wait: ("deal -> ask 21", A_WAIT),
        small_edits.property_renamed: ("opened", 12),
        small_edits.cardset_added: ("", 8),
        small_edits.cardset_removed: ("", 8),
        **NOTHING,
    },
    "qiang_duizi": {
        small_edits.constant: ("match.py 有牌", 2),
        small_edits.check: ("build 一张吗 /> 是顶张吗 | 否", 2),
        small_edits.check_of_some_card: ("build 一张吗 /> 是顶张吗 | 否", 2),
        small_edits.node_in_the_middle: ("match 定宝牌 -> 洗牌", 1),
        small_edits.retargeted: ("settle 都一样吗 -> 平 | 负", 2),
        small_edits.wait: ("定宝牌 -> 洗牌 22", A_CHOICE),
        small_edits.property_renamed: ("底分", 14),
        small_edits.cardset_added: ("", 9),
        small_edits.cardset_removed: ("", 9),
        **NOTHING,
    },
}
PATHS = {path.stem: path for path in shipped_rules()}


def test_every_rule_and_every_edit_is_in_the_table() -> None:
    assert TABLE.keys() == PATHS.keys()
    for rows in TABLE.values():
        assert rows.keys() == {*EDITORS}


@pytest.mark.parametrize(
    ("rule", "editor", "place", "lines"),
    [
        pytest.param(rule, editor, place, lines, id=f"{rule} {editor.__name__}")
        for rule, rows in TABLE.items()
        for editor, (place, lines) in rows.items()
    ],
)
def test_exactly_so_many_lines_change(
    rule: str, editor: Editor, place: str, lines: int
) -> None:
    offers = (offer() for offer in editor(document(PATHS[rule])))
    edited = next(one for one in offers if one.place == place)
    made = diff_of(PATHS[rule], edited)
    assert made.lines == lines
    assert lines or made.new == made.old


# -- what holds at every place (by default at a sample, with `DEALWRIGHT_LONG=1` at all of them)


@pytest.mark.parametrize("path", shipped_rules(), ids=lambda path: path.stem)
def test_a_constant_changes_a_number_where_it_is_written(path: Path) -> None:
    """Two lines for each one that has the constant, which is one for a node that is used once."""
    for made in diffs(path, small_edits.constant):
        old, new = (
            [line for text in one.values() for line in text.splitlines()]
            for one in (made.old, made.new)
        )
        changed = [(x, y) for x, y in zip(old, new, strict=True) if x != y]
        assert made.lines == 2 * len(changed), made.edited.place
        times = TIMES_WRITTEN.get(path.stem, {}).get(made.edited.place, 1)
        assert len(changed) == times, made.edited.place
        assert all(re.sub(r"\d+", "", x) == re.sub(r"\d+", "", y) for x, y in changed)


TIMES_WRITTEN = {
    "big_two": {"cardsets.py ace": 2},
    "twenty_one": {
        "match.py next_seat": 2,
        "classes.py soft": 2,
        "classes.py ten": 2,
    },
    "war": {"match.py one": 4},
}
"""The constants that stand in more lines than one, since their nodes are used more than once."""


@pytest.mark.parametrize("path", shipped_rules(), ids=lambda path: path.stem)
def test_a_check_of_a_build_flow_changes_its_own_lines(path: Path) -> None:
    """The question, and what is returned if it fails; two more where the question has no room on a line."""
    for made in diffs(path, small_edits.check_of_some_card):
        is_long = made.edited.place in LONG_QUESTIONS
        assert made.lines == (4 if is_long else 2), made.edited.place


LONG_QUESTIONS = {
    "build 同花吗 => 同花连 | 否",
    "build 同花吗 => 同花连 | failed",
}
"""Places of 抢对子 where the question about three cards stands a block deeper than elsewhere."""
