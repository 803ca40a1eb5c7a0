"""The flows of a rule file as the file has them, each node with everything in it that refers to other nodes.

In go a loaded rule and the document that it comes from; out come `FlowPlace`s: where a flow stands, how its references
are resolved, and for each node its links and its other reference texts, with their places. Which fields refer to what is
asked of `flowgraph`, which asks the component table. Scratch nodes are read like all others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, final

from dealwright.compiler.adopt.document import Path
from dealwright.compiler.reading.load_flow import JUMPS
from dealwright.compiler.reading.shapes import is_blank
from dealwright.compiler.rule.components import COMPONENTS, FieldKind
from dealwright.compiler.rule.flowgraph import operands
from dealwright.compiler.rule.model import Flow, Rule
from dealwright.compiler.rule.references import NodeRef, NoReference, Reference, Scope

FlowKey: TypeAlias = tuple[str, ...]
"""The keys that lead to a flow from the object with the five sections: `("cardsets", "1", "build_flow")`."""

_REFERENCE_KINDS = (
    FieldKind.REFERENCE,
    FieldKind.REFERENCES,
    FieldKind.CARDS,
    FieldKind.OBJECT_OR_REFERENCE,
)
#: what refers to nodes in some component: of a component that we do not know, a field of such a name does too
_REFERENCE_NAMES: Final = frozenset(
    field.name
    for row in COMPONENTS.values()
    for field in row.fields
    if field.kind in _REFERENCE_KINDS
)
_LINKED: Final = "→"
NOWHERE: Final = "null"
"""The position of a node that has none."""


@final
@dataclass(frozen=True, slots=True)
class Link:
    """A field that refers to a node of its flow: where in the node it stands, what it is called, which node it means."""

    place: Path
    label: str
    target: str
    is_jump: bool


@final
@dataclass(frozen=True, slots=True)
class NodePlace:
    """A node of a file.

    `type` is its component, -1 if it has none; `fields` are its own known fields, as (name, JSON text), links left open;
    `texts` are reference fields that hold a text which means no node, by place; `rest` is all that the node holds besides
    its links, `position` where the builder shows it, both as JSON text.
    """

    id: str
    type: int
    fields: tuple[tuple[str, str], ...]
    links: tuple[Link, ...]
    texts: Mapping[Path, str]
    rest: str
    position: str


@final
@dataclass(frozen=True, slots=True)
class FlowPlace:
    """A flow of a file: its key, its path for people, how references are resolved in it, and its nodes in order."""

    key: FlowKey
    path: str
    scope: Scope
    nodes: Mapping[str, NodePlace]


def flow_places(rule: Rule, design: Mapping[str, object]) -> dict[FlowKey, FlowPlace]:
    """All flows of a rule that have nodes.

    Arguments: `rule` has been loaded without errors; `design` is the JSON object with its five sections.
    """
    return {
        key: FlowPlace(key, scope.flow.path, scope, _nodes(_at(design, key), scope))
        for key, scope in _keyed_scopes(rule)
        if scope.flow.nodes
    }


def _keyed_scopes(rule: Rule) -> Iterator[tuple[FlowKey, Scope]]:
    for owner in rule.classes():
        for name, method in owner.methods.items():
            scope = Scope(method.flow, frozenset(method.parameters))
            yield ("classes", owner.name, "methods", name, "flow"), scope
    flows: list[tuple[FlowKey, Flow | None]] = []
    for cardset in rule.cardsets:
        flows.append((("cardsets", cardset.id, "build_flow"), cardset.build))
        flows.append((("cardsets", cardset.id, "compare_flow"), cardset.compare))
    for one in rule.comparisons:
        flows.append((("cardset_comparisons", one.id, "compare_flow"), one.flow))
    flows += [(("match_flow",), rule.match_flow), (("end_flow",), rule.end_flow)]
    yield from ((key, Scope(flow)) for key, flow in flows if flow is not None)


def _at(value: object, path: Path) -> object:
    for step in path:
        if isinstance(step, str) and isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def _nodes(raw: object, scope: Scope) -> dict[str, NodePlace]:
    values = raw if isinstance(raw, Mapping) else {}
    return {id: _node(id, value, scope) for id, value in values.items()}


def _node(id: str, raw: object, scope: Scope) -> NodePlace:
    if not isinstance(raw, Mapping):
        return NodePlace(id, -1, (("", _text(raw)),), (), {}, "", NOWHERE)
    content = raw.get("content")
    inside = content if isinstance(content, Mapping) else {}
    links = list(_jumps(raw, scope))
    texts: dict[Path, str] = {}
    type_ = scope.flow.nodes[id].type
    for field, reference in _references(id, inside, scope):
        place: Path = ("content", *field)
        value = _at(raw, place)
        if isinstance(reference, NodeRef):
            label = "/".join(map(str, field))
            links.append(Link(place, label, reference.id, is_jump=False))
        elif isinstance(value, str) and value.strip():
            texts[place] = value
    linked = frozenset(one.place for one in links)
    return NodePlace(
        id=id,
        type=type_,
        fields=_fields(type_, raw, inside, linked),
        links=tuple(links),
        texts=texts,
        rest=_rest(raw, linked),
        position=_text(raw.get("position")),
    )


def _jumps(raw: Mapping[str, object], scope: Scope) -> Iterator[Link]:
    """The jumps on the node and in its content; where both are there, the node's counts and the other is a second one."""
    for jump in JUMPS:
        label = jump
        for place in ((jump,), ("content", jump)):
            target = _at(raw, place)
            if isinstance(target, str) and not is_blank(target):
                if target in scope.flow.nodes:
                    yield Link(place, label, target, is_jump=True)
                label = f"second {jump}"


def _references(
    id: str, inside: Mapping[str, object], scope: Scope
) -> Iterator[tuple[Path, Reference]]:
    """Every reference field of a node with what it means; places count from the content."""
    node = scope.flow.nodes[id]
    if node.type in COMPONENTS:
        for one in operands(node, scope):
            name, _, index = one.field.partition("/")
            at: Path = (name, int(index)) if index else (name,)
            yield at, one.reference
        return
    for name in inside:
        if name in _REFERENCE_NAMES:
            value = inside[name]
            items = value if isinstance(value, list) else [value]
            for number, item in enumerate(items):
                found = isinstance(item, str) and item in scope.flow.nodes
                is_list = isinstance(value, list)
                spot: Path = (name, number) if is_list else (name,)
                yield spot, NodeRef(str(item)) if found else NoReference()


def _fields(
    type_: int,
    raw: Mapping[str, object],
    inside: Mapping[str, object],
    linked: frozenset[Path],
) -> tuple[tuple[str, str], ...]:
    """What a node says besides its links, canvas and unknown keys left out; each link leaves a mark."""
    row = COMPONENTS.get(type_)
    names = inside.keys() if row is None else [field.name for field in row.fields]
    found: list[tuple[str, str]] = []
    for name in names:
        if name in JUMPS:
            continue
        value = raw["count"] if name == "count" and "count" in raw else inside.get(name)
        if ("content", name) in linked:
            value = _LINKED
        elif isinstance(value, list):
            value = [
                _LINKED if ("content", name, index) in linked else item
                for index, item in enumerate(value)
            ]
        if value is not None:
            found.append((name, _text(value)))
    return tuple(sorted(found))


def _rest(raw: Mapping[str, object], linked: frozenset[Path]) -> str:
    """All that a node holds, known or not, as JSON text; single fields that are links left out."""
    found = {name: value for name, value in raw.items() if (name,) not in linked}
    content = raw.get("content")
    if isinstance(content, Mapping):
        found["content"] = {
            name: value
            for name, value in content.items()
            if ("content", name) not in linked
        }
    return _text(found)


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
