"""Who learns what. Two worlds that differ in hidden hands only must look the same, to the byte and the millisecond, to
every seat whose own hand is the same in both.

Without concealment the table may learn that a window opened and when it closed, and nothing else; with it not even that.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator

import pytest

from dealwright.runtime.windows import ResponseReply, RuleMode, shipped_mode
from dealwright.runtime.windows.presets import CONCEALED, SEVERAL_WINNERS
from examples.sichuan.rules import TURN_ORDER, announce, settle
from examples.sichuan.table import InTransit, Player, Seat, Table
from examples.sichuan.tiles import SUITS, WALL, Tile
from tests.support import LONG, SHARED
from tests.windows.builders import Json
from tests.windows.rounds import Faults, Log, Round, new_desk, ready_player
from tests.windows.scenario import table_of

SCENARIOS = SHARED / "windows" / "scenarios.json"
DEALS = range(2_000 if LONG else 200)
"""Enough without the arranged positions, which only some checkouts have."""

PUBLIC = {
    "TILE_DISCARDED": {"seatNo", "tile", "discardIndex", "wallRemaining"},
    "ADD_KONG_ATTEMPTED": {"seatNo", "tile"},
    "RESPONSE_WINDOW_OPENED": {"windowId", "sourceSeatNo", "tile", "deadlineAt"},
    "RESPONSE_WINDOW_CLOSED": {"windowId", "sourceSeatNo", "resolvedActionType"},
    "PENG_DECLARED": {"seatNo", "sourceSeatNo", "tile", "meld", "windowId"},
    "GANG_DECLARED": {"seatNo", "sourceSeatNo", "tile", "meld", "windowId", "gangKind"},
    "HU_DECLARED": {"seatNo", "sourceSeatNo", "tile", "windowId", "winKind", "huOrder"},
    "ROUND_ENDED": {"reason"},
}
"""All that a public event may hold (section 1.5 of the requirement)."""

Answer = Callable[[Seat, list[str]], tuple[int, str] | None]
"""What a seat answers to its options, and how long it thinks; None is silence."""


def silent(seat: Seat, options: list[str]) -> None:
    """Nobody says a word."""


def pass_slowly(seat: Seat, options: list[str]) -> tuple[int, str]:
    """Each passes, after a time that depends on the seat and on what it was offered."""
    return 1000 * seat + 100 * len(options), "PASS"


def run(mode: RuleMode, table: Table, answer: Answer) -> Log:
    """One tile in transit, its window and what follows."""
    log = Log()
    desk = new_desk(mode, log)
    if announce(table, desk, "r1", 5000) is None:
        assert desk.window is not None
        window = desk.window
        said = [
            (given, each.seat_no)
            for each in window.candidates
            if (given := answer(each.seat_no, [o.action_type for o in each.options]))
        ]
        for (after, action), seat in sorted(said):
            reply = ResponseReply(f"s{seat}", window.window_id, seat, action)
            desk.reply(reply, 5000 + after)
        desk.time(window.deadline_at)
        settle(table, desk, "r1")
    return log


def seen(log: Log, seat: Seat | None) -> str:
    """All that a seat ever sees, as bytes; times are in it."""
    return json.dumps(log.streams[seat])


def swapped(table: Table, first: Seat, second: Seat) -> Table:
    """The same table with two hidden hands exchanged; void suits and melds are public and stay."""
    copy = copied(table)
    one, other = copy.players[first], copy.players[second]
    one.hand, other.hand = other.hand, one.hand
    return copy


def copied(table: Table) -> Table:
    """Another table like it."""
    return Table(
        [
            Player(list(each.hand), list(each.melds), each.void_suit, each.won_tile)
            for each in table.players
        ],
        list(table.wall),
        list(table.river),
        table.discards,
        table.transit,
    )


def positions() -> Iterator[Table]:
    """The arranged positions, where they are at hand, and random deals: ready hands and plain ones."""
    if SCENARIOS.is_file():
        for position in json.loads(SCENARIOS.read_text("utf-8"))["positions"].values():
            if position["trigger"] == "DISCARD":
                yield table_of(position)
    for seed in DEALS:
        yield dealt(random.Random(seed))


def dealt(choices: random.Random) -> Table:
    """A random table with a tile in transit, often one that somebody can use."""
    wall = list(WALL)
    void = choices.choice(SUITS)
    players = [ready_player(wall, choices) for _ in TURN_ORDER]
    if choices.random() < 0.5:
        # one void suit for all, so that exchanged hands can use the same tiles
        for player in players:
            player.void_suit = void
    choices.shuffle(wall)
    source = choices.choice(TURN_ORDER)
    wanted: list[Tile] = [
        tile
        for seat, player in enumerate(players)
        if seat != source
        for tile in {*player.hand}
        if player.hand.count(tile) > 1 and tile in wall
    ]
    tile = choices.choice(sorted(wanted) or wall)
    wall.remove(tile)
    table = Table(players, wall, discards=1)
    table.transit = InTransit(tile, source)
    return table


@pytest.mark.parametrize("answer", (silent, pass_slowly))
def test_with_concealment_hidden_hands_change_nothing_that_others_see(
    answer: Answer,
) -> None:
    mode = shipped_mode("V1", CONCEALED)
    differing = 0
    for table in positions():
        source = table.transit.source if table.transit else 0
        others = [seat for seat in TURN_ORDER if seat != source]
        for first, second in zip(others, others[1:] + others[:1], strict=True):
            before = run(mode, copied(table), answer)
            after = run(mode, swapped(table, first, second), answer)
            for seat in (*TURN_ORDER, None):
                if seat not in (first, second):
                    assert seen(before, seat) == seen(after, seat)
            differing += before.audit[1] != after.audit[1]
    assert differing > 20, "the worlds must differ, or nothing was shown"


def test_with_concealment_a_claim_tells_nothing_of_who_else_could() -> None:
    """Seat 1 takes its pung, whether or not others could have; what others see, and seat 1 itself, is the same."""
    mode = shipped_mode("V1", CONCEALED, SEVERAL_WINNERS)

    def pung(seat: Seat, options: list[str]) -> tuple[int, str] | None:
        return (700, "PENG") if "PENG" in options else pass_slowly(seat, options)

    told = 0
    for table in positions():
        moved = table.transit
        assert moved is not None
        takers = [
            seat
            for seat in TURN_ORDER
            if seat != moved.source
            and table.players[seat].hand.count(moved.tile) == 2
            and table.players[seat].void_suit != moved.tile[1]
            and not table.players[seat].has_won
        ]
        others = [seat for seat in TURN_ORDER if seat not in (moved.source, *takers)]
        if len(takers) != 1 or len(others) != 2:
            continue
        before = run(mode, copied(table), pung)
        after = run(mode, swapped(table, *others), pung)
        for seat in (moved.source, takers[0], None):
            assert seen(before, seat) == seen(after, seat)
        told += before.audit[1] != after.audit[1]
    assert told > 5


def test_without_concealment_only_the_window_itself_tells() -> None:
    """Of worlds that open a window and let it time out, nobody can tell who was asked, how many, or what."""
    mode = shipped_mode("V1")
    pairs = 0
    for table in positions():
        moved = table.transit
        assert moved is not None
        others = [seat for seat in TURN_ORDER if seat != moved.source]
        logs = [run(mode, copied(table), silent)]
        for first, second in ((0, 1), (1, 2), (0, 2)):
            other = swapped(table, others[first], others[second])
            logs.append(run(mode, other, silent))
        opened = [log for log in logs if "RESPONSE_WINDOW_OPENED" in seen(log, None)]
        for log in opened[1:]:
            assert seen(log, moved.source) == seen(opened[0], moved.source)
            assert seen(log, None) == seen(opened[0], None)
            pairs += log.audit[1] != opened[0].audit[1]
    assert pairs > 20


@pytest.mark.parametrize("name", ("V1", "SBR_2025"))
def test_public_events_hold_what_they_may_and_messages_go_to_one_seat(
    name: str,
) -> None:
    kinds: set[str] = set()
    for seed in range(100 if LONG else 8):
        faults = Faults(duplicate=True, lose=2, late=2, disconnect=3)
        played = Round.dealt(shipped_mode(name), seed, faults)
        played.play()
        for seat, stream in played.log.streams.items():
            public = [each for each in stream if "type" in each]
            bare = [{**each, "seq": 0} for each in public]
            watched = [{**each, "seq": 0} for each in played.log.streams[None]]
            assert bare == watched, "everybody sees the same public events"
            for event in public:
                assert event["payload"].keys() == PUBLIC[event["type"]]
                assert "PASS" not in json.dumps(event["type"])
                kinds.add(event["type"])
            for message in stream:
                if "type" not in message:
                    assert message["recipientSeatNo"] == seat
    assert {"PENG_DECLARED", "HU_DECLARED", "RESPONSE_WINDOW_CLOSED"} <= kinds


def test_a_seat_that_was_not_asked_learns_nothing_by_trying() -> None:
    """The refusal is the same whoever else was asked, and names neither tile nor deadline."""
    mode = shipped_mode("V1")
    bodies: set[str] = set()
    for table in positions():
        log = Log()
        desk = new_desk(mode, log)
        if announce(copied(table), desk, "r1", 5000) is not None:
            continue
        window = desk.window
        assert window is not None
        strangers = [seat for seat in TURN_ORDER if window.candidate(seat) is None]
        for seat in strangers:
            before = {other: seen(log, other) for other in (*TURN_ORDER, None)}
            desk.reply(ResponseReply("x", window.window_id, seat, "HU"), 5001)
            message = log.streams[seat].pop()
            assert all(seen(log, other) == text for other, text in before.items())
            message |= {"messageId": "", "seq": 0, "recipientSeatNo": 0}
            bodies.add(json.dumps(message))
    assert len(bodies) == 1
    assert "NOT_A_CANDIDATE" in bodies.pop()


def test_numbers_of_messages_have_no_gaps_that_could_tell() -> None:
    played = Round.dealt(shipped_mode("V1"), 1)
    played.play()
    for seat, stream in played.log.streams.items():
        assert [each["seq"] for each in stream] == list(range(1, len(stream) + 1))
        own: list[Json] = [each for each in stream if "messageId" in each]
        assert [each["messageId"] for each in own] == [
            f"t1:s{seat}:m{number + 1}" for number in range(len(own))
        ]
