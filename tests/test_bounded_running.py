"""No rule keeps a server busy for ever, and no object of a caller gets an untyped error out of a match.

The first half compiles rules that would take ages: calls that double, products that double in length, quantifiers within
quantifiers, formulas that a naive writer would spell out twice at every level. Each compiles in time and stops with a
typed refusal, interpreted as well. The second half hands every public function objects that lie about themselves.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest

from dealwright.compiler import pipeline
from dealwright.compiler.interpreter import interpret
from dealwright.runtime import DealwrightError
from dealwright.runtime.leading import can_play
from dealwright.runtime.values import WIDEST, multiply
from tests.support import LONG, RULES, compiled, encoded, package_of
from tests.test_hostile_states import everything, new, package, states
from tests.test_large_rules import counting, judging, node, rule

Json: TypeAlias = Any
Flow: TypeAlias = dict[str, Json]

SECONDS = 60
"""What compiling or playing any of these may take on a busy machine; most need one or two."""


# --- rules that would take ages


def _ask(where: str, flow: Flow, value: str) -> Json:
    """A rule that reads a value on its way to the first wait, or whenever it judges cards."""
    if where == "match":
        flow["b0"] = node(4, component="n", rvalue=value, next="ask")
        return rule(match=flow)
    flow["judge"] = node(14, operator=1, lval=value, rval=3)
    flow["b0"] = node(16, condition="judge", next_true="yes", next_false="no")
    return rule(build=flow)


def _begin(where: str) -> tuple[Flow, str]:
    """The start of a flow and an integer that it can read."""
    return (counting(), "n") if where == "match" else (judging(), "rank")


def calls_that_double(where: str, depth: int = 40) -> Json:
    """Methods that each call the next one twice."""
    flow, _ = _begin(where)
    flow["call"] = node(1, object="table_0", method="m0", parameter=[1])
    document = _ask(where, flow, "call")
    methods: dict[str, Json] = {}
    for i in range(depth):
        body: Flow = {
            "1": node(25, next="end"),
            "end": node(26, **{"return": "sum"}),
            "sum": node(10, operator=0, lval="p", rval=1),
        }
        if i + 1 < depth:
            for part in (1, 2):
                body[f"c{part}"] = node(
                    1, object="table_0", method=f"m{i + 1}", parameter=[part]
                )
            body["sum"] = node(10, operator=0, lval="c1", rval="c2")
        methods[f"m{i}"] = {"parameters": {"p": "int"}, "flow": body}
    document["design"]["classes"]["table"]["methods"] = methods
    return document


def squares(where: str, depth: int = 60) -> Json:
    """Each value is the square of the one before."""
    flow, base = _begin(where)
    flow["v0"] = node(10, operator=0, lval=base, rval=7)
    for i in range(1, depth):
        flow[f"v{i}"] = node(10, operator=2, lval=f"v{i - 1}", rval=f"v{i - 1}")
    return _ask(where, flow, f"v{depth - 1}")


def quantifiers(where: str, depth: int = 8) -> Json:
    """Some card of the deck, for which some card of the deck, and so on."""
    flow, _ = _begin(where)
    flow["deck"] = node(6, operator=0, ident="table_0", property="卡牌池")
    flow["element"] = node(5, selection="cards", index=0)
    flow["its"] = node(6, operator=1, ident="element", property="rank")
    flow["q0"] = node(14, operator=1, lval="its", rval=100)
    for i in range(1, depth + 1):
        flow[f"q{i}"] = node(11, operator=0, set="deck", component=f"q{i - 1}")
    return _ask(where, flow, f"q{depth}")


def cardsets_that_double(where: str, depth: int = 40) -> Json:
    """Each cardset asks twice whether the cards are the one before."""
    document = rule()
    sets: dict[str, Json] = {}
    for i in range(depth):
        flow = judging()
        flow["b0"] = node(16, condition="is", next_true="yes", next_false="no")
        flow["is"] = node(14, operator=1, lval="rank", rval=30)
        if i:
            flow["is"] = node(12, operator=1, lval="x", rval="y")
            flow["x"] = node(15, card_set="cards", card_rule=str(i - 1))
            flow["y"] = node(15, card_set="other", card_rule=str(i - 1))
            order = [{"name": "rank", "order": i % 2}]
            flow["other"] = node(2, selection="cards", properties=order)
        sets[str(i)] = {"name": f"c{i}", "build_flow": flow}
    document["design"]["cardsets"] = dict(reversed(sets.items()))
    return document


STOPPED: tuple[tuple[Callable[[str], Json], str, str], ...] = (
    (calls_that_double, "match", "endless_flow"),
    (calls_that_double, "build", "endless_flow"),
    (squares, "match", "rule_error"),
    (squares, "build", "rule_error"),
    (quantifiers, "match", "endless_flow"),
    (quantifiers, "build", "endless_flow"),
    (cardsets_that_double, "build", "endless_flow"),
)


@pytest.mark.parametrize(("make", "where", "code"), STOPPED)
def test_what_would_take_ages_is_stopped(
    make: Callable[[str], Json], where: str, code: str
) -> None:
    """Typed, with the node, in time, the match as it was; by the interpreter too."""
    document = make(where)
    begun = time.process_time()
    made = compiled(document)
    if where == "match":
        with pytest.raises(DealwrightError) as caught:
            made.new_match(["a", "b"], seed=1)
    else:
        match = made.new_match(["a", "b"], seed=1)
        before = everything(match)
        with pytest.raises(DealwrightError) as caught:
            match.play("a", match.hands[0][:1])
        assert everything(match) == before
        with pytest.raises(DealwrightError, match=r"."):
            made.recognize(match.hands[0][:1], match)
    assert (caught.value.code, caught.value.node is not None) == (code, True)
    assert time.process_time() - begun < SECONDS
    if where == "build" and not LONG:
        return  # the interpreter judges cards by the same formulas
    with pytest.raises(interpret.Refused) as refused:
        one = interpret.Match(interpret.Rule(document), 2, seed=1)
        one.play(0, one.state()["hands"][0][:1])
    assert refused.value.code == code


@pytest.mark.parametrize("make", [calls_that_double, quantifiers])
def test_little_of_the_same_is_not_counted(make: Callable[..., Json]) -> None:
    """Rules of ordinary depth compile to what they always were: no ticks, and no game where none is read."""
    document = make("build", 2)
    built = pipeline.build(encoded(document), "rules/x.json")
    text = "".join(built.files.values())
    assert "tick" not in text and "counted" not in text
    made = compiled(document)
    match = made.new_match(["a", "b"], seed=1)
    mine = made.recognize(match.hands[0][:1], match)
    yours = interpret.recognize(interpret.Rule(document), [match.hands[0][0].id])
    assert (mine is None) == (yours is None)


def test_the_search_for_a_duty_to_play_gives_up() -> None:
    """A leader may skip once judging his hand has taken long enough."""
    tried: list[int] = []

    def never(cards: list[Any]) -> bool:
        tried.append(len(cards))
        return False

    hand: list[Any] = list(range(30))
    assert not can_play(hand, None, never, ticks=lambda: 10_000)
    assert len(tried) == 101
    tried.clear()
    assert not can_play(hand, None, never, effort=1_000)
    assert len(tried) == 200


def test_products() -> None:
    """As large as allowed, one bit more, and of either sign; small ones are spelt with Python's own operator."""
    half = 1 << (WIDEST // 2 - 1)
    assert multiply(half, -half) == -half * half
    for left, right in ((half * 2, half), (-half * 2, half), (1 << WIDEST, 1)):
        with pytest.raises(Exception, match="too large"):
            multiply(left, right)
    built = pipeline.build(encoded(squares("match", 4)), "rules/x.json")
    assert "multiply" not in built.files["match.py"]
    built = pipeline.build(encoded(squares("match", 6)), "rules/x.json")
    assert "multiply" in built.files["match.py"]


# --- formulas that must not be spelt out twice at every level


def looping_method() -> Json:
    """A method with a loop, which is not called before it has to be."""
    flow: Flow = {
        "1": node(25, next="ask"),
        "ask": node(16, condition="is", next_true="end", next_false="again"),
        "is": node(14, operator=1, lval="n", rval=-1),
        "n": node(6, operator=0, ident="table_0", property="n"),
        "again": node(4, component="n", rvalue=5, next="ask"),
        "end": node(26, **{"return": "n"}),
    }
    return {"parameters": {}, "flow": flow}


def doubled(kind: str, depth: int = 40) -> Json:
    """A chain of values, each the one before twice, on top of something that is hard to give a name."""
    flow = counting()
    flow["deck"] = node(6, operator=0, ident="table_0", property="卡牌池")
    flow["all"] = node(6, operator=0, ident="table_0", property="玩家池")
    flow["element"] = node(5, selection="cards", index=0)
    flow["its"] = node(6, operator=1, ident="element", property="rank")
    flow["v0"] = node(14, operator=2, lval="its", rval=99)
    if kind == "quantifier in a quantifier":
        flow["inner"] = node(11, operator=0, set="deck", component="v0")
        flow["v0"] = node(11, operator=0, set="all", component="inner")
        flow["inner"]["content"]["component"] = "small"
        flow["small"] = node(14, operator=2, lval="its", rval=99)
    for i in range(1, depth):
        flow[f"v{i}"] = node(12, operator=i % 2, lval=f"v{i - 1}", rval=f"v{i - 1}")
    last = f"v{depth - 1}"
    if kind == "in a quantifier":
        flow["whole"] = node(11, operator=0, set="deck", component=last)
        last = "whole"
    flow["b0"] = node(16, condition=last, next_true="ask", next_false="over")
    return rule(match=flow)


@pytest.mark.parametrize("kind", ["in a quantifier", "quantifier in a quantifier"])
def test_shared_formulas_compile_once(kind: str) -> None:
    document = doubled(kind)
    begun = time.process_time()
    built = pipeline.build(encoded(document), "rules/x.json")
    assert time.process_time() - begun < SECONDS
    assert sum(map(len, built.files.values())) < 20_000
    match = compiled(document).new_match(["a", "b"], seed=1)
    one = interpret.Match(interpret.Rule(document), 2, seed=1)
    assert (match.pending is None) == (one.pending is None)


def test_a_method_that_may_loop_is_shared_where_it_is_doubled() -> None:
    flow = counting()
    flow["v0"] = node(1, object="table_0", method="wait", parameter=[])
    for i in range(1, 40):
        flow[f"v{i}"] = node(10, operator=0, lval=f"v{i - 1}", rval=f"v{i - 1}")
    flow["b0"] = node(16, condition="v39", next_true="ask", next_false="over")
    document = rule(match=flow)
    method = looping_method()
    del method["flow"]["again"]
    method["flow"]["ask"]["content"]["next_false"] = "again"
    method["flow"]["again"] = node(1, object="table_0", method="idle", next="ask")
    idle = {"1": node(25, next="end"), "end": node(26, **{"return": "1"})}
    methods = {"wait": method, "idle": {"parameters": {}, "flow": idle}}
    document["design"]["classes"]["table"]["methods"] = methods
    built = pipeline.build(encoded(document), "rules/x.json")
    assert sum(map(len, built.files.values())) < 20_000
    match = compiled(document).new_match(["a", "b"], seed=1)
    one = interpret.Match(interpret.Rule(document), 2, seed=1)
    assert (match.pending is None) == (one.pending is None)


# --- objects that lie


class Text(str):
    """A string of another class."""


class Liar:
    """An object of which everything raises."""

    def _raise(self, *_: object) -> Any:
        raise ZeroDivisionError("not you")

    __eq__ = __iter__ = __len__ = __repr__ = __bool__ = __index__ = _raise
    __hash__ = _raise


class LyingInteger(int):
    """An integer of which everything raises."""

    __eq__ = __lt__ = __index__ = __repr__ = bit_length = Liar._raise
    __hash__ = Liar._raise


class LyingText(str):
    """A string of which everything raises."""

    __eq__ = __repr__ = startswith = encode = Liar._raise  # type: ignore[assignment]
    __hash__ = Liar._raise


class LyingList(list[Any]):
    """A list of which everything raises."""

    __iter__ = __len__ = __getitem__ = Liar._raise


class LyingObject(dict[str, Any]):
    """A dictionary of which everything raises."""

    __iter__ = __getitem__ = keys = items = Liar._raise


def failing() -> Iterator[int]:
    """An iterator that gives one card and raises."""
    yield 1
    raise ZeroDivisionError


def endless() -> Iterator[int]:
    """An iterator that never ends."""
    while True:
        yield 1


LIARS: tuple[Callable[[], Any], ...] = (
    lambda: Text("p0"), lambda: Liar(), lambda: LyingInteger(1), lambda: LyingText("p0"), lambda: LyingList([1]),
    lambda: LyingObject(rule=1), failing, endless, lambda: object(), lambda: type, lambda: len, lambda: 1j,
    lambda: b"x", lambda: memoryview(b"x"), lambda: [Liar()], lambda: [LyingInteger(1)], lambda: [LyingText("card_1")],
    lambda: [[Liar()]], lambda: "\ud800", lambda: ["\ud800", "b"], lambda: None, lambda: 10**5000,
)  # fmt: skip


def _refused(function: Callable[..., object], *given: Any, **named: Any) -> None:
    """Nothing but a typed error whose sentence can be written down, or what was asked for."""
    try:
        function(*given, **named)
    except DealwrightError as error:
        str(error).encode()
        assert error.code.isidentifier()


@pytest.mark.parametrize("number", range(len(LIARS)))
def test_liars(number: int) -> None:
    """Every public function, with each of these for each argument and in each place of what it reads."""
    make = LIARS[number]
    for name in ("tiny", "twenty_one", "big_two"):
        made = package(name)
        match = new(name)
        me, before = match.ids[match.pending.seat], everything(match)  # type: ignore[union-attr]
        for submit in (match.play, match.choose):
            for who, what in ((me, make()), (make(), [99])):
                _refused(submit, who, what)
        for ask in (match.skip, match.take_events, match.view):
            if not (make() is None and ask == match.take_events):
                _refused(ask, make())
        _refused(match.abort, make())
        for judge in (made.recognize, made.PACKAGE.recognize):
            _refused(judge, make(), match)
        _refused(made.beats, make(), make(), match)
        assert everything(match) == before
        _refused(made.new_match, make(), seed=1)
        _refused(made.new_match, [make(), 1, 2, 3], seed=1)
        _refused(made.new_match, list(match.ids), seed=make())
        for actions in (make(), [make()], [[0, "play", make()]], [[0, make()]]):
            _refused(made.replay, list(match.ids), 1, actions)
        _places(name, make)


def _places(name: str, make: Callable[[], Any]) -> None:
    """In every place of a saved state, two levels deep, and of a position."""
    made, state = package(name), states(name)[1]
    _refused(made.match_from_json, make())
    for key, value in state.items():
        _refused(made.match_from_json, {**state, key: make()})
        if isinstance(value, dict):
            for inner in value:
                changed = {**value, inner: make()}
                _refused(made.match_from_json, {**state, key: changed})
        elif isinstance(value, list) and value:
            changed_list = [make(), *value[1:]]
            _refused(made.match_from_json, {**state, key: changed_list})
    numbers = [card.id for card in made.PACKAGE.cards]
    good: dict[str, Json] = {
        "hands": [[one] for one in numbers[:4]],
        "deck": numbers[4:],
        "wait": next(iter(made.PACKAGE.resume)),
        "table": {},
        "players": [{}] * 4,
        "ids": [0, 1, 2, 3],
        "seed": 1,
        "cards": {},
    }
    for key in good:
        _refused(made.arrange, **{**good, key: make()})
    _refused(made.arrange, **{**good, "hands": [make(), *good["hands"][1:]]})


def test_half_a_surrogate_pair_is_no_text() -> None:
    """It could be kept, but no state with it could be sent anywhere."""
    made = package("twenty_one")
    for ids in (["\ud800"], ["a\udfff"]):
        with pytest.raises(DealwrightError) as caught:
            made.new_match(ids)
        assert caught.value.code == "bad_players"
    match = made.new_match(["a"], seed=1)
    with pytest.raises(DealwrightError) as caught:
        match.abort("\ud800")
    assert caught.value.code == "bad_reason"
    assert match.aborted is None
    match.abort("😀")
    state = match.to_json()
    json.dumps(state, ensure_ascii=False).encode()
    with pytest.raises(DealwrightError) as caught:
        made.match_from_json({**state, "aborted": "\ud800"})
    assert caught.value.code == "bad_state"


def test_the_engine_keeps_the_sizes_of_hands() -> None:
    """A state or a position in which one is wrong is refused, unless the rule assigns them itself."""
    made = package("tiny")
    state = states("tiny")[0]
    state["players"][0]["手牌数"] += 1
    with pytest.raises(DealwrightError) as caught:
        made.match_from_json(state)
    assert caught.value.code == "bad_state"
    document = json.loads((RULES / "tiny.json").read_text("utf-8"))
    flow = document["design"]["match_flow"]
    flow["set"] = node(4, component="size", rvalue=9, next="ask")
    flow["size"] = node(6, operator=0, ident="player_0", property="手牌数")
    flow["deal"]["content"]["next"] = "set"
    made = compiled(document)
    match = made.new_match(["a", "b"], seed=1)
    assert match.players[0].手牌数 == 9
    assert made.match_from_json(match.to_json()).players[0].手牌数 == 9


def test_questions_are_checked() -> None:
    """`recognize` and `beats` take cards and plays of their own package."""
    made = package_of(RULES / "war.json")
    cards = list(made.PACKAGE.cards)
    play = made.recognize(cards[:1])
    assert play is not None and made.beats(play, play) in (True, False)
    other = package_of(RULES / "tiny.json").PACKAGE.cards
    assert made.recognize(cards + cards[:1]) is None
    hands: list[Any] = [None, 1, "x", [1], [None], other[:1], {}]
    for hand in hands:
        with pytest.raises(DealwrightError) as caught:
            made.recognize(hand)
        assert caught.value.code == "bad_cards"
    for wrong in (None, 1, cards, object()):
        with pytest.raises(DealwrightError) as caught:
            made.beats(play, wrong)
        assert caught.value.code == "bad_play"
