"""The group that all commands belong to: whatever the system says to a command, it ends in one line and an exit code.

In: click's command line. A stream that cannot be written (a full disk, a reader that has gone) and a file that the
system refuses are told on stderr, never as a traceback.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from typing import Any, Final, NoReturn, final

import click

from dealwright.compiler.diagnostics.text import system_reason

FAILED: Final = 1


@final
class CommandLine(click.Group):
    """A group whose commands never end in a traceback for what the system refuses."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line as `click.Group.main` does; errors of the system end it with exit code 1."""
        try:
            try:
                return super().main(
                    args, prog_name, complete_var, standalone_mode, **extra
                )
            finally:
                # what is still in the buffer may fail too: better here than while Python ends
                if sys.stdout is not None:
                    sys.stdout.flush()
        except OSError as problem:
            if not standalone_mode:
                raise
            _give_up(problem)


def _give_up(problem: OSError) -> NoReturn:
    for stream in (sys.stdout, sys.stderr):
        _forget_if_broken(stream)
    if problem.errno != errno.EPIPE:
        # without a file name it was a stream: files are opened by name
        name = "" if problem.filename is not None else "cannot write the output: "
        click.echo(f"dealwright: {name}{system_reason(problem)}", err=True)
    sys.exit(FAILED)


def _forget_if_broken(stream: Any) -> None:
    """Send what a stream still holds nowhere if it cannot be written, or Python would complain about it at its end."""
    try:
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, stream.fileno())
        finally:
            os.close(nowhere)
    except (AttributeError, ValueError):
        # no stream, or a closed one: there is nothing in it
        return
