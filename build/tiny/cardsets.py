# @generated from rules/tiny.json by `dealwright build`; do not edit.
"""How Tiny recognises its cardsets and compares two plays."""

from __future__ import annotations

from dealwright.runtime import (
    NO_PROPERTIES,
)

from .classes import (
    Hand,
    Played,
)


def build_Single(cards: Hand) -> dict[str, int] | None:
    # [one_card]: only asked about 1 card
    return NO_PROPERTIES  # [yes]


def recognize(cards: Hand) -> Played | None:
    size = len(cards)
    if size == 1:
        if (found := build_Single(cards)) is not None:
            return Played("1", "Single", cards, found)
    return None


def beats(now: Played, before: Played) -> bool:
    return False
