"""Replace values throughout a body, keeping them interned.

Goes in: a body and the replacements of some of its values. Comes out: the body with every value that is made of a
replaced one made anew. Values are visited operands first with an explicit stack, so no depth of formula can exhaust
Python's. A call's context holds no formula that a pass would replace, and stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import TypeAlias, final

from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Pool, Value
from dealwright.compiler.representation.program import Program

Rule: TypeAlias = Callable[[Value], "Value | None"]
"""What stands for a value whose operands have been replaced already, or None to leave it."""


@final
class Rewriter:
    """Rewrites the bodies of one program by one rule; what it has done once it remembers.

    Values in `kept` stay as they are, with all that they are made of.
    """

    def __init__(self, pool: Pool, rule: Rule, kept: Iterable[Value] = ()) -> None:
        self._pool = pool
        self._rule = rule
        self._done: dict[Value, Value] = {one: one for one in kept}

    def value(self, root: Value) -> Value:
        """The value, rewritten."""
        pending = [root]
        while pending:
            value = pending[-1]
            if value in self._done:
                pending.pop()
                continue
            missing = [one for one in ir.children(value) if one not in self._done]
            if missing:
                pending += missing
                continue
            rebuilt = self._rebuilt(value)
            ruled = self._rule(rebuilt)
            self._done[value] = rebuilt if ruled is None else ruled
            pending.pop()
        return self._done[root]

    def body(self, body: ir.Body) -> ir.Body:
        """The body, rewritten; the same object if nothing in it changes."""
        instructions = {
            id: self._instruction(one) for id, one in body.instructions.items()
        }
        if all(one is body.instructions[id] for id, one in instructions.items()):
            return body
        return ir.Body(body.entry, instructions, body.called)

    def _rebuilt(self, value: Value) -> Value:
        if all(self._done[one] is one for one in ir.children(value)):
            return value
        parts = [self._part(getattr(value, field.name)) for field in fields(value)]
        return self._pool.make(type(value), *parts)

    def _part(self, part: object) -> object:
        if isinstance(part, tuple):
            return tuple(self._part(one) for one in part)
        return self._done.get(part, part) if ir.is_value(part) else part

    def _instruction(self, one: ir.Instruction) -> ir.Instruction:
        operation = self._operation(one.operation)
        return one if operation is one.operation else replace(one, operation=operation)

    def _operation(self, operation: ir.Operation) -> ir.Operation:
        if all(self.value(value) is value for value in ir.operation_values(operation)):
            return operation
        match operation:
            case ir.Assign(target, value):
                subject = self.value(target.subject)
                return ir.Assign(ir.Target(subject, target.name), self.value(value))
            case ir.SortDeck(keys, guard) if guard is not None:
                return ir.SortDeck(keys, self.value(guard))
            case ir.Invoke(call):
                rewritten = self.value(call)
                assert isinstance(rewritten, ir.Call), "no rule replaces a call"
                return ir.Invoke(rewritten)
            case ir.Branch(condition, then, orelse):
                return ir.Branch(self.value(condition), then, orelse)
            case ir.Return(value) if value is not None:
                return ir.Return(self.value(value))
            case _:
                return operation


def everywhere(program: Program, rewriter: Rewriter) -> Program:
    """The program with all its bodies rewritten."""
    return replace(
        program,
        builds={id: rewriter.body(one) for id, one in program.builds.items()},
        compares={id: rewriter.body(one) for id, one in program.compares.items()},
        comparisons={id: rewriter.body(one) for id, one in program.comparisons.items()},
        methods={
            key: replace(one, body=rewriter.body(one.body))
            for key, one in program.methods.items()
        },
        match=rewriter.body(program.match),
        end=rewriter.body(program.end),
    )
