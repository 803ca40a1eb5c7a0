"""A bound for code that may never come back: a fault of the compiler can make a loop without an end.

The clock is that of the processor time of this process, so that a busy machine does not look like an endless loop.
Where the system has no such timer, and outside of the main thread, nothing is watched.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

PATIENCE = 10.0
"""Seconds for one answer of the package. The interpreter, hundreds of times slower, has answered within its bound."""


class NoAnswer(BaseException):
    """The package has not come back in time.

    Not an `Exception`, which the runtime would take for an error of the rule's flow.
    """


@contextmanager
def watched() -> Iterator[None]:
    """Raises `NoAnswer` into the block if it takes longer than PATIENCE of processor time."""
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _give_up(number: int, frame: FrameType | None) -> None:
    raise NoAnswer
