"""What the compiler says about a rule: places, severities, diagnostics and the reporter that collects them.

Every problem has a stable code; the code tables hold the sentences and remedies of each in English and Chinese. A
reporter collects all problems of one file and gives them back in the order of their positions. Names that come from the
rule are quoted and made harmless (`text`), so that no file can forge lines, hide text or flood the terminal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Protocol, TypeAlias, final

from dealwright.compiler.diagnostics.codes import Code, Severity, Words
from dealwright.compiler.diagnostics.pointer import ROOT, Pointer
from dealwright.compiler.diagnostics.problem import (
    CODES,
    SEVERITY_ZH,
    Diagnostic,
    Place,
    Value,
    diagnostic,
)
from dealwright.compiler.diagnostics.spelling import Speller
from dealwright.compiler.diagnostics.text import (
    Lang,
    counted_noun,
    quote,
    safe,
    shown_name,
    system_reason,
    visible,
)

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
    "listed",
    "quote",
    "safe",
    "shown_name",
    "system_reason",
    "visible",
]

#: So many names stand in one sentence at most.
MOST_NAMED: Final = 8
#: So many problems of one file are listed at most; the note `MORE` tells how many others there are.
MOST_SHOWN: Final = 200
MORE: Final = "R403"


def listed(names: Iterable[str]) -> Words:
    """Names of a rule in quotes, one after the other, the first few if there are many."""
    quoted = [quote(name) for name in islice(names, MOST_NAMED + 1)]
    if len(quoted) > MOST_NAMED:
        quoted[-1] = "…"
    return Words(", ".join(quoted), "、".join(quoted))


# a key that is misspelled, or at the wrong place: the warning, and the error if something is refused for it
_MISSPELLED: Final = ("R336", "R134")
_MISPLACED: Final = ("R338", "R135")
# an entry of a `config` without a value: the warning, and the error if a deal lacks the cards
_UNUSABLE: Final = ("R339", "R137")
# after these a part is missing of which others speak: what is not declared there may well be declared
_HOLES: Final = frozenset({"R111", "R112", "R113", "R116", "R117"})
# after these nobody can tell which nodes a flow uses
_CUTS: Final = frozenset(
    {"R119", "R120", "R121", "R122", "R123", "R130", "R201", "R202", "R203", "R204", "R134", "R136"}
)  # fmt: skip
# after these nothing can be said of the other fields of a node
_SHAPELESS: Final = frozenset({"R120", "R122", "R130", "R204"})
# errors that are no reason why a node is not used
_PLAIN: Final = frozenset({"R208", "R213", "R214", "R215", "R216", "R218", "R219"})  # fmt: skip
# warnings that may be why one is not: an end that cannot be reached
_UNREACHED: Final = frozenset({"R324", "R325", "R337"})
_JUMPS: Final = ("next", "next_true", "next_false")
# what a problem is about: a field of a node, or the value at a pointer
_Spot: TypeAlias = tuple[object, ...]


class Locator(Protocol):
    """Whoever knows where a JSON pointer stands in the text of the file (`source.Source` does)."""

    def locate(self, pointer: Pointer, *, key: bool = False) -> tuple[int, int]:
        """Line and column, both from 1, of a value (with `key`: of its key), or of its nearest parent that exists."""

    def has(self, pointer: Pointer) -> bool:
        """Whether the file has a value at this pointer."""


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
        zh = [f"{number} 个{SEVERITY_ZH[one]}" for number, _, one in counted if number]
        return Words(", ".join(en), "，".join(zh))


@final
@dataclass(slots=True)
class _Misspelled:
    """A key that is read by nobody, while one that looks like it is missing.

    `warning` is what has been said of it, or None if that is only counted; `error` will be said instead if something is
    refused for it.
    """

    place: Place
    error: Code
    words: Mapping[str, Value]
    warning: Diagnostic | None
    is_needed: bool = False


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
    _wrong: set[_Spot] = field(default_factory=set)
    _misspelled: dict[_Spot, _Misspelled] = field(default_factory=dict)
    _holes: set[tuple[str, ...]] = field(default_factory=set)
    _cut: set[str] = field(default_factory=set)
    _unsure: set[str] = field(default_factory=set)
    _shapeless: set[tuple[str, str | None]] = field(default_factory=set)
    _instead: dict[tuple[str, ...], Pointer] = field(default_factory=dict)
    _speller: Speller = field(default_factory=Speller)

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
        pointer = self._there(pointer)
        line, column = (
            (1, 1) if self.locator is None else self.locator.locate(pointer, key=key)
        )
        return Place(self.file, pointer, line, column, flow, node, field)

    def _there(self, pointer: Pointer) -> Pointer:
        """A pointer with misspelled keys as they stand in the file."""
        steps = pointer.steps() if self._instead else ()
        for length in range(len(steps), 0, -1):
            there = self._instead.get(steps[:length])
            if there is not None:
                for step in steps[length:]:
                    there = there / step
                return self._there(there)
        return pointer

    def place_in_node(
        self,
        pointer: Pointer,
        flow: str,
        node: str,
        field: str | None = None,
        *,
        key: bool = False,
    ) -> Place:
        """The place of a field of the node at `pointer`, wherever the field stands; without it, the node's own.

        `key` points at the key in front of the field's value.
        """
        if field is None:
            return self.place(pointer, flow=flow, node=node, key=True)
        inside, beside = (pointer / "content").below(field), pointer.below(field)
        inside, beside = self._there(inside), self._there(beside)
        # the node itself wins for the fields that may stand in both places (contract, section 1)
        found = [
            one
            for one in (beside, inside)
            if self.locator is not None and self.locator.has(one)
        ]
        return self.place(
            found[0] if found else inside, flow=flow, node=node, field=field, key=key
        )

    def report(
        self,
        code: str,
        place: Place,
        *,
        meant: Value | None = None,
        **values: Value,
    ) -> None:
        """Add a problem.

        Arguments: `code` is a key of `CODES`; `values` fill its templates: texts of the rule (they are quoted),
        numbers, or `Words` of our own; `meant` is what the author may have had in mind, which the remedy then asks. The
        same problem at the same place is kept once. A warning about a field (or a note) for which an error has been
        reported is dropped, and so is whatever is said about something missing whose key is misspelled: the first
        problem explains it.
        """
        entry = CODES[code]
        if self._is_explained(entry, _spot(place)):
            return
        self._remember(entry, place)
        self._add(entry, place, values, meant)

    def _remember(self, entry: Code, place: Place) -> None:
        """Keep what later problems may follow from."""
        if entry.severity is Severity.ERROR:
            self._wrong.add(_spot(place))
        if entry.code in _HOLES:
            self._holes.add(place.at.steps())
        if place.flow is None:
            return
        is_error = entry.severity is Severity.ERROR and entry.code not in _PLAIN
        if is_error or entry.code in _UNREACHED:
            self._unsure.add(place.flow)
        if entry.code in _CUTS or place.field == "content":
            self._cut.add(place.flow)
        if entry.code in _SHAPELESS or place.field == "content":
            self._shapeless.add((place.flow, place.node))

    def _is_explained(self, entry: Code, spot: _Spot) -> bool:
        misspelled = self._misspelled.get(spot)
        if misspelled is None:
            return entry.severity is not Severity.ERROR and spot in self._wrong
        if entry.severity is Severity.ERROR:
            self._need(misspelled)
        return True

    def _add(
        self,
        entry: Code,
        place: Place,
        values: Mapping[str, Value],
        meant: Value | None = None,
    ) -> Diagnostic | None:
        """Keep a problem, or only count it; what is only counted is not built."""
        self._codes.add(entry.code)
        kept = self._kept[entry.severity]
        if len(kept) >= MOST_SHOWN:
            self._beyond[entry.severity] += 1
            return None
        problem = diagnostic(entry, place, values, meant)
        kept[problem] = None
        return problem

    def misspelled(
        self, missing: Iterable[Place], key: Place, name: str, wanted: str
    ) -> None:
        """Report that the key `name` is read by nobody, while `wanted`, which it looks like, is missing.

        That is a warning, since unknown keys are allowed, until something is refused because it is missing: then it
        becomes an error, and nothing else is said. `missing` are the places where nothing stands for that.
        """
        self._unread(missing, key, _MISSPELLED, {"key": name, "wanted": wanted})

    def misplaced(
        self, missing: Iterable[Place], key: Place, names: Iterable[str]
    ) -> None:
        """Report, as `misspelled` does, that the keys `names` stand beside a node's content instead of in it."""
        self._unread(missing, key, _MISPLACED, {"key": listed(names)})

    def unusable(self, place: Place, entries: Words) -> None:
        """Report, as `misspelled` does, that entries of a `config` have no value, so that there may be fewer cards."""
        self._unread([place], place, _UNUSABLE, {"entries": entries})

    def _unread(
        self,
        missing: Iterable[Place],
        key: Place,
        codes: tuple[str, str],
        words: Mapping[str, Value],
    ) -> None:
        warning, error = (CODES[code] for code in codes)
        found = _Misspelled(key, error, words, self._add(warning, key, words))
        for gap in missing:
            self._misspelled[_spot(gap)] = found
            self._holes.add(gap.at.steps())
            if gap.flow is not None:
                self._unsure.add(gap.flow)
                if gap.field in _JUMPS:
                    self._cut.add(gap.flow)

    def _need(self, key: _Misspelled) -> None:
        """Make an error of a misspelled key, once; the warning of it goes."""
        if key.is_needed:
            return
        key.is_needed = True
        if key.warning is None:
            self._beyond[Severity.WARNING] -= 1
        else:
            del self._kept[Severity.WARNING][key.warning]
        # the missing field and the misspelled one may be the same, at the wrong place: nothing explains this one
        self._remember(key.error, key.place)
        self._add(key.error, key.place, key.words)

    def is_explained(self, missing: Place) -> bool:
        """Whether a key that is read by nobody has been reported to be why something is missing."""
        return _spot(missing) in self._misspelled

    def refuse_misspelled_within(self, pointer: Pointer) -> None:
        """Refuse the misspelled keys of the value at a pointer, because something is refused for what is missing."""
        steps = pointer.steps()
        for spot, key in self._misspelled.items():
            at = spot[0]
            if isinstance(at, Pointer) and at.steps()[: len(steps)] == steps:
                self._need(key)

    def refused_as_misspelled(self, missing: Place) -> bool:
        """Whether a misspelled key explains that something is missing; if so, it is refused for that."""
        found = self._misspelled.get(_spot(missing))
        if found is not None:
            self._need(found)
        return found is not None

    def read_instead(self, missing: Pointer, there: Pointer) -> None:
        """From now on, places at or below `missing`, which the file does not have, are those of `there`."""
        self._instead[missing.steps()] = there

    @property
    def is_guessing(self) -> bool:
        """Whether `nearest` may still find something: a file of very many slips is not compared all with all."""
        return not self._speller.is_spent

    def nearest(self, name: str, known: Iterable[str]) -> str | None:
        """The name among those that exist that the author may have meant, or None (see `spelling`)."""
        return self._speller.nearest(name, known)

    def lacks(self, pointer: Pointer) -> None:
        """The value at a pointer is missing, which another problem tells: parts of it are unknown from now on."""
        self._holes.add(pointer.steps())

    def has_hole(self, pointer: Pointer) -> bool:
        """Whether the value at a pointer, or one that it is in, could not be read, so that parts of it are unknown."""
        steps = pointer.steps()
        return any(steps[:length] in self._holes for length in range(len(steps) + 1))

    def has_hole_within(self, pointer: Pointer) -> bool:
        """Whether the value at a pointer, one that it is in or a part of it could not be read."""
        steps = pointer.steps()
        return self.has_hole(pointer) or any(
            hole[: len(steps)] == steps for hole in self._holes
        )

    def is_cut(self, flow: str) -> bool:
        """Whether an error in a flow's nodes or jumps may hide a part of it."""
        return flow in self._cut

    def is_unsure(self, flow: str) -> bool:
        """Whether an error or a key that is not read may be why a node of a flow is not used."""
        return flow in self._unsure

    def is_shapeless(self, flow: str, node: str) -> bool:
        """Whether a node's type or content could not be read, so that its other fields mean nothing."""
        return (flow, node) in self._shapeless

    def is_misspelled(self, flow: str, node: str, field: str) -> bool:
        """Whether this field of this node is missing, and a key that looks like it has been reported."""
        return (flow, node, field) in self._misspelled

    def is_wrong(self, flow: str, node: str, field: str | None) -> bool:
        """Whether an error has been reported for this field of this node; None: for the node itself."""
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
            ordered.append(diagnostic(CODES[MORE], place, values, None))
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


def _spot(place: Place) -> _Spot:
    if place.node is None:
        return (place.at,)
    return (place.flow, place.node, place.field)


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
