# @generated from rules/twenty_one.json by `dealwright build`; do not edit.
"""Twenty-one, for any number of players."""

from __future__ import annotations

from dealwright.runtime import Package

from . import cardsets
from .classes import NO_CARD, NO_PLAYER, Card, Played, Player, Table, new_deck
from .match import RESUME, start
from .settle import settle

PACKAGE = Package(
    name="Twenty-one",
    players=None,
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
    recognize=cardsets.recognize,
    beats=cardsets.beats,
    lengths=(1,),
    judged_by=("rank",),
    in_any_order=True,
    cardsets={
        "1": ("Ace", (), (1,)),
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
