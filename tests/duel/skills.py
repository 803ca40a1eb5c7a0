"""What can be played as what: cards by their name, and the skills and weapons that turn other cards into them.

One function for a wanted card serves both the play phase, where a slash needs a target, and responses, where it does
not.
"""

from __future__ import annotations

from dealwright.runtime.hints import Method, fix_cards, fix_targets, method
from tests.duel.cards import SPEAR, Card
from tests.duel.table import Player, Table

DRAGON = {"slash": "dodge", "dodge": "slash"}
"""The dragon heart: a dodge is a slash, and a slash is a dodge."""


def numbers(cards: list[Card]) -> list[int]:
    """The numbers of cards, ascending."""
    return sorted(card.id for card in cards)


def conversions(
    table: Table, player: Player, wanted: str, is_aimed: bool
) -> list[Method]:
    """The methods that make a wanted card out of others.

    Args:
        is_aimed: a slash in the play phase, which needs somebody in reach.
    """
    found: list[Method] = []
    reach = table.in_reach(player.seat)

    def add(name: str, count: int, cards: list[Card], seats: list[int]) -> None:
        need = fix_cards(count, numbers(cards))
        if not is_aimed:
            found.append(method(name, need))
        elif seats:
            found.append(method(name, need, fix_targets(1, seats)))

    if player.skill == "dragon heart" and wanted in DRAGON:
        add("dragon heart", 1, player.named(DRAGON[wanted]), reach)
    if player.skill == "martial saint" and wanted == "slash":
        red = [card for card in player.hand if card.is_red]
        if red:
            add("martial saint:onhand", 1, red, reach)
        for region, card in sorted(player.equipped.items()):
            # whoever gives up his weapon or his horse for it reaches less far
            if card.is_red:
                seats = table.in_reach(player.seat, without=region)
                add(f"martial saint:{region}", 1, [card], seats)
    weapon = player.equipped.get("weapon")
    if weapon is not None and weapon.name == SPEAR and wanted == "slash":
        add(SPEAR, 2, player.hand, reach)
    return found
