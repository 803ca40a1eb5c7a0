"""The oracle's values and its match state: what a formula can give, what coercions make of it, what a match remembers.

Objects are named by number and their properties live in `State`, so a value never holds a copy of anything that can
change. Part of the oracle (`interpret.py`): imports the standard library and the oracle's own modules only.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, final

_MASK = 2**64 - 1


class Refused(Exception):
    """An action, or the start of a match, that the rule refuses.

    `code` is one of the stable codes of the contract, section 6; `node` is where the flow failed, else the wait that
    stays open, else None.
    """

    def __init__(self, code: str, node: str | None = None) -> None:
        super().__init__(code if node is None else f"{code} at node {node!r}")
        self.code = code
        self.node = node


@final
@dataclass(frozen=True, slots=True)
class Card:
    """The card `card_<number>`."""

    number: int


@final
@dataclass(frozen=True, slots=True)
class Player:
    """The player at a seat."""

    seat: int


@final
@dataclass(frozen=True, slots=True)
class Table:
    """The table."""


@final
@dataclass(frozen=True, slots=True)
class Cards:
    """A list of cards, by number."""

    numbers: tuple[int, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Players:
    """A list of players, by seat."""

    seats: tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class Integers:
    """What operator 2 of a property gives: one integer an element."""

    numbers: tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class Play:
    """Cards recognised as a cardset. Cardset and properties are fixed; the cards are live (contract, section 6)."""

    cardset: str
    name: str
    cards: tuple[int, ...]
    properties: Mapping[str, int]


Object: TypeAlias = Card | Player | Table
Value: TypeAlias = int | Object | Cards | Players | Integers | Play | None


def size(value: Value) -> int:
    """How many elements a collection or a cardset has; anything else, a list of integers too, has none (decision 2)."""
    match value:
        case Cards(numbers):
            return len(numbers)
        case Players(seats):
            return len(seats)
        case Play(cards=cards):
            return len(cards)
        case _:
            return 0


def truth(value: Value) -> bool:
    """A value as a condition (contract, section 4)."""
    match value:
        case None:
            return False
        case int():
            return value != 0
        case Card() | Player() | Table():
            return True
        case Integers(numbers):
            return bool(numbers)
        case _:
            return size(value) > 0


def cards_of(value: Value) -> tuple[int, ...]:
    """The cards that a value stands for: cards, a cardset's, a single card's; anything else is the empty hand."""
    match value:
        case Cards(numbers):
            return numbers
        case Play(cards=cards):
            return cards
        case Card(number):
            return (number,)
        case _:
            return ()


@final
@dataclass(frozen=True, slots=True)
class Wait:
    """An open wait; the seat is fixed when the wait begins (decision 27)."""

    node: str
    seat: int
    kind: Literal["play", "choose"]
    timer: int
    options: tuple[int, ...]


@final
@dataclass(slots=True)
class State:
    """Everything a match remembers; `copy` is deep, so that a refused action can be taken back whole.

    Invariants: every card is in one hand, the deck or the discard pile (once, unless a position was arranged
    otherwise); `skipped` is empty while there is no previous play.
    """

    hands: list[list[int]]
    deck: list[int]
    discard: list[int]
    table: dict[str, int]
    players: list[dict[str, int]]
    cards: dict[int, dict[str, int]]
    rng: int
    latest: list[int]
    previous: tuple[int, Play] | None
    skipped: set[int]
    wait: Wait | None
    is_settling: bool
    settled: dict[int, int]
    is_finished: bool

    def copy(self) -> "State":
        """An independent copy."""
        return replace(
            self,
            hands=[list(hand) for hand in self.hands],
            deck=list(self.deck),
            discard=list(self.discard),
            table=dict(self.table),
            players=[dict(player) for player in self.players],
            cards={number: dict(card) for number, card in self.cards.items()},
            latest=list(self.latest),
            skipped=set(self.skipped),
            settled=dict(self.settled),
        )


def draw_below(rng: int, bound: int) -> tuple[int, int]:
    """Draw a number below `bound` from SplitMix64 (decision 23); gives the generator's new state and the number."""
    while True:
        rng = (rng + 0x9E3779B97F4A7C15) & _MASK
        z = rng
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _MASK
        z ^= z >> 31
        if z < 2**64 - 2**64 % bound:
            return rng, z % bound


def shuffled(deck: list[int], rng: int) -> tuple[list[int], int]:
    """Fisher–Yates from the last index down (decision 23); gives the new order and the generator's new state."""
    deck = list(deck)
    for i in range(len(deck) - 1, 0, -1):
        rng, j = draw_below(rng, i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck, rng
