"""The facts of a flow in words: a label and a text each, in English or Chinese.

    accepted lengths: 5
    elements that exist: sorted_rank[0..4], behind right_size

Names of the author's are made harmless as in diagnostics. A collection is called as generated code would call it:
`cards`, `by_rank` for cards sorted by their rank, `sorted_rank` for sorted ranks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.diagnostics.reporter import Lang, safe
from dealwright.compiler.passes.bounds import Bounds
from dealwright.compiler.passes.costs import FREE
from dealwright.compiler.passes.facts import (
    ANY,
    CARD_ITEMS,
    ElementFact,
    FlowFacts,
    ItemFact,
)
from dealwright.compiler.passes.order import WHOLE, OrderUse
from dealwright.compiler.passes.reads import CallKey, values_below
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value
from dealwright.compiler.representation.irtext import value_text
from dealwright.compiler.rule.model import Rule

Fact = tuple[str, str]
"""A label and what it says."""

_LENGTHS: Final = Words("accepted lengths", "接受的张数")
_PLAYS: Final = Words("lengths of the plays", "两手牌的张数")
_SETTLED: Final = Words(
    "decided by the number of cards", "由张数决定（由询问者先判断）的节点"
)
_CARDS: Final = Words("read of cards", "读取的牌属性")
_STATE: Final = Words("read of the match", "读取的对局状态")
_CHANGES: Final = Words("changes", "修改")
_PROVED: Final = Words("elements that exist", "必定存在的元素")
_GUARDED: Final = Words("elements with a guard", "带保护读取的元素")
_ORDER: Final = Words("order of the cards", "牌的顺序")
_HANDED: Final = Words("handed over by recognition", "识别时预先排好传入")
_NEEDED: Final = Words("asked only if", "仅当以下均成立时才识别")
_COUNTS: Final = Words("counts its work", "计算工作量")

_NOTHING: Final = Words("nothing", "无")
_NONE: Final = Words("none: it accepts nothing", "无：从不接受")
_MORE: Final = Words("{0} or more", "{0} 张以上")
_BEHIND: Final = Words("behind {0}", "在 {0} 之后")
_BY_PLAYS: Final = Words("by what the cardset accepts", "由牌型接受的张数保证")
_BY_CALLERS: Final = Words("by what it is called with", "由调用时传入的内容保证")
_AT: Final = Words("at {0}", "在 {0} 处")
_ITSELF: Final = Words("not proved, at {0}", "未能证明，在 {0} 处")
_THROUGH: Final = Words("through {0}", "经由 {0}")
_FREE: Final = Words("does not matter", "无关")
_MATTERS: Final = Words("can matter", "可能有关")
_UNSORTED: Final = Words(
    "{0} as they lie, of which {1} is read", "{0} 未排序，读取其 {1}"
)
_TIED: Final = Words(
    "ties of {0} sorted by {2}, of which {1} is read",
    "{0} 按 {2} 排序后相等者，读取其 {1}",
)
_ALL_OF_IT: Final = Words("everything", "整张牌")
_NO: Final = Words("no, it is short", "否，很短")
_LOOPS: Final = Words("yes, in every round of its loops", "是，循环每一轮都计")
_LONG: Final = Words(
    f"yes, it can take more than {FREE:,} steps", f"是，可能超过 {FREE:,} 步"
)

_ITEMS: Final = {
    "latest": Words("the latest play", "上一手牌"),
    "choice": Words("the choice", "用户的选择"),
    "current": Words("the current player", "当前玩家"),
    "deck": Words("the deck", "牌堆"),
    "hands": Words("the hands", "手牌"),
}


def facts_in_words(rule: Rule, facts: FlowFacts, lang: Lang) -> Iterator[Fact]:
    """All facts of a flow, in a fixed order."""
    if facts.bounds is not None:
        yield _say(_LENGTHS, lang), lengths_text(facts.bounds, lang)
    if facts.settled:
        yield _say(_SETTLED, lang), ", ".join(map(safe, facts.settled))
    if facts.plays is not None:
        both = zip(("a", "b"), facts.plays, strict=True)
        sides = [f"{side} {lengths_text(one, lang)}" for side, one in both]
        yield _say(_PLAYS, lang), "; ".join(sides)
    cards = [one for one in facts.reads if one.item[0] in CARD_ITEMS]
    state = [one for one in facts.reads if one.item[0] not in CARD_ITEMS]
    yield _say(_CARDS, lang), _items_text(rule, cards, lang)
    yield _say(_STATE, lang), _items_text(rule, state, lang)
    if facts.changes:
        yield _say(_CHANGES, lang), _items_text(rule, facts.changes, lang)
    for label, is_proved in ((_PROVED, True), (_GUARDED, False)):
        found = [one for one in facts.elements if one.is_proved == is_proved]
        yield _say(label, lang), _elements_text(facts, found, lang)
    yield _say(_ORDER, lang), _order_text(rule, facts.order, lang)
    if handed := [one for one in facts.handed if one not in facts.sure]:
        held = [f"{held_name(one)}" for one in handed]
        yield _say(_HANDED, lang), ", ".join(held)
    if facts.sure:
        names = {one.id: one.name for one in rule.cardsets}
        held = [
            (
                safe(names[one.cardset])
                if isinstance(one, ir.IsCardset)
                else held_name(one)
            )
            for one in facts.sure
        ]
        yield _say(_NEEDED, lang), ", ".join(held)
    yield _say(_COUNTS, lang), _count_text(facts, lang)


def _say(words: Words, lang: Lang, *parts: str) -> str:
    return (words.zh if lang == "zh" else words.en).format(*parts)


def lengths_text(bounds: Bounds | None, lang: Lang) -> str:
    """Accepted lengths: `5`, `1..3, 5`, `6 or more`; of no cardset, none."""
    if bounds is None or not bounds.accepted:
        return _say(_NONE, lang)
    top = bounds.lengths.top
    single = [length for length in range(top) if bounds.accepted >> length & 1]
    parts: list[str] = []
    if bounds.accepted >> top & 1:
        first = top
        while single and single[-1] == first - 1:
            first = single.pop()
        parts = [_say(_MORE, lang, str(first))]
    return ", ".join([*_ranges(single), *parts])


def _ranges(numbers: Iterable[int]) -> list[str]:
    """Ascending numbers, those in a row as `first..last`."""
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    return [f"{row[0]}..{row[-1]}" if row[1:] else str(row[0]) for row in found]


def _items_text(rule: Rule, items: Sequence[ItemFact], lang: Lang) -> str:
    """What is read, first what the flow reads itself, then what it reads through each flow that it calls."""
    own = [_item_text(one, lang) for one in items if one.is_own]
    parts = [", ".join(own)] if own else []
    called: dict[tuple[CallKey, ...], list[str]] = {}
    for one in items:
        if not one.is_own:
            called.setdefault(one.through, []).append(_item_text(one, lang))
    for through, names in called.items():
        callees = ", ".join(_callee(rule, key) for key in through)
        parts.append(f"{', '.join(names)} ({_say(_THROUGH, lang, callees)})")
    return "; ".join(parts) or _say(_NOTHING, lang)


def _item_text(fact: ItemFact, lang: Lang) -> str:
    owner, name = fact.item
    if owner in _ITEMS:
        return _say(_ITEMS[owner], lang)
    return f"{'?' if owner == ANY else owner}.{safe(name)}"


def _callee(rule: Rule, key: CallKey) -> str:
    owner, name = key
    if owner == "build":
        cardset = rule.cardset(name)
        return safe(name if cardset is None else cardset.name)
    return f"{owner.capitalize()}.{safe(name)}"


def _elements_text(
    facts: FlowFacts, elements: Sequence[ElementFact], lang: Lang
) -> str:
    """Elements of one collection with one proof together: `cards[0..1], behind if`."""
    groups: dict[tuple[str, str | None], list[ElementFact]] = {}
    for one in elements:
        groups.setdefault((held_name(one.selection), one.behind), []).append(one)
    parts = []
    for (name, behind), group in groups.items():
        indices = ", ".join(_indices(one.index for one in group))
        nodes = ", ".join(dict.fromkeys(safe(one.node) for one in group))
        why = _say(_ITSELF, lang, nodes)
        if behind is not None:
            why = _say(_BEHIND, lang, safe(behind))
        elif group[0].is_proved:
            given = _given(facts, group[0].selection)
            why = _say(_AT, lang, nodes) if given is None else _say(given, lang)
        parts.append(f"{name}[{indices}], {why}")
    return "; ".join(parts) or _say(_NOTHING, lang)


def _given(facts: FlowFacts, selection: Value) -> Words | None:
    """What a flow knows of a collection before its first node; None if that is nothing."""
    below = list(values_below((selection,), set()))
    if any(isinstance(one, ir.Compared) for one in below):
        return _BY_PLAYS
    if facts.settled and any(isinstance(one, ir.Judged) for one in below):
        return _BY_PLAYS
    is_passed = any(isinstance(one, ir.Judged | ir.Parameter) for one in below)
    return _BY_CALLERS if is_passed and facts.flow.kind == "method" else None


def _indices(indices: Iterable[Value]) -> list[str]:
    """Constants in ranges, then formulas."""
    numbers: set[int] = set()
    formulas: dict[str, None] = {}
    for index in indices:
        if isinstance(index, ir.Integer):
            numbers.add(max(index.value, 0))
        else:
            # a formula of several lines is too long to be an index here
            text = value_text(index)
            formulas["…" if "\n" in text else text] = None
    return [*_ranges(sorted(numbers)), *formulas]


def held_name(selection: Value) -> str:
    """What generated code would call a collection: `cards`, `by_rank`, `sorted_rank`, `a.cards`, `latest`."""
    match selection:
        case ir.Judged():
            return "cards"
        case ir.CardsOf(ir.Compared(is_a)):
            return "a.cards" if is_a else "b.cards"
        case ir.CardsOf(ir.Parameter(name, _)):
            return f"{safe(name)}.cards"
        case ir.Parameter(name, _):
            return safe(name)
        case ir.SortedValues(of, names, is_descending):
            sign = "falling" if is_descending else "sorted"
            return _of("_".join((sign, *map(safe, names))), of)
        case ir.Call("table", method, _, _, ()):
            return safe(method)
        case ir.IsCardset(cardset, _, _, _):
            return f"is({safe(cardset)})"
        case ir.Sorted(of, keys):
            names = tuple(safe(key.property) for key in keys)
            return _of("_".join(("by", *names)), of)
        case _:
            text = value_text(selection)
            return "…" if "\n" in text else text


def _of(name: str, selection: Value) -> str:
    return (
        name if isinstance(selection, ir.Judged) else f"{name}({held_name(selection)})"
    )


def _order_text(rule: Rule, uses: Sequence[OrderUse], lang: Lang) -> str:
    if not uses:
        return _say(_FREE, lang)
    groups: dict[str, dict[str, None]] = {}
    for use in uses:
        reads = ", ".join(
            _say(_ALL_OF_IT, lang) if one == WHOLE else safe(one) for one in use.reads
        )
        words = _TIED if use.keys else _UNSORTED
        text = _say(words, lang, _source(use), reads, ", ".join(map(safe, use.keys)))
        if use.through is not None:
            text += f" ({_say(_THROUGH, lang, _callee(rule, use.through))})"
        groups.setdefault(text, {})[safe(use.node)] = None
    parts = [
        f"{text}, {_say(_AT, lang, ', '.join(nodes))}" for text, nodes in groups.items()
    ]
    return f"{_say(_MATTERS, lang)}: {'; '.join(parts)}"


def _source(use: OrderUse) -> str:
    kind, name = use.source
    named = {"judged": "cards", "play": f"{name}.cards", "parameter": safe(name)}
    return named.get(kind, kind)


def _count_text(facts: FlowFacts, lang: Lang) -> str:
    if facts.has_loop:
        return _say(_LOOPS, lang)
    return _say(_LONG if facts.is_counted else _NO, lang)
