"""Random values: references to literals, keywords, objects and nodes, of a wanted kind or, now and then, of any.

A wanted kind makes most values mean something; the rest is nonsense that the contract gives a meaning all the same.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.rulegen.builder import Builder, Ref, Value
from tests.rulegen.choose import chance, pick, weighted
from tests.rulegen.leaves import Leaves

ALL_KINDS = (
    "int",
    "bool",
    "cards",
    "card",
    "player",
    "players",
    "list",
    "table",
    "play",
    "none",
)
HAND = 6  # about how many cards a quantifier or a sort goes through

COMPONENTS = (
    *(
        "8",
        "9",
        "10.0",
        "10.1",
        "10.2",
        "10.3",
        "10.4",
        "14.0",
        "14.1",
        "14.2",
        "14.3",
        "14.4",
    ),
    *(
        "7",
        "5",
        "6.0",
        "6.1",
        "6.2",
        "12.0",
        "12.1",
        "13",
        "11.0",
        "11.1",
        "2",
        "15",
        "1",
    ),
)


class Values(Leaves):
    """Makes values of any kind and component in one flow."""

    def __init__(self, builder: Builder) -> None:
        super().__init__(builder)
        self._makers: dict[str, tuple[tuple[str, ...], ...]] = {
            "int": (
                ("8", "9"),
                ("10.0", "10.1", "10.2", "10.3", "10.4"),
                ("6.1", "6.0"),
                ("7", "6.0", "6.1"),
                ("1", "special"),
            ),
            "bool": (
                ("14.0", "14.1", "14.2", "14.3", "14.4"),
                ("12.0", "12.1", "13"),
                ("11.0", "11.1"),
                ("15", "1"),
            ),
            "card": (("5",),),
            "player": (("5", "special"),),
            "cards": (("2",), ("6.0", "special", "6.1")),
            "players": (("6.0",), ("2",)),
            "list": (("6.2",),),
            "table": (("special",),),
            "play": (("special",),),
        }
        self._make: dict[str, Callable[[str, int], Value]] = {
            "8": lambda kind, depth: self.constant_node(8),
            "9": lambda kind, depth: self.constant_node(9),
            "7": lambda kind, depth: self.size(depth),
            "5": self.element,
            "6.0": self._of_object,
            "6.1": self.of_value,
            "6.2": lambda kind, depth: self._of_each(depth),
            "13": lambda kind, depth: self._negation(depth),
            "2": self._sorted,
            "15": lambda kind, depth: self._is_cardset(depth),
            "1": self._call,
            "special": self.special,
        }
        for type_number, count in ((10, 5), (12, 2), (14, 5), (11, 2)):
            for operator in range(count):
                self._make[f"{type_number}.{operator}"] = self._maker(
                    type_number, operator
                )

    def any_component(self, label: str, depth: int = 2) -> Value:
        """A value of exactly this component, of a kind that it can have."""
        kinds = [
            kind
            for kind, groups in self._makers.items()
            if any(label in group for group in groups)
        ]
        return self._make[label](pick(self.choose, kinds), depth)

    def ref(self, kind: str, depth: int = 2) -> Value:
        """A value of this kind, mostly: a literal, keyword, object or an existing or new node."""
        if chance(self.choose, 4):
            kind = pick(self.choose, ALL_KINDS)
        if depth <= 0 or kind not in self._makers or self.flow.cost > 30:
            return self.leaf(kind)
        how = weighted(self.choose, [(2, "leaf"), (2, "old"), (6, "new")])
        old = self.existing(kind) if how == "old" else None
        if old is not None:
            return old
        if how == "leaf":
            return self.leaf(kind)
        made = self._make[pick(self.choose, pick(self.choose, self._makers[kind]))](
            kind, depth
        )
        return made if made.cost <= self.flow.cost_limit else self.leaf(kind)

    def condition(self, depth: int = 2) -> Value:
        """What a branch may ask: mostly a boolean, else anything, by its truth."""
        kind = weighted(
            self.choose,
            [(14, "bool"), (3, "int"), (1, "cards"), (1, "list"), (1, "card")],
        )
        made = self.ref(kind, depth)
        while made.cost > self.flow.cost_limit:
            made = self.leaf("bool")
        return made

    def number(self, depth: int = 2) -> Value:
        """An integer that an assignment can repeat without growing beyond all bounds."""
        made = self.ref(
            weighted(
                self.choose,
                [(14, "int"), (2, "bool"), (1, "cards"), (1, "card"), (1, "player")],
            ),
            depth,
        )
        if made.degree < 2:
            return made
        return self.node(
            10, {"operator": 4, "lval": made.ref, "rval": 97}, "int", made.cost + 1, 1
        )

    def deep(self) -> Value:
        """A chain of many nodes, each of which needs the one before."""
        made = self.ref("int", 1)
        for _ in range(self.choose.integer(3, 30)):
            content: dict[str, object] = {
                "operator": 0,
                "lval": made.ref,
                "rval": self.choose.integer(0, 3),
            }
            made = self.node(10, content, "int", made.cost + 1, made.degree)
        return made

    # -- components

    def _maker(self, type_number: int, operator: int) -> Callable[[str, int], Value]:
        if type_number == 11:
            return lambda kind, depth: self._quantifier(operator, depth)
        return lambda kind, depth: self._binary(type_number, operator, depth)

    def _binary(self, type_number: int, operator: int, depth: int) -> Value:
        operand = "bool" if type_number == 12 else "int"
        left, right = self.ref(operand, depth - 1), self.ref(operand, depth - 1)
        if (type_number, operator) in ((10, 3), (10, 4)) and chance(self.choose, 60):
            left, right = self._below(left), self._divisor()
        degree = max(left.degree, right.degree)
        if (type_number, operator) == (10, 2):
            degree = left.degree + right.degree
        content = {"operator": operator, "lval": left.ref, "rval": right.ref}
        kind = "int" if type_number == 10 else "bool"
        return self.node(
            type_number,
            content,
            kind,
            1 + left.cost + right.cost,
            degree if kind == "int" else 0,
        )

    def _below(self, value: Value) -> Value:
        """Something less than a value, so that dividends are often negative."""
        by = self.choose.integer(1, 9)
        content = {"operator": 1, "lval": value.ref, "rval": by}
        return self.node(10, content, "int", 1 + value.cost, value.degree)

    def _divisor(self) -> Value:
        return Value(self.constant(pick(self.choose, (2, 3, 4, -2, -3, 0))), "int")

    def _negation(self, depth: int) -> Value:
        inner = self.ref("bool", depth - 1)
        return self.node(13, {"component": inner.ref}, "bool", 1 + inner.cost)

    def _quantifier(self, operator: int, depth: int) -> Value:
        kind = pick(self.choose, ("cards", "players"))
        group = self.ref(kind, depth - 1)
        self.bound.append(kind)
        component = self._about_each(kind, depth - 1)
        self.bound.pop()
        content = {"operator": operator, "set": group.ref, "component": component.ref}
        return self.node(11, content, "bool", 1 + group.cost + HAND * component.cost)

    def _about_each(self, kind: str, depth: int) -> Value:
        """A question about the bound card or player."""
        if chance(self.choose, 25):
            return self.ref("bool", depth)
        if kind == "cards":
            card = (
                Value(self.element("card", 0).ref, "card", 3)
                if chance(self.choose, 90)
                else self.special("card", 0)
            )
            left = self._property(card, self.world.readable("card"))
        elif chance(self.choose, 20):
            left = self._of_object("index", 0)
        else:
            asked = self.world.readable("player")
            left = self.node(
                6, {"operator": 0, "ident": "玩家", "property": asked}, "int", 1, 1
            )
        right = self.ref("int", depth - 1)
        content = {
            "operator": self.choose.integer(0, 4),
            "lval": left.ref,
            "rval": right.ref,
        }
        return self.node(14, content, "bool", 1 + left.cost + right.cost)

    def size(self, depth: int) -> Value:
        """How many there are of something."""
        group = self.ref(
            weighted(
                self.choose, [(6, "cards"), (2, "players"), (1, "list"), (1, "play")]
            ),
            depth - 1,
        )
        return self.node(7, {"selection": group.ref}, "int", 1 + group.cost)

    def element(self, kind: str, depth: int) -> Value:
        """A card or player out of several; mostly one that is there."""
        group = self.ref("players" if kind == "player" else "cards", depth - 1)
        index = weighted(self.choose, [(8, self.choose.integer(0, 2)), (1, -1), (1, 9)])
        at = (
            Value(self.constant(index), "int")
            if chance(self.choose, 70)
            else self.ref("int", depth - 1)
        )
        found = "player" if kind == "player" else "card"
        return self.node(
            5,
            {"selection": group.ref, "index": at.ref},
            found,
            1 + group.cost + at.cost,
        )

    def _sorted(self, kind: str, depth: int) -> Value:
        kind = kind if kind == "players" else "cards"
        group = self.ref(kind, depth - 1)
        return self.node(2, self.sort_fields(group.ref, kind), kind, 6 + group.cost)

    def sort_fields(self, selection: Ref, kind: str) -> dict[str, object]:
        """The content of a sort of `selection`: up to three properties in either direction."""
        owner = "player" if kind == "players" else "card"
        keys: list[dict[str, object]] = []
        for _ in range(weighted(self.choose, [(6, 1), (3, 2), (1, 3), (1, 0)])):
            key: dict[str, object] = {"name": self.world.readable(owner)}
            order = pick(self.choose, (0, 1, None, 2))
            if order is not None:
                key["order"] = order
            keys.append(key)
        return {"selection": selection, "properties": keys}

    def _is_cardset(self, depth: int) -> Value:
        sets = self.world.cardsets
        if not sets:
            return self._binary(14, 0, depth)
        asked = pick(self.choose, sets)
        number = self.world.card_number
        cards = self.ref(
            weighted(self.choose, [(7, "cards"), (1, "card"), (1, "play")]), depth - 1
        )
        ref: Ref = cards.ref
        if chance(self.choose, 20):
            ref = "|".join(f"card_{number()}" for _ in range(self.choose.integer(1, 3)))
        return self.node(
            15,
            {"card_set": ref, "card_rule": asked.id},
            "bool",
            1 + cards.cost + asked.cost,
        )

    def _call(self, kind: str, depth: int) -> Value:
        fitting = [
            one for one in self.world.methods if one.pure and one.returns == kind
        ]
        fitting = fitting or [one for one in self.world.methods if one.pure]
        if not fitting:
            return self._of_object(kind, depth)
        method = pick(self.choose, fitting)
        content, cost = self.call_fields(
            method.owner, method.name, method.parameters, depth
        )
        return self.node(
            1, content, method.returns, method.cost + cost, count="1.value"
        )

    def call_fields(
        self, owner: str, name: str, parameters: tuple[tuple[str, str], ...], depth: int
    ) -> tuple[dict[str, object], int]:
        """The content of a call and what its arguments cost: sometimes one argument too many or too few."""
        arguments = [self.ref(kind, depth - 1) for _, kind in parameters]
        refs: list[Ref] = [one.ref for one in arguments]
        if refs and chance(self.choose, 8):
            refs.pop()
        elif chance(self.choose, 8):
            refs.append(7)
        return {
            "object": self.object_of(owner),
            "method": name,
            "parameter": refs,
        }, sum(one.cost for one in arguments)

    def object_of(self, owner: str) -> str | int:
        """The name of an object of a class, where a field names an object."""
        if owner == "table":
            return "table_0"
        if owner == "card":
            return f"card_{self.world.card_number()}"
        number = self.world.player_number()
        names: tuple[str | int, ...] = ("玩家", f"player_{number}", str(number), number)
        return pick(self.choose, names)

    def _of_object(self, kind: str, depth: int) -> Value:
        if kind in ("cards", "players"):
            virtual = "玩家池" if kind == "players" else "卡牌池"
            return self.node(
                6, {"operator": 0, "ident": "table_0", "property": virtual}, kind, 1
            )
        owner = pick(self.choose, ("table", "player", "card"))
        prop = "settlement_index" if kind == "index" else self.world.readable(owner)
        ident = "table_0" if kind == "index" else self.object_of(owner)
        if chance(self.choose, 2):
            ident = pick(self.choose, ("2", "", "nothing_here"))
            if self.world.players is not None and ident == "2":
                ident = "0"
        return self.node(
            6, {"operator": 0, "ident": ident, "property": prop}, "int", 1, 1
        )

    def of_value(self, kind: str, depth: int) -> Value:
        """A property of the value of a node or keyword."""
        if kind == "cards":
            if self.flow.kind == "compare" or chance(self.choose, 40):
                return self.cards_of_play()
            return self._property(self.ref("table", depth - 1), "卡牌池", "cards")
        kinds = [(7, "card"), (4, "player"), (2, "table"), (2, "cards"), (1, "int")]
        if self.flow.kind == "compare":
            kinds.append((8, "play"))
        of = self.ref(weighted(self.choose, kinds), depth - 1)
        return self._property(of, self._name_for(of.kind))

    def _name_for(self, kind: str) -> str:
        if kind in ("card", "player", "table"):
            return self.world.readable(kind)
        if kind == "play":
            own = [name for one in self.world.cardsets for name in one.properties]
            return pick(
                self.choose, [*own, "cardsetId", "牌型ID", "牌型 ID", "content", ""]
            )
        return pick(
            self.choose, ("content", "", *self.world.properties["card"][:1], "made_up")
        )

    def _property(self, of: Value, name: str, kind: str = "int") -> Value:
        content: dict[str, object] = {"operator": 1, "ident": of.ref, "property": name}
        return self.node(6, content, kind, 1 + of.cost, 1)

    def _of_each(self, depth: int) -> Value:
        kinds = [(6, "cards"), (3, "players"), (1, "table"), (1, "card"), (1, "player")]
        of = self.ref(weighted(self.choose, kinds), depth - 1)
        owner = {"cards": "card", "players": "player"}.get(of.kind, of.kind)
        name = (
            self.world.readable(owner)
            if owner in ("card", "player", "table")
            else self._name_for(owner)
        )
        kind = "list" if of.kind in ("cards", "players") else "int"
        return self.node(
            6, {"operator": 2, "ident": of.ref, "property": name}, kind, 4 + of.cost, 1
        )
