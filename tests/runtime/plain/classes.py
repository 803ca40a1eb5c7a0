"""Player, card and table of 比大小."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from dealwright.runtime import CardBase, Game, Play, PlayerBase, TableBase


class Card(CardBase):
    __slots__ = ("id", "点数", "花色")
    id: int

    def __init__(self, id: int, 点数: int, 花色: int) -> None:
        self.id = id
        self.点数 = 点数
        self.花色 = 花色

    def values(self) -> dict[str, int]:
        return {"点数": self.点数, "花色": self.花色}

    def number(self) -> int:
        return self.点数


class Player(PlayerBase):
    __slots__ = ("wins",)

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.wins = 0

    def values(self) -> dict[str, int]:
        return {**super().values(), "wins": self.wins}

    def restore(self, values: Mapping[str, int]) -> None:
        super().restore(values)
        self.wins = values["wins"]


class Table(TableBase):
    __slots__ = ("round",)

    def __init__(self) -> None:
        super().__init__()
        self.round = 0

    def values(self) -> dict[str, int]:
        return {**super().values(), "round": self.round}

    def restore(self, values: Mapping[str, int]) -> None:
        super().restore(values)
        self.round = values["round"]


Plain: TypeAlias = Game[Player, Table, Card]
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
    return [Card(id, (id - 1) // 4 + 1, (id - 1) % 4) for id in range(1, 53)]
