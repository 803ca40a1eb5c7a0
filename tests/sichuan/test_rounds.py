"""Whole Sichuan rounds in both modes: they end properly, and everything that the rules know occurs.

`DEALWRIGHT_LONG=1 pytest -s tests/sichuan/test_rounds.py` plays 10,000 rounds of each mode and prints how often what
occurred.
"""

from __future__ import annotations

import sys
from collections import Counter

import pytest

from dealwright.runtime.windows import RuleMode
from examples.sichuan.fans import FANS
from examples.sichuan.round import KONG_PAY
from tests.sichuan.playing import (
    SBR_MODE,
    V1_MODE,
    deal_of,
    happenings,
    play,
)
from tests.support import LONG

ROUNDS = 10_000 if LONG else 60
LEAST = 50 if LONG else 0
STEP = 1_000

ROBBING = {"fan ROB_GANG", "win ROB_KONG"}
SEVERAL = {"win TOGETHER"}
EVERYTHING = {
    *(f"fan {name}" for name in (*FANS, "PLAIN")),
    *(f"kong {kind}" for kind in KONG_PAY),
    *(f"win {kind}" for kind in ("SELF_DRAW", "DISCARD", "ROB_KONG", "TOGETHER")),
    *(
        f"payment {reason}"
        for reason in ("WIN", "KONG", "SHOT_REFUND", "READY_CHECK", "KONG_REFUND")
    ),
    *(
        f"status {status}"
        for status in ("READY", "NOT_READY", "PASSIVE_PIG", "ACTIVE_PIG", "WON")
    ),
    "ending WALL_EMPTY",
    "ending THREE_WINNERS",
    "fine",
}


@pytest.mark.parametrize("mode", (V1_MODE, SBR_MODE), ids=lambda mode: mode.name)
def test_rounds_end_properly_and_everything_occurs(mode: RuleMode) -> None:
    """`play` checks each round at every wait and at its end."""
    is_robbing = mode.window("ADD_KONG") is not None
    found: Counter[str] = Counter()
    for seed in range(ROUNDS):
        found += happenings(play(mode, deal_of(seed, is_robbing), seed))
        if LONG and seed % STEP == STEP - 1:
            print(f"{mode.name}: {seed + 1} rounds", file=sys.stderr, flush=True)
    expected = EVERYTHING if is_robbing else EVERYTHING - ROBBING - SEVERAL
    for name in sorted(EVERYTHING):
        print(f"{mode.name:9} {name:22} {found[name]:7}")
    assert found.keys() <= expected
    assert [name for name in sorted(expected) if found[name] < LEAST] == []


def test_the_arranged_deals_bring_about_what_they_are_for() -> None:
    robbed: Counter[str] = Counter()
    for seed in range(0, 600, 100):
        passive = happenings(play(V1_MODE, deal_of(seed, False), seed))
        assert passive["status PASSIVE_PIG"] == 1 and passive["fine"] == 0
        active = happenings(play(V1_MODE, deal_of(seed + 1, False), seed))
        assert active["status ACTIVE_PIG"] == active["fine"] == 1
        assert active["payment KONG_REFUND"] == 3
        robbed += happenings(play(SBR_MODE, deal_of(seed + 2, True), seed))
    # a tile that somebody else may want can come in between
    assert robbed["win ROB_KONG"] == robbed["fan ROB_GANG"] >= 4
