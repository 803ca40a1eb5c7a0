"""The two engines on which every case runs, behind one face: the interpreter and the compiled package.

Both speak in seats and card numbers and show a match as one dictionary of JSON types, so that cases need not know which
one they run on.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from itertools import permutations
from types import ModuleType
from typing import Any, Protocol, TypeAlias, TypeVar

from dealwright.compiler.interpreter import interpret
from dealwright.compiler.representation.handed import AllHanded, ask, takes_game
from dealwright.compiler.verify.playable import judged, listed, searched
from dealwright.runtime import DealwrightError

Json: TypeAlias = Any
Made = TypeVar("Made")


class EngineRefused(Exception):
    """An action, or a start, that the engine refused: its stable code and the node it names."""

    def __init__(self, code: str, node: str | None) -> None:
        super().__init__(code, node)
        self.code = code
        self.node = node


class Engine(Protocol):
    """A rule and at most one match of it. Everything that may be refused raises EngineRefused."""

    def start(self, seats: int, seed: int) -> None:
        """Begin a match of `seats` players."""

    def arrange(self, position: Json) -> None:
        """Begin a match in this position; keys as the arguments of `arrange` of the generated package."""

    def is_started(self) -> bool:
        """Whether there is a match."""

    def play(self, seat: int, cards: list[int]) -> None:
        """Play these cards."""

    def skip(self, seat: int) -> None:
        """Skip."""

    def choose(self, seat: int, value: int) -> None:
        """Choose this value."""

    def build(self, id: str, cards: list[int]) -> dict[str, int] | None:
        """What the build flow of that cardset says to these cards."""

    def recognize(self, cards: list[int]) -> tuple[str, dict[str, int]] | None:
        """Name and properties of the play that these cards are."""

    def beats(self, now: list[int], before: list[int]) -> bool:
        """Whether the play that the first cards are beats the one that the others are."""

    def plays(self, seat: int) -> Json:
        """Every set of cards that the seat which is asked can play, by cardset; see `verify.playable.listed`."""

    def state(self) -> dict[str, Json]:
        """The match: hands, deck, discard, table, players, cards, latest, choice, previous, results and the wait."""

    def events(self) -> list[tuple[str, Json]]:
        """Kind and fields of every event so far."""


class Interpreted:
    """The interpreter as an engine."""

    def __init__(self, document: bytes) -> None:
        self._rule = interpret.Rule(json.loads(document))
        self._match: interpret.Match | None = None

    def start(self, seats: int, seed: int) -> None:
        self._begin(lambda: interpret.Match(self._rule, seats, seed=seed))

    def arrange(self, position: Json) -> None:
        cards = {
            int(number): values for number, values in position.get("cards", {}).items()
        }
        filled = {
            "table": {},
            "players": [{} for _ in position["hands"]],
            "deck": [],
            "discard": [],
        } | position
        self._begin(
            lambda: interpret.Match.arrange(self._rule, **(filled | {"cards": cards}))
        )

    def is_started(self) -> bool:
        return self._match is not None

    def play(self, seat: int, cards: list[int]) -> None:
        self._refusable(lambda: self._running().play(seat, cards))

    def skip(self, seat: int) -> None:
        self._refusable(lambda: self._running().skip(seat))

    def choose(self, seat: int, value: int) -> None:
        self._refusable(lambda: self._running().choose(seat, value))

    def build(self, id: str, cards: list[int]) -> dict[str, int] | None:
        return interpret.build(self._rule, id, cards, self._match)

    def recognize(self, cards: list[int]) -> tuple[str, dict[str, int]] | None:
        play = interpret.recognize(self._rule, cards, self._match)
        return None if play is None else (play["cardset"], play["properties"])

    def beats(self, now: list[int], before: list[int]) -> bool:
        plays = [
            interpret.recognize(self._rule, cards, self._match)
            for cards in (now, before)
        ]
        assert (
            plays[0] is not None and plays[1] is not None
        ), "a play that nothing recognises"
        return interpret.beats(self._rule, plays[0], plays[1], self._match)

    def plays(self, seat: int) -> Json:
        match = self._running()
        hand = match.state()["hands"][seat]
        orders = (
            order for size in range(len(hand)) for order in permutations(hand, size + 1)
        )
        return listed(judged(self._rule, match, seat, orders))

    def state(self) -> dict[str, Json]:
        match = self._running()
        state = match.state()
        state["finished"] = match.finished
        if match.pending is not None:
            state |= {
                "options": list(match.pending["options"]),
                "timer": match.pending["timer"],
            }
            state["kind"] = match.pending["kind"]
        return dict(json.loads(json.dumps(state)))

    def events(self) -> list[tuple[str, Json]]:
        return [
            (event["kind"], plain_event(event["kind"], event))
            for event in self._running().events
        ]

    def _running(self) -> interpret.Match:
        assert self._match is not None, "no match was started"
        return self._match

    def _begin(self, make: Callable[[], interpret.Match]) -> None:
        self._match = None
        self._match = self._refusable(make)

    def _refusable(self, do: Callable[[], Made]) -> Made:
        try:
            return do()
        except interpret.Refused as refused:
            raise EngineRefused(refused.code, refused.node) from refused


class Compiled:
    """The compiled package as an engine; `cardsets` are the ids of the rule's cardsets in the order they are tried."""

    def __init__(
        self, package: ModuleType, cardsets: Sequence[str], handed: AllHanded
    ) -> None:
        self._handed = handed
        self._package = package.PACKAGE
        self._builds = dict(zip(cardsets, _build_functions(package), strict=True))
        self._match: Json = None
        self._events: list[tuple[str, Json]] = []

    def start(self, seats: int, seed: int) -> None:
        self._begin(lambda: self._package.new_match(list(range(seats)), seed=seed))

    def arrange(self, position: Json) -> None:
        self._begin(lambda: self._package.arrange(**position))

    def is_started(self) -> bool:
        return self._match is not None

    def play(self, seat: int, cards: list[int]) -> None:
        self._refusable(lambda: self._match.play(seat, cards))

    def skip(self, seat: int) -> None:
        self._refusable(lambda: self._match.skip(seat))

    def choose(self, seat: int, value: int) -> None:
        self._refusable(lambda: self._match.choose(seat, value))

    def build(self, id: str, cards: list[int]) -> dict[str, int] | None:
        function = self._builds[id]
        game = None
        if takes_game(function, self._handed):
            game = self._match.game_for(self._package)
        found: dict[str, int] | None = ask(
            function, self._handed, self._cards(cards), game
        )
        return found

    def recognize(self, cards: list[int]) -> tuple[str, dict[str, int]] | None:
        play = self._package.recognize(self._cards(cards), self._match)
        return None if play is None else (play.cardset, dict(play.properties))

    def beats(self, now: list[int], before: list[int]) -> bool:
        plays = [
            self._package.recognize(self._cards(cards), self._match)
            for cards in (now, before)
        ]
        assert (
            plays[0] is not None and plays[1] is not None
        ), "a play that nothing recognises"
        return bool(self._package.beats(plays[0], plays[1], self._match))

    def plays(self, seat: int) -> Json:
        found = searched(self._package, self._match, seat)
        assert found is not None, "the search has given up"
        return listed(found)

    def state(self) -> dict[str, Json]:
        match = copy(self._match)  # what is saved must be what can be loaded
        saved = match.to_json()
        state = {
            name: saved[name]
            for name in (
                "hands",
                "deck",
                "discard",
                "table",
                "players",
                "latest",
            )
        }
        state["cards"] = {str(card.id): card.values() for card in self._live().values()}
        state["previous"] = _previous(saved["previous"])
        state["choice"] = saved["table"]["用户做出的选择"]
        state["results"] = match.results
        state["finished"] = match.finished
        state["rest"] = {
            name: saved[name] for name in ("generator", "skipped", "actions", "event")
        }
        wait = match.pending
        state["pending"] = (
            None if wait is None else {"node": wait.node, "seat": wait.seat}
        )
        if wait is not None:
            state |= {
                "options": list(wait.options),
                "timer": wait.timer,
                "kind": wait.kind,
            }
        return dict(json.loads(json.dumps(state)))

    def events(self) -> list[tuple[str, Json]]:
        for event in self._match.take_events():
            fields = dict(event.fields) | {"seat": event.seat}
            if event.kind == "played":
                fields["cards"] = [card["card"] for card in fields["cards"]]
            # the count of a deal, which everybody sees, stands beside the cards that it counts
            if event.kind != "dealt" or event.seat is not None:
                self._events.append((event.kind, plain_event(event.kind, fields)))
        return self._events

    def _live(self) -> dict[int, Json]:
        match = self._match
        cards = [
            *match.deck,
            *match.discard,
            *(card for hand in match.hands for card in hand),
        ]
        return {card.id: card for card in cards}

    def _cards(self, numbers: list[int]) -> list[Json]:
        live = self._live()
        return [live[number] for number in numbers]

    def _begin(self, make: Callable[[], Json]) -> None:
        self._match = None
        self._events = []
        self._match = self._refusable(make)

    def _refusable(self, do: Callable[[], Made]) -> Made:
        try:
            return do()
        except DealwrightError as refused:
            raise EngineRefused(refused.code, refused.node) from refused


def _build_functions(package: ModuleType) -> list[Callable[..., Json]]:
    """The build functions, in the order of their module, which is the order in which cardsets are tried."""
    functions = vars(package.cardsets).items()
    return [
        function
        for name, function in functions
        if name.startswith("build_") and inspect.isfunction(function)
        # the large body of a quantifier is a function of its own
        and not re.search("_holds_[0-9a-f]{4,}$", name)
    ]


def _previous(saved: Json) -> Json:
    """The previous play as the interpreter shows it."""
    return (
        None
        if saved is None
        else {name: saved[name] for name in ("seat", "cardset", "cards", "properties")}
    )


def plain_event(kind: str, fields: Mapping[str, Json]) -> list[Json]:
    """The fields of an event that every engine gives, in a fixed order."""
    names = {
        "asked": ("seat", "node"),
        "dealt": ("seat", "card"),
        "played": ("seat", "cards", "cardset"),
        "skipped": ("seat",),
        "chose": ("seat", "value"),
        "assigned": ("object", "property", "value"),
        "settled": ("seat", "result"),
    }.get(kind, ())
    return [fields.get(name) for name in names]
