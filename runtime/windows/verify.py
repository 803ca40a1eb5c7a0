"""Proof by trying everything: all offers, all answers, all orders of arrival, for one spec and up to four seats.

At every step the window is compared with a referee that is written from the words of the requirement alone, has all the
answers in hand and knows no early close. What must hold (sections 0 and 2.3 of the requirement): the result does not
depend on the order of the answers; closing early gives what waiting for everybody would; nothing that is still open
could beat what won; and a window does not wait when nothing can change any more.

Amendments are not tried: with them the last word counts, which is an order by intention.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final, NamedTuple, TypeAlias, final

from dealwright.runtime.windows.candidates import silence_of
from dealwright.runtime.windows.closing import resolution_of
from dealwright.runtime.windows.life import on_deadline, on_reply
from dealwright.runtime.windows.model import (
    PASS,
    ResponseActionOption,
    ResponseActionSeatCandidate,
    ResponseActionWindow,
    ResponseReply,
    Seat,
)
from dealwright.runtime.windows.spec import FIRST_ANSWER, HIGHEST, NEAREST, WindowSpec

Said: TypeAlias = tuple[tuple[Seat, str], ...]
"""Answers in the order of arrival."""
Outcome: TypeAlias = tuple[tuple[Seat, ...], str]
"""The winners and their action; no winners and PASS."""

MOST_SHOWN: Final = 20
TILE: Final = "x"


@final
@dataclass(frozen=True, slots=True)
class Verified:
    """What trying everything came to.

    Attributes:
        offers: how many different windows were tried.
        states: how many states of answers in their order of arrival, complete or not.
        problems: what does not hold; at most the first twenty. Empty is a proof.
    """

    offers: int
    states: int
    problems: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether everything holds."""
        return not self.problems


class _Claim(NamedTuple):
    seat: Seat
    action: str
    order: int


class _Case:
    """One window with what its seats may answer, and the referee for it."""

    __slots__ = ("fixed", "offers", "order", "problems", "spec", "states", "window")

    def __init__(self, spec: WindowSpec, window: ResponseActionWindow) -> None:
        self.spec = spec
        self.window = window
        self.offers = {
            candidate.seat_no: tuple(option.action_type for option in candidate.options)
            for candidate in window.candidates
        }
        self.order = window.turn_order
        self.fixed: dict[Said, Outcome | None] = {}
        self.problems: list[str] = []
        self.states = 0

    def distance(self, seat: Seat) -> int:
        source = self.order.index(self.window.source_seat_no)
        return (self.order.index(seat) - source) % len(self.order)

    def referee(self, said: Said) -> Outcome:
        """The outcome of answers that are all there."""
        spec = self.spec
        claims = [
            _Claim(seat, action, order)
            for order, (seat, action) in enumerate(said)
            if action != PASS
        ]
        unbeaten = [
            claim
            for claim in claims
            if not any(claim.action in spec.beats[other.action] for other in claims)
        ]
        if not unbeaten:
            return (), PASS
        unbeaten.sort(key=self._rank)
        action = unbeaten[0].action
        alike = [claim.seat for claim in unbeaten if claim.action == action]
        most = spec.caps[action]
        if most is not None and (spec.overflow is None or most < spec.overflow):
            return tuple(alike[:most]), action
        if spec.overflow is not None and len(alike) >= spec.overflow:
            return (), PASS
        return tuple(alike if most is None else alike[:most]), action

    def _rank(self, claim: _Claim) -> tuple[int, ...]:
        rank = []
        for criterion in self.spec.tie_break:
            if criterion == NEAREST:
                rank.append(self.distance(claim.seat))
            elif criterion == FIRST_ANSWER:
                rank.append(claim.order)
            elif criterion == "most_cards":
                rank.append(-(self.spec.action(claim.action).consumes or 0))
            elif not criterion.startswith(HIGHEST):
                rank.append(-self.distance(claim.seat))
        return tuple(rank)

    def outcome_if_fixed(self, said: Said) -> Outcome | None:
        """The outcome, if it is the same however the seats that are still open answer."""
        if FIRST_ANSWER not in self.spec.tie_break:
            said = tuple(sorted(said))
        if said not in self.fixed:
            answered = {seat for seat, _ in said}
            rest = [seat for seat in self.offers if seat not in answered]
            outcomes = {
                self.referee((*said, *zip(rest, chosen, strict=True)))
                for chosen in product(*(self.offers[seat] for seat in rest))
            }
            self.fixed[said] = outcomes.pop() if len(outcomes) == 1 else None
        return self.fixed[said]

    def complain(self, said: Said, sentence: str) -> None:
        offers = ", ".join(
            f"seat {seat} {'/'.join(actions)}" for seat, actions in self.offers.items()
        )
        answers = ", ".join(f"seat {seat} {action}" for seat, action in said)
        self.problems.append(f"{offers}; answers: {answers or 'none'}: {sentence}")


def verify_spec(spec: WindowSpec, seats: int = 4) -> Verified:
    """Try everything that `seats` seats could be offered and answer, in every order.

    Args:
        spec: any spec.
        seats: two to four; the source is one of them.

    Raises:
        ValueError: more seats than can be tried.
    """
    if not 2 <= seats <= 4:
        raise ValueError(f"two to four seats can be tried, not {seats}")
    offers = states = 0
    problems: list[str] = []
    for window in _windows(spec, seats):
        case = _Case(spec, window)
        _walk(case, window, ())
        offers += 1
        states += case.states
        problems += case.problems
        if FIRST_ANSWER in spec.tie_break:
            problems += _orders_that_differ(case)
    return Verified(offers, states, tuple(problems[:MOST_SHOWN]))


def _windows(spec: WindowSpec, seats: int) -> Iterator[ResponseActionWindow]:
    """Every window there could be. The source sits in the middle, so that distances wrap around."""
    order = tuple(range(seats))
    source = seats // 2
    claims = [action for action in spec.actions if action.name != PASS]
    subsets = [
        subset
        for size in range(len(claims) + 1)
        for subset in combinations(claims, size)
    ]
    others = [(source + distance) % seats for distance in range(1, seats)]
    passing = ResponseActionOption(PASS, "PASS#0", TILE, (), 0)
    for offered in product(subsets, repeat=len(others)):
        if not any(offered):
            continue
        candidates = []
        for distance, (seat, actions) in enumerate(
            zip(others, offered, strict=True), start=1
        ):
            options = [
                ResponseActionOption(
                    action.name,
                    f"{action.name}#0",
                    TILE,
                    (TILE,) * (action.consumes or 0),
                    action.priority,
                )
                for action in actions
            ]
            if options:
                silence = silence_of(options, spec.timeout, passing)
                candidates.append(
                    ResponseActionSeatCandidate(
                        seat, (*options, passing), distance, spec.timeout.ms, silence
                    )
                )
        yield ResponseActionWindow(
            "r1:w1",
            "t1",
            "r1",
            spec.trigger,
            source,
            TILE,
            1,
            0,
            spec.timeout.longest,
            0,
            spec.rule_mode,
            order,
            tuple(others),
            tuple(candidates),
            0,
            spec.timeout.longest,
        )


def _walk(case: _Case, window: ResponseActionWindow, said: Said) -> None:
    """Every further answer of every seat, one after another."""
    case.states += 1
    _check(case, window, said)
    if window.status != "OPEN":
        return
    answered = {seat for seat, _ in said}
    for seat, actions in case.offers.items():
        if seat in answered:
            continue
        for action in actions:
            reply = ResponseReply("", window.window_id, seat, action)
            after, _ = on_reply(window, reply, window.opened_at, case.spec)
            _walk(case, after, (*said, (seat, action)))


def _check(case: _Case, window: ResponseActionWindow, said: Said) -> None:
    """One state: closed or open as it should be, and with the right result if nobody says anything more."""
    spec = case.spec
    fixed = case.outcome_if_fixed(said)
    is_complete = len(said) == len(case.offers)
    may_close = spec.early != "never" and (
        is_complete or (spec.early == "when_decided" and fixed is not None)
    )
    earliest = max(window.opened_at + spec.conceal.min_open_ms, window.grace_until)
    if window.status == "OPEN" and earliest < min(_deadlines(window)):
        probe, _ = on_deadline(window, earliest, spec)
    else:
        probe = window
    if (probe.status != "OPEN") and not may_close:
        case.complain(said, "the window closed too early")
    if (probe.status == "OPEN") and may_close and earliest < window.deadline_at:
        case.complain(said, "the window waits although nothing can change")
    late, _ = on_deadline(window, window.deadline_at, spec)
    if late.status == "OPEN":
        case.complain(said, "the window outlives its deadline")
        return
    expected = (
        fixed if window.status != "OPEN" else case.referee(_with_silence(case, said))
    )
    resolution = resolution_of(late, spec)
    outcome = (resolution.winner_seat_nos, resolution.winning_action_type)
    if outcome != expected:
        case.complain(said, f"the result is {outcome}, and should be {expected}")
    if not resolution.overflow:
        # where too many claimed, one more of them changes nothing
        _check_open(case, late, resolution.winning_action_type, said)


def _check_open(
    case: _Case, late: ResponseActionWindow, action: str, said: Said
) -> None:
    for candidate in late.candidates:
        if candidate.state != "SUPERSEDED":
            continue
        for option in candidate.options:
            if action in case.spec.beats[option.action_type]:
                case.complain(
                    said,
                    f"{action} won while seat {candidate.seat_no} could still say {option.action_type}",
                )


def _deadlines(window: ResponseActionWindow) -> list[int]:
    return [
        window.deadline_at,
        *(each.deadline_at for each in window.candidates if each.state == "OPEN"),
    ]


def _with_silence(case: _Case, said: Said) -> Said:
    """The answers with what the silence of all others means, nearest first."""
    answered = {seat for seat, _ in said}
    silent = tuple(
        (candidate.seat_no, option.action_type)
        for candidate in case.window.candidates
        for option in candidate.options
        if candidate.seat_no not in answered and option.option_id == candidate.silence
    )
    return (*said, *silent)


def _orders_that_differ(case: _Case) -> Iterator[str]:
    """Complete answers whose outcome depends on their order; only the first of them is worth a word."""
    seen: dict[Mapping[Seat, str] | Said, Outcome] = {}
    for said, outcome in case.fixed.items():
        if len(said) == len(case.offers) and outcome is not None:
            alike = tuple(sorted(said))
            if seen.setdefault(alike, outcome) != outcome:
                case.complain(said, "the result depends on the order of arrival")
                yield case.problems[-1]
                return
