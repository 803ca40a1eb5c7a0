"""Computer players: they discard towards ready and claim what they are offered.

A bot is a client. It gets the table as its seat sees it (`seen.view`) and its hint, and gives back a reply.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from dealwright.runtime.hints import (
    Draft,
    Hint,
    Reply,
    SelectRegion,
)
from examples.sichuan.asking import KONG, seen, tile_of
from examples.sichuan.distance import distance
from examples.sichuan.round import Round
from examples.sichuan.table import Seat
from examples.sichuan.tiles import SUITS, Suit, Tile


def bot_reply(
    hint: Hint, hand: Sequence[Tile], melds: int, void_suit: Suit | None, rng: Random
) -> Reply:
    """What a bot answers.

    Args:
        hint: what it is asked.
        hand: its concealed tiles.
        melds: how many melds it has.
        void_suit: its own, once chosen.
        rng: decides between discards that are equally good.
    """
    draft = Draft(hint)
    options = draft.options()
    if isinstance(hint.question.detail, SelectRegion):
        held = [tile[1] for tile in hand]
        wanted = min(SUITS, key=held.count)
        draft.choose(next(each for each in options if each.name == wanted))
        return draft.reply()
    names = {option.name: option for option in options}
    kongs = [name for name in names if name.startswith(KONG)]
    for name in ("HU", "GANG", *kongs, "PENG"):
        if name in names:
            draft.choose(names[name])
            while not draft.is_complete:
                draft.pick_card(draft.selectable_cards()[0])
            return draft.reply()
    draft.choose_method("discard")
    draft.pick_card(best_discard(draft.selectable_cards(), hand, melds, void_suit, rng))
    return draft.reply()


def best_discard(
    cards: Sequence[int],
    hand: Sequence[Tile],
    melds: int,
    void_suit: Suit | None,
    rng: Random,
) -> int:
    """A card that leaves the hand as near to ready as can be, the loneliest of such."""
    by_tile = {tile_of(card): card for card in cards}
    if len(by_tile) == 1:
        return cards[0]
    ranked = []
    for tile, card in by_tile.items():
        rest = list(hand)
        rest.remove(tile)
        far = distance(rest, melds, void_suit)
        ranked.append((far, _company(tile, rest), rng.random(), card))
    return min(ranked)[-1]


def _company(tile: Tile, rest: Sequence[Tile]) -> int:
    """How much goes together with a tile: equal ones most, then neighbours; those in the middle find more."""
    rank, suit = int(tile[0]), tile[1]
    near = sum(
        rest.count(f"{rank + step}{suit}") * weight
        for step, weight in ((-2, 2), (-1, 3), (0, 5), (1, 3), (2, 2))
    )
    return 10 * near + min(rank, 10 - rank)


def bot_move(played: Round, seat: Seat, rng: Random) -> Reply:
    """A bot's reply to what its seat is asked in a round.

    Raises:
        ValueError: the seat is not asked.
    """
    hint = seen(played, seat)
    if not isinstance(hint, Hint):
        raise ValueError(f"seat {seat} is not asked")
    player = played.table.players[seat]
    return bot_reply(hint, player.hand, len(player.melds), player.void_suit, rng)
