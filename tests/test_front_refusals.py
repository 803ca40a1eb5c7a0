"""Every refusal of the front: the smallest edit that causes it, the nearest that does not, and the place it points at.

The sentences of the contract, section 1 ("Refuse"), are the list; the edits are made to the valid rule of
`tests/front/small.py`. What is wrong with the bytes themselves is in `test_front_source.py`.
"""

# ruff: noqa: E501 -- the tables hold one case a line

from __future__ import annotations

import json
from typing import Any, TypeAlias

import pytest

from dealwright.compiler.diagnostics.reporter import Severity
from dealwright.compiler.front import read_rule
from tests.front.small import (
    DELETE,
    at,
    branch,
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
TWICE = "classes/player/methods/twice"
ROUND = f"{M}/round/content"
LONG = "9" * 4001
CARD_POINTS = {"operator": 0, "ident": "card_1", "property": "点数"}
# values out of order, and one that two cards of a suit have
SHUFFLED = {
    "classes/card/default_properties/点数/config": [{"value": n} for n in (3, 1, 2, 1)],
    f"{M}/deal/content/prop_pair/0": {"prop_name": "点数", "lower_bound": 0, "upper_bound": 1},
}  # fmt: skip
BIG_ENUM = {"type": "enum", "config": [{"value": n} for n in range(1667)]}

# code, edits that cause it, edits that do not, the text at the place reported
CASES: list[tuple[str, Edits, Edits, str]] = [
    ("R111", {"classes/table": DELETE}, {"classes/table": {}}, '{'),
    ("R111", {"classes/card": None}, {}, "null"),
    ("R112", {"cardsets": {}}, {"cardsets/2": DELETE}, '{'),
    ("R113", {"cardsets/1/name": " "}, {"cardsets/1/name": "x"}, '" "'),
    ("R113", {"cardsets/1/name": DELETE}, {}, "{"),
    ("R114", {"cardsets/2/name": "单"}, {"cardsets/2/name": "双"}, '"单"'),
    ("R115", {"classes/": {}}, {"classes/x": {}}, '"": {}'),
    ("R115", {"classes/table/user_properties/ ": {"type": "int"}}, {"classes/table/user_properties/x": {"type": "int"}}, '" "'),
    ("R115", {"classes/table/methods/ ": {"flow": {"1": node(25)}}}, {"classes/table/methods/x": {"flow": {"1": node(25)}}}, '" "'),
    ("R115", {f"{ADD}/parameters/": {}}, {f"{ADD}/parameters/x": {}}, '""'),
    ("R116", {"classes/table/user_properties/轮/type": "text"}, {"classes/table/user_properties/轮/type": "enum"}, '"text"'),
    ("R116", {"classes/table/user_properties/轮/type": DELETE}, {}, "{"),
    ("R117", {"cardsets/1/successors": {}}, {"cardsets/1/successors": None}, "{}"),
    ("R117", {"cardsets/1/successors": [1]}, {"cardsets/1/successors": ["1"]}, "1"),
    ("R117", {"classes/table/user_properties/轮/default": 0.5}, {"classes/table/user_properties/轮/default": -5}, "0.5"),
    ("R117", {"cardsets": []}, {}, "[]"),
    ("R117", {M: []}, {}, "[]"),
    ("R119", {f"{M}/1": DELETE}, {}, "{"),
    ("R119", {f"{M}/1": DELETE, f"{M}/start": node(17, "deal")}, {f"{M}/start": node(17, "deal")}, '"start"'),
    ("R119", {M: {"nodes": small()[M]}}, {}, '"nodes"'),
    ("R136", {E: {}}, {}, "{}"),
    ("R136", {M: None}, {}, "null"),
    ("R136", {B: DELETE}, {}, "{"),
    ("R119", {"cardsets/2/compare_flow": {"2": node(30, result=0)}}, {"cardsets/2/compare_flow": {}}, "{"),
    ("R136", {f"{TWICE}/flow": None}, {f"{TWICE}/flow": {"1": node(25)}}, "null"),
    ("R120", {f"{M}/1/type": 23}, {f"{M}/1/type": 17}, "23"),
    ("R120", {f"{C}/1/type": 8}, {}, "8"),
    ("R121", {f"{M}/set/content/next": "99"}, {f"{M}/set/content/next": "call"}, '"99"'),
    ("R121", {f"{M}/scratch": {"type": 77, "next": "99"}}, {f"{M}/scratch": {"type": 77, "next": "1"}}, '"99"'),
    ("R121", {f"{M}/end/content/next": "99"}, {f"{M}/end/content/next": ""}, '"99"'),
    ("R121", {f"{B}/if/content/next_true": "99"}, {}, '"99"'),
    ("R122", {f"{M}/set/type": 3}, {f"{M}/scratch": node(3)}, "3"),
    ("R122", {f"{M}/set/type": 101}, {}, "101"),
    ("R123", {f"{M}/set/content/next": 5}, {f"{M}/scratch": {"type": 4, "next": 5}}, "5"),
    ("R124", {f"{M}/set/content/rvalue": 1.5}, {f"{M}/set/content/rvalue": 1}, "1.5"),
    ("R124", {f"{M}/set/content/rvalue": {}}, {f"{M}/set/content/rvalue": True}, "{}"),
    ("R124", {f"{M}/call/content/parameter": [["1"]]}, {f"{M}/call/content/parameter": []}, "["),
    ("R124", {f"{B}/if/content/condition": []}, {f"{M}/scratch": node(16, condition=[])}, "[]"),
    ("R125", {f"{B}/is/content/operator": 5}, {f"{B}/is/content/operator": 4}, "5"),
    ("R125", {f"{B}/is/content/operator": "0"}, {}, '"0"'),
    ("R125", {f"{ROUND}/operator": 3}, {f"{ROUND}/operator": 0}, "3"),
    ("R126", {f"{E}/end/content/result": "1"}, {f"{E}/end/content/result": 1}, '"1"'),
    ("R126", {f"{C}/now/content/result": True}, {f"{C}/now/content/result": 2}, "true"),
    ("R126", {f"{B}/yes/content/result": 1.0}, {}, "1.0"),
    ("R127", {f"{ROUND}/property": 1}, {}, "1"),
    ("R127", {f"{M}/call/content/method": ["add"]}, {}, "["),
    ("R128", {f"{M}/set/content": [1]}, {f"{M}/scratch": {"type": 4, "content": [1]}}, "["),
    ("R128", {f"{M}/deal/content/prop_pair": {}}, {f"{M}/deal/content/prop_pair": None}, "{}"),
    ("R128", {f"{M}/deal/content/prop_pair": [1]}, {}, "1"),
    ("R129", {f"{B}/is": node(15, card_set="cards", card_rule=" ")}, {f"{B}/is": node(15, card_set="cards", card_rule="2")}, '" "'),
    ("R130", {f"{M}/set": None}, {f"{M}/scratch": None}, "null"),
    ("R130", {f"{M}/set/type": "4"}, {f"{M}/scratch": {"type": "4"}}, '"4"'),
    ("R131", {f"{M}/set/content/rvalue": LONG}, {f"{M}/set/content/rvalue": LONG[:4000]}, '"99'),
    ("R131", {f"{M}/round/content/ident": f"player_{LONG}"}, {f"{M}/scratch": node(6, ident=f"player_{LONG}")}, '"player_99'),
    ("R131", {f"cardsets/{LONG}": {"name": "x", "build_flow": size_is(3)}}, {}, '"99'),
    ("R134", {"classes/table": DELETE, "classes/tables": {}}, {"classes/tables": {}}, '"tables"'),
    ("R134", {"cardsets/2/build_flow": DELETE, "cardsets/2/buildFlow": size_is(2)}, {"cardsets/2/buildFlow": size_is(2)}, '"buildFlow"'),
    ("R134", {f"{M}/set": {"Type": 4, "content": {"component": "round", "rvalue": 1, "next": "call"}}}, {f"{M}/scratch": {"Type": 4}}, '"Type"'),
    ("R134", {f"{M}/set/content/next": DELETE, f"{M}/set/content/nxet": "call"}, {f"{M}/set/content/nxet": "call"}, '"nxet"'),
    ("R134", {f"{B}/if/content/next_true": DELETE, f"{B}/if/nextTrue": "yes"}, {f"{B}/if/nextTrue": "yes"}, '"nextTrue"'),
    ("R134", {f"{B}/if/content/next_true": DELETE, f"{B}/if/content/then": "yes"}, {f"{B}/if/content/then": "yes"}, '"then"'),
    ("R134", {f"{M}/set": {"type": 4, "contents": {"component": "round", "rvalue": 1, "next": "call"}}}, {f"{M}/set/contents": {}}, '"contents"'),
    ("R135", {f"{M}/set": {"type": 4, "component": "round", "content": {"rvalue": 1, "next": "call"}}}, {f"{M}/set/component": "round"}, '"component"'),
    ("R137", {"classes/card/default_properties/花色/config": ["红", {"value": 1}], f"{M}/deal/count": 6}, {"classes/card/default_properties/花色/config": ["红", {"value": 1}]}, '"红"'),
    ("R201", {f"{B}/if/content/next_false": ""}, {f"{M}/scratch": branch("", "", "")}, '""'),
    ("R201", {f"{B}/if/content/next_true": DELETE}, {}, "{"),
    ("R202", {f"{M}/set/content/next": ""}, {f"{TWICE}/flow/1/content/next": ""}, '"set"'),
    ("R202", {f"{E}/1/content/next": DELETE}, {}, '"1"'),
    ("R203", {f"{C}/now": node(8, value=1)}, {f"{B}/yes": node(8, value=1)}, '"now"'),
    ("R204", {f"{M}/end/type": 24, f"{M}/end/content/result": 1}, {}, "24"),
    ("R204", {f"{E}/end/type": 18}, {}, "18"),
    ("R204", {f"{B}/yes/type": 30}, {f"{B}/scratch": node(30, result=0)}, "30"),
    ("R204", {f"{TWICE}/flow/end": node(28, result=1)}, {}, "28"),
    ("R204", {f"{C}/1/content/next": "deal", f"{C}/deal": node(20, "if")}, {f"{ADD}/flow/1/content/next": "deal", f"{ADD}/flow/deal": node(20, "set")}, "20"),
    ("R204", {f"{B}/1/content/next": "mix", f"{B}/mix": node(19, "if")}, {f"{E}/1/content/next": "mix", f"{E}/mix": node(19, "end")}, "19"),
    ("R205", {f"{E}/1/content/next": "ask", f"{E}/ask": node(22, "end")}, {f"{E}/1/content/next": "old", f"{E}/old": node(7, "end", selection="ask"), f"{E}/ask": node(21)}, "22"),
    ("R206", {f"{M}/set/content/component": "twice"}, {}, '"twice"'),
    ("R206", {f"{M}/set/content/component": "玩家"}, {}, '"玩家"'),
    ("R206", {f"{M}/set/content/component": ""}, {}, '""'),
    ("R207", {ROUND: {"operator": 1, "ident": "play", "property": "点数"}}, {ROUND: {"operator": 1, "ident": "table_0", "property": "轮"}}, '"round"'),
    ("R207", {ROUND: {"operator": 1, "ident": "7", "property": "轮"}}, {ROUND: {"operator": 1, "ident": "who", "property": "分"}, f"{M}/who": node(5, selection="all", index=0), f"{M}/all": node(6, operator=0, ident="table_0", property="玩家池")}, '"round"'),
    ("R207", {ROUND: {"operator": 0, "ident": "table_0", "property": ""}}, {ROUND: {"operator": 1, "ident": "t", "property": "轮"}, f"{M}/t": node(6, operator=1, ident="1", property="牌桌")}, '""'),
    ("R207", {ROUND: {"operator": 1, "ident": "t", "property": "轮"}, f"{M}/t": node(6, operator=1, ident="1", property="牌卓")}, {ROUND: {"operator": 1, "ident": "t", "property": "轮"}, f"{M}/t": node(6, operator=1, ident="1", property="牌桌")}, '"牌卓"'),
    ("R207", {ROUND: {"operator": 1, "ident": "tabel", "property": "轮"}}, {ROUND: {"operator": 1, "ident": "table_0", "property": "轮"}}, '"tabel"'),
    ("R208", {f"{ROUND}/property": "玩家池"}, {ROUND: {"operator": 0, "ident": "card_1", "property": "花色"}}, '"round"'),
    ("R208", {ROUND: {"operator": 0, "ident": "player_0", "property": "id"}}, {ROUND: {"operator": 0, "ident": "0", "property": "分"}}, '"round"'),
    ("R209", {f"{M}/call/content/method": "sub"}, {f"{M}/call/content/method": "twice"}, '"sub"'),
    ("R209", {f"{M}/call/content/object": "table_0"}, {f"{M}/call/content/object": "player_1"}, '"add"'),
    ("R210", {f"{B}/is": node(15, card_set="cards", card_rule="对")}, {f"{B}/is": node(15, card_set="cards", card_rule="2")}, '"对"'),
    ("R211", {f"{M}/call/content/object": "round"}, {f"{M}/call/content/object": 0}, '"round"'),
    ("R212", {f"{ROUND}/ident": "nobody"}, {f"{ROUND}/ident": "table_0"}, '"nobody"'),
    ("R214", {f"{B}/is/content/rval": "is"}, {f"{B}/is/content/rval": "size"}, '"is"'),
    ("R214", {f"{B}/is/content/rval": "x", f"{B}/x": node(13, component="is")}, {f"{B}/scratch": node(13, component="scratch")}, '"x"'),
    ("R215", {f"{TWICE}/flow/sum": node(1, object="玩家", method="twice", parameter=["n"])}, {f"{TWICE}/flow/scratch": node(1, object="玩家", method="twice")}, '"twice"'),
    ("R216", {f"{B}/is": node(15, card_set="cards", card_rule="1")}, {f"{C}/gt": node(15, card_set="A", card_rule="1")}, '"1"'),
    ("R216", {f"{B}/is": node(15, card_set="cards", card_rule="2"), "cardsets/2/build_flow/is": node(1, object="player_0", method="twice"), f"{TWICE}/flow/sum": node(15, card_set="n", card_rule="1")}, {}, '"2"'),
    ("R217", {f"{B}/if/content/next_false": "if"}, {}, '"if"'),
    ("R217", {f"{C}/if/content/next_true": "1"}, {}, '"1"'),
    ("R218", {f"{M}/set/content/rvalue": "call"}, {f"{M}/set/content/rvalue": "twice"}, '"call"'),
    ("R218", {f"{TWICE}/flow/1/content/next": "mix", f"{TWICE}/flow/mix": node(19, "end")}, {}, '"twice"'),
    ("R219", {f"{B}/1/content/next": "call", f"{B}/call": node(1, "if", object="玩家", method="add")}, {f"{B}/1/content/next": "call", f"{B}/call": node(1, "if", object="玩家", method="twice")}, '"add"'),
    ("R220", {f"{M}/deal/count": 7}, {f"{M}/deal/count": 6}, "7"),
    ("R220", {f"{M}/deal/content/prop_pair/0/lower_bound": 3, f"{M}/deal/count": 3}, {f"{M}/deal/content/prop_pair/0/lower_bound": 3}, "3"),
    ("R220", {f"{M}/deal/content/prop_pair": [{"prop_name": "id", "upper_bound": 1}]}, {f"{M}/deal/content/prop_pair": [{"prop_name": "id", "upper_bound": 2}]}, "2"),
    ("R220", {**SHUFFLED, f"{M}/deal/count": 5}, {**SHUFFLED, f"{M}/deal/count": 4}, "5"),
    ("R223", {f"{M}/deal/content/prop_pair": [{"prop_name": "点"}, {"prop_name": "高", "lower_bound": 1}]}, {f"{M}/deal/content/prop_pair": [{"prop_name": "高", "upper_bound": 1}]}, '"高"'),
    ("R224", {f"{M}/deal/content/prop_pair/0": {"prop_name": "点数", "lower_bound": 3, "upper_bound": 1}}, {f"{M}/deal/content/prop_pair/0": {"prop_name": "点数", "lower_bound": 1, "upper_bound": 3}}, "3"),
    ("R224", {f"{M}/deal/content/prop_pair": [{"prop_name": "点数", "upper_bound": 1}, {"prop_name": "点数", "lower_bound": 2}]}, {f"{M}/deal/content/prop_pair": [{"prop_name": "点数", "upper_bound": 2}, {"prop_name": "点数", "lower_bound": 2}]}, "2"),
    ("R224", {f"{M}/deal/content/prop_pair": [{"prop_name": "花色"}, {"prop_name": "点数", "upper_bound": 0}]}, {f"{M}/deal/content/prop_pair": [{"prop_name": "花色", "upper_bound": 0}]}, "0"),
    ("R224", {f"{M}/deal/content/prop_pair": [{"prop_name": "id", "lower_bound": 7}]}, {f"{M}/deal/content/prop_pair": [{"prop_name": "id", "lower_bound": 5}]}, "7"),
    ("R224", {ROUND: CARD_POINTS, f"{M}/deal/content/prop_pair/0": {"prop_name": "点数", "lower_bound": 3, "upper_bound": 1}}, {ROUND: CARD_POINTS, f"{M}/deal/content/prop_pair/0": {"prop_name": "点数", "lower_bound": 7, "upper_bound": 9}}, "3"),
    ("R221", {"classes/card/default_properties/点数": {**BIG_ENUM}, "classes/card/default_properties/花色": {**BIG_ENUM}}, {}, '"card"'),
]  # fmt: skip


def _ids() -> list[str]:
    return [f"{case[0]}-{number}" for number, case in enumerate(CASES)]


@pytest.mark.parametrize(("code", "bad", "good", "text"), CASES, ids=_ids())
def test_refusal(code: str, bad: Edits, good: Edits, text: str) -> None:
    rule = edited(bad)
    everything = said(rule)
    found = [one for one in everything if one.code == code]
    assert len(found) == 1, [one.text() for one in everything]
    assert found[0].severity is Severity.ERROR
    assert at(found[0], text_of(rule)).startswith((text, f"{text}: ", f"{text},"))
    accepted, reporter = read_rule(text_of(edited(good)).encode(), "small.json")
    assert accepted is not None, [one.text() for one in reporter.diagnostics()]


def test_small_rule_says_nothing() -> None:
    assert said(small()) == ()


def test_players() -> None:
    """Seats beyond the declared number, wherever they are named; and the number itself (contract, sections 1 and 3)."""
    for edits in (
        {f"{ROUND}/ident": "player_2"},
        {f"{ROUND}/ident": "2", f"{ROUND}/property": "分"},
        {f"{M}/twice/content/parameter": ["player_2"]},
        {f"{M}/call/content/object": "player_2"},
    ):
        assert "R213" in [one.code for one in said(edited(edits), players=2)], edits
        assert "R213" not in [one.code for one in said(edited(edits), players=3)], edits
        assert "R213" not in [one.code for one in said(edited(edits))], edits
    assert "R220" in [one.code for one in said(small(), players=4)]
    assert "R220" not in [one.code for one in said(small(), players=3)]


@pytest.mark.parametrize("count", [0, -1, 2.5, "2", True, [2]])
def test_bad_number_of_players(count: object) -> None:
    rule = {"meta": {"playerCount": count}, "design": small()}
    (only,) = said(rule)
    assert only.code == "R118"
    assert only.place.pointer == "/meta/playerCount"
    assert said({"meta": {"playerCount": 2}, "design": small()}) == ()
    assert read_rule(text_of(small()).encode(), players=0)[0] is None


def test_all_problems_at_once() -> None:
    """One file with problems of every phase: all are told, in the order of their positions."""
    rule = edited(
        {
            "classes/table/user_properties/轮/type": "text",
            "cardsets/2/name": "单",
            f"{B}/is/content/operator": 9,
            f"{B}/if/content/next_true": "nowhere",
            f"{M}/set/content/rvalue": "call",
            f"{E}/end/content/result": None,
        }
    )
    found = said(rule)
    assert {"R116", "R114", "R125", "R121", "R218", "R332"} <= {
        one.code for one in found
    }
    positions = [(one.place.line, one.place.column) for one in found]
    assert positions == sorted(positions)


def test_an_error_is_told_once() -> None:
    """What load has refused is not warned about again in other words."""
    assert [one.code for one in said(edited({f"{M}/set/content/rvalue": []}))] == [
        "R124"
    ]
    assert [one.code for one in said(edited({f"{B}/is/content/operator": 9}))] == [
        "R125"
    ]


def test_comparison_without_result_needs_one_with() -> None:
    """A compare flow in which no path reaches 30 counts as not written: a warning, no error (contract, section 1)."""
    flow = comparison() | {"now": node(8, value=1), "before": node(8, value=1)}
    assert [one.code for one in said(edited({C: flow}))] == ["R324"]


@pytest.mark.parametrize(
    ("path", "missing"),
    [(M, DELETE), (M, {}), (E, DELETE), (E, None), (B, DELETE), (f"{TWICE}/flow", {})],
)
def test_the_shortest_flow_is_one(path: str, missing: object) -> None:
    """What the remedy of R136 shows can be written where it says, and nothing is said about it then."""
    (found,) = said(edited({path: missing}))
    assert found.code == "R136"
    form = found.remedy_en.partition("the shortest one is ")[2]
    written = json.loads(form if form.startswith("{") else f"{{{form}}}")
    flow = written if form.startswith("{") else written[path.rpartition("/")[2]]
    assert [one.text() for one in said(edited({path: flow}))] == []
