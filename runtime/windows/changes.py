"""Windows with one thing changed. Their fields are set by place, since that takes a third of the time of `_replace` and
happens at every answer."""

from __future__ import annotations

from typing import Final, TypeAlias

from dealwright.runtime.windows.model import (
    Answer,
    AnswerState,
    CloseReason,
    ResponseActionOption,
    ResponseActionSeatCandidate,
    ResponseActionWindow,
    Seat,
)

_new: Final = tuple.__new__
_CANDIDATES: Final = ResponseActionWindow._fields.index("candidates")
_ANSWERED: Final = ResponseActionWindow._fields.index("answered")
_WAKE_AT: Final = ResponseActionWindow._fields.index("wake_at")
_STATUS: Final = ResponseActionWindow._fields.index("status")
_STATE: Final = ResponseActionSeatCandidate._fields.index("state")
_ANSWER: Final = ResponseActionSeatCandidate._fields.index("answer")

Candidates: TypeAlias = tuple[ResponseActionSeatCandidate, ...]


def with_answer(
    candidates: Candidates, index: int, state: AnswerState, answer: Answer
) -> Candidates:
    """The candidates after one of them has answered.

    Args:
        index: which.
        state: whether by its own word.
    """
    after = list(candidates)
    fields: list[object] = list(after[index])
    fields[_STATE], fields[_ANSWER] = state, answer
    after[index] = _new(ResponseActionSeatCandidate, fields)
    return tuple(after)


def timed_out(
    candidates: Candidates,
    index: int,
    option: ResponseActionOption,
    at: int,
    order: int,
) -> Candidates:
    """The candidates after the clock, or the spec's offline policy, has answered for one of them.

    Args:
        index: for which.
        option: what its silence means.
        order: how many answers there were before.
    """
    answer = Answer(option.option_id, option.action_type, at, None, order)
    return with_answer(candidates, index, "TIMED_OUT", answer)


def with_candidates(
    window: ResponseActionWindow, candidates: Candidates, answered: int, wake_at: int
) -> ResponseActionWindow:
    """The window after an input that leaves it open."""
    fields: list[object] = list(window)
    fields[_CANDIDATES], fields[_ANSWERED] = candidates, answered
    fields[_WAKE_AT] = wake_at
    return _new(ResponseActionWindow, fields)


def closed(
    window: ResponseActionWindow,
    candidates: Candidates,
    answered: int,
    at: int,
    reason: CloseReason,
) -> ResponseActionWindow:
    """The window after the input that closes it; seats that have not answered are superseded."""
    if reason in ("DECIDED", "ABORTED"):
        candidates = tuple(
            [
                (
                    candidate._replace(state="SUPERSEDED")
                    if candidate.answer is None
                    else candidate
                )
                for candidate in candidates
            ]
        )
    fields: list[object] = list(window)
    fields[_CANDIDATES], fields[_ANSWERED] = candidates, answered
    fields[_STATUS:] = ("CLOSED", at, reason)
    return _new(ResponseActionWindow, fields)


def place_of(window: ResponseActionWindow, seat: Seat) -> int | None:
    """Where in the window's candidates the seat is; None if nothing was offered to it."""
    for index, candidate in enumerate(window.candidates):
        if candidate.seat_no == seat:
            return index
    return None
