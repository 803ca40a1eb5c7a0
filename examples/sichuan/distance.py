"""How far a hand is from being ready: the least number of tiles that would have to be exchanged.

    distance("46m 789m 234p 678p 99p") == 0: ready    one more for each tile that is missing    -1: complete

Each suit is taken apart once into what it can give (groups, two thirds of a group, a pair) and remembered; a hand is the
best sum over its suits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from examples.sichuan.tiles import RANKS, SUITS, Suit, Tile

Counts: TypeAlias = tuple[int, ...]
"""How many of each rank of a suit."""

GROUPS: Final = 4
Gives: TypeAlias = tuple[int, ...]
"""The most incomplete groups beside 0, 1, … 4 groups, without a pair and then with one; -9 where that cannot be."""

IMPOSSIBLE: Final = -9
WIDTH: Final = GROUPS + 1
NOTHING: Final[Gives] = (0, *[IMPOSSIBLE] * (2 * WIDTH - 1))


def distance(hand: Sequence[Tile], melds: int, void_suit: Suit | None) -> int:
    """How many tiles have to be exchanged until a hand is ready; -1 for a complete one.

    Args:
        hand: the concealed tiles.
        melds: how many melds lie beside them.
        void_suit: tiles of this suit are of no use.
    """
    suits = [
        tuple([hand.count(f"{rank}{suit}") for rank in RANKS])
        for suit in SUITS
        if suit != void_suit
    ]
    return distance_of(tuple(suits), melds)


@lru_cache(maxsize=1 << 16)
def distance_of(suits: tuple[Counts, ...], melds: int) -> int:
    """`distance` for the tiles of the suits that count."""
    total = NOTHING
    for counts in suits:
        total = _joined(total, _gives(counts))
    wanted = GROUPS - melds
    best = 2 * wanted
    for groups in range(wanted + 1):
        for has_pair in (0, 1):
            partial = total[has_pair * WIDTH + groups]
            if partial >= 0:
                used = min(partial, wanted - groups)
                best = min(best, 2 * (wanted - groups) - used - has_pair)
    if melds == 0:
        pairs = sum(count // 2 for counts in suits for count in counts)
        best = min(best, 6 - pairs)
    return best


def _joined(first: Gives, second: Gives) -> Gives:
    """What two suits give together."""
    best = [IMPOSSIBLE] * (2 * WIDTH)
    for mine, have in enumerate(first):
        if have < 0:
            continue
        for theirs, more in enumerate(second):
            pairs = mine // WIDTH + theirs // WIDTH
            groups = mine % WIDTH + theirs % WIDTH
            if more >= 0 and pairs < 2 and groups <= GROUPS:
                place = pairs * WIDTH + groups
                best[place] = max(best[place], have + more)
    return tuple(best)


@lru_cache(maxsize=1 << 18)
def _gives(counts: Counts) -> Gives:
    """What one suit gives: its lowest tile goes into a group, a part of one, the pair, or nowhere."""
    rank = next((at for at, count in enumerate(counts) if count), None)
    if rank is None:
        return NOTHING
    best = list(_gives(_less(counts, rank)))
    for taken, groups, partial, pairs in _USES:
        if all(
            rank + step < len(counts) and counts[rank + step] >= number
            for step, number in taken
        ):
            rest = counts
            for step, number in taken:
                rest = _less(rest, rank + step, number)
            for place, have in enumerate(_gives(rest)):
                to = place + groups + pairs * WIDTH
                is_over = place % WIDTH + groups > GROUPS or to >= 2 * WIDTH
                if have >= 0 and not is_over:
                    best[to] = max(best[to], have + partial)
    return tuple(best)


_USES: Final = (
    (((0, 3),), 1, 0, 0),
    (((0, 1), (1, 1), (2, 1)), 1, 0, 0),
    (((0, 2),), 0, 0, 1),
    (((0, 2),), 0, 1, 0),
    (((0, 1), (1, 1)), 0, 1, 0),
    (((0, 1), (2, 1)), 0, 1, 0),
)
"""Tiles taken (steps from the lowest, how many), groups, parts of groups and pairs that they make."""


def _less(counts: Counts, rank: int, number: int = 1) -> Counts:
    return (*counts[:rank], counts[rank] - number, *counts[rank + 1 :])
