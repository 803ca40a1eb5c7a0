"""One mistake is told once: what could not be read is not missed, and what hangs on a broken jump is not called unused.

Each edit below is one slip, and exactly one diagnostic follows. Two slips still give two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import pytest

from dealwright.compiler.front import read_rule
from tests.front.small import (
    DELETE,
    branch,
    codes,
    edited,
    node,
    said,
    size_is,
    small,
    text_of,
)

Edits: TypeAlias = dict[str, Any]

M, E = "match_flow", "end_flow"
B, C = "cardsets/1/build_flow", "cardsets/1/compare_flow"
PLAYER, CARD = "classes/player", "classes/card"
ADD, TWICE = f"{PLAYER}/methods/add", f"{PLAYER}/methods/twice"
CARDS = f"{CARD}/default_properties"
DEALS = {f"{M}/deal/count": 6}
"""All cards but those of one seat: any card less and the deal is impossible."""
IS_PAIR = {f"{B}/is": node(15, card_set="cards", card_rule="2"), f"{B}/size": DELETE}

ONE: list[tuple[str, Edits]] = [
    # a part of the wrong kind, and others that speak of what it should declare
    ("R117", {"classes": []}),
    ("R117", {"cardsets": [small()["cardsets"]["1"]], f"{M}/set/content/rvalue": "is",
              f"{M}/is": node(15, card_set="cards", card_rule="2"), f"{M}/twice": DELETE}),
    ("R117", {"cardset_comparisons": []}),
    ("R117", {"cardsets/2": [], **IS_PAIR}),
    ("R117", {"cardsets/2": "对"}),
    ("R117", {PLAYER: []}),
    ("R117", {CARD: "cards", **DEALS}),
    ("R117", {f"{PLAYER}/methods": ["add", "twice"]}),
    ("R117", {f"{PLAYER}/methods/add": []}),
    ("R117", {f"{PLAYER}/user_properties": [{"name": "分", "type": "int"}]}),
    ("R117", {f"{PLAYER}/user_properties/分": "int"}),
    ("R117", {"cardsets/1/properties": []}),
    ("R117", {f"{TWICE}/parameters": ["n"]}),
    ("R117", {f"{TWICE}/flow": []}),
    ("R117", {f"{ADD}/parameters": ["n"], f"{ADD}/flow/n": node(6, operator=1, ident="1", property="n"),
              f"{ADD}/flow/sum/content/rval": "n"}),
    ("R117", {CARDS: [], **DEALS}),
    ("R117", {f"{CARDS}/花色": 2, **DEALS}),
    ("R117", {f"{CARDS}/花色/config": {"0": 0, "1": 1}, **DEALS}),
    ("R116", {f"{CARDS}/花色/type": "string", **DEALS}),
    ("R116", {f"{CARDS}/花色/type": "string", f"{M}/set/content/rvalue": "card_6", f"{M}/twice": DELETE}),
    # a type that there is not, and a default of that type
    ("R116", {f"{CARDS}/花色": {"type": "string", "default": "红"}, **DEALS}),
    ("R116", {"classes/table/user_properties/轮": {"type": "boolean", "default": False}}),
    ("R116", {"classes/table/user_properties/轮": {"type": "float", "default": 0.5}}),
    ("R134", {f"{CARDS}/高": {"type": "int", "defualt": 1}, **DEALS,
              f"{M}/deal/content/prop_pair/0": {"prop_name": "高", "lower_bound": 1}}),
    # values that cards do not get, and the deal that they are too few for
    ("R137", {f"{CARDS}/花色/config": ["红", "黑"], **DEALS}),
    ("R137", {f"{CARDS}/花色/config": ["红", "黑"], f"{CARDS}/高": {"type": "enum"}, **DEALS}),
    # so many that nobody counts the cards there might be
    ("R137", {f"{CARDS}/花色/config": ["红"] * 4000, f"{M}/deal/count": 12_001}),
    ("R339", {f"{CARDS}/花色/config": ["红", "黑"]}),
    # the deck of an object that does not exist, sorted
    ("R310", {f"{M}/deal/content/next": "sort", f"{M}/sort": node(2, "play", selection="deck"),
              f"{M}/deck": node(6, operator=0, ident="桌", property="卡牌池")}),
    # a property of the table that is not named, sorted
    ("R341", {f"{M}/deal/content/next": "sort", f"{M}/sort": node(2, "play", selection="deck"),
              f"{M}/deck": node(6, operator=0, ident="table_0", property="")}),
    # what is assigned has no name, and may be whose turn it is
    ("R207", {f"{M}/round/content/property": "本轮应出牌者", f"{M}/set/content/next": "also",
              f"{M}/also": node(4, "call", component="turn", rvalue=1),
              f"{M}/turn": node(6, operator=0, ident="table_0", property="")}),
    ("R207", {f"{M}/round/content/property": "本轮应出牌者", f"{M}/set/content/next": "also",
              f"{M}/also": node(4, "call", component="turn", rvalue=1),
              f"{M}/turn": node(6, operator=0, ident="table_0", property=" ")}),
    # a filter of a deal that lets nothing pass
    ("R223", {f"{M}/deal/content/prop_pair/0/prop_name": "点教"}),
    ("R224", {f"{M}/deal/content/prop_pair/0": {"prop_name": "点数", "lower_bound": 3, "upper_bound": 1}}),
    # a cardset that hides all the others
    ("R326", {f"{B}/no/content/result": 1, "cardsets/3": {"name": "三", "build_flow": size_is(3)}}),
    ("R302", {f"{B}/if": branch("", "no", "yes"), f"{B}/is": DELETE, f"{B}/size": DELETE}),
    # what was connected to it is still there (`test_front_meant` has what is said of it)
    ("R302", {f"{B}/if/content/condition": ""}),
    ("R303", {f"{B}/is/content/lval": ""}),
    ("R303", {f"{M}/set/content/rvalue": None}),
    # a node in which nothing is filled in
    ("R201", {f"{B}/if/content": DELETE, f"{B}/is": DELETE, f"{B}/size": DELETE}),
    ("R201", {f"{B}/if/content": {"condition": "", "next_true": "yes", "next_false": ""}}),
    ("R340", {f"{B}/is/content": DELETE, f"{B}/size": DELETE}),
    ("R340", {f"{B}/is": node(14), f"{B}/size": DELETE}),
    ("R340", {f"{B}/is": node(14, operator=0, lval="", rval=" "), f"{B}/size": DELETE}),
    ("R336", {f"{B}/is": node(14, lvla="size", rval=1, operator=0)}),
    ("R340", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6), f"{M}/twice": DELETE}),
    ("R340", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=1, ident="", property=" "), f"{M}/twice": DELETE}),
    ("R340", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=2, ident="", property=""), f"{M}/twice": DELETE}),
    ("R304", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=2, ident="zzz"), f"{M}/twice": DELETE}),
    ("R341", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=2, ident="play"), f"{M}/twice": DELETE}),
    ("R341", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(2, selection="play", properties=[{"order": 0}]),
              f"{M}/twice": DELETE}),
    ("R342", {f"{M}/call/content/parameter": []}),
    ("R342", {f"{M}/call/content/parameter": [1, ""]}),
    ("R303", {f"{M}/call/content/parameter": [""]}),
    ("R341", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=1, ident="1", property=""), f"{M}/twice": DELETE}),
    ("R341", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=1, ident="c"), f"{M}/twice": DELETE,
              f"{M}/1/content/next": "c", f"{M}/c": node(22, "deal")}),
    ("R212", {f"{M}/round/content": {}}),
    ("R111", {"classes": DELETE}),
    # a flow of another kind
    ("R120", {M: small()[E]}),
    ("R120", {E: {"1": node(17, "ask"), "ask": node(21, "end"), "end": node(18)}}),
    ("R120", {C: small()["cardsets"]["1"]["build_flow"]}),
    ("R111", {CARD: DELETE, **DEALS}),
    ("R111", {CARD: DELETE, PLAYER: None}),
    ("R111", {PLAYER: None}),
    ("R113", {"cardsets/2/name": ""}),
    # no way out
    ("R217", {f"{B}/if/content/next_true": "1", f"{B}/if/content/next_false": "1"}),
    ("R217", {f"{C}/if/content/next_true": "1", f"{C}/if/content/next_false": "1"}),
    # a flow that breaks off
    ("R121", {f"{M}/deal/content/next": "nowhere"}),
    ("R121", {f"{B}/1/content/next": "nowhere"}),
    ("R121", {f"{C}/1/content/next": "nowhere"}),
    ("R123", {f"{M}/deal/content/next": 7}),
    ("R130", {f"{M}/deal": None}),
    ("R130", {f"{M}/deal/type": "20"}),
    ("R128", {f"{M}/deal/content": []}),
    ("R119", {f"{M}/1": DELETE}),
    ("R119", {f"{M}/1": DELETE, f"{M}/start": node(17, "deal")}),
    ("R119", {M: {"nodes": small()[M]}}),
    ("R136", {M: DELETE}),
    ("R136", {M: {}}),
    ("R136", {E: None}),
    ("R136", {B: {}}),
    ("R136", {f"{ADD}/flow": DELETE}),
    ("R202", {f"{M}/deal/content/next": ""}),
    ("R201", {f"{B}/if/content/next_true": ""}),
    ("R201", {f"{B}/if/content": {"condition": "is", "next": "yes"}}),
    ("R337", {f"{M}/play/content/next": "play"}),
    ("R204", {f"{M}/end": node(24)}),
    ("R122", {f"{M}/end/type": 81}),
    ("R204", {f"{B}/yes": node(30, result=0), f"{B}/no": node(8, value=1)}),
    # a name that nothing has, used twice
    ("R212", {f"{M}/round/content/ident": "table", f"{M}/call/content/next": "more",
              f"{M}/more": node(4, "end", component="round", rvalue=1)}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "edits"), ONE)
def test_once(code: str, edits: Edits) -> None:
    assert codes(edited(edits)) == [code]


SHAPE = {"R116", "R117", "R122", "R123", "R124", "R125", "R126", "R127", "R128", "R130"}


def places(
    value: Any, path: tuple[str | int, ...] = ()
) -> Iterator[tuple[str | int, ...]]:
    """Every place of a document but the whole."""
    entries: Any = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        entries = enumerate(value)
    for key, inner in entries:
        yield (*path, key)
        yield from places(inner, (*path, key))


@pytest.mark.parametrize("wrong", [True, 7, 1.5, "zzz", ["zzz"]])
def test_every_part_of_the_wrong_kind_is_told_once(wrong: Any) -> None:
    """Wherever a value of another kind stands: if that is refused for its kind, nothing else is said."""
    told = 0
    for path in places(small()):
        # parts that `small` uses twice are apart in it
        rule = edited({})
        inner: Any = rule
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = wrong
        found = codes(rule)
        if SHAPE & set(found):
            told += 1
            assert len(found) == 1, (path, found)
    assert told > 50


def test_design_of_the_wrong_kind() -> None:
    for design in ([], "x", 5, [small()]):
        rule = {"meta": {"name": "x"}, "design": design}
        assert [one.code for one in said(rule)] == ["R117"]


def test_misspelled_sections_are_read_and_refused() -> None:
    """Everything else in them is told in the same run, at its place in the file."""
    rule = small()
    rule["match_flows"] = rule.pop("match_flow")
    rule["match_flows"]["deal"]["content"]["next"] = "nowhere"
    text = text_of({"meta": {}, "Design": rule})
    found = read_rule(text.encode(), "x.json")[1].diagnostics()
    assert [one.code for one in found] == ["R134", "R134", "R121"]
    assert found[2].place.pointer == "/Design/match_flows/deal/content/next"
    line = text.split("\n")[found[2].place.line - 1]
    assert line[found[2].place.column - 1 :].startswith('"nowhere"')


@pytest.mark.parametrize("type", [5, 6, 10, 11, 12, 14])
@pytest.mark.parametrize("operator", [DELETE, None, 0, 1, "", "0", True, 1.5, [], {}])
def test_nothing_but_an_operator(type: int, operator: Any) -> None:
    """A value in which nothing is filled in, with an operator that it may not even have: no error of ours."""
    content = {} if operator is DELETE else {"operator": operator}
    made = {"type": type, "content": content}
    found = codes(edited({f"{M}/set/content/rvalue": "x", f"{M}/x": made}))
    assert "R340" in found or {"R125", "R309", "R310"} & {*found}


TWO: list[tuple[list[str], Edits]] = [
    (["R116", "R220"], {"classes/table/user_properties/轮/type": "text", f"{M}/deal/count": 7}),
    (["R117", "R209"], {f"{PLAYER}/user_properties": [], f"{M}/call/content/method": "sub"}),
    (["R117", "R223"], {PLAYER: {"methods": small()["classes"]["player"]["methods"], "user_properties": 1},
                        f"{M}/deal/content/prop_pair/0/prop_name": "高"}),
    (["R121", "R401"], {f"{M}/deal/content/next": "nowhere", f"{E}/x": node(8, value=1)}),
    # an operator that there is not, and nothing to compare
    (["R125", "R340"], {f"{B}/is": node(14, operator="x")}),
    # entries that cannot be read are not why no card passes, or why there are too few
    (["R224", "R339"], {f"{CARDS}/花色/config": ["红", {"value": 1}],
                        f"{M}/deal/content/prop_pair/0": {"prop_name": "点数", "lower_bound": 3, "upper_bound": 1}}),
    (["R223", "R339"], {f"{CARDS}/花色/config": ["红", {"value": 1}], f"{M}/deal/content/prop_pair/0/prop_name": "点教"}),
    (["R220", "R339"], {f"{CARDS}/花色/config": ["红", {"value": 1}], f"{M}/deal/count": 7}),
    (["R220", "R339"], {f"{CARDS}/花色/config": ["红", "黑"], f"{M}/deal/count": 7}),
    (["R220", "R339"], {f"{CARDS}/花色/config": ["红", {"value": 1}], f"{M}/deal/count": 4,
                        f"{M}/deal/content/prop_pair/0": {"prop_name": "id", "lower_bound": 4}}),
    (["R220", "R336"], {f"{CARDS}/高": {"type": "int", "defualt": 1}, f"{M}/deal/count": 7}),
    (["R220", "R320", "R339"], {f"{CARDS}/高": {"type": "int", "config": [1, 2]}, f"{M}/deal/count": 7,
                                f"{CARDS}/花色/config": ["红", {"value": 1}]}),
    # a sort that is not of the deck has no effect, whoever has the property
    (["R310", "R333"], {f"{M}/deal/content/next": "sort", f"{M}/sort": node(2, "play", selection="deck"),
                        f"{M}/deck": node(6, operator=0, ident="桌", property="轮")}),
    (["R316", "R333"], {f"{M}/deal/content/next": "sort", f"{M}/sort": node(2, "play", selection="deck"),
                        f"{M}/deck": node(6, operator=0, ident="player_0", property="卡牌池")}),
    # the class that is there is known
    (["R111", "R223"], {PLAYER: DELETE, "classes/table": DELETE, f"{M}/deal/content/prop_pair/0/prop_name": "高"}),
    (["R111", "R112"], {PLAYER: DELETE, "cardsets": {}, "cardset_comparisons": {}}),
]  # fmt: skip


@pytest.mark.parametrize(("found", "edits"), TWO)
def test_two_mistakes_are_two(found: list[str], edits: Edits) -> None:
    assert sorted(codes(edited(edits))) == found


def test_what_is_hidden_comes_out_when_mended() -> None:
    """Nothing that is held back lets a rule through: there is an error as long as something is."""
    impossible = {f"{M}/deal/count": 7}
    hidden = {f"{CARDS}/花色/config": DELETE, f"{CARDS}/花色/conifg": [{"value": 0}]}
    assert codes(edited(impossible)) == ["R220"]
    assert codes(edited(impossible | hidden)) == ["R134"]
    assert codes(edited(hidden | {f"{M}/deal/count": 1})) == ["R336"]


def test_traps() -> None:
    """R337 names the door of each trap, once, and nothing of it where an error may be why."""
    trap = {
        f"{M}/call/content/next": "b",
        f"{M}/b": {"type": 16, "content": {"condition": "round", "next_true": "t1", "next_false": "c"}},
        f"{M}/c": {"type": 16, "content": {"condition": "round", "next_true": "u1", "next_false": "end"}},
        f"{M}/t1": node(21, "t2"),
        f"{M}/t2": node(21, "t1"),
        f"{M}/u1": node(21, "u1"),
    }  # fmt: skip
    found = said(edited(trap))
    assert [(one.code, one.place.node) for one in found] == [
        ("R337", "t1"),
        ("R337", "u1"),
    ]
    assert "R337" not in codes(edited(trap | {f"{M}/end/type": 81}))
    assert codes(
        edited(
            {f"{E}/1/content/next": "x", f"{E}/x": node(19, "x"), f"{E}/end": DELETE}
        )
    ) == ["R337", "R314"]
