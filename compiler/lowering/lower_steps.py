"""Lower the control nodes: each function makes the operation of one component.

Values on the control path and starts become `Pass`, which `lower` drops: a value that nobody asks for has no effect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dealwright.compiler.lowering.lower_values import Lowering, sort_keys
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.types import Rep
from dealwright.compiler.rule import references as refs
from dealwright.compiler.rule.model import FlowKind, Node
from dealwright.compiler.rule.objects import DECK
from dealwright.compiler.rule.operands import (
    integer_field,
    returned_reference,
    text_field,
)

_EFFECTS = frozenset({2, 4})
DEFAULT_TIMER = 30
"""Seconds; contract, section 5, types 21 and 22."""


def lower_step(
    lowering: Lowering, scope: refs.Scope, node: Node, returned: Rep, next: str
) -> ir.Operation:
    """The operation of a control node. `returned` is the method's result, `next` where a wait goes on."""
    if node.type == 21:
        return play(node, next)
    if node.type == 22:
        return choose(node, next)
    if node.type == 26:
        return give_back(lowering, scope, node, returned)
    if node.type in _EFFECTS and scope.flow.kind in (FlowKind.BUILD, FlowKind.COMPARE):
        return ir.Pass()  # these flows change nothing; check has warned
    rule = _STEPS.get(node.type)
    return ir.Pass() if rule is None else rule(lowering, scope, node)


def invoke(lowering: Lowering, scope: refs.Scope, node: Node) -> ir.Operation:
    """`{"type": 1, "object": "player_0", "method": "加分", "parameter": ["2"]}` → `game.players[0].加分(2)`."""
    value = lowering.node(scope, node.id)
    return ir.Invoke(value) if isinstance(value, ir.Call) else ir.Pass()


def sort_deck(lowering: Lowering, scope: refs.Scope, node: Node) -> ir.Operation:
    """`{"type": 2, "selection": "5", "properties": [{"name": "点数", "order": 1}]}` with 5 reading 卡牌池 →
    `game.deck.sort(key=lambda card: card.点数)`."""
    selection = refs.resolve(node.fields.get("selection"), scope)
    if not isinstance(selection, refs.NodeRef):
        return ir.Pass()
    target = scope.flow.nodes[selection.id]
    if target.type != 6 or text_field(target, "property") != DECK:
        return ir.Pass()
    owner = lowering.property_owner(scope, target)
    keys = sort_keys(lowering, node, "card")
    match ir.rep_of(owner):
        case Rep.TABLE:
            return ir.SortDeck(keys, None)
        case Rep.MIXED:
            return ir.SortDeck(keys, owner)
        case _:
            return ir.Pass()


def assign(lowering: Lowering, scope: refs.Scope, node: Node) -> ir.Operation:
    """`{"type": 4, "component": "2", "rvalue": "3"}` → `table.轮数 = table.轮数 + 1`."""
    value = lowering.coerce.integer(
        lowering.reference(scope, node.fields.get("rvalue"))
    )
    component = refs.resolve(node.fields.get("component"), scope)
    if not isinstance(component, refs.NodeRef):
        return ir.Pass()
    target = scope.flow.nodes[component.id]
    subject = lowering.property_owner(scope, target)
    if ir.rep_of(subject) not in (
        Rep.CARD,
        Rep.PLAYER,
        Rep.TABLE,
        Rep.MIXED,
    ) or isinstance(subject, ir.Empty):
        return ir.Pass()
    return ir.Assign(ir.Target(subject, text_field(target, "property")), value)


def branch(lowering: Lowering, scope: refs.Scope, node: Node) -> ir.Operation:
    """`{"type": 16, "condition": "3", "next_true": "4", "next_false": "5"}` → `if table.轮数 < 10: …`."""
    condition = lowering.coerce.truth(
        lowering.reference(scope, node.fields.get("condition"))
    )
    assert (
        node.next_true is not None and node.next_false is not None
    ), "check refuses branches without both"
    return ir.Branch(condition, node.next_true, node.next_false)


def finish(lowering: Lowering, scope: refs.Scope, node: Node) -> ir.Operation:
    """`{"type": 18}` → `return SETTLE`."""
    return ir.Finish()


def shuffle(lowering: Lowering, scope: refs.Scope, node: Node) -> ir.Operation:
    """`{"type": 19}` → `game.shuffle()`."""
    return ir.Shuffle()


def deal(lowering: Lowering, scope: refs.Scope, node: Node) -> ir.Operation:
    """`{"type": 20, "prop_pair": [{"prop_name": "点数", "lower_bound": 1}], "count": 5}` →
    `game.deal(5, lambda card: card.点数 >= 1)`."""
    pairs = node.fields.get("prop_pair")
    filters = [
        ir.Filter(
            lowering.stored_name("card", name),
            _bound(pair, "lower_bound"),
            _bound(pair, "upper_bound"),
        )
        for pair in (pairs if isinstance(pairs, list | tuple) else ())
        if isinstance(pair, Mapping)
        and isinstance(name := pair.get("prop_name"), str)
        and name.strip()
    ]
    return ir.Deal(integer_field(node, "count", 1), tuple(filters))


def _bound(pair: Mapping[object, object], name: str) -> int | None:
    raw = pair.get(name)
    return raw if isinstance(raw, int) and not isinstance(raw, bool) else None


def play(node: Node, next: str) -> ir.Operation:
    """`{"type": 21, "timer": 30}` → `return AwaitPlay("8")`."""
    return ir.AskPlay(_timer(node), next)


def _timer(node: Node) -> int:
    """Seconds; a missing or negative timer is the default one."""
    timer = integer_field(node, "timer", DEFAULT_TIMER)
    return timer if timer >= 0 else DEFAULT_TIMER


def choose(node: Node, next: str) -> ir.Operation:
    """`{"type": 22, "timer": 15, "options": [{"name": "要", "value": 1}, 2]}` → `return AwaitChoice("5")`."""
    names: dict[int, str] = {}
    options: list[int] = []
    for one in _sequence(node.fields.get("options")):
        value = one.get("value") if isinstance(one, Mapping) else one
        if not isinstance(value, int) or isinstance(value, bool):
            continue
        name = one.get("name") if isinstance(one, Mapping) else None
        if not isinstance(name, str) or not name.strip():
            name = str(value)
        names.setdefault(value, name)
        options.append(value)
    regions: tuple[str, ...] = ()
    # our own addition to the format; where two regions would have one name, numbers tell them apart
    if node.fields.get("kind") == "region":
        is_told_apart = len(set(names.values())) == len(names)
        regions = tuple(
            names[value] if is_told_apart else str(value) for value in options
        )
    return ir.AskChoice(_timer(node), tuple(options), next, regions)


def _sequence(raw: object) -> list[object]:
    return list(raw) if isinstance(raw, list | tuple) else []


def settle(lowering: Lowering, scope: refs.Scope, node: Node) -> ir.Operation:
    """`{"type": 24, "result": 1}` → `return 1`."""
    return ir.Settle(integer_field(node, "result", 0))


def give_back(
    lowering: Lowering, scope: refs.Scope, node: Node, returned: Rep
) -> ir.Operation:
    """`{"type": 26, "return": "7"}` → `return self.得分 * 倍数`."""
    if returned is Rep.NONE:
        return ir.Return(None)
    value = lowering.reference(scope, returned_reference(node))
    return ir.Return(lowering.coerce.represented(value, returned))


def build_result(lowering: Lowering, scope: refs.Scope, node: Node) -> ir.Operation:
    """`{"type": 28, "result": 1, "properties": {"权重": 10}}` → `return {"权重": 10}`."""
    if integer_field(node, "result", 0) != 1:
        return ir.Reject()
    raw = node.fields.get("properties")
    given = raw if isinstance(raw, Mapping) else {}
    properties = {
        name: value
        for name, value in given.items()
        if isinstance(value, int) and not isinstance(value, bool)
    }
    # their order means nothing, so it must not show
    return ir.Accept(
        tuple(sorted({**lowering.cardset_defaults(scope.flow), **properties}.items()))
    )


def compare_result(lowering: Lowering, scope: refs.Scope, node: Node) -> ir.Operation:
    """`{"type": 30, "result": 0}` → `return A_WINS`."""
    return ir.Win(integer_field(node, "result", 0) == 0)


_STEPS: Mapping[int, Callable[[Lowering, refs.Scope, Node], ir.Operation]] = {
    1: invoke,
    2: sort_deck,
    4: assign,
    16: branch,
    18: finish,
    19: shuffle,
    20: deal,
    24: settle,
    28: build_result,
    30: compare_result,
}
