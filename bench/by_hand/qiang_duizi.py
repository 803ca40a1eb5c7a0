"""`rules/qiang_duizi.json` by hand: 单张, 对子, 三连 and 四喜, whose weight depends on the suit that is trump."""

from __future__ import annotations

from typing import Final, Protocol

from bench.plays import HandPlay
from dealwright.runtime import CardBase, Play

SINGLE: Final = "1"
PAIR: Final = "2"
RUN: Final = "3"
FOUR: Final = "4"

TOP_RANK: Final = 8

WEIGHT_1: Final = {"权重": 1}
WEIGHT_2: Final = {"权重": 2}
WEIGHT_3: Final = {"权重": 3}
WEIGHT_4: Final = {"权重": 4}
WEIGHT_9: Final = {"权重": 9}


class Card(CardBase):
    """What these functions read of a card."""

    __slots__ = ()
    点数: int
    花色: int


class Table(Protocol):
    """What these functions read of the table."""

    王牌花色: int


class Game(Protocol):
    """What these functions read of a match."""

    @property
    def table(self) -> Table: ...


def recognize(cards: list[Card], game: Game) -> Play[Card] | None:
    """The cardset that the cards form at this moment of the match, or None."""
    size = len(cards)
    if size == 1:
        card = cards[0]
        is_top = card.点数 == TOP_RANK and card.花色 == game.table.王牌花色
        return HandPlay("1", "单张", cards, WEIGHT_2 if is_top else WEIGHT_1)
    if size == 2:
        first, second = cards
        if first.点数 == second.点数:
            trump = game.table.王牌花色
            has_trump = first.花色 == trump or second.花色 == trump
            return HandPlay(
                "2", "对子（两张）", cards, WEIGHT_3 if has_trump else WEIGHT_2
            )
    elif size == 3:
        first, second, third = cards
        ranks = [first.点数, second.点数, third.点数]
        ranks.sort()
        low, middle, high = ranks
        if low + 1 == middle and middle + 1 == high:
            is_flush = first.花色 == second.花色 == third.花色
            return HandPlay("3", "顺子·三连", cards, WEIGHT_4 if is_flush else WEIGHT_2)
    elif size == 4:
        first, second, third, fourth = cards
        if first.点数 == second.点数 == third.点数 == fourth.点数:
            return HandPlay("4", "四喜！", cards, WEIGHT_9)
    return None


def beats(now: Play[Card], before: Play[Card], game: Game) -> bool:
    """Whether `now` beats `before`."""
    kind = now.id
    other = before.id
    if kind == FOUR:
        return other != FOUR or now.cards[0].点数 > before.cards[0].点数
    if kind == SINGLE:
        if other == SINGLE:
            trump = game.table.王牌花色
            return _strength(now.cards[0], trump) > _strength(before.cards[0], trump)
        # against a pair the rule lets an equal weight win
        return other == PAIR and now.properties["权重"] >= before.properties["权重"]
    if other == FOUR:
        return False
    mine = now.properties["权重"]
    theirs = before.properties["权重"]
    if kind == PAIR:
        if other == PAIR:
            if mine != theirs:
                return mine > theirs
            return now.cards[0].点数 > before.cards[0].点数
        # of a run and a pair the run wins only by weight, of a pair and a single the single unless it is lighter
        return mine >= theirs if other == RUN else mine > theirs
    if other == RUN:
        if mine != theirs:
            return mine > theirs
        return _highest(now.cards) > _highest(before.cards)
    return other == SINGLE or mine > theirs


def _strength(card: Card, trump: int) -> int:
    """Twice the rank, and one more for a trump."""
    return card.点数 * 2 + (card.花色 == trump)


def _highest(cards: list[Card]) -> int:
    first, second, third = cards
    return max(first.点数, second.点数, third.点数)
