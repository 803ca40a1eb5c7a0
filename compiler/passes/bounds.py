"""What is known about `len(cards)` at each node of a build flow, and which lengths it can accept.

Goes in: a build flow's body. Comes out: for each node the set of lengths with which control can reach it, and the set of
accepted ones. A set is a bit mask: bit n stands for n cards, the last bit (`top`) for that many or more. Conditions that
compare the length with a constant split the set, and so do questions whether the cards are another cardset; others pass it
on to both sides. So `cards[1]` needs no guard behind `len(cards) == 2`, and recognition asks only the cardsets that fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import final

from dealwright.compiler.passes.reads import all_values
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.dominance import ROOT, Dominance
from dealwright.compiler.representation.ir import Value
from dealwright.compiler.rule.flowgraph import strongly_connected

MOST_CARDS = 1000
"""Lengths told apart at the most; comparisons with larger constants say nothing here."""
_DEEPEST = 100

# operators 0 = 1 > 2 < 3 >= 4 <= with the sides exchanged
_MIRRORED: Mapping[int, int] = {0: 0, 1: 2, 2: 1, 3: 4, 4: 3}


@final
@dataclass(frozen=True, slots=True)
class Lengths:
    """Reads conditions on the length of the cards being judged.

    top: the last bit. verdicts: the lengths that other cardsets accept, by their ids; of one that is not there nothing is
    known. sure: conditions that hold.
    """

    top: int
    verdicts: Mapping[str, int] = field(default_factory=dict, compare=False)
    sure: frozenset[Value] = frozenset()

    @property
    def all(self) -> int:
        """The mask of every length."""
        return (1 << (self.top + 1)) - 1

    def split(self, condition: Value, depth: int = 0) -> tuple[int, int]:
        """The lengths with which the condition can hold, and with which it can fail."""
        if depth > _DEEPEST:
            return self.all, self.all
        if condition in self.sure:
            return self.all, 0
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
            case ir.IsCardset(cardset, cards) if is_judged(cards):
                return self.verdicts.get(cardset, self.all), self.all
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

    def rows(self) -> list[tuple[int, int | None]]:
        """The lengths that can be accepted, those in a row as their first and last; the last is None if there is none."""
        found: list[tuple[int, int | None]] = []
        top = self.lengths.top
        for length in range(top + 1):
            if not self.accepted >> length & 1:
                continue
            if length and self.accepted >> length - 1 & 1:
                first, _ = found.pop()
            else:
                first = length
            found.append((first, None if length == top else length))
        return found

    def is_within(self, other: Bounds) -> bool:
        """Whether the other flow can accept every length that this one can."""
        top = max(self.lengths.top, other.lengths.top)
        return not self.accepted_up_to(top) & ~other.accepted_up_to(top)

    def accepted_up_to(self, top: int) -> int:
        """The mask of the accepted lengths with `top`, which is not less than the own one, as its last bit."""
        is_endless = self.accepted >> self.lengths.top & 1
        return self.accepted | (is_endless << top + 1) - (
            is_endless << self.lengths.top
        )


def least(mask: int) -> int:
    """The least length in a mask; 0 for an empty one."""
    return (mask & -mask).bit_length() - 1 if mask else 0


def all_bounds(builds: Mapping[str, ir.Body]) -> dict[str, Bounds]:
    """The lengths of all build flows, by cardset id; none asks for itself in a circle."""
    asked = {id: _asked_by(body) for id, body in builds.items()}
    found: dict[str, Bounds] = {}
    for (id,) in strongly_connected(builds, asked.__getitem__):
        found[id] = bounds(builds[id], {one: found[one] for one in asked[id]})
    return {id: found[id] for id in builds}


def _asked_by(body: ir.Body) -> list[str]:
    """The cardsets of which a flow asks whether the cards being judged are one."""
    return list(
        dict.fromkeys(
            value.cardset
            for value in all_values(body)
            if isinstance(value, ir.IsCardset) and is_judged(value.cards)
        )
    )


def bounds(
    body: ir.Body, others: Mapping[str, Bounds], told: Bounds | None = None
) -> Bounds:
    """The lengths of a build flow's body, which has no cycle.

    Args:
        others: the lengths of the cardsets that it may ask for.
        told: what is known already, if the flow is asked about the lengths that are accepted there only.
    """
    instructions = body.instructions
    asked = {id: others[id] for id in _asked_by(body)}
    tops = [one.lengths.top for one in (*asked.values(), told) if one is not None]
    top = max([_top(body), *tops])
    lengths = Lengths(top, {id: one.accepted_up_to(top) for id, one in asked.items()})
    order = Dominance([body.entry], lambda id: ir.successors(instructions[id])).order
    at = dict.fromkeys(instructions, 0)
    at[body.entry] = lengths.all if told is None else told.accepted_up_to(lengths.top)
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
    for value in all_values(body):
        if isinstance(value, ir.Compare):
            for one in (value.left, value.right):
                if isinstance(one, ir.Integer) and 0 <= one.value <= MOST_CARDS:
                    largest = max(largest, one.value)
    return largest + 2
