"""What a compiled match asks at a wait, as a question of the protocol.

A wait for cards becomes a `discard` with the purpose `play`: a method for each cardset that the hand can make now,
named after it, with the cards that are in some legal play of it. Giving up is the skip, which a leader who holds a
cardset may not do. In the dialect `extended` the methods tell exactly which cards go together. Where the search had to
leave out a size (see `plays`), a cardset that allows it is offered with the whole hand and without that.

A wait for a choice becomes `select character` with the options as decimal integers, or `region` with their names where
the rule says so (`"kind": "region"` on the node). The protocol has no words for "any integer": a choice without options
offers 0 and 1, which nearly always means no and yes, and `Match.choose` takes all others.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from dealwright.runtime.game import CardT, Game, PlayerT, TableT
from dealwright.runtime.hints.build import (
    discard,
    fix_cards,
    method,
    min_cards,
    select_character,
    select_region,
)
from dealwright.runtime.hints.model import (
    RESERVED,
    Combos,
    Method,
    Note,
    Question,
)
from dealwright.runtime.hints.reasons import MUST_PLAY, reason
from dealwright.runtime.hints.reply import Reply
from dealwright.runtime.leading import can_play, leads
from dealwright.runtime.plays import Pick, Plays, plays_of
from dealwright.runtime.waits import ChoiceWait, Wait

if TYPE_CHECKING:
    from dealwright.runtime.package import Package

MOST_PICKS: Final = 20_000
"""Selections of a method that are told one by one; a hint with more would take longer to send than to play."""

NO_AND_YES: Final = (0, 1)


def question_at(
    package: Package[PlayerT, TableT, CardT],
    game: Game[PlayerT, TableT, CardT],
    wait: Wait,
) -> tuple[Question, Reply | None]:
    """What the seat is asked, and its default reply where that is not simply the first of `Choices`.

    It depends on the seat's hand and on what everybody sees, and on hidden things only where the rule itself looks at
    them.
    """
    last = game.record.seats[-1] if game.record else None
    cause = game.log_start + len(game.log) - 1
    note = Note(purpose=wait.kind, asker=last, cause=max(cause, 0))
    if wait.kind == "play":
        return _play_question(package, game, wait.seat, note)
    names = list(choices_at(package, wait))
    if _is_region(package, wait):
        return select_region(names, note=note), None
    return select_character(names, note=note), None


def choices_at(package: Package[PlayerT, TableT, CardT], wait: Wait) -> dict[str, int]:
    """The options of a wait for a choice: what they are called in a hint, and the integers that they are."""
    point = package.resume[wait.node]
    options = wait.options or NO_AND_YES
    spelled = [str(value) for value in options]
    if isinstance(point, ChoiceWait) and point.regions:
        spelled = list(point.regions)
    found: dict[str, int] = {}
    for name, value in zip(spelled, options, strict=True):
        found.setdefault(name, value)
    return found


def _is_region(package: Package[PlayerT, TableT, CardT], wait: Wait) -> bool:
    point = package.resume[wait.node]
    return isinstance(point, ChoiceWait) and bool(point.regions)


def method_name(cardset: str, cardsets: Collection[str]) -> str:
    """What the method of a cardset is called: like it, but `abort` and `card` mean something else (hints.md, line 6).

    These two get underscores, as many as it takes to be no other cardset's name.
    """
    name = cardset
    while name in RESERVED or (name != cardset and name in cardsets):
        name += "_"
    return name


def cardset_names(package: Package[PlayerT, TableT, CardT]) -> list[str]:
    """The names of the rule's cardsets in its order; none for a package that does not tell them."""
    return [about[0] for about in (package.cardsets or {}).values()]


# waits for cards


def _play_question(
    package: Package[PlayerT, TableT, CardT],
    game: Game[PlayerT, TableT, CardT],
    seat: int,
    note: Note,
) -> tuple[Question, Reply | None]:
    found = plays_of(package, game, seat)
    may_skip, duty = _skipping(package, game, seat, found)
    methods = _methods(package, found, duty)
    why = reasons(package, len(game.hands[seat]), found, methods)
    # a hint that nobody could answer helps nobody: then the match itself says that a skip is not allowed
    may_skip = may_skip or not methods
    if not may_skip:
        why = (*why, ("abort", MUST_PLAY))
    question = discard(methods, may_skip, replace(note, why_methods=why))
    return question, None if may_skip else _least(package, found, methods, duty)


def _skipping(
    package: Package[PlayerT, TableT, CardT],
    game: Game[PlayerT, TableT, CardT],
    seat: int,
    found: Plays,
) -> tuple[bool, Reply | None]:
    """Whether the match would take a skip; and, where it would not, the play that it has found for him.

    The duty to play has a search of its own with bounds of its own (`leading`), and that one decides.
    """
    hand = game.hands[seat]
    if not hand or not leads(game, seat) or (found.is_complete and not found.legal):
        return True, None
    duty: list[Reply] = []

    def is_cardset(cards: list[CardT]) -> bool:
        made = package.judge(cards, game)
        if made is None:
            return False
        name = method_name(made.cardset, cardset_names(package))
        duty.append(Reply("discard", name, tuple([card.id for card in cards])))
        return True

    game.ticks = 0
    try:
        must_play = can_play(
            hand, package.lengths, is_cardset, package.effort, lambda: game.ticks
        )
    except Exception:
        # the match refuses a skip too then: it is offered only if there is nothing else
        return not found.legal, None
    return not must_play, duty[0] if duty else None


def _methods(
    package: Package[PlayerT, TableT, CardT], found: Plays, duty: Reply | None
) -> list[Method]:
    """A method for each cardset that is, or may be, possible."""
    if package.cardsets is not None:
        known = list(package.cardsets.values())
    else:
        # a package made by hand need not tell its cardsets: those that the search has met
        met = dict.fromkeys([*found.legal, *([duty.name] if duty else ())])
        known = [(name, (), None) for name in met]
    names = [name for name, _, _ in known]
    methods = []
    for name, _, lengths in known:
        sizes = [size for size in found.sizes if lengths is None or size in lengths]
        made = _method(method_name(name, names), name, sizes, found)
        if made is not None:
            methods.append(made)
    return methods


def _method(name: str, cardset: str, sizes: list[int], found: Plays) -> Method | None:
    """The method of one cardset that allows these numbers of cards; None if it is not possible."""
    picks = found.legal.get(cardset, {})
    doubtful = [size for size in sizes if size in found.unsearched]
    counts = sorted({*doubtful, *map(sum, picks)})
    if not counts:
        return None
    groups = list(range(len(found.groups)))
    if not doubtful:
        groups = [group for group in groups if any(pick[group] for pick in picks)]
    combos = None
    if not doubtful and len(picks) <= MOST_PICKS:
        combos = Combos(
            tuple(found.groups[group] for group in groups),
            tuple(sorted(tuple(pick[group] for group in groups) for pick in picks)),
        )
    cards = [card for group in groups for card in found.groups[group]]
    if len(counts) == 1:
        return method(name, fix_cards(counts[0], cards, combos))
    return method(name, min_cards(counts[0], cards, counts[-1], combos))


def reasons(
    package: Package[PlayerT, TableT, CardT],
    held: int,
    found: Plays,
    methods: list[Method],
) -> tuple[tuple[str, str], ...]:
    """Why cardsets are not offered to a player who holds so many cards: method and reason, in the rule's order.

    They say nothing but what follows from his own hand and from what everybody sees.
    """
    known = list((package.cardsets or {}).values())
    names = [name for name, _, _ in known]
    offered = {made.name for made in methods}
    why = []
    for cardset, _, lengths in known:
        name = method_name(cardset, names)
        if name not in offered:
            why.append((name, reason(held, lengths, cardset in found.beaten)))
    return tuple(why)


def _least(
    package: Package[PlayerT, TableT, CardT],
    found: Plays,
    methods: list[Method],
    duty: Reply | None,
) -> Reply | None:
    """The default of somebody who has to play: the first of `Choices` where that is certain to be legal.

    Else the first in the same order among the plays that were found, its cards in an order in which they are legal.
    """
    is_exact = all(
        made.cards is not None and made.cards.combos is not None for made in methods
    )
    if is_exact and package.in_any_order:
        return None
    if not found.legal:
        return duty
    names = cardset_names(package)
    name, cardset = min((method_name(made, names), made) for made in found.legal)
    picks = found.legal[cardset]
    return Reply("discard", name, picks[min(picks, key=_more_of_the_first)])


def _more_of_the_first(pick: Pick) -> tuple[int, ...]:
    return sum(pick), *(-size for size in pick)
