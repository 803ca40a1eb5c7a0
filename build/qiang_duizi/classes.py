# @generated from rules/qiang_duizi.json by `dealwright build`; do not edit.
"""Card, player and table of 抢对子, with their methods."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import ClassVar, Final, TypeAlias

from dealwright.runtime import (
    AssignableCard,
    Game,
    Play,
    PlayerBase,
    TableBase,
)


class Card(AssignableCard):
    __slots__ = ("点数", "花色", "倍_数")
    RESPELLED: ClassVar[Mapping[str, str]] = {
        "倍_数": "倍 数",
    }

    def __init__(self, id: int, 点数: int, 花色: int, 倍_数: int) -> None:
        super().__init__(id)
        self.点数 = 点数
        self.花色 = 花色
        self.倍_数 = 倍_数

    def values(self) -> dict[str, int]:
        return {
            "点数": self.点数,
            "花色": self.花色,
            "倍 数": self.倍_数,
        }

    def number(self) -> int:
        return self.点数

    def restore(self, values: Mapping[str, int]) -> None:
        super().restore(values)
        self.点数 = values["点数"]
        self.花色 = values["花色"]
        self.倍_数 = values["倍 数"]

    def 当宝牌(self, 几倍: int) -> None:
        self.倍_数 = 几倍  # [加倍]
        return  # [完]


class Player(PlayerBase):
    __slots__ = ("class_", "得分")
    RESPELLED: ClassVar[Mapping[str, str]] = {
        "class_": "class",
    }

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.class_ = 0
        self.得分 = 0

    def values(self) -> dict[str, int]:
        return {
            **super().values(),
            "class": self.class_,
            "得分": self.得分,
        }

    def restore(self, values: Mapping[str, int]) -> None:
        super().restore(values)
        self.class_ = values["class"]
        self.得分 = values["得分"]

    def 记分(self, game: QiangDuiziGame, 分: int) -> None:
        self.得分 += 分  # [加分]
        if self.得分 <= game.table.cur_max:  # [是新高吗]
            return  # [完]
        game.table.cur_max = self.得分  # [记最高分]
        return  # [完]


class Table(TableBase):
    __slots__ = ("底分", "手数", "王牌花色")

    def __init__(self) -> None:
        super().__init__()
        self.底分 = 1
        self.手数 = 0
        self.王牌花色 = 0

    def values(self) -> dict[str, int]:
        return {
            **super().values(),
            "底分": self.底分,
            "手数": self.手数,
            "王牌花色": self.王牌花色,
        }

    def restore(self, values: Mapping[str, int]) -> None:
        super().restore(values)
        self.底分 = values["底分"]
        self.手数 = values["手数"]
        self.王牌花色 = values["王牌花色"]

    def 是王牌(self, 花色: int) -> bool:
        return 花色 == self.王牌花色  # [答]

    def 算分(self, 张数: int, 翻倍: bool) -> int:
        if 翻倍:  # [要翻倍吗]
            return self.底分 * 张数 * 2  # [双份]
        return self.底分 * 张数  # [单份]


QiangDuiziGame: TypeAlias = Game[Player, Table, Card]
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
    values = product(
        (1, 2, 3, 4, 5, 6, 7, 8),  # each 点数
        (0, 1, 2, 3),  # each 花色
        (1,),  # each 倍 数
    )
    return [
        Card(number, 点数, 花色, 倍_数)
        for number, (点数, 花色, 倍_数) in enumerate(values, 1)
    ]
