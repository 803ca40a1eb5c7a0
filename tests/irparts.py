"""Values and flows of the intermediate representation made by hand, to break the small rule's program with.

Nothing here is wrong by itself; the tests of the checker say so before they break anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value
from dealwright.compiler.representation.program import Program
from dealwright.compiler.representation.types import Rep

Edit: TypeAlias = Callable[[Program], Program]


def deciding(condition: Value) -> tuple[ir.Operation, ...]:
    """Instructions of a match flow that evaluate a condition."""
    return ir.Branch(condition, "2", "3"), ir.Finish(), ir.Finish()


def body_of(*operations: ir.Operation) -> ir.Body:
    """Instructions `1`, `2`, …, each step going on at the following one."""
    steps = (ir.Assign, ir.SortDeck, ir.Shuffle, ir.Deal, ir.Invoke, ir.Pass)
    return ir.Body(
        "1",
        {
            str(number): ir.Instruction(
                str(number),
                one,
                str(number + 1) if isinstance(one, steps) else None,
            )
            for number, one in enumerate(operations, start=1)
        },
    )


def match_of(program: Program, *operations: ir.Operation) -> Program:
    """The program with another match flow."""
    return replace(program, match=body_of(*operations))


def build_of(program: Program, *operations: ir.Operation) -> Program:
    """The program with another build flow of its first cardset."""
    return replace(program, builds={**program.builds, "1": body_of(*operations)})


def method_of(
    program: Program, *operations: ir.Operation, returned: Rep = Rep.INTEGER
) -> Program:
    """The program with another body, and perhaps result, of the players' method `twice`."""
    key = ("player", "twice")
    method = replace(program.methods[key], body=body_of(*operations), returned=returned)
    return replace(program, methods={**program.methods, key: method})


def with_value(program: Program, value: Value) -> Program:
    """The program with a match flow that evaluates the value, whatever it is held as."""
    if ir.rep_of(value) is not Rep.BOOLEAN:
        value = program.pool.make(ir.Truth, value)
    return match_of(program, *deciding(value))


class Parts:
    """Values of the small rule to break things with."""

    def __init__(self, program: Program) -> None:
        self.make = make = program.pool.make
        self.one = make(ir.Integer, 1)
        self.yes = make(ir.Boolean, True)
        self.table = make(ir.TheTable)
        self.player = make(ir.CurrentPlayer)
        self.maybe = make(ir.SeatedPlayer, 5, False)
        self.deck = make(ir.Deck)
        self.players = make(ir.Players)
        self.card = make(ir.BoundCard)
        self.bound = make(ir.BoundPlayer)
        self.nothing = make(ir.Empty, Rep.CARDS)
        self.free = make(ir.Context, self.nothing, None, None)

    def key(self, name: str) -> ir.SortKey:
        """A criterion."""
        return ir.SortKey(name, False)

    def some(self, selection: Value, body: Value) -> Value:
        """A quantifier."""
        return self.make(ir.Quantifier, False, selection, body)

    def twice(
        self,
        *arguments: Value,
        on: Value | None = None,
        is_certain: bool = True,
        rep: Rep = Rep.INTEGER,
        method: str = "twice",
        context: ir.Context | None = None,
    ) -> ir.Call:
        """A call of the players' method of one integer parameter."""
        return self.make(
            ir.Call,
            "player",
            method,
            self.player if on is None else on,
            is_certain,
            arguments,
            self.free if context is None else context,
            rep,
        )
