"""Random inputs, drawn from the rule's own bytes: the same rule always gives the same inputs in the same order.

`Draw` makes one match: how it begins, and then step after step, seeing what the interpreter makes of the ones before.
Most actions are such as may be accepted, some are wrong in every way; cards are often alike or in a row, since cards
taken blindly are hardly ever a cardset; numbers are near those that stand in the rule, where comparisons turn.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import final

from dealwright.compiler import interpret
from dealwright.compiler.verify.compare import Differs, Incomparable, Session
from dealwright.compiler.verify.inputs import (
    Action,
    Arranged,
    Beats,
    Begin,
    Build,
    Cards,
    Json,
    Recognize,
    Start,
    Step,
)
from dealwright.compiler.verify.sides import Subject

SEATS = (2, 3, 4, 1)
"""Numbers of players, in turn, of matches of a rule that states none."""
SMALL = (0, 1, 2)
ACTIONS = 60
ARRANGED_ACTIONS = 20
PATIENCE = 5  # refused actions in a row with which a match goes on
BEGINNINGS = 8
ASKED = 8  # hands of cards that are asked about at the start of a match
ASKED_CARDSETS = 3  # cardsets whose build flow is asked about one hand
PLAYS = 4  # plays of which each is compared with each
MOST_CARDS = 16
TRIED = 30  # hands of cards among which one that is a cardset is looked for
CANDIDATES = 50
"""Plays that the search for a leader's duty to play may try: beyond that the interpreter takes too long for one input,
and the leader does not try to skip."""
LARGEST = (
    10**6
)  # number of the rule that is drawn: no loop should run towards a larger one


@final
class Draw:
    """The input number `number` of a rule."""

    def __init__(self, subject: Subject, number: int) -> None:
        digest = hashlib.sha256(subject.source).hexdigest()
        self._subject = subject
        self._rule = subject.rule
        self._number = number
        self._choose = random.Random(f"{digest} {number}")
        self._numbers = sorted(_numbers_near(subject.document))
        self._sizes = _sizes(subject.compiled.lengths, len(subject.rule.deck))
        self._features = _features(subject.rule.deck)

    # ---- how a match begins

    def begin(self) -> Begin:
        """Every other match begins in a random position, the rest at the start.

        Most begin so that the first player has something to play, if such a beginning is found soon. Else he would have
        to show that he has nothing, and with a full hand that takes the interpreter too long.
        """
        begin = self._some_begin()
        for _ in range(BEGINNINGS if self._number % 8 < 6 else 0):
            if self._is_lively(begin):
                break
            begin = self._some_begin()
        return begin

    def _some_begin(self) -> Begin:
        seats = self._rule.players or SEATS[self._number // 2 % len(SEATS)]
        waits = sorted(
            id
            for id, node in self._rule.match_flow.nodes.items()
            if node.type in (21, 22) and id in self._subject.compiled.resume
        )
        if waits and self._number % 2:
            return self._position(seats, waits)
        return Start(seats, self._choose.randrange(2**32))

    def _is_lively(self, begin: Begin) -> bool:
        """Whether the first player has something to play or to choose, or the two sides differ already."""
        try:
            session = Session(self._subject, begin)
        except Differs:
            return True
        except Incomparable:
            return False
        wait = session.interpreted.pending
        if wait is None or wait["kind"] == "choose":
            return True
        hand = session.interpreted.state()["hands"][wait["seat"]]
        return session.would_fit(self._fitting(session, hand, False), False)

    def _position(self, seats: int, waits: Sequence[str]) -> Arranged:
        package, choose = self._subject.compiled, self._choose
        rest = list(range(1, len(self._rule.deck) + 1))
        choose.shuffle(rest)
        hands = [_taken(rest, choose.choice(self._sizes)) for _ in range(seats)]
        discard = _taken(rest, choose.choice((0, 0, 1, 3, len(rest))))
        cards = {}
        if package.assigns_cards:
            some = choose.sample(range(len(self._rule.deck)), min(2, len(hands)))
            cards = {
                one + 1: self._values(package.cards[one].values(), "id") for one in some
            }
        return Arranged(
            tuple(hands),
            tuple(rest),
            discard,
            self._values(package.table().values()),
            tuple(
                self._values(package.player(seat).values(), "手牌数")
                for seat in range(seats)
            ),
            cards,
            choose.choice(waits),
            choose.randrange(1000),
        )

    def _values(self, start: Mapping[str, int], without: str = "") -> dict[str, int]:
        """Random values for about half of the properties, small ones and others equally often."""
        choose = self._choose
        return {
            name: choose.choice(choose.choice((SMALL, self._numbers)))
            for name in start
            if name != without and choose.random() < 0.5
        }

    # ---- what is done and asked

    def steps(self, session: Session) -> Iterator[Step]:
        """Step after step of the match; each is drawn when the one before has been done on both sides."""
        yield from self._questions(session, ASKED)
        for number in range(1, (ARRANGED_ACTIONS if self._number % 2 else ACTIONS) + 1):
            if session.interpreted.finished and self._choose.random() < 0.6:
                return
            if session.refused > PATIENCE:
                return
            yield self._action(session)
            if number % 6 == 0:
                yield from self._questions(session, ASKED // 3)

    def _questions(self, session: Session, hands: int) -> Iterator[Step]:
        """What some hands of cards are, for every cardset and as a whole, and which of them beats which."""
        choose = self._choose
        plays: list[Cards] = []
        ids = [one.id for one in self._rule.cardsets]
        for number in range(hands):
            among = _places(session.interpreted)[number % 2]
            cards = self._cards(among)
            if number % 4 < 3:
                # one cardset after the other, twice each, since plays of one kind are what is mostly compared
                wanted = ids[(self._number + number // 2) % len(ids)]
                cards = self._of_cardset(session, wanted, among)
            for id in choose.sample(ids, min(ASKED_CARDSETS, len(ids))):
                yield Build(id, cards)
            yield Recognize(cards)
            if session.answer is not None:
                plays += [cards, self._neighbour(cards, among)]
                if choose.random() < 0.3:
                    yield Recognize(tuple(choose.sample(cards, len(cards))))
        some = choose.sample(plays, min(PLAYS, len(plays)))
        for now in some:
            for before in some:
                yield Beats(now, before)

    def _of_cardset(
        self, session: Session, cardset: str, among: Sequence[int]
    ) -> Cards:
        """Some of these cards, if possible such as the build flow of the cardset takes."""
        cards: Cards = ()
        for _ in range(2 * TRIED):
            cards = self._cards(among)
            if session.would_be(cardset, cards):
                break
        return cards

    def _action(self, session: Session) -> Action:
        match, choose = session.interpreted, self._choose
        wait = match.pending
        if wait is None:
            seat = choose.randrange(len(match.state()["hands"]))
            return choose.choice([Action("skip", seat), Action("choose", seat, 1)])
        seat = wait["seat"]
        if choose.random() < 0.1:
            return self._wrong_action(match, wait)
        if wait["kind"] == "choose":
            offered = wait["options"] or self._numbers
            return Action("choose", seat, choose.choice(offered))
        hand = match.state()["hands"][seat]
        if not hand or (choose.random() < 0.15 and self._may_skip(session, seat)):
            return Action("skip", seat)
        cards = self._fitting(session, hand, True)
        if not session.would_fit(cards, True) and choose.random() < 0.8:
            return (
                Action("skip", seat)
                if self._may_skip(session, seat)
                else Action("play", seat, cards)
            )
        return Action("play", seat, cards)

    def _wrong_action(self, match: interpret.Match, wait: Mapping[str, Json]) -> Action:
        """One of the many that may be refused."""
        choose, seat = self._choose, wait["seat"]
        state = match.state()
        seats, hand = len(state["hands"]), state["hands"][seat] or [1]
        elsewhere = [*state["deck"], *state["discard"]] or hand
        wrong = [
            Action("skip", (seat + 1) % seats) if seats > 1 else Action("skip", seats),
            Action("choose", seat, choose.choice(self._numbers)),
            Action("play", seat, (hand[0], hand[0])),
            Action("play", seat, (choose.choice(elsewhere),)),
            Action("play", seat, self._cards(hand) or (hand[0],)),
        ]
        if wait["kind"] == "choose":
            wrong.append(Action("skip", seat))
        return choose.choice(wrong)

    def _may_skip(self, session: Session, seat: int) -> bool:
        """Whether the interpreter can tell quickly whether the seat may skip: it leads not, or few plays are tried."""
        state = session.interpreted.state()
        previous = state["previous"]
        if (
            previous is not None
            and previous["seat"] != seat
            and state["hands"][previous["seat"]]
        ):
            return True
        hand = state["hands"][seat]
        lengths = self._subject.compiled.lengths or range(1, len(hand) + 1)
        plays = (one for size in lengths for one in combinations(hand, size) if one)
        for tried, cards in enumerate(plays):
            if tried == CANDIDATES:
                return False
            if session.would_fit(cards, False):
                return True
        return True

    def _fitting(
        self, session: Session, among: Sequence[int], must_beat: bool = False
    ) -> Cards:
        """Some of these cards, if possible such as are a cardset, or a play that may be made now."""
        cards = tuple(among[:1])
        previous = session.interpreted.state()["previous"] if must_beat else None
        for number in range(TRIED):
            like = len(previous["cards"]) if previous and number % 3 else None
            cards = self._cards(among, like) or cards
            if session.would_fit(cards, must_beat):
                break
        return cards

    # ---- cards

    def _cards(self, among: Sequence[int], size: int | None = None) -> Cards:
        """Some of these cards: any, or many that are alike, or some in a row; often with one exchanged for another."""
        choose = self._choose
        size = min(len(among), choose.choice(self._sizes) if size is None else size)
        way = choose.random()
        if way < 0.3 or not self._features or size < 2:
            picked = choose.sample(list(among), size)
        elif way < 0.65:
            picked = self._alike(among, size)
        else:
            picked = self._in_a_row(among, size)
        if choose.random() < 0.2:
            picked = list(self._neighbour(tuple(picked), among))
        return tuple(choose.sample(picked, len(picked)))

    def _neighbour(self, cards: Cards, among: Sequence[int]) -> Cards:
        """The same cards with one exchanged for another."""
        others = sorted(set(among) - set(cards))
        if not cards or not others:
            return cards
        place = self._choose.randrange(len(cards))
        new = self._choose.choice(others)
        return (*cards[:place], new, *cards[place + 1 :])

    def _alike(self, among: Sequence[int], size: int) -> list[int]:
        """As many as there are with one value of a property, then with another, until they are enough."""
        choose, feature = self._choose, self._choose.choice(self._features)
        shuffled = choose.sample(list(among), len(among))
        left, picked = shuffled, list[int]()
        while len(picked) < size:
            value = self._property(left[0], feature)
            group = [one for one in left if self._property(one, feature) == value]
            share = choose.randint(1, size) if choose.random() < 0.5 else size
            picked += group[: min(share, size - len(picked))]
            others = [one for one in left if one not in group]
            left = others or [one for one in shuffled if one not in picked]
        return picked

    def _in_a_row(self, among: Sequence[int], size: int) -> list[int]:
        """Cards with rising values of one property, if possible alike in another; any others fill up."""
        choose = self._choose
        feature, other = choose.choice(self._features), choose.choice(self._features)
        left = choose.sample(list(among), len(among))
        first = left[0]
        if other != feature and choose.random() < 0.5:
            value = self._property(first, other)
            left.sort(key=lambda one: self._property(one, other) != value)
        wanted = self._property(first, feature)
        picked: list[int] = []
        for step in range(size):
            fits = [
                one
                for one in left
                if self._property(one, feature) == wanted + step and one not in picked
            ]
            picked += fits[:1]
        rest = [one for one in left if one not in picked]
        return picked + rest[: size - len(picked)]

    def _property(self, card: int, name: str) -> int:
        return self._rule.deck[card - 1].get(name, 0)


def _places(match: interpret.Match) -> list[list[int]]:
    """All cards of a match; and those of a hand, or all again where nobody holds any."""
    hands = match.state()["hands"]
    full = list(range(1, len(match.state()["cards"]) + 1))
    return [full, max(hands, key=len) or full]


def _taken(cards: list[int], number: int) -> Cards:
    """So many cards, taken off the end of the list."""
    number = min(number, len(cards))
    return tuple(cards.pop() for _ in range(number))


def _features(deck: Sequence[Mapping[str, int]]) -> list[str]:
    """The properties in which cards differ."""
    names = deck[0] if deck else ()
    return [name for name in names if len({card.get(name) for card in deck}) > 1]


def _sizes(lengths: Sequence[int] | None, deck: int) -> list[int]:
    """How many cards to take: mostly as many as a cardset can have, and some others."""
    fitting = [one for one in lengths or () if one <= MOST_CARDS]
    return [
        one
        for one in [*fitting * 3, *range(7), max(fitting, default=5) + 1]
        if one <= deck
    ]


def _numbers_near(document: Json) -> set[int]:
    """Small integers, and those near the ones that stand anywhere in the rule."""
    found = {-2, -1, 0, 1, 2, 3}
    waiting = [document]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Mapping):
            waiting += [one[key] for key in one if key not in ("position", "type")]
        elif isinstance(one, list):
            waiting += one
        elif type(one) is int and abs(one) <= LARGEST:
            found |= {one - 1, one, one + 1}
    return found
