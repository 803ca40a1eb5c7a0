# @generated from rules/qiang_duizi.json by `dealwright build`; do not edit.
"""The match flow of 抢对子, cut where it waits for a player."""

from __future__ import annotations

from dealwright.runtime import (
    SETTLE,
    AwaitChoice,
    AwaitPlay,
    ChoiceWait,
    Next,
    PlayWait,
    divide,
    modulo,
)

from .cardsets import (
    build_对子_两张_,
)
from .classes import (
    QiangDuiziGame,
)


def start(game: QiangDuiziGame) -> Next:
    game.players[0].class_ = 1  # [定庄]
    game.card(19).当宝牌(2)  # [定宝牌]
    game.shuffle()  # [洗牌]
    game.deal(1, lambda card: 7 <= card.点数 <= 8)  # [发大牌]
    game.deal(6)  # [发手牌]
    game.deck.sort(key=lambda card: card.点数, reverse=True)  # [理余牌]
    game.table.王牌花色 = game.deck[0].花色 if game.deck else 0  # [定王牌]
    return AwaitChoice("问底分")  # [问底分]


def after_choice_问底分(game: QiangDuiziGame) -> Next:
    game.table.底分 = game.choice  # [定底分]
    return AwaitPlay("出牌")  # [出牌]


def after_play_出牌(game: QiangDuiziGame) -> Next:
    if len(game.latest) > 0:  # [没出吗]
        if (
            len(game.latest) == 2 and build_对子_两张_(game.latest, game) is not None
        ):  # [是对子吗]
            game.current_player.记分(
                game,
                game.table.算分(
                    len(game.latest),
                    divide(game.table.手数, len(game.players)) == 0
                    or any(card.倍_数 > 1 for card in game.latest),
                ),
            )  # [对子得分]
        game.table.手数 += 1  # [数手数]
        if any(player.手牌数 <= 0 for player in game.players):  # [有人出完吗]
            game.current_player.记分(game, game.table.算分(3, False))  # [出完得分]
            return SETTLE  # [散局]
    game.table.player_index = modulo(
        game.table.player_index + 1, len(game.players)
    )  # [换人]
    return AwaitPlay("出牌")  # [出牌]


RESUME = {
    "问底分": ChoiceWait(after_choice_问底分, timer=20, options=(1, 2, 3)),  # [问底分]
    "出牌": PlayWait(after_play_出牌, timer=30),  # [出牌]
}
