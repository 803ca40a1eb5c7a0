"""The settlement of one player of 比大小."""

from __future__ import annotations

from plain.classes import Plain


def settle(game: Plain) -> int:
    return game.current_player.wins  # [2]
