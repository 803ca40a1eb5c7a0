"""What the texts of generated files hold: statements, ifs, calls and names, by the nodes in their comments.

Goes in: a file of a package as black leaves it. Comes out: what `tests.test_small_diffs` counts in it.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

DEF = ast.FunctionDef
Files: TypeAlias = Mapping[str, str]
"""The texts of a package by the paths of its files."""


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
    lines = text.splitlines()
    return tuple(_written(one, lines) for one in _statements(ast.parse(text)))


@cache
def first_statements(text: str) -> dict[str, Written]:
    """The statement with which each function of a file begins."""
    lines = text.splitlines()
    functions = [one for one in ast.walk(ast.parse(text)) if isinstance(one, DEF)]
    return {one.name: _written(one.body[0], lines) for one in functions}


@cache
def statements_from(text: str, ids: tuple[str, ...]) -> tuple[Written, ...]:
    """The statements of some nodes and all behind them in their blocks, with what is nested there."""
    lines = text.splitlines()
    found: dict[int, Written] = {}
    for function in ast.walk(ast.parse(text)):
        for block in _blocks(function) if isinstance(function, DEF) else ():
            below = [
                number
                for number, one in enumerate(block)
                if not isinstance(one, DEF | ast.ClassDef)
                and any(says(_written(one, lines).last, id) for id in ids)
            ]
            for one in block[below[0] :] if below else ():
                found |= {
                    each.lineno: _written(each, lines) for each in _statements(one)
                }
    return tuple(found.values())


def _statements(part: ast.AST) -> Iterator[ast.stmt]:
    for one in ast.walk(part):
        if isinstance(one, ast.stmt) and not isinstance(one, DEF | ast.ClassDef):
            yield one


def _written(one: ast.stmt, lines: list[str]) -> Written:
    body = getattr(one, "body", None)
    end = body[0].lineno - 1 if body else one.end_lineno or 0
    return Written(one.col_offset, end - one.lineno + 1, lines[end - 1])


def lines_of(text: str, id: str) -> int:
    """The lines of the statements that come from a node, of an `if` those of its head."""
    return sum(one.lines for one in statements_of(text) if says(one.last, id))


def lines_of_all(statements: Counter[tuple[int, int]]) -> list[int]:
    """The numbers of lines of statements, each as often as it is there, the deepest first."""
    return [lines for _, lines in sorted(statements.elements(), reverse=True)]


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


def regions(files: Files) -> dict[str, str]:
    """The texts of all functions, methods and other statements, comments at their ends included."""
    found: dict[str, str] = {}
    for file, text in files.items():
        lines = text.splitlines()
        module = ast.parse(text)
        for part in module.body:
            _add_regions(found, f"{file}:", part, lines)
        if file not in ("py.typed",):
            found[f"{file}:names"] = "\n".join(lines[: _first(module, lines)])
    return found


def _first(module: ast.Module, lines: list[str]) -> int:
    return module.body[0].lineno - 1 if module.body else len(lines)


def _add_regions(
    found: dict[str, str], prefix: str, part: ast.stmt, lines: list[str]
) -> None:
    name = getattr(part, "name", "")
    if isinstance(part, ast.Assign | ast.AnnAssign):
        target = part.targets[0] if isinstance(part, ast.Assign) else part.target
        name = ast.unparse(target)
    if isinstance(part, ast.ClassDef):
        for one in part.body:
            _add_regions(found, f"{prefix}{name}.", one, lines)
        return
    text = "\n".join(lines[part.lineno - 1 : part.end_lineno])
    key = prefix + (name or "other")
    found[key] = f"{found[key]}\n{text}" if key in found else text
