"""What the README shows is real: its rule JSON, its generated code, and what its examples print.

`test_layout` looks at the two commands, `test_explain` at the output of `explain`.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
GENERATED = [text for kind, text in BLOCKS if kind == "python" and "# [" in text]
TEXTS = [text for kind, text in BLOCKS if kind == "text"]


def _run(*command: str, input: str | None = None) -> str:
    environment = {
        "PYTHONPATH": f"{ROOT / '.src'}:{ROOT / 'build'}",
        "PATH": "/usr/bin:/bin",
    }
    done = subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        cwd=ROOT,
        input=input,
        env={**environment, "PYTHONUTF8": "1"},
    )
    return done.stdout


def _nodes(value: Any) -> list[Any]:
    """Every object of a rule that stands under a key, with the key."""
    if not isinstance(value, dict):
        return []
    return [*value.items(), *(found for one in value.values() for found in _nodes(one))]


def test_the_rule_json_is_in_the_rule() -> None:
    text = next(
        text for kind, text in BLOCKS if kind == "json" and "right_size" in text
    )
    shown = json.loads("{" + text + "}")
    known = _nodes(
        json.loads((ROOT / "rules" / "big_two.json").read_text(encoding="utf-8"))
    )
    assert len(shown) > 10
    assert [one for one in shown.items() if one not in known] == []


@pytest.mark.parametrize("text", GENERATED, ids=lambda text: text.split("(")[0][4:])
def test_the_generated_code_is_in_build(text: str) -> None:
    modules = [
        path.read_text(encoding="utf-8") for path in (ROOT / "build").rglob("*.py")
    ]
    assert any(text.strip() in module for module in modules)


def test_there_is_generated_code() -> None:
    assert len(GENERATED) >= 2


def test_the_match_ends_as_shown() -> None:
    played = _run("-m", "dealwright", "play", "rules/war.json", "--auto", "--seed", "7")
    assert played.endswith(TEXTS[0])


def test_the_room_prints_what_is_shown() -> None:
    room = next(
        text for kind, text in BLOCKS if kind == "python" and "class Room" in text
    )
    assert _run("-", input=room) == TEXTS[1]
