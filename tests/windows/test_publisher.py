"""Messages on the wire: the names of section 1 of the window requirement, one stream for each seat, and the audit."""

from __future__ import annotations

from typing import Any

import pytest

from dealwright.runtime.errors import MatchError
from dealwright.runtime.windows import (
    MODES,
    GameMessagePublisher,
    ResponseDesk,
    ResponseReply,
    Shape,
    Trigger,
    next_step,
    on_deadline,
    opening,
    read_reply,
    resolution_json,
    resolution_of,
    shipped_mode,
    window_json,
)
from dealwright.runtime.windows.wire import reply_json
from examples.sichuan.hand import Meld
from examples.sichuan.rules import TURN_ORDER, announce
from examples.sichuan.table import Player, Table
from examples.sichuan.tiles import tiles
from tests.windows.builders import reply, spec_of, window_of
from tests.windows.rounds import Log, new_desk

Json = Any

ENVELOPE = {"eventId", "seq", "tableId", "roundId", "type", "at", "payload"}
MESSAGE = {
    "messageId",
    "seq",
    "recipientSeatNo",
    "scope",
    "kind",
    "windowId",
    "sourceSeatNo",
    "sourceTile",
    "options",
    "deadlineAt",
    "remainingMs",
    "rejectCode",
    "replyId",
    "stateVersion",
}


NOTHING: Json = {"GANG": lambda *_: [], "PENG": lambda *_: []}
"""Offers that nobody can take."""


def publisher() -> tuple[GameMessagePublisher, Log]:
    log = Log()
    return GameMessagePublisher("t1", TURN_ORDER, log.send, log.audit.append), log


def test_a_window_opens_before_everybody_and_each_offer_goes_to_one_seat() -> None:
    teller, log = publisher()
    spec = spec_of()
    window = window_of(spec, {1: ["PENG"], 3: ["HU"]}, opened_at=500)
    after, outputs = opening(window, spec)
    teller.publish(after, outputs, spec)
    for seat in (*TURN_ORDER, None):
        opened = log.streams[seat][0]
        assert opened.keys() == ENVELOPE
        assert opened["payload"] == {
            "windowId": "r1:w1",
            "sourceSeatNo": 0,
            "tile": "5m",
            "deadlineAt": 8500,
        }
    assert [len(log.streams[seat]) for seat in (*TURN_ORDER, None)] == [1, 2, 1, 2, 1]
    offer = log.streams[1][1]
    assert offer.keys() == MESSAGE
    assert (offer["kind"], offer["scope"], offer["remainingMs"]) == (
        "OFFER",
        "RESPONSE",
        8000,
    )
    assert offer["options"] == [
        {
            "actionType": "PENG",
            "optionId": "PENG#0",
            "tile": "5m",
            "consumes": ["5m", "5m"],
            "priority": 100,
        },
        {
            "actionType": "PASS",
            "optionId": "PASS#0",
            "tile": "5m",
            "consumes": [],
            "priority": 0,
        },
    ]


def test_offers_of_a_window_and_of_a_turn_can_be_published_alone() -> None:
    teller, log = publisher()
    window = window_of(spec_of(), {1: ["PENG"], 3: ["HU"]})
    teller.publish_response_actions(window)
    assert [len(log.streams[seat]) for seat in (*TURN_ORDER, None)] == [0, 1, 0, 1, 0]
    teller.publish_turn_actions(2, window.candidates[0].options, 100, 600, 7)
    turn = log.streams[2][0]
    assert (turn["scope"], turn["kind"], turn["windowId"]) == ("TURN", "OFFER", None)
    assert (turn["remainingMs"], turn["stateVersion"]) == (500, 7)
    assert [len(log.streams[seat]) for seat in (0, None)] == [0, 0]


def test_a_lint_that_is_not_heeded_is_carried_out() -> None:
    """Public passes and reasons, if a spec wants them."""
    change = {
        "events": {"PASS_DECLARED": "public"},
        "conceal": {"close_reason": "public"},
    }
    spec = spec_of(change)
    teller, log = publisher()
    window = window_of(spec, {1: ["PENG"], 3: ["HU"]})
    closed, outputs = on_deadline(window, 8000, spec)
    teller.publish(closed, outputs, spec)
    told = [(each["type"], each["payload"]) for each in log.streams[None]]
    assert told[0][1]["reason"] == "TIMEOUT"
    assert [payload["seatNo"] for type, payload in told if type == "PASS_DECLARED"] == [
        1,
        3,
    ]


def test_the_audit_has_one_sequence_and_everything_that_nobody_is_told() -> None:
    log = Log()
    desk = new_desk(shipped_mode("V1"), log)
    players = [
        Player(tiles("147m 258p 147s 2m5p8s9s"), void_suit="s") for _ in range(4)
    ]
    players[2].hand[:2] = ["5m", "5m"]
    table = Table(players, ["1p"] * 9)
    players[0].hand[0] = "5m"
    table.discard(0, "5m")
    assert announce(table, desk, "r1", 0) is None
    desk.reply(ResponseReply("a", "r1:w1", 2, "PASS"), 70)
    assert [each["seq"] for each in log.audit] == list(range(1, len(log.audit) + 1))
    closed = next(each for each in log.audit if each.get("output") == "CLOSED")
    assert closed["detail"] == "ALL_ANSWERED"
    assert closed["window"]["candidates"][0]["answer"]["receivedAt"] == 70
    assert closed["resolution"]["passedSeatNos"] == [2]


def test_a_table_without_an_audit_is_told_and_counts_the_same() -> None:
    """Records that nobody keeps are not made; a log that begins later goes on with the right number."""
    told, states = [], []
    for is_audited in (True, False):
        log = Log()
        keeper = [log.audit.append] if is_audited else []
        teller = GameMessagePublisher("t1", TURN_ORDER, log.send, *keeper)
        mode = shipped_mode("V1")
        desk: ResponseDesk[None] = ResponseDesk(
            mode,
            {"DISCARD": {"HU": lambda *_: [Shape()], **NOTHING}},
            teller,
            TURN_ORDER,
        )
        assert desk.open(None, Trigger("DISCARD", 0, "5m", 1, 0, 9), "r1")
        desk.reply(ResponseReply("a", "r1:w1", 2, "HU"), 5)
        desk.reply(ResponseReply("b", "r1:w1", 1, "HU"), 6)
        told.append(log.streams)
        states.append(desk.to_json())
        assert bool(log.audit) == is_audited
    assert told[0] == told[1]
    assert states[0] == states[1]


def test_an_added_kong_leaves_the_hand_before_anybody_is_asked() -> None:
    for name, events in (
        ("V1", ["GANG_DECLARED"]),
        ("SBR_2025", ["ADD_KONG_ATTEMPTED", "GANG_DECLARED"]),
    ):
        assert name in MODES
        log = Log()
        desk: ResponseDesk[Table] = new_desk(shipped_mode(name), log)
        players = [
            Player(tiles("147m 258p 147s 2m5p8s9s"), void_suit="s") for _ in range(4)
        ]
        players[1].melds.append(Meld("PENG", "5p", 0))
        table = Table(players, ["1p"] * 9)
        before = table.tile_count()
        table.attempt_added_kong(1, "5p")
        assert table.tile_count() == before
        assert players[1].hand.count("5p") == 1, "it held two"
        assert players[1].melds[-1].kind == "PENG", "and is on its way"
        step = announce(table, desk, "r1", 0)
        assert step is not None and (step.kind, step.seat_no) == ("KONG_DRAW", 1)
        assert [each["type"] for each in log.streams[None]] == events
        assert players[1].melds[-1] == Meld("GANG", "5p", 0, "ADDED")
        assert table.tile_count() == before


def test_the_names_of_the_requirement() -> None:
    spec = spec_of()
    window = window_of(spec, {1: ["PENG"], 3: ["HU"]})
    written = window_json(window)
    for name in (
        "windowId tableId roundId trigger sourceSeatNo tile discardIndex openedAt deadlineAt candidates status "
        "stateVersion ruleMode"
    ).split():
        assert name in written
    candidates = written["candidates"]
    assert isinstance(candidates, list)
    assert {"seatNo", "options", "seatDistance", "answer", "connection"} <= set(
        candidates[0]
    )
    closed, _ = on_deadline(window, 8000, spec)
    resolution = next_step(closed, resolution_of(closed, spec), spec, 5)
    assert resolution_json(resolution) == {
        "hasWinner": False,
        "winnerSeatNo": None,
        "winnerSeatNos": [],
        "winningActionType": "PASS",
        "passedSeatNos": [1, 3],
        "continueOriginalFlow": True,
        "timedOutSeatNos": [1, 3],
        "supersededSeatNos": [],
        "outrankedSeatNos": [],
        "overflow": False,
        "nextStep": {"kind": "DRAW", "seat": 1},
    }


def test_the_seat_of_a_reply_is_the_sessions_whatever_the_body_says() -> None:
    body = {**reply_json(reply(1, "PENG", "a")), "seatNo": 3}
    assert read_reply(body, 1) == reply(1, "PENG", "a")
    named = {**body, "optionId": "PENG#0"}
    assert read_reply(named, 2).option_id == "PENG#0"
    assert reply_json(read_reply(named, 2))["seatNo"] == 2
    broken: list[Json] = [None, [], {}, {**body, "replyId": 5}, {**body, "optionId": 1}]
    broken.append({**body, "replyId": "half a pair: \ud83c"})  # no UTF-8 could hold it
    for wrong in broken:
        with pytest.raises(MatchError, match="no reply"):
            read_reply(wrong, 1)


def test_a_desk_needs_offers_for_every_window_of_its_mode() -> None:
    teller, _ = publisher()
    with pytest.raises(ValueError, match="offer"):
        ResponseDesk[None](shipped_mode("V1"), {}, teller, TURN_ORDER)


def test_a_trigger_without_a_window_asks_nobody() -> None:
    log = Log()
    desk = new_desk(shipped_mode("V1"), log)
    trigger = Trigger("CONCEALED_KONG", 0, "5m", 1, 0, 9)
    assert not desk.open(Table([], []), trigger, "r1")
    assert log.audit == []
