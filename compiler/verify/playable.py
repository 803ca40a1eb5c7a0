"""What a seat can play: the package's search for it, and the interpreter asked about every set of cards of the hand.

Hints come from a search that takes cards for one another, leaves sizes out and orders aside by what the compiler says of
the rule (`judged_by`, `lengths`, `in_any_order`). No other question would notice if that were wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations, product
from typing import Any, TypeAlias

from dealwright.compiler.interpreter import interpret
from dealwright.compiler.verify.inputs import Cards, Json
from dealwright.runtime.plays import plays_of

MOST_HELD = 6
"""Cards of a hand of which all sets are asked about: the interpreter takes some milliseconds for each more."""

Playable: TypeAlias = tuple[str, Cards]
"""A cardset by name, and the cards that are one, ascending."""


def searched(package: Any, match: Any, seat: int) -> dict[Playable, Cards] | None:
    """What the package finds for the seat that is asked, each with an order of the cards in which they are that play.

    None if the search gives up, because judging takes too long.
    """
    plays = plays_of(package, match.game_for(package), seat)
    if not plays.is_complete:
        return None
    found: dict[Playable, Cards] = {}
    for name, picks in plays.legal.items():
        for pick, numbers in picks.items():
            groups = [
                place
                for one in numbers
                for place, group in enumerate(plays.groups)
                if one in group
            ]
            ways = (
                combinations(group, count)
                for group, count in zip(plays.groups, pick, strict=True)
            )
            for chosen in product(*ways):
                left = [iter(part) for part in chosen]
                order = tuple(next(left[group]) for group in groups)
                found.setdefault((name, tuple(sorted(order))), order)
    return found


def judged(
    rule: interpret.Rule, match: interpret.Match, seat: int, orders: Iterable[Cards]
) -> set[Playable]:
    """What the interpreter takes for a play of the seat that is asked.

    Args:
        orders: sequences of cards that are tried besides every set of the hand in a few orders.

    Raises:
        Refused: "endless_flow".
    """
    state = match.state()
    previous = None if _leads(state, seat) else state["previous"]
    tried = dict.fromkeys((*_some_orders(state["hands"][seat]), *orders))
    names = ((_name_of(rule, match, previous, cards), cards) for cards in tried)
    return {(name, tuple(sorted(cards))) for name, cards in names if name is not None}


def listed(found: Iterable[Playable]) -> list[Json]:
    """Plays as a case file has them: `[["Pair", [3, 9]], …]`, ascending."""
    return sorted(
        [[name, [*cards]] for name, cards in found], key=lambda one: (one[1], one[0])
    )


def _some_orders(hand: Sequence[int]) -> Iterator[Cards]:
    """Every set of the cards: one or two in all orders, more in that of the hand and in the opposite one."""
    for size in range(1, len(hand) + 1):
        for cards in combinations(hand, size):
            if size <= 2:
                yield from permutations(cards)
            else:
                yield cards
                yield cards[::-1]


def _name_of(
    rule: interpret.Rule, match: interpret.Match, previous: Json, cards: Cards
) -> str | None:
    """The cardset that the cards are, if it beats the previous play or there is none; none if a flow fails on them."""
    try:
        play = interpret.recognize(rule, cards, match)
        if play is None:
            return None
        name: str = play["cardset"]
        is_legal = previous is None or interpret.beats(rule, play, previous, match)
        return name if is_legal else None
    except interpret.Refused as refused:
        if refused.code == "endless_flow":
            raise
        return None


def _leads(state: Json, seat: int) -> bool:
    """Whether the seat has nothing to beat (contract, section 6, "Leading")."""
    if state["previous"] is None:
        return True
    maker = state["previous"]["seat"]
    return maker == seat or (seat in state["skipped"] and not state["hands"][maker])
