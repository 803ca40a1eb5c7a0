"""What recognition finds out once and hands to several build functions of cardsets with as many cards.

Goes in: the lowered program and the lengths of its build flows. Comes out: for each cardset the values that its build
function takes besides the cards, since another cardset of the same length wants them too, and the program in which
whoever else asks the cardset hands them over. These are sorted values of the cards being judged, what a quick method of
the table says of them, and whether they are another cardset, which recognition has to ask anyway. Values handed over
cannot go stale: properties that the rule assigns are left out of the sorts, and judging changes nothing. What must be yes
for a flow to accept is found out here too, and asked before its function, which does not take it then (see `needs`).

Before: each of two flows asks `game.table.may_be_played(cards)`. After: recognition asks, both take the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias, final

from dealwright.compiler.passes.bounds import Bounds
from dealwright.compiler.passes.reads import (
    CallKey,
    all_values,
    called,
    has_loop,
    may_fail,
    values_below,
)
from dealwright.compiler.passes.rewrite import Rewriter, everywhere
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value
from dealwright.compiler.representation.program import Program
from dealwright.compiler.representation.types import Rep
from dealwright.compiler.rule.flowgraph import strongly_connected
from dealwright.compiler.rule.objects import deck_size

Given: TypeAlias = "Mapping[str, tuple[Value, ...]]"
"""For each cardset id the values that its build function takes besides the cards."""

QUICK: Final = 10_000
"""Values times cards that a method may look at to be asked although nobody may need the answer."""


def hand_over(
    program: Program, lengths: Mapping[str, Bounds]
) -> tuple[Program, dict[str, tuple[Value, ...]]]:
    """What recognition finds out once for several cardsets, and the program in which all others hand it over too."""
    answers = _Answers(program, lengths)
    verdicts = {id: answers.verdicts_in(id) for id in program.builds}
    wanted = {
        id: {**_sorts(program, body), **answers.asked_by(id)}
        for id, body in program.builds.items()
    }
    given = _shared(wanted, lengths)
    _hand_on(
        given,
        {
            id: _asked_by_itself(body, verdicts[id])
            for id, body in program.builds.items()
        },
    )
    ordered = {
        id: tuple(sorted((*values, *verdicts[id]), key=_order))
        for id, values in given.items()
    }
    asking = _Asking(program.pool, ordered)
    rewriter = Rewriter(program.pool, asking.completed)
    handed = {id: tuple(map(rewriter.value, values)) for id, values in ordered.items()}
    return everywhere(program, rewriter), handed


def _asked_by_itself(body: ir.Body, verdicts: Mapping[Value, None]) -> set[str]:
    """The other cardsets that a build flow asks about its cards; `verdicts` are the answers that it is given."""
    return {
        value.cardset
        for value in all_values(body)
        if isinstance(value, ir.IsCardset)
        and isinstance(value.cards, ir.Judged)
        and value not in verdicts
    }


def _hand_on(
    given: Mapping[str, dict[Value, None]], asked: Mapping[str, set[str]]
) -> None:
    """Give each cardset what those take that it asks about, since it must hand that on."""
    has_grown = True
    while has_grown:
        has_grown = False
        for id in given:
            for other in sorted(asked[id]):
                if not given[other].keys() <= given[id].keys():
                    given[id].update(given[other])
                    has_grown = True


@final
class _Asking:
    """Adds to each question about a cardset what is handed over with it; `given` by cardset."""

    def __init__(self, pool: ir.Pool, given: Mapping[str, tuple[Value, ...]]) -> None:
        self._pool = pool
        self._given = given

    def completed(self, value: Value) -> Value | None:
        """The question with what its cardset takes, or None if the value is no question or lacks nothing."""
        match value:
            case ir.IsCardset(cardset, cards, context, ()) if self._given.get(cardset):
                values = tuple(
                    self._of_cards(one, cards, context) for one in self._given[cardset]
                )
                return self._pool.make(ir.IsCardset, cardset, cards, context, values)
            case _:
                return None

    def _of_cards(self, value: Value, cards: Value, context: ir.Context) -> Value:
        """The same of the cards that somebody else asks about."""
        make = self._pool.make
        seen = make(ir.Context, cards, context.card, context.player)
        match value:
            case ir.SortedValues(_, names, is_descending):
                return make(ir.SortedValues, cards, names, is_descending)
            case ir.Call(owner, method, subject, _, _, _, rep):
                return make(ir.Call, owner, method, subject, True, (), seen, rep)
            case ir.IsCardset(cardset, _, _, _):
                # a cardset whose verdict is handed over asks no other, so this goes no deeper
                question = make(ir.IsCardset, cardset, cards, seen, ())
                return self.completed(question) or question
            case _:
                raise AssertionError("nothing else is handed over")


def _sorts(program: Program, body: ir.Body) -> dict[Value, None]:
    """The sorted values of the cards being judged that a flow itself reads, of properties that never change."""
    assigned = program.assigned["card"]
    return {
        value: None
        for value in all_values(body)
        if isinstance(value, ir.SortedValues)
        and isinstance(value.selection, ir.Judged)
        and assigned.isdisjoint(value.names)
    }


def _shared(
    wanted: Mapping[str, Iterable[Value]], lengths: Mapping[str, Bounds]
) -> dict[str, dict[Value, None]]:
    """What each cardset wants that another one, which can have the same number of cards, wants too."""
    wanting: dict[Value, list[str]] = {}
    for id, values in wanted.items():
        for value in values:
            wanting.setdefault(value, []).append(id)
    shared: dict[str, dict[Value, None]] = {id: {} for id in wanted}
    for value, ids in wanting.items():
        for id in ids:
            if any(
                lengths[id].accepted & lengths[other].accepted
                for other in ids
                if other != id
            ):
                shared[id][value] = None
    return shared


def _order(value: Value) -> tuple[object, ...]:
    """Sorted values by their properties first, then answers by their method, then verdicts by their cardset."""
    if isinstance(value, ir.SortedValues):
        return 0, value.names, value.is_descending
    if isinstance(value, ir.Call):
        return 1, value.method
    assert isinstance(value, ir.IsCardset), "nothing else is handed over"
    return 2, value.cardset


@final
class _Answers:
    """What methods of the table say of the cards being judged, wherever asking once is as good as asking again.

    That is so if the method is quick and cannot fail. It should also be what some cardset asks first, so that recognition
    does not often ask in vain.
    """

    def __init__(self, program: Program, lengths: Mapping[str, Bounds]) -> None:
        self._program = program
        self._lengths = lengths
        self._efforts: dict[CallKey, int] = {}
        self._weigh_methods()
        self._asked_first = {self._first(id) for id in program.builds}

    def asked_by(self, cardset: str) -> dict[Value, None]:
        """The answers that a build flow asks for and that can be handed over."""
        return {
            value: None
            for value in all_values(self._program.builds[cardset])
            if value in self._asked_first and self._is_quick(value)
        }

    def verdicts_in(self, cardset: str) -> dict[Value, None]:
        """The questions of a build flow whether its cards are another cardset that recognition asks about anyway."""
        return {
            value: None
            for value in all_values(self._program.builds[cardset])
            if self._is_asked_anyway(cardset, value)
        }

    def _is_asked_anyway(self, cardset: str, value: Value) -> bool:
        match value:
            case ir.IsCardset(
                inner, ir.Judged(), ir.Context(ir.Judged(), None, None), ()
            ):
                return (
                    self._lengths[cardset].accepted & self._lengths[inner].accepted != 0
                    and self._efforts["build", inner] <= QUICK
                    and not any(
                        isinstance(one, ir.IsCardset)
                        for one in all_values(self._program.builds[inner])
                    )
                )
            case _:
                return False

    def _is_quick(self, value: Value) -> bool:
        match value:
            case ir.Call(
                "table",
                method,
                ir.TheTable(),
                True,
                (),
                ir.Context(ir.Judged(), None, None),
                Rep.BOOLEAN | Rep.INTEGER,
            ):
                return self._efforts["table", method] <= QUICK
            case _:
                return False

    def _first(self, cardset: str) -> Value | None:
        """What a build flow evaluates first once it has the right number of cards."""
        body = self._program.builds[cardset]
        bounds = self._lengths[cardset]
        id = body.entry
        seen: set[str] = set()
        while id not in seen:
            seen.add(id)
            operation = body.instructions[id].operation
            if not isinstance(operation, ir.Branch):
                return None
            holds, fails = bounds.lengths.split(operation.condition)
            if not bounds.accepted & fails:
                id = operation.then
            elif not bounds.accepted & holds:
                id = operation.orelse
            else:
                return _first_of(operation.condition, bounds)
        return None

    def _weigh_methods(self) -> None:
        """How much each method may have to look at."""
        program = self._program
        bodies: dict[CallKey, ir.Body] = {
            key: one.body for key, one in program.methods.items()
        }
        bodies |= {("build", id): body for id, body in program.builds.items()}
        calls = {
            key: [
                callee
                for value in all_values(body)
                if (callee := called(value)) is not None
            ]
            for key, body in bodies.items()
        }
        cards = deck_size(program.rule)
        for members in strongly_connected(bodies, calls.__getitem__):
            for key in members:
                own = _effort(bodies[key], cards)
                inner = sum(self._efforts[one] for one in calls[key])
                self._efforts[key] = QUICK + 1 if own is None else own + inner


def _first_of(value: Value, bounds: Bounds) -> Value:
    """What is evaluated first of a formula, what the number of cards has decided apart."""
    while True:
        match value:
            case ir.Logic(operator, left, right):
                holds, fails = bounds.lengths.split(left)
                is_decided = not bounds.accepted & (holds if operator else fails)
                value = right if is_decided else left
            case ir.Compare(_, left, _):
                value = left
            case ir.Not(operand) | ir.Truth(operand) | ir.Number(operand):
                value = operand
            case _:
                return value


def _effort(body: ir.Body, cards: int) -> int | None:
    """How many values a method looks at, each of each card; None if it may fail, or loops in loops."""
    if has_loop(body):
        return None
    effort = 0
    for value in all_values(body):
        match value:
            case ir.Quantifier(_, _, inside) if any(
                isinstance(one, ir.Quantifier | ir.Call | ir.IsCardset)
                for one in values_below((inside,), set())
            ):
                return None
            case _ if may_fail(value):
                return None
            case _:
                effort += cards
    return effort
