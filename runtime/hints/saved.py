"""Questions and replies as part of a saved game.

A saved question loses nothing, unlike a hint on the wire: methods that nobody can carry out, an empty list of cards
and the reasons for what is not offered are all kept. Reading trusts nothing: whatever is damaged or forged is
refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Final

from dealwright.runtime.checks import Misfit, a_list, a_mapping, an_int, ints
from dealwright.runtime.errors import shown
from dealwright.runtime.hints.build import answerable
from dealwright.runtime.hints.decode import decode
from dealwright.runtime.hints.dialects import encode
from dealwright.runtime.hints.meta import encode_meta
from dealwright.runtime.hints.model import ACTIONS, Action, Hint, Question
from dealwright.runtime.hints.reply import Reply

MOST_BITS: Final = 128
"""Of a time that is an integer: far more than any clock has, and far less than a float holds."""
REPLY_FIELDS: Final = frozenset({"action", "name", "cards", "targets", "is_abort"})


def question_json(question: Question) -> dict[str, object]:
    """A question as JSON types, everything in it included."""
    hint = Hint((), question)
    # the original's spelling is the one that leaves nothing out of the four details
    return {
        **encode(hint, "upstream"),
        "meta": encode_meta(hint, is_explained=True, is_whole=True),
    }


def question_from(value: object) -> Question:
    """A question as it was saved.

    Raises:
        HintError: "bad_hint", "unanswerable".
        Misfit: it is no question.
    """
    seen = decode(value)
    if not isinstance(seen, Hint):
        raise Misfit("a saved question has the details of one")
    question = seen.question
    return answerable(question.detail, question.may_abort, question.note)


def reply_json(reply: Reply) -> dict[str, object]:
    """A reply as JSON types."""
    return {
        "action": reply.action,
        "name": reply.name,
        "cards": list(reply.cards),
        "targets": list(reply.targets),
        "is_abort": reply.is_abort,
    }


def reply_from(value: object, where: str) -> Reply:
    """A reply as it was saved.

    Raises:
        Misfit: it is none.
    """
    saved = a_mapping(value, where)
    fields(saved, REPLY_FIELDS, where)
    name = saved["name"]
    if type(name) is not str:
        raise Misfit(f"{where}.name must be a string, not {shown(name)}")
    return Reply(
        _action(saved["action"], where),
        name,
        tuple(ints(saved["cards"], f"{where}.cards")),
        tuple(ints(saved["targets"], f"{where}.targets")),
        a_bool(saved["is_abort"], f"{where}.is_abort"),
    )


def _action(value: object, where: str) -> Action:
    for action in ACTIONS:
        if value == action:
            return action
    raise Misfit(f"{where}.action is none of the four: {shown(value)}")


# small checks


def fields(
    saved: Mapping[object, object], names: frozenset[str], where: str
) -> Mapping[object, object]:
    """An object with exactly these keys."""
    if saved.keys() != names:
        raise Misfit(f"{where} must have the keys {', '.join(sorted(names))}")
    return saved


def a_bool(value: object, where: str) -> bool:
    """True or False."""
    if type(value) is not bool:
        raise Misfit(f"{where} must be true or false, not {shown(value)}")
    return value


def a_time(value: object, where: str) -> float | None:
    """Seconds, or None. JSON has no infinity, and no sum of times may become too large for a float."""
    if value is None or is_seconds(value):
        return value  # type: ignore[return-value]  # seen to be a number
    raise Misfit(f"{where} must be a number or null, not {shown(value)}")


def is_seconds(value: object) -> bool:
    """Whether it is a finite number of seconds that can be added to others."""
    if type(value) is int:
        return value.bit_length() <= MOST_BITS
    return type(value) is float and isfinite(value)


def pairs(value: object, where: str) -> list[tuple[int, object]]:
    """A list of `[seat, something]`; no seat is there twice."""
    found: list[tuple[int, object]] = []
    for place, item in enumerate(a_list(value, where)):
        pair = a_list(item, f"{where}[{place}]")
        if len(pair) != 2:
            raise Misfit(f"{where}[{place}] must be a seat and what belongs to it")
        found.append((an_int(pair[0], f"{where}[{place}]"), pair[1]))
    if len({seat for seat, _ in found}) != len(found):
        raise Misfit(f"{where} names a seat twice")
    return found
