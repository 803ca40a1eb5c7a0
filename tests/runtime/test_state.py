"""Saving and loading: nothing is lost at any wait, and nothing that does not fit gets in."""

from __future__ import annotations

import copy
import json
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import plain
import pytest
import toy
from runtime_helpers import ToyMatch, at_play, random_moves

from dealwright.runtime import MatchError, Rejected

Saved = dict[str, Any]


def saved(match: ToyMatch) -> Saved:
    loaded = json.loads(json.dumps(match.to_json(), ensure_ascii=False))
    assert loaded == match.to_json()
    assert isinstance(loaded, dict)
    return loaded


def act_alike(one: ToyMatch, two: ToyMatch, seed: int) -> None:
    """The same random moves on both give the same states and the same refusals."""
    for _ in random_moves(one, seed, 12):
        pass
    for _ in random_moves(two, seed, 12):
        pass
    assert one.to_json() == two.to_json()
    assert one.results == two.results


def test_round_trip_at_every_wait() -> None:
    for seed in range(15):
        match = toy.new_match(["ann", 7, "波"], seed=seed)
        states = [saved(match)]
        for _ in random_moves(match, seed, 40):
            states.append(saved(match))
        for state in states:
            again = toy.match_from_json(state)
            assert again.to_json() == state
            assert again.pending == toy.match_from_json(saved(again)).pending
        for state in states[::5]:
            act_alike(
                toy.match_from_json(state),
                toy.match_from_json(copy.deepcopy(state)),
                seed,
            )


def test_going_on_from_a_state_is_going_on() -> None:
    for seed in range(10):
        match = toy.new_match([0, 1], seed=seed)
        for _ in random_moves(match, seed, 6):
            pass
        act_alike(match, toy.match_from_json(saved(match)), seed + 1)


def test_a_state_goes_on_in_another_process() -> None:
    match = toy.new_match([0, 1, 2], seed=5)
    for _ in random_moves(match, 5, 9):
        pass
    code = (
        "import sys, json; sys.path[:0] = json.loads(sys.argv[1])\n"
        "import toy\n"
        "from runtime_helpers import random_moves\n"
        "match = toy.match_from_json(json.load(sys.stdin))\n"
        "for _ in random_moves(match, 6, 12): pass\n"
        "print(json.dumps(match.to_json()))\n"
    )
    here = Path(__file__).parent
    path = [str(here), *(entry for entry in sys.path if entry)]
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(path)],
        input=json.dumps(saved(match)),
        capture_output=True,
        text=True,
        check=True,
    )
    for _ in random_moves(match, 6, 12):
        pass
    assert json.loads(done.stdout) == match.to_json()


def test_a_plain_state_has_no_card_properties() -> None:
    match = plain.new_match(["a", "b"], seed=2)
    state = json.loads(json.dumps(match.to_json()))
    assert state["cards"] is None
    assert plain.match_from_json(state).to_json() == state
    state["cards"] = []
    with pytest.raises(MatchError, match="cards must be null"):
        plain.match_from_json(state)


def test_assigned_card_properties_are_kept() -> None:
    match = at_play([[1, 10], [4]], table={"rounds": 5})
    match.play(0, [10])
    again = toy.match_from_json(saved(match))
    assert again.discard[0].记号 == 5
    assert again.previous is not None
    assert again.previous[1].cards[0] is again.discard[0]


def test_a_state_of_a_corrected_rule_still_loads_if_it_fits() -> None:
    state = at_play([[1, 10], [4]]).to_json()
    state["table"]["用户做出的选择"] = 12345
    again = toy.match_from_json(state)
    assert again.game_for(toy.PACKAGE).choice == 12345


def rich() -> Saved:
    """A state in which every field holds something."""
    match = at_play([[1, 10, 13], [4, 5], [7]], discard=[24])
    match.play(0, [10])
    match.skip(1)
    return saved(match)


@pytest.mark.parametrize(
    ("properties", "says"),
    [({}, "lacks a property of the cardset"), ({"权重": 1}, "has 1 cards")],
)
def test_a_previous_play_that_cannot_be_is_refused(
    properties: dict[str, int], says: str
) -> None:
    state = rich()
    changes = {"cardset_id": "2", "cardset": "Pair", "properties": properties}
    state["previous"] = {**state["previous"], **changes}
    with pytest.raises(MatchError, match=says):
        toy.match_from_json(state)


ODD: list[object] = [
    None, True, False, -1, 10**30, 1.0, float("nan"), "", "x", [], {}, [[]], [None], {"a": 1},
    ["1"], [True], [1, 1], [99], [1.5], [-1], {"": {}}, "\ud800",
]  # fmt: skip
def paths(value: object, at: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
    """All places in a state."""
    found = [at] if at else []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    else:
        items = []
    for key, inner in items:
        found += paths(inner, (*at, key))
    return found


def changed(state: Saved, path: tuple[Any, ...], value: object) -> Saved:
    state = copy.deepcopy(state)
    inner: Any = state
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return state


def test_odd_values_anywhere_are_refused_or_mean_what_they_say() -> None:
    """Never a traceback of another kind; what is taken is a state that saves as itself."""
    state = rich()
    taken = 0
    for path in paths(state):
        if path[0] in {"cards", "deck"} and len(path) > 1 and path[1] > 1:
            continue  # all alike
        for value in ODD:
            hostile = changed(state, path, value)
            try:
                match = toy.match_from_json(hostile)
            except MatchError as error:
                assert error.code == "bad_state"
                assert error.rule == "玩具"
                continue
            taken += 1
            assert match.to_json() == hostile, path
            # 1 == True == 1.0: whatever was taken must be of the right type too
            text = path[0] in {"aborted", "ids"} and isinstance(value, str)
            fits = type(value) is int or isinstance(value, list | dict) or value is None
            assert text or fits, (path, value)
    assert taken > 20


def test_missing_and_unknown_keys_are_refused() -> None:
    state = rich()
    for path in paths(state):
        inner: Any = state
        for key in path[:-1]:
            inner = inner[key]
        if isinstance(inner, dict):
            without = copy.deepcopy(state)
            target: Any = without
            for key in path[:-1]:
                target = target[key]
            del target[path[-1]]
            with pytest.raises(MatchError):
                toy.match_from_json(without)
            target["another"] = 1
            target[path[-1]] = inner[path[-1]]
            with pytest.raises(MatchError):
                toy.match_from_json(without)


def record(seats: list[Any], sizes: list[Any], numbers: list[Any]) -> object:
    """What has been done, as a state has it."""
    return {"seats": seats, "sizes": sizes, "numbers": numbers}


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("rule",), "比大小", "not '\\\\u73a9"),
        (("hands", 0, 0), 24, "card_24 is there twice"),
        (("hands", 0), [13], "card_1 is nowhere"),
        (("deck", 0), 25, "no card_25"),
        (("deck", 0), "2", "deck must hold integers only"),
        (("hands",), [[1, 13], [4, 5, 7]], "hands has 2 entries for 3 players"),
        (("table", "index"), "0", "table.index must be an integer, not '0'"),
        (("players", 1, "score"), True, "must be an integer, not True"),
        (("players",), [], "players has 0 entries for 3"),
        (("cards", 0), {}, "lacks the property"),
        (("cards",), [], "cards has 0 entries for 24"),
        (("pending", "node"), "99", "waits at no node '99'"),
        (("pending", "node"), ["14"], "waits at no node"),
        (("pending", "seat"), 3, "pending.seat is 3 of 3 players"),
        (("pending",), None, "exactly one of pending, results and aborted"),
        (("results",), [1, 2, 3], "exactly one of pending, results and aborted"),
        (("aborted",), "why", "exactly one of pending, results and aborted"),
        (("latest",), [1], "latest names a card that is not in the discard pile"),
        (("latest",), [24, 24], "latest names a card twice"),
        (("previous", "cards"), [], "previous.cards is empty"),
        (("previous", "cards"), [2], "not in the discard pile"),
        (("previous", "seat"), -1, "previous.seat is -1"),
        (("previous", "cardset"), "Pair", "no cardset 'Pair' with the id '1'"),
        (("previous", "cardset_id"), "3", "no cardset 'Single' with the id '3'"),
        (("previous", "properties"), {"x": "1"}, "must be an integer"),
        (("previous",), None, "nobody where there is no previous play"),
        (("skipped",), [2, 1], "skipped must list seats in order"),
        (("skipped",), [1, 1], "skipped must list seats in order"),
        (("skipped",), [3], "skipped must list seats in order"),
        (("generator",), 2**64, "64 bits"),
        (("generator",), -1, "64 bits"),
        (("event",), -1, "must not be negative"),
        (("ids",), ["a", "a", "b"], "same id"),
        (("ids",), [], "at least one player"),
        (("ids", 0), 1.0, "an id is a string or an integer"),
        (("actions",), [], "actions must be an object"),
        (("actions",), {}, "seats, sizes and numbers and nothing else"),
        (("actions",), record([3], [0], []), "names a seat that is none of 3 players"),
        (("actions",), record([-1], [0], []), "names a seat that is none"),
        (("actions",), record([0, 1], [0], []), "must be of one length"),
        (("actions",), record([0], [-2], [1, 2]), "from -1 to the 24 cards"),
        (("actions",), record([0], [25], [1]), "from -1 to the 24 cards"),
        (("actions",), record([0], [0], [1]), "as many as actions.sizes say"),
        (("actions",), record([], [], [3]), "as many as actions.sizes say"),
        (("actions",), record([0], [-1], []), "as many as actions.sizes say"),
        (("actions",), record([0], [1], [25]), "none of card_1 to card_24"),
        (("actions",), record([0], [1], [0]), "none of card_1 to card_24"),
        (("actions",), record([0], [2], [3, 3]), "an action plays a card twice"),
        (("actions",), record([0], [1], [True]), "numbers must hold integers only"),
        (("actions",), record([0], [0.0], []), "sizes must hold integers only"),
        (("actions",), record([0], [-1], [2**13_300]), "too large an integer"),
        (("seed",), 1.0, "seed must be an integer, not 1.0"),
    ],
)  # fmt: skip
def test_the_refusal_says_what_does_not_fit(
    path: tuple[Any, ...], value: object, says: str
) -> None:
    with pytest.raises(MatchError, match=says) as caught:
        toy.match_from_json(changed(rich(), path, value))
    assert caught.value.code == "bad_state"
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("state", [None, [], "x", 3, {}, {"rule": "玩具"}])
def test_what_is_no_state_at_all(state: object) -> None:
    with pytest.raises(MatchError):
        toy.match_from_json(state)


def test_a_state_of_another_rule() -> None:
    with pytest.raises(MatchError) as caught:
        plain.match_from_json(toy.new_match([0, 1], seed=1).to_json())
    assert caught.value.rule == "比大小"


def test_results_must_fit_the_players() -> None:
    match = toy.new_match([0, 1], seed=1)
    match.choose(0, 71)
    state = saved(match)
    assert state["results"] == [None, 0]
    odd: list[object] = [[0], [0, 1, 2], [0, "1"], [True, 0], {}, 7]
    for results in odd:
        with pytest.raises(MatchError):
            toy.match_from_json({**state, "results": results})
    assert toy.match_from_json({**state, "results": [None, None]}).results == {}


def test_shuffled_states_never_do_harm() -> None:
    """Two random places of a good state exchanged: refused, or a match that can be played on."""
    rng = random.Random(1)
    state = rich()
    places = paths(state)
    for _ in range(600):
        hostile = copy.deepcopy(state)
        for path in rng.sample(places, 2):
            source: Any = state
            for key in rng.choice(places):
                source = source[key]
            try:
                hostile = changed(hostile, path, copy.deepcopy(source))
            except (KeyError, IndexError, TypeError):
                continue
        try:
            match = toy.match_from_json(hostile)
        except MatchError:
            continue
        for _ in random_moves(match, 2, 4):
            pass
        with pytest.raises(Rejected):
            match.choose("nobody", 1)


def test_a_copy_is_a_match_of_its_own() -> None:
    match = toy.new_match(["ann", 7, "波"], seed=3)
    for _ in random_moves(match, 3, 5):
        pass
    state = saved(match)
    for twin in (copy.copy(match), copy.deepcopy(match), copy.deepcopy([match])[0]):
        assert saved(twin) == state and twin.pending == match.pending
        twin.abort("tried out")
        assert saved(match) == state and twin.finished
    one, two = copy.deepcopy(match), match
    act_alike(one, two, 5)


def test_what_belongs_to_a_match_is_not_copied_out_of_it() -> None:
    match = toy.new_match(["ann", 7, "波"], seed=3)
    for part in (match.table, match.players[0], match.hands[0][0]):
        for take in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="copy the match"):
                take(part)
    with pytest.raises(TypeError, match="to_json"):
        pickle.dumps(match)
