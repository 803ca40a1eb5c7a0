"""The transcript of a match: a text file that people can read and `replay` can use.

Lines that begin with `#` are the log. All others are JSON: the first one says how the match began (`rule`, `ids`,
`seed`), each further one is an action as `match.actions` has it, `[seat, "play", [3, 9]]`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Self, TextIO, final


@final
class Transcript:
    """Writes line by line, so that a match that breaks off is there up to the break; without a path, nothing."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: TextIO | None = None

    def __enter__(self) -> Self:
        if self._path is not None:
            # the same bytes on every platform
            self._file = open(
                self._path,
                "w",
                encoding="utf-8",
                errors="backslashreplace",
                newline="\n",
            )
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def note(self, text: str) -> None:
        """A line of the log."""
        self._write(f"# {text}".rstrip())

    def record(self, value: object) -> None:
        """A line of JSON."""
        self._write(json.dumps(value, ensure_ascii=False))

    def _write(self, line: str) -> None:
        if self._file is not None:
            self._file.write(f"{line}\n")
            self._file.flush()
