"""Events and views: what is told, to whom, with which numbers, and what never is."""

from __future__ import annotations

import copy
import gc
import json
import pickle
from collections.abc import Iterable

import plain
import pytest
import toy
from runtime_helpers import CARDS, ToyMatch, at_play, random_moves

from dealwright.runtime import Event, MatchError


def brief(events: Iterable[Event]) -> list[tuple[int, str, int | None]]:
    return [(event.number, event.kind, event.seat) for event in events]


def test_the_events_of_a_start() -> None:
    match = plain.new_match(["ann", "bo"], seed=1)
    events = match.take_events()
    dealt = [(3 + place, "dealt", place % 2) for place in range(10)]
    assert brief(events) == [
        (0, "started", None),
        (1, "shuffled", None),
        (2, "dealt", None),
        *dealt,
        (13, "asked", 0),
    ]
    assert events[0].fields == {"ids": ["ann", "bo"]}
    assert events[1].fields == {"count": 52}
    assert events[2].fields == {"counts": [5, 5]}
    first = match.hands[0][0]
    assert events[3].fields == {"card": first.id, "properties": first.values()}
    assert [event.audience for event in events[:5]] == ["all"] * 3 + ["seat"] * 2
    assert events[-1].fields == {
        "node": "4", "seat": 0, "kind": "play", "timer": 30, "options": [],
    }  # fmt: skip
    assert match.take_events() == []


def test_a_seat_sees_its_own_cards_and_what_is_everybodys() -> None:
    match = plain.new_match(["ann", "bo"], seed=1)
    seen = match.take_events(1)
    assert brief(seen) == [
        (0, "started", None),
        (1, "shuffled", None),
        (2, "dealt", None),
        *((4 + 2 * place, "dealt", 1) for place in range(5)),
        (13, "asked", 0),
    ]
    # every reader has a place of its own
    assert len(match.take_events()) == 14
    assert len(match.take_events(0)) == 9
    assert match.take_events(1) == []
    match.play("ann", [match.hands[0][0]])
    assert brief(match.take_events(1)) == [
        (14, "played", 0),
        (15, "assigned", None),
        (16, "assigned", None),
        (17, "assigned", None),
        (18, "asked", 1),
    ]
    assert len(match.take_events()) == 5


def test_the_events_of_actions() -> None:
    match = at_play([[1, 10, 11], [4]])
    match.take_events()
    match.play(0, [10, 11])
    match.skip(1)
    events = match.take_events()
    assert [event.kind for event in events] == [
        "played", "assigned", "assigned", "assigned", "asked",
        "skipped", "assigned", "asked",
    ]  # fmt: skip
    assert events[0].fields == {
        "cards": [
            {"card": 10, "properties": {"点数": 4, "花色": 0, "记号": 0}},
            {"card": 11, "properties": {"点数": 4, "花色": 1, "记号": 0}},
        ],
        "cardset": "Pair",
        "cardset_id": "2",
        "properties": {"权重": 10},
    }
    assert events[2].fields == {"object": "player_0", "property": "score", "value": 4}
    assert events[3].fields == {
        "object": "table_0", "property": "player_index", "value": 1,
    }  # fmt: skip
    assert (events[5].seat, events[5].fields) == (1, {})


def test_the_events_of_a_choice_and_of_the_end() -> None:
    match = toy.new_match(["a", "b", "c"], seed=3)
    match.take_events()
    match.choose("a", 71)
    events = match.take_events()
    assert [(event.kind, event.seat, dict(event.fields)) for event in events] == [
        ("chose", 0, {"value": 71}),
        ("assigned", None, {"object": "table_0", "property": "class", "value": 71}),
        (
            "assigned",
            None,
            {"object": "table_0", "property": "settlement_index", "value": 1},
        ),
        ("settled", 1, {"result": 0}),
        ("settled", 2, {"result": 0}),
        ("finished", None, {"results": [None, 0, 0]}),
    ]


def test_numbers_have_no_gap_and_go_on_in_a_saved_match() -> None:
    match = toy.new_match([0, 1, 2], seed=9)
    numbers = []
    for step, _ in enumerate(random_moves(match, 9, 40)):
        numbers += [event.number for event in match.take_events()]
        if step % 3 == 0:
            saved = json.loads(json.dumps(match.to_json()))
            assert saved["event"] == numbers[-1] + 1
            match = toy.match_from_json(saved)
            assert match.take_events() == []
    assert numbers == list(range(len(numbers)))


def test_events_are_read_like_a_list() -> None:
    match = plain.new_match(["ann", "bo"], seed=1)
    events = match.take_events()
    as_list = list(events)
    assert [type(event) for event in as_list] == [Event] * 14
    assert events == as_list and as_list == events and events != as_list[1:]
    assert events == plain.new_match(["ann", "bo"], seed=1).take_events()
    assert (len(events), bool(events)) == (14, True)
    # what was made once is not made again
    assert all(one is other for one, other in zip(events, as_list, strict=True))
    assert events[-1] is as_list[13] and events[3:5] == as_list[3:5]
    assert as_list[4] in events and events.index(as_list[4]) == 4
    assert [*reversed(events)] == as_list[::-1]
    assert repr(events) == repr(as_list)
    assert events.to_json() == [event.to_json() for event in as_list]
    assert copy.copy(events) == copy.deepcopy(events) == as_list
    assert pickle.loads(pickle.dumps(events)) == as_list
    with pytest.raises(TypeError):
        hash(events)
    none = match.take_events()
    assert not none and none == [] and none + events == events + none == as_list
    gathered = as_list[:1]
    gathered += events
    assert type(gathered + events) is list and len(gathered) == 15


def test_events_looked_at_later_tell_what_was() -> None:
    match = at_play([[1, 10], [4]])
    match.take_events(1)
    match.play(0, [10])
    everything, of_one = match.take_events(), match.take_events(1)
    match._game.card(10).记号 = 77
    match.skip(1)
    played = next(event for event in everything if event.kind == "played")
    assert played.fields["cards"] == [
        {"card": 10, "properties": {"点数": 4, "花色": 0, "记号": 0}}
    ]
    numbers = [event.number for event in everything]
    assert brief(of_one) == [
        (2, "played", 0),
        (3, "assigned", None),
        (4, "assigned", None),
        (5, "assigned", None),
        (6, "asked", 1),
    ]
    assert {event.number for event in of_one} <= set(numbers)
    assert match.take_events()[0].number == numbers[-1] + 1


def test_what_a_seat_may_not_see_is_not_even_in_its_events() -> None:
    match = plain.new_match(["ann", "bo"], seed=1)
    events = match.take_events(1)
    hidden = [card for card in match.hands[0] if card not in match.hands[1]]
    reached: list[object] = [events]
    for _ in range(5):
        reached += gc.get_referents(*reached)
        reached = list({id(thing): thing for thing in reached}.values())
        classes = (type, type(gc), type(len), type(brief))
        reached = [thing for thing in reached if not isinstance(thing, classes)]
    assert any(card is thing for card in match.hands[1] for thing in reached)
    assert not any(card is thing for card in hidden for thing in reached)


def test_an_assigned_card_is_seen_by_whoever_sees_the_card() -> None:
    match = toy.arrange(hands=[[1], [2]], deck=range(4, 25), discard=[3], wait="14")
    match.take_events()
    match.take_events(0)
    for number in (1, 2, 3, 4):
        match._game.card(number).记号 = 10 + number
    events = match.take_events()
    assert [(event.audience, event.seat) for event in events] == [
        ("seat", 0), ("seat", 1), ("all", None), ("nobody", None),
    ]  # fmt: skip
    assert events[1].fields == {"object": "card_2", "property": "记号", "value": 12}
    assert match.take_events(0) == [events[0], events[2]]


def test_an_event_tells_what_was_not_what_is() -> None:
    match = at_play([[1, 10], [4]])
    match.play(0, [10])
    match._game.card(10).记号 = 77
    match._game.card(10).记号 = 78
    events = match.take_events()
    played = next(event for event in events if event.kind == "played")
    assert played.fields["cards"] == [
        {"card": 10, "properties": {"点数": 4, "花色": 0, "记号": 0}}
    ]
    assert [e.fields["value"] for e in events if e.fields.get("object") == "card_10"] == [
        0, 77, 78,
    ]  # fmt: skip


def test_copies_of_events_are_equal_and_take_nothing_of_the_match_along() -> None:
    match = toy.new_match(["a", "b", "c"], seed=4)
    for _ in random_moves(match, 4, 60):
        pass
    events = match.take_events()
    assert {event.kind for event in events} >= {"dealt", "played", "assigned", "asked"}
    for event in events:
        pickled = pickle.dumps(event)
        assert b"Game" not in pickled and b"Card" not in pickled
        for twin in (pickle.loads(pickled), copy.deepcopy(event), copy.copy(event)):
            assert twin == event
            assert twin.to_json() == event.to_json()
            assert repr(twin) == repr(event)
    assert events[0] != events[1]
    assert events[0] != events[0].to_json()


def test_events_cannot_be_changed() -> None:
    event = plain.new_match(["ann", "bo"], seed=1).take_events()[0]
    for name in ("number", "kind", "seat", "fields", "audience"):
        with pytest.raises(AttributeError):
            setattr(event, name, None)
    with pytest.raises(TypeError):
        hash(event)


def test_a_match_that_is_dropped_leaves_nothing_for_the_garbage_collector() -> None:
    """Neither with events that nobody took, nor with cards that the rule assigns."""
    gc.collect()
    gc.disable()
    try:
        for number in range(5):
            match = toy.new_match(["a", "b", "c"], seed=number)
            for _ in random_moves(match, number, 30):
                pass
            kept = match.take_events()
            toy.match_from_json(match.to_json()).view(0)
            del match, kept
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_all_events_are_json() -> None:
    match = toy.new_match(["a", "b", "c"], seed=4)
    for _ in random_moves(match, 4, 60):
        pass
    if not match.finished:
        match.abort("enough")
    for event in match.take_events():
        text = json.dumps(event.to_json(), ensure_ascii=False)
        assert json.loads(text) == event.to_json()


def hidden_swapped(match: ToyMatch, seat: int) -> ToyMatch:
    """The same match with all the cards that `seat` cannot see in other places."""
    state = match.to_json()
    hands, deck = state["hands"], state["deck"]
    assert isinstance(hands, list) and isinstance(deck, list)
    hidden = [
        *deck,
        *(card for i, hand in enumerate(hands) if i != seat for card in hand),
    ]
    hidden.reverse()
    state["deck"] = [hidden.pop() for _ in deck][::-1]
    state["hands"] = [
        hand if i == seat else [hidden.pop() for _ in hand]
        for i, hand in enumerate(hands)
    ]
    return toy.match_from_json(state)


def seen(match: ToyMatch, seat: int) -> bytes:
    events = [event.to_json() for event in match.take_events(seat)]
    return json.dumps([match.view(seat), events], ensure_ascii=False).encode()


def test_hidden_cards_change_nothing_that_a_seat_sees() -> None:
    """Twins that differ in hidden cards only, acted on alike, look alike byte for byte."""
    compared = 0
    for seed in range(50):
        match = toy.new_match([0, 1, 2], seed=seed)
        for _ in random_moves(match, seed, seed % 12):
            pass
        wait = match.pending
        if wait is None:
            continue
        seat = wait.seat
        one, two = toy.match_from_json(match.to_json()), hidden_swapped(match, seat)
        assert one.to_json() != two.to_json()
        assert seen(one, seat) == seen(two, seat)
        if wait.kind == "choose":
            one.choose(seat, 1)
            two.choose(seat, 1)
        else:
            card = next((c for c in one.hands[seat] if c.点数 < 7), None)
            if card is None or one.previous is not None:
                continue
            one.play(seat, [card.id])
            two.play(seat, [card.id])
        assert seen(one, seat) == seen(two, seat)
        compared += 1
    assert compared > 10


def test_hidden_deals_change_nothing_that_a_seat_sees() -> None:
    def dealt(deck: list[int]) -> ToyMatch:
        match = toy.arrange(hands=[[], []], deck=deck, wait="14")
        match._game.deal(2)
        match._game.deal(1, lambda card: card.点数 >= 1)
        match._game.shuffle()
        return match

    deck = list(CARDS)
    unseen = [card for place, card in enumerate(deck) if place not in (0, 2, 4)]
    other = [
        card if place in (0, 2, 4) else unseen.pop() for place, card in enumerate(deck)
    ]
    one, two = dealt(deck), dealt(other)
    assert [c.id for c in one.hands[0]] == [c.id for c in two.hands[0]]
    assert [c.id for c in one.hands[1]] != [c.id for c in two.hands[1]]
    assert seen(one, 0) == seen(two, 0)
    assert seen(one, 1) != seen(two, 1)


def test_a_view_names_everything_a_client_needs_and_no_more() -> None:
    match = at_play([[1, 10], [4, 5]], discard=[24])
    match.play(0, [10])
    view = match.view(1)
    assert view == {
        "rule": "玩具",
        "seat": 1,
        "ids": [0, 1],
        "hand": [
            {"card": 4, "properties": {"点数": 2, "花色": 0, "记号": 0}},
            {"card": 5, "properties": {"点数": 2, "花色": 1, "记号": 0}},
        ],
        "hands": [1, 2],
        "deck": 19,
        "discard": [
            {"card": 24, "properties": {"点数": 8, "花色": 2, "记号": 0}},
            {"card": 10, "properties": {"点数": 4, "花色": 0, "记号": 0}},
        ],
        "table": match.table.values(),
        "players": [{"手牌数": 1, "score": 4}, {"手牌数": 2, "score": 0}],
        "pending": {"node": "14", "seat": 1, "kind": "play", "timer": 30, "options": []},
        "latest": [10],
        "previous": {
            "seat": 0, "cards": [10], "cardset": "Single", "cardset_id": "1",
            "properties": {},
        },
        "results": None,
        "aborted": None,
        "event": 7,
    }  # fmt: skip
    assert json.loads(json.dumps(view)) == view
    assert "class" in match.table.values()


def test_views_are_copies() -> None:
    match = at_play([[1, 10], [4, 5]])
    before = match.to_json()
    for thing in (match.view(0), match.to_json()):
        for value in thing.values():
            if isinstance(value, dict | list):
                value.clear()
    match.latest.append(match.hands[0][0])
    assert match.to_json() == before


@pytest.mark.parametrize("seat", [-1, 2, True, None, "0", 1.0])
def test_bad_seats(seat: object) -> None:
    match = at_play([[1, 10], [4, 5]])
    with pytest.raises(MatchError) as caught:
        match.view(seat)  # type: ignore[arg-type]
    assert caught.value.code == "bad_seat"
    if seat is not None:
        with pytest.raises(MatchError):
            match.take_events(seat)  # type: ignore[arg-type]
