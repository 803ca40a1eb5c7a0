"""The front of the compiler proper: flows of the model become bodies of the intermediate representation.

Goes in: a rule that `check` has accepted, and the kinds that `infer` found. Comes out: `Program`. One small function per
component; its docstring shows the JSON and the Python it becomes. Values are lowered bottom-up with an explicit stack, so
no depth of formula can exhaust Python's.
"""

from __future__ import annotations

from collections.abc import Callable

from dealwright.compiler.lowering.coerce import Coercer
from dealwright.compiler.lowering.infer import Kinds, infer
from dealwright.compiler.lowering.lower_steps import lower_step
from dealwright.compiler.lowering.lower_values import Lowering
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Pool
from dealwright.compiler.representation.program import MethodBody, Program
from dealwright.compiler.representation.types import Kind, Rep, representation
from dealwright.compiler.rule import references as refs
from dealwright.compiler.rule.flowgraph import class_of, control_nodes, is_written
from dealwright.compiler.rule.model import Flow, FlowKind, Method, Rule
from dealwright.compiler.rule.objects import stored_properties
from dealwright.compiler.rule.operands import operator, text_field

END = ""
"""The id of the instruction that stands for running off the end of a flow; no node has it, since ids are not blank."""

Skip = Callable[[str], str]

_CLASS_KINDS = {"card": Kind.CARD, "player": Kind.PLAYER, "table": Kind.TABLE}


def assigned_properties(rule: Rule, kinds: Kinds) -> dict[str, frozenset[str]]:
    """The property names that the rule assigns somewhere, by class; a target of several kinds counts for each."""
    found: dict[str, set[str]] = {"card": set(), "player": set(), "table": set()}
    for scope, _ in refs.scopes(rule):
        for id in control_nodes(scope.flow):
            node = scope.flow.nodes[id]
            if node.type != 4:
                continue
            component = refs.resolve(node.fields.get("component"), scope)
            if not isinstance(component, refs.NodeRef):
                continue
            target = scope.flow.nodes[component.id]
            for owner in _target_classes(
                scope, kinds, target.fields.get("ident"), operator(target)
            ):
                found[owner].add(text_field(target, "property"))
    return {owner: frozenset(names) for owner, names in found.items()}


def _target_classes(
    scope: refs.Scope, kinds: Kinds, ident: object, operator: int
) -> list[str]:
    if operator == 0:
        named = refs.resolve_object(ident)
        return [] if named is None else [class_of(named)]
    kind = kinds.raw(scope, ident)
    return [owner for owner, single in _CLASS_KINDS.items() if single in kind]


def lower(rule: Rule) -> Program:
    """Lower a rule that `check` has accepted."""
    kinds = infer(rule)
    assigned = assigned_properties(rule, kinds)
    stored = {
        one.name: stored_properties(one, assigned[one.name]) for one in rule.classes()
    }
    pool = Pool()
    lowering = Lowering(rule, kinds, pool, Coercer(pool, rule), stored)
    return Program(
        rule=rule,
        pool=pool,
        stored=stored,
        assigned=assigned,
        builds={
            one.id: _body(lowering, refs.Scope(one.build)) for one in rule.cardsets
        },
        compares=_compare_bodies(
            lowering, [(one.id, one.compare) for one in rule.cardsets]
        ),
        comparisons=_compare_bodies(
            lowering, [(one.id, one.flow) for one in rule.comparisons]
        ),
        methods={
            (owner.name, method.name): _method(lowering, owner.name, method)
            for owner in rule.classes()
            for _, method in sorted(owner.methods.items())
        },
        match=_body(lowering, refs.Scope(rule.match_flow)),
        end=_body(lowering, refs.Scope(rule.end_flow)),
    )


def _compare_bodies(
    lowering: Lowering, flows: list[tuple[str, Flow | None]]
) -> dict[str, ir.Body]:
    return {
        id: _body(lowering, refs.Scope(flow))
        for id, flow in flows
        if flow is not None and is_written(flow)
    }


def _method(lowering: Lowering, owner: str, method: Method) -> MethodBody:
    scope = refs.Scope(method.flow, frozenset(method.parameters))
    kinds = lowering.kinds
    returned = representation(kinds.returned(owner, method.name))
    return MethodBody(
        owner=owner,
        name=method.name,
        parameters=tuple(
            (name, representation(kinds.parameter(method.flow.path, name)))
            for name in method.parameters
        ),
        returned=returned,
        body=_body(lowering, scope, returned),
    )


def _body(lowering: Lowering, scope: refs.Scope, returned: Rep = Rep.NONE) -> ir.Body:
    """The body of a flow: its control nodes lowered, nodes without effect left out, its end made explicit."""
    flow = scope.flow
    lowered: dict[str, ir.Instruction] = {}
    for id in control_nodes(flow):
        node = flow.nodes[id]
        operation = lower_step(
            lowering, scope, node, returned, _target(flow, node.next)
        )
        is_step = isinstance(
            operation,
            ir.Assign | ir.SortDeck | ir.Shuffle | ir.Deal | ir.Invoke | ir.Pass,
        )
        lowered[id] = ir.Instruction(
            id, operation, _target(flow, node.next) if is_step else None
        )
    lowered[END] = ir.Instruction(END, _end(lowering, flow.kind, returned), None)
    return _without_passes(ir.Body("1", lowered, lowering.called(flow)))


def _target(flow: Flow, next: str | None) -> str:
    return END if next is None else next


def _end(lowering: Lowering, kind: FlowKind, returned: Rep) -> ir.Terminal:
    if kind is FlowKind.BUILD:
        return ir.Reject()
    if kind is FlowKind.METHOD and returned is not Rep.NONE:
        return ir.Return(
            lowering.coerce.represented(lowering.pool.make(ir.Nothing), returned)
        )
    return ir.Return(None)


def _without_passes(body: ir.Body) -> ir.Body:
    """Drop instructions that do nothing and branches that do not matter, except one in a cycle of nothing else.

    Before: `1 start -> 2 value -> 3 assign`; after: `3 assign`. A branch on a constant, or with one target, becomes its
    target. What is no longer reached is dropped.
    """
    instructions = body.instructions
    place = {id: number for number, id in enumerate(instructions)}

    def skip(id: str) -> str:
        seen = {id}
        while (following := _only_way(instructions[id])) is not None:
            if following in seen:
                return min(seen, key=place.__getitem__)
            seen.add(following)
            id = following
        return id

    entry = skip(body.entry)
    kept: dict[str, ir.Instruction] = {}
    pending = [entry]
    while pending:
        id = pending.pop()
        if id in kept:
            continue
        one = instructions[id]
        kept[id] = changed = _redirected(one, skip)
        pending.extend(reversed(_all_targets(changed)))
    return ir.Body(entry, kept, body.called)


def _only_way(one: ir.Instruction) -> str | None:
    """Where an instruction without effect leads, or None if it has one."""
    match one.operation:
        case ir.Pass():
            return one.next
        case ir.Branch(ir.Boolean(truth), then, orelse):
            return then if truth else orelse
        case ir.Branch(_, then, orelse) if then == orelse:
            return then
        case _:
            return None


def _redirected(one: ir.Instruction, skip: Skip) -> ir.Instruction:
    operation = one.operation
    match operation:
        case ir.Branch(condition, then, orelse):
            only = _only_way(one)
            if only is not None:
                return ir.Instruction(one.id, ir.Pass(), skip(only))
            then, orelse = skip(then), skip(orelse)
            if then == orelse:
                return ir.Instruction(one.id, ir.Pass(), then)
            return ir.Instruction(one.id, ir.Branch(condition, then, orelse), None)
        case ir.AskPlay(timer, next):
            return ir.Instruction(one.id, ir.AskPlay(timer, skip(next)), None)
        case ir.AskChoice(timer, options, next, regions):
            return ir.Instruction(
                one.id, ir.AskChoice(timer, options, skip(next), regions), None
            )
        case _:
            return ir.Instruction(
                one.id, operation, None if one.next is None else skip(one.next)
            )


def _all_targets(one: ir.Instruction) -> list[str]:
    operation = one.operation
    if isinstance(operation, ir.AskPlay | ir.AskChoice):
        return [operation.next]
    return list(ir.successors(one))
