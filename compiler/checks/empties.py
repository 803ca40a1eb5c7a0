"""Fields in which nothing stands: each is told once, with the value that may have been connected to it.

Part of the pass `check`. What is empty counts as none (contract, section 3). A value of several parts of which none is
filled in is told once, a branch without exits by what its exits lack. A value that nothing refers to is named if
there is no other one, if one field of the flow is empty, and if it can stand there.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from dealwright.compiler.checks.context import Context
from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.diagnostics.reporter import quote, safe
from dealwright.compiler.rule.components import (
    BRANCH_TYPE,
    COMPONENTS,
    RETURN_TYPE,
    FieldKind,
)
from dealwright.compiler.rule.flowgraph import operands, reference
from dealwright.compiler.rule.model import Node
from dealwright.compiler.rule.references import NoReference

_PARTS: Final = MappingProxyType(
    {
        type: tuple(field.name for field in row.fields if field.operand)
        for type, row in COMPONENTS.items()
        if sum(field.operand for field in row.fields) > 1
        and not row.is_statement
        and all(one.operand or one.kind is FieldKind.OPERATOR for one in row.fields)
    }
    | {6: ("ident", "property")}
)
"""What has to be filled in of values that have several parts besides an operator: elements, comparisons, properties and so
on."""
_COLLECTIONS: Final = frozenset({"selection", "set", "card_set"})
_NO_COLLECTIONS: Final = frozenset({7, 8, 9, 10, 11, 12, 13, 14, 15})
_CONSTANTS: Final = frozenset({8, 9})
_ALL_NONE: Final = Words("all of it counts as none (0, false)", "均按无值处理（0、假）")
_VALUE, _CONDITION = Words("a value", "一个值"), Words("a condition", "一个条件")


def is_blank(context: Context, node: Node) -> bool:
    """Whether no part of a value of several is filled in, its operator left out, and nothing else has been said of that."""
    names = _PARTS.get(node.type, ())
    if not names or not all(_is_empty(context, node, name) for name in names):
        return False
    reporter, path = context.reporter, context.flow.path
    return not reporter.is_shapeless(path, node.id) and not any(
        context.is_told(node, name) for name in names
    )


def report_empty(
    context: Context, blank: Sequence[Node], empty: Sequence[tuple[Node, str]]
) -> None:
    """Report the values in which nothing is filled in, and the empty fields of other nodes."""
    for node in blank:
        _report_blank(context, node)
    # of several empty fields nobody knows which one it was connected to
    left = context.left_over() if len(empty) == 1 and not blank else None
    for node, name in empty:
        if node.type == BRANCH_TYPE:
            # what a branch without exits lacks has been told
            if node.id not in context.unfinished:
                value = _what_to_connect(context, node, name, left, _CONDITION)
                context.report("R302", node, name, value=value)
            continue
        field = COMPONENTS[node.type].field(name)
        # the elements of a list (arguments) have no row of their own and count as operands
        if field is None or field.operand or _has_to_return(context, node, left):
            value = _what_to_connect(context, node, name, left, _VALUE)
            context.report("R303", node, name, value=value)


def _has_to_return(context: Context, node: Node, left: Sequence[str] | None) -> bool:
    """Whether an end that returns nothing, and does not say `void`, should return a value.

    It should if another end returns one. A declared type alone says little, since builders fill it in: it counts if
    besides there is a value that nothing uses.
    """
    method = context.method
    if method is None or node.type != RETURN_TYPE or _says_void(node):
        return False
    if left and (method.returns or "void").strip() != "void":
        return True
    ends = (one for one in context.reached() if one.type == RETURN_TYPE)
    return any(
        not _says_void(end) and not _is_empty(context, end, "return") for end in ends
    )


def _says_void(node: Node) -> bool:
    said = node.fields.get("return")
    return isinstance(said, str) and said.strip() == "void"


def _is_empty(context: Context, node: Node, name: str) -> bool:
    return isinstance(reference(node.fields.get(name), context.scope), NoReference)


def _report_blank(context: Context, node: Node) -> None:
    component = COMPONENTS[node.type]
    names, counts = _PARTS[node.type], _ALL_NONE
    operator = component.field("operator")
    if operator is not None and node.fields.get("operator") is None:
        names = ("operator", *names)
        meaning = operator.operators[0]
        counts = Words(
            f"the operator counts as 0 ({meaning.en}), the rest as none (0, false)",
            f"运算符按 0（{meaning.zh}）处理，其余按无值处理（0、假）",
        )
    shown = Words(", ".join(map(quote, names)), "、".join(map(safe, names)))
    context.report("R340", node, None, names=shown, counts=counts)


def _what_to_connect(
    context: Context, node: Node, name: str, left: Sequence[str] | None, any_: Words
) -> Words:
    """The one value that is left over, if it may stand in a field of a node, and counts as used then; else any."""
    found = context.flow.nodes[left[0]] if left and len(left) == 1 else None
    if found is None or not _may_stand(context, node, name, found):
        return any_
    context.suggested.add(found.id)
    shown = quote(found.id)
    return Words(
        f"{shown}, which nothing uses, or another value",
        f"未被使用的 {shown}，或其他值",
    )


def _may_stand(context: Context, node: Node, name: str, value: Node) -> bool:
    needed = context.with_needs((value.id,))
    return not (
        node.id in needed
        or (name in _COLLECTIONS and value.type in _NO_COLLECTIONS)
        or (node.type == BRANCH_TYPE and value.type in _CONSTANTS)
        or any(_lacks_something(context, context.flow.nodes[one]) for one in needed)
    )


def _lacks_something(context: Context, node: Node) -> bool:
    """Whether something is empty in a value, or its id means something else than the node."""
    return (
        context.is_hidden(node.id)
        or any(
            isinstance(one.reference, NoReference)
            for one in operands(node, context.scope)
        )
        or (node.type == 6 and _is_empty(context, node, "property"))
    )
