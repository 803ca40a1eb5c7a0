"""What several tests of the runtime need: matches at a certain point, and all of a match's state as bytes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import plain.classes
import toy
import toy.classes

from dealwright.runtime import CardBase, Match, Rejected

ToyMatch: TypeAlias = Match[toy.classes.Player, toy.classes.Table, toy.classes.Card]
PlainMatch: TypeAlias = Match[
    plain.classes.Player, plain.classes.Table, plain.classes.Card
]
CARDS = range(1, 25)


class BareCard(CardBase):
    """A card that has a number and nothing else."""

    __slots__ = ("id",)
    id: int

    def __init__(self, id: int) -> None:
        self.id = id


def everything(match: ToyMatch | PlainMatch) -> bytes:
    """All that a match is, events not yet taken included, without changing it."""
    game = match._game
    # the log holds live objects, whose repr shows their values
    log = [repr(entry) for entry in game.log]
    rest = [
        game.ticks >= 0,
        game.log_start,
        game.settling,
        match._cursors,
        match.finished,
        repr(match.pending),
    ]
    return json.dumps(
        [match.to_json(), log, rest, repr(match.results)], ensure_ascii=False
    ).encode()


def objects(match: ToyMatch | PlainMatch) -> list[int]:
    """The identities of everything that must stay the same object."""
    game = match._game
    lists = [game.deck, game.discard, game.hands, *game.hands, game.players, game.log]
    return [
        id(thing)
        for thing in (
            match.table,
            *match.players,
            *lists,
            *match.deck,
            *match.discard,
            *game.cards,
            game.latest,
        )
    ]


def at_play(
    hands: Sequence[Sequence[int]],
    discard: Sequence[int] = (),
    table: dict[str, int] | None = None,
) -> ToyMatch:
    """A match of 玩具 that waits for seat 0 to play; all other cards are in the deck."""
    away = {card for hand in hands for card in hand} | set(discard)
    return toy.arrange(
        hands=hands,
        deck=[card for card in CARDS if card not in away],
        discard=discard,
        table=table,
        wait="14",
    )


def random_moves(match: ToyMatch, seed: int, moves: int) -> Iterator[None]:
    """Act at random, refused actions included; yields after every action that was accepted."""
    rng = random.Random(seed)
    for _ in range(moves):
        wait = match.pending
        if wait is None:
            return
        player = match.ids[wait.seat]
        try:
            if wait.kind == "choose":
                match.choose(player, rng.choice((0, 1, 2, 7)))
            elif rng.random() < 0.2:
                match.skip(player)
            else:
                hand = match.hands[wait.seat]
                count = min(len(hand), rng.choice((1, 1, 1, 2)))
                match.play(player, rng.sample(hand, count))
        except Rejected:
            continue
        yield
