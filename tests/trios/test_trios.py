"""Trios, the second game on the windows: other cards, three seats, and a claim that only the next seat has."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

from dealwright.runtime.hints import Draft, Hint
from dealwright.runtime.windows import (
    PASS,
    GameMessagePublisher,
    lints,
    read_window,
    verify_spec,
)
from dealwright.runtime.windows.as_hints import reply_of
from examples.trios.game import CARDS, MODE, SEATS, Round, loneliest
from tests.support import LONG

ROUNDS = 5_000 if LONG else 150


def played(seed: int, found: Counter[str]) -> Round:
    """A round between seats that claim nearly whatever they are offered, looked at at every wait."""
    rng = Random(seed)
    game = Round(GameMessagePublisher("t", SEATS, lambda seat, message: None), seed)
    now = 0
    game.begin(now)
    while not game.is_over:
        now += 10
        assert game.table.count() == len(CARDS)
        json.dumps(game.to_json())
        if game.desk.is_open:
            answer_window(game, now, rng, found)
        elif game.can_win():
            found["WIN drawn"] += 1
            game.win(now)
        else:
            game.discard(loneliest(game.table.hands[game.seat]), now)
    assert game.table.count() == len(CARDS)
    found["no winner" if game.winner is None else "winner"] += 1
    return game


def answer_window(game: Round, now: int, rng: Random, found: Counter[str]) -> None:
    """One seat answers through its hint, or all of them let the time run out."""
    window = game.desk.window
    assert window is not None
    found["asked together"] += len(window.candidates) > 1
    asked = [seat for seat in SEATS if isinstance(game.seen(seat), Hint)]
    assert asked == sorted(
        each.seat_no for each in window.candidates if each.answer is None
    )
    for each in window.candidates:
        actions = [option.action_type for option in each.options]
        assert actions[-1] == PASS and len(actions) > 1
        if "CHOW" in actions:
            assert each.seat_no == (window.source_seat_no + 1) % len(SEATS)
            found["CHOW in several ways"] += actions.count("CHOW") > 1
    if rng.random() < 0.1:
        found["silence"] += 1
        game.time(window.wake_at)
        return
    seat = rng.choice(asked)
    hint = game.seen(seat)
    assert isinstance(hint, Hint)
    draft = Draft(hint)
    option = rng.choice(draft.options())
    draft.choose(option)
    while not draft.is_complete:
        draft.pick_card(draft.selectable_cards()[0])
    found[option.name.partition("#")[0]] += 1
    game.claim(reply_of(window, seat, draft.reply(), f"a{now}"), now)


def test_rounds_end_and_every_claim_is_made() -> None:
    found: Counter[str] = Counter()
    for seed in range(ROUNDS):
        played(seed, found)
    print(sorted(found.items()))
    for name in (
        "WIN",
        "WIN drawn",
        "SET",
        "CHOW",
        "CHOW in several ways",
        "abort",
        "silence",
        "asked together",
        "winner",
        "no winner",
    ):
        assert found[name] >= 3, name


def test_the_same_seed_plays_the_same_round() -> None:
    first, second = (played(5, Counter()).to_json() for _ in range(2))
    assert first == second


def test_its_window_is_proved_by_trying_everything() -> None:
    spec = MODE.windows["DISCARD"]
    result = verify_spec(spec, 3)
    assert result.holds and result.states > 100
    # two seats cannot both hold two of the three copies
    assert [problem.code for problem in lints(spec)] == ["unreachable_tie"]


def test_a_window_of_numbers_is_json_and_back() -> None:
    for seed in range(40):
        game = Round(GameMessagePublisher("t", SEATS, lambda seat, message: None), seed)
        game.begin(0)
        while not game.desk.is_open:
            game.discard(loneliest(game.table.hands[game.seat]), 0)
        state = json.loads(json.dumps(game.to_json()))
        assert read_window(state["desk"]["window"]) == game.desk.window
