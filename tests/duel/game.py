"""The duel: a small game of the three kingdoms, written by hand on `runtime.hints` alone.

`frame` is the decision that is pending; `apply` does what a reply says and goes on to the next decision. What is
still to be done is a stack of calls, so that a slash within a duel within a turn comes back to where it was. Nothing
in it is a closure, so a game can be copied in the middle.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from dealwright.runtime.hints import Reply
from dealwright.runtime.hints.errors import Refusal
from tests.duel.cards import FAN, Card
from tests.duel.frames import (
    DiscardDown,
    Frame,
    GiveAway,
    PassOn,
    PickRegion,
    PlayPhase,
    SameSuit,
    SelectCharacters,
    Show,
    Wanted,
    YesNo,
)
from tests.duel.rules import is_allowed
from tests.duel.table import CHARACTERS, Player, Table

Step = Callable[[], None]

TIRED = 30
"""Turns after which everybody whose turn begins loses vigor, so that every game ends."""


class Duel:
    """One game.

    Attributes:
        frame: the decision that is pending; None when the game is over.
        turns: how many turns have begun.
    """

    def __init__(self, players: int, seed: int) -> None:
        self.table = Table(players, random.Random(seed))
        self.frame: Frame | None = None
        self.turns = 0
        self.current = 0
        self.slashes = 0
        self._todo: list[Step] = []
        self._select()

    # what a server asks for

    def is_over(self) -> bool:
        """Whether at most one player is left."""
        return len(self.table.alive()) <= 1

    def apply(self, seat: int, reply: Reply) -> Refusal | None:
        """Do what a reply to the pending decision says, and go on to the next one; nothing if the rules say no."""
        frame = self.frame
        assert frame is not None and seat in frame.responders()
        if not is_allowed(frame, seat, reply):
            return Refusal("rule_refused", (), "the rules do not allow that")
        if frame.apply(seat, reply) and self.frame is frame:
            self.frame = None
        self._run()
        return None

    def _run(self) -> None:
        while self.frame is None and self._todo and not self.is_over():
            self._todo.pop()()
        if self.is_over():
            self.frame = None

    def _ask(self, frame: Frame) -> None:
        self.frame = frame

    def _later(self, *steps: Step) -> None:
        """Do these next, in this order, before whatever was to be done."""
        self._todo += reversed(steps)

    def state(self) -> object:
        """All that there is, for comparing."""
        frame = self.frame
        asked = None
        if frame is not None:
            selected = getattr(frame, "selected", {})
            asked = type(frame).__name__, list(frame.responders()), dict(selected)
        counts = self.turns, self.current, self.slashes, len(self._todo)
        return self.table.state(), asked, counts

    # the beginning: the host selects first, then all others at once

    def _select(self) -> None:
        names = sorted(CHARACTERS)
        self.table.rng.shuffle(names)
        seats = range(len(self.table.players))
        offered = {seat: names[2 * seat : 2 * seat + 2] for seat in seats}
        others = {seat: offered[seat] for seat in seats if seat}
        self._later(partial(self._select_among, others), self._begin)
        self._select_among({0: offered[0]})

    def _select_among(self, offered: dict[int, list[str]]) -> None:
        selected: dict[int, str] = {}
        go = partial(self._selected, selected)
        host = self.table.players[0]
        self._ask(SelectCharacters(self.table, host, go, offered, selected))

    def _selected(self, selected: dict[int, str], _: Reply) -> None:
        for seat, name in selected.items():
            self.table.players[seat].skill = CHARACTERS[name]

    def _begin(self) -> None:
        for player in self.table.players:
            self.table.draw(player, 4)
        self._turn(0)

    # turns

    def _turn(self, seat: int) -> None:
        self.turns += 1
        self.current = seat
        self.slashes = 0
        player = self.table.players[seat]
        steps = [partial(self._draw, player), partial(self._play, player)]
        tired = [partial(self._lose_vigor, player, 1)] if self.turns > TIRED else []
        self._later(*tired, *steps, partial(self._discard_down, player), self._next)

    def _next(self) -> None:
        self._turn(self.table.after(self.current + 1)[0].seat)

    def _draw(self, player: Player) -> None:
        if player.is_alive:
            self.table.draw(player, 2)

    def _play(self, player: Player) -> None:
        if not player.is_alive:
            return
        weapon = player.equipped.get("weapon")
        is_free = player.skill == "roar" or (
            weapon is not None and weapon.name == "crossbow"
        )
        go = partial(self._played, player)
        can_slash = is_free or self.slashes == 0
        self._ask(PlayPhase(self.table, player, go, can_slash))

    def _played(self, player: Player, reply: Reply) -> None:
        if reply.is_abort:
            return
        self._later(partial(self._play, player))
        if reply.name != "card":
            self.table.throw(player, reply.cards)
            self._slash(player, reply.targets[0])
            return
        card = self.table.cards[reply.cards[0]]
        if card.region is not None:
            self._equip(player, card)
            return
        self.table.throw(player, reply.cards)
        match card.name:
            case "slash":
                self._slash(player, reply.targets[0])
            case "peach":
                player.vigor += 1
            case "duel":
                target = self.table.players[reply.targets[0]]
                self._later(partial(self._duel, target, player))
            case "sabotage":
                self._sabotage(player, self.table.players[reply.targets[0]])
            case "arson attack":
                target = self.table.players[reply.targets[0]]
                go = partial(self._shown, player)
                self._later(partial(self._ask, Show(self.table, target, go)))
            case _:
                raise AssertionError(f"{card.name} cannot be used")

    def _discard_down(self, player: Player) -> None:
        count = len(player.hand) - max(player.vigor, 0)
        if player.is_alive and count > 0:
            go = partial(self._throw, player)
            self._ask(DiscardDown(self.table, player, go, count))

    def _throw(self, player: Player, reply: Reply) -> None:
        self.table.throw(player, reply.cards)

    # what cards do

    def _equip(self, player: Player, card: Card) -> None:
        self.table.take(player, (card.id,))
        assert card.region is not None
        if card.region in player.equipped:
            self.table.pile.append(player.equipped[card.region])
        player.equipped[card.region] = card

    def _slash(self, source: Player, seat: int) -> None:
        self.slashes += 1
        target = self.table.players[seat]
        weapon = source.equipped.get("weapon")
        if weapon is not None and weapon.name == FAN:
            go = partial(self._slash_with, source, target)
            self._later(partial(self._ask, YesNo(self.table, source, go, FAN)))
        else:
            self._later(partial(self._strike, source, target, False))

    def _slash_with(self, source: Player, target: Player, reply: Reply) -> None:
        self._later(partial(self._strike, source, target, not reply.is_abort))

    def _strike(self, source: Player, target: Player, is_fire: bool) -> None:
        has_armor = "armor" in target.equipped
        if has_armor and not is_fire:
            return
        go = partial(self._dodged, target, 2 if has_armor else 1)
        self._want(target, "dodge", source.seat, go)

    def _want(
        self, player: Player, name: str, about: int, go: Callable[[Reply], None]
    ) -> None:
        self._ask(Wanted(self.table, player, go, name, about))

    def _dodged(self, target: Player, damage: int, reply: Reply) -> None:
        if reply.is_abort:
            self._hurt(target, damage)
        else:
            self.table.throw(target, reply.cards)

    def _duel(self, player: Player, opponent: Player) -> None:
        """`player` has to play a slash, or is hurt."""
        go = partial(self._duelled, player, opponent)
        self._want(player, "slash", opponent.seat, go)

    def _duelled(self, player: Player, opponent: Player, reply: Reply) -> None:
        if reply.is_abort:
            self._hurt(player, 1)
        else:
            self.table.throw(player, reply.cards)
            self._later(partial(self._duel, opponent, player))

    def _sabotage(self, source: Player, target: Player) -> None:
        go = partial(self._sabotaged, target)
        self._later(partial(self._ask, PickRegion(self.table, source, go, target)))

    def _sabotaged(self, target: Player, reply: Reply) -> None:
        is_hidden = reply.name == "onhand"
        hand, equipped = target.hand, target.equipped
        card = self.table.rng.choice(hand) if is_hidden else equipped[reply.name]
        self.table.throw(target, (card.id,))

    def _shown(self, source: Player, reply: Reply) -> None:
        card = self.table.cards[reply.cards[0]]
        target = next(player for player in self.table.players if card in player.hand)
        go = partial(self._burnt, source, target)
        frame = SameSuit(self.table, source, go, card.suit)
        self._later(partial(self._ask, frame))

    def _burnt(self, source: Player, target: Player, reply: Reply) -> None:
        if not reply.is_abort:
            self.table.throw(source, reply.cards)
            self._hurt(target, 1)

    # damage

    def _hurt(self, target: Player, damage: int) -> None:
        if target.skill == "heavenly scent" and self.table.others(target.seat):
            go = partial(self._passed_on, target, damage)
            self._later(partial(self._ask, PassOn(self.table, target, go)))
        else:
            self._later(partial(self._suffer, target, damage))

    def _passed_on(self, target: Player, damage: int, reply: Reply) -> None:
        if not reply.is_abort:
            self.table.throw(target, reply.cards)
            target = self.table.players[reply.targets[0]]
        self._later(partial(self._suffer, target, damage))

    def _suffer(self, target: Player, damage: int) -> None:
        after = [partial(self._strategy, target)] * damage
        self._later(partial(self._lose_vigor, target, damage), *after)

    def _lose_vigor(self, target: Player, damage: int) -> None:
        if target.is_alive:
            target.vigor -= damage
            self._rescue(
                target, [player.seat for player in self.table.after(target.seat)]
            )

    def _rescue(self, dying: Player, seats: list[int]) -> None:
        """Everybody may play a peach for somebody who is dying, beginning with himself."""
        if dying.vigor > 0:
            return
        if not seats:
            self._die(dying)
            return
        go = partial(self._rescued, dying, seats)
        helper = self.table.players[seats[0]]
        self._later(
            partial(self._ask, Wanted(self.table, helper, go, "peach", dying.seat))
        )

    def _rescued(self, dying: Player, seats: list[int], reply: Reply) -> None:
        if reply.is_abort:
            seats = seats[1:]
        else:
            self.table.throw(self.table.players[seats[0]], reply.cards)
            dying.vigor += 1
        self._later(partial(self._rescue, dying, seats))

    def _die(self, player: Player) -> None:
        player.is_alive = False
        self.table.pile += [*player.hand, *player.equipped.values()]
        player.hand.clear()
        player.equipped.clear()

    def _strategy(self, player: Player) -> None:
        if player.is_alive and player.skill == "bequeathed strategy":
            self._give_away(player, self.table.draw(player, 2))

    def _give_away(self, player: Player, left: list[Card]) -> None:
        if left and self.table.others(player.seat):
            go = partial(self._given, player, left)
            self._ask(GiveAway(self.table, player, go, left))

    def _given(self, player: Player, left: list[Card], reply: Reply) -> None:
        if reply.is_abort:
            return
        given = self.table.take(player, reply.cards)
        self.table.players[reply.targets[0]].hand += given
        kept = [card for card in left if card not in given]
        self._later(partial(self._give_away, player, kept))
