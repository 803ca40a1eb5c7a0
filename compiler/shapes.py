"""The shape of the fields of one node, checked against the component table.

In goes a reachable node as it stands in the file, out come its fields with everything blank or ill-shaped taken away,
so that later phases meet well-shaped values only; what was taken away for its shape has been reported. Used by `load`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, final

from dealwright.compiler.codes import Words
from dealwright.compiler.components import COMPONENTS, Field, FieldKind
from dealwright.compiler.diagnostics import Reporter
from dealwright.compiler.model import Node
from dealwright.compiler.source import MAX_DIGITS

# begins where a run of digits does: else it would try anew at each digit of a run that is just short enough
LONG_INTEGER: Final = re.compile(f"(?<![0-9])[0-9]{{{MAX_DIGITS + 1}}}")
A_LIST: Final = Words("a list", "列表")
AN_OBJECT: Final = Words("an object", "对象")


def describe(value: object) -> Words:
    """What kind of JSON value this is, in words."""
    match value:
        case None:
            return Words("null", "null")
        case bool():
            return Words("a boolean", "布尔值")
        case int():
            return Words("an integer", "整数")
        case float():
            return Words("a fraction", "小数")
        case str():
            return Words("text", "文本")
        case list():
            return A_LIST
        case _:
            return AN_OBJECT


def is_integer(value: object) -> bool:
    """Whether a value is an integer of the rule language; JSON's true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_blank(value: object) -> bool:
    """Whether a value says "nothing here": null or text without anything visible."""
    return value is None or (isinstance(value, str) and not value.strip())


def shaped_fields(node: Node, flow: str, reporter: Reporter) -> Mapping[str, object]:
    """The fields of a node of a supported type, cleaned.

    Blank operands keep their spelling; nulls, and values of a wrong kind after a report, are left out. Lists and
    objects keep only the parts that the component knows. Source: contract, section 1 ("a field of the wrong kind") and
    decisions.
    """
    shaper = _Shaper(node, flow, reporter)
    fields = dict(node.fields)
    for field in COMPONENTS[node.type].fields:
        value = shaper.shaped(field, fields.pop(field.name, None))
        if value is not None:
            fields[field.name] = value
    return fields


@final
@dataclass(frozen=True, slots=True)
class _Shaper:
    """Checks the fields of one node; every method gives the cleaned value, or None for "not there"."""

    node: Node
    flow: str
    reporter: Reporter

    def wrong(
        self, code: str, field: str, value: object, wanted: Words | None = None
    ) -> None:
        place = self.reporter.place_in_node(
            self.node.pointer, self.flow, self.node.id, field
        )
        words = Words("", "") if wanted is None else wanted
        self.reporter.report(
            code,
            place,
            field=field,
            found=describe(value),
            wanted=words,
            limit=MAX_DIGITS,
        )

    def shaped(self, field: Field, value: object) -> object:
        match field.kind:
            case (
                FieldKind.REFERENCE
                | FieldKind.OBJECT
                | FieldKind.OBJECT_OR_REFERENCE
                | FieldKind.CARDS
            ):
                return self.reference(field.name, value)
            case FieldKind.REFERENCES:
                items = self.items(field.name, value)
                return None if items is None else self.references(field.name, items)
            case FieldKind.OPERATOR:
                return self.operator(field, value)
            case FieldKind.INTEGER:
                return self.number(field.name, value)
            case FieldKind.RESULT:
                return None if value is None else self.result(field.name, value)
            case FieldKind.TEXT:
                return self.text(field.name, value)
            case FieldKind.CARDSET:
                return self.cardset(field.name, value)
            case FieldKind.SORT_KEYS:
                return self.records(field.name, value, text="name", integers=("order",))
            case FieldKind.FILTERS:
                return self.records(
                    field.name,
                    value,
                    text="prop_name",
                    integers=("lower_bound", "upper_bound"),
                )
            case FieldKind.OPTIONS:
                return self.items(field.name, value)
            case FieldKind.RESULT_PROPERTIES:
                return self.mapping(field.name, value)
            case FieldKind.CONSTANT | FieldKind.ANYTHING:
                return value

    def reference(self, name: str, value: object) -> object:
        if isinstance(value, str) and LONG_INTEGER.search(value):
            self.wrong("R131", name, value)
            return None
        if value is None or isinstance(value, (str, int)):
            return value
        self.wrong("R124", name, value)
        return None

    def references(self, name: str, items: list[object]) -> list[object]:
        # arguments count by position, so a wrong one keeps its place
        return [
            self.reference(f"{name}/{index}", item) for index, item in enumerate(items)
        ]

    def operator(self, field: Field, value: object) -> object:
        if value is None or (
            is_integer(value) and value in range(len(field.operators))
        ):
            return value
        listed = ", ".join(map(str, range(len(field.operators))))
        found = describe(value)
        if isinstance(value, int) and not isinstance(value, bool):
            found = Words(str(value), str(value)) if abs(value) < 10**9 else found
        place = self.reporter.place_in_node(
            self.node.pointer, self.flow, self.node.id, field.name
        )
        self.reporter.report("R125", place, found=found, wanted=Words(listed, listed))
        return None

    def result(self, name: str, value: object) -> object:
        if is_integer(value):
            return value
        self.wrong("R126", name, value)
        return None

    def number(self, name: str, value: object) -> object:
        """A number that may be left out: what is none counts as missing, with a warning (decision 28)."""
        if is_integer(value):
            return value
        if not is_blank(value):
            self.wrong("R335", name, value)
        return None

    def text(self, name: str, value: object) -> object:
        if value is None or isinstance(value, str):
            return value
        self.wrong("R127", name, value)
        return None

    def cardset(self, name: str, value: object) -> object:
        if is_blank(value):
            self.wrong("R129", name, value)
            return None
        return self.text(name, value)

    def items(self, name: str, value: object) -> list[object] | None:
        if is_blank(value):
            return None
        if isinstance(value, list):
            return value
        self.wrong("R128", name, value, A_LIST)
        return None

    def mapping(self, name: str, value: object) -> object:
        if is_blank(value) or isinstance(value, dict):
            return value if isinstance(value, dict) else None
        self.wrong("R128", name, value, AN_OBJECT)
        return None

    def records(
        self, name: str, value: object, *, text: str, integers: tuple[str, ...]
    ) -> object:
        items = self.items(name, value)
        if items is None:
            return None
        records = [
            self.record(f"{name}/{index}", item, text, integers)
            for index, item in enumerate(items)
        ]
        return [record for record in records if record is not None]

    def record(
        self, name: str, item: object, text: str, integers: tuple[str, ...]
    ) -> dict[str, object] | None:
        if not isinstance(item, dict):
            self.wrong("R128", name, item, AN_OBJECT)
            return None
        found = {text: self.text(f"{name}/{text}", item.get(text))}
        for key in integers:
            found[key] = self.number(f"{name}/{key}", item.get(key))
        return {key: value for key, value in found.items() if value is not None}
