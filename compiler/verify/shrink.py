"""The smallest failing input: everything is left out that is not needed for a difference.

What is tried is strictly smaller than what is known to fail, the large cuts first, and any difference counts, so the
result is a short match of few cards. The number of tries and the time are bounded: a large rule still gets an answer.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from dealwright.compiler.verify.compare import (
    Differs,
    Found,
    Incomparable,
    Session,
    run,
)
from dealwright.compiler.verify.inputs import (
    Action,
    Arranged,
    Beats,
    Begin,
    Build,
    Cards,
    Input,
    Recognize,
    Start,
    Step,
)
from dealwright.compiler.verify.sides import Subject

ItemT = TypeVar("ItemT")

TRIES = 2_000
SECONDS = 10.0  # of processor time
LAST_STEPS = 3  # with which a match in the middle is tried


def smallest(subject: Subject, found: Found) -> Found:
    """The failing input made smaller until nothing more can be left out, or the bounds are met."""
    left, end = TRIES, time.process_time() + SECONDS
    while True:
        for candidate in _smaller(subject, found.input):
            left -= 1
            if not left or time.process_time() > end:
                return found
            again = run(subject, candidate)
            if again is not None:
                found = again
                break
        else:
            return found


def _smaller(subject: Subject, given: Input) -> Iterator[Input]:
    """Inputs with something left out: steps, then parts of the position, then cards of a step."""
    steps = given.steps
    for kept in _fewer(steps):
        yield Input(given.begin, kept)
    yield from _later(subject, given)
    for begin in _simpler(given.begin, subject.rule.players):
        yield Input(begin, steps)
    for place, step in enumerate(steps):
        for smaller in _smaller_step(step):
            yield Input(given.begin, (*steps[:place], smaller, *steps[place + 1 :]))


def _fewer(steps: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    """The last step alone; no questions but the last; then without a half, a quarter, … and every single step."""
    if len(steps) > 1:
        yield ()
        yield steps[-1:]
        acted = tuple(one for one in steps[:-1] if isinstance(one, Action))
        if len(acted) < len(steps) - 1:
            yield (*acted, steps[-1])
    size = len(steps)
    while size:
        for first in range(0, len(steps), size):
            yield steps[:first] + steps[first + size :]
        size //= 2


def _later(subject: Subject, given: Input) -> Iterator[Input]:
    """Only the last steps, in the position that the others have led to."""
    for number in range(1, min(len(given.steps), LAST_STEPS + 1)):
        try:
            session = Session(subject, given.begin)
            for step in given.steps[:-number]:
                session.do(step)
        except (Differs, Incomparable):
            continue
        position = _position_of(session, subject)
        if position is not None:
            yield Input(position, given.steps[-number:])


def _position_of(session: Session, subject: Subject) -> Arranged | None:
    """The match as a position to begin with, without what has been played and said; None if it is over."""
    state, rule = session.interpreted.state(), subject.rule
    if state["pending"] is None:
        return None
    cards = {}
    if subject.compiled.assigns_cards:
        for number, properties in enumerate(rule.deck, 1):
            changed = _changed(state["cards"][str(number)], properties, "id")
            if changed:
                cards[number] = changed
    return Arranged(
        hands=tuple(tuple(hand) for hand in state["hands"]),
        deck=tuple(state["deck"]),
        discard=tuple(state["discard"]),
        table=_changed(state["table"], rule.table_start),
        players=tuple(
            _changed(one, rule.player_start, "手牌数") for one in state["players"]
        ),
        cards=cards,
        wait=state["pending"]["node"],
        seed=state["rng"],
    )


def _changed(
    values: Mapping[str, int], start: Mapping[str, int], without: str = ""
) -> dict[str, int]:
    return {
        name: value
        for name, value in values.items()
        if value != start.get(name, 0) and name != without
    }


def _simpler(begin: Begin, players: int | None) -> Iterator[Begin]:
    if isinstance(begin, Start):
        if players is None and begin.seats > 1:
            yield replace(begin, seats=begin.seats - 1)
        for seed in range(min(begin.seed, 3)):
            yield replace(begin, seed=seed)
        return
    yield from _fewer_cards(begin)
    if begin.seed:
        yield replace(begin, seed=0)
    for table in _without_one(begin.table):
        yield replace(begin, table=table)
    for seat, values in enumerate(begin.players):
        for fewer in _without_one(values):
            yield replace(begin, players=_with(begin.players, seat, fewer))
    for number in begin.cards:
        rest = {one: begin.cards[one] for one in begin.cards if one != number}
        yield replace(begin, cards=rest)
        for fewer in _without_one(begin.cards[number]):
            yield replace(begin, cards={**begin.cards, number: fewer})
    if players is None and len(begin.hands) > 1:
        yield replace(
            begin,
            hands=begin.hands[:-1],
            players=begin.players[:-1],
            deck=begin.deck + begin.hands[-1],
        )


def _fewer_cards(begin: Arranged) -> Iterator[Begin]:
    """With the cards of a hand, or of the discard pile, in the deck: all of them, or each."""
    for seat, hand in enumerate(begin.hands):
        for kept, put in _split(hand):
            hands = _with(begin.hands, seat, kept)
            yield replace(begin, hands=hands, deck=begin.deck + put)
    for kept, put in _split(begin.discard):
        yield replace(begin, discard=kept, deck=begin.deck + put)
    if list(begin.deck) != sorted(begin.deck):
        yield replace(begin, deck=tuple(sorted(begin.deck)))


def _split(cards: Cards) -> Iterator[tuple[Cards, Cards]]:
    """The cards that stay and those that go: none stays; or all but one."""
    if len(cards) > 1:
        yield (), cards
    for place, card in enumerate(cards):
        yield cards[:place] + cards[place + 1 :], (card,)


def _without_one(values: Mapping[str, int]) -> Iterator[dict[str, int]]:
    if len(values) > 1:
        yield {}
    for name in values:
        yield {one: values[one] for one in values if one != name}


def _with(items: tuple[ItemT, ...], place: int, item: ItemT) -> tuple[ItemT, ...]:
    return (*items[:place], item, *items[place + 1 :])


def _smaller_step(step: Step) -> Iterator[Step]:
    """The step with one card less."""
    match step:
        case Action("play", seat, tuple(cards)) if len(cards) > 1:
            yield from (Action("play", seat, one) for one in _less(cards))
        case Build(cardset, cards):
            yield from (Build(cardset, one) for one in _less(cards))
        case Recognize(cards):
            yield from (Recognize(one) for one in _less(cards))
        case Beats(now, before):
            yield from (Beats(one, before) for one in _less(now))
            yield from (Beats(now, one) for one in _less(before))


def _less(cards: Cards) -> Iterator[Cards]:
    for place in range(len(cards)):
        yield cards[:place] + cards[place + 1 :]
