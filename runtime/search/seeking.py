"""Cards of a hand that have one of the forms of a play.

First the values of the property of which most is known are fixed, chain by chain, the longest first: only values of which
the hand has enough cards at all the distances of the chain can begin one, and these are found once for all chains of a
kind. Then each place gets a card of its value. Cards that stand for one another are a group, and are taken by number; and
where their order does not matter, only in one order: sorted by what the forms are sorted by, and in that by the hand.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias, final

from dealwright.runtime.objects import CardBase
from dealwright.runtime.search.forms import Chain, Form, Forms, Order, Test

Row: TypeAlias = tuple[int, ...]
Places: TypeAlias = list[int]


class TooMany(Exception):
    """More has been looked at than was allowed."""


@final
class Seeker:
    """A hand, and the search for cards of some form in it."""

    __slots__ = (
        "_beginnings",
        "_groups",
        "_held",
        "_held_often",
        "_left",
        "_of_value",
        "_places",
    )

    def __init__(self, groups: Sequence[Sequence[CardBase]]) -> None:
        """Seek among these groups of cards, each of cards that stand for one another."""
        self._groups = groups
        self._left = 0
        # found when they are first needed
        self._held: dict[str, dict[int, int]] = {}
        self._held_often: dict[tuple[str, int], list[int]] = {}
        self._beginnings: dict[str, list[int]] = {}
        self._places: dict[Order | None, Places] = {}
        self._of_value: dict[tuple[Order | None, str], dict[int, list[int]]] = {}

    def candidates(self, forms: Forms, steps: int) -> list[Row]:
        """All that has one of the forms: the groups of its cards, each as often as it gives a card.

        They are ascending, or in the order of the cards where that matters, and stand in the order of `selections` and
        `arrangements`, each once.

        Args:
            steps: how many choices of a value or card may be tried.

        Raises:
            TooMany: that was not enough.
        """
        self._left = steps
        order = forms.order
        rows = (
            row
            for alike in forms.by_longest
            if self._beginnings_of(alike[0].name, alike[0].chains[0])
            for form in alike
            for row in self._rows(form, order)
        )
        if order is None:
            return sorted({*map(tuple, rows)}, key=lambda row: (sorted(row), row))
        return sorted({tuple(sorted(row)) for row in rows})

    def _step(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise TooMany

    # the hand by its values

    def _held_of(self, name: str) -> dict[int, int]:
        """How many cards there are of each value of a property, ascending."""
        held = self._held.get(name)
        if held is None:
            held = self._held[name] = {}
            for group in sorted(self._groups, key=lambda group: _value(group, name)):
                value = _value(group, name)
                held[value] = held.get(value, 0) + len(group)
        return held

    def _beginnings_of(self, name: str, chain: Chain) -> list[int]:
        """The values of a property that a chain of such steps can begin with, ascending."""
        found = self._beginnings.get(chain.kind)
        if found is None:
            found = self._beginnings[chain.kind] = []
            (lowest, number), *others = chain.steps
            held = self._held_of(name)
            for value in self._often(name, number):
                first = value - lowest
                for distance, count in others:
                    if held.get(first + distance, 0) < count:
                        break
                else:
                    found.append(first)
        return found

    def _often(self, name: str, number: int) -> list[int]:
        """The values of a property that at least so many cards have, ascending."""
        found = self._held_often.get((name, number))
        if found is None:
            held = self._held_of(name)
            found = [value for value, count in held.items() if count >= number]
            self._held_often[name, number] = found
        return found

    def _places_in(self, order: Order | None) -> Places:
        """The place of each group in the order of the forms; all the same where each order is another play."""
        places = self._places.get(order)
        if places is None:
            places = self._places[order] = [0] * len(self._groups)
            if order is not None:
                groups = sorted(
                    range(len(places)),
                    key=lambda group: _value(self._groups[group], order.name)
                    * (-1 if order.is_falling else 1),
                )
                for place, group in enumerate(groups):
                    places[group] = place
        return places

    def _by_value(self, order: Order | None, name: str) -> dict[int, list[int]]:
        """The groups by their value of a property, in the order of the forms."""
        found = self._of_value.get((order, name))
        if found is None:
            found = self._of_value[order, name] = {}
            places = self._places_in(order)
            for group in sorted(range(len(places)), key=places.__getitem__):
                found.setdefault(_value(self._groups[group], name), []).append(group)
        return found

    # one form

    def _rows(self, form: Form, order: Order | None) -> Iterator[list[int]]:
        """Everything of the form, place by place."""
        name = form.name
        for chain in form.chains[1:]:
            if not self._beginnings_of(name, chain):
                return
        of_value = self._by_value(order, name)
        places = self._places_in(order)
        is_simple = form.is_untested and len(of_value) == len(places)
        for values in self._valued(form, [], {}, [0] * len(form.tests)):
            choices = [of_value[value] for value in values]
            if is_simple:
                yield [one for (one,) in choices]
            else:
                yield from self._dealt(form, choices, places, [])

    def _valued(
        self, form: Form, firsts: list[int], taken: dict[int, int], values: list[int]
    ) -> Iterator[list[int]]:
        """Values for all places: chains from this one on, after those that begin with `firsts`.

        Args:
            taken: how many cards of each value the chains before take.
            values: by place; filled in, and the same list each time.
        """
        chain = form.chains[len(firsts)]
        least, most = chain.least, chain.most
        for earlier, above, below in chain.apart:
            least = max(least, firsts[earlier] + above)
            most = min(most, firsts[earlier] + below)
        is_last = len(firsts) + 1 == len(form.chains)
        held = self._held_of(form.name)
        beginnings = self._beginnings_of(form.name, chain)
        for value in islice(beginnings, bisect_left(beginnings, least), None):
            if value > most:
                break
            self._step()
            then = dict(taken)
            for distance, count in chain.steps:
                one = value + distance
                then[one] = count = then.get(one, 0) + count
                if count > held[one]:
                    break
            else:
                for place, distance in chain.distances:
                    values[place] = value + distance
                if is_last:
                    yield values
                else:
                    yield from self._valued(form, [*firsts, value], then, values)

    def _dealt(
        self,
        form: Form,
        choices: Sequence[Sequence[int]],
        places: Places,
        row: list[int],
    ) -> Iterator[list[int]]:
        """Groups for all places from this one on.

        Args:
            choices: by place, the groups whose cards have the value that it needs, in the order of `places`.
            row: the groups of the places before; the same list each time.
        """
        place = len(row)
        if place == len(choices):
            yield row
            return
        for group in choices[place]:
            self._step()
            if row and places[group] < places[row[-1]]:
                continue
            if row.count(group) < len(self._groups[group]) and self._fits(
                form.tests[place], group, row
            ):
                row.append(group)
                yield from self._dealt(form, choices, places, row)
                row.pop()

    def _fits(self, tests: Iterable[Test], group: int, row: Sequence[int]) -> bool:
        card = self._groups[group][0]
        for test in tests:
            value = getattr(card, test.name)
            if test.other is not None:
                value -= getattr(self._groups[row[test.other]][0], test.name)
            if not test.least <= value <= test.most:
                return False
        return True


def _value(group: Sequence[CardBase], name: str) -> int:
    value: int = getattr(group[0], name)
    return value
