"""The table of the duel: players, what they hold, who reaches whom. No decisions are made here."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tests.duel.cards import WEAPONS, Card, full_deck

CHARACTERS = {
    "Zhao Yun": "dragon heart",
    "Guan Yu": "martial saint",
    "Xiao Qiao": "heavenly scent",
    "Guo Jia": "bequeathed strategy",
    "Zhang Fei": "roar",
    "Liu Bei": "",
    "Wei Yan": "",
    "Huang Zhong": "",
    "Cao Ren": "",
    "Sun Ce": "",
}
"""Characters and the one skill that they have."""

VIGOR = 4


@dataclass(slots=True)
class Player:
    """A player.

    Attributes:
        vigor: what is left of it; 0 kills.
        hand: cards that only he sees.
        equipped: cards that lie before him, by region.
    """

    seat: int
    skill: str = ""
    vigor: int = VIGOR
    is_alive: bool = True
    hand: list[Card] = field(default_factory=list)
    equipped: dict[str, Card] = field(default_factory=dict)

    @property
    def is_hurt(self) -> bool:
        """Whether a peach would help."""
        return self.vigor < VIGOR

    def named(self, name: str) -> list[Card]:
        """The cards of that name in his hand."""
        return [card for card in self.hand if card.name == name]

    def reach(self, without: str | None = None) -> int:
        """How far his weapon reaches; `without`: as if he had given up the equipment of that region."""
        weapon = None if without == "weapon" else self.equipped.get("weapon")
        return 1 if weapon is None else WEAPONS[weapon.name]

    def regions(self) -> list[str]:
        """Where he has anything that could be taken from him."""
        hand = ["onhand"] if self.hand else []
        return [*hand, *sorted(self.equipped)]


class Table:
    """Players, deck and pile."""

    def __init__(self, players: int, rng: random.Random) -> None:
        self.players = [Player(seat) for seat in range(players)]
        self.cards = full_deck()
        self.deck = list(self.cards)
        self.pile: list[Card] = []
        self.rng = rng
        rng.shuffle(self.deck)

    def alive(self) -> list[Player]:
        """The players who are left, by seat."""
        return [player for player in self.players if player.is_alive]

    def others(self, seat: int) -> list[Player]:
        """The players who are left but for one."""
        return [player for player in self.alive() if player.seat != seat]

    def after(self, seat: int) -> list[Player]:
        """The players who are left, beginning with that seat, in the order of turns."""
        players = self.alive()
        return sorted(
            players, key=lambda player: (player.seat - seat) % len(self.players)
        )

    def distance(self, source: int, target: int, without: str | None = None) -> int:
        """From one seat to another: steps along those who are left, horses counted."""
        seats = [player.seat for player in self.alive()]
        steps = abs(seats.index(source) - seats.index(target))
        near = min(steps, len(seats) - steps)
        horse = "-1 horse"
        near -= horse in self.players[source].equipped and without != horse
        near += "+1 horse" in self.players[target].equipped
        return max(1, near)

    def in_reach(self, source: int, without: str | None = None) -> list[int]:
        """The seats that a slash can reach."""
        reach = self.players[source].reach(without)
        return [
            player.seat
            for player in self.others(source)
            if self.distance(source, player.seat, without) <= reach
        ]

    def draw(self, player: Player, count: int) -> list[Card]:
        """Draw cards; the pile is shuffled when the deck is gone."""
        drawn: list[Card] = []
        for _ in range(count):
            if not self.deck:
                self.deck, self.pile = self.pile, []
                self.rng.shuffle(self.deck)
            if self.deck:
                drawn.append(self.deck.pop())
        player.hand += drawn
        return drawn

    def take(self, player: Player, numbers: tuple[int, ...]) -> list[Card]:
        """Take cards away from hand or equipment."""
        taken = [self.cards[number] for number in numbers]
        for card in taken:
            if card in player.hand:
                player.hand.remove(card)
            else:
                assert card.region is not None
                assert player.equipped.pop(card.region) is card
        return taken

    def throw(self, player: Player, numbers: tuple[int, ...]) -> list[Card]:
        """Take cards away, and put them on the pile."""
        thrown = self.take(player, numbers)
        self.pile += thrown
        return thrown

    def check(self) -> None:
        """Every card is in exactly one place."""
        placed = [card.id for card in (*self.deck, *self.pile)]
        for player in self.players:
            placed += [card.id for card in player.hand]
            placed += [card.id for card in player.equipped.values()]
        assert sorted(placed) == [card.id for card in self.cards]

    def state(self) -> object:
        """All that there is, for comparing."""
        return (
            [card.id for card in self.deck],
            [card.id for card in self.pile],
            [
                (
                    player.skill,
                    player.vigor,
                    player.is_alive,
                    [card.id for card in player.hand],
                    sorted(
                        (region, card.id) for region, card in player.equipped.items()
                    ),
                )
                for player in self.players
            ],
            self.rng.getstate(),
        )
