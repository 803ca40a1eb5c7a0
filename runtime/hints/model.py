"""What a hint says, whatever its spelling on the wire.

A `Question` is what one seat is asked: one of four kinds of detail, whether abort is allowed, and what may be told
about it. A `Hint` is a question with the seats that are asked now; a `Watching` is what everybody else sees. Nothing
here checks itself: `build` refuses what cannot be answered, `dialects` what breaks the protocol, and both end up
here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, final

Action: TypeAlias = Literal["select character", "region", "use", "discard"]
ACTIONS: Final[tuple[Action, ...]] = ("select character", "region", "use", "discard")

FaceKind: TypeAlias = Literal["forbid", "implicit target", "fix target"]

FIX_CARDS: Final = "fix card count"
MIN_CARDS: Final = "min card count"
FIX_TARGET: Final = "fix target"
IMPLICIT: Final = "implicit target"
FORBID: Final = "forbid"

FACE: Final = "card"
"""The method of a card that is used as its face says; no method of a game may be called so."""
ABORT: Final = "abort"
RESERVED: Final = frozenset({FACE, ABORT})


@final
@dataclass(frozen=True, slots=True)
class Combos:
    """Which of a method's cards go together, exactly; told in the `extended` dialect only.

    Attributes:
        groups: cards that can stand for one another; every card of the method is in one of them.
        picks: the selections that are legal: how many cards from each group, one number for each group.
    """

    groups: tuple[tuple[int, ...], ...]
    picks: tuple[tuple[int, ...], ...]

    def counts(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        """How many of `cards` are in each group."""
        chosen = frozenset(cards)
        return tuple(len(chosen.intersection(group)) for group in self.groups)

    def allows(self, cards: tuple[int, ...]) -> bool:
        """Whether these cards are one of the legal selections."""
        return self.counts(cards) in self.picks

    def may_become(self, cards: tuple[int, ...]) -> bool:
        """Whether cards can be added to these until they are a legal selection, if they are none yet."""
        counts = self.counts(cards)
        return any(
            all(have <= want for have, want in zip(counts, pick, strict=True))
            for pick in self.picks
        )


@final
@dataclass(frozen=True, slots=True)
class CardNeed:
    """Cards that a method wants: `fix card count`, or `min card count` if `is_least`.

    Attributes:
        count: how many, or at least how many.
        cards: the candidates.
        most: how many at most, where the candidates do not say it; told in the `extended` dialect only.
        combos: which cards go together, where that is known. A reply is not held to it: the rule has the last word.
    """

    count: int
    cards: tuple[int, ...]
    is_least: bool = False
    most: int | None = None
    combos: Combos | None = None

    @property
    def highest(self) -> int:
        """How many cards there can be at most."""
        if not self.is_least:
            return self.count
        listed = len(self.cards)
        return listed if self.most is None else min(self.most, listed)

    @property
    def is_satisfiable(self) -> bool:
        """Whether enough cards are listed."""
        listed = len(self.cards)
        return self.count <= min(listed, self.highest) and (
            self.combos is None or bool(self.combos.picks)
        )


@final
@dataclass(frozen=True, slots=True)
class TargetNeed:
    """Players who have to be named: `fix target`.

    Attributes:
        count: how many.
        targets: the candidates, by seat.
    """

    count: int
    targets: tuple[int, ...]

    @property
    def is_satisfiable(self) -> bool:
        """Whether enough players are listed."""
        return self.count <= len(self.targets)


@final
@dataclass(frozen=True, slots=True)
class Method:
    """A way to answer other than a card's own face.

    One that wants neither cards nor targets is a yes/no question (`forbid` on the wire); see `build.confirm`.

    Attributes:
        is_implicit: its target goes without saying (`implicit target`).
    """

    name: str
    cards: CardNeed | None = None
    targets: TargetNeed | None = None
    is_implicit: bool = False

    @property
    def is_satisfiable(self) -> bool:
        """Whether somebody could carry it out with what is listed."""
        return (self.cards is None or self.cards.is_satisfiable) and (
            self.targets is None or self.targets.is_satisfiable
        )


@final
@dataclass(frozen=True, slots=True)
class CardEntry:
    """A card of the hand, and whether and at whom its face can be used now.

    Attributes:
        targets: for a `fix target` only.
    """

    card: int
    kind: FaceKind
    targets: TargetNeed | None = None

    @property
    def is_usable(self) -> bool:
        """Whether it can be used, with what is listed."""
        if self.kind == "fix target":
            return self.targets is not None and self.targets.is_satisfiable
        return self.kind == "implicit target"


@final
@dataclass(frozen=True, slots=True)
class Unsupported:
    """A method or a card whose requirements this version does not know: kept as it came, and never usable.

    Attributes:
        key: the method's name, or the card's number.
        require: its requirements as they are spelled.
        text: the whole of it as JSON text, to be written back.
    """

    key: str | int
    require: tuple[str, ...]
    text: str

    def to_json(self) -> object:
        """The whole of it as it came."""
        return json.loads(self.text)


@final
@dataclass(frozen=True, slots=True)
class SelectCharacter:
    """Choose one of these characters."""

    candidates: tuple[str, ...]
    action: Literal["select character"] = "select character"


@final
@dataclass(frozen=True, slots=True)
class SelectRegion:
    """Choose one of these regions; any strings, of which the protocol page names five."""

    regions: tuple[str, ...]
    action: Literal["region"] = "region"


@final
@dataclass(frozen=True, slots=True)
class Use:
    """Use a card by its face, or a method.

    Attributes:
        cards: the whole hand, or None where no card can be used by its face at all (some questions of skills).
    """

    cards: tuple[CardEntry, ...] | None
    methods: tuple[Method, ...] = ()
    unsupported: tuple[Unsupported, ...] = ()
    action: Literal["use"] = "use"


@final
@dataclass(frozen=True, slots=True)
class Discard:
    """Discard, show or play cards without naming a target."""

    methods: tuple[Method, ...]
    unsupported: tuple[Unsupported, ...] = ()
    action: Literal["discard"] = "discard"


Detail: TypeAlias = SelectCharacter | SelectRegion | Use | Discard


@final
@dataclass(frozen=True, slots=True)
class Note:
    """What the `extended` dialect tells about a question besides the protocol page.

    Attributes:
        purpose: what the answer is for: "discard", "show", "play", or a word of the game.
        asker: the seat whose action led to the question.
        cause: the number of the event that led to it.
        about: the seat that it is about, such as the one who is dying.
        why_cards: why cards are forbidden, by number.
        why_methods: why methods are not offered, by name. Both are for the owner's eyes, and only if he asks.
    """

    purpose: str | None = None
    asker: int | None = None
    cause: int | None = None
    about: int | None = None
    why_cards: tuple[tuple[int, str], ...] = ()
    why_methods: tuple[tuple[str, str], ...] = ()


NO_NOTE: Final = Note()


@final
@dataclass(frozen=True, slots=True)
class Question:
    """What one seat is asked. It is private: it may list his cards."""

    detail: Detail
    may_abort: bool = False
    note: Note = NO_NOTE

    @property
    def action(self) -> Action:
        """Which of the four kinds it is."""
        return self.detail.action


@final
@dataclass(frozen=True, slots=True)
class Hint:
    """What a seat that is asked gets to see.

    Attributes:
        players: all the seats that are asked now, his own among them.
        seq: the number of the question among those that this seat was asked; told in `extended` only.
        deadline: when a default reply takes the place of his own, on the server's clock; told in `extended` only.
    """

    players: tuple[int, ...]
    question: Question
    seq: int | None = None
    deadline: float | None = None

    @property
    def action(self) -> Action:
        """Which of the four kinds of question it is."""
        return self.question.detail.action


@final
@dataclass(frozen=True, slots=True)
class Watching:
    """What everybody sees who is not asked: what kind of question there is, and for whom. Nothing else, ever.

    Attributes:
        action: one of the four kinds; a server may know more, and a client need not care.
    """

    action: str
    players: tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class NoDecision:
    """Nobody is asked anything."""

    is_over: bool = False

    @property
    def reason(self) -> str:
        """What is told about it."""
        return "game over" if self.is_over else "no decision pending"


Seen: TypeAlias = Hint | Watching | NoDecision


def faces(detail: Use) -> tuple[CardEntry, ...]:
    """The cards that a `use` lists, none if there is no such list."""
    return () if detail.cards is None else detail.cards


def methods_of(detail: Detail) -> tuple[Method, ...]:
    """The methods of a question, carried out or not; none for the two plain choices."""
    return detail.methods if isinstance(detail, Use | Discard) else ()


def is_answerable(question: Question) -> bool:
    """Whether there is anything that could be replied."""
    detail = question.detail
    if question.may_abort:
        return True
    match detail:
        case SelectCharacter(candidates):
            return bool(candidates)
        case SelectRegion(regions):
            return bool(regions)
        case Use():
            return any(entry.is_usable for entry in faces(detail)) or any(
                method.is_satisfiable for method in detail.methods
            )
        case Discard(methods):
            return any(method.is_satisfiable for method in methods)
