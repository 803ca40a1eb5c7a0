"""Structured control: what `structure` makes of a body and the emitter prints.

A flow becomes one or more `Region`s, each a function. Inside, statements nest; a `Jump` goes on in another region.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

from dealwright.compiler.representation import ir


@final
@dataclass(frozen=True, slots=True)
class Do:
    """One step of the node `id`."""

    id: str
    step: ir.Step


@final
@dataclass(frozen=True, slots=True)
class If:
    """`then` if the condition of branch `id` holds (or, negated, does not); `orelse` may be empty."""

    id: str
    condition: ir.Value
    is_negated: bool
    then: tuple[Statement, ...]
    orelse: tuple[Statement, ...]


@final
@dataclass(frozen=True, slots=True)
class Loop:
    """A cycle without a wait whose head is node `id`."""

    id: str
    body: tuple[Statement, ...]


@final
@dataclass(frozen=True, slots=True)
class End:
    """The end of the flow, or a wait: node `id`."""

    id: str
    terminal: ir.Terminal


@final
@dataclass(frozen=True, slots=True)
class Jump:
    """On to the region with this head; a hop where plain calls would pile up, in a cycle."""

    head: str
    is_hop: bool


@final
@dataclass(frozen=True, slots=True)
class Continue:
    """Back to the head of the innermost loop."""


@final
@dataclass(frozen=True, slots=True)
class Break:
    """Out of the innermost loop."""


Statement: TypeAlias = Do | If | Loop | End | Jump | Continue | Break


@final
@dataclass(frozen=True, slots=True)
class Region:
    """The statements from node `head` on; control never falls off their end."""

    head: str
    statements: tuple[Statement, ...]


def falls(statements: tuple[Statement, ...] | list[Statement]) -> bool:
    """Whether control can fall off the end of these statements."""
    if not statements:
        return True
    last = statements[-1]
    match last:
        case Do():
            return True
        case If(_, _, _, then, orelse):
            return falls(then) or falls(orelse)
        case Loop(_, body):
            return has_break(body)
        case _:
            return False


def has_break(statements: tuple[Statement, ...]) -> bool:
    """Whether the loop with this body is left by a `Break` of its own."""
    return any(
        isinstance(one, Break)
        or (isinstance(one, If) and (has_break(one.then) or has_break(one.orelse)))
        for one in statements
    )


def jumps(statements: Sequence[Statement]) -> list[str]:
    """The heads of the regions that these statements jump to, in order; one that is jumped to twice is there twice."""
    found: list[str] = []
    for one in statements:
        if isinstance(one, Jump):
            found.append(one.head)
        elif isinstance(one, If):
            found += [*jumps(one.then), *jumps(one.orelse)]
        elif isinstance(one, Loop):
            found += jumps(one.body)
    return found
