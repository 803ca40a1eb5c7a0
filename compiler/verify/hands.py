"""Hands of cards drawn at random such as a rule may be interested in: alike, in a row, and with small differences.

Cards taken blindly are hardly ever a cardset of several cards, and two plays taken blindly hardly ever differ by little.
Nothing here knows what the rule says of its cards; only in which properties they differ.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import final

from dealwright.compiler.verify.inputs import Cards

MOST_CARDS = 16
POOL = 200  # cards of a large deck from which one hand is taken


@final
class Hands:
    """Draws hands of the cards of a deck.

    Attributes:
        sizes: numbers of cards to take, the likely ones several times.
    """

    def __init__(
        self,
        deck: Sequence[Mapping[str, int]],
        lengths: Sequence[int] | None,
        choose: random.Random,
    ) -> None:
        self.sizes = _sizes(lengths, len(deck))
        self._deck = deck
        self._choose = choose
        self._features = _features(deck)
        self._values = {
            name: sorted({card.get(name, 0) for card in deck})
            for name in self._features
        }
        self._by_properties = {
            _key(card): number for number, card in enumerate(deck, 1)
        }

    def some(self, among: Sequence[int], size: int | None = None) -> Cards:
        """Some of these cards: any, or many that are alike, or some in a row; often with one exchanged for another."""
        choose = self._choose
        among = among if len(among) <= POOL else choose.sample(list(among), POOL)
        size = min(len(among), choose.choice(self.sizes) if size is None else size)
        way = choose.random()
        if way < 0.3 or not self._features or size < 2:
            picked = choose.sample(list(among), size)
        elif way < 0.65:
            picked = self._alike(among, size)
        else:
            picked = self._in_a_row(among, size)
        if choose.random() < 0.2:
            picked = list(self.neighbour(tuple(picked), among))
        return tuple(choose.sample(picked, len(picked)))

    def neighbour(self, cards: Cards, among: Sequence[int]) -> Cards:
        """The same cards with one exchanged for another, half the time for one that is like one of the rest."""
        choose = self._choose
        others = sorted(set(among) - set(cards))
        if not cards or not others:
            return cards
        place = choose.randrange(len(cards))
        rest = [*cards[:place], *cards[place + 1 :]]
        if rest and self._features and choose.random() < 0.5:
            feature = choose.choice(self._features)
            value = self._property(choose.choice(rest), feature)
            others = [
                one for one in others if self._property(one, feature) == value
            ] or others
        new = choose.choice(others)
        return (*cards[:place], new, *cards[place + 1 :])

    def moved(self, cards: Cards) -> Cards:
        """The same cards with another value of one property, each one or two further on: mostly a play of the same kind.

        Two such plays differ by the least in what comparisons look at, or in nothing of it.
        """
        if not self._features:
            return cards
        feature = self._choose.choice(self._features)
        values, step = self._values[feature], self._choose.choice((1, 1, -1, 2))
        moved = []
        for card in cards:
            properties = dict(self._deck[card - 1])
            place = values.index(properties.get(feature, 0)) + step
            properties[feature] = values[place % len(values)]
            moved.append(self._by_properties.get(_key(properties), card))
        return tuple(moved) if len({*moved}) == len(cards) else cards

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
        # one of many values, if there is one: a row of it is complete
        wide = [one for one in self._features if len(self._values[one]) >= size]
        feature = choose.choice(wide or self._features)
        other = choose.choice(self._features)
        left = choose.sample(list(among), len(among))
        # mostly the row ends with the greatest value at the latest
        last = self._values[feature][-1] - size + 1
        low = [one for one in left if self._property(one, feature) <= last]
        first = low[0] if low and choose.random() < 0.8 else left[0]
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
        return self._deck[card - 1].get(name, 0)


def _key(properties: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(properties.values())


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
