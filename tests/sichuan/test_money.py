"""Who pays whom: kongs, wins, refunds, and the settlement of an empty wall (section 5.3 of the window requirement)."""

from __future__ import annotations

import pytest

from examples.sichuan.accounts import Accounts, Payment
from examples.sichuan.ending import PIG_FINE, best_win, settle_end, status_of
from examples.sichuan.hand import Meld
from examples.sichuan.round import MoveRefused, Round, Win
from examples.sichuan.saved import round_json
from examples.sichuan.table import Player, Table
from examples.sichuan.tiles import tiles
from examples.sichuan.turns import Move, Turn
from tests.sichuan.playing import SBR_MODE, V1_MODE, Log, deal_of, new_round, play
from tests.sichuan.positions import QUIET, READY, answered, position

UNREADY = "147m 258m 369m 147p 2p"


def player(
    hand: str, void: str = "s", melds: tuple[Meld, ...] = (), thrown: str = ""
) -> Player:
    return Player(tiles(hand), list(melds), void, thrown=tiles(thrown))


def winner(hand: str) -> Player:
    found = player(hand)
    found.won_tile = found.hand[-1]
    return found


# --- the empty wall


def test_the_worked_example() -> None:
    """Of section 5.3, with its own numbers: s0 is worth 4, s1 is worth 1, s2 has had 6 for a kong, s3 is an active pig."""
    pig = player("147m 258m 369m 147s 2s", thrown="1p 2p")
    kong = (Meld("GANG", "8s", 2, "CONCEALED"),)
    seats = [
        player("123m 345m 567m 99m 78m"),
        player(READY),
        player("1447m 2588m 39m", "p", kong),
        pig,
    ]
    table = Table(seats, [])
    accounts = Accounts(4)
    accounts.kong(2, (0, 1, 3), 2)
    before = len(accounts.payments)
    assert best_win(table.players[0]) == 4 and best_win(table.players[1]) == 1
    assert settle_end(table, accounts) == ["READY", "READY", "NOT_READY", "ACTIVE_PIG"]
    assert accounts.fines == [0, 0, 0, PIG_FINE]
    changes = accounts.changes(before)
    assert [a - b for a, b in zip(changes, accounts.fines, strict=True)] == [
        10,
        4,
        -11,
        -27,
    ]


def test_nothing_is_paid_where_all_stand_alike() -> None:
    for hand in (READY, UNREADY):
        accounts = Accounts(4)
        accounts.kong(0, (1, 2), 2)
        table = Table([player(hand), player(hand), player(hand), winner(READY)], [])
        statuses = settle_end(table, accounts)
        assert len(set(statuses[:3])) == 1 and statuses[3] == "WON"
        assert len(accounts.payments) == 2 and accounts.fines == [0] * 4


def test_pigs_alone_are_fined_all_the_same() -> None:
    pig = player("1s" + UNREADY.replace("2p", ""), thrown="1m")
    accounts = Accounts(4)
    accounts.kong(0, (1,), 2)
    table = Table([pig, pig, winner(READY), winner(READY)], [])
    assert settle_end(table, accounts)[:2] == ["ACTIVE_PIG"] * 2
    assert accounts.fines == [PIG_FINE, PIG_FINE, 0, 0]
    assert accounts.payments[-1] == Payment("KONG_REFUND", 0, 1, 2, 0)


def test_a_pig_that_never_threw_anything_else_is_passive() -> None:
    pig = player("147m 258m 369m 147s 2s", thrown="1s 9s")
    assert status_of(pig) == "PASSIVE_PIG"
    accounts = Accounts(4)
    table = Table([pig, player(READY), winner(READY), winner(READY)], [])
    settle_end(table, accounts)
    assert accounts.fines == [0] * 4
    assert accounts.payments == [Payment("READY_CHECK", 0, 1, 1)]


def test_who_has_won_neither_pays_nor_receives_at_the_end() -> None:
    accounts = Accounts(4)
    accounts.kong(0, (1, 2, 3), 2)
    table = Table([player(UNREADY), player(READY), winner(READY), winner(READY)], [])
    before = len(accounts.payments)
    settle_end(table, accounts)
    assert accounts.changes(before) == [-3, 3, 0, 0]


def test_a_wait_for_a_tile_of_which_one_has_all_is_none() -> None:
    """Vector W2: 5m is the only wait, and all four lie in the seat's own kong."""
    kong = (Meld("GANG", "5m", 1, "EXPOSED"),)
    assert status_of(player("46m 789m 234p 99p", melds=kong)) == "NOT_READY"
    assert best_win(player("46m 789m 234p 99p", melds=kong)) is None


# --- accounts


def test_what_was_given_back_is_not_given_back_again() -> None:
    accounts = Accounts(4)
    first = accounts.kong(1, (0, 2, 3), 1)
    second = accounts.kong(1, (3,), 2)
    assert accounts.kongs_of(1) == [first, second]
    accounts.give_back(first, "SHOT_REFUND", range(4))
    assert accounts.changes() == [0, 2, 0, -2]
    accounts.give_back(first, "KONG_REFUND", range(4))
    accounts.give_back(second, "KONG_REFUND", (0, 1))
    assert accounts.changes() == [0, 2, 0, -2]
    assert accounts.kong(1, (0,), 0) == 2 and accounts.kongs_of(1) == [first, second]


# --- positions


def test_an_own_draw_is_paid_by_all_that_still_play() -> None:
    played, log = position((READY + "5m", *QUIET), Turn(0, "5m"))
    played.act(0, Move("HU", "5m"), 1)
    assert played.wins == [Win(0, 0, "SELF_DRAW", 1, 0)]
    assert played.accounts.changes() == [6, -2, -2, -2]
    assert played.turn.seat == 1 and played.phase == "TURN"
    types = [event["type"] for event in log.streams[None]]
    assert types == ["HU_DECLARED", "SCORE_CHANGED", "TILE_DRAWN"]
    assert log.streams[1][-1]["scope"] == "TURN"
    with pytest.raises(MoveRefused):
        played.act(0, Move("DISCARD", "4m"), 2)


def test_a_concealed_kong_and_its_flower() -> None:
    """Vector F09: 4 points, and one more from each."""
    played, _ = position(("9999m 123m 456m 789p 5p", *QUIET), Turn(0, "9m"))
    played.table.river.remove("5p")
    played.table.wall.insert(0, "5p")
    played.act(0, Move("GANG", "9m"), 1)
    assert played.accounts.changes() == [6, -2, -2, -2]
    assert played.turn == Turn(0, "5p", 0)
    played.act(0, Move("HU", "5p"), 2)
    assert played.table.players[0].won_items == ["GANG", "GANG_FLOWER"]
    assert played.accounts.changes() == [6 + 15, -7, -7, -7]


def test_only_a_kong_of_the_drawn_tile_is_timely() -> None:
    melds = {0: [["PENG", "9m", 1, None]]}
    for drawn, pay in (("9m", 1), ("1m", 0)):
        hands = ("9m 123m 456m 2266p", *QUIET)
        played, _ = position(hands, Turn(0, drawn), melds)
        played.act(0, Move("GANG", "9m"), 1)
        assert played.accounts.changes() == [3 * pay, -pay, -pay, -pay]
        assert played.turn.seat == 0 and played.turn.is_after_kong
        assert played.table.players[0].melds[0].gang_kind == "ADDED"


def test_a_kong_shot_pays_the_kong_back() -> None:
    hands = ("1111m 258m 369m 147p 5m", READY, *QUIET[:2])
    played, log = position(hands, Turn(0, "1m"), voids="ssmm")
    played.table.wall.insert(0, "2p")
    played.table.river.remove("2p")
    played.act(0, Move("GANG", "1m"), 1)
    played.act(0, Move("DISCARD", "5m"), 2)
    answered(played, 1, "HU")
    assert played.table.players[1].won_items == ["GANG_SHOT"]
    assert played.accounts.changes() == [-2, 2, 0, 0]
    types = [event["type"] for event in log.streams[None]]
    at = types.index("HU_DECLARED")
    assert types[at - 1 : at + 3] == [
        "RESPONSE_WINDOW_CLOSED",
        "HU_DECLARED",
        "SCORE_CHANGED",
        "SCORE_CHANGED",
    ]


def test_an_exposed_kong_is_paid_by_its_discarder_alone() -> None:
    hands = ("147m 248m 369m 1477p 5m", "555m 19m 147p 22555p", *QUIET[:2])
    played, _ = position(hands, Turn(0, "5m"), voids="ssmm")
    played.act(0, Move("DISCARD", "5m"), 1)
    answered(played, 1, "GANG")
    assert played.accounts.changes() == [-2, 2, 0, 0]
    assert played.turn.seat == 1 and played.turn.is_after_kong


def test_a_robbed_kong_pays_nothing_and_stays_a_pung() -> None:
    hands = ("5m 123m 128m 7755p", READY, *QUIET[:2])
    melds = {0: [["PENG", "5m", 2, None]]}
    played, _ = position(hands, Turn(0, "5m"), melds, "ssmm", SBR_MODE)
    played.act(0, Move("GANG", "5m"), 1)
    answered(played, 1, "HU")
    assert played.wins == [Win(1, 0, "ROB_KONG", 2, 0)]
    assert played.accounts.changes() == [-2, 2, 0, 0]
    assert played.table.players[0].melds[0].kind == "PENG"
    assert played.turn.seat == 2


def test_a_kong_that_nobody_robs_is_paid_after_its_window() -> None:
    hands = ("5m 123m 128m 7755p", READY, *QUIET[:2])
    melds = {0: [["PENG", "5m", 2, None]]}
    played, _ = position(hands, Turn(0, "5m"), melds, "ssmm", SBR_MODE)
    played.act(0, Move("GANG", "5m"), 1)
    assert played.accounts.payments == []
    answered(played, 1, "PASS")
    assert played.accounts.changes() == [3, -1, -1, -1]
    assert played.turn.seat == 0 and played.turn.is_after_kong


# --- turns


def test_the_void_suit_goes_first() -> None:
    hands = ("147m 258m 369m 147p 89s", *QUIET)
    played, _ = position(hands, Turn(0, "8s"))
    assert [move.tile for move in played.moves] == ["8s", "9s"]
    with pytest.raises(MoveRefused):
        played.act(0, Move("DISCARD", "1m"), 1)
    played.time(1000)
    assert played.table.players[0].thrown == ["8s"], "silence discards the drawn tile"


def test_after_a_pung_there_is_nothing_but_a_discard() -> None:
    melds = {0: [["PENG", "9m", 1, None]]}
    hands = ("7777m 258m 369m 1p", *QUIET)
    played, _ = position(hands, Turn(0, None), melds, "pmmm")
    assert played.moves == (Move("DISCARD", "1p"),)
    played, _ = position(hands, Turn(0, "2m"), melds, "pmmm")
    assert [move.tile for move in played.moves if move.kind == "GANG"] == ["7m", "9m"]


def test_no_kong_without_a_tile_to_replace_it() -> None:
    played, _ = position(("7777m 258m 369m 147p 2p", *QUIET), Turn(0, "2m"), wall=0)
    assert {move.kind for move in played.moves} == {"DISCARD"}


def test_moves_are_refused_while_a_window_is_open() -> None:
    hands = ("147m 248m 369m 1477p 5m", "555m 19m 147p 22555p", *QUIET[:2])
    played, log = position(hands, Turn(0, "5m"), voids="ssmm")
    played.act(0, Move("DISCARD", "5m"), 1)
    before = round_json(played)
    with pytest.raises(MoveRefused, match="window"):
        played.act(0, Move("DISCARD", "1m"), 2, "again")
    assert log.streams[0][-1]["rejectCode"] == "WINDOW_OPEN"
    after = round_json(played)
    del before["desk"], after["desk"]
    assert before == after


def test_silence_chooses_the_suit_of_which_there_is_least() -> None:
    log = Log()
    played = new_round(V1_MODE, deal_of(60, False), log)
    assert played.wake_at is not None
    played.choose_void(2, "p", 5)
    with pytest.raises(MoveRefused):
        played.choose_void(2, "m", 6)
    assert [event["type"] for event in log.streams[0]] == ["ROUND_STARTED"]
    played.time(played.wake_at)
    assert played.phase == "TURN" and played.voids[2] == "p"
    for seat in (0, 1, 3):
        held = [tile[1] for tile in played.table.players[seat].hand]
        void = played.voids[seat]
        assert void is not None
        assert held.count(void) == min(map(held.count, "mps"))


def test_who_deals_next() -> None:
    played = new_round(V1_MODE, deal_of(60, False), Log())
    assert played.next_dealer == played.dealer
    played.wins = [Win(2, 1, "DISCARD", 1, 0), Win(3, 3, "SELF_DRAW", 1, 1)]
    assert played.next_dealer == 2
    played.wins = [Win(2, 1, "DISCARD", 1, 0), Win(3, 1, "DISCARD", 1, 0)]
    assert played.next_dealer == 1


# --- locks


def test_a_declined_own_draw_locks_until_the_next() -> None:
    for mode, locked in ((SBR_MODE, [("missed_win", 0)]), (V1_MODE, [])):
        played, _ = position((READY + "5m", *QUIET), Turn(0, "5m"), mode=mode)
        played.act(0, Move("DISCARD", "5m"), 1)
        assert [(each.lock, each.value) for each in played.desk.locks] == locked
        while played.turn.seat != 0 or played.phase != "TURN":
            assert played.wake_at is not None
            played.time(played.wake_at)
        assert played.desk.locks == ()


def test_a_lock_of_a_round_is_released_by_the_own_draw() -> None:
    """In whole rounds nobody is locked right after its own draw."""
    met = 0

    def look(played: Round) -> Round:
        nonlocal met
        met += bool(played.desk.locks)
        if played.phase == "TURN" and played.turn.drawn is not None:
            assert all(each.seat != played.turn.seat for each in played.desk.locks)
        return played

    for seed in range(20, 45):
        play(SBR_MODE, deal_of(seed, True), seed, at_wait=look)
    assert met > 5
