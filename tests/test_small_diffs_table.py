"""The table of single edits: for each rule that we ship, one place of each edit, with the exact number of lines that change.

Here an edit costs what it says of itself: nothing for keys and the canvas, two lines for a constant, a check or a branch
that leads elsewhere, one for a node, for a wait a function and its row, for a cardset its function and what lists it, two
for each line that has the name of a property. The places of the table are chosen so. What holds at every place stands below
it: two lines for each one that has a constant, two for a check of a build flow that asks nothing of the order of the
cards, two for a check between a question and its end, or three. `test_small_diffs` goes through all places of all edits,
and counts what else they may cost, and why.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from tests import small_edits
from tests.rule_changes import document
from tests.small_edits import (
    EDITORS,
    ENDS,
    Edited,
    Editor,
    flows,
    kind_of,
    targets,
)
from tests.small_edits_texts import lines_of
from tests.support import LONG, shipped_rules
from tests.test_small_diffs import diff_of, diffs

A_WAIT = 1 + 1 + 2 + 1
"""`return`, `def`, two empty lines, and a row; a choice has three lines where a play has one."""
A_CHOICE = A_WAIT + 2
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
        small_edits.cardset_added: ("", 12),
        small_edits.cardset_removed: ("", 12),
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
        small_edits.cardset_added: ("", 12),
        small_edits.cardset_removed: ("", 12),
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
        small_edits.cardset_added: ("", 12),
        small_edits.cardset_removed: ("", 12),
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
        small_edits.cardset_added: ("", 9),
        small_edits.cardset_removed: ("", 9),
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
        small_edits.cardset_added: ("", 10),
        small_edits.cardset_removed: ("", 10),
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


# -- what holds at every place


@pytest.mark.parametrize("path", shipped_rules(), ids=lambda path: path.stem)
def test_a_constant_changes_a_number_where_it_is_written(path: Path) -> None:
    """Two lines wherever the node is used once, as most are."""
    for made in diffs(path, small_edits.constant):
        old, new = (
            [line for text in one.values() for line in text.splitlines()]
            for one in (made.old, made.new)
        )
        changed = [(x, y) for x, y in zip(old, new, strict=True) if x != y]
        assert made.lines == 2 * len(changed), made.edited.place
        assert all(re.sub(r"\d+", "", x) == re.sub(r"\d+", "", y) for x, y in changed)


@pytest.mark.parametrize("path", shipped_rules(), ids=lambda path: path.stem)
def test_a_check_of_a_build_flow_changes_its_own_lines(path: Path) -> None:
    """The question, which may not fit on a line, and what is returned if it fails."""
    for made in diffs(path, small_edits.check_of_some_card):
        question = lines_of(made.new[made.edited.file], "checked")
        assert made.lines == question + 1, made.edited.place


@pytest.mark.parametrize("path", shipped_rules(), ids=lambda path: path.stem)
def test_a_check_beside_a_question_changes_the_line_that_asks(path: Path) -> None:
    """Between a question and the end that it leads to, or before such a question, failing to the same end.

    Where the line has no room for both, one stands inside the other: a line more, and the end at another depth.
    """
    offers = [offer() for offer in small_edits.check(document(path))]
    beside = [one for one in offers if is_beside_a_question(one)]
    choose = random.Random(path.stem)
    for edited in beside if LONG else choose.sample(beside, min(2, len(beside))):
        assert diff_of(path, edited).lines in (2, 3), edited.place


def is_beside_a_question(edited: Edited) -> bool:
    """Whether the check and a question next to it are the only ones between which and two ends nothing stands."""
    flow = flows(edited.new)[edited.flow][1]
    kind = kind_of(flow)
    if kind in ("build", "match"):
        return False
    first, last = edited.behind, edited.inserted
    if flow[first]["type"] != 16:
        first, last = edited.inserted, edited.before
    if flow[last]["type"] != 16:
        return False
    goes_on, fails = targets(flow, first)
    then, orelse = targets(flow, last)
    ends = (fails, then, orelse)
    return (
        goes_on == last
        and fails == orelse != then
        and all(flow[one]["type"] == ENDS[kind] for one in ends)
    )


def test_places_beside_a_question_are_found() -> None:
    offers = [one() for one in small_edits.check(document(PATHS["tiny"]))]
    assert [one.place for one in offers if is_beside_a_question(one)] == [
        "settle is_out => won | lost"
    ]
