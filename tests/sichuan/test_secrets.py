"""What a seat is told does not depend on what it may not know: hands of two others are swapped, and bytes compared."""

from __future__ import annotations

import json
from random import Random

from dealwright.runtime.windows import shipped_mode
from dealwright.runtime.windows.presets import CONCEALED
from examples.sichuan.asking import hint
from examples.sichuan.round import Round
from examples.sichuan.rules import TURN_ORDER
from examples.sichuan.saved import read_round, round_json
from examples.sichuan.seen import view
from examples.sichuan.table import Seat
from examples.sichuan.turns import Move
from tests.sichuan.playing import Log, deal_of, play, publisher_of
from tests.support import LONG

MODE = shipped_mode("SBR_2025", CONCEALED)
SEEDS = range(200) if LONG else range(6)


def told(played: Round, seat: Seat | None) -> str:
    """Everything that a seat sees now, as bytes would have it."""
    dialects = ("spec", "upstream", "extended")
    return json.dumps([view(played, seat), *(hint(played, seat, d) for d in dialects)])


def copied(played: Round, log: Log) -> Round:
    return read_round(round_json(played), MODE, publisher_of(log))


def swapped(played: Round, one: Seat, other: Seat, log: Log, rng: Random) -> Round:
    """The same round with the concealed tiles of two seats exchanged as far as both have some, and another wall."""
    world = copied(played, log)
    first, second = (world.table.players[seat].hand for seat in (one, other))
    length = min(len(first), len(second))
    first[:length], second[:length] = second[:length], first[:length]
    rng.shuffle(world.table.wall)
    return world


def test_views_and_hints_do_not_depend_on_other_hands() -> None:
    compared = 0
    for seed in SEEDS:
        rng = Random(seed)

        def look(played: Round, rng: Random = rng) -> Round:
            nonlocal compared
            if played.phase != "CLAIM":
                mover = played.turn.seat
                one, other, watcher = (seat for seat in TURN_ORDER if seat != mover)
                world = swapped(played, one, other, Log(), rng)
                for seat in (watcher, mover, None):
                    assert told(world, seat) == told(played, seat)
                    compared += 1
            return played

        play(MODE, deal_of(seed + 5, True), seed, at_wait=look)
    assert compared > 100 * len(SEEDS)


def test_a_discard_tells_a_bystander_nothing_of_other_hands() -> None:
    """With every discard opening a window that lasts: events, times, hints and views of the third seat are the same."""
    compared = differing = 0
    for seed in SEEDS:
        rng = Random(seed)

        def look(played: Round, rng: Random = rng) -> Round:
            nonlocal compared, differing
            mover, out = played.turn.seat, played.table.out
            others = [seat for seat in TURN_ORDER if seat != mover]
            is_chosen = rng.random() < 0.15 and not out.intersection(others)
            if played.phase != "TURN" or not played.table.wall or not is_chosen:
                return played
            rng.shuffle(others)
            for move in played.moves:
                if move.kind == "DISCARD":
                    differing += discard_in_two_worlds(played, move, others, rng)
                    compared += 1
            return played

        play(MODE, deal_of(seed + 5, True), seed, at_wait=look)
    assert compared > 20 * len(SEEDS) and differing > len(SEEDS)


def discard_in_two_worlds(
    played: Round, move: Move, others: list[Seat], rng: Random
) -> bool:
    """Discard where the first two others have exchanged hands, and where they have not; the third sees no difference.

    Returns:
        Whether there was one: other seats were asked.
    """
    one, other, bystander = others
    logs = (Log(), Log())
    worlds = (copied(played, logs[0]), swapped(played, one, other, logs[1], rng))
    asked = []
    for world in worlds:
        world.act(played.turn.seat, move, played.deadline_at - 100)
        assert world.phase == "CLAIM" and world.desk.window is not None
        asked.append([each.seat_no for each in world.desk.window.candidates])
    for seat in (bystander, None):
        assert told(worlds[0], seat) == told(worlds[1], seat)
    for world in worlds:
        assert world.wake_at is not None
        world.time(world.wake_at)
    for seat in (bystander, None):
        assert of_windows(logs[0], seat) == of_windows(logs[1], seat)
    return asked[0] != asked[1]


def of_windows(log: Log, seat: Seat | None) -> str:
    """A stream without what the seat itself draws next, since the walls differ."""
    return json.dumps(
        [
            message
            for message in log.streams[seat]
            if message.get("scope", "RESPONSE") == "RESPONSE"
        ]
    )
