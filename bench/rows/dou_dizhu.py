"""Which play of Dou Dizhu some cards are, of 37 cardsets: against RLCard, which looks their text up in a table of all plays.

RLCard's table has the 27,471 plays that it knows; ours is a rule (`bench.dou_dizhu`), and has no table. Both get their
cards in the order of their ranks, as RLCard keeps hands, and RLCard makes the text from the cards as it does in a game.
"""

from __future__ import annotations

import json
from functools import partial
from itertools import count
from typing import Final

from bench import dou_dizhu
from bench.contest import (
    MICROSECONDS,
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

TASK: Final = "which-play"
MIXES: Final = {
    "dou-dizhu": (dou_dizhu.plays, "plays"),
    "dou-dizhu-near": (dou_dizhu.near_plays, "plays with one card changed"),
}
"""Row -> how its hands are made, and what they are."""


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


def _package() -> Package:
    """The rule, with the match of the smallest rule that we ship."""
    simplest = json.loads((RULES / "tiny.json").read_bytes())
    return package_of(dou_dizhu.rule(simplest), "rules/dou_dizhu.json")


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


ROWS: Final = tuple(
    Row(
        name,
        f"which of 37 cardsets, Dou Dizhu: {what}",
        MICROSECONDS,
        partial(_prepare, name),
        aim=at_most(1.1),
        rivals=("rlcard",),
    )
    for name, (_, what) in MIXES.items()
)
