"""What is known of differences between integers, held against all integers of a small range."""

from __future__ import annotations

import random
from itertools import product

import pytest

from dealwright.runtime.search.bounds import FAR, NEAR, Bounds, hull

NUMBERS = 3
RANGE = range(-3, 4)
ALL = frozenset(product(RANGE, repeat=NUMBERS))
PLACES = range(NUMBERS + 1)


def difference(values: tuple[int, ...], one: int, other: int) -> int:
    """The last place is that of 0."""
    row = (*values, 0)
    return row[one] - row[other]


def boxed() -> Bounds:
    """All numbers of the range."""
    bounds = Bounds.of(NUMBERS)
    for place in range(NUMBERS):
        least = bounds.at_most(NUMBERS, place, 3)
        assert least is not None
        most = least.at_most(place, NUMBERS, 3)
        assert most is not None
        bounds = most
    return bounds


def of_bounds(bounds: Bounds) -> frozenset[tuple[int, ...]]:
    """All numbers of the range that the bounds allow."""
    rows = bounds.rows
    return frozenset(
        values
        for values in ALL
        if all(
            difference(values, one, other) <= rows[one][other]
            for one, other in product(PLACES, repeat=2)
        )
    )


def check_tight(bounds: Bounds, values: frozenset[tuple[int, ...]]) -> None:
    """Every bound is reached by some of the numbers: there is no tighter one."""
    for one, other in product(PLACES, repeat=2):
        most = max(difference(each, one, other) for each in values)
        assert bounds.rows[one][other] == most


@pytest.mark.parametrize("seed", range(60))
def test_bounds_allow_what_was_said(seed: int) -> None:
    rng = random.Random(seed)
    bounds, values = boxed(), ALL
    for _ in range(8):
        one, other = rng.sample(PLACES, 2)
        number = rng.randint(-5, 5)
        kind = rng.choice(["at_most", "at_most", "exactly", "other_than"])
        if kind == "at_most":
            then = bounds.at_most(one, other, number)
            left = frozenset(v for v in values if difference(v, one, other) <= number)
        elif kind == "exactly":
            then = bounds.exactly(one, other, number)
            left = frozenset(v for v in values if difference(v, one, other) == number)
        else:
            then = bounds.other_than(one, other, number)
            left = frozenset(v for v in values if difference(v, one, other) != number)
            if then is not None and of_bounds(then) != left:
                # only an end can be taken away
                assert of_bounds(then) == values
                continue
        if not left:
            assert then is None
            break
        assert then is not None
        bounds, values = then, left
        assert of_bounds(bounds) == values
        check_tight(bounds, values)
        for first, second in product(PLACES, repeat=2):
            differences = {difference(v, first, second) for v in values}
            assert bounds.is_exact(first, second) == (len(differences) == 1)


def some_bounds(rng: random.Random) -> Bounds:
    while True:
        bounds: Bounds | None = boxed()
        for _ in range(rng.randint(0, 4)):
            one, other = rng.sample(PLACES, 2)
            if bounds is not None:
                bounds = bounds.at_most(one, other, rng.randint(-3, 5))
        if bounds is not None and of_bounds(bounds):
            return bounds


@pytest.mark.parametrize("seed", range(40))
def test_a_hull_is_the_tightest_around_all(seed: int) -> None:
    rng = random.Random(seed)
    some = [some_bounds(rng) for _ in range(rng.randint(1, 4))]
    whole = frozenset().union(*map(of_bounds, some))
    around = hull(some)
    assert whole <= of_bounds(around)
    check_tight(around, whole)
    for one in some:
        assert around.contains(one)
        assert one.contains(around) == (of_bounds(around) == of_bounds(one))


def test_sorted_numbers_rise_or_fall() -> None:
    for is_falling in (False, True):
        bounds = Bounds.sorted(NUMBERS, is_falling=is_falling)
        assert of_bounds(bounds) == {
            v for v in ALL if list(v) == sorted(v, reverse=is_falling)
        }
        assert not any(bounds.is_exact(one, one + 1) for one in range(NUMBERS))


def test_what_is_not_known_never_becomes_a_bound() -> None:
    """However much is added to it, or taken away."""
    bounds: Bounds | None = Bounds.of(30)
    for place in range(29):
        assert bounds is not None
        bounds = bounds.at_most(place, place + 1, -(1 << 40))
    assert bounds is not None
    assert bounds.rows[0][29] == -29 * (1 << 40)
    assert bounds.rows[29][0] >= NEAR and bounds.rows[30][0] >= NEAR
    assert bounds.rows[29][0] <= FAR
    assert not bounds.is_exact(0, 29)
