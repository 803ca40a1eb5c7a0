"""Specs and windows for tests: the smallest ones that show something, and random ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from dealwright.runtime.windows import (
    PASS,
    Output,
    Resolution,
    ResponseActionOption,
    ResponseActionSeatCandidate,
    ResponseActionWindow,
    ResponseReply,
    WindowSpec,
    merged,
    window_spec,
)
from dealwright.runtime.windows.candidates import silence_of

Json = Any
WINDOW = "r1:w1"

BASE: Json = {
    "id": "after_discard",
    "trigger": "DISCARD",
    "actions": {
        "HU": {"priority": 300},
        "GANG": {"priority": 200, "consumes": 3},
        "PENG": {"priority": 100, "consumes": 2},
        "PASS": {"priority": 0, "implicit": True},
    },
    "arbiter": {"tie_break": "nearest_after_source"},
    "timeout": {"ms": 8000},
    "after": {
        "HU": {"next": "after_last_winner", "leaves": True},
        "GANG": {"next": "kong_draw"},
        "PENG": {"next": "discard_by_winner"},
        "PASS": {"next": "draw_after_source"},
    },
}
"""The requirement's first mode, in few words."""


def spec_of(change: Mapping[str, Json] | None = None) -> WindowSpec:
    """`BASE` with a change."""
    return window_spec(merged(BASE, change or {}), "test")


def window_of(
    spec: WindowSpec,
    offers: Mapping[int, Sequence[str]],
    source: int = 0,
    seats: int = 4,
    opened_at: int = 0,
) -> ResponseActionWindow:
    """A window whose offers are given outright, without PASS."""
    order = tuple(range(seats))
    passing = ResponseActionOption(PASS, "PASS#0", "5m", (), 0)
    candidates = []
    for distance in range(1, seats):
        seat = (source + distance) % seats
        options = [
            ResponseActionOption(
                action.name,
                f"{action.name}#0",
                "5m",
                ("5m",) * (action.consumes or 0),
                action.priority,
            )
            for action in spec.actions
            if action.name in offers.get(seat, ())
        ]
        if options:
            silence = silence_of(options, spec.timeout, passing)
            by_action = spec.timeout.per_action_ms
            ms = max(
                by_action.get(each.action_type, spec.timeout.ms) for each in options
            )
            candidates.append(
                ResponseActionSeatCandidate(
                    seat, (*options, passing), distance, opened_at + ms, silence
                )
            )
    deadline = opened_at + spec.timeout.longest
    return ResponseActionWindow(
        WINDOW,
        "t1",
        "r1",
        spec.trigger,
        source,
        "5m",
        1,
        opened_at,
        deadline,
        0,
        "test",
        order,
        tuple((source + distance) % seats for distance in range(1, seats)),
        tuple(candidates),
        0,
        deadline,
    )


def reply(seat: int, action: str, name: str = "") -> ResponseReply:
    """A reply to the window of `window_of`."""
    return ResponseReply(name or f"{seat}-{action}", WINDOW, seat, action)


def codes(outputs: Sequence[Output]) -> list[str]:
    """The codes of all refusals."""
    return [str(output.detail) for output in outputs if output.kind == "REJECT"]


def kinds(outputs: Sequence[Output]) -> list[str]:
    """The kinds of all outputs."""
    return [output.kind for output in outputs]


def outcome(resolution: Resolution) -> tuple[tuple[int, ...], str]:
    """Who wins with what."""
    return resolution.winner_seat_nos, resolution.winning_action_type


# --- random ones

ACTIONS = ("HU", "GANG", "PENG", "CHOW")


@st.composite
def specs(draw: st.DrawFn, early: Sequence[str] = ("when_decided",)) -> WindowSpec:
    """A spec with two to four actions: numbers or a partial order, any number of winners, any tie break by seats."""
    names = list(ACTIONS[: draw(st.integers(2, 4))])
    actions: Json = {PASS: {"priority": 0}}
    if draw(st.booleans()):
        for name in names:
            actions[name] = {"priority": draw(st.integers(1, 3))}
    else:
        for index, name in enumerate(names):
            below = names[index + 1 :]
            actions[name] = {"beats": [each for each in below if draw(st.booleans())]}
    winners: Json = {"default": "single"}
    for name in names:
        winners[name] = draw(st.sampled_from(("single", "all", {"max": 2})))
    arbiter: Json = {
        "winners": winners,
        "tie_break": draw(
            st.sampled_from(("nearest_after_source", "farthest_after_source"))
        ),
    }
    if "all" in [winners[name] for name in names] and draw(st.booleans()):
        arbiter["overflow"] = {"claims": 3, "effect": "draw"}
    silence = {name: name for name in names if draw(st.integers(0, 4)) == 0}
    return window_spec(
        {
            "id": "random",
            "trigger": "DISCARD",
            "actions": actions,
            "arbiter": arbiter,
            "timeout": {"ms": 8000, "per_action_answer": silence},
            "close": {"early": draw(st.sampled_from(list(early)))},
            "after": {name: {"next": "draw_after_source"} for name in actions},
        },
        "test",
    )


@st.composite
def offers(draw: st.DrawFn, spec: WindowSpec, source: int) -> dict[int, list[str]]:
    """What each seat but the source is offered; at least one is offered something."""
    names = [action.name for action in spec.actions if action.name != PASS]
    others = [seat for seat in range(4) if seat != source]
    given = {
        seat: sorted(draw(st.sets(st.sampled_from(names), max_size=3)))
        for seat in others
    }
    if not any(given.values()):
        given[others[0]] = names[:1]
    return given


@st.composite
def answers(
    draw: st.DrawFn, given: Mapping[int, Sequence[str]]
) -> list[tuple[int, str]]:
    """Answers of some of the seats that may answer, in an order of arrival."""
    chosen = [
        (seat, draw(st.sampled_from([*actions, PASS])))
        for seat, actions in given.items()
        if actions and draw(st.integers(0, 3)) > 0
    ]
    order: list[tuple[int, str]] = list(draw(st.permutations(chosen)))
    return order


@st.composite
def plays(
    draw: st.DrawFn, early: Sequence[str] = ("when_decided",)
) -> tuple[WindowSpec, ResponseActionWindow, list[tuple[int, str]]]:
    """A spec, a window and answers to it."""
    spec = draw(specs(early))
    source = draw(st.integers(0, 3))
    given = draw(offers(spec, source))
    return spec, window_of(spec, given, source), draw(answers(given))
