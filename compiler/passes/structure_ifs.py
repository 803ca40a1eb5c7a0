"""Ifs of which both sides go on to what stands behind them, and what becomes of them where that is another function.

Goes in: the statements of both sides. Comes out: the statements to stand there. What a wait cuts off leaves the rest in its
place: an `else:` stays although the side before it returns now, and a jump comes where the statements behind stood.
"""

from __future__ import annotations

from collections.abc import Sequence

from dealwright.compiler.representation import ir
from dealwright.compiler.representation.tree import (
    End,
    If,
    Jump,
    Loop,
    Statement,
    falls,
)


def if_and_else(
    id: str,
    branch: ir.Branch,
    then: list[Statement],
    orelse: list[Statement],
    is_turned: bool,
) -> list[Statement]:
    """The if of a branch with these sides; nothing if both are empty.

    is_turned: the false side is to be nested if there are statements on it. An `elif` behind a side that returns is an
    `if` instead, so that checks in a row are not nested however many they are.
    """
    if not then and not orelse:
        return []
    is_negated = not then or (is_turned and bool(orelse))
    nested, other = (orelse, then) if is_negated else (then, orelse)
    is_flat = not other or (not falls(nested) and isinstance(other[0], If | End))
    if is_flat:
        return [If(id, branch.condition, is_negated, tuple(nested), ()), *other]
    return [If(id, branch.condition, is_negated, tuple(nested), tuple(other))]


def with_end(placed: list[Statement], jump: Jump) -> list[Statement]:
    """Statements and the jump behind them; where an if stands before a single wait, in the if rather than behind an else."""
    if not falls(placed):
        return placed
    match placed:
        case [If(id, condition, is_negated, then, (End(_, _) as wait,))]:
            return [If(id, condition, is_negated, (*then, jump), ()), wait]
        case _:
            return [*placed, jump]


def has_wait(statements: Sequence[Statement]) -> bool:
    """Whether a wait stands anywhere among them."""
    return any(
        (isinstance(one, End) and isinstance(one.terminal, ir.AskPlay | ir.AskChoice))
        or (isinstance(one, If) and (has_wait(one.then) or has_wait(one.orelse)))
        or (isinstance(one, Loop) and has_wait(one.body))
        for one in statements
    )
