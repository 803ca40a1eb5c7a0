"""What a seat may do in its own turn: win on what it drew, lay a kong, discard; the void suit goes first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, TypeAlias

from dealwright.runtime.windows import ResponseActionOption
from examples.sichuan.fans import fan_count, points
from examples.sichuan.hand import GangKind
from examples.sichuan.table import Player, Seat, Table
from examples.sichuan.tiles import COPIES, PLACES, SUITS, Suit, Tile

MoveKind: TypeAlias = Literal["HU", "GANG", "DISCARD"]


class Turn(NamedTuple):
    """A seat's turn.

    Attributes:
        seat: whose.
        drawn: the tile that it drew; None after a pung, where it can only discard.
        kong: the number of the kong that the tile replaced; None if it was an ordinary draw.
    """

    seat: Seat
    drawn: Tile | None
    kong: int | None = None

    @property
    def is_after_kong(self) -> bool:
        """Whether the tile came for a kong."""
        return self.kong is not None


class Move(NamedTuple):
    """Something to do in a turn, with the tile that it is about."""

    kind: MoveKind
    tile: Tile


PRIORITIES: Final = {"HU": 300, "GANG": 200, "DISCARD": 0}


def moves_of(table: Table, turn: Turn) -> list[Move]:
    """All that a seat may do in its turn; there is always something to discard."""
    moves: list[Move] = []
    if turn.drawn is not None:
        if table.drawn_win_of(turn.seat, turn.is_after_kong) is not None:
            moves.append(Move("HU", turn.drawn))
        if table.wall:
            moves += [Move("GANG", tile) for tile in kongs_of(table, turn.seat)]
    player = table.players[turn.seat]
    return moves + [Move("DISCARD", tile) for tile in discards_of(player)]


def kongs_of(table: Table, seat: Seat) -> list[Tile]:
    """The tiles of which a seat could lay a kong from its hand."""
    player = table.players[seat]
    return [
        tile
        for tile in _kinds(player.hand)
        if tile[1] != player.void_suit and gang_kind(player, tile) is not None
    ]


def gang_kind(player: Player, tile: Tile) -> GangKind | None:
    """Which kind of kong a tile in hand would make; None if it makes none."""
    if player.hand.count(tile) == COPIES:
        return "CONCEALED"
    for meld in player.melds:
        if meld.tile == tile and meld.kind == "PENG":
            return "ADDED"
    return None


def discards_of(player: Player) -> list[Tile]:
    """The tiles that may be discarded, each kind once: those of the void suit as long as there are any."""
    kinds = _kinds(player.hand)
    return [tile for tile in kinds if tile[1] == player.void_suit] or kinds


def silent_move(table: Table, turn: Turn) -> Move:
    """What the rules do for a seat that lets its time run out: the drawn tile goes, or else the last that may."""
    allowed = discards_of(table.players[turn.seat])
    is_free = turn.drawn is not None and turn.drawn in allowed
    return Move("DISCARD", turn.drawn if is_free and turn.drawn else allowed[-1])


def silent_void(player: Player) -> Suit:
    """The void suit of a seat that chose none in time: the one with the fewest tiles, of several the first."""
    held = [tile[1] for tile in player.hand]
    return min(SUITS, key=held.count)


def options_of(
    table: Table, turn: Turn, moves: Iterable[Move]
) -> tuple[ResponseActionOption, ...]:
    """A turn's moves as the options of a private message; each tells the seat what it has drawn."""
    told = {"drawn": turn.drawn}
    options = []
    for place, move in enumerate(moves):
        hint: dict[str, object] = dict(told)
        if move.kind == "HU":
            items = table.drawn_win_of(turn.seat, turn.is_after_kong) or []
            hint |= {"fan": fan_count(items), "points": points(items), "items": items}
        takes: tuple[Tile, ...] = () if move.kind == "HU" else (move.tile,)
        if move.kind == "GANG":
            takes *= table.players[turn.seat].hand.count(move.tile)
        options.append(
            ResponseActionOption(
                move.kind,
                f"{move.kind}#{place}",
                move.tile,
                takes,
                PRIORITIES[move.kind],
                hint,
            )
        )
    return tuple(options)


def _kinds(hand: Iterable[Tile]) -> list[Tile]:
    """The kinds of tile in a hand, in the order of `KINDS`."""
    return sorted(set(hand), key=PLACES.__getitem__)
