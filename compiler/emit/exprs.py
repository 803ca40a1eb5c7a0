"""Values of the intermediate representation to libcst expressions.

One `Expressions` serves one function: it knows the names of the package, what the function can see (its cards, the game,
the plays) and, at each moment, which lengths are possible and which values have a local name. It remembers which imported
names it used, so that the module's header needs no guessing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never, final

from dealwright.compiler.emit import code
from dealwright.compiler.emit.code import Code
from dealwright.compiler.emit.package import Package
from dealwright.compiler.emit.past_end import HOLDS, PastEnd
from dealwright.compiler.emit.text import literal
from dealwright.compiler.passes.bounds import Bounds
from dealwright.compiler.passes.reads import Needs, values_below
from dealwright.compiler.passes.share import bound_name, expanded_sizes
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value, rep_of
from dealwright.compiler.representation.types import Rep
from dealwright.compiler.rule.objects import SETTLEMENT_INDEX

FEW: Final = 3
"""Cards that are named one by one instead of in a loop, which costs more than all of them."""
SMALL: Final = 8
"""Nodes of a quantifier's component that may be written once for each of a few cards."""

_COMPARISONS = {0: "==", 1: ">", 2: "<", 3: ">=", 4: "<="}
_OPPOSITES = {0: "!=", 1: "<=", 2: ">=", 3: "<", 4: ">"}
_TURNED = {"==": "==", ">": "<", "<": ">", ">=": "<=", "<=": ">=", "!=": "!="}
_AT_HAND = (ir.Judged, ir.Latest, ir.Deck, ir.Players, ir.CardsOf, ir.Parameter)
"""Lists that are as short to write as a name."""
_ARITHMETIC = {0: "+", 1: "-", 2: "*"}


Outline: TypeAlias = "Callable[[Value, Expressions], Code]"
"""Makes a function of a truth value under the bindings of the expressions that ask, and gives its call."""


@final
@dataclass(frozen=True, slots=True)
class HighestPair:
    """Two values of the card that is highest in them: whose `cards`, what is read of each, and the values found."""

    cards: Code
    members: tuple[Code, Code]
    columns: tuple[ir.Column, ir.Column]


@final
class Expressions:
    """Makes the expressions of one function.

    `used` collects the names that the function takes from elsewhere. `mask` is the set of lengths possible where the next
    expression stands; `locals` names values that a local holds there.
    """

    def __init__(
        self,
        package: Package,
        *,
        method: tuple[str, str] | None = None,
        own: Needs | None = None,
        compared: tuple[str, str] | None = None,
        bounds: Bounds | None = None,
        given: Mapping[Value, str] | None = None,
        results: Mapping[str, str] | None = None,
        bound: tuple[str, ...] = (),
    ) -> None:
        self._package = package
        self._names = package.names
        self._method = method
        self._own = own
        self._compared = compared
        self._certainty = package.facts.certainty(bounds, compared, method)
        self.bound = bound
        self._given = frozenset(bound)
        self._card = code.name("card")
        self.values: Mapping[Value, str] = given or {}
        self.results: Mapping[str, str] = results or {}
        self.outline: Outline | None = None
        self.mask = self._certainty.everything
        self.locals: dict[Value, str] = {}
        self.used: dict[str, None] = {}

    def rebind(self, around: Expressions) -> None:
        """Stand in a function whose parameters are what is bound around it, and where the same lengths are possible."""
        self.bound = around.bound
        self._given = frozenset(around.bound)
        self.values = around.values
        self.mask = around.mask

    def use(self, name: str) -> Code:
        """A name that has to be imported or is defined elsewhere in the package."""
        self.used[name] = None
        return code.name(name)

    def value(self, value: Value) -> Code:
        """The expression of a value in its own representation."""
        local = self.locals.get(value) or self.values.get(value)
        return code.name(local) if local is not None else self.formula(value)

    def formula(self, value: Value) -> Code:  # one case a class
        """The expression of a value, whether or not a local holds it."""
        match value:
            case ir.Nothing():
                return code.name("None")
            case ir.Empty():
                return self._empty(value)
            case ir.Integer(number):
                return code.integer(number)
            case ir.Boolean(truth):
                return code.name(str(truth))
            case ir.Judged():
                return code.name("cards")
            case ir.Latest():
                return code.name("game.latest")
            case ir.Choice():
                return code.name("game.choice")
            case ir.TheTable():
                return code.name("game.table")
            case ir.CurrentPlayer():
                return code.name("game.current_player")
            case ir.SeatedPlayer():
                return self._seated(value)
            case ir.NumberedCard(number):
                return code.call(code.name("game.card"), code.integer(number))
            case ir.Owner():
                return code.name("self")
            case ir.Parameter():
                return self._parameter(value)
            case ir.Compared(is_a):
                return code.name("a" if is_a else "b")
            case ir.BoundCard():
                return self._card
            case ir.BoundPlayer():
                return code.name("player")
            case ir.Deck():
                return code.name("game.deck")
            case ir.Players():
                return code.name("game.players")
            case ir.CardList():
                return self._card_list(value)
            case ir.CardsOf(play):
                return code.attribute(self.value(play), "cards")
            case ir.PlayNumber(play):
                return code.attribute(self.value(play), "number")
            case ir.PlayProperty():
                return self._play_property(value)
            case ir.Sorted():
                return self._sorted(value)
            case ir.SortedValues():
                return self._sorted_values(value)
            case ir.Alike():
                return self._alike(value)
            case ir.ValueAt() | ir.Member():
                past_end = self._past_end(value)
                if past_end is None:
                    return self._read(value)
                return past_end.value(self.use("len"))
            case ir.Column(row, place):
                return code.subscript(self.value(row), code.integer(place))
            case ir.Element():
                return self._element(value)
            case ir.Each():
                return self._each(value)
            case ir.Size(selection):
                return self._size(selection)
            case ir.Arithmetic():
                return self._arithmetic(value)
            case ir.Logic():
                return self._logic(value)
            case ir.Not(operand):
                return self.condition(operand, is_negated=True)
            case ir.Compare():
                return self._compare(value)
            case ir.Quantifier():
                return self._quantifier(value)
            case ir.IsCardset():
                return self._is_cardset(value)
            case ir.Call():
                return self._call(value)
            case ir.Truth():
                return self._truth(value)
            case ir.Number():
                return self._number(value)
            case ir.MixedSize():
                return self._mixed_size(value)
            case ir.MixedElement():
                return self._mixed_element(value)
            case ir.MixedProperty():
                return self._mixed_property(value)
            case ir.MixedSorted():
                return self._mixed_sorted(value)
            case ir.MixedCards():
                return self._mixed_cards(value)
            case ir.MixedPlayers():
                return self._mixed_players(value)
            case ir.MixedIntegers(operand):
                return code.call(self.use("integers_in"), self.value(operand))
            case _:
                assert_never(value)

    def condition(self, value: Value, is_negated: bool = False) -> Code:
        """A truth value as a condition, or its opposite, spelt with the opposite operator where there is one."""
        if not is_negated:
            return self.value(value)
        if self._has_name(value):
            return code.negated(self.value(value))
        match value:
            case ir.Not(operand):
                return self.condition(operand)
            case ir.Compare():
                return self._compare(value, _OPPOSITES)
            case ir.Boolean(truth):
                return code.name(str(not truth))
            case ir.Alike():
                return self._alike(value, is_negated=True)
            case ir.Truth(operand) if rep_of(operand) is Rep.INTEGER:
                return code.compare(self.value(operand), ("==", code.integer(0)))
            case ir.Truth(operand) if rep_of(operand) in (
                Rep.CARDS,
                Rep.PLAYERS,
                Rep.INTEGERS,
            ):
                return code.compare(self._size(operand), ("==", code.integer(0)))
            case ir.IsCardset():
                return self._is_cardset(value, "is")
            case ir.Logic() if not self._is_mixed(value):
                return self._logic(value, is_negated=True)
            case ir.Quantifier():
                of_few = self._of_few(value, is_negated=True)
                return code.negated(self.value(value)) if of_few is None else of_few
            case _:
                return code.negated(self.value(value))

    # leaves

    def _empty(self, value: ir.Empty) -> Code:
        match value.rep:
            case Rep.INTEGER:
                return code.integer(0)
            case Rep.BOOLEAN:
                return code.name("False")
            case Rep.CARD:
                return self.use("NO_CARD")
            case Rep.PLAYER:
                return self.use("NO_PLAYER")
            case _:
                return code.list_([])

    def _seated(self, value: ir.SeatedPlayer) -> Code:
        seat = code.integer(value.seat)
        if value.is_certain:
            return code.subscript(code.name("game.players"), seat)
        return code.call(code.name("game.player"), seat)

    def _parameter(self, value: ir.Parameter) -> Code:
        assert self._method is not None, "parameters stand in methods only"
        return code.name(self._names.parameter(self._method, value.name))

    # cards and players

    def _card_list(self, value: ir.CardList) -> Code:
        cards = [self.value(one) for one in value.cards]
        if all(self._is_certain(one) for one in value.cards):
            return code.list_(cards)
        return code.comprehension(
            code.name("card"), "card", code.list_(cards), code.name("card")
        )

    def _play_property(self, value: ir.PlayProperty) -> Code:
        properties = code.attribute(self.value(value.play), "properties")
        name = code.string(literal(value.name))
        if self._is_declared(value):
            return code.subscript(properties, name)
        return code.call(code.attribute(properties, "get"), name, code.integer(0))

    def _is_declared(self, value: ir.PlayProperty) -> bool:
        if self._compared is None or not isinstance(value.play, ir.Compared):
            return False
        wanted = self._compared[0 if value.play.is_a else 1]
        found = [
            one for one in self._package.program.rule.cardsets if one.name == wanted
        ]
        return bool(found) and value.name in found[0].properties

    def _sorted(self, value: ir.Sorted) -> Code:
        owner = "card" if rep_of(value) is Rep.CARDS else "player"
        return code.call(
            self.use("sorted"),
            self.value(value.selection),
            **self.sort_arguments(owner, value.keys),
        )

    def sort_arguments(
        self, owner: str, keys: tuple[ir.SortKey, ...]
    ) -> dict[str, Code]:
        """`key=` and, if need be, `reverse=` of a sort by these criteria, of which there is at least one."""
        members = [
            self._attribute(owner, code.name(owner), key.property) for key in keys
        ]
        if all(key.is_descending for key in keys):
            key = members[0] if len(members) == 1 else code.tuple_(members)
            return {"key": code.lambda_(owner, key), "reverse": code.name("True")}
        signed = [
            code.negative(member) if key.is_descending else member
            for member, key in zip(members, keys, strict=True)
        ]
        return {
            "key": code.lambda_(
                owner, signed[0] if len(signed) == 1 else code.tuple_(signed)
            )
        }

    def _sorted_values(self, value: ir.SortedValues) -> Code:
        named = {"reverse": code.name("True")} if value.is_descending else {}
        return code.call(self.use("sorted"), self._values(value), **named)

    def _values(self, value: ir.SortedValues) -> Code:
        """The values that are sorted, in the order of the cards."""
        few = self._few(value.selection) if len(value.names) == 1 else None
        if few is not None:
            return code.list_(
                [self._attribute("card", one, value.names[0]) for one in few]
            )
        members = [
            self._attribute("card", code.name("card"), name) for name in value.names
        ]
        row = members[0] if len(members) == 1 else code.tuple_(members)
        return code.comprehension(row, "card", self.value(value.selection))

    def _alike(self, value: ir.Alike, is_negated: bool = False) -> Code:
        """Whether cards are alike, or not, by as many comparisons as there are cards after the first."""
        cards = self.value(value.selection)
        size = self._certainty.exact_length(value.selection, self.mask)

        def read(card: Code) -> Code:
            return self._attribute("card", card, value.name)

        if size is None:
            # a local that stands before the test of the length; it is not read where that fails
            leader = read(code.subscript(cards, code.integer(0)))
            test = code.compare(read(code.name("card")), ("==", leader))
            each = code.call(self.use("all"), code.generator(test, "card", cards))
            return code.negated(each) if is_negated else each
        first, *others = (
            read(code.subscript(cards, code.integer(n))) for n in range(size)
        )
        if is_negated and len(others) == 1:
            return code.compare(first, ("!=", others[0]))
        chain = code.compare(first, *(("==", one) for one in others))
        return code.negated(chain) if is_negated else chain

    def _value_at(self, value: ir.ValueAt) -> Code:
        values = value.values
        assert isinstance(values, ir.SortedValues), "nothing else has values"
        zeros = [code.integer(0) for _ in values.names]
        nothing = zeros[0] if len(zeros) == 1 else code.tuple_(zeros)
        is_certain = self._is_certain(value)
        first = self._first_of(value, values)
        if first is not None:
            few = self._few(values.selection) if len(zeros) == 1 else None
            if few is not None and len(few) > 1:
                members = [self._attribute("card", one, values.names[0]) for one in few]
                return code.call(self.use(first), *members)
            named = {} if is_certain else {"default": nothing}
            return code.call(self.use(first), self._values(values), **named)
        sorted_, index = self.value(values), self.value(value.index)
        if is_certain:
            return code.subscript(sorted_, index)
        return code.call(self.use("at"), sorted_, index, nothing)

    def _read(self, value: Value) -> Code:
        """A value of a list or an attribute, with a helper where the element may not be there."""
        if isinstance(value, ir.ValueAt):
            return self._value_at(value)
        assert isinstance(value, ir.Member), "nothing else is read so"
        return self._member(value)

    def _past_end(self, value: Value) -> PastEnd | None:
        """A number that is read at a fixed place of a list at hand, if that may be past its end."""
        if self._has_name(value):
            return None
        match value:
            case ir.ValueAt(ir.SortedValues(names=(_,)) as items, ir.Integer(index)):
                if not self._has_name(items) or self._is_certain(value):
                    return None
            case ir.Member(ir.Element(items, ir.Integer(index)) as element):
                if not self._is_at_hand(items) or self._is_certain(element):
                    return None
            case _:
                return None
        place = max(index, 0)  # below 0 is the first (contract, section 5)
        found = code.subscript(self.value(items), code.integer(place))
        if isinstance(value, ir.Member):
            owner = "player" if rep_of(value.subject) is Rep.PLAYER else "card"
            found = self._attribute(owner, found, value.name)
        return PastEnd(self.value(items), place, found)

    def _is_at_hand(self, items: Value) -> bool:
        """Whether a list is as short to write as a name."""
        return self._has_name(items) or isinstance(items, _AT_HAND)

    def highest_pair(self, value: Value) -> HighestPair | None:
        """A row of the two highest values of cards that never are below 0, so that a loop can begin there."""
        if not isinstance(value, ir.ValueAt) or ir.columns(value) != 2:
            return None
        values = value.values
        assert isinstance(values, ir.SortedValues), "only these have columns"
        never_below_0 = self._package.never_below_0
        if (
            self._first_of(value, values) != "max"
            or "card" in self.bound
            or not never_below_0.issuperset(values.names)
        ):
            return None
        make = self._package.program.pool.make
        card = code.name("card")
        major, minor = (self._attribute("card", card, one) for one in values.names)
        return HighestPair(
            self.value(values.selection),
            (major, minor),
            (make(ir.Column, value, 0), make(ir.Column, value, 1)),
        )

    def _first_of(self, value: ir.ValueAt, values: ir.SortedValues) -> str | None:
        """`min` or `max`, if that is the value and no sorted list is at hand."""
        if self._has_name(values):
            return None
        match value.index:
            case ir.Integer(index) if index <= 0:
                return "max" if values.is_descending else "min"
            case ir.Integer(index) if index + 1 == self._certainty.exact_length(
                values.selection, self.mask
            ):
                return "min" if values.is_descending else "max"
            case _:
                return None

    def _element(self, value: ir.Element) -> Code:
        selection = self.value(value.selection)
        index = self.value(value.index)
        if self._is_certain(value):
            return code.subscript(selection, index)
        nothing = "NO_PLAYER" if rep_of(value) is Rep.PLAYER else "NO_CARD"
        return code.call(self.use("at"), selection, index, self.use(nothing))

    def _is_certain(self, value: Value) -> bool:
        """Whether a card or player is never none here."""
        return self._certainty.is_certain(value, self.mask)

    def _member(self, value: ir.Member) -> Code:
        owner = {Rep.CARD: "card", Rep.PLAYER: "player", Rep.TABLE: "table"}[
            rep_of(value.subject)
        ]
        if owner == "table" and value.name == SETTLEMENT_INDEX and self._is_bound():
            return code.name("game.settlement_index")
        subject = self.value(value.subject)
        if owner == "player" and value.name == "id":
            seat = code.attribute(subject, "seat")
            if self._is_certain(value.subject):
                return seat
            return code.call(self.use("max"), seat, code.integer(0))
        return self._attribute(owner, subject, value.name)

    def _is_bound(self) -> bool:
        return self._own is not None and self._own.bound and self._own.player

    def _attribute(self, owner: str, subject: Code, name: str) -> Code:
        if name == "id" and owner != "table":
            return code.attribute(subject, "seat" if owner == "player" else "id")
        return code.attribute(subject, self._names.property(owner, name))

    def _each(self, value: ir.Each) -> Code:
        if value.name is None:
            return code.binary(
                code.list_([code.integer(0)]), "*", self._size(value.selection)
            )
        owner = "card" if rep_of(value.selection) is Rep.CARDS else "player"
        body = self._attribute(owner, code.name(owner), value.name)
        return code.comprehension(body, owner, self.value(value.selection))

    def _size(self, selection: Value) -> Code:
        while (
            isinstance(selection, ir.Sorted | ir.Each) and selection not in self.locals
        ):
            selection = selection.selection
        if isinstance(selection, ir.Empty):
            return code.integer(0)
        return code.call(self.use("len"), self.value(selection))

    # numbers and truth

    def _arithmetic(self, value: ir.Arithmetic) -> Code:
        left, right = self.value(value.left), self.value(value.right)
        if self._package.widths.is_checked(value):
            return code.call(self.use("multiply"), left, right)
        sign = _ARITHMETIC.get(value.operator)
        if sign is not None:
            return code.binary(left, sign, right)
        return code.call(
            self.use("divide" if value.operator == 3 else "modulo"), left, right
        )

    def can_augment(self, value: ir.Arithmetic) -> bool:
        """Whether the operation can be spelt `+=`: with an operator of Python's own, and no local holds its result."""
        return (
            value.operator in _ARITHMETIC
            and not self._package.widths.is_checked(value)
            and value not in self.locals
        )

    def tick(self, steps: int) -> Code:
        """The call that counts so many steps of work."""
        ticks = self._package.costs.ticks(steps)
        arguments = [code.integer(ticks)] if ticks > 1 else []
        return code.call(code.name("game.tick"), *arguments)

    def _compare(
        self, value: ir.Compare, signs: Mapping[int, str] = _COMPARISONS
    ) -> Code:
        sign, left, right = signs[value.operator], value.left, value.right
        if isinstance(left, ir.Integer) and isinstance(right, ir.Integer):
            # type checkers refuse `0 == 4`: it cannot be
            return code.name(str(HOLDS[sign](left.value, right.value)))
        if isinstance(left, ir.Integer) and self._past_end(right) is not None:
            sign, left, right = _TURNED[sign], right, left
        past_end = self._past_end(left)
        if past_end is not None and isinstance(right, ir.Integer):
            return past_end.compared(sign, right.value, self.use("len"))
        if past_end is not None and self._past_end(right) is not None:
            # spelt out, two of them are hard to read
            return code.compare(self._read(left), (sign, self._read(right)))
        return code.compare(self.value(left), (sign, self.value(right)))

    def _logic(self, value: ir.Logic, is_negated: bool = False) -> Code:
        """`left and right`, the right side knowing what the left one has established; or the opposite of either side."""
        first = self._side(value.left, is_negated)
        before = self.mask
        self.mask = self._certainty.behind(value.left, value.operator, before)
        second = self._side(value.right, is_negated)
        self.mask = before
        is_and = (value.operator == 0) != is_negated
        return code.both(first, second) if is_and else code.either(first, second)

    def _side(self, value: Value, is_negated: bool) -> Code:
        """A side of `and` or `or`: of a row that is not mixed no part is, so that nothing is asked again."""
        if is_negated and isinstance(value, ir.Logic) and not self._has_name(value):
            return self._logic(value, is_negated=True)
        if is_negated and isinstance(value, ir.Quantifier):
            # turned inside out it may be a row of `and` in one of `or`, or the other way round (see `_is_mixed`)
            return code.negated(self.value(value))
        return self.condition(value, is_negated)

    def _is_mixed(self, value: ir.Logic) -> bool:
        """Whether there is an `or` in a row of `and`, or the other way round.

        The opposite of such a formula is easier to read as `not (…)` of what the author wrote than turned inside out.
        """
        waiting: list[Value] = [value.left, value.right]
        while waiting:
            side = waiting.pop()
            if self._is_row(side):
                return True
            if isinstance(side, ir.Logic) and not self._has_name(side):
                if side.operator != value.operator:
                    return True
                waiting += (side.left, side.right)
        return False

    def _is_row(self, value: Value) -> bool:
        """Whether a comparison asks for the length of a list first, so that it is an `and` or an `or` itself."""
        if not isinstance(value, ir.Compare) or self._has_name(value):
            return False
        sides = (value.left, value.right)
        return any(isinstance(side, ir.Integer) for side in sides) and any(
            self._past_end(side) is not None for side in sides
        )

    def _has_name(self, value: Value) -> bool:
        """Whether a local or a parameter holds it."""
        return value in self.locals or value in self.values

    def _truth(self, value: ir.Truth) -> Code:
        operand = value.operand
        match rep_of(operand):
            case Rep.INTEGER:
                return code.compare(self.value(operand), ("!=", code.integer(0)))
            case Rep.CARDS | Rep.PLAYERS | Rep.INTEGERS:
                return code.compare(self._size(operand), (">", code.integer(0)))
            case Rep.MIXED:
                return code.call(self.use("truth"), self.value(operand))
            case _:
                return code.call(self.use("bool"), self.value(operand))

    def _number(self, value: ir.Number) -> Code:
        if rep_of(value.operand) is Rep.BOOLEAN:
            return code.call(self.use("int"), self.value(value.operand))
        return code.call(self.use("integer"), self.value(value.operand))

    def _few(self, selection: Value) -> list[Code] | None:
        """The cards of a play or of the cards being judged one by one, if they are certainly no more than a few."""
        if not isinstance(selection, ir.Judged | ir.CardsOf):
            return None
        size = self._certainty.exact_length(selection, self.mask)
        if size is None or not 1 <= size <= FEW:
            return None
        cards = self.value(selection)
        return [code.subscript(cards, code.integer(number)) for number in range(size)]

    def _of_few(self, value: ir.Quantifier, *, is_negated: bool = False) -> Code | None:
        """A small component asked of each of a few cards, with `or` or `and` between; or the opposite of that."""
        if (
            # turned inside out, `and` would stand among `or` (see `_is_mixed`)
            (
                is_negated
                and (isinstance(value.body, ir.Logic) or self._is_row(value.body))
            )
            # what can take long counts its work, for which it needs the loop
            or self._package.costs.ticks_of(value)
            or expanded_sizes(value.body, self._package.sizes) > SMALL
            or "card" in self.bound
            or any(
                isinstance(part, ir.Quantifier)
                for part in values_below((value.body,), set())
            )
        ):
            return None
        cards = self._few(value.selection)
        if cards is None:
            return None
        join = code.both if value.is_all != is_negated else code.either
        around = self._card
        joined: Code | None = None
        for card in cards:
            self._card = card
            test = self.condition(value.body, is_negated)
            joined = test if joined is None else join(joined, test)
        self._card = around
        return joined

    def _quantifier(self, value: ir.Quantifier) -> Code:
        owner = bound_name(value)
        of_few = self._of_few(value)
        if of_few is not None:
            return of_few
        selection = self.value(value.selection)
        before = self.bound
        self.bound = tuple(dict.fromkeys((*before, owner)))
        ticks = self._package.costs.ticks_of(value)
        if ticks:
            arguments = [code.integer(ticks)] if ticks > 1 else []
            selection = code.call(code.name("game.counted"), selection, *arguments)
        body = code.generator(self._component(value, owner), owner, selection)
        self.bound = before
        if not value.is_all:
            return code.call(self.use("any"), body)
        is_never_empty = self._certainty.least_length(value.selection, self.mask) > 0
        return code.call(
            self.use("all" if is_never_empty else "every"),
            body,
        )

    def _component(self, value: ir.Quantifier, owner: str) -> Code:
        """What must hold of an element: in place, or, if large or bound anew in such a function, a function's call."""
        if self.outline is not None and (
            owner in self._given or self._package.is_large(value.body)
        ):
            return self.outline(value.body, self)
        return self.value(value.body)

    # calls

    def _is_cardset(self, value: ir.IsCardset, sign: str = "is not") -> Code:
        needs = self._package.reads.of(("build", value.cardset))
        arguments = [
            self.value(value.cards),
            *(self.value(one) for one in value.given),
            *([code.name("game")] if needs.game else []),
        ]
        function = self._build_function(value.cardset)
        called = self._in_context(value.context, needs, code.call(function, *arguments))
        return code.compare(called, (sign, code.name("None")))

    def _build_function(self, cardset: str) -> Code:
        """A build function; the classes, which that module imports, reach it through the module."""
        if self._method is None:
            return self.use(self._names.build(cardset))
        return code.attribute(self.use("cardsets"), self._names.build(cardset))

    def _call(self, value: ir.Call) -> Code:
        called = self.method_call(value)
        if value.is_certain or value.rep in (Rep.NONE, Rep.MIXED):
            if value.is_certain:
                return called
            return code.conditional(self.seat_exists(value), called, code.name("None"))
        nothing = self._empty(ir.Empty(value.rep))
        return code.conditional(self.seat_exists(value), called, nothing)

    def seat_exists(self, value: ir.Call) -> Code:
        """Whether the player whose method is called is there."""
        assert isinstance(value.object, ir.SeatedPlayer), "only seats may be missing"
        size = code.call(self.use("len"), code.name("game.players"))
        return code.compare(size, (">", code.integer(value.object.seat)))

    def method_call(self, value: ir.Call) -> Code:
        """The call of a method, whose object is there."""
        key = (value.owner, value.method)
        needs = self._package.reads.of(key)
        target = self.value(value.object)
        if isinstance(value.object, ir.SeatedPlayer):
            target = code.subscript(
                code.name("game.players"), code.integer(value.object.seat)
            )
        arguments = [code.name("game")] if needs.game else []
        if needs.judged:
            arguments.append(self.value(value.context.judged))
        arguments += [self._argument(one) for one in value.arguments]
        called = code.call(code.attribute(target, self._names.method(*key)), *arguments)
        return self._in_context(value.context, needs, called)

    def _argument(self, value: Value) -> Code:
        """An argument; the deck as it is now, since the method may deal from it or shuffle it."""
        made = self.value(value)
        return code.call(self.use("list"), made) if isinstance(value, ir.Deck) else made

    def _in_context(self, context: ir.Context, needs: Needs, called: Code) -> Code:
        """A call that asks the game what a quantifier has bound is made while the game knows it."""
        if context.card is not None and needs.latest:
            called = code.call(
                code.name("game.as_card"),
                self.value(context.card),
                code.lambda_("", called),
            )
        if context.player is not None and needs.player:
            called = code.call(
                code.name("game.as_player"),
                self.value(context.player),
                code.lambda_("", called),
            )
        return called

    # values of mixed kinds

    def _mixed_size(self, value: ir.MixedSize) -> Code:
        return code.call(self.use("size"), self.value(value.operand))

    def _mixed_element(self, value: ir.MixedElement) -> Code:
        return code.call(
            self.use("element_in"), self.value(value.operand), self.value(value.index)
        )

    def _mixed_property(self, value: ir.MixedProperty) -> Code:
        function = self.use(self._package.reader(value.name, value.is_mapped))
        called = code.call(function, code.name("game"), self.value(value.operand))
        if value.player is None:
            return called
        return code.call(
            code.name("game.as_player"),
            self.value(value.player),
            code.lambda_("", called),
        )

    def _mixed_sorted(self, value: ir.MixedSorted) -> Code:
        arguments = [self.value(value.operand)]
        for owner, keys in (("card", value.card_keys), ("player", value.player_keys)):
            arguments.append(self.use(owner.capitalize()))
            arguments.append(self._signed_key(owner, keys))
        return code.call(self.use("sorted_in"), *arguments)

    def _signed_key(self, owner: str, keys: tuple[ir.SortKey, ...]) -> Code:
        members = [
            self._attribute(owner, code.name(owner), key.property) for key in keys
        ]
        signed = [
            code.negative(member) if key.is_descending else member
            for member, key in zip(members, keys, strict=True)
        ]
        return code.lambda_(owner, code.list_(signed))

    def _mixed_cards(self, value: ir.MixedCards) -> Code:
        arguments = [self.value(value.operand), self.use("Card")]
        named = {} if value.is_set else {"alone": code.name("True")}
        return code.call(self.use("cards_in"), *arguments, **named)

    def _mixed_players(self, value: ir.MixedPlayers) -> Code:
        arguments = [self.value(value.operand), self.use("Player")]
        named = {} if value.is_set else {"alone": code.name("True")}
        return code.call(self.use("players_in"), *arguments, **named)
