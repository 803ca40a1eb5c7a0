"""What people read: tiles, hands and events in words, for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, TypeAlias

from examples.sichuan.tiles import PLACES, Tile

Json: TypeAlias = Any

SUIT_WORDS: Final = {"m": "万 wan", "p": "筒 tong", "s": "条 tiao"}
FAN_WORDS: Final = {
    "GANG": "kong",
    "ROOT": "root",
    "ALL_TRIPLETS": "all triplets",
    "GOLDEN_HOOK": "golden hook",
    "FLUSH": "flush",
    "SEVEN_PAIRS": "seven pairs",
    "GANG_FLOWER": "kong flower",
    "GANG_SHOT": "kong shot",
    "ROB_GANG": "robbed kong",
    "SEABED": "seabed",
}
REASON_WORDS: Final = {
    "WIN": "for the win",
    "KONG": "for the kong",
    "SHOT_REFUND": "the kong is paid back",
}
STATUS_WORDS: Final = {
    "READY": "ready",
    "NOT_READY": "not ready",
    "PASSIVE_PIG": "void suit left",
    "ACTIVE_PIG": "void suit left, fined",
    "WON": "has won",
}
END_WORDS: Final = {
    "THREE_WINNERS": "Three have won.",
    "WALL_EMPTY": "The wall is empty.",
}


def name_of(seat: int, me: int | None) -> str:
    """A seat's name; `me` is the person's own."""
    return "you" if seat == me else f"seat {seat}"


def grouped(tiles: Iterable[Tile]) -> str:
    """Tiles in the short spelling, suit by suit: "46m 789p"."""
    ordered = sorted(tiles, key=PLACES.__getitem__)
    groups = groupby(ordered, key=lambda tile: tile[1])
    return " ".join("".join(tile[0] for tile in group) + suit for suit, group in groups)


def meld_words(meld: Mapping[str, Json]) -> str:
    """A meld: "[555m]"."""
    return f"[{grouped(meld['tiles'])}]"


def changes_words(changes: Sequence[int], me: int | None) -> str:
    """Points won and lost: "seat 0 +3, you -3"."""
    return ", ".join(
        f"{name_of(seat, me)} {change:+d}"
        for seat, change in enumerate(changes)
        if change
    )


def event_words(type: str, payload: Mapping[str, Json], me: int | None) -> str | None:
    """A public event as a line; None for what needs no words."""
    who = name_of(payload.get("seatNo", -1), me)
    source = name_of(payload.get("sourceSeatNo", -1), me)
    tile = payload.get("tile")
    match type:
        case "ROUND_STARTED":
            return f"{name_of(payload['dealerSeatNo'], me)} will begin"
        case "VOID_SUITS_CHOSEN":
            return "void suits: " + ", ".join(
                f"{name_of(seat, me)} {SUIT_WORDS[suit]}"
                for seat, suit in enumerate(payload["suits"])
            )
        case "TILE_DISCARDED":
            return f"{who}: discards {tile}"
        case "ADD_KONG_ATTEMPTED":
            return f"{who}: wants to add {tile} to a pung"
        case "PENG_DECLARED":
            return f"{who}: PENG {meld_words(payload['meld'])} from {source}"
        case "GANG_DECLARED":
            kind = payload["gangKind"].lower()
            return f"{who}: GANG {meld_words(payload['meld'])}, {kind}"
        case "HU_DECLARED":
            how = {
                "SELF_DRAW": "on its own draw",
                "DISCARD": f"from {source}",
                "ROB_KONG": f"robbing the kong of {source}",
            }[payload["winKind"]]
            return f"{who}: HU on {tile}, {how}"
        case "SCORE_CHANGED":
            changed = changes_words(payload["changes"], me)
            return f"  {REASON_WORDS[payload['reason']]}: {changed}"
        case "ROUND_ENDED":
            return END_WORDS.get(payload["reason"], "The round is over.")
        case _:
            return None


def result_lines(payload: Mapping[str, Json], me: int | None) -> list[str]:
    """The settlement, a line for each seat."""
    statuses = payload["statuses"] or [None] * len(payload["totals"])
    lines = []
    for seat, total in enumerate(payload["totals"]):
        status = STATUS_WORDS.get(statuses[seat], "")
        hand = grouped(payload["hands"][seat])
        lines.append(f"{name_of(seat, me):<7} {total:+4d}  {hand}  {status}".rstrip())
    return lines
