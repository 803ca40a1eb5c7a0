"""The invariants of section 2.4 of the window requirement, on random specs, windows and answers.

Those that are about a whole table (one open window, ids that increase, tiles conserved, offers to candidates only) are
in `test_faults.py` and `test_privacy.py`.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from dealwright.runtime.windows import (
    PASS,
    Resolution,
    ResponseActionWindow,
    WindowSpec,
    arbitrate,
    decided,
    next_step,
    on_deadline,
    on_reply,
    read_window,
    resolution_of,
    window_json,
)
from tests.support import LONG
from tests.windows.builders import (
    answers,
    offers,
    outcome,
    plays,
    reply,
    specs,
    window_of,
)

Play = tuple[WindowSpec, ResponseActionWindow, list[tuple[int, str]]]

some = settings(
    max_examples=1000 if LONG else 50, derandomize=True, deadline=None, database=None
)
EARLY = ("when_decided", "when_all_answered", "never")


def answered(
    window: ResponseActionWindow, said: list[tuple[int, str]], spec: WindowSpec
) -> ResponseActionWindow:
    """The window after these answers, one millisecond apart; those after its close are refused."""
    for now, (seat, action) in enumerate(said, start=1):
        window, _ = on_reply(window, reply(seat, action), now, spec)
    return window


def closed(
    window: ResponseActionWindow, said: list[tuple[int, str]], spec: WindowSpec
) -> ResponseActionWindow:
    """The window after these answers and its deadline."""
    return on_deadline(answered(window, said, spec), window.deadline_at, spec)[0]


def ends(resolution: Resolution) -> list[int]:
    """All seats, once for each way in which the resolution says they ended."""
    silent = set(resolution.timed_out_seat_nos)
    return sorted(
        [
            *resolution.winner_seat_nos,
            *resolution.outranked_seat_nos,
            *(seat for seat in resolution.passed_seat_nos if seat not in silent),
            *(seat for seat in resolution.passed_seat_nos if seat in silent),
            *resolution.superseded_seat_nos,
        ]
    )


@some
@given(plays(EARLY))
def test_each_candidate_ends_in_exactly_one_way(play: Play) -> None:
    spec, window, said = play
    resolution = resolution_of(closed(window, said, spec), spec)
    assert ends(resolution) == sorted(each.seat_no for each in window.candidates)


@some
@given(plays(EARLY))
def test_the_order_of_replies_changes_nothing(play: Play) -> None:
    spec, window, said = play
    results = {
        outcome(resolution_of(closed(window, list(order), spec), spec))
        for order in permutations(said)
    }
    assert len(results) == 1


@some
@given(plays(("never",)))
def test_without_early_close_not_even_the_losers_depend_on_the_order(
    play: Play,
) -> None:
    spec, window, said = play
    results = {
        resolution_of(closed(window, list(order), spec), spec)
        for order in permutations(said)
    }
    assert len(results) == 1


@some
@given(plays())
def test_closing_early_gives_what_waiting_gives(play: Play) -> None:
    spec, window, said = play
    patient = replace(spec, early="never")
    early, late = closed(window, said, spec), closed(window, said, patient)
    assert late.closed_at == window.deadline_at
    assert outcome(resolution_of(early, spec)) == outcome(resolution_of(late, patient))


@some
@given(plays())
def test_a_window_closes_exactly_when_it_is_decided(play: Play) -> None:
    spec, window, said = play
    for now, (seat, action) in enumerate(said, start=1):
        window, _ = on_reply(window, reply(seat, action), now, spec)
        if window.status == "CLOSED":
            break
        assert not decided(window, spec)
    is_complete = all(each.answer is not None for each in window.candidates)
    reason = "ALL_ANSWERED" if is_complete else "DECIDED"
    if window.status == "CLOSED":
        assert window.close_reason == reason
        assert decided(window, spec)


@some
@given(
    plays(EARLY),
    st.lists(
        st.tuples(
            st.integers(0, 3),
            st.sampled_from(("HU", "GANG", "PENG", "CHOW", "PASS", "DANCE")),
        ),
        max_size=6,
    ),
)
def test_a_refused_reply_changes_nothing_but_its_refusal(
    play: Play, noise: list[tuple[int, str]]
) -> None:
    spec, window, said = play
    for seat, action in [*said, *noise]:
        before = window_json(window)
        after, outputs = on_reply(window, reply(seat, action), 5, spec)
        if [each.kind for each in outputs] == ["REJECT"]:
            assert window_json(after) == before
            assert outputs[0].seat_no == seat
        window = after


@some
@given(plays(EARLY))
def test_the_arbiter_agrees_with_the_window_and_takes_bare_actions(
    play: Play,
) -> None:
    spec, window, said = play
    final = closed(window, said, spec)
    resolution = resolution_of(final, spec)
    bare = {
        each.seat_no: each.answer.action_type
        for each in final.candidates
        if each.answer is not None
    }
    source, order = final.source_seat_no, final.turn_order
    assert arbitrate(final, bare, source, order, spec) == resolution
    backwards = dict(reversed(bare.items()))
    assert arbitrate(final, backwards, source, order, spec) == resolution


@some
@given(plays(EARLY), st.integers(0, 3))
def test_exactly_one_step_follows(play: Play, wall: int) -> None:
    spec, window, said = play
    resolution = resolution_of(closed(window, said, spec), spec)
    step = next_step(window, resolution, spec, wall).next_step
    assert step is not None
    assert step.kind in ("DRAW", "DISCARD", "KONG_DRAW", "END")
    assert (step.seat_no is None) == (step.kind == "END")
    assert (step.reason is not None) == (step.kind == "END")


@some
@given(plays(EARLY))
def test_a_window_is_json_at_every_moment(play: Play) -> None:
    spec, window, said = play
    for now, (seat, action) in enumerate(said, start=1):
        assert read_window(window_json(window)) == window
        window, _ = on_reply(window, reply(seat, action), now, spec)
    assert read_window(window_json(window)) == window


@some
@given(st.data())
def test_nobody_who_did_not_claim_ever_wins(data: st.DataObject) -> None:
    """Only seats that answered win; silence wins only where the spec says that it claims."""
    spec = data.draw(specs(EARLY))
    given_to = data.draw(offers(spec, 0))
    said = data.draw(answers(given_to))
    final = closed(window_of(spec, given_to), said, spec)
    resolution = resolution_of(final, spec)
    for seat in resolution.winner_seat_nos:
        claim = dict(said).get(seat)
        candidate = final.candidate(seat)
        assert candidate is not None
        if claim is None:
            assert candidate.silence != "PASS#0"
            assert seat in resolution.timed_out_seat_nos
        else:
            assert claim == resolution.winning_action_type != PASS
