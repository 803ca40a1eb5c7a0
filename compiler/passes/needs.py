"""Which verdicts on its cards a build flow cannot do without, so that recognition need not ask it where one is missing.

Goes in: a build flow's body and the values handed over to it (see `handover`). Comes out: those questions whether the
cards are another cardset without which the flow refuses the cards, whatever they are. For each the flow is followed with
that one answer known to be no; a condition that the answer does not decide goes both ways. What is evaluated on the way
must not be able to fail, since a failure is not a refusal.

Before: `found := build_Straight_flush(cards, as_Flush is not None)`. After: asked only behind `if as_Flush is not None`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, TypeAlias

from dealwright.compiler.passes.reads import may_fail, values_below
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value

_DEEPEST: Final = 100
"""Levels of a condition that are looked at."""

Outcome: TypeAlias = "bool | None"
"""What a condition comes to; None if it may be either."""


class _MayFail(Exception):
    """Something is evaluated that may end the match."""


def needed(body: ir.Body, given: Collection[Value]) -> tuple[ir.IsCardset, ...]:
    """The verdicts among the values given without which a build flow, which changes nothing, refuses all cards."""
    return tuple(
        value
        for value in given
        if isinstance(value, ir.IsCardset) and not _may_accept(body, value, given)
    )


def _may_accept(body: ir.Body, missing: Value, given: Collection[Value]) -> bool:
    """Whether the flow may do anything but refuse if the answer to `missing` is no."""
    pending, seen = [body.entry], {body.entry}
    while pending:
        instruction = body.instructions[pending.pop()]
        match instruction.operation:
            case ir.Branch(condition, then, orelse):
                try:
                    outcome = _outcome(condition, missing, given)
                except _MayFail:
                    return True
                targets = [then] * (outcome is not False)
                targets += [orelse] * (outcome is not True)
            case ir.Reject():
                targets = []
            case ir.Pass():
                targets = list(ir.successors(instruction))
            case _:
                return True
        for target in targets:
            if target not in seen:
                seen.add(target)
                pending.append(target)
    return False


def _outcome(
    condition: Value, missing: Value, given: Collection[Value], depth: int = 0
) -> Outcome:
    """What a condition comes to if the answer to `missing` is no.

    Raises:
        _MayFail: to find it out something is evaluated that can fail, or the condition is too deep to be looked at.
    """
    if depth > _DEEPEST:
        raise _MayFail
    if condition == missing:
        return False
    match condition:
        case ir.Boolean(truth):
            return truth
        case ir.Not(operand):
            outcome = _outcome(operand, missing, given, depth + 1)
            return None if outcome is None else not outcome
        case ir.Logic(operator, left, right):
            decisive = operator != 0  # `left or …` is decided by a true left side
            outcome = _outcome(left, missing, given, depth + 1)
            if outcome is decisive:
                return outcome
            other = _outcome(right, missing, given, depth + 1)
            return other if other is decisive or outcome is not None else None
        case _:
            if _may_end(condition, given):
                raise _MayFail
            return None


def _may_end(value: Value, given: Collection[Value]) -> bool:
    """Whether evaluating a formula may end the match: flows that it asks may, what is given is there already."""
    return any(
        may_fail(inner) or isinstance(inner, ir.Call | ir.IsCardset)
        for inner in values_below((value,), {id(one) for one in given})
    )
