"""`dealwright build` and `check`: what they write, print and return."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import dealwright
from dealwright.compiler.cli import main

ROOT = Path(__file__).resolve().parent.parent
TINY = ROOT / "rules" / "tiny.json"
HEAVY = ("black", "jinja2", "libcst", "rich")
PLACE = re.compile(
    r"^(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): (error|warning|note) R\d+: .+$",
    re.MULTILINE,
)

Edit = Callable[[dict[str, Any]], object]


def _run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, [str(one) for one in arguments])
    assert result.exception is None or isinstance(
        result.exception, SystemExit
    ), result.exception
    return result


def _nothing(rule: dict[str, Any]) -> None:
    """The edit that changes nothing."""


def _rule(path: Path, edit: Edit = _nothing) -> Path:
    """The tiny rule, edited, at `path`."""
    rule = json.loads(TINY.read_text(encoding="utf-8"))
    edit(rule)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rule, ensure_ascii=False, indent=2), encoding="utf-8")
    return path


def _lose_a_node(rule: dict[str, Any]) -> None:
    del rule["design"]["match_flow"]["over"]


def _contents(folder: Path) -> dict[str, bytes]:
    found = (one for one in folder.rglob("*") if one.is_file())
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in found}


def _project(folder: Path, *names: str) -> Path:
    """A project with these rules in `rules/`."""
    folder.mkdir(exist_ok=True)
    (folder / "pyproject.toml").write_text("", encoding="utf-8")
    for name in names:
        _rule(folder / "rules" / name)
    return folder


def test_help_is_quick_and_names_the_commands() -> None:
    code = (
        "import sys\nfrom dealwright.compiler.cli import main\n"
        "main(['--help'], standalone_mode=False)\n"
        f"print([one for one in {HEAVY!r} if one in sys.modules])"
    )
    said = subprocess.run(
        [sys.executable, "-c", code],
        env=_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert all(
        f"\n  {command} " in said.stdout for command in ("build", "check", "play")
    )
    assert said.stdout.endswith("\n[]\n")


def _environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / ".src"), **more}


def test_module_and_version() -> None:
    command = [sys.executable, "-m", "dealwright", "--version"]
    said = subprocess.run(
        command, env=_environment(), capture_output=True, text=True, check=True
    )
    assert dealwright.__version__ in said.stdout


def test_build_writes_once(tmp_path: Path) -> None:
    rule, output = _rule(tmp_path / "tiny.json"), tmp_path / "out"
    first = _run("build", rule, "-o", output)
    assert first.exit_code == 0
    written = [output / "tiny" / name for name in sorted(_contents(output / "tiny"))]
    assert output / "tiny" / "__init__.py" in written
    assert first.stdout.splitlines() == [f"wrote {one}" for one in written]
    assert (
        first.stderr == f"1 package: {len(written)} written, 0 removed, 0 unchanged\n"
    )
    second = _run("build", rule, "-o", output)
    assert (second.exit_code, second.stdout) == (0, "")
    assert (
        second.stderr == f"1 package: 0 written, 0 removed, {len(written)} unchanged\n"
    )


def test_build_removes_what_it_no_longer_makes(tmp_path: Path) -> None:
    rule, output = _rule(tmp_path / "tiny.json"), tmp_path / "out"
    _run("build", rule, "-o", output)
    stale = output / "tiny" / "old.py"
    stale.write_text(
        "# @generated from rules/tiny.json by dealwright; do not edit.\n",
        encoding="utf-8",
    )
    result = _run("build", rule, "-o", output)
    assert result.stdout == f"removed {stale}\n"
    assert not stale.exists()


def test_build_goes_to_build_unless_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(_project(tmp_path, "tiny.json"))
    assert _run("build", "rules/tiny.json").exit_code == 0
    assert (tmp_path / "build" / "tiny" / "__init__.py").is_file()


def test_build_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(_project(tmp_path, "tiny.json"))
    missing = _run("build", "rules", "--check")
    assert (missing.exit_code, (tmp_path / "build").exists()) == (1, False)
    _run("build", "rules")
    clean = _run("build", "rules", "--check")
    assert (clean.exit_code, clean.stdout) == (0, "")
    edited = tmp_path / "build" / "tiny" / "__init__.py"
    edited.write_text(f"{edited.read_text(encoding='utf-8')}x = 1\n", encoding="utf-8")
    before = _contents(tmp_path)
    dirty = _run("build", "rules", "--check")
    assert dirty.exit_code == 1
    assert dirty.stdout.startswith("--- a/tiny/__init__.py\n+++ b/tiny/__init__.py\n")
    assert "\n-x = 1\n" in dirty.stdout
    assert "run: dealwright build rules\n" in dirty.stderr
    assert _contents(tmp_path) == before


def test_what_is_committed_is_what_we_would_generate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    result = _run("build", "rules", "--check")
    assert result.exit_code == 0, result.output


def test_one_bad_rule_stops_all(tmp_path: Path) -> None:
    good, bad = _rule(tmp_path / "good.json"), _rule(
        tmp_path / "bad.json", _lose_a_node
    )
    result = _run("build", good, bad, "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert not (tmp_path / "out").exists()
    found = PLACE.search(result.stderr)
    assert found is not None, result.stderr
    assert found["file"] == str(bad)
    line = bad.read_text(encoding="utf-8").splitlines()[int(found["line"]) - 1]
    assert '"over"' in line


def test_a_foreign_folder_stops_all(tmp_path: Path) -> None:
    rules = [_rule(tmp_path / name) for name in ("one.json", "two.json")]
    mine = tmp_path / "out" / "two" / "mine.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine", encoding="utf-8")
    result = _run("build", *rules, "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert str(mine) in result.stderr
    assert _contents(tmp_path / "out") == {"two/mine.txt": b"mine"}


def test_two_rules_of_one_name(tmp_path: Path) -> None:
    rules = [_rule(tmp_path / folder / "tiny.json") for folder in ("a", "b")]
    result = _run("build", *rules, "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert str(rules[0]) in result.stderr
    assert str(rules[1]) in result.stderr
    assert not (tmp_path / "out").exists()


def test_one_rule_named_twice_is_one_rule(tmp_path: Path) -> None:
    rule = _rule(tmp_path / "tiny.json")
    assert _run("build", rule, tmp_path, "-o", tmp_path / "out").exit_code == 0


def test_packages_of_deleted_rules_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(_project(tmp_path, "one.json", "two.json"))
    _run("build", "rules")
    (tmp_path / "rules" / "two.json").unlink()
    assert _run("build", "rules/one.json").exit_code == 0
    assert (tmp_path / "build" / "two").exists()
    assert _run("build", "rules", "--check").exit_code == 1
    result = _run("build", "rules")
    assert f"removed {Path('build/two/__init__.py')}" in result.stdout.splitlines()
    assert not (tmp_path / "build" / "two").exists()
    assert (tmp_path / "build" / "one").exists()


def test_where_and_how_it_is_called_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = _project(tmp_path / "project", "tiny.json")
    calls = {
        project: "rules/tiny.json",
        project / "rules": "tiny.json",
        tmp_path: "./project/../project/rules",
        ROOT: str(project / "rules" / "tiny.json"),
    }
    outputs = []
    for number, (folder, rule) in enumerate(calls.items()):
        monkeypatch.chdir(folder)
        assert _run("build", rule, "-o", tmp_path / str(number)).exit_code == 0
        outputs.append(_contents(tmp_path / str(number)))
    assert outputs == [outputs[0]] * len(calls)
    assert outputs[0]["tiny/__init__.py"].startswith(
        b"# @generated from rules/tiny.json by "
    )


def test_outside_a_project_the_header_has_the_file_name(tmp_path: Path) -> None:
    if any(
        (one / ".git").exists() or (one / "pyproject.toml").exists()
        for one in tmp_path.parents
    ):
        pytest.skip("temporary files are inside a project here")
    _run("build", _rule(tmp_path / "tiny.json"), "-o", tmp_path / "out")
    text = (tmp_path / "out" / "tiny" / "__init__.py").read_text(encoding="utf-8")
    assert text.startswith("# @generated from tiny.json by ")


def test_name_and_players(tmp_path: Path) -> None:
    rule = _rule(tmp_path / "tiny.json", lambda rule: rule.pop("meta"))
    assert (
        _run(
            "build", rule, "-o", tmp_path / "out", "--name", "Other", "--players", "3"
        ).exit_code
        == 0
    )
    text = (tmp_path / "out" / "tiny" / "__init__.py").read_text(encoding="utf-8")
    assert 'name="Other"' in text
    assert "players=3" in text


@pytest.mark.parametrize(
    "arguments",
    [
        ["build"],
        ["build", "missing.json"],
        ["build", str(TINY), "--players", "0"],
        ["build", str(ROOT / "rules"), "--name", "x"],
        ["check"],
        ["check", str(ROOT / "docs")],
        ["play", str(ROOT / "rules")],
        ["play", str(TINY), str(TINY)],
        ["play", str(TINY), "--players", "3"],
        ["nonsense"],
    ],
)
def test_wrong_usage(arguments: list[str]) -> None:
    result = _run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Error: " in result.stderr


def test_check_of_the_shipped_rules() -> None:
    result = _run("check", ROOT / "rules")
    assert result.exit_code == 0
    assert " error " not in result.stdout
    assert result.stderr.startswith(
        f"{len(list((ROOT / 'rules').glob('*.json')))} rules: 0 errors, "
    )


def test_check_prints_all_problems_with_their_places(tmp_path: Path) -> None:
    bad = _rule(tmp_path / "bad.json", _lose_a_node)
    worse = tmp_path / "worse.json"
    worse.write_bytes(b'{"classes": \xff}')
    result = _run("check", bad, worse)
    assert result.exit_code == 1
    assert {one["file"] for one in PLACE.finditer(result.stdout)} == {
        str(bad),
        str(worse),
    }
    assert re.fullmatch(r"2 rules: \d+ errors, \d+ warnings?\n", result.stderr)


@pytest.mark.parametrize(
    "data",
    [b"", b"\x00", b"[" * 100_000, b"{}", b"null", b'{"a": 1e999}', b"\xef\xbb\xbf{}"],
)
@pytest.mark.parametrize("command", ["build", "check", "play"])
def test_no_file_makes_a_traceback(tmp_path: Path, command: str, data: bytes) -> None:
    rule = tmp_path / "bad.json"
    rule.write_bytes(data)
    result = _run(command, rule)
    assert result.exit_code == 1
    assert PLACE.search(result.output), result.output


def test_names_that_the_terminal_cannot_spell(tmp_path: Path) -> None:
    """A pipe that is not Unicode gets escapes, not a traceback."""

    def rename(rule: dict[str, Any]) -> None:
        rule["design"]["match_flow"]["ask"]["content"]["next"] = "不存在"

    command = [
        sys.executable,
        "-m",
        "dealwright",
        "check",
        str(_rule(tmp_path / "tiny.json", rename)),
    ]
    environment = _environment(PYTHONIOENCODING="latin-1", PYTHONUTF8="0")
    said = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False
    )
    assert said.returncode == 1
    assert "\\u4e0d\\u5b58\\u5728" in said.stdout
    assert "Traceback" not in said.stderr
