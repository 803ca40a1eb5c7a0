"""Missed-claim locks: every preset of section 4.2 of the window requirement, and the details that bit others."""

from __future__ import annotations

from typing import Any

import pytest

from dealwright.runtime.windows import (
    LOCKS,
    Locks,
    MissedClaim,
    Resolution,
    ResponseActionWindow,
    ResponseActionWindowBuilder,
    Shape,
    TableView,
    Trigger,
    arm,
    arm_directly,
    on_deadline,
    on_reply,
    released,
    resolution_of,
    shipped_mode,
)
from dealwright.runtime.windows.locks import blocks, locks_json, read_locks
from dealwright.runtime.windows.presets import FORCED_LAST_WIN
from tests.windows.builders import reply

Json = Any
EVERYBODY_READY = lambda seat: True  # noqa: E731
NOBODY_READY = lambda seat: False  # noqa: E731

Hands = dict[int, dict[str, Json]]
"""What each seat is offered: for HU its hint, for others anything."""


def lock_of(name: str, kind: str = "missed_win") -> MissedClaim:
    """The lock of a preset."""
    return next(
        each for each in shipped_mode("V1", LOCKS[name]).locks if each.id == kind
    )


def window(
    lock: MissedClaim,
    hands: Hands,
    tile: str = "5m",
    locks: Locks = (),
    wall: int = 30,
    *changes: Json,
) -> ResponseActionWindow | None:
    """The window that opens, with options taken away by locks."""
    spec = shipped_mode("V1", *changes).windows["DISCARD"]

    def offer(action: str) -> Any:
        def shapes(position: None, seat: int, trigger: Trigger) -> Any:
            if action not in hands.get(seat, {}):
                return ()
            consumed = {"GANG": 3, "PENG": 2}.get(action, 0)
            return (Shape((tile,) * consumed, hands[seat][action]),)

        return shapes

    builder = ResponseActionWindowBuilder(
        spec, {action: offer(action) for action in ("HU", "GANG", "PENG")}, [lock]
    )
    view = TableView("t1", "r1", (0, 1, 2, 3), 1, 0, None, {}, {}, locks)
    return builder.build(view, Trigger("DISCARD", 0, tile, 1, 0, wall))


def offered(
    lock: MissedClaim,
    locks: Locks,
    hands: Hands,
    tile: str = "5m",
    wall: int = 30,
) -> dict[int, list[str]]:
    """What each seat may still answer."""
    opened = window(lock, hands, tile, locks, wall)
    if opened is None:
        return {}
    return {
        each.seat_no: [option.action_type for option in each.options]
        for each in opened.candidates
    }


def after(
    lock: MissedClaim,
    hands: Hands,
    answers: dict[int, str],
    tile: str = "5m",
    locks: Locks = (),
    is_still_ready: Any = EVERYBODY_READY,
) -> Locks:
    """The locks after a window in which these seats answered; the others are silent."""
    opened = window(lock, hands, tile, locks)
    assert opened is not None
    closed, resolution = finished(opened, answers)
    return arm(lock, locks, closed, resolution, is_still_ready)


def finished(
    opened: ResponseActionWindow, answers: dict[int, str]
) -> tuple[ResponseActionWindow, Resolution]:
    spec = shipped_mode("V1").windows["DISCARD"]
    for now, (seat, action) in enumerate(answers.items(), start=1):
        opened, _ = on_reply(opened, reply(seat, action), now, spec)
    closed, _ = on_deadline(opened, 8000, spec)
    return closed, resolution_of(closed, spec)


def fan(number: int, **more: Json) -> dict[str, Json]:
    """A seat that may win."""
    return {"HU": {"fan": number, **more}}


# --- presets


def test_off_locks_nothing() -> None:
    assert shipped_mode("V1", LOCKS["off"]).locks == ()
    assert shipped_mode("V1").locks == ()


@pytest.mark.parametrize(
    ("name", "cause", "arms"),
    [
        ("same_turn_strict", "PASS", True),
        ("same_turn_strict", "silence", True),
        ("same_turn_strict", "PENG", True),
        ("same_turn_strict_until_call", "silence", True),
        ("same_tile", "PASS", True),
        ("same_tile", "silence", False),
        ("same_tile", "PENG", False),
        ("fan_cap", "PASS", True),
        ("fan_cap", "silence", True),
        ("fan_cap", "PENG", True),
        ("fan_cap_and_same_tile", "PASS", True),
        ("fan_cap_and_same_tile", "silence", False),
        ("same_wait_set", "silence", True),
    ],
)
def test_what_arms_a_lock(name: str, cause: str, arms: bool) -> None:
    lock = lock_of(name)
    hands: Hands = {1: {**fan(1), "PENG": None}}
    answers = {} if cause == "silence" else {1: cause}
    assert bool(after(lock, hands, answers)) == arms


def test_winning_superseded_and_outranked_seats_did_not_decline() -> None:
    lock = lock_of("same_turn_strict")
    hands: Hands = {1: fan(1), 2: fan(1), 3: fan(1)}
    assert after(lock, hands, {1: "HU"}) == (), "the others were superseded"
    assert after(lock, hands, {3: "HU", 2: "HU", 1: "HU"}) == (), "or outranked"
    declined = after(lock, hands, {1: "PASS", 2: "HU"})
    assert [each.seat for each in declined] == [1]


def test_a_seat_without_the_claim_declines_nothing() -> None:
    lock = lock_of("same_turn_strict")
    assert after(lock, {1: {"PENG": None}, 2: fan(0)}, {1: "PASS", 2: "HU"}) == ()


def test_the_strict_lock_takes_the_win_and_leaves_the_rest() -> None:
    lock = lock_of("same_turn_strict")
    locks = after(lock, {2: fan(1)}, {2: "PASS"})
    hands: Hands = {2: {**fan(3), "GANG": None, "PENG": None}}
    assert offered(lock, locks, hands, "3m") == {2: ["GANG", "PENG", "PASS"]}
    assert offered(lock, locks, {2: fan(3)}, "3m") == {}, "nothing left: no candidate"
    assert offered(lock, locks, {1: fan(1)}, "3m") == {1: ["HU", "PASS"]}


@pytest.mark.parametrize(
    ("name", "events"),
    [
        ("same_turn_strict", {"own_discard"}),
        ("same_turn_strict_until_call", {"own_draw", "own_kong_draw", "own_claim"}),
        ("same_tile", {"own_draw", "own_kong_draw", "own_discard"}),
        ("fan_cap", {"own_draw", "own_kong_draw"}),
        ("fan_cap_and_same_tile", {"own_draw", "own_kong_draw"}),
        ("same_wait_set", {"own_draw", "own_kong_draw", "claim_breaks_ready"}),
    ],
)
def test_what_releases_a_lock(name: str, events: set[str]) -> None:
    lock = lock_of(name)
    locks = after(lock, {1: fan(1), 2: fan(1)}, {1: "PASS", 2: "PASS"})
    assert len(locks) == 2
    for event in (
        "own_draw",
        "own_kong_draw",
        "own_discard",
        "own_claim",
        "claim_breaks_ready",
    ):
        left = released([lock], locks, 1, event)
        assert [each.seat for each in left] == ([2] if event in events else [1, 2])


def test_same_tile_locks_that_tile_only() -> None:
    lock = lock_of("same_tile")
    locks = after(lock, {1: fan(1)}, {1: "PASS"}, "5m")
    assert offered(lock, locks, {1: fan(1)}, "5m") == {}
    assert offered(lock, locks, {1: fan(1)}, "8m") == {1: ["HU", "PASS"]}
    locks = after(lock, {1: fan(1)}, {1: "PASS"}, "8m", locks)
    assert offered(lock, locks, {1: fan(1)}, "5m") == {}
    assert offered(lock, locks, {1: fan(1)}, "8m") == {}


def test_fan_cap_lets_a_higher_win_through() -> None:
    lock = lock_of("fan_cap")
    locks = after(lock, {1: fan(1)}, {1: "PASS"})
    assert [
        number for number in range(4) if offered(lock, locks, {1: fan(number)})
    ] == [
        2,
        3,
    ]


def test_the_highest_declined_fan_counts_not_the_last_nor_the_lowest() -> None:
    """scai_engine: the minimum was stored, so declining 2 and then 1 opened 2 again."""
    lock = lock_of("fan_cap")
    for order in ((2, 1), (1, 2)):
        locks: Locks = ()
        for number in order:
            opened = window(lock, {1: fan(number)})
            assert opened is not None
            locks = arm(lock, locks, *finished(opened, {1: "PASS"}), EVERYBODY_READY)
        assert offered(lock, locks, {1: fan(2)}) == {}
        assert offered(lock, locks, {1: fan(3)}) != {}


def test_fan_cap_may_block_the_same_tile_whatever_it_is_worth() -> None:
    lock = lock_of("fan_cap_and_same_tile")
    locks = after(lock, {1: fan(1)}, {1: "PASS"}, "5m")
    assert offered(lock, locks, {1: fan(3)}, "5m") == {}
    assert offered(lock, locks, {1: fan(3)}, "8m") != {}
    assert offered(lock, locks, {1: fan(1)}, "8m") == {}


def test_a_wait_set_locks_all_that_was_waited_for() -> None:
    lock = lock_of("same_wait_set")
    locks = after(lock, {1: fan(1, waits=["2m", "5m"])}, {1: "PASS"}, "5m")
    assert offered(lock, locks, {1: fan(1)}, "2m") == {}
    assert offered(lock, locks, {1: fan(1)}, "5m") == {}
    assert offered(lock, locks, {1: fan(1)}, "8m") != {}


def test_a_declined_pung_of_its_own() -> None:
    lock = lock_of("missed_peng", "missed_peng")
    hands: Hands = {1: {"PENG": None, **fan(1)}}
    locks = after(lock, hands, {1: "PASS"})
    assert offered(lock, locks, hands) == {1: ["HU", "PASS"]}
    assert offered(lock, locks, hands, "8m") == {1: ["HU", "PENG", "PASS"]}


# --- details


def test_a_lower_claim_arms_by_what_the_lock_says() -> None:
    hands: Hands = {1: {**fan(1), "PENG": None}}
    for how, ready, arms in (
        ("if_still_ready", True, True),
        ("if_still_ready", False, False),
        ("always", False, True),
        ("never", True, False),
    ):
        change = {"missed_win": {"claimed_lower": how}}
        lock = shipped_mode("V1", LOCKS["fan_cap"], change).locks[0]
        asked = EVERYBODY_READY if ready else NOBODY_READY
        assert bool(after(lock, hands, {1: "PENG"}, is_still_ready=asked)) == arms


def test_a_lower_claim_that_lost_is_declined_all_the_same() -> None:
    lock = lock_of("fan_cap")
    hands: Hands = {1: {**fan(1), "PENG": None}, 3: fan(2)}
    locks = after(lock, hands, {1: "PENG", 3: "HU"})
    assert [(each.seat, each.value) for each in locks] == [(1, 1)]


def test_declined_self_draws_and_own_discards_arm_where_the_lock_says() -> None:
    lock = lock_of("fan_cap")
    locks = arm_directly(lock, (), 1, "declined_self_draw", "5m", {"fan": 2})
    assert offered(lock, locks, {1: fan(2)}) == {}
    locks = arm_directly(lock, (), 1, "own_discard_of_wait", "5m", {"fan": 0})
    assert offered(lock, locks, {1: fan(0)}) == {}
    strict = lock_of("same_turn_strict")
    assert arm_directly(strict, (), 1, "declined_self_draw", "5m", None) == ()


def test_near_the_end_a_lock_may_not_hold() -> None:
    change = {"missed_win": {"off_when_wall_at_most": 4}}
    lock = shipped_mode("V1", LOCKS["same_turn_strict"], change).locks[0]
    locks = after(lock, {1: fan(1)}, {1: "PASS"})
    assert offered(lock, locks, {1: fan(1)}, wall=5) == {}
    assert offered(lock, locks, {1: fan(1)}, wall=4) != {}


def test_a_forced_claim_overrides_a_lock() -> None:
    lock = lock_of("same_turn_strict")
    locks = after(lock, {1: fan(1)}, {1: "PASS"})
    for wall, options in ((1, None), (0, ["HU"])):
        opened = window(lock, {1: fan(1)}, "5m", locks, wall, FORCED_LAST_WIN)
        found = opened and [each.action_type for each in opened.candidates[0].options]
        assert found == options


def test_without_a_value_nothing_is_known_to_be_higher() -> None:
    lock = lock_of("fan_cap")
    locks = after(lock, {1: {"HU": None}}, {1: "PASS"})
    assert offered(lock, locks, {1: fan(3)}) == {}


def test_a_lock_applies_to_its_triggers_only() -> None:
    change = {"missed_win": {"applies_to": ["ADD_KONG"]}}
    lock = shipped_mode("V1", LOCKS["same_turn_strict"], change).locks[0]
    locks = after(lock, {1: fan(1)}, {1: "PASS"})
    assert locks
    assert offered(lock, locks, {1: fan(1)}) != {}


def test_locks_are_json() -> None:
    lock = lock_of("same_wait_set")
    locks = after(lock, {1: fan(1, waits=["2m", 7])}, {1: "PASS"})
    again = read_locks(locks_json(locks))
    assert again == locks
    assert blocks(lock, again, 1, "2m", None, 9)
