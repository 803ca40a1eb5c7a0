"""`dealwright play`: the same seed gives the same match, refusals are told, the transcript can be replayed."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dealwright.compiler import pipeline
from dealwright.compiler.cli import main
from dealwright.compiler.output.memory import import_package
from dealwright.compiler.terminal.commands import (
    Choose,
    Command,
    Misread,
    Play,
    read_command,
)
from dealwright.compiler.terminal.computer import Computer, Stuck
from dealwright.compiler.terminal.labels import Labels
from dealwright.compiler.terminal.screen import RichScreen, Turn
from dealwright.runtime import Wait

ROOT = Path(__file__).resolve().parent.parent
RULES = sorted((ROOT / "rules").glob("*.json"))
TINY = ROOT / "rules" / "tiny.json"
WAR = ROOT / "rules" / "war.json"
TWENTY_ONE = ROOT / "rules" / "twenty_one.json"

Edit = Callable[[dict[str, Any]], object]

# compiling takes most of the time here, and the same file gives the same package
_build = functools.cache(pipeline.build)


@pytest.fixture(autouse=True)
def _compile_each_rule_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "build", _build)


def _run(*arguments: str | Path, typed: str = "") -> Result:
    result = CliRunner().invoke(main, ["play", *map(str, arguments)], input=typed)
    assert result.exception is None or isinstance(
        result.exception, SystemExit
    ), result.exception
    return result


def _rule(path: Path, edit: Edit) -> Path:
    """The design of the tiny rule, edited, at `path`."""
    rule = json.loads(TINY.read_text(encoding="utf-8"))
    edit(rule["design"])
    path.write_text(json.dumps(rule), encoding="utf-8")
    return path


def _import(rule: Path) -> ModuleType:
    built = _build(rule.read_bytes(), rule.name)
    return import_package(built.slug, built.files)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.stem)
def test_the_computer_plays_every_shipped_rule(rule: Path) -> None:
    result = _run(rule, "--auto", "--seed", "7")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert re.fullmatch(r".+: \d+ players?, seed 7", lines[0])
    assert "settlement" in lines
    assert re.fullmatch(r"finished after \d+ actions?", lines[-1])
    assert result.stderr == ""


def test_same_seed_same_bytes(tmp_path: Path) -> None:
    """In other processes, with other hash seeds and in other folders too."""
    outputs = set()
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        command = [
            sys.executable,
            "-m",
            "dealwright",
            "play",
            str(WAR),
            "--auto",
            "--seed",
            "3",
            "--transcript",
            "log",
        ]
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT / ".src"),
            "PYTHONHASHSEED": str(number),
        }
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, check=True
        )
        outputs.add((done.stdout, (folder / "log").read_bytes()))
    assert len(outputs) == 1


def test_another_seed_another_match() -> None:
    assert (
        _run(WAR, "--auto", "--seed", "1").stdout
        != _run(WAR, "--auto", "--seed", "2").stdout
    )


def test_a_fresh_seed_is_told_and_plays_the_same_match_again() -> None:
    first = _run(WAR, "--auto")
    seed = re.search(r"seed (\d+)$", first.stdout.splitlines()[0])
    assert seed is not None
    assert _run(WAR, "--auto", "--seed", seed[1]).stdout == first.stdout


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.stem)
def test_the_transcript_can_be_replayed(rule: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    result = _run(rule, "--auto", "--seed", "11", "--transcript", log)
    lines = log.read_text(encoding="utf-8").splitlines()
    assert [
        line[2:] for line in lines if line.startswith("#")
    ] == result.stdout.splitlines()
    start, *actions = [json.loads(line) for line in lines if not line.startswith("#")]
    match = _import(rule).replay(start["ids"], seed=start["seed"], actions=actions)
    assert match.finished
    assert match.actions == actions
    for player, score in match.results.items():
        assert f"  {player}: {score}" in result.stdout.splitlines()


def test_a_transcript_that_cannot_be_written(tmp_path: Path) -> None:
    result = _run(TINY, "--auto", "--transcript", tmp_path / "no" / "folder")
    assert result.exit_code == 1
    assert "no" in result.stderr


def test_a_person_plays(tmp_path: Path) -> None:
    log = tmp_path / "log"
    hand = _import(TINY).new_match(["you", "com1"], seed=5).hands
    mine, other = hand[0][0].id, hand[1][0].id
    typed = f"help\n\nabc\n{other}\nskip\n{mine}, {mine}\ncard_{mine}\n"
    result = _run(TINY, "--seed", "5", "--transcript", log, typed=typed)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    refused = [line.split(":")[0] for line in lines if line.startswith("refused")]
    assert refused == [
        f"refused ({code})"
        for code in ("card_not_in_hand", "must_lead", "duplicate_card")
    ]
    assert lines.count("type the numbers of the cards to play, or skip") == 2
    assert f"cards, or skip> card_{mine}" in lines
    assert "-- you are to play" in lines
    assert lines[-4:] == [
        "settlement",
        "  you: 1",
        "  com1: 0",
        "finished after 1 action",
    ]
    assert [
        one[2:]
        for one in log.read_text(encoding="utf-8").splitlines()
        if one.startswith("#")
    ] == lines


def test_a_person_does_not_see_the_cards_of_others() -> None:
    shown = _run(WAR, "--seed", "5", typed="quit\n").stdout.splitlines()
    everything = _run(WAR, "--seed", "5", "--auto").stdout.splitlines()
    assert [line for line in everything if line.startswith("  com1: [")]
    assert [line for line in shown if line.startswith("  you: [")]
    assert [line for line in shown if line.startswith("  com1: [")] == []


def test_a_person_chooses() -> None:
    result = _run(TWENTY_ONE, "--seed", "5", typed="999\nx\n" + "0\n1\n" * 50)
    assert result.exit_code == 0
    assert "refused (choice_not_offered): " in result.stdout
    assert "type the number of your choice" in result.stdout
    assert re.search(r"^ +options +-?\d+ \(", result.stdout, re.MULTILINE)
    assert re.search(r"^you choose -?\d+ \(", result.stdout, re.MULTILINE)


@pytest.mark.parametrize("typed", ["", "quit\n", "q"])
def test_leaving_is_fine(typed: str) -> None:
    result = _run(TINY, "--seed", "5", typed=typed)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "you leave; the match stays unfinished"


def _never_ends(design: dict[str, Any]) -> None:
    design["match_flow"]["1"]["content"]["next"] = "ask"
    design["match_flow"]["ask"]["content"]["next"] = "ask"


def test_a_match_that_does_not_end_is_stopped(tmp_path: Path) -> None:
    result = _run(_rule(tmp_path / "x.json", _never_ends), "--auto", "--seed", "1")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[-1] == "stopped after 10000 actions: this match does not seem to end"
    assert lines.count("com0 skips") == 10_000


def _deals_too_much(design: dict[str, Any]) -> None:
    design["match_flow"]["again"] = {"type": 20, "content": {"next": "ask"}, "count": 2}
    design["match_flow"]["deal"]["content"]["next"] = "again"


def test_a_match_that_cannot_start(tmp_path: Path) -> None:
    result = _run(_rule(tmp_path / "x.json", _deals_too_much), "--auto")
    assert result.exit_code == 1
    assert "the match cannot start: " in result.stdout.splitlines()[-1]
    assert "match_flow/again" in result.stdout


def _fails_after_every_play(design: dict[str, Any]) -> None:
    design["match_flow"]["ask"]["content"]["next"] = "more"
    design["match_flow"]["more"] = {"type": 20, "content": {"next": "over"}, "count": 2}


def test_a_match_that_cannot_go_on(tmp_path: Path) -> None:
    result = _run(
        _rule(tmp_path / "x.json", _fails_after_every_play), "--auto", "--seed", "1"
    )
    assert result.exit_code == 1
    assert re.match(
        r"seat 0 has no action that the rule accepts: .*",
        result.stdout.splitlines()[-1],
    )


def test_a_rule_with_errors_is_not_played(tmp_path: Path) -> None:
    rule = _rule(tmp_path / "x.json", lambda design: design["match_flow"].pop("over"))
    result = _run(rule, "--auto")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"{rule}:")


def test_the_number_of_players() -> None:
    assert ": 2 players, " in _run(TWENTY_ONE, "--auto", "--seed", "1").stdout
    assert (
        ": 3 players, "
        in _run(TWENTY_ONE, "--auto", "--seed", "1", "--players", "3").stdout
    )
    assert _run(TINY, "--auto", "--players", "2").exit_code == 0


PLAY = Wait("8", 0, "play", 30, ())
CHOICE = Wait("5", 0, "choose", 30, (0, 1))


@pytest.mark.parametrize(
    ("text", "wait", "expected"),
    [
        ("3 9", PLAY, Play((3, 9))),
        (" 3,9 ", PLAY, Play((3, 9))),
        ("3，card_9", PLAY, Play((3, 9))),
        ("SKIP", PLAY, Play(())),
        ("过", PLAY, Play(())),
        ("?", PLAY, "help"),
        ("quit", CHOICE, "quit"),
        ("1", CHOICE, Choose(1)),
        ("-1", CHOICE, Choose(-1)),
    ],
)
def test_commands(text: str, wait: Wait, expected: Command) -> None:
    assert read_command(text, wait) == expected


@pytest.mark.parametrize(
    "text", ["", "x", "3 x", "1.5", "3-9", "٣", "9" * 5_000, "\0", "card_"]
)
@pytest.mark.parametrize("wait", [PLAY, CHOICE])
def test_what_cannot_be_read(text: str, wait: Wait) -> None:
    assert isinstance(read_command(text, wait), Misread)


def test_computer_players_choose_evenly(tmp_path: Path) -> None:
    def four_cards(design: dict[str, Any]) -> None:
        design["match_flow"]["deal"]["count"] = 2

    package = _import(_rule(tmp_path / "x.json", four_cards))
    seen: Counter[int] = Counter()
    for seed in range(300):
        match = package.new_match(["a", "b"], seed=1)
        Computer(match, package.PACKAGE.lengths, Random(seed)).act()
        seen[match.discard[0].id] += 1
    assert sum(seen.values()) == 300
    assert len(seen) == 2
    assert min(seen.values()) > 100


def test_a_computer_player_skips_when_nothing_is_legal(tmp_path: Path) -> None:
    match = _import(_rule(tmp_path / "x.json", _never_ends)).new_match(
        ["a", "b"], seed=1
    )
    Computer(match, (1,), Random(1)).act()
    assert match.actions == [[0, "skip"]]


def test_a_stuck_computer_player_changes_nothing(tmp_path: Path) -> None:
    package = _import(_rule(tmp_path / "x.json", _fails_after_every_play))
    match = package.new_match(["a", "b"], seed=1)
    before = match.to_json()
    with pytest.raises(Stuck) as caught:
        Computer(match, package.PACKAGE.lengths, Random(1)).act()
    assert caught.value.refusal.code == "deck_exhausted"
    assert match.to_json() == before


def test_labels() -> None:
    labels = Labels(TINY.read_bytes())
    assert labels.card({"rank": 1}) == "A"
    assert labels.card({"rank": 99, "x\ny": 2}) == "rank=99 x\\u000ay=2"
    assert labels.option("ask", 1) == "1"
    assert re.fullmatch(
        r"1 \(.+\)", Labels(TWENTY_ONE.read_bytes()).option(_choice(), 1)
    )


def _choice() -> str:
    """The node of the first choice in `twenty_one`."""
    flow = json.loads(TWENTY_ONE.read_bytes())["design"]["match_flow"]
    return next(node for node, body in flow.items() if body["type"] == 22)


def test_the_screen_takes_text_for_text(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Brackets in the names of a rule are no markup."""
    monkeypatch.setenv("COLUMNS", "80")
    RichScreen().turn(
        Turn("[bold]you", (("[red]table", ":smile: [/]"),), ((3, "[b]A"),))
    )
    shown = capsys.readouterr().out
    assert all(
        text in shown for text in ("[bold]you", "[red]table", ":smile: [/]", "3  [b]A")
    )
