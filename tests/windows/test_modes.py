"""The later rule modes of section 4 of the window requirement, as data: winners, who acts next, robbing, forced wins, and
other games than mahjong."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import dealwright.runtime.windows
from dealwright.runtime.windows import (
    MODES,
    NextStep,
    ResponseActionWindow,
    ResponseActionWindowBuilder,
    Shape,
    TableView,
    Trigger,
    WindowSpec,
    merged,
    next_step,
    on_deadline,
    on_reply,
    opening,
    resolution_of,
    shipped_mode,
    step_after,
    window_spec,
)
from dealwright.runtime.windows.presets import FORCED_LAST_WIN
from tests.windows.builders import BASE, kinds, outcome, reply, spec_of, window_of

Json = Any
ORDER = (0, 1, 2, 3)


def closed(
    window: ResponseActionWindow, answers: Sequence[tuple[int, str]], spec: WindowSpec
) -> ResponseActionWindow:
    for now, (seat, action) in enumerate(answers, start=1):
        window, _ = on_reply(window, reply(seat, action), now, spec)
    return on_deadline(window, 8000, spec)[0]


def step(
    spec: WindowSpec, winners: Sequence[int], wall: int = 9, out: Sequence[int] = ()
) -> NextStep:
    return step_after(spec, "HU", winners, 0, ORDER, wall, out)


# --- several winners


def test_all_who_said_so_win_nearest_first() -> None:
    spec = spec_of({"arbiter": {"winners": {"HU": "all"}}})
    window = window_of(spec, {3: ["HU"], 0: ["HU"], 1: ["HU"]}, source=2)
    final = closed(window, [(1, "HU"), (0, "PASS"), (3, "HU")], spec)
    resolution = resolution_of(final, spec)
    assert outcome(resolution) == ((3, 1), "HU")
    assert resolution.winner_seat_no == 3
    assert resolution.passed_seat_nos == (0,)


def test_an_open_win_is_waited_for_but_no_weaker_claim() -> None:
    spec = spec_of({"arbiter": {"winners": {"HU": "all"}}})
    window = window_of(spec, {1: ["HU"], 2: ["PENG"], 3: ["HU"]})
    after, _ = on_reply(window, reply(1, "HU"), 1, spec)
    assert after.status == "OPEN"
    after, _ = on_reply(after, reply(3, "PASS"), 2, spec)
    assert after.close_reason == "DECIDED"


def test_no_more_winners_than_the_rules_allow() -> None:
    spec = spec_of({"arbiter": {"winners": {"HU": {"max": 2}}}})
    window = window_of(spec, {1: ["HU"], 2: ["HU"], 3: ["HU"]})
    resolution = resolution_of(
        closed(window, [(3, "HU"), (1, "HU"), (2, "HU")], spec), spec
    )
    assert resolution.winner_seat_nos == (1, 2)
    assert resolution.outranked_seat_nos == (3,)
    early, _ = on_reply(window, reply(1, "HU"), 1, spec)
    early, _ = on_reply(early, reply(2, "HU"), 2, spec)
    assert early.close_reason == "DECIDED", "the third could change nothing"


def test_three_claims_may_be_too_many() -> None:
    overflow = {"claims": 3, "effect": "draw"}
    spec = spec_of({"arbiter": {"winners": {"HU": "all"}, "overflow": overflow}})
    window = window_of(spec, {1: ["HU"], 2: ["HU"], 3: ["HU"]})
    two = closed(window, [(1, "HU"), (2, "HU"), (3, "PASS")], spec)
    assert resolution_of(two, spec).winner_seat_nos == (1, 2)
    three = resolution_of(closed(window, [(1, "HU"), (2, "HU"), (3, "HU")], spec), spec)
    assert not three.has_winner and three.overflow and not three.continue_original_flow
    assert three.outranked_seat_nos == (1, 2, 3)
    ended = next_step(window, three, spec, 9)
    assert ended.next_step == NextStep("END", None, "TOO_MANY_CLAIMS")


# --- who acts next


@pytest.mark.parametrize(
    ("rule", "winners", "out", "seat"),
    [
        ("after_last_winner", (1, 3), (), 0),
        ("after_last_winner", (2,), (), 3),
        ("after_last_winner", (2,), (3,), 0),
        ("after_first_winner", (1, 3), (), 2),
        ("after_first_winner", (3, 1), (), 2),
        ("after_source", (1, 3), (), 2),
        ("after_source", (2,), (), 1),
        ("after_source", (1,), (2,), 3),
    ],
)
def test_who_draws_after_a_win(
    rule: str, winners: Sequence[int], out: Sequence[int], seat: int
) -> None:
    spec = spec_of({"after": {"HU": {"next": rule}}})
    assert step(spec, winners, out=out) == NextStep("DRAW", seat)


def test_winners_may_stay_in_the_round() -> None:
    spec = spec_of({"after": {"HU": {"next": "after_source", "leaves": False}}})
    assert step(spec, (1,)) == NextStep("DRAW", 1)


def test_the_round_ends_with_the_wall_or_when_too_few_play_on() -> None:
    spec = spec_of({"end": {"few_seats": "THREE_WINNERS"}})
    assert step(spec, (1,), wall=0) == NextStep("END", None, "WALL_EMPTY")
    assert step(spec, (1,), out=(2, 3)) == NextStep("END", None, "THREE_WINNERS")
    assert step(spec, (1, 2, 3)) == NextStep("END", None, "THREE_WINNERS")
    pung = step_after(spec, "PENG", (1,), 0, ORDER, 0)
    assert pung == NextStep("DISCARD", 1), "a pung needs nothing from the wall"


# --- forced claims


def test_a_forced_claim_leaves_nothing_else_and_is_answered_at_once() -> None:
    spec = shipped_mode("V1", FORCED_LAST_WIN).windows["DISCARD"]
    window = built(spec, {1: ["PENG"], 2: ["HU", "PENG"]}, wall=0)
    assert window is not None
    offers = {
        each.seat_no: [option.action_type for option in each.options]
        for each in window.candidates
    }
    assert offers == {1: ["PENG", "PASS"], 2: ["HU"]}
    after, outputs = opening(window, spec)
    assert kinds(outputs)[:4] == ["OPENED", "OFFER", "OFFER", "ACK"]
    assert after.close_reason == "DECIDED"
    assert outcome(resolution_of(after, spec)) == ((2,), "HU")
    assert offers_at(spec, wall=1) == {2: ["HU", "PENG", "PASS"]}


def test_a_forced_claim_may_mean_silence_only() -> None:
    change = merged(FORCED_LAST_WIN, {"forced_claim": {"mode": "timeout"}})
    assert isinstance(change, Mapping)
    spec = shipped_mode("V1", change).windows["DISCARD"]
    window = built(spec, {2: ["HU", "PENG"]}, wall=0)
    assert window is not None
    assert [each.action_type for each in window.candidates[0].options] == [
        "HU",
        "PENG",
        "PASS",
    ]
    assert outcome(resolution_of(closed(window, [], spec), spec)) == ((2,), "HU")
    passed = closed(window, [(2, "PASS")], spec)
    assert outcome(resolution_of(passed, spec)) == ((), "PASS")


def offers_at(spec: WindowSpec, wall: int) -> dict[int, list[str]]:
    window = built(spec, {2: ["HU", "PENG"]}, wall)
    assert window is not None
    return {
        each.seat_no: [option.action_type for option in each.options]
        for each in window.candidates
    }


def built(
    spec: WindowSpec, hands: Mapping[int, Sequence[str]], wall: int = 9, **view: Json
) -> ResponseActionWindow | None:
    """A window by the builder, from offers given outright."""
    counts = {"GANG": 3, "PENG": 2}

    def offer(action: str) -> Any:
        def shapes(position: None, seat: int, trigger: Trigger) -> Any:
            if action in hands.get(seat, ()):
                return (Shape((trigger.tile,) * counts.get(action, 0)),)
            return ()

        return shapes

    names = [action.name for action in spec.actions if action.name != "PASS"]
    builder = ResponseActionWindowBuilder(spec, {name: offer(name) for name in names})
    table = TableView("t1", "r1", ORDER, 1, 0, None, **view)
    return builder.build(table, Trigger(spec.trigger, 0, "5m", 1, 0, wall))


def test_seats_that_are_away_when_it_opens() -> None:
    for policy, states, kind in (
        ("wait_for_deadline", ["OPEN", "OPEN"], "OFFLINE"),
        ("pass_now", ["OPEN", "TIMED_OUT"], "OFFLINE"),
        ("bot", ["OPEN", "OPEN"], "BOT"),
    ):
        spec = spec_of({"offline": {"policy": policy}})
        window = built(spec, {1: ["PENG"], 2: ["HU"]}, connections={2: "OFFLINE"})
        assert window is not None
        assert [each.state for each in window.candidates] == states
        assert window.candidates[1].connection == kind
        asked = [
            each.seat_no for each in opening(window, spec)[1] if each.kind == "ASK_BOT"
        ]
        assert asked == ([2] if policy == "bot" else [])


def test_if_all_are_away_and_pass_the_window_closes_as_it_opens() -> None:
    spec = spec_of({"offline": {"policy": "pass_now"}})
    window = built(spec, {2: ["HU"]}, connections={2: "OFFLINE"})
    assert window is not None
    after, outputs = opening(window, spec)
    assert kinds(outputs) == ["OPENED", "OFFER", "CLOSED"]
    assert after.closed_at == 0


# --- other tie breaks, other games


def test_the_first_answer_may_win_a_tie() -> None:
    spec = spec_of({"arbiter": {"tie_break": "first_answer"}})
    window = window_of(spec, {1: ["HU"], 3: ["HU"]})
    after, _ = on_reply(window, reply(3, "HU"), 1, spec)
    assert after.close_reason == "DECIDED", "nobody can be faster any more"
    assert outcome(resolution_of(after, spec)) == ((3,), "HU")


def test_a_list_of_conditions_breaks_ties_in_its_order() -> None:
    spec = window_spec(
        {
            "id": "trick",
            "trigger": "PLAYED",
            "copies": 8,
            "actions": {"BID": {"priority": 1}, "PASS": {"priority": 0}},
            "arbiter": {"tie_break": ["highest:offer", "nearest_after_source"]},
            "after": {"BID": {"next": "discard_by_winner"}, "PASS": {"next": "end"}},
        }
    )
    window = window_of(spec, {1: ["BID"], 2: ["BID"], 3: ["BID"]})
    worth = {1: 20, 2: 50, 3: 50}
    window = window._replace(
        candidates=tuple(
            each._replace(
                options=(
                    each.options[0]._replace(hint={"offer": worth[each.seat_no]}),
                    each.options[1],
                )
            )
            for each in window.candidates
        )
    )
    after, _ = on_reply(window, reply(3, "BID"), 1, spec)
    assert after.status == "OPEN", "seat 2 bids as much and is nearer"
    after, _ = on_reply(after, reply(2, "BID"), 2, spec)
    assert after.close_reason == "DECIDED"
    assert outcome(resolution_of(after, spec)) == ((2,), "BID")


def test_a_claim_for_the_next_seat_only_among_three_seats_with_other_cards() -> None:
    """Nothing is tied to four seats, to tiles, or to the names of mahjong."""
    spec = window_spec(
        merged(
            BASE,
            {
                "actions": {
                    "HU": None,
                    "GANG": None,
                    "PENG": {"priority": 2},
                    "CHOW": {
                        "priority": 1,
                        "consumes": 2,
                        "same": False,
                        "audience": {"only": ["next"]},
                    },
                },
                "after": {
                    "HU": None,
                    "GANG": None,
                    "CHOW": {"next": "discard_by_winner"},
                },
            },
        )
    )
    hands: Mapping[str, list[int]] = {
        "north": [7, 8, 10, 11],
        "east": [7, 8, 9, 9],
        "south": [],
    }
    seats = {0: "south", 1: "east", 2: "north"}

    def chow(position: Mapping[str, list[int]], seat: int, trigger: Trigger) -> Any:
        held, card = position[seats[seat]], trigger.tile
        assert isinstance(card, int)
        for low in (card - 2, card - 1, card):
            rest = [each for each in (low, low + 1, low + 2) if each != card]
            if all(each in held for each in rest):
                yield Shape(tuple(rest))

    def pung(position: Mapping[str, list[int]], seat: int, trigger: Trigger) -> Any:
        if position[seats[seat]].count(int(trigger.tile)) > 1:
            yield Shape((trigger.tile,) * 2)

    builder = ResponseActionWindowBuilder(spec, {"PENG": pung, "CHOW": chow})
    view = TableView("t", "r", (2, 0, 1), 1, 0, hands)
    window = builder.build(view, Trigger("DISCARD", 0, 9, 1, 0, 5))
    assert window is not None
    offers = {
        each.seat_no: [(option.option_id, option.consumes) for option in each.options]
        for each in window.candidates
    }
    assert offers == {
        1: [("PENG#0", (9, 9)), ("CHOW#0", (7, 8)), ("PASS#0", ())],
    }, "north could chow three ways, but does not sit next"
    second = builder.build(view, Trigger("DISCARD", 1, 9, 2, 0, 5))
    assert second is not None
    assert [option.option_id for option in second.candidates[0].options] == [
        "CHOW#0",
        "CHOW#1",
        "CHOW#2",
        "PASS#0",
    ]
    assert second.candidates[0].seat_no == 2
    assert step_after(spec, "PASS", (), 1, (2, 0, 1), 5) == NextStep("DRAW", 2)


def test_an_offer_that_takes_the_wrong_number_of_cards_is_an_error() -> None:
    spec = spec_of()
    wrong = {
        name: (lambda position, seat, trigger: (Shape(("5m",)),))
        for name in ("HU", "GANG", "PENG")
    }
    builder = ResponseActionWindowBuilder(spec, wrong)
    with pytest.raises(ValueError, match="GANG takes 3 cards, not 1"):
        builder.build(
            TableView("t", "r", ORDER, 1, 0, None), Trigger("DISCARD", 0, "5m", 1, 0, 9)
        )


def test_every_action_needs_an_offer_and_every_offer_an_action() -> None:
    def nothing(position: None, seat: int, trigger: Trigger) -> tuple[Shape, ...]:
        return ()

    for names in ((), ("HU", "GANG", "PENG", "CHOW")):
        with pytest.raises(ValueError, match="offer"):
            ResponseActionWindowBuilder(spec_of(), dict.fromkeys(names, nothing))


def test_the_engine_asks_for_no_name_of_a_mode_nor_of_an_action() -> None:
    """Names of modes and actions occur in the presets only; PASS is the one action that the engine knows."""
    folder = Path(dealwright.runtime.windows.__file__).parent
    words = re.compile(
        r'"(?:' + "|".join([*MODES, "HU", "GANG", "PENG", "CHOW"]) + ')"'
    )
    for path in sorted(folder.glob("*.py")):
        if path.name not in ("presets.py", "__init__.py"):
            code = re.sub(r'"""(?:.|\n)*?"""', "", path.read_text(encoding="utf-8"))
            # a lock is of HU unless it says otherwise, as the requirement writes it
            default = ['"HU"'] if path.name == "locks.py" else []
            assert words.findall(code) == default, path.name
