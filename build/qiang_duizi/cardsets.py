# @generated from rules/qiang_duizi.json by `dealwright build`; do not edit.
"""How 抢对子 recognises its cardsets and compares two plays."""

from __future__ import annotations

from typing import Final

from dealwright.runtime import (
    A_WINS,
    B_WINS,
    Properties,
)

from .classes import (
    Hand,
    Played,
    QiangDuiziGame,
)

PROPERTIES_单张_at_顶张: Final = Properties({"权重": 2})
PROPERTIES_单张_at_平张: Final = Properties({"权重": 1})


def build_单张(cards: Hand, game: QiangDuiziGame) -> dict[str, int] | None:
    # [一张吗]: only asked about 1 card
    if cards[0].点数 == 8 and game.table.是王牌(cards[0].花色):  # [是顶张吗]
        return PROPERTIES_单张_at_顶张  # [顶张]
    return PROPERTIES_单张_at_平张  # [平张]


def compare_单张(a: Played, b: Played, game: QiangDuiziGame) -> bool:
    if a.cards[0].点数 * 2 + int(game.table.是王牌(a.cards[0].花色)) > (
        b.cards[0].点数 * 2 + int(game.table.是王牌(b.cards[0].花色))
    ):  # [比大小]
        return A_WINS  # [甲胜]
    return B_WINS  # [乙胜]


PROPERTIES_对子_两张__at_王对: Final = Properties({"权重": 3})
PROPERTIES_对子_两张__at_杂对: Final = Properties({"权重": 2})


def build_对子_两张_(cards: Hand, game: QiangDuiziGame) -> dict[str, int] | None:
    # [两张吗]: only asked about 2 cards
    if cards[0].点数 != cards[1].点数:  # [同点吗]
        return None  # [否]
    if game.table.是王牌(cards[0].花色) or game.table.是王牌(
        cards[1].花色
    ):  # [含王牌吗]
        return PROPERTIES_对子_两张__at_王对  # [王对]
    return PROPERTIES_对子_两张__at_杂对  # [杂对]


def compare_对子_两张_(a: Played, b: Played) -> bool:
    if a.properties["权重"] > b.properties["权重"]:  # [甲重吗]
        return A_WINS  # [甲胜]
    if a.properties["权重"] < b.properties["权重"]:  # [乙重吗]
        return B_WINS  # [乙胜]
    if a.cards[0].点数 > b.cards[0].点数:  # [比点数]
        return A_WINS  # [甲胜]
    return B_WINS  # [乙胜]


PROPERTIES_顺子·三连_at_同花连: Final = Properties({"权重": 4})
PROPERTIES_顺子·三连_at_杂连: Final = Properties({"权重": 2})


def build_顺子·三连(cards: Hand) -> dict[str, int] | None:
    # [三张吗]: only asked about 3 cards
    sorted_点数 = sorted([cards[0].点数, cards[1].点数, cards[2].点数])  # [相连吗]
    if (
        sorted_点数[1] != sorted_点数[0] + 1 or sorted_点数[2] != sorted_点数[1] + 1
    ):  # [相连吗]
        return None  # [否]
    if cards[0].花色 == cards[1].花色 == cards[2].花色:  # [同花吗]
        return PROPERTIES_顺子·三连_at_同花连  # [同花连]
    return PROPERTIES_顺子·三连_at_杂连  # [杂连]


def compare_顺子·三连(a: Played, b: Played) -> bool:
    if a.properties["权重"] > b.properties["权重"]:  # [甲重吗]
        return A_WINS  # [甲胜]
    if a.properties["权重"] < b.properties["权重"]:  # [乙重吗]
        return B_WINS  # [乙胜]
    if max(a.cards[0].点数, a.cards[1].点数, a.cards[2].点数) > max(
        b.cards[0].点数, b.cards[1].点数, b.cards[2].点数
    ):  # [比点数]
        return A_WINS  # [甲胜]
    return B_WINS  # [乙胜]


PROPERTIES_四喜__at_是: Final = Properties({"权重": 9})


def build_四喜_(cards: Hand) -> dict[str, int] | None:
    # [四张吗]: only asked about 4 cards
    if not cards[0].点数 == cards[1].点数 == cards[2].点数 == cards[3].点数:  # [同点吗]
        return None  # [否]
    return PROPERTIES_四喜__at_是  # [是]


def compare_四喜_(a: Played, b: Played) -> bool:
    if a.cards[0].点数 > b.cards[0].点数:  # [比点数]
        return A_WINS  # [甲胜]
    return B_WINS  # [乙胜]


def compare_单张_with_对子_两张_(a: Played, b: Played) -> bool:
    if a.properties["权重"] >= b.properties["权重"]:  # [比权重]
        return A_WINS  # [甲胜]
    return B_WINS  # [乙胜]


def compare_顺子·三连_with_对子_两张_(a: Played, b: Played) -> bool:
    if a.properties["权重"] > b.properties["权重"]:  # [比权重]
        return A_WINS  # [甲胜]
    return B_WINS  # [乙胜]


def recognize_in(cards: Hand, game: QiangDuiziGame) -> Played | None:
    size = len(cards)
    if size == 1:
        if (found := build_单张(cards, game)) is not None:
            return Played("1", "单张", cards, found)
    elif size == 2:
        if (found := build_对子_两张_(cards, game)) is not None:
            return Played("2", "对子（两张）", cards, found)
    elif size == 3:
        if (found := build_顺子·三连(cards)) is not None:
            return Played("3", "顺子·三连", cards, found)
    elif size == 4:
        if (found := build_四喜_(cards)) is not None:
            return Played("4", "四喜！", cards, found)
    return None


def beats_in(now: Played, before: Played, game: QiangDuiziGame) -> bool:
    kind = now.cardset
    other = before.cardset
    if kind == other:
        if kind == "单张":
            return compare_单张(now, before, game)
        if kind == "对子（两张）":
            return compare_对子_两张_(now, before)
        if kind == "顺子·三连":
            return compare_顺子·三连(now, before)
        if kind == "四喜！":
            return compare_四喜_(now, before)
    if kind == "单张":
        if other == "对子（两张）":
            return compare_单张_with_对子_两张_(now, before)
    if kind == "对子（两张）":
        if other == "单张":
            return not compare_单张_with_对子_两张_(before, now)
        if other == "顺子·三连":
            return not compare_顺子·三连_with_对子_两张_(before, now)
    if kind == "顺子·三连":
        if other == "对子（两张）":
            return compare_顺子·三连_with_对子_两张_(now, before)
        return other == "单张"
    if kind == "四喜！":
        return other in ("单张", "对子（两张）", "顺子·三连")
    return False
