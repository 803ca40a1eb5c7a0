"""Check that a lowered rule keeps the invariants of the intermediate representation.

Goes in: a `Program`, or one flow with its structured regions. Comes out: nothing, or an `IrError` whose sentence names
the flow, the instruction and what is wrong there. The compiler does not need it to run; the tests do after lowering and
after structuring, so that a mistake is found where it is made and not in the Python that comes out at the end. What the
emitter takes for granted (an object that may be missing is a seat, a sort has criteria) is checked here too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import final

from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value
from dealwright.compiler.representation.ircheck_tree import check_regions
from dealwright.compiler.representation.ircheck_values import (
    FREE,
    FlowKey,
    IrError,
    Place,
    World,
    called_flow,
    check_key,
    check_value,
    fits,
    flow_text,
    represented,
)
from dealwright.compiler.representation.program import MethodBody, Program
from dealwright.compiler.representation.types import Rep
from dealwright.compiler.rule.model import FlowKind
from dealwright.compiler.rule.objects import KEPT

__all__ = ["IrError", "check_program", "check_regions"]

_STEPS = (ir.Assign, ir.SortDeck, ir.Shuffle, ir.Deal, ir.Invoke, ir.Pass)
_EFFECTS = (ir.Assign, ir.SortDeck, ir.Shuffle, ir.Deal)
_TERMINALS: Mapping[FlowKind, tuple[type, ...]] = {
    FlowKind.MATCH: (ir.Finish, ir.AskPlay, ir.AskChoice),
    FlowKind.END: (ir.Settle,),
    FlowKind.METHOD: (ir.Return,),
    FlowKind.BUILD: (ir.Accept, ir.Reject),
    FlowKind.COMPARE: (ir.Win,),
}
_PURE = (FlowKind.BUILD, FlowKind.COMPARE)
_OWNERS = {Rep.CARD: "card", Rep.PLAYER: "player", Rep.TABLE: "table"}


@final
@dataclass(frozen=True, slots=True)
class _Flow:
    """A flow to check: its key, its body, and, for a method, its signature."""

    key: FlowKey
    kind: FlowKind
    body: ir.Body
    method: MethodBody | None = None


def check_program(program: Program) -> None:
    """Check every flow of a lowered rule, then how they call one another.

    Raises:
        IrError: an invariant is broken; the first found, in the order of the program's text.
    """
    world = World.of(program)
    flows = list(_flows(program))
    calls = {flow.key: _check_flow(world, flow) for flow in flows}
    order = _callees_first(calls)
    _check_effects({flow.key: flow for flow in flows}, order, calls)


def _flows(program: Program) -> Iterator[_Flow]:
    for id, body in program.builds.items():
        yield _Flow(("build", id), FlowKind.BUILD, body)
    for id, body in program.compares.items():
        yield _Flow(("compare", id), FlowKind.COMPARE, body)
    for id, body in program.comparisons.items():
        yield _Flow(("comparison", id), FlowKind.COMPARE, body)
    for key, method in program.methods.items():
        if key != (method.owner, method.name):
            wrong = f"stands as {flow_text((method.owner, method.name))}"
            raise IrError(f"{flow_text(key)}: {wrong}")
        yield _Flow(key, FlowKind.METHOD, method.body, method)
    yield _Flow(("match", ""), FlowKind.MATCH, program.match)
    yield _Flow(("end", ""), FlowKind.END, program.end)


def _check_flow(world: World, flow: _Flow) -> list[Value]:
    """Check one flow by itself; the calls and cardset tests in it, each once."""
    _check_graph(flow)
    seen: set[tuple[Value, bool, bool]] = set()
    calls: list[Value] = []
    for id, one in flow.body.instructions.items():
        place = Place(flow.key, id, flow.kind, flow.method)
        _check_operation(world, place, one.operation)
        for value in ir.operation_values(one.operation):
            calls += check_value(world, place, value, FREE, seen)
    return calls


# control


def _check_graph(flow: _Flow) -> None:
    body = flow.body
    if body.entry not in body.instructions:
        raise IrError(f"{flow_text(flow.key)}: the entry {body.entry!r} does not exist")
    for id, one in body.instructions.items():
        place = Place(flow.key, id, flow.kind, flow.method)
        if one.id != id:
            raise place.error(f"the instruction there calls itself {one.id!r}")
        _check_next(place, one)
        for target in _targets(one):
            if target not in body.instructions:
                raise place.error(
                    f"control goes on at {target!r}, which does not exist"
                )
    _check_reached(flow)
    if flow.kind in _PURE:
        _check_acyclic(flow)


def _check_next(place: Place, one: ir.Instruction) -> None:
    name = type(one.operation).__name__
    if isinstance(one.operation, _STEPS):
        if one.next is None:
            raise place.error(f"the step {name} has no next instruction")
        if place.kind in _PURE and isinstance(one.operation, _EFFECTS):
            raise place.error(
                f"{name} changes something, but {_flow_word(place)} may not"
            )
    elif one.next is not None:
        raise place.error(f"{name} is no step, but has a next instruction")
    elif not isinstance(one.operation, (ir.Branch, *_TERMINALS[place.kind])):
        raise place.error(f"{name} cannot end {_flow_word(place)}")


def _flow_word(place: Place) -> str:
    return f"a flow of kind {place.kind.name}"


def _targets(one: ir.Instruction) -> tuple[str, ...]:
    match one.operation:
        case ir.AskPlay(_, next) | ir.AskChoice(_, _, next):
            return (next,)
        case _:
            return ir.successors(one)


def _check_reached(flow: _Flow) -> None:
    instructions = flow.body.instructions
    reached: set[str] = set()
    pending = [flow.body.entry]
    while pending:
        id = pending.pop()
        if id not in reached:
            reached.add(id)
            pending.extend(_targets(instructions[id]))
    for id in instructions:
        if id not in reached:
            place = Place(flow.key, id, flow.kind, flow.method)
            raise place.error("control never comes here")


def _check_acyclic(flow: _Flow) -> None:
    graph = {id: ir.successors(one) for id, one in flow.body.instructions.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        place = Place(flow.key, error.args[1][0], flow.kind, flow.method)
        raise place.error("control comes back here, and nothing has changed") from None


# operations


def _check_operation(world: World, place: Place, operation: ir.Operation) -> None:
    """What an operation demands of its values' representations and of its names; not the values themselves."""
    match operation:
        case ir.Assign(target, value):
            _check_target(world, place, target)
            _demand(place, "the assigned value", value, Rep.INTEGER)
        case ir.SortDeck(keys, guard):
            for key in keys:
                check_key(world, place, "card", key)
            if guard is not None:
                _demand(place, "the guard of a sort of the deck", guard, Rep.MIXED)
        case ir.Deal(_, filters):
            for one in filters:
                if one.name is not None and not world.is_readable("card", one.name):
                    raise place.error(f"a filter on {one.name!r}, which no card stores")
        case ir.Branch(condition, _, _):
            _demand(place, "the condition", condition, Rep.BOOLEAN)
        case ir.Return(value):
            _check_returned(place, value)
        case _:
            pass


def _demand(place: Place, role: str, value: Value, wanted: Rep) -> None:
    if ir.rep_of(value) is not wanted:
        raise place.error(f"{role} is {represented(value)}, not {wanted.name}")


def _check_target(world: World, place: Place, target: ir.Target) -> None:
    subject, name = target.subject, target.name
    rep = ir.rep_of(subject)
    if isinstance(subject, ir.Empty) or (rep not in _OWNERS and rep is not Rep.MIXED):
        raise place.error(f"a property of {represented(subject)} is assigned")
    owners = list(_OWNERS.values()) if rep is Rep.MIXED else [_OWNERS[rep]]
    if not any(name in world.assigned[one] or name in KEPT[one] for one in owners):
        raise place.error(
            f"{name!r} is assigned, which no {' or '.join(owners)} stores"
        )


def _check_returned(place: Place, value: Value | None) -> None:
    wanted = Rep.NONE if place.method is None else place.method.returned
    if wanted is Rep.NONE:
        if value is not None:
            raise place.error("a value is returned where none is wanted")
    elif value is None:
        raise place.error(f"nothing is returned, not {wanted.name}")
    elif not fits(value, wanted):
        raise place.error(f"{represented(value)} is returned, not {wanted.name}")


# calls


def _callees_first(calls: Mapping[FlowKey, list[Value]]) -> list[FlowKey]:
    graph = {key: [called_flow(one) for one in values] for key, values in calls.items()}
    try:
        return list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        names = " -> ".join(flow_text(one) for one in error.args[1])
        raise IrError(f"flows call each other in a circle: {names}") from None


def _check_effects(
    flows: Mapping[FlowKey, _Flow],
    order: list[FlowKey],
    calls: Mapping[FlowKey, list[Value]],
) -> None:
    """Only a statement of a flow that may change something calls a method with effects."""
    effectful: set[FlowKey] = set()
    for key in order:
        flow = flows[key]
        statements = {
            one.operation.call
            for one in flow.body.instructions.values()
            if isinstance(one.operation, ir.Invoke)
        }
        changing = [one for one in calls[key] if called_flow(one) in effectful]
        for one in changing:
            name = flow_text(called_flow(one))
            if one not in statements or flow.kind in _PURE:
                raise IrError(f"{flow_text(key)}: {name} has effects, and may not here")
        own = (
            isinstance(one.operation, _EFFECTS)
            for one in flow.body.instructions.values()
        )
        if changing or any(own):
            effectful.add(key)
