"""Two small games that know nothing of hints but the adapter: one of cards in turn, one where all choose at once."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from dealwright.runtime.hints import (
    Face,
    Method,
    Note,
    Reply,
    TargetNeed,
    fix_cards,
    method,
)
from dealwright.runtime.hints.errors import Refusal
from dealwright.runtime.hints.model import Action


class HighCard:
    """Two players lay a card in turn; the second has to lay a higher one or pass, and passing loses the trick."""

    def __init__(self, hands: list[list[int]]) -> None:
        self.hands = hands
        self.turn = 0
        self.lead: int | None = None
        self.tricks = [0, 0]

    @classmethod
    def dealt(cls, rng: random.Random) -> HighCard:
        """A game with five cards each."""
        deck = rng.sample(range(20), 10)
        return cls([deck[:5], deck[5:]])

    def is_over(self) -> bool:
        """Whether somebody has no card left where a trick begins."""
        return self.lead is None and not all(self.hands)

    def responders(self) -> Sequence[int]:
        return [self.turn]

    def action(self) -> Action:
        return "discard"

    def note(self, seat: int) -> Note:
        return Note(purpose="play")

    def may_abort(self, seat: int) -> bool:
        return self.lead is not None

    def candidates(self, seat: int) -> Sequence[str]:
        return ()

    def hand(self, seat: int) -> Sequence[int] | None:
        return None

    def targets(self, seat: int, card: int) -> Face:
        return "forbid"

    def methods(self, seat: int) -> Iterable[Method]:
        able = [card for card in self.hands[seat] if self.is_allowed(card)]
        return [method("lay", fix_cards(1, sorted(able)))]

    def is_allowed(self, card: int) -> bool:
        """The one predicate that hints and rules share."""
        return self.lead is None or card > self.lead

    def apply(self, seat: int, reply: Reply) -> Refusal | None:
        """Do what a reply says."""
        assert seat == self.turn
        if reply.is_abort:
            self.tricks[1 - seat] += 1
            self.lead = None
            self.turn = 1 - seat
            return None
        [card] = reply.cards
        assert self.is_allowed(card)
        self.hands[seat].remove(card)
        if self.lead is None:
            self.lead = card
            self.turn = 1 - seat
        else:
            self.tricks[seat] += 1
            self.lead = None
        return None


class Auction:
    """Everybody bids for a place at the same time; then the winner aims at somebody, until one player is left."""

    def __init__(self, players: int, rng: random.Random) -> None:
        self.alive = list(range(players))
        self.bids: dict[int, str] = {}
        self.winner: int | None = None
        self.rng = rng

    def is_over(self) -> bool:
        """Whether one player is left."""
        return len(self.alive) == 1

    def responders(self) -> Sequence[int]:
        return list(self.alive) if self.winner is None else [self.winner]

    def action(self) -> Action:
        return "region" if self.winner is None else "use"

    def note(self, seat: int) -> Note:
        return Note(purpose="bid" if self.winner is None else "strike")

    def may_abort(self, seat: int) -> bool:
        return False

    def candidates(self, seat: int) -> Sequence[str]:
        return ["low", "middle", "high"]

    def hand(self, seat: int) -> Sequence[int] | None:
        return [0, 1]

    def targets(self, seat: int, card: int) -> Face:
        others = tuple(other for other in self.alive if other != seat)
        return TargetNeed(1, others) if card == 0 else "forbid"

    def methods(self, seat: int) -> Iterable[Method]:
        return []

    def apply(self, seat: int, reply: Reply) -> Refusal | None:
        """Do what a reply says."""
        if self.winner is None:
            self.bids[seat] = reply.name
            if len(self.bids) == len(self.alive):
                best = max(self.bids.values(), key=["low", "middle", "high"].index)
                self.winner = self.rng.choice(
                    [bidder for bidder, bid in self.bids.items() if bid == best]
                )
                self.bids = {}
            return None
        self.alive.remove(reply.targets[0])
        self.winner = None
        return None
