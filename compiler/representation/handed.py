"""What recognition hands to a build function besides the cards, for those who call one by itself.

`recognize` finds out once what several cardsets of a length want: values of the cards, sorted, what a method of the
table says of them, and whether they are another cardset. Each of their build functions takes them as arguments. Whoever
asks one cardset alone, as the verifier and the tests do, finds them out here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, final


@final
@dataclass(frozen=True, slots=True)
class HandedValues:
    """Values of cards, sorted: of one attribute, or rows of several."""

    attributes: tuple[str, ...]
    is_descending: bool

    def of(self, cards: Sequence[Any], game: Any) -> list[Any]:
        """The sorted values of these cards."""
        rows = [tuple(getattr(card, one) for one in self.attributes) for card in cards]
        rows.sort(reverse=self.is_descending)
        return rows if len(self.attributes) > 1 else [row[0] for row in rows]


@final
@dataclass(frozen=True, slots=True)
class HandedAnswer:
    """What a method of the table says of the cards; `takes_game`, `takes_cards`: its arguments."""

    method: str
    takes_game: bool
    takes_cards: bool

    def of(self, cards: Sequence[Any], game: Any) -> Any:
        """The answer for these cards in this game."""
        arguments = [*([game] * self.takes_game), *([cards] * self.takes_cards)]
        return getattr(game.table, self.method)(*arguments)


@final
@dataclass(frozen=True, slots=True)
class HandedVerdict:
    """Whether another build function, given by name, accepts the cards."""

    function: str


@final
@dataclass(frozen=True, slots=True)
class Handed:
    """How recognition asks a build function.

    lengths: about how many cards, rows of them as their first and last; the last is None if there is none.
    sure: what must be so. values: what it takes besides the cards.
    """

    lengths: tuple[tuple[int, int | None], ...]
    sure: tuple[HandedValues | HandedAnswer | HandedVerdict, ...]
    values: tuple[HandedValues | HandedAnswer | HandedVerdict, ...]

    def fits(self, count: int) -> bool:
        """Whether recognition asks about so many cards."""
        return any(
            first <= count and (last is None or count <= last)
            for first, last in self.lengths
        )


AllHanded: TypeAlias = Mapping[str, Handed]
"""By the name of the build function."""


def takes_game(function: Callable[..., Any], handed: AllHanded) -> bool:
    """Whether a build function reads something of the match, itself or through what it is handed."""
    if _takes_game(function, handed):
        return True
    own = handed[function.__name__]
    return any(
        isinstance(one, HandedAnswer)
        or (
            isinstance(one, HandedVerdict)
            and takes_game(_beside(function, one), handed)
        )
        for one in (*own.sure, *own.values)
    )


def _takes_game(function: Callable[..., Any], handed: AllHanded) -> bool:
    parameters = len(inspect.signature(function).parameters)
    return parameters > 1 + len(handed[function.__name__].values)


def _beside(function: Any, verdict: HandedVerdict) -> Callable[..., Any]:
    """The build function of the same module whose verdict is wanted."""
    other: Callable[..., Any] = function.__globals__[verdict.function]
    return other


def ask(
    function: Callable[..., Any],
    handed: AllHanded,
    cards: Sequence[Any],
    game: Any = None,
) -> Any:
    """What a build function says to some cards; `game` is given to those that take one.

    It is not asked where recognition would not ask it: then the cards are no such cardset.
    """

    def found(one: HandedValues | HandedAnswer | HandedVerdict) -> Any:
        if isinstance(one, HandedVerdict):
            return ask(_beside(function, one), handed, cards, game) is not None
        return one.of(cards, game)

    own = handed[function.__name__]
    if not own.fits(len(cards)) or not all(map(found, own.sure)):
        return None
    given = [found(one) for one in own.values]
    if _takes_game(function, handed):
        given.append(game)
    return function(cards, *given)
