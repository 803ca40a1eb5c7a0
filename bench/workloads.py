"""The questions: hands of cards to recognise and pairs of plays to compare, the same for the same seed everywhere.

"legal" are plausible plays, as many of each cardset, in any order of cards. "random" are subsets of a hand of 13, each
as likely as any other, of at most one card more than a cardset can have: nearly all misses, as when a client lets
people tap on cards or a program tries what it may lead.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import comb
from random import Random
from typing import Any, Final, TypeAlias, final

from bench.subjects import Subject

Card: TypeAlias = Any  # of whatever package
Cards: TypeAlias = list[Card]
Play: TypeAlias = Any
Pair: TypeAlias = tuple[Play, Play]

HAND: Final = 13


@final
class Deck:
    """A rule's cards, by rank and suit.

    Attributes:
        ranks: the cards of each rank, in the order of the deck.
        suits: the cards of each suit; empty if the rule has no suits.
    """

    __slots__ = ("rank", "ranks", "suit", "suits")

    def __init__(self, subject: Subject) -> None:
        self.rank = subject.source.rank
        self.suit = subject.source.suit
        self.ranks: dict[int, Cards] = defaultdict(list)
        self.suits: dict[int, Cards] = defaultdict(list)
        for card in subject.cards:
            self.ranks[getattr(card, self.rank)].append(card)
            if self.suit:
                self.suits[getattr(card, self.suit)].append(card)


Recipe: TypeAlias = Callable[[Random, Deck], Cards]


def alike(*sizes: int) -> Recipe:
    """So many cards of one rank, so many of another, and so on."""

    def recipe(random: Random, deck: Deck) -> Cards:
        ranks = random.sample(sorted(deck.ranks), len(sizes))
        return [
            card
            for rank, size in zip(ranks, sizes, strict=True)
            for card in random.sample(deck.ranks[rank], size)
        ]

    return recipe


def of_rank(rank: int) -> Recipe:
    """One card of that rank."""
    return lambda random, deck: [random.choice(deck.ranks[rank])]


def in_line(lines: Sequence[Sequence[int]], is_flush: bool | None = None) -> Recipe:
    """A card of each rank of one of the lines; all of a suit, not all of a suit, or as it comes."""

    def recipe(random: Random, deck: Deck) -> Cards:
        while True:
            cards = [random.choice(deck.ranks[rank]) for rank in random.choice(lines)]
            if is_flush:
                suit = getattr(cards[0], deck.suit)
                cards = [
                    next(c for c in deck.suits[suit] if _same(c, card, deck.rank))
                    for card in cards
                ]
            if is_flush is not False or len({getattr(c, deck.suit) for c in cards}) > 1:
                return cards

    return recipe


def of_suit(size: int, lines: Sequence[Sequence[int]]) -> Recipe:
    """So many cards of one suit that are not in line."""

    def recipe(random: Random, deck: Deck) -> Cards:
        while True:
            cards = random.sample(deck.suits[random.choice(sorted(deck.suits))], size)
            if sorted(getattr(card, deck.rank) for card in cards) not in lines:
                return cards

    return recipe


def _same(card: Card, other: Card, name: str) -> bool:
    return bool(getattr(card, name) == getattr(other, name))


# as big_two.json ranks them: ace 14, two 15
STRAIGHTS: Final = [
    *[list(range(low, low + 5)) for low in range(3, 11)],
    [3, 4, 5, 14, 15],
    [3, 4, 5, 6, 15],
]
RUNS_OF_THREE: Final = [list(range(low, low + 3)) for low in range(1, 7)]

RECIPES: Final[Mapping[str, Mapping[str, Recipe]]] = {
    "tiny": {"Single": alike(1)},
    "war": {"Single": alike(1)},
    "twenty_one": {"Ace": of_rank(1)},
    "big_two": {
        "Single": alike(1),
        "Pair": alike(2),
        "Triple": alike(3),
        "Straight flush": in_line(STRAIGHTS, is_flush=True),
        "Four and one": alike(4, 1),
        "Full house": alike(3, 2),
        "Flush": of_suit(5, STRAIGHTS),
        "Straight": in_line(STRAIGHTS, is_flush=False),
    },
    "qiang_duizi": {
        "单张": alike(1),
        "对子（两张）": alike(2),
        "顺子·三连": in_line(RUNS_OF_THREE),
        "四喜！": alike(4),
    },
    "shared_big_two": {
        "Single": alike(1),
        "Pair": alike(2),
        "Triple": alike(3),
        "Bomb": alike(4),
    },
}
"""How a plausible play of each cardset of each rule is made."""


def legal(subject: Subject, count: int, seed: int) -> list[Cards]:
    """`count` plausible plays, the cardsets in turn, shuffled."""
    random = Random(f"legal {subject.name} {seed}")
    deck = Deck(subject)
    recipes = list(RECIPES[subject.name].values())
    hands = [recipes[number % len(recipes)](random, deck) for number in range(count)]
    for cards in hands:
        random.shuffle(cards)
    random.shuffle(hands)
    return hands


def subsets(subject: Subject, count: int, seed: int) -> list[Cards]:
    """`count` subsets of hands of 13, or of the whole deck where it is smaller."""
    random = Random(f"subsets {subject.name} {seed}")
    size = min(HAND, len(subject.cards))
    longest = max(subject.package.PACKAGE.lengths) + 1
    sizes = range(1, min(longest, size) + 1)
    weights = [comb(size, chosen) for chosen in sizes]
    hands = []
    for chosen in random.choices(sizes, weights, k=count):
        hand = random.sample(subject.cards, size)
        hands.append(random.sample(hand, chosen))
    return hands


def pairs(subject: Subject, count: int, seed: int, *, same: bool) -> list[Pair]:
    """`count` pairs of plays, now and before: of one cardset, or of any two.

    Raises:
        ValueError: a plausible play was not recognised as what it should be.
    """
    random = Random(f"pairs {subject.name} {seed} {same}")
    deck = Deck(subject)
    recipes = RECIPES[subject.name]
    names = list(recipes)
    chosen: list[tuple[str, str]] = []
    for number in range(count):
        now = names[number % len(names)]
        chosen.append((now, now if same else random.choice(names)))
    random.shuffle(chosen)
    plays = PlayMaker(subject)
    return [
        (
            plays.make(now, recipes[now](random, deck)),
            plays.make(before, recipes[before](random, deck)),
        )
        for now, before in chosen
    ]


def all_subsets(subject: Subject, longest: int, size: int, seed: int) -> list[Cards]:
    """Every subset of a hand of `size` cards with up to `longest` cards: for checks, not for the clock."""
    random = Random(f"all {subject.name} {seed}")
    hand = random.sample(subject.cards, min(size, len(subject.cards)))
    return [
        list(cards)
        for chosen in range(longest + 1)
        for cards in combinations(hand, chosen)
    ]


@final
class PlayMaker:
    """Recognises plays by the package's public face."""

    __slots__ = ("_context", "_package")

    def __init__(self, subject: Subject) -> None:
        self._package = subject.package
        self._context = (subject.position,) if subject.reads_match("recognize") else ()

    def make(self, name: str, cards: Cards) -> Play:
        """The play that the cards form, which must be of that cardset.

        Raises:
            ValueError: it is not.
        """
        play = self._package.recognize(cards, *self._context)
        if play is None or play.cardset != name:
            raise ValueError(f"{cards} should be {name}, not {play}")
        return play
