# @generated from rules/big_two.json by `dealwright build`; do not edit.
"""Card, player and table of Big Two, with their methods."""

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
    __slots__ = ()


class Table(TableBase):
    __slots__ = ("opened",)

    def __init__(self) -> None:
        super().__init__()
        self.opened = 0

    def values(self) -> dict[str, int]:
        return {
            **super().values(),
            "opened": self.opened,
        }

    def restore(self, values: Mapping[str, int]) -> None:
        super().restore(values)
        self.opened = values["opened"]

    def may_be_played(self, cards: Hand) -> bool:
        if self.opened != 0:  # [already_open]
            return True  # [yes]
        return min([card.id for card in cards]) == 1  # [ask_for_lowest]

    def middle_rank(self, play: Played) -> int:
        return sorted([card.rank for card in play.cards])[2]  # [answer]

    def top_card(self, play: Played) -> int:
        highest_rank = highest_suit = 0  # [answer]
        for card in play.cards:  # [answer]
            if (
                card.rank > highest_rank
                or card.rank == highest_rank
                and card.suit > highest_suit
            ):
                highest_rank, highest_suit = card.rank, card.suit
        return highest_rank * 4 + highest_suit  # [answer]


BigTwoGame: TypeAlias = Game[Player, Table, Card]
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
        (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),  # each rank
        (0, 1, 2, 3),  # each suit
    )
    return [Card(number, rank, suit) for number, (rank, suit) in enumerate(values, 1)]
