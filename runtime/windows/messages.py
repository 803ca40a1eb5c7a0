"""What goes over the wire: public events, and private messages to one seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, TypeAlias

from dealwright.runtime.windows.model import ResponseActionOption, Seat, Tile
from dealwright.runtime.windows.wire import Json, option_json

Scope: TypeAlias = Literal["TURN", "RESPONSE"]


class GameEvent(NamedTuple):
    """A public event, as it stands in one stream.

    Attributes:
        event_id: the same in all streams.
        seq: its place in this stream, from 1.
        table_id: the table.
        round_id: the round.
        type: what happened, such as "TILE_DISCARDED".
        at: when, in milliseconds of the server's clock.
        payload: JSON that everybody may see.
    """

    event_id: str
    seq: int
    table_id: str
    round_id: str
    type: str
    at: int
    payload: Mapping[str, object]

    def to_json(self) -> Json:
        """The event as it is sent."""
        return {
            "eventId": self.event_id,
            "seq": self.seq,
            "tableId": self.table_id,
            "roundId": self.round_id,
            "type": self.type,
            "at": self.at,
            "payload": dict(self.payload),
        }


class PrivateActionMessage(NamedTuple):
    """A message to one seat.

    Attributes:
        message_id: its name; tells nothing about other seats' messages.
        seq: its place in the seat's stream, from 1.
        recipient_seat_no: the seat.
        scope: its own turn, or a card of somebody else.
        kind: OFFER, OFFER_RESENT, ACK, REJECT or WITHDRAWN.
        window_id: the window; None for a turn.
        source_seat_no: whose card it is; None for a turn, and where the window is not the seat's business.
        source_tile: the card.
        options: of an offer, else empty.
        deadline_at: until when the seat may answer.
        remaining_ms: how long that is from now.
        reject_code: of a REJECT.
        reply_id: the reply that is answered.
        state_version: the table's version.
    """

    message_id: str
    seq: int
    recipient_seat_no: Seat
    scope: Scope
    kind: str
    window_id: str | None
    source_seat_no: Seat | None
    source_tile: Tile | None
    options: tuple[ResponseActionOption, ...]
    deadline_at: int | None
    remaining_ms: int | None
    reject_code: str | None
    reply_id: str | None
    state_version: int | None

    def to_json(self) -> Json:
        """The message as it is sent."""
        return {
            "messageId": self.message_id,
            "seq": self.seq,
            "recipientSeatNo": self.recipient_seat_no,
            "scope": self.scope,
            "kind": self.kind,
            "windowId": self.window_id,
            "sourceSeatNo": self.source_seat_no,
            "sourceTile": self.source_tile,
            "options": [option_json(option) for option in self.options],
            "deadlineAt": self.deadline_at,
            "remainingMs": self.remaining_ms,
            "rejectCode": self.reject_code,
            "replyId": self.reply_id,
            "stateVersion": self.state_version,
        }


Message: TypeAlias = GameEvent | PrivateActionMessage
Send: TypeAlias = Callable[[Seat | None, Message], None]
"""Delivers a message to a seat, or to those who only watch (None)."""
