"""Run the flows of a package: from a start or a wait to the next wait or to the end of the match.

Segments return what follows; this loop calls them, so that a long chain of hops needs no deep stack, and counts hops
and settlement restarts against the bound of a submission (contract, section 6, "Bound" and "Settlement").
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Never, cast

from dealwright.runtime.game import TICKS, CardT, Game, PlayerT, TableT, endless
from dealwright.runtime.objects import put
from dealwright.runtime.waits import Hop, Next

if TYPE_CHECKING:
    from dealwright.runtime.package import Package


def advance(
    package: Package[PlayerT, TableT, CardT],
    game: Game[PlayerT, TableT, CardT],
    following: Next,
) -> None:
    """Go on with what a segment returned, until a player is asked or the match is over.

    Raises:
        FlowStopped: the deck is exhausted or the flow is endless.
    """
    node = following.node
    while node is None:
        if not isinstance(following, Hop):
            _settle(package, game)
            return
        segment = _counted(game, following)
        # a hop does not say to which package it belongs, but a package's segments name their own only
        following = cast("Callable[[Game[PlayerT, TableT, CardT]], Next]", segment)(
            game
        )
        node = following.node
    # open the wait for the player whose turn it is (as `seat_at` has it); the seat stays until he acts
    index = game.table.player_index
    asked = package.waits[node][index % len(game.players) if index > 0 else 0]
    game.pending = asked[1]
    game.log.append(asked)


def _counted(
    game: Game[PlayerT, TableT, CardT], hop: Hop[Never]
) -> Callable[[Never], Next | int]:
    """Where a hop leads, counted against the bound."""
    game.ticks += 1
    if game.ticks > TICKS:
        raise endless(hop.flow)
    return hop.flow


def _settled(
    package: Package[PlayerT, TableT, CardT], game: Game[PlayerT, TableT, CardT]
) -> int:
    """The result of the player being settled."""
    result = package.settle(game)
    while isinstance(result, Hop):
        segment = _counted(game, result)
        result = cast(
            "Callable[[Game[PlayerT, TableT, CardT]], int | Hop[Never]]", segment
        )(game)
    return result


def _settle(
    package: Package[PlayerT, TableT, CardT], game: Game[PlayerT, TableT, CardT]
) -> None:
    """The end flow, once for each player unless the flow moves `settlement_index` itself."""
    table = game.table
    seats = len(game.players)
    results: dict[int, int] = {}
    put(table, "settlement_index", 0)
    game.pending = None
    game.settling = True
    while table.settlement_index < seats:
        game.ticks += 1
        if game.ticks > TICKS:
            raise endless(package.settle)
        result = _settled(package, game)
        seat = game.current_player.seat
        results[seat] = result
        game.log.append(("settled", seat, result))
        put(table, "settlement_index", table.settlement_index + 1)
    game.settling = False
    game.results = results
    game.log.append(("finished", [results.get(seat) for seat in range(seats)]))
