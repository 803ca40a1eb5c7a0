"""Leave the number of cards, and what else must be so, to recognition, which finds it out once for all cardsets.

Goes in: the program, the lengths of its build flows, and what else is found to be so before anybody asks one (see
`needs`). Comes out: the program in which a build function is only ever asked about as many cards as its cardset can have,
so that its own checks of that are gone; their nodes, for the reader; and the lengths at the nodes that are left. Whoever
else asks for a cardset asks for the number of cards first, and for the rest. A cardset that takes any number of cards, or
none at all, keeps its flow as it is. That changes nothing but what is looked at: judging has no effects.

What is found out besides the number stays in the flows, for the passes that ask what judging looks at; `granted` takes it
out of the function.

Before: `if len(cards) != 2: return None` in `build_Pair`. After: `elif size == 2:` in `recognize`, and
`len(rest) == 2 and build_Pair(rest) is not None` elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import compress
from typing import Final, final

from dealwright.compiler.passes.bounds import Bounds, bounds
from dealwright.compiler.passes.rewrite import Rewriter, everywhere
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.control import in_control_order
from dealwright.compiler.representation.ir import Pool, Value
from dealwright.compiler.representation.program import Program

_DEEPEST: Final = 100
"""Levels of a condition that are looked at."""

_EQUAL: Final = 0
_AT_LEAST: Final = 3
_AT_MOST: Final = 4
_AND: Final = 0
_OR: Final = 1


@final
@dataclass(frozen=True, slots=True)
class Dispatched:
    """A program whose build functions know how many cards they are asked about.

    lengths: by cardset id; what is accepted is what it was, and `at` says what is possible now. settled: the nodes that
    are gone, since the number of cards decides them, in the order in which control met them.
    """

    program: Program
    lengths: Mapping[str, Bounds]
    settled: Mapping[str, tuple[str, ...]]


def dispatch(
    program: Program,
    lengths: Mapping[str, Bounds],
    given: Mapping[str, tuple[Value, ...]],
    sure: Mapping[str, tuple[Value, ...]],
) -> Dispatched:
    """The program, with the number of cards asked by whoever asks for a cardset.

    Args:
        given: the values handed over to each build function: among them are answers whether the cards are another
            cardset, which nobody asks again.
        sure: those of them that are found to be so before the function is asked, and that it does not take.
    """
    told = _told(lengths)
    handing = {id: [one not in sure[id] for one in given[id]] for id in given}
    asking = _Asking(program.pool, told, handing)
    asked = everywhere(program, Rewriter(program.pool, asking.completed))
    bodies: dict[str, ir.Body] = {}
    narrowed = dict(lengths)
    settled: dict[str, tuple[str, ...]] = {}
    for id, body in program.builds.items():
        asking = _Asking(program.pool, told, handing, frozenset(given[id]))
        bodies[id] = Rewriter(program.pool, asking.completed).body(body)
        if id in told:
            narrowed[id] = bounds(bodies[id], lengths, told[id])
            settling = _Settling(program.pool, narrowed[id])
            bodies[id], settled[id] = settling.body(bodies[id])
    return Dispatched(replace(asked, builds=bodies), narrowed, settled)


def granted(
    pool: Pool,
    body: ir.Body,
    known: Bounds,
    sure: Collection[Value],
    taken: Iterable[Value],
) -> tuple[ir.Body, tuple[str, ...]]:
    """A build flow without the branches that are decided where some values are so, and the ids of those.

    What the function takes is not looked into.
    """
    if not sure:
        return body, ()
    lengths = replace(known.lengths, sure=frozenset(sure))
    rest, gone = _Settling(pool, replace(known, lengths=lengths)).body(body)
    truth = pool.make(ir.Boolean, True)

    def said(value: Value) -> Value | None:
        """What is left of a formula that is known or begins with what is known."""
        if value in sure:
            return truth
        match value:
            case ir.Logic(operator, left, right) if left is truth:
                return right if operator == _AND else truth
            case _:
                return None

    return Rewriter(pool, said, taken).body(rest), gone


def _told(lengths: Mapping[str, Bounds]) -> dict[str, Bounds]:
    """The cardsets that are asked about the right number of cards only: those that take some numbers of cards, not all."""
    return {
        id: one
        for id, one in lengths.items()
        if one.accepted not in (0, one.lengths.all)
    }


@final
class _Asking:
    """Puts the number of cards, and what else must be so, before each question whether cards are a cardset.

    `handing` says of each value handed over with a question whether the function takes it; the others are to be so. `given`
    are answers, not questions.
    """

    def __init__(
        self,
        pool: Pool,
        told: Mapping[str, Bounds],
        handing: Mapping[str, list[bool]],
        given: Collection[Value] = frozenset(),
    ) -> None:
        self._pool = pool
        self._told = told
        self._handing = handing
        self._given = given
        self._behind: dict[Value, tuple[Bounds, Value]] = {}

    def completed(self, value: Value) -> Value | None:
        """The question behind those that come first, or None where there are none or it is answered."""
        if not isinstance(value, ir.IsCardset) or value in self._given:
            return None
        own = self._told.get(value.cardset)
        handed = [self._known(one, own) for one in value.given]
        is_taken = self._handing[value.cardset] if handed else []
        taken = tuple(compress(handed, is_taken))
        make = self._pool.make
        found: Value = make(
            ir.IsCardset, value.cardset, value.cards, value.context, taken
        )
        for one, is_one in zip(reversed(handed), reversed(is_taken), strict=True):
            found = found if is_one else make(ir.Logic, _AND, one, found)
        if own is None:
            return found
        whole = make(ir.Logic, _AND, self._fits(value.cards, own), found)
        self._behind[whole] = own, found
        return whole

    def _known(self, value: Value, own: Bounds | None) -> Value:
        """A verdict handed on with a question, without its number of cards if that of the question says as much."""
        if own is None or value not in self._behind:
            return value
        inner, rest = self._behind[value]
        return rest if own.is_within(inner) else value

    def _fits(self, cards: Value, own: Bounds) -> Value:
        """Whether there are as many cards as the cardset can have."""
        make = self._pool.make
        size = make(ir.Size, cards)
        found: Value | None = None
        for first, last in own.rows():
            row = self._in_row(size, first, last)
            found = row if found is None else make(ir.Logic, _OR, found, row)
        assert found is not None, "a cardset that accepts nothing is not told"
        return found

    def _in_row(self, size: Value, first: int, last: int | None) -> Value:
        make = self._pool.make
        if first == last:
            return make(ir.Compare, _EQUAL, size, make(ir.Integer, first))
        parts = []
        if first > 0:
            parts.append(make(ir.Compare, _AT_LEAST, size, make(ir.Integer, first)))
        if last is not None:
            parts.append(make(ir.Compare, _AT_MOST, size, make(ir.Integer, last)))
        return parts[0] if len(parts) == 1 else make(ir.Logic, _AND, *parts)


@final
class _Settling:
    """Takes out of one build flow what the number of cards decides."""

    def __init__(self, pool: Pool, known: Bounds) -> None:
        self._pool = pool
        self._lengths = known.lengths
        self._at = known.at

    def body(self, body: ir.Body) -> tuple[ir.Body, tuple[str, ...]]:
        """The body without the branches that are decided, and the ids of those."""
        kept: dict[str, ir.Operation] = {}
        ahead: dict[str, str] = {}
        for one in in_control_order(body):
            mask = self._at[one.id]
            operation = one.operation
            if not mask:
                continue
            if isinstance(operation, ir.Branch):
                condition = self._rest(operation.condition, mask)
                if condition is None:
                    holds, _ = self._lengths.split(operation.condition)
                    ahead[one.id] = operation.then if mask & holds else operation.orelse
                    continue
                operation = replace(operation, condition=condition)
            kept[one.id] = operation
        instructions = {
            id: _going_on(body.instructions[id], operation, ahead)
            for id, operation in kept.items()
        }
        entry = _undecided(body.entry, ahead)
        return ir.Body(entry, instructions, body.called), tuple(ahead)

    def _rest(self, condition: Value, mask: int, depth: int = 0) -> Value | None:
        """What of a condition the number of cards leaves open; None if it decides it."""
        if depth > _DEEPEST or isinstance(condition, ir.Boolean):
            return condition
        holds, fails = self._lengths.split(condition)
        if not (mask & holds and mask & fails):
            return None
        match condition:
            case ir.Not(operand):
                rest = self._rest(operand, mask, depth + 1)
                return None if rest is None else self._pool.make(ir.Not, rest)
            case ir.Logic(operator, left, right):
                # of an undecided `and` a side that is decided holds, of an undecided `or` it fails
                first = self._rest(left, mask, depth + 1)
                behind = self._lengths.split(left)[0 if operator == _AND else 1]
                second = self._rest(right, mask & behind, depth + 1)
                if first is None or second is None:
                    return second if first is None else first
                return self._pool.make(ir.Logic, operator, first, second)
            case _:
                return condition


def _undecided(id: str, ahead: Mapping[str, str]) -> str:
    """Where control gets to from a node, past the branches that are decided; build flows have no cycles."""
    while id in ahead:
        id = ahead[id]
    return id


def _going_on(
    one: ir.Instruction, operation: ir.Operation, ahead: Mapping[str, str]
) -> ir.Instruction:
    """The instruction with this operation, leading past the branches that are decided."""
    if isinstance(operation, ir.Branch):
        then = _undecided(operation.then, ahead)
        orelse = _undecided(operation.orelse, ahead)
        operation = replace(operation, then=then, orelse=orelse)
    next = None if one.next is None else _undecided(one.next, ahead)
    return ir.Instruction(one.id, operation, next)
