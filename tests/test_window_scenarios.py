"""Response windows on arranged positions: candidates, resolution, refusals, what follows, and all that is told to whom.

    pytest tests/test_window_scenarios.py --scenarios FILE

plays every scenario of the file, on the Sichuan example. Of public events only the types and the fields given are
compared, of private messages everything but withdrawals, which are optional.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support import SHARED
from tests.windows.scenario import Json, play, told

MISSING = "no scenarios are at hand; give --scenarios FILE"
SHARED_SCENARIOS = SHARED / "windows" / "scenarios.json"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each scenario: of the file given, else of the shared one if it is there."""
    if "scenario" not in metafunc.fixturenames:
        return
    given = metafunc.config.getoption("--scenarios")
    path = SHARED_SCENARIOS if given is None else Path(given)
    if given is None and not path.is_file():
        skipped = pytest.param(None, None, marks=pytest.mark.skip(reason=MISSING))
        metafunc.parametrize(("scenario", "positions"), [skipped], ids=["none"])
        return
    document = json.loads(path.read_text(encoding="utf-8"))
    if not document.get("scenarios"):
        raise pytest.UsageError(f"--scenarios: there is no scenario in {path}")
    cases = [(each, document["positions"]) for each in document["scenarios"]]
    ids = [each["id"] for each in document["scenarios"]]
    metafunc.parametrize(("scenario", "positions"), cases, ids=ids)


def compared(found: Json, expected: Json) -> Json:
    """What was found, without the fields of events that the scenario does not give."""
    events = [
        {name: value for name, value in event.items() if name in wanted}
        for event, wanted in zip(found["public"], expected["public"], strict=False)
    ]
    rest = found["public"][len(events) :]
    return {name: found[name] for name in expected} | {"public": [*events, *rest]}


@pytest.mark.parametrize("opened_at", (0, 1_767_225_600_000))
def test_the_scenario_comes_out_as_expected(
    scenario: Json, positions: Json, opened_at: int
) -> None:
    found = told(play(scenario, positions, opened_at), scenario)
    assert compared(found, scenario["expect"]) == scenario["expect"]


@pytest.fixture
def shared() -> Any:
    """The shared scenarios."""
    if not SHARED_SCENARIOS.is_file():
        pytest.skip(MISSING)
    return json.loads(SHARED_SCENARIOS.read_text(encoding="utf-8"))


def test_a_wrong_expectation_is_noticed(shared: Json) -> None:
    """The comparison itself: every part of an expectation can fail."""
    scenario = next(each for each in shared["scenarios"] if each["id"] == "S03")
    found = told(play(scenario, shared["positions"]), scenario)
    wrong = {
        "candidates": {},
        "closed_at": 600,
        "close_reason": "TIMEOUT",
        "rejects": [],
        "next": ["DRAW", 0],
        "public": scenario["expect"]["public"][:-1],
        "private": [],
        "resolution": None,
    }
    for name, value in wrong.items():
        spoilt = scenario["expect"] | {name: value}
        assert compared(found, spoilt) != spoilt, name
