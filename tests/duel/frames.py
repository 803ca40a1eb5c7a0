"""The decisions of the duel: what each of them asks, and of whom.

A frame is what `Asking` wants to know about one decision, and the name of the game's function that goes on with the
reply. It decides nothing itself. All questions are asked whatever a hand holds: that somebody is not asked for a
dodge would tell everybody that he has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from dealwright.runtime.hints import (
    Face,
    Method,
    Note,
    Reply,
    TargetNeed,
    confirm,
    fix_cards,
    fix_targets,
    method,
    min_cards,
)
from dealwright.runtime.hints.model import Action
from tests.duel.cards import Card
from tests.duel.skills import conversions, numbers
from tests.duel.table import Player, Table

Go = Callable[[Reply], None]


@dataclass(slots=True)
class Frame:
    """A decision of one player; the kinds below say the rest.

    Attributes:
        go: what the game does with the reply.
    """

    table: Table
    player: Player
    go: Go

    def responders(self) -> Sequence[int]:
        return [self.player.seat]

    def action(self) -> Action:
        return "discard"

    def note(self, seat: int) -> Note:
        return Note(purpose="play")

    def may_abort(self, seat: int) -> bool:
        return True

    def candidates(self, seat: int) -> Sequence[str]:
        return ()

    def hand(self, seat: int) -> Sequence[int] | None:
        return None

    def targets(self, seat: int, card: int) -> Face:
        return "forbid"

    def methods(self, seat: int) -> Iterable[Method]:
        return ()

    def apply(self, seat: int, reply: Reply) -> bool:
        """Go on with a reply; whether the decision is over."""
        self.go(reply)
        return True


@dataclass(slots=True)
class SelectCharacters(Frame):
    """Several players select a character at once, each among his own; `go` is called when all have."""

    offered: dict[int, list[str]]
    selected: dict[int, str]

    def responders(self) -> Sequence[int]:
        return [seat for seat in self.offered if seat not in self.selected]

    def action(self) -> Action:
        return "select character"

    def note(self, seat: int) -> Note:
        return Note(purpose="select character")

    def may_abort(self, seat: int) -> bool:
        return False

    def candidates(self, seat: int) -> Sequence[str]:
        return self.offered[seat]

    def apply(self, seat: int, reply: Reply) -> bool:
        self.selected[seat] = reply.name
        if self.responders():
            return False
        self.go(reply)
        return True


@dataclass(slots=True)
class PlayPhase(Frame):
    """Use a card, a skill or a weapon, or end the phase.

    Attributes:
        can_slash: whether a slash is allowed still.
    """

    can_slash: bool

    def action(self) -> Action:
        return "use"

    def hand(self, seat: int) -> Sequence[int] | None:
        return numbers(self.player.hand)

    def targets(self, seat: int, card: int) -> Face:
        name = self.table.cards[card].name
        others = self.table.others(seat)
        match name:
            case "slash" if self.can_slash:
                return TargetNeed(1, tuple(self.table.in_reach(seat)))
            case "duel":
                return TargetNeed(1, tuple(other.seat for other in others))
            case "sabotage":
                seats = (
                    other.seat
                    for other in others
                    if other.regions() and self.table.distance(seat, other.seat) == 1
                )
                return TargetNeed(1, tuple(seats))
            case "arson attack":
                # one may set fire to oneself, with another card to show
                able = [other.seat for other in others if other.hand]
                mine = [seat] if len(self.player.hand) > 1 else []
                return TargetNeed(1, tuple(sorted(able + mine)))
            case "peach" if self.player.is_hurt:
                return "implicit target"
            case _:
                is_equipment = self.table.cards[card].region is not None
                return "implicit target" if is_equipment else "forbid"

    def methods(self, seat: int) -> Iterable[Method]:
        if not self.can_slash:
            return ()
        return conversions(self.table, self.player, "slash", is_aimed=True)


@dataclass(slots=True)
class Wanted(Frame):
    """Play a card of this name, or something that counts as one."""

    wanted: str
    about: int

    def note(self, seat: int) -> Note:
        return Note(purpose="play", about=self.about)

    def methods(self, seat: int) -> Iterable[Method]:
        own = method(self.wanted, fix_cards(1, numbers(self.player.named(self.wanted))))
        return [own, *conversions(self.table, self.player, self.wanted, is_aimed=False)]


@dataclass(slots=True)
class DiscardDown(Frame):
    """Discard so many cards of the hand."""

    count: int

    def note(self, seat: int) -> Note:
        return Note(purpose="discard")

    def may_abort(self, seat: int) -> bool:
        return False

    def methods(self, seat: int) -> Iterable[Method]:
        return [method("discard", fix_cards(self.count, numbers(self.player.hand)))]


@dataclass(slots=True)
class Show(Frame):
    """Show one card of the hand."""

    def note(self, seat: int) -> Note:
        return Note(purpose="show")

    def may_abort(self, seat: int) -> bool:
        return False

    def methods(self, seat: int) -> Iterable[Method]:
        return [method("show", fix_cards(1, numbers(self.player.hand)))]


@dataclass(slots=True)
class SameSuit(Frame):
    """Discard a card of a suit, if one wants to."""

    suit: str

    def note(self, seat: int) -> Note:
        return Note(purpose="discard")

    def methods(self, seat: int) -> Iterable[Method]:
        able = [card for card in self.player.hand if card.suit == self.suit]
        return [method("discard", fix_cards(1, numbers(able)))]


@dataclass(slots=True)
class PickRegion(Frame):
    """Choose from where somebody loses a card."""

    target: Player

    def action(self) -> Action:
        return "region"

    def may_abort(self, seat: int) -> bool:
        return False

    def candidates(self, seat: int) -> Sequence[str]:
        return self.target.regions()


@dataclass(slots=True)
class YesNo(Frame):
    """A question whose answer needs nothing but yes."""

    name: str

    def methods(self, seat: int) -> Iterable[Method]:
        return [confirm(self.name)]


@dataclass(slots=True)
class PassOn(Frame):
    """Heavenly scent: discard a heart, and somebody else is hurt instead."""

    def action(self) -> Action:
        return "use"

    def methods(self, seat: int) -> Iterable[Method]:
        hearts = [card for card in self.player.hand if card.suit == "heart"]
        seats = [other.seat for other in self.table.others(seat)]
        need = fix_cards(1, numbers(hearts))
        return [method("heavenly scent", need, fix_targets(1, seats))]


@dataclass(slots=True)
class GiveAway(Frame):
    """Bequeathed strategy: give some of the cards just drawn to somebody else, again and again."""

    left: list[Card]

    def action(self) -> Action:
        return "use"

    def methods(self, seat: int) -> Iterable[Method]:
        seats = [other.seat for other in self.table.others(seat)]
        need = min_cards(1, numbers(self.left))
        return [method("bequeathed strategy", need, fix_targets(1, seats))]
