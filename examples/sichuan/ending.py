"""When the wall is empty: who still holds the void suit (花猪), who is ready (查叫), and which kongs are paid back (退税).

Seats that have won are out of it: they neither pay nor receive here, not even what a kong of somebody else took from them.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from examples.sichuan.accounts import Accounts
from examples.sichuan.fans import fan_items, points
from examples.sichuan.hand import is_void_free
from examples.sichuan.table import Player, Seat, Table

PIG_FINE: Final = 24
"""What an active pig loses, to nobody."""

Status: TypeAlias = Literal["READY", "NOT_READY", "PASSIVE_PIG", "ACTIVE_PIG", "WON"]


def status_of(player: Player) -> Status:
    """How a seat stands when the wall is empty.

    A pig that never discarded anything but its void suit could not help it (passive); one that did could (active).
    """
    if player.has_won:
        return "WON"
    if not is_void_free(player.hand, player.melds, player.void_suit):
        is_passive = all(tile[1] == player.void_suit for tile in player.thrown)
        return "PASSIVE_PIG" if is_passive else "ACTIVE_PIG"
    return "READY" if best_win(player) is not None else "NOT_READY"


def best_win(player: Player) -> int | None:
    """The points of the best win that a seat waits for, however it might come; None if it waits for none."""
    table = Table([player], [])
    wins = [
        points(fan_items([*player.hand, tile], player.melds))
        for tile in table.waits_of(0)
    ]
    return max(wins, default=None)


def settle_end(table: Table, accounts: Accounts) -> list[Status]:
    """Book what an empty wall costs whom.

    Returns:
        How each seat stood.
    """
    statuses = [status_of(player) for player in table.players]
    playing = [seat for seat, status in enumerate(statuses) if status != "WON"]
    if len({statuses[seat] for seat in playing}) == 1 and not any(
        "PIG" in statuses[seat] for seat in playing
    ):
        return statuses
    late = [seat for seat in playing if statuses[seat] != "READY"]
    for seat in late:
        if statuses[seat] == "ACTIVE_PIG":
            accounts.fines[seat] += PIG_FINE
    for seat in late:
        _check_ready(table, accounts, seat, statuses)
    for seat in late:
        for number in accounts.kongs_of(seat):
            accounts.give_back(number, "KONG_REFUND", playing)
    return statuses


def _check_ready(
    table: Table, accounts: Accounts, payer: Seat, statuses: list[Status]
) -> None:
    """A seat that is not ready pays each that is what that one's best win would have brought."""
    for payee, player in enumerate(table.players):
        best = best_win(player) if statuses[payee] == "READY" else None
        if best is not None:
            accounts.pay("READY_CHECK", payer, payee, best)
