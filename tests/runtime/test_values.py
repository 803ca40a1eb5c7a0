"""The coercion table of the contract, section 4, and the arithmetic of component 10."""

from __future__ import annotations

import pytest
import toy.classes
from hypothesis import given
from hypothesis import strategies as st
from runtime_helpers import BareCard
from toy.classes import NO_CARD, NO_PLAYER, Card, Played, Player, Table

from dealwright.runtime import (
    TableBase,
    Value,
    at,
    divide,
    integer,
    modulo,
    size,
    truth,
)

CARD = Card(5, 8, 2, 0)
PLAY = Played("2", "Pair", [CARD, CARD], {"权重": 10})
NOTHING_PLAYED = Played("2", "Pair", [], {})

TABLE: list[tuple[Value, bool, int, int]] = [
    (0, False, 0, 0),
    (-3, True, -3, 0),
    (10**40, True, 10**40, 0),
    (True, True, 1, 0),
    (False, False, 0, 0),
    (None, False, 0, 0),
    ([7, 8], True, 7, 0),
    ([0], True, 0, 0),
    ([CARD, CARD, CARD], True, 3, 3),
    ([Player(0), Player(1)], True, 2, 2),
    ([], False, 0, 0),
    (PLAY, True, 2, 2),
    (NOTHING_PLAYED, False, 0, 0),
    (CARD, True, 8, 0),
    (BareCard(4), True, 0, 0),
    (NO_CARD, False, 0, 0),
    (Player(3), True, 3, 0),
    (Player(0), True, 0, 0),
    (NO_PLAYER, False, 0, 0),
    (Table(), True, 0, 0),
    (TableBase(), True, 0, 0),
]


@pytest.mark.parametrize(("value", "is_true", "number", "count"), TABLE)
def test_coercions(value: Value, is_true: bool, number: int, count: int) -> None:
    assert truth(value) is is_true
    assert integer(value) == number
    assert type(integer(value)) is int
    assert size(value) == count


def test_element() -> None:
    assert at([4, 5, 6], 1, 0) == 5
    assert at([4, 5, 6], -9, 0) == 4
    assert at([4, 5, 6], 3, 0) == 0
    assert at([4, 5, 6], 10**30, 0) == 0
    assert at([], 0, NO_CARD) is NO_CARD
    assert at([], -1, NO_CARD) is NO_CARD


def test_division_truncates_toward_zero() -> None:
    assert (divide(-7, 2), modulo(-7, 2)) == (-3, -1)
    assert (divide(7, -2), modulo(7, -2)) == (-3, 1)
    assert (divide(-7, -2), modulo(-7, -2)) == (3, -1)
    assert (divide(5, 0), modulo(5, 0)) == (0, 0)


@given(st.integers(), st.integers().filter(bool))
def test_division_is_exact_for_integers_of_any_size(left: int, right: int) -> None:
    assert divide(left, right) * right + modulo(left, right) == left
    assert abs(modulo(left, right)) < abs(right)
    assert modulo(left, right) == 0 or (modulo(left, right) < 0) == (left < 0)


def test_the_none_of_a_kind_ignores_assignments() -> None:
    toy.classes.NO_PLAYER.score += 5
    toy.classes.NO_PLAYER.手牌数 = 3
    toy.classes.NO_CARD.记号 = 9
    assert toy.classes.NO_PLAYER.values() == {"手牌数": 0, "score": 0}
    assert toy.classes.NO_CARD.values() == {"点数": 0, "花色": 0, "记号": 0}
    assert (toy.classes.NO_CARD.id, toy.classes.NO_PLAYER.seat) == (0, -1)
