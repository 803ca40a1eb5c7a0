"""Which action beats which: a strict partial order, from numbers or from what each action says that it beats."""

from __future__ import annotations

from collections.abc import Mapping

Beats = Mapping[str, frozenset[str]]


def by_numbers(priorities: Mapping[str, int]) -> dict[str, frozenset[str]]:
    """A higher number beats a lower one; equal numbers do not beat each other."""
    return {
        name: frozenset(
            other for other, number in priorities.items() if number < priority
        )
        for name, priority in priorities.items()
    }


def closure(beaten: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """What each action beats directly or through others. An action in its own set is on a cycle.

    Args:
        beaten: what each action says that it beats; all of them are keys.
    """
    whole = dict(beaten)
    while True:
        # each round reaches twice as far
        wider = {
            name: below.union(*(whole[other] for other in below))
            for name, below in whole.items()
        }
        if wider == whole:
            return whole
        whole = wider


def levels(beats: Beats) -> dict[str, int]:
    """For each action the length of the longest chain below it; `beats` must be closed and without cycles."""
    level: dict[str, int] = {}
    for name in sorted(beats, key=lambda each: (len(beats[each]), each)):
        # whatever it beats, beats fewer, so its level is known
        level[name] = max((level[other] + 1 for other in beats[name]), default=0)
    return level


def ties(beats: Beats) -> list[tuple[str, str]]:
    """Pairs of different actions of which neither beats the other, in the order of `beats`."""
    names = list(beats)
    return [
        (first, second)
        for index, first in enumerate(names)
        for second in names[index + 1 :]
        if second not in beats[first] and first not in beats[second]
    ]


def is_ranked(beats: Beats) -> bool:
    """Whether actions that do not beat each other beat, and are beaten by, the same ones, as with numbers.

    Then what beats more is what beats the other, and one look at each claim finds the strongest.
    """
    return all(
        (other in below) == (len(below) > len(beats[other]))
        for below in beats.values()
        for other in beats
    )
