"""The compiler itself on a sample rule, in a fresh process with everything imported: from the bytes of the file to the
texts of the package. What starting Python and importing takes is not in it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.contest import MILLISECONDS, Quantity, Row, Setting, at_most
from bench.subjects import ROOT, SOURCES

SAMPLES: Final = 7


def _prepare(setting: Setting) -> Quantity:
    path = SOURCES["war"].path
    return Quantity([_seconds(path) for _ in range(SAMPLES)])


def _seconds(path: Path) -> float:
    done = subprocess.run(
        [sys.executable, "-m", "bench.compile_once", str(path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return float(done.stdout)


ROWS: Final = (
    Row(
        "compile:war",
        "compile rules/war.json in a fresh process, after imports",
        MILLISECONDS,
        _prepare,
        aim=at_most(100),
    ),
)
