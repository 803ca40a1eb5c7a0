"""Where the statements of a region stand, and between which assignments.

Goes in: a structured region. Comes out: the addresses of its statements, the place before which a value has to stand to
serve several of them, and which uses of a value no assignment parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias, final

from dealwright.compiler.passes.effects import Effects, ends
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value
from dealwright.compiler.representation.tree import Do, End, If, Loop, Statement, falls

Address: TypeAlias = "tuple[int, ...]"
"""Where a statement stands: its index in the region, then which block of it (0 then, 1 else or body), its index there, …"""


def statement_values(statement: Statement) -> tuple[Value, ...]:
    """The values that a statement needs, not those of its blocks."""
    match statement:
        case Do(_, ir.Invoke(call)):
            # the call is made where it stands and nowhere else, however often a copied tail repeats the statement
            return ir.children(call)
        case Do(_, step):
            return ir.operation_values(step)
        case If(_, condition, _, _, _):
            return (condition,)
        case End(_, terminal):
            return ir.operation_values(terminal)
        case _:
            return ()


def all_statements(statements: tuple[Statement, ...]) -> Iterator[Statement]:
    """The statements and all that stand inside them."""
    for one in statements:
        yield one
        if isinstance(one, If):
            yield from all_statements(one.then)
            yield from all_statements(one.orelse)
        elif isinstance(one, Loop):
            yield from all_statements(one.body)


def addressed(
    statements: tuple[Statement, ...], above: Address
) -> Iterator[tuple[Address, str, tuple[Value, ...]]]:
    """Where the statements stand, the nodes that they come from, and the values that they need."""
    for place, one in enumerate(statements):
        address = (*above, place)
        node = one.id if isinstance(one, Do | If | Loop | End) else ""
        yield address, node, statement_values(one)
        if isinstance(one, If):
            yield from addressed(one.then, (*address, 0))
            yield from addressed(one.orelse, (*address, 1))
        elif isinstance(one, Loop):
            yield from addressed(one.body, (*address, 1))


def common_place(addresses: list[Address]) -> Address:
    """The address of the statement before which a value must stand to serve all these: in the innermost common block."""
    first = min(addresses)
    length = 0
    # an address alternates index, block, index, …; blocks are compared, and the index of the first use taken
    while all(
        len(one) > length + 1 and one[: length + 2] == first[: length + 2]
        for one in addresses
    ):
        length += 2
    return first[: length + 1]


@final
class Versions:
    """Between which assignments each use of one value stands: uses at which it has one number have one result."""

    def __init__(self, effects: Effects, value: Value, uses: list[Address]) -> None:
        self._effects = effects
        self._read = effects.read_by(value)
        self._uses = frozenset(uses)
        self._last = 0
        self.at: dict[Address, int] = {}

    def follow(
        self,
        statements: tuple[Statement, ...],
        above: Address = (),
        version: int = 0,
    ) -> int:
        """Number the uses in a block; the number behind it."""
        for place, one in enumerate(statements):
            address = (*above, place)
            if address in self._uses:
                self.at[address] = version
            match one:
                case Do(_, step):
                    version = self._after(version, self._effects.changed_by(step))
                case If(_, _, _, then, orelse):
                    sides = [
                        (side, self.follow(side, (*address, number), version))
                        for number, side in enumerate((then, orelse))
                    ]
                    if any(falls(side) and after != version for side, after in sides):
                        version = self._next()
                case Loop(_, body):
                    changed = self._effects.changed_in(body)
                    self.follow(body, (*address, 1), self._after(version, changed))
                    version = self._after(version, changed)
                case _:
                    pass
        return version

    def _after(self, version: int, changed: frozenset[str]) -> int:
        return self._next() if ends(self._read, changed) else version

    def _next(self) -> int:
        self._last += 1
        return self._last
