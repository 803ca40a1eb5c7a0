"""What is told to whom: public events for everybody, offers and answers to one seat alone, all of it for the audit.

Each seat has a stream of its own, public events and its private messages in one order, numbered without a gap. A number
that all streams shared would tell by its gaps how many others were asked, so only the audit has one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, final

from dealwright.runtime.checks import Misfit, a_list, a_mapping, an_int
from dealwright.runtime.errors import MatchError
from dealwright.runtime.windows.messages import (
    GameEvent,
    PrivateActionMessage,
    Scope,
    Send,
)
from dealwright.runtime.windows.model import (
    Output,
    ResponseActionOption,
    ResponseActionWindow,
    Seat,
)
from dealwright.runtime.windows.spec import WindowSpec
from dealwright.runtime.windows.wire import Json, resolution_json, window_json

_new: Final = tuple.__new__


def to_nobody(record: Json) -> None:
    """An audit that keeps nothing."""


@final
class GameMessagePublisher:
    """Numbers and delivers the messages of one table.

    Args:
        table_id: the table.
        seats: all seats, won or not: everybody follows the table.
        send: delivers.
        audit: takes one JSON record for everything that happens; it holds hands' secrets and belongs in a log.
    """

    __slots__ = (
        "_audit",
        "_events",
        "_is_kept",
        "_private",
        "_records",
        "_send",
        "_streams",
        "seats",
        "table_id",
    )

    def __init__(
        self,
        table_id: str,
        seats: Sequence[Seat],
        send: Send,
        audit: Callable[[Json], None] = to_nobody,
    ) -> None:
        self.table_id = table_id
        self.seats = tuple(seats)
        self._send = send
        self._audit = audit
        self._is_kept = audit is not to_nobody
        self._events = 0
        self._records = 0
        self._streams: dict[Seat | None, int] = dict.fromkeys((*self.seats, None), 0)
        self._private: dict[Seat, int] = dict.fromkeys(self.seats, 0)

    def publish_public(
        self, type: str, round_id: str, at: int, payload: Mapping[str, object]
    ) -> None:
        """Tell everybody. Nothing that a seat may not know belongs in `payload`."""
        self._events += 1
        table_id, streams, send = self.table_id, self._streams, self._send
        event_id = f"{table_id}:e{self._events}"
        for recipient, last in streams.items():
            streams[recipient] = seq = last + 1
            event = (event_id, seq, table_id, round_id, type, at, payload)
            send(recipient, _new(GameEvent, event))
        self.record("EVENT", at, lambda: {"type": type, "payload": dict(payload)})

    def publish_turn_actions(
        self,
        seat: Seat,
        options: tuple[ResponseActionOption, ...],
        at: int,
        deadline_at: int | None = None,
        state_version: int | None = None,
    ) -> None:
        """Tell a seat alone what it may do in its turn."""
        self._private_message(
            seat, "TURN", "OFFER", at, None, options, deadline_at, state_version
        )

    def publish_response_actions(self, window: ResponseActionWindow) -> None:
        """Tell each candidate its own offer, and nobody else anything."""
        for candidate in window.candidates:
            self._offer(window, candidate.seat_no, "OFFER", window.opened_at)

    def publish(
        self,
        window: ResponseActionWindow | None,
        outputs: Sequence[Output],
        spec: WindowSpec | None,
    ) -> None:
        """Deliver what an input of `life` gave, in its order.

        Args:
            window: the window after the input; None where a reply was refused without one.
            spec: the window's.
        """
        for output in outputs:
            kind, seat = output.kind, output.seat_no
            if self._is_kept:
                written = partial(_output_json, window, output)
                self.record("OUTPUT", output.at, written)
            else:
                self._records += 1
            if kind == "ACK" and output.reply_id is None:
                continue  # the rules answered for the seat; it has its offer, and nothing to be confirmed
            if kind in ("OFFER", "OFFER_RESENT"):
                assert window is not None and seat is not None
                self._offer(window, seat, kind, output.at)
            elif kind in ("ACK", "REJECT", "WITHDRAWN"):
                assert seat is not None
                self._short(window, seat, output)
            elif kind != "ASK_BOT":
                assert window is not None and spec is not None
                self._public(window, output, spec)

    def record(self, kind: str, at: int, fields: Callable[[], Json]) -> None:
        """One more record of the audit. Where nobody keeps it, it is counted, and `fields` is not asked for."""
        self._records += 1
        if self._is_kept:
            self._audit({"seq": self._records, "kind": kind, "at": at, **fields()})

    def to_json(self) -> Json:
        """The counters, for the game's state."""
        return {
            "events": self._events,
            "records": self._records,
            "watchers": self._streams[None],
            "streams": [self._streams[seat] for seat in self.seats],
            "private": [self._private[seat] for seat in self.seats],
        }

    def restore(self, value: object) -> None:
        """Go on counting where `to_json` was.

        Raises:
            MatchError: "bad_state": it is not what `to_json` gave.
        """
        try:
            fields = a_mapping(value, "the publisher")
            events, records, watchers = (
                _counter(fields.get(name), name)
                for name in ("events", "records", "watchers")
            )
            streams, private = (
                [_counter(number, name) for number in a_list(fields.get(name), name)]
                for name in ("streams", "private")
            )
            if not len(streams) == len(private) == len(self.seats):
                raise Misfit("streams and private must have a number for each seat")
        except Misfit as error:
            raise MatchError("bad_state", f"the state does not fit: {error}") from None
        self._events, self._records = events, records
        by_seat = zip(self.seats, streams, strict=True)
        self._streams = {**dict(by_seat), None: watchers}
        self._private = dict(zip(self.seats, private, strict=True))

    def _public(
        self, window: ResponseActionWindow, output: Output, spec: WindowSpec
    ) -> None:
        payload: Json = {
            "windowId": window.window_id,
            "sourceSeatNo": window.source_seat_no,
            "tile": window.tile,
        }
        if output.kind == "OPENED":
            payload["deadlineAt"] = window.deadline_at
            type = "RESPONSE_WINDOW_OPENED"
        elif output.kind == "CLAIM":
            payload |= {"seatNo": output.seat_no, "actionType": output.detail}
            type = "CLAIM_ANNOUNCED"
        else:
            del payload["tile"]
            assert output.resolution is not None
            payload["resolvedActionType"] = output.resolution.winning_action_type
            if spec.conceal.close_reason == "public":
                payload["reason"] = output.detail
            type = "RESPONSE_WINDOW_CLOSED"
        self.publish_public(type, window.round_id, output.at, payload)
        if output.resolution is not None and spec.public_pass:
            for seat in output.resolution.passed_seat_nos:
                passed = {"windowId": window.window_id, "seatNo": seat}
                self.publish_public("PASS_DECLARED", window.round_id, output.at, passed)

    def _offer(
        self, window: ResponseActionWindow, seat: Seat, kind: str, at: int
    ) -> None:
        candidate = window.candidate(seat)
        assert candidate is not None
        self._private_message(
            seat,
            "RESPONSE",
            kind,
            at,
            window,
            candidate.options,
            candidate.deadline_at,
            window.state_version,
        )

    def _short(
        self, window: ResponseActionWindow | None, seat: Seat, output: Output
    ) -> None:
        """A message without options. A seat that was asked nothing is told nothing of the window either."""
        is_asked = window is not None and window.candidate(seat) is not None
        self._private_message(
            seat,
            "RESPONSE",
            output.kind,
            output.at,
            window if is_asked else None,
            (),
            None,
            None,
            output.detail,
            output.reply_id,
        )

    def _private_message(
        self,
        seat: Seat,
        scope: Scope,
        kind: str,
        at: int,
        window: ResponseActionWindow | None,
        options: tuple[ResponseActionOption, ...],
        deadline_at: int | None,
        state_version: int | None,
        code: str | None = None,
        reply_id: str | None = None,
    ) -> None:
        self._private[seat] = number = self._private[seat] + 1
        self._streams[seat] = seq = self._streams[seat] + 1
        window_id = source = tile = None
        if window is not None:
            window_id, tile = window.window_id, window.tile
            source = window.source_seat_no
        fields = (
            f"{self.table_id}:s{seat}:m{number}",
            seq,
            seat,
            scope,
            kind,
            window_id,
            source,
            tile,
            options,
            deadline_at,
            None if deadline_at is None else max(0, deadline_at - at),
            code,
            reply_id,
            state_version,
        )
        self._send(seat, _new(PrivateActionMessage, fields))
        self.record(
            "MESSAGE", at, lambda: {"seat": seat, "message": kind, "code": code}
        )


def _output_json(window: ResponseActionWindow | None, output: Output) -> Json:
    """An output for the audit: with the whole window where it opens and closes."""
    fields: Json = {
        "output": output.kind,
        "seat": output.seat_no,
        "replyId": output.reply_id,
        "detail": output.detail,
    }
    if window is not None and output.kind in ("OPENED", "CLOSED"):
        fields["window"] = window_json(window)
    if output.resolution is not None:
        fields["resolution"] = resolution_json(output.resolution)
    return fields


def _counter(value: object, where: str) -> int:
    number = an_int(value, where)
    if number < 0:
        raise Misfit(f"{where} must not be negative")
    return number
