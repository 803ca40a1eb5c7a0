"""The two sides of a verification in one common form: the interpreter's match and the compiled one.

A side's state is a dictionary of what case files can look at (`hands`, `table.round`, `player 0 score`, `events
dealt`), so that a difference is a line of a case at once. A property that is 0 counts as missing, since an undeclared
one reads as 0, and the virtual ones are nobody's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from types import ModuleType
from typing import Any, TypeAlias, final

from dealwright.compiler.diagnostics.reporter import Reporter
from dealwright.compiler.emit.naming import identifiers
from dealwright.compiler.interpreter import interpret
from dealwright.compiler.output import memory
from dealwright.compiler.pipeline import Built
from dealwright.compiler.reading.source import parse_source
from dealwright.compiler.representation.handed import ask
from dealwright.compiler.verify.inputs import Json, shown
from dealwright.runtime import DealwrightError

STEPS = 10_000
"""Control nodes that the interpreter executes for one action. A flow that takes more is not compared: where an endless
flow stops is not specified, and an interpreter at the bound takes seconds."""

_VIRTUAL = {"table": {"玩家池", "卡牌池"}, "player": {"id"}, "card": {"id"}}
_EVENT_FIELDS: Mapping[str, tuple[str, ...]] = {
    "asked": ("seat", "node"),
    "dealt": ("seat", "card"),
    "played": ("seat", "cards", "cardset"),
    "skipped": ("seat",),
    "chose": ("seat", "value"),
    "assigned": ("object", "property", "value"),
    "settled": ("seat", "result"),
}
_ONE_WORD = re.compile(r"\S+")

State: TypeAlias = dict[str, Json]
Event: TypeAlias = tuple[str, list[Json]]


@final
@dataclass(frozen=True, slots=True)
class Subject:
    """A rule twice: the imported package and the interpreter's reading.

    `builds` maps the id of each cardset to its generated function, made to take the match's game always; `source` and
    `document`, the bytes of the file and what they say, are where the inputs come from.
    """

    source: bytes
    document: Json
    package: ModuleType
    rule: interpret.Rule
    builds: Mapping[str, Callable[..., Json]]

    @property
    def compiled(self) -> Any:
        """The `Package` of the generated package, whose classes are known at run time only."""
        return self.package.PACKAGE


def subject_of(built: Built, source: bytes, players: int | None) -> Subject:
    """The subject of a rule that has been compiled.

    Args:
        built: the package.
        source: the bytes of the rule file.
        players: the number of players if the command line declared it.

    Raises:
        Exception: whatever the package raises while it is imported.
    """
    parsed = parse_source(source, Reporter("<rule>"))
    if parsed is None or not isinstance(parsed.value, Mapping):
        raise ValueError("only a rule that has been compiled can be verified")
    rule = interpret.Rule(parsed.value, players=players)
    package = memory.import_package(built.slug, built.files)
    names = identifiers([one.name for one in rule.cardsets], prefix="build_")
    functions = {
        one.id: partial(ask, getattr(package.cardsets, names[one.name]), built.handed)
        for one in rule.cardsets
    }
    return Subject(source, parsed.value, package, rule, functions)


# -- answers


@final
@dataclass(frozen=True, slots=True)
class Value:
    """What a side answers."""

    value: Json


@final
@dataclass(frozen=True, slots=True)
class Refusal:
    """That a side refuses, with code and node as the contract gives them; `cause` is the error behind it, if any."""

    code: str
    node: str | None
    cause: str = field(default="", compare=False)

    def __str__(self) -> str:
        return self.code if self.node is None else f"{self.code} at {self.node}"


@final
@dataclass(frozen=True, slots=True)
class Failure:
    """That a side breaks: no answer at all, but an error of its own."""

    text: str

    def __str__(self) -> str:
        return self.text


Answer: TypeAlias = Value | Refusal | Failure


def interpreted_answer(do: Callable[..., Any], *given: Any) -> Answer:
    """What the interpreter says. That it breaks must not look like an answer either."""
    try:
        return Value(do(*given))
    except interpret.Refused as refused:
        return Refusal(refused.code, refused.node)
    except Exception as error:
        return Failure(failure_text(error))


def compiled_answer(do: Callable[..., Any], *given: Any) -> Answer:
    """What the package says. Any error but a typed refusal is a failure: a fault of the compiler may raise anything."""
    try:
        return Value(do(*given))
    except DealwrightError as refused:
        cause = refused.__cause__
        text = "" if cause is None else failure_text(cause)
        return Refusal(refused.code, refused.node, text)
    except Exception as error:
        return Failure(failure_text(error))


def failure_text(error: BaseException) -> str:
    """An unexpected error on one line, with its notes."""
    notes = ", ".join(getattr(error, "__notes__", ()))
    text = f"fails with {type(error).__name__}: {error}"
    return " ".join(f"{text} ({notes})".split() if notes else text.split())


# -- states


def interpreted_state(match: interpret.Match) -> State:
    """The interpreter's match."""
    state = match.state()
    state["generator"] = state.pop("rng")
    del state["choice"]  # the table has it
    cards, results = state.pop("cards"), match.results
    table, players = state.pop("table"), state.pop("players")
    state |= _properties(table, players, {int(one): cards[one] for one in cards})
    state["results"] = _by_seat(results)
    state["finished"] = match.finished
    return state | _wait(match.pending)


def compiled_state(match: Any) -> State:
    """The compiled match, saved and loaded again, from its JSON and its public face."""
    match = copy(match)
    saved = match.to_json()
    names = ("hands", "deck", "discard", "latest", "generator", "skipped")
    state: State = {name: saved[name] for name in names}
    cards = {card.id: card.values() for card in live_cards(match).values()}
    state |= _properties(saved["table"], saved["players"], cards)
    previous = saved["previous"]
    state["previous"] = previous and {
        name: previous[name] for name in ("seat", "cardset", "cards", "properties")
    }
    state["results"] = _by_seat(match.results)
    state["finished"] = match.finished
    wait = match.pending
    return state | _wait(None if wait is None else wait.to_json())


def live_cards(match: Any) -> dict[int, Any]:
    """The cards of a compiled match by number."""
    places = [match.deck, match.discard, *match.hands]
    return {card.id: card for place in places for card in place}


def _by_seat(results: Mapping[int, int] | None) -> Json:
    """Results as JSON has them."""
    return None if results is None else {str(seat): results[seat] for seat in results}


def _wait(wait: Mapping[str, Json] | None) -> State:
    if wait is None:
        return {"pending": None}
    return {
        "pending": {"node": wait["node"], "seat": wait["seat"]},
        "kind": wait["kind"],
        "timer": wait["timer"],
        "options": list(wait["options"]),
    }


def _properties(
    table: Mapping[str, int],
    players: list[Mapping[str, int]],
    cards: Mapping[int, Mapping[str, int]],
) -> State:
    """Every property that is not 0, under the words that a case file looks at it with."""
    found = dict(_of_object("table", "table.", table))
    for seat, values in enumerate(players):
        found |= _of_object("player", f"player {seat} ", values)
    for number, values in sorted(cards.items()):
        found |= _of_object("card", f"card {number} ", values)
    return found


def _of_object(
    owner: str, words: str, values: Mapping[str, int]
) -> Iterator[tuple[str, int]]:
    for name, value in values.items():
        if value != 0 and name not in _VIRTUAL[owner]:
            yield f"{words}{name}", value


def line_of(words: str, state: State, raw: Mapping[str, Json]) -> str:
    """The line of a case file that pins what the interpreter's state shows under these words.

    A property whose name is not one word can be looked at only through `raw`, the interpreter's own state, in which
    all the objects of its kind stand together.
    """
    whole = {"table": "table", "player": "players", "card": "cards"}
    kind, _, name = words.partition("." if words.startswith("table.") else " ")
    if kind not in whole:
        return f"{words} == {shown(state.get(words))}"
    if _ONE_WORD.fullmatch(name.partition(" ")[2] if kind != "table" else name):
        return f"{words} == {shown(state.get(words, 0))}"
    return f"{whole[kind]} == {shown(raw[whole[kind]])}"


# -- events


def interpreted_event(event: Mapping[str, Json]) -> Event:
    """Kind and fields of an event of the interpreter."""
    kind = event["kind"]
    return kind, [event.get(name) for name in _EVENT_FIELDS.get(kind, ())]


def compiled_event(event: Any) -> Event | None:
    """Kind and fields of an event of the package; None for the count of a deal, which stands beside its cards."""
    fields = dict(event.fields) | {"seat": event.seat}
    if event.kind == "dealt" and event.seat is None:
        return None
    if event.kind == "played":
        fields["cards"] = [card["card"] for card in fields["cards"]]
    return event.kind, [fields.get(name) for name in _EVENT_FIELDS.get(event.kind, ())]


def event_views(events: list[Event]) -> State:
    """The events as a case file looks at them: all fields by kind, and the kinds in order, repetitions joined."""
    views: State = {}
    kinds: list[str] = []
    for kind, fields in events:
        views.setdefault(f"events {kind}", []).append(fields)
        if kinds[-1:] != [kind]:
            kinds.append(kind)
    views["events kinds"] = kinds
    return views


def play_json(play: Any) -> dict[str, Json] | None:
    """A play of the package as `interpret.recognize` gives it."""
    if play is None:
        return None
    return {
        "cardset": play.cardset,
        "id": play.id,
        "cards": [card.id for card in play.cards],
        "properties": dict(play.properties),
    }


def play_text(play: Mapping[str, Json] | None) -> str:
    """A play as a case file writes it."""
    return "none" if play is None else f"{play['cardset']} {shown(play['properties'])}"
