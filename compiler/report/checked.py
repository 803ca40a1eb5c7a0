"""What all forms of a report need: the problems of a file, its lines, and what the author calls the places in it.

In goes what the front found, out come the same diagnostics with the component of each node and with names in words:
an author knows "the build flow of cardset 'Pair'", not `cardsets/3/build_flow`. Imports words and input only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from dealwright.compiler.diagnostics.codes import Severity, Words
from dealwright.compiler.diagnostics.reporter import (
    MORE,
    Counts,
    Diagnostic,
    Lang,
    Place,
    Reporter,
    counted_noun,
    quote,
    safe,
)
from dealwright.compiler.reading.source import Source
from dealwright.compiler.report.excerpt import Lines
from dealwright.compiler.rule.components import COMPONENTS, Component

#: Problems of the file as a whole: no line of it shows them.
WHOLE_FILE: Final = frozenset({"R100", "R101", MORE})

# how many steps below the design a flow stands, by its section
_FLOW_DEPTH: Final = {
    "match_flow": 1,
    "end_flow": 1,
    "cardsets": 3,
    "cardset_comparisons": 3,
    "classes": 5,
}
_FLOW_WORDS: Final = {
    "match_flow": Words("the match flow", "对局流程"),
    "end_flow": Words("the end flow", "结算流程"),
    "build_flow": Words("the build flow", "识别流程"),
    "compare_flow": Words("the compare flow", "比较流程"),
}
_CLASSES: Final = {
    "card": Words("the class card", "类 card"),
    "player": Words("the class player", "类 player"),
    "table": Words("the class table", "类 table"),
}


@final
@dataclass(frozen=True, slots=True)
class Checked:
    """One file that has been checked.

    `diagnostics` stand in the order of their positions, `counts` says how many problems there are, listed or not; with
    `strict`, what was a warning is an error in both, and `hardened` says how many were. `document` is the parsed file
    (None if there is none), `root` the keys of its design.
    """

    file: str
    diagnostics: tuple[Diagnostic, ...]
    counts: Counts
    lines: Lines | None
    document: object
    root: tuple[str, ...]
    hardened: int

    @property
    def failed(self) -> bool:
        """Whether the file is refused."""
        return any(one.severity is Severity.ERROR for one in self.diagnostics)

    def line(self, one: Diagnostic) -> str | None:
        """The line that a problem is in; None if no line shows it."""
        if self.lines is None or one.code in WHOLE_FILE:
            return None
        return self.lines.line(one.place.line)

    def mark(self, one: Diagnostic) -> int | None:
        """How many characters of its line a problem is about."""
        if self.lines is None or one.code in WHOLE_FILE:
            return None
        return self.lines.mark(one.place.line, one.place.column)

    def component(self, place: Place) -> Component | None:
        """The component of the node that a place is in, or None."""
        steps = self._steps(place)
        if place.node is None or not steps:
            return None
        depth = _FLOW_DEPTH.get(steps[0], len(steps)) + 1
        node = self._value(steps[:depth]) if len(steps) >= depth else None
        kind = node.get("type") if isinstance(node, dict) else None
        return COMPONENTS.get(kind) if type(kind) is int else None

    def whereabouts(self, place: Place) -> Words | None:
        """The place in the author's words: node, component, field and flow; None where the pointer says it all."""
        part = self._part(self._steps(place))
        if place.node is None:
            return part
        component = self.component(place)
        node = quote(place.node)
        en, zh = f"node {node}", f"节点 {node}"
        if component is not None:
            en += f" ({component.type}, {component.name.en})"
            zh += f"（{component.type}，{component.name.zh}）"
        if place.field is not None:
            en += f", field {quote(place.field)}"
            zh += f"的字段 {quote(place.field)}"
        if part is not None:
            en, zh = f"{en}, in {part.en}", f"{part.zh}中{zh}"
        return Words(en, zh)

    def _steps(self, place: Place) -> list[str]:
        """The keys from the design down to a place; none for a place outside of it."""
        steps, depth = place.at.steps(), len(self.root)
        return list(steps[depth:]) if steps[:depth] == self.root else []

    def _value(self, steps: Sequence[str]) -> object:
        value = self.document
        for step in (*self.root, *steps):
            value = value.get(step) if isinstance(value, dict) else None
        return value

    def _part(self, steps: Sequence[str]) -> Words | None:
        """The flow, or the cardset, comparison, method or class, that these keys lead into."""
        match steps:
            case ["match_flow" | "end_flow" as flow, *_]:
                return _FLOW_WORDS[flow]
            case ["cardsets", id_, *rest]:
                return _flow_of(self._cardset(id_), rest)
            case ["cardset_comparisons", id_, *rest]:
                return _flow_of(self._comparison(id_), rest)
            case ["classes", owner, "methods", name, *_]:
                method = quote(name)
                kind = safe(owner)
                return Words(
                    f"the method {method} of {kind}", f"{kind} 的方法 {method}"
                )
            case ["classes", owner, *_]:
                return _CLASSES.get(owner)
            case _:
                return None

    def _cardset(self, id_: str) -> Words:
        name = self._value(("cardsets", id_, "name"))
        shown = quote(id_)
        if not isinstance(name, str) or not name.strip():
            return Words(f"cardset {shown}", f"牌型 {shown}")
        return Words(
            f"cardset {shown} ({quote(name)})", f"牌型 {shown}（{quote(name)}）"
        )

    def _comparison(self, id_: str) -> Words:
        sides = [
            self._value(("cardset_comparisons", id_, f"cardset{side}"))
            for side in ("A", "B")
        ]
        a, b = (quote(one) if isinstance(one, str) else "?" for one in sides)
        shown = quote(id_)
        return Words(
            f"comparison {shown} ({a} against {b})", f"跨牌型比较 {shown}（{a} 对 {b}）"
        )


def _flow_of(owner: Words, rest: Sequence[str]) -> Words:
    flow = _FLOW_WORDS.get(rest[0]) if rest else None
    if flow is None:
        return owner
    return Words(f"{flow.en} of {owner.en}", f"{owner.zh}的{flow.zh}")


def checked(
    file: str, data: bytes | None, reporter: Reporter, *, strict: bool = False
) -> Checked:
    """What the front found in a file, ready to be shown.

    Arguments: `data` are the bytes that were read, None if there were none; with `strict`, warnings become errors.
    """
    found = reporter.diagnostics()
    source = reporter.locator
    counts, hardened = reporter.counts(), 0
    if strict:
        found, hardened = tuple(map(_hardened, found)), counts.warnings
        counts = Counts(counts.errors + hardened, 0, counts.notes)
    return Checked(
        file=file,
        diagnostics=found,
        counts=counts,
        lines=None if data is None else Lines(data),
        document=source.value if isinstance(source, Source) else None,
        root=reporter.root.steps(),
        hardened=hardened,
    )


def _hardened(one: Diagnostic) -> Diagnostic:
    is_warning = one.severity is Severity.WARNING
    return replace(one, severity=Severity.ERROR) if is_warning else one


def summary(files: Sequence[Checked], lang: Lang) -> str:
    """The last line for people: how many rules, errors and warnings."""
    counts = sum((file.counts for file in files), Counts())
    hardened = sum(file.hardened for file in files)
    if lang == "zh":
        extra = f"（其中 {hardened} 个因 --strict 由警告升级）" if hardened else ""
        return f"{len(files)} 个规则：{counts.errors} 个错误{extra}，{counts.warnings} 个警告"
    extra = f" ({hardened} of them by --strict)" if hardened else ""
    rules, errors, warnings = (
        counted_noun(len(files), "rule"),
        counted_noun(counts.errors, "error"),
        counted_noun(counts.warnings, "warning"),
    )
    return f"{rules}: {errors}{extra}, {warnings}"
