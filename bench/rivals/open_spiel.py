"""OpenSpiel: games for reinforcement learning, Dou Dizhu among them, written in C++.

Its Dou Dizhu knows no play of four cards with others, and no line of single cards through a rank of which the hand has
four, so that it is asked about hands without such a rank.
"""

from __future__ import annotations

from typing import Any, Final

import pyspiel  # type: ignore[import-not-found]

from bench.dou_dizhu import SIGNS
from bench.rivals.serve import Task, serve

GAME: Final = pyspiel.load_game("dou_dizhu")
JOKERS: Final = (52, 53)
DEALING: Final = 51
"""The action that deals card 0. Those before it choose who is dealt the first card, by the card that is turned up."""
HIGHEST_BID: Final = 3


def leading(ranks: list[int]) -> Any:
    """The landlord's first turn with these twenty cards; the suits are of no matter."""
    left: list[list[int]] = [[] for _ in SIGNS]
    for card in range(54):
        left[len(SIGNS) - 54 + card if card in JOKERS else card % 13].append(card)
    mine = [left[rank - 3].pop() for rank in ranks]
    others = [card for cards in left for card in cards]
    state = GAME.new_initial_state()
    state.apply_action(0)
    # the last three of his cards are those that nobody is dealt
    for _ in range(17):
        for card in (mine.pop(0), others.pop(), others.pop()):
            state.apply_action(DEALING + card)
    state.apply_action(HIGHEST_BID)
    return state


def legal_actions(state: Any) -> Any:
    """The actions that are open to whoever's turn it is: OpenSpiel's numbers for them."""
    return state.legal_actions()


class Spelling:
    """The words for actions, which need no state."""

    def __init__(self) -> None:
        self._state = leading([*range(3, 16), *range(3, 10)])

    def plays(self, actions: Any) -> list[str]:
        """What the actions play, as RLCard spells it; four triples in line are one play, though several actions."""
        return sorted({*map(self._play, actions)})

    def _play(self, action: int) -> str:
        # OpenSpiel has other words for the jokers
        text = self._state.action_to_string(action)
        spelled = text.replace("(BWJ)", "B").replace("(CJ)", "R").replace("-", "")
        return "".join(sorted(spelled, key=SIGNS.index))


if __name__ == "__main__":
    spelling = Spelling()
    serve("open_spiel", {"all-leads": Task(legal_actions, leading, spelling.plays)})
