"""One person against three computer players, in a terminal: `python -m examples.sichuan [--seed N] [--auto]`.

The person's side is a client and nothing more: it gets the messages of its seat, the table as its seat sees it and its
hint, and sends replies. Time does not run; whoever is asked may think as long as he likes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, TypeAlias, final

from dealwright.runtime.hints import (
    Draft,
    Hint,
    Option,
    Refused,
    SelectRegion,
    decode,
)
from dealwright.runtime.windows import (
    GameMessagePublisher,
    ResponseActionOption,
    RuleMode,
)
from dealwright.runtime.windows.messages import GameEvent, Message
from examples.sichuan.asking import answer, carry_out, hint, seen, tile_of
from examples.sichuan.bots import bot_move
from examples.sichuan.round import Round, dealt, shuffled_wall
from examples.sichuan.rules import TURN_ORDER
from examples.sichuan.screen import Kind, Screen
from examples.sichuan.seen import view
from examples.sichuan.table import Seat
from examples.sichuan.tiles import SUITS
from examples.sichuan.words import (
    FAN_WORDS,
    SUIT_WORDS,
    event_words,
    grouped,
    meld_words,
    name_of,
    result_lines,
)

Json: TypeAlias = Any

HELP: Final = (
    "type what is in brackets; a tile such as 5m discards it; ? repeats the table; quit leaves",
)
LOUD: Final[dict[str, Kind]] = {
    "HU_DECLARED": "win",
    "PENG_DECLARED": "claim",
    "GANG_DECLARED": "claim",
    "ROUND_ENDED": "result",
}


class Quit(Exception):
    """The person has had enough, or there is no more input."""


@final
class Game:
    """A round in the terminal.

    Args:
        mode: the windows' rules.
        seed: decides the wall and the computer players' ties.
        screen: where it is shown.
        me: the person's seat; None lets the computer play all four.
    """

    def __init__(
        self, mode: RuleMode, seed: int, screen: Screen, me: Seat | None
    ) -> None:
        self._screen = screen
        self._me = me
        self._rng = Random(seed)
        self._offered: tuple[ResponseActionOption, ...] = ()
        publisher = GameMessagePublisher("terminal", TURN_ORDER, self._hear)
        dealer = seed % len(TURN_ORDER)
        self.round = Round(mode, dealt(shuffled_wall(seed), dealer), publisher, dealer)

    def run(self) -> None:
        """Play to the end.

        Raises:
            Quit: the person leaves.
        """
        self.round.begin(0)
        while self.round.phase != "OVER":
            # computer players first: what they answer to a window does not show before it closes
            asked = [seat for seat in TURN_ORDER if self._is_asked(seat)]
            bots = [seat for seat in asked if seat != self._me]
            if bots:
                reply = bot_move(self.round, bots[0], self._rng)
                carry_out(self.round, bots[0], reply, 0, f"bot{bots[0]}")
            else:
                self._decide()

    def _is_asked(self, seat: Seat) -> bool:
        return isinstance(seen(self.round, seat), Hint)

    def _hear(self, recipient: Seat | None, message: Message) -> None:
        """Messages of the person's seat; of watchers where no person plays."""
        if recipient != self._me:
            return
        if not isinstance(message, GameEvent):
            if message.kind == "OFFER":
                self._offered = message.options
            return
        line = event_words(message.type, message.payload, self._me)
        if line is not None:
            self._screen.say(line, LOUD.get(message.type, "log"))
        if message.type == "ROUND_SETTLED":
            for line in result_lines(message.payload, self._me):
                self._screen.say(line, "result")

    # the person's side

    def _decide(self) -> None:
        """Ask the person until there is a reply that the round takes."""
        me = self._me
        assert me is not None
        asked = decode(hint(self.round, me, "extended"))
        assert isinstance(asked, Hint)
        draft = Draft(asked)
        names = words_of(draft.options())
        self._show(view(self.round, me), names)
        while True:
            typed = self._screen.ask(" ".join(f"[{name}]" for name in names))
            if typed is None or typed == "quit":
                raise Quit
            if typed in ("", "?"):
                self._show(view(self.round, me), names)
                continue
            try:
                fill(draft, names, typed)
            except Refused as refused:
                self._screen.say(refused.refusal.sentence, "refused")
                continue
            said = answer(self.round, me, draft.encode(dialect="extended"), 0, "me")
            if said["code"] == 200:
                return
            self._screen.say(str(said["reason"]), "refused")

    def _show(self, table: Mapping[str, Json], names: Mapping[str, Option]) -> None:
        lines = [
            player_line(seat, player, self._me)
            for seat, player in enumerate(table["players"])
        ]
        hand = grouped(table["hand"])
        drawn = f"   drawn {table['drawn']}" if table["drawn"] else ""
        lines += ["", f"your hand  {hand}{drawn}"]
        if table["phase"] == "CLAIM":
            heading = f"{name_of(table['turnSeatNo'], self._me)}: {table['tile']} — do you want it?"
        elif table["phase"] == "VOID":
            heading = "which suit do you give up?"
            lines += [f"[{suit}] {SUIT_WORDS[suit]}" for suit in SUITS]
        else:
            heading = "your turn"
        if table["phase"] != "VOID":
            lines += self._advice()
        lines += HELP
        heading = f"{heading}   ({table['wallRemaining']} tiles left)"
        self._screen.panel(heading, lines)

    def _advice(self) -> list[str]:
        """What a win would be worth; the offer says so."""
        strongest = self._offered[0] if self._offered else None
        if strongest is None or strongest.action_type != "HU":
            return []
        told: Json = strongest.hint or {}
        items = ", ".join(FAN_WORDS[item] for item in told["items"]) or "plain"
        return [f"HU would be worth {told['points']}: {items}"]


def words_of(options: Sequence[Option]) -> dict[str, Option]:
    """What a person types for each option: "pass" gives up, "gang 5m" is a kong of the own turn."""
    return {
        "pass" if option.what == "abort" else option.name.lower(): option
        for option in options
    }


def fill(draft: Draft, names: Mapping[str, Option], typed: str) -> None:
    """Put what was typed into the draft.

    Raises:
        Refused: it is not offered.
    """
    word = typed.lower()
    if word in names and word != "discard":
        draft.choose(names[word])
        while not draft.is_complete:
            draft.pick_card(draft.selectable_cards()[0])
        return
    if isinstance(draft.hint.question.detail, SelectRegion) or "discard" not in names:
        draft.choose_method(typed)
        return
    tile = word.removeprefix("discard").strip()
    draft.choose_method("discard")
    matching = [card for card in draft.selectable_cards() if tile_of(card) == tile]
    draft.pick_card(matching[0] if matching else -1)


def player_line(seat: Seat, player: Mapping[str, Json], me: Seat | None) -> str:
    """A seat as everybody sees it."""
    melds = " ".join(map(meld_words, player["melds"]))
    thrown = " ".join(player["thrown"])
    void = SUIT_WORDS.get(player["voidSuit"], "?")
    won = f"  HU on {player['wonTile']}" if player["wonTile"] else ""
    return (
        f"{name_of(seat, me):<7} {player['points']:+4d}  void {void:<6}  "
        f"{player['handCount']:2d} tiles {melds}{won}  | {thrown}"
    ).rstrip(" |")
