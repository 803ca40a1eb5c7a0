"""`python -m bench`: runs the rows, prints the table, and writes JSON or the page when asked to.

Messages go to stderr, the table to stdout. Exit codes: 0 the rows were run, whatever came out; 1 contenders disagree,
so that nothing could be timed; 2 wrong usage.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import click
from rich.console import Console

from bench.contest import Disagreement, Outcome, Row, Setting, hold
from bench.environments import Environments, Unavailable
from bench.report import WIDTH, as_json, print_table, write_page
from bench.rows import ROWS
from bench.subjects import NotHere, Subject

DIRECTORY = click.Path(file_okay=False, path_type=Path)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--only",
    multiple=True,
    metavar="ROW",
    help="A row, or a pattern such as 'recognise-*'; may be repeated.",
)
@click.option(
    "--against",
    multiple=True,
    metavar="NAME",
    help="A rival; may be repeated. Without it, all.",
)
@click.option(
    "--list", "is_list", is_flag=True, help="List rows and their rivals, and stop."
)
@click.option(
    "--rounds",
    type=click.IntRange(1),
    default=21,
    show_default=True,
    help="Turns of each contender.",
)
@click.option(
    "--count",
    type=click.IntRange(8),
    default=1000,
    show_default=True,
    help="Questions of a workload.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="What the questions come from.",
)
@click.option(
    "--json",
    "json_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the outcomes there.",
)
@click.option(
    "--report",
    type=DIRECTORY,
    help="Write performance.md and its picture into that folder.",
)
@click.option(
    "--cache",
    type=DIRECTORY,
    help="Keep the rivals' environments there; else they are made for this run.",
)
def main(
    only: tuple[str, ...],
    against: tuple[str, ...],
    is_list: bool,
    rounds: int,
    count: int,
    seed: int,
    json_file: Path | None,
    report: Path | None,
    cache: Path | None,
) -> None:
    """Measure compiled rules against what people would use instead."""
    rows = list(_chosen(only))
    rivals = _rivals(against)
    if is_list:
        for row in rows:
            click.echo(f"{row.name}: {', '.join(row.rivals) or 'nobody'}")
        return
    if report is not None and not report.is_dir():
        raise click.UsageError(f"there is no folder {report}")
    command = _command(only, against, rounds, count, seed, report)
    with _environments(cache) as environments:
        setting = Setting(rivals, environments, _subject, count, seed)
        outcomes, skipped = _run(rows, setting, rounds)
        print_table(outcomes, skipped, _console())
        if json_file is not None:
            found = json.dumps(
                as_json(outcomes, skipped, command), ensure_ascii=False, indent=2
            )
            json_file.write_text(found + "\n", encoding="utf-8")
        if report is not None:
            try:
                write_page(report, outcomes, skipped, command, environments)
            except (Unavailable, RuntimeError) as error:
                raise click.ClickException(f"no page was written: {error}") from None


def _run(
    rows: Iterable[Row], setting: Setting, rounds: int
) -> tuple[list[Outcome], dict[str, str]]:
    """The outcome of each row, and why the others have none."""
    outcomes: list[Outcome] = []
    skipped: dict[str, str] = {}
    for row in rows:
        click.echo(f"{row.name} …", err=True)
        try:
            outcomes.append(hold(row, setting, rounds))
        except NotHere as error:
            skipped[row.name] = str(error)
        except Disagreement as error:
            raise click.ClickException(str(error)) from None
    return outcomes, skipped


def _chosen(only: tuple[str, ...]) -> Iterator[Row]:
    for pattern in only:
        if not any(fnmatchcase(row.name, pattern) for row in ROWS):
            raise click.UsageError(f"no row is called {pattern}; --list lists them")
    for row in ROWS:
        if not only or any(fnmatchcase(row.name, pattern) for pattern in only):
            yield row


def _rivals(against: tuple[str, ...]) -> frozenset[str] | None:
    known = sorted({rival for row in ROWS for rival in row.rivals})
    for name in against:
        if name not in known:
            raise click.UsageError(
                f"no rival is called {name}; there are {', '.join(known)}"
            )
    return frozenset(against) or None


@cache
def _subject(name: str) -> Subject:
    return Subject(name)


@contextmanager
def _environments(folder: Path | None) -> Iterator[Environments]:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        yield Environments(folder.resolve())
        return
    with tempfile.TemporaryDirectory(prefix="dealwright-bench-") as temporary:
        yield Environments(Path(temporary))


def _console() -> Console:
    """A table is cut to the terminal, but not to the 80 columns that a pipe would get."""
    return Console() if sys.stdout.isatty() else Console(width=WIDTH)


def _command(
    only: tuple[str, ...],
    against: tuple[str, ...],
    rounds: int,
    count: int,
    seed: int,
    report: Path | None,
) -> str:
    """The command as it can be given again, without what says nothing about the figures."""
    words = ["python -m bench"]
    words += [f"--only '{name}'" for name in only]
    words += [f"--against '{name}'" for name in against]
    words += [f"--rounds {rounds}", f"--count {count}", f"--seed {seed}"]
    if report is not None:
        words.append(f"--report {report.name}")
    return " ".join(words)


if __name__ == "__main__":
    main(prog_name="python -m bench")
