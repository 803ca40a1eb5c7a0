"""Checks of deals: one that asks for more cards than the whole deck has, and filters that no card can pass.

Part of the pass `check`; see the contract, section 1 ("one deal that exceeds the whole deck") and section 5, type 20.
Where no card passes at all, the filter that keeps them out is told, since the count is not what is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from dealwright.compiler.checks.check_context import Context, Facts
from dealwright.compiler.checks.check_meant import meant_property
from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.diagnostics.reporter import counted_noun, quote
from dealwright.compiler.rule.model import Node
from dealwright.compiler.rule.objects import deck_axes

_DEAL: Final = 20
# so many values of a property are listed in a message; of more, the least and the greatest
_MOST_LISTED: Final = 8


def check_deals(context: Context, facts: Facts) -> None:
    """Report the deals of one flow that not even the whole deck is enough for."""
    if facts.deck_size is None:
        return
    for node in context.executed():
        if node.type == _DEAL:
            _check_deal(context, facts, facts.deck_size, node)


def _check_deal(context: Context, facts: Facts, deck_size: int, node: Node) -> None:
    count = node.fields.get("count", 1)
    rounds = max(count, 0) if isinstance(count, int) else 1
    needed = rounds * (facts.rule.players or 1)
    filters = _filters(facts, node)
    available = min(deck_size, _fitting(facts, deck_size, filters))
    if needed <= available:
        return
    if not facts.has_deck:
        # some cards could not be read; what hides them is refused, and the deal may be right
        reporter = context.reporter
        reporter.refuse_misspelled_within(reporter.root / "classes" / "card")
    elif available:
        how = _share(facts.rule.players, rounds)
        context.report(
            "R220", node, "count", needed=needed, how=how, available=available
        )
    else:
        _report_filter(context, facts, deck_size, node, filters)


def _share(players: int | None, rounds: int) -> Words:
    """How many cards each player gets, in words."""
    if players is None:
        return Words("for a single player", "仅一名玩家")
    each = counted_noun(players, "player")
    return Words(f"{rounds} each for {each}", f"{players} 名玩家每人 {rounds} 张")


@final
@dataclass(frozen=True, slots=True)
class _Bound:
    """A bound of a filter: its value, and its field in the node."""

    value: int
    field: str


@final
@dataclass(frozen=True, slots=True)
class _Range:
    """What all filters of a deal on one property let pass together; None is no bound.

    `named` is the field of the first filter that names the property.
    """

    named: str
    low: _Bound | None
    high: _Bound | None

    def narrowed(self, low: _Bound | None, high: _Bound | None) -> _Range:
        lows = [one for one in (self.low, low) if one is not None]
        highs = [one for one in (self.high, high) if one is not None]
        return _Range(
            self.named,
            max(lows, key=lambda one: one.value, default=None),
            min(highs, key=lambda one: one.value, default=None),
        )

    def holds(self, value: int) -> bool:
        return (self.low is None or self.low.value <= value) and (
            self.high is None or value <= self.high.value
        )

    def is_empty(self) -> bool:
        """Whether the lower bound is above the upper one, so that no integer passes."""
        low, high = self.low, self.high
        return low is not None and high is not None and low.value > high.value


def _filters(facts: Facts, node: Node) -> dict[str, _Range]:
    """The filters of a deal by property; those on properties that the rule assigns let everything pass."""
    ranges: dict[str, _Range] = {}
    items = node.fields.get("prop_pair")
    for index, item in enumerate(items if isinstance(items, list) else []):
        name, base = item.get("prop_name"), f"prop_pair/{index}"
        if isinstance(name, str) and name.strip() and name not in facts.assigned:
            known = ranges.get(name, _Range(f"{base}/prop_name", None, None))
            low, high = (
                None if item.get(key) is None else _Bound(item[key], f"{base}/{key}")
                for key in ("lower_bound", "upper_bound")
            )
            ranges[name] = known.narrowed(low, high)
    return ranges


def _fitting(facts: Facts, deck_size: int, filters: dict[str, _Range]) -> int:
    """How many cards of the whole deck pass the filters of a deal, as the match starts.

    Together with a filter on the virtual `id`, whose range is counted by itself, the answer is an upper bound.
    """
    total = 1
    for name, values in deck_axes(facts.rule):
        if name != "id" and name in filters:
            total *= sum(map(filters[name].holds, values))
        else:
            total *= len(values)
    by_id = filters.get("id")
    if by_id is not None:
        total = min(total, sum(map(by_id.holds, range(1, deck_size + 1))))
    # an undeclared property reads 0 on every card
    undeclared = filters.keys() - facts.declared["card"] - {"id"}
    return total if all(filters[name].holds(0) for name in undeclared) else 0


def _report_filter(
    context: Context,
    facts: Facts,
    deck_size: int,
    node: Node,
    filters: dict[str, _Range],
) -> None:
    """Report the first filter that no card passes: its bounds, or that no card has the property."""
    axes = {name: tuple(values) for name, values in deck_axes(facts.rule)}
    axes["id"] = tuple(range(1, deck_size + 1))
    for name, bounds in filters.items():
        values = axes.get(name, (0,))
        if any(map(bounds.holds, values)):
            continue
        if name in axes or bounds.is_empty():
            bound = bounds.low or bounds.high
            context.report(
                "R224",
                node,
                bounds.named if bound is None else bound.field,
                why=_why(name, bounds),
                name=name,
                values=_listed(values),
            )
        else:
            owners = frozenset({"card"})
            meant = meant_property(context.reporter, facts, name, owners)
            context.report("R223", node, bounds.named, meant=meant, name=name)
        return


def _why(name: str, bounds: _Range) -> Words:
    """Why no card passes the filters on a property, in words."""
    low, high, shown = bounds.low, bounds.high, quote(name)
    if low is not None and high is not None and bounds.is_empty():
        fields = quote(low.field), quote(high.field)
        return Words(
            f"{fields[0]} is {low.value}, but {fields[1]} is {high.value}",
            f"{fields[0]} 是 {low.value}，而 {fields[1]} 是 {high.value}",
        )
    if low is not None and high is not None:
        en = f"from {low.value} to {high.value}"
        zh = f"在 {low.value} 到 {high.value} 之间"
    elif low is not None:
        en, zh = f"of at least {low.value}", f"不小于 {low.value} "
    else:
        most = 0 if high is None else high.value
        en, zh = f"of at most {most}", f"不大于 {most} "
    return Words(f"no card has a {shown} {en}", f"没有 {shown} {zh}的牌")


def _listed(values: tuple[int, ...]) -> Words:
    """The values that cards have, in words: each of a few, the ends of many."""
    few = sorted(set(values))
    if len(few) > _MOST_LISTED:
        return Words(f"from {few[0]} to {few[-1]}", f"{few[0]} 到 {few[-1]}")
    return Words(", ".join(map(str, few)), "、".join(map(str, few)))
