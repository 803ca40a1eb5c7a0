"""Everything that `explain` shows of a rule: each flow's facts, its outline, and the functions generated from it.

In go a package that has been generated and its files; out come the flows in the order of the generated text, each with
the text of its functions as it stands in those files. Which flows a name means is decided here too.
"""

from __future__ import annotations

import ast
import difflib
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.diagnostics.reporter import quote
from dealwright.compiler.passes.facts import (
    FactFinder,
    FlowFacts,
    FlowName,
    flow_names,
)
from dealwright.compiler.representation.irtext import body_text
from dealwright.compiler.rule.model import Rule

if TYPE_CHECKING:
    from dealwright.compiler.emit.functions import Functions
    from dealwright.compiler.emit.judgement import Judgement
    from dealwright.compiler.emit.package import Package

AGAINST: Final = " against "
_NEAREST: Final = 3
_ALL_LISTED: Final = 12

_Sliced = Mapping[tuple[str, str], str]


@final
@dataclass(frozen=True, slots=True)
class FlowExplained:
    """One flow: what it is called, by which names it can be asked for, its facts, outline, and generated functions.

    `outline` has one line a node, in control order; `code` is empty for a comparison that no play can reach.
    """

    title: Words
    names: tuple[str, ...]
    facts: FlowFacts
    outline: str
    code: str


@final
@dataclass(frozen=True, slots=True)
class Explained:
    """The flows of a rule, in the order in which they are generated."""

    rule: Rule
    flows: tuple[FlowExplained, ...]

    def named(self, name: str) -> tuple[FlowExplained, ...]:
        """The flows that a name means, both of a cardset for its name or else its id; none if there is no such flow."""
        for spelling in (str, str.casefold):
            for place in range(2):
                found = tuple(
                    flow
                    for flow in self.flows
                    if spelling(name) in map(spelling, flow.names[place : place + 1])
                )
                if found:
                    return found
        return ()

    def nearest(self, name: str) -> list[str]:
        """Names that exist and look like this one; if none does, all of them where they are few."""
        known = list(dict.fromkeys(flow.names[0] for flow in self.flows))
        folded = {one.casefold(): one for one in reversed(known)}
        close = difflib.get_close_matches(name.casefold(), folded, _NEAREST)
        return [folded[one] for one in close] or known[:_ALL_LISTED]


def explained(
    package: Package, judgement: Judgement, files: Mapping[str, str]
) -> Explained:
    """What there is to explain of a package.

    Args:
        package: what all its functions share, facts included.
        judgement: says which comparisons are in use.
        files: its generated files, by name.
    """
    program = package.program
    finder = FactFinder(package.facts)
    sliced = _sliced(files)
    comparing = frozenset(judgement.comparisons.values())
    return Explained(
        program.rule,
        tuple(
            FlowExplained(
                _title(program.rule, flow),
                _names(program.rule, flow),
                facts := finder.of(flow),
                body_text(facts.body),
                (
                    _code(package, flow, sliced)
                    if flow.kind != "comparison" or flow.owner in comparing
                    else ""
                ),
            )
            for flow in flow_names(program)
        ),
    )


def _cardset_name(rule: Rule, id: str) -> str:
    cardset = rule.cardset(id)
    assert cardset is not None, "every build flow belongs to a cardset"
    return cardset.name


def _sides(rule: Rule, id: str) -> tuple[str, str]:
    found = [(one.a, one.b) for one in rule.comparisons if one.id == id]
    return found[0]


def _names(rule: Rule, flow: FlowName) -> tuple[str, ...]:
    """The name that people use, then the id."""
    match flow.kind:
        case "build" | "compare":
            return _cardset_name(rule, flow.owner), flow.owner
        case "comparison":
            return (AGAINST.join(_sides(rule, flow.owner)),)
        case "method":
            return (f"{flow.owner.capitalize()}.{flow.name}",)
        case _:
            return (flow.kind,)


def _title(rule: Rule, flow: FlowName) -> Words:
    match flow.kind:
        case "build" | "compare":
            name = quote(_cardset_name(rule, flow.owner))
            id = quote(flow.owner)
            en, zh = ("build", "识别") if flow.kind == "build" else ("compare", "比较")
            return Words(
                f"cardset {name} ({id}), {en} flow", f"牌型 {name}（{id}），{zh}流程"
            )
        case "comparison":
            a, b = map(quote, _sides(rule, flow.owner))
            return Words(f"comparison of {a} against {b}", f"跨牌型比较 {a} 对 {b}")
        case "method":
            name = quote(flow.name)
            return Words(
                f"method {name} of {flow.owner}", f"{flow.owner} 的方法 {name}"
            )
        case "match":
            return Words("match flow", "对局流程")
        case "settle":
            return Words("settlement of one player", "结算流程")


def _sliced(files: Mapping[str, str]) -> _Sliced:
    """The text of every function and annotated constant of the package by class (empty for none) and name."""
    found: dict[tuple[str, str], str] = {}
    for path in ("cardsets.py", "classes.py", "match.py", "settle.py"):
        text = files[path]
        lines = text.splitlines()
        for node in ast.parse(text).body:
            owner = node.name if isinstance(node, ast.ClassDef) else ""
            inside: Sequence[ast.stmt] = (
                node.body if isinstance(node, ast.ClassDef) else (node,)
            )
            for one in inside:
                name = _defined(one)
                if name is not None:
                    part = lines[one.lineno - 1 : one.end_lineno]
                    found[owner, name] = textwrap.dedent("\n".join(part))
    return found


def _defined(statement: ast.stmt) -> str | None:
    """The name of the function or annotated constant that a statement defines, if it does."""
    match statement:
        case ast.FunctionDef(name) | ast.AnnAssign(ast.Name(name)):
            return name
        case _:
            return None


def _code(package: Package, flow: FlowName, sliced: _Sliced) -> str:
    """The functions of a flow, and the constants in front of them, as they stand in the generated files."""
    owner = flow.owner.capitalize() if flow.kind == "method" else ""
    texts = [
        "\n".join(
            sliced.get((owner, name), "")
            for one in ast.parse(text).body
            if (name := _defined(one)) is not None
        )
        for text in _functions(package, flow).texts
    ]
    return "\n\n".join(text for text in texts if text)


def _functions(package: Package, flow: FlowName) -> Functions:
    """The functions of a flow as the emitter makes them; their names tell which of the files' functions are its."""
    from dealwright.compiler.emit.functions import Emitter

    emitter, program, names = Emitter(package), package.program, package.names
    match flow.kind:
        case "build":
            return emitter.build(flow.owner, package.facts.lengths[flow.owner])
        case "compare":
            name = _cardset_name(program.rule, flow.owner)
            body = program.compares[flow.owner]
            return emitter.compare(names.compare(flow.owner), body, name, name)
        case "comparison":
            a, b = _sides(program.rule, flow.owner)
            return emitter.compare(
                names.comparison(a, b), program.comparisons[flow.owner], a, b
            )
        case "method":
            return emitter.method(program.methods[flow.owner, flow.name])
        case "match":
            return emitter.match()[0]
        case "settle":
            return emitter.settle()
