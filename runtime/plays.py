"""All plays that a player can make now: a search over his hand that judges as the match would judge.

A candidate is a set of cards, or a sequence of them where the rule looks at their order. Cards alike in every property
that judging reads stand for one another, so they are told apart by their group only: `judged_by` and `in_any_order` of
the package say what the compiler found out. Where there are many candidates, only those of a form that a play can have
are judged (`search`). The search is bounded as a leader's duty to play is (contract, section 6, "Leading", and decision
30). A size with more candidates than are left is left out, and told: for such a size the caller has to take every set of
cards for possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, permutations
from math import comb, perm
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, final

from dealwright.runtime.game import CardT, Game, PlayerT, TableT
from dealwright.runtime.leading import CANDIDATES, SEARCH_TICKS, leads
from dealwright.runtime.play import Play
from dealwright.runtime.search.seeking import Row, Seeker, TooMany

if TYPE_CHECKING:
    from dealwright.runtime.package import Package

Pick: TypeAlias = tuple[int, ...]

FEW: Final = 8
"""Candidates, each card told apart, that are judged one and all: sooner than it is found out which could be a play."""
MOST_UNCOUNTED: Final = 1_000
"""Candidates, each card told apart, up to which they are not counted exactly: that takes as long as judging a hundred."""
MOST_COUNTED: Final = 400
"""Cards of a candidate; counting the candidates of such a size would take longer than it is worth."""
MOST_ORDERS: Final = 5_040
"""Orders of the cards of one reply that are tried: all of seven cards."""


@final
@dataclass(frozen=True, slots=True)
class Plays:
    """What a hand can play.

    Attributes:
        groups: the hand by number, in groups of cards that stand for one another; groups and cards in hand order.
        legal: cardset's name -> how many cards of each group -> such cards in an order in which they are that play. For
            a rule that looks at the order there may be other orders that are legal, and ones that are not.
        sizes: all sizes that the rule's cardsets allow the hand, ascending.
        unsearched: those of them that were too many to look at. In all others, what is not `legal` is not possible.
        beaten: names of cardsets that the hand makes in a way that does not beat the previous play.
    """

    groups: tuple[tuple[int, ...], ...]
    legal: dict[str, dict[Pick, tuple[int, ...]]]
    sizes: tuple[int, ...]
    unsearched: frozenset[int]
    beaten: frozenset[str] = frozenset()

    @property
    def is_complete(self) -> bool:
        """Whether everything was looked at."""
        return not self.unsearched


def plays_of(
    package: Package[PlayerT, TableT, CardT],
    game: Game[PlayerT, TableT, CardT],
    seat: int,
) -> Plays:
    """What the player at `seat` could play if he is asked now. The state of the match does not change.

    Cards that the rule cannot judge, since its flow fails on them, are no play.
    """
    return _Search(package, game, seat).run()


def order_for(
    package: Package[PlayerT, TableT, CardT],
    game: Game[PlayerT, TableT, CardT],
    seat: int,
    cards: Sequence[int],
    is_wanted: Callable[[str], bool],
) -> tuple[int, ...] | None:
    """An order in which these cards are a legal play of a cardset that is wanted, by its name.

    Returns:
        The given order if it is one, else the first of its permutations that is. None if none is among those that are
        tried: the first `MOST_ORDERS`, or the given one alone where the order never matters.
    """
    search = _Search(package, game, seat)
    orders = 1 if package.in_any_order else MOST_ORDERS
    for order in islice(permutations(cards), orders):
        made = search.judged(game.numbered(list(order)))
        if made is not None and is_wanted(made.cardset):
            return order
        if search.is_spent:
            break
    return None


@final
class _Search(Generic[PlayerT, TableT, CardT]):
    """One search, with what is left of its budget."""

    __slots__ = (
        "_beaten",
        "_before",
        "_counted",
        "_game",
        "_groups",
        "_left",
        "_legal",
        "_package",
        "_seeker",
        "_ticks_left",
    )

    def __init__(
        self,
        package: Package[PlayerT, TableT, CardT],
        game: Game[PlayerT, TableT, CardT],
        seat: int,
    ) -> None:
        self._package = package
        self._game = game
        previous = game.previous
        self._before = None if previous is None or leads(game, seat) else previous[1]
        self._groups = grouped(game.hands[seat], package.judged_by)
        self._left = max(CANDIDATES // package.effort, 1)
        self._seeker = Seeker(self._groups, self._left)
        self._ticks_left = SEARCH_TICKS
        self._counted: list[int] | None = None
        self._legal: dict[str, dict[Pick, tuple[int, ...]]] = {}
        self._beaten: set[str] = set()

    def run(self) -> Plays:
        """Look at one size after the other."""
        groups = self._groups
        total = sum(map(len, groups))
        lengths = self._package.lengths
        sizes = tuple(
            size
            for size in (range(1, total + 1) if lengths is None else lengths)
            if 0 < size <= total
        )
        unsearched = {size for size in sizes if not self._look_at(size, sizes[-1])}
        return Plays(
            tuple(tuple(card.id for card in group) for group in groups),
            self._legal,
            sizes,
            frozenset(unsearched),
            frozenset(self._beaten),
        )

    def _look_at(self, size: int, largest: int) -> bool:
        """Look at all cards of one size that could be a play; False if the budget does not allow it."""
        candidates = self._at_most(size)
        likely: Iterable[Row]
        if candidates <= min(FEW, self._left):
            likely = self._all(size)
        elif (formed := self._likely(size)) is not None:
            likely, candidates = formed, len(formed)
        else:
            likely = self._all(size)
            # where that is little, and at hand, it need not be known exactly
            if candidates > min(MOST_UNCOUNTED, self._left):
                counted = self._ways(largest)
                if size >= len(counted):
                    return False
                candidates = counted[size]
        if candidates > self._left:
            return False
        self._left -= candidates
        for sequence in likely:
            self._try(sequence)
            if self.is_spent:
                return False
        return True

    def _at_most(self, size: int) -> int:
        """How many candidates there would be if no cards stood for one another; of a very large hand, too many."""
        total = sum(map(len, self._groups))
        if total > MOST_COUNTED:
            return CANDIDATES + 1
        return comb(total, size) if self._package.in_any_order else perm(total, size)

    def _ways(self, largest: int) -> list[int]:
        """How many candidates of each size there are; of the largest sizes nothing is said if they are too many to count."""
        if self._counted is None:
            self._counted = candidates_by_size(
                [len(group) for group in self._groups],
                min(largest, MOST_COUNTED),
                self._left,
                not self._package.in_any_order,
            )
        return self._counted

    def _likely(self, size: int) -> list[Row] | None:
        """The candidates of a form that a play can have; None if no forms are known, or too many candidates have them."""
        try:
            forms = self._package.forms.of(size)
            if forms is None:
                return None
            found = self._seeker.candidates(forms)
        except (TooMany, RecursionError):
            return None
        return found if len(found) <= self._left else None

    def _all(self, size: int) -> Iterator[Row]:
        """All candidates of a size."""
        counts = [len(group) for group in self._groups]
        for chosen in selections(counts, size):
            if self._package.in_any_order:
                yield chosen
            else:
                yield from arrangements(chosen)

    def _try(self, sequence: Sequence[int]) -> None:
        """Judge cards of these groups, in this order."""
        if self.is_spent:
            return
        groups = self._groups
        pick = [0] * len(groups)
        cards = []
        for group in sequence:
            cards.append(groups[group][pick[group]])
            pick[group] += 1
        made = self.judged(cards)
        if made is not None:
            numbers = tuple([card.id for card in cards])
            self._legal.setdefault(made.cardset, {}).setdefault(tuple(pick), numbers)

    @property
    def is_spent(self) -> bool:
        """Whether judging has taken all the work that it may take."""
        return self._ticks_left < 0

    def judged(self, cards: list[CardT]) -> Play[CardT] | None:
        """The legal play that the cards make, if they do."""
        game, package = self._game, self._package
        game.ticks = 0  # a rule whose judgement needs no match counts nothing
        try:
            made = package.judge(cards, game)
            if made is None or self._before is None:
                return made
            self._ticks_left -= game.ticks
            game.ticks = 0
            if package.compare(made, self._before, game):
                return made
            self._beaten.add(made.cardset)
            return None
        except Exception:
            return None  # the match would refuse them with the flow's error
        finally:
            self._ticks_left -= game.ticks


def grouped(
    hand: Sequence[CardT], judged_by: Sequence[str] | None
) -> list[list[CardT]]:
    """The cards of a hand in groups of cards that judging cannot tell apart; every card alone if `judged_by` is None."""
    if judged_by is None:
        return [[card] for card in hand]
    groups: dict[tuple[object, ...], list[CardT]] = {}
    for card in hand:
        faces = tuple([getattr(card, name) for name in judged_by])
        groups.setdefault(faces, []).append(card)
    return list(groups.values())


def candidates_by_size(
    counts: Sequence[int], most: int, limit: int, is_ordered: bool
) -> list[int]:
    """How many candidates there are of each size from 0 to `most`; what is more than `limit` is somewhere above it.

    Args:
        counts: the sizes of the groups.
        is_ordered: whether a candidate is a sequence.
    """
    ways = [1] + [0] * most
    for count in counts:
        ways = [
            min(
                limit + 1,
                sum(
                    ways[size - taken] * (comb(size, taken) if is_ordered else 1)
                    for taken in range(min(count, size) + 1)
                ),
            )
            for size in range(most + 1)
        ]
    return ways


def selections(counts: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Every way to take `size` cards: the groups that they come from, ascending, in lexicographic order."""
    if all(count == 1 for count in counts):
        yield from combinations(range(len(counts)), size)
        return
    # how many cards the groups from here on have
    after = [0] * (len(counts) + 1)
    for group in reversed(range(len(counts))):
        after[group] = after[group + 1] + counts[group]
    if after[0] < size:
        return
    chosen = _first_from(counts, 0, size)
    while True:
        yield tuple(chosen)
        place = size - 1
        while place >= 0 and after[chosen[place] + 1] < size - place:
            place -= 1
        if place < 0:
            return
        chosen[place:] = _first_from(counts, chosen[place] + 1, size - place)


def _first_from(counts: Sequence[int], group: int, size: int) -> list[int]:
    """The first selection of `size` cards from this group on."""
    found: list[int] = []
    while len(found) < size:
        found += [group] * min(counts[group], size - len(found))
        group += 1
    return found


def arrangements(chosen: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every different order of ascending numbers, in lexicographic order."""
    row = list(chosen)
    while True:
        yield tuple(row)
        place = len(row) - 2
        while place >= 0 and row[place] >= row[place + 1]:
            place -= 1
        if place < 0:
            return
        other = len(row) - 1
        while row[other] <= row[place]:
            other -= 1
        row[place], row[other] = row[other], row[place]
        row[place + 1 :] = row[:place:-1]
