"""A match: what a server, a bot or a test holds, shows and acts on.

A `Match` checks each action in the order of the contract (section 6, "Submitting"), lets the rule's flow go on, and
undoes everything if that fails. It is made by the functions of a generated package, never directly. A match belongs to
one thread at a time; different matches share nothing that changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING, NoReturn, TypeVar, final

from dealwright.runtime.asked import HINTS, Asked
from dealwright.runtime.checks import is_listed, is_text
from dealwright.runtime.errors import (
    DealwrightError,
    FlowStopped,
    MatchError,
    Rejected,
    shown,
)
from dealwright.runtime.events import Events, PlayerId, visible
from dealwright.runtime.flow import advance
from dealwright.runtime.game import CardT, Game, PlayerT, TableT
from dealwright.runtime.leading import can_play, leads
from dealwright.runtime.objects import MOST_BITS, CardBase
from dealwright.runtime.place import note_place
from dealwright.runtime.play import Play
from dealwright.runtime.position import card_number
from dealwright.runtime.record import CHOICE, SKIP
from dealwright.runtime.state import state_of
from dealwright.runtime.view import view_of
from dealwright.runtime.waits import Wait, WaitKind

if TYPE_CHECKING:
    from dealwright.runtime.package import Package

Argument = TypeVar("Argument")


@final
class Match(Asked[PlayerT, TableT, CardT]):
    """One match of a rule. Its state changes by `play`, `skip`, `choose` and `abort` only.

    Attributes:
        ids: the players in seat order; a player's seat is the place in it.
        seed: what the shuffles come from.
        table, players: the live objects, with the rule's properties as attributes.
        hands: the cards of each seat; deck, discard: the other cards. Live lists, to read and not to change.
    """

    __slots__ = (
        "_cursors",
        "_game",
        "_package",
        "deck",
        "discard",
        "hands",
        "ids",
        "players",
        "seed",
        "table",
    )

    def __init__(
        self,
        package: Package[PlayerT, TableT, CardT],
        game: Game[PlayerT, TableT, CardT],
        ids: tuple[PlayerId, ...],
        seed: int,
    ) -> None:
        self._package = package
        self._game = game
        self.ids = ids
        self.seed = seed
        self.table: TableT = game.table
        self.players: list[PlayerT] = game.players
        self.hands: list[list[CardT]] = game.hands
        self.deck: list[CardT] = game.deck
        self.discard: list[CardT] = game.discard
        super().__init__()
        # the next event for each seat; last, for everything
        self._cursors = [game.log_start] * (len(ids) + 1)

    # what there is to see

    @property
    def pending(self) -> Wait | None:
        """What the match waits for, or None when it is over."""
        return self._game.pending

    @property
    def finished(self) -> bool:
        """Whether the match is over, settled or aborted."""
        return self._game.pending is None

    @property
    def results(self) -> dict[PlayerId, int] | None:
        """The result of each player once the match is settled; a seat that the settlement passed over has none."""
        results = self._game.results
        return (
            None
            if results is None
            else {self.ids[seat]: results[seat] for seat in sorted(results)}
        )

    @property
    def aborted(self) -> str | None:
        """The reason given to `abort`, or None."""
        return self._game.aborted

    @property
    def previous(self) -> tuple[int, Play[CardT]] | None:
        """Seat and play of the previous play, which the next one has to beat unless its player leads."""
        return self._game.previous

    @property
    def latest(self) -> list[CardT]:
        """The cards of the latest action of anybody; empty after a skip or a choice."""
        return list(self._game.latest)

    @property
    def actions(self) -> list[list[object]]:
        """All actions so far as JSON: `[seat, "play", [3, 9]]`, `[seat, "skip"]`, `[seat, "choose", 1]`."""
        return self._game.record.rows()

    def take_events(self, seat: int | None = None) -> Events:
        """The events since the last call for the same seat, each made when somebody looks at it.

        Args:
            seat: only what the player there may see; None: everything. Each seat, and None, has a place of its own
                among the events, so that one call does not take away what another is still to see. An event is kept
                until all of them have seen it; a match is short, and a saved one keeps none.

        Raises:
            MatchError: "bad_seat".
        """
        game = self._game
        cursors = self._cursors
        reader = -1 if seat is None else self._seat(seat)
        start = game.log_start
        first = cursors[reader]
        entries = game.log[first - start :]
        cursors[reader] = first + len(entries)
        if first == start:  # else somebody who has seen less still keeps the oldest
            game.log_start = min(cursors)
            del game.log[: game.log_start - start]
        numbered = enumerate(entries, first)
        if seat is None:
            return Events(numbered)
        # what he may not see is not even kept for him
        return Events(iter([pair for pair in numbered if visible(pair[1], seat)]))

    def view(self, seat: int) -> dict[str, object]:
        """The match as the player at `seat` may see it, as JSON: for reconnecting, for clients, for bots.

        Raises:
            MatchError: "bad_seat".
        """
        return view_of(self._package.name, self._game, self.ids, self._seat(seat))

    def to_json(self) -> dict[str, object]:
        """Everything needed to go on later, as JSON types; events not yet taken are not in it, only their count."""
        state = state_of(self._package, self._game, self.ids, self.seed)
        if self._hints is not None:
            state[HINTS] = self._hints.to_json()
        return state

    def __copy__(self) -> Match[PlayerT, TableT, CardT]:
        """A match of its own that stands where this one does: what is saved, restored; events not taken yet stay here."""
        return self._package.match_from_json(self.to_json())

    def __deepcopy__(self, memo: object) -> Match[PlayerT, TableT, CardT]:
        return self.__copy__()

    def __reduce__(self) -> NoReturn:
        """A pickle would hold the whole package, or could not be read by the next version of the rule.

        Raises:
            TypeError: always.
        """
        raise TypeError("a match is not pickled: save what to_json() gives")

    def game_for(
        self, package: Package[PlayerT, TableT, CardT]
    ) -> Game[PlayerT, TableT, CardT]:
        """The game that flows see; for `Package.recognize` and `Package.beats`.

        Raises:
            MatchError: "needs_match" if this is a match of another package.
        """
        if self._package is not package:
            raise MatchError(
                "needs_match",
                f"that is a match of {self._package.name!r}",
                package.name,
            )
        return self._game

    # what players do

    def play(self, player: PlayerId, cards: Iterable[CardT | int | str]) -> None:
        """Play cards of one's hand: Card objects, their numbers, or "card_3"; none at all skips.

        Raises:
            Rejected: with the first reason in the contract's order; nothing has changed then.
        """
        wait = self._expect(player, "play")
        seat = wait.seat
        numbers, chosen = self._cards(cards, wait, seat)
        if not chosen:
            self._skip(wait)
            return
        made = self._judged(chosen, wait, seat)
        self._submit(wait, len(numbers), numbers, Game.put_down, made)

    def skip(self, player: PlayerId) -> None:
        """Skip instead of playing. Somebody who leads may skip only if he holds no cardset.

        Raises:
            Rejected: as for `play`.
        """
        self._skip(self._expect(player, "play"))

    def choose(self, player: PlayerId, value: int) -> None:
        """Choose one of the options of the pending wait, or any integer if it has none.

        Raises:
            Rejected: as for `play`.
        """
        wait = self._expect(player, "choose")
        if (
            type(value) is not int
            or value.bit_length() > MOST_BITS
            or (wait.options and value not in wait.options)
        ):
            raise self._refusal(
                wait, "choice_not_offered", "that is not among the options"
            )
        self._submit(wait, CHOICE, [value], Game.take_choice, value)

    def abort(self, reason: str) -> None:
        """End the match without results.

        Raises:
            Rejected: "nothing_pending" if it is over already.
            MatchError: "bad_reason" if `reason` is not text, or text with half a surrogate pair in it.
        """
        if not is_text(reason):
            raise MatchError(
                "bad_reason",
                "the reason must be a string that can be written as UTF-8",
                self._package.name,
            )
        game = self._game
        if game.pending is None:
            raise self._refusal(None, "nothing_pending", "the match is over")
        game.pending = None
        game.aborted = reason
        game.log.append(("aborted", reason))

    # how it is judged

    def _refusal(self, wait: Wait | None, code: str, sentence: str) -> Rejected:
        flow, node = (None, None) if wait is None else ("match_flow", wait.node)
        return Rejected(code, sentence, self._package.name, flow, node)

    def _seat(self, seat: int) -> int:
        if type(seat) is not int or not 0 <= seat < len(self.ids):
            raise MatchError(
                "bad_seat",
                f"the seats are 0 to {len(self.ids) - 1}",
                self._package.name,
            )
        return seat

    def _expect(self, player: PlayerId, kind: WaitKind) -> Wait:
        """The pending wait, if it is this player's and of this kind."""
        wait = self._game.pending
        if wait is None:
            raise self._refusal(None, "nothing_pending", "the match is over")
        owner = self.ids[wait.seat]
        # True and 1.0 equal 1, but are no ids; mostly it is the very object that the match was made with
        if player is not owner and (type(player) is not type(owner) or player != owner):
            raise self._refusal(
                wait, "not_your_turn", f"it is the turn of {shown(owner)}"
            )
        if wait.kind != kind:
            wanted = "cards or a skip" if wait.kind == "play" else "a choice"
            raise self._refusal(wait, "wrong_action", f"the match waits for {wanted}")
        return wait

    def _cards(
        self, cards: Iterable[CardT | int | str], wait: Wait, seat: int
    ) -> tuple[list[int], list[CardT]]:
        """Numbers and cards of what is meant, all of them different and in the hand of the player asked."""
        game = self._game
        live = game.cards
        most = len(live)
        if type(cards) is not list or len(cards) > most:
            cards = self._items(cards, wait)
        hand = game.hands[seat]
        chosen: list[CardT] = []
        for number in cards:
            if type(number) is not int:  # once more, with numbers for all of them
                return self._cards(list(map(self._number, cards)), wait, seat)
            if number < 1 or number > most or (card := live[number - 1]) not in hand:
                raise self._refusal(
                    wait,
                    "card_not_in_hand",
                    "one of the cards is not in the player's hand",
                )
            chosen.append(card)
        if len(chosen) > 1 and len(set(chosen)) < len(chosen):
            raise self._refusal(
                wait, "duplicate_card", "one of the cards is there twice"
            )
        # the loop has seen that all of `cards` are numbers
        return cards, chosen  # type: ignore[return-value]

    def _items(
        self, cards: Iterable[CardT | int | str], wait: Wait
    ) -> list[CardT | int | str]:
        """What `cards` gives, but no more than one beyond the deck: an endless iterator names some card twice."""
        # a text or an object can be gone through too, and an empty one would be a skip
        if not is_listed(cards):
            raise self._refusal(
                wait, "card_not_in_hand", "the cards must be given as a list"
            )
        try:
            return list(islice(cards, len(self._game.cards) + 1))
        except Exception as error:
            raise self._refusal(
                wait, "card_not_in_hand", "the list of cards cannot be read"
            ) from error

    def _number(self, item: object) -> int:
        """The number of the card that `item` means; 0 for anything else."""
        if type(item) is self._package.card:
            return item.id
        return 0 if isinstance(item, CardBase) else card_number(item) or 0

    def _judged(self, chosen: list[CardT], wait: Wait, seat: int) -> Play[CardT]:
        """The play that the cards make, if there is nothing to beat or it beats that."""
        game = self._game
        package = self._package
        # `package.judge` and `package.compare` would ask the same, one call more for each action
        recognize, beats = package.recognize_alone, package.beats_alone
        previous = game.previous
        try:
            made = (
                package.judge(chosen, game) if recognize is None else recognize(chosen)
            )
            if made is not None:
                if previous is None or previous[0] == seat:
                    return made
                # without a skip the others are still in, so nobody else leads
                if game.skipped and leads(game, seat):
                    return made
                if beats is None:
                    if package.compare(made, previous[1], game):
                        return made
                elif beats(made, previous[1]):
                    return made
        except Exception as error:
            self._fail(error)
        if made is None:
            raise self._refusal(
                wait, "no_cardset", "the cards are no cardset of the rule"
            )
        raise self._refusal(
            wait, "not_beating", "the cards do not beat the previous play"
        )

    def _skip(self, wait: Wait) -> None:
        game = self._game
        seat = wait.seat
        leading = leads(game, seat)
        if leading and game.hands[seat] and self._must_play(seat):
            raise self._refusal(
                wait, "must_lead", "a player who leads and holds a cardset has to play"
            )

        self._submit(wait, SKIP, [], Game.pass_on, leading)

    def _must_play(self, seat: int) -> bool:
        game = self._game
        package = self._package
        try:
            game.ticks = 0  # a rule whose judgement needs no match counts nothing
            return can_play(
                game.hands[seat],
                package.lengths,
                lambda cards: package.judge(cards, game) is not None,
                package.effort,
                lambda: game.ticks,
            )
        except Exception as error:
            self._fail(error)

    def _submit(
        self,
        wait: Wait,
        size: int,
        numbers: list[int],
        change: Callable[[Game[PlayerT, TableT, CardT], int, Argument], None],
        argument: Argument,
    ) -> None:
        """Apply `change` and let the flow go on to the next wait; all of it or nothing.

        Args:
            size, numbers: what the record says of it.
            change: what it does to the game, by the seat and `argument`.
        """
        game = self._game
        package = self._package
        seat = wait.seat
        record = game.record
        mark = game.mark(seat)
        try:
            game.ticks = 0
            record.seats.append(seat)
            record.sizes.append(size)
            record.numbers += numbers
            change(game, seat, argument)
            follows = package.resume[wait.node].follows
            advance(package, game, follows(game))
        except (
            BaseException
        ) as error:  # an interrupt must not leave half an action behind either
            game.rollback(mark, wait)
            if isinstance(error, Exception):
                self._fail(error)
            note_place(error, package.name, package.root)
            raise

    def _fail(self, error: Exception) -> NoReturn:
        package = self._package
        code, sentence, flow, node = failure(error, package.name, package.root)
        raise Rejected(code, sentence, package.name, flow, node) from error


def failure(
    error: Exception, rule: str, root: str
) -> tuple[str, str, str | None, str | None]:
    """Code, sentence, flow and node of something that a flow of the package `root` raised.

    The error itself, which the caller chains to ours, gets the place as a note.
    """
    if isinstance(error, FlowStopped):
        flow, node = note_place(error, rule, root, error.origin)
        return error.code, error.sentence, flow, node
    flow, node = note_place(error, rule, root)
    if isinstance(error, DealwrightError):
        return error.code, error.sentence, flow, node
    # not the error's own text, which may not even be convertible: it is chained to ours
    return (
        "rule_error",
        f"the rule's flow failed with {type(error).__name__}",
        flow,
        node,
    )
