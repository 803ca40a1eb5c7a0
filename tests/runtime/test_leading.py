"""Who leads, who must, and what a leader's skip does (contract, section 6)."""

from __future__ import annotations

import pytest
import toy
from runtime_helpers import BareCard, at_play

from dealwright.runtime import Rejected
from dealwright.runtime.leading import can_play

# cards 1-3 have 点数 1, 4-6 have 2, …; 19-21 have 7 and 22-24 have 8, which are no Single


def test_the_maker_of_the_previous_play_leads_again() -> None:
    match = at_play([[1, 10], [4, 5, 13]])
    match.play(0, [10])
    match.skip(1)
    with pytest.raises(Rejected) as caught:
        match.skip(0)
    assert caught.value.code == "must_lead"
    match.play(0, [1])


def test_whoever_does_not_lead_may_skip_and_stays_bound_to_beat() -> None:
    match = at_play([[10, 16, 11], [4, 5, 13], [1, 2]])
    match.play(0, [10])
    match.skip(1)
    match.skip(2)
    match.play(0, [16])
    with pytest.raises(Rejected) as caught:
        match.play(1, [4])
    assert caught.value.code == "not_beating"


def test_when_the_maker_has_gone_out_whoever_skipped_leads() -> None:
    match = at_play([[10], [1, 13], [2, 16]])
    match.play(0, [10])
    with pytest.raises(Rejected) as caught:
        match.play(1, [1])
    assert caught.value.code == "not_beating"
    match.skip(1)
    with pytest.raises(Rejected) as caught:
        match.play(
            2, [2]
        )  # has not skipped since the play, and therefore does not lead
    assert caught.value.code == "not_beating"
    match.skip(2)
    assert match.to_json()["skipped"] == [1, 2]
    match.skip(0)  # has no cards: leads with nothing, may skip, and clears the play
    assert match.previous is None
    assert match.to_json()["skipped"] == []
    match.play(1, [1])


def test_a_seat_that_skipped_leads_while_the_play_still_stands() -> None:
    match = at_play([[10], [1, 13]])
    match.play(0, [10])
    match.skip(1)
    state = match.to_json()
    state["pending"] = {"node": "14", "seat": 1}
    state["table"]["player_index"] = 1
    again = toy.match_from_json(state)
    with pytest.raises(Rejected) as caught:
        again.skip(1)
    assert caught.value.code == "must_lead"
    again.play(1, [1])
    assert again.previous is not None and again.previous[0] == 1


def test_a_skip_does_not_lead_while_the_maker_has_cards() -> None:
    match = at_play([[10, 2], [1, 13]])
    match.play(0, [10])
    match.skip(1)
    state = match.to_json()
    state["pending"] = {"node": "14", "seat": 1}
    state["table"]["player_index"] = 1
    again = toy.match_from_json(state)
    with pytest.raises(Rejected) as caught:
        again.play(1, [1])
    assert caught.value.code == "not_beating"
    again.skip(1)


def test_a_skip_before_the_previous_play_does_not_count() -> None:
    match = at_play([[10, 1], [4, 13], [16]])
    match.play(0, [10])
    match.skip(1)
    match.play(2, [16])
    match.skip(0)
    with pytest.raises(Rejected) as caught:
        match.play(1, [4])
    assert caught.value.code == "not_beating"


def test_a_leader_without_any_cardset_may_skip() -> None:
    match = at_play([[19, 22], [1]])
    match.skip(0)
    assert match.previous is None
    match.play(1, [1])
    with pytest.raises(Rejected) as caught:
        match.play(0, [19])
    assert caught.value.code == "no_cardset"


def test_a_leader_with_a_pair_only_must_play_it() -> None:
    match = at_play([[19, 22, 20], [1]])
    with pytest.raises(Rejected) as caught:
        match.skip(0)
    assert caught.value.code == "must_lead"
    match.play(0, [20, 19])


def test_a_leader_with_an_empty_hand_may_skip() -> None:
    match = at_play([[], [1]])
    match.skip(0)
    assert match.pending is not None and match.pending.seat == 1


def test_the_search_goes_by_size_in_hand_order_and_stops_at_the_budget() -> None:
    hand = [BareCard(id) for id in range(1, 6)]
    seen: list[list[int]] = []

    def never(cards: list[BareCard]) -> bool:
        seen.append([card.id for card in cards])
        return False

    assert not can_play(hand, (0, 2, 3, 9), never)
    assert seen[:3] == [[1, 2], [1, 3], [1, 4]]
    assert len(seen) == 10 + 10
    seen.clear()
    assert not can_play(hand, None, never)
    assert len(seen) == 2**5 - 1
    assert can_play(hand, None, lambda cards: len(cards) == 5)
    assert not can_play([], None, lambda cards: True)


@pytest.mark.parametrize(("at_candidate", "found"), [(200_000, True), (200_001, False)])
def test_the_budget_is_two_hundred_thousand(at_candidate: int, found: bool) -> None:
    count = 0

    def counted(cards: list[BareCard]) -> bool:
        nonlocal count
        count += 1
        return count == at_candidate

    assert can_play([BareCard(id) for id in range(1, 30)], None, counted) is found
    assert count == 200_000
