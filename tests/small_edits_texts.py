"""What the texts of generated files hold: statements, ifs, calls and names, by the nodes in their comments.

Goes in: a file of a package as black leaves it. Comes out: what `tests.test_small_diffs` counts in it.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

DEF = ast.FunctionDef


@dataclass(frozen=True, slots=True)
class If:
    """An `if` of generated code: what it asks, its own lines, those to the end of the block, whether it is an `elif`."""

    test: str
    head: int
    lines: int
    span: int
    is_elif: bool


Ifs: TypeAlias = dict[tuple[str, str], If]
"""By the function that they stand in and the node that they come from."""


@cache
def ifs_of(text: str) -> Ifs:
    """The ifs of a file."""
    functions = [one for one in ast.walk(ast.parse(text)) if isinstance(one, DEF)]
    lines = text.splitlines()
    return {
        (function.name, id): made
        for function in functions
        for id, made in _ifs_below(function, lines)
    }


def _ifs_below(function: ast.FunctionDef, lines: list[str]) -> Iterator[tuple[str, If]]:
    for block in _blocks(function):
        for one in block:
            if isinstance(one, ast.If):
                head = "\n".join(lines[one.lineno - 1 : one.body[0].lineno - 1])
                made = If(
                    ast.unparse(one.test),
                    one.body[0].lineno - one.lineno,
                    _length(one, one),
                    _length(one, block[-1]),
                    lines[one.lineno - 1].lstrip().startswith("elif"),
                )
                yield from ((id, made) for id in re.findall(r"# \[(.*?)\]", head))


def _blocks(function: ast.FunctionDef) -> Iterator[list[ast.stmt]]:
    for parent in ast.walk(function):
        for block in (getattr(parent, "body", None), getattr(parent, "orelse", None)):
            if isinstance(block, list):
                yield block


def _length(first: ast.stmt, last: ast.stmt) -> int:
    return (last.end_lineno or 0) - first.lineno + 1


@dataclass(frozen=True, slots=True)
class Written:
    """A statement of generated code, of an `if` its head: how deep it stands, its lines, and the last of them."""

    depth: int
    lines: int
    last: str


@cache
def statements_of(text: str) -> tuple[Written, ...]:
    """The statements of all functions of a file."""
    lines, found = text.splitlines(), []
    for one in ast.walk(ast.parse(text)):
        if isinstance(one, ast.stmt) and not isinstance(one, DEF | ast.ClassDef):
            body = getattr(one, "body", None)
            end = body[0].lineno - 1 if body else one.end_lineno or 0
            found.append(Written(one.col_offset, end - one.lineno + 1, lines[end - 1]))
    return tuple(found)


def lines_of(text: str, id: str) -> int:
    """The lines of the statements that come from a node, of an `if` those of its head."""
    return sum(one.lines for one in statements_of(text) if says(one.last, id))


def calls_of(text: str) -> Counter[str]:
    """The lines with which one function of the match goes on in another one."""
    return Counter(re.findall(r"(?m)^ +return \w+\(game\)$", text))


def local_names(text: str) -> frozenset[str]:
    """The names that functions give to what they use several times."""
    return frozenset(
        target.id
        for one in ast.walk(ast.parse(text))
        if isinstance(one, ast.Assign) and one.col_offset
        for target in one.targets
        if isinstance(target, ast.Name)
    )


def lines_with(text: str, names: frozenset[str]) -> Counter[str]:
    """The lines that mention one of these names."""
    return Counter(
        line
        for line in text.splitlines()
        if not names.isdisjoint(re.findall(r"\w+", line))
    )


def imported_names(text: str) -> list[tuple[str | None, str]]:
    """What a file imports from where."""
    return [
        (part.module, one.name)
        for part in ast.parse(text).body
        if isinstance(part, ast.ImportFrom)
        for one in part.names
    ]


def function_heads(text: str) -> dict[str, str]:
    """The names of all functions with their parameters."""
    parts = [
        one for one in ast.walk(ast.parse(text)) if isinstance(one, ast.FunctionDef)
    ]
    return {one.name: ast.unparse(one.args) for one in parts}


def has_word(text: str, word: str) -> bool:
    """Whether a text contains a word, as it is or as a part of a longer name."""
    spelled = "[ _]".join(map(re.escape, re.split(r"\W", word)))
    return bool(re.search(rf"(?<![^\W_]){spelled}(?![^\W_])", text))


def says(text: str, node: str) -> bool:
    """Whether a comment names a node."""
    return bool(re.search(rf"#.*[\[ ]{re.escape(node)}[\], ]", text + "\n"))


def times_written(text: str, id: str) -> int:
    """How many lines a comment says to come from a node."""
    return sum(says(line, id) for line in text.split("\n"))
