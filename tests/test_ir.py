"""The text form of the intermediate representation: what it looks like, that it is stable, and that it stays small.

The flows here are small enough to be read beside their text. Order that means nothing in a rule file must not show.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from dealwright.compiler.front import read_rule, require_rule
from dealwright.compiler.lowering.lower import lower
from dealwright.compiler.passes.structure import structure
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.irtext import (
    DEEPEST,
    body_lines,
    body_text,
    program_text,
    regions_text,
    value_text,
)
from dealwright.compiler.representation.program import Program
from dealwright.compiler.representation.types import Rep
from tests.front.small import Json, branch, edited, node, text_of

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = sorted((ROOT / "rules").glob("*.json"))
FLOWS = ("flow", "build_flow", "compare_flow", "match_flow", "end_flow")


def lowered(edits: Json) -> Program:
    """The small rule with some edits, lowered."""
    rule, reporter = read_rule(text_of(edited(edits)).encode(), "small.json")
    assert rule is not None, [one.code for one in reporter.diagnostics()]
    return lower(rule)


def shown(text: str) -> str:
    """An expected text, without the indentation that it has in this file."""
    return dedent(text).strip("\n")


# what it looks like


def test_a_program() -> None:
    assert program_text(lowered({})) == shown("""
        rule small
        card: 点数=1 花色=0
        player: 分=0 赢=0
        table: 轮=0

        build 1:
          entry if
          if: if size(judged) = 1 then yes else no
          yes: accept 权重=0
          no: reject

        build 2:
          entry if
          if: if size(judged) = 2 then yes else no
          yes: accept
          no: reject

        compare 1:
          entry if
          if: if cards(A)[0].点数 > cards(B)[0].点数 then now else before
          now: A wins
          before: B wins

        comparison 1:
          entry if
          if: if cards(A)[0].点数 > cards(B)[0].点数 then now else before
          now: A wins
          before: B wins

        method player.add(n: int) -> None:
          entry set
          set: self.分 := self.分 + $n -> end
          end: return

        method player.twice(n: int) -> int:
          entry end
          end: return $n + $n

        match:
          entry deal
          deal: deal 2 where 1 <= 点数 -> play
          play: ask play, 30 s, then set
          set: table.轮 := player_0.twice(table.轮) -> call
          call: call current.add(2) -> end
          end: finish

        end:
          entry end
          end: settle 1
        """)


def test_shared_formulas_stand_on_lines_of_their_own() -> None:
    """One line before the first use, operands first; short formulas are written out at every use."""
    program = lowered(
        {
            "match_flow/set/content/rvalue": "sum",
            "match_flow/sorted": node(
                2, selection="hand", properties=[{"name": "点数", "order": 0}]
            ),
            "match_flow/hand": node(6, operator=0, ident="table_0", property="卡牌池"),
            "match_flow/best": node(5, selection="sorted", index="round"),
            "match_flow/value": node(6, operator=1, ident="best", property="点数"),
            "match_flow/sum": node(10, operator=0, lval="value", rval="square"),
            "match_flow/square": node(10, operator=2, lval="value", rval="value"),
        }
    )
    assert body_text(program.match) == shown("""
        entry deal
        deal: deal 2 where 1 <= 点数 -> play
        play: ask play, 30 s, then set
        %1 = sort(deck by 点数 down)[table.轮].点数
        set: table.轮 := %1 + (%1 * %1) -> call
        call: call current.add(2) -> end
        end: finish
        """)


def test_quantifiers_and_what_a_callee_sees() -> None:
    program = lowered(
        {
            "cardsets/2/build_flow/if/content/condition": "all",
            "cardsets/2/build_flow/all": node(
                11, operator=1, set="cards", component="single"
            ),
            "cardsets/2/build_flow/single": node(15, card_rule="1", card_set="cards"),
        }
    )
    assert body_text(program.builds["2"]) == shown("""
        entry if
        if: if all(judged: is(1, [@card]; [@card], @card)) then yes else no
        yes: accept
        no: reject
        """)


def loop() -> Program:
    """Two rounds, then a choice, as regions."""
    return lowered(
        {
            "match_flow/1/content/next": "more",
            "match_flow/more": branch("less", "count", "a\nb"),
            "match_flow/less": node(14, operator=2, lval="round", rval=" 2"),
            "match_flow/count": node(4, "more", component="round", rvalue="next"),
            "match_flow/next": node(10, operator=0, lval="round", rval=" 1"),
            "match_flow/a\nb": node(
                22, "if", timer=5, options=[{"name": "x", "value": 2}, 1]
            ),
            "match_flow/if": branch("chosen", "play", "end"),
            "match_flow/chosen": node(14, operator=0, lval="a\nb", rval=" 1"),
        }
    )


def test_waits_and_odd_node_ids() -> None:
    assert body_text(loop().match) == shown(r"""
        entry more
        more: if table.轮 < 2 then count else 'a\nb'
        count: table.轮 := table.轮 + 1 -> more
        'a\nb': ask choice of 2, 1, 5 s, then if
        if: if choice = 1 then play else end
        play: ask play, 30 s, then set
        set: table.轮 := player_0.twice(table.轮) -> call
        call: call current.add(2) -> end
        end: finish
        """)


def test_a_wait_for_a_region_shows_their_names() -> None:
    options = [{"name": "onhand", "value": 4}, {"name": "the weapon", "value": 7}]
    content = {"kind": "region", "options": options, "timer": 9, "next": "set"}
    asks = {"match_flow/play": {"type": 22, "content": content}}
    line = "play: ask region of onhand=4, 'the weapon'=7, 9 s, then set"
    match = lowered(asks).match
    assert line in body_text(match)
    assert line in regions_text(structure(match))
    del content["kind"]
    assert "play: ask choice of 4, 7, 9 s, then set" in body_text(lowered(asks).match)


def test_regions() -> None:
    assert regions_text(structure(loop().match)) == shown(r"""
        region more:
          more: loop:
            more: unless table.轮 < 2:
              'a\nb': ask choice of 2, 1, 5 s, then if
            count: table.轮 := table.轮 + 1
        region if:
          if: unless choice = 1:
            end: finish
          play: ask play, 30 s, then set
        region set:
          set: table.轮 := player_0.twice(table.轮)
          call: call current.add(2)
          end: finish
        """)


def test_lines_know_their_nodes() -> None:
    lines = body_lines(loop().match)
    assert [id for id, _ in lines][:3] == ["more", "count", "a\nb"]
    assert {id for id, _ in lines} == set(loop().match.instructions)


# every class has a text of its own


def one_of_each(pool: ir.Pool) -> list[ir.Value]:
    """Values that differ in one thing each, so that no two may have the same text."""
    make = pool.make
    table, cards = make(ir.TheTable), make(ir.Judged)
    zero, one = make(ir.Integer, 0), make(ir.Integer, 1)
    play, yes = make(ir.Compared, True), make(ir.Boolean, True)
    up, down = (ir.SortKey("a", is_descending) for is_descending in (False, True))
    free = make(ir.Context, make(ir.Empty, Rep.CARDS), None, None)
    bound = make(ir.Context, cards, make(ir.BoundCard), make(ir.BoundPlayer))
    leaves: list[ir.Value] = [
        *(make(ir.Empty, rep) for rep in (Rep.INTEGER, Rep.CARD, Rep.CARDS)),
        *(make(cls) for cls in (ir.Nothing, ir.Latest, ir.Choice, ir.CurrentPlayer)),
        *(make(cls) for cls in (ir.BoundCard, ir.BoundPlayer, ir.Deck, ir.Players)),
        *(table, cards, zero, one, play, yes),
        *(make(ir.Boolean, False), make(ir.Compared, False), make(ir.NumberedCard, 1)),
        *(make(ir.SeatedPlayer, 1, is_certain) for is_certain in (True, False)),
        *(make(ir.Parameter, name, Rep.INTEGER) for name in ("a", "a b", "1")),
        make(ir.Owner, Rep.PLAYER),
    ]
    values = [
        make(ir.SortedValues, cards, names, is_descending)
        for names in (("a",), ("a", "b"), ("a, b",))
        for is_descending in (False, True)
    ]
    row = make(ir.ValueAt, values[2], zero)
    return [
        *leaves,
        *(make(ir.CardList, given) for given in ((), (make(ir.NumberedCard, 1),))),
        *(make(cls, play) for cls in (ir.CardsOf, ir.PlayNumber)),
        *(make(ir.PlayProperty, play, name) for name in ("a", "b")),
        *(make(ir.Sorted, cards, keys) for keys in ((up,), (down,), (up, down))),
        *(make(ir.Element, cards, index) for index in (zero, one)),
        *(make(ir.Member, table, name) for name in ("a", "a.b", "'a'")),
        *(make(ir.Each, cards, name) for name in ("a", None, "?")),
        *(make(cls, cards) for cls in (ir.Size, ir.Truth, ir.Number, ir.MixedSize)),
        *(make(ir.Arithmetic, operator, zero, one) for operator in range(5)),
        *(make(ir.Logic, operator, yes, yes) for operator in range(2)),
        *(make(ir.Compare, operator, zero, one) for operator in range(5)),
        *(make(ir.Quantifier, is_all, cards, yes) for is_all in (True, False)),
        make(ir.Not, yes),
        *(make(ir.IsCardset, "1", cards, context, ()) for context in (free, bound)),
        make(ir.IsCardset, "1", cards, free, (values[0],)),
        *values,
        *(make(ir.ValueAt, values[0], index) for index in (zero, one)),
        *(make(ir.Alike, cards, name) for name in ("a", "a b")),
        row,
        *(make(ir.Column, row, place) for place in (0, 1)),
        *(_call(pool, name, (), free) for name in ("a", "b")),
        *(_call(pool, "a", arguments, bound) for arguments in ((), (one,), (one, one))),
        make(ir.MixedElement, table, zero),
        *(
            make(ir.MixedProperty, table, "a", is_mapped, player)
            for is_mapped in (True, False)
            for player in (None, make(ir.BoundPlayer))
        ),
        *(make(ir.MixedSorted, table, *keys) for keys in (((up,), ()), ((), (up,)))),
        *(make(ir.MixedCards, table, is_set) for is_set in (True, False)),
        *(make(ir.MixedPlayers, table, is_set) for is_set in (True, False)),
        make(ir.MixedIntegers, table),
    ]


def _call(
    pool: ir.Pool, name: str, arguments: tuple[ir.Value, ...], context: ir.Context
) -> ir.Call:
    table = pool.make(ir.TheTable)
    parts = ("table", name, table, True, arguments, context, Rep.INTEGER)
    return pool.make(ir.Call, *parts)


def test_different_values_have_different_texts() -> None:
    values = one_of_each(ir.Pool())
    texts = [value_text(one) for one in values]
    assert len(set(texts)) == len(values) == len(set(values))
    assert all("\n" not in one for one in texts)
    assert {type(one) for one in values} == set(ir.Value.__args__)


def test_no_name_breaks_a_line() -> None:
    pool = ir.Pool()
    name = "a\n\u2028\u202e'\"%1 = "
    text = value_text(pool.make(ir.Member, pool.make(ir.TheTable), name))
    assert text == r"""table.'a\n\u2028\u202e\'"%1 = '"""


# stable


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_order_that_means_nothing_does_not_show(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    expected = program_text(lower(require_rule(path)))
    assert len(expected.splitlines()) > 20
    for seed in range(3):
        other = json.dumps(shuffled(document, random.Random(seed)), ensure_ascii=False)
        rule = require_rule(other.encode(), path.name)
        assert program_text(lower(rule)) == expected


def shuffled(value: Any, order: random.Random) -> Any:
    """The document with everything in another order whose order means nothing.

    These are the nodes of a flow and the fields of a node, methods, and the properties of results, of players and of
    the table. Cards' properties, parameters, cardsets without a number and comparisons keep their order.
    """
    if isinstance(value, list):
        return [shuffled(one, order) for one in value]
    if not isinstance(value, dict):
        return value
    keys = list(value)
    if value.keys() & {"type", "content", "result", "methods", "match_flow"}:
        order.shuffle(keys)
    found = {key: shuffled(value[key], order) for key in keys}
    for key in (*FLOWS, "methods", "properties"):
        if isinstance(found.get(key), dict):
            found[key] = _reordered(found[key], order)
    for key in ("player", "table"):
        for part in ("default_properties", "user_properties"):
            if part in found.get(key, ()):
                found[key][part] = _reordered(found[key][part], order)
    return found


def _reordered(found: Json, order: random.Random) -> Json:
    return {key: found[key] for key in order.sample(list(found), len(found))}


# small


def doubling(levels: int) -> ir.Value:
    """`x + x`, of which `x` is again such a sum: as a tree, two to the power of `levels`."""
    pool = ir.Pool()
    value: ir.Value = pool.make(ir.Member, pool.make(ir.TheTable), "轮")
    for _ in range(levels):
        value = pool.make(ir.Arithmetic, 0, value, value)
    return value


def test_a_doubling_chain_of_200_levels_has_a_linear_text() -> None:
    lengths = [len(value_text(doubling(levels))) for levels in (100, 200, 400)]
    assert lengths[2] - lengths[1] < 2.5 * (lengths[1] - lengths[0])
    assert lengths[1] < 200 * 40
    assert "%1 = (" in value_text(doubling(200))


def test_a_doubling_chain_in_a_rule() -> None:
    edits: Json = {"match_flow/set/content/rvalue": "x200"}
    for level in range(1, 201):
        below = f"x{level - 1}" if level > 1 else "round"
        edits[f"match_flow/x{level}"] = node(10, operator=0, lval=below, rval=below)
    program = lowered(edits)
    assert len(body_text(program.match)) < 200 * 40
    assert len(regions_text(structure(program.match))) < 200 * 40


def test_deep_formulas_need_no_deep_stack() -> None:
    pool = ir.Pool()
    value: ir.Value = pool.make(ir.Truth, pool.make(ir.Choice))
    for _ in range(20_000):
        value = pool.make(ir.Not, value)
    lines = value_text(value).split("\n")
    assert len(lines) == pytest.approx(20_000 / DEEPEST, rel=0.1)
    assert max(map(len, lines)) < DEEPEST * len("not()") + 40
