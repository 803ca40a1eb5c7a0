"""The rules of the duel once more: whether a reply is allowed, said without a look at any hint.

The frames say what is open as lists; this says of one reply whether it may be done, card by card and from the table
alone. The two are written apart on purpose. The game asks here before it does anything, and the tests compare both
ways.
"""

from __future__ import annotations

from dealwright.runtime.hints import Reply
from tests.duel.cards import SPEAR, Card
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
from tests.duel.skills import DRAGON
from tests.duel.table import Player, Table


def is_allowed(frame: Frame, seat: int, reply: Reply) -> bool:
    """Whether the rules allow a reply to the pending decision."""
    table, player = frame.table, frame.player
    cards = [table.cards[number] for number in reply.cards]
    targets = [table.players[target] for target in reply.targets]
    if len(set(reply.cards)) != len(cards) or len(set(reply.targets)) != len(targets):
        return False
    if reply.is_abort:
        must = DiscardDown | Show | PickRegion | SelectCharacters
        return not isinstance(frame, must)
    match frame:
        case SelectCharacters():
            return reply.name in frame.offered[seat] and seat not in frame.selected
        case PlayPhase():
            return _may_use(table, player, frame.can_slash, reply.name, cards, targets)
        case Wanted():
            return not targets and _counts_as(player, reply.name, cards, frame.wanted)
        case DiscardDown():
            return reply.name == "discard" and _of_hand(player, cards, frame.count)
        case Show():
            return reply.name == "show" and _of_hand(player, cards, 1)
        case SameSuit():
            is_right = reply.name == "discard" and _of_hand(player, cards, 1)
            return is_right and cards[0].suit == frame.suit
        case PickRegion():
            if reply.name == "onhand":
                return bool(frame.target.hand)
            return reply.name in frame.target.equipped
        case YesNo():
            return reply.name == frame.name and not cards and not targets
        case PassOn():
            is_right = reply.name == "heavenly scent" and _of_hand(player, cards, 1)
            return is_right and cards[0].suit == "heart" and _one_other(player, targets)
        case GiveAway():
            return (
                reply.name == "bequeathed strategy"
                and len(cards) >= 1
                and all(card in frame.left for card in cards)
                and _one_other(player, targets)
            )
        case _:
            raise AssertionError(frame)


def _of_hand(player: Player, cards: list[Card], count: int) -> bool:
    return len(cards) == count and all(card in player.hand for card in cards)


def _one_other(player: Player, targets: list[Player]) -> bool:
    return len(targets) == 1 and targets[0].is_alive and targets[0] is not player


def _counts_as(player: Player, name: str, cards: list[Card], wanted: str) -> bool:
    """Whether playing these cards by this name is playing a card called `wanted`."""
    if name == wanted:
        return _of_hand(player, cards, 1) and cards[0].name == wanted
    if name == "dragon heart":
        is_his = player.skill == name and wanted in DRAGON
        return is_his and _of_hand(player, cards, 1) and cards[0].name == DRAGON[wanted]
    if wanted != "slash" or not cards:
        return False
    if name == SPEAR:
        weapon = player.equipped.get("weapon")
        return (
            weapon is not None and weapon.name == SPEAR and _of_hand(player, cards, 2)
        )
    skill, _, region = name.partition(":")
    if skill != "martial saint" or player.skill != skill or not cards[0].is_red:
        return False
    if region == "onhand":
        return _of_hand(player, cards, 1)
    return len(cards) == 1 and player.equipped.get(region) is cards[0]


def _may_use(
    table: Table,
    player: Player,
    can_slash: bool,
    name: str,
    cards: list[Card],
    targets: list[Player],
) -> bool:
    """Whether something may be used in the play phase."""
    if name != "card":
        return (
            can_slash
            and _counts_as(player, name, cards, "slash")
            and name != "slash"
            and _one_other(player, targets)
            and _reaches(table, player, targets[0], cards)
        )
    if not _of_hand(player, cards, 1):
        return False
    [card] = cards
    if card.region is not None:
        return not targets
    match card.name:
        case "peach":
            return player.is_hurt and not targets
        case "slash":
            is_right = can_slash and _one_other(player, targets)
            return is_right and _reaches(table, player, targets[0], [])
        case "duel":
            return _one_other(player, targets)
        case "sabotage":
            return (
                _one_other(player, targets)
                and bool(targets[0].regions())
                and table.distance(player.seat, targets[0].seat) == 1
            )
        case "arson attack":
            if len(targets) != 1 or not targets[0].is_alive:
                return False
            return any(other is not card for other in targets[0].hand)
        case _:
            return False


def _reaches(
    table: Table, player: Player, target: Player, given_up: list[Card]
) -> bool:
    """Whether a slash reaches, once the equipment among `given_up` is gone."""
    gone = [region for region, card in player.equipped.items() if card in given_up]
    without = gone[0] if gone else None
    far = table.distance(player.seat, target.seat, without)
    return far <= player.reach(without)
