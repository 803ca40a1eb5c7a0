"""An audit log, played again: the inputs that it holds must give the outputs that it holds.

Live and replayed windows go through one and the same code, so that a log can be checked, and a dispute settled, years
later. Only the mode is needed, no hand and no clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dealwright.runtime.checks import a_mapping, an_int
from dealwright.runtime.errors import MatchError
from dealwright.runtime.windows.builder import Shape, Trigger
from dealwright.runtime.windows.desk import ResponseDesk
from dealwright.runtime.windows.messages import Message
from dealwright.runtime.windows.model import PASS, Seat
from dealwright.runtime.windows.modes import RuleMode
from dealwright.runtime.windows.publisher import GameMessagePublisher
from dealwright.runtime.windows.wire import Json
from dealwright.runtime.windows.wire_read import read_reply, read_window


def outputs_of(records: Iterable[Mapping[str, object]]) -> list[Json]:
    """The outputs that a log holds, without their places in it."""
    return [
        {name: value for name, value in record.items() if name != "seq"}
        for record in records
        if record.get("kind") == "OUTPUT"
    ]


def replayed(
    records: Iterable[Mapping[str, object]],
    mode: RuleMode,
    table_id: str,
    turn_order: tuple[Seat, ...],
) -> list[Json]:
    """What the inputs of a log give now, in the form of `outputs_of`.

    Args:
        records: the log from a table's first window on; what is no input is passed over.

    Raises:
        MatchError: "bad_state": an input cannot be read, or something is missing before it.
    """
    log: list[Json] = []

    def nowhere(recipient: Seat | None, message: Message) -> None:
        """Nobody listens to a replay."""

    def nothing(position: None, seat: Seat, trigger: Trigger) -> Iterable[Shape]:
        return ()

    offers = {
        trigger: {each.name: nothing for each in spec.actions if each.name != PASS}
        for trigger, spec in mode.windows.items()
    }
    publisher = GameMessagePublisher(table_id, turn_order, nowhere, log.append)
    desk = ResponseDesk[None](mode, offers, publisher, turn_order)
    for record in records:
        try:
            _feed(desk, a_mapping(record, "a record"))
        except (
            ValueError
        ) as error:  # an input that cannot be read, or at no time when there could be one
            raise MatchError("bad_state", f"the log does not fit: {error}") from None
    return outputs_of(log)


def _feed(desk: ResponseDesk[None], record: Mapping[object, object]) -> None:
    """One input."""
    now = an_int(record.get("at"), "at")
    match record.get("kind"):
        case "OPEN":
            desk.begin(read_window(record.get("window")))
        case "REPLY":
            given = a_mapping(record.get("reply"), "reply")
            seat = an_int(given.get("seatNo"), "seatNo")
            desk.reply(read_reply(given, seat), now)
        case "TIME":
            named = record.get("windowId")
            desk.time(now, named if isinstance(named, str) else None)
        case "TURN_ACTION":
            name = record.get("replyId")
            seat = an_int(record.get("seat"), "seat")
            desk.turn_action(seat, now, name if isinstance(name, str) else None)
        case "DISCONNECT":
            desk.disconnect(an_int(record.get("seat"), "seat"), now)
        case "RECONNECT":
            desk.reconnect(an_int(record.get("seat"), "seat"), now)
        case "ABORT":
            desk.abort(now)
        case "APPLIED":
            desk.applied(lambda seat: False)
        case _:
            pass
