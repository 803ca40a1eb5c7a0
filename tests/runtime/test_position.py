"""Arranged positions: everything checked, start values for what is not given."""

from __future__ import annotations

from typing import Any

import plain
import pytest
import toy

from dealwright.runtime import MatchError


def arranged(**changes: Any) -> Any:
    given: dict[str, Any] = {
        "hands": [[1, "card_2"], [3]],
        "deck": range(4, 24),
        "discard": [24],
        "wait": "14",
    }
    return toy.arrange(**{**given, **changes})


def test_a_position() -> None:
    match = arranged(
        table={"class": 5, "player_index": 1},
        players=[{"score": 3}, {"手牌数": 9}],
        cards={3: {"记号": 4}, "card_4": {"点数": 99}},
        ids=["a", 5],
        seed=-1,
    )
    assert match.pending._asdict() == {
        "node": "14", "seat": 1, "kind": "play", "timer": 30, "options": (),
    }  # fmt: skip
    assert match.table.values() == {
        "player_index": 1, "index": 0, "cur_max": -1, "settlement_index": 0,
        "本轮应出牌者": 0, "用户做出的选择": 0, "class": 5, "trump": -1, "rounds": 0,
    }  # fmt: skip
    assert [player.values() for player in match.players] == [
        {"手牌数": 2, "score": 3},
        {"手牌数": 9, "score": 0},
    ]
    assert match.hands[1][0].values() == {"点数": 1, "花色": 2, "记号": 4}
    assert match.deck[0].values() == {"点数": 99, "花色": 0, "记号": 0}
    assert (match.latest, match.previous, match.actions) == ([], None, [])
    assert (match.ids, match.seed) == (("a", 5), -1)
    assert match.to_json()["generator"] == 2**64 - 1
    assert [event.kind for event in match.take_events()] == ["started", "asked"]
    match.play(5, [3])


def test_card_objects_may_be_given() -> None:
    cards = plain.PACKAGE.cards
    match = plain.arrange(hands=[cards[:1], []], deck=cards[1:], wait="4")
    assert match.hands[0][0] is cards[0]
    assert match.ids == (0, 1)
    with pytest.raises(MatchError, match="assigns no card property"):
        plain.arrange(hands=[[], []], deck=cards, wait="4", cards={1: {"点数": 2}})


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"hands": [[1, 2, 3], [3]]}, "card_3 is there twice"),
        ({"hands": [[1], [3]]}, "card_2 is nowhere"),
        ({"discard": []}, "card_24 is nowhere"),
        ({"discard": [24, 25]}, "no card_25"),
        ({"discard": [24, 0]}, "no card_0"),
        ({"discard": [24, -1]}, "no card_-1"),
        ({"discard": [24, 10**100]}, "a very large integer"),
        ({"discard": [True]}, "True is no card"),
        ({"discard": [24.0]}, "24.0 is no card"),
        ({"discard": ["24"]}, "'24' is no card"),
        ({"discard": ["card_024"]}, "is no card"),
        ({"discard": ["card_²"]}, "is no card"),
        ({"discard": "card_24"}, "must be a list"),
        ({"discard": {24: 1}}, "must be a list"),
        ({"discard": 24}, "must be a list"),
        ({"hands": [[1, 2], 3]}, "a hand must be a list, not 3"),
        ({"hands": None}, "hands must be a list of lists"),
        ({"hands": [{1: 1, 2: 2}, [3]]}, "a hand must be a list"),
        ({"table": {"trumpf": 1}}, "'trumpf', which the rule does not know"),
        ({"table": {"class_": 1}}, "'class_', which the rule does not know"),
        ({"table": {"class": True}}, "must be an integer, not True"),
        ({"table": {"class": "1"}}, "must be an integer, not '1'"),
        ({"table": [1]}, "table must be an object"),
        ({"table": {1: 1}}, "the property 1"),
        ({"players": [{}]}, "players has 1 entries for 2 players"),
        ({"players": [{}, {"wins": 1}]}, "'wins', which the rule does not know"),
        ({"players": [{}, None]}, "must be an object, not None"),
        ({"players": {}}, "must be a list"),
        ({"cards": {25: {"记号": 1}}}, "no card_25"),
        ({"cards": {"x": {"记号": 1}}}, "'x' is no card"),
        ({"cards": {1: {"mark": 1}}}, "which the rule does not know"),
        ({"cards": {1: 5}}, "must be an object, not 5"),
        ({"cards": [1]}, "cards must be an object"),
        ({"wait": "99"}, "waits at no node '99'"),
        ({"wait": 14}, "waits at no node 14"),
        ({"wait": None}, "waits at no node None"),
        ({"seed": None}, "seed must be an integer"),
        ({"seed": True}, "seed must be an integer"),
        ({"ids": [0, 1, 2]}, "2 hands for 3 players"),
    ],
)
def test_what_does_not_fit_is_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(MatchError, match=says) as caught:
        arranged(**changes)
    assert caught.value.code == "bad_position"
    assert caught.value.rule == "玩具"


@pytest.mark.parametrize("ids", [["a", "a"], [True, 1], [], "ab", [None, 1], 5])
def test_ids_are_checked(ids: object) -> None:
    with pytest.raises(MatchError) as caught:
        arranged(ids=ids)
    assert caught.value.code == "bad_players"


def test_the_rules_number_of_players_counts() -> None:
    with pytest.raises(MatchError) as caught:
        plain.arrange(hands=[[], [], []], deck=range(1, 53), wait="4")
    assert caught.value.code == "bad_players"
