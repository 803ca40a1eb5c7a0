"""比大小: a hand-written package in the generated style, the simple kind.

Tests only. Two players, cards that no rule assigns, cardsets that read nothing but the cards, no choice.
"""

from __future__ import annotations

from dealwright.runtime import Package
from plain.cardsets import beats as beats
from plain.cardsets import recognize as recognize
from plain.classes import NO_PLAYER, Card, Played, Player, Table, new_deck
from plain.match import RESUME, start
from plain.settle import settle

PACKAGE = Package(
    name="比大小",
    players=2,
    card=Card,
    play=Played,
    player=Player,
    table=Table,
    new_deck=new_deck,
    no_player=NO_PLAYER,
    start=start,
    resume=RESUME,
    settle=settle,
    recognize=recognize,
    beats=beats,
    lengths=(1,),
)

new_match = PACKAGE.new_match
match_from_json = PACKAGE.match_from_json
replay = PACKAGE.replay
arrange = PACKAGE.arrange
