"""The forms of a package's plays, by number of cards, each found when it is first asked for.

Finding them takes up to half a second or so in all, which a server that asks for no hints never spends. What is found
depends on the package alone, so that it does not matter who asks first, for how many cards, or whether two threads do: the
work for all numbers of cards is bounded together, and the smaller ones always have theirs first.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, final

from dealwright.runtime.objects import CardBase
from dealwright.runtime.search.forms import (
    MOST_PLACES,
    MOST_WORK,
    Forms,
    Found,
    Judge,
    forms_of,
)
from dealwright.runtime.search.sources import is_compiled, sources_of
from dealwright.runtime.search.standins import properties_of

if TYPE_CHECKING:
    from dealwright.runtime.package import Package


MOST_IN_ALL: Final = 250_000
"""Work for all numbers of cards together: half a second or so."""


@final
class FormBook:
    """All forms of one package."""

    def __init__(self, package: Package[Any, Any, Any]) -> None:
        """A book in which nothing stands yet."""
        self._package = package
        self._found: dict[int, Found] = {}

    def of(self, size: int) -> Forms | None:
        """What so many cards must be like to be a play; None if that cannot be found out.

        Raises:
            RecursionError: the stack is full.
        """
        if size > MOST_PLACES:
            return None
        if size not in self._found:
            self._found[size] = self._find(size)
        return self._found[size].forms

    def _find(self, size: int) -> Found:
        """Find the forms of one number of cards, those of all smaller ones before."""
        package = self._package
        lengths = range(1, size) if package.lengths is None else package.lengths
        spent = 0
        for smaller in lengths:
            if smaller < size:
                self.of(smaller)
                spent += self._found[smaller].work
        kind, judge = self._source
        names = package.judged_by
        return forms_of(
            judge,
            kind,
            size,
            properties_of(kind) if names is None else names,
            in_any_order=package.in_any_order,
            most_work=min(MOST_WORK, MOST_IN_ALL - spent),
        )

    @cached_property
    def _source(self) -> tuple[type[CardBase], Judge]:
        """The class of cards and the judgement as Python runs them: of a compiled package those of its sources."""
        package = self._package
        made = sources_of(package.root) if is_compiled(package.root) else None
        if made is None:
            return package.card, package.judge
        kind: type[CardBase] = getattr(made["classes"], "Card", package.card)
        if package.recognize_alone is not None:
            alone = getattr(made["cardsets"], "recognize", package.recognize_alone)
            return kind, lambda cards, _: alone(cards)
        return kind, getattr(made["cardsets"], "recognize_in", package.judge)
