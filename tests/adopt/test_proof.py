"""Nothing is written that was not proved: results that were tampered with, and plans that forget a field, are found out."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from dealwright.compiler.adopt.document import (
    Part,
    Path,
    parse_document,
    part_at,
    replaced,
    text_of,
)
from dealwright.compiler.adopt.proof import NotProved, prove
from dealwright.compiler.adopt.reading import RuleFile, read
from dealwright.compiler.adopt.rewriting import Plan, edits_of, rewritten
from dealwright.compiler.adopt.sameness import difference
from dealwright.compiler.front import require_rule
from dealwright.compiler.lowering.lower import lower
from tests.adopt.builder import Json, copy_of, design_of, flows_of, node_of_type, rename
from tests.adopt.edits import EDITS, Edit
from tests.support import RULES, encoded

RULE = json.loads((RULES / "twenty_one.json").read_bytes())


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: str(edit.__name__))
def test_every_edit_is_a_difference(edit: Edit) -> None:
    edited = copy_of(RULE)
    edit(edited)
    programs = [
        lower(require_rule(encoded(one), "rule.json")) for one in (RULE, edited)
    ]
    assert difference(programs[0], programs[0], {}) is None
    assert difference(programs[0], programs[1], {}) is not None
    assert difference(programs[1], programs[0], {}) is not None


def test_other_ids_are_no_difference_if_one_knows_them() -> None:
    made = copy_of(RULE)
    flow, words = next(
        (flow, words) for path, flow, words in flows_of(made) if path == "match"
    )
    ids = {"1": "1"} | {
        id: str(900 - index) for index, id in enumerate(flow) if id != "1"
    }
    rename(flow, words, ids)
    first, second = (
        lower(require_rule(encoded(one), "rule.json")) for one in (RULE, made)
    )
    assert difference(first, second, {"match_flow": ids}) is None
    assert (
        difference(second, first, {"match_flow": {ids[id]: id for id in ids}}) is None
    )
    assert difference(first, second, {}) is not None
    # two nodes that change places are no renaming
    one, two = list(ids)[1:3]
    crossed = {**ids, one: ids[two], two: ids[one]}
    assert difference(first, second, {"match_flow": crossed}) is not None


def _file() -> RuleFile:
    return read(encoded(RULE), "rule.json")


def _prefixed(file: RuleFile, forget: str = "") -> list[Plan]:
    """Plans that call every node but "1" otherwise; with `forget`, nothing follows in the field of that name."""
    plans = []
    for flow in file.flows.values():
        ids = {id: id if id == "1" else f"n{id}" for id in flow.nodes}
        edits = {
            id: {place: text for place, text in changes.items() if place[1] != forget}
            for id, changes in edits_of(flow, ids).items()
        }
        plans.append(Plan(flow, ids, ids, edits, ()))
    return plans


def _written(file: RuleFile, plans: list[Plan]) -> bytes:
    tree = parse_document(file.text)
    changes: dict[Path, Part] = {}
    for one in plans:
        path: Path = (*file.root, *one.flow.key)
        part = part_at(tree.root, path)
        assert part is not None
        changes[path] = rewritten(part, one)
    return text_of(replace(tree, root=replaced(tree.root, changes))).encode()


def test_a_plan_that_follows_everywhere_is_proved() -> None:
    file = _file()
    plans = _prefixed(file)
    prove(file, _written(file, plans), plans, None)


@pytest.mark.parametrize(
    "field",
    [
        "component",
        "rvalue",
        "condition",
        "lval",
        "return",
        "next",
        "next_true",
        "parameter",
    ],
)
def test_a_plan_that_forgets_a_field_is_not(field: str) -> None:
    file = _file()
    plans = _prefixed(file, forget=field)
    with pytest.raises(NotProved):
        prove(file, _written(file, plans), plans, None)


def test_a_literal_that_becomes_a_node_is_not_proved() -> None:
    """The same document but for its ids, and every reference that was one still is: only the meaning tells."""
    rule = copy_of(RULE)
    flow = design_of(rule)["match_flow"]
    assignment = next(one for one in flow.values() if one["type"] == 4)
    assignment["content"]["rvalue"] = "77"
    file = read(encoded(rule), "rule.json")
    plans = []
    for place in file.flows.values():
        ids = {id: id for id in place.nodes}
        if place.key == ("match_flow",):
            ids[node_of_type(flow, 14)] = "77"
        edits = {
            id: {
                spot: text
                for spot, text in changes.items()
                if spot not in place.nodes[id].texts
            }
            for id, changes in edits_of(place, ids).items()
        }
        plans.append(Plan(place, ids, {}, edits, ()))
    with pytest.raises(NotProved, match="match_flow"):
        prove(file, _written(file, plans), plans, None)


def _drop_a_key(rule: Json) -> None:
    del rule["meta"]["description"]


def _change_a_number(rule: Json) -> None:
    design_of(rule)["match_flow"]["1"]["position"] = {"x": 1.0}


def _exchange_two_nodes(rule: Json) -> None:
    flow = design_of(rule)["match_flow"]
    one, two = list(flow)[2:4]
    flow[one], flow[two] = flow[two], flow[one]


def _lose_a_node(rule: Json) -> None:
    flow = design_of(rule)["match_flow"]
    del flow[list(flow)[-1]]


def _reverse_the_deck(rule: Json) -> None:
    cards = design_of(rule)["classes"]["card"]["default_properties"]
    items = list(cards.items())
    cards.clear()
    cards.update(reversed(items))


@pytest.mark.parametrize(
    "tamper",
    [
        _drop_a_key,
        _change_a_number,
        _exchange_two_nodes,
        _lose_a_node,
        _reverse_the_deck,
    ],
)
def test_a_result_that_was_tampered_with_is_not_proved(
    tamper: Callable[[Json], None],
) -> None:
    file = _file()
    plans = [
        Plan(flow, {id: id for id in flow.nodes}, {}, {}, ())
        for flow in file.flows.values()
    ]
    prove(file, encoded(RULE), plans, None)
    made = copy_of(RULE)
    tamper(made)
    with pytest.raises(NotProved):
        prove(file, encoded(made), plans, None)


def test_a_result_that_is_no_rule_is_not_proved() -> None:
    with pytest.raises(NotProved, match="refused"):
        prove(_file(), b"{", [], None)
