"""One problem of a rule: its code, its place, and its sentence and remedy in both languages.

The code tables hold the sentences; `diagnostic` fills them. Names that come from the rule are quoted and made harmless
here, so that no file can forge lines, hide text or flood the terminal. Used through `diagnostics`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias, final

from dealwright.compiler.diagnostics.codes import Code, Severity, Words
from dealwright.compiler.diagnostics.codes_meaning import MEANING
from dealwright.compiler.diagnostics.codes_shape import SHAPE
from dealwright.compiler.diagnostics.codes_warning import WARNINGS
from dealwright.compiler.diagnostics.pointer import Pointer
from dealwright.compiler.diagnostics.text import QUOTED_LENGTH, Lang, quote, safe

Value: TypeAlias = str | int | Words

#: Every diagnostic there is, by code.
CODES: Final[Mapping[str, Code]] = MappingProxyType(
    {entry.code: entry for entry in (*SHAPE, *MEANING, *WARNINGS)}
)

SEVERITY_ZH: Final = {
    Severity.ERROR: "错误",
    Severity.WARNING: "警告",
    Severity.NOTE: "提示",
}
_REMEDY_WORD: dict[Lang, str] = {"en": "remedy", "zh": "建议"}


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
        severity = SEVERITY_ZH[self.severity] if lang == "zh" else self.severity.value
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


def diagnostic(
    entry: Code,
    place: Place,
    values: Mapping[str, Value],
    meant: Value | None,
) -> Diagnostic:
    """A problem with its sentences filled in; `meant` is asked for in front of the remedy."""
    en = {name: _shown(value, "en") for name, value in values.items()}
    zh = {name: _shown(value, "zh") for name, value in values.items()}
    asked = ("", "")
    if meant is not None:
        asked = (
            f"did you mean {_shown(meant, 'en')}? If not, ",
            f"是否指{_spaced(_shown(meant, 'zh'))}？若不是，",
        )
    return Diagnostic(
        entry.code,
        entry.severity,
        place,
        entry.en.format(**en),
        entry.zh.format(**zh),
        asked[0] + entry.remedy_en.format(**en),
        asked[1] + entry.remedy_zh.format(**zh),
    )


def _spaced(text: str) -> str:
    """A text as it follows Chinese words: after a space, unless it begins with a Chinese word itself."""
    return text if "\u4e00" <= text[:1] <= "\u9fff" else f" {text}"


def _shown(value: Value, lang: Lang) -> str:
    if isinstance(value, Words):
        return value.zh if lang == "zh" else value.en
    if isinstance(value, int):
        # the interpreter refuses to spell integers of more than 4,300 digits, and sums can be longer than their parts
        return str(value) if value.bit_length() <= 256 else f"{value.bit_length()}-bit"
    return quote(value)
