"""For every code the smallest change of a rule that causes it, and the nearest that does not.

The changes are made to one small rule, `BASE`, about which there is nothing to say. The page of codes shows them, and
the tests hold every one of them to what it promises. Imports nothing of ours.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, final

BASE: Final = """\
{
  "meta": {"name": "Base", "playerCount": 2},
  "design": {
    "classes": {
      "card": {
        "user_properties": {"rank": {"type": "enum", "config": [{"value": 1}, {"value": 2}, {"value": 3}]}}
      },
      "player": {},
      "table": {"user_properties": {"round": {"type": "int", "default": 0}}}
    },
    "cardsets": {
      "1": {
        "name": "Single",
        "build_flow": {
          "1": {"type": 27, "content": {"next": "if"}},
          "if": {"type": 16, "content": {"condition": "is", "next_true": "yes", "next_false": "no"}},
          "is": {"type": 14, "content": {"operator": 0, "lval": "size", "rval": 1}},
          "size": {"type": 7, "content": {"selection": "cards"}},
          "yes": {"type": 28, "content": {"result": 1}},
          "no": {"type": 28, "content": {"result": 0}}
        }
      }
    },
    "match_flow": {
      "1": {"type": 17, "content": {"next": "deal"}},
      "deal": {"type": 20, "count": 1, "content": {"next": "play"}},
      "play": {"type": 21, "content": {"next": "set"}},
      "set": {"type": 4, "content": {"component": "to", "rvalue": 1, "next": "end"}},
      "to": {"type": 6, "content": {"operator": 0, "ident": "table_0", "property": "round"}},
      "end": {"type": 18}
    },
    "end_flow": {
      "1": {"type": 23, "content": {"next": "end"}},
      "end": {"type": 24, "content": {"result": 1}}
    }
  }
}
"""

Json: TypeAlias = Any


class Gone:
    """The value of a path that an edit deletes."""


GONE: Final = Gone()


@final
@dataclass(frozen=True, slots=True)
class Edit:
    """Values put into the base rule: paths start in the design, with a leading `/` at the top of the document.

    `shown` says in words what is too long to be shown.
    """

    values: Mapping[str, Json]
    shown: str = ""

    def data(self) -> bytes:
        """The bytes of the edited file."""
        rule: Json = json.loads(BASE)
        for path, value in self.values.items():
            steps = path[1:] if path.startswith("/") else f"design/{path}"
            *parents, last = steps.split("/")
            inner = rule
            for step in parents:
                inner = inner.setdefault(step, {})
            if value is GONE:
                del inner[last]
            else:
                # a copy: later edits may go into it
                inner[last] = json.loads(json.dumps(value))
        return json.dumps(rule, ensure_ascii=False).encode()


@final
@dataclass(frozen=True, slots=True)
class Swap:
    """A part of the base file's text that is replaced by other bytes; `shown` says by which, in words, if need be."""

    old: str
    new: bytes
    shown: str = ""

    def data(self) -> bytes:
        """The bytes of the file."""
        return BASE.encode().replace(self.old.encode(), self.new, 1)


@final
@dataclass(frozen=True, slots=True)
class Missing:
    """A path at which no file can be read."""

    shown: str = "a path that names no file"


Change: TypeAlias = Edit | Swap | Missing
AS_IT_IS: Final = Edit({})


@final
@dataclass(frozen=True, slots=True)
class Example:
    """What causes a code, and the nearest that does not."""

    bad: Change
    good: Edit | Swap


def _node(kind: int, _next: str | None = None, **content: Json) -> Json:
    jump = {} if _next is None else {"next": _next}
    return {"type": kind, "content": content | jump}


def _filter(name: str, low: int, high: int) -> Json:
    return {"prop_name": name, "lower_bound": low, "upper_bound": high}


def _branch(condition: Json, yes: str, no: str) -> Json:
    return _node(16, condition=condition, next_true=yes, next_false=no)


def _edits(bad: Mapping[str, Json], good: Mapping[str, Json]) -> Example:
    return Example(Edit(bad), Edit(good))


def _values(path: str, bad: Json, good: Json, **both: Json) -> Example:
    """One path with two values."""
    return _edits({**both, path: bad}, {**both, path: good})


def _swaps(old: str, bad: str | bytes, good: str | bytes) -> Example:
    new = [one if isinstance(one, bytes) else one.encode() for one in (bad, good)]
    return Example(Swap(old, new[0]), Swap(old, new[1]))


def _long(old: str, bad: tuple[str, str], good: tuple[str, str]) -> Example:
    """Texts too long to be shown, each with words for it."""
    return Example(
        Swap(old, bad[0].encode(), bad[1]), Swap(old, good[0].encode(), good[1])
    )


_B, _C, _M, _E = "cardsets/1/build_flow", "cardsets/1/compare_flow", "match_flow", "end_flow"  # fmt: skip
_SET, _TO, _IS = f"{_M}/set/content", f"{_M}/to/content", f"{_B}/is/content"
_TABLE, _METHOD = "classes/table/user_properties", "classes/player/methods/m"
_META, _COUNT = '"name": "Base"', '"playerCount": 2'
_NUMBER: Final = {"type": "int", "default": 0}
_NEVER: Final = {"1": _node(27, "no"), "no": _node(28, result=0)}
_ALWAYS: Final = {"1": _node(27, "yes"), "yes": _node(28, result=1)}
_PAIR: Final = {"name": "Pair", "build_flow": _NEVER}
_COMPARE: Final = {"1": _node(29, "now"), "now": _node(30, result=0)}
_QUIET: Final = {"flow": {"1": _node(25)}}
_MIXES: Final = {"flow": {"1": _node(25, "mix"), "mix": _node(19)}}
_MEGABYTES: Final = 16 * 1024 * 1024


def _call(**content: Json) -> Json:
    return _node(1, "end", **{"object": "玩家", "method": "m", **content})


def _asks(cardset: str) -> Json:
    return _node(15, card_set="cards", card_rule=cardset)


def _property(ident: Json, name: str, operator: int = 0) -> Json:
    return _node(6, operator=operator, ident=ident, property=name)


def _comparison(a: str, b: str) -> Json:
    return {"cardsetA": a, "cardsetB": b, "compare_flow": _COMPARE}


def _reads(node: Json) -> dict[str, Json]:
    """The assignment takes its value from a new node."""
    return {f"{_SET}/rvalue": "x", f"{_M}/x": node}


def _deck(cards: int) -> Edit:
    ranks = [{"value": number} for number in range(cards)]
    path = "classes/card/user_properties/rank/config"
    return Edit({path: ranks}, f"a `rank` of {cards:,} values")


def _nested(quantifiers: int) -> Edit:
    """Quantifiers in each other in the match flow, which the assignment reads."""
    flow = json.loads(BASE)["design"][_M]
    flow["set"]["content"]["rvalue"] = "q1"
    for number in range(1, quantifiers + 1):
        flow[f"q{number}"] = _node(
            11, operator=0, set="pool", component=f"q{number + 1}"
        )
    flow[f"q{quantifiers + 1}"] = flow["pool"] = _property("table_0", "卡牌池")
    return Edit(
        {_M: flow}, f"{quantifiers} quantifiers in each other in the match flow"
    )


def _properties(count: int) -> Edit:
    """A class player with so many properties."""
    properties = {f"p{number}": _NUMBER for number in range(count)}
    return Edit(
        {"classes/player": {"user_properties": properties}},
        f"{count:,} properties of the player",
    )


def _unused(nodes: int) -> Edit:
    scratch = {f"x{number}": _node(8, value=1) for number in range(nodes)}
    flow = {"1": _node(23, "end"), "end": _node(24, result=1), **scratch}
    return Edit({_E: flow}, f"{nodes} unused nodes in the end flow")


_READING: Final = {
    "R100": Example(Missing(), AS_IT_IS),
    "R101": _long(
        "{", (" " * _MEGABYTES + "{", "16 MiB of blanks before the text"), ("{", "")
    ),
    "R102": _swaps("Base", b"\xe9", "é"),
    "R103": Example(
        Swap("{", b"\xef\xbb\xbf{", "a byte order mark before the text"), AS_IT_IS
    ),
    "R104": _swaps(_COUNT, f"{_COUNT},", _COUNT),
    "R105": _swaps('"default": 0', '"default": NaN', '"default": 7'),
    "R106": _swaps(_COUNT, f'{_COUNT}, "playerCount": 3', f'{_COUNT}, "other": 3'),
    "R107": _long(
        _META,
        (
            f'{_META}, "x": {"[" * 199}{"]" * 199}',
            "199 lists in each other beside the name",
        ),
        (
            f'{_META}, "x": {"[" * 198}{"]" * 198}',
            "198 lists in each other beside the name",
        ),
    ),
    "R108": _long(
        _META,
        (f'{_META}, "x": {"9" * 4001}', "a number of 4,001 digits beside the name"),
        (f'{_META}, "x": {"9" * 4000}', "a number of 4,000 digits beside the name"),
    ),
    "R109": _swaps("Base", "\\ud83d", "\\ud83d\\ude00"),
    "R110": _long(
        _META,
        (
            f'{_META}, "x": [{"0," * 500_000}0]',
            "a list of 500,001 numbers beside the name",
        ),
        (
            f'{_META}, "x": [{"0," * 450_000}0]',
            "a list of 450,001 numbers beside the name",
        ),
    ),
}

_SHAPE: Final = {
    "R111": _edits({"classes/player": GONE}, {"classes/player": {}}),
    "R112": Example(Edit({"cardsets": {}}), AS_IT_IS),
    "R113": _values("cardsets/1/name", "", "One"),
    "R114": _values("cardsets/2/name", "Single", "Pair", **{"cardsets/2": _PAIR}),
    "R115": _edits({f"{_TABLE}/": _NUMBER}, {f"{_TABLE}/x": _NUMBER}),
    "R116": _values(f"{_TABLE}/round/type", "text", "int"),
    "R117": _values("cardsets/1/successors", "1", ["1"]),
    "R118": _values("/meta/playerCount", 0, 1),
    "R119": _edits({_E: {"2": _node(23)}}, {_E: {"1": _node(23, "2"), "2": _node(24, result=0)}}),
    "R120": _values(f"{_E}/1/type", 17, 23),
    "R121": _values(f"{_M}/play/content/next", "99", "end"),
    "R122": _values(f"{_M}/set/type", 3, 4),
    "R123": _values(f"{_M}/play/content/next", 5, "end"),
    "R124": _values(f"{_SET}/rvalue", 1.5, 1),
    "R125": _values(f"{_IS}/operator", 5, 4),
    "R126": _values(f"{_E}/end/content/result", "1", 1),
    "R127": _values(f"{_M}/set", _call(method=5), _call(), **{_METHOD: _QUIET}),
    "R128": _values(f"{_M}/deal/content/prop_pair", {}, []),
    "R129": _values(f"{_B}/is", _asks(""), _asks("2"), **{"cardsets/2": _PAIR}),
    "R130": _values(f"{_M}/set/type", "4", 4),
    "R131": Example(
        Edit({f"{_SET}/rvalue": "9" * 4001}, f"`{_SET}/rvalue` = 4,001 digits in quotes"),
        Edit({f"{_SET}/rvalue": "9" * 4000}, "4,000 digits in quotes"),
    ),
    "R132": Example(
        Edit({f"{_TABLE}/{'x' * 10_001}": _NUMBER}, "a property of the table with a name of 10,001 letters"),
        Edit({f"{_TABLE}/{'x' * 10_000}": _NUMBER}, "a name of 10,000 letters"),
    ),
    "R133": Example(_properties(1_001), _properties(1_000)),
    "R134": _edits({"classes/player": GONE, "classes/Player": {}}, {"classes/Player": {}}),
    "R135": _values(
        f"{_B}/is", {**_node(15, card_set="cards"), "card_rule": "2"}, _asks("2"), **{"cardsets/2": _PAIR}
    ),
    "R136": _values(_E, GONE, {"1": _node(23, "2"), "2": _node(24, result=0)}),
    "R137": _values(
        "classes/card/user_properties/rank/config", [{"value": "1"}, {"value": 2}], [{"value": 1}, {"value": 2}]
    ),
}  # fmt: skip

_MEANING: Final = {
    "R201": _values(f"{_B}/if/content/next_false", "", "no"),
    "R202": _values(f"{_SET}/next", "", "end"),
    "R203": _values(
        f"{_C}/no", _node(8, value=1), _node(30, result=1),
        **{_C: {"1": _node(29, "if"), "if": _branch("A", "yes", "no"), "yes": _node(30, result=0)}},
    ),
    "R204": _values(f"{_E}/end/type", 18, 24),
    "R205": _edits(
        {f"{_E}/1/content/next": "ask", f"{_E}/ask": _node(22, "end")},
        {f"{_M}/1/content/next": "ask", f"{_M}/ask": _node(22, "deal")},
    ),
    "R206": _values(f"{_SET}/component", "deal", "to"),
    "R207": _values(f"{_M}/to", _property("7", "round", 1), _property("table_0", "round", 1)),
    "R208": _values(f"{_TO}/property", "玩家池", "round"),
    "R209": _values(f"{_M}/set", _call(method="n"), _call(), **{_METHOD: _QUIET}),
    "R210": _values(f"{_B}/is", _asks("Pair"), _asks("2"), **{"cardsets/2": _PAIR}),
    "R211": _values(f"{_M}/set", _call(object="me"), _call(), **{_METHOD: _QUIET}),
    "R212": _values(f"{_TO}/ident", "nobody", "table_0"),
    "R213": _values(f"{_SET}/rvalue", "player_2", "player_1"),
    "R214": _values(f"{_IS}/rval", "is", "size"),
    "R215": _values(
        f"{_METHOD}/flow/c/content/method", "m", "n",
        **{_METHOD: {"flow": {"1": _node(25, "c"), "c": _node(1, object="玩家")}}, "classes/player/methods/n": _QUIET},
    ),
    "R216": _values(f"{_B}/is", _asks("1"), _asks("2"), **{"cardsets/2": _PAIR}),
    "R217": _values(f"{_B}/if/content/next_false", "if", "no"),
    "R218": _values(_METHOD, _MIXES, _QUIET, **_reads(_node(1, object="玩家", method="m"))),
    "R219": _values(
        _METHOD, _MIXES, _QUIET,
        **{f"{_B}/1/content/next": "do", f"{_B}/do": _node(1, "if", object="玩家", method="m")},
    ),
    "R220": _values(f"{_M}/deal/count", 2, 1),
    "R221": Example(_deck(10_001), _deck(10_000)),
    "R222": Example(_nested(40), _nested(39)),
    "R223": _values(f"{_M}/deal/content/prop_pair", [_filter("rnak", 1, 2)], [_filter("rank", 1, 2)]),
    "R224": _values(f"{_M}/deal/content/prop_pair", [_filter("rank", 3, 1)], [_filter("rank", 1, 3)]),
}  # fmt: skip

_SUSPICIOUS: Final = {
    "R301": _values(f"{_M}/x", {"type": 3}, _node(8, value=1)),
    "R302": _values(f"{_B}/if/content/condition", "", "is"),
    "R303": _values(f"{_IS}/rval", "", 0),
    "R304": _values(f"{_IS}/lval", "sise", "size"),
    "R305": _values(f"{_SET}/rvalue", "card_4", "card_3"),
    "R306": _values(f"{_M}/set", _call(method=""), _call(), **{_METHOD: _QUIET}),
    "R307": _values(
        f"{_M}/set", _call(parameter=["2"]), _call(parameter=[2]),
        **{_METHOD: {"parameters": {"p": {"type": "int"}}, **_QUIET}, f"{_M}/2": _node(8, value=7)},
    ),
    "R308": _values(f"{_IS}/rval", "1", " 1"),
    "R309": _edits(_reads(_property("play", "content")), _reads(_property("play", "content", 1))),
    "R310": _edits(_reads(_property("me", "手牌数")), _reads(_property("玩家", "手牌数"))),
    "R311": _edits(_reads(_property("1", "手牌数")), _reads(_property("player_1", "手牌数"))),
    "R312": _edits({f"{_M}/玩家": _node(8, value=1)}, {f"{_M}/x": _node(8, value=1)}),
    "R313": _values(
        f"{_B}/x", _node(4, "if", component="to", rvalue=1), _node(8, "if", value=1),
        **{f"{_B}/1/content/next": "x", f"{_B}/to": _property("table_0", "round")},
    ),
    "R314": _values(f"{_M}/b", _branch("to", "set", "end"), _branch("to", "play", "end"), **{f"{_SET}/next": "b"}),
    "R315": _values(f"{_M}/x", _node(17, "end"), _node(8, "end", value=1), **{f"{_SET}/next": "x"}),
    "R316": _values(f"{_TO}/property", "rounds", "round"),
    "R317": _edits({f"{_TABLE}/player_index": _NUMBER}, {f"{_TABLE}/turn": _NUMBER}),
    "R318": _edits(
        {"classes/table/default_properties/round": _NUMBER}, {"classes/table/default_properties/turn": _NUMBER}
    ),
    "R319": _edits({f"{_TABLE}/卡牌池": _NUMBER}, {"classes/player/user_properties/卡牌池": _NUMBER}),
    "R320": _values(f"{_TABLE}/round/config", [1], []),
    "R321": _values(
        "cardset_comparisons/2", _comparison("Pair", "Single"), _comparison("Single", "Pair"),
        **{"cardsets/2": _PAIR, "cardset_comparisons/1": _comparison("Pair", "Single")},
    ),
    "R322": _values("cardset_comparisons/1", _comparison("Single", "1"), _comparison("Single", "Single")),
    "R323": _values("cardsets/1/successors", ["2"], ["1"]),
    "R324": _values(_C, {"1": _node(29)}, {}),
    "R325": _values(_B, {"1": _node(27)}, _NEVER),
    "R326": _edits({_B: _ALWAYS, "cardsets/2": _PAIR}, {_B: _NEVER, "cardsets/2": _PAIR}),
    "R327": _values(f"{_TO}/property", "本轮应出牌者", "player_index"),
    "R328": _edits(_reads(_node(5, selection="play", index=0)), _reads(_node(7, selection="play"))),
    "R329": _values(f"{_SET}/rvalue", "deal", "play"),
    "R330": _edits(_reads(_node(8, value="1")), _reads(_node(8, value=1))),
    "R331": _values(f"{_IS}/operator", GONE, 0),
    "R332": _values(f"{_E}/end/content/result", GONE, 1),
    "R333": _values(
        f"{_M}/x/content/selection", "play", "deck",
        **{f"{_SET}/next": "x", f"{_M}/x": _node(2, "end"), f"{_M}/deck": _property("table_0", "卡牌池")},
    ),
    "R334": _values(
        f"{_TO}/property", "手牌数", "score",
        **{f"{_TO}/ident": "玩家", "classes/player/user_properties/score": _NUMBER},
    ),
    "R335": _values(f"{_M}/deal/count", 1.5, 1),
    "R336": _edits({f"{_IS}/rval": GONE, f"{_IS}/rvla": 1}, {f"{_IS}/rvla": 1}),
    "R337": _values(f"{_SET}/next", "play", "end"),
    "R338": _values(
        f"{_B}/is", {**_node(14, operator=0, lval="size"), "rval": 1}, _node(14, operator=0, lval="size", rval=1)
    ),
    "R339": _values(
        "classes/card/user_properties/rank/config",
        [{"value": "1"}, {"value": 2}, {"value": 3}], [{"value": 2}, {"value": 3}],
    ),
    "R340": _values(f"{_B}/is", _node(14), _node(14, operator=0, lval="size", rval=1)),
    "R341": _edits(_reads(_property("play", "", 2)), _reads(_property("play", "rank", 2))),
    "R342": _values(
        f"{_M}/set", _call(parameter=[]), _call(parameter=[2]), **{_METHOD: {"parameters": {"p": {"type": "int"}}, **_QUIET}}
    ),
    "R401": _edits({f"{_M}/x": _node(8, value=1)}, _reads(_node(8, value=1))),
    "R402": _edits({"/extensions": {}}, {"/other": {}}),
    "R403": Example(_unused(201), _unused(200)),
}  # fmt: skip

#: By code, in the order of the codes.
EXAMPLES: Final[Mapping[str, Example]] = {**_READING, **_SHAPE, **_MEANING, **_SUSPICIOUS}  # fmt: skip
