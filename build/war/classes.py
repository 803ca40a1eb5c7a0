# @generated from rules/war.json by `dealwright build`; do not edit.
"""Card, player and table of War, with their methods."""

from __future__ import annotations

from collections.abc import Mapping
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
    __slots__ = ("id", "rank", "suit")
    id: int

    def __init__(self, id: int, rank: int, suit: int) -> None:
        self.id = id
        self.rank = rank
        self.suit = suit

    def values(self) -> dict[str, int]:
        return {
            "rank": self.rank,
            "suit": self.suit,
        }

    def number(self) -> int:
        return self.rank


class Player(PlayerBase):
    __slots__ = ("round_wins",)

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.round_wins = 0

    def values(self) -> dict[str, int]:
        return {
            **super().values(),
            "round_wins": self.round_wins,
        }

    def restore(self, values: Mapping[str, int]) -> None:
        super().restore(values)
        self.round_wins = values["round_wins"]


class Table(TableBase):
    __slots__ = ("lead_rank", "leader", "reply_rank", "round")

    def __init__(self) -> None:
        super().__init__()
        self.lead_rank = 0
        self.leader = 0
        self.reply_rank = 0
        self.round = 0

    def values(self) -> dict[str, int]:
        return {
            **super().values(),
            "lead_rank": self.lead_rank,
            "leader": self.leader,
            "reply_rank": self.reply_rank,
            "round": self.round,
        }

    def restore(self, values: Mapping[str, int]) -> None:
        super().restore(values)
        self.lead_rank = values["lead_rank"]
        self.leader = values["leader"]
        self.reply_rank = values["reply_rank"]
        self.round = values["round"]


WarGame: TypeAlias = Game[Player, Table, Card]
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


NO_CARD: Final = Card(0, 0, 0).as_nothing()
NO_PLAYER: Final = Player(-1).as_nothing()


def new_deck() -> list[Card]:
    values = product(
        (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14),  # each rank
        (0, 1, 2, 3),  # each suit
    )
    return [Card(number, rank, suit) for number, (rank, suit) in enumerate(values, 1)]
