"""The ways to split cards, found one after another.

The search always puts the lowest card that is left into a group, and asks the tables before it goes on whether the rest
can still be split. So it hardly ever turns back, and the first split costs no more than one of many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias, final

from dealwright.runtime.patterns.pattern import Group, Plan
from dealwright.runtime.patterns.tables import (
    Shape,
    Tables,
    natural_counts,
    wild_choices,
)


@final
@dataclass(frozen=True, slots=True)
class Part:
    """A group of a split.

    Attributes:
        group: what kind of group.
        suit: the suit of its cards.
        ranks: the ranks that its cards stand for, ascending, one for each card.
        wild: those of them for which a wild card stands.
    """

    group: Group
    suit: int
    ranks: tuple[int, ...]
    wild: tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class Split:
    """Cards in groups. `plan` is the index in `Pattern.plans` of the alternative that the parts make up."""

    plan: int
    parts: tuple[Part, ...]


Spot: TypeAlias = tuple[int, int] | None
"""A card by the indices of its suit and its rank; None where only wild cards are left."""


@final
@dataclass(frozen=True, slots=True)
class Piece:
    """A part that could be taken out of a hand.

    Attributes:
        part: the part.
        place: the kind of place that it fills, as an index in the plan.
        distinct: whether all groups in such places must stand for different cards.
        suit: the index of its suit.
        needs: for each rank that it takes cards of, the key of one such card in its suit and how many it takes.
        key: the key in its suit of all that it takes.
    """

    part: Part
    place: int
    distinct: bool
    suit: int
    needs: tuple[tuple[int, int], ...]
    key: int

    def is_twin(self, other: Piece) -> bool:
        """Whether both fill the same kind of place with the same group for the same cards, wild or not."""
        mine, its = self.part, other.part
        return (
            self.place == other.place
            and mine.group == its.group
            and mine.suit == its.suit
            and mine.ranks == its.ranks
        )


Suits: TypeAlias = Sequence[tuple[int, tuple[int, ...]]]
"""Each suit with its ranks, as the caller names them."""


def pieces_of(
    plan: Plan, suits: Suits, shapes: Sequence[Shape], base: int
) -> dict[Spot, tuple[Piece, ...]]:
    """All pieces of a plan by the lowest card that is no wild one; `base` is that of the suits' keys.

    They are in the order of splits: by place, by group as the pattern names them, by suit and rank, few wild cards
    first, those for low ranks first.
    """
    found: dict[Spot, list[Piece]] = {}
    for place, slots in enumerate(plan):
        for group, (suit, named) in product(slots.groups, enumerate(suits)):
            for stand in shapes[suit].stands(group):
                for wild in wild_choices(group, stand):
                    part = _part(group, named, stand, wild)
                    counts = natural_counts(stand, wild)
                    spot = (suit, min(counts)) if counts else None
                    needs = tuple((base**rank, n) for rank, n in counts.items())
                    key = sum(unit * count for unit, count in needs)
                    piece = Piece(part, place, slots.distinct, suit, needs, key)
                    found.setdefault(spot, []).append(piece)
    return {spot: tuple(pieces) for spot, pieces in found.items()}


def _part(
    group: Group,
    named: tuple[int, tuple[int, ...]],
    stand: tuple[int, ...],
    wild: tuple[int, ...],
) -> Part:
    """The part in the caller's words, for a suit with its ranks."""
    suit, ranks = named
    stood = tuple(ranks[index] for index in stand)
    return Part(group, suit, stood, tuple(ranks[index] for index in wild))


@final
@dataclass(frozen=True, slots=True)
class Rest:
    """What the search has still to do.

    Attributes:
        parts: the key of what is left of each suit.
        left: how many places of each kind are to be filled.
        wilds: how many wild cards are left.
        spot: the lowest card when the last piece was taken.
        first: while that card is the lowest, pieces before this index were tried already.
    """

    parts: tuple[int, ...]
    left: tuple[int, ...]
    wilds: int
    spot: Spot = None
    first: int = 0


@final
@dataclass(frozen=True, slots=True)
class Search:
    """A depth-first search through the pieces of a plan.

    Attributes:
        tables: the tables for the number of wild cards in the hand.
        plan: the index of the plan.
        pieces: what `pieces_of` gives for it.
        base: that of the suits' keys.
    """

    tables: Tables
    plan: int
    pieces: dict[Spot, tuple[Piece, ...]]
    base: int

    def run(self, rest: Rest, taken: tuple[Piece, ...] = ()) -> Iterator[Split]:
        """The splits of `rest`, each with the parts that were taken before it."""
        if not self._is_possible(rest):
            return
        if not any(rest.left):
            yield Split(self.plan, tuple(piece.part for piece in taken))
            return
        spot = self._lowest(rest.parts)
        pieces = self.pieces.get(spot, ())
        first = rest.first if taken and spot == rest.spot else 0
        for index in range(first, len(pieces)):
            piece = pieces[index]
            if self._has(rest, piece) and not (
                piece.distinct and any(piece.is_twin(other) for other in taken)
            ):
                yield from self.run(_without(rest, piece, spot, index), (*taken, piece))

    def _is_possible(self, rest: Rest) -> bool:
        """Whether the cards can fill the places, were none of them distinct and no piece tried before."""
        suits = zip(rest.parts, self.tables.suits, strict=True)
        found = tuple([table[part] for part, (_, table) in suits])
        goal = self.tables.layout.state(self.plan, rest.left, rest.wilds)
        return self.tables.joined[found] & goal != 0

    def _lowest(self, parts: Sequence[int]) -> Spot:
        """The lowest card that is left, suit by suit."""
        for suit, part in enumerate(parts):
            if part:
                rank = 0
                while not part % self.base:
                    part //= self.base
                    rank += 1
                return suit, rank
        return None

    def _has(self, rest: Rest, piece: Piece) -> bool:
        if not rest.left[piece.place] or len(piece.part.wild) > rest.wilds:
            return False
        part = rest.parts[piece.suit]
        return all(part // unit % self.base >= count for unit, count in piece.needs)


def _without(rest: Rest, piece: Piece, spot: Spot, index: int) -> Rest:
    """What is left when the piece, at `index` among those for `spot`, has been taken."""
    parts, left = list(rest.parts), list(rest.left)
    parts[piece.suit] -= piece.key
    left[piece.place] -= 1
    wilds = rest.wilds - len(piece.part.wild)
    return Rest(tuple(parts), tuple(left), wilds, spot, index)
