"""What a judging function gets instead of cards and a match: things that ask an `Exploration` when a branch depends on them.

A card that stands in is an object of the rule's own class, whose methods work on it; its properties are `Number`s: the
difference of two unknown numbers, so that a sum or difference is one too where that can be said, and is `Unknown` where
not. Of a match that stands in nothing is known either, but that it evaluates and counts what it is told to.

Generated code asks for the class of a thing with `isinstance`, which neither of the two answers: the run is stuck there.
It asks for identity (`is None`) only of what a build function returns, which is real; and it neither compares lists nor
looks with `in` for something in them, where Python takes one and the same unknown thing for equal to itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, final

from dealwright.runtime.objects import CardBase
from dealwright.runtime.search.bounds import MOST
from dealwright.runtime.search.exploring import Exploration, Question, Stuck

Either: TypeAlias = "int | Number | Unknown"


class _NoClass:
    """What cannot be asked for its class."""

    __slots__ = ()

    if not TYPE_CHECKING:  # every object has one

        @property
        def __class__(self):
            """What `isinstance` looks at where it cannot tell from the type itself."""
            raise Stuck


@final
class Answer(_NoClass):
    """Whether something is so; it is asked when a branch depends on it, since much that is compared is never used."""

    __slots__ = ("_ask", "_is_negated", "_known")

    def __init__(self, ask: Callable[[], bool], is_negated: bool = False) -> None:
        self._ask = ask
        self._is_negated = is_negated
        self._known: bool | None = None

    def __bool__(self) -> bool:
        if self._known is None:
            self._known = self._ask() is not self._is_negated
        return self._known

    def __index__(self) -> int:
        return 1 if self else 0

    __int__ = __index__

    def __eq__(self, other: object) -> bool:
        return bool(self) == (bool(other) if type(other) is Answer else other)

    def __ne__(self, other: object) -> bool:
        return not self == other


class _Opaque(_NoClass):
    """What has all attributes that a rule may name, and nothing is known of any."""

    __slots__ = ("_exploration",)
    _exploration: Exploration

    def __init__(self, exploration: Exploration) -> None:
        object.__setattr__(self, "_exploration", exploration)

    def __getattr__(self, name: str) -> Unknown:
        if name.startswith("__"):
            raise AttributeError(name)  # what it cannot do, it does not pretend to do
        self._exploration.step()
        return Unknown(self._exploration)

    def __setattr__(self, name: str, value: object) -> None:
        self._exploration.step()


@final
class Unknown(_Opaque):
    """Something of which nothing can be known."""

    __slots__ = ()

    def __call__(self, *arguments: object, **named: object) -> Unknown:
        self._exploration.step()
        return self

    def __bool__(self) -> bool:
        return self._exploration.is_so()

    def _calculated(self, *_: object) -> Unknown:
        self._exploration.step()
        return self

    def _compared(self, _: object) -> Answer:
        return Answer(self._exploration.is_so)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _calculated
    __neg__ = _calculated
    __lt__ = __le__ = __gt__ = __ge__ = _compared
    __eq__ = __ne__ = _compared  # type: ignore[assignment]


@final
class UnknownMatch(_Opaque):
    """A match of which nothing is known."""

    __slots__ = ()

    # what `Game` does with what it gets; its state while that is evaluated is as unknown as before

    def as_player(self, player: object, evaluate: Callable[[], object]) -> object:
        """See `Game.as_player`."""
        self._exploration.step()
        return evaluate()

    as_card = as_player

    def tick(self, ticks: int = 1) -> None:
        """See `Game.tick`."""
        self._exploration.step(ticks)

    def counted(self, items: Iterable[object], ticks: int = 1) -> Iterator[object]:
        """See `Game.counted`."""
        for item in items:
            self._exploration.step(ticks)
            yield item


@final
class Number(_NoClass):
    """A property of one card less that of another, or less 0, and more by a number that is known."""

    __slots__ = ("_exploration", "_less", "_more", "_name", "_plus")

    def __init__(
        self, exploration: Exploration, name: str, plus: int, less: int, more: int
    ) -> None:
        """The property `name` of the card at the place `plus`, less that of the card at `less`, and `more`.

        Args:
            plus, less: places of cards, or the place after them, which stands for 0.
        """
        self._exploration = exploration
        self._name = name
        self._plus = plus
        self._less = less
        self._more = more

    def __add__(self, other: Either) -> Either:
        if type(other) is int:
            return self._moved(other)
        return self._joined(other, 1)

    def __sub__(self, other: Either) -> Either:
        if type(other) is int:
            return self._moved(-other)
        return self._joined(other, -1)

    def __rsub__(self, other: int) -> Either:
        return self._turned()._moved(other)

    __radd__ = __add__

    def __neg__(self) -> Number:
        return self._turned()

    def __mul__(self, other: Either) -> Unknown:
        return Unknown(self._exploration)

    __rmul__ = __mul__

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __le__(self, other: Either) -> Answer:
        return self._asks(other, self._exploration.is_at_most)

    def __gt__(self, other: Either) -> Answer:
        return self._asks(other, self._exploration.is_at_most, is_negated=True)

    def __ge__(self, other: Either) -> Answer:
        return self._asks(other, self._exploration.is_at_most, -1, is_negated=True)

    def __lt__(self, other: Either) -> Answer:
        return self._asks(other, self._exploration.is_at_most, -1)

    def __eq__(self, other: object) -> Answer:  # type: ignore[override]
        return self._asks(other, self._exploration.is_exactly)

    def __ne__(self, other: object) -> Answer:  # type: ignore[override]
        return self._asks(other, self._exploration.is_exactly, is_negated=True)

    def _moved(self, by: int) -> Either:
        more = self._more + by
        if not -MOST < more < MOST:
            return Unknown(self._exploration)
        return Number(self._exploration, self._name, self._plus, self._less, more)

    def _turned(self) -> Number:
        return Number(
            self._exploration, self._name, self._less, self._plus, -self._more
        )

    def _joined(self, other: object, sign: int) -> Either:
        """With another one added or taken away: a difference again, or unknown."""
        if type(other) is not Number or other._name != self._name:
            return Unknown(self._exploration)
        if sign < 0:
            other = other._turned()
        pluses, lesses = [self._plus, other._plus], [self._less, other._less]
        for place in (self._plus, other._plus):
            if place in lesses:
                pluses.remove(place)
                lesses.remove(place)
        # each zero that stands on one side stands on the other too, unless there are two cards
        if len(pluses) > 1:
            return Unknown(self._exploration)
        plus, less = (pluses[0], lesses[0]) if pluses else (self._plus, self._plus)
        found = Number(self._exploration, self._name, plus, less, self._more)
        return found._moved(other._more)

    def _asks(
        self,
        other: object,
        ask: Callable[[Question], bool],
        more: int = 0,
        *,
        is_negated: bool = False,
    ) -> Answer:
        """Whether the difference of the two is at most (or exactly) so much; of other things nobody knows."""
        apart = self._moved(-other) if type(other) is int else self._joined(other, -1)
        if type(apart) is not Number:
            return Answer(self._exploration.is_so)
        question = apart._name, apart._plus, apart._less, more - apart._more
        return Answer(lambda: ask(question), is_negated)


def cards_like(
    kind: type[CardBase], exploration: Exploration, size: int, names: Sequence[str]
) -> list[Any]:
    """So many cards of that class, of whose properties nothing is known but what the exploration knows.

    Args:
        names: the properties that it knows something of.

    Raises:
        Stuck: no class can be made of this one, because it is compiled.
    """

    def reading(name: str) -> property:
        if name not in names:
            return property(lambda card: Unknown(exploration))
        return property(
            lambda card: Number(exploration, name, places[id(card)], size, 0)
        )

    members: dict[str, Any] = {name: reading(name) for name in properties_of(kind)}
    members["__slots__"] = ()
    members["__bool__"] = lambda card: True
    try:
        unknown = type("Unknown" + kind.__name__, (kind,), members)
    except TypeError:
        raise Stuck from None
    cards: list[Any] = [object.__new__(unknown) for _ in range(size)]
    places = {id(card): place for place, card in enumerate(cards)}
    return cards


def properties_of(kind: type[CardBase]) -> list[str]:
    """The attributes of a class of cards that hold integers."""
    return [
        name
        for owner in reversed(kind.__mro__)
        for name in owner.__dict__.get("__slots__", ())
        if not name.startswith("_")
    ]
