"""Tells what happened in a match: events in, lines of plain text out.

The lines depend on nothing but the events and the words of the rule, so the same match always reads the same. What a
reader may know is decided by whoever takes the events from the match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal, TypeAlias, final

from dealwright.compiler.diagnostics.reporter import counted_noun, safe
from dealwright.compiler.terminal.labels import LONGEST, Labels
from dealwright.runtime import Event, Play

Kind: TypeAlias = Literal[
    "title",
    "deal",
    "play",
    "skip",
    "choice",
    "change",
    "turn",
    "refused",
    "result",
    "info",
]

YOU = "you"
"""The name of the person who reads."""


@final
@dataclass(frozen=True, slots=True)
class Line:
    """A line of the log; `kind` is for the screen to style."""

    kind: Kind
    text: str


@final
class Narrator:
    """Turns events into lines.

    Args:
        names: what the players are called, by seat.
        labels: what cards and options are called.
    """

    def __init__(self, names: Sequence[str], labels: Labels) -> None:
        self._names = names
        self._labels = labels
        self._node = ""

    def lines(self, events: Iterable[Event]) -> Iterator[Line]:
        """What happened, in order; cards dealt together and properties changed together make one line a player."""
        for group, run in groupby(events, _group):
            if group == "dealt":
                yield from self._dealt(run)
            elif group.startswith("assigned "):
                yield self._assigned(group.removeprefix("assigned "), run)
            else:
                for event in run:
                    yield from self._single(event)

    def cards(self, cards: Iterable[Mapping[str, Any]]) -> str:
        """Cards in a row, each with the number that names it: `[3] A S  [9] K H`."""
        return "  ".join(
            f"[{one['card']}] {self._labels.card(one['properties'])}".rstrip()
            for one in cards
        )

    def play(self, seat: int, play: Play[Any]) -> str:
        """A play: who, which cardset, which cards."""
        cards = ({"card": card.id, "properties": card.values()} for card in play.cards)
        return (
            f"{self._names[seat]}: {safe(play.cardset, LONGEST)}  {self.cards(cards)}"
        )

    def _dealt(self, events: Iterable[Event]) -> Iterator[Line]:
        hands: dict[int, list[Mapping[str, Any]]] = {}
        for event in events:
            if event.seat is None:
                yield Line("deal", f"dealt: {self._counts(event.fields)}")
            else:
                hands.setdefault(event.seat, []).append(event.fields)
        for seat, cards in sorted(hands.items()):
            yield Line("deal", f"  {self._names[seat]}: {self.cards(cards)}")

    def _counts(self, fields: Mapping[str, Any]) -> str:
        counts = fields["counts"]
        return ", ".join(
            f"{name} {count}" for name, count in zip(self._names, counts, strict=True)
        )

    def _assigned(self, target: str, events: Iterable[Event]) -> Line:
        kind, _, number = target.partition("_")
        name = (
            self._names[int(number)]
            if kind == "player"
            else "table" if kind == "table" else target
        )
        pairs = (
            (str(event.fields["property"]), event.fields["value"]) for event in events
        )
        return Line("change", f"  {name}: {properties(pairs)}")

    def _single(self, event: Event) -> Iterator[Line]:
        fields: Mapping[str, Any] = event.fields
        match event.kind:
            case "asked":
                # what is chosen is named by where it is chosen
                self._node = fields["node"]
            case "shuffled":
                yield Line(
                    "deal",
                    f"the deck is shuffled, {counted_noun(fields['count'], 'card')}",
                )
            case "played":
                yield Line(
                    "play",
                    f"{self._does(event, 'play')} {safe(fields['cardset'], LONGEST)}: {self.cards(fields['cards'])}",
                )
            case "skipped":
                yield Line("skip", self._does(event, "skip"))
            case "chose":
                yield Line(
                    "choice",
                    f"{self._does(event, 'choose')} {self._labels.option(self._node, fields['value'])}",
                )
            case "finished":
                yield Line("title", "settlement")
                for who, result in zip(self._names, fields["results"], strict=True):
                    yield Line(
                        "result",
                        f"  {who}: {'no result' if result is None else result}",
                    )
            case "aborted":
                yield Line("title", f"the match was ended: {safe(fields['reason'])}")

    def _does(self, event: Event, verb: str) -> str:
        name = "" if event.seat is None else self._names[event.seat]
        return f"{name} {verb}" if name == YOU else f"{name} {verb}s"


def properties(pairs: Iterable[tuple[str, object]]) -> str:
    """Properties in a row: `round=3, winner=-1`; of several values of one property, each is told."""
    return ", ".join(f"{safe(name, LONGEST)}={value}" for name, value in pairs) or "-"


def _group(event: Event) -> str:
    """Neighbours of one group are told together."""
    return (
        f"assigned {event.fields['object']}" if event.kind == "assigned" else event.kind
    )
