"""How 比大小 recognises a cardset and compares two."""

from __future__ import annotations

from plain.classes import Hand, Played


def build_Single(cards: Hand) -> dict[str, int] | None:
    if len(cards) != 1:  # [2]
        return None  # [fail]
    return {}  # [ok]


def compare_Single(a: Played, b: Played) -> bool:
    return a.cards[0].点数 > b.cards[0].点数  # [2]


def recognize(cards: Hand) -> Played | None:
    found = build_Single(cards)
    if found is not None:
        return Played("1", "Single", cards, found)
    return None


def beats(now: Played, before: Played) -> bool:
    return compare_Single(now, before)
