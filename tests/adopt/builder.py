"""A stand-in for the visual builder: it numbers the nodes of every flow anew, as if all had been moved on the canvas.

Written from the contract alone, sharing nothing with the compiler: which fields refer to nodes stands here a second
time. References that are keywords, parameters or objects are never those of nodes, whatever nodes are called.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

Json: TypeAlias = Any
Flow: TypeAlias = dict[str, Any]

JUMPS = ("next", "next_true", "next_false")
REFERENCES = {
    2: ("selection",),
    4: ("component", "rvalue"),
    5: ("selection", "index"),
    7: ("selection",),
    10: ("lval", "rval"),
    11: ("set", "component"),
    12: ("lval", "rval"),
    13: ("component",),
    14: ("lval", "rval"),
    15: ("card_set",),
    16: ("condition",),
    26: ("return",),
}
ANYWHERE = set("cards card_set selectedCards selected_cards 初始牌组 牌组 玩家".split())
COMPARED = set(
    "A a cardsetA cardset_a currentRound current_round 牌型A".split()
    + "B b cardsetB cardset_b previousRound previous_round 牌型B".split()
    + ["牌型 A", "牌型 B"]
)
OBJECT = re.compile(r"table_0|(player|card)_[0-9]+")


def design_of(rule: Json) -> Json:
    """The object with the five sections."""
    return rule.get("design", rule)


def flows_of(rule: Json) -> Iterator[tuple[str, Flow, frozenset[str]]]:
    """Every flow that has nodes: a path, its nodes, and the words that are no nodes in it."""
    design = design_of(rule)
    for owner, one in design["classes"].items():
        for name, method in (one.get("methods") or {}).items():
            words = {*(method.get("parameters") or {}), "调用该方法的对象"}
            yield f"{owner}.{name}", method["flow"], frozenset(ANYWHERE | words)
    for id, one in design["cardsets"].items():
        yield f"build {id}", one["build_flow"], frozenset(ANYWHERE)
        if one.get("compare_flow"):
            yield f"compare {id}", one["compare_flow"], frozenset(ANYWHERE | COMPARED)
    for id, one in (design.get("cardset_comparisons") or {}).items():
        if one.get("compare_flow"):
            words = ANYWHERE | COMPARED
            yield f"comparison {id}", one["compare_flow"], frozenset(words)
    yield "match", design["match_flow"], frozenset(ANYWHERE)
    yield "end", design["end_flow"], frozenset(ANYWHERE)


def renumbered(rule: Json, rng: random.Random, first: int = 2) -> Json:
    """A copy of the rule in which every node but "1" has another number, from `first` on, in another order."""
    made = copy_of(rule)
    for _, flow, words in flows_of(made):
        rest = [id for id in flow if id != "1"]
        numbers = [str(number) for number in range(first, first + len(rest))]
        rng.shuffle(numbers)
        rename(flow, words, dict(zip(rest, numbers, strict=True)) | {"1": "1"})
        nodes = list(flow.items())
        rng.shuffle(nodes)
        flow.clear()
        flow.update(nodes)
    return made


def rename(flow: Flow, words: frozenset[str], ids: dict[str, str]) -> None:
    """Give the nodes of a flow other ids, in place; every field that means a node follows."""

    def reference(text: Json) -> Json:
        if not isinstance(text, str) or text.strip() in words:
            return text
        return text if OBJECT.fullmatch(text.strip()) else ids.get(text, text)

    nodes = {ids[id]: node for id, node in flow.items()}
    for node in nodes.values():
        found = node.get("content")
        content = found if isinstance(found, dict) else {}
        for holder in (node, content):
            for jump in JUMPS:
                if isinstance(target := holder.get(jump), str):
                    holder[jump] = ids.get(target, target)
        fields = REFERENCES.get(node["type"], ())
        if node["type"] == 6 and content.get("operator", 0) != 0:
            fields = ("ident",)
        for field in fields:
            if field in content and not (
                node["type"] == 26 and content[field] == "void"
            ):
                content[field] = reference(content[field])
        if node["type"] == 1 and isinstance(content.get("parameter"), list):
            content["parameter"] = [reference(one) for one in content["parameter"]]
    flow.clear()
    flow.update(nodes)


def moved(rule: Json, rng: random.Random) -> Json:
    """A copy of the rule with every node somewhere else on the canvas."""
    made = copy_of(rule)
    for _, flow, _ in flows_of(made):
        for node in flow.values():
            node["position"] = {"x": rng.uniform(-999, 999), "y": rng.randint(-9, 999)}
    return made


def without_positions(rule: Json) -> Json:
    """A copy of the rule that says nothing of the canvas."""
    made = copy_of(rule)
    for _, flow, _ in flows_of(made):
        for node in flow.values():
            node.pop("position", None)
    return made


def reordered(rule: Json, rng: random.Random) -> Json:
    """A copy of the rule with all keys in another order, except where order means something."""

    def mixed(value: Json, path: tuple[str, ...]) -> Json:
        if isinstance(value, list):
            return [mixed(one, (*path, "")) for one in value]
        if not isinstance(value, dict):
            return value
        items = [(key, mixed(part, (*path, key))) for key, part in value.items()]
        is_deck = path[-2:-1] == ("card",) and path[-1].endswith("_properties")
        if not is_deck and path[-1:] != ("parameters",):
            rng.shuffle(items)
        return dict(items)

    return mixed(rule, ())


def copy_of(rule: Json) -> Json:
    """A deep copy."""
    return json.loads(json.dumps(rule))


def node_of_type(
    flow: Flow, type: int, test: Callable[[Json], bool] | None = None
) -> str:
    """The first node of a type that passes a test."""
    return next(
        id
        for id, node in flow.items()
        if node["type"] == type and (test is None or test(node))
    )
