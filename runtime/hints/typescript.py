"""TypeScript types of hints, replies and answers, for clients that are written in it.

Printed from the same description as the JSON Schema. What a type cannot say, such as that a list names nobody twice, is
left to the schema and to the server.
"""

from __future__ import annotations

import json
import re
from typing import Final, assert_never

from dealwright.runtime.hints.shapes import (
    Anything,
    Exactly,
    ListOf,
    Literally,
    MapOf,
    Number,
    Obj,
    OneOf,
    Ref,
    Shape,
    Text,
    shapes,
)

PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


def typescript(dialect: str = "spec") -> str:
    """The text of a module that declares all types of a dialect.

    Raises:
        HintError: "bad_dialect".
    """
    head = f"// Hints, replies and answers in the {dialect} dialect.\n"
    declared = [
        f"/** {named.about} */\nexport type {named.name} ={_type(named.shape, 0)};\n"
        for named in shapes(dialect)
    ]
    return "\n".join([head, *declared])


def _type(shape: Shape, depth: int) -> str:
    """A type as it stands after `=` or `:`, the blank before it included."""
    match shape:
        case OneOf(several):
            edge = "\n" + "  " * (depth + 1)
            return "".join(f"{edge}|{_type(one, depth + 1)}" for one in several)
        case Obj(fields):
            edge = "\n" + "  " * (depth + 1)
            inside = "".join(
                f"{edge}{_key(field.name)}{'?' * field.is_optional}:{_type(field.shape, depth + 1)};"
                for field in fields
            )
            return f" {{{inside}\n{'  ' * depth}}}"
        case _:
            return " " + _short(shape)


def _short(shape: Shape) -> str:
    """A type that fits on a line."""
    match shape:
        case Text():
            return "string"
        case Number():
            return "number"
        case Literally(words):
            return " | ".join(json.dumps(word) for word in words)
        case Exactly(words):
            return f"[{', '.join(json.dumps(word) for word in words)}]"
        case ListOf(_, _, 0):
            return "[]"
        case ListOf(item):
            return f"Array<{_short(item)}>"
        case MapOf(value, are_cards):
            return f"{{ [{'card' if are_cards else 'name'}: string]: {_short(value)} }}"
        case OneOf(several):
            return " | ".join(_short(one) for one in several)
        case Obj(fields):
            inside = "; ".join(
                f"{_key(field.name)}{'?' * field.is_optional}: {_short(field.shape)}"
                for field in fields
            )
            return f"{{ {inside} }}"
        case Ref(name):
            return name
        case Anything():
            return "unknown"
        case _:
            assert_never(shape)


def _key(name: str) -> str:
    return name if PLAIN_KEY.fullmatch(name) else json.dumps(name)
