"""A flow as if no wait stopped it: what the layout of its functions goes by, so that a wait put in anywhere leaves it.

Goes in: a body, and the steps that are copied wherever they are needed. Comes out: the graph in which a wait is no node but
a part of the way to what follows it, with its dominators. From it comes which joins stand behind which branch, whether
control goes on behind a side of a branch, and the order of functions. So what a wait cuts off is a function that stands
where its statements stood before. All is linear in the body.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from dealwright.compiler import ir
from dealwright.compiler.dominance import ROOT, Dominance

MOST_COPIED = 2
"""Steps between one join and the next that are copied rather than made a function."""


@final
@dataclass(frozen=True, slots=True)
class Way:
    """Where a jump leads in the end: to a `node` of the graph or to an `end` of the flow; waits that go round to neither.

    has_steps: whether copied steps stand before it. has_waits: whether waits do.
    """

    node: str | None
    end: ir.Instruction | None
    has_steps: bool
    has_waits: bool = False


_NOWHERE: Final = Way(None, None, has_steps=False)


@final
class Whole:
    """The uncut graph of one body.

    `contracted` steps are copied, so they are no nodes, nor are waits and ends; a way ends before a node that is `apart`.
    `dominance` is that of the rest.
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
        self._ways: dict[str, Way] = {}
        entry = self.resolve(body.entry)
        entries = [one for one in (entry, *sorted(apart)) if one is not None]
        self.dominance = Dominance(entries, self.successors)
        self._depth = self._depths()
        self._highest = self._find_highest()
        self._nearest = self._find_nearest()

    def resolve(self, id: str) -> str | None:
        """The node that control comes to from here, itself perhaps: behind waits and copied steps; None for an end."""
        return self.way(id).node

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
        way = self.way(target)
        return (
            not way.has_steps
            and way.node is not None
            and self.is_join(way.node)
            and not self.dominance.is_back_edge(id, way.node)
        )

    def way(self, id: str) -> Way:
        """Where control comes to from an instruction on, itself perhaps: what it meets behind waits and copied steps."""
        passed: list[str] = []
        here = id
        while here not in self._ways:
            one = self._instructions[here]
            self._ways[here] = _NOWHERE  # waits may lead round to themselves
            if isinstance(one.operation, ir.AskPlay | ir.AskChoice):
                passed.append(here)
                here = one.operation.next
            elif one.next is not None and here in self.contracted:
                passed.append(here)
                here = one.next
            elif here in self.apart:
                break
            elif one.next is not None or isinstance(one.operation, ir.Branch):
                self._ways[here] = Way(here, None, has_steps=False)
            else:
                self._ways[here] = Way(None, one, has_steps=False)
        found = self._ways[here]
        for passing in reversed(passed):
            if passing not in self.contracted:
                found = replace(found, has_waits=True)
            elif not self._is_pass(passing):
                found = replace(found, has_steps=True)
            self._ways[passing] = found
        return self._ways[id]

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
    whole = Whole(body)
    copied: dict[str, int] = {}
    places: dict[str, list[int]] = {}
    for id in reversed(whole.dominance.order[1:]):
        steps, join = _way_to_join(whole, body, id)
        if join is None:
            continue
        length = len(steps) + copied.get(join, 0)
        if length <= MOST_COPIED and _is_shared(whole, places, id, join):
            copied.update(dict.fromkeys(steps, length))
    return frozenset(copied)


def _way_to_join(whole: Whole, body: ir.Body, id: str) -> tuple[list[str], str | None]:
    """The few steps from a join to the next one; no join if something else comes first."""
    steps: list[str] = []
    here = id
    if not _is_plain_join(whole, id):
        return steps, None
    while len(steps) < MOST_COPIED:
        if isinstance(body.instructions[here].operation, ir.Branch):
            break
        steps.append(here)
        behind = whole.successors(here)
        if not behind or whole.dominance.is_retreating(here, behind[0]):
            break
        here = behind[0]
        if len(whole.dominance.predecessors[here]) > 1:
            return steps, here if _is_plain_join(whole, here) else None
    return steps, None


def _is_plain_join(whole: Whole, id: str) -> bool:
    """Whether it is a join to which control comes only forward."""
    dominance = whole.dominance
    predecessors = dominance.predecessors[id]
    return len(predecessors) > 1 and not any(
        dominance.is_retreating(one, id) for one in predecessors
    )


def _is_shared(whole: Whole, places: dict[str, list[int]], id: str, join: str) -> bool:
    """Whether control comes to `join` from the branch before the join `id` in another way than through that."""
    dominance = whole.dominance
    if join not in places:
        before = dominance.predecessors[join]
        places[join] = sorted(dominance.below(one)[0] for one in before)
    first, last = dominance.below(dominance.parent[id])
    return bisect(places[join], last) - bisect(places[join], first - 1) > 1


def reading_order(
    body: ir.Body, in_order: Callable[[str, ir.Branch], Sequence[str]]
) -> dict[str, int]:
    """The place of each instruction in the text if nothing were cut: behind all that leads to it, loops left out.

    in_order: gives the two ways out of a branch in the order of their statements.
    """
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


def _ways_out(
    body: ir.Body, id: str, in_order: Callable[[str, ir.Branch], Sequence[str]]
) -> list[str]:
    """Where control goes from an instruction, through a wait too, in the order of the text."""
    node = body.instructions[id]
    if isinstance(node.operation, ir.Branch):
        return list(in_order(id, node.operation))
    if isinstance(node.operation, ir.AskPlay | ir.AskChoice):
        return [node.operation.next]
    return [] if node.next is None else [node.next]
