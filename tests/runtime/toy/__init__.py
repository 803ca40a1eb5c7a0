"""玩具: a hand-written package in the generated style that uses every feature of the runtime.

Tests only. Any number of players; cards have an assigned property; cardsets read the table; the choice at node 6
decides what the flow does, including everything that can go wrong.
"""

from __future__ import annotations

from dealwright.runtime import Package
from toy.cardsets import beats, recognize
from toy.classes import NO_CARD, NO_PLAYER, Card, Played, Player, Table, new_deck
from toy.match import RESUME, start
from toy.settle import settle

PACKAGE = Package(
    name="玩具",
    players=None,
    card=Card,
    play=Played,
    player=Player,
    table=Table,
    new_deck=new_deck,
    no_player=NO_PLAYER,
    no_card=NO_CARD,
    start=start,
    resume=RESUME,
    settle=settle,
    recognize_in=recognize,
    beats_in=beats,
    lengths=(1, 2),
    assigns_hand_sizes=True,
    cardsets={"1": ("Single", (), (1,)), "2": ("Pair", ("权重",), (2,))},
)

new_match = PACKAGE.new_match
match_from_json = PACKAGE.match_from_json
replay = PACKAGE.replay
arrange = PACKAGE.arrange
recognize_cards = PACKAGE.recognize
beats_play = PACKAGE.beats
