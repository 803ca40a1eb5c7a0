"""What nodes of two versions of a flow are recognised by: numbers that are equal where something about them is the same.

From the most to the least demanding: the whole neighbourhood up to some radius, the formula below a node, the node
alone, its type. A number means the same in both versions. Everything is linear in the flow for each level, and iterative.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, final

from dealwright.compiler.adopt.flows import NodePlace
from dealwright.compiler.rule.components import START_TYPES, WAIT_TYPES

Nodes: TypeAlias = Mapping[str, NodePlace]
Keys: TypeAlias = dict[str, int]
Numbers: TypeAlias = dict[Hashable, int]

RADIUS: Final = 8
"""How far the widest neighbourhood reaches, in links."""


@final
class Side:
    """One version of a flow: its nodes, and its links in both directions by label."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self.out: dict[str, dict[str, str]] = {
            id: {link.label: link.target for link in node.links}
            for id, node in nodes.items()
        }
        self.into: dict[str, dict[str, dict[str, None]]] = {id: {} for id in nodes}
        for id, links in self.out.items():
            for label, target in links.items():
                self.into[target].setdefault(label, {})[id] = None
        self.order = {id: number for number, id in enumerate(nodes)}


@final
@dataclass(frozen=True, slots=True)
class Level:
    """Keys of both versions. `is_telling`: a key that only one node on each side has makes them the same node."""

    old: Keys
    new: Keys
    is_telling: bool


def levels(old: Side, new: Side) -> list[Level]:
    """All levels, the most demanding first; the last two are for propagation along links only."""
    numbers: Numbers = {}
    rounds = list(zip(_rounds(old, numbers), _rounds(new, numbers), strict=True))
    found = [Level(*pair, is_telling=True) for pair in reversed(rounds)]
    deep = Level(_formulas(old, numbers), _formulas(new, numbers), is_telling=True)
    types = Level(_types(old, numbers), _types(new, numbers), is_telling=False)
    places = Level(_places(old, numbers), _places(new, numbers), is_telling=False)
    # of little neighbourhoods the formula below says more than the nodes around
    return [*found[:-2], deep, *found[-2:], types, places]


def _number(numbers: Numbers, key: Hashable) -> int:
    return numbers.setdefault(key, len(numbers))


def _alone(side: Side, numbers: Numbers) -> Keys:
    return {
        id: _number(numbers, ("alone", node.type, node.fields))
        for id, node in side.nodes.items()
    }


def _rounds(side: Side, numbers: Numbers) -> Iterator[Keys]:
    """The node alone, then its neighbourhoods of radius 1, 2, …: each is what the nodes around it were before."""
    keys = _alone(side, numbers)
    yield keys
    for _ in range(RADIUS):
        keys = {id: _around(side, id, keys, numbers) for id in side.nodes}
        yield keys


def _around(side: Side, id: str, keys: Keys, numbers: Numbers) -> int:
    out = tuple(sorted((label, keys[to]) for label, to in side.out[id].items()))
    into = tuple(
        sorted(
            (label, keys[source])
            for label, sources in side.into[id].items()
            for source in sources
        )
    )
    return _number(numbers, ("around", keys[id], out, into))


def _formulas(side: Side, numbers: Numbers) -> Keys:
    """A node with all that it refers to, jumps left out; in a circle (scratch work only) the first node met stands alone."""
    alone = _alone(side, numbers)
    found: Keys = {}
    below = {
        id: [(one.label, one.target) for one in node.links if not one.is_jump]
        for id, node in side.nodes.items()
    }
    for root in side.nodes:
        opened: set[str] = set()
        pending = [root]
        while pending:
            id = pending[-1]
            needed = [to for _, to in below[id] if to not in found and to not in opened]
            if id not in opened and id not in found:
                opened.add(id)
                pending.extend(needed)
                if needed:
                    continue
            pending.pop()
            if id not in found:
                parts = tuple(
                    (label, found.get(to, alone[to])) for label, to in below[id]
                )
                found[id] = _number(numbers, ("formula", alone[id], parts))
    return found


def _types(side: Side, numbers: Numbers) -> Keys:
    return {
        id: _number(numbers, ("type", node.type)) for id, node in side.nodes.items()
    }


def _places(side: Side, numbers: Numbers) -> Keys:
    """The same for all nodes but starts and waits: a saved match may be at a wait, which must not become another thing."""
    kept = START_TYPES | WAIT_TYPES
    return {
        id: _number(numbers, ("place", node.type if node.type in kept else None))
        for id, node in side.nodes.items()
    }
