"""The types of values in the rule language and how they are represented in generated Python.

`Kind` is a set of kinds that a value may have at run time, found by `lowering.infer`. `Rep` is the single Python
representation chosen for such a set. None needs no representation of its own nearly everywhere, since it is the empty
value of every kind: false, 0, no cards, and, for a card or a player, the package's `NO_CARD` and `NO_PLAYER`.
"""

from __future__ import annotations

from enum import Enum, Flag, auto


class Kind(Flag):
    """What a value may be; a union of the kinds of the contract, section 4."""

    NOTHING = 0
    INTEGER = auto()
    BOOLEAN = auto()
    NONE = auto()
    INTEGERS = auto()
    CARD = auto()
    PLAYER = auto()
    TABLE = auto()
    CARDS = auto()
    PLAYERS = auto()
    PLAY = auto()


class Rep(Enum):
    """How a value is held in generated code; the value is its annotation there."""

    NONE = "None"
    INTEGER = "int"
    BOOLEAN = "bool"
    INTEGERS = "list[int]"
    CARD = "Card"
    PLAYER = "Player"
    TABLE = "Table"
    CARDS = "Hand"
    PLAYERS = "list[Player]"
    PLAY = "Played"
    MIXED = "Value"


_SINGLE = {
    Kind.NOTHING: Rep.NONE,
    Kind.INTEGER: Rep.INTEGER,
    Kind.BOOLEAN: Rep.BOOLEAN,
    Kind.INTEGER | Kind.BOOLEAN: Rep.INTEGER,
    Kind.INTEGERS: Rep.INTEGERS,
    Kind.CARD: Rep.CARD,
    Kind.PLAYER: Rep.PLAYER,
    Kind.CARDS: Rep.CARDS,
    Kind.PLAYERS: Rep.PLAYERS,
}


def representation(kind: Kind) -> Rep:
    """The representation of a value of these kinds; a table or a play that may be missing is `MIXED`."""
    if kind is Kind.TABLE:
        return Rep.TABLE
    if kind is Kind.PLAY:
        return Rep.PLAY
    return _SINGLE.get(kind & ~Kind.NONE, Rep.MIXED)
