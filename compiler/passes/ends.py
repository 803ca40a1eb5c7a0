"""Ask whether cards are alike instead of sorting them, where only the ends of the sorted values are compared.

Goes in: the program after `values.sort_values`, and the lengths of its build flows. Comes out: the program with "the
first of the sorted values equals the last" as `Alike`, wherever the number of cards is certain and nothing else is read
of that sort. A sort that another cardset of the same length wants anyway stays, since recognition makes it only once.

Before: `sorted([card.rank for card in cards])[0] == sorted(…)[2]`. After: `cards[0].rank == cards[1].rank == cards[2].rank`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, final

from dealwright.compiler.passes.bounds import Bounds
from dealwright.compiler.passes.certain import Certainty, certainty_of_plays
from dealwright.compiler.passes.reads import all_values
from dealwright.compiler.passes.rewrite import Rewriter
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value
from dealwright.compiler.representation.program import Program

LONGEST: Final = 8
"""Cards that are compared one by one; more are sorted as the author wrote."""

_EQUAL: Final = 0


def compare_ends(program: Program, lengths: Mapping[str, Bounds]) -> Program:
    """The program, asking whether cards are alike wherever that says the same."""
    players = program.rule.players
    sorts = {
        id: _Ends(body, Certainty(players, lengths[id].lengths), lengths[id].at)
        for id, body in program.builds.items()
    }
    names = {one.id: one.name for one in program.rule.cardsets}
    plays = {one.name: lengths[one.id] for one in program.rule.cardsets}
    pairs = {id: (names[id], names[id]) for id in program.compares}
    pairs |= {one.id: (one.a, one.b) for one in program.rule.comparisons}

    def compared(id: str, body: ir.Body) -> ir.Body:
        certainty = certainty_of_plays(players, plays, *pairs[id])
        return _Ends(body, certainty, {}).without(program.pool, ())

    return replace(
        program,
        builds={
            id: one.without(program.pool, _wanted_beside(id, sorts, lengths))
            for id, one in sorts.items()
        },
        compares={id: compared(id, body) for id, body in program.compares.items()},
        comparisons={
            id: compared(id, body) for id, body in program.comparisons.items()
        },
    )


def _wanted_beside(
    id: str, sorts: Mapping[str, _Ends], lengths: Mapping[str, Bounds]
) -> set[Value]:
    """The sorts that another cardset wants which can have the same number of cards."""
    return {
        value
        for other, one in sorts.items()
        if other != id and lengths[id].accepted & lengths[other].accepted
        for value in one.wanted
    }


@final
class _Ends:
    """The comparisons of ends in one body; `at` are the lengths with which its nodes are reached.

    wanted: the sorts of which something else is read too.
    """

    def __init__(
        self, body: ir.Body, certainty: Certainty, at: Mapping[str, int]
    ) -> None:
        self._body = body
        self._found: dict[Value, ir.SortedValues] = {}
        uses: dict[Value, list[Value]] = {}
        roots: set[Value] = set()
        for value in all_values(body):
            for child in ir.children(value):
                uses.setdefault(child, []).append(value)
        masks: dict[Value, int] = {}
        for one in body.instructions.values():
            mask = at.get(one.id, certainty.everything)
            values = ir.operation_values(one.operation)
            roots.update(values)
            for value, reaching in certainty.masks(values, mask).items():
                masks[value] = masks.get(value, 0) | reaching
        for value, mask in masks.items():
            sort = _ends(value, certainty, mask)
            if sort is not None:
                self._found[value] = sort
        self.wanted = {
            value
            for value in masks
            if isinstance(value, ir.SortedValues)
            and not self._is_idle(value, uses, roots)
        }

    def _is_idle(
        self,
        sort: ir.SortedValues,
        uses: Mapping[Value, list[Value]],
        roots: set[Value],
    ) -> bool:
        """Whether the ends of a sort are compared and nothing else is done with it."""
        reads = uses.get(sort, [])
        return sort not in roots and all(
            isinstance(read, ir.ValueAt)
            and read not in roots
            and all(self._found.get(use) is sort for use in uses[read])
            for read in reads
        )

    def without(self, pool: ir.Pool, wanted: Iterable[Value]) -> ir.Body:
        """The body without the sorts that neither it nor those who want the sorts given read otherwise."""
        kept = self.wanted.union(wanted)
        replaced = {
            value: pool.make(ir.Alike, sort.selection, sort.names[0])
            for value, sort in self._found.items()
            if sort not in kept
        }
        if not replaced:
            return self._body
        return Rewriter(pool, lambda value: replaced.get(value)).body(self._body)


def _ends(value: Value, certainty: Certainty, mask: int) -> ir.SortedValues | None:
    """The sort whose first and last value are said to be equal, each card having one value of it."""
    match value:
        case ir.Compare(
            operator,
            ir.ValueAt(ir.SortedValues() as sort, ir.Integer(left)),
            ir.ValueAt(ir.SortedValues() as other, ir.Integer(right)),
        ) if (
            operator == _EQUAL and sort is other and len(sort.names) == 1
        ):
            size = certainty.exact_length(sort.selection, mask)
            if size is None or not 1 < size <= LONGEST:
                return None
            ends = {max(left, 0), max(right, 0)}
            return sort if ends == {0, size - 1} else None
        case _:
            return None
