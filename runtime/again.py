"""Functions that go on in others without calling ever deeper.

A flow that is too long for one function, or has a cycle that no loop statement can express, is cut into several; where one
would call others in a long row or in a circle it returns an `Again`, which `follow` follows in a loop; `run` counts the
steps against the bound of a submission as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeAlias, TypeVar, final

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


OrAgain: TypeAlias = ResultT | Again[ResultT]
"""What such a function returns."""


def follow(result: OrAgain[ResultT]) -> ResultT:
    """The result of a flow without cycles that was cut because it is long: no bound is needed."""
    while isinstance(result, Again):
        result = result.step()
    return result


def run(game: Ticking, result: OrAgain[ResultT]) -> ResultT:
    """The result, after as many further steps as it takes.

    Raises:
        FlowStopped: "endless_flow" past the bound.
    """
    while isinstance(result, Again):
        game.tick()
        result = result.step()
    return result
