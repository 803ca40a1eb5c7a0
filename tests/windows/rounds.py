"""Random rounds for tests: seats draw and discard at random, and claim whatever they feel like when they are asked.

Not the whole game: nobody wins by drawing or declares kongs in a turn. It is there to have many windows of all kinds in
a row, with everything that can go wrong between a server and its clients (`Faults`).
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from typing import Any

from dealwright.runtime.windows import (
    GameMessagePublisher,
    NextStep,
    ResponseDesk,
    ResponseReply,
    RuleMode,
)
from dealwright.runtime.windows.messages import Message
from examples.sichuan.rules import TURN_ORDER, Desk, announce, offers_of, settle
from examples.sichuan.table import Player, Seat, Table
from examples.sichuan.tiles import KINDS, SUITS, WALL, Tile

Json = Any
ROUND = "r1"


@dataclass(frozen=True, slots=True)
class Faults:
    """What goes wrong.

    Attributes:
        restart: the server loses its memory before every input and has only the saved state.
        duplicate: every reply comes twice.
        lose: how many replies of ten never come.
        late: how many replies of ten come after the deadline.
        jump: how many windows of ten see the clock jump to the deadline at once.
        shuffle: a seed that decides in which order replies of one window come; None keeps it.
        disconnect: how many seats of ten go away during a window, and half of them come back.
    """

    restart: bool = False
    duplicate: bool = False
    lose: int = 0
    late: int = 0
    jump: int = 0
    shuffle: int | None = None
    disconnect: int = 0


@dataclass(slots=True)
class Log:
    """All that was told, and the audit."""

    streams: dict[Seat | None, list[Json]] = field(
        default_factory=lambda: {seat: [] for seat in (*TURN_ORDER, None)}
    )
    audit: list[Json] = field(default_factory=list)
    results: list[Json] = field(default_factory=list)

    def send(self, recipient: Seat | None, message: Message) -> None:
        """Deliver."""
        self.streams[recipient].append(message.to_json())


@dataclass(slots=True)
class Round:
    """A round that plays itself.

    Attributes:
        choices: decides what seats do; the same seed gives the same round, whatever goes wrong on the way.
        weather: decides what goes wrong.
    """

    mode: RuleMode
    table: Table
    choices: random.Random
    faults: Faults
    weather: random.Random
    log: Log
    desk: Desk
    now: int = 1000

    @classmethod
    def dealt(cls, mode: RuleMode, seed: int, faults: Faults | None = None) -> Round:
        """A round after the deal. Hands are ready or nearly so, since random ones are hardly ever asked for a win."""
        choices = random.Random(seed)
        wall = list(WALL)
        players = [ready_player(wall, choices) for _ in TURN_ORDER]
        choices.shuffle(wall)
        log = Log()
        return cls(
            mode,
            Table(players, wall),
            choices,
            faults or Faults(),
            random.Random(seed + 1),
            log,
            new_desk(mode, log),
        )

    def play(self, most: int = 1000) -> NextStep:
        """Play to the end, or `most` discards."""
        step = NextStep("DRAW", 0)
        for _ in range(most):
            if step.kind == "END":
                break
            seat = step.seat_no
            assert seat is not None and seat not in self.table.out
            hand = self.table.players[seat].hand
            if step.kind != "DISCARD":
                hand.append(self.table.wall.pop(0))
                self.desk.release(seat, "own_draw")
            self.table.discard(seat, self.discarded(seat, hand))
            self.check()
            step = self.claims()
            self.check()
        return step

    def discarded(self, seat: Seat, hand: list[Tile]) -> Tile:
        """Mostly the tile just drawn, so that hands stay ready; now and then one that somebody has a pair of."""
        wanted = [
            tile
            for tile in hand
            for other, player in enumerate(self.table.players)
            if other != seat and player.hand.count(tile) > 1
        ]
        if wanted and self.choices.random() < 0.3:
            return self.choices.choice(wanted)
        return hand[-1] if self.choices.random() < 0.9 else self.choices.choice(hand)

    def claims(self) -> NextStep:
        """One discard and its window."""
        self.now += 500
        step = announce(self.table, self.desk, ROUND, self.now)
        if step is not None:
            return step
        window = self.desk.window
        assert window is not None and self.desk.is_open
        answers = [
            (
                each.seat_no,
                self.choices.choice([option.action_type for option in each.options]),
            )
            for each in window.candidates
        ]
        for at, seat, action in self.sent(answers):
            self.restart()
            self.now = max(self.now, window.opened_at + at)
            if action == "GONE":
                self.desk.disconnect(seat, self.now)
            elif action == "BACK":
                self.desk.reconnect(seat, self.now)
            else:
                name = f"{window.window_id}-{seat}"
                reply = ResponseReply(name, window.window_id, seat, action)
                self.desk.reply(reply, self.now)
        while self.desk.wake_at is not None:
            self.restart()
            self.now = max(self.now, self.desk.wake_at)
            self.desk.time(self.now, window.window_id)
        self.restart()
        assert self.desk.resolution is not None
        self.log.results.append(self.desk.resolution[:4])
        step = settle(self.table, self.desk, ROUND)
        assert step is not None
        return step

    def sent(self, answers: list[tuple[Seat, str]]) -> list[tuple[int, Seat, str]]:
        """What reaches the server of these answers, and when."""
        faults, weather = self.faults, self.weather
        if faults.shuffle is not None:
            random.Random(faults.shuffle + self.now).shuffle(answers)
        given: list[tuple[int, Seat, str]] = []
        for index, (seat, action) in enumerate(answers):
            at = 100 * (index + 1)
            if weather.randrange(10) < faults.disconnect:
                given.append((at - 50, seat, "GONE"))
                if weather.random() < 0.5:
                    given.append((at - 20, seat, "BACK"))
            if weather.randrange(10) < faults.lose:
                continue
            if weather.randrange(10) < faults.late:
                at += 8000
            given += [(at, seat, action)] * (2 if faults.duplicate else 1)
        if weather.randrange(10) < faults.jump:
            given = [(max(at, 8000), seat, action) for at, seat, action in given]
        return sorted(given, key=lambda each: each[0])

    def restart(self) -> None:
        """The desk, from nothing but its JSON."""
        if self.faults.restart:
            saved = json.dumps(self.desk.to_json())
            self.desk = new_desk(self.mode, self.log)
            self.desk.restore(json.loads(saved))

    def check(self) -> None:
        """What holds at every moment."""
        assert self.table.tile_count() == len(WALL)


def ready_player(wall: list[Tile], choices: random.Random) -> Player:
    """A seat with three groups, a pair and two neighbours, taken from the wall; less if the wall does not give them."""
    void = choices.choice(SUITS)
    kinds = [tile for tile in KINDS if tile[1] != void]
    hand: list[Tile] = []
    for shape in ((0, 0, 0), (0, 1, 2), (0, 1, 2), (0, 0), (0, 1)):
        for _ in range(20):
            start = choices.choice(kinds)
            group = [f"{int(start[0]) + step}{start[1]}" for step in shape]
            if all(group.count(tile) <= wall.count(tile) for tile in group):
                hand += group
                for tile in group:
                    wall.remove(tile)
                break
    while len(hand) < 13:
        hand.append(wall.pop())
    return Player(hand, void_suit=void)


def new_desk(mode: RuleMode, log: Log) -> Desk:
    """A desk that writes into a log."""
    publisher = GameMessagePublisher("t1", TURN_ORDER, log.send, log.audit.append)
    return ResponseDesk(mode, offers_of(mode), publisher, TURN_ORDER)
