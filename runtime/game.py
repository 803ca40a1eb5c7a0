"""The state of a match, and what the flows of a rule do with it.

Generated segments get a `Game` and nothing else. The upper half of the class is their interface; the lower half is
for the runtime, which puts a mark before each flow and goes back to it when anything goes wrong, so that submitting is
all or nothing (contract, section 6). Assignments are undone from the log of events, where each carries the value it
replaced; lists are copied, since a hand or a deck is short.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, Generic, TypeAlias, TypeVar, final

from dealwright.runtime.errors import FlowStopped, shown
from dealwright.runtime.events import Entry, Faces
from dealwright.runtime.objects import (
    AssignableCard,
    Audience,
    CardBase,
    PlayerBase,
    TableBase,
    put,
)
from dealwright.runtime.play import Play
from dealwright.runtime.shapes import Function
from dealwright.runtime.shuffle import MASK, shuffle
from dealwright.runtime.waits import Wait

PlayerT = TypeVar("PlayerT", bound=PlayerBase)
TableT = TypeVar("TableT", bound=TableBase)
CardT = TypeVar("CardT", bound=CardBase)
ItemT = TypeVar("ItemT")
Action: TypeAlias = (
    tuple[int, str] | tuple[int, str, int] | tuple[int, str, tuple[int, ...]]
)

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


# everything that a flow can change, as it was; assignments excepted, which the log undoes
Lists: TypeAlias = tuple[list[list[CardT]], list[CardT], list[CardT], list[CardT]]
Kept: TypeAlias = tuple[list[int], int, int]
Course: TypeAlias = tuple[
    int,
    tuple[int, Play[CardT]] | None,
    int,
    Wait | None,
    dict[int, int] | None,
    bool,
]
Mark: TypeAlias = tuple[int, int, Lists[CardT], Kept, Course[CardT]]


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
        "aborted",
        "actions",
        "bound_player",
        "cards",
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
    ) -> None:
        self.table = table
        self.players = players
        self.cards = cards  # by number, card_1 first
        self.no_player = no_player
        self.no_card = no_card
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
        self.actions: list[Action] = []
        self.log: list[Entry] = []
        self.log_start = 0  # the number of the log's first event

    @property
    def current_player(self) -> PlayerT:
        """玩家: in the settlement the player being settled, else the one whose turn it is (section 2)."""
        if self.bound_player is not None:
            return self.bound_player
        table = self.table
        index = table.settlement_index if self.settling else table.player_index
        return self.players[index % len(self.players) if index > 0 else 0]

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
        if accepts is None:
            del deck[:needed]
        else:
            gone = {card.id for card in dealt}
            deck[:] = [card for card in deck if card.id not in gone]
        self.log.append(("counted", seats, needed // seats))
        self._hand_out(dealt)

    def _hand_out(self, dealt: list[CardT]) -> None:
        """Give the cards to the seats in turn; whose cards they are is known to their owners only."""
        log = self.log
        seats = len(self.players)
        for seat, hand in enumerate(self.hands[: len(dealt)]):
            hand += dealt[seat::seats]
            put(self.players[seat], "手牌数", len(hand))
        if dealt and isinstance(dealt[0], AssignableCard):
            log += [
                ("dealt", place % seats, card, faces([card]))
                for place, card in enumerate(dealt)
            ]
        else:
            log += [
                ("dealt", place % seats, card, None) for place, card in enumerate(dealt)
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
        self.log.append(
            (
                "assigned",
                audience,
                seat,
                card,
                attribute,
                getattr(card, attribute),
                value,
            )
        )

    def _who_sees(self, card: CardBase) -> tuple[Audience, int | None]:
        for seat, hand in enumerate(self.hands):
            if card in hand:
                return "seat", seat
        return ("all", None) if card in self.discard else ("nobody", None)

    def move_to_discard(self, seat: int, cards: list[CardT]) -> None:
        """A play's cards leave the hand and go to the discard pile in the order of submission."""
        hand = self.hands[seat]
        for card in cards:
            hand.remove(card)
        self.discard += cards
        put(self.players[seat], "手牌数", len(hand))

    def mark(self) -> Mark[CardT]:
        """What `rollback` goes back to. A tuple of tuples, since one is made for every action."""
        table = self.table
        return (
            len(self.log),
            len(self.actions),
            (
                [hand[:] for hand in self.hands],
                self.deck[:],
                self.discard[:],
                self.latest,
            ),
            (
                [player.手牌数 for player in self.players],
                table.settlement_index,
                table.用户做出的选择,
            ),
            (
                self.generator,
                self.previous,
                self.skipped,
                self.pending,
                self.results,
                self.settling,
            ),
        )

    def rollback(self, mark: Mark[CardT]) -> None:
        """Make everything what it was at `mark`; every object stays the same object."""
        logged, acted, lists, kept, course = mark
        log = self.log
        while len(log) > logged:
            entry = log.pop()
            if entry[0] == "assigned":
                put(entry[3], entry[4], entry[5])
        del self.actions[acted:]
        hands, self.deck[:], self.discard[:], self.latest = lists
        for hand, cards in zip(self.hands, hands, strict=True):
            hand[:] = cards
        counts, settlement_index, choice = kept
        for player, count in zip(self.players, counts, strict=True):
            put(player, "手牌数", count)
        put(self.table, "settlement_index", settlement_index)
        put(self.table, "用户做出的选择", choice)
        self.generator, self.previous, self.skipped = course[:3]
        self.pending, self.results, self.settling = course[3:]


def faces(cards: list[CardT]) -> Faces:
    """The properties of `cards` as they are now, if the rule can change them; else they need not be kept."""
    if cards and isinstance(cards[0], AssignableCard):
        return tuple(card.values() for card in cards)
    return None
