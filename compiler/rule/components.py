"""The component table: what each type number is called, which fields it has, and in which flows it may stand.

One row per component of the contract, section 5. `load` derives its checks of shape from the rows, `check` the places;
nothing else in the compiler lists the fields of a component a second time. Imports `codes` and `model` only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final, final

from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.rule.model import FlowKind


class FieldKind(Enum):
    """What a field may hold; null and a missing field always count as blank."""

    REFERENCE = "reference"  # text, integer or boolean
    REFERENCES = "references"  # a list of references
    OBJECT = "object"  # the name of an object: text or a seat
    OBJECT_OR_REFERENCE = (
        "object or reference"  # `ident` of type 6: the operator decides
    )
    CARDS = "cards"  # a reference, or card ids joined by `|`
    OPERATOR = "operator"  # a number of the component's own table
    INTEGER = "integer"
    RESULT = "result"  # an integer; missing is 0 with a warning
    CONSTANT = "constant"  # anything; what is not an integer is 0 with a warning
    TEXT = "text"
    CARDSET = "cardset"  # the id of a cardset, never blank
    SORT_KEYS = "sort keys"  # a list of {name: text, order: integer}
    FILTERS = "filters"  # a list of {prop_name: text, lower_bound: integer, upper_bound: integer}
    OPTIONS = "options"  # a list; unusable items are left out
    RESULT_PROPERTIES = (
        "result properties"  # an object; values that are not integers are left out
    )
    ANYTHING = "anything"  # informative


@final
@dataclass(frozen=True, slots=True)
class Field:
    """A field of a component.

    `operand` says that a blank one counts as none, with a warning; `operators` are the meanings of the numbers 0, 1, …
    of an operator.
    """

    name: str
    kind: FieldKind
    operand: bool = False
    operators: tuple[Words, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Component:
    """A row of the table.

    `has_value`: it may be read; `is_statement`: executing it does something; `is_terminal`: control ends in it.
    `placed` are the kinds of flow in which a reachable node of the type may stand, `executed` those in which control
    may pass through it.
    """

    type: int
    name: Words
    fields: tuple[Field, ...]
    has_value: bool = False
    is_statement: bool = False
    is_terminal: bool = False
    placed: frozenset[FlowKind] = frozenset(FlowKind)
    executed: frozenset[FlowKind] = frozenset(FlowKind)

    def field(self, name: str) -> Field | None:
        """The field of this name, or None."""
        return next((one for one in self.fields if one.name == name), None)


FLOW_NAMES: Final[Mapping[FlowKind, Words]] = MappingProxyType(
    {
        FlowKind.MATCH: Words("the match flow", "对局流程"),
        FlowKind.END: Words("the end flow", "结算流程"),
        FlowKind.METHOD: Words("methods", "方法流程"),
        FlowKind.BUILD: Words("build flows", "牌型识别流程"),
        FlowKind.COMPARE: Words("compare flows", "牌型比较流程"),
    }
)

_MATCH, _END, _METHOD = (
    frozenset({FlowKind.MATCH}),
    frozenset({FlowKind.END}),
    frozenset({FlowKind.METHOD}),
)
_BUILD, _COMPARE = frozenset({FlowKind.BUILD}), frozenset({FlowKind.COMPARE})
_CHANGING = _MATCH | _END | _METHOD

_REFERENCE, _INTEGER, _TEXT = FieldKind.REFERENCE, FieldKind.INTEGER, FieldKind.TEXT


def _operand(name: str, kind: FieldKind = _REFERENCE) -> Field:
    return Field(name, kind, operand=True)


def _operator(*meanings: tuple[str, str]) -> Field:
    return Field(
        "operator",
        FieldKind.OPERATOR,
        operators=tuple(Words(en, zh) for en, zh in meanings),
    )


def _value(
    type: int, en: str, zh: str, *fields: Field, is_statement: bool = False
) -> Component:
    return Component(
        type, Words(en, zh), fields, has_value=True, is_statement=is_statement
    )


def _start(type: int, en: str, zh: str) -> Component:
    return Component(type, Words(en, zh), (), has_value=True)


def _wait(type: int, en: str, zh: str, options: FieldKind) -> Component:
    fields = (Field("timer", _INTEGER), Field("options", options))
    return Component(
        type, Words(en, zh), fields, has_value=True, is_statement=True, executed=_MATCH
    )


def _statement(
    type: int, en: str, zh: str, placed: frozenset[FlowKind], *fields: Field
) -> Component:
    return Component(
        type, Words(en, zh), fields, is_statement=True, placed=placed, executed=placed
    )


def _terminal(
    type: int, en: str, zh: str, placed: frozenset[FlowKind], *fields: Field
) -> Component:
    words = Words(en, zh)
    return Component(
        type,
        words,
        fields,
        is_statement=True,
        is_terminal=True,
        placed=placed,
        executed=placed,
    )


_SIDES = (_operand("lval"), _operand("rval"))
_RESULT = Field("result", FieldKind.RESULT)
_PROPERTY_OPERATOR = _operator(
    ("of an object", "对象属性"),
    ("of a value", "组件结果属性"),
    ("of every element", "集合映射属性"),
)
_ARITHMETIC = _operator(
    ("plus", "加"),
    ("minus", "减"),
    ("times", "乘"),
    ("divided by", "除"),
    ("remainder", "取余"),
)
_QUANTITY = _operator(("some", "存在"), ("all", "全部"))
_COMPARISON = _operator(
    ("equal", "等于"),
    ("greater", "大于"),
    ("less", "小于"),
    ("at least", "大于等于"),
    ("at most", "小于等于"),
)

_ROWS = (
    _value(
        1, "method call", "方法调用", Field("object", FieldKind.OBJECT), Field("method", _TEXT),
        Field("parameter", FieldKind.REFERENCES), is_statement=True,
    ),
    _value(2, "sort", "排序", _operand("selection"), Field("properties", FieldKind.SORT_KEYS), is_statement=True),
    _statement(4, "assign", "赋值", frozenset(FlowKind), Field("component", _REFERENCE), _operand("rvalue")),
    _value(5, "element", "取集合元素", _operand("selection"), _operand("index")),
    _value(
        6, "property", "属性访问", _PROPERTY_OPERATOR, Field("ident", FieldKind.OBJECT_OR_REFERENCE, operand=True),
        Field("property", _TEXT),
    ),
    _value(7, "size", "集合长度", _operand("selection")),
    _value(8, "constant", "常量", Field("value", FieldKind.CONSTANT)),
    _value(9, "constant", "常量", Field("value", FieldKind.CONSTANT)),
    _value(10, "arithmetic", "四则运算", _ARITHMETIC, *_SIDES),
    _value(11, "quantifier", "集合逻辑", _QUANTITY, _operand("set"), _operand("component")),
    _value(12, "logic", "二元逻辑", _operator(("and", "与"), ("or", "或")), *_SIDES),
    _value(13, "not", "非", _operand("component")),
    _value(14, "comparison", "比较", _COMPARISON, *_SIDES),
    _value(15, "is cardset", "牌型判断", _operand("card_set", FieldKind.CARDS), Field("card_rule", FieldKind.CARDSET)),
    _statement(16, "branch", "条件分支", frozenset(FlowKind), Field("condition", _REFERENCE)),
    _start(17, "start of the match", "对局开始"),
    _terminal(18, "finish", "进入结算", _MATCH),
    _statement(19, "shuffle", "洗牌", _CHANGING),
    _statement(20, "deal", "发牌", _CHANGING, Field("prop_pair", FieldKind.FILTERS), Field("count", _INTEGER)),
    _wait(21, "play", "等待玩家出牌", FieldKind.ANYTHING),
    _wait(22, "choose", "等待玩家做选择", FieldKind.OPTIONS),
    _start(23, "start of the settlement", "结算开始"),
    _terminal(24, "settle", "写入结算结果", _END, _RESULT),
    _start(25, "start of a method", "方法开始"),
    _terminal(26, "return", "返回", _METHOD, Field("return", _REFERENCE)),
    _start(27, "start of recognising", "牌型构建开始"),
    _terminal(28, "build result", "牌型构建返回", _BUILD, _RESULT, Field("properties", FieldKind.RESULT_PROPERTIES)),
    _start(29, "start of comparing", "牌型比较开始"),
    _terminal(30, "compare result", "牌型比较返回", _COMPARE, _RESULT),
)  # fmt: skip

COMPONENTS: Final[Mapping[int, Component]] = MappingProxyType(
    {row.type: row for row in _ROWS}
)

START_TYPES: Final = frozenset(kind.value for kind in FlowKind)
WAIT_TYPES: Final = frozenset({21, 22})
TERMINAL_TYPES: Final = frozenset(row.type for row in _ROWS if row.is_terminal)
BRANCH_TYPE: Final = 16
RETURN_TYPE: Final = 26
