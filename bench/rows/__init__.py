"""The rows of the table, and the one place where a row is added.

A row is a `bench.contest.Row`: a name, a title, a unit, and a function that prepares the contest. Write it in a module
of this folder (hints, windows, patterns: one module a feature) and put it into `ROWS`. Contenders in this process are
made with `bench.timing.calling`, rivals that are packages with `bench.opponents.Opponents`, after a script in
`bench/rivals/` and a line in its `PACKAGES`. A row whose feature or rule is not on the machine raises `NotHere`.
"""

from __future__ import annotations

from typing import Final

from bench.contest import Row
from bench.rows import (
    claims,
    compiling,
    dou_dizhu,
    hints,
    judging,
    pair,
    patterns,
    rounds,
    state,
    war,
    windows,
)

ROWS: Final[tuple[Row, ...]] = (
    *judging.ROWS,
    *pair.ROWS,
    *dou_dizhu.ROWS,
    *war.ROWS,
    *state.ROWS,
    *hints.ROWS,
    *windows.ROWS,
    *claims.ROWS,
    *patterns.ROWS,
    *rounds.ROWS,
    *compiling.ROWS,
)
"""Every row, in the order of the table. Names are all different."""
