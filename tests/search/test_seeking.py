"""Cards of a form are found in any hand: by judgements written for the purpose, which mix orders and properties."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations, permutations
from operator import attrgetter
from typing import Any

import pytest

from dealwright.runtime.plays import grouped
from dealwright.runtime.search.forms import forms_of
from dealwright.runtime.search.seeking import Seeker, TooMany
from tests.search.test_standins import Card

Judge = Callable[[list[Any], Any], object]
SIZE = 3


def falling(cards: list[Any]) -> list[int]:
    return [card.rank for card in sorted(cards, key=attrgetter("rank"), reverse=True)]


def is_flush(cards: list[Any]) -> bool:
    return bool(cards[0].suit == cards[1].suit == cards[2].suit)


def falling_flush(cards: list[Any], _: Any) -> bool | None:
    """Sorted from the highest rank on, and all of one suit."""
    high, _, low = falling(cards)
    return True if is_flush(cards) and high > low else None


def falling_run(cards: list[Any], _: Any) -> bool | None:
    high, middle, low = falling(cards)
    return True if high == middle + 1 and middle == low + 1 else None


def pair_and_higher(cards: list[Any], _: Any) -> bool | None:
    """A pair of two suits, and a card that is higher by two at least."""
    low, middle, high = sorted(cards, key=attrgetter("rank", "suit"))
    is_pair = low.rank == middle.rank and low.suit + 1 == middle.suit
    return True if is_pair and high.rank - low.rank >= 2 else None


def by_suit(cards: list[Any], _: Any) -> bool | None:
    """Suits in a row, from the highest on, whatever the ranks."""
    suits = sorted([card.suit for card in cards], reverse=True)
    return True if suits[0] == suits[1] + 1 == suits[2] + 2 else None


def with_doubt(cards: list[Any], match: Any) -> bool | None:
    """Two of a rank at least; of others nobody knows."""
    ranks = sorted([card.rank for card in cards])
    if ranks[0] == ranks[1] or ranks[1] == ranks[2]:
        return True
    return True if match.table.anything and ranks[2] == ranks[0] + 2 else None


def rising_row(cards: list[Any], _: Any) -> bool | None:
    """The order of the cards matters."""
    one, two, three = cards
    return True if one.rank < two.rank < three.rank and one.suit == three.suit else None


JUDGES: dict[Judge, tuple[bool, bool]] = {
    # does the order not matter; is exactly what is found a play
    falling_flush: (True, False),
    falling_run: (True, True),
    pair_and_higher: (True, False),
    by_suit: (True, True),
    with_doubt: (True, False),
    rising_row: (False, True),
}


class Nothing:
    """A match of which all can be asked, and nothing is so."""

    table: Any

    def __getattr__(self, name: str) -> Any:
        return self if name == "table" else False


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("seed", range(6))
def test_everything_of_a_form_is_found(judge: Judge, seed: int) -> None:
    is_free, is_exact = JUDGES[judge]
    forms, _ = forms_of(judge, Card, SIZE, ["rank", "suit"], in_any_order=is_free)
    assert forms is not None and forms.forms
    rng = random.Random(seed)
    found = 0
    for _ in range(12):
        hand = [
            Card(number, rng.randint(1, 6), rng.randint(0, 3))
            for number in range(1, rng.randint(4, 9))
        ]
        groups = grouped(hand, ["rank", "suit"])
        candidates = Seeker(groups, 10**6).candidates(forms)
        assert len(candidates) == len({*candidates})
        wanted = plays(judge, groups, is_free)
        assert wanted <= {*candidates}
        assert not is_exact or {*candidates} == wanted
        if is_free:
            assert candidates == sorted(candidates)
        else:
            assert candidates == sorted(candidates, key=lambda row: (sorted(row), row))
        found += len(wanted)
    assert found


def plays(judge: Judge, groups: list[list[Card]], is_free: bool) -> set[Any]:
    """What is a play, by group; in the order of the cards where that matters."""
    cards = [(card, place) for place, group in enumerate(groups) for card in group]
    ways = combinations(cards, SIZE) if is_free else permutations(cards, SIZE)
    return {
        tuple(place for _, place in way)
        for way in ways
        if judge([card for card, _ in way], Nothing()) is not None
    }


@pytest.mark.parametrize("is_free", [True, False])
def test_cards_that_are_told_apart_by_nothing_have_no_forms(is_free: bool) -> None:
    assert forms_of(by_suit, Card, SIZE, [], in_any_order=is_free) == (None, 0)


def test_steps_are_shared_by_all_numbers_of_cards() -> None:
    forms, _ = forms_of(by_suit, Card, SIZE, ["rank", "suit"], in_any_order=True)
    assert forms is not None
    cards = [Card(number, number % 7, number % 5) for number in range(1, 60)]
    groups = grouped(cards, ["rank", "suit"])
    seeker = Seeker(groups, 200)
    with pytest.raises(TooMany):
        seeker.candidates(forms)
    few = Seeker(groups[:6], 400)
    first = few.candidates(forms)
    assert first
    # half of what is left is enough each time, until it is not
    with pytest.raises(TooMany):
        for _ in range(400):
            assert few.candidates(forms) == first
