# @generated from rules/tiny.json by `dealwright build`; do not edit.
"""How Tiny settles one player: his result."""

from __future__ import annotations

from .classes import (
    TinyGame,
)


def settle(game: TinyGame) -> int:
    if game.current_player.手牌数 == 0:  # [is_out]
        return 1  # [won]
    return 0  # [lost]
