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


class BadOutput(Exception):
    """The compiler has made something that it must not make: a fault of dealwright, never of a rule."""


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
        BadOutput: formatting changed the meaning or is not stable, or the text is no Python.
    """
    with _no_collection():
        before = _tree(text)
        result, again = _passes(text)
        if _tree(result) != before:
            raise BadOutput("formatting changed the meaning of generated code")
        if again != result:
            raise BadOutput("formatting is not stable")
    return result


def _passes(text: str) -> tuple[str, str]:
    """The text formatted, and what another pass makes of that.

    `format_str` makes two passes over a text that the first one changes, and a third to see that nothing changes any
    more would be half as much again: two thirds of a compilation are spent in black. So the passes are made one by one;
    the function is private, but black's version is pinned.
    """
    first = black._format_str_once(text, mode=MODE)
    second = black._format_str_once(first, mode=MODE)
    if second == first:
        return first, first
    return second, black._format_str_once(second, mode=MODE)


def _refuse_repeated_names(tree: ast.Module) -> None:
    """Two functions of one name would be one: names of rules and names derived from them must never meet."""
    classes = [one.body for one in tree.body if isinstance(one, ast.ClassDef)]
    for body in (tree.body, *classes):
        seen: set[str] = set()
        for one in body:
            if isinstance(one, ast.FunctionDef | ast.ClassDef):
                if one.name in seen:
                    raise BadOutput(f"{one.name} is defined twice")
                seen.add(one.name)


def _tree(text: str) -> str:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        raise BadOutput(f"generated code is no Python: {error}\n{text}") from error
    _refuse_repeated_names(tree)
    for node in ast.walk(tree):
        # black may strip spaces inside docstrings
        if (
            isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
            and ast.get_docstring(node) is not None
        ):
            node.body = node.body[1:]
    return ast.dump(tree)
