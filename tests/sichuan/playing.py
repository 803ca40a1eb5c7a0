"""Whole Sichuan rounds between seats of several styles, looked at after every input.

What must hold at each wait is asserted here, so that every test that plays a round tests it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

from dealwright.runtime.hints import Draft, Hint, encode_reply
from dealwright.runtime.windows import (
    PASS,
    GameMessagePublisher,
    RuleMode,
    shipped_mode,
)
from dealwright.runtime.windows.messages import Message
from examples.sichuan.asking import answer, seen
from examples.sichuan.round import Round, dealt, shuffled_wall
from examples.sichuan.rules import TURN_ORDER
from examples.sichuan.saved import read_round, round_json
from examples.sichuan.table import Seat
from examples.sichuan.tiles import WALL, Tile, tiles
from tests.sichuan.seats import BOT, MOODS, Style, reply_of_seat

Json: TypeAlias = Any

V1_MODE = shipped_mode("V1")
SBR_MODE = shipped_mode("SBR_2025")


@dataclass(slots=True)
class Log:
    """All that each seat, and whoever only watches (None), was told."""

    streams: dict[Seat | None, list[Json]] = field(
        default_factory=lambda: {seat: [] for seat in (*TURN_ORDER, None)}
    )

    def send(self, recipient: Seat | None, message: Message) -> None:
        """Deliver."""
        self.streams[recipient].append(message.to_json())


@dataclass(slots=True)
class Deal:
    """What a round starts from."""

    wall: list[Tile]
    dealer: Seat = 0
    styles: Sequence[Style] = (BOT,) * 4


def publisher_of(log: Log) -> GameMessagePublisher:
    """A publisher for the table of the tests."""
    return GameMessagePublisher("t1", TURN_ORDER, log.send)


def new_round(mode: RuleMode, deal: Deal, log: Log) -> Round:
    """A round that waits for the void suits, at time 0."""
    played = Round(mode, dealt(deal.wall, deal.dealer), publisher_of(log), deal.dealer)
    played.begin(0)
    return played


def restarted(played: Round, log: Log) -> Round:
    """The round after the server has lost all but its state."""
    state = json.dumps(round_json(played))
    again = read_round(json.loads(state), played.desk.mode, publisher_of(log))
    assert json.dumps(round_json(again)) == state
    return again


def play(
    mode: RuleMode,
    deal: Deal,
    seed: int,
    log: Log | None = None,
    at_wait: Callable[[Round], Round] = lambda played: played,
) -> Round:
    """Play a round to its end.

    Args:
        seed: decides what seats do where their style leaves it open, and in which order they answer.
        at_wait: called at every wait; the round goes on with what it gives.
    """
    rng = Random(seed)
    played = new_round(mode, deal, log or Log())
    now = 0
    while played.phase != "OVER":
        played = at_wait(played)
        asked = check_wait(played)
        reply = None
        if asked:
            seat, hint = rng.choice(asked)
            reply = reply_of_seat(played, seat, hint, deal.styles[seat], rng)
        if reply is None:
            assert played.wake_at is not None and played.wake_at > now
            now = played.wake_at
            played.time(now)
            continue
        now += 10
        said = answer(played, seat, encode_reply(reply), now, f"a{now}")
        assert said == {"code": 200}, said
    check_end(played)
    return played


def check_wait(played: Round) -> list[tuple[Seat, Hint]]:
    """What holds whenever a round waits; who is asked, and what."""
    table = played.table
    assert table.tile_count() == len(WALL)
    assert sum(played.accounts.changes()) == 0
    hints = [(seat, seen(played, seat)) for seat in TURN_ORDER]
    asked = [(seat, hint) for seat, hint in hints if isinstance(hint, Hint)]
    seats = {seat for seat, _ in asked}
    assert not seats & table.out
    for _, hint in asked:
        assert Draft(hint).options()
    window = played.desk.window
    if played.phase == "CLAIM":
        assert window is not None
        for each in window.candidates:
            assert any(option.action_type != PASS for option in each.options)
            assert each.seat_no not in table.out | {window.source_seat_no}
        unanswered = {each.seat_no for each in window.candidates if not each.answer}
        assert seats == unanswered
    else:
        assert asked
    assert played.wake_at is not None
    return asked


def check_end(played: Round) -> None:
    """What holds when a round is over."""
    table, accounts = played.table, played.accounts
    assert table.tile_count() == len(WALL) and table.transit is None
    assert sum(accounts.changes()) == 0
    assert sum(accounts.totals()) == -sum(accounts.fines)
    assert len(table.out) == len(played.wins) <= 3
    assert (len(played.wins) == 3) != bool(played.statuses)
    assert played.statuses == [] or not table.wall
    assert played.wake_at is None
    for win in played.wins:
        assert table.players[win.seat].won_tile is not None


# --- deals


def deal_of(seed: int, is_robbing: bool) -> Deal:
    """A deal: most are shuffled, some of a hundred arranged for what is rare."""
    rng = Random(seed)
    arranged: list[Callable[[Random], Deal]] = [passive_pig, active_pig]
    if is_robbing:
        arranged.append(robbery)
    place = seed % 100
    if place < len(arranged):
        return arranged[place](rng)
    styles = [rng.choice(MOODS) for _ in TURN_ORDER]
    return Deal(shuffled_wall(seed), seed // 100 % 4, styles)


def arranged_wall(
    rng: Random, dealer: Seat, hands: dict[Seat, str], at: dict[int, Tile]
) -> list[Tile]:
    """A shuffled wall that gives these hands, and has these tiles at these places after the deal (from the end if < 0).

    The dealer's fourteenth tile is at place 0.
    """
    fixed: dict[int, Tile] = {}
    for seat, hand in hands.items():
        start = (seat - dealer) % len(TURN_ORDER) * 13
        fixed.update(enumerate(tiles(hand), start))
    for place, tile in at.items():
        fixed[52 + place if place >= 0 else len(WALL) + place] = tile
    rest = list(WALL)
    for tile in fixed.values():
        rest.remove(tile)
    rng.shuffle(rest)
    return [
        fixed[place] if place in fixed else rest.pop() for place in range(len(WALL))
    ]


def passive_pig(rng: Random) -> Deal:
    """Seat 0 gives up the suit of which it has nothing but, and is not done with it when the wall is empty."""
    hand = "1112223334445m"
    idle = Style(is_idle=True)
    pig = Style(is_idle=True, is_stubborn=True)
    draws = {3: "5m", 7: "5m", 11: "6m", 15: "6m"}
    wall = arranged_wall(rng, 1, {0: hand}, draws)
    return Deal(wall, 1, (pig, idle, idle, idle))


def active_pig(rng: Random) -> Deal:
    """Seat 0 lays a kong in its last turn, with a tile of its void suit in hand, and draws another."""
    ends = dict.fromkeys(range(-6, 0), "9s") | {-5: "8s", -6: "8s"}
    wall = arranged_wall(rng, 0, {0: "5555m 123456789p"}, {**ends, 0: "1m"})
    idle = Style(is_idle=True)
    late = Style(is_idle=True, is_late=True)
    return Deal(wall, 0, (late, idle, idle, idle))


def robbery(rng: Random) -> Deal:
    """Seat 0 has a pung of 5m and draws the fourth; seat 1 waits for it, and wanted more than a plain win before."""
    hands = {0: "55m 12m 123456789p", 1: "46m 789m 234p 678p 99p", 3: "1122334455667s"}
    wall = arranged_wall(rng, 3, hands, {0: "5m", 4: "5m"})
    styles = (BOT, Style(is_greedy=True, is_patient=True), Style(is_idle=True))
    return Deal(wall, 3, (*styles, Style(is_idle=True, throws_drawn=True)))


# --- what happened


def happenings(played: Round) -> Counter[str]:
    """How often what occurred in a round."""
    found: Counter[str] = Counter()
    for player in played.table.players:
        if player.has_won:
            found.update(f"fan {item}" for item in player.won_items or ["PLAIN"])
        found.update(
            f"kong {meld.gang_kind}" for meld in player.melds if meld.kind == "GANG"
        )
    found.update(f"win {win.kind}" for win in played.wins)
    together = Counter(win.moment for win in played.wins)
    found.update("win TOGETHER" for count in together.values() if count > 1)
    found.update(f"payment {payment.reason}" for payment in played.accounts.payments)
    found.update(f"status {status}" for status in played.statuses)
    found["ending WALL_EMPTY" if played.statuses else "ending THREE_WINNERS"] += 1
    found["fine"] += sum(fine > 0 for fine in played.accounts.fines)
    return found
