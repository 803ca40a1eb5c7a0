"""Why something is not offered: in a refusal, and in words for the player of a compiled match (hints.md, B10).

What they are told from is the player's own hand and what everybody sees, so that they are for his eyes only but tell him
nothing new. Nobody is told them who does not ask for it (`is_explained`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from dealwright.runtime.hints.errors import Refusal
from dealwright.runtime.hints.model import ABORT, Note
from dealwright.runtime.hints.reply import quoted

MUST_PLAY: Final = "you lead and hold a cardset, so you have to play"
"""Why a skip is not offered."""
MOST_LISTED: Final = 8
"""Numbers of cards that are told one by one."""


def reason(held: int, lengths: Collection[int] | None, is_beaten: bool) -> str:
    """Why a cardset is not offered.

    Args:
        held: how many cards the player has.
        lengths: the numbers of cards that the cardset can have, ascending; None: any.
        is_beaten: whether he can make it, but none that beats what was played.
    """
    if lengths is not None and not any(lengths):
        return "the rule never takes any cards for it"
    if held == 0:
        return "your hand is empty"
    if is_beaten:
        return "you can make it, but none that beats what was played"
    if lengths is not None and min(lengths) > held:
        return f"it takes {_numbers(lengths)} cards, and you hold {held}"
    return "no cards of your hand make it"


def _numbers(lengths: Collection[int]) -> str:
    """Numbers in words: `5`, `2 or 4`, `at least 3`."""
    sizes = sorted(lengths)
    if len(sizes) > MOST_LISTED:
        return f"at least {sizes[0]}"
    *most, last = map(str, sizes)
    return f"{', '.join(most)} or {last}" if most else last


def explained(refusal: Refusal, note: Note) -> Refusal:
    """A refusal of what is not offered, with the reason that the question has for it as its value `why`.

    Others come back as they are.
    """
    known: tuple[tuple[object, str], ...] = ()
    sent = dict(refusal.values).get("sent", quoted(ABORT))
    if refusal.kind in ("unknown_method", "abort_not_allowed"):
        known = note.why_methods
    elif refusal.kind == "card_forbidden":
        known = note.why_cards
    why = next((text for name, text in known if quoted(name) == sent), None)
    if why is None:
        return refusal
    return replace(refusal, values=(*refusal.values, ("why", why)))
