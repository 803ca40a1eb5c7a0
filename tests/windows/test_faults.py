"""Rounds under everything that can go wrong: restarts, replies that come twice, late, never or in another order, and
clocks that jump. The invariants of section 2.4 of the requirement that are about a whole table hold all the same.
"""

from __future__ import annotations

import json
from collections import Counter

import pytest

from dealwright.runtime.errors import MatchError
from dealwright.runtime.windows import (
    ResponseReply,
    SeatLock,
    Trigger,
    read_window,
    shipped_mode,
)
from dealwright.runtime.windows.presets import CONCEALED, SILENCE_WINS, UPWARD_AMENDMENT
from dealwright.runtime.windows.replay import outputs_of, replayed
from examples.sichuan.rules import TURN_ORDER
from tests.support import LONG
from tests.windows.builders import Json
from tests.windows.rounds import Faults, Log, Round, new_desk

SEEDS = range(200 if LONG else 4)
MODES = ("V1", "SBR_2025")

FAULTS = {
    "none": Faults(),
    "restart": Faults(restart=True),
    "duplicate": Faults(duplicate=True),
    "lose": Faults(lose=4),
    "late": Faults(late=4),
    "jump": Faults(jump=5),
    "shuffle": Faults(shuffle=7),
    "disconnect": Faults(disconnect=5),
    "all": Faults(True, True, 2, 2, 2, 5, 3),
}


def windows_of(log: Log) -> list[Json]:
    """The windows of a log, as they were opened."""
    return [each["window"] for each in log.audit if each["kind"] == "OPEN"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", FAULTS)
def test_a_round_ends_properly(name: str, mode: str) -> None:
    windows = 0
    for seed in SEEDS:
        played = Round.dealt(shipped_mode(mode), seed, FAULTS[name])
        assert played.play().kind == "END"
        check_log(played.log)
        windows += len(windows_of(played.log))
    assert windows > 4 * len(SEEDS)


def check_log(log: Log) -> None:
    """One window at a time, ids that grow, offers to candidates and nobody else, one close for each."""
    opened = windows_of(log)
    numbers = [int(each["windowId"].rpartition(":w")[2]) for each in opened]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len({each["discardIndex"] for each in opened}) == len(opened)
    is_open = False
    for record in log.audit:
        if record["kind"] == "OUTPUT" and record["output"] in ("OPENED", "CLOSED"):
            assert is_open == (record["output"] == "CLOSED")
            is_open = not is_open
    assert not is_open
    offers = Counter(
        (message["windowId"], message["recipientSeatNo"])
        for seat, stream in log.streams.items()
        for message in stream
        if message.get("kind") == "OFFER" and message["recipientSeatNo"] == seat
    )
    assert offers == Counter(
        (window["windowId"], each["seatNo"])
        for window in opened
        for each in window["candidates"]
    )
    for stream in log.streams.values():
        assert [each["seq"] for each in stream] == list(range(1, len(stream) + 1))


def test_a_restart_before_every_input_changes_not_a_byte() -> None:
    for seed in SEEDS:
        logs = []
        for restart in (False, True):
            faults = Faults(restart=restart, lose=2, late=2, disconnect=2)
            played = Round.dealt(shipped_mode("SBR_2025"), seed, faults)
            played.play()
            logs.append(
                json.dumps([list(played.log.streams.items()), played.log.audit])
            )
        assert logs[0] == logs[1]


def test_replies_that_come_twice_or_in_another_order_give_the_same_results() -> None:
    for seed in SEEDS:
        results = []
        for faults in (Faults(), Faults(duplicate=True), Faults(shuffle=3)):
            played = Round.dealt(shipped_mode("V1"), seed, faults)
            played.play()
            results.append(played.log.results)
        assert results[0]
        assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("change", (CONCEALED, SILENCE_WINS, UPWARD_AMENDMENT))
def test_other_rules_survive_as_well(change: Json) -> None:
    for seed in SEEDS:
        played = Round.dealt(shipped_mode("V1", change), seed, FAULTS["all"])
        assert played.play().kind == "END"
        check_log(played.log)


@pytest.mark.parametrize("name", FAULTS)
def test_the_audit_played_again_gives_the_same_outputs(name: str) -> None:
    mode = shipped_mode("SBR_2025")
    played = Round.dealt(mode, 5, FAULTS[name])
    played.play()
    log = json.loads(json.dumps(played.log.audit))
    again = replayed(log, mode, "t1", TURN_ORDER)
    assert len(again) > 20
    assert again == outputs_of(log)
    moved = [
        {**each, "at": each["at"] + 1} if each["kind"] == "REPLY" else each
        for each in log
    ]
    assert replayed(moved, mode, "t1", TURN_ORDER) != outputs_of(log)
    without = [each for each in log if each["kind"] != "REPLY"]
    with pytest.raises(MatchError, match="log"):
        replayed(without, mode, "t1", TURN_ORDER)


# --- the desk


def opened() -> Round:
    """A round at an open window."""
    for seed in range(100):
        played = Round.dealt(shipped_mode("V1"), seed)
        table = played.table
        for seat in TURN_ORDER:
            for tile in list(table.players[seat].hand):
                table.discard(seat, tile)
                trigger = Trigger("DISCARD", seat, tile, 1, 1000, 10)
                if played.desk.open(table, trigger, "r1"):
                    return played
                table.leave_in_river()
    raise AssertionError("no deal had a claim")


def test_a_second_window_is_never_opened_beside_the_first() -> None:
    played = opened()
    trigger = Trigger("DISCARD", 0, "1m", 2, 2000, 10)
    with pytest.raises(ValueError, match="OPEN"):
        played.desk.open(played.table, trigger, "r1")
    played.desk.time(10**9)
    with pytest.raises(ValueError, match="CLOSED"):
        played.desk.open(played.table, trigger, "r1")


@pytest.mark.parametrize(
    ("window_id", "code"),
    [
        ("r1:w2", "UNKNOWN_WINDOW"),
        ("r0:w1", "UNKNOWN_WINDOW"),
        ("r1:w0", "UNKNOWN_WINDOW"),
        ("r1:w01", "UNKNOWN_WINDOW"),
        ("r1:w-1", "UNKNOWN_WINDOW"),
        ("r1:w" + "9" * 10_000, "UNKNOWN_WINDOW"),
        ("r1:w١", "UNKNOWN_WINDOW"),
        ("", "UNKNOWN_WINDOW"),
        (":w", "UNKNOWN_WINDOW"),
    ],
)
def test_ids_that_were_never_given_out(window_id: str, code: str) -> None:
    played = opened()
    before = played.desk.window
    seat = played.desk.window.candidates[0].seat_no if played.desk.window else 0
    played.desk.reply(ResponseReply("a", window_id, seat, "PASS"), 1001)
    assert played.log.streams[seat][-1]["rejectCode"] == code
    assert played.desk.window == before


def test_an_old_id_is_stale_and_never_taken_for_the_current_window() -> None:
    played = Round.dealt(shipped_mode("V1"), 3)
    played.play()
    last = played.desk.window
    assert last is not None and last.window_id != "r1:w1"
    played.desk.reply(ResponseReply("a", "r1:w1", 2, "PASS"), 10**9)
    assert played.log.streams[2][-1]["rejectCode"] == "STALE_WINDOW"
    played.desk.reply(ResponseReply("a", last.window_id, 2, "PASS"), 10**9)
    assert played.log.streams[2][-1]["rejectCode"] == "WINDOW_CLOSED"
    assert played.desk.window == last


def test_before_the_first_window_there_is_none() -> None:
    log = Log()
    desk = new_desk(shipped_mode("V1"), log)
    desk.reply(ResponseReply("a", "r1:w1", 1, "PASS"), 5)
    assert log.streams[1][-1]["rejectCode"] == "NO_WINDOW"
    assert desk.turn_action(0, 5)
    assert desk.wake_at is None


def test_aborting_closes_without_effect() -> None:
    played = opened()
    played.desk.abort(1500)
    assert played.desk.resolution is not None
    assert not played.desk.resolution.has_winner
    played.desk.applied(lambda seat: False)
    assert played.desk.resolution is None
    with pytest.raises(ValueError, match="no result"):
        played.desk.applied(lambda seat: False)


def test_after_a_long_sleep_the_deadline_is_taken_once() -> None:
    played = opened()
    saved = json.loads(json.dumps(played.desk.to_json()))
    desk = new_desk(played.mode, played.log)
    desk.restore(saved)
    desk.time(10**12)
    closes = [each for each in played.log.streams[None] if "CLOSED" in each["type"]]
    desk.time(10**12 + 1)
    assert len(closes) == 1
    assert closes[0]["at"] == 9000
    assert [
        each for each in played.log.streams[None] if "CLOSED" in each["type"]
    ] == closes


# --- damaged states


def edits(value: Json, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The paths of all parts of a JSON value."""
    inner: list[tuple[str, Json]] | list[tuple[int, Json]]
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    else:
        inner = []
    return [path, *(each for key, part in inner for each in edits(part, (*path, key)))]


def damaged(value: Json, path: tuple[str | int, ...], by: Json) -> Json:
    """The value with another one at `path`."""
    if not path:
        return by
    copy: Json = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = damaged(value[path[0]], path[1:], by)
    return copy


def test_a_damaged_state_is_refused_or_is_a_state() -> None:
    played = opened()
    played.desk.locks = (SeatLock("missed_win", 1, ("5m",), (), 2),)
    good = played.desk.to_json()
    refused = 0
    others: list[Json] = [None, "x", -1, 1.5, [], {}, True]
    for path in edits(good):
        for by in others:
            desk = new_desk(played.mode, Log())
            before = desk.to_json()
            try:
                desk.restore(damaged(good, path, by))
            except MatchError as error:
                assert error.code == "bad_state"
                assert (
                    desk.window is None and desk.to_json()["locks"] == before["locks"]
                )
                refused += 1
            else:
                json.dumps(desk.to_json())
    assert refused > 300


def test_a_state_that_is_accepted_can_be_played_to_its_end() -> None:
    """Whatever is damaged: it is refused when it is read, and never found out in the middle of a round."""
    played = opened()
    asked = played.desk.window
    assert asked is not None
    good = played.desk.to_json()
    accepted = 0
    others: list[Json] = ["PENG", "CHOW", "", "\ud800", 2, 99, True, -1, 1 << 60, []]
    for path in edits(good):
        for by in others:
            desk = new_desk(played.mode, Log())
            try:
                desk.restore(damaged(good, path, by))
            except MatchError:
                continue
            accepted += 1
            for seat in TURN_ORDER:
                for action in ("HU", "GANG", "PENG", "PASS"):
                    desk.reply(ResponseReply("a", asked.window_id, seat, action), 1500)
            while desk.wake_at is not None:
                desk.time(desk.wake_at)
            again = new_desk(played.mode, Log())
            again.restore(json.loads(json.dumps(desk.to_json())))
            assert desk.resolution == again.resolution is not None
            desk.applied(lambda seat: True)
    assert accepted > 50


def test_a_state_of_another_table_or_mode_is_refused() -> None:
    played = opened()
    good = played.desk.to_json()
    assert isinstance(good["window"], dict)
    for change in (
        {"tableId": "t2"},
        {"ruleMode": "SBR_2025"},
        {"turnOrder": [0, 2, 1, 3]},
        {"windowId": "r1:w2"},
        {"answered": 1},
    ):
        desk = new_desk(played.mode, Log())
        with pytest.raises(MatchError):
            desk.restore({**good, "window": {**good["window"], **change}})
    with pytest.raises(MatchError, match="windowId"):
        new_desk(played.mode, Log()).restore({**good, "issued": {}})
    new_desk(played.mode, Log()).restore(good)


def test_a_seat_that_is_not_at_the_table_changes_nothing() -> None:
    desk = opened().desk
    assert desk.window is not None
    before = desk.to_json()
    reply = ResponseReply("a", desk.window.window_id, 9, "HU")
    for act in (
        lambda: desk.reply(reply, 10**9),
        lambda: desk.disconnect(9, 10**9),
        lambda: desk.reconnect(9, 10**9),
        lambda: desk.turn_action(9, 10**9),
    ):
        with pytest.raises(ValueError, match="no seat 9"):
            act()
    assert desk.to_json() == before


def test_a_damaged_log_is_refused_or_played() -> None:
    mode = shipped_mode("SBR_2025")
    played = Round.dealt(mode, 5, FAULTS["all"])
    played.play()
    inputs = [
        each
        for each in json.loads(json.dumps(played.log.audit))
        if each["kind"] not in ("OUTPUT", "EVENT", "MESSAGE")
    ]
    some = inputs[: 1 + [each["kind"] for each in inputs].index("APPLIED")]
    refused = 0
    others: list[Json] = [None, "x", 99, [], {}, True]
    for path in edits(some)[1:]:
        for by in others:
            try:
                replayed(damaged(some, path, by), mode, "t1", TURN_ORDER)
            except MatchError:
                refused += 1
    assert refused > 200


def _answered(candidate: Json, order: int) -> Json:
    answer = {
        "optionId": "PASS#0",
        "actionType": "PASS",
        "receivedAt": 1001,
        "replyId": "a",
        "order": order,
    }
    return {**candidate, "state": "ANSWERED", "answer": answer}


def test_a_window_that_contradicts_itself_is_refused() -> None:
    good = opened().desk.to_json()["window"]
    assert read_window(good)
    assert isinstance(good, dict)
    for change in (
        {"status": "CLOSED"},
        {"closedAt": 5},
        {"wakeAt": good["deadlineAt"] + 1},
        {"sourceSeatNo": 9},
        {"answered": -1, "candidates": [_answered(good["candidates"][0], 0)]},
        {"candidates": [{**good["candidates"][0], "deadlineAt": 1 << 50}]},
        {"turnOrder": [0, 1, 2, 2]},
        {"candidates": [*good["candidates"], good["candidates"][0]]},
        {"extra": 1},
    ):
        with pytest.raises(MatchError, match="window"):
            read_window({**good, **change})
