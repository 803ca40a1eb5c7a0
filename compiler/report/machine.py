"""The forms for programs: one JSON document, and the workflow commands that GitHub turns into annotations.

Names of the rule are given in their own spelling in the JSON form; everywhere else they are quoted and made harmless
by `diagnostics`. What each form is for: JSON for scripts, both languages in one document; GitHub for pull requests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from dealwright.compiler.diagnostics.codes import Severity
from dealwright.compiler.diagnostics.reporter import (
    Counts,
    Diagnostic,
    Lang,
    shown_name,
)
from dealwright.compiler.report.checked import Checked

Json: TypeAlias = dict[str, object]

#: Grows if a key changes its meaning or goes; new keys may come without.
JSON_VERSION: Final = 1

_COMMANDS: Final = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "notice",
}


def json_report(files: Sequence[Checked], *, strict: bool) -> Json:
    """One document with everything: the files with their numbers, and all diagnostics in the order of the files."""
    return {
        "format": "dealwright check",
        "version": JSON_VERSION,
        "strict": strict,
        "failed": any(file.failed for file in files),
        "counts": sum((file.counts for file in files), Counts()).to_json(),
        "files": [
            {"file": shown_name(file.file), **file.counts.to_json()} for file in files
        ],
        "diagnostics": [
            _diagnostic(file, one) for file in files for one in file.diagnostics
        ],
    }


def _diagnostic(file: Checked, one: Diagnostic) -> Json:
    component, mark = file.component(one.place), file.mark(one)
    return one.to_json() | {
        "file": shown_name(file.file),
        "end_column": None if mark is None else one.place.column + mark,
        "component": (
            None
            if component is None
            else {
                "type": component.type,
                "en": component.name.en,
                "zh": component.name.zh,
            }
        ),
    }


def github_commands(files: Iterable[Checked], lang: Lang) -> Iterator[str]:
    """One workflow command a problem: `::error file=…,line=…,col=…,title=R121::…`.

    The message holds sentence, place in words and remedy, a line each. Escaping as the runner demands it: in both parts
    `%`, carriage return and line feed, in properties also `:` and `,`.
    """
    for file in files:
        for one in file.diagnostics:
            place = one.place
            properties = {
                "file": shown_name(place.file),
                "line": str(place.line),
                "col": str(place.column),
                "title": one.code,
            }
            listed = ",".join(
                f"{key}={_property(value)}" for key, value in properties.items()
            )
            command = _COMMANDS[one.severity]
            yield f"::{command} {listed}::{_data(_message(file, one, lang))}"


def _message(file: Checked, one: Diagnostic, lang: Lang) -> str:
    where = file.whereabouts(one.place)
    middle = [] if where is None else [where.zh if lang == "zh" else where.en]
    return "\n".join([one.statement(lang), *middle, one.advice(lang)])


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
