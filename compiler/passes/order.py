"""Whether the order of some cards can change what a flow does: the elements it reads by their place, and what of them.

Goes in: the lowered program. Comes out: for each flow the reads by place of the cards it is given, also through methods
and cardsets. Such a read does no harm if only properties are read that the cards have been sorted by, or if the sort
tells all cards apart, or if there is one card: then every order of the same cards gives the same answer. All else is
listed: an unsorted `cards[1]`, or a tie under a sort whose other properties are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, final

from dealwright.compiler.passes.bounds import Bounds
from dealwright.compiler.passes.certain import Certainty
from dealwright.compiler.passes.reads import CallKey, all_values, called
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.control import in_control_order
from dealwright.compiler.representation.ir import Value, rep_of
from dealwright.compiler.representation.program import Program
from dealwright.compiler.representation.types import Rep
from dealwright.compiler.rule.flowgraph import strongly_connected
from dealwright.compiler.rule.objects import deck_axes

WHOLE: Final = "*"
"""Read of a card: everything, since it is handed on or kept."""

Source: TypeAlias = tuple[str, str]
"""Whose cards: `("judged", "")`, `("play", "a")`, `("latest", "")`, `("parameter", name)`, `("owner", "")`."""

_CARD = (Rep.CARD, Rep.MIXED)
_MIXED = (
    ir.MixedElement,
    ir.MixedProperty,
    ir.MixedSorted,
    ir.MixedCards,
    ir.MixedIntegers,
    ir.Number,
)


@final
@dataclass(frozen=True, slots=True)
class Use:
    """What is read of cards: of one card (`keys` is None), or of one in its place after a sort by `keys`.

    With `of_all`, of every card of a collection in whatever order.
    """

    keys: tuple[str, ...] | None
    reads: frozenset[str]
    of_all: bool = False


@final
@dataclass(frozen=True, slots=True)
class OrderUse:
    """A read by place in which the order of cards shows.

    node: that reads. source: whose cards. keys: what they have been sorted by before. reads: what is read of the card,
    `WHOLE` for all of it. through: the flow that this one calls for it, if it does not read itself.
    """

    node: str
    source: Source
    keys: tuple[str, ...]
    reads: tuple[str, ...]
    through: CallKey | None


_ALL: Final = frozenset({WHOLE})
_PLACED: Final = Use((), _ALL)
_ONE: Final = Use(None, _ALL)
_MEMBERS: Final = Use(None, _ALL, of_all=True)


@final
class Orders:
    """The reads by place of every flow of a program."""

    def __init__(self, program: Program, lengths: Mapping[str, Bounds]) -> None:
        self._program = program
        self._telling = _telling_apart(program)
        self._uses: dict[CallKey, dict[Source, dict[Use, None]]] = {}
        bodies = callable_bodies(program)
        for members in strongly_connected(bodies, lambda key: callees(bodies[key])):
            for key in members:
                bounds = lengths.get(key[1]) if key[0] == "build" else None
                certainty = Certainty(
                    program.rule.players, bounds.lengths if bounds else None
                )
                masks = bounds.at if bounds else {}
                walk = self._walk(bodies[key], certainty, masks)
                self._uses[key] = {}
                for source, use, _ in walk.found:
                    self._uses[key].setdefault(source, {})[use] = None

    def of(
        self, body: ir.Body, certainty: Certainty, masks: Mapping[str, int]
    ) -> tuple[OrderUse, ...]:
        """Where the order of cards shows in a flow, in the order of its nodes; the deck's order is not looked at.

        Args:
            body: the flow.
            certainty, masks: what exists in it, and with which lengths each node is reached (`Bounds.at`).
        """
        found: list[OrderUse] = []
        for instruction in in_control_order(body):
            walk = _Walk(self, certainty)
            walk.node(instruction, masks.get(instruction.id, certainty.everything))
            found += [
                OrderUse(
                    instruction.id, source, use.keys, tuple(sorted(use.reads)), through
                )
                for source, use, through in walk.found
                if use.keys is not None
            ]
        return tuple(found)

    def sources(
        self, body: ir.Body, certainty: Certainty, masks: Mapping[str, int]
    ) -> frozenset[Source]:
        """Of whose cards the order shows in a flow; in linear time, since nobody asks where."""
        found = self._walk(body, certainty, masks).found
        return frozenset(source for source, use, _ in found if use.keys is not None)

    def _walk(
        self, body: ir.Body, certainty: Certainty, masks: Mapping[str, int]
    ) -> _Walk:
        walk = _Walk(self, certainty)
        for instruction in body.instructions.values():
            walk.node(instruction, masks.get(instruction.id, certainty.everything))
        return walk

    def shows(self, use: Use) -> bool:
        """Whether the order before the sort shows in what is read."""
        if use.keys is None:
            return True
        known = frozenset(use.keys)
        if "id" in known or (self._telling is not None and self._telling <= known):
            return False
        return not use.reads <= known

    def uses(self, key: CallKey) -> Mapping[Source, Iterable[Use]]:
        """What a callable flow reads of the cards that it is given."""
        return self._uses.get(key, {})

    def parameters(self, call: ir.Call) -> tuple[str, ...]:
        """The names of the parameters of the method that is called."""
        method = self._program.methods[call.owner, call.method]
        return tuple(name for name, _ in method.parameters)


@final
class _Walk:
    """The uses of cards in some nodes, handed down from what is made of cards to where they come from.

    A part of a formula that is met again with the same lengths is not looked at again.
    """

    def __init__(self, orders: Orders, certainty: Certainty) -> None:
        self.found: dict[tuple[Source, Use, CallKey | None], None] = {}
        self._orders = orders
        self._certainty = certainty
        self._mask = certainty.everything
        self._pending: list[tuple[Value, Use, CallKey | None]] = []
        self._passed: set[tuple[Value, int, Use, CallKey | None]] = set()
        self._started: set[tuple[Value, int]] = set()

    def node(self, instruction: ir.Instruction, mask: int) -> None:
        """Add what one node reads; `mask` are the lengths with which it is reached."""
        operation = instruction.operation
        self._mask = mask
        match operation:
            case ir.Assign(target, _):
                self._push(target.subject, _ONE)
            case ir.Return(value) if value is not None:
                self._hand_out(value)
            case _:
                pass
        self._follow()
        pending = [(value, mask) for value in ir.operation_values(operation)]
        while pending:
            pair = pending.pop()
            if pair not in self._started:
                self._started.add(pair)
                value, self._mask = pair
                self._start(value)
                self._follow()
                pending += reversed(self._certainty.parts(*pair))

    def _follow(self) -> None:
        while self._pending:
            self._pass_on(*self._pending.pop())

    def _push(self, value: Value, use: Use, through: CallKey | None = None) -> None:
        key = (value, self._mask, use, through)
        if key not in self._passed:
            self._passed.add(key)
            self._pending.append((value, use, through))

    def _hand_out(self, value: Value) -> None:
        """A value whose further use is not known here: everything of it, in its order."""
        if rep_of(value) in _CARD:
            self._push(value, _ONE)
        if rep_of(value) in (Rep.CARDS, Rep.MIXED, Rep.INTEGERS, Rep.PLAY):
            self._push(value, _PLACED)
            self._push(value, _MEMBERS)

    def _start(self, value: Value) -> None:
        """What a value itself reads of its operands."""
        match value:
            case ir.Member(subject, name) if rep_of(subject) is Rep.CARD:
                self._push(subject, Use(None, frozenset({name})))
            case ir.SortedValues(selection, names, _):
                self._push(selection, Use(None, frozenset(names), of_all=True))
            case ir.Alike(selection, name):
                self._push(selection, Use(None, frozenset({name}), of_all=True))
            case ir.Quantifier(_, selection, _):
                # what is read as a value changes nothing, so it does not matter who comes first
                self._push(selection, _MEMBERS)
            case ir.IsCardset(_, cards, _, _):
                self._push(cards, _MEMBERS)
                self._ask(value, ("judged", ""), cards)
            case ir.Call():
                self._call(value)
            case _ if isinstance(value, _MIXED):
                self._hand_out(value.operand)
            case _:
                pass

    def _call(self, call: ir.Call) -> None:
        self._ask(call, ("judged", ""), call.context.judged)
        self._ask(call, ("owner", ""), call.object)
        names = self._orders.parameters(call)
        for name, argument in zip(names, call.arguments, strict=True):
            self._ask(call, ("parameter", name), argument)
            self._push(argument, _MEMBERS)
            if rep_of(argument) is Rep.INTEGERS:
                self._push(argument, _PLACED)

    def _ask(self, call: ir.Call | ir.IsCardset, source: Source, given: Value) -> None:
        """What the called flow reads of cards that it gets from here."""
        key = called(call)
        assert key is not None, "both call a flow"
        is_single = self._certainty.exact_length(given, self._mask) == 1
        for use in self._orders.uses(key).get(source, ()):
            if use.keys is None or not is_single:
                self._push(given, use, key)

    def _pass_on(self, value: Value, use: Use, through: CallKey | None) -> None:
        """A use of a value as uses of what it is made of."""
        match value:
            case ir.Element(selection, _) if rep_of(value) is Rep.CARD:
                if self._certainty.exact_length(selection, self._mask) != 1:
                    self._push(selection, Use((), use.reads), through)
            case ir.Sorted(selection, keys) if rep_of(value) is Rep.CARDS:
                if use.keys is not None:
                    names = (*use.keys, *(key.property for key in keys))
                    use = Use(tuple(dict.fromkeys(names)), use.reads)
                self._push(selection, use, through)
            case ir.Each(selection, name) if rep_of(selection) is Rep.CARDS:
                if name is not None and use.keys is not None:
                    self._push(selection, Use((), frozenset({name})), through)
            case ir.CardList(cards):
                reads = use.reads | frozenset(use.keys or ())
                for card in cards:
                    self._push(card, Use(None, reads), through)
            case ir.CardsOf(play):
                self._push(play, use, through)
            case _ if isinstance(value, _MIXED):
                self._hand_out(value.operand)
            case _:
                self._record(value, use, through)

    def _record(self, value: Value, use: Use, through: CallKey | None) -> None:
        source = source_of(value)
        if source is not None and not use.of_all and self._orders.shows(use):
            self.found[source, use, through] = None


def source_of(value: Value) -> Source | None:
    """Whose cards a value stands for, if it is given to the flow."""
    match value:
        case ir.Judged():
            return ("judged", "")
        case ir.Latest():
            return ("latest", "")
        case ir.Compared(is_a):
            return ("play", "a" if is_a else "b")
        case ir.Parameter(name, _):
            return ("parameter", name)
        case ir.Owner(Rep.CARD):
            return ("owner", "")
        case _:
            return None


def callable_bodies(program: Program) -> dict[CallKey, ir.Body]:
    """The flows that others can call: build flows and methods."""
    bodies: dict[CallKey, ir.Body] = {
        ("build", id): body for id, body in program.builds.items()
    }
    return bodies | {key: method.body for key, method in program.methods.items()}


def callees(body: ir.Body) -> list[CallKey]:
    """The flows that a flow calls, in the order of its nodes; one that is called twice stands there twice."""
    return [key for value in all_values(body) if (key := called(value)) is not None]


def _telling_apart(program: Program) -> frozenset[str] | None:
    """The properties that together tell all cards of the deck apart for ever; None if they need not."""
    axes = deck_axes(program.rule)
    if any(len(set(values)) < len(values) for _, values in axes):
        return None
    telling = frozenset(name for name, values in axes if len(values) > 1)
    stored = frozenset(one.name for one in program.stored["card"])
    is_fixed = telling.isdisjoint(program.assigned["card"])
    return telling if is_fixed and telling <= stored else None
