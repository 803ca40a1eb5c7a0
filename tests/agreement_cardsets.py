"""Cardsets by themselves: recognition, every build flow, and beating, value for value on both sides."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

from dealwright.compiler.interpreter import interpret
from dealwright.compiler.representation.handed import AllHanded, ask, takes_game
from tests.agreement_sides import (
    Answer,
    Json,
    agree,
    compiled_answer,
    interpreted_answer,
    play_json,
)

# a play on either side
Plays = tuple[dict[str, Json], Any]


@dataclass(frozen=True, slots=True)
class Subject:
    """One rule, twice: the imported package and the interpreter's reading.

    `order` holds the ids of the cardsets in the order in which they are tried.
    """

    name: str
    document: Json
    package: ModuleType
    rule: interpret.Rule
    order: tuple[str, ...]
    handed: AllHanded


@dataclass(slots=True)
class Tally:
    """What a comparison went through."""

    matches: int = 0
    settled: int = 0
    unstarted: int = 0
    endless: int = 0
    actions: int = 0
    refused: int = 0
    judged: int = 0
    recognised: int = 0
    beaten: int = 0
    restored: int = 0
    arranged: int = 0

    def add(self, other: Tally) -> None:
        """Adds up."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


def cardset_order(cardsets: Mapping[str, Json]) -> tuple[str, ...]:
    """The ids of the cardsets as the contract's section 6 tries them: numeric ones by number, then the others."""
    numeric = [id for id in cardsets if id.isascii() and id.isdigit()]
    return (*sorted(numeric, key=int), *(id for id in cardsets if id not in numeric))


@dataclass(frozen=True, slots=True)
class Judges:
    """Both sides' judgement of cards, in a match or, where that needs none, without one."""

    subject: Subject
    interpreted: interpret.Match | None
    compiled: Any
    tally: Tally

    def compare(self, choose: random.Random, subsets: int) -> None:
        """Compares everything on random cards in several orders.

        Not once a match is over: who is the current player then is nobody's business.
        """
        if self.interpreted is not None and self.interpreted.finished:
            return
        by_number = self._cards()
        found: dict[str, Plays] = {}
        for numbers in sorted(_hands(sorted(by_number), choose, subsets), key=len):
            cards = [by_number[number] for number in numbers]
            self._compare_builds(numbers, cards)
            play = self._recognised(numbers, cards)
            if play is not None:
                found[repr((play[0]["id"], numbers))] = play
        plays = list(found.values())
        self._compare_plays(choose.sample(plays, min(6, len(plays))))

    def _cards(self) -> dict[int, Any]:
        """The live cards of the match by number, or fresh ones."""
        live = list(self.subject.package.PACKAGE.cards)
        if self.compiled is not None:
            live = [*self.compiled.deck, *self.compiled.discard]
            live += [card for hand in self.compiled.hands for card in hand]
        return {card.id: card for card in live}

    def _compare_builds(self, numbers: list[int], cards: list[Any]) -> None:
        for id, build in zip(self.subject.order, self._builds(), strict=True):
            if build is None:
                continue
            where = f"the build flow of cardset {id!r} on the cards {numbers}"
            rule = self.subject.rule
            mine = interpreted_answer(
                interpret.build, rule, id, numbers, self.interpreted
            )
            agree(where, mine, compiled_answer(build, cards))
            self.tally.judged += 1

    def _builds(self) -> Iterator[Callable[[list[Any]], Any] | None]:
        """The build functions in the order of their module; None for one that needs a match where there is none.

        Pieces of a build flow, `build_X_at_NODE`, follow the function `build_X` that they belong to and are left out.
        """
        known: set[str] = set()
        for name, function in vars(self.subject.package.cardsets).items():
            if not name.startswith("build_") or not callable(function):
                continue
            if any(name.startswith(f"{whole}_at_") for whole in known):
                continue
            known.add(name)
            yield self._with_game(function)

    def _with_game(
        self, function: Callable[..., Any]
    ) -> Callable[[list[Any]], Any] | None:
        handed = self.subject.handed
        if not takes_game(function, handed):
            return partial(ask, function, handed)
        if self.compiled is None:
            return None
        game = self.compiled.game_for(self.subject.package.PACKAGE)
        return lambda cards: ask(function, handed, cards, game)

    def _recognised(self, numbers: list[int], cards: list[Any]) -> Plays | None:
        """What both sides take the cards for."""
        package = self.subject.package.PACKAGE
        yours = compiled_answer(package.recognize, cards, self.compiled)
        if self._needs_match(yours):
            return None
        rule = self.subject.rule
        mine = interpreted_answer(interpret.recognize, rule, numbers, self.interpreted)
        shown = yours
        if yours[0] == "ok" and yours[1] is not None:
            shown = ("ok", play_json(yours[1]))
        answer = agree(f"what the cards {numbers} are recognised as", mine, shown)
        if answer[0] == "refused" or answer[1] is None:
            return None
        self.tally.recognised += 1
        return mine[1], yours[1]

    def _needs_match(self, answer: Answer) -> bool:
        is_refused = answer[0] == "refused" and answer[1][0] == "needs_match"
        return self.compiled is None and is_refused

    def _compare_plays(self, plays: Sequence[Plays]) -> None:
        package = self.subject.package.PACKAGE
        for now, compiled_now in plays:
            for before, compiled_before in plays:
                yours = compiled_answer(
                    package.beats, compiled_now, compiled_before, self.compiled
                )
                if self._needs_match(yours):
                    return
                mine = interpreted_answer(
                    interpret.beats, self.subject.rule, now, before, self.interpreted
                )
                agree(f"does {now} beat {before}", mine, yours)
                self.tally.beaten += 1


def _hands(
    numbers: list[int], choose: random.Random, subsets: int
) -> Iterator[list[int]]:
    """No card, and random cards twice each, in different orders."""
    yield []
    for _ in range(subsets):
        size = min(len(numbers), choose.choice((1, 1, 2, 2, 3, 4, 6)))
        hand = choose.sample(numbers, size)
        yield hand
        yield choose.sample(hand, size)
