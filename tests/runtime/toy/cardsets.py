"""How 玩具 recognises a cardset and compares two."""

from __future__ import annotations

from dealwright.runtime import A_WINS, B_WINS, at
from toy.classes import NO_CARD, Hand, Played, Toy


def build_Single(cards: Hand, game: Toy) -> dict[str, int] | None:
    if len(cards) != 1:  # [2]
        return None  # [fail]
    if cards[0].点数 >= 7 and game.table.class_ != 7:  # [3]
        return None  # [fail]
    return {}  # [ok]


def build_Pair(cards: Hand) -> dict[str, int] | None:
    if len(cards) != 2:  # [2]
        return None  # [fail]
    if cards[0].点数 != at(cards, 1, NO_CARD).点数:  # [3]
        return None  # [fail]
    return {"权重": 10}  # [ok]


def compare_Single(a: Played, b: Played, game: Toy) -> bool:
    if game.table.class_ == 55 and 1 // (game.table.class_ - 55) == 0:  # [坏 of [5]]
        return B_WINS  # [6]
    if (
        a.cards[0].花色 == game.table.trump and b.cards[0].花色 != game.table.trump
    ):  # [7]
        return A_WINS  # [8]
    if a.cards[0].点数 > b.cards[0].点数:  # [9]
        return A_WINS  # [10]
    return B_WINS  # [11]


def recognize(cards: Hand, game: Toy) -> Played | None:
    found = build_Single(cards, game)
    if found is not None:
        return Played("1", "Single", cards, found)
    found = build_Pair(cards)
    if found is not None:
        return Played("2", "Pair", cards, found)
    return None


def beats(now: Played, before: Played, game: Toy) -> bool:
    if now.id == "1" and before.id == "1":
        return compare_Single(now, before, game)
    return now.id == "2" and before.id == "1"
