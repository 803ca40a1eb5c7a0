"""`dealwright adopt OLD NEW [-o OUT]`: reads two files, writes one, says what happened on stderr.

What is slow to import is imported when the command runs, so that `dealwright --help` stays quick.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NoReturn

import click

from dealwright.compiler.diagnostics.text import system_reason
from dealwright.compiler.paths import FilePath

if TYPE_CHECKING:
    from pathlib import Path

    from dealwright.compiler.adopt.adoption import Adopted

FAILED = 1
_FILE = FilePath(exists=True, dir_okay=False, readable=False)
_UNFINISHED = ".dealwright-new"


@click.command("adopt", short_help="Give a renumbered rule its former node ids back.")
@click.argument("old", metavar="OLD", type=_FILE)
@click.argument("new", metavar="NEW", type=_FILE)
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    type=FilePath(dir_okay=False),
    help="Where the result goes, instead of NEW.",
)
@click.option(
    "--players",
    type=click.IntRange(1),
    metavar="N",
    help="Number of players, for rules that do not state it.",
)
def adopt_command(
    old: Path, new: Path, output: Path | None, players: int | None
) -> None:
    """Write NEW with the node ids that it had in OLD, laid out like OLD.

    The visual builder numbers nodes by their place on the canvas. Nodes that are still the same get their ids in OLD
    back, so that a diff shows only what was changed. Nothing is written unless the result is proved to be the same rule
    as NEW.
    """
    from dealwright.compiler.adopt.adoption import NotProved, adopt
    from dealwright.compiler.diagnostics.reporter import MORE, CompileError, Severity

    try:
        result = adopt(
            _read(old),
            _read(new),
            old_name=str(old),
            new_name=str(new),
            players=players,
        )
    except CompileError as problem:
        for one in problem.diagnostics:
            if one.severity is Severity.ERROR or one.code == MORE:
                click.echo(one.text(), err=True)
        _fail("nothing was written")
    except NotProved as problem:
        _fail(
            f"cannot show that the rule stays the same: {problem}; nothing was written"
        )
    target = new if output is None else output
    try:
        is_new = _write(target, result.data)
    except OSError as problem:
        _fail(
            f"cannot write {system_reason(problem)}; choose another file with -o, or make it writable"
        )
    _report(result)
    click.echo(f"{'wrote' if is_new else 'unchanged'} {target}")


def _report(result: Adopted) -> None:
    from dealwright.compiler.diagnostics.reporter import safe

    for note in result.notes:
        click.echo(f"note: {safe(note, 400)}", err=True)
    click.echo(
        f"{_count(result.kept)} got their old ids ({result.renamed} of them had another),"
        f" {result.added} new, {result.removed} removed",
        err=True,
    )


def _count(number: int) -> str:
    return "1 node" if number == 1 else f"{number} nodes"


def _read(path: Path) -> bytes:
    from dealwright.compiler.reading.source import read_limited

    try:
        return read_limited(path)
    except OSError as problem:
        _fail(
            f"cannot read {system_reason(problem)}; check the path and the permissions of the file"
        )


def _write(path: Path, data: bytes) -> bool:
    """Replace a file in one step, so that it is the old one or the new one whatever happens; False if it is the same."""
    target = path.resolve()
    if target.is_file() and target.read_bytes() == data:
        return False
    new = target.with_name(f".{target.name}.{os.getpid()}{_UNFINISHED}")
    try:
        new.write_bytes(data)
        if target.exists():
            new.chmod(target.stat().st_mode)
        os.replace(new, target)
    finally:
        new.unlink(missing_ok=True)
    return True


def _fail(sentence: str) -> NoReturn:
    click.echo(f"dealwright: {sentence}", err=True)
    sys.exit(FAILED)
