"""What a seat is shown never depends on what it may not see.

A match is stopped at a random position, and cards that one seat does not see change places: those in other hands and in
the deck. To that seat both matches must look the same, byte for byte, at once and after the same visible actions. A
rule may tell secrets itself, since what it assigns to the table or a player is public; samples in which it does are set
aside, and counted, so that the test cannot run out of them unnoticed.
"""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from dealwright.runtime import Rejected
from tests.support import (
    RULES,
    Action,
    Json,
    Match,
    act,
    as_bytes,
    compiled,
    do,
    package_of,
    seats_of,
    shipped_rules,
)

each_rule = pytest.mark.parametrize(
    "path", shipped_rules(), ids=lambda one: str(one.stem)
)

POSITIONS = 60
ACTIONS_AFTER = 3


def events(match: Match, seat: int | None) -> list[Json]:
    """The events that a seat has not taken yet."""
    return [one.to_json() for one in match.take_events(seat)]


def shown(match: Match, seat: int) -> bytes:
    """All that a seat is shown."""
    return as_bytes([match.view(seat), events(match, seat)])


def somewhere(path: Path, rng: random.Random) -> Match:
    """A match of random players that waits at a random position."""
    package = package_of(path)
    while True:
        match = package.new_match(
            list(range(seats_of(package))), seed=rng.getrandbits(64)
        )
        for _ in range(rng.randrange(30)):
            if not match.finished:
                act(match, package, rng)
        if not match.finished:
            return match


def swapped(state: Json, seat: int, open_cards: set[int], rng: random.Random) -> Json:
    """A state in which the cards that `seat` does not see, but for `open_cards`, have changed places."""
    state = copy.deepcopy(state)
    places = [
        state["deck"],
        *(hand for at, hand in enumerate(state["hands"]) if at != seat),
    ]
    spots = [
        (place, at)
        for place in places
        for at, card in enumerate(place)
        if card not in open_cards
    ]
    cards = [place[at] for place, at in spots]
    rng.shuffle(cards)
    for (place, at), card in zip(spots, cards, strict=True):
        place[at] = card
    return state


def hidden(state: Json, seat: int) -> list[Json]:
    """What the seat does not see."""
    return [
        state["deck"],
        *(hand for at, hand in enumerate(state["hands"]) if at != seat),
    ]


@each_rule
def test_a_view_shows_nothing_of_hidden_cards(path: Path) -> None:
    package = package_of(path)
    rng = random.Random(path.stem)
    changed = 0
    for _ in range(POSITIONS):
        state = somewhere(path, rng).to_json()
        for seat in range(len(state["ids"])):
            other = swapped(state, seat, set(), rng)
            changed += hidden(other, seat) != hidden(state, seat)
            views = [package.match_from_json(one).view(seat) for one in (state, other)]
            assert as_bytes(views[0]) == as_bytes(views[1])
    assert changed > POSITIONS // 2


def later(package: Any, state: Json, rng: random.Random) -> list[Action]:
    """What random players do next."""
    match = package.match_from_json(state)
    before = len(match.actions)
    for _ in range(rng.randint(1, ACTIONS_AFTER)):
        if not match.finished:
            act(match, package, rng)
    done: list[Action] = match.actions[before:]
    return done


def cards_of(actions: list[Action]) -> set[int]:
    """The cards that are played, and so come into the open."""
    return {card for _, what, *rest in actions if what == "play" for card in rest[0]}


@each_rule
def test_the_same_actions_look_the_same_whatever_is_hidden(path: Path) -> None:
    package = package_of(path)
    rng = random.Random(f"{path.stem}, later")
    compared = told = changed = 0
    while compared < POSITIONS:
        assert told <= 6 * POSITIONS, "the rule tells nearly everything that is hidden"
        state = somewhere(path, rng).to_json()
        actions = later(package, state, rng)
        seat = rng.randrange(len(state["ids"]))
        # a rule that reads the deck reads its top
        top = set(state["deck"][: len(state["deck"]) // 2])
        other = swapped(state, seat, cards_of(actions) | top, rng)
        matches = [package.match_from_json(one) for one in (state, other)]
        if not followed(matches, actions) or public(matches[0]) != public(matches[1]):
            told += 1
            continue
        compared += 1
        changed += hidden(other, seat) != hidden(state, seat)
        assert shown(matches[0], seat) == shown(matches[1], seat), actions
    # tiny has four cards, so that often only one of them is hidden and left in play
    assert changed > POSITIONS // 8


def followed(matches: list[Match], actions: list[Action]) -> bool:
    """Do the actions in both matches; whether the rule let them, which what is hidden may decide."""
    try:
        for action in actions:
            for match in matches:
                do(match, action)
    except Rejected as error:
        assert error.code in ("must_lead", "not_beating", "no_cardset"), error
        return False
    return True


def public(match: Match) -> Json:
    """What the rule itself has told everybody."""
    state = match.to_json()
    return [state[name] for name in ("table", "players", "pending", "results")]


def refused(match: Match, player: int, cards: Json) -> Json:
    """All that the player is told when this play is refused."""
    with pytest.raises(Rejected) as caught:
        match.play(player, cards)
    error = caught.value
    return [error.code, str(error), error.flow, error.node]


@each_rule
def test_a_refusal_tells_nothing_of_hidden_cards(path: Path) -> None:
    """A card of somebody else, of the deck, of no deck at all: the answer is the same, and so are view and events."""
    package = package_of(path)
    rng = random.Random(f"{path.stem}, refused")
    cards = range(-1, len(package.PACKAGE.cards) + 3)
    tried = 0
    for _ in range(POSITIONS // 4):
        match = somewhere(path, rng)
        wait = match.pending
        mine = {card.id for card in match.hands[wait.seat]}
        if wait.kind != "play":
            assert refused(match, wait.seat, [1])[0] == "wrong_action"
            continue
        shown(match, wait.seat)
        before = shown(match, wait.seat)
        answers = {
            str(refused(match, wait.seat, [card])) for card in cards if card not in mine
        }
        assert len(answers) == 1 and "card_not_in_hand" in answers.pop()
        assert shown(match, wait.seat) == before
        tried += 1
    assert tried or path.stem == "twenty_one"


def test_the_deal_shows_a_seat_its_own_cards_only() -> None:
    """Two deals in which a seat gets the same card, and the others do not, look the same from there."""
    rule = json.loads((RULES / "tiny.json").read_text(encoding="utf-8"))
    flow = rule["design"]["match_flow"]
    flow["1"]["content"]["next"] = "mix"
    flow["mix"] = {"type": 19, "content": {"next": "deal"}}
    package = compiled(rule)
    seen: dict[tuple[int, int], dict[bytes, set[str]]] = {}
    for seed in range(60):
        match = package.new_match(["a", "b"], seed=seed)
        state = match.to_json()
        for seat in (0, 1):
            kept = seen.setdefault((seat, match.hands[seat][0].id), {})
            kept.setdefault(shown(match, seat), set()).add(str(hidden(state, seat)))
        everything = events(match, None)
        dealt = [one["audience"] for one in everything if one["kind"] == "dealt"]
        assert sorted(dealt) == ["all", "seat", "seat"]
    assert len(seen) == 8
    for views in seen.values():
        assert len(views) == 1 and all(len(deals) > 1 for deals in views.values())


@each_rule
def test_a_seat_gets_its_own_events_and_those_for_everybody(path: Path) -> None:
    rng = random.Random(f"{path.stem}, events")
    for _ in range(POSITIONS // 4):
        match = somewhere(path, rng)
        everything = events(match, None)
        assert [one["number"] for one in everything] == list(range(len(everything)))
        for seat in range(len(match.ids)):
            own = [
                one
                for one in everything
                if one["audience"] == "all"
                or (one["audience"] == "seat" and one["seat"] == seat)
            ]
            assert events(match, seat) == own and events(match, seat) == []


def test_a_leak_is_noticed() -> None:
    """The comparison itself: a view with one hidden card in it differs."""
    path = RULES / "big_two.json"
    package = package_of(path)
    rng = random.Random("leak")
    state = somewhere(path, rng).to_json()
    other = swapped(state, 0, set(), rng)
    leaks = [
        as_bytes({**package.match_from_json(one).view(0), "leak": one["hands"][1]})
        for one in (state, other)
    ]
    assert leaks[0] != leaks[1]
