"""What the compiler does another way than it is written is the same game: random rules made of just that.

The agreement check on `tests.rulegen.shortcuts`, whose deck is so small that it meets nearly every hand; and a count of
what the generated functions hold, so that no kind of shortcut goes untried.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from dealwright.compiler import pipeline
from dealwright.runtime import MatchError
from tests.agreement import Plan, compare, subject
from tests.casefile import base_rule, flow
from tests.rulegen.asked import asked_rule
from tests.rulegen.shortcuts import shortcut_rule
from tests.support import LONG

Json: TypeAlias = Any

RULES = 1_000 if LONG else 40
BATCH = 10
NAMES = 2_000 if LONG else 300
"""Rules whose names are looked at."""
PLAN = Plan(matches=3, actions=12, subsets=40)

SHORTCUTS = {
    "cards that are alike": r"== cards\[1\]\.\w+ == cards\[2\]",
    "a few cards one by one": r"cards\[0\]\.\w+ \S+ \d or cards\[1\]",
    "the highest in a loop": r"highest_点数 = highest_花色 = 0",
    "a sort handed over": r"sorted_点数: list\[int\]",
    "an answer handed over": r"\bmay: bool",
    "a verdict handed over": r"\bis_Kind_\d: bool",
    "asked only where another cardset is found": r"if \(?\s*as_Kind_\d is not None\s+and \(found :=",
    "a sort in place": r"\bsorted_点数\.sort\(\)",
    "one dict for no properties": r"return NO_PROPERTIES",
}


def _source(seed: int) -> bytes:
    return json.dumps(shortcut_rule(seed), ensure_ascii=False).encode()


@pytest.mark.parametrize("first", range(0, RULES, BATCH))
def test_shortcuts_are_the_same_game(first: int) -> None:
    for seed in range(first, first + BATCH):
        compare(subject(_source(seed), "shortcut.json"), 2, PLAN)


@pytest.mark.parametrize("first", range(0, RULES, BATCH))
def test_whoever_asks_is_the_same_game(first: int) -> None:
    for seed in range(first, first + BATCH):
        source = json.dumps(asked_rule(seed), ensure_ascii=False).encode()
        compare(subject(source, "asked.json"), 2, PLAN)


def test_every_name_is_defined(tmp_path: Path) -> None:
    """Of what is found out before, each function takes and each call passes just what there is."""
    for seed in range(NAMES):
        for make in (shortcut_rule, asked_rule):
            source = json.dumps(make(seed), ensure_ascii=False).encode()
            text = str(pipeline.build(source, "rule.json").files["cardsets.py"])
            (tmp_path / f"{make.__name__}_{seed}.py").write_text(text, encoding="utf-8")
    command = ("ruff", "check", "--isolated", "--no-cache", "--select", "E9,F")
    done = subprocess.run(
        [sys.executable, "-m", *command, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_few_cards_that_ask_for_more_are_counted() -> None:
    """Forty cardsets, each of which asks for the next one for both of its cards: 2^40 questions, were they not counted."""
    rule = base_rule()
    chain = 40
    rule["cardsets"] = {
        str(number): cardset_asking_twice(number, chain)
        for number in range(1, chain + 1)
    }
    text = json.dumps(rule, ensure_ascii=False).encode()
    package = subject(text, "chain.json").package
    match = package.new_match(["ann"], seed=1)
    with pytest.raises(MatchError) as raised:
        package.recognize(list(package.PACKAGE.cards[:2]), match)
    assert raised.value.code == "endless_flow"


def cardset_asking_twice(number: int, chain: int) -> Json:
    """A cardset of two cards which are no cardset of the next number, asked of each of them."""
    asked = f'is: 15 {{"card_set": "card_1|card_2", "card_rule": "{number + 1}"}}'
    last = 'is: 14 {"operator": 0, "lval": "count", "rval": "+9"}'
    return {
        "name": f"Kind {number}",
        "build_flow": flow(
            [
                "1: 27 -> length",
                'length: 16 {"condition": "two", "next_true": "ask", "next_false": "no"}',
                'two: 14 {"operator": 0, "lval": "count", "rval": "+2"}',
                'count: 7 {"selection": "cards"}',
                'ask: 16 {"condition": "some", "next_true": "yes", "next_false": "no"}',
                'some: 11 {"operator": 0, "set": "cards", "component": "is"}',
                asked if number < chain else last,
                'yes: 28 {"result": 1}',
                'no: 28 {"result": 0}',
            ]
        ),
    }


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
