"""Hints on the wire: written in one of three dialects, read in any of them.

`spec` is the protocol page; `upstream` is what the server it was written for sends, so that its clients keep working;
`extended` is `spec` with one more key, `meta`, which clients of the page pass over. Reading needs not be told the
dialect. What everybody may see has exactly three keys in all of them; `guard` stands between that and the wire.

In JSON the keys of `card` are strings, since JSON has no others: canonical decimals, so "01" is no card (hints.md,
section 2, line 5). A caller in the same process may use integers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dealwright.runtime.errors import shown
from dealwright.runtime.hints.build import bad_hint
from dealwright.runtime.hints.errors import HintError
from dealwright.runtime.hints.meta import encode_meta
from dealwright.runtime.hints.model import (
    FIX_CARDS,
    FIX_TARGET,
    FORBID,
    IMPLICIT,
    MIN_CARDS,
    CardEntry,
    Discard,
    Hint,
    Method,
    NoDecision,
    Question,
    Seen,
    SelectCharacter,
    SelectRegion,
    Use,
    Watching,
)
from dealwright.runtime.hints.reply import DIALECTS, Dialect

OK: Final = 200
REFUSED: Final = 400
WATCHED: Final = frozenset({"code", "action", "players"})
"""All that a watcher's view has, in every dialect."""


def checked_dialect(dialect: str) -> Dialect:
    """One of the three dialects.

    Raises:
        HintError: "bad_dialect".
    """
    for known in DIALECTS:
        if dialect == known:
            return known
    raise HintError("bad_dialect", f"there is no dialect {shown(dialect)}")


def guard(view: Mapping[str, object]) -> None:
    """See to it that what goes to everybody holds nothing but the three keys.

    Raises:
        HintError: "bad_hint". It says no more, since the view may hold what nobody is to see.
    """
    if view.keys() != WATCHED:
        raise bad_hint("a watcher's view has other keys than code, action and players")


def encode(
    seen: Seen, dialect: str = "spec", is_explained: bool = False
) -> dict[str, object]:
    """A hint as JSON types.

    Args:
        dialect: "spec", "upstream" or "extended".
        is_explained: in `extended`, tell also why cards are forbidden and methods missing.

    Raises:
        HintError: "bad_dialect".
    """
    spoken = checked_dialect(dialect)
    if isinstance(seen, NoDecision):
        if spoken == "extended":
            return {"code": OK, "action": "none", "players": []}
        return {"code": REFUSED, "reason": seen.reason}
    view: dict[str, object] = {
        "code": OK,
        "action": seen.action,
        "players": list(seen.players),
    }
    if isinstance(seen, Watching):
        guard(view)
        return view
    view.update(_detail(seen.question, spoken))
    if spoken == "extended":
        view["meta"] = encode_meta(seen, is_explained)
    return view


def watching(seen: Hint | Watching) -> Watching:
    """What everybody else sees of a hint."""
    return Watching(seen.action, seen.players)


def _detail(question: Question, dialect: Dialect) -> dict[str, object]:
    """What only the seat that is asked gets to see."""
    detail = question.detail
    is_upstream = dialect == "upstream"
    view: dict[str, object] = {}
    # the original server has no such key at the two plain choices, which nobody can abort there
    if (
        not is_upstream
        or question.may_abort
        or not isinstance(detail, SelectCharacter | SelectRegion)
    ):
        view["abort"] = "allow" if question.may_abort else "disallow"
    match detail:
        case SelectCharacter(candidates):
            view["candidates"] = list(candidates)
        case SelectRegion(regions):
            view["regions"] = list(regions)
        case Use(cards=cards):
            listed = _cards(detail, is_upstream)
            # an empty list means something in the original: a card could be used, if there was one
            if listed or (is_upstream and cards is not None):
                view["card"] = listed
            _put_methods(view, detail, is_upstream)
        case Discard():
            _put_methods(view, detail, is_upstream)
    return view


def _put_methods(
    view: dict[str, object], detail: Use | Discard, is_upstream: bool
) -> None:
    named: dict[str, object] = {
        made.name: _method(made)
        for made in detail.methods
        if is_upstream or made.is_satisfiable
    }
    for kept in detail.unsupported:
        if isinstance(kept.key, str):
            named[kept.key] = kept.to_json()
    if named:
        view["methods"] = named


def _method(made: Method) -> dict[str, object]:
    """A method: its requirements, the one about cards first, and their parameters."""
    require: list[str] = []
    said: dict[str, object] = {"require": require}
    if made.cards is not None:
        require.append(MIN_CARDS if made.cards.is_least else FIX_CARDS)
        said["card count"] = made.cards.count
        said["cards"] = list(made.cards.cards)
    if made.targets is not None:
        require.append(FIX_TARGET)
        said["target count"] = made.targets.count
        said["targets"] = list(made.targets.targets)
    elif made.is_implicit:
        require.append(IMPLICIT)
    if not require:
        require.append(FORBID)
    return said


def _cards(detail: Use, is_upstream: bool) -> dict[str, object]:
    listed: dict[str, object] = {
        str(entry.card): _entry(entry, is_upstream) for entry in detail.cards or ()
    }
    for kept in detail.unsupported:
        if isinstance(kept.key, int):
            listed[str(kept.key)] = kept.to_json()
    return listed


def _entry(entry: CardEntry, is_upstream: bool) -> dict[str, object]:
    """A card: the page gives its kind as `type`, the original as a list of one under `require`."""
    kind = entry.kind
    need = entry.targets
    if not is_upstream and need is not None and not need.is_satisfiable:
        kind, need = "forbid", None
    said: dict[str, object] = {"require": [kind]} if is_upstream else {"type": kind}
    if need is not None:
        said["target count"] = need.count
        said["targets"] = list(need.targets)
    return said
