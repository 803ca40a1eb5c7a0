"""Checks of what nodes refer to: empty, unknown and misleading references, objects, constants, cycles of values.

Part of the pass `check`; see the contract, sections 1 and 3. `flowgraph.operands` says which references a node makes.
"""

from __future__ import annotations

import re
from typing import Final

from dealwright.compiler.checks.context import (
    Context,
    Facts,
    is_special_pair,
    property_name,
    reads_no_pair,
    shown_nodes,
)
from dealwright.compiler.checks.empties import is_blank, report_empty
from dealwright.compiler.checks.meant import (
    meant_object,
    meant_pair,
    meant_read,
    meant_reference,
)
from dealwright.compiler.rule.components import (
    COMPONENTS,
    START_TYPES,
    FieldKind,
)
from dealwright.compiler.rule.flowgraph import (
    START_ID,
    Operand,
    called_method,
    circles,
    classes_by_name,
    operands,
    value_operands,
    way_round,
)
from dealwright.compiler.rule.model import Node
from dealwright.compiler.rule.operands import operator
from dealwright.compiler.rule.references import (
    CardRef,
    NodeRef,
    NoReference,
    PlayerRef,
    Reference,
    UnknownRef,
    resolve_object,
)

_NUMBER: Final = re.compile(r"\s*[+-]?[0-9]+\s*")


def check_references(context: Context, facts: Facts) -> None:
    """All checks of the references and constants of one flow."""
    blank: list[Node] = []
    empty: list[tuple[Node, str]] = []
    for node in context.reached():
        if is_blank(context, node):
            blank.append(node)
            continue
        _check_given(context, node)
        for operand in operands(node, context.scope):
            if isinstance(operand.reference, NoReference):
                if not _is_surplus(facts, node, operand.field):
                    empty.append((node, operand.field))
            else:
                _check_operand(context, facts, node, operand)
        if node.type == 6 and operator(node) == 0:
            _check_ident(context, facts, node)
        if node.type == 1:
            _check_seat_and_card(
                context,
                facts,
                node,
                "object",
                resolve_object(node.fields.get("object")),
            )
    report_empty(context, blank, empty)
    _check_value_cycles(context)


def _check_given(context: Context, node: Node) -> None:
    """Values that stand in the node itself: operators, results and constants that are missing or useless."""
    component = COMPONENTS.get(node.type)
    for field in component.fields if component is not None else ():
        value = node.fields.get(field.name)
        # that an object is named wrongly may be due to the missing operator, and has been told
        if (
            field.kind is FieldKind.OPERATOR
            and value is None
            and not context.reporter.is_wrong(context.flow.path, node.id, "ident")
        ):
            context.report("R331", node, field.name)
        if field.kind is FieldKind.RESULT and value is None:
            context.report("R332", node, field.name)
        if field.kind is FieldKind.CONSTANT and (
            not isinstance(value, int) or isinstance(value, bool)
        ):
            context.report("R330", node, field.name)


def _check_operand(
    context: Context, facts: Facts, node: Node, operand: Operand
) -> None:
    found = operand.reference
    # what an assignment may name is stricter, and checked with the other properties of its target
    if node.type == 4 and operand.field == "component":
        return
    match found:
        case UnknownRef():
            _check_unknown(context, facts, node, operand.field, found.text)
        case NodeRef():
            _check_node(context, node, operand.field, context.flow.nodes[found.id])
        case _:
            _check_seat_and_card(context, facts, node, operand.field, found)


def _check_unknown(
    context: Context, facts: Facts, node: Node, name: str, text: str
) -> None:
    if not _has_unread_parameters(context):
        meant = meant_reference(context, node, name, text) or meant_read(facts, text)
        context.report("R304", node, name, meant=meant, text=text)


def _has_unread_parameters(context: Context) -> bool:
    """Whether the flow is a method's whose parameters could not be read, so that any name may be one."""
    method = context.pointer.parent
    return (
        context.method is not None
        and method is not None
        and context.reporter.has_hole(method / "parameters")
    )


def _check_node(context: Context, node: Node, name: str, target: Node) -> None:
    is_pair = node.type == 6 and is_special_pair(context, target, property_name(node))
    if node.type == 1 and _is_number(target.id):
        context.report("R307", node, name, text=target.id)
    elif target.id == START_ID and not is_pair:
        _check_start(context, node, name)
    elif not is_pair and not _has_value(target):
        component = COMPONENTS.get(target.type)
        if component is not None:
            context.report(
                "R329",
                node,
                name,
                target=target.id,
                type=target.type,
                name=component.name,
            )


def _is_surplus(facts: Facts, node: Node, field: str) -> bool:
    """Whether a field is an argument that no parameter takes; how many there are has a warning of its own."""
    name, _, index = field.partition("/")
    callee = called_method(node)
    if name != "parameter" or callee is None:
        return False
    owner, method = callee
    called = classes_by_name(facts.rule)[owner].methods.get(method)
    return called is not None and int(index) >= len(called.parameters)


def _check_start(context: Context, node: Node, name: str) -> None:
    """A plain reference to node "1", unless an error at that node or at the property that is read explains it."""
    reporter, path = context.reporter, context.flow.path
    if reporter.is_shapeless(path, START_ID):
        return
    meant = None
    if node.type == 6:
        if (
            reporter.is_wrong(path, node.id, "property")
            or _has_unread_parameters(context)
            or reads_no_pair(context, node)  # that has a warning of its own
        ):
            return
        meant = meant_pair(context, node)
    context.report("R308", node, name, meant=meant)


def _has_value(node: Node) -> bool:
    """Whether reading a node plainly can give anything; starts other than 27 do not (decision 7)."""
    component = COMPONENTS.get(node.type)
    return (
        component is not None
        and component.has_value
        and (node.type not in START_TYPES or node.type == 27)
    )


def _is_number(text: str) -> bool:
    """Whether a node id would be a number if no node had it."""
    return _NUMBER.fullmatch(text) is not None


def _check_ident(context: Context, facts: Facts, node: Node) -> None:
    raw = node.fields.get("ident")
    target = resolve_object(raw)
    is_node = isinstance(raw, str) and raw in context.flow.nodes
    text = raw if isinstance(raw, str) else "" if raw is None else str(raw)
    if context.is_told(node, "operator"):
        return
    if target is None:
        meant = None if is_node else meant_object(context, text)
        context.report(
            "R309" if is_node else "R310", node, "ident", meant=meant, text=text
        )
    if is_node and isinstance(target, PlayerRef) and text.strip().isdigit():
        context.report("R311", node, "ident", text=text)
    _check_seat_and_card(context, facts, node, "ident", target)


def _check_seat_and_card(
    context: Context, facts: Facts, node: Node, name: str, found: Reference | None
) -> None:
    players = facts.rule.players
    cards = facts.deck_size if facts.has_deck else None
    if isinstance(found, PlayerRef) and players is not None and found.seat >= players:
        context.report("R213", node, name, seat=found.seat, players=players)
    if (
        isinstance(found, CardRef)
        and cards is not None
        and not 1 <= found.number <= cards
    ):
        context.report("R305", node, name, number=found.number, cards=cards)


def _check_value_cycles(context: Context) -> None:
    nodes, scope = context.flow.nodes, context.scope

    def edges(name: str) -> list[str]:
        return [
            one.reference.id
            for one in value_operands(nodes[name], scope)
            if isinstance(one.reference, NodeRef)
        ]

    for members in circles(context.used, edges):
        way = way_round(members, edges)
        node = nodes[way[0]]
        fields = [
            one.field
            for one in value_operands(node, scope)
            if isinstance(one.reference, NodeRef) and one.reference.id == way[1]
        ]
        context.report("R214", node, fields[0], circle=shown_nodes(way))
