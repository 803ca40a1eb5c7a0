"""The plays of Dou Dizhu as a rule, and hands to ask for them.

The builder has no chains of any length, so each length is a cardset of its own, as an author would have to draw it: 37 in
all, with the names that RLCard gives them. Ranks are 3 to 15 (the two), the jokers 16 and 17; chains end with the ace. What
goes with planes and with four cards is as RLCard's table has it: no bomb, not both jokers, and nothing that makes the
plane a longer one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from random import Random
from typing import Any, Final, TypeAlias, final

Json: TypeAlias = Any
Ranks: TypeAlias = list[int]

SIGNS: Final = "3456789TJQKA2BR"
"""The ranks, from 3, as RLCard spells them."""
ACE: Final = 14
BLACK_JOKER: Final = 16
RED_JOKER: Final = 17
EQUAL: Final = 0
AT_MOST: Final = 4
ALL, ANY = 0, 1


@final
class Drawing:
    """A build flow that grows: values of the cards in the order of their ranks, and the questions about them."""

    def __init__(self, size: int) -> None:
        """Draw what asks for the number of cards."""
        self._size = size
        self._names = count(1)
        self._guards: list[str] = []
        self.nodes: dict[str, Json] = {
            "count": _node(7, selection="cards"),
        }
        self._guards.append(self._value(14, operator=EQUAL, lval="count", rval=size))

    def _value(self, kind: int, **content: Json) -> str:
        name = f"value_{next(self._names)}"
        self.nodes[name] = _node(kind, **content)
        return name

    def rank(self, place: int) -> str:
        """The rank of one card."""
        card, name = f"card_at_{place}", f"rank_{place}"
        by_rank = [{"name": "rank", "order": 1}]
        self.nodes["by_rank"] = _node(2, selection="cards", properties=by_rank)
        self.nodes[card] = _node(5, selection="by_rank", index=place)
        self.nodes[name] = _node(6, operator=1, ident=card, property="rank")
        return name

    def same(self, one: int, other: int, step: int = 0) -> str:
        """Whether two cards have one rank, or the other's is higher by `step`."""
        left = self.rank(one)
        if step:
            left = self._value(10, operator=0, lval=left, rval=step)
        return self._value(14, operator=EQUAL, lval=left, rval=self.rank(other))

    def is_rank(self, place: int, rank: int) -> str:
        """Whether a card has this rank."""
        return self._value(14, operator=EQUAL, lval=self.rank(place), rval=rank)

    def in_chain(self, place: int) -> str:
        """Whether the rank of a card may be in a chain."""
        return self._value(14, operator=AT_MOST, lval=self.rank(place), rval=ACE)

    def joined(self, operator: int, values: list[str]) -> str:
        """All of some values, or any of them."""
        first, *others = values
        for other in others:
            first = self._value(12, operator=operator, lval=first, rval=other)
        return first

    def chain(self, start: int, width: int, length: int) -> list[str]:
        """What makes the cards from `start` on a chain of `length` ranks with `width` cards each."""
        found = [
            self.same(place, place + width - 1)
            for place in range(start, start + width * length, width)
            if width > 1
        ]
        found += [
            self.same(place, place + width, 1)
            for place in range(start, start + width * (length - 1), width)
        ]
        return [*found, self.in_chain(start + width * length - 1)]

    def plane(self, start: int, length: int) -> list[str]:
        """What makes the cards from `start` on so many triples in line; one alone may be of any rank."""
        if length == 1:
            return [self.same(start, start + 2)]
        return self.chain(start, 3, length)

    def pairs(self, start: int, end: int) -> list[str]:
        """What makes the cards from `start` to before `end` pairs."""
        return [self.same(place, place + 1) for place in range(start, end, 2)]

    def need(self, *values: str) -> None:
        """Only cards of which all this is so are a play."""
        self._guards += values

    def refuse(self, value: str) -> None:
        """Only cards of which this is not so are."""
        self._guards.append(self._value(13, component=value))

    def refuse_four(self) -> None:
        """No four cards of a rank."""
        for start in range(self._size - 3):
            self.refuse(self.same(start, start + 3))

    def refuse_both_jokers(self) -> None:
        """They are a play of their own, and go with nothing."""
        black = self.is_rank(self._size - 2, BLACK_JOKER)
        red = self.is_rank(self._size - 1, RED_JOKER)
        self.refuse(self.joined(ALL, [black, red]))

    def flow(self) -> Json:
        """The flow: one branch after the other."""
        names = [f"ask_{number}" for number, _ in enumerate(self._guards)]
        following = [*names[1:], "yes"]
        asked = {
            name: _node(16, condition=guard, next_true=after, next_false="no")
            for name, guard, after in zip(names, self._guards, following, strict=True)
        }
        ends = {
            "yes": _node(28, result=1, properties={}),
            "no": _node(28, result=0, properties={}),
        }
        return {"1": _node(27, next=names[0]), **asked, **ends, **self.nodes}


def _node(type: int, **content: Json) -> Json:
    return {"type": type, "content": content}


def _alike(size: int) -> Json:
    """So many cards of a rank."""
    drawing = Drawing(size)
    if size > 1:
        drawing.need(drawing.same(0, size - 1))
    return drawing.flow()


def _rocket() -> Json:
    drawing = Drawing(2)
    drawing.need(drawing.is_rank(0, BLACK_JOKER), drawing.is_rank(1, RED_JOKER))
    return drawing.flow()


def _chain(width: int, length: int) -> Json:
    drawing = Drawing(width * length)
    drawing.need(*drawing.chain(0, width, length))
    return drawing.flow()


def _with_singles(length: int) -> Json:
    """A plane of so many triples, and as many other cards."""
    drawing = Drawing(4 * length)
    planes = [
        drawing.joined(ALL, drawing.plane(start, length)) for start in range(length + 1)
    ]
    drawing.need(drawing.joined(ANY, planes))
    drawing.refuse_four()
    if length > 1:
        drawing.refuse_both_jokers()
    # three triples with three others that lengthen them are four, a cardset of their own that is asked before
    for start in range(length - 2 if length > 3 else 0):
        drawing.refuse(drawing.joined(ALL, drawing.chain(start, 3, length + 1)))
    return drawing.flow()


def _with_pairs(length: int) -> Json:
    """A plane of so many triples, and as many different pairs."""
    size = 5 * length
    drawing = Drawing(size)
    planes = []
    for start in range(0, 2 * length + 1, 2):
        end = start + 3 * length
        pairs = [*drawing.pairs(0, start), *drawing.pairs(end, size)]
        planes.append(drawing.joined(ALL, [*drawing.plane(start, length), *pairs]))
    drawing.need(drawing.joined(ANY, planes))
    drawing.refuse_four()
    return drawing.flow()


def _four_with_singles() -> Json:
    drawing = Drawing(6)
    fours = [drawing.same(start, start + 3) for start in range(3)]
    drawing.need(drawing.joined(ANY, fours))
    drawing.refuse_both_jokers()
    return drawing.flow()


def _four_with_pairs() -> Json:
    drawing = Drawing(8)
    fours = [
        drawing.joined(
            ALL,
            [
                drawing.same(start, start + 3),
                *drawing.pairs(0, start),
                *drawing.pairs(start + 4, 8),
            ],
        )
        for start in (0, 2, 4)
    ]
    drawing.need(drawing.joined(ANY, fours))
    drawing.refuse(drawing.joined(ALL, [drawing.same(0, 3), drawing.same(4, 7)]))
    return drawing.flow()


def _flows() -> Iterator[tuple[str, Json]]:
    """Name and build flow of each cardset."""
    yield "solo", _alike(1)
    yield "pair", _alike(2)
    yield "rocket", _rocket()
    yield "trio", _alike(3)
    yield "bomb", _alike(4)
    yield "trio_solo", _with_singles(1)
    yield "trio_pair", _with_pairs(1)
    yield from ((f"solo_chain_{n}", _chain(1, n)) for n in range(5, 13))
    yield from ((f"pair_chain_{n}", _chain(2, n)) for n in range(3, 11))
    yield from ((f"trio_chain_{n}", _chain(3, n)) for n in range(2, 7))
    yield from ((f"trio_solo_chain_{n}", _with_singles(n)) for n in range(2, 6))
    yield from ((f"trio_pair_chain_{n}", _with_pairs(n)) for n in range(2, 5))
    yield "four_two_solo", _four_with_singles()
    yield "four_two_pair", _four_with_pairs()


def rule(simplest: Json) -> bytes:
    """The rule file: the cards and cardsets of Dou Dizhu in the match of a simpler rule.

    Args:
        simplest: that rule's document. What its match does is not asked here.
    """
    document = json.loads(json.dumps(simplest))
    design = document["design"]
    document["meta"]["name"] = "Dou Dizhu"
    # the builder's decks have all suits of all ranks: jokers too, of which hands here take one each
    design["classes"]["card"]["default_properties"] = {
        "rank": _enum("rank", range(3, RED_JOKER + 1)),
        "suit": _enum("suit", range(4)),
    }
    design["cardsets"] = {
        str(number): {
            "name": name,
            "properties": {},
            "build_flow": flow,
            "compare_flow": {},
            "successors": [],
        }
        for number, (name, flow) in enumerate(_flows(), 1)
    }
    return json.dumps(document).encode()


def _enum(name: str, values: range) -> Json:
    config = [
        {"id": f"{name}-{value}", "display": str(value), "value": value}
        for value in values
    ]
    return {"type": "enum", "default": values[0], "config": config}


# -- hands

WIDTHS: Final[Mapping[str, int]] = {"solo": 1, "pair": 2, "trio": 3}
COPIES: Final = [rank for rank in range(3, BLACK_JOKER) for _ in range(4)]


def a_play(name: str, random: Random) -> Ranks:
    """The ranks, ascending, of a play of that name; what goes with it is drawn until nothing forbids it."""
    draw = _DRAWS.get(name)
    if draw is not None:
        return sorted(draw(random))
    kind, _, length = name.rpartition("_chain_")
    run = _run(WIDTHS[kind.partition("_")[0]], int(length), random)
    return sorted(run + _kickers(kind, run, int(length), random))


def _run(width: int, length: int, random: Random) -> Ranks:
    start = random.randint(3, ACE - length + 1)
    return [start + step for step in range(length) for _ in range(width)]


def _kickers(kind: str, run: Ranks, number: int, random: Random) -> Ranks:
    """What goes with a plane, if anything: singles or pairs."""
    others = [rank for rank in range(3, BLACK_JOKER) if rank not in run]
    if kind.endswith("_pair"):
        return [rank for rank in random.sample(others, number) for _ in range(2)]
    if not kind.endswith("_solo"):
        return []
    drawn = [rank for rank in others for _ in range(4)] + [BLACK_JOKER, RED_JOKER]
    while True:
        kickers = random.sample(drawn, number)
        longer = (min(run) - 1, max(run) + 1 if max(run) < ACE else min(run) - 1)
        if (
            max(map(kickers.count, kickers)) < 4
            and not {BLACK_JOKER, RED_JOKER} <= {*kickers}
            and all(kickers.count(rank) < 3 for rank in longer)
        ):
            return kickers


def _some(random: Random, *sizes: int) -> Ranks:
    """So many cards of one rank, so many of another, and so on."""
    ranks = random.sample(range(3, BLACK_JOKER), len(sizes))
    return [rank for rank, size in zip(ranks, sizes, strict=True) for _ in range(size)]


_DRAWS: Final[Mapping[str, Callable[[Random], Ranks]]] = {
    "solo": lambda random: [random.randint(3, RED_JOKER)],
    "pair": lambda random: _some(random, 2),
    "trio": lambda random: _some(random, 3),
    "bomb": lambda random: _some(random, 4),
    "trio_solo": lambda random: _some(random, 3, 1),
    "trio_pair": lambda random: _some(random, 3, 2),
    "four_two_solo": lambda random: _some(random, 4, 1, 1),
    "four_two_pair": lambda random: _some(random, 4, 2, 2),
    "rocket": lambda random: [BLACK_JOKER, RED_JOKER],
}


def plays(number: int, seed: int) -> list[Ranks]:
    """So many plays, the cardsets in turn, shuffled."""
    random = Random(f"dou dizhu plays {seed}")
    names = [name for name, _ in _flows()]
    found = [a_play(names[each % len(names)], random) for each in range(number)]
    random.shuffle(found)
    return found


def hands(number: int, size: int, seed: int, *, most_alike: int = 4) -> list[Ranks]:
    """So many hands of so many cards, ascending, with at most so many of a rank."""
    random = Random(f"dou dizhu hands {size} {seed}")
    deck = [*COPIES, BLACK_JOKER, RED_JOKER]
    found: list[Ranks] = []
    while len(found) < number:
        ranks = sorted(random.sample(deck, size))
        if max(map(ranks.count, ranks)) <= most_alike:
            found.append(ranks)
    return found


def near_plays(number: int, seed: int) -> list[Ranks]:
    """As many hands in which one card of a play is another: most of them are none."""
    random = Random(f"dou dizhu near plays {seed}")
    found = []
    for ranks in plays(number, seed):
        left = list(COPIES)
        for rank in ranks:
            if rank in left:
                left.remove(rank)
        place = random.randrange(len(ranks))
        ranks[place] = random.choice([rank for rank in left if rank != ranks[place]])
        found.append(sorted(ranks))
    return found
