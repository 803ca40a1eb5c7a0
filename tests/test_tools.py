"""dealwright in the tools people have: pre-commit, hatchling and the import statement.

Each is tried in a project of its own in a temporary folder, in a process of its own that sees `dealwright` as it is
shipped: the contents of its wheel, entry points included.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml  # type: ignore[import-untyped,unused-ignore]

from dealwright.compiler.hatch_hook import DealwrightBuildHook

ROOT = Path(__file__).resolve().parent.parent
HOOKS = ("dealwright-check", "dealwright-build")
WRONG = '"next": "nowhere"'


class Done(NamedTuple):
    """A process that has ended."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as pip would make it from our wheel."""
    folder = tmp_path_factory.mktemp("dealwright")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d"]
    subprocess.run([*command, str(folder)], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def _python(*arguments: str, cwd: Path, path: Path | str) -> Done:
    environment = {
        **os.environ,
        "PYTHONPATH": str(path),
        "PYTHONIOENCODING": "utf-8",
    }
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def _rule(project: Path, name: str = "tiny.json") -> Path:
    """The tiny rule, in the project's `rules/`."""
    path = project / "rules" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes((ROOT / "rules" / "tiny.json").read_bytes())
    return path


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def _break(path: Path) -> None:
    """Makes the rule one that is refused, for a node that is not there."""
    _edit(path, '"next": "over"', WRONG)


def _rename(path: Path) -> None:
    """Makes the rule another one that is fine."""
    _edit(path, '"name": "Tiny"', '"name": "Tinier"')


def _files(folder: Path) -> dict[str, bytes]:
    found = (one for one in folder.rglob("*") if one.is_file())
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in found}


def _generated(package: str) -> dict[str, bytes]:
    """What this project's own `build/` holds, which other tests compare with its rules."""
    folder = ROOT / "build" / package
    files = (one for one in folder.iterdir() if one.is_file())
    return {one.name: one.read_bytes() for one in files}


# pre-commit


def _manifest() -> dict[str, dict[str, Any]]:
    text = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    return {one["id"]: one for one in yaml.safe_load(text)}


def _pre_commit(hook: str, project: Path, site: Path) -> Done | None:
    """What pre-commit does with all files of a project: None where it has none for the hook and so skips it."""
    given = _manifest()[hook]
    names = sorted(_files(project))
    names = [one for one in names if re.search(given["files"], one)]
    if not names:
        return None
    program, *arguments = shlex.split(given["entry"])
    assert program == "dealwright"
    arguments += given.get("args", [])
    if given.get("pass_filenames", True):
        arguments += names
    return _python("-m", program, *arguments, cwd=project, path=site)


def test_the_manifest_is_what_pre_commit_reads() -> None:
    hooks = _manifest()
    assert tuple(hooks) == HOOKS
    keys = {"id", "name", "description", "entry", "language", "files", "args"}
    for hook in hooks.values():
        assert {"id", "name", "entry", "language"} <= hook.keys()
        assert hook.keys() <= keys | {"pass_filenames"}
        assert hook["language"] == "python"


def test_the_hooks_program_is_installed(site: Path) -> None:
    (points,) = site.glob("dealwright-*.dist-info/entry_points.txt")
    text = points.read_text(encoding="utf-8")
    assert "[console_scripts]\ndealwright = dealwright.compiler.cli:main\n" in text


@pytest.mark.parametrize("hook", HOOKS)
def test_hooks_leave_other_projects_alone(
    hook: str, tmp_path: Path, site: Path
) -> None:
    (tmp_path / "package.json").write_text("{}", encoding="utf-8")
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "README.md").write_text("rules", encoding="utf-8")
    assert _pre_commit(hook, tmp_path, site) is None


def test_check_hook(tmp_path: Path, site: Path) -> None:
    rule = _rule(tmp_path)
    fine = _pre_commit("dealwright-check", tmp_path, site)
    assert fine is not None
    assert fine.code == 0, fine
    _break(rule)
    wrong = _pre_commit("dealwright-check", tmp_path, site)
    assert wrong is not None
    assert wrong.code == 1
    assert re.search(r"^rules/tiny\.json:\d+:\d+: error R121: ", wrong.out, re.M)


def test_build_hook_of_pre_commit(tmp_path: Path, site: Path) -> None:
    rule = _rule(tmp_path)
    # pre-commit runs in git repositories only, and headers name files from their root
    (tmp_path / ".git").mkdir()
    for name, data in _generated("tiny").items():
        (tmp_path / "build" / "tiny").mkdir(parents=True, exist_ok=True)
        (tmp_path / "build" / "tiny" / name).write_bytes(data)
    current = _pre_commit("dealwright-build", tmp_path, site)
    assert current is not None
    assert current.code == 0, current
    before = _files(tmp_path / "build")
    _rename(rule)
    stale = _pre_commit("dealwright-build", tmp_path, site)
    assert stale is not None
    assert stale.code == 1
    assert "Tinier" in stale.out
    assert "run: dealwright build rules" in stale.err
    assert _files(tmp_path / "build") == before


# hatchling

PROJECT = """\
[build-system]
requires = ["hatchling", "dealwright"]
build-backend = "hatchling.build"

[project]
name = "my-game"
version = "1.0"

[tool.hatch.build.targets.wheel]
packages = ["src/my_game"]

[tool.hatch.build.{table}dealwright]
{options}
"""
INSIDE = 'rules = ["rules"]\noutput = "my_game/rules"'


def _project(
    folder: Path, options: str = INSIDE, table: str = "targets.wheel.hooks."
) -> None:
    package = folder / "src" / "my_game"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('"""A game."""\n', encoding="utf-8")
    text = PROJECT.format(table=table, options=options)
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")


def _build(project: Path, site: Path, output: Path, *targets: str) -> Done:
    """`hatchling build`; the project's files are the same before and after."""
    before = _files(project)
    wanted = [one for target in targets or ("wheel",) for one in ("-t", target)]
    command = ("-m", "hatchling", "build", "-d", str(output), *wanted)
    done = _python(*command, cwd=project, path=site)
    assert _files(project) == before
    return done


def _wheel(folder: Path) -> dict[str, bytes]:
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return {one: archive.read(one) for one in archive.namelist()}


def _under(files: Mapping[str, bytes], folder: str) -> dict[str, bytes]:
    return {
        name.removeprefix(folder): data
        for name, data in files.items()
        if name.startswith(folder)
    }


def test_wheel_holds_compiled_rules(
    tmp_path: Path, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    for variable in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(variable, str(temporary))
    project = tmp_path / "project"
    _project(project)
    _rule(project)
    _rule(project, "big-tiny.json")
    done = _build(project, site, tmp_path / "dist")
    assert done.code == 0, done
    assert list(temporary.iterdir()) == []
    files = _wheel(tmp_path / "dist")
    assert _under(files, "my_game/rules/tiny/") == _generated("tiny")
    assert "my_game/rules/big_tiny/match.py" in files
    assert "my_game/__init__.py" in files
    assert [one for one in files if one.endswith(".json")] == []
    record = files["my_game-1.0.dist-info/RECORD"].decode("utf-8")
    assert "my_game/rules/tiny/match.py,sha256=" in record
    # the same rules give the same wheel, wherever the temporary folder was
    assert _build(project, site, tmp_path / "again").code == 0
    (wheel,) = tmp_path.glob("dist/*.whl")
    assert (tmp_path / "again" / wheel.name).read_bytes() == wheel.read_bytes()
    # as installed: the wheel and the runtime, no compiler
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    code = (
        "import sys; from my_game.rules import tiny; match = tiny.new_match(['ann', 'bo'], seed=1); "
        "match.play('ann', match.hands[0]); print(match.results, 'dealwright.compiler' in sys.modules)"
    )
    path = os.pathsep.join([str(tmp_path / "installed"), str(site)])
    used = _python("-c", code, cwd=tmp_path, path=path)
    assert used.out == "{'ann': 1, 'bo': 0} False\n", used


def test_wheel_from_an_sdist(tmp_path: Path, site: Path) -> None:
    """The sdist carries the rules, not packages, for a hook of all targets too; committed packages are replaced."""
    project = tmp_path / "project"
    options = 'rules = ["rules/tiny.json", "rules"]\noutput = "src/my_game"'
    _project(project, options, table="hooks.")
    _rule(project)
    stale = project / "src" / "my_game" / "tiny" / "match.py"
    stale.parent.mkdir()
    stale.write_text("stale\n", encoding="utf-8")
    done = _build(project, site, tmp_path / "dist", "sdist", "wheel")
    assert done.code == 0, done
    (sdist,) = (tmp_path / "dist").glob("*.tar.gz")
    listed = _python("-m", "tarfile", "-l", str(sdist), cwd=tmp_path, path=site).out
    assert "my_game-1.0/rules/tiny.json" in listed
    assert "tiny/settle.py" not in listed
    assert _under(_wheel(tmp_path / "dist"), "my_game/tiny/") == _generated("tiny")


def test_no_wheel_of_a_wrong_rule(tmp_path: Path, site: Path) -> None:
    project = tmp_path / "project"
    _project(project)
    _break(_rule(project))
    _break(_rule(project, "zoo.json"))
    done = _build(project, site, tmp_path / "dist")
    assert done.code == 1
    assert re.search(r"^rules/tiny\.json:\d+:\d+: error R121: ", done.err, re.M), done
    assert re.search(r"^rules/zoo\.json:\d+:\d+: error R121: ", done.err, re.M)
    assert "Traceback" not in done.err
    assert list(tmp_path.glob("dist/*.whl")) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ('output = "my_game"', "'rules' must be a list"),
        ('rules = "rules"\noutput = "my_game"', "'rules' must be a list"),
        ('rules = ["rules"]', "'output' must be a folder"),
        ('rules = ["rules"]\noutput = "../up"', "inside the wheel, not '../up'"),
        ('rules = ["rules"]\noutput = "/up"', "inside the wheel, not '/up'"),
        (f"{INSIDE}\nouput = 1", "no option 'ouput'"),
        ('rules = ["src"]\noutput = "."', "no *.json in src"),
        ('rules = ["gone.json"]\noutput = "."', "gone.json"),
    ],
)
def test_options_that_make_no_sense(
    options: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _project(tmp_path)
    _rule(tmp_path)
    assert said in _refusal(tmp_path, tomllib.loads(options), capsys)


def test_two_rules_of_one_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _rule(tmp_path, "a-b.json")
    _rule(tmp_path, "a_b.json")
    told = _refusal(tmp_path, {"rules": ["rules"], "output": "."}, capsys)
    assert "rules/a-b.json and rules/a_b.json would both be the package 'a_b'" in told


def test_warnings_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule = _rule(tmp_path)
    _edit(rule, '"ident": "玩家"', '"ident": "me"')
    hook = _hook(tmp_path, {"rules": ["rules/tiny.json"], "output": "."})
    data: dict[str, Any] = {"force_include": {}}
    hook.initialize("standard", data)
    told = capsys.readouterr().err
    assert re.search(r"^rules/tiny\.json:\d+:\d+: warning R310: ", told, re.M)
    sources = {Path(one) for one in data["force_include"]}
    assert {f"tiny/{one}" for one in _generated("tiny")} == {
        *data["force_include"].values()
    }
    assert all(one.is_file() for one in sources)
    hook.finalize("standard", data, "")
    assert not any(one.exists() or one.parent.exists() for one in sources)


def _hook(project: Path, options: dict[str, Any]) -> DealwrightBuildHook:
    """The hook as hatchling makes it, without the rest of a build."""
    config: Any = (
        None  # the hook asks for neither the builder's configuration nor the project's metadata
    )
    directory = str(project / "dist")
    return DealwrightBuildHook(
        str(project), options, config, config, directory, "wheel"
    )


def _refusal(
    project: Path, options: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> str:
    """What the hook says before it ends the build."""
    data: dict[str, Any] = {"force_include": {}}
    with pytest.raises(SystemExit) as ended:
        _hook(project, options).initialize("standard", data)
    assert ended.value.code == 1
    assert data == {"force_include": {}}
    return capsys.readouterr().err


# the import statement

START = "from dealwright.compiler.import_hook import install, uninstall\n"


def _run(code: str, project: Path, site: Path) -> str:
    """What a script in a project prints; no file comes or goes while it runs."""
    before = set(_files(project))
    done = _python("-c", START + code, cwd=project, path=site)
    assert done.code == 0, done.err
    assert set(_files(project)) == before
    return done.out


def test_import_compiles(tmp_path: Path, site: Path) -> None:
    """A package like any other; tracebacks and `inspect` show its text."""
    _rule(tmp_path)
    code = """
import inspect, os, sys, traceback
install("rules")
assert "libcst" not in sys.modules
os.chdir(os.pardir)
import tiny
from tiny.settle import settle
import tiny.match as flow
match = tiny.new_match(["ann", "bo"], seed=1)
match.play("ann", match.hands[0])
print(match.results, flow is tiny.match, settle.__module__)
print(tiny.PACKAGE.name, sys.modules["tiny"] is tiny, tiny.__spec__.origin)
try:
    settle(5)
except AttributeError:
    print(traceback.format_exc())
print(inspect.getsource(settle))
"""
    said = _run(code, tmp_path, site)
    first, second, *shown = said.splitlines()
    assert first == "{'ann': 1, 'bo': 0} True tiny.settle"
    assert second.startswith("Tiny True ")
    assert second.endswith("rules/tiny.json/__init__.py")
    assert "rules/tiny.json/settle.py" in said
    # once in the traceback, once in the source
    line = "if game.current_player.手牌数 == 0:  # [is_out]"
    assert line in _generated("tiny")["settle.py"].decode("utf-8")
    assert [one.strip() for one in shown].count(line) == 2


def test_a_wrong_rule_says_what_is_wrong(tmp_path: Path, site: Path) -> None:
    _break(_rule(tmp_path))
    code = """
install("rules")
try:
    import tiny
except Exception as problem:
    print(type(problem).__name__, problem)
import sys
print("tiny" in sys.modules)
"""
    said = _run(code, tmp_path, site)
    assert re.match(r"CompileError rules/tiny\.json:\d+:\d+: error R121: ", said)
    assert said.endswith("False\n")


def test_reload_compiles_anew(tmp_path: Path, site: Path) -> None:
    """Edited, then broken: what was imported last stays usable."""
    _rule(tmp_path)
    code = """
import importlib, inspect, linecache, pathlib, traceback
install("rules")
import tiny

def show():
    linecache.checkcache()
    try:
        tiny.settle(5)
    except AttributeError:
        print(*(one for one in traceback.format_exc().splitlines() if "# [" in one))

show()
rule = pathlib.Path("rules/tiny.json")
text = rule.read_text(encoding="utf-8")
rule.write_text(text.replace('"value": 0 }', '"value": 2 }'), encoding="utf-8")
show()
importlib.reload(tiny)
show()
rule.write_text("{", encoding="utf-8")
try:
    importlib.reload(tiny)
except Exception as problem:
    print(type(problem).__name__)
linecache.clearcache()
show()
print(tiny.new_match([0, 1]).pending.node, "PACKAGE = " in inspect.getsource(tiny))
"""
    said = [one.strip() for one in _run(code, tmp_path, site).splitlines()]
    one, two = (
        f"if game.current_player.手牌数 == {number}:  # [is_out]" for number in (0, 2)
    )
    assert said == [one, one, two, "CompileError", two, "ask True"]


def test_finder_knows_rules_only(tmp_path: Path, site: Path) -> None:
    """Never in the place of a module that is there, not for other names, and not after `uninstall`."""
    _rule(tmp_path)
    _rule(tmp_path, "json.json")
    _rule(tmp_path, "colorsys.json")
    _rule(tmp_path, "big-two.json")
    _rule(tmp_path, "a-b.json")
    _rule(tmp_path, "a_b.json")
    (tmp_path / "other").mkdir()
    code = """
import importlib.util, sys
install("rules")
install("rules", "other")
print(sum(type(one).__module__ == install.__module__ for one in sys.meta_path))
import colorsys, json, big_two
print(colorsys.__file__.endswith("colorsys.py"), hasattr(json, "loads"), big_two.PACKAGE.name)
print([importlib.util.find_spec(one) for one in ("nothing", "rules.json", "big", "big_two.gone")])
try:
    import a_b
except ImportError as problem:
    print(problem)
try:
    install("other", "gone")
except NotADirectoryError as problem:
    print(problem)
print("libcst" in sys.modules, "tiny" in sys.modules, importlib.util.find_spec("tiny").name)
import tiny
uninstall()
print([one for one in sys.modules if one.partition(".")[0] in ("tiny", "big_two")])
try:
    import tiny
except ModuleNotFoundError as problem:
    print(problem)
install("rules")
import tiny
print(tiny.PACKAGE.name)
"""
    said = _run(code, tmp_path, site).splitlines()
    assert said == [
        "1",
        "True True Tiny",
        "[None, None, None, None]",
        "rules/a-b.json and rules/a_b.json would both be the package 'a_b'; rename one of the files",
        "gone is no folder of rule files",
        "True False tiny",
        "[]",
        "No module named 'tiny'",
        "Tiny",
    ]
