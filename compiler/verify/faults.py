"""What `--verify` says of fresh packages: black would lay them out otherwise, or they do not do what the rule says.

Both are faults of dealwright, never of a rule. The layout is looked at first, since that is quick: `emit.style` gives
black only what it may change, and here black gets all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

from dealwright.compiler.emit import style
from dealwright.compiler.pipeline import Built
from dealwright.compiler.verify.progress import Fresh as Fresh
from dealwright.compiler.verify.progress import failing_cases


@final
@dataclass(frozen=True, slots=True)
class Faults:
    """What to print for those who mend dealwright, a text for each faulty package, and the sentence that ends it."""

    printed: tuple[str, ...]
    sentence: str


def faults(fresh: Sequence[Fresh], seconds: float) -> Faults | None:
    """Look at packages before they are written.

    Args:
        fresh: the packages.
        seconds: how long each is run against the interpreter.

    Returns:
        What is wrong with them; None if nothing was found.
    """
    layouts = {one.file: _layout(one.built) for one in fresh}
    unsettled = {file: text for file, text in layouts.items() if text}
    if unsettled:
        return _faults(unsettled, "is not laid out as black would do it", "lines")
    cases = failing_cases(fresh, seconds)
    if cases:
        return _faults(cases, "does not do what the rule says", "case")
    return None


def _layout(built: Built) -> str:
    """What black would lay out otherwise in a package, file by file; empty if it has nothing to do."""
    found = []
    for path, text in built.files.items():
        if path.endswith(".py"):
            try:
                style.refuse_unsettled(text)
            except style.BadOutput as problem:
                found.append(f"{built.slug}/{path}: {problem}")
    return "\n".join(found)


def _faults(texts: Mapping[str, str], what: str, printed: str) -> Faults:
    return Faults(
        tuple(texts.values()),
        f"what was generated from {', '.join(texts)} {what}: a bug of dealwright, "
        f"please report the printed {printed}; nothing was written",
    )
