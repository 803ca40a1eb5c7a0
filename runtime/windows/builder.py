"""From the table and an event to a window: every seat's options, in one pass, from nothing but the event.

    ResponseActionWindowBuilder(spec, {"HU": can_hu, "GANG": can_gang, "PENG": can_peng}).build(view, trigger)

What a seat could do in its turn has no part in it, and neither has anything that a seat may not know of another: an
offer is asked about one seat at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar, final

from dealwright.runtime.windows.candidates import answered_at_once, candidate_of
from dealwright.runtime.windows.locks import Locks, MissedClaim, blocks
from dealwright.runtime.windows.model import (
    PASS,
    Connection,
    Hint,
    ResponseActionOption,
    ResponseActionSeatCandidate,
    ResponseActionWindow,
    Seat,
    Tile,
)
from dealwright.runtime.windows.spec import EVERYBODY, Audience, WindowSpec

TableT = TypeVar("TableT")

_new: Final = tuple.__new__


class Trigger(NamedTuple):
    """What has happened to a card that others may claim.

    Attributes:
        kind: what: "DISCARD", "ADD_KONG", or whatever the game has.
        source_seat_no: whose card it is.
        tile: the card.
        discard_index: which discard of the round it is; makes "which card" unambiguous.
        at: when, in milliseconds of the server's clock.
        wall: how many cards are left to draw.
    """

    kind: str
    source_seat_no: Seat
    tile: Tile
    discard_index: int
    at: int
    wall: int


class TableView(NamedTuple, Generic[TableT]):
    """The table at that moment; it has everybody's hand and stays on the server.

    Attributes:
        table_id: the table.
        round_id: the round.
        turn_order: all seats in the order of play.
        number: the window's number in the round, from 1. `ResponseDesk` counts.
        state_version: the table's version.
        position: the game's own state, handed to the offers.
        roles: the game's names for seats, such as {"won": {2}}. It need not name "source" and "next".
        connections: seats that are not online.
        locks: which claims seats have forfeited for now.
    """

    table_id: str
    round_id: str
    turn_order: tuple[Seat, ...]
    number: int
    state_version: int
    position: TableT
    roles: Mapping[str, Collection[Seat]] = {}
    connections: Mapping[Seat, Connection] = {}
    locks: Locks = ()


class Shape(NamedTuple):
    """One way in which a seat could carry out an action.

    Attributes:
        consumes: what leaves the hand.
        hint: private advice for the seat; locks read it too.
    """

    consumes: tuple[Tile, ...] = ()
    hint: Hint | None = None


Offer: TypeAlias = Callable[[TableT, Seat, Trigger], Iterable[Shape]]
"""The ways in which a seat may take an action; none if it may not. Must not change the table."""


_Claim: TypeAlias = tuple[str, str, int | None, int, tuple[MissedClaim, ...]]
"""An action, the id of its first option, what it consumes if that is fixed, its priority, and its locks."""
_Asked: TypeAlias = tuple[Offer[TableT], _Claim]
"""An action before a seat is asked. These are plain tuples, since they are taken apart for every seat at every discard, and
named ones are slow at that."""


@final
class ResponseActionWindowBuilder(Generic[TableT]):
    """Builds the windows of one spec. Keeps nothing from one window to the next.

    Args:
        spec: the spec.
        offers: for each action but PASS, when it may be taken.
        missed: the mode's locks that may take options away.

    Raises:
        ValueError: an action has no offer, or an offer is of no action.
    """

    __slots__ = (
        "_actions",
        "_barred",
        "_has_roles",
        "_is_narrow",
        "_is_plain",
        "_limits",
        "_needs_wall",
        "_of_next",
        "_of_others",
        "spec",
    )

    def __init__(
        self,
        spec: WindowSpec,
        offers: Mapping[str, Offer[TableT]],
        missed: Iterable[MissedClaim] = (),
    ) -> None:
        claims = [action for action in spec.actions if action.name != PASS]
        odd = {action.name for action in claims} ^ offers.keys()
        if odd:
            name = min(odd)
            raise ValueError(f"window {spec.id}: {name} has no offer, or is no action")
        self.spec = spec
        locks = [lock for lock in missed if spec.trigger in lock.applies_to]
        self._actions: tuple[_Asked[TableT], ...] = tuple(
            (
                offers[action.name],
                (
                    action.name,
                    f"{action.name}#0",
                    action.consumes,
                    action.priority,
                    tuple(lock for lock in locks if lock.action == action.name),
                ),
            )
            for action in claims
        )
        # with cards enough in the wall, who may take what is known beforehand, unless the game's roles have a part in it
        self._limits = [(action.needs_wall, action.audience) for action in claims]
        self._needs_wall = max((needed for needed, _ in self._limits), default=0)
        self._of_next, self._of_others = self._open_to(True), self._open_to(False)
        self._has_roles = any(
            not audience.exclude | audience.only <= {"next"}
            for _, audience in self._limits
        )
        timeout = spec.timeout
        self._is_plain = not (
            timeout.per_action_answer
            or timeout.per_action_ms
            or timeout.answer != PASS
            or spec.forced
        )
        self._barred = tuple(sorted(spec.audience.exclude - {"source"}))
        self._is_narrow = bool(spec.audience.only) or "next" in self._barred

    def _open_to(self, is_next: bool) -> tuple[_Asked[TableT], ...]:
        """The actions that their own audiences leave to the next seat or to another one, if "next" is all that they name."""
        return tuple(
            asked
            for asked, (_, audience) in zip(self._actions, self._limits, strict=True)
            if ("next" not in audience.exclude if is_next else not audience.only)
        )

    def build(
        self, view: TableView[TableT], trigger: Trigger
    ) -> ResponseActionWindow | None:
        """The window that `trigger` opens, or None if nobody may claim.

        Where the spec conceals whether there are candidates, there is a window for every trigger, if need be without
        any. `life.opening` tells what has to be said about it.

        Raises:
            ValueError: the trigger is of another kind than the spec's, or an offer takes more or fewer cards than the
                spec says.
        """
        spec = self.spec
        kind, source, tile, index, at, _ = trigger
        if kind != spec.trigger:
            raise ValueError(f"window {spec.id} does not open on {kind}")
        order = view.turn_order
        start = order.index(source)
        asked = tuple(order[start + 1 :] + order[:start])
        barred = self._barred_seats(asked, view, trigger)
        audience = asked
        if barred:
            audience = tuple([seat for seat in asked if seat not in barred])
        deadline = at + spec.timeout.longest
        candidates, answered = self._candidates(
            asked, barred, audience, deadline, view, trigger
        )
        if not candidates and spec.conceal.open_event != "always":
            return None
        round_id = view.round_id
        # made by place, as in `changes`: the fields of the model in their order
        return _new(
            ResponseActionWindow,
            (
                f"{round_id}:w{view.number}",
                view.table_id,
                round_id,
                kind,
                source,
                tile,
                index,
                at,
                deadline,
                view.state_version,
                spec.rule_mode,
                order,
                audience,
                tuple(candidates),
                answered,
                deadline,
                0,
                "OPEN",
                None,
                None,
            ),
        )

    def _candidates(
        self,
        asked: tuple[Seat, ...],
        barred: Collection[Seat],
        audience: tuple[Seat, ...],
        deadline: int,
        view: TableView[TableT],
        trigger: Trigger,
    ) -> tuple[list[ResponseActionSeatCandidate], int]:
        """Each seat that may claim something, the nearest first; and for how many of them the rules have answered."""
        found: list[ResponseActionSeatCandidate] = []
        answered = 0
        actions, position = self._of_next, view.position
        is_limited = self._has_roles or trigger.wall < self._needs_wall
        is_plain = self._is_plain and not view.connections
        passing: ResponseActionOption | None = None
        for distance, seat in enumerate(asked, 1):
            if seat in barred:
                continue
            options: list[ResponseActionOption] = []
            if is_limited:
                actions = self._within_reach(seat, audience[0], view, trigger)
            for offer, claim in actions:
                shapes = offer(position, seat, trigger)
                if shapes:
                    self._add(options, claim, shapes, seat, view, trigger)
            actions = self._of_others
            if not options:
                continue
            if passing is None:  # mostly nobody may claim, and nobody may pass either
                fields = (PASS, "PASS#0", trigger.tile, (), 0, None)
                passing = _new(ResponseActionOption, fields)
            if is_plain:
                options.append(passing)
                candidate = _new(
                    ResponseActionSeatCandidate,
                    (
                        seat,
                        tuple(options),
                        distance,
                        deadline,
                        "PASS#0",
                        "OPEN",
                        None,
                        "ONLINE",
                    ),
                )
            else:
                candidate = self._candidate(
                    seat, distance, options, passing, view, trigger, answered
                )
                answered += candidate.answer is not None
            found.append(candidate)
        return found, answered

    def _within_reach(
        self,
        seat: Seat,
        following: Seat,
        view: TableView[TableT],
        trigger: Trigger,
    ) -> tuple[_Asked[TableT], ...]:
        """The actions that the wall and their own audiences leave to a seat; `following` is the one whose role is "next"."""
        return tuple(
            [
                asked
                for asked, (needed, audience) in zip(
                    self._actions, self._limits, strict=True
                )
                if needed <= trigger.wall
                and (
                    audience is EVERYBODY
                    or _is_in(audience, seat, following, view, trigger)
                )
            ]
        )

    def _add(
        self,
        options: list[ResponseActionOption],
        claim: _Claim,
        shapes: Iterable[Shape],
        seat: Seat,
        view: TableView[TableT],
        trigger: Trigger,
    ) -> None:
        """Put an option for each way in which the seat may take one action at the end of `options`."""
        action, option_id, takes, priority, locks = claim
        number = 0
        for consumes, hint in shapes:
            if takes is not None and len(consumes) != takes:
                raise ValueError(
                    f"window {self.spec.id}: {action} takes {takes} cards, not {len(consumes)}"
                )
            if locks and self._is_forfeit(claim, seat, hint, view, trigger):
                continue
            if number:
                option_id = f"{action}#{number}"
            number += 1
            fields = (action, option_id, trigger.tile, consumes, priority, hint)
            options.append(_new(ResponseActionOption, fields))

    def _candidate(
        self,
        seat: Seat,
        distance: int,
        options: list[ResponseActionOption],
        passing: ResponseActionOption,
        view: TableView[TableT],
        trigger: Trigger,
        order: int,
    ) -> ResponseActionSeatCandidate:
        """A candidate of a spec with more to it than PASS and one deadline."""
        candidate = candidate_of(
            self.spec,
            seat,
            distance,
            options,
            passing,
            trigger.at,
            trigger.wall,
            view.connections.get(seat, "ONLINE"),
        )
        return answered_at_once(self.spec, candidate, trigger.at, trigger.wall, order)

    def _is_forfeit(
        self,
        claim: _Claim,
        seat: Seat,
        hint: Hint | None,
        view: TableView[TableT],
        trigger: Trigger,
    ) -> bool:
        """Whether a lock takes the option away."""
        overridden = {
            name
            for forced in self.spec.forced
            if forced.action == claim[0] and trigger.wall <= forced.when_wall_at_most
            for name in forced.overrides
        }
        return any(
            lock.id not in overridden
            and blocks(lock, view.locks, seat, trigger.tile, hint, trigger.wall)
            for lock in claim[-1]
        )

    def _barred_seats(
        self, others: tuple[Seat, ...], view: TableView[TableT], trigger: Trigger
    ) -> Collection[Seat]:
        """Those of the other seats, nearest first, that the window does not ask."""
        barred: set[Seat] = set()
        for role in self._barred:
            out = view.roles.get(role)
            if out:
                barred.update(out)
        if self._is_narrow:
            audience = self.spec.audience
            left = [seat for seat in others if seat not in barred]
            barred.update(
                seat
                for seat in left
                if not _is_in(audience, seat, left[0], view, trigger)
            )
        return barred


def _is_in(
    audience: Audience,
    seat: Seat,
    following: Seat | None,
    view: TableView[TableT],
    trigger: Trigger,
) -> bool:
    """Whether a seat is in an audience; `following` is the seat whose role is "next"."""

    def has(role: str) -> bool:
        if role == "next":
            return seat == following
        if role == "source":
            return seat == trigger.source_seat_no
        return seat in view.roles.get(role, ())

    return not any(map(has, audience.exclude)) and (
        not audience.only or any(map(has, audience.only))
    )
