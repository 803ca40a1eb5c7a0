"""Hostile replies, states, positions and records: a typed refusal that says why, and nothing has changed.

Each table is gone through with every kind of JSON value, on the packages of shipped rules: whatever is not refused must
mean what it says, and leave a match that can be saved, read again and played on.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import pytest

from dealwright.runtime import DealwrightError, Match, MatchError, Rejected
from tests.support import LONG, RULES, act, package_of, seats_of

Json = Any

NAMES = ("tiny", "big_two", "twenty_one", "qiang_duizi")
HUGE = 10**5000

VALUES: tuple[Json, ...] = (
    None, True, False, 0, 1, -1, 3, 2**63, -(2**63) - 1, 2**64, 10**30, -(10**30), HUGE, -HUGE,
    1.0, 0.5, -0.0, 1e308, float("nan"), float("inf"), "", " ", "x", "0", "1", "card_1", "card_0", "card_01", "card_²",
    "card_1 ", "card_-1", "card_99999999999", "p0", "\ud800", "\0", "\u202e", "x" * 10_000, [], [[]], [None], [True],
    [1.0], ["1"], [""], ["card_1", "card_1"], [1, 1], [1, "card_1"], [99], [0], [-1], [2**64], [HUGE], [[1]], [{}],
    [1] * 10_000, {}, {"": 1}, {"x": 1}, {"card_1": 1}, {"1": 1}, {"node": "ask", "seat": 0},
)  # fmt: skip
"""JSON values, with what Python's own reader makes of NaN and of escapes, and integers that no JSON text can hold."""


def identity(value: object) -> str:
    """For test ids and messages: short, whatever the value is."""
    return spelled(value)[:40]


def spelled(value: object) -> str:
    """All of a JSON value as text, types included; unlike `repr` and `json` it can spell any integer."""
    if type(value) is int:
        return str(value) if value.bit_length() < 999 else f"{value:x}"
    if isinstance(value, dict):
        inside = (f"{spelled(key)}: {spelled(one)}" for key, one in value.items())
        return "{" + ", ".join(inside) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(spelled, value)) + "]"
    return ascii(value)


def package(name: str) -> Any:
    return package_of(RULES / f"{name}.json")


def new(name: str, seed: int = 1) -> Match[Any, Any, Any]:
    made = package(name)
    match: Match[Any, Any, Any] = made.new_match(players(name), seed=seed)
    return match


def players(name: str) -> list[str | int]:
    count = seats_of(package(name))
    return ["p0", *range(1, count)]


@cache
def _states(name: str) -> tuple[str, ...]:
    """Saved states of one match: the start, waits of each kind with a past, and the end."""
    match = new(name, seed=5)
    rng = random.Random(5)
    kept = [json.dumps(match.to_json())]
    while match.pending is not None and len(match.actions) < 400:
        act(match, package(name), rng)
        kept.append(json.dumps(match.to_json()))
    middle = [
        one
        for one in kept
        if json.loads(one)["previous"] and json.loads(one)["pending"]
    ]
    return tuple(dict.fromkeys([kept[0], *middle[2:3], *middle[-1:], kept[-1]]))


def states(name: str) -> list[Json]:
    return [json.loads(one) for one in _states(name)]


def everything(match: Match[Any, Any, Any]) -> list[object]:
    """All that a match is, its events and cursors included; huge integers need no text."""
    game = match._game
    objects = [match.table, *match.players, match.hands, match.deck, match.discard]
    return [
        match.to_json(),
        list(game.log),
        game.log_start,
        game.settling,
        game.skipped,
        list(match._cursors),
        [id(one) for one in objects],
        match.pending,
        match.results,
    ]


def check_refusal(error: DealwrightError) -> None:
    assert error.code.isidentifier()
    assert error.rule is not None
    assert error.sentence
    assert len(str(error)) < 400
    assert str(error).isprintable()


def refused(
    match: Match[Any, Any, Any], action: Callable[[], object], codes: set[str]
) -> bool:
    """Whether the action is refused; then for one of these reasons, and the match is what it was."""
    before = everything(match)
    try:
        action()
    except (Rejected, MatchError) as error:
        check_refusal(error)
        assert error.code in codes
        assert everything(match) == before
        return True
    return False


def check_match(match: Match[Any, Any, Any], name: str) -> None:
    """A match that somebody could have come to: it can be written, read, seen, and played on."""
    made = package(name)
    text = json.dumps(match.to_json())
    assert json.dumps(made.match_from_json(json.loads(text)).to_json()) == text
    numbers = sorted(
        card.id for pile in (*match.hands, match.deck, match.discard) for card in pile
    )
    assert numbers == [card.id for card in made.PACKAGE.cards]
    for seat in range(len(match.ids)):
        json.dumps(match.view(seat))
    wait = match.pending
    if wait is None:
        return
    player = match.ids[wait.seat]
    actions: tuple[Callable[[], None], ...] = (
        lambda: match.skip(player),
        lambda: match.choose(player, (*wait.options, 0)[0]),
        lambda: match.play(player, match.hands[wait.seat][:1]),
    )
    for action in actions:
        before = everything(match)
        try:
            action()
        except Rejected:
            assert everything(match) == before
        else:
            json.dumps(match.to_json())
            return


# --- replies


@pytest.mark.parametrize("name", NAMES)
def test_replies(name: str) -> None:
    """Every value as cards, as a choice, as a player and as a seat, at every kind of wait and after the end."""
    for state in states(name):
        for value in VALUES:
            check_replies(name, package(name).match_from_json(state), value)


def check_replies(name: str, match: Match[Any, Any, Any], value: Json) -> None:
    wait = match.pending
    known = isinstance(value, str | int) and value in match.ids
    seat = type(value) is int and 0 <= value < len(match.ids)
    turn = {"not_your_turn", "nothing_pending"}
    if wait is None or not known or value != match.ids[wait.seat]:
        for submit in (
            lambda: match.skip(value),
            lambda: match.play(value, [1]),
            lambda: match.choose(value, 0),
        ):
            assert refused(match, submit, turn)
    assert refused(match, lambda: match.view(value), {"bad_seat"}) != seat
    if value is not None:
        assert refused(match, lambda: match.take_events(value), {"bad_seat"}) != seat
    if not isinstance(value, str):
        assert refused(match, lambda: match.abort(value), {"bad_reason"})
    if wait is None:
        assert refused(match, lambda: match.play("p0", value), {"nothing_pending"})
        assert refused(match, lambda: match.choose("p0", value), {"nothing_pending"})
        return
    player = match.ids[wait.seat]
    if wait.kind == "choose":
        assert refused(match, lambda: match.play(player, value), {"wrong_action"})
        offered = type(value) is int and value in wait.options
        assert (
            refused(match, lambda: match.choose(player, value), {"choice_not_offered"})
            != offered
        )
        return
    assert refused(match, lambda: match.choose(player, value), {"wrong_action"})
    cards = {"card_not_in_hand", "duplicate_card", "no_cardset", "not_beating"}
    if not refused(match, lambda: match.play(player, value), {*cards, "must_lead"}):
        # only a list of cards is cards, and only an empty list is none
        assert isinstance(value, list), (name, identity(value))
        kind = match.actions[-1][1]
        assert kind == ("play" if value else "skip")


class Interrupted:
    """Cards that cannot be read to the end."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __iter__(self) -> Iterator[int]:
        yield 1
        raise self.error


@pytest.mark.parametrize(
    "error", [ValueError("x"), RuntimeError("x"), KeyboardInterrupt(), RecursionError()]
)
def test_arguments_that_raise(error: BaseException) -> None:
    """What the caller's own objects raise comes through or is refused; the match is as it was."""
    match = new("tiny")
    before = everything(match)
    with pytest.raises((type(error), DealwrightError)):
        match.play("p0", Interrupted(error))
    assert everything(match) == before


def test_cards_of_another_rule_are_no_cards() -> None:
    match = new("tiny")
    own = match.hands[0][0].id
    for name in NAMES[1:]:
        other = package(name).PACKAGE.cards[own - 1]
        assert refused(
            match,
            lambda card=other: match.play("p0", [card]),  # type: ignore[misc]
            {"card_not_in_hand"},
        )


# --- saved states


def places(value: Json, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All places of a state; of a long list the first and the last entry, since the others are alike."""
    found = [path] if path else []
    items: list[tuple[Any, Json]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        ends = sorted({0, len(value) - 1}) if value else ()
        items = [(index, value[index]) for index in ends]
    for key, inner in items:
        found += places(inner, (*path, key))
    return found


def changed(state: Json, path: tuple[Any, ...], value: Json) -> Json:
    made = copy.deepcopy(state)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return made


def read(name: str, state: Json) -> Match[Any, Any, Any] | None:
    """The match of a state; None, and a sentence that says why, if it is refused."""
    before = spelled(state)
    try:
        match: Match[Any, Any, Any] = package(name).match_from_json(state)
    except MatchError as error:
        check_refusal(error)
        assert error.code == "bad_state"
        match_or_none = None
    else:
        assert spelled(match.to_json()) == spelled(state)
        match_or_none = match
    assert spelled(state) == before
    return match_or_none


@pytest.mark.parametrize("name", NAMES)
def test_states(name: str) -> None:
    """Every value in every place of a state."""
    taken = 0
    for state in states(name) if LONG else states(name)[1:2] or states(name)[-1:]:
        for path in places(state):
            for value in VALUES if LONG else VALUES[len(path) % 2 :: 2]:
                match = read(name, changed(state, path, value))
                if match is not None:
                    taken += 1
                    check_match(match, name)
    assert taken > 10


@pytest.mark.parametrize("name", NAMES)
def test_states_without_and_with_more(name: str) -> None:
    """Every key taken away, or one too many, in every object of a state; every entry of a list twice or not there."""
    for state in states(name):
        assert read(name, state) is not None
        for path in places(state):
            inner = state
            for key in path:
                inner = inner[key]
            if isinstance(inner, dict):
                if path != ("previous", "properties"):
                    assert read(name, changed(state, path, {**inner, "zz": 1})) is None
                for key in inner:
                    less = {one: inner[one] for one in inner if one != key}
                    assert read(name, changed(state, path, less)) is None
            elif isinstance(inner, list) and inner:
                for other in ([*inner, inner[0]], inner[1:], [*inner[1:], inner[1:]]):
                    match = read(name, changed(state, path, other))
                    if match is not None:
                        assert path[0] in {"latest", "skipped", "previous"}


@pytest.mark.parametrize("value", VALUES, ids=identity)
def test_what_is_no_state(value: Json) -> None:
    assert read("tiny", value) is None
    assert read("tiny", {**states("tiny")[0], "zz": value}) is None


def test_states_of_other_rules() -> None:
    for name in NAMES:
        for other in NAMES:
            for state in states(other) if other != name else ():
                assert read(name, state) is None
                assert read(name, {**state, "rule": package(name).PACKAGE.name}) is None


IMPOSSIBLE: dict[str, tuple[tuple[Any, ...], Callable[[Json], Json]]] = {
    "the wait is another seat's than whose turn it is": (
        ("pending", "seat"),
        lambda state: (state["pending"]["seat"] + 1) % len(state["ids"]),
    ),
    "the latest cards are another play than the previous one": (
        ("latest",),
        lambda state: [
            one for one in state["discard"] if one not in state["previous"]["cards"]
        ][:1],
    ),
    "the maker of the previous play has skipped since": (
        ("skipped",),
        lambda state: [state["previous"]["seat"]],
    ),
    "the previous play has fewer cards than its cardset": (
        ("previous", "cards"),
        lambda state: [],
    ),
    "no action has a card that is recorded": (
        ("actions",),
        lambda state: {"seats": [], "sizes": [], "numbers": [1]},
    ),
    "an action is a choice beyond every integer": (
        ("actions",),
        lambda state: {"seats": [0], "sizes": [-1], "numbers": [HUGE]},
    ),
}
"""States that no match can come to: path and new value."""


@pytest.mark.parametrize("why", IMPOSSIBLE)
def test_impossible_states(why: str) -> None:
    path, value = IMPOSSIBLE[why]
    state = next(
        one
        for one in states("big_two")
        if one["pending"]
        and one["previous"]
        and len(one["discard"]) > len(one["previous"]["cards"])
    )
    assert read("big_two", state) is not None
    assert read("big_two", changed(state, path, value(state))) is None


LARGEST = 10**4000 - 1
"""The largest integer that a rule file may hold."""


def with_largest(place: str) -> Json:
    rule = json.loads((RULES / "tiny.json").read_text("utf-8"))
    design = rule["design"]
    match place:
        case "result":
            design["end_flow"]["won"]["content"]["result"] = LARGEST
        case "default":
            table = design["classes"]["table"]["user_properties"]
            table["x"] = {"type": "int", "default": LARGEST}
        case "cardset":
            flow = design["cardsets"]["1"]["build_flow"]
            flow["yes"]["content"]["properties"] = {"x": LARGEST}
        case _:
            flow = design["match_flow"]
            content = {"component": "place", "rvalue": LARGEST, "next": "ask"}
            flow["set"] = {"type": 4, "content": content}
            target = {"operator": 0, "ident": "table_0", "property": "x"}
            flow["place"] = {"type": 6, "content": target}
            flow["deal"]["content"]["next"] = "set"
    return rule


@pytest.mark.parametrize("place", ["result", "default", "cardset", "assignment"])
def test_what_a_rule_file_may_hold_a_state_may_hold(place: str) -> None:
    from tests.support import compiled

    made = compiled(with_largest(place))
    match = made.new_match(["a", "b"], seed=1)
    match.play("a", match.hands[0])
    text = json.dumps(match.to_json())
    assert json.dumps(made.match_from_json(json.loads(text)).to_json()) == text


# --- positions and records


@pytest.mark.parametrize("argument", ["hands", "wait", "deck", "discard", "table",
                                      "players", "ids", "cards", "seed"])  # fmt: skip
@pytest.mark.parametrize("name", ["tiny", "twenty_one"])
def test_positions(name: str, argument: str) -> None:
    """Every value for every argument of `arrange`, and in every place of those that hold others."""
    made = package(name)
    count = seats_of(made)
    numbers = [card.id for card in made.PACKAGE.cards]
    good: Json = {
        "hands": [[number] for number in numbers[:count]],
        "deck": numbers[count + 1 :],
        "discard": numbers[count : count + 1],
        "wait": next(iter(made.PACKAGE.resume)),
        "table": {"player_index": 1},
        "players": [{"手牌数": 1}] * count,
        "ids": players(name),
        "seed": 1,
        "cards": {},
    }
    assert made.arrange(**good).pending is not None
    for path in [(argument,), *places(good[argument], (argument,))]:
        for value in VALUES:
            edited = changed(good, path, value)
            try:
                match = made.arrange(**edited)
            except MatchError as error:
                check_refusal(error)
                assert error.code in {"bad_position", "bad_players"}
            else:
                check_match(match, name)


@pytest.mark.parametrize("name", ["tiny", "twenty_one"])
def test_records(name: str) -> None:
    """Every value as an argument of `replay` and in every place of its actions."""
    made = package(name)
    state = states(name)[-1]
    actions = made.match_from_json(state).actions
    good: Json = [state["ids"], state["seed"], actions]
    assert made.replay(*good).to_json() == state
    for path in places(good):
        for value in VALUES:
            try:
                match = made.replay(*changed(good, path, value))
            except (MatchError, Rejected) as error:
                check_refusal(error)
            else:
                if path == (2,):
                    assert isinstance(value, list), identity(value)
                json.dumps(match.to_json())


def test_starts() -> None:
    made = package("twenty_one")
    for value in VALUES:
        try:
            match = made.new_match(value)
        except MatchError as error:
            check_refusal(error)
            assert error.code == "bad_players"
        else:
            assert isinstance(value, list), identity(value)
            json.dumps(match.to_json())
        try:
            match = made.new_match(["a"], seed=value)
        except MatchError as error:
            check_refusal(error)
            assert error.code == "bad_seed"
        else:
            assert value is None or type(value) is int
            json.dumps(match.to_json())


# --- threads


def hostile_match(name: str, seed: int) -> str:
    """A match in which each legal action comes after many hostile ones; how it ends."""
    rng = random.Random(seed)
    match = new(name, seed)
    codes: list[str] = []
    for _ in range(12):
        wait = match.pending
        if wait is None:
            break
        for value in rng.sample(VALUES, 8):
            if isinstance(value, list | str | dict) and not value:
                continue  # a skip, perhaps
            for submit in (match.play, match.choose):
                try:
                    submit(match.ids[wait.seat], value)
                except Rejected as error:
                    codes.append(error.code)
            if match.pending != wait:
                break
        else:
            act(match, package(name), rng)
    return json.dumps([codes, match.to_json()])


def test_threads() -> None:
    """Matches in threads, each under attack, end as the same matches one after another."""
    work = [(name, seed) for seed in range(20 if LONG else 5) for name in NAMES]
    alone = [hostile_match(*one) for one in work]
    with ThreadPoolExecutor(16) as pool:
        together = list(pool.map(lambda one: hostile_match(*one), work * 2))
    assert together == alone * 2
