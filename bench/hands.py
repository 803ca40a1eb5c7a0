"""Hands of 14 of a deck of 27 kinds, four of each, for everybody who measures or tests patterns; the same for the same seed.

Kinds are numbers: 0 to 8 are the ranks of the first suit, 9 to 17 of the second, 18 to 26 of the third.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final, Literal, TypeAlias

from dealwright.runtime.patterns import Deck, Face, run, same

Kind: TypeAlias = Literal["winning", "near", "random"]
Hand: TypeAlias = list[int]

MELD: Final = run(3) | same(3)
PAIR: Final = same(2)

FACES: Final = tuple(Face(suit, rank) for suit in range(3) for rank in range(1, 10))
"""What kind `n` shows."""

WILD: Final = len(FACES)
"""A number more, for those who want wild cards; `hands` has none."""

BIG: Final = Deck({**dict(enumerate(FACES)), WILD: None}, copies=4)


def hands(kind: Kind, count: int, seed: int = 1) -> list[Hand]:
    """Hands in random order of cards, never more than four of a kind.

    Args:
        kind: "winning": four random runs or sets and a pair, one in eight seven pairs instead. "near": a winning hand
            with one card exchanged for a random one, so that now and then it wins still. "random": 14 cards off a
            shuffled deck.
    """
    source = Random(f"{kind} {seed}")
    wall = [number for number in range(27) for _ in range(4)]
    found: list[Hand] = []
    while len(found) < count:
        hand = source.sample(wall, 14) if kind == "random" else _winning(source)
        if kind == "near":
            hand[source.randrange(14)] = source.randrange(27)
        if max(Counter(hand).values()) <= 4:
            source.shuffle(hand)
            found.append(hand)
    return found


def _winning(source: Random) -> Hand:
    while True:
        if source.randrange(8):
            parts = [_meld(source) for _ in range(4)] + [[source.randrange(27)] * 2]
        else:
            parts = [[source.randrange(27)] * 2 for _ in range(7)]
        hand = [number for part in parts for number in part]
        if max(Counter(hand).values()) <= 4:
            return hand


def _meld(source: Random) -> Hand:
    if source.randrange(4):
        first = source.randrange(3) * 9 + source.randrange(7)
        return [first, first + 1, first + 2]
    return [source.randrange(27)] * 3
