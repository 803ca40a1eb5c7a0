"""Questions in a row of which each leads to one end and the last to another: asked as one, `if a and b: return X`.

Goes in: the last statements of a block as `structure` leaves them, `if not a: return Y`, `if b: return X`, `return Y`. Comes
out: the row that they are, and which line asks what. A check that somebody puts in before `b` or behind it, and that fails
to the same end, so changes the line that asks and no other; where that has no room left, the check is an `if` inside. What
refuses, each for its own reason, is no row: it stands in lines of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

import libcst as cst

from dealwright.compiler.emit import code
from dealwright.compiler.emit.code import Code
from dealwright.compiler.emit.text import node_comment
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.tree import End, If, Statement

MOST_ASKED: Final = 4
"""Questions that are asked as one, at most."""

WIDEST: Final = 80
"""Columns of the line that asks, comments included, without its indentation: it fits in a block of a method."""


@final
@dataclass(frozen=True, slots=True)
class Row:
    """The last questions of a block: `then` is where they lead if all hold, `orelse` if one does not."""

    questions: tuple[If, ...]
    then: End
    orelse: End


def row_of(statements: Sequence[Statement]) -> Row | None:
    """The row that these statements are, from the first to the last; None if they are none.

    All questions go on if they hold and lead to the one end if they do not. Where one returns if it holds, `if a: return Y`,
    it is a guard, and easier to read as that.
    """
    match statements:
        case [*guards, If(_, _, False, (End() as then,), ()) as last, End() as orelse]:
            pass
        case _:
            return None
    questions: list[If] = []
    for one in guards:
        match one:
            case If(_, _, True, (end,), ()) if end == orelse:
                questions.append(one)
            case _:
                return None
    is_refusal = isinstance(orelse.terminal, ir.Reject | ir.Finish)
    if not questions or is_refusal or then == orelse:
        return None
    return Row((*questions, last), then, orelse)


def lines_of(row: Row, tests: Sequence[Code]) -> list[list[int]]:
    """The numbers of the questions that each line asks, `tests` being their formulas: as many as it has room for."""
    lines: list[list[int]] = []
    room = 0
    for number, (test, question) in enumerate(zip(tests, row.questions, strict=True)):
        formula = cst.Module([]).code_for_node(test.at(code.NOT))
        needed = _columns(f" and {formula} {node_comment(question.id)[2:]}")
        if room < needed:
            lines.append([])
            room = WIDEST
        lines[-1].append(number)
        room -= needed
    return lines


def _columns(text: str) -> int:
    """The columns of a text on a line; a letter that is not ASCII may take two."""
    return len(text) + sum(not one.isascii() for one in text)
