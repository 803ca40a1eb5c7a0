"""Do these 14 cards win, four groups and a pair or seven different pairs: asked at every discard for every seat.

Our hands are lists of numbers, as a game holds them, and counting them is in our time; the rivals are given theirs in the
form that they count in. RLCard's judge takes runs and sets greedily and knows no seven pairs, so it finds about a quarter
of the wins; it is asked about those alone in a row of its own. On hands that do not win all agree.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from bench.contest import (
    MICROSECONDS,
    Aim,
    Answers,
    Contender,
    Contest,
    Row,
    Setting,
    at_most,
)
from bench.hands import BIG, MELD, PAIR, Hand, Kind, hands
from bench.opponents import Opponents
from bench.timing import calling
from dealwright.runtime.patterns import Matcher

TASK: Final = "is-it-complete"
LIBRARY: Final = "mahjong"
RLCARD: Final = "rlcard"

MATCHER: Final = Matcher(MELD * 4 + PAIR | (PAIR * 7).distinct(), BIG)
"""The hands that win by the library's rules, which take a pair only once."""

MIXES: Final[dict[str, tuple[Kind, bool, str, Aim, tuple[str, ...]]]] = {
    "complete-win": ("winning", True, "hands that win", at_most(5), (LIBRARY,)),
    "complete-win-greedily": (
        "winning",
        True,
        "hands that win, as far as RLCard finds it",
        at_most(5),
        (LIBRARY, RLCARD),
    ),
    "complete-miss": (
        "random",
        False,
        "random hands",
        at_most(1),
        (LIBRARY, RLCARD),
    ),
    "complete-near": (
        "near",
        False,
        "hands with one card wrong",
        at_most(1.5),
        (LIBRARY, RLCARD),
    ),
}
"""Row -> where hands come from, whether they win, what they are, our aim, rivals."""


def _prepare(name: str, setting: Setting) -> Contest:
    kind, is_win, _, _, rivals = MIXES[name]
    # more than are wanted, since a few win that should not, and the other way round
    questions = [
        hand
        for hand in hands(kind, 2 * setting.count, setting.seed)
        if MATCHER.fits(hand) is is_win
    ]
    if is_win and RLCARD in rivals:
        questions = _found_greedily(setting, questions)
    questions = questions[: setting.count]

    def answers() -> Answers:
        return [MATCHER.fits(hand) for hand in questions]

    opponents = Opponents(setting, TASK, questions, dict.fromkeys(rivals))
    return Contest(
        len(questions),
        Contender("dealwright", answers, calling(MATCHER.fits, questions)),
        opponents.contenders,
        opponents.missing,
        opponents.close,
    )


def _found_greedily(setting: Setting, questions: list[Hand]) -> list[Hand]:
    """The hands of which RLCard says that they win; all of them if it does not take part."""
    opponents = Opponents(setting, TASK, questions, {RLCARD: None})
    try:
        for contender in opponents.contenders:
            told = contender.answers()
            return [hand for hand, won in zip(questions, told, strict=True) if won]
        return questions
    finally:
        opponents.close()


ROWS: Final = tuple(
    Row(
        name,
        f"do 14 cards win: {what}",
        MICROSECONDS,
        partial(_prepare, name),
        aim=aim,
        rivals=rivals,
    )
    for name, (_, _, what, aim, rivals) in MIXES.items()
)
