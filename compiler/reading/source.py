"""The bytes of a rule file, parsed to JSON values with a position for each.

In go bytes, out comes a `Source`: the value of the document, and line and column for any JSON pointer. Everything that
is not one well-formed JSON text in UTF-8 within the stated limits is refused here, whatever bytes come in. The parser
is iterative, so that deep nesting cannot exhaust Python's stack. Imports `diagnostics` only.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from json.decoder import scanstring  # type: ignore[attr-defined]  # the C string scanner; typeshed does not list it
from pathlib import Path
from typing import Final, TypeAlias, final

from dealwright.compiler.diagnostics.pointer import ROOT, Pointer
from dealwright.compiler.diagnostics.reporter import Place, Reporter, Words
from dealwright.compiler.reading.source_slips import Wanted, slip_at

MAX_BYTES: Final = 16 * 1024 * 1024
MAX_DEPTH: Final = 200
MAX_DIGITS: Final = 4000
# a name is repeated in comments, paths and identifiers of what is generated
MAX_KEY: Final = 10_000
# bounds the memory that positions take: a file of 16 MiB could otherwise hold millions of empty lists
MAX_VALUES: Final = 500_000

Container: TypeAlias = dict[str, object] | list[object]
# where the entries of one container start: offset of the key and offset of the value, pair by pair, in order
Spots: TypeAlias = "array[int]"

_SPACE = re.compile(r"[ \t\n\r]*")
_MEMBER = re.compile(
    r'[ \t\n\r]*(?:(,)[ \t\n\r]*)?"([^"\\\x00-\x1f]*)"[ \t\n\r]*:[ \t\n\r]*'
)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WORD = re.compile(r"-?[A-Za-z]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE_END = re.compile("\r\n|\r|\n")
_NAMES: Final[dict[str, object]] = {"true": True, "false": False, "null": None}
_NOT_NUMBERS: Final = frozenset({"NaN", "Infinity", "-Infinity", "-NaN"})


@final
class Source:
    """A parsed file: `value` is the document, `file` the name to show, `text` its text.

    Of an object's repeated keys the first counts (they are refused, but all other problems shall be found too).
    """

    __slots__ = ("_indexes", "_lines", "_spots", "_start", "file", "text", "value")

    def __init__(
        self,
        file: str,
        text: str,
        value: object,
        start: int,
        spots: dict[int, Spots],
        lines: list[int],
    ) -> None:
        self.file = file
        self.text = text
        self.value = value
        self._start = start
        self._spots = spots
        self._lines = lines
        self._indexes: dict[int, dict[str, int]] = {}

    def has(self, pointer: Pointer) -> bool:
        """Whether the document has a value at this pointer."""
        return self._walk(pointer)[2]

    def locate(self, pointer: Pointer, *, key: bool = False) -> tuple[int, int]:
        """Line and column, both from 1, where the value at `pointer` starts.

        With `key`, where its key starts (array elements have none: the value). If there is no such value, the place of
        its nearest parent that exists.
        """
        key_at, value_at, exists = self._walk(pointer)
        return line_and_column(self._lines, key_at if key and exists else value_at)

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its end; empty beyond the last."""
        if not 1 <= number <= len(self._lines):
            return ""
        end = self._lines[number] if number < len(self._lines) else len(self.text)
        return self.text[self._lines[number - 1] : end].rstrip("\r\n")

    def _walk(self, pointer: Pointer) -> tuple[int, int, bool]:
        """Offsets of key and value of the last step that exists, and whether all steps do."""
        value, key_at, value_at = self.value, self._start, self._start
        for key in pointer.steps():
            number = self._entry(value, key)
            if number is None:
                return key_at, value_at, False
            offsets = self._spots[id(value)]
            key_at, value_at = offsets[2 * number], offsets[2 * number + 1]
            if isinstance(value, dict):
                value = value[key]
            elif isinstance(value, list):
                value = value[number]
        return key_at, value_at, True

    def _entry(self, value: object, key: str) -> int | None:
        """The number of the entry of an object or list that one step of a pointer names, or None."""
        if isinstance(value, list):
            is_index = key.isascii() and key.isdigit() and len(key) < 10
            return int(key) if is_index and int(key) < len(value) else None
        if not isinstance(value, dict):
            return None
        if id(value) not in self._indexes:
            self._indexes[id(value)] = {
                name: number for number, name in enumerate(value)
            }
        return self._indexes[id(value)].get(key)


def line_starts(text: str) -> list[int]:
    """The offset at which each line begins; lines end with a line feed, a carriage return, or both."""
    return [0, *(found.end() for found in _LINE_END.finditer(text))]


def line_and_column(lines: list[int], offset: int) -> tuple[int, int]:
    """Line and column of an offset, both from 1, columns in characters."""
    line = bisect_right(lines, offset)
    return line, offset - lines[line - 1] + 1


class _Syntax(Exception):
    """The text is not JSON: at which offset, and what should stand there."""

    def __init__(self, offset: int, wanted: Wanted) -> None:
        super().__init__(wanted.name)
        self.offset = offset
        self.wanted = wanted


class _Limit(Exception):
    """A stated limit is passed at this offset: the code of the problem and the limit."""

    def __init__(self, code: str, offset: int, limit: int) -> None:
        super().__init__(code)
        self.code = code
        self.offset = offset
        self.limit = limit


@final
class _Parser:
    """One pass over the text. `problems` are those after which it can go on: (code, offset, offending text).

    `stack` holds the open containers with their spots; a value is put into the innermost one when it has been read.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.spots: dict[int, Spots] = {}
        self.problems: list[tuple[str, int, str]] = []
        self.stack: list[tuple[Container, Spots]] = []
        self.count = 0

    def parse(self) -> tuple[object, int]:
        """The document and the offset at which it starts."""
        self.skip()
        start = self.at
        value = self.value()
        while self.stack:
            self.continue_innermost()
        self.skip()
        if self.at < len(self.text):
            raise _Syntax(self.at, Wanted.END)
        return value, start

    def skip(self) -> None:
        found = _SPACE.match(self.text, self.at)
        self.at = self.at if found is None else found.end()

    def value(self) -> object:
        """Read a scalar, or open a container and leave its parts to `continue_innermost`."""
        self.count += 1
        if self.count > MAX_VALUES:
            raise _Limit("R110", self.at, MAX_VALUES)
        start = self.text[self.at : self.at + 1]
        if start == '"':
            return self.string()
        if start == "{":
            return self.open({})
        if start == "[":
            return self.open([])
        if start == "-" or start.isdigit():
            return self.number()
        return self.word()

    def open(self, container: Container) -> Container:
        if len(self.stack) >= MAX_DEPTH:
            raise _Limit("R107", self.at, MAX_DEPTH)
        self.at += 1
        spots = array("Q")
        self.spots[id(container)] = spots
        self.stack.append((container, spots))
        return container

    def continue_innermost(self) -> None:
        """Read the next entry of the innermost container, or its end."""
        container, spots = self.stack[-1]
        if isinstance(container, list):
            if self.between(spots, "]"):
                spots.extend((self.at, self.at))
                container.append(None)
                container[-1] = self.value()
            return
        # almost every member is spelled so plainly that one look is enough
        found = _MEMBER.match(self.text, self.at)
        if found is not None and (found[1] is not None) == bool(spots):
            self.at = found.end()
            self.member(container, spots, found[2], found.start(2) - 1)
        elif self.between(spots, "}"):
            key_at = self.at
            self.member(container, spots, self.key(), key_at)

    def between(self, spots: Spots, closing: str) -> bool:
        """Go over what stands before the next entry; at the end of the container close it and say False."""
        self.skip()
        here = self.text[self.at : self.at + 1]
        if here == closing:
            self.at += 1
            self.stack.pop()
            return False
        if spots:
            if here != ",":
                raise _Syntax(
                    self.at, Wanted.NEXT_ITEM if closing == "]" else Wanted.NEXT_MEMBER
                )
            self.at += 1
            self.skip()
        return True

    def key(self) -> str:
        if self.text[self.at : self.at + 1] != '"':
            raise _Syntax(self.at, Wanted.KEY)
        key = self.string()
        self.skip()
        if self.text[self.at : self.at + 1] != ":":
            raise _Syntax(self.at, Wanted.COLON)
        self.at += 1
        self.skip()
        return key

    def member(
        self, container: dict[str, object], spots: Spots, key: str, key_at: int
    ) -> None:
        if len(key) > MAX_KEY:
            self.problems.append(("R132", key_at, key))
        if key in container:
            self.problems.append(("R106", key_at, key))
            self.value()
            return
        spots.extend((key_at, self.at))
        container[key] = None
        container[key] = self.value()

    def string(self) -> str:
        start = self.at
        try:
            text, self.at = scanstring(self.text, self.at + 1, True)
        except ValueError as error:
            offset = getattr(error, "pos", start)
            raise _Syntax(offset, _wanted_in_text(str(error))) from None
        if not isinstance(text, str):
            raise TypeError("the string scanner gave something else than a string")
        if not text.isascii() and _SURROGATE.search(text):
            self.problems.append(("R109", start, ""))
            return _SURROGATE.sub("\ufffd", text)
        return text

    def number(self) -> int | float:
        found = _NUMBER.match(self.text, self.at)
        if found is None:
            word = _WORD.match(self.text, self.at)
            if word is not None and word[0] in _NOT_NUMBERS:
                return self.not_a_number(word[0])
            raise _Syntax(self.at, Wanted.NUMBER)
        start, self.at = self.at, found.end()
        if self.text[self.at : self.at + 1].isalnum():
            raise _Syntax(start, Wanted.NUMBER)
        if found[1] is not None or found[2] is not None:
            return float(found[0])
        if len(found[0]) - found[0].startswith("-") > MAX_DIGITS:
            self.problems.append(("R108", start, found[0]))
            return 0
        return int(found[0])

    def word(self) -> object:
        found = _WORD.match(self.text, self.at)
        if found is not None and found[0] in _NAMES:
            self.at = found.end()
            return _NAMES[found[0]]
        if found is not None and found[0] in _NOT_NUMBERS:
            return self.not_a_number(found[0])
        raise _Syntax(self.at, Wanted.VALUE)

    def not_a_number(self, word: str) -> int:
        self.problems.append(("R105", self.at, word))
        self.at += len(word)
        return 0


def _wanted_in_text(message: str) -> Wanted:
    """What the scanner of texts missed, by the first words of what it says."""
    if message.startswith("Unterminated"):
        return Wanted.TEXT_END
    if message.startswith("Invalid control"):
        return Wanted.PLAIN_TEXT
    return Wanted.ESCAPE


def parse_source(data: bytes, reporter: Reporter) -> Source | None:
    """Parse the bytes of the reporter's file and attach the result to the reporter.

    Returns None if there is no document to go on with; the reporter then has an error. Problems after which the rest
    can still be read (repeated keys, long integers, NaN, lone surrogates) are reported, and a document is returned all
    the same, so that everything wrong with a file is told at once. Source: contract, section 1.
    """
    text = _decode(data, reporter)
    if text is None:
        return None
    parser = _Parser(text)
    lines = line_starts(text)
    try:
        value, start = parser.parse()
    except _Syntax as error:
        slip = slip_at(text, error.offset, error.wanted)
        _report_at(
            reporter, lines, "R104", slip.offset, reason=slip.reason, mend=slip.mend
        )
        return None
    except _Limit as error:
        _report_at(reporter, lines, error.code, error.offset, limit=error.limit)
        return None
    finally:
        for code, offset, offender in parser.problems:
            limit = MAX_KEY if code == "R132" else MAX_DIGITS
            _report_at(reporter, lines, code, offset, text=offender, limit=limit)
    source = Source(reporter.file, text, value, start, parser.spots, lines)
    reporter.locator = source
    return source


def read_limited(path: Path) -> bytes:
    """The bytes of a file, no more of them than `parse_source` needs to see that it is too large.

    Whoever reads a rule file reads it with this: a device or a pipe may have no end.

    Raises:
        OSError, ValueError: the file cannot be read, or the path is none.
    """
    with path.open("rb") as stream:
        return stream.read(MAX_BYTES + 1)


def read_bytes(path: Path, reporter: Reporter) -> bytes | None:
    """The bytes of a file, as `read_limited` gives them; None, reported, if it cannot be read."""
    try:
        return read_limited(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a file name"
        reporter.report("R100", Place(reporter.file, ROOT, 1, 1), reason=str(reason))
        return None


def _decode(data: bytes, reporter: Reporter) -> str | None:
    start = Place(reporter.file, ROOT, 1, 1)
    if len(data) > MAX_BYTES:
        reporter.report("R101", start, limit=MAX_BYTES // (1024 * 1024))
        return None
    if data.startswith(b"\xef\xbb\xbf"):
        reporter.report("R103", start)
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line, column = line_and_column(line_starts(before), len(before))
        place = Place(reporter.file, ROOT, line, column)
        reporter.report(
            "R102",
            place,
            byte=data[error.start],
            offset=error.start,
            guess=_guess(data),
        )
        return None


def _guess(data: bytes) -> Words:
    """In which encoding bytes that are not UTF-8 may be, in words that end a sentence; nothing if nobody can tell."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Words("; it looks like UTF-16", "；看起来是 UTF-16")
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return Words("", "")
    # two bytes of anything make some character of GB 18030; those of the first 3,755 are what people write
    chinese = [letter for letter in text if not letter.isascii()]
    common = sum(_is_common(letter) for letter in chinese)
    if chinese and common * 10 >= len(chinese) * 9:
        return Words("; it looks like GBK", "；看起来是 GBK")
    return Words("", "")


def _is_common(letter: str) -> bool:
    """Whether GB 2312 has the character as a sign or among its level 1 characters."""
    try:
        first = letter.encode("gb2312")[0]
    except UnicodeEncodeError:
        return False
    return first in (0xA1, 0xA3) or 0xB0 <= first <= 0xD7


def _report_at(
    reporter: Reporter,
    lines: list[int],
    code: str,
    offset: int,
    **values: str | int | Words,
) -> None:
    line, column = line_and_column(lines, offset)
    reporter.report(code, Place(reporter.file, ROOT, line, column), **values)
