"""Rounds that begin in the turn of a seat, with hands that are given."""

from __future__ import annotations

from typing import Any

from dealwright.runtime.windows import ResponseReply
from examples.sichuan.round import Round
from examples.sichuan.saved import read_round, round_json
from examples.sichuan.tiles import WALL, Tile, tiles
from examples.sichuan.turns import Turn
from tests.sichuan.playing import V1_MODE, Log, deal_of, new_round, publisher_of

READY = "46m 789m 234p 678p 99p"
"""Waits for 5m, without a fan."""


def position(
    hands: tuple[str, str, str, str],
    turn: Turn,
    melds: dict[int, list[Any]] | None = None,
    voids: str = "smmm",
    mode: Any = V1_MODE,
    wall: int = 20,
) -> tuple[Round, Log]:
    """A round in the turn of a seat, with these hands; the tiles that are left lie in the wall and in the river."""
    log = Log()
    state: Any = round_json(new_round(mode, deal_of(50, False), Log()))
    rest = list(WALL)
    for seat, hand in enumerate(hands):
        laid = (melds or {}).get(seat, [])
        held: list[Tile] = tiles(hand)
        for tile in held + [meld[1] for meld in laid for _ in range(3)]:
            rest.remove(tile)
        state["players"][seat] |= {"hand": held, "melds": laid, "voidSuit": voids[seat]}
    state |= {
        "phase": "TURN",
        "voids": list(voids),
        "turn": list(turn),
        "wall": rest[:wall],
        "river": rest[wall:],
        "deadlineAt": 1000,
    }
    return read_round(state, mode, publisher_of(log)), log


QUIET = ("1111333355577s", "2222444466688s", "1133557799p 999s")
"""Hands of seats that have given up m and claim none of it."""


def answered(played: Round, seat: int, action: str) -> None:
    """A seat's answer to the open window."""
    window = played.desk.window
    assert played.phase == "CLAIM" and window is not None
    played.claim(ResponseReply("x", window.window_id, seat, action), 10)
