"""The match flow of 比大小, cut where it waits for a player."""

from __future__ import annotations

from dealwright.runtime import SETTLE, AwaitPlay, Next, PlayWait
from plain.classes import Plain


def start(game: Plain) -> Next:
    game.shuffle()  # [2]
    game.deal(5)  # [3]
    return AwaitPlay("4")  # [4]


def after_play_4(game: Plain) -> Next:
    table = game.table
    if game.latest:  # [5]
        game.current_player.wins += 1  # [6]
    table.player_index = (table.player_index + 1) % 2  # [7]
    if game.current_player.手牌数 == 0:  # [8]
        return SETTLE  # [9]
    table.round += 1  # [10]
    if table.round < 40:  # [11]
        return AwaitPlay("4")  # [4]
    return SETTLE  # [9]


RESUME = {
    "4": PlayWait(after_play_4, timer=30),  # [4]
}
