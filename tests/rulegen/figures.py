"""Figures of a run over generated rules: what was in them, what compiled, what was played to the end.

A component with its operator in a kind of flow is a *place*; the contract says which places there are, and a run must
have been to every one of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.rulegen.builder import START_TYPE
from tests.rulegen.rules import GeneratedRule
from tests.rulegen.values import COMPONENTS

Place = tuple[str, str]

EVERYWHERE = tuple(START_TYPE)
CHANGING = ("match", "end", "method")


def _places() -> Iterator[Place]:
    for kind in EVERYWHERE:
        for component in COMPONENTS:
            yield ("1.value" if component == "1" else component), kind
        for statement in ("1.statement", "2.statement", "4", "16"):
            yield statement, kind
        for read in (17, 21, 22, 23, 25, 27, 29):
            yield f"{read}.read", kind
        yield str(START_TYPE[kind]), kind
    for kind in CHANGING:
        yield "19", kind
        yield "20", kind
    for node, kind in (
        ("18", "match"),
        ("21", "match"),
        ("22", "match"),
        ("24", "end"),
        ("26", "method"),
        ("28", "build"),
        ("30", "compare"),
    ):
        yield node, kind


PLACES: frozenset[Place] = frozenset(_places())


@dataclass(slots=True)
class Figures:
    """Counts over a run. `places` says in how many rules a place occurs at least once."""

    rules: int = 0
    compiled: int = 0
    flows: int = 0
    places: Counter[Place] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)

    def add(self, rule: GeneratedRule) -> None:
        """Counts one generated rule."""
        self.rules += 1
        self.flows += rule.flows
        self.places.update(rule.counts.keys() & PLACES)

    @property
    def rarest(self) -> tuple[Place, float]:
        """The place that occurs in the fewest rules, and its share of them."""
        place = min(PLACES, key=lambda one: (self.places[one], one))
        return place, self.places[place] / max(1, self.rules)

    def lines(self) -> Iterator[str]:
        """The figures for people."""
        (component, kind), share = self.rarest
        yield f"{self.rules} rules, {self.flows} flows, {self.compiled} rules compile"
        yield (
            f"{len(PLACES)} components × operators × kinds of flow; the rarest is"
            f" {component} in a {kind} flow, in {share:.1%} of the rules"
        )
        if self.codes:
            yield f"refused with {dict(self.codes.most_common())}"
