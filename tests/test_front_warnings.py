"""Every warning and note of the front: the smallest edit that causes it, and the nearest that does not.

The sentences of the contract, section 1 ("Warn"), are the list. A warning leaves the rule accepted; with
`strict` it counts as a failure, which a note never does.
"""

# ruff: noqa: E501 -- the tables hold one case a line

from __future__ import annotations

from typing import Any, TypeAlias

import pytest

from dealwright.compiler.diagnostics.reporter import CODES, Severity
from dealwright.compiler.front import read_rule
from tests import test_front_refusals as refusals
from tests.front.small import (
    DELETE,
    at,
    branch,
    codes,
    comparison,
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
ADD = "classes/player/methods/add"
ROUND = f"{M}/round/content"
NUMBER = {"type": "int", "default": 0}
PROPERTIES = "classes/table/user_properties"
ALWAYS = {"1": node(27, "yes"), "yes": node(28, result=1)}
VS = "cardset_comparisons"


def reads_play(condition: Any = None) -> Edits:
    """The match flow assigns the first card of the play; with a condition, only after branching on it."""
    first = node(5, selection="play", index=0)
    edits = {
        f"{M}/set/content/rvalue": "first",
        f"{M}/first": first,
        f"{M}/twice": DELETE,
    }
    if condition is None:
        return edits
    return edits | {
        f"{M}/play/content/next": "if",
        f"{M}/if": branch("guard", "set", "call"),
        f"{M}/guard": condition,
    }


def shown_turn(name: str) -> Edits:
    """The match flow assigns 本轮应出牌者, and `name` after it."""
    return {
        f"{ROUND}/property": "本轮应出牌者",
        f"{M}/set/content/next": "also",
        f"{M}/also": node(4, "call", component="turn", rvalue=1),
        f"{M}/turn": node(6, operator=0, ident="table_0", property=name),
    }


TWO_ENDS: Edits = {
    f"{ADD}/flow/1/content/next": "if",
    f"{ADD}/flow/if": branch("n", "set", "other"),
    f"{ADD}/flow/other": node(26, **{"return": "n"}),
}
LEFT_OVER: Edits = {
    f"{ADD}/returns": "int",
    f"{ADD}/flow/size": node(7, selection="手牌"),
}

# code, edits that cause it, edits that do not, the text at the place reported
CASES: list[tuple[str, Edits, Edits, str]] = [
    ("R301", {f"{M}/x": node(3)}, {f"{M}/x": node(8)}, "3"),
    ("R301", {f"{M}/x": {"type": 99}}, {}, "99"),
    ("R302", {f"{B}/if/content/condition": " "}, {f"{B}/if/content/condition": "is"}, '" "'),
    ("R302", {f"{B}/if/content/condition": DELETE}, {}, "{"),
    ("R303", {f"{B}/is/content/rval": ""}, {f"{B}/is/content/rval": 0}, '""'),
    ("R303", {f"{M}/set/content/rvalue": None}, {f"{M}/set/content/rvalue": False}, "null"),
    ("R303", {f"{M}/call/content/parameter": [""]}, {f"{M}/call/content/parameter": []}, '""'),
    # a value is left over that the method may return
    ("R303", LEFT_OVER, {**LEFT_OVER, f"{ADD}/returns": " void "}, "{"),
    ("R303", {**LEFT_OVER, f"{ADD}/flow/end": node(26, **{"return": " "})}, {f"{ADD}/returns": "int"}, '" "'),
    ("R303", {**LEFT_OVER, f"{ADD}/flow/end": node(26, **{"return": ""})},
     {**LEFT_OVER, f"{ADD}/flow/end": node(26, **{"return": "void"})}, '""'),
    # another end returns something
    ("R303", TWO_ENDS, {**TWO_ENDS, f"{ADD}/flow/other": node(26, **{"return": "void"})}, "{"),
    ("R303", TWO_ENDS, {**TWO_ENDS, f"{ADD}/flow/other": node(26, **{"return": ""})}, "{"),
    ("R304", {f"{B}/is/content/rval": "sise"}, {f"{B}/is/content/rval": " TRUE "}, '"sise"'),
    ("R304", {f"{B}/if/content/condition": "A"}, {f"{C}/if/content/condition": "A"}, '"A"'),
    ("R304", {f"{B}/is": node(15, card_set="card_1|x", card_rule="2")}, {f"{B}/is": node(15, card_set="card_1| card_2", card_rule="2")}, '"card_1|x"'),
    ("R305", {f"{B}/size/content/selection": "card_7"}, {f"{B}/size/content/selection": "card_6"}, '"card_7"'),
    ("R306", {f"{M}/call/content/method": " "}, {}, '" "'),
    ("R307", {f"{M}/call/content/parameter": ["7"], f"{M}/7": node(8, value=3)}, {f"{M}/call/content/parameter": [7], f"{M}/7": node(8, value=3)}, '"7"'),
    ("R307", {f"{M}/call/content/parameter": ["1"]}, {f"{M}/call/content/parameter": [" 1"]}, '"1"'),
    ("R308", {f"{B}/is/content/rval": "1"}, {f"{B}/is/content/rval": "+1"}, '"1"'),
    ("R308", {f"{B}/size/content/selection": "1"}, {f"{B}/size/content/selection": "c", f"{B}/c": node(6, operator=1, ident="1", property="传入牌组")}, '"1"'),
    ("R309", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=0, ident="play", property="点数")}, {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=1, ident="play", property="content")}, '"play"'),
    ("R310", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=0, ident="me", property="点数")}, {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=0, ident="玩家", property="分")}, '"me"'),
    ("R310", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=0, property="点数")}, {}, '{'),
    ("R311", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=0, ident="1", property="分")}, {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=0, ident="2", property="分")}, '"1"'),
    ("R312", {f"{M}/玩家": node(8, value=1)}, {f"{M}/A": node(8, value=1)}, '"玩家"'),
    ("R312", {f"{C}/B": node(8, value=1)}, {f"{B}/B": node(8, value=1)}, '"B"'),
    ("R312", {f"{ADD}/flow/n": node(8, value=1)}, {f"{M}/n": node(8, value=1)}, '"n"'),
    ("R312", {f"{M}/player_0": node(8, value=1)}, {}, '"player_0"'),
    ("R313", {f"{B}/1/content/next": "set", f"{B}/set": node(4, "if", component="t", rvalue=1), f"{B}/t": node(6, operator=0, ident="table_0", property="轮")}, {}, '"set"'),
    ("R314", {f"{M}/set/content/next": "b", f"{M}/b": branch("twice", "set", "call")}, {f"{M}/set/content/next": "b", f"{M}/b": branch("twice", "play", "call")}, '"set"'),
    ("R314", {f"{E}/1/content/next": "b", f"{E}/b": branch(0, "b", "end")}, {}, '"b"'),
    ("R315", {f"{M}/set/content/next": "s", f"{M}/s": node(17, "call")}, {}, '"s"'),
    ("R316", {f"{ROUND}/property": "圈"}, {f"{ROUND}/property": "cur_max"}, '"圈"'),
    ("R316", {f"{M}/deal/content/prop_pair": [{"prop_name": "点"}]}, {f"{M}/deal/content/prop_pair": [{"prop_name": " "}]}, '"点"'),
    ("R316", {f"{B}/yes/content/properties": {"重": 1}}, {f"{B}/yes/content/properties": {"权重": 1}}, "1"),
    ("R316", {f"{C}/gt/content/lval": "w", f"{C}/w": node(6, operator=1, ident="1", property="牌型A.重")}, {f"{C}/gt/content/lval": "w", f"{C}/w": node(6, operator=1, ident="1", property="牌型 A.权重")}, '"牌型A.重"'),
    ("R316", {f"{B}/size/content/selection": "s", f"{B}/s": node(2, selection="cards", properties=[{"name": "点"}])}, {f"{B}/size/content/selection": "s", f"{B}/s": node(2, selection="cards", properties=[{"name": "id", "order": 0}])}, '"点"'),
    ("R316", {f"{ROUND}/ident": "player_0"}, {ROUND: {"operator": 0, "ident": "player_0", "property": "赢"}}, '"轮"'),
    ("R317", {f"{PROPERTIES}/player_index": NUMBER}, {"classes/table/default_properties/player_index": NUMBER}, '"player_index"'),
    ("R318", {"classes/player/user_properties/赢": NUMBER}, {}, '"赢"'),
    ("R319", {f"{PROPERTIES}/卡牌池": NUMBER}, {"classes/player/user_properties/卡牌池": NUMBER}, '"卡牌池"'),
    ("R320", {f"{PROPERTIES}/轮/config": [1]}, {f"{PROPERTIES}/轮/config": []}, "["),
    ("R321", {f"{VS}/2": {"cardsetA": "对", "cardsetB": "单", "compare_flow": comparison()}}, {f"{VS}/2": {"cardsetA": "单", "cardsetB": "对", "compare_flow": comparison()}}, '"2"'),
    ("R322", {f"{VS}/1/cardsetA": ""}, {f"{VS}/1/cardsetA": "单"}, '""'),
    ("R322", {f"{VS}/1/cardsetB": "1"}, {}, '"1"'),
    ("R323", {"cardsets/2/successors/0": "单"}, {"cardsets/2/successors/0": "2"}, '"单"'),
    ("R324", {C: {"1": node(29)}}, {C: {}}, "{"),
    ("R324", {f"{VS}/1/compare_flow": {"1": node(29), "2": node(30, result=0)}}, {f"{VS}/1/compare_flow": {}}, "{"),
    ("R325", {B: {"1": node(27)}}, {B: {"1": node(27, "no"), "no": node(28, result=0)}}, "{"),
    ("R326", {B: ALWAYS}, {"cardsets/2/build_flow": ALWAYS}, '"build_flow"'),
    ("R326", {f"{B}/if/content/condition": "true"}, {f"{B}/if/content/condition": "false"}, '"build_flow"'),
    ("R327", shown_turn("轮"), shown_turn("player_index"), '"round"'),
    ("R328", reads_play(), reads_play(node(7, selection="play")), '"first"'),
    ("R328", reads_play(node(14, operator=0, lval="round", rval=1)), reads_play(node(15, card_set="play", card_rule="1")), '"first"'),
    ("R329", {f"{M}/set/content/rvalue": "deal"}, {f"{M}/set/content/rvalue": "play"}, '"deal"'),
    ("R330", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(8, value="1")}, {f"{M}/set/content/rvalue": "x", f"{M}/x": node(9, value=-1)}, '"1"'),
    ("R330", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(9)}, {}, "{"),
    ("R331", {f"{B}/is/content/operator": DELETE}, {f"{B}/is/content/operator": 0}, "{"),
    ("R332", {f"{C}/now/content/result": DELETE}, {}, "{"),
    ("R333", {f"{M}/set/content/next": "s", f"{M}/s": node(2, "call", selection="play")}, {f"{M}/set/content/next": "s", f"{M}/s": node(2, "call", selection="d"), f"{M}/d": node(6, operator=0, ident="table_0", property="卡牌池")}, '"s"'),
    ("R334", {ROUND: {"operator": 0, "ident": "玩家", "property": "手牌数"}}, {ROUND: {"operator": 0, "ident": "玩家", "property": "分"}}, '"round"'),
    ("R335", {f"{M}/deal/count": "2"}, {f"{M}/deal/count": -2}, '"2"'),
    ("R335", {f"{M}/deal/count": True, f"{M}/deal/content/count": 1}, {f"{M}/deal/count": " ", f"{M}/deal/content/count": 1}, "true"),
    ("R335", {f"{M}/deal/content/prop_pair": [{"upper_bound": "3"}]}, {f"{M}/deal/content/prop_pair": [{"upper_bound": 3}]}, '"3"'),
    ("R335", {f"{M}/play": node(22, "deal", options=["1", 2])}, {f"{M}/play": node(22, "deal", options=[1, 2])}, '"1"'),
    ("R335", {f"{M}/play": node(22, "deal", options=[{"name": "yes"}, 2])}, {f"{M}/play": node(22, "deal", options=[{"name": "yes", "value": 1}, 2])}, "{"),
    ("R335", {f"{B}/yes/content/properties": {"权重": "10"}}, {f"{B}/yes/content/properties": {"权重": 10}}, '"10"'),
    ("R335", {f"{M}/play/content/timer": 1.5}, {f"{M}/play/content/timer": None}, "1.5"),
    ("R335", {f"{B}/size/content/selection": "s", f"{B}/s": node(2, selection="cards", properties=[{"name": "id", "order": []}])}, {f"{B}/size/content/selection": "s", f"{B}/s": node(2, selection="cards", properties=[{"name": "id", "order": ""}])}, "["),
    ("R336", {f"{B}/if/content/condition": DELETE, f"{B}/if/content/conditon": "is"}, {f"{B}/if/content/conditon": "is"}, '"conditon"'),
    ("R336", {f"{M}/call/content/parameter": DELETE, f"{M}/call/content/parameters": [2]}, {f"{M}/call/content/comments": [2]}, '"parameters"'),
    ("R336", {f"{M}/deal/content/prop_pair/0": {"prop_name": "点数", "lower": 1, "upper_bound": 3}}, {f"{M}/deal/content/prop_pair/0": {"prop_name": "点数", "lower_bound": 1, "lower": 1}}, '"lower"'),
    ("R336", {"cardsets/2/successors": DELETE, "cardsets/2/sucessors": ["1"]}, {"cardsets/2/sucessors": ["1"]}, '"sucessors"'),
    ("R336", {f"{B}/is/content": DELETE, f"{B}/is/contnet": {"operator": 0}}, {f"{M}/end/contnet": {"x": 0}}, '"contnet"'),
    ("R336", {f"{B}/is/content/rval": DELETE, f"{B}/is/content/right": 1}, {f"{B}/is/content/right": 1}, '"right"'),
    ("R322", {f"{VS}/1": {"compare_flow": comparison()}}, {}, "{"),
    ("R337", {f"{M}/call/content/next": "play"}, {f"{M}/call": branch("round", "play", "end")}, '"1"'),
    ("R337", {f"{M}/call": branch("round", "ask", "end"), f"{M}/ask": node(21, "ask")}, {f"{M}/call": branch("round", "ask", "end"), f"{M}/ask": node(21, "call")}, '"ask"'),
    ("R337", {f"{E}/1/content/next": "mix", f"{E}/mix": node(19, "mix")}, {}, '"1"'),
    ("R338", {f"{B}/is": {"type": 14, "operator": 0, "lval": "size", "content": {"rval": 1}}}, {f"{B}/is/lval": "size"}, '"operator"'),
    ("R339", {"classes/card/default_properties/花色/config": [{"value": 0}, 1]}, {"classes/table/user_properties/x": {"type": "int", "config": []}}, "1"),
    ("R339", {"classes/table/user_properties/x": {"type": "enum", "config": ["红", "黑"]}}, {}, "["),
    ("R340", {f"{B}/is": node(14)}, {f"{B}/is": node(14, operator=0, lval="size", rval=1)}, '"is"'),
    ("R340", {f"{B}/is/content": DELETE}, {}, '"is"'),
    ("R340", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(10, lval="", rval=None)}, {f"{M}/set/content/rvalue": "x", f"{M}/x": node(10, operator=0, lval=1, rval=1)}, '"x"'),
    ("R340", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(5)}, {f"{M}/set/content/rvalue": "x", f"{M}/x": node(5, selection="play", index=0)}, '"x"'),
    ("R341", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=2, ident="play", property="")}, {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=2, ident="play", property="点数")}, '""'),
    ("R341", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=1, ident="y"), f"{M}/y": node(5, selection="play", index=0)}, {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=1, ident="y"), f"{M}/y": node(5, selection="ranks", index=0), f"{M}/ranks": node(6, operator=2, ident="play", property="点数")}, "{"),
    ("R341", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=0, ident="玩家", property=" ")}, {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=1, ident="play", property=" ")}, '" "'),
    ("R341", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=1, ident="card_1", property=None)}, {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=1, ident="y", property=None), f"{M}/y": node(8, value=3)}, "null"),
    ("R341", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=2, ident="s", property=""), f"{M}/s": node(2, selection="play", properties=[])}, {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=2, ident="s", property=""), f"{M}/s": node(2, selection="ranks", properties=[]), f"{M}/ranks": node(6, operator=2, ident="play", property="点数")}, '""'),
    ("R341", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=2, ident="all", property=""), f"{M}/all": node(6, operator=0, ident="table_0", property="玩家池")}, {f"{M}/set/content/rvalue": "x", f"{M}/x": node(6, operator=2, ident="twice", property="")}, '""'),
    ("R341", {f"{M}/set/content/rvalue": "x", f"{M}/x": node(2, selection="play", properties=[{"name": "", "order": 0}])}, {f"{M}/set/content/rvalue": "x", f"{M}/x": node(2, selection="play", properties=[{"name": "点数"}])}, '""'),
    ("R342", {f"{M}/call/content/parameter": []}, {f"{M}/call/content/parameter": [""]}, "[]"),
    ("R342", {f"{M}/call/content/parameter": DELETE}, {f"{M}/call/content/method": ""}, "{"),
    ("R342", {f"{M}/twice/content/parameter": ["round", 2]}, {}, "["),
    ("R401", {f"{M}/x": node(8, value=1)}, {}, '"x"'),
    ("R402", {"extensions": {"version": 1}}, {"other": {"version": 1}}, '"extensions"'),
]  # fmt: skip


@pytest.mark.parametrize(
    ("edits", "text"),
    [
        ({f"{M}/call/content/parameter": []}, "the method 'add' takes 1 argument, but the call gives none: 'n' gets none (0, false)"),
        ({f"{M}/call/content/parameter": [1, 2, 3]}, "the method 'add' takes 1 argument, but the call gives 3: what is too many is ignored"),
        ({f"{M}/call/content/parameter": [], "classes/player/methods/add/parameters/m": {}}, "the method 'add' takes 2 arguments, but the call gives none: 'n', 'm' get none (0, false)"),
        ({f"{M}/call/content/method": "nop", "classes/player/methods/nop": {"flow": {"1": node(25, "e"), "e": node(26)}}}, "the method 'nop' takes no arguments, but the call gives 1: what is too many is ignored"),
    ],
)  # fmt: skip
def test_what_is_said_of_arguments(edits: Edits, text: str) -> None:
    _, reporter = read_rule(text_of(edited(edits)).encode(), "small.json")
    (found,) = (one for one in reporter.diagnostics() if one.code == "R342")
    assert found.message_en == text


@pytest.mark.parametrize(
    ("value", "says", "names"),
    [
        (node(6, operator=0, ident="玩家"), "this reads 0", "'赢', '分'"),
        (node(6, operator=0, ident="table_0"), "this reads 0", "'轮'"),
        (node(6, operator=1, ident="card_1"), "this reads 0", "'点数', '花色'"),
        (node(6, operator=2, ident="play"), "a 0 for each element", "'点数', '花色'"),
        (node(6, operator=1, ident="1"), "this reads none (0, false)", "'牌桌'"),
    ],
)
def test_which_properties_are_proposed(value: Any, says: str, names: str) -> None:
    edits = {f"{M}/set/content/rvalue": "x", f"{M}/x": value}
    _, reporter = read_rule(text_of(edited(edits)).encode(), "small.json")
    (found,) = (one for one in reporter.diagnostics() if one.code == "R341")
    assert found.message_en.endswith(says)
    assert found.remedy_en == f"name the property that is meant: {names}"


def test_of_many_names_some_are_shown() -> None:
    many = {f"n{number}": {"type": "int"} for number in range(200)}
    edits = {"classes/player/methods/add/parameters": many}
    _, reporter = read_rule(text_of(edited(edits)).encode(), "small.json")
    (found,) = (one for one in reporter.diagnostics() if one.code == "R342")
    assert "'n8'" in found.message_en and "'n9'" not in found.message_en
    assert "'n7', …" in found.remedy_en and "'n8'" not in found.remedy_en


def _ids() -> list[str]:
    return [f"{case[0]}-{number}" for number, case in enumerate(CASES)]


@pytest.mark.parametrize(("code", "bad", "good", "text"), CASES, ids=_ids())
def test_warning(code: str, bad: Edits, good: Edits, text: str) -> None:
    rule = edited(bad)
    accepted, reporter = read_rule(text_of(rule).encode(), "small.json")
    everything = reporter.diagnostics()
    found = [one for one in everything if one.code == code]
    assert len(found) == 1, [one.text() for one in everything]
    assert accepted is not None, [one.text() for one in everything]
    assert at(found[0], text_of(rule)).startswith(text)
    is_note = found[0].severity is Severity.NOTE
    assert is_note == code.startswith("R4")
    assert is_note or reporter.failed(strict=True)
    assert code not in codes(edited(good))


def test_deal_by_an_assigned_property() -> None:
    """Cards may be marked before they are dealt, so a filter on a property that the rule assigns says nothing."""
    by_mark = {f"{M}/deal/content/prop_pair": [{"prop_name": "印", "lower_bound": 1}]}
    assert "R223" in codes(edited(by_mark))
    mark = {f"{M}/round/content": {"operator": 0, "ident": "card_1", "property": "印"}}
    assert "R223" not in codes(edited(by_mark | mark))


def test_deal_bounds_narrow_each_other() -> None:
    """All filters on one property count together (contract, section 5, type 20)."""
    pairs = [
        {"prop_name": "点数", "lower_bound": 2},
        {"prop_name": "点数", "upper_bound": 2},
    ]
    assert codes(edited({f"{M}/deal/content/prop_pair": pairs})) == []
    assert codes(
        edited({f"{M}/deal/content/prop_pair": pairs, f"{M}/deal/count": 3})
    ) == ["R220"]


def test_play_read_after_a_skip() -> None:
    """The guard must stand between the play and the card; another wait ends the search, a loop does not."""
    late = reads_play() | {
        f"{M}/set/content/next": "b",
        f"{M}/b": branch("g", "call", "end"),
        f"{M}/g": node(7, selection="play"),
    }
    assert "R328" in codes(edited(late))
    asked = reads_play() | {
        f"{M}/play/content/next": "ask",
        f"{M}/ask": node(22, "set"),
    }
    assert "R328" not in codes(edited(asked))
    copied = {
        f"{M}/first/content/selection": "sorted",
        f"{M}/sorted": node(2, selection="own", properties=[{"name": "点数"}]),
        f"{M}/own": node(6, operator=1, ident="play", property="用户打出的牌组"),
    }
    assert "R328" in codes(edited(reads_play() | copied))
    counted = node(6, operator=1, ident="play", property="content")
    assert "R328" not in codes(edited(reads_play(counted)))


def test_notes_never_fail() -> None:
    reporter = read_rule(text_of(edited({f"{M}/x": node(8, value=1)})).encode())[1]
    assert [one.code for one in reporter.diagnostics()] == ["R401"]
    assert not reporter.failed(strict=True)


def test_every_code_has_a_case() -> None:
    reading = {f"R1{number:02}" for number in range(11)}
    # R132, R133, R222 and R403 take large rules: `test_codes`, `test_hostile_input`
    elsewhere = {"R118", "R213", "R132", "R133", "R222", "R403"}
    covered = {case[0] for case in (*CASES, *refusals.CASES)}
    assert covered | reading | elsewhere == set(CODES)


def test_scratch_nodes_may_look_like_anything() -> None:
    """Contract, section 1: anything on scratch nodes except a jump to nowhere."""
    scratch = {
        f"{M}/x1": node(14, operator="?", lval=[], rval=1.5),
        f"{M}/x2": {"type": 24, "content": {"result": "x"}},
        f"{M}/x3": node(15, card_rule=""),
        f"{M}/x4": node(1, object="nobody", method="nothing"),
        f"{M}/x5": node(13, component="x5"),
        f"{M}/x6": {"type": 20, "count": 10**9},
        f"{M}/x7": {"type": 8, "content": None, "position": {"x": -1.5}},
    }
    assert codes(edited(scratch)) == ["R401"] * 7


def test_accepted_without_complaint() -> None:
    """Contract, section 1, the list of what is accepted."""
    for edits in (
        {
            "assets": {"a": [1.5]},
            "classes/unknown": {},
            "match_flow/1/position": {"x": -0.5},
        },
        {"cardset_comparisons": DELETE},
        {"cardsets/1/compare_flow": DELETE, "cardsets/1/properties": DELETE},
        {f"{M}/end/content": None},
        {f"{M}/end/content": DELETE},
        {f"{M}/deal": {"type": 20, "content": {"next": "play", "count": 1}}},
        {f"{M}/deal/next": "play", f"{M}/deal/content/next": ""},
        {f"{M}/deal/count": DELETE},
        {
            "classes/card/default_properties/点数/config": [
                {"id": "x", "display": "A", "value": 1}
            ]
        },
        {f"{M}/play/content/options": "whatever"},
    ):
        rule = edited(edits)
        assert [one.text() for one in said(rule)] == [], edits
    assert said({"meta": {"name": "x"}, "design": small(), "other": 1}) == ()


def test_first_of_two_spots_wins() -> None:
    """`next` and `count` of the node itself win over those in its content (contract, section 1)."""
    rule, _ = read_rule(
        text_of(edited({f"{M}/1/next": "end", f"{M}/deal/content/count": 99})).encode()
    )
    assert rule is not None
    assert rule.match_flow.nodes["1"].next == "end"
    assert rule.match_flow.nodes["deal"].fields["count"] == 2


def test_name_and_players() -> None:
    """Given ones win, then the file's, then the file's name (contract, section 1)."""
    with_meta = text_of(
        {"meta": {"name": "n", "playerCount": 3, "description": "d"}, "design": small()}
    ).encode()
    bare = text_of(small()).encode()
    rule, _ = read_rule(with_meta, "rules/f.json")
    assert rule is not None
    assert (rule.name, rule.players, rule.description) == ("n", 3, "d")
    rule, _ = read_rule(with_meta, "rules/f.json", name="g", players=2)
    assert rule is not None
    assert (rule.name, rule.players) == ("g", 2)
    rule, _ = read_rule(bare, "rules/f.json")
    assert rule is not None
    assert (rule.name, rule.players, rule.description) == ("f", None, "")


def test_order_of_cardsets_and_properties() -> None:
    """Numeric ids first and by number; a user property takes the place of a default one (contract, 1 and 6)."""
    extra = {"name": "x", "build_flow": size_is(3)}
    edits = {
        f"cardsets/{id_}": {**extra, "name": id_} for id_ in ("z", "10", "９", "3")
    }
    user = {"点数": {"type": "int", "default": 7}, "新": NUMBER}
    rule, _ = read_rule(
        text_of(edited(edits | {"classes/card/user_properties": user})).encode()
    )
    assert rule is not None
    assert [one.id for one in rule.cardsets] == ["1", "2", "3", "10", "z", "９"]
    assert [(one.name, one.default) for one in rule.card.properties] == [
        ("点数", 7),
        ("花色", 0),
        ("新", 0),
    ]


def test_extensions_in_either_place() -> None:
    assert codes({"meta": {}, "design": small(), "extensions": {}}) == ["R402"]
    assert codes({"meta": {}, "design": small() | {"extensions": {}}}) == ["R402"]
    assert codes(small() | {"extensions": {}}) == ["R402"]


def test_positions_with_metadata() -> None:
    """Places inside `design` are found too, for the checks that build their own pointers."""
    rule = {"meta": {}, "design": edited({"cardsets/2/successors/0": "单", B: ALWAYS})}
    for one in said(rule):
        assert at(one, text_of(rule)).startswith(
            '"单"' if one.code == "R323" else '"build_flow"'
        )
        assert one.place.pointer.startswith("/design/")
