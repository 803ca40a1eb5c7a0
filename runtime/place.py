"""Where in the rule an error happened.

Generated code ends its lines with `# [id]`, the id of the node that the line comes from, and that is the only source
map. A line that asks several nodes, `if a and b:`, has a comment that names them all, `# [a] [b]`, in the order in
which it asks; the column at which the error happened shows which it was. This module walks a traceback to the innermost
frame of the generated package, reads that line's statement and takes the id. It works on source text that the loader of
the module can give (also from a zip archive). Beside a compiled module (`dealwright build --native`) lies the source
that it was compiled from; where there is none the node stays unknown.

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

NODE_COMMENT = re.compile(r"#\s\[(?P<nodes>[^#]*)\]\s*$")
BETWEEN_NODES = "] ["
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
        first = _Position(code.co_firstlineno + 1, 0)
        return Place(flow, _node(_block(code, scope), first))
    return Place(None, None)


class _Position(NamedTuple):
    """A line of a file, and a column of it in bytes; 0 if that is not known."""

    line: int
    column: int


class _Running(NamedTuple):
    """A frame of generated code, where it is, and the number of the bytecode that it is at."""

    frame: FrameType
    line: int
    instruction: int

    def position(self) -> _Position:
        """Where it is, with the column."""
        positions = list(self.frame.f_code.co_positions())
        number = self.instruction // 2
        line, _, column, _ = (
            positions[number] if 0 <= number < len(positions) else (None,) * 4
        )
        if line != self.line:
            return _Position(self.line, 0)
        return _Position(self.line, column or 0)


def _innermost(frames: list[_Running], package: str) -> Place:
    """The place of the last of these frames."""
    inner = frames[-1].frame
    # a lambda or comprehension stands inside a statement of the function that called it
    named = next(
        (
            one.frame
            for one in reversed(frames)
            if not one.frame.f_code.co_name.startswith("<")
        ),
        inner,
    )
    position = frames[-1].position()
    flow = _flow(str(named.f_globals.get("__name__")), named.f_code.co_name, package)
    return Place(flow, _node(_block(named.f_code, named.f_globals), position))


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
    code: object = (
        frames[-1].frame.f_code if frames else getattr(origin, "__code__", None)
    )
    if not isinstance(code, CodeType):
        return None
    line = frames[-1].line if frames else code.co_firstlineno
    return f"{PurePath(code.co_filename).name}:{line}"


def _frames(traceback: TracebackType | None, package: str) -> list[_Running]:
    """The frames of the package, outermost first."""
    found = []
    while traceback is not None:
        module = traceback.tb_frame.f_globals.get("__name__")
        if isinstance(module, str) and (
            module == package or module.startswith(package + ".")
        ):
            found.append(
                _Running(traceback.tb_frame, traceback.tb_lineno, traceback.tb_lasti)
            )
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
        return _compiled_block(code, str(spec.origin))
    linecache.lazycache(code.co_filename, scope)
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]
    try:
        return _Block(inspect.getblock(lines), code.co_firstlineno)
    except (
        SyntaxError,
        tokenize.TokenError,
    ):  # the file on disk is no longer what runs
        return _Block([], 0)


def _compiled_block(code: CodeType, origin: str) -> _Block:
    """The source of a function of a compiled module, of whose code object only file and line can be trusted."""
    source = PurePath(origin).with_name(PurePath(code.co_filename).name)
    lines = linecache.getlines(str(source))
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


def _node(block: _Block, position: _Position) -> str | None:
    """The id on the statement at a position; failing that, on the next line of the function that has one.

    Lines without an id, such as a loop's tick, belong to what follows them.
    """
    line = position.line
    first, last = _statement(block, line)
    after = range(last + 1, block.first + len(block.lines))
    for number in [*range(line, last + 1), *range(first, line), *after]:
        inside = 0 <= number - block.first < len(block.lines)
        found = (
            NODE_COMMENT.search(block.lines[number - block.first]) if inside else None
        )
        if found:
            ids = found["nodes"].split(BETWEEN_NODES)
            return _read_back(ids[_asked(block, position, len(ids))])
    return None


def _asked(block: _Block, position: _Position, ids: int) -> int:
    """Which part of `if a and b:` is at a position, if there are so many parts; otherwise the first."""
    tree = _tree(block)
    if ids == 1 or tree is None:
        return 0
    shift, indent = block.first - 1, _indentation(block.lines)
    for statement in ast.walk(tree):
        match statement:
            case ast.If(test=ast.BoolOp(op=ast.And(), values=parts)) if (
                len(parts) == ids
                and statement.lineno + shift <= position.line
                and position.line <= (parts[-1].end_lineno or 0) + shift
            ):
                ends = (
                    ((one.end_lineno or 0) + shift, (one.end_col_offset or 0) + indent)
                    for one in parts
                )
                return next(
                    (number for number, end in enumerate(ends) if position < end), 0
                )
    return 0


def _tree(block: _Block) -> ast.Module | None:
    """The function as a tree; None if the file on disk is no longer what runs."""
    try:
        return ast.parse(textwrap.dedent("".join(block.lines)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _indentation(lines: list[str]) -> int:
    return len(lines[0]) - len(lines[0].lstrip())


def _statement(block: _Block, line: int) -> tuple[int, int]:
    """First and last line of the statement around `line`; of a compound one the header alone."""
    around = line, line
    tree = _tree(block)
    if tree is None:
        return around
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
