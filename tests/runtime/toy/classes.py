"""Player, card and table of 玩具."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final, TypeAlias

from dealwright.runtime import AssignableCard, Game, Play, PlayerBase, TableBase, divide


class Card(AssignableCard):
    __slots__ = ("点数", "花色", "记号")

    def __init__(self, id: int, 点数: int, 花色: int, 记号: int) -> None:
        super().__init__(id)
        self.点数 = 点数
        self.花色 = 花色
        self.记号 = 记号

    def values(self) -> dict[str, int]:
        return {"点数": self.点数, "花色": self.花色, "记号": self.记号}

    def restore(self, values: Mapping[str, int]) -> None:
        self.点数 = values["点数"]
        self.花色 = values["花色"]
        self.记号 = values["记号"]

    def number(self) -> int:
        return self.点数


class Player(PlayerBase):
    __slots__ = ("score",)

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.score = 0

    def values(self) -> dict[str, int]:
        return {**super().values(), "score": self.score}

    def restore(self, values: Mapping[str, int]) -> None:
        super().restore(values)
        self.score = values["score"]

    def 结算分(self, game: Toy, 倍数: int) -> int:
        if game.table.class_ == 99:  # [2]
            return self.score * 倍数 + game.players[99].score  # [3]
        return divide(self.score * 倍数, 1)  # [4]


class Table(TableBase):
    __slots__ = ("class_", "rounds", "trump")
    RESPELLED: ClassVar[Mapping[str, str]] = {"class_": "class"}

    def __init__(self) -> None:
        super().__init__()
        self.class_ = 0
        self.trump = -1
        self.rounds = 0

    def values(self) -> dict[str, int]:
        return {
            **super().values(),
            "class": self.class_,
            "trump": self.trump,
            "rounds": self.rounds,
        }

    def restore(self, values: Mapping[str, int]) -> None:
        super().restore(values)
        self.class_ = values["class"]
        self.trump = values["trump"]
        self.rounds = values["rounds"]


Toy: TypeAlias = Game[Player, Table, Card]
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


NO_CARD: Final = Card(0, 0, 0, 0).as_nothing()
NO_PLAYER: Final = Player(-1).as_nothing()


def new_deck() -> list[Card]:
    cards = [(点数, 花色, 0) for 点数 in range(1, 9) for 花色 in range(3)]
    return [Card(id, *values) for id, values in enumerate(cards, 1)]
