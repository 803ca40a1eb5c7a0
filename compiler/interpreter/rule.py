"""The oracle's view of a rule: plain JSON indexed once, with every default filled in.

In goes the parsed JSON of a file that the loader has accepted, out comes a `Rule`: flows whose nodes and references
are easy to look up, the start values of the three classes, the deck, the cardsets in order of recognition and the
comparisons that count. Part of the oracle (`interpret.py`), so it imports the standard library and nothing else:
what it says about a rule must not come from the compiler that it judges.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, final

FlowKind: TypeAlias = Literal["match", "end", "build", "compare", "method"]
RefKind: TypeAlias = Literal[
    "none",
    "value",
    "cards",
    "now",
    "before",
    "current",
    "argument",
    "caller",
    "table",
    "player",
    "card",
    "node",
]

CALLER = "调用该方法的对象"
CHOICE = "用户做出的选择"
HAND_SIZE = "手牌数"
ALL_PLAYERS, DECK = "玩家池", "卡牌池"

#: Properties that are computed, never stored (contract, section 2).
VIRTUAL = MappingProxyType(
    {"table": (ALL_PLAYERS, DECK), "player": ("id",), "card": ("id",)}
)
KEPT_TABLE = MappingProxyType(
    {
        "player_index": 0,
        "index": 0,
        "cur_max": -1,
        "settlement_index": 0,
        "本轮应出牌者": 0,
        CHOICE: 0,
    }
)

_CARDS = frozenset(
    {"cards", "card_set", "selectedCards", "selected_cards", "初始牌组", "牌组"}
)
_NOW = frozenset(
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
_BEFORE = frozenset(
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
_OBJECT = re.compile(r"(player|card)_([0-9]+)")
_TERMINALS = frozenset({18, 24, 26, 28, 30})


def integer_or_none(raw: Any) -> int | None:
    """A JSON integer, else None; `true` and `false` are no integers (decision 21)."""
    return raw if isinstance(raw, int) and not isinstance(raw, bool) else None


def integer_or_zero(raw: Any) -> int:
    """A JSON integer, else 0."""
    return integer_or_none(raw) or 0


def mapping(raw: Any) -> Mapping[str, Any]:
    """A JSON object; missing, null or anything else counts as an empty one."""
    return raw if isinstance(raw, Mapping) else {}


def items(raw: Any) -> list[Any]:
    """A JSON array; missing, null or anything else counts as an empty one."""
    return raw if isinstance(raw, list) else []


def is_blank(raw: Any) -> bool:
    """Whether a field says "not connected": missing, null or only white space."""
    return raw is None or (isinstance(raw, str) and not raw.strip())


@final
@dataclass(frozen=True, slots=True)
class Reference:
    """What a reference names: its kind, and the literal, number, parameter or node id that goes with the kind."""

    kind: RefKind
    value: Any = None


NOTHING = Reference("none")


def named_object(raw: Any) -> Reference:
    """The object named by an `ident` of operator 0 or an `object` of a method call (contract, section 3, end).

    Bare digits mean a player here; node ids, parameters and literals mean nothing.
    """
    if (number := integer_or_none(raw)) is not None:
        return Reference("player", number) if number >= 0 else NOTHING
    text = raw.strip() if isinstance(raw, str) else ""
    if text == "玩家":
        return Reference("current")
    if re.fullmatch("[0-9]+", text):
        return Reference("player", int(text))
    return _spelled_object(text) or NOTHING


def _spelled_object(text: str) -> Reference | None:
    if text == "table_0":
        return Reference("table")
    if found := _OBJECT.fullmatch(text):
        return Reference("player" if found[1] == "player" else "card", int(found[2]))
    return None


@final
@dataclass(frozen=True, slots=True)
class Node:
    """One component of a flow. Jumps and `count` are taken from the node, else from its content; "" means no edge."""

    id: str
    type: int
    content: Mapping[str, Any]
    next: str
    exits: tuple[str, str]
    count: int | None

    @property
    def operator(self) -> int:
        """The operator; a missing one is 0."""
        return integer_or_zero(self.content.get("operator"))

    def jumps(self) -> tuple[str, ...]:
        """The control edges: two of a branch, none of a terminal, else `next`."""
        if self.type == 16:
            return self.exits
        return () if self.type in _TERMINALS else (self.next,)


def _jump(*candidates: Any) -> str:
    return next((raw for raw in candidates if isinstance(raw, str) and raw.strip()), "")


def _node(name: str, raw: Any) -> Node:
    fields = mapping(raw)
    content = mapping(fields.get("content"))
    counts = (
        integer_or_none(fields.get("count")),
        integer_or_none(content.get("count")),
    )
    return Node(
        id=name,
        type=integer_or_zero(fields.get("type")),
        content=content,
        next=_jump(fields.get("next"), content.get("next")),
        exits=(
            _jump(fields.get("next_true"), content.get("next_true")),
            _jump(fields.get("next_false"), content.get("next_false")),
        ),
        count=next((count for count in counts if count is not None), None),
    )


@final
class Flow:
    """A graph of nodes, with what its references mean. Invariant: `reference` depends on the flow alone."""

    __slots__ = ("_references", "kind", "nodes", "parameters")

    def __init__(
        self, kind: FlowKind, raw: Any, parameters: Iterable[str] = ()
    ) -> None:
        self.kind = kind
        self.nodes = {name: _node(name, node) for name, node in mapping(raw).items()}
        self.parameters = tuple(parameters)
        self._references: dict[str, Reference] = {}

    def reference(self, raw: Any) -> Reference:
        """What `raw` refers to in this flow, by the order of the contract, section 3."""
        if isinstance(raw, int):
            return Reference("value", raw)
        if not isinstance(raw, str):
            return NOTHING
        if raw not in self._references:
            self._references[raw] = self._keyword(raw.strip()) or self._other(
                raw, raw.strip()
            )
        return self._references[raw]

    def _keyword(self, text: str) -> Reference | None:
        if not text:
            return NOTHING
        if text in _CARDS:
            return Reference("cards")
        if self.kind == "compare" and text in _NOW | _BEFORE:
            return Reference("now" if text in _NOW else "before")
        if text == "玩家":
            return Reference("current")
        if self.kind == "method" and text in self.parameters:
            return Reference("argument", text)
        if self.kind == "method" and text == CALLER:
            return Reference("caller")
        return _spelled_object(text)

    def _other(self, raw: str, text: str) -> Reference:
        if raw in self.nodes:
            return Reference("node", raw)
        if text.lower() in ("true", "false"):
            return Reference("value", text.lower() == "true")
        if re.fullmatch("[+-]?[0-9]+", text):
            return Reference("value", int(text))
        return NOTHING

    def control_reaches(self, node_type: int) -> bool:
        """Whether control can come from node "1" to a node of this type, conditions ignored."""
        seen, waiting = {""}, ["1"]
        while waiting:
            name = waiting.pop()
            if name in seen or name not in self.nodes:
                continue
            seen.add(name)
            if self.nodes[name].type == node_type:
                return True
            waiting.extend(self.nodes[name].jumps())
        return False


@final
@dataclass(frozen=True, slots=True)
class Cardset:
    """A cardset of the rule. `compare` is None when its comparison counts as not written (no reachable 30)."""

    id: str
    name: str
    defaults: Mapping[str, int]
    build: Flow
    compare: Flow | None
    successors: frozenset[str]

    @property
    def number(self) -> int:
        """What `cardsetId` reads as (decision 11)."""
        last = self.id.rpartition("_")[2]
        return int(last) if re.fullmatch("[+-]?[0-9]+", last) else 0


def _comparison(raw: Any) -> Flow | None:
    flow = Flow("compare", raw)
    return flow if flow.control_reaches(30) else None


def _cardset(name: str, raw: Mapping[str, Any]) -> Cardset:
    return Cardset(
        id=name,
        name=raw.get("name") or "",
        defaults={
            key: _default(spec) for key, spec in mapping(raw.get("properties")).items()
        },
        build=Flow("build", raw.get("build_flow")),
        compare=_comparison(raw.get("compare_flow")),
        successors=frozenset(
            str(successor) for successor in items(raw.get("successors"))
        ),
    )


def _default(spec: Any) -> int:
    return integer_or_zero(mapping(spec).get("default"))


def _deck_values(spec: Any) -> list[int]:
    """What one card property contributes to the deck's product: enum values, else the default."""
    if mapping(spec).get("type") != "enum":
        return [_default(spec)]
    listed = (
        integer_or_none(mapping(option).get("value"))
        for option in items(mapping(spec).get("config"))
    )
    return [value for value in listed if value is not None] or [_default(spec)]


@final
class Rule:
    """A rule document indexed once; immutable afterwards, so any number of matches may share it.

    Arguments: `document` is `{"meta", "design"}` or the bare five sections, already accepted by the loader; `players`
    overrides the number of players of the file. `name` and `players` are None where nothing declares them; `deck`
    holds the properties of card_1, card_2, … without the virtual `id`. Source: contract, sections 1 and 2.
    """

    def __init__(
        self, document: Mapping[str, Any], *, players: int | None = None
    ) -> None:
        meta = mapping(document.get("meta"))
        design = mapping(document.get("design")) if "design" in document else document
        self.name: str | None = meta.get("name") or None
        self.players = (
            players if players is not None else integer_or_none(meta.get("playerCount"))
        )
        self._classes = mapping(design.get("classes"))
        self.card_properties = tuple(name for name in self._declared("card"))
        self.deck = list(self._deck())
        self.table_start = self._start("table") | KEPT_TABLE
        self.player_start = self._start("player") | {HAND_SIZE: 0}
        self.methods = dict(self._methods())
        found = [
            _cardset(name, raw) for name, raw in mapping(design.get("cardsets")).items()
        ]
        self.cardsets = tuple(sorted(found, key=_recognition_order))
        self.cardset_by_id = {cardset.id: cardset for cardset in found}
        self.cardset_by_name = {cardset.name: cardset for cardset in found}
        self._comparisons = tuple(
            _comparisons(mapping(design.get("cardset_comparisons")).values())
        )
        self.match_flow = Flow("match", design.get("match_flow"))
        self.end_flow = Flow("end", design.get("end_flow"))

    def comparison(self, first: str, second: str) -> Flow | None:
        """The first written comparison in document order of these two cardset names, in this order."""
        return next(
            (flow for a, b, flow in self._comparisons if (a, b) == (first, second)),
            None,
        )

    def _declared(self, owner: str) -> dict[str, Any]:
        section = mapping(self._classes.get(owner))
        # a user property of the same name wins and keeps the place of the default one, as merging dicts does
        return {
            **mapping(section.get("default_properties")),
            **mapping(section.get("user_properties")),
        }

    def _start(self, owner: str) -> dict[str, int]:
        return {
            name: _default(spec)
            for name, spec in self._declared(owner).items()
            if name not in VIRTUAL[owner]
        }

    def _deck(self) -> Iterator[dict[str, int]]:
        declared = self._declared("card")
        for values in itertools.product(
            *(_deck_values(spec) for spec in declared.values())
        ):
            yield {
                name: value
                for name, value in zip(declared, values, strict=True)
                if name not in VIRTUAL["card"]
            }

    def _methods(self) -> Iterator[tuple[tuple[str, str], Flow]]:
        for owner in ("player", "card", "table"):
            for name, raw in mapping(
                mapping(self._classes.get(owner)).get("methods")
            ).items():
                method = mapping(raw)
                yield (owner, name), Flow(
                    "method", method.get("flow"), mapping(method.get("parameters"))
                )


def _comparisons(sections: Iterable[Any]) -> Iterator[tuple[str, str, Flow]]:
    for raw in sections:
        section = mapping(raw)
        if (flow := _comparison(section.get("compare_flow"))) is not None:
            yield str(section.get("cardsetA")), str(section.get("cardsetB")), flow


def _recognition_order(cardset: Cardset) -> tuple[bool, int]:
    """Numeric ids first and by number; sorting is stable, so everything else keeps document order."""
    is_number = re.fullmatch("[0-9]+", cardset.id) is not None
    return (not is_number, int(cardset.id) if is_number else 0)
