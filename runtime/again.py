"""Methods that go round without calling themselves ever deeper.

A method whose flow has a cycle that no loop statement can express is cut into several; where one would call another in a
circle it returns an `Again`, which `run` follows in a loop and counts against the bound of a submission.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar, final

ResultT = TypeVar("ResultT")


class Ticking(Protocol):
    """What counts: a game."""

    def tick(self) -> None: ...


@final
class Again(Generic[ResultT]):
    """Not a result yet: call `step` for it."""

    __slots__ = ("step",)

    def __init__(self, step: Callable[[], ResultT | Again[ResultT]]) -> None:
        self.step = step


def run(game: Ticking, result: ResultT | Again[ResultT]) -> ResultT:
    """The result, after as many further steps as it takes.

    Raises:
        FlowStopped: "endless_flow" past the bound.
    """
    while isinstance(result, Again):
        game.tick()
        result = result.step()
    return result
