"""The life of a window, row by row of sections 2.1 and 2.2 of the requirement."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dealwright.runtime.windows import (
    ResponseActionOption,
    ResponseReply,
    applied,
    on_abort,
    on_deadline,
    on_disconnect,
    on_reconnect,
    on_reply,
    opening,
    resolution_of,
)
from tests.windows.builders import (
    WINDOW,
    codes,
    kinds,
    outcome,
    reply,
    spec_of,
    window_of,
)

V1 = spec_of()
A = {1: ["PENG"], 2: ["HU"]}


def test_opening_announces_and_offers_nearest_first() -> None:
    window = window_of(V1, {1: ["HU"], 3: ["PENG"], 0: ["PENG"]}, source=2)
    after, outputs = opening(window, V1)
    assert after == window
    assert [(each.kind, each.seat_no) for each in outputs] == [
        ("OPENED", None),
        ("OFFER", 3),
        ("OFFER", 0),
        ("OFFER", 1),
    ]


def test_a_valid_reply_is_confirmed_and_the_window_waits() -> None:
    window, outputs = on_reply(window_of(V1, A), reply(1, "PENG"), 800, V1)
    assert kinds(outputs) == ["ACK"]
    assert window.status == "OPEN"


def test_the_last_reply_closes() -> None:
    window, _ = on_reply(window_of(V1, A), reply(1, "PENG"), 800, V1)
    window, outputs = on_reply(window, reply(2, "PASS"), 900, V1)
    assert kinds(outputs) == ["ACK", "CLOSED"]
    assert (window.closed_at, window.close_reason) == (900, "ALL_ANSWERED")


def test_a_decided_window_withdraws_what_it_still_offers() -> None:
    window, outputs = on_reply(window_of(V1, A), reply(2, "HU"), 500, V1)
    assert kinds(outputs) == ["ACK", "WITHDRAWN", "CLOSED"]
    assert outputs[1].seat_no == 1
    assert resolution_of(window, V1).superseded_seat_nos == (1,)


@pytest.mark.parametrize(
    ("seat", "action", "code"),
    [
        (0, "HU", "NOT_A_CANDIDATE"),
        (3, "PASS", "NOT_A_CANDIDATE"),
        (1, "HU", "ACTION_NOT_OFFERED"),
        (2, "DANCE", "ACTION_NOT_OFFERED"),
    ],
)
def test_what_was_not_offered_is_refused_and_the_seat_may_still_answer(
    seat: int, action: str, code: str
) -> None:
    window = window_of(V1, A)
    after, outputs = on_reply(window, reply(seat, action), 100, V1)
    assert after == window
    assert codes(outputs) == [code]
    if seat in A:
        assert kinds(on_reply(after, reply(seat, "PASS"), 200, V1)[1]) == ["ACK"]


def test_the_same_answer_again_is_confirmed_again_and_nothing_else() -> None:
    window, _ = on_reply(window_of(V1, A), reply(1, "PENG"), 100, V1)
    for name in ("1-PENG", "another name"):
        again, outputs = on_reply(window, reply(1, "PENG", name), 200, V1)
        assert again == window
        assert [(each.kind, each.reply_id) for each in outputs] == [("ACK", name)]


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        ("PASS", "HU", "PASS_IS_FINAL"),
        ("PASS", "DANCE", "PASS_IS_FINAL"),
        ("HU", "PASS", "ALREADY_ANSWERED"),
        ("HU", "PENG", "ALREADY_ANSWERED"),
    ],
)
def test_the_first_answer_is_final(first: str, second: str, code: str) -> None:
    offers = {1: ["HU"], 2: ["HU", "PENG"], 3: ["PENG"]}
    window, _ = on_reply(window_of(V1, offers), reply(2, first), 100, V1)
    after, outputs = on_reply(window, reply(2, second), 200, V1)
    assert after == window
    assert codes(outputs) == [code]


@pytest.mark.parametrize("now", (8000, 8001, 10**12))
def test_at_the_deadline_and_later_a_reply_finds_the_window_closed(now: int) -> None:
    window, outputs = on_reply(window_of(V1, A), reply(2, "HU"), now, V1)
    assert kinds(outputs) == ["CLOSED", "REJECT"]
    assert codes(outputs) == ["WINDOW_CLOSED"]
    assert (window.closed_at, window.close_reason) == (8000, "TIMEOUT")
    assert outcome(resolution_of(window, V1)) == ((), "PASS")


def test_one_millisecond_before_it_counts() -> None:
    window, _ = on_reply(window_of(V1, A), reply(2, "HU"), 7999, V1)
    assert outcome(resolution_of(window, V1)) == ((2,), "HU")


def test_a_closed_window_refuses_politely_whatever_comes() -> None:
    window, _ = on_reply(window_of(V1, A), reply(2, "HU"), 500, V1)
    for seat, action in ((1, "PENG"), (2, "HU"), (3, "HU"), (0, "DANCE")):
        for state in (window, applied(window)):
            after, outputs = on_reply(state, reply(seat, action), 600, V1)
            assert after == state
            assert codes(outputs) == ["WINDOW_CLOSED"]


def test_timers_that_are_early_late_stale_or_twice() -> None:
    window = window_of(V1, A, opened_at=100)
    assert on_deadline(window, 8099, V1) == (window, ())
    assert on_deadline(window, 9000, V1, "r1:w0") == (window, ())
    closed, outputs = on_deadline(window, 9000, V1, WINDOW)
    assert kinds(outputs) == ["CLOSED"]
    assert closed.closed_at == 8100, "its own time, not the late timer's"
    assert on_deadline(closed, 9001, V1, WINDOW) == (closed, ())


def test_a_higher_option_is_waited_for_and_at_the_deadline_the_lower_claim_wins() -> (
    None
):
    window, _ = on_reply(window_of(V1, A), reply(1, "PENG"), 10, V1)
    late, _ = on_deadline(window, 8000, V1)
    resolution = resolution_of(late, V1)
    assert outcome(resolution) == ((1,), "PENG")
    assert resolution.passed_seat_nos == resolution.timed_out_seat_nos == (2,)


def test_an_aborted_table_has_no_winner_and_goes_nowhere() -> None:
    window, _ = on_reply(window_of(V1, A), reply(1, "PENG"), 10, V1)
    window, outputs = on_abort(window, 50)
    assert kinds(outputs) == ["CLOSED"]
    resolution = resolution_of(window, V1)
    assert outputs[0].resolution == resolution
    assert not resolution.has_winner and not resolution.continue_original_flow
    assert resolution.outranked_seat_nos == (1,)
    assert resolution.superseded_seat_nos == (2,)
    assert on_abort(window, 60) == (window, ())


def test_a_result_is_applied_once() -> None:
    window, _ = on_reply(window_of(V1, A), reply(2, "HU"), 500, V1)
    done = applied(window)
    assert done.status == "APPLIED"
    with pytest.raises(ValueError, match="APPLIED"):
        applied(done)
    with pytest.raises(ValueError, match="OPEN"):
        applied(window_of(V1, A))


# --- options


def test_several_options_of_one_action_must_be_named_and_exactly_that_one_counts() -> (
    None
):
    window = window_of(V1, {1: ["PENG"], 2: ["HU"]})
    candidate = window.candidates[0]
    ways = tuple(
        ResponseActionOption("PENG", f"PENG#{n}", "5m", ("5m", wild), 100)
        for n, wild in enumerate(("5m", "joker"))
    )
    wild = candidate._replace(options=(*ways, candidate.options[-1]))
    window = window._replace(candidates=(wild, window.candidates[1]))
    _, outputs = on_reply(window, reply(1, "PENG"), 10, V1)
    assert codes(outputs) == ["OPTION_NOT_NAMED"]
    named = ResponseReply("a", WINDOW, 1, "PENG", "PENG#1")
    after, outputs = on_reply(window, named, 10, V1)
    assert kinds(outputs) == ["ACK"]
    assert after.candidates[0].answer is not None
    assert after.candidates[0].answer.option_id == "PENG#1"
    wrong = ResponseReply("a", WINDOW, 1, "HU", "PENG#1")
    assert codes(on_reply(window, wrong, 10, V1)[1]) == ["ACTION_NOT_OFFERED"]
    unknown = ResponseReply("a", WINDOW, 1, "PENG", "PENG#7")
    assert codes(on_reply(window, unknown, 10, V1)[1]) == ["ACTION_NOT_OFFERED"]


# --- connections


def test_a_lost_connection_changes_nothing_by_default() -> None:
    window, outputs = on_disconnect(window_of(V1, A), 2, 100, V1)
    assert outputs == ()
    assert [each.state for each in window.candidates] == ["OPEN", "OPEN"]
    window, outputs = on_reconnect(window, 2, 3000, V1)
    assert [(each.kind, each.seat_no, each.at) for each in outputs] == [
        ("OFFER_RESENT", 2, 3000)
    ]


def test_who_has_answered_or_was_not_asked_gets_nothing_again() -> None:
    window, _ = on_reply(window_of(V1, A), reply(1, "PENG"), 10, V1)
    for seat in (1, 3):
        window, outputs = on_disconnect(window, seat, 20, V1)
        assert outputs == ()
        window, outputs = on_reconnect(window, seat, 30, V1)
        assert outputs == ()


def test_by_policy_a_lost_connection_passes_at_once() -> None:
    spec = spec_of({"offline": {"policy": "pass_now"}})
    window, _ = on_disconnect(window_of(spec, A), 2, 100, spec)
    window, _ = on_reply(window, reply(1, "PENG"), 500, spec)
    assert (window.closed_at, window.close_reason) == (500, "ALL_ANSWERED")
    assert resolution_of(window, spec).passed_seat_nos == (2,)
    window, _ = on_disconnect(window_of(spec, A), 2, 100, spec)
    window, _ = on_reconnect(window, 2, 200, spec)
    assert codes(on_reply(window, reply(2, "HU"), 300, spec)[1]) == ["PASS_IS_FINAL"]


def test_by_policy_a_bot_is_asked_and_answers_through_the_same_inbox() -> None:
    spec = spec_of({"offline": {"policy": "bot"}})
    window, outputs = on_disconnect(window_of(spec, A), 2, 100, spec)
    assert [(each.kind, each.seat_no) for each in outputs] == [("ASK_BOT", 2)]
    window, _ = on_reply(window, reply(2, "HU"), 150, spec)
    assert outcome(resolution_of(window, spec)) == ((2,), "HU")


def test_a_disconnect_after_the_deadline_comes_too_late() -> None:
    spec = spec_of({"offline": {"policy": "pass_now"}})
    window, outputs = on_disconnect(window_of(spec, A), 2, 9000, spec)
    assert kinds(outputs) == ["CLOSED"]
    assert window.close_reason == "TIMEOUT"


# --- time


def test_timeouts_per_action() -> None:
    spec = spec_of({"timeout": {"per_action_ms": {"HU": 12_000, "PENG": 3000}}})
    window, _ = opening(window_of(spec, A), spec)
    assert (window.deadline_at, window.wake_at) == (12_000, 3000)
    window, outputs = on_deadline(window, 3000, spec)
    assert outputs == () and window.wake_at == 12_000
    assert [each.state for each in window.candidates] == ["TIMED_OUT", "OPEN"]
    assert codes(on_reply(window, reply(1, "PENG"), 3001, spec)[1]) == ["PASS_IS_FINAL"]
    window, _ = on_reply(window, reply(2, "HU"), 11_999, spec)
    assert outcome(resolution_of(window, spec)) == ((2,), "HU")


def test_a_late_timer_takes_all_steps_at_their_own_times() -> None:
    spec = spec_of({"timeout": {"per_action_ms": {"HU": 2000, "PENG": 3000}}})
    window, _ = opening(window_of(spec, A), spec)
    assert window.deadline_at == 8000
    window, _ = on_deadline(window, 50_000, spec)
    assert (window.closed_at, window.close_reason) == (3000, "TIMEOUT")


def test_silence_may_mean_a_claim() -> None:
    spec = spec_of({"timeout": {"per_action_answer": {"HU": "HU"}}})
    window, _ = on_reply(window_of(spec, A), reply(1, "PENG"), 10, spec)
    window, _ = on_deadline(window, 8000, spec)
    resolution = resolution_of(window, spec)
    assert outcome(resolution) == ((2,), "HU")
    assert resolution.timed_out_seat_nos == (2,)
    assert resolution.passed_seat_nos == ()


def test_a_window_may_have_to_stay_open_for_a_while() -> None:
    spec = spec_of({"conceal": {"min_open_ms": 2000}})
    window, outputs = on_reply(window_of(spec, A), reply(2, "HU"), 500, spec)
    assert kinds(outputs) == ["ACK"]
    assert window.wake_at == 2000
    taken, _ = on_reply(window, reply(1, "PENG"), 700, spec)
    for state, reason in ((window, "DECIDED"), (taken, "ALL_ANSWERED")):
        closed, _ = on_deadline(state, 2000, spec)
        assert (closed.closed_at, closed.close_reason) == (2000, reason)
        assert outcome(resolution_of(closed, spec)) == ((2,), "HU")


@pytest.mark.parametrize(
    ("early", "closed_at"),
    [("when_decided", 500), ("when_all_answered", 900), ("never", 8000)],
)
def test_how_early_a_window_may_close(early: str, closed_at: int) -> None:
    spec = spec_of({"close": {"early": early}})
    window, _ = on_reply(window_of(spec, A), reply(2, "HU"), 500, spec)
    window, _ = on_reply(window, reply(1, "PENG"), 900, spec)
    window, _ = on_deadline(window, 8000, spec)
    assert window.closed_at == closed_at
    assert outcome(resolution_of(window, spec)) == ((2,), "HU")


# --- amendments

UPWARD = spec_of({"answers": {"amend": "upward_on_new_claim", "amend_grace_ms": 5000}})
F = {1: ["HU", "PENG"], 3: ["HU"]}


def test_upward_amendment_after_a_new_claim() -> None:
    window, outputs = on_reply(window_of(UPWARD, F), reply(1, "PENG"), 100, UPWARD)
    assert [(each.kind, each.detail) for each in outputs] == [
        ("ACK", None),
        ("CLAIM", "PENG"),
    ]
    refused, outputs = on_reply(window, reply(1, "HU"), 200, UPWARD)
    assert codes(outputs) == ["ALREADY_ANSWERED"], "nobody else has claimed yet"
    assert refused == window
    window, outputs = on_reply(window, reply(3, "HU"), 300, UPWARD)
    assert kinds(outputs) == ["ACK", "CLAIM"]
    assert (window.status, window.wake_at) == ("OPEN", 5300)
    window, outputs = on_reply(window, reply(1, "HU"), 400, UPWARD)
    assert kinds(outputs) == ["ACK", "CLAIM"]
    for action in ("PENG", "PASS"):
        assert codes(on_reply(window, reply(1, action), 500, UPWARD)[1]) == [
            "ALREADY_ANSWERED"
        ], "a win is never withdrawn"
    assert window.wake_at == 5400
    window, _ = on_deadline(window, 5400, UPWARD)
    assert outcome(resolution_of(window, UPWARD)) == ((1,), "HU")
    assert resolution_of(window, UPWARD).outranked_seat_nos == (3,)


def test_after_the_grace_and_after_a_pass_nothing_is_amended() -> None:
    window, _ = on_reply(window_of(UPWARD, F), reply(1, "PENG"), 100, UPWARD)
    window, _ = on_reply(window, reply(3, "HU"), 300, UPWARD)
    late, outputs = on_reply(window, reply(1, "HU"), 5300, UPWARD)
    assert codes(outputs) == ["WINDOW_CLOSED"]
    assert outcome(resolution_of(late, UPWARD)) == ((3,), "HU")
    window, _ = on_reply(window_of(UPWARD, F), reply(1, "PASS"), 100, UPWARD)
    window, _ = on_reply(window, reply(3, "HU"), 300, UPWARD)
    assert codes(on_reply(window, reply(1, "HU"), 400, UPWARD)[1]) == ["PASS_IS_FINAL"]


def test_a_grace_never_outlives_the_deadline() -> None:
    window, _ = on_reply(window_of(UPWARD, F), reply(1, "PENG"), 100, UPWARD)
    window, _ = on_reply(window, reply(3, "HU"), 7000, UPWARD)
    assert window.wake_at == 8000
    window, _ = on_deadline(window, 8000, UPWARD)
    assert window.close_reason == "TIMEOUT"


def test_until_close_any_claim_may_be_changed() -> None:
    spec = replace(V1, amend="until_close", early="never")
    window, _ = on_reply(window_of(spec, F), reply(1, "HU"), 100, spec)
    window, outputs = on_reply(window, reply(1, "PENG"), 200, spec)
    assert kinds(outputs) == ["ACK"], "and nobody hears of it"
    window, _ = on_reply(window, reply(1, "PASS"), 300, spec)
    assert codes(on_reply(window, reply(1, "HU"), 400, spec)[1]) == ["PASS_IS_FINAL"]
    window, _ = on_deadline(window, 8000, spec)
    assert outcome(resolution_of(window, spec)) == ((), "PASS")
