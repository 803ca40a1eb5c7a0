"""Checks of the rule as a whole: cardsets and comparisons, the deck and deals from it, whose turn it is.

Part of the pass `check`; see the contract, sections 1, 2 and 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from dealwright.compiler.codes import Words
from dealwright.compiler.diagnostics import Reporter
from dealwright.compiler.flowgraph import (
    START_ID,
    control_circles,
    reference,
    successors,
)
from dealwright.compiler.model import Flow, Node, Rule
from dealwright.compiler.objects import deck_axes
from dealwright.compiler.passes.check_context import (
    MAX_DECK,
    Context,
    Facts,
    assigned_property,
)
from dealwright.compiler.passes.check_meant import (
    meant_cardset_id,
    meant_cardset_name,
    meant_property,
)
from dealwright.compiler.references import LiteralRef, NoReference, Scope

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
    else:
        for context in flows:
            for node in context.executed():
                if node.type == 20:
                    _check_deal(context, facts, facts.deck_size, node)


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
        for field, name in unknown if is_read else ():
            reporter.report(
                "R322",
                reporter.place(pointer / field),
                meant=meant_cardset_name(reporter, rule, name),
                field=Words(f"'{field}'", field),
                name=name,
            )
        pair = (comparison.a, comparison.b)
        if pair in seen and not unknown:
            reporter.report(
                "R321",
                reporter.place(pointer, key=True),
                a=comparison.a,
                b=comparison.b,
            )
        seen.add(pair)


def _check_recognition(rule: Rule, reporter: Reporter) -> None:
    first = next(
        (cardset for cardset in rule.cardsets if _always_matches(cardset.build)), None
    )
    if first is None:
        return
    for cardset in rule.cardsets[rule.cardsets.index(first) + 1 :]:
        place = reporter.place(reporter.root / "cardsets" / cardset.id, key=True)
        reporter.report("R326", place, other=first.id)


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
    if isinstance(condition, NoReference):
        exits = (node.next_false,)
    elif isinstance(condition, LiteralRef):
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
    spots = ((context, node) for context in flows for node in context.executed())
    found = next(
        (spot for spot in spots if assigned_property(*spot) == _SHOWN_TURN), None
    )
    if found is not None:
        context, node = found
        context.report("R327", node, "component")


def _check_deal(context: Context, facts: Facts, deck_size: int, node: Node) -> None:
    count = node.fields.get("count", 1)
    rounds = max(count, 0) if isinstance(count, int) else 1
    needed = rounds * (facts.rule.players or 1)
    available = min(deck_size, _fitting(facts, deck_size, node))
    if needed <= available:
        return
    if not facts.has_deck:
        # some cards could not be read; what hides them is refused, and the deal may be right
        reporter = context.reporter
        reporter.refuse_misspelled_within(reporter.root / "classes" / "card")
        return
    field, meant = ("count", None) if available else _culprit(context, facts, node)
    context.report("R220", node, field, meant=meant, needed=needed, available=available)


def _culprit(
    context: Context, facts: Facts, node: Node
) -> tuple[str, str | Words | None]:
    """What keeps every card out of a deal, as a field: a filter on a property that no card has, else the count."""
    items = node.fields.get("prop_pair")
    for index, item in enumerate(items if isinstance(items, list) else []):
        name = item.get("prop_name")
        is_filter = isinstance(name, str) and name.strip()
        if is_filter and name not in facts.properties("card") | facts.assigned:
            owners = frozenset({"card"})
            meant = meant_property(context.reporter, facts, name, owners)
            return f"prop_pair/{index}/prop_name", meant
    return "count", None


def _fitting(facts: Facts, deck_size: int, node: Node) -> int:
    """How many cards of the whole deck pass the filters of a deal, as the match starts.

    Filters on properties that the rule assigns are taken to let everything pass. Together with a filter on the virtual
    `id`, whose range is counted by itself, the answer is an upper bound.
    """
    ranges: dict[str, _Range] = {}
    items = node.fields.get("prop_pair")
    for item in items if isinstance(items, list) else []:
        name = item.get("prop_name")
        if isinstance(name, str) and name.strip() and name not in facts.assigned:
            known = ranges.get(name, _EVERYTHING)
            ranges[name] = known.narrowed(
                item.get("lower_bound"), item.get("upper_bound")
            )
    by_id = ranges.pop("id", _EVERYTHING)
    total = 1
    for name, values in deck_axes(facts.rule):
        total *= sum(ranges.get(name, _EVERYTHING).holds(value) for value in values)
    # an undeclared property reads 0 on every card
    undeclared = ranges.keys() - facts.declared["card"]
    if not all(ranges[name].holds(0) for name in undeclared):
        total = 0
    return min(total, sum(by_id.holds(number) for number in range(1, deck_size + 1)))


@final
@dataclass(frozen=True, slots=True)
class _Range:
    """What all filters of a deal on one property let pass together; None is no bound."""

    low: int | None
    high: int | None

    def narrowed(self, low: int | None, high: int | None) -> _Range:
        lows = [one for one in (self.low, low) if one is not None]
        highs = [one for one in (self.high, high) if one is not None]
        return _Range(max(lows, default=None), min(highs, default=None))

    def holds(self, value: int) -> bool:
        return (self.low is None or self.low <= value) and (
            self.high is None or value <= self.high
        )


_EVERYTHING: Final = _Range(None, None)
