"""The front of the compiler in one call: a rule file read, loaded and checked.

In go a path or bytes, out come the rule, if it may be compiled, and the reporter with everything there is to say. The
command line and the pipeline start here.
"""

from __future__ import annotations

from pathlib import Path

from dealwright.compiler.checks.check import check
from dealwright.compiler.diagnostics.reporter import CompileError, Reporter
from dealwright.compiler.reading.load import load
from dealwright.compiler.reading.source import parse_source, read_bytes
from dealwright.compiler.rule.model import Rule


def read_rule(
    data: Path | str | bytes,
    file: str | None = None,
    *,
    name: str | None = None,
    players: int | None = None,
) -> tuple[Rule | None, Reporter]:
    """Read, load and check a rule.

    Arguments: `data` is a path, or the bytes of the file; `file` is how messages call it (else the path itself, or
    `<rule>` for bytes); `name` and `players` declare the rule's name and number of players instead of the file.
    Returns the rule, or None if there are errors, and the reporter. Never raises for what the file holds.
    """
    shown = (
        file if file is not None else "<rule>" if isinstance(data, bytes) else str(data)
    )
    reporter = Reporter(shown)
    content = data if isinstance(data, bytes) else read_bytes(Path(data), reporter)
    source = None if content is None else parse_source(content, reporter)
    rule = (
        None if source is None else load(source, reporter, name=name, players=players)
    )
    if rule is not None:
        check(rule, reporter)
    return (None if reporter.has_errors else rule), reporter


def require_rule(
    data: Path | str | bytes,
    file: str | None = None,
    *,
    name: str | None = None,
    players: int | None = None,
) -> Rule:
    """`read_rule`, raising `CompileError` with all diagnostics if there are errors."""
    rule, reporter = read_rule(data, file, name=name, players=players)
    if rule is None:
        raise CompileError(reporter)
    return rule
