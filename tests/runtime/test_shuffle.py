"""The shuffle against SplitMix64's published numbers and against a plain spelling of the decision."""

from __future__ import annotations

from collections import Counter

import pytest

from dealwright.runtime.shuffle import GAMMA, MIX_1, MIX_2, shuffle

TWO_64 = 2**64


class Reference:
    """Point 23 of the decisions, word by word."""

    def __init__(self, seed: int) -> None:
        self.state = seed % TWO_64

    def draw(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) % TWO_64
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % TWO_64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % TWO_64
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        while (z := self.draw()) >= TWO_64 - TWO_64 % n:
            pass
        return z % n

    def shuffled(self, items: list[int]) -> list[int]:
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


def test_the_reference_is_splitmix64() -> None:
    reference = Reference(0)
    assert [reference.draw() for _ in range(3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


def test_shuffle_follows_the_reference() -> None:
    for seed in (0, 1, 7, TWO_64 - 1, 123456789):
        for length in (0, 1, 2, 3, 52, 200):
            reference = Reference(seed)
            items = list(range(length))
            expected = reference.shuffled(items)
            assert shuffle(items, seed) == reference.state
            assert items == expected


def test_every_order_comes_up_about_as_often() -> None:
    seen: Counter[tuple[int, ...]] = Counter()
    state = 42
    for _ in range(6000):
        items = [0, 1, 2]
        state = shuffle(items, state)
        seen[tuple(items)] += 1
    assert len(seen) == 6
    assert all(850 < count < 1150 for count in seen.values())


def undone(mixed: int, shift: int) -> int:
    """The z of `mixed == z ^ z >> shift`."""
    z = mixed
    for _ in range(64 // shift):
        z = mixed ^ z >> shift
    return z


def state_before(drawn: int) -> int:
    """The state from which the next draw is `drawn`."""
    z = undone(drawn, 31)
    z = undone(z * pow(MIX_2, -1, TWO_64) % TWO_64, 27)
    z = undone(z * pow(MIX_1, -1, TWO_64) % TWO_64, 30)
    return (z - GAMMA) % TWO_64


@pytest.mark.parametrize("place", [0, 1, 7, 18])
@pytest.mark.parametrize("drawn", [TWO_64 - 1, TWO_64 - 2])
def test_a_draw_that_would_be_unfair_is_repeated(drawn: int, place: int) -> None:
    """`place` draws after the state, where one is made below 20 - `place`."""
    seed = (state_before(drawn) - place * GAMMA) % TWO_64
    reference = Reference(seed)
    for _ in range(place):
        reference.draw()
    assert reference.draw() == drawn
    reference = Reference(seed)
    items = list(range(20))
    expected = reference.shuffled(items)
    assert shuffle(items, seed) == reference.state
    assert items == expected
    is_fair = drawn < TWO_64 - TWO_64 % (20 - place)
    assert reference.state == (seed + (19 if is_fair else 20) * GAMMA) % TWO_64


def test_a_deck_of_the_largest_size() -> None:
    reference = Reference(3)
    items = list(range(10_000))
    expected = reference.shuffled(items)
    assert shuffle(items, 3) == reference.state
    assert items == expected
