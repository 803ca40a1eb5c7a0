"""Who may claim the tile in transit, and what happens then: offers, triggers and events for `dealwright.runtime.windows`.

An offer looks at one seat's hand. What of its answers wins is the mode's business, never asked here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeAlias

from dealwright.runtime.windows import (
    PASS,
    NextStep,
    Offer,
    Resolution,
    ResponseActionWindow,
    ResponseDesk,
    RuleMode,
    Shape,
    Trigger,
    next_step,
    step_after,
)
from examples.sichuan.fans import fan_count, points
from examples.sichuan.hand import Meld
from examples.sichuan.table import InTransit, Seat, Table

TURN_ORDER: Final = (0, 1, 2, 3)
NOTHING: Final[tuple[Shape, ...]] = ()

Desk: TypeAlias = ResponseDesk[Table]
Book: TypeAlias = Callable[[InTransit, Resolution | None, int], None]
"""Called with the tile, what its window came to (None without a window) and the time. Everybody has been told by then who
took the tile, and nobody yet that the round is over: here the game pays."""


def book_nothing(moved: InTransit, result: Resolution | None, at: int) -> None:
    """A game without accounts."""


def offer_win(table: Table, seat: Seat, trigger: Trigger) -> Iterable[Shape]:
    """HU: the tile completes the hand. The hint says what for; the fan also serves the missed-win lock."""
    items = table.win_of(seat)
    if items is None:
        return NOTHING
    hint = {"fan": fan_count(items), "points": points(items), "items": items}
    return (Shape((), hint | {"waits": table.waits_of(seat)}),)


def offer_kong(table: Table, seat: Seat, trigger: Trigger) -> Iterable[Shape]:
    """GANG: three of the tile in hand, outside of the void suit. The mode sees to the wall."""
    return _copies(table, seat, trigger, 3)


def offer_pung(table: Table, seat: Seat, trigger: Trigger) -> Iterable[Shape]:
    """PENG: two of the tile in hand, outside of the void suit."""
    return _copies(table, seat, trigger, 2)


def _copies(
    table: Table, seat: Seat, trigger: Trigger, count: int
) -> tuple[Shape, ...]:
    player, tile = table.players[seat], str(trigger.tile)
    if tile[1] == player.void_suit or player.hand.count(tile) < count:
        return NOTHING
    return (Shape((tile,) * count),)


_ALL: Final[Mapping[str, Offer[Table]]] = {
    "HU": offer_win,
    "GANG": offer_kong,
    "PENG": offer_pung,
}


def offers_of(mode: RuleMode) -> dict[str, dict[str, Offer[Table]]]:
    """The offers of all actions of all windows of a mode."""
    return {
        trigger: {
            action.name: _ALL[action.name]
            for action in spec.actions
            if action.name != PASS
        }
        for trigger, spec in mode.windows.items()
    }


def announce(
    table: Table,
    desk: Desk,
    round_id: str,
    at: int,
    state_version: int = 0,
    book: Book = book_nothing,
) -> NextStep | None:
    """Tell everybody of the tile in transit and ask who may claim it.

    Returns:
        What comes next if nobody has to be waited for, else None: then `settle` says it once the window has closed.
    """
    moved = table.transit
    assert moved is not None
    kind = "ADD_KONG" if moved.is_added else "DISCARD"
    spec = desk.mode.window(kind)
    payload: dict[str, object] = {"seatNo": moved.source, "tile": moved.tile}
    if not moved.is_added:
        payload |= {"discardIndex": table.discards, "wallRemaining": len(table.wall)}
        desk.publisher.publish_public("TILE_DISCARDED", round_id, at, payload)
    elif spec is not None:
        # without a window nobody can hinder the kong, and its declaration says it all
        desk.publisher.publish_public("ADD_KONG_ATTEMPTED", round_id, at, payload)
    trigger = Trigger(
        kind, moved.source, moved.tile, table.discards, at, len(table.wall)
    )
    roles = {"won": table.out}
    if desk.open(table, trigger, round_id, state_version, roles):
        return settle(table, desk, round_id, book)
    _unclaimed(table, desk, round_id, at, None)
    book(moved, None, at)
    if spec is not None:
        step = step_after(
            spec, PASS, (), moved.source, TURN_ORDER, len(table.wall), table.out
        )
    elif table.wall:
        step = NextStep("KONG_DRAW", moved.source)
    else:
        step = NextStep("END", None, "WALL_EMPTY")
    return told_end(desk, round_id, at, step)


def settle(
    table: Table, desk: Desk, round_id: str, book: Book = book_nothing
) -> NextStep | None:
    """Carry out what a window came to; None while it is open."""
    window, result = desk.window, desk.resolution
    if window is None or result is None:
        return None
    spec = desk.mode.windows[window.trigger]
    at = window.closed_at
    moved = table.transit
    assert at is not None and moved is not None
    result = next_step(window, result, spec, len(table.wall), table.out)
    if window.close_reason == "ABORTED":
        table.stop_transit()
    else:
        if result.has_winner:
            _claimed(table, desk, window, result, at)
        else:
            _unclaimed(table, desk, round_id, at, window.window_id)
        book(moved, result, at)
    desk.applied(table.is_ready)
    assert result.next_step is not None
    return told_end(desk, round_id, at, result.next_step)


def _claimed(
    table: Table,
    desk: Desk,
    window: ResponseActionWindow,
    result: Resolution,
    at: int,
) -> None:
    """The winners' claims: one event each, nearest first."""
    base: dict[str, object] = {
        "sourceSeatNo": window.source_seat_no,
        "tile": window.tile,
        "windowId": window.window_id,
    }
    publish = desk.publisher.publish_public
    if result.winning_action_type == "HU":
        moved, order = table.transit, len(table.out)
        kind = "ROB_KONG" if moved is not None and moved.is_added else "DISCARD"
        table.take_wins(result.winner_seat_nos)
        for seat in result.winner_seat_nos:
            order += 1
            win = {"seatNo": seat, **base, "winKind": kind, "huOrder": order}
            publish("HU_DECLARED", window.round_id, at, win)
        return
    seat = result.winner_seat_nos[0]
    candidate = window.candidate(seat)
    assert candidate is not None
    option = candidate.chosen
    assert option is not None
    if result.winning_action_type == "GANG":
        meld = table.take_gang(seat, option)
        kong = {"seatNo": seat, **base, "gangKind": "EXPOSED", "meld": meld_json(meld)}
        publish("GANG_DECLARED", window.round_id, at, kong)
    else:
        meld = table.take_peng(seat, option)
        pung = {"seatNo": seat, **base, "meld": meld_json(meld)}
        publish("PENG_DECLARED", window.round_id, at, pung)


def _unclaimed(
    table: Table, desk: Desk, round_id: str, at: int, window_id: str | None
) -> None:
    """Nobody took the tile: it lies in the river, or completes its owner's kong."""
    moved = table.transit
    assert moved is not None
    if not moved.is_added:
        table.leave_in_river()
        return
    meld = table.complete_added_kong()
    payload = {
        "seatNo": moved.source,
        "sourceSeatNo": moved.source,
        "tile": moved.tile,
        "gangKind": "ADDED",
        "meld": meld_json(meld),
        "windowId": window_id,
    }
    desk.publisher.publish_public("GANG_DECLARED", round_id, at, payload)


def told_end(desk: Desk, round_id: str, at: int, step: NextStep) -> NextStep:
    """The step itself; if it is the end, everybody has been told."""
    if step.kind == "END":
        desk.publisher.publish_public(
            "ROUND_ENDED", round_id, at, {"reason": step.reason}
        )
    return step


def meld_json(meld: Meld) -> dict[str, object]:
    """A meld as everybody sees it."""
    return {
        "kind": meld.kind,
        "tiles": list(meld.tiles),
        "fromSeat": meld.from_seat,
    }
