"""The properties of cards, players and the table: what a rule declares, what the engine keeps, what is virtual.

Input is the model; the answers are names in the author's spelling. Source: contract, section 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from dealwright.compiler.rule.model import Rule, RuleClass

KEPT: Mapping[str, Mapping[str, int]] = {
    "card": {},
    "player": {"手牌数": 0},
    "table": {
        "player_index": 0,
        "index": 0,
        "cur_max": -1,
        "settlement_index": 0,
        "本轮应出牌者": 0,
        "用户做出的选择": 0,
    },
}
VIRTUAL: Mapping[str, frozenset[str]] = {
    "card": frozenset({"id"}),
    "player": frozenset({"id"}),
    "table": frozenset({"玩家池", "卡牌池"}),
}
DECK = "卡牌池"
PLAYERS = "玩家池"
SETTLEMENT_INDEX = "settlement_index"
PLAY_CARDS = frozenset({"cards", "牌组"})
PLAY_NUMBER = frozenset({"cardsetId", "牌型ID", "牌型 ID"})


def is_content(property: str) -> bool:
    """Whether the property asks for a collection's own content: `content` or blank."""
    return property == "content" or not property.strip()


@final
@dataclass(frozen=True, slots=True)
class ObjectProperty:
    """A property that objects of a class store: its name, its value at the start, whether the author declared it."""

    name: str
    start: int
    is_declared: bool


def stored_properties(
    owner: RuleClass, assigned: frozenset[str]
) -> tuple[ObjectProperty, ...]:
    """The properties that the generated class stores besides the kept ones.

    Declared ones without virtual and kept names, then undeclared ones that the rule assigns somewhere (`assigned`). A
    card's stand in declared order, which is the deck's; elsewhere order means nothing, so they are sorted. The card's
    declared `id` is left out too: it takes part in the deck only.
    """
    engine = VIRTUAL[owner.name] | KEPT[owner.name].keys()
    declared = [
        ObjectProperty(one.name, one.default, True)
        for one in owner.properties
        if one.name not in engine
    ]
    if owner.name != "card":
        declared.sort(key=lambda one: one.name)
    known = engine | {one.name for one in owner.properties}
    created = [ObjectProperty(name, 0, False) for name in sorted(assigned - known)]
    return (*declared, *created)


def deck_axes(rule: Rule) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The factors of the deck's product: each declared card property with the values it takes, in declared order."""
    return tuple(
        (one.name, one.values or (one.default,)) for one in rule.card.properties
    )


def deck_size(rule: Rule) -> int:
    """How many cards the rule's deck has."""
    size = 1
    for _, values in deck_axes(rule):
        size *= len(values)
    return size
