"""What a compiled match offers is what it accepts: all of it, and in `extended` nothing else.

On small games of pairs, runs and suits every subset of the hand is tried at every wait; on the shipped rules samples are.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest

from dealwright.compiler.diagnostics.reporter import CompileError
from dealwright.runtime import MatchError, Rejected
from dealwright.runtime.hints import (
    Choices,
    Hint,
    Refusal,
    Reply,
    Validator,
    encode_reply,
)
from dealwright.runtime.hints.questions import method_name
from dealwright.runtime.plays import (
    arrangements,
    candidates_by_size,
    plays_of,
    selections,
)
from dealwright.runtime.search.forms import MOST_PLACES
from tests.hints_match.small_rules import (
    asked,
    implied,
    legal_plays,
    may_skip,
    played,
    small_package,
    without_forms,
)
from tests.rulegen.rules import seeded
from tests.support import (
    LONG,
    RULES,
    Json,
    Match,
    compiled,
    package_of,
    seats_of,
    shipped_rules,
)

GAMES = 300 if LONG else 10
WAITS = 12
FLOW = ("deck_exhausted", "endless_flow", "rule_error")
RANDOM_RULES = 200 if LONG else 8


def names_of(package: Any) -> list[str]:
    return [about[0] for about in package.PACKAGE.cardsets.values()]


def check_wait(package: Any, match: Match, token: str) -> Counter[str]:
    """Try everything at one wait for cards; what was seen."""
    hint = asked(match, token)
    state = match.to_json()
    spec = Validator(asked(match, token, "spec").question)
    is_ordered = not package.PACKAGE.in_any_order
    names = names_of(package)
    legal: set[tuple[str, frozenset[int]]] = set()
    for cardset, cards in legal_plays(package, state, is_ordered):
        name = method_name(cardset, names)
        legal.add((name, frozenset(cards)))
        # in `spec` every legal play is implied by its method
        reply = Reply("discard", name, cards)
        assert not isinstance(spec.check_reply(reply), Refusal), (cardset, cards)
    assert implied(hint) == legal
    assert hint.question.may_abort == may_skip(package, state)
    check_replies(package, state, hint, token)
    return Counter(name for name, _ in legal) + Counter(waits=1, legal=len(legal))


def check_replies(package: Any, state: Json, hint: Hint, token: str) -> None:
    """Every reply that the hint implies is applied, whatever the order in which it names the cards."""
    for reply in Choices(hint.question):
        match = package.match_from_json(state)
        before = match.actions
        seat = match.pending.seat
        told = match.reply(token, encode_reply(reply))
        if told != {"code": 200}:
            # only what the flow does after the play can be in the way
            assert told["error"]["values"]["code"] in FLOW, (reply, told)
            assert match.actions == before
        elif not reply.is_abort:
            *_, (actor, kind, cards) = match.actions
            assert (actor, kind) == (seat, "play")
            assert sorted(cards) == list(reply.cards)
            if match.previous is not None and match.previous[0] == seat:
                cardset = match.previous[1].cardset
                assert method_name(cardset, names_of(package)) == reply.name


def go_on(match: Match, token: str, rng: random.Random) -> None:
    """Answer the hint with one of its replies, in an order that is accepted."""
    question = asked(match, token).question
    choices = Choices(question)
    for _ in range(200):
        reply = choices.draw(rng)
        if reply.is_abort and choices.count > 1 and rng.random() < 0.7:
            continue
        cards = tuple(rng.sample(reply.cards, len(reply.cards)))
        body = encode_reply(Reply(reply.action, reply.name, cards, (), reply.is_abort))
        if match.reply(token, body) == {"code": 200}:
            return
    raise AssertionError("no reply of the hint is accepted")


def play_through(package: Any, seed: int) -> Counter[str]:
    """Check the waits of one match."""
    rng = random.Random(seed)
    match = package.new_match(list(range(seats_of(package, 2))), seed=seed)
    tokens = match.tokens
    seen: Counter[str] = Counter()
    for _ in range(WAITS):
        wait = match.pending
        if wait is None:
            break
        if wait.kind == "play" and len(match.hands[wait.seat]) <= 7:
            seen += check_wait(package, match, tokens[wait.seat])
        try:
            go_on(match, tokens[wait.seat], rng)
        except AssertionError:
            # random rules may refuse all that follows a play
            assert seen["waits"], "nothing was checked"
            break
    return seen


def test_on_small_games_implied_is_legal_both_ways() -> None:
    seen: Counter[str] = Counter()
    for seed in range(GAMES):
        seen += play_through(small_package(seed), seed)
    # all sorts of plays were there, those with a reserved name and those with an order among them
    assert seen["waits"] > 3 * GAMES
    for name in ("Single", "Pair", "Run", "Flush", "abort_", "Rising"):
        assert seen[name] > 10, (name, seen)


def random_match(seed: int) -> tuple[Any, Match] | None:
    """A match of a random rule; None where the rule does not compile or has no match."""
    try:
        package = compiled(seeded(seed).document)
        return package, package.new_match(list(range(seats_of(package, 2))), seed=seed)
    except (CompileError, MatchError):
        return None


def test_on_random_rules_implied_is_legal_both_ways() -> None:
    seen: Counter[str] = Counter()
    for seed in range(RANDOM_RULES):
        begun = random_match(seed)
        if begun is None:
            continue
        package, match = begun
        wait = match.pending
        if wait is None or wait.kind != "play" or len(match.hands[wait.seat]) > 5:
            continue
        seen += check_wait(package, match, match.tokens[wait.seat])
    assert seen["waits"] > RANDOM_RULES // 6


@pytest.mark.parametrize("path", shipped_rules(), ids=lambda path: str(path.stem))
def test_on_shipped_rules_samples_agree(path: Path) -> None:
    package = package_of(path)
    names = names_of(package)
    rng = random.Random(path.stem)
    checked = Counter[str]()
    for seed in range(40 if LONG else 4):
        match = package.new_match(list(range(seats_of(package))), seed=seed)
        tokens = match.tokens
        for _ in range(60):
            wait = match.pending
            if wait is None:
                break
            hint = asked(match, tokens[wait.seat])
            if wait.kind == "play":
                checked += sampled(package, match, hint, names, rng)
                state = match.to_json()
                assert hint.question.may_abort == may_skip(package, state)
            go_on(match, tokens[wait.seat], rng)
    assert checked["legal"] > 3 or path.stem == "twenty_one"  # where nobody plays cards
    assert checked["illegal"] > 10 or path.stem in ("tiny", "twenty_one", "war")


def sampled(
    package: Any, match: Match, hint: Hint, names: list[str], rng: random.Random
) -> Counter[str]:
    """Some sets of cards, some of the hint's replies: the match says the same of them as the hint."""
    state = match.to_json()
    hand = state["hands"][state["pending"]["seat"]]
    choices = Choices(hint.question)
    replies = choices.sample(6, rng.getrandbits(32))
    sets = [reply.cards for reply in replies if not reply.is_abort]
    lengths = package.PACKAGE.lengths or range(1, len(hand) + 1)
    fitting = [size for size in lengths if size <= len(hand)]
    sets += [
        tuple(rng.sample(hand, rng.choice(fitting)))
        for _ in range(10 if fitting else 0)
    ]
    is_ordered = not package.PACKAGE.in_any_order
    offered = {
        made.name: made.cards
        for made in hint.question.detail.methods  # type: ignore[union-attr]
    }
    found: Counter[str] = Counter()
    for cards in sets:
        orders = [cards]
        if is_ordered:
            orders = list(permutations(cards))
        made = {
            method_name(name, names)
            for order in orders
            if (name := played(package, state, order)) is not None
        }
        told = {
            name
            for name, need in offered.items()
            if set(cards) <= set(need.cards) and need.combos.allows(cards)
        }
        assert told == made, cards
        found["legal" if made else "illegal"] += 1
    return found


def test_a_hand_too_large_to_search_is_offered_whole() -> None:
    """Nothing that is legal may be missing, so whatever could be is offered, and the rule decides."""
    package = small_package(3)
    made = package.PACKAGE
    slow = made.effort
    match = package.new_match([0, 1], seed=3)
    token = match.tokens[match.pending.seat]
    exact = implied(asked(match, token))
    made.effort = 100_000  # two candidates
    try:
        again = package.match_from_json(match.to_json() | {})
        hint = asked(again, token)
        assert again.hint(token)["players"] == [match.pending.seat]
        loose = Validator(hint.question)
        for name, cards in exact:
            reply = Reply("discard", name, tuple(sorted(cards)))
            assert not isinstance(loose.check_reply(reply), Refusal)
        methods = hint.question.detail.methods  # type: ignore[union-attr]
        assert any(
            one.cards is not None and one.cards.combos is None for one in methods
        )
        # the default is legal all the same
        again.expire(0)
        (closed,) = again.expire(1000)
        assert closed.why == "expired" and len(again.actions) == 1
    finally:
        made.effort = slow


def swapped_cards(
    package: Any, match: Match, cards: list[Any], rng: random.Random
) -> list[Any]:
    """The same cards, some of them replaced by others that judging should not tell from them."""
    free = [card for card in match._game.cards if card not in cards]
    found = []
    for card in cards:
        alike = [
            other
            for other in free
            if all(
                getattr(other, name) == getattr(card, name)
                for name in package.PACKAGE.judged_by
            )
        ]
        if alike:
            other = rng.choice(alike)
            free.remove(other)
            card = other
        found.append(card)
    return found


def test_cards_said_to_be_alike_and_orders_said_to_be_free_are() -> None:
    """`judged_by` and `in_any_order` on random rules: recognition gives the same for other cards and other orders."""
    rng = random.Random(4)
    tried: Counter[str] = Counter()
    for seed in range(600 if LONG else 10):
        begun = random_match(seed + 5000)
        if begun is None:
            continue
        package, match = begun
        deck = list(match._game.cards)
        for _ in range(20):
            cards = rng.sample(deck, min(len(deck), rng.randint(1, 5)))
            first = judged(package, match, cards)
            if package.PACKAGE.in_any_order:
                other = rng.sample(cards, len(cards))
                assert judged(package, match, other) == first
                tried["order"] += len(cards) > 1
            if package.PACKAGE.judged_by is not None:
                other = swapped_cards(package, match, cards, rng)
                assert judged(package, match, other) == first
                tried["alike"] += other != cards
    assert tried["order"] > 20 and tried["alike"] > 20, tried


def judged(package: Any, match: Match, cards: list[Any]) -> Json:
    """What the rule says of these cards: the cardset and its properties, or the error."""
    try:
        play = package.recognize(cards, match)
    except Rejected as error:
        return error.code
    except Exception as error:
        return type(error).__name__
    return None if play is None else [play.id, play.properties]


def test_candidates_are_listed_once_and_counted() -> None:
    rng = random.Random(6)
    for _ in range(200):
        counts = [rng.randint(1, 3) for _ in range(rng.randint(0, 5))]
        cards = [group for group, count in enumerate(counts) for _ in range(count)]
        sets = candidates_by_size(counts, len(cards), 10**6, False)
        rows = candidates_by_size(counts, len(cards), 10**6, True)
        for size in range(1, len(cards) + 1):
            listed = list(selections(counts, size))
            assert listed == sorted(set(combinations(cards, size)))
            assert len(listed) == sets[size]
            if size <= 3:
                orders = [row for chosen in listed for row in arrangements(chosen)]
                assert sorted(orders) == sorted(set(permutations(cards, size)))
                assert len(orders) == rows[size]
        assert candidates_by_size(counts, len(cards), 3, True) == [
            min(ways, 4) for ways in rows
        ]


def test_the_search_is_bounded_for_any_hand() -> None:
    """A hand of any size and any rule: what is too much is left out at once."""
    package = package_of(RULES / "big_two.json")
    match = package.new_match([0, 1, 2, 3], seed=1)
    game = match._game
    made = package.PACKAGE
    lengths = made.lengths
    for hand in game.hands[1:]:
        game.hands[0] += hand
        hand.clear()
    made.lengths = None
    try:
        # what is known of a play's cards says that no other sizes are one, up to where nothing is known
        found = plays_of(made, game, 0)
        with without_forms(package):
            unknown = plays_of(made, game, 0)
    finally:
        made.lengths = lengths
        made.forms._found.clear()  # some of what was found is of the lengths
    assert found.sizes == unknown.sizes == tuple(range(1, 53))
    for each, largest in ((found, MOST_PLACES), (unknown, 4)):
        assert not each.is_complete
        assert {1, 2, 3, 51, 52} <= set(each.sizes) - each.unsearched
        assert set(range(largest + 1, 48)) <= each.unsearched
