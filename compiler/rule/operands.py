"""Which fields of a node refer to other values, and small readers of the other fields.

The table of components says which fields; inference and lowering are served alike. The fields' shapes have been checked
by `load`. Nothing here resolves a reference.
"""

from __future__ import annotations

from collections.abc import Mapping

from dealwright.compiler.rule.components import COMPONENTS, FieldKind
from dealwright.compiler.rule.model import Node

_REFERENCES: Mapping[int, tuple[str, ...]] = {
    type: tuple(
        field.name
        for field in component.fields
        if field.kind in (FieldKind.REFERENCE, FieldKind.CARDS)
    )
    for type, component in COMPONENTS.items()
}
"""Methods and properties are left out: `operands` looks at the list of the one and at the operator of the other."""


def operands(node: Node) -> tuple[object, ...]:
    """The raw values of the node's reference fields, in a fixed order; missing ones are None."""
    if node.type == 1:
        given = node.fields.get("parameter")
        return tuple(given) if isinstance(given, list | tuple) else ()
    if node.type == 6:
        return (node.fields.get("ident"),) if operator(node) != 0 else ()
    return tuple(node.fields.get(name) for name in _REFERENCES.get(node.type, ()))


def operator(node: Node) -> int:
    """The node's operator; missing means 0."""
    return integer_field(node, "operator", 0)


def returned_reference(node: Node) -> object:
    """The reference that a 26 returns; `void` is blank."""
    raw = node.fields.get("return")
    return None if isinstance(raw, str) and raw.strip() == "void" else raw


def integer_field(node: Node, name: str, missing: int) -> int:
    """An integer field, or `missing` where it is not an integer."""
    raw = node.fields.get(name)
    return raw if isinstance(raw, int) and not isinstance(raw, bool) else missing


def text_field(node: Node, name: str) -> str:
    """A text field, or the empty text."""
    raw = node.fields.get(name)
    return raw if isinstance(raw, str) else ""
