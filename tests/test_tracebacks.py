"""Errors of generated code say where in the rule they come from: a note with rule, flow, node, file and line.

Bugs are planted in the text of a package that is imported from memory; the runtime has to add the note wherever the
error passes through it.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dealwright.compiler import pipeline
from dealwright.compiler.output import memory
from dealwright.runtime import MatchError, Rejected
from tests.support import compiled

RULES = Path(__file__).resolve().parent.parent / "rules"


def _package(file: str, old: str, new: str, rule: str = "war") -> tuple[Any, int]:
    """The package of a shipped rule with one text replaced, and the number of the line where it stood first."""
    path = RULES / f"{rule}.json"
    built = pipeline.build(path.read_bytes(), f"rules/{rule}.json")
    text = built.files[file]
    assert old in text
    line = text[: text.index(old)].count("\n") + 1
    files = {**built.files, file: text.replace(old, new)}
    return memory.import_package(built.slug, files), line


def _notes(error: BaseException | None) -> list[str]:
    return list(getattr(error, "__notes__", []))


def _to_the_score(match: Any) -> None:
    """Both players of War play once; whoever wins scores."""
    match.play(0, match.hands[0][:1])
    match.play(1, match.hands[1][:1])


SCORE = "game.current_player.round_wins += 1"


@pytest.mark.parametrize(
    ("bug", "kind"),
    [
        ('{}["score"]', KeyError),
        ("game.table.nothing += 1", AttributeError),
        ("raise RecursionError", RecursionError),
        ("1 // 0", ZeroDivisionError),
        ("[card.id // 0 for card in game.deck]", ZeroDivisionError),
    ],
)
def test_an_action(bug: str, kind: type[Exception]) -> None:
    package, line = _package("match.py", SCORE, bug)
    match = package.new_match([0, 1], seed=1)
    match.play(0, match.hands[0][:1])
    before = match.to_json()
    with pytest.raises(Rejected) as caught:
        match.play(1, match.hands[1][:1])
    cause = caught.value.__cause__
    assert type(cause) is kind
    # whoever wins: the same node stands on two lines
    found = _notes(cause)
    assert len(found) == 1
    start, _, rest = found[0].partition(" (match.py:")
    assert start == "rule 'War', match_flow, node 'score'"
    assert int(rest.removesuffix(")")) in range(line, line + 5)
    assert caught.value.node == "score"
    assert match.to_json() == before
    shown = "".join(traceback.format_exception(caught.value))
    assert found[0] in shown


def test_the_line_is_the_one_that_failed() -> None:
    package, line = _package("match.py", "game.deal(10)", "game.deal(10 // 0)")
    with pytest.raises(MatchError) as caught:
        package.new_match([0, 1], seed=1)
    assert _notes(caught.value.__cause__) == [
        f"rule 'War', match_flow, node 'deal' (match.py:{line})"
    ]


def test_what_stops_a_flow_has_a_note_too() -> None:
    package, line = _package("match.py", "game.deal(10)", "game.deal(100)")
    with pytest.raises(MatchError) as caught:
        package.new_match([0, 1], seed=1)
    assert caught.value.code == "deck_exhausted"
    assert _notes(caught.value.__cause__) == [
        f"rule 'War', match_flow, node 'deal' (match.py:{line})"
    ]


def test_the_settlement() -> None:
    old = "return 1  # [won]"
    package, line = _package("settle.py", old, "return won  # [won]", rule="tiny")
    match = package.new_match([0, 1], seed=1)
    with pytest.raises(Rejected) as caught:
        match.play(0, match.hands[0])
    assert _notes(caught.value.__cause__) == [
        f"rule 'Tiny', end_flow, node 'won' (settle.py:{line})"
    ]


def test_a_method() -> None:
    package, line = _package(
        "classes.py",
        "return 花色 == self.王牌花色",
        "return 花色 == 王",
        "qiang_duizi",
    )
    match = package.new_match([0, 1, 2], seed=1)
    with pytest.raises(NameError) as caught:
        package.recognize([match.hands[0][0]], match)
        package.recognize([card for card in match.deck if card.点数 == 8][:1], match)
    assert _notes(caught.value) == [
        f"rule '抢对子', 是王牌, node '答' (classes.py:{line})"
    ]


@pytest.mark.parametrize("ask", ["recognize", "judge"])
def test_a_cardset(ask: str) -> None:
    """Asked directly the error comes as it is; in an action it is the cause of the refusal. Both have the note, once."""
    package, line = _package(
        "cardsets.py", "return NO_PROPERTIES  # [yes]", "return {yes}  # [yes]"
    )
    match = package.new_match([0, 1], seed=1)
    if ask == "recognize":
        with pytest.raises(NameError) as raised:
            package.PACKAGE.recognize(match.hands[0][:1])
        error: BaseException | None = raised.value
    else:
        with pytest.raises(Rejected) as caught:
            match.play(0, match.hands[0][:1])
        error = caught.value.__cause__
    assert _notes(error) == [
        f"rule 'War', build_Single, node 'yes' (cardsets.py:{line})"
    ]


def test_a_generated_function_called_directly_is_left_alone() -> None:
    """A note would cost every call; the traceback shows the line, which has the node at its end."""
    package, line = _package(
        "cardsets.py", "return NO_PROPERTIES  # [yes]", "return {yes}  # [yes]"
    )
    match = package.new_match([0, 1], seed=1)
    with pytest.raises(NameError) as caught:
        package.cardsets.recognize(match.hands[0][:1])
    assert _notes(caught.value) == []
    shown = "".join(traceback.format_exception(caught.value))
    assert f'cardsets.py", line {line}' in shown and "# [yes]" in shown


def test_the_search_for_a_play_to_lead_with() -> None:
    package, line = _package(
        "cardsets.py", "return NO_PROPERTIES  # [yes]", "return {yes}  # [yes]"
    )
    match = package.new_match([0, 1], seed=1)
    with pytest.raises(Rejected) as caught:
        match.skip(0)
    assert _notes(caught.value.__cause__) == [
        f"rule 'War', build_Single, node 'yes' (cardsets.py:{line})"
    ]


@pytest.mark.parametrize("is_direct", [True, False])
def test_a_comparison(is_direct: bool) -> None:
    package, line = _package(
        "cardsets.py", "return A_WINS  # [2]", "return C_WINS  # [2]"
    )
    match = package.new_match([0, 1], seed=1)
    plays = [package.recognize(hand[:1]) for hand in match.hands]
    if is_direct:
        with pytest.raises(NameError) as raised:
            package.PACKAGE.beats(plays[0], plays[1])
        error: BaseException | None = raised.value
    else:
        with pytest.raises(Rejected) as caught:
            _to_the_score(match)
        error = caught.value.__cause__
    assert _notes(error) == [
        f"rule 'War', compare_Single, node '2' (cardsets.py:{line})"
    ]


def test_a_stack_that_is_full() -> None:
    old = "return NO_PROPERTIES  # [yes]"
    package, line = _package(
        "cardsets.py", old, f"build_Single(cards)  # [yes]\n    {old}"
    )
    match = package.new_match([0, 1], seed=1)
    before = match.to_json()
    with pytest.raises(Rejected) as caught:
        match.play(0, match.hands[0][:1])
    assert type(caught.value.__cause__) is RecursionError
    assert _notes(caught.value.__cause__) == [
        f"rule 'War', build_Single, node 'yes' (cardsets.py:{line})"
    ]
    assert match.to_json() == before


def test_an_interrupt_says_where_the_flow_was() -> None:
    package, _ = _package("match.py", SCORE, "raise KeyboardInterrupt")
    match = package.new_match([0, 1], seed=1)
    with pytest.raises(KeyboardInterrupt) as caught:
        _to_the_score(match)
    (note,) = _notes(caught.value)
    assert note.startswith("rule 'War', match_flow, node 'score' (match.py:")


def test_errors_that_say_it_themselves_get_no_note() -> None:
    """A refusal of the runtime has rule, flow and node in its own words."""
    package, _ = _package("match.py", SCORE, SCORE)
    match = package.new_match([0, 1], seed=1)
    errors: list[tuple[type[Exception], Callable[[], object]]] = [
        (Rejected, lambda: match.play(1, [1])),
        (MatchError, lambda: package.new_match([])),
    ]
    for kind, do in errors:
        with pytest.raises(kind) as caught:
            do()
        assert _notes(caught.value) == []


def test_what_stops_a_question_is_an_error_of_ours() -> None:
    """A build flow that calls a method without an end: `FlowStopped` itself never leaves the runtime."""
    package, _ = _package(
        "cardsets.py",
        "if not game.table.may_be_played(cards):  # [may_play]",
        "while True:  # [may_play]\n        game.tick()  # [may_play]\n    if False:",
        rule="big_two",
    )
    match = package.new_match([0, 1, 2, 3], seed=1)
    with pytest.raises(MatchError) as caught:
        package.recognize(match.hands[0][:1], match)
    assert (caught.value.code, caught.value.flow, caught.value.node) == (
        "endless_flow",
        "build_Single",
        "may_play",
    )


def test_names_stay_on_one_line_and_short() -> None:
    """Whatever a rule's name and node ids hold, the note is one line that can be printed."""
    name, node = "W\nar\u202e", "no\nde \u2028]" + "x" * 500
    document = {
        "meta": {"name": name, "playerCount": 1},
        "design": {
            "classes": {one: {} for one in ("player", "card", "table")},
            "cardsets": {
                "1": {
                    "name": "Any",
                    "build_flow": {
                        "1": {"type": 27, "content": {"next": "2"}},
                        "2": {"type": 28, "content": {"result": 1}},
                    },
                }
            },
            "match_flow": {
                "1": {"type": 17, "content": {"next": node}},
                node: {"type": 20, "content": {"count": 1, "next": "w"}},
                "w": {"type": 21, "content": {"next": "again"}},
                "again": {"type": 20, "content": {"count": 1, "next": "w"}},
            },
            "end_flow": {
                "1": {"type": 23, "content": {"next": "2"}},
                "2": {"type": 24, "content": {"result": 0}},
            },
        },
    }
    package = compiled(document)
    match = package.new_match(["ann"])
    with pytest.raises(Rejected) as caught:
        match.play("ann", match.hands[0])
    (note,) = _notes(caught.value.__cause__)
    assert note.isprintable() and len(note) < 400
    assert "node 'again'" in note
