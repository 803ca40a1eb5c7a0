"""The table: hands, melds, wall and the tile in question, and what each claim does to them.

Between a discard and the end of its window the tile is in transit: in nobody's hand, in no meld, and not in the river.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, final

from dealwright.runtime.windows import ResponseActionOption
from examples.sichuan.fans import Circumstances, fan_items
from examples.sichuan.hand import GangKind, Meld, can_win, is_ready, waits
from examples.sichuan.tiles import COPIES, Suit, Tile

Seat: TypeAlias = int
WinKind: TypeAlias = Literal["SELF_DRAW", "DISCARD", "ROB_KONG"]


@final
@dataclass(slots=True)
class Player:
    """A seat.

    Attributes:
        hand: its concealed tiles.
        melds: what it has laid open.
        void_suit: the suit that it must get rid of; None before that is chosen.
        won_tile: the tile that it won with; None while it plays.
        won_items: the fans of its win.
        thrown: what it has discarded, claimed discards too.
    """

    hand: list[Tile]
    melds: list[Meld] = field(default_factory=list)
    void_suit: Suit | None = None
    won_tile: Tile | None = None
    won_items: list[str] = field(default_factory=list)
    thrown: list[Tile] = field(default_factory=list)

    @property
    def has_won(self) -> bool:
        """Whether it has left the round."""
        return self.won_tile is not None


@final
@dataclass(frozen=True, slots=True)
class InTransit:
    """A tile that others may claim.

    Attributes:
        tile: the tile.
        source: whose it was.
        is_added: it was to be added to the source's pung; else it was discarded.
        is_after_kong: it came right after a kong of the source.
        is_last: nothing was left to draw when it was discarded.
    """

    tile: Tile
    source: Seat
    is_added: bool = False
    is_after_kong: bool = False
    is_last: bool = False


@final
@dataclass(slots=True)
class Table:
    """A round's table.

    Attributes:
        players: by seat.
        wall: what is left to draw, front first.
        river: how many discards lie open.
        discards: how many discards there were, claimed ones counted.
        transit: the tile that others may claim now.
    """

    players: list[Player]
    wall: list[Tile]
    river: list[Tile] = field(default_factory=list)
    discards: int = 0
    transit: InTransit | None = None

    @property
    def out(self) -> frozenset[Seat]:
        """Seats that have won."""
        return frozenset(
            seat for seat, player in enumerate(self.players) if player.has_won
        )

    def draw(self, seat: Seat) -> Tile:
        """The front tile of the wall goes to a hand, in a turn and to replace a kong's fourth tile alike."""
        tile = self.wall.pop(0)
        self.players[seat].hand.append(tile)
        return tile

    def discard(self, seat: Seat, tile: Tile, is_after_kong: bool = False) -> None:
        """A tile leaves a hand for the table."""
        player = self.players[seat]
        player.hand.remove(tile)
        player.thrown.append(tile)
        self.discards += 1
        self._put(InTransit(tile, seat, False, is_after_kong, not self.wall))

    def attempt_added_kong(
        self, seat: Seat, tile: Tile, is_after_kong: bool = False
    ) -> None:
        """A tile leaves a hand for a pung of its owner, if nobody robs it on the way."""
        self.players[seat].hand.remove(tile)
        self._put(InTransit(tile, seat, True, is_after_kong))

    def win_of(self, seat: Seat) -> list[str] | None:
        """The fans of a win by `seat` on the tile in transit, or None if it does not win."""
        moved, player = self._moving(), self.players[seat]
        hand = [*player.hand, moved.tile]
        if not can_win(hand, player.melds, player.void_suit):
            return None
        how = Circumstances(
            is_after_kong=moved.is_after_kong,
            is_robbed=moved.is_added,
            is_last=moved.is_last,
        )
        return fan_items(hand, player.melds, how)

    def drawn_win_of(self, seat: Seat, is_after_kong: bool) -> list[str] | None:
        """The fans of a win by `seat` on the tile that it has just drawn, or None if it does not win."""
        player = self.players[seat]
        if not can_win(player.hand, player.melds, player.void_suit):
            return None
        how = Circumstances(True, is_after_kong, is_last=not self.wall)
        return fan_items(player.hand, player.melds, how)

    def waits_of(self, seat: Seat) -> list[Tile]:
        """The tiles that a seat waits for."""
        player = self.players[seat]
        return [
            tile
            for tile in waits(player.hand, player.melds)
            if tile[1] != player.void_suit
        ]

    def is_ready(self, seat: Seat) -> bool:
        """Whether a seat, with its hand as it is, waits for a win."""
        player = self.players[seat]
        return is_ready(player.hand, player.melds, player.void_suit)

    def take_peng(self, seat: Seat, option: ResponseActionOption) -> Meld:
        """The pung that a claim makes."""
        return self._meld(seat, option, None)

    def take_gang(self, seat: Seat, option: ResponseActionOption) -> Meld:
        """The exposed kong that a claim makes; its replacement is drawn in the seat's turn."""
        return self._meld(seat, option, "EXPOSED")

    def take_wins(self, seats: Sequence[Seat]) -> None:
        """One tile, won by one seat or by several: it lies with the first, and the others won on it too."""
        moved = self._moving()
        for seat in seats:
            player = self.players[seat]
            player.won_items = self.win_of(seat) or []
            player.won_tile = moved.tile
        self.players[seats[0]].hand.append(moved.tile)
        self.transit = None

    def take_drawn_win(self, seat: Seat, tile: Tile, is_after_kong: bool) -> None:
        """A win on the tile that the seat has drawn, which stays in its hand."""
        player = self.players[seat]
        player.won_items = self.drawn_win_of(seat, is_after_kong) or []
        player.won_tile = tile

    def lay_concealed_kong(self, seat: Seat, tile: Tile) -> Meld:
        """Four of a hand's tiles become a kong."""
        player = self.players[seat]
        for _ in range(COPIES):
            player.hand.remove(tile)
        meld = Meld("GANG", tile, seat, "CONCEALED")
        player.melds.append(meld)
        return meld

    def complete_added_kong(self) -> Meld:
        """Nobody robbed the kong."""
        moved = self._moving()
        player = self.players[moved.source]
        index = next(
            at for at, meld in enumerate(player.melds) if meld.tile == moved.tile
        )
        meld = Meld("GANG", moved.tile, player.melds[index].from_seat, "ADDED")
        player.melds[index] = meld
        self.transit = None
        return meld

    def leave_in_river(self) -> None:
        """Nobody wanted the discard."""
        self.river.append(self._moving().tile)
        self.transit = None

    def stop_transit(self) -> None:
        """The round ends before the tile is claimed: a discard lies in the river, a kong's tile is back in its hand."""
        if self.transit is not None and self.transit.is_added:
            self.players[self.transit.source].hand.append(self.transit.tile)
            self.transit = None
        elif self.transit is not None:
            self.leave_in_river()

    def tile_count(self) -> int:
        """All tiles, wherever they are: 108 in a whole game."""
        return (
            len(self.wall)
            + len(self.river)
            + (self.transit is not None)
            + sum(
                len(player.hand) + sum(len(meld.tiles) for meld in player.melds)
                for player in self.players
            )
        )

    def _meld(
        self, seat: Seat, option: ResponseActionOption, gang_kind: GangKind | None
    ) -> Meld:
        moved, player = self._moving(), self.players[seat]
        for tile in option.consumes:
            player.hand.remove(str(tile))
        kind: Literal["PENG", "GANG"] = "PENG" if gang_kind is None else "GANG"
        meld = Meld(kind, moved.tile, moved.source, gang_kind)
        player.melds.append(meld)
        self.transit = None
        return meld

    def _put(self, moved: InTransit) -> None:
        assert self.transit is None, "one tile at a time"
        self.transit = moved

    def _moving(self) -> InTransit:
        assert self.transit is not None, "no tile is in transit"
        return self.transit
