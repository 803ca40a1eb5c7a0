"""What a row of the benchmark is: questions, our answers, rivals' answers, and what we mean to reach.

A row prepares a `Contest` when its turn comes; `hold` asserts that all answers are equal and then lets the contenders
take turns. A row that measures something else than time gives a `Quantity`. Neither knows what it is about: the rows
are in `bench.rows`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, final

from bench.environments import Environments
from bench.subjects import Subject
from bench.timing import Run, Spread, spread, take_turns

Answers: TypeAlias = list[Any]
MOST_TOLD: Final = 20
"""Entries of an answer that is told whole: a line of a terminal or two."""


@final
@dataclass(frozen=True, slots=True)
class Unit:
    """How a figure is shown: `scale` times the seconds a question, or that upside down.

    Attributes:
        is_rate: more is better, and seconds are turned into how many a second.
    """

    name: str
    scale: float
    is_rate: bool = False

    def of(self, seconds: float) -> float:
        """The figure of so many seconds a question."""
        return self.scale / seconds if self.is_rate else self.scale * seconds


NANOSECONDS: Final = Unit("ns", 1e9)
MICROSECONDS: Final = Unit("µs", 1e6)
MILLISECONDS: Final = Unit("ms", 1e3)
A_SECOND: Final = Unit("/s", 1, is_rate=True)
KILOBYTES: Final = Unit("kB", 1e-3)


@final
@dataclass(frozen=True, slots=True)
class Aim:
    """What a figure or ratio should be: at most `limit`, or at least."""

    limit: float
    is_upper: bool

    def is_reached(self, value: float) -> bool:
        """Whether the value keeps the aim."""
        return value <= self.limit if self.is_upper else value >= self.limit


def at_most(limit: float) -> Aim:
    """For a rival: we take at most so many times as long as he."""
    return Aim(limit, True)


def at_least(limit: float) -> Aim:
    """For a rival: he takes at least so many times as long as we."""
    return Aim(limit, False)


@final
@dataclass(frozen=True, slots=True)
class Contender:
    """Somebody who answers all questions of a contest.

    Attributes:
        name: as `--against` spells it.
        answers: the answers to all questions, as values that can be compared.
        run: the same against the clock.
        aim: what we mean to reach against him. Without one, or with `at_least`, the ratio is how many times as long as
            we he takes; with `at_most` it is how many times as long as he we take.
        version: of the package that he is.
    """

    name: str
    answers: Callable[[], Answers]
    run: Run
    aim: Aim | None = None
    version: str = ""


@final
@dataclass(frozen=True, slots=True)
class Contest:
    """Ours and the rivals, over the same questions.

    Attributes:
        questions: how many there are.
        missing: rivals that could not be had, and why.
        close: called when the contest is over.
    """

    questions: int
    ours: Contender
    rivals: Sequence[Contender] = ()
    missing: Mapping[str, str] = field(default_factory=dict)
    close: Callable[[], None] = lambda: None


@final
@dataclass(frozen=True, slots=True)
class Quantity:
    """Samples of something that is no time."""

    samples: Sequence[float]


@final
@dataclass(frozen=True, slots=True)
class Setting:
    """What rows are prepared with.

    Attributes:
        against: names of the rivals that take part; None for all.
        environments: where rivals that are packages live.
        subject: the rule of that name, compiled once.
        count: questions of a workload.
        seed: what workloads come from.
    """

    against: frozenset[str] | None
    environments: Environments
    subject: Callable[[str], Subject]
    count: int
    seed: int

    def has(self, name: str) -> bool:
        """Whether that rival takes part."""
        return self.against is None or name in self.against


@final
@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table.

    Attributes:
        name: what `--only` takes.
        title: what is measured, for people.
        unit: how the figures are shown.
        prepare: makes the contest; raises `NotHere` if the row cannot be run on this machine.
        aim: what our own figure should be, in the row's unit.
        rivals: who can take part.
    """

    name: str
    title: str
    unit: Unit
    prepare: Callable[[Setting], Contest | Quantity]
    aim: Aim | None = None
    rivals: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class RivalOutcome:
    """A rival's figure in the row's unit and the ratio, both with quartiles."""

    name: str
    figure: Spread
    ratio: Spread
    aim: Aim | None
    version: str


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out of a row; `missing` says which rivals did not take part, and why."""

    row: Row
    figure: Spread
    rivals: tuple[RivalOutcome, ...]
    missing: Mapping[str, str]


class Disagreement(Exception):
    """A rival answers otherwise than we do, so that nothing may be timed."""


def hold(row: Row, setting: Setting, rounds: int) -> Outcome:
    """Run a row.

    Raises:
        NotHere: it cannot be run on this machine.
        Disagreement: the contenders' answers differ.
    """
    contest = row.prepare(setting)
    if isinstance(contest, Quantity):
        figures = [row.unit.of(sample) for sample in contest.samples]
        return Outcome(row, spread(figures), (), {})
    try:
        _check_answers(row, contest)
        contenders = (contest.ours, *contest.rivals)
        runs = {contender.name: contender.run for contender in contenders}
        samples = take_turns(runs, contest.questions, rounds)
    finally:
        contest.close()
    ours = samples[contest.ours.name]
    rivals = [
        _rival_outcome(row, rival, ours, samples[rival.name])
        for rival in contest.rivals
    ]
    return Outcome(row, _figure(row, ours), tuple(rivals), contest.missing)


def _check_answers(row: Row, contest: Contest) -> None:
    expected = contest.ours.answers()
    for rival in contest.rivals:
        answers = rival.answers()
        if len(answers) != len(expected):
            raise Disagreement(
                f"{row.name}: {rival.name} gives {len(answers)} answers, not {len(expected)}"
            )
        for number, (theirs, ours) in enumerate(zip(answers, expected, strict=True)):
            if theirs != ours:
                raise Disagreement(
                    f"{row.name}: to question {number} {rival.name} answers {_apart(theirs, ours)}, "
                    f"we {_apart(ours, theirs)}"
                )


def _apart(answer: Any, other: Any) -> str:
    """An answer as it is told beside another one: of two long lists only what the other has not as often."""
    if isinstance(answer, list) and isinstance(other, list) and len(answer) > MOST_TOLD:
        left, apart = list(other), []
        for each in answer:
            if each in left:
                left.remove(each)
            else:
                apart.append(each)
        if apart:
            return f"{apart!r} besides others"
    return repr(answer)


def _figure(row: Row, samples: Sequence[float]) -> Spread:
    return spread([row.unit.of(sample) for sample in samples])


def _rival_outcome(
    row: Row, rival: Contender, ours: Sequence[float], theirs: Sequence[float]
) -> RivalOutcome:
    """The ratio is taken round by round, since what disturbed a round disturbed both."""
    is_bound = rival.aim is not None and rival.aim.is_upper
    ratios = [
        mine / other if is_bound else other / mine
        for mine, other in zip(ours, theirs, strict=True)
    ]
    figure = _figure(row, theirs)
    return RivalOutcome(rival.name, figure, spread(ratios), rival.aim, rival.version)
