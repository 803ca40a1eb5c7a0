"""What the front asks where a name names nothing: did you mean …? And the misspelled keys that it finds.

One slip gives one diagnostic, in both languages; names that look like nothing are not guessed at.
"""

# ruff: noqa: E501 -- the tables hold one case a line

from __future__ import annotations

import time
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealwright.compiler.checks import meant
from dealwright.compiler.diagnostics.spelling import MOST_LOOKS, Speller, distance
from tests.front.small import DELETE, branch, codes, edited, node, said

Edits: TypeAlias = dict[str, Any]

M, E = "match_flow", "end_flow"
B, C = "cardsets/1/build_flow", "cardsets/1/compare_flow"
TWICE = "classes/player/methods/twice"
ROUND = f"{M}/round/content"


def asks(cardset: str) -> Any:
    return node(15, card_set="cards", card_rule=cardset)


def reads(**content: Any) -> Edits:
    """The assignment reads a property."""
    return {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, **content)}


# code, the slip, what the remedy asks in English and in Chinese
QUESTIONS: list[tuple[str, Edits, str, str]] = [
    ("R121", {f"{M}/deal/content/next": "paly"}, "'play'", "'play'"),
    ("R204", {f"{B}/yes/type": 26}, "28 (build result)", "28（牌型构建返回）"),
    ("R204", {f"{M}/end/type": 24, f"{M}/end/content/result": 1}, "18 (finish)", "18（进入结算）"),
    ("R121", {f"{M}/deal/content/next": "Play"}, "'play'", "'play'"),
    ("R121", {f"{B}/if/content/next_true": " yes"}, "'yes'", "'yes'"),
    ("R304", {f"{B}/if/content/condition": "iS"}, "'is'", "'is'"),
    ("R304", {f"{B}/size/content/selection": "crads"}, "'cards'", "'cards'"),
    ("R304", {f"{C}/a0/content/selection": "牌型"}, "'牌型A'", "'牌型A'"),
    ("R304", {f"{M}/set/content/rvalue": "player 1"}, "'player_1'", "'player_1'"),
    ("R304", {f"{M}/set/content/rvalue": "Table_0"}, "'table_0'", "'table_0'"),
    ("R304", {f"{TWICE}/parameters/num": {}, f"{M}/twice/content/parameter": [1, 2], f"{TWICE}/flow/sum/content/rval": "nmu"}, "'num'", "'num'"),
    ("R209", {f"{M}/call/content/method": "Add"}, "'add'", "'add'"),
    ("R209", {f"{M}/call/content/object": "table_0"}, "that of the class player, which has 'add'", "类 player 的 'add'"),
    ("R210", {f"{B}/is": asks("对")}, "'2', the id of '对'", "'2'（'对' 的 id）"),
    ("R210", {f"{B}/is": asks("2 ")}, "'2'", "'2'"),
    ("R211", {f"{M}/call/content/object": "player"}, "'玩家'", "'玩家'"),
    ("R211", {f"{M}/call/content/object": "player1"}, "'player_1'", "'player_1'"),
    ("R211", {f"{M}/call/content/object": "plyer_1"}, "'player_1'", "'player_1'"),
    ("R212", {f"{ROUND}/ident": "table"}, "'table_0'", "'table_0'"),
    ("R212", {f"{ROUND}/ident": "tabel_0"}, "'table_0'", "'table_0'"),
    ("R206", {f"{M}/set/content/component": "ruond"}, "'round'", "'round'"),
    ("R310", reads(operator=0, ident="player_", property="分"), "", ""),
    ("R310", reads(operator=0, ident="players", property="分"), "'玩家'", "'玩家'"),
    ("R310", reads(operator=0, ident="crad 2", property="点数"), "'card_2'", "'card_2'"),
    ("R310", reads(operator=0, ident="card[2]", property="点数"), "'card_2'", "'card_2'"),
    ("R316", reads(operator=0, ident="玩家", property="手牌"), "'手牌数'", "'手牌数'"),
    ("R316", reads(operator=0, ident="card_1", property="分"), "that of the class player, which has '分'", "类 player 的 '分'"),
    ("R316", {f"{M}/deal/content/prop_pair/0": {"prop_name": "点 数", "lower_bound": 0}}, "'点数'", "'点数'"),
    ("R316", {f"{B}/yes/content/properties": {"权种": 1}}, "'权重'", "'权重'"),
    ("R322", {"cardset_comparisons/1/cardsetA": "2"}, "'对', the name of '2'", "'对'（'2' 的名字）"),
    ("R323", {"cardsets/2/successors": ["单"]}, "'1', the id of '单'", "'1'（'单' 的 id）"),
    ("R116", {"classes/table/user_properties/轮/type": "Integer"}, "'int'", "'int'"),
    ("R116", {"classes/card/default_properties/点数/type": "string"}, "'enum'", "'enum'"),
    ("R116", {"classes/table/user_properties/轮/type": "string"}, "'int'", "'int'"),
    ("R125", {f"{B}/is/content/operator": "0"}, "0", "0"),
    ("R125", {f"{C}/gt/content/operator": ">="}, "3", "3"),
    ("R125", {f"{TWICE}/flow/sum/content/operator": "加"}, "0", "0"),
    ("R130", {f"{M}/set/type": "4"}, "4", "4"),
    ("R130", {f"{M}/set/type": "４"}, "4", "4"),
    ("R130", {f"{M}/set/type": 4.0}, "4", "4"),
    ("R130", {f"{M}/set/type": "赋值"}, "4", "4"),
    ("R116", {"classes/card/default_properties/点数/type": "enmu"}, "'enum'", "'enum'"),
    ("R304", {f"{M}/set/content/rvalue": "卡牌池"}, "a component 6 that reads '卡牌池' of the class table", "读取类 table 的 '卡牌池' 的组件 6"),
    ("R304", {f"{M}/set/content/rvalue": "１"}, "the number 1 without quotes", "不加引号的数字 1"),
    ("R304", {f"{M}/set/content/rvalue": "１２", f"{M}/12": node(8, value=3)}, "'12'", "'12'"),
    ("R304", {f"{B}/size/content/selection": "１２"}, "", ""),
    ("R304", {f"{M}/set/content/rvalue": "three ", f"{M}/three": node(8, value=3)}, "'three'", "'three'"),
    ("R304", {f"{M}/set/content/rvalue": " three", f"{M}/three": node(8, value=3)}, "'three'", "'three'"),
    ("R206", {f"{M}/set/content/component": "plya"}, "", ""),
    ("R212", {f"{ROUND}/ident": "ｔable_0"}, "'table_0'", "'table_0'"),
    ("R310", reads(operator=0, ident="玩 家", property="分"), "'玩家'", "'玩家'"),
    ("R335", {f"{M}/play": node(22, "set", options=["是"])}, '{"name": "是", "value": 0}', '{"name": "是", "value": 0}'),
    ("R223", {f"{M}/deal/content/prop_pair/0": {"prop_name": "点 数", "lower_bound": 1}}, "'点数'", "'点数'"),
    # cards have neither the number of cards in a hand nor a round
    ("R223", {f"{M}/deal/content/prop_pair/0": {"prop_name": "手牌数", "lower_bound": 1}}, "", ""),
    ("R316", {f"{M}/deal/content/prop_pair/0": {"prop_name": "手牌数", "lower_bound": 0}}, "", ""),
    ("R316", {f"{B}/size/content/selection": "sorted", f"{B}/sorted": node(2, selection="cards", properties=[{"name": "轮"}])}, "", ""),
]  # fmt: skip


@pytest.mark.parametrize(("code", "edits", "en", "zh"), QUESTIONS)
def test_did_you_mean(code: str, edits: Edits, en: str, zh: str) -> None:
    # what an edit has replaced is unused
    (found,) = (one for one in said(edited(edits)) if one.code != "R401")
    assert found.code == code
    if not en:
        assert "did you mean" not in found.remedy_en
        return
    assert found.remedy_en.startswith(f"did you mean {en}? If not, ")
    # only what is no Chinese word stands apart
    space = "" if "\u4e00" <= zh[0] <= "\u9fff" else " "
    assert found.remedy_zh.startswith(f"是否指{space}{zh}？若不是，")


@pytest.mark.parametrize(
    "edits",
    [
        {f"{M}/deal/content/next": "99"},
        {f"{M}/set/content/rvalue": "12x"},
        {f"{M}/set/content/rvalue": "somewhere"},
        {f"{M}/n_12": node(8, value=1), f"{M}/set/content/rvalue": "n_13"},
        {f"{B}/is": asks("7")},
    ],
)
def test_nothing_is_guessed(edits: Edits) -> None:
    assert all("did you mean" not in one.remedy_en for one in said(edited(edits)))


# what is misspelled and what nothing else is said about: edits and the keys that are named
KEYS: list[tuple[str, Edits, str, str]] = [
    ("R336", {f"{B}/is/content/lval": DELETE, f"{B}/is/content/lvla": "size"}, "lvla", "lval"),
    ("R336", {f"{B}/is/content/operator": DELETE, f"{B}/is/content/op": 0, f"{B}/is/content/opperator": 0}, "opperator", "operator"),
    ("R134", {f"{ROUND}/property": DELETE, f"{ROUND}/propert": "轮"}, "propert", "property"),
    ("R134", {f"{ROUND}/operator": DELETE, f"{ROUND}/oprator": 1, f"{ROUND}/ident": "me", f"{M}/me": node(6, operator=1, ident="1", property="牌桌")}, "oprator", "operator"),
    ("R336", {f"{M}/round/content/operator": DELETE, f"{M}/round/content/oprator": 0}, "oprator", "operator"),
    ("R336", {"classes/player/user_properties": DELETE, "classes/player/user_property": {"分": {"type": "int"}}}, "user_property", "user_properties"),
    ("R336", {"cardsets/1/properties": DELETE, "cardsets/1/propertys": {"权重": {"type": "int"}}, f"{B}/yes/content/properties": {"权重": 1}}, "propertys", "properties"),
    ("R336", {"cardset_comparisons/1/cardsetA": DELETE, "cardset_comparisons/1/cardset_A": "对"}, "cardset_A", "cardsetA"),
    ("R336", {f"{TWICE}/parameters": DELETE, f"{TWICE}/params": {"n": {}}}, "params", "parameters"),
    ("R336", {"classes/card/user_properties": {"x": {"type": "enum", "config": [{"val": 1}, {"value": 2}]}}}, "val", "value"),
    ("R336", {"classes/card/user_properties": {"x": {"type": "enum", "choices": [{"value": 1}]}}}, "choices", "config"),
    ("R336", {f"{M}/deal/content/prop_pair/0": {"property": "点数", "lower_bound": 1}}, "property", "prop_name"),
    ("R336", {f"{M}/deal/content/prop_pair/0": {"name": "点数", "min": 1}}, "name", "prop_name"),
    ("R336", {f"{M}/deal/content/prop_pair/0": {"prop_name": "点数", "min": 1}}, "min", "lower_bound"),
    ("R336", {f"{TWICE}/flow/end/content": {"result": "sum"}}, "result", "return"),
    ("R336", {f"{B}/is/content": {"operator": 0, "left": "size", "rval": 1}}, "left", "lval"),
    ("R134", {"classes/card/default_properties/花色": {"type": "enum", "values": [{"value": 0}, {"value": 1}]}, f"{M}/deal/count": 6}, "values", "config"),
    ("R134", {f"{TWICE}/flow": DELETE, f"{TWICE}/content": {"1": node(25)}}, "content", "flow"),
    ("R134", {f"{M}/set/content/next": DELETE, f"{M}/set/content/下一步": "call"}, "下一步", "next"),
    ("R134", {"classes/player/methods": DELETE, "classes/player/method": {}}, "method", "methods"),
    ("R134", {"classes/card/default_properties": DELETE, "classes/card/defaultProperties": {"点数": {"type": "int"}}}, "defaultProperties", "default_properties"),
    ("R134", {"cardsets": DELETE, "cardset": {"1": {"name": "单", "build_flow": {"1": node(27)}}}}, "cardset", "cardsets"),
    ("R134", {f"{M}": DELETE, "match_flows": {"1": node(17, "2"), "2": node(18)}}, "match_flows", "match_flow"),
    ("R134", {f"{B}": DELETE, "cardsets/1/build": {"1": node(27, "2"), "2": node(28, result=1)}}, "build", "build_flow"),
    ("R134", {f"{E}/1/content/next": DELETE, f"{E}/1/content/nex": "end"}, "nex", "next"),
    ("R134", {f"{M}/set/content/component": DELETE, f"{M}/set/content/compnent": "round"}, "compnent", "component"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "edits", "key", "wanted"), KEYS)
def test_misspelled_key(code: str, edits: Edits, key: str, wanted: str) -> None:
    """It is named once, and what follows from it is not told as well."""
    found = [one for one in said(edited(edits)) if f"'{key}'" in one.message_en]
    assert [one.code for one in found] == [code]
    assert f"'{wanted}'" in found[0].message_en
    assert f"'{wanted}'" in found[0].remedy_zh
    others = {one.code for one in said(edited(edits))} - {code}
    # R322 to R326 speak of what the edits leave out, not of the key
    assert others <= {"R322", "R323", "R325", "R326"}, others


@pytest.mark.parametrize(
    "edits",
    [
        {f"{M}/end": {"type": 18, "comment": "over", "note": "x", "text": "next"}},
        {f"{M}/deal/content/comments": [], f"{M}/deal/content/label": "count"},
        {"classes/monsters": {}, "cardsets/1/builds": {}, "matches": {}},
        {f"{B}/is/content/lvla": "size", f"{M}/set/nxet": "call"},
        # an int has no values to choose from
        {"classes/table/user_properties/x": {"type": "int", "options": [1, 2]}},
        {"classes/table/user_properties/x": {"type": "int", "confg": [1, 2]}},
        {f"{M}/end/content": {"nex": "1"}, f"{M}/scratch": {"type": 14, "lval": 1}},
    ],
)
def test_unknown_keys_are_nobodys_business(edits: Edits) -> None:
    """Contract, section 1: they are accepted without complaint, unless a known one is missing that they look like."""
    assert set(codes(edited(edits))) <= {"R401"}


def test_nodes_that_may_be_meant_are_not_called_unused() -> None:
    wrong = {f"{B}/is/content/lval": "sise"}
    assert codes(edited(wrong)) == ["R304"]
    far = {f"{B}/is/content/lval": "elsewhere"}
    assert codes(edited(far)) == ["R401", "R304"]


def test_misspelled_methods_of_two_calls_are_refused_once() -> None:
    edits = {
        "classes/player/methods": DELETE,
        "classes/player/methodes": {},
        f"{M}/again": node(1, "end", object="玩家", method="more"),
        f"{M}/call/content/next": "again",
    }
    assert codes(edited(edits)) == ["R134"]


def test_beside_the_content() -> None:
    wrong = {
        f"{B}/if": {
            "type": 16,
            "condition": "is",
            "next_true": "yes",
            "next_false": "no",
        }
    }
    (found,) = said(edited(wrong))
    assert found.code == "R338"
    assert "'condition'" in found.message_en
    assert (
        codes(edited({f"{B}/if": {**branch("is", "yes", "no"), "condition": "x"}}))
        == []
    )


def plain_distance(one: str, other: str) -> int:
    """The same by its definition: the first letters agree, or one of four slips was made."""
    if not one or not other:
        return len(one) + len(other)
    slips = [
        plain_distance(one[1:], other) + 1,
        plain_distance(one, other[1:]) + 1,
        plain_distance(one[1:], other[1:]) + (one[0] != other[0]),
    ]
    if len(one) > 1 and len(other) > 1 and (one[0], one[1]) == (other[1], other[0]):
        slips.append(plain_distance(one[2:], other[2:]) + 1)
    return min(slips)


@given(st.text("abc", max_size=5), st.text("abc", max_size=5))
def test_distance(one: str, other: str) -> None:
    assert distance(one, other) == distance(other, one) == plain_distance(one, other)


NEAR = [
    ("sise", ["is", "size", "side"], "size"),
    ("Player", ["play", "player"], "player"),
    ("next_ture", ["next_false", "next_true"], "next_true"),
    ("点数", ["点数值", "牌数"], "点数值"),
    ("ｐlay", ["play"], "play"),
    ("to", ["is", "ot"], "ot"),
    ("text", ["next"], None),
    ("12", ["13", "21"], None),
    ("a1b", ["a2b"], None),
    ("", ["a"], None),
    ("x", ["y", "X"], "X"),
    ("a" * 41, ["a" * 40], None),
]


@pytest.mark.parametrize(("name", "known", "near"), NEAR)
def test_nearest(name: str, known: list[str], near: str | None) -> None:
    assert Speller().nearest(name, known) == near


def test_guessing_ends() -> None:
    """A file of many names and many slips is not compared all with all."""
    speller = Speller()
    known = [f"node_{letter * 20}{n}" for n in range(1000) for letter in "abcdefghij"]
    began = time.perf_counter()
    for n in range(1000):
        speller.nearest(f"nod_{'k' * 20}{n}", known)
    assert speller.looks == 0 or speller.compared == 0 or speller.looks < MOST_LOOKS
    assert time.perf_counter() - began < 5
    assert Speller(looks=0).nearest("sise", ["size"]) is None


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("player1", "'player_1'"),
        ("player2", "'player_1' (seats are numbered from 0)"),
        ("plyer 2", "'player_1' (seats are numbered from 0)"),
        ("player3", ""),
    ],
)
def test_a_player_who_is_there_is_meant(written: str, asked: str) -> None:
    """Of two players the one that is called player2 is player_1, if anybody."""
    design = edited({f"{M}/set/content/rvalue": written})
    rule = {"meta": {"playerCount": 2}, "design": design}
    (found,) = (one for one in said(rule) if one.code != "R401")
    assert found.code == "R304"
    assert ("did you mean" in found.remedy_en) == bool(asked)
    assert found.remedy_en.startswith(f"did you mean {asked}?" if asked else "correct")


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        (["player1", "player2"], ["player_0", "player_1"]),
        (["Player 1", "玩家 ２"], ["player_0", "player_1"]),
        (["player0", "player1"], ["player_0", "player_1"]),
        (["player0", "player2"], ["player_0", "player_1"]),
        (["player1", "player1"], ["player_1", "player_1"]),
    ],
)
def test_players_are_counted_as_the_others_of_the_flow(
    written: list[str], asked: list[str]
) -> None:
    """Who names player2 of two counts from 1, unless there is a player0 too."""
    design = edited(
        {
            f"{M}/twice": DELETE,
            f"{M}/set/content/rvalue": "sum",
            f"{M}/sum": node(10, operator=0, lval=written[0], rval=written[1]),
        }
    )
    rule = {"meta": {"playerCount": 2}, "design": design}
    found = [one.remedy_en for one in said(rule) if one.code == "R304"]
    for one, name in zip(found, asked, strict=True):
        assert one.startswith(f"did you mean '{name}'")


def test_the_players_of_a_flow_are_counted_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many references name players wrong: else a large rule would take quadratic time."""
    asked = list[object]()
    count = meant._seats_named
    monkeypatch.setattr(
        meant, "_seats_named", lambda context: asked.append(context) or count(context)
    )
    names = {
        f"{M}/p{number}": node(10, operator=0, lval=f"p{number - 1}", rval="player1")
        for number in range(1, 50)
    }
    design = edited(
        {f"{M}/set/content/rvalue": "p49", f"{M}/p0": node(8, value=1), **names}
    )
    rule = {"meta": {"playerCount": 2}, "design": design}
    assert sum(one.code == "R304" for one in said(rule)) == 49
    assert len(asked) == 1


SORT: Edits = {f"{M}/s": node(2, selection="play")}

# code, what is cut, the value that may have been connected, if it is clear which
EMPTY: list[tuple[str, Edits, str | None]] = [
    ("R302", {f"{B}/if/content/condition": ""}, "is"),
    ("R302", {f"{B}/if/content/condition": "  "}, "is"),
    ("R303", {f"{B}/is/content/lval": ""}, "size"),
    # calls and sorts are values too
    ("R303", {f"{M}/set/content/rvalue": None}, "twice"),
    ("R303", {f"{M}/set/content/rvalue": "n", f"{M}/n": node(7), f"{M}/twice": DELETE, **SORT}, "s"),
    # two things are left over
    ("R303", {f"{B}/is/content/lval": "", f"{B}/other": node(7, selection="cards")}, None),
    ("R303", {f"{M}/set/content/rvalue": None, **SORT}, None),
    # two things are empty
    ("R303", {f"{B}/is/content/lval": "", f"{B}/size/content/selection": "", f"{B}/if/content/condition": "o",
              f"{B}/o": node(13, component="is"), f"{B}/is/content/rval": "size"}, None),
    # it would need itself
    ("R303", {f"{B}/is/content/lval": "", f"{B}/size": node(14, operator=0, lval="is", rval=1)}, None),
    # something is empty in it
    ("R303", {f"{B}/is/content/lval": "", f"{B}/size": node(6, operator=1, ident="cards", property="")}, None),
    # no reference can name it
    ("R303", {f"{B}/is/content/lval": "", f"{B}/size": DELETE, f"{B}/card_1": node(8, value=1)}, None),
    # a number is no collection, a constant no condition, a start no value
    ("R303", {f"{B}/size/content/selection": "", f"{B}/k": node(8, value=1)}, None),
    ("R302", {f"{B}/if/content/condition": "", f"{B}/is": DELETE, f"{B}/size": node(8, value=1)}, None),
    ("R302", {f"{B}/if/content/condition": "", f"{B}/is": DELETE, f"{B}/size": node(29)}, None),
]  # fmt: skip


@pytest.mark.parametrize(("code", "cut", "left"), EMPTY)
def test_the_value_that_is_left_over_may_be_connected(
    code: str, cut: Edits, left: str | None
) -> None:
    found = next(one for one in said(edited(cut)) if one.code == code)
    if left is None:
        assert found.remedy_en.startswith(("connect a value", "connect a condition"))
    else:
        assert found.remedy_en.startswith(f"connect '{left}', which nothing uses")
        assert f"未被使用的 '{left}'" in found.remedy_zh


@pytest.mark.parametrize(
    ("edits", "wrong"),
    [
        # the node itself, one without a value, one that needs this one
        ({f"{B}/is/content/lval": "is_"}, "R304"),
        ({f"{B}/is/content/lval": "yes_"}, "R304"),
        ({f"{B}/size/content/selection": "is_"}, "R304"),
        ({f"{M}/set/content/next": "set_"}, "R121"),
    ],
)
def test_what_cannot_stand_there_is_not_meant(edits: Edits, wrong: str) -> None:
    found = next(one for one in said(edited(edits)) if one.code == wrong)
    assert "did you mean" not in found.remedy_en
