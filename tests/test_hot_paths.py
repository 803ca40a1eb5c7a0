"""What recognising, comparing, acting and deciding a window cost, in instructions of Python: CI sees a hot path slow down.

Time says nothing on a machine that others work on. The number of instructions that the interpreter executes for fixed
cards is the same in every run, so a bound can be as tight as 10 %; a fifth more cannot hide. What a call into C costs is
not in it: the benchmark says that. The counts belong to a minor version of Python, in `hot_paths.json`; after a change
that is meant to change them `pytest tests/test_hot_paths.py --update` writes them anew, and the diff says by how much.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest

from bench.rows.windows import decided, three_replies
from bench.subjects import NotHere, Subject
from bench.workloads import legal, pairs, subsets
from dealwright.compiler.output import memory
from tests.support import RULES, built

COUNTS: Final = Path(__file__).with_name("hot_paths.json")
VERSION: Final = f"{sys.version_info[0]}.{sys.version_info[1]}"
MOST: Final = 1.10
LEAST: Final = 0.85
"""Below that the counts are out of date: what is won could be lost again and nobody would see it."""

QUESTIONS: Final = 48
WARM_UP: Final = 10
"""Times that every question is asked before the instructions are counted."""

SUBJECTS: Final = ("tiny", "war", "twenty_one", "big_two", "qiang_duizi")
KINDS: Final = ("recognise legal", "recognise random", "compare")
PATHS: Final = (
    *(f"{name}: {kind}" for name in SUBJECTS for kind in KINDS),
    "war: act",
    "war: save",
    "war: restore",
    "window: decide",
)

Trace = Callable[[FrameType, str, Any], Any]


def instructions(do: Callable[[], object]) -> int:
    """How many instructions of Python a call executes, those of everything that it calls included."""
    count = 0

    def local(frame: FrameType, event: str, given: Any) -> Trace:
        nonlocal count
        count += event == "opcode"
        return local

    def entered(frame: FrameType, event: str, given: Any) -> Trace:
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        return local

    before, was_on = sys.gettrace(), gc.isenabled()
    # a collection may call functions of others (Hypothesis has one), and when it comes is chance
    gc.disable()
    sys.settrace(entered)
    try:
        do()
    finally:
        sys.settrace(before)
        if was_on:
            gc.enable()
    return count


def average(
    function: Callable[..., object], questions: Iterable[tuple[Any, ...]]
) -> float:
    """Instructions for a question."""
    listed = list(questions)
    for question in WARM_UP * listed:
        # whatever is done once only; and Python puts other instructions in place of those that it has often met
        function(*question)
    asked = [partial(function, *question) for question in listed]
    for each in asked:
        instructions(
            each
        )  # Python 3.12 counts otherwise where it has not traced before
    counts = [instructions(each) for each in asked]
    return round(sum(counts) / len(counts), 1)


@cache
def subject(name: str) -> Subject:
    """A rule of the benchmark."""
    return Subject(name)


def count(path: str) -> float:
    """Instructions for a question, or an action, of a hot path."""
    name, _, kind = path.partition(": ")
    if name == "window":
        return average(decided, [(each,) for each in three_replies(QUESTIONS, 1)])
    if kind in KINDS:
        return judging(subject(name), subject(name).package, kind)
    return acting(subject(name).package, kind)


def judging(asked: Subject, package: Any, kind: str) -> float:
    """Instructions of the public `recognize` and `beats`."""
    verb = "beats" if kind == "compare" else "recognize"
    context = (asked.position,) if asked.reads_match(verb) else ()
    if verb == "beats":
        compared = pairs(asked, QUESTIONS, 1, same=False)
        return average(package.beats, [(*pair, *context) for pair in compared])
    hands = (legal if kind == "recognise legal" else subsets)(asked, QUESTIONS, 1)
    return average(package.recognize, [(hand, *context) for hand in hands])


def acting(package: Any, kind: str) -> float:
    """Instructions of an action in a match of War, `new_match` included, or of saving and restoring one."""
    if kind == "act":
        package.new_match([0, 1], seed=1)
        match = package.new_match([0, 1], seed=2)
        actions = sum(1 for _ in moves(match))
        whole = instructions(lambda: list(moves(package.new_match([0, 1], seed=2))))
        return round(whole / actions, 1)
    match = package.new_match([0, 1], seed=2)
    for _, _ in zip(moves(match), range(7), strict=False):
        pass
    if kind == "save":
        return average(match.to_json, [()])
    return average(package.match_from_json, [(match.to_json(),)])


def moves(match: Any) -> Iterator[None]:
    """Play the first card of the hand until the match is over."""
    while not match.finished:
        seat = match.pending.seat
        match.play(match.ids[seat], match.hands[seat][:1])
        yield


def verdict(path: str, counted: float, recorded: float) -> str | None:
    """What is wrong with a count, or None."""
    ratio = counted / recorded
    said = (
        f"{path}: {counted} instructions, {recorded} are recorded ({ratio:.2f} times)"
    )
    if ratio > MOST:
        return f"{said}: it has become slower"
    if ratio < LEAST:
        return f"{said}: it has become faster; record that with --update"
    return None


def recorded() -> dict[str, dict[str, float]]:
    """All recorded counts, by version of Python and path."""
    found: dict[str, dict[str, float]] = json.loads(COUNTS.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def updated(request: pytest.FixtureRequest) -> None:
    """With --update, all counts of this version of Python written anew."""
    if not request.config.getoption("--update"):
        return
    counts = {**recorded(), VERSION: {path: count(path) for path in PATHS}}
    text = json.dumps(counts, indent=2, sort_keys=True)
    COUNTS.write_text(text + "\n", encoding="utf-8", newline="\n")


@pytest.mark.parametrize("path", PATHS)
def test_has_not_become_slower(path: str, updated: None) -> None:
    counts = recorded().get(VERSION)
    if counts is None:
        pytest.skip(f"no counts are recorded for Python {VERSION}; --update does that")
    try:
        counted = count(path)
    except NotHere as error:
        pytest.skip(str(error))
    wrong = verdict(path, counted, counts[path])
    assert wrong is None, wrong


def test_every_path_is_recorded() -> None:
    for counts in recorded().values():
        assert sorted(counts) == sorted(PATHS)


def test_a_count_is_the_same_every_time() -> None:
    first = [count(path) for path in PATHS[:3]]
    assert [count(path) for path in PATHS[:3]] == first


@pytest.mark.parametrize(("share", "is_noticed"), [(0.2, True), (0.02, False)])
def test_a_planted_slow_down_is_noticed(share: float, is_noticed: bool) -> None:
    """A fifth more instructions in `recognize` of War, written into the generated text."""
    path = "war: recognise legal"
    honest = count(path)
    # a line that stores a local is two instructions
    lines = "    size = size\n" * max(1, round(honest * share / 2))
    compiled = built(RULES / "war.json")
    text = compiled.files["cardsets.py"]
    marker = "    size = len(cards)\n"
    assert text.count(marker) == 1
    files = {**compiled.files, "cardsets.py": text.replace(marker, marker + lines)}
    slower = memory.import_package(compiled.slug, files)
    planted = Subject("war")
    planted.package = slower
    counted = judging(planted, slower, "recognise legal")
    assert counted > honest
    assert (verdict(path, counted, honest) is not None) is is_noticed
