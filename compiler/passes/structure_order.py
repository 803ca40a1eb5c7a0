"""The order of a flow's functions: each stands where its first statement would stand if nothing were cut.

Goes in: a body, the regions made of it, and which side of a branch comes first. Comes out: the regions that control comes
to, in order: what leads to a function stands before it, loops left out, so a wait put in moves none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import TypeAlias

from dealwright.compiler.representation import ir
from dealwright.compiler.representation.tree import (
    End,
    If,
    Jump,
    Loop,
    Region,
    Statement,
)

InOrder: TypeAlias = Callable[[str, ir.Branch], Sequence[str]]
"""Gives the two ways out of a branch, by its node and itself, in the order of their statements."""


def in_reading_order(
    body: ir.Body,
    regions: Mapping[str, Region],
    in_order: InOrder,
    copied: Set[str],
) -> tuple[Region, ...]:
    """The regions that control comes to, each behind those that lead to it, loops left out.

    What is `copied` besides has no place of its own; its function stands behind the wait that leads to it.
    """
    place = _places(body, in_order)
    first_wait: dict[str, int] = {}
    for id in sorted(place, key=place.__getitem__):
        behind = ir.behind_wait(body.instructions[id].operation)
        if behind is not None:
            first_wait.setdefault(behind, place[id])

    def key(head: str) -> tuple[int, int]:
        if head not in copied or head == body.entry:
            return place[head], 0
        return first_wait.get(head, place[head]), 1

    return tuple(
        regions[head] for head in sorted(_reached(body.entry, regions), key=key)
    )


def _reached(entry: str, regions: Mapping[str, Region]) -> dict[str, None]:
    """The heads of the regions that control comes to."""
    found: dict[str, None] = {}
    pending = [entry]
    while pending:
        head = pending.pop()
        if head not in found:
            found[head] = None
            pending += _mentioned(regions[head].statements)
    return found


def _mentioned(statements: Sequence[Statement]) -> list[str]:
    """The heads that statements lead to, by a jump or through a wait."""
    found: list[str] = []
    for one in statements:
        match one:
            case Jump(head, _):
                found.append(head)
            case End(_, terminal):
                behind = ir.behind_wait(terminal)
                found += [] if behind is None else [behind]
            case If(_, _, _, then, orelse):
                found += [*_mentioned(then), *_mentioned(orelse)]
            case Loop(_, body):
                found += _mentioned(body)
            case _:
                pass
    return found


def _places(body: ir.Body, in_order: InOrder) -> dict[str, int]:
    """The place of each instruction in the text if nothing were cut: behind all that leads to it, loops left out."""
    done: list[str] = []
    seen = {body.entry}
    # the last way is taken first, so that the first stands first in the reversed order
    pending = [(body.entry, _ways_out(body, body.entry, in_order))]
    while pending:
        id, rest = pending[-1]
        if not rest:
            done.append(id)
            pending.pop()
            continue
        target = rest.pop()
        if target not in seen:
            seen.add(target)
            pending.append((target, _ways_out(body, target, in_order)))
    return {id: place for place, id in enumerate(reversed(done))}


def _ways_out(body: ir.Body, id: str, in_order: InOrder) -> list[str]:
    """Where control goes from an instruction, through a wait too, in the order of the text."""
    node = body.instructions[id]
    if isinstance(node.operation, ir.Branch):
        return list(in_order(id, node.operation))
    behind = ir.behind_wait(node.operation)
    if behind is not None:
        return [behind]
    return [] if node.next is None else [node.next]
