"""Decide which shared formulas a function keeps in locals: inline by default, a local when shared and heavy.

Goes in: a structured region. Comes out: for each statement the values to be put in locals just before it. A value gets a
local if it is used twice or more in the function (by copies of one statement once) and weighs more than two (constants
and references 0; a property, an element, a length, an operator 1; a list of cards 3; a sort, a quantifier, a cardset
test, a call 4; what already has a local 0), a comparison more than three, or if a formula would grow too deep. The local
stands in the innermost block that holds all uses, before the first of them. Whether it still holds at a later use is the
emitter's to know: an assignment in between ends it. Where that would leave nothing to serve, the uses between two
assignments get a local of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from dealwright.compiler.passes.effects import Effects, ends
from dealwright.compiler.passes.reads import Reads, called
from dealwright.compiler.passes.share_places import (
    Address,
    Versions,
    addressed,
    all_statements,
    common_place,
)
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value
from dealwright.compiler.representation.tree import (
    Do,
    If,
    Loop,
    Region,
    Statement,
    falls,
)
from dealwright.compiler.representation.types import Rep

LIGHT = 2
"""The heaviest formula that is repeated rather than named."""
LIGHT_COMPARISON = 3
"""The same of comparisons: `ranks[3] == ranks[5]` is as short as a name for it, and where alternatives share one, most fail
before they ask it."""
DEEPEST = 25
"""Levels of a formula; CPython's parser and libcst bound how deep one expression may nest."""

LARGE = 100
"""Nodes of a formula, written out, from which on it is named although it calls a method that may run for ever."""
LONG_COPY = 20
"""Nodes of a formula, written out, from which on it is named rather than written at every copy of its statement."""
HUGE = 1_000_000
MOST_WORK = 100_000
"""Statements to be looked at, all values together, to find a value's uses between assignments; else it has no local."""

_WEIGHTS = {
    ir.CardList: 3,
    ir.CardsOf: 0,
    ir.PlayNumber: 1,
    ir.PlayProperty: 1,
    ir.Sorted: 4,
    ir.SortedValues: 4,
    ir.Alike: 4,
    ir.ValueAt: 1,
    ir.Column: 1,
    ir.Element: 1,
    ir.Member: 1,
    ir.Each: 4,
    ir.Size: 1,
    ir.Arithmetic: 1,
    ir.Logic: 1,
    ir.Not: 1,
    ir.Compare: 1,
    ir.Quantifier: 4,
    ir.IsCardset: 4,
    ir.Call: 4,
    ir.Truth: 1,
    ir.Number: 1,
    ir.MixedSize: 4,
    ir.MixedElement: 4,
    ir.MixedProperty: 4,
    ir.MixedSorted: 4,
    ir.MixedCards: 4,
    ir.MixedPlayers: 4,
    ir.MixedIntegers: 4,
}


def _light(value: Value) -> int:
    """The heaviest formula of its kind that is repeated."""
    return LIGHT_COMPARISON if isinstance(value, ir.Compare) else LIGHT


def bound_name(quantifier: ir.Quantifier) -> str:
    """What a quantifier binds: "card" or "player"."""
    return "player" if ir.rep_of(quantifier.selection) is Rep.PLAYERS else "card"


def expanded_sizes(value: Value, known: dict[Value, int]) -> int:
    """How many nodes the value has when every shared part is written out, at most `HUGE`; `known` grows."""
    pending = [value]
    while pending:
        one = pending[-1]
        missing = [child for child in ir.children(one) if child not in known]
        if missing:
            pending.extend(missing)
        else:
            size = 1 + sum(known[child] for child in ir.children(one))
            known[one] = min(size, HUGE)
            pending.pop()
    return known[value]


@final
@dataclass(frozen=True, slots=True)
class _Facts:
    """Whether a value can be moved.

    elements: the bound elements ("card", "player") that it mentions and does not bind itself. has_loops: it calls a
    method that may run for ever. size: its nodes, written out.
    """

    elements: frozenset[str]
    has_loops: bool
    size: int


@final
class Shared:
    """The locals of one region; ask `before` with the address of a statement.

    `bound` names the elements ("card", "player") that the function gets as parameters, being the body of a quantifier;
    quantifiers inside it that bind the same again are functions of their own, so nothing here looks into them. `given`
    values are parameters, and cost nothing.
    """

    def __init__(
        self,
        region: Region,
        reads: Reads,
        effects: Effects,
        bound: frozenset[str] = frozenset(),
        given: frozenset[Value] = frozenset(),
    ) -> None:
        self._bound = bound
        self._given = given
        self._reads = reads
        self._effects = effects
        self._roots = list(addressed(region.statements, ()))
        self._known: dict[Value, _Facts] = {}
        self._region = region
        order, edges = self._below()
        refused: set[Value] = set()
        self._parted: set[Value] = set()
        while True:
            named = self._named(order, edges, refused)
            self._before: dict[Address, list[Value]] = {}
            uses, useless = self._place(order, named)
            idle = self._idle(uses)
            if not idle and not useless:
                return
            refused |= useless
            is_affordable = len(idle) * len(self._roots) <= MOST_WORK
            if is_affordable:
                self._parted |= idle
            else:
                refused |= idle

    def before(self, address: Address) -> list[Value]:
        """The values to put in locals just before the statement there, those that others need first."""
        return self._before.get(address, [])

    def _below(self) -> tuple[list[Value], dict[Value, int]]:
        """All values, operands before what is made of them, and how often each is an operand or a root."""
        order: list[Value] = []
        edges: dict[Value, int] = {}
        done: set[Value] = set()
        for root in self._uses():
            edges[root] = edges.get(root, 0) + 1
            pending: list[tuple[Value, bool]] = [(root, False)]
            while pending:
                value, is_ready = pending.pop()
                if value in done:
                    continue
                if is_ready:
                    done.add(value)
                    order.append(value)
                    for child in self._children(value):
                        edges[child] = edges.get(child, 0) + 1
                    continue
                pending.append((value, True))
                pending.extend(
                    (child, False) for child in reversed(self._children(value))
                )
        return order, edges

    def _uses(self) -> Iterator[Value]:
        """The values of all statements.

        A node that is copied uses its values once, unless they are long: however often an end is copied, the lines in
        front of it stay as they are.
        """
        sizes: dict[Value, int] = {}
        seen: set[str] = set()
        for _, node, roots in self._roots:
            for root in roots:
                if node not in seen or expanded_sizes(root, sizes) > LONG_COPY:
                    yield root
            seen.add(node)

    def _named(
        self, order: list[Value], edges: dict[Value, int], refused: set[Value]
    ) -> dict[Value, None]:
        weights: dict[Value, int] = {}
        depths: dict[Value, int] = {}
        named: dict[Value, None] = {}
        for value in order:
            below = self._children(value)
            own = 0 if value in self._given else _WEIGHTS.get(type(value), 0)
            weight = own + sum(weights[child] for child in below)
            depth = 1 + max((depths[child] for child in below), default=0)
            if (
                self._can_move(value)
                and value not in refused
                and ((edges[value] > 1 and weight > _light(value)) or depth > DEEPEST)
            ):
                named[value] = None
                weight = depth = 0
            weights[value], depths[value] = min(weight, 1000), depth
        return named

    def _children(self, value: Value) -> tuple[Value, ...]:
        if value in self._given:
            return ()
        if isinstance(value, ir.Quantifier) and bound_name(value) in self._bound:
            return (value.selection,)
        return ir.children(value)

    def _can_move(self, value: Value) -> bool:
        """Whether the value may be evaluated before the statement that uses it: no bound element, no endless method.

        An endless method is called early only if its call, written out as often as it is used, would be too much.
        """
        facts = self._facts(value)
        return facts.elements <= self._bound and (
            not facts.has_loops or facts.size > LARGE
        )

    def _facts(self, root: Value) -> _Facts:
        pending = [root]
        while pending:
            value = pending[-1]
            missing = [one for one in _all_parts(value) if one not in self._known]
            if missing:
                pending.extend(missing)
            else:
                pending.pop()
                self._known[value] = self._own_facts(value)
        return self._known[root]

    def _own_facts(self, value: Value) -> _Facts:
        """The facts of a value whose parts are known."""
        parts = [self._known[one] for one in _all_parts(value)]
        elements = frozenset[str]().union(*(one.elements for one in parts))
        has_loops = any(one.has_loops for one in parts)
        match value:
            case ir.BoundCard():
                elements |= {"card"}
            case ir.BoundPlayer():
                elements |= {"player"}
            case ir.Quantifier(_, selection, body):
                inside = self._known[body].elements - {bound_name(value)}
                elements = self._known[selection].elements | inside
            case ir.Call() | ir.IsCardset():
                key = called(value)
                assert key is not None, "both call a flow"
                has_loops |= self._reads.of(key).loops
            case _:
                pass
        size = 1 + sum(one.size for one in parts)
        return _Facts(elements, has_loops, min(size, HUGE))

    def _place(
        self, order: list[Value], named: dict[Value, None]
    ) -> tuple[dict[Value, list[Address]], set[Value]]:
        """Give each named value its place; those made of others first, since their place is a use of the others.

        A value that an assignment parts gets a place for each part that it serves; also comes out which get none.
        """
        uses: dict[Value, list[Address]] = {value: [] for value in named}
        for address, _, roots in self._roots:
            for value in self._until_named(roots, named):
                uses[value].append(address)
        useless: set[Value] = set()
        for value in reversed(order):
            if value not in named or not uses[value]:
                continue
            parts = [uses[value]]
            if value in self._parted:
                parts = self._parts(value, uses[value], named)
                useless.update([] if parts else [value])
            for part in parts:
                address = common_place(part)
                self._before.setdefault(address, []).insert(0, value)
                for other in self._until_named(self._children(value), named):
                    uses[other].append(address)
        return uses, useless

    def _parts(
        self, value: Value, uses: list[Address], named: dict[Value, None]
    ) -> list[list[Address]]:
        """The uses between one assignment that ends the value and the next, where there are two of them or more."""
        versions = Versions(self._effects, value, uses)
        versions.follow(self._region.statements)
        parts: dict[int, list[Address]] = {}
        for address in uses:
            parts.setdefault(versions.at[address], []).append(address)
        needs = {
            address: (node, values)
            for address, node, values in self._roots
            if address in versions.at
        }
        return [
            part
            for part in parts.values()
            if len({needs[one][0] for one in part}) > 1
            or len(part) > len(set(part))
            or self._is_used_twice(value, needs[part[0]][1], named)
        ]

    def _is_used_twice(
        self, value: Value, roots: tuple[Value, ...], named: dict[Value, None]
    ) -> bool:
        """Whether the expressions of one statement mention the value in two places."""
        edges = roots.count(value)
        seen: set[Value] = set()
        pending = list(roots)
        while pending:
            one = pending.pop()
            if one in seen or one in named:
                continue
            seen.add(one)
            below = self._children(one)
            edges += below.count(value)
            pending.extend(below)
        return edges > 1

    def _until_named(
        self, roots: tuple[Value, ...], named: dict[Value, None]
    ) -> list[Value]:
        """The named values that an expression of the roots mentions, not looking inside them."""
        found: dict[Value, None] = {}
        seen: set[int] = set()
        pending = list(reversed(roots))
        while pending:
            value = pending.pop()
            if id(value) in seen:
                continue
            seen.add(id(value))
            if value in named:
                found[value] = None
            else:
                pending.extend(reversed(self._children(value)))
        return list(found)

    def _idle(self, uses: dict[Value, list[Address]]) -> set[Value]:
        """The values whose local would serve at most one statement, since an assignment ends it before the next.

        Of those that are parted already none.
        """
        statements = self._region.statements
        if not any(isinstance(one, Do) for one in all_statements(statements)):
            return set()
        serves = dict.fromkeys(uses, 0)
        used_at: dict[Address, list[Value]] = {}
        for value, addresses in uses.items():
            for address in dict.fromkeys(addresses):
                used_at.setdefault(address, []).append(value)
        self._serve(statements, (), frozenset(), used_at, serves)
        return {
            value
            for value, count in serves.items()
            if count < 2 and len(set(uses[value])) > 1 and value not in self._parted
        }

    def _serve(
        self,
        statements: tuple[Statement, ...],
        above: Address,
        alive: frozenset[Value],
        used_at: dict[Address, list[Value]],
        serves: dict[Value, int],
    ) -> frozenset[Value]:
        """Follow which locals hold, as the emitter will, and count the statements that each serves."""
        for place, one in enumerate(statements):
            address = (*above, place)
            alive |= frozenset(self._before.get(address, ()))
            for value in used_at.get(address, ()):
                if value in alive:
                    serves[value] += 1
            match one:
                case Do(_, step):
                    alive = self._after(alive, self._effects.changed_by(step))
                case If(_, _, _, then, orelse):
                    sides = [
                        self._serve(side, (*address, number), alive, used_at, serves)
                        for number, side in enumerate((then, orelse))
                    ]
                    kept = [
                        after
                        for side, after in zip((then, orelse), sides, strict=True)
                        if falls(side)
                    ]
                    for after in kept:
                        alive &= after
                case Loop(_, body):
                    alive = self._after(alive, self._effects.changed_in(body))
                    self._serve(body, (*address, 1), alive, used_at, serves)
                case _:
                    pass
        return alive

    def _after(
        self, alive: frozenset[Value], changed: frozenset[str]
    ) -> frozenset[Value]:
        if not changed:
            return alive
        return frozenset(
            one for one in alive if not ends(self._effects.read_by(one), changed)
        )


def _all_parts(value: Value) -> tuple[Value, ...]:
    """What a value is made of, what a call sees of its surroundings included."""
    if not isinstance(value, ir.Call | ir.IsCardset):
        return ir.children(value)
    context = value.context
    seen = (context.judged, context.card, context.player)
    return (*ir.children(value), *(one for one in seen if one is not None))
