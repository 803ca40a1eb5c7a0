"""The round through hints: who is asked what, what is refused, and rounds in modes with other windows."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dealwright.runtime.hints import Hint, decode, encode_reply
from dealwright.runtime.windows import LOCKS, RuleMode, shipped_mode
from dealwright.runtime.windows.presets import (
    FORCED_LAST_WIN,
    SILENCE_WINS,
    UPWARD_AMENDMENT,
)
from examples.sichuan.asking import answer, hint, numbers_of, seen, tile_of
from examples.sichuan.bots import bot_move
from examples.sichuan.distance import distance
from examples.sichuan.hand import is_complete, waits
from examples.sichuan.round import Round
from examples.sichuan.rules import TURN_ORDER
from examples.sichuan.saved import round_json
from examples.sichuan.tiles import WALL, tiles
from tests.sichuan.playing import SBR_MODE, V1_MODE, Log, deal_of, new_round, play

OTHERS = [
    shipped_mode("CHENGDU_ONLINE"),
    shipped_mode("V1", FORCED_LAST_WIN),
    shipped_mode("SBR_2025", SILENCE_WINS),
    shipped_mode("SBR_2025", UPWARD_AMENDMENT),
    *(shipped_mode("SBR_2025", {"missed_win": None}, lock) for lock in LOCKS.values()),
]


@pytest.mark.parametrize("mode", OTHERS)
def test_rounds_end_in_other_modes_too(mode: RuleMode) -> None:
    for seed in range(10, 14):
        play(mode, deal_of(seed, True), seed)


def test_silence_alone_ends_a_round() -> None:
    for mode in (V1_MODE, SBR_MODE):
        played = new_round(mode, deal_of(30, False), Log())
        played.time(10**9)
        assert played.phase == "OVER" and played.wins == []
        assert hint(played, 0)["code"] == 400
        body = {"method": "discard", "discard": [1]}
        assert answer(played, 0, body, 10**9)["code"] == 400


def test_numbers_tell_equal_tiles_apart() -> None:
    numbers = numbers_of(WALL)
    assert sorted(numbers) == list(range(108))
    assert [tile_of(number) for number in numbers] == list(WALL)


def test_a_turn_is_a_hint_and_others_watch() -> None:
    played = new_round(V1_MODE, deal_of(30, False), Log())
    assert played.wake_at is not None
    played.time(played.wake_at)
    seat = played.turn.seat
    asked = hint(played, seat)
    assert asked["action"] == "discard" and asked["abort"] == "disallow"
    for other in (*TURN_ORDER, None):
        if other != seat:
            assert hint(played, other) == {
                "code": 200,
                "action": "discard",
                "players": [seat],
            }


WRONG: list[Any] = [
    None,
    [],
    {},
    {"method": "abort"},
    {"method": "discard"},
    {"method": "discard", "discard": []},
    {"method": "discard", "discard": [108]},
    {"method": "discard", "discard": [-1]},
    {"method": "discard", "discard": [True]},
    {"method": "HU?", "discard": []},
    {"method": "GANG 0z", "discard": [0]},
    {"region": "m"},
]


def test_wrong_replies_are_refused_and_change_nothing() -> None:
    """At every wait of some rounds, from every seat."""
    refused = 0
    for seed in (11, 12):
        rng = Random(seed)

        def look(played: Round, rng: Random = rng) -> Round:
            nonlocal refused
            if rng.random() < 0.3:
                before = round_json(played)
                now = (played.wake_at or 1) - 1
                for seat in TURN_ORDER:
                    for body in WRONG:
                        is_void = played.phase == "VOID" and body == {"region": "m"}
                        is_pass = played.phase == "CLAIM" and body == {
                            "method": "abort"
                        }
                        if isinstance(seen(played, seat), Hint) and (
                            is_void or is_pass
                        ):
                            continue
                        said = answer(played, seat, body, now)
                        assert said["code"] == 400, (body, said)
                        refused += 1
                assert round_json(played) == before
            return played

        play(SBR_MODE, deal_of(seed, True), seed, at_wait=look)
    assert refused > 500


def test_replies_sent_again_or_late_change_nothing() -> None:
    """A reply that names its hint counts for that hint alone, however often and however late it comes."""
    for seed in (21, 22, 23):
        played = new_round(SBR_MODE, deal_of(seed, True), Log())
        rng = Random(seed)
        sent: list[tuple[int, Any]] = []
        now = 0
        while played.phase != "OVER":
            now += 1
            for seat in TURN_ORDER:
                view = seen(played, seat)
                if isinstance(view, Hint):
                    reply = bot_move(played, seat, rng)
                    body = encode_reply(reply, None, "extended", view.seq)
                    assert answer(played, seat, body, now) == {"code": 200}
                    sent.append((seat, body))
                    break
            before = round_json(played)
            for earlier, body in sent[-12:]:
                assert answer(played, earlier, body, now)["code"] == 400
            assert round_json(played) == before
        assert len(sent) > 30


def test_who_is_not_asked_is_told_no_more_than_that() -> None:
    played = new_round(V1_MODE, deal_of(30, False), Log())
    rng = Random(1)
    now, compared = 0, 0
    while played.phase != "OVER":
        now += 1
        asked = [seat for seat in TURN_ORDER if isinstance(seen(played, seat), Hint)]
        reply = bot_move(played, asked[0], rng)
        body = encode_reply(reply)
        said = [
            answer(played, seat, body, now) for seat in TURN_ORDER if seat not in asked
        ]
        assert all(each == said[0] for each in said)
        compared += len(said)
        assert answer(played, asked[0], body, now) == {"code": 200}
    assert compared > 100


def test_a_client_can_read_every_hint() -> None:
    def look(played: Round) -> Round:
        for seat in (*TURN_ORDER, None):
            for dialect in ("spec", "upstream", "extended"):
                mine, theirs = seen(played, seat), decode(hint(played, seat, dialect))
                assert type(mine) is type(theirs)
        return played

    play(SBR_MODE, deal_of(17, True), 17, at_wait=look)


def test_offers_come_again_to_who_comes_back() -> None:
    log = Log()
    met = 0

    def look(played: Round) -> Round:
        nonlocal met
        window = played.desk.window
        if played.phase == "CLAIM" and window is not None:
            for each in window.candidates:
                if each.answer is None:
                    now = window.deadline_at - 1
                    before = len(log.streams[each.seat_no])
                    played.disconnect(each.seat_no, window.opened_at)
                    played.reconnect(each.seat_no, now)
                    sent = log.streams[each.seat_no][before:]
                    assert [message["kind"] for message in sent] == ["OFFER_RESENT"]
                    assert sent[0]["remainingMs"] == 1
                    met += 1
        return played

    play(V1_MODE, deal_of(19, False), 19, log, look)
    assert met > 3


# --- the computer players' measure


def test_distance_agrees_with_what_is_ready_and_complete() -> None:
    """Hands around a complete one: with a tile, or two, exchanged."""
    rng = Random(3)
    ready = complete = 0
    for _ in range(300):
        hand = (
            tiles("123m 456m 789p 234p 5p 5p")
            if rng.random() < 0.5
            else tiles("1133557799m 2244p")
        )
        for _ in range(rng.randrange(3)):
            hand[rng.randrange(len(hand))] = rng.choice(WALL)
        if max(map(hand.count, hand)) > 4:
            continue
        far = distance(hand, 0, None)
        assert (far == -1) == is_complete(hand)
        rest = hand[:-1]
        assert (distance(rest, 0, None) == 0) >= bool(waits(rest))
        assert distance(rest, 0, None) - 1 <= far <= distance(rest, 0, None)
        ready += distance(rest, 0, None) == 0
        complete += far == -1
    assert ready > 100 and complete > 50
