"""What happened in a match: short tuples while it happens, `Event` objects once somebody looks.

Most events of most matches are never looked at one by one, so the match logs tuples (`Entry`), an `Event` is one with a
number, and what it tells is written out only when it is read. Everything that may change later, such as the properties
of a card that the rule assigns, is put into the tuple when it is logged. Events are numbered from 0 over the whole
match; who may see one is its audience (contract, section 6). Entries also hold what an undone action needs (`game.py`)
and never tell: what was before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import starmap
from typing import Literal, NamedTuple, TypeAlias, assert_never, final, overload

from dealwright.runtime.objects import (
    Audience,
    CardAssigned,
    CardBase,
    PlayerAssigned,
    TableAssigned,
)
from dealwright.runtime.play import Play
from dealwright.runtime.waits import Asked

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
Sizes: TypeAlias = tuple[tuple[int, int], ...]  # of each hand, and its 手牌数


class Told(NamedTuple):
    """What an event tells besides its number."""

    kind: EventKind
    seat: int | None
    fields: Mapping[str, object]
    audience: Audience


Started: TypeAlias = tuple[Literal["started"], tuple[PlayerId, ...]]
# seats, cards for each, how it was before
Counted: TypeAlias = tuple[Literal["counted"], int, int, Sizes]
Dealt: TypeAlias = tuple[Literal["dealt"], int, CardBase, Faces]
Shuffled: TypeAlias = tuple[Literal["shuffled"], int]
Played: TypeAlias = tuple[Literal["played"], int, Play[CardBase], Faces]
Skipped: TypeAlias = tuple[Literal["skipped"], int]
Chose: TypeAlias = tuple[Literal["chose"], int, int]
Settled: TypeAlias = tuple[Literal["settled"], int, int]
Finished: TypeAlias = tuple[Literal["finished"], list[int | None]]
Aborted: TypeAlias = tuple[Literal["aborted"], str]
WrittenOut: TypeAlias = tuple[Literal["told"], Told]
Assigned: TypeAlias = "TableAssigned | PlayerAssigned | CardAssigned"
Plain: TypeAlias = Started | Shuffled | Skipped | Chose | Settled | Finished | Aborted
Entry: TypeAlias = "Plain | Counted | Dealt | Asked | Played | WrittenOut | Assigned"


@final
class Event:
    """Something that happened. It never changes.

    Attributes:
        number: its place among all events of the match, from 0; a seat sees gaps where others' events were.
        kind: what happened.
        seat: whom it is about, if one player.
        fields: the rest, JSON types only.
        audience: who may see it: everybody, that seat alone, or no player at all.
    """

    # no dataclass: one is made for each event that is read, and a frozen one takes three times as long
    __slots__ = ("_entry", "_number")

    def __init__(self, number: int, entry: Entry) -> None:
        self._number = number
        self._entry = entry

    @property
    def number(self) -> int:
        return self._number

    @property
    def kind(self) -> EventKind:
        return self._told()[1].kind

    @property
    def seat(self) -> int | None:
        return self._told()[1].seat

    @property
    def fields(self) -> Mapping[str, object]:
        return self._told()[1].fields

    @property
    def audience(self) -> Audience:
        return self._told()[1].audience

    def to_json(self) -> dict[str, object]:
        """The event as JSON types."""
        kind, seat, fields, audience = self._told()[1]
        return {
            "number": self._number,
            "kind": kind,
            "seat": seat,
            "fields": dict(fields),
            "audience": audience,
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Event):
            return NotImplemented
        return self._number == other._number and self._told() == other._told()

    __hash__ = None  # type: ignore[assignment]  # its fields have none

    def __reduce__(self) -> tuple[type[Event], tuple[int, WrittenOut]]:
        """A copy, or a pickle for another process, takes along what the event tells and nothing of the match."""
        return Event, (self._number, self._told())

    def __repr__(self) -> str:
        return f"Event(number={self._number}, {repr(self._told()[1])[5:]}"

    def _told(self) -> WrittenOut:
        """What it tells: written out once, and from then on without a hold on anything of the match."""
        if self._entry[0] == "told":
            return self._entry
        written: WrittenOut = ("told", told(self._entry))
        self._entry = written
        return written


@final
class Events(Sequence[Event]):
    """Events in the order of their numbers, to be read like a list; it is made when somebody looks for the first time.

    A match logs some five for each action, and making an `Event` of each is a tenth of what an action takes. Sums and
    slices are lists, and it equals the list of its events.
    """

    __slots__ = ("_events",)

    def __init__(self, entries: Iterator[tuple[int, Entry]]) -> None:
        # what they are made from, as long as nobody has looked
        self._events: Iterator[tuple[int, Entry]] | list[Event] = entries

    def _listed(self) -> list[Event]:
        events = self._events
        if not isinstance(events, list):
            self._events = events = list(starmap(Event, events))
        return events

    def to_json(self) -> list[dict[str, object]]:
        """The events as JSON types."""
        return [event.to_json() for event in self._listed()]

    def __len__(self) -> int:
        return len(self._listed())

    def __iter__(self) -> Iterator[Event]:
        return iter(self._listed())

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        return self._listed()[index]

    def __add__(self, others: Iterable[Event]) -> list[Event]:
        return [*self._listed(), *others]

    def __radd__(self, others: Iterable[Event]) -> list[Event]:
        return [*others, *self._listed()]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Events):
            return self._listed() == other._listed()
        return self._listed() == other

    __hash__ = None  # type: ignore[assignment]  # as a list

    def __reduce__(self) -> tuple[type[list[Event]], tuple[list[Event]]]:
        """A copy, or a pickle for another process, is a list."""
        return list, (self._listed(),)

    def __repr__(self) -> str:
        return repr(self._listed())


def visible(entry: Entry, seat: int) -> bool:
    """Whether the player at `seat` may see `entry`: a dealt card is its owner's alone."""
    if entry[0] == "dealt":
        return entry[1] == seat
    if entry[0] == "card":
        return entry[1] == "all" or (entry[1] == "seat" and entry[2] == seat)
    return True


def told(entry: Entry) -> Told:
    """What the event that `entry` stands for tells."""
    if entry[0] == "table":
        _, owner, attribute, _, value = entry
        return _assigned("table_0", owner.RESPELLED, attribute, value)
    if entry[0] == "player":
        _, kind, seat, attribute, _, value = entry
        return _assigned(f"player_{seat}", kind.RESPELLED, attribute, value)
    if entry[0] == "card":
        _, audience, owner_seat, card, attribute, _, value = entry
        name = f"card_{card.id}"
        about = _assigned(name, card.RESPELLED, attribute, value)
        return about._replace(seat=owner_seat, audience=audience)
    if entry[0] == "asked":
        return Told("asked", entry[1].seat, entry[1].to_json(), "all")
    if entry[0] == "played":
        return Told("played", entry[1], _play_fields(entry[2], entry[3]), "all")
    if entry[0] == "dealt":
        _, owner_, dealt, faces = entry
        fields = card_json(dealt, faces[0] if faces else None)
        return Told("dealt", owner_, fields, "seat")
    if entry[0] == "counted":
        return Told("dealt", None, {"counts": [entry[2]] * entry[1]}, "all")
    if entry[0] == "told":
        return entry[1]
    return _plain(entry)


def _assigned(
    name: str, respelled: Mapping[str, str], attribute: str, value: int
) -> Told:
    """An assignment that everybody sees."""
    property = respelled.get(attribute, attribute)
    fields = {"object": name, "property": property, "value": value}
    return Told("assigned", None, fields, "all")


def _plain(entry: Plain) -> Told:
    """Events that everybody sees and that say no more than their tuple."""
    match entry[0]:
        case "started":
            return Told("started", None, {"ids": list(entry[1])}, "all")
        case "shuffled":
            return Told("shuffled", None, {"count": entry[1]}, "all")
        case "skipped":
            return Told("skipped", entry[1], {}, "all")
        case "chose":
            return Told("chose", entry[1], {"value": entry[2]}, "all")
        case "settled":
            return Told("settled", entry[1], {"result": entry[2]}, "all")
        case "finished":
            return Told("finished", None, {"results": list(entry[1])}, "all")
        case "aborted":
            return Told("aborted", None, {"reason": entry[1]}, "all")
        case _ as never:
            assert_never(never)


def _play_fields(play: Play[CardBase], faces: Faces) -> dict[str, object]:
    """A play as everybody sees it: the faces of the cards as they were when it was made."""
    cards = play.cards
    if faces is None:
        return play_json(play, [card_json(card) for card in cards])
    return play_json(play, list(map(card_json, cards, faces)))


def play_json(play: Play[CardBase], cards: Sequence[object]) -> dict[str, object]:
    """A play as JSON types: `cards` says how its cards are shown."""
    return {
        "cards": cards,
        "cardset": play.cardset,
        "cardset_id": play.id,
        "properties": dict(play.properties),
    }


def previous_json(
    previous: tuple[int, Play[CardBase]] | None,
) -> dict[str, object] | None:
    """The play to beat with its seat, as JSON types; its cards by number."""
    if previous is None:
        return None
    seat, play = previous
    return {"seat": seat, **play_json(play, [card.id for card in play.cards])}


def card_json(card: CardBase, face: dict[str, int] | None = None) -> dict[str, object]:
    """A card that may be seen: its number and its properties, now or as they were (`face`)."""
    return {
        "card": card.id,
        "properties": card.values() if face is None else dict(face),
    }
