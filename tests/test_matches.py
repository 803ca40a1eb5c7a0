"""The shipped rules, played on their packages: to the end, by the thousand, in threads, and across processes.

Random players play each rule; after every action each card is in exactly one place. What a match becomes depends on its
seed and its actions only: not on other matches in the same process, nor on being saved at a wait and continued
elsewhere. `DEALWRIGHT_LONG=1` plays a thousand matches of each rule.
"""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from dealwright.runtime import Rejected
from tests.support import (
    LONG,
    Action,
    Json,
    Match,
    act,
    built,
    check_cards,
    do,
    package_of,
    python,
    seats_of,
    shipped_rules,
    write_packages,
)

RULES = shipped_rules()
each_rule = pytest.mark.parametrize("path", RULES, ids=lambda one: str(one.stem))

MOST_ACTIONS = 400
"""More than any shipped rule can take."""

MATCHES = 1_000 if LONG else 150
AT_ONCE = 1_000


def played(path: Path, seed: int, seats: int | None = None) -> Match:
    """A match of random players, played to the end and counted at every step."""
    package = package_of(path)
    players = [f"player {seat}" for seat in range(seats or seats_of(package))]
    match = package.new_match(players, seed=seed)
    rng = random.Random(f"{path.stem} {seed}")
    check_cards(match, package)
    while not match.finished:
        assert len(match.actions) < MOST_ACTIONS, "the game does not end"
        act(match, package, rng)
        check_cards(match, package)
    assert match.aborted is None and set(match.results) == set(players)
    return match


@each_rule
def test_matches_come_to_an_end(path: Path) -> None:
    endings = {json.dumps(played(path, seed).results) for seed in range(MATCHES)}
    # a game that random players play is not always won by the same one; tiny is
    assert len(endings) > 1 or path.stem == "tiny"


@pytest.mark.parametrize("seats", [1, 2, 7, 26])
def test_a_rule_for_any_number_of_players_plays_with_any(seats: int) -> None:
    path = next(one for one in RULES if package_of(one).PACKAGE.players is None)
    for seed in range(5):
        assert len(played(path, seed, seats).results) == seats


@each_rule
def test_replay_makes_the_same_match(path: Path) -> None:
    package = package_of(path)
    for seed in (3, 2**63, -5):
        match = played(path, seed)
        # as it comes out of a bug report
        actions = json.loads(json.dumps(match.actions))
        again = package.replay(match.ids, seed=match.seed, actions=actions)
        assert again.to_json() == match.to_json()
        assert [one.to_json() for one in again.take_events()] == [
            one.to_json() for one in match.take_events()
        ]
        with pytest.raises(Rejected, match="over"):
            package.replay(match.ids, seed=match.seed, actions=[*actions, actions[-1]])


@each_rule
def test_a_match_without_a_seed_records_a_fresh_one(path: Path) -> None:
    package = package_of(path)
    players = list(range(seats_of(package)))
    match = package.new_match(players)
    assert package.new_match(players).seed != match.seed
    assert package.new_match(players, seed=match.seed).to_json() == match.to_json()


# --- many at once


def states(path: Path, seed: int, actions: list[Action]) -> list[Json]:
    """The states of a match before its first action and after each."""
    package = package_of(path)
    match = package.new_match(
        [f"player {seat}" for seat in range(seats_of(package))], seed=seed
    )
    found = [match.to_json()]
    for action in actions:
        do(match, action)
        found.append(match.to_json())
    return found


def test_a_thousand_matches_at_once_are_as_each_alone() -> None:
    """One thread for each match; all of them have started before the first goes on."""
    alone = []
    for number in range(AT_ONCE):
        # a few different matches of each rule, each of them many times
        path, seed = RULES[number % len(RULES)], number // len(RULES) % 8
        alone.append((path, seed))
    expected = {}
    for path, seed in set(alone):
        actions = played(path, seed).actions
        expected[path, seed] = actions, states(path, seed, actions)
    barrier = threading.Barrier(AT_ONCE)
    wrong: list[str] = []

    def run(path: Path, seed: int) -> None:
        package = package_of(path)
        actions, known = expected[path, seed]
        match = package.new_match(
            [f"player {seat}" for seat in range(seats_of(package))], seed=seed
        )
        barrier.wait(120)
        found = [match.to_json()]
        for action in actions:
            do(match, action)
            found.append(match.to_json())
        if found != known:
            wrong.append(f"{path.stem}, seed {seed}")

    errors = run_threads(run, alone)
    assert errors == [] and wrong == []


def run_threads(
    run: Callable[[Path, int], None], arguments: list[tuple[Path, int]]
) -> list[str]:
    """Run all at once, each in a thread of its own; what was raised."""
    errors: list[str] = []

    def guarded(path: Path, seed: int) -> None:
        try:
            run(path, seed)
        except Exception as error:
            errors.append(repr(error))

    size = threading.stack_size(256 * 1024)
    try:
        threads = [threading.Thread(target=guarded, args=one) for one in arguments]
        for thread in threads:
            thread.start()
    finally:
        threading.stack_size(size)
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads)
    return errors


# --- on in another process

CONTINUE = """
import importlib, json, sys

slug = sys.argv[1]
package = importlib.import_module(slug)
assert "dealwright.compiler" not in sys.modules
for line in sys.stdin:
    given = json.loads(line)
    match = package.match_from_json(given["state"])
    again = match.to_json()
    for seat, what, *rest in given["actions"]:
        player = match.ids[seat]
        {"play": match.play, "skip": match.skip, "choose": match.choose}[what](player, *rest)
    events = [one.to_json() for one in match.take_events()]
    print(json.dumps({"again": again, "state": match.to_json(), "events": events}))
"""


@each_rule
def test_every_wait_is_resumed_in_a_new_process(path: Path, tmp_path: Path) -> None:
    """A match is saved at every wait; a process that knows only the package plays each of them to the same end."""
    (slug,) = write_packages(tmp_path, [path])
    saved = []
    expected = []
    for seed in (1, 2):
        match = played(path, seed)
        end = match.to_json()
        events = [one.to_json() for one in match.take_events()]
        for done, state in enumerate(states(path, seed, match.actions)[:-1]):
            saved.append(json.dumps({"state": state, "actions": match.actions[done:]}))
            later = [one for one in events if one["number"] >= state["event"]]
            expected.append({"again": state, "state": end, "events": later})
    waits = {json.loads(one)["state"]["pending"]["node"] for one in saved}
    assert waits == set(package_of(path).PACKAGE.resume), "not every wait was met"
    said = python(
        *("-c", CONTINUE, slug),
        cwd=tmp_path,
        path=[tmp_path],
        given="\n".join(saved),
    )
    found = [json.loads(line) for line in said.splitlines()]
    assert found == json.loads(json.dumps(expected))


@each_rule
def test_packages_on_disk_are_importable_by_name(path: Path, tmp_path: Path) -> None:
    (slug,) = write_packages(tmp_path, [path])
    said = python(
        "-c",
        f"import {slug}; print({slug}.PACKAGE.name)",
        cwd=tmp_path,
        path=[tmp_path],
    )
    assert said.strip() == built(path).name
