# @generated from rules/qiang_duizi.json by `dealwright build`; do not edit.
"""How 抢对子 settles one player: his result."""

from __future__ import annotations

from .classes import (
    QiangDuiziGame,
)


def settle(game: QiangDuiziGame) -> int:
    if all(player.得分 == game.table.cur_max for player in game.players):  # [都一样吗]
        return 0  # [平]
    if game.current_player.得分 != game.table.cur_max:  # [最高吗]
        return -1  # [负]
    if game.current_player.class_ != 0:  # [是庄家吗]
        return 2  # [庄家胜]
    return 1  # [闲家胜]
