"""Fisher–Yates over SplitMix64: the match's own generator.

The state is one 64-bit integer, so that a saved match keeps one number and a refused action rolls it back with the
rest. The algorithm is point 23 of the project's decisions; the interpreter in the compiler follows it independently.
"""

from __future__ import annotations

from typing import Final, TypeVar

Item = TypeVar("Item")
MASK: Final = 2**64 - 1


def shuffle(items: list[Item], state: int) -> int:
    """Shuffle `items` in place; `state` is the generator's state before, the result its state afterwards."""
    mask = MASK
    for index in range(len(items) - 1, 0, -1):
        below = index + 1
        fair = (
            2**64 - 2**64 % below
        )  # numbers from here on would favour the small remainders
        while True:
            state = (state + 0x9E3779B97F4A7C15) & mask
            mixed = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & mask
            mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & mask
            mixed ^= mixed >> 31
            if mixed < fair:
                break
        other = mixed % below
        items[index], items[other] = items[other], items[index]
    return state
