"""What every check of one flow starts from: the flow, its scope, what is reachable, and how to report about it.

Part of the pass `check`. A context is made once per flow; facts about the whole rule, which several checks need, are
made once per rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, final

from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.diagnostics.pointer import Pointer
from dealwright.compiler.diagnostics.reporter import Reporter, quote, safe
from dealwright.compiler.reading.source import MAX_DIGITS
from dealwright.compiler.rule.components import COMPONENTS, START_TYPES, WAIT_TYPES
from dealwright.compiler.rule.flowgraph import (
    MethodKey,
    closure,
    control_nodes,
    method_effects,
    reachable,
    reference,
    referred_nodes,
    scope_of,
    successors,
    with_needs,
)
from dealwright.compiler.rule.model import Cardset, Flow, Method, Node, Property, Rule
from dealwright.compiler.rule.objects import KEPT, VIRTUAL, deck_axes, deck_size
from dealwright.compiler.rule.operands import operator
from dealwright.compiler.rule.references import (
    OWNER_WORD,
    NodeRef,
    Scope,
    keyword,
    named_object,
)

MAX_DECK: Final = 10_000
# what breaks a longer chain of objects is told where the chain is used: following each would take too long
LONGEST_CHAIN: Final = 8
# so many steps of a circle are shown
_LONGEST_CIRCLE: Final = 8


@final
@dataclass(frozen=True, slots=True)
class Context:
    """One flow under check.

    `control` are the nodes that control reaches, in control order; `used` all reachable nodes, in document order.
    `owner` and `method` are set for the flow of a method, `cardset` for the flows of a cardset. `pointer` is the
    flow's. `players` is the number of players, if the rule declares it. `suggested` are nodes that references
    which name nothing may have meant, `unfinished` the branches of which has been told what they lack; `seats_named` is
    made once, the first time that somebody asks (`meant`).
    """

    reporter: Reporter
    flow: Flow
    pointer: Pointer
    scope: Scope
    control: tuple[str, ...]
    used: tuple[str, ...]
    owner: str | None = None
    method: Method | None = None
    cardset: Cardset | None = None
    players: int | None = None
    suggested: set[str] = field(default_factory=set)
    unfinished: set[str] = field(default_factory=set)
    seats_named: list[frozenset[int]] = field(default_factory=list)

    def executed(self) -> Iterator[Node]:
        """The nodes that control reaches, in control order."""
        return (self.flow.nodes[name] for name in self.control)

    def reached(self) -> Iterator[Node]:
        """All reachable nodes, in document order."""
        return (self.flow.nodes[name] for name in self.used)

    def report(
        self,
        code: str,
        node: Node,
        field: str | None = None,
        *,
        meant: str | int | Words | None = None,
        **values: str | int | Words,
    ) -> None:
        """Report a problem of a node or of one of its fields (`lval`, `parameter/0`); `meant` as in `Reporter.report`."""
        if self._is_explained(node, field):
            return
        place = self.reporter.place_in_node(
            node.pointer, self.flow.path, node.id, field
        )
        shown = field if field is None else Words(quote(field), safe(field))
        if shown is not None:
            values["field"] = shown
        self.reporter.report(code, place, meant=meant, **values)

    def _is_explained(self, node: Node, field: str | None) -> bool:
        """Whether an error that has been reported is why there is something to say about a field of a node."""
        reporter, path = self.reporter, self.flow.path
        if field is None:
            return False
        return (
            reporter.is_shapeless(path, node.id)
            or reporter.is_wrong(path, node.id, field)
            # the operator says what these two fields mean
            or (
                field in ("ident", "property")
                and reporter.is_wrong(path, node.id, "operator")
            )
        )

    def chain(self, node: Node) -> Iterator[Node]:
        """A node, the one that its object comes from (`ident` or `selection`), and so on; no more than people write."""
        for _ in range(LONGEST_CHAIN):
            yield node
            field = "selection" if node.type == 5 else "ident"
            following = self.target(node.fields.get(field))
            if following is None:
                return
            node = following

    def is_told(self, node: Node, field: str) -> bool:
        """Whether it has been reported what is wrong with a field of a node, or which misspelled key stands for it."""
        reporter, path = self.reporter, self.flow.path
        return reporter.is_wrong(path, node.id, field) or reporter.is_misspelled(
            path, node.id, field
        )

    def is_broken(self, node: Node) -> bool:
        """Whether a node, or one in its chain, could not be read."""
        reporter, path = self.reporter, self.flow.path
        return any(
            reporter.is_shapeless(path, one.id)
            or any(
                reporter.is_wrong(path, one.id, field)
                for field in ("operator", "ident", "property", "selection")
            )
            for one in self.chain(node)
        )

    def report_flow(self, code: str, **values: str | int | Words) -> None:
        """Report a problem of the whole flow."""
        self.reporter.report(
            code, self.reporter.place(self.pointer, flow=self.flow.path), **values
        )

    def meant(self) -> frozenset[str]:
        """The suggested nodes, and what they refer to or lead to: all that would be used if they were meant."""
        nodes, scope = self.flow.nodes, self.scope
        return closure(
            self.suggested,
            lambda name: (
                *successors(nodes[name]),
                *referred_nodes(nodes[name], scope),
            ),
        )

    def with_needs(self, values: Iterable[str]) -> frozenset[str]:
        """These values, and those that they refer to, directly or not."""
        return with_needs(self.flow, self.scope, values)

    def left_over(self) -> tuple[str, ...]:
        """The unused values to which no node refers, in document order."""
        nodes, used = self.flow.nodes, frozenset(self.used)
        unused = [node for name, node in nodes.items() if name not in used]
        referred = {
            name for node in unused for name in referred_nodes(node, self.scope)
        }
        return tuple(
            node.id
            for node in unused
            if node.id not in referred
            and node.type in COMPONENTS
            and COMPONENTS[node.type].has_value
            and node.type not in START_TYPES | WAIT_TYPES
        )

    def is_hidden(self, name: str) -> bool:
        """Whether no reference can reach a node, since its id is a keyword, a parameter or an object."""
        text = name.strip()
        if not text or len(text) > MAX_DIGITS:
            return False
        return keyword(text, self.scope) is not None or named_object(text) is not None

    def target(self, raw: object) -> Node | None:
        """The node that a reference names, or None."""
        found = reference(raw, self.scope)
        return self.flow.nodes[found.id] if isinstance(found, NodeRef) else None


@final
@dataclass(frozen=True, slots=True)
class Axis:
    """A factor of the deck's product: a property, its values in ascending order, and how many could not be read.

    Sorted once, so that a file of many deals does not cost all values for each.
    """

    name: str
    values: Sequence[int]
    unread: int = 0

    def size(self) -> int:
        """How many values there are."""
        return len(self.values) + self.unread


@final
@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the whole rule.

    `effects` are the methods with effects; `assigned` the names of all properties that some flow assigns; `deck_size`
    the number of cards, or None if it passes the limit; `axes` their properties; `results` the names of cardset
    properties, declared or set by a 28; `unread` are the classes of which some property may be declared where nothing
    could be read, and `has_deck` says that all of the class card could be read, so that its cards can be counted; if
    not, `fullest` is the deck as if every entry of a `config` counted, or None if more than such entries could not be
    read or it is too large.
    """

    rule: Rule
    effects: frozenset[MethodKey]
    assigned: frozenset[str]
    deck_size: int | None
    results: frozenset[str]
    declared: dict[str, frozenset[str]]
    unread: frozenset[str]
    has_deck: bool
    axes: tuple[Axis, ...]
    fullest: tuple[Axis, ...] | None

    def properties(self, owner: str) -> frozenset[str]:
        """All names under which an object of a class has a value: declared, kept and virtual ones."""
        return self.declared[owner] | KEPT[owner].keys() | VIRTUAL[owner]


def contexts(rule: Rule, reporter: Reporter) -> tuple[Context, ...]:
    """A context for every flow: match, end, cardsets, comparisons, methods; what is not written is left out."""
    root, players = reporter.root, rule.players
    found = [_context(rule.match_flow, root / "match_flow", reporter, players)]
    found.append(_context(rule.end_flow, root / "end_flow", reporter, players))
    for cardset in rule.cardsets:
        base = root / "cardsets" / cardset.id
        found.append(
            _context(
                cardset.build, base / "build_flow", reporter, players, cardset=cardset
            )
        )
        if cardset.compare is not None:
            found.append(
                _context(
                    cardset.compare,
                    base / "compare_flow",
                    reporter,
                    players,
                    cardset=cardset,
                )
            )
    for comparison in rule.comparisons:
        if comparison.flow is not None:
            pointer = root / "cardset_comparisons" / comparison.id / "compare_flow"
            found.append(_context(comparison.flow, pointer, reporter, players))
    for owner in rule.classes():
        for name, method in owner.methods.items():
            pointer = root / "classes" / owner.name / "methods" / name / "flow"
            found.append(
                _context(
                    method.flow,
                    pointer,
                    reporter,
                    players,
                    owner=owner.name,
                    method=method,
                )
            )
    return tuple(found)


def _context(
    flow: Flow,
    pointer: Pointer,
    reporter: Reporter,
    players: int | None,
    *,
    owner: str | None = None,
    method: Method | None = None,
    cardset: Cardset | None = None,
) -> Context:
    scope = scope_of(flow, method)
    used = reachable(flow, scope)
    ordered = tuple(name for name in flow.nodes if name in used)
    return Context(
        reporter,
        flow,
        pointer,
        scope,
        control_nodes(flow),
        ordered,
        owner,
        method,
        cardset,
        players,
    )


def facts(rule: Rule, flows: tuple[Context, ...], reporter: Reporter) -> Facts:
    """What is known of the whole rule, given the contexts of its flows and what could not be read."""
    size = deck_size(rule)
    assigned = {
        name
        for context in flows
        for node in context.executed()
        if (name := assigned_property(context, node))
    }
    set_by_results = {
        name
        for context in flows
        for node in context.reached()
        for name in result_properties(node)
    }
    declared = {
        owner.name: frozenset(one.name for one in owner.properties)
        for owner in rule.classes()
    }
    results = set_by_results.union(*(cardset.properties for cardset in rule.cardsets))
    has_deck = not reporter.has_hole_within(reporter.root / "classes" / "card")
    known_size = size if size <= MAX_DECK else None
    return Facts(
        rule,
        method_effects(rule),
        frozenset(assigned),
        known_size,
        frozenset(results),
        declared,
        frozenset(
            owner.name for owner in rule.classes() if _is_unread(owner.name, reporter)
        ),
        has_deck,
        tuple(Axis(name, sorted(values)) for name, values in deck_axes(rule)),
        None if has_deck else _fullest(rule, reporter),
    )


def _fullest(rule: Rule, reporter: Reporter) -> tuple[Axis, ...] | None:
    """The axes of the deck with every entry of a `config`, read or not (see `Facts.fullest`)."""
    if _is_unread("card", reporter):
        return None
    axes: list[Axis] = []
    size = 1
    for one in rule.card.properties:
        axis = _full_axis(one, reporter)
        if axis is None or size * axis.size() > MAX_DECK:
            return None
        size *= axis.size()
        axes.append(axis)
    return tuple(axes)


def _full_axis(one: Property, reporter: Reporter) -> Axis | None:
    """The values that cards have of a property, as if all could be read; None if nobody knows how many there are."""
    base, locator = reporter.root / "classes" / "card", reporter.locator
    pointers = (
        base / section / one.name
        for section in ("user_properties", "default_properties")
    )
    at = next((at for at in pointers if locator is not None and locator.has(at)), None)
    if locator is None or at is None or reporter.has_hole(at / "type"):
        return None
    default = Axis(one.name, (one.default,))
    if reporter.has_hole(at / "default"):
        default = Axis(one.name, (), 1)
    if one.type == "int":
        return default
    config, written = at / "config", 0
    while written <= MAX_DECK and locator.has(config / str(written)):
        written += 1
    # a list of which no entry can be read is a hole too, and the only one that explains what is missing
    is_list = written > 0 and reporter.is_explained(reporter.place(config))
    if reporter.has_hole(config) and not is_list:
        return None
    if not written:
        # the default takes the place of entries only if there are none
        return default
    return Axis(one.name, sorted(one.values), written - len(one.values))


def _is_unread(owner: str, reporter: Reporter) -> bool:
    """Whether a class may declare properties that could not be read."""
    base = reporter.root / "classes" / owner
    return any(
        reporter.has_hole(base / section)
        for section in ("default_properties", "user_properties")
    )


def assigned_property(context: Context, node: Node) -> str | None:
    """The name of the property that a type 4 node assigns, or None."""
    target = context.target(node.fields.get("component")) if node.type == 4 else None
    name = None if target is None or target.type != 6 else target.fields.get("property")
    return name if isinstance(name, str) else None


def result_properties(node: Node) -> tuple[str, ...]:
    """The properties that a type 28 node gives to its result: those whose values are integers."""
    raw = node.fields.get("properties") if node.type == 28 else None
    if not isinstance(raw, dict):
        return ()
    return tuple(
        name
        for name, value in raw.items()
        if isinstance(value, int) and not isinstance(value, bool)
    )


def property_name(node: Node) -> str:
    """The property that a type 6 node names; blank if none."""
    raw = node.fields.get("property")
    return raw if isinstance(raw, str) and raw.strip() else ""


PAIRS: Final = MappingProxyType(
    {
        17: ("牌桌",),
        21: ("用户打出的牌组",),
        22: ("用户做出的选择",),
        23: ("玩家",),
        25: (OWNER_WORD,),
        27: ("传入牌组",),
        29: ("牌型A", "牌型B"),
    }
)
"""The special properties of starts and waits by their types (contract, section 5, type 6); 25 has its parameters too."""


def is_special_pair(context: Context, start: Node, name: str) -> bool:
    """Whether a property read of this start or wait is one of its special pairs."""
    if start.type == 29:
        name = unspaced(name).split(".")[0]
    if start.type == 25 and name in context.scope.parameters:
        return True
    return name in PAIRS.get(start.type, ())


def reads_no_pair(context: Context, node: Node) -> bool:
    """Whether a node leaves out which of its pairs it reads of a start or wait that is nothing without one."""
    if node.type != 6 or operator(node) != 1 or property_name(node).strip():
        return False
    start = context.target(node.fields.get("ident"))
    return start is not None and start.type in (17, 22, 23, 25, 29)


def unspaced(name: str) -> str:
    """A name with a Latin letter in the one spelling that has no space: `牌型 A.权重` as `牌型A.权重` (contract, 3)."""
    for letter in ("A", "B", "ID"):
        spaced = f"牌型 {letter}"
        if name == spaced or name.startswith(f"{spaced}."):
            return f"牌型{letter}{name[len(spaced) :]}"
    return name


def shown_circle(steps: Sequence[Words]) -> Words:
    """The steps of a circle with arrows between them; of a long one the first and the last."""
    shown = list(steps)
    if len(shown) > _LONGEST_CIRCLE:
        shown[_LONGEST_CIRCLE - 2 : -1] = [Words("…", "…")]
    return Words(
        " → ".join(step.en for step in shown), " → ".join(step.zh for step in shown)
    )


def shown_nodes(names: Iterable[str]) -> Words:
    """A circle of nodes."""
    return shown_circle([Words(quote(name), quote(name)) for name in names])
