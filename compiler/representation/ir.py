"""The intermediate representation: values as interned formulas, control as a graph of instructions.

`lower` makes it, passes rewrite it, `emit` turns it into Python. Every value class has one representation (`rep_of`);
coercions are explicit (`Truth`, `Number`). Values are interned in a `Pool`: two structurally equal values are the same
object, so identity is equality and shared formulas are found for nothing. Node ids are no part of values; instructions
carry theirs, for comments only. No class is subclassed, so `match` on a class means what it says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TypeAlias, TypeGuard, TypeVar, final

from dealwright.compiler.representation.types import Rep

V = TypeVar("V")


@final
@dataclass(frozen=True, slots=True)
class SortKey:
    """One criterion of a sort: a stored property, or `id`."""

    property: str
    is_descending: bool


@final
@dataclass(frozen=True, slots=True, eq=False)
class Nothing:
    """None."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Empty:
    """None where a value of a certain representation is wanted: 0, False, [], NO_CARD, NO_PLAYER."""

    rep: Rep


@final
@dataclass(frozen=True, slots=True, eq=False)
class Integer:
    """A constant."""

    value: int


@final
@dataclass(frozen=True, slots=True, eq=False)
class Boolean:
    """A constant truth value."""

    value: bool


@final
@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The cards being judged, as the function was given them."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Latest:
    """The cards of the latest action."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """The latest choice."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class TheTable:
    """The table."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class CurrentPlayer:
    """The player whose turn it is, or who is being settled."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class SeatedPlayer:
    """The player of a seat; `is_certain` if every match of the rule has that seat."""

    seat: int
    is_certain: bool


@final
@dataclass(frozen=True, slots=True, eq=False)
class NumberedCard:
    """A card of the deck by its number, which the deck has."""

    number: int


@final
@dataclass(frozen=True, slots=True, eq=False)
class Owner:
    """The object whose method runs: a card, a player or the table."""

    rep: Rep


@final
@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """A parameter of the method."""

    name: str
    rep: Rep


@final
@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Play A (now) or B (before) of a comparison."""

    is_a: bool


@final
@dataclass(frozen=True, slots=True, eq=False)
class BoundCard:
    """The card that the innermost quantifier over cards is looking at."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class BoundPlayer:
    """The player that the innermost quantifier over players is looking at."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """The deck, live."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Players:
    """All players, by seat."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class CardList:
    """A list of single cards."""

    cards: tuple[Value, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class CardsOf:
    """The cards of a play."""

    play: Value


@final
@dataclass(frozen=True, slots=True, eq=False)
class PlayNumber:
    """The number in the id of a play's cardset."""

    play: Value


@final
@dataclass(frozen=True, slots=True, eq=False)
class PlayProperty:
    """An integer property of a play; 0 where the play does not have it."""

    play: Value
    name: str


@final
@dataclass(frozen=True, slots=True, eq=False)
class Sorted:
    """A sorted copy of cards or players; stable."""

    selection: Value
    keys: tuple[SortKey, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class SortedValues:
    """The values of one property of all cards, sorted; of several properties, a row of values for each card.

    What is left of `Sorted` where nothing is read of the cards but the properties that they are sorted by.
    """

    selection: Value
    names: tuple[str, ...]
    is_descending: bool


@final
@dataclass(frozen=True, slots=True, eq=False)
class Alike:
    """Whether all cards have the same value of a property; there are at least two of them.

    What is left of the comparison of the first with the last of sorted values.
    """

    selection: Value
    name: str


@final
@dataclass(frozen=True, slots=True, eq=False)
class ValueAt:
    """The element of sorted values at an index, negatives as 0; 0 past the end, or as many zeros as a row has."""

    values: Value
    index: Value


@final
@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A value of a row."""

    row: Value
    place: int


@final
@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """The element at an index, negatives as 0; none past the end."""

    selection: Value
    index: Value


@final
@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """A stored property, or `id`, of a single card, player or table."""

    subject: Value
    name: str


@final
@dataclass(frozen=True, slots=True, eq=False)
class Each:
    """A property of every element, as a list of integers; `name` is None for one that no element has."""

    selection: Value
    name: str | None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Size:
    """How many elements."""

    selection: Value


@final
@dataclass(frozen=True, slots=True, eq=False)
class Arithmetic:
    """Operators 0 + 1 - 2 * 3 / 4 %."""

    operator: int
    left: Value
    right: Value


@final
@dataclass(frozen=True, slots=True, eq=False)
class Logic:
    """Operators 0 and, 1 or, of truth values."""

    operator: int
    left: Value
    right: Value


@final
@dataclass(frozen=True, slots=True, eq=False)
class Not:
    """Negation of a truth value."""

    operand: Value


@final
@dataclass(frozen=True, slots=True, eq=False)
class Compare:
    """Operators 0 = 1 > 2 < 3 >= 4 <= of integers."""

    operator: int
    left: Value
    right: Value


@final
@dataclass(frozen=True, slots=True, eq=False)
class Quantifier:
    """Some (or all) of the cards or players; false for none of them."""

    is_all: bool
    selection: Value
    body: Value


@final
@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """What a called flow sees of its caller: its cards being judged, and what a quantifier has bound."""

    judged: Value
    card: Value | None
    player: Value | None


@final
@dataclass(frozen=True, slots=True, eq=False)
class IsCardset:
    """Whether the build flow of a cardset accepts the cards; `given` are the sorted values that it takes with them."""

    cardset: str
    cards: Value
    context: Context
    given: tuple[Value, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A method of an object; `is_certain` if the object is never none."""

    owner: str
    method: str
    object: Value
    is_certain: bool
    arguments: tuple[Value, ...]
    context: Context
    rep: Rep


@final
@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """A value as truth."""

    operand: Value


@final
@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """A value as integer."""

    operand: Value


@final
@dataclass(frozen=True, slots=True, eq=False)
class MixedSize:
    """The size of a value of mixed kinds."""

    operand: Value


@final
@dataclass(frozen=True, slots=True, eq=False)
class MixedElement:
    """An element of a value of mixed kinds."""

    operand: Value
    index: Value


@final
@dataclass(frozen=True, slots=True, eq=False)
class MixedProperty:
    """A property of a value of mixed kinds, through operator 1 or (mapped) 2; `player` if one is bound and it matters."""

    operand: Value
    name: str
    is_mapped: bool
    player: Value | None


@final
@dataclass(frozen=True, slots=True, eq=False)
class MixedSorted:
    """A sorted copy of a value of mixed kinds."""

    operand: Value
    card_keys: tuple[SortKey, ...]
    player_keys: tuple[SortKey, ...]


@final
@dataclass(frozen=True, slots=True, eq=False)
class MixedCards:
    """The cards that a value of mixed kinds is: none of them unless it is cards, a play or (`is_set` false) a card."""

    operand: Value
    is_set: bool


@final
@dataclass(frozen=True, slots=True, eq=False)
class MixedPlayers:
    """The players that a value of mixed kinds is: none of them unless it is players or (`is_set` false) a player."""

    operand: Value
    is_set: bool


@final
@dataclass(frozen=True, slots=True, eq=False)
class MixedIntegers:
    """The list of integers that a value of mixed kinds is, or an empty one."""

    operand: Value


Value: TypeAlias = (
    Nothing
    | Empty
    | Integer
    | Boolean
    | Judged
    | Latest
    | Choice
    | TheTable
    | CurrentPlayer
    | SeatedPlayer
    | NumberedCard
    | Owner
    | Parameter
    | Compared
    | BoundCard
    | BoundPlayer
    | Deck
    | Players
    | CardList
    | CardsOf
    | PlayNumber
    | PlayProperty
    | Sorted
    | SortedValues
    | Alike
    | ValueAt
    | Column
    | Element
    | Member
    | Each
    | Size
    | Arithmetic
    | Logic
    | Not
    | Compare
    | Quantifier
    | IsCardset
    | Call
    | Truth
    | Number
    | MixedSize
    | MixedElement
    | MixedProperty
    | MixedSorted
    | MixedCards
    | MixedPlayers
    | MixedIntegers
)

_REPS: Mapping[type, Rep] = {
    Nothing: Rep.NONE,
    Integer: Rep.INTEGER,
    Boolean: Rep.BOOLEAN,
    Judged: Rep.CARDS,
    Latest: Rep.CARDS,
    Choice: Rep.INTEGER,
    TheTable: Rep.TABLE,
    CurrentPlayer: Rep.PLAYER,
    SeatedPlayer: Rep.PLAYER,
    NumberedCard: Rep.CARD,
    Compared: Rep.PLAY,
    BoundCard: Rep.CARD,
    BoundPlayer: Rep.PLAYER,
    Deck: Rep.CARDS,
    Players: Rep.PLAYERS,
    CardList: Rep.CARDS,
    CardsOf: Rep.CARDS,
    PlayNumber: Rep.INTEGER,
    PlayProperty: Rep.INTEGER,
    Member: Rep.INTEGER,
    SortedValues: Rep.INTEGERS,
    Alike: Rep.BOOLEAN,
    Column: Rep.INTEGER,
    Each: Rep.INTEGERS,
    Size: Rep.INTEGER,
    Arithmetic: Rep.INTEGER,
    Logic: Rep.BOOLEAN,
    Not: Rep.BOOLEAN,
    Compare: Rep.BOOLEAN,
    Quantifier: Rep.BOOLEAN,
    IsCardset: Rep.BOOLEAN,
    Truth: Rep.BOOLEAN,
    Number: Rep.INTEGER,
    MixedSize: Rep.INTEGER,
    MixedElement: Rep.MIXED,
    MixedProperty: Rep.MIXED,
    MixedSorted: Rep.MIXED,
    MixedCards: Rep.CARDS,
    MixedPlayers: Rep.PLAYERS,
    MixedIntegers: Rep.INTEGERS,
}


def rep_of(value: Value) -> Rep:
    """How generated code holds this value."""
    match value:
        case Empty(rep) | Owner(rep) | Parameter(_, rep):
            return rep
        case Call():
            return value.rep
        case Sorted():
            sorted_: Value = value
            while isinstance(sorted_, Sorted):
                sorted_ = sorted_.selection
            return rep_of(sorted_)
        case ValueAt():
            return Rep.INTEGERS if columns(value) > 1 else Rep.INTEGER
        case Element(selection, _):
            return Rep.PLAYER if rep_of(selection) is Rep.PLAYERS else Rep.CARD
        case _:
            return _REPS[type(value)]


def columns(value: Value) -> int:
    """How many values of a card a value is one row of; 0 if it is none of sorted values."""
    if isinstance(value, ValueAt) and isinstance(value.values, SortedValues):
        return len(value.values.names)
    return 0


def is_value(part: object) -> TypeGuard[Value]:
    """Whether a part of a value or operation is itself a value."""
    return type(part) in _CLASSES


def children(value: Value) -> tuple[Value, ...]:
    """The values that a value is made of, in order of evaluation; a call's context is none of them."""
    found: list[Value] = []
    for one in fields(value):
        _collect(getattr(value, one.name), found)
    return tuple(found)


def _collect(part: object, found: list[Value]) -> None:
    if isinstance(part, tuple):
        for one in part:
            _collect(one, found)
    elif is_value(part):
        found.append(part)


_CLASSES = frozenset({*_REPS, Empty, Owner, Parameter, Call, Sorted, Element, ValueAt})


@final
class Pool:
    """Interns values: `make(Size, x)` gives the same object for the same class and parts."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], object] = {}

    def make(self, cls: type[V], *parts: object) -> V:
        """The one value of this class with these parts."""
        key = (cls, *(_key(part) for part in parts))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = cls(*parts)
        return known  # type: ignore[return-value]  # stored under its own class


def _key(part: object) -> object:
    """What a part is known by: values by identity, which the pool keeps alive; plain parts by type and equality."""
    if isinstance(part, tuple):
        return tuple(_key(one) for one in part)
    if type(part) in _CLASSES or isinstance(part, Context):
        return id(part)
    return (type(part), part)


@final
@dataclass(frozen=True, slots=True)
class Target:
    """Where an assignment goes: a property of one object, of class `owner`; MIXED subjects are told apart at run time."""

    subject: Value
    name: str


@final
@dataclass(frozen=True, slots=True)
class Filter:
    """A deal's filter on a stored property (None: one that no card has, read as 0); inclusive bounds or none."""

    name: str | None
    lower: int | None
    upper: int | None


@final
@dataclass(frozen=True, slots=True)
class Assign:
    """Store an integer in a property."""

    target: Target
    value: Value


@final
@dataclass(frozen=True, slots=True)
class SortDeck:
    """Sort the deck in place; `guard` is a MIXED value that must be the table, or None."""

    keys: tuple[SortKey, ...]
    guard: Value | None


@final
@dataclass(frozen=True, slots=True)
class Shuffle:
    """Shuffle the deck."""


@final
@dataclass(frozen=True, slots=True)
class Deal:
    """Deal rounds of cards that pass the filters."""

    rounds: int
    filters: tuple[Filter, ...]


@final
@dataclass(frozen=True, slots=True)
class Invoke:
    """Call a method for its effects."""

    call: Call


@final
@dataclass(frozen=True, slots=True)
class Pass:
    """Nothing; kept only where a cycle has nothing else."""


@final
@dataclass(frozen=True, slots=True)
class Branch:
    """Go on at `then` if the condition holds, else at `orelse`."""

    condition: Value
    then: str
    orelse: str


@final
@dataclass(frozen=True, slots=True)
class Finish:
    """On to the settlement."""


@final
@dataclass(frozen=True, slots=True)
class AskPlay:
    """Wait for a play; seconds of the timer, where the flow goes on."""

    timer: int
    next: str


@final
@dataclass(frozen=True, slots=True)
class AskChoice:
    """Wait for a choice among options (none: any integer); `regions` name them where it is one of regions."""

    timer: int
    options: tuple[int, ...]
    next: str
    regions: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Settle:
    """The result of the player who is being settled."""

    result: int


@final
@dataclass(frozen=True, slots=True)
class Return:
    """The end of a method, with its value in the method's representation, or None."""

    value: Value | None


@final
@dataclass(frozen=True, slots=True)
class Accept:
    """A match of a cardset, with its properties."""

    properties: tuple[tuple[str, int], ...]


@final
@dataclass(frozen=True, slots=True)
class Reject:
    """No match."""


@final
@dataclass(frozen=True, slots=True)
class Win:
    """The end of a comparison."""

    is_a: bool


Step: TypeAlias = Assign | SortDeck | Shuffle | Deal | Invoke | Pass
Terminal: TypeAlias = (
    Finish | AskPlay | AskChoice | Settle | Return | Accept | Reject | Win
)
Operation: TypeAlias = Step | Branch | Terminal


@final
@dataclass(frozen=True, slots=True)
class Instruction:
    """One control node: what it does, and for a step where control goes next."""

    id: str
    operation: Operation
    next: str | None


@final
@dataclass(frozen=True, slots=True)
class Body:
    """A lowered flow: its instructions by node id, and where it begins. Every path ends in a terminal or never.

    called: what the author calls a value, the id of a node that it comes from. For names only: it says nothing of what the
    flow does, and values that a pass has made are not in it.
    """

    entry: str
    instructions: Mapping[str, Instruction]
    called: Mapping[Value, str] = field(default_factory=dict)


def successors(instruction: Instruction) -> tuple[str, ...]:
    """Where control can go without a wait: branch targets in order, or the next instruction."""
    operation = instruction.operation
    if isinstance(operation, Branch):
        return (
            (operation.then,)
            if operation.then == operation.orelse
            else (operation.then, operation.orelse)
        )
    return () if instruction.next is None else (instruction.next,)


def behind_wait(operation: Operation) -> str | None:
    """The node where the flow goes on behind a wait; None if the operation is no wait."""
    return operation.next if isinstance(operation, AskPlay | AskChoice) else None


def operation_values(operation: Operation) -> tuple[Value, ...]:
    """The values that an operation evaluates, in order."""
    match operation:
        case Assign(target, value):
            return (value, target.subject)
        case SortDeck(_, guard):
            return () if guard is None else (guard,)
        case Invoke(call):
            return (call,)
        case Branch(condition, _, _):
            return (condition,)
        case Return(value):
            return () if value is None else (value,)
        case _:
            return ()
