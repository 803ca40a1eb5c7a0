"""References that could be taken for others: literals that look like ids, ids that look like words, odd spellings.

Each case is a small flow in OLD and the same flow as the builder exported it; what must come out is written down.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from dealwright.compiler.adopt.adoption import Adopted, adopt
from dealwright.compiler.adopt.sameness import difference
from dealwright.compiler.front import require_rule
from dealwright.compiler.lowering.lower import lower
from tests.adopt.builder import (
    Flow,
    Json,
    copy_of,
    design_of,
    flows_of,
    renumbered,
)
from tests.support import RULES, encoded

TINY = json.loads((RULES / "tiny.json").read_bytes())


def node(type: int, **content: Any) -> Json:
    """A node of a rule."""
    return {"type": type, "content": content}


def in_match(flow: Flow) -> Json:
    """The tiny rule with this match flow."""
    rule = copy_of(TINY)
    design_of(rule)["match_flow"] = flow
    return rule


def in_method(flow: Flow, *parameters: str) -> Json:
    """The tiny rule with a method of the table."""
    rule = copy_of(TINY)
    declared = {name: {"type": "int"} for name in parameters}
    method = {"parameters": declared, "returns": "int", "flow": flow}
    design_of(rule)["classes"]["table"]["methods"] = {"ask": method}
    return rule


def in_compare(flow: Flow) -> Json:
    """The tiny rule with a comparison for its only cardset."""
    rule = copy_of(TINY)
    design_of(rule)["cardsets"]["1"]["compare_flow"] = flow
    return rule


def match_of(made: Adopted) -> Flow:
    """The match flow of a result."""
    found: Flow = design_of(json.loads(made.data))["match_flow"]
    return found


def method_of(made: Adopted) -> Flow:
    """The method of a result."""
    design = design_of(json.loads(made.data))
    found: Flow = design["classes"]["table"]["methods"]["ask"]["flow"]
    return found


def step(target: str, value: Json, next: str) -> Json:
    """An assignment."""
    return node(4, component=target, rvalue=value, next=next)


SCORE = node(6, operator=0, ident="table_0", property="score")
TOTAL = node(6, operator=0, ident="table_0", property="total")


def test_a_literal_is_not_taken_for_the_node_of_its_number() -> None:
    """OLD's node "5" comes back to a flow that has the number 5 in a field: the number gets a space, as authors do."""
    five = node(10, operator=0, lval="2", rval=7)
    flow = {
        "1": node(17, next="s"),
        "s": step("2", "5", "t"),
        "t": step("u", 3, "e"),
        "e": node(18),
        "2": SCORE,
        "5": five,
        "u": TOTAL,
    }
    exported = {
        "1": node(17, next="2"),
        "2": step("9", "8", "7"),
        "7": step("6", "5", "3"),
        "3": node(18),
        "9": SCORE,
        "8": {**five, "content": {**five["content"], "lval": "9"}},
        "6": TOTAL,
    }
    made = adopt(encoded(in_match(flow)), encoded(in_match(exported)))
    assert match_of(made) == {**flow, "t": step("u", " 5", "e")}
    assert len(made.notes) == 1 and "' 5'" in made.notes[0]
    old, new = encoded(in_match(exported)), made.data
    ids = {"1": "1", "2": "s", "9": "2", "8": "5", "7": "t", "6": "u", "3": "e"}
    programs = [lower(require_rule(one, "rule")) for one in (old, new)]
    assert difference(programs[0], programs[1], {"match_flow": ids}) is None


def test_a_literal_goes_past_nodes_that_are_called_like_its_escape() -> None:
    flow = {
        "1": node(17, next="s"),
        "s": step("p", "7", "t"),
        "t": step("p", " 7", "u"),
        "u": step("q", 3, "e"),
        "e": node(18),
        "p": SCORE,
        "q": TOTAL,
        "7": node(7, selection="cards"),
        " 7": node(14, operator=1, lval="p", rval=9),
    }
    exported = {
        "1": node(17, next="20"),
        "20": step("25", "27", "21"),
        "21": step("25", "28", "22"),
        "22": step("26", "7", "24"),
        "24": node(18),
        "25": SCORE,
        "26": TOTAL,
        "27": node(7, selection="cards"),
        "28": node(14, operator=1, lval="25", rval=9),
    }
    made = adopt(encoded(in_match(flow)), encoded(in_match(exported)))
    assert match_of(made) == {**flow, "u": step("q", "  7", "e")}


@pytest.mark.parametrize(
    "word", ["x", "调用该方法的对象", "cards", "card_3", "player_0"]
)
def test_a_node_that_is_referred_to_gets_no_id_that_means_something_else(
    word: str,
) -> None:
    """In OLD the node could be called `x`; in NEW a parameter is, or the word has never been an id to refer to."""
    start = {"1": node(25, next="r")}
    old = {**start, "r": node(26, **{"return": word}), word: node(8, value=1)}
    new = {
        "1": node(25, next="2"),
        "2": node(26, **{"return": "3"}),
        "3": node(8, value=1),
    }
    # a jump to it, from scratch work, is no reference: it alone would allow the id
    before, now = in_method(old), in_method(new, "x")
    result = method_of(adopt(encoded(before), encoded(now)))
    assert result["1"]["content"]["next"] == "r"
    reference = result["r"]["content"]["return"]
    assert reference != word
    assert result[reference] == node(8, value=1)


def test_ids_that_are_words_come_back_where_only_jumps_lead() -> None:
    old = {
        "1": node(17, next="cards"),
        "cards": node(19, next="player_1"),
        "player_1": step("p", 2, "to_end"),
        "to_end": node(18),
        "p": SCORE,
    }
    new = {
        "1": node(17, next="4"),
        "4": node(19, next="3"),
        "3": step("5", 2, "2"),
        "2": node(18),
        "5": SCORE,
    }
    made = adopt(encoded(in_match(old)), encoded(in_match(new)))
    assert match_of(made) == old


def test_void_is_no_node() -> None:
    """A method that returns nothing says so with a word, and a node of that name cannot be returned."""
    old = {
        "1": node(25, next="r"),
        "r": node(26, **{"return": "v"}),
        "v": node(8, value=1),
    }
    gone = {
        "1": node(25, next="r"),
        "r": node(26, **{"return": "void"}),
        "void": node(8, value=1),
    }
    new = {
        "1": node(25, next="2"),
        "2": node(26, **{"return": "3"}),
        "3": node(8, value=1),
    }
    assert method_of(adopt(encoded(in_method(old)), encoded(in_method(new)))) == old
    result = method_of(adopt(encoded(in_method(gone)), encoded(in_method(new))))
    assert result["r"]["content"]["return"] not in ("void", "v")
    assert len(result) == 3


def test_words_of_comparisons_are_no_nodes_there() -> None:
    def flow(
        size_a: str, size_b: str, test: str, branch: str, wins: str, loses: str
    ) -> Flow:
        ways = {"next_true": wins, "next_false": loses}
        return {
            "1": node(29, next=branch),
            branch: node(16, condition=test, **ways),
            test: node(14, operator=1, lval=size_a, rval=size_b),
            size_a: node(7, selection="A"),
            size_b: node(7, selection="牌型B"),
            wins: node(30, result=0),
            loses: node(30, result=1),
        }

    old = in_compare(flow("a_size", "b_size", "higher", "if", "yes", "no"))
    new = in_compare(flow("4", "2", "6", "7", "3", "5"))
    assert json.loads(adopt(encoded(old), encoded(new)).data) == old


def test_every_field_that_refers_to_a_node_follows() -> None:
    """One node of each component, in both places where jumps may stand, and scratch work of all sorts."""

    def flow(id: dict[str, str]) -> Flow:
        return {
            "1": {"type": 17, "next": id["call"], "content": {"next": id["sort"]}},
            id["call"]: node(1, object="table_0", method="ask", parameter=[id["size"], 3, id["first"]], next=id["sort"]),
            id["sort"]: {**node(2, selection=id["deck"], properties=[{"name": "rank", "order": 0}]), "next": id["deal"]},
            id["deal"]: {"type": 20, "content": {"prop_pair": [], "next": id["set"]}, "count": 1},
            id["set"]: node(4, component=id["of first"], rvalue=id["sum"], next=id["branch"]),
            id["branch"]: node(16, condition=id["any"], next_true=id["play"], next_false=id["choose"], next=id["end"]),
            id["play"]: node(21, timer=30, next=id["end"]),
            id["choose"]: node(22, timer=30, options=[1, 2], next=id["end"]),
            id["end"]: node(18),
            id["deck"]: node(6, operator=0, ident="table_0", property="卡牌池"),
            id["size"]: node(7, selection=id["deck"]),
            id["first"]: node(5, selection=id["deck"], index=id["zero"]),
            id["zero"]: node(9, value=0),
            id["of first"]: node(6, operator=1, ident=id["first"], property="rank"),
            id["ranks"]: node(6, operator=2, ident=id["deck"], property="rank"),
            id["sum"]: node(10, operator=0, lval=id["size"], rval=id["of first"]),
            id["any"]: node(11, operator=0, set=id["deck"], component=id["both"]),
            id["both"]: node(12, operator=0, lval=id["not"], rval=id["is"]),
            id["not"]: node(13, component=id["more"]),
            id["more"]: node(14, operator=1, lval=id["size"], rval=id["zero"]),
            id["is"]: node(15, card_set=id["sorted"], card_rule="1"),
            id["sorted"]: node(2, selection=id["deck"], properties=[]),
            # from here on nothing is used
            id["some cards"]: node(15, card_set="card_1|card_2", card_rule="1"),
            id["by name"]: node(6, operator=0, ident="2", property="score"),
            id["unknown"]: node(3, lval=id["size"], selection=id["deck"], note=id["size"]),
            id["lost"]: {"type": 4, "content": None, "next": id["end"]},
            id["reads ranks"]: node(7, selection=id["ranks"]),
            id["bare"]: {"type": 19},
            id["far"]: node(101, next_true=id["lost"], parameter=[id["zero"], "7"]),
        }  # fmt: skip

    names = [
        "call", "sort", "deal", "set", "branch", "play", "choose", "end", "deck", "size", "first", "zero", "of first",
        "ranks", "sum", "any", "both", "not", "more", "is", "sorted", "some cards", "by name", "unknown", "lost",
        "reads ranks", "bare", "far",
    ]  # fmt: skip
    numbers = {name: str(40 - index) for index, name in enumerate(names)}
    method = {"1": node(25, next="r"), "r": node(26, **{"return": "p"})}
    rules = [in_method({**method}, "p") for _ in range(2)]
    for rule, ids in zip(rules, ({one: one for one in names}, numbers), strict=True):
        design_of(rule)["match_flow"] = flow(ids)
    made = adopt(encoded(rules[0]), encoded(rules[1]))
    expected = flow({one: one for one in names})
    # a field that no component has is not read, so it does not follow
    expected["unknown"]["content"]["note"] = numbers["size"]
    assert match_of(made) == expected
    assert (made.kept, made.added, made.removed) == (14 + 2 + 29, 0, 0)


def test_new_nodes_keep_their_ids_unless_old_has_them() -> None:
    """The id of a node that is gone is not given to another one either: a saved match may still wait there."""
    old = {
        "1": node(17, next="2"),
        "2": step("5", 1, "3"),
        "3": node(21, timer=10, next="4"),
        "4": node(18),
        "5": SCORE,
    }
    new = {
        "1": node(17, next="3"),
        "3": step("4", 1, "7"),
        "7": step("8", 4, "2"),
        "2": node(22, timer=20, options=[3], next="6"),
        "6": node(18),
        "4": SCORE,
        "8": TOTAL,
    }
    made = adopt(encoded(in_match(old)), encoded(in_match(new)))
    result = match_of(made)
    assert result["2"] == step("5", 1, "7")
    assert result["7"] == step("8", 4, "6")
    assert result["6"] == node(22, timer=20, options=[3], next="4")
    assert "3" not in result
    assert list(made.notes) == []


def test_twins_that_nothing_refers_to_are_told_apart_by_their_place() -> None:
    def twin(x: int) -> Json:
        return {"type": 8, "content": {"value": 0}, "position": {"x": x, "y": 0}}

    tail = {"1": node(17, next="e"), "e": node(18)}
    old = {**tail, "a": twin(1), "b": twin(2), "c": twin(3)}
    new = {
        "1": node(17, next="9"),
        "9": node(18),
        "3": twin(3),
        "4": twin(1),
        "2": twin(2),
    }
    assert match_of(adopt(encoded(in_match(old)), encoded(in_match(new)))) == old


def test_a_cardset_put_in_front_moves_no_ids_of_nodes() -> None:
    old = json.loads((RULES / "qiang_duizi.json").read_bytes())
    new = renumbered(old, random.Random(4))
    design = design_of(new)
    ids = {id: str(int(id) + 100) for id in design["cardsets"]}
    _shift_cardsets(new, ids)
    first = copy_of(design["cardsets"]["101"]) | {"name": "in front"}
    design["cardsets"] = {"100": first, **design["cardsets"]}
    expected = copy_of(old)
    _shift_cardsets(expected, ids)
    made = adopt(encoded(old), encoded(new))
    result = json.loads(made.data)
    assert design_of(result)["cardsets"].pop("100")["build_flow"] == first["build_flow"]
    assert result == expected
    # the order of nodes is that of the same cardset too, although it is called otherwise
    for id, shifted in ids.items():
        before = design_of(old)["cardsets"][id]["build_flow"]
        assert list(before) == list(
            design_of(result)["cardsets"][shifted]["build_flow"]
        )
    assert made.removed == 0


def _shift_cardsets(rule: Json, ids: dict[str, str]) -> None:
    """Give all cardsets other ids, as a builder does that numbers them."""
    design = design_of(rule)
    for _, flow, _ in flows_of(rule):
        for one in flow.values():
            if one["type"] == 15:
                one["content"]["card_rule"] = ids[one["content"]["card_rule"]]
    for one in design["cardsets"].values():
        one["successors"] = [ids[successor] for successor in one["successors"]]
    design["cardsets"] = {ids[id]: one for id, one in design["cardsets"].items()}


def test_a_method_that_was_renamed_keeps_its_nodes() -> None:
    flow = {"1": node(25, next="r"), "r": node(26, **{"return": "v"}), "v": SCORE}
    exported = {"1": node(25, next="3"), "3": node(26, **{"return": "2"}), "2": SCORE}
    old, new = in_method(flow), in_method(exported)
    methods = design_of(new)["classes"]["table"]["methods"]
    methods["ask again"] = methods.pop("ask")
    made = design_of(json.loads(adopt(encoded(old), encoded(new)).data))
    assert made["classes"]["table"]["methods"]["ask again"]["flow"] == flow


def test_comparisons_are_found_by_the_cardsets_they_compare() -> None:
    def rule(first: str, second: str, yes: str, no: str) -> Json:
        made = in_compare({})
        design = design_of(made)
        design["cardsets"]["2"] = copy_of(design["cardsets"]["1"]) | {"name": "Other"}
        wins: Flow = {"1": node(29, next=yes), yes: node(30, result=0)}
        loses: Flow = {"1": node(29, next=no), no: node(30, result=1)}
        sides = {"cardsetA": "Single", "cardsetB": "Other"}
        back = {"cardsetA": "Other", "cardsetB": "Single"}
        design["cardset_comparisons"] = {
            first: {**sides, "compare_flow": wins},
            second: {**back, "compare_flow": loses},
        }
        return made

    made = adopt(
        encoded(rule("1", "2", "yes", "no")), encoded(rule("2", "1", "2", "2"))
    )
    result = design_of(json.loads(made.data))["cardset_comparisons"]
    assert list(result["2"]["compare_flow"]) == ["1", "yes"]
    assert list(result["1"]["compare_flow"]) == ["1", "no"]


@pytest.mark.parametrize("flow", [None, {}])
def test_flows_that_are_not_there_are_left_alone(flow: object) -> None:
    old, new = copy_of(TINY), copy_of(TINY)
    for rule in (old, new):
        design = design_of(rule)
        design["cardsets"]["1"]["compare_flow"] = flow
        design["cardset_comparisons"] = {
            "x": {"cardsetA": "Single", "cardsetB": "Single", "compare_flow": flow}
        }
    made = adopt(encoded(old), encoded(new))
    assert json.loads(made.data) == old


def test_a_rule_without_metadata_adopts_from_one_with() -> None:
    """The design is the same; the document around it is that of NEW."""
    bare = design_of(copy_of(TINY))
    made = adopt(encoded(TINY, indent=2), encoded(bare), new_name="tiny.json")
    assert json.loads(made.data) == bare
    assert (made.kept, made.added, made.removed) == (18, 0, 0)
