"""Values and coercions of the rule language, for the places where generated code cannot spell them out.

The table of the contract's section 4 and points 1 to 6 of the project's decisions. Integers are unbounded; a boolean
is 1 or 0; none is the empty value of every kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias, TypeVar

from dealwright.runtime.errors import FlowStopped
from dealwright.runtime.objects import CardBase, PlayerBase, TableBase
from dealwright.runtime.play import Play

Value: TypeAlias = (
    int
    | Sequence[int]
    | Sequence[CardBase]
    | Sequence[PlayerBase]
    | CardBase
    | PlayerBase
    | TableBase
    | Play[CardBase]
    | None
)
Item = TypeVar("Item")

# the engine's result 0 means that A wins, which no reader would guess from a bare False
A_WINS: Final = True
B_WINS: Final = False

WIDEST: Final = 131_072
"""Bits of the largest product that a flow may compute: nine properties of the largest size fit."""


def at(items: Sequence[Item], index: int, nothing: Item) -> Item:
    """Element `index` of `items`: negatives count as 0, past the end it is `nothing` (component 5)."""
    if index < 0:
        index = 0
    return items[index] if index < len(items) else nothing


def multiply(left: int, right: int) -> int:
    """The product, where it might be too large to compute (component 10, operator 2).

    Raises:
        FlowStopped: "rule_error"; the product could pass `WIDEST` bits.
    """
    if left.bit_length() + right.bit_length() > WIDEST:
        raise FlowStopped("rule_error", "the product is too large an integer")
    return left * right


def divide(left: int, right: int) -> int:
    """The quotient truncated toward zero; 0 for a zero divisor (component 10, operator 3)."""
    if right == 0:
        return 0
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def modulo(left: int, right: int) -> int:
    """The remainder with the sign of the dividend; 0 for a zero divisor (component 10, operator 4)."""
    if right == 0:
        return 0
    remainder = abs(left) % abs(right)
    return -remainder if left < 0 else remainder


def truth(value: Value) -> bool:
    """`value` as a condition: not zero, not empty, not none (contract, section 4)."""
    if isinstance(value, Play):
        return bool(value.cards)
    return bool(
        value
    )  # cards and players know whether they are the none of their kind; a table is true


def integer(value: Value) -> int:
    """`value` as an integer.

    A list of integers gives its first; cards, players and a cardset how many; a card its 点数 or first declared
    property; a player the seat; the table and none 0 (contract, section 4).
    """
    if value is None or isinstance(value, TableBase):
        return 0
    if isinstance(value, int):
        return int(value)
    if isinstance(value, CardBase):
        return value.number()
    if isinstance(value, PlayerBase):
        return max(value.seat, 0)
    if isinstance(value, Play):
        return len(value.cards)
    if value and isinstance(value[0], int):
        return int(value[0])
    return len(value)


def size(value: Value) -> int:
    """How many elements `value` has: of cards, players or a cardset; of anything else, a list of integers too, 0."""
    if isinstance(value, Play):
        return len(value.cards)
    if value is None or isinstance(value, int | CardBase | PlayerBase | TableBase):
        return 0
    return 0 if value and isinstance(value[0], int) else len(value)
