# @generated from rules/big_two.json by `dealwright build`; do not edit.
"""How Big Two settles one player: his result."""

from __future__ import annotations

from .classes import (
    BigTwoGame,
)


def settle(game: BigTwoGame) -> int:
    if game.current_player.手牌数 == 0:  # [is_out]
        return 3  # [won]
    return -1  # [lost]
