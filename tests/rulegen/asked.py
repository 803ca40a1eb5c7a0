"""Random rules for who asks whom what: lengths, questions for other cardsets, answers of the table, cards passed on.

Cardsets whose conditions are nested in any way, over what `passes.bounds`, `passes.needs`, `passes.dispatch` and
`passes.arguments` decide: how many cards there are, whether they (or others) are a later cardset, what boolean methods of
the table say, and what methods say that are passed cards and plays and pass them on.
"""

from __future__ import annotations

import random
from typing import Any, Final, TypeAlias, final

from tests.casefile import base_rule, flow

Json: TypeAlias = Any

PROPERTIES: Final = ("点数", "花色")
CARDS: Final = ("cards", "cards", "cards", "sorted", "card_1|card_2", "deck")
KINDS: Final = (
    *("length", "length", "question", "question", "answer", "answer"),
    *("elements", "elements", "each", "method", "method", "deck"),
)


def asked_rule(seed: int) -> Json:
    """A rule of two to five cardsets; the same for the same seed everywhere."""
    choose = random.Random(f"asked {seed}")
    rule = base_rule()
    ids = [str(number) for number in range(1, choose.randint(2, 5) + 1)]
    table = rule["classes"]["table"]
    table["user_properties"] = {
        "open": {"type": "int", "default": choose.randint(0, 2)}
    }
    table["methods"] = {
        "may": {"parameters": {}, "flow": flow(_may(choose))},
        "can": {"parameters": {}, "flow": flow(_may(choose))},
        "nth": {
            "parameters": {"held": {"type": "cardset"}},
            "flow": flow(_nth(choose)),
        },
        "on": {"parameters": {"held": {"type": "cardset"}}, "flow": flow(_ON)},
    }
    common = choose.choice((None, None, "may", "can"))
    rule["cardsets"] = {id: _cardset(choose, id, ids, common) for id in ids}
    rule["match_flow"] = flow(_match(choose, ids))
    return rule


_ON: Final = [
    "1: 25 -> 2",
    '2: 26 {"return": "said"}',
    'said: 1 {"object": "table_0", "method": "nth", "parameter": ["held"]}',
]
"""A method that passes on what it is given."""


def _may(choose: random.Random) -> list[str]:
    """A method that says yes or no of the table and the cards being judged."""
    tests = (
        'test: 14 {"operator": 1, "lval": "open", "rval": "+1"}',
        'test: 14 {"operator": 3, "lval": "rank", "rval": "open"}',
        f'test: 14 {{"operator": 4, "lval": "count", "rval": "+{choose.randint(1, 3)}"}}',
    )
    return [
        "1: 25 -> 2",
        '2: 26 {"return": "test"}',
        choose.choice(tests),
        'open: 6 {"operator": 0, "ident": "table_0", "property": "open"}',
        'count: 7 {"selection": "cards"}',
        f'card: 5 {{"selection": "cards", "index": {choose.randint(0, 2)}}}',
        'rank: 6 {"operator": 1, "ident": "card", "property": "点数"}',
    ]


def _nth(choose: random.Random) -> list[str]:
    """A method that reads a card, which may not be there, of what it is given."""
    source = choose.choice(("held", "sorted"))
    return [
        "1: 25 -> 2",
        '2: 26 {"return": "value"}',
        _sorted("sorted", choose, "held"),
        f'card: 5 {{"selection": "{source}", "index": {choose.randint(0, 3)}}}',
        f'value: 6 {{"operator": 1, "ident": "card", "property": "{choose.choice(PROPERTIES)}"}}',
    ]


def _sorted(id: str, choose: random.Random, cards: str = "cards") -> str:
    name, order = choose.choice(PROPERTIES), choose.randint(0, 1)
    return f'{id}: 2 {{"selection": "{cards}", "properties": [{{"name": "{name}", "order": {order}}}]}}'


def _cardset(
    choose: random.Random, id: str, ids: list[str], common: str | None
) -> Json:
    """A cardset; `common` is a method that most cardsets of the rule ask first."""
    later = [other for other in ids if other > id]
    conditions = _Conditions(choose, later)
    steps = [conditions.length()] if choose.random() < 0.8 else []
    if common is not None and choose.random() < 0.8:
        steps.append(conditions.answer(common))
    steps += [conditions.any(depth=2) for _ in range(choose.randint(1, 3))]
    lines = ["1: 27 -> step0"]
    for number, condition in enumerate(steps):
        further = [f"step{later}" for later in range(number + 1, len(steps))]
        onward = further[0] if further else "ok"
        other = choose.choice(("fail", "fail", "fail", "ok", "other", *further[1:]))
        sides = [onward, "fail" if other == onward else other]
        if choose.random() < 0.25:
            sides.reverse()
        lines.append(
            f'step{number}: 16 {{"condition": "{condition}", "next_true": "{sides[0]}", "next_false": "{sides[1]}"}}'
        )
    lines += [
        *conditions.lines,
        'ok: 28 {"result": 1, "properties": {"weight": 3}}',
        'other: 28 {"result": 1, "properties": {"weight": 5}}',
        'fail: 28 {"result": 0}',
    ]
    return {
        "name": f"Kind {id}",
        "properties": {"weight": {"type": "int", "default": 1}},
        "successors": choose.sample(later, choose.randint(0, len(later))),
        "build_flow": flow(lines),
        "compare_flow": flow(_compare(choose)) if choose.random() < 0.8 else {},
    }


@final
class _Conditions:
    """Conditions of one build flow: their nodes are in `lines`, and each method gives the id of one."""

    def __init__(self, choose: random.Random, later: list[str]) -> None:
        self.lines: list[str] = []
        self._choose = choose
        self._later = later
        self._made = 0

    def _tag(self) -> str:
        self._made += 1
        return str(self._made)

    def any(self, depth: int) -> str:
        """Some condition, nested so deep at the most."""
        choose = self._choose
        luck = choose.random() if depth else 1
        if luck < 0.3:
            left, right, tag = self.any(depth - 1), self.any(depth - 1), self._tag()
            self.lines.append(
                f'logic{tag}: 12 {{"operator": {choose.randint(0, 1)}, "lval": "{left}", "rval": "{right}"}}'
            )
            return f"logic{tag}"
        if luck < 0.4:
            operand, tag = self.any(depth - 1), self._tag()
            self.lines.append(f'not{tag}: 13 {{"component": "{operand}"}}')
            return f"not{tag}"
        match choose.choice(KINDS):
            case "question" if self._later:
                return self.question(choose.choice(CARDS))
            case "each" if self._later:
                return self.each()
            case "answer":
                return self.answer(choose.choice(("may", "can")))
            case "elements":
                return self.elements()
            case "method":
                return self.method()
            case "deck":
                tag = self._tag()
                self.lines.append(self._deck(tag))
                return self._compared(f"size{tag}", f"deck{tag}")
            case _:
                return self.length()

    def length(self) -> str:
        """How many cards there are."""
        return self._compared(f"size{self._tag()}", "cards")

    def question(self, cards: str) -> str:
        """Whether some cards are a later cardset."""
        tag = self._tag()
        self.lines += [self._deck(tag), _sorted(f"sorted{tag}", self._choose)]
        asked = f"{cards}{tag}" if cards in ("sorted", "deck") else cards
        other = self._choose.choice(self._later)
        self.lines.append(
            f'is{tag}: 15 {{"card_set": "{asked}", "card_rule": "{other}"}}'
        )
        return f"is{tag}"

    def each(self) -> str:
        """Whether some card or all cards, each by itself, are a later cardset."""
        inner, tag = self.question("cards"), self._tag()
        operator = self._choose.randint(0, 1)
        self.lines.append(
            f'each{tag}: 11 {{"operator": {operator}, "set": "cards", "component": "{inner}"}}'
        )
        return f"each{tag}"

    def answer(self, method: str) -> str:
        """What the table says of the cards."""
        tag = self._tag()
        self.lines.append(
            f'answer{tag}: 1 {{"object": "table_0", "method": "{method}", "parameter": []}}'
        )
        return f"answer{tag}"

    def method(self) -> str:
        """What a method says that is passed some cards."""
        choose, tag = self._choose, self._tag()
        passed = choose.choice(("cards", f"sorted{tag}", "card_1|card_2"))
        method = choose.choice(("nth", "on"))
        self.lines += [
            _sorted(f"sorted{tag}", choose),
            f'said{tag}: 1 {{"object": "table_0", "method": "{method}", "parameter": ["{passed}"]}}',
            f'test{tag}: 14 {{"operator": {choose.randint(0, 4)}, "lval": "said{tag}", "rval": "+{choose.randint(0, 3)}"}}',
        ]
        return f"test{tag}"

    def elements(self) -> str:
        """Two elements compared, which may not be there."""
        choose, tag = self._choose, self._tag()
        source = choose.choice(("cards", f"sorted{tag}"))
        self.lines.append(_sorted(f"sorted{tag}", choose))
        for name in ("one", "two"):
            self.lines += [
                f'{name}{tag}: 5 {{"selection": "{source}", "index": {choose.randint(0, 2)}}}',
                f'of_{name}{tag}: 6 {{"operator": 1, "ident": "{name}{tag}", "property": "{choose.choice(PROPERTIES)}"}}',
            ]
        self.lines.append(
            f'test{tag}: 14 {{"operator": {choose.randint(0, 4)}, "lval": "of_one{tag}", "rval": "of_two{tag}"}}'
        )
        return f"test{tag}"

    def _compared(self, size: str, cards: str) -> str:
        """The number of some cards against a constant."""
        operator = self._choose.choice((0, 0, 0, 1, 2, 3, 4))
        number = self._choose.choice((0, 1, 2, 2, 3, 4))
        self.lines += [
            f'{size}: 7 {{"selection": "{cards}"}}',
            f'{size}_fits: 14 {{"operator": {operator}, "lval": "{size}", "rval": "+{number}"}}',
        ]
        return f"{size}_fits"

    def _deck(self, tag: str) -> str:
        return (
            f'deck{tag}: 6 {{"operator": 0, "ident": "table_0", "property": "卡牌池"}}'
        )


def _compare(choose: random.Random) -> list[str]:
    mine, other = choose.choices(("nth", "on"), k=2)
    return [
        "1: 29 -> 2",
        '2: 16 {"condition": "test", "next_true": "win", "next_false": "lose"}',
        f'test: 14 {{"operator": {choose.choice((1, 3))}, "lval": "mine", "rval": "other"}}',
        f'mine: 1 {{"object": "table_0", "method": "{mine}", "parameter": ["A"]}}',
        f'other: 1 {{"object": "table_0", "method": "{other}", "parameter": ["B"]}}',
        'win: 30 {"result": 0}',
        'lose: 30 {"result": 1}',
    ]


def _match(choose: random.Random, ids: list[str]) -> list[str]:
    """Three plays; behind the first one the flow asks what it was, and changes what the table says."""
    said = 'more: 1 {"object": "table_0", "method": "on", "parameter": ["play"]}'
    next = 'more: 10 {"operator": 0, "lval": "open", "rval": "+1"}'
    return [
        "1: 17 -> deal",
        'deal: {"type": 20, "count": 4, "next": "play"}',
        "play: 21 -> look",
        'look: 16 {"condition": "is", "next_true": "change", "next_false": "ask"}',
        f'is: 15 {{"card_set": "play", "card_rule": "{choose.choice(ids)}"}}',
        'change: 4 {"component": "open", "rvalue": "more"} -> ask',
        'open: 6 {"operator": 0, "ident": "table_0", "property": "open"}',
        choose.choice((said, next)),
        "ask: 21 -> last",
        "last: 21 -> over",
        "over: 18",
    ]
