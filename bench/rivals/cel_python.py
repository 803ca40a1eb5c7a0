"""cel-python: Google's Common Expression Language, in Python."""

from __future__ import annotations

from typing import Any

import celpy  # type: ignore[import-not-found]

from bench.rivals.serve import Task, serve

ENVIRONMENT = celpy.Environment()
IS_PAIR = ENVIRONMENT.program(ENVIRONMENT.compile("first == second"))


def is_pair(question: Any) -> bool:
    """Whether it is a pair."""
    return bool(IS_PAIR.evaluate(question))


if __name__ == "__main__":
    serve("cel-python", {"is-it-a-pair": Task(is_pair, celpy.json_to_cel)})
