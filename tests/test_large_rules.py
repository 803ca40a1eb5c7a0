"""Rules of any size compile: in linear output and nearly linear time, and the result runs and means what it should.

Each shape is a rule of about as many nodes as asked for, written from the format's description alone. The graph shapes
that only judge cards stand in a build flow; those that loop, join after an effect or wait stand in the match flow,
where every loop ends because its back edges ask for a counter that every block raises.
"""

from __future__ import annotations

import ast
import gc
import json
import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, TypeAlias

import pytest

from dealwright.compiler import pipeline
from dealwright.compiler.interpreter import interpret
from dealwright.compiler.output import memory
from dealwright.compiler.pipeline import Built
from tests.agreement import Plan, compare, subject_of
from tests.support import LONG, encoded

Json: TypeAlias = Any
Flow: TypeAlias = dict[str, Json]
Shape: TypeAlias = Callable[[int], Json]

SIZES = (10, 100, 1_000, 10_000) if LONG else (10, 100, 1_000)
FITTED = SIZES[1:]
EXPONENT = 1.15
LAST_STEP = 1.4
"""From 1,000 to 10,000 nodes alone, where one run differs from the next by a fifth: what is quadratic there is seen."""

LINES_AT_MOST = 3.0
"""Lines of the package for each node, besides what a package without nodes has."""
LINES_OF_NO_RULE = 250
LETTERS_AT_MOST = 100
"""Letters of the package for each node: deep indentation or ever longer names would be more."""
LETTERS_OF_NO_RULE = 10_000

ADD, SUBTRACT, MULTIPLY, REMAINDER = 0, 1, 2, 4
EQUAL, GREATER, LESS = 0, 1, 2
LOOPS_END_AT = 40


# -- making rules


def node(type: int, **content: Json) -> Json:
    """A node as the format writes it."""
    return {"type": type, "content": content}


def rule(build: Flow | None = None, match: Flow | None = None) -> Json:
    """A rule for two players around one large flow; the other flows are the smallest that there are."""
    ranks = [{"id": f"r{value}", "value": value} for value in range(1, 14)]
    properties = {"rank": {"type": "enum", "default": 1, "config": ranks}}
    properties["suit"] = {
        "type": "enum",
        "default": 1,
        "config": [{"id": f"s{value}", "value": value} for value in range(1, 4)],
    }
    cardset = {
        "name": "Judged",
        "build_flow": build or {"1": node(27, next="yes"), "yes": node(28, result=1)},
    }
    shortest = {
        "1": node(17, next="deal"),
        "deal": {**node(20, prop_pair=[], next="ask"), "count": 3},
        "ask": node(21, timer=30, next="over"),
        "over": node(18),
    }
    result = {"1": node(23, next="settle"), "settle": node(24, result=1)}
    return {
        "meta": {"name": "Large", "playerCount": 2},
        "design": {
            "classes": {
                "card": {"default_properties": properties},
                "player": {},
                "table": {"user_properties": {"n": {"type": "int", "default": 0}}},
            },
            "cardsets": {"1": cardset},
            "match_flow": match or shortest,
            "end_flow": result,
        },
    }


def nodes_of(document: Json) -> int:
    """The nodes of all flows of a made rule."""
    design = document["design"]
    build = design["cardsets"]["1"]["build_flow"]
    return sum(map(len, (build, design["match_flow"], design["end_flow"])))


def judging() -> Flow:
    """The start of a build flow whose nodes read `rank` of the first card; `yes` and `no` end it."""
    return {
        "1": node(27, next="b0"),
        "yes": node(28, result=1),
        "no": node(28, result=0),
        "first": node(5, selection="cards", index=0),
        "rank": node(6, operator=1, ident="first", property="rank"),
        "size": node(7, selection="cards"),
    }


def counting() -> Flow:
    """The start of a match flow whose nodes read and raise the table's `n`; `over` ends it after a play."""
    return {
        "1": node(17, next="deal"),
        "deal": {**node(20, prop_pair=[], next="b0"), "count": 3},
        "ask": node(21, timer=30, next="over"),
        "over": node(18),
        "n": node(6, operator=0, ident="table_0", property="n"),
        "more": node(10, operator=ADD, lval="n", rval=1),
    }


def _branch(flow: Flow, id: str, yes: str, no: str, *compared: Json) -> None:
    """A branch on a comparison: operator, left, right."""
    operator, left, right = compared
    flow[id] = node(16, condition=f"{id}_if", next_true=yes, next_false=no)
    flow[f"{id}_if"] = node(14, operator=operator, lval=left, rval=right)


def _is_nth(flow: Flow, id: str, value: str, divisor: int, rest: int) -> list[Json]:
    """The comparison of the remainder of a value, its node added."""
    flow[f"{id}_rest"] = node(10, operator=REMAINDER, lval=value, rval=divisor)
    return [EQUAL, f"{id}_rest", rest]


def guard_chain(size: int) -> Json:
    """One guard after the other, each to the same refusal."""
    flow, blocks = judging(), size // 2
    for i in range(blocks):
        then = f"b{i + 1}" if i + 1 < blocks else "yes"
        _branch(flow, f"b{i}", then, "no", GREATER, "rank", i % 3)
    return rule(build=flow)


def nested(size: int) -> Json:
    """Branches within branches, each with something to do after it."""
    flow, blocks = counting(), size // 4
    for i in range(blocks):
        then = f"b{i + 1}" if i + 1 < blocks else f"j{i}"
        _branch(flow, f"b{i}", then, f"j{i}", LESS, "n", blocks - i % 7)
        flow[f"j{i}_sum"] = node(10, operator=ADD, lval="n", rval=i)
        after = f"j{i - 1}" if i else "ask"
        flow[f"j{i}"] = node(4, component="n", rvalue=f"j{i}_sum", next=after)
    return rule(match=flow)


def tree(size: int) -> Json:
    """A full binary tree of branches with its own result at every leaf."""
    flow, blocks = judging(), size // 4
    for i in range(blocks):
        ways = []
        for child in (2 * i + 1, 2 * i + 2):
            ways.append(f"b{child}")
            if child >= blocks:
                ways[-1] = f"leaf{child}"
                flow[f"leaf{child}"] = node(
                    28, result=child % 2, properties={"leaf": child}
                )
        _branch(flow, f"b{i}", *ways, *_is_nth(flow, f"b{i}", "rank", i % 5 + 2, 0))
    return rule(build=flow)


def diamonds(size: int) -> Json:
    """Branches whose two ways each do something and meet again."""
    flow, blocks = counting(), size // 6
    for i in range(blocks):
        then = f"b{i + 1}" if i + 1 < blocks else "ask"
        _branch(
            flow,
            f"b{i}",
            f"x{i}",
            f"y{i}",
            *_is_nth(flow, f"b{i}", "n", i % 5 + 2, 0),
        )
        flow[f"x{i}"] = node(4, component="n", rvalue="more", next=then)
        flow[f"y{i}_sum"] = node(10, operator=ADD, lval="n", rval=i % 9 + 2)
        flow[f"y{i}"] = node(4, component="n", rvalue=f"y{i}_sum", next=then)
    return rule(match=flow)


def acyclic(size: int) -> Json:
    """Every branch goes on, or far ahead to anywhere."""
    flow, blocks, choose = judging(), size // 3, random.Random(size)
    for i in range(blocks):
        then = f"b{i + 1}" if i + 1 < blocks else "yes"
        ahead = choose.randint(i + 1, blocks)
        other = f"b{ahead}" if ahead < blocks else "no"
        compared = _is_nth(flow, f"b{i}", "rank", choose.randint(2, 5), 1)
        _branch(flow, f"b{i}", then, other, *compared)
    return rule(build=flow)


def _blocks(size: int, target: Callable[[int], int]) -> Json:
    """Blocks that raise `n` and branch: on to the next one, or to the target (a back edge while `n` is small)."""
    flow, blocks, choose = counting(), size // 4, random.Random(size)
    for i in range(blocks):
        flow[f"b{i}"] = node(4, component="n", rvalue="more", next=f"c{i}")
        then = f"b{i + 1}" if i + 1 < blocks else "ask"
        to = min(target(i), blocks)
        other = f"b{to}" if to < blocks else "ask"
        if to <= i:
            _branch(flow, f"c{i}", other, then, LESS, "n", LOOPS_END_AT + i)
        else:
            compared = _is_nth(flow, f"c{i}", "n", choose.randint(2, 5), 1)
            _branch(flow, f"c{i}", then, other, *compared)
    return rule(match=flow)


def reducible(size: int) -> Json:
    """Nested loops with jumps ahead, breaks among them; no loop is entered but at its head."""
    blocks, choose = size // 4, random.Random(size)
    opened: list[int] = []
    loops: list[tuple[int, int]] = []
    for i in range(blocks):
        if choose.random() < 0.2 and len(opened) < 6:
            opened.append(i)
        elif opened and choose.random() < 0.25:
            loops.append((opened.pop(), i))
    heads = {last: head for head, last in loops}

    def target(i: int) -> int:
        if i in heads:
            return heads[i]
        to = i + 1 + int(choose.expovariate(0.2))
        entered = [head for head, last in loops if i < head < to <= last]
        return min(entered, default=to)

    return _blocks(size, target)


def irreducible(size: int) -> Json:
    """Jumps to anywhere near, ahead and back, into the middle of loops too."""
    choose = random.Random(size)

    def target(i: int) -> int:
        return max(0, i + choose.randint(-6, 8))

    return _blocks(size, target)


def deep_expression(size: int) -> Json:
    """One expression as deep as there are nodes, now to the left and now to the right."""
    flow, last = judging(), "rank"
    for i in range(size):
        operator = (ADD, SUBTRACT, MULTIPLY, REMAINDER)[i % 4]
        sides = (last, i + 2) if operator == REMAINDER or i % 3 else (i % 9 + 2, last)
        flow[f"v{i}"] = node(10, operator=operator, lval=sides[0], rval=sides[1])
        last = f"v{i}"
    _branch(flow, "b0", "yes", "no", *_is_nth(flow, "b0", last, 3, 0))
    return rule(build=flow)


def deep_logic(size: int) -> Json:
    """One condition as deep as there are nodes, of all three connectives."""
    flow, last = judging(), "tall"
    flow["tall"] = node(14, operator=GREATER, lval="rank", rval=6)
    for i in range(size // 2):
        flow[f"t{i}"] = node(14, operator=LESS, lval="rank", rval=i % 13 + 1)
        flow[f"v{i}"] = node(12, operator=i % 2, lval=f"t{i}", rval=last)
        if i % 3 == 2:
            flow[f"v{i}"] = node(13, component=last)
        last = f"v{i}"
    flow["b0"] = node(16, condition=last, next_true="yes", next_false="no")
    return rule(build=flow)


def doubling_chain(size: int) -> Json:
    """Each value is the one before plus itself: written out, it would have two to the power of `size` leaves."""
    flow, last = judging(), "rank"
    for i in range(size):
        flow[f"v{i}"] = node(10, operator=ADD, lval=last, rval=last)
        last = f"v{i}"
    _branch(flow, "b0", "yes", "no", *_is_nth(flow, "b0", last, 7, 1))
    return rule(build=flow)


def one_value(size: int) -> Json:
    """One value that every condition uses."""
    flow, blocks = judging(), size // 2
    flow["shared"] = node(10, operator=MULTIPLY, lval="rank", rval="size")
    for i in range(blocks):
        then = f"b{i + 1}" if i + 1 < blocks else "yes"
        _branch(flow, f"b{i}", then, "no", GREATER, "shared", i % 5)
    return rule(build=flow)


def waits(size: int) -> Json:
    """A wait for every ten nodes: choices and plays, and what follows from them."""
    flow, blocks = counting(), max(1, size // 10)
    for i in range(blocks):
        then = f"b{i + 1}" if i + 1 < blocks else "over"
        kind = 22 if i % 3 else 21
        flow[f"b{i}"] = node(kind, timer=30, options=[], next=f"c{i}")
        got = {"operator": 1, "ident": f"b{i}", "property": "用户做出的选择"}
        flow[f"got{i}"] = node(6, **got) if kind == 22 else node(7, selection=f"b{i}")
        _branch(flow, f"c{i}", f"x{i}", f"y{i}", GREATER, f"got{i}", 0)
        flow[f"x{i}"] = node(4, component="n", rvalue="more", next=f"z{i}")
        flow[f"y{i}_sum"] = node(10, operator=ADD, lval="n", rval=f"got{i}")
        flow[f"y{i}"] = node(4, component="n", rvalue=f"y{i}_sum", next=f"z{i}")
        flow[f"turn{i}"] = node(6, operator=0, ident="table_0", property="player_index")
        flow[f"seat{i}"] = node(10, operator=REMAINDER, lval="n", rval=2)
        flow[f"z{i}"] = node(4, component=f"turn{i}", rvalue=f"seat{i}", next=then)
    return rule(match=flow)


SHAPES: tuple[Shape, ...] = (
    guard_chain,
    nested,
    tree,
    diamonds,
    acyclic,
    reducible,
    irreducible,
    deep_expression,
    deep_logic,
    doubling_chain,
    one_value,
    waits,
)

DEEP = (deep_expression, deep_logic, doubling_chain)
"""Shapes whose answers arithmetic finds too."""

INTERPRETED_UP_TO: dict[Shape, int] = {
    deep_expression: 100,
    deep_logic: 100,
    doubling_chain: 10,
}
"""Above, values are too deep for the interpreter, or too often doubled: it computes a value whenever it is read."""


# -- compiling and running them


@dataclass(frozen=True, slots=True)
class Made:
    """A compiled large rule, and how long the compiler worked on it."""

    document: Json
    built: Built
    seconds: float

    @property
    def lines(self) -> int:
        """The lines of the package."""
        return sum(text.count("\n") for text in self.built.files.values())

    @property
    def letters(self) -> int:
        """The letters of the package."""
        return sum(map(len, self.built.files.values()))


@cache
def made(shape: Shape, size: int) -> Made:
    """The rule of a shape and a size, compiled once."""
    document = shape(size)
    data = encoded(document)
    gc.collect()
    begun = time.process_time()
    built = pipeline.build(data, f"rules/{shape.__name__}.json")
    return Made(document, built, time.process_time() - begun)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_rule_of_any_size_compiles_in_linear_output(shape: Shape, size: int) -> None:
    """The package has so many lines and so many letters per node at most."""
    one = made(shape, size)
    nodes = nodes_of(one.document)
    assert size / 2 <= nodes <= 1.5 * size + 20, "the shape is not of this size"
    print(f"\n{shape.__name__}({size}): {nodes} nodes, {one.lines} lines", end=" ")
    print(f"{one.letters} letters, {one.seconds:.2f} s", end="")
    assert one.lines <= LINES_OF_NO_RULE + LINES_AT_MOST * nodes
    assert one.letters <= LETTERS_OF_NO_RULE + LETTERS_AT_MOST * nodes


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shape", SHAPES)
def test_no_flag_says_where_to_go(shape: Shape, size: int) -> None:
    """Locals hold formulas of the rule: none is ever set to a constant, as a flag or a label would be."""
    for text in made(shape, size).built.files.values():
        tree = ast.parse(text)
        functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
        for statement in (inner for one in functions for inner in ast.walk(one)):
            if isinstance(statement, ast.Assign):
                is_local = isinstance(statement.targets[0], ast.Name)
                is_flag = is_local and isinstance(statement.value, ast.Constant)
                assert not is_flag, ast.unparse(statement)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shape", SHAPES)
def test_the_result_runs_and_means_the_same(shape: Shape, size: int) -> None:
    """Cards are judged and matches played as the interpreter does it, without a recursion error."""
    one = made(shape, size)
    package = memory.import_package(one.built.slug, one.built.files)
    cards = package.PACKAGE.cards
    judged = [package.recognize([card]) is not None for card in cards]
    if shape in DEEP:
        assert judged == [_answer(one.document, card.rank) for card in cards]
    if size <= INTERPRETED_UP_TO.get(shape, size):
        read = interpret.Rule(one.document)
        plays = [interpret.recognize(read, [card.id], None) for card in cards]
        assert judged == [play is not None for play in plays]
        _compare_matches(one, shape.__name__)


def _compare_matches(one: Made, name: str) -> None:
    """Whole matches and hands of several cards on both sides."""
    both = subject_of(one.built, encoded(one.document), name)
    actions = 400 if LONG else 40
    plan = Plan(matches=3, actions=actions, limit=100_000, is_shortened=False)
    tally = compare(both, 2, plan)
    assert tally.endless == 0 and tally.judged and tally.actions > tally.refused


def _answer(document: Json, rank: int) -> bool:
    """The branch of a deep shape, its values computed in the order in which they were made."""
    flow = document["design"]["cardsets"]["1"]["build_flow"]
    values: dict[str, int] = {"rank": rank}
    for id, made_node in flow.items():
        content = made_node["content"]
        if made_node["type"] == 13:
            values[id] = int(not values[content["component"]])
        if made_node["type"] not in (10, 12, 14) or id == "b0_if":
            continue
        left, right = (
            side if isinstance(side, int) else values[side]
            for side in (content["lval"], content["rval"])
        )
        values[id] = _computed(made_node["type"], content["operator"], left, right)
    if "b0_if" in flow:
        return values["b0_rest"] == int(flow["b0_if"]["content"]["rval"])
    return bool(values[flow["b0"]["content"]["condition"]])


def _computed(type: int, operator: int, left: int, right: int) -> int:
    if type == 14:
        return int(left > right if operator == GREATER else left < right)
    if type == 12:
        return int(bool(left or right) if operator else bool(left and right))
    if operator == REMAINDER:
        return abs(left) % right if left >= 0 else -(abs(left) % right)
    return (left + right, left - right, left * right)[operator]


@pytest.mark.parametrize("shape", SHAPES)
def test_time_is_nearly_linear(shape: Shape) -> None:
    """The fitted exponent of time over nodes; machines that run many things at once are held to nothing."""
    made(shape, SIZES[0])  # what the compiler imports is no part of it
    sizes = [made(shape, size) for size in FITTED]
    steps = [_exponent(*pair) for pair in pairwise(sizes)]
    fitted = _exponent(sizes[0], sizes[-1])
    shown = ", ".join(f"{step:.2f}" for step in steps)
    print(f"\n{shape.__name__}: {FITTED}, to the power {fitted:.2f} ({shown})", end="")
    if LONG:
        assert fitted <= EXPONENT
        # nothing that begins to grow at the end
        assert steps[-1] <= LAST_STEP


def _exponent(small: Made, large: Made) -> float:
    """By how much the time grows; of sizes that are as many times as large each, the fit is that of the ends."""
    ratio = nodes_of(large.document) / nodes_of(small.document)
    return math.log(large.seconds / small.seconds) / math.log(ratio)


def test_the_shapes_are_what_they_say() -> None:
    """The deep ones are deep, the waits are there, and JSON can hold all of them."""
    flow = doubling_chain(100)["design"]["cardsets"]["1"]["build_flow"]
    assert flow["v99"]["content"]["lval"] == flow["v99"]["content"]["rval"] == "v98"
    match = waits(1_000)["design"]["match_flow"]
    assert sum(one["type"] in (21, 22) for one in match.values()) == 101
    for shape in SHAPES:
        assert json.loads(encoded(shape(10))) == shape(10)
