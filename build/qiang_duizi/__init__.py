# @generated from rules/qiang_duizi.json by `dealwright build`; do not edit.
"""抢对子, for 3 players."""

from __future__ import annotations

from dealwright.runtime import Package

from . import cardsets
from .classes import NO_CARD, NO_PLAYER, Card, Played, Player, Table, new_deck
from .match import RESUME, start
from .settle import settle

PACKAGE = Package(
    name="抢对子",
    players=3,
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
    lengths=(1, 2, 3, 4),
    judged_by=("点数", "花色"),
    cardsets={
        "1": ("单张", ("权重",), (1,)),
        "2": ("对子（两张）", ("权重",), (2,)),
        "3": ("顺子·三连", ("权重",), (3,)),
        "4": ("四喜！", ("权重",), (4,)),
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
