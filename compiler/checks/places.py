"""Checks of the graph: exits, ends, loops, where components may stand, unused nodes.

Part of the pass `check`; see the contract, section 1, and the rows of the component table. Each function looks at one
flow and reports all problems of its kind.
"""

from __future__ import annotations

from typing import Final

from dealwright.compiler.checks.context import (
    Context,
    property_name,
    shown_nodes,
)
from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.diagnostics.reporter import quote, safe
from dealwright.compiler.rule.components import (
    BRANCH_TYPE,
    COMPONENTS,
    FLOW_NAMES,
    START_TYPES,
    TERMINAL_TYPES,
    WAIT_TYPES,
)
from dealwright.compiler.rule.flowgraph import (
    DECK_PROPERTY,
    START_ID,
    class_of,
    control_circles,
    is_deck,
    is_written,
    reference,
    successors,
    way_round,
)
from dealwright.compiler.rule.model import FlowKind, Node
from dealwright.compiler.rule.operands import operator
from dealwright.compiler.rule.references import (
    NoReference,
    resolve_object,
)

_ENDLESS: Final = {
    18: Words("the match", "对局"),
    24: Words("the settlement", "结算"),
}
_UNCHANGING = (FlowKind.BUILD, FlowKind.COMPARE)


def check_places(context: Context) -> None:
    """All checks of the graph of one flow."""
    for node in context.reached():
        _check_exits(context, node)
        _check_placed(context, node)
    for node in context.executed():
        _check_executed(context, node)
    _check_ends(context)
    _check_loops(context)
    _check_hidden(context)


def _check_exits(context: Context, node: Node) -> None:
    if node.type != BRANCH_TYPE:
        return
    exits = (("next_true", node.next_true), ("next_false", node.next_false))
    missing = [
        field
        for field, target in exits
        if target is None
        and not _is_told(context, node, field)
        and not _refused_as_misspelled(context, node, field)
    ]
    if missing:
        context.unfinished.add(node.id)
        lacking = [*missing]
        if isinstance(
            reference(node.fields.get("condition"), context.scope), NoReference
        ):
            lacking.insert(0, "condition")
        words = Words(
            " and no ".join(map(quote, lacking)), "、".join(map(safe, lacking))
        )
        context.report("R201", node, missing[0], lacking=words)


def _is_told(context: Context, node: Node, jump: str) -> bool:
    """Whether it has been reported why a jump is missing: it leads nowhere, or the content cannot be read."""
    return any(
        context.reporter.is_wrong(context.flow.path, node.id, field)
        for field in (jump, "content")
    )


def _check_placed(context: Context, node: Node) -> None:
    component = COMPONENTS.get(node.type)
    if component is None or context.flow.kind in component.placed:
        return
    if _begun_kind(context) in component.placed:
        return
    kinds = [FLOW_NAMES[kind] for kind in FlowKind if kind in component.placed]
    where = Words(
        ", ".join(one.en for one in kinds), "、".join(one.zh for one in kinds)
    )
    context.report(
        "R204",
        node,
        "type",
        meant=_own_end(node, context.flow.kind),
        type=node.type,
        name=component.name,
        where=where,
    )


def _begun_kind(context: Context) -> FlowKind | None:
    """The other kind of flow that node "1" starts: what is right in it has been refused with the start."""
    start = context.flow.nodes.get(START_ID)
    if start is None or start.type not in START_TYPES:
        return None
    kind = FlowKind(start.type)
    return None if kind is context.flow.kind else kind


def _own_end(node: Node, kind: FlowKind) -> Words | None:
    """The component that ends this kind of flow, if the node is the end of another kind."""
    if node.type not in TERMINAL_TYPES or node.type == BRANCH_TYPE:
        return None
    for type in sorted(TERMINAL_TYPES - {BRANCH_TYPE}):
        one = COMPONENTS[type]
        if kind in one.executed:
            return Words(f"{type} ({one.name.en})", f"{type}（{one.name.zh}）")
    return None


def _check_executed(context: Context, node: Node) -> None:
    component = COMPONENTS.get(node.type)
    kind = context.flow.kind
    if component is None:
        return
    if (
        kind in component.placed
        and kind not in component.executed
        and _begun_kind(context) not in component.executed
    ):
        context.report("R205", node, "type", type=node.type, name=component.name)
    if node.type in START_TYPES and node.id != START_ID:
        context.report("R315", node)
    if node.type == 4 and kind in _UNCHANGING:
        context.report("R313", node)
    if node.type == 2 and (kind in _UNCHANGING or not _may_sort_deck(context, node)):
        context.report("R333", node)


def _may_sort_deck(context: Context, node: Node) -> bool:
    """Whether a sort is of the deck, or would be if what it reads named the table or its property.

    What is not named has a warning of its own.
    """
    selection = node.fields.get("selection")
    source = context.target(selection)
    if source is None or source.type != 6 or operator(source) != 0:
        return is_deck(selection, context.scope)
    object, property = resolve_object(source.fields.get("ident")), property_name(source)
    is_table = object is None or class_of(object) == "table"
    return is_table and property in (DECK_PROPERTY, "")


def _check_ends(context: Context) -> None:
    """Where control stops without a terminal; in build flows and methods that is allowed."""
    kind = context.flow.kind
    if kind in (FlowKind.MATCH, FlowKind.END):
        end = 18 if kind is FlowKind.MATCH else 24
        for node in _loose_ends(context):
            if not _refused_as_misspelled(context, node):
                context.report("R202", node, None, end=end)
        _check_trapped(context, end)
    if kind is FlowKind.COMPARE and is_written(context.flow):
        for node in _loose_ends(context):
            if not _refused_as_misspelled(context, node):
                context.report("R203", node)
    if kind in _UNCHANGING and START_ID in context.flow.nodes:
        _check_result(context)


def _check_result(context: Context) -> None:
    """Warn of a flow that recognises or compares and reaches no result, unless what is refused in it may be why."""
    if context.reporter.is_cut(context.flow.path) or control_circles(context.flow):
        return
    if context.flow.kind is FlowKind.COMPARE:
        if not is_written(context.flow):
            context.report_flow("R324")
    elif all(node.type != 28 for node in context.executed()):
        context.report_flow("R325")


def _refused_as_misspelled(context: Context, node: Node, jump: str = "next") -> bool:
    """Whether the missing jump of a node is there under a misspelled key, which is then refused."""
    return context.reporter.refused_as_misspelled(
        context.reporter.place_in_node(node.pointer, context.flow.path, node.id, jump)
    )


def _check_trapped(context: Context, end: int) -> None:
    """Warn where control comes to a place from which no end can be reached, conditions ignored."""
    nodes = context.flow.nodes
    if context.reporter.is_cut(context.flow.path):
        return
    comes_from: dict[str, list[str]] = {}
    for node in context.executed():
        for target in successors(node):
            comes_from.setdefault(target, []).append(node.id)
    waiting = [node.id for node in context.executed() if node.type == end]
    free = set(waiting)
    while waiting:
        for name in comes_from.get(waiting.pop(), ()):
            if name not in free:
                free.add(name)
                waiting.append(name)
    for node in context.executed():
        before = comes_from.get(node.id, ())
        is_entered = node.id == START_ID or any(name in free for name in before)
        if node.id not in free and is_entered:
            context.report("R337", nodes[node.id], None, end=end, what=_ENDLESS[end])


def _loose_ends(context: Context) -> list[Node]:
    return [
        node
        for node in context.executed()
        if node.type in COMPONENTS
        and node.type not in TERMINAL_TYPES
        and node.type != BRANCH_TYPE
        and node.next is None
        and not _is_told(context, node, "next")
    ]


def _check_loops(context: Context) -> None:
    """Loops in which nothing changes, at the jump that leads back; others without a wait, where they begin."""
    nodes = context.flow.nodes
    is_unchanging = context.flow.kind in _UNCHANGING
    without = frozenset() if is_unchanging else WAIT_TYPES
    for members in control_circles(context.flow, without=without):
        way = way_round(members, lambda name: successors(nodes[name]))
        if is_unchanging:
            last = nodes[way[-2]]
            context.report("R217", last, _jump_to(last, way[-1]), target=way[-1])
        else:
            context.report("R314", nodes[way[0]], circle=shown_nodes(way))


def _jump_to(node: Node, target: str) -> str:
    """The jump by which control goes from a node to another."""
    if node.type != BRANCH_TYPE:
        return "next"
    return "next_true" if node.next_true == target else "next_false"


def _check_hidden(context: Context) -> None:
    for name, node in context.flow.nodes.items():
        if context.is_hidden(name):
            context.report("R312", node, None, text=name)


def check_unused(context: Context) -> None:
    """Note the nodes that nothing uses, unless an error may be why; to be asked when all others have spoken."""
    if context.reporter.is_unsure(context.flow.path):
        return
    used = frozenset(context.used) | context.meant()
    for name, node in context.flow.nodes.items():
        if name not in used and node.type in COMPONENTS:
            context.report("R401", node)
