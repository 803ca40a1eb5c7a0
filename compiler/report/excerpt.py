"""The line of the file that a problem is in, and a caret under the place.

In go the bytes of the file and a line and column of the front; out come texts that a terminal shows as they are meant:
control and bidi characters are spelled out, wide characters count as two cells, and of a long line (exported files are
often one line) a window around the place is shown. Nothing here takes longer for a longer file than to run over it
once. Imports `diagnostics` only.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, final

from dealwright.compiler.diagnostics.reporter import visible

CUT: Final = "…"
TAB: Final = "    "
# a text of more characters is not looked at to its end: the caret would not fit into any window
LONGEST_MARK: Final = 2_000

_LINE_END = re.compile(rb"\r\n|\r|\n")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[^\s,:\[\]{}"]+')


@final
class Lines:
    """The lines of a file, counted from 1 as `Source` counts them; what is not UTF-8 is replaced.

    Made for asking in the order of the file: going back starts at the top again.
    """

    __slots__ = ("_at", "_data", "_number", "_text")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._rewind()

    def _rewind(self) -> None:
        self._number, self._at = 1, 0
        self._text: str | None = None

    def line(self, number: int) -> str:
        """The text of a line without its end; empty beyond the last."""
        if number < self._number:
            self._rewind()
        while self._number < number:
            end = _LINE_END.search(self._data, self._at)
            if end is None:
                return ""
            self._number, self._at, self._text = self._number + 1, end.end(), None
        if self._text is None:
            end = _LINE_END.search(self._data, self._at)
            raw = self._data[self._at : len(self._data) if end is None else end.start()]
            self._text = raw.decode("utf-8", "replace")
        return self._text

    def mark(self, number: int, column: int) -> int:
        """How many characters the value or word at a place has on its line: at least 1; of `{` and `[` 1."""
        start = column - 1
        part = self.line(number)[start : start + LONGEST_MARK]
        found = _TOKEN.match(part)
        return 1 if found is None else found.end()


@final
@dataclass(frozen=True, slots=True)
class Excerpt:
    """What to show: the text of the line, or a part of it, and the same cells blank up to the carets."""

    text: str
    carets: str


def excerpt(line: str, column: int, mark: int, width: int) -> Excerpt:
    """The part of a line around `mark` characters from `column` on, not wider than `width` cells.

    Two thirds of the room go to what follows the place, unless there is less; what is cut is shown by an ellipsis.
    """
    start = min(column - 1, len(line))
    if len(line) <= width and _cells(line) <= width:
        return _made(line, start, mark, 0, len(line))
    room = max(width - 2 * len(CUT), 4)
    before, after = line[max(0, start - 2 * room) : start], line[start:]
    right = _fitting(after, room * 2 // 3)
    left = _fitting(reversed(before), room - _cells(after[:right]))
    right = _fitting(after[: 4 * room], room - _cells(before[len(before) - left :]))
    return _made(line, start, mark, start - left, start + right)


def _made(line: str, start: int, mark: int, first: int, last: int) -> Excerpt:
    """The part of a line from `first` to `last`, with carets under `mark` characters from `start` on."""
    head = (CUT if first > 0 else "") + _shown(line[first:start])
    tail = _shown(line[start:last]) + (CUT if last < len(line) else "")
    marked = max(1, _cells(line[start : min(start + mark, last)]))
    return Excerpt(head + tail, " " * _width(head) + "^" * marked)


def _fitting(characters: Iterable[str], room: int) -> int:
    """How many of the characters fit into so many cells; marks without a width of their own count a little."""
    count, used = 0, 0.0
    for character in characters:
        used += max(_width(_show(character)), 0.25)
        if used > room:
            break
        count += 1
    return count


def _show(character: str) -> str:
    return TAB if character == "\t" else visible(character)


def _shown(text: str) -> str:
    return "".join(map(_show, text))


def _cells(text: str) -> int:
    return _width(_shown(text))


def _width(text: str) -> int:
    """The cells that a terminal gives to a text without control characters."""
    return sum(map(_character_width, text))


def _character_width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in (
        "Mn",
        "Me",
    ):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
