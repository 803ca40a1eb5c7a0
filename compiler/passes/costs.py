"""How long a flow can take at most, so that whatever could take too long counts its work against the bound.

Goes in: the program and the widths of its integers. Comes out: for each value, statement and flow an upper bound of its
work in *steps*, one for a small operation (about 50 ns); for a quantifier, the steps for each element times all cards or
seats. Loops and hops always count (`Game.tick`). Besides, a flow or a quantifier counts if it can take more than `FREE`
steps by itself; whoever calls it leaves its work to it. So small rules count nothing but their loops, and no nesting of
calls or quantifiers gets round the bound of a submission. A tick stands for `PER_TICK` steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, final

from dealwright.compiler.passes.reads import CallKey, all_values, called
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value, rep_of
from dealwright.compiler.representation.program import Program
from dealwright.compiler.representation.tree import Do, End, If, Statement
from dealwright.compiler.representation.types import Rep
from dealwright.compiler.rule.flowgraph import strongly_connected
from dealwright.compiler.rule.objects import deck_size

PER_TICK: Final = 1_000
"""Steps that one tick stands for; the runtime allows 100,000 ticks a submission."""
FREE: Final = 100_000
"""Steps that a flow or a quantifier may take without counting them."""
SEATS: Final = 16
"""Players of a rule that does not say how many."""

_HUGE: Final = 10**15
_CALL: Final = 10
_LARGE: Final = 1_000  # formulas up to here need no second look for shared parts


@final
class Costs:
    """The work of one program; `bits` says how wide an integer can be.

    counted: the callable flows that count their own work, and therefore need the game.
    """

    def __init__(self, program: Program, bits: Callable[[Value], int]) -> None:
        self._bits = bits
        self._cards = deck_size(program.rule)
        self._seats = program.rule.players or SEATS
        self._steps: dict[Value, int] = {}
        self._alone: dict[Value, int] = {}
        self._ticks: dict[Value, int] = {}
        self._calls: dict[CallKey, int] = {}
        self._bodies: dict[int, int] = {}
        self.counted: frozenset[CallKey] = frozenset()
        self._weigh_callable(program)

    def call(self, key: CallKey) -> int:
        """Steps of a call of a build flow or method, without the work that it counts itself."""
        return self._calls[key]

    def ticks_of(self, quantifier: ir.Quantifier) -> int:
        """Ticks for each element of a quantifier; 0 if it need not count."""
        self.of((quantifier,))
        return self._ticks.get(quantifier, 0)

    def is_counted(self, body: ir.Body) -> bool:
        """Whether the function of any flow counts its own work, or a quantifier of it does."""
        return self._flow(body) > FREE or any(
            self._ticks.get(value) for value in all_values(body)
        )

    def statements(self, statements: tuple[Statement, ...]) -> int:
        """Steps of running these statements once, without the work of the loops in them."""
        roots = [root for one in statements for root in _roots(one)]
        return self._block(statements, self._shared(roots))

    def ticks(self, steps: int) -> int:
        """How many ticks stand for so many steps: 1, 2, 5, 10, 20, …, so that small changes of a rule move none."""
        ticks = 1
        while ticks * PER_TICK < steps:
            ticks = ticks * 5 // 2 if str(ticks)[0] == "2" else ticks * 2
        return ticks

    def _weigh_callable(self, program: Program) -> None:
        bodies: dict[CallKey, ir.Body] = {
            ("build", id): body for id, body in program.builds.items()
        }
        bodies |= {key: method.body for key, method in program.methods.items()}
        called_by = {
            key: [
                inner for one in all_values(body) if (inner := called(one)) is not None
            ]
            for key, body in bodies.items()
        }
        counted: set[CallKey] = set()
        for members in strongly_connected(bodies, called_by.__getitem__):
            for key in members:
                steps = self._flow(bodies[key])
                if self.is_counted(bodies[key]):
                    counted.add(key)
                self._calls[key] = _CALL if steps > FREE else _CALL + steps
        self.counted = frozenset(counted)

    def _flow(self, body: ir.Body) -> int:
        """Steps of the longest way through a flow, every cycle of it taken once."""
        known = self._bodies.get(id(body))
        if known is not None:
            return known
        instructions = body.instructions
        most = self._shared(
            root
            for one in instructions.values()
            for root in ir.operation_values(one.operation)
        )
        behind: dict[str, int] = {}
        for members in strongly_connected(
            [body.entry], lambda id: ir.successors(instructions[id])
        ):
            longest = 0
            own = 0
            for id_ in members:
                own += self._operation(instructions[id_].operation, most)
                for target in ir.successors(instructions[id_]):
                    longest = max(longest, behind.get(target, 0))
            behind.update(dict.fromkeys(members, min(own + longest, _HUGE)))
        self._bodies[id(body)] = behind[body.entry]
        return behind[body.entry]

    def _block(self, statements: tuple[Statement, ...], most: int) -> int:
        steps = 0
        for one in statements:
            match one:
                case Do(_, operation) | End(_, operation):
                    steps += self._operation(operation, most)
                case If(_, condition, _, then, orelse):
                    sides = (self._block(then, most), self._block(orelse, most))
                    steps += min(self.of((condition,)), most) + max(sides)
                case _:
                    steps += 1
        return min(steps, _HUGE)

    def _operation(self, operation: ir.Operation, most: int) -> int:
        """Steps of one control node; `most` is what all formulas of its flow take if each is computed once."""
        steps = min(self.of(ir.operation_values(operation)), most)
        match operation:
            case ir.Assign(target, _):
                # where an assigned card lies decides who may see it, so it is looked for
                is_card = rep_of(target.subject) in (Rep.CARD, Rep.MIXED)
                return steps + 10 + (self._cards if is_card else 0)
            case ir.Shuffle():
                return steps + 15 * self._cards
            case ir.SortDeck():
                return steps + 5 * self._cards
            case ir.Deal(_, filters):
                return steps + 5 * self._cards * (1 + len(filters))
            case _:
                return steps + 1

    def of(self, roots: tuple[Value, ...]) -> int:
        """Steps of computing these values, each as it is written out; what is shared counts each time."""
        for root in roots:
            self._weigh(root)
        return min(sum(self._steps[root] for root in roots), _HUGE)

    def _shared(self, roots: Iterable[Value]) -> int:
        """Steps of computing these values if every part of them is computed once."""
        steps = 0
        seen: set[int] = set()
        pending = list(roots)
        self.of(tuple(pending))
        while pending:
            value = pending.pop()
            if id(value) not in seen:
                seen.add(id(value))
                steps += self._own(value)
                pending.extend(_parts(value))
        return min(steps, _HUGE)

    def _weigh(self, root: Value) -> None:
        pending = [root]
        while pending:
            value = pending[-1]
            missing = [one for one in ir.children(value) if one not in self._steps]
            if missing:
                pending.extend(missing)
                continue
            pending.pop()
            if value not in self._steps:
                parts = sum(self._steps[one] for one in _parts(value))
                self._steps[value] = min(self._own(value) + parts, _HUGE)

    def _own(self, value: Value) -> int:
        """Steps of a value without its parts, which are known."""
        known = self._alone.get(value)
        if known is None:
            known = self._alone[value] = self._weight(value)
        return known

    def _weight(self, value: Value) -> int:
        match value:
            case ir.Quantifier():
                return self._quantifier(value)
            case ir.Call() | ir.IsCardset():
                key = called(value)
                assert key is not None, "both call a flow"
                # the deck is handed over as a copy
                copied = sum(isinstance(one, ir.Deck) for one in ir.children(value))
                return self.call(key) + _CALL + copied * self._cards
            case (
                ir.Sorted(selection, _)
                | ir.SortedValues(selection, _, _)
                | ir.Alike(selection, _)
                | ir.Each(selection, _)
            ):
                return 3 + 3 * self._length(selection)
            case ir.Arithmetic(operator, left, right) if operator > 1:
                digits = [self._bits(one) // 30 + 1 for one in (left, right)]
                return 1 + digits[0] * digits[1] // 1_000
            case ir.CurrentPlayer():
                return 5
            case (
                ir.MixedElement()
                | ir.MixedProperty()
                | ir.MixedSorted()
                | ir.MixedCards()
                | ir.MixedPlayers()
                | ir.MixedIntegers()
            ):
                return 5 + 3 * max(self._cards, self._seats)
            case _:
                return 1

    def _length(self, selection: Value) -> int:
        """How many elements a collection has at most."""
        match selection:
            case ir.CardList(cards):
                return len(cards)
            case _ if rep_of(selection) is Rep.PLAYERS:
                return self._seats
            case _:
                return self._cards

    def _quantifier(self, value: ir.Quantifier) -> int:
        """Steps of a quantifier; one that can take too long counts them itself, element by element."""
        body = self._steps[value.body]
        if body > _LARGE:
            body = min(body, self._shared([value.body]))
        length = self._length(value.selection)
        steps = 5 + length * (2 + body)
        if steps <= FREE:
            return steps
        self._ticks[value] = self.ticks(2 + body)
        return 5 + length


def _parts(value: Value) -> tuple[Value, ...]:
    """What a value computes once when it is computed: of a quantifier, only the elements it goes through."""
    return (
        (value.selection,) if isinstance(value, ir.Quantifier) else ir.children(value)
    )


def _roots(statement: Statement) -> Iterator[Value]:
    """The values of a statement and of those inside it, loops excepted."""
    match statement:
        case Do(_, operation) | End(_, operation):
            yield from ir.operation_values(operation)
        case If(_, condition, _, then, orelse):
            yield condition
            for one in (*then, *orelse):
                yield from _roots(one)
        case _:
            return
