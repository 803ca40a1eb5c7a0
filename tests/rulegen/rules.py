"""Whole random rules: classes, methods and cardsets in turn, comparisons, the two main flows, and odd metadata."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.rulegen import names
from tests.rulegen.choose import (
    Chooser,
    SeededChoices,
    TapeChoices,
    chance,
    pick,
    several,
    tapes,
    weighted,
)
from tests.rulegen.kinds import (
    new_method,
    write_build,
    write_compare,
    write_end,
    write_match,
    write_method,
)
from tests.rulegen.world import CardsetSketch, World

PARAMETER_KINDS = ("int", "card", "player", "cards", "table", "play")


@dataclass(frozen=True, slots=True)
class GeneratedRule:
    """A rule made up: its JSON, the number of seats to play it with, and what is in it.

    `counts` says how often each (component with operator, kind of flow) occurs outside scratch nodes.
    """

    document: dict[str, Any]
    seats: int
    flows: int
    counts: Counter[tuple[str, str]]

    @property
    def source(self) -> bytes:
        """The rule as the bytes of a file."""
        return json.dumps(self.document, ensure_ascii=False, indent=1).encode()

    def __repr__(self) -> str:
        nodes = sum(self.counts.values())
        return (
            f"<a rule of {self.flows} flows and {nodes} nodes for {self.seats} seats>"
        )


def generate(choose: Chooser) -> GeneratedRule:
    """A rule from these choices."""
    players = weighted(choose, [(3, choose.integer(1, 4)), (1, None)])
    seats = players or choose.integer(1, 3)
    classes, deck = _classes(choose)
    properties = {owner: list(_declared(classes[owner])) for owner in classes}
    world = World(choose, players, seats, deck, properties, undealt=len(deck))
    cardsets = _callables(world, classes)
    design: dict[str, Any] = {"classes": classes, "cardsets": cardsets}
    comparisons = _comparisons(world)
    if comparisons or chance(choose, 50):
        design["cardset_comparisons"] = comparisons
    design["match_flow"] = write_match(world)
    design["end_flow"] = write_end(world)
    _declare_counters(world, classes)
    return GeneratedRule(
        _decorated(choose, design, players), seats, world.flows, world.counts
    )


def seeded(seed: int) -> GeneratedRule:
    """The rule of this seed: for searches that need many rules and no shrinking."""
    return generate(SeededChoices(seed))


def rules() -> st.SearchStrategy[GeneratedRule]:
    """The hypothesis strategy of whole rules."""
    return tapes().map(lambda tape: generate(TapeChoices(tape)))


def _classes(choose: Chooser) -> tuple[dict[str, Any], list[dict[str, int]]]:
    """The three classes without methods, and the deck that the card class makes (at most 60 cards)."""
    card: dict[str, Any] = {"default_properties": {}, "user_properties": {}}
    product: list[list[tuple[str, int]]] = []
    size = 1
    for name in names.names(choose, names.CARD_PROPERTIES, 1, 3):
        declared, values = _card_property(choose, max(1, 30 // size))
        size *= len(values)
        card[pick(choose, ("default_properties", "user_properties"))][name] = declared
    ordered = [*card["default_properties"].items(), *card["user_properties"].items()]
    for name, declared in ordered:
        values = [
            entry["value"]
            for entry in declared.get("config", [])
            if isinstance(entry.get("value"), int)
        ]
        enum = declared["type"] == "enum" and values
        product.append(
            [
                (name, value)
                for value in (values if enum else [declared.get("default", 0)])
            ]
        )
    deck = [dict(one) for one in itertools.product(*product)]
    classes = {
        "player": _plain_class(choose, names.PLAYER_PROPERTIES),
        "card": card,
        "table": _plain_class(choose, names.TABLE_PROPERTIES),
    }
    return classes, deck


def _card_property(choose: Chooser, limit: int) -> tuple[dict[str, Any], list[int]]:
    """A declared card property and the values it contributes to the deck, at most `limit`."""
    if chance(choose, 15):
        default = choose.integer(0, 3)
        return pick(
            choose,
            (
                {"type": "int", "default": default},
                {"type": "int", "default": default, "config": []},
            ),
        ), [default]
    count = min(limit, weighted(choose, [(4, 3), (3, 4), (2, 6), (1, 2), (1, 0)]))
    start = weighted(choose, [(5, 1), (3, 0), (1, -2)])
    values = [start + step * (3 if chance(choose, 10) else 1) for step in range(count)]
    config: list[dict[str, Any]] = [
        {"id": f"e{value}", "display": "牌", "value": value} for value in values
    ]
    if chance(choose, 15):
        config.insert(
            len(config) // 2, {"id": "broken", "value": pick(choose, ("x", None, 1.5))}
        )
    default = choose.integer(0, 2)
    return {"type": "enum", "default": default, "config": config}, values or [default]


def _plain_class(choose: Chooser, pool: tuple[str, ...]) -> dict[str, Any]:
    made: dict[str, Any] = {"default_properties": {}, "user_properties": {}}
    for name in names.names(choose, pool, 1, 4):
        declared: dict[str, Any] = {"type": "int", "default": choose.integer(-1, 3)}
        if chance(choose, 15):
            declared = {
                "type": "enum",
                "default": 1,
                "config": [{"id": "a", "display": "A", "value": 1}],
            }
        elif chance(choose, 10):
            del declared["default"]
        made[pick(choose, ("user_properties", "default_properties"))][name] = declared
    return made


def _declared(one: dict[str, Any]) -> dict[str, Any]:
    return {**one["default_properties"], **one["user_properties"]}


def _callables(world: World, classes: dict[str, Any]) -> dict[str, Any]:
    """Methods and cardsets, one after the other, each seeing those before it."""
    choose = world.choose
    ids = several(
        choose, names.CARDSET_IDS[: pick(choose, (3, len(names.CARDSET_IDS)))], 1, 3
    )
    labels = iter(names.names(choose, names.CARDSET_NAMES, 3, 3))
    cardsets: dict[str, Any] = {}
    for owner in classes.values():
        if chance(choose, 80):
            owner["methods"] = {}
    taken: set[tuple[str, str]] = set()
    for id in ids:
        for _ in range(choose.integer(0, 2)):
            _another_method(world, classes, taken)
        cardsets[id] = _cardset(world, id, next(labels))
    for _ in range(choose.integer(0, 2)):
        _another_method(world, classes, taken)
    for id in cardsets:
        cardsets[id]["compare_flow"] = write_compare(world)
        if chance(choose, 40):
            cardsets[id]["successors"] = [
                *several(choose, ids, 0, 2),
                *(["nobody"] if chance(choose, 10) else []),
            ]
    return dict(sorted(cardsets.items())) if chance(choose, 50) else cardsets


def _another_method(
    world: World, classes: dict[str, Any], taken: set[tuple[str, str]]
) -> None:
    where = new_method(world, taken)
    if where is None:
        return
    taken.add(where)
    owner, name = where
    words = names.names(world.choose, names.PARAMETERS, 0, 3)
    parameters = [(word, pick(world.choose, PARAMETER_KINDS)) for word in words]
    made = write_method(
        world, owner, name, parameters, pure=not chance(world.choose, 45)
    )
    classes[owner].setdefault("methods", {})[name] = made


def _cardset(world: World, id: str, name: str) -> dict[str, Any]:
    properties = names.names(world.choose, names.CARDSET_PROPERTIES, 0, 2)
    flow, cost = write_build(world, properties)
    world.cardsets.append(CardsetSketch(id, name, tuple(properties), cost))
    declared = {
        word: {"type": "int", "default": world.choose.integer(0, 3)}
        for word in properties
    }
    made: dict[str, Any] = {"name": name, "build_flow": flow}
    if declared or chance(world.choose, 60):
        made["properties"] = declared
    return made


def _comparisons(world: World) -> dict[str, Any]:
    known = [one.name for one in world.cardsets]
    made: dict[str, Any] = {}
    for number in range(world.choose.integer(0, 3)):
        a = pick(world.choose, known)
        b = pick(world.choose, known[::-1])
        if chance(world.choose, 5):
            b = pick(world.choose, ("", "nobody"))
        made[str(9 - number)] = {
            "cardsetA": a,
            "cardsetB": b,
            "compare_flow": write_compare(world),
        }
    return made


def _declare_counters(world: World, classes: dict[str, Any]) -> None:
    """Declares most loop counters; the others are properties that an assignment creates."""
    for name in world.counters:
        if chance(world.choose, 70):
            classes["table"]["user_properties"][name] = {"type": "int", "default": 0}


def _decorated(
    choose: Chooser, design: dict[str, Any], players: int | None
) -> dict[str, Any]:
    """The whole document: with metadata where it declares players, with keys that nobody knows now and then."""
    if chance(choose, 10):
        design["assets"] = {"牌面": ["a.png"], "x": None}
    if chance(choose, 30):
        design = dict(reversed(design.items()))
    if players is None and chance(choose, 50):
        return design
    meta: dict[str, Any] = {
        "name": pick(choose, ("示例", "Rule 1", "class", 'a "b"\nc', "{{ x }}"))
    }
    if players is not None:
        meta["playerCount"] = players
    if chance(choose, 30):
        meta["description"] = 'Says """ and \\ and\nmore.'
    return {"meta": meta, "design": design}
