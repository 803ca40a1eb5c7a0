"""Whole functions: the regions of a flow, with parameters, annotations and names, as text.

A flow is one function; joins that structuring could not reach otherwise are further functions named after their node.
In match and settlement a cycle between functions, or a long chain of them, is a `Hop` that the runtime follows; elsewhere
it is an `Again` that `run` or `follow` follows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, final

import libcst as cst

from dealwright.compiler.emit import code
from dealwright.compiler.emit.code import Code
from dealwright.compiler.emit.exprs import Expressions, Outline
from dealwright.compiler.emit.locals import LocalNames
from dealwright.compiler.emit.naming import digest, identifiers
from dealwright.compiler.emit.opening import known_before
from dealwright.compiler.emit.package import Package
from dealwright.compiler.emit.stmts import StatementCode, Statements
from dealwright.compiler.emit.text import literal
from dealwright.compiler.passes.bounds import Bounds
from dealwright.compiler.passes.costs import FREE, PER_TICK
from dealwright.compiler.passes.dispatch import granted
from dealwright.compiler.passes.effects import Effects
from dealwright.compiler.passes.share import Shared
from dealwright.compiler.passes.structure import structure
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value
from dealwright.compiler.representation.program import MethodBody
from dealwright.compiler.representation.tree import (
    End,
    If,
    Jump,
    Loop,
    Region,
    Statement,
    jumps,
)
from dealwright.compiler.representation.types import Rep

SETTLE: Final = "settle"
"""The one function, besides the segments of the match, whose hops the runtime follows itself."""


@final
@dataclass(slots=True)
class Functions:
    """Generated functions, and constants in front of them, as text, in order, and the names they use from elsewhere."""

    texts: list[str] = field(default_factory=list)
    used: dict[str, None] = field(default_factory=dict)

    def add(self, other: Functions) -> None:
        """Append another group."""
        self.texts += other.texts
        self.used.update(other.used)


@final
@dataclass(frozen=True, slots=True)
class Shape:
    """What the functions of one flow look like from outside.

    name: of the entry's function. parameters: with annotations, `self` without one. returned: the annotation. method:
    class and name of the rule's method that it is, if it is one.
    """

    name: str
    parameters: tuple[tuple[str, str], ...]
    returned: str
    method: tuple[str, str] | None = None


def render(functions: Sequence[StatementCode]) -> str:
    """Statements as text."""
    return cst.Module(list(functions)).code


def function(
    name: str,
    parameters: Sequence[tuple[str, str]],
    returned: str,
    body: Sequence[StatementCode],
) -> cst.FunctionDef:
    """`def name(parameters) -> returned: body`."""
    return cst.FunctionDef(
        cst.Name(name),
        cst.Parameters(
            [
                cst.Param(
                    cst.Name(one),
                    (
                        cst.Annotation(cst.parse_expression(annotation))
                        if annotation
                        else None
                    ),
                )
                for one, annotation in parameters
            ]
        ),
        cst.IndentedBlock(list(body)),
        returns=cst.Annotation(cst.parse_expression(returned)),
    )


@final
class Emitter:
    """Makes the functions of every kind of flow of one package."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self._names = package.names
        self._effects = Effects()

    def build(self, cardset: str, bounds: Bounds) -> Functions:
        """`build_…(cards) -> dict[str, int] | None` of a cardset, behind the constants that it returns."""
        needs = self.package.reads.of(("build", cardset))
        given = self.package.given(cardset)
        values = ((name, _handed_annotation(value)) for value, name in given.items())
        shape = Shape(
            self._names.build(cardset),
            (("cards", "Hand"), *values, *self._game(needs.game)),
            "dict[str, int] | None",
        )
        program = self.package.program
        sure = self.package.facts.sure[cardset]
        body = program.builds[cardset]
        body, gone = granted(program.pool, body, bounds, sure, given)
        names = self._names.results(cardset)
        results = {id: name for id, name in names.items() if id in body.instructions}
        made = Functions()
        if results:
            made.texts.append(_constants(body, results))
            made.used |= {"Final": None, "Properties": None}
        made.add(
            self._flow(
                body,
                shape,
                lambda: Expressions(
                    self.package,
                    own=needs,
                    bounds=bounds,
                    given=given,
                    results=results,
                ),
                bounds,
                self._opening(cardset, bounds, gone),
            )
        )
        return made

    def _opening(self, cardset: str, bounds: Bounds, gone: Sequence[str]) -> str:
        """What is known where the build function of a cardset begins; `gone` are the nodes that need not ask."""
        facts = self.package.facts
        names = {one.id: one.name for one in facts.program.rule.cardsets}
        told = facts.settled.get(cardset)
        found = facts.sure[cardset]
        return known_before(
            (*(told or ()), *gone),
            None if told is None else bounds,
            [names[one.cardset] for one in found if isinstance(one, ir.IsCardset)],
            [one.method for one in found if isinstance(one, ir.Call)],
        )

    def compare(self, name: str, body: ir.Body, a: str, b: str) -> Functions:
        """`compare_…(a, b) -> bool` of the plays of the two cardsets named."""
        needs_game = self.package.reads.body_needs_game(body)
        shape = Shape(
            name, (("a", "Played"), ("b", "Played"), *self._game(needs_game)), "bool"
        )
        return self._flow(
            body, shape, lambda: Expressions(self.package, compared=(a, b))
        )

    def settle(self) -> Functions:
        """`settle(game) -> int`."""
        shape = Shape(SETTLE, self._game(True), "int")
        return self._flow(
            self.package.program.end, shape, lambda: Expressions(self.package)
        )

    def method(self, method: MethodBody) -> Functions:
        """A method of a generated class, without indentation."""
        key = (method.owner, method.name)
        needs = self.package.reads.of(key)
        parameters = [
            (self._names.parameter(key, name), self._annotation(rep))
            for name, rep in method.parameters
        ]
        judged = (("cards", "Hand"),) if needs.judged else ()
        shape = Shape(
            self._names.method(*key),
            (("self", ""), *self._game(needs.game), *judged, *parameters),
            self._annotation(method.returned),
            method=key,
        )
        made = self._flow(
            method.body, shape, lambda: Expressions(self.package, method=key, own=needs)
        )
        made.used.update(
            dict.fromkeys(
                one for _, rep in method.parameters for one in _annotation_names(rep)
            )
        )
        made.used.update(dict.fromkeys(_annotation_names(method.returned)))
        return made

    def match(self) -> tuple[Functions, list[tuple[str, ir.Terminal, str]]]:
        """The segments of the match flow, and the rows of RESUME: wait, its operation, the function that follows."""
        body = self.package.program.match
        regions = structure(body)
        has_hops = any(_has_hop(region.statements) for region in regions)
        waits = _waits_in_order(body, regions)
        behind = {
            one.id: head
            for one in waits
            if (head := ir.behind_wait(one.operation)) is not None
        }
        after = _after_names(waits)
        names = identifiers([region.head for region in regions], prefix="at_")
        # of several waits that lead to one place the first gives the function its name, and the others forward
        names |= {behind[one.id]: after[one.id] for one in reversed(waits)}
        names[body.entry] = "start"
        followers: dict[str, list[str]] = {region.head: [] for region in regions}
        for one in waits:
            followers[behind[one.id]].append(after[one.id])
        made = Functions()
        for region in regions:
            name = names[region.head]
            for other in followers[region.head]:
                if other != name:
                    made.texts.append(self._forward(other, name))
            made.add(
                self._region(
                    region,
                    names,
                    Shape(name, self._game(True), "Next"),
                    self._plain,
                    called=body.called,
                    free=PER_TICK if has_hops else FREE,
                )
            )
        return made, [(one.id, one.operation, after[one.id]) for one in waits]  # type: ignore[misc]  # waits only

    def _plain(self) -> Expressions:
        return Expressions(self.package)

    def _forward(self, name: str, target: str) -> str:
        call = code.call(code.name(target), code.name("game"))
        body = [cst.SimpleStatementLine([cst.Return(call.node)])]
        return render([function(name, self._game(True), "Next", body)])

    def _game(self, is_needed: bool) -> tuple[tuple[str, str], ...]:
        return (("game", self._names.game),) if is_needed else ()

    def _annotation(self, rep: Rep) -> str:
        return rep.value

    def _flow(
        self,
        body: ir.Body,
        shape: Shape,
        expressions: Callable[[], Expressions],
        bounds: Bounds | None = None,
        opening: str = "",
    ) -> Functions:
        """The functions of a flow; `opening`, lines of a comment, stands at the top of the first."""
        regions = structure(body)
        has_hops = any(_has_hop(region.statements) for region in regions)
        free = self._free(body, shape, has_hops)
        extra = identifiers(
            [region.head for region in regions],
            self._names.taken_beside(shape.method),
            prefix=f"{shape.name}_at_",
        )
        names = {region.head: extra[region.head] for region in regions}
        made = Functions()
        uses_again = has_hops and shape.name != SETTLE
        if uses_again:
            made.texts.append(self._run(shape, names[body.entry], made))
            made.used |= {"Again": None, "OrAgain": None}
            shape = Shape(
                shape.name,
                shape.parameters,
                f"OrAgain[{shape.returned}]",
                shape.method,
            )
        elif not any(body.entry in jumps(region.statements) for region in regions):
            names[body.entry] = shape.name
        else:
            made.texts.append(self._enter(shape, names[body.entry]))
        if has_hops and not uses_again:
            made.used["Hop"] = None
            shape = Shape(
                shape.name, shape.parameters, f"{shape.returned} | Hop[Never]"
            )
            made.used["Never"] = None
        for region in regions:
            own = Shape(
                names[region.head], shape.parameters, shape.returned, shape.method
            )
            made.add(
                self._region(
                    region,
                    names,
                    own,
                    expressions,
                    bounds,
                    body.called,
                    uses_again,
                    free,
                    opening if region.head == body.entry else "",
                )
            )
        return made

    def _free(self, body: ir.Body, shape: Shape, has_hops: bool) -> int | None:
        """The steps that a function of a flow may take uncounted; None if nothing of it is counted.

        A hop is a tick, so what it leads to has to be worth one.
        """
        if all(name != "game" for name, _ in shape.parameters):
            return None
        if has_hops or self.package.costs.is_counted(body):
            return PER_TICK
        return FREE

    def _call_of(self, shape: Shape, target: str) -> Code:
        arguments = [code.name(one) for one, _ in shape.parameters if one != "self"]
        return code.call(
            code.name(f"self.{target}" if shape.method is not None else target),
            *arguments,
        )

    def _enter(self, shape: Shape, target: str) -> str:
        body = [
            cst.SimpleStatementLine([cst.Return(self._call_of(shape, target).node)])
        ]
        return render([function(shape.name, shape.parameters, shape.returned, body)])

    def _run(self, shape: Shape, target: str, made: Functions) -> str:
        """The function that callers know: it follows the others, counting where they may go in a circle."""
        has_game = any(name == "game" for name, _ in shape.parameters)
        follower = "run" if has_game else "follow"
        made.used[follower] = None
        arguments = [code.name("game")] if has_game else []
        call = code.call(code.name(follower), *arguments, self._call_of(shape, target))
        body = [cst.SimpleStatementLine([cst.Return(call.node)])]
        return render([function(shape.name, shape.parameters, shape.returned, body)])

    def _region(
        self,
        region: Region,
        names: dict[str, str],
        shape: Shape,
        expressions: Callable[[], Expressions],
        bounds: Bounds | None = None,
        called: Mapping[Value, str] | None = None,
        uses_again: bool = False,
        free: int | None = None,
        opening: str = "",
    ) -> Functions:
        made = expressions()
        outlined: dict[str, str] = {}
        made.outline = self._outliner(shape, expressions, outlined, made)
        taken = self._names.taken | {one for one, _ in shape.parameters}
        statements = Statements(
            made,
            self._names,
            Shared(
                region,
                self.package.reads,
                self._effects,
                frozenset(made.bound),
                frozenset(made.values),
            ),
            self._effects,
            LocalNames(self._names, frozenset(taken), called or {}),
            lambda jump: self._jump(jump, names, shape, made, uses_again),
            self.package.costs,
            bounds,
        )
        body = statements.region(region, free)
        text = render([function(shape.name, shape.parameters, shape.returned, body)])
        head, colon, rest = text.partition(":\n")
        return Functions(
            [*outlined.values(), f"{head}{colon}{opening}{rest}"], made.used
        )

    def _outliner(
        self,
        shape: Shape,
        expressions: Callable[[], Expressions],
        outlined: dict[str, str],
        asking: Expressions,
    ) -> Outline:
        """Makes functions of large quantified formulas: `…_holds_1a2b(cards, card)`, named after their own text."""

        def outline(value: Value, around: Expressions) -> Code:
            own = [one for one in around.bound if one not in dict(shape.parameters)]
            parameters = (
                *shape.parameters,
                *((one, one.capitalize()) for one in own),
            )
            region = Region("", (End("", ir.Return(value)),))
            bare = Shape("holds", parameters, "bool", shape.method)

            def inside() -> Expressions:
                made = expressions()
                made.rebind(around)
                return made

            # its work is counted by the quantifier that calls it
            functions = self._region(region, {}, bare, inside)
            *inner, text = functions.texts
            for one in inner:
                outlined[one] = one
            name = self._outlined_name(shape, text, outlined)
            outlined[name] = text.replace("def holds(", f"def {name}(", 1)
            asking.used.update(functions.used)
            asking.used.update(dict.fromkeys(one.capitalize() for one in own))
            return self._call_of(Shape(name, parameters, "bool", shape.method), name)

        return outline

    def _outlined_name(self, shape: Shape, text: str, outlined: dict[str, str]) -> str:
        """A name after the function's own text, longer where another text or another name of the rule has it."""
        taken = self._names.taken_beside(shape.method)
        for digits in range(4, 64, 4):
            name = f"{shape.name}_holds_{digest(text, digits)}"
            renamed = text.replace("def holds(", f"def {name}(", 1)
            if name not in taken and outlined.get(name, renamed) == renamed:
                return name
        raise AssertionError("two texts have one hash")

    def _jump(
        self,
        jump: Jump,
        names: dict[str, str],
        shape: Shape,
        made: Expressions,
        uses_again: bool,
    ) -> Code:
        target = names[jump.head]
        if uses_again:
            return code.call(
                made.use("Again"), code.lambda_("", self._call_of(shape, target))
            )
        if jump.is_hop:
            return code.call(made.use("Hop"), code.name(target))
        return self._call_of(shape, target)


def _constants(body: ir.Body, names: Mapping[str, str]) -> str:
    """The properties of the plays that a build flow accepts, a line for each node, made once: `PROPERTIES_…: Final = …`."""
    lines = []
    for id, name in names.items():
        accept = body.instructions[id].operation
        assert isinstance(accept, ir.Accept), "nothing else has properties"
        properties = code.dict_(
            [
                (code.string(literal(one)), code.integer(value))
                for one, value in accept.properties
            ]
        )
        value = code.call(code.name("Properties"), properties).at(code.TEST)
        annotation = cst.Annotation(cst.Name("Final"))
        constant = cst.AnnAssign(cst.Name(name), annotation, value)
        lines.append(cst.SimpleStatementLine([constant]))
    return render(lines)


def _annotation_names(rep: Rep) -> tuple[str, ...]:
    return {
        Rep.CARD: ("Card",),
        Rep.PLAYER: ("Player",),
        Rep.TABLE: ("Table",),
        Rep.CARDS: ("Hand",),
        Rep.PLAYERS: ("Player",),
        Rep.PLAY: ("Played",),
        Rep.MIXED: ("Value",),
    }.get(rep, ())


def _after_names(waits: Sequence[ir.Instruction]) -> dict[str, str]:
    """What the functions behind waits are called."""
    plays = [one.id for one in waits if isinstance(one.operation, ir.AskPlay)]
    choices = [one.id for one in waits if isinstance(one.operation, ir.AskChoice)]
    return {
        **identifiers(plays, prefix="after_play_"),
        **identifiers(choices, prefix="after_choice_"),
    }


def _waits_in_order(body: ir.Body, regions: Sequence[Region]) -> list[ir.Instruction]:
    """The waits of the match flow, those that control meets first first."""
    found: dict[str, None] = {}
    for region in regions:
        _collect_waits(region.statements, found)
    return [body.instructions[id] for id in found]


def _collect_waits(statements: Sequence[Statement], found: dict[str, None]) -> None:
    for one in statements:
        if isinstance(one, If):
            _collect_waits(one.then, found)
            _collect_waits(one.orelse, found)
        elif isinstance(one, Loop):
            _collect_waits(one.body, found)
        elif isinstance(one, End) and isinstance(
            one.terminal, ir.AskPlay | ir.AskChoice
        ):
            found[one.id] = None


def _handed_annotation(value: Value) -> str:
    """How what recognition hands over is annotated: integers, rows of integers, or what a method returns."""
    if not isinstance(value, ir.SortedValues):
        return ir.rep_of(value).value
    row = ", ".join("int" for _ in value.names)
    return f"list[{row}]" if len(value.names) == 1 else f"list[tuple[{row}]]"


def _has_hop(statements: Sequence[Statement]) -> bool:
    return any(
        (isinstance(one, Jump) and one.is_hop)
        or (isinstance(one, If) and (_has_hop(one.then) or _has_hop(one.orelse)))
        or (isinstance(one, Loop) and _has_hop(one.body))
        for one in statements
    )
