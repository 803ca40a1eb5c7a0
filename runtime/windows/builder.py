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
UNANSWERED: Final = ("OPEN", None, "ONLINE")
"""State, answer and connection of a candidate when a window opens."""
UNCLOSED: Final = (0, "OPEN", None, None)
"""Grace, status, time and reason of a window when it opens."""


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


class _Claimable(NamedTuple, Generic[TableT]):
    """What the builder wants to know of an action, in the order in which it is taken apart."""

    action: str
    first_id: str
    offer: Offer[TableT]
    needs_wall: int
    consumes: int | None
    priority: int
    audience: Audience | None
    locks: tuple[MissedClaim, ...]


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

    __slots__ = ("_barred", "_claims", "_is_plain", "spec")

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
        self._claims = tuple(
            _Claimable(
                action.name,
                f"{action.name}#0",
                offers[action.name],
                action.needs_wall,
                action.consumes,
                action.priority,
                None if action.audience is EVERYBODY else action.audience,
                tuple(lock for lock in locks if lock.action == action.name),
            )
            for action in claims
        )
        timeout = spec.timeout
        self._is_plain = not (
            timeout.per_action_answer
            or timeout.per_action_ms
            or timeout.answer != PASS
            or spec.forced
        )
        self._barred = tuple(sorted(spec.audience.exclude - {"source"}))

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
        asked = (*order[start + 1 :], *order[:start])
        barred = self._barred_seats(asked, view, trigger)
        audience = asked
        if barred:
            audience = tuple([seat for seat in asked if seat not in barred])
        passing = _new(ResponseActionOption, (PASS, "PASS#0", tile, (), 0, None))
        deadline = at + spec.timeout.longest
        is_plain = self._is_plain and not view.connections
        candidates: list[ResponseActionSeatCandidate] = []
        answered = 0
        for distance, seat in enumerate(asked, 1):
            if seat in barred:
                continue
            options = self._options(seat, audience[0], view, trigger)
            if not options:
                continue
            if is_plain:
                options.append(passing)
                offered = tuple(options)
                candidate = _new(
                    ResponseActionSeatCandidate,
                    (seat, offered, distance, deadline, "PASS#0", *UNANSWERED),
                )
            else:
                candidate = self._candidate(
                    seat, distance, options, passing, view, trigger, answered
                )
                answered += candidate.answer is not None
            candidates.append(candidate)
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
                *UNCLOSED,
            ),
        )

    def _options(
        self, seat: Seat, following: Seat, view: TableView[TableT], trigger: Trigger
    ) -> list[ResponseActionOption]:
        """What a seat may claim, the strongest first; PASS is not among it."""
        options: list[ResponseActionOption] = []
        position, tile, wall = view.position, trigger.tile, trigger.wall
        for claim in self._claims:
            action, option_id, offer, least, takes, priority, audience, locks = claim
            if least > wall:
                continue
            if audience is not None and not _is_in(
                audience, seat, following, view, trigger
            ):
                continue
            number = 0
            for consumes, hint in offer(position, seat, trigger):
                if takes is not None and len(consumes) != takes:
                    raise ValueError(
                        f"window {self.spec.id}: {action} takes {takes} cards, not {len(consumes)}"
                    )
                if locks and self._is_forfeit(claim, seat, hint, view, trigger):
                    continue
                if number:
                    option_id = f"{action}#{number}"
                number += 1
                options.append(
                    _new(
                        ResponseActionOption,
                        (action, option_id, tile, consumes, priority, hint),
                    )
                )
        return options

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
        claim: _Claimable[TableT],
        seat: Seat,
        hint: Hint | None,
        view: TableView[TableT],
        trigger: Trigger,
    ) -> bool:
        """Whether a lock takes the option away."""
        overridden = {
            name
            for forced in self.spec.forced
            if forced.action == claim.action
            and trigger.wall <= forced.when_wall_at_most
            for name in forced.overrides
        }
        return any(
            lock.id not in overridden
            and blocks(lock, view.locks, seat, trigger.tile, hint, trigger.wall)
            for lock in claim.locks
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
        audience = self.spec.audience
        if audience.only or "next" in audience.exclude:
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
