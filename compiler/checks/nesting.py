"""Check that quantifiers do not nest deeper than can be written as Python.

Part of the pass `check`. A quantifier inside another is written inside it, or as a function that is made while the
outer one is: unlike all other formulas, which go into locals when they grow deep, they use up stack in the compiler.
Only two things can be bound, a card and a player, so that no game needs many of them in each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

from dealwright.compiler.checks.context import Context
from dealwright.compiler.rule.flowgraph import strongly_connected, value_operands
from dealwright.compiler.rule.references import NodeRef

MOST_NESTED: Final = 200
"""What quantifiers in each other may cost: measured, with a third of Python's stack left to whoever calls."""
_ITSELF: Final = 4
"""What a quantifier costs beside the formula between it and the next."""
_HIGHEST: Final = 50
"""The height of a formula from which on it goes into locals."""
_QUANTIFIER: Final = 11


@final
@dataclass(frozen=True, slots=True)
class _Nesting:
    """What is below a node: the quantifiers in each other, their cost, and the height of the formula above them."""

    quantifiers: int = 0
    cost: int = 0
    height: int = 0

    def total(self) -> tuple[int, int]:
        """What it costs a quantifier that stands here; the height decides between equals."""
        return self.cost + min(self.height, _HIGHEST), self.height


def check_nesting(context: Context) -> None:
    """Report quantifiers that hold too many others, the innermost of them (decisions, Limits of a rule file)."""
    known: dict[str, _Nesting] = {}

    def targets(name: str) -> list[str]:
        return [target for _, target in _operands(context, name)]

    for members in strongly_connected(context.used, targets):
        # what needs itself has been reported, and has no depth
        for name in members if len(members) == 1 else ():
            held: list[_Nesting] = []
            beside: list[_Nesting] = []
            for field, target in _operands(context, name):
                if target in known:
                    (held if field == "component" else beside).append(known[target])
            node = context.flow.nodes[name]
            if node.type != _QUANTIFIER:
                known[name] = _above(held + beside)
                continue
            around = _around(_above(held))
            if around.cost > MOST_NESTED:
                context.report("R222", node, "component", depth=around.quantifiers)
                # those further out hold this one too, and need not be told
                around = _Nesting()
            known[name] = max(around, _above(beside), key=_Nesting.total)


def _operands(context: Context, name: str) -> Iterator[tuple[str, str]]:
    """The nodes that are evaluated when a node is read, each with the field it stands in."""
    for operand in value_operands(context.flow.nodes[name], context.scope):
        if isinstance(operand.reference, NodeRef):
            yield operand.field, operand.reference.id


def _above(below: list[_Nesting]) -> _Nesting:
    """The one of some operands that costs most, seen from one step above."""
    deepest = max(below, key=_Nesting.total, default=_Nesting())
    return _Nesting(deepest.quantifiers, deepest.cost, deepest.height + 1)


def _around(held: _Nesting) -> _Nesting:
    """A quantifier whose component has this nesting."""
    return _Nesting(held.quantifiers + 1, held.total()[0] + _ITSELF)
