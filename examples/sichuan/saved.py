"""A round as JSON, whole, and back: a server writes it at every wait and loses nothing when it goes down.

What is read may come from anywhere: whatever does not fit is refused with "bad_state".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias, TypeVar, get_args

from dealwright.runtime.checks import Misfit, a_list, a_mapping, an_int
from dealwright.runtime.errors import MatchError, shown
from dealwright.runtime.windows import GameMessagePublisher, RuleMode
from examples.sichuan.accounts import REASONS, Accounts, Payment
from examples.sichuan.ending import Status
from examples.sichuan.fans import FANS
from examples.sichuan.hand import GangKind, Meld, MeldKind
from examples.sichuan.round import Phase, Round, Win
from examples.sichuan.rules import TURN_ORDER
from examples.sichuan.table import InTransit, Player, Seat, Table, WinKind
from examples.sichuan.tiles import KINDS, SUITS, WALL, Tile
from examples.sichuan.turns import Turn, moves_of

Json: TypeAlias = dict[str, object]
Fields: TypeAlias = dict[str, object]
Name = TypeVar("Name", bound=str)

PHASES: Final[tuple[Phase, ...]] = get_args(Phase)
MELDS: Final[tuple[MeldKind, ...]] = get_args(MeldKind)
GANGS: Final[tuple[GangKind, ...]] = get_args(GangKind)
WINS: Final[tuple[WinKind, ...]] = get_args(WinKind)
STATUSES: Final[tuple[Status, ...]] = get_args(Status)


def round_json(played: Round) -> Json:
    """Everything that a restart must not lose; never for a player."""
    moved = played.table.transit
    return {
        "roundId": played.round_id,
        "phase": played.phase,
        "dealer": played.dealer,
        "turn": list(played.turn),
        "voids": list(played.voids),
        "version": played.version,
        "deadlineAt": played.deadline_at,
        "kong": played.kong,
        "wins": [list(win) for win in played.wins],
        "statuses": list(played.statuses),
        "end": played.end,
        "wall": list(played.table.wall),
        "river": list(played.table.river),
        "discards": played.table.discards,
        "transit": (
            None
            if moved is None
            else {
                "tile": moved.tile,
                "source": moved.source,
                "isAdded": moved.is_added,
                "isAfterKong": moved.is_after_kong,
                "isLast": moved.is_last,
            }
        ),
        "players": [_player_json(player) for player in played.table.players],
        "payments": [list(payment) for payment in played.accounts.payments],
        "fines": list(played.accounts.fines),
        "kongs": played.accounts.kongs,
        "desk": played.desk.to_json(),
    }


def _player_json(player: Player) -> Json:
    return {
        "hand": list(player.hand),
        "melds": [
            [meld.kind, meld.tile, meld.from_seat, meld.gang_kind]
            for meld in player.melds
        ],
        "voidSuit": player.void_suit,
        "wonTile": player.won_tile,
        "wonItems": list(player.won_items),
        "thrown": list(player.thrown),
    }


def read_round(value: object, mode: RuleMode, publisher: GameMessagePublisher) -> Round:
    """A round that goes on where `round_json` was. Call `time` then.

    Args:
        mode: the mode that it was played by.
        publisher: a new one of the same table; its counters are set to where they were.

    Raises:
        MatchError: "bad_state": it is no such round.
    """
    try:
        fields = _fields(value, "the round")
        played = Round(
            mode,
            _table(fields),
            publisher,
            _seat(fields.get("dealer"), "dealer"),
            _text(fields.get("roundId"), "roundId"),
        )
        played.phase = _one_of(PHASES, fields.get("phase"), "phase")
        played.turn = _turn(fields.get("turn"))
        played.voids = [
            _maybe(SUITS, suit, "voids") for suit in _seated(fields, "voids")
        ]
        played.version = _count(fields.get("version"), "version")
        played.deadline_at = an_int(fields.get("deadlineAt"), "deadlineAt")
        played.kong = _maybe_count(fields.get("kong"), "kong")
        played.wins = [_win(win) for win in a_list(fields.get("wins"), "wins")]
        played.statuses = [
            _one_of(STATUSES, status, "statuses")
            for status in a_list(fields.get("statuses"), "statuses")
        ]
        end = fields.get("end")
        played.end = None if end is None else _text(end, "end")
        played.accounts = _accounts(fields)
        played.desk.restore(fields.get("desk"))
        _check_phase(played)
    except Misfit as error:
        raise MatchError("bad_state", f"the round does not fit: {error}") from None
    if played.phase == "TURN":
        played.moves = tuple(moves_of(played.table, played.turn))
    return played


def _check_phase(played: Round) -> None:
    """What the round waits for must be there."""
    if played.desk.is_open != (played.phase == "CLAIM"):
        raise Misfit("a window is open exactly while claims are awaited")
    if (played.table.transit is not None) != (played.phase == "CLAIM"):
        raise Misfit("a tile is in transit exactly while claims are awaited")
    if (played.end is not None) != (played.phase == "OVER"):
        raise Misfit("a round that is over says why, and no other does")
    hand = played.table.players[played.turn.seat].hand
    if played.phase == "TURN" and (
        len(hand) % 3 != 2 or played.turn.drawn not in (None, *hand)
    ):
        raise Misfit("the seat to move must have a tile to discard")


def _table(fields: Fields) -> Table:
    players = [_player(each) for each in _seated(fields, "players")]
    table = Table(
        players,
        _tiles(fields.get("wall"), "wall"),
        _tiles(fields.get("river"), "river"),
        _count(fields.get("discards"), "discards"),
        _transit(fields.get("transit")),
    )
    held: list[Tile] = [*table.wall, *table.river]
    if table.transit is not None:
        held.append(table.transit.tile)
    for player in players:
        held += player.hand
        held += [tile for meld in player.melds for tile in meld.tiles]
    if sorted(held) != sorted(WALL):
        raise Misfit("every tile must be there four times")
    return table


def _player(value: object) -> Player:
    fields = _fields(value, "a player")
    return Player(
        _tiles(fields.get("hand"), "hand"),
        [_meld(meld) for meld in a_list(fields.get("melds"), "melds")],
        _maybe(SUITS, fields.get("voidSuit"), "voidSuit"),
        _maybe(KINDS, fields.get("wonTile"), "wonTile"),
        [
            _one_of(tuple(FANS), item, "wonItems")
            for item in a_list(fields.get("wonItems"), "wonItems")
        ],
        _tiles(fields.get("thrown"), "thrown"),
    )


def _meld(value: object) -> Meld:
    kind, tile, source, gang_kind = _row(value, 4, "a meld")
    return Meld(
        _one_of(MELDS, kind, "a meld"),
        _one_of(KINDS, tile, "a meld"),
        _seat(source, "a meld"),
        _maybe(GANGS, gang_kind, "a meld"),
    )


def _transit(value: object) -> InTransit | None:
    if value is None:
        return None
    fields = _fields(value, "transit")
    flags = [fields.get(name) for name in ("isAdded", "isAfterKong", "isLast")]
    if not all(type(flag) is bool for flag in flags):
        raise Misfit("transit has three flags")
    return InTransit(
        _one_of(KINDS, fields.get("tile"), "transit"),
        _seat(fields.get("source"), "transit"),
        *map(bool, flags),
    )


def _turn(value: object) -> Turn:
    seat, drawn, kong = _row(value, 3, "turn")
    return Turn(
        _seat(seat, "turn"), _maybe(KINDS, drawn, "turn"), _maybe_count(kong, "turn")
    )


def _win(value: object) -> Win:
    seat, source, kind, worth, moment = _row(value, 5, "a win")
    return Win(
        _seat(seat, "a win"),
        _seat(source, "a win"),
        _one_of(WINS, kind, "a win"),
        _count(worth, "a win"),
        _count(moment, "a win"),
    )


def _accounts(fields: Fields) -> Accounts:
    payments = []
    for value in a_list(fields.get("payments"), "payments"):
        reason, payer, payee, amount, kong = _row(value, 5, "a payment")
        payments.append(
            Payment(
                _one_of(REASONS, reason, "a payment"),
                _seat(payer, "a payment"),
                _seat(payee, "a payment"),
                _count(amount, "a payment"),
                _maybe_count(kong, "a payment"),
            )
        )
    fines = [_count(fine, "fines") for fine in _seated(fields, "fines")]
    kongs = _count(fields.get("kongs"), "kongs")
    return Accounts(len(TURN_ORDER), payments, fines, kongs)


# small checks


def _fields(value: object, where: str) -> Fields:
    return {str(name): item for name, item in a_mapping(value, where).items()}


def _row(value: object, length: int, where: str) -> list[object]:
    row = a_list(value, where)
    if len(row) != length:
        raise Misfit(f"{where} has {length} parts")
    return row


def _seated(fields: Fields, name: str) -> list[object]:
    return _row(fields.get(name), len(TURN_ORDER), name)


def _one_of(names: Iterable[Name], value: object, where: str) -> Name:
    for name in names:
        if value == name:
            return name
    raise Misfit(f"{where}: {shown(value)} is none of what there is")


def _maybe(names: Iterable[Name], value: object, where: str) -> Name | None:
    return None if value is None else _one_of(names, value, where)


def _tiles(value: object, where: str) -> list[Tile]:
    return [_one_of(KINDS, tile, where) for tile in a_list(value, where)]


def _text(value: object, where: str) -> str:
    if type(value) is not str:
        raise Misfit(f"{where} must be a text, not {shown(value)}")
    return value


def _count(value: object, where: str) -> int:
    number = an_int(value, where)
    if number < 0:
        raise Misfit(f"{where} must not be negative")
    return number


def _maybe_count(value: object, where: str) -> int | None:
    return None if value is None else _count(value, where)


def _seat(value: object, where: str) -> Seat:
    seat = an_int(value, where)
    if seat not in TURN_ORDER:
        raise Misfit(f"{where}: there is no seat {shown(value)}")
    return seat
