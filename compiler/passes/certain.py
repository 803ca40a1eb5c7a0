"""Which elements of a collection certainly exist where a formula stands, so that `cards[1]` needs no guard.

Goes in: what is known about the lengths in one flow, and the mask of the lengths possible at a place (see `bounds`).
Comes out: how long collections are at least, whether a card or player can be none, and with which lengths each part of
a formula is asked for. The emitter and `facts` ask the same object, so what is printed of a flow is what drives it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias, final

from dealwright.compiler.passes.bounds import Bounds, Lengths, least
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value
from dealwright.compiler.representation.types import Rep

WITHOUT_LENGTHS = 1
"""The mask in a flow that judges no cards: it says nothing."""

Counts: TypeAlias = "tuple[int, int | None]"
"""At least how many cards there are, and exactly how many, if that is certain."""

UNKNOWN: Final[Counts] = (0, None)


@final
@dataclass(frozen=True, slots=True)
class Arguments:
    """What everybody passes who calls a method.

    cards: for each parameter that holds cards or a play, how many cards these are. present: the parameters that are a card
    and never none. judged: how many cards are being judged.
    """

    cards: Mapping[str, Counts] = field(default_factory=dict)
    present: frozenset[str] = frozenset()
    judged: Counts = UNKNOWN

    def counts(self, name: str) -> Counts:
        """How many cards a parameter holds."""
        return self.cards.get(name, UNKNOWN)


@final
class Certainty:
    """What exists in one flow.

    players: of the rule, None if it leaves the number open. lengths: reads conditions on the cards being judged, in a
    build flow. plays: the accepted lengths of the plays A and B, in a comparison. arguments: what a method is given.
    """

    def __init__(
        self,
        players: int | None,
        lengths: Lengths | None = None,
        plays: tuple[Bounds | None, Bounds | None] = (None, None),
        arguments: Arguments | None = None,
    ) -> None:
        self._players = players or 1
        self._lengths = lengths
        self._plays = plays
        self._arguments = arguments or Arguments()

    @property
    def everything(self) -> int:
        """The mask where nothing is known yet."""
        return WITHOUT_LENGTHS if self._lengths is None else self._lengths.all

    def behind(self, left: Value, operator: int, mask: int) -> int:
        """The lengths with which the right side of `left and …` (operator 0) or `left or …` is evaluated."""
        if self._lengths is None:
            return mask
        holds, fails = self._lengths.split(left)
        return mask & (holds if operator == 0 else fails)

    def is_certain(self, value: Value, mask: int) -> bool:
        """Whether a card, a player or a sorted value is never missing there."""
        match value:
            case ir.Element(selection, ir.Integer(index)):
                return max(index, 0) < self.least_length(selection, mask)
            case ir.ValueAt(ir.SortedValues(selection, _, _), ir.Integer(index)):
                return max(index, 0) < self.least_length(selection, mask)
            case ir.SeatedPlayer(_, is_certain):
                return is_certain
            case ir.Parameter(name, Rep.CARD):
                return name in self._arguments.present
            case (
                ir.CurrentPlayer()
                | ir.BoundCard()
                | ir.BoundPlayer()
                | ir.NumberedCard()
                | ir.Owner()
            ):
                return True
            case _:
                return False

    def least_length(self, selection: Value, mask: int) -> int:
        """How many elements a collection has at least."""
        while isinstance(selection, ir.Sorted):
            selection = selection.selection
        match selection:
            case ir.Judged() if self._lengths is not None:
                return least(mask)
            case ir.Judged():
                return self._arguments.judged[0]
            case ir.CardsOf(ir.Compared(is_a)):
                play = self._plays[0 if is_a else 1]
                return 0 if play is None else least(play.accepted)
            case ir.CardsOf(ir.Parameter(name, _)) | ir.Parameter(name, Rep.CARDS):
                return self._arguments.counts(name)[0]
            case ir.Players():
                return self._players
            case ir.CardList(cards) if all(self.is_certain(one, mask) for one in cards):
                return len(cards)
            case _:
                return 0

    def exact_length(self, selection: Value, mask: int) -> int | None:
        """How many cards there are, where that is certain."""
        while isinstance(selection, ir.Sorted):
            selection = selection.selection
        match selection:
            case ir.Judged() if self._lengths is not None:
                return least(mask) if mask and mask == mask & -mask else None
            case ir.Judged():
                return self._arguments.judged[1]
            case ir.CardsOf(ir.Parameter(name, _)) | ir.Parameter(
                name, Rep.PLAY | Rep.CARDS
            ):
                return self._arguments.counts(name)[1]
            case ir.CardsOf(ir.Compared(is_a)) | ir.Compared(is_a):
                play = self._plays[0 if is_a else 1]
                accepted = None if play is None else play.accepted_lengths()
                return (
                    accepted[0] if accepted is not None and len(accepted) == 1 else None
                )
            case ir.CardList(cards) if all(self.is_certain(one, mask) for one in cards):
                return len(cards)
            case _:
                return None

    def masks(self, roots: Iterable[Value], mask: int) -> dict[Value, int]:
        """The lengths with which each part of these formulas is evaluated, what uses a part before the part itself.

        Otherwise in the order of evaluation.
        """
        roots = tuple(roots)
        missing = _uses(roots)
        found: dict[Value, int] = dict.fromkeys(roots, mask)
        ready = [one for one in reversed(list(found)) if not missing[one]]
        ordered: dict[Value, int] = {}
        while ready:
            value = ready.pop()
            ordered[value] = found[value]
            for child, reaching in reversed(self.parts(value, found[value])):
                found[child] = found.get(child, 0) | reaching
                missing[child] -= 1
                if not missing[child]:
                    ready.append(child)
        return ordered

    def parts(self, value: Value, mask: int) -> list[tuple[Value, int]]:
        """The operands of a formula, each with the lengths with which it is evaluated."""
        if isinstance(value, ir.Logic):
            right = self.behind(value.left, value.operator, mask)
            return [(value.left, mask), (value.right, right)]
        return [(child, mask) for child in ir.children(value)]


def _uses(roots: Iterable[Value]) -> dict[Value, int]:
    """How often each value is an operand of another one."""
    uses: dict[Value, int] = dict.fromkeys(roots, 0)
    pending = list(uses)
    while pending:
        for child in ir.children(pending.pop()):
            if child not in uses:
                uses[child] = 0
                pending.append(child)
            uses[child] += 1
    return uses


def certainty_of_plays(
    players: int | None, lengths: Mapping[str, Bounds], a: str, b: str
) -> Certainty:
    """What exists in a comparison of plays of two cardsets, given by name; `lengths` are those of plays by that name."""
    return Certainty(players, plays=(lengths.get(a), lengths.get(b)))
