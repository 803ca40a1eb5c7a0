"""What a person may type, and how it is read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias, final

from dealwright.runtime import Wait

HELP = {
    "play": (
        "  #2       take the choice with this number; its cards are asked for",
        "  3 9      play the cards with these numbers",
        "  skip     play nothing",
        "  quit     leave the match",
    ),
    "choose": (
        "  1        choose this value",
        "  quit     leave the match",
    ),
}
"""The lines of `help`, by kind of wait."""

_SEPARATORS = re.compile(r"[\s,，、]+")
_PICK = re.compile(r"#\s*([0-9]{1,9})", re.ASCII)
_CARD = re.compile(r"(?:card_)?([0-9]{1,9})", re.ASCII)
_VALUE = re.compile(r"[+-]?[0-9]{1,1000}", re.ASCII)


@final
@dataclass(frozen=True, slots=True)
class Play:
    """Submit these cards; none is a skip."""

    cards: tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class Choose:
    """Submit this choice."""

    value: int


@final
@dataclass(frozen=True, slots=True)
class Pick:
    """Take the choice of this number, counted from 1, among those that are listed."""

    number: int


@final
@dataclass(frozen=True, slots=True)
class Misread:
    """Nothing that can be submitted; `why` is a sentence for the person."""

    why: str


Command: TypeAlias = Play | Choose | Pick | Misread | Literal["help", "quit"]


def is_leaving(text: str) -> bool:
    """Whether a line means that the person leaves the match."""
    return text.strip().lower() in ("quit", "q", "exit", "退出")


def read_command(text: str, wait: Wait) -> Command:
    """What a line means while the match waits for `wait`; never raises."""
    word = text.strip().lower()
    if word in ("help", "h", "?", "帮助"):
        return "help"
    if is_leaving(text):
        return "quit"
    if found := _PICK.fullmatch(word):
        return Pick(int(found[1]))
    if wait.kind == "choose":
        return (
            Choose(int(word))
            if _VALUE.fullmatch(word)
            else Misread("type the number of your choice")
        )
    if word in ("skip", "s", "pass", "p", "过"):
        return Play(())
    return read_cards(word)


def read_cards(text: str) -> Play | Misread:
    """The cards that a line names."""
    word = text.strip().lower()
    matches = [_CARD.fullmatch(token) for token in _SEPARATORS.split(word) if token]
    numbers = [int(one[1]) for one in matches if one]
    if not matches or len(numbers) < len(matches):
        return Misread("type the numbers of the cards to play, or skip")
    return Play(tuple(numbers))
