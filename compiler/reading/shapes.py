"""The shape of the fields of one node, checked against the component table.

In goes a reachable node as it stands in the file, out come its fields with everything blank or ill-shaped taken away,
so that later phases meet well-shaped values only; what was taken away for its shape has been reported. Used by `load`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, final

from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.diagnostics.pointer import pointer_token
from dealwright.compiler.diagnostics.reporter import Place, Reporter, safe
from dealwright.compiler.reading.shapes_keys import misspelled_keys
from dealwright.compiler.reading.source import MAX_DIGITS
from dealwright.compiler.rule.components import COMPONENTS, Field, FieldKind
from dealwright.compiler.rule.model import Node

# begins where a run of digits does: else it would try anew at each digit of a run that is just short enough
LONG_INTEGER: Final = re.compile(f"(?<![0-9])[0-9]{{{MAX_DIGITS + 1}}}")
A_LIST: Final = Words("a list", "列表")
AN_OBJECT: Final = Words("an object", "对象")
AN_INTEGER: Final = Words("an integer", "整数")
# how the fields that are no single value are written
_FORMS: Final[Mapping[FieldKind, str]] = {
    FieldKind.REFERENCES: '["a_node", 2]',
    FieldKind.SORT_KEYS: '[{"name": "a_property", "order": 1}]',
    FieldKind.FILTERS: '[{"prop_name": "a_property", "lower_bound": 1, "upper_bound": 3}]',
    FieldKind.OPTIONS: '[{"name": "a name", "value": 1}]',
    FieldKind.RESULT_PROPERTIES: '{"a_property": 1}',
}
# how other languages write the operators, by their names in the component table
_SIGNS: Final[Mapping[str, tuple[str, ...]]] = {
    "plus": ("+", "add"),
    "minus": ("-", "−", "sub"),
    "times": ("*", "×", "mul"),
    "divided by": ("/", "÷", "div"),
    "remainder": ("%", "mod"),
    "some": ("any", "exists"),
    "all": ("every", "forall"),
    "equal": ("=", "==", "===", "eq"),
    "greater": (">", "gt"),
    "less": ("<", "lt"),
    "at least": (">=", "≥", "ge", "gte"),
    "at most": ("<=", "≤", "le", "lte"),
    "and": ("&", "&&"),
    "or": ("|", "||"),
}
TEXT: Final = Words("text", "文本")


def describe(value: object) -> Words:
    """What kind of JSON value this is, in words."""
    match value:
        case None:
            return Words("null", "null")
        case bool():
            return Words("a boolean", "布尔值")
        case int():
            return AN_INTEGER
        case float():
            return Words("a fraction", "小数")
        case str():
            return TEXT
        case list():
            return A_LIST
        case _:
            return AN_OBJECT


def mend(value: object, wanted: Words) -> Words:
    """What to do about a value that should be of another kind: `wanted`, as `describe` calls kinds."""
    if wanted == AN_OBJECT:
        found = "[…]" if isinstance(value, list) else "the value"
        zh = "[…]" if isinstance(value, list) else "该值"
        return Words(
            f'write {{"key": …}} instead of {found}', f'请用 {{"键": …}} 代替{zh}'
        )
    if wanted == A_LIST and isinstance(value, dict):
        return Words("write […] instead of {…}", "请用 […] 代替 {…}")
    if wanted == A_LIST:
        return Words("write […] around it", "请用 […] 括起来")
    if wanted == AN_INTEGER:
        return Words(
            "write a plain integer, without quotes and fraction",
            "请写不带引号、不带小数的整数",
        )
    if isinstance(value, (int, float)):
        return Words("write it in double quotes", "请用双引号书写")
    return Words("write a text in double quotes", "请写带双引号的文本")


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


def _meant_operator(field: Field, value: object) -> Words | None:
    """The number of an operator that was written as a text: in quotes, as a sign, or by its name."""
    if not isinstance(value, str):
        return None
    text = value.strip().lower()
    for number, words in enumerate(field.operators):
        if text in (str(number), words.en, words.zh) or text in _SIGNS.get(
            words.en, ()
        ):
            return Words(str(number), str(number))
    return None


@final
@dataclass(frozen=True, slots=True)
class _Shaper:
    """Checks the fields of one node; every method gives the cleaned value, or None for "not there"."""

    node: Node
    flow: str
    reporter: Reporter

    def wrong(
        self,
        code: str,
        field: str,
        value: object,
        wanted: Words | None = None,
        meant: Words | None = None,
    ) -> None:
        place = self.place(field)
        words = Words("", "") if wanted is None else wanted
        self.reporter.report(
            code,
            place,
            meant=meant,
            field=field,
            found=describe(value),
            wanted=words,
            limit=MAX_DIGITS,
            form=self.form(field),
        )

    def form(self, name: str) -> Words:
        """How a field, of which `name` may be a part, is written."""
        field = COMPONENTS[self.node.type].field(name.partition("/")[0])
        form = "" if field is None else _FORMS.get(field.kind, "")
        return Words(form, form)

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
                return self.options(field.name, value)
            case FieldKind.RESULT_PROPERTIES:
                return self.numbers(field.name, value)
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
        numbered = [
            (f"{number} {one.en}", f"{number} {one.zh}")
            for number, one in enumerate(field.operators)
        ]
        listed = (
            ", ".join(en for en, _ in numbered),
            "、".join(zh for _, zh in numbered),
        )
        found = describe(value)
        if isinstance(value, int) and not isinstance(value, bool):
            found = Words(str(value), str(value)) if abs(value) < 10**9 else found
        place = self.place(field.name)
        meant = _meant_operator(field, value)
        self.reporter.report(
            "R125", place, found=found, wanted=Words(*listed), meant=meant
        )
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

    def options(self, name: str, value: object) -> object:
        """Choices; one without an integer is left out (decision 25), with a warning."""
        items = self.items(name, value)
        for index, item in enumerate(items or ()):
            if isinstance(item, dict):
                if not is_integer(item.get("value")):
                    self.wrong("R335", f"{name}/{index}/value", item.get("value"))
            elif not is_integer(item):
                form = None
                if isinstance(item, str):
                    text = safe(json.dumps(item, ensure_ascii=False))
                    form = f'{{"name": {text}, "value": {index}}}'
                meant = None if form is None else Words(form, form)
                self.wrong("R335", f"{name}/{index}", item, meant=meant)
        return items

    def numbers(self, name: str, value: object) -> object:
        """An object of integers; what is none is left out, with a warning."""
        found = self.mapping(name, value)
        if isinstance(found, dict):
            for key, item in found.items():
                self.number(f"{name}/{pointer_token(key)}", item)
        return found

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
        self.keys(name, item, (text, *integers))
        found = {text: self.text(f"{name}/{text}", item.get(text))}
        for key in integers:
            found[key] = self.number(f"{name}/{key}", item.get(key))
        return {key: value for key, value in found.items() if value is not None}

    def keys(self, name: str, item: dict[str, object], known: tuple[str, ...]) -> None:
        """Warn about keys of a record that look like missing ones."""
        missing = [key for key in known if key not in item]
        looks = misspelled_keys(item, missing, known, self.reporter)
        unknown = [key for key in item if key not in known]
        if known[0] in missing and not looks and len(unknown) == 1:
            # whatever it is called: nothing else can be the name that every record needs
            looks = {known[0]: unknown[0]}
        for wanted, key in looks.items():
            gap = self.place(f"{name}/{pointer_token(wanted)}")
            spot = self.place(f"{name}/{pointer_token(key)}", key=True)
            self.reporter.misspelled([gap], spot, key, wanted)

    def place(self, field: str, *, key: bool = False) -> Place:
        """The place of a field of this node; with `key`, of the key in front of it."""
        return self.reporter.place_in_node(
            self.node.pointer, self.flow, self.node.id, field, key=key
        )
