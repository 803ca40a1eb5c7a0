"""Are two cards a pair: the smallest question that there is, which engines for expressions can be asked as well.

That there are two cards is known, since recognition asks for the number of cards before it asks a build function. The
engines are given the numbers and not the cards, so that what they pay for reading objects is not in it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final

from bench.by_hand.shared_big_two import is_pair
from bench.contest import (
    NANOSECONDS,
    Answers,
    Contender,
    Contest,
    Row,
    Setting,
    at_least,
    at_most,
)
from bench.opponents import Opponents
from bench.rows.judging import HAND
from bench.timing import calling
from bench.workloads import Cards, legal

RULE: Final = "shared_big_two"
TASK: Final = "is-it-a-pair"

ENGINES: Final = {
    "zen-engine": at_least(10),
    "json-logic": at_least(10),
    "cel-python": at_least(10),
}


def _prepare(setting: Setting) -> Contest:
    subject = setting.subject(RULE)
    questions = _two_cards(legal(subject, 4 * setting.count, setting.seed))
    build = subject.package.cardsets.build_Pair

    def contender(name: str, function: Callable[..., Any]) -> Contender:
        def answers() -> Answers:
            return [function(cards) not in (None, False) for cards in questions]

        aim = None if function is build else at_most(1.2)
        return Contender(name, answers, calling(function, questions), aim)

    rivals = [contender(HAND, is_pair)] if setting.has(HAND) else []
    numbers = [_numbers(cards) for cards in questions]
    engines = Opponents(setting, TASK, numbers, dict(ENGINES))
    return Contest(
        len(questions),
        contender("dealwright", build),
        [*rivals, *engines.contenders],
        engines.missing,
        engines.close,
    )


def _two_cards(plays: list[Cards]) -> list[Cards]:
    """Pairs, and as many hands of two cards that are none, made of single cards."""
    pairs = [cards for cards in plays if len(cards) == 2]
    singles = [cards for cards in plays if len(cards) == 1]
    others = [[*first, *second] for first, second in pairwise(singles)]
    return [cards for both in zip(pairs, others, strict=False) for cards in both]


def _numbers(cards: Cards) -> dict[str, int]:
    first, second = cards
    return {"first": first.点数, "second": second.点数}


ROWS: Final = (
    Row(
        TASK,
        "are two cards a pair",
        NANOSECONDS,
        _prepare,
        rivals=(HAND, *ENGINES),
    ),
)
