# @generated from rules/big_two.json by `dealwright build`; do not edit.
"""The match flow of Big Two, cut where it waits for a player."""

from __future__ import annotations

from dealwright.runtime import (
    SETTLE,
    AwaitPlay,
    Next,
    PlayWait,
    modulo,
)

from .classes import (
    BigTwoGame,
)


def start(game: BigTwoGame) -> Next:
    game.shuffle()  # [shuffle]
    game.deal(13)  # [deal]
    return AwaitPlay("ask")  # [ask]


def after_play_ask(game: BigTwoGame) -> Next:
    if len(game.latest) > 0:  # [has_played]
        game.table.opened = 1  # [open]
        if game.current_player.手牌数 == 0:  # [is_out]
            return SETTLE  # [over]
    game.table.player_index = modulo(game.table.player_index + 1, 4)  # [pass_on]
    return AwaitPlay("ask")  # [ask]


RESUME = {
    "ask": PlayWait(after_play_ask, timer=30),  # [ask]
}
