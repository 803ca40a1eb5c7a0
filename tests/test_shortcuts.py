"""What the compiler does another way than it is written is the same game: random rules made of just that.

The agreement check on `tests.rulegen.shortcuts`, whose deck is so small that it meets nearly every hand; and a count of
what the generated functions hold, so that no kind of shortcut goes untried.
"""

from __future__ import annotations

import json
import re

import pytest

from dealwright.compiler import pipeline
from tests.agreement import Plan, compare, subject
from tests.rulegen.shortcuts import shortcut_rule
from tests.support import LONG

RULES = 1_000 if LONG else 40
BATCH = 10
PLAN = Plan(matches=3, actions=12, subsets=40)

SHORTCUTS = {
    "cards that are alike": r"== cards\[1\]\.\w+ == cards\[2\]",
    "a few cards one by one": r"cards\[0\]\.\w+ \S+ \d or cards\[1\]",
    "the highest in a loop": r"highest_点数 = highest_花色 = 0",
    "a sort handed over": r"sorted_点数: list\[int\]",
    "an answer handed over": r"\bmay: bool",
    "a verdict handed over": r"\bis_Kind_\d: bool",
    "one dict for no properties": r"return NO_PROPERTIES",
}


def _source(seed: int) -> bytes:
    return json.dumps(shortcut_rule(seed), ensure_ascii=False).encode()


@pytest.mark.parametrize("first", range(0, RULES, BATCH))
def test_shortcuts_are_the_same_game(first: int) -> None:
    for seed in range(first, first + BATCH):
        compare(subject(_source(seed), "shortcut.json"), 2, PLAN)


def test_every_shortcut_is_taken() -> None:
    missing = dict(SHORTCUTS)
    for seed in range(60):
        files = pipeline.build(_source(seed), "shortcut.json").files
        text = files["cardsets.py"] + files["classes.py"]
        missing = {
            name: part for name, part in missing.items() if not re.search(part, text)
        }
        if not missing:
            return
    assert not missing
