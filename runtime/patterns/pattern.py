"""What is looked for, and among which cards: values that somebody writes down, with no search in them.

A pattern is made of runs and sets by `+` (and), `|` (or) and `*` (times):
`(run(3) | same(3)) * 4 + same(2) | same(2) * 7`. A deck says which suit and rank each of the caller's cards shows. Both
are frozen; `Matcher` compiles the two together. No game is known here.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import combinations_with_replacement
from math import comb
from types import MappingProxyType
from typing import Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar, final

CodeT = TypeVar("CodeT", bound=Hashable)

LARGEST: Final = 60
"""Cards that a pattern may need, and ranks that a suit may have: the search recurses once for each."""

PLANS: Final = 256
"""Alternatives that a pattern may have, counted after `*` and `+` have multiplied them out."""


class Face(NamedTuple):
    """What a card shows. Suits and ranks are integers of the caller's choice; ranks that differ by 1 are neighbours."""

    suit: int
    rank: int


@final
@dataclass(frozen=True, slots=True)
class Deck(Generic[CodeT]):
    """The caller's cards: what each shows, how many of a kind there are, and which suits have no order.

    Attributes:
        faces: for each card, in the form that hands hold it (a small integer, a string, ...), its face, or None for a
            wild card. Several codes may show the same face.
        copies: the most cards of one face in a hand; a hand with more fits nothing. Wild cards do not count.
        unordered: suits in which no card follows another, so that there are no runs.

    Raises:
        ValueError: there is no face, `copies` is less than 1, or a suit has more than `LARGEST` ranks.
    """

    faces: Mapping[CodeT, Face | None]
    copies: int
    unordered: Collection[int] = field(default=frozenset(), kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "faces", MappingProxyType(dict(self.faces)))
        object.__setattr__(self, "unordered", frozenset(self.unordered))
        if self.copies < 1:
            raise ValueError(f"copies: at least 1, not {self.copies}")
        suits = self.suits()
        if not suits:
            raise ValueError("faces: no card shows a suit and a rank")
        for suit, ranks in suits.items():
            if len(ranks) > LARGEST:
                raise ValueError(
                    f"suit {suit}: {len(ranks)} ranks, the most is {LARGEST}"
                )

    def suits(self) -> dict[int, tuple[int, ...]]:
        """The ranks of each suit; suits and ranks ascend."""
        found: dict[int, set[int]] = {}
        for face in self.faces.values():
            if face is not None:
                found.setdefault(face.suit, set()).add(face.rank)
        return {suit: tuple(sorted(found[suit])) for suit in sorted(found)}


@final
@dataclass(frozen=True, slots=True)
class Group:
    """Cards of one suit that belong together.

    Attributes:
        kind: "run" for neighbouring ranks, "set" for one rank.
        length: how many cards.
        wilds: the most wild cards in it; None if it may even consist of them.
    """

    kind: Literal["run", "set"]
    length: int
    wilds: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.length <= LARGEST:
            raise ValueError(
                f"{self.kind}: a length from 1 to {LARGEST}, not {self.length}"
            )
        if self.wilds is not None and self.wilds < 0:
            raise ValueError(f"{self.kind}: wilds must not be negative: {self.wilds}")


@final
@dataclass(frozen=True, slots=True)
class Slots:
    """`count` places, each for any one of `groups`, which are all of one length.

    If `distinct`, no group stands for the same cards in two of them: a pair twice is then no two pairs.
    """

    groups: tuple[Group, ...]
    count: int
    distinct: bool = False

    @property
    def length(self) -> int:
        """Cards in each place."""
        return self.groups[0].length


Plan: TypeAlias = tuple[Slots, ...]
"""What has to be there together."""


@final
@dataclass(frozen=True, slots=True)
class Pattern:
    """Alternatives, each a plan. Made by `run` and `same`, and from other patterns by `|`, `+`, `*` and `distinct`.

    `plans` keeps the order in which the alternatives were written. Single groups of one length share a plan, so that
    `(run(3) | same(3)) * 4` is one plan and not five.
    """

    plans: tuple[Plan, ...]

    def __or__(self, other: Pattern) -> Pattern:
        """This or the other."""
        return Pattern(reduce(_with_plan, other.plans, self.plans))

    def __add__(self, other: Pattern) -> Pattern:
        """This and, with other cards, the other."""
        _check_plans(len(self.plans) * len(other.plans))
        sums = (_joined(mine, its) for mine in self.plans for its in other.plans)
        return Pattern(tuple(dict.fromkeys(sums)))

    def __mul__(self, times: int) -> Pattern:
        """This so many times, each time any of the alternatives; 0 times fits no cards at all."""
        if not 0 <= times <= LARGEST:
            raise ValueError(f"times: from 0 to {LARGEST}, not {times}")
        _check_plans(comb(len(self.plans) + times - 1, times))
        choices = combinations_with_replacement(self.plans, times)
        nothing: Plan = ()
        sums = (reduce(_joined, choice, nothing) for choice in choices)
        return Pattern(tuple(dict.fromkeys(sums)))

    def distinct(self) -> Pattern:
        """This, where groups that fill the same kind of place must all stand for different cards."""
        return Pattern(
            tuple(
                tuple(replace(slots, distinct=True) for slots in plan)
                for plan in self.plans
            )
        )

    def sizes(self) -> tuple[int, ...]:
        """How many cards each plan takes, wild ones included."""
        return tuple(
            sum(slots.count * slots.length for slots in plan) for plan in self.plans
        )


def run(length: int, wilds: int | None = None) -> Pattern:
    """`length` neighbouring ranks of a suit, with at most `wilds` wild cards among them (None: any number)."""
    return Pattern(((Slots((Group("run", length, wilds),), 1),),))


def same(length: int, wilds: int | None = None) -> Pattern:
    """`length` cards of one suit and rank, with at most `wilds` wild cards among them (None: any number)."""
    return Pattern(((Slots((Group("set", length, wilds),), 1),),))


def _check_plans(count: int) -> None:
    if count > PLANS:
        raise ValueError(
            f"pattern: {count} alternatives when multiplied out, the most is {PLANS}"
        )


def _single(plan: Plan) -> bool:
    return len(plan) == 1 and plan[0].count == 1 and not plan[0].distinct


def _with_plan(plans: tuple[Plan, ...], plan: Plan) -> tuple[Plan, ...]:
    """`plans` or `plan`: a single group goes to the first single groups of its length."""
    if plan in plans:
        return plans
    for index, known in enumerate(plans):
        if _single(known) and _single(plan) and known[0].length == plan[0].length:
            groups = tuple(dict.fromkeys((*known[0].groups, *plan[0].groups)))
            return (*plans[:index], (Slots(groups, 1),), *plans[index + 1 :])
    _check_plans(len(plans) + 1)
    return (*plans, plan)


def _joined(first: Plan, second: Plan) -> Plan:
    """Both plans in one, places for the same groups counted together."""
    slots = list(first)
    for added in second:
        for index, known in enumerate(slots):
            if replace(known, count=added.count) == added:
                slots[index] = replace(known, count=known.count + added.count)
                break
        else:
            slots.append(added)
    return tuple(slots)
