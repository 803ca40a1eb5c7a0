"""The page of all codes, docs/codes.md, made from the code tables and the examples.

`dealwright codes` prints it; a test holds the committed page to it. Markdown, one table a group of codes, both languages
in each row.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from dealwright.compiler.diagnostics.codes import Code, Severity
from dealwright.compiler.diagnostics.reporter import CODES, safe
from dealwright.compiler.report.examples import (
    BASE,
    EXAMPLES,
    GONE,
    Change,
    Edit,
    Example,
    Missing,
)
from dealwright.compiler.report.template import filled

COMMAND: Final = "dealwright codes > docs/codes.md"

_HEAD: Final = f"""\
# What `dealwright check` says

Every code, what it says and what to do about it, in English and Chinese, and the smallest change that causes it. Codes
are stable: one never gets another meaning. Errors stop compilation; warnings do with `check --strict`; notes never.
Words in ‹brackets› stand for names and numbers of the rule. Where a name that does not exist looks like one that does,
the remedy begins with a question: did you mean …? Where a field is empty and one value is connected to nothing, the remedy
names that.

This page is generated, do not edit it: `{COMMAND}`. The words stand in
`compiler/diagnostics/codes_*.py`, the examples in `compiler/report/examples.py`.

## The rule that the examples change

Paths start in `design`, with a leading `/` at the top of the document. There is nothing to say about this rule as it is:

```json
{BASE}```
"""
_GROUPS: Final = (
    ("Reading and shape: the text is not a rule", "R1"),
    ("Meaning: a well-formed rule that cannot work", "R2"),
    ("Warnings: it works, but hardly as it was meant", "R3"),
    ("Notes", "R4"),
)
_TABLE: Final = (
    "| code | what it says | what to do | the smallest change that causes it | the nearest that does not: what differs |\n"
    "|---|---|---|---|---|"
)
_WORDS: Final = {
    Severity.ERROR: "error 错误",
    Severity.WARNING: "warning 警告",
    Severity.NOTE: "note 提示",
}


def codes_page() -> str:
    """The text of the page."""
    parts = [_HEAD]
    for title, prefix in _GROUPS:
        rows = [_row(one) for one in CODES.values() if one.code.startswith(prefix)]
        parts.append("\n".join([f"\n## {title}\n", _TABLE, *rows, ""]))
    return "".join(parts)


def _row(one: Code) -> str:
    example = EXAMPLES[one.code]
    cells = (
        f"**{one.code}** {_WORDS[one.severity]}",
        f"{_text(one.en)}<br>{_text(one.zh)}",
        f"{_text(one.remedy_en)}<br>{_text(one.remedy_zh)}",
        _change(example.bad),
        _change(_difference(example)),
    )
    # a bar would end the cell, in code too
    safe_cells = (cell.replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(safe_cells)} |"


def _text(template: str) -> str:
    """A template as Markdown that shows it letter for letter."""
    text = filled(template)
    for letter in "\\_*<":
        text = text.replace(letter, f"\\{letter}")
    return text


def _difference(example: Example) -> Change:
    """The good change, without those of its edits that the bad one makes too."""
    bad, good = example.bad, example.good
    if not isinstance(bad, Edit) or not isinstance(good, Edit) or good.shown:
        return good
    if bad.values.keys() != good.values.keys():
        return good
    differing = {
        path: value for path, value in good.values.items() if value != bad.values[path]
    }
    return Edit(differing)


def _change(change: Change) -> str:
    if change.shown:
        return change.shown
    match change:
        case Missing():
            return change.shown
        case Edit(values=values):
            return "<br>".join(_edits(values.items())) or "the rule as it is"
        case _:
            new = change.new.decode("utf-8", "backslashreplace")
            if new == change.old:
                return "the rule as it is"
            return f"{_code(new)} instead of {_code(change.old)}"


def _edits(values: Iterable[tuple[str, object]]) -> Iterable[str]:
    for path, value in values:
        if value is GONE:
            yield f"without {_code(path)}"
        else:
            yield f"{_code(path)} = {_code(json.dumps(value, ensure_ascii=False))}"


def _code(text: str) -> str:
    return f"`{safe(text, None)}`"
