"""The table as one seat sees it: its own hand, and what lies open. Bots and clients get nothing else."""

from __future__ import annotations

from typing import TypeAlias

from examples.sichuan.round import ABORTED, Round
from examples.sichuan.rules import TURN_ORDER, meld_json
from examples.sichuan.table import Player, Seat
from examples.sichuan.tiles import KINDS

Json: TypeAlias = dict[str, object]


def view(played: Round, seat: Seat | None) -> Json:
    """The table as a seat sees it, or as somebody who only watches does (None).

    Returns:
        JSON: phase, seat to move, tile in transit, wall, and for each seat what is open, with points so far. `hand` and
        `drawn` are the seat's own; both are None for whoever only watches. All hands are open once the round has been
        played to its end.
    """
    table, moved = played.table, played.table.transit
    is_mine = seat is not None and played.turn.seat == seat and played.phase == "TURN"
    totals = played.accounts.totals()
    is_settled = played.end not in (None, ABORTED)
    return {
        "phase": played.phase,
        "dealerSeatNo": played.dealer,
        "turnSeatNo": played.turn.seat,
        "tile": None if moved is None else moved.tile,
        "wallRemaining": len(table.wall),
        "hand": None if seat is None else _hand(table.players[seat]),
        "drawn": played.turn.drawn if is_mine else None,
        "voidSuit": None if seat is None else played.voids[seat],
        "players": [
            _player(table.players[each], totals[each], is_settled)
            for each in TURN_ORDER
        ],
    }


def _player(player: Player, total: int, is_settled: bool) -> Json:
    return {
        "handCount": len(player.hand),
        "hand": _hand(player) if is_settled else None,
        "melds": [meld_json(meld) for meld in player.melds],
        "thrown": list(player.thrown),
        "voidSuit": player.void_suit,
        "wonTile": player.won_tile,
        "points": total,
    }


def _hand(player: Player) -> list[str]:
    return sorted(player.hand, key=KINDS.index)
