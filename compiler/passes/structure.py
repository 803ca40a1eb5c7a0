"""Turn the graph of a flow into statements: guards, ifs and loops, without flags.

Goes in: a body. Comes out: its regions, each a function to be: the entry, the successor of each wait, and every join
that cannot be reached by falling through, by `break` or by `continue`. Follows the dominator tree (Ramsey, "Beyond
Relooper", ICFP 2022); since Python has no labelled break, a join that would need one becomes a region of its own and is
reached by a tail call, or by a hop where the calls would form a cycle. Ends are copied wherever they are needed, and so is
a single step before one if it would need a function otherwise. No flag is ever introduced, whatever the graph.

Before: `5 branch -> ok / fail`, `7 branch -> ok2 / fail`, `fail` an end. After: `if not 5: fail`, `if not 7: fail`, …
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import final

from dealwright.compiler import ir
from dealwright.compiler.dominance import ROOT, Dominance
from dealwright.compiler.flowgraph import strongly_connected
from dealwright.compiler.passes.structure_sides import Sides
from dealwright.compiler.tree import (
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
    jumps,
)

MOST_NESTED = 12
"""Levels of nesting in one function; what lies deeper becomes a function of its own. CPython's parser allows about 100."""


PATIENT = 4
"""Tries in which steps may still be copied; after twice as many, every join and loop gets a function."""
MOST_CALLS = 50
"""Functions of one flow that call one another in a row before a hop; CPython allows about 1,000 frames in all."""
MOST_COPIED = 2
"""Steps between one join and the next that are copied rather than made a function."""


@final
@dataclass(frozen=True, slots=True)
class _Around:
    """Where control goes without a word: off the end (`fall`), on `continue` and on `break`; and how deep we are."""

    fall: str | None = None
    again: str | None = None
    out: str | None = None
    depth: int = 0


def structure(body: ir.Body) -> tuple[Region, ...]:
    """The regions of a body, the entry's first, then in control order."""
    heads = _wait_heads(body)
    copied: frozenset[str] = frozenset()
    for number in count():
        attempt = _Attempt(body, heads, copied, may_copy=number < PATIENT)
        made = attempt.regions()
        if attempt.to_copy:
            copied |= attempt.to_copy
        elif attempt.forced:
            more = attempt.forced if number < 2 * PATIENT else attempt.hard_nodes()
            heads = list(dict.fromkeys([*heads, *attempt.forced, *more]))
        else:
            return _with_hops(attempt.in_control_order(made))
    raise AssertionError("count never ends")


def _wait_heads(body: ir.Body) -> list[str]:
    heads = [body.entry]
    for one in body.instructions.values():
        if isinstance(one.operation, ir.AskPlay | ir.AskChoice):
            heads.append(one.operation.next)
    return list(dict.fromkeys(heads))


def _with_hops(regions: tuple[Region, ...]) -> tuple[Region, ...]:
    """Make hops of the jumps that close a cycle, and of those that would make a chain of calls too long."""
    targets = {
        region.head: list(dict.fromkeys(jumps(region.statements))) for region in regions
    }
    component = {
        head: number
        for number, heads in enumerate(strongly_connected(targets, targets.__getitem__))
        for head in heads
    }
    landings = _landings(targets, component)
    return tuple(
        Region(
            region.head,
            _hopping(region.statements, region.head, component, landings),
        )
        for region in regions
    )


def _landings(
    targets: dict[str, list[str]], component: dict[str, int]
) -> frozenset[str]:
    """The regions that are only hopped to, so that at most `MOST_CALLS` others are called from one another in a row."""
    depth = dict.fromkeys(targets, 0)
    found: set[str] = set()
    order = Dominance(list(targets)[:1], lambda head: targets[head]).order[1:]
    for head in order:
        if depth[head] >= MOST_CALLS:
            found.add(head)
            depth[head] = 0
        for target in targets[head]:
            if component[target] != component[head]:
                depth[target] = max(depth[target], depth[head] + 1)
    return frozenset(found)


def _hopping(
    statements: tuple[Statement, ...],
    head: str,
    component: dict[str, int],
    landings: frozenset[str],
) -> tuple[Statement, ...]:
    changed: list[Statement] = []
    for one in statements:
        match one:
            case Jump(target, _):
                is_hop = target in landings or component[target] == component[head]
                changed.append(Jump(target, is_hop))
            case If(id, condition, is_negated, then, orelse):
                parts = (
                    _hopping(then, head, component, landings),
                    _hopping(orelse, head, component, landings),
                )
                changed.append(If(id, condition, is_negated, *parts))
            case Loop(id, body):
                changed.append(Loop(id, _hopping(body, head, component, landings)))
            case _:
                changed.append(one)
    return tuple(changed)


@final
class _Attempt:
    """One try with a set of heads and of steps to copy.

    Joins that turn out to need a function are collected in `forced`; steps between a join and the next that had better be
    copied, so that none is needed, in `to_copy`.
    """

    def __init__(
        self,
        body: ir.Body,
        heads: list[str],
        copied: frozenset[str],
        may_copy: bool,
    ) -> None:
        self._may_copy = may_copy
        self._instructions = body.instructions
        self._copied = copied - frozenset(heads)
        self.to_copy: set[str] = set()
        self._tails = frozenset(id for id in body.instructions if self._is_tail(id))
        ends = {id for id, one in body.instructions.items() if _is_end(one)}
        # a tail that a wait leads to is a function, but whoever else needs it has it in place
        self._short = frozenset(ends.union(self._tails.intersection(heads)))
        if not may_copy:
            self._short |= self._tails
        self._free_of_place = self._short | self._copied
        entries = [head for head in heads if head not in self._short]
        self._dominance = Dominance(entries, self._long_successors)
        shared = self._dominance.children[ROOT]
        self.to_copy.update(id for id in shared if id in self._tails)
        self._heads = list(dict.fromkeys([*heads, *shared]))
        self._is_head = frozenset(self._heads)
        self._loops = {
            id: found
            for id in self._dominance.order[1:]
            if (found := self._dominance.natural_loop(id))
        }
        self._sides = Sides(
            self._instructions,
            self._dominance,
            self._free_of_place,
            self._is_head,
            self._loops,
        )
        self._open: set[str] = set()
        self._known_exits: dict[str, dict[str, None]] = {}
        self.forced: dict[str, None] = {}
        self._force_irreducible()

    def regions(self) -> dict[str, Region]:
        """A region for each head; where a jump led nowhere yet, `forced` says where a head is missing."""
        made = {
            head: Region(head, tuple(self._block(head, _Around())))
            for head in self._heads
        }
        if not self.to_copy:
            self._explore()
        return made

    def _explore(self) -> None:
        """Go on behind each missing head, to find all of them at once rather than one a try."""
        explored: set[str] = set()
        pending = list(self.forced)
        while pending:
            id = pending.pop()
            if id in explored:
                continue
            explored.add(id)
            known = len(self.forced)
            self._block(id, _Around())
            pending.extend(list(self.forced)[known:])

    def hard_nodes(self) -> list[str]:
        """Every join and every head of a loop: with a function for each of them nothing is left to be found out."""
        dominance = self._dominance
        return [
            id
            for id in dominance.order[1:]
            if id in self._loops or dominance.forward_predecessors(id) > 1
        ]

    def in_control_order(self, made: dict[str, Region]) -> tuple[Region, ...]:
        """The regions in the order in which control meets them."""
        ordered: dict[str, None] = {}
        pending = [self._heads[0]]
        while pending:
            head = pending.pop()
            if head in ordered:
                continue
            ordered[head] = None
            pending.extend(reversed(self._mentioned(made[head].statements)))
        return tuple(made[head] for head in ordered)

    def _mentioned(self, statements: tuple[Statement, ...]) -> list[str]:
        found: list[str] = []
        for one in statements:
            match one:
                case Jump(head, _):
                    found.append(head)
                case End(_, ir.AskPlay(_, next) | ir.AskChoice(_, _, next)):
                    found.append(next)
                case If(_, _, _, then, orelse):
                    found += [*self._mentioned(then), *self._mentioned(orelse)]
                case Loop(_, body):
                    found += self._mentioned(body)
                case _:
                    pass
        return found

    def _is_tail(self, id: str) -> bool:
        """Whether the node is one step before an end: two statements, copied rather than made a function."""
        one = self._instructions[id]
        return one.next is not None and _is_end(self._instructions[one.next])

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
            self.to_copy.add(id)
        else:
            self.forced[id] = None

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
        if target in self._free_of_place:
            return target
        if target == around.fall:
            return None
        if target == around.again:
            out.append(Continue())
            return None
        if target == around.out:
            out.append(Break())
            return None
        if self._is_placed_by(target, source):
            return target
        if not self._can_copy_up_to(target, around.fall):
            self._force(target)
        out.append(Jump(target, is_hop=False))
        return None

    def _can_copy_up_to(self, target: str, join: str | None) -> bool:
        """Whether at most two steps lead from the join in between to the target; then they are copied, and it is no join."""
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
        self.to_copy |= steps
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
        joins = self._joins(id, around)
        inside = replace(around, fall=joins[0]) if joins else around
        first, second, is_negated = self._sides.in_order(id, branch)
        nested = self._arm(first, id, inside)
        if not falls(nested) and not joins:
            out.append(If(id, branch.condition, is_negated, tuple(nested), ()))
            return self._go(second, id, around, out)
        other = self._arm(second, id, inside)
        out.extend(_placed(id, branch.condition, is_negated, nested, other))
        return joins[0] if joins else None

    def _joins(self, id: str, around: _Around) -> list[str]:
        """The joins that stand behind this branch, nearest first."""
        return [
            one
            for one in self._dominance.children[id]
            if one != around.out and self._dominance.forward_predecessors(one) > 1
        ]

    def _arm(self, target: str, source: str, around: _Around) -> list[Statement]:
        out: list[Statement] = []
        around = replace(around, depth=around.depth + 1)
        if (
            around.depth > MOST_NESTED
            and target not in self._free_of_place
            and self._is_placed_by(target, source)
        ):
            # with a copied tail the branches around are guards, and nothing is deep
            tail = around.fall if around.fall in self._tails else None
            self._force(tail or target)
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


def _is_end(one: ir.Instruction) -> bool:
    return one.next is None and not isinstance(one.operation, ir.Branch)


def _placed(
    id: str,
    condition: ir.Value,
    is_negated: bool,
    first: list[Statement],
    second: list[Statement],
) -> list[Statement]:
    """An if with these sides, the one that is to be nested first; in guard style where one does not fall through."""
    if not falls(first):
        return [If(id, condition, is_negated, tuple(first), ()), *second]
    if not falls(second):
        return [If(id, condition, not is_negated, tuple(second), ()), *first]
    then, orelse = (second, first) if is_negated else (first, second)
    if then:
        return [If(id, condition, False, tuple(then), tuple(orelse))]
    return [If(id, condition, True, tuple(orelse), ())] if orelse else []
