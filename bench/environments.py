"""Virtual environments for rivals that are packages: made when needed, kept in a cache folder, never mixed with ours.

A rival's packages are installed by pip from whatever index the machine is set up for. What cannot be installed is
reported as `Unavailable` with pip's own last words; the benchmark goes on without it.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, final

DONE: Final = "installed.txt"
PATIENCE: Final = 900
"""Seconds for making one environment."""


class Unavailable(Exception):
    """A rival cannot be had here; the text says why."""


@final
class Environments:
    """The environments below one folder."""

    __slots__ = ("_failures", "_folder")

    def __init__(self, folder: Path) -> None:
        """Use `folder`, which may be empty or hold environments of an earlier run."""
        self._folder = folder
        self._failures: dict[str, str] = {}

    def python(self, name: str, requirements: Sequence[str]) -> Path:
        """The interpreter of the environment `name`, which has the requirements installed.

        Raises:
            Unavailable: it cannot be made.
        """
        if name in self._failures:
            raise Unavailable(self._failures[name])
        home = self._folder / name
        python = home / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        marker = home / DONE
        wanted = "\n".join([sys.version, *requirements])
        if marker.exists() and marker.read_text(encoding="utf-8") == wanted:
            return python
        try:
            _run([sys.executable, "-m", "venv", "--clear", str(home)])
            _run([str(python), "-m", "pip", "install", "--quiet", *requirements])
        except Unavailable as error:
            self._failures[name] = str(error)
            raise
        marker.write_text(wanted, encoding="utf-8")
        return python


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        raise Unavailable("the installation takes too long") from None
    except OSError as error:
        raise Unavailable(f"{error.strerror}") from None
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise Unavailable(lines[-1] if lines else f"exit status {done.returncode}")
