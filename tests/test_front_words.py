"""What the front says where its words depend on the case: on how many there are, on what is missing, on what was read.

Each row is an edit of the small rule, the code, and a part of its sentence and remedy in either language.
"""

# ruff: noqa: E501 -- the table holds one case a line

from __future__ import annotations

from typing import Any, TypeAlias

import pytest

from tests.front.small import DELETE, edited, node, said, size_is, small

Edits: TypeAlias = dict[str, Any]

M, B = "match_flow", "cardsets/1/build_flow"
CARDS = "classes/card/default_properties"
SUITS, FILTER = f"{CARDS}/花色/config", f"{M}/deal/content/prop_pair/0"
ALL_OPEN = {f"{M}/deal/content/prop_pair": []}
TEN = {f"{CARDS}/点数/config": [{"value": n} for n in range(1, 11)]}
RING: Edits = {f"{B}/n{n}": node(13, component=f"n{(n + 1) % 10}") for n in range(10)}
ELEVEN: Edits = {f"cardsets/{n}": {"name": f"N{n}", "build_flow": size_is(n)} for n in range(3, 13)}  # fmt: skip

WORDS: list[tuple[str, Edits, str, str]] = [
    # how many classes, keys and entries there are
    ("R111", {"classes/player": DELETE}, "missing under 'classes': 'player'", "classes 中缺少 'player'"),
    ("R111", {"classes/player": DELETE, "classes/table": None}, "missing under 'classes': 'player', 'table'", "classes 中缺少 'player'、'table'"),
    ("R338", {f"{B}/is": {"type": 14, "operator": 0, "lval": "size", "content": {"rval": 1}}}, "are read, not 'operator', 'lval'", "不读取 'operator'、'lval'"),
    ("R135", {f"{M}/set": {"type": 4, "component": "round", "rvalue": 1, "content": {"next": "call"}}}, "are read: 'component', 'rvalue'", "只读取跳转和 count：'component'、'rvalue'"),
    ("R339", {SUITS: ["红"]}, "the entry of 'config' has no integer", "config 的这一项没有整数"),
    ("R339", {SUITS: ["红", "黑"]}, "no entry of 'config' has an integer", "config 的每一项都没有整数"),
    ("R137", {SUITS: ["红", "黑"], f"{M}/deal/count": 6}, "no entry of 'config' has an integer", "config 的每一项都没有整数"),
    # of many, some
    ("R214", {f"{B}/is/content/rval": "n0", **RING}, "'n0' → 'n1' → 'n2' → 'n3' → 'n4' → 'n5' → … → 'n0'", "'n5' → … → 'n0'"),
    ("R224", {**TEN, FILTER: {"prop_name": "点数", "lower_bound": 11}}, "on the cards are from 1 to 10", "取值为 1 到 10"),
    ("R326", {**ELEVEN, f"{B}/no/content/result": 1}, "'9' ('N9') and 3 more", "'9'（'N9'）等 11 个"),
    ("R326", {f"{B}/no/content/result": 1}, "rename it wherever it is used", "并同时修改引用它的地方"),
    # what a deal needs, and of what
    ("R220", {f"{M}/deal/count": 7}, "of the cards in the deck 6 fit, but the deal needs 7 (for a single player)", "牌堆中符合的有 6 张，而发牌需要 7 张（仅一名玩家）"),
    ("R220", {f"{M}/deal/count": 7}, "lower 'count', widen the bounds, or", "请减小 count、放宽范围，或"),
    ("R220", {f"{M}/deal/count": 7, **ALL_OPEN}, "the deck has 6 cards, but the deal needs 7", "牌堆只有 6 张牌，而发牌需要 7 张"),
    ("R220", {f"{M}/deal/count": 7, **ALL_OPEN}, "lower 'count', or", "请减小 count，或"),
    ("R220", {f"{M}/deal/count": 7, SUITS: [{"value": 0}, "黑"]}, "6 fit, but", "有 6 张，而"),
    ("R224", {FILTER: {"prop_name": "点数", "lower_bound": 4}}, "there is no card whose '点数' is at least 4", "没有 '点数' 不小于 4 的牌"),
    ("R224", {FILTER: {"prop_name": "点数", "lower_bound": 4}}, "correct the bounds; the values of '点数' on the cards are 1, 2, 3", "请改正上下限；卡牌的 '点数' 取值为 1、2、3"),
    ("R224", {FILTER: {"prop_name": "点数", "lower_bound": 4}, f"{CARDS}/点数/config": [{"value": n} for n in (3, 1, 2, 1)]}, "on the cards are 1, 2, 3", "取值为 1、2、3"),
    ("R206", {f"{M}/set/content/component": DELETE}, "'component' is missing, but", "component 缺失，而"),
    ("R206", {f"{M}/set/content/component": ""}, "'component' is empty, but", "component 为空，而"),
    # where a flow belongs
    ("R136", {M: DELETE}, "the file has no 'match_flow'", "文件中没有 match_flow"),
    ("R117", {M: []}, "the flow must be an object", "流程应为对象"),
    ("R117", {"cardsets/1/successors": {}}, "'successors' must be a list", "'successors' 应为列表"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "edits", "en", "zh"), WORDS)
def test_words(code: str, edits: Edits, en: str, zh: str) -> None:
    (found,) = (one for one in said(edited(edits)) if one.code == code)
    assert en in f"{found.message_en}: {found.remedy_en}"
    assert zh in f"{found.message_zh}：{found.remedy_zh}"


def test_words_of_a_rule_with_metadata() -> None:
    rule = small()
    del rule["match_flow"]
    (found,) = said({"meta": {"playerCount": 2}, "design": rule})
    assert "'design' has no 'match_flow'" in found.message_en


def test_words_of_a_deal_to_several() -> None:
    (found,) = said(edited({f"{M}/deal/count": 4}), players=2)
    assert "the deal needs 8 (4 each for 2 players)" in found.message_en


@pytest.mark.parametrize(
    ("bounds", "edits"),
    [
        # nobody knows which values there will be, or there are none
        ({"prop_name": "点数"}, {f"{M}/round/content": {"operator": 0, "ident": "card_1", "property": "点数"}}),
        ({"prop_name": "高"}, {}),
        ({"prop_name": "点数"}, {SUITS: ["红", {"value": 1}]}),
    ],
)  # fmt: skip
def test_crossed_bounds_need_no_values(bounds: Edits, edits: Edits) -> None:
    crossed = {FILTER: {**bounds, "lower_bound": 3, "upper_bound": 1}}
    (found,) = (one for one in said(edited({**edits, **crossed})) if one.code == "R224")
    assert found.remedy_en == "correct the bounds"
    assert found.remedy_zh == "请改正上下限"
