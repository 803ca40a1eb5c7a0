"""A whole round: void suits, turns, claims, wins that do not end it, and the settlement.

    VOID → TURN → (CLAIM →) TURN → … → OVER

A round is a state machine without a clock: every input brings the time, in milliseconds of the server's clock. It waits
for all seats (VOID), for one seat (TURN) or for a window's candidates (CLAIM), and `saved` has all of it at every wait.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias, final

from dealwright.runtime.shuffle import shuffle
from dealwright.runtime.windows import (
    GameMessagePublisher,
    NextStep,
    Resolution,
    ResponseDesk,
    ResponseReply,
    RuleMode,
    arm_directly,
    step_after,
)
from examples.sichuan.accounts import Accounts, Reason
from examples.sichuan.ending import Status, settle_end
from examples.sichuan.fans import fan_count, points
from examples.sichuan.rules import (
    TURN_ORDER,
    Desk,
    announce,
    meld_json,
    offers_of,
    settle,
    told_end,
)
from examples.sichuan.table import InTransit, Player, Seat, Table, WinKind
from examples.sichuan.tiles import SUITS, WALL, Suit, Tile
from examples.sichuan.turns import (
    Move,
    Turn,
    gang_kind,
    moves_of,
    options_of,
    silent_move,
    silent_void,
)

Phase: TypeAlias = Literal["VOID", "TURN", "CLAIM", "OVER"]

ABORTED: Final = "ABORTED"
"""Why a round is over that somebody stopped. Other reasons are the mode's words."""

VOID_MS: Final = 15_000
TURN_MS: Final = 15_000

KONG_PAY: Final = {"EXPOSED": 2, "ADDED": 1, "CONCEALED": 2}
"""What each payer gives for a kong: the discarder for an exposed one, every seat that still plays for the others."""

SELF_DRAW_BONUS: Final = 1
"""What a win on one's own draw is worth more, to each payer."""


class MoveRefused(ValueError):
    """An input that the round does not take; nothing has changed."""


class Win(NamedTuple):
    """A win.

    Attributes:
        seat: who won.
        source: whose tile it was; the winner itself on its own draw.
        kind: how it came.
        points: what each payer paid, without the bonus of an own draw.
        moment: wins on one tile have the same; from 0.
    """

    seat: Seat
    source: Seat
    kind: WinKind
    points: int
    moment: int


def shuffled_wall(seed: int) -> list[Tile]:
    """All tiles in an order that the seed decides."""
    wall = list(WALL)
    shuffle(wall, seed)
    return wall


def dealt(wall: Sequence[Tile], dealer: Seat = 0) -> Table:
    """A table with 13 tiles for each seat from the front of the wall, the dealer first, and one more for the dealer."""
    rest = list(wall)
    players = [Player([]) for _ in TURN_ORDER]
    for step in range(len(players)):
        player = players[(dealer + step) % len(players)]
        player.hand, rest = rest[:13], rest[13:]
    players[dealer].hand.append(rest.pop(0))
    return Table(players, rest)


@final
class Round:
    """A round of four seats.

    Args:
        mode: the windows' rules.
        table: as `dealt` makes it.
        publisher: tells the table.
        dealer: who acts first.
        round_id: names the round in ids of windows and events.

    Attributes:
        table: hands, melds, wall.
        desk: the windows.
        accounts: who has paid whom.
        phase: what the round waits for.
        moves: what the seat whose turn it is may do.
        turn: the latest turn; it lasts until the next one begins, while a window is open too.
        voids: the void suits chosen so far; nobody sees them before all four are.
        wins: all wins in the order in which they were declared.
        statuses: how each seat stood at an empty wall; empty before that, and after three wins.
        end: why the round is over; None before.
        version: counts turns; everybody may know it.
        deadline_at: when a void suit or a move is chosen for who has not.
        kong: the number of the latest kong.
    """

    __slots__ = (
        "accounts",
        "deadline_at",
        "dealer",
        "desk",
        "end",
        "kong",
        "moves",
        "phase",
        "round_id",
        "statuses",
        "table",
        "turn",
        "version",
        "voids",
        "wins",
    )

    def __init__(
        self,
        mode: RuleMode,
        table: Table,
        publisher: GameMessagePublisher,
        dealer: Seat = 0,
        round_id: str = "r1",
    ) -> None:
        self.table = table
        self.desk: Desk = ResponseDesk(mode, offers_of(mode), publisher, TURN_ORDER)
        self.accounts = Accounts(len(TURN_ORDER))
        self.phase: Phase = "VOID"
        self.dealer = dealer
        self.round_id = round_id
        self.turn = Turn(dealer, table.players[dealer].hand[-1])
        self.moves: tuple[Move, ...] = ()
        self.voids: list[Suit | None] = [None] * len(TURN_ORDER)
        self.wins: list[Win] = []
        self.statuses: list[Status] = []
        self.end: str | None = None
        self.version = 0
        self.deadline_at = 0
        self.kong: int | None = None

    @property
    def wake_at(self) -> int | None:
        """When `time` should be called next; None when the round is over."""
        if self.phase == "OVER":
            return None
        return self.desk.wake_at if self.phase == "CLAIM" else self.deadline_at

    @property
    def next_dealer(self) -> Seat:
        """Who deals after this round: the first winner, or the discarder if the first tile won had several winners."""
        first = [win for win in self.wins if win.moment == 0]
        if not first:
            return self.dealer
        return first[0].seat if len(first) == 1 else first[0].source

    # inputs

    def begin(self, now: int) -> None:
        """Ask all seats for their void suits."""
        self.deadline_at = now + VOID_MS
        self._tell("ROUND_STARTED", now, {"dealerSeatNo": self.dealer})

    def choose_void(self, seat: Seat, suit: Suit, now: int) -> None:
        """A seat's void suit (定缺).

        Raises:
            MoveRefused: it is too late, the seat has chosen, or there is no such suit.
        """
        self.time(now)
        if self.phase != "VOID" or self.voids[seat] is not None or suit not in SUITS:
            raise MoveRefused(f"seat {seat} cannot choose {suit!r} now")
        self.voids[seat] = suit
        self._reveal_voids(now)

    def act(
        self, seat: Seat, move: Move, now: int, reply_id: str | None = None
    ) -> None:
        """A move in a seat's own turn.

        Raises:
            MoveRefused: a window is open (the seat is told so too), it is not the seat's turn, or the move is not
                among `moves`.
        """
        self.time(now)
        if not self.desk.turn_action(seat, now, reply_id):
            raise MoveRefused("a window is open")
        if self.phase != "TURN" or seat != self.turn.seat:
            raise MoveRefused(f"it is not the turn of seat {seat}")
        if move not in self.moves:
            raise MoveRefused(f"seat {seat} cannot do {move.kind} {move.tile}")
        self._do(move, now)

    def claim(self, reply: ResponseReply, now: int) -> None:
        """An answer to a window; the seat is told what became of it."""
        self.time(now)
        self.desk.reply(reply, now)
        self._resolve()

    def disconnect(self, seat: Seat, now: int) -> None:
        """A seat is gone; what that means for an open window is the mode's business."""
        self.time(now)
        self.desk.disconnect(seat, now)
        self._resolve()

    def reconnect(self, seat: Seat, now: int) -> None:
        """A seat is back, and gets its offer again if it has one."""
        self.time(now)
        self.desk.reconnect(seat, now)
        self._resolve()

    def abort(self, now: int) -> None:
        """The table is dissolved: an open window closes without a winner, and nothing is settled.

        What was paid before stays on the accounts, for the server to keep or to forget; hands stay closed. It works too
        where an input has failed on the way, so that a server can get rid of a round that is not to be trusted.
        """
        self.time(now)
        if self.phase == "OVER":
            return
        self.desk.abort(now)
        self.table.stop_transit()
        if self.desk.resolution is not None:
            self.desk.applied(self.table.is_ready)
        self.phase, self.end = "OVER", ABORTED
        told_end(self.desk, self.round_id, now, NextStep("END", None, ABORTED))

    def time(self, now: int) -> None:
        """Do all that is due by `now`, each at its own time."""
        while (due := self.wake_at) is not None and due <= now:
            if self.phase == "CLAIM":
                self.desk.time(due)
                self._resolve()
            elif self.phase == "TURN":
                self._do(silent_move(self.table, self.turn), due)
            else:
                for seat, suit in enumerate(self.voids):
                    self.voids[seat] = suit or silent_void(self.table.players[seat])
                self._reveal_voids(due)

    # steps

    def _reveal_voids(self, at: int) -> None:
        if None in self.voids:
            return
        for player, suit in zip(self.table.players, self.voids, strict=True):
            player.void_suit = suit
        self._tell("VOID_SUITS_CHOSEN", at, {"suits": list(self.voids)})
        self._begin_turn(self.turn, at)

    def _begin_turn(self, turn: Turn, at: int) -> None:
        self.turn, self.phase = turn, "TURN"
        self.moves = tuple(moves_of(self.table, turn))
        self.version += 1
        self.deadline_at = at + TURN_MS
        self.desk.publisher.publish_turn_actions(
            turn.seat,
            options_of(self.table, turn, self.moves),
            at,
            self.deadline_at,
            self.version,
        )

    def _draw(self, seat: Seat, at: int, kong: int | None) -> None:
        tile = self.table.draw(seat)
        self.desk.release(seat, "own_draw" if kong is None else "own_kong_draw")
        payload: dict[str, object] = {
            "seatNo": seat,
            "wallRemaining": len(self.table.wall),
            "isReplacement": kong is not None,
        }
        self._tell("TILE_DRAWN", at, payload)
        self._begin_turn(Turn(seat, tile, kong), at)

    def _do(self, move: Move, at: int) -> None:
        seat, tile = self.turn.seat, move.tile
        if move.kind == "HU":
            self._win_by_draw(at)
            return
        self._decline_win()
        if move.kind == "DISCARD":
            self.desk.release(seat, "own_discard")
            self.table.discard(seat, tile, self.turn.is_after_kong)
            self._throw_wait(seat, tile)
            self._announce(at)
        elif gang_kind(self.table.players[seat], tile) == "CONCEALED":
            self._lay_concealed_kong(seat, tile, at)
        else:
            self.table.attempt_added_kong(seat, tile, self.turn.is_after_kong)
            self._announce(at)

    def _announce(self, at: int) -> None:
        step = announce(
            self.table, self.desk, self.round_id, at, self.version, self._book
        )
        self._follow(step, at)

    def _resolve(self) -> None:
        """Carry out what the window has come to, if it has."""
        window, result = self.desk.window, self.desk.resolution
        if window is None or result is None or window.closed_at is None:
            return
        step = settle(self.table, self.desk, self.round_id, self._book)
        if result.winning_action_type in ("GANG", "PENG"):
            claimant = result.winner_seat_nos[0]
            self.desk.release(claimant, "own_claim")
            if not self.table.is_ready(claimant):
                self.desk.release(claimant, "claim_breaks_ready")
        self._follow(step, window.closed_at)

    def _follow(self, step: NextStep | None, at: int) -> None:
        if step is None:
            self.phase = "CLAIM"
        elif step.seat_no is None:
            self._end(step, at)
        elif step.kind == "DISCARD":
            self._begin_turn(Turn(step.seat_no, None), at)
        else:
            self._draw(
                step.seat_no, at, self.kong if step.kind == "KONG_DRAW" else None
            )

    def _lay_concealed_kong(self, seat: Seat, tile: Tile, at: int) -> None:
        meld = self.table.lay_concealed_kong(seat, tile)
        payload: dict[str, object] = {
            "seatNo": seat,
            "sourceSeatNo": seat,
            "tile": tile,
            "gangKind": "CONCEALED",
            "meld": meld_json(meld),
            "windowId": None,
        }
        self._tell("GANG_DECLARED", at, payload)
        self._pay_kong(seat, self._others(seat), KONG_PAY["CONCEALED"], at)
        self._draw(seat, at, self.kong)

    def _win_by_draw(self, at: int) -> None:
        seat, tile, _ = self.turn
        assert tile is not None
        self.table.take_drawn_win(seat, tile, self.turn.is_after_kong)
        payload: dict[str, object] = {
            "seatNo": seat,
            "sourceSeatNo": seat,
            "tile": tile,
            "winKind": "SELF_DRAW",
            "huOrder": len(self.table.out),
            "windowId": None,
        }
        self._tell("HU_DECLARED", at, payload)
        before = len(self.accounts.payments)
        worth, moment = self._worth(seat), self._next_moment()
        self._pay_win(Win(seat, seat, "SELF_DRAW", worth, moment))
        self._tell_score("WIN", before, at)
        spec = self.desk.mode.windows["DISCARD"]
        wall, out = len(self.table.wall), self.table.out
        step = step_after(spec, "HU", [seat], seat, TURN_ORDER, wall, out)
        self._follow(told_end(self.desk, self.round_id, at, step), at)

    def _end(self, step: NextStep, at: int) -> None:
        before = len(self.accounts.payments)
        if step.reason == "WALL_EMPTY":
            self.statuses = settle_end(self.table, self.accounts)
        self.phase, self.end = "OVER", step.reason
        payload: dict[str, object] = {
            "statuses": list(self.statuses),
            "changes": self.accounts.changes(before),
            "fines": list(self.accounts.fines),
            "totals": self.accounts.totals(),
            "hands": [list(player.hand) for player in self.table.players],
        }
        self._tell("ROUND_SETTLED", at, payload)

    # locks

    def _decline_win(self) -> None:
        """Whoever could have won on the tile just drawn and does something else has declined it."""
        seat, tile, _ = self.turn
        if tile is None or not self.desk.mode.locks:
            return
        items = self.table.drawn_win_of(seat, self.turn.is_after_kong)
        if items is not None:
            self._arm("declined_self_draw", seat, tile, items)

    def _throw_wait(self, seat: Seat, tile: Tile) -> None:
        """Whoever discards a tile that would complete the rest of its hand has declined that too."""
        if self.desk.mode.locks:
            items = self.table.win_of(seat)
            if items is not None:
                self._arm("own_discard_of_wait", seat, tile, items)

    def _arm(
        self,
        cause: Literal["declined_self_draw", "own_discard_of_wait"],
        seat: Seat,
        tile: Tile,
        items: list[str],
    ) -> None:
        hint = {"fan": fan_count(items)}
        for lock in self.desk.mode.locks:
            self.desk.locks = arm_directly(
                lock, self.desk.locks, seat, cause, tile, hint
            )

    # accounts

    def _book(self, moved: InTransit, result: Resolution | None, at: int) -> None:
        """Pay for what became of a tile in transit."""
        if result is not None and result.has_winner:
            if result.winning_action_type == "HU":
                self._book_wins(moved, result.winner_seat_nos, at)
            elif result.winning_action_type == "GANG":
                owner = result.winner_seat_nos[0]
                self._pay_kong(owner, [moved.source], KONG_PAY["EXPOSED"], at)
        elif moved.is_added:
            # only a kong of the tile that was drawn in this turn is timely
            amount = KONG_PAY["ADDED"] if moved.tile == self.turn.drawn else 0
            self._pay_kong(moved.source, self._others(moved.source), amount, at)

    def _book_wins(self, moved: InTransit, winners: Sequence[Seat], at: int) -> None:
        before, moment = len(self.accounts.payments), self._next_moment()
        kind: WinKind = "ROB_KONG" if moved.is_added else "DISCARD"
        for seat in winners:
            self._pay_win(Win(seat, moved.source, kind, self._worth(seat), moment))
        self._tell_score("WIN", before, at)
        if moved.is_after_kong and self.turn.kong is not None:
            before = len(self.accounts.payments)
            self.accounts.give_back(self.turn.kong, "SHOT_REFUND", TURN_ORDER)
            self._tell_score("SHOT_REFUND", before, at)

    def _pay_win(self, win: Win) -> None:
        """A win by draw is paid by all that still play, any other by the tile's owner."""
        self.wins.append(win)
        if win.kind != "SELF_DRAW":
            self.accounts.pay("WIN", win.source, win.seat, win.points)
            return
        for payer in self._others(win.seat):
            self.accounts.pay("WIN", payer, win.seat, win.points + SELF_DRAW_BONUS)

    def _pay_kong(
        self, owner: Seat, payers: Sequence[Seat], amount: int, at: int
    ) -> None:
        before = len(self.accounts.payments)
        self.kong = self.accounts.kong(owner, payers, amount)
        self._tell_score("KONG", before, at)

    def _worth(self, seat: Seat) -> int:
        return points(self.table.players[seat].won_items)

    def _next_moment(self) -> int:
        return self.wins[-1].moment + 1 if self.wins else 0

    def _others(self, seat: Seat) -> list[Seat]:
        """The other seats that have not won."""
        out = self.table.out
        return [other for other in TURN_ORDER if other != seat and other not in out]

    # events

    def _tell(self, type: str, at: int, payload: Mapping[str, object]) -> None:
        self.desk.publisher.publish_public(type, self.round_id, at, payload)

    def _tell_score(self, reason: Reason, before: int, at: int) -> None:
        """Everybody sees what the payments from number `before` on have changed."""
        changes = self.accounts.changes(before)
        if any(changes):
            self._tell("SCORE_CHANGED", at, {"reason": reason, "changes": changes})
