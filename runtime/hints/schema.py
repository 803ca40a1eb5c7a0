"""JSON Schema 2020-12: of all hints, replies and answers, and of the replies that one hint allows.

The schema of a single hint is an independent check of the validator: it is put together from the model alone. It
accepts what the validator accepts, but for two things that no schema can see: 4.0 is an integer to JSON Schema and no
id to us, and targets given under both of their keys are taken for a conflict even where they are alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from dealwright.runtime.hints.errors import HintError
from dealwright.runtime.hints.model import (
    ABORT,
    FACE,
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
from dealwright.runtime.hints.reply import (
    CARD_KEYS,
    CHOICE_KEYS,
    LITERALS,
    METHOD_KEYS,
    PAYLOAD,
    TARGET_KEYS,
)
from dealwright.runtime.hints.shapes import (
    Anything,
    Exactly,
    ListOf,
    Literally,
    MapOf,
    Number,
    Obj,
    OneOf,
    Ref,
    Shape,
    Text,
    shapes,
)

Json = dict[str, object]

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
CARD_KEY: Final = "^(0|[1-9][0-9]*)$"
EMPTY: Final[Json] = {"type": "array", "maxItems": 0}


def schema(name: str = "Hint", dialect: str = "spec") -> Json:
    """The schema of "Hint", "Reply", "Answer", or any other shape of `shapes`.

    Raises:
        HintError: "bad_dialect"; "bad_hint": there is no such shape.
    """
    known = shapes(dialect)
    if name not in {named.name for named in known}:
        raise HintError("bad_hint", f"there is no shape {name!r}")
    return {
        "$schema": DRAFT,
        "$ref": f"#/$defs/{name}",
        "$defs": {
            named.name: {"description": named.about, **_schema(named.shape)}
            for named in known
        },
    }


def _schema(shape: Shape) -> Json:
    match shape:
        case Text(but):
            only: Json = {"not": {"enum": list(but)}} if but else {}
            return {"type": "string", **only}
        case Number(None):
            return {"type": "number"}
        case Number(least):
            return {"type": "integer", "minimum": least}
        case Literally(words):
            return {"const": words[0]} if len(words) == 1 else {"enum": list(words)}
        case Exactly(words):
            return {"const": list(words)}
        case ListOf(item, is_set, most):
            listed: Json = {"type": "array", "items": _schema(item)}
            if is_set:
                listed["uniqueItems"] = True
            if most is not None:
                listed["maxItems"] = most
            return listed
        case MapOf(value, are_cards):
            mapped: Json = {"type": "object", "additionalProperties": _schema(value)}
            if are_cards:
                mapped["propertyNames"] = {"pattern": CARD_KEY}
            return mapped
        case Obj(fields, is_open):
            return {
                "type": "object",
                "properties": {field.name: _schema(field.shape) for field in fields},
                "required": [field.name for field in fields if not field.is_optional],
                **({} if is_open else {"additionalProperties": False}),
            }
        case OneOf(several):
            return {"anyOf": [_schema(one) for one in several]}
        case Ref(name):
            return {"$ref": f"#/$defs/{name}"}
        case Anything():
            return {}
        case _:
            assert_never(shape)


# the replies to one hint


def reply_schema(question: Question) -> Json:
    """The schema of the replies that this question allows, in either spelling, each with a token."""
    return {
        "$schema": DRAFT,
        "type": "object",
        "properties": {"token": {"type": "string"}},
        "required": ["token"],
        "anyOf": list(_alternatives(question)) or [False],
    }


def _alternatives(question: Question) -> Iterator[Json]:
    detail = question.detail
    if question.may_abort:
        yield _abort()
    match detail:
        case SelectCharacter(names) | SelectRegion(names):
            yield _choice(CHOICE_KEYS[detail.action], names)
        case Use():
            for entry in faces(detail):
                if entry.is_usable:
                    need = CardNeed(1, (entry.card,))
                    yield _move("use", Method(FACE, need, entry.targets))
            yield from (
                _move("use", made) for made in detail.methods if made.is_satisfiable
            )
        case Discard(methods):
            yield from (
                _move("discard", made) for made in methods if made.is_satisfiable
            )


def _abort() -> Json:
    said: Json = {"const": ABORT}
    return {
        "properties": {
            "method": said,
            "action": said,
            **dict.fromkeys(PAYLOAD, EMPTY),
        },
        "anyOf": [{"required": ["method"]}, {"required": ["action"]}],
    }


def _choice(key: str, names: tuple[str, ...]) -> Json:
    literal: Json = {"enum": sorted(LITERALS)}
    return {
        "properties": {
            key: {"enum": list(names)},
            "method": literal,
            "action": literal,
        },
        "required": [key],
    }


def _move(action: str, made: Method) -> Json:
    """A method, or a card's face: its name under either key, its cards, its targets under one of two keys."""
    said: Json = {"const": made.name}
    aimed = _aimed(made.targets)
    rules: list[Json] = [
        {"anyOf": [{"required": [key]} for key in METHOD_KEYS[action]]}
    ]
    if made.targets is not None:
        rules.append({"oneOf": [{"required": [key]} for key in TARGET_KEYS]})
    card_key = CARD_KEYS[action]
    return {
        "properties": {
            "method": said,
            "action": said,
            card_key: _cards(made.cards),
            **dict.fromkeys(TARGET_KEYS, aimed),
        },
        "required": [] if made.cards is None else [card_key],
        "allOf": rules,
    }


def _cards(need: CardNeed | None) -> Json:
    if need is None:
        return EMPTY
    return _ids(need.cards, need.count, need.highest)


def _aimed(need: TargetNeed | None) -> Json:
    return EMPTY if need is None else _ids(need.targets, need.count, need.count)


def _ids(offered: tuple[int, ...], least: int, most: int) -> Json:
    return {
        "type": "array",
        "items": {"type": "integer", "enum": list(offered)},
        "uniqueItems": True,
        "minItems": least,
        "maxItems": most,
    }
