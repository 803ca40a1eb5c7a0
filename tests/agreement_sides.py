"""Compiled and interpreted matches in one common form, and what it means that they differ.

The interpreter's form is the plainer one, so the compiled side is mostly turned into that: cards are numbers, seats are
numbers, properties have the rule's own spelling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from dealwright.compiler.interpreter import interpret
from dealwright.runtime import DealwrightError

Json: TypeAlias = Any
Answer: TypeAlias = tuple[str, Any]  # "ok" and a value, or "refused" and code and node

VIRTUAL = {"table": {"玩家池", "卡牌池"}, "players": {"id"}, "cards": {"id"}}


class Disagreement(AssertionError):
    """Compiled and interpreted differ; `where` says in what, and the text is the whole case."""

    def __init__(self, where: str, interpreted: Json, compiled: Json) -> None:
        super().__init__(where)
        self.where = where
        self.interpreted = interpreted
        self.compiled = compiled
        self.story: list[str] = []

    def __str__(self) -> str:
        lines = [
            *self.story,
            f"differs: {self.where}",
            f"interpreted: {self.interpreted}",
            f"compiled:    {self.compiled}",
        ]
        return "\n".join(lines)


class Endless(Exception):
    """One side has met the bound of a flow; nothing more can be compared in this match."""


def plain(part: str, values: Mapping[str, int]) -> dict[str, int]:
    """Properties for comparing: a property that is missing is 0, and virtual ones are nobody's."""
    return {
        name: value
        for name, value in sorted(values.items())
        if value != 0 and name not in VIRTUAL[part]
    }


def interpreted_state(match: interpret.Match) -> dict[str, Json]:
    """The interpreter's state in the common form."""
    state = match.state()
    state["table"] = plain("table", state["table"])
    state["players"] = [plain("players", one) for one in state["players"]]
    state["cards"] = {
        int(number): plain("cards", one) for number, one in state["cards"].items()
    }
    state["pending"] = None if match.pending is None else dict(match.pending)
    state["results"] = None if match.results is None else dict(match.results)
    state["finished"] = match.finished
    return state


def compiled_state(match: Any) -> dict[str, Json]:
    """The compiled match's state in the common form, from its JSON and its public face."""
    saved = match.to_json()
    live = [
        *match.deck,
        *match.discard,
        *(card for hand in match.hands for card in hand),
    ]
    wait = match.pending
    previous = saved["previous"]
    results = match.results
    return {
        "hands": saved["hands"],
        "deck": saved["deck"],
        "discard": saved["discard"],
        "table": plain("table", saved["table"]),
        "players": [plain("players", one) for one in saved["players"]],
        "cards": {
            card.id: plain("cards", card.values())
            for card in sorted(live, key=lambda card: int(card.id))
        },
        "latest": saved["latest"],
        "choice": saved["table"]["用户做出的选择"],
        "previous": (
            None
            if previous is None
            else {
                name: previous[name]
                for name in ("seat", "cardset", "cards", "properties")
            }
        ),
        "pending": None if wait is None else wait_json(wait),
        "results": (
            None
            if results is None
            else {match.ids.index(id): result for id, result in results.items()}
        ),
        "rng": saved["generator"],
        "skipped": saved["skipped"],
        "finished": match.finished,
    }


def wait_json(wait: Any) -> dict[str, Json]:
    """A wait of the compiled match."""
    return {
        "node": wait.node,
        "seat": wait.seat,
        "kind": wait.kind,
        "timer": wait.timer,
        "options": list(wait.options),
    }


def interpreted_event(event: Mapping[str, Json]) -> tuple[Json, ...]:
    """Kind and main fields of an event of the interpreter."""
    fields = {
        "dealt": ("seat", "card"),
        "asked": ("seat", "node", "wait_kind"),
        "played": ("seat", "cards", "cardset"),
        "skipped": ("seat",),
        "chose": ("seat", "value"),
        "assigned": ("object", "property", "value"),
        "settled": ("seat", "result"),
    }
    return (event["kind"], *(event[name] for name in fields.get(event["kind"], ())))


def compiled_event(event: Any) -> tuple[Json, ...] | None:
    """Kind and main fields of an event of the compiled match; None for the count of a deal, which only it reports."""
    fields = event.fields
    match event.kind:
        case "dealt":
            return None if event.seat is None else ("dealt", event.seat, fields["card"])
        case "asked":
            return ("asked", event.seat, fields["node"], fields["kind"])
        case "played":
            return (
                "played",
                event.seat,
                [card["card"] for card in fields["cards"]],
                fields["cardset"],
            )
        case "chose":
            return ("chose", event.seat, fields["value"])
        case "assigned":
            return ("assigned", fields["object"], fields["property"], fields["value"])
        case "settled":
            return ("settled", event.seat, fields["result"])
        case "skipped":
            return ("skipped", event.seat)
    return (event.kind,)


def same(where: str, interpreted: Json, compiled: Json) -> None:
    """Raises `Disagreement` unless both are equal; of two dictionaries only the entries that differ are shown."""
    if interpreted == compiled:
        return
    if isinstance(interpreted, dict) and isinstance(compiled, dict):
        for name in sorted({*interpreted, *compiled}, key=str):
            if interpreted.get(name) != compiled.get(name):
                same(f"{where}, {name}", interpreted.get(name), compiled.get(name))
    raise Disagreement(where, interpreted, compiled)


def interpreted_answer(do: Callable[..., Any], *given: Any) -> Answer:
    """What the interpreter says: a value, or the code and node of its refusal."""
    try:
        return "ok", do(*given)
    except interpret.Refused as refused:
        return "refused", (refused.code, refused.node)


def compiled_answer(do: Callable[..., Any], *given: Any) -> Answer:
    """What the package says: a value, or the code and node of its refusal."""
    try:
        return "ok", do(*given)
    except DealwrightError as refused:
        return "refused", (refused.code, refused.node)


def agree(where: str, interpreted: Answer, compiled: Answer) -> Answer:
    """The common answer. Raises `Endless` if either side met the bound, `Disagreement` if they differ."""
    if any(
        answer[0] == "refused" and answer[1][0] == "endless_flow"
        for answer in (interpreted, compiled)
    ):
        raise Endless
    same(where, interpreted, compiled)
    return interpreted


def play_json(play: Any) -> dict[str, Json]:
    """A play of the compiled side."""
    numbers = [card.id for card in play.cards]
    return {
        "cardset": play.cardset,
        "id": play.id,
        "cards": numbers,
        "properties": dict(play.properties),
    }
