"""Rivals that are packages: what each needs installed, and a script that speaks for it.

A script `bench/rivals/NAME.py` runs in an environment of its own, where nothing of ours is installed. For each task
that a row may set it makes a function that answers one question, and hands these to `bench.rivals.serve`, which talks to
`bench.opponents`: task and questions come as a line of JSON on stdin, the answers go out as one; then each number of
passes that comes in is answered with the CPU seconds they took. To add a rival, write the script and give it a line in
`PACKAGES`; to ask one something new, give its script another task.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PACKAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "zen-engine": ("zen-engine",),
    # the older package json-logic does not run on Python 3
    "json-logic": ("json-logic-qubit",),
    "cel-python": ("cel-python",),
    "fastjsonschema": ("fastjsonschema",),
    "mahjong": ("mahjong",),
    "open_spiel": ("open_spiel",),
    "rlcard": ("rlcard",),
}
"""Rival -> what pip installs for it, the rival itself first. Its script is called as the rival, `-` being `_`."""
