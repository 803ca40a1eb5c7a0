"""A computer player: acts for whoever is to act, choosing with equal chances among what the rule accepts.

It knows nothing of the game. It goes through the subsets of the hand in a random order and submits those that are a
cardset until the match takes one; a refused action changes nothing, so trying is free of consequences. If the match
takes none it skips, and a match that refuses even that has no way on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, islice
from random import Random
from typing import Any, final

from dealwright.runtime import Match, Rejected

CANDIDATES = 20_000
"""How many subsets of a hand a computer player looks at before it thinks of skipping."""

DUTY_CANDIDATES = 200_000
"""How many it looks at when it may not skip: the bound of the contract, beyond which the match lets it."""

FLOW_ERRORS = 3
"""How many plays whose consequences the rule cannot carry out are tried in one turn; such a flow may take long."""

_FROM_FLOW = frozenset({"deck_exhausted", "endless_flow", "rule_error"})


@final
class Stuck(Exception):
    """Nothing that the computer player can think of is accepted; `refusal` is the last answer of the match."""

    def __init__(self, seat: int, refusal: Rejected) -> None:
        super().__init__(f"seat {seat} has no action that the rule accepts: {refusal}")
        self.refusal = refusal


@final
class Computer:
    """A computer player for any seat of `match`.

    Args:
        match: the match.
        lengths: how many cards a play can have, ascending; None if any number (`PACKAGE.lengths`).
        random: decides everything, so that the same seed gives the same match.
    """

    def __init__(
        self, match: Match[Any, Any, Any], lengths: Sequence[int] | None, random: Random
    ) -> None:
        self._match = match
        self._lengths = lengths
        self._random = random

    def act(self) -> None:
        """Makes one action for the seat that is to act.

        Raises:
            Stuck: the match takes nothing, not even a skip.
        """
        wait = self._match.pending
        assert wait is not None, "a finished match waits for nobody"
        if wait.kind == "choose":
            self._choose(wait.seat, wait.options)
        else:
            self._play(wait.seat)

    def _choose(self, seat: int, options: Sequence[int]) -> None:
        # without options any integer may be chosen; nearly always it is a yes or a no
        values = list(options or (0, 1))
        self._random.shuffle(values)
        player = self._match.ids[seat]
        refusal = self._first_accepted(
            lambda value: self._match.choose(player, value), values
        )
        if refusal is not None:
            raise Stuck(seat, refusal)

    def _play(self, seat: int) -> None:
        subsets = self._subsets(seat)
        candidates = list(islice(subsets, CANDIDATES))
        self._random.shuffle(candidates)
        player = self._match.ids[seat]

        def submit(cards: Sequence[int]) -> None:
            self._match.play(player, cards)

        def skip(_: None) -> None:
            self._match.skip(player)

        failed = self._first_accepted(submit, candidates)
        if candidates and failed is None:
            return
        refusal = self._first_accepted(skip, [None])
        if refusal is None:
            return
        if refusal.code == "must_lead":
            # some play is a cardset: one beyond the candidates, or one whose consequences have failed
            rest = list(islice(subsets, DUTY_CANDIDATES - CANDIDATES))
            refusal = self._first_accepted(submit, rest) or (None if rest else refusal)
            if refusal is None:
                return
        raise Stuck(seat, failed if failed and failed.code in _FROM_FLOW else refusal)

    def _subsets(self, seat: int) -> Iterator[tuple[int, ...]]:
        """Subsets of the hand that may be a cardset, the small ones first."""
        hand = [card.id for card in self._match.hands[seat]]
        lengths = range(1, len(hand) + 1) if self._lengths is None else self._lengths
        for length in lengths:
            if 0 < length <= len(hand):
                yield from combinations(hand, length)

    @staticmethod
    def _first_accepted(
        act: Callable[[Any], object], actions: Iterable[Any]
    ) -> Rejected | None:
        """Tries the actions until one is accepted (None), or all are refused.

        Then it gives a refusal: one that came from the flow if there is one, since the others only say that an action
        was not legal.
        """
        refusal: Rejected | None = None
        failures = 0
        for action in actions:
            try:
                act(action)
            except Rejected as problem:
                if problem.code in _FROM_FLOW:
                    failures += 1
                if problem.code in _FROM_FLOW or not failures:
                    refusal = problem
                if failures == FLOW_ERRORS:
                    break
            else:
                return None
        return refusal
