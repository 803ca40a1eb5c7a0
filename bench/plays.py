"""The plays that functions written by hand return: as costly to make as those of a generated package."""

from __future__ import annotations

from typing import TypeVar, final

from dealwright.runtime import CardBase, Play

CardT_co = TypeVar("CardT_co", bound=CardBase, covariant=True)


@final
class HandPlay(Play[CardT_co]):
    """Some cards and the cardset that they form."""

    __slots__ = ("cards", "cardset", "id", "properties")

    def __init__(
        self, id: str, cardset: str, cards: list[CardT_co], properties: dict[str, int]
    ) -> None:
        """Make a play; arguments as of `Play`."""
        self.id = id
        self.cardset = cardset
        self.cards = cards
        self.properties = properties
