"""Cases of our own, thought out from the words of the requirement and written as its table of scenarios is.

Positions A to R3 are those of section 3.1 of the requirement as far as they matter; seats that are not named hold quiet
tiles. Nothing here needs the shared scenarios.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from dealwright.runtime.windows.messages import GameEvent, Message
from examples.sichuan.rules import TURN_ORDER
from examples.sichuan.tiles import tiles
from tests.windows.scenario import Json, Played, play, rejects

QUIET = "147m 258p 147s 2m5p8s9s"
"""Thirteen tiles that wait for nothing and hold no pair."""

CODES = {
    "TILE_DISCARDED": "TD",
    "RESPONSE_WINDOW_OPENED": "WO",
    "RESPONSE_WINDOW_CLOSED": "WC({resolvedActionType})",
    "ADD_KONG_ATTEMPTED": "AK",
    "PENG_DECLARED": "PENG({seatNo})",
    "GANG_DECLARED": "GANG({seatNo})",
    "HU_DECLARED": "HU({seatNo})",
    "ROUND_ENDED": "END",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A position.

    Attributes:
        source: whose tile it is.
        tile: the tile.
        wall: how many are left.
        seats: hand and void suit of the seats that matter.
        pungs: tiles of which a seat has a pung.
        won: seats that have won.
        lock: the highest fan that a seat has declined.
        is_added: whether the tile is added to the source's pung.
    """

    source: int
    tile: str
    wall: int
    seats: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    pungs: Mapping[int, str] = field(default_factory=dict)
    won: tuple[int, ...] = ()
    lock: Mapping[int, int] = field(default_factory=dict)
    is_added: bool = False

    def to_json(self) -> Json:
        """As the scenarios have it."""
        return {
            "trigger": "ADD_KONG" if self.is_added else "DISCARD",
            "source_seat": self.source,
            "tile": self.tile,
            "wall": ["1s"] * self.wall,
            "river_count": 3,
            "seats": [self._seat(seat) for seat in TURN_ORDER],
        }

    def _seat(self, seat: int) -> Json:
        hand, void = self.seats.get(seat, (QUIET, "s"))
        pungs = tiles(self.pungs.get(seat, ""))
        return {
            "seat": seat,
            "hand": tiles(hand),
            "void_suit": void,
            "melds": [
                {"kind": "PENG", "tile": tile, "from_seat": (seat + 1) % 4}
                for tile in pungs
            ],
            "won_tile": "1m" if seat in self.won else None,
            "lock_fan": self.lock.get(seat),
        }


PUNG_5M = ("13558m 12346789s", "p")
WIN_5M = ("46789m 23467899p", "s")
HELD_333M = ("33345m 12223789p", "s")
WIN_3S = {
    0: ("123456789m 2488s", "p"),
    1: ("234567888p 4566s", "m"),
    3: ("11199p 12456789s", "m"),
}

A = Place(0, "5m", 40, {1: PUNG_5M, 2: WIN_5M})
B = Place(0, "7p", 38, {1: ("11123456799m 89p", "s"), 3: ("2268p 123456789s", "m")})
C = Place(2, "3s", 36, WIN_3S)
D = Place(1, "6s", 30, {3: ("123579m 1466689s", "p")})
E = Place(3, "2m", 28, {0: ("34567m 23467899p", "s"), 1: ("222468m 1345799p", "s")})
F = Place(0, "5m", 34, {1: ("12355678m 23499p", "s"), 3: ("46m 12223456789p", "s")})
G = Place(2, "5m", 33, {0: ("45556m 12378999p", "s")})
WON = Place(0, "5m", 35, {1: PUNG_5M, 2: WIN_5M}, won=(2,))
J = Place(1, "6s", 0, {3: ("123579m 1466689s", "p")})
J2 = Place(0, "5m", 0, {2: WIN_5M})
LAST = Place(1, "6s", 1, {3: ("123579m 1466689s", "p")})
Q = Place(2, "4m", 29, {0: ("23567m 23467899p", "s")}, {2: "4m"}, is_added=True)
R = Place(0, "6m", 31, {2: HELD_333M}, lock={2: 0})
NO_PAIR = Place(0, "5m", 30, {1: ("4m", "s")}, {1: "1234p"})
PAIRS = Place(0, "5m", 30, {1: ("1155m 3377p 9p5m", "s")}, {1: "2p"})
VOID_KONG = Place(0, "5m", 30, {1: ("555m 123p 456p 78p99s", "m")})
FOUR = Place(0, "5m", 30, {1: ("46m 111p", "s")}, {1: "8m9p"})

SEVERAL = {"winners": "multi_hu"}
ROB = {"trigger": "ADD_KONG"}


@dataclass(frozen=True, slots=True)
class Case:
    """A case and what must come of it.

    Attributes:
        title: what it shows.
        place: the position, or what each seat is offered outright (source 0).
        said: moment, seat and action of each input; "OLD" and "BOGUS" name another window.
        offers: what each seat may claim, nearest first; PASS goes without saying.
        result: winners and action, then what became of the others.
        closed: when, and why.
        events: the codes of the public events.
        next: who goes on.
        refused: moment, seat and code.
        told: private messages besides the offers; not looked at where it is None.
        config: changes of the mode.
    """

    title: str
    place: Place | Mapping[str, list[str]]
    said: str
    offers: str
    result: str
    closed: str
    events: str
    next: str
    refused: str = ""
    told: str | None = None
    config: Mapping[str, str] = field(default_factory=dict)


CASES = [
    Case(
        "the same answer again is confirmed again and counts once",
        A,
        "800 1 PENG; 900 1 PENG; 1500 2 PASS",
        "1:PENG 2:HU",
        "1 PENG, passed 2",
        "1500 ALL_ANSWERED",
        "TD WO WC(PENG) PENG(1)",
        "DISCARD 1",
        told="ACK 1, ACK 1, ACK 2",
    ),
    Case(
        "a reply to the window before is stale and not taken for this one",
        A,
        "100 2 HU OLD; 300 1 PASS; 400 2 PASS",
        "1:PENG 2:HU",
        "none, passed 1 2",
        "400 ALL_ANSWERED",
        "TD WO WC(PASS)",
        "DRAW 1",
        "100 2 STALE_WINDOW",
    ),
    Case(
        "a window that never was",
        A,
        "100 1 PENG BOGUS",
        "1:PENG 2:HU",
        "none, passed 1 2, silent 1 2",
        "8000 TIMEOUT",
        "TD WO WC(PASS)",
        "DRAW 1",
        "100 1 UNKNOWN_WINDOW",
    ),
    Case(
        "two replies in one millisecond: the weaker one first",
        A,
        "500 1 PENG; 500 2 HU",
        "1:PENG 2:HU",
        "2 HU, outranked 1",
        "500 ALL_ANSWERED",
        "TD WO WC(HU) HU(2)",
        "DRAW 3",
    ),
    Case(
        "two replies in one millisecond: the stronger one first; the same seat wins",
        A,
        "500 2 HU; 500 1 PENG",
        "1:PENG 2:HU",
        "2 HU, superseded 1",
        "500 DECIDED",
        "TD WO WC(HU) HU(2)",
        "DRAW 3",
        "500 1 WINDOW_CLOSED",
    ),
    Case(
        "who comes back in time gets its offer again and may still win",
        A,
        "100 DISCONNECT 2; 3000 RECONNECT 2; 3500 2 HU",
        "1:PENG 2:HU",
        "2 HU, superseded 1",
        "3500 DECIDED",
        "TD WO WC(HU) HU(2)",
        "DRAW 3",
        told="OFFER_RESENT 2, ACK 2",
    ),
    Case(
        "who comes back after the deadline comes to nothing",
        A,
        "100 DISCONNECT 2; 500 1 PASS; 8000 RECONNECT 2",
        "1:PENG 2:HU",
        "none, passed 1 2, silent 2",
        "8000 TIMEOUT",
        "TD WO WC(PASS)",
        "DRAW 1",
        told="ACK 1",
    ),
    Case(
        "a pass is final, also for the claim that it was not asked for",
        A,
        "100 1 PASS; 200 1 PENG; 300 2 PASS",
        "1:PENG 2:HU",
        "none, passed 1 2",
        "300 ALL_ANSWERED",
        "TD WO WC(PASS)",
        "DRAW 1",
        "200 1 PASS_IS_FINAL",
    ),
    Case(
        "a claim in the last millisecond, a stronger one too late by one",
        A,
        "7999 1 PENG; 8000 2 HU",
        "1:PENG 2:HU",
        "1 PENG, passed 2, silent 2",
        "8000 TIMEOUT",
        "TD WO WC(PENG) PENG(1)",
        "DISCARD 1",
        "8000 2 WINDOW_CLOSED",
    ),
    Case(
        "one that was not offered a kong may still take its pung",
        A,
        "50 1 GANG; 60 1 PENG; 70 2 PASS",
        "1:PENG 2:HU",
        "1 PENG, passed 2",
        "70 ALL_ANSWERED",
        "TD WO WC(PENG) PENG(1)",
        "DISCARD 1",
        "50 1 ACTION_NOT_OFFERED",
    ),
    Case(
        "the middle of three wins waits for the nearest, which decides it",
        C,
        "100 0 HU; 200 3 HU",
        "3:HU 0:HU 1:HU",
        "3 HU, superseded 1, outranked 0",
        "200 DECIDED",
        "TD WO WC(HU) HU(3)",
        "DRAW 0",
    ),
    Case(
        "the nearest of three wins closes at once, wherever it sits",
        C,
        "50 3 HU",
        "3:HU 0:HU 1:HU",
        "3 HU, superseded 0 1",
        "50 DECIDED",
        "TD WO WC(HU) HU(3)",
        "DRAW 0",
    ),
    Case(
        "the nearest passes, and the middle one need not wait for the farthest",
        C,
        "100 0 HU; 300 3 PASS",
        "3:HU 0:HU 1:HU",
        "0 HU, passed 3, superseded 1",
        "300 DECIDED",
        "TD WO WC(HU) HU(0)",
        "DRAW 1",
    ),
    Case(
        "a win beats a kong that came earlier and sits farther",
        E,
        "100 1 GANG; 200 0 HU",
        "0:HU 1:GANG/PENG",
        "0 HU, outranked 1",
        "200 ALL_ANSWERED",
        "TD WO WC(HU) HU(0)",
        "DRAW 1",
    ),
    Case(
        "a win closes although a kong is open",
        E,
        "100 0 HU; 150 1 GANG",
        "0:HU 1:GANG/PENG",
        "0 HU, superseded 1",
        "100 DECIDED",
        "TD WO WC(HU) HU(0)",
        "DRAW 1",
        "150 1 WINDOW_CLOSED",
    ),
    Case(
        "a kong waits for a silent win to the end, and then draws",
        E,
        "100 1 GANG",
        "0:HU 1:GANG/PENG",
        "1 GANG, passed 0, silent 0",
        "8000 TIMEOUT",
        "TD WO WC(GANG) GANG(1)",
        "KONG_DRAW 1",
    ),
    Case(
        "who took the pung instead of the win loses it to another's win",
        F,
        "100 1 PENG; 300 3 HU",
        "1:HU/PENG 3:HU",
        "3 HU, outranked 1",
        "300 ALL_ANSWERED",
        "TD WO WC(HU) HU(3)",
        "DRAW 0",
    ),
    Case(
        "the farther win waits, since the nearer seat could win too; it takes its pung",
        F,
        "100 3 HU; 400 1 PENG",
        "1:HU/PENG 3:HU",
        "3 HU, outranked 1",
        "400 ALL_ANSWERED",
        "TD WO WC(HU) HU(3)",
        "DRAW 0",
    ),
    Case(
        "the farther win waits, and the nearer one comes",
        F,
        "100 3 HU; 400 1 HU",
        "1:HU/PENG 3:HU",
        "1 HU, outranked 3",
        "400 ALL_ANSWERED",
        "TD WO WC(HU) HU(1)",
        "DRAW 2",
    ),
    Case(
        "a claim cannot be raised",
        F,
        "100 1 PENG; 200 1 HU; 300 3 PASS",
        "1:HU/PENG 3:HU",
        "1 PENG, passed 3",
        "300 ALL_ANSWERED",
        "TD WO WC(PENG) PENG(1)",
        "DISCARD 1",
        "200 1 ALREADY_ANSWERED",
    ),
    Case(
        "offered all three, it takes the least",
        G,
        "100 0 PENG",
        "0:HU/GANG/PENG",
        "0 PENG",
        "100 ALL_ANSWERED",
        "TD WO WC(PENG) PENG(0)",
        "DISCARD 0",
    ),
    Case(
        "who has won is no candidate, whatever its hand would do",
        WON,
        "100 2 HU; 700 1 PENG",
        "1:PENG",
        "1 PENG",
        "700 ALL_ANSWERED",
        "TD WO WC(PENG) PENG(1)",
        "DISCARD 1",
        "100 2 NOT_A_CANDIDATE",
    ),
    Case(
        "one tile is left for the kong to draw",
        LAST,
        "400 3 GANG",
        "3:GANG/PENG",
        "3 GANG",
        "400 ALL_ANSWERED",
        "TD WO WC(GANG) GANG(3)",
        "KONG_DRAW 3",
    ),
    Case(
        "a pung of the last discard goes on without a draw",
        J,
        "300 3 PENG",
        "3:PENG",
        "3 PENG",
        "300 ALL_ANSWERED",
        "TD WO WC(PENG) PENG(3)",
        "DISCARD 3",
    ),
    Case(
        "a kong of the last discard is not offered, and silence ends the round",
        J,
        "300 3 GANG",
        "3:PENG",
        "none, passed 3, silent 3",
        "8000 TIMEOUT",
        "TD WO WC(PASS) END",
        "END WALL_EMPTY",
        "300 3 ACTION_NOT_OFFERED",
    ),
    Case(
        "a win on the last discard that nobody takes",
        J2,
        "300 2 PASS",
        "2:HU",
        "none, passed 2",
        "300 ALL_ANSWERED",
        "TD WO WC(PASS) END",
        "END WALL_EMPTY",
    ),
    Case(
        "with several winners the nearest win waits for the other",
        B,
        "200 1 HU",
        "1:HU 3:HU",
        "1 HU, passed 3, silent 3",
        "8000 TIMEOUT",
        "TD WO WC(HU) HU(1)",
        "DRAW 2",
        config=SEVERAL,
    ),
    Case(
        "all three win on one tile, told nearest first, and the round is over",
        C,
        "100 1 HU; 200 0 HU; 300 3 HU",
        "3:HU 0:HU 1:HU",
        "3 0 1 HU",
        "300 ALL_ANSWERED",
        "TD WO WC(HU) HU(3) HU(0) HU(1) END",
        "END THREE_WINNERS",
        config=SEVERAL,
    ),
    Case(
        "two of three win; who passed does not, and the last winner's next draws",
        C,
        "100 1 HU; 200 0 PASS; 300 3 HU",
        "3:HU 0:HU 1:HU",
        "3 1 HU, passed 0",
        "300 ALL_ANSWERED",
        "TD WO WC(HU) HU(3) HU(1)",
        "DRAW 2",
        config=SEVERAL,
    ),
    Case(
        "with several winners a pung that came first is outranked by one",
        A,
        "100 1 PENG; 200 2 HU",
        "1:PENG 2:HU",
        "2 HU, outranked 1",
        "200 ALL_ANSWERED",
        "TD WO WC(HU) HU(2)",
        "DRAW 3",
        config=SEVERAL,
    ),
    Case(
        "nobody robs the kong: it is declared after the window",
        Q,
        "200 0 PASS",
        "0:HU",
        "none, passed 0",
        "200 ALL_ANSWERED",
        "AK WO WC(PASS) GANG(2)",
        "KONG_DRAW 2",
        config=ROB,
    ),
    Case(
        "silence does not rob a kong",
        Q,
        "100 1 HU",
        "0:HU",
        "none, passed 0, silent 0",
        "8000 TIMEOUT",
        "AK WO WC(PASS) GANG(2)",
        "KONG_DRAW 2",
        "100 1 NOT_A_CANDIDATE",
        config=ROB,
    ),
    Case(
        "without the rule an added kong opens no window",
        Q,
        "",
        "",
        "",
        "",
        "GANG(2)",
        "KONG_DRAW 2",
    ),
    Case(
        "a locked win leaves nothing, so nobody is asked",
        R,
        "",
        "",
        "",
        "",
        "TD",
        "DRAW 1",
        config={"lock": "fan"},
    ),
    Case(
        "four melds and no pair are no win, and one tile is no pung",
        NO_PAIR,
        "",
        "",
        "",
        "",
        "TD",
        "DRAW 1",
    ),
    Case(
        "six pairs beside a pung are no win, three of the tile a kong or a pung",
        PAIRS,
        "100 1 PENG",
        "1:GANG/PENG",
        "1 PENG",
        "100 ALL_ANSWERED",
        "TD WO WC(PENG) PENG(1)",
        "DISCARD 1",
    ),
    Case(
        "three of the void suit are neither kong nor pung",
        VOID_KONG,
        "",
        "",
        "",
        "",
        "TD",
        "DRAW 1",
    ),
    Case(
        "two pungs laid open, a triplet and a run want no pair: no win",
        FOUR,
        "",
        "",
        "",
        "",
        "TD",
        "DRAW 1",
    ),
    Case(
        "arbiter only: a kong beats no win, and the nearer win passed",
        {"1": ["GANG", "PENG", "PASS"], "2": ["HU", "PASS"], "3": ["HU", "PASS"]},
        "100 3 HU; 200 1 GANG; 300 2 PASS",
        "1:GANG/PENG 2:HU 3:HU",
        "3 HU, passed 2, outranked 1",
        "300 ALL_ANSWERED",
        "TD WO WC(HU) HU(3)",
        "DRAW 0",
    ),
    Case(
        "arbiter only: three pungs, the nearest was silent",
        {"1": ["PENG", "PASS"], "2": ["PENG", "PASS"], "3": ["PENG", "PASS"]},
        "100 3 PENG; 200 2 PENG",
        "1:PENG 2:PENG 3:PENG",
        "2 PENG, passed 1, silent 1, outranked 3",
        "8000 TIMEOUT",
        "TD WO WC(PENG) PENG(2)",
        "DISCARD 2",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_the_case_comes_out_as_thought(case: Case) -> None:
    scenario = scenario_of(case)
    is_place = isinstance(case.place, Place)
    positions = {"P": case.place.to_json()} if isinstance(case.place, Place) else {}
    for opened_at in (0, 77_000):
        played = play(scenario, positions, opened_at)
        assert played.window == bool(case.offers)
        assert offers_text(played) == case.offers
        assert result_text(played) == case.result
        closed = f"{played.closed_at} {played.close_reason}" if played.window else ""
        assert closed == case.closed
        assert events_text(played) == case.events
        assert " ".join(map(str, played.next)) == case.next
        refused = [
            f"{at} {seat} {code}" for at, seat, _, code in rejects(played, scenario)
        ]
        assert "; ".join(refused) == case.refused
        if case.told is not None:
            assert messages_text(played) == case.told
    assert is_place or case.config == {}


def test_no_two_cases_are_one() -> None:
    assert len({case.title for case in CASES}) == len(CASES) >= 20


def scenario_of(case: Case) -> Json:
    """The case in the form of the shared scenarios."""
    steps: list[list[Json]] = []
    for step in filter(None, case.said.split("; ")):
        at, *words = step.split(" ")
        steps.append(
            [int(at), *(int(word) if word.isdigit() else word for word in words)]
        )
    is_place = isinstance(case.place, Place)
    return {
        "position": "P" if is_place else None,
        "abstract_window": (
            None if is_place else {"source_seat": 0, "candidates": case.place}
        ),
        "config": dict(case.config),
        "steps": steps,
    }


def offers_text(played: Played) -> str:
    """`1:PENG 2:HU`; each seat may pass."""
    for actions in played.candidates.values():
        assert actions[-1] == "PASS"
    return " ".join(
        f"{seat}:{'/'.join(actions[:-1])}"
        for seat, actions in played.candidates.items()
    )


def result_text(played: Played) -> str:
    """`2 HU, passed 1, outranked 3`."""
    result = played.resolution
    if result is None:
        return ""
    assert result.continue_original_flow == (not result.has_winner)
    won = " ".join(map(str, result.winner_seat_nos))
    parts = [f"{won} {result.winning_action_type}" if won else "none"]
    for word, seats in (
        ("passed", result.passed_seat_nos),
        ("silent", result.timed_out_seat_nos),
        ("superseded", result.superseded_seat_nos),
        ("outranked", result.outranked_seat_nos),
    ):
        if seats:
            parts.append(f"{word} {' '.join(map(str, seats))}")
    return ", ".join(parts)


def events_text(played: Played) -> str:
    """The codes of the public events."""
    return " ".join(
        CODES[event.type].format(**event.payload)
        for event in played.streams[None]
        if isinstance(event, GameEvent)
    )


def messages_text(played: Played) -> str:
    """What was told to one seat each, offers at the opening and withdrawals left out."""
    return ", ".join(
        f"{message.kind} {message.recipient_seat_no}"
        for message in map(_message, played.told)
        if not isinstance(message, GameEvent)
        and message.kind not in ("OFFER", "WITHDRAWN")
    )


def _message(told: tuple[int | None, Message]) -> Message:
    return told[1]
