"""What a reference of the rule language may mean, and how one is resolved (contract, section 3).

`resolve` turns the JSON value of a reference field into one of the small classes below, given the flow it stands in.
`resolve_object` does the same for the fields that name an object: the `ident` of type 6 operator 0, the `object` of
type 1, the target of an assignment. Neither reports anything: `check` does, from the same answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias, final

from dealwright.compiler.rule.model import Flow, FlowKind, Node, Rule, RuleClass

JUDGED_WORDS = frozenset(
    {"cards", "card_set", "selectedCards", "selected_cards", "初始牌组", "牌组"}
)
A_WORDS = frozenset(
    {
        "A",
        "a",
        "cardsetA",
        "cardset_a",
        "currentRound",
        "current_round",
        "牌型A",
        "牌型 A",
    }
)
B_WORDS = frozenset(
    {
        "B",
        "b",
        "cardsetB",
        "cardset_b",
        "previousRound",
        "previous_round",
        "牌型B",
        "牌型 B",
    }
)
CURRENT_PLAYER_WORD = "玩家"
OWNER_WORD = "调用该方法的对象"

_INTEGER = re.compile(r"[+-]?[0-9]+\Z")
_OBJECT = re.compile(r"(player|card)_([0-9]+)\Z")


@final
@dataclass(frozen=True, slots=True)
class NoReference:
    """Blank, missing or null."""


@final
@dataclass(frozen=True, slots=True)
class JudgedCards:
    """The cards being judged."""


@final
@dataclass(frozen=True, slots=True)
class PlayRef:
    """One of the two plays of a comparison: A (now) or B (before)."""

    is_a: bool


@final
@dataclass(frozen=True, slots=True)
class CurrentPlayerRef:
    """玩家."""


@final
@dataclass(frozen=True, slots=True)
class ParameterRef:
    """A parameter of the method, by name."""

    name: str


@final
@dataclass(frozen=True, slots=True)
class OwnerRef:
    """调用该方法的对象: the object whose method runs."""


@final
@dataclass(frozen=True, slots=True)
class TableRef:
    """table_0."""


@final
@dataclass(frozen=True, slots=True)
class PlayerRef:
    """player_N."""

    seat: int


@final
@dataclass(frozen=True, slots=True)
class CardRef:
    """card_N."""

    number: int


@final
@dataclass(frozen=True, slots=True)
class NodeRef:
    """A node of the same flow."""

    id: str


@final
@dataclass(frozen=True, slots=True)
class LiteralRef:
    """An integer, or a boolean (then `is_boolean`)."""

    value: int
    is_boolean: bool


@final
@dataclass(frozen=True, slots=True)
class UnknownRef:
    """A text that names nothing; it reads none. The text is as it was written, with spaces around it."""

    text: str


ObjectRef: TypeAlias = TableRef | PlayerRef | CardRef | CurrentPlayerRef
Reference: TypeAlias = (
    NoReference
    | JudgedCards
    | PlayRef
    | ParameterRef
    | OwnerRef
    | NodeRef
    | LiteralRef
    | UnknownRef
    | ObjectRef
)


@final
@dataclass(frozen=True, slots=True)
class Scope:
    """Where references are resolved: the flow, and in a method its parameters."""

    flow: Flow
    parameters: frozenset[str] = frozenset()


def keyword(text: str, scope: Scope) -> Reference | None:
    """The meaning of a trimmed text as a keyword of this scope, or None if it is none (contract 3, point 2)."""
    if text in JUDGED_WORDS:
        return JudgedCards()
    if scope.flow.kind is FlowKind.COMPARE:
        if text in A_WORDS:
            return PlayRef(is_a=True)
        if text in B_WORDS:
            return PlayRef(is_a=False)
    if text == CURRENT_PLAYER_WORD:
        return CurrentPlayerRef()
    if scope.flow.kind is FlowKind.METHOD:
        if text in scope.parameters:
            return ParameterRef(text)
        if text == OWNER_WORD:
            return OwnerRef()
    return None


def named_object(text: str) -> ObjectRef | None:
    """`table_0`, `player_N` or `card_N` as the object, else None."""
    if text == "table_0":
        return TableRef()
    found = _OBJECT.match(text)
    if found is None:
        return None
    number = _small_integer(found[2])
    return PlayerRef(number) if found[1] == "player" else CardRef(number)


def resolve(raw: object, scope: Scope) -> Reference:
    """What the JSON value `raw` of a reference field means in this scope.

    Strings are tried as keyword, object, node id (exact, untrimmed) and literal, in that order; integers and booleans are
    literals. Values of other JSON types, which `load` refuses, count as naming nothing.
    """
    if raw is None:
        return NoReference()
    if isinstance(raw, bool):
        return LiteralRef(int(raw), is_boolean=True)
    if isinstance(raw, int):
        return LiteralRef(raw, is_boolean=False)
    if not isinstance(raw, str):
        return UnknownRef(str(raw))
    text = raw.strip()
    if not text:
        return NoReference()
    known = keyword(text, scope) or named_object(text)
    if known is not None:
        return known
    if raw in scope.flow.nodes:
        return NodeRef(raw)
    if text.lower() in ("true", "false"):
        return LiteralRef(int(text.lower() == "true"), is_boolean=True)
    if _INTEGER.match(text):
        return LiteralRef(_small_integer(text), is_boolean=False)
    return UnknownRef(raw)


def resolve_object(raw: object) -> ObjectRef | None:
    """The object that `raw` names (`table_0`, `player_N` or bare digits N, `card_N`, `玩家`), or None."""
    if isinstance(raw, int) and not isinstance(raw, bool):
        return PlayerRef(raw) if raw >= 0 else None
    if not isinstance(raw, str):
        return None
    text = raw.strip()
    if text == CURRENT_PLAYER_WORD:
        return CurrentPlayerRef()
    if text.isascii() and text.isdigit():
        return PlayerRef(_small_integer(text))
    return named_object(text)


def _small_integer(digits: str) -> int:
    """The integer of a decimal text that `load` has bounded in length."""
    return int(digits)


@final
@dataclass(frozen=True, slots=True)
class LatestRef:
    """The cards of the latest action: a 21 read plainly or through its special pair."""


@final
@dataclass(frozen=True, slots=True)
class ChoiceRef:
    """The latest choice: a 22 read plainly or through its special pair."""


@final
@dataclass(frozen=True, slots=True)
class PlayPropertyRef:
    """`牌型A.x` or `牌型B.x` on a start of comparison."""

    is_a: bool
    property: str


Pair: TypeAlias = (
    LatestRef
    | ChoiceRef
    | PlayPropertyRef
    | PlayRef
    | JudgedCards
    | OwnerRef
    | ParameterRef
    | CurrentPlayerRef
    | TableRef
)

_PAIRS: dict[tuple[int, str], Pair] = {
    (17, "牌桌"): TableRef(),
    (21, "用户打出的牌组"): LatestRef(),
    (22, "用户做出的选择"): ChoiceRef(),
    (23, "玩家"): CurrentPlayerRef(),
    (25, "调用该方法的对象"): OwnerRef(),
    (27, "传入牌组"): JudgedCards(),
    (29, "牌型A"): PlayRef(is_a=True),
    (29, "牌型 A"): PlayRef(is_a=True),
    (29, "牌型B"): PlayRef(is_a=False),
    (29, "牌型 B"): PlayRef(is_a=False),
}
_PLAY_PROPERTY = re.compile(r"牌型 ?([AB])\.(.*)\Z", re.DOTALL)


def special_pair(node: Node, property: str, scope: Scope) -> Pair | None:
    """What `property` of a start or wait node means if it is one of the node's special pairs, else None.

    Source: contract, section 5, type 6. Parameters are pairs of a 25 in a method.
    """
    fixed = _PAIRS.get((node.type, property))
    if fixed is not None:
        return fixed
    if (
        node.type == 25
        and scope.flow.kind is FlowKind.METHOD
        and property in scope.parameters
    ):
        return ParameterRef(property)
    if node.type == 29 and (found := _PLAY_PROPERTY.match(property)) is not None:
        return PlayPropertyRef(found[1] == "A", found[2])
    return None


def pair_names(node: Node, scope: Scope) -> tuple[str, ...]:
    """The properties that are special pairs of a start or wait node, each in one spelling."""
    fixed = [name for kind, name in _PAIRS if kind == node.type and " " not in name]
    is_method = node.type == 25 and scope.flow.kind is FlowKind.METHOD
    return (*fixed, *(sorted(scope.parameters) if is_method else ()))


def own_property(name: str) -> str:
    """The property of a play that a name means: `牌型A.x` is its x, whichever play is asked."""
    found = _PLAY_PROPERTY.match(name)
    return name if found is None else found[2]


def plain_value(node: Node) -> Pair | NoReference | None:
    """What a start or wait node means when it is read plainly; None if it is neither (contract, section 5)."""
    if node.type == 21:
        return LatestRef()
    if node.type == 22:
        return ChoiceRef()
    if node.type == 27:
        return JudgedCards()
    return NoReference() if node.type in (17, 23, 25, 29) else None


def scopes(rule: Rule) -> Iterator[tuple[Scope, RuleClass | None]]:
    """Every flow of the rule as a scope, methods with their class: methods, cardsets, comparisons, match, end."""
    for owner in rule.classes():
        for method in owner.methods.values():
            yield Scope(method.flow, frozenset(method.parameters)), owner
    for cardset in rule.cardsets:
        yield Scope(cardset.build), None
        if cardset.compare is not None:
            yield Scope(cardset.compare), None
    for comparison in rule.comparisons:
        if comparison.flow is not None:
            yield Scope(comparison.flow), None
    yield Scope(rule.match_flow), None
    yield Scope(rule.end_flow), None
