"""What is known of each flow at compile time, in one place, for people to read and for the emitter to go by.

Goes in: the lowered program and the answers of the passes on it, the very objects that the emitter asks (`Facts`). Comes
out: for each flow the accepted lengths, the elements asked for and which of them are proved to exist, everything that is
read and changed, also through methods and cardsets, where the order of the cards shows, what recognition hands over
sorted, and whether the work is counted. Nothing here decides anything: it says what was decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, final

from dealwright.compiler.passes.bounds import Bounds
from dealwright.compiler.passes.certain import (
    Arguments,
    Certainty,
    certainty_of_plays,
)
from dealwright.compiler.passes.costs import Costs
from dealwright.compiler.passes.handover import Given
from dealwright.compiler.passes.order import Orders, OrderUse, callable_bodies, callees
from dealwright.compiler.passes.reads import CallKey, Reads, all_values, has_loop
from dealwright.compiler.passes.widths import Widths
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.control import in_control_order
from dealwright.compiler.representation.dominance import ROOT, Dominance
from dealwright.compiler.representation.ir import Value, rep_of
from dealwright.compiler.representation.program import Program
from dealwright.compiler.representation.types import Rep
from dealwright.compiler.rule.flowgraph import strongly_connected

Kind: TypeAlias = Literal["build", "compare", "comparison", "method", "match", "settle"]
Item: TypeAlias = tuple[str, str]
"""What can be read or changed: `("card", "rank")`, `("table", "round")`, `("play", "weight")`, `("latest", "")`, …"""

CARD_ITEMS: Final = frozenset({"card", "play"})
"""Owners whose properties belong to the cards themselves; all other items are the state of the match."""
ANY: Final = "any"
"""Owner of a property that is read of a value whose kind is known only at run time."""

_OWNERS: Final = {
    Rep.CARD: "card",
    Rep.CARDS: "card",
    Rep.PLAYER: "player",
    Rep.PLAYERS: "player",
    Rep.TABLE: "table",
    Rep.MIXED: ANY,
}


@final
@dataclass(frozen=True, slots=True)
class FlowName:
    """Which flow: `owner` is the id of a cardset or comparison, or the class of a method; `name` that of a method."""

    kind: Kind
    owner: str = ""
    name: str = ""


@final
@dataclass(frozen=True, slots=True)
class ElementFact:
    """An element that a node asks for.

    selection, index: of what, and which; the index is a formula. is_proved: it exists on every way there, so that it is
    read without a guard. behind: the node that proves it; None where it needs no proof by a node (the number of cards that
    the flow is asked about may be proof enough), or has none.
    """

    node: str
    selection: Value
    index: Value
    is_proved: bool
    behind: str | None


@final
@dataclass(frozen=True, slots=True)
class ItemFact:
    """Something that a flow reads or changes: `is_own` by itself, `through` the flows that it calls for it."""

    item: Item
    is_own: bool
    through: tuple[CallKey, ...]


@final
@dataclass(frozen=True, slots=True)
class FlowFacts:
    """All facts of one flow.

    bounds: lengths of a build flow. settled: its nodes that are gone, since whoever asks for the cardset has asked for the
    number of cards. plays: accepted lengths of the plays A and B of a comparison, None if there is no such cardset.
    handed: what recognition finds out once. sure: those of it that are found to be so before the flow is asked; the others
    are handed over. is_counted: work is counted because it can be long. has_loop: it goes in a circle, and every round is
    counted.
    """

    flow: FlowName
    body: ir.Body
    bounds: Bounds | None
    settled: tuple[str, ...]
    plays: tuple[Bounds | None, Bounds | None] | None
    elements: tuple[ElementFact, ...]
    reads: tuple[ItemFact, ...]
    changes: tuple[ItemFact, ...]
    order: tuple[OrderUse, ...]
    handed: tuple[Value, ...]
    sure: tuple[Value, ...]
    is_counted: bool
    has_loop: bool

    @property
    def reads_state(self) -> bool:
        """Whether the flow reads anything but the cards and plays that it is given."""
        return any(fact.item[0] not in CARD_ITEMS for fact in self.reads)


@final
@dataclass(frozen=True, slots=True)
class Facts:
    """A lowered program and what the passes know of it; the emitter asks these very objects.

    lengths: of build flows, by cardset id. settled: their nodes that the number of cards decides (see `dispatch`); those
    that have an entry are asked about accepted lengths only. given: the values that are found out for each build flow.
    sure: those that are found to be so before its function is asked; it takes the others. arguments: what each method is
    certainly given.
    """

    program: Program
    lengths: Mapping[str, Bounds]
    settled: Mapping[str, tuple[str, ...]]
    given: Given
    sure: Mapping[str, tuple[Value, ...]]
    arguments: Mapping[tuple[str, str], Arguments]
    widths: Widths
    costs: Costs
    reads: Reads
    orders: Orders

    @property
    def named_lengths(self) -> dict[str, Bounds]:
        """The lengths of plays by the name of their cardset."""
        cardsets = self.program.rule.cardsets
        return {cardset.name: self.lengths[cardset.id] for cardset in cardsets}

    def certainty(
        self,
        bounds: Bounds | None = None,
        compared: tuple[str, str] | None = None,
        method: tuple[str, str] | None = None,
    ) -> Certainty:
        """What exists in a flow: a build flow with its bounds, a comparison of cardsets by name, a method, or any other."""
        players = self.program.rule.players
        if compared is not None:
            return certainty_of_plays(players, self.named_lengths, *compared)
        if method is not None:
            return Certainty(players, arguments=self.arguments[method])
        return Certainty(players, None if bounds is None else bounds.lengths)


def flow_names(program: Program) -> list[FlowName]:
    """Every flow of a rule, cardsets first, in the order in which they are generated."""
    names: list[FlowName] = []
    for cardset in program.rule.cardsets:
        names.append(FlowName("build", cardset.id))
        if cardset.id in program.compares:
            names.append(FlowName("compare", cardset.id))
    names += [FlowName("comparison", id) for id in program.comparisons]
    names += [FlowName("method", *key) for key in program.methods]
    return [*names, FlowName("match"), FlowName("settle")]


def body_of(program: Program, flow: FlowName) -> ir.Body:
    """The lowered flow of this name."""
    match flow.kind:
        case "build":
            return program.builds[flow.owner]
        case "compare":
            return program.compares[flow.owner]
        case "comparison":
            return program.comparisons[flow.owner]
        case "method":
            return program.methods[flow.owner, flow.name].body
        case "match":
            return program.match
        case "settle":
            return program.end


@final
class FactFinder:
    """Finds the facts of the flows of one program, what they share once."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        bodies = callable_bodies(facts.program)
        self._read = _spread(bodies, read_in)
        self._changed = _spread(bodies, _changed_in)

    def of(self, flow: FlowName) -> FlowFacts:
        """The facts of one flow."""
        facts = self._facts
        body = body_of(facts.program, flow)
        bounds = facts.lengths[flow.owner] if flow.kind == "build" else None
        compared = _compared(facts.program, flow)
        method = (flow.owner, flow.name) if flow.kind == "method" else None
        certainty = facts.certainty(bounds, compared, method)
        masks: Mapping[str, int] = {} if bounds is None else bounds.at
        named = facts.named_lengths
        return FlowFacts(
            flow,
            body,
            bounds,
            facts.settled.get(flow.owner, ()) if flow.kind == "build" else (),
            (
                None
                if compared is None
                else (named.get(compared[0]), named.get(compared[1]))
            ),
            tuple(_elements(facts.program.pool, body, certainty, masks)),
            _items(body, read_in(body), self._read),
            _items(body, _changed_in(body), self._changed),
            facts.orders.of(body, certainty, masks),
            facts.given[flow.owner] if flow.kind == "build" else (),
            facts.sure[flow.owner] if flow.kind == "build" else (),
            facts.costs.is_counted(body),
            has_loop(body),
        )


def _compared(program: Program, flow: FlowName) -> tuple[str, str] | None:
    """The names of the cardsets whose plays a flow compares."""
    if flow.kind == "compare":
        cardset = program.rule.cardset(flow.owner)
        assert cardset is not None, "a compare flow belongs to a cardset"
        return cardset.name, cardset.name
    if flow.kind == "comparison":
        found = [one for one in program.rule.comparisons if one.id == flow.owner]
        return found[0].a, found[0].b
    return None


def _elements(
    pool: ir.Pool, body: ir.Body, certainty: Certainty, masks: Mapping[str, int]
) -> Iterator[ElementFact]:
    """The elements that a flow asks for, each once a node, in control order; those of mixed values are left out."""
    instructions = body.instructions
    dominance = Dominance([body.entry], lambda id: ir.successors(instructions[id]))
    first = masks.get(body.entry, certainty.everything)
    for instruction in in_control_order(body):
        at = masks.get(instruction.id, certainty.everything)
        roots = ir.operation_values(instruction.operation)
        for value, mask in certainty.masks(roots, at).items():
            for element in _asked_for(pool, value, certainty, mask):
                is_proved = certainty.is_certain(element, mask)
                behind = None
                if is_proved and not certainty.is_certain(element, first):
                    behind = _prover(
                        instruction.id, element, certainty, masks, dominance
                    )
                selection = (
                    element.values
                    if isinstance(element, ir.ValueAt)
                    else element.selection
                )
                yield ElementFact(
                    instruction.id, selection, element.index, is_proved, behind
                )


def _asked_for(
    pool: ir.Pool, value: Value, certainty: Certainty, mask: int
) -> Iterator[ir.Element | ir.ValueAt]:
    """The elements that a value asks for itself; what compares cards with each other asks for all of them."""
    match value:
        case ir.Element() | ir.ValueAt():
            yield value
        case ir.Alike(selection, _):
            for number in range(certainty.exact_length(selection, mask) or 0):
                yield pool.make(ir.Element, selection, pool.make(ir.Integer, number))
        case _:
            return


def _prover(
    node: str,
    value: Value,
    certainty: Certainty,
    masks: Mapping[str, int],
    dominance: Dominance,
) -> str:
    """The last node on every way to this one before which the element was not certain; it may be the node itself."""
    while True:
        if not certainty.is_certain(value, masks.get(node, certainty.everything)):
            return node
        parent = dominance.parent.get(node, ROOT)
        if parent == ROOT:
            return node
        node = parent


def _items(
    body: ir.Body,
    own: Iterable[Item],
    of_callees: Mapping[CallKey, frozenset[Item]],
) -> tuple[ItemFact, ...]:
    own = frozenset(own)
    through: dict[Item, dict[CallKey, None]] = {item: {} for item in own}
    for key in callees(body):
        for item in of_callees[key]:
            through.setdefault(item, {})[key] = None
    return tuple(
        ItemFact(item, item in own, tuple(sorted(through[item])))
        for item in sorted(through)
    )


def _spread(
    bodies: Mapping[CallKey, ir.Body],
    own: Callable[[ir.Body], Iterable[Item]],
) -> dict[CallKey, frozenset[Item]]:
    """For each flow that can be called, what it and everything that it calls reads (or changes)."""
    found: dict[CallKey, frozenset[Item]] = {}
    for members in strongly_connected(bodies, lambda key: callees(bodies[key])):
        items = frozenset(item for key in members for item in own(bodies[key]))
        for key in members:
            for inner in callees(bodies[key]):
                items |= found.get(inner, frozenset())
        found |= dict.fromkeys(members, items)
    return found


def read_in(body: ir.Body) -> Iterator[Item]:
    """What a flow reads itself, the flows that it calls apart; an item may come more than once."""
    for value in all_values(body):
        yield from _read_by(value)
    for instruction in body.instructions.values():
        match instruction.operation:
            case ir.SortDeck(keys, _):
                yield ("deck", "")
                yield from (("card", key.property) for key in keys)
            case ir.Deal(_, filters):
                yield ("deck", "")
                yield from (
                    ("card", one.name) for one in filters if one.name is not None
                )
            case ir.Shuffle():
                yield ("deck", "")
            case _:
                pass


def _read_by(value: Value) -> Iterator[Item]:
    """What a value reads itself, its operands apart."""
    match value:
        case ir.Member(subject, name):
            yield _OWNERS[rep_of(subject)], name
        case ir.Each(selection, name) if name is not None:
            yield _OWNERS[rep_of(selection)], name
        case ir.Sorted(_, keys):
            owner = _OWNERS[rep_of(value)]
            yield from ((owner, key.property) for key in keys)
        case ir.SortedValues(_, names, _):
            yield from (("card", name) for name in names)
        case ir.Alike(_, name):
            yield "card", name
        case ir.PlayProperty(_, name):
            yield "play", name
        case ir.MixedProperty(_, name, _, _):
            yield ANY, name
        case ir.MixedSorted(_, card_keys, player_keys):
            yield from (("card", key.property) for key in card_keys)
            yield from (("player", key.property) for key in player_keys)
        case ir.PlayNumber():
            yield "play", "cardset"
        case ir.Latest():
            yield "latest", ""
        case ir.Choice():
            yield "choice", ""
        case ir.CurrentPlayer():
            yield "current", ""
        case ir.Deck():
            yield "deck", ""
        case _:
            return


def _changed_in(body: ir.Body) -> Iterator[Item]:
    for instruction in body.instructions.values():
        match instruction.operation:
            case ir.Assign(target, _):
                yield _OWNERS[rep_of(target.subject)], target.name
            case ir.SortDeck() | ir.Shuffle():
                yield "deck", ""
            case ir.Deal():
                yield from (("deck", ""), ("hands", ""))
            case _:
                pass
