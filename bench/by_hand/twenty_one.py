"""`rules/twenty_one.json` by hand: one ace is an Ace, and no play beats another."""

from __future__ import annotations

from typing import Final

from bench.plays import HandPlay
from dealwright.runtime import CardBase, Play

NOTHING: Final[dict[str, int]] = {}
ACE: Final = 1


class Card(CardBase):
    """What these functions read of a card."""

    __slots__ = ()
    rank: int


def recognize(cards: list[Card]) -> Play[Card] | None:
    """The cardset that the cards form, or None."""
    if len(cards) == 1 and cards[0].rank == ACE:
        return HandPlay("1", "Ace", cards, NOTHING)
    return None


def beats(now: Play[Card], before: Play[Card]) -> bool:
    """Whether `now` beats `before`: never, since the rule compares nothing."""
    return False
