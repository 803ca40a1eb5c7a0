"""The form for code scanning: SARIF 2.1.0 (OASIS), one run.

The run lists every rule that there is, with its help text, so that indices never depend on what was found; results
refer to it. Paths that were given relative stay so, to the root of the sources; others become file addresses.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import quote as percent

from dealwright.compiler.diagnostics.codes import Code, Severity, Words
from dealwright.compiler.diagnostics.reporter import CODES, Diagnostic, Lang
from dealwright.compiler.report.checked import Checked
from dealwright.compiler.report.template import filled

Json: TypeAlias = dict[str, object]

SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
    "sarif-schema-2.1.0.json"
)
_INDEX: Final = {code: index for index, code in enumerate(CODES)}
_LANGUAGE: Final[dict[Lang, str]] = {"en": "en-US", "zh": "zh-CN"}
_GROUPS: Final = {"1": "shape", "2": "meaning", "3": "suspicious", "4": "unused"}
_LINK = re.compile(r"\[(?=[^\[\]]*\]\()")


def sarif_report(files: Sequence[Checked], lang: Lang, version: str) -> Json:
    """The log: one run of the version `version` of the compiler over some files, with texts in one language."""
    places = {file.file: index for index, file in enumerate(files)}
    run: Json = {
        "tool": {
            "driver": {
                "name": "dealwright",
                "version": version,
                "language": _LANGUAGE[lang],
                "rules": [_rule(one, lang) for one in CODES.values()],
            }
        },
        "language": _LANGUAGE[lang],
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True}],
        "artifacts": [
            {"location": _location(file.file), "mimeType": "application/json"}
            for file in files
        ],
        "results": [
            _result(file, one, places[file.file], lang)
            for file in files
            for one in file.diagnostics
        ],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(code: Code, lang: Lang) -> Json:
    sentence = filled(code.zh if lang == "zh" else code.en)
    remedy = filled(code.remedy_zh if lang == "zh" else code.remedy_en)
    label = "建议：" if lang == "zh" else "Remedy: "
    return {
        "id": code.code,
        "shortDescription": {"text": escaped(sentence)},
        "help": {
            "text": escaped(f"{sentence}\n{label}{remedy}"),
            "markdown": f"{sentence}\n\n**{label.strip()}** {remedy}".replace(
                "{", "{{"
            ).replace("}", "}}"),
        },
        "defaultConfiguration": {"level": _level(code.severity)},
        "properties": {"tags": [_GROUPS[code.code[1]]]},
    }


def _result(file: Checked, one: Diagnostic, index: int, lang: Lang) -> Json:
    place, mark = one.place, file.mark(one)
    region = {"startLine": place.line, "startColumn": place.column}
    if mark is not None:
        region["endColumn"] = place.column + mark
    location: Json = {
        "physicalLocation": {
            "artifactLocation": {**_location(file.file), "index": index},
            "region": region,
        }
    }
    where = file.whereabouts(place)
    if place.pointer:
        location["logicalLocations"] = [_logical(one, where, lang)]
    return {
        "ruleId": one.code,
        "ruleIndex": _INDEX[one.code],
        "level": _level(one.severity),
        "message": {"text": escaped(f"{one.statement(lang)}\n{one.advice(lang)}")},
        "locations": [location],
    }


def _logical(one: Diagnostic, where: Words | None, lang: Lang) -> Json:
    """The place in the rule: the JSON pointer as its full name, and what the author calls it."""
    found: Json = {"fullyQualifiedName": one.place.pointer, "kind": "member"}
    name = one.place.node if one.place.node is not None else one.place.flow
    if name:
        found["name"] = name
    if where is not None:
        found["decoratedName"] = where.zh if lang == "zh" else where.en
    return found


def _level(severity: Severity) -> str:
    return severity.value


def _location(file: str) -> Json:
    """A file as an address: relative to the root of the sources if it was named so and lies below it."""
    path = Path(file)
    if ".." not in path.parts:
        if not path.is_absolute():
            return {
                "uri": percent(os.fsencode(path.as_posix())),
                "uriBaseId": "%SRCROOT%",
            }
        return {"uri": path.as_uri()}
    return {"uri": path.resolve().as_uri()}


def escaped(text: str) -> str:
    """A text as a SARIF message (section 3.11): braces are doubled, and nothing in it becomes a link."""
    doubled = text.replace("{", "{{").replace("}", "}}")
    return _LINK.sub(r"\\[", doubled)
