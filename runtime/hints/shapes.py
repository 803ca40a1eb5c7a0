"""What hints, replies and answers look like on the wire: one description, from which schemas and types are printed.

It is made from the words of the model, the kinds of refusal and the spellings of the dialects, so it follows when they
change. `schema` prints it as JSON Schema, `typescript` as types.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias, final, get_args

from dealwright.runtime.hints.dialects import OK, REFUSED, checked_dialect
from dealwright.runtime.hints.errors import Kind
from dealwright.runtime.hints.model import (
    ABORT,
    FACE,
    FIX_CARDS,
    FIX_TARGET,
    FORBID,
    IMPLICIT,
    MIN_CARDS,
    NoDecision,
)

Word: TypeAlias = str | int


@final
@dataclass(frozen=True, slots=True)
class Text:
    """Any string, or any but the ones given."""

    but: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Number:
    """An integer from `least` on; any number if it is None."""

    least: int | None = 0


@final
@dataclass(frozen=True, slots=True)
class Literally:
    """One of these."""

    words: tuple[Word, ...]


@final
@dataclass(frozen=True, slots=True)
class Exactly:
    """A list of just these words, in this order."""

    words: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class ListOf:
    """A list.

    Attributes:
        is_set: nothing is in it twice.
        most: how many there are at most.
    """

    item: Shape
    is_set: bool = False
    most: int | None = None


@final
@dataclass(frozen=True, slots=True)
class MapOf:
    """An object with any keys; canonical decimals if `are_cards`."""

    value: Shape
    are_cards: bool = False


@final
@dataclass(frozen=True, slots=True)
class Field:
    """A key of an object."""

    name: str
    shape: Shape
    is_optional: bool = False


@final
@dataclass(frozen=True, slots=True)
class Obj:
    """An object with these keys; others too, which mean nothing, if it is open."""

    fields: tuple[Field, ...]
    is_open: bool = False


@final
@dataclass(frozen=True, slots=True)
class OneOf:
    """One of several shapes."""

    shapes: tuple[Shape, ...]


@final
@dataclass(frozen=True, slots=True)
class Ref:
    """A shape that has a name."""

    name: str


@final
@dataclass(frozen=True, slots=True)
class Anything:
    """Any JSON value."""


Shape: TypeAlias = (
    Text | Number | Literally | Exactly | ListOf | MapOf | Obj | OneOf | Ref | Anything
)


@final
@dataclass(frozen=True, slots=True)
class Named:
    """A shape with a name and a sentence about it."""

    name: str
    about: str
    shape: Shape


IDS: Final = ListOf(Number(), is_set=True)
CARD_PARTS: Final = (None, FIX_CARDS, MIN_CARDS)
TARGET_PARTS: Final = (None, FIX_TARGET, IMPLICIT)


def shapes(dialect: str = "spec") -> tuple[Named, ...]:
    """All shapes of a dialect, each after those that it refers to.

    Raises:
        HintError: "bad_dialect".
    """
    spoken = checked_dialect(dialect)
    meta = _meta() if spoken == "extended" else ()
    return (*meta, *_hints(spoken), *_replies(spoken), *_answers(spoken))


# hints


def _hints(dialect: str) -> tuple[Named, ...]:
    names = ("SelectCharacterHint", "RegionHint", "UseHint", "DiscardHint")
    methods = MapOf(Ref("Method"))
    discards = MapOf(Ref("DiscardMethod"))
    return (
        Named("CardUse", "Whether and at whom a card is used.", _card_use(dialect)),
        Named("Method", "A way to use cards, or a skill.", OneOf(_methods(True))),
        Named(
            "DiscardMethod",
            "A way to discard, show or play cards.",
            OneOf(_methods(False)),
        ),
        _hint(dialect, names[0], "select character", Field("candidates", _names())),
        _hint(dialect, names[1], "region", Field("regions", _names())),
        _hint(
            dialect,
            names[2],
            "use",
            Field("card", MapOf(Ref("CardUse"), are_cards=True), True),
            Field("methods", methods, True),
        ),
        _hint(dialect, names[3], "discard", Field("methods", discards, True)),
        Named(
            "Watching",
            "What those see who are not asked.",
            Obj(
                (
                    Field("code", Literally((OK,))),
                    Field("action", Text()),
                    Field("players", IDS),
                )
            ),
        ),
        Named("NoDecision", "Nobody is asked anything.", _no_decision(dialect)),
        Named(
            "Hint",
            "Whatever a client may be sent.",
            OneOf((*(Ref(name) for name in names), Ref("Watching"), Ref("NoDecision"))),
        ),
    )


def _names() -> Shape:
    return ListOf(Text(), is_set=True)


def _hint(dialect: str, name: str, action: str, *details: Field) -> Named:
    # the original server has no such key at the two plain choices, unless somebody may abort one
    is_plain = action in ("select character", "region")
    fields = (
        Field("code", Literally((OK,))),
        Field("action", Literally((action,))),
        Field("players", IDS),
        Field(
            "abort",
            Literally(("allow", "disallow")),
            is_plain and dialect == "upstream",
        ),
        *details,
        *((Field("meta", Ref("Meta")),) if dialect == "extended" else ()),
    )
    return Named(name, f"Somebody is asked: {action}.", Obj(fields))


def _no_decision(dialect: str) -> Shape:
    if dialect == "extended":
        return Obj(
            (
                Field("code", Literally((OK,))),
                Field("action", Literally(("none",))),
                Field("players", ListOf(Number(), most=0)),
            )
        )
    reasons = (NoDecision().reason, NoDecision(is_over=True).reason)
    return Obj(
        (
            Field("code", Literally((REFUSED,))),
            Field("reason", Literally(reasons)),
        )
    )


def _card_use(dialect: str) -> Shape:
    def kind(word: str) -> Field:
        if dialect == "upstream":
            return Field("require", Exactly((word,)))
        return Field("type", Literally((word,)))

    return OneOf(
        (
            Obj((kind(FORBID),)),
            Obj((kind(IMPLICIT),)),
            Obj((kind(FIX_TARGET), *_aims())),
        )
    )


def _aims() -> tuple[Field, ...]:
    return Field("target count", Number(1)), Field("targets", IDS)


def _methods(has_targets: bool) -> tuple[Shape, ...]:
    """Every way in which requirements may be joined."""
    found: list[Shape] = []
    for cards in CARD_PARTS:
        for targets in TARGET_PARTS:
            if targets == FIX_TARGET and not has_targets:
                continue
            require = tuple(word for word in (cards, targets) if word is not None)
            fields = [Field("require", Exactly(require or (FORBID,)))]
            if cards is not None:
                fields += [Field("card count", Number(1)), Field("cards", IDS)]
            if targets == FIX_TARGET:
                fields += _aims()
            found.append(Obj(tuple(fields)))
    return tuple(found)


def _meta() -> tuple[Named, ...]:
    texts = MapOf(Text())
    return (
        Named(
            "MethodMeta",
            "What a method's requirements cannot say.",
            Obj(
                (
                    Field("max card count", Number(1), True),
                    Field("groups", ListOf(IDS), True),
                    Field("picks", ListOf(ListOf(Number())), True),
                )
            ),
        ),
        Named(
            "Meta",
            "What the protocol page has no place for.",
            Obj(
                (
                    Field("version", Number(1)),
                    Field("seq", Number(1), True),
                    Field("deadline", Number(None), True),
                    Field("purpose", Text(), True),
                    *(
                        Field(name, Number(), True)
                        for name in ("asker", "cause", "about")
                    ),
                    Field("methods", MapOf(Ref("MethodMeta")), True),
                    Field(
                        "why",
                        Obj((Field("card", texts), Field("methods", texts))),
                        True,
                    ),
                )
            ),
        ),
    )


# replies and answers


def _replies(dialect: str) -> tuple[Named, ...]:
    is_upstream = dialect == "upstream"
    named = Text((ABORT,))
    replies: tuple[Named, ...] = (
        _reply(dialect, "SelectCharacterReply", Field("select", Text())),
        _reply(dialect, "RegionReply", Field("region", Text())),
        _reply(
            dialect,
            "CardReply",
            Field("action", Literally((FACE,))),
            Field("use", ListOf(Number(), True)),
            Field("targets" if is_upstream else "players", IDS, True),
        ),
        _reply(
            dialect,
            "UseReply",
            Field("action", Text((ABORT, FACE))),
            Field("use", IDS, True),
            Field("targets" if is_upstream else "players", IDS, True),
        ),
        _reply(
            dialect,
            "DiscardReply",
            Field("method", named),
            Field("discard", IDS, True),
        ),
        _reply(dialect, "AbortReply", Field("method", Literally((ABORT,)))),
    )
    if is_upstream:
        use_abort = Field("action", Literally((ABORT,)))
        replies = (*replies, _reply(dialect, "UseAbortReply", use_abort))
    union = OneOf(tuple(Ref(reply.name) for reply in replies))
    return (*replies, Named("Reply", "Whatever a client may send.", union))


def _reply(dialect: str, name: str, *fields: Field) -> Named:
    seq = Obj((Field("seq", Number(1)),))
    meta = (Field("meta", seq, True),) if dialect == "extended" else ()
    shape = Obj((Field("token", Text()), *fields, *meta), is_open=True)
    return Named(name, "A reply.", shape)


def _answers(dialect: str) -> tuple[Named, ...]:
    error = Obj(
        (
            Field("kind", Literally(get_args(Kind))),
            Field("path", ListOf(OneOf((Text(), Number())))),
            Field("sentence", Text()),
            Field("values", MapOf(Anything())),
            Field("hint", Ref("Hint"), True),
        )
    )
    return (
        Named("Accepted", "The reply counts.", Obj((Field("code", Literally((OK,))),))),
        Named(
            "Refused",
            "The reply does not count, and nothing has changed.",
            Obj(
                (
                    Field("code", Literally((REFUSED,))),
                    Field("reason", Text()),
                    Field("error", error),
                )
            ),
        ),
        Named(
            "Answer",
            "What a client is told about its reply.",
            OneOf((Ref("Accepted"), Ref("Refused"))),
        ),
    )
