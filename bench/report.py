"""The outcomes as a table for the terminal, as JSON, and as `docs/performance.md` with its picture.

The page says with which command, Python and packages it was made, so that anybody can make it again; it names no
machine, since only the ratios travel.
"""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import geometric_mean
from typing import Any, Final, TypeAlias

from rich.console import Console
from rich.table import Table

from bench.contest import Aim, Outcome, RivalOutcome
from bench.environments import Environments
from bench.rows.judging import INTERPRETER
from bench.subjects import ROOT
from bench.timing import Spread

Json: TypeAlias = Any

PAGE: Final = "performance.md"
PICTURE: Final = "performance.png"
PLOTTING: Final = ("matplotlib>=3.8",)
HEADINGS: Final = ("what", "dealwright", "aim", "against", "takes", "ratio", "aim")
WIDTH: Final = 132

Cells: TypeAlias = tuple[str, str, str, str, str, str, str]


def as_json(
    outcomes: Sequence[Outcome], skipped: Mapping[str, str], command: str
) -> Json:
    """Everything that was found out, as JSON types; figures in the unit of their row."""
    return {
        "command": command,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "rows": [_row_json(outcome) for outcome in outcomes],
        "skipped": dict(skipped),
        "interpreter_geometric_mean": interpreter_mean(outcomes),
    }


def interpreter_mean(outcomes: Iterable[Outcome]) -> float | None:
    """How many times as long as we the fast interpreter takes, in the geometric mean over the rows with a graph."""
    ratios = [
        rival.ratio.median
        for outcome in outcomes
        for rival in outcome.rivals
        if rival.name == INTERPRETER and rival.aim is not None
    ]
    return geometric_mean(ratios) if ratios else None


def print_table(
    outcomes: Sequence[Outcome], skipped: Mapping[str, str], console: Console
) -> None:
    """The table, and what was left out."""
    table = Table(show_edge=False, pad_edge=False)
    for number, heading in enumerate(HEADINGS):
        table.add_column(heading, justify="left" if number in (0, 3) else "right")
    for outcome in outcomes:
        for cells in _cells(outcome):
            table.add_row(*cells)
        table.add_section()
    console.print(table)
    for line in _notes(outcomes, skipped):
        console.print(line, highlight=False)


def write_page(
    folder: Path,
    outcomes: Sequence[Outcome],
    skipped: Mapping[str, str],
    command: str,
    environments: Environments,
) -> None:
    """Write the page and its picture into `folder`.

    Raises:
        Unavailable: there is no matplotlib to be had; the page is not written then.
        RuntimeError: the picture cannot be drawn.
    """
    found = as_json(outcomes, skipped, command)
    _draw(found, folder / PICTURE, environments)
    text = "\n".join(_page(found, outcomes, skipped)) + "\n"
    (folder / PAGE).write_text(text, encoding="utf-8")


def _draw(found: Json, path: Path, environments: Environments) -> None:
    """matplotlib is needed for this alone; it gets an environment as rivals do."""
    python = environments.python("matplotlib", PLOTTING)
    done = subprocess.run(
        [str(python), "-m", "bench.picture", str(path.resolve())],
        input=json.dumps(found),
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"the picture cannot be drawn:\n{done.stderr}")


def _page(
    found: Json, outcomes: Sequence[Outcome], skipped: Mapping[str, str]
) -> Iterator[str]:
    yield "# Speed"
    yield ""
    yield f"Made by `{found['command']}` with {found['python']}; do not edit, run it again."
    yield "CPU time, all contenders in turn over the same questions, after their answers were found equal; medians with"
    yield "the quartiles in brackets. Look at the ratios: the times are those of whatever machine this was made on."
    yield ""
    yield "- *hand*: functions written from the rule by somebody who had not seen the generated code (`bench/by_hand/`);"
    yield "  the ratio is how many times as long we take."
    yield "- *interpreter*: the same flows interpreted, nodes indexed and values memoised (`bench/fast_interpreter.py`);"
    yield "  here and for all others the ratio is how many times as long as we they take."
    yield "- *public face*: `recognize` and `beats` of the package itself, which copy the cards and report errors."
    yield ""
    yield f"![How long the others take, as a multiple of dealwright]({PICTURE})"
    yield ""
    yield "| " + " | ".join(HEADINGS) + " |"
    yield "|---|---:|---:|---|---:|---:|---:|"
    for outcome in outcomes:
        for cells in _cells(outcome):
            yield "| " + " | ".join(cells) + " |"
    yield ""
    for line in _notes(outcomes, skipped):
        yield f"- {line}"


def _notes(outcomes: Sequence[Outcome], skipped: Mapping[str, str]) -> Iterator[str]:
    mean = interpreter_mean(outcomes)
    if mean is not None:
        yield f"the fast interpreter takes {mean:.1f} times as long as we in the geometric mean (aim: at least 20)"
    versions = {
        rival.name: rival.version
        for outcome in outcomes
        for rival in outcome.rivals
        if rival.version
    }
    for name, version in versions.items():
        yield f"{name} is version {version}"
    for name, reason in skipped.items():
        yield f"not run: {name}: {reason}"
    for outcome in outcomes:
        for name, reason in outcome.missing.items():
            yield f"not run: {outcome.row.name} against {name}: {reason}"


def _cells(outcome: Outcome) -> Iterator[Cells]:
    """A line for each rival; what belongs to the row stands in the first."""
    row = outcome.row
    ours = f"{_figure(outcome.figure.median)} {row.unit.name}"
    aim = _aim(row.aim, outcome.figure.median)
    if not outcome.rivals:
        quartiles = f"{_figure(outcome.figure.low)}–{_figure(outcome.figure.high)}"
        yield row.title, f"{ours} ({quartiles})", aim, "", "", "", ""
    for number, rival in enumerate(outcome.rivals):
        head = (row.title, ours, aim) if number == 0 else ("", "", "")
        takes = f"{_figure(rival.figure.median)} {row.unit.name}"
        yield (*head, rival.name, takes, _ratio(rival), _rival_aim(rival))


def _ratio(rival: RivalOutcome) -> str:
    ratio = rival.ratio
    return f"{_figure(ratio.median)} ({_figure(ratio.low)}–{_figure(ratio.high)})"


def _rival_aim(rival: RivalOutcome) -> str:
    return _aim(rival.aim, rival.ratio.median)


def _aim(aim: Aim | None, value: float) -> str:
    if aim is None:
        return ""
    sign = "≤" if aim.is_upper else "≥"
    limit = f"{aim.limit:,.0f}" if aim.limit >= 10 else f"{aim.limit:g}"
    return f"{sign} {limit} {'✓' if aim.is_reached(value) else '✗'}"


def _figure(value: float) -> str:
    """Three digits that count."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _row_json(outcome: Outcome) -> Json:
    row = outcome.row
    return {
        "name": row.name,
        "title": row.title,
        "unit": row.unit.name,
        "figure": _spread_json(outcome.figure),
        "aim": _aim_json(row.aim),
        "rivals": [
            {
                "name": rival.name,
                "version": rival.version,
                "figure": _spread_json(rival.figure),
                "ratio": _spread_json(rival.ratio),
                "ratio_is_ours": rival.aim is not None and rival.aim.is_upper,
                "aim": _aim_json(rival.aim),
            }
            for rival in outcome.rivals
        ],
        "missing": dict(outcome.missing),
    }


def _spread_json(figures: Spread) -> Json:
    return {
        name: float(f"{getattr(figures, name):.4g}")
        for name in ("low", "median", "high")
    }


def _aim_json(aim: Aim | None) -> Json:
    if aim is None:
        return None
    return {"at_most" if aim.is_upper else "at_least": aim.limit}
