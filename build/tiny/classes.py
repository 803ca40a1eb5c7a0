# @generated from rules/tiny.json by `dealwright build`; do not edit.
"""Card, player and table of Tiny, with their methods."""

from __future__ import annotations

from itertools import product
from typing import Final, TypeAlias

from dealwright.runtime import (
    CardBase,
    Game,
    Play,
    PlayerBase,
    TableBase,
)


class Card(CardBase):
    __slots__ = ("id", "rank")
    id: int

    def __init__(self, id: int, rank: int) -> None:
        self.id = id
        self.rank = rank

    def values(self) -> dict[str, int]:
        return {
            "rank": self.rank,
        }

    def number(self) -> int:
        return self.rank


class Player(PlayerBase):
    __slots__ = ()


class Table(TableBase):
    __slots__ = ()


TinyGame: TypeAlias = Game[Player, Table, Card]
Hand: TypeAlias = list[Card]


class Played(Play[Card]):
    __slots__ = ("cards", "cardset", "id", "properties")
    id: str
    cardset: str
    cards: Hand
    properties: dict[str, int]

    def __init__(
        self, id: str, cardset: str, cards: Hand, properties: dict[str, int]
    ) -> None:
        self.id = id
        self.cardset = cardset
        self.cards = cards
        self.properties = properties


NO_CARD: Final = Card(0, 0).as_nothing()
NO_PLAYER: Final = Player(-1).as_nothing()


def new_deck() -> list[Card]:
    values = product(
        (1, 2, 3, 4),  # each rank
    )
    return [Card(number, rank) for number, (rank,) in enumerate(values, 1)]
