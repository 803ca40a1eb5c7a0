"""The checker of the intermediate representation catches each value that is wrong.

Every value stands in the match flow of the small rule. Each case names a piece of the sentence that the checker must
say, so that it cannot pass for another reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value
from dealwright.compiler.representation.ircheck import IrError, check_program
from dealwright.compiler.representation.types import Rep
from tests.irparts import Parts, with_value
from tests.test_ir import lowered

VALUES: dict[str, tuple[str, Callable[[Parts], Value]]] = {
    # representations of operands
    "cards_of": ("the play of a CardsOf is", lambda p: p.make(ir.CardsOf, p.deck)),
    "number": ("the play of a PlayNumber", lambda p: p.make(ir.PlayNumber, p.deck)),
    "property": (
        "the play of a PlayProperty",
        lambda p: p.make(ir.PlayProperty, p.deck, "权重"),
    ),
    "sorted": (
        "the selection of a Sorted is TheTable (TABLE), not CARDS or PLAYERS",
        lambda p: p.make(ir.Member, p.make(ir.Sorted, p.table, (p.key("id"),)), "轮"),
    ),
    "element": (
        "the selection of an Element",
        lambda p: p.make(ir.Element, p.table, p.one),
    ),
    "index": ("the index of an Element", lambda p: p.make(ir.Element, p.deck, p.yes)),
    "member": ("the subject of a Member", lambda p: p.make(ir.Member, p.deck, "id")),
    "each": ("the selection of an Each", lambda p: p.make(ir.Each, p.player, "id")),
    "size": ("the selection of a Size", lambda p: p.make(ir.Size, p.player)),
    "left": (
        "the left of an Arithmetic is Boolean (BOOLEAN), not INTEGER",
        lambda p: p.make(ir.Arithmetic, 0, p.yes, p.one),
    ),
    "right": (
        "the right of an Arithmetic",
        lambda p: p.make(ir.Arithmetic, 0, p.one, p.yes),
    ),
    "logic": ("the left of a Logic", lambda p: p.make(ir.Logic, 0, p.one, p.yes)),
    "logic_right": (
        "the right of a Logic",
        lambda p: p.make(ir.Logic, 0, p.yes, p.one),
    ),
    "not": ("the operand of a Not", lambda p: p.make(ir.Not, p.one)),
    "compare": ("the left of a Compare", lambda p: p.make(ir.Compare, 0, p.yes, p.one)),
    "compare_right": (
        "the right of a Compare",
        lambda p: p.make(ir.Compare, 0, p.one, p.yes),
    ),
    "quantified": ("the selection of a Quantifier", lambda p: p.some(p.table, p.yes)),
    "quantifier": ("the body of a Quantifier", lambda p: p.some(p.deck, p.one)),
    "judging": (
        "the cards of an IsCardset",
        lambda p: p.make(ir.IsCardset, "1", p.players, p.free, ()),
    ),
    "truth": ("the operand of a Truth", lambda p: p.make(ir.Truth, p.table)),
    "integer": ("the operand of a Number", lambda p: p.make(ir.Number, p.one)),
    "mixed_size": (
        "the operand of a MixedSize",
        lambda p: p.make(ir.MixedSize, p.deck),
    ),
    "mixed_element": (
        "the operand of a MixedElement",
        lambda p: p.make(ir.MixedElement, p.deck, p.one),
    ),
    "mixed_property": (
        "the operand of a MixedProperty",
        lambda p: p.make(ir.MixedProperty, p.deck, "x", False, None),
    ),
    "mixed_sorted": (
        "the operand of a MixedSorted",
        lambda p: p.make(ir.MixedSorted, p.deck, (), ()),
    ),
    "mixed_cards": (
        "the operand of a MixedCards",
        lambda p: p.make(ir.MixedCards, p.deck, True),
    ),
    "mixed_players": (
        "the operand of a MixedPlayers",
        lambda p: p.make(ir.MixedPlayers, p.deck, True),
    ),
    "card_list": ("a CardList holds", lambda p: p.make(ir.CardList, (p.player,))),
    "empty": (
        "no empty value held as TABLE",
        lambda p: p.make(ir.Member, p.make(ir.Empty, Rep.TABLE), "轮"),
    ),
    # operators
    "no_arithmetic": (
        "an Arithmetic has no operator 5",
        lambda p: p.make(ir.Arithmetic, 5, p.one, p.one),
    ),
    "no_logic": (
        "a Logic has no operator 2",
        lambda p: p.make(ir.Logic, 2, p.yes, p.yes),
    ),
    "no_compare": (
        "a Compare has no operator -1",
        lambda p: p.make(ir.Compare, -1, p.one, p.one),
    ),
    # names and objects
    "unstored": (
        "'x' is read, which no player stores",
        lambda p: p.make(ir.Member, p.player, "x"),
    ),
    "table_id": (
        "'id' is read, which no table stores",
        lambda p: p.make(ir.Member, p.table, "id"),
    ),
    "unstored_each": (
        "'分' is read, which no card stores",
        lambda p: p.make(ir.Each, p.deck, "分"),
    ),
    "unstored_key": (
        "a sort by '分', which no card",
        lambda p: p.make(ir.Sorted, p.deck, (p.key("分"),)),
    ),
    "no_key": ("a Sorted has no criterion", lambda p: p.make(ir.Sorted, p.deck, ())),
    "no_card": ("the deck has no card 7", lambda p: p.make(ir.NumberedCard, 7)),
    "no_seat": ("no seat -1", lambda p: p.make(ir.SeatedPlayer, -1, True)),
    "parameter": (
        "no parameter 'n' held as INTEGER",
        lambda p: p.make(ir.Parameter, "n", Rep.INTEGER),
    ),
    "owner": ("no object of a method", lambda p: p.make(ir.Owner, Rep.PLAYER)),
    # what stands where
    "judged": ("no cards are being judged", lambda p: p.make(ir.Judged)),
    "compared": (
        "a Compared stands outside",
        lambda p: p.make(ir.CardsOf, p.make(ir.Compared, True)),
    ),
    "card": ("a BoundCard stands outside", lambda p: p.card),
    "card_below_players": (
        "a BoundCard stands outside",
        lambda p: p.some(p.players, p.make(ir.Truth, p.card)),
    ),
    "card_in_selection": (
        "a BoundCard stands outside",
        lambda p: p.some(p.make(ir.CardList, (p.card,)), p.yes),
    ),
    "player": ("a BoundPlayer stands outside", lambda p: p.bound),
    "player_below_cards": (
        "a BoundPlayer stands outside",
        lambda p: p.some(p.deck, p.make(ir.Truth, p.bound)),
    ),
    "latest": (
        "a Latest stands where a quantifier has bound a card",
        lambda p: p.some(p.deck, p.make(ir.Truth, p.make(ir.Latest))),
    ),
    "current": (
        "a CurrentPlayer stands where a quantifier has bound a player",
        lambda p: p.some(p.players, p.make(ir.Truth, p.player)),
    ),
    "settlement": (
        "settlement_index is not that of the bound player",
        lambda p: p.some(
            p.players,
            p.make(ir.Truth, p.make(ir.Member, p.table, "settlement_index")),
        ),
    ),
    # calls
    "no_method": ("there is no method player.x", lambda p: p.twice(p.one, method="x")),
    "no_cardset": (
        "there is no cardset '9'",
        lambda p: p.make(ir.IsCardset, "9", p.deck, p.free, ()),
    ),
    "object": (
        "player.twice is called on TheTable",
        lambda p: p.twice(p.one, on=p.table),
    ),
    "missing_object": (
        "called as if its object were there",
        lambda p: p.twice(p.one, on=p.maybe),
    ),
    "certain_object": (
        "called as if its object were not there",
        lambda p: p.twice(p.one, is_certain=False),
    ),
    "result": (
        "player.twice gives INTEGER, not BOOLEAN",
        lambda p: p.twice(p.one, rep=Rep.BOOLEAN),
    ),
    "few_arguments": ("called with 0 arguments", lambda p: p.twice()),
    "argument": (
        "takes INTEGER as 'n', not Boolean (BOOLEAN)",
        lambda p: p.twice(p.yes),
    ),
    # what a callee sees
    "sees_no_card": (
        "a callee sees None where a BoundCard is bound",
        lambda p: p.some(p.deck, p.make(ir.Truth, p.twice(p.one))),
    ),
    "sees_a_card": (
        "where a BoundCard is not bound",
        lambda p: p.twice(p.one, context=p.make(ir.Context, p.nothing, p.card, None)),
    ),
    "sees_no_player": (
        "a callee sees None where a BoundPlayer is bound",
        lambda p: p.some(p.players, p.make(ir.Truth, p.twice(p.one, on=p.bound))),
    ),
    "sees_judged": (
        "a callee sees Judged (CARDS) as the cards being judged",
        lambda p: p.twice(
            p.one, context=p.make(ir.Context, p.make(ir.Judged), None, None)
        ),
    ),
    # one object each
    "twin": (
        "a Choice is not the pool's own",
        lambda p: p.make(ir.Compare, 0, p.make(ir.Choice), ir.Choice()),
    ),
    "twin_context": (
        "a Context is not the pool's own",
        lambda p: p.twice(p.one, context=ir.Context(p.nothing, None, None)),
    ),
}


@pytest.mark.parametrize("named", VALUES)
def test_a_broken_value_is_caught(named: str) -> None:
    sentence, make = VALUES[named]
    program = lowered({})
    wrong = with_value(program, make(Parts(program)))
    with pytest.raises(IrError, match=re.escape(sentence)) as caught:
        check_program(wrong)
    assert str(caught.value).startswith("match flow, instruction '1': ")
