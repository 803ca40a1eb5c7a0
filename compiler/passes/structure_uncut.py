"""A flow as if no wait stopped it: what the layout of its functions goes by, so that a wait put in anywhere leaves it.

Goes in: a body, and the steps that are copied wherever they are needed. Comes out: the graph in which a wait is no node but
a part of the way to what follows it, with its dominators. From it comes which joins stand behind which branch, and
whether control goes on behind a side of a branch. So what a wait cuts off leaves the rest as it is. All is linear in the
body.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass, replace
from typing import Final, final

from dealwright.compiler.representation import ir
from dealwright.compiler.representation.dominance import ROOT, Dominance

MOST_COPIED = 2
"""Steps between one join and the next that are copied rather than made a function."""


@final
@dataclass(frozen=True, slots=True)
class Destination:
    """Where a jump leads in the end: to a `node` of the graph or to an `end` of the flow.

    To neither where waits only lead round to one another, and where the jump leads to a node that is apart. has_steps:
    whether copied steps stand before it. has_waits: whether waits do.
    """

    node: str | None
    end: ir.Instruction | None
    has_steps: bool
    has_waits: bool = False


_NOWHERE: Final = Destination(None, None, has_steps=False)


@final
class UncutGraph:
    """The uncut graph of one body; `dominance` is that of its nodes.

    contracted: steps that are copied; they are no nodes, nor are waits and ends.
    apart: joins that are to stand behind no branch, since what leads to them is nested too deep for one function. Nothing
    leads to such a node: a jump to it counts as an end, so the branches before it are guards rather than sides within
    sides. The flow comes to it nevertheless, and what follows it is laid out like the rest; so it is a root beside the
    entry. Only where statements stand is asked of this graph, never where control goes, so a missing edge can do no harm.
    """

    def __init__(
        self,
        body: ir.Body,
        contracted: frozenset[str] = frozenset(),
        apart: frozenset[str] = frozenset(),
    ) -> None:
        self.contracted = contracted
        self.apart = apart
        self._instructions = body.instructions
        self._destinations: dict[str, Destination] = {}
        entry = self.resolve(body.entry)
        entries = [one for one in (entry, *sorted(apart)) if one is not None]
        self.dominance = Dominance(entries, self.successors)
        self._depth = self._depths()
        self._highest = self._find_highest()
        self._nearest = self._find_nearest()

    def resolve(self, id: str) -> str | None:
        """The node that control comes to from here, itself perhaps: behind waits and copied steps; None for an end."""
        return self.destination(id).node

    def successors(self, id: str) -> list[str]:
        """The nodes that control comes to next from a node."""
        nodes = map(self.resolve, ir.successors(self._instructions[id]))
        return list(dict.fromkeys(node for node in nodes if node is not None))

    def joins(self, id: str) -> list[str]:
        """The joins that stand behind a branch, nearest first."""
        return [one for one in self.dominance.children[id] if self.is_join(one)]

    def is_join(self, id: str) -> bool:
        """Whether control comes to the node from several places, rounds of a loop left out."""
        return self.dominance.forward_predecessors(id) > 1

    def nearest(self, id: str) -> str | None:
        """The join that stands behind a node nearest, where control may come to if nothing is cut; None if none does."""
        node = self.resolve(id)
        return None if node is None else self._nearest[node]

    def goes_on(self, id: str, target: str, join: str) -> bool:
        """Whether control that leaves a branch by `target` may come to this join behind it, or beyond it."""
        node = self.resolve(target)
        if node is None or self.dominance.is_back_edge(id, node):
            return False
        if self.is_join(node):
            return node == join
        return self._highest[node] < self._depth.get(join, 0)

    def goes_straight_on(self, id: str, target: str) -> bool:
        """Whether nothing but waits, if that, stands before such a join."""
        leads_to = self.destination(target)
        return (
            not leads_to.has_steps
            and leads_to.node is not None
            and self.is_join(leads_to.node)
            and not self.dominance.is_back_edge(id, leads_to.node)
        )

    def destination(self, id: str) -> Destination:
        """Where control comes to from an instruction on, itself perhaps: what it meets behind waits and copied steps."""
        passed: list[str] = []
        here = id
        while here not in self._destinations:
            one = self._instructions[here]
            self._destinations[here] = _NOWHERE  # waits may lead round to themselves
            behind = ir.behind_wait(one.operation)
            if behind is None and here in self.contracted:
                behind = one.next
            if behind is not None:
                passed.append(here)
                here = behind
            elif here in self.apart:
                break
            elif one.next is not None or isinstance(one.operation, ir.Branch):
                self._destinations[here] = Destination(here, None, has_steps=False)
            else:
                self._destinations[here] = Destination(None, one, has_steps=False)
        found = self._destinations[here]
        for passing in reversed(passed):
            if passing not in self.contracted:
                found = replace(found, has_waits=True)
            elif not self._is_pass(passing):
                found = replace(found, has_steps=True)
            self._destinations[passing] = found
        return self._destinations[id]

    def _is_pass(self, id: str) -> bool:
        return isinstance(self._instructions[id].operation, ir.Pass)

    def _depths(self) -> dict[str, int]:
        """How deep each node lies in the dominator tree."""
        depth = {ROOT: 0}
        for id in self.dominance.order[1:]:
            depth[id] = depth[self.dominance.parent[id]] + 1
        return depth

    def _find_highest(self) -> dict[str, int]:
        """For each node the depth of the highest branch behind which control may go on from it or from a node below it."""
        dominance, depth = self.dominance, self._depth
        found = dict(depth)
        for id in reversed(dominance.order[1:]):
            for target in self.successors(id):
                if not dominance.is_back_edge(id, target):
                    found[id] = min(found[id], depth[dominance.parent[target]])
            parent = dominance.parent[id]
            found[parent] = min(found[parent], found[id])
        return found

    def _find_nearest(self) -> dict[str, str | None]:
        """For each node the first join behind it that belongs to the lowest branch above."""
        found: dict[str, str | None] = {ROOT: None}
        for id in self.dominance.order:
            behind = found[id]
            for child in reversed(self.dominance.children[id]):
                found[child] = behind
                if id != ROOT and self.is_join(child):
                    behind = child
        return found


def between_joins(body: ir.Body) -> frozenset[str]:
    """The steps that lead from one join to a second one that others come to too: copied, the second one is the only join.

    Before: `a -> s`, `b -> s`, `s -> t`, `c -> t`. After: `if a: s`, `elif b: s`, then `t`. No more than `MOST_COPIED` steps
    in a row are copied, so the copies are linear in the body.
    """
    uncut = UncutGraph(body)
    copied: dict[str, int] = {}
    places: dict[str, list[int]] = {}
    for id in reversed(uncut.dominance.order[1:]):
        steps, join = _way_to_join(uncut, body, id)
        if join is None:
            continue
        length = len(steps) + copied.get(join, 0)
        if length <= MOST_COPIED and _is_shared(uncut, places, id, join):
            copied.update(dict.fromkeys(steps, length))
    return frozenset(copied)


def _way_to_join(
    uncut: UncutGraph, body: ir.Body, id: str
) -> tuple[list[str], str | None]:
    """The few steps from a join to the next one; no join if something else comes first."""
    steps: list[str] = []
    here = id
    if not _is_plain_join(uncut, id):
        return steps, None
    while len(steps) < MOST_COPIED:
        if isinstance(body.instructions[here].operation, ir.Branch):
            break
        steps.append(here)
        behind = uncut.successors(here)
        if not behind or uncut.dominance.is_retreating(here, behind[0]):
            break
        here = behind[0]
        if len(uncut.dominance.predecessors[here]) > 1:
            return steps, here if _is_plain_join(uncut, here) else None
    return steps, None


def _is_plain_join(uncut: UncutGraph, id: str) -> bool:
    """Whether it is a join to which control comes only forward."""
    dominance = uncut.dominance
    predecessors = dominance.predecessors[id]
    return len(predecessors) > 1 and not any(
        dominance.is_retreating(one, id) for one in predecessors
    )


def _is_shared(
    uncut: UncutGraph, places: dict[str, list[int]], id: str, join: str
) -> bool:
    """Whether control comes to `join` from the branch before the join `id` in another way than through that."""
    dominance = uncut.dominance
    if join not in places:
        before = dominance.predecessors[join]
        places[join] = sorted(dominance.preorder_span(one)[0] for one in before)
    first, last = dominance.preorder_span(dominance.parent[id])
    return bisect(places[join], last) - bisect(places[join], first - 1) > 1
