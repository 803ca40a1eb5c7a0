"""Options and paths of the whole test suite.

The tests import one another's helpers as `tests.…`; that needs the root of the checkout on the path, which `pytest`
alone, unlike `python -m pytest`, does not put there.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

# a build verifies its packages where CI is set; in the tests only where they say so, on a CI service too
os.environ.pop("CI", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--rules DIR`, `--traces DIR`, `--golden FILE`, `--scenarios FILE`: other inputs than ours.

    `--update`: rewrite expected texts.
    """
    group = parser.getgroup("dealwright")
    group.addoption(
        "--rules",
        metavar="DIR",
        help="run the agreement test and the traces on the rule files of DIR",
    )
    group.addoption(
        "--traces", metavar="DIR", help="replay the recorded matches of DIR"
    )
    group.addoption(
        "--golden", metavar="FILE", help="run the golden cases of hints of FILE"
    )
    group.addoption(
        "--scenarios",
        metavar="FILE",
        help="play the response-window scenarios of FILE",
    )
    group.addoption(
        "--update",
        action="store_true",
        help="rewrite the expected code of the case files",
    )
