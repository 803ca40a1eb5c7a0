"""The rival's end of the conversation: answers a workload, then goes through it against the clock when told to.

Runs on the standard library alone, in the rival's own environment.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from time import process_time
from typing import Any, final

from bench.rivals import PACKAGES


def _as_it_is(value: Any) -> Any:
    return value


@final
@dataclass(frozen=True, slots=True)
class Task:
    """What a rival can be asked.

    Attributes:
        answer: answers one question; this is what is timed.
        prepare: turns a question into what the rival likes to be asked, beforehand and at no cost to it.
        tell: turns an answer into one that can be compared, likewise.
    """

    answer: Callable[[Any], Any]
    prepare: Callable[[Any], Any] = _as_it_is
    tell: Callable[[Any], Any] = _as_it_is


def serve(rival: str, tasks: Mapping[str, Task]) -> None:
    """Serve until stdin ends.

    Args:
        rival: its name in `PACKAGES`.
        tasks: what it can be asked, by the name that the row gives.
    """
    workload = json.loads(sys.stdin.readline())
    task = tasks[workload["task"]]
    answer = task.answer
    questions = [task.prepare(question) for question in workload["questions"]]
    answers = [task.tell(answer(question)) for question in questions]
    _say({"version": version(PACKAGES[rival][0]), "answers": answers})
    gc.collect()
    gc.disable()
    for line in sys.stdin:
        _say({"seconds": _timed(answer, questions, json.loads(line))})


def _timed(answer: Callable[[Any], Any], questions: list[Any], loops: int) -> float:
    """CPU seconds for answering all questions so many times, the loop itself taken off."""
    start = process_time()
    for _ in range(loops):
        for _question in questions:
            pass
    middle = process_time()
    for _ in range(loops):
        for question in questions:
            answer(question)
    return process_time() - middle - (middle - start)


def _say(message: object) -> None:
    print(json.dumps(message), flush=True)
