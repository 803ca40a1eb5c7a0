"""Which bracket of a broken JSON text is the wrong one: what is still open, and what the indentation says.

A bracket too few or too many shows only at the end of the file, far from where it is. But people and exporters indent:
a closing bracket at the start of a line closes what a line of the same indentation has opened. The first that does not
tells which bracket to look at. Goes in: the text and where the parser stopped. Texts in quotes do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, final

from dealwright.compiler.diagnostics.codes import Words

CLOSING: Final = {"{": "}", "[": "]"}
_TOKEN: Final = re.compile(
    r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]|[\r\n][ \t\r\n]*', re.DOTALL
)
_SPACE: Final = " \t"
_BREAKS: Final = "\r\n"


@final
@dataclass(frozen=True, slots=True)
class Slip:
    """Why the text is not JSON, how to mend it, and the offset of what is to be changed."""

    offset: int
    reason: Words
    mend: Words


@final
class Bracket(NamedTuple):
    """A bracket: its sign and offset, its line from 1, where that begins, and how far the line is indented.

    A tuple, since a broken file may have a million and each is looked at.
    """

    sign: str
    offset: int
    line: int
    start: int
    indent: int

    @property
    def starts_line(self) -> bool:
        """Whether nothing but spaces stands before it."""
        return self.offset == self.start + self.indent


def still_open(text: str, end: int) -> list[Bracket]:
    """The brackets that are open at an offset, outermost first."""
    opened: list[Bracket] = []
    for bracket in _brackets(text, end):
        if bracket.sign in CLOSING:
            opened.append(bracket)
        elif opened:
            opened.pop()
    return opened


def never_closed(text: str, end: int) -> Slip | None:
    """The opening bracket that, by the indentation, is left open in a text that ends too early."""
    for opening, closing in _pairs(text, end):
        if closing.starts_line and closing.indent < opening.indent:
            wanted = CLOSING[opening.sign]
            return Slip(
                opening.offset,
                Words(
                    f"this '{opening.sign}' is not closed: by the indentation, line {closing.line} closes something else",
                    f"这个“{opening.sign}”没有闭合：从缩进来看，第 {closing.line} 行闭合的是别的括号",
                ),
                Words(
                    f"write '{wanted}' where it ends, before line {closing.line}",
                    f"请在它结束的地方（第 {closing.line} 行之前）补上“{wanted}”",
                ),
            )
    return None


def closing_too_early(text: str, end: int) -> Slip | None:
    """The closing bracket that, by the indentation, is too many in a text that goes on after its end."""
    # in a line of its own a bracket shows by its place what it was meant to close, within a line it does not
    within: tuple[Bracket, Bracket] | None = None
    for opening, closing in _pairs(text, end):
        if not closing.starts_line:
            if closing.line > opening.line:
                within = opening, closing
        elif closing.indent != opening.indent:
            return _too_early(*(within or (opening, closing)))
        else:
            within = None
    return None


def _too_early(opening: Bracket, closing: Bracket) -> Slip:
    return Slip(
        closing.offset,
        Words(
            f"this '{closing.sign}' closes the '{opening.sign}' of line {opening.line}, by the indentation too early",
            f"这个“{closing.sign}”闭合了第 {opening.line} 行的“{opening.sign}”，从缩进来看过早",
        ),
        Words(
            "remove it, or open before it what it is meant to close",
            "请删除，或在前面补上它所对应的左括号",
        ),
    )


def _pairs(text: str, end: int) -> Iterator[tuple[Bracket, Bracket]]:
    """Each opening bracket with the one that closes it, in the order of the latter."""
    opened: list[Bracket] = []
    for bracket in _brackets(text, end):
        if bracket.sign in CLOSING:
            opened.append(bracket)
        elif opened:
            yield opened.pop(), bracket


def _brackets(text: str, end: int) -> Iterator[Bracket]:
    line, start = 1, 0
    indent = len(text) - len(text.lstrip(_SPACE))
    for found in _TOKEN.finditer(text, 0, end):
        token = found[0]
        if token in "{}[]":
            yield Bracket(token, found.start(), line, start, indent)
        elif token[0] in _BREAKS:
            # blank lines at once, of which a hostile file may have millions
            line += token.count("\n") + token.count("\r") - token.count("\r\n")
            start = found.start() + max(map(token.rfind, _BREAKS)) + 1
            indent = found.end() - start
