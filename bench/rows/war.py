"""Whole matches of war: from `new_match` to the result, every action checked, events taken after each as a server does."""

from __future__ import annotations

from time import process_time
from typing import Any, Final, TypeAlias

from bench.contest import A_SECOND, Answers, Contender, Contest, Row, Setting, at_least
from bench.subjects import Package

Match: TypeAlias = Any
Actions: TypeAlias = list[list[Any]]

PLAYERS: Final = ("ann", "bo")
MATCHES: Final = 50


def _prepare(setting: Setting) -> Contest:
    package = setting.subject("war").package
    seeds = range(setting.seed, setting.seed + MATCHES)
    scripts = [(seed, _script(package, seed)) for seed in seeds]

    def run(loops: int) -> float:
        start = process_time()
        for _ in range(loops):
            for seed, actions in scripts:
                _act(package, seed, actions)
        return process_time() - start

    def answers() -> Answers:
        return [_act(package, seed, actions).results for seed, actions in scripts]

    questions = sum(len(actions) for _, actions in scripts)
    return Contest(questions, Contender("dealwright", answers, run))


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


ROWS: Final = (
    Row(
        "war-match",
        "actions in whole matches of war, with events",
        A_SECOND,
        _prepare,
        aim=at_least(200_000),
    ),
)
