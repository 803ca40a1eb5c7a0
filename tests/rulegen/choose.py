"""Where the generator's choices come from: hypothesis, which can shrink them, or a seeded generator, which is fast.

All choices are integers between two bounds, so that hypothesis shrinks towards the first item and the smallest number.
Every list of alternatives in this package therefore starts with the simplest one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


class Chooser(Protocol):
    """A source of choices; everything else is built on `integer`."""

    def integer(self, low: int, high: int) -> int:
        """An integer from `low` to `high`, both included; the simplest choice is `low`."""
        ...


TAPE = 2_400  # bytes of choices; more than most rules need


def tapes() -> st.SearchStrategy[bytes]:
    """The strategy of what `TapeChoices` reads."""
    return st.binary(min_size=TAPE, max_size=TAPE)


class TapeChoices:
    """Choices read from bytes that hypothesis drew in one go, several from each three bytes.

    Drawing each choice by itself takes ten times as long, overruns hypothesis's limit on large rules, and makes it
    spend four fifths of its examples on near copies of others. Zero bytes, and all choices after the end of the tape,
    are the simplest choices.
    """

    def __init__(self, tape: bytes) -> None:
        self._tape = tape
        self._place = 0
        self._stored = 0
        self._range = 1

    def integer(self, low: int, high: int) -> int:
        """See `Chooser`."""
        count = high - low + 1
        if count == 1:
            return low
        if self._range < 8 * count:  # too little left to choose evenly
            piece = self._tape[self._place : self._place + 3]
            self._stored, self._range = int.from_bytes(piece, "little"), 2**24
            self._place += 3
        self._stored, chosen = divmod(self._stored, count)
        self._range //= count
        return low + chosen


class SeededChoices:
    """Choices of a seeded generator."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def integer(self, low: int, high: int) -> int:
        """See `Chooser`."""
        return self._random.randint(low, high)


def pick(choose: Chooser, items: Sequence[T]) -> T:
    """One of the items; the first is the simplest."""
    return items[choose.integer(0, len(items) - 1)]


def chance(choose: Chooser, percent: int) -> bool:
    """True in so many of a hundred cases; the simplest answer is False."""
    return choose.integer(0, 99) >= 100 - percent


def weighted(choose: Chooser, items: Sequence[tuple[int, T]]) -> T:
    """One of the items, each as often as its weight says; the first is the simplest."""
    place = choose.integer(0, sum(weight for weight, _ in items) - 1)
    for weight, item in items:
        place -= weight
        if place < 0:
            return item
    raise AssertionError("the weights of a choice must be positive")


def several(choose: Chooser, items: Sequence[T], low: int, high: int) -> list[T]:
    """Between `low` and `high` different items, in random order (fewer if there are fewer)."""
    rest = list(items)
    count = min(choose.integer(low, high), len(rest))
    return [rest.pop(choose.integer(0, len(rest) - 1)) for _ in range(count)]
