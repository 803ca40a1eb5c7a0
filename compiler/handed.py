"""What recognition hands to a build function besides the cards, for those who call one by itself.

`recognize` sorts the values that several cardsets of a length want once, and each of their build functions takes them as
arguments. Whoever asks one cardset alone, as the verifier and the tests do, sorts them here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, final


@final
@dataclass(frozen=True, slots=True)
class Handed:
    """Values of cards, sorted: of one attribute, or rows of several."""

    attributes: tuple[str, ...]
    is_descending: bool

    def of(self, cards: Iterable[Any]) -> list[Any]:
        """The sorted values of these cards."""
        rows = [tuple(getattr(card, one) for one in self.attributes) for card in cards]
        rows.sort(reverse=self.is_descending)
        return rows if len(self.attributes) > 1 else [row[0] for row in rows]


AllHanded: TypeAlias = Mapping[str, tuple[Handed, ...]]
"""By the name of the build function."""


def takes_game(function: Callable[..., Any], handed: AllHanded) -> bool:
    """Whether a build function reads something of the match."""
    parameters = len(inspect.signature(function).parameters)
    return parameters > 1 + len(handed[function.__name__])


def ask(
    function: Callable[..., Any],
    handed: AllHanded,
    cards: Sequence[Any],
    game: Any = None,
) -> Any:
    """What a build function says to some cards; `game` is given to those that take one."""
    given = [one.of(cards) for one in handed[function.__name__]]
    if takes_game(function, handed):
        given.append(game)
    return function(cards, *given)
