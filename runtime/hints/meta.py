"""The key `meta` of the `extended` dialect: all that the protocol page has no place for.

It has the number of the question, its deadline, what it is about, and, for methods, what the page's requirements cannot
say: how many cards at most, and which of them go together. A client that does not know it loses nothing of the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from dealwright.runtime.errors import shown
from dealwright.runtime.hints.build import bad_hint, checked_need, numbers
from dealwright.runtime.hints.model import (
    CardNeed,
    Combos,
    Hint,
    Method,
    Note,
    methods_of,
)

VERSION: Final = 1
"""Of `meta` itself. A client that knows another version should pass over what it does not know."""


class Meta(NamedTuple):
    """What was read of `meta`, the methods apart."""

    note: Note
    seq: int | None
    deadline: float | None


def encode_meta(
    hint: Hint, is_explained: bool, is_whole: bool = False
) -> dict[str, object]:
    """`meta` of a hint, as JSON types; what is not known is left out.

    Args:
        is_explained: tell the reasons too.
        is_whole: say something about methods that nobody can carry out: for a saved question.
    """
    note = hint.question.note
    told: dict[str, object | None] = {
        "version": VERSION,
        "seq": hint.seq,
        "deadline": hint.deadline,
        "purpose": note.purpose,
        "asker": note.asker,
        "cause": note.cause,
        "about": note.about,
    }
    found = {key: value for key, value in told.items() if value is not None}
    methods = {
        made.name: _extras(made.cards)
        for made in methods_of(hint.question.detail)
        if made.cards is not None and (is_whole or made.is_satisfiable)
    }
    methods = {name: extras for name, extras in methods.items() if extras}
    if methods:
        found["methods"] = methods
    if is_explained:
        found["why"] = {
            "card": {str(card): text for card, text in note.why_cards},
            "methods": dict(note.why_methods),
        }
    return found


def _extras(need: CardNeed) -> dict[str, object]:
    """What the page's requirements cannot say about a method's cards."""
    extras: dict[str, object] = {}
    if need.most is not None:
        extras["max card count"] = need.most
    if need.combos is not None:
        extras["groups"] = [list(group) for group in need.combos.groups]
        extras["picks"] = [list(pick) for pick in need.combos.picks]
    return extras


# reading


def decode_meta(value: object) -> Meta:
    """`meta` of a hint; everything in it may be missing.

    Raises:
        HintError: "bad_hint".
    """
    told = an_object({} if value is None else value, "meta")
    why = an_object(told.get("why", {}), "meta.why")
    note = Note(
        _text(told, "purpose"),
        _number(told, "asker"),
        _number(told, "cause"),
        _number(told, "about"),
        tuple(
            (card_number(card), _a_text(text))
            for card, text in an_object(why.get("card", {}), "meta.why.card").items()
        ),
        tuple(
            (_a_text(name), _a_text(text))
            for name, text in an_object(why.get("methods", {}), "meta.why").items()
        ),
    )
    deadline = told.get("deadline")
    if deadline is not None and type(deadline) not in (int, float):
        raise bad_hint("meta.deadline must be a number")
    return Meta(note, _number(told, "seq"), deadline)  # type: ignore[arg-type]  # seen to be a number


def with_extras(made: Method, meta: object) -> Method:
    """A method with what `meta` says about it beyond the page.

    Raises:
        HintError: "bad_hint".
    """
    if made.cards is None or not isinstance(meta, Mapping):
        return made
    methods = an_object(meta.get("methods", {}), "meta.methods")
    if made.name not in methods:
        return made
    extras = an_object(methods[made.name], "a method in meta")
    combos = None
    if "groups" in extras:
        combos = Combos(
            tuple(numbers(group, "cards") for group in _lists(extras, "groups")),
            tuple(tuple(pick) for pick in _lists(extras, "picks")),  # type: ignore[arg-type]  # checked below
        )
    most = _number(extras, "max card count")
    need = replace(made.cards, most=most, combos=combos)
    return replace(made, cards=checked_need(need))


def an_object(value: object, where: str) -> Mapping[object, object]:
    """A JSON object.

    Raises:
        HintError: "bad_hint".
    """
    if not isinstance(value, Mapping):
        raise bad_hint(f"{where} must be an object, not {shown(value)}")
    return value


def card_number(key: object) -> int:
    """The number of a card that is a key: a canonical decimal, or an integer from a caller in the same process.

    Raises:
        HintError: "bad_hint": "01", "+1", " 1" and the like are no cards.
    """
    if type(key) is int and key >= 0:
        return key
    if (
        type(key) is str
        and key.isascii()
        and key.isdigit()
        and len(key) <= 4000
        and (key == "0" or key[0] != "0")
    ):
        return int(key)
    raise bad_hint(f'a card\'s key is its number, like "7", not {shown(key)}')


def _a_text(value: object) -> str:
    if type(value) is not str:
        raise bad_hint(f"a text was expected, not {shown(value)}")
    return value


def _text(told: Mapping[object, object], key: str) -> str | None:
    value = told.get(key)
    return None if value is None else _a_text(value)


def _number(told: Mapping[object, object], key: str) -> int | None:
    value = told.get(key)
    if value is not None and type(value) is not int:
        raise bad_hint(f"meta.{key} must be an integer, not {shown(value)}")
    return value


def _lists(told: Mapping[object, object], key: str) -> list[list[object]]:
    value = told.get(key)
    if type(value) is not list or not all(type(item) is list for item in value):
        raise bad_hint(f"{key} in meta must be a list of lists")
    return value
