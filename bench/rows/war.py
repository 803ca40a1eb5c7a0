"""Whole matches of war: from `new_match` to the result, every action checked, events taken after each as a server does.

Once each match by itself, with the events left as they are and with each of them read, and once ten times `--count` of
them alive at the same time and taking turns. There the garbage collector is at work as it is in a server, since it is
what many objects are paid for with.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from itertools import cycle, islice
from time import process_time
from typing import Any, Final, TypeAlias, final

from bench.contest import A_SECOND, Answers, Contender, Contest, Row, Setting, at_least
from bench.subjects import Package

Match: TypeAlias = Any
Actions: TypeAlias = list[list[Any]]
Scripts: TypeAlias = list[tuple[int, Actions]]

PLAYERS: Final = ("ann", "bo")
MATCHES: Final = 50


def _prepare(
    act: Callable[[Package, int, Actions], Match], setting: Setting
) -> Contest:
    package = setting.subject("war").package
    seeds = range(setting.seed, setting.seed + MATCHES)
    scripts = [(seed, _script(package, seed)) for seed in seeds]

    def run(loops: int) -> float:
        start = process_time()
        for _ in range(loops):
            for seed, actions in scripts:
                act(package, seed, actions)
        return process_time() - start

    def answers() -> Answers:
        return [act(package, seed, actions).results for seed, actions in scripts]

    questions = sum(len(actions) for _, actions in scripts)
    return Contest(questions, Contender("dealwright", answers, run))


def _alive(setting: Setting) -> Contest:
    package = setting.subject("war").package
    seeds = range(setting.seed, setting.seed + MATCHES)
    scripts = [(seed, _script(package, seed)) for seed in seeds]
    at_once = 10 * setting.count
    rooms = [_Room(package, scripts, number) for number in range(at_once)]

    def run(loops: int) -> float:
        gc.enable()
        start = process_time()
        for _ in range(loops):
            for room in rooms:
                room.act()
        taken = process_time() - start
        gc.disable()
        return taken

    def answers() -> Answers:
        return [sum(not room.match.finished for room in rooms)]

    return Contest(at_once, Contender("dealwright", answers, run))


@final
class _Room:
    """A match in which somebody acts now and then; after the last action comes the first of a new match."""

    __slots__ = ("actions", "match", "package", "scripts")

    def __init__(self, package: Package, scripts: Scripts, number: int) -> None:
        self.package = package
        self.scripts = islice(cycle(scripts), number % len(scripts), None)
        self._open()
        # a server's matches are at different actions too
        for _ in range(number % len(scripts[0][1])):
            self.act()

    def act(self) -> None:
        if not self.actions:
            self._open()
        seat, _, cards = self.actions.pop()
        self.match.play(PLAYERS[seat], cards)
        self.match.take_events()

    def _open(self) -> None:
        seed, actions = next(self.scripts)
        self.actions = actions[::-1]
        self.match = self.package.new_match(PLAYERS, seed=seed)
        self.match.take_events()


def _script(package: Package, seed: int) -> Actions:
    """The actions of a match in which everybody plays the first card of his hand."""
    match = package.new_match(PLAYERS, seed=seed)
    while not match.finished:
        seat = match.pending.seat
        match.play(PLAYERS[seat], match.hands[seat][:1])
    actions: Actions = match.actions
    return actions


def _act(package: Package, seed: int, actions: Actions) -> Match:
    match = package.new_match(PLAYERS, seed=seed)
    match.take_events()
    for seat, _, cards in actions:
        match.play(PLAYERS[seat], cards)
        match.take_events()
    return match


def _act_and_tell(package: Package, seed: int, actions: Actions) -> Match:
    match = package.new_match(PLAYERS, seed=seed)
    _read(match)
    for seat, _, cards in actions:
        match.play(PLAYERS[seat], cards)
        _read(match)
    return match


def _read(match: Match) -> None:
    """Look at what each event tells; until somebody does, an event is a tuple."""
    for event in match.take_events():
        _ = event.fields


ROWS: Final = (
    Row(
        "war-match",
        "actions in whole matches of war, events taken",
        A_SECOND,
        partial(_prepare, _act),
        aim=at_least(200_000),
    ),
    Row(
        "war-match-read",
        "the same, and each event read",
        A_SECOND,
        partial(_prepare, _act_and_tell),
    ),
    Row(
        "war-alive",
        "actions in matches of war, ten times --count alive and taking turns",
        A_SECOND,
        _alive,
    ),
)
