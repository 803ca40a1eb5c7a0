"""Random rules for what the compiler does another way than it is written: sorts that are none, questions asked once.

A deck of eight cards and cardsets of two or three of them, or so, whose conditions are those that `passes.ends`,
`passes.handover`, `passes.dispatch`, `passes.arguments` and the unrolling of a few cards look for, in random order and
nesting: so that the agreement check meets each of them with every hand, which it hardly does in ordinary random rules.
"""

from __future__ import annotations

import random
from typing import Any, Final, TypeAlias

from tests.casefile import base_rule, flow

Json: TypeAlias = Any

PROPERTIES: Final = ("点数", "花色")
KINDS: Final = (
    "ends",
    "next",
    "middle",
    "answer",
    "verdict",
    "verdict",
    "each",
    "highest",
    "lowest",
)


def shortcut_rule(seed: int) -> Json:
    """A rule of two to four cardsets; the same for the same seed everywhere."""
    choose = random.Random(f"shortcuts {seed}")
    rule = base_rule()
    count = choose.randint(2, 4)
    ids = [str(number) for number in range(1, count + 1)]
    rule["classes"]["table"]["user_properties"] = {
        "open": {"type": "int", "default": choose.randint(0, 2)}
    }
    rule["classes"]["table"]["methods"] = {
        "may": {"parameters": {}, "flow": flow(_may(choose))},
        "top": {
            "parameters": {"play": {"type": "cardset"}},
            "flow": flow(_top(choose)),
        },
        "best": {"parameters": {}, "flow": flow(_best(choose))},
    }
    # now and then all cardsets ask the table first
    first = ["answer"] if choose.random() < 0.3 else []
    rule["cardsets"] = {id: _cardset(choose, id, ids, first) for id in ids}
    rule["match_flow"] = flow(
        [
            "1: 17 -> deal",
            'deal: {"type": 20, "count": 4, "next": "play"}',
            "play: 21 -> change",
            'change: 4 {"component": "open", "rvalue": "more"} -> ask',
            'open: 6 {"operator": 0, "ident": "table_0", "property": "open"}',
            'more: 10 {"operator": 0, "lval": "open", "rval": "+1"}',
            "ask: 21 -> last",
            "last: 21 -> over",
            "over: 18",
        ]
    )
    return rule


def _may(choose: random.Random) -> list[str]:
    """Whether cards may be played: reads the table, and perhaps the cards being judged."""
    condition = choose.choice(
        (
            'test: 14 {"operator": 1, "lval": "open", "rval": "+1"}',
            'test: 14 {"operator": 4, "lval": "open", "rval": "rank"}',
        )
    )
    return [
        "1: 25 -> 2",
        '2: 26 {"return": "test"}',
        condition,
        'open: 6 {"operator": 0, "ident": "table_0", "property": "open"}',
        'first: 5 {"selection": "cards", "index": 0}',
        'rank: 6 {"operator": 1, "ident": "first", "property": "点数"}',
    ]


def _top(choose: random.Random) -> list[str]:
    """The strength of the highest card of a play, in two properties, or the rank of one that it may not have."""
    if choose.random() < 0.5:
        return _strength(choose, "play")
    return [
        "1: 25 -> 2",
        '2: 26 {"return": "rank"}',
        f'card: 5 {{"selection": "play", "index": {choose.randint(1, 2)}}}',
        'rank: 6 {"operator": 1, "ident": "card", "property": "点数"}',
    ]


def _best(choose: random.Random) -> list[str]:
    """The same of the cards being judged."""
    return _strength(choose, "cards")


def _strength(choose: random.Random, cards: str) -> list[str]:
    major, minor = choose.sample(PROPERTIES, 2)
    order = choose.choice((0, 0, 1))
    by = f'[{{"name": "{major}", "order": {order}}}, {{"name": "{minor}", "order": {order}}}]'
    return [
        "1: 25 -> 2",
        '2: 26 {"return": "sum"}',
        f'sorted: 2 {{"selection": "{cards}", "properties": {by}}}',
        'first: 5 {"selection": "sorted", "index": 0}',
        f'high: 6 {{"operator": 1, "ident": "first", "property": "{major}"}}',
        f'low: 6 {{"operator": 1, "ident": "first", "property": "{minor}"}}',
        'scaled: 10 {"operator": 2, "lval": "high", "rval": 5}',
        'sum: 10 {"operator": 0, "lval": "scaled", "rval": "low"}',
    ]


def _cardset(choose: random.Random, id: str, ids: list[str], first: list[str]) -> Json:
    size = choose.choice((2, 2, 3))
    later = [other for other in ids if other > id]
    kinds = [*first, *choose.choices(KINDS, k=choose.randint(1, 3))]
    tests = [_test(choose, kind, str(n), size, later) for n, kind in enumerate(kinds)]
    # mostly so many, else more, fewer, at least or at most so many
    operator = choose.choice((0, 0, 0, 0, 0, 1, 2, 3, 4))
    length = [
        f'length: 14 {{"operator": {operator}, "lval": "count", "rval": "+{size}"}}',
        'count: 7 {"selection": "cards"}',
    ]
    # mostly the number of cards is asked first
    place = 0 if choose.random() < 0.8 else choose.randint(0, len(tests))
    tests.insert(place, ("length", length))
    lines = ["1: 27 -> ask0"]
    for number, (name, parts) in enumerate(tests):
        onward = f"ask{number + 1}" if number + 1 < len(tests) else "ok"
        is_turned = name != "length" and choose.random() < 0.25
        sides = ("fail", onward) if is_turned else (onward, "fail")
        lines.append(
            f'ask{number}: 16 {{"condition": "{name}", "next_true": "{sides[0]}", "next_false": "{sides[1]}"}}'
        )
        lines += parts
    result = choose.choice(("{}", "{}", '{"weight": 2}'))
    lines.append(f'ok: 28 {{"result": 1, "properties": {result}}}')
    lines.append('fail: 28 {"result": 0}')
    return {
        "name": f"Kind {id}",
        "properties": (
            {"weight": {"type": "int", "default": 1}} if "weight" in result else {}
        ),
        "successors": choose.sample(later, choose.randint(0, len(later))),
        "build_flow": flow(lines),
        "compare_flow": flow(_compare(choose)) if choose.random() < 0.7 else {},
    }


def _test(
    choose: random.Random, kind: str, tag: str, size: int, later: list[str]
) -> tuple[str, list[str]]:
    """A condition of this kind: its node, and the lines of all its nodes; `tag` keeps them apart."""
    property = choose.choice(PROPERTIES)
    order = choose.choice((0, 1))
    sorted_ = f'by{tag}: 2 {{"selection": "cards", "properties": [{{"name": "{property}", "order": {order}}}]}}'

    def at(name: str, index: int) -> list[str]:
        return [
            f'{name}card{tag}: 5 {{"selection": "by{tag}", "index": {index}}}',
            f'{name}{tag}: 6 {{"operator": 1, "ident": "{name}card{tag}", "property": "{property}"}}',
        ]

    def compared(operator: int, left: str, right: str) -> str:
        return f'test{tag}: 14 {{"operator": {operator}, "lval": "{left}", "rval": "{right}"}}'

    name = f"test{tag}"
    if kind == "verdict" and not later:
        kind = "ends"
    match kind:
        case "ends":
            last = choose.choice((size - 1, size - 1, size - 1, 1))
            ends = ["a" + tag, "b" + tag]
            choose.shuffle(ends)
            return name, [sorted_, *at("a", 0), *at("b", last), compared(0, *ends)]
        case "next":
            more = f'next{tag}: 10 {{"operator": 0, "lval": "a{tag}", "rval": "+1"}}'
            test = compared(choose.choice((0, 2)), "b" + tag, "next" + tag)
            return name, [sorted_, *at("a", 0), *at("b", 1), more, test]
        case "middle":
            test = compared(choose.choice((0, 3)), "a" + tag, "b" + tag)
            return name, [sorted_, *at("a", 1), *at("b", size - 1), test]
        case "answer":
            return name, [
                f'test{tag}: 1 {{"object": "table_0", "method": "may", "parameter": []}}'
            ]
        case "verdict":
            other = choose.choice(later)
            return name, [
                f'test{tag}: 15 {{"card_set": "cards", "card_rule": "{other}"}}'
            ]
        case "each":
            operator, sign = choose.randint(0, 1), choose.randint(0, 4)
            part = f'part{tag}: 14 {{"operator": {sign}, "lval": "its{tag}", "rval": "+{choose.randint(1, 3)}"}}'
            return name, [
                f'test{tag}: 11 {{"operator": {operator}, "set": "cards", "component": "part{tag}"}}',
                part,
                f'its{tag}: 6 {{"operator": 1, "ident": "one{tag}", "property": "{property}"}}',
                f'one{tag}: 5 {{"selection": "cards", "index": 0}}',
            ]
        case "highest":
            best = f'best{tag}: 1 {{"object": "table_0", "method": "best", "parameter": []}}'
            return name, [best, compared(1, "best" + tag, f"+{choose.randint(2, 14)}")]
        case _:
            return name, [
                sorted_,
                *at("a", choose.choice((0, size - 1))),
                compared(choose.choice((1, 4)), "a" + tag, "+2"),
            ]


def _compare(choose: random.Random) -> list[str]:
    operator = choose.choice((1, 3))
    return [
        "1: 29 -> 2",
        '2: 16 {"condition": "test", "next_true": "win", "next_false": "lose"}',
        f'test: 14 {{"operator": {operator}, "lval": "mine", "rval": "other"}}',
        'mine: 1 {"object": "table_0", "method": "top", "parameter": ["A"]}',
        'other: 1 {"object": "table_0", "method": "top", "parameter": ["B"]}',
        'win: 30 {"result": 0}',
        'lose: 30 {"result": 1}',
    ]
