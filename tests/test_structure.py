"""`structure` says in statements what the graph of a flow says in jumps, whatever the graph.

Random graphs with branches, joins, loops of one and of several entries, waits and ends are structured and then walked
twice: along the graph, and through the statements. Both walkers meet the same steps and the same branches in the same
order, whatever the branches decide. What comes out stays small and flat, on graphs of two thousand nodes too.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import TypeAlias, assert_never

import pytest

from dealwright.compiler.passes.structure import MOST_NESTED, structure
from dealwright.compiler.representation import ir
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
)
from dealwright.compiler.representation.types import Rep
from tests.support import LONG

Event: TypeAlias = tuple[str, str, bool]  # what, the node, and what a branch decided
Decide: TypeAlias = Callable[[str], bool]
Walk: TypeAlias = Iterator[Event]
Left: TypeAlias = End | Jump | Break | Continue | None
Running: TypeAlias = Generator[Event, None, Left]

GRAPHS = 400_000 if LONG else 12_000
WALKS = 4
STEPS = 80
"""How far a walk is followed; a loop may go on for ever."""

LONGEST_QUIET = 1_000
"""How often something may go round, or functions call one another, before a walk counts as stuck."""

LARGE = 2_000

SECONDS = 20
"""What structuring a large graph may take on a busy machine; most need well under one."""

# Made small on purpose: a step does something, a branch asks something, and nothing else matters to control.
STEP = ir.Shuffle()
QUIET: Event = ("quiet", "", True)  # something goes round in which nothing happens
ENDS = (
    ir.Finish(),
    ir.Settle(1),
    ir.Reject(),
    ir.Accept(()),
    ir.Return(None),
    ir.Win(True),
)

DEEPEST = MOST_NESTED + 4
"""Levels of statements in one function: CPython's parser allows about 100."""

MOST_CALLS = 500
"""Functions that call one another in a row: Python's own limit is 1,000, and callers need some of it."""


def asks(id: str) -> str:
    """What names the condition of the branch `id`, so that conditions that change places are noticed."""
    return f"asks {id}"


def body(instructions: Sequence[ir.Instruction], entry: str = "0") -> ir.Body:
    """The graph of these nodes, in this order, without what cannot be reached, as `lower` would leave it."""
    known = {one.id: one for one in instructions}
    reached: set[str] = set()
    pending = [entry]
    while pending:
        id = pending.pop()
        if id not in reached:
            reached.add(id)
            pending += targets(known[id])
    return ir.Body(entry, {id: one for id, one in known.items() if id in reached})


def targets(one: ir.Instruction) -> list[str]:
    """Where control may go from here, through waits too."""
    if isinstance(one.operation, ir.AskPlay | ir.AskChoice):
        return [one.operation.next]
    return list(ir.successors(one))


def branch(id: object, then: object, orelse: object) -> ir.Instruction:
    """A branch."""
    made = ir.Branch(ir.Parameter(asks(str(id)), Rep.BOOLEAN), str(then), str(orelse))
    return ir.Instruction(str(id), made, None)


def step(id: object, next: object) -> ir.Instruction:
    """A step."""
    return ir.Instruction(str(id), STEP, str(next))


def end(id: object, terminal: ir.Terminal) -> ir.Instruction:
    """An end or a wait."""
    return ir.Instruction(str(id), terminal, None)


# --- two walkers


def deciding(seed: str) -> Decide:
    """What the branches decide: at random, but each branch the same the same time round."""
    rng: dict[str, random.Random] = {}
    return lambda id: rng.setdefault(id, random.Random(f"{seed} {id}")).random() < 0.5


def along_the_graph(graph: ir.Body, decide: Decide) -> Walk:
    """What control meets when it follows the jumps."""
    id = graph.entry
    while True:
        one = graph.instructions[id]
        operation = one.operation
        if isinstance(operation, ir.Branch):
            holds = decide(id)
            yield "branch", id, holds
            id = operation.then if holds else operation.orelse
        elif one.next is not None:
            yield QUIET if isinstance(operation, ir.Pass) else ("step", id, True)
            id = one.next
        else:
            yield "end", id, True
            if not isinstance(operation, ir.AskPlay | ir.AskChoice):
                return
            id = operation.next


def through_the_statements(regions: Sequence[Region], decide: Decide) -> Walk:
    """What control meets when the regions are run like the functions that they become."""
    functions = {region.head: region.statements for region in regions}
    assert len(functions) == len(regions), "two regions have one head"
    here: str | None = regions[0].head
    while here is not None:
        yield QUIET
        left = yield from block(functions[here], decide)
        match left:
            case Jump(head, _):
                here = head
            case End(_, ir.AskPlay(_, head) | ir.AskChoice(_, _, head)):
                here = head
            case End():
                here = None
            case _:
                pytest.fail(f"control leaves region {here} by {left}")


def block(statements: Sequence[Statement], decide: Decide) -> Running:
    """Run statements; how control leaves them, None if it falls off their end."""
    for one in statements:
        left: Left = None
        match one:
            case Do(id, operation):
                assert operation is STEP
                yield "step", id, True
            case If(id, value, is_negated, then, orelse):
                assert isinstance(value, ir.Parameter) and value.name == asks(id)
                holds = decide(id)
                yield "branch", id, holds
                left = yield from block(then if holds != is_negated else orelse, decide)
            case Loop(_, inside):
                left = yield from rounds(inside, decide)
            case End(id, _):
                yield "end", id, True
                left = one
            case Jump() | Break() | Continue():
                left = one
            case _:
                assert_never(one)
        if left is not None:
            return left
    return None


def rounds(inside: Sequence[Statement], decide: Decide) -> Running:
    """Run the body of a loop until control leaves it; None if by `break`."""
    left: Left = None
    while left is None or isinstance(left, Continue):
        yield QUIET
        left = yield from block(inside, decide)
    return None if isinstance(left, Break) else left


def met(walk: Walk) -> list[Event]:
    """The events of a walk as far as it is followed; it ends with a quiet one where nothing more will happen."""
    found: list[Event] = []
    quiet = 0
    for one in walk:
        quiet = quiet + 1 if one == QUIET else 0
        if one != QUIET or quiet == LONGEST_QUIET:
            found.append(one)
        if len(found) == STEPS or quiet == LONGEST_QUIET:
            break
    return found


def check_walks(graph: ir.Body, regions: Sequence[Region], name: str) -> None:
    """Both walkers meet the same, as far as they are followed."""
    for number in range(WALKS):
        seed = f"{name} {number}"
        expected = met(along_the_graph(graph, deciding(seed)))
        found = met(through_the_statements(regions, deciding(seed)))
        assert expected == found, told(graph, name)


def told(graph: ir.Body, name: str) -> str:
    """A graph for a failure."""
    lines = [
        f"{one.id}: {one.operation} -> {one.next}"
        for one in graph.instructions.values()
    ]
    return "\n".join([name, *lines])


# --- what the statements look like


def inside(one: Statement) -> tuple[tuple[Statement, ...], ...]:
    """The blocks of a statement."""
    if isinstance(one, If):
        return one.then, one.orelse
    return (one.body,) if isinstance(one, Loop) else ()


def every(
    statements: Sequence[Statement], depth: int = 1
) -> Iterator[tuple[Statement, int]]:
    """All statements with how deep they stand."""
    pending = [(one, depth) for one in statements]
    while pending:
        one, depth = pending.pop()
        yield one, depth
        pending += [(below, depth + 1) for part in inside(one) for below in part]


def listed(regions: Sequence[Region]) -> list[tuple[Statement, int]]:
    """All statements of all regions with how deep they stand."""
    return [one for region in regions for one in every(region.statements)]


def check_shape(graph: ir.Body, regions: Sequence[Region], name: str) -> None:
    """Small, flat, every jump leads somewhere, every region is needed, and calls without a hop never go round."""
    statements = listed(regions)
    size = len(graph.instructions)
    assert (
        len(statements) <= 4 * size + 1
    ), f"{len(statements)} statements: {told(graph, name)}"
    assert max(depth for _, depth in statements) <= DEEPEST, told(graph, name)
    heads = {region.head for region in regions}
    assert (
        regions[0].head == graph.entry and wanted_heads(graph, regions) == heads
    ), name
    assert longest_calls(regions) is not None, f"calls go round: {told(graph, name)}"
    done = {one.id for one, _ in statements if isinstance(one, Do | If | End)}
    needed = {
        id
        for id, one in graph.instructions.items()
        if not isinstance(one.operation, ir.Pass)
    }
    assert done == needed, told(graph, name)


def wanted_heads(graph: ir.Body, regions: Sequence[Region]) -> set[str]:
    """Where regions must begin: the entry, after each wait, and where something jumps to."""
    jumps = {one.head for one, _ in listed(regions) if isinstance(one, Jump)}
    waits = [one.operation for one in graph.instructions.values()]
    after = {one.next for one in waits if isinstance(one, ir.AskPlay | ir.AskChoice)}
    return {graph.entry, *after, *jumps}


def longest_calls(regions: Sequence[Region]) -> int | None:
    """How many functions call one another in a row at most, hops apart; None if they go round."""
    calls = {
        region.head: {
            one.head
            for one, _ in every(region.statements)
            if isinstance(one, Jump) and not one.is_hop
        }
        for region in regions
    }
    try:
        order = list(TopologicalSorter(calls).static_order())
    except CycleError:
        return None
    depth: dict[str, int] = {}
    for head in order:
        depth[head] = 1 + max((depth[one] for one in calls[head]), default=0)
    return max(depth.values())


# --- random graphs


def random_graph(rng: random.Random) -> ir.Body:
    """A graph of 1 to 14 nodes with branches, joins, loops and waits; the further an edge goes back, the rarer it is."""
    size = rng.randint(1, 14)
    backward = rng.choice((0.0, 0.1, 0.3, 0.6))
    waits = rng.choice((0.0, 0.0, 0.3))
    ends = rng.choice((0.1, 0.3))
    made = [
        random_node(rng, number, size, backward, waits, ends) for number in range(size)
    ]
    return body(made)


def random_node(
    rng: random.Random,
    number: int,
    size: int,
    backward: float,
    waits: float,
    ends: float,
) -> ir.Instruction:
    """One node of such a graph."""

    def target() -> int:
        if number + 1 >= size or rng.random() < backward:
            return rng.randrange(size)
        return min(size - 1, number + rng.choice((1, 1, 1, 2, 2, 3, 5)))

    if rng.random() < ends or number == size - 1:
        return end(number, rng.choice(ENDS))
    if rng.random() < waits:
        wait = (
            ir.AskPlay(30, str(target()))
            if rng.random() < 0.5
            else ir.AskChoice(9, (0, 1), str(target()))
        )
        return end(number, wait)
    if rng.random() < 0.03:
        return ir.Instruction(str(number), ir.Pass(), str(number))
    first, second = target(), target()
    if first == second or rng.random() < 0.3:
        return step(number, first)
    return branch(number, first, second)


def test_random_graphs_do_what_they_say() -> None:
    kinds: Counter[str] = Counter()
    for number in range(GRAPHS):
        name = f"graph {number}"
        graph = random_graph(random.Random(name))
        regions = structure(graph)
        check_walks(graph, regions, name)
        check_shape(graph, regions, name)
        kinds.update({type(one).__name__ for one, _ in listed(regions)})
        kinds["hop"] += any(
            isinstance(one, Jump) and one.is_hop for one, _ in listed(regions)
        )
    # the generator makes something of everything
    assert all(
        kinds[kind]
        for kind in ("Do", "If", "Loop", "End", "Jump", "Continue", "Break", "hop")
    ), kinds


def test_wrong_statements_are_noticed() -> None:
    """The walkers themselves: a negation turned round, or a step moved, is seen."""
    graph = body(
        [branch(0, 1, 2), step(1, 3), step(2, 3), step(3, 4), end(4, ir.Finish())]
    )
    (region,) = structure(graph)
    first = region.statements[0]
    assert isinstance(first, If)
    turned = If(
        first.id, first.condition, not first.is_negated, first.then, first.orelse
    )
    check_walks(graph, [region], "right")
    for wrong in (
        (turned, *region.statements[1:]),
        (*region.statements[1:2], first, *region.statements[2:]),
        (first, *region.statements[2:]),
    ):
        with pytest.raises(AssertionError):
            check_walks(graph, [Region(region.head, wrong)], "wrong")


# --- large graphs

FINISH, REJECT = "finish", "reject"
LAST = [end(FINISH, ir.Finish()), end(REJECT, ir.Reject())]


def chain(size: int) -> list[ir.Instruction]:
    """Steps in a row."""
    return [step(at, at + 1 if at + 1 < size else FINISH) for at in range(size)]


def guards(size: int) -> list[ir.Instruction]:
    """Checks in a row, each of which may end it all."""
    return [
        branch(at, at + 1 if at + 1 < size else FINISH, REJECT) for at in range(size)
    ]


def guards_with_a_tail(size: int) -> list[ir.Instruction]:
    """Checks in a row, all of which lead to one longer tail."""
    made = [branch(at, at + 1 if at + 1 < size else FINISH, "a") for at in range(size)]
    return [*made, step("a", "b"), step("b", "c"), step("c", FINISH)]


def diamonds(size: int) -> list[ir.Instruction]:
    """If and else in a row, each with a step on both sides."""
    made: list[ir.Instruction] = []
    for at in range(0, size, 3):
        after = at + 3 if at + 3 < size else FINISH
        made += [branch(at, at + 1, at + 2), step(at + 1, after), step(at + 2, after)]
    return made


def nested(size: int) -> list[ir.Instruction]:
    """An if in an if in an if, with a step behind each."""
    made: list[ir.Instruction] = []
    half = size // 2
    for at in range(half):
        made.append(
            branch(
                at,
                at + 1 if at + 1 < half else f"j{at}",
                f"j{at}" if at + 1 < half else FINISH,
            )
        )
        made.append(step(f"j{at}", f"j{at - 1}" if at else FINISH))
    return made


def tree(size: int) -> list[ir.Instruction]:
    """A balanced tree of branches."""
    made: list[ir.Instruction] = []
    for at in range(size):
        below = [2 * at + 1, 2 * at + 2]
        ends = [
            one if one < size else end_
            for one, end_ in zip(below, (FINISH, REJECT), strict=True)
        ]
        made.append(branch(at, *ends))
    return made


def ladder(size: int) -> list[ir.Instruction]:
    """Branches that skip the next: every node is a join of two before it."""
    return [
        branch(
            at,
            *(
                one if one < size else end_
                for one, end_ in ((at + 1, FINISH), (at + 2, REJECT))
            ),
        )
        for at in range(size)
    ]


def loops(size: int) -> list[ir.Instruction]:
    """A loop in a loop in a loop: each head goes deeper, or back to the one around it."""
    return [
        branch(at, at + 1 if at + 1 < size else at, at - 1 if at else FINISH)
        for at in range(size)
    ]


def loops_in_a_row(size: int) -> list[ir.Instruction]:
    """One loop of two nodes after another."""
    made: list[ir.Instruction] = []
    for at in range(0, size, 2):
        made += [
            branch(at, at + 1, at + 2 if at + 2 < size else FINISH),
            step(at + 1, at),
        ]
    return made


def two_entries(size: int) -> list[ir.Instruction]:
    """Cycles of two nodes, each entered at both of them: irreducible all along."""
    made: list[ir.Instruction] = []
    for at in range(0, size, 3):
        after = at + 3 if at + 3 < size else FINISH
        made += [
            branch(at, at + 1, at + 2),
            branch(at + 1, at + 2, after),
            step(at + 2, at + 1),
        ]
    return made


def waits(size: int) -> list[ir.Instruction]:
    """Wait after wait, with a check between."""
    made: list[ir.Instruction] = []
    for at in range(0, size, 2):
        after = str(at + 2) if at + 2 < size else FINISH
        made += [branch(at, at + 1, FINISH), end(at + 1, ir.AskPlay(30, after))]
    return made


def tangle(size: int) -> list[ir.Instruction]:
    """Mostly forward, sometimes anywhere."""
    rng = random.Random("tangle")
    return [random_node(rng, at, size, 0.02, 0.02, 0.02) for at in range(size)]


SHAPES = (
    (chain, LARGE),
    (guards, LARGE),
    (guards_with_a_tail, LARGE),
    (diamonds, LARGE),
    (tree, LARGE),
    (loops_in_a_row, LARGE),
    (waits, LARGE),
    (tangle, LARGE),
    # these become a function for each level, and those call one another in a row: larger ones pass MOST_CALLS
    (nested, 900),
    (ladder, 500),
    # these take more than quadratic time
    (loops, 400),
    (two_entries, 500),
)


@pytest.mark.parametrize(
    ("shape", "size"), SHAPES, ids=lambda one: getattr(one, "__name__", str(one))
)
def test_large_graphs(shape: Callable[[int], list[ir.Instruction]], size: int) -> None:
    graph = body([*shape(size), *LAST])
    began = time.monotonic()
    regions = structure(graph)
    took = time.monotonic() - began
    print(
        shape.__name__,
        f"{took:.2f} s",
        len(regions),
        "regions",
        longest_calls(regions),
        "calls",
    )
    check_shape(graph, regions, shape.__name__)
    check_walks(graph, regions, shape.__name__)
    assert took < SECONDS
    longest = longest_calls(regions)
    assert longest is not None and longest <= MOST_CALLS
