"""The parts that several sections of a rule file are made of: objects, texts, numbers, names, and properties.

In goes JSON of a rule file, out comes what could be understood; everything of the wrong kind is reported and left out, or
counts as empty, so that what depends on it is not reported too. Used by `load`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.diagnostics.pointer import Pointer
from dealwright.compiler.diagnostics.reporter import Reporter, quote
from dealwright.compiler.reading.shapes import (
    A_LIST,
    AN_INTEGER,
    AN_OBJECT,
    TEXT,
    describe,
    mend,
)
from dealwright.compiler.reading.shapes_keys import (
    INT_PROPERTY,
    OPTION,
    PROPERTY,
    Keys,
    respelled,
)
from dealwright.compiler.rule.model import Property
from dealwright.compiler.rule.objects import KEPT, VIRTUAL

# each is written out several times, and formatting takes most of the time there is
MOST_PROPERTIES = 1_000

PROPERTY_FORM: Final = '{"type": "int", "default": 0}'

JsonObject: TypeAlias = Mapping[str, Any]

# what other languages call the two types of a property
_TYPES: Mapping[str, str] = {
    **dict.fromkeys(("int", "integer", "number", "num", "long", "整数"), "int"),
    **dict.fromkeys(("bool", "boolean", "float", "double"), "int"),
    **dict.fromkeys(("enum", "enums", "enumeration", "choice", "枚举"), "enum"),
}
# what they call texts and lists: here the options of a `config`, if there is one
_NO_NUMBERS = frozenset({"str", "string", "text", "list"})


@dataclass(frozen=True, slots=True)
class Parts:
    """Reads parts; every method reports what is wrong and gives what could be understood."""

    reporter: Reporter

    def wrong(
        self,
        pointer: Pointer,
        field: str,
        wanted: Words,
        value: object,
        form: str | None = None,
    ) -> None:
        """Report a value of the wrong kind; `form` shows how a right one is written."""
        how = mend(value, wanted)
        if form is not None:
            how = Words(f"write it like {form}", f"请写成 {form}")
        self.reporter.report(
            "R117",
            self.reporter.place(pointer),
            field=Words(quote(field), f"{quote(field)} "),
            wanted=wanted,
            found=describe(value),
            mend=how,
        )

    def respelled(
        self, container: JsonObject, pointer: Pointer, keys: Keys
    ) -> JsonObject:
        """The object with its misspelled keys as they should be (see `shapes_keys`)."""
        return respelled(container, pointer, keys, self.reporter)

    def mapping(
        self, container: JsonObject, key: str, pointer: Pointer
    ) -> dict[str, Any]:
        """The object under a key; missing or null is an empty one."""
        value = container.get(key)
        if value is None:
            return {}
        if isinstance(value, dict):
            return value
        self.wrong(pointer / key, key, AN_OBJECT, value)
        return {}

    def entries(
        self, section: JsonObject, pointer: Pointer, form: str | None = None
    ) -> dict[str, dict[str, Any]]:
        """The entries of a section; one that is no object is reported, with `form` as its remedy, and empty."""
        for key, value in section.items():
            if not isinstance(value, dict):
                self.wrong(pointer / key, key, AN_OBJECT, value, form)
        return {
            key: value if isinstance(value, dict) else {}
            for key, value in section.items()
        }

    def text(self, container: JsonObject, key: str, pointer: Pointer) -> str:
        value = container.get(key)
        if value is None:
            return ""
        if isinstance(value, str):
            return value if value.strip() else ""
        self.wrong(pointer / key, key, TEXT, value)
        return ""

    def integer(self, container: JsonObject, key: str, pointer: Pointer) -> int:
        value = container.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if value is not None:
            self.wrong(pointer / key, key, AN_INTEGER, value)
        return 0

    def name(self, key: str, pointer: Pointer, what: Words) -> None:
        """Report a blank name that is a key of the object at `pointer`."""
        if not key.strip():
            place = self.reporter.place(pointer / key, key=True)
            self.reporter.report("R115", place, what=what)

    def count_properties(
        self, properties: Mapping[str, object], pointer: Pointer, what: Words
    ) -> None:
        if len(properties) > MOST_PROPERTIES:
            place = self.reporter.place(pointer, key=True)
            self.reporter.report("R133", place, what=what, limit=MOST_PROPERTIES)

    def shadows(
        self, owner: str, default: JsonObject, user: JsonObject, pointer: Pointer
    ) -> None:
        for name in user:
            if name in VIRTUAL[owner]:
                code = "R319"
            elif name in default:
                code = "R318"
            elif name in KEPT[owner]:
                code = "R317"
            else:
                continue
            self.reporter.report(
                code,
                self.reporter.place(pointer / name, key=True),
                name=name,
            )

    def properties(self, section: JsonObject, pointer: Pointer) -> dict[str, Property]:
        for key in section:
            self.name(key, pointer, Words("a property", "属性"))
        entries = self.entries(section, pointer, PROPERTY_FORM)
        return {
            key: self.property(key, value, pointer / key)
            for key, value in entries.items()
        }

    def property(self, name: str, raw: JsonObject, pointer: Pointer) -> Property:
        if self.reporter.has_hole(pointer):
            return Property(name, "int", 0, ())
        is_int = self.meant_type(raw) == "int"
        raw = self.respelled(raw, pointer, INT_PROPERTY if is_int else PROPERTY)
        type_ = raw.get("type")
        is_known = type_ in ("int", "enum")
        if not is_known:
            found = describe(type_)
            shown = Words(f"is {found.en}", f"是{found.zh}")
            if isinstance(type_, str):
                shown = Words(f"is {quote(type_)}", f"是 {quote(type_)}")
            elif type_ is None:
                shown = Words("is missing", "缺失")
            self.reporter.report(
                "R116",
                self.reporter.place(pointer / "type"),
                name=name,
                found=shown,
                meant=self.meant_type(raw),
            )
        config = raw.get("config")
        values: tuple[int, ...] = ()
        if type_ == "enum":
            values = self.enum_values(config, pointer)
        elif type_ == "int" and config:
            self.reporter.report(
                "R320", self.reporter.place(pointer / "config"), name=name
            )
        return Property(
            name,
            "enum" if type_ == "enum" else "int",
            # of what other types have as a default, the type says enough
            self.integer(raw, "default", pointer) if is_known else 0,
            values,
        )

    def meant_type(self, raw: JsonObject) -> str | None:
        """The type of a property that was meant by what another language calls it, or by a slip."""
        type_ = raw.get("type")
        if not isinstance(type_, str):
            return None
        word = type_.strip().lower()
        if word in _NO_NUMBERS:
            return "enum" if raw.get("config") else "int"
        return _TYPES.get(word) or self.reporter.nearest(type_, ("int", "enum"))

    def enum_values(self, config: object, pointer: Pointer) -> tuple[int, ...]:
        if config is None:
            return ()
        if not isinstance(config, list):
            self.wrong(pointer / "config", "config", A_LIST, config)
            return ()
        base = pointer / "config"
        found = [
            self.enum_value(option, base / str(index))
            for index, option in enumerate(config)
        ]
        places = [self.reporter.place(at) for value, at in found if value is None]
        without = [one for one in places if not self.reporter.is_explained(one)]
        if len(without) == len(config) > 1:
            # one misunderstanding, however long the list is
            every = Words("no entry of 'config' has an", "config 的每一项都没有")
            self.reporter.unusable(self.reporter.place(base), every)
        else:
            for place in without:
                entry = Words("the entry of 'config' has no", "config 的这一项没有")
                self.reporter.unusable(place, entry)
        return tuple(value for value, _ in found if value is not None)

    def enum_value(
        self, option: object, pointer: Pointer
    ) -> tuple[int | None, Pointer]:
        """The integer of one entry of a `config` and where it stands; None is left out (decision 16), with a warning."""
        if isinstance(option, dict):
            value = self.respelled(option, pointer, OPTION).get("value")
            pointer = pointer / "value"
            if isinstance(value, int) and not isinstance(value, bool):
                return value, pointer
        return None, pointer
