"""Small constructors of libcst expressions that know how tightly they bind.

libcst adds no parentheses, so every expression travels with its level of precedence, and whoever puts it somewhere asks
for the level that the place needs. Levels are those of the Python reference, section 6.17.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

import libcst as cst

TEST: Final = 0
OR: Final = 1
AND: Final = 2
NOT: Final = 3
COMPARE: Final = 4
ADD: Final = 5
MULTIPLY: Final = 6
UNARY: Final = 7
POSTFIX: Final = 8
ATOM: Final = 9


@final
@dataclass(frozen=True, slots=True)
class Code:
    """An expression and its level of precedence."""

    node: cst.BaseExpression
    level: int

    def at(self, level: int) -> cst.BaseExpression:
        """The expression for a place that needs at least this level, in parentheses if it binds more loosely."""
        if self.level >= level:
            return self.node
        return self.node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def name(text: str) -> Code:
    """A name, or names joined by dots."""
    first, *rest = text.split(".")
    node: cst.BaseExpression = cst.Name(first)
    for one in rest:
        node = cst.Attribute(node, cst.Name(one))
    return Code(node, POSTFIX if rest else ATOM)


def integer(value: int) -> Code:
    """An integer constant."""
    if value < 0:
        return Code(cst.UnaryOperation(cst.Minus(), cst.Integer(str(-value))), UNARY)
    return Code(cst.Integer(str(value)), ATOM)


def string(quoted: str) -> Code:
    """A string literal that `emit.text.literal` has made."""
    return Code(cst.SimpleString(quoted), ATOM)


def attribute(owner: Code, text: str) -> Code:
    """`owner.text`."""
    needed = ATOM if isinstance(owner.node, cst.Integer) else POSTFIX
    return Code(cst.Attribute(owner.at(needed), cst.Name(text)), POSTFIX)


def call(function: Code, *arguments: Code, **named: Code) -> Code:
    """`function(arguments, name=named)`; a lone generator needs no parentheses of its own."""
    given = [cst.Arg(one.at(TEST)) for one in arguments]
    for key, value in named.items():
        given.append(
            cst.Arg(
                value.at(TEST),
                keyword=cst.Name(key),
                equal=cst.AssignEqual(
                    cst.SimpleWhitespace(""), cst.SimpleWhitespace("")
                ),
            )
        )
    return Code(cst.Call(function.at(POSTFIX), given), POSTFIX)


def subscript(owner: Code, index: Code) -> Code:
    """`owner[index]`."""
    element = cst.SubscriptElement(cst.Index(index.at(TEST)))
    return Code(cst.Subscript(owner.at(POSTFIX), [element]), POSTFIX)


_BINARY: Final = {
    "+": (cst.Add, ADD),
    "-": (cst.Subtract, ADD),
    "*": (cst.Multiply, MULTIPLY),
}


def binary(left: Code, operator: str, right: Code) -> Code:
    """`left + right` and the like; all associate to the left."""
    make, level = _BINARY[operator]
    return Code(cst.BinaryOperation(left.at(level), make(), right.at(level + 1)), level)


_COMPARE: Final = {
    "==": cst.Equal,
    "!=": cst.NotEqual,
    ">": cst.GreaterThan,
    "<": cst.LessThan,
    ">=": cst.GreaterThanEqual,
    "<=": cst.LessThanEqual,
    "is": cst.Is,
    "is not": cst.IsNot,
}


def compare(left: Code, *pairs: tuple[str, Code]) -> Code:
    """`left < right`, or a chain."""
    targets = [
        cst.ComparisonTarget(_COMPARE[sign](), right.at(COMPARE + 1))
        for sign, right in pairs
    ]
    return Code(cst.Comparison(left.at(COMPARE + 1), targets), COMPARE)


def both(left: Code, right: Code) -> Code:
    """`left and right`; a row needs no parentheses, wherever it was joined."""
    return Code(cst.BooleanOperation(left.at(AND), cst.And(), right.at(AND)), AND)


def either(left: Code, right: Code) -> Code:
    """`left or right`, likewise."""
    return Code(cst.BooleanOperation(left.at(OR), cst.Or(), right.at(OR)), OR)


def negated(operand: Code) -> Code:
    """`not operand`."""
    return Code(cst.UnaryOperation(cst.Not(), operand.at(NOT)), NOT)


def conditional(condition: Code, then: Code, orelse: Code) -> Code:
    """`then if condition else orelse`."""
    node = cst.IfExp(test=condition.at(OR), body=then.at(OR), orelse=orelse.at(TEST))
    return Code(node, TEST)


def negative(operand: Code) -> Code:
    """`-operand`."""
    return Code(cst.UnaryOperation(cst.Minus(), operand.at(UNARY)), UNARY)


def lambda_(parameter: str, body: Code) -> Code:
    """`lambda parameter: body`."""
    parameters = cst.Parameters([cst.Param(cst.Name(parameter))] if parameter else [])
    space = cst.SimpleWhitespace(" ") if parameter else cst.MaybeSentinel.DEFAULT
    return Code(
        cst.Lambda(parameters, body.at(TEST), whitespace_after_lambda=space), TEST
    )


def _for(variable: str, source: Code, condition: Code | None = None) -> cst.CompFor:
    tests = [] if condition is None else [cst.CompIf(condition.at(OR))]
    return cst.CompFor(cst.Name(variable), source.at(OR), ifs=tests)


def generator(body: Code, variable: str, source: Code) -> Code:
    """`body for variable in source`, as the only argument of a call."""
    return Code(
        cst.GeneratorExp(body.at(TEST), _for(variable, source), lpar=[], rpar=[]), ATOM
    )


def comprehension(
    body: Code, variable: str, source: Code, condition: Code | None = None
) -> Code:
    """`[body for variable in source if condition]`."""
    return Code(cst.ListComp(body.at(TEST), _for(variable, source, condition)), ATOM)


def list_(items: Sequence[Code]) -> Code:
    """`[items]`."""
    return Code(cst.List([cst.Element(one.at(TEST)) for one in items]), ATOM)


def tuple_(items: Sequence[Code]) -> Code:
    """`(items)`."""
    return Code(cst.Tuple([cst.Element(one.at(TEST)) for one in items]), ATOM)


def dict_(items: Sequence[tuple[Code, Code]]) -> Code:
    """`{key: value}`."""
    return Code(
        cst.Dict(
            [cst.DictElement(key.at(TEST), value.at(TEST)) for key, value in items]
        ),
        ATOM,
    )
