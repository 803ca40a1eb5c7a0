"""The whole of Trios: cards, the window as data, who may claim what, and a round.

    Round(publisher, seed) → begin → act (WIN or DISCARD) / claim → … → over

A card is a number: ten times its colour, and its rank. `Round.to_json` is all of a round, at every wait.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias, final

from dealwright.runtime.hints import Hint, NoDecision, Watching
from dealwright.runtime.patterns import Deck, Face, Matcher, run, same
from dealwright.runtime.shuffle import shuffle
from dealwright.runtime.windows import (
    PASS,
    GameMessagePublisher,
    NextStep,
    Offer,
    Resolution,
    ResponseDesk,
    ResponseReply,
    RuleMode,
    Shape,
    Trigger,
    next_step,
    rule_mode,
    step_after,
)
from dealwright.runtime.windows.as_hints import seen_by

Card: TypeAlias = int
Seat: TypeAlias = int
Json: TypeAlias = dict[str, object]

SEATS: Final = (0, 1, 2)
COLOURS: Final = range(3)
RANKS: Final = range(1, 9)
COPIES: Final = 3
KINDS: Final = tuple(10 * colour + rank for colour in COLOURS for rank in RANKS)
CARDS: Final = tuple(card for card in KINDS for _ in range(COPIES))
HELD: Final = 8
ROUND: Final = "r1"

_GROUP: Final = run(3) | same(3)
MATCHER: Final = Matcher(
    _GROUP | _GROUP * 2 | _GROUP * 3,
    Deck({card: Face(card // 10, card % 10) for card in KINDS}, COPIES),
)

RULES: Final[Mapping[str, object]] = MappingProxyType(
    {
        "emits": ["DISCARD"],
        "response_windows": {
            "after_discard": {
                "trigger": "DISCARD",
                "copies": COPIES,
                "audience": {"exclude": ["source"]},
                "actions": {
                    "WIN": {"priority": 30},
                    "SET": {"priority": 20, "consumes": 2},
                    "CHOW": {
                        "priority": 10,
                        "consumes": 2,
                        "same": False,
                        "audience": {"only": ["next"]},
                    },
                    "PASS": {"priority": 0, "implicit": True},
                },
                "arbiter": {
                    "winners": {"default": "single"},
                    "tie_break": "nearest_after_source",
                },
                "timeout": {"ms": 5000, "answer": "PASS"},
                "close": {"early": "when_decided"},
                "after": {
                    "WIN": {"next": "end"},
                    "SET": {"next": "discard_by_winner"},
                    "CHOW": {"next": "discard_by_winner"},
                    "PASS": {"next": "draw_after_source"},
                },
                "end": {"seats_left": 0, "wall_empty": "NO_CARDS"},
            }
        },
    }
)

MODE: Final[RuleMode] = rule_mode("trios", RULES)


@final
class Table:
    """Hands, groups laid open, the stock, and the card that others may claim."""

    __slots__ = ("groups", "hands", "pile", "stock", "tossed")

    def __init__(self, stock: list[Card]) -> None:
        self.hands = [stock[HELD * seat : HELD * (seat + 1)] for seat in SEATS]
        self.stock = stock[HELD * len(SEATS) :]
        self.groups: list[list[list[Card]]] = [[] for _ in SEATS]
        self.pile: list[Card] = []
        self.tossed: Card | None = None

    def count(self) -> int:
        """All cards, wherever they are."""
        laid = sum(len(group) for groups in self.groups for group in groups)
        held = sum(map(len, self.hands))
        return (
            held + laid + len(self.stock) + len(self.pile) + (self.tossed is not None)
        )


def offer_win(table: Table, seat: Seat, trigger: Trigger) -> Iterable[Shape]:
    """WIN: the card completes the hand."""
    if MATCHER.fits([*table.hands[seat], int(trigger.tile)]):
        return (Shape(),)
    return ()


def offer_set(table: Table, seat: Seat, trigger: Trigger) -> Iterable[Shape]:
    """SET: two equal cards in hand, and another to discard. Who has no other wins."""
    card, hand = int(trigger.tile), table.hands[seat]
    if len(hand) > 2 and hand.count(card) >= 2:
        return (Shape((card, card)),)
    return ()


def offer_chow(table: Table, seat: Seat, trigger: Trigger) -> Iterable[Shape]:
    """CHOW: two cards in hand that make a run with it, in up to three ways, and another to discard."""
    card, hand = int(trigger.tile), table.hands[seat]
    for first, second in ((-2, -1), (-1, 1), (1, 2)):
        pair = (card + first, card + second)
        # a neighbour in another colour is no card of the deck: ranks stop short of 9
        if len(hand) > 2 and pair[0] in hand and pair[1] in hand:
            yield Shape(pair)


OFFERS: Final[Mapping[str, Mapping[str, Offer[Table]]]] = {
    "DISCARD": {"WIN": offer_win, "SET": offer_set, "CHOW": offer_chow}
}


@final
class Round:
    """A round of Trios.

    Args:
        publisher: tells the table.
        seed: decides the order of the cards.

    Attributes:
        seat: whose turn it is, or was when a window opened.
        may_win: whether that seat has drawn, so that it may win on its own.
        winner: who has won, if somebody has.
        is_over: whether the round is over.
    """

    __slots__ = ("desk", "discards", "is_over", "may_win", "seat", "table", "winner")

    def __init__(self, publisher: GameMessagePublisher, seed: int) -> None:
        stock = list(CARDS)
        shuffle(stock, seed)
        self.table = Table(stock)
        self.desk = ResponseDesk(MODE, OFFERS, publisher, SEATS)
        self.seat: Seat = 0
        self.may_win = False
        self.winner: Seat | None = None
        self.is_over = False
        self.discards = 0

    def begin(self, now: int) -> None:
        """The first seat draws."""
        self._follow(NextStep("DRAW", 0), now)

    def can_win(self) -> bool:
        """Whether the seat to move may win on what it has drawn."""
        return self.may_win and MATCHER.fits(self.table.hands[self.seat])

    def win(self, now: int) -> None:
        """The seat to move wins.

        Raises:
            ValueError: it cannot, or a window is open.
        """
        if self.desk.is_open or not self.can_win():
            raise ValueError("there is nothing to win on")
        self._tell("WON", now, {"seatNo": self.seat})
        self.winner, self.is_over = self.seat, True

    def discard(self, card: Card, now: int) -> None:
        """The seat to move discards, and whoever may claim the card is asked.

        Raises:
            ValueError: it has no such card, or a window is open.
        """
        if self.desk.is_open or self.is_over:
            raise ValueError("nothing can be discarded now")
        self.table.hands[self.seat].remove(card)
        self.table.tossed = card
        self.discards += 1
        self._tell("CARD_DISCARDED", now, {"seatNo": self.seat, "card": card})
        wall = len(self.table.stock)
        trigger = Trigger("DISCARD", self.seat, card, self.discards, now, wall)
        if self.desk.open(self.table, trigger, ROUND):
            return
        self._to_pile()
        spec = MODE.windows["DISCARD"]
        self._follow(step_after(spec, PASS, (), self.seat, SEATS, wall), now)

    def claim(self, reply: ResponseReply, now: int) -> None:
        """An answer to the window."""
        self.desk.reply(reply, now)
        self._resolve()

    def time(self, now: int) -> None:
        """Do what is due."""
        self.desk.time(now)
        self._resolve()

    def seen(self, seat: Seat | None) -> Hint | Watching | NoDecision:
        """What a seat, or a watcher, sees of the open window."""
        window = self.desk.window
        assert window is not None
        return seen_by(window, seat, lambda _, cards: numbers(map(int, cards)))

    def to_json(self) -> Json:
        """All of the round."""
        table = self.table
        return {
            "hands": [list(hand) for hand in table.hands],
            "groups": [[list(group) for group in groups] for groups in table.groups],
            "stock": list(table.stock),
            "pile": list(table.pile),
            "tossed": table.tossed,
            "seat": self.seat,
            "mayWin": self.may_win,
            "winner": self.winner,
            "isOver": self.is_over,
            "discards": self.discards,
            "desk": self.desk.to_json(),
        }

    def _resolve(self) -> None:
        window, result = self.desk.window, self.desk.resolution
        if window is None or result is None or window.closed_at is None:
            return
        wall = len(self.table.stock)
        spec = MODE.windows["DISCARD"]
        result = next_step(window, result, spec, wall)
        if result.has_winner:
            self._take(result, window.closed_at)
        else:
            self._to_pile()
        self.desk.applied(lambda seat: False)
        assert result.next_step is not None
        self._follow(result.next_step, window.closed_at)

    def _take(self, result: Resolution, at: int) -> None:
        """What a claim does: the card and those it takes from the hand are laid open, or the hand has won."""
        seat, card = result.winner_seat_nos[0], self.table.tossed
        assert card is not None and self.desk.window is not None
        self.table.tossed = None
        if result.winning_action_type == "WIN":
            self.table.hands[seat].append(card)
            self.winner = seat
            self._tell("WON", at, {"seatNo": seat, "card": card})
            return
        candidate = self.desk.window.candidate(seat)
        assert candidate is not None and candidate.chosen is not None
        taken = [int(each) for each in candidate.chosen.consumes]
        for each in taken:
            self.table.hands[seat].remove(each)
        group = sorted([card, *taken])
        self.table.groups[seat].append(group)
        kind = result.winning_action_type
        self._tell("CARD_CLAIMED", at, {"seatNo": seat, "kind": kind, "group": group})

    def _follow(self, step: NextStep, at: int) -> None:
        if step.seat_no is None:
            self.is_over = True
            self._tell("ROUND_ENDED", at, {"reason": step.reason})
            return
        self.seat, self.may_win = step.seat_no, step.kind == "DRAW"
        if step.kind == "DRAW":
            self.table.hands[self.seat].append(self.table.stock.pop())

    def _to_pile(self) -> None:
        assert self.table.tossed is not None
        self.table.pile.append(self.table.tossed)
        self.table.tossed = None

    def _tell(self, type: str, at: int, payload: Mapping[str, object]) -> None:
        self.desk.publisher.publish_public(type, ROUND, at, payload)


def numbers(cards: Iterable[Card]) -> list[int]:
    """Numbers of cards of one hand for hints, equal cards told apart."""
    met: dict[Card, int] = {}
    found = []
    for card in cards:
        met[card] = met.get(card, -1) + 1
        found.append(COPIES * card + met[card])
    return found


def loneliest(hand: Sequence[Card]) -> Card:
    """The card that goes with the fewest others, which a simple player discards."""
    return min(
        hand,
        key=lambda card: (
            3 * hand.count(card)
            + sum(2 * hand.count(card + step) for step in (-1, 1))
            + sum(hand.count(card + step) for step in (-2, 2)),
            card,
        ),
    )
