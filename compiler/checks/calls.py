"""Checks of what flows call: methods and cardsets that do not exist, arguments, circles, effects where none may be.

Part of the pass `check`; see the contract, section 1. A flow calls methods through component 1 and the build flows of
cardsets through component 15; circles may run through both.
"""

from __future__ import annotations

from typing import TypeAlias

from dealwright.compiler.checks.context import (
    Context,
    Facts,
    shown_circle,
)
from dealwright.compiler.checks.meant import (
    meant_cardset_id,
    meant_method,
    meant_object,
)
from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.diagnostics.reporter import listed, quote
from dealwright.compiler.reading.shapes import is_blank
from dealwright.compiler.rule.flowgraph import (
    called_method,
    circles,
    classes_by_name,
    operands,
    way_round,
)
from dealwright.compiler.rule.model import FlowKind, Method, Node, Rule
from dealwright.compiler.rule.references import NodeRef, resolve_object

# ("cardset", id) or (class, name of the method)
_Callee: TypeAlias = tuple[str, str]
_CARDSET = "cardset"


def check_calls(context: Context, facts: Facts) -> None:
    """All checks of the calls that one flow makes."""
    for node in context.reached():
        if node.type == 1:
            _check_call(context, facts, node)
        if node.type == 15:
            _check_cardset(context, facts, node)
        _check_reads(context, facts, node)
    if context.flow.kind in (FlowKind.BUILD, FlowKind.COMPARE):
        for node in context.executed():
            callee = called_method(node)
            if callee in facts.effects:
                context.report("R219", node, "method", name=callee[1])


def _check_call(context: Context, facts: Facts, node: Node) -> None:
    method, target = node.fields.get("method"), node.fields.get("object")
    if is_blank(method):
        context.report("R306", node, "method")
    if resolve_object(target) is None and not (is_blank(method) and is_blank(target)):
        name = "" if target is None else str(target)
        context.report(
            "R211",
            node,
            "object",
            meant=meant_object(context, name),
            name=name,
        )
    callee = called_method(node)
    if callee is not None:
        _check_method(context, facts.rule, node, *callee)


def _check_method(
    context: Context, rule: Rule, node: Node, owner: str, name: str
) -> None:
    """Report a method that its class does not have, unless it may stand where nothing could be read."""
    reporter = context.reporter
    methods = reporter.root / "classes" / owner / "methods"
    method = classes_by_name(rule)[owner].methods.get(name)
    if method is not None:
        unread = methods / name / "parameters"
        if not (
            reporter.has_hole(unread) or reporter.is_explained(reporter.place(unread))
        ):
            _check_arguments(context, node, method)
        return
    if reporter.refused_as_misspelled(reporter.place(methods)):
        return
    if not reporter.has_hole(methods):
        meant = meant_method(reporter, rule, owner, name)
        context.report("R209", node, "method", meant=meant, owner=owner, name=name)


def _check_arguments(context: Context, node: Node, method: Method) -> None:
    """Report arguments that no parameter takes, and parameters that get none."""
    arguments = node.fields.get("parameter")
    given = len(arguments) if isinstance(arguments, list) else 0
    names = method.parameters
    if given == len(names) or context.is_told(node, "parameter"):
        return
    missing = listed(names[given:])
    if given < len(names):
        verb = "gets" if len(names) == given + 1 else "get"
        what = Words(
            f"{missing.en} {verb} none (0, false)", f"{missing.zh} 按无值处理（0、假）"
        )
    else:
        what = Words("what is too many is ignored", "多余的被忽略")
    context.report(
        "R342",
        node,
        "parameter",
        name=method.name,
        taken=_how_many(len(names)),
        given=given or Words("none", "0"),
        what=what,
        parameters=listed(names) if names else Words("none", "无"),
    )


def _how_many(arguments: int) -> Words:
    noun = "argument" if arguments == 1 else "arguments"
    return Words(f"{arguments or 'no'} {noun}", f"{arguments} 个实参")


def _check_cardset(context: Context, facts: Facts, node: Node) -> None:
    name = node.fields.get("card_rule")
    reporter = context.reporter
    if (
        isinstance(name, str)
        and facts.rule.cardset(name) is None
        and not reporter.has_hole(reporter.root / "cardsets")
    ):
        meant = meant_cardset_id(reporter, facts.rule, name)
        context.report("R210", node, "card_rule", meant=meant, name=name)


def _check_reads(context: Context, facts: Facts, node: Node) -> None:
    """A reference to a call of a method with effects."""
    for operand in operands(node, context.scope):
        if isinstance(operand.reference, NodeRef):
            callee = called_method(context.flow.nodes[operand.reference.id])
            if callee in facts.effects:
                context.report("R218", node, operand.field, name=callee[1])


def check_circles(flows: tuple[Context, ...]) -> None:
    """Methods that call each other in a circle, and cardsets whose build flow asks for itself.

    Each circle is reported at the node that takes the first step: of its first cardset if it has any.
    """
    calls: dict[_Callee, dict[_Callee, Node]] = {}
    where: dict[_Callee, Context] = {}
    for context in flows:
        callee = _callee_of(context)
        if callee is not None:
            where[callee] = context
            steps: dict[_Callee, Node] = {}
            calls[callee] = steps
            for node in context.reached():
                for called in _called(node):
                    steps.setdefault(called, node)

    def edges(callee: _Callee) -> tuple[_Callee, ...]:
        return tuple(one for one in calls[callee] if one in calls)

    for members in circles(calls, edges):
        # a cardset first, where there is one
        way = way_round(sorted(members, key=lambda one: one[0] != _CARDSET), edges)
        code, field = "R215", "method"
        if any(kind == _CARDSET for kind, _ in members):
            code = "R216"
        node = calls[way[0]][way[1]]
        if node.type == 15:
            field = "card_rule"
        circle = shown_circle([_shown(callee) for callee in way])
        where[way[0]].report(code, node, field, circle=circle)


def _shown(callee: _Callee) -> Words:
    kind, name = callee
    if kind == _CARDSET:
        return Words(f"cardset {quote(name)}", f"牌型 {quote(name)}")
    return Words(f"the method {quote(name)} of {kind}", f"{kind} 的方法 {quote(name)}")


def _callee_of(context: Context) -> _Callee | None:
    if context.method is not None and context.owner is not None:
        return context.owner, context.method.name
    if context.cardset is not None and context.flow.kind is FlowKind.BUILD:
        return _CARDSET, context.cardset.id
    return None


def _called(node: Node) -> tuple[_Callee, ...]:
    rule = node.fields.get("card_rule")
    if node.type == 15 and isinstance(rule, str):
        return ((_CARDSET, rule),)
    callee = called_method(node)
    return () if callee is None else (callee,)
