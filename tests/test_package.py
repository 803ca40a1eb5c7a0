"""Packages on disk and in memory: only what changed is written, only what is ours is touched, nothing leaks."""

from __future__ import annotations

import gc
import linecache
import os
import sys
import traceback
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dealwright.compiler.output import package
from dealwright.compiler.output.memory import import_package

HEADER = "# @generated from rules/war.json by dealwright; do not edit.\n"
FILES = {
    "__init__.py": f"{HEADER}NAME = 'war'\n",
    "match.py": f"{HEADER}WAITS = 2\n",
    "py.typed": "",
}


def _contents(folder: Path) -> dict[str, str]:
    return {
        one.name: one.read_text(encoding="utf-8")
        for one in folder.iterdir()
        if one.is_file()
    }


def test_writes_a_new_package(tmp_path: Path) -> None:
    changes = package.write(tmp_path / "build" / "war", FILES)
    assert changes.written == ("__init__.py", "match.py", "py.typed")
    assert (changes.removed, changes.unchanged) == ((), ())
    assert _contents(tmp_path / "build" / "war") == FILES


def test_writes_bytes_as_given(tmp_path: Path) -> None:
    text = f"{HEADER}点数 = '\u2028'\n"
    package.write(tmp_path / "war", {"__init__.py": text})
    assert (tmp_path / "war" / "__init__.py").read_bytes() == text.encode("utf-8")


def test_a_second_time_touches_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "war"
    package.write(folder, FILES)
    for one in folder.iterdir():
        os.utime(one, (1, 1))
    changes = package.write(folder, FILES)
    assert not changes
    assert changes.unchanged == tuple(sorted(FILES))
    assert changes.diff == ""
    assert {one.stat().st_mtime for one in folder.iterdir()} == {1}


def test_only_the_changed_file_is_written_and_the_stale_one_removed(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "war"
    package.write(folder, {**FILES, "old.py": HEADER})
    changes = package.write(folder, {**FILES, "match.py": f"{HEADER}WAITS = 3\n"})
    assert (changes.written, changes.removed) == (("match.py",), ("old.py",))
    assert changes.unchanged == ("__init__.py", "py.typed")
    assert _contents(folder) == {**FILES, "match.py": f"{HEADER}WAITS = 3\n"}


def test_check_shows_a_diff_and_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "war"
    package.write(folder, {**FILES, "old.py": HEADER})
    before = _contents(folder)
    changes = package.write(
        folder, {**FILES, "match.py": f"{HEADER}WAITS = 3\n"}, check=True
    )
    assert _contents(folder) == before
    assert changes.diff == (
        f"--- a/war/match.py\n+++ b/war/match.py\n@@ -1,2 +1,2 @@\n {HEADER}-WAITS = 2\n+WAITS = 3\n"
        f"--- a/war/old.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-{HEADER}"
    )


def test_check_of_a_package_that_is_not_there(tmp_path: Path) -> None:
    changes = package.write(tmp_path / "war", FILES, check=True)
    assert changes.written == ("__init__.py", "match.py", "py.typed")
    assert "--- /dev/null\n+++ b/war/py.typed\n" in changes.diff
    assert list(tmp_path.iterdir()) == []


def test_the_diff_marks_a_missing_last_newline(tmp_path: Path) -> None:
    package.write(tmp_path / "war", {"__init__.py": f"{HEADER}x = 1"})
    changes = package.write(
        tmp_path / "war", {"__init__.py": f"{HEADER}x = 1\n"}, check=True
    )
    assert changes.diff.endswith("-x = 1\n\\ No newline at end of file\n+x = 1\n")


@pytest.mark.parametrize(
    "name", ["notes.txt", "match.py", "deep/er.py", ".hidden", "data.bin"]
)
def test_a_foreign_file_keeps_us_out(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "war"
    package.write(folder, {"__init__.py": FILES["__init__.py"]})
    foreign = folder / name
    foreign.parent.mkdir(exist_ok=True)
    foreign.write_bytes(b"\xff mine\n")
    for check in (True, False):
        with pytest.raises(package.NotOurs) as caught:
            package.write(folder, FILES, check=check)
        assert caught.value.path == foreign
    assert foreign.read_bytes() == b"\xff mine\n"
    assert not (folder / "py.typed").exists()


def test_a_written_py_typed_is_foreign(tmp_path: Path) -> None:
    (tmp_path / "py.typed").write_text("partial\n", encoding="utf-8")
    with pytest.raises(package.NotOurs):
        package.write(tmp_path, FILES)


@pytest.mark.parametrize("kind", ["folder", "inner folder", "file"])
def test_links_are_not_followed(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "elsewhere"
    package.write(target, FILES)
    folder = tmp_path / "war"
    try:
        if kind == "folder":
            folder.symlink_to(target, target_is_directory=True)
        else:
            folder.mkdir()
            link = folder / ("sub" if kind == "inner folder" else "match.py")
            link.symlink_to(target if kind == "inner folder" else target / "match.py")
    except OSError:
        pytest.skip("this system makes no links for us")
    with pytest.raises(package.NotOurs):
        package.write(folder, {"__init__.py": HEADER})
    assert _contents(target) == FILES


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "war").write_text("mine", encoding="utf-8")
    with pytest.raises(package.NotOurs):
        package.write(tmp_path / "war", FILES)


def test_caches_of_python_do_not_matter(tmp_path: Path) -> None:
    folder = tmp_path / "war"
    package.write(folder, FILES)
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "match.cpython-311.pyc").write_bytes(b"\0")
    assert not package.write(folder, FILES)
    assert package.write(folder, {}).removed == tuple(sorted(FILES))
    assert not folder.exists()


def test_what_an_interrupted_write_left_is_cleaned_up(tmp_path: Path) -> None:
    folder = tmp_path / "war"
    package.write(folder, FILES)
    left = folder / ".match.py.77.dealwright-new"
    left.write_bytes(b"")
    assert not package.write(folder, FILES), "another process may be at it"
    os.utime(left, (0, 0))
    assert package.write(folder, FILES).removed == (".match.py.77.dealwright-new",)
    assert _contents(folder) == FILES


@pytest.mark.parametrize(
    "path", ["../x.py", "/x.py", "a//b.py", "a/../b.py", "", ".", "a\\b.py", "C:x.py"]
)
def test_paths_stay_inside(tmp_path: Path, path: str) -> None:
    with pytest.raises(ValueError, match="no path inside a package"):
        package.write(tmp_path / "war", {path: HEADER})
    assert list(tmp_path.iterdir()) == []


def test_orphans(tmp_path: Path) -> None:
    package.write(tmp_path / "war", FILES)
    package.write(
        tmp_path / "gone",
        {
            "__init__.py": "# @generated from rules/gone.json by dealwright; do not edit.\n"
        },
    )
    package.write(
        tmp_path / "other",
        {"__init__.py": "# @generated from more/x.json by dealwright; do not edit.\n"},
    )
    package.write(
        tmp_path / "mixed",
        {
            "__init__.py": "# @generated from rules/mixed.json by dealwright; do not edit.\n"
        },
    )
    (tmp_path / "mixed" / "notes.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "mine").mkdir()
    assert package.orphans(tmp_path, "rules", {"war.json"}) == [tmp_path / "gone"]
    assert package.orphans(tmp_path / "missing", "rules", set()) == []


def test_source_of(tmp_path: Path) -> None:
    package.write(tmp_path / "war", FILES)
    assert package.source_of(tmp_path / "war") == "rules/war.json"
    assert package.source_of(tmp_path) is None


MODULES = {
    "__init__.py": "from .match import Broken, divide\n",
    "match.py": "from __future__ import annotations\n\nfrom .classes import Broken\n\n\n"
    "def divide(by: int) -> int:\n    return 12 // by  # [7]\n",
    "classes.py": "class Broken(Exception):\n    pass\n",
    "py.typed": "",
}


def test_import_from_memory() -> None:
    module = import_package("war", MODULES)
    assert module.divide(4) == 3
    assert module.Broken.__module__ == f"{module.__name__}.classes"
    assert [name for name in sys.modules if name.startswith("war@")] == []


def test_the_same_slug_twice() -> None:
    one = import_package("war", MODULES)
    two = import_package(
        "war", {**MODULES, "match.py": MODULES["match.py"].replace("12", "24")}
    )
    assert (one.divide(3), two.divide(3)) == (4, 8)
    assert one.Broken is not two.Broken
    assert one.__name__ != two.__name__


def test_tracebacks_show_the_text_of_their_own_package() -> None:
    texts = {
        number: MODULES["match.py"].replace("12", str(number)) for number in (12, 24)
    }
    modules = {
        number: import_package("war", {**MODULES, "match.py": text})
        for number, text in texts.items()
    }
    for number, module in modules.items():
        with pytest.raises(ZeroDivisionError) as caught:
            module.divide(0)
        shown = "".join(traceback.format_exception(caught.value))
        assert f"return {number} // by  # [7]" in shown
        frame = caught.tb.tb_next
        assert frame is not None
        code = frame.tb_frame.f_code
        assert linecache.getline(
            code.co_filename, frame.tb_lineno, frame.tb_frame.f_globals
        ).endswith("# [7]\n")


def test_a_dropped_package_is_freed() -> None:
    module = import_package("war", MODULES)
    name = module.__name__
    with pytest.raises(ZeroDivisionError) as caught:
        module.divide(0)
    traceback.format_exception(caught.value)
    assert any(one.startswith(f"{name}/") for one in linecache.cache)
    remembered = weakref.ref(module.Broken)
    del module, caught
    gc.collect()
    assert remembered() is None
    assert not any(one.startswith(f"{name}/") for one in linecache.cache)


@pytest.mark.parametrize(
    ("files", "error"),
    [
        ({}, ImportError),
        ({"__init__.py": "from .missing import x\n"}, ImportError),
        ({"__init__.py": "1 // 0\n"}, ZeroDivisionError),
        ({"__init__.py": "from . import bad\n", "bad.py": "def\n"}, SyntaxError),
    ],
)
def test_a_failed_import_leaves_nothing(
    files: dict[str, str], error: type[Exception]
) -> None:
    before = set(sys.modules)
    with pytest.raises(error):
        import_package("war", files)
    assert set(sys.modules) == before


def test_imports_in_threads() -> None:
    def load(number: int) -> int:
        result = import_package(
            "war",
            {**MODULES, "match.py": MODULES["match.py"].replace("12", str(number))},
        ).divide(1)
        assert isinstance(result, int)
        return result

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(load, range(200))) == list(range(200))
    assert (
        sum(
            type(one).__module__ == "dealwright.compiler.output.memory"
            for one in sys.meta_path
        )
        == 1
    )
