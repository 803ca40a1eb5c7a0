"""Who leads, and whether a leader may skip (contract, section 6, "Leading").

A leader has nothing to beat. He must play if any subset of his hand is a cardset, which is sought only when he tries
to skip: by size, and for each size in hand order, among the sizes that some build flow can accept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Final

from dealwright.runtime.game import CardT, Game, PlayerT, TableT

CANDIDATES: Final = 200_000  # subsets looked at before a leader's skip is allowed


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
) -> bool:
    """Whether some subset of `hand` is recognised; False as well once the budget of candidates is spent."""
    sizes: Iterable[int] = range(1, len(hand) + 1) if lengths is None else lengths
    left = CANDIDATES
    for size in sizes:
        if not 0 < size <= len(hand):
            continue
        for chosen in combinations(hand, size):
            if not left:
                return False
            left -= 1
            if is_cardset(list(chosen)):
                return True
    return False
