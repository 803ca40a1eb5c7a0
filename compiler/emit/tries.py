"""The statements in which recognition asks the cardsets of one length, one after the other.

Goes in: the cardsets in the rule's order, and what is handed over to their build functions (see `passes.handover`). Comes
out: calls of these functions, each behind what must be so for it to find something, and, just before the first one that
wants them, the statements that find out what is handed over: sorts, answers of the table, verdicts on other cardsets. An
answer without which the cards are none of the cardsets comes first of all. A verdict that only one cardset wants, and only
where another one is yes, is asked for there, and again when its own turn comes: that both happen is rare.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from dealwright.compiler.emit.names import UNPACKED
from dealwright.compiler.emit.package import Package
from dealwright.compiler.emit.text import literal
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value
from dealwright.compiler.rule.model import Cardset


@final
class Tries:
    """The statements for some cardsets; `size` is the number of cards, if it is certain."""

    def __init__(
        self, package: Package, cardsets: tuple[Cardset, ...], size: int | None
    ) -> None:
        self._package = package
        self._names = package.names
        self._cardsets = cardsets
        self._size = size
        self._lines: list[str] = []
        self._at_hand: set[Value | str] = set()  # values, and verdicts by cardset
        self._is_unpacked = False
        # the others must be a cardset that so many cards cannot be
        self._tried = [
            one for one in cardsets if all(map(self._is_possible, self._needed(one.id)))
        ]
        self._verdicts = self._kept()
        self._common = self._without_exception()

    def statements(self) -> list[str]:
        """The lines, not indented; none if there are no cardsets."""
        for value in self._common:
            self._lines += [f"if not {self._answer(value)}:", "    return None"]
        for cardset in self._tried:
            self._try(cardset)
        return self._lines

    def _try(self, cardset: Cardset) -> None:
        if cardset.id in self._verdicts:
            self._decide(cardset.id)
            found = test = self._names.found(cardset.id)
        else:
            self._find_out(cardset.id)
            found, test = "found", self._if_possible(cardset.id)
        arguments = f"{literal(cardset.id)}, {literal(cardset.name)}, cards, {found}"
        self._lines += [f"if {test} is not None:", f"    return Played({arguments})"]

    def _without_exception(self) -> list[ir.Call]:
        """The answers of the table without which the cards are none of the cardsets, nor what these must be."""
        needed = [self._answers_for(one.id) for one in self._tried]
        first = needed[0] if needed else {}
        return [one for one in first if all(one in each for each in needed)]

    def _answers_for(self, cardset: str) -> dict[ir.Call, None]:
        """The answers that a cardset, or another one that the cards must be for it, cannot do without."""
        ids = [cardset, *(one.cardset for one in self._needed(cardset))]
        return {
            one: None
            for id in ids
            for one in self._package.facts.sure[id]
            if isinstance(one, ir.Call)
        }

    def _guards(self, cardset: str) -> list[str]:
        """The names of the answers that must be yes for a build function to be asked, those for all of them apart."""
        return [
            self._package.name(one)
            for one in self._package.facts.sure[cardset]
            if isinstance(one, ir.Call) and one not in self._common
        ]

    def _needed(self, cardset: str) -> list[ir.IsCardset]:
        """The other cardsets that the cards must be for one to accept them."""
        sure = self._package.facts.sure[cardset]
        return [one for one in sure if isinstance(one, ir.IsCardset)]

    def _kept(self) -> set[str]:
        """The cardsets whose verdict is found out for others and kept: all but those that one cardset alone needs second."""
        first: set[str] = set()
        behind: list[str] = []
        for one in self._tried:
            needed = self._needed(one.id)
            for value in self._package.facts.given[one.id]:
                if isinstance(value, ir.IsCardset) and self._is_possible(value):
                    if value in needed[1:]:
                        behind.append(value.cardset)
                    else:
                        first.add(value.cardset)
        return first | {one for one in behind if behind.count(one) > 1}

    def _is_possible(self, verdict: ir.IsCardset) -> bool:
        """Whether so many cards can be the cardset that a verdict is about."""
        return any(one.id == verdict.cardset for one in self._cardsets)

    def _decide(self, cardset: str) -> None:
        """Find out whether the cards are a cardset that others ask about, or what has to be known to ask there."""
        if cardset in self._at_hand:
            return
        self._find_out(cardset)
        if cardset in self._verdicts:
            self._at_hand.add(cardset)
            call, guards = self._called(cardset), self._guards(cardset)
            if guards:
                call += f" if {' and '.join(guards)} else None"
            self._lines.append(f"{self._names.found(cardset)} = {call}")

    def _find_out(self, cardset: str) -> None:
        """Find out everything that a build function takes and that is not at hand yet."""
        for value in self._package.facts.given[cardset]:
            if isinstance(value, ir.IsCardset):
                if self._is_possible(value):
                    self._decide(value.cardset)
            elif value not in self._at_hand and value not in self._common:
                self._at_hand.add(value)
                name = self._package.name(value)
                if isinstance(value, ir.SortedValues):
                    self._sort(value, name)
                else:
                    self._lines.append(f"{name} = {self._answer(value)}")

    def _if_possible(self, cardset: str) -> str:
        """The call of a build function, behind what must be so of the cards for it to accept them."""
        tests = [test for one in self._needed(cardset) for test in self._tests(one)]
        found = f"(found := {self._called(cardset)})"
        return " and ".join([*tests, *self._guards(cardset), found])

    def _tests(self, verdict: ir.IsCardset) -> list[str]:
        """What says that the cards are another cardset: what its build function has said, or else the call of it."""
        cardset = verdict.cardset
        if cardset in self._verdicts:
            return [f"{self._names.found(cardset)} is not None"]
        return [*self._guards(cardset), f"{self._called(cardset)} is not None"]

    def _called(self, cardset: str) -> str:
        """The call of a build function."""
        given = {
            name: self._argument(value, name)
            for value, name in self._package.given(cardset).items()
        }
        if self._package.reads.of(("build", cardset)).game:
            given["game"] = "game"
        arguments = ["cards"]
        # a bare truth would not tell the reader of what, so from the first one on they are given by name
        is_named = False
        for name, text in given.items():
            is_named |= text in ("True", "False")
            arguments.append(f"{name}={text}" if is_named else text)
        return f"{self._names.build(cardset)}({', '.join(arguments)})"

    def _argument(self, value: Value, name: str) -> str:
        if value in self._common:
            return "True"
        if isinstance(value, ir.IsCardset):
            if not self._is_possible(value):
                return "False"
            return f"{self._names.found(value.cardset)} is not None"
        return name

    def _answer(self, value: Value) -> str:
        """What a method of the table says of the cards."""
        assert isinstance(value, ir.Call), "nothing else is handed over"
        key = (value.owner, value.method)
        needs = self._package.reads.of(key)
        arguments = [*(["game"] * needs.game), *(["cards"] * needs.judged)]
        return f"game.table.{self._names.method(*key)}({', '.join(arguments)})"

    def _sort(self, value: ir.SortedValues, name: str) -> None:
        """Sort values of the cards; a few cards are unpacked, which takes less time than a loop."""
        attributes = [self._names.card_attribute(one) for one in value.names]
        letters = UNPACKED[: self._size or 0]
        if self._size is None or not 1 < self._size <= len(UNPACKED):
            rows = f"{_row('card', attributes)} for card in cards"
        else:
            rows = ", ".join(_row(letter, attributes) for letter in letters)
            if not self._is_unpacked:
                self._is_unpacked = True
                self._lines.append(f"{', '.join(letters)} = cards")
        down = "reverse=True" if value.is_descending else ""
        # in place: `sorted` would copy the list that was just made
        self._lines += [f"{name} = [{rows}]", f"{name}.sort({down})"]


def _row(card: str, attributes: Sequence[str]) -> str:
    members = [f"{card}.{one}" for one in attributes]
    return members[0] if len(members) == 1 else f"({', '.join(members)})"
