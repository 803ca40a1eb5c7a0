"""Whole rounds under everything that can go wrong between a server and its clients, and rounds that are dissolved.

What must hold at every wait and at the end is looked at by `check_wait` and `check_end`, whatever goes wrong.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from dealwright.runtime.hints import Hint, NoDecision, encode, encode_reply
from dealwright.runtime.windows import ResponseReply, RuleMode, shipped_mode
from dealwright.runtime.windows.presets import CONCEALED, SILENCE_WINS
from examples.sichuan.asking import answer, hint, number_of
from examples.sichuan.round import ABORTED, MoveRefused, Round
from examples.sichuan.rules import TURN_ORDER
from examples.sichuan.saved import read_round, round_json
from examples.sichuan.seen import view
from examples.sichuan.table import Seat
from examples.sichuan.tiles import WALL
from tests.sichuan.playing import (
    SBR_MODE,
    V1_MODE,
    Deal,
    Log,
    check_end,
    check_wait,
    deal_of,
    new_round,
    publisher_of,
    restarted,
)
from tests.sichuan.seats import reply_of_seat
from tests.support import LONG

SEEDS = range(40, 120 if LONG else 44)


def offline_mode(policy: str) -> RuleMode:
    """SBR_2025 with another policy for seats that are gone."""
    change = {"offline": {"policy": policy}}
    windows = dict.fromkeys(("after_discard", "after_added_kong"), change)
    return shipped_mode("SBR_2025", {"response_windows": windows})


MODES = {
    "V1": V1_MODE,
    "SBR_2025": SBR_MODE,
    "concealed": shipped_mode("SBR_2025", CONCEALED),
    "silence wins": shipped_mode("V1", SILENCE_WINS),
    "who is gone passes": offline_mode("pass_now"),
    "bots stand in": offline_mode("bot"),
}


@dataclass(frozen=True, slots=True)
class Storm:
    """What goes wrong; numbers are how often of ten.

    Attributes:
        restart: the server loses its memory before every input and has only the saved state.
        duplicate: every reply comes twice, the second time at once or after whatever came next.
        lose: replies that never come.
        late: replies that come at their deadline.
        jump: waits at which the clock jumps far beyond the deadline.
        leave: waits at which a seat goes away or comes back.
    """

    restart: bool = False
    duplicate: bool = False
    lose: int = 0
    late: int = 0
    jump: int = 0
    leave: int = 0


STORMS = {
    "restart": Storm(restart=True),
    "duplicate": Storm(duplicate=True),
    "lose": Storm(lose=3),
    "late": Storm(late=3),
    "jump": Storm(jump=2),
    "leave": Storm(leave=4),
    "all": Storm(True, True, 1, 1, 1, 3),
}


def decided_reply(played: Round, seat: Seat, asked: Hint, deal: Deal, seed: int) -> Any:
    """What a seat answers: decided by what it is asked, and not by when it is."""
    rng = Random(f"{seed} {seat} {number_of(played)}")
    reply = reply_of_seat(played, seat, asked, deal.styles[seat], rng)
    return None if reply is None else encode_reply(reply, None, "extended", asked.seq)


def weathered(
    mode: RuleMode, seed: int, storm: Storm, log: Log, order: int = 0
) -> Round:
    """A round to its end.

    Args:
        order: decides who answers first where several are asked.
    """
    deal = deal_of(seed, mode.window("ADD_KONG") is not None)
    weather, turns = Random(f"weather {seed}"), Random(f"order {order}")
    played = new_round(mode, deal, log)
    gone: set[Seat] = set()
    before: tuple[Seat, Any] | None = None
    now = 0
    while played.phase != "OVER":
        if storm.restart:
            played = restarted(played, log)
        assert set(played.desk.offline) == gone
        if weather.randrange(10) < storm.leave:
            now += 1
            come_or_go(played, weather.choice(TURN_ORDER), gone, now)
            continue
        asked = check_wait(played)
        seat, view_of_seat = turns.choice(asked) if asked else (0, None)
        body = None
        if view_of_seat is not None:
            body = decided_reply(played, seat, view_of_seat, deal, seed)
        deadline = played.wake_at
        assert deadline is not None and deadline > now
        if weather.randrange(10) < storm.jump:
            now = deadline + weather.randrange(100_000)
            played.time(now)
        elif body is None or weather.randrange(10) < storm.lose:
            now = deadline
            played.time(now)
        elif weather.randrange(10) < storm.late:
            now = deadline
            assert answer(played, seat, body, now)["code"] == 400
        else:
            now = min(now + 10, deadline - 1)
            assert answer(played, seat, body, now) == {"code": 200}
            if storm.duplicate:
                refuse_again(played, before, now)
                refuse_again(played, (seat, body), now)
                before = (seat, body)
    check_end(played)
    check_streams(log)
    return played


def come_or_go(played: Round, seat: Seat, gone: set[Seat], now: int) -> None:
    """A seat goes away, or comes back."""
    if seat in gone:
        gone.remove(seat)
        played.reconnect(seat, now)
    else:
        gone.add(seat)
        played.disconnect(seat, now)


def refuse_again(played: Round, sent: tuple[Seat, Any] | None, now: int) -> None:
    """The same reply once more changes nothing."""
    if sent is not None:
        state = round_json(played)
        assert answer(played, *sent, now)["code"] == 400
        assert round_json(played) == state


def check_streams(log: Log) -> None:
    """Streams without a gap, and in each a window closes before the next one opens."""
    for stream in log.streams.values():
        assert [each["seq"] for each in stream] == list(range(1, len(stream) + 1))
        opened = None
        for message in stream:
            if message.get("type") == "RESPONSE_WINDOW_OPENED":
                assert opened is None
                opened = message["payload"]["windowId"]
            elif message.get("type") == "RESPONSE_WINDOW_CLOSED":
                assert opened == message["payload"]["windowId"]
                opened = None
        assert opened is None


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", STORMS)
def test_a_round_ends_properly_whatever_goes_wrong(name: str, mode: str) -> None:
    for seed in SEEDS if name == "all" or LONG else SEEDS[:1]:
        weathered(MODES[mode], seed, STORMS[name], Log())


@pytest.mark.parametrize("mode", ("V1", "SBR_2025"))
def test_restarts_and_replies_sent_twice_change_not_a_byte(mode: str) -> None:
    for seed in SEEDS:
        logs = []
        for storm in (Storm(lose=1, leave=2), Storm(True, True, lose=1, leave=2)):
            log = Log()
            weathered(MODES[mode], seed, storm, log)
            logs.append(json.dumps(list(log.streams.items())))
        assert logs[0] == logs[1]


@pytest.mark.parametrize("mode", ("V1", "SBR_2025"))
def test_the_order_of_replies_does_not_change_a_round(mode: str) -> None:
    """Windows may close sooner or later, so times differ; who has what, and who has paid whom, do not."""
    for seed in SEEDS:
        ends = []
        for order in range(3):
            state = round_json(weathered(MODES[mode], seed, Storm(), Log(), order))
            ends.append({**state, "desk": None, "deadlineAt": None})
        assert ends[0] == ends[1] == ends[2]


def test_who_was_gone_before_a_window_opened_is_gone_in_it() -> None:
    """By the policy it passes at once, or a bot is asked and answers as anybody does."""
    met = dict.fromkeys(("pass_now", "bot", "wait_for_deadline"), 0)
    for policy in met:
        mode = offline_mode(policy)
        for seed in range(50, 54):
            deal = deal_of(seed, True)
            played = new_round(mode, deal, Log())
            for seat in TURN_ORDER:
                played.disconnect(seat, 0)
            while played.phase != "OVER":
                window = played.desk.window
                if played.phase == "CLAIM" and window is not None:
                    states = {
                        (each.state, each.connection) for each in window.candidates
                    }
                    met[policy] += 1
                    if policy == "bot":
                        assert states == {("OPEN", "BOT")}
                        asked = tuple(each.seat_no for each in window.candidates)
                        assert played.desk.bots == asked
                    else:
                        assert states == {("OPEN", "OFFLINE")}
                        assert played.desk.bots == ()
                elif window is not None and policy == "pass_now":
                    met[policy] += window.close_reason == "ALL_ANSWERED"
                    assert window.closed_at == window.opened_at
                assert played.wake_at is not None
                played.time(played.wake_at)
            check_end(played)
    assert min(met.values()) > 5


# --- tables that are dissolved


@pytest.mark.parametrize("mode", ("V1", "SBR_2025", "concealed"))
def test_a_table_can_be_dissolved_at_every_wait(mode: str) -> None:
    phases = []
    for seed in (2, *SEEDS):

        def look(played: Round) -> None:
            log = Log()
            world = read_round(round_json(played), played.desk.mode, publisher_of(log))
            now = played.wake_at
            assert now is not None
            phases.append(world.phase)
            check_dissolved(world, log, now - 1)

        walked(MODES[mode], seed, look)
    assert {*phases} == {"VOID", "TURN", "CLAIM"}


def walked(mode: RuleMode, seed: int, look: Any) -> None:
    """A round to its end, looked at now and then."""
    deal = deal_of(seed, mode.window("ADD_KONG") is not None)
    played, rng, now = new_round(mode, deal, Log()), Random(seed), 0
    while played.phase != "OVER":
        if rng.random() < 0.3:
            look(played)
        asked = check_wait(played)
        body = None
        if asked:
            body = decided_reply(played, *asked[0], deal, seed)
        if body is None:
            assert played.wake_at is not None
            now = played.wake_at
            played.time(now)
        else:
            now += 10
            assert answer(played, asked[0][0], body, now) == {"code": 200}


def check_dissolved(played: Round, log: Log, now: int) -> None:
    """Dissolve a round: the window closes with nobody winning, nothing is paid, no hand is shown, nothing goes on."""
    was_open = played.phase == "CLAIM"
    totals, wins = played.accounts.totals(), list(played.wins)
    hands = [sorted(player.hand) for player in played.table.players]
    moved = played.table.transit
    played.abort(now)
    assert (played.phase, played.end, played.wake_at) == ("OVER", ABORTED, None)
    assert played.accounts.totals() == totals and played.wins == wins
    assert played.statuses == [] and not any(played.accounts.fines)
    assert played.table.transit is None and played.table.tile_count() == len(WALL)
    if moved is not None and moved.is_added:
        hands[moved.source] = sorted([*hands[moved.source], moved.tile])
    assert [sorted(player.hand) for player in played.table.players] == hands
    events = [each for each in log.streams[None] if "type" in each]
    expected = ["RESPONSE_WINDOW_CLOSED"] * was_open + ["ROUND_ENDED"]
    assert [each["type"] for each in events] == expected
    assert events[-1]["payload"] == {"reason": ABORTED}
    if was_open:
        assert events[0]["payload"]["resolvedActionType"] == "PASS"
    for seat in (*TURN_ORDER, None):
        shown: Any = view(played, seat)
        assert all(each["hand"] is None for each in shown["players"])
        assert hint(played, seat) == encode(NoDecision(True))
    after = round_json(played)
    restored = read_round(
        json.loads(json.dumps(after)), played.desk.mode, publisher_of(Log())
    )
    assert round_json(restored) == after
    played.abort(now + 1)
    played.time(now + 10**9)
    with pytest.raises(MoveRefused):
        played.choose_void(0, "m", now + 1)
    assert round_json(played) == after


def test_a_round_that_cannot_go_on_can_still_be_dissolved() -> None:
    """The tiles of a claim are gone: carrying it out fails, and the server gets rid of the round."""
    met = 0
    for seed in range(60, 75):
        played = new_round(V1_MODE, deal_of(seed, False), Log())
        while played.phase not in ("OVER", "CLAIM"):
            played.time(played.wake_at or 0)
        window = played.desk.window
        if window is None or not window.candidates[0].options[0].consumes:
            continue
        met += 1
        seat, option = window.candidates[0].seat_no, window.candidates[0].options[0]
        for tile in option.consumes:
            played.table.players[seat].hand.remove(str(tile))
        name = option.action_type
        with pytest.raises(ValueError, match="not in list"):
            reply = ResponseReply("a", window.window_id, seat, name)
            played.claim(reply, window.opened_at + 1)
            played.time(window.deadline_at)
        played.abort(window.deadline_at + 1)
        assert (played.phase, played.end) == ("OVER", ABORTED)
    assert met > 5
