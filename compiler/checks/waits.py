"""Check that the cards of a play are looked at only where there are some.

Part of the pass `check`: a play can be skipped, and then has no cards; a rule that reads its first card reads 0
(contract, section 1, last warning). A branch whose condition looks at the play as a whole (its size, whether it is a
cardset, …) is taken as the author's guard: what comes after it is not warned about.
"""

from __future__ import annotations

from collections.abc import Iterable

from dealwright.compiler.checks.context import Context, property_name
from dealwright.compiler.rule.components import BRANCH_TYPE, WAIT_TYPES
from dealwright.compiler.rule.flowgraph import (
    reference,
    referred_nodes,
    successors,
)
from dealwright.compiler.rule.model import Node
from dealwright.compiler.rule.objects import is_content
from dealwright.compiler.rule.operands import operator
from dealwright.compiler.rule.references import NodeRef

_PLAY = 21


def check_waits(context: Context) -> None:
    """Warn about elements of the latest play that can be read after a skip, each once."""
    waits = [node for node in context.executed() if node.type == _PLAY]
    if not waits:
        return
    plays = _plays(context)
    elements = {
        node.id
        for node in context.reached()
        if node.type == 5 and _operand(context, node, "selection") in plays
    }
    if not elements:
        return
    guards = _guards(context, plays)
    read: dict[str, None] = {}
    for name in _after(context, waits, guards):
        read |= dict.fromkeys(_values_read(context, name, read))
    for name in context.used:
        if name in read and name in elements:
            context.report("R328", context.flow.nodes[name])


def _operand(context: Context, node: Node, field: str) -> str | None:
    found = reference(node.fields.get(field), context.scope)
    return found.id if isinstance(found, NodeRef) else None


def _plays(context: Context) -> frozenset[str]:
    """The nodes whose value is the cards of the latest play: waits, their cards as a property, sorted copies."""
    users: dict[str, list[str]] = {}
    found = {node.id for node in context.reached() if node.type == _PLAY}
    for node in context.reached():
        field = (
            "selection" if node.type == 2 else "ident" if _keeps_cards(node) else None
        )
        source = _operand(context, node, field) if field is not None else None
        if source is not None:
            users.setdefault(source, []).append(node.id)
    return _spread(found, users)


def _keeps_cards(node: Node) -> bool:
    """A type 6 node that hands on the collection it reads; `content` or nothing gives how many (contract, 5)."""
    return (
        node.type == 6 and operator(node) == 1 and not is_content(property_name(node))
    )


def _guards(context: Context, plays: frozenset[str]) -> frozenset[str]:
    """The branches whose condition looks at a play as a whole, directly or through other values."""
    users: dict[str, list[str]] = {}
    looking: set[str] = set()
    for node in context.reached():
        for name in referred_nodes(node, context.scope):
            users.setdefault(name, []).append(node.id)
            if name in plays and node.id not in plays and node.type != 5:
                looking.add(node.id)
    found = _spread(looking, users)
    return frozenset(
        name for name in found if context.flow.nodes[name].type == BRANCH_TYPE
    )


def _after(
    context: Context, waits: Iterable[Node], guards: frozenset[str]
) -> tuple[str, ...]:
    """The control nodes that can follow a play before another wait or a guard."""
    nodes = context.flow.nodes
    seen: dict[str, None] = {}
    waiting = [target for wait in waits for target in successors(wait)]
    while waiting:
        name = waiting.pop()
        if (
            name not in seen
            and name not in guards
            and nodes[name].type not in WAIT_TYPES
        ):
            seen[name] = None
            waiting.extend(successors(nodes[name]))
    return tuple(seen)


def _values_read(context: Context, name: str, known: dict[str, None]) -> list[str]:
    """The value nodes that executing a node reads, directly or not, as far as they are not known yet."""
    nodes, scope = context.flow.nodes, context.scope
    fresh: dict[str, None] = {}
    # a value node on the control path is passed through and computes nothing; calls and sorts are executed there
    waiting = (
        list(referred_nodes(nodes[name], scope))
        if nodes[name].type in (1, 2, 4, 16, 20)
        else []
    )
    while waiting:
        one = waiting.pop()
        if one not in known and one not in fresh:
            fresh[one] = None
            waiting.extend(referred_nodes(nodes[one], scope))
    return list(fresh)


def _spread(start: Iterable[str], users: dict[str, list[str]]) -> frozenset[str]:
    found = set(start)
    waiting = list(found)
    while waiting:
        for name in users.get(waiting.pop(), ()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return frozenset(found)
