# @generated from rules/war.json by `dealwright build`; do not edit.
"""How War settles one player: his result."""

from __future__ import annotations

from .classes import (
    WarGame,
)


def settle(game: WarGame) -> int:
    theirs = (
        game.players[0].round_wins
        + game.players[1].round_wins
        - game.current_player.round_wins
    )  # [is_ahead]
    if game.current_player.round_wins > theirs:  # [is_ahead]
        return 1  # [won]
    if game.current_player.round_wins < theirs:  # [is_behind]
        return -1  # [lost]
    return 0  # [drawn]
