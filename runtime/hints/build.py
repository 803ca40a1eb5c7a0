"""Builders of questions, which refuse what could not be answered or not be written down.

Each function here takes plain lists and gives back a part of the model, or a whole question. What the protocol page
leaves open is decided by section 2 of hints.md; the number of its line stands beside the check. A question that
hidden cards make hopeless is still asked where abort is allowed: leaving it out would tell everybody what the hand
lacks (line 9).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from dealwright.runtime.errors import shown
from dealwright.runtime.hints.errors import HintError
from dealwright.runtime.hints.model import (
    NO_NOTE,
    RESERVED,
    CardEntry,
    CardNeed,
    Combos,
    Detail,
    Discard,
    Method,
    Note,
    Question,
    SelectCharacter,
    SelectRegion,
    TargetNeed,
    Use,
    is_answerable,
)

Name = TypeVar("Name", str, int)

REGIONS: Final = ("onhand", "weapon", "armor", "-1 horse", "+1 horse")
"""The regions that the protocol page names. Others are allowed (line 22)."""


def bad_hint(sentence: str) -> HintError:
    """The error of a hint that breaks the protocol."""
    return HintError("bad_hint", sentence)


def numbers(values: Iterable[object], what: str) -> tuple[int, ...]:
    """Card numbers or seats: integers, not negative, none twice (line 10)."""
    found: list[int] = []
    for value in values:
        if type(value) is not int or value < 0:
            raise bad_hint(f"{what} are integers from 0 on, not {shown(value)}")
        found.append(value)
    return _each_once(found, what)


def texts(values: Iterable[object], what: str) -> tuple[str, ...]:
    """Names: strings that are not empty, none twice (line 10)."""
    found: list[str] = []
    for value in values:
        if type(value) is not str or not value:
            raise bad_hint(f"{what} are strings, not {shown(value)}")
        found.append(value)
    return _each_once(found, what)


def _each_once(values: Sequence[Name], what: str) -> tuple[Name, ...]:
    if len(set(values)) != len(values):
        raise bad_hint(f"{what} are there twice")
    return tuple(values)


def count_of(value: object, what: str) -> int:
    """A count: an integer from 1 on (line 10)."""
    if type(value) is not int or value < 1:
        raise bad_hint(f"{what} must be an integer from 1 on, not {shown(value)}")
    return value


# requirements


def fix_cards(
    count: int, cards: Iterable[int], combos: Combos | None = None
) -> CardNeed:
    """Exactly `count` of `cards` (`fix card count`).

    Args:
        combos: which of them go together, if that is known.

    Raises:
        HintError: "bad_hint": a count below 1, a card twice, combos of other cards or of another count.
    """
    return checked_need(
        CardNeed(
            count_of(count, "a card count"), numbers(cards, "cards"), combos=combos
        )
    )


def min_cards(
    count: int,
    cards: Iterable[int],
    most: int | None = None,
    combos: Combos | None = None,
) -> CardNeed:
    """At least `count` of `cards` (`min card count`), and at most `most` if it is given (line 12).

    Raises:
        HintError: "bad_hint", as for `fix_cards`; or `most` is below `count`.
    """
    least = count_of(count, "a card count")
    return checked_need(CardNeed(least, numbers(cards, "cards"), True, most, combos))


def checked_need(need: CardNeed) -> CardNeed:
    """`need` itself, if its bounds and its combos fit its cards.

    Raises:
        HintError: "bad_hint".
    """
    if need.most is not None and (
        type(need.most) is not int or need.most < need.count or not need.is_least
    ):
        raise bad_hint("a max card count must be an integer from the min on")
    combos = need.combos
    if combos is None:
        return need
    grouped = [card for group in combos.groups for card in group]
    if sorted(grouped) != sorted(need.cards) or not all(combos.groups):
        raise bad_hint("the groups must hold every card of the method once")
    for pick in combos.picks:
        if len(pick) != len(combos.groups) or not all(
            type(number) is int and 0 <= number <= len(group)
            for number, group in zip(pick, combos.groups, strict=True)
        ):
            raise bad_hint("a pick must take a number of cards from each group")
        if not need.count <= sum(pick) <= need.highest:
            raise bad_hint("a pick takes more or fewer cards than the method")
    if len(set(combos.picks)) != len(combos.picks):
        raise bad_hint("a pick is there twice")
    return need


def fix_targets(count: int, targets: Iterable[int]) -> TargetNeed:
    """Exactly `count` of these players (`fix target`).

    Raises:
        HintError: "bad_hint": a count below 1, a player twice.
    """
    return TargetNeed(count_of(count, "a target count"), numbers(targets, "targets"))


# cards by their face


def forbid(card: int) -> CardEntry:
    """A card that cannot be used now. All cards of the hand are listed, the unusable ones too (line 7)."""
    return CardEntry(card, "forbid")


def implicit(card: int) -> CardEntry:
    """A card whose target goes without saying, such as equipment."""
    return CardEntry(card, "implicit target")


def aim(card: int, targets: Iterable[int], count: int = 1) -> CardEntry:
    """A card used on `count` of `targets`; one that finds too few of them is forbidden.

    Raises:
        HintError: "bad_hint".
    """
    need = fix_targets(count, targets)
    return CardEntry(card, "fix target", need) if need.is_satisfiable else forbid(card)


# methods


def method(
    name: str,
    cards: CardNeed | None = None,
    targets: TargetNeed | None = None,
    is_implicit: bool = False,
) -> Method:
    """A way to answer that needs cards, targets, or both.

    Args:
        is_implicit: its target goes without saying; not together with `targets` (line 13).

    Raises:
        HintError: "bad_hint": it needs neither (say `confirm` for that), or the name is reserved (line 6).
    """
    if cards is None and targets is None and not is_implicit:
        raise bad_hint(
            f"the method {shown(name)} needs nothing; a yes/no question is made by confirm"
        )
    return checked_method(Method(name, cards, targets, is_implicit))


def confirm(name: str) -> Method:
    """A yes/no question: a method that takes no card and no target (`forbid` on the wire, line 14).

    Raises:
        HintError: "bad_hint": the name is reserved.
    """
    return checked_method(Method(name))


def checked_method(made: Method) -> Method:
    """`made` itself, if it may stand in a hint.

    Raises:
        HintError: "bad_hint".
    """
    if type(made.name) is not str or not made.name:
        raise bad_hint(f"a method's name is a string, not {shown(made.name)}")
    if made.name in RESERVED:
        raise bad_hint(f"no method may be called {made.name!r}")
    if made.is_implicit and made.targets is not None:
        raise bad_hint(f"the method {shown(made.name)} joins two kinds of target")
    return made


# questions


def select_character(
    candidates: Iterable[str], may_abort: bool = False, note: Note = NO_NOTE
) -> Question:
    """Choose one of these characters.

    Raises:
        HintError: "bad_hint": none at all, or one twice.
    """
    names = texts(candidates, "candidates")
    if not names:
        raise bad_hint("there must be a candidate to select")
    return answerable(SelectCharacter(names), may_abort, note)


def select_region(
    regions: Iterable[str], may_abort: bool = False, note: Note = NO_NOTE
) -> Question:
    """Choose one of these regions.

    Raises:
        HintError: "bad_hint": none at all, or one twice.
    """
    names = texts(regions, "regions")
    if not names:
        raise bad_hint("there must be a region to choose")
    return answerable(SelectRegion(names), may_abort, note)


def use(
    cards: Iterable[CardEntry] | None,
    methods: Iterable[Method] = (),
    may_abort: bool = True,
    note: Note = NO_NOTE,
) -> Question:
    """Use a card by its face, or a method.

    Args:
        cards: every card of the hand; None for a question of a skill, where none is used by its face.
        methods: kept even where nobody can carry them out: the `upstream` dialect writes them, the others do not.

    Raises:
        HintError: "bad_hint": a card or a method twice; "unanswerable": nothing is left to reply (line 9).
    """
    entries = None if cards is None else tuple(cards)
    numbers((entry.card for entry in entries or ()), "cards")
    return answerable(Use(entries, _named(methods)), may_abort, note)


def discard(
    methods: Iterable[Method],
    may_abort: bool = False,
    note: Note = NO_NOTE,
) -> Question:
    """Discard, show or play cards; no method of it names targets.

    Raises:
        HintError: as for `use`; or a method wants targets.
    """
    named = _named(methods)
    for made in named:
        if made.targets is not None:
            raise bad_hint(f"{shown(made.name)}: no target is named when discarding")
    return answerable(Discard(named), may_abort, note)


def _named(methods: Iterable[Method]) -> tuple[Method, ...]:
    named = tuple(checked_method(made) for made in methods)
    texts((made.name for made in named), "methods")
    return named


def answerable(detail: Detail, may_abort: bool, note: Note) -> Question:
    """The question, if there is anything that could be replied to it.

    Raises:
        HintError: "unanswerable": the game has to go on by its own rule, without asking (line 9).
    """
    question = Question(detail, may_abort, note)
    if not is_answerable(question):
        raise HintError(
            "unanswerable",
            f"nothing could be replied to this {detail.action!r}: no candidate is left, and no abort is allowed",
        )
    return question
