"""The form for people: the place, what is wrong, the line of JSON with a caret, where that is in the rule, a remedy.

    rules/x.json:9:62: error R121: match_flow/ask: 'next' names node 'over', which does not exist
      9 |       "ask": { "type": 21, "content": { "timer": 30, "next": "over" } },
        |                                                              ^^^^^^
        = where: node 'ask' (21, play), field 'next', in the match flow
        = remedy: correct the id, or leave the jump empty

The first line is what terminals and editors make a link of. Lines are made of styled pieces; joined they are plain text,
and on a terminal rich colours them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias, final

from dealwright.compiler.diagnostics.codes import Severity
from dealwright.compiler.diagnostics.reporter import Diagnostic, Lang
from dealwright.compiler.report.checked import Checked
from dealwright.compiler.report.excerpt import excerpt

if TYPE_CHECKING:
    from rich.console import Console

PLAIN_WIDTH: Final = 120
NARROWEST: Final = 40
_WHERE: Final[dict[Lang, str]] = {"en": "where", "zh": "位置"}


@final
class Style(Enum):
    """What a piece of a line is; the value is how rich shows it."""

    PLACE = "bold"
    ERROR = "bold red"
    WARNING = "bold yellow"
    NOTE = "bold cyan"
    SENTENCE = "bold default"
    GUTTER = "blue"
    SOURCE = "default"
    WHERE = "default italic"
    REMEDY = "green"


Piece: TypeAlias = tuple[Style, str]
Line: TypeAlias = tuple[Piece, ...]

_SEVERITY: Final[Mapping[Severity, Style]] = {
    Severity.ERROR: Style.ERROR,
    Severity.WARNING: Style.WARNING,
    Severity.NOTE: Style.NOTE,
}


def lines(files: Iterable[Checked], lang: Lang, width: int) -> Iterator[Line]:
    """All problems of some files, each followed by an empty line; no line of JSON is wider than `width` cells."""
    for file in files:
        for one in file.diagnostics:
            yield from _problem(file, one, lang, max(width, NARROWEST))
            yield ()


def plain(found: Iterable[Line]) -> Iterator[str]:
    """The lines as text."""
    return ("".join(text for _, text in line).rstrip() for line in found)


def print_coloured(found: Iterable[Line], console: Console) -> None:
    """The lines on a terminal; long sentences are left to the terminal to wrap."""
    from rich.text import Text

    for line in found:
        text = Text()
        for style, part in line:
            text.append(part, style.value)
        console.print(text, soft_wrap=True, highlight=False)


def _problem(file: Checked, one: Diagnostic, lang: Lang, width: int) -> Iterator[Line]:
    severity = _SEVERITY[one.severity]
    yield (
        (Style.PLACE, f"{one.location()}: "),
        (severity, f"{one.kind(lang)}: "),
        (Style.SENTENCE, one.statement(lang)),
    )
    text, mark = file.line(one), file.mark(one)
    number = str(one.place.line) if text is not None else ""
    margin = " " * max(len(number), 3)
    if text is not None and mark is not None:
        part = excerpt(text, one.place.column, mark, width - len(margin) - 3)
        yield (Style.GUTTER, f"{number:>{len(margin)}} | "), (Style.SOURCE, part.text)
        yield (Style.GUTTER, f"{margin} | "), (severity, part.carets)
    where = file.whereabouts(one.place)
    if where is not None:
        words = where.zh if lang == "zh" else where.en
        yield (Style.GUTTER, f"{margin} = "), (Style.WHERE, f"{_WHERE[lang]}: {words}")
    yield (Style.GUTTER, f"{margin} = "), (Style.REMEDY, one.advice(lang))
