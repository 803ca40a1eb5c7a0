"""RLCard: environments of card games for reinforcement learning, mahjong and Dou Dizhu among them."""

from __future__ import annotations

from random import Random
from typing import Any

import rlcard  # type: ignore[import-not-found]
from rlcard.games.base import Card  # type: ignore[import-not-found]
from rlcard.games.doudizhu.judger import (  # type: ignore[import-not-found]
    DoudizhuJudger,
)
from rlcard.games.doudizhu.utils import (  # type: ignore[import-not-found]
    CARD_RANK_STR,
    CARD_TYPE,
    cards2str,
)
from rlcard.games.mahjong.card import MahjongCard  # type: ignore[import-not-found]
from rlcard.games.mahjong.judger import MahjongJudger  # type: ignore[import-not-found]
from rlcard.games.mahjong.player import MahjongPlayer  # type: ignore[import-not-found]

from bench.rivals.serve import Task, serve

SUITS = ("characters", "dots", "bamboo")
ACTIONS = {"gong": "GANG", "pong": "PENG", "chow": "CHOW"}
JUDGER = MahjongJudger(None)


def holding(hand: list[int]) -> Any:
    """A player with that hand."""
    player = MahjongPlayer(0, None)
    player.hand = [MahjongCard(SUITS[kind // 9], str(kind % 9 + 1)) for kind in hand]
    return player


def is_complete(player: Any) -> bool:
    """Whether his hand wins."""
    won, _ = JUDGER.judge_hu(player)
    return bool(won)


class Dealer:
    """What RLCard's judge reads of a dealer: the discards."""

    def __init__(self, discard: Any) -> None:
        self.table = [discard]


def table(deal: list[list[int]]) -> Any:
    """A discard and four players with their hands, as `bench.rows.claims` deals them."""
    *hands, (discard,) = deal
    players = [MahjongPlayer(seat, None) for seat in range(len(hands))]
    for player, hand in zip(players, hands, strict=True):
        player.hand = [ranked(kind) for kind in hand]
    return Dealer(ranked(discard)), players


def ranked(kind: int) -> Any:
    """A card with the number that chows are found by."""
    card = MahjongCard(SUITS[kind // 9], str(kind % 9 + 1))
    card.set_index_num(kind % 9)
    return card


def who_claims(position: Any) -> list[str | int] | None:
    """Who may take the discard of player 0, and how: a pong or gong before a chow, as RLCard's rounds ask."""
    dealer, players = position
    action, player, _ = JUDGER.judge_pong_gong(dealer, players, 0)
    if not action:
        action, player, _ = JUDGER.judge_chow(dealer, players, 0)
    return [ACTIONS[action], player.player_id] if action else None


def held(ranks: list[int]) -> list[Any]:
    """Cards of these ranks, from 3; the suits are of no matter, and jokers have no rank."""
    cards = []
    for rank in ranks:
        sign = CARD_RANK_STR[rank - 3]
        cards.append(Card(f"{sign}J", "") if sign in "BR" else Card("S", sign))
    return cards


def which_play(cards: list[Any]) -> str | None:
    """The play that the cards are, by the table of all plays."""
    found = CARD_TYPE[0].get(cards2str(cards))
    return found[0][0] if found else None


def signs(ranks: list[int]) -> str:
    """A hand as RLCard spells it: the sign of each rank, from 3, ascending."""
    return "".join(CARD_RANK_STR[rank - 3] for rank in ranks)


def all_leads(hand: str) -> Any:
    """Everything that can be played from a hand."""
    return DoudizhuJudger.playable_cards_from_hand(hand)


class Table:
    """A game that somebody plays at random, and the next one when it is over."""

    def __init__(self) -> None:
        self._game = rlcard.make("mahjong", config={"seed": 1})
        self._choices = Random(1)
        self._state: Any = None

    def step(self, _: object) -> bool:
        """One action of whoever's turn it is; ends with the look whether the game is over, as RLCard's own loop does."""
        if self._state is None:
            self._state, _ = self._game.reset()
        action = self._choices.choice(list(self._state["legal_actions"]))
        self._state, _ = self._game.step(action)
        if self._game.is_over():
            self._state = None
        return True


if __name__ == "__main__":
    tasks = {
        "is-it-complete": Task(is_complete, holding),
        "who-claims": Task(who_claims, table),
        "which-play": Task(which_play, held),
        "all-leads": Task(all_leads, signs, sorted),
        "step": Task(Table().step),
    }
    serve("rlcard", tasks)
