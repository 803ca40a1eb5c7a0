"""Which play of Dou Dizhu some cards are, of 37 cardsets, and which plays a hand has: against RLCard and OpenSpiel.

RLCard looks the text of cards up in a table of the 27,471 plays that it knows, and has a function that lists the plays of a
hand, written for Dou Dizhu; OpenSpiel has one in C++, whose plays are the same for hands without four of a rank. Ours is a
rule (`bench.dou_dizhu`), and has neither: what a hand can play is sought as hints seek it. All get their cards in the order
of their ranks, as RLCard keeps hands, and RLCard makes the text of cards as it does in a game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from itertools import count
from typing import Any, Final

from bench import dou_dizhu
from bench.contest import (
    MICROSECONDS,
    Aim,
    Answers,
    Contender,
    Contest,
    Row,
    Setting,
    at_least,
    at_most,
)
from bench.opponents import Opponents
from bench.subjects import RULES, Package, package_of
from bench.timing import calling
from bench.workloads import Cards
from dealwright.runtime.plays import Plays, plays_of

TASK: Final = "which-play"
LEADS: Final = "all-leads"
MIXES: Final = {
    "dou-dizhu": (dou_dizhu.plays, "plays"),
    "dou-dizhu-near": (dou_dizhu.near_plays, "plays with one card changed"),
}
"""Row -> how its hands are made, and what they are."""
AGAINST_RLCARD: Final[Mapping[str, Aim | None]] = {"rlcard": at_least(1)}
HELD: Final = {
    "dou-dizhu-leads-17": (17, 4, 27, AGAINST_RLCARD),
    "dou-dizhu-leads-20": (20, 4, 43, AGAINST_RLCARD),
    "dou-dizhu-leads-20-by-all": (20, 3, 43, {**AGAINST_RLCARD, "open_spiel": None}),
}
"""Row -> cards of a hand, cards of one rank at most, microseconds to reach, and against whom."""


def _prepare(name: str, setting: Setting) -> Contest:
    make, _ = MIXES[name]
    ranks = make(setting.count, setting.seed)
    package = _package()
    hands = _hands(package, ranks)
    recognize = package.cardsets.recognize

    def answers() -> Answers:
        plays = [recognize(cards) for cards in hands]
        return [None if play is None else play.cardset for play in plays]

    opponents = Opponents(setting, TASK, ranks, {"rlcard": at_least(1)})
    return Contest(
        len(hands),
        Contender("dealwright", answers, calling(recognize, hands)),
        opponents.contenders,
        opponents.missing,
        opponents.close,
    )


def _prepare_leads(name: str, setting: Setting) -> Contest:
    size, most_alike, _, rivals = HELD[name]
    ranks = dou_dizhu.hands(setting.count, size, setting.seed, most_alike=most_alike)
    package = _package()
    made = package.PACKAGE
    games = [
        package.arrange(hands=[hand, _others(package, hand)], wait="ask").game_for(made)
        for hand in _hands(package, ranks)
    ]

    def leads(game: Any) -> Plays:
        return plays_of(made, game, 0)

    def answers() -> Answers:
        return [_spelled(made, leads(game)) for game in games]

    opponents = Opponents(setting, LEADS, ranks, rivals)
    return Contest(
        len(games),
        Contender("dealwright", answers, calling(leads, games)),
        opponents.contenders,
        opponents.missing,
        opponents.close,
    )


def _others(package: Package, hand: Cards) -> Cards:
    """All cards that are not in a hand."""
    held = {card.id for card in hand}
    return [card for card in package.PACKAGE.cards if card.id not in held]


def _spelled(package: Any, plays: Plays) -> list[str]:
    """The plays of a hand as RLCard has them, one for each choice of ranks."""
    cards = package.cards
    found = []
    for picks in plays.legal.values():
        for numbers in picks.values():
            ranks = sorted(cards[number - 1].rank for number in numbers)
            found.append("".join(dou_dizhu.SIGNS[rank - 3] for rank in ranks))
    return sorted(found)


def _package() -> Package:
    """The rule, with the match of the smallest rule that we ship."""
    simplest = json.loads((RULES / "tiny.json").read_bytes())
    return package_of(dou_dizhu.rule(simplest), "rules/dou_dizhu.json", players=2)


def _hands(package: Package, ranks: list[dou_dizhu.Ranks]) -> list[Cards]:
    """Cards of these ranks."""
    copies: dict[int, Cards] = {}
    for card in package.PACKAGE.cards:
        copies.setdefault(card.rank, []).append(card)
    hands = []
    for hand in ranks:
        taken = {rank: count() for rank in hand}
        hands.append([copies[rank][next(taken[rank])] for rank in hand])
    return hands


ROWS: Final = (
    *(
        Row(
            name,
            f"which of 37 cardsets, Dou Dizhu: {what}",
            MICROSECONDS,
            partial(_prepare, name),
            aim=at_most(1.1),
            rivals=("rlcard",),
        )
        for name, (_, what) in MIXES.items()
    ),
    *(
        Row(
            name,
            f"all that can be played first, Dou Dizhu: {size} cards"
            + (f", at most {most_alike} of a rank" if most_alike < 4 else ""),
            MICROSECONDS,
            partial(_prepare_leads, name),
            aim=at_most(aim),
            rivals=tuple(rivals),
        )
        for name, (size, most_alike, aim, rivals) in HELD.items()
    ),
)
