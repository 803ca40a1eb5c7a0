"""The part of `ircheck` that looks at structured regions: they are the same flow as the graph they were made of.

Goes in: a body and its regions. Every statement is compared with its instruction, and where control goes after it with
the instruction's edge. Since each region begins at its head and each edge is checked once, no path is left out and none is
added: what `structure` made runs like the graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from typing import TypeAlias, final

from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ircheck_values import IrError
from dealwright.compiler.representation.tree import (
    Break,
    Continue,
    Do,
    End,
    If,
    Jump,
    Loop,
    Region,
    Statement,
    falls,
)

Block: TypeAlias = "tuple[Statement, ...]"


@final
@dataclass(frozen=True, slots=True)
class _Around:
    """Where control goes behind a block, on `continue` and on `break`; None where it cannot."""

    fall: str | None = None
    again: str | None = None
    out: str | None = None
    in_loop: bool = False


def check_regions(body: ir.Body, regions: Iterable[Region]) -> None:
    """Check that regions have a head for each jump and wait, keep to the words of loops, and are the flow of the body.

    Raises:
        IrError: they are not; the sentence names the region.
    """
    regions = tuple(regions)
    heads = [one.head for one in regions]
    if not heads or heads[0] != body.entry:
        raise IrError(f"the first region is not that of the entry {body.entry!r}")
    if len(set(heads)) != len(heads):
        raise IrError("two regions have the same head")
    places = _places(body)
    for region in regions:
        _Checker(body, places, frozenset(heads), region).check()
    _check_hops(regions)


def _check_hops(regions: tuple[Region, ...]) -> None:
    """Plain jumps are calls in tail position, which Python keeps: a cycle of them would pile up without end."""
    graph = {
        region.head: [
            one.head
            for one in _all_statements(region.statements)
            if isinstance(one, Jump) and not one.is_hop
        ]
        for region in regions
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        heads = " -> ".join(repr(one) for one in error.args[1])
        raise IrError(
            f"regions call each other in a circle without a hop: {heads}"
        ) from None


def _all_statements(statements: Block) -> Iterator[Statement]:
    pending = list(reversed(statements))
    while pending:
        one = pending.pop()
        yield one
        if isinstance(one, If):
            pending.extend(reversed((*one.then, *one.orelse)))
        elif isinstance(one, Loop):
            pending.extend(reversed(one.body))


@final
class _Checker:
    """Checks one region."""

    def __init__(
        self,
        body: ir.Body,
        places: Mapping[str, str],
        heads: frozenset[str],
        region: Region,
    ) -> None:
        self._instructions = body.instructions
        self._places = places
        self._heads = heads
        self._region = region

    def check(self) -> None:
        """Check the statements of the region, block by block."""
        statements = self._region.statements
        self._same_place(
            "the region begins", self._entry(statements, _Around()), self._region.head
        )
        pending = [(statements, _Around())]
        while pending:
            block, around = pending.pop()
            for place, one in enumerate(block):
                rest = block[place + 1 :]
                if rest and not falls((one,)):
                    raise self._error("a statement stands where control never comes")
                pending.extend(
                    self._statement(
                        one, replace(around, fall=self._entry(rest, around))
                    )
                )

    def _error(self, sentence: str) -> IrError:
        return IrError(f"region {self._region.head!r}: {sentence}")

    def _entry(self, block: Block, around: _Around) -> str | None:
        """The node at which control is, standing before this block; None for nowhere."""
        if not block:
            return around.fall
        match block[0]:
            case Do(id, _) | End(id, _) | If(id, _, _, _, _) | Loop(id, _):
                return id
            case Jump(head, _):
                return head
            case Continue() | Break() if not around.in_loop:
                word = type(block[0]).__name__.lower()
                raise self._error(f"a {word} stands outside loops")
            case Continue():
                return around.again
            case Break():
                return around.out

    def _statement(
        self, one: Statement, around: _Around
    ) -> list[tuple[Block, _Around]]:
        """Check a statement behind which control goes on at `around.fall`; its blocks, to be checked too."""
        match one:
            case Do(id, step):
                found = self._instruction(id)
                self._same_operation(
                    id, found.operation is step or found.operation == step
                )
                self._same_place(f"{id!r} goes on", around.fall, found.next)
            case End(id, terminal):
                found = self._instruction(id)
                self._same_operation(
                    id, found.next is None and found.operation == terminal
                )
                self._check_wait(terminal)
            case If():
                return self._if(one, around)
            case Loop(id, body):
                inside = _Around(id, id, around.fall, in_loop=True)
                self._same_place(
                    f"the loop {id!r} begins", self._entry(body, inside), id
                )
                return [(body, inside)]
            case Jump(head, _):
                if head not in self._heads:
                    raise self._error(f"a jump leads to {head!r}, which is no region")
            case Continue() | Break():
                pass  # `_entry` has looked at them
        return []

    def _if(self, one: If, around: _Around) -> list[tuple[Block, _Around]]:
        branch = self._instruction(one.id).operation
        self._same_operation(
            one.id, isinstance(branch, ir.Branch) and branch.condition is one.condition
        )
        assert isinstance(branch, ir.Branch), "was just compared"
        true, false = (
            (one.orelse, one.then) if one.is_negated else (one.then, one.orelse)
        )
        for side, target in ((true, branch.then), (false, branch.orelse)):
            self._same_place(
                f"a side of {one.id!r} goes on", self._entry(side, around), target
            )
        return [(one.then, around), (one.orelse, around)]

    def _instruction(self, id: str) -> ir.Instruction:
        if id not in self._instructions:
            raise self._error(f"{id!r} is no instruction of the flow")
        return self._instructions[id]

    def _same_operation(self, id: str, is_same: bool) -> None:
        if not is_same:
            raise self._error(f"{id!r} is not what the flow does there")

    def _check_wait(self, terminal: ir.Terminal) -> None:
        match terminal:
            case ir.AskPlay(_, next) | ir.AskChoice(_, _, next) if (
                next not in self._heads
            ):
                raise self._error(f"a wait goes on at {next!r}, which is no region")
            case _:
                pass

    def _same_place(self, what: str, found: str | None, wanted: str | None) -> None:
        if found is None:
            raise self._error(f"{what} nowhere: control falls off the region")
        places = self._places
        if places.get(found, found) != places.get(wanted or "", wanted):
            raise self._error(f"{what} at {found!r}, not at {wanted!r}")


def _places(body: ir.Body) -> dict[str, str]:
    """For each instruction the one at which something happens next: itself, unless it does nothing.

    A `Pass` does nothing, nor does a branch whose sides lead to one place, and `structure` leaves both out. A cycle of
    nothing is one place.
    """
    places = {id: id for id in body.instructions}

    def find(id: str) -> str:
        while places[id] != id:
            places[id] = id = places[places[id]]
        return id

    is_changed = True
    while is_changed:
        is_changed = False
        for id in reversed(list(body.instructions)):
            one = body.instructions[id]
            targets = {find(target) for target in ir.successors(one)}
            is_idle = (
                isinstance(one.operation, ir.Pass | ir.Branch) and len(targets) == 1
            )
            if is_idle and (place := targets.pop()) != find(id):
                places[find(id)] = place
                is_changed = True
    return {id: find(id) for id in places}
