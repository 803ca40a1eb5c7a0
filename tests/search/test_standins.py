"""Functions run on stand-ins: every way that real cards can take through them is found, and nothing is taken for real."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from operator import attrgetter
from typing import Any

import pytest

from dealwright.runtime import CardBase, Play
from dealwright.runtime.search import exploring
from dealwright.runtime.search.bounds import MOST, Bounds
from dealwright.runtime.search.exploring import Exploration, Stuck
from dealwright.runtime.search.standins import (
    UnknownMatch,
    cards_like,
    properties_of,
)
from dealwright.runtime.values import at, integer, size, truth

RANKS = range(1, 5)


class Card(CardBase):
    """A card of the tests."""

    __slots__ = ("id", "rank", "suit")

    def __init__(self, id: int, rank: int, suit: int = 0) -> None:
        self.id = id
        self.rank = rank
        self.suit = suit

    def number(self) -> int:
        return self.rank


Function = Callable[[list[Any], Any], object]


def runs(function: Function, number: int) -> list[tuple[object, Bounds]]:
    """What the function answers for so many cards of which only ranks are known, and what is known of the ranks then."""
    exploration = Exploration({"rank": Bounds.of(number)})
    cards = cards_like(Card, exploration, number, ["rank"])
    match = UnknownMatch(exploration)

    def outcome() -> object:
        result = function(list(cards), match)
        return result if type(result) in (int, list) else bool(result)

    return [(result, exploration.known["rank"]) for result in exploration.runs(outcome)]


def allows(bounds: Bounds, ranks: tuple[int, ...]) -> bool:
    row = (*ranks, 0)
    places = range(len(row))
    return all(
        row[one] - row[other] <= bounds.rows[one][other]
        for one, other in product(places, repeat=2)
    )


def in_line(cards: list[Any], _: Any) -> object:
    ranks = sorted([card.rank for card in cards])
    return ranks[2] - ranks[1] == 1 and ranks[1] == ranks[0] + 1


def alike(cards: list[Any], _: Any) -> object:
    return cards[0].rank == cards[1].rank == cards[2].rank


def with_a_joker(cards: list[Any], _: Any) -> int:
    by_rank = sorted(cards, key=attrgetter("rank"), reverse=True)
    if by_rank[0].rank >= 4:
        return 2 if by_rank[1].rank != by_rank[2].rank else 3
    return int(max(card.rank for card in cards) in (1, 3))


def outside(cards: list[Any], _: Any) -> bool:
    return not 2 <= cards[0].rank < 4 and -cards[1].rank > -3 and bool(cards[2].rank)


def of_differences(cards: list[Any], _: Any) -> object:
    gap = cards[0].rank - cards[1].rank
    return gap - 1 == cards[2].rank - cards[1].rank or gap + cards[1].rank <= 1


def by_the_card(cards: list[Any], _: Any) -> bool:
    return bool([card for card in cards if card and card.number() > 3])


def uses_answers(cards: list[Any], _: Any) -> object:
    is_high = cards[0].rank > 2
    return is_high == (cards[1].rank > 2) and is_high != False  # noqa: E712


FUNCTIONS = (
    in_line,
    alike,
    with_a_joker,
    outside,
    of_differences,
    by_the_card,
    uses_answers,
)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_way_is_found_and_answers_as_real_cards_do(function: Function) -> None:
    found = runs(function, 3)
    assert 1 < len(found) < 200
    assert Stuck not in [result for result, _ in found]
    for ranks in product(RANKS, repeat=3):
        cards = [Card(place + 1, rank) for place, rank in enumerate(ranks)]
        told = {result for result, bounds in found if allows(bounds, ranks)}
        # bounds leave out that two are not equal, so more than one way may allow the ranks: one is right
        assert function(cards, None) in told


def test_what_is_known_of_the_ways_to_a_play_is_no_wider_than_need_be() -> None:
    """Where all questions but those that are answered with no are about equal differences, nothing is lost."""
    accepting = [bounds for result, bounds in runs(alike, 3) if result]
    for ranks in product(RANKS, repeat=3):
        cards = [Card(place + 1, rank) for place, rank in enumerate(ranks)]
        is_allowed = any(allows(bounds, ranks) for bounds in accepting)
        assert is_allowed == alike(cards, None)


def test_what_is_known_before_is_not_asked() -> None:
    """Sorted cards are sorted without a question."""
    exploration = Exploration({"rank": Bounds.sorted(6, is_falling=False)})
    cards = cards_like(Card, exploration, 6, ["rank"])
    (result,) = exploration.runs(lambda: sorted(cards, key=attrgetter("rank")))
    assert isinstance(result, list)
    assert [id(card) for card in result] == [id(card) for card in cards]


@pytest.mark.parametrize(
    "function",
    [
        lambda cards, match: isinstance(cards[0].rank, int),
        lambda cards, match: isinstance(cards[0].rank == 1, bool),
        lambda cards, match: isinstance(match.table, Play | CardBase),
        lambda cards, match: [1, 2, 3][cards[0].rank],
        lambda cards, match: len({cards[0].rank, 1}),
        lambda cards, match: {1: 2}[cards[0].rank],
        lambda cards, match: range(cards[0].rank),
        lambda cards, match: [*match.hands[0]],
        lambda cards, match: match.table in {1},
        lambda cards, match: len(match.deck),
        lambda cards, match: integer(cards[0].rank),
        lambda cards, match: size(match.previous),
        lambda cards, match: truth(match.table),
        lambda cards, match: at(match.deck, 0, None),
        lambda cards, match: int(cards[0].rank),
        lambda cards, match: setattr(cards[0], "rank", 1),
        lambda cards, match: 1 // 0,
    ],
)
def test_what_cannot_be_answered_ends_the_run(function: Function) -> None:
    """Not with an answer that would be another for real cards: whatever is known then may be a play."""
    assert [result for result, _ in runs(function, 2)] == [Stuck]


@pytest.mark.parametrize(
    "question",
    [
        lambda cards, match: match.table.opened != 0,
        lambda cards, match: match.table.is_trump(match, cards[0]),
        lambda cards, match: (
            match.players[0].seat if False else match.table.total + 1 > 2
        ),
        lambda cards, match: cards[0].suit == cards[1].suit,
        lambda cards, match: cards[0].id < 3,
        lambda cards, match: cards[0].rank * 4 > 3,
        lambda cards, match: cards[0].rank + cards[1].rank == 3,
        lambda cards, match: cards[0].rank == match.table.trump,
        lambda cards, match: match.table.trump == cards[0].rank,
        lambda cards, match: cards[0].rank + MOST > 3,
    ],
)
def test_what_is_not_known_can_be_either_and_says_nothing(question: Function) -> None:
    found = runs(question, 2)
    assert [result for result, _ in found] == [True, False]
    assert all(bounds.rows == Bounds.of(2).rows for _, bounds in found)


def test_a_function_that_goes_round_is_left() -> None:
    def round_and_round(cards: list[Any], match: Any) -> bool:
        while match.table.is_on:
            match.tick()
        return False

    def counting(cards: list[Any], match: Any) -> bool:
        place = 0
        while -cards[0].rank <= -place:
            match.tick()
            place += 1
        return False

    for function in (round_and_round, counting):
        exploration = Exploration({"rank": Bounds.of(2)})
        cards = cards_like(Card, exploration, 2, ["rank"])
        match = UnknownMatch(exploration)
        first = next(exploration.runs(lambda: function(cards, match)))  # noqa: B023
        assert first is Stuck
        assert exploration.work == exploring.MOST_WORK_OF_RUN + 1


def test_what_a_match_is_told_to_evaluate_is_evaluated() -> None:
    def of_each(cards: list[Any], match: Any) -> bool:
        kept = match.as_player(
            match.current_player,
            lambda: match.as_card(cards[0], lambda: cards[0].rank > 2),
        )
        return bool(kept)

    def counted(cards: list[Any], match: Any) -> bool:
        return all(card.rank > 2 for card in match.counted(cards))

    assert sorted(result is True for result, _ in runs(of_each, 1)) == [False, True]
    assert sorted(result is True for result, _ in runs(counted, 2)) == [
        False,
        False,
        True,
    ]
    assert [
        bounds.rows[2][0] <= -3 for result, bounds in runs(counted, 2) if result
    ] == [True]


def test_work_that_a_flow_counts_is_counted() -> None:
    def heavy(cards: list[Any], match: Any) -> bool:
        for _ in range(100):
            match.tick(1000)
        return True

    exploration = Exploration({"rank": Bounds.of(1)})
    match = UnknownMatch(exploration)
    assert [*exploration.runs(lambda: heavy([], match))] == [Stuck]
    assert (
        exploring.MOST_WORK_OF_RUN
        < exploration.work
        < exploring.MOST_WORK_OF_RUN + 2000
    )


def test_properties_of_a_class() -> None:
    assert properties_of(Card) == ["id", "rank", "suit"]
