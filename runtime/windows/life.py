"""The life of a window: pure steps from a window and an input to the window after it and what is to be told.

    on_reply(window, reply, now, spec)  →  (window, (ACK, CLOSED))

Inputs are replies, time, connections coming and going, and the end of the table. Time is whatever integer the caller
gives; a step that is due is taken at its own time even if the caller comes late, so that a clock that jumps, a timer that
fires twice and a server that was down make no difference. A reply that is refused changes nothing.
"""

from __future__ import annotations

from typing import Final

from dealwright.runtime.windows.candidates import passing_of, silent_option
from dealwright.runtime.windows.changes import (
    closed,
    place_of,
    timed_out,
    with_answer,
)
from dealwright.runtime.windows.closing import aborted, settled
from dealwright.runtime.windows.model import (
    PASS,
    Answer,
    Change,
    Connection,
    Output,
    RejectCode,
    ResponseActionOption,
    ResponseActionSeatCandidate,
    ResponseActionWindow,
    ResponseReply,
    Seat,
)
from dealwright.runtime.windows.spec import WindowSpec

_new: Final = tuple.__new__


def opening(window: ResponseActionWindow, spec: WindowSpec) -> Change:
    """Announce a window that was just built, offer to each candidate, and close it where nothing is left to ask."""
    at, candidates, answered = window.opened_at, window.candidates, window.answered
    told = [_new(Output, ("OPENED", at, None, None, None, None))]
    for candidate in candidates:
        fields = ("OFFER", at, candidate.seat_no, None, None, None)
        told.append(_new(Output, fields))
        if answered and candidate.state == "ANSWERED":
            told.append(Output("ACK", at, candidate.seat_no))
        elif candidate.connection == "BOT" and candidate.state == "OPEN":
            told.append(Output("ASK_BOT", at, candidate.seat_no))
    if spec.is_prompt and candidates and not answered:
        return window, tuple(told)  # nothing is answered, so nothing is decided
    return settled(window, candidates, answered, at, spec, tuple(told))


def on_reply(
    window: ResponseActionWindow, reply: ResponseReply, now: int, spec: WindowSpec
) -> Change:
    """Take or refuse a reply; which window it names is checked by `desk`, which knows the earlier ones.

    A reply at the deadline or after it finds the window closed: the deadline's step is taken first.
    """
    if window.status != "OPEN" or now >= window.wake_at:
        return _after_due(window, reply, now, spec)
    seat, candidates = reply.seat_no, window.candidates
    index = 0
    for candidate in candidates:
        if candidate.seat_no == seat:
            break
        index += 1
    else:
        return window, (refusal(reply, now, "NOT_A_CANDIDATE"),)
    option = _named(candidate, reply)
    if option is None:
        return window, (refusal(reply, now, _unnamed(candidate, reply)),)
    if candidate.answer is not None:
        again = _again(window, candidate, option, reply, now, spec)
        if again is not None:
            return window, (again,)
    action, reply_id, count = option.action_type, reply.reply_id, window.answered
    answer = _new(Answer, (option.option_id, action, now, reply_id, count))
    candidates = with_answer(candidates, index, "ANSWERED", answer)
    told: tuple[Output, ...] = (_new(Output, ("ACK", now, seat, reply_id, None, None)),)
    if spec.amend != "never" and action != PASS:
        # a claim that others may outdo is announced, and gives them time
        if spec.amend == "upward_on_new_claim":
            told += (Output("CLAIM", now, seat, None, action),)
        window = window._replace(grace_until=now + spec.amend_grace_ms)
    return settled(window, candidates, count + 1, now, spec, told)


def _after_due(
    window: ResponseActionWindow, reply: ResponseReply, now: int, spec: WindowSpec
) -> Change:
    """`on_reply`, where time has something to do first, or where it is too late."""
    if window.status != "OPEN":
        return window, (refusal(reply, now, "WINDOW_CLOSED"),)
    window, due = on_deadline(window, now, spec)
    window, outputs = on_reply(window, reply, now, spec)
    return window, (*due, *outputs)


def on_deadline(
    window: ResponseActionWindow,
    now: int,
    spec: WindowSpec,
    window_id: str | None = None,
) -> Change:
    """Take all steps that are due at `now`; a timer that is early, or of another window, does nothing.

    Args:
        window_id: the window that the timer was set for, if the timer says so.
    """
    outputs: list[Output] = []
    if window_id is not None and window_id != window.window_id:
        return window, ()
    while window.status == "OPEN" and window.wake_at <= now:
        at, candidates, count = window.wake_at, window.candidates, window.answered
        for index, candidate in enumerate(candidates):
            if candidate.answer is None and candidate.deadline_at <= at:
                silent = silent_option(candidate)
                candidates = timed_out(candidates, index, silent, at, count)
                count += 1
        window, more = settled(window, candidates, count, at, spec, ())
        outputs.extend(more)
    return window, tuple(outputs)


def on_abort(window: ResponseActionWindow, now: int) -> Change:
    """The table is dissolved: the window closes, nobody wins, and nothing goes on."""
    if window.status != "OPEN":
        return window, ()
    after = closed(window, window.candidates, window.answered, now, "ABORTED")
    return after, (Output("CLOSED", now, None, None, "ABORTED", aborted(after)),)


def on_disconnect(
    window: ResponseActionWindow, seat: Seat, now: int, spec: WindowSpec
) -> Change:
    """A seat is gone. By the spec's policy its offer stays, or it passes at once, or a bot answers for it."""
    window, due = on_deadline(window, now, spec)
    index = place_of(window, seat)
    if index is None or window.status != "OPEN":
        return window, due
    outputs = list(due)
    candidate = window.candidates[index]
    connection: Connection = "BOT" if spec.offline == "bot" else "OFFLINE"
    window = _connected(window, index, connection)
    if candidate.answer is None and spec.offline == "bot":
        outputs.append(Output("ASK_BOT", now, seat))
    if candidate.answer is None and spec.offline == "pass_now":
        passing, count = passing_of(candidate), window.answered
        after = timed_out(window.candidates, index, passing, now, count)
        return settled(window, after, count + 1, now, spec, tuple(outputs))
    return window, tuple(outputs)


def on_reconnect(
    window: ResponseActionWindow, seat: Seat, now: int, spec: WindowSpec
) -> Change:
    """A seat is back. If it may still answer, it gets its offer again, with the time that is left."""
    window, due = on_deadline(window, now, spec)
    index = place_of(window, seat)
    if index is None or window.status != "OPEN":
        return window, due
    window = _connected(window, index, "ONLINE")
    if window.candidates[index].answer is not None:
        return window, due
    return window, (*due, Output("OFFER_RESENT", now, seat))


def applied(window: ResponseActionWindow) -> ResponseActionWindow:
    """The window after the game has carried its result out.

    Raises:
        ValueError: it is still open, or its result was carried out before.
    """
    if window.status != "CLOSED":
        raise ValueError(f"a window that is {window.status} cannot be applied")
    return window._replace(status="APPLIED")


def refusal(reply: ResponseReply, now: int, code: RejectCode) -> Output:
    """A REJECT to the seat that sent `reply`."""
    return Output("REJECT", now, reply.seat_no, reply.reply_id, code)


def _connected(
    window: ResponseActionWindow, index: int, connection: Connection
) -> ResponseActionWindow:
    candidates = list(window.candidates)
    candidates[index] = candidates[index]._replace(connection=connection)
    return window._replace(candidates=tuple(candidates))


# --- answers


def _named(
    candidate: ResponseActionSeatCandidate, reply: ResponseReply
) -> ResponseActionOption | None:
    """The option that a reply means: exactly the one it names, or the only one of its action."""
    action, option_id = reply.action_type, reply.option_id
    found: ResponseActionOption | None = None
    for option in candidate.options:
        if option.action_type == action:
            if option_id is None:
                if found is not None:
                    return None
                found = option
            elif option.option_id == option_id:
                return option
    return found


def _unnamed(
    candidate: ResponseActionSeatCandidate, reply: ResponseReply
) -> RejectCode:
    """Why a reply that means no option is refused: its action has none, not that one, or several of which it names none.

    A seat that has answered has had its say, whatever it asks for.
    """
    if candidate.answer is not None:
        return _final(candidate.answer)
    if reply.option_id is None and any(
        option.action_type == reply.action_type for option in candidate.options
    ):
        return "OPTION_NOT_NAMED"
    return "ACTION_NOT_OFFERED"


def _again(
    window: ResponseActionWindow,
    candidate: ResponseActionSeatCandidate,
    option: ResponseActionOption,
    reply: ResponseReply,
    now: int,
    spec: WindowSpec,
) -> Output | None:
    """What is said to a second reply of one seat: the same again is confirmed again, another one counts only where it may.

    None: it counts.
    """
    before = candidate.answer
    assert before is not None
    if option.option_id == before.option_id:
        return Output("ACK", now, reply.seat_no, reply.reply_id)
    if before.action_type != PASS and _may_amend(
        window, candidate, before, option, now, spec
    ):
        return None
    return refusal(reply, now, _final(before))


def _final(before: Answer) -> RejectCode:
    """Why an answer stands against the seat's next one."""
    return "PASS_IS_FINAL" if before.action_type == PASS else "ALREADY_ANSWERED"


def _may_amend(
    window: ResponseActionWindow,
    candidate: ResponseActionSeatCandidate,
    before: Answer,
    option: ResponseActionOption,
    now: int,
    spec: WindowSpec,
) -> bool:
    if spec.amend == "never" or candidate.state != "ANSWERED":
        return False
    if spec.amend == "until_close":
        return True
    if spec.amend_grace_ms and now >= window.grace_until:
        return False
    return before.action_type in spec.beats[option.action_type] and any(
        other.answer is not None
        and other.answer.action_type != PASS
        and other.answer.order > before.order
        for other in window.candidates
    )
