"""Where in the rule an error happened.

Generated code ends its lines with `# [id]`, the id of the node that the line comes from, and that is the only source
map. This module walks a traceback to the innermost frame of the generated package, reads that line's statement and
takes the id. It works on source text that the loader of the module can give (also from a zip archive). Beside a compiled
module (`dealwright build --native`) lies the source that it was compiled from; where there is none the node stays unknown.

`note_place` writes the place on an error as a note, which Python prints below the traceback. The runtime does so
wherever an error of generated code passes through it: in `new_match`, in the actions of a match, in `Package.recognize`
and `Package.beats`. A generated function that somebody calls himself adds none, since that would cost every call. The
traceback shows its line with the node.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import re
import textwrap
import tokenize
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from pathlib import PurePath
from types import CodeType, FrameType, MappingProxyType, TracebackType
from typing import NamedTuple

from dealwright.runtime.shapes import Function

NODE_COMMENT = re.compile(r"#\s\[(?P<node>[^#]*)\]\s*$")
ESCAPE = re.compile(r"\\(?:[\\nrt]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})")
_SIMPLE = MappingProxyType({"\\": "\\", "n": "\n", "r": "\r", "t": "\t"})
LONGEST_NAME = 120  # of a rule or a node, in a note


class Place(NamedTuple):
    """A flow, and a node in it; each None where it cannot be told."""

    flow: str | None
    node: str | None


def place_of(
    error: BaseException, package: str, origin: Function | None = None
) -> Place:
    """The place in the generated package `package` (an import name) that `error` came through last.

    `origin` is a generated function to name instead if the traceback goes through none: the bound of a submission can
    be passed between two segments.
    """
    frames = _frames(error.__traceback__, package)
    for number in range(len(frames), 0, -1):
        place = _innermost(frames[:number], package)
        # a function made of a part of a formula has no node of its own: the one that calls it has
        if place.node is not None or number == 1:
            return place
    code = getattr(origin, "__code__", None)
    if isinstance(code, CodeType):
        scope: dict[str, object] = getattr(origin, "__globals__", {})
        flow = _flow(str(scope.get("__name__")), code.co_name, package)
        return Place(flow, _node(_block(code, scope), code.co_firstlineno + 1))
    return Place(None, None)


def _innermost(frames: list[tuple[FrameType, int]], package: str) -> Place:
    """The place of the last of these frames."""
    inner, line = frames[-1]
    # a lambda or comprehension stands inside a statement of the function that called it
    named = next(
        (
            frame
            for frame, _ in reversed(frames)
            if not frame.f_code.co_name.startswith("<")
        ),
        inner,
    )
    flow = _flow(str(named.f_globals.get("__name__")), named.f_code.co_name, package)
    return Place(flow, _node(_block(named.f_code, named.f_globals), line))


def note_place(
    error: BaseException, rule: str, package: str, origin: Function | None = None
) -> Place:
    """`place_of`, written on the error as a note: `rule 'War', match_flow, node 'score' (match.py:31)`.

    Parts that cannot be told are left out. An error that comes through twice gets one note. Whatever goes wrong here,
    such as a stack with no room left, the error itself is what the caller has to see: then there is no note.
    """
    try:
        place = place_of(error, package, origin)
        note = _note(rule, place, _line(error, package, origin))
        if note not in getattr(error, "__notes__", ()):
            error.add_note(note)
    except (RecursionError, MemoryError):
        return Place(None, None)
    return place


def _note(rule: str, place: Place, line: str | None) -> str:
    parts = [f"rule {_quoted(rule)}"]
    if place.flow is not None:
        parts.append(place.flow)
    if place.node is not None:
        parts.append(f"node {_quoted(place.node)}")
    return ", ".join(parts) + ("" if line is None else f" ({line})")


def _quoted(name: str) -> str:
    """The name on one line, whatever it holds: `repr` escapes what is not printable."""
    text = repr(name)
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 3] + "..."


def _line(
    error: BaseException, package: str, origin: Function | None = None
) -> str | None:
    """File and line of the innermost generated frame: `match.py:31`; of the origin's first line if there is none."""
    frames = _frames(error.__traceback__, package)
    code: object = frames[-1][0].f_code if frames else getattr(origin, "__code__", None)
    if not isinstance(code, CodeType):
        return None
    line = frames[-1][1] if frames else code.co_firstlineno
    return f"{PurePath(code.co_filename).name}:{line}"


def _frames(
    traceback: TracebackType | None, package: str
) -> list[tuple[FrameType, int]]:
    """The frames of the package with their current lines, outermost first."""
    found = []
    while traceback is not None:
        module = traceback.tb_frame.f_globals.get("__name__")
        if isinstance(module, str) and (
            module == package or module.startswith(package + ".")
        ):
            found.append((traceback.tb_frame, traceback.tb_lineno))
        traceback = traceback.tb_next
    return found


def _flow(module: str, function: str, package: str) -> str:
    """The rule's word for a function: its two flows by module, everything else by the function's own name."""
    return {f"{package}.match": "match_flow", f"{package}.settle": "end_flow"}.get(
        module, function
    )


def _read_back(text: str) -> str:
    """The id that a comment spells: what cannot be seen stands there as an escape, and so does a backslash."""
    return ESCAPE.sub(lambda found: _character(found[0][1:]), text)


def _character(escape: str) -> str:
    return _SIMPLE.get(escape) or chr(int(escape[1:], 16))


class _Block(NamedTuple):
    """The source of one function; `first` is the number of its first line in the file."""

    lines: list[str]
    first: int


def _block(code: CodeType, scope: dict[str, object]) -> _Block:
    """The function's source as the module's loader gives it; empty where it gives none."""
    spec = scope.get("__spec__")
    if isinstance(spec, ModuleSpec) and isinstance(spec.loader, ExtensionFileLoader):
        return _compiled_block(code, spec)
    linecache.lazycache(code.co_filename, scope)
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]
    try:
        return _Block(inspect.getblock(lines), code.co_firstlineno)
    except (
        SyntaxError,
        tokenize.TokenError,
    ):  # the file on disk is no longer what runs
        return _Block([], 0)


def _compiled_block(code: CodeType, spec: ModuleSpec) -> _Block:
    """The source of a function of a compiled module, of whose code object only file and line can be trusted.

    It lies beside the shared object. A module that another compiled one has imported says that it lies in a folder of its
    package's name below that one (mypyc), so that many folders up count too.
    """
    folders = PurePath(str(spec.origin)).parents
    name = PurePath(code.co_filename).name
    places = [folders[0], *folders[spec.name.count(".") :][:1]]
    lines = next(
        filter(None, (linecache.getlines(str(one / name)) for one in places)), []
    )
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _Block([], 0)
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and node.lineno <= code.co_firstlineno <= (node.end_lineno or 0)
    ]
    if not around:
        return _Block([], 0)
    inner = max(around, key=lambda node: node.lineno)
    return _Block(lines[inner.lineno - 1 : inner.end_lineno], inner.lineno)


def _node(block: _Block, line: int) -> str | None:
    """The id on the statement at `line`; failing that, on the next line of the function that has one.

    Lines without an id, such as a loop's tick, belong to what follows them.
    """
    first, last = _statement(block, line)
    after = range(last + 1, block.first + len(block.lines))
    for number in [*range(line, last + 1), *range(first, line), *after]:
        inside = 0 <= number - block.first < len(block.lines)
        found = (
            NODE_COMMENT.search(block.lines[number - block.first]) if inside else None
        )
        if found:
            return _read_back(found["node"])
    return None


def _statement(block: _Block, line: int) -> tuple[int, int]:
    """First and last line of the statement around `line`; of a compound one the header alone."""
    try:
        tree = ast.parse(textwrap.dedent("".join(block.lines)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return line, line
    around = line, line
    shift = block.first - 1
    for statement in ast.walk(tree):
        if not isinstance(statement, ast.stmt):
            continue
        inner = [
            node.lineno
            for node in ast.walk(statement)
            if isinstance(node, ast.stmt) and node is not statement
        ]
        last = (
            min(inner) - 1 if inner else statement.end_lineno or statement.lineno
        ) + shift
        if statement.lineno + shift <= line <= last:
            around = statement.lineno + shift, last
    return around
