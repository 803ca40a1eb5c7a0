"""The bug reports of hints.md, section 3, each replayed: what went wrong elsewhere, and what has to happen instead.

The number in a test's name is the number of the report. Reports about one and the same fault share a test.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from dealwright.runtime.hints import (
    Choices,
    Desk,
    HintError,
    Question,
    Reply,
    Tokens,
    Validator,
    aim,
    confirm,
    default_reply,
    discard,
    encode_reply,
    fix_cards,
    fix_targets,
    forbid,
    method,
    select_character,
    use,
)
from dealwright.runtime.hints.errors import Refusal
from tests.duel.server import LIMIT, Server, question, random_body
from tests.duel.test_duel import arranged, play
from tests.support import Json, as_bytes

DODGE = discard([method("dodge", fix_cards(1, [4, 5]))], may_abort=True)
SHOW = discard([method("show", fix_cards(1, [4, 5]))])


def desk_of(*questions: Question) -> Desk:
    """A desk of three seats that asks the first of them these questions."""
    desk = Desk(Tokens(["t0", "t1", "t2"]))
    desk.ask(dict(enumerate(questions)))
    return desk


def kind(desk: Desk, body: Json, seq: object = None) -> str:
    """The kind of the refusal; the desk must be as it was."""
    before = desk.to_json()
    answer: Json = desk.answer(body, seq=seq)[0]
    assert answer["code"] == 400, answer
    assert desk.to_json() == before
    found: str = answer["error"]["kind"]
    return found


def test_report_01_a_malformed_reply_is_refused_and_the_game_goes_on_waiting() -> None:
    server = arranged(["slash", "dodge"], ["dodge"])
    token = server.tokens[0]
    odd: list[Json] = [
        [],
        "card",
        None,
        7,
        {"token": token},
        {"token": token, "action": {"a": 1}},
        {"token": token, "action": "dragon heart", "use": [0], "players": [1]},
        {"token": token, "action": "card", "use": [2], "players": [1]},
        {"token": token, "action": "card", "use": 0, "players": 1},
    ]
    before = server.state()
    for body in odd:
        assert server.send(body)["code"] == 400
        assert server.state() == before
    body = {"token": token, "action": "card", "use": [0], "players": [1]}
    assert server.send(body) == {"code": 200}


def test_report_02_a_late_reply_does_not_answer_the_next_question() -> None:
    server = arranged(["slash"], ["dodge", "dodge"])
    first: Json = question(server, 0, "extended").seq
    late = {"token": server.tokens[0], "method": "abort", "meta": {"seq": first}}
    server.expire(LIMIT)
    while server.asked() != [0]:
        server.expire(server.now + LIMIT)
    before = server.state()
    assert server.send(late)["error"]["kind"] == "stale_hint"
    assert server.state() == before


def test_report_03_a_double_click_is_applied_once() -> None:
    server = arranged(["slash", "slash"], ["dodge"])
    body = {"token": server.tokens[0], "action": "card", "use": [0], "players": [1]}
    body["meta"] = {"seq": question(server, 0, "extended").seq}
    assert server.send(body) == {"code": 200}
    after = server.state()
    assert server.send(body) == {"code": 200}
    assert server.state() == after and server.game.slashes == 1
    assert server.send({**body, "use": [1]})["error"]["kind"] == "duplicate_reply"


def test_report_04_public_names_let_nobody_act() -> None:
    desk = desk_of(DODGE)
    body = {"method": "dodge", "discard": [4]}
    for known in ("0", "t", "seat 0", "Zhao Yun", 0, desk.to_json()["tokens"][0]):  # type: ignore[index]
        assert kind(desk, {**body, "token": known}) == "player_forbidden"


def test_report_05_a_card_that_is_not_offered_is_refused_every_time() -> None:
    desk = desk_of(SHOW)
    for card in (6, 0, 99):
        body = {"token": "t0", "method": "show", "discard": [card]}
        assert kind(desk, body) == "card_not_offered"


def test_report_06_the_server_counts() -> None:
    desk = desk_of(SHOW)
    for cards in ([], [4, 5]):
        body = {"token": "t0", "method": "show", "discard": cards}
        assert kind(desk, body) == "card_count"
    again = Desk.from_json(json.loads(json.dumps(desk.to_json())))
    assert kind(again, {"token": "t0", "method": "show", "discard": []}) == "card_count"


def test_report_07_no_question_covers_another() -> None:
    desk = desk_of(SHOW)
    with pytest.raises(HintError, match="open still"):
        desk.ask({0: DODGE})
    [closed] = desk.withdraw()
    assert closed.why == "withdrawn"
    desk.ask({0: DODGE})
    old = {"token": "t0", "method": "show", "discard": [4]}
    assert kind(desk, old, seq=1) == "stale_hint"
    answer, _ = desk.answer({"token": "t0", "method": "dodge", "discard": [4]}, seq=2)
    assert answer == {"code": 200}


def test_report_08_a_limit_holds_after_coming_back() -> None:
    server = arranged(["slash", "slash"], ["dodge"])
    body = {"token": server.tokens[0], "action": "card", "use": [0], "players": [1]}
    server.send(body)
    server.send({"token": server.tokens[1], "method": "dodge", "discard": [2]})
    for _ in range(3):
        assert server.hint(0)["card"] == {"1": {"type": "forbid"}}
    server.desk = Desk.from_json(json.loads(json.dumps(server.desk.to_json())))
    assert server.hint(0)["card"] == {"1": {"type": "forbid"}}
    assert server.send({**body, "use": [1]})["error"]["kind"] == "card_forbidden"


def test_report_09_and_10_nothing_is_demanded_that_nobody_can_give() -> None:
    for hopeless in (
        lambda: discard([method("hearts", fix_cards(1, []))]),
        lambda: use(None, [method("two", None, fix_targets(2, [1]))], may_abort=False),
        lambda: use([aim(0, [1], count=2), forbid(1)], may_abort=False),
    ):
        with pytest.raises(HintError) as caught:
            hopeless()
        assert caught.value.code == "unanswerable"
    with_a_way_out = discard([method("hearts", fix_cards(1, []))], may_abort=True)
    assert Choices(with_a_way_out).count == 1
    assert aim(0, [1], count=2) == forbid(
        0
    ), "a card that finds no targets is not offered"


def test_report_11_and_12_every_candidate_is_legal_and_refusals_say_what_came() -> None:
    rng = random.Random(11)
    server = Server(3, 11)
    for _ in range(60):
        if not server.asked():
            break
        seat = rng.choice(server.asked())
        asked = server.desk.open[seat].question
        for reply in Choices(asked).sample(40, 1):
            assert Validator(asked).check(encode_reply(reply)) == reply
        server.send(random_body(server, seat, rng))
    wrong = Validator(SHOW).check({"method": "show", "discard": [77]})
    assert isinstance(wrong, Refusal)
    assert dict(wrong.values) == {"sent": 77, "offered": [4, 5]}


def test_report_13_and_14_watchers_learn_nothing_from_being_asked_or_not() -> None:
    views = []
    for hand in (["dodge"] * 3, ["peach"] * 3, ["dodge", "slash", "peach"]):
        server = arranged(["slash"], hand, [])
        body = {"token": server.tokens[0], "action": "card", "use": [0], "players": [1]}
        assert server.send(body) == {"code": 200}
        assert server.asked() == [1], "he is asked whether he has a dodge or not"
        views.append(as_bytes([server.hint(seat) for seat in (0, 2, None)]))
    assert len(set(views)) == 1


def test_report_15_and_24_what_others_hold_is_in_no_view_and_no_refusal() -> None:
    """Cards of another hand, even shown ones, are refused with the words for cards that there are not at all."""
    server = arranged(["slash", "dodge"], ["dodge", "peach"])
    token = server.tokens[0]
    answers = []
    for card in (2, 3, 50):
        body = {"token": token, "action": "card", "use": [card], "players": [1]}
        answer = server.send(body)
        del answer["error"]["values"]["sent"]
        answers.append(as_bytes(answer))
    assert len(set(answers)) == 1
    for seat in (1, None):
        for dialect in ("spec", "upstream", "extended"):
            assert set(server.hint(seat, dialect)) == {"code", "action", "players"}


def test_report_16_the_current_hint_is_enough_to_go_on() -> None:
    rng = random.Random(16)
    server = Server(2, 16)
    for _ in range(50):
        if not server.asked():
            break
        seat = rng.choice(server.asked())
        hints = [as_bytes(server.hint(seat, "extended")) for _ in range(3)]
        assert len(set(hints)) == 1
        server.desk = Desk.from_json(json.loads(json.dumps(server.desk.to_json())))
        assert as_bytes(server.hint(seat, "extended")) == hints[0]
        assert server.send(random_body(server, seat, rng)) == {"code": 200}


def test_report_17_and_18_every_question_has_a_default_and_time_ends_it() -> None:
    assert default_reply(SHOW) == Reply("discard", "show", (4,))
    server = arranged(["slash"] * 3, ["sabotage", "peach"], turn=1)
    body = {"token": server.tokens[1], "action": "card", "use": [3], "players": [0]}
    assert server.send(body) == {"code": 200}
    assert server.hint(1)["abort"] == "disallow"
    server.expire(server.now + LIMIT)
    assert len(server.game.table.players[0].hand) == 2, "the first region was taken"
    assert server.asked() == [1]


def test_report_19_and_22_everybody_has_an_answer_of_his_own() -> None:
    asked = [select_character([f"a{seat}", f"b{seat}"]) for seat in range(3)]
    desk = desk_of(*asked)
    for seat in (2, 0, 1):
        other = {"token": f"t{seat}", "select": f"a{(seat + 1) % 3}"}
        assert kind(desk, other, seq=1) == "character_not_offered"
        body = {"token": f"t{seat}", "select": f"b{seat}"}
        assert desk.answer(body, seq=1)[0] == {"code": 200}
    assert {seat: reply.name for seat, reply in desk.answers.items()} == {
        0: "b0",
        1: "b1",
        2: "b2",
    }


def test_report_20_a_refusal_advances_nothing() -> None:
    desk = desk_of(SHOW)
    before: Json = desk.hint("t0", "extended")
    for _ in range(5):
        kind(desk, {"token": "t0", "method": "show", "discard": [9]}, seq=1)
    assert desk.hint("t0", "extended") == before
    body = {"token": "t0", "method": "show", "discard": [4]}
    assert desk.answer(body, seq=1)[0] == {"code": 200}


def test_report_21_and_23_every_reply_is_answered_and_a_refusal_brings_the_hint() -> (
    None
):
    server = arranged(["slash"], ["dodge"])
    bodies: list[Any] = [{}, [], {"token": server.tokens[0]}, {"token": "who"}]
    for body in bodies:
        answer = server.send(body)
        assert answer["code"] == 400 and answer["reason"]
        token = body.get("token") if isinstance(body, dict) else None
        expected = server.hint(0) if token == server.tokens[0] else server.hint(None)
        assert answer["error"]["hint"] == expected


def test_report_25_one_validator_for_all_and_nothing_is_ambiguous() -> None:
    fan = discard([confirm("fan")], may_abort=True)
    yes = Validator(fan).check({"method": "fan", "discard": []})
    no = Validator(fan).check({"method": "abort", "discard": []})
    assert isinstance(yes, Reply) and isinstance(no, Reply) and yes != no
    empty = Validator(fan).check({"discard": []})
    assert isinstance(empty, Refusal) and empty.kind == "missing_key"


def test_report_26_closing_a_question_tells_everybody_and_leaves_nothing() -> None:
    server = Server(3, 26)
    play(server, random.Random(26), most=1)
    assert server.asked() == [1, 2]
    assert server.hint(None)["players"] == [1, 2]
    closed = server.desk.withdraw()
    assert [(one.seat, one.why) for one in closed] == [
        (1, "withdrawn"),
        (2, "withdrawn"),
    ]
    assert server.hint(None)["code"] == 400 and not server.desk.is_waiting
    server.ask()
    assert server.asked() == [1, 2]
