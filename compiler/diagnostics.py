"""What the compiler says about a rule: places, severities, diagnostics and the reporter that collects them.

Every problem has a stable code; the code tables hold the sentences and remedies of each in English and Chinese. A
reporter collects all problems of one file and gives them back in the order of their positions. Names that come from the
rule are quoted and made harmless here, so that no file can forge lines, hide text or flood the terminal. Imports the
code tables only.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, Protocol, TypeAlias, final

from dealwright.compiler.codes import Code, Severity, Words
from dealwright.compiler.codes_meaning import MEANING
from dealwright.compiler.codes_shape import SHAPE
from dealwright.compiler.codes_warning import WARNINGS
from dealwright.compiler.pointer import ROOT, Pointer

__all__ = [
    "CODES",
    "MORE",
    "MOST_SHOWN",
    "CompileError",
    "Counts",
    "Diagnostic",
    "Lang",
    "Locator",
    "Place",
    "Reporter",
    "Severity",
    "Words",
    "counted_noun",
    "quote",
    "safe",
    "shown_name",
    "system_reason",
    "visible",
]

Lang: TypeAlias = Literal["en", "zh"]
Value: TypeAlias = str | int | Words

#: Every diagnostic there is, by code.
CODES: Final[Mapping[str, Code]] = MappingProxyType(
    {one.code: one for one in (*SHAPE, *MEANING, *WARNINGS)}
)

#: So many problems of one file are listed at most; the note `MORE` tells how many others there are.
MOST_SHOWN: Final = 200
MORE: Final = "R403"

QUOTED_LENGTH: Final = 60
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_SEVERITY_ZH = {Severity.ERROR: "错误", Severity.WARNING: "警告", Severity.NOTE: "提示"}
_REMEDY_WORD: dict[Lang, str] = {"en": "remedy", "zh": "建议"}


class Locator(Protocol):
    """Whoever knows where a JSON pointer stands in the text of the file (`source.Source` does)."""

    def locate(self, pointer: Pointer, *, key: bool = False) -> tuple[int, int]:
        """Line and column, both from 1, of a value (with `key`: of its key), or of its nearest parent that exists."""

    def has(self, pointer: Pointer) -> bool:
        """Whether the file has a value at this pointer."""


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


@final
@dataclass(frozen=True, slots=True)
class Place:
    """Where a problem is: the file, JSON pointer, line and column from 1; flow, node and field where it has them."""

    file: str
    at: Pointer
    line: int
    column: int
    flow: str | None = None
    node: str | None = None
    field: str | None = None

    @property
    def pointer(self) -> str:
        """The JSON pointer as text."""
        return str(self.at)

    def subject(self) -> str:
        """What the sentence is about: `match_flow/12`, or the pointer outside flows, made harmless."""
        if self.flow is None:
            return safe(self.pointer.lstrip("/"), 2 * QUOTED_LENGTH)
        return safe(
            self.flow if self.node is None else f"{self.flow}/{self.node}",
            2 * QUOTED_LENGTH,
        )


@final
@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem: its code (`R121`), severity, place, sentence and remedy in both languages."""

    code: str
    severity: Severity
    place: Place
    message_en: str
    message_zh: str
    remedy_en: str
    remedy_zh: str

    def message(self, lang: Lang = "en") -> str:
        """The sentence, without place and full stop."""
        return self.message_zh if lang == "zh" else self.message_en

    def remedy(self, lang: Lang = "en") -> str:
        """What the author can do about it."""
        return self.remedy_zh if lang == "zh" else self.remedy_en

    def location(self) -> str:
        """File, line and column as terminals and editors recognise them: `rules/x.json:12:7`."""
        return f"{safe(self.place.file, None)}:{self.place.line}:{self.place.column}"

    def kind(self, lang: Lang = "en") -> str:
        """The severity in words, and the code: `error R121`."""
        severity = _SEVERITY_ZH[self.severity] if lang == "zh" else self.severity.value
        return f"{severity} {self.code}"

    def statement(self, lang: Lang = "en") -> str:
        """What is wrong with what: the subject and the sentence."""
        subject = self.place.subject()
        return f"{subject}: {self.message(lang)}" if subject else self.message(lang)

    def advice(self, lang: Lang = "en") -> str:
        """The remedy, introduced."""
        return f"{_REMEDY_WORD[lang]}: {self.remedy(lang)}"

    def text(self, lang: Lang = "en") -> str:
        """The short form for people: a line with the place and the sentence, and a line with the remedy."""
        head = f"{self.location()}: {self.kind(lang)}: {self.statement(lang)}"
        return f"{head}\n    {self.advice(lang)}"

    def to_json(self) -> dict[str, object]:
        """The form for programs: JSON types only, names of the rule in their own spelling."""
        place = self.place
        return {
            "code": self.code,
            "severity": self.severity.value,
            "file": place.file,
            "pointer": place.pointer,
            "line": place.line,
            "column": place.column,
            "flow": place.flow,
            "node": place.node,
            "field": place.field,
            "message": {"en": self.message_en, "zh": self.message_zh},
            "remedy": {"en": self.remedy_en, "zh": self.remedy_zh},
        }


@final
@dataclass(frozen=True, slots=True)
class Counts:
    """How many problems of each severity there are."""

    errors: int = 0
    warnings: int = 0
    notes: int = 0

    @classmethod
    def of(cls, found: Iterable[Diagnostic]) -> Counts:
        """The numbers for some diagnostics; the note that there are more does not count."""
        by = [one.severity for one in found if one.code != MORE]
        return cls(
            by.count(Severity.ERROR),
            by.count(Severity.WARNING),
            by.count(Severity.NOTE),
        )

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.errors + other.errors,
            self.warnings + other.warnings,
            self.notes + other.notes,
        )

    def __sub__(self, other: Counts) -> Counts:
        return Counts(
            self.errors - other.errors,
            self.warnings - other.warnings,
            self.notes - other.notes,
        )

    def total(self) -> int:
        """All together."""
        return self.errors + self.warnings + self.notes

    def to_json(self) -> dict[str, int]:
        """The numbers by name."""
        return {"errors": self.errors, "warnings": self.warnings, "notes": self.notes}

    def words(self) -> Words:
        """The numbers that are not 0, in words."""
        counted = (
            (self.errors, "error", Severity.ERROR),
            (self.warnings, "warning", Severity.WARNING),
            (self.notes, "note", Severity.NOTE),
        )
        en = [counted_noun(number, noun) for number, noun, _ in counted if number]
        zh = [f"{number} 个{_SEVERITY_ZH[one]}" for number, _, one in counted if number]
        return Words(", ".join(en), "，".join(zh))


def counted_noun(number: int, noun: str) -> str:
    """A number with its noun: `1 error`, `2 errors`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


@final
@dataclass(slots=True)
class Reporter:
    """Collects the problems of one file.

    `locator` is attached once the file has been parsed; before that, and for a rule that has no file, positions are
    given outright or are 1:1. `root` is the pointer of the object that holds the five sections (`/design` or the
    document). Of each severity the first `MOST_SHOWN` problems are kept, all others are only counted: a file of 16 MiB
    can have a million of them.
    """

    file: str
    locator: Locator | None = None
    root: Pointer = ROOT
    _kept: dict[Severity, dict[Diagnostic, None]] = field(
        default_factory=lambda: {one: {} for one in Severity}
    )
    _beyond: Counter[Severity] = field(default_factory=Counter)
    _codes: set[str] = field(default_factory=set)
    _wrong: set[tuple[object, ...]] = field(default_factory=set)

    def place(
        self,
        pointer: Pointer,
        *,
        flow: str | None = None,
        node: str | None = None,
        field: str | None = None,
        key: bool = False,
    ) -> Place:
        """The place of a pointer; `key` points at the key in front of the value."""
        line, column = (
            (1, 1) if self.locator is None else self.locator.locate(pointer, key=key)
        )
        return Place(self.file, pointer, line, column, flow, node, field)

    def place_in_node(
        self, pointer: Pointer, flow: str, node: str, field: str | None = None
    ) -> Place:
        """The place of a field of the node at `pointer`, wherever the field stands; without it, the node's own."""
        if field is None:
            return self.place(pointer, flow=flow, node=node, key=True)
        inside, beside = (pointer / "content").below(field), pointer.below(field)
        # the node itself wins for the fields that may stand in both places (contract, section 1)
        found = [
            one
            for one in (beside, inside)
            if self.locator is not None and self.locator.has(one)
        ]
        return self.place(
            found[0] if found else inside, flow=flow, node=node, field=field
        )

    def report(self, code: str, place: Place, **values: Value) -> None:
        """Add a problem.

        Arguments: `code` is a key of `CODES`; `values` fill its templates: texts of the rule (they are quoted),
        numbers, or `Words` of our own. The same problem at the same place is kept once. A warning about a field (or a
        note) for which an error has been reported is dropped: the error explains it.
        """
        entry = CODES[code]
        spot: tuple[object, ...] = (
            (place.at,) if place.node is None else (place.flow, place.node, place.field)
        )
        if entry.severity is Severity.ERROR:
            self._wrong.add(spot)
        elif spot in self._wrong:
            return
        self._codes.add(code)
        kept = self._kept[entry.severity]
        if len(kept) < MOST_SHOWN:
            kept[_diagnostic(entry, place, values)] = None
        else:
            self._beyond[entry.severity] += 1

    def is_wrong(self, flow: str, node: str, field: str) -> bool:
        """Whether an error has been reported for this field of this node."""
        return (flow, node, field) in self._wrong

    def counts(self) -> Counts:
        """How many problems there are, listed or not."""
        errors, warnings, notes = (
            len(self._kept[one]) + self._beyond[one] for one in Severity
        )
        return Counts(errors, warnings, notes)

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The problems in the order of their positions, then by code and sentence.

        If there are more than `MOST_SHOWN`, errors go before warnings and those before notes, in the order in which
        they were found, and the last of the diagnostics is the note that says how many are left out.
        """
        listed = [one for kept in self._kept.values() for one in kept][:MOST_SHOWN]
        ordered = sorted(
            listed,
            key=lambda one: (
                one.place.line,
                one.place.column,
                one.code,
                one.message_en,
            ),
        )
        omitted = self.counts() - Counts.of(listed)
        if omitted.total():
            place = Place(self.file, ROOT, 1, 1)
            values: dict[str, Value] = {
                "count": omitted.total(),
                "kinds": omitted.words(),
            }
            ordered.append(_diagnostic(CODES[MORE], place, values))
        return tuple(ordered)

    def has(self, code: str) -> bool:
        """Whether a problem of this code has been reported."""
        return code in self._codes

    @property
    def has_errors(self) -> bool:
        """Whether there is an error, so that nothing can be compiled."""
        return bool(self._kept[Severity.ERROR])

    def failed(self, *, strict: bool = False) -> bool:
        """Whether the file is refused: an error, or with `strict` a warning. Notes never count."""
        return self.has_errors or (strict and bool(self._kept[Severity.WARNING]))


def _diagnostic(entry: Code, place: Place, values: Mapping[str, Value]) -> Diagnostic:
    en = {name: _shown(value, "en") for name, value in values.items()}
    zh = {name: _shown(value, "zh") for name, value in values.items()}
    return Diagnostic(
        entry.code,
        entry.severity,
        place,
        entry.en.format(**en),
        entry.zh.format(**zh),
        entry.remedy_en.format(**en),
        entry.remedy_zh.format(**zh),
    )


def _shown(value: Value, lang: Lang) -> str:
    if isinstance(value, Words):
        return value.zh if lang == "zh" else value.en
    if isinstance(value, int):
        # the interpreter refuses to spell integers of more than 4,300 digits, and sums can be longer than their parts
        return str(value) if value.bit_length() <= 256 else f"{value.bit_length()}-bit"
    return quote(value)


class CompileError(Exception):
    """A rule that cannot be compiled; `diagnostics` are its problems, in order, `counts` says how many there are."""

    def __init__(self, reporter: Reporter) -> None:
        self.diagnostics = reporter.diagnostics()
        self.counts = reporter.counts()
        shown = (
            one.text()
            for one in self.diagnostics
            if one.severity is Severity.ERROR or one.code == MORE
        )
        super().__init__("\n".join(shown))
