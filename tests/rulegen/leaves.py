"""The simplest values: literals, keywords, objects, parameters, and what starts and waits can tell.

Nothing here needs another value to be made first, apart from a node to read it from.
"""

from __future__ import annotations

from collections.abc import Mapping

from tests.rulegen.builder import START_TYPE, Builder, Ref, Value
from tests.rulegen.choose import chance, pick, weighted
from tests.rulegen.names import NONSENSE

JUDGED = ("cards", "card_set", "selectedCards", "selected_cards", "初始牌组", "牌组")
PLAY_A = (
    "A",
    "a",
    "cardsetA",
    "cardset_a",
    "currentRound",
    "current_round",
    "牌型A",
    "牌型 A",
)
PLAYS = ("牌型A", "牌型 B", "牌型 A", "牌型B")
PLAY_B = (
    "B",
    "b",
    "cardsetB",
    "cardset_b",
    "previousRound",
    "previous_round",
    "牌型B",
    "牌型 B",
)
OWNER = "调用该方法的对象"


class Leaves:
    """Makes values without operands in one flow.

    `bound` holds what the quantifiers around the value being made go through: inside one over cards, `cards` is worth
    asking about in any flow.
    """

    def __init__(self, builder: Builder) -> None:
        self.flow = builder
        self.world = builder.world
        self.choose = builder.choose
        self.bound: list[str] = []

    def node(
        self,
        type_number: int,
        content: Mapping[str, object],
        kind: str,
        cost: int,
        degree: int = 0,
        count: str = "",
    ) -> Value:
        """A new value node with this content."""
        return self.flow.value(type_number, content, kind, cost, degree, count=count)

    def constant(self, number: int) -> Ref:
        """This number as a literal in one of its spellings, or as a constant node."""
        spelled: list[Ref] = [number, f"{number:+d}", f" {number}", f"{number}  "]
        if number < 0 or (number == 0 and "0" not in self.flow.nodes):
            spelled.append(str(number))
        how = pick(self.choose, (*spelled, "node"))
        return self.constant_node(8, number).ref if how == "node" else how

    def constant_node(self, type_number: int, number: int | None = None) -> Value:
        """A constant, by default of any number."""
        if number is None:
            number = weighted(
                self.choose,
                [
                    (6, self.choose.integer(0, 5)),
                    (2, self.choose.integer(-9, 30)),
                    (1, 10**20),
                ],
            )
        return self.node(type_number, {"value": number}, "int", 1)

    def leaf(self, kind: str) -> Value:
        """A value of this kind without operands of its own; an existing node now and then."""
        known = [Value(name, of) for name, of in self.flow.parameters if of == kind]
        if self.flow.owner == kind:
            known.append(Value(OWNER, kind))
        if known and chance(self.choose, 60):
            return pick(self.choose, known)
        if chance(self.choose, 20):
            old = self.existing(kind)
            if old is not None:
                return old
        return self.plain(kind)

    def plain(self, kind: str) -> Value:
        """A literal, keyword or object of this kind; the nearest thing to one where there is none."""
        choose, world = self.choose, self.world
        if kind == "int":
            return Value(
                self.constant(
                    weighted(
                        choose, [(8, choose.integer(0, 4)), (1, choose.integer(-3, 20))]
                    )
                ),
                kind,
            )
        if kind == "bool":
            spelled: tuple[Ref, ...] = (True, False, "true", "TRUE", "False")
            return Value(pick(choose, spelled), kind)
        if kind in ("player", "players"):
            return Value(
                pick(choose, ("玩家", f"player_{world.player_number()}")), "player"
            )
        if kind == "card":
            if self.flow.kind == "build" or "cards" in self.bound:
                content: dict[str, object] = {"selection": "cards", "index": 0}
                return self.node(5, content, "card", 2)
            return Value(f"card_{world.card_number()}", kind)
        if kind in ("cards", "list"):
            return self._plain_cards()
        if kind == "table":
            return Value("table_0", kind)
        if kind == "play" and self.flow.kind == "compare":
            return Value(pick(choose, (*PLAY_A, *PLAY_B)), kind)
        stray: Ref = self._stray()
        odd: list[Ref] = ["", "", "", pick(choose, NONSENSE), None, stray]
        nothing = pick(choose, odd)
        return Value(nothing, "none")

    def _plain_cards(self) -> Value:
        if self.flow.kind == "compare" and chance(self.choose, 60):
            return self.cards_of_play()
        if self.flow.kind in ("build", "method") or "cards" in self.bound:
            return Value(pick(self.choose, JUDGED), "cards")
        if chance(self.choose, 15):
            return Value(pick(self.choose, JUDGED), "cards")
        return self.special("cards", 0)

    def _stray(self) -> Ref:
        """A node without a value, or node 1 itself: both read none, with a warning."""
        free = [
            id
            for id in self.flow.targets
            if self.flow.nodes[id]["type"] in (4, 16, 18, 24, 28, 30)
        ]
        return pick(self.choose, ["1", *free])

    def existing(self, kind: str) -> Value | None:
        """A node of this kind that exists, recent ones being the simplest."""
        limit = self.flow.cost_limit // 3
        found = [
            value
            for value in self.flow.values
            if value.kind == kind and value.cost <= limit
        ]
        return pick(self.choose, found[::-1]) if found else None

    def special(self, kind: str, depth: int = 0) -> Value:
        """Something of this kind that a start or a wait can tell."""
        if kind == "card":
            return Value(f"card_{self.world.card_number()}", "card")
        if kind in ("table", "player", "play"):
            number, name = {
                "table": (17, "牌桌"),
                "player": (23, "玩家"),
                "play": (29, pick(self.choose, PLAYS)),
            }[kind]
            return self.pair(number, name, kind)
        if kind == "cards":
            number, name = pick(
                self.choose,
                ((21, "用户打出的牌组"), (21, ""), (27, "传入牌组"), (27, "")),
            )
            return self.pair(number, name, "cards")
        if self.flow.kind == "compare" and chance(self.choose, 70):
            own = [name for one in self.world.cardsets for name in one.properties] or [
                "权重"
            ]
            return self.pair(
                29, f"{pick(self.choose, PLAYS)}.{pick(self.choose, own)}", "int"
            )
        if self.flow.owner and chance(self.choose, 60):
            known = [*self.flow.parameters, (OWNER, self.flow.owner)]
            name, of = pick(self.choose, known)
            return self.pair(25, name, of)
        if chance(self.choose, 30):
            return self.pair(25, OWNER, "none")
        return self.pair(22, pick(self.choose, ("用户做出的选择", "")), "int")

    def pair(self, type_number: int, name: str, kind: str) -> Value:
        """What the special pair of a start or wait and this name tells; without a name, the node read plainly."""
        node = self._start_or_wait(type_number)
        if not name:
            return Value(node, kind)
        operator = weighted(self.choose, [(9, 1), (1, 2)])
        return self.node(
            6,
            {"operator": operator, "ident": node, "property": name},
            kind,
            1,
            int(kind == "int"),
        )

    def _start_or_wait(self, type_number: int) -> str:
        """A start or wait to read from: the flow's own, an existing one, or one that is only ever read."""
        self.world.counts[(f"{type_number}.read", self.flow.kind)] += 1
        if START_TYPE[self.flow.kind] == type_number and chance(self.choose, 50):
            return "1"
        found = [
            id for id, node in self.flow.nodes.items() if node["type"] == type_number
        ]
        if found and chance(self.choose, 80):
            return pick(self.choose, found)
        return self.flow.add(type_number, {}, count="read only")

    def cards_of_play(self) -> Value:
        """The cards of one of the two plays of a comparison."""
        name = pick(self.choose, ("cards", "牌组"))
        ref = (
            pick(self.choose, (*PLAY_A, *PLAY_B))
            if self.flow.kind == "compare"
            else self.special("play", 0).ref
        )
        return self.node(6, {"operator": 1, "ident": ref, "property": name}, "cards", 2)
