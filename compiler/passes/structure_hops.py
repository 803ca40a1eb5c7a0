"""Which of the calls from one function of a flow to another have to be hops, so that no stack grows.

Goes in: the regions of a flow. Comes out: the same, with a hop for every jump that closes a cycle and for those that would
make a chain of calls too long.
"""

from __future__ import annotations

from dealwright.compiler.representation.dominance import Dominance
from dealwright.compiler.representation.tree import (
    If,
    Jump,
    Loop,
    Region,
    Statement,
    jumps,
)
from dealwright.compiler.rule.flowgraph import strongly_connected

MOST_CALLS = 50
"""Functions of one flow that call one another in a row before a hop; CPython allows about 1,000 frames in all."""


def with_hops(regions: tuple[Region, ...]) -> tuple[Region, ...]:
    """Make hops of the jumps that close a cycle, and of those that would make a chain of calls too long."""
    targets = {
        region.head: list(dict.fromkeys(jumps(region.statements))) for region in regions
    }
    component = {
        head: number
        for number, heads in enumerate(strongly_connected(targets, targets.__getitem__))
        for head in heads
    }
    landings = _landings(targets, component)
    return tuple(
        Region(
            region.head,
            _hopping(region.statements, region.head, component, landings),
        )
        for region in regions
    )


def _landings(
    targets: dict[str, list[str]], component: dict[str, int]
) -> frozenset[str]:
    """The regions that are only hopped to, so that at most `MOST_CALLS` others are called from one another in a row."""
    depth = dict.fromkeys(targets, 0)
    found: set[str] = set()
    order = Dominance(list(targets), lambda head: targets[head]).order[1:]
    for head in order:
        if depth[head] >= MOST_CALLS:
            found.add(head)
            depth[head] = 0
        for target in targets[head]:
            if component[target] != component[head]:
                depth[target] = max(depth[target], depth[head] + 1)
    return frozenset(found)


def _hopping(
    statements: tuple[Statement, ...],
    head: str,
    component: dict[str, int],
    landings: frozenset[str],
) -> tuple[Statement, ...]:
    changed: list[Statement] = []
    for one in statements:
        match one:
            case Jump(target, _):
                is_hop = target in landings or component[target] == component[head]
                changed.append(Jump(target, is_hop))
            case If(id, condition, is_negated, then, orelse):
                parts = (
                    _hopping(then, head, component, landings),
                    _hopping(orelse, head, component, landings),
                )
                changed.append(If(id, condition, is_negated, *parts))
            case Loop(id, body):
                changed.append(Loop(id, _hopping(body, head, component, landings)))
            case _:
                changed.append(one)
    return tuple(changed)
