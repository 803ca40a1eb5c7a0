"""Names that have broken code generators before, and a rule that has one of them wherever a name can stand."""

from __future__ import annotations

import keyword

from tests.support import Json

INJECTION = 'x"; import os; os.abort() #'

ODD = (
    "two words",
    " spaces around ",
    "2nd",
    "a-b",
    "a_b",
    "a.b",
    "_private",
    "__dunder__",
    "__class__",
    "_",
    "-",
    "???",
    "点数",
    "倍 数",
    "对子（两张）",
    "牌型A",
    "é",
    "e\u0301",
    "ﬁre",
    "ｆｕｌｌ　ｗｉｄｔｈ",
    "ａｂｃ",
    "x²",
    "ª",
    "ﷺ",
    "Straße",
    "İstanbul",
    "😀",
    "\U0001d4d0",
)
HOSTILE = (
    INJECTION,
    "it's",
    'say "hi"',
    '"""',
    "'''",
    '""" + exit() + """',
    'ends with a quote"',
    "ends with a backslash\\",
    "\\",
    '\\"',
    "\\N{BULLET} \\x41 \\u0041 \\101",
    "line\nbreak",
    "import os\nos.abort()",
    "carriage\rreturn",
    "tab\tform\x0cfeed\x0bvertical",
    "{{ 7 * 7 }}",
    "{% raw %}",
    "{# comment #}",
    "{x}",
    "{",
    "}",
    "%s %(x)s %",
    "# comment",
    "# fmt: off",
    "# type: ignore",
    "# -*- coding: utf-7 -*-",
    "# noqa",
    "nul\0byte",
    "\0",
    "line\u2028separator\u2029",
    "next\x85line",
    "bidi\u202etxet\u202c\u2066\u2069",
    "zero\u200bwidth\u200d\ufeff",
    "\x1b[31mred",
    "\x7f",
    "lone \ud800 surrogate",  # no text at all: rules with it are refused, see HALF
    "name: int = 1",
    "a, b",
    "*args",
    "lambda: 0",
    "x[0]",
    "f()",
)
TAKEN = (
    *keyword.kwlist,
    *keyword.softkwlist,
    *"RESPELLED _home _log __slots__ as_nothing attach hand hands id index number player_index restore seat values".split(),
    *"__init__ __bool__ __repr__ __setattr__ __dict__ __doc__ __module__ __hash__ __eq__ cur_max".split(),
    *"Card Player Table Hand Played TestGame NO_CARD NO_PLAYER PACKAGE RESUME Package Play Game new_deck A_WINS".split(),
    *"start settle recognize beats after_play_ask after_choice_pick at_1 build_ compare_ cardsets classes match".split(),
    *"a b before card cards deck game now object player self table annotations".split(),
    *"all any bool dict enumerate int isinstance len list max print range sorted str super tuple".split(),
)
RISKY = (
    "Card",
    "Table",
    "super",
    "self",
    "card",
    "cards",
    "game",
    "values",
    "class",
    "match",
    "int",
    "cur_max",
)
"""Names that every generated module uses; the other taken ones have whole rules of their own in the long setting."""

LONGEST = ("长" * 10_000, "a b" * 3_333, '"' * 10_000)
NAMES = tuple(dict.fromkeys([*ODD, *HOSTILE, *TAKEN, *LONGEST]))


PLAIN = "zq zq"
"""A name that is no identifier and harmless: what comes out for it is what must come out for any other."""


def rule(name: str) -> Json:
    """A rule that can be played, with `name` wherever a name can stand.

    Two seats get one card each; a choice, a method of each class with effects or a value, a play that is recognised by a
    cardset with a property and compared through a comparison, and a settlement.
    """
    number = {"type": "int", "default": 3}
    enum = {
        "type": "enum",
        "default": 1,
        "config": [
            {"id": name, "display": name, "value": value} for value in (1, 2, 5)
        ],
    }
    return {
        "meta": {"name": name, "playerCount": 2, "description": name},
        "design": {
            "classes": {
                "card": {
                    "default_properties": {},
                    "user_properties": {name: enum},
                    "methods": {name: method(name, [])},
                },
                "player": {
                    "default_properties": {},
                    "user_properties": {name: number},
                    "methods": {name: method(name, assignment(name))},
                },
                "table": {
                    "default_properties": {},
                    "user_properties": {name: number},
                    "methods": {name: method(name, [])},
                },
            },
            "cardsets": {
                name: {
                    "name": name,
                    "properties": {name: {"type": "int", "default": 4}},
                    "build_flow": {
                        "1": {"type": 27, "content": {"next": name}},
                        name: {
                            "type": 16,
                            "content": {
                                "condition": "one",
                                "next_true": "yes",
                                "next_false": "no",
                            },
                        },
                        "yes": {
                            "type": 28,
                            "content": {"result": 1, "properties": {name: 7}},
                        },
                        "no": {"type": 28, "content": {"result": 0}},
                        "one": {
                            "type": 14,
                            "content": {"operator": 0, "lval": "size", "rval": 1},
                        },
                        "size": {"type": 7, "content": {"selection": "cards"}},
                    },
                    "compare_flow": comparison(name),
                    "successors": [name],
                },
                "other": {
                    "name": f"{name} other",
                    "properties": {},
                    "build_flow": {
                        "1": {"type": 27, "content": {"next": name}},
                        name: {"type": 28, "content": {"result": 0}},
                    },
                },
            },
            "cardset_comparisons": {
                name: {
                    "cardsetA": name,
                    "cardsetB": f"{name} other",
                    "compare_flow": comparison(name),
                }
            },
            "match_flow": {
                "1": {"type": 17, "content": {"next": "deal"}},
                "deal": {
                    "type": 20,
                    "count": 1,
                    "content": {
                        "prop_pair": [
                            {"prop_name": name, "lower_bound": 0, "upper_bound": 9}
                        ],
                        "next": "choose",
                    },
                },
                "choose": {
                    "type": 22,
                    "content": {
                        "options": [{"name": name, "value": 1}],
                        "next": "call",
                    },
                },
                "call": {
                    "type": 1,
                    "content": {
                        "object": "玩家",
                        "method": name,
                        "parameter": [5],
                        "next": "count",
                    },
                },
                "count": {
                    "type": 4,
                    "content": {"component": "place", "rvalue": "sum", "next": name},
                },
                name: {"type": 21, "content": {"next": "end"}},
                "end": {"type": 18},
                "place": {
                    "type": 6,
                    "content": {"operator": 0, "ident": "table_0", "property": name},
                },
                "sum": {
                    "type": 10,
                    "content": {"operator": 0, "lval": "place", "rval": "value"},
                },
                "value": {
                    "type": 10,
                    "content": {"operator": 0, "lval": "of_table", "rval": "of_card"},
                },
                "of_table": {
                    "type": 1,
                    "content": {"object": "table_0", "method": name, "parameter": [2]},
                },
                "of_card": {
                    "type": 1,
                    "content": {"object": "card_1", "method": name, "parameter": [1]},
                },
            },
            "end_flow": {
                "1": {"type": 23, "content": {"next": "asks"}},
                "asks": {
                    "type": 16,
                    "content": {
                        "condition": "more",
                        "next_true": name,
                        "next_false": "lost",
                    },
                },
                name: {"type": 24, "content": {"result": 1}},
                "lost": {"type": 24, "content": {"result": 0}},
                "more": {
                    "type": 14,
                    "content": {"operator": 1, "lval": "mine", "rval": 3},
                },
                "mine": {
                    "type": 6,
                    "content": {"operator": 1, "ident": "me", "property": name},
                },
                "me": {
                    "type": 6,
                    "content": {"operator": 1, "ident": "1", "property": "玩家"},
                },
            },
        },
    }


def method(name: str, steps: list[tuple[str, Json]]) -> Json:
    """A method called `name` with a parameter called `name`; its value is its parameter more than the property."""
    flow = {
        "1": {"type": 25, "content": {"next": steps[0][0] if steps else "give"}},
        **dict(steps),
        "give": {"type": 26, "content": {"return": "sum"}},
        "sum": {"type": 10, "content": {"operator": 0, "lval": "own", "rval": "given"}},
        "own": {"type": 6, "content": {"operator": 1, "ident": "me", "property": name}},
        "me": {
            "type": 6,
            "content": {"operator": 1, "ident": "1", "property": "调用该方法的对象"},
        },
        "given": {
            "type": 6,
            "content": {"operator": 1, "ident": "1", "property": name},
        },
    }
    return {"parameters": {name: {"type": "int"}}, "returns": "int", "flow": flow}


def assignment(name: str) -> list[tuple[str, Json]]:
    """What makes a method add its parameter to the property."""
    return [
        (
            "add",
            {
                "type": 4,
                "content": {"component": "own", "rvalue": "sum", "next": "give"},
            },
        )
    ]


def comparison(name: str) -> Json:
    """A compare flow that reads the cardset's property called `name`."""
    return {
        "1": {"type": 29, "content": {"next": "asks"}},
        "asks": {
            "type": 16,
            "content": {"condition": "less", "next_true": name, "next_false": "lose"},
        },
        name: {"type": 30, "content": {"result": 0}},
        "lose": {"type": 30, "content": {"result": 1}},
        "less": {"type": 14, "content": {"operator": 2, "lval": "zero", "rval": "own"}},
        "zero": {"type": 8, "content": {"value": 0}},
        "own": {"type": 6, "content": {"operator": 1, "ident": "A", "property": name}},
    }
