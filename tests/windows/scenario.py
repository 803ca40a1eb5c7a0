"""A scenario of response windows: a position, what seats send at which moment, and all that is told to whom.

The Sichuan example plays it on the shipped V1 mode with the scenario's changes. What came of it has the form of the
scenario's `expect`, so that the two can be compared as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from dealwright.runtime.windows import (
    GameMessagePublisher,
    NextStep,
    Offer,
    Resolution,
    ResponseDesk,
    ResponseReply,
    RuleMode,
    SeatLock,
    Shape,
    Trigger,
    resolution_json,
    shipped_mode,
)
from dealwright.runtime.windows.messages import GameEvent, Message
from dealwright.runtime.windows.presets import (
    LOCKS,
    ROBBING_A_KONG,
    SEVERAL_WINNERS,
    Document,
)
from examples.sichuan.hand import Meld
from examples.sichuan.rules import TURN_ORDER, Desk, announce, offers_of, settle
from examples.sichuan.table import InTransit, Player, Seat, Table

Json: TypeAlias = Any

ROUND = "r1"
TURN_ACTIONS = ("DRAW", "DISCARD")
OLD, CURRENT, BOGUS = f"{ROUND}:w1", f"{ROUND}:w2", f"{ROUND}:w77"

_LOCKS = {"fan": "fan_cap", "strict": "same_turn_strict"}
_SHORT = {
    "seatNo": "seat",
    "sourceSeatNo": "source_seat",
    "resolvedActionType": "resolved_action",
    "winKind": "win_kind",
    "gangKind": "gang_kind",
}


@dataclass(slots=True)
class Played:
    """What came of a scenario.

    Attributes:
        candidates: what each seat was offered, nearest first.
        window: whether one opened.
        resolution: what it came to.
        closed_at: when it closed, in milliseconds after it opened.
        close_reason: why.
        next: who goes on.
        streams: every message of every stream; None is for those who only watch.
        told: public events and private messages in the order in which they were sent, each once.
    """

    candidates: dict[str, list[str]] = field(default_factory=dict)
    window: bool = False
    resolution: Resolution | None = None
    closed_at: int | None = None
    close_reason: str | None = None
    next: list[Json] = field(default_factory=list)
    streams: dict[Seat | None, list[Message]] = field(default_factory=dict)
    told: list[tuple[Seat | None, Message]] = field(default_factory=list)


def mode_of(config: Mapping[str, Json]) -> RuleMode:
    """V1 with a scenario's changes."""
    changes: list[Document] = []
    known = {"winners", "next_after_hu", "lock", "peng_on_last_discard", "trigger"}
    assert config.keys() <= known, f"unknown changes of the mode: {config}"
    if config.get("winners") == "multi_hu":
        changes.append(SEVERAL_WINNERS)
    if "lock" in config:
        changes.append(LOCKS[_LOCKS[config["lock"]]])
    if config.get("peng_on_last_discard") is False:
        pung = {"actions": {"PENG": {"needs_wall": 1}}}
        changes.append({"response_windows": {"after_discard": pung}})
    is_robbed = config.get("trigger") == "ADD_KONG"
    if is_robbed:
        changes.append(ROBBING_A_KONG)
        winners = "all" if config.get("winners") == "multi_hu" else "single"
        single = {"arbiter": {"winners": {"HU": winners}}}
        changes.append({"response_windows": {"after_added_kong": single}})
    if "next_after_hu" in config:
        after = {"after": {"HU": {"next": config["next_after_hu"]}}}
        names = ["after_discard"] + ["after_added_kong"] * is_robbed
        changes.append({"response_windows": dict.fromkeys(names, after)})
    return shipped_mode("V1", *changes)


def table_of(position: Json) -> Table:
    """The table of an arranged position, the tile in question in transit."""
    players = [
        Player(
            list(seat["hand"]),
            [
                Meld(meld["kind"], meld["tile"], meld["from_seat"])
                for meld in seat["melds"]
            ],
            seat["void_suit"],
            seat["won_tile"],
        )
        for seat in position["seats"]
    ]
    table = Table(players, list(position["wall"]), discards=position["river_count"])
    is_added = position["trigger"] == "ADD_KONG"
    table.discards += not is_added
    table.transit = InTransit(
        position["tile"], position["source_seat"], is_added, is_last=not table.wall
    )
    return table


def locks_of(position: Json, mode: RuleMode) -> tuple[SeatLock, ...]:
    """The locks that are armed in a position: `lock_fan` is the highest fan declined."""
    return tuple(
        SeatLock(lock.id, seat["seat"], (), (), seat["lock_fan"])
        for lock in mode.locks
        for seat in position["seats"]
        if seat["lock_fan"] is not None
    )


def abstract(window: Json) -> tuple[Table, dict[str, Offer[Table]]]:
    """A table for a window that is given outright, and offers that give it."""
    given = {int(seat): actions for seat, actions in window["candidates"].items()}
    copies = {"GANG": 3, "PENG": 2}

    def offer(action: str) -> Offer[Table]:
        def shapes(table: Table, seat: Seat, trigger: Trigger) -> Iterable[Shape]:
            if action not in given.get(seat, ()):
                return ()
            return (Shape((str(trigger.tile),) * copies.get(action, 0)),)

        return shapes

    players = [Player(["5m"] * 3, void_suit="s") for _ in TURN_ORDER]
    table = Table(players, ["1p"] * 20)
    table.transit = InTransit("5m", window["source_seat"])
    return table, {action: offer(action) for action in ("HU", "GANG", "PENG")}


def play(scenario: Json, positions: Json, opened_at: int = 0) -> Played:
    """Play a scenario.

    Args:
        opened_at: the server's clock when the tile is played.
    """
    played = Played(streams={seat: [] for seat in (*TURN_ORDER, None)})

    def send(recipient: Seat | None, message: Message) -> None:
        played.streams[recipient].append(message)
        if recipient is None or not isinstance(message, GameEvent):
            played.told.append((recipient, message))

    mode = mode_of(scenario["config"])
    publisher = GameMessagePublisher("t1", TURN_ORDER, send)
    offers = offers_of(mode)
    if scenario["position"] is None:
        table, offers["DISCARD"] = abstract(scenario["abstract_window"])
        position = None
    else:
        position = positions[scenario["position"]]
        table = table_of(position)
    desk: Desk = ResponseDesk(mode, offers, publisher, TURN_ORDER)
    # one window was there before, so that a reply can be to an old one
    desk.restore({**desk.to_json(), "issued": {ROUND: 1}})
    if position is not None:
        desk.locks = locks_of(position, mode)
    step = announce(table, desk, ROUND, opened_at)
    if desk.window is not None:
        played.window = True
        played.candidates = {
            str(each.seat_no): [option.action_type for option in each.options]
            for each in desk.window.candidates
        }
    for given in scenario["steps"]:
        _advance(desk, table, played, opened_at + given[0])
        _send(desk, given, opened_at)
        _advance(desk, table, played, opened_at + given[0])
    while desk.wake_at is not None:
        _advance(desk, table, played, desk.wake_at)
    if step is not None:
        played.next = step_as_list(step)
    if desk.window is not None and desk.window.closed_at is not None:
        played.closed_at = desk.window.closed_at - opened_at
        played.close_reason = desk.window.close_reason
    return played


def _advance(desk: Desk, table: Table, played: Played, now: int) -> None:
    """Let time pass, and carry out what a window has come to."""
    desk.time(now)
    if desk.resolution is not None:
        played.resolution = desk.resolution
        step = settle(table, desk, ROUND)
        assert step is not None
        played.next = step_as_list(step)


def _send(desk: Desk, given: list[Json], opened_at: int) -> None:
    now = opened_at + given[0]
    if given[1] == "DISCONNECT":
        desk.disconnect(given[2], now)
    elif given[1] == "RECONNECT":
        desk.reconnect(given[2], now)
    elif given[2] in TURN_ACTIONS:
        desk.turn_action(given[1], now)
    else:
        named = given[3] if len(given) > 3 else None
        window_id = {None: CURRENT, "OLD": OLD, "BOGUS": BOGUS}[named]
        name = "-".join(map(str, given))
        desk.reply(ResponseReply(name, window_id, given[1], given[2]), now)


def step_as_list(step: NextStep) -> list[Json]:
    """A next step as scenarios have it."""
    return [step.kind, step.reason if step.kind == "END" else step.seat_no]


# --- in the form of `expect`


def told(played: Played, scenario: Json) -> Json:
    """What came of a scenario, in the form of its `expect`."""
    resolution = played.resolution
    return {
        "candidates": played.candidates,
        "window": played.window,
        "resolution": None if resolution is None else expected_form(resolution),
        "closed_at": played.closed_at,
        "close_reason": played.close_reason,
        "rejects": rejects(played, scenario),
        "next": played.next,
        "public": [public_form(event) for event in played.streams[None]],
        "private": private_form(played),
    }


def expected_form(resolution: Resolution) -> Json:
    """A resolution by the scenarios' names."""
    full = resolution_json(resolution)
    return {
        "hasWinner": full["hasWinner"],
        "winnerSeats": full["winnerSeatNos"],
        "winningAction": full["winningActionType"],
        "passedSeats": full["passedSeatNos"],
        "timedOutSeats": full["timedOutSeatNos"],
        "supersededSeats": full["supersededSeatNos"],
        "outrankedSeats": full["outrankedSeatNos"],
        "continueOriginalFlow": full["continueOriginalFlow"],
    }


def public_form(event: Message) -> Json:
    """An event by the scenarios' names."""
    assert isinstance(event, GameEvent)
    payload = {_SHORT.get(name, name): value for name, value in event.payload.items()}
    return {"type": event.type, **payload}


def private_form(played: Played) -> list[list[Json]]:
    """Private messages in the order in which they were sent; withdrawals are left out."""
    return [
        [
            (
                f"REJECT:{message.reject_code}"
                if message.kind == "REJECT"
                else message.kind
            ),
            message.recipient_seat_no,
        ]
        for _, message in played.told
        if not isinstance(message, GameEvent)
        and message.scope == "RESPONSE"
        and message.kind != "WITHDRAWN"
    ]


def rejects(played: Played, scenario: Json) -> list[list[Json]]:
    """Refusals with the moment and the action that was refused."""
    refused = [
        message
        for _, message in played.told
        if not isinstance(message, GameEvent) and message.kind == "REJECT"
    ]
    sent = [
        given
        for given in scenario["steps"]
        if given[1] not in ("DISCONNECT", "RECONNECT")
    ]
    found: list[list[Json]] = []
    for message in refused:
        given = next(
            each
            for each in sent
            if each[1] == message.recipient_seat_no
            and message.reply_id in (None, "-".join(map(str, each)))
            and (message.reply_id is not None or each[2] in TURN_ACTIONS)
        )
        sent.remove(given)
        found.append([given[0], given[1], given[2], message.reject_code])
    return found
