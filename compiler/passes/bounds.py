"""What is known about `len(cards)` at each node of a build flow, and which lengths it can accept.

Goes in: a build flow's body. Comes out: for each node the set of lengths with which control can reach it, and the set of
accepted ones. A set is a bit mask: bit n stands for n cards, the last bit (`top`) for that many or more. Conditions that
compare the length with a constant split the set; others pass it on to both sides. So `cards[1]` needs no guard behind
`len(cards) == 2`, and recognition asks only the cardsets that fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from dealwright.compiler.representation import ir
from dealwright.compiler.representation.dominance import ROOT, Dominance
from dealwright.compiler.representation.ir import Value

MOST_CARDS = 1000
"""Lengths told apart at the most; comparisons with larger constants say nothing here."""
_DEEPEST = 100

# operators 0 = 1 > 2 < 3 >= 4 <= with the sides exchanged
_MIRRORED: Mapping[int, int] = {0: 0, 1: 2, 2: 1, 3: 4, 4: 3}


@final
@dataclass(frozen=True, slots=True)
class Lengths:
    """Reads conditions on the length of the cards being judged; `top` is the last bit."""

    top: int

    @property
    def all(self) -> int:
        """The mask of every length."""
        return (1 << (self.top + 1)) - 1

    def split(self, condition: Value, depth: int = 0) -> tuple[int, int]:
        """The lengths with which the condition can hold, and with which it can fail."""
        if depth > _DEEPEST:
            return self.all, self.all
        match condition:
            case ir.Boolean(truth):
                return (self.all, 0) if truth else (0, self.all)
            case ir.Not(operand):
                holds, fails = self.split(operand, depth + 1)
                return fails, holds
            case ir.Logic(operator, left, right):
                return self._logic(
                    operator, self.split(left, depth + 1), self.split(right, depth + 1)
                )
            case ir.Compare(operator, left, ir.Integer(number)) if is_length(left):
                return self._compare(operator, number)
            case ir.Compare(operator, ir.Integer(number), right) if is_length(right):
                return self._compare(_MIRRORED[operator], number)
            case ir.Truth(operand) if is_judged(operand):
                return self._compare(1, 0)
            case _:
                return self.all, self.all

    def _logic(
        self, operator: int, left: tuple[int, int], right: tuple[int, int]
    ) -> tuple[int, int]:
        if operator == 0:
            return left[0] & right[0], left[1] | right[1]
        return left[0] | right[0], left[1] & right[1]

    def _compare(self, operator: int, number: int) -> tuple[int, int]:
        """The lengths that stand in this relation to a constant, and the others."""
        # `_top` has looked at smaller ones only: a mask of the last bit alone would seem to be one length
        if number > self.top - 2:
            return self.all, self.all
        below = (1 << max(number, 0)) - 1
        equal = 1 << number if number >= 0 else 0
        mask = {
            0: equal,
            1: self.all & ~(below | equal),
            2: below,
            3: self.all & ~below,
            4: below | equal,
        }[operator]
        return mask, self.all & ~mask


def is_judged(value: Value) -> bool:
    """Whether the value is the cards being judged, in whatever order."""
    while isinstance(value, ir.Sorted):
        value = value.selection
    return isinstance(value, ir.Judged)


def is_length(value: Value) -> bool:
    """Whether the value is how many cards are being judged."""
    return isinstance(value, ir.Size) and is_judged(value.selection)


@final
@dataclass(frozen=True, slots=True)
class Bounds:
    """The lengths of a build flow: at each node, and accepted."""

    lengths: Lengths
    at: Mapping[str, int]
    accepted: int

    def accepted_lengths(self) -> tuple[int, ...] | None:
        """The lengths that can be accepted, ascending; None if there is no longest."""
        if self.accepted >> self.lengths.top & 1:
            return None
        return tuple(
            length for length in range(self.lengths.top) if self.accepted >> length & 1
        )


def least(mask: int) -> int:
    """The least length in a mask; 0 for an empty one."""
    return (mask & -mask).bit_length() - 1 if mask else 0


def bounds(body: ir.Body) -> Bounds:
    """The lengths of a build flow's body, which has no cycle."""
    instructions = body.instructions
    lengths = Lengths(_top(body))
    order = Dominance([body.entry], lambda id: ir.successors(instructions[id])).order
    at = dict.fromkeys(instructions, 0)
    at[body.entry] = lengths.all
    accepted = 0
    for id in order:
        if id == ROOT:
            continue
        operation = instructions[id].operation
        if isinstance(operation, ir.Branch):
            holds, fails = lengths.split(operation.condition)
            at[operation.then] |= at[id] & holds
            at[operation.orelse] |= at[id] & fails
        elif isinstance(operation, ir.Accept):
            accepted |= at[id]
        else:
            for target in ir.successors(instructions[id]):
                at[target] |= at[id]
    return Bounds(lengths, at, accepted)


def _top(body: ir.Body) -> int:
    """One more than the largest constant that the length is compared with, so that the last bit means *more*."""
    largest = 0
    seen: set[int] = set()
    pending = [
        value
        for one in body.instructions.values()
        for value in ir.operation_values(one.operation)
    ]
    while pending:
        value = pending.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, ir.Compare):
            for one in (value.left, value.right):
                if isinstance(one, ir.Integer) and 0 <= one.value <= MOST_CARDS:
                    largest = max(largest, one.value)
        pending.extend(ir.children(value))
    return largest + 2
