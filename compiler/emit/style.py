"""The last step of emission: black with a pinned mode, then checks that nothing but the layout has changed.

Black over whole modules would be most of what compiling costs. But the skeletons and libcst lay everything out as black
does, except for statements that are too long for a line; so black gets those, one by one. Where a text holds anything
else that black might touch, it gets all of it. The text must parse, and mean the same tree after formatting. That black
then has nothing left to do is shown for every package that `--verify` looks at, and by the tests for many rules. A failure
here is a fault of ours, never of a rule.
"""

from __future__ import annotations

import ast
import gc
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from difflib import unified_diff
from functools import lru_cache
from itertools import islice, zip_longest
from typing import Final

import black
from black.mode import TargetVersion
from black.parsing import InvalidInput

# the defaults of black, spelt out: a user's own `black .` must leave generated files alone
MODE: Final = black.Mode(target_versions={TargetVersion.PY311}, line_length=88)
_INDENT: Final = "    "
_BODY: Final = f"{_INDENT}pass\n"
# what an `elif` needs before it, to be a statement by itself
_QUESTION: Final = f"if question:\n{_BODY}"
# lines of a difference that are enough to see what it is
_SHOWN: Final = 20
# where black broke a line behind a function or a list: of a formula, that leaves bits which nobody can read
_TORN: Final = re.compile(r"[\w)\]][(\[]$", re.MULTILINE)
# escapes and quotes that black may spell otherwise; spaces at the end of a line and at either end of a docstring
_TOUCHED: Final = re.compile(r'''[\\'\t]| $|""" | """''', re.MULTILINE)


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
        tree = _parsed(text)
        _refuse_repeated_names(tree)
        result = _laid_out(text, tree)
        if result != text:
            _refuse_another_meaning(text, tree, result)
    return result


def refuse_unsettled(text: str) -> None:
    """See that black has nothing to do on a text that `formatted` has made.

    Raises:
        BadOutput: it has; the message shows the first lines of the difference.
    """
    try:
        with _no_collection():
            result = _once(text)
    except InvalidInput as error:
        raise BadOutput(f"black cannot read generated code: {error}") from error
    if result != text:
        lines = unified_diff(text.splitlines(), result.splitlines(), n=0, lineterm="")
        shown = "\n".join(islice(lines, 2, 2 + _SHOWN))
        raise BadOutput(f"black would lay out generated code otherwise:\n{shown}")


def _parsed(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError) as error:
        raise BadOutput(f"generated code is no Python: {error}\n{text}") from error


def _laid_out(text: str, tree: ast.Module) -> str:
    lines = text.split("\n")
    long = {number for number, line in enumerate(lines, 1) if _may_be_long(line)}
    if long:
        for number, is_compound in _starts(tree):
            if number in long:
                broken = _broken(lines[number - 1], is_compound)
                if broken is not None:
                    lines[number - 1] = broken
                    long.remove(number)
    result = "\n".join(lines)
    return _settled(result) if long or _TOUCHED.search(text) else result


def _may_be_long(line: str) -> bool:
    """Whether a line may be too long for black, which counts columns: no letter takes more of them than bytes."""
    return (
        len(line) > MODE.line_length
        or (not line.isascii() and len(line.encode()) > MODE.line_length)
    ) and not line.startswith("#")


def _starts(tree: ast.Module) -> Iterator[tuple[int, bool]]:
    """The number of the line where each statement starts, and whether statements belong to it.

    What is emitted has no `try`, `with` or `match`; a long line in one would be nobody's, and black gets the whole module.
    """
    statements = [*tree.body]
    while statements:
        one = statements.pop()
        inside = [*getattr(one, "body", ()), *getattr(one, "orelse", ())]
        yield one.lineno, bool(inside)
        statements += inside


def _broken(line: str, is_compound: bool) -> str | None:
    """The line on which a statement starts, on as many lines as black gives it; None if it does not end there.

    How black breaks a statement depends on its text and on the columns that are left for it, not on what stands around it:
    so it is broken by itself, where the indentation has been taken from the columns.
    """
    statement = line.lstrip(" ")
    indent = line[: len(line) - len(statement)]
    before = _QUESTION if statement.startswith("elif ") else ""
    after = _BODY if is_compound else ""
    mode = replace(MODE, line_length=MODE.line_length - len(indent))
    text = f"{before}{statement}\n{after}"
    try:
        result = _settled(text, mode)
        if _TORN.search(result):
            better = _settled(_with_parentheses(text), mode)
            result = result if _TORN.search(better) else better
    except InvalidInput:
        return None
    broken = result.removeprefix(before).removesuffix(f"\n{after}")
    return indent + broken.replace("\n", f"\n{indent}")


def _with_parentheses(text: str) -> str:
    """A statement with parentheses around the formula with which a comparison in it ends: so black can break before it."""
    comparisons = (
        question
        for one in ast.walk(ast.parse(text))
        for question in (getattr(one, "test", None), getattr(one, "value", None))
        if isinstance(one, ast.stmt) and isinstance(question, ast.Compare)
    )
    for comparison in comparisons:
        last = comparison.comparators[-1]
        if isinstance(last, ast.BinOp) and last.end_col_offset is not None:
            lines = text.encode().split(b"\n")  # positions are in bytes
            line = lines[last.lineno - 1]
            start, end = last.col_offset, last.end_col_offset
            lines[last.lineno - 1] = b"%b(%b)%b" % (
                line[:start],
                line[start:end],
                line[end:],
            )
            return b"\n".join(lines).decode()
    return text


def _settled(text: str, mode: black.Mode = MODE) -> str:
    """The text once black leaves it alone: after a single pass if it does so at once."""
    for _ in range(2):
        result = _once(text, mode)
        if result == text:
            return result
        text = result
    if _once(text, mode) != text:
        raise BadOutput("formatting is not stable")
    return text


def _once(text: str, mode: black.Mode = MODE) -> str:
    """What one pass makes of a text.

    `black.format_str` makes a second one if the first changes anything; the function is private, but black's version is
    pinned.
    """
    return black._format_str_once(text, mode=mode)


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


def _refuse_another_meaning(text: str, tree: ast.Module, result: str) -> None:
    """Compare a text with what black has made of it, wherever they are not alike to the letter."""
    before, after = text.split("\n"), result.split("\n")
    for old, new in zip_longest(tree.body, _parsed(result).body):
        if (
            old is None
            or new is None
            or (
                _written(before, old) != _written(after, new)
                and _meaning(old) != _meaning(new)
            )
        ):
            raise BadOutput("formatting changed the meaning of generated code")


def _written(lines: Sequence[str], statement: ast.stmt) -> Sequence[str]:
    return lines[statement.lineno - 1 : statement.end_lineno]


def _meaning(statement: ast.stmt) -> str:
    """All that a statement is, but for the docstrings in it: black may strip spaces there."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return ""
    for node in ast.walk(statement):
        if (
            isinstance(node, ast.FunctionDef | ast.ClassDef)
            and ast.get_docstring(node) is not None
        ):
            node.body = node.body[1:]
    return ast.dump(statement)
