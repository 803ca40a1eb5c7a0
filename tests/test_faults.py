"""Faults planted in the compiler one at a time, all of which the agreement check must find.

A fault is a change to one function or table of the emitter. Rules are tried, generated ones first and then those we
ship, until one is found whose package the fault changes and whose comparison then fails. A fault that changes the text
of no package, or that no comparison notices, fails its test: then either the fault is none or the check is blind.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import libcst as cst
import pytest

from dealwright.compiler import pipeline
from dealwright.compiler.diagnostics.reporter import CompileError
from dealwright.compiler.emit import code, exprs, stmts, style
from dealwright.compiler.emit.exprs import Expressions, HighestPair
from dealwright.compiler.emit.judgement import Judgement
from dealwright.compiler.emit.names import Names
from dealwright.compiler.emit.past_end import PastEnd
from dealwright.compiler.emit.stmts import Statements
from dealwright.compiler.emit.tries import Tries
from dealwright.compiler.passes import arguments, dispatch, needs
from dealwright.compiler.passes.bounds import Lengths
from dealwright.compiler.passes.effects import Effects
from dealwright.compiler.representation import ir
from tests.agreement import Plan, compare, subject, subject_of
from tests.rulegen.rules import seeded
from tests.rulegen.shortcuts import shortcut_rule

ROOT = Path(__file__).resolve().parent.parent
PLAN = Plan(matches=3, actions=25, subsets=5)
RULES_TRIED = (
    60  # generated rules, of which those without the component are passed over
)
SHORTCUTS_TRIED = 250  # rules made of what is compiled another way than it is written
COMPARED = 30  # rules compared before a fault counts as unnoticed

FIRST_PLAYER = code.subscript(code.name("game.players"), code.integer(0))

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: what it is, how to plant it, and which components a rule must have for it to show."""

    name: str
    plant: Plant
    components: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule to look for faults in, with the number of seats and the components it has (None: not known)."""

    name: str
    source: bytes
    seats: int
    components: frozenset[str] | None


def replaced(owner: Any, name: str, make: Callable[[Any], Any]) -> Plant:
    """Plants what `make` makes of the attribute `name` of a class or module."""
    return lambda patch: patch.setattr(owner, name, make(getattr(owner, name)))


def entry(table: Any, key: Any, value: Any) -> Plant:
    """Plants another entry in a table."""
    return lambda patch: patch.setitem(table, key, value)


def past_end_fails(patch: pytest.MonkeyPatch) -> None:
    """Plants that a comparison of what is not there never holds, not even where it does for 0."""

    def compared(
        one: PastEnd, sign: str, constant: int, length: code.Code
    ) -> code.Code:
        found = code.compare(one.found, (sign, code.integer(constant)))
        return code.both(one._is_there(length), found)

    patch.setattr(PastEnd, "compared", compared)


def formula_of(kind: type, make: Callable[[Any], Any]) -> Plant:
    """Plants another value in place of every value of one class, made from it."""

    def planted(original: Any) -> Any:
        def formula(self: Expressions, value: Any) -> Any:
            if not isinstance(value, kind):
                return original(self, value)
            made = make(value)
            return original(self, made) if isinstance(made, kind | ir.Integer) else made

        return formula

    return replaced(Expressions, "formula", planted)


def step_of(kind: type, make: Callable[[Any], Any]) -> Plant:
    """Plants another statement in place of every statement of one class; None leaves it out."""

    def planted(original: Any) -> Any:
        def step(self: Statements, id: str, one: Any) -> Any:
            if not isinstance(one, kind):
                return original(self, id, one)
            made = make(one)
            if made is None:
                return [stmts._line(cst.Pass(), id)]
            return original(self, id, made)

        return step

    return replaced(Statements, "_step", planted)


def terminal_of(kind: type, make: Callable[[Any], Any]) -> Plant:
    """Plants another end of a flow in place of every one of a class."""

    def planted(original: Any) -> Any:
        def terminal(self: Statements, id: str, one: Any) -> Any:
            return original(self, id, make(one) if isinstance(one, kind) else one)

        return terminal

    return replaced(Statements, "_terminal", planted)


def operator_as(sign: str, planted_for: int) -> Plant:
    """Plants a Python operator in place of division (3) or remainder (4)."""

    def planted(original: Any) -> Any:
        def arithmetic(self: Expressions, value: Any) -> Any:
            if value.operator != planted_for:
                return original(self, value)
            left, right = self.value(value.left), self.value(value.right)
            operator = cst.FloorDivide() if sign == "//" else cst.Modulo()
            node = cst.BinaryOperation(
                left.at(code.MULTIPLY), operator, right.at(code.UNARY)
            )
            return code.Code(node, code.MULTIPLY)

        return arithmetic

    return replaced(Expressions, "_arithmetic", planted)


def used_as(old: str, new: str) -> Plant:
    """Plants another function where `old` would be called."""
    return replaced(
        Expressions,
        "use",
        lambda original: lambda self, name: original(
            self, new if name == old else name
        ),
    )


def sort_keys(
    change: Callable[[tuple[ir.SortKey, ...]], tuple[ir.SortKey, ...]],
) -> Plant:
    """Plants other criteria in every sort."""
    return replaced(
        Expressions,
        "sort_arguments",
        lambda original: lambda self, owner, keys: original(self, owner, change(keys)),
    )


def _turned(keys: tuple[ir.SortKey, ...]) -> tuple[ir.SortKey, ...]:
    return tuple(
        dataclasses.replace(key, is_descending=not key.is_descending) for key in keys
    )


def _negated_if(original: Any) -> Any:
    def statement(self: Statements, one: Any, address: Any) -> Any:
        if hasattr(one, "is_negated"):
            one = dataclasses.replace(one, is_negated=not one.is_negated)
        return original(self, one, address)

    return statement


def _rotated_resume(patch: Patch) -> None:
    """The rows of RESUME get each other's functions."""
    original = style.formatted
    row = re.compile(r"(?<=Wait\()(after_\w+)")

    def formatted(text: str) -> str:
        head, mark, rows = text.partition("\nRESUME")
        names = row.findall(rows)
        following = iter([*names[1:], *names[:1]])
        return original(head + mark + row.sub(lambda found: next(following), rows))

    patch.setattr(style, "formatted", formatted)


def _blind_to_changes(patch: Patch) -> None:
    """Locals hold their values over assignments, as if nothing ever changed."""
    patch.setattr(Effects, "changed_by", lambda self, step: frozenset())
    patch.setattr(Effects, "changed_in", lambda self, statements: frozenset())


def _without_successors(original: Any) -> Any:
    return lambda self, now: original(self, dataclasses.replace(now, successors=()))


def _exchanged(found: HighestPair | None) -> HighestPair | None:
    return found and dataclasses.replace(found, columns=found.columns[::-1])


def _comparison_changed(change: Callable[[str], str]) -> Plant:
    def planted(original: Any) -> Any:
        def comparison(self: Judgement, now: Any, before: Any) -> str | None:
            made = original(self, now, before)
            return None if made is None else change(made)

        return comparison

    return replaced(Judgement, "_comparison", planted)


FAULTS = (
    Fault("> as >=", entry(exprs._COMPARISONS, 1, ">="), ("14.1",)),
    Fault("< as <=", entry(exprs._COMPARISONS, 2, "<="), ("14.2",)),
    Fault(">= as >", entry(exprs._COMPARISONS, 3, ">"), ("14.3",)),
    Fault("<= as <", entry(exprs._COMPARISONS, 4, "<"), ("14.4",)),
    Fault("= as >=", entry(exprs._COMPARISONS, 0, ">="), ("14.0",)),
    Fault("the opposite of = as <", entry(exprs._OPPOSITES, 0, "<"), ("14.0",)),
    Fault("the opposite of > as <", entry(exprs._OPPOSITES, 1, "<"), ("14.1",)),
    Fault("a comparison past the end as one that fails", past_end_fails, ("5",)),
    Fault("- as +", entry(exprs._ARITHMETIC, 1, "+"), ("10.1",)),
    Fault("* as +", entry(exprs._ARITHMETIC, 2, "+"), ("10.2",)),
    Fault("/ as //", operator_as("//", 3), ("10.3",)),
    Fault("% as Python's", operator_as("%", 4), ("10.4",)),
    Fault("+= as -=", entry(stmts._AUGMENTED, 0, cst.SubtractAssign), ("10.0",)),
    Fault("and as or", replaced(code, "both", lambda original: code.either), ("12.0",)),
    Fault("or as and", replaced(code, "either", lambda original: code.both), ("12.1",)),
    Fault(
        "negation dropped",
        replaced(code, "negated", lambda _: lambda operand: operand),
        ("13",),
    ),
    Fault("guard negated", replaced(Statements, "_statement", _negated_if), ("16",)),
    Fault(
        "bound of an element dropped",
        replaced(Expressions, "_is_certain", lambda _: lambda self, value: True),
        ("5",),
    ),
    Fault("sort the other way", sort_keys(_turned), ("2", "2.statement")),
    Fault(
        "sort criteria in reverse",
        sort_keys(lambda keys: keys[::-1]),
        ("2", "2.statement"),
    ),
    Fault("all without the empty test", used_as("every", "all"), ("11.1",)),
    Fault("some as all", used_as("any", "all"), ("11.0",)),
    Fault(
        "A and B swapped",
        formula_of(
            ir.Compared, lambda value: dataclasses.replace(value, is_a=not value.is_a)
        ),
    ),
    Fault(
        "A wins and B wins swapped",
        terminal_of(ir.Win, lambda one: dataclasses.replace(one, is_a=not one.is_a)),
    ),
    Fault(
        "the wrong seat",
        formula_of(
            ir.SeatedPlayer,
            lambda value: dataclasses.replace(value, seat=max(0, value.seat - 1)),
        ),
    ),
    Fault(
        "the wrong card",
        formula_of(
            ir.NumberedCard,
            lambda value: dataclasses.replace(value, number=value.number + 1),
        ),
    ),
    Fault(
        "the current player as the first",
        formula_of(ir.CurrentPlayer, lambda _: FIRST_PLAYER),
    ),
    Fault(
        "choice ignored", formula_of(ir.Choice, lambda _: ir.Integer(0)), ("22.read",)
    ),
    Fault(
        "the latest play ignored",
        formula_of(ir.Latest, lambda _: code.list_([])),
        ("21.read",),
    ),
    Fault(
        "upper bound of a deal dropped",
        replaced(
            stmts,
            "_within",
            lambda original: lambda member, lower, upper: original(member, lower, None),
        ),
        ("20",),
    ),
    Fault(
        "lower bound of a deal one too high",
        replaced(
            stmts,
            "_within",
            lambda original: lambda member, lower, upper: original(
                member, None if lower is None else lower + 1, upper
            ),
        ),
        ("20",),
    ),
    Fault(
        "one round too many",
        step_of(ir.Deal, lambda one: dataclasses.replace(one, rounds=one.rounds + 1)),
    ),
    Fault("shuffle left out", step_of(ir.Shuffle, lambda _: None), ("19",)),
    Fault(
        "sort of the deck left out",
        step_of(ir.SortDeck, lambda _: None),
        ("2.statement",),
    ),
    Fault(
        "call of a method left out",
        step_of(ir.Invoke, lambda _: None),
        ("1.statement",),
    ),
    Fault("a local kept over an assignment", _blind_to_changes),
    Fault("resume rows exchanged", _rotated_resume, ("21", "22")),
    Fault(
        "successors ignored", replaced(Judgement, "_beats_others", _without_successors)
    ),
    Fault(
        "cards that differ taken as alike",
        replaced(
            Expressions,
            "_alike",
            lambda original: lambda self, value, is_negated=False: code.name(
                str(not is_negated)
            ),
        ),
    ),
    Fault(
        "an answer handed over the wrong way round",
        replaced(
            Tries,
            "_answer",
            lambda original: lambda self, value: f"not {original(self, value)}",
        ),
    ),
    Fault(
        "a verdict handed over the wrong way round",
        replaced(
            Tries,
            "_if_possible",
            lambda original: lambda self, cardset: original(self, cardset).replace(
                "is not None", "is None"
            ),
        ),
    ),
    Fault(
        "a cardset asked only if it is another one, though it need not be",
        replaced(
            needs,
            "_needed",
            lambda original: lambda body, given: tuple(
                value for value in given if isinstance(value, ir.IsCardset)
            ),
        ),
    ),
    Fault(
        "an answer found out for all cardsets of a length, of which one does without",
        replaced(
            Tries,
            "_without_exception",
            lambda original: lambda self: [
                answer
                for one in self._tried[:1]
                for answer in self._answers_for(one.id)
            ],
        ),
    ),
    Fault(
        "an answer forgotten that not all cardsets of a length need",
        replaced(Tries, "_guards", lambda original: lambda self, cardset: []),
    ),
    Fault(
        "the number of cards not asked before a cardset",
        replaced(
            dispatch._Asking,
            "_fits",
            lambda original: lambda self, cards, own: self._pool.make(ir.Boolean, True),
        ),
    ),
    Fault(
        "a cardset held to the lengths of one that it need not be",
        replaced(
            Lengths,
            "split",
            lambda original: lambda self, condition, depth=0: (
                (original(self, condition, depth)[0],) * 2
                if isinstance(condition, ir.IsCardset)
                else original(self, condition, depth)
            ),
        ),
    ),
    Fault(
        "what one caller passes taken for what everybody does",
        replaced(
            arguments,
            "_both",
            lambda original: lambda one, other: max(
                one, other, key=lambda each: (each.judged[0], *each.cards.values())
            ),
        ),
    ),
    Fault(
        "the properties of another node",
        replaced(
            Names,
            "results",
            lambda original: lambda self, cardset: dict.fromkeys(
                original(self, cardset), *list(original(self, cardset).values())[:1]
            ),
        ),
    ),
    Fault(
        "the two values of the highest card exchanged",
        replaced(
            Expressions,
            "highest_pair",
            lambda original: lambda self, value: _exchanged(original(self, value)),
        ),
    ),
    Fault(
        "of a few cards the last one forgotten",
        replaced(
            Expressions,
            "_few",
            lambda original: lambda self, selection: (
                found[:-1] or None if (found := original(self, selection)) else found
            ),
        ),
    ),
    Fault(
        "the other direction of a comparison not turned",
        _comparison_changed(lambda made: made.removeprefix("not ")),
    ),
    Fault(
        "now and before exchanged",
        _comparison_changed(
            lambda made: made.replace("now, before", "?")
            .replace("before, now", "now, before")
            .replace("?", "before, now")
        ),
    ),
    Fault(
        "cardsets tried in reverse",
        replaced(
            Judgement,
            "_tries",
            lambda original: lambda self, cardsets, *rest: original(
                self, cardsets[::-1], *rest
            ),
        ),
    ),
    Fault(
        "properties of a cardset dropped",
        terminal_of(ir.Accept, lambda one: dataclasses.replace(one, properties=())),
    ),
    Fault(
        "a settlement result one too high",
        terminal_of(
            ir.Settle, lambda one: dataclasses.replace(one, result=one.result + 1)
        ),
    ),
)


@cache
def _generated(seed: int) -> Candidate:
    rule = seeded(seed)
    components = frozenset(component for component, _ in rule.counts)
    return Candidate(f"generated rule {seed}", rule.source, rule.seats, components)


def _candidates(fault: Fault) -> Iterator[Candidate]:
    """Rules in which the fault may show."""
    if not fault.components:
        for seed in range(SHORTCUTS_TRIED):
            source = json.dumps(shortcut_rule(seed), ensure_ascii=False).encode()
            yield Candidate(f"shortcut rule {seed}", source, 2, None)
    for seed in range(RULES_TRIED):
        one = _generated(seed)
        has = one.components or frozenset()
        if not fault.components or has & set(fault.components):
            yield one
    for path in sorted((ROOT / "rules").glob("*.json")):
        source = path.read_bytes()
        document = json.loads(source)
        seats = document.get("meta", {}).get("playerCount") or 2
        yield Candidate(path.name, source, seats, None)


@cache
def _sound(candidate: Candidate) -> Mapping[str, str] | None:
    """The files of a candidate without any fault, or None if it is refused."""
    try:
        return pipeline.build(candidate.source, "generated.json").files
    except CompileError:
        return None


@cache
def _is_content(candidate: Candidate) -> bool:
    """Whether the check is content with a candidate without any fault."""
    compare(subject(candidate.source, "generated.json"), candidate.seats, PLAN)
    return True


def _is_noticed(built: pipeline.Built, candidate: Candidate) -> bool:
    """Whether the check is not content with a package."""
    try:
        compare(
            subject_of(built, candidate.source, candidate.name), candidate.seats, PLAN
        )
    except Exception:  # a package that cannot even be imported is noticed too
        return True
    return False


@pytest.fixture(autouse=True)
def unformatted(monkeypatch: Patch) -> None:
    """Leaves out formatting, which changes no meaning and takes most of the time."""
    monkeypatch.setattr(style, "formatted", lambda text: text)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_fault_is_caught(fault: Fault, monkeypatch: Patch) -> None:
    """The fault changes a package, and the comparison of that package fails where it did not before."""
    changed = 0
    for candidate in _candidates(fault):
        sound = _sound(candidate)
        if sound is None:
            continue
        with monkeypatch.context() as patch:
            fault.plant(patch)
            built = pipeline.build(candidate.source, "generated.json")
        if built.files == sound:
            continue
        changed += 1
        if _is_noticed(built, candidate) and _is_content(candidate):
            return
        if changed >= COMPARED:
            break
    assert changed, "the fault changes no text: it is not planted where it should be"
    pytest.fail(f"the check did not notice the fault in {changed} rules")


def test_there_are_enough_faults() -> None:
    """The number that the project promises, each with a name of its own."""
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 20
