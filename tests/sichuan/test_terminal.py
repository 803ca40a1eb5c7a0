"""The game in the terminal: a person's input from a script, whole rounds, and the command itself."""

from __future__ import annotations

import io
from collections.abc import Sequence
from random import Random

import pytest

from dealwright.runtime.windows import shipped_mode
from examples.sichuan.__main__ import main
from examples.sichuan.screen import Kind
from examples.sichuan.terminal import Game, Quit
from tests.support import ROOT, python

SEEDS = range(1, 13)


class Script:
    """A screen whose person types at random what the prompt offers, and now and then nonsense."""

    def __init__(self, seed: int, most: int = 10_000) -> None:
        self.lines: list[str] = []
        self.typed: list[str] = []
        self.panels: list[list[str]] = []
        self._rng = Random(seed)
        self._most = most

    def say(self, line: str, kind: Kind = "log") -> None:
        self.lines.append(line)

    def panel(self, heading: str, lines: Sequence[str]) -> None:
        self.panels.append([heading, *lines])

    def ask(self, prompt: str) -> str | None:
        if len(self.typed) >= self._most:
            return None
        offered = prompt.strip("[]").split("] [")
        answer = self._rng.choice(offered)
        if self._rng.random() < 0.1:
            answer = self._rng.choice(["?", "9x", "fold", "discard 8q", "hu!"])
        elif answer == "discard":
            hand = next(
                line for line in self.panels[-1] if line.startswith("your hand")
            )
            groups = hand.removeprefix("your hand").partition("drawn")[0].split()
            answer = self._rng.choice(
                [rank + group[-1] for group in groups for rank in group[:-1]]
            )
        self.typed.append(answer)
        return answer


def test_a_person_plays_whole_rounds() -> None:
    claimed: set[str] = set()
    for seed in SEEDS:
        script = Script(seed)
        Game(shipped_mode("SBR_2025"), seed, script, 0).run()
        assert script.lines[-1].startswith("seat 3")
        assert any(line.startswith("void suits: you ") for line in script.lines)
        claimed.update(script.typed)
        refused = [line for line in script.lines if "offered" in line or "_" in line]
        assert refused or not {"9x", "fold"} & set(script.typed)
    assert {"pass", "peng", "m", "9x"} <= claimed


def test_a_panel_shows_no_other_hand() -> None:
    script = Script(3, 40)
    with pytest.raises(Quit):
        Game(shipped_mode("V1"), 3, script, 0).run()
    for panel in script.panels:
        assert sum(line.startswith("your hand") for line in panel) == 1
        others = [line for line in panel[1:] if line.startswith("seat ")]
        assert len(others) == 3 and all(" tiles" in line for line in others)


def test_the_command_plays_by_itself_and_stops_where_input_ends() -> None:
    watched = python("-m", "examples.sichuan", "--auto", "--seed", "5", cwd=ROOT)
    assert watched == python(
        "-m", "examples.sichuan", "--auto", "--seed", "5", cwd=ROOT
    )
    assert watched.splitlines()[-1].startswith("seat 3") and "\x1b" not in watched


def test_who_leaves_gets_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("m\nquit\n"))
    assert main(["--seed", "3", "--mode", "V1"]) == 1
    assert "which suit do you give up?" in capsys.readouterr().out
