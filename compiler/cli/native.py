"""`dealwright build --native`: the packages that have just been written, compiled; or, with `--check`, whether they are.

In: folders and the texts in them. Packages whose compiled modules are of these texts and this Python are left alone. What
cannot be compiled stays plain Python, and ends the command with a sentence that says what is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import click

from dealwright.compiler.cli.rules import fail

if TYPE_CHECKING:
    from pathlib import Path

    from dealwright.compiler.output.package import Changes

    Folders: TypeAlias = Mapping[Path, Mapping[str, str]]


def not_compiled(folders: Folders) -> dict[Path, Mapping[str, str]]:
    """The packages that are plain Python, or were compiled from other sources or for another Python."""
    from dealwright.compiler.output import package

    return {
        folder: texts
        for folder, texts in folders.items()
        if texts and not package.is_compiled(folder, texts)
    }


def compile_written(folders: Folders) -> dict[Path, Changes]:
    """Compile packages that are written already, and put the modules beside them; what was written or removed."""
    from dealwright.compiler.output import native, package

    wanted = not_compiled(folders)
    if wanted:
        click.echo(f"compiling {', '.join(map(str, wanted))} …", err=True)
    try:
        compiled = native.compile_packages(wanted)
    except native.NotCompiled as problem:
        fail(f"{problem}\nthe packages are plain Python")
    return {
        folder: package.write(folder, wanted[folder], compiled=modules)
        for folder, modules in compiled.items()
    }
