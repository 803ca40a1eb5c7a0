"""Hints for a game that is written by hand: what it has to tell, and the questions that come of it.

A game says who has to act and why, and for each of them what he holds and what he may do; it need not know the
protocol. `questions_of` turns that into questions, `open_desk` puts them on a desk. The game's answers should come
from the very predicates with which it judges actions, so that hints and rules cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, Protocol, TypeAlias, assert_never

from dealwright.runtime.hints.build import (
    aim,
    discard,
    forbid,
    implicit,
    select_character,
    select_region,
    use,
)
from dealwright.runtime.hints.desk import Desk
from dealwright.runtime.hints.model import (
    Action,
    CardEntry,
    Method,
    Note,
    Question,
    TargetNeed,
)

Face: TypeAlias = TargetNeed | Literal["forbid", "implicit target"]


class Asking(Protocol):
    """A game in progress that has a decision pending. Nothing here may change it."""

    def responders(self) -> Sequence[int]:
        """The seats that have to act now."""
        ...

    def action(self) -> Action:
        """Which of the four kinds of question it is."""
        ...

    def note(self, seat: int) -> Note:
        """What the answer is for, and whatever else may be told to this seat."""
        ...

    def may_abort(self, seat: int) -> bool:
        """Whether the seat may give up."""
        ...

    def candidates(self, seat: int) -> Sequence[str]:
        """Characters to select, or regions; asked at these two kinds only."""
        ...

    def hand(self, seat: int) -> Sequence[int] | None:
        """The cards that are listed at a `use`: the whole hand, or None where no card can be used by its face."""
        ...

    def targets(self, seat: int, card: int) -> Face:
        """At whom a card of the hand can be used by its face now; asked at a `use` only."""
        ...

    def methods(self, seat: int) -> Iterable[Method]:
        """Other ways to answer a `use`, or all ways to answer a `discard`."""
        ...


def question_of(game: Asking, seat: int) -> Question:
    """What a seat that has to act is asked.

    Raises:
        HintError: "bad_hint", "unanswerable": the game should not have asked.
    """
    action = game.action()
    may_abort, note = game.may_abort(seat), game.note(seat)
    match action:
        case "select character":
            return select_character(game.candidates(seat), may_abort, note)
        case "region":
            return select_region(game.candidates(seat), may_abort, note)
        case "use":
            hand = game.hand(seat)
            entries = (
                None if hand is None else [_entry(game, seat, card) for card in hand]
            )
            return use(entries, game.methods(seat), may_abort, note)
        case "discard":
            return discard(game.methods(seat), may_abort, note)
        case _:
            assert_never(action)


def _entry(game: Asking, seat: int, card: int) -> CardEntry:
    face = game.targets(seat, card)
    if isinstance(face, TargetNeed):
        return aim(card, face.targets, face.count)
    return forbid(card) if face == "forbid" else implicit(card)


def questions_of(game: Asking) -> dict[int, Question]:
    """What everybody who has to act is asked, by seat.

    Raises:
        HintError: as for `question_of`.
    """
    return {seat: question_of(game, seat) for seat in game.responders()}


def open_desk(
    desk: Desk, game: Asking, limit: float | None = None, now: float | None = None
) -> None:
    """Put the game's questions on the desk; see `Desk.ask`.

    Raises:
        HintError: as for `question_of` and `Desk.ask`.
    """
    desk.ask(questions_of(game), limit, now)
