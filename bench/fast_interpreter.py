"""An interpreter of build and compare flows, made fast with honest effort: what not compiling a rule would cost.

Everything that can be done once is done when the rule is loaded (`fast_index`). What is left at run time is the graph:
a loop over branches, and a formula is evaluated when it is first needed and kept until the flow ends, which is sound,
since these flows change nothing. It does the components that the rules of the benchmark use, in the meaning of
language.md, and refuses others when it is loaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from bench.fast_index import (
    ARITHMETIC,
    BRANCH,
    CALL,
    CARDS,
    COMPARE,
    ELEMENT,
    IS_CARDSET,
    LOGIC,
    NOT,
    PLAY_A,
    PLAY_B,
    PROPERTY,
    RECEIVER,
    RESULT,
    RETURN,
    SIZE,
    SORT,
    TABLE,
    UNKNOWN,
    Flow,
    Indexer,
    Json,
    Value,
    Values,
)
from bench.plays import HandPlay
from dealwright.runtime import CardBase, Play, PlayerBase, TableBase


@final
@dataclass(frozen=True, slots=True)
class Cardset:
    """A cardset of the rule with its flows; `compare` is None where the rule has none."""

    id: str
    name: str
    build: Flow
    compare: Flow | None
    successors: frozenset[str]


@final
class FastRule:
    """A rule whose cardsets can be recognised and compared."""

    __slots__ = ("_built", "_by_id", "_cardsets", "_comparisons", "_methods", "_names")

    def __init__(self, design: Json, attributes: Mapping[str, str]) -> None:
        """Index the rule.

        Args:
            design: the five sections of a rule file.
            attributes: the attribute of each property of card and table, by the rule's spelling.

        Raises:
            Unsupported: a node is of a type that the benchmark's rules do not use.
        """
        self._names = attributes
        self._methods = {
            (owner, name): (method["flow"], tuple(method.get("parameters", {})))
            for owner, declared in design["classes"].items()
            for name, method in declared.get("methods", {}).items()
        }
        self._built: dict[tuple[str, str], Flow] = {}
        self._cardsets: list[Cardset] = []
        self._by_id: dict[str, Flow] = {id: Flow() for id in design["cardsets"]}
        for id in sorted(design["cardsets"], key=_order):
            self._cardsets.append(self._cardset(id, design["cardsets"][id]))
        self._comparisons = self._all_comparisons(design)

    def recognize(
        self, cards: list[CardBase], game: Any = None
    ) -> Play[CardBase] | None:
        """The cardset that the cards form, or None; `game` where the rule's cardsets read the table."""
        table = None if game is None else game.table
        for cardset in self._cardsets:
            result = _run(cardset.build, cards, None, None, table)
            if result is not None:
                return HandPlay(cardset.id, cardset.name, cards, result)
        return None

    def beats(
        self, now: Play[CardBase], before: Play[CardBase], game: Any = None
    ) -> bool:
        """Whether `now` beats `before` (language.md, section 6)."""
        decision = self._comparisons[now.id, before.id]
        if decision is True or decision is False:
            return decision
        flow, is_swapped = decision
        table = None if game is None else game.table
        if is_swapped:
            return bool(_run(flow, [], before, now, table) != 0)
        return bool(_run(flow, [], now, before, table) == 0)

    def _cardset(self, id: str, cardset: Json) -> Cardset:
        defaults = {
            name: declared.get("default", 0)
            for name, declared in cardset.get("properties", {}).items()
        }
        flow = self._by_id[id]
        Indexer(self, cardset["build_flow"], flow, defaults=defaults)
        compare = self._comparison(cardset.get("compare_flow"))
        successors = frozenset(cardset.get("successors", ()))
        return Cardset(id, cardset["name"], flow, compare, successors)

    def _comparison(self, nodes: Json) -> Flow | None:
        if not nodes:
            return None
        flow = Flow()
        Indexer(self, nodes, flow, plays=True)
        return flow

    def _all_comparisons(self, design: Json) -> dict[tuple[str, str], Any]:
        """What decides for each two cardsets: a flow and whether its A is the play before, or the answer itself."""
        declared: dict[tuple[str, str], Flow] = {}
        for comparison in design.get("cardset_comparisons", {}).values():
            flow = self._comparison(comparison["compare_flow"])
            if flow is not None:
                names = comparison["cardsetA"], comparison["cardsetB"]
                declared.setdefault(names, flow)
        return {
            (now.id, before.id): _decision(now, before, declared)
            for now in self._cardsets
            for before in self._cardsets
        }

    # for the indexer

    def build_flow(self, id: str) -> Flow:
        """The build flow of a cardset, which may still have to be indexed."""
        return self._by_id[id]

    def attribute(self, name: str) -> str:
        """The attribute that holds a property of cards or of the table."""
        return "id" if name == "id" else self._names[name]

    def method(self, owner: str, name: str) -> Flow:
        """The flow of a method of a class."""
        flow = self._built.get((owner, name))
        if flow is None:
            nodes, parameters = self._methods[owner, name]
            flow = self._built[owner, name] = Flow()
            Indexer(self, nodes, flow, parameters=parameters)
        return flow


def _run(
    flow: Flow,
    cards: list[CardBase],
    play_a: Play[CardBase] | None,
    play_b: Play[CardBase] | None,
    table: TableBase | None,
) -> Value:
    """The result of a build or compare flow; None where there is none."""
    values = flow.template.copy()
    values[CARDS] = cards
    values[PLAY_A] = play_a
    values[PLAY_B] = play_b
    values[TABLE] = table
    return _follow(flow, values)


def _follow(flow: Flow, values: Values) -> Value:
    """Go through the statements of a flow: what it results in or returns."""
    nodes = flow.nodes
    statement: Any = nodes[flow.entry]
    while statement[0] == BRANCH:
        place = statement[1]
        value = values[place]
        if value is UNKNOWN:
            value = _value(nodes, values, place)
        if value is not True and value is not False:
            value = _truth(value)
        statement = nodes[statement[2] if value else statement[3]]
    if statement[0] == RESULT:
        return statement[1]
    if statement[0] == RETURN:
        value = values[statement[1]]
        return _value(nodes, values, statement[1]) if value is UNKNOWN else value
    return None


def _value(nodes: list[Any], values: Values, place: int) -> Value:
    """The value of the node at `place`, which is not known yet; from now on it is."""
    node = nodes[place]
    operation = node[0]
    value: Value
    if operation == PROPERTY:
        owner = values[node[1]]
        if owner is UNKNOWN:
            owner = _value(nodes, values, node[1])
        is_card = isinstance(owner, CardBase)
        value = getattr(owner, node[2]) if is_card else _property_of(owner, node[2])
    elif operation == ELEMENT:
        items = values[node[1]]
        if items is UNKNOWN:
            items = _value(nodes, values, node[1])
        index = values[node[2]]
        if index is UNKNOWN:
            index = _value(nodes, values, node[2])
        value = _element(items, index)
    elif operation == COMPARE:
        left = values[node[2]]
        if left is UNKNOWN:
            left = _value(nodes, values, node[2])
        right = values[node[3]]
        if right is UNKNOWN:
            right = _value(nodes, values, node[3])
        if type(left) is not int:
            left = _integer(left)
        if type(right) is not int:
            right = _integer(right)
        operator = node[1]
        if operator == 0:
            value = left == right
        elif operator == 1:
            value = left > right
        elif operator == 2:
            value = left < right
        elif operator == 3:
            value = left >= right
        else:
            value = left <= right
    elif operation == LOGIC:
        left = values[node[2]]
        if left is UNKNOWN:
            left = _value(nodes, values, node[2])
        # nothing is evaluated for its effects, so that the right side can be left alone
        value = _truth(left)
        if value == (node[1] == 0):
            right = values[node[3]]
            if right is UNKNOWN:
                right = _value(nodes, values, node[3])
            value = _truth(right)
    elif operation == SIZE:
        items = values[node[1]]
        if items is UNKNOWN:
            items = _value(nodes, values, node[1])
        value = len(items) if type(items) is list else _size(items)
    else:
        value = _rare_value(nodes, values, node)
    values[place] = value
    return value


def _rare_value(nodes: list[Any], values: Values, node: Any) -> Value:
    """The value of a node of the less frequent types."""
    operation = node[0]
    if operation == CALL:
        return _call(nodes, values, node)
    if operation == SORT:
        ordered = _cards_of(_known_value(nodes, values, node[1]))
        for key, is_descending in node[2]:
            ordered = sorted(ordered, key=key, reverse=is_descending)
        return ordered
    if operation == ARITHMETIC:
        left = _integer(_known_value(nodes, values, node[2]))
        right = _integer(_known_value(nodes, values, node[3]))
        return _arithmetic(node[1], left, right)
    if operation == NOT:
        return not _truth(_known_value(nodes, values, node[1]))
    if operation == IS_CARDSET:
        asked = _known_value(nodes, values, node[1])
        cards = [asked] if isinstance(asked, CardBase) else _cards_of(asked)
        return _run(node[2], cards, None, None, values[TABLE]) is not None
    return _quantifier(nodes, values, node)


def _known_value(nodes: list[Any], values: Values, place: int) -> Value:
    value = values[place]
    return _value(nodes, values, place) if value is UNKNOWN else value


def _call(nodes: list[Any], values: Values, node: Any) -> Value:
    """What a method returns; it sees the caller's cards and table, but not the two plays."""
    flow: Flow = node[2]
    inside = flow.template.copy()
    inside[CARDS] = values[CARDS]
    inside[TABLE] = values[TABLE]
    inside[RECEIVER] = _known_value(nodes, values, node[1])
    for place, argument in enumerate(node[3], flow.parameters):
        inside[place] = _known_value(nodes, values, argument)
    return _follow(flow, inside)


def _quantifier(nodes: list[Any], values: Values, node: Any) -> bool:
    """Some or all of the cards; each is by itself the cards being judged, so that nothing evaluated can be kept."""
    _, operator, over, component = node
    cards = _cards_of(_known_value(nodes, values, over))
    for card in cards:
        # what stands before the nodes is given, not evaluated
        inside = [
            value if nodes[place] is None else UNKNOWN
            for place, value in enumerate(values)
        ]
        inside[CARDS] = [card]
        if _truth(_known_value(nodes, inside, component)) == (operator == 0):
            return bool(operator == 0)
    return operator != 0 and bool(cards)


def _arithmetic(operator: int, left: int, right: int) -> int:
    match operator:
        case 0:
            return left + right
        case 1:
            return left - right
        case 2:
            return left * right
    if right == 0:
        return 0
    quotient = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        quotient = -quotient
    return quotient if operator == 3 else left - quotient * right


def _property_of(owner: Value, name: str) -> Value:
    """A property of what is no card."""
    if isinstance(owner, TableBase):
        return getattr(owner, name)
    if isinstance(owner, Play):
        return (
            owner.cards if name in ("cards", "牌组") else owner.properties.get(name, 0)
        )
    if isinstance(owner, PlayerBase):
        return getattr(owner, name)
    if type(owner) is list and name in ("content", ""):
        return len(owner)
    return owner


def _element(items: Value, index: Value) -> Value:
    if isinstance(items, Play):
        items = items.cards
    if type(items) is not list:
        return None
    if type(index) is not int:
        index = _integer(index)
    if index < 0:
        index = 0
    return items[index] if index < len(items) else None


def _cards_of(value: Value) -> list[CardBase]:
    if isinstance(value, Play):
        return value.cards
    return value if type(value) is list else []


def _size(value: Value) -> int:
    return len(_cards_of(value))


def _truth(value: Value) -> bool:
    return bool(value.cards) if isinstance(value, Play) else bool(value)


def _integer(value: Value) -> int:
    if value is True or value is False:
        return int(value)
    if value is None or isinstance(value, TableBase):
        return 0
    if isinstance(value, CardBase):
        return value.number()
    if isinstance(value, PlayerBase):
        return value.seat
    return value if type(value) is int else _size(value)


def _order(id: str) -> tuple[bool, int]:
    """Numeric ids by number, then the others as they stand in the document."""
    is_number = id.isascii() and id.isdecimal()
    return not is_number, int(id) if is_number else 0


def _decision(
    now: Cardset, before: Cardset, declared: Mapping[tuple[str, str], Flow]
) -> tuple[Flow, bool] | bool:
    """How a play of one cardset is held against one of another (language.md, section 6, Beating)."""
    if now.id == before.id and now.compare is not None:
        return now.compare, False
    if (now.name, before.name) in declared:
        return declared[now.name, before.name], False
    if now.id == before.id:
        return False
    if (before.name, now.name) in declared:
        return declared[before.name, now.name], True
    return before.id in now.successors
