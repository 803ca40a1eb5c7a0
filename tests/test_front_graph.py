"""The helpers on flows that checking and lowering share: edges, operands, reachability, circles, effects."""

# ruff: noqa: E501 -- the table of operands holds one case a line

from __future__ import annotations

from typing import Any

import pytest

from dealwright.compiler.front import require_rule
from dealwright.compiler.rule.flowgraph import (
    Operand,
    circles,
    control_nodes,
    has_wait_free_cycle,
    is_written,
    method_effects,
    operand_references,
    operands,
    reachable,
    scope_of,
    strongly_connected,
    successors,
)
from dealwright.compiler.rule.model import Flow, FlowKind, Node
from dealwright.compiler.rule.references import (
    CardRef,
    JudgedCards,
    LiteralRef,
    NodeRef,
    NoReference,
    PlayRef,
    Reference,
    Scope,
    TableRef,
    UnknownRef,
)
from tests.front.small import edited, node, text_of


def flow_of(
    nodes: dict[str, tuple[int, dict[str, Any], str]], kind: FlowKind = FlowKind.MATCH
) -> Flow:
    """A flow from `{id: (type, fields, jumps)}`; jumps are `next`, or `yes no` of a branch."""
    made = {}
    for name, (type_, fields, jumps) in nodes.items():
        targets: list[str | None] = [
            None if jump == "-" else jump for jump in jumps.split()
        ]
        if type_ == 16:
            made[name] = Node(
                name, type_, fields, None, targets[0], targets[1], f"/{name}"
            )
        else:
            made[name] = Node(
                name,
                type_,
                fields,
                targets[0] if targets else None,
                None,
                None,
                f"/{name}",
            )
    return Flow("flow", kind, made)


BRANCHY: dict[str, tuple[int, dict[str, Any], str]] = {
    "1": (17, {}, "b"),
    "no": (18, {}, "lost"),
    "b": (16, {"condition": "v"}, "yes no"),
    "yes": (21, {}, "b"),
    "v": (13, {"component": "w"}, "lost"),
    "w": (8, {"value": 1}, ""),
    "lost": (8, {}, ""),
}


def test_edges_and_reachability() -> None:
    """`next` of a terminal is no edge; `next` of a node that is only referred to is not followed (contract, intro)."""
    flow = flow_of(BRANCHY)
    assert successors(flow.nodes["no"]) == ()
    assert successors(flow.nodes["b"]) == ("yes", "no")
    assert successors(flow.nodes["w"]) == ()
    assert control_nodes(flow) == ("1", "b", "yes", "no")
    assert reachable(flow, Scope(flow)) == {"1", "b", "yes", "no", "v", "w"}
    assert control_nodes(flow_of({"2": (17, {}, "")})) == ()


def test_cycles_and_waits() -> None:
    assert not has_wait_free_cycle(flow_of(BRANCHY))
    assert has_wait_free_cycle(flow_of(BRANCHY | {"yes": (4, {}, "b")}))
    assert not has_wait_free_cycle(flow_of(BRANCHY | {"lost": (4, {}, "lost")}))


def test_strongly_connected() -> None:
    graph = {1: [2], 2: [3], 3: [1, 4], 4: [4], 5: [4, 1], 6: []}
    assert strongly_connected(graph, graph.__getitem__) == ((4,), (1, 2, 3), (5,), (6,))
    assert circles(graph, graph.__getitem__) == ((4,), (1, 2, 3))
    size = 5000
    ring = {n: [(n + 1) % size] for n in range(size)}
    assert circles(ring, ring.__getitem__) == (tuple(range(size)),)


OPERANDS: list[tuple[int, dict[str, Any], list[tuple[str, Reference]]]] = [
    (1, {"object": "x", "parameter": ["x", 7, None]}, [("parameter/0", NodeRef("x")), ("parameter/1", LiteralRef(7, False)), ("parameter/2", NoReference())]),
    (2, {"selection": "cards", "properties": [{"name": "x"}]}, [("selection", JudgedCards())]),
    (4, {"component": "x", "rvalue": "1"}, [("component", NodeRef("x")), ("rvalue", LiteralRef(1, False))]),
    (5, {"selection": "x", "index": True}, [("selection", NodeRef("x")), ("index", LiteralRef(1, True))]),
    (6, {"operator": 0, "ident": "x"}, []),
    (6, {"ident": "x"}, []),
    (6, {"operator": 1, "ident": "table_0"}, [("ident", TableRef())]),
    (11, {"set": "x", "component": "y"}, [("set", NodeRef("x")), ("component", UnknownRef("y"))]),
    (14, {"operator": 0, "lval": "A", "rval": ""}, [("lval", PlayRef(True)), ("rval", NoReference())]),
    (15, {"card_set": "card_1| card_2|z|", "card_rule": "x"}, [("card_set", CardRef(1)), ("card_set", CardRef(2)), ("card_set", UnknownRef("z"))]),
    (15, {"card_set": "x|y"}, [("card_set", NodeRef("x|y"))]),
    (16, {"condition": "x"}, [("condition", NodeRef("x"))]),
    (26, {"return": " void "}, [("return", NoReference())]),
    (20, {"count": 1, "prop_pair": "x"}, []),
    (30, {"result": "x"}, []),
    (3, {"lval": "x"}, []),
    (1, {"parameter": "x"}, []),
    (13, {"component": ["x"]}, [("component", UnknownRef("['x']"))]),
    (13, {"component": "9" * 5000}, [("component", UnknownRef("9" * 5000))]),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "fields", "expected"), OPERANDS)
def test_operands(
    type_: int, fields: dict[str, Any], expected: list[tuple[str, Reference]]
) -> None:
    flow = flow_of({"x": (8, {}, ""), "x|y": (8, {}, "")}, FlowKind.COMPARE)
    one = Node("n", type_, fields, None, None, None, "/n")
    assert operands(one, Scope(flow)) == tuple(Operand(*pair) for pair in expected)
    assert operand_references(one, Scope(flow)) == tuple(pair[1] for pair in expected)


def test_is_written() -> None:
    written = flow_of({"1": (29, {}, "2"), "2": (30, {}, "")}, FlowKind.COMPARE)
    assert is_written(written)
    assert not is_written(
        flow_of({"1": (29, {}, ""), "2": (30, {}, "")}, FlowKind.COMPARE)
    )
    assert not is_written(None)


def method(*nodes: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    return {"flow": {"1": node(25, nodes[0][0]), **dict(nodes)}}


def test_method_effects() -> None:
    """Assigning, sorting the deck, shuffling, dealing, and executing such a method; not reading one, not scratch work."""
    deck = {"d": node(6, operator=0, ident="table_0", property="卡牌池")}
    call = node(1, object="table_0", method="mix")
    methods = {
        "mix": method(("s", node(19))),
        "deal": method(("s", node(20))),
        "sort": method(("s", node(2, selection="d"))),
        "copy": method(
            ("s", node(26, **{"return": "c"})), ("c", node(2, selection="d"))
        ),
        "calls": method(("s", call)),
        "calls_calls": method(("s", node(1, object="table_0", method="calls"))),
        "scratch": method(("s", node(26)), ("x", node(19))),
        "unknown": method(("s", node(1, object="table_0", method=""))),
    }
    for name in ("sort", "copy"):
        methods[name]["flow"] |= deck
    rule = require_rule(text_of(edited({"classes/table/methods": methods})).encode())
    expected = {
        ("table", name) for name in ("mix", "deal", "sort", "calls", "calls_calls")
    }
    assert method_effects(rule) == expected | {("player", "add")}
    add = rule.player.methods["add"]
    assert scope_of(add.flow, add).parameters == {"n"}
