"""The proof that a rule means the same with its new ids, made from the very bytes that would be written.

They are read, checked and lowered like any rule file. Then three things must hold: the document is NEW with nothing but
its node ids and the texts that follow them changed; in every node, scratch work included, every reference and jump means
the same node or the same other thing; and the rule lowers to the same intermediate representation but for the ids.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, TypeAlias

from dealwright.compiler.adopt.flows import FlowPlace, NodePlace
from dealwright.compiler.adopt.reading import RuleFile, read
from dealwright.compiler.adopt.rewriting import Plan
from dealwright.compiler.adopt.sameness import difference
from dealwright.compiler.diagnostics.reporter import CompileError
from dealwright.compiler.lowering.lower import lower
from dealwright.compiler.rule.flowgraph import operands
from dealwright.compiler.rule.references import NodeRef, Reference, UnknownRef

Plans: TypeAlias = Sequence[Plan]


class NotProved(Exception):
    """It could not be shown that the rule means the same; the message says where, as a part of a sentence."""


def prove(new: RuleFile, written: bytes, plans: Plans, players: int | None) -> None:
    """Show that `written` means what NEW means.

    Raises:
        NotProved: it does not, or that cannot be seen.
    """
    try:
        made = read(written, new.reporter.file, players)
    except CompileError as problem:
        raise NotProved(f"the result is refused: {problem}") from None
    if _canonical(_expected(new, plans)) != _canonical(made.document):
        raise NotProved("the document would not be the same")
    if new.flows.keys() != made.flows.keys():
        raise NotProved("the result has other flows")
    for one in plans:
        _prove_flow(one, made.flows[one.flow.key])
    renamed = {one.flow.path: one.ids for one in plans}
    place = difference(lower(new.rule), lower(made.rule), renamed)
    if place is not None:
        raise NotProved(f"{place} would not be the same")


def _prove_flow(plan: Plan, made: FlowPlace) -> None:
    """Every node says the same under its new id, and all that it refers to means the same."""
    if {plan.ids[id] for id in plan.flow.nodes} != made.nodes.keys():
        raise NotProved(f"{made.path} would not have the same nodes")
    for id, node in plan.flow.nodes.items():
        other = made.nodes[plan.ids[id]]
        is_same = _links(node, plan.ids) == _links(other) and _meanings(
            plan.flow, id, plan.ids
        ) == _meanings(made, other.id)
        if not is_same:
            raise NotProved(f"{made.path}/{id} would not be the same")


def _links(node: NodePlace, ids: Mapping[str, str] | None = None) -> set[object]:
    return {
        (link.place, link.target if ids is None else ids[link.target])
        for link in node.links
    }


def _meanings(
    flow: FlowPlace, id: str, ids: Mapping[str, str] | None = None
) -> list[Reference]:
    """What the references of a node mean; nodes by their new ids, and texts that mean nothing without their margins."""
    found: list[Reference] = []
    for one in operands(flow.scope.flow.nodes[id], flow.scope):
        match one.reference:
            case NodeRef(target) if ids is not None:
                found.append(NodeRef(ids[target]))
            case UnknownRef(text):
                found.append(UnknownRef(text.strip()))
            case other:
                found.append(other)
    return found


def _expected(new: RuleFile, plans: Plans) -> object:
    """The JSON value of NEW with other node ids, made without the tree that the text is made from."""
    document = deepcopy(new.document)
    for one in plans:
        keys = (*new.root, *one.flow.key)
        owner: Any = document
        for key in keys[:-1]:
            owner = owner[key]
        nodes = owner[keys[-1]]
        for id, changes in one.edits.items():
            for place, text in changes.items():
                field: Any = nodes[id]
                for step in place[:-1]:
                    field = field[step]
                field[place[-1]] = text
        owner[keys[-1]] = {one.ids[id]: node for id, node in nodes.items()}
    return document


def _canonical(document: object) -> str:
    """A JSON value as text, the order of keys left out; 1, 1.0 and true differ."""
    return json.dumps(document, sort_keys=True)
