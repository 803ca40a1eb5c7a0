"""Windows with one thing changed. They are spelled out by place, since that takes a third of the time of `_replace` and
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
_WAKE_AT: Final = ResponseActionWindow._fields.index("wake_at")

Candidates: TypeAlias = tuple[ResponseActionSeatCandidate, ...]


def with_answer(
    candidates: Candidates,
    index: int,
    option: ResponseActionOption,
    at: int,
    reply_id: str | None,
    state: AnswerState,
    order: int,
) -> Candidates:
    """The candidates after one of them has answered.

    Args:
        index: which.
        order: how many answers there were before.
    """
    seat, options, distance, deadline, silence, _, _, connection = candidates[index]
    answer = _new(Answer, (option.option_id, option.action_type, at, reply_id, order))
    after = list(candidates)
    after[index] = _new(
        ResponseActionSeatCandidate,
        (seat, options, distance, deadline, silence, state, answer, connection),
    )
    return tuple(after)


def with_candidates(
    window: ResponseActionWindow, candidates: Candidates, answered: int, wake_at: int
) -> ResponseActionWindow:
    """The window after an input that leaves it open."""
    return _new(
        ResponseActionWindow,
        (
            *window[:_CANDIDATES],
            candidates,
            answered,
            wake_at,
            *window[_WAKE_AT + 1 :],
        ),
    )


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
    return _new(
        ResponseActionWindow,
        (
            *window[:_CANDIDATES],
            candidates,
            answered,
            window.wake_at,
            window.grace_until,
            "CLOSED",
            at,
            reason,
        ),
    )


def place_of(window: ResponseActionWindow, seat: Seat) -> int | None:
    """Where in the window's candidates the seat is; None if nothing was offered to it."""
    for index, candidate in enumerate(window.candidates):
        if candidate.seat_no == seat:
            return index
    return None
