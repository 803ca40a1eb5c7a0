"""A pattern and a deck, compiled: whether cards fit, how they split, and which card they wait for.

Hands come as the caller holds them, as sequences of the deck's codes in any order. A hand's key is a number, the sum of
its cards' keys; a game that keeps it beside the hand need not add it up for each question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from types import MappingProxyType
from typing import Final, Generic, final

from dealwright.runtime.patterns.pattern import LARGEST, CodeT, Deck, Face, Pattern
from dealwright.runtime.patterns.splits import (
    Piece,
    Rest,
    Search,
    Split,
    Spot,
    pieces_of,
)
from dealwright.runtime.patterns.tables import STATES, Shape, Stock, Tables

REMEMBERED: Final = 1 << 16
"""Entries that the tables of a matcher may hold together, unless it is told otherwise."""


@final
class Matcher(Generic[CodeT]):
    """Answers questions about hands of one deck and one pattern.

    A hand fits if all its cards can be put into the groups of one of the pattern's plans, nothing missing and nothing
    left over. A wild card stands for any card that the deck has a face for, also for one of which all copies are in the
    hand; how many of them a group may have is the group's to say.

    Args:
        pattern: what to look for.
        deck: what the cards show.
        remembered: how many entries the tables may hold; when they are full, all are forgotten. An entry takes
            about 100 bytes for patterns with few states, such as four groups and a pair. Neither answers nor their
            order depend on it.

    Attributes:
        keys: the key of each card. The key of a hand is the sum of its cards' keys.

    Raises:
        ValueError: a plan needs more than `LARGEST` cards, the pattern has more than `STATES` states, or `remembered`
            is less than 1.
    """

    def __init__(
        self, pattern: Pattern, deck: Deck[CodeT], *, remembered: int = REMEMBERED
    ) -> None:
        _check(pattern, remembered)
        self._pattern = pattern
        self._base = deck.copies + 1
        self._sizes = pattern.sizes()
        self._most = max(self._sizes, default=0)
        self._stock = Stock(remembered)
        self._suits = tuple(deck.suits().items())
        self._shapes = tuple(
            Shape(tuple(rank - ranks[0] for rank in ranks), suit not in deck.unordered)
            for suit, ranks in self._suits
        )
        self.keys: Mapping[CodeT, int]
        self.keys, self._wild = self._number(deck)
        plain = Tables(pattern, self._shapes, self._base, 0, self._stock)
        self._tables: dict[int, Tables] = {0: plain}
        self._without_wilds = (
            dict(self.keys).__getitem__,
            self._wild,
            plain.goals,
            *plain.suits[0],
            plain.suits[1:],
            plain.joined,
        )
        self._pieces: dict[int, dict[Spot, tuple[Piece, ...]]] = {}

    def _number(self, deck: Deck[CodeT]) -> tuple[Mapping[CodeT, int], int]:
        """The key of each card, and that of a wild card: the number above all suits.

        A hand with too many copies of a card carries over to the next digit. It cannot be mistaken for another hand of
        its size, since each carry makes the sum of digits smaller.
        """
        base = self._base
        unit = 1
        units: dict[Face | None, int] = {}
        for suit, ranks in self._suits:
            for rank in ranks:
                units[Face(suit, rank)] = unit
                unit *= base
        units[None] = unit
        keys = {code: units[face] for code, face in deck.faces.items()}
        return MappingProxyType(keys), unit

    def key(self, cards: Iterable[CodeT]) -> int:
        """The key of a hand.

        Raises:
            ValueError: a card is not in the deck.
        """
        try:
            return sum(map(self._without_wilds[0], cards))
        except KeyError as error:
            raise _unknown(error) from None

    def fits(self, cards: Sequence[CodeT]) -> bool:
        """Whether all the cards can be split into the pattern.

        Raises:
            ValueError: a card is not in the deck.
        """
        # games ask at every discard, and most hands fail in the first suit: `fits_key`, with that way made short
        weigh, wild, goals, span, table, others, joined = self._without_wilds
        try:
            key = sum(map(weigh, cards))
        except KeyError as error:
            raise _unknown(error) from None
        states = table[key % span]
        if not states and key < wild:
            return False
        size = len(cards)
        if key >= wild:
            return self.fits_key(key, size)
        if size not in goals:
            return False
        key //= span
        found = [states]
        for span, table in others:
            states = table[key % span]
            if not states:
                return False
            key //= span
            found.append(states)
        return joined[tuple(found)] & goals[size] != 0

    def fits_key(self, key: int, size: int) -> bool:
        """`fits` for the hand of `size` cards that has this key."""
        wilds, key = divmod(key, self._wild)
        tables = self._with_wilds(wilds)
        if tables is None or size not in tables.goals:
            return False
        found = []
        for span, table in tables.suits:
            states = table[key % span]
            if not states:
                return False
            key //= span
            found.append(states)
        return tables.joined[tuple(found)] & tables.goals[size] != 0

    def waits(self, cards: Sequence[CodeT]) -> tuple[Face, ...]:
        """The faces of which one more card makes the cards fit, by suit and rank; wild cards are not among them.

        A face of which the hand has all copies is none.

        Raises:
            ValueError: a card is not in the deck.
        """
        return self.waits_key(self.key(cards), len(cards))

    def waits_key(self, key: int, size: int) -> tuple[Face, ...]:
        """`waits` for the hand of `size` cards that has this key."""
        wilds, key = divmod(key, self._wild)
        tables = self._with_wilds(wilds)
        if tables is None or size + 1 not in tables.goals:
            return ()
        goal = tables.goals[size + 1]
        parts = self._parts(key)
        found = [
            table[part] for part, (_, table) in zip(parts, tables.suits, strict=True)
        ]
        dead = [suit for suit, states in enumerate(found) if not states]
        if len(dead) > 1:
            return ()
        faces: list[Face] = []
        for suit in dead or range(len(found)):
            before, after = found[:suit], found[suit + 1 :]
            if tables.joined[(*before, *after)]:
                for rank, states in self._with_one_more(tables, suit, parts[suit]):
                    if tables.joined[(*before, states, *after)] & goal:
                        faces.append(Face(self._suits[suit][0], rank))
        return tuple(faces)

    def _with_one_more(
        self, tables: Tables, suit: int, part: int
    ) -> Iterator[tuple[int, int]]:
        """Each rank of which the suit can take one more card, with the states then, if there are any."""
        table = tables.suits[suit][1]
        base = self._base
        unit = 1
        for rank in self._suits[suit][1]:
            if part // unit % base < base - 1 and (states := table[part + unit]):
                yield rank, states
            unit *= base

    def splits(self, cards: Sequence[CodeT]) -> Iterator[Split]:
        """All ways to split the cards, one after another as they are asked for; none if the cards do not fit.

        Two splits differ in the cards that go together, in which of them are wild or what those stand for, or in the
        place of the pattern that a group fills. Splits come by plan. Inside a plan the lowest card decides, by suit and
        rank: which place its group fills, which group it is as the pattern names them, where that begins, how few wild
        cards it has and for how low ranks. So on with the lowest card that is left; groups of wild cards alone are last.
        The parts of a split stand in the order in which they were so chosen.

        Raises:
            ValueError: a card is not in the deck (raised by this call, not by the first step of the iterator).
        """
        key, size = self.key(cards), len(cards)
        return self._splits(key, size) if self.fits_key(key, size) else iter(())

    def _splits(self, key: int, size: int) -> Iterator[Split]:
        wilds, key = divmod(key, self._wild)
        tables = self._with_wilds(wilds)
        if tables is None:
            return
        parts = self._parts(key)
        for plan, needed in enumerate(self._sizes):
            if needed == size:
                left = tuple(slots.count for slots in self._pattern.plans[plan])
                search = Search(tables, plan, self._pieces_of(plan), self._base)
                yield from search.run(Rest(parts, left, wilds))

    @property
    def entries(self) -> int:
        """How many entries the tables hold now."""
        return self._stock.used()

    def _pieces_of(self, plan: int) -> dict[Spot, tuple[Piece, ...]]:
        if plan not in self._pieces:
            slots = self._pattern.plans[plan]
            self._pieces[plan] = pieces_of(slots, self._suits, self._shapes, self._base)
        return self._pieces[plan]

    def _parts(self, key: int) -> tuple[int, ...]:
        """The keys of the suits, taken out of a hand's."""
        parts = []
        for span, _ in self._tables[0].suits:
            key, part = divmod(key, span)
            parts.append(part)
        return tuple(parts)

    def _with_wilds(self, wilds: int) -> Tables | None:
        """The tables for so many wild cards, made when they are first needed; None if no plan has room for them."""
        if not 0 <= wilds <= self._most:
            return None
        tables = self._tables.get(wilds)
        if tables is None:
            tables = Tables(self._pattern, self._shapes, self._base, wilds, self._stock)
            self._tables[wilds] = tables
        return tables


def _unknown(error: KeyError) -> ValueError:
    return ValueError(f"card {error.args[0]!r} is not in the deck")


def _check(pattern: Pattern, remembered: int) -> None:
    largest = max(pattern.sizes(), default=0)
    if largest > LARGEST:
        raise ValueError(f"pattern: {largest} cards, the most is {LARGEST}")
    states = sum(prod(slots.count + 1 for slots in plan) for plan in pattern.plans)
    if states > STATES:
        raise ValueError(f"pattern: {states} states, the most is {STATES}")
    if remembered < 1:
        raise ValueError(f"remembered: at least 1, not {remembered}")
