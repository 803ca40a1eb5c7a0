"""Small strict checks of values that come from outside: saved states, arranged positions, lists of actions.

Each takes the value, a word for where it stands, and gives it back with its type known. JSON's `true` is no integer
here, and neither is 1.0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import chain, islice
from typing import Any, Final, TypeGuard, cast

from dealwright.runtime.errors import MatchError, shown
from dealwright.runtime.events import PlayerId
from dealwright.runtime.objects import MOST_BITS

MOST_PLAYERS: Final = 10_000
"""More would have to be dealt more cards than any deck holds."""
INT: Final = frozenset({int})
LIST: Final = frozenset({list})
DICT: Final = frozenset({dict})
TOO_LARGE: Final = 1 << MOST_BITS


class Misfit(ValueError):
    """A value does not fit. The sentence says which and why; the caller adds what was being read."""


def is_text(value: object) -> TypeGuard[str]:
    """Whether a value is a string that can be written as UTF-8: one with half a surrogate pair in it cannot."""
    if type(value) is not str:
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_listed(value: object) -> TypeGuard[Iterable[Any]]:
    """Whether a value can be gone through as a list: JSON's texts and objects can be too, but are none."""
    # asking the type first saves the slow check of an abstract class for the usual case
    return type(value) in (list, tuple) or (
        isinstance(value, Iterable)
        and not isinstance(value, str | bytes | bytearray | memoryview | Mapping)
    )


def an_int(value: object, where: str) -> int:
    """An integer, booleans excluded."""
    if type(value) is not int:
        raise Misfit(f"{where} must be an integer, not {shown(value)}")
    if value.bit_length() > MOST_BITS:
        raise Misfit(f"{where} is too large an integer")
    return value


def a_list(value: object, where: str) -> list[object]:
    """A list."""
    if not isinstance(value, list):
        raise Misfit(f"{where} must be a list, not {shown(value)}")
    return value


def a_mapping(value: object, where: str) -> Mapping[object, object]:
    """An object of JSON, or any mapping."""
    # asking the type first saves the slow check of an abstract class for what JSON gives
    if type(value) is not dict and not isinstance(value, Mapping):
        raise Misfit(f"{where} must be an object, not {shown(value)}")
    return value


def ints(value: object, where: str) -> list[int]:
    """A list of integers: a new one, since what is read of a state must not change with it."""
    items = a_list(value, where)
    if items and set(map(type, items)) != INT:
        raise Misfit(f"{where} must hold integers only")
    numbers = cast(list[int], items[:])
    if not are_small(numbers):
        raise Misfit(f"{where} holds too large an integer")
    return numbers


def int_lists(value: object, where: str, whole: str) -> list[list[int]]:
    """A list of lists of integers; `where` is the word for one of them."""
    lists = a_list(value, whole)
    if set(map(type, lists)) <= LIST:
        # the usual case, all at once
        known = cast(list[list[int]], lists)
        if set(map(type, chain.from_iterable(known))) <= INT:
            return known
    return [ints(items, where) for items in lists]


def property_rows(
    values: list[object], names: Mapping[str, int], where: str
) -> list[Mapping[str, int]]:
    """Of each value exactly the properties that are the keys of `names`, each an integer."""
    if set(map(type, values)) <= DICT:
        # the usual case, all at once
        rows = cast(list[Mapping[str, int]], values)
        known = names.keys()
        numbers: list[int] = []
        for row in rows:
            if row.keys() != known:
                break
            numbers += row.values()
        else:
            if are_small(numbers):
                return rows
    return [
        properties(value, names, f"{where}[{place}]")
        for place, value in enumerate(values)
    ]


def are_small(numbers: Collection[int]) -> bool:
    """Whether all are integers that a saved match can hold."""
    return not numbers or (
        set(map(type, numbers)) == INT
        and max(numbers) < TOO_LARGE
        and min(numbers) > -TOO_LARGE
    )


def properties(
    value: object, names: Mapping[str, int], where: str
) -> Mapping[str, int]:
    """Exactly the properties that are the keys of `names`, each an integer."""
    if (
        type(value) is dict
        and value.keys() == names.keys()
        and are_small(value.values())
    ):
        return value  # the usual case, without looking at one after another
    given = some_properties(value, names, where)
    missing = [name for name in names if name not in given]
    if missing:
        raise Misfit(f"{where} lacks the property {shown(missing[0])}")
    return given


def some_properties(value: object, names: Iterable[str], where: str) -> dict[str, int]:
    """Properties of which each is one of `names` and an integer; any of them may be missing."""
    known = frozenset(names)
    found: dict[str, int] = {}
    for name, number in a_mapping(value, where).items():
        if type(name) is not str or name not in known:
            raise Misfit(
                f"{where} has the property {shown(name)}, which the rule does not know"
            )
        found[name] = an_int(number, f"{where}.{name}")
    return found


def each_once(numbers: list[int], cards: int, where: str) -> None:
    """Every number from 1 to `cards` exactly once."""
    if sorted(numbers) == list(range(1, cards + 1)):
        return
    seen: set[int] = set()
    for number in numbers:
        if not 0 < number <= cards:
            raise Misfit(
                f"{where}: the rule has no card_{shown(number)}, only card_1 to card_{cards}"
            )
        if number in seen:
            raise Misfit(f"{where}: card_{number} is there twice")
        seen.add(number)
    missing = next(number for number in range(1, cards + 1) if number not in seen)
    raise Misfit(f"{where}: card_{missing} is nowhere")


def some_once(numbers: list[int], among: Iterable[int], where: str) -> None:
    """Numbers from `among`, each at most once."""
    if len(set(numbers)) != len(numbers):
        raise Misfit(f"{where} names a card twice")
    if not set(numbers) <= set(among):
        raise Misfit(f"{where} names a card that is not in the discard pile")


def _taken(value: Iterable[PlayerId], rule: str) -> tuple[PlayerId, ...]:
    """The ids, whatever the caller's object does when it is gone through."""
    try:
        return tuple(islice(value, MOST_PLAYERS + 1))
    except Exception as error:
        raise MatchError(
            "bad_players", "the list of players cannot be read", rule
        ) from error


def player_ids(value: object, players: int | None, rule: str) -> tuple[PlayerId, ...]:
    """The ids of a match's players in seat order.

    Raises:
        MatchError: "bad_players": not a list of distinct strings and integers, none at all, or not as many as the
            rule is for (`players`, if it says).
    """
    if not is_listed(value):
        raise MatchError(
            "bad_players",
            f"the players must be a list of ids, not {shown(value)}",
            rule,
        )
    ids = _taken(value, rule)
    for item in ids:
        if not is_text(item) and type(item) is not int:
            raise MatchError(
                "bad_players",
                f"an id is a string or an integer, not {shown(item)}",
                rule,
            )
        if isinstance(item, int) and item.bit_length() > MOST_BITS:
            raise MatchError("bad_players", "an id is too large an integer", rule)
    if len(ids) > MOST_PLAYERS:
        raise MatchError("bad_players", "there are too many players", rule)
    if len(set(ids)) != len(ids):
        raise MatchError("bad_players", "two players have the same id", rule)
    if not ids or (players is not None and len(ids) != players):
        wanted = (
            "at least one player" if players is None else f"exactly {players} players"
        )
        raise MatchError(
            "bad_players", f"the rule is for {wanted}, not {len(ids)}", rule
        )
    return ids
