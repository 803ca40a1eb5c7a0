"""Whose claim holds: a pure function of the window, the answers and the order of play; no clock, no state.

    HU by seat 2, PENG by seat 1, seat 3 passed  →  seat 2 wins, seat 1 is outranked

The claims that no other claim beats are looked at in the order of the tie break. The first of them wins; where the spec
allows several winners, the others with the same action win with it. `decided` says whether the answers that are still
open could change that. It looks at one open option at a time, which is enough: what beats the winner, or comes before it
or beside it, among more claims does so among fewer too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from dealwright.runtime.windows.model import (
    PASS,
    Answer,
    Resolution,
    ResponseActionOption,
    ResponseActionSeatCandidate,
    ResponseActionWindow,
    Seat,
)
from dealwright.runtime.windows.spec import FIRST_ANSWER, HIGHEST, NEAREST, WindowSpec

_new: Final = tuple.__new__

Key: TypeAlias = tuple[int, ...]
Candidate: TypeAlias = ResponseActionSeatCandidate
Claim: TypeAlias = tuple[str, Candidate]
"""A claim: its action, and who makes it."""


def arbitrate(
    window: ResponseActionWindow,
    final_answers: Mapping[Seat, str | Answer],
    source_seat_no: Seat,
    turn_order: Sequence[Seat],
    spec: WindowSpec,
) -> Resolution:
    """Who wins, and what became of everybody else.

    Args:
        window: its candidates and what they were offered; their states tell only who was silent.
        final_answers: for each seat its action, its option id, or its `Answer`. A seat that is not here is superseded.
            Where the spec breaks ties by the first answer, they are in the order of arrival.
        source_seat_no: from whom distances are counted.
        turn_order: all seats in the order of play.
        spec: what beats what, and how many may win.

    Raises:
        ValueError: an answer of a seat that is no candidate, or that it was not offered.
    """
    start, seats = turn_order.index(source_seat_no), len(turn_order)
    arrival = list(final_answers)
    if not final_answers.keys() <= {each.seat_no for each in window.candidates}:
        raise ValueError("an answer of a seat that was offered nothing")
    standing = []
    for candidate in window.candidates:
        seat = candidate.seat_no
        given = final_answers.get(seat)
        answer = None
        if given is not None:
            option = _option(candidate, given)
            order = arrival.index(seat)
            answer = Answer(option.option_id, option.action_type, 0, None, order)
        distance = (turn_order.index(seat) - start) % seats
        standing.append(candidate._replace(seat_distance=distance, answer=answer))
    standing.sort(key=lambda each: each.seat_distance)
    return resolved(tuple(standing), spec)


def resolved(
    candidates: tuple[ResponseActionSeatCandidate, ...], spec: WindowSpec
) -> Resolution:
    """Who wins among candidates as they stand, nearest first; whoever has no answer is superseded."""
    # most of these stay empty, and an empty tuple costs nothing
    passed: tuple[Seat, ...] = ()
    timed_out: tuple[Seat, ...] = ()
    superseded: tuple[Seat, ...] = ()
    claims: list[Claim] = []
    for candidate in candidates:
        answer = candidate.answer
        if answer is None:
            superseded += (candidate.seat_no,)
            continue
        if candidate.state == "TIMED_OUT":
            timed_out += (candidate.seat_no,)
        action = answer.action_type
        if action == PASS:
            passed += (candidate.seat_no,)
        else:
            claims.append((action, candidate))
    won: tuple[Seat, ...] = ()
    outranked: tuple[Seat, ...] = ()
    winning, overflow, first = PASS, False, None
    if claims:
        winners = claims
        if len(claims) > 1:
            winners, overflow = _contest(claims, spec)
        for _, winner in winners:
            won += (winner.seat_no,)
        if won:
            winning, first = winners[0][0], won[0]
        if len(won) < len(claims):
            for _, loser in claims:
                seat = loser.seat_no
                if seat not in won:
                    outranked += (seat,)
    return _new(
        Resolution,
        (
            first is not None,
            first,
            won,
            winning,
            passed,
            not claims,
            timed_out,
            superseded,
            outranked,
            overflow,
            None,
        ),
    )


def decided(window: ResponseActionWindow, spec: WindowSpec) -> bool:
    """Whether no answer that is still open can change who wins with what (section 2.3 of the requirement)."""
    return settled_by(window.candidates, window.answered, spec) is not None


def settled_by(
    candidates: tuple[ResponseActionSeatCandidate, ...],
    answered: int,
    spec: WindowSpec,
) -> Literal["ALL_ANSWERED", "DECIDED"] | None:
    """Why nothing that is still open can change who wins with what; None if something can.

    Args:
        candidates: as they stand, nearest first.
        answered: how many answers there are.
    """
    if answered == len(candidates) and spec.amend == "never":
        return "ALL_ANSWERED"  # where answers change, the changed ones are counted too
    claims: list[Claim] = []
    waiting: list[Candidate] = []
    for candidate in candidates:
        answer = candidate.answer
        if answer is None:
            waiting.append(candidate)
        else:
            action = answer.action_type
            if action != PASS:
                claims.append((action, candidate))
    if not waiting:
        return "ALL_ANSWERED"
    if not claims:
        return None
    ranked, head = claims, claims[0]
    if len(claims) > 1:
        ranked = _ranked(claims, spec)
        head = _head(ranked, spec)
    first, beats = head[0], spec.beats
    beaten = beats[first]
    for candidate in waiting:
        for option in candidate.options:
            action = option.action_type
            # most options that are still open are weaker or stronger, and need no closer look
            if action not in beaten and (
                first in beats[action]
                or _matters(candidate, option, answered, ranked, head, spec)
            ):
                return None
    return "DECIDED"


def _matters(
    candidate: Candidate,
    option: ResponseActionOption,
    order: int,
    ranked: list[Claim],
    head: Claim,
    spec: WindowSpec,
) -> bool:
    """Whether one more claim, as strong as the first of those that are in, would change the winners."""
    action, first = option.action_type, head[0]
    if action == first and spec.is_by_nearness:
        most = spec.caps[action]
        if most == 1:
            return candidate.seat_distance < head[1].seat_distance
        if most is None and spec.overflow is None:
            return True
    key = _key(spec, option, candidate.seat_distance, order)
    if action == first:
        winners, overflow = _contest(ranked, spec)
        if overflow:
            return False
        most = spec.caps[action]
        return most is None or len(winners) < most or key < _own_key(spec, winners[-1])
    return key < _own_key(spec, head) and not any(
        action in spec.beats[claimed] for claimed, _ in ranked
    )


def _contest(claims: list[Claim], spec: WindowSpec) -> tuple[list[Claim], bool]:
    """The winners among claims, of which there is one at least, and whether so many claimed that nobody wins."""
    ranked, head = claims, claims[0]
    if len(claims) > 1:
        ranked = _ranked(claims, spec)
        head = _head(ranked, spec)
    action = head[0]
    most = spec.caps[action]
    if most == 1:
        return [head], False
    joined = [claim for claim in ranked if claim[0] == action]
    limit = spec.overflow
    if limit is not None and len(joined) >= limit and (most is None or most >= limit):
        return [], True
    return joined[:most], False


def _ranked(claims: list[Claim], spec: WindowSpec) -> list[Claim]:
    """Claims in the order of the tie break; they come nearest first, which mostly is that order."""
    if spec.is_by_nearness:
        return claims
    return sorted(claims, key=lambda claim: _own_key(spec, claim))


def _head(ranked: list[Claim], spec: WindowSpec) -> Claim:
    """The first claim that no other beats."""
    beats = spec.beats
    if spec.is_ranked:
        head = ranked[0]
        for claim in ranked:
            if head[0] in beats[claim[0]]:
                head = claim
        return head
    for claim in ranked:
        if not any(claim[0] in beats[other] for other, _ in ranked):
            return claim
    raise AssertionError("a strict order has a greatest element in every set")


def _option(candidate: Candidate, given: str | Answer) -> ResponseActionOption:
    """The option that an answer names, by its id or else by its action."""
    name = given if isinstance(given, str) else given.option_id
    for option in candidate.options:
        if option.option_id == name:
            return option
    for option in candidate.options:
        if option.action_type == name:
            return option
    raise ValueError(f"seat {candidate.seat_no} was not offered {name}")


def _own_key(spec: WindowSpec, claim: Claim) -> Key:
    candidate = claim[1]
    assert candidate.answer is not None
    option = _option(candidate, candidate.answer)
    return _key(spec, option, candidate.seat_distance, candidate.answer.order)


def _key(
    spec: WindowSpec, option: ResponseActionOption, distance: int, order: int
) -> Key:
    """Where a claim comes among those that it neither beats nor is beaten by."""
    if spec.is_by_nearness:
        return (distance,)
    key: list[int] = []
    for criterion in spec.tie_break:
        if criterion == NEAREST:
            key.append(distance)
        elif criterion == FIRST_ANSWER:
            key.append(order)
        elif criterion == "most_cards":
            key.append(-len(option.consumes))
        elif criterion.startswith(HIGHEST):
            value = (option.hint or {}).get(criterion.removeprefix(HIGHEST))
            key.append(-value if isinstance(value, int) else 0)
        else:
            key.append(-distance)
    return tuple(key)
