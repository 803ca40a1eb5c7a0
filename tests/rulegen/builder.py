"""The nodes of one flow while it is being generated: ids, jumps in either place, and what exists to be referred to.

Nodes are made after everything they refer to or jump to, except where a loop is closed; that is what keeps generated
values free of circles and makes every jump land.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.rulegen.choose import chance, pick, weighted
from tests.rulegen.names import NODE_WORDS
from tests.rulegen.world import World

START_TYPE = {"match": 17, "end": 23, "method": 25, "build": 27, "compare": 29}
OPERATORS = (6, 10, 11, 12, 14)

Ref = str | int | bool | None


@dataclass(frozen=True, slots=True)
class Value:
    """Something to refer to: its kind, about how many evaluations it costs, and how fast it can grow.

    Kinds: int, bool, card, player, table, cards, players, list, play, none. `degree` is the power in which properties
    appear in it: an assignment of degree two or more would square a property at every pass and is reduced by its user.
    """

    ref: Ref
    kind: str
    cost: int = 1
    degree: int = 0


class Builder:
    """One flow being generated.

    `kind` is the kind of flow. `values` are the finished value nodes, `targets` the control nodes that anybody may jump
    to. `parameters` are those of a method that can be referred to by name, `owner` its class.
    """

    def __init__(
        self,
        world: World,
        kind: str,
        *,
        parameters: tuple[tuple[str, str], ...] = (),
        owner: str = "",
        cost_limit: int = 400,
    ) -> None:
        self.world = world
        self.choose = world.choose
        self.kind = kind
        self.parameters = parameters
        self.owner = owner
        self.cost_limit = cost_limit
        self.cost = 0
        self.nodes: dict[str, dict[str, Any]] = {}
        self.values: list[Value] = []
        self.targets: list[str] = []
        self._used = {"1"}
        self._number = 1
        self._style = pick(self.choose, ("numbers", "words", "both"))

    def new_id(self) -> str:
        """An id that no node has yet."""
        style = (
            self._style
            if self._style != "both"
            else pick(self.choose, ("numbers", "words"))
        )
        while True:
            self._number += 1
            word = str(self._number)
            if style == "words":
                word = pick(self.choose, NODE_WORDS)
                if word in self._used:
                    word = f"{word}{self._number}"
            if word not in self._used and not (
                self.kind == "compare" and word in ("A", "b")
            ):
                self._used.add(word)
                return word

    def add(
        self,
        type_number: int,
        content: Mapping[str, Any],
        *,
        id: str | None = None,
        count: str = "",
    ) -> str:
        """Adds a node and returns its id. `count` names what the census shall count it as, by default its component."""
        id = id or self.new_id()
        node: dict[str, Any] = {"type": type_number, "content": dict(content)}
        if not content and chance(self.choose, 30):
            node["content"] = None
        self.nodes[id] = node
        operator = content.get("operator")
        label = count or (
            f"{type_number}.{operator}"
            if type_number in OPERATORS
            else str(type_number)
        )
        self.world.counts[(label, self.kind)] += 1
        return id

    def link(self, id: str, field: str, target: str) -> None:
        """Makes `field` of a node jump to `target`, written on the node or in its content (the node's counts)."""
        node = self.nodes[id]
        place = weighted(self.choose, [(5, "content"), (3, "node"), (1, "both")])
        if place != "content":
            node[field] = target
        if place == "both" and self.targets:
            node["content"] = {
                **(node["content"] or {}),
                field: pick(self.choose, self.targets),
            }
        elif place != "node":
            node["content"] = {**(node["content"] or {}), field: target}

    def control(
        self,
        type_number: int,
        content: Mapping[str, Any],
        then: str,
        *,
        count: str = "",
    ) -> str:
        """Adds a statement that goes on to `then`, and lets others jump to it."""
        id = self.add(type_number, content, count=count)
        self.link(id, "next", then)
        self.targets.append(id)
        return id

    def branch(
        self, condition: Ref, if_true: str, if_false: str, *, id: str | None = None
    ) -> str:
        """Adds a branch and lets others jump to it."""
        id = self.add(16, {"condition": condition}, id=id)
        self.link(id, "next_true", if_true)
        self.link(id, "next_false", if_false)
        if self.targets and chance(self.choose, 5):
            self.nodes[id]["next"] = pick(
                self.choose, self.targets
            )  # no edge: the contract says so
        self.targets.append(id)
        return id

    def value(
        self,
        type_number: int,
        content: Mapping[str, Any],
        kind: str,
        cost: int,
        degree: int = 0,
        **more: str,
    ) -> Value:
        """Adds a value node, to be shared by whoever finds it in `values`."""
        id = self.add(type_number, content, **more)
        made = Value(id, kind, cost, degree)
        self.values.append(made)
        self.cost += 1
        return made

    def on_the_path(self, then: str) -> str:
        """Puts a value node that nobody passes through yet on the control path; its value is dropped there."""
        free = [
            value.ref
            for value in self.values
            if "next" not in self.nodes[str(value.ref)]
        ]
        free = [
            ref for ref in free if "next" not in (self.nodes[str(ref)]["content"] or {})
        ]
        free = [
            ref
            for ref in free
            if self.nodes[str(ref)]["type"] not in (1, 2, 17, 21, 22, 23, 25, 27, 29)
        ]
        if not free:
            return then
        id = str(pick(self.choose, free))
        self.link(id, "next", then)
        self.targets.append(id)
        return id

    def scratch(self) -> None:
        """Adds a node that nothing leads to, in whatever shape; only its jumps must land."""
        content: Any = pick(
            self.choose,
            (
                None,
                {},
                {"operator": "x"},
                {"lval": [1], "rval": 0.5},
                "text",
                [],
                {"component": {}, "result": "1"},
            ),
        )
        node: dict[str, Any] = {
            "type": pick(self.choose, (8, 3, 99, 14, 4, 101)),
            "content": content,
        }
        if self.targets and chance(self.choose, 50):
            node["next"] = pick(self.choose, self.targets)
        self.nodes[self.new_id()] = node

    def finish(self, entry: str) -> dict[str, Any]:
        """Adds node 1, decorates the nodes as an editor would, and returns the flow as JSON."""
        start = (
            {}
            if not chance(self.choose, 10)
            else {"cardsetA": "Single", "note": "示例"}
        )
        self.add(START_TYPE[self.kind], start, id="1")
        self.link("1", "next", entry)
        for _ in range(weighted(self.choose, [(6, 0), (2, 1), (1, 3)])):
            self.scratch()
        ids = list(self.nodes)
        if not chance(self.choose, 30):
            ids.reverse()
        every = pick(self.choose, (len(ids) + 1, 1, 3, 7))
        for place, id in enumerate(ids[every - 1 :: every]):
            self.nodes[id]["position"] = {"x": -0.5 * place, "y": 40}
        self.world.flows += 1
        return {id: self.nodes[id] for id in ids}
