"""From a seat's options to its candidate: PASS, its deadline, what its silence means, and answers that need no asking."""

from __future__ import annotations

from typing import Final

from dealwright.runtime.windows.model import (
    PASS,
    Answer,
    AnswerState,
    Connection,
    ResponseActionOption,
    ResponseActionSeatCandidate,
    Seat,
)
from dealwright.runtime.windows.spec import ForcedClaim, Timeout, WindowSpec

ANSWERED: Final[AnswerState] = "ANSWERED"
TIMED_OUT: Final[AnswerState] = "TIMED_OUT"


def candidate_of(
    spec: WindowSpec,
    seat: Seat,
    distance: int,
    options: list[ResponseActionOption],
    passing: ResponseActionOption,
    at: int,
    wall: int,
    connection: Connection,
) -> ResponseActionSeatCandidate:
    """A candidate as the spec would have it; `builder` makes the plain ones itself.

    Args:
        options: what the seat may claim, the strongest first; not empty.
        passing: the option PASS.
        at: when the window opens.
        wall: how many cards are left to draw.
    """
    silence = silence_of(options, spec.timeout, passing)
    offered = [*options, passing]
    forced = _forced(spec, options, wall)
    if forced is not None:
        meant = [each for each in options if each.action_type == forced.action]
        silence = meant[0].option_id
        if forced.mode == "remove_pass":
            offered = meant
    if connection == "OFFLINE" and spec.offline == "bot":
        connection = "BOT"
    return ResponseActionSeatCandidate(
        seat,
        tuple(offered),
        distance,
        at + _time(spec.timeout, options),
        silence,
        "OPEN",
        None,
        connection,
    )


def answered_at_once(
    spec: WindowSpec,
    candidate: ResponseActionSeatCandidate,
    at: int,
    wall: int,
    order: int,
) -> ResponseActionSeatCandidate:
    """The candidate with the answer that the rules give for it when the window opens, if they do."""
    options = candidate.options
    forced = _forced(spec, list(options), wall)
    if forced is not None and forced.is_auto and len(options) == 1:
        option, state = options[0], ANSWERED
    elif candidate.connection == "OFFLINE" and spec.offline == "pass_now":
        option, state = passing_of(candidate), TIMED_OUT
    else:
        return candidate
    answer = Answer(option.option_id, option.action_type, at, None, order)
    return candidate._replace(state=state, answer=answer)


def silence_of(
    options: list[ResponseActionOption],
    timeout: Timeout,
    passing: ResponseActionOption,
) -> str:
    """The id of the option that silence means: by the strongest offered action of which the spec says so."""
    for option in options:
        meant = timeout.per_action_answer.get(option.action_type)
        if meant is not None:
            return _first(options, meant, passing)
    return _first(options, timeout.answer, passing)


def silent_option(candidate: ResponseActionSeatCandidate) -> ResponseActionOption:
    """The option that the candidate's silence means."""
    return candidate.option(candidate.silence)


def passing_of(candidate: ResponseActionSeatCandidate) -> ResponseActionOption:
    """PASS, or what silence means where there is no PASS."""
    last = candidate.options[-1]
    return last if last.action_type == PASS else silent_option(candidate)


def _forced(
    spec: WindowSpec, options: list[ResponseActionOption], wall: int
) -> ForcedClaim | None:
    """The first forced claim that holds now and that the seat can make."""
    for forced in spec.forced:
        if wall <= forced.when_wall_at_most and any(
            option.action_type == forced.action for option in options
        ):
            return forced
    return None


def _time(timeout: Timeout, options: list[ResponseActionOption]) -> int:
    by_action = timeout.per_action_ms
    if not by_action:
        return timeout.ms
    return max(by_action.get(option.action_type, timeout.ms) for option in options)


def _first(
    options: list[ResponseActionOption], action: str, passing: ResponseActionOption
) -> str:
    for option in options:
        if option.action_type == action:
            return option.option_id
    return passing.option_id
