"""Saving and loading a running match, and the memory that live matches take.

The match that is saved has 54 cards and four players: big two with 54 ranks and one suit, some tricks into the game.
"""

from __future__ import annotations

import gc
import json
import tracemalloc
from collections.abc import Iterator
from itertools import count, islice
from typing import Any, Final, TypeAlias

from bench.contest import (
    KILOBYTES,
    MICROSECONDS,
    Answers,
    Contender,
    Contest,
    Quantity,
    Row,
    Setting,
    at_most,
)
from bench.subjects import Json, Match, Package, package_of
from bench.timing import calling

PLAYERS: Final = ("ann", "bo", "cy", "di")
CARDS: Final = 54
TURNS: Final = 24
SAMPLES: Final = 5

Matches: TypeAlias = list[Match]


def _saving(setting: Setting) -> Contest:
    package = _large(setting)
    match = _running(package, next(_openings(package, setting.seed)))

    def save(_: object) -> object:
        return match.to_json()

    def answers() -> Answers:
        return [match.to_json()]

    return Contest(1, Contender("dealwright", answers, calling(save, [0])))


def _loading(setting: Setting) -> Contest:
    package = _large(setting)
    state = _running(package, next(_openings(package, setting.seed))).to_json()
    load = package.match_from_json

    def answers() -> Answers:
        return [load(state).to_json() == state]

    return Contest(1, Contender("dealwright", answers, calling(load, [state])))


def _memory(setting: Setting) -> Quantity:
    package = setting.subject("big_two").package
    at_once = 10 * setting.count // SAMPLES
    seeds = list(islice(_openings(package, setting.seed), at_once * SAMPLES))
    _running(package, seeds[0])  # what is made once is not a match's
    matches: Matches = []
    samples: list[float] = []
    tracemalloc.start()
    try:
        while len(matches) < len(seeds):
            gc.collect()
            before = tracemalloc.get_traced_memory()[0]
            chosen = seeds[len(matches) : len(matches) + at_once]
            matches += [_running(package, seed) for seed in chosen]
            gc.collect()
            samples.append((tracemalloc.get_traced_memory()[0] - before) / at_once)
    finally:
        tracemalloc.stop()
    return Quantity(samples)


def _large(setting: Setting) -> Package:
    """Big two with 54 ranks of one suit."""
    design: Json = json.loads(json.dumps(setting.subject("big_two").design))
    properties = design["classes"]["card"]["default_properties"]
    properties["rank"]["config"] = [
        {"id": f"rank-{rank}", "display": str(rank), "value": rank}
        for rank in range(3, 3 + CARDS)
    ]
    properties["suit"]["config"] = properties["suit"]["config"][:1]
    return package_of(
        json.dumps(design).encode(), "rules/large.json", players=len(PLAYERS)
    )


def _openings(package: Package, seed: int) -> Iterator[int]:
    """Seeds from `seed` on whose first seat has the card that the game opens with.

    Whoever passes as a leader is searched for something he could lead, which would take longer than the whole rest.
    """
    for number in count(seed):
        match = package.new_match(PLAYERS, seed=number)
        if any(card.id == 1 for card in match.hands[0]):
            yield number


def _running(package: Package, seed: int) -> Match:
    """A match some turns on, its events taken: who can beat the last card with a single does so as low as he can."""
    match = package.new_match(PLAYERS, seed=seed)
    for _ in range(TURNS):
        seat = match.pending.seat
        card = _answer(match, match.hands[seat])
        if card is None:
            match.skip(PLAYERS[seat])
        else:
            match.play(PLAYERS[seat], [card])
    match.take_events()
    return match


def _answer(match: Match, hand: list[Any]) -> Any:
    if match.previous is None:
        return next(card for card in hand if card.id == 1)
    seat, play = match.previous
    is_leading = seat == match.pending.seat
    floor = -1 if is_leading else _strength(play.cards[0])
    better = [card for card in hand if _strength(card) > floor]
    return min(better, key=_strength, default=None)


def _strength(card: Any) -> int:
    return int(card.rank * 4 + card.suit)


ROWS: Final = (
    Row(
        "save",
        "to_json: 54 cards, four players",
        MICROSECONDS,
        _saving,
        aim=at_most(15),
    ),
    Row(
        "load",
        "match_from_json of the same",
        MICROSECONDS,
        _loading,
        aim=at_most(15),
    ),
    Row(
        "live-matches",
        "memory of a running big_two match, ten times --count alive",
        KILOBYTES,
        _memory,
        aim=at_most(20),
    ),
)
