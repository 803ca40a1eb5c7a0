"""Checks of deals: one that asks for more cards than the whole deck has, and filters that no card can pass.

Part of the pass `check`; see the contract, section 1 ("one deal that exceeds the whole deck") and section 5, type 20.
Where no card passes at all, the filter that keeps them out is told, since the count is not what is wrong; and of a deck
that could not be read as a whole, what is wrong whatever the rest of it is.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Final, final

from dealwright.compiler.checks.context import Axis, Context, Facts
from dealwright.compiler.checks.meant import near_property
from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.diagnostics.reporter import counted_noun, quote
from dealwright.compiler.rule.model import Node

_DEAL: Final = 20
# so many values of a property are listed in a message; of more, the least and the greatest
_MOST_LISTED: Final = 8
# a property that is not declared reads 0 on every card
_UNDECLARED: Final = Axis("", (0,))


def check_deals(context: Context, facts: Facts) -> None:
    """Report the deals of one flow that not even the whole deck is enough for."""
    if facts.deck_size is None:
        return
    for node in context.executed():
        if node.type == _DEAL:
            _check_deal(context, facts, node)


def _check_deal(context: Context, facts: Facts, node: Node) -> None:
    count = node.fields.get("count", 1)
    rounds = max(count, 0) if isinstance(count, int) else 1
    needed = rounds * (facts.rule.players or 1)
    filters = _filters(facts, node)
    undeclared = filters.keys() - facts.declared["card"] - {"id"}
    available = _fitting(facts.axes, filters, undeclared)
    if needed <= available:
        return
    if not available and _report_filter(context, facts, node, filters, undeclared):
        return
    most: int | None = available
    if not facts.has_deck:
        axes = facts.fullest
        most = None if axes is None else _fitting(axes, filters, undeclared)
    if most is None or needed <= most:
        # some cards could not be read; what hides them is refused, and the deal may be right
        reporter = context.reporter
        reporter.refuse_misspelled_within(reporter.root / "classes" / "card")
        return
    is_filtered = any(bounds.low or bounds.high for bounds in filters.values())
    context.report(
        "R220",
        node,
        "count",
        found=_found(most, is_filtered),
        needed=needed,
        how=_share(facts.rule.players, rounds),
        widen=(
            Words(", widen the bounds", "、放宽范围") if is_filtered else Words("", "")
        ),
    )


def _found(available: int, is_filtered: bool) -> Words:
    """How many cards there are for a deal, in words."""
    if is_filtered:
        return Words(
            f"of the cards in the deck {available} fit",
            f"牌堆中符合的有 {available} 张",
        )
    return Words(
        f"the deck has {counted_noun(available, 'card')}", f"牌堆只有 {available} 张牌"
    )


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

    `named` is the field of the first filter that names the property. `is_open`: the rule assigns the property, so any
    card may come to have any value of it.
    """

    named: str
    is_open: bool
    low: _Bound | None
    high: _Bound | None

    def narrowed(self, low: _Bound | None, high: _Bound | None) -> _Range:
        lows = [one for one in (self.low, low) if one is not None]
        highs = [one for one in (self.high, high) if one is not None]
        return _Range(
            self.named,
            self.is_open,
            max(lows, key=lambda one: one.value, default=None),
            min(highs, key=lambda one: one.value, default=None),
        )

    def is_empty(self) -> bool:
        """Whether the lower bound is above the upper one, so that no integer passes."""
        low, high = self.low, self.high
        return low is not None and high is not None and low.value > high.value

    def passing(self, axis: Axis) -> int:
        """How many values of a property may pass as the match starts; those that could not be read may."""
        if self.is_empty():
            return 0
        if self.is_open:
            return axis.size()
        low, high, values = self.low, self.high, axis.values
        first = 0 if low is None else bisect_left(values, low.value)
        end = len(values) if high is None else bisect_right(values, high.value)
        return end - first + axis.unread


def _filters(facts: Facts, node: Node) -> dict[str, _Range]:
    """The filters of a deal by property; of a blank name there is none."""
    ranges: dict[str, _Range] = {}
    items = node.fields.get("prop_pair")
    for index, item in enumerate(items if isinstance(items, list) else []):
        name, base = item.get("prop_name"), f"prop_pair/{index}"
        if isinstance(name, str) and name.strip():
            is_open = name in facts.assigned
            fresh = _Range(f"{base}/prop_name", is_open, None, None)
            low, high = (
                None if item.get(key) is None else _Bound(item[key], f"{base}/{key}")
                for key in ("lower_bound", "upper_bound")
            )
            ranges[name] = ranges.get(name, fresh).narrowed(low, high)
    return ranges


def _fitting(
    axes: tuple[Axis, ...], filters: dict[str, _Range], undeclared: AbstractSet[str]
) -> int:
    """How many cards of a deck of these axes pass the filters of a deal, as the match starts.

    Together with a filter on the virtual `id`, whose range is counted by itself, the answer is an upper bound.
    """
    if not all(filters[name].passing(_UNDECLARED) for name in undeclared):
        return 0
    total = size = 1
    for axis in axes:
        size *= axis.size()
        is_filtered = axis.name != "id" and axis.name in filters
        total *= filters[axis.name].passing(axis) if is_filtered else axis.size()
    by_id = filters.get("id")
    return total if by_id is None else min(total, by_id.passing(_ids(size)))


def _ids(size: int) -> Axis:
    return Axis("id", range(1, size + 1))


def _report_filter(
    context: Context,
    facts: Facts,
    node: Node,
    filters: dict[str, _Range],
    undeclared: AbstractSet[str],
) -> bool:
    """Report the first filter that no card passes: its bounds, or that no card has the property.

    Returns whether there is one. Of cards that could not all be read, only bounds that nothing passes and names that are
    declared nowhere are known to be wrong.
    """
    axes = {axis.name: axis for axis in (*facts.axes, _ids(facts.deck_size or 0))}
    for name, bounds in filters.items():
        is_missing = name in undeclared and not bounds.passing(_UNDECLARED)
        if bounds.is_empty() or (
            facts.has_deck and name in axes and not bounds.passing(axes[name])
        ):
            is_sure = facts.has_deck and name in axes and not bounds.is_open
            bound = bounds.low or bounds.high
            context.report(
                "R224",
                node,
                bounds.named if bound is None else bound.field,
                why=_why(name, bounds),
                values=_listed(axes[name]) if is_sure else Words("", ""),
            )
            return True
        if is_missing and "card" not in facts.unread:
            meant = near_property(context.reporter, facts, name, {"card"})
            context.report("R223", node, bounds.named, meant=meant, name=name)
            return True
    return False


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
        en, zh = f"at least {low.value}", f"不小于 {low.value} "
    else:
        most = 0 if high is None else high.value
        en, zh = f"at most {most}", f"不大于 {most} "
    return Words(f"there is no card whose {shown} is {en}", f"没有 {shown} {zh}的牌")


def _listed(axis: Axis) -> Words:
    """The values of a property that cards have, for the end of a remedy: each of a few, the ends of many."""
    values, shown = axis.values, quote(axis.name)
    few = list(islice((value for value, _ in groupby(values)), _MOST_LISTED + 1))
    en, zh = ", ".join(map(str, few)), "、".join(map(str, few))
    if len(few) > _MOST_LISTED:
        en, zh = f"from {values[0]} to {values[-1]}", f"{values[0]} 到 {values[-1]}"
    return Words(
        f"; the values of {shown} on the cards are {en}",
        f"；卡牌的 {shown} 取值为 {zh}",
    )
