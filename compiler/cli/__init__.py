"""The command line: `commands` has all of it, the other modules what one command or several need."""

from dealwright.compiler.cli.commands import main

__all__ = ["main"]
