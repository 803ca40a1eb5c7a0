"""Questions that all lead on to one end, and to another if they do not hold: written as one, and answered one by one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from types import SimpleNamespace
from typing import Any, TypeAlias

import pytest

from dealwright.compiler import pipeline
from dealwright.compiler.output import memory
from tests.rule_changes import design, document
from tests.small_edits import node
from tests.support import encoded, shipped_rules

Json: TypeAlias = Any
TINY = next(path for path in shipped_rules() if path.stem == "tiny")


def asking(ways: Sequence[tuple[str, str]]) -> Json:
    """Tiny with a settlement that asks so many properties of the table; each with its ways, "go" being the next one."""
    rule = document(TINY)
    properties = design(rule)["classes"]["table"]["user_properties"]
    flow: Json = {
        "1": node(23, next="q0"),
        **{end: node(24, result=number) for number, end in enumerate("xyz", 1)},
    }
    for number, way in enumerate(ways):
        id = f"q{number}"
        properties[id] = {"type": "int", "default": 0}
        true, false = (one if one != "go" else f"q{number + 1}" for one in way)
        flow[id] = node(16, condition=f"is {id}", next_true=true, next_false=false)
        flow[f"is {id}"] = node(14, operator=0, lval=f"read {id}", rval=1)
        flow[f"read {id}"] = node(6, operator=0, ident="table_0", property=id)
    design(rule)["end_flow"] = flow
    return rule


def settlement(rule: Json) -> tuple[str, Any]:
    """The lines of `settle`, and the function."""
    made = pipeline.build(encoded(rule), "rules/rows.json")
    module = memory.import_package(made.slug, made.files)
    return made.files["settle.py"].partition("-> int:\n")[2], module.settle


def answer(ways: Sequence[tuple[str, str]], truths: Sequence[int]) -> int:
    """What the drawn flow says, question by question."""
    for way, truth in zip(ways, truths, strict=True):
        end = way[0] if truth else way[1]
        if end != "go":
            return "xyz".index(end) + 1
    raise AssertionError("a flow ends")


@pytest.mark.parametrize(
    ("ways", "text"),
    [
        (
            [("go", "y"), ("x", "y")],
            """\
    if game.table.q0 == 1 and game.table.q1 == 1:  # [q0] [q1]
        return 1  # [x]
    return 2  # [y]
""",
        ),
        (
            [("go", "y"), ("go", "y"), ("x", "y")],
            """\
    if game.table.q0 == 1 and game.table.q1 == 1:  # [q0] [q1]
        if game.table.q2 == 1:  # [q2]
            return 1  # [x]
    return 2  # [y]
""",
        ),
        (
            [("go", "z"), ("go", "y"), ("x", "y")],
            """\
    if game.table.q0 != 1:  # [q0]
        return 3  # [z]
    if game.table.q1 == 1 and game.table.q2 == 1:  # [q1] [q2]
        return 1  # [x]
    return 2  # [y]
""",
        ),
        (
            [("y", "go"), ("x", "y")],
            """\
    if game.table.q0 == 1:  # [q0]
        return 2  # [y]
    if game.table.q1 == 1:  # [q1]
        return 1  # [x]
    return 2  # [y]
""",
        ),
        (
            [("go", "y"), ("y", "x")],
            """\
    if game.table.q0 != 1:  # [q0]
        return 2  # [y]
    if game.table.q1 == 1:  # [q1]
        return 2  # [y]
    return 1  # [x]
""",
        ),
    ],
)
def test_how_questions_are_written(ways: list[tuple[str, str]], text: str) -> None:
    assert settlement(asking(ways))[0] == text


def test_a_long_row_is_one_of_guards_but_for_its_end() -> None:
    text, _ = settlement(asking([("go", "y")] * 40 + [("x", "y")]))
    assert text.count("        return 2  # [y]\n") == 37
    assert text.endswith("""\
    if game.table.q37 == 1 and game.table.q38 == 1:  # [q37] [q38]
        if game.table.q39 == 1 and game.table.q40 == 1:  # [q39] [q40]
            return 1  # [x]
    return 2  # [y]
""")


EACH = [("go", "x"), ("go", "y"), ("x", "go"), ("y", "go")]
LAST = [("x", "y"), ("y", "x"), ("x", "z")]


@pytest.mark.parametrize("ways", [*product(EACH, EACH, LAST)])
def test_whatever_is_written_answers_as_drawn(ways: list[tuple[str, str]]) -> None:
    _, settle = settlement(asking(ways))
    for truths in product((0, 1), repeat=len(ways)):
        names = (f"q{number}" for number in range(len(ways)))
        table = SimpleNamespace(**dict(zip(names, truths, strict=True)))
        assert settle(SimpleNamespace(table=table)) == answer(ways, truths)
