"""The part of `ircheck` that looks at values: representations of operands, names, calls, and what stands where.

Goes in: the roots of an instruction with the flow they stand in. A value is looked at once for each binding it stands
under, since `@card` is fine below a quantifier over cards only, and the cards being judged are fine only outside one.
Everything here walks with a stack, so no depth of formula is too deep.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import NamedTuple, TypeAlias, final

from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Pool, Value, rep_of
from dealwright.compiler.representation.program import MethodBody, Program
from dealwright.compiler.representation.types import Rep
from dealwright.compiler.rule.model import FlowKind
from dealwright.compiler.rule.objects import KEPT, SETTLEMENT_INDEX, deck_size

FlowKey: TypeAlias = "tuple[str, str]"
"""`("build", id)`, `("compare", id)`, `("comparison", id)`, `("match", "")`, `("end", "")` or `(class, method)`."""


@final
class IrError(Exception):
    """An invariant of the intermediate representation is broken: a mistake of the compiler, not of the rule."""


def flow_text(key: FlowKey) -> str:
    """How messages call a flow."""
    first, second = key
    if first in ("card", "player", "table"):
        return f"method {first}.{second}"
    return f"{first} flow" + (f" {second!r}" if second else "")


@final
@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: the flow, the instruction, and for a method its signature."""

    flow: FlowKey
    id: str
    kind: FlowKind
    method: MethodBody | None

    def error(self, sentence: str) -> IrError:
        """An error at this place."""
        return IrError(f"{flow_text(self.flow)}, instruction {self.id!r}: {sentence}")


class Binding(NamedTuple):
    """What surrounding quantifiers have bound."""

    card: bool
    player: bool


FREE = Binding(card=False, player=False)


@final
@dataclass(frozen=True, slots=True)
class World:
    """What values may refer to: the pool, the stored properties by class, cardsets, methods, the size of the deck."""

    pool: Pool
    assigned: Mapping[str, frozenset[str]]
    stored: Mapping[str, frozenset[str]]
    builds: frozenset[str]
    methods: Mapping[FlowKey, MethodBody]
    deck_size: int

    @staticmethod
    def of(program: Program) -> World:
        """The world of a program."""
        stored = {
            owner: frozenset(one.name for one in properties) | KEPT[owner].keys()
            for owner, properties in program.stored.items()
        }
        return World(
            program.pool,
            program.assigned,
            stored,
            frozenset(program.builds),
            program.methods,
            deck_size(program.rule),
        )

    def is_readable(self, owner: str, name: str) -> bool:
        """Whether objects of the class store the property or have it as their id."""
        return name in self.stored[owner] or (name == "id" and owner != "table")


Reps: TypeAlias = frozenset[Rep]


def _reps(*reps: Rep) -> Reps:
    return frozenset(reps)


_INTEGER = _reps(Rep.INTEGER)
_BOOLEAN = _reps(Rep.BOOLEAN)
_CARDS = _reps(Rep.CARDS)
_PLAY = _reps(Rep.PLAY)
_MIXED = _reps(Rep.MIXED)
_MANY = _reps(Rep.CARDS, Rep.PLAYERS)
_SINGLE = _reps(Rep.CARD, Rep.PLAYER, Rep.TABLE)
_COUNTED = _reps(Rep.BOOLEAN, Rep.INTEGERS, Rep.MIXED)
_TESTED = _MANY | {Rep.INTEGERS, Rep.INTEGER, Rep.CARD, Rep.PLAYER, Rep.MIXED}
_EMPTY = _MANY | {Rep.INTEGERS, Rep.INTEGER, Rep.BOOLEAN, Rep.CARD, Rep.PLAYER}
_OWNERS = {
    Rep.CARD: "card",
    Rep.PLAYER: "player",
    Rep.TABLE: "table",
    Rep.CARDS: "card",
    Rep.PLAYERS: "player",
}

_OPERANDS: Mapping[type, Mapping[str, Reps]] = {
    ir.CardsOf: {"play": _PLAY},
    ir.PlayNumber: {"play": _PLAY},
    ir.PlayProperty: {"play": _PLAY},
    ir.Sorted: {"selection": _MANY},
    ir.Element: {"selection": _MANY, "index": _INTEGER},
    ir.SortedValues: {"selection": _CARDS},
    ir.Alike: {"selection": _CARDS},
    ir.ValueAt: {"values": _reps(Rep.INTEGERS), "index": _INTEGER},
    ir.Column: {"row": _reps(Rep.INTEGERS)},
    ir.Member: {"subject": _SINGLE},
    ir.Each: {"selection": _MANY},
    ir.Size: {"selection": _MANY},
    ir.Arithmetic: {"left": _INTEGER, "right": _INTEGER},
    ir.Logic: {"left": _BOOLEAN, "right": _BOOLEAN},
    ir.Not: {"operand": _BOOLEAN},
    ir.Compare: {"left": _INTEGER, "right": _INTEGER},
    ir.Quantifier: {"selection": _MANY, "body": _BOOLEAN},
    ir.IsCardset: {"cards": _CARDS},
    ir.Truth: {"operand": _TESTED},
    ir.Number: {"operand": _COUNTED},
    ir.MixedSize: {"operand": _MIXED},
    ir.MixedElement: {"operand": _MIXED, "index": _INTEGER},
    ir.MixedProperty: {"operand": _MIXED},
    ir.MixedSorted: {"operand": _MIXED},
    ir.MixedCards: {"operand": _MIXED},
    ir.MixedPlayers: {"operand": _MIXED},
    ir.MixedIntegers: {"operand": _MIXED},
}
"""What each operand may be held as; the operands of `CardList` and `Call` are many and are checked by themselves."""

_OPERATORS: Mapping[type, int] = {ir.Arithmetic: 5, ir.Logic: 2, ir.Compare: 5}


def represented(value: Value) -> str:
    """A value in a message: its class and how it is held."""
    return f"{type(value).__name__} ({rep_of(value).name})"


def _named(class_: type) -> str:
    name = class_.__name__
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def fits(value: Value, wanted: Rep) -> bool:
    """Whether a value can be passed where this representation is wanted: the same, or anything where all are mixed."""
    return wanted is Rep.MIXED or rep_of(value) is wanted


def called_flow(call: Value) -> FlowKey:
    """The flow that a call or a cardset test calls."""
    if isinstance(call, ir.IsCardset):
        return ("build", call.cardset)
    assert isinstance(call, ir.Call), "only these call a flow"
    return (call.owner, call.method)


def check_value(
    world: World,
    place: Place,
    root: Value,
    binding: Binding,
    seen: set[tuple[Value, bool, bool]],
) -> list[Value]:
    """Check a value and all it is made of, unless `seen` holds it under its binding.

    Returns the calls and cardset tests met for the first time. Raises `IrError`.
    """
    calls: list[Value] = []
    pending = [(root, binding)]
    while pending:
        value, bound = pending.pop()
        if (value, *bound) in seen:
            continue
        seen.add((value, *bound))
        _check_interned(world, place, value)
        _check_operands(place, value)
        _check_names(world, place, value)
        _check_standing(place, value, bound)
        if isinstance(value, ir.Quantifier):
            inside = _inside(value.selection, bound)
            pending += [(value.body, inside), (value.selection, bound)]
            continue
        if isinstance(value, ir.Call | ir.IsCardset):
            calls.append(value)
            _check_call(world, place, value)
            _check_context(world, place, value.context, bound)
        pending.extend((one, bound) for one in reversed(ir.children(value)))
    return calls


def _inside(selection: Value, binding: Binding) -> Binding:
    if rep_of(selection) is Rep.CARDS:
        return binding._replace(card=True)
    return binding._replace(player=True)


def _check_interned(world: World, place: Place, value: Value | ir.Context) -> None:
    parts = (getattr(value, one.name) for one in fields(value))
    if world.pool.make(type(value), *parts) is not value:
        name = _named(type(value))
        raise place.error(f"{name} is not the pool's own of its parts")


def _check_operands(place: Place, value: Value) -> None:
    name = _named(type(value))
    for field, allowed in _OPERANDS.get(type(value), {}).items():
        operand: Value = getattr(value, field)
        if rep_of(operand) not in allowed:
            wanted = " or ".join(one.name for one in Rep if one in allowed)
            found = represented(operand)
            raise place.error(f"the {field} of {name} is {found}, not {wanted}")
    match value:
        case ir.CardList(cards):
            for one in cards:
                if rep_of(one) is not Rep.CARD:
                    raise place.error(f"a CardList holds {represented(one)}, not CARD")
        case ir.ValueAt(values, _) if not isinstance(values, ir.SortedValues):
            raise place.error(f"a ValueAt reads {represented(values)}")
        case ir.Column(row, number):
            if not 0 <= number < ir.columns(row):
                raise place.error(f"a Column {number} of {represented(row)}")
        case ir.Empty(rep) if rep not in _EMPTY:
            raise place.error(f"there is no empty value held as {rep.name}")
        case ir.Arithmetic(number) | ir.Logic(number) | ir.Compare(number):
            if not 0 <= number < _OPERATORS[type(value)]:
                raise place.error(f"{name} has no operator {number}")
        case _:
            pass


def _check_names(world: World, place: Place, value: Value) -> None:
    """Properties that are read are stored; cards, parameters and the object of a method exist."""
    method = place.method
    match value:
        case ir.Member(subject, name):
            _check_property(world, place, _OWNERS[rep_of(subject)], name)
        case ir.Each(selection, str(name)):
            _check_property(world, place, _OWNERS[rep_of(selection)], name)
        case ir.Sorted(selection, keys):
            if not keys:
                raise place.error("a Sorted has no criterion")
            for key in keys:
                check_key(world, place, _OWNERS[rep_of(selection)], key)
        case ir.SortedValues(_, names, _):
            if not names:
                raise place.error("a SortedValues has no property")
            for name in names:
                _check_property(world, place, "card", name)
        case ir.Alike(_, name):
            _check_property(world, place, "card", name)
        case ir.MixedSorted(_, card_keys, player_keys):
            for owner, keys in (("card", card_keys), ("player", player_keys)):
                for key in keys:
                    check_key(world, place, owner, key)
        case ir.NumberedCard(number) if not 1 <= number <= world.deck_size:
            raise place.error(f"the deck has no card {number}")
        case ir.SeatedPlayer(seat, _) if seat < 0:
            raise place.error(f"there is no seat {seat}")
        case ir.Parameter(name, rep):
            if method is None or (name, rep) not in method.parameters:
                raise place.error(f"there is no parameter {name!r} held as {rep.name}")
        case ir.Owner(rep):
            if method is None or _OWNERS.get(rep) != method.owner or rep not in _SINGLE:
                raise place.error(f"there is no object of a method held as {rep.name}")
        case _:
            pass


def _check_property(world: World, place: Place, owner: str, name: str) -> None:
    if not world.is_readable(owner, name):
        raise place.error(f"{name!r} is read, which no {owner} stores")


def check_key(world: World, place: Place, owner: str, key: ir.SortKey) -> None:
    """Check that objects of the class can be sorted by this criterion. Raises `IrError`."""
    if not world.is_readable(owner, key.property):
        raise place.error(f"a sort by {key.property!r}, which no {owner} stores")


def _check_standing(place: Place, value: Value, binding: Binding) -> None:
    """Whether such a value may stand in this kind of flow and under this binding (contract, section 5, type 11)."""
    match value:
        case ir.Judged() if place.kind not in (FlowKind.BUILD, FlowKind.METHOD):
            raise place.error("no cards are being judged in a flow of this kind")
        case ir.Compared() if place.kind is not FlowKind.COMPARE:
            raise place.error("a Compared stands outside compare flows")
        case ir.BoundCard() if not binding.card:
            raise place.error("a BoundCard stands outside quantifiers over cards")
        case ir.BoundPlayer() if not binding.player:
            raise place.error("a BoundPlayer stands outside quantifiers over players")
        case ir.Judged() | ir.Latest() if binding.card:
            name = _named(type(value))
            raise place.error(f"{name} stands where a quantifier has bound a card")
        case ir.CurrentPlayer() if binding.player:
            raise place.error(
                "a CurrentPlayer stands where a quantifier has bound a player"
            )
        case ir.Member(subject, member) if binding.player:
            if member == SETTLEMENT_INDEX and rep_of(subject) is Rep.TABLE:
                raise place.error(f"{member} is not that of the bound player")
        case ir.MixedProperty(_, member, _, player) if binding.player:
            # the operand may be the table at run time
            if member == SETTLEMENT_INDEX and player is None:
                raise place.error(f"{member} is not that of the bound player")
        case _:
            pass


def _check_call(world: World, place: Place, value: ir.Call | ir.IsCardset) -> None:
    if isinstance(value, ir.IsCardset):
        if value.cardset not in world.builds:
            raise place.error(f"there is no cardset {value.cardset!r}")
        return
    method = world.methods.get((value.owner, value.method))
    name = flow_text((value.owner, value.method))
    if method is None:
        raise place.error(f"there is no {name}")
    held = rep_of(value.object)
    if held not in _SINGLE or _OWNERS[held] != value.owner:
        raise place.error(f"{name} is called on {represented(value.object)}")
    is_missing = (
        isinstance(value.object, ir.SeatedPlayer) and not value.object.is_certain
    )
    if value.is_certain is is_missing:
        raise place.error(
            f"{name} is called as if its object were{'' if is_missing else ' not'} there"
        )
    if value.rep is not method.returned:
        raise place.error(f"{name} gives {method.returned.name}, not {value.rep.name}")
    if len(value.arguments) != len(method.parameters):
        raise place.error(f"{name} is called with {len(value.arguments)} arguments")
    for given, (parameter, rep) in zip(value.arguments, method.parameters, strict=True):
        if not fits(given, rep):
            found = represented(given)
            raise place.error(f"{name} takes {rep.name} as {parameter!r}, not {found}")


def _check_context(
    world: World, place: Place, context: ir.Context, binding: Binding
) -> None:
    """A callee sees exactly what is bound here, and the cards that are being judged here."""
    _check_interned(world, place, context)
    for part, is_bound, wanted in (
        (context.card, binding.card, ir.BoundCard),
        (context.player, binding.player, ir.BoundPlayer),
    ):
        if (type(part) is wanted) is not is_bound or (part is None) is is_bound:
            raise place.error(
                f"a callee sees {part} where {_named(wanted)} is{'' if is_bound else ' not'} bound"
            )
    if context.judged is not _judged(world.pool, place.kind, binding):
        found = represented(context.judged)
        raise place.error(f"a callee sees {found} as the cards being judged")


def _judged(pool: Pool, kind: FlowKind, binding: Binding) -> Value:
    if binding.card:
        return pool.make(ir.CardList, (pool.make(ir.BoundCard),))
    if kind in (FlowKind.BUILD, FlowKind.METHOD):
        return pool.make(ir.Judged)
    return pool.make(ir.Empty, Rep.CARDS)
