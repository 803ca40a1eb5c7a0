"""The search for cards of a play's forms finds what judging all cards finds, in the same order."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bench import dou_dizhu
from bench.dou_dizhu import Drawing
from dealwright.compiler.diagnostics.reporter import CompileError
from dealwright.runtime import MatchError
from dealwright.runtime.plays import Plays, plays_of
from dealwright.runtime.search import forms as forms_module
from dealwright.runtime.search.book import MOST_IN_ALL, FormBook
from dealwright.runtime.search.forms import MOST_PLACES, MOST_WORK, Order
from dealwright.runtime.search.standins import UnknownMatch
from tests.front.small import branch, node
from tests.hints_match.small_rules import (
    at,
    both,
    build,
    of,
    sized,
    small_package,
    small_rule,
    sorted_by,
    without_forms,
)
from tests.rulegen.rules import seeded
from tests.support import (
    LONG,
    RULES,
    Json,
    compiled,
    package_of,
    seats_of,
    shipped_rules,
)
from tests.test_bench_games import choices_of, play_of

RANDOM_RULES = 600 if LONG else 40


@pytest.fixture(autouse=True)
def always_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few the candidates are."""
    monkeypatch.setattr("dealwright.runtime.plays.FEW", 0)


def in_both_ways(package: Any, game: Any, seat: int = 0) -> tuple[Plays, Plays]:
    """What is found by forms, and what by judging all cards."""
    found = plays_of(package.PACKAGE, game, seat)
    with without_forms(package):
        return found, plays_of(package.PACKAGE, game, seat)


def check_same(package: Any, game: Any, seat: int = 0) -> int:
    """Both find the same plays, each with the same order of the cards, and list them alike; how many there are."""
    found, wanted = in_both_ways(package, game, seat)
    assert found.is_complete and wanted.is_complete
    assert found == wanted
    assert in_order(found) == in_order(wanted)
    return len(in_order(found))


def in_order(plays: Plays) -> list[Any]:
    return [
        (name, pick, cards)
        for name, picks in plays.legal.items()
        for pick, cards in picks.items()
    ]


def is_narrow(package: Any, size: int) -> bool:
    """Whether forms leave out some cards of this size, and not all."""
    found = package.PACKAGE.forms.of(size)
    return found is not None and bool(found.forms)


def test_random_rules() -> None:
    seen: Counter[str] = Counter()
    for seed in range(RANDOM_RULES):
        rng = random.Random(seed)
        try:
            package = compiled(seeded(seed + 30_000).document)
            match = package.new_match(list(range(seats_of(package, 2))), seed=seed)
        except (CompileError, MatchError):
            continue
        game = match.game_for(package.PACKAGE)
        deck = list(game.cards)
        for _ in range(3):
            game.hands[0][:] = rng.sample(deck, min(len(deck), rng.randint(1, 6)))
            seen["plays"] += check_same(package, game)
        seen["rules"] += 1
    assert seen["rules"] > RANDOM_RULES / 2
    assert seen["plays"] > RANDOM_RULES


def drawn(rng: random.Random, size: int, *, has_order: bool) -> Json:
    """A build flow that compares cards of some rows, and asks that all or some of it is so, or that some is not.

    Args:
        has_order: whether it may ask for more than the ranks of cards in the order of their ranks.
    """
    by_rank = [{"name": "rank", "order": rng.randint(0, 1)}]
    nodes: Json = {"row": node(2, selection="cards", properties=by_rank)}
    rows = ["row"]
    if has_order:
        keys = [{"name": name, "order": 1} for name in ("suit", "rank")]
        nodes["other"] = node(2, selection="cards", properties=keys)
        rows += ["other", "cards"]

    def value(of_card: str) -> str:
        name = f"{of_card}_{len(nodes)}"
        nodes[f"card_{name}"] = at(rng.choice(rows), rng.randrange(size))
        nodes[name] = of(f"card_{name}", of_card)
        if rng.random() < 0.4:
            operator, number = rng.randint(0, 1), rng.randint(0, 2)
            nodes[f"moved_{name}"] = node(10, operator=operator, lval=name, rval=number)
            return f"moved_{name}"
        return name

    def compared() -> str:
        name = rng.choice(["rank", "rank", "suit"]) if has_order else "rank"
        left = value(name)
        right = value(name) if rng.random() < 0.8 else rng.randint(0, 3)
        found = f"compared_{len(nodes)}"
        operator = rng.choice([0, 0, 0, 1, 2, 3, 4])
        nodes[found] = node(14, operator=operator, lval=left, rval=right)
        if rng.random() < 0.2:
            nodes[f"not_{found}"] = node(13, component=found)
            return f"not_{found}"
        return found

    def one_suit() -> str:
        part = ""
        for place in range(size):
            nodes[f"any_{place}"] = at("cards", place)
            nodes[f"suit_{place}"] = of(f"any_{place}", "suit")
            if place:
                like, before = f"like_{place}", f"suit_{place - 1}"
                nodes[like] = node(14, operator=0, lval=before, rval=f"suit_{place}")
                nodes[f"all_{place}"] = both(part, like)
                part = f"all_{place}" if part else like
        nodes.pop("all_1")
        return part

    nodes["sized"] = sized(size)
    parts = ["sized"]
    for number in range(rng.randint(1, 4)):
        part = one_suit() if not number and rng.random() < 0.5 else compared()
        for _ in range(0 if part.startswith(("all", "like")) else rng.randint(0, 2)):
            joined = f"joined_{len(nodes)}"
            nodes[joined] = node(
                12, operator=rng.randint(0, 1), lval=part, rval=compared()
            )
            part = joined
        parts.append(part)
    flow = build("sized", **nodes)
    for number, part in enumerate(parts):
        following = f"if{number + 1}" if number + 1 < len(parts) else "yes"
        flow[f"if{number}"] = branch(part, following, "no")
    return {**flow, "1": node(27, "if0")}


def drawn_package(seed: int) -> Any:
    rng = random.Random(seed)
    document = small_rule(seed, has_order=False)
    for cardset in document["design"]["cardsets"].values():
        size = rng.choice([2, 3, 3, 4, 4, 5])
        cardset["build_flow"] = drawn(rng, size, has_order=bool(seed % 2))
        cardset["compare_flow"] = {}
    return compiled(document)


@pytest.mark.parametrize("seed", range(400 if LONG else 30))
def test_drawn_flows(seed: int) -> None:
    package, rng = drawn_package(seed), random.Random(seed)
    game = package.new_match([0, 1], seed=seed).game_for(package.PACKAGE)
    most = 7 if package.PACKAGE.in_any_order else 5
    for _ in range(4):
        game.hands[0][:] = rng.sample(list(game.cards), most)
        check_same(package, game)


def test_drawn_flows_are_of_all_kinds() -> None:
    """Among these rules some find plays by forms that leave cards out, whether the order of cards matters or not."""
    seen: Counter[bool] = Counter()
    for seed in range(30):
        package = drawn_package(seed)
        if any(is_narrow(package, size) for size in range(2, 6)):
            seen[package.PACKAGE.in_any_order] += 1
    assert min(seen[True], seen[False]) > 1, seen


@pytest.mark.parametrize("seed", range(60 if LONG else 12))
def test_small_games(seed: int) -> None:
    """Pairs, runs, suits and rising cards, with a play to beat or without."""
    rng = random.Random(seed)
    package = small_package(seed)
    match = package.new_match([0, 1], seed=seed)
    game = match.game_for(package.PACKAGE)
    for _ in range(6):
        game.hands[0][:] = rng.sample(list(game.cards), 6)
        game.previous = None
        check_same(package, game)
        choices = in_order(plays_of(package.PACKAGE, game, 0))
        if choices:
            _, _, numbers = rng.choice(choices)
            cards = [game.cards[number - 1] for number in numbers]
            game.previous = (1, package.PACKAGE.judge(cards, game))
            check_same(package, game)


@pytest.mark.parametrize("path", shipped_rules(), ids=lambda path: str(path.stem))
def test_shipped_rules(path: Path) -> None:
    package = package_of(path)
    ids = list(range(seats_of(package)))
    found = 0
    for seed in range(8):
        match = package.new_match(ids, seed=seed)
        game = match.game_for(package.PACKAGE)
        if path.stem == "big_two" and seed > 3:
            game.table.opened = 1
        for seat in ids:
            found += check_same(package, game, seat)
    assert found or path.stem == "twenty_one"


def test_forms_of_big_two_are_what_a_player_would_say() -> None:
    package = package_of(RULES / "big_two.json")
    book = package.PACKAGE.forms
    (pair,), (triple,) = book.of(2).forms, book.of(3).forms
    assert [chain.steps for chain in pair.chains] == [((0, 2),)]
    assert [chain.steps for chain in triple.chains] == [((0, 3),)]
    assert book.of(4).forms == ()
    five = book.of(5)
    assert five.order == Order("rank", False)
    kinds = {
        (form.name, tuple(chain.steps for chain in form.chains)) for form in five.forms
    }
    assert {
        ("suit", (((0, 5),),)),  # flush
        ("rank", (((0, 4),), ((0, 1),))),  # four and one
        ("rank", (((0, 3),), ((0, 2),))),  # full house
        ("rank", (tuple((step, 1) for step in range(5)),)),  # straight
    } <= kinds
    assert len(five.forms) < 12
    # however many ways there are to be no straight
    (flush,) = (
        form
        for form in five.forms
        if form.name == "suit" and form.chains[0].steps == ((0, 5),)
    )
    assert flush.is_unconditional


# --- many cards


def dou_dizhu_document() -> Json:
    simplest = json.loads((RULES / "tiny.json").read_bytes())
    return json.loads(dou_dizhu.rule(simplest))


def dou_dizhu_package() -> Any:
    return compiled(dou_dizhu_document())


def dou_dizhu_with(*flows: Json, ranks: Sequence[int] | None = None) -> Any:
    """A rule with the cards of Dou Dizhu and a cardset for each of these build flows.

    Args:
        ranks: other ranks of the cards.
    """
    document = dou_dizhu_document()
    design = document["design"]
    first = design["cardsets"]["1"]
    design["cardsets"] = {
        str(number): {**first, "name": f"set {number}", "build_flow": flow}
        for number, flow in enumerate(flows, 1)
    }
    if ranks is not None:
        config = [{"value": value} for value in ranks]
        design["classes"]["card"]["default_properties"]["rank"]["config"] = config
    return compiled(document)


def with_hand(package: Any, ranks: Sequence[int]) -> Any:
    """A match in which the first player holds cards of these ranks."""
    left: dict[int, list[Any]] = {}
    for card in package.PACKAGE.cards:
        left.setdefault(card.rank, []).append(card)
    hand = [left[rank].pop(0) for rank in ranks]
    rest = [card for cards in left.values() for card in cards]
    wait = next(iter(package.PACKAGE.resume))
    others = seats_of(package, 2) - 1
    hands = [hand, rest, *[[] for _ in range(others - 1)]]
    return package.arrange(hands=hands, wait=wait).game_for(package.PACKAGE)


@pytest.mark.parametrize("seed", range(12 if LONG else 2))
def test_all_leads_of_dou_dizhu(seed: int) -> None:
    """Of whole hands, which were too many cards to judge one and all."""
    package = dou_dizhu_package()
    (ranks,) = dou_dizhu.hands(1, 17, seed)
    game = with_hand(package, ranks)
    found = plays_of(package.PACKAGE, game, 0)
    assert found.is_complete
    told = {
        (name, tuple(sorted(game.cards[number - 1].rank for number in cards)))
        for name, _, cards in in_order(found)
    }
    wanted = {(play_of(some), tuple(some)) for some in choices_of(ranks) if some}
    assert told == {(name, some) for name, some in wanted if name is not None}


def test_a_hand_is_searched_whole_that_was_too_large() -> None:
    """Seventeen cards of fourteen ranks have too many choices of eight or nine to judge one and all."""
    package = dou_dizhu_package()
    game = with_hand(package, [3, 3, *range(3, 17), 9])
    found, judged = in_both_ways(package, game)
    assert found.is_complete and judged.unsearched
    known = [one for one in in_order(found) if len(one[2]) not in judged.unsearched]
    assert known == in_order(judged)
    assert len(in_order(found)) > len(known)


def test_a_hand_in_which_all_is_a_play_stays_too_large() -> None:
    """Any seven cards: nothing about them is known, so forms are no help, and the bound is the old one."""
    package = dou_dizhu_with(Drawing(7).flow())
    assert package.PACKAGE.forms.of(7) is None
    game = with_hand(package, range(3, 10))
    assert plays_of(package.PACKAGE, game, 0).is_complete
    package.PACKAGE.judged_by = ("id", "rank")
    package.PACKAGE.forms._found.clear()
    game.hands[0][:] = list(game.cards)[:40]
    assert plays_of(package.PACKAGE, game, 0).unsearched == {7}


@pytest.mark.parametrize(
    ("effort", "unsearched"),
    [(1, set()), (2_000, set()), (10_000, set()), (40_000, {6, 7, 8, 9})],
)
def test_cards_that_stand_for_one_another_are_one_candidate(
    effort: int, unsearched: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of nine cards alike there is one choice of each size, however little may be judged."""
    monkeypatch.setattr("dealwright.runtime.plays.FEW", 8)
    package = dou_dizhu_with(*[Drawing(size).flow() for size in range(1, 10)])
    package.PACKAGE.effort = effort
    game = with_hand(package, range(3, 12))
    package.PACKAGE.judged_by = ()
    assert plays_of(package.PACKAGE, game, 0).unsearched == unsearched


# --- bounds


def asking_much(size: int) -> Json:
    """Sorted cards of which each has the rank of the one before or the next one: each of these is a way of its own."""
    drawing = Drawing(size)
    for place in range(size - 1):
        steps = [drawing.same(place, place + 1, step) for step in (0, 1)]
        drawing.need(drawing.joined(1, steps))
    return drawing.flow()


def test_too_many_ways_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    package = dou_dizhu_with(asking_much(20))
    attempts: list[forms_module.Attempt] = []
    made = forms_module.Attempt

    def noted(*arguments: Any) -> forms_module.Attempt:
        attempts.append(made(*arguments))
        return attempts[-1]

    monkeypatch.setattr(forms_module, "Attempt", noted)
    assert package.PACKAGE.forms.of(20) is None
    made_first = len(attempts)
    assert made_first
    assert sum(one.work for one in attempts) < 1.5 * forms_module.MOST_WORK
    # and what cannot be known is not sought twice
    assert package.PACKAGE.forms.of(20) is None
    assert len(attempts) == made_first


def test_too_many_forms_are_left_alone() -> None:
    """Two cards that are apart by any of very many differences."""
    drawing = Drawing(2)
    apart = [drawing.same(0, 1, step) for step in range(1, 400)]
    drawing.need(drawing.joined(1, apart))
    package = dou_dizhu_with(drawing.flow())
    assert package.PACKAGE.forms.of(2) is None
    game = with_hand(package, [3, 4, 5, 6, 3, 4])
    assert check_same(package, game) == 6


def test_cards_that_are_only_counted_have_no_forms() -> None:
    package = dou_dizhu_with(Drawing(3).flow())
    for names in ((), ("rank",)):
        package.PACKAGE.judged_by = names
        package.PACKAGE.forms._found.clear()
        assert package.PACKAGE.forms.of(3) is None
        assert not names or package.PACKAGE.forms.of(2).forms == ()


def test_a_very_large_hand_is_bounded_too() -> None:
    """Numbers of candidates with thousands of digits are not made, and no forms sought of so many cards."""
    package = dou_dizhu_with(Drawing(2).flow())
    game = with_hand(package, [3])
    package.PACKAGE.lengths = None
    game.hands[0][:] = list(game.cards) * 50
    for is_free in (True, False):
        package.PACKAGE.in_any_order = is_free
        package.PACKAGE.forms._found.clear()
        found = plays_of(package.PACKAGE, game, 0)
        assert {name for name, _, _ in in_order(found)} == {"set 1"}
        assert max(package.PACKAGE.forms._found) == MOST_PLACES
        assert set(range(401, len(game.hands[0]) + 1)) <= found.unsearched


def test_very_many_cards_have_no_forms() -> None:
    package = package_of(RULES / "big_two.json")
    assert package.PACKAGE.forms.of(MOST_PLACES) is not None
    assert package.PACKAGE.forms.of(MOST_PLACES + 1) is None


def three_sorts() -> Json:
    """Cards of any number, sorted by three properties in turn and compared across: no order says most of it."""
    names = ["rank", "suit", "point"]
    nodes: Json = {}
    part = ""
    for place, (name, other) in enumerate(
        zip(names, [*names[1:], "rank"], strict=True)
    ):
        nodes |= {
            f"row{place}": sorted_by(name),
            f"low{place}": at(f"row{place}", 1),
            f"high{place}": at(f"row{place}", 2),
            f"one{place}": of(f"low{place}", name),
            f"two{place}": of(f"high{place}", other),
            f"less{place}": node(
                14, operator=2, lval=f"one{place}", rval=f"two{place}"
            ),
        }
        if part:
            nodes[f"all{place}"] = both(part, f"less{place}")
        part = f"all{place}" if part else f"less{place}"
    return build(part, **nodes)


def package_of_three_sorts() -> Any:
    document = small_rule(1)
    properties = document["design"]["classes"]["card"]["default_properties"]
    for name in ("rank", "suit", "point"):
        properties[name] = {
            "type": "enum",
            "default": 0,
            "config": [{"value": value} for value in range(3)],
        }
    cardsets = document["design"]["cardsets"]
    cardset = {**cardsets["1"], "build_flow": three_sorts(), "compare_flow": {}}
    document["design"]["cardsets"] = {"1": {**cardset, "successors": []}}
    return compiled(document)


def test_the_work_for_all_numbers_of_cards_is_bounded_together() -> None:
    package = package_of_three_sorts()
    book = package.PACKAGE.forms
    for size in range(1, MOST_PLACES + 1):
        book.of(size)
    spent = [book._found[size].work for size in range(1, MOST_PLACES + 1)]
    assert max(spent) > MOST_WORK / 2
    assert MOST_IN_ALL / 2 < sum(spent) < 1.2 * MOST_IN_ALL
    assert spent[-1] == 0


def test_it_does_not_matter_for_what_is_asked_first() -> None:
    package = package_of_three_sorts()
    up = [package.PACKAGE.forms.of(size) for size in range(1, 9)]
    other = FormBook(package.PACKAGE)
    down = [other.of(size) for size in range(8, 0, -1)]
    assert up == down[::-1]
    assert None in up and any(forms is not None for forms in up)


def test_a_full_stack_says_nothing_of_a_rule() -> None:
    """What is found with a full stack is not kept, and judging all cards goes on."""
    package = package_of(RULES / "big_two.json")
    game = package.new_match([0, 1, 2, 3], seed=2).game_for(package.PACKAGE)
    game.table.opened = 1
    wanted = plays_of(package.PACKAGE, game, 0)
    judge = package.PACKAGE.judge

    def without_stack(cards: list[Any], match: Any) -> Any:
        if type(match) is UnknownMatch:
            raise RecursionError
        return judge(cards, match)

    made = package.PACKAGE.forms
    package.PACKAGE.forms = FormBook(package.PACKAGE)
    package.PACKAGE.forms.__dict__["_source"] = (package.PACKAGE.card, without_stack)
    try:
        assert plays_of(package.PACKAGE, game, 0) == wanted
        assert package.PACKAGE.forms._found == {}
        with pytest.raises(RecursionError):
            package.PACKAGE.forms.of(2)
    finally:
        package.PACKAGE.forms = made


# --- what is asked while the game knows something


@pytest.mark.parametrize("operator", [0, 1])
@pytest.mark.parametrize("is_negated", [True, False])
def test_cardsets_asked_about_each_card_by_itself(
    operator: int, is_negated: bool
) -> None:
    """A quantifier makes each card the latest play; a cardset that reads that is asked about it."""
    document = small_rule(3, has_order=False)
    high = build(
        "fits",
        fits=both("many", "is_high"),
        many=sized(1),
        latest=node(21),
        last=at("latest", 0),
        rank=of("last", "rank"),
        is_high=node(14, operator=1, lval="rank", rval=1),
    )
    every = build(
        "fits",
        fits=both("many", "whole"),
        many=sized(1, 3),
        whole=node(11, operator=operator, set="cards", component="one"),
        **(
            {"one": node(13, component="asked")}
            if is_negated
            else {"one": node(12, operator=0, lval="asked", rval="asked")}
        ),
        asked=node(15, card_set="cards", card_rule="1"),
    )
    cardsets = document["design"]["cardsets"]
    document["design"]["cardsets"] = {
        "1": {**cardsets["1"], "build_flow": high, "successors": []},
        "2": {**cardsets["2"], "build_flow": every, "successors": []},
    }
    package = compiled(document)
    game = package.new_match([0, 1], seed=1).game_for(package.PACKAGE)
    found = 0
    for seed in range(6):
        cards = random.Random(seed).sample(list(game.cards), 5)
        game.hands[0][:] = cards
        found += check_same(package, game)
    assert found > 10


# --- numbers of any size


HUGE = (0, 1, 2, 1 << 40, (1 << 40) + 1, 1 << 61, -(1 << 61), 10**30, 10**30 + 1)


@pytest.mark.parametrize("seed", range(20 if LONG else 4))
def test_values_beyond_all_bounds(seed: int) -> None:
    """Bounds that are none are no numbers either, however large the cards are."""
    rng = random.Random(seed)
    document = small_rule(seed)
    ranks = document["design"]["classes"]["card"]["default_properties"]["rank"]
    ranks["config"] = [{"value": value} for value in HUGE]
    package = compiled(document)
    game = package.new_match([0, 1], seed=seed).game_for(package.PACKAGE)
    found = 0
    for _ in range(12):
        cards = rng.sample(list(game.cards), 7)
        game.hands[0][:] = sorted(cards, key=lambda card: card.rank)
        found += check_same(package, game)
    assert found > 12


def test_constants_beyond_all_bounds() -> None:
    """What is asked about them is not kept, rather than kept wrong."""
    drawing = Drawing(3)
    drawing.need(drawing.same(0, 1, 1 << 62))
    drawing.refuse(drawing.is_rank(2, 10**30))
    package = dou_dizhu_with(drawing.flow(), Drawing(2).flow(), ranks=HUGE)
    game = with_hand(package, HUGE)
    assert check_same(package, game) > 10
