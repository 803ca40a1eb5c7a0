"""The compiler imports in one direction only.

A module may import modules that stand before it in ORDER, which is the order of the developer page, and nothing else.
`interpret` is the oracle: it shares nothing with lowering, passes, emission or runtime. The runtime imports the
standard library, generated packages that and the runtime. Imports inside functions count like all others.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

ORDER = (
    # words and input: what can be said, how a file is read
    *("types", "pointer", "codes", "spelling", "diagnostics", "model", "components"),
    "source",
    *("references", "operands", "objects", "flowgraph", "shapes", "load"),
    # what can be known about the rule as it was written: the passes `check` and `infer`
    "passes on the model",
    # IR and front
    *("ir", "tree", "dominance", "coerce", "lower", "irtext", "ircheck"),
    # what the lowered rule reads and does, and what follows from that, pass by pass; names; emission
    *("passes.reads", "passes.effects", "passes.rewrite", "passes.bounds"),
    *("passes.certain", "passes", "passes.order", "passes.facts", "passes.alike"),
    *("handed", "naming", "emit"),
    # out
    *("front", "report", "schema", "native", "package"),
    *("memory", "pipeline", "paths", "adopt", "verify", "terminal", "cli"),
    # called by other tools: hatch_hook, import_hook
    *("hatch", "import"),
)
ON_THE_MODEL = ("passes.check", "passes.infer")
READING = ORDER[: ORDER.index("passes on the model")]
OUT = ORDER[ORDER.index("front") :]

COMPILER = sorted((ROOT / "compiler").rglob("*.py"))
RUNTIME = sorted((ROOT / "runtime").rglob("*.py"))
GENERATED = sorted((ROOT / "build").rglob("*.py"))


def _imports(path: Path) -> Iterator[str]:
    """Every absolute name that a file imports; `from a import b` gives `a` and `a.b`, since b may be a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (one.name for one in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield module
                yield from (f"{module}.{one.name}" for one in names)


def _unit(parts: tuple[str, ...]) -> str:
    """The unit that a module below `compiler` belongs to: `load_flow` is a part of `load`, `emit.text` of `emit`."""
    if parts[0] == "passes" and len(parts) > 1:
        return f"passes.{parts[1].partition('_')[0]}"
    return parts[0].partition("_")[0]


def _layer(unit: str) -> int:
    """The unit's place in ORDER; no pass stands above another."""
    if unit in ON_THE_MODEL:
        return ORDER.index("passes on the model")
    known = "passes" if unit not in ORDER and unit.startswith("passes.") else unit
    assert known in ORDER, f"give compiler/{unit} its place in ORDER"
    return ORDER.index(known)


def _of_compiler(path: Path) -> Iterator[tuple[str, ...]]:
    for name in _imports(path):
        parts = tuple(name.split("."))
        if parts[:2] == ("dealwright", "compiler") and len(parts) > 2:
            yield parts[2:]


def _own(path: Path) -> tuple[str, ...]:
    return path.relative_to(ROOT / "compiler").with_suffix("").parts


def _shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _may_import(unit: str, other: str) -> bool:
    if unit == other:
        return True
    if unit == "interpret":
        return other in READING
    if other == "interpret":
        return unit in ("verify", "cli")
    return _layer(other) < _layer(unit)


@pytest.mark.parametrize("path", COMPILER, ids=_shown)
def test_compiler_imports_only_upwards(path: Path) -> None:
    own = _own(path)
    if own[-1] == "__init__" and own[0] != "emit":
        assert list(_of_compiler(path)) == []
        return
    assert _unit(own) == "interpret" or _layer(_unit(own)) >= 0
    wrong = [
        ".".join(one)
        for one in _of_compiler(path)
        if not _may_import(_unit(own), _unit(one))
    ]
    assert wrong == [], f"{_shown(path)} imports what stands below it"


def test_the_order_is_strict() -> None:
    assert _may_import("load", "source")
    assert not _may_import("source", "load")
    assert not _may_import("passes.check", "passes.infer")
    assert not _may_import("passes.infer", "passes.check")
    assert not _may_import("passes.fold", "passes.structure")
    assert not _may_import("lower", "interpret")
    assert not _may_import("interpret", "lower")


@pytest.mark.parametrize("path", COMPILER, ids=_shown)
def test_only_the_out_layer_knows_the_runtime(path: Path) -> None:
    if _unit(_own(path)) not in OUT:
        assert [
            one for one in _imports(path) if one.startswith("dealwright.runtime")
        ] == []


@pytest.mark.parametrize("path", RUNTIME, ids=_shown)
def test_runtime_imports_the_standard_library_only(path: Path) -> None:
    assert _foreign(path) <= {"dealwright"}
    assert [
        one
        for one in _imports(path)
        if one.startswith(("dealwright.compiler", "dealwright.templates"))
    ] == []


@pytest.mark.parametrize("path", GENERATED, ids=_shown)
def test_generated_code_imports_the_runtime_only(path: Path) -> None:
    ours = [one for one in _imports(path) if one.startswith("dealwright")]
    assert [one for one in ours if not one.startswith("dealwright.runtime")] == []
    assert _foreign(path) <= {"dealwright"}


def _foreign(path: Path) -> set[str]:
    return {one.split(".")[0] for one in _imports(path)} - sys.stdlib_module_names


def test_build_is_no_package() -> None:
    """With an `__init__.py` the folder would become a package of its own and hide the generated ones."""
    assert not (ROOT / "build" / "__init__.py").exists()
