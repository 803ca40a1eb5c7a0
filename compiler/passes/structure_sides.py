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

from dealwright.compiler import ir
from dealwright.compiler.dominance import Dominance


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

    `free` nodes are copied wherever they are needed, `heads` are those that are jumped to, `loops` the natural loops by
    their headers. Linear in the graph.
    """

    def __init__(
        self,
        instructions: Mapping[str, ir.Instruction],
        dominance: Dominance,
        free: frozenset[str],
        heads: frozenset[str],
        loops: Mapping[str, frozenset[str]],
    ) -> None:
        self._instructions = instructions
        self._dominance = dominance
        self._free = free
        self._heads = heads
        self._loops = loops
        self._innermost = self._innermost_loops()
        self._known: dict[str, Outlook] = {}
        # what control comes to last first, so that what lies before a node is known already
        for id in reversed(dominance.order[1:]):
            self._known[id] = self._outlook(id)

    def in_order(self, id: str, branch: ir.Branch) -> tuple[str, str, bool]:
        """The side of branch `id` that is nested, the other one, and whether that negates the condition."""
        then = self._from(id, branch.then)
        orelse = self._from(id, branch.orelse)
        if orelse < then:
            return branch.orelse, branch.then, True
        return branch.then, branch.orelse, False

    def _innermost_loops(self) -> dict[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        for members in sorted(self._loops.values(), key=len, reverse=True):
            found.update(dict.fromkeys(members, members))
        return found

    def _outlook(self, id: str) -> Outlook:
        """The outlook of a node whose successors are known."""
        node = self._instructions[id]
        if not isinstance(node.operation, ir.Branch):
            if node.next is None:
                return _of_end(node)
            return _behind([node], self._from(id, node.next))
        if any(self._is_join(child) for child in self._dominance.children[id]):
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
        steps: list[ir.Instruction] = []
        while target in self._free:
            node = self._instructions[target]
            if node.next is None:
                return _behind(steps, _of_end(node))
            steps.append(node)
            target = node.next
        if self._is_word(source, target):
            return _behind(steps, Outlook.ENDS)
        if target in self._loops:
            return Outlook.BRANCHES
        return _behind(steps, self._known[target])

    def _is_word(self, source: str, target: str) -> bool:
        around = self._innermost.get(source)
        return (
            target in self._heads
            or self._dominance.is_retreating(source, target)
            or (around is not None and target not in around)
            or self._is_join(target)
        )

    def _is_join(self, id: str) -> bool:
        return self._dominance.forward_predecessors(id) > 1


def _of_end(node: ir.Instruction) -> Outlook:
    is_refusal = isinstance(node.operation, ir.Reject | ir.Finish)
    return Outlook.REFUSES if is_refusal else Outlook.ENDS


def _behind(steps: list[ir.Instruction], outlook: Outlook) -> Outlook:
    """The outlook in front of steps from the one behind them."""
    if all(isinstance(node.operation, ir.Pass) for node in steps):
        return outlook
    if outlook is Outlook.REFUSES:
        return Outlook.STEPS_TO_REFUSAL
    return Outlook.STEPS_TO_END if outlook is Outlook.ENDS else outlook
