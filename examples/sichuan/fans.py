"""The fan table of the Sichuan Bloody Rules 2025: what a win is worth. Fans add up, points double with each of them.

11m 33m 55m 77p 88p 99p 2p + 2p  →  SEVEN_PAIRS 2  →  4 points
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from dealwright.runtime.patterns import Split
from examples.sichuan.hand import Meld, splits
from examples.sichuan.tiles import COPIES, Tile, suits_of

CAP: Final = 3
"""Fans above these count for nothing."""

FANS: Final = {
    "GANG": 1,
    "ROOT": 1,
    "ALL_TRIPLETS": 1,
    "GOLDEN_HOOK": 1,
    "FLUSH": 2,
    "SEVEN_PAIRS": 2,
    "GANG_FLOWER": 1,
    "GANG_SHOT": 1,
    "ROB_GANG": 1,
    "SEABED": 1,
}
"""Fans by name; GANG and ROOT count once for each kong and root."""


class Circumstances(NamedTuple):
    """How a win came about.

    Attributes:
        is_self_drawn: the winner drew the tile.
        is_after_kong: the tile was drawn, discarded or added right after a kong of its owner.
        is_robbed: it is the fourth tile of a kong that somebody wanted to add.
        is_last: it was the wall's last tile, or the discard after that.
    """

    is_self_drawn: bool = False
    is_after_kong: bool = False
    is_robbed: bool = False
    is_last: bool = False


PLAIN: Final = Circumstances()


def fan_items(
    hand: Sequence[Tile], melds: Sequence[Meld], circumstances: Circumstances = PLAIN
) -> list[str]:
    """The fans of a win, each name as often as it counts, in the order of `FANS`.

    Where a hand can be seen in several ways, the best counts.

    Args:
        hand: the concealed tiles with the winning one; a winning hand.
    """
    best = max(
        (_shape_items(hand, melds, split) for split in splits(hand)), key=fan_count
    )
    items = [*_held_items(hand, melds), *best, *_circumstantial(circumstances)]
    return sorted(items, key=list(FANS).index)


def fan_count(items: Sequence[str]) -> int:
    """What fans add up to, without the cap."""
    return sum(FANS[name] for name in items)


def points(items: Sequence[str], cap: int = CAP) -> int:
    """What a win with these fans is worth."""
    return 1 << min(fan_count(items), cap)


def _held_items(hand: Sequence[Tile], melds: Sequence[Meld]) -> list[str]:
    """Kongs, roots and one suit: what does not depend on how the hand is split."""
    kongs = {meld.tile for meld in melds if meld.kind == "GANG"}
    held = [*hand, *(tile for meld in melds for tile in meld.tiles)]
    roots = [
        tile
        for tile, count in Counter(held).items()
        if count == COPIES and tile not in kongs
    ]
    flush = ["FLUSH"] if len(suits_of(held)) == 1 else []
    return [*["GANG"] * len(kongs), *["ROOT"] * len(roots), *flush]


def _shape_items(
    hand: Sequence[Tile], melds: Sequence[Meld], split: Split
) -> list[str]:
    kinds = [(part.group.kind, part.group.length) for part in split.parts]
    if kinds.count(("set", 2)) > 1:
        return ["SEVEN_PAIRS"]
    items: list[str] = []
    if ("run", 3) not in kinds:
        items.append("ALL_TRIPLETS")
        if len(melds) == 4:
            items.append("GOLDEN_HOOK")
    return items


def _circumstantial(how: Circumstances) -> list[str]:
    items: list[str] = []
    if how.is_after_kong:
        items.append("GANG_FLOWER" if how.is_self_drawn else "GANG_SHOT")
    if how.is_robbed:
        items.append("ROB_GANG")
    if how.is_last:
        items.append("SEABED")
    return items
