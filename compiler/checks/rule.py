"""Checks of the rule as a whole: cardsets and comparisons, the deck, whose turn it is.

Part of the pass `check`; see the contract, sections 1, 2 and 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dealwright.compiler.checks.context import (
    MAX_DECK,
    Context,
    Facts,
    assigned_property,
)
from dealwright.compiler.checks.meant import (
    meant_cardset_id,
    meant_cardset_name,
)
from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.diagnostics.pointer import Pointer
from dealwright.compiler.diagnostics.reporter import Reporter, quote
from dealwright.compiler.rule.flowgraph import (
    START_ID,
    control_circles,
    reference,
    successors,
)
from dealwright.compiler.rule.model import Cardset, Flow, Node, Rule
from dealwright.compiler.rule.references import LiteralRef, Scope

# so many cardsets are named in a message; of more, how many others there are
_MOST_NAMED: Final = 8
_TURN, _SHOWN_TURN = "player_index", "本轮应出牌者"


def check_rule(facts: Facts, flows: tuple[Context, ...], reporter: Reporter) -> None:
    """All checks that look at more than one flow."""
    _check_successors(facts.rule, reporter)
    _check_comparisons(facts.rule, reporter)
    _check_recognition(facts.rule, reporter)
    _check_turn(facts, flows)
    if facts.deck_size is None:
        reporter.report(
            "R221",
            reporter.place(reporter.root / "classes" / "card", key=True),
            limit=MAX_DECK,
        )


def _check_successors(rule: Rule, reporter: Reporter) -> None:
    known = {cardset.id for cardset in rule.cardsets}
    for cardset in rule.cardsets:
        base = reporter.root / "cardsets" / cardset.id / "successors"
        for index, one in enumerate(cardset.successors):
            if one not in known:
                meant = meant_cardset_id(reporter, rule, one)
                reporter.report(
                    "R323", reporter.place(base / str(index)), meant=meant, name=one
                )


def _check_comparisons(rule: Rule, reporter: Reporter) -> None:
    known = {cardset.name for cardset in rule.cardsets if cardset.name}
    section = reporter.root / "cardsets"
    is_complete = not any(
        reporter.has_hole(section / cardset.id / "name") for cardset in rule.cardsets
    )
    has_all = is_complete and not reporter.has_hole(section)
    seen: set[tuple[str, str]] = set()
    for comparison in rule.comparisons:
        pointer = reporter.root / "cardset_comparisons" / comparison.id
        sides = (("cardsetA", comparison.a), ("cardsetB", comparison.b))
        unknown = [(field, name) for field, name in sides if name not in known]
        is_read = has_all and not reporter.has_hole(pointer)
        if is_read:
            _report_sides(rule, pointer, unknown, reporter)
        pair = (comparison.a, comparison.b)
        if pair in seen and not unknown:
            reporter.report(
                "R321",
                reporter.place(pointer, key=True),
                a=comparison.a,
                b=comparison.b,
            )
        seen.add(pair)


def _report_sides(
    rule: Rule, pointer: Pointer, unknown: list[tuple[str, str]], reporter: Reporter
) -> None:
    """Warn about the sides of a comparison that name no cardset; once if both are not written."""
    blank = [field for field, name in unknown if not name]
    for field, name in unknown:
        if not name and field != blank[0]:
            continue
        shown = quote(name)
        found = Words(
            f"'{field}' is {shown}, which is the name of no cardset",
            f"{field} 是 {shown}，但没有牌型叫这个名字",
        )
        if not name:
            found = Words(
                f"no cardset is named in {' and '.join(map(quote, blank))}",
                f"{' 和 '.join(blank)} 没有填写牌型",
            )
        reporter.report(
            "R322",
            reporter.place(pointer / field),
            meant=meant_cardset_name(reporter, rule, name) if name else None,
            found=found,
        )


def _check_recognition(rule: Rule, reporter: Reporter) -> None:
    """Warn once of the first cardset that always matches, and name all that are tried after it."""
    first = next(
        (cardset for cardset in rule.cardsets if _always_matches(cardset.build)), None
    )
    if first is None:
        return
    later = rule.cardsets[rule.cardsets.index(first) + 1 :]
    if later:
        pointer = reporter.root / "cardsets" / first.id / "build_flow"
        place = reporter.place(pointer, flow=first.build.path, key=True)
        reporter.report("R326", place, later=_listed(later))


def _listed(cardsets: Sequence[Cardset]) -> Words:
    """Ids of cardsets, with their names; of many, the first and how many more."""
    shown = cardsets[:_MOST_NAMED]
    en = ", ".join(_named(cardset, " ({})") for cardset in shown)
    zh = "、".join(_named(cardset, "（{}）") for cardset in shown)
    beyond = len(cardsets) - len(shown)
    return Words(
        f"{en} and {beyond} more" if beyond else en,
        f"{zh}等 {len(cardsets)} 个" if beyond else zh,
    )


def _named(cardset: Cardset, brackets: str) -> str:
    name = brackets.format(quote(cardset.name)) if cardset.name else ""
    return f"{quote(cardset.id)}{name}"


def _always_matches(flow: Flow) -> bool:
    """Whether every path that can be taken ends in a 28 with result 1; conditions are followed if they are constant."""
    if START_ID not in flow.nodes or control_circles(flow):
        return False
    scope = Scope(flow)
    seen, waiting = {START_ID}, [START_ID]
    while waiting:
        node = flow.nodes[waiting.pop()]
        targets = _taken(node, scope)
        if not targets and not (node.type == 28 and node.fields.get("result") == 1):
            return False
        waiting.extend(target for target in targets if target not in seen)
        seen.update(targets)
    return True


def _taken(node: Node, scope: Scope) -> tuple[str, ...]:
    if node.type != 16:
        return successors(node)
    condition = reference(node.fields.get("condition"), scope)
    exits: tuple[str | None, ...] = (node.next_true, node.next_false)
    # an empty condition has a warning of its own, and what it may become is not known
    if isinstance(condition, LiteralRef):
        exits = (node.next_true,) if condition.value else (node.next_false,)
    # an exit that leads nowhere has been refused; it is not a match either
    return (
        () if None in exits else tuple(target for target in exits if target is not None)
    )


def _check_turn(facts: Facts, flows: tuple[Context, ...]) -> None:
    if _SHOWN_TURN not in facts.assigned or _TURN in facts.assigned:
        return
    if any(context.reporter.is_cut(context.flow.path) for context in flows):
        return
    assignments = [
        (context, node, assigned_property(context, node) or "")
        for context in flows
        for node in context.executed()
        if node.type == 4
    ]
    # a target without a name has been refused, and it may be the turn
    if not all(name.strip() for _, _, name in assignments):
        return
    for context, node, name in assignments:
        if name == _SHOWN_TURN:
            context.report("R327", node, "component")
            return
