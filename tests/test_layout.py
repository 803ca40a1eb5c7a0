"""What is shipped: the wheel and the sdist hold everything and nothing else, and work without the checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

import dealwright

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = ("compiler", "runtime", "templates")
STEM = f"dealwright-{dealwright.__version__}"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a fresh sdist and wheel of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


def _sources(folder: str) -> set[str]:
    """What belongs to a folder of the project, as POSIX paths from the root."""
    found = (
        one
        for one in (ROOT / folder).rglob("*")
        if one.is_file() and "__pycache__" not in one.parts
    )
    return {one.relative_to(ROOT).as_posix() for one in found}


def _python(*arguments: str, path: Path, cwd: Path) -> str:
    """The output of a Python that sees what is installed here, but `dealwright` from `path` only."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(path),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command,
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_wheel_holds_the_package_and_nothing_else(built: Path) -> None:
    with zipfile.ZipFile(built / f"{STEM}-py3-none-any.whl") as wheel:
        names = set(wheel.namelist())
    expected = {f"dealwright/{path}" for folder in SHIPPED for path in _sources(folder)}
    expected |= {
        "dealwright/__init__.py",
        "dealwright/__main__.py",
        "dealwright/py.typed",
    }
    assert {name for name in names if ".dist-info/" not in name} == expected
    assert f"{STEM}.dist-info/licenses/LICENSE" in names


def test_wheel_metadata(built: Path) -> None:
    with zipfile.ZipFile(built / f"{STEM}-py3-none-any.whl") as wheel:
        metadata = Parser().parsestr(
            wheel.read(f"{STEM}.dist-info/METADATA").decode("utf-8")
        )
        scripts = wheel.read(f"{STEM}.dist-info/entry_points.txt").decode("utf-8")
    assert (metadata["Name"], metadata["Version"]) == (
        "dealwright",
        dealwright.__version__,
    )
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["License-Expression"] == "MIT"
    needs = [one for one in metadata.get_all("Requires-Dist") if "extra ==" not in one]
    # its output is committed, so the formatter is pinned; all others have a lower bound
    assert [one.partition("=")[0] for one in needs if one.startswith("black")] == [
        "black"
    ]
    assert all(one.startswith("black==") or ">=" in one for one in needs)
    assert "dealwright = dealwright.compiler.cli:main" in scripts


def test_wheel_works_alone(built: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    with zipfile.ZipFile(built / f"{STEM}-py3-none-any.whl") as wheel:
        wheel.extractall(site)
    where = _python(
        "-c",
        "import dealwright.compiler; print(dealwright.compiler.__file__)",
        path=site,
        cwd=tmp_path,
    )
    assert Path(where.strip()) == site / "dealwright" / "compiler" / "__init__.py"
    assert dealwright.__version__ in _python(
        "-m", "dealwright", "--version", path=site, cwd=tmp_path
    )
    output = str(tmp_path / "out")
    _python(
        "-m",
        "dealwright",
        "build",
        str(ROOT / "rules" / "tiny.json"),
        "-o",
        output,
        path=site,
        cwd=tmp_path,
    )
    assert (tmp_path / "out" / "tiny" / "__init__.py").is_file()


def test_sdist_holds_everything(built: Path) -> None:
    with tarfile.open(built / f"{STEM}.tar.gz") as sdist:
        members = sdist.getmembers()
    names = {one.name.removeprefix(f"{STEM}/") for one in members}
    folders = (*SHIPPED, "rules", "build", "tests", "docs", ".ci")
    assert {path for folder in folders for path in _sources(folder)} <= names
    assert {
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        ".gitignore",
        "PKG-INFO",
    } <= names
    assert {
        f".src/dealwright/{one}" for one in ("__init__.py", "__main__.py", "py.typed")
    } <= names
    # links would be copies on some systems, and two copies of a module are two modules
    assert [one.name for one in members if not one.isfile()] == []
    assert [
        name
        for name in names
        if name.startswith(tuple(f".src/dealwright/{one}" for one in SHIPPED))
    ] == []


def test_tests_of_the_sdist_pass(built: Path, tmp_path: Path) -> None:
    with tarfile.open(built / f"{STEM}.tar.gz") as sdist:
        sdist.extractall(tmp_path, filter="data")
    root = tmp_path / STEM
    tests = ["tests/test_layers.py", "tests/test_package.py", "tests/test_cli.py"]
    said = _python(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, path=tmp_path, cwd=root
    )
    assert " passed" in said
    assert "failed" not in said


def test_imports_are_spelled_one_way() -> None:
    """The folders at the root are no packages of their own: `import compiler` would give second copies."""
    code = "import importlib.util as u; print([n for n in ('compiler', 'runtime', 'templates') if u.find_spec(n)])"
    assert _python("-I", "-c", code, path=ROOT, cwd=ROOT).strip() == "[]"


def test_readme_begins_with_the_two_commands() -> None:
    """The first block does the main job on a fresh machine, the second one runs the tests; `.ci/run` reads it too."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    job, tests = re.findall(
        r"^```(?:bash|sh|console)\n(.*?)^```", text, re.MULTILINE | re.DOTALL
    )[:2]
    assert len(job.splitlines()) == len(tests.splitlines()) == 1
    assert "dealwright build " in job
    assert "dealwright play rules/war.json --auto" in job
    assert tests.rstrip().endswith("/pytest")
