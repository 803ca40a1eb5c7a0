"""How many bits an integer formula can have at most, so that no product is computed that nobody could store.

Goes in: the program. Comes out: for each value an upper bound of the bits of the integer that it is or holds. A property
holds `MOST_BITS`; sums grow by a bit, products by all bits of a side. Products that could pass `WIDEST` are marked:
emission lets the runtime compute them (`multiply`), which refuses those that do. Parameters are told apart by their names
only, which keeps one bound for each value; where methods hand each other their results in a circle it is `WIDEST`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, final

from dealwright.compiler.passes.reads import CallKey, values_below
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value, rep_of
from dealwright.compiler.representation.program import Program
from dealwright.compiler.representation.types import Rep
from dealwright.compiler.rule.flowgraph import strongly_connected

WIDEST: Final = 131_072
"""Bits of the largest product (decision 30); nine properties of the largest size fit."""
MOST_BITS: Final = 13_300
"""Bits of the largest integer that a property, a rule file or a choice holds (decision 29)."""
_LENGTH_BITS: Final = 32


@final
class Widths:
    """Bits of the values of one program; ask `of` and `is_checked`."""

    def __init__(self, program: Program) -> None:
        self._arguments: dict[str, list[Value]] = {}
        self._returned: dict[CallKey, list[Value]] = {}
        values = self._collect(program)
        self._known: dict[Value, int] = {}
        for members in strongly_connected(values, self._edges):
            if len(members) > 1:
                self._known.update(dict.fromkeys(members, WIDEST))
            else:
                self._known[members[0]] = self._own(members[0])

    def of(self, value: Value) -> int:
        """Bits that the integer of this value has at most, without sign; more than needed for what is no integer."""
        return self._known[value]

    def is_checked(self, value: ir.Arithmetic) -> bool:
        """Whether this is a product that could be too large to compute."""
        return value.operator == 2 and (
            self.of(value.left) + self.of(value.right) > WIDEST
        )

    def _collect(self, program: Program) -> list[Value]:
        """All values of the program, with what the calls hand to parameters and what methods give back."""
        bodies: list[tuple[CallKey | None, ir.Body]] = [
            (key, method.body) for key, method in program.methods.items()
        ]
        flows: tuple[Mapping[str, ir.Body], ...] = (
            program.builds,
            program.compares,
            program.comparisons,
            {"match": program.match, "end": program.end},
        )
        bodies += [(None, body) for flow in flows for body in flow.values()]
        parameters = {
            key: [name for name, _ in method.parameters]
            for key, method in program.methods.items()
        }
        values: list[Value] = []
        seen: set[int] = set()
        for key, body in bodies:
            for one in body.instructions.values():
                operation = one.operation
                if key is not None and isinstance(operation, ir.Return):
                    self._returned.setdefault(key, []).extend(
                        ir.operation_values(operation)
                    )
                values += values_below(ir.operation_values(operation), seen)
        for value in values:
            if isinstance(value, ir.Call):
                names = parameters[value.owner, value.method]
                for name, argument in zip(names, value.arguments, strict=False):
                    self._arguments.setdefault(name, []).append(argument)
        return values

    def _edges(self, value: Value) -> tuple[Value, ...]:
        match value:
            case ir.Parameter(name, _):
                return tuple(self._arguments.get(name, ()))
            case ir.Call():
                return tuple(self._returned.get((value.owner, value.method), ()))
            case _:
                return ir.children(value)

    def _own(self, value: Value) -> int:
        """The bits of a value whose parts are known."""
        match value:
            case ir.Integer(number):
                return number.bit_length()
            case ir.Size() | ir.MixedSize():
                return _LENGTH_BITS
            case ir.Arithmetic(operator, left, right):
                return self._arithmetic(operator, self.of(left), self.of(right))
            case ir.Parameter() | ir.Call():
                # a parameter that is handed on under its own name has the bits that it was given
                given = [one for one in self._edges(value) if one is not value]
                return max(map(self.of, given), default=MOST_BITS)
            case _ if rep_of(value) is Rep.BOOLEAN:
                return 1
            case _:
                return max(MOST_BITS, *map(self.of, self._edges(value)), 0)

    @staticmethod
    def _arithmetic(operator: int, left: int, right: int) -> int:
        match operator:
            case 2:
                return min(left + right, WIDEST)
            case 3:
                return left
            case 4:
                return min(left, right)
            case _:
                return max(left, right) + 1
