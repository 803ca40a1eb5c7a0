"""Cards, players and the table: the base classes of what a generated package declares.

A rule's objects are plain slotted classes whose properties are integers. What a rule assigns must become an event and
must be undone when an action is refused; therefore players, the table and cards of rules that assign card properties
report each assignment to the match they are live in. Objects that are in no match yet are just set. A card of a rule
that assigns no card property never changes, reports nothing, and is shared by all matches of its package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    Literal,
    NoReturn,
    Protocol,
    Self,
    TypeAlias,
)
from weakref import ReferenceType, ref

from dealwright.runtime.errors import FlowStopped

Audience: TypeAlias = Literal["all", "seat", "nobody"]
# What assignments are logged as; at the end attribute, value before, value now. Table and players stand there by class
# and seat: were they in the log themselves, each match would be a cycle that only the garbage collector can take apart.
TableAssigned: TypeAlias = "tuple[Literal['table'], type[TableBase], str, int, int]"
PlayerAssigned: TypeAlias = (
    "tuple[Literal['player'], type[PlayerBase], int, str, int, int]"
)
CardAssigned: TypeAlias = (
    "tuple[Literal['card'], Audience, int | None, AssignableCard, str, int, int]"
)

MOST_BITS: Final = 13_300
"""Bits of the largest integer that a property holds: the 4,000 digits that a rule file may spell, and below the 4,300
beyond which Python writes no JSON text."""

_SMALL: Final = 10**9
"""Far below what is refused: comparing with it spares nearly all assignments the question, and they are half of what a
match does."""

put = (
    object.__setattr__
)  # sets an attribute without an event: for the engine's own updates and for undoing


def refuse_huge(value: int) -> None:
    """Stop a flow that would store an integer which no saved match could hold.

    Raises:
        FlowStopped: "rule_error".
    """
    if value.bit_length() > MOST_BITS:
        raise FlowStopped("rule_error", "the integer is too large to be stored")


def _stores(kind: type[object]) -> dict[str, Callable[[object, int], None]]:
    """What `put` does, by attribute: without the search for it, which takes as long as all the rest of it."""
    return {
        name: owner.__dict__[name].__set__
        for owner in reversed(kind.__mro__)
        for name in owner.__dict__.get("__slots__", ())
    }


def _stay(self: object) -> NoReturn:
    """What `pickle` and `copy` get for an object that changes: alone it would be of no match, or of two.

    Raises:
        TypeError: always.
    """
    raise TypeError(
        f"{self!r} belongs to its match; copy the match, or save it with to_json()"
    )


class AssignmentLog(Protocol):
    """Where a live player or table reports its assignments."""

    def append(self, entry: TableAssigned | PlayerAssigned, /) -> None: ...


class CardHome(Protocol):
    """Where a live assignable card reports: who may see the assignment depends on where the card lies."""

    def card_assigned(
        self, card: AssignableCard, attribute: str, value: int
    ) -> None: ...


class CardBase:
    """A card that the rule never assigns to. Two cards are equal only if they are the same one.

    Attributes:
        id: the N of `card_N`, from 1; 0 is the none of cards, which is false.
    """

    # `id` is a slot of the generated class: a compiled class cannot build on one that has slots
    __slots__ = ()
    RESPELLED: ClassVar[Mapping[str, str]] = (
        {}
    )  # identifier -> the rule's spelling, where they differ
    id: int

    def values(self) -> dict[str, int]:
        """The card's properties in declared order, by the rule's own spelling."""
        return {}

    def number(self) -> int:
        """The card as an integer: its 点数, else its first declared property, else 0 (contract, section 4)."""
        return 0

    def as_nothing(self) -> Self:
        """This object as the none of its kind; the generated module keeps it as a constant."""
        return self

    def __reduce__(self) -> str | tuple[Any, ...]:
        """For `pickle` and `copy`, which do not see the attributes of a compiled class by themselves."""
        # all that such a card has is what it was made with
        return type(self), (self.id, *self.values().values())

    def __bool__(self) -> bool:
        return self.id != 0

    def __repr__(self) -> str:
        inside = "".join(f" {name}={value}" for name, value in self.values().items())
        return f"<card_{self.id}{inside}>"


class AssignableCard(CardBase):
    """A card whose properties the rule assigns: every match has cards of its own, and they report to it."""

    __slots__ = ("_home", "id")
    # weak: the match holds its cards, and a cycle would have to wait for the garbage collector
    _home: ReferenceType[CardHome] | None

    def __init__(self, id: int) -> None:
        put(self, "_home", None)
        put(self, "id", id)

    __reduce__ = _stay

    if (
        not TYPE_CHECKING
    ):  # hidden from the type checker, which would let any misspelt attribute pass

        def __setattr__(self, name, value):
            if self._home is not None:
                if not self.id:
                    return
                refuse_huge(value)
                home = self._home()
                if home is not None:
                    home.card_assigned(self, name, value)
            put(self, name, value)

    def restore(self, values: Mapping[str, int]) -> None:
        """Set the properties to `values` (the rule's spellings), before the card is live. Generated."""

    def attach(self, home: CardHome) -> None:
        """From now on assignments are reported to `home`."""
        put(self, "_home", ref(home))

    def as_nothing(self) -> Self:
        """The none of cards: from now on it ignores assignments."""
        put(self, "_home", self)
        return self


class PlayerBase:
    """A player: a seat and the size of the hand, which the engine keeps. Seat -1 is the none of players, and false.

    Generated classes add the declared properties.
    """

    __slots__ = ("_log", "seat", "手牌数")
    RESPELLED: ClassVar[Mapping[str, str]] = {}
    _log: AssignmentLog | None
    seat: int
    手牌数: int

    def __init__(self, seat: int) -> None:
        put(self, "_log", None)
        put(self, "seat", seat)
        put(self, "手牌数", 0)

    __reduce__ = _stay

    if not TYPE_CHECKING:

        def __init_subclass__(cls, **options):
            """Assignments that report; for each class a function of its own, which knows where its slots are."""
            super().__init_subclass__(**options)
            stores = _stores(cls)

            def __setattr__(self, name, value):
                log = self._log
                if log is not None:
                    seat = self.seat
                    if seat < 0:
                        return
                    if value > _SMALL or value < -_SMALL:
                        refuse_huge(value)
                    log.append(("player", cls, seat, name, getattr(self, name), value))
                try:
                    stores[name](self, value)
                except KeyError:  # no slot: as for any object
                    put(self, name, value)

            cls.__setattr__ = __setattr__

    def values(self) -> dict[str, int]:
        """The properties, kept and declared, by the rule's own spelling."""
        return {"手牌数": self.手牌数}

    def restore(self, values: Mapping[str, int]) -> None:
        """Set all properties to `values` (the rule's spellings), before the player is live."""
        put(self, "手牌数", values["手牌数"])

    def attach(self, log: AssignmentLog) -> None:
        """From now on assignments are reported to `log`."""
        put(self, "_log", log)

    def as_nothing(self) -> Self:
        """The none of players: every property is 0, and from now on it ignores assignments."""
        self.restore(dict.fromkeys(self.values(), 0))
        put(self, "_log", [])
        return self

    def __bool__(self) -> bool:
        return self.seat >= 0

    def __repr__(self) -> str:
        return f"<player_{self.seat}>"


PlayerBase.__init_subclass__()  # for itself too
put_count: Final[Callable[[PlayerBase, int], None]] = PlayerBase.__dict__[
    "手牌数"
].__set__
"""`put` of a player's 手牌数 after each of his plays, without the search for the attribute."""


class TableBase:
    """The table with the properties that the engine keeps; their start values override declared ones (section 2)."""

    __slots__ = (
        "_log",
        "cur_max",
        "index",
        "player_index",
        "settlement_index",
        "本轮应出牌者",
        "用户做出的选择",
    )
    RESPELLED: ClassVar[Mapping[str, str]] = {}
    _log: AssignmentLog | None
    player_index: int
    index: int
    cur_max: int
    settlement_index: int
    本轮应出牌者: int
    用户做出的选择: int

    def __init__(self) -> None:
        put(self, "_log", None)
        put(self, "player_index", 0)
        put(self, "index", 0)
        put(self, "cur_max", -1)
        put(self, "settlement_index", 0)
        put(self, "本轮应出牌者", 0)
        put(self, "用户做出的选择", 0)

    __reduce__ = _stay

    if not TYPE_CHECKING:

        def __init_subclass__(cls, **options):
            """Assignments that report; for each class a function of its own, which knows where its slots are."""
            super().__init_subclass__(**options)
            stores = _stores(cls)

            def __setattr__(self, name, value):
                log = self._log
                if log is not None:
                    if value > _SMALL or value < -_SMALL:
                        refuse_huge(value)
                    log.append(("table", cls, name, getattr(self, name), value))
                try:
                    stores[name](self, value)
                except KeyError:  # no slot: as for any object
                    put(self, name, value)

            cls.__setattr__ = __setattr__

    def values(self) -> dict[str, int]:
        """The properties, kept and declared, by the rule's own spelling."""
        return {
            "player_index": self.player_index,
            "index": self.index,
            "cur_max": self.cur_max,
            "settlement_index": self.settlement_index,
            "本轮应出牌者": self.本轮应出牌者,
            "用户做出的选择": self.用户做出的选择,
        }

    def restore(self, values: Mapping[str, int]) -> None:
        """Set all properties to `values` (the rule's spellings), before the table is live."""
        put(self, "player_index", values["player_index"])
        put(self, "index", values["index"])
        put(self, "cur_max", values["cur_max"])
        put(self, "settlement_index", values["settlement_index"])
        put(self, "本轮应出牌者", values["本轮应出牌者"])
        put(self, "用户做出的选择", values["用户做出的选择"])

    def attach(self, log: AssignmentLog) -> None:
        """From now on assignments are reported to `log`."""
        put(self, "_log", log)

    def __repr__(self) -> str:
        return "<table_0>"


TableBase.__init_subclass__()  # for itself too
