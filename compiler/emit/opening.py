"""What stands at the top of a build function: of which cards it is asked, and which nodes need not ask for that.

Goes in: the nodes that are gone from the flow, since whoever asks the function has found out what they ask (see
`passes.dispatch`), and what that is. Comes out: lines of a comment. It does not end like the comments behind statements,
which say where a statement comes from.

    # [right_size] [right_cards]: only asked about 5 cards that are Straight and Flush
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from dealwright.compiler.emit.text import comment
from dealwright.compiler.passes.bounds import Bounds

_BEGINNING: Final = "    # "
_WIDTH: Final = 88


def known_before(
    nodes: Sequence[str],
    bounds: Bounds | None,
    cardsets: Sequence[str],
    answers: Sequence[str],
) -> str:
    """The lines of the comment; none if no nodes are gone.

    Args:
        nodes: their ids.
        bounds: with the lengths that it is asked about; None if these are all.
        cardsets: the names of those that the cards are besides.
        answers: the names of the table's methods that say yes.
    """
    if not nodes:
        return ""
    ids = " ".join(f"[{comment(one)}]" for one in nodes)
    text = f"{ids}: only asked about {'cards' if bounds is None else _numbers(bounds)}"
    if cardsets:
        text += f" that are {' and '.join(map(comment, cardsets))}"
    if answers:
        text += f" for which {' and '.join(map(comment, answers))} holds"
    lines = textwrap.wrap(
        text,
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
