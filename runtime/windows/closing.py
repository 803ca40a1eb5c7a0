"""When a window closes, and what it has come to."""

from __future__ import annotations

from typing import Final

from dealwright.runtime.windows.arbiter import resolved, settled_by
from dealwright.runtime.windows.changes import Candidates, closed, with_candidates
from dealwright.runtime.windows.model import (
    PASS,
    Change,
    CloseReason,
    NextStep,
    Output,
    Resolution,
    ResponseActionWindow,
)
from dealwright.runtime.windows.spec import WindowSpec

_new: Final = tuple.__new__


def resolution_of(window: ResponseActionWindow, spec: WindowSpec) -> Resolution:
    """What a window has come to, or would come to if it closed now."""
    if window.close_reason == "ABORTED":
        return aborted(window)
    return resolved(window.candidates, spec)


def settled(
    window: ResponseActionWindow,
    candidates: Candidates,
    answered: int,
    at: int,
    spec: WindowSpec,
    told: tuple[Output, ...],
) -> Change:
    """After an input at `at`: close the window if it is time to, else say when to look again.

    Args:
        window: as it was before the input.
        candidates: as they are after it.
        answered: how many answers there are now.
        told: what the input has to tell so far.
    """
    wake = window.deadline_at
    if at >= wake:
        return _close(window, candidates, answered, at, "TIMEOUT", spec, told)
    reason = settled_by(candidates, answered, spec)
    if spec.is_prompt:
        if reason is None:
            return with_candidates(window, candidates, answered, wake), told
        return _close(window, candidates, answered, at, reason, spec, told)
    if reason is not None and spec.early != "never":
        earliest = window.opened_at + spec.conceal.min_open_ms
        if earliest < window.grace_until:
            earliest = window.grace_until
        if reason == "DECIDED" and spec.early != "when_decided":
            earliest = wake
        if earliest <= at:
            why = _silent(candidates, reason) if spec.timeout.per_action_ms else reason
            return _close(window, candidates, answered, at, why, spec, told)
        if earliest < wake:
            wake = earliest
    if spec.timeout.per_action_ms:
        wake = min(
            (
                candidate.deadline_at
                for candidate in candidates
                if candidate.answer is None and candidate.deadline_at < wake
            ),
            default=wake,
        )
    return with_candidates(window, candidates, answered, wake), told


def _silent(candidates: Candidates, reason: CloseReason) -> CloseReason:
    """If all fell silent, each at its own deadline, that is a time-out too."""
    silent = [candidate.state == "TIMED_OUT" for candidate in candidates]
    return "TIMEOUT" if silent and all(silent) else reason


def _close(
    window: ResponseActionWindow,
    candidates: Candidates,
    answered: int,
    at: int,
    reason: CloseReason,
    spec: WindowSpec,
    told: tuple[Output, ...],
) -> Change:
    after = closed(window, candidates, answered, at, reason)
    if reason == "DECIDED":
        for candidate in after.candidates:
            if candidate.answer is None:
                told += (Output("WITHDRAWN", at, candidate.seat_no),)
    resolution = resolved(after.candidates, spec)
    told += (_new(Output, ("CLOSED", at, None, None, reason, resolution)),)
    return after, told


def aborted(window: ResponseActionWindow) -> Resolution:
    """Nobody wins, whatever was claimed; the claims count as outranked."""
    passed, timed_out, superseded, claimed = [], [], [], []
    for candidate in window.candidates:
        answer = candidate.answer
        if candidate.state == "TIMED_OUT":
            timed_out.append(candidate.seat_no)
        if answer is None:
            superseded.append(candidate.seat_no)
        elif answer.action_type == PASS:
            passed.append(candidate.seat_no)
        else:
            claimed.append(candidate.seat_no)
    return Resolution(
        False,
        None,
        (),
        PASS,
        tuple(passed),
        False,
        tuple(timed_out),
        tuple(superseded),
        tuple(claimed),
        False,
        NextStep("END", None, "ABORTED"),
    )
