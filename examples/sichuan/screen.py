"""Where the terminal game is shown: coloured with `rich` in a terminal, plain lines everywhere else."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final, Literal, Protocol, TypeAlias, final

Kind: TypeAlias = Literal["log", "win", "claim", "ask", "result", "refused"]

STYLES: Final[dict[Kind, str]] = {
    "log": "",
    "win": "bold green",
    "claim": "cyan",
    "ask": "bold yellow",
    "result": "bold",
    "refused": "red",
}


class Screen(Protocol):
    """Shows lines and asks for them."""

    def say(self, line: str, kind: Kind = "log") -> None:
        """One line."""

    def panel(self, heading: str, lines: Sequence[str]) -> None:
        """The table before somebody has to decide."""

    def ask(self, prompt: str) -> str | None:
        """What is typed; None when there is no more input."""


def open_screen() -> Screen:
    """The screen that fits standard output."""
    if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        return RichScreen()
    return PlainScreen()


@final
class PlainScreen:
    """Plain lines."""

    def say(self, line: str, kind: Kind = "log") -> None:
        """One line."""
        print(line)

    def panel(self, heading: str, lines: Sequence[str]) -> None:
        """A heading and what belongs to it, indented."""
        print(f"-- {heading}")
        for line in lines:
            print(f"   {line}")

    def ask(self, prompt: str) -> str | None:
        """A line of standard input, repeated behind the prompt, since nobody sees it typed."""
        text = sys.stdin.readline()
        print(f"{prompt}> {text.strip()}".rstrip())
        return text.strip() if text else None


@final
class RichScreen:
    """Colours and panels."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(highlight=False, markup=False, emoji=False)

    def say(self, line: str, kind: Kind = "log") -> None:
        """One line in the style of its kind."""
        self._console.print(line, style=STYLES[kind])

    def panel(self, heading: str, lines: Sequence[str]) -> None:
        """A panel."""
        from rich.panel import Panel
        from rich.text import Text

        title = Text(heading, style=STYLES["ask"])
        body = Text("\n".join(lines))
        self._console.print(Panel(body, title=title, title_align="left"))

    def ask(self, prompt: str) -> str | None:
        """What the person types."""
        try:
            return self._console.input(f"{prompt}> ", markup=False).strip()
        except EOFError:
            self._console.print()
            return None
