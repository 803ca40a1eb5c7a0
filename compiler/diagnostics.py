"""What the compiler says about a rule: places, severities, diagnostics and the reporter that collects them.

Every problem has a stable code; the code tables hold the sentences and remedies of each in English and Chinese. A
reporter collects all problems of one file and gives them back in the order of their positions. Names that come from the
rule are quoted and made harmless here, so that no file can forge lines, hide text or flood the terminal. Imports the
code tables only.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, Protocol, TypeAlias, final

from dealwright.compiler.codes import Code, Severity, Words
from dealwright.compiler.codes_meaning import MEANING
from dealwright.compiler.codes_shape import SHAPE
from dealwright.compiler.codes_warning import WARNINGS

__all__ = [
    "CODES",
    "CompileError",
    "Diagnostic",
    "Lang",
    "Locator",
    "Place",
    "Reporter",
    "Severity",
    "Words",
    "quote",
    "safe",
    "visible",
]

Lang: TypeAlias = Literal["en", "zh"]
Value: TypeAlias = str | int | Words

#: Every diagnostic there is, by code.
CODES: Final[Mapping[str, Code]] = MappingProxyType(
    {one.code: one for one in (*SHAPE, *MEANING, *WARNINGS)}
)

QUOTED_LENGTH: Final = 60
_SEVERITY_ZH = {Severity.ERROR: "错误", Severity.WARNING: "警告", Severity.NOTE: "提示"}
_REMEDY_WORD: dict[Lang, str] = {"en": "remedy", "zh": "建议"}


class Locator(Protocol):
    """Whoever knows where a JSON pointer stands in the text of the file (`source.Source` does)."""

    def locate(self, pointer: str, *, key: bool = False) -> tuple[int, int]:
        """Line and column, both from 1, of a value (with `key`: of its key), or of its nearest parent that exists."""

    def has(self, pointer: str) -> bool:
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


@final
@dataclass(frozen=True, slots=True)
class Place:
    """Where a problem is: the file, JSON pointer, line and column from 1; flow, node and field where it has them."""

    file: str
    pointer: str
    line: int
    column: int
    flow: str | None = None
    node: str | None = None
    field: str | None = None

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
@dataclass(slots=True)
class Reporter:
    """Collects the problems of one file.

    `locator` is attached once the file has been parsed; before that, and for a rule that has no file, positions are
    given outright or are 1:1. `root` is the pointer of the object that holds the five sections (`/design` or empty).
    """

    file: str
    locator: Locator | None = None
    root: str = ""
    _found: dict[Diagnostic, None] = field(default_factory=dict)
    _wrong: set[tuple[str | None, ...]] = field(default_factory=set)

    def place(
        self,
        pointer: str,
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
        self, pointer: str, flow: str, node: str, field: str | None = None
    ) -> Place:
        """The place of a field of the node at `pointer`, wherever the field stands; without it, the node's own."""
        if field is None:
            return self.place(pointer, flow=flow, node=node, key=True)
        inside, beside = f"{pointer}/content/{field}", f"{pointer}/{field}"
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
        spot = (
            (place.pointer,)
            if place.node is None
            else (place.flow, place.node, place.field)
        )
        if entry.severity is Severity.ERROR:
            self._wrong.add(spot)
        elif spot in self._wrong:
            return
        en = {name: _shown(value, "en") for name, value in values.items()}
        zh = {name: _shown(value, "zh") for name, value in values.items()}
        texts = (
            entry.en.format(**en),
            entry.zh.format(**zh),
            entry.remedy_en.format(**en),
            entry.remedy_zh.format(**zh),
        )
        self._found[Diagnostic(code, entry.severity, place, *texts)] = None

    def is_wrong(self, flow: str, node: str, field: str) -> bool:
        """Whether an error has been reported for this field of this node."""
        return (flow, node, field) in self._wrong

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All problems in the order of their positions, then by code and sentence."""
        return tuple(
            sorted(
                self._found,
                key=lambda one: (
                    one.place.line,
                    one.place.column,
                    one.code,
                    one.message_en,
                ),
            )
        )

    def has(self, code: str) -> bool:
        """Whether a problem of this code has been reported."""
        return any(one.code == code for one in self._found)

    @property
    def has_errors(self) -> bool:
        """Whether there is an error, so that nothing can be compiled."""
        return any(one.severity is Severity.ERROR for one in self._found)

    def failed(self, *, strict: bool = False) -> bool:
        """Whether the file is refused: an error, or with `strict` a warning. Notes never count."""
        bad = (Severity.ERROR, Severity.WARNING) if strict else (Severity.ERROR,)
        return any(one.severity in bad for one in self._found)


def _shown(value: Value, lang: Lang) -> str:
    if isinstance(value, Words):
        return value.zh if lang == "zh" else value.en
    if isinstance(value, int):
        # the interpreter refuses to spell integers of more than 4,300 digits, and sums can be longer than their parts
        return str(value) if value.bit_length() <= 256 else f"{value.bit_length()}-bit"
    return quote(value)


class CompileError(Exception):
    """A rule that cannot be compiled; `diagnostics` are all its problems, in order."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        super().__init__(
            "\n".join(
                one.text() for one in diagnostics if one.severity is Severity.ERROR
            )
        )
