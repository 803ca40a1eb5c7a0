"""What each flow that can be called needs from its caller, and what each value reads that a statement may change.

Goes in: the lowered program. Comes out: for every build flow and method whether its function takes the game, and, for a
method, the caller's cards; and whether a quantifier's binding can reach it, so that it must ask the game who is bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, final

from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value, rep_of
from dealwright.compiler.representation.program import Program
from dealwright.compiler.representation.types import Rep
from dealwright.compiler.rule.flowgraph import has_wait_free_cycle, strongly_connected
from dealwright.compiler.rule.objects import SETTLEMENT_INDEX

CallKey: TypeAlias = "tuple[str, str]"
"""`("build", cardset id)` or `(class, method)`."""

_TIMES: Final = 2  # the operator of a product


@final
@dataclass(slots=True)
class Needs:
    """What a callable flow needs.

    game: its function takes the game. judged: a method reads the cards being judged. latest, player: it reads the latest
    play, or the current player or `settlement_index`. bound: such a read can happen under a quantifier's binding.
    loops: it may run for ever.
    """

    game: bool = False
    judged: bool = False
    latest: bool = False
    player: bool = False
    bound: bool = False
    loops: bool = False


def all_values(body: ir.Body, given: Iterable[Value] = ()) -> Iterator[Value]:
    """Every value of a body once, shared ones too; but those that the flow is given, and what only they need."""
    seen = set(map(id, given))
    for one in body.instructions.values():
        yield from values_below(ir.operation_values(one.operation), seen)


def values_below(roots: tuple[Value, ...], seen: set[int]) -> Iterator[Value]:
    """The roots and everything they are made of, each once; `seen` holds identities and grows."""
    pending = list(reversed(roots))
    while pending:
        value = pending.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        yield value
        pending.extend(reversed(ir.children(value)))


def called(value: Value) -> CallKey | None:
    """The flow that a value calls, if it does."""
    match value:
        case ir.IsCardset(cardset, _, _):
            return ("build", cardset)
        case ir.Call():
            return (value.owner, value.method)
        case _:
            return None


def may_fail(value: Value) -> bool:
    """Whether working out a value, its operands apart, may end the match: a product may be too wide; mixed ones anything."""
    is_product = isinstance(value, ir.Arithmetic) and value.operator == _TIMES
    return is_product or rep_of(value) is Rep.MIXED


def has_loop(body: ir.Body) -> bool:
    """Whether control can come back to a node without a wait in between."""
    instructions = body.instructions
    return any(
        len(members) > 1 or members[0] in ir.successors(instructions[members[0]])
        for members in strongly_connected(
            instructions, lambda id: ir.successors(instructions[id])
        )
    )


@final
class Reads:
    """Needs of every callable flow of a program; those that `is_counted` names count their work, which takes the game.

    What a build flow is `given` by its caller, by cardset id, it needs nothing for.
    """

    def __init__(
        self,
        program: Program,
        is_counted: Callable[[ir.Body], bool],
        given: Mapping[str, tuple[Value, ...]],
    ) -> None:
        self._is_counted = is_counted
        bodies: dict[CallKey, ir.Body] = {
            ("build", id): body for id, body in program.builds.items()
        }
        bodies |= {key: method.body for key, method in program.methods.items()}
        values = {
            key: list(
                all_values(body, given.get(key[1], ()) if key[0] == "build" else ())
            )
            for key, body in bodies.items()
        }
        self._needs = {
            key: self._own(body, values[key]) for key, body in bodies.items()
        }
        for owner in program.rule.classes():
            for method in owner.methods.values():
                if has_wait_free_cycle(method.flow):
                    needs = self._needs[owner.name, method.name]
                    needs.game = needs.loops = True
        calls = {
            key: [one for one in found if called(one) is not None]
            for key, found in values.items()
        }
        self._spread(calls)
        self._find_bound(program, calls)

    def of(self, key: CallKey) -> Needs:
        """The needs of a build flow or method."""
        return self._needs[key]

    def body_needs_game(self, body: ir.Body) -> bool:
        """Whether the function of any other flow needs the game."""
        values = list(all_values(body))
        return self._own(body, values).game or any(
            self._needs[key].game
            for value in values
            if (key := called(value)) is not None
        )

    def _own(self, body: ir.Body, values: Iterable[Value]) -> Needs:
        needs = Needs(game=self._is_counted(body))
        for value in values:
            match value:
                case ir.Judged():
                    needs.judged = True
                case ir.Latest():
                    needs.game = needs.latest = True
                case ir.CurrentPlayer():
                    needs.game = needs.player = True
                case ir.Member(subject, name) if (
                    name == SETTLEMENT_INDEX and ir.rep_of(subject) is Rep.TABLE
                ):
                    needs.player = True
                case ir.MixedProperty(_, name, _):
                    needs.game = True
                    needs.player |= name == SETTLEMENT_INDEX
                case (
                    ir.Choice()
                    | ir.TheTable()
                    | ir.SeatedPlayer()
                    | ir.NumberedCard()
                    | ir.Deck()
                    | ir.Players()
                ):
                    needs.game = True
                case _:
                    pass
        for one in body.instructions.values():
            if isinstance(one.operation, ir.SortDeck | ir.Shuffle | ir.Deal):
                needs.game = True
        return needs

    def _spread(self, calls: dict[CallKey, list[Value]]) -> None:
        """Hand needs on to callers; those who are called come first, since nobody calls in a circle."""
        inner_keys = {
            key: [inner for value in values if (inner := called(value)) is not None]
            for key, values in calls.items()
        }
        for members in strongly_connected(calls, inner_keys.__getitem__):
            for key in members:
                for value in calls[key]:
                    self._add(self._needs[key], value)

    def _add(self, needs: Needs, value: Value) -> None:
        """What a flow needs because it makes this call."""
        assert isinstance(value, ir.Call | ir.IsCardset), "only calls were collected"
        key = called(value)
        assert key is not None
        inner = self._needs[key]
        needs.game |= inner.game
        needs.judged |= (
            key[0] != "build"
            and inner.judged
            and isinstance(value.context.judged, ir.Judged)
        )
        needs.latest |= inner.latest
        needs.player |= inner.player
        needs.loops |= inner.loops

    def _find_bound(self, program: Program, calls: dict[CallKey, list[Value]]) -> None:
        """Mark the flows that a binding can reach: called under one, or from a flow that one can reach."""
        others = [
            *program.compares.values(),
            *program.comparisons.values(),
            program.match,
            program.end,
        ]
        pending: list[CallKey] = []
        for value in [one for body in others for one in all_values(body)] + [
            one for values in calls.values() for one in values
        ]:
            key = called(value)
            if key is None:
                continue
            assert isinstance(value, ir.Call | ir.IsCardset)
            if value.context.card is not None or value.context.player is not None:
                pending.append(key)
        while pending:
            key = pending.pop()
            if self._needs[key].bound:
                continue
            self._needs[key].bound = True
            pending.extend(
                inner for value in calls[key] if (inner := called(value)) is not None
            )
        for needs in self._needs.values():
            if needs.bound and needs.player:
                needs.game = True
