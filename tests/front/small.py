"""One small valid rule, ways to edit it, and what the front of the compiler says about the result.

The rule gives no diagnostic at all, so that whatever an edit causes is due to the edit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from dealwright.compiler.diagnostics.reporter import Diagnostic
from dealwright.compiler.front import read_rule

Json = dict[str, Any]
DELETE: Final = object()


def node(kind: int, _next: str | None = None, **content: Any) -> Json:
    """A component; its jump stands in the content, as in exported files."""
    jump = {} if _next is None else {"next": _next}
    return {"type": kind, "content": {**content, **jump}}


def branch(condition: Any, yes: str, no: str) -> Json:
    """A component 16."""
    return node(16, condition=condition, next_true=yes, next_false=no)


def size_is(number: int) -> Json:
    """A build flow that accepts any `number` cards."""
    return {
        "1": node(27, "if"),
        "size": node(7, selection="cards"),
        "is": node(14, operator=0, lval="size", rval=number),
        "if": branch("is", "yes", "no"),
        "yes": node(28, result=1, properties={}),
        "no": node(28, result=0, properties={}),
    }


def comparison() -> Json:
    """A compare flow that looks at the first cards."""
    return {
        "1": node(29, "if"),
        "a0": node(5, selection="A", index=0),
        "b0": node(5, selection="B", index=0),
        "gt": node(14, operator=1, lval="a0", rval="b0"),
        "if": branch("gt", "now", "before"),
        "now": node(30, result=0),
        "before": node(30, result=1),
    }


def small() -> Json:
    """The valid rule: two cardsets, a method with effects and one without, one deal, one play, a settlement."""
    points = {"type": "enum", "default": 1, "config": [{"value": n} for n in (1, 2, 3)]}
    suits = {"type": "enum", "default": 0, "config": [{"value": n} for n in (0, 1)]}
    number = {"type": "int", "default": 0}
    return {
        "classes": {
            "player": {
                "default_properties": {"赢": number},
                "user_properties": {"分": number},
                "methods": {
                    "add": {
                        "parameters": {"n": {"type": "int"}},
                        "returns": None,
                        "flow": {
                            "1": node(25, "set"),
                            "set": node(4, "end", component="to", rvalue="sum"),
                            "to": node(6, operator=1, ident="me", property="分"),
                            "me": node(
                                6, operator=1, ident="1", property="调用该方法的对象"
                            ),
                            "sum": node(10, operator=0, lval="to", rval="n"),
                            "end": node(26),
                        },
                    },
                    "twice": {
                        "parameters": {"n": {"type": "int"}},
                        "returns": "int",
                        "flow": {
                            "1": node(25, "end"),
                            "sum": node(10, operator=0, lval="n", rval="n"),
                            "end": node(26, **{"return": "sum"}),
                        },
                    },
                },
            },
            "card": {"default_properties": {"点数": points, "花色": suits}},
            "table": {"user_properties": {"轮": number}},
        },
        "cardsets": {
            "1": {
                "name": "单",
                "properties": {"权重": number},
                "build_flow": size_is(1),
                "compare_flow": comparison(),
                "successors": [],
            },
            "2": {"name": "对", "build_flow": size_is(2), "successors": ["1"]},
        },
        "cardset_comparisons": {
            "1": {"cardsetA": "对", "cardsetB": "单", "compare_flow": comparison()}
        },
        "match_flow": {
            "1": node(17, "deal"),
            "deal": {
                **node(20, "play", prop_pair=[{"prop_name": "点数", "lower_bound": 1}]),
                "count": 2,
            },
            "play": node(21, "set", timer=30),
            "round": node(6, operator=0, ident="table_0", property="轮"),
            "set": node(4, "call", component="round", rvalue="twice"),
            "twice": node(1, object="player_0", method="twice", parameter=["round"]),
            "call": node(1, "end", object="玩家", method="add", parameter=[2]),
            "end": node(18),
        },
        "end_flow": {"1": node(23, "end"), "end": node(24, result=1)},
    }


def edited(edits: Mapping[str, Any]) -> Json:
    """The small rule with the values at some paths (`match_flow/play/content/timer`) replaced, added or deleted."""
    # through JSON, so that no two parts of the rule are one object
    rule: Json = json.loads(json.dumps(small()))
    for path, value in edits.items():
        *parents, last = [step.replace("~1", "/") for step in path.split("/")]
        inner: Any = rule
        for step in parents:
            inner = (
                inner[int(step)]
                if isinstance(inner, list)
                else inner.setdefault(step, {})
            )
        if value is DELETE:
            del inner[last]
        elif isinstance(inner, list):
            inner[int(last)] = value
        else:
            inner[last] = value
    return rule


def text_of(rule: Any) -> str:
    """The rule as a file, one value a line."""
    return json.dumps(rule, ensure_ascii=False, indent=1)


def said(rule: Any, *, players: int | None = None) -> tuple[Diagnostic, ...]:
    """All that the front says about a rule."""
    data = rule if isinstance(rule, bytes) else text_of(rule).encode()
    return read_rule(data, "small.json", players=players)[1].diagnostics()


def codes(rule: Any, *, players: int | None = None) -> list[str]:
    """The codes alone, in order of position."""
    return [one.code for one in said(rule, players=players)]


def at(one: Diagnostic, text: str) -> str:
    """The text from the place of a diagnostic to the end of its line."""
    return text.split("\n")[one.place.line - 1][one.place.column - 1 :]
