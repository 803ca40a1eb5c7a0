"""Indexing build and compare flows for the fast interpreter: everything that can be done once, when a rule is loaded.

References become places in a list, constants and keywords are filled in beforehand, nodes that control merely passes
through are skipped, sort keys and the dictionaries of results are ready.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, Final, Protocol, TypeAlias, final

Json: TypeAlias = Any
Value: TypeAlias = Any  # whatever a node of a rule can be worth
Values: TypeAlias = list[Value]
NodeTuple: TypeAlias = tuple[Any, ...]  # an operation and its operands

UNKNOWN: Final = object()
"""Stands for the value of a node that nobody has needed yet."""

# the first places of every list of values
CARDS, PLAY_A, PLAY_B, TABLE, RECEIVER, NONE, PLAYER = range(7)

KEYWORDS: Final = {
    **dict.fromkeys(
        ("cards", "card_set", "selectedCards", "selected_cards", "初始牌组", "牌组"),
        CARDS,
    ),
    "table_0": TABLE,
    "玩家": PLAYER,
    "调用该方法的对象": RECEIVER,
}
PLAYS: Final = {
    **dict.fromkeys(("A", "a", "currentRound", "current_round", "牌型A"), PLAY_A),
    **dict.fromkeys(("B", "b", "previousRound", "previous_round", "牌型B"), PLAY_B),
}
OWN_NAMES: Final = {"table_0": "table", "玩家": "player"}

# operations on values, and the three statements that are left of the control flow
COMPARE, PROPERTY, ELEMENT, SIZE, LOGIC, CALL, SORT, ARITHMETIC = range(8)
IS_CARDSET, QUANTIFIER, NOT, BRANCH, RESULT, RETURN, END = range(8, 15)


class Unsupported(Exception):
    """The rule uses a component that this interpreter does not know."""


@final
class Flow:
    """A flow, indexed.

    Attributes:
        nodes: the operation and operands of each place; None for what is known beforehand.
        template: the values known beforehand, `UNKNOWN` elsewhere; a run starts with a copy.
        entry: the first statement.
        parameters: the place of the first parameter of a method.
    """

    __slots__ = ("entry", "nodes", "parameters", "template")

    def __init__(self) -> None:
        self.nodes: list[NodeTuple | None] = []
        self.template: Values = []
        self.entry = 0
        self.parameters = 0


class Methods(Protocol):
    """What an indexer asks of the rule that its flow belongs to."""

    def build_flow(self, id: str) -> Flow: ...

    def attribute(self, name: str) -> str: ...

    def method(self, owner: str, name: str) -> Flow: ...


@final
class Indexer:
    """Turns the nodes of one flow into a `Flow`; it is done once it has been made."""

    def __init__(
        self,
        rule: Methods,
        nodes: Json,
        flow: Flow,
        *,
        defaults: Mapping[str, int] | None = None,
        parameters: Sequence[str] = (),
        plays: bool = False,
    ) -> None:
        self._rule = rule
        self._raw = nodes
        self._flow = flow
        self._defaults = defaults or {}
        self._keywords = KEYWORDS | (PLAYS if plays else {})
        flow.template = [UNKNOWN] * (PLAYER + 1)
        flow.template[NONE] = None
        flow.parameters = PLAYER + 1
        for parameter in parameters:
            self._keywords[parameter] = self._known(None)
        flow.nodes = [None] * len(flow.template)
        self._places: dict[str, int] = {}
        flow.entry = self._statement("1")

    def _known(self, value: Value) -> int:
        """A place for a value that is known beforehand."""
        self._flow.template.append(value)
        self._flow.nodes.append(None)
        return len(self._flow.template) - 1

    def _statement(self, id: str | None) -> int:
        """The place of the first node from `id` on that does something."""
        while id and self._raw[id]["type"] not in (16, 26, 28, 30):
            id = self._raw[id].get("next") or self._raw[id]["content"].get("next")
        if not id:
            return self._place("", (END,))
        if id in self._places:
            return self._places[id]
        place = self._places[id] = self._known(UNKNOWN)
        self._flow.nodes[place] = self._control(self._raw[id])
        return place

    def _control(self, node: Json) -> NodeTuple:
        content = node["content"]
        match node["type"]:
            case 16:
                condition = self._reference(content["condition"])
                yes = self._statement(content["next_true"])
                return (BRANCH, condition, yes, self._statement(content["next_false"]))
            case 26:
                returned = content.get("return") or ""
                return (
                    RETURN,
                    NONE if returned == "void" else self._reference(returned),
                )
            case 28:
                if content.get("result", 0) != 1:
                    return (END,)
                return (RESULT, {**self._defaults, **content.get("properties", {})})
            case _:
                return (RESULT, content.get("result", 0))

    def _place(self, id: str, node: NodeTuple) -> int:
        if id not in self._places:
            self._places[id] = self._known(UNKNOWN)
            self._flow.nodes[self._places[id]] = node
        return self._places[id]

    def _reference(self, text: Json) -> int:
        """The place of what a reference names (language.md, section 3)."""
        if isinstance(text, int):
            return self._known(int(text))
        text = text or ""
        if text.strip() in self._keywords:
            place = self._keywords[text.strip()]
            if place == PLAYER:
                raise Unsupported("the current player")
            return place
        if text in self._raw:
            return self._formula(text)
        text = text.strip()
        if text.lower() in ("true", "false"):
            return self._known(text.lower() == "true")
        digits = text.removeprefix("-").removeprefix("+")
        return self._known(int(text)) if digits.isdecimal() else NONE

    def _formula(self, id: str) -> int:
        if id in self._places:
            return self._places[id]
        node = self._raw[id]
        kind, content = node["type"], node["content"]
        if kind in (8, 9):
            place = self._known(content["value"])
        elif kind == 27:
            place = CARDS
        elif kind == 6:
            place = self._property(content)
        else:
            place = self._known(UNKNOWN)
            self._flow.nodes[place] = self._operation(kind, content)
        self._places[id] = place
        return place

    def _property(self, content: Json) -> int:
        """A property is a place of its own, unless it is another name for a keyword, as the specials of a start are."""
        name, owner = content["property"], content["ident"]
        start = self._raw.get(owner, {}).get("type") if owner == "1" else None
        if start == 27:
            return CARDS
        if start in (25, 29):
            play, _, property = name.partition(".")
            if not property:
                return self._keywords[play]
            owner, name = play, property
        if content.get("operator", 0) == 2:
            raise Unsupported("a property of every element")
        place = self._known(UNKNOWN)
        attribute = name if owner in PLAYS else self._rule.attribute(name)
        self._flow.nodes[place] = (PROPERTY, self._reference(owner), attribute)
        return place

    def _operation(self, kind: int, content: Json) -> NodeTuple:
        operator = content.get("operator", 0)
        match kind:
            case 1:
                owner = content["object"]
                method = self._rule.method(OWN_NAMES[owner], content["method"])
                arguments = [
                    self._reference(argument) for argument in content["parameter"]
                ]
                return (CALL, self._reference(owner), method, arguments)
            case 2:
                # the least important property is sorted by first
                keys = [
                    (attrgetter(self._rule.attribute(key["name"])), key["order"] == 0)
                    for key in reversed(content["properties"])
                ]
                return (SORT, self._reference(content["selection"]), keys)
            case 5:
                index = self._reference(content["index"])
                return (ELEMENT, self._reference(content["selection"]), index)
            case 7:
                return (SIZE, self._reference(content["selection"]))
            case 10 | 12 | 14:
                left = self._reference(content["lval"])
                right = self._reference(content["rval"])
                operation = {10: ARITHMETIC, 12: LOGIC, 14: COMPARE}[kind]
                return (operation, operator, left, right)
            case 11:
                over = self._reference(content["set"])
                return (
                    QUANTIFIER,
                    operator,
                    over,
                    self._reference(content["component"]),
                )
            case 13:
                return (NOT, self._reference(content["component"]))
            case 15:
                asked = self._rule.build_flow(content["card_rule"])
                return (IS_CARDSET, self._reference(content["card_set"]), asked)
            case _:
                raise Unsupported(f"type {kind}")
