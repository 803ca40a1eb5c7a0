"""Splitting a hand into runs, sets and pairs, with alternatives and wild cards, by counting.

Knows no game. A `Deck` maps the caller's cards to suits and ranks, a `Pattern` says what to look for, a `Matcher` answers:
do these cards fit, in which ways do they split, which single cards would make them fit.
"""

from dealwright.runtime.patterns.matcher import REMEMBERED, Matcher
from dealwright.runtime.patterns.pattern import (
    LARGEST,
    PLANS,
    Deck,
    Face,
    Group,
    Pattern,
    Plan,
    Slots,
    run,
    same,
)
from dealwright.runtime.patterns.splits import Part, Split
from dealwright.runtime.patterns.tables import STATES

__all__ = [
    "LARGEST",
    "PLANS",
    "REMEMBERED",
    "STATES",
    "Deck",
    "Face",
    "Group",
    "Matcher",
    "Part",
    "Pattern",
    "Plan",
    "Slots",
    "Split",
    "run",
    "same",
]
