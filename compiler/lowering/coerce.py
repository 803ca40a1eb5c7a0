"""Make coercions explicit while lowering: a value as integer, as truth, as cards, as another representation.

Everything goes through one `Pool`. Source: contract, section 4, and the page of decisions, points 1 to 6 and 10.
"""

from __future__ import annotations

from typing import final

from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Pool, Value, rep_of
from dealwright.compiler.representation.types import Rep
from dealwright.compiler.rule.model import Rule


def card_number_property(rule: Rule) -> str | None:
    """The property that a card is worth as an integer: 点数 if declared, else the first declared, else None."""
    names = [one.name for one in rule.card.properties]
    if "点数" in names:
        return "点数"
    return names[0] if names else None


@final
class Coercer:
    """Coercions for one rule."""

    def __init__(self, pool: Pool, rule: Rule) -> None:
        self.pool = pool
        self._card_number = card_number_property(rule)

    def integer(self, value: Value) -> Value:
        """The value as an integer."""
        make = self.pool.make
        match value:
            case ir.Nothing() | ir.Empty() | ir.TheTable():
                return make(ir.Integer, 0)
            case ir.Boolean(truth):
                return make(ir.Integer, int(truth))
            case ir.Each(selection, name):
                # the first of the list, or 0: the property of the first element, or of none
                return self._first(selection, name)
            case _:
                pass
        match rep_of(value):
            case Rep.NONE:
                return make(ir.Integer, 0)
            case Rep.INTEGER:
                return value
            case Rep.CARDS | Rep.PLAYERS:
                return make(ir.Size, value)
            case Rep.PLAY:
                return make(ir.Size, make(ir.CardsOf, value))
            case Rep.PLAYER:
                return make(ir.Member, value, "id")
            case Rep.CARD:
                name = self._card_number
                return (
                    make(ir.Integer, 0)
                    if name is None
                    else make(ir.Member, value, name)
                )
            case Rep.TABLE:
                return make(ir.Integer, 0)
            case _:
                return make(ir.Number, value)

    def _first(self, selection: Value, name: str | None) -> Value:
        if name is None:
            return self.pool.make(ir.Integer, 0)
        if isinstance(selection, ir.CardList) and len(selection.cards) == 1:
            return self.pool.make(ir.Member, selection.cards[0], name)
        return self.pool.make(
            ir.Member,
            self.pool.make(ir.Element, selection, self.pool.make(ir.Integer, 0)),
            name,
        )

    def truth(self, value: Value) -> Value:
        """The value as a truth value."""
        make = self.pool.make
        match value:
            case ir.Nothing() | ir.Empty():
                return make(ir.Boolean, False)
            case ir.Integer(number):
                return make(ir.Boolean, number != 0)
            case (
                ir.TheTable()
                | ir.CurrentPlayer()
                | ir.BoundCard()
                | ir.BoundPlayer()
                | ir.NumberedCard()
                | ir.Owner()
                | ir.SeatedPlayer(_, True)
                | ir.Players()
            ):
                return make(ir.Boolean, True)
            case _:
                pass
        match rep_of(value):
            case Rep.NONE:
                return make(ir.Boolean, False)
            case Rep.BOOLEAN:
                return value
            case Rep.TABLE:
                return make(ir.Boolean, True)
            case Rep.PLAY:
                return make(ir.Truth, make(ir.CardsOf, value))
            case _:
                return make(ir.Truth, value)

    def cards(self, value: Value) -> Value:
        """The value as the cards that a cardset test judges: a single card is that card alone."""
        make = self.pool.make
        match rep_of(value):
            case Rep.CARDS:
                return value
            case Rep.PLAY:
                return make(ir.CardsOf, value)
            case Rep.CARD if not isinstance(value, ir.Nothing | ir.Empty):
                return make(ir.CardList, (value,))
            case Rep.MIXED:
                return make(ir.MixedCards, value, False)
            case _:
                return make(ir.Empty, Rep.CARDS)

    def represented(self, value: Value, rep: Rep) -> Value:
        """The value held as `rep`, which inference has found wide enough for it."""
        make = self.pool.make
        own = rep_of(value)
        if own is rep or (rep is Rep.MIXED and own is not Rep.NONE):
            return value
        if own is Rep.NONE:
            is_any = rep in (Rep.MIXED, Rep.NONE)
            return make(ir.Nothing) if is_any else make(ir.Empty, rep)
        if own is Rep.MIXED:
            return self._narrowed(value, rep)
        if rep is Rep.INTEGER:
            return self.integer(value)
        if rep is Rep.BOOLEAN:
            return self.truth(value)
        return value

    def _narrowed(self, value: Value, rep: Rep) -> Value:
        """A value that is found at run time to be what inference knows that it is, or none."""
        make = self.pool.make
        first = make(ir.Integer, 0)
        match rep:
            case Rep.NONE:
                return make(ir.Nothing)
            case Rep.INTEGER:
                return self.integer(value)
            case Rep.BOOLEAN:
                return self.truth(value)
            case Rep.CARDS:
                return make(ir.MixedCards, value, True)
            case Rep.PLAYERS:
                return make(ir.MixedPlayers, value, True)
            case Rep.CARD:
                return make(ir.Element, make(ir.MixedCards, value, False), first)
            case Rep.PLAYER:
                return make(ir.Element, make(ir.MixedPlayers, value, False), first)
            case Rep.INTEGERS:
                return make(ir.MixedIntegers, value)
            case _:
                return value
