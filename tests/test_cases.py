"""Every case file of `tests/cases`, on the interpreter and on the compiled package.

What a case expects of a run, and the diagnostics, come from the contract and are never rewritten; `pytest --update`
rewrites only the sections that hold generated code.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from dealwright.compiler import front, pipeline
from dealwright.compiler.diagnostics.codes import Severity
from dealwright.compiler.output import memory
from dealwright.compiler.pipeline import Built
from tests.case_engines import Compiled, Interpreted
from tests.case_run import run_case
from tests.casefile import KINDS, Case, read_case, rewritten

CASES = sorted((Path(__file__).parent / "cases").glob("*.case"))
_read = cache(read_case)
RUN = [path for path in CASES if _read(path).is_run()]
CODE = [path for path in CASES if _read(path).code]


def _built(case: Case) -> Built:
    """The rule of a case, compiled."""
    return pipeline.build(case.document(), "case.json")


VALUES = (1, 2, *range(5, 16), 17, 21, 22, 23, 25, 27, 29)
PLACES = {
    **dict.fromkeys((*VALUES, 4, 16), KINDS),
    **dict.fromkeys((19, 20), ("match", "end", "method")),
    18: ("match",),
    24: ("end",),
    26: ("method",),
    28: ("build",),
    30: ("compare",),
}
OPERATORS = {6: 3, 10: 5, 11: 2, 12: 2, 14: 5}


def test_every_component_has_a_case() -> None:
    """Cases that run hold every component in every kind of flow where it may stand, with every operator it has."""
    seen = set()
    for path in RUN:
        for kind, nodes in _read(path).flows():
            for node in nodes.values():
                content = node.get("content") or {}
                seen |= {
                    (kind, node["type"]),
                    (kind, node["type"], content.get("operator", 0)),
                }
    places = {(kind, type) for type, kinds in PLACES.items() for kind in kinds}
    operators = {
        (kind, type, one)
        for type, count in OPERATORS.items()
        for one in range(count)
        for kind in KINDS
    }
    assert (places | operators) - seen == set()


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_diagnostics(path: Path) -> None:
    """The rule gives exactly the errors and warnings that the case lists."""
    case = _read(path)
    _, reporter = front.read_rule(case.document(), "case.json")
    found = [one for one in reporter.diagnostics() if one.severity is not Severity.NOTE]
    codes = tuple(sorted({one.code for one in found}))
    assert codes == case.diagnostics, "\n".join(one.text() for one in found)


@pytest.mark.parametrize("path", RUN, ids=lambda path: path.stem)
def test_interpreted(path: Path) -> None:
    """The interpreter gives what the case expects."""
    case = _read(path)
    run_case(case, Interpreted(case.document()))


@pytest.mark.parametrize("path", RUN, ids=lambda path: path.stem)
def test_compiled(path: Path) -> None:
    """The compiled package gives what the case expects."""
    case = _read(path)
    built = _built(case)
    package = memory.import_package(built.slug, built.files)
    run_case(case, Compiled(package, case.cardset_order(), built.handed))


@pytest.mark.parametrize("path", CODE, ids=lambda path: path.stem)
def test_code(path: Path, request: pytest.FixtureRequest) -> None:
    """The functions that the case shows are generated just so."""
    case = _read(path)
    files = _built(case).files
    found = {
        (name, function): _function(files[name], function)
        for _, name, function in (one.words for one in case.code)
    }
    text = path.read_text(encoding="utf-8")
    wanted = rewritten(text, found)
    if request.config.getoption("--update"):
        path.write_text(wanted, encoding="utf-8")
        return
    assert (
        text == wanted
    ), "run `pytest tests/test_cases.py --update` and look at the diff"


def _function(module: str, name: str) -> str:
    """The text of one function of a generated module, comments included, or of the line that gives it another name.

    A method is named with its class.
    """
    lines = module.splitlines()
    found: ast.AST = ast.parse(module)
    for part in name.split("."):
        found = next(
            one for one in ast.iter_child_nodes(found) if part in _names_given(one)
        )
    assert isinstance(found, ast.FunctionDef | ast.Assign)
    return "\n".join(lines[found.lineno - 1 : found.end_lineno])


def _names_given(one: ast.AST) -> list[str]:
    """The names that a statement of a module or a class defines."""
    if isinstance(one, ast.Assign):
        return [target.id for target in one.targets if isinstance(target, ast.Name)]
    return [one.name] if isinstance(one, ast.FunctionDef | ast.ClassDef) else []
