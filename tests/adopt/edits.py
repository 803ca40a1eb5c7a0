"""Real edits of a rule, made as its author would by hand: other nodes keep their ids, new ones get telling ids.

Each takes a copy of a rule in which it changes something, and works on any rule that has the usual flows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.adopt.builder import Flow, Json, design_of, flows_of, node_of_type

Edit = Callable[[Json], None]


def _content(flow: Flow, id: str) -> Any:
    return flow[id]["content"]


def _replace_jump(flow: Flow, target: str, new: str, besides: str = "") -> None:
    """Everything that jumps to one node jumps to another one; the node `besides` is left alone."""
    for id, node in flow.items():
        for jump in ("next", "next_true", "next_false"):
            if id != besides and node["content"].get(jump) == target:
                node["content"][jump] = new


def constant(rule: Json) -> None:
    """The first comparison with a number compares with another one."""
    for _, flow, _ in flows_of(rule):
        for node in flow.values():
            content = node["content"]
            if node["type"] == 8:
                content["value"] += 1
                return
            if node["type"] == 14 and isinstance(content["rval"], int):
                content["rval"] += 1
                return
    raise AssertionError("this rule has no number")


def check(rule: Json) -> None:
    """The first cardset takes no more than twenty cards."""
    flow = next(iter(design_of(rule)["cardsets"].values()))["build_flow"]
    first = _content(flow, "1")["next"]
    refuse = node_of_type(flow, 28, lambda one: one["content"]["result"] == 0)
    condition = {"operator": 4, "lval": "how_many", "rval": 20}
    jumps = {"next_true": first, "next_false": refuse}
    flow["not_too_many"] = {"type": 16, "content": {"condition": "few", **jumps}}
    flow["few"] = {"type": 14, "content": condition}
    flow["how_many"] = {"type": 7, "content": {"selection": "cards"}}
    _content(flow, "1")["next"] = "not_too_many"


def removed(rule: Json) -> None:
    """The last step of the match that does something before a wait is gone; what it referred to stays."""
    flow = design_of(rule)["match_flow"]
    steps = [id for id, node in flow.items() if node["type"] in (1, 4, 20)]
    id = [id for id in steps if "next" in _content(flow, id)][-1]
    _replace_jump(flow, id, _content(flow, id)["next"])
    del flow[id]


def retargeted(rule: Json) -> None:
    """The first branch of the first cardset goes the other way round."""
    flow = next(iter(design_of(rule)["cardsets"].values()))["build_flow"]
    content = _content(flow, node_of_type(flow, 16))
    ways = content["next_true"], content["next_false"]
    content["next_false"], content["next_true"] = ways


def wait(rule: Json) -> None:
    """A second wait of the same kind stands behind the first."""
    flow = design_of(rule)["match_flow"]
    id = next(id for id, node in flow.items() if node["type"] in (21, 22))
    node = flow[id]
    flow["once_more"] = {
        "type": node["type"],
        "content": {**node["content"], "next": node["content"]["next"]},
    }
    node["content"]["next"] = "once_more"


def several(rule: Json) -> None:
    """All of it at once."""
    for edit in (constant, check, removed, retargeted, wait):
        edit(rule)


EDITS: tuple[Edit, ...] = (constant, check, removed, retargeted, wait, several)
