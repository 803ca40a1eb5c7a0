"""The forms of a package's plays, by number of cards, each found when it is first asked for.

Finding them takes up to some tenths of a second, which a server that asks for no hints never spends. What is found depends
on the package alone, so that it does not matter who asks first, or whether two threads do.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, final

from dealwright.runtime.objects import CardBase
from dealwright.runtime.search.forms import Forms, Judge, forms_of
from dealwright.runtime.search.sources import is_compiled, sources_of
from dealwright.runtime.search.standins import properties_of

if TYPE_CHECKING:
    from dealwright.runtime.package import Package


@final
class FormBook:
    """All forms of one package."""

    def __init__(self, package: Package[Any, Any, Any]) -> None:
        """A book in which nothing stands yet."""
        self._package = package
        self._found: dict[int, Forms | None] = {}

    def of(self, size: int) -> Forms | None:
        """What so many cards must be like to be a play; None if that cannot be found out."""
        if size not in self._found:
            package = self._package
            kind, judge = self._source
            names = package.judged_by
            self._found[size] = forms_of(
                judge,
                kind,
                size,
                properties_of(kind) if names is None else names,
                in_any_order=package.in_any_order,
            )
        return self._found[size]

    @cached_property
    def _source(self) -> tuple[type[CardBase], Judge]:
        """The class of cards and the judgement as Python runs them: of a compiled package those of its sources."""
        package = self._package
        made = sources_of(package.root) if is_compiled(package.root) else None
        if made is None:
            return package.card, package.judge
        judgement, kind = made["cardsets"], made["classes"].Card
        if package.recognize_alone is not None:
            return kind, lambda cards, _: judgement.recognize(cards)
        return kind, judgement.recognize_in
