"""A discard judged from the hands, as RLCard's mahjong does it: who may take it as a pong, a gong or a chow; no wins.

RLCard finds the first that may claim; ours asks everybody that may, as a window, everybody claims the most he can, and the
arbiter decides. It comes to the same seat and action. RLCard knows of the three chows only the one in which the discard
is the highest card, and none of a 2; deals with another chow are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from random import Random
from typing import Final, TypeAlias

from bench.contest import (
    MICROSECONDS,
    Answers,
    Contender,
    Contest,
    Row,
    Setting,
    at_most,
)
from bench.opponents import Opponents
from bench.timing import calling
from dealwright.runtime.windows import (
    Offer,
    ResponseActionWindowBuilder,
    ResponseReply,
    Seat,
    Shape,
    TableView,
    Trigger,
    on_reply,
    opening,
    rule_mode,
)
from dealwright.runtime.windows.presets import V1

Hand: TypeAlias = list[int]
"""Kinds as in `bench.hands`: the rank is what is left of nine."""
Deal: TypeAlias = list[Hand]
"""The hand of each seat, the first of them the discarder's, and last a list of nothing but the discard."""

TASK: Final = "who-claims"
RLCARD: Final = "rlcard"
TURN_ORDER: Final = (0, 1, 2, 3)
RANKS: Final = 9

CHANGES: Final = {
    "response_windows": {
        "after_discard": {
            "actions": {
                "HU": None,
                "CHOW": {
                    "priority": 50,
                    "consumes": 2,
                    "same": False,
                    "audience": {"only": ["next"]},
                },
            },
            "after": {"HU": None, "CHOW": {"next": "discard_by_winner"}},
        }
    }
}
"""What the requirement's first mode needs to be this game."""
SPEC: Final = rule_mode("claims", V1, CHANGES).windows["DISCARD"]


def _copies(needed: int, deal: Deal, seat: Seat, trigger: Trigger) -> Iterable[Shape]:
    tile = trigger.tile
    if deal[seat].count(int(tile)) >= needed:
        return (Shape((tile,) * needed),)
    return ()


def _chows(deal: Deal, seat: Seat, trigger: Trigger) -> Iterable[Shape]:
    tile, hand = int(trigger.tile), deal[seat]
    rank = tile % RANKS
    return [
        Shape((tile + first, tile + second))
        for first, second in ((-2, -1), (-1, 1), (1, 2))
        if rank + first >= 0
        and rank + second < RANKS
        and tile + first in hand
        and tile + second in hand
    ]


OFFERS: Final[dict[str, Offer[Deal]]] = {
    "GANG": partial(_copies, 3),
    "PENG": partial(_copies, 2),
    "CHOW": _chows,
}
BUILDER: Final = ResponseActionWindowBuilder(SPEC, OFFERS)


def who_claims(deal: Deal) -> list[str | int] | None:
    """The action that takes the discard of seat 0 and the seat that takes it; None if nobody can."""
    tile = deal[-1][0]
    view = TableView("t1", "r1", TURN_ORDER, 1, 0, deal)
    window = BUILDER.build(view, Trigger("DISCARD", 0, tile, 1, 1_000, 40))
    if window is None:
        return None
    window, told = opening(window, SPEC)
    window_id = window.window_id
    for candidate in window.candidates:
        most = candidate.options[0]
        claim = ResponseReply(
            "a1", window_id, candidate.seat_no, most.action_type, most.option_id
        )
        window, outputs = on_reply(window, claim, 1_100, SPEC)
        told += outputs
    result = told[-1].resolution
    if result is None or result.winner_seat_no is None:
        raise AssertionError("a window in which all claim has a winner")
    return [result.winning_action_type, result.winner_seat_no]


def deals(count: int, seed: int, is_claimed: bool) -> list[Deal]:
    """Deals of 13 cards to four seats, and a discard.

    Args:
        is_claimed: leave out deals in which nobody can take it.
    """
    source = Random(f"claims {seed}")
    wall = [kind for kind in range(3 * RANKS) for _ in range(4)]
    found: list[Deal] = []
    while len(found) < count:
        drawn = source.sample(wall, 53)
        deal = [drawn[seat * 13 : seat * 13 + 13] for seat in TURN_ORDER]
        deal.append(drawn[52:])
        if _is_known(deal) and not (is_claimed and who_claims(deal) is None):
            found.append(deal)
    return found


def _is_known(deal: Deal) -> bool:
    """Whether RLCard sees all chows that there are."""
    tile = deal[-1][0]
    if tile % RANKS == 1:
        return False
    chows = _chows(deal, 1, Trigger("DISCARD", 0, tile, 1, 0, 0))
    return all(shape.consumes == (tile - 2, tile - 1) for shape in chows)


def _prepare(is_claimed: bool, setting: Setting) -> Contest:
    questions = deals(setting.count, setting.seed, is_claimed)

    def answers() -> Answers:
        return [who_claims(deal) for deal in questions]

    opponents = Opponents(setting, TASK, questions, {RLCARD: at_most(0.8)})
    return Contest(
        len(questions),
        Contender("dealwright", answers, calling(who_claims, questions)),
        opponents.contenders,
        opponents.missing,
        opponents.close,
    )


ROWS: Final = (
    Row(
        "window-deals",
        "who takes a discard, judged from four hands as dealt, without wins",
        MICROSECONDS,
        partial(_prepare, False),
        rivals=(RLCARD,),
    ),
    Row(
        "window-claims",
        "the same where somebody can: asked, claimed and decided",
        MICROSECONDS,
        partial(_prepare, True),
        rivals=(RLCARD,),
    ),
)
