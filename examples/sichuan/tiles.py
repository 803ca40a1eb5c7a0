"""The 108 tiles: "5m" is the five of wan (万), p are tong (筒) and s tiao (条); four of each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, TypeAlias

Tile: TypeAlias = str
Suit: TypeAlias = str

SUITS: Final = "mps"
RANKS: Final = range(1, 10)
COPIES: Final = 4
KINDS: Final[tuple[Tile, ...]] = tuple(
    f"{rank}{suit}" for suit in SUITS for rank in RANKS
)
PLACES: Final = {kind: place for place, kind in enumerate(KINDS)}
"""Where each kind stands in `KINDS`."""
WALL: Final[tuple[Tile, ...]] = tuple(kind for kind in KINDS for _ in range(COPIES))

_GROUP: Final = re.compile(r"([1-9]+)([mps])")


def tiles(text: str) -> list[Tile]:
    """The tiles of a short spelling: "46m 789m" is 4m, 6m, 7m, 8m, 9m.

    Raises:
        ValueError: something in it is no tile.
    """
    if _GROUP.sub("", text).strip():
        raise ValueError(f"these are no tiles: {text!r}")
    return [rank + suit for ranks, suit in _GROUP.findall(text) for rank in ranks]


def suit_of(tile: Tile) -> Suit:
    """The suit of a tile: "m", "p" or "s"."""
    return tile[1]


def suits_of(some: Iterable[Tile]) -> set[Suit]:
    """The suits that occur."""
    return {tile[1] for tile in some}
