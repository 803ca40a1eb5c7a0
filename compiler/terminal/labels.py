"""The words of a rule file that are for people only: what an enum value or an option is called.

In: the JSON text of a rule that compiles. Generated packages do not carry these words, since nothing in a match depends
on them. Everything that comes out is safe to print.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, final

from dealwright.compiler.diagnostics.reporter import safe

Document: TypeAlias = Mapping[str, Any]

LONGEST = 24


@final
class Labels:
    """What cards and options are called; built once from the bytes of a rule file that the compiler has accepted."""

    def __init__(self, data: bytes) -> None:
        document = json.loads(data)
        # as `load` decides it: a key of that name beside the sections means nothing
        design = document if "classes" in document else document["design"]
        self._displays = dict(_displays(design))
        self._options = dict(_options(design))

    def card(self, values: Mapping[str, int]) -> str:
        """A card by its properties in declared order: `S 10` if the enums have displays, else `point=10`."""
        return " ".join(self._value(name, value) for name, value in values.items())

    def option(self, node: str, value: int) -> str:
        """An option of a choice: `1 (hit)`, or `1` if it has no name."""
        name = self._options.get((node, value))
        return str(value) if name is None else f"{value} ({name})"

    def _value(self, name: str, value: int) -> str:
        display = self._displays.get((name, value))
        return f"{safe(name, LONGEST)}={value}" if display is None else display


def _displays(design: Document) -> Iterator[tuple[tuple[str, int], str]]:
    """(property, value) → display of every enum property of the card; a user property wins over a default one."""
    for group in ("default_properties", "user_properties"):
        for name, declared in (design["classes"]["card"].get(group) or {}).items():
            config = declared.get("config") if declared.get("type") == "enum" else None
            for entry in config if isinstance(config, list) else ():
                text = _text(entry, "display")
                if text and isinstance(entry.get("value"), int):
                    yield (name, entry["value"]), text


def _options(design: Document) -> Iterator[tuple[tuple[str, int], str]]:
    """(node, value) → name of every named option of the match flow's choices."""
    for node, body in design["match_flow"].items():
        content = body.get("content") if isinstance(body, dict) else None
        options = content.get("options") if isinstance(content, dict) else None
        for entry in options if isinstance(options, list) else ():
            text = _text(entry, "name")
            if text and isinstance(entry.get("value"), int):
                yield (node, entry["value"]), text


def _text(entry: object, key: str) -> str:
    text = entry.get(key) if isinstance(entry, dict) else None
    return safe(text, LONGEST) if isinstance(text, str) else ""
