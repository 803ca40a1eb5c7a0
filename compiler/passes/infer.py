"""Find what kinds of value each node of each flow can have: `5 selection=cards` is a card or none.

Goes in: the model. Comes out: `Kinds`, asked by lowering when it chooses representations and coercions. Methods make it
a fixed point: what a parameter can be follows from every call, what a call gives from every return. A quantifier's
binding never changes a kind, so one answer per node is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import final

from dealwright.compiler import references as refs
from dealwright.compiler.flowgraph import class_of, control_nodes, reachable
from dealwright.compiler.model import Node, Rule
from dealwright.compiler.objects import DECK, PLAY_CARDS, PLAYERS, is_content
from dealwright.compiler.operands import operands, operator, text_field
from dealwright.compiler.types import Kind

_MAYBE_CARD = Kind.CARD | Kind.NONE
_MAYBE_PLAYER = Kind.PLAYER | Kind.NONE
CHOOSE = 22
"""The wait whose value has no properties but its special pair."""
_OWNER = {"card": Kind.CARD, "player": Kind.PLAYER, "table": Kind.TABLE}


@final
class Kinds:
    """The kinds of all values of a rule. Ask `node`, `reference`, `parameter` and `returned`."""

    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        self._nodes: dict[tuple[str, str], Kind] = {}
        self._parameters: dict[tuple[str, str, str], Kind] = {}
        self._returned: dict[tuple[str, str], Kind] = {}
        self._methods = {
            owner.methods[name].flow.path: (owner.name, name)
            for owner in rule.classes()
            for name in owner.methods
        }

    def parameter(self, path: str, name: str) -> Kind:
        """What a parameter of the method whose flow has this path can be."""
        return self._parameters.get((*self._methods[path], name), Kind.NOTHING)

    def returned(self, owner: str, method: str) -> Kind:
        """What a call of this method can give."""
        return self._returned.get((owner, method), Kind.NOTHING)

    def node(self, scope: refs.Scope, id: str) -> Kind:
        """What the node with this id of the scope's flow can be as a value."""
        path = scope.flow.path
        pending = [id]
        while pending:
            current = pending[-1]
            if (path, current) in self._nodes:
                pending.pop()
                continue
            node = scope.flow.nodes[current]
            missing = [
                one.id
                for one in (refs.resolve(raw, scope) for raw in operands(node))
                if isinstance(one, refs.NodeRef) and (path, one.id) not in self._nodes
            ]
            if missing:
                pending.extend(missing)
                continue
            self._nodes[path, current] = self._of_node(scope, node)
            pending.pop()
        return self._nodes[path, id]

    def reference(self, scope: refs.Scope, found: refs.Reference | refs.Pair) -> Kind:
        """What a resolved reference can be."""
        match found:
            case refs.NodeRef(id):
                return self.node(scope, id)
            case refs.ParameterRef(name):
                return self.parameter(scope.flow.path, name)
            case refs.OwnerRef():
                method = self._methods.get(scope.flow.path)
                return Kind.NONE if method is None else _OWNER[method[0]]
            case refs.PlayRef():
                return Kind.PLAY if scope.flow.kind.name == "COMPARE" else Kind.NONE
            case refs.PlayPropertyRef(_, name):
                if scope.flow.kind.name != "COMPARE":
                    return Kind.NONE
                return Kind.CARDS if name in PLAY_CARDS else Kind.INTEGER
            case refs.LiteralRef(_, is_boolean):
                return Kind.BOOLEAN if is_boolean else Kind.INTEGER
            case refs.JudgedCards() | refs.LatestRef():
                return Kind.CARDS
            case refs.ChoiceRef():
                return Kind.INTEGER
            case refs.TableRef():
                return Kind.TABLE
            case refs.CurrentPlayerRef():
                return Kind.PLAYER
            case refs.PlayerRef():
                return _MAYBE_PLAYER
            case refs.CardRef():
                return _MAYBE_CARD
            case refs.NoReference() | refs.UnknownRef():
                return Kind.NONE

    def raw(self, scope: refs.Scope, raw: object) -> Kind:
        """What the value of a reference field can be."""
        return self.reference(scope, refs.resolve(raw, scope))

    def round(self) -> bool:
        """One round over all flows: follow calls and returns; whether anything became wider."""
        self._nodes.clear()
        before = (dict(self._parameters), dict(self._returned))
        for scope, _ in refs.scopes(self._rule):
            used = reachable(scope.flow, scope)
            for node in scope.flow.nodes.values():
                if node.type == 1 and node.id in used:
                    self._call(scope, node)
            method = self._methods.get(scope.flow.path)
            if method is not None:
                self._returned[method] = self._returned.get(
                    method, Kind.NOTHING
                ) | self._returns(scope)
        return before != (self._parameters, self._returned)

    def settle_parameters(self) -> bool:
        """Make parameters without a kind none; whether there were any."""
        open_ = [
            (owner.name, method.name, name)
            for owner in self._rule.classes()
            for method in owner.methods.values()
            for name in method.parameters
            if not self._parameters.get((owner.name, method.name, name))
        ]
        self._parameters.update(dict.fromkeys(open_, Kind.NONE))
        return bool(open_)

    def _returns(self, scope: refs.Scope) -> Kind:
        found = Kind.NOTHING
        ends = False
        for node in (scope.flow.nodes[id] for id in control_nodes(scope.flow)):
            if node.type == 26:
                found |= self.raw(scope, returned_reference(node))
            elif node.next is None and node.type != 16:
                ends = True
        return found | Kind.NONE if ends or not found else found

    def _call(self, scope: refs.Scope, node: Node) -> None:
        named = refs.resolve_object(node.fields.get("object"))
        if named is None:
            return
        owner = class_of(named)
        method = next(
            one for one in self._rule.classes() if one.name == owner
        ).methods.get(text_field(node, "method"))
        if method is None:
            return
        given = list(operands(node))
        for position, name in enumerate(method.parameters):
            kind = (
                self.raw(scope, given[position]) if position < len(given) else Kind.NONE
            )
            key = (owner, method.name, name)
            self._parameters[key] = self._parameters.get(key, Kind.NOTHING) | kind

    def _of_node(self, scope: refs.Scope, node: Node) -> Kind:
        plain = refs.plain_value(node)
        if plain is not None:
            return self.reference(scope, plain)
        rule = _KINDS.get(node.type)
        return Kind.NONE if rule is None else rule(self, scope, node)


def returned_reference(node: Node) -> object:
    """The reference that a 26 returns; `void` is blank."""
    raw = node.fields.get("return")
    return None if isinstance(raw, str) and raw.strip() == "void" else raw


def single_kinds(kind: Kind) -> Iterator[Kind]:
    """The single kinds of a union, in declaration order."""
    return (one for one in Kind if one and one in kind)


def property_kind(subject: Kind, name: str, is_mapped: bool) -> Kind:
    """What property `name` of one of the kinds in `subject` can be, through operator 1 or (mapped) 2."""
    found = Kind.NOTHING
    for one in single_kinds(subject):
        found |= _property_of(one, name, is_mapped)
    return found or Kind.NONE


def _property_of(kind: Kind, name: str, is_mapped: bool) -> Kind:
    match kind:
        case Kind.CARD | Kind.PLAYER:
            return Kind.INTEGER
        case Kind.TABLE:
            return table_property_kind(name)
        case Kind.CARDS | Kind.PLAYERS:
            if is_mapped:
                return Kind.INTEGERS
            return Kind.INTEGER if is_content(name) else kind
        case Kind.INTEGERS | Kind.INTEGER | Kind.BOOLEAN:
            return kind
        case Kind.PLAY:
            return Kind.CARDS if name in PLAY_CARDS else Kind.INTEGER
        case _:
            return Kind.NONE


def table_property_kind(name: str) -> Kind:
    """What a property of the table is."""
    return {DECK: Kind.CARDS, PLAYERS: Kind.PLAYERS}.get(name, Kind.INTEGER)


def _method_call(kinds: Kinds, scope: refs.Scope, node: Node) -> Kind:
    named = refs.resolve_object(node.fields.get("object"))
    if named is None:
        return Kind.NONE
    found = kinds.returned(class_of(named), text_field(node, "method"))
    always = isinstance(named, refs.TableRef | refs.CurrentPlayerRef)
    return found if always and found else found | Kind.NONE


def _sort(kinds: Kinds, scope: refs.Scope, node: Node) -> Kind:
    found = kinds.raw(scope, node.fields.get("selection"))
    return (found & ~Kind.PLAY) | Kind.CARDS if Kind.PLAY in found else found


def _element(kinds: Kinds, scope: refs.Scope, node: Node) -> Kind:
    selection = kinds.raw(scope, node.fields.get("selection"))
    found = Kind.NONE
    if selection & (Kind.CARDS | Kind.PLAY):
        found |= Kind.CARD
    if selection & Kind.PLAYERS:
        found |= Kind.PLAYER
    return found


def _property(kinds: Kinds, scope: refs.Scope, node: Node) -> Kind:
    name = text_field(node, "property")
    if operator(node) == 0:
        named = refs.resolve_object(node.fields.get("ident"))
        if named is None:
            return Kind.NONE
        return (
            table_property_kind(name)
            if isinstance(named, refs.TableRef)
            else Kind.INTEGER
        )
    found = refs.resolve(node.fields.get("ident"), scope)
    if isinstance(found, refs.NodeRef):
        pair = refs.special_pair(scope.flow.nodes[found.id], name, scope)
        if pair is not None:
            return kinds.reference(scope, pair)
        if scope.flow.nodes[found.id].type == CHOOSE:
            return Kind.NONE
    return property_kind(kinds.reference(scope, found), name, operator(node) == 2)


def _integer(kinds: Kinds, scope: refs.Scope, node: Node) -> Kind:
    return Kind.INTEGER


def _boolean(kinds: Kinds, scope: refs.Scope, node: Node) -> Kind:
    return Kind.BOOLEAN


_KINDS: dict[int, Callable[[Kinds, refs.Scope, Node], Kind]] = {
    1: _method_call,
    2: _sort,
    5: _element,
    6: _property,
    7: _integer,
    8: _integer,
    9: _integer,
    10: _integer,
    11: _boolean,
    12: _boolean,
    13: _boolean,
    14: _boolean,
    15: _boolean,
}


def infer(rule: Rule) -> Kinds:
    """The kinds of all values of the rule, following calls until nothing becomes wider."""
    kinds = Kinds(rule)
    while kinds.round():
        pass
    # what no call ever gives is none, which may widen what those methods pass on
    while kinds.settle_parameters():
        while kinds.round():
            pass
    return kinds
