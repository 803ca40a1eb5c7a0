"""Turn the graph of a flow into statements: guards, ifs and loops, without flags.

Goes in: a body. Comes out: its regions, each a function to be: the entry, the successor of each wait, and every join
that cannot be reached by falling through, by `break` or by `continue`. Follows the dominator tree (Ramsey, "Beyond
Relooper", ICFP 2022); since Python has no labelled break, a join that would need one becomes a region of its own and is
reached by a tail call, or by a hop where the calls would form a cycle. Ends are copied wherever they are needed, and so is
a single step before one if it would need a function otherwise. No flag is ever introduced, whatever the graph.

What is a function is decided on the graph that the waits cut. How its statements are laid out, and in which order functions
stand, is decided on the graph as if no wait stopped it (`structure_uncut`, `structure_order`): where a join has become a
function, what led to it stays as it was and ends with the call of it. So a wait put in anywhere moves nothing but what
stood in an indented block behind it.

Before: `5 branch -> ok / fail`, `7 branch -> ok2 / fail`, `fail` an end. After: `if not 5: fail`, `if not 7: fail`, …
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import final

from dealwright.compiler.passes.structure_hops import with_hops
from dealwright.compiler.passes.structure_ifs import (
    has_wait,
    if_and_else,
    with_end,
)
from dealwright.compiler.passes.structure_order import in_reading_order
from dealwright.compiler.passes.structure_sides import Sides
from dealwright.compiler.passes.structure_uncut import (
    MOST_COPIED,
    UncutGraph,
    between_joins,
)
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.dominance import ROOT, Dominance
from dealwright.compiler.representation.tree import (
    Break,
    Continue,
    Do,
    End,
    If,
    Jump,
    Loop,
    Region,
    Statement,
    falls,
    has_break,
)

MOST_NESTED = 12
"""Levels of nesting in one function; what lies deeper becomes a function of its own. CPython's parser allows about 100."""


PATIENT = 4
"""Tries in which each step to be copied is chosen; after twice as many, every join and loop gets a function."""


@final
@dataclass(frozen=True, slots=True)
class _Around:
    """Where control goes without a word: off the end (`fall`), on `continue` and on `break`; and how deep we are."""

    fall: str | None = None
    again: str | None = None
    out: str | None = None
    depth: int = 0


def structure(body: ir.Body) -> tuple[Region, ...]:
    """The regions of a body, the entry's first, each where its first statement would stand if nothing were cut."""
    heads = _first_heads(body)
    uncut = UncutGraph(body, between_joins(body))
    copied: frozenset[str] = frozenset()
    # Each try is good, or finds steps to copy or contract that were not before, or heads that were none; so this ends. A
    # step that is copied may spare a head, so heads are added only when there is nothing more to copy.
    for number in count():
        if number == PATIENT:
            # given up: that only those steps are copied of which each spares a function; from here on all single steps
            # before an end are, needed or not, and no others are added, so that every try adds a head
            uncut = UncutGraph(body, uncut.contracted | _tails(body), uncut.apart)
        attempt = _Attempt(body, uncut, heads, copied, may_copy=number < PATIENT)
        regions = attempt.regions()
        changes = attempt.changes()
        if changes.contracted or changes.apart:
            contracted = uncut.contracted | changes.contracted
            uncut = UncutGraph(body, contracted, uncut.apart | changes.apart)
        if changes.copied or changes.contracted:
            copied |= changes.copied
        elif changes.heads:
            heads = list(dict.fromkeys([*heads, *changes.heads]))
            if number >= 2 * PATIENT:
                # given up: that only what needs a function has one; some graphs show their heads one a try
                heads = list(dict.fromkeys([*heads, *attempt.hard_nodes()]))
        else:
            return with_hops(attempt.in_reading_order(regions))
    raise AssertionError("count never ends")


def _first_heads(body: ir.Body) -> list[str]:
    """The entry and the nodes behind the waits: heads whatever the graph."""
    operations = [one.operation for one in body.instructions.values()]
    behind = [head for one in operations if (head := ir.behind_wait(one)) is not None]
    return list(dict.fromkeys([body.entry, *behind]))


@final
@dataclass(frozen=True, slots=True)
class _Changes:
    """What to change before the next try; if nothing, the try is good."""

    heads: tuple[str, ...]
    """Nodes that need a function: joins no nesting reaches, entries of irreducible loops, what lies too deep."""
    copied: frozenset[str]
    """Single steps before an end that would need a function, so they are copied wherever control comes to them."""
    contracted: frozenset[str]
    """Steps that the uncut graph has to see through besides: copied, they spare a function or make guards of sides."""
    apart: frozenset[str]
    """Joins that the uncut graph must not put behind a branch, since the sides before them lie too deep."""


@final
class _Attempt:
    """One try with a set of heads and of steps to copy; `regions` makes it, then `changes` says what was wrong with it."""

    def __init__(
        self,
        body: ir.Body,
        uncut: UncutGraph,
        heads: list[str],
        copied: frozenset[str],
        may_copy: bool,
    ) -> None:
        self._body = body
        self._instructions = body.instructions
        self._uncut = uncut
        self._may_copy = may_copy
        self._tails = _tails(body)
        self._copied = uncut.contracted | (copied - frozenset(heads))
        self._short = self._always_in_place(heads)
        self._free_of_place = self._short | self._copied
        self._dominance = Dominance(self._entries(heads), self._long_successors)
        entries = self._dominance.children[ROOT]
        self._heads = list(dict.fromkeys([*heads, *entries]))
        self._is_head = frozenset(self._heads)
        self._loops = self._natural_loops()
        self._sides = Sides(self._instructions, uncut, self._loops)
        self._open: set[str] = set()
        self._known_exits: dict[str, dict[str, None]] = {}
        # what `changes` gives
        self._missing_heads: dict[str, None] = {}
        self._to_copy = set(self._tails.intersection(entries))
        self._to_contract: set[str] = set()
        self._to_set_apart: set[str] = set()
        self._force_irreducible()

    def regions(self) -> dict[str, Region]:
        """A region for each head; a jump may lead to a node that has none yet, and `changes` says so."""
        made = {
            head: Region(head, tuple(self._statements(head))) for head in self._heads
        }
        if not self._to_copy and not self._to_contract:
            self._explore()
        return made

    def changes(self) -> _Changes:
        """What making the regions has shown to be missing."""
        return _Changes(
            tuple(self._missing_heads),
            frozenset(self._to_copy),
            frozenset(self._to_contract),
            frozenset(self._to_set_apart),
        )

    def _always_in_place(self, heads: list[str]) -> frozenset[str]:
        """What stands in place wherever control comes to it: ends, and tails of which that is known already."""
        ends = (id for id, one in self._instructions.items() if _is_end(one))
        # a tail that a wait leads to is a function, but whoever else needs it has it in place
        tails = self._tails.intersection(heads) if self._may_copy else self._tails
        return tails.union(ends)

    def _natural_loops(self) -> dict[str, frozenset[str]]:
        """The members of each loop by its header."""
        dominance = self._dominance
        members = ((id, dominance.natural_loop(id)) for id in dominance.order[1:])
        return {id: found for id, found in members if found}

    def _statements(self, head: str) -> list[Statement]:
        """The statements of a head's function, with the jump at their end to what stood behind them if nothing were cut."""
        join = self._uncut.nearest(head)
        if join not in self._is_head or join == head:
            return self._block(head, _Around())
        return with_end(self._block(head, _Around(fall=join)), Jump(join, is_hop=False))

    def _entries(self, heads: list[str]) -> list[str]:
        """Where control comes from outside: the heads, of those that are copied as well what follows them."""
        found: dict[str, None] = {}
        for head in heads:
            is_free = head in self._free_of_place
            for one in self._long_successors(head) if is_free else [head]:
                found[one] = None
        return list(found)

    def _explore(self) -> None:
        """Go on behind each missing head, to find all of them at once rather than one a try."""
        explored: set[str] = set()
        pending = list(self._missing_heads)
        while pending:
            id = pending.pop()
            if id in explored:
                continue
            explored.add(id)
            known = len(self._missing_heads)
            self._block(id, _Around())
            pending.extend(list(self._missing_heads)[known:])

    def hard_nodes(self) -> list[str]:
        """Every join and every head of a loop: with a function for each of them nothing is left to be found out."""
        dominance = self._dominance
        return [
            id
            for id in dominance.order[1:]
            if id in self._loops or dominance.forward_predecessors(id) > 1
        ]

    def in_reading_order(self, made: dict[str, Region]) -> tuple[Region, ...]:
        """The regions that control comes to, each where its first statement would stand if nothing were cut."""
        return in_reading_order(self._body, made, self._in_order, self._free_of_place)

    def _in_order(self, id: str, branch: ir.Branch) -> tuple[str, str]:
        """The ways out of a branch, the one that is nested first."""
        first, second, _ = self._sides.in_order(id, branch)
        uncut = self._uncut
        join = next(iter(uncut.joins(id)), None) or uncut.nearest(id)
        if join is None or not uncut.goes_on(id, first, join):
            return first, second
        return (first, second) if uncut.goes_on(id, second, join) else (second, first)

    def _long_successors(self, id: str) -> list[str]:
        """Where control goes, seen through copied steps; ends that are copied do not count."""
        found: dict[str, None] = {}
        for one in ir.successors(self._instructions[id]):
            target: str | None = one
            while target in self._copied and target is not None:
                target = self._instructions[target].next
            if target is not None and target not in self._short:
                found[target] = None
        return list(found)

    def _force_irreducible(self) -> None:
        dominance = self._dominance
        for id in dominance.order[1:]:
            for target in self._long_successors(id):
                if dominance.is_retreating(id, target) and not dominance.is_back_edge(
                    id, target
                ):
                    self._force(target)

    def _force(self, id: str) -> None:
        if id in self._is_head:
            return
        if id in self._tails:
            self._to_copy.add(id)
        else:
            self._missing_heads[id] = None

    def _block(self, id: str, around: _Around) -> list[Statement]:
        """The statements from node `id` until control is somewhere in `around`, or gone."""
        out: list[Statement] = []
        here: str | None = id
        source = id
        while here is not None:
            if here not in self._free_of_place:
                source = here
            if here in self._loops and here not in self._open:
                if around.depth >= MOST_NESTED:
                    self._force(here)
                    out.append(Jump(here, is_hop=False))
                    return out
                here = self._loop(here, around, out)
                continue
            one = self._instructions[here]
            operation = one.operation
            if isinstance(operation, ir.Branch):
                here = self._branch(here, operation, around, out)
            elif one.next is None:
                out.append(End(here, operation))  # type: ignore[arg-type]  # steps have a next
                here = None
            else:
                if not isinstance(operation, ir.Pass):
                    out.append(Do(here, operation))  # type: ignore[arg-type]  # terminals have no next
                here = self._go(one.next, source, around, out)
        return out

    def _go(
        self, target: str, source: str, around: _Around, out: list[Statement]
    ) -> str | None:
        """Bring control to `target`: by nothing, by a word, or (returned) by going on there in place."""
        if target == around.fall:
            return None
        if target in self._free_of_place:
            return target
        if target == around.again:
            out.append(Continue())
            return None
        if target == around.out:
            out.append(Break())
            return None
        if self._is_placed_by(target, source):
            return target
        if not self._copy_up_to(target, around.fall):
            self._force(target)
        out.append(Jump(target, is_hop=False))
        return None

    def _copy_up_to(self, target: str, join: str | None) -> bool:
        """Have the steps from the join in between to the target copied from the next try on, so that it is no join.

        Gives whether that was done: only where there are at most `MOST_COPIED`. `between_joins` has found most of them
        beforehand.
        """
        if not self._may_copy:
            return False
        steps: set[str] = set()
        while join is not None and join != target:
            if (
                len(steps) == MOST_COPIED
                or join in self._is_head
                or join in self._loops
            ):
                return False
            steps.add(join)
            join = self._instructions[join].next
        if join is None or target in self._is_head:
            return False
        self._to_contract |= steps
        return True

    def _is_placed_by(self, target: str, source: str) -> bool:
        dominance = self._dominance
        return (
            target not in self._is_head
            and source in dominance.rank
            and target in dominance.rank
            and dominance.parent[target] == source
            and dominance.forward_predecessors(target) == 1
        )

    def _branch(
        self, id: str, branch: ir.Branch, around: _Around, out: list[Statement]
    ) -> str | None:
        join = self._join(id, around)
        inside = around if join is None else replace(around, fall=join)
        first, second, is_negated = self._sides.in_order(id, branch)
        nested = self._arm(first, id, inside)
        has_first = self._goes_on(id, first, nested, inside)
        if not has_first and join is None:
            out.append(If(id, branch.condition, is_negated, tuple(nested), ()))
            return self._go(second, id, around, out)
        other = self._arm(second, id, inside)
        has_second = self._goes_on(id, second, other, inside)
        if has_first and has_second:
            then, orelse = (other, nested) if is_negated else (nested, other)
            placed = if_and_else(id, branch, then, orelse, self._is_turned(id, branch))
        elif has_first:
            placed = [
                If(id, branch.condition, not is_negated, tuple(other), ()),
                *nested,
            ]
        else:
            placed = [If(id, branch.condition, is_negated, tuple(nested), ()), *other]
        if join is None or join not in self._is_head:
            out.extend(placed)
            return join if falls(placed) else None
        out.extend(with_end(placed, Jump(join, is_hop=False)))
        return None

    def _is_turned(self, id: str, branch: ir.Branch) -> bool:
        """Whether only the true side of a branch, waits left out, leads straight on."""
        uncut = self._uncut
        return uncut.goes_straight_on(id, branch.then) and not uncut.goes_straight_on(
            id, branch.orelse
        )

    def _goes_on(
        self, id: str, target: str, arm: list[Statement], around: _Around
    ) -> bool:
        """Whether control can fall off this side of a branch, or could if no wait stood on it; loops are as they are."""
        return falls(arm) or (
            around.fall is not None
            and not self._sides.is_in_loop(id)
            and has_wait(arm)
            and self._uncut.goes_on(id, target, around.fall)
        )

    def _join(self, id: str, around: _Around) -> str | None:
        """The join that stands behind this branch, or else one that is a function or a tail that is copied."""
        dominance = self._dominance
        joins = [
            one
            for one in dominance.children[id]
            if one != around.out and dominance.forward_predecessors(one) > 1
        ]
        if not joins and not self._sides.is_in_loop(id):
            joins = self._uncut.joins(id)
        return joins[0] if joins else None

    def _arm(self, target: str, source: str, around: _Around) -> list[Statement]:
        out: list[Statement] = []
        around = replace(around, depth=around.depth + 1)
        if (
            around.depth > MOST_NESTED
            and target not in self._free_of_place
            and self._is_placed_by(target, source)
        ):
            if around.fall in self._tails:
                # with a copied tail the branches around are guards, and nothing is deep
                self._to_contract.add(around.fall)
            else:
                self._to_set_apart |= set() if around.fall is None else {around.fall}
                self._force(target)
            return [Jump(target, is_hop=False)]
        here = self._go(target, source, around, out)
        return out if here is None else [*out, *self._block(here, around)]

    def _loop(self, header: str, around: _Around, out: list[Statement]) -> str | None:
        follow = self._follow(header, around)
        inside = _Around(fall=header, again=header, out=follow, depth=around.depth + 1)
        self._open.add(header)
        body = tuple(self._block(header, inside))
        self._open.discard(header)
        out.append(Loop(header, body))
        if follow is None or not has_break(body):
            return None
        if follow in (around.fall, around.again, around.out):
            return self._go(follow, header, around, out)
        return follow

    def _exits(self, header: str) -> dict[str, None]:
        """Where control can go from a loop, in control order."""
        known = self._known_exits.get(header)
        if known is None:
            members = self._loops[header]
            known = self._known_exits[header] = {}
            for id in sorted(members, key=self._dominance.rank.__getitem__):
                for one in self._long_successors(id):
                    if one not in members:
                        known[one] = None
        return known

    def _follow(self, header: str, around: _Around) -> str | None:
        """Where `break` leads: where control is wanted anyway, else the join behind the loop, else its largest exit."""
        dominance = self._dominance
        members = self._loops[header]
        exits = self._exits(header)
        for wanted in (around.fall, around.again, around.out):
            if wanted is not None and wanted in exits:
                return wanted
        own = [
            one
            for one in exits
            if one not in self._is_head and dominance.parent[one] in members
        ]
        joins = [one for one in own if dominance.forward_predecessors(one) > 1]
        return max(joins or own, key=lambda one: dominance.sizes[one], default=None)


def _tails(body: ir.Body) -> frozenset[str]:
    """The nodes that are one step before an end: two statements, copied rather than made a function."""
    return frozenset(
        id
        for id, one in body.instructions.items()
        if one.next is not None and _is_end(body.instructions[one.next])
    )


def _is_end(one: ir.Instruction) -> bool:
    return one.next is None and not isinstance(one.operation, ir.Branch)
