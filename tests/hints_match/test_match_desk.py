"""Hints of a compiled match as a server uses them: who sees what, what replies do, time, saving, and other ways to act."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dealwright.runtime import MatchError, Rejected
from dealwright.runtime.hints import (
    Choices,
    HintError,
    Reply,
    encode_reply,
)
from dealwright.runtime.hints.questions import method_name
from tests.front.small import node
from tests.hints_match.small_rules import asked, small_package, small_rule
from tests.support import (
    LONG,
    RULES,
    Json,
    Match,
    as_bytes,
    compiled,
    package_of,
    seats_of,
    shipped_rules,
)

each_rule = pytest.mark.parametrize(
    "path", shipped_rules(), ids=lambda path: str(path.stem)
)

BIG_TWO = RULES / "big_two.json"
OK = {"code": 200}


def begin(path: Path, seed: int = 1) -> tuple[Match, tuple[str, ...]]:
    """A match of a shipped rule and its tokens."""
    package = package_of(path)
    match = package.new_match(list(range(seats_of(package))), seed=seed)
    return match, match.tokens


def bodies(match: Match, token: str) -> Iterator[Json]:
    """The replies that the hint implies, as they are sent."""
    for reply in Choices(asked(match, token).question):
        yield encode_reply(reply)


def answer(match: Match, tokens: tuple[str, ...], rng: random.Random) -> Json:
    """Have the seat that is asked answer at random until something is accepted; what was accepted."""
    token = tokens[match.pending.seat]
    choices = Choices(asked(match, token).question)
    for _ in range(300):
        reply = choices.draw(rng)
        if reply.is_abort and choices.count > 1 and rng.random() < 0.7:
            continue
        body = encode_reply(reply)
        if rng.random() < 0.5 and "discard" in body:
            rng.shuffle(body["discard"])  # type: ignore[arg-type]
        if match.reply(token, body) == OK:
            return body
    raise AssertionError("nothing is accepted")


# who sees what


@each_rule
def test_whole_matches_are_played_by_replies_alone(path: Path) -> None:
    for seed in range(20 if LONG else 2):
        match, tokens = begin(path, seed)
        rng = random.Random(seed)
        for _ in range(500):
            if match.finished:
                break
            wait = match.pending
            for seat, token in enumerate(tokens):
                view = match.hint(token)
                if seat != wait.seat:
                    assert view.keys() == {"code", "action", "players"}
                    assert view == match.hint("a stranger") == match.hint(None)
                else:
                    assert view["players"] == [seat]
                    assert ("methods" in view) <= (view["action"] == "discard")
            answer(match, tokens, rng)
        assert match.finished
        assert match.hint(tokens[0]) == {"code": 400, "reason": "game over"}
        refused = match.reply(tokens[0], {"method": "abort"})
        assert refused["error"]["kind"] == "no_decision"
        package = package_of(path)
        again = package.replay(list(match.ids), match.seed, match.actions)
        assert again.results == match.results


def test_matches_that_are_never_asked_are_as_they_were() -> None:
    package = package_of(BIG_TWO)
    one, two = (package.new_match([0, 1, 2, 3], seed=4) for _ in range(2))
    assert one.to_json() == two.to_json()
    assert "hints" not in one.to_json()
    two.hint(None)
    state = two.to_json()
    assert state.pop("hints") and state == one.to_json()


def test_tokens_are_unguessable_and_kept_hashed() -> None:
    match, tokens = begin(BIG_TWO)
    _, others = begin(BIG_TWO)
    assert len({*tokens, *others}) == 8
    assert all(len(token) >= 32 for token in tokens)
    text = json.dumps(match.to_json())
    assert not any(token in text for token in tokens)
    assert match.reply("nobody", {})["code"] == 400
    assert match.tokens == tokens, "a stranger takes nobody's token away"
    assert match.reply(tokens[0], next(bodies(match, tokens[0]))) == OK
    with pytest.raises(MatchError) as caught:
        match.tokens  # noqa: B018
    assert caught.value.code == "no_tokens"
    text = json.dumps(match.to_json())
    loaded = package_of(BIG_TWO).match_from_json(json.loads(text))
    with pytest.raises(MatchError):
        loaded.tokens  # noqa: B018
    assert loaded.hint(tokens[0]) == match.hint(tokens[0])


@pytest.mark.parametrize("tokens", [None, ["a", "b", "c", "d"]])
def test_a_refused_reply_leaves_no_trace_even_if_nobody_was_asked_before(
    tokens: list[str] | None,
) -> None:
    """The state has no trace of it, and a server that has not yet taken the tokens still gets them."""
    package = package_of(BIG_TWO)
    match = package.new_match([0, 1, 2, 3], seed=4, tokens=tokens)
    for _ in range(3):
        before = json.dumps(match.to_json())
        for token in ("a", "nobody", None):
            assert match.reply(token, ["no reply"])["code"] == 400
            assert json.dumps(match.to_json()) == before
        play_any(match)  # and the question changes behind the hints' back
    assert len(match.actions) == 3 and len(match.tokens) == 4
    token = match.tokens[match.pending.seat]
    assert match.reply(token, next(bodies(match, token))) == OK


def play_any(match: Match) -> None:
    """One action by the plain ways: the first card that can be played, or a skip."""
    seat = match.pending.seat
    for card in match.hands[seat]:
        try:
            match.play(match.ids[seat], [card])
        except Rejected:
            continue
        return
    match.skip(match.ids[seat])


def test_tokens_may_be_given() -> None:
    package = package_of(RULES / "tiny.json")
    match = package.new_match(["a", "b"], seed=1, tokens=["first", "second"])
    assert match.tokens == ("first", "second")
    assert match.hint("first")["abort"] == "disallow"
    assert "abort" not in match.hint("second")


@pytest.mark.parametrize(
    "tokens", [[], ["a"], ["a", "a"], ["a", ""], ["a", 1], "ab", ["a", "b", "c"], 7]
)
def test_bad_tokens(tokens: Any) -> None:
    with pytest.raises(MatchError) as caught:
        package_of(RULES / "tiny.json").new_match(["a", "b"], seed=1, tokens=tokens)
    assert caught.value.code == "bad_tokens"


@each_rule
def test_hidden_cards_change_nobody_elses_bytes(path: Path) -> None:
    """Cards change places in hands and deck: who is asked and who watches sees what he saw."""
    package = package_of(path)
    rng = random.Random(path.stem)
    compared = 0
    for seed in range(60 if LONG else 8):
        match, tokens = begin(path, seed)
        for _ in range(seed % 2 * rng.randrange(12)):
            if not match.finished:
                answer(match, tokens, rng)
        if match.finished:
            continue
        match.hint(None)
        state = match.to_json()
        for seat, token in enumerate(tokens):
            other = swapped(state, seat, rng)
            loaded = [package.match_from_json(one) for one in (state, other)]
            for dialect in ("spec", "upstream", "extended"):
                hints = [as_bytes(one.hint(token, dialect)) for one in loaded]
                assert hints[0] == hints[1]
            watched = [as_bytes(one.hint("x", "extended")) for one in loaded]
            assert watched[0] == watched[1]
            compared += other != state
    assert compared > 3


def swapped(state: Json, seat: int, rng: random.Random) -> Json:
    """The state with the cards that a seat does not see in other places."""
    state = copy.deepcopy(state)
    places = [hand for at, hand in enumerate(state["hands"]) if at != seat]
    places.append(state["deck"])
    cards = [card for place in places for card in place]
    rng.shuffle(cards)
    for place in places:
        place[:] = [cards.pop() for _ in place]
    return state


# what replies do


def test_an_implied_reply_that_the_rule_refuses_comes_back_with_its_reason() -> None:
    match, tokens = begin(BIG_TWO, 5)
    token = tokens[match.pending.seat]
    hint = match.hint(token)
    offered = hint["methods"]["Full house"]["cards"]
    rng = random.Random(1)
    refused = 0
    for _ in range(200):
        cards = rng.sample(offered, 5)
        before = match.to_json()
        events = len(match._game.log)
        told = match.reply(token, {"method": "Full house", "discard": cards})
        if told == OK:
            break
        refused += 1
        assert told["code"] == 400
        error = told["error"]
        assert error["kind"] == "rule_refused"
        assert error["values"] == {"code": "no_cardset"}
        assert error["sentence"] == "the cards are no cardset of the rule"
        assert error["hint"] == hint
        assert match.to_json() == before and len(match._game.log) == events
    assert refused > 3


def test_nobody_plays_another_cardset_than_he_said() -> None:
    """The candidates of a run may be a flush by accident; that is another method."""
    seen = 0
    for seed in range(10):
        package = small_package(seed, has_order=False)
        names = [about[0] for about in package.PACKAGE.cardsets.values()]
        match = package.new_match([0, 1], seed=seed)
        token = match.tokens[match.pending.seat]
        hint = asked(match, token, "spec")
        for reply in Choices(hint.question).sample(40, seed):
            if reply.is_abort:
                continue
            cards = match._game.numbered(list(reply.cards))
            made = package.recognize(cards, match)
            other = made is not None and method_name(made.cardset, names) != reply.name
            before = match.to_json()
            if other:
                told = match.reply(token, encode_reply(reply))
                assert told["error"]["values"] == {"code": "no_cardset"}
                assert match.to_json() == before
                seen += 1
    assert seen > 3


def test_stale_doubled_and_wrong_numbers() -> None:
    match, tokens = begin(RULES / "war.json")
    seat = match.pending.seat
    first = next(bodies(match, tokens[seat]))
    assert match.reply(tokens[seat], first, seq=2)["error"]["kind"] == "bad_type" or (
        match.reply(tokens[seat], first, seq=2)["reason"] == "player forbidden"
    )
    assert match.actions == []
    assert match.reply(tokens[seat], first, seq=1) == OK
    state = match.to_json()
    # the same once more counts once, another one is too late
    assert match.reply(tokens[seat], first, seq=1) == OK
    other = {**first, "discard": [first["discard"][0] + 1]}
    told = match.reply(tokens[seat], other, seq=1)
    assert told["error"]["kind"] == "duplicate_reply"
    assert match.reply(tokens[seat], first, seq="1")["code"] == 400
    told = match.reply(tokens[seat], {**first, "meta": {"seq": 1}})
    assert told == OK
    assert match.to_json()["actions"] == state["actions"]
    # somebody who is not asked and somebody who is nobody look alike
    told = [
        match.reply(token, {"method": "abort"})
        for token in (tokens[1 - match.pending.seat], "nobody", None, 7)
    ]
    assert told[0] == told[1]
    assert told[0]["reason"] == "player forbidden"


def test_the_questions_follow_a_match_that_is_played_otherwise() -> None:
    match, tokens = begin(RULES / "war.json")
    seat = match.pending.seat
    old = next(bodies(match, tokens[seat]))
    match.play(match.ids[seat], old["discard"])
    now = match.pending.seat
    assert now != seat
    assert match.hint(tokens[seat]).keys() == {"code", "action", "players"}
    assert match.hint(tokens[now])["players"] == [now]
    told = match.reply(tokens[seat], old, seq=1)
    assert told["error"]["kind"] == "stale_hint"
    # the next question of the first seat has the next number
    while match.pending.seat != seat:
        match.play(match.ids[now], [match.hands[now][0]])
    assert match.hint(tokens[seat], "extended")["meta"]["seq"] == 2
    match.abort("enough")
    assert match.hint(tokens[seat]) == {"code": 400, "reason": "game over"}
    assert match.hint(tokens[seat], "extended")["action"] == "none"


def test_random_json_is_refused_without_a_trace() -> None:
    rng = random.Random(8)
    refused = 0
    for path in shipped_rules():
        match, tokens = begin(path, 3)
        token = tokens[match.pending.seat]
        good = list(bodies(match, token))[:5]
        match.hint(token)
        before = as_bytes(match.to_json())
        accepted = {json.dumps(body) for body in bodies(match, token)}
        for _ in range(4000 if LONG else 300):
            body = mutated(copy.deepcopy(rng.choice(good)), rng)
            if isinstance(body, dict) and json.dumps(body) in accepted:
                continue
            sent = copy.deepcopy(body)
            seq = rng.choice([None, None, None, 0, 2, "1", True, [], 1.0])
            given = rng.choice([token, token, token, None, 3, "x", [token]])
            told = match.reply(given, body, seq)
            assert repr(body) == repr(sent)
            if told == OK:
                # a spelling of a good reply that was not among those listed; go on from the same place
                match = package_of(path).match_from_json(json.loads(before))
                continue
            assert told["code"] == 400 and told["reason"]
            json.dumps(told)
            assert as_bytes(match.to_json()) == before
            refused += 1
    assert refused > 200 * len(shipped_rules())


def mutated(body: Any, rng: random.Random) -> Any:
    """A reply with something wrong about it, or something else altogether."""
    junk: list[Any] = [
        *(None, True, 1.5, -1, 10**40, "", "card", "\ud800", [], {}, [[]], [None]),
        *([1, 1], {"a": {}}, "7", 0, [10**9], {"method": "abort"}),
    ]
    kind = rng.randrange(5)
    if kind == 0:
        return rng.choice(junk)
    keys = list(body)
    if kind == 1:
        del body[rng.choice(keys)]
    elif kind == 2:
        body[rng.choice(keys)] = rng.choice(junk)
    elif kind == 3:
        body[rng.choice(["method", "use", "players", "abort", "meta", "token"])] = (
            rng.choice(junk)
        )
    elif isinstance(body.get("discard"), list):
        body["discard"].append(rng.choice([*junk, *body["discard"]]))
    return body


# choices


def test_a_choice_offers_its_options() -> None:
    match, tokens = begin(RULES / "twenty_one.json", 5)
    wait = match.pending
    assert wait.kind == "choose"
    hint = match.hint(tokens[wait.seat])
    assert hint == {
        "code": 200,
        "action": "select character",
        "players": [wait.seat],
        "abort": "disallow",
        "candidates": [str(value) for value in wait.options],
    }
    told = match.reply(tokens[wait.seat], {"select": "99"})
    assert told["error"]["kind"] == "character_not_offered"
    value = wait.options[-1]
    assert match.reply(tokens[wait.seat], {"select": str(value)}) == OK
    assert match.actions == [[wait.seat, "choose", value]]


def asking(**content: Any) -> Match:
    """A match of a small rule that begins with this choice."""
    rule = small_rule(1, has_order=False)
    flow = rule["design"]["match_flow"]
    flow["mix"] = node(19, "ask")
    flow["ask"] = {"type": 22, "content": {"next": "deal", **content}}
    return compiled(rule).new_match([0, 1], seed=1, tokens=["a", "b"])


def test_a_choice_without_options_offers_no_and_yes() -> None:
    match = asking()
    assert match.hint("a")["candidates"] == ["0", "1"]
    assert match.reply("a", {"select": "1"}) == OK
    assert match.actions == [[0, "choose", 1]]


def test_a_choice_of_regions() -> None:
    options = [{"name": "onhand", "value": 4}, {"name": "weapon", "value": 7}]
    match = asking(kind="region", options=options)
    assert match.hint("a") == {
        "code": 200,
        "action": "region",
        "players": [0],
        "abort": "disallow",
        "regions": ["onhand", "weapon"],
    }
    assert match.hint("b")["action"] == "region"
    assert (
        match.reply("a", {"region": "armor"})["error"]["kind"] == "region_not_offered"
    )
    assert match.reply("a", {"region": "weapon"}) == OK
    assert match.actions == [[0, "choose", 7]]


@pytest.mark.parametrize(
    ("options", "regions"),
    [
        ([3, {"name": "", "value": 4}], ["3", "4"]),
        ([{"name": "x", "value": 3}, {"name": "x", "value": 4}], ["3", "4"]),
        ([{"name": "x", "value": 3}, {"name": "y", "value": 3}], ["x"]),
        ([{"name": "x", "value": 3}, 5, 5], ["x", "5"]),
    ],
)
def test_regions_without_good_names(options: Json, regions: list[str]) -> None:
    assert asking(kind="region", options=options).hint("a")["regions"] == regions


def test_a_region_needs_options() -> None:
    """Nothing names what could be chosen: it is asked like any other choice without options."""
    assert asking(kind="region").hint("a")["action"] == "select character"


# time


def test_time_runs_from_the_clock_that_is_given() -> None:
    match, tokens = begin(RULES / "twenty_one.json", 5)
    wait = match.pending
    token = tokens[wait.seat]
    assert "deadline" not in match.hint(token, "extended")["meta"]
    assert (
        match.hint(token, "extended", now=100)["meta"]["deadline"] == 100 + wait.timer
    )
    # asking again changes nothing
    first = match.hint(token, "extended", now=110)
    assert first["meta"] == match.hint(token, "extended")["meta"]
    assert match.expire(100 + wait.timer - 0.5) == []
    (closed,) = match.expire(100 + wait.timer)
    assert (closed.seat, closed.seq, closed.why) == (wait.seat, 1, "expired")
    assert closed.reply == Reply("select character", str(wait.options[0]))
    assert match.actions == [[wait.seat, "choose", wait.options[0]]]
    # the player's own reply comes too late
    told = match.reply(token, {"select": str(wait.options[1])}, seq=1)
    assert told["error"]["kind"] == "stale_hint"
    if not match.finished:
        token = tokens[match.pending.seat]
        meta = match.hint(token, "extended")["meta"]
        assert meta["deadline"] == 100 + wait.timer + match.pending.timer


def test_the_next_players_time_runs_from_the_reply() -> None:
    match, tokens = begin(RULES / "war.json")
    token = tokens[match.pending.seat]
    match.hint(token, now=5)
    assert match.reply(token, next(bodies(match, token)), now=17.5) == OK
    meta = match.hint(tokens[match.pending.seat], "extended")["meta"]
    assert meta["deadline"] == 17.5 + match.pending.timer


@each_rule
def test_matches_of_players_who_never_answer_end_by_themselves(path: Path) -> None:
    match, _ = begin(path, 2)
    now = 0.0
    match.expire(now)
    for _ in range(400):
        wait = match.pending
        if wait is None:
            break
        now += wait.timer or 30
        before = len(match.actions)
        (closed,) = match.expire(now)
        assert closed.why == "expired" and len(match.actions) == before + 1
        hint = closed.reply
        # skipping if that is allowed, else a legal play
        assert hint.is_abort == (match.actions[-1][1] == "skip")
    assert match.finished


def test_defaults_are_legal_where_the_order_of_cards_matters() -> None:
    seen = 0
    for seed in range(10):
        match = small_package(seed, has_order=True).new_match([0, 1], seed=seed)
        now = 0
        match.expire(now)
        for _ in range(12):
            if match.finished:
                break
            now += 20
            (closed,) = match.expire(now)
            seen += closed.reply.name == "Rising"
        assert len(match.actions) > 1
    assert seen


@pytest.mark.parametrize("now", ["1", True, float("nan"), float("inf"), 10**30, []])
def test_bad_times(now: Any) -> None:
    match, tokens = begin(RULES / "tiny.json")
    calls = (
        lambda: match.hint(tokens[0], now=now),
        lambda: match.reply(tokens[0], {}, now=now),
        lambda: match.expire(now),
    )
    for call in calls:
        with pytest.raises(MatchError) as caught:
            call()
        assert caught.value.code == "bad_time"
    with pytest.raises(MatchError) as caught:
        match.expire(None)  # type: ignore[arg-type]
    assert caught.value.code == "bad_time"
    with pytest.raises(HintError):
        match.hint(tokens[0], "latin")


# saving


@each_rule
def test_a_match_can_be_saved_between_hint_and_reply(path: Path) -> None:
    package = package_of(path)
    for seed in range(20 if LONG else 3):
        match, tokens = begin(path, seed)
        rng = random.Random(seed)
        for step in range(40):
            if match.finished:
                break
            token = tokens[match.pending.seat]
            hints = {
                dialect: match.hint(token, dialect, now=step)
                for dialect in ("spec", "upstream", "extended")
            }
            state = json.loads(json.dumps(match.to_json()))
            loaded = package.match_from_json(state)
            assert loaded.to_json() == state
            for dialect, hint in hints.items():
                assert loaded.hint(token, dialect, now=step + 3) == hint
            match = loaded
            body = answer(match, tokens, rng)
            loaded = package.match_from_json(match.to_json())
            if not loaded.finished:
                meta = hints["extended"]["meta"]
                assert loaded.reply(token, body, seq=meta["seq"]) == OK
                assert len(loaded.actions) == len(match.actions)


@each_rule
def test_a_match_shares_nothing_with_a_state(path: Path) -> None:
    """Neither the match that was saved nor the one that was loaded changes the state, nor has it a hold on them."""
    package = package_of(path)
    match, tokens = begin(path)
    rng = random.Random(1)
    for step in range(12):
        if match.finished:
            break
        match.hint(tokens[match.pending.seat], now=step)
        state = match.to_json()
        before = as_bytes(state)
        matches = [match, package.match_from_json(state)]
        for one in matches:
            one.expire(1e6 + step)
            if not one.finished:
                one.hint(tokens[one.pending.seat], now=1e6 + step)
        assert as_bytes(state) == before
        kept = [as_bytes(one.to_json()) for one in matches]
        empty(state)
        assert [as_bytes(one.to_json()) for one in matches] == kept
        if not match.finished:
            answer(match, tokens, rng)


def empty(value: Any) -> None:
    """Take everything out of a state, wherever it is kept."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            empty(inner)
        value.clear()


@pytest.mark.parametrize(
    "damage",
    [
        lambda hints: hints.pop("desk"),
        lambda hints: hints.update(asked=99),
        lambda hints: hints.update(asked=-2),
        lambda hints: hints.update(asked=True),
        lambda hints: hints.update(more=1),
        lambda hints: hints["desk"].update(tokens=[]),
        lambda hints: hints["desk"]["tokens"].pop(),
        lambda hints: hints["desk"].update(open=7),
        lambda hints: hints["desk"].update(open=[[5, {}]]),
        lambda hints: hints["desk"].update(over=True),
        lambda hints: hints["desk"].update(over=True, open=[]),
        # JSON has no infinity, so no client could read the hint
        lambda hints: hints["desk"]["open"][0][1].update(deadline=float("inf")),
        lambda hints: hints["desk"]["open"][0][1].update(deadline=float("nan")),
        lambda hints: hints["desk"]["open"][0][1].update(deadline=10**400),
        lambda hints: hints["desk"]["open"][0][1].update(limit=10**400),
        lambda hints: hints["desk"]["open"][0][1].update(limit=0),
        # no JSON text could hold it
        lambda hints: hints["desk"]["asked"].__setitem__(0, 10**5_000),
        lambda hints: hints["desk"]["open"][0][1].update(seq=10**5_000),
    ],
)
def test_damaged_hints_are_refused(damage: Any) -> None:
    match, tokens = begin(RULES / "war.json")
    match.hint(tokens[0])
    state = match.to_json()
    damage(state["hints"])
    with pytest.raises(MatchError) as caught:
        package_of(RULES / "war.json").match_from_json(state)
    assert caught.value.code == "bad_state"


@pytest.mark.parametrize("hints", [None, [], 7, "x", {}])
def test_hints_that_are_none(hints: Any) -> None:
    match, _ = begin(RULES / "war.json")
    with pytest.raises(MatchError):
        package_of(RULES / "war.json").match_from_json(
            match.to_json() | {"hints": hints}
        )


def test_what_a_forged_question_offers_does_not_count() -> None:
    """A file says that other cards may be played, or that something else is asked: the match says what is true."""
    match, tokens = begin(RULES / "war.json")
    seat = match.pending.seat
    token = tokens[seat]
    honest = match.hint(token, "extended")
    state = match.to_json()
    ((_, slot),) = state["hints"]["desk"]["open"]
    text = json.dumps(slot["question"])
    foreign = match.hands[1 - seat][0].id
    slot["question"]["methods"]["Single"]["cards"] = [foreign]
    combos = {"groups": [[foreign]], "picks": [[1]]}
    slot["question"]["meta"]["methods"]["Single"] = combos
    assert json.dumps(slot["question"]) != text
    loaded = package_of(RULES / "war.json").match_from_json(state)
    assert loaded.hint(token, "extended") == honest
    slot["question"] = {
        "code": 200,
        "action": "region",
        "players": [],
        "abort": "disallow",
        "regions": ["onhand"],
        "meta": {"version": 1},
    }
    loaded = package_of(RULES / "war.json").match_from_json(state)
    hint = loaded.hint(token, "extended")
    assert hint["methods"] == honest["methods"] and hint["meta"]["seq"] == 2


def test_play_and_reply_are_one_thing() -> None:
    """A match played by replies and one played by calls are equal, desk apart."""
    match, tokens = begin(BIG_TWO, 9)
    package = package_of(BIG_TWO)
    other = package.new_match([0, 1, 2, 3], seed=9)
    rng = random.Random(9)
    for _ in range(60):
        if match.finished:
            break
        seat = match.pending.seat
        body = answer(match, tokens, rng)
        if body == {"method": "abort"}:
            other.skip(seat)
        else:
            other.play(seat, body["discard"])
        state = match.to_json()
        del state["hints"]
        assert state == other.to_json()
        assert [event.to_json() for event in match.take_events()] == [
            event.to_json() for event in other.take_events()
        ]
    with pytest.raises(Rejected):
        other.play("x", [1])
