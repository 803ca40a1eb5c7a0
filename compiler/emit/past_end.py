"""What may stand past the end of a list, where nothing counts as 0: spelt out, without a helper that has to be imported.

`cards[0].rank if cards else 0`, and where such a value is compared with a constant, which says what 0 would give,
`len(cards) > 2 and cards[2].rank == 5`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne
from types import MappingProxyType
from typing import Final, final

from dealwright.compiler.emit import code
from dealwright.compiler.emit.code import Code

_MEANT: Final[Mapping[str, Callable[[int, int], bool]]] = MappingProxyType(
    {"==": eq, "!=": ne, ">": gt, "<": lt, ">=": ge, "<=": le}
)


@final
@dataclass(frozen=True, slots=True)
class PastEnd:
    """A value that is 0 if a list is too short.

    Attributes:
        items: the list, short enough to be written several times.
        size: its length.
        place: which element is read, from 0.
        found: the value where that element is there.
    """

    items: Code
    size: Code
    place: int
    found: Code

    def value(self) -> Code:
        """The value, or 0."""
        is_there = self.items if self.place == 0 else self._is_there()
        return code.conditional(is_there, self.found, code.integer(0))

    def compared(self, sign: str, constant: int) -> Code:
        """The value compared with a constant."""
        comparison = code.compare(self.found, (sign, code.integer(constant)))
        if _MEANT[sign](0, constant):
            lacking = ("==", 0) if self.place == 0 else ("<=", self.place)
            is_missing = code.compare(self.size, (lacking[0], code.integer(lacking[1])))
            return code.either(is_missing, comparison)
        return code.both(self._is_there(), comparison)

    def _is_there(self) -> Code:
        return code.compare(self.size, (">", code.integer(self.place)))
