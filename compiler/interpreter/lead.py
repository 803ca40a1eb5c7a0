"""The oracle's search for a leader's duty to play: is some non-empty subset of a hand recognised?

Only numbers of cards that some build flow can accept count against the budget (decision 24), so each build flow is
first read for a hand of which nothing but the size is known. What cannot be told from that is unknown, and an unknown
branch goes both ways: the answer errs toward "can be accepted" only. Part of the oracle (`interpret.py`): imports the
standard library and the oracle's own modules only.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

from dealwright.compiler.interpreter.machine import Machine, arithmetic, compare
from dealwright.compiler.interpreter.rule import (
    Flow,
    Node,
    integer_or_none,
    integer_or_zero,
)
from dealwright.compiler.interpreter.world import Task, drive


@final
@dataclass(frozen=True, slots=True)
class _Hand:
    """The cards being judged, in some order."""

    size: int


#: A hand, an integer (truths as 1 and 0), or None for unknown.
_Known: TypeAlias = _Hand | int | None


def can_lead(machine: Machine, hand: Sequence[int], budget: int) -> bool | None:
    """Whether some non-empty subset of the hand, in hand order, is recognised; None if the budget runs out first."""
    tried = 0
    for size in range(1, len(hand) + 1):
        cardsets = [
            one for one in machine.rule.cardsets if _may_accept(one.build, size)
        ]
        for subset in itertools.combinations(hand, size) if cardsets else ():
            tried += 1
            if tried > budget:
                return None
            if any(
                machine.run(machine.build(cardset, subset)) is not None
                for cardset in cardsets
            ):
                return True
    return False


def _may_accept(flow: Flow, size: int) -> bool:
    """Whether a build flow could accept some hand of this size."""
    memo: dict[str, _Known] = {}
    seen, waiting = {""}, ["1"]
    while waiting:
        name = waiting.pop()
        if name in seen or name not in flow.nodes:
            continue
        seen.add(name)
        node = flow.nodes[name]
        if node.type == 28 and integer_or_none(node.content.get("result")) == 1:
            return True
        known = (
            _integer(drive(_read(flow, node.content.get("condition"), size, memo)))
            if node.type == 16
            else None
        )
        waiting.extend(
            node.jumps() if known is None else [node.jumps()[0 if known else 1]]
        )
    return False


def _read(flow: Flow, raw: object, size: int, memo: dict[str, _Known]) -> Task:
    reference = flow.reference(raw)
    match reference.kind:
        case "none":
            return 0
        case "value":
            return int(reference.value)
        case "cards":
            return _Hand(size)
        case "node":
            node = flow.nodes[reference.value]
            if node.id not in memo:
                memo[node.id] = yield _formula(flow, node, size, memo)
            return memo[node.id]
        case _:
            return None


def _formula(flow: Flow, node: Node, size: int, memo: dict[str, _Known]) -> Task:
    content = node.content
    match node.type:
        case 2:
            value: _Known = yield _read(flow, content.get("selection"), size, memo)
            return value if isinstance(value, _Hand) else None
        case 6 if node.operator == 1:
            return _property(flow, node, size)
        case 7:
            value = yield _read(flow, content.get("selection"), size, memo)
            return value.size if isinstance(value, _Hand) else None
        case 8 | 9:
            return integer_or_zero(content.get("value"))
        case 10 | 12 | 14:
            left = _integer((yield _read(flow, content.get("lval"), size, memo)))
            right = _integer((yield _read(flow, content.get("rval"), size, memo)))
            return _combine(node, left, right)
        case 13:
            inner = _integer((yield _read(flow, content.get("component"), size, memo)))
            return None if inner is None else int(not inner)
        case 27:
            return _Hand(size)
        case _:
            return None


def _property(flow: Flow, node: Node, size: int) -> _Known:
    reference = flow.reference(node.content.get("ident"))
    is_start = reference.kind == "node" and flow.nodes[reference.value].type == 27
    if is_start and node.content.get("property") == "传入牌组":
        return _Hand(size)
    is_hand = is_start or reference.kind == "cards"
    return (
        size
        if is_hand and node.content.get("property") in (None, "", "content")
        else None
    )


def _combine(node: Node, left: int | None, right: int | None) -> _Known:
    if node.type == 12:
        deciding = node.operator == 1
        if any(side is not None and bool(side) == deciding for side in (left, right)):
            return int(deciding)
        return None if left is None or right is None else int(not deciding)
    if left is None or right is None:
        return None
    return (
        arithmetic(node.operator, left, right)
        if node.type == 10
        else int(compare(node.operator, left, right))
    )


def _integer(value: _Known) -> int | None:
    return value.size if isinstance(value, _Hand) else value
