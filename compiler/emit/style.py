"""The last step of emission: black with a pinned mode, then checks that nothing but the layout has changed.

The text must parse, mean the same tree after formatting, and be left alone by a second pass. A failure here is a fault of
ours, never of a rule.
"""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import black
from black.mode import TargetVersion

# the defaults of black, spelt out: a user's own `black .` must leave generated files alone
MODE = black.Mode(target_versions={TargetVersion.PY311}, line_length=88)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Without cyclic garbage collection, which black's trees set off again and again: time would not be linear."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@lru_cache(maxsize=256)
def formatted(text: str) -> str:
    """The text as black would have it.

    Raises:
        AssertionError: formatting changed the meaning or is not stable, or the text is no Python.
    """
    with _no_collection():
        before = _tree(text)
        result = black.format_str(text, mode=MODE)
        assert (
            _tree(result) == before
        ), "formatting changed the meaning of generated code"
        assert black.format_str(result, mode=MODE) == result, "formatting is not stable"
    return result


def _tree(text: str) -> str:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        raise AssertionError(f"generated code is no Python: {error}\n{text}") from error
    for node in ast.walk(tree):
        # black may strip spaces inside docstrings
        if (
            isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
            and ast.get_docstring(node) is not None
        ):
            node.body = node.body[1:]
    return ast.dump(tree)
