"""The quick way to read a saved state takes nothing that the careful one refuses, and gives the same game.

`match_from_json` asks `UsualStates` first and `read_state` where that gives nothing. States are damaged in many ways; each
is read in both ways.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import plain
import pytest
import toy
from runtime_helpers import random_moves

from dealwright.runtime import Game, Match, MatchError, Package
from dealwright.runtime.state import read_state
from tests.support import LONG, RULES, act, package_of, seats_of

Json = Any
NAMES = ("tiny", "war", "big_two", "twenty_one", "qiang_duizi")
DAMAGE: tuple[Json, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 255, 256, 2**63, 10**30, -(10**5000), 1.0, 0.0, "", "x", "play", "skip", "1",
    "\ud800", [], [1], [True], [1.0], [[]], [None], ["x"], {}, {"x": 1}, {"": True}, [0, "skip"], [0, "play", [1]],
    [True, "skip"], [0, "skip", None], [0, "play", []], [0, "play", "1"], [0, "choose", 1], [0, "choose", True],
)  # fmt: skip


class Text(str):
    """Equal to a string, and none of JSON."""


class Number(int):
    """Equal to an integer, and none of JSON."""


def courses() -> Iterator[tuple[Any, Json]]:
    """Packages with states of a match at all its waits and at its end."""
    for module, ids in ((toy, ["ann", 7, "波"]), (plain, ["a", "b"])):
        match = module.new_match(ids, seed=3)
        yield module.PACKAGE, match.to_json()
        if module is toy:
            for _ in random_moves(match, 3, 12):
                yield module.PACKAGE, match.to_json()
    for name in NAMES:
        module = package_of(RULES / f"{name}.json")
        match = module.new_match(
            [f"p{seat}" for seat in range(seats_of(module))], seed=5
        )
        rng = random.Random(5)
        while match.pending is not None and len(match.actions) < 60:
            yield module.PACKAGE, match.to_json()
            act(match, module, rng)
        yield module.PACKAGE, match.to_json()


COURSES = [(package, json.dumps(state)) for package, state in courses()]


def everything(game: Game[Any, Any, Any]) -> Json:
    """All that a game keeps, the identity of shared cards included; what it made for itself by its value."""
    kept = {
        name: getattr(game, name)
        for name in Game.__slots__
        if name
        not in {"__weakref__", "table", "players", "previous", "cards", "record"}
    }
    place = {id(card): number for number, card in enumerate(game.cards)}
    for name in ("deck", "discard", "latest"):
        kept[name] = [place[id(card)] for card in kept[name]]
    kept["hands"] = [[place[id(card)] for card in hand] for hand in game.hands]
    kept["no_card"], kept["no_player"] = id(game.no_card), id(game.no_player)
    kept["cards"] = [(card.id, type(card), card.values()) for card in game.cards]
    kept["record"] = repr(game.record.to_json())  # True is not 1
    kept["table"] = (type(game.table), game.table.values())
    kept["players"] = [(type(one), one.seat, one.values()) for one in game.players]
    assert all(one._log is game.log for one in (game.table, *game.players))
    assert all(one._home() is game for one in game.cards if hasattr(one, "_home"))
    if game.previous is not None:
        seat, play = game.previous
        cards = [place[id(card)] for card in play.cards]
        kept["previous"] = (seat, play.id, play.cardset, cards, play.properties)
    return kept


def read_both(package: Any, state: Json) -> bool:
    """Whether the quick way takes the state; then the careful one must, with the same outcome."""
    quick = package._usual.read(state)
    if quick is None:
        return False
    game, ids, seed = read_state(package, state)
    assert quick[1:] == (ids, seed)
    assert list(map(type, quick[1])) == list(map(type, ids))
    assert everything(quick[0]) == everything(game)
    saved = Match(package, quick[0], ids, seed).to_json()
    assert saved == {key: value for key, value in state.items() if key != "hints"}
    return True


def test_usual_states_are_taken() -> None:
    taken = [
        read_both(package, json.loads(state))
        for package, state in COURSES
        if json.loads(state)["pending"]
    ]
    assert all(taken) and len(taken) > 100


def places(value: Json, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    items: Any = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        items = enumerate(value)
    for key, inner in items:
        yield from places(inner, (*path, key))


def damaged(state: Json, rng: random.Random) -> Json:
    """The state with something else, nothing or more at one or two places."""
    state = copy.deepcopy(state)
    for _ in range(rng.choice((1, 1, 2))):
        *way, last = rng.choice(list(places(state)))
        inner = state
        for key in way:
            inner = inner[key]
        value = inner[last]
        kind = rng.randrange(6)
        if kind == 0:
            del inner[last]
        elif kind == 1 and isinstance(inner, list):
            inner.insert(last, copy.deepcopy(rng.choice(inner)))
        elif kind == 2 and isinstance(inner, list):
            rng.shuffle(inner)
        elif kind == 3 and type(value) is int:
            inner[last] = rng.choice(
                (float(value), value == 1, Number(value), value + 1)
            )
        elif kind == 4 and isinstance(value, str):
            inner[last] = rng.choice((Text(value), value + "x"))
        else:
            inner[last] = copy.deepcopy(rng.choice(DAMAGE))
    return state


@pytest.mark.parametrize("seed", range(40 if LONG else 4))
def test_damaged_states_are_read_alike(seed: int) -> None:
    rng = random.Random(seed)
    taken = refused = 0
    for package, text in rng.sample(COURSES, 60):
        for _ in range(8):
            state = damaged(json.loads(text), rng)
            if read_both(package, state):
                taken += 1
                continue
            try:
                game, ids, before = read_state(package, state)
            except MatchError as error:
                refused += 1
                with pytest.raises(MatchError) as raised:
                    package.match_from_json(state)
                assert raised.value.args == error.args
            else:
                match = package.match_from_json(state)
                assert everything(match._game) == everything(game)
                assert (match.ids, match.seed) == (ids, before)
    assert taken > 10 and refused > 100


def test_nothing_is_shared_with_the_state() -> None:
    """Whoever changes a state after loading it does not change the match."""
    for package, text in COURSES[::7]:
        state = json.loads(text)
        match = package.match_from_json(state)
        for path in sorted(places(state), key=len, reverse=True):
            inner = state
            for key in path[:-1]:
                inner = inner[key]
            if isinstance(inner[path[-1]], list | dict):
                inner[path[-1]].clear()
        assert match.to_json() == json.loads(text)


def test_a_class_that_keeps_more_is_read_carefully() -> None:
    """What a hand-written player keeps besides its properties is made by its own `__init__`."""

    class Marked(plain.classes.Player):
        __slots__ = ("mark",)
        mark: str

        def __init__(self, seat: int) -> None:
            super().__init__(seat)
            object.__setattr__(self, "mark", "made here")

    package = Package(
        name="marked",
        players=2,
        card=plain.classes.Card,
        play=plain.classes.Played,
        player=Marked,
        table=plain.classes.Table,
        new_deck=plain.classes.new_deck,
        no_player=Marked(-1).as_nothing(),
        start=plain.match.start,
        resume=plain.match.RESUME,
        settle=plain.settle,
        recognize=plain.recognize,
        beats=plain.beats,
    )
    state = {**plain.new_match(["a", "b"], seed=1).to_json(), "rule": "marked"}
    match = package.match_from_json(state)
    assert [player.mark for player in match.players] == ["made here", "made here"]
    assert match.to_json() == state
