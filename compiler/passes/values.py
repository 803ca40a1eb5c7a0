"""Sort values instead of cards where nothing is read of the sorted cards but what they are sorted by.

Goes in: the lowered program and the lengths of its build flows. Comes out: the program with such sorts as
`SortedValues`.

Before: `sorted(cards, key=lambda card: card.rank)[0].rank`. After: `sorted([card.rank for card in cards])[0]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import final

from dealwright.compiler.passes.bounds import Bounds, least
from dealwright.compiler.passes.reads import all_values
from dealwright.compiler.passes.rewrite import Rewriter
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value, rep_of
from dealwright.compiler.representation.program import Program
from dealwright.compiler.representation.types import Rep


def sort_values(program: Program, lengths: Mapping[str, Bounds]) -> Program:
    """The program, sorting values wherever that says the same."""
    exact = {id: _exact(one) for id, one in lengths.items()}
    named = {one.name: exact[one.id] for one in program.rule.cardsets}
    return replace(
        program,
        builds={
            id: _Sorts(program, body, lengths=lengths[id]).body()
            for id, body in program.builds.items()
        },
        compares={
            one.id: _Sorts(
                program, program.compares[one.id], a=exact[one.id], b=exact[one.id]
            ).body()
            for one in program.rule.cardsets
            if one.id in program.compares
        },
        comparisons={
            one.id: _Sorts(
                program,
                program.comparisons[one.id],
                a=named.get(one.a),
                b=named.get(one.b),
            ).body()
            for one in program.rule.comparisons
            if one.id in program.comparisons
        },
        methods={
            key: replace(method, body=_Sorts(program, method.body).body())
            for key, method in program.methods.items()
        },
        match=_Sorts(program, program.match).body(),
        end=_Sorts(program, program.end).body(),
    )


def _exact(bounds: Bounds) -> int | None:
    """The one length that a build flow accepts, if it is one."""
    accepted = bounds.accepted_lengths()
    return accepted[0] if accepted is not None and len(accepted) == 1 else None


@final
class _Sorts:
    """The sorts of one body: `lengths` of a build flow's cards; `a`, `b`: how many cards have been played, where known."""

    def __init__(
        self,
        program: Program,
        body: ir.Body,
        lengths: Bounds | None = None,
        a: int | None = None,
        b: int | None = None,
    ) -> None:
        self._pool = program.pool
        self._body = body
        self._plays = {True: a, False: b}
        self._uses: dict[Value, list[Value]] = {}
        self._roots: set[Value] = set()
        for one in body.instructions.values():
            self._roots.update(ir.operation_values(one.operation))
        for value in all_values(body):
            for child in ir.children(value):
                self._uses.setdefault(child, []).append(value)
        self._masks = {} if lengths is None else self._lengths(lengths)

    def _lengths(self, lengths: Bounds) -> dict[Value, int]:
        """With which numbers of judged cards each value can be asked for: a mask of lengths."""
        masks: dict[Value, int] = {}
        for id, one in self._body.instructions.items():
            for value in ir.operation_values(one.operation):
                masks[value] = masks.get(value, 0) | lengths.at[id]
        # what uses a value comes before it, so that its mask is complete when it is passed on
        missing = {value: len(uses) for value, uses in self._uses.items()}
        ready = [value for value in masks if value not in missing]
        while ready:
            value = ready.pop()
            for child in ir.children(value):
                masks[child] = masks.get(child, 0) | masks[value]
                missing[child] -= 1
                if missing[child] == 0:
                    ready.append(child)
        return masks

    def body(self) -> ir.Body:
        """The body with values sorted instead of cards."""
        chosen: dict[ir.Sorted, tuple[str, ...]] = {}
        for value in self._uses:
            if isinstance(value, ir.Sorted) and rep_of(value) is Rep.CARDS:
                names = self._names_read(value)
                if names:
                    chosen[value] = names
        if not chosen:
            return self._body
        replaced: dict[Value, Value] = {}
        for sort, names in chosen.items():
            for use in self._uses[sort]:
                if isinstance(use, ir.Element):
                    for read in self._uses[use]:
                        assert isinstance(read, ir.Member), "seen by _names_read"
                        replaced[read] = self._value(sort, use.index, names, read.name)
        return Rewriter(self._pool, lambda value: replaced.get(value)).body(self._body)

    def _names_read(self, sort: ir.Sorted) -> tuple[str, ...]:
        """The leading criteria up to the last one that is read, if nothing else is read of the sorted cards."""
        keys = [key.property for key in sort.keys]
        read: set[str] = set()
        for use in self._uses.get(sort, ()):
            if isinstance(use, ir.Size):
                continue
            if not isinstance(use, ir.Element) or use.selection is not sort:
                return ()
            if use in self._roots:
                return ()
            for member in self._uses.get(use, ()):
                if not isinstance(member, ir.Member) or member.name not in keys:
                    return ()
                read.add(member.name)
        if not read or sort in self._roots:
            return ()
        count = 1 + max(keys.index(name) for name in read)
        if len({key.is_descending for key in sort.keys[:count]}) > 1:
            return ()
        return tuple(keys[:count])

    def _value(
        self, sort: ir.Sorted, index: Value, names: tuple[str, ...], name: str
    ) -> Value:
        make = self._pool.make
        selection: Value = sort
        while isinstance(selection, ir.Sorted):
            selection = selection.selection
        is_descending = sort.keys[0].is_descending
        size = self._size(sort, selection)
        # one direction for all cardsets of a length, so that they can share one sort
        if is_descending and size is not None and isinstance(index, ir.Integer):
            at = max(index.value, 0)
            if at < size:
                index = make(ir.Integer, size - 1 - at)
                is_descending = False
        values = make(ir.SortedValues, selection, names, is_descending)
        found = make(ir.ValueAt, values, index)
        if len(names) == 1:
            return found
        return make(ir.Column, found, names.index(name))

    def _size(self, sort: Value, selection: Value) -> int | None:
        """How many cards are sorted, if that is certain wherever the sort stands."""
        match selection:
            case ir.Judged():
                mask = self._masks.get(sort, 0)
                return least(mask) if mask and mask == mask & -mask else None
            case ir.CardsOf(ir.Compared(is_a)):
                return self._plays[is_a]
            case _:
                return None
