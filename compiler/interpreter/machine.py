"""The oracle's evaluator: formulas read against a live state, and control walked node by node.

Every formula and every walk is a generator that yields the sub-tasks whose results it needs, and `drive` runs them on
a stack of its own. Chains of values thousands deep therefore never meet Python's recursion limit. Part of the oracle
(`interpret.py`): imports the standard library and the oracle's own modules only.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeAlias, final

from dealwright.compiler.interpreter.rule import (
    DECK,
    VIRTUAL,
    Cardset,
    Flow,
    Node,
    integer_or_none,
    integer_or_zero,
    is_blank,
    items,
    mapping,
    named_object,
)
from dealwright.compiler.interpreter.values import (
    Card,
    Cards,
    Play,
    Player,
    Players,
    Refused,
    Table,
    Value,
    cards_of,
    shuffled,
    size,
    truth,
)
from dealwright.compiler.interpreter.world import (
    NO_PAIR,
    Scope,
    Task,
    World,
    drive,
)

_ENDINGS = frozenset({18, 21, 22, 24, 26, 28, 30})


MOST_BITS = 13_300
"""Of an integer that a property can hold (decision 29)."""
WIDEST = 131_072
"""Bits that both sides of a product may have together (decision 30)."""


@final
class Machine(World):
    """Reads formulas and executes control nodes of one match.

    Errors are raised as `Refused`; the caller takes back what had been changed.
    """

    # ---- references (contract, section 3)

    def read(self, scope: Scope, raw: Any) -> Task:
        """Task: the value of a reference as the flow of `scope` spells it."""
        reference = scope.flow.reference(raw)
        if reference.kind != "node":
            return self.direct(scope, reference)
        node = scope.flow.nodes[reference.value]
        if node.id not in scope.memo:
            self.count_work(node)
            formula = _FORMULAS.get(node.type)
            scope.memo[node.id] = (
                self.plain(scope, node)
                if formula is None
                else (yield formula(self, scope, node))
            )
        return scope.memo[node.id]

    # ---- formulas (contract, section 5), in the order of the component table

    def call(self, scope: Scope, node: Node) -> Task:
        """Task: call a method; as a value and as a statement alike."""
        owner = self.find_object(scope, named_object(node.content.get("object")))
        if owner is None or is_blank(node.content.get("method")):
            return None
        flow = self.rule.methods[type(owner).__name__.lower(), node.content["method"]]
        arguments: dict[str, Value] = dict.fromkeys(flow.parameters)
        # surplus arguments are ignored and missing ones stay none, so the two need not be equally long
        for name, raw in zip(
            flow.parameters, items(node.content.get("parameter")), strict=False
        ):
            arguments[name] = yield self.read(scope, raw)
        inner = replace(
            scope,
            flow=flow,
            now=None,
            before=None,
            caller=owner,
            arguments=arguments,
            memo={},
        )
        ending = yield self.walk(inner, "1")
        if ending is None or ending.type != 26:
            return None
        returned = ending.content.get("return")
        if isinstance(returned, str) and returned.strip() == "void":
            return None
        return (yield self.read(replace(inner, at=ending.id, memo={}), returned))

    def _sort(self, scope: Scope, node: Node) -> Task:
        value: Value = yield self.read(scope, node.content.get("selection"))
        if isinstance(value, Players):
            return Players(tuple(_sorted(value.seats, node, self.player_property)))
        if isinstance(value, Cards | Play):
            return Cards(tuple(_sorted(cards_of(value), node, self.card_property)))
        return value

    def _element(self, scope: Scope, node: Node) -> Task:
        value: Value = yield self.read(scope, node.content.get("selection"))
        index = max(
            self.integer((yield self.read(scope, node.content.get("index")))), 0
        )
        if index >= size(value):
            return None
        if isinstance(value, Players):
            return Player(value.seats[index])
        return Card(cards_of(value)[index]) if isinstance(value, Cards | Play) else None

    def _property(self, scope: Scope, node: Node) -> Task:
        name, ident = _text(node.content.get("property")), node.content.get("ident")
        if node.operator == 0:
            owner = self.find_object(scope, named_object(ident))
            return None if owner is None else self.object_property(scope, owner, name)
        reference = scope.flow.reference(ident)
        if reference.kind == "node":
            pair = self.pair(scope, scope.flow.nodes[reference.value].type, name)
            if pair is not NO_PAIR:
                return pair
        return self.value_property(
            scope, (yield self.read(scope, ident)), name, is_mapped=node.operator == 2
        )

    def _size(self, scope: Scope, node: Node) -> Task:
        return size((yield self.read(scope, node.content.get("selection"))))

    def _operands(self, scope: Scope, node: Node) -> Task:
        left = yield self.read(scope, node.content.get("lval"))
        right = yield self.read(scope, node.content.get("rval"))
        return left, right

    def _arithmetic(self, scope: Scope, node: Node) -> Task:
        left, right = yield self._operands(scope, node)
        result = arithmetic(node.operator, self.integer(left), self.integer(right))
        if result is None:
            raise Refused("rule_error", scope.at)
        return result

    def _quantifier(self, scope: Scope, node: Node) -> Task:
        """Some (0) or all (1); false on anything empty and on anything that has no elements (decision 3)."""
        value: Value = yield self.read(scope, node.content.get("set"))
        inner: list[Scope] = []
        if isinstance(value, Players):
            inner = [replace(scope, bound_player=seat, memo={}) for seat in value.seats]
        elif isinstance(value, Cards | Play):
            inner = [
                replace(scope, judged=(card,), bound_card=card, memo={})
                for card in cards_of(value)
            ]
        wanted = node.operator == 0
        for one in inner:
            if truth((yield self.read(one, node.content.get("component")))) == wanted:
                return wanted
        return bool(inner) and not wanted

    def _logic(self, scope: Scope, node: Node) -> Task:
        left, right = yield self._operands(scope, node)
        return (
            (truth(left) or truth(right))
            if node.operator == 1
            else (truth(left) and truth(right))
        )

    def _not(self, scope: Scope, node: Node) -> Task:
        return not truth((yield self.read(scope, node.content.get("component"))))

    def _compare(self, scope: Scope, node: Node) -> Task:
        left, right = yield self._operands(scope, node)
        return compare(node.operator, self.integer(left), self.integer(right))

    def _is_cardset(self, scope: Scope, node: Node) -> Task:
        raw = node.content.get("card_set")
        cards = cards_of((yield self.read(scope, raw)))
        if (
            isinstance(raw, str)
            and "|" in raw
            and scope.flow.reference(raw).kind == "none"
        ):
            named = [
                self.find_object(scope, named_object(part)) for part in raw.split("|")
            ]
            cards = tuple(card.number for card in named if isinstance(card, Card))
        cardset = self.rule.cardset_by_id[str(node.content.get("card_rule"))]
        return (yield self.build(cardset, cards, scope)) is not None

    # ---- build and compare flows

    def build(
        self, cardset: Cardset, cards: Sequence[int], outer: Scope | None = None
    ) -> Task:
        """Task: the play that these cards are by this cardset's build flow alone, or None.

        `outer` is the scope of an asking formula, whose quantifiers bind here too (decision 9).
        """
        scope = Scope(flow=cardset.build, judged=tuple(cards))
        if outer is not None:
            scope = replace(
                scope, bound_card=outer.bound_card, bound_player=outer.bound_player
            )
        ending = yield self.walk(scope, "1")
        if (
            ending is None
            or ending.type != 28
            or integer_or_none(ending.content.get("result")) != 1
        ):
            return None
        given = {
            name: integer_or_none(raw)
            for name, raw in mapping(ending.content.get("properties")).items()
        }
        kept = {name: value for name, value in given.items() if value is not None}
        return Play(
            cardset.id, cardset.name, tuple(cards), {**cardset.defaults, **kept}
        )

    def recognise(self, cards: Sequence[int]) -> Play | None:
        """The first cardset, in order of recognition, that takes these cards."""
        for cardset in self.rule.cardsets:
            play: Play | None = self.run(self.build(cardset, cards))
            if play is not None:
                return play
        return None

    def beats(self, now: Play, before: Play) -> bool:
        """Whether `now` beats `before` (contract, section 6)."""
        cardset = self.rule.cardset_by_id[now.cardset]
        if now.cardset == before.cardset:
            flow = cardset.compare or self.rule.comparison(now.name, now.name)
            return flow is not None and self._is_won_by_first(flow, now, before)
        if (flow := self.rule.comparison(now.name, before.name)) is not None:
            return self._is_won_by_first(flow, now, before)
        if (flow := self.rule.comparison(before.name, now.name)) is not None:
            return not self._is_won_by_first(flow, before, now)
        return before.cardset in cardset.successors

    def _is_won_by_first(self, flow: Flow, first: Play, second: Play) -> bool:
        ending: Node | None = self.run(
            self.walk(Scope(flow=flow, now=first, before=second), "1")
        )
        if ending is None or ending.type != 30:
            raise Refused("rule_error")
        return integer_or_zero(ending.content.get("result")) == 0

    def run(self, task: Task) -> Any:
        """Drive a task as a submission of its own: its steps are counted from 0."""
        self.steps = self.work = 0
        return drive(task)

    # ---- control

    def walk(self, scope: Scope, at: str) -> Task:
        """Task: execute from node `at`; gives the wait or terminal where control stops, None where it just ends."""
        while at and (node := scope.flow.nodes.get(at)):
            if not scope.is_pure:
                self.count_step(node)
            # nothing changes in a pure flow, so that values hold from node to node
            memo = scope.memo if scope.is_pure else {}
            scope = replace(scope, at=node.id, memo=memo)
            if node.type in _ENDINGS:
                return node
            if node.type == 16:
                condition = yield self.read(scope, node.content.get("condition"))
                at = node.jumps()[0 if truth(condition) else 1]
                continue
            statement = _STATEMENTS.get(node.type)
            if statement is not None and (node.type == 1 or not scope.is_pure):
                yield statement(self, scope, node)
            at = node.next
            if not at and scope.flow.kind in ("match", "end"):
                raise Refused("rule_error", node.id)
        return None

    def _assign(self, scope: Scope, node: Node) -> Task:
        value = self.integer((yield self.read(scope, node.content.get("rvalue"))))
        reference = scope.flow.reference(node.content.get("component"))
        target = scope.flow.nodes[reference.value] if reference.kind == "node" else None
        if target is None or target.type != 6:
            return None
        owner = yield self._property_owner(scope, target)
        name = _text(target.content.get("property"))
        if value.bit_length() > MOST_BITS and isinstance(owner, Table | Player | Card):
            raise Refused("rule_error", node.id)
        match owner:
            case Table() if name not in VIRTUAL["table"]:
                self.state.table[name] = value
                self.emit("assigned", object="table_0", property=name, value=value)
            case Player(seat) if name not in VIRTUAL["player"]:
                self.state.players[seat][name] = value
                self.emit(
                    "assigned", object=f"player_{seat}", property=name, value=value
                )
            case Card(number) if name not in VIRTUAL["card"]:
                self.state.cards[number][name] = value
                self.emit(
                    "assigned", object=f"card_{number}", property=name, value=value
                )
        return None

    def _property_owner(self, scope: Scope, node: Node) -> Task:
        """Task: the object whose property a type 6 node names, as the target of an assignment; else anything else."""
        ident = node.content.get("ident")
        if node.operator == 0:
            return self.find_object(scope, named_object(ident))
        return (yield self.read(scope, ident)) if node.operator == 1 else None

    def _sort_deck(self, scope: Scope, node: Node) -> Task:
        """Sort in place, which only a plain read of the table's deck allows (decision 4)."""
        reference = scope.flow.reference(node.content.get("selection"))
        source = scope.flow.nodes[reference.value] if reference.kind == "node" else None
        if source is None or source.type != 6 or source.content.get("property") != DECK:
            return None
        ident = source.content.get("ident")
        owner = (
            self.find_object(scope, named_object(ident))
            if source.operator == 0
            else (yield self.read(scope, ident))
        )
        if isinstance(owner, Table):
            self.state.deck = _sorted(self.state.deck, node, self.card_property)
        return None

    def _shuffle(self, scope: Scope, node: Node) -> Task:
        self.state.deck, self.state.rng = shuffled(self.state.deck, self.state.rng)
        self.emit("shuffled")
        yield from ()

    def _deal(self, scope: Scope, node: Node) -> Task:
        deck = list(self.state.deck)
        dealt: list[tuple[int, int]] = []
        filters = [mapping(raw) for raw in items(node.content.get("prop_pair"))]
        for _ in range(1 if node.count is None else node.count):
            for seat in range(self.seats):
                card = next(
                    (card for card in deck if self._passes(card, filters)), None
                )
                if card is None:
                    raise Refused("deck_exhausted", node.id)
                deck.remove(card)
                dealt.append((seat, card))
        self.state.deck = deck
        for seat, card in dealt:
            self.state.hands[seat].append(card)
            self.count_hand(seat)
            self.emit("dealt", seat=seat, card=card)
        yield from ()

    def _passes(self, card: int, filters: Sequence[Mapping[str, Any]]) -> bool:
        for one in filters:
            if is_blank(one.get("prop_name")):
                continue
            value = self.card_property(card, one["prop_name"])
            lower, upper = integer_or_none(one.get("lower_bound")), integer_or_none(
                one.get("upper_bound")
            )
            if (lower is not None and value < lower) or (
                upper is not None and value > upper
            ):
                return False
        return True


def _text(raw: Any) -> str:
    return raw if isinstance(raw, str) else ""


def arithmetic(operator: int, left: int, right: int) -> int | None:
    """The five operations; ÷ truncates toward zero, % takes the dividend's sign, a zero divisor gives 0.

    None for a product that is too large to compute.
    """
    match operator:
        case 1:
            return left - right
        case 2 if left.bit_length() + right.bit_length() > WIDEST:
            return None
        case 2:
            return left * right
        case 3 | 4:
            quotient = abs(left) // abs(right) if right else 0
            quotient = -quotient if (left < 0) != (right < 0) else quotient
            remainder = left - quotient * right if right else 0
            return quotient if operator == 3 else remainder
        case _:
            return left + right


def compare(operator: int, left: int, right: int) -> bool:
    """The five comparisons of type 14."""
    return (left == right, left > right, left < right, left >= right, left <= right)[
        operator
    ]


def _sorted(
    numbers: Sequence[int], node: Node, read: Callable[[int, str], int]
) -> list[int]:
    """Sort by the node's properties, the first the most important; stable in both directions."""
    result = list(numbers)
    for raw in reversed(items(node.content.get("properties"))):
        name, order = _text(mapping(raw).get("name")), integer_or_none(
            mapping(raw).get("order")
        )
        result.sort(key=lambda number, name=name: read(number, name), reverse=order == 0)  # type: ignore[misc]
    return result


_Component: TypeAlias = Callable[[Machine, Scope, Node], Task]

_FORMULAS: Mapping[int, _Component] = MappingProxyType(
    {
        1: Machine.call,
        2: Machine._sort,
        5: Machine._element,
        6: Machine._property,
        7: Machine._size,
        10: Machine._arithmetic,
        11: Machine._quantifier,
        12: Machine._logic,
        13: Machine._not,
        14: Machine._compare,
        15: Machine._is_cardset,
    }
)

_STATEMENTS: Mapping[int, _Component] = MappingProxyType(
    {
        1: Machine.call,
        2: Machine._sort_deck,
        4: Machine._assign,
        19: Machine._shuffle,
        20: Machine._deal,
    }
)
