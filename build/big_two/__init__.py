# @generated from rules/big_two.json by `dealwright build`; do not edit.
"""Big Two, for 4 players."""

from __future__ import annotations

from dealwright.runtime import Package

from . import cardsets
from .classes import NO_CARD, NO_PLAYER, Card, Played, Player, Table, new_deck
from .match import RESUME, start
from .settle import settle

PACKAGE = Package(
    name="Big Two",
    players=4,
    card=Card,
    play=Played,
    player=Player,
    table=Table,
    new_deck=new_deck,
    no_card=NO_CARD,
    no_player=NO_PLAYER,
    start=start,
    resume=RESUME,
    settle=settle,
    recognize_in=cardsets.recognize_in,
    beats_in=cardsets.beats_in,
    lengths=(1, 2, 3, 5),
    in_any_order=True,
    cardsets={
        "1": ("Single", (), (1,)),
        "2": ("Pair", (), (2,)),
        "3": ("Triple", (), (3,)),
        "4": ("Straight flush", (), (5,)),
        "5": ("Four and one", (), (5,)),
        "6": ("Full house", (), (5,)),
        "7": ("Flush", (), (5,)),
        "8": ("Straight", (), (5,)),
    },
)

new_match = PACKAGE.new_match
match_from_json = PACKAGE.match_from_json
replay = PACKAGE.replay
arrange = PACKAGE.arrange
recognize = PACKAGE.recognize
beats = PACKAGE.beats

__all__ = [
    "PACKAGE",
    "Card",
    "Player",
    "Table",
    "arrange",
    "beats",
    "match_from_json",
    "new_match",
    "recognize",
    "replay",
]
