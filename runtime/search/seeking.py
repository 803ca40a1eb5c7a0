"""Cards of a hand that have one of the forms of a play.

First the values of the property of which most is known are fixed, chain by chain, the longest first: only values of which
the hand has enough cards at all the distances of the chain can begin one, and these are found once for all chains of a
kind. Then each place gets a card of its value. Cards that stand for one another are a group, and are taken by number; and
where their order does not matter, only in one order: sorted by what the forms are sorted by, and in that by the hand.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TypeAlias, final

from dealwright.runtime.objects import CardBase
from dealwright.runtime.search.forms import Chain, Condition, Form, Forms, Order

Groups: TypeAlias = Sequence[Sequence[CardBase]]
"""Cards by number, in groups of cards that stand for one another."""
Row: TypeAlias = tuple[int, ...]
"""The groups of some cards: each as often as it gives one."""


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
        "_least_left",
        "_left",
        "_sorted",
    )

    def __init__(self, groups: Groups, steps: int) -> None:
        """Seek among these cards.

        Args:
            steps: how many choices of a value or card may be tried, for all numbers of cards together.
        """
        self._groups = groups
        self._left = steps
        self._least_left = 0
        # found when they are first needed
        self._sorted: dict[Order | None, Sorted] = {}
        self._held: dict[str, dict[int, int]] = {}
        self._held_often: dict[tuple[str, int], list[int]] = {}
        self._beginnings: dict[str, list[int]] = {}

    def candidates(self, forms: Forms) -> list[Row]:
        """All that has one of the forms.

        Rows are ascending, or in the order of the cards where that matters, and stand in the order of `selections` and
        `arrangements`, each once.

        Raises:
            TooMany: half of the steps that were left were not enough.
        """
        self._least_left = self._left // 2
        order = forms.order
        hand = self._sorted.get(order)
        if hand is None:
            hand = self._sorted[order] = Sorted(self._groups, order)
        found: set[Row] = set()
        for alike in forms.by_longest:
            first = alike[0]
            if self._beginnings_of(first.name, first.chains[0]):
                for form in alike:
                    self._seek(form, hand, found)
        if order is None:
            return sorted(found, key=lambda row: (sorted(row), row))
        return sorted(found)

    def _step(self) -> None:
        self._left -= 1
        if self._left < self._least_left:
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
            if len(self._often(name, chain.fewest)) < len(chain.steps):
                return found
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

    # one form

    def _seek(self, form: Form, hand: Sorted, found: set[Row]) -> None:
        """Find everything of the form."""
        for chain in form.chains[1:]:
            if not self._beginnings_of(form.name, chain):
                return
        self._begin(form, hand, found, [], {}, [0] * len(form.conditions))

    def _begin(
        self,
        form: Form,
        hand: Sorted,
        found: set[Row],
        firsts: list[int],
        taken: dict[int, int],
        values: list[int],
    ) -> None:
        """Find what begins the chains from this one on with all possible values.

        Args:
            firsts: what the chains before begin with.
            taken: how many cards of each value they take.
            values: by place, filled in as far as these chains go.
        """
        number = len(firsts)
        chain = form.chains[number]
        least, most = chain.least, chain.most
        for earlier, more in chain.above:
            least = max(least, firsts[earlier] + more)
        for earlier, more in chain.below:
            most = min(most, firsts[earlier] + more)
        beginnings = self._beginnings_of(form.name, chain)
        is_alone = len(form.chains) == 1
        for value in islice(beginnings, bisect_left(beginnings, least), None):
            if value > most:
                break
            self._step()
            # of a chain alone it is known that the hand has enough
            then = taken if is_alone else self._taking(form.name, chain, value, taken)
            if then is None:
                continue
            for place, distance in chain.distances:
                values[place] = value + distance
            if number + 1 == len(form.chains):
                self._deal(form, hand, found, values)
            else:
                self._begin(form, hand, found, [*firsts, value], then, values)

    def _taking(
        self, name: str, chain: Chain, first: int, taken: dict[int, int]
    ) -> dict[int, int] | None:
        """What is taken together with this chain; None if the hand has less."""
        held = self._held_of(name)
        then = dict(taken)
        for distance, count in chain.steps:
            value = first + distance
            then[value] = together = then.get(value, 0) + count
            if together > held[value]:
                return None
        return then

    def _deal(
        self, form: Form, hand: Sorted, found: set[Row], values: list[int]
    ) -> None:
        """Find what has these values: one row where all cards of a value are alike, and nothing else is asked of them."""
        of_value = hand.by_value(form.name)
        if not form.is_unconditional or len(of_value) < len(self._groups):
            choices = [of_value[value] for value in values]
            self._choose(form, hand, found, choices, [])
        elif hand.order is None:
            found.add(tuple([of_value[value][0] for value in values]))
        else:
            found.add(tuple(sorted([of_value[value][0] for value in values])))

    def _choose(
        self,
        form: Form,
        hand: Sorted,
        found: set[Row],
        choices: Sequence[Sequence[int]],
        row: list[int],
    ) -> None:
        """Find what has cards of these groups at the places from this one on.

        Args:
            choices: by place, the groups whose cards have the value that it needs, as they are sorted.
            row: the groups of the places before.
        """
        place = len(row)
        if place == len(choices):
            found.add(tuple(row) if hand.order is None else tuple(sorted(row)))
            return
        places = hand.places
        before = places[row[-1]] if row else 0
        for group in choices[place]:
            self._step()
            if (
                places[group] >= before
                and row.count(group) < len(self._groups[group])
                and self._fits(form.conditions[place], group, row)
            ):
                self._choose(form, hand, found, choices, [*row, group])

    def _fits(
        self, conditions: Iterable[Condition], group: int, row: Sequence[int]
    ) -> bool:
        """Whether a card of the group is as it must be, after these."""
        for condition in conditions:
            value = _value(self._groups[group], condition.name)
            if condition.other is not None:
                value -= _value(self._groups[row[condition.other]], condition.name)
            if not condition.least <= value <= condition.most:
                return False
        return True


@final
class Sorted:
    """The groups of a hand as the places of forms are sorted.

    Attributes:
        order: how that is; None where each order of cards is another play.
        places: by group; all 0 if there is no order.
    """

    __slots__ = ("_by_value", "_groups", "order", "places")

    def __init__(self, groups: Groups, order: Order | None) -> None:
        """Sort these groups."""
        self._groups = groups
        self._by_value: dict[str, dict[int, list[int]]] = {}
        self.order = order
        self.places = [0] * len(groups)
        if order is not None:
            sign = -1 if order.is_falling else 1
            ranked = sorted(
                range(len(groups)),
                key=lambda group: sign * _value(groups[group], order.name),
            )
            for place, group in enumerate(ranked):
                self.places[group] = place

    def by_value(self, name: str) -> dict[int, list[int]]:
        """The groups by their value of a property, each time as they are sorted."""
        found = self._by_value.get(name)
        if found is None:
            found = self._by_value[name] = {}
            for group in sorted(range(len(self.places)), key=self.places.__getitem__):
                found.setdefault(_value(self._groups[group], name), []).append(group)
        return found


def _value(group: Sequence[CardBase], name: str) -> int:
    value: int = getattr(group[0], name)
    return value
