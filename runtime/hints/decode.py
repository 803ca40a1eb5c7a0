"""Hints read from the wire, in whatever dialect they were written.

Spellings of the protocol page and of the original server are both understood, and may even be mixed. A hint that breaks
the protocol is refused as a whole; a method with a requirement that nobody here knows is kept aside, so that the others
stay usable (hints.md, section 2, line 16).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

from dealwright.runtime.errors import shown
from dealwright.runtime.hints.build import (
    bad_hint,
    checked_method,
    count_of,
    numbers,
    texts,
)
from dealwright.runtime.hints.dialects import OK, REFUSED, encode
from dealwright.runtime.hints.errors import HintError
from dealwright.runtime.hints.meta import (
    an_object,
    card_number,
    decode_meta,
    with_extras,
)
from dealwright.runtime.hints.model import (
    FIX_CARDS,
    FIX_TARGET,
    FORBID,
    IMPLICIT,
    MIN_CARDS,
    CardEntry,
    CardNeed,
    Detail,
    Discard,
    Hint,
    Method,
    NoDecision,
    Question,
    Seen,
    SelectCharacter,
    SelectRegion,
    TargetNeed,
    Unsupported,
    Use,
    Watching,
)

Wire = Mapping[object, object]

DETAIL_KEYS: Final = frozenset({"abort", "candidates", "regions", "card", "methods"})
CARD_KINDS: Final = frozenset({FIX_CARDS, MIN_CARDS})
TARGET_KINDS: Final = frozenset({FIX_TARGET, IMPLICIT})
METHOD_KINDS: Final = CARD_KINDS | TARGET_KINDS | {FORBID}
FACE_KINDS: Final = frozenset({FORBID, IMPLICIT, FIX_TARGET})


def decode(value: object) -> Seen:
    """The hint that `value` is, a JSON object in any dialect.

    Raises:
        HintError: "bad_hint": it is none.
    """
    view = an_object(value, "a hint")
    if view.get("code") == REFUSED and type(view.get("reason")) is str:
        return _nothing(view["reason"])
    if view.get("code") != OK:
        raise bad_hint(f"a hint has the code {OK}, not {shown(view.get('code'))}")
    action = view.get("action")
    if type(action) is not str:
        raise bad_hint(f"a hint's action is a string, not {shown(action)}")
    players = numbers(a_list(view.get("players"), "players"), "players")
    if action == "none" and not players:
        return NoDecision()
    if not DETAIL_KEYS & view.keys():
        return Watching(action, players)
    meta = view.get("meta")
    note, seq, deadline = decode_meta(meta)
    question = Question(_detail(action, view, meta), _may_abort(view), note)
    return Hint(players, question, seq, deadline)


def _nothing(reason: object) -> NoDecision:
    for nothing in (NoDecision(), NoDecision(is_over=True)):
        if reason == nothing.reason:
            return nothing
    raise bad_hint(f"that is a refusal and no hint: {shown(reason)}")


def convert(value: object, dialect: str) -> dict[str, object]:
    """A hint of any dialect, written in another.

    Raises:
        HintError: "bad_hint", "bad_dialect".
    """
    return encode(decode(value), dialect, is_explained=_is_explained(value))


def _is_explained(value: object) -> bool:
    meta = value.get("meta") if isinstance(value, Mapping) else None
    return isinstance(meta, Mapping) and "why" in meta


def _may_abort(view: Wire) -> bool:
    # the original server leaves it out at the two plain choices
    abort = view.get("abort", "disallow")
    if abort not in ("allow", "disallow"):
        raise bad_hint(f"abort is 'allow' or 'disallow', not {shown(abort)}")
    return abort == "allow"


def _detail(action: str, view: Wire, meta: object) -> Detail:
    match action:
        case "select character":
            names = texts(a_list(view.get("candidates"), "candidates"), "candidates")
            return SelectCharacter(names)
        case "region":
            return SelectRegion(
                texts(a_list(view.get("regions"), "regions"), "regions")
            )
        case "use":
            entries, odd_cards = _cards(view)
            methods, odd = _methods(view, meta, METHOD_KINDS)
            return Use(entries, methods, odd_cards + odd)
        case "discard":
            # no target is named when discarding, so a reply would have no place for one
            return Discard(*_methods(view, meta, METHOD_KINDS - {FIX_TARGET}))
    raise bad_hint(f"there is no action {shown(action)}")


def a_list(value: object, where: str) -> Sequence[object]:
    """A JSON list.

    Raises:
        HintError: "bad_hint".
    """
    if not isinstance(value, list):
        raise bad_hint(f"{where} must be a list, not {shown(value)}")
    return value


# cards by their face


def _cards(
    view: Wire,
) -> tuple[tuple[CardEntry, ...] | None, tuple[Unsupported, ...]]:
    if "card" not in view:
        return None, ()
    entries: list[CardEntry] = []
    odd: list[Unsupported] = []
    for key, value in an_object(view["card"], "card").items():
        card = card_number(key)
        said = an_object(value, f"card {card}")
        kinds = _kinds_of_card(said)
        if len(kinds) == 1 and kinds[0] in FACE_KINDS:
            entries.append(_entry(card, kinds[0], said))
        else:
            odd.append(Unsupported(card, kinds, _text_of(said)))
    listed = [entry.card for entry in entries]
    numbers([*listed, *(kept.key for kept in odd)], "cards")
    return tuple(entries), tuple(odd)


def _kinds_of_card(said: Wire) -> tuple[str, ...]:
    """The kind of a card: one string under `type`, or a list of one under `require`."""
    if "type" in said and "require" in said:
        raise bad_hint("a card has a type or a require, not both")
    if "type" in said:
        return texts([said["type"]], "types")
    return texts(a_list(said.get("require"), "require"), "requirements")


def _entry(card: int, kind: str, said: Wire) -> CardEntry:
    if kind == FIX_TARGET:
        return CardEntry(card, "fix target", _targets(said))
    return CardEntry(card, "forbid" if kind == FORBID else "implicit target")


# methods


def _methods(
    view: Wire, meta: object, known: frozenset[str]
) -> tuple[tuple[Method, ...], tuple[Unsupported, ...]]:
    methods: list[Method] = []
    odd: list[Unsupported] = []
    for key, value in an_object(view.get("methods", {}), "methods").items():
        [name] = texts([key], "names of methods")
        said = an_object(value, f"the method {shown(name)}")
        kinds = texts(a_list(said.get("require"), "require"), "requirements")
        if known.issuperset(kinds):
            methods.append(with_extras(_method(name, frozenset(kinds), said), meta))
        else:
            odd.append(Unsupported(name, kinds, _text_of(said)))
    return tuple(methods), tuple(odd)


def _method(name: str, kinds: frozenset[str], said: Wire) -> Method:
    """A method whose requirements are all known; their order says nothing (line 15)."""
    if len(kinds & CARD_KINDS) == 2 or len(kinds & TARGET_KINDS) == 2:
        raise bad_hint(f"the method {shown(name)} joins two kinds of one thing")
    if FORBID in kinds and len(kinds) > 1:
        raise bad_hint(f"the method {shown(name)} forbids what it requires")
    need = None
    if kinds & CARD_KINDS:
        need = CardNeed(
            count_of(said.get("card count"), "a card count"),
            numbers(a_list(said.get("cards"), "cards"), "cards"),
            MIN_CARDS in kinds,
        )
    targets = _targets(said) if FIX_TARGET in kinds else None
    return checked_method(Method(name, need, targets, IMPLICIT in kinds))


def _targets(said: Wire) -> TargetNeed:
    return TargetNeed(
        count_of(said.get("target count"), "a target count"),
        numbers(a_list(said.get("targets"), "targets"), "targets"),
    )


def _text_of(said: Wire) -> str:
    try:
        return json.dumps(said)
    except (TypeError, ValueError, RecursionError):
        raise bad_hint("a hint holds what is no JSON") from None


def unsupported(question: Question, name: str | int) -> HintError | None:
    """The error of picking a method or a card whose requirements are not known; None if that is not why it fails."""
    detail = question.detail
    for kept in detail.unsupported if isinstance(detail, Use | Discard) else ():
        if kept.key == name:
            kinds = ", ".join(shown(kind) for kind in kept.require)
            return HintError(
                "unsupported_requirement", f"{shown(name)} requires {kinds}"
            )
    return None
