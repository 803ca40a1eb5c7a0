"""The same rule, written down otherwise: nodes renamed, keys in another order, fields in their other places.

Each change takes the JSON of a rule and gives one that means the same. They know the format only, nothing of the compiler.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from tests.support import Json

Flow = dict[str, Json]
FIELDS = {
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
    16: ("condition", "next_true", "next_false"),
    26: ("return",),
}
"""Which fields of a component name nodes, from the contract's table; `next` is everybody's."""


def document(path: Path) -> Json:
    """The JSON of a rule, fresh for each caller to spoil."""
    return json.loads(path.read_text(encoding="utf-8"))


def design(rule: Json) -> Json:
    """The five sections, with and without metadata beside them."""
    return rule.get("design", rule)


def flows(rule: Json) -> Iterator[tuple[Flow, frozenset[str]]]:
    """All flows, with the names that come before node ids in them: the parameters of a method."""
    sections = design(rule)
    for owner in sections["classes"].values():
        for method in (owner.get("methods") or {}).values():
            yield method["flow"], frozenset(method.get("parameters") or {})
    for cardset in sections["cardsets"].values():
        yield cardset["build_flow"], frozenset()
        yield cardset.get("compare_flow") or {}, frozenset()
    for comparison in (sections.get("cardset_comparisons") or {}).values():
        yield comparison.get("compare_flow") or {}, frozenset()
    yield sections["match_flow"], frozenset()
    yield sections["end_flow"], frozenset()


def renamed(rule: Json, name: Callable[[int], str]) -> Json:
    """The rule with every node but "1" called by a number that no other node of the rule has."""
    rule = copy.deepcopy(rule)
    number = 100
    for flow, before in flows(rule):
        ids = {}
        for id in flow:
            number += 1
            ids[id] = "1" if id == "1" else name(number)
        shadowed = before | {"cards", "A", "B"}
        for node in flow.values():
            rename_references(
                node, {id: new for id, new in ids.items() if id not in shadowed}
            )
            rename_jumps(node, ids)
        nodes = list(flow.items())
        flow.clear()
        flow.update((ids[id], node) for id, node in nodes)
    return rule


def rename_references(node: Json, ids: Mapping[str, str]) -> None:
    """References to other nodes in the fields of one."""
    content = node.get("content") or {}
    fields = FIELDS.get(node["type"], ())
    if node["type"] == 6 and content.get("operator"):
        fields = ("ident",)
    for field in fields:
        if not field.startswith("next") and content.get(field) in ids:
            content[field] = ids[content[field]]
    if node["type"] == 1:
        content["parameter"] = [
            ids.get(one, one) for one in content.get("parameter") or ()
        ]


def rename_jumps(node: Json, ids: Mapping[str, str]) -> None:
    """Jumps, which name nodes even where a parameter has the same name."""
    for place in (node, node.get("content") or {}):
        for jump in ("next", "next_true", "next_false"):
            if place.get(jump) in ids:
                place[jump] = ids[place[jump]]


def shuffled_fields(rule: Json, rng: random.Random) -> Json:
    """The keys of all objects whose keys are the format's own words; maps from names or ids keep their order."""

    def mixed(value: Json) -> Json:
        items = list(value.items())
        rng.shuffle(items)
        return dict(items)

    def node(value: Json) -> Json:
        content = value.get("content")
        if isinstance(content, dict):
            lists = {
                key: [mixed(one) if isinstance(one, dict) else one for one in part]
                for key, part in content.items()
                if isinstance(part, list)
            }
            value = {**value, "content": mixed({**content, **lists})}
        return mixed(value)

    def flow(value: Json) -> Json:
        return {id: node(one) for id, one in (value or {}).items()}

    def declared(value: Json) -> Json:
        return {name: mixed(one) for name, one in (value or {}).items()}

    def class_(value: Json) -> Json:
        made = {key: declared(part) for key, part in value.items() if key != "methods"}
        made["methods"] = {
            name: mixed({**one, "flow": flow(one["flow"])})
            for name, one in (value.get("methods") or {}).items()
        }
        return mixed(made)

    sections = design(rule)
    sections = {
        "classes": mixed(
            {name: class_(one) for name, one in sections["classes"].items()}
        ),
        "cardsets": {
            id: mixed(
                {
                    **one,
                    "build_flow": flow(one["build_flow"]),
                    "compare_flow": flow(one.get("compare_flow")),
                }
            )
            for id, one in sections["cardsets"].items()
        },
        "cardset_comparisons": {
            id: mixed({**one, "compare_flow": flow(one.get("compare_flow"))})
            for id, one in (sections.get("cardset_comparisons") or {}).items()
        },
        "match_flow": flow(sections["match_flow"]),
        "end_flow": flow(sections["end_flow"]),
    }
    if "design" not in rule:
        return mixed(sections)
    return mixed({"meta": mixed(rule["meta"]), "design": mixed(sections)})


def shuffled_nodes(rule: Json, rng: random.Random) -> Json:
    """The nodes of every flow: a graph has no order."""
    for flow, _ in flows(rule):
        nodes = list(flow.items())
        rng.shuffle(nodes)
        flow.clear()
        flow.update(nodes)
    return rule


def shuffled_cardsets(rule: Json, rng: random.Random) -> Json:
    """Cardsets, where all ids are numbers: they are tried by number."""
    cardsets = design(rule)["cardsets"]
    items = list(cardsets.items())
    if all(id.isdecimal() and id.isascii() for id in cardsets):
        rng.shuffle(items)
    design(rule)["cardsets"] = dict(items)
    return rule


def shuffled_methods(rule: Json, rng: random.Random) -> Json:
    """The methods of a class, which are called by name."""
    for owner in design(rule)["classes"].values():
        items = list((owner.get("methods") or {}).items())
        rng.shuffle(items)
        owner["methods"] = dict(items)
    return rule


def shuffled_results(rule: Json, rng: random.Random) -> Json:
    """The properties that a 28 gives to a play."""
    for flow, _ in flows(rule):
        for node in flow.values():
            given = (node.get("content") or {}).get("properties")
            if node["type"] == 28 and given:
                items = list(given.items())
                rng.shuffle(items)
                node["content"]["properties"] = dict(items)
    return rule


def drawn_on_a_canvas(rule: Json, rng: random.Random) -> Json:
    """Positions, colours, assets: what the builder's editor keeps in the file."""
    for flow, _ in flows(rule):
        for node in flow.values():
            node["position"] = {"x": rng.uniform(-900, 900), "y": -rng.random()}
            node["collapsed"] = rng.random() < 0.5
            if isinstance(node.get("content"), dict):
                node["content"]["colour"] = "red"
    sections = design(rule)
    sections["assets"] = {"card_back": "back.png", "list": [1, None, {"a": -1.5}]}
    for owner in sections["classes"].values():
        owner["note"] = "drawn by hand"
    for cardset in sections["cardsets"].values():
        cardset["display"] = "shown"
    return rule


def moved(rule: Json, keys: Sequence[str], rng: random.Random) -> Json:
    """Some fields of nodes, from the content to the node and back."""
    for flow, _ in flows(rule):
        for node in flow.values():
            content = node["content"] = node.get("content") or {}
            for key in keys:
                for source, target in ((content, node), (node, content)):
                    if key in source and key not in target and rng.random() < 0.5:
                        target[key] = source.pop(key)
                        break
    return rule


def moved_jumps(rule: Json, rng: random.Random) -> Json:
    """`next` and `count` may stand in either place."""
    return moved(rule, ("next", "count"), rng)


def moved_exits(rule: Json, rng: random.Random) -> Json:
    """The two exits of a branch likewise."""
    return moved(rule, ("next_true", "next_false"), rng)


def with_blanks(rule: Json, rng: random.Random) -> Json:
    """Blank jumps, and `content` that is empty, null or not there at all where there is nothing in it."""
    for flow, _ in flows(rule):
        for node in flow.values():
            if node.get("content") == {}:
                node["content"] = rng.choice((None, {}))
                if rng.random() < 0.3:
                    del node["content"]
            if node["type"] in (18, 24, 26, 28, 30) and not node.get("next"):
                node["next"] = ""
    return rule


CHANGES = (
    shuffled_fields,
    shuffled_nodes,
    shuffled_cardsets,
    shuffled_methods,
    shuffled_results,
    drawn_on_a_canvas,
    moved_jumps,
    moved_exits,
    with_blanks,
)
