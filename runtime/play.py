"""A recognised play: some cards and the cardset that they form.

Build flows make the properties, `recognize` of the generated package makes the play; compare flows read it.
"""

from __future__ import annotations

import re
from typing import Any, Final, Generic, NoReturn, TypeVar, final

from dealwright.runtime.objects import CardBase

CardT_co = TypeVar("CardT_co", bound=CardBase, covariant=True)

# Python refuses to read integers of more than 4,300 digits
_NUMBER = re.compile(r"[+-]?[0-9]{1,4000}")


@final
class Properties(dict[str, int]):
    """The properties of all plays that one node of a build flow accepts; they do not change, copies of them may."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("the properties of a play cannot be changed")

    __setitem__ = __delitem__ = __ior__ = setdefault = update = _refuse
    pop = popitem = clear = _refuse

    def __reduce__(self) -> tuple[type[dict[str, int]], tuple[dict[str, int]]]:
        return (dict, (dict(self),))


NO_PROPERTIES: Final[dict[str, int]] = Properties()
"""The properties of every play of a cardset without any: a dict of its own for each would cost more than finding it."""


class Play(Generic[CardT_co]):
    """The base of each package's class of plays, `Played`, which has the slots.

    The cardset and its properties are fixed when a play is made; its cards are the live cards (section 6).

    Attributes:
        id: the cardset's id in the rule.
        cardset: the cardset's name.
        cards: in the order in which they were submitted.
        properties: by the rule's own spelling, declared defaults included.
    """

    # the slots are the generated class's: a compiled class cannot build on one that has slots
    __slots__ = ()
    id: str
    cardset: str
    cards: list[CardT_co]
    properties: dict[str, int]

    def __init__(
        self, id: str, cardset: str, cards: list[CardT_co], properties: dict[str, int]
    ) -> None:
        raise TypeError("a play is made by the class Played of a package")

    @property
    def number(self) -> int:
        """The number in the cardset's id: what follows its last underscore, if that is a decimal integer, else 0."""
        last = self.id.rpartition("_")[2]
        return int(last) if _NUMBER.fullmatch(last) else 0

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r}, {self.cardset!r}, {self.cards!r}, {self.properties!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """For `pickle` and `copy`, which do not see the attributes of a compiled class by themselves."""
        return type(self), (self.id, self.cardset, self.cards, self.properties)
