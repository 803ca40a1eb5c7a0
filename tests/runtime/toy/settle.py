"""The settlement of one player of 玩具."""

from __future__ import annotations

from toy.classes import Toy


def settle(game: Toy) -> int:
    table = game.table
    if table.class_ == 71 and table.settlement_index == 0:  # [2]
        table.settlement_index = 1  # [3]
    if table.class_ == 95:  # [4]
        table.settlement_index = -7  # [5]
    if table.class_ in (96, 97) and table.settlement_index == 1:  # [6]
        return game.players[1000].score  # [7]
    return game.current_player.结算分(game, 2)  # [8]
