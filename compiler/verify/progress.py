"""The verification of several rules, with a progress bar on a terminal and none elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import final

from dealwright.compiler.pipeline import Built
from dealwright.compiler.verify.report import case_text
from dealwright.compiler.verify.search import Report, verify


@final
@dataclass(frozen=True, slots=True)
class Fresh:
    """A package that has just been compiled: the file's name, its bytes, the declared players and the package."""

    file: str
    source: bytes
    players: int | None
    built: Built


def failing_cases(fresh: Sequence[Fresh], seconds: float) -> dict[str, str]:
    """The smallest failing input of each package that does not do what its rule says, as a case file, by file name."""
    cases: dict[str, str] = {}
    with _shown_progress(len(fresh)) as shares:
        for one, report in zip(fresh, shares, strict=True):
            found = verify(
                one.built,
                one.source,
                players=one.players,
                seconds=seconds,
                report=report,
            )
            if found is not None:
                cases[one.file] = case_text(found, one.built.name, one.file)
    return cases


@contextmanager
def _shown_progress(rules: int) -> Iterator[list[Report]]:
    """For each rule where to tell its progress; a bar shows it if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield [lambda share: None] * rules
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("verifying", total=rules)

        def report_of(number: int) -> Report:
            return lambda share: bar.update(task, completed=number + share)

        yield [report_of(number) for number in range(rules)]
