"""What is known of the differences between integers: for each two of them, how much one is greater than the other at most.

A difference-bound matrix, kept closed (D. L. Dill, "Timing assumptions and verification of finite-state concurrent
systems", 1989; A. Miné, "A new numerical abstract domain based on difference-bound matrices", 2001): no bound could be
made tighter by going through a third number, so that any question about two numbers is answered by one look, and what
cannot be is found out when it is said. The last number is the origin, which is 0: bounds against it are bounds of a
number alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Final, TypeAlias, final

Row: TypeAlias = list[int]
Range: TypeAlias = tuple[float, float]
"""Least and most: integers, or infinite. They are only compared, never calculated with, so that no integer is too large."""

FAR: Final = 1 << 60
"""A bound that is none."""
NEAR: Final = 1 << 59
"""What is less is a bound. A sum of `FAR` and any bounds is not."""
MOST: Final = 1 << 40
"""Questions name numbers less than that: sums of half a million of them are still bounds."""


@final
class Bounds:
    """What is known of `size` numbers, which never changes: what is learnt makes other bounds.

    Attributes:
        rows: `rows[i][j]` is the most by which number i can be greater than number j, or at least `NEAR` if that is
            not known. Row and column `size` are those of the origin.
    """

    __slots__ = ("rows",)

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows

    @classmethod
    def of(cls, size: int) -> Bounds:
        """Nothing is known of so many numbers."""
        rows = [[FAR] * (size + 1) for _ in range(size + 1)]
        for place in range(size + 1):
            rows[place][place] = 0
        return cls(rows)

    @classmethod
    def sorted(cls, size: int, *, is_falling: bool) -> Bounds:
        """None of so many numbers is less (greater) than the one before it."""
        known = cls.of(size)
        for low, row in enumerate(known.rows[:size]):
            for high in range(low + 1, size):
                if is_falling:
                    known.rows[high][low] = 0
                else:
                    row[high] = 0
        return known

    def at_most(self, one: int, other: int, most: int) -> Bounds | None:
        """The same, and that `one` is greater than `other` by at most `most`; None if that cannot be."""
        rows = self.rows
        if rows[one][other] <= most:
            return self
        if rows[other][one] + most < 0:
            return None
        beyond = rows[other]
        tighter = []
        for row in rows:
            through = row[one] + most
            if through >= NEAR:
                tighter.append(row)
            else:
                tighter.append(
                    [
                        bound if bound <= through + more else through + more
                        for bound, more in zip(row, beyond, strict=True)
                    ]
                )
        return Bounds(tighter)

    def exactly(self, one: int, other: int, difference: int) -> Bounds | None:
        """The same, and that `one` is greater than `other` by exactly `difference`; None if that cannot be."""
        known = self.at_most(one, other, difference)
        return None if known is None else known.at_most(other, one, -difference)

    def other_than(self, one: int, other: int, difference: int) -> Bounds | None:
        """The same, and that the difference is not that one, which says nothing unless it is the least or most possible."""
        rows = self.rows
        if rows[one][other] == difference:
            return self.at_most(one, other, difference - 1)
        if rows[other][one] == -difference:
            return self.at_most(other, one, -difference - 1)
        return self

    def range_of(self, one: int, other: int) -> Range:
        """How much greater the one is than the other, at least and at most: infinitely, where that is not known."""
        most, least = self.rows[one][other], self.rows[other][one]
        return -least if least < NEAR else -inf, most if most < NEAR else inf

    def is_exact(self, one: int, other: int) -> bool:
        """Whether the difference of the two is known."""
        most = self.rows[one][other]
        return most < NEAR and self.rows[other][one] == -most

    def contains(self, other: Bounds) -> bool:
        """Whether all that the other bounds allow is allowed."""
        return all(
            mine >= theirs or mine >= NEAR
            for row, others in zip(self.rows, other.rows, strict=True)
            for mine, theirs in zip(row, others, strict=True)
        )


def hull(some: Iterable[Bounds]) -> Bounds:
    """The tightest bounds that allow all that one of these allows; they are closed, since each of them is."""
    first, *others = [bounds.rows for bounds in some]
    for rows in others:
        first = [
            [max(pair) for pair in zip(row, other, strict=True)]
            for row, other in zip(first, rows, strict=True)
        ]
    return Bounds(first)
