"""Timing that can be trusted on a busy machine: CPU time, contenders taking turns, medians and quartiles.

All contenders of a contest answer the same questions. In each round every one of them has a pass of about the same
length, in an order that changes from round to round, so that whatever slows the machine down slows all of them; a
ratio is the median of the ratios of the rounds. What the loop itself costs is measured too and taken off. The garbage
collector is off meanwhile: when it runs is chance.
"""

from __future__ import annotations

import gc
import math
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import process_time
from types import CodeType, FunctionType
from typing import Any, Final, TypeAlias, final

Run: TypeAlias = Callable[[int], float]
"""Goes through all questions so many times: CPU seconds."""

LEAST_PASS: Final = 0.004
"""Seconds that a pass must take, so that the clock's own grain does not matter."""


@final
@dataclass(frozen=True, slots=True)
class Spread:
    """A median with its quartiles."""

    low: float
    median: float
    high: float


def spread(samples: Sequence[float]) -> Spread:
    """The quartiles of some samples, of which there may be as few as one."""
    if len(samples) < 2:
        return Spread(samples[0], samples[0], samples[0])
    low, median, high = statistics.quantiles(samples, n=4, method="inclusive")
    return Spread(low, median, high)


def take_turns(
    runs: Mapping[str, Run], questions: int, rounds: int
) -> dict[str, list[float]]:
    """Seconds a question of each contender in each round.

    Args:
        runs: what answers all questions, by the contender's name.
        questions: how many they are.
        rounds: how often each has a turn.
    """
    loops = {name: _loops(run) for name, run in runs.items()}
    names = list(runs)
    samples: dict[str, list[float]] = {name: [] for name in names}
    with no_collections():
        for turn in range(rounds):
            start = turn % len(names)
            for name in names[start:] + names[:start]:
                seconds = runs[name](loops[name])
                samples[name].append(seconds / loops[name] / questions)
    return samples


@contextmanager
def no_collections() -> Iterator[None]:
    """The garbage collector stands still inside."""
    gc.collect()
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def calling(
    function: Callable[..., object], questions: Sequence[Any], *context: object
) -> Run:
    """A run that calls `function` with each question.

    Args:
        function: takes the question, or its two parts if questions are pairs, and then what the context gives.
        questions: lists of cards, or pairs of plays as tuples.
        context: nothing, or the match in which the questions are asked.
    """
    is_paired = bool(questions) and isinstance(questions[0], tuple)
    template = _TEMPLATES[is_paired, bool(context)]
    empty = _fresh(_EMPTY[is_paired])
    loop = _fresh(template)

    def run(loops: int) -> float:
        bare: float = empty(questions, loops)
        taken: float = loop(function, questions, loops, *context)
        return taken - bare

    return run


def _loops(run: Run) -> int:
    """How many times the questions are gone through in one pass; the warm-up of a contender as well."""
    loops = 1
    while True:
        seconds = run(loops)
        if seconds >= LEAST_PASS:
            return loops
        factor = LEAST_PASS * 1.2 / max(seconds, LEAST_PASS / 50)
        loops = math.ceil(loops * max(factor, 1.5))


def _fresh(template: CodeType) -> FunctionType:
    """A function of its own for one contender.

    CPython specialises the call in a loop for the function that it has met there; were the loop shared, the second
    contender would pay for the first.
    """
    return FunctionType(template.replace(), globals())


def _ask(function: Any, questions: Any, loops: int) -> float:
    start = process_time()
    for _ in range(loops):
        for question in questions:
            function(question)
    return process_time() - start


def _ask_in(function: Any, questions: Any, loops: int, match: Any) -> float:
    start = process_time()
    for _ in range(loops):
        for question in questions:
            function(question, match)
    return process_time() - start


def _ask_pairs(function: Any, questions: Any, loops: int) -> float:
    start = process_time()
    for _ in range(loops):
        for now, before in questions:
            function(now, before)
    return process_time() - start


def _ask_pairs_in(function: Any, questions: Any, loops: int, match: Any) -> float:
    start = process_time()
    for _ in range(loops):
        for now, before in questions:
            function(now, before, match)
    return process_time() - start


def _go_through(questions: Any, loops: int) -> float:
    start = process_time()
    for _ in range(loops):
        for _question in questions:
            pass
    return process_time() - start


def _go_through_pairs(questions: Any, loops: int) -> float:
    start = process_time()
    for _ in range(loops):
        for _now, _before in questions:
            pass
    return process_time() - start


# by whether questions are pairs, and whether they are asked in a match
_TEMPLATES: Final = {
    (False, False): _ask.__code__,
    (False, True): _ask_in.__code__,
    (True, False): _ask_pairs.__code__,
    (True, True): _ask_pairs_in.__code__,
}
_EMPTY: Final = {False: _go_through.__code__, True: _go_through_pairs.__code__}
