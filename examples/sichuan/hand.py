"""What a seat holds, and whether it is a winning hand: four groups and a pair, or seven pairs, without the void suit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, final

from dealwright.runtime.patterns import Deck, Face, Matcher, Split, run, same
from examples.sichuan.tiles import COPIES, KINDS, SUITS, Suit, Tile, suit_of

MeldKind: TypeAlias = Literal["PENG", "GANG"]
GangKind: TypeAlias = Literal["EXPOSED", "ADDED", "CONCEALED"]

DECK: Final = Deck(
    {kind: Face(SUITS.index(suit_of(kind)), int(kind[0])) for kind in KINDS}, COPIES
)
_GROUP: Final = run(3) | same(3)
_PAIR: Final = same(2)

MATCHER: Final = Matcher(
    _PAIR
    | (_GROUP + _PAIR)
    | (_GROUP * 2 + _PAIR)
    | (_GROUP * 3 + _PAIR)
    | (_GROUP * 4 + _PAIR)
    | _PAIR * 7,
    DECK,
)
"""Concealed tiles beside four to no melds. Seven pairs take fourteen tiles, so they never stand beside a meld."""


@final
@dataclass(frozen=True, slots=True)
class Meld:
    """Tiles laid open: a pung or a kong.

    Attributes:
        kind: which.
        tile: its tile.
        from_seat: who gave the claimed tile; the owner for a concealed kong.
        gang_kind: of a kong.
    """

    kind: MeldKind
    tile: Tile
    from_seat: int
    gang_kind: GangKind | None = None

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """All its tiles."""
        return (self.tile,) * (3 if self.kind == "PENG" else 4)


def is_void_free(
    hand: Sequence[Tile], melds: Sequence[Meld], void_suit: Suit | None
) -> bool:
    """Whether nothing of the void suit is left. Before it is chosen, nobody is free of it."""
    return void_suit is not None and not any(
        tile[1] == void_suit for tile in (*hand, *(meld.tile for meld in melds))
    )


def is_complete(hand: Sequence[Tile]) -> bool:
    """Whether these concealed tiles, the winning one among them, make a winning shape."""
    return MATCHER.fits(hand)


def can_win(
    hand: Sequence[Tile], melds: Sequence[Meld], void_suit: Suit | None
) -> bool:
    """Whether a seat wins with these concealed tiles, the winning one among them."""
    return is_complete(hand) and is_void_free(hand, melds, void_suit)


def waits(hand: Sequence[Tile], melds: Sequence[Meld] = ()) -> list[Tile]:
    """The tiles that would complete a hand, in the order of `KINDS`; one that the seat has all four of is none."""
    faces = MATCHER.waits(hand)
    held = {tile for meld in melds for tile in meld.tiles}
    found = [f"{face.rank}{SUITS[face.suit]}" for face in faces]
    return [
        tile
        for tile in found
        if tile not in held
        or sum(meld.tiles.count(tile) for meld in melds) + hand.count(tile) < COPIES
    ]


def is_ready(
    hand: Sequence[Tile], melds: Sequence[Meld], void_suit: Suit | None
) -> bool:
    """Whether one more tile could win: a wait outside of the void suit, which must be gone.

    A seat that has yet to discard, as after a pung, is ready if it is after one of its discards.
    """
    if len(hand) % 3 == 2:
        rests = ([*hand[:at], *hand[at + 1 :]] for at in range(len(hand)))
        return any(is_ready(rest, melds, void_suit) for rest in rests)
    return is_void_free(hand, melds, void_suit) and any(
        tile[1] != void_suit for tile in waits(hand, melds)
    )


def splits(hand: Sequence[Tile]) -> list[Split]:
    """All ways to see a winning hand."""
    return list(MATCHER.splits(hand))
