"""New ids for the nodes of a flow, and what must be written otherwise for them.

`plan` decides which id each node gets, given which node is which old one; `edits_of` lists every field that follows. An
old id is given back only where it still means the node: not one that has become a keyword or a parameter, if a field
refers to the node. A text that meant something else, like the literal "5", and would now be taken for the node "5", is
written with a space in front, which the contract trims from everything but node ids (section 3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, final

from dealwright.compiler.adopt.document import (
    Container,
    Part,
    Path,
    Scalar,
    replaced,
    spelled,
)
from dealwright.compiler.adopt.flows import FlowPlace, NodePlace
from dealwright.compiler.reading.shapes import is_blank
from dealwright.compiler.rule.flowgraph import reference
from dealwright.compiler.rule.model import Flow
from dealwright.compiler.rule.references import NodeRef, Scope

Edits: TypeAlias = dict[str, dict[Path, str]]
"""By node, in the ids of NEW: the texts that stand at some places of it from now on."""

_VOID = "void"


@final
@dataclass(frozen=True, slots=True)
class Plan:
    """What happens to the nodes of one flow.

    `ids` gives every node of NEW its id, `adopted` are the nodes of NEW that have their old ids (by node of NEW), `edits`
    the fields that follow, `notes` what a person should know.
    """

    flow: FlowPlace
    ids: Mapping[str, str]
    adopted: Mapping[str, str]
    edits: Edits
    notes: tuple[str, ...]


def plan(flow: FlowPlace, old_ids: frozenset[str], matched: Mapping[str, str]) -> Plan:
    """The ids of a flow of NEW.

    Arguments: `old_ids` are those of the flow in OLD, also of nodes that are gone: no new node gets such an id, since a
    saved match may still wait there; `matched` gives the old id of each new node that is an old one.
    """
    users = _users(flow)
    adopted = {
        id: old for id, old in matched.items() if _may_be(flow, old, users.get(id, ()))
    }
    notes = [
        f"{flow.path}/{id}: its former id {matched[id]!r} cannot be referred to any more"
        for id in matched
        if id not in adopted
    ]
    ids = _all_ids(flow, old_ids, adopted)
    edits = edits_of(flow, ids)
    notes += [
        f"{flow.path}/{ids[id]}: {flow.nodes[id].texts[place]!r} is written {text!r}, since a node has this id again"
        for id, changes in edits.items()
        for place, text in changes.items()
        if place in flow.nodes[id].texts
    ]
    return Plan(flow, ids, adopted, edits, tuple(notes))


def keep(flow: FlowPlace, old_ids: frozenset[str]) -> Plan:
    """The plan that changes no id: nodes that have an id of OLD count as the old ones."""
    same = {id: id for id in flow.nodes}
    return Plan(flow, same, {id: id for id in same if id in old_ids}, {}, ())


def _users(flow: FlowPlace) -> dict[str, set[str]]:
    """How each node is called by others: the labels of references, and "" for jumps."""
    found: dict[str, set[str]] = {}
    for node in flow.nodes.values():
        for link in node.links:
            label = "" if link.is_jump else link.label
            found.setdefault(link.target, set()).add(label)
    return found


def _may_be(flow: FlowPlace, id: str, users: Iterable[str]) -> bool:
    """Whether a node that is called in these ways could have this id."""
    return all(
        not is_blank(id) if user == "" else _means_node(flow, id, user)
        for user in users
    )


def _means_node(flow: FlowPlace, id: str, label: str) -> bool:
    """Whether a text in a reference field means the node of this id, if there is one."""
    is_void = label == "return" and id.strip() == _VOID
    return not is_void and reference(id, _scope_with(flow, id)) == NodeRef(id)


def _scope_with(flow: FlowPlace, id: str) -> Scope:
    """The scope of the flow if `id` were its only node; which others there are makes no difference to a text `id`."""
    any_node = next(iter(flow.scope.flow.nodes.values()))
    nodes = {id: any_node}
    return Scope(Flow(flow.path, flow.scope.flow.kind, nodes), flow.scope.parameters)


def _all_ids(
    flow: FlowPlace, old_ids: frozenset[str], adopted: Mapping[str, str]
) -> dict[str, str]:
    """Old ids, then ids of NEW that OLD does not have, then the smallest free integers."""
    used = set(old_ids) | set(adopted.values())
    ids: dict[str, str] = {}
    for id in flow.nodes:
        if id in adopted:
            ids[id] = adopted[id]
        elif id not in used:
            ids[id] = id
    used |= set(ids.values())
    # an integer that some field spells would be taken for a reference to the node
    used |= {
        text.strip() for node in flow.nodes.values() for text in node.texts.values()
    }
    free = _free_ids(flow, used)
    return {id: ids[id] if id in ids else next(free) for id in flow.nodes}


def _free_ids(flow: FlowPlace, used: set[str]) -> Iterator[str]:
    number = 1
    while True:
        id = str(number)
        if id not in used and id not in flow.scope.parameters:
            yield id
        number += 1


def edits_of(flow: FlowPlace, ids: Mapping[str, str]) -> Edits:
    """Every text in the nodes of a flow that must be another one when nodes have these ids."""
    present = frozenset(ids.values())
    found: Edits = {}
    for id, node in flow.nodes.items():
        changes = {
            link.place: ids[link.target]
            for link in node.links
            if ids[link.target] != link.target
        }
        changes |= _escapes(flow, node, present)
        if changes:
            found[id] = changes
    return found


def _escapes(
    flow: FlowPlace, node: NodePlace, present: frozenset[str]
) -> Iterator[tuple[Path, str]]:
    """The texts that would be taken for nodes from now on, with spaces in front until no node is called so."""
    for place, text in node.texts.items():
        if text in present and _means_node(flow, text, str(place[1])):
            escaped = f" {text}"
            while escaped in present:
                escaped = f" {escaped}"
            yield place, escaped


def rewritten(part: Part, plan: Plan) -> Part:
    """The flow of NEW with its new ids; everything else stays as it is, white space included."""
    if isinstance(part, Scalar):
        return part
    members = []
    for one in part.members:
        id = plan.ids[one.key]
        changes: dict[Path, Part] = {
            place: Scalar(spelled(text))
            for place, text in plan.edits.get(one.key, {}).items()
        }
        key = one.spelled if id == one.key else spelled(id)
        new = replaced(one.part, changes) if changes else one.part
        members.append(replace(one, key=id, spelled=key, part=new))
    return Container(part.is_object, tuple(members), part.tail)
