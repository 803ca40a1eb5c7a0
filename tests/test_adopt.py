"""`adopt` gives nodes their former ids back, whatever the builder called them, and changes nothing else.

Rules are renumbered by a stand-in for the visual builder that shares no code with the compiler. Without an edit the
former file must come back, byte for byte; with one, the diff must be as short as if the author had made it by hand.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from dealwright.compiler import pipeline
from dealwright.compiler.adopt.adoption import Adopted, adopt
from dealwright.compiler.adopt.document import parse_document, text_of
from tests.adopt.builder import (
    Flow,
    Json,
    copy_of,
    design_of,
    flows_of,
    moved,
    renumbered,
    reordered,
    without_positions,
)
from tests.adopt.edits import EDITS, Edit
from tests.adopt.lines import changed_lines, pretty
from tests.rulegen.rules import seeded
from tests.support import LONG, RULES, encoded, shipped_rules, shown

SECONDS = 60
"""What two thousand nodes may take on a busy machine; an idle one needs two or three."""

MOST = {
    # edit: lines of the pretty-printed JSON, lines of the generated package, at the most over all shipped rules
    "constant": (2, 8),
    "check": (24, 2),
    "removed": (12, 16),
    "retargeted": (4, 36),
    "wait": (23, 7),
    "several": (65, 60),
}
"""What each edit costs. An edit by hand costs the same; long conditions, which black breaks into lines, cost most."""

GENERATED = ("tiny", "twenty_one", "war")
"""The rules of which the generated code is compared too, outside the long setting: compiling takes its time."""


def _edit_name(edit: Edit) -> str:
    return edit.__name__


def _exported(rule: Json, seed: int) -> bytes:
    """The rule as the builder would write it: nodes renumbered, keys in any order, its own white space."""
    rng = random.Random(seed)
    made = reordered(renumbered(rule, rng), rng)
    indent = rng.choice((None, 2, 4))
    return json.dumps(made, ensure_ascii=rng.random() < 0.5, indent=indent).encode()


@pytest.mark.parametrize("path", shipped_rules(), ids=shown)
@pytest.mark.parametrize("seed", range(20 if LONG else 1))
def test_without_an_edit_the_former_file_comes_back(path: Path, seed: int) -> None:
    data = path.read_bytes()
    made = adopt(data, _exported(json.loads(data), seed))
    assert made.data == data
    assert (made.added, made.removed) == (0, 0)
    assert made.kept == sum(len(flow) for _, flow, _ in flows_of(json.loads(data)))
    assert made.notes == ()


@pytest.mark.parametrize("path", shipped_rules(), ids=shown)
def test_moving_nodes_moves_nothing_but_their_positions(path: Path) -> None:
    rng = random.Random(1)
    old = moved(json.loads(path.read_bytes()), rng)
    new = reordered(renumbered(moved(old, rng), rng), rng)
    made = json.loads(adopt(encoded(old), encoded(new)).data)
    assert without_positions(made) == without_positions(old)
    assert _flows(made) == _flows(old)
    assert _positions(made) == _positions(new)
    assert _positions(made) != _positions(old)


def _positions(rule: Json) -> list[str]:
    return sorted(
        json.dumps(node["position"], sort_keys=True)
        for _, flow, _ in flows_of(rule)
        for node in flow.values()
    )


@pytest.mark.parametrize("seed", range(300 if LONG else 4))
def test_random_rules_come_back(seed: int) -> None:
    """Rules with every component, loops, odd names, scratch work; the numbers are too high to be literals of theirs."""
    data, rng = seeded(seed).source, random.Random(seed)
    old = json.loads(data)
    new = reordered(renumbered(old, rng, 100_000), rng)
    made = adopt(data, encoded(new), old_name="rule.json", new_name="rule.json")
    assert json.loads(made.data) == old
    assert {id: flow for id, *flow in _flows(json.loads(made.data))} == {
        id: flow for id, *flow in _flows(old)
    }


def _flows(rule: Json) -> list[list[str]]:
    """The name of each flow, and its nodes in order."""
    return [[name, *flow] for name, flow, _ in flows_of(rule)]


@pytest.mark.parametrize("path", shipped_rules(), ids=shown)
@pytest.mark.parametrize("edit", EDITS, ids=_edit_name)
def test_an_edit_shows_as_if_made_by_hand(path: Path, edit: Edit) -> None:
    old = json.loads(path.read_bytes())
    by_hand = copy_of(old)
    edit(by_hand)
    made = adopt(path.read_bytes(), _exported(by_hand, 3)).data
    lines = changed_lines(pretty(old), pretty(json.loads(made)))
    assert lines <= changed_lines(pretty(old), pretty(by_hand))
    assert lines <= MOST[edit.__name__][0]
    # the file itself, in the layout of its author, shows no more lines than one of nothing but one field a line
    assert changed_lines(path.read_text(encoding="utf-8"), made.decode()) <= lines
    if LONG or path.stem in GENERATED:
        before = _package(path.read_bytes())
        generated = changed_lines(before, _package(made))
        assert generated <= changed_lines(before, _package(encoded(by_hand)))
        assert generated <= MOST[edit.__name__][1]


@cache
def _package(data: bytes) -> str:
    files = pipeline.build(data, "rules/rule.json").files
    return "\n".join(text for _, text in sorted(files.items()))


@pytest.mark.parametrize("edit", EDITS, ids=_edit_name)
def test_adopting_again_changes_nothing(edit: Edit) -> None:
    data = (RULES / "twenty_one.json").read_bytes()
    by_hand = json.loads(data)
    edit(by_hand)
    once = adopt(data, _exported(by_hand, 5))
    again = adopt(data, once.data)
    assert again.data == once.data
    assert again.renamed == 0
    assert (again.kept, again.added, again.removed) == (
        once.kept,
        once.added,
        once.removed,
    )


@pytest.mark.parametrize("edit", EDITS, ids=_edit_name)
def test_ids_that_were_not_changed_are_left_alone(edit: Edit) -> None:
    data = (RULES / "war.json").read_bytes()
    by_hand = json.loads(data)
    edit(by_hand)
    made = adopt(data, encoded(by_hand))
    assert json.loads(made.data) == by_hand
    assert made.renamed == 0


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        ' {"a" : [ 1,2 , {}],\r\n\t"b\\n":\t"x\\"}{" , "c": {"d": -1.50e+3} }\n\n',
        '"\\u4e2d"',
        "[[ ],[\n],{ },null,true]",
    ],
)
def test_a_tree_gives_its_text_back(text: str) -> None:
    assert text_of(parse_document(text)) == text


LAYOUTS = {
    "two spaces": lambda rule: json.dumps(rule, ensure_ascii=False, indent=2),
    "tabs and escapes": lambda rule: json.dumps(rule, indent="\t") + "\n",
    "one line": lambda rule: json.dumps(rule, separators=(",", ":")),
    "carriage returns": lambda rule: json.dumps(rule, indent=1).replace("\n", "\r\n"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_layout_is_that_of_the_old_file(layout: str) -> None:
    rule = json.loads((RULES / "qiang_duizi.json").read_bytes())
    made = LAYOUTS[layout](rule).encode()
    assert adopt(made, _exported(rule, 7)).data == made
    edited = copy_of(rule)
    for edit in EDITS[:-1]:
        edit(edited)
    # what is new is laid out like the rest: formatted as the old file was, the result stays as it is
    result = adopt(made, _exported(edited, 8)).data
    assert LAYOUTS[layout](json.loads(result)).encode() == result


def test_numbers_keep_their_spelling() -> None:
    old = (RULES / "tiny.json").read_text(encoding="utf-8")
    new = old.replace('"timer": 30', '"timer": 30, "odd": [1e400, 1.50, -0, 2E1]')
    assert '"odd": [1e400, 1.50, -0, 2E1]' in adopt(
        old.encode(), new.encode()
    ).data.decode("utf-8")


def test_documents_may_be_as_deep_as_files_may_be() -> None:
    rule = json.loads((RULES / "tiny.json").read_bytes())
    inner: Json = 1
    for _ in range(97):
        inner = {"a": [inner]}
    rule["design"]["assets"] = inner
    old, new = encoded(rule), _exported(rule, 1)
    assert adopt(old, new).data == old


def test_extensions_are_left_alone_and_that_is_said() -> None:
    """A mode is a patch over the rule, so it may name nodes; nobody knows yet which of its texts do."""
    rule = json.loads((RULES / "tiny.json").read_bytes())
    modes = {"z": {"match_flow": {"2": {"content": {"timer": 5}}}}, "a": {}}
    rule["extensions"] = {"version": 1, "modes": modes}
    new = renumbered(rule, random.Random(1))
    new["extensions"]["modes"] = _backwards(modes)
    made = adopt(encoded(rule), encoded(new))
    result = json.loads(made.data)
    assert result == rule
    assert list(result["extensions"]["modes"]) == ["a", "z"]
    assert any("extensions" in note for note in made.notes)


def test_orders_that_mean_something_are_those_of_the_new_file() -> None:
    """Card properties make the deck, parameters take arguments; nothing else in this rule has an order."""
    data = (RULES / "big_two.json").read_bytes()
    rule = json.loads(data)
    design = design_of(rule)
    for owner in ("card", "table"):
        kinds = design["classes"][owner]
        for kind in ("default_properties", "user_properties"):
            kinds[kind] = _backwards(kinds[kind])
    design["cardsets"] = _backwards(design["cardsets"])
    made = json.loads(adopt(data, _exported(rule, 2)).data)
    cards = design_of(made)["classes"]["card"]["default_properties"]
    assert list(cards) == ["suit", "rank"]
    old = design_of(json.loads(data))
    assert list(design_of(made)["cardsets"]) == list(old["cardsets"])


def _backwards(value: Json) -> Json:
    """The object with its keys the other way round."""
    return dict(reversed(list(value.items())))


def _chain(nodes: int) -> Flow:
    """Assignments one after the other, all alike but for every third number."""
    last = (nodes - 2) // 3
    flow: Flow = {"1": {"type": 17, "content": {"next": "s0"}}}
    for index in range(last):
        after = f"s{index + 1}" if index + 1 < last else "end"
        step = {"component": f"t{index}", "rvalue": f"v{index}", "next": after}
        target = {"operator": 0, "ident": "table_0", "property": "p"}
        flow[f"s{index}"] = {"type": 4, "content": step}
        flow[f"t{index}"] = {"type": 6, "content": target}
        flow[f"v{index}"] = {"type": 8, "content": {"value": index % 3}}
    return flow | {"end": {"type": 18, "content": {}}}


def _formula(nodes: int) -> Flow:
    """One formula as deep as the flow is long, over one shared value."""
    target = {"operator": 0, "ident": "table_0", "property": "p"}
    flow: Flow = {
        "1": {"type": 17, "content": {"next": "set"}},
        "set": {"type": 4, "content": {"component": "p", "rvalue": "v0", "next": "e"}},
        "e": {"type": 18, "content": {}},
        "p": {"type": 6, "content": target},
    }
    for index in range(nodes - 5):
        sides = {"lval": "p", "rval": f"v{index + 1}"}
        flow[f"v{index}"] = {"type": 10, "content": {"operator": 0, **sides}}
    return flow | {f"v{nodes - 5}": {"type": 8, "content": {"value": 1}}}


def _scratch(nodes: int) -> Flow:
    """Nodes that nothing refers to, all the same."""
    rule = json.loads((RULES / "tiny.json").read_bytes())
    found: Flow = design_of(rule)["match_flow"]
    constant = {"type": 8, "content": {"value": 0}}
    return found | {f"x{index}": constant for index in range(nodes - len(found))}


@pytest.mark.parametrize("shape", [_formula, _scratch])
def test_two_thousand_nodes_take_seconds(shape: Callable[[int], Flow]) -> None:
    rule = json.loads((RULES / "tiny.json").read_bytes())
    design_of(rule)["match_flow"] = shape(2000)
    old, new = encoded(rule, indent=2), _exported(rule, 1)
    start = time.monotonic()
    made: Adopted = adopt(old, new)
    assert time.monotonic() - start < SECONDS
    assert made.data == old


def test_one_step_of_two_thousand_is_removed() -> None:
    """All steps are alike, so any of them may count as the one that is gone; only one may be changed."""
    rule = json.loads((RULES / "tiny.json").read_bytes())
    flow = design_of(rule)["match_flow"] = _chain(2000)
    edited = copy_of(rule)
    shorter = design_of(edited)["match_flow"]
    shorter["s299"]["content"]["next"] = "s301"
    for gone in ("s300", "t300", "v300"):
        del shorter[gone]
    old, new = encoded(rule), _exported(edited, 1)
    start = time.monotonic()
    made = adopt(old, new)
    assert time.monotonic() - start < SECONDS
    result = design_of(json.loads(made.data))["match_flow"]
    assert (made.added, made.removed) == (0, 3)
    assert sum(flow[id] != node for id, node in result.items()) == 1
