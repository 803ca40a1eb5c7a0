"""Which side of a branch is nested and which goes on at the level of the `if`, where control returns from neither.

Goes in: the graph of a flow with its dominators. Comes out: an order for each branch. A side is judged by the nearest few
branches on it and never by its size, so that an edit further down turns no `if` round. A refusal is nested first (`if not
c: return None`, in the match `if c: return SETTLE`), then an end, then steps up to an end, then a single question, then
the rest; of two that look alike the true side. Guards that refuse are looked through, so a check inserted anywhere in a
build flow leaves every other `if` as it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import final

from dealwright.compiler.passes.structure_uncut import UncutGraph
from dealwright.compiler.representation import ir


@final
class Outlook(IntEnum):
    """What lies before control at some place, guards that refuse left out; what is less comes first."""

    REFUSES = 0
    """`return None` of a build flow, `return SETTLE` of the match."""
    STEPS_TO_REFUSAL = 1
    ENDS = 2
    """Another end, or a jump."""
    STEPS_TO_END = 3
    ASKS = 4
    """A branch with two sides that lead to an end without another one."""
    BRANCHES = 5
    """Anything else."""


@final
class Sides:
    """The outlook of every node of one graph.

    `uncut` is the graph without its waits, `loops` the natural loops that no wait is in, by their headers. Linear in the
    graph.
    """

    def __init__(
        self,
        instructions: Mapping[str, ir.Instruction],
        uncut: UncutGraph,
        loops: Mapping[str, frozenset[str]],
    ) -> None:
        self._instructions = instructions
        self._uncut = uncut
        self._loops = loops
        self._innermost = self._innermost_loops()
        self._known: dict[str, Outlook] = {}
        # what control comes to last first, so that what lies before a node is known already
        for id in reversed(uncut.dominance.order[1:]):
            self._known[id] = self._outlook(id)

    def in_order(self, id: str, branch: ir.Branch) -> tuple[str, str, bool]:
        """The side of branch `id` that is nested, the other one, and whether that negates the condition."""
        then = self._from(id, branch.then)
        orelse = self._from(id, branch.orelse)
        if orelse < then:
            return branch.orelse, branch.then, True
        return branch.then, branch.orelse, False

    def is_in_loop(self, id: str) -> bool:
        """Whether the node belongs to a loop that no wait is in."""
        return id in self._innermost

    def _innermost_loops(self) -> dict[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        for members in sorted(self._loops.values(), key=len, reverse=True):
            found.update(dict.fromkeys(members, members))
        return found

    def _outlook(self, id: str) -> Outlook:
        """The outlook of a node whose successors are known."""
        node = self._instructions[id]
        if not isinstance(node.operation, ir.Branch):
            assert node.next is not None
            outlook = self._from(id, node.next)
            return outlook if isinstance(node.operation, ir.Pass) else _behind(outlook)
        if self._uncut.joins(id):
            return Outlook.BRANCHES
        sides = sorted(
            (self._from(id, node.operation.then), self._from(id, node.operation.orelse))
        )
        if sides[0] <= Outlook.STEPS_TO_REFUSAL:
            return sides[1]
        if sides[1] <= Outlook.STEPS_TO_END:
            return Outlook.ASKS
        return Outlook.BRANCHES

    def _from(self, source: str, target: str) -> Outlook:
        """The outlook of a successor of node `source`; a way to a join or round a loop is a jump."""
        leads_to = self._uncut.destination(target)
        if leads_to.end is not None:
            outlook = _of_end(leads_to.end)
        elif leads_to.node is None or self._is_word(source, leads_to.node):
            outlook = Outlook.ENDS
        elif leads_to.node in self._loops:
            return Outlook.BRANCHES
        else:
            outlook = self._known[leads_to.node]
        if leads_to.has_waits and outlook is Outlook.REFUSES:
            return Outlook.STEPS_TO_REFUSAL
        return _behind(outlook) if leads_to.has_steps else outlook

    def _is_word(self, source: str, target: str) -> bool:
        around = self._innermost.get(source)
        return (
            self._uncut.dominance.is_retreating(source, target)
            or (around is not None and target not in around)
            or self._uncut.is_join(target)
        )


def _of_end(node: ir.Instruction) -> Outlook:
    is_refusal = isinstance(node.operation, ir.Reject | ir.Finish)
    return Outlook.REFUSES if is_refusal else Outlook.ENDS


def _behind(outlook: Outlook) -> Outlook:
    """The outlook in front of a step from the one behind it."""
    if outlook is Outlook.REFUSES:
        return Outlook.STEPS_TO_REFUSAL
    return Outlook.STEPS_TO_END if outlook is Outlook.ENDS else outlook
