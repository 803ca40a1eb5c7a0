# @generated from rules/twenty_one.json by `dealwright build`; do not edit.
"""How Twenty-one recognises its cardsets and compares two plays."""

from __future__ import annotations

from dealwright.runtime import (
    NO_PROPERTIES,
)

from .classes import (
    Hand,
    Played,
)


def build_Ace(cards: Hand) -> dict[str, int] | None:
    # [one_card]: only asked about 1 card
    if cards[0].rank != 1:  # [an_ace]
        return None  # [no]
    return NO_PROPERTIES  # [yes]


def recognize(cards: Hand) -> Played | None:
    size = len(cards)
    if size == 1:
        if (found := build_Ace(cards)) is not None:
            return Played("1", "Ace", cards, found)
    return None


def beats(now: Played, before: Played) -> bool:
    return False
