"""The search for an input on which a fresh package and the interpreter differ, within a budget of time.

Inputs come in an order that is fixed by the rule's own bytes, so the same failure is found again; only how far the
search gets depends on the time. That is processor time: a busy machine does not make it shorter.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias

from dealwright.compiler.pipeline import Built
from dealwright.compiler.verify.compare import (
    Difference,
    Differs,
    Found,
    Incomparable,
    Session,
)
from dealwright.compiler.verify.draw import SEATS, Draw, Source
from dealwright.compiler.verify.inputs import Input, Start, Step
from dealwright.compiler.verify.option import SECONDS
from dealwright.compiler.verify.shrink import smallest
from dealwright.compiler.verify.sides import Subject, failure_text, subject_of

Report: TypeAlias = Callable[[float], None]


def verify(
    built: Built,
    source: bytes,
    *,
    players: int | None = None,
    seconds: float = SECONDS,
    report: Report = lambda share: None,
) -> Found | None:
    """The smallest input on which the package and the interpreter differ, or None if none was found.

    Args:
        built: the compiled package.
        source: the bytes of the rule file.
        players: the number of players if the command line declared it.
        seconds: of processor time; at least one match is compared, and finding the smallest input comes on top.
        report: is told now and then which share of the time is over.
    """
    try:
        subject = subject_of(built, source, players)
    except Exception as error:
        return _not_imported(error, players)
    found = _first(subject, _Budget(seconds, report))
    return None if found is None else smallest(subject, found)


class _Budget:
    """The time there is."""

    def __init__(self, seconds: float, report: Report) -> None:
        self._seconds = seconds
        self._report = report
        self._start = time.process_time()

    def is_spent(self) -> bool:
        """Whether the time is over; tells how much of it is."""
        used = time.process_time() - self._start
        self._report(min(used / self._seconds, 1.0) if self._seconds else 1.0)
        return used >= self._seconds


def _first(subject: Subject, budget: _Budget) -> Found | None:
    """The first input in the rule's order on which both sides differ."""
    number, source = 0, Source(subject)
    while True:
        found = _compared(source, number, budget)
        if found is not None:
            return found
        number += 1
        if budget.is_spent():
            return None


def _compared(source: Source, number: int, budget: _Budget) -> Found | None:
    """One match of the order; all but the first end early when the time is over."""
    draw = Draw(source, number)
    begin = draw.begin()
    steps: list[Step] = []
    try:
        session = Session(source.subject, begin)
        for step in draw.steps(session):
            steps.append(step)
            session.do(step)
            if number and budget.is_spent():
                return None
    except Differs as differs:
        given = Input(begin, tuple(steps))
        return Found(given, tuple(differs.told), differs.difference)
    except Incomparable:
        return None
    return None


def _not_imported(error: Exception, players: int | None) -> Found:
    """A package that cannot even be imported differs on the first thing that anybody does with it."""
    begin = Start(players or SEATS[0], 0)
    difference = Difference(
        begin.command(), "accepted", f"the import {failure_text(error)}", True
    )
    return Found(Input(begin, ()), (), difference)
