"""What a generated flow knows about the rule around it: the deck, declared names, and what it may call.

Methods and cardsets are generated one after the other, and each sees only those before it; so methods cannot call each
other in a circle, and no cardset can ask for itself.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tests.rulegen.choose import Chooser, pick, weighted
from tests.rulegen.names import UNDECLARED

CLASSES = ("player", "table", "card")
KEPT = ("player_index", "cur_max", "index", "本轮应出牌者", "用户做出的选择")
VIRTUAL = {"table": ("玩家池", "卡牌池"), "player": ("id",), "card": ("id",)}


@dataclass(frozen=True, slots=True)
class MethodSketch:
    """A method that exists already. `cost` is about how many nodes one call evaluates."""

    owner: str
    name: str
    parameters: tuple[tuple[str, str], ...]
    returns: str
    pure: bool
    cost: int


@dataclass(frozen=True, slots=True)
class CardsetSketch:
    """A cardset that exists already."""

    id: str
    name: str
    properties: tuple[str, ...]
    cost: int


@dataclass(slots=True)
class World:
    """The rule so far. `counters` are the table's loop counters, which nobody but their loops assigns."""

    choose: Chooser
    players: int | None
    seats: int
    deck: list[dict[str, int]]
    properties: dict[str, list[str]]
    methods: list[MethodSketch] = field(default_factory=list)
    cardsets: list[CardsetSketch] = field(default_factory=list)
    counters: list[str] = field(default_factory=list)
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    flows: int = 0
    undealt: int = 0

    def readable(self, owner: str) -> str:
        """The name of a property to read from an object of a class: mostly one that exists."""
        known = [*self.properties[owner], *self._kept(owner)]
        if owner == "table" and self.counters:
            known.append(self.counters[-1])
        options = [(12, known or ["made_up"]), (1, list(UNDECLARED))]
        if owner != "table":
            options.append((1, ["id"]))
        return pick(self.choose, weighted(self.choose, options))

    def assignable(self, owner: str) -> str:
        """The name of a property to assign. Not `settlement_index`, which would make many settlements endless."""
        declared = [
            name for name in self.properties[owner] if name not in VIRTUAL[owner]
        ]
        options: list[tuple[int, list[str]]] = [(1, list(UNDECLARED))]
        if declared:
            options.insert(0, (8, declared))
        if owner == "table":
            options.append((5, list(KEPT)))
        if owner == "player":
            options.append((1, ["手牌数"]))
        return pick(self.choose, weighted(self.choose, options))

    def player_number(self) -> int:
        """N of a `player_N` that the rule may name: below the declared number, else mostly a seat that exists."""
        if self.players is not None:
            return self.choose.integer(0, self.players - 1)
        return weighted(
            self.choose,
            [
                (9, self.choose.integer(0, self.seats - 1)),
                (1, self.choose.integer(0, 5)),
            ],
        )

    def card_number(self) -> int:
        """N of a `card_N`: mostly a card that exists."""
        return weighted(
            self.choose,
            [(15, self.choose.integer(1, len(self.deck))), (1, len(self.deck) + 1)],
        )

    @staticmethod
    def _kept(owner: str) -> list[str]:
        if owner == "table":
            return [*KEPT, "settlement_index"]
        return ["手牌数"] if owner == "player" else []
