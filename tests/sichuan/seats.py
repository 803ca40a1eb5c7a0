"""Seats that play Sichuan rounds in tests, in styles that bring about what the computer players hardly ever do.

All of them answer hints as a client would; none sees more than its seat may.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from dealwright.runtime.hints import Draft, Hint, Reply, SelectRegion, abort_reply
from examples.sichuan.asking import KONG, tile_of
from examples.sichuan.bots import best_discard, bot_reply
from examples.sichuan.round import Round
from examples.sichuan.table import Player, Seat
from examples.sichuan.tiles import SUITS

FEW_TILES = 4


@dataclass(frozen=True, slots=True)
class Style:
    """How a seat plays where it does not play as a bot.

    Attributes:
        is_patient: takes no pungs and no kongs of others' discards.
        is_greedy: wants more than a plain win from a discard.
        is_idle: never wins and never claims.
        is_late: keeps its kongs until the wall is nearly empty and it has drawn a tile of its void suit.
        is_stubborn: gives up its longest suit.
        throws_drawn: discards what it has drawn, if it may.
        silent: of a hundred questions it lets the time run out at so many.
    """

    is_patient: bool = False
    is_greedy: bool = False
    is_idle: bool = False
    is_late: bool = False
    is_stubborn: bool = False
    throws_drawn: bool = False
    silent: int = 0


BOT = Style()
MOODS = (
    BOT,
    BOT,
    Style(silent=3),
    Style(is_patient=True),
    Style(is_greedy=True),
    Style(is_patient=True, is_greedy=True),
)


def reply_of_seat(
    played: Round, seat: Seat, hint: Hint, style: Style, rng: Random
) -> Reply | None:
    """A seat's answer; None if it stays silent."""
    if rng.randrange(100) < style.silent:
        return None
    player = played.table.players[seat]
    if isinstance(hint.question.detail, SelectRegion):
        return _void(player, style, hint, rng)
    names = [option.name for option in Draft(hint).options()]
    if hint.action == "use":
        is_declined = style.is_idle or (
            _is_plain(played, seat)
            if "HU" in names and style.is_greedy
            else style.is_patient and "HU" not in names
        )
        if is_declined and hint.question.may_abort:
            return abort_reply("use")
        return _as_bot(player, hint, rng)
    return _turn(played, player, style, hint, names, rng)


def _as_bot(player: Player, hint: Hint, rng: Random) -> Reply:
    return bot_reply(hint, player.hand, len(player.melds), player.void_suit, rng)


def _void(player: Player, style: Style, hint: Hint, rng: Random) -> Reply:
    if not style.is_stubborn:
        return _as_bot(player, hint, rng)
    held = [tile[1] for tile in player.hand]
    return Reply("region", max(SUITS, key=held.count))


def _is_plain(played: Round, seat: Seat) -> bool:
    """Whether the win that a seat is offered has no fan; its offer says so."""
    window = played.desk.window
    candidate = window.candidate(seat) if window is not None else None
    assert candidate is not None
    hint = candidate.options[0].hint
    return hint is not None and hint["fan"] == 0


def _turn(
    played: Round,
    player: Player,
    style: Style,
    hint: Hint,
    names: list[str],
    rng: Random,
) -> Reply:
    drawn = played.turn.drawn
    is_time = len(played.table.wall) <= FEW_TILES and drawn is not None
    is_kong_time = is_time and drawn is not None and drawn[1] == player.void_suit
    avoided = {"HU"} if style.is_idle else set()
    if (style.is_late and not is_kong_time) or (style.is_idle and not style.is_late):
        avoided.update(name for name in names if name.startswith(KONG))
    if not avoided and not style.throws_drawn:
        return _as_bot(player, hint, rng)
    draft = Draft(hint)
    kongs = [name for name in names if name.startswith(KONG) and name not in avoided]
    if kongs and not style.throws_drawn:
        draft.choose_method(kongs[0])
        while not draft.is_complete:
            draft.pick_card(draft.selectable_cards()[0])
        return draft.reply()
    draft.choose_method("discard")
    cards = draft.selectable_cards()
    mine = [card for card in cards if tile_of(card) == drawn]
    if not (style.throws_drawn and mine):
        kept = {
            tile
            for tile in player.hand
            if style.is_late and player.hand.count(tile) == 4
        }
        free = [card for card in cards if tile_of(card) not in kept] or cards
        void_suit, melds = player.void_suit, len(player.melds)
        mine = [best_discard(free, player.hand, melds, void_suit, rng)]
    draft.pick_card(mine[0])
    return draft.reply()
