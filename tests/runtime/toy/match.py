"""The match flow of 玩具, cut where it waits for a player."""

from __future__ import annotations

from dealwright.runtime import (
    SETTLE,
    AwaitChoice,
    AwaitPlay,
    ChoiceWait,
    Hop,
    Next,
    PlayWait,
    modulo,
)
from toy.classes import Toy


def start(game: Toy) -> Next:
    table = game.table
    game.shuffle()  # [2]
    game.deal(3)  # [3]
    game.deal(1, lambda card: 1 <= card.点数 <= 4)  # [4]
    table.player_index = 0  # [5]
    return AwaitChoice("6")  # [6]


def after_choice_6(game: Toy) -> Next:
    table = game.table
    table.class_ = game.choice  # [7]
    if game.choice in (70, 71, 97):  # [9]
        return SETTLE  # [10]
    if game.choice >= 90:  # [8]
        return Hop(spoil_20)
    table.trump = game.choice  # [11]
    while True:
        game.tick()
        table.rounds += 1  # [12]
        if table.rounds >= 3:  # [13]
            break
    return AwaitPlay("14")  # [14]


def spoil_20(game: Toy) -> Next:
    table = game.table
    table.rounds = 1000  # [20]
    table.settlement_index = 3  # [21]
    table.用户做出的选择 += 100  # [21b]
    game.player(0).score = 1000  # [22]
    game.player(0).手牌数 = 77  # [22b]
    game.player(50).score += 1000  # [23]
    game.card(1).记号 = 9  # [24]
    game.card(1).记号 += 1  # [24b]
    game.deck.sort(key=lambda card: -card.点数)  # [25]
    game.shuffle()  # [26]
    game.deal(1)  # [27]
    if game.choice == 190:  # [28]
        while True:
            game.tick()
            table.rounds += 1  # [29]
    if game.choice == 191:  # [30]
        game.deal(1000)  # [31]
    if game.choice == 192:  # [32]
        return Hop(round_40)
    if game.choice == 193:  # [33]
        table.rounds = (
            game.player(0).score
            + game.player(1).score
            + game.players[1000].score
            + sum(card.点数 for card in game.deck)
        )  # [34]
    if game.choice == 194:  # [35]
        table.rounds = sum(card.点数 // 0 for card in game.deck)  # [36]
    if game.choice == 199:  # [37]
        table.rounds = game.player(0).结算分(game, 2)  # [38]
    return SETTLE  # [39]


def round_40(game: Toy) -> Next:
    game.table.index += 1  # [40]
    return Hop(round_41)


def round_41(game: Toy) -> Next:
    game.table.cur_max += 1  # [41]
    return Hop(round_40)


def after_play_14(game: Toy) -> Next:
    table = game.table
    if game.latest:  # [15]
        game.latest[0].记号 = table.rounds  # [16]
        game.current_player.score += game.latest[0].点数  # [17]
    if game.current_player.手牌数 == 0 and game.current_player.score > 100:  # [18]
        return SETTLE  # [19]
    table.player_index = modulo(table.player_index + 1, len(game.players))  # [50]
    if game.hands[0] or game.hands[-1]:  # [51]
        return AwaitPlay("14")  # [14]
    return SETTLE  # [19]


RESUME = {
    "6": ChoiceWait(
        after_choice_6,
        timer=15,
        options=(0, 1, 2, 7, 55, 70, 71, 90, 91, 92, 93, 94, 95, 96, 97, 99),
    ),  # [6]
    "14": PlayWait(after_play_14, timer=30),  # [14]
}
