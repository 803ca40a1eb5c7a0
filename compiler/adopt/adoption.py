"""OLD and NEW in, the text of NEW with its former ids out: all steps of `adopt`, and nothing written to disk.

Each flow of NEW is paired with its flow of OLD, its nodes with theirs; ids and everything that refers to them are
rewritten, the document is laid out like OLD, and the result is proved to mean what NEW means. For every flow this is
weighed against leaving its ids alone, so that `adopt` never makes a diff longer than it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from dealwright.compiler.adopt.document import (
    Document,
    Part,
    Path,
    parse_document,
    part_at,
    replaced,
    text_of,
)
from dealwright.compiler.adopt.flows import FlowPlace, NodePlace
from dealwright.compiler.adopt.layout import Groups, written_like
from dealwright.compiler.adopt.matching import match
from dealwright.compiler.adopt.pairing import former_key, pair_owners
from dealwright.compiler.adopt.proof import NotProved, prove
from dealwright.compiler.adopt.reading import RuleFile, read
from dealwright.compiler.adopt.rewriting import Plan, keep, plan, rewritten

__all__ = ["Adopted", "NotProved", "adopt"]


@final
@dataclass(frozen=True, slots=True)
class Adopted:
    """The file to write, and what there is to say.

    `kept` nodes of NEW are nodes of OLD and have their ids, `renamed` of them had others in NEW; `added` nodes are new,
    `removed` ones of OLD are gone.
    """

    data: bytes
    kept: int
    renamed: int
    added: int
    removed: int
    notes: tuple[str, ...]


def adopt(
    old: bytes,
    new: bytes,
    *,
    old_name: str = "OLD",
    new_name: str = "NEW",
    players: int | None = None,
) -> Adopted:
    """NEW with the ids and the layout of OLD.

    Arguments: the bytes of the two files and how diagnostics call them; `players` is for rules that do not state a
    number.

    Raises:
        CompileError: one of the two is refused; it carries the diagnostics.
        NotProved: it cannot be shown that the result means what NEW means.
    """
    before, now = read(old, old_name, players), read(new, new_name, players)
    renamed_owners = pair_owners(before.rule, now.rule)
    plans: list[Plan] = []
    for key, flow in now.flows.items():
        former = former_key(key, renamed_owners)
        plans.append(_plan(before.flows.get(former) if former else None, flow))
    tree = parse_document(now.text)
    changes: dict[Path, Part] = {
        path: rewritten(part, one)
        for one in plans
        if (part := part_at(tree.root, path := (*now.root, *one.flow.key))) is not None
    }
    laid_out = written_like(
        parse_document(before.text),
        Document(tree.head, replaced(tree.root, changes), tree.foot),
        renamed_owners,
        now.root,
        _ordered(now),
    )
    data = text_of(laid_out).encode("utf-8")
    prove(now, data, plans, players)
    return _summed_up(before, now, plans, data)


def _plan(former: FlowPlace | None, flow: FlowPlace) -> Plan:
    """The better one of two plans: to give ids back, or to leave them alone."""
    if former is None:
        return keep(flow, frozenset())
    old_ids = frozenset(former.nodes)
    matched = match(former.nodes, flow.nodes)
    giving = plan(flow, old_ids, matched)
    leaving = keep(flow, old_ids)
    return leaving if _cost(former, leaving) <= _cost(former, giving) else giving


def _cost(former: FlowPlace, plan: Plan) -> int:
    """How many fields a diff of the two versions of a flow shows; canvas positions do not count."""
    cost = 0
    missing = dict(former.nodes)
    for id, node in plan.flow.nodes.items():
        before = missing.pop(plan.ids[id], None)
        counted = Counter(_fields(node, plan.ids))
        counted.subtract(_fields(before, {}) if before is not None else ())
        cost += sum(map(abs, counted.values()))
    return cost + sum(len(_fields(node, {})) for node in missing.values())


def _fields(node: NodePlace, ids: Mapping[str, str]) -> list[tuple[object, ...]]:
    return [
        ("type", node.type),
        *(("field", *one) for one in node.fields),
        *(
            ("link", link.label, ids.get(link.target, link.target))
            for link in node.links
        ),
    ]


def _ordered(now: RuleFile) -> dict[Path, Groups]:
    """The objects of NEW whose order of keys means something: all of them, or among those that are tried alike."""
    rule, root = now.rule, now.root
    found: dict[Path, Groups] = {}
    for name in ("default_properties", "user_properties"):
        names = [one.name for one in rule.card.properties]
        found[*root, "classes", "card", name] = dict.fromkeys(names)
    for owner in rule.classes():
        for name, method in owner.methods.items():
            path = (*root, "classes", owner.name, "methods", name, "parameters")
            found[path] = dict.fromkeys(method.parameters)
    found[*root, "cardsets"] = {
        one.id: int(one.id) if one.id.isascii() and one.id.isdigit() else None
        for one in rule.cardsets
    }
    found[*root, "cardset_comparisons"] = {
        one.id: (one.a, one.b) for one in rule.comparisons
    }
    return found


def _summed_up(
    before: RuleFile, now: RuleFile, plans: list[Plan], data: bytes
) -> Adopted:
    kept = sum(len(one.adopted) for one in plans)
    nodes = sum(len(one.flow.nodes) for one in plans)
    notes = [note for one in plans for note in one.notes]
    if now.reporter.has("R402") and any(one.edits for one in plans):
        notes.append("'extensions' is left as it is: node ids in it do not follow")
    return Adopted(
        data=data,
        kept=kept,
        renamed=sum(
            id != former for one in plans for id, former in one.adopted.items()
        ),
        added=nodes - kept,
        removed=sum(len(one.nodes) for one in before.flows.values()) - kept,
        notes=tuple(notes),
    )
