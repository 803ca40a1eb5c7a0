"""Players and the table report what is assigned to them, however their class was made."""

from __future__ import annotations

from typing import Any

import pytest
import toy
from runtime_helpers import at_play
from toy.classes import Player, Table

from dealwright.runtime import PlayerBase, TableBase
from dealwright.runtime.errors import FlowStopped

HUGE = 10**4_010


class Wider(TableBase):
    """A table that keeps more than slots hold."""

    def __init__(self) -> None:
        super().__init__()
        self.note = "anything"


class Named(PlayerBase):
    """A player whose class takes options of its own."""

    __slots__ = ("score",)

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)


class Older(Named):
    """A class further down."""

    __slots__ = ("age",)


@pytest.mark.parametrize("thing", [Table(), Player(0), TableBase(), PlayerBase(1)])
def test_an_attribute_that_a_class_lacks_is_no_attribute(thing: Any) -> None:
    with pytest.raises(AttributeError, match="nothing_such"):
        thing.nothing_such = 1


def test_so_it_is_in_a_match() -> None:
    match = at_play([[1, 10], [4, 5]], [24])
    for thing in (match._game.table, match._game.players[0]):
        before = match.to_json()
        with pytest.raises(AttributeError, match="nothing_such"):
            thing.nothing_such = 1  # type: ignore[attr-defined]
        assert match.to_json() == before


def test_classes_of_other_makes_can_be_assigned_to() -> None:
    table = Wider()
    table.index = 3
    assert (table.note, table.index) == ("anything", 3)
    player = Older(2)
    player.score, player.age = 4, 5
    assert (player.seat, player.score, player.age) == (2, 4, 5)


@pytest.mark.parametrize("value", [HUGE, -HUGE])
def test_what_no_saved_match_could_hold_is_refused(value: int) -> None:
    game = toy.new_match([0, 1], seed=1)._game
    things: list[Any] = [game.table, game.players[1]]
    for thing, name in zip(things, ("index", "手牌数"), strict=True):
        for large in (10**9, 10**9 + 1, -(10**9) - 1, 10**3_000):
            setattr(thing, name, large)
            assert getattr(thing, name) == large
        with pytest.raises(FlowStopped):
            setattr(thing, name, value)
        assert getattr(thing, name) == 10**3_000
