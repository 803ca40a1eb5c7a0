"""What cards must be like to be a play: forms, made from all the ways in which judging can come to one.

Ways that demand the same exact differences (of ranks, say: none between the first three cards, one to the next) are one
form, in which everything else is as wide as in the widest of them; so are then those that demand the same of the property of
which most is known, by which cards are sought; forms that are part of another are left out. So a few forms remain of
hundreds of ways, which mostly differ in why the cards are no other cardset.

Where the order of the cards does not matter to judging, they are taken to be sorted by one of their properties: then most
of what a flow asks after it has sorted them is known before. The property is the one with which the exploration ends
first: all are tried, rising and falling, in turn, and every other run is one for that which has the fewest ways left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import inf
from typing import Any, Final, NamedTuple, TypeAlias, final

from dealwright.runtime.objects import CardBase
from dealwright.runtime.search.bounds import NEAR, Bounds, hull
from dealwright.runtime.search.exploring import Exploration, Known, Stuck
from dealwright.runtime.search.standins import UnknownMatch, cards_like

Judge: TypeAlias = Callable[[list[Any], Any], object]
"""Cards and match -> None if the cards are no play."""
Ways: TypeAlias = list[Known]

MOST_PLACES: Final = 32
"""Cards of a form: more are in no play of a known game, and what is known of so many takes long to keep."""
MOST_FORMS: Final = 300
"""Forms of one number of cards, before those are left out that are part of others: that takes the square of their number."""
MOST_WORK: Final = 100_000
"""Work of all explorations for one number of cards: a few tenths of a second. Only the last round may go beyond it."""


class Order(NamedTuple):
    """Cards sorted by a property; alike in it, by their place in the hand."""

    name: str
    is_falling: bool


@final
@dataclass(frozen=True, slots=True)
class Chain:
    """Places whose cards have values of one property at known distances.

    Attributes:
        kind: property and steps, spelled out: what tells whether a hand has such cards.
        first: the place that the distances are counted from.
        steps: distance -> how many of the cards have it.
        fewest: the least of these numbers; it is asked for every hand.
        distances: place -> its distance.
        least, most: of the value at `first`, infinite where there is no such bound.
        above, below: earlier chain by number -> how much more the value at `first` is than the one there, at least and at
            most, where there is such a bound.
    """

    kind: str
    first: int
    steps: tuple[tuple[int, int], ...]
    fewest: int
    distances: tuple[tuple[int, int], ...]
    least: float
    most: float
    above: tuple[tuple[int, int], ...]
    below: tuple[tuple[int, int], ...]


@final
@dataclass(frozen=True, slots=True)
class Condition:
    """What must be so of a card at a place, as soon as it is chosen: a property against that of a card before it.

    Attributes:
        name: the property.
        other: the place of the card before; None for 0.
        least, most: of the difference; infinite where there is no such bound.
    """

    name: str
    other: int | None
    least: float
    most: float


@final
@dataclass(frozen=True, slots=True)
class Form:
    """What cards must be like, place by place.

    Attributes:
        name: the property of which most is known.
        chains: of that property, the longest first; each place is in one.
        conditions: by place, of the other properties.
        is_unconditional: whether there are none; it is asked for every hand.
    """

    name: str
    chains: tuple[Chain, ...]
    conditions: tuple[tuple[Condition, ...], ...]
    is_unconditional: bool


@final
@dataclass(frozen=True, slots=True)
class Forms:
    """All forms that so many cards can have and be a play.

    Attributes:
        order: what the places of the forms are sorted by; None if the cards come in the order of the reply.
        by_longest: the forms by the kind of their longest chain, so that one look is enough for all that share it.
    """

    order: Order | None
    by_longest: tuple[tuple[Form, ...], ...]

    @property
    def forms(self) -> tuple[Form, ...]:
        """All of them."""
        return tuple(chain.from_iterable(self.by_longest))


class Found(NamedTuple):
    """Forms, if they are a help, and the work that it took to find out."""

    forms: Forms | None
    work: int


def forms_of(
    judge: Judge,
    kind: type[CardBase],
    size: int,
    names: Sequence[str],
    *,
    in_any_order: bool,
    most_work: int = MOST_WORK,
) -> Found:
    """The forms of so many cards that are a play.

    Args:
        judge: what the rule says of cards; it must change nothing.
        kind: the rule's class of cards.
        names: the properties in which cards are told apart.
        in_any_order: whether the order of the cards never matters to `judge`.
        most_work: what may be spent.

    Returns:
        No forms if they would be no help: because there are too many ways to judge, or forms, because nothing needs to be so
        of the cards or nothing tells them apart, or because the class is compiled.

    Raises:
        RecursionError: the stack is full.
    """
    if not names:
        return Found(None, 0)
    orders: list[Order | None] = [None]
    if in_any_order:
        orders = [Order(name, falls) for falls in (False, True) for name in names]
    try:
        attempts = [Attempt(judge, kind, size, names, order) for order in orders]
    except Stuck:
        return Found(None, 0)
    while _work(attempts) < most_work:
        for each in attempts:
            # what has few ways left is near its end: every other run is one of these
            nearest = min(attempts, key=lambda attempt: attempt.ways_left)
            for attempt in (each, nearest):
                if attempt.is_over():
                    return Found(_forms(attempt), _work(attempts))
    return Found(None, _work(attempts))


def _work(attempts: Iterable[Attempt]) -> int:
    return sum(attempt.work for attempt in attempts)


def _forms(attempt: Attempt) -> Forms | None:
    """The forms that a whole exploration has found; None if there are too many, or one of them is that of any cards."""
    order = attempt.order
    ways = _merged(attempt.ways, _all_exact)
    if len(ways) > MOST_FORMS or any(_contains(way, attempt.start) for way in ways):
        return None
    alike: dict[str, list[Form]] = {}
    for way in _widest(_merged(ways, lambda way: _leading_exact(way, order))):
        form = _form(way, order)
        alike.setdefault(form.chains[0].kind, []).append(form)
    return Forms(order, tuple(map(tuple, alike.values())))


@final
class Attempt:
    """An exploration of what is said of cards in one order.

    Attributes:
        order: the order.
        start: what is known of the cards because of it.
        ways: what is known of the cards in each run that found a play, or got stuck.
    """

    def __init__(
        self,
        judge: Judge,
        kind: type[CardBase],
        size: int,
        names: Sequence[str],
        order: Order | None,
    ) -> None:
        """Begin one.

        Raises:
            Stuck: the class of cards is compiled.
        """
        nothing = Bounds.of(size)
        known = dict.fromkeys(names, nothing)
        if order is not None:
            known[order.name] = Bounds.sorted(size, is_falling=order.is_falling)
        self.order = order
        self.start: Known = known
        self.ways: Ways = []
        self._exploration = Exploration(known)
        cards = cards_like(kind, self._exploration, size, names)
        match = UnknownMatch(self._exploration)
        self._runs = self._exploration.runs(lambda: judge(list(cards), match))

    @property
    def work(self) -> int:
        """What it has taken up to now."""
        return self._exploration.work

    @property
    def ways_left(self) -> int:
        """How many answers are known to be possible that have not been tried."""
        return self._exploration.ways_left

    def is_over(self) -> bool:
        """Make one run more; True if there was none."""
        for result in self._runs:
            if result is not None:
                self.ways.append(self._exploration.known)
            return False
        return True


def _merged(ways: Iterable[Known], demanded: Callable[[Known], object]) -> list[Known]:
    """Those that demand the same as one."""
    alike: dict[object, Ways] = {}
    for way in ways:
        alike.setdefault(demanded(way), []).append(way)
    return [
        {name: hull(way[name] for way in some) for name in some[0]}
        for some in alike.values()
    ]


def _all_exact(way: Known) -> object:
    """The exact differences of all properties."""
    return tuple(_exact(bounds) for bounds in way.values())


def _leading_exact(way: Known, order: Order | None) -> object:
    """Those of the property of which most is known; of all, if there are none of it, since little would be left then."""
    name = _leading(way, order)
    return (name, found) if (found := _exact(way[name])) else _all_exact(way)


def _leading(way: Known, order: Order | None) -> str:
    """The property of which most is known."""
    chains = {name: len(_together(bounds)) for name, bounds in way.items()}
    return min(chains, key=lambda name: (chains[name], not _is_by(order, name)))


def _widest(ways: Sequence[Known]) -> list[Known]:
    """Those that no other one contains."""
    kept: Ways = []
    for place, way in enumerate(ways):
        others = [*kept, *ways[place + 1 :]]
        if not any(_contains(other, way) for other in others):
            kept.append(way)
    return kept


def _exact(bounds: Bounds) -> tuple[tuple[int, int, int], ...]:
    size = len(bounds.rows) - 1
    return tuple(
        (one, other, bounds.rows[one][other])
        for one in range(size)
        for other in range(one)
        if bounds.is_exact(one, other)
    )


def _contains(wide: Known, way: Known) -> bool:
    return all(wide[name].contains(bounds) for name, bounds in way.items())


def _form(way: Known, order: Order | None) -> Form:
    """What is known of the cards, in the order in which cards are sought."""
    name = _leading(way, order)
    together = sorted(_together(way[name]), key=lambda some: (-len(some), some))
    size = sum(map(len, together))
    conditions = [
        tuple(
            _conditions(
                place, {other: way[other] for other in way if other != name}, order
            )
        )
        for place in range(size)
    ]
    chains = tuple(_chains(name, together, way[name]))
    return Form(name, chains, tuple(conditions), not any(conditions))


def _is_by(order: Order | None, name: str) -> bool:
    return order is not None and order.name == name


def _together(bounds: Bounds) -> list[list[int]]:
    """The places, those whose differences are known together."""
    found: list[list[int]] = []
    for place in range(len(bounds.rows) - 1):
        for some in found:
            if bounds.is_exact(some[0], place):
                some.append(place)
                break
        else:
            found.append([place])
    return found


def _chains(
    name: str, together: Sequence[Sequence[int]], bounds: Bounds
) -> Iterator[Chain]:
    rows = bounds.rows
    origin = len(rows) - 1
    for number, some in enumerate(together):
        first = some[0]
        distances = tuple((place, rows[place][first]) for place in some)
        befores = [(each, other[0]) for each, other in enumerate(together[:number])]
        steps = tuple(sorted(Counter(distance for _, distance in distances).items()))
        yield Chain(
            f"{name} {steps}",
            first,
            steps,
            min(count for _, count in steps),
            distances,
            *bounds.range_of(first, origin),
            tuple(
                (earlier, -rows[start][first])
                for earlier, start in befores
                if rows[start][first] < NEAR
            ),
            tuple(
                (earlier, rows[first][start])
                for earlier, start in befores
                if rows[first][start] < NEAR
            ),
        )


def _conditions(
    place: int, others: Mapping[str, Bounds], order: Order | None
) -> Iterator[Condition]:
    """What is known of a place against those before it, but for what the order says anyway."""
    for name, bounds in others.items():
        origin = len(bounds.rows) - 1
        for other in (origin, *range(place)):
            least, most = bounds.range_of(place, other)
            if order is not None and name == order.name and other != origin:
                if order.is_falling and most >= 0:
                    most = inf
                elif not order.is_falling and least <= 0:
                    least = -inf
            if least > -inf or most < inf:
                yield Condition(name, None if other == origin else other, least, most)
