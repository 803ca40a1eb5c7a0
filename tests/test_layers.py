"""The compiler imports in one direction only.

A module may import modules that stand before it in ORDER, which is the order of the developer page, and nothing else.
`interpret` is the oracle: it shares nothing with lowering, passes, emission or runtime. The runtime imports the
standard library, generated packages that and the runtime. Imports inside functions count like all others.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

ORDER = (
    # what can be said about a rule; the rule as it was written; how it is read and checked
    *("diagnostics.pointer", "diagnostics.codes", "diagnostics.spelling"),
    *("diagnostics.text", "diagnostics.problem", "diagnostics.reporter"),
    *("rule.model", "rule.components", "rule.references"),
    *("rule.operands", "rule.objects", "rule.flowgraph"),
    *("reading.source", "reading.shapes", "reading.load"),
    "checks",
    # the intermediate representation, and how the rule becomes that
    *("representation.types", "representation.ir", "representation.program"),
    *("representation.tree", "representation.control", "representation.dominance"),
    *("representation.handed", "representation.irtext", "representation.ircheck"),
    *("lowering.coerce", "lowering.infer", "lowering.lower"),
    # what the lowered rule reads and does, and what follows from that, pass by pass; emission
    *("passes.reads", "passes.effects", "passes.rewrite", "passes.bounds"),
    *("passes.certain", "passes", "passes.order", "passes.facts", "passes.alike"),
    "emit",
    # out
    *("front", "output", "report", "pipeline", "paths", "adopt", "verify", "terminal"),
    # what people call, and other tools
    *("cli", "hatch_hook", "import_hook"),
)
READING = ORDER[: ORDER.index("checks")]
OUT = ORDER[ORDER.index("front") :]
WHOLE = ("checks", "emit", "report", "output", "adopt", "verify", "terminal", "cli")
"""Folders whose modules may import one another as they like, as long as there is no cycle."""

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
    """The unit that a module below `compiler` belongs to: `reading.load_flow` is a part of `reading.load`."""
    if len(parts) == 1 or parts[0] in (*WHOLE, "interpreter"):
        return parts[0]
    return f"{parts[0]}.{parts[1].partition('_')[0]}"


def _layer(unit: str) -> int:
    """The unit's place in ORDER; no pass stands above another."""
    known = "passes" if unit not in ORDER and unit.startswith("passes.") else unit
    assert known in ORDER, f"give compiler/{unit} its place in ORDER"
    return ORDER.index(known)


def _own(path: Path) -> tuple[str, ...]:
    return path.relative_to(ROOT / "compiler").with_suffix("").parts


MODULES = {_own(path): path for path in COMPILER}
FACES = {("cli", "__init__")}
"""The folders whose `__init__` hands something on."""


def _of_compiler(path: Path) -> Iterator[tuple[str, ...]]:
    """The modules of the compiler that a file imports, or from which it imports something."""
    for name in _imports(path):
        parts = tuple(name.split("."))
        if parts[:2] == ("dealwright", "compiler"):
            yield from (one for one in (parts[2:], parts[2:-1]) if one in MODULES)
            if (face := (*parts[2:], "__init__")) in FACES:
                yield face


def _shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _may_import(unit: str, other: str) -> bool:
    if unit == other:
        return True
    if unit == "interpreter":
        return other in READING
    if other == "interpreter":
        return unit in ("verify", "cli")
    return _layer(other) < _layer(unit)


@pytest.mark.parametrize("path", COMPILER, ids=_shown)
def test_compiler_imports_only_upwards(path: Path) -> None:
    own = _own(path)
    if own[-1] == "__init__" and own not in FACES:
        assert list(_of_compiler(path)) == []
        return
    assert _unit(own) == "interpreter" or _layer(_unit(own)) >= 0
    wrong = [
        ".".join(one)
        for one in _of_compiler(path)
        if not _may_import(_unit(own), _unit(one))
    ]
    assert wrong == [], f"{_shown(path)} imports what stands below it"


def test_the_order_is_strict() -> None:
    assert _may_import("reading.load", "reading.source")
    assert not _may_import("reading.source", "reading.load")
    assert not _may_import("rule.model", "reading.source")
    assert not _may_import("passes.share", "passes.structure")
    assert not _may_import("passes.structure", "passes.share")
    assert not _may_import("lowering.lower", "passes.share")
    assert not _may_import("lowering.lower", "interpreter")
    assert not _may_import("interpreter", "lowering.lower")


def test_no_module_imports_itself_in_the_end() -> None:
    """No cycle, within a folder neither."""
    below = {own: list(_of_compiler(path)) for own, path in MODULES.items()}
    assert len(list(TopologicalSorter(below).static_order())) == len(MODULES)


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
