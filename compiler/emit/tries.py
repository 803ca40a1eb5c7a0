"""The statements in which recognition asks the cardsets of one length, one after the other.

Goes in: the cardsets in the rule's order, and what is handed over to their build functions (see `passes.handover`). Comes
out: calls of these functions, each behind a test that it may find something, and, just before the first one that wants
them, the statements that find out what is handed over: sorts, answers of the table, verdicts on other cardsets. A verdict
that only one cardset wants, and only where another one is yes, is asked for there, and again when its own turn comes: that
both happen is rare.
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
        self._verdicts = self._kept()

    def statements(self) -> list[str]:
        """The lines, not indented; none if there are no cardsets."""
        for value in self._common():
            self._lines += [f"if not {self._answer(value)}:", "    return None"]
        for cardset in self._cardsets:
            self._try(cardset)
        return self._lines

    def _try(self, cardset: Cardset) -> None:
        if not all(map(self._is_possible, self._needed(cardset.id))):
            return
        if cardset.id in self._verdicts:
            self._decide(cardset.id)
            found = test = self._names.found(cardset.id)
        else:
            self._find_out(cardset.id)
            found, test = "found", self._if_possible(cardset.id)
        arguments = f"{literal(cardset.id)}, {literal(cardset.name)}, cards, {found}"
        self._lines += [f"if {test} is not None:", f"    return Played({arguments})"]

    def _common(self) -> dict[ir.Call, None]:
        """The answers of the table without which the cards are none of the cardsets."""
        return {
            value: None
            for one in self._cardsets
            for value in self._package.facts.sure[one.id]
            if isinstance(value, ir.Call)
        }

    def _needed(self, cardset: str) -> list[ir.IsCardset]:
        """The other cardsets that the cards must be for one to accept them."""
        sure = self._package.facts.sure[cardset]
        return [one for one in sure if isinstance(one, ir.IsCardset)]

    def _kept(self) -> set[str]:
        """The cardsets whose verdict is found out for others and kept: all but those that one cardset alone needs second."""
        first: set[str] = set()
        behind: list[str] = []
        for one in self._cardsets:
            needed = self._needed(one.id)
            if not all(map(self._is_possible, needed)):
                continue
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
            found = self._names.found(cardset)
            self._lines.append(f"{found} = {self._called(cardset)}")

    def _find_out(self, cardset: str) -> None:
        """Find out everything that a build function takes and that is not at hand yet."""
        for one in self._needed(cardset):
            self._decide(one.cardset)
        for value, name in self._package.given(cardset).items():
            if isinstance(value, ir.IsCardset):
                if self._is_possible(value):
                    self._decide(value.cardset)
            elif value not in self._at_hand:
                self._at_hand.add(value)
                if isinstance(value, ir.SortedValues):
                    self._sort(value, name)
                else:
                    self._lines.append(f"{name} = {self._answer(value)}")

    def _if_possible(self, cardset: str) -> str:
        """The call of a build function, behind the other cardsets that the cards must be for it to accept them."""
        needed = self._needed(cardset)
        tests = [f"{self._verdict(one.cardset)} is not None" for one in needed]
        return " and ".join([*tests, f"(found := {self._called(cardset)})"])

    def _verdict(self, cardset: str) -> str:
        """What a build function has said, or the call of it if that is not kept."""
        if cardset in self._verdicts:
            return self._names.found(cardset)
        return self._called(cardset)

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
            is_named |= text == "False"
            arguments.append(f"{name}={text}" if is_named else text)
        return f"{self._names.build(cardset)}({', '.join(arguments)})"

    def _argument(self, value: Value, name: str) -> str:
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
