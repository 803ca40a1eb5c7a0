"""`big_two.json` of the recorded matches by hand: Single, Pair, Triple and Bomb, all of one rank.

The higher rank of the first card wins within a cardset, and a Bomb beats everything else.
"""

from __future__ import annotations

from typing import Final

from bench.plays import HandPlay
from dealwright.runtime import CardBase, Play

NOTHING: Final[dict[str, int]] = {}
BOMB: Final = "4"


class Card(CardBase):
    """What these functions read of a card."""

    __slots__ = ()
    点数: int


def recognize(cards: list[Card]) -> Play[Card] | None:
    """The cardset that the cards form, or None."""
    size = len(cards)
    if size == 1:
        return HandPlay("1", "Single", cards, NOTHING)
    if size == 2:
        first, second = cards
        if first.点数 == second.点数:
            return HandPlay("2", "Pair", cards, NOTHING)
    elif size == 3:
        first, second, third = cards
        if first.点数 == second.点数 == third.点数:
            return HandPlay("3", "Triple", cards, NOTHING)
    elif size == 4:
        first, second, third, fourth = cards
        if first.点数 == second.点数 == third.点数 == fourth.点数:
            return HandPlay("4", "Bomb", cards, NOTHING)
    return None


def beats(now: Play[Card], before: Play[Card]) -> bool:
    """Whether `now` beats `before`."""
    kind = now.id
    if kind == before.id:
        return now.cards[0].点数 > before.cards[0].点数
    return kind == BOMB


def is_pair(cards: list[Card]) -> bool:
    """Whether two cards are a Pair: the smallest question that there is, for rivals that evaluate expressions."""
    return cards[0].点数 == cards[1].点数
