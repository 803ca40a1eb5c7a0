"""Matches recorded from the interpreter that servers use today come out the same on compiled packages.

    pytest tests/test_traces.py --traces DIR --rules DIR

replays every `*.json` of the first folder on the rule of the second that it names. A recording has the state at its
first wait, and for each action whether it was accepted and the state after it; names have the rule's own spelling, and a
property that nobody declared is 0. A refused action must leave everything as it was, bit for bit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from dealwright.runtime import Rejected
from tests.support import SHARED_RULES, SHARED_TRACES, Json, Match, package_of

MISSING = "no recorded matches are at hand; give --traces DIR and --rules DIR"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each recording: of the folder given, else of the shared one if it is there."""
    if "recording" not in metafunc.fixturenames:
        return
    given = metafunc.config.getoption("--traces")
    folder = SHARED_TRACES if given is None else Path(given)
    recordings = sorted(folder.glob("*.json"))
    if given is not None and not recordings:
        raise pytest.UsageError(f"--traces: no *.json in {given}")
    skipped = pytest.param(None, marks=pytest.mark.skip(reason=MISSING))
    metafunc.parametrize(
        "recording",
        recordings or [skipped],
        ids=[path.stem for path in recordings] or ["none"],
    )


def rule_file(config: pytest.Config, name: str) -> Path:
    """The rule that a recording names: in the folder given, else among the shared ones."""
    given = config.getoption("--rules")
    folders = [Path(given), SHARED_RULES] if given is not None else [SHARED_RULES]
    found = [folder / name for folder in folders if (folder / name).is_file()]
    assert found, f"no folder of rules holds {name}; give one with --rules DIR"
    return found[0]


def nonzero(values: Mapping[str, int]) -> dict[str, int]:
    """Properties for comparing: one that nobody declared is 0."""
    return {name: value for name, value in values.items() if value != 0}


def plain(state: Json) -> Json:
    """A recorded state in the form of `position`."""
    return {
        "hands": state["hands"],
        "discard": state["discard"],
        "deck": state["deck"],
        "table": nonzero(state["table"]),
        "players": [nonzero(one) for one in state["players"]],
        "pending": state["pending"],
        "results": state["results"],
    }


def position(match: Match) -> Json:
    """The state of a match as recordings have it."""
    saved = match.to_json()
    return plain(saved)


def arranged(package: Any, start: Json) -> Match:
    """The match at the start of a recording. A property that the package does not know must be 0 there."""
    empty = package.PACKAGE
    known = empty.table().values().keys(), empty.no_player.values().keys()

    def declared(values: Mapping[str, int], names: Any) -> dict[str, int]:
        return {
            name: value for name, value in values.items() if name in names or value != 0
        }

    return package.arrange(
        hands=start["hands"],
        deck=start["deck"],
        discard=start["discard"],
        table=declared(start["table"], known[0]),
        players=[declared(one, known[1]) for one in start["players"]],
        wait=start["pending"]["node"],
    )


def replay(package: Any, recorded: Json, story: str) -> None:
    """One recorded match, compared at every step."""
    match = arranged(package, recorded["start"])
    assert position(match) == plain(recorded["start"]), f"{story}, at the start"
    for number, step in enumerate(recorded["steps"]):
        where = f"{story}, step {number}: seat {step['seat']} plays {step['cards']}"
        before = match.to_json()
        try:
            match.play(match.ids[step["seat"]], step["cards"])
        except Rejected as error:
            assert not step["ok"], f"{where}: refused, {error}"
            assert match.to_json() == before, f"{where}: refused, and yet changed"
            continue
        assert step["ok"], f"{where}: accepted, but not by today's interpreter"
        assert position(match) == plain(step["state"]), where


def replay_all(package: Any, rule: str, limit: int | None = None) -> int:
    """All shared recordings of a rule file on its package; how many matches that were, of each recording at most `limit`."""
    count = 0
    for path in sorted(SHARED_TRACES.glob("*.json")):
        recorded = json.loads(path.read_text(encoding="utf-8"))
        if recorded["rule"] == rule:
            for number, match in enumerate(recorded["matches"][:limit]):
                replay(package, match, f"{path.name}, match {number}")
                count += 1
    return count


def test_recorded_matches_are_reproduced(
    recording: Path, request: pytest.FixtureRequest
) -> None:
    recorded = json.loads(recording.read_text(encoding="utf-8"))
    package = package_of(rule_file(request.config, recorded["rule"]))
    assert recorded["matches"], "there is no match in this recording"
    for number, match in enumerate(recorded["matches"]):
        assert len(match["start"]["hands"]) == recorded["players"]
        replay(package, match, f"{recording.name}, match {number}")


def test_a_wrong_recording_is_noticed() -> None:
    """The comparison itself: of a recording with one card elsewhere, one is enough to fail."""
    path = SHARED_TRACES / "war.json"
    if not path.is_file():
        pytest.skip(MISSING)
    recorded = json.loads(path.read_text(encoding="utf-8"))
    package = package_of(SHARED_RULES / recorded["rule"])
    match = next(one for one in recorded["matches"] if one["steps"])
    last = next(step for step in reversed(match["steps"]) if step["ok"])
    last["state"]["table"]["player_index"] += 1
    with pytest.raises(AssertionError, match="step"):
        replay(package, match, "spoilt")
