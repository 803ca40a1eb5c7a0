"""Random flows of each kind, written from their ends backwards.

A statement is made after the one that it goes on to, so any earlier-made statement may be jumped to without making a
circle: that gives joins of every shape. Loops are closed on purpose: bounded by a counter on the table, by a hand that
empties, by waits, or (a few) not at all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.rulegen.builder import Builder, Ref, Value
from tests.rulegen.choose import chance, pick, weighted
from tests.rulegen.values import COMPONENTS, Values
from tests.rulegen.world import MethodSketch

Statement = Callable[[str], str]


class Flow:
    """Writes the statements of one flow.

    `pure` flows change nothing: build and compare flows, and methods that may be read as values. `end` makes an end of
    the flow; `waits` says whether players may be asked.
    """

    def __init__(
        self,
        builder: Builder,
        *,
        pure: bool,
        end: Callable[[], str],
        waits: bool = False,
    ) -> None:
        self.flow = builder
        self.values = Values(builder)
        self.world = builder.world
        self.choose = builder.choose
        self.end = end
        self._loops = 0
        count = weighted(self.choose, [(1, 0), (3, 1), (3, 2), (3, 4)])
        self._featured = [pick(self.choose, COMPONENTS) for _ in range(count)]
        kinds: list[tuple[int, Statement]] = [
            (30, self._branch),
            (6, self._pass_value),
            (4, self._call_pure),
            (4, self._sort_copy),
        ]
        if pure:
            if builder.kind in ("build", "compare"):
                kinds.append((3, self.assign_any))
        else:
            kinds += [
                (40, self.assign_any),
                (7, self._call_effect),
                (8, self.shuffle),
                (6, self._sort_deck),
                (5, self._deal_one),
            ]
            kinds += [
                (8, self._counted_loop),
                (5, self._counted_repeat),
                (1, self._endless),
            ]
        if waits:
            kinds += [(14, self.play), (10, self.ask), (3, self._pass_start)]
        self._kinds = kinds

    def chain(self, count: int, then: str) -> str:
        """So many statements before `then`; returns the first."""
        for _ in range(count):
            if self.flow.targets and chance(self.choose, 7):
                then = pick(self.choose, self.flow.targets)
            then = weighted(self.choose, self._kinds)(then)
        return then

    def feature(self, then: str) -> str:
        """Makes sure that the components drawn for this flow are in it, each asked or assigned."""
        for label in self._featured:
            made = self.values.any_component(label)
            if made.cost > self.flow.cost_limit:
                continue
            pure = self.flow.kind in ("build", "compare", "method")
            if pure or chance(self.choose, 30):
                # an end of its own is what makes the answer matter
                other = self.end() if chance(self.choose, 70) else self._side(then, 1)
                then = self.flow.branch(self._asked(made).ref, then, other)
            else:
                then = self.assign(self._table_target(), self._reduced(made), then)
        return then

    def _asked(self, made: Value) -> Value:
        """A condition about a value: as it is, or compared."""
        if made.kind == "bool" or chance(self.choose, 30):
            return made
        operator = self.choose.integer(0, 4)
        content: dict[str, object] = {
            "operator": operator,
            "lval": made.ref,
            "rval": self.values.constant(self.choose.integer(0, 4)),
        }
        return self.values.node(14, content, "bool", made.cost + 1)

    def _reduced(self, made: Value) -> Ref:
        if made.degree < 2:
            return made.ref
        return self.values.node(
            10, {"operator": 4, "lval": made.ref, "rval": 97}, "int", made.cost + 1, 1
        ).ref

    # -- branches and what changes nothing

    def _side(self, then: str, count: int) -> str:
        """One side of a branch: to the join, to an end of its own, or to anything that exists."""
        how = weighted(self.choose, [(6, "join"), (2, "end"), (2, "jump")])
        if how == "end":
            return self.end()
        if how == "jump" and self.flow.targets:
            return pick(self.choose, self.flow.targets)
        return self.chain(self.choose.integer(0, count), then)

    def _branch(self, then: str) -> str:
        condition = self.values.condition(
            weighted(self.choose, [(4, 1), (3, 2), (1, 3)])
        )
        if chance(self.choose, 3):
            condition = Value("", "none")
        if chance(self.choose, 5):
            condition = self._asked(self.values.deep())
        if_true = self._side(then, 2)
        return self.flow.branch(condition.ref, if_true, self._side(then, 1))

    def _pass_value(self, then: str) -> str:
        return self.flow.on_the_path(then)

    def _pass_start(self, then: str) -> str:
        return self.flow.control(
            pick(self.choose, (17, 23, 25, 27, 29)), {}, then, count="start on the path"
        )

    def _call_pure(self, then: str) -> str:
        pure = [one for one in self.world.methods if one.pure]
        return self._call(pick(self.choose, pure), then) if pure else then

    def _call(self, method: MethodSketch, then: str) -> str:
        content, cost = self.values.call_fields(
            method.owner, method.name, method.parameters, 2
        )
        if method.cost + cost > 4 * self.flow.cost_limit:
            return then
        return self.flow.control(1, content, then, count="1.statement")

    def _sort_copy(self, then: str) -> str:
        group = self.values.ref(pick(self.choose, ("cards", "players")), 1)
        while self._is_deck(group):
            group = Value("cards", "cards")
        return self.flow.control(
            2, self.values.sort_fields(group.ref, group.kind), then, count="2.statement"
        )

    def _is_deck(self, group: Value) -> bool:
        """Whether a sort of this as a statement would change the deck."""
        node = self.flow.nodes.get(str(group.ref), {})
        return "卡牌池" in str(node.get("content"))

    # -- changes

    def assign_any(self, then: str) -> str:
        """An assignment of any value to any property that may be assigned."""
        target = self._table_target() if chance(self.choose, 50) else self._any_target()
        rvalue = self.values.number(weighted(self.choose, [(4, 1), (2, 2), (1, 3)]))
        if rvalue.cost > self.flow.cost_limit:
            rvalue = Value(1, "int")
        return self.assign(target, rvalue.ref, then)

    def assign(self, target: Ref, rvalue: Ref, then: str) -> str:
        """An assignment before `then`."""
        return self.flow.control(4, {"component": target, "rvalue": rvalue}, then)

    def _table_target(self) -> Ref:
        return self.of_table(self.world.assignable("table")).ref

    def of_table(self, name: str) -> Value:
        """A node for this property of the table, to be read or assigned."""
        return self.values.node(
            6, {"operator": 0, "ident": "table_0", "property": name}, "int", 1, 1
        )

    def _any_target(self) -> Ref:
        owner = pick(self.choose, ("player", "card", "table"))
        name = self.world.assignable(owner)
        if chance(self.choose, 50):
            content: dict[str, object] = {
                "operator": 0,
                "ident": self.values.object_of(owner),
                "property": name,
            }
        else:
            content = {
                "operator": 1,
                "ident": self._object_node(owner),
                "property": name,
            }
        return self.values.node(6, content, "int", 4, 1).ref

    def _object_node(self, owner: str) -> Ref:
        """A node whose value is an object of this class, as an assignment through operator 1 needs."""
        if self.flow.owner and chance(self.choose, 60):
            known = [*self.flow.parameters, ("调用该方法的对象", self.flow.owner)]
            fitting = [(name, kind) for name, kind in known if kind == owner]
            if fitting:
                return self.values.pair(25, pick(self.choose, fitting)[0], owner).ref
        if owner == "table":
            return self.values.pair(17, "牌桌", "table").ref
        if owner == "player" and chance(self.choose, 50):
            return self.values.pair(23, "玩家", "player").ref
        return self.values.element(owner, 1).ref

    def _call_effect(self, then: str) -> str:
        able = [one for one in self.world.methods if not one.pure]
        return self._call(pick(self.choose, able), then) if able else then

    def shuffle(self, then: str) -> str:
        """A shuffle of the deck."""
        return self.flow.control(19, {}, then)

    def _sort_deck(self, then: str) -> str:
        deck = self.values.node(
            6, {"operator": 0, "ident": "table_0", "property": "卡牌池"}, "cards", 1
        )
        return self.flow.control(
            2, self.values.sort_fields(deck.ref, "cards"), then, count="2.statement"
        )

    def _deal_one(self, then: str) -> str:
        if self.world.undealt < self.world.seats and not chance(self.choose, 15):
            return then
        self.world.undealt -= self.world.seats
        return self.deal(pick(self.choose, (1, 0, None, -1)), then)

    def deal(self, count: int | None, then: str) -> str:
        """A deal of `count` rounds (None: not written), with filters if enough cards pass them."""
        content: dict[str, Any] = {"prop_pair": self._filters(count)}
        if not content["prop_pair"] and chance(self.choose, 30):
            del content["prop_pair"]
        in_content = count is not None and chance(self.choose, 40)
        if in_content:
            content["count"] = count
        id = self.flow.control(20, content, then)
        if count is not None and not in_content:
            self.flow.nodes[id]["count"] = count
            if chance(self.choose, 20):
                self.flow.nodes[id]["content"] = {
                    **(self.flow.nodes[id]["content"] or {}),
                    "count": 99,
                }
        return id

    def _filters(self, count: int | None) -> list[dict[str, Any]]:
        if not chance(self.choose, 40):
            return []
        filters: list[dict[str, Any]] = []
        passing = list(self.world.deck)
        for _ in range(self.choose.integer(1, 2)):
            name = weighted(
                self.choose,
                [
                    (8, pick(self.choose, self.world.properties["card"] or ["none"])),
                    (1, ""),
                    (1, "没有声明"),
                ],
            )
            low, high = self.choose.integer(0, 2), self.choose.integer(1, 4)
            bounds: dict[str, Any] = {"prop_name": name}
            if not chance(self.choose, 30):
                bounds["lower_bound"] = low
            if not chance(self.choose, 30):
                bounds["upper_bound"] = high
            filters.append(bounds)
            if name:
                passing = [
                    card for card in passing if _passes(card.get(name, 0), bounds)
                ]
        return (
            filters
            if len(passing) >= (1 if count is None else count) * self.world.seats
            else []
        )

    # -- waits

    def play(self, then: str) -> str:
        """A wait for a play."""
        content: dict[str, object] = pick(
            self.choose, ({}, {"timer": 15}, {"timer": None, "options": ["出牌"]})
        )
        return self.flow.control(21, content, then)

    def ask(self, then: str) -> str:
        """A wait for a choice, with or without options."""
        options: Any = pick(
            self.choose,
            (
                [0, 1],
                [{"name": "叫", "value": 2}, {"name": "不叫", "value": 0}],
                None,
                [],
                [1, "two", {"name": "three", "value": 3}, {"name": "?", "value": "x"}],
            ),
        )
        return self.flow.control(
            22, {"timer": 20} if options is None else {"options": options}, then
        )

    def rotate(self, then: str) -> str:
        """Makes it the next player's turn."""
        turn = self.of_table("player_index")
        step: dict[str, object] = {
            "operator": 0,
            "lval": turn.ref,
            "rval": self.values.constant(1),
        }
        seats = (
            self.world.seats
            if self.world.players is None or chance(self.choose, 60)
            else self.world.players
        )
        following = self.values.node(10, step, "int", 2, 1)
        if chance(self.choose, 60):
            following = self.values.node(
                10, {"operator": 4, "lval": following.ref, "rval": seats}, "int", 3, 1
            )
        return self.assign(turn.ref, following.ref, then)

    # -- loops

    def _counter(self) -> tuple[Value, str]:
        """A fresh loop counter on the table, declared or not."""
        name = f"loop_{len(self.world.counters)}"
        self.world.counters.append(name)
        return self.of_table(name), name

    def _counted_loop(self, then: str) -> str:
        """while counter < n: body; counter += 1 — with the formula of the counter shared around its increment."""
        return self._loop(then, tested_first=True)

    def _counted_repeat(self, then: str) -> str:
        """do body; counter += 1 while counter < n."""
        return self._loop(then, tested_first=False)

    def _loop(self, then: str, *, tested_first: bool) -> str:
        if self._loops >= 3:
            return then
        self._loops += 1
        turns = self.choose.integer(1, 3)
        counter, _ = self._counter()
        more = self.values.node(
            14,
            {"operator": 2, "lval": counter.ref, "rval": self.values.constant(turns)},
            "bool",
            3,
        )
        following = self.values.node(
            10, {"operator": 0, "lval": counter.ref, "rval": 1}, "int", 2, 1
        )
        head = self.flow.new_id()
        count = self.assign(counter.ref, following.ref, head)
        body = self.chain(self.choose.integer(1, 3), count)
        self.flow.branch(more.ref, body, then, id=head)
        self.flow.targets.remove(head)  # jumping there from inside would skip the count
        entry = head if tested_first else body
        return (
            self.assign(counter.ref, self.values.constant(0), entry)
            if chance(self.choose, 60)
            else entry
        )

    def round_until_empty(self, then: str, body: int) -> str:
        """Everybody plays in turn until the current player has no card left (the players' own doing bounds it)."""
        hand = self.values.node(
            6, {"operator": 0, "ident": "玩家", "property": "手牌数"}, "int", 1, 1
        )
        empty = self.values.node(
            14,
            {
                "operator": pick(self.choose, (0, 4)),
                "lval": hand.ref,
                "rval": self.values.constant(0),
            },
            "bool",
            3,
        )
        wait = self.flow.new_id()
        again = self.rotate(wait)
        test = self.flow.branch(empty.ref, then, again)
        first = self.chain(body, test)
        self.flow.add(21, {"timer": 30}, id=wait)
        self.flow.link(wait, "next", first)
        return wait

    def _endless(self, then: str) -> str:
        """A circle that never ends once entered, behind a question that is rarely answered with yes."""
        if not chance(self.choose, 25):
            return then
        head = self.flow.new_id()
        body = self.assign(self._table_target(), 1, head)
        self.flow.branch(self.values.condition(1).ref, body, then, id=head)
        return self.flow.branch(self.values.condition(1).ref, head, then)


def _passes(value: int, bounds: dict[str, Any]) -> bool:
    return bool(
        bounds.get("lower_bound", -99) <= value <= bounds.get("upper_bound", 99)
    )
