"""Paths on the command line, and where in its project a rule file stands.

Paths are checked by click, and become `Path`s when a command has been given one. `click.Path(path_type=Path)`
would do the same, but `pathlib` would be imported for every `dealwright --help`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, final

import click

if TYPE_CHECKING:
    from pathlib import Path


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


def header_path(file: Path) -> str:
    """The path in the header of the generated modules: that of the file within its project, else the file's name.

    It depends on neither the working directory nor on how the file was named on the command line, so that the same rule
    always gives the same bytes.
    """
    full = file.resolve()
    root = project_root(full.parent)
    return full.name if root is None else full.relative_to(root).as_posix()


def project_root(folder: Path) -> Path | None:
    """The nearest folder from this one upwards that is the root of a project; None if there is none."""
    for one in (folder, *folder.parents):
        if (one / "pyproject.toml").is_file() or (one / ".git").exists():
            return one
    return None
