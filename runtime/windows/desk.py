"""The one inbox of a table: the current window, which ids were ever given out, and the way from an input to messages.

`life` decides, `GameMessagePublisher` tells; a desk keeps what both need from one input to the next, and is JSON in the
game's state. There is never more than one open window. Time comes with each input; whatever was due by then is done
first, so it does not matter whether a timer fires late, twice or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Generic, TypeVar, final

from dealwright.runtime.checks import Misfit, a_list, a_mapping, an_int
from dealwright.runtime.errors import MatchError, shown
from dealwright.runtime.windows import life
from dealwright.runtime.windows.builder import (
    Offer,
    ResponseActionWindowBuilder,
    TableView,
    Trigger,
)
from dealwright.runtime.windows.closing import resolution_of
from dealwright.runtime.windows.locks import (
    Locks,
    Release,
    arm,
    locks_json,
    read_locks,
    released,
)
from dealwright.runtime.windows.model import (
    Change,
    Connection,
    Output,
    RejectCode,
    Resolution,
    ResponseActionWindow,
    ResponseReply,
    Seat,
)
from dealwright.runtime.windows.modes import RuleMode
from dealwright.runtime.windows.publisher import GameMessagePublisher
from dealwright.runtime.windows.spec import WindowSpec
from dealwright.runtime.windows.wire import Json, reply_json, window_json
from dealwright.runtime.windows.wire_read import read_window

TableT = TypeVar("TableT")


@final
class ResponseDesk(Generic[TableT]):
    """The windows of one table, one after another.

    Args:
        mode: the rules.
        offers: for each trigger that the mode has a window for, the offers of its actions.
        publisher: tells the table.
        turn_order: all seats in the order of play.

    Raises:
        ValueError: a window of the mode has no offers.

    Attributes:
        window: the latest window, open or not; None before the first.
        locks: the claims that seats have forfeited for now.
        offline: the seats that are gone, in the order in which they went.
    """

    __slots__ = (
        "_builders",
        "_issued",
        "_resolved",
        "locks",
        "mode",
        "offline",
        "publisher",
        "turn_order",
        "window",
    )

    def __init__(
        self,
        mode: RuleMode,
        offers: Mapping[str, Mapping[str, Offer[TableT]]],
        publisher: GameMessagePublisher,
        turn_order: tuple[Seat, ...],
    ) -> None:
        self.mode = mode
        self.publisher = publisher
        self.turn_order = turn_order
        self.window: ResponseActionWindow | None = None
        self.locks: Locks = ()
        self.offline: tuple[Seat, ...] = ()
        self._issued: dict[str, int] = {}
        self._resolved: tuple[ResponseActionWindow, Resolution] | None = None
        self._builders = {
            trigger: ResponseActionWindowBuilder(
                spec, offers.get(trigger, {}), mode.locks
            )
            for trigger, spec in mode.windows.items()
        }

    @property
    def is_open(self) -> bool:
        """Whether a window waits for answers."""
        return self.window is not None and self.window.status == "OPEN"

    @property
    def wake_at(self) -> int | None:
        """When `time` should be called next; None while no window is open."""
        return self.window.wake_at if self.window and self.is_open else None

    @property
    def bots(self) -> tuple[Seat, ...]:
        """The seats whose offer a bot is to answer now, nearest first; its answers come by `reply` as anybody's do."""
        if self.window is None or self.window.status != "OPEN":
            return ()
        return tuple(
            each.seat_no
            for each in self.window.candidates
            if each.connection == "BOT" and each.answer is None
        )

    @property
    def resolution(self) -> Resolution | None:
        """The result that the game has to carry out; None if there is none, or if it was."""
        window = self.window
        if window is None or window.status != "CLOSED":
            return None
        # asked for more than once, by the game and by `applied`; a window never changes, so its result does not either
        if self._resolved is None or self._resolved[0] is not window:
            self._resolved = window, resolution_of(window, self._spec(window))
        return self._resolved[1]

    def open(
        self,
        position: TableT,
        trigger: Trigger,
        round_id: str,
        state_version: int = 0,
        roles: Mapping[str, Collection[Seat]] | None = None,
        connections: Mapping[Seat, Connection] | None = None,
    ) -> bool:
        """Open the window that a trigger calls for. False means that nobody is asked and play goes on.

        A window may close in the same moment, if the rules answer for all of its candidates.

        Args:
            position: the game's own state, handed to the offers.
            trigger: what has happened.
            round_id: the round.
            state_version: the table's version.
            roles: the game's names for seats, such as {"won": {2}}.
            connections: seats that are not online, over what `disconnect` and `reconnect` have said.

        Raises:
            ValueError: a window is open, or the result of the last one was not carried out.
        """
        self._check_free()
        builder = self._builders.get(trigger.kind)
        if builder is None:
            return False
        number = self._issued.get(round_id, 0) + 1
        away: dict[Seat, Connection] = dict.fromkeys(self.offline, "OFFLINE")
        if connections:
            away.update(connections)
        window = builder.build(
            TableView(
                self.publisher.table_id,
                round_id,
                self.turn_order,
                number,
                state_version,
                position,
                roles or {},
                away,
                self.locks,
            ),
            trigger,
        )
        if window is None:
            return False
        self._begin(window, number)
        return True

    def begin(self, window: ResponseActionWindow) -> None:
        """Open a window that was built elsewhere, as a replay does.

        Raises:
            ValueError: as `open` does, or the window is none of this table's, or not its next one.
        """
        self._check_free()
        number = self._issued.get(window.round_id, 0) + 1
        self._check_ours(window, number)
        self._begin(window, number)

    def _begin(self, window: ResponseActionWindow, number: int) -> None:
        self.window = window
        self._issued[window.round_id] = number
        at = window.opened_at
        self.publisher.record("OPEN", at, lambda: {"window": window_json(window)})
        self._take(life.opening(window, self._spec(window)))

    def reply(self, reply: ResponseReply, now: int) -> None:
        """Take a client's reply; the seat hears what became of it.

        Raises:
            ValueError: there is no such seat; nothing has happened.
        """
        self._check_seat(reply.seat_no)
        self.time(now)
        self.publisher.record("REPLY", now, lambda: {"reply": reply_json(reply)})
        window = self.window
        if window is not None and reply.window_id == window.window_id:
            self._take(life.on_reply(window, reply, now, self._spec(window)))
        else:
            self._refuse(life.refusal(reply, now, self._stray(reply)))

    def turn_action(self, seat: Seat, now: int, reply_id: str | None = None) -> bool:
        """Whether a turn's action may go on; while a window is open it may not, and the seat is told so.

        Raises:
            ValueError: as for `reply`.
        """
        self._check_seat(seat)
        self.time(now)
        if not self.is_open:
            return True
        self.publisher.record(
            "TURN_ACTION", now, lambda: {"seat": seat, "replyId": reply_id}
        )
        self._refuse(Output("REJECT", now, seat, reply_id, "WINDOW_OPEN"))
        return False

    def time(self, now: int, window_id: str | None = None) -> None:
        """Do what is due. A timer may name the window that it was set for."""
        window = self.window
        if window is not None and window.status == "OPEN" and window.wake_at <= now:
            self.publisher.record("TIME", now, lambda: {"windowId": window_id})
            self._take(life.on_deadline(window, now, self._spec(window), window_id))

    def disconnect(self, seat: Seat, now: int) -> None:
        """A seat is gone; windows that open before it is back are told so.

        Raises:
            ValueError: as for `reply`.
        """
        self._check_seat(seat)
        self.time(now)
        self.publisher.record("DISCONNECT", now, lambda: {"seat": seat})
        if seat not in self.offline:
            self.offline = (*self.offline, seat)
        if self.window is not None:
            spec = self._spec(self.window)
            self._take(life.on_disconnect(self.window, seat, now, spec))

    def reconnect(self, seat: Seat, now: int) -> None:
        """A seat is back.

        Raises:
            ValueError: as for `reply`.
        """
        self._check_seat(seat)
        self.time(now)
        self.publisher.record("RECONNECT", now, lambda: {"seat": seat})
        self.offline = tuple(each for each in self.offline if each != seat)
        if self.window is not None:
            spec = self._spec(self.window)
            self._take(life.on_reconnect(self.window, seat, now, spec))

    def abort(self, now: int) -> None:
        """The table is dissolved."""
        self.time(now)
        if self.window is not None:
            self.publisher.record("ABORT", now, dict)
            self._take(life.on_abort(self.window, now))

    def applied(self, is_still_ready: Callable[[Seat], bool]) -> None:
        """The game has carried the result out. Locks are armed now, for whatever reason the window closed.

        Args:
            is_still_ready: see `locks.arm`; asked after the result was carried out.

        Raises:
            ValueError: there is no result to carry out.
        """
        resolution, window = self.resolution, self.window
        if resolution is None or window is None:
            raise ValueError("there is no result that could have been carried out")
        for lock in self.mode.locks:
            self.locks = arm(lock, self.locks, window, resolution, is_still_ready)
        self.window = life.applied(window)
        self.publisher.record("APPLIED", window.closed_at or 0, dict)

    def release(self, seat: Seat, event: Release) -> None:
        """A seat went through something that may end its locks."""
        if self.locks:
            self.locks = released(self.mode.locks, self.locks, seat, event)

    def to_json(self) -> Json:
        """Everything that a restart must not lose."""
        return {
            "window": None if self.window is None else window_json(self.window),
            "issued": dict(self._issued),
            "locks": locks_json(self.locks),
            "offline": list(self.offline),
            "publisher": self.publisher.to_json(),
        }

    def restore(self, value: object) -> None:
        """Go on where `to_json` was. Call `time` then: the time that is left runs on while a server is down.

        Raises:
            MatchError: "bad_state", saying what does not fit. The desk is as it was.
        """
        try:
            fields = a_mapping(value, "the desk")
            given = fields.get("window")
            window = None if given is None else read_window(given)
            issued = {
                str(name): an_int(number, "issued")
                for name, number in a_mapping(fields.get("issued"), "issued").items()
            }
            if window is not None:
                self._check_ours(window, issued.get(window.round_id, 0))
            locks = read_locks(fields.get("locks"))
            offline = self._read_offline(fields.get("offline"))
            self.publisher.restore(fields.get("publisher"))
        except Misfit as error:
            raise MatchError("bad_state", f"the desk does not fit: {error}") from None
        self.window, self._issued = window, issued
        self.locks, self.offline = locks, offline

    def _read_offline(self, value: object) -> tuple[Seat, ...]:
        seats = tuple(an_int(seat, "offline") for seat in a_list(value, "offline"))
        if len(set(seats)) < len(seats) or not set(seats) <= set(self.turn_order):
            raise Misfit("offline: seats of the table, each once")
        return seats

    def _check_free(self) -> None:
        if self.window is not None and self.window.status != "APPLIED":
            raise ValueError(f"window {self.window.window_id} is {self.window.status}")

    def _check_seat(self, seat: Seat) -> None:
        if seat not in self.turn_order:
            raise ValueError(f"there is no seat {shown(seat)} at the table")

    def _check_ours(self, window: ResponseActionWindow, number: int) -> None:
        """A window that comes from outside is of this table and by these rules, and is the round's window `number`."""
        builder = self._builders.get(window.trigger)
        if builder is None:
            raise Misfit(f"no window opens on {shown(window.trigger)}")
        for name, given, ours in (
            ("windowId", window.window_id, f"{window.round_id}:w{number}"),
            ("tableId", window.table_id, self.publisher.table_id),
            ("turnOrder", window.turn_order, self.turn_order),
            ("ruleMode", window.rule_mode, self.mode.name),
        ):
            if given != ours:
                raise Misfit(f"{name} is {shown(given)}, not {shown(ours)}")
        actions = {action.name for action in builder.spec.actions}
        for candidate in window.candidates:
            for option in candidate.options:
                if option.action_type not in actions:
                    raise Misfit(f"there is no action {shown(option.action_type)}")
        answers = sum(each.answer is not None for each in window.candidates)
        if builder.spec.amend == "never" and answers != window.answered:
            raise Misfit(f"answered is {window.answered}, not {answers}")

    def _spec(self, window: ResponseActionWindow) -> WindowSpec:
        return self._builders[window.trigger].spec

    def _take(self, change: Change) -> None:
        self.window, outputs = change
        self.publisher.publish(self.window, outputs, self._spec(self.window))

    def _refuse(self, output: Output) -> None:
        self.publisher.publish(self.window, (output,), None)

    def _stray(self, reply: ResponseReply) -> RejectCode:
        """Why a reply to another window than the current one is refused; it is never taken for the current one."""
        if self.window is None:
            return "NO_WINDOW"
        round_id, _, number = reply.window_id.rpartition(":w")
        known = self._issued.get(round_id, 0)
        # compared as texts: a client may send any number of digits
        is_issued = len(number) <= len(str(known)) and number in {
            str(issued) for issued in range(1, known + 1)
        }
        return "STALE_WINDOW" if is_issued else "UNKNOWN_WINDOW"
