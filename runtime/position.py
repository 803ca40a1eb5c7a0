"""Any position as a match: for tests of rules, for puzzles, for servers that bring a game from elsewhere.

An arranged match has no past: nothing was played or chosen yet, so whoever acts first leads. Everything is checked as
strictly as a saved state, but written for people: properties that are not given have their start values, and cards may
be numbers, `"card_3"` or Card objects.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from dealwright.runtime.checks import (
    Misfit,
    a_mapping,
    an_int,
    each_once,
    is_listed,
    some_properties,
)
from dealwright.runtime.errors import shown
from dealwright.runtime.game import CardT, Game, PlayerT, TableT, seat_at
from dealwright.runtime.objects import AssignableCard, CardBase, put
from dealwright.runtime.shuffle import MASK
from dealwright.runtime.state import wait_at

if TYPE_CHECKING:
    from dealwright.runtime.package import Package

MOST_ITEMS: Final = 10_000
"""Entries of any list of a position: no deck has more cards. An iterator that never ends is found out so."""


def arranged(
    package: Package[PlayerT, TableT, CardT],
    seats: int,
    *,
    hands: object,
    deck: object,
    discard: object,
    table: object,
    players: object,
    wait: object,
    cards: object,
    seed: object,
) -> Game[PlayerT, TableT, CardT]:
    """The game of an arranged position, waiting at node `wait`; its objects are not live yet.

    Raises:
        Misfit: saying what does not fit: a card that is there twice or nowhere, a property or a wait that the rule does
            not know, a wrong number of hands or players.
    """
    game = package.empty_game(seats)
    _put_cards(game, hands, deck, discard)
    game.generator = an_int(seed, "seed") & MASK
    start = game.table.values()
    game.table.restore({**start, **some_properties(table, start, "table")})
    _put_players(game, players)
    package.check_hand_sizes(game)
    _put_card_properties(package, game, cards)
    seat = seat_at(game.table.player_index, seats)
    game.pending = wait_at(package, wait, seat)
    return game


def _put_cards(
    game: Game[PlayerT, TableT, CardT], hands: object, deck: object, discard: object
) -> None:
    listed = [_numbers(hand, "a hand") for hand in _items(hands, "hands")]
    if len(listed) != len(game.players):
        raise Misfit(f"there are {len(listed)} hands for {len(game.players)} players")
    below, away = _numbers(deck, "deck"), _numbers(discard, "discard")
    each_once(
        [*below, *away, *(number for hand in listed for number in hand)],
        len(game.cards),
        "the cards",
    )
    game.place(listed, below, away)


def _put_players(game: Game[PlayerT, TableT, CardT], players: object) -> None:
    """手牌数 follows the hand unless it is given."""
    listed = [{}] * len(game.players) if players is None else _items(players, "players")
    if len(listed) != len(game.players):
        raise Misfit(
            f"players has {len(listed)} entries for {len(game.players)} players"
        )
    for player, hand, given in zip(game.players, game.hands, listed, strict=True):
        put(player, "手牌数", len(hand))
        values = player.values()
        player.restore(
            {**values, **some_properties(given, values, f"players[{player.seat}]")}
        )


def _put_card_properties(
    package: Package[PlayerT, TableT, CardT],
    game: Game[PlayerT, TableT, CardT],
    cards: object,
) -> None:
    given = {} if cards is None else a_mapping(cards, "cards")
    if given and not package.assigns_cards:
        raise Misfit(
            "cards: the rule assigns no card property, so its cards are what they are"
        )
    for key, properties in given.items():
        number = _number(key, "cards")
        if not 0 < number <= len(game.cards):
            raise Misfit(
                f"cards: the rule has no card_{shown(number)}, only card_1 to card_{len(game.cards)}"
            )
        card = game.cards[number - 1]
        if isinstance(card, AssignableCard):
            values = card.values()
            card.restore(
                {**values, **some_properties(properties, values, f"card_{number}")}
            )


def _items(value: object, where: str) -> list[object]:
    if not is_listed(value):
        raise Misfit(f"{where} must be a list, not {shown(value)}")
    items = list(islice(value, MOST_ITEMS + 1))
    if len(items) > MOST_ITEMS:
        raise Misfit(f"{where} has too many entries")
    return items


def _numbers(value: object, where: str) -> list[int]:
    return [_number(item, where) for item in _items(value, where)]


def _number(item: object, where: str) -> int:
    """The number of a card given as a number, as its name or as the object."""
    number = card_number(item)
    if number is None:
        raise Misfit(f"{where}: {shown(item)} is no card")
    return number


def card_number(item: object) -> int | None:
    """The N of `N`, `"card_N"` or a card object; None for anything else. Whether there is such a card is not asked."""
    if type(item) is int:
        return item
    if isinstance(item, CardBase):
        return item.id
    if type(item) is str and item.startswith("card_") and len(item) < 12:
        digits = item[5:]
        return (
            int(digits)
            if digits.isascii() and digits.isdigit() and digits[0] != "0"
            else None
        )
    return None
