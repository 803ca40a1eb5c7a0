"""What all commands on rule files share: reading a file, the number of players that it states, and giving up.

In: paths from the command line. A file that cannot be read and a contradiction end the command, with one line on stderr.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import click

from dealwright.compiler.cli.group import FAILED
from dealwright.compiler.diagnostics.text import counted_noun, system_reason

if TYPE_CHECKING:
    from pathlib import Path


def declared(files: Sequence[Path], players: int | None) -> dict[Path, int | None]:
    """What `--players` declares for each file: nothing for those that state a number themselves."""
    if players is None:
        return dict.fromkeys(files)
    stated = {file: _stated_players(read(file)) for file in files}
    if all(number not in (None, players) for number in stated.values()):
        file, number = next(iter(stated.items()))
        raise click.UsageError(
            f"--players {players}: {file} is for {counted_noun(number or 0, 'player')}; leave the option out"
        )
    return {
        file: players if number is None else None for file, number in stated.items()
    }


def _stated_players(data: bytes) -> int | None:
    """The number of players that a rule file states, if it can be read at all; `load` judges the file."""
    import json

    try:
        stated = json.loads(data)["meta"]["playerCount"]
    except (ValueError, TypeError, LookupError, RecursionError):
        return None
    return stated if type(stated) is int else None


def read(file: Path) -> bytes:
    """The bytes of a rule file, never more than the limit; ends the command if the system refuses it."""
    from dealwright.compiler.reading.source import read_limited

    try:
        return read_limited(file)
    except OSError as problem:
        fail(
            f"cannot read {system_reason(problem)}; check the path and the permissions of the file"
        )


def fail(sentence: str) -> NoReturn:
    """End the command with a sentence on stderr and exit code 1."""
    click.echo(f"dealwright: {sentence}", err=True)
    sys.exit(FAILED)
