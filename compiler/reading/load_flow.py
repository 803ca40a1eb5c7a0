"""One flow of the rule file: raw JSON to `model.Flow`, with all errors of its structure reported.

Jumps are checked on every node, the shape of fields on reachable ones only: scratch work may look like anything.
Nothing is said here about what a flow means (`checks/`). Used by `load`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, TypeAlias, final

from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.diagnostics.pointer import Pointer, pointer_token
from dealwright.compiler.diagnostics.reporter import Place, Reporter
from dealwright.compiler.reading.load_missing import report_no_start
from dealwright.compiler.reading.shapes import (
    AN_OBJECT,
    describe,
    is_blank,
    is_integer,
    mend,
    shaped_fields,
)
from dealwright.compiler.reading.shapes_keys import misspelled_keys
from dealwright.compiler.rule.components import BRANCH_TYPE, COMPONENTS
from dealwright.compiler.rule.flowgraph import START_ID, reachable
from dealwright.compiler.rule.model import Flow, FlowKind, Node
from dealwright.compiler.rule.references import Scope

JUMPS: Final = ("next", "next_true", "next_false")
_NODE_KEYS: Final = ("type", "content", "count", *JUMPS)
_NO_TYPE: Final = -1
_NOTHING: Final[Mapping[str, object]] = MappingProxyType({})

# what is wrong with a node, to be reported if it is reachable: code, pointer, field, words for the sentence
_Problem: TypeAlias = tuple[str, Pointer, str | None, dict[str, str | Words]]


@final
@dataclass(frozen=True, slots=True)
class _Raw:
    """A node before its fields are checked, and what is wrong with it if it turns out to be reachable."""

    node: Node
    value: object
    problems: tuple[_Problem, ...]


def load_flow(
    raw: object,
    pointer: Pointer,
    path: str,
    kind: FlowKind,
    reporter: Reporter,
    parameters: frozenset[str] = frozenset(),
) -> Flow:
    """The flow at `pointer`; without nodes if there are none or they cannot be read.

    Arguments: `raw` is its JSON value, `path` names it to people, `parameters` are those of the method it belongs to.
    Reports jumps to nowhere, a missing or wrong node "1", unsupported types and ill-shaped fields.
    """
    if raw is not None and not isinstance(raw, dict):
        place = reporter.place(pointer, flow=path)
        reporter.report(
            "R117",
            place,
            field=Words("the flow", "流程"),
            wanted=AN_OBJECT,
            found=describe(raw),
            mend=mend(raw, AN_OBJECT),
        )
        return Flow(path, kind, {})
    found = {
        name: _raw_node(name, value, pointer, reporter)
        for name, value in (raw or {}).items()
    }
    flow = Flow(
        path,
        kind,
        {
            name: _connected(one.node, found, path, reporter, raw)
            for name, one in found.items()
        },
    )
    scope = Scope(flow, parameters)
    used = reachable(flow, scope)
    nodes = {
        name: _checked(flow.nodes[name], one, name in used, flow, reporter)
        for name, one in found.items()
    }
    return Flow(path, kind, nodes)


def require_start(
    raw: Mapping[str, object], flow: Flow, pointer: Pointer, reporter: Reporter
) -> None:
    """Report a flow without node "1", or whose node "1" is not the start of its kind."""
    start = flow.kind.value
    if START_ID not in flow.nodes:
        report_no_start(raw, flow, pointer, reporter)
    elif flow.nodes[START_ID].type not in (start, _NO_TYPE):
        node = flow.nodes[START_ID]
        place = reporter.place_in_node(node.pointer, flow.path, node.id, "type")
        reporter.report("R120", place, type=node.type, start=start)


def _raw_node(name: str, value: object, parent: Pointer, reporter: Reporter) -> _Raw:
    pointer = parent / name
    if not isinstance(value, dict):
        return _Raw(
            Node(name, _NO_TYPE, _NOTHING, None, None, None, pointer),
            value,
            (("R130", pointer, None, {}),),
        )
    problems: list[_Problem] = []
    words: dict[str, str | Words]
    type_ = value.get("type")
    if "type" not in value:
        looks = misspelled_keys(value, ["type"], _NODE_KEYS, reporter)
        for key in looks.values():
            type_, words = value[key], {"key": key, "wanted": "type"}
            problems.append(("R134", pointer / key, "type", words))
    if not is_integer(type_):
        problems.append(("R130", pointer / "type", "type", _quoted_type(type_)))
    content = value.get("content")
    if not is_blank(content) and not isinstance(content, dict):
        words = {"field": "content", "wanted": AN_OBJECT, "found": describe(content)}
        words["form"] = Words("{…}", "{…}")
        problems.append(("R128", pointer / "content", "content", words))
    inside = content if isinstance(content, dict) else {}
    fields = {key: part for key, part in inside.items() if key not in JUMPS}
    own = value.get("count")
    if is_integer(own) or not (is_blank(own) or is_integer(fields.get("count"))):
        fields["count"] = own
    elif not is_blank(own):
        words = {"field": "count", "found": describe(own)}
        problems.append(("R335", pointer / "count", "count", words))
    jumps = {jump: _jump(jump, value, inside, pointer, problems) for jump in JUMPS}
    number = (
        type_ if isinstance(type_, int) and not isinstance(type_, bool) else _NO_TYPE
    )
    node = Node(
        name,
        number,
        fields,
        jumps["next"],
        jumps["next_true"],
        jumps["next_false"],
        pointer,
    )
    return _Raw(node, value, tuple(problems))


def _quoted_type(type_: object) -> dict[str, str | Words]:
    """The type that was meant by a number in quotes or the name of a component, for the report of it."""
    text = type_ if isinstance(type_, str) else ""
    # full-width digits too
    text = unicodedata.normalize("NFKC", text).strip().lower()
    if isinstance(type_, float) and type_.is_integer():
        text = str(int(type_))
    for number, component in COMPONENTS.items():
        if text in (str(number), component.name.en, component.name.zh):
            return {"meant": Words(str(number), str(number))}
    return {}


def _jump(
    jump: str,
    value: dict[str, object],
    inside: dict[str, object],
    pointer: Pointer,
    problems: list[_Problem],
) -> str | None:
    """The first jump of this name that is not blank, on the node or in its content; its target may not exist."""
    chosen = None
    for at, raw in _jump_spots(jump, value, inside, pointer):
        if not isinstance(raw, str):
            problems.append(("R123", at, jump, {"field": jump, "found": describe(raw)}))
        elif chosen is None:
            chosen = raw
    return chosen


def _jump_spots(
    jump: str, value: dict[str, object], inside: dict[str, object], pointer: Pointer
) -> list[tuple[Pointer, object]]:
    spots = [
        (pointer / jump, value.get(jump)),
        (pointer / "content" / jump, inside.get(jump)),
    ]
    return [(at, raw) for at, raw in spots if not is_blank(raw)]


def _connected(
    node: Node,
    found: Mapping[str, _Raw],
    path: str,
    reporter: Reporter,
    raw: dict[str, object] | None,
) -> Node:
    """The node without its jumps to nowhere, each of which is reported, on scratch nodes too."""
    value = (raw or {}).get(node.id)
    if isinstance(value, dict):
        content = value.get("content")
        inside = content if isinstance(content, dict) else {}
        for jump in JUMPS:
            for at, target in _jump_spots(jump, value, inside, node.pointer):
                if isinstance(target, str) and target not in found:
                    place = reporter.place(at, flow=path, node=node.id, field=jump)
                    near = reporter.nearest(target, found)
                    meant = None if near == node.id else near
                    reporter.report(
                        "R121", place, meant=meant, field=jump, target=target
                    )

    def existing(target: str | None) -> str | None:
        return target if target in found else None

    return replace(
        node,
        next=existing(node.next),
        next_true=existing(node.next_true),
        next_false=existing(node.next_false),
    )


def _checked(
    node: Node, raw: _Raw, is_used: bool, flow: Flow, reporter: Reporter
) -> Node:
    path = flow.path
    is_supported = node.type in COMPONENTS
    if not is_used:
        # without a start nothing is used, whatever its type
        if not is_supported and START_ID in flow.nodes:
            reporter.report(
                "R301", reporter.place_in_node(node.pointer, path, node.id, "type")
            )
        return node
    for code, pointer, field, words in raw.problems:
        reporter.report(
            code,
            reporter.place(
                pointer, flow=path, node=node.id, field=field, key=code == "R134"
            ),
            **words,
        )
    if not is_supported:
        if all(code != "R130" for code, *_ in raw.problems):
            reporter.report(
                "R122",
                reporter.place_in_node(node.pointer, path, node.id, "type"),
                type=node.type,
            )
        return node
    # in a flow of another kind the type is wrong, not the keys
    if flow.kind in COMPONENTS[node.type].placed:
        _check_keys(node, raw.value, path, reporter)
    return replace(node, fields=shaped_fields(node, path, reporter))


def _check_keys(node: Node, value: object, path: str, reporter: Reporter) -> None:
    """Warn about keys of a node that nobody reads where one that looks like them, or the same one, is missing."""
    outside = value if isinstance(value, dict) else {}
    content = outside.get("content")
    inside = content if isinstance(content, dict) else {}
    component = COMPONENTS[node.type]
    fields = [one.name for one in component.fields]
    exits = JUMPS[1:] if node.type == BRANCH_TYPE else JUMPS[:1]
    jumps = [] if component.is_terminal else list(exits)

    def place(field: str) -> Place:
        return reporter.place_in_node(node.pointer, path, node.id, field)

    def key_place(key: str) -> Place:
        field = pointer_token(key)
        return reporter.place_in_node(node.pointer, path, node.id, field, key=True)

    missing = [name for name in fields if name not in inside]
    missing += [name for name in jumps if name not in outside and name not in inside]
    if "content" not in outside and missing:
        looks = misspelled_keys(outside, ["content"], _NODE_KEYS, reporter)
        for key in looks.values():
            reporter.misspelled(map(place, missing), key_place(key), key, "content")
            return
    # beside the content only jumps and the count are read
    beside = [name for name in missing if name in outside and name not in _NODE_KEYS]
    if beside:
        reporter.misplaced(map(place, beside), key_place(beside[0]), beside)
    gaps = [name for name in missing if name not in outside]
    for found in (inside, outside):
        looks = misspelled_keys(found, gaps, (*_NODE_KEYS, *fields), reporter)
        for name, key in looks.items():
            reporter.misspelled([place(name)], key_place(key), key, name)
            gaps.remove(name)
