"""What a person may type, and how it is read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias, final

from dealwright.runtime import Wait

HELP = {
    "play": (
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
class Misread:
    """Nothing that can be submitted; `why` is a sentence for the person."""

    why: str


Command: TypeAlias = Play | Choose | Misread | Literal["help", "quit"]


def read_command(text: str, wait: Wait) -> Command:
    """What a line means while the match waits for `wait`; never raises."""
    word = text.strip().lower()
    if word in ("help", "h", "?", "帮助"):
        return "help"
    if word in ("quit", "q", "exit", "退出"):
        return "quit"
    if wait.kind == "choose":
        return (
            Choose(int(word))
            if _VALUE.fullmatch(word)
            else Misread("type the number of your choice")
        )
    if word in ("skip", "s", "pass", "p", "过"):
        return Play(())
    return _cards(word)


def _cards(word: str) -> Command:
    matches = [_CARD.fullmatch(token) for token in _SEPARATORS.split(word) if token]
    numbers = [int(one[1]) for one in matches if one]
    if not matches or len(numbers) < len(matches):
        return Misread("type the numbers of the cards to play, or skip")
    return Play(tuple(numbers))
