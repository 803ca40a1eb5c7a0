"""What the person sees: coloured panels in a terminal, plain lines everywhere else.

Both show the same lines; the transcript gets the plain ones. Texts from rules are printed as text, never as markup.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, final

import click

from dealwright.compiler.terminal.narrator import Kind, Line


@final
@dataclass(frozen=True, slots=True)
class Turn:
    """What a person needs to know to act: a heading, facts with their names, and the hand as numbers and faces."""

    heading: str
    facts: tuple[tuple[str, str], ...]
    hand: tuple[tuple[int, str], ...]


class Screen(Protocol):
    """Where the match is shown."""

    def say(self, line: Line) -> None:
        """One line of the log."""

    def turn(self, turn: Turn) -> None:
        """The position, before the person acts."""

    def ask(self, prompt: str) -> str | None:
        """What the person types, without the line's end; None when there is no more input."""


def open_screen() -> Screen:
    """The screen that fits standard output."""
    if (
        sys.stdout is not None
        and sys.stdout.isatty()
        and os.environ.get("TERM") != "dumb"
    ):
        return RichScreen()
    return PlainScreen()


def turn_lines(turn: Turn) -> Iterable[str]:
    """A turn as plain text."""
    width = max(len(name) for name, _ in (*turn.facts, ("hand", "")))
    yield f"-- {turn.heading}"
    for name, text in (
        *turn.facts,
        (
            "hand",
            "  ".join(f"[{number}] {face}".rstrip() for number, face in turn.hand),
        ),
    ):
        yield f"   {name:<{width}}  {text}".rstrip()


@final
class PlainScreen:
    """Plain lines: no colour, no wrapping, the same whatever the terminal is."""

    def say(self, line: Line) -> None:
        """One line of the log."""
        click.echo(line.text)

    def turn(self, turn: Turn) -> None:
        """The position, a fact a line."""
        for text in turn_lines(turn):
            click.echo(text)

    def ask(self, prompt: str) -> str | None:
        """What comes from standard input; it is repeated behind the prompt, since nobody sees it typed."""
        try:
            # closed input is the end of input
            text = "" if sys.stdin is None else sys.stdin.readline()
        except UnicodeDecodeError:
            click.echo(f"{prompt}> this is no text in {sys.stdin.encoding}")
            return "?"
        typed = text.rstrip("\r\n")
        click.echo(f"{prompt}> {typed}".rstrip())
        return typed if text else None


_STYLES: dict[Kind, str] = {
    "title": "bold",
    "deal": "dim",
    "play": "cyan",
    "skip": "dim",
    "choice": "magenta",
    "change": "dim",
    "refused": "bold red",
    "result": "bold green",
    "info": "",
}


@final
class RichScreen:
    """Colours and panels, as wide as the terminal."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(highlight=False, markup=False, emoji=False)

    def say(self, line: Line) -> None:
        """One line of the log in the style of its kind."""
        self._console.print(line.text, style=_STYLES[line.kind])

    def turn(self, turn: Turn) -> None:
        """The position in a panel, the hand as cards below."""
        from rich.columns import Columns
        from rich.console import Group
        from rich.panel import Panel
        from rich.table import Table
        from rich.text import Text

        facts = Table.grid(padding=(0, 2))
        for name, text in turn.facts:
            facts.add_row(Text(name, style="dim"), Text(text))
        cards = [
            Text.assemble((f" {number} ", "dim"), (f" {face} ", "bold reverse"))
            for number, face in turn.hand
        ]
        body = Group(
            facts,
            Text(),
            Columns(cards, padding=(0, 2)) if cards else Text("no cards", style="dim"),
        )
        self._console.print(
            Panel(
                body, title=Text(turn.heading, style="bold yellow"), title_align="left"
            )
        )

    def ask(self, prompt: str) -> str | None:
        """What the person types."""
        try:
            return self._console.input(f"{prompt}> ", markup=False)
        except EOFError:
            self._console.print()
            return None
