"""What is said of each flow at compile time: each fact on a flow that is small enough to be judged by hand.

The flows are the small rule's, with a few nodes replaced. That the facts are true of the interpreter as well is tried on
random rules: cards in another order, where the order does not matter.
"""

from __future__ import annotations

import json
import random
import re
from itertools import combinations, permutations
from pathlib import Path

import pytest

from dealwright.compiler import pipeline
from dealwright.compiler.front import read_rule, require_rule
from dealwright.compiler.interpreter import interpret
from dealwright.compiler.passes.facts import (
    FactFinder,
    Facts,
    FlowFacts,
    FlowName,
    flow_names,
)
from dealwright.compiler.passes.reads import has_loop
from dealwright.compiler.report.fact_words import held_name, lengths_text
from dealwright.compiler.representation import ir
from tests.front.small import Json, branch, edited, node, text_of
from tests.support import LONG, shipped_rules

BUILD = FlowName("build", "1")
CONDITIONS = 400 if LONG else 24


def analysed(edits: Json) -> Facts:
    """The small rule with some edits, with what the passes know of it."""
    rule, reporter = read_rule(text_of(edited(edits)).encode(), "small.json")
    assert rule is not None, [one.code for one in reporter.diagnostics()]
    return pipeline.analyse(rule)


def facts_of(edits: Json, flow: FlowName = BUILD) -> FlowFacts:
    """The facts of one flow of the small rule with some edits."""
    return FactFinder(analysed(edits)).of(flow)


def build_with(nodes: Json, cardset: int = 1) -> Json:
    """Edits that replace the condition behind the length of a cardset's build flow: `nodes` define `test`."""
    path = f"cardsets/{cardset}/build_flow"
    found = {f"{path}/{id}": one for id, one in nodes.items()}
    found[f"{path}/if/content/next_true"] = "look"
    found[f"{path}/look"] = branch("test", "yes", "no")
    return found


def element(selection: str, index: int) -> Json:
    return node(5, selection=selection, index=index)


def points(ident: str) -> Json:
    return node(6, operator=1, ident=ident, property="点数")


def by(*names: str) -> Json:
    """A sort of the cards being judged."""
    keys = [{"name": name, "order": 1} for name in names]
    return node(2, selection="cards", properties=keys)


def two_elements(selection: str, first: int, second: int) -> Json:
    """`selection[first].点数 > selection[second].点数`."""
    return {
        "one": element(selection, first),
        "two": element(selection, second),
        "one_points": points("one"),
        "two_points": points("two"),
        "test": node(14, operator=1, lval="one_points", rval="two_points"),
    }


def shown_elements(facts: FlowFacts) -> set[tuple[str, int, bool, str | None]]:
    """Elements by name and index: whether proved, and behind what."""
    found = set()
    for one in facts.elements:
        assert isinstance(one.index, ir.Integer)
        name = held_name(one.selection)
        found.add((name, one.index.value, one.is_proved, one.behind))
    return found


# lengths


@pytest.mark.parametrize(
    ("operator", "number", "expected"),
    [
        (0, 2, "2"),
        (1, 2, "3 or more"),
        (2, 3, "0..2"),
        (3, 0, "0 or more"),
        (4, 0, "0"),
    ],
)
def test_accepted_lengths(operator: int, number: int, expected: str) -> None:
    """Operators 0 = 1 > 2 < 3 >= 4 <= of the length and a number."""
    path = "cardsets/1/build_flow/is/content"
    bounds = facts_of({f"{path}/operator": operator, f"{path}/rval": number}).bounds
    assert lengths_text(bounds, "en") == expected


def test_a_cardset_has_the_lengths_of_those_that_it_must_be() -> None:
    """The second cardset asks for the first one, and not for a length; what it asks for otherwise says nothing."""
    asks = {"test": node(15, card_set="cards", card_rule="1")}
    flow = "cardsets/2/build_flow"
    edits = build_with(asks, cardset=2) | {f"{flow}/1/content/next": "look"}
    second = FlowName("build", "2")
    assert lengths_text(facts_of(edits, second).bounds, "en") == "1"
    assert lengths_text(facts_of(edits | {_LENGTH: 3}, second).bounds, "en") == "3"
    refused = {
        f"{flow}/look/content/next_true": "no",
        f"{flow}/look/content/next_false": "yes",
    }
    assert lengths_text(facts_of(edits | refused, second).bounds, "en") == "0 or more"
    edits[f"{flow}/test/content/card_set"] = "card_1"
    assert lengths_text(facts_of(edits, second).bounds, "en") == "0 or more"


def test_a_flow_that_accepts_nothing_says_so() -> None:
    facts = facts_of({"cardsets/1/build_flow/yes/content/result": 0})
    assert lengths_text(facts.bounds, "en") == "none: it accepts nothing"


def test_constants_at_the_limit_do_not_make_one_length_of_many() -> None:
    """`size > 1001` behind a comparison with 1000: the last bit of the mask alone would look like one length."""
    path = "cardsets/1/build_flow"
    more = {
        f"{path}/is/content/operator": 3,
        f"{path}/is/content/rval": 1000,
        f"{path}/test": node(14, operator=1, lval="size", rval=1001),
        f"{path}/if/content/next_true": "look",
        f"{path}/look": branch("test", "yes", "no"),
    }
    facts = facts_of(more)
    assert facts.bounds is not None
    assert facts.bounds.accepted_lengths() is None
    assert lengths_text(facts.bounds, "en") == "1000 or more"


def test_plays_of_a_comparison_have_the_lengths_of_their_cardsets() -> None:
    facts = facts_of({}, FlowName("comparison", "1"))
    assert facts.plays is not None
    assert [lengths_text(one, "en") for one in facts.plays] == ["2", "1"]
    assert facts.bounds is None


# elements


def test_elements_are_proved_by_the_length() -> None:
    """Whoever asks for a cardset of two cards has two, and no node is needed to prove them."""
    facts = facts_of(build_with(two_elements("cards", 0, 1)) | {_LENGTH: 2})
    assert facts.settled == ("if",)
    assert shown_elements(facts) == {
        ("cards", 0, True, None),
        ("cards", 1, True, None),
    }


def test_elements_are_proved_by_the_node_that_tells_lengths_apart() -> None:
    """Two cards or four are accepted: that there are more than two is for the flow to say."""
    nodes = two_elements("cards", 0, 3) | {"more": branch("is", "yes", "look")}
    edits = build_with(nodes) | {_LENGTH: 2} | four_too("more")
    edits[f"{_FLOW}/1/content/next"] = "more"
    edits[f"{_FLOW}/four"]["content"]["next_true"] = "look"
    facts = facts_of(edits)
    assert facts.settled == ("four",)
    assert shown_elements(facts) == {
        ("cards", 0, True, None),
        ("cards", 3, True, "more"),
    }


def test_an_element_past_the_proved_length_keeps_its_guard() -> None:
    facts = facts_of(build_with(two_elements("cards", 0, 1)))
    assert shown_elements(facts) == {
        ("cards", 0, True, None),
        ("cards", 1, False, None),
    }


def test_an_element_is_proved_within_its_own_condition() -> None:
    """`size = 2 and cards[0] > cards[1]`: the right side knows what the left one has established."""
    nodes = two_elements("cards", 0, 1)
    nodes["greater"] = nodes.pop("test")
    nodes["pair"] = node(14, operator=0, lval="size", rval=2)
    nodes["test"] = node(12, operator=0, lval="pair", rval="greater")
    edits = build_with(nodes) | {f"{_FLOW}/1/content/next": "look"} | one_too("look")
    assert shown_elements(facts_of(edits)) == {
        ("cards", 0, True, None),
        ("cards", 1, True, "look"),
    }


def test_sorted_values_are_elements_too() -> None:
    nodes = {"sorted": by("点数"), **two_elements("sorted", 0, 1)}
    facts = facts_of(build_with(nodes) | {_LENGTH: 2})
    assert shown_elements(facts) == {
        ("sorted_点数", 0, True, None),
        ("sorted_点数", 1, True, None),
    }


def test_first_cards_of_plays_need_no_node_to_prove_them() -> None:
    facts = facts_of({}, FlowName("compare", "1"))
    assert shown_elements(facts) == {
        ("a.cards", 0, True, None),
        ("b.cards", 0, True, None),
    }


# what methods are given


SECOND = FlowName("method", "table", "second")


def method(index: int, selection: str = "held", then: str = "") -> Json:
    """A method of the table that returns 点数 of a card of `held`, or what another method says of that."""
    flow = {
        "1": node(25, "end"),
        "card": element(selection, index),
        "value": points("card"),
        "other": node(1, object="table_0", method=then, parameter=["held"]),
        "end": node(26, **{"return": "other" if then else "value"}),
    }
    if not then:
        del flow["other"]
    parameters = {"held": {"type": "int"}}
    return {"parameters": parameters, "returns": "int", "flow": flow}


def asking(flow: str, asked: str, passed: str) -> Json:
    """Edits with which a compare flow goes by what a method says of a play."""
    return {
        f"{flow}/gt/content/lval": "said",
        f"{flow}/said": node(1, object="table_0", method=asked, parameter=[passed]),
    }


ONE = "cardsets/1/compare_flow"
"""Compares single cards."""
MORE = "cardset_comparisons/1/compare_flow"
"""Compares two cards, A, with one, B."""


@pytest.mark.parametrize(
    ("calls", "index", "is_proved"),
    [
        ([(ONE, "A")], 0, True),
        ([(ONE, "A")], 1, False),
        ([(MORE, "A")], 1, True),
        ([(MORE, "B")], 1, False),
        ([(MORE, "A"), (ONE, "A")], 0, True),
        ([(MORE, "A"), (ONE, "A")], 1, False),
    ],
)
def test_a_method_knows_what_everybody_passes(
    calls: list[tuple[str, str]], index: int, is_proved: bool
) -> None:
    edits = {"classes/table/methods/second": method(index)}
    for flow, passed in calls:
        edits |= asking(flow, "second", passed)
    facts = facts_of(edits, SECOND)
    assert shown_elements(facts) == {("held.cards", index, is_proved, None)}


def test_a_method_knows_what_is_passed_on() -> None:
    edits = asking(MORE, "first", "A") | {
        "classes/table/methods/first": method(0, then="second"),
        "classes/table/methods/second": method(1),
    }
    assert shown_elements(facts_of(edits, SECOND)) == {("held.cards", 1, True, None)}
    # somebody else passes one card only
    edits |= asking(ONE, "second", "A")
    assert shown_elements(facts_of(edits, SECOND)) == {("held.cards", 1, False, None)}


def test_a_method_knows_how_many_cards_are_judged() -> None:
    calls = {"test": node(1, object="table_0", method="second", parameter=[0])}
    edits = build_with(calls) | {_LENGTH: 2}
    edits["classes/table/methods/second"] = method(1, "cards")
    assert shown_elements(facts_of(edits, SECOND)) == {("cards", 1, True, None)}
    assert shown_elements(facts_of(edits | {_LENGTH: 1}, SECOND)) == {
        ("cards", 1, False, None)
    }


def test_a_method_knows_nothing_of_what_was_played() -> None:
    """A player may skip; then the latest play has no cards."""
    edits = {
        "classes/table/methods/second": method(0),
        "match_flow/set/content/rvalue": "said",
        "match_flow/said": node(
            1, object="table_0", method="second", parameter=["play"]
        ),
    }
    assert shown_elements(facts_of(edits, SECOND)) == {("held", 0, False, None)}


_FLOW = "cardsets/1/build_flow"
_LENGTH = f"{_FLOW}/is/content/rval"


def four_too(behind: str) -> Json:
    """Edits with which the build flow takes four cards besides, where a node says no."""
    return _too(behind, "four", 4)


def one_too(behind: str) -> Json:
    """Edits with which the build flow takes one card besides, where a node says no."""
    return _too(behind, "one_card", 1)


def _too(behind: str, called: str, number: int) -> Json:
    return {
        f"{_FLOW}/{behind}/content/next_false": called,
        f"{_FLOW}/{called}": branch(f"is_{called}", "yes", "no"),
        f"{_FLOW}/is_{called}": node(14, operator=0, lval="size", rval=number),
    }


# what is read and changed


def items(facts: FlowFacts) -> dict[tuple[str, str], tuple[bool, tuple[object, ...]]]:
    return {one.item: (one.is_own, one.through) for one in facts.reads}


def test_properties_read_by_the_flow_itself() -> None:
    facts = facts_of(build_with(two_elements("cards", 0, 0)))
    assert items(facts) == {("card", "点数"): (True, ())}
    assert not facts.reads_state


def test_properties_that_cards_are_only_sorted_by_are_read() -> None:
    nodes = {"sorted": by("花色", "点数"), **two_elements("sorted", 0, 1)}
    assert ("card", "花色") in items(facts_of(build_with(nodes)))


def test_properties_read_through_cardsets_and_methods() -> None:
    asks = {"test": node(15, card_set="cards", card_rule="1")}
    edits = build_with(two_elements("cards", 0, 0)) | build_with(asks, cardset=2)
    nowhere = facts_of(edits, FlowName("build", "2"))
    # two cards are never a cardset of one card, so that is not asked
    assert nowhere.bounds is not None and nowhere.bounds.accepted == 0
    facts = facts_of(edits | {_LENGTH: 2}, FlowName("build", "2"))
    assert items(facts) == {("card", "点数"): (False, (("build", "1"),))}
    match = facts_of({}, FlowName("match"))
    read = items(match)
    assert read["player", "分"] == (False, (("player", "add"),))
    assert read["table", "轮"] == (True, ())
    assert match.reads_state


def test_what_is_changed() -> None:
    changes = {one.item: one.is_own for one in facts_of({}, FlowName("match")).changes}
    assert changes == {
        ("deck", ""): True,
        ("hands", ""): True,
        ("player", "分"): False,
        ("table", "轮"): True,
    }
    assert facts_of({}).changes == ()


# the order of the cards


def order_of(edits: Json, flow: FlowName = BUILD) -> list[tuple[object, ...]]:
    return [
        (one.source, one.keys, one.reads, one.through)
        for one in facts_of(edits, flow).order
    ]


def test_the_order_matters_where_unsorted_elements_are_read() -> None:
    edits = build_with(two_elements("cards", 0, 1)) | {_LENGTH: 2}
    assert order_of(edits) == [(("judged", ""), (), ("点数",), None)]


def test_one_card_has_no_order() -> None:
    assert order_of(build_with(two_elements("cards", 0, 0))) == []


def test_what_cards_are_sorted_by_may_be_read() -> None:
    nodes = {"sorted": by("点数"), **two_elements("sorted", 0, 1)}
    assert order_of(build_with(nodes) | {_LENGTH: 2}) == []


def test_ties_matter_where_another_property_is_read() -> None:
    """Two cards of one suit stand as they were dealt, so the points at a place depend on that."""
    nodes = {"sorted": by("花色"), **two_elements("sorted", 0, 1)}
    assert order_of(build_with(nodes) | {_LENGTH: 2}) == [
        (("judged", ""), ("花色",), ("点数",), None)
    ]


def test_there_are_no_ties_where_the_sort_tells_all_cards_apart() -> None:
    """The deck has each suit and points once."""
    nodes = {
        "sorted": by("花色", "点数"),
        "one": element("sorted", 0),
        "one_id": node(6, operator=1, ident="one", property="id"),
        "test": node(14, operator=1, lval="one_id", rval=3),
    }
    assert order_of(build_with(nodes) | {_LENGTH: 2}) == []
    nodes["sorted"] = by("点数")
    assert order_of(build_with(nodes) | {_LENGTH: 2}) == [
        (("judged", ""), ("点数",), ("id",), None)
    ]


def test_the_order_matters_through_another_cardset() -> None:
    path = "cardsets/1/build_flow/is/content/rval"
    asks = {"test": node(15, card_set="cards", card_rule="1")}
    edits = build_with(two_elements("cards", 0, 1)) | {path: 2}
    found = order_of(edits | build_with(asks, cardset=2), FlowName("build", "2"))
    assert found == [(("judged", ""), (), ("点数",), ("build", "1"))]


def test_a_sort_before_another_cardset_is_asked_takes_its_order_away() -> None:
    path = "cardsets/1/build_flow/is/content/rval"
    asks = {
        "sorted": by("点数"),
        "test": node(15, card_set="sorted", card_rule="1"),
    }
    edits = build_with(two_elements("cards", 0, 1)) | {path: 2}
    assert order_of(edits | build_with(asks, cardset=2), FlowName("build", "2")) == []


def test_a_quantifier_takes_the_cards_in_any_order() -> None:
    """Within it, `cards` are the one card that it looks at."""
    nodes = {
        "first": element("cards", 0),
        "points": points("first"),
        "held": node(14, operator=1, lval="points", rval=1),
        "test": node(11, operator=0, set="cards", component="held"),
    }
    edits = build_with(nodes) | {_LENGTH: 2}
    assert order_of(edits) == []
    assert items(facts_of(edits)) == {("card", "点数"): (True, ())}
    outside = {**nodes, "test": node(14, operator=1, lval="points", rval=1)}
    assert order_of(build_with(outside) | {_LENGTH: 2}) != []


def test_the_order_matters_through_a_method_that_looks_at_the_cards_being_judged() -> (
    None
):
    looking = {
        "parameters": {},
        "returns": "int",
        "flow": {
            "1": node(25, "end"),
            "first": element("cards", 0),
            "points": points("first"),
            "end": node(26, **{"return": "points"}),
        },
    }
    asks = {"test": node(1, object="table_0", method="look", parameter=[])}
    edits = build_with(asks) | {"classes/table/methods": {"look": looking}}
    # one card has no order, whoever looks at it
    assert order_of(edits) == []
    assert order_of(edits | {_LENGTH: 2}) == [
        (("judged", ""), (), ("点数",), ("table", "look"))
    ]


# work, and what is handed over


def test_loops_are_counted() -> None:
    again = {"match_flow/call/content/next": "set"}
    assert facts_of(again, FlowName("match")).has_loop
    assert not facts_of({}, FlowName("match")).has_loop
    # a wait ends the round
    waiting = {"match_flow/call/content/next": "play"}
    assert not facts_of(waiting, FlowName("match")).has_loop


def test_handed_over_is_what_the_emitter_takes() -> None:
    found = pipeline.analyse(require_rule(Path("rules/big_two.json")))
    package, _, _ = pipeline.generate(found, "rules/big_two.json")
    finder = FactFinder(found)
    for flow in flow_names(found.program):
        if flow.kind == "build":
            facts = finder.of(flow)
            assert facts.handed is found.given[flow.owner]
            taken = [one for one in facts.handed if one not in facts.sure]
            assert list(package.given(flow.owner)) == taken


def _sure(edits: Json) -> dict[str, list[str]]:
    """For each cardset of Big Two, with some edits, what is found to be so before it is asked."""
    rule = json.loads(Path("rules/big_two.json").read_text("utf-8"))
    for path, value in edits.items():
        *parents, last = path.split("/")
        inner = rule["design"]["cardsets"]
        for step in parents:
            inner = inner[step]
        inner[last] = value
    read, _ = read_rule(json.dumps(rule).encode(), "big_two.json")
    assert read is not None
    found = pipeline.analyse(read)
    return {
        id: [held_name(one) for one in values]
        for id, values in found.sure.items()
        if values
    }


def test_what_must_be_so_is_found_out_before_a_cardset_is_asked() -> None:
    may = ["may_be_played"]
    # a straight flush is a flush and a straight, and so may be played as well
    five = {"4": ["is(7)", "is(8)"], "5": may, "6": may, "7": may, "8": may}
    assert _sure({}) == five


def test_what_must_be_so_for_one_cardset_is_its_own_affair() -> None:
    """Full houses may be played at any time: nothing changes for the others."""
    anytime = {"6/build_flow/right_size/content/next_true": "right_cards"}
    may = {id: ["may_be_played"] for id in "578"}
    assert _sure(anytime) == {**may, "4": ["is(7)", "is(8)"]}


# the facts drive the output


def test_the_emitter_asks_the_very_same_objects() -> None:
    found = analysed({})
    package, _, _ = pipeline.generate(found, "rules/small.json")
    assert package.facts is found
    assert (package.reads, package.costs) == (found.reads, found.costs)
    assert package.program is found.program


@pytest.mark.parametrize("path", shipped_rules(), ids=lambda path: path.stem)
def test_code_has_guards_just_where_facts_say_so(path: Path) -> None:
    from dealwright.compiler.report.explained import explained

    found = pipeline.analyse(require_rule(path))
    for flow in explained(*pipeline.generate(found, "rules/x.json")).flows:
        guarded = [one for one in flow.facts.elements if not one.is_proved]
        # `at` or a default, the length asked before
        has_guard = re.search(
            r"\bat\(|default=|\[\d+\](\.\w+)? if |\blen\([\w.]+\) (> \d+ and|<= \d+ or|== 0 or) ",
            flow.code,
        )
        # a loop for the highest card begins with zeros, whether there must be a card or not
        has_loop = re.search(r"= highest_\w+ = 0", flow.code)
        assert bool(has_guard) <= bool(guarded), flow.title.en
        assert bool(guarded) <= bool(has_guard or has_loop), flow.title.en


def test_where_the_order_does_not_matter_every_order_gives_the_same_answer() -> None:
    """Random conditions on places, on the interpreter, which shares nothing with what the facts are made of."""
    choose = random.Random(4)
    free, shown = 0, 0
    for _ in range(CONDITIONS):
        edits = _random_places(choose)
        document = edited(edits)
        oracle = interpret.Rule(document, players=2)
        for id in ("1", "2"):
            is_shown = _order_shows(oracle, id)
            if order_of(edits, FlowName("build", id)):
                shown += is_shown
            else:
                free += 1
                assert not is_shown, text_of(document)
    # both happen: the test would see a fact that is too bold, and facts are not always careful
    assert free > CONDITIONS / 4
    assert shown > CONDITIONS / 4


def _random_places(choose: random.Random) -> Json:
    """Edits: cardset 1 compares properties of two places of sorted or unsorted cards, cardset 2 asks cardset 1."""
    selections = ["cards", "rising", "suits", "both"]
    names = ["点数", "花色", "id"]
    nodes: Json = {
        "rising": by("点数"),
        "suits": by("花色"),
        "both": by("花色", "点数"),
        "thrice": node(2, selection="suits", properties=[{"name": "点数", "order": 0}]),
        "test": node(14, operator=choose.randrange(5), lval="left", rval="right"),
    }
    for side in ("left", "right"):
        selection = choose.choice([*selections, "thrice"])
        nodes[f"{side}_card"] = element(selection, choose.randrange(3))
        nodes[side] = node(
            6, operator=1, ident=f"{side}_card", property=choose.choice(names)
        )
    asks = {
        "rising": by("点数"),
        "suits": by("花色"),
        "both": by("花色", "点数"),
        "test": node(15, card_set=choose.choice(selections), card_rule="1"),
    }
    size = choose.choice([1, 3, 3, 3])
    lengths = {f"cardsets/{id}/build_flow/is/content/rval": size for id in (1, 2)}
    return {**build_with(nodes), **build_with(asks, cardset=2), **lengths}


def _order_shows(oracle: interpret.Rule, cardset: str) -> bool:
    """Whether some cards of the deck are accepted in one order and not in another."""
    for size in (1, 3):
        for cards in combinations(range(1, len(oracle.deck) + 1), size):
            answers = [
                interpret.build(oracle, cardset, list(hand), None) is not None
                for hand in permutations(cards)
            ]
            if len(set(answers)) > 1:
                return True
    return False


@pytest.mark.parametrize("path", shipped_rules(), ids=lambda path: path.stem)
def test_every_flow_has_facts(path: Path) -> None:
    found = pipeline.analyse(require_rule(path))
    finder = FactFinder(found)
    for flow in flow_names(found.program):
        facts = finder.of(flow)
        assert facts.flow == flow
        assert has_loop(facts.body) == facts.has_loop
