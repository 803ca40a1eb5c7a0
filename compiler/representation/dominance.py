"""Order, dominators and natural loops of a graph with several entries.

Dominators are found by the iterative algorithm of Cooper, Harvey and Kennedy ("A simple, fast dominance algorithm",
2001). A virtual root, `ROOT`, leads to every entry, so a node that two entries share is a child of the root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import final

ROOT = "\0root"
"""Stands before all entries; no node id holds a NUL after loading."""


@final
class Dominance:
    """The dominator tree of everything reachable from `entries` along `successors`.

    `order` is reverse postorder without the root, `rank` a node's place in it, `parent` its immediate dominator,
    `children` the tree in that order, `sizes` the size of each subtree, `predecessors` the edges turned round.
    """

    def __init__(
        self, entries: Sequence[str], successors: Callable[[str], Iterable[str]]
    ) -> None:
        self._successors: dict[str, tuple[str, ...]] = {
            ROOT: tuple(dict.fromkeys(entries))
        }
        self.order = self._reverse_postorder(successors)
        self.rank = {id: place for place, id in enumerate(self.order)}
        self.predecessors: dict[str, list[str]] = {id: [] for id in self.order}
        for id in self.order:
            for target in self._successors[id]:
                self.predecessors[target].append(id)
        self.parent = self._parents()
        self.children: dict[str, list[str]] = {id: [] for id in self.order}
        for id in self.order[1:]:
            self.children[self.parent[id]].append(id)
        self.sizes = dict.fromkeys(self.order, 1)
        for id in reversed(self.order[1:]):
            self.sizes[self.parent[id]] += self.sizes[id]
        self._intervals = self._number_tree()
        self._forward: dict[str, int] = {}

    def dominates(self, above: str, below: str) -> bool:
        """Whether every way to `below` leads through `above` (which may be itself)."""
        first, last = self._intervals[above]
        return first <= self._intervals[below][0] <= last

    def preorder_span(self, id: str) -> tuple[int, int]:
        """The first and the last place, in preorder of the tree, of the nodes that this one dominates, itself the first."""
        return self._intervals[id]

    def is_back_edge(self, source: str, target: str) -> bool:
        """Whether the edge closes a natural loop."""
        return self.dominates(target, source)

    def is_retreating(self, source: str, target: str) -> bool:
        """Whether the edge goes against the order; if it is no back edge, the graph is irreducible there."""
        return self.rank[target] <= self.rank[source]

    def forward_predecessors(self, id: str) -> int:
        """How many edges other than back edges lead to the node."""
        known = self._forward.get(id)
        if known is None:
            known = self._forward[id] = sum(
                not self.is_back_edge(source, id) for source in self.predecessors[id]
            )
        return known

    def natural_loop(self, header: str) -> frozenset[str]:
        """The nodes of the loop with this header, which is among them; empty if it is no header."""
        pending = [
            one for one in self.predecessors[header] if self.is_back_edge(one, header)
        ]
        if not pending:
            return frozenset()
        found = {header}
        while pending:
            id = pending.pop()
            if id not in found:
                found.add(id)
                pending.extend(self.predecessors[id])
        return frozenset(found)

    def _reverse_postorder(
        self, successors: Callable[[str], Iterable[str]]
    ) -> list[str]:
        done: list[str] = []
        seen = {ROOT}
        # successors are visited last first, so that the first stands first in the reversed order
        pending = [(ROOT, iter(reversed(self._successors[ROOT])))]
        while pending:
            id, rest = pending[-1]
            target = next(rest, None)
            if target is None:
                done.append(id)
                pending.pop()
            elif target not in seen:
                seen.add(target)
                self._successors[target] = tuple(successors(target))
                pending.append((target, iter(reversed(self._successors[target]))))
        return done[::-1]

    def _parents(self) -> dict[str, str]:
        parent = {ROOT: ROOT}
        changed = True
        while changed:
            changed = False
            for id in self.order[1:]:
                # latest first: those meet near by, while the first and the last of many would climb the whole tree
                known = sorted(
                    (one for one in self.predecessors[id] if one in parent),
                    key=self.rank.__getitem__,
                    reverse=True,
                )
                new = known[0]
                for other in known[1:]:
                    new = self._meet(parent, other, new)
                if parent.get(id) != new:
                    parent[id] = new
                    changed = True
        return parent

    def _meet(self, parent: dict[str, str], one: str, other: str) -> str:
        while one != other:
            while self.rank[one] > self.rank[other]:
                one = parent[one]
            while self.rank[other] > self.rank[one]:
                other = parent[other]
        return one

    def _number_tree(self) -> dict[str, tuple[int, int]]:
        first: dict[str, int] = {}
        count = 0
        pending = [ROOT]
        while pending:
            id = pending.pop()
            first[id] = count
            count += 1
            pending.extend(reversed(self.children[id]))
        return {id: (place, place + self.sizes[id] - 1) for id, place in first.items()}
