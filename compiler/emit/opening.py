"""What stands at the top of a build function: how many cards it is asked about, and by which nodes that is known.

Goes in: the nodes that the number of cards decides, which are gone from the flow (see `passes.dispatch`), and the numbers
that are left. Comes out: lines of a comment. It does not end like the comments behind statements, which say where a
statement comes from.

    # [right_size]: asked about 5 cards only
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from dealwright.compiler.emit.text import comment
from dealwright.compiler.passes.bounds import Bounds

_BEGINNING: Final = "    # "
_WIDTH: Final = 88


def asked_before(nodes: Sequence[str], bounds: Bounds) -> str:
    """The lines of the comment; none if no nodes are gone."""
    if not nodes:
        return ""
    ids = " ".join(f"[{comment(one)}]" for one in nodes)
    lines = textwrap.wrap(
        f"{ids}: asked about {_numbers(bounds)} only",
        _WIDTH,
        initial_indent=_BEGINNING,
        subsequent_indent=_BEGINNING,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "".join(f"{line}\n" for line in lines)


def _numbers(bounds: Bounds) -> str:
    """The accepted numbers of cards in words: `1 card`, `2 or 4 to 6 cards`, `5 or more cards`."""
    rows = [_row(first, last) for first, last in bounds.rows()]
    *others, last = rows or ["no"]
    text = f"{', '.join(others)} or {last}" if others else last
    return f"{text} {'card' if text == '1' else 'cards'}"


def _row(first: int, last: int | None) -> str:
    if last is None:
        return f"{first} or more"
    return str(first) if first == last else f"{first} to {last}"
