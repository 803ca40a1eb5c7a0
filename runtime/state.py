"""A match as JSON and back.

The state is saved at waits only, where no local of a flow is alive: the node of the wait says where to go on. It holds
card numbers instead of cards, and card properties only for rules that assign them. Reading a state trusts nothing: a
state that is damaged, forged or from another rule is refused with a sentence that names the field.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Final

from dealwright.runtime.asked import HINTS
from dealwright.runtime.checks import (
    Misfit,
    a_list,
    a_mapping,
    an_int,
    each_once,
    int_lists,
    ints,
    is_text,
    player_ids,
    properties,
    property_rows,
    some_once,
)
from dealwright.runtime.errors import MatchError, shown
from dealwright.runtime.events import PlayerId, previous_json
from dealwright.runtime.game import CardT, Game, PlayerT, TableT, seat_at
from dealwright.runtime.objects import AssignableCard
from dealwright.runtime.play import Play
from dealwright.runtime.record import read_record
from dealwright.runtime.shuffle import MASK
from dealwright.runtime.waits import Wait

if TYPE_CHECKING:
    from dealwright.runtime.package import Package

FIELDS: Final = frozenset(
    {
        "rule",
        "ids",
        "seed",
        "generator",
        "event",
        "hands",
        "deck",
        "discard",
        "table",
        "players",
        "cards",
        "latest",
        "previous",
        "skipped",
        "pending",
        "results",
        "aborted",
        "actions",
    }
)
PLAY_FIELDS: Final = frozenset({"seat", "cardset_id", "cardset", "cards", "properties"})


def state_of(
    package: Package[PlayerT, TableT, CardT],
    game: Game[PlayerT, TableT, CardT],
    ids: tuple[PlayerId, ...],
    seed: int,
) -> dict[str, object]:
    """Everything that is needed to go on, as JSON types; nothing in it is shared with the match."""
    wait = game.pending
    results = game.results
    return {
        "rule": package.name,
        "ids": list(ids),
        "seed": seed,
        "generator": game.generator,
        "event": game.log_start + len(game.log),
        "hands": [[card.id for card in hand] for hand in game.hands],
        "deck": [card.id for card in game.deck],
        "discard": [card.id for card in game.discard],
        "table": game.table.values(),
        "players": [player.values() for player in game.players],
        "cards": (
            [card.values() for card in game.cards] if package.assigns_cards else None
        ),
        "latest": [card.id for card in game.latest],
        "previous": previous_json(game.previous),
        "skipped": (
            [seat for seat in range(len(ids)) if game.skipped >> seat & 1]
            if game.skipped
            else []
        ),
        "pending": None if wait is None else {"node": wait.node, "seat": wait.seat},
        "results": (
            None if results is None else [results.get(seat) for seat in range(len(ids))]
        ),
        "aborted": game.aborted,
        "actions": game.record.to_json(),
    }


def read_state(
    package: Package[PlayerT, TableT, CardT], state: object
) -> tuple[Game[PlayerT, TableT, CardT], tuple[PlayerId, ...], int]:
    """The game, the ids and the seed of a saved state.

    Raises:
        MatchError: "bad_state", saying which field does not fit the package and why.
    """
    try:
        fields = a_mapping(state, "the state")
        if fields.keys() - {HINTS} != FIELDS:
            odd = sorted(map(shown, fields.keys() - {HINTS} ^ FIELDS))
            raise Misfit(f"the field {odd[0]} is missing or unknown")
        if type(fields["rule"]) is not str or fields["rule"] != package.name:
            raise Misfit(
                f"it is of the rule {shown(fields['rule'])}, not {shown(package.name)}"
            )
        ids = player_ids(a_list(fields["ids"], "ids"), package.players, package.name)
        game = package.empty_game(len(ids))
        seed = an_int(fields["seed"], "seed")
        _read_objects(package, game, fields)
        _read_cards(package, game, fields)
        _read_course(package, game, fields)
    except (Misfit, MatchError) as error:
        sentence = error.sentence if isinstance(error, MatchError) else str(error)
        raise MatchError(
            "bad_state", f"the state does not fit: {sentence}", package.name
        ) from None
    except Exception as error:
        # what JSON gives cannot fail so, but other mappings and lists may do anything
        raise MatchError(
            "bad_state", "the state does not fit: it cannot be read", package.name
        ) from error
    game.attach()
    return game, ids, seed


def _read_objects(
    package: Package[PlayerT, TableT, CardT],
    game: Game[PlayerT, TableT, CardT],
    fields: Mapping[object, object],
) -> None:
    """Table, players and, where the rule assigns them, card properties."""
    game.table.restore(properties(fields["table"], package.table_start, "table"))
    players = a_list(fields["players"], "players")
    if len(players) != len(game.players):
        raise Misfit(
            f"players has {len(players)} entries for {len(game.players)} players"
        )
    rows = property_rows(players, package.player_start, "players")
    for player, row in zip(game.players, rows, strict=True):
        player.restore(row)
    if not package.assigns_cards:
        if fields["cards"] is not None:
            raise Misfit("cards must be null, since the rule assigns no card property")
        return
    cards = a_list(fields["cards"], "cards")
    if len(cards) != len(game.cards):
        raise Misfit(f"cards has {len(cards)} entries for {len(game.cards)} cards")
    rows = property_rows(cards, package.cards[0].values(), "cards")
    for card, row in zip(game.cards, rows, strict=True):
        if isinstance(card, AssignableCard):
            card.restore(row)


def _read_cards(
    package: Package[PlayerT, TableT, CardT],
    game: Game[PlayerT, TableT, CardT],
    fields: Mapping[object, object],
) -> None:
    """Where each card is."""
    hands = int_lists(fields["hands"], "a hand", "hands")
    if len(hands) != len(game.players):
        raise Misfit(f"hands has {len(hands)} entries for {len(game.players)} players")
    deck = ints(fields["deck"], "deck")
    discard = ints(fields["discard"], "discard")
    latest = ints(fields["latest"], "latest")
    each_once(
        [*deck, *discard, *chain.from_iterable(hands)], len(game.cards), "the cards"
    )
    game.place(hands, deck, discard)
    package.check_hand_sizes(game)
    if latest:
        some_once(latest, discard, "latest")
        game.latest = game.numbered(latest)


def _read_course(
    package: Package[PlayerT, TableT, CardT],
    game: Game[PlayerT, TableT, CardT],
    fields: Mapping[object, object],
) -> None:
    """How far the match has come."""
    seats = len(game.players)
    game.generator = an_int(fields["generator"], "generator")
    game.log_start = an_int(fields["event"], "event")
    if not 0 <= game.generator <= MASK or game.log_start < 0:
        raise Misfit(
            "generator must have 64 bits at most, and event must not be negative"
        )
    if fields["previous"] is not None:
        game.previous = _read_previous(package, game, fields)
    if game.latest and (game.previous is None or game.latest != game.previous[1].cards):
        raise Misfit("latest is neither empty nor the cards of the previous play")
    skipped = ints(fields["skipped"], "skipped")
    if skipped:
        if (
            game.previous is None
            or skipped != sorted(set(skipped))
            or not 0 <= skipped[0] <= skipped[-1] < seats
        ):
            raise Misfit(
                "skipped must list seats in order, and nobody where there is no previous play"
            )
        if game.previous[0] in skipped:
            raise Misfit("skipped names the seat that made the previous play")
        game.skipped = sum(1 << seat for seat in skipped)
    game.record = read_record(fields["actions"], seats, len(game.cards))
    read_end(package, game, fields)


def read_end(
    package: Package[PlayerT, TableT, CardT],
    game: Game[PlayerT, TableT, CardT],
    fields: Mapping[object, object],
) -> None:
    """The wait, or how the match ended: exactly one of them."""
    pending, results, aborted = fields["pending"], fields["results"], fields["aborted"]
    if sum(one is not None for one in (pending, results, aborted)) != 1:
        raise Misfit("exactly one of pending, results and aborted must be there")
    seats = len(game.players)
    if pending is not None:
        wait = a_mapping(pending, "pending")
        if wait.keys() != {"node", "seat"}:
            raise Misfit("pending must have node and seat and nothing else")
        seat = an_int(wait["seat"], "pending.seat")
        if not 0 <= seat < seats:
            raise Misfit(f"pending.seat is {shown(seat)} of {seats} players")
        if seat != seat_at(game.table.player_index, seats):
            raise Misfit("pending.seat is not the seat of the table's player_index")
        game.pending = wait_at(package, wait["node"], seat)
    elif results is not None:
        listed = a_list(results, "results")
        if len(listed) != seats:
            raise Misfit(f"results has {len(listed)} entries for {seats} players")
        game.results = {
            seat: an_int(result, f"results[{seat}]")
            for seat, result in enumerate(listed)
            if result is not None
        }
    elif is_text(aborted):
        game.aborted = aborted
    else:
        raise Misfit(f"aborted must be the reason, not {shown(aborted)}")


def wait_at(package: Package[PlayerT, TableT, CardT], node: object, seat: int) -> Wait:
    """The wait of the package at `node` for `seat`."""
    waits = package.waits.get(node) if type(node) is str else None
    if waits is None:
        raise Misfit(f"the rule waits at no node {shown(node)}")
    return waits[seat][1]


def _read_previous(
    package: Package[PlayerT, TableT, CardT],
    game: Game[PlayerT, TableT, CardT],
    fields: Mapping[object, object],
) -> tuple[int, Play[CardT]]:
    """The previous play: a cardset that the package knows, with its properties and a number of cards that it can have."""
    given = a_mapping(fields["previous"], "previous")
    if given.keys() != PLAY_FIELDS:
        raise Misfit(
            "previous must have seat, cardset_id, cardset, cards and properties and nothing else"
        )
    seat = an_int(given["seat"], "previous.seat")
    if not 0 <= seat < len(game.players):
        raise Misfit(f"previous.seat is {shown(seat)} of {len(game.players)} players")
    numbers = ints(given["cards"], "previous.cards")
    if not numbers:
        raise Misfit("previous.cards is empty")
    some_once(numbers, [card.id for card in game.discard], "previous.cards")
    id, name = given["cardset_id"], given["cardset"]
    if type(id) is not str or type(name) is not str:
        raise Misfit("previous.cardset_id and previous.cardset must be strings")
    values: dict[str, int] = {}
    for key, value in a_mapping(given["properties"], "previous.properties").items():
        if not is_text(key):
            raise Misfit(f"previous.properties has the key {shown(key)}")
        values[key] = an_int(value, f"previous.properties.{shown(key)}")
    package.check_cardset(id, name, values, len(numbers))
    return seat, package.play(id, name, game.numbered(numbers), values)
