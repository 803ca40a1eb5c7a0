"""Which of the names that exist somebody may have meant by one that does not.

Pure functions and a purse: looking for a near name costs time for every name that exists, and a file may hold hundreds
of thousands of both, so a `Speller` stops guessing when it has compared so many. Imports nothing of ours.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, final

# a guess is for people, who write short names: longer ones are not compared
LONGEST: Final = 40
# names looked at, and names compared letter by letter, for one file: a second at most
MOST_LOOKS: Final = 50_000
MOST_COMPARED: Final = 2_000

_DIGITS = re.compile("[0-9]+")
_SHORT: Final = 4


@final
@dataclass(slots=True)
class Speller:
    """Finds near names until the purse is empty, which depends on nothing but what was asked before."""

    looks: int = MOST_LOOKS
    compared: int = MOST_COMPARED

    @property
    def is_spent(self) -> bool:
        """Whether nothing will be found any more."""
        return self.looks <= 0 or self.compared <= 0

    def nearest(self, name: str, known: Iterable[str]) -> str | None:
        """The name of `known` that `name` looks most like, the first of equal ones; None if none is near.

        Near means: the same but for case, spaces, `_`, `-` and the width of letters; or a few letters added, left out,
        changed or swapped, one for every three. Digits must be the same: `n_12` is no slip for `n_13`.
        """
        wanted = _plain(name)
        if not wanted or len(wanted) > LONGEST:
            return None
        digits, best, least = _DIGITS.findall(wanted), None, LONGEST
        for other in known:
            if self.is_spent:
                return best
            self.looks -= 1
            if other == name or abs(len(other) - len(name)) > 2 * _SHORT:
                continue
            plain = _plain(other)
            if plain == wanted:
                return other
            if _allowed(wanted, plain) == 0 or _DIGITS.findall(plain) != digits:
                continue
            self.compared -= 1
            steps = distance(wanted, plain)
            if steps < least and steps <= _allowed(wanted, plain):
                best, least = other, steps
        return best


def _plain(name: str) -> str:
    """The letters of a name that people tell names apart by."""
    if len(name) > LONGEST:
        return name
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(
        letter for letter in folded if not (letter in "_-" or letter.isspace())
    )


def _allowed(one: str, other: str) -> int:
    """How many slips two plain names may be apart; 0 if they cannot be one name."""
    longer = max(len(one), len(other))
    allowed = max(longer, 3) // 3
    if abs(len(one) - len(other)) > allowed or longer > LONGEST:
        return 0
    if one.isdigit() or other.isdigit() or longer < 2:
        return 0
    # `to` is none of `is`, `text` none of `next`: short words differ by their first letter
    if longer <= _SHORT and one.isascii() and one[0] != other[0]:
        return allowed if sorted(one) == sorted(other) else 0
    return allowed


def distance(one: str, other: str) -> int:
    """How many letters must be added, removed, changed or swapped with their neighbour to make one of the other."""
    before, last = list(range(len(other) + 1)), list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        line = [row]
        for column, against in enumerate(other, 1):
            best = min(
                last[column] + 1,
                line[column - 1] + 1,
                last[column - 1] + (letter != against),
            )
            if (
                row > 1
                and column > 1
                and letter == other[column - 2]
                and one[row - 2] == against
            ):
                best = min(best, before[column - 2] + 1)
            line.append(best)
        before, last = last, line
    return last[-1]
