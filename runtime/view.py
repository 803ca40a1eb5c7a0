"""A match as one seat may see it.

What is in a view is listed here field by field, never copied from the whole state: a field that is added to the match
stays hidden until somebody writes it here. No hand but the seat's own, no order of the deck, no generator, no seed.
"""

from __future__ import annotations

from dealwright.runtime.events import PlayerId, card_json, previous_json
from dealwright.runtime.game import CardT, Game, PlayerT, TableT


def view_of(
    rule: str, game: Game[PlayerT, TableT, CardT], ids: tuple[PlayerId, ...], seat: int
) -> dict[str, object]:
    """The match as the player at `seat` may see it, as JSON types.

    `event` is the number of the next event: what `take_events` gives from that number on is not in the view yet.
    """
    results = game.results
    return {
        "rule": rule,
        "seat": seat,
        "ids": list(ids),
        "hand": [card_json(card) for card in game.hands[seat]],
        "hands": [len(hand) for hand in game.hands],
        "deck": len(game.deck),
        "discard": [card_json(card) for card in game.discard],
        "table": game.table.values(),
        "players": [player.values() for player in game.players],
        "pending": None if game.pending is None else game.pending.to_json(),
        "latest": [card.id for card in game.latest],
        "previous": previous_json(game.previous),
        "results": (
            None
            if results is None
            else [results.get(place) for place in range(len(ids))]
        ),
        "aborted": game.aborted,
        "event": game.log_start + len(game.log),
    }
