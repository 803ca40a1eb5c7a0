"""A number read at a fixed place of a list that may be too short, and 0 then: spelt out, without a helper to import.

`cards[0].rank if cards else 0`. Compared with a constant it is an `and` or an `or`, depending on whether the comparison
holds for 0: `len(cards) > 2 and cards[2].rank == 5`, `len(cards) <= 2 or cards[2].rank < 9`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne
from types import MappingProxyType
from typing import Final, final

from dealwright.compiler.emit import code
from dealwright.compiler.emit.code import Code

HOLDS: Final[Mapping[str, Callable[[int, int], bool]]] = MappingProxyType(
    {"==": eq, "!=": ne, ">": gt, "<": lt, ">=": ge, "<=": le}
)
"""What each sign says of two numbers."""


@final
@dataclass(frozen=True, slots=True)
class PastEnd:
    """A number that is 0 if a list is too short.

    Attributes:
        items: the list, short enough to be written several times.
        place: which element is read, from 0.
        found: the number where that element is there.
    """

    items: Code
    place: int
    found: Code

    def value(self, length: Code) -> Code:
        """The number, or 0; `length` is what is called for the length of a list."""
        is_there = self.items if self.place == 0 else self._is_there(length)
        return code.conditional(is_there, self.found, code.integer(0))

    def compared(self, sign: str, constant: int, length: Code) -> Code:
        """The number compared with a constant; a truth value throughout, so that the list itself is no part of it."""
        comparison = code.compare(self.found, (sign, code.integer(constant)))
        if not HOLDS[sign](0, constant):
            return code.both(self._is_there(length), comparison)
        short = ("<=" if self.place else "==", code.integer(self.place))
        size = code.call(length, self.items)
        return code.either(code.compare(size, short), comparison)

    def _is_there(self, length: Code) -> Code:
        size = code.call(length, self.items)
        return code.compare(size, (">", code.integer(self.place)))
