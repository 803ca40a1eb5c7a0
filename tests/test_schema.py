"""`dealwright schema`: it is a JSON Schema, accepts every real rule, and refuses the shapes that `load` refuses.

The last is tested by comparison: values of every JSON type are put into every place of a rule and into every field of
every component, and schema and `load` have to say the same.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from dealwright.compiler.cli import main
from dealwright.compiler.diagnostics.reporter import CODES
from dealwright.compiler.front import read_rule
from dealwright.compiler.report.examples import EXAMPLES, Edit
from dealwright.compiler.report.schema import rule_schema
from dealwright.compiler.rule.components import COMPONENTS, FieldKind
from tests import test_front_refusals as refusals
from tests.front.small import edited, small

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "data" / "rules"
RULES = [*sorted((ROOT / "rules").glob("*.json")), *sorted(SHARED.glob("*.json"))]

UNSAYABLE = {"R114", "R121", "R131"}
"""Names that repeat, ids that do not exist, numbers that are too long."""

SHAPE = {"R136", "R335", *(f"R{number}" for number in range(111, 132))} - UNSAYABLE

ODD: list[Any] = [None, True, 7, -7, 1.5, " ", "x", [], [[]], {}, {"x": 1}]


@cache
def validator() -> Draft202012Validator:
    return Draft202012Validator(rule_schema())


def is_valid(rule: Any) -> bool:
    return bool(validator().is_valid(rule))


def shape_problems(rule: Any) -> list[str]:
    """The codes of shape that the front finds in a rule."""
    found = read_rule(json.dumps(rule).encode())[1].diagnostics()
    return [one.code for one in found if one.code in SHAPE]


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(rule_schema())
    assert rule_schema()["$schema"] == Draft202012Validator.META_SCHEMA["$id"]


@pytest.mark.parametrize(
    "path",
    RULES,
    ids=lambda path: f"{path.parent.name}-{path.stem}-{RULES.index(path)}",
)
def test_real_rules_pass(path: Path) -> None:
    rule = json.loads(path.read_text(encoding="utf-8"))
    assert [one.message for one in validator().iter_errors(rule)] == []


def test_both_forms_pass() -> None:
    assert is_valid(small())
    assert is_valid({"meta": {"name": "x", "playerCount": 2}, "design": small()})
    assert is_valid({"design": small(), "assets": []})
    assert not is_valid({"design": {}})
    assert not is_valid({})
    assert not is_valid([])
    # a section beside `design` makes it the bare form, in which `design` means nothing
    assert not is_valid({"design": small(), "classes": {}})
    assert is_valid({**small(), "design": 1})


@pytest.mark.parametrize(
    "code", [code for code in CODES if "R111" <= code <= "R131" or code == "R136"]
)
def test_examples(code: str) -> None:
    """Every code of shape is caught by the schema, but for the three that it cannot say."""
    example = EXAMPLES[code]
    assert isinstance(example.bad, Edit)
    assert is_valid(json.loads(example.bad.data())) == (code in UNSAYABLE)
    # an unused node of an unknown type is no error to `check`; the good example has none
    assert is_valid(json.loads(example.good.data()))


REFUSED = [
    pytest.param(case, id=f"{case[0]}-{number}")
    for number, case in enumerate(refusals.CASES)
    if case[0] in SHAPE and "1.0" not in case[3]
]


@pytest.mark.parametrize("case", REFUSED)
def test_refusals_of_the_front(
    case: tuple[str, refusals.Edits, refusals.Edits, str],
) -> None:
    _, bad, good, _ = case
    assert not is_valid(edited(bad))
    if not any("scratch" in path for path in good):
        assert is_valid(edited(good))


def test_unused_nodes_have_to_be_well_formed() -> None:
    """The one thing in which the schema is stricter than `check`, as its description says."""
    rule = edited({"match_flow/x": {"type": 14, "content": {"operator": "?"}}})
    assert shape_problems(rule) == []
    assert not is_valid(rule)


def places(
    value: Any, path: tuple[str | int, ...] = ()
) -> Iterator[tuple[str | int, ...]]:
    """Every place in a JSON value."""
    yield path
    inside = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value) if isinstance(value, list) else ()
    )
    for key, part in inside:
        yield from places(part, (*path, key))


def smallest() -> Any:
    """A rule with every part of the format and as few nodes as that takes."""
    number = {"type": "int", "default": 0}
    classes = {
        "card": {
            "user_properties": {"rank": {"type": "enum", "config": [{"value": 1}]}}
        },
        "player": {"default_properties": {"score": number}},
        "table": {
            "methods": {
                "m": {
                    "parameters": {"p": {}},
                    "returns": "int",
                    "flow": {"1": {"type": 25}},
                }
            }
        },
    }
    single = {
        "name": "Single",
        "properties": {"weight": number},
        "build_flow": {
            "1": {"type": 27, "next": "2"},
            "2": {"type": 28, "content": {"result": 0}},
        },
        "compare_flow": {
            "1": {"type": 29, "next": "2"},
            "2": {"type": 30, "content": {"result": 0}},
        },
        "successors": ["1"],
    }
    return {
        "meta": {"name": "x", "playerCount": 2, "description": "x"},
        "design": {
            "classes": classes,
            "cardsets": {"1": single},
            "cardset_comparisons": {
                "1": {"cardsetA": "Single", "cardsetB": "Single", "compare_flow": {}}
            },
            "match_flow": {"1": {"type": 17, "next": "2"}, "2": {"type": 18}},
            "end_flow": {
                "1": {"type": 23, "next": "2"},
                "2": {"type": 24, "content": {"result": 0}},
            },
        },
    }


def test_every_type_in_every_place() -> None:
    assert read_rule(json.dumps(smallest()).encode())[1].diagnostics() == ()
    found = set()
    for path in places(smallest()):
        for odd in ODD:
            rule = smallest()
            if path:
                inner = rule
                for step in path[:-1]:
                    inner = inner[step]
                inner[path[-1]] = odd
            else:
                rule = odd
            problems = shape_problems(rule)
            assert is_valid(rule) == (not problems), (path, odd, problems)
            found.update(problems)
    assert found == {
        "R111",
        "R112",
        "R113",
        "R116",
        "R117",
        "R118",
        "R119",
        "R120",
        "R122",
        "R123",
        "R126",
        "R128",
        "R130",
        "R136",
    }


LISTS = {
    FieldKind.SORT_KEYS: ("name", "order"),
    FieldKind.FILTERS: ("prop_name", "lower_bound", "upper_bound"),
}


def odd_nodes(kind: int) -> Iterator[dict[str, Any]]:
    """A node of a type, with an odd value in each field in turn; in `count` and the jumps of the node itself too."""
    good: dict[str, Any] = {"card_rule": "1"} if kind == 15 else {}
    for odd in ODD:
        for field in COMPONENTS[kind].fields:
            yield {"type": kind, "content": {**good, field.name: odd}}
            for key in LISTS.get(field.kind, ()):
                yield {"type": kind, "content": {field.name: [{key: odd}]}}
        for jump in ("next", "next_true", "next_false"):
            yield {"type": kind, "content": {**good, jump: odd}}
            yield {"type": kind, "content": good, jump: odd}
        yield {"type": kind, "content": odd}
        yield {"type": kind, "content": good, "count": odd}


@pytest.mark.parametrize("kind", COMPONENTS)
def test_every_type_in_every_field(kind: int) -> None:
    """On a node that control reaches."""
    schema = rule_schema()
    node_schema = Draft202012Validator(
        {"$ref": "#/$defs/node", "$defs": schema["$defs"]}
    )
    for node in odd_nodes(kind):
        rule = smallest()
        rule["design"]["match_flow"]["1"]["next"] = "it"
        rule["design"]["match_flow"]["it"] = node
        problems = shape_problems(rule)
        assert node_schema.is_valid(node) == (not problems), (node, problems)


def test_names_in_both_languages() -> None:
    """What an editor shows names components, operators and flows in English and Chinese."""
    text = json.dumps(rule_schema(), ensure_ascii=False)
    for component in COMPONENTS.values():
        assert f"{component.type} {component.name.en} {component.name.zh}" in text
    for words in ("at least 大于等于", "the match flow 对局流程", "remainder 取余"):
        assert words in text


def test_command(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["schema"])
    assert result.exit_code == 0
    assert json.loads(result.stdout) == rule_schema()
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / ".src"),
        "PYTHONIOENCODING": "ascii",
        "PYTHONUTF8": "0",
    }
    command = [sys.executable, "-m", "dealwright", "schema"]
    said = subprocess.run(
        command, env=environment, capture_output=True, check=True, cwd=tmp_path
    )
    assert json.loads(said.stdout.decode("ascii")) == rule_schema()
