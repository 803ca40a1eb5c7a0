"""What the players of an agreement test do: random actions, legal and illegal, the same on both sides.

The interpreter says what the position is and which cards are a cardset, so that most actions have a chance.
"""

from __future__ import annotations

import random
from typing import TypeAlias

from dealwright.compiler.interpreter import interpret
from tests.agreement_sides import Json

# "play" seat cards, "skip" seat None, "choose" seat value
Action: TypeAlias = tuple[str, int, Json]


def next_action(
    rule: interpret.Rule, match: interpret.Match, choose: random.Random
) -> Action:
    """A random action: mostly one that may be accepted, else one of the many that may not."""
    wait = match.pending
    if wait is None:
        return choose.choice([("skip", 0, None), ("play", 0, [1]), ("choose", 0, 1)])
    seat, state = wait["seat"], match.state()
    seats = len(state["hands"])
    if choose.random() < 0.12:
        return _wrong_action(state, seat, seats, wait["kind"], choose)
    if wait["kind"] == "choose":
        offered = wait["options"] or [0, 1, -2, 7]
        return (
            "choose",
            seat,
            choose.choice(offered) if choose.random() < 0.9 else choose.randint(-3, 9),
        )
    hand = state["hands"][seat]
    if not hand or choose.random() < 0.15:
        return ("skip", seat, None) if choose.random() < 0.8 else ("play", seat, [])
    return ("play", seat, _likely_cards(rule, match, hand, choose))


def _wrong_action(
    state: dict[str, Json], seat: int, seats: int, kind: str, choose: random.Random
) -> Action:
    other = (seat + 1) % seats
    hand = state["hands"][seat] or [1]
    elsewhere = [
        *state["deck"],
        *state["discard"],
        *(card for one in state["hands"] for card in one if card not in hand),
    ]
    wrong: list[Action] = [
        ("skip", other, None),
        ("skip", seats + 3, None),
        ("choose", seat, choose.randint(-5, 50)),
        ("play", seat, [hand[0], hand[0]]),
        ("play", seat, [choose.choice(elsewhere)] if elsewhere else [hand[0]]),
        ("play", seat, [10_000]),
        ("play", seat, choose.sample(hand, len(hand))),
    ]
    if kind == "choose":
        wrong += [("play", seat, [hand[0]]), ("skip", seat, None)]
    return choose.choice(wrong)


def _likely_cards(
    rule: interpret.Rule, match: interpret.Match, hand: list[int], choose: random.Random
) -> list[int]:
    """Cards from the hand, if possible some that are a cardset."""
    cards = hand[:1]
    for _ in range(8):
        cards = choose.sample(hand, choose.randint(1, min(4, len(hand))))
        try:
            if interpret.recognize(rule, cards, match) is not None:
                break
        except interpret.Refused:
            break
    return cards
