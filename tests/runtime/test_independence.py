"""Matches share nothing that changes, and the runtime needs nothing but the standard library."""

from __future__ import annotations

import ast
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import toy
from runtime_helpers import random_moves

import dealwright.runtime

SOURCES = sorted(Path(dealwright.runtime.__file__).resolve().parent.glob("*.py"))


def whole_match(seed: int) -> tuple[dict[str, object], list[object]]:
    match = toy.new_match([0, 1, 2], seed=seed % 100)
    for _ in random_moves(match, seed % 100, 6):
        pass
    return match.to_json(), [event.to_json() for event in match.take_events()]


def test_a_thousand_matches_in_threads_are_a_thousand_matches_alone() -> None:
    alone = [whole_match(seed) for seed in range(100)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as threads:
            together = list(threads.map(whole_match, range(1000)))
    finally:
        sys.setswitchinterval(interval)
    assert together == [alone[seed % 100] for seed in range(1000)]


def test_only_the_standard_library_and_no_dynamic_code() -> None:
    assert len(SOURCES) > 10
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                assert name.startswith("dealwright.runtime") or (
                    name.partition(".")[0] in sys.stdlib_module_names
                ), source
            if isinstance(node, ast.Name):
                assert node.id not in {"eval", "exec", "compile", "__import__"}, source


def test_no_module_holds_state() -> None:
    kinds = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
    for source in SOURCES:
        for statement in ast.parse(source.read_text(encoding="utf-8")).body:
            if isinstance(statement, ast.Assign | ast.AnnAssign):
                named = "__all__" in ast.dump(statement)
                assert named or not isinstance(statement.value, kinds), source
            assert not isinstance(statement, ast.Global)


def test_every_module_says_what_it_is_and_stays_small() -> None:
    for source in SOURCES:
        text = source.read_text(encoding="utf-8")
        assert ast.get_docstring(ast.parse(text)), source
        assert len(text.splitlines()) <= 500, source
