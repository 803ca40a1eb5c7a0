"""A round through the hint protocol: what each seat is asked and may see, and its reply carried out.

A tile of one's hand has a number, four times the place of its kind in `KINDS` and then which of its copies it is, so that
equal tiles are told apart and the number says which tile it is. Nobody gets numbers of other hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Final, TypeAlias

from dealwright.runtime.hints import (
    Hint,
    Method,
    NoDecision,
    Question,
    Refusal,
    Reply,
    Validator,
    Watching,
    confirm,
    discard,
    encode,
    fix_cards,
    method,
    select_region,
)
from dealwright.runtime.hints.reply import sent_seq
from dealwright.runtime.windows.as_hints import reply_of, seen_by
from examples.sichuan.round import MoveRefused, Round
from examples.sichuan.table import Seat
from examples.sichuan.tiles import COPIES, KINDS, PLACES, SUITS, Tile
from examples.sichuan.turns import Move

Seen: TypeAlias = Hint | Watching | NoDecision
Json: TypeAlias = dict[str, object]

KONG: Final = "GANG "
"""The methods of kongs in one's turn start so; the tile follows."""


def numbers_of(tiles: Iterable[Tile]) -> list[int]:
    """The numbers of these tiles of one hand, copies counted from 0."""
    met: Counter[Tile] = Counter()
    numbers = []
    for tile in tiles:
        numbers.append(PLACES[tile] * COPIES + met[tile])
        met[tile] += 1
    return numbers


def tile_of(number: int) -> Tile:
    """The tile that has a number."""
    return KINDS[number // COPIES]


def number_of(played: Round) -> int:
    """The number of what is asked now. It counts turns and their windows, which everybody sees, and nothing else."""
    return 2 * played.version + (2 if played.phase == "CLAIM" else 1)


def seen(played: Round, seat: Seat | None) -> Seen:
    """What a seat, or somebody who only watches (None), may see of what is asked now."""
    if played.phase == "OVER":
        return NoDecision(True)
    number = number_of(played)
    if played.phase == "CLAIM":
        window = played.desk.window
        assert window is not None
        view = seen_by(window, seat, lambda _, claimed: numbers_of(map(str, claimed)))
        return replace(view, seq=number) if isinstance(view, Hint) else view
    if played.phase == "VOID":
        asked = tuple(at for at, suit in enumerate(played.voids) if suit is None)
        if seat not in asked:
            return Watching("region", asked)
        return Hint(asked, select_region(SUITS), number, played.deadline_at)
    asked = (played.turn.seat,)
    if seat not in asked:
        return Watching("discard", asked)
    return Hint(asked, _turn_question(played), number, played.deadline_at)


def hint(played: Round, seat: Seat | None, dialect: str = "spec") -> Json:
    """`seen` as JSON."""
    return encode(seen(played, seat), dialect)


def answer(
    played: Round, seat: Seat, body: object, now: int, reply_id: str = ""
) -> Json:
    """Take a seat's reply to what it is asked, and say what goes back to it. One that names its hint is held to it.

    Args:
        seat: whose session it came by.
        body: the reply, any JSON value.
        reply_id: the client's name for it, for windows.
    """
    played.time(now)
    view = seen(played, seat)
    if isinstance(view, NoDecision):
        refusal = Refusal("no_decision", (), view.reason)
        return refusal.to_json("spec", encode(view))
    if isinstance(view, Watching):
        refusal = Refusal("player_forbidden", ("token",), "you are not asked")
        return refusal.to_json("spec", encode(view))
    if sent_seq(body) not in (None, view.seq):
        # sent twice, or overtaken by the clock: it must not answer the question that came after
        stale = Refusal("stale_hint", ("meta", "seq"), "that hint is no longer open")
        return stale.to_json("spec", encode(view))
    judged = Validator(view.question).check(body)
    if isinstance(judged, Refusal):
        return judged.to_json("spec", encode(view))
    carry_out(played, seat, judged, now, reply_id)
    return {"code": 200}


def carry_out(
    played: Round, seat: Seat, reply: Reply, now: int, reply_id: str = ""
) -> None:
    """Do what a reply says that the seat's hint allows.

    Raises:
        MoveRefused: the seat is not asked that now.
    """
    if played.phase == "VOID":
        played.choose_void(seat, reply.name, now)
    elif played.phase == "TURN":
        played.act(seat, _move(played, reply), now, reply_id)
    elif played.phase == "CLAIM" and played.desk.window is not None:
        played.claim(reply_of(played.desk.window, seat, reply, reply_id), now)
    else:
        raise MoveRefused("the round is over")


def _turn_question(played: Round) -> Question:
    """Win, kongs, and one tile to discard."""
    hand = played.table.players[played.turn.seat].hand
    moves = played.moves
    methods: list[Method] = []
    for kind, tile in moves:
        if kind == "HU":
            methods.append(confirm("HU"))
        elif kind == "GANG":
            cards = numbers_of([tile] * hand.count(tile))
            methods.append(method(KONG + tile, fix_cards(len(cards), cards)))
    free = {move.tile for move in moves if move.kind == "DISCARD"}
    cards = sorted(numbers_of(tile for tile in hand if tile in free))
    methods.append(method("discard", fix_cards(1, cards)))
    return discard(methods)


def _move(played: Round, reply: Reply) -> Move:
    if reply.name == "HU":
        return Move("HU", played.turn.drawn or "")
    if reply.name.startswith(KONG):
        return Move("GANG", reply.name.removeprefix(KONG))
    return Move("DISCARD", tile_of(reply.cards[0]))
