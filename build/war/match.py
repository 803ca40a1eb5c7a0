# @generated from rules/war.json by `dealwright build`; do not edit.
"""The match flow of War, cut where it waits for a player."""

from __future__ import annotations

from dealwright.runtime import (
    SETTLE,
    AwaitPlay,
    Next,
    PlayWait,
)

from .classes import (
    WarGame,
)


def start(game: WarGame) -> Next:
    game.shuffle()  # [shuffle]
    game.deal(10)  # [deal]
    game.table.player_index = game.table.leader  # [lead_turn]
    return AwaitPlay("ask_lead")  # [ask_lead]


def after_play_ask_lead(game: WarGame) -> Next:
    game.table.lead_rank = game.latest[0].rank if game.latest else 0  # [keep_lead]
    game.table.player_index = 1 - game.table.leader  # [reply_turn]
    return AwaitPlay("ask_reply")  # [ask_reply]


def after_play_ask_reply(game: WarGame) -> Next:
    game.table.reply_rank = game.latest[0].rank if game.latest else 0  # [keep_reply]
    if game.table.reply_rank > game.table.lead_rank:  # [reply_wins]
        game.table.leader = game.table.player_index  # [take_lead]
        game.current_player.round_wins += 1  # [score]
    elif game.table.lead_rank > game.table.reply_rank:  # [lead_wins]
        game.table.player_index = game.table.leader  # [back_to_leader]
        game.current_player.round_wins += 1  # [score]
    game.table.round += 1  # [count_round]
    if game.table.round >= 10:  # [more_rounds]
        return SETTLE  # [over]
    game.table.player_index = game.table.leader  # [lead_turn]
    return AwaitPlay("ask_lead")  # [ask_lead]


RESUME = {
    "ask_lead": PlayWait(after_play_ask_lead, timer=30),  # [ask_lead]
    "ask_reply": PlayWait(after_play_ask_reply, timer=30),  # [ask_reply]
}
