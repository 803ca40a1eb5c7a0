"""Missed-win locks: who declines a claim may not make it again for a while. All of it is data.

    {"scope": "any_tile", "exception": "higher_fan", "release": ["own_draw", "own_kong_draw"], …}   (過手胡, 順和)

A lock is armed when a window closes, for seats that had the claim and did not make it; it takes options away when the
next windows are built; events of the game release it. What the claim is worth and which cards would do are read from the
hints of its options (`compare`, `waits`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias, final, get_args

from dealwright.runtime.checks import Misfit, a_list, an_int
from dealwright.runtime.errors import MatchError
from dealwright.runtime.windows.model import (
    PASS,
    Hint,
    Resolution,
    ResponseActionSeatCandidate,
    ResponseActionWindow,
    Seat,
    Tile,
)
from dealwright.runtime.windows.reading import Place
from dealwright.runtime.windows.wire_read import read_tile

Cause: TypeAlias = Literal["explicit_pass", "timeout", "claimed_lower"]
Extra: TypeAlias = Literal["declined_self_draw", "own_discard_of_wait"]
Scope: TypeAlias = Literal["any_tile", "same_tile", "same_wait_set"]
Excepted: TypeAlias = Literal["none", "higher_fan", "higher_fan_on_another_tile"]
ClaimedLower: TypeAlias = Literal["if_still_ready", "always", "never"]
Release: TypeAlias = Literal[
    "own_draw",
    "own_kong_draw",
    "own_discard",
    "own_claim",
    "claim_breaks_ready",
]

CAUSES: Final[tuple[Cause, ...]] = get_args(Cause)
EXTRAS: Final[tuple[Extra, ...]] = get_args(Extra)
RELEASES: Final[tuple[Release, ...]] = get_args(Release)


@final
@dataclass(frozen=True, slots=True)
class MissedClaim:
    """A kind of lock.

    Attributes:
        id: its name, such as "missed_win".
        action: which action it locks.
        arm_on: what arms it when a window closes. Seats that were superseded or outranked with this very claim never
            declined it.
        arm_extra: what else arms it; the game says so with `arm_directly`.
        claimed_lower: whether a seat that claimed something else arms it.
        scope: which cards are locked: all, the declined one, or those it waited for.
        exception: what may be claimed all the same.
        compare: the hint that an exception compares; the highest declined value counts.
        waits: the hint that lists the cards waited for.
        applies_to: the triggers on which it takes options away.
        release: what ends it.
        off_when_wall_at_most: it does not hold when so few cards are left.
    """

    id: str
    action: str
    arm_on: frozenset[Cause]
    arm_extra: frozenset[Extra]
    claimed_lower: ClaimedLower
    scope: Scope
    exception: Excepted
    compare: str
    waits: str
    applies_to: frozenset[str]
    release: frozenset[Release]
    off_when_wall_at_most: int | None


class SeatLock(NamedTuple):
    """An armed lock.

    Attributes:
        lock: the id of its kind.
        seat: whose.
        tiles: the declined cards, in the order in which they were declined.
        waits: the cards waited for then, of all of them.
        value: the highest value declined; None if none was known.
    """

    lock: str
    seat: Seat
    tiles: tuple[Tile, ...]
    waits: tuple[Tile, ...]
    value: int | None


Locks: TypeAlias = tuple[SeatLock, ...]
"""All armed locks of a table, in the order in which they were armed."""


def read_lock(place: Place) -> MissedClaim | None:
    """A lock from JSON (section 4.2 of the requirement); None if it is not enabled.

    Complaints go to the place's problems.
    """
    place.known(
        "enabled",
        "action",
        "arm_on",
        "never_on",
        "arm_extra",
        "claimed_lower",
        "scope",
        "exception",
        "record",
        "compare",
        "waits",
        "applies_to",
        "release",
        "off_when_wall_at_most",
        "visible_to",
        "note",
    )
    # these have one meaning only: whoever was cut off did not decline, the highest counts, nobody else is told
    place.some_of("never_on", ("superseded", "outranked_hu"), ())
    place.choice("record", ("max_fan",), "max_fan")
    place.choice("visible_to", ("self",), "self")
    extra = place.child("arm_extra")
    extra.known(*EXTRAS)
    lock = MissedClaim(
        id=place.path.rpartition("/")[2],
        action=place.text("action", "HU"),
        arm_on=frozenset(place.some_of("arm_on", CAUSES, CAUSES)),
        arm_extra=frozenset(name for name in EXTRAS if extra.flag(name, False)),
        claimed_lower=place.choice(
            "claimed_lower", get_args(ClaimedLower), "if_still_ready"
        ),
        scope=place.choice("scope", get_args(Scope), "any_tile"),
        exception=place.choice("exception", get_args(Excepted), "none"),
        compare=place.text("compare", "fan"),
        waits=place.text("waits", "waits"),
        applies_to=frozenset(place.names("applies_to", ("DISCARD", "ADD_KONG"))),
        release=frozenset(place.some_of("release", RELEASES, ("own_draw",))),
        off_when_wall_at_most=place.optional_count("off_when_wall_at_most"),
    )
    return lock if place.flag("enabled", True) else None


def blocks(
    lock: MissedClaim,
    locks: Locks,
    seat: Seat,
    tile: Tile,
    hint: Hint | None,
    wall: int,
) -> bool:
    """Whether an armed lock takes this option away from the seat."""
    if lock.off_when_wall_at_most is not None and wall <= lock.off_when_wall_at_most:
        return False
    for armed in locks:
        if armed.lock == lock.id and armed.seat == seat:
            return _covers(lock, armed, tile) and not _excepts(lock, armed, tile, hint)
    return False


def _covers(lock: MissedClaim, armed: SeatLock, tile: Tile) -> bool:
    match lock.scope:
        case "any_tile":
            return True
        case "same_tile":
            return tile in armed.tiles
        case "same_wait_set":
            return tile in armed.waits or tile in armed.tiles


def _excepts(lock: MissedClaim, armed: SeatLock, tile: Tile, hint: Hint | None) -> bool:
    if lock.exception == "none":
        return False
    if lock.exception == "higher_fan_on_another_tile" and tile in armed.tiles:
        return False
    value = _number(hint, lock.compare)
    # without a value on both sides nothing is known to be higher
    return value is not None and armed.value is not None and value > armed.value


def arm(
    lock: MissedClaim,
    locks: Locks,
    window: ResponseActionWindow,
    resolution: Resolution,
    is_still_ready: Callable[[Seat], bool],
) -> Locks:
    """The locks after a window has closed.

    Args:
        is_still_ready: whether a seat that claimed something else could still win, after what it did.
    """
    if window.close_reason == "ABORTED":
        return locks
    for candidate in window.candidates:
        declined = [
            option for option in candidate.options if option.action_type == lock.action
        ]
        if declined and _did_decline(lock, candidate, is_still_ready):
            for option in declined:
                locks = _armed(lock, locks, candidate.seat_no, option.tile, option.hint)
    return locks


def _did_decline(
    lock: MissedClaim,
    candidate: ResponseActionSeatCandidate,
    is_still_ready: Callable[[Seat], bool],
) -> bool:
    answer = candidate.answer
    if answer is None or answer.action_type == lock.action:
        return False
    if answer.action_type != PASS:
        return (
            "claimed_lower" in lock.arm_on
            and lock.claimed_lower != "never"
            and (lock.claimed_lower == "always" or is_still_ready(candidate.seat_no))
        )
    is_silent = candidate.state == "TIMED_OUT"
    return ("timeout" if is_silent else "explicit_pass") in lock.arm_on


def arm_directly(
    lock: MissedClaim,
    locks: Locks,
    seat: Seat,
    cause: Extra,
    tile: Tile,
    hint: Hint | None,
) -> Locks:
    """The locks after something outside a window that may arm one: a win of one's own draw declined, a card discarded
    that one waited for. Say so only for a win that was on offer at that very moment."""
    if cause not in lock.arm_extra:
        return locks
    return _armed(lock, locks, seat, tile, hint)


def _armed(
    lock: MissedClaim, locks: Locks, seat: Seat, tile: Tile, hint: Hint | None
) -> Locks:
    """The locks with one armed, or renewed: the highest value and all cards are kept."""
    value, waits = _number(hint, lock.compare), _tiles(hint, lock.waits)
    before = SeatLock(lock.id, seat, (), (), None)
    for armed in locks:
        if armed.lock == lock.id and armed.seat == seat:
            before = armed
    values = [each for each in (before.value, value) if each is not None]
    renewed = SeatLock(
        lock.id,
        seat,
        _joined(before.tiles, (tile,)),
        _joined(before.waits, waits),
        max(values, default=None),
    )
    return (*(armed for armed in locks if armed is not before), renewed)


def _joined(first: tuple[Tile, ...], second: tuple[Tile, ...]) -> tuple[Tile, ...]:
    return (*first, *(tile for tile in second if tile not in first))


def released(
    kinds: Collection[MissedClaim], locks: Locks, seat: Seat, event: Release
) -> Locks:
    """The locks after an event of the game that a seat went through."""
    ended = {lock.id for lock in kinds if event in lock.release}
    return tuple(
        armed for armed in locks if armed.seat != seat or armed.lock not in ended
    )


def _number(hint: Hint | None, name: str) -> int | None:
    value = None if hint is None else hint.get(name)
    return value if type(value) is int else None


def _tiles(hint: Hint | None, name: str) -> tuple[Tile, ...]:
    value = None if hint is None else hint.get(name)
    if not isinstance(value, list | tuple):
        return ()
    # JSON's `true` is no tile
    return tuple(
        tile
        for tile in value
        if isinstance(tile, str | int) and not isinstance(tile, bool)
    )


# --- JSON


def locks_json(locks: Locks) -> list[object]:
    """Armed locks for the game's state."""
    return [
        [armed.lock, armed.seat, list(armed.tiles), list(armed.waits), armed.value]
        for armed in locks
    ]


def read_locks(value: object) -> Locks:
    """The locks that `locks_json` wrote.

    Raises:
        MatchError: "bad_state": they do not fit.
    """
    try:
        return tuple(_read_lock(item) for item in a_list(value, "locks"))
    except Misfit as error:
        raise MatchError("bad_state", f"the locks do not fit: {error}") from None


def _read_lock(value: object) -> SeatLock:
    fields = a_list(value, "a lock")
    if len(fields) != 5 or not isinstance(fields[0], str):
        raise Misfit("a lock is [id, seat, [tiles], [tiles], value]")
    tiles, waits = (
        tuple(read_tile(tile, "a locked tile") for tile in a_list(item, "locked tiles"))
        for item in fields[2:4]
    )
    number = None if fields[4] is None else an_int(fields[4], "a locked value")
    return SeatLock(fields[0], an_int(fields[1], "a locked seat"), tiles, waits, number)
