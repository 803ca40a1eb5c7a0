"""One stable text form of the intermediate representation, for tests to compare and people to read.

Goes in: a lowered flow, its structured regions, or a whole `Program`. Comes out: text, one line an instruction, in
control order, so that neither the order of nodes in the file nor that of any set shows. A formula that is used again and
long, or that nests deep, stands on a line of its own before its first use, `%1 = …`, counted within the flow: the text is
no longer than the graph is large. Such a name is short for the formula, evaluated where it stands; it is no snapshot.
Nothing here is read back, and nothing is emitted from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import final

from dealwright.compiler.representation import ir
from dealwright.compiler.representation.control import in_control_order
from dealwright.compiler.representation.ir import Value
from dealwright.compiler.representation.program import MethodBody, Program
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
)

REPEATED = 24
"""The longest text of a formula that is written out at every use."""
DEEPEST = 20
"""Levels of a formula in one line."""
_INDENT = "  "
_WORD = re.compile(r"\w+")
_ARITHMETIC = "+-*/%"
_LOGIC = ("and", "or")
_COMPARE = ("=", ">", "<", ">=", "<=")

Texts = Mapping[Value, str]


def value_text(value: Value) -> str:
    """A formula; lines `%n = …` come first if it has parts that need them."""
    formulas = _Formulas([value])
    return "\n".join([*formulas.new_lines((value,)), formulas.of(value)])


def body_text(body: ir.Body) -> str:
    """A lowered flow: its entry, then a line an instruction, in control order."""
    return "\n".join(
        [f"entry {_word(body.entry)}", *(text for _, text in body_lines(body))]
    )


def body_lines(body: ir.Body) -> list[tuple[str | None, str]]:
    """The lines of a flow with the node that each is about; None for the lines of shared formulas."""
    ordered = in_control_order(body)
    formulas = _Formulas(_roots(one.operation for one in ordered))
    lines: list[tuple[str | None, str]] = []
    for one in ordered:
        values = ir.operation_values(one.operation)
        lines += [(None, text) for text in formulas.new_lines(values)]
        goes_on = "" if one.next is None else f" -> {_word(one.next)}"
        text = formulas.operation(one.operation)
        lines.append((one.id, f"{_word(one.id)}: {text}{goes_on}"))
    return lines


def regions_text(regions: Iterable[Region]) -> str:
    """The structured regions of one flow, their statements nested by indentation."""
    regions = tuple(regions)
    formulas = _Formulas(_roots(_operations(regions)))
    lines: list[str] = []
    for region in regions:
        lines.append(f"region {_word(region.head)}:")
        lines += _block_lines(formulas, region.statements)
    return "\n".join(lines)


def program_text(program: Program) -> str:
    """A whole rule, lowered: what objects store, then every flow; cardsets in the order in which they are tried."""
    lines = [f"rule {_word(program.rule.name)}"]
    for owner, stored in program.stored.items():
        held = (f"{_word(one.name)}={one.start}" for one in stored)
        lines.append(" ".join([f"{owner}:", *held]))
    for title, body in _titled_bodies(program):
        lines += ["", f"{title}:"]
        lines += [_INDENT + line for line in body_text(body).split("\n")]
    return "\n".join(lines)


def _titled_bodies(program: Program) -> Iterator[tuple[str, ir.Body]]:
    for id, body in program.builds.items():
        yield f"build {_word(id)}", body
    for id, body in program.compares.items():
        yield f"compare {_word(id)}", body
    for id, body in program.comparisons.items():
        yield f"comparison {_word(id)}", body
    for method in program.methods.values():
        yield f"method {_signature(method)}", method.body
    yield "match", program.match
    yield "end", program.end


def _signature(method: MethodBody) -> str:
    parameters = ", ".join(
        f"{_word(name)}: {rep.value}" for name, rep in method.parameters
    )
    return (
        f"{method.owner}.{_word(method.name)}({parameters}) -> {method.returned.value}"
    )


def _roots(operations: Iterable[ir.Operation]) -> list[Value]:
    return [value for one in operations for value in ir.operation_values(one)]


def _operations(regions: Iterable[Region]) -> Iterator[ir.Operation]:
    """What the statements evaluate, in the order of the text; an `if` counts as its branch."""
    pending: list[Statement] = [one for region in regions for one in region.statements]
    pending.reverse()
    while pending:
        one = pending.pop()
        match one:
            case Do(_, step):
                yield step
            case End(_, terminal):
                yield terminal
            case If(id, condition, _, then, orelse):
                yield ir.Branch(condition, id, id)
                pending.extend(reversed((*then, *orelse)))
            case Loop(_, body):
                pending.extend(reversed(body))
            case _:
                pass


def _block_lines(formulas: _Formulas, statements: tuple[Statement, ...]) -> list[str]:
    lines: list[str] = []
    pending: list[tuple[int, Statement | str]] = [
        (1, one) for one in reversed(statements)
    ]
    while pending:
        depth, one = pending.pop()
        indent = _INDENT * depth
        if isinstance(one, str):
            lines.append(indent + one)
            continue
        lines += [indent + line for line in _statement_lines(formulas, one)]
        inner: list[tuple[int, Statement | str]] = []
        if isinstance(one, If):
            inner += [(depth + 1, below) for below in one.then]
            inner += [(depth, "else:")] if one.orelse else []
            inner += [(depth + 1, below) for below in one.orelse]
        elif isinstance(one, Loop):
            inner += [(depth + 1, below) for below in one.body]
        pending.extend(reversed(inner))
    return lines


def _statement_lines(formulas: _Formulas, statement: Statement) -> list[str]:
    """The statement's own line, after those of shared formulas that it is the first to use; not its blocks."""
    match statement:
        case Do(id, operation) | End(id, operation):
            new = formulas.new_lines(ir.operation_values(operation))
            return [*new, f"{_word(id)}: {formulas.operation(operation)}"]
        case If(id, condition, is_negated, _, _):
            sign = "unless" if is_negated else "if"
            new = formulas.new_lines((condition,))
            return [*new, f"{_word(id)}: {sign} {formulas.of(condition)}:"]
        case Loop(id, _):
            return [f"{_word(id)}: loop:"]
        case Jump(head, is_hop):
            return [f"{'hop' if is_hop else 'jump'} {_word(head)}"]
        case Continue():
            return ["continue"]
        case Break():
            return ["break"]


@final
class _Formulas:
    """The texts of the formulas of one flow, given all roots in the order in which they will be written."""

    def __init__(self, roots: list[Value]) -> None:
        order, uses = _below(roots)
        self._texts: dict[Value, str] = {}
        self._definitions: dict[Value, str] = {}
        self._is_written: set[Value] = set()
        depths: dict[Value, int] = {}
        for value in order:
            depth = 1 + max((depths[one] for one in _parts(value)), default=0)
            text = _render(value, self._texts)
            is_shared = uses[value] > 1 and len(text) > REPEATED
            if is_shared or depth > DEEPEST:
                self._definitions[value] = _bare(value, text)
                text, depth = f"%{len(self._definitions)}", 0
            self._texts[value], depths[value] = text, depth

    def of(self, value: Value) -> str:
        """The value's text, without outer parentheses."""
        text = self._texts[value]
        return text if value in self._definitions else _bare(value, text)

    def new_lines(self, roots: tuple[Value, ...]) -> list[str]:
        """The definitions that these roots need and that have not been written yet, operands first."""
        found = [
            one
            for one in _below(list(roots), self._is_written)[0]
            if one in self._definitions
        ]
        return [f"{self._texts[one]} = {self._definitions[one]}" for one in found]

    def operation(self, operation: ir.Operation) -> str:
        """What an instruction does, without where a step goes on."""
        match operation:
            case ir.Assign(target, value):
                place = f"{self.of(target.subject)}.{_word(target.name)}"
                return f"{place} := {self.of(value)}"
            case ir.SortDeck(keys, guard):
                where = "" if guard is None else f" if {self.of(guard)} is the table"
                return f"sort deck by {_keys(keys)}{where}"
            case ir.Invoke(call):
                return f"call {self.of(call)}"
            case ir.Branch(condition, then, orelse):
                ways = f"then {_word(then)} else {_word(orelse)}"
                return f"if {self.of(condition)} {ways}"
            case ir.Return(value):
                return "return" if value is None else f"return {self.of(value)}"
            case _:
                return _plain_operation(operation)


def _below(
    roots: list[Value], seen: set[Value] | None = None
) -> tuple[list[Value], dict[Value, int]]:
    """All values, operands before what is made of them, and how often each is an operand or a root.

    Values in `seen` are left out with what is below them; it grows.
    """
    done = set() if seen is None else seen
    order: list[Value] = []
    uses: dict[Value, int] = {}
    for root in roots:
        uses[root] = uses.get(root, 0) + 1
        pending = [(root, False)]
        while pending:
            value, is_ready = pending.pop()
            if value in done:
                continue
            if not is_ready:
                pending.append((value, True))
                pending.extend((one, False) for one in reversed(_parts(value)))
                continue
            done.add(value)
            order.append(value)
            for one in _parts(value):
                uses[one] = uses.get(one, 0) + 1
    return order, uses


def _parts(value: Value) -> tuple[Value, ...]:
    """The values that the text of this one mentions: its operands, and what a callee sees of its caller."""
    parts = ir.children(value)
    if isinstance(value, ir.Call | ir.IsCardset):
        context = value.context
        seen = (context.judged, context.card, context.player)
        parts += tuple(one for one in seen if one is not None)
    return parts


def _word(text: str) -> str:
    """A name or id: as it is if it is one word, else a quoted literal, which escapes what does not print."""
    return text if _WORD.fullmatch(text) else repr(text)


def _bare(value: Value, text: str) -> str:
    return (
        text[1:-1] if isinstance(value, ir.Arithmetic | ir.Logic | ir.Compare) else text
    )


def _render(value: Value, texts: Texts) -> str:
    """One level of a formula over the texts of its parts."""
    match value:
        case ir.CardList(cards):
            return f"[{', '.join(texts[one] for one in cards)}]"
        case ir.PlayProperty(play, name):
            return f"{texts[play]}.{_word(name)}"
        case ir.Sorted(selection, keys):
            return f"sort({texts[selection]} by {_keys(keys)})"
        case ir.Element(selection, index):
            return f"{texts[selection]}[{texts[index]}]"
        case ir.SortedValues(selection, names, is_descending):
            listed = ", ".join(_word(one) for one in names)
            sign = " descending" if is_descending else ""
            return f"values({texts[selection]} by {listed}{sign})"
        case ir.Alike(selection, name):
            return f"alike({texts[selection]} in {_word(name)})"
        case ir.ValueAt(values, index):
            return f"{texts[values]}[{texts[index]}]"
        case ir.Column(row, place):
            return f"{texts[row]}[{place}]"
        case ir.Member(subject, name):
            return f"{texts[subject]}.{_word(name)}"
        case ir.Each(selection, each):
            return f"{texts[selection]}[*].{'?' if each is None else _word(each)}"
        case ir.Arithmetic(operator, left, right):
            return f"({texts[left]} {_ARITHMETIC[operator]} {texts[right]})"
        case ir.Logic(operator, left, right):
            return f"({texts[left]} {_LOGIC[operator]} {texts[right]})"
        case ir.Compare(operator, left, right):
            return f"({texts[left]} {_COMPARE[operator]} {texts[right]})"
        case ir.Quantifier(is_all, selection, body):
            sign = "all" if is_all else "some"
            return f"{sign}({texts[selection]}: {_bare_part(body, texts)})"
        case ir.IsCardset(cardset, cards, context, given):
            seen = _context(context, texts)
            sorted_ = "".join(f", {texts[one]}" for one in given)
            return f"is({_word(cardset)}, {texts[cards]}{sorted_}{seen})"
        case ir.Call():
            return _call(value, texts)
        case _:
            return _unary(value, texts)


def _bare_part(value: Value, texts: Texts) -> str:
    text = texts[value]
    return text if text.startswith("%") else _bare(value, text)


def _unary(value: Value, texts: Texts) -> str:
    match value:
        case ir.CardsOf(operand):
            return f"cards({texts[operand]})"
        case ir.PlayNumber(operand):
            return f"cardset({texts[operand]})"
        case ir.Size(operand):
            return f"size({texts[operand]})"
        case ir.Not(operand):
            return f"not({_bare_part(operand, texts)})"
        case ir.Truth(operand):
            return f"truth({_bare_part(operand, texts)})"
        case ir.Number(operand):
            return f"number({_bare_part(operand, texts)})"
        case _:
            return _mixed(value, texts)


def _mixed(value: Value, texts: Texts) -> str:
    match value:
        case ir.MixedSize(operand):
            return f"mixed_size({texts[operand]})"
        case ir.MixedElement(operand, index):
            return f"mixed_element({texts[operand]}, {texts[index]})"
        case ir.MixedProperty(operand, name, is_mapped, player):
            sign = "mixed_each" if is_mapped else "mixed_property"
            whose = "" if player is None else f"; as {texts[player]}"
            return f"{sign}({texts[operand]}, {_word(name)}{whose})"
        case ir.MixedSorted(operand, card_keys, player_keys):
            keys = f"cards by {_keys(card_keys)}; players by {_keys(player_keys)}"
            return f"mixed_sort({texts[operand]}; {keys})"
        case ir.MixedCards(operand, is_set):
            return f"{'mixed_set' if is_set else 'mixed_cards'}({texts[operand]})"
        case ir.MixedPlayers(operand, is_set):
            return f"{'mixed_set_of' if is_set else 'mixed'}_players({texts[operand]})"
        case ir.MixedIntegers(operand):
            return f"mixed_integers({texts[operand]})"
        case _:
            return _leaf(value)


def _leaf(value: Value) -> str:
    match value:
        case ir.Empty(rep):
            return f"empty({rep.name})"
        case ir.Integer(number):
            return str(number)
        case ir.Boolean(truth):
            return "true" if truth else "false"
        case ir.SeatedPlayer(seat, is_certain):
            return f"player_{seat}{'' if is_certain else '?'}"
        case ir.NumberedCard(number):
            return f"card_{number}"
        case ir.Parameter(name, _):
            return f"${_word(name)}"
        case ir.Compared(is_a):
            return "A" if is_a else "B"
        case _:
            return _FIXED[type(value)]


_FIXED: Mapping[type, str] = {
    ir.Nothing: "none",
    ir.Judged: "judged",
    ir.Latest: "latest",
    ir.Choice: "choice",
    ir.TheTable: "table",
    ir.CurrentPlayer: "current",
    ir.Owner: "self",
    ir.BoundCard: "@card",
    ir.BoundPlayer: "@player",
    ir.Deck: "deck",
    ir.Players: "players",
}


def _call(value: ir.Call, texts: Texts) -> str:
    arguments = ", ".join(_bare_part(one, texts) for one in value.arguments)
    seen = _context(value.context, texts)
    certain = "" if value.is_certain else "?"
    target = f"{texts[value.object]}{certain}.{_word(value.method)}"
    return f"{target}({arguments}{seen})"


def _context(context: ir.Context, texts: Texts) -> str:
    """What a callee sees of its caller, after a semicolon; nothing where it sees no cards and no binding."""
    seen = [] if isinstance(context.judged, ir.Empty) else [texts[context.judged]]
    seen += [texts[one] for one in (context.card, context.player) if one is not None]
    return f"; {', '.join(seen)}" if seen else ""


def _keys(keys: tuple[ir.SortKey, ...]) -> str:
    shown = (
        f"{_word(one.property)} {'down' if one.is_descending else 'up'}" for one in keys
    )
    return ", ".join(shown) or "nothing"


def _plain_operation(operation: ir.Operation) -> str:
    match operation:
        case ir.Shuffle():
            return "shuffle"
        case ir.Deal(rounds, filters):
            passing = " and ".join(_filter(one) for one in filters)
            return f"deal {rounds}" + (f" where {passing}" if filters else "")
        case ir.Pass():
            return "pass"
        case ir.Finish():
            return "finish"
        case ir.AskPlay(timer, next):
            return f"ask play, {timer} s, then {_word(next)}"
        case ir.AskChoice(timer, options, next, regions):
            offered = ", ".join(map(str, options)) or "anything"
            if regions:
                pairs = zip(regions, options, strict=True)
                offered = ", ".join(f"{_word(name)}={value}" for name, value in pairs)
            kind = "region" if regions else "choice"
            return f"ask {kind} of {offered}, {timer} s, then {_word(next)}"
        case ir.Settle(result):
            return f"settle {result}"
        case ir.Accept(properties):
            given = (f"{_word(name)}={value}" for name, value in properties)
            return " ".join(["accept", *given])
        case ir.Reject():
            return "reject"
        case ir.Win(is_a):
            return f"{'A' if is_a else 'B'} wins"
        case _:
            raise AssertionError(f"{type(operation).__name__} evaluates something")


def _filter(one: ir.Filter) -> str:
    lower = "" if one.lower is None else f"{one.lower} <= "
    upper = "" if one.upper is None else f" <= {one.upper}"
    return f"{lower}{'?' if one.name is None else _word(one.name)}{upper}"
