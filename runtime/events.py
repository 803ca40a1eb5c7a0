"""What happened in a match: short tuples while it happens, `Event` objects once somebody asks.

Most events of most matches are never looked at one by one, so the match logs tuples (`Entry`) and this module turns
them into public events on demand. Everything that may change later, such as the properties of a card that the rule
assigns, is put into the tuple when it is logged. Events are numbered from 0 over the whole match; who may see one is
its audience (contract, section 6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never, final

from dealwright.runtime.objects import (
    Assignable,
    Assigned,
    Audience,
    CardBase,
    PlayerBase,
    TableBase,
)
from dealwright.runtime.play import Play
from dealwright.runtime.waits import Wait

EventKind: TypeAlias = Literal[
    "started",
    "dealt",
    "shuffled",
    "asked",
    "played",
    "skipped",
    "chose",
    "assigned",
    "settled",
    "finished",
    "aborted",
]
PlayerId: TypeAlias = str | int
Faces: TypeAlias = (
    tuple[dict[str, int], ...] | None
)  # None: the cards never change, read them when asked

Started: TypeAlias = tuple[Literal["started"], tuple[PlayerId, ...]]
Counted: TypeAlias = tuple[Literal["counted"], int, int]  # seats, cards for each
Dealt: TypeAlias = tuple[Literal["dealt"], int, CardBase, Faces]
Shuffled: TypeAlias = tuple[Literal["shuffled"], int]
Asked: TypeAlias = tuple[Literal["asked"], Wait]
Played: TypeAlias = tuple[Literal["played"], int, Play[CardBase], Faces]
Skipped: TypeAlias = tuple[Literal["skipped"], int]
Chose: TypeAlias = tuple[Literal["chose"], int, int]
Settled: TypeAlias = tuple[Literal["settled"], int, int]
Finished: TypeAlias = tuple[Literal["finished"], list[int | None]]
Aborted: TypeAlias = tuple[Literal["aborted"], str]
Entry: TypeAlias = (
    "Started | Counted | Dealt | Shuffled | Asked | Played | Skipped | Chose | Assigned | Settled | Finished | Aborted"
)


@final
@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened.

    Attributes:
        number: its place among all events of the match, from 0; a seat sees gaps where others' events were.
        kind: what happened.
        seat: whom it is about, if one player.
        fields: the rest, JSON types only.
        audience: who may see it: everybody, that seat alone, or no player at all.
    """

    number: int
    kind: EventKind
    seat: int | None
    fields: Mapping[str, object]
    audience: Audience

    def to_json(self) -> dict[str, object]:
        """The event as JSON types."""
        return {
            "number": self.number,
            "kind": self.kind,
            "seat": self.seat,
            "fields": dict(self.fields),
            "audience": self.audience,
        }


def visible(entry: Entry, seat: int) -> bool:
    """Whether the player at `seat` may see `entry`: a dealt card is its owner's alone."""
    if entry[0] == "dealt":
        return entry[1] == seat
    if entry[0] == "assigned":
        return entry[1] == "all" or (entry[1] == "seat" and entry[2] == seat)
    return True


def public(number: int, entry: Entry) -> Event:
    """The event that `entry` stands for."""
    if entry[0] == "assigned":
        _, audience, seat, target, attribute, _, value = entry
        name = target.RESPELLED.get(attribute, attribute)
        fields: dict[str, object] = {
            "object": object_name(target),
            "property": name,
            "value": value,
        }
        return Event(number, "assigned", seat, fields, audience)
    if entry[0] == "dealt":
        _, owner, card, faces = entry
        return Event(
            number, "dealt", owner, card_json(card, faces[0] if faces else None), "seat"
        )
    if entry[0] == "counted":
        return Event(number, "dealt", None, {"counts": [entry[2]] * entry[1]}, "all")
    if entry[0] == "asked":
        wait = entry[1]
        return Event(number, "asked", wait.seat, wait.to_json(), "all")
    if entry[0] == "played":
        return Event(
            number, "played", entry[1], _play_fields(entry[2], entry[3]), "all"
        )
    return _plain(number, entry)


def _plain(
    number: int,
    entry: Started | Shuffled | Skipped | Chose | Settled | Finished | Aborted,
) -> Event:
    """Events that everybody sees and that say no more than their tuple."""
    match entry[0]:
        case "started":
            return Event(number, "started", None, {"ids": list(entry[1])}, "all")
        case "shuffled":
            return Event(number, "shuffled", None, {"count": entry[1]}, "all")
        case "skipped":
            return Event(number, "skipped", entry[1], {}, "all")
        case "chose":
            return Event(number, "chose", entry[1], {"value": entry[2]}, "all")
        case "settled":
            return Event(number, "settled", entry[1], {"result": entry[2]}, "all")
        case "finished":
            return Event(number, "finished", None, {"results": list(entry[1])}, "all")
        case "aborted":
            return Event(number, "aborted", None, {"reason": entry[1]}, "all")
        case _ as never:
            assert_never(never)


def _play_fields(play: Play[CardBase], faces: Faces) -> dict[str, object]:
    """A play as everybody sees it: the faces of the cards as they were when it was made."""
    cards = play.cards
    return {
        "cards": [
            card_json(card, faces[index] if faces else None)
            for index, card in enumerate(cards)
        ],
        "cardset": play.cardset,
        "cardset_id": play.id,
        "properties": dict(play.properties),
    }


def card_json(card: CardBase, face: dict[str, int] | None = None) -> dict[str, object]:
    """A card that may be seen: its number and its properties, now or as they were (`face`)."""
    return {"card": card.id, "properties": card.values() if face is None else face}


def object_name(target: Assignable) -> str:
    """The rule language's name of an object: `table_0`, `player_N`, `card_N`."""
    if isinstance(target, PlayerBase):
        return f"player_{target.seat}"
    if isinstance(target, TableBase):
        return "table_0"
    return f"card_{target.id}"
