"""A JSON Schema (draft 2020-12) of rule files, made from the component table.

Editors show with it what a field means, complete names and mark values of a wrong shape. It says what `load` says about
shape, and nothing about meaning. One thing it says more strictly: unused nodes may look like anything for `check`, but a
schema cannot know what is used, so here every node has to be well-formed. What it cannot say at all: names and ids that
must exist or must not repeat, limits of size, and that 1.0 is no integer. Imports the component table only.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.rule.components import (
    COMPONENTS,
    FLOW_NAMES,
    Component,
    Field,
    FieldKind,
)
from dealwright.compiler.rule.model import FlowKind

Json: TypeAlias = dict[str, object]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
SECTIONS: Final = (
    "classes",
    "cardsets",
    "cardset_comparisons",
    "match_flow",
    "end_flow",
)


_NOT_BLANK: Final = r"\S"
_INTEGER: Final[Json] = {"type": "integer"}
_MAYBE_TEXT: Final[Json] = {"type": ["string", "null"]}
_MAYBE_INTEGER: Final[Json] = {"type": ["integer", "null"]}

_KINDS: Final = {
    FieldKind.REFERENCE: Words(
        "a reference: the id of a node, a keyword, an object, or a literal",
        "引用：节点编号、保留引用、对象或字面值",
    ),
    FieldKind.REFERENCES: Words(
        "references by position; integers and booleans are literals",
        "按位置排列的引用；整数和布尔值为字面值",
    ),
    FieldKind.OBJECT: Words(
        "an object: table_0, player_N, card_N or 玩家",
        "对象：table_0、player_N、card_N 或 玩家",
    ),
    FieldKind.OBJECT_OR_REFERENCE: Words(
        "with operator 0 an object (table_0, player_N, card_N, 玩家), else a reference",
        "运算符 0 时为对象（table_0、player_N、card_N、玩家），否则为引用",
    ),
    FieldKind.CARDS: Words(
        "cards: a reference, or card ids joined by |", "牌组：引用，或用 | 连接的卡牌"
    ),
    FieldKind.OPERATOR: Words("the operator", "运算符"),
    FieldKind.INTEGER: Words("an integer", "整数"),
    FieldKind.RESULT: Words("the result, an integer", "结果，整数"),
    FieldKind.CONSTANT: Words("the constant, an integer", "常量，整数"),
    FieldKind.TEXT: Words("a name", "名字"),
    FieldKind.CARDSET: Words("the id of a cardset", "牌型的 id"),
    FieldKind.SORT_KEYS: Words(
        "what to sort by, the most important first; order 0 is descending",
        "排序依据，重要的在前；order 为 0 表示降序",
    ),
    FieldKind.FILTERS: Words(
        "what a card has to be like; bounds are inclusive", "卡牌须满足的条件；含边界"
    ),
    FieldKind.OPTIONS: Words(
        "the choices: integers, or {name, value}", "可选项：整数或 {name, value}"
    ),
    FieldKind.RESULT_PROPERTIES: Words(
        "properties of the recognised cardset; integers are kept",
        "识别结果的属性；只保留整数",
    ),
    FieldKind.ANYTHING: Words("informative", "仅供参考"),
}
_JUMPS: Final = {
    "next": Words("the node that follows", "后继节点"),
    "next_true": Words(
        "the node that follows if the condition holds", "条件成立时的后继节点"
    ),
    "next_false": Words(
        "the node that follows if it does not", "条件不成立时的后继节点"
    ),
}


def rule_schema() -> Json:
    """The schema: a rule with metadata beside its design, or the bare five sections."""
    return {
        "$schema": DIALECT,
        "title": "dealwright rule 规则",
        "description": (
            "A card game for dealwright: the five sections, or {meta, design}. "
            "Every node has to be well-formed, unused ones too; `dealwright check` is the judge."
        ),
        "type": "object",
        "if": {
            "required": ["design"],
            "not": {"anyOf": [{"required": [section]} for section in SECTIONS]},
        },
        "then": {"$ref": "#/$defs/with_metadata"},
        "else": {"$ref": "#/$defs/design"},
        "$defs": _definitions(),
    }


def _definitions() -> Json:
    return {
        "blank": _blank(),
        "reference": {"type": ["string", "integer", "boolean", "null"]},
        "jump": _said(
            {"type": ["string", "null"]},
            Words("a node of the same flow; blank: not connected", "同一流程的节点；空白表示未连接"),
        ),
        "with_metadata": _with_metadata(),
        "design": _design(),
        "class": _class(),
        "property": _property(),
        "method": _method(),
        "cardset": _cardset(),
        "comparison": _comparison(),
        "node": _node(),
        **{_flow_name(kind): _flow(kind) for kind in FlowKind},
        **{f"component_{one.type}": _component(one) for one in COMPONENTS.values()},
    }  # fmt: skip


def _said(schema: Json, words: Words) -> Json:
    return {**schema, "description": f"{words.en} {words.zh}"}


def _ref(name: str) -> Json:
    return {"$ref": f"#/$defs/{name}"}


def _blank() -> Json:
    empty: Json = {"type": "string", "not": {"pattern": _NOT_BLANK}}
    return {"anyOf": [{"type": "null"}, empty]}


def _or_blank(schema: Json) -> Json:
    return {"anyOf": [schema, _ref("blank")]}


def _or_null(schema: Json) -> Json:
    return {"anyOf": [schema, {"type": "null"}]}


def _map(values: Json, **more: object) -> Json:
    """An object whose keys are names: none is blank."""
    return {
        "type": "object",
        "propertyNames": {"pattern": _NOT_BLANK},
        "additionalProperties": values,
        **more,
    }


def _object(
    properties: Json, required: tuple[str, ...] = (), words: Words | None = None
) -> Json:
    made: Json = {"type": "object", "properties": properties}
    if required:
        made["required"] = list(required)
    return made if words is None else _said(made, words)


def _with_metadata() -> Json:
    players = _said(
        {"type": ["integer", "null"], "minimum": 1},
        Words(
            "how many play; without it any number may", "玩家人数；省略则允许任意人数"
        ),
    )
    meta = _object(
        {
            "name": _said(_MAYBE_TEXT, Words("the name of the rule", "规则名")),
            "playerCount": players,
            "description": _said(_MAYBE_TEXT, Words("for people", "说明")),
        }
    )
    return _object({"meta": _or_null(meta), "design": _ref("design")}, ("design",))


def _design() -> Json:
    names = ("card", "player", "table")
    classes = _map(
        {}, properties={name: _ref("class") for name in names}, required=list(names)
    )
    return _object(
        {
            "classes": _said(classes, Words("the classes of objects", "对象类型")),
            "cardsets": _said(
                _map(_ref("cardset"), minProperties=1),
                Words("the kinds of play, by id", "牌型，按 id"),
            ),
            # these ids may be blank: nothing refers to a comparison
            "cardset_comparisons": _or_null(
                {"type": "object", "additionalProperties": _ref("comparison")}
            ),
            "match_flow": _ref(_flow_name(FlowKind.MATCH)),
            "end_flow": _ref(_flow_name(FlowKind.END)),
        },
        ("classes", "cardsets", "match_flow", "end_flow"),
    )


def _class() -> Json:
    properties = _or_null(_map(_ref("property")))
    return _object(
        {
            "default_properties": properties,
            "user_properties": properties,
            "methods": _or_null(_map(_ref("method"))),
        }
    )


def _property() -> Json:
    config = {"type": ["array", "null"]}
    return {
        **_object(
            {
                "type": {"enum": ["int", "enum"]},
                "default": _said(
                    _MAYBE_INTEGER,
                    Words("the value at the start, else 0", "初值，缺省 0"),
                ),
                "config": _said({}, Words("the values of an enum", "enum 的取值")),
            },
            ("type",),
        ),
        "if": {"properties": {"type": {"const": "enum"}}},
        "then": {"properties": {"config": config}},
    }


def _method() -> Json:
    return _object(
        {
            "parameters": _said(
                _or_null(_map({})), Words("by name, in order", "参数，按顺序")
            ),
            "returns": _said({}, Words("informative", "仅供参考")),
            "flow": _ref(_flow_name(FlowKind.METHOD)),
        },
        ("flow",),
    )


def _cardset() -> Json:
    name: Json = {"type": "string", "pattern": _NOT_BLANK}
    successors: Json = {"type": ["array", "null"], "items": {"type": "string"}}
    number: Json = {
        "type": "object",
        "if": {"properties": {"type": {"enum": ["int", "enum", None]}}},
        "then": {"properties": {"default": _MAYBE_INTEGER}},
    }
    return _object(
        {
            "name": _said(
                name, Words("unique; comparisons use it", "唯一；跨牌型比较用它")
            ),
            "properties": _or_null(_map(number)),
            "build_flow": _ref(_flow_name(FlowKind.BUILD)),
            "compare_flow": _compare_flow(),
            "successors": _said(
                successors,
                Words("ids of the cardsets that it beats", "可压过的牌型的 id"),
            ),
        },
        ("name", "build_flow"),
    )


def _comparison() -> Json:
    return _object(
        {
            "cardsetA": _said(_MAYBE_TEXT, Words("the name of a cardset", "牌型名")),
            "cardsetB": _said(_MAYBE_TEXT, Words("the name of a cardset", "牌型名")),
            "compare_flow": _compare_flow(),
        }
    )


def _compare_flow() -> Json:
    """Missing, null and empty mean "not written"."""
    nothing: Json = {"type": ["object", "null"], "maxProperties": 0}
    return {"anyOf": [nothing, _ref(_flow_name(FlowKind.COMPARE))]}


def _flow_name(kind: FlowKind) -> str:
    return f"{kind.name.lower()}_flow"


def _flow(kind: FlowKind) -> Json:
    start = {"allOf": [_ref("node"), {"properties": {"type": {"const": kind.value}}}]}
    made: Json = {
        "type": "object",
        "required": ["1"],
        "properties": {"1": start},
        "additionalProperties": _ref("node"),
    }
    return _said(made, FLOW_NAMES[kind])


def _node() -> Json:
    types = [
        {"const": one.type, "title": f"{one.name.en} {one.name.zh}"}
        for one in COMPONENTS.values()
    ]
    jumps = {
        name: {**_ref("jump"), "description": f"{words.en} {words.zh}"}
        for name, words in _JUMPS.items()
    }
    content = _or_blank({"type": "object", "properties": jumps})
    return {
        "type": "object",
        "required": ["type"],
        "properties": {
            "type": {"type": "integer", "oneOf": types},
            "content": content,
            **jumps,
        },
        "allOf": [
            {
                "if": {
                    "required": ["type"],
                    "properties": {"type": {"const": one.type}},
                },
                "then": _ref(f"component_{one.type}"),
            }
            for one in COMPONENTS.values()
        ],
    }


def _component(component: Component) -> Json:
    """What the fields of a component hold, in its content; `count` may also stand on the node."""
    content: Json = {
        "properties": {one.name: _field(one) for one in component.fields},
    }
    required = [one.name for one in component.fields if one.kind is FieldKind.CARDSET]
    properties: Json = {"content": content}
    made: Json = {
        "title": f"{component.type} {component.name.en} {component.name.zh}",
        "description": _role(component),
        "properties": properties,
    }
    if required:
        # a blank content would leave the field out
        content |= {"type": "object", "required": required}
        made["required"] = ["content"]
    count = component.field("count")
    if count is not None:
        properties["count"] = _field(count)
    return made


def _role(component: Component) -> str:
    roles = [
        Words(*pair)
        for pair, applies in (
            (("a value", "值"), component.has_value),
            (("a statement", "语句"), component.is_statement),
            (("ends the flow", "结束流程"), component.is_terminal),
        )
        if applies
    ]
    places = [FLOW_NAMES[kind] for kind in FlowKind if kind in component.placed]
    everywhere = len(places) == len(FlowKind)
    en = ", ".join(one.en for one in roles)
    zh = "、".join(one.zh for one in roles)
    if everywhere:
        return f"{en} {zh}"
    return (
        f"{en}; only in {', '.join(one.en for one in places)} "
        f"{zh}；只能用于{'、'.join(one.zh for one in places)}"
    )


def _field(field: Field) -> Json:
    words = _KINDS[field.kind]
    if field.kind is FieldKind.OPERATOR:
        meanings = [
            {"const": number, "title": f"{one.en} {one.zh}"}
            for number, one in enumerate(field.operators)
        ]
        listed = Words(
            ", ".join(
                f"{number} {one.en}" for number, one in enumerate(field.operators)
            ),
            "，".join(
                f"{number} {one.zh}" for number, one in enumerate(field.operators)
            ),
        )
        # without the type an operator of `true` would be taken for 1
        number: Json = {"type": "integer", "oneOf": meanings}
        return _said(_or_null(number), listed)
    return _said(_shape(field.kind), words)


def _shape(kind: FieldKind) -> Json:
    """What `shapes` accepts for a kind of field."""
    match kind:
        case (
            FieldKind.REFERENCE
            | FieldKind.OBJECT
            | FieldKind.OBJECT_OR_REFERENCE
            | FieldKind.CARDS
        ):
            return _ref("reference")
        case FieldKind.REFERENCES:
            return _or_blank({"type": "array", "items": _ref("reference")})
        case FieldKind.INTEGER:
            return _or_blank(_INTEGER)
        case FieldKind.RESULT:
            return _MAYBE_INTEGER
        case FieldKind.TEXT:
            return _MAYBE_TEXT
        case FieldKind.CARDSET:
            return {"type": "string", "pattern": _NOT_BLANK}
        case FieldKind.SORT_KEYS:
            return _records("name", "order")
        case FieldKind.FILTERS:
            return _records("prop_name", "lower_bound", "upper_bound")
        case FieldKind.OPTIONS:
            named: Json = {"type": "object", "required": ["value"]}
            named["properties"] = {"value": _INTEGER}
            option: Json = {"anyOf": [_INTEGER, named]}
            return _or_blank({"type": "array", "items": option})
        case FieldKind.RESULT_PROPERTIES:
            numbers: Json = {
                "type": "object",
                "additionalProperties": _or_blank(_INTEGER),
            }
            return _or_blank(numbers)
        case FieldKind.OPERATOR | FieldKind.CONSTANT | FieldKind.ANYTHING:
            return {}


def _records(text: str, *integers: str) -> Json:
    numbers = {name: _or_blank(_INTEGER) for name in integers}
    item = _object({text: _MAYBE_TEXT, **numbers})
    return _or_blank({"type": "array", "items": item})
