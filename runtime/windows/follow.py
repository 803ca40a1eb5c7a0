"""Who goes on after a window: the spec's `after`, applied to a resolution."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from dealwright.runtime.windows.model import (
    NextStep,
    Resolution,
    ResponseActionWindow,
    Seat,
)
from dealwright.runtime.windows.spec import WindowSpec


def next_step(
    window: ResponseActionWindow,
    resolution: Resolution,
    spec: WindowSpec,
    wall: int,
    out: Collection[Seat] = (),
) -> Resolution:
    """The resolution with its next step.

    Args:
        wall: how many cards are left to draw.
        out: seats that had left the round before the window; its winners are added where the spec has them leave.
    """
    if resolution.next_step is not None:
        return resolution
    if resolution.overflow:
        step = NextStep("END", None, spec.end.overflow)
    else:
        step = step_after(
            spec,
            resolution.winning_action_type,
            resolution.winner_seat_nos,
            window.source_seat_no,
            window.turn_order,
            wall,
            out,
        )
    return resolution._replace(next_step=step)


def step_after(
    spec: WindowSpec,
    action: str,
    winners: Sequence[Seat],
    source: Seat,
    turn_order: Sequence[Seat],
    wall: int,
    out: Collection[Seat] = (),
) -> NextStep:
    """What follows an action, PASS among them: that is also what happens where no window had to open.

    Args:
        action: the winners' action; PASS if there are none.
        winners: in any order.
        source: whose card it was.
        turn_order: all seats in the order of play.
        wall: how many cards are left to draw.
        out: seats that had left the round before.
    """
    rule = spec.action(action)
    start, seats = turn_order.index(source), len(turn_order)
    by_distance = sorted(
        winners, key=lambda seat: (turn_order.index(seat) - start) % seats
    )
    gone = set(out).union(winners if rule.leaves else ())
    if seats - len(gone) <= spec.end.seats_left:
        return NextStep("END", None, spec.end.few_seats)
    match rule.next:
        case "end":
            return NextStep("END", None, action)
        case "discard_by_winner":
            return NextStep("DISCARD", by_distance[0])
        case "kong_draw":
            # an added kong that nobody robbed is its owner's
            step = NextStep("KONG_DRAW", by_distance[0] if winners else source)
        case "after_last_winner":
            step = NextStep("DRAW", _after(by_distance[-1], turn_order, gone))
        case "after_first_winner":
            step = NextStep("DRAW", _after(by_distance[0], turn_order, gone))
        case "after_source" | "draw_after_source":
            step = NextStep("DRAW", _after(source, turn_order, gone))
    return step if wall > 0 else NextStep("END", None, spec.end.wall_empty)


def _after(seat: Seat, turn_order: Sequence[Seat], gone: Collection[Seat]) -> Seat:
    """The next seat in turn order that still plays."""
    start, seats = turn_order.index(seat), len(turn_order)
    for step in range(1, seats + 1):
        following = turn_order[(start + step) % seats]
        if following not in gone:
            return following
    raise AssertionError("somebody still plays")
