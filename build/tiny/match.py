# @generated from rules/tiny.json by `dealwright build`; do not edit.
"""The match flow of Tiny, cut where it waits for a player."""

from __future__ import annotations

from dealwright.runtime import (
    SETTLE,
    AwaitPlay,
    Next,
    PlayWait,
)

from .classes import (
    TinyGame,
)


def start(game: TinyGame) -> Next:
    game.deal(1)  # [deal]
    return AwaitPlay("ask")  # [ask]


def after_play_ask(game: TinyGame) -> Next:
    return SETTLE  # [over]


RESUME = {
    "ask": PlayWait(after_play_ask, timer=30),  # [ask]
}
