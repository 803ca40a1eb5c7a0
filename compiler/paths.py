"""Paths on the command line. They are checked by click, and become `Path`s when a command has been given one.

`click.Path(path_type=Path)` would do the same, but `pathlib` would be imported for every `dealwright --help`.
"""

from __future__ import annotations

import os
from typing import Any, final

import click


@final
class FilePath(click.Path):
    """`click.Path` whose values are `pathlib.Path`s; it takes the same arguments, without `path_type`."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """The path as `pathlib.Path`.

        Raises:
            click.BadParameter: it is not what the command asks for.
        """
        from pathlib import Path

        return Path(os.fsdecode(super().convert(value, param, ctx)))
