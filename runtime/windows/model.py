"""The values that response windows are made of: options, candidates, the window itself, and what became of it.

Names and meanings are those of the requirement; Python spells them with underscores, `wire` turns them into the names
of the wire and back. All of them are immutable. They are named tuples and not frozen data classes because a window is
made anew at every answer, and a frozen data class of this size takes four times as long to make.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

Seat: TypeAlias = int
Tile: TypeAlias = str | int
"""What is claimed and what leaves a hand. A game spells its cards as it likes: "5m", "♠A", 17."""

Hint: TypeAlias = Mapping[str, object]

AnswerState: TypeAlias = Literal["OPEN", "ANSWERED", "TIMED_OUT", "SUPERSEDED"]
Connection: TypeAlias = Literal["ONLINE", "OFFLINE", "BOT"]
Status: TypeAlias = Literal["OPEN", "CLOSED", "APPLIED"]
CloseReason: TypeAlias = Literal["ALL_ANSWERED", "DECIDED", "TIMEOUT", "ABORTED"]
StepKind: TypeAlias = Literal["DRAW", "DISCARD", "KONG_DRAW", "END"]

PASS: Final = "PASS"
"""The action that claims nothing. Every spec has it, whatever its other actions are called."""


class ResponseActionOption(NamedTuple):
    """One thing that one seat may answer.

    Attributes:
        action_type: the action's name in the spec.
        option_id: its name within the seat's offer, such as "GANG#0"; a reply may name it, and must where the seat has
            several options of one action.
        tile: what is claimed.
        consumes: what leaves the hand.
        priority: copied from the spec, for the audit; nothing is decided by it.
        hint: private advice, such as the fan of a win; never in a public event.
    """

    action_type: str
    option_id: str
    tile: Tile
    consumes: tuple[Tile, ...]
    priority: int
    hint: Hint | None = None


class Answer(NamedTuple):
    """What a seat answered.

    Attributes:
        option_id: the option that it chose.
        action_type: that option's action.
        received_at: when it came in, in milliseconds of the server's clock.
        reply_id: the client's name for its reply; None where nobody replied: at a time-out, offline, or answered by the
            rules at once.
        order: its place among the window's answers, from 0. A changed answer gets a new place.
    """

    option_id: str
    action_type: str
    received_at: int
    reply_id: str | None
    order: int


class ResponseActionSeatCandidate(NamedTuple):
    """A seat's offer and its answer.

    Attributes:
        seat_no: the seat.
        options: what it may answer, the strongest first and PASS last. Only a forced claim takes PASS away.
        seat_distance: how many steps after the source it sits, in turn order; from 1.
        deadline_at: from when on the seat has been silent.
        silence: the option id that silence means, nearly always that of PASS.
        state: OPEN until there is an answer; SUPERSEDED if the window closed without needing one.
        answer: the answer that counts.
        connection: for the audit and for the spec's offline policy; it makes no claim stronger or weaker.
    """

    seat_no: Seat
    options: tuple[ResponseActionOption, ...]
    seat_distance: int
    deadline_at: int
    silence: str
    state: AnswerState = "OPEN"
    answer: Answer | None = None
    connection: Connection = "ONLINE"

    def option(self, option_id: str) -> ResponseActionOption:
        """The option of that id.

        Raises:
            KeyError: it was not offered.
        """
        for option in self.options:
            if option.option_id == option_id:
                return option
        raise KeyError(option_id)

    @property
    def chosen(self) -> ResponseActionOption | None:
        """The option that was answered, with the cards that leave the hand; None while there is no answer."""
        return None if self.answer is None else self.option(self.answer.option_id)


class ResponseActionWindow(NamedTuple):
    """A question to all seats that may claim one card. It stays on the server: no part of it is sent as it is.

    Attributes:
        window_id: "<round>:w<n>"; n grows by one with every window of a round.
        table_id: the table.
        round_id: the round.
        trigger: the kind of event that opened it, such as "DISCARD".
        source_seat_no: whose card it is.
        tile: the card.
        discard_index: which discard of the round it was.
        opened_at: milliseconds of the server's clock.
        deadline_at: the same for everybody and whatever was offered, since everybody is told.
        state_version: the table's version when it opened.
        rule_mode: the name of the mode whose spec it was built by.
        turn_order: all seats in the order of play.
        audience: the seats that might be asked, nearest first, whether or not they are; everybody may know these.
        candidates: who may answer, nearest to the source first. From here on fields change while a window lives.
        answered: how many answers were taken, changed ones counted again.
        wake_at: when time next changes something by itself; the timer to set. Not after `deadline_at`.
        grace_until: when the latest claim can no longer be outdone; only where answers may be amended.
        status: OPEN, CLOSED once resolved, APPLIED once the game has carried the result out.
        closed_at: when it closed.
        close_reason: why; for the audit, and never public unless the spec says so.
    """

    window_id: str
    table_id: str
    round_id: str
    trigger: str
    source_seat_no: Seat
    tile: Tile
    discard_index: int
    opened_at: int
    deadline_at: int
    state_version: int
    rule_mode: str
    turn_order: tuple[Seat, ...]
    audience: tuple[Seat, ...]
    candidates: tuple[ResponseActionSeatCandidate, ...]
    answered: int
    wake_at: int
    grace_until: int = 0
    status: Status = "OPEN"
    closed_at: int | None = None
    close_reason: CloseReason | None = None

    def candidate(self, seat: Seat) -> ResponseActionSeatCandidate | None:
        """The candidate at `seat`, or None if nothing was offered to it."""
        for candidate in self.candidates:
            if candidate.seat_no == seat:
                return candidate
        return None


class NextStep(NamedTuple):
    """What the game does after a window: somebody draws, discards or draws for a kong, or the round ends.

    Attributes:
        kind: what.
        seat_no: who; None at the end.
        reason: why the round ends; None otherwise.
    """

    kind: StepKind
    seat_no: Seat | None
    reason: str | None = None


class Resolution(NamedTuple):
    """What a window came to. Seats are listed nearest to the source first.

    Each candidate is in exactly one of winners, outranked, passed (which holds those whom the clock made pass) and
    superseded.

    Attributes:
        has_winner: whether somebody's claim holds.
        winner_seat_no: the first winner.
        winner_seat_nos: all winners, first winner first.
        winning_action_type: what they claimed; PASS without a winner.
        passed_seat_nos: seats that gave up, by their word or by silence.
        continue_original_flow: whether play goes on as if nobody had been asked.
        timed_out_seat_nos: seats that somebody else answered for, because they were silent or gone. Whom silence made
            claim is here and not among those who passed.
        superseded_seat_nos: seats whose answer was not needed any more. They did not pass.
        outranked_seat_nos: seats whose claim lost. They did not pass either.
        overflow: whether so many claimed that, by the rules, none of them wins.
        next_step: filled in by `follow.next_step`; the arbiter leaves it out.
    """

    has_winner: bool
    winner_seat_no: Seat | None
    winner_seat_nos: tuple[Seat, ...]
    winning_action_type: str
    passed_seat_nos: tuple[Seat, ...]
    continue_original_flow: bool
    timed_out_seat_nos: tuple[Seat, ...]
    superseded_seat_nos: tuple[Seat, ...]
    outranked_seat_nos: tuple[Seat, ...]
    overflow: bool = False
    next_step: NextStep | None = None


class ResponseReply(NamedTuple):
    """What a client sends.

    Attributes:
        reply_id: the client's name for this reply.
        window_id: the window that it answers.
        seat_no: the seat of the session that it came in by, never one that its body names.
        action_type: the action.
        option_id: which option of that action; needed only where there are several.
    """

    reply_id: str
    window_id: str
    seat_no: Seat
    action_type: str
    option_id: str | None = None


OutputKind: TypeAlias = Literal[
    "OPENED",
    "OFFER",
    "OFFER_RESENT",
    "ACK",
    "REJECT",
    "WITHDRAWN",
    "ASK_BOT",
    "CLAIM",
    "CLOSED",
]

RejectCode: TypeAlias = Literal[
    "NOT_A_CANDIDATE",
    "ACTION_NOT_OFFERED",
    "OPTION_NOT_NAMED",
    "STALE_WINDOW",
    "UNKNOWN_WINDOW",
    "NO_WINDOW",
    "WINDOW_CLOSED",
    "WINDOW_OPEN",
    "PASS_IS_FINAL",
    "ALREADY_ANSWERED",
]


class Output(NamedTuple):
    """Something to be told after an input; `GameMessagePublisher.publish` makes messages of it.

    Attributes:
        kind: OPENED, CLAIM (a claim announced while the window is open) and CLOSED are for everybody, ASK_BOT is for
            the server itself, all others are for one seat.
        at: when, in milliseconds of the server's clock.
        seat_no: the seat that is told, or whose claim it is; None for the others.
        reply_id: the reply that it answers.
        detail: the code of a REJECT, the action of a CLAIM, the reason of CLOSED.
        resolution: of CLOSED.
    """

    kind: OutputKind
    at: int
    seat_no: Seat | None = None
    reply_id: str | None = None
    detail: str | None = None
    resolution: Resolution | None = None


Change: TypeAlias = tuple[ResponseActionWindow, tuple[Output, ...]]
"""What every input gives: the window after it, and what is to be told."""
