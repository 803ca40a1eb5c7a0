"""Lower the value nodes: each function makes the formula of one component, typed and with explicit coercions.

A node inside a quantifier means something else than outside it, so values are kept per node and binding: whether a card
and whether a player is bound there. The innermost binding of a kind counts, so two truth values say everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, final

from dealwright.compiler.lowering.coerce import Coercer
from dealwright.compiler.lowering.infer import CHOOSE, Kinds
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Pool, Value, rep_of
from dealwright.compiler.representation.types import Kind, Rep, representation
from dealwright.compiler.rule import references as refs
from dealwright.compiler.rule.flowgraph import class_of
from dealwright.compiler.rule.model import Flow, FlowKind, Node, Rule
from dealwright.compiler.rule.objects import (
    DECK,
    KEPT,
    PLAY_CARDS,
    PLAY_NUMBER,
    PLAYERS,
    SETTLEMENT_INDEX,
    ObjectProperty,
    deck_size,
    is_content,
)
from dealwright.compiler.rule.operands import (
    integer_field,
    operands,
    operator,
    text_field,
)


class Binding(NamedTuple):
    """What surrounding quantifiers have bound."""

    card: bool = False
    player: bool = False


FREE = Binding()


@final
class Lowering:
    """Lowers the values of one rule; ask `node` and `reference`."""

    def __init__(
        self,
        rule: Rule,
        kinds: Kinds,
        pool: Pool,
        coerce: Coercer,
        stored: Mapping[str, tuple[ObjectProperty, ...]],
    ) -> None:
        self.rule = rule
        self.kinds = kinds
        self.pool = pool
        self.coerce = coerce
        self._stored = {
            owner: frozenset(one.name for one in properties) | KEPT[owner].keys()
            for owner, properties in stored.items()
        }
        self._deck_size = deck_size(rule)
        self._cardsets = {one.build.path: one for one in rule.cardsets}
        self._known: dict[tuple[str, str, Binding], Value] = {}
        self._called: dict[str, dict[Value, str]] = {}

    def stored_name(self, owner: str, name: str) -> str | None:
        """The name if objects of this class store it or have it as their id, else None: it reads as 0."""
        if name in self._stored[owner] or (name == "id" and owner != "table"):
            return name
        return None

    def cardset_defaults(self, flow: Flow) -> Mapping[str, int]:
        """The declared properties of the cardset whose build flow this is."""
        return (
            self._cardsets[flow.path].properties if flow.path in self._cardsets else {}
        )

    def node(self, scope: refs.Scope, id: str, binding: Binding = FREE) -> Value:
        """The value of a node, lowered with everything it needs."""
        path = scope.flow.path
        pending = [(id, binding)]
        while pending:
            current = pending[-1]
            if (path, *current) in self._known:
                pending.pop()
                continue
            node = scope.flow.nodes[current[0]]
            missing = [
                one
                for one in self._needs(scope, node, current[1])
                if (path, *one) not in self._known
            ]
            if missing:
                pending.extend(missing)
                continue
            made = self._of_node(scope, node, current[1])
            self._known[(path, *current)] = made
            called = self._called.setdefault(path, {})
            # the least one of several, so that the order of keys does not matter
            called[made] = min(called.get(made, current[0]), current[0])
            pending.pop()
        return self._known[path, id, binding]

    def called(self, flow: Flow) -> Mapping[Value, str]:
        """The node that each value comes from that has been lowered in a flow so far."""
        return dict(self._called.get(flow.path, {}))

    def reference(
        self, scope: refs.Scope, raw: object, binding: Binding = FREE
    ) -> Value:
        """The value that the raw value of a reference field means."""
        return self.resolved(scope, refs.resolve(raw, scope), binding)

    def resolved(
        self, scope: refs.Scope, found: refs.Reference | refs.Pair, binding: Binding
    ) -> Value:
        """The value that a resolved reference means under a binding."""
        make = self.pool.make
        match found:
            case refs.NodeRef(id):
                return self.node(scope, id, binding)
            case refs.LiteralRef(value, is_boolean):
                return (
                    make(ir.Boolean, bool(value))
                    if is_boolean
                    else make(ir.Integer, value)
                )
            case refs.JudgedCards():
                return self.judged(scope, binding)
            case refs.LatestRef():
                return (
                    make(ir.CardList, (make(ir.BoundCard),))
                    if binding.card
                    else make(ir.Latest)
                )
            case refs.ChoiceRef():
                return make(ir.Choice)
            case refs.TableRef():
                owner = self._owner(scope)
                # there is one table, so that its methods need no match to find it
                return owner if rep_of(owner) is Rep.TABLE else make(ir.TheTable)
            case refs.CurrentPlayerRef():
                return (
                    make(ir.BoundPlayer) if binding.player else make(ir.CurrentPlayer)
                )
            case refs.PlayerRef(seat):
                return make(ir.SeatedPlayer, seat, seat < (self.rule.players or 1))
            case refs.CardRef(number):
                in_deck = 1 <= number <= self._deck_size
                return (
                    make(ir.NumberedCard, number)
                    if in_deck
                    else make(ir.Empty, Rep.CARD)
                )
            case refs.ParameterRef(name):
                rep = representation(self.kinds.parameter(scope.flow.path, name))
                return (
                    make(ir.Nothing)
                    if rep is Rep.NONE
                    else make(ir.Parameter, name, rep)
                )
            case refs.OwnerRef():
                return self._owner(scope)
            case refs.PlayRef(is_a):
                return (
                    make(ir.Compared, is_a)
                    if scope.flow.kind is FlowKind.COMPARE
                    else make(ir.Nothing)
                )
            case refs.PlayPropertyRef(is_a, name):
                if scope.flow.kind is not FlowKind.COMPARE:
                    return make(ir.Nothing)
                return play_property(self, make(ir.Compared, is_a), name)
            case refs.NoReference() | refs.UnknownRef():
                return make(ir.Nothing)

    def judged(self, scope: refs.Scope, binding: Binding) -> Value:
        """The cards being judged: of a quantifier, of a build flow, of a method's caller, else none."""
        make = self.pool.make
        if binding.card:
            return make(ir.CardList, (make(ir.BoundCard),))
        if scope.flow.kind in (FlowKind.BUILD, FlowKind.METHOD):
            return make(ir.Judged)
        return make(ir.Empty, Rep.CARDS)

    def context(self, scope: refs.Scope, binding: Binding) -> ir.Context:
        """What a flow called from here sees of here."""
        make = self.pool.make
        return make(
            ir.Context,
            self.judged(scope, binding),
            make(ir.BoundCard) if binding.card else None,
            make(ir.BoundPlayer) if binding.player else None,
        )

    def property_owner(
        self, scope: refs.Scope, node: Node, binding: Binding = FREE
    ) -> Value:
        """The object or value whose property a type 6 node reads or, as a target, assigns."""
        if operator(node) != 0:
            return self.reference(scope, node.fields.get("ident"), binding)
        named = refs.resolve_object(node.fields.get("ident"))
        return (
            self.pool.make(ir.Nothing)
            if named is None
            else self.resolved(scope, named, binding)
        )

    def _owner(self, scope: refs.Scope) -> Value:
        kind = self.kinds.reference(scope, refs.OwnerRef())
        return (
            self.pool.make(ir.Nothing)
            if kind is Kind.NONE
            else self.pool.make(ir.Owner, representation(kind))
        )

    def _needs(
        self, scope: refs.Scope, node: Node, binding: Binding
    ) -> Iterator[tuple[str, Binding]]:
        """The nodes, with bindings, whose values this one is made of."""
        for position, raw in enumerate(operands(node)):
            found = refs.resolve(raw, scope)
            if not isinstance(found, refs.NodeRef):
                continue
            if node.type == 11 and position == 1:
                yield from (
                    (found.id, one) for _, one in quantified(self, scope, node, binding)
                )
            else:
                yield found.id, binding

    def _of_node(self, scope: refs.Scope, node: Node, binding: Binding) -> Value:
        plain = refs.plain_value(node)
        if plain is not None:
            return self.resolved(scope, plain, binding)
        rule = _VALUES.get(node.type)
        if rule is None:
            return self.pool.make(ir.Nothing)
        value = rule(self, scope, node, binding)
        if rep_of(value) is not Rep.MIXED:
            return value
        return self.coerce.represented(
            value, representation(self.kinds.node(scope, node.id))
        )


def quantified(
    lowering: Lowering, scope: refs.Scope, node: Node, binding: Binding
) -> list[tuple[Kind, Binding]]:
    """For a quantifier: what it may range over (cards, players), each with the binding of its component."""
    kind = lowering.kinds.raw(scope, node.fields.get("set"))
    found: list[tuple[Kind, Binding]] = []
    if kind & (Kind.CARDS | Kind.PLAY):
        found.append((Kind.CARDS, binding._replace(card=True)))
    if kind & Kind.PLAYERS:
        found.append((Kind.PLAYERS, binding._replace(player=True)))
    return found


def method_call(
    lowering: Lowering, scope: refs.Scope, node: Node, binding: Binding
) -> Value:
    """`{"type": 1, "object": "玩家", "method": "结算分", "parameter": ["3"]}` →
    `game.current_player.结算分(table.倍数)`."""
    make = lowering.pool.make
    named = refs.resolve_object(node.fields.get("object"))
    if named is None:
        return make(ir.Nothing)
    owner = class_of(named)
    classes = {one.name: one for one in lowering.rule.classes()}
    method = classes[owner].methods.get(text_field(node, "method"))
    target = lowering.resolved(scope, named, binding)
    if method is None or isinstance(target, ir.Empty):
        return make(ir.Nothing)
    given = [lowering.reference(scope, raw, binding) for raw in operands(node)]
    given = given[: len(method.parameters)]
    given += [make(ir.Nothing)] * (len(method.parameters) - len(given))
    arguments = tuple(
        lowering.coerce.represented(
            value, representation(lowering.kinds.parameter(method.flow.path, name))
        )
        for value, name in zip(given, method.parameters, strict=True)
    )
    is_certain = not isinstance(target, ir.SeatedPlayer) or target.is_certain
    returned = lowering.kinds.returned(owner, method.name)
    rep = representation(returned if is_certain else returned | Kind.NONE)
    context = lowering.context(scope, binding)
    return make(
        ir.Call, owner, method.name, target, is_certain, arguments, context, rep
    )


def sort(lowering: Lowering, scope: refs.Scope, node: Node, binding: Binding) -> Value:
    """`{"type": 2, "selection": "cards", "properties": [{"name": "点数", "order": 1}]}` →
    `sorted(cards, key=lambda card: card.点数)`."""
    make = lowering.pool.make
    selection = lowering.reference(scope, node.fields.get("selection"), binding)
    match rep_of(selection):
        case Rep.PLAY:
            return _sorted(
                lowering, make(ir.CardsOf, selection), sort_keys(lowering, node, "card")
            )
        case Rep.CARDS:
            return _sorted(lowering, selection, sort_keys(lowering, node, "card"))
        case Rep.PLAYERS:
            return _sorted(lowering, selection, sort_keys(lowering, node, "player"))
        case Rep.MIXED:
            card_keys, player_keys = (
                sort_keys(lowering, node, owner) for owner in ("card", "player")
            )
            return make(ir.MixedSorted, selection, card_keys, player_keys)
        case _:
            return selection


def _sorted(
    lowering: Lowering, selection: Value, keys: tuple[ir.SortKey, ...]
) -> Value:
    """A sort that makes no difference is left out: nothing can change a value that is only read."""
    if not keys or isinstance(selection, ir.Empty):
        return selection
    return lowering.pool.make(ir.Sorted, selection, keys)


def sort_keys(lowering: Lowering, node: Node, owner: str) -> tuple[ir.SortKey, ...]:
    """The criteria of a sort of cards or players; properties that no such object stores make no difference."""
    raw = node.fields.get("properties")
    keys: list[ir.SortKey] = []
    for one in raw if isinstance(raw, list | tuple) else ():
        if not isinstance(one, Mapping):
            continue
        given = one.get("name")
        name = lowering.stored_name(owner, given) if isinstance(given, str) else None
        order = one.get("order")
        is_descending = (
            isinstance(order, int) and not isinstance(order, bool) and order == 0
        )
        if name is not None and all(name != key.property for key in keys):
            keys.append(ir.SortKey(name, is_descending))
    return tuple(keys)


def element(
    lowering: Lowering, scope: refs.Scope, node: Node, binding: Binding
) -> Value:
    """`{"type": 5, "selection": "cards", "index": "v_one"}` → `cards[1]`."""
    make = lowering.pool.make
    selection = lowering.reference(scope, node.fields.get("selection"), binding)
    index = lowering.coerce.integer(
        lowering.reference(scope, node.fields.get("index"), binding)
    )
    if isinstance(index, ir.Integer) and index.value < 0:
        index = make(ir.Integer, 0)
    match rep_of(selection):
        case Rep.PLAY:
            return make(ir.Element, make(ir.CardsOf, selection), index)
        case Rep.CARDS | Rep.PLAYERS:
            if (
                isinstance(selection, ir.CardList)
                and len(selection.cards) == 1
                and index is make(ir.Integer, 0)
            ):
                return selection.cards[0]
            if isinstance(selection, ir.Empty):
                return make(
                    ir.Empty, Rep.CARD if selection.rep is Rep.CARDS else Rep.PLAYER
                )
            return make(ir.Element, selection, index)
        case Rep.MIXED:
            return make(ir.MixedElement, selection, index)
        case _:
            return make(ir.Nothing)


def property_(
    lowering: Lowering, scope: refs.Scope, node: Node, binding: Binding
) -> Value:
    """`{"type": 6, "operator": 1, "ident": "2", "property": "点数"}` → `cards[0].点数`."""
    name = text_field(node, "property")
    if operator(node) != 0:
        found = refs.resolve(node.fields.get("ident"), scope)
        if isinstance(found, refs.NodeRef):
            pair = refs.special_pair(scope.flow.nodes[found.id], name, scope)
            if pair is not None:
                return lowering.resolved(scope, pair, binding)
            if scope.flow.nodes[found.id].type == CHOOSE:
                return lowering.pool.make(ir.Nothing)
    subject = lowering.property_owner(scope, node, binding)
    return read_property(lowering, subject, name, operator(node) == 2, binding)


def read_property(
    lowering: Lowering, subject: Value, name: str, is_mapped: bool, binding: Binding
) -> Value:
    """A property of a value of any representation (contract, section 5, type 6)."""
    make = lowering.pool.make
    if isinstance(subject, ir.Empty) and subject.rep in (Rep.CARD, Rep.PLAYER):
        return make(ir.Integer, 0)
    match rep_of(subject):
        case Rep.CARD:
            return member(lowering, subject, "card", name)
        case Rep.PLAYER:
            return member(lowering, subject, "player", name)
        case Rep.TABLE:
            return table_property(lowering, subject, name, binding)
        case Rep.PLAY:
            return play_property(lowering, subject, name)
        case Rep.CARDS | Rep.PLAYERS as rep if is_mapped:
            owner = "card" if rep is Rep.CARDS else "player"
            return make(ir.Each, subject, lowering.stored_name(owner, name))
        case Rep.CARDS | Rep.PLAYERS:
            return make(ir.Size, subject) if is_content(name) else subject
        case Rep.INTEGERS | Rep.INTEGER | Rep.BOOLEAN:
            return subject
        case Rep.MIXED:
            is_replaced = name == SETTLEMENT_INDEX and binding.player
            player = make(ir.BoundPlayer) if is_replaced else None
            return make(ir.MixedProperty, subject, name, is_mapped, player)
        case _:
            return make(ir.Nothing)


def member(lowering: Lowering, subject: Value, owner: str, name: str) -> Value:
    """A property of a single card or player; one that is stored nowhere is 0."""
    make = lowering.pool.make
    stored = lowering.stored_name(owner, name)
    return make(ir.Integer, 0) if stored is None else make(ir.Member, subject, stored)


def table_property(
    lowering: Lowering, table: Value, name: str, binding: Binding
) -> Value:
    """A property of the table; under a bound player `settlement_index` is that player's seat."""
    make = lowering.pool.make
    if name == DECK:
        return make(ir.Deck)
    if name == PLAYERS:
        return make(ir.Players)
    if name == SETTLEMENT_INDEX and binding.player:
        return make(ir.Member, make(ir.BoundPlayer), "id")
    stored = lowering.stored_name("table", name)
    return make(ir.Integer, 0) if stored is None else make(ir.Member, table, stored)


def play_property(lowering: Lowering, play: Value, name: str) -> Value:
    """A property of a play: its cards, its cardset's number or an integer property, also called `牌型A.x`."""
    make = lowering.pool.make
    if name in PLAY_CARDS:
        return make(ir.CardsOf, play)
    if name in PLAY_NUMBER:
        return make(ir.PlayNumber, play)
    return make(ir.PlayProperty, play, refs.own_property(name))


def size(lowering: Lowering, scope: refs.Scope, node: Node, binding: Binding) -> Value:
    """`{"type": 7, "selection": "cards"}` → `len(cards)`."""
    make = lowering.pool.make
    selection = lowering.reference(scope, node.fields.get("selection"), binding)
    match rep_of(selection):
        case Rep.CARDS | Rep.PLAYERS if not isinstance(selection, ir.Empty):
            return make(ir.Size, selection)
        case Rep.PLAY:
            return make(ir.Size, make(ir.CardsOf, selection))
        case Rep.MIXED:
            return make(ir.MixedSize, selection)
        case _:
            return make(ir.Integer, 0)


def constant(
    lowering: Lowering, scope: refs.Scope, node: Node, binding: Binding
) -> Value:
    """`{"type": 8, "value": 3}` → `3`."""
    return lowering.pool.make(ir.Integer, integer_field(node, "value", 0))


def arithmetic(
    lowering: Lowering, scope: refs.Scope, node: Node, binding: Binding
) -> Value:
    """`{"type": 10, "operator": 0, "lval": "2", "rval": "3"}` → `table.轮数 + 1`."""
    left, right = _both(lowering, scope, node, binding)
    integer = lowering.coerce.integer
    return lowering.pool.make(
        ir.Arithmetic, operator(node), integer(left), integer(right)
    )


def quantifier(
    lowering: Lowering, scope: refs.Scope, node: Node, binding: Binding
) -> Value:
    """`{"type": 11, "operator": 0, "set": "cards", "component": "4"}` →
    `any(card.点数 == 1 for card in cards)`."""
    make = lowering.pool.make
    selection = lowering.reference(scope, node.fields.get("set"), binding)
    parts = []
    for kind, inner in quantified(lowering, scope, node, binding):
        body = lowering.coerce.truth(
            lowering.reference(scope, node.fields.get("component"), inner)
        )
        ranged = _ranged(lowering, selection, kind)
        parts.append(make(ir.Quantifier, operator(node) == 1, ranged, body))
    if not parts or isinstance(selection, ir.Nothing | ir.Empty):
        return make(ir.Boolean, False)
    return parts[0] if len(parts) == 1 else make(ir.Logic, 1, parts[0], parts[1])


def _ranged(lowering: Lowering, selection: Value, kind: Kind) -> Value:
    make = lowering.pool.make
    match rep_of(selection):
        case Rep.MIXED if kind is Kind.CARDS:
            return make(ir.MixedCards, selection, True)
        case Rep.MIXED:
            return make(ir.MixedPlayers, selection, True)
        case Rep.PLAY:
            return make(ir.CardsOf, selection)
        case _:
            return selection


def logic(lowering: Lowering, scope: refs.Scope, node: Node, binding: Binding) -> Value:
    """`{"type": 12, "operator": 0, "lval": "2", "rval": "3"}` → `a and b`."""
    left, right = _both(lowering, scope, node, binding)
    truth = lowering.coerce.truth
    return lowering.pool.make(ir.Logic, operator(node), truth(left), truth(right))


def negation(
    lowering: Lowering, scope: refs.Scope, node: Node, binding: Binding
) -> Value:
    """`{"type": 13, "component": "2"}` → `not a`."""
    operand = lowering.reference(scope, node.fields.get("component"), binding)
    return lowering.pool.make(ir.Not, lowering.coerce.truth(operand))


def comparison(
    lowering: Lowering, scope: refs.Scope, node: Node, binding: Binding
) -> Value:
    """`{"type": 14, "operator": 0, "lval": "2", "rval": "3"}` → `len(cards) == 2`."""
    left, right = _both(lowering, scope, node, binding)
    integer = lowering.coerce.integer
    return lowering.pool.make(ir.Compare, operator(node), integer(left), integer(right))


def _both(
    lowering: Lowering, scope: refs.Scope, node: Node, binding: Binding
) -> tuple[Value, Value]:
    return (
        lowering.reference(scope, node.fields.get("lval"), binding),
        lowering.reference(scope, node.fields.get("rval"), binding),
    )


def is_cardset(
    lowering: Lowering, scope: refs.Scope, node: Node, binding: Binding
) -> Value:
    """`{"type": 15, "card_rule": "3", "card_set": "cards"}` → `build_顺子(cards) is not None`."""
    make = lowering.pool.make
    raw = node.fields.get("card_set")
    listed = named_cards(raw, scope)
    if listed is not None:
        found = [lowering.resolved(scope, one, binding) for one in listed]
        cards: Value = make(
            ir.CardList, tuple(one for one in found if not isinstance(one, ir.Empty))
        )
    else:
        cards = lowering.coerce.cards(lowering.reference(scope, raw, binding))
    rule = text_field(node, "card_rule")
    wanted = lowering.rule.cardset(rule) or lowering.rule.cardset(rule.strip())
    if wanted is None:
        return make(ir.Boolean, False)
    return make(ir.IsCardset, wanted.id, cards, lowering.context(scope, binding), ())


def named_cards(raw: object, scope: refs.Scope) -> list[refs.CardRef] | None:
    """The cards of a `card_set` that lists ids joined by `|` and names nothing else; None if it is not such a list."""
    found = refs.resolve(raw, scope)
    if not isinstance(found, refs.UnknownRef) or "|" not in found.text:
        return None
    listed = [refs.named_object(part.strip()) for part in found.text.split("|")]
    return [one for one in listed if isinstance(one, refs.CardRef)]


_VALUES: Mapping[int, Callable[[Lowering, refs.Scope, Node, Binding], Value]] = {
    1: method_call,
    2: sort,
    5: element,
    6: property_,
    7: size,
    8: constant,
    9: constant,
    10: arithmetic,
    11: quantifier,
    12: logic,
    13: negation,
    14: comparison,
    15: is_cardset,
}
