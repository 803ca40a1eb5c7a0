"""The benchmark's contenders answer alike: before anything is timed, and here on far more questions.

What was written by hand and the fast interpreter are held against the compiled packages on every small subset of some
hands and on plays of every two cardsets; the clock, the picture and the rivals that are packages are not tested here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bench import timing
from bench.__main__ import main
from bench.contest import (
    NANOSECONDS,
    Contender,
    Contest,
    Disagreement,
    Row,
    Setting,
    at_least,
    at_most,
    hold,
)
from bench.environments import Environments, Unavailable
from bench.native import asked_again, compiled
from bench.rows import ROWS
from bench.subjects import SOURCES, Subject
from bench.workloads import RECIPES, Cards, all_subsets, legal, pairs, subsets
from tests.support import LONG

HERE = [name for name, source in SOURCES.items() if source.path.exists()]
# tables in which the cardsets of the rules that read them are judged, the benchmark's own included
TABLES = {
    "big_two": [{"opened": 0}, {"opened": 1}],
    "qiang_duizi": [{"王牌花色": trump} for trump in range(4)],
}
HANDS = 20 if LONG else 1


@cache
def subject(name: str) -> Subject:
    """The rule of that name, compiled once."""
    return Subject(name)


def context(function: Callable[..., Any], game: Any) -> tuple[Any, ...]:
    """The match, if the function takes it."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    return (game,) if "game" in names else ()


def as_values(play: Any) -> object:
    """A play by its values."""
    if play is None:
        return None
    return play.id, play.cardset, play.cards, play.properties


def games(name: str) -> Iterator[Any]:
    """The rule's position under each of its tables."""
    game = subject(name).game
    for table in TABLES.get(name, [{}]):
        for attribute, value in table.items():
            setattr(game.table, attribute, value)
        yield game


def hands_of(name: str) -> Iterator[Cards]:
    """Plays of every cardset, and all small subsets of some hands, with the card that opens big two among them."""
    rule = subject(name)
    yield from legal(rule, 200, seed=3)
    longest = max(rule.package.PACKAGE.lengths) + 1
    for seed in range(HANDS):
        yield from all_subsets(rule, longest, 10, seed)
        yield from ([*cards, rule.cards[0]] for cards in subsets(rule, 100, seed))


@pytest.mark.parametrize("name", HERE)
def test_all_recognise_alike(name: str) -> None:
    """By hand, interpreted and compiled, the same cards form the same play under every table."""
    rule = subject(name)
    found = set()
    for game in games(name):
        match = (rule.position,) if rule.reads_match("recognize") else ()
        for cards in hands_of(name):
            expected = as_values(rule.package.recognize(cards, *match))
            by_hand = rule.by_hand.recognize
            assert as_values(by_hand(cards, *context(by_hand, game))) == expected
            assert as_values(rule.interpreter.recognize(cards, game)) == expected
            found.add(expected[1] if isinstance(expected, tuple) else None)
    assert found == {*RECIPES[name], None}


@pytest.mark.parametrize("name", HERE)
def test_all_compare_alike(name: str) -> None:
    """By hand, interpreted and compiled, the same plays beat the same plays under every table."""
    rule = subject(name)
    for game in games(name):
        match = (rule.position,) if rule.reads_match("beats") else ()
        questions = [
            pair
            for seed in range(HANDS)
            for same in (True, False)
            for pair in _pairs(rule, game, seed, same)
        ]
        by_hand = rule.by_hand.beats
        for now, before in questions:
            expected = rule.package.beats(now, before, *match)
            assert by_hand(now, before, *context(by_hand, game)) == expected
            assert rule.interpreter.beats(now, before, game) == expected


def _pairs(rule: Subject, game: Any, seed: int, same: bool) -> list[tuple[Any, Any]]:
    """Pairs of plays; only an opened game of big two recognises all of them."""
    if hasattr(game.table, "opened"):
        game.table.opened = 1
    return pairs(rule, 600, seed, same=same)


@pytest.mark.parametrize("name", HERE)
def test_workloads_do_not_change(name: str) -> None:
    """The same seed gives the same questions, another seed others; most subsets are misses where rules are serious."""
    rule = subject(name)
    assert legal(rule, 100, 1) == legal(rule, 100, 1)
    assert subsets(rule, 100, 1) == subsets(rule, 100, 1) != subsets(rule, 100, 2)
    if name in ("qiang_duizi", "shared_big_two"):
        recognize = rule.interpreter.recognize
        plays = [recognize(cards, rule.game) for cards in subsets(rule, 500, 1)]
        assert sum(play is not None for play in plays) < 100


def a_row(theirs: list[int], aim: Any = None) -> Row:
    """A row in which a rival gives these answers and takes twice as long as we."""

    def prepare(_: Setting) -> Contest:
        ours = Contender("dealwright", lambda: [1, 2], lambda loops: loops * 0.01)
        rival = Contender("rival", lambda: theirs, lambda loops: loops * 0.02, aim)
        return Contest(2, ours, [rival])

    return Row("row", "a row", NANOSECONDS, prepare, rivals=("rival",))


def setting(folder: Path) -> Setting:
    """A setting in which only what a row brings along takes part."""
    return Setting(None, Environments(folder), subject, 10, 1)


def test_a_compiled_package_is_asked_with_its_own_cards_and_plays() -> None:
    """Compiled functions take nothing else."""
    subject = Subject("twenty_one")
    try:
        twin = compiled(subject)
    except Unavailable as problem:
        pytest.skip(str(problem))
    for verb, questions in (
        ("recognize", [(hand,) for hand in legal(subject, 40, 1)]),
        ("beats", pairs(subject, 40, 1, same=False)),
    ):
        ours, theirs = (
            [getattr(one.package.cardsets, verb)(*question) for question in asked]
            for one, asked in (
                (subject, questions),
                (twin, asked_again(questions, twin)),
            )
        )
        assert [repr(one) for one in theirs] == [repr(one) for one in ours]


def test_nothing_is_timed_before_answers_are_equal(tmp_path: Path) -> None:
    """Another answer, or a missing one, stops the row."""
    for wrong in ([1, 3], [1]):
        with pytest.raises(Disagreement, match="rival"):
            hold(a_row(wrong), setting(tmp_path), rounds=1)


def test_of_two_long_answers_the_difference_is_told(tmp_path: Path) -> None:
    ours, theirs = [*range(40), 7], [*range(1, 40), 50, 7, 7]
    row = a_row([])

    def prepare(own: Setting) -> Contest:
        contest = row.prepare(own)
        assert isinstance(contest, Contest)
        (rival,) = contest.rivals
        return replace(
            contest,
            ours=replace(contest.ours, answers=lambda: [1, ours]),
            rivals=[replace(rival, answers=lambda: [1, theirs])],
        )

    told = (
        r"to question 1 rival answers \[50, 7\] besides others, we \[0\] besides others"
    )
    with pytest.raises(Disagreement, match=told):
        hold(replace(row, prepare=prepare), setting(tmp_path), rounds=1)


def test_ratios_and_aims(tmp_path: Path) -> None:
    """A bound looks at how many times as long we take, every other aim at how many times as long the rival takes."""
    outcome = hold(a_row([1, 2], at_least(3)), setting(tmp_path), rounds=3)
    (rival,) = outcome.rivals
    assert outcome.figure.median == pytest.approx(0.005e9)
    assert rival.figure.median == pytest.approx(0.01e9)
    assert rival.ratio.median == pytest.approx(2)
    assert not at_least(3).is_reached(rival.ratio.median)
    (rival,) = hold(a_row([1, 2], at_most(1)), setting(tmp_path), 3).rivals
    assert rival.ratio.median == pytest.approx(0.5)
    assert at_most(1).is_reached(rival.ratio.median)


def test_the_clock_asks_every_question_each_time() -> None:
    """A run goes through all questions as often as it is told, alone or in pairs, with the match or without."""
    asked: list[object] = []

    def note(*parts: object) -> None:
        asked.append(parts)

    timing.calling(note, [[1], [2]])(2)
    timing.calling(note, [(1, 2)], "match")(1)
    assert asked == [([1],), ([2],), ([1],), ([2],), (1, 2, "match")]
    samples = timing.take_turns({"one": lambda loops: loops * 0.01}, 5, rounds=4)
    assert samples == {"one": [pytest.approx(0.002)] * 4}


def test_what_cannot_be_installed_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an interpreter that can make environments a rival is unavailable, and stays so."""
    environments = Environments(tmp_path)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    for _ in range(2):
        with pytest.raises(Unavailable):
            environments.python("rival", ("rival",))


def test_the_command(tmp_path: Path) -> None:
    """A row runs, and its JSON says what came out; unknown names are wrong usage."""
    path = tmp_path / "found.json"
    words = ["--only", "recognise-legal:tiny", "--against", "hand", "--rounds", "1"]
    run = CliRunner().invoke(main, [*words, "--count", "8", "--json", str(path)])
    assert run.exit_code == 0, run.output
    found = json.loads(path.read_text(encoding="utf-8"))
    (row,) = found["rows"]
    assert row["name"] == "recognise-legal:tiny"
    assert [rival["name"] for rival in row["rivals"]] == ["hand"]
    assert str(tmp_path) not in json.dumps(found)
    assert CliRunner().invoke(main, ["--only", "no-such-row"]).exit_code == 2
    assert CliRunner().invoke(main, ["--against", "nobody"]).exit_code == 2
    listed = CliRunner().invoke(main, ["--list"]).output
    names = [row.name for row in ROWS]
    assert len(set(names)) == len(names)
    assert [line.partition(": ")[0] for line in listed.splitlines()] == names
