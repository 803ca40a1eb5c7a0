"""Case files: one small text file per idea of the rule language; here they are read, expanded and rewritten.

A case file starts with comment lines (`#`) that say what it shows and which sentence of the contract it pins. Then come
sections:

- `== rule`: JSON, merged over `base_rule()` (objects are merged key by key, everything else replaces, null removes);
  `== rule alone` is not merged over anything;
- `== match`, `== end`, `== build ID`, `== compare ID`, `== comparison ID A | B`, `== method CLASS NAME [PARAMETER …]`:
  the nodes of one flow, one a line: `id: type {content} -> next`, or `id: {the whole node}`; an id may be a JSON text;
- `== nodes` and `== values KIND …`: formulas, and what each must give in flows of these kinds; see `add_probes`;
- `== run`: commands and their answers, see `case_run`;
- `== diagnostics`: the codes of all errors and warnings that the rule gives, one a line (no section: there are none);
- `== code PATH FUNCTION`: one function as generated, compared literally and rewritten by `pytest --update`.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, final

Json: TypeAlias = Any
Nodes: TypeAlias = dict[str, dict[str, Json]]

KINDS = ("match", "end", "method", "build", "compare")
PROBE_SET = "0"
PROBED_BUILD = (3, 5)
PROBED_A = (3, 5, 7)
PROBED_B = (1,)
_NODE = re.compile(
    r'(?P<id>"(?:[^"\\]|\\.)*"|[^:"]+): +(?P<type>-?\d+)?\s*(?P<content>\{.*\})?\s*(?:-> (?P<next>.+))?\Z'
)
_VALUE = re.compile(r"(?P<ref>.+?) +-> +(?P<integer>-?\d+) (?P<truth>true|false)\Z")


class CaseError(Exception):
    """A case file that is not written as this module's docstring says."""


@final
@dataclass(frozen=True, slots=True)
class Section:
    """One section: the words after `==` and its lines, with the number of the line that starts it."""

    words: tuple[str, ...]
    lines: tuple[str, ...]
    line: int

    def meaningful(self) -> list[str]:
        """The lines without blank ones and comments, trimmed."""
        return [
            line.strip()
            for line in self.lines
            if line.strip() and not line.lstrip().startswith("#")
        ]


@final
@dataclass(frozen=True, slots=True)
class Expected:
    """What a reference must give: as an integer and as a truth value (contract, section 4)."""

    reference: Json
    integer: int
    truth: bool


@final
@dataclass(slots=True)
class Case:
    """A case file, expanded: the whole rule and what is expected of it."""

    path: Path
    title: str
    rule: Json
    commands: tuple[str, ...]
    diagnostics: tuple[str, ...]
    code: tuple[Section, ...]
    expected: dict[str, list[Expected]] = field(default_factory=dict)

    def is_run(self) -> bool:
        """Whether something is expected of a run; else the case is about diagnostics or code alone."""
        return bool(self.commands or self.expected)

    def cardset_order(self) -> list[str]:
        """The ids of the cardsets in the order in which they are tried (contract, section 6, "Recognising")."""
        ids = list(self.rule.get("design", self.rule)["cardsets"])
        numeric = [id for id in ids if id.isascii() and id.isdigit()]
        return sorted(numeric, key=int) + [id for id in ids if id not in numeric]

    def flows(self) -> Iterator[tuple[str, Nodes]]:
        """Every flow of the rule with its kind."""
        design = self.rule.get("design", self.rule)
        yield "match", design["match_flow"]
        yield "end", design["end_flow"]
        for one in design["cardsets"].values():
            yield "build", one["build_flow"]
            yield "compare", one.get("compare_flow", {})
        for one in design.get("cardset_comparisons", {}).values():
            yield "compare", one["compare_flow"]
        for class_ in design["classes"].values():
            for method in class_.get("methods", {}).values():
                yield "method", method["flow"]

    def document(self) -> bytes:
        """The rule file."""
        return json.dumps(self.rule, ensure_ascii=False, indent=1).encode()


def read_case(path: Path) -> Case:
    """The case in the file `path`; raises CaseError, naming the file, if it is not well formed."""
    try:
        return _expand(path, _sections(path.read_text(encoding="utf-8")))
    except (CaseError, ValueError, KeyError) as error:
        raise CaseError(f"{path.name}: {error!r}") from error


def rewritten(text: str, code: Mapping[tuple[str, str], str]) -> str:
    """`text` of a case file with each `== code PATH FUNCTION` section holding `code[PATH, FUNCTION]` instead."""
    lines: list[str] = []
    is_code = False
    for line in text.splitlines():
        if line.startswith("== "):
            words = line.split()[1:]
            is_code = words[0] == "code"
            if lines and lines[-1]:
                lines.append("")
            lines += (
                [line, *code[words[1], words[2]].splitlines()] if is_code else [line]
            )
        elif not is_code:
            lines.append(line)
    return "\n".join(lines).rstrip("\n") + "\n"


def base_rule() -> Json:
    """The rule that cases start from.

    Cards 点数 1..4 by 花色 0..1 (card_1 is 1/0, card_2 1/1, card_3 2/0, … card_8 4/1); one cardset `Any` that always
    matches; two cards each are dealt, seat 0 is asked at node `play`, and then everybody is settled with 0.
    """
    return {
        "classes": {
            "player": {"default_properties": {}, "user_properties": {}, "methods": {}},
            "card": {
                "default_properties": {"点数": _enum(1, 2, 3, 4), "花色": _enum(0, 1)},
                "user_properties": {},
                "methods": {},
            },
            "table": {"default_properties": {}, "user_properties": {}, "methods": {}},
        },
        "cardsets": {"1": cardset("Any")},
        "cardset_comparisons": {},
        "match_flow": flow(
            [
                "1: 17 -> deal",
                'deal: {"type": 20, "count": 2, "next": "play"}',
                "play: 21 -> over",
                "over: 18",
            ]
        ),
        "end_flow": flow(["1: 23 -> done", 'done: 24 {"result": 0}']),
    }


def cardset(name: str) -> Json:
    """A cardset that always matches, has no properties and compares with nothing."""
    build = flow(["1: 27 -> match", 'match: 28 {"result": 1}'])
    return {
        "name": name,
        "properties": {},
        "build_flow": build,
        "compare_flow": {},
        "successors": [],
    }


def flow(lines: Iterable[str]) -> Nodes:
    """The nodes written in `lines`; raises CaseError on a line that is no node or repeats an id."""
    nodes: Nodes = {}
    for line in lines:
        found = _NODE.match(line)
        if found is None:
            raise CaseError(f"not a node: {line}")
        id = json.loads(found["id"]) if found["id"].startswith('"') else found["id"]
        if id in nodes:
            raise CaseError(f"node {id} twice")
        content = json.loads(found["content"] or "{}")
        node: dict[str, Json] = (
            content
            if found["type"] is None
            else {"type": int(found["type"]), "content": content}
        )
        if found["next"]:
            node.setdefault("content", {})["next"] = found["next"]
        nodes[id] = node
    return nodes


def _enum(*values: int) -> Json:
    """An enum property with these values, the first being the default."""
    config = [
        {"id": f"v{value}", "display": str(value), "value": value} for value in values
    ]
    return {"type": "enum", "default": values[0], "config": config}


def _sections(text: str) -> list[Section]:
    """The text cut at its `==` lines; the first section, without words, is the comment."""
    starts: list[tuple[int, tuple[str, ...], list[str]]] = [(1, (), [])]
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("== "):
            starts.append((number, tuple(line.split()[1:]), []))
        else:
            starts[-1][2].append(line)
    return [Section(words, tuple(lines), number) for number, words, lines in starts]


def _expand(path: Path, sections: list[Section]) -> Case:
    """The sections put together to a rule, and the expectations."""
    comment = [line for line in sections[0].lines if line.strip()]
    if not comment or not all(line.startswith("#") for line in comment):
        raise CaseError("a case starts with comment lines that say what it shows")
    case = Case(path, comment[0].lstrip("# "), base_rule(), (), (), ())
    formulas: Nodes = {}
    for section in sections[1:]:
        _read_section(case, section, formulas)
    for kind in KINDS:
        if kind in case.expected:
            add_probes(case.rule, kind, formulas, case.expected[kind])
    if case.expected:
        _frame(case.rule, case.expected)
    if (
        not case.commands
        and not case.expected
        and not case.diagnostics
        and not case.code
    ):
        raise CaseError("nothing is expected of it")
    return case


def _read_section(case: Case, section: Section, formulas: Nodes) -> None:
    """Take one section into the case."""
    lines = section.meaningful()
    match section.words:
        case ["rule"]:
            _merge_rule(case.rule, json.loads("\n".join(section.lines)))
        case ["rule", "alone"]:
            case.rule = json.loads("\n".join(section.lines))
        case ["nodes"]:
            formulas.update(flow(lines))
        case ["values", *kinds]:
            for kind in kinds:
                if kind not in KINDS:
                    raise CaseError(f"no kind of flow: {kind}")
                case.expected.setdefault(kind, []).extend(
                    _expected(line) for line in lines
                )
        case ["run"]:
            case.commands = tuple(lines)
        case ["diagnostics"]:
            case.diagnostics = tuple(sorted(lines))
        case ["code", _, _]:
            case.code = (*case.code, section)
        case _:
            place_flow(case.rule, section.words, flow(lines))


def place_flow(rule: Json, words: tuple[str, ...], nodes: Nodes) -> None:
    """Put `nodes` where the words of a section say; raises CaseError if they say nothing."""
    match words:
        case ["match"]:
            rule["match_flow"] = nodes
        case ["end"]:
            rule["end_flow"] = nodes
        case ["build", id]:
            rule["cardsets"].setdefault(id, cardset(id))["build_flow"] = nodes
        case ["compare", id]:
            rule["cardsets"].setdefault(id, cardset(id))["compare_flow"] = nodes
        case ["comparison", id, a, "|", b]:
            rule["cardset_comparisons"][id] = {
                "cardsetA": a,
                "cardsetB": b,
                "compare_flow": nodes,
            }
        case ["method", class_, name, *parameters]:
            declared = {one: {"type": "int"} for one in parameters}
            rule["classes"][class_]["methods"][name] = {
                "parameters": declared,
                "returns": "int",
                "flow": nodes,
            }
        case _:
            raise CaseError(f"no such section: {' '.join(words)}")


def merge(into: Json, changes: Json) -> None:
    """Merge `changes` into `into`, key by key; null removes a key, anything that is no object replaces."""
    for key, value in changes.items():
        if value is None:
            into.pop(key, None)
        elif isinstance(value, dict) and isinstance(into.get(key), dict):
            merge(into[key], value)
        else:
            into[key] = value


def _merge_rule(rule: Json, changes: Json) -> None:
    """Merge a `== rule` section; a cardset that is not there yet starts as one that always matches."""
    for id, changed in changes.get("cardsets", {}).items():
        if changed is not None:
            rule["cardsets"].setdefault(id, cardset(id))
    merge(rule, changes)


def _expected(line: str) -> Expected:
    """`REFERENCE -> INTEGER true|false`; the reference is taken as text, or after `json` as a JSON value."""
    found = _VALUE.match(line)
    if found is None:
        raise CaseError(f"not a value: {line}")
    text = found["ref"]
    reference = (
        json.loads(text.removeprefix("json ")) if text.startswith("json ") else text
    )
    return Expected(reference, int(found["integer"]), found["truth"] == "true")


def add_probes(
    rule: Json, kind: str, formulas: Nodes, expected: list[Expected]
) -> None:
    """Give the rule a flow of this kind that evaluates every expected reference beside the formulas.

    In match, end and method flows the integer is assigned to a property of the table (`out_match_1`, …), and the truth,
    as the value is not not, to another (`is_match_1`, …). Build and compare flows assign nothing: there each value is
    compared with what is expected and then is the condition of a branch; the flow says "no" at the first difference.
    """
    if kind in ("build", "compare"):
        nodes = _judging_probe(kind, expected)
    else:
        nodes = _assigning_probe(kind, expected)
        declared = rule["classes"]["table"]["user_properties"]
        for number in range(1, len(expected) + 1):
            for name in (f"out_{kind}_{number}", f"is_{kind}_{number}"):
                declared[name] = {"type": "int", "default": -99}
    nodes.update(copy.deepcopy(formulas))
    match kind:
        case "match":
            rule["match_flow"] = nodes
        case "end":
            rule["end_flow"] = nodes
        case "method":
            rule["classes"]["table"]["methods"]["probe"] = {
                "parameters": {},
                "returns": None,
                "flow": nodes,
            }
        case "build":
            rule["cardsets"][PROBE_SET] = {
                "name": "Probe",
                "properties": {},
                "build_flow": nodes,
            }
        case _:
            rule["cardsets"]["1"]["compare_flow"] = nodes


def _assigning_probe(kind: str, expected: list[Expected]) -> Nodes:
    """The flow of `add_probes` for the kinds that may assign; see `_frame` for its way in and out."""
    head = {
        "match": [
            "1: 17 -> probe_deal",
            'probe_deal: {"type": 20, "count": 2, "next": "probe_wait"}',
            "probe_wait: 21 -> probe_1",
        ],
        "end": [
            "1: 23 -> probe_first",
            'probe_first: 16 {"condition": "probe_later", "next_true": "probe_last", "next_false": "probe_1"}',
            'probe_later: 6 {"operator": 0, "ident": "table_0", "property": "settlement_index"}',
        ],
        "method": ["1: 25 -> probe_1"],
    }[kind]
    nodes = flow(head)
    for number, one in enumerate(expected, 1):
        here, truth = f"probe_{number}", f"probe_{number}_truth"
        after = f"probe_{number + 1}" if number < len(expected) else "probe_last"
        nodes[here] = _node(4, component=f"{here}_to", rvalue=one.reference, next=truth)
        nodes[truth] = _node(
            4, component=f"{truth}_to", rvalue=f"{here}_so", next=after
        )
        nodes[f"{here}_so"] = _node(13, component=f"{here}_not")
        nodes[f"{here}_not"] = _node(13, component=one.reference)
        for node, name in (
            (here, f"out_{kind}_{number}"),
            (truth, f"is_{kind}_{number}"),
        ):
            nodes[f"{node}_to"] = _node(6, operator=0, ident="table_0", property=name)
    return nodes


def _judging_probe(kind: str, expected: list[Expected]) -> Nodes:
    """The flow of `add_probes` for build (only two cards are judged) and compare."""
    if kind == "build":
        size = f'"lval": "probe_size", "rval": {len(PROBED_BUILD)}'
        nodes = flow(
            [
                "1: 27 -> probe_first",
                'probe_first: 16 {"condition": "probe_two", "next_true": "probe_1", "next_false": "probe_fail"}',
                'probe_two: 14 {"operator": 0, ' + size + "}",
                'probe_size: 7 {"selection": "cards"}',
                'probe_last: 28 {"result": 1}',
                'probe_fail: 28 {"result": 0}',
            ]
        )
    else:
        nodes = flow(
            [
                "1: 29 -> probe_1",
                'probe_last: 30 {"result": 0}',
                'probe_fail: 30 {"result": 1}',
            ]
        )
    for number, one in enumerate(expected, 1):
        after = f"probe_{number + 1}" if number < len(expected) else "probe_last"
        here, truth = f"probe_{number}", f"probe_{number}_truth"
        nodes[here] = _node(
            16, condition=f"{here}_equal", next_true=truth, next_false="probe_fail"
        )
        nodes[f"{here}_equal"] = _node(
            14, operator=0, lval=one.reference, rval=one.integer
        )
        yes, no = (after, "probe_fail") if one.truth else ("probe_fail", after)
        nodes[truth] = _node(16, condition=one.reference, next_true=yes, next_false=no)
    return nodes


def _frame(rule: Json, expected: Mapping[str, list[Expected]]) -> None:
    """Close the probing flows: call the method, ask a second time (`again`), settle."""
    if "match" not in expected:
        rule["match_flow"] = flow(
            [
                "1: 17 -> probe_deal",
                'probe_deal: {"type": 20, "count": 2, "next": "probe_wait"}',
                "probe_wait: 21 -> probe_last",
            ]
        )
    nodes = rule["match_flow"]
    nodes["probe_again"] = _node(21, next="probe_over")
    nodes["probe_over"] = _node(18)
    if "method" in expected:
        nodes["probe_last"] = _node(
            1, object="table_0", method="probe", parameter=[], next="probe_again"
        )
        rule["classes"]["table"]["methods"]["probe"]["flow"]["probe_last"] = {
            "type": 26,
            "content": {"return": ""},
        }
    else:
        # a value node on the path: control passes through it
        nodes["probe_last"] = _node(8, value=0, next="probe_again")
    if "end" in expected:
        rule["end_flow"]["probe_last"] = _node(24, result=0)


def _node(type: int, **content: Json) -> dict[str, Json]:
    """A node of this type with this content."""
    return {"type": type, "content": content}
