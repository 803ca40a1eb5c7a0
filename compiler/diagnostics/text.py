"""Texts of a rule made fit for a message: harmless to terminals, cut to a length that people read, in quotes.

Everything that a file or a system says passes through here before it is shown. Imports nothing of ours.
"""

from __future__ import annotations

import os
import re
import unicodedata
from typing import Final, Literal, TypeAlias

Lang: TypeAlias = Literal["en", "zh"]

QUOTED_LENGTH: Final = 60
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def safe(text: str, limit: int | None = QUOTED_LENGTH) -> str:
    """`text` with everything that could disturb a terminal or deceive a reader escaped, cut to `limit` characters.

    Control, format (bidi marks among them), line separator, private and unassigned characters become `\\uXXXX`.
    """
    cut = limit is not None and len(text) > limit
    shown = text[:limit] if cut else text
    return "".join(map(visible, shown)) + ("…" if cut else "")


def visible(character: str) -> str:
    """A character as it is, or its `\\uXXXX` if it could disturb a terminal or deceive a reader (see `safe`)."""
    if character == " " or unicodedata.category(character) not in (
        "Cc",
        "Cf",
        "Cs",
        "Co",
        "Cn",
        "Zl",
        "Zp",
        "Zs",
    ):
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def quote(text: str) -> str:
    """`text` made harmless, cut, and between single quotes."""
    return "'" + safe(text).replace("'", "\\'") + "'"


def shown_name(file: str) -> str:
    """The name of a file as text that any program can take: what is not UTF-8 in it is replaced."""
    return _SURROGATE.sub("\ufffd", file)


def system_reason(problem: OSError) -> str:
    """What the system says about a file or stream, without its numbers: `rules/x.json: Permission denied`."""
    why = problem.strerror or "the system gives no reason"
    if not isinstance(problem.filename, (str, bytes)):
        return why
    return f"{safe(os.fsdecode(problem.filename), None)}: {why}"


def counted_noun(number: int, noun: str) -> str:
    """A number with its noun: `1 error`, `2 errors`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
