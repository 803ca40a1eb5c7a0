"""The cards of the duel: what they are called, their suits, and where equipment goes."""

from __future__ import annotations

from dataclasses import dataclass

SUITS = ("heart", "diamond", "spade", "club")
RED = ("heart", "diamond")

WEAPONS = {
    "crossbow": 1,
    "green dragon blade": 3,
    "zhangba serpent spear": 3,
    "vermilion feather fan": 4,
}
"""Weapons and how far they reach; bare hands reach 1."""

SPEAR = "zhangba serpent spear"
FAN = "vermilion feather fan"

EQUIPMENT = {
    **dict.fromkeys(WEAPONS, "weapon"),
    "rattan armor": "armor",
    "red hare": "-1 horse",
    "shadow runner": "+1 horse",
}
"""Equipment and the region that it is put into."""

BASIC = {"slash": 16, "dodge": 10, "peach": 4}
TRICKS = {"duel": 4, "sabotage": 4, "arson attack": 3}
COPIES = BASIC | TRICKS | dict.fromkeys(EQUIPMENT, 1)


@dataclass(frozen=True, slots=True)
class Card:
    """A card. Its number is the index in the deck."""

    id: int
    name: str
    suit: str

    @property
    def region(self) -> str | None:
        """Where it is put, if it is equipment."""
        return EQUIPMENT.get(self.name)

    @property
    def is_red(self) -> bool:
        """Whether it is a heart or a diamond."""
        return self.suit in RED


def full_deck() -> list[Card]:
    """All cards, by number; suits go round."""
    names = [name for name, copies in COPIES.items() for _ in range(copies)]
    return [
        Card(number, name, SUITS[number % len(SUITS)])
        for number, name in enumerate(names)
    ]
