"""A round is its state: restarted at every wait it goes on as if nothing had happened, and damaged states are refused."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from dealwright.runtime.errors import MatchError
from dealwright.runtime.windows import RuleMode
from examples.sichuan.round import Round
from examples.sichuan.saved import read_round, round_json
from tests.sichuan.playing import (
    SBR_MODE,
    V1_MODE,
    Log,
    deal_of,
    new_round,
    play,
    publisher_of,
    restarted,
)
from tests.support import LONG

SEEDS = range(300) if LONG else range(8)


@pytest.mark.parametrize("mode", (V1_MODE, SBR_MODE), ids=lambda mode: mode.name)
def test_a_restart_at_every_wait_changes_nothing(mode: RuleMode) -> None:
    for seed in SEEDS:
        deal = deal_of(seed, mode is SBR_MODE)
        straight, broken = Log(), Log()

        def restart(played: Round, log: Log = broken) -> Round:
            return restarted(played, log)

        first = play(mode, deal, seed, straight)
        second = play(mode, deal, seed, broken, restart)
        assert round_json(first) == round_json(second)
        assert straight.streams == broken.streams


def test_a_damaged_state_is_refused() -> None:
    """Every member of the state taken out or replaced by something else."""
    states: list[Any] = []

    def keep(played: Round) -> Round:
        states.append(round_json(played))
        return played

    play(SBR_MODE, deal_of(7, True), 7, at_wait=keep)
    claims = [state for state in states if state["phase"] == "CLAIM"]
    turns = [state for state in states if state["phase"] == "TURN"]
    for state in (json.loads(json.dumps(claims[-1])), turns[-1]):
        for name in state:
            for wrong in ("no", -7, [1, 2], {"a": 1}):
                damaged = copy.deepcopy(state) | {name: wrong}
                is_free = name == "roundId" and type(wrong) is str
                is_free |= name == "deadlineAt" and type(wrong) is int
                if is_free:
                    continue
                with pytest.raises(MatchError) as error:
                    read_round(damaged, SBR_MODE, publisher_of(Log()))
                assert error.value.code == "bad_state", name
    assert claims and turns


def test_a_tile_too_many_is_refused() -> None:
    state: Any = round_json(new_round(V1_MODE, deal_of(5, False), Log()))
    state["wall"][0] = state["wall"][1]
    with pytest.raises(MatchError, match="four times"):
        read_round(state, V1_MODE, publisher_of(Log()))
