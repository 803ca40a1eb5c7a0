"""`rules/big_two.json` by hand: one to three cards of a rank, and five cards of five kinds.

The rule's first play must contain card 1; until then the table's `opened` is 0 and other cards form nothing.
"""

from __future__ import annotations

from typing import Final, Protocol

from bench.plays import HandPlay
from dealwright.runtime import CardBase, Play

NOTHING: Final[dict[str, int]] = {}
TWO: Final = 15

BELOW_TWO: Final = frozenset({6, 14})
"""What can follow 3-4-5 in a straight that has a two, which counts as the highest: a six or an ace."""

FIRST_OF_FIVE: Final = "4"
"""The least id of the cardsets of five cards; of these, the lower id beats the higher."""

BY_MIDDLE_CARD: Final = frozenset({"5", "6"})
"""Four and one, Full house: three equal ranks or more, so that the middle card has the rank that counts."""


class Card(CardBase):
    """What these functions read of a card."""

    __slots__ = ()
    rank: int
    suit: int


class Table(Protocol):
    """What these functions read of the table."""

    opened: int


class Game(Protocol):
    """What these functions read of a match."""

    @property
    def table(self) -> Table: ...


def recognize(cards: list[Card], game: Game) -> Play[Card] | None:
    """The cardset that the cards form at this moment of the match, or None."""
    size = len(cards)
    if size == 1:
        if game.table.opened or cards[0].id == 1:
            return HandPlay("1", "Single", cards, NOTHING)
        return None
    if size == 2:
        first, second = cards
        if first.rank == second.rank and _may_be_played(cards, game):
            return HandPlay("2", "Pair", cards, NOTHING)
        return None
    if size == 3:
        first, second, third = cards
        if first.rank == second.rank == third.rank and _may_be_played(cards, game):
            return HandPlay("3", "Triple", cards, NOTHING)
        return None
    if size != 5:
        return None

    if not game.table.opened and not _has_lowest(cards):
        return None
    first, second, third, fourth, fifth = cards
    suit = first.suit
    is_flush = suit == second.suit == third.suit == fourth.suit == fifth.suit
    ranks = [first.rank, second.rank, third.rank, fourth.rank, fifth.rank]
    ranks.sort()
    low, lower, middle, higher, high = ranks
    if low < lower < middle < higher < high:
        if high - low == 4 if high != TWO else middle == 5 and higher in BELOW_TWO:
            if is_flush:
                return HandPlay("4", "Straight flush", cards, NOTHING)
            return HandPlay("8", "Straight", cards, NOTHING)
    elif lower == higher:
        if low == lower or higher == high:
            return HandPlay("5", "Four and one", cards, NOTHING)
    elif low == lower and higher == high and middle in (lower, higher):
        return HandPlay("6", "Full house", cards, NOTHING)
    if is_flush:
        return HandPlay("7", "Flush", cards, NOTHING)
    return None


def beats(now: Play[Card], before: Play[Card]) -> bool:
    """Whether `now` beats `before`."""
    kind = now.id
    if kind != before.id:
        return FIRST_OF_FIVE <= kind < before.id
    if kind == "1":
        mine, other = now.cards[0], before.cards[0]
        return mine.rank * 4 + mine.suit > other.rank * 4 + other.suit
    if kind == "3":
        return now.cards[0].rank > before.cards[0].rank
    if kind in BY_MIDDLE_CARD:
        return _middle_rank(now.cards) > _middle_rank(before.cards)
    return _top_card(now.cards) > _top_card(before.cards)


def _may_be_played(cards: list[Card], game: Game) -> bool:
    return game.table.opened != 0 or _has_lowest(cards)


def _has_lowest(cards: list[Card]) -> bool:
    return 1 in [card.id for card in cards]


def _top_card(cards: list[Card]) -> int:
    """The highest rank and, within it, suit; a loop, since `max` with a comprehension takes twice as long."""
    top = 0
    for card in cards:
        strength = card.rank * 4 + card.suit
        if strength > top:
            top = strength
    return top


def _middle_rank(cards: list[Card]) -> int:
    first, second, third, fourth, fifth = cards
    ranks = [first.rank, second.rank, third.rank, fourth.rank, fifth.rank]
    ranks.sort()
    return ranks[2]
