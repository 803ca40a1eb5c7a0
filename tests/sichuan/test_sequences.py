"""The sequences over several windows of section 3.4 of the window requirement, in its order."""

from __future__ import annotations

from typing import Any

from dealwright.runtime.windows import ResponseReply
from examples.sichuan.round import Win
from examples.sichuan.turns import Move, Turn
from tests.sichuan.playing import SBR_MODE, Log
from tests.sichuan.positions import QUIET, READY, answered, position

SOURCE = "147m 248m 369m 1477p 5m"
"""Seat 0 throws 5m."""
PUNGS = "55m 19m 147p 22555p 3p"
"""Takes it, and throws 1p."""
PAIR_OF_1P = "11p 22224444666s"


def types_of(log: Log) -> list[str]:
    """The types of all public events."""
    return [each["type"] for each in log.streams[None]]


def offers_of(played: Any) -> dict[int, list[str]]:
    """What each seat is offered."""
    return {
        each.seat_no: [option.action_type for option in each.options]
        for each in played.desk.window.candidates
    }


def test_1_a_pung_and_the_window_of_its_discard() -> None:
    hands = (SOURCE, PUNGS, QUIET[0], PAIR_OF_1P)
    played, log = position(hands, Turn(0, "5m"), voids="ssmm")
    played.act(0, Move("DISCARD", "5m"), 1)
    first = played.desk.window
    assert first is not None and offers_of(played) == {1: ["PENG", "PASS"]}
    answered(played, 1, "PENG")
    assert played.turn == Turn(1, None) and {each.kind for each in played.moves} == {
        "DISCARD"
    }
    played.act(1, Move("DISCARD", "1p"), 20)
    assert offers_of(played) == {3: ["PENG", "PASS"]}
    played.claim(ResponseReply("late", first.window_id, 3, "PENG"), 30)
    assert log.streams[3][-1]["rejectCode"] == "STALE_WINDOW"
    assert played.phase == "CLAIM"
    answered(played, 3, "PASS")
    assert played.phase == "TURN" and played.turn.seat == 2
    assert types_of(log) == [
        "TILE_DISCARDED",
        "RESPONSE_WINDOW_OPENED",
        "RESPONSE_WINDOW_CLOSED",
        "PENG_DECLARED",
        "TILE_DISCARDED",
        "RESPONSE_WINDOW_OPENED",
        "RESPONSE_WINDOW_CLOSED",
        "TILE_DRAWN",
    ]


def test_1_a_pung_takes_the_turn_of_those_between() -> None:
    """Position D: seat 3 takes from seat 1, so seat 2 is passed over and seat 0 draws after the discard."""
    hands = (QUIET[0], "14m 258m 369m 147p 19p 5m", QUIET[1], "55m 19m 28p 33666p 25p")
    played, _ = position(hands, Turn(1, "5m"), voids="msms")
    played.act(1, Move("DISCARD", "5m"), 1)
    answered(played, 3, "PENG")
    assert played.turn.seat == 3
    played.act(3, Move("DISCARD", "2p"), 20)
    assert played.phase == "TURN" and played.turn.seat == 0


def test_2_an_exposed_kong_and_the_win_on_the_discard_after_it() -> None:
    hands = (
        SOURCE,
        "555m 19m 147p 22555p",
        "78m 33m 234p 678p 999p",
        QUIET[1],
    )
    played, log = position(hands, Turn(0, "5m"), voids="sssm", mode=SBR_MODE, wall=30)
    played.table.river.remove("9p")
    played.table.wall.insert(0, "9p")
    played.act(0, Move("DISCARD", "5m"), 1)
    answered(played, 1, "GANG")
    assert played.accounts.changes() == [-2, 2, 0, 0]
    assert len(played.table.wall) == 30
    assert (played.turn.seat, played.turn.drawn) == (1, "9p")
    assert played.turn.is_after_kong
    played.act(1, Move("DISCARD", "9m"), 20)
    answered(played, 2, "HU")
    assert played.table.players[2].won_items == ["GANG_SHOT"]
    assert played.accounts.changes() == [0, -2, 2, 0]
    scores = [
        each["payload"]["reason"]
        for each in log.streams[None]
        if each["type"] == "SCORE_CHANGED"
    ]
    assert scores == ["KONG", "WIN", "SHOT_REFUND"]


def test_3_after_a_win_the_others_play_on_in_their_order() -> None:
    hands = (SOURCE, QUIET[0], READY, QUIET[1])
    played, log = position(hands, Turn(0, "5m"), voids="smsm", wall=30)
    played.act(0, Move("DISCARD", "5m"), 1)
    answered(played, 2, "HU")
    drawn: list[int] = []
    while len(drawn) < 5:
        if played.phase == "CLAIM":
            assert 2 not in offers_of(played)
        assert played.wake_at is not None
        played.time(played.wake_at)
        drawn = [
            each["payload"]["seatNo"]
            for each in log.streams[None]
            if each["type"] == "TILE_DRAWN"
        ]
    assert drawn[:5] == [3, 0, 1, 3, 0]


def test_4_an_added_kong_opens_no_window_in_the_first_mode() -> None:
    hands = ("5m 123m 128m 7755p", READY, *QUIET[:2])
    melds = {0: [["PENG", "5m", 2, None]]}
    played, log = position(hands, Turn(0, "5m"), melds, "ssmm")
    played.act(0, Move("GANG", "5m"), 1)
    assert types_of(log) == ["GANG_DECLARED", "SCORE_CHANGED", "TILE_DRAWN"]
    assert log.streams[None][0]["payload"]["gangKind"] == "ADDED"
    assert played.accounts.changes() == [3, -1, -1, -1]
    assert played.turn.seat == 0 and played.turn.is_after_kong


def test_5_a_pung_of_the_last_discard_and_the_end_after_its_window() -> None:
    hands = (SOURCE, PUNGS, QUIET[0], PAIR_OF_1P)
    played, log = position(hands, Turn(0, "5m"), voids="ssmm", wall=0)
    played.act(0, Move("DISCARD", "5m"), 1)
    answered(played, 1, "PENG")
    assert {each.kind for each in played.moves} == {"DISCARD"}
    played.act(1, Move("DISCARD", "1p"), 20)
    assert offers_of(played) == {3: ["PENG", "PASS"]}
    answered(played, 3, "PASS")
    assert (played.phase, played.end) == ("OVER", "WALL_EMPTY")
    assert played.statuses == ["NOT_READY", "NOT_READY", "READY", "READY"]
    assert types_of(log)[-2:] == ["ROUND_ENDED", "ROUND_SETTLED"]


def test_6_the_third_win_ends_the_round_and_nobody_is_looked_at() -> None:
    """Seat 3 still has its void suit, and is no pig."""
    played, log = position((READY + "5m", *QUIET), Turn(0, "5m"), voids="smms")
    played.wins = [Win(1, 0, "DISCARD", 1, 0), Win(2, 0, "DISCARD", 1, 1)]
    for seat in (1, 2):
        played.table.players[seat].won_tile = "1s"
    played.act(0, Move("HU", "5m"), 1)
    assert (played.phase, played.end) == ("OVER", "THREE_WINNERS")
    assert played.statuses == [] and played.accounts.fines == [0, 0, 0, 0]
    assert played.accounts.changes() == [2, 0, 0, -2]
    assert types_of(log) == [
        "HU_DECLARED",
        "SCORE_CHANGED",
        "ROUND_ENDED",
        "ROUND_SETTLED",
    ]
