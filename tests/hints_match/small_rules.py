"""Small card games with pairs, runs and suits, made at random, and what the match itself says of every possible play.

The games are complete rule files: a deck with several copies of each card, a few cardsets, turns until a hand is empty.
The judge of what is legal is the match alone: it is loaded again for each candidate, which is then played.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations, permutations
from typing import Any

from dealwright.runtime import Rejected
from dealwright.runtime.hints import Choices, Hint, decode
from dealwright.runtime.search.forms import Found
from tests.front.small import branch, node
from tests.support import Json, Match, compiled

JUDGING = ("no_cardset", "not_beating")
"""Codes of plays that are not legal; what the flow that follows refuses is legal by the rule of cards."""


@contextmanager
def without_forms(package: Any) -> Iterator[None]:
    """The package as if no forms of its plays could be found."""
    book = package.PACKAGE.forms
    known = dict(book._found)
    book._found.update(dict.fromkeys(range(400), Found(None, 0)))
    try:
        yield
    finally:
        book._found.clear()
        book._found.update(known)


def build(condition: str, **nodes: Json) -> Json:
    """A build flow that accepts what fulfils the condition, a node among those given."""
    return {
        "1": node(27, "if"),
        "size": node(7, selection="cards"),
        **nodes,
        "if": branch(condition, "yes", "no"),
        "yes": node(28, result=1, properties={}),
        "no": node(28, result=0, properties={}),
    }


def sized(number: int, operator: int = 0) -> Json:
    """`size = number`, or another comparison."""
    return node(14, operator=operator, lval="size", rval=number)


def both(left: str, right: str) -> Json:
    """Both of two conditions."""
    return node(12, operator=0, lval=left, rval=right)


def at(row: str, place: int) -> Json:
    """A card of a row by its place."""
    return node(5, selection=row, index=place)


def of(card: str, name: str) -> Json:
    """A property of a node's card."""
    return node(6, operator=1, ident=card, property=name)


def sorted_by(*names: str) -> Json:
    """The cards, ascending."""
    keys = [{"name": name, "order": 1} for name in names]
    return node(2, selection="cards", properties=keys)


def single() -> Json:
    """Any one card."""
    return build("fits", fits=sized(1))


def same_rank(number: int) -> Json:
    """So many cards of one rank."""
    return build(
        "fits",
        fits=both("many", "same"),
        many=sized(number),
        row=sorted_by("rank"),
        low=at("row", 0),
        high=at("row", number - 1),
        lowest=of("low", "rank"),
        highest=of("high", "rank"),
        same=node(14, operator=0, lval="lowest", rval="highest"),
    )


def run(number: int) -> Json:
    """So many ranks in a row."""
    nodes: Json = {"c0": at("row", 0), "r0": of("c0", "rank"), "many": sized(number)}
    fits = "many"
    for place in range(1, number):
        nodes |= {
            f"c{place}": at("row", place),
            f"r{place}": of(f"c{place}", "rank"),
            f"p{place}": node(10, operator=0, lval=f"r{place - 1}", rval=1),
            f"e{place}": node(14, operator=0, lval=f"r{place}", rval=f"p{place}"),
            f"f{place}": both(fits, f"e{place}"),
        }
        fits = f"f{place}"
    return build(fits, row=sorted_by("rank"), **nodes)


def flush(least: int) -> Json:
    """At least so many cards, all of one suit."""
    return build(
        "fits",
        fits=both("many", "same"),
        many=sized(least, 3),
        row=sorted_by("suit"),
        low=at("row", 0),
        lowest=of("low", "suit"),
        mine=node(6, operator=1, ident="cards", property="suit"),
        same=node(11, operator=1, set="cards", component="alike"),
        first=at("cards", 0),
        suit=of("first", "suit"),
        alike=node(14, operator=0, lval="suit", rval="lowest"),
    )


def rising() -> Json:
    """Two cards, the lower one laid down first: the order matters."""
    return build(
        "fits",
        fits=both("many", "up"),
        many=sized(2),
        one=at("cards", 0),
        two=at("cards", 1),
        low=of("one", "rank"),
        high=of("two", "rank"),
        up=node(14, operator=2, lval="low", rval="high"),
    )


def higher() -> Json:
    """A compare flow: the highest rank wins."""
    keys = [{"name": "rank", "order": 0}]
    return {
        "1": node(29, "if"),
        "sa": node(2, selection="A", properties=keys),
        "sb": node(2, selection="B", properties=keys),
        "ca": at("sa", 0),
        "cb": at("sb", 0),
        "ra": of("ca", "rank"),
        "rb": of("cb", "rank"),
        "gt": node(14, operator=1, lval="ra", rval="rb"),
        "if": branch("gt", "now", "before"),
        "now": node(30, result=0),
        "before": node(30, result=1),
    }


def turns() -> Json:
    """A match flow: turn by turn until somebody has no card left."""
    return {
        "1": node(17, "mix"),
        "mix": node(19, "deal"),
        "play": node(21, "done", timer=20),
        "mine": node(6, operator=0, ident="玩家", property="手牌数"),
        "empty": node(14, operator=0, lval="mine", rval=0),
        "done": branch("empty", "over", "next"),
        "turn": node(6, operator=0, ident="table_0", property="player_index"),
        "more": node(10, operator=0, lval="turn", rval=1),
        "next": node(4, "play", component="turn", rvalue="more"),
        "over": node(18),
    }


def axis(values: int) -> Json:
    """A card property with so many values."""
    config = [{"value": value} for value in range(values)]
    return {"type": "enum", "default": 0, "config": config}


def small_rule(seed: int, has_order: bool | None = None) -> Json:
    """A rule from a seed; `has_order` says whether it has a cardset that looks at the order."""
    rng = random.Random(seed)
    flows = {
        "Single": single(),
        "Pair": same_rank(2),
        "Triple": same_rank(3),
        "Run": run(3),
        "Flush": flush(rng.choice((2, 3))),
        "abort": run(2),
    }
    names = rng.sample(sorted(flows), rng.randint(2, 5))
    if has_order or (has_order is None and rng.random() < 0.3):
        flows["Rising"] = rising()
        names.insert(rng.randint(0, len(names)), "Rising")
    cardsets = {
        str(number): {
            "name": name,
            "build_flow": flows[name],
            "compare_flow": higher() if rng.random() < 0.8 else {},
            "successors": (
                rng.sample([str(other) for other in range(1, number)], 1)
                if number > 1 and rng.random() < 0.4
                else []
            ),
        }
        for number, name in enumerate(names, 1)
    }
    wanted = rng.randint(4, 5 if "Rising" in names else 7)
    ranks, suits, copies = rng.randint(3, 4), 2, rng.randint(2, 3)
    match_flow = turns()
    match_flow["deal"] = {
        **node(20, "play", prop_pair=[]),
        # two players; a deal that exceeds the deck is refused
        "count": min(wanted, ranks * suits * copies // 2),
    }
    return {
        "meta": {"name": "Small", "playerCount": 2},
        "design": {
            "classes": {
                "player": {},
                "card": {
                    "default_properties": {
                        "rank": axis(ranks),
                        "suit": axis(suits),
                        "copy": axis(copies),
                    }
                },
                "table": {},
            },
            "cardsets": cardsets,
            "match_flow": match_flow,
            "end_flow": {"1": node(23, "end"), "end": node(24, result=1)},
        },
    }


def small_package(seed: int, has_order: bool | None = None) -> Any:
    """The package of a small rule."""
    return compiled(small_rule(seed, has_order))


# what the match says


def legal_plays(
    package: Any, state: Json, is_ordered: bool
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Every legal play of the seat that has to play: the cardset's name and the cards; each order by itself if it
    may matter.
    """
    hand = state["hands"][state["pending"]["seat"]]
    for size in range(1, len(hand) + 1):
        for chosen in combinations(hand, size):
            for cards in permutations(chosen) if is_ordered else (chosen,):
                name = played(package, state, cards)
                if name is not None:
                    yield name, cards


def played(package: Any, state: Json, cards: tuple[int, ...]) -> str | None:
    """The cardset that these cards are played as; None if they cannot be."""
    match = package.match_from_json(state)
    player = match.ids[match.pending.seat]
    try:
        match.play(player, cards)
    except Rejected as refusal:
        if refusal.code in JUDGING:
            return None
        made = package.recognize([match._game.cards[card - 1] for card in cards], match)
        return str(made.cardset)
    return str(match.previous[1].cardset)


def may_skip(package: Any, state: Json) -> bool:
    """Whether the match takes a skip."""
    match = package.match_from_json(state)
    try:
        match.skip(match.ids[match.pending.seat])
    except Rejected as refusal:
        return refusal.code != "must_lead"
    return True


def asked(match: Match, token: str, dialect: str = "extended") -> Hint:
    """The hint of whoever is asked."""
    seen = decode(match.hint(token, dialect))
    assert isinstance(seen, Hint)
    return seen


def implied(hint: Hint) -> set[tuple[str, frozenset[int]]]:
    """All replies that a hint implies, abort apart."""
    return {
        (reply.name, frozenset(reply.cards))
        for reply in Choices(hint.question)
        if not reply.is_abort
    }
