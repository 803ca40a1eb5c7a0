# @generated from rules/twenty_one.json by `dealwright build`; do not edit.
"""The match flow of Twenty-one, cut where it waits for a player."""

from __future__ import annotations

from dealwright.runtime import (
    SETTLE,
    AwaitChoice,
    ChoiceWait,
    Next,
    at,
)

from .classes import (
    NO_CARD,
    TwentyOneGame,
)


def start(game: TwentyOneGame) -> Next:
    game.shuffle()  # [shuffle]
    return at_first_card(game)


def at_first_card(game: TwentyOneGame) -> Next:
    game.current_player.take(
        game, at(game.deck, game.table.turned, NO_CARD)
    )  # [first_card]
    game.current_player.take(
        game, at(game.deck, game.table.turned, NO_CARD)
    )  # [second_card]
    return AwaitChoice("ask")  # [ask]


def after_choice_ask(game: TwentyOneGame) -> Next:
    if game.choice != 0:  # [wants_card]
        game.current_player.take(
            game, at(game.deck, game.table.turned, NO_CARD)
        )  # [hit_card]
        if game.current_player.total() < 21 and game.table.turned < len(
            game.deck
        ):  # [must_stop]
            return AwaitChoice("ask")  # [ask]
    total = game.current_player.total()  # [end_turn]
    if total <= 21 and total > game.table.cur_max:  # [end_turn]
        game.table.cur_max = total  # [keep_best]
    if game.table.player_index + 1 >= len(game.players):  # [last_seat]
        return SETTLE  # [over]
    game.table.player_index += 1  # [next_turn]
    return at_first_card(game)


RESUME = {
    "ask": ChoiceWait(after_choice_ask, timer=20, options=(1, 0)),  # [ask]
}
