"""Makes a failing rule small: leaves out whatever the failure does not need, guided by what rules are made of.

Shrinking a rule as a string of choices is slow, since one choice less shifts all the others; here a method, a cardset,
a statement or an operand goes at a time, and every attempt that still fails is kept.
"""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

Document = dict[str, Any]
Fails = Callable[[Document], bool]

JUMPS = ("next", "next_true", "next_false")
FLOWS = ("flow", "build_flow", "compare_flow", "match_flow", "end_flow")


def reduce(document: Document, fails: Fails, seconds: float = 60) -> Document:
    """The smallest document found for which `fails` holds, as it does for `document`.

    `fails` must answer False, not raise, for documents that are no rules; many attempts will be none.
    """
    until = time.monotonic() + seconds
    while True:
        smaller = _one_round(document, fails, until)
        if smaller == document or time.monotonic() > until:
            return smaller
        document = smaller


def written(document: Document) -> str:
    """A rule for people: as JSON, but with a line for each node of a flow."""
    design = document.get("design", document)
    rest = copy.deepcopy(design)
    for _, flow in _flows(rest):
        flow.clear()
    lines = [_json(rest)]
    for path, flow in _flows(design):
        lines.append(path.removeprefix("/"))
        lines += [f"    {_json(id)}: {_json(node)}" for id, node in flow.items()]
    return "\n".join(lines)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _one_round(document: Document, fails: Fails, until: float) -> Document:
    """One pass over all attempts; they are made from the document as it is then."""
    for attempts in (
        _without_scratch,
        _without_parts,
        _without_scratch,
        _shorter_flows,
        _without_scratch,
        _plainer_operands,
    ):
        tried: set[str] = set()
        progress = True
        while progress and time.monotonic() < until:
            progress = False
            for name, smaller in attempts(document):
                if name in tried or time.monotonic() > until:
                    continue
                tried.add(name)
                if fails(smaller):
                    document, progress = smaller, True
                    break
    return document


def _without_parts(document: Document) -> Iterator[tuple[str, Document]]:
    """Without a class's method or property, a cardset, a comparison, or an optional entry."""
    design = document.get("design", document)
    places: list[tuple[str, ...]] = [("assets",), ("cardset_comparisons",)]
    for owner, one in design["classes"].items():
        for part in ("methods", "user_properties", "default_properties"):
            places += [("classes", owner, part, name) for name in one.get(part, {})]
    places += [
        ("cardset_comparisons", id) for id in design.get("cardset_comparisons", {})
    ]
    for id in design["cardsets"]:
        places += [("cardsets", id)]
        places += [
            ("cardsets", id, part)
            for part in ("compare_flow", "successors", "properties")
        ]
    for place in places:
        smaller = copy.deepcopy(document)
        inside = smaller.get("design", smaller)
        for step in place[:-1]:
            inside = inside.get(step, {})
        if inside.pop(place[-1], None):
            yield "/".join(place), smaller


def _flows(value: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """All flows of a document, with a name for each."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in FLOWS and isinstance(inner, dict) and "1" in inner:
                yield f"{path}/{key}", inner
            else:
                yield from _flows(inner, f"{path}/{key}")


def _jumps(node: dict[str, Any]) -> dict[str, str]:
    """Where a node jumps to; the node's own jumps count before those of its content."""
    content = node["content"] if isinstance(node.get("content"), dict) else {}
    found = {jump: node.get(jump) or content.get(jump) for jump in JUMPS}
    return {jump: target for jump, target in found.items() if isinstance(target, str)}


def _shorter_flows(document: Document) -> Iterator[tuple[str, Document]]:
    """With a flow beginning later, as late as can be first, or with one statement left out."""
    for path, flow in list(_flows(document)):
        first = _jumps(flow["1"]).get("next", "")
        control = _in_order(flow)[::-1]
        cuts = [(first, id) for id in control if id != first]
        cuts += [(id, target) for id in control for target in _jumps(flow[id]).values()]
        for old, new in cuts:
            if old in ("", "1", new) or new == "1":
                continue
            smaller = copy.deepcopy(document)
            _redirect(dict(_flows(smaller))[path], old, new)
            yield f"{path} {old} {new}", smaller


def _in_order(flow: dict[str, Any]) -> list[str]:
    """The nodes on the control path, nearest to the start first."""
    found = ["1"]
    for id in found:
        found += [
            target
            for target in dict.fromkeys(_jumps(flow[id]).values())
            if target in flow and target not in found
        ]
    return found


def _redirect(flow: dict[str, Any], old: str, new: str) -> None:
    """Lets everything that jumps to `old` jump to `new`."""
    for node in flow.values():
        content = node.get("content")
        for holder in (node, content if isinstance(content, dict) else {}):
            for jump in JUMPS:
                if holder.get(jump) == old:
                    holder[jump] = new


def _without_scratch(document: Document) -> Iterator[tuple[str, Document]]:
    """Without the nodes that nothing leads or refers to, of one flow or of all."""
    for path in ["", *(path for path, _ in _flows(document))]:
        smaller = copy.deepcopy(document)
        changed = False
        for name, flow in _flows(smaller):
            if path in ("", name):
                used = _used(flow)
                changed |= len(used) < len(flow)
                for id in flow.keys() - used:
                    del flow[id]
        if changed:
            yield f"scratch {path}", smaller


def _used(flow: dict[str, Any]) -> set[str]:
    """Node 1 and whatever it leads or refers to, directly or not."""
    used, new = set(), ["1"]
    while new:
        id = new.pop()
        if id in used:
            continue
        used.add(id)
        new += [text for text in _strings(flow[id]) if text in flow]
    return used


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _plainer_operands(document: Document) -> Iterator[tuple[str, Document]]:
    """With an operand replaced by 0, or by an operand of its own."""
    for path, flow in list(_flows(document)):
        for id, node in flow.items():
            content = node.get("content")
            if not isinstance(content, dict):
                continue
            for field, value in content.items():
                if field in JUMPS or not isinstance(value, str) or value not in flow:
                    continue
                inner = flow[value].get("content") or {}
                own = [text for text in _strings(inner) if text in flow]
                for plain in [0, *own]:
                    smaller = copy.deepcopy(document)
                    dict(_flows(smaller))[path][id]["content"][field] = plain
                    yield f"{path} {id} {field} {plain}", smaller
