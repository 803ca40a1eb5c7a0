"""Whether two lowered rules are the same but for the ids of their nodes.

In go two `Program`s and, for each flow, which node of the second is which of the first; out comes the place of the first
difference, or None. Values are compared by structure: both sides are numbered from one table, operands first, so that
equal numbers mean equal formulas, however much of them is shared.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import TypeAlias, final

from dealwright.compiler.lowering.lower import END
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.program import MethodBody, Program
from dealwright.compiler.rule.model import Rule

Ids: TypeAlias = Mapping[str, str]
"""The id in the second rule of each node of a flow of the first."""


def difference(
    first: Program, second: Program, renamed: Mapping[str, Ids]
) -> str | None:
    """Where two programs differ, or None.

    Arguments: `renamed` gives for each flow, by its path, the new ids of its nodes; a flow that is not there has the same.
    """
    if (found := _outline(first.rule)) != (other := _outline(second.rule)):
        return next(name for name in found if found[name] != other[name])
    if (first.stored, first.assigned) != (second.stored, second.assigned):
        return "the properties that are stored"
    numbers: dict[Hashable, int] = {}
    one, two = _Numbered(numbers), _Numbered(numbers)
    bodies, others = dict(_bodies(first)), dict(_bodies(second))
    if bodies.keys() != others.keys():
        return "which flows are written"
    for path, body in bodies.items():
        found_in = _body_difference(one, two, body, others[path], renamed.get(path, {}))
        if found_in is not None:
            return path if found_in == END else f"{path}/{found_in}"
    for key, method in first.methods.items():
        if _signature(method) != _signature(second.methods[key]):
            return method.name
    return None


def _signature(method: MethodBody) -> Hashable:
    return method.owner, method.name, method.parameters, method.returned


def _outline(rule: Rule) -> dict[str, object]:
    """All of a rule but its flows, by what a person calls it; where order means nothing, sorted."""
    comparisons: dict[tuple[str, str], str] = {}
    for one in rule.comparisons:
        comparisons.setdefault((one.a, one.b), one.id)
    return {
        "the rule's name": (rule.name, rule.description),
        "the number of players": rule.players,
        "the card's properties": rule.card.properties,
        "the player's properties": sorted(rule.player.properties, key=repr),
        "the table's properties": sorted(rule.table.properties, key=repr),
        "the methods": {
            (owner.name, name): (method.parameters, method.returns)
            for owner in rule.classes()
            for name, method in owner.methods.items()
        },
        "the cardsets": [
            (one.id, one.name, dict(one.properties), one.successors)
            for one in rule.cardsets
        ],
        "the comparisons": (
            {one.id: (one.a, one.b) for one in rule.comparisons},
            comparisons,
        ),
    }


def _bodies(program: Program) -> Iterator[tuple[str, ir.Body]]:
    """Every lowered flow by its path in the model."""
    for id, body in program.builds.items():
        yield f"cardsets/{id}/build_flow", body
    for id, body in program.compares.items():
        yield f"cardsets/{id}/compare_flow", body
    for id, body in program.comparisons.items():
        yield f"cardset_comparisons/{id}/compare_flow", body
    for method in program.methods.values():
        yield f"classes/{method.owner}/methods/{method.name}", method.body
    yield "match_flow", program.match
    yield "end_flow", program.end


def _body_difference(
    one: _Numbered, two: _Numbered, body: ir.Body, other: ir.Body, ids: Ids
) -> str | None:
    """The first instruction of a flow that is another one in the other, or that is not there; END for the whole."""

    def renamed(id: str | None) -> str | None:
        return id if id is None or id == END else ids.get(id, id)

    if renamed(body.entry) != other.entry:
        return body.entry
    if {renamed(id) for id in body.instructions} != other.instructions.keys():
        return END
    for id, instruction in body.instructions.items():
        counterpart = other.instructions[str(renamed(id))]
        is_same = (
            renamed(instruction.next) == counterpart.next
            and [renamed(to) for to in _targets(instruction.operation)]
            == list(_targets(counterpart.operation))
            and one.operation(instruction.operation)
            == two.operation(counterpart.operation)
        )
        if not is_same:
            return id
    return None


def _targets(operation: ir.Operation) -> tuple[str, ...]:
    match operation:
        case ir.Branch(_, then, orelse):
            return (then, orelse)
        case ir.AskPlay(_, next) | ir.AskChoice(_, _, next):
            return (next,)
        case _:
            return ()


_JUMP_FIELDS = frozenset({"then", "orelse", "next"})


@final
class _Numbered:
    """Numbers the values of one program; both programs share the table of `numbers`."""

    def __init__(self, numbers: dict[Hashable, int]) -> None:
        self._numbers = numbers
        self._known: dict[int, int] = {}

    def operation(self, operation: ir.Operation) -> Hashable:
        """What an operation does, where it goes on left out."""
        self._number_all(ir.operation_values(operation))
        return (
            type(operation),
            *(
                self._part(getattr(operation, field.name))
                for field in fields(operation)
                if field.name not in _JUMP_FIELDS
            ),
        )

    def _number_all(self, roots: Iterable[ir.Value]) -> None:
        pending = [(root, False) for root in roots]
        while pending:
            value, is_ready = pending.pop()
            if id(value) in self._known:
                continue
            if not is_ready:
                pending.append((value, True))
                pending.extend((part, False) for part in _below(value))
                continue
            key = (
                type(value),
                *(self._part(getattr(value, one.name)) for one in fields(value)),
            )
            self._known[id(value)] = self._numbers.setdefault(key, len(self._numbers))

    def _part(self, part: object) -> Hashable:
        """A part of a value or an operation: of values their numbers, of everything else its type and contents."""
        if isinstance(part, tuple):
            return tuple(self._part(one) for one in part)
        if id(part) in self._known:
            return ("value", self._known[id(part)])
        if is_dataclass(part) and not isinstance(part, type):
            inner = (self._part(getattr(part, one.name)) for one in fields(part))
            return (type(part), *inner)
        return (type(part), part)


def _below(value: ir.Value) -> list[ir.Value]:
    """The values that one is made of, with what a called flow sees of its caller."""
    found = list(ir.children(value))
    if isinstance(value, ir.Call | ir.IsCardset):
        context = value.context
        seen = (context.judged, context.card, context.player)
        found += [one for one in seen if one is not None]
    return found
