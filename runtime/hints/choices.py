"""Every concrete reply that a question allows: counted, numbered, gone through one by one, or drawn.

Nothing is enumerated unless somebody goes through it: a reply is found from its number and a number from its reply by
counting, so a choice among 2**60 sets of cards costs no more than one among three. Replies that differ only in the
order of cards or players count as one.

The order, which the default reply relies on (its first is the default), is stated once, here: abort; characters and
regions as listed; cards by their face, by number; methods, by the code points of their names; within one of them
fewer cards before more, then sets of cards in lexicographic order of their numbers (with `Combos`: picks that take
more from an earlier group first), then targets in the same order.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from math import comb, prod
from typing import final

from dealwright.runtime.errors import shown
from dealwright.runtime.hints.errors import HintError
from dealwright.runtime.hints.model import (
    FACE,
    Action,
    CardNeed,
    Discard,
    Method,
    Question,
    SelectCharacter,
    SelectRegion,
    TargetNeed,
    Use,
    faces,
)
from dealwright.runtime.hints.reply import Reply, abort_reply


@final
@dataclass(frozen=True, slots=True)
class Draw:
    """So many of these, in ascending order."""

    items: tuple[int, ...]
    size: int

    @property
    def count(self) -> int:
        """In how many ways."""
        return comb(len(self.items), self.size)

    def nth(self, index: int) -> tuple[int, ...]:
        """The set at `index` in lexicographic order."""
        chosen: list[int] = []
        place = 0
        for left in range(self.size, 0, -1):
            # sets that go on with this item come before those that go on with a later one
            while index >= (ways := comb(len(self.items) - place - 1, left - 1)):
                index -= ways
                place += 1
            chosen.append(self.items[place])
            place += 1
        return tuple(chosen)

    def index(self, chosen: Sequence[int]) -> int | None:
        """The place of this set; None if it is no such set."""
        wanted = sorted(chosen)
        if len(wanted) != self.size or not set(wanted) <= set(self.items):
            return None
        total = 0
        place = 0
        for left, item in zip(range(self.size, 0, -1), wanted, strict=True):
            while self.items[place] != item:
                total += comb(len(self.items) - place - 1, left - 1)
                place += 1
            place += 1
        return total


@final
@dataclass(frozen=True, slots=True)
class Block:
    """Replies of one name and one shape: each takes a set from every draw.

    Attributes:
        cards: draws of cards; several only where it is known which cards go together.
        targets: the draw of players.
    """

    action: Action
    name: str
    cards: tuple[Draw, ...] = ()
    targets: Draw = Draw((), 0)
    is_abort: bool = False

    @property
    def count(self) -> int:
        """How many replies."""
        return prod(draw.count for draw in self.cards) * self.targets.count

    def nth(self, index: int) -> Reply:
        """The reply at `index`."""
        index, aimed = divmod(index, self.targets.count)
        drawn: list[tuple[int, ...]] = []
        for draw in reversed(self.cards):
            index, place = divmod(index, draw.count)
            drawn.append(draw.nth(place))
        cards = sorted(card for group in drawn for card in group)
        return Reply(
            self.action,
            self.name,
            tuple(cards),
            self.targets.nth(aimed),
            self.is_abort,
        )

    def index(self, reply: Reply) -> int | None:
        """The place of a reply, whatever the order of its cards; None if it is not among them."""
        if (
            reply.action != self.action
            or reply.name != self.name
            or reply.is_abort != self.is_abort
        ):
            return None
        total = 0
        left = len(reply.cards)
        for draw in self.cards:
            mine = frozenset(draw.items).intersection(reply.cards)
            place = draw.index(sorted(mine))
            if place is None:
                return None
            left -= len(mine)
            total = total * draw.count + place
        aimed = self.targets.index(reply.targets)
        if left or aimed is None:
            return None
        return total * self.targets.count + aimed

    def replies(self) -> Iterator[Reply]:
        """All of them, one after the other."""
        for drawn in _each_way(self.cards):
            cards = tuple(sorted(drawn))
            for targets in combinations(self.targets.items, self.targets.size):
                yield Reply(self.action, self.name, cards, targets, self.is_abort)


def _each_way(draws: tuple[Draw, ...]) -> Iterator[tuple[int, ...]]:
    """A set from each draw, all together; the last one changes first. `itertools.product` would list them all."""
    if not draws:
        yield ()
        return
    for chosen in combinations(draws[0].items, draws[0].size):
        for others in _each_way(draws[1:]):
            yield chosen + others


@final
class Choices:
    """The replies that a question allows, numbered from 0.

    Attributes:
        count: how many there are, exactly.
    """

    __slots__ = ("_blocks", "_ends", "count")

    def __init__(self, question: Question) -> None:
        self._blocks = [block for block in _blocks(question) if block.count]
        self._ends = list(accumulate(block.count for block in self._blocks))
        self.count = self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[Reply]:
        for block in self._blocks:
            yield from block.replies()

    def nth(self, index: int) -> Reply:
        """The reply at `index`: a bot may answer with a number.

        Raises:
            HintError: "bad_reply": there are not so many.
        """
        if type(index) is not int or not 0 <= index < self.count:
            raise HintError(
                "bad_reply",
                f"the replies are numbered from 0 to {shown(self.count - 1)}",
            )
        place = bisect_right(self._ends, index)
        start = self._ends[place - 1] if place else 0
        return self._blocks[place].nth(index - start)

    def index(self, reply: Reply) -> int:
        """The number of a reply, whatever the order of its cards and targets.

        Raises:
            HintError: "bad_reply": it is not among them.
        """
        start = 0
        for block, end in zip(self._blocks, self._ends, strict=True):
            place = block.index(reply)
            if place is not None:
                return start + place
            start = end
        raise HintError("bad_reply", "that reply is not among the choices")

    def sample(self, size: int, seed: int) -> list[Reply]:
        """Different replies drawn at random, all of them if there are no more than `size`; the same for the same seed.

        Raises:
            HintError: "bad_reply": `size` is negative.
        """
        if size < 0:
            raise HintError("bad_reply", "a sample cannot be smaller than nothing")
        if size >= self.count:
            return list(self)
        rng = random.Random(seed)
        # a dict keeps the order in which they were drawn
        drawn: dict[int, None] = {}
        while len(drawn) < size:
            drawn[rng.randrange(self.count)] = None
        return [self.nth(index) for index in drawn]

    def draw(self, rng: random.Random) -> Reply:
        """One reply at random, every one as likely.

        Raises:
            HintError: "bad_reply": there is none.
        """
        return self.nth(rng.randrange(self.count) if self.count else 0)


def default_reply(question: Question) -> Reply | None:
    """What counts as the answer of somebody who gives none: abort if it is allowed, else the first reply there is.

    Returns:
        None: a question that nobody can answer, as only an original server sends it.
    """
    choices = Choices(question)
    return choices.nth(0) if choices.count else None


def _blocks(question: Question) -> Iterator[Block]:
    """All replies, in the order that the module states."""
    detail = question.detail
    action = detail.action
    if question.may_abort:
        yield Block(action, abort_reply(action).name, is_abort=True)
    match detail:
        case SelectCharacter(names) | SelectRegion(names):
            for name in names:
                yield Block(action, name)
        case Use():
            for entry in sorted(faces(detail), key=lambda entry: entry.card):
                if entry.is_usable:
                    yield Block(
                        action, FACE, (Draw((entry.card,), 1),), _aims(entry.targets)
                    )
            yield from _by_methods(action, detail.methods)
        case Discard(methods):
            yield from _by_methods(action, methods)


def _by_methods(action: Action, methods: tuple[Method, ...]) -> Iterator[Block]:
    for made in sorted(methods, key=lambda made: made.name):
        for draws in _selections(made.cards):
            yield Block(action, made.name, draws, _aims(made.targets))


def _aims(need: TargetNeed | None) -> Draw:
    return Draw((), 0) if need is None else Draw(_sorted(need.targets), need.count)


def _selections(need: CardNeed | None) -> Iterator[tuple[Draw, ...]]:
    """The shapes of a method's cards: one for each number of them, or one for each pick."""
    if need is None:
        yield ()
    elif need.combos is None:
        for size in range(need.count, need.highest + 1):
            yield (Draw(_sorted(need.cards), size),)
    else:
        groups = need.combos.groups
        for pick in sorted(need.combos.picks, key=_more_of_the_first):
            yield tuple(
                Draw(_sorted(group), size)
                for group, size in zip(groups, pick, strict=True)
                if size
            )


def _more_of_the_first(pick: tuple[int, ...]) -> tuple[int, ...]:
    return sum(pick), *(-size for size in pick)


def _sorted(items: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(items))
