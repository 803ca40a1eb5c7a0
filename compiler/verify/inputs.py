"""What an input of the verification is: how a match begins, and what is done and asked in it.

An input is plain data, so that it can be made smaller and told as the commands of a case file. Both sides take the same
one: seats and cards are numbers, properties have the rule's own spelling. Nothing here knows a rule.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, final

Json: TypeAlias = Any
Cards: TypeAlias = tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class Start:
    """A match from its start."""

    seats: int
    seed: int

    def command(self) -> str:
        """The line of a case file."""
        return f"start {self.seats} seed={self.seed}"


@final
@dataclass(frozen=True, slots=True)
class Arranged:
    """A match that begins in the middle, at the wait of a node; what is not given has its start value."""

    hands: tuple[Cards, ...]
    deck: Cards
    discard: Cards
    table: Mapping[str, int]
    players: tuple[Mapping[str, int], ...]
    cards: Mapping[int, Mapping[str, int]]
    wait: str
    seed: int

    def position(self) -> dict[str, Json]:
        """The arguments of `arrange` on either side, as JSON types; card properties only where there are some."""
        given: dict[str, Json] = {
            "hands": [list(hand) for hand in self.hands],
            "deck": list(self.deck),
            "discard": list(self.discard),
            "table": dict(self.table),
            "players": [dict(one) for one in self.players],
            "wait": self.wait,
            "seed": self.seed,
        }
        if self.cards:
            given["cards"] = {number: dict(one) for number, one in self.cards.items()}
        return given

    def command(self) -> str:
        """The line of a case file."""
        return f"arrange {shown(self.position())}"


@final
@dataclass(frozen=True, slots=True)
class Action:
    """Something that a seat submits: cards to play, a choice, or nothing for a skip."""

    verb: Literal["play", "skip", "choose"]
    seat: int
    value: Cards | int | None = None

    def command(self) -> str:
        """The line of a case file."""
        if self.verb == "skip":
            return f"skip {self.seat}"
        value = list(self.value) if isinstance(self.value, tuple) else self.value
        return f"{self.verb} {self.seat} {shown(value)}"


@final
@dataclass(frozen=True, slots=True)
class Build:
    """What the build flow of one cardset says to some cards."""

    cardset: str
    cards: Cards

    def command(self) -> str:
        """The line of a case file."""
        return f"build {self.cardset} {shown(list(self.cards))}"


@final
@dataclass(frozen=True, slots=True)
class Recognize:
    """Which cardset some cards are."""

    cards: Cards

    def command(self) -> str:
        """The line of a case file."""
        return f"recognize {shown(list(self.cards))}"


@final
@dataclass(frozen=True, slots=True)
class Beats:
    """Whether the play that some cards are beats the play that others are."""

    now: Cards
    before: Cards

    def command(self) -> str:
        """The line of a case file."""
        return f"beats {shown(list(self.now))} {shown(list(self.before))}"


@final
@dataclass(frozen=True, slots=True)
class Plays:
    """What the seat that is asked can play."""

    seat: int

    def command(self) -> str:
        """The line of a case file."""
        return f"plays {self.seat}"


Begin: TypeAlias = Start | Arranged
Question: TypeAlias = Build | Recognize | Beats
Step: TypeAlias = Action | Question | Plays


@final
@dataclass(frozen=True, slots=True)
class Input:
    """One input: a match and what is done and asked in it, in this order."""

    begin: Begin
    steps: tuple[Step, ...]


def shown(value: Json) -> str:
    """A value as case files write it, on one line."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
