"""What must be so of the cards for a build flow to accept them, so that nobody need ask it where it is not.

Goes in: the build flows and the values handed over to them (see `handover`). Comes out: those questions whether the cards
are another cardset, and those answers of the table, without which a flow refuses the cards, whatever they are. For each
the flow is followed with that one answer known to be no; a condition that the answer does not decide goes both ways. What
is evaluated on the way must not be able to fail, since a failure is not a refusal.

Before: `found := build_Straight_flush(cards, as_Flush is not None)`. After: `build_Straight_flush(cards)`, asked only
behind `if as_Flush is not None`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, TypeAlias

from dealwright.compiler.passes.reads import may_fail, values_below
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value
from dealwright.compiler.representation.types import Rep

_DEEPEST: Final = 100
"""Levels of a condition that are looked at."""

Outcome: TypeAlias = "bool | None"
"""What a condition comes to; None if it may be either."""


class _MayFail(Exception):
    """Something is evaluated that may end the match."""


def found_before(
    builds: Mapping[str, ir.Body], given: Mapping[str, tuple[Value, ...]]
) -> dict[str, tuple[Value, ...]]:
    """For each cardset what everybody finds out, and finds to be so, before he asks its build function."""
    return {id: _needed(body, given[id]) for id, body in builds.items()}


def _needed(body: ir.Body, given: Collection[Value]) -> tuple[Value, ...]:
    """The verdicts and answers given without which a build flow, which changes nothing, refuses all cards."""
    return tuple(
        value
        for value in given
        if _is_yes_or_no(value) and not _may_accept(body, value, given)
    )


def _is_yes_or_no(value: Value) -> bool:
    match value:
        case ir.IsCardset():
            return True
        case ir.Call(rep=Rep.BOOLEAN):
            return True
        case _:
            return False


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
