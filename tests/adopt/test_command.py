"""`dealwright adopt`: what it writes, prints and returns."""

from __future__ import annotations

import json
import os
import random
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dealwright.compiler.adopt import adoption
from dealwright.compiler.adopt.adoption import NotProved
from dealwright.compiler.cli import main
from tests.adopt.builder import renumbered
from tests.adopt.edits import wait
from tests.support import RULES, encoded

OLD = RULES / "war.json"
NOTHING_NEW = "55 nodes got their old ids (50 of them had another), 0 new, 0 removed"


def _run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, ["adopt", *map(str, arguments)])
    is_expected = result.exception is None or isinstance(result.exception, SystemExit)
    assert is_expected, result.exception
    return result


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """The rule of OLD as the builder exported it."""
    path = tmp_path / "new.json"
    rule = json.loads(OLD.read_bytes())
    path.write_bytes(encoded(renumbered(rule, random.Random(1)), indent=4))
    return path


def test_it_writes_over_new(new: Path) -> None:
    new.chmod(0o640)
    result = _run(OLD, new)
    assert result.exit_code == 0
    assert new.read_bytes() == OLD.read_bytes()
    assert result.stdout == f"wrote {new}\n"
    assert result.stderr.strip() == NOTHING_NEW
    assert stat.S_IMODE(new.stat().st_mode) == 0o640
    assert os.listdir(new.parent) == [new.name]


def test_it_writes_where_it_is_told(new: Path, tmp_path: Path) -> None:
    before, out = new.read_bytes(), tmp_path / "out.json"
    assert _run(OLD, new, "-o", out).stdout == f"wrote {out}\n"
    assert out.read_bytes() == OLD.read_bytes()
    assert new.read_bytes() == before
    assert _run(OLD, new, "--output", out).stdout == f"unchanged {out}\n"


def test_old_itself_may_be_replaced(new: Path, tmp_path: Path) -> None:
    rule = json.loads(new.read_bytes())
    wait(rule)
    new.write_bytes(encoded(rule))
    old = tmp_path / "old.json"
    old.write_bytes(OLD.read_bytes())
    link = tmp_path / "link.json"
    link.symlink_to(old)
    result = _run(old, new, "-o", link)
    assert result.exit_code == 0
    assert "1 new, 0 removed" in result.stderr
    assert link.is_symlink()
    assert old.read_bytes() != OLD.read_bytes()
    assert len(json.loads(old.read_bytes())["design"]["match_flow"]) == 1 + len(
        json.loads(OLD.read_bytes())["design"]["match_flow"]
    )


@pytest.mark.parametrize("is_old", [True, False])
@pytest.mark.parametrize(
    "data", [b"", b"{", b"\xff", b"[]", b'{"cardsets": {}}', b"[" * 100_000]
)
def test_a_file_that_is_refused_writes_nothing(
    new: Path, tmp_path: Path, data: bytes, is_old: bool
) -> None:
    broken, out = tmp_path / "broken.json", tmp_path / "out.json"
    broken.write_bytes(data)
    files = (broken, new) if is_old else (OLD, broken)
    result = _run(*files, "-o", out)
    assert result.exit_code == 1
    assert f"{broken}:" in result.stderr and ": error R1" in result.stderr
    assert result.stderr.endswith("dealwright: nothing was written\n")
    assert not out.exists()
    assert broken.read_bytes() == data


def test_what_is_not_proved_is_not_written(
    new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def doubt(*_: object) -> None:
        raise NotProved("match_flow/7 would not be the same")

    monkeypatch.setattr(adoption, "prove", doubt)
    before = new.read_bytes()
    result = _run(OLD, new)
    assert result.exit_code == 1
    assert result.stderr == (
        "dealwright: cannot show that the rule stays the same: match_flow/7 would not be the same;"
        " nothing was written\n"
    )
    assert new.read_bytes() == before


def test_an_output_that_cannot_be_written_is_a_sentence(
    new: Path, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    result = _run(OLD, new, "-o", blocked / "out.json")
    assert result.exit_code == 1
    assert result.stderr.startswith("dealwright: ") and result.stdout == ""
    assert _run(OLD, new, "-o", tmp_path).exit_code == 2
    assert _run(OLD, tmp_path / "missing.json").exit_code == 2
    assert _run(OLD).exit_code == 2
    assert blocked.read_text(encoding="utf-8") == "in the way"
    assert sorted(os.listdir(tmp_path)) == ["file", "new.json"]


def test_players_are_for_rules_that_do_not_say(tmp_path: Path) -> None:
    """`player_3` is beyond two players; a rule that states its number keeps it."""
    rule = json.loads((RULES / "twenty_one.json").read_bytes())
    match = rule["design"]["match_flow"]
    target = next(id for id, node in match.items() if node["type"] == 6)
    match[target]["content"] |= {"operator": 0, "ident": "player_3"}
    path = tmp_path / "rule.json"
    path.write_bytes(encoded(rule))
    assert _run(path, path).exit_code == 0
    assert _run(path, path, "--players", "4").exit_code == 0
    refused = _run(path, path, "--players", "2")
    assert refused.exit_code == 1 and "error R213" in refused.stderr
    assert _run(OLD, OLD, "--players", "1", "-o", tmp_path / "war.json").exit_code == 0
