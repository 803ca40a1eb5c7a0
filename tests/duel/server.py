"""A server for one duel, as small as it can be: a desk, the game, and a token for each seat."""

from __future__ import annotations

import json
import random
from typing import Any

from dealwright.runtime.hints import (
    Choices,
    Desk,
    Dialect,
    Hint,
    Tokens,
    decode,
    encode_reply,
    open_desk,
)
from tests.duel.game import Duel
from tests.support import Json

LIMIT = 15.0


class Server:
    """A duel whose players are clients.

    Attributes:
        tokens: by seat.
    """

    def __init__(self, players: int, seed: int) -> None:
        self.game = Duel(players, seed)
        self.tokens = [f"token {seat} of {seed}" for seat in range(players)]
        self.desk = Desk(Tokens(self.tokens))
        self.now = 0.0
        self.ask()

    def ask(self) -> None:
        """Put the pending decision on the desk, unless it lies there."""
        if self.game.frame is None:
            if not self.desk.is_waiting:
                self.desk.finish()
        elif not self.desk.is_waiting:
            open_desk(self.desk, self.game.frame, LIMIT, self.now)

    def hint(self, seat: int | None, dialect: str = "spec") -> Json:
        """What a client reads."""
        token = None if seat is None else self.tokens[seat]
        return json.loads(json.dumps(self.desk.hint(token, dialect)))

    def send(self, body: Json, dialect: str = "spec", seq: object = None) -> Json:
        """What a client is told about a reply."""
        answer, closed = self.desk.answer(
            body, seq=seq, apply=self.game.apply, dialect=dialect
        )
        if closed:
            self.ask()
        return json.loads(json.dumps(answer))

    def expire(self, now: float) -> None:
        """The time is `now`: defaults take the place of what has not come."""
        self.now = now
        for closed in self.desk.expire(now):
            assert closed.reply is not None
            assert self.game.apply(closed.seat, closed.reply) is None
        self.ask()

    def state(self) -> Any:
        """All that there is, for comparing."""
        return self.game.state(), self.desk.to_json()

    def asked(self) -> list[int]:
        """The seats that are asked now."""
        return list(self.desk.open)


def question(server: Server, seat: int, dialect: str = "spec") -> Hint:
    """The hint of a seat that is asked, as its client reads it."""
    seen = decode(server.hint(seat, dialect))
    assert isinstance(seen, Hint)
    return seen


def random_body(
    server: Server, seat: int, rng: random.Random, dialect: Dialect = "spec"
) -> Json:
    """A random good reply of a client that knows nothing but its hint."""
    seen = question(server, seat, dialect)
    choices = Choices(seen.question)
    reply = choices.draw(rng)
    if reply.is_abort and choices.count > 1 and rng.random() < 0.7:
        reply = choices.draw(rng)
    return encode_reply(reply, server.tokens[seat], dialect, seen.seq)
