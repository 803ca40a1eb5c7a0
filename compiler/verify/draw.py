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

from dealwright.compiler.interpreter import interpret
from dealwright.compiler.verify.compare import Differs, Incomparable, Session
from dealwright.compiler.verify.hands import MOST_CARDS, Hands
from dealwright.compiler.verify.inputs import (
    Action,
    Arranged,
    Beats,
    Begin,
    Build,
    Cards,
    Json,
    Plays,
    Recognize,
    Start,
    Step,
    shown,
)
from dealwright.compiler.verify.sides import Subject

SEATS = (2, 3, 4, 1)
"""Numbers of players, in turn, of matches of a rule that states none."""
SMALL, NEGATIVE = (0, 1, 2), (-1, -2, -3)
ACTIONS = 60
ARRANGED_ACTIONS = 20
PATIENCE = 5  # refused actions in a row with which a match goes on
BEGINNINGS = 8
ASKED = 16  # hands of cards that are asked about at the start of a match
ASKED_CARDSETS = 3  # cardsets whose build flow is asked about one hand
PLAYS = 4  # plays of this match, and as many of earlier ones, that are compared
COMPARED = 6  # pairs of them
KINDS = 100  # of plays that are remembered
REMEMBERED = 4  # plays of each kind
HELD_PLAYS = 0.3
"""Share of the hands that are one known play and nothing else, if all of its cards are still there."""
TRIED = 30  # hands of cards among which one that is a cardset is looked for
CANDIDATES = 50
"""Plays that the search for a leader's duty to play may try: beyond that the interpreter takes too long for one input,
and the leader does not try to skip."""
LARGEST = 10**6
"""The largest number of the rule that is drawn: no loop should run towards a larger one."""


@final
class KnownPlays:
    """Plays that were recognised, by kind: their cardset, size and properties. Rare kinds count as much as common ones."""

    def __init__(self) -> None:
        self._by_kind: dict[tuple[str, int, str], list[Cards]] = {}

    def add(self, play: Mapping[str, Json]) -> None:
        """Remember a play as `interpret.recognize` gives it; of each kind only the latest few are kept."""
        kind = play["id"], len(play["cards"]), shown(play["properties"])
        if kind in self._by_kind or len(self._by_kind) < KINDS:
            kept = self._by_kind.setdefault(kind, [])
            kept.append(tuple(play["cards"]))
            del kept[:-REMEMBERED]

    def of_cardset(self, cardset: str, choose: random.Random) -> Cards | None:
        """A play of this cardset, if one is known."""
        kinds = [one for one in self._by_kind if one[0] == cardset]
        return choose.choice(self._by_kind[choose.choice(kinds)]) if kinds else None

    def of_any_kind(self, choose: random.Random, number: int) -> list[Cards]:
        """So many plays, each of another kind, as far as there are so many."""
        kinds = choose.sample(list(self._by_kind), min(number, len(self._by_kind)))
        return [choose.choice(self._by_kind[one]) for one in kinds]


@final
class Source:
    """What all inputs of one rule are drawn from: the rule's bytes and numbers, its waits, and the plays found so far.

    One source serves one search, whose inputs are drawn one after the other: they share the random numbers.
    """

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.digest = hashlib.sha256(subject.source).hexdigest()
        self.numbers = sorted(_numbers_near(subject.document))
        self.waits = sorted(
            id
            for id, node in subject.rule.match_flow.nodes.items()
            if node.type in (21, 22) and id in subject.compiled.resume
        )
        self.plays = KnownPlays()
        self.choose = random.Random()
        self.hands = Hands(subject.rule.deck, subject.compiled.lengths, self.choose)


@final
class Draw:
    """The input number `number` of a rule."""

    def __init__(self, source: Source, number: int) -> None:
        source.choose.seed(f"{source.digest} {number}")
        self._choose = source.choose
        self._subject = source.subject
        self._rule = source.subject.rule
        self._number = number
        self._numbers = source.numbers
        self._waits = source.waits
        self._known = source.plays
        self._hands = source.hands

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
        if self._waits and self._number % 2:
            return self._position(seats)
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

    def _position(self, seats: int) -> Arranged:
        package, choose = self._subject.compiled, self._choose
        rest = list(range(1, len(self._rule.deck) + 1))
        choose.shuffle(rest)
        hands = [self._hand(rest) for _ in range(seats)]
        discard = _taken(rest, choose.choice((0, 0, 1, 3, len(rest))))
        cards = {}
        if package.assigns_cards:
            some = choose.sample(
                range(len(self._rule.deck)), min(2, len(self._rule.deck))
            )
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
            choose.choice(self._waits),
            choose.randrange(1000),
        )

    def _hand(self, rest: list[int]) -> Cards:
        """Some of these cards, which they leave: a play that was recognised before, such as may be one, or any."""
        known = self._known.of_any_kind(self._choose, 1)
        if known and self._choose.random() < HELD_PLAYS and {*known[0]} <= {*rest}:
            # nothing else in the hand, so that it is asked whether the search for plays finds this one
            rest[:] = [card for card in rest if card not in known[0]]
            return known[0]
        size = self._choose.choice(self._hands.sizes)
        if self._choose.random() < 0.5:
            return _taken(rest, size)
        hand = self._hands.some(rest, size)
        rest[:] = [card for card in rest if card not in hand]
        return hand

    def _values(self, start: Mapping[str, int], without: str = "") -> dict[str, int]:
        """Random values for about half of the properties, small, negative and other ones equally often."""
        choose = self._choose
        return {
            name: choose.choice(choose.choice((SMALL, NEGATIVE, self._numbers)))
            for name in start
            if name != without and choose.random() < 0.5
        }

    # ---- what is done and asked

    def steps(self, session: Session) -> Iterator[Step]:
        """Step after step of the match; each is drawn when the one before has been done on both sides."""
        yield from self._questions(session, ASKED)
        yield from self._plays(session)
        actions = ARRANGED_ACTIONS if self._number % 2 else ACTIONS
        for number in range(1, actions + 1):
            if session.interpreted.finished and self._choose.random() < 0.6:
                return
            if session.refused > PATIENCE:
                return
            yield self._action(session)
            if number % 6 == 0:
                yield from self._questions(session, ASKED // 3)
                yield from self._plays(session)

    def _questions(self, session: Session, hands: int) -> Iterator[Step]:
        """What some hands of cards are, for every cardset and as a whole, and which of them beats which."""
        choose = self._choose
        ids = [one.id for one in self._rule.cardsets]
        found: list[Cards] = []
        for number in range(hands):
            among = _places(session.interpreted)[number % 2]
            cards = self._hands.some(among)
            if number % 4 < 3:
                # one cardset after the other, twice each, since plays of one kind are what is mostly compared
                wanted = ids[(self._number + number // 2) % len(ids)]
                cards = self._of_cardset(session.interpreted, wanted, among)
            for id in choose.sample(ids, min(ASKED_CARDSETS, len(ids))):
                yield Build(id, cards)
            yield Recognize(cards)
            if session.answer is not None:
                self._known.add(session.answer)
                found += [cards, self._hands.moved(cards)]
                if choose.random() < 0.3:
                    yield Recognize(tuple(choose.sample(cards, len(cards))))
        yield from self._comparisons(found)

    def _plays(self, session: Session) -> Iterator[Step]:
        """What the seat that is asked can play, if it is asked for cards."""
        wait = session.interpreted.pending
        if wait is not None and wait["kind"] == "play":
            yield Plays(wait["seat"])

    def _comparisons(self, found: Sequence[Cards]) -> Iterator[Step]:
        """Some of these plays, and some of other kinds that are known, each with each."""
        some = self._choose.sample(found, min(PLAYS, len(found)))
        some += self._known.of_any_kind(self._choose, PLAYS)
        pairs = [(now, before) for now in some for before in some]
        for now, before in self._choose.sample(pairs, min(COMPARED, len(pairs))):
            yield Beats(now, before)

    def _of_cardset(
        self, match: interpret.Match, cardset: str, among: Sequence[int]
    ) -> Cards:
        """Some of these cards, if possible such as the build flow of the cardset takes, by the interpreter's word."""
        cards: Cards = ()
        lengths = self._lengths(cardset)
        for number in range(TRIED):
            known = (
                self._known.of_cardset(cardset, self._choose) if number % 2 else None
            )
            if known is None:
                # now and then of another number, since the package itself says which numbers a cardset can have
                size = self._choose.choice(lengths) if lengths and number % 3 else None
                cards = self._hands.some(among, size)
            else:
                cards = self._hands.moved(
                    self._hands.neighbour(known, among) if number % 4 == 1 else known
                )
            try:
                if interpret.build(self._rule, cardset, cards, match) is not None:
                    break
            except interpret.Refused:
                break
        return cards

    def _lengths(self, cardset: str) -> list[int]:
        """How many cards the cardset can have, by the package's word; none if it does not say."""
        _, _, lengths = self._subject.compiled.cardsets.get(cardset, ("", (), None))
        return [one for one in lengths or () if one <= MOST_CARDS]

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
            Action("play", seat, self._hands.some(hand) or (hand[0],)),
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
            cards = self._hands.some(among, like) or cards
            if session.would_fit(cards, must_beat):
                break
        return cards


def _places(match: interpret.Match) -> list[list[int]]:
    """All cards of a match; and those of a hand, or all again where nobody holds any."""
    hands = match.state()["hands"]
    full = list(range(1, len(match.state()["cards"]) + 1))
    return [full, max(hands, key=len) or full]


def _taken(cards: list[int], number: int) -> Cards:
    """So many cards, taken off the end of the list."""
    number = min(number, len(cards))
    return tuple(cards.pop() for _ in range(number))


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
