"""`rules/war.json` by hand: any one card is a Single, and every play beats the one before."""

from __future__ import annotations

from typing import Final

from bench.plays import HandPlay
from dealwright.runtime import CardBase, Play

NOTHING: Final[dict[str, int]] = {}


def recognize(cards: list[CardBase]) -> Play[CardBase] | None:
    """The cardset that the cards form, or None."""
    if len(cards) == 1:
        return HandPlay("1", "Single", cards, NOTHING)
    return None


def beats(now: Play[CardBase], before: Play[CardBase]) -> bool:
    """Whether `now` beats `before`: always, since the rule's own comparison comes when the round is scored."""
    return True
