"""Windows and replies from JSON. Nothing is trusted: what is damaged or forged is refused with a sentence that names the
field, as `runtime.state` does for matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar, cast

from dealwright.runtime.checks import Misfit, a_list, a_mapping, an_int, is_text
from dealwright.runtime.errors import MatchError, shown
from dealwright.runtime.windows.model import (
    Answer,
    AnswerState,
    CloseReason,
    Connection,
    ResponseActionOption,
    ResponseActionSeatCandidate,
    ResponseActionWindow,
    ResponseReply,
    Seat,
    Status,
    Tile,
)

STATES: Final = ("OPEN", "ANSWERED", "TIMED_OUT", "SUPERSEDED")
CONNECTIONS: Final = ("ONLINE", "OFFLINE", "BOT")
STATUSES: Final = ("OPEN", "CLOSED", "APPLIED")
REASONS: Final = ("ALL_ANSWERED", "DECIDED", "TIMEOUT", "ABORTED")

OPTION_FIELDS: Final = frozenset(
    {"actionType", "optionId", "tile", "consumes", "priority"}
)
ANSWER_FIELDS: Final = frozenset(
    {"optionId", "actionType", "receivedAt", "replyId", "order"}
)
CANDIDATE_FIELDS: Final = frozenset(
    {
        "seatNo",
        "options",
        "seatDistance",
        "deadlineAt",
        "silence",
        "state",
        "answer",
        "connection",
    }
)
WINDOW_FIELDS: Final = frozenset(
    {
        "windowId",
        "tableId",
        "roundId",
        "trigger",
        "sourceSeatNo",
        "tile",
        "discardIndex",
        "openedAt",
        "deadlineAt",
        "candidates",
        "status",
        "stateVersion",
        "ruleMode",
        "turnOrder",
        "audience",
        "wakeAt",
        "graceUntil",
        "answered",
        "closedAt",
        "closeReason",
    }
)


def read_window(value: object) -> ResponseActionWindow:
    """The window that `window_json` wrote.

    Raises:
        MatchError: "bad_state", saying which field does not fit and why.
    """
    try:
        return _window(value)
    except Misfit as error:
        raise MatchError("bad_state", f"the window does not fit: {error}") from None


def read_reply(body: object, seat: Seat) -> ResponseReply:
    """A client's reply. `seat` is the session's; a `seatNo` in the body is not even looked at.

    Raises:
        MatchError: "bad_state": the body is no reply; nothing has happened.
    """
    try:
        fields = a_mapping(body, "the reply")
        option = fields.get("optionId")
        return ResponseReply(
            _text(fields.get("replyId"), "replyId"),
            _text(fields.get("windowId"), "windowId"),
            seat,
            _text(fields.get("actionType"), "actionType"),
            None if option is None else _text(option, "optionId"),
        )
    except Misfit as error:
        raise MatchError("bad_state", f"this is no reply: {error}") from None


def _window(value: object) -> ResponseActionWindow:
    fields = _exactly(value, WINDOW_FIELDS, "the window")
    order = tuple(an_int(seat, "turnOrder") for seat in _list(fields, "turnOrder"))
    if len(set(order)) != len(order):
        raise Misfit("turnOrder names a seat twice")
    closed_at = fields["closedAt"]
    window = ResponseActionWindow(
        window_id=_text(fields["windowId"], "windowId"),
        table_id=_text(fields["tableId"], "tableId"),
        round_id=_text(fields["roundId"], "roundId"),
        trigger=_text(fields["trigger"], "trigger"),
        source_seat_no=an_int(fields["sourceSeatNo"], "sourceSeatNo"),
        tile=read_tile(fields["tile"], "tile"),
        discard_index=an_int(fields["discardIndex"], "discardIndex"),
        opened_at=an_int(fields["openedAt"], "openedAt"),
        deadline_at=an_int(fields["deadlineAt"], "deadlineAt"),
        candidates=tuple(_candidate(item) for item in _list(fields, "candidates")),
        status=cast(Status, _word(fields["status"], STATUSES, "status")),
        state_version=an_int(fields["stateVersion"], "stateVersion"),
        rule_mode=_text(fields["ruleMode"], "ruleMode"),
        turn_order=order,
        audience=tuple(an_int(seat, "audience") for seat in _list(fields, "audience")),
        wake_at=an_int(fields["wakeAt"], "wakeAt"),
        grace_until=an_int(fields["graceUntil"], "graceUntil"),
        answered=an_int(fields["answered"], "answered"),
        closed_at=None if closed_at is None else an_int(closed_at, "closedAt"),
        close_reason=cast(
            "CloseReason | None",
            (
                None
                if fields["closeReason"] is None
                else _word(fields["closeReason"], REASONS, "closeReason")
            ),
        ),
    )
    _check_whole(window)
    return window


def _check_whole(window: ResponseActionWindow) -> None:
    """What no single field can show: seats that exist, in order, and a status that fits the rest."""
    order = window.turn_order
    if window.source_seat_no not in order:
        raise Misfit("sourceSeatNo is not in turnOrder")
    if not set(window.audience) <= set(order):
        raise Misfit("audience names a seat that is not in turnOrder")
    start = order.index(window.source_seat_no)
    last = 0
    for candidate in window.candidates:
        seat, distance = candidate.seat_no, candidate.seat_distance
        if seat not in window.audience:
            raise Misfit(f"the candidate {shown(seat)} is not in the audience")
        if (order.index(seat) - start) % len(order) != distance or distance <= last:
            raise Misfit(f"the candidate {seat} is not where its distance says")
        if candidate.deadline_at > window.deadline_at:
            raise Misfit(f"the candidate {seat} could answer after the deadline")
        last = distance
    is_open = window.status == "OPEN"
    if is_open != (window.closed_at is None) or is_open != (
        window.close_reason is None
    ):
        raise Misfit("status, closedAt and closeReason do not fit each other")
    if not is_open and any(item.state == "OPEN" for item in window.candidates):
        raise Misfit("the window is closed, and a candidate is still open")
    _check_answers(window)
    if window.wake_at > window.deadline_at:
        raise Misfit("wakeAt is later than deadlineAt")


def _check_answers(window: ResponseActionWindow) -> None:
    """Answers have different places, all of them below the number of answers taken."""
    orders = [item.answer.order for item in window.candidates if item.answer]
    if len(set(orders)) < len(orders) or not all(
        0 <= order < window.answered for order in orders
    ):
        raise Misfit("answered and the order of the answers do not fit each other")


def _candidate(value: object) -> ResponseActionSeatCandidate:
    fields = _exactly(value, CANDIDATE_FIELDS, "a candidate")
    options = tuple(_option(item) for item in _list(fields, "options"))
    ids = [option.option_id for option in options]
    if not ids or len(set(ids)) != len(ids):
        raise Misfit("a candidate has no options, or two with the same optionId")
    silence = _text(fields["silence"], "silence")
    answer = None if fields["answer"] is None else _answer(fields["answer"])
    state = cast(AnswerState, _word(fields["state"], STATES, "state"))
    if silence not in ids:
        raise Misfit("silence names no option of the candidate")
    if (answer is None) != (state in ("OPEN", "SUPERSEDED")):
        raise Misfit("state and answer of a candidate do not fit each other")
    if answer is not None and not any(
        (option.option_id, option.action_type) == answer[:2] for option in options
    ):
        raise Misfit("an answer names no option of its candidate")
    return ResponseActionSeatCandidate(
        seat_no=an_int(fields["seatNo"], "seatNo"),
        options=options,
        seat_distance=an_int(fields["seatDistance"], "seatDistance"),
        deadline_at=an_int(fields["deadlineAt"], "deadlineAt"),
        silence=silence,
        state=state,
        answer=answer,
        connection=cast(
            Connection, _word(fields["connection"], CONNECTIONS, "connection")
        ),
    )


def _option(value: object) -> ResponseActionOption:
    given = a_mapping(value, "an option")
    fields = _exactly(
        {key: item for key, item in given.items() if key != "hint"},
        OPTION_FIELDS,
        "an option",
    )
    hint = given.get("hint")
    return ResponseActionOption(
        _text(fields["actionType"], "actionType"),
        _text(fields["optionId"], "optionId"),
        read_tile(fields["tile"], "tile"),
        tuple(read_tile(tile, "consumes") for tile in _list(fields, "consumes")),
        an_int(fields["priority"], "priority"),
        (
            None
            if hint is None
            else {
                _text(key, "hint"): item
                for key, item in a_mapping(hint, "hint").items()
            }
        ),
    )


def _answer(value: object) -> Answer:
    fields = _exactly(value, ANSWER_FIELDS, "an answer")
    reply_id = fields["replyId"]
    return Answer(
        _text(fields["optionId"], "optionId"),
        _text(fields["actionType"], "actionType"),
        an_int(fields["receivedAt"], "receivedAt"),
        None if reply_id is None else _text(reply_id, "replyId"),
        an_int(fields["order"], "order"),
    )


def read_tile(value: object, where: str) -> Tile:
    """A tile: a text or an integer.

    Raises:
        Misfit: it is neither.
    """
    return value if isinstance(value, str) else an_int(value, where)


def _exactly(value: object, names: frozenset[str], where: str) -> Mapping[str, object]:
    fields = a_mapping(value, where)
    if fields.keys() != names:
        odd = sorted(map(shown, fields.keys() ^ names))
        raise Misfit(f"{where}: the field {odd[0]} is missing or unknown")
    return cast("Mapping[str, object]", fields)


def _list(fields: Mapping[str, object], name: str) -> list[object]:
    return a_list(fields[name], name)


def _text(value: object, where: str) -> str:
    if not is_text(value):
        # half a surrogate pair could not be sent back to anybody
        raise Misfit(f"{where} must be a text, not {shown(value)}")
    return value


_WordT = TypeVar("_WordT", bound=str)


def _word(value: object, words: tuple[_WordT, ...], where: str) -> _WordT:
    for word in words:
        if value == word:
            return word
    raise Misfit(f"{where} must be one of {', '.join(words)}, not {shown(value)}")
