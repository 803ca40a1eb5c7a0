"""Who leads, and whether a leader may skip (contract, section 6, "Leading").

A leader has nothing to beat. He must play if any subset of his hand is a cardset, which is sought only when he tries
to skip: by size, and for each size in hand order, among the sizes that some build flow can accept. The search gives up,
and he may skip, after so many candidates or so much work (decision 30).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Final

from dealwright.runtime.game import TICKS, CardT, Game, PlayerT, TableT

CANDIDATES: Final = 200_000  # subsets looked at before a leader's skip is allowed
SEARCH_TICKS: Final = 10 * TICKS  # of the flows that judge them, likewise


def leads(game: Game[PlayerT, TableT, CardT], seat: int) -> bool:
    """Whether the player at `seat` has nothing to beat.

    So it is when nobody has played yet (or a leader's skip cleared the previous play), when the previous play is his
    own, and when he has skipped since then and its maker has no cards left.
    """
    previous = game.previous
    if previous is None or previous[0] == seat:
        return True
    return bool(game.skipped >> seat & 1) and not game.hands[previous[0]]


def can_play(
    hand: list[CardT],
    lengths: tuple[int, ...] | None,
    is_cardset: Callable[[list[CardT]], bool],
    effort: int = 1,
    ticks: Callable[[], int] = lambda: 0,
) -> bool:
    """Whether some subset of `hand` is recognised; False as well once the search gives up.

    Args:
        lengths: the sizes that can be recognised, or None if any can.
        is_cardset: judges a candidate.
        effort: for how many candidates one counts.
        ticks: what judging the last candidate took.
    """
    sizes: Iterable[int] = range(1, len(hand) + 1) if lengths is None else lengths
    left = max(CANDIDATES // effort, 1)
    ticks_left = SEARCH_TICKS
    for size in sizes:
        if not 0 < size <= len(hand):
            continue
        for chosen in combinations(hand, size):
            if not left or ticks_left < 0:
                return False
            left -= 1
            if is_cardset(list(chosen)):
                return True
            ticks_left -= ticks()
    return False
