"""Values whose kind is known only at run time, and the one quantifier that Python does not have.

A method may take or return now cards, now a number; then generated code asks these functions instead of spelling the
operation out. Sources: contract, sections 4 and 5, and points 1 to 6 and 10 of the project's decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from dealwright.runtime.objects import CardBase, PlayerBase
from dealwright.runtime.play import Play
from dealwright.runtime.values import Value

CardT = TypeVar("CardT", bound=CardBase)
PlayerT = TypeVar("PlayerT", bound=PlayerBase)


def every(tests: Iterable[bool]) -> bool:
    """Whether all tests hold and there is at least one: *all* is false on an empty set (component 11)."""
    found = False
    for test in tests:
        if not test:
            return False
        found = True
    return found


def cards_in(value: Value, kind: type[CardT], alone: bool = False) -> list[CardT]:
    """The cards that `value` is: a collection or a play, or, if `alone`, a single card; of anything else none."""
    if isinstance(value, Play):
        value = value.cards
    if isinstance(value, list):
        return [one for one in value if isinstance(one, kind)]
    return [value] if alone and isinstance(value, kind) and value else []


def players_in(value: Value, kind: type[PlayerT], alone: bool = False) -> list[PlayerT]:
    """The players that `value` is: a collection or, if `alone`, a single player; of anything else none."""
    if isinstance(value, list):
        return [one for one in value if isinstance(one, kind)]
    return [value] if alone and isinstance(value, kind) and value else []


def integers_in(value: Value) -> list[int]:
    """The list of integers that `value` is, or an empty one."""
    if isinstance(value, list):
        return [one for one in value if isinstance(one, int)]
    return []


def element_in(value: Value, index: int) -> Value:
    """Element `index` of cards, players or a play's cards, negatives as 0; else none (component 5)."""
    if isinstance(value, Play):
        value = value.cards
    index = max(index, 0)
    if isinstance(value, list) and index < len(value):
        found = value[index]
        return found if isinstance(found, CardBase | PlayerBase) else None
    return None


def sorted_in(
    value: Value,
    card: type[CardT],
    card_key: Callable[[CardT], list[int]],
    player: type[PlayerT],
    player_key: Callable[[PlayerT], list[int]],
) -> Value:
    """A sorted copy of cards, players or a play's cards; anything else as it is (component 2)."""
    cards = cards_in(value, card)
    if cards or isinstance(value, Play):
        return sorted(cards, key=card_key)
    players = players_in(value, player)
    return sorted(players, key=player_key) if players else value
