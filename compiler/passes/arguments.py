"""What a method is certainly given, since everybody who calls it passes that: so many cards, a card that is there.

Goes in: the program, the lengths of its build flows, and what recognition asks on their behalf (see `handover`). Comes out:
`Arguments` for each method. Those who call are looked at before what they call; no method calls itself in a circle. Of a
method that nobody calls nothing is known.

Before: `return at(sorted([card.rank for card in play.cards]), 2, 0)`. After, where only plays of three cards or more are
passed: `return sorted([card.rank for card in play.cards])[2]`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias, final

from dealwright.compiler.passes.bounds import Bounds
from dealwright.compiler.passes.certain import (
    UNKNOWN,
    Arguments,
    Certainty,
    Counts,
    certainty_of_plays,
)
from dealwright.compiler.passes.reads import all_values
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.control import in_control_order
from dealwright.compiler.representation.ir import Value
from dealwright.compiler.representation.program import Program
from dealwright.compiler.representation.types import Rep
from dealwright.compiler.rule.flowgraph import strongly_connected

MethodKey: TypeAlias = "tuple[str, str]"

_EVERYWHERE: Final[Mapping[str, int]] = {}


def arguments(
    program: Program,
    lengths: Mapping[str, Bounds],
    given: Mapping[str, Iterable[Value]],
) -> dict[MethodKey, Arguments]:
    """What each method is given.

    Args:
        lengths: by cardset id.
        given: what recognition finds out about cards that may be this cardset.
    """
    calls = _Calls(program)
    players = program.rule.players
    for id, body in program.builds.items():
        known = lengths[id]
        certainty = Certainty(players, known.lengths)
        calls.look(body, certainty, known.at)
        calls.look_at(tuple(given[id]), certainty, known.at[body.entry])
    named = {one.name: lengths[one.id] for one in program.rule.cardsets}
    names = {one.id: (one.name, one.name) for one in program.rule.cardsets}
    pairs = {one.id: (one.a, one.b) for one in program.rule.comparisons}
    for id, body in program.compares.items():
        calls.look(body, certainty_of_plays(players, named, *names[id]))
    for id, body in program.comparisons.items():
        calls.look(body, certainty_of_plays(players, named, *pairs[id]))
    for body in (program.match, program.end):
        calls.look(body, Certainty(players))
    for key in _callers_first(program):
        known_here = Certainty(players, arguments=calls.of(key))
        calls.look(program.methods[key].body, known_here)
    return {key: calls.of(key) for key in program.methods}


def _callers_first(program: Program) -> list[MethodKey]:
    """The methods, each before those that it calls."""
    called = {
        key: [
            (value.owner, value.method)
            for value in all_values(one.body)
            if isinstance(value, ir.Call)
        ]
        for key, one in program.methods.items()
    }
    groups = list(strongly_connected(called, called.__getitem__))
    return [key for group in reversed(groups) for key in group]


@final
class _Calls:
    """Joins what the calls of each method pass, call by call."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._found: dict[MethodKey, Arguments] = {}

    def of(self, key: MethodKey) -> Arguments:
        """What has been passed to a method by all calls seen so far."""
        return self._found.get(key, Arguments())

    def look(
        self,
        body: ir.Body,
        certainty: Certainty,
        masks: Mapping[str, int] = _EVERYWHERE,
    ) -> None:
        """Look at the calls of a flow; `masks` are the lengths at its nodes, if it judges cards."""
        for one in in_control_order(body):
            mask = masks.get(one.id, certainty.everything)
            self.look_at(ir.operation_values(one.operation), certainty, mask)

    def look_at(
        self, roots: tuple[Value, ...], certainty: Certainty, mask: int
    ) -> None:
        """Look at the calls in some formulas, which are evaluated with these lengths."""
        for value, reaching in certainty.masks(roots, mask).items():
            if reaching and isinstance(value, ir.Call):
                self._call(value, certainty, reaching)

    def _call(self, call: ir.Call, certainty: Certainty, mask: int) -> None:
        key = (call.owner, call.method)
        parameters = self._program.methods[key].parameters
        cards: dict[str, Counts] = {}
        present: set[str] = set()
        for (name, rep), passed in zip(parameters, call.arguments, strict=True):
            if rep is Rep.CARD and certainty.is_certain(passed, mask):
                present.add(name)
            elif rep in (Rep.CARDS, Rep.PLAY):
                cards[name] = self._counts(passed, rep, certainty, mask)
        judged = self._counts(call.context.judged, Rep.CARDS, certainty, mask)
        one = Arguments(cards, frozenset(present), judged)
        before = self._found.get(key)
        self._found[key] = one if before is None else _both(before, one)

    def _counts(
        self, passed: Value, rep: Rep, certainty: Certainty, mask: int
    ) -> Counts:
        """How many cards a collection or a play has."""
        selection = (
            self._program.pool.make(ir.CardsOf, passed) if rep is Rep.PLAY else passed
        )
        return (
            certainty.least_length(selection, mask),
            certainty.exact_length(selection, mask),
        )


def _both(one: Arguments, other: Arguments) -> Arguments:
    """What is certain whichever of two calls it was."""
    return Arguments(
        {
            name: _either(counts, other.cards[name])
            for name, counts in one.cards.items()
        },
        one.present & other.present,
        _either(one.judged, other.judged),
    )


def _either(one: Counts, other: Counts) -> Counts:
    if UNKNOWN in (one, other):
        return UNKNOWN
    return min(one[0], other[0]), one[1] if one[1] == other[1] else None
