"""Find what kinds of value each node of each flow can have: `5 selection=cards` is a card or none.

Goes in: the model. Comes out: `Kinds`, asked by lowering when it chooses representations and coercions. Methods make it
a fixed point: what a parameter can be follows from every call, what a call gives from every return. What has become
wider is handed on to those who read it and to nobody else, so that the time is linear in the references of the rule. A
quantifier's binding never changes a kind, so one answer per node is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias, final

from dealwright.compiler.representation.types import Kind
from dealwright.compiler.rule import references as refs
from dealwright.compiler.rule.flowgraph import (
    called_method,
    class_of,
    control_nodes,
    reachable,
    strongly_connected,
)
from dealwright.compiler.rule.model import Node, Rule
from dealwright.compiler.rule.objects import DECK, PLAY_CARDS, PLAYERS, is_content
from dealwright.compiler.rule.operands import (
    operands,
    operator,
    returned_reference,
    text_field,
)

_MAYBE_CARD = Kind.CARD | Kind.NONE
_MAYBE_PLAYER = Kind.PLAYER | Kind.NONE
CHOOSE = 22
"""The wait whose value has no properties but its special pair."""
_OWNER = {"card": Kind.CARD, "player": Kind.PLAYER, "table": Kind.TABLE}


@final
@dataclass(frozen=True, slots=True)
class _Node:
    """What a node can be as a value."""

    path: str
    id: str


@final
@dataclass(frozen=True, slots=True)
class _Parameter:
    """What a parameter of a method can be."""

    owner: str
    method: str
    name: str


@final
@dataclass(frozen=True, slots=True)
class _Returned:
    """What a method can give."""

    owner: str
    method: str


@final
@dataclass(frozen=True, slots=True)
class _Arguments:
    """What a call hands over; it has no kind itself."""

    path: str
    id: str


_Fact: TypeAlias = _Node | _Parameter | _Returned | _Arguments


@final
class Kinds:
    """The kinds of all values of a rule. Ask `node`, `reference`, `parameter` and `returned`.

    `_known` holds what is known of each fact so far, which only grows; `_readers` which facts were made from it;
    `_waiting` those that must be made anew. `_reader` is the one that is being made.
    """

    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        self._methods = {
            owner.methods[name].flow.path: (owner.name, name)
            for owner in rule.classes()
            for name in owner.methods
        }
        self._classes = {one.name: one for one in rule.classes()}
        self._scopes = {scope.flow.path: scope for scope, _ in refs.scopes(rule)}
        self._known: dict[_Fact, Kind] = {}
        self._readers: dict[_Fact, dict[_Fact, None]] = {}
        self._waiting: dict[_Fact, None] = {}
        self._reader: _Fact | None = None

    def parameter(self, path: str, name: str) -> Kind:
        """What a parameter of the method whose flow has this path can be."""
        return self._read(_Parameter(*self._methods[path], name))

    def returned(self, owner: str, method: str) -> Kind:
        """What a call of this method can give."""
        return self._read(_Returned(owner, method))

    def node(self, scope: refs.Scope, id: str) -> Kind:
        """What the node with this id of the scope's flow can be as a value."""
        path = scope.flow.path
        pending = [id]
        while pending:
            current = pending[-1]
            if _Node(path, current) in self._known:
                pending.pop()
                continue
            missing = [
                one.id
                for one in (
                    refs.resolve(raw, scope)
                    for raw in operands(scope.flow.nodes[current])
                )
                if isinstance(one, refs.NodeRef)
                and _Node(path, one.id) not in self._known
            ]
            if missing:
                pending.extend(missing)
                continue
            pending.pop()
            self._make(_Node(path, current))
        return self._read(_Node(path, id))

    def has_method(self, owner: str, method: str) -> bool:
        """Whether the class has such a method."""
        return method in self._classes[owner].methods

    def _read(self, fact: _Fact) -> Kind:
        if self._reader is not None:
            self._readers.setdefault(fact, {})[self._reader] = None
        return self._known.get(fact, Kind.NOTHING)

    def _make(self, fact: _Fact) -> None:
        """Find out about a fact from what is known now."""
        around, self._reader = self._reader, fact
        found = self._found(fact)
        self._reader = around
        self._widen(fact, found)

    def _found(self, fact: _Fact) -> Kind:
        match fact:
            case _Node(path, id):
                scope = self._scopes[path]
                return self._of_node(scope, scope.flow.nodes[id])
            case _Returned(owner, method):
                flow = self._classes[owner].methods[method].flow
                return self._returns(self._scopes[flow.path])
            case _Arguments(path, id):
                scope = self._scopes[path]
                self._call(scope, scope.flow.nodes[id])
                return Kind.NOTHING
            case _Parameter():
                return Kind.NOTHING

    def _widen(self, fact: _Fact, kind: Kind) -> None:
        """Add a kind to what is known; whoever has read less before waits to be made anew."""
        before = self._known.get(fact, Kind.NOTHING)
        self._known[fact] = before | kind
        if self._known[fact] != before:
            self._waiting.update(self._readers.get(fact, {}))

    def settle(self) -> None:
        """Follow calls and returns until nothing becomes wider; what no call ever gives is none.

        Methods come before those that call them, so that hardly anything has to be made twice.
        """
        for path in self._callees_first():
            scope = self._scopes[path]
            used = reachable(scope.flow, scope)
            for node in scope.flow.nodes.values():
                if node.type == 1 and node.id in used:
                    self._make(_Arguments(path, node.id))
            if path in self._methods:
                self._make(_Returned(*self._methods[path]))
        self._follow()
        for owner in self._rule.classes():
            for method in owner.methods.values():
                for name in method.parameters:
                    fact = _Parameter(owner.name, method.name, name)
                    if not self._known.get(fact):
                        self._widen(fact, Kind.NONE)
        self._follow()

    def _follow(self) -> None:
        while self._waiting:
            fact = next(iter(self._waiting))
            del self._waiting[fact]
            self._make(fact)

    def _callees_first(self) -> tuple[str, ...]:
        """The paths of all flows, methods before those that call them."""
        paths = {key: path for path, key in self._methods.items()}

        def callees(path: str) -> list[str]:
            scope = self._scopes[path]
            called = (called_method(node) for node in scope.flow.nodes.values())
            return [paths[key] for key in called if key in paths]

        groups = strongly_connected(self._scopes, callees)
        return tuple(path for group in groups for path in group)

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

    def _returns(self, scope: refs.Scope) -> Kind:
        found = Kind.NOTHING
        nodes = [scope.flow.nodes[id] for id in control_nodes(scope.flow)]
        returns = [node for node in nodes if node.type == 26]
        for node in returns:
            found |= self.raw(scope, returned_reference(node))
        ends = any(node.next is None and node.type not in (16, 26) for node in nodes)
        # a method that never ends gives nothing either
        return found | Kind.NONE if ends or not returns else found

    def _call(self, scope: refs.Scope, node: Node) -> None:
        named = refs.resolve_object(node.fields.get("object"))
        if named is None:
            return
        owner = class_of(named)
        method = self._classes[owner].methods.get(text_field(node, "method"))
        if method is None:
            return
        given = list(operands(node))
        for position, name in enumerate(method.parameters):
            kind = (
                self.raw(scope, given[position]) if position < len(given) else Kind.NONE
            )
            self._widen(_Parameter(owner, method.name, name), kind)

    def _of_node(self, scope: refs.Scope, node: Node) -> Kind:
        plain = refs.plain_value(node)
        if plain is not None:
            return self.reference(scope, plain)
        rule = _KINDS.get(node.type)
        return Kind.NONE if rule is None else rule(self, scope, node)


def single_kinds(kind: Kind) -> Iterator[Kind]:
    """The single kinds of a union, in declaration order."""
    return (one for one in Kind if one and one in kind)


def property_kind(subject: Kind, name: str, is_mapped: bool) -> Kind:
    """What property `name` of one of the kinds in `subject` can be, through operator 1 or (mapped) 2."""
    found = Kind.NOTHING
    for one in single_kinds(subject):
        found |= _property_of(one, name, is_mapped)
    return found


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
    owner, method = class_of(named), text_field(node, "method")
    if not kinds.has_method(owner, method):
        return Kind.NONE
    found = kinds.returned(owner, method)
    always = isinstance(named, refs.TableRef | refs.CurrentPlayerRef)
    return found if always else found | Kind.NONE


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
    kinds.settle()
    return kinds
