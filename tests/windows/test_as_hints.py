"""Windows as hints: offers are methods, abort is PASS, and nobody can tell from a hint who else was asked."""

from __future__ import annotations

import json

import pytest

from dealwright.runtime.hints import Hint, HintError, Reply, Validator, decode, encode
from dealwright.runtime.hints.errors import Refusal
from dealwright.runtime.windows import (
    ResponseActionWindow,
    Tile,
    on_reply,
    shipped_mode,
)
from dealwright.runtime.windows.as_hints import reply_of, seen_by
from dealwright.runtime.windows.presets import CONCEALED
from examples.sichuan.rules import TURN_ORDER, announce
from tests.windows.builders import Json, reply, spec_of, window_of
from tests.windows.rounds import Log, new_desk
from tests.windows.test_privacy import copied, positions, swapped

SPEC = spec_of()


def numbers(seat: int, tiles: tuple[Tile, ...]) -> list[int]:
    """Card numbers for tests: all of a seat's claimed tiles are at the start of its hand."""
    return [10 * seat + index for index in range(len(tiles))]


def seen(window: ResponseActionWindow, seat: int | None, dialect: str = "spec") -> Json:
    return encode(seen_by(window, seat, numbers), dialect)


def asked(window: ResponseActionWindow, seat: int) -> Validator:
    """The validator that a client's own copy of the hint gives."""
    hint = decode(seen(window, seat))
    assert isinstance(hint, Hint)
    return Validator(hint.question)


def test_an_offer_is_a_question_with_its_actions_as_methods() -> None:
    window = window_of(SPEC, {1: ["GANG", "PENG"], 2: ["HU"]})
    hint = seen(window, 1)
    assert (hint["code"], hint["action"], hint["players"]) == (200, "use", [1, 2, 3])
    assert hint["abort"] == "allow"
    validator = asked(window, 1)
    right: list[tuple[Json, str]] = [
        ({"method": "GANG", "use": [10, 11, 12]}, "GANG"),
        ({"method": "PENG", "use": [11, 10]}, "PENG"),
        ({"method": "abort", "use": []}, "PASS"),
    ]
    for body, answer in right:
        judged = validator(body)
        assert isinstance(judged, Reply), judged
        sent = reply_of(window, 1, judged, "x")
        assert (sent.action_type, sent.seat_no) == (answer, 1)
        after, outputs = on_reply(window, sent, 5, SPEC)
        assert outputs[0].kind == "ACK"
        assert set(seen(after, 1)) == {"code", "action", "players"}, "has answered"
    wrong: list[Json] = [
        {"method": "HU"},
        {"method": "PENG", "use": [10]},
        {"method": "PENG", "use": [7, 8]},
    ]
    for body in wrong:
        assert isinstance(validator(body), Refusal)
    confirmed = asked(window, 2)({"method": "HU", "use": []})
    assert isinstance(confirmed, Reply)
    assert reply_of(window, 2, confirmed, "x").action_type == "HU"


def test_who_has_no_offer_sees_what_watchers_see() -> None:
    window = window_of(SPEC, {1: ["PENG"]})
    for dialect in ("spec", "upstream", "extended"):
        views = {json.dumps(seen(window, seat, dialect)) for seat in (0, 2, 3, None)}
        assert len(views) == 1
        assert json.loads(views.pop()).keys() == {"code", "action", "players"}
    closed, _ = on_reply(window, reply(1, "PASS"), 1, SPEC)
    assert seen(closed, 1) == seen(closed, None)
    assert seen(closed, None)["code"] == 400


def test_hidden_hands_change_no_other_seats_hint() -> None:
    mode = shipped_mode("V1", CONCEALED)
    compared = differing = 0
    for table in positions():
        assert table.transit is not None
        others = [seat for seat in TURN_ORDER if seat != table.transit.source]
        views = []
        for world in (copied(table), swapped(table, others[0], others[1])):
            desk = new_desk(mode, Log())
            assert announce(world, desk, "r1", 5000) is None
            assert desk.window is not None
            views.append([seen(desk.window, seat) for seat in (*TURN_ORDER, None)])
            assert views[-1][-1]["players"] == list(desk.window.audience)
        unmoved = (table.transit.source, others[2], -1)
        for seat in unmoved:
            assert json.dumps(views[0][seat]) == json.dumps(views[1][seat])
            compared += 1
        differing += views[0] != views[1]
    assert compared > 100 and differing > 10


def test_several_options_of_one_action_are_several_methods() -> None:
    window = window_of(SPEC, {1: ["PENG"]})
    candidate = window.candidates[0]
    other = candidate.options[0]._replace(option_id="PENG#1", consumes=("5m", "joker"))
    options = (candidate.options[0], other, candidate.options[1])
    window = window._replace(candidates=(candidate._replace(options=options),))
    judged = asked(window, 1)({"method": "PENG#1", "use": [10, 11]})
    assert isinstance(judged, Reply)
    assert reply_of(window, 1, judged, "x").option_id == "PENG#1"
    with pytest.raises(ValueError, match="not offered"):
        reply_of(window, 3, judged, "x")


def test_a_forced_claim_cannot_be_aborted() -> None:
    window = window_of(SPEC, {1: ["HU"]})
    only = window.candidates[0]._replace(options=window.candidates[0].options[:1])
    window = window._replace(candidates=(only,))
    assert seen(window, 1)["abort"] == "disallow"


def test_an_action_called_like_a_word_of_the_protocol_is_refused() -> None:
    window = window_of(SPEC, {1: ["HU"]})
    odd = window.candidates[0].options[0]._replace(action_type="abort")
    candidate = window.candidates[0]._replace(
        options=(odd, window.candidates[0].options[1])
    )
    with pytest.raises(HintError, match="abort"):
        seen_by(window._replace(candidates=(candidate,)), 1, numbers)
