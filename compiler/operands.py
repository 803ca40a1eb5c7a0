"""Which fields of a node refer to other values, and small readers of the other fields.

One table serves inference and lowering; the fields' shapes have been checked by `load`. Nothing here resolves a
reference.
"""

from __future__ import annotations

from collections.abc import Mapping

from dealwright.compiler.model import Node

_REFERENCES: Mapping[int, tuple[str, ...]] = {
    2: ("selection",),
    4: ("component", "rvalue"),
    5: ("selection", "index"),
    7: ("selection",),
    10: ("lval", "rval"),
    11: ("set", "component"),
    12: ("lval", "rval"),
    13: ("component",),
    14: ("lval", "rval"),
    15: ("card_set",),
    16: ("condition",),
    26: ("return",),
}


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


def integer_field(node: Node, name: str, missing: int) -> int:
    """An integer field, or `missing` where it is not an integer."""
    raw = node.fields.get(name)
    return raw if isinstance(raw, int) and not isinstance(raw, bool) else missing


def text_field(node: Node, name: str) -> str:
    """A text field, or the empty text."""
    raw = node.fields.get(name)
    return raw if isinstance(raw, str) else ""
