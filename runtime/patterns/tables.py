"""What the cards of one suit can make, and what suits make together: counted once, then looked up.

How far a plan has been filled is a state: so many places of each kind, so many wild cards used. All states of all plans
are numbered, and a set of states is an integer with those bits set. `SuitTable` maps the cards of a suit to the states
that they can fill completely, `JoinedTable` several such sets to their sums. Both work out what they are asked for
first and remember it; the memory of both is bounded by a `Stock`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Final, NamedTuple, final

from dealwright.runtime.patterns.pattern import Group, Pattern, Plan

STATES: Final = 1024
"""States that a pattern may have without wild cards; with k of them there are k + 1 times as many."""


@final
class Stock:
    """How many entries a matcher's tables may still remember; when none is left, all of them are emptied.

    What an entry says follows from its key alone, so emptying changes no answer.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._left = limit
        self._tables: list[SuitTable | JoinedTable] = []

    def share(self, table: SuitTable | JoinedTable) -> None:
        """Let the table count on this stock too."""
        self._tables.append(table)

    def take(self) -> None:
        """Make room for one more entry."""
        if not self._left:
            for table in self._tables:
                table.clear()
            self._left = self._limit
        self._left -= 1

    def used(self) -> int:
        """Entries that are remembered now."""
        return sum(len(table) for table in self._tables)


class Step(NamedTuple):
    """Filling a place: the states in which it is possible, and how far their numbers move by it."""

    room: int
    shift: int


@final
class Layout:
    """The numbering of states for one pattern and at most `wilds` wild cards.

    A plan's states are numbers in mixed radix, one digit for each kind of place and the last for wild cards; the states
    of the next plan follow. So two states of a plan are added by adding their numbers, as far as no digit overflows.
    """

    def __init__(self, pattern: Pattern, wilds: int) -> None:
        self.wilds = wilds
        self._plans: list[_Numbers] = []
        offset = 0
        for plan in pattern.plans:
            self._plans.append(_Numbers(plan, wilds, offset))
            offset += self._plans[-1].count
        self.empty = sum(1 << numbers.offset for numbers in self._plans)
        self.goals: dict[int, int] = {}
        """For a number of cards, wild ones included: the states of plans of that size in which all is filled."""
        for index, size in enumerate(pattern.sizes()):
            full = [slots.count for slots in pattern.plans[index]]
            goal = self.state(index, full, wilds)
            self.goals[size] = self.goals.get(size, 0) | goal

    def state(self, plan: int, filled: Sequence[int], wilds: int) -> int:
        """The set with the one state in which so many places of each kind are filled, by so many wild cards."""
        return 1 << self._plans[plan].number((*filled, wilds))

    def step(self, plan: int, slots: int, wilds: int) -> Step:
        """The step that fills a place of kind `slots` of a plan with a group that has so many wild cards."""
        numbers = self._plans[plan]
        change = [0] * len(numbers.most)
        change[slots] = 1
        change[-1] = wilds
        return Step(numbers.room(change), numbers.number(change) - numbers.offset)

    def add(self, first: int, second: int) -> int:
        """All sums of a state of the one set and a state of the other."""
        if first == self.empty:
            return second
        sums = 0
        for numbers in self._plans:
            for digits in numbers.within(first):
                shift = numbers.number(digits) - numbers.offset
                sums |= (second & numbers.room(digits)) << shift
        return sums


@final
class _Numbers:
    """The states of one plan, numbered from `offset` on."""

    def __init__(self, plan: Plan, wilds: int, offset: int) -> None:
        self.offset = offset
        self.most = (*(slots.count for slots in plan), wilds)
        self._radices = []
        count = 1
        for most in self.most:
            self._radices.append(count)
            count *= most + 1
        self.count = count
        self._below = [self._bounds(digit) for digit in range(len(self.most))]

    def number(self, digits: Sequence[int]) -> int:
        places = zip(digits, self._radices, strict=True)
        return self.offset + sum(digit * radix for digit, radix in places)

    def _digit(self, number: int, digit: int) -> int:
        return number // self._radices[digit] % (self.most[digit] + 1)

    def _bounds(self, digit: int) -> list[int]:
        """For each value: the states whose digit is at most that."""
        bounds = [0] * (self.most[digit] + 1)
        for number in range(self.count):
            bounds[self._digit(number, digit)] |= 1 << self.offset + number
        for value in range(1, len(bounds)):
            bounds[value] |= bounds[value - 1]
        return bounds

    def room(self, digits: Sequence[int]) -> int:
        """The states of this plan to which `digits` can be added."""
        room = -1
        for below, most, digit in zip(self._below, self.most, digits, strict=True):
            if digit > most:
                return 0
            room &= below[most - digit]
        return room

    def within(self, states: int) -> Iterator[list[int]]:
        """The digits of those of `states` that are this plan's."""
        states = states >> self.offset & (1 << self.count) - 1
        while states:
            number = (states & -states).bit_length() - 1
            states &= states - 1
            yield [self._digit(number, digit) for digit in range(len(self.most))]


@final
@dataclass(frozen=True, slots=True)
class Shape:
    """What makes suits alike: the distances of their ranks from the first, and whether runs go through them."""

    ranks: tuple[int, ...]
    ordered: bool

    def stands(self, group: Group) -> Iterator[tuple[int, ...]]:
        """What the group can stand for: places in `ranks`, one for each card, from the lowest up."""
        for first in range(len(self.ranks)):
            if group.kind == "set":
                yield (first,) * group.length
                continue
            last = first + group.length - 1
            if (
                (self.ordered or group.length == 1)
                and last < len(self.ranks)
                and self.ranks[last] - self.ranks[first] == last - first
            ):
                yield tuple(range(first, last + 1))


def wild_choices(group: Group, stand: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Which of a group's cards may be wild ones, as sub-multisets of `stand`: fewest first, then lowest first."""
    most = group.length if group.wilds is None else min(group.wilds, group.length)
    for count in range(most + 1):
        for chosen in combinations_with_replacement(sorted(set(stand)), count):
            if all(chosen.count(place) <= stand.count(place) for place in chosen):
                yield chosen


def natural_counts(stand: tuple[int, ...], wild: tuple[int, ...]) -> dict[int, int]:
    """How many cards of each rank a group takes where `wild` of what it stands for are wild cards; ranks ascend."""
    counts = {rank: stand.count(rank) - wild.count(rank) for rank in stand}
    return {rank: count for rank, count in counts.items() if count}


@final
@dataclass(frozen=True, slots=True)
class Item:
    """One way to fill a place from the cards of a suit.

    Attributes:
        needs: for each rank that it takes cards of, the key of one such card and how many it takes.
        key: the key of all that it takes.
        step: what it does to states.
        again: the index of the first item that may come after this one.
    """

    needs: tuple[tuple[int, int], ...]
    key: int
    step: Step
    again: int


@final
class SuitTable(dict[int, int]):
    """The states that all cards of a suit fill, no card left over. Wild cards are spent as needed, up to the layout's.

    A suit's key has a digit in base `base` for each rank: how many cards of it there are. An entry may also be for a
    key with a rank on top of it, times `span`: only groups that begin at that rank or above count then, and there are no
    cards below. Groups of wild cards alone are no part of this table, but for places that must be distinct.
    """

    def __init__(
        self, pattern: Pattern, layout: Layout, shape: Shape, base: int, stock: Stock
    ) -> None:
        super().__init__()
        self._layout = layout
        self._stock = stock
        self._base = base
        self._ranks = len(shape.ranks)
        self.span = self._base**self._ranks
        # without wild cards a group begins at a card that is there: the lowest one's rank says where to go on
        self._next_rank = self.span if layout.wilds else 0
        self._items = [
            [
                items
                for plan in range(len(pattern.plans))
                if (items := self._begin(pattern, plan, shape, first))
            ]
            for first in range(self._ranks)
        ]
        stock.share(self)

    def _begin(
        self, pattern: Pattern, plan: int, shape: Shape, first: int
    ) -> list[Item]:
        """The items of a plan whose groups begin at a rank; each may be taken again, but for distinct places."""
        found: list[Item] = []
        for index, slots in enumerate(pattern.plans[plan]):
            for group in slots.groups:
                for stand in shape.stands(group):
                    if stand[0] != first:
                        continue
                    takes = list(self._takes(group, stand, slots.distinct))
                    after = len(found) + len(takes)
                    for counts, wilds in takes:
                        again = after if slots.distinct else len(found)
                        step = self._layout.step(plan, index, wilds)
                        needs = tuple(
                            (self._base**rank, count) for rank, count in counts.items()
                        )
                        key = sum(unit * count for unit, count in needs)
                        found.append(Item(needs, key, step, again))
        return found

    def _takes(
        self, group: Group, stand: tuple[int, ...], distinct: bool
    ) -> Iterator[tuple[dict[int, int], int]]:
        """How many cards of each rank a group takes, and how many wild cards."""
        for wild in wild_choices(group, stand):
            alone = len(wild) == group.length and not distinct
            if alone or len(wild) > self._layout.wilds:
                continue
            yield natural_counts(stand, wild), len(wild)

    def __missing__(self, key: int) -> int:
        rank, cards = divmod(key, self.span)
        done = rank == self._ranks or not (cards or self._layout.wilds)
        states = self._layout.empty if done else self._fill(cards, rank)
        self._stock.take()
        self[key] = states
        return states

    def _fill(self, cards: int, rank: int) -> int:
        """The states that `cards` fill with groups that begin at `rank` or above."""
        unit = self._base**rank
        if not self._next_rank:
            while not cards // unit % self._base:
                rank += 1
                unit *= self._base
        states = 0
        if not cards // unit % self._base:
            states = self[cards + (rank + 1) * self._next_rank]
        for items in self._items[rank]:
            states |= self._take(cards, rank, items, 0)
        return states

    def _take(self, cards: int, rank: int, items: list[Item], first: int) -> int:
        """The states that `cards` fill, at least one group being among a plan's items from `first` on."""
        states = 0
        for item in items[first:]:
            for unit, count in item.needs:
                if cards // unit % self._base < count:
                    break
            else:
                rest = cards - item.key
                filled = self._take(rest, rank, items, item.again)
                if not rest // self._base**rank % self._base:
                    filled |= self[rest + (rank + 1) * self._next_rank]
                states |= (filled & item.step.room) << item.step.shift
        return states


@final
class JoinedTable(dict[tuple[int, ...], int]):
    """The sums of several sets of states, and of what wild cards make without any other card."""

    def __init__(
        self, pattern: Pattern, layout: Layout, shapes: Iterable[Shape], stock: Stock
    ) -> None:
        super().__init__()
        self._layout = layout
        self._stock = stock
        self._wild = self._of_wild_cards(pattern, tuple(shapes))
        stock.share(self)

    def _of_wild_cards(self, pattern: Pattern, shapes: Sequence[Shape]) -> int:
        """The states that wild cards fill alone; those in distinct places are counted by suit."""
        states = 0
        for index, plan in enumerate(pattern.plans):
            most = [
                (
                    slots.count
                    if not slots.distinct
                    and any(_may_be_wild(group, shapes) for group in slots.groups)
                    else 0
                )
                for slots in plan
            ]
            for filled in product(*(range(count + 1) for count in most)):
                wilds = sum(
                    slots.length * count
                    for slots, count in zip(plan, filled, strict=True)
                )
                if wilds <= self._layout.wilds:
                    states |= self._layout.state(index, filled, wilds)
        return states

    def __missing__(self, key: tuple[int, ...]) -> int:
        states = self._wild
        for added in key:
            states = self._layout.add(states, added)
        self._stock.take()
        self[key] = states
        return states


@final
class Tables:
    """All tables for one number of wild cards.

    Attributes:
        layout: the states.
        goals: those of the layout.
        suits: for each suit the number of keys it has, by which a hand's key is taken apart, and its table; suits of
            one shape share one.
        joined: the table of sums.
    """

    def __init__(
        self,
        pattern: Pattern,
        shapes: Sequence[Shape],
        base: int,
        wilds: int,
        stock: Stock,
    ) -> None:
        self.layout = Layout(pattern, wilds)
        self.goals = self.layout.goals
        by_shape = {
            shape: SuitTable(pattern, self.layout, shape, base, stock)
            for shape in dict.fromkeys(shapes)
        }
        self.suits = tuple((by_shape[shape].span, by_shape[shape]) for shape in shapes)
        self.joined = JoinedTable(pattern, self.layout, by_shape, stock)


def _may_be_wild(group: Group, shapes: Sequence[Shape]) -> bool:
    """Whether a group may be all wild cards: that is allowed, and there is something for it to stand for."""
    allowed = group.wilds is None or group.wilds >= group.length
    return allowed and any(any(shape.stands(group)) for shape in shapes)
