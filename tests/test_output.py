"""What generated packages look like, whatever rule they come from.

They pass `mypy --strict`, black and ruff; they import the runtime and the standard library only; nothing in them runs
text or looks names up; ids of nodes stand where they may and nowhere else; and what they say depends on nothing but the
rule: not on the order of keys that means nothing, on the canvas, the machine or the hash seed.
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
import random
import re
import sys
import tokenize
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import black
import pytest

from dealwright.compiler import pipeline
from dealwright.runtime import MatchError
from tests.rule_changes import CHANGES, design, document, renamed
from tests.support import (
    ROOT,
    SHARED_RULES,
    Json,
    built,
    encoded,
    package_of,
    python,
    real_rules,
    shipped_rules,
    shown,
    write_packages,
)

RULES = [*shipped_rules(), *real_rules()]
each_rule = pytest.mark.parametrize("path", RULES, ids=shown)

REFLECTION = frozenset("""
    __builtins__ __dict__ __getattr__ __getattribute__ __import__ __setattr__ breakpoint compile delattr eval exec getattr
    globals hasattr importlib inspect locals open setattr types vars
    """.split())
"""What lets a program run text or reach things by a name that it computes."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder `build` with the packages of all rules."""
    made = tmp_path_factory.mktemp("output") / "build"
    write_packages(made, RULES)
    return made


def modules(path: Path) -> Iterator[tuple[str, str]]:
    """The generated modules of a rule: file name and text."""
    return (
        (name, text) for name, text in built(path).files.items() if name.endswith(".py")
    )


# --- tools


def test_mypy_strict_passes_on_all_packages(folder: Path) -> None:
    slugs = sorted(one.name for one in folder.iterdir())
    config = folder.parent / "mypy.ini"
    config.write_text("[mypy]\nstrict = True\n", encoding="utf-8")
    said = python(
        *(
            "-m",
            "mypy",
            "--config-file",
            str(config),
            "--cache-dir",
            str(folder.parent / "cache"),
        ),
        *(argument for slug in slugs for argument in ("-p", slug)),
        cwd=folder.parent,
        environment={"MYPYPATH": f"{folder}:{ROOT / '.src'}"},
    )
    assert f"no issues found in {5 * len(slugs)} source files" in said, said


def test_nothing_is_undefined_or_unused(folder: Path) -> None:
    """Ruff, with the rules that find mistakes and unsorted imports; the layout is black's."""
    command = (
        "-m",
        "ruff",
        "check",
        "--isolated",
        "--no-cache",
        "--output-format",
        "concise",
    )
    python(
        *command,
        "--target-version",
        "py311",
        "--select",
        "E9,F,I,B,W",
        "build",
        cwd=folder.parent,
    )


@each_rule
def test_black_leaves_packages_unchanged(path: Path) -> None:
    for name, text in modules(path):
        assert black.format_str(text, mode=black.Mode()) == text, name


# --- what is in them


@each_rule
def test_files(path: Path) -> None:
    files = built(path).files
    assert set(files) == {
        "__init__.py",
        "cardsets.py",
        "classes.py",
        "match.py",
        "py.typed",
        "settle.py",
    }
    assert files["py.typed"] == ""
    for _, text in modules(path):
        first = text.split("\n", 1)[0]
        assert (
            first
            == f"# @generated from {shown(path)} by `dealwright build`; do not edit."
        )
        assert str(ROOT) not in text and text.endswith("\n") and "\r" not in text


def imports(tree: ast.Module) -> Iterator[str]:
    """The modules that a module imports; a sibling with a dot before its name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is None:
            yield from ("." * node.level + one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def foreign(tree: ast.Module) -> set[str]:
    """Imports that a generated package may not have."""
    allowed = {".cardsets", ".classes", ".match", ".settle", "dealwright.runtime"}
    return {
        one
        for one in imports(tree)
        if one not in allowed
        and (one.split(".")[0] not in sys.stdlib_module_names or one in REFLECTION)
    }


def reflections(tree: ast.Module) -> set[str]:
    """Names by which a module could run text or look names up."""
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    found |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return found & REFLECTION


@each_rule
def test_packages_import_the_runtime_and_run_no_text(path: Path) -> None:
    for name, text in modules(path):
        tree = ast.parse(text)
        assert foreign(tree) == set(), name
        assert reflections(tree) == set(), name


def test_what_is_forbidden_is_found() -> None:
    tree = ast.parse(
        "import numpy, os\nfrom dealwright.compiler import load\nfrom .other import x\nvars(x)['a']"
    )
    assert foreign(tree) == {"numpy", "dealwright.compiler", ".other"}
    assert reflections(tree) == {"vars"}


def test_the_runtime_imports_the_standard_library_only() -> None:
    files = sorted((ROOT / "runtime").rglob("*.py"))
    assert files
    for path in files:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        wrong = [
            one
            for one in imports(tree)
            if one.split(".")[0] not in sys.stdlib_module_names
            and not f"{one}.".startswith("dealwright.runtime.")
        ]
        assert wrong == [], path.name
        calls = {
            node.func.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert (
            calls & {"eval", "exec", "compile", "__import__", "globals", "locals"}
            == set()
        ), path.name


@pytest.mark.skipif(not SHARED_RULES.is_dir(), reason="the old export is not at hand")
def test_an_old_export_compiles_with_warnings_and_cannot_be_dealt() -> None:
    path = SHARED_RULES / "test.json"
    diagnostics = built(path).reporter.diagnostics()
    assert diagnostics and "WARNING" in {one.severity.name for one in diagnostics}
    players = package_of(path).PACKAGE.players or 2
    with pytest.raises(MatchError) as caught:
        package_of(path).new_match(list(range(players)), seed=1)
    assert caught.value.code == "deck_exhausted"
    assert caught.value.flow == "match_flow" and caught.value.node is not None


# --- rules written otherwise


def texts(rule: Json, path: Path) -> Mapping[str, str]:
    """The package of a changed rule, as if it stood in the file `path`."""
    return pipeline.build(encoded(rule), shown(path)).files


def assert_same(path: Path, files: Mapping[str, str]) -> None:
    """The files are those of the rule as it stands on disk."""
    for name, text in built(path).files.items():
        assert files[name] == text, f"{name} of {shown(path)} came out otherwise"


# --- node ids


def comments_and_code(text: str) -> tuple[str, list[tokenize.TokenInfo]]:
    """All comments of a module, and the tokens that are none."""
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    comments = "\n".join(one.string for one in tokens if one.type == tokenize.COMMENT)
    return comments, [one for one in tokens if one.type != tokenize.COMMENT]


def strings_that_may_name_nodes(tree: ast.Module) -> Iterator[str]:
    """What `AwaitPlay` and `AwaitChoice` wait at, and the keys of `RESUME`."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Name(id="AwaitPlay" | "AwaitChoice"),
                args=[ast.Constant(value=str(id))],
            ):
                yield id
            case ast.Assign(targets=[ast.Name(id="RESUME")], value=ast.Dict(keys=keys)):
                yield from (
                    str(one.value) for one in keys if isinstance(one, ast.Constant)
                )


@each_rule
def test_node_ids_stand_in_comments_waits_functions_and_constants_only(
    path: Path,
) -> None:
    """With every node renamed, what is left of the text is what it was, and the new names are where they may be."""
    rule = document(path)
    files = texts(renamed(rule, lambda number: f"zq{number}zq"), path)
    others = texts(renamed(rule, lambda number: f"zq{1099 - number}zq"), path)
    allowed_words = re.compile(r"(after_play_|after_choice_|at_|\w+_at_)zq\d+zq")
    for name, text in files.items():
        if not name.endswith(".py"):
            continue
        back = re.sub(
            r"zq(\d+)zq", lambda found: f"zq{1099 - int(found[1])}zq", others[name]
        )
        assert back == text, f"{name} depends on how nodes are numbered"
        tree = ast.parse(text)
        defined = {
            one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)
        } | {
            ast.unparse(one.target)
            for one in tree.body
            if isinstance(one, ast.AnnAssign)
        }
        waits = [
            repr(one).replace("'", '"') for one in strings_that_may_name_nodes(tree)
        ]
        for token in comments_and_code(text)[1]:
            if "zq" not in token.string:
                continue
            if token.type == tokenize.NAME:
                # Python's own tokenizer parts a name at a `·`
                is_defined = any(one.endswith(token.string) for one in defined)
                assert is_defined or name == "match.py", token
                assert allowed_words.fullmatch(token.string), token
            else:
                assert token.string in waits, token


@each_rule
def test_waits_name_nodes_and_lines_carry_them(path: Path) -> None:
    rule = document(path)
    files = built(path).files
    waits = [
        id
        for id, node in design(rule)["match_flow"].items()
        if node["type"] in (21, 22)
    ]
    named = set(strings_that_may_name_nodes(ast.parse(files["match.py"])))
    assert named == set(package_of(path).PACKAGE.resume) and named <= set(waits)
    comments = comments_and_code(files["match.py"])[0]
    assert all(f"[{id}]" in comments for id in named)


# --- the same bytes


@pytest.mark.parametrize("change", CHANGES, ids=lambda one: str(one.__name__))
@each_rule
def test_what_means_nothing_changes_no_byte(
    path: Path, change: Callable[..., Json]
) -> None:
    rule = change(document(path), random.Random(f"{change.__name__} {path.stem}"))
    assert_same(path, texts(rule, path))


@pytest.mark.parametrize("indent", [None, 0, 7])
def test_the_layout_of_the_file_changes_no_byte(indent: int | None) -> None:
    path = shipped_rules()[0]
    rule = document(path)
    assert_same(path, pipeline.build(encoded(rule, indent), shown(path)).files)
    ascii_only = json.dumps(rule, ensure_ascii=True).encode()
    assert_same(path, pipeline.build(ascii_only, shown(path)).files)


def test_what_means_something_does_change_bytes() -> None:
    """The comparison itself: a different timer, one line further down, is seen."""
    path = shipped_rules()[0]
    rule = document(path)
    wait = next(one for one in design(rule)["match_flow"].values() if one["type"] == 21)
    wait["content"]["timer"] += 1
    with pytest.raises(AssertionError, match=r"match\.py"):
        assert_same(path, texts(rule, path))


PRINT_DIGESTS = """
import hashlib, json, sys
from pathlib import Path
from dealwright.compiler import pipeline

for path, shown in json.load(sys.stdin):
    files = pipeline.build(Path(path).read_bytes(), shown).files
    print(hashlib.sha256(json.dumps(list(files.items())).encode()).hexdigest())
"""


def digests(paths: Sequence[Path]) -> list[str]:
    """One digest for each rule's package, the order of its files included."""
    made: list[Any] = [list(built(path).files.items()) for path in paths]
    return [hashlib.sha256(json.dumps(one).encode()).hexdigest() for one in made]


def _size(path: Path) -> int:
    return path.stat().st_size


@pytest.mark.parametrize("seed", range(4))
def test_hash_seed_and_directory_change_no_byte(seed: int, tmp_path: Path) -> None:
    # all rules once, and those with most in them for the other seeds
    paths = RULES if seed == 0 else sorted(shipped_rules(), key=_size)[-3:]
    said = python(
        *("-c", PRINT_DIGESTS),
        cwd=tmp_path,
        given=json.dumps([[str(path), shown(path)] for path in paths]),
        environment={"PYTHONHASHSEED": str(seed)},
    )
    assert said.split() == digests(paths)


def test_build_is_what_we_would_generate_now() -> None:
    """On failure: the diff, and the command that brings build/ up to date."""
    command = ("-m", "dealwright", "build", "rules")
    try:
        python(*command, "--check", cwd=ROOT)
    except AssertionError as error:
        pytest.fail(f"run `dealwright build rules`:\n{error}", pytrace=False)
