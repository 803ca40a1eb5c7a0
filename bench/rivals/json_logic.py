"""json-logic: rules as JSON, interpreted in Python."""

from __future__ import annotations

from typing import Any

from json_logic import jsonLogic  # type: ignore[import-not-found]

from bench.rivals.serve import Task, serve

IS_PAIR = {"==": [{"var": "first"}, {"var": "second"}]}


def is_pair(question: dict[str, int]) -> Any:
    """Whether it is a pair."""
    return jsonLogic(IS_PAIR, question)


if __name__ == "__main__":
    serve("json-logic", {"is-it-a-pair": Task(is_pair)})
