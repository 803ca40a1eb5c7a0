# @generated from rules/twenty_one.json by `dealwright build`; do not edit.
"""Card, player and table of Twenty-one, with their methods."""

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

from . import (
    cardsets,
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
    __slots__ = ("aces", "points")

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.aces = 0
        self.points = 0

    def values(self) -> dict[str, int]:
        return {
            **super().values(),
            "aces": self.aces,
            "points": self.points,
        }

    def restore(self, values: Mapping[str, int]) -> None:
        super().restore(values)
        self.aces = values["aces"]
        self.points = values["points"]

    def take(self, game: TwentyOneGame, card_: Card) -> None:
        self.points += game.table.worth(card_)  # [add_points]
        chosen = [card for card in [card_] if card]  # [count_ace]
        if len(chosen) == 1 and cardsets.build_Ace(chosen) is not None:  # [count_ace]
            self.aces += 1  # [add_ace]
        game.table.turned += 1  # [turn_up]
        return  # [done]

    def total(self) -> int:
        if self.aces > 0 and self.points + 10 <= 21:  # [can_soften]
            return self.points + 10  # [soft_total]
        return self.points  # [hard_total]


class Table(TableBase):
    __slots__ = ("turned",)

    def __init__(self) -> None:
        super().__init__()
        self.turned = 0

    def values(self) -> dict[str, int]:
        return {
            **super().values(),
            "turned": self.turned,
        }

    def restore(self, values: Mapping[str, int]) -> None:
        super().restore(values)
        self.turned = values["turned"]

    def worth(self, card_: Card) -> int:
        if card_.rank > 10:  # [is_court]
            return 10  # [court]
        return card_.rank  # [pip]


TwentyOneGame: TypeAlias = Game[Player, Table, Card]
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
        (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13),  # each rank
        (0, 1, 2, 3),  # each suit
    )
    return [Card(number, rank, suit) for number, (rank, suit) in enumerate(values, 1)]
