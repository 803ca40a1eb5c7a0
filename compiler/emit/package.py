"""What all functions of a package share: the lowered program, what the passes found out about it, and names.

One `Package` serves one build. It also collects which readers of mixed values the functions ask for, so that the classes
get these and no others.
"""

from __future__ import annotations

from typing import Final, final

from dealwright.compiler.emit.names import Names
from dealwright.compiler.emit.naming import digest, sanitized
from dealwright.compiler.passes.facts import Facts
from dealwright.compiler.passes.share import expanded_sizes
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.handed import (
    Handed,
    HandedAnswer,
    HandedValues,
    HandedVerdict,
)
from dealwright.compiler.representation.ir import Value
from dealwright.compiler.rule.objects import deck_axes

LARGEST: Final = 40
"""Nodes of a quantifier's component, written out, that stand in the expression itself."""


@final
class Package:
    """What all functions of a package share: the program, what is known of it, and names."""

    def __init__(self, facts: Facts, names: Names) -> None:
        self.facts = facts
        self.program = facts.program
        self.names = names
        self.reads = facts.reads
        self.costs = facts.costs
        self.widths = facts.widths
        self._given = facts.given
        self._value_names = names.handed(
            [one for values in facts.given.values() for one in values]
        )
        assigned = facts.program.assigned["card"]
        self.never_below_0 = frozenset(
            name
            for name, values in deck_axes(facts.program.rule)
            if min(values) >= 0 and name not in assigned
        )
        self.readers: dict[tuple[str, bool], None] = {}
        self.sizes: dict[Value, int] = {}

    def given(self, cardset: str) -> dict[Value, str]:
        """What a build function takes besides the cards and the game, with the names of its parameters."""
        sure = self.facts.sure[cardset]
        return {
            value: self._value_names[value]
            for value in self._given[cardset]
            if value not in sure
        }

    def name(self, value: Value) -> str:
        """The local of recognition, and the parameter, that holds what is found out of the cards."""
        return self._value_names[value]

    def all_handed(self) -> dict[str, Handed]:
        """How recognition asks the build functions, by their names, for those who call one by itself."""
        return {
            self.names.build(id): Handed(
                self._lengths(id),
                tuple(map(self._handed, self.facts.sure[id])),
                tuple(map(self._handed, self.given(id))),
            )
            for id in self._given
        }

    def _lengths(self, cardset: str) -> tuple[tuple[int, int | None], ...]:
        """About how many cards a build function may be asked."""
        if cardset not in self.facts.settled:
            return ((0, None),)
        return tuple(self.facts.lengths[cardset].rows())

    def _handed(self, value: Value) -> HandedValues | HandedAnswer | HandedVerdict:
        if isinstance(value, ir.SortedValues):
            attributes = tuple(map(self.names.card_attribute, value.names))
            return HandedValues(attributes, value.is_descending)
        if isinstance(value, ir.IsCardset):
            return HandedVerdict(self.names.build(value.cardset))
        assert isinstance(value, ir.Call), "nothing else is handed over"
        needs = self.reads.of((value.owner, value.method))
        method = self.names.method(value.owner, value.method)
        return HandedAnswer(method, needs.game, needs.judged)

    def is_large(self, value: Value) -> bool:
        """Whether a formula inside a quantifier is better a function of its own, with locals."""
        return expanded_sizes(value, self.sizes) > LARGEST

    def reader(self, name: str, is_mapped: bool) -> str:
        """The function that reads a property of a value of mixed kinds; it is generated because it was asked for."""
        self.readers[name, is_mapped] = None
        return self.reader_names()[name, is_mapped]

    def reader_names(self) -> dict[tuple[str, bool], str]:
        """The reader functions asked for so far."""
        return {
            (
                name,
                is_mapped,
            ): f"read_{'each_' if is_mapped else ''}{sanitized(name)}_{digest(name, 12)}"
            for name, is_mapped in self.readers
        }
