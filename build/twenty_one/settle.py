# @generated from rules/twenty_one.json by `dealwright build`; do not edit.
"""How Twenty-one settles one player: his result."""

from __future__ import annotations

from .classes import (
    TwentyOneGame,
)


def settle(game: TwentyOneGame) -> int:
    if game.current_player.total() == game.table.cur_max:  # [is_best]
        return 1  # [won]
    return 0  # [lost]
