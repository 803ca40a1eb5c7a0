"""The state of a match, and what the flows of a rule do with it.

Generated segments get a `Game` and nothing else. The upper half of the class is their interface; the lower half is
for the runtime, which puts a mark before each flow and goes back to it when anything goes wrong, so that submitting is
all or nothing (contract, section 6). The log of events is what is undone: each assignment carries the value that it
replaced, each deal the sizes of the hands before. The mark keeps the rest, and copies only the two lists whose order a
flow or a play can change: the deck and the hand that is played from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from operator import getitem
from typing import Final, Generic, TypeAlias, TypeVar, final

from dealwright.runtime.errors import FlowStopped, shown
from dealwright.runtime.events import Dealt, Entry, Faces
from dealwright.runtime.objects import (
    AssignableCard,
    Audience,
    CardBase,
    PlayerBase,
    TableBase,
    put,
    put_count,
)
from dealwright.runtime.play import Play
from dealwright.runtime.record import Record
from dealwright.runtime.shapes import Function
from dealwright.runtime.shuffle import MASK, shuffle
from dealwright.runtime.waits import Wait

PlayerT = TypeVar("PlayerT", bound=PlayerBase)
TableT = TypeVar("TableT", bound=TableBase)
CardT = TypeVar("CardT", bound=CardBase)
ItemT = TypeVar("ItemT")
# the event of each card's deal to each seat, where all matches of a package share them: by seat, then by card
Deals: TypeAlias = Sequence[Mapping[CardBase, Dealt]]

TICKS: Final = (
    100_000  # loop iterations, hops and settlement restarts of one submission
)


def endless(origin: Function | None = None) -> FlowStopped:
    """The error of a flow that passes the bound of section 6."""
    return FlowStopped(
        "endless_flow",
        f"the flow went round more than {TICKS:,} times without waiting",
        origin,
    )


def seat_at(index: int, seats: int) -> int:
    """The seat that a table's `player_index` or `settlement_index` means (section 2): negatives are seat 0."""
    return index % seats if index > 0 else 0


# what an action can change and the log cannot undo; flat, since one is made for every action
Mark: TypeAlias = tuple[
    int,  # how many events, actions and their numbers there are; the generator
    int,
    int,
    int,
    list[CardT],  # the deck and the hand of who acts, copied; the latest cards
    list[CardT],
    list[CardT],
    int,  # his 手牌数; what the engine keeps on the table
    int,
    int,
    tuple[int, Play[CardT]] | None,  # the previous play, and who has skipped since
    int,
]


@final
class Game(Generic[PlayerT, TableT, CardT]):
    """One match as its flows see it.

    The lists `hands`, `deck` and `discard`, the players and the table stay the same objects for the whole match.

    Attributes:
        table, players: the live objects; a player's place in the list is the seat.
        hands, deck, discard: live cards; every card is in exactly one of them.
        latest: the cards of the latest action of anybody, empty after a skip or a choice.
        choice: the latest choice of anybody, 0 before any.
    """

    __slots__ = (
        "__weakref__",
        "aborted",
        "bound_player",
        "cards",
        "deals",
        "deck",
        "discard",
        "generator",
        "hands",
        "latest",
        "log",
        "log_start",
        "no_card",
        "no_player",
        "pending",
        "players",
        "previous",
        "record",
        "results",
        "settling",
        "skipped",
        "table",
        "ticks",
    )

    def __init__(
        self,
        table: TableT,
        players: list[PlayerT],
        cards: tuple[CardT, ...],
        no_player: PlayerT,
        no_card: CardT,
        deals: Deals = (),
        record: Record | None = None,
    ) -> None:
        self.table = table
        self.players = players
        self.cards = cards  # by number, card_1 first
        self.no_player = no_player
        self.no_card = no_card
        self.deals = deals
        self.hands: list[list[CardT]] = [[] for _ in players]
        self.deck: list[CardT] = []
        self.discard: list[CardT] = []
        self.latest: list[CardT] = []
        self.bound_player: PlayerT | None = None  # see as_player
        self.ticks = 0
        self.generator = 0
        self.previous: tuple[int, Play[CardT]] | None = None  # seat and play
        self.skipped = 0  # bit N: seat N has skipped since the previous play
        self.pending: Wait | None = None
        self.settling = False
        self.results: dict[int, int] | None = None  # by seat, once finished
        self.aborted: str | None = None
        self.record = Record([], [], []) if record is None else record
        self.log: list[Entry] = []
        self.log_start = 0  # the number of the log's first event

    @property
    def current_player(self) -> PlayerT:
        """玩家: in the settlement the player being settled, else the one whose turn it is (section 2)."""
        if self.bound_player is not None:
            return self.bound_player
        table = self.table
        index = table.settlement_index if self.settling else table.player_index
        players = self.players
        # as `seat_at` has it; flows ask so often that a call is saved
        return players[index % len(players) if index > 0 else 0]

    @property
    def choice(self) -> int:
        """The latest choice of anybody, 0 before any: what the table keeps as 用户做出的选择."""
        return self.table.用户做出的选择

    @property
    def settlement_index(self) -> int:
        """The table's `settlement_index`, or the seat of the player whom a quantifier has bound."""
        if self.bound_player is not None:
            return self.bound_player.seat
        return self.table.settlement_index

    def as_player(self, player: PlayerT, evaluate: Callable[[], ItemT]) -> ItemT:
        """What `evaluate` gives while `player` is 玩家: a quantifier's binding reaches into the flows that it calls."""
        before = self.bound_player
        self.bound_player = player
        try:
            return evaluate()
        finally:
            self.bound_player = before

    def as_card(self, card: CardT, evaluate: Callable[[], ItemT]) -> ItemT:
        """What `evaluate` gives while the latest play is `card` alone, likewise."""
        before = self.latest
        self.latest = [card]
        try:
            return evaluate()
        finally:
            self.latest = before

    def player(self, number: int) -> PlayerT:
        """`player_N`; beyond the seats the none of players, which ignores assignments (section 3)."""
        return (
            self.players[number] if 0 <= number < len(self.players) else self.no_player
        )

    def card(self, number: int) -> CardT:
        """`card_N`; beyond the deck the none of cards."""
        return self.cards[number - 1] if 0 < number <= len(self.cards) else self.no_card

    def shuffle(self) -> None:
        """Component 19: Fisher–Yates over the match's own generator."""
        self.generator = shuffle(self.deck, self.generator)
        self.log.append(("shuffled", len(self.deck)))

    def deal(self, rounds: int, accepts: Callable[[CardT], bool] | None = None) -> None:
        """Component 20: in each round every seat in order gets the first card of the deck that `accepts` takes.

        Raises:
            FlowStopped: "deck_exhausted"; nothing has moved then.
        """
        seats = len(self.players)
        needed = max(rounds, 0) * seats
        deck = self.deck
        # one filter for all: the cards dealt one after another are the first that match, in deck order
        dealt = (
            deck[:needed]
            if accepts is None
            else [card for card in deck if accepts(card)][:needed]
        )
        if len(dealt) < needed:
            raise FlowStopped(
                "deck_exhausted",
                # how many hidden cards pass a filter is nobody's to know
                f"the deal needs {shown(needed)} cards and the deck has "
                + (f"{len(dealt)} to give" if accepts is None else "fewer that fit"),
            )
        # before anything moves: this is what a deal is undone from
        sizes = tuple(
            [
                (len(hand), player.手牌数)
                for hand, player in zip(self.hands, self.players, strict=True)
            ]
        )
        self.log.append(("counted", seats, needed // seats, sizes))
        if accepts is None:
            del deck[:needed]
        else:
            gone = {card.id for card in dealt}
            deck[:] = [card for card in deck if card.id not in gone]
        self._hand_out(dealt)

    def _hand_out(self, dealt: list[CardT]) -> None:
        """Give the cards to the seats in turn; whose cards they are is known to their owners only."""
        log = self.log
        seats = len(self.players)
        for seat, hand in enumerate(self.hands[: len(dealt)]):
            hand += dealt[seat::seats]
            put(self.players[seat], "手牌数", len(hand))
        if self.deals:
            log += map(getitem, cycle(self.deals), dealt)  # turns go on for ever
        else:
            log += [
                ("dealt", place % seats, card, faces([card]))
                for place, card in enumerate(dealt)
            ]

    def tick(self, ticks: int = 1) -> None:
        """Count one turn of a loop without a wait, or other work that may take long; `ticks` where it is heavy.

        Raises:
            FlowStopped: "endless_flow" past the bound.
        """
        self.ticks += ticks
        if self.ticks > TICKS:
            raise endless()

    def counted(self, items: Iterable[ItemT], ticks: int = 1) -> Iterator[ItemT]:
        """The elements of a quantifier that may take long, each counted as `tick` does.

        Raises:
            FlowStopped: "endless_flow" past the bound.
        """
        for item in items:
            self.tick(ticks)
            yield item

    # from here on: for the runtime, not for flows

    def start(self, seed: int) -> None:
        """Put all cards into the deck, in order, and make all objects live: from now on they report assignments."""
        self.deck += self.cards
        self.generator = seed & MASK
        self.attach()

    def place(
        self, hands: list[list[int]], deck: list[int], discard: list[int]
    ) -> None:
        """Put the cards where they are in a saved or arranged match, by number; events and 手牌数 stay as they are."""
        for hand, numbers in zip(self.hands, hands, strict=True):
            hand += self.numbered(numbers)
        self.deck += self.numbered(deck)
        self.discard += self.numbered(discard)

    def numbered(self, numbers: list[int]) -> list[CardT]:
        """The live cards of these numbers."""
        cards = self.cards
        return [cards[number - 1] for number in numbers]

    def attach(self) -> None:
        """Make all objects live."""
        self.table.attach(self.log)
        for player in self.players:
            player.attach(self.log)
        for card in self.cards:
            if not isinstance(card, AssignableCard):
                break  # a package's cards are all of one class
            card.attach(self)

    def card_assigned(self, card: AssignableCard, attribute: str, value: int) -> None:
        """Log the assignment of a card property: what lies in a hand or in the deck is hidden."""
        audience, seat = self._who_sees(card)
        before = getattr(card, attribute)
        self.log.append(("card", audience, seat, card, attribute, before, value))

    def _who_sees(self, card: CardBase) -> tuple[Audience, int | None]:
        for seat, hand in enumerate(self.hands):
            if card in hand:
                return "seat", seat
        return ("all", None) if card in self.discard else ("nobody", None)

    def put_down(self, seat: int, made: Play[CardT]) -> None:
        """A play: its cards leave the hand for the discard pile, in the order of submission, and are to be beaten."""
        cards = made.cards
        hand = self.hands[seat]
        for card in cards:
            hand.remove(card)
        self.discard += cards
        put_count(self.players[seat], len(hand))
        self.latest = cards
        self.previous = seat, made
        self.skipped = 0
        # cards whose deals all matches share never change: no need to ask each time
        shown_as = None if self.deals else faces(cards)
        self.log.append(("played", seat, made, shown_as))

    def pass_on(self, seat: int, leading: bool) -> None:
        """A skip: by a leader it clears the previous play, by anybody else it is remembered."""
        self.latest = []
        if leading:
            self.previous = None
            self.skipped = 0
        else:
            self.skipped |= 1 << seat
        self.log.append(("skipped", seat))

    def take_choice(self, seat: int, value: int) -> None:
        """A choice: the engine keeps it on the table, without an assignment of the rule."""
        self.latest = []
        put(self.table, "用户做出的选择", value)
        self.log.append(("chose", seat, value))

    def mark(self, seat: int) -> Mark[CardT]:
        """What `rollback` goes back to, before an action of the player at `seat`."""
        table = self.table
        record = self.record
        return (
            len(self.log),
            len(record.seats),
            len(record.numbers),
            self.generator,
            self.deck.copy(),
            self.hands[seat].copy(),
            self.latest,
            self.players[seat].手牌数,
            table.settlement_index,
            table.用户做出的选择,
            self.previous,
            self.skipped,
        )

    def rollback(self, mark: Mark[CardT], wait: Wait) -> None:
        """Make everything what it was at `mark`, when `wait` waited; every object stays the same object."""
        logged, actions, numbers, generator, deck, hand, latest = mark[:7]
        count, settlement_index, choice, previous, skipped = mark[7:]
        seat = wait.seat
        log = self.log
        while len(log) > logged:
            self._undo(log.pop())
        self.record.cut(actions, numbers)
        self.generator = generator
        self.deck[:], self.hands[seat][:] = deck, hand
        # nothing ever leaves it: what is neither in the deck nor in a hand was there before
        held = len(self.deck) + sum(map(len, self.hands))
        del self.discard[len(self.cards) - held :]
        put(self.players[seat], "手牌数", count)
        put(self.table, "settlement_index", settlement_index)
        put(self.table, "用户做出的选择", choice)
        self.latest = latest
        self.previous, self.skipped = previous, skipped
        # whoever can act is waited for, and nothing is settled yet
        self.pending, self.results, self.settling = wait, None, False

    def _undo(self, entry: Entry) -> None:
        """Take back one assignment or deal; of all other events the mark has what was before."""
        if entry[0] == "table":
            put(self.table, entry[2], entry[3])
        elif entry[0] == "player":
            put(self.players[entry[2]], entry[3], entry[4])
        elif entry[0] == "card":
            put(entry[3], entry[4], entry[5])
        elif entry[0] == "counted":
            for seat, (size, count) in enumerate(entry[3]):
                del self.hands[seat][size:]
                put(self.players[seat], "手牌数", count)


def faces(cards: list[CardT]) -> Faces:
    """The properties of `cards` as they are now, if the rule can change them; else they need not be kept."""
    if cards and isinstance(cards[0], AssignableCard):
        return tuple(card.values() for card in cards)
    return None
