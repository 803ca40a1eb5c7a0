"""Questions about the graph of one flow, answered the same way for checking and for lowering.

In goes a flow as the author wrote it, out come edges, reachable nodes, what a node refers to, cycles, and which methods
have effects. Nothing is reported here. Everything is linear, iterative (flows have up to 10,000 nodes) and in document
or field order, and takes fields of any shape: odd ones refer to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar, final

from dealwright.compiler.rule.components import (
    BRANCH_TYPE,
    COMPONENTS,
    TERMINAL_TYPES,
    WAIT_TYPES,
    Component,
    Field,
    FieldKind,
)
from dealwright.compiler.rule.model import Flow, FlowKind, Method, Node, Rule, RuleClass
from dealwright.compiler.rule.operands import operator, returned_reference
from dealwright.compiler.rule.references import (
    CardRef,
    CurrentPlayerRef,
    NodeRef,
    ObjectRef,
    OwnerRef,
    ParameterRef,
    PlayerRef,
    Reference,
    Scope,
    TableRef,
    UnknownRef,
    named_object,
    resolve,
    resolve_object,
)

_Vertex = TypeVar("_Vertex")
MethodKey = tuple[str, str]

DECK_PROPERTY: Final = "卡牌池"
START_ID: Final = "1"
# `source` refuses longer integers; the text of a reference may still hold one when a flow is first looked at
_LONG_TEXT: Final = 4000


@final
@dataclass(frozen=True, slots=True)
class Operand:
    """A reference that a node makes: the field it stands in (`lval`, `parameter/0`), and what it means."""

    field: str
    reference: Reference


def scope_of(flow: Flow, method: Method | None = None) -> Scope:
    """Where the references of a flow are resolved; `method` is the one whose flow it is."""
    return Scope(flow) if method is None else Scope(flow, frozenset(method.parameters))


def successors(node: Node) -> tuple[str, ...]:
    """Where control goes from a node: of a branch true then false; of a terminal nowhere; else `next`."""
    if node.type in TERMINAL_TYPES:
        return ()
    jumps = (
        (node.next_true, node.next_false) if node.type == BRANCH_TYPE else (node.next,)
    )
    return tuple(jump for jump in jumps if jump is not None)


def control_nodes(flow: Flow) -> tuple[str, ...]:
    """The nodes that control can reach from node "1", conditions ignored, depth first, true before false."""
    seen: dict[str, None] = {}
    waiting = [START_ID] if START_ID in flow.nodes else []
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen[name] = None
            waiting.extend(reversed(successors(flow.nodes[name])))
    return tuple(seen)


def is_written(flow: Flow | None) -> bool:
    """Whether a comparison counts as written: control can reach a component 30 (contract, section 1)."""
    return flow is not None and any(
        flow.nodes[name].type == FlowKind.COMPARE.value + 1
        for name in control_nodes(flow)
    )


def operands(node: Node, scope: Scope) -> tuple[Operand, ...]:
    """All references that the fields of a node make, in the order of the component table.

    Left out are fields that do not hold references: objects named by operator 0 of type 6 and by type 1.
    """
    component = COMPONENTS.get(node.type)
    if component is None:
        return ()
    return tuple(
        one
        for field in component.fields
        for one in _operands_of(node, component, field, scope)
    )


def operand_references(node: Node, scope: Scope) -> tuple[Reference, ...]:
    """The references of `operands`, without the fields."""
    return tuple(one.reference for one in operands(node, scope))


def value_operands(node: Node, scope: Scope) -> tuple[Operand, ...]:
    """What is evaluated when the node is read: its operands, or nothing if a node of this type has no value."""
    component = COMPONENTS.get(node.type)
    return (
        operands(node, scope) if component is not None and component.has_value else ()
    )


def referred_nodes(node: Node, scope: Scope) -> tuple[str, ...]:
    """The nodes that a node refers to, in the order of its fields."""
    return tuple(
        one.id for one in operand_references(node, scope) if isinstance(one, NodeRef)
    )


def reachable(flow: Flow, scope: Scope) -> frozenset[str]:
    """The nodes that control can reach and all that they refer to, directly or not."""
    return with_needs(flow, scope, control_nodes(flow))


def with_needs(flow: Flow, scope: Scope, names: Iterable[str]) -> frozenset[str]:
    """These nodes, and those that they refer to, directly or not."""
    return closure(names, lambda name: referred_nodes(flow.nodes[name], scope))


def closure(
    names: Iterable[str], following: Callable[[str], Iterable[str]]
) -> frozenset[str]:
    """These names and all that follow from them, directly or not."""
    seen = set(names)
    waiting = list(seen)
    while waiting:
        for name in following(waiting.pop()):
            if name not in seen:
                seen.add(name)
                waiting.append(name)
    return frozenset(seen)


def _operands_of(
    node: Node, component: Component, field: Field, scope: Scope
) -> tuple[Operand, ...]:
    raw = node.fields.get(field.name)
    match field.kind:
        case FieldKind.REFERENCE if component.type == 26:
            return (Operand(field.name, reference(returned_reference(node), scope)),)
        case FieldKind.REFERENCE:
            return (Operand(field.name, reference(raw, scope)),)
        case FieldKind.OBJECT_OR_REFERENCE:
            return (
                ()
                if operator(node) == 0
                else (Operand(field.name, reference(raw, scope)),)
            )
        case FieldKind.REFERENCES:
            items = raw if isinstance(raw, list) else []
            return tuple(
                Operand(f"{field.name}/{index}", reference(item, scope))
                for index, item in enumerate(items)
            )
        case FieldKind.CARDS:
            return tuple(
                Operand(field.name, one) for one in card_set_references(raw, scope)
            )
        case _:
            return ()


def reference(raw: object, scope: Scope) -> Reference:
    """`resolve` for a field that may not have been checked: a text too long for a number names a node or nothing."""
    if (
        isinstance(raw, str)
        and len(raw) > _LONG_TEXT
        and raw.strip() not in scope.parameters
    ):
        return NodeRef(raw) if raw in scope.flow.nodes else UnknownRef(raw)
    return resolve(raw, scope)


def card_set_references(raw: object, scope: Scope) -> tuple[Reference, ...]:
    """What the `card_set` of type 15 means: one reference, or a card for each part of a text joined by `|`.

    A part that names no card gives an `UnknownRef`; blank parts are left out.
    """
    whole = reference(raw, scope)
    if (
        not isinstance(whole, UnknownRef)
        or "|" not in whole.text
        or len(whole.text) > _LONG_TEXT
    ):
        return (whole,)
    parts = [part.strip() for part in whole.text.split("|") if part.strip()]
    cards = [(part, named_object(part)) for part in parts]
    return tuple(
        card if isinstance(card, CardRef) else UnknownRef(part) for part, card in cards
    )


def strongly_connected(
    vertices: Iterable[_Vertex], edges: Callable[[_Vertex], Iterable[_Vertex]]
) -> tuple[tuple[_Vertex, ...], ...]:
    """The strongly connected components (Tarjan), each after those it leads to, members in visiting order."""
    index: dict[_Vertex, int] = {}
    low: dict[_Vertex, int] = {}
    open_: dict[_Vertex, None] = {}
    found: list[tuple[_Vertex, ...]] = []
    for root in vertices:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        open_[root] = None
        work = [(root, iter(edges(root)))]
        while work:
            vertex, rest = work[-1]
            for target in rest:
                if target not in index:
                    index[target] = low[target] = len(index)
                    open_[target] = None
                    work.append((target, iter(edges(target))))
                    break
                if target in open_:
                    low[vertex] = min(low[vertex], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[vertex])
                if low[vertex] == index[vertex]:
                    found.append(_close(open_, vertex))
    return tuple(found)


def _close(open_: dict[_Vertex, None], root: _Vertex) -> tuple[_Vertex, ...]:
    members: list[_Vertex] = []
    while not members or members[-1] != root:
        members.append(open_.popitem()[0])
    return tuple(reversed(members))


def circles(
    vertices: Iterable[_Vertex], edges: Callable[[_Vertex], Iterable[_Vertex]]
) -> tuple[tuple[_Vertex, ...], ...]:
    """The strongly connected components that hold a circle: several members, or one that leads to itself."""
    return tuple(
        members
        for members in strongly_connected(vertices, edges)
        if len(members) > 1 or members[0] in edges(members[0])
    )


def way_round(
    members: Iterable[_Vertex], edges: Callable[[_Vertex], Iterable[_Vertex]]
) -> tuple[_Vertex, ...]:
    """A shortest way from the first member of a circle back to it: that vertex stands at both ends."""
    inside = dict.fromkeys(members)
    first = next(iter(inside))
    came: dict[_Vertex, _Vertex] = {}
    waiting = [first]
    for one in waiting:
        for target in edges(one):
            if target in inside and target not in came:
                came[target] = one
                waiting.append(target)
        if first in came:
            break
    way = [first, came[first]]
    while way[-1] != first:
        way.append(came[way[-1]])
    return tuple(reversed(way))


def control_circles(
    flow: Flow, *, without: frozenset[int] = frozenset()
) -> tuple[tuple[str, ...], ...]:
    """The circles of control, nodes of the types `without` taken out of the graph."""
    nodes = flow.nodes
    allowed = [name for name in control_nodes(flow) if nodes[name].type not in without]

    def edges(name: str) -> tuple[str, ...]:
        return tuple(
            target
            for target in successors(nodes[name])
            if nodes[target].type not in without
        )

    return circles(allowed, edges)


def has_wait_free_cycle(flow: Flow) -> bool:
    """Whether control can go round in this flow without passing a wait (21, 22)."""
    return bool(control_circles(flow, without=WAIT_TYPES))


def class_of(target: ObjectRef) -> str:
    """The class of a named object: `table`, `player` or `card`."""
    match target:
        case TableRef():
            return "table"
        case PlayerRef() | CurrentPlayerRef():
            return "player"
        case CardRef():
            return "card"


def called_method(node: Node) -> MethodKey | None:
    """The class and method that a type 1 node calls, whether the class has it or not; None if it cannot be told."""
    target, method = resolve_object(node.fields.get("object")), node.fields.get(
        "method"
    )
    if (
        node.type != 1
        or target is None
        or not isinstance(method, str)
        or not method.strip()
    ):
        return None
    return class_of(target), method


def is_deck(raw: object, scope: Scope) -> bool:
    """Whether a reference may be the deck itself: a type 6 node that reads 卡牌池 of what may be the table."""
    target = reference(raw, scope)
    if not isinstance(target, NodeRef):
        return False
    node = scope.flow.nodes[target.id]
    if node.type != 6 or node.fields.get("property") != DECK_PROPERTY:
        return False
    if operator(node) == 0:
        return isinstance(resolve_object(node.fields.get("ident")), TableRef)
    ident = reference(node.fields.get("ident"), scope)
    return isinstance(ident, (TableRef, NodeRef, OwnerRef, ParameterRef))


def classes_by_name(rule: Rule) -> Mapping[str, RuleClass]:
    """The three classes by their names."""
    return {one.name: one for one in rule.classes()}


def method_effects(rule: Rule) -> frozenset[MethodKey]:
    """The (class, method) pairs that have effects when executed.

    A method has effects if it assigns, sorts the deck, shuffles or deals, itself or through a method that it executes.
    """
    methods = {
        (owner.name, name): method
        for owner in rule.classes()
        for name, method in owner.methods.items()
    }
    callers: dict[MethodKey, list[MethodKey]] = {key: [] for key in methods}
    waiting: list[MethodKey] = []
    for key, method in methods.items():
        scope = scope_of(method.flow, method)
        executed = [method.flow.nodes[name] for name in control_nodes(method.flow)]
        if any(has_own_effect(node, scope) for node in executed):
            waiting.append(key)
        for node in executed:
            callee = called_method(node)
            if callee in callers:
                callers[callee].append(key)
    return _spread(waiting, callers)


def _spread(
    waiting: list[MethodKey], callers: Mapping[MethodKey, list[MethodKey]]
) -> frozenset[MethodKey]:
    found: set[MethodKey] = set()
    while waiting:
        key = waiting.pop()
        if key not in found:
            found.add(key)
            waiting.extend(callers[key])
    return frozenset(found)


def has_own_effect(node: Node, scope: Scope) -> bool:
    """Whether executing this node changes the match by itself: 4, 19, 20, and 2 on the deck."""
    return node.type in (4, 19, 20) or (
        node.type == 2 and is_deck(node.fields.get("selection"), scope)
    )
