"""Structured statements to libcst statements, each with its node's id in a trailing comment.

One `Statements` serves one function. It keeps track of the locals that still hold: an assignment to what a local has read
ends it, and later uses spell the formula again. The comments are the only map from generated code back to the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, assert_never, final

import libcst as cst

from dealwright.compiler.emit import code
from dealwright.compiler.emit.code import Code
from dealwright.compiler.emit.exprs import Expressions, HighestPair
from dealwright.compiler.emit.locals import LocalNames
from dealwright.compiler.emit.names import Names
from dealwright.compiler.emit.text import comment, literal
from dealwright.compiler.passes.bounds import Bounds
from dealwright.compiler.passes.costs import Costs
from dealwright.compiler.passes.effects import Effects, ends
from dealwright.compiler.passes.share import Shared
from dealwright.compiler.passes.share_places import Address
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value, rep_of
from dealwright.compiler.representation.tree import (
    Break,
    Continue,
    Do,
    End,
    If,
    Jump,
    Loop,
    Region,
    Statement,
    falls,
)
from dealwright.compiler.representation.types import Rep

StatementCode: TypeAlias = cst.SimpleStatementLine | cst.BaseCompoundStatement

_CLASSES = {"card": Rep.CARD, "player": Rep.PLAYER, "table": Rep.TABLE}
_AUGMENTED: dict[int, Callable[[], cst.BaseAugOp]] = {
    0: cst.AddAssign,
    1: cst.SubtractAssign,
    2: cst.MultiplyAssign,
}


@final
class Statements:
    """Makes the statements of one function; `jump` makes the expression that goes on in another region."""

    def __init__(
        self,
        expressions: Expressions,
        names: Names,
        shared: Shared,
        effects: Effects,
        local_names: LocalNames,
        jump: Callable[[Jump], Code],
        costs: Costs,
        bounds: Bounds | None = None,
    ) -> None:
        self._expressions = expressions
        self._names = names
        self._shared = shared
        self._effects = effects
        self._local_names = local_names
        self._jump = jump
        self._costs = costs
        self._bounds = bounds

    def region(self, region: Region, free: int | None) -> list[StatementCode]:
        """The statements of a whole region; what may take more than `free` steps of work counts them first."""
        made = self._block(region.statements, ())
        if free is not None:
            steps = self._costs.statements(region.statements)
            if steps > free:
                made.insert(0, self._tick(steps))
        return made

    def _tick(self, steps: int) -> StatementCode:
        return _line(cst.Expr(self._expressions.tick(steps).at(code.TEST)), "")

    def _block(
        self, statements: tuple[Statement, ...], above: Address
    ) -> list[StatementCode]:
        made: list[StatementCode] = []
        for place, one in enumerate(statements):
            address = (*above, place)
            self._know_lengths(one)
            for value in self._shared.before(address):
                made += self._local(value, one)
            made += self._statement(one, address)
        return made

    def _side(
        self, statements: tuple[Statement, ...], above: Address
    ) -> tuple[list[StatementCode], dict[Value, str]]:
        """A block of an if or loop, and which locals of around it still hold where control falls off its end."""
        before = self._expressions.locals
        self._expressions.locals = dict(before)
        made = self._block(statements, above)
        after = self._expressions.locals
        self._expressions.locals = before
        if not falls(statements):
            return made, before
        return made, {
            value: name for value, name in before.items() if after.get(value) == name
        }

    def _know_lengths(self, statement: Statement) -> None:
        if self._bounds is not None and isinstance(statement, Do | If | End | Loop):
            self._expressions.mask = self._bounds.at[statement.id]

    def _local(self, value: Value, statement: Statement) -> list[StatementCode]:
        id = statement.id if isinstance(statement, Do | If | End) else ""
        highest = self._expressions.highest_pair(value)
        if highest is not None:
            return self._look_for(highest, id)
        made = self._expressions.formula(value)
        name = self._local_names.name(value, made)
        self._expressions.locals[value] = name
        return [_line(_assign([name], made), id)]

    def _look_for(self, highest: HighestPair, id: str) -> list[StatementCode]:
        """The loop that finds the two values of the highest card, which takes a quarter of the time of `max`."""
        expressions = self._expressions
        names = [
            self._local_names.name(column, expressions.formula(column))
            for column in highest.columns
        ]
        first, second = (code.name(one) for one in names)
        major, minor = highest.members
        is_higher = code.either(
            code.compare(major, (">", first)),
            code.both(
                code.compare(major, ("==", first)), code.compare(minor, (">", second))
            ),
        )
        taken = cst.Assign(
            [cst.AssignTarget(_pair(first, second))], _pair(major, minor)
        )
        found = cst.If(is_higher.at(code.TEST), _suite([_line(taken, "")], ""))
        cards = highest.cards.at(code.TEST)
        loop = cst.For(cst.Name("card"), cards, _suite([found], id))
        expressions.locals.update(zip(highest.columns, names, strict=True))
        return [_line(_assign(names, code.integer(0)), id), loop]

    def _end_locals(self, changed: frozenset[str]) -> None:
        if changed:
            self._expressions.locals = {
                value: name
                for value, name in self._expressions.locals.items()
                if not ends(self._effects.read_by(value), changed)
            }

    def _statement(self, statement: Statement, address: Address) -> list[StatementCode]:
        match statement:
            case Do(id, step):
                made = self._step(id, step)
                self._end_locals(self._effects.changed_by(step))
                return made
            case If(id, condition, is_negated, then, orelse):
                test = self._expressions.condition(condition, is_negated)
                first, kept = self._side(then, (*address, 0))
                second, also_kept = self._side(orelse, (*address, 1))
                self._expressions.locals = {
                    value: name for value, name in kept.items() if value in also_kept
                }
                return [self._if(test, id, first, second)]
            case Loop(id, body):
                self._end_locals(self._effects.changed_in(body))
                tick = self._tick(self._costs.statements(body))
                block = [tick, *self._side(body, (*address, 1))[0]]
                return [cst.While(cst.Name("True"), _suite(block, id))]
            case End(id, terminal):
                return [_line(cst.Return(self._terminal(id, terminal)), id)]
            case Jump():
                return [_line(cst.Return(self._jump(statement).at(code.TEST)), "")]
            case Continue():
                return [_line(cst.Continue(), "")]
            case Break():
                return [_line(cst.Break(), "")]
            case _:
                assert_never(statement)

    def _if(
        self,
        test: Code,
        id: str,
        then: list[StatementCode],
        orelse: list[StatementCode],
    ) -> cst.If:
        rest: cst.If | cst.Else | None = None
        if len(orelse) == 1 and isinstance(orelse[0], cst.If):
            rest = orelse[0]
        elif orelse:
            rest = cst.Else(_suite(orelse, ""))
        return cst.If(test.at(code.TEST), _suite(then, id), rest)

    def _step(self, id: str, step: ir.Step) -> list[StatementCode]:
        expressions = self._expressions
        match step:
            case ir.Assign(target, value):
                return self._assign(id, target, value)
            case ir.SortDeck(keys, guard):
                return self._sort_deck(id, keys, guard)
            case ir.Shuffle():
                return [_call_line(code.call(code.name("game.shuffle")), id)]
            case ir.Deal(rounds, filters):
                arguments = [code.integer(max(rounds, 0)), *self._accepts(filters)]
                return [_call_line(code.call(code.name("game.deal"), *arguments), id)]
            case ir.Invoke(call):
                line = _call_line(expressions.method_call(call), id)
                if call.is_certain:
                    return [line]
                return [self._if(expressions.seat_exists(call), id, [line], [])]
            case ir.Pass():
                return []
            case _:
                assert_never(step)

    def _assign(self, id: str, target: ir.Target, value: Value) -> list[StatementCode]:
        rep = rep_of(target.subject)
        if rep is not Rep.MIXED:
            owner = next(owner for owner, one in _CLASSES.items() if one is rep)
            return [self._assignment(id, owner, target, value)]
        subject = self._expressions.value(target.subject)
        made: cst.If | None = None
        for owner in reversed(_CLASSES):
            if target.name not in self._names.properties(owner):
                continue
            class_ = self._expressions.use(owner.capitalize())
            test = code.call(self._expressions.use("isinstance"), subject, class_)
            line = self._assignment(id, owner, target, value)
            made = self._if(test, id, [line], [] if made is None else [made])
        return [] if made is None else [made]

    def _assignment(
        self, id: str, owner: str, target: ir.Target, value: Value
    ) -> StatementCode:
        subject = self._expressions.value(target.subject)
        place = code.attribute(subject, self._names.property(owner, target.name)).node
        assert isinstance(place, cst.Attribute)
        if (
            isinstance(value, ir.Arithmetic)
            and self._expressions.can_augment(value)
            and isinstance(value.left, ir.Member)
            and value.left.subject is target.subject
            and value.left.name == target.name
        ):
            right = self._expressions.value(value.right).at(code.TEST)
            return _line(cst.AugAssign(place, _AUGMENTED[value.operator](), right), id)
        made = self._expressions.value(value).at(code.TEST)
        return _line(cst.Assign([cst.AssignTarget(place)], made), id)

    def _sort_deck(
        self, id: str, keys: tuple[ir.SortKey, ...], guard: Value | None
    ) -> list[StatementCode]:
        if not keys:
            return []
        arguments = self._expressions.sort_arguments("card", keys)
        line = _call_line(code.call(code.name("game.deck.sort"), **arguments), id)
        if guard is None:
            return [line]
        expressions = self._expressions
        test = code.call(
            expressions.use("isinstance"),
            expressions.value(guard),
            expressions.use("Table"),
        )
        return [self._if(test, id, [line], [])]

    def _accepts(self, filters: tuple[ir.Filter, ...]) -> list[Code]:
        """The predicate of a deal, if it has one; a filter on a property that no card has is decided here."""
        tests: list[Code] = []
        for one in filters:
            if one.name is None:
                if (one.lower is not None and one.lower > 0) or (
                    one.upper is not None and one.upper < 0
                ):
                    return [code.lambda_("card", code.name("False"))]
                continue
            if one.name == "id":
                member = code.name("card.id")
            else:
                member = code.attribute(
                    code.name("card"), self._names.property("card", one.name)
                )
            tests += _within(member, one.lower, one.upper)
        if not tests:
            return []
        # a plain chain, unless it is so long that it would nest too deep for the tools that come after
        while len(tests) > 100:
            pairs = [tests[start : start + 2] for start in range(0, len(tests), 2)]
            tests = [code.both(*pair) if pair[1:] else pair[0] for pair in pairs]
        whole = tests[0]
        for test in tests[1:]:
            whole = code.both(whole, test)
        return [code.lambda_("card", whole)]

    def _terminal(self, id: str, terminal: ir.Terminal) -> cst.BaseExpression | None:
        expressions = self._expressions
        match terminal:
            case ir.Finish():
                return expressions.use("SETTLE").node
            case ir.AskPlay():
                return code.call(
                    expressions.use("AwaitPlay"), code.string(literal(id))
                ).node
            case ir.AskChoice():
                return code.call(
                    expressions.use("AwaitChoice"), code.string(literal(id))
                ).node
            case ir.Settle(result):
                return code.integer(result).node
            case ir.Return(value):
                return None if value is None else expressions.value(value).at(code.TEST)
            case ir.Accept(()):
                return expressions.use("NO_PROPERTIES").node
            case ir.Accept():
                return expressions.use(expressions.results[id]).node
            case ir.Reject():
                return cst.Name("None")
            case ir.Win(is_a):
                return expressions.use("A_WINS" if is_a else "B_WINS").node
            case _:
                assert_never(terminal)


def _assign(names: Sequence[str], value: Code) -> cst.Assign:
    targets = [cst.AssignTarget(cst.Name(one)) for one in names]
    return cst.Assign(targets, value.at(code.TEST))


def _pair(first: Code, second: Code) -> cst.Tuple:
    elements = [cst.Element(one.at(code.TEST)) for one in (first, second)]
    return cst.Tuple(elements, lpar=[], rpar=[])


def _within(member: Code, lower: int | None, upper: int | None) -> list[Code]:
    if lower is not None and upper is not None:
        return [
            code.compare(
                code.integer(lower), ("<=", member), ("<=", code.integer(upper))
            )
        ]
    if lower is not None:
        return [code.compare(member, (">=", code.integer(lower)))]
    if upper is not None:
        return [code.compare(member, ("<=", code.integer(upper)))]
    return []


def _trailing(id: str) -> cst.TrailingWhitespace:
    if not id:
        return cst.TrailingWhitespace()
    return cst.TrailingWhitespace(
        cst.SimpleWhitespace("  "), cst.Comment(f"# [{comment(id)}]")
    )


def _line(statement: cst.BaseSmallStatement, id: str) -> cst.SimpleStatementLine:
    return cst.SimpleStatementLine([statement], trailing_whitespace=_trailing(id))


def _call_line(call: Code, id: str) -> cst.SimpleStatementLine:
    return _line(cst.Expr(call.at(code.TEST)), id)


def _suite(statements: list[StatementCode], id: str) -> cst.IndentedBlock:
    return cst.IndentedBlock(statements, header=_trailing(id))
