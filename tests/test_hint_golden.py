"""Hints and replies of the original server: read, written back, converted, and judged as it judged them.

    pytest tests/test_hint_golden.py --golden FILE

runs any file in the format of `golden.json`. A hint comes back the same in the original's spelling, and by way of the
`spec` dialect too, but for methods that nobody could carry out and for empty maps, which that dialect leaves out.
Replies are judged by a desk that asks the hint's own question; the family of a refusal must be the original's. Where
the original refused what the hint itself allows, its game's rules did, and the hint's own lists decide: the schema of
that hint, which shares no code with the validator, says what they allow.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dealwright.runtime.hints import (
    DIALECTS,
    Desk,
    Hint,
    Question,
    Tokens,
    Validator,
    Watching,
    confirm,
    convert,
    decode,
    discard,
    encode,
    encode_reply,
    reply_schema,
    select_character,
    select_region,
    use,
)
from dealwright.runtime.hints.errors import Refusal
from dealwright.runtime.hints.slots import Judged
from tests.support import SHARED, Json

GOLDEN = SHARED / "hints" / "golden.json"
MISSING = "no golden cases are at hand; give --golden FILE"

LISTS = ("use", "discard", "players", "targets")
"""Keys of a reply with ids."""

LOOSE = frozenset({"A10", "A13", "A14", "A16"})
"""What the original took although its hint did not offer it; we do not (hints.md, M8)."""

UNLIKE = {
    # its show, discard and skill frames never look at the method
    ("missing_key", "wrong argument"),
    # it asks its rules first whether there is such an action now
    ("card_forbidden", "incorrect interface"),
    # the same frames take any name, and fail at the cards
    ("unknown_method", "wrong argument"),
    # it reports the number of a card that is not there as a missing key
    ("card_not_offered", "missing argument"),
}
"""Where the original decides by its rules, or looks at keys in another order, and so answers from another family."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each case: of the file given, else of the shared one if it is there."""
    if "case" not in metafunc.fixturenames:
        return
    given = metafunc.config.getoption("--golden")
    path = GOLDEN if given is None else Path(given)
    if given is not None and not path.is_file():
        raise pytest.UsageError(f"--golden: there is no file {given}")
    cases = (
        json.loads(path.read_text(encoding="utf-8"))["cases"] if path.is_file() else []
    )
    if given is not None and not cases:
        raise pytest.UsageError(f"--golden: there are no cases in {given}")
    skipped = pytest.param(None, marks=pytest.mark.skip(reason=MISSING))
    metafunc.parametrize(
        "case", cases or [skipped], ids=[case["id"] for case in cases] or ["none"]
    )


def test_golden_case(case: Json) -> None:
    if case["kind"] == "hint":
        check_hint(case)
    else:
        assert case["kind"] == "reply", f"{case['id']} is neither a hint nor a reply"
        check_reply(case)


# hints


def check_hint(case: Json) -> None:
    wire = case["hint"]
    before = copy.deepcopy(wire)
    seen = decode(wire)
    assert wire == before, "reading changes nothing"
    expected = Hint if case.get("token_is_responder") else Watching
    assert isinstance(seen, expected)
    assert through_json(encode(seen, "upstream")) == wire
    spec = through_json(convert(wire, "spec"))
    assert spec == as_spec(wire, case["token_is_responder"])
    assert through_json(convert(spec, "upstream")) == without_what_spec_leaves_out(wire)
    extended = through_json(convert(wire, "extended"))
    assert {key: extended[key] for key in extended if key != "meta"} == spec
    assert through_json(convert(extended, "spec")) == spec


def through_json(view: Json) -> Json:
    """What a client reads of it."""
    return json.loads(json.dumps(view))


def can_be_carried_out(method: Json) -> bool:
    """Whether a method lists as many cards and players as it needs."""
    return len(method.get("cards", ())) >= method.get("card count", 0) and len(
        method.get("targets", ())
    ) >= method.get("target count", 0)


def without_what_spec_leaves_out(wire: Json) -> Json:
    """A hint of the original without methods that nobody can carry out, and without empty maps."""
    kept = copy.deepcopy(wire)
    if "methods" in kept:
        kept["methods"] = {
            name: method
            for name, method in kept["methods"].items()
            if can_be_carried_out(method)
        }
    return {
        key: value
        for key, value in kept.items()
        if key not in ("card", "methods") or value
    }


def as_spec(wire: Json, is_responder: bool) -> Json:
    """A hint of the original as the protocol page spells it, by the letter of the page."""
    spec = without_what_spec_leaves_out(wire)
    if is_responder:
        spec.setdefault("abort", "disallow")
    for entry in spec.get("card", {}).values():
        [entry["type"]] = entry.pop("require")
    return spec


# replies


def check_reply(case: Json) -> None:
    reply, answer = case["reply"], case["answer"]
    before = copy.deepcopy(reply)
    judged = judged_by_desk(case.get("hint_before"), reply)
    assert reply == before, "judging changes nothing"
    if answer["code"] == 200:
        if case["id"] in LOOSE:
            assert isinstance(judged, Refusal)
            return
        assert isinstance(judged, Judged), judged
        check_written_back(case, judged)
    elif allowed_by_the_lists(case.get("hint_before"), reply):
        assert isinstance(judged, Judged), judged
    else:
        assert isinstance(judged, Refusal), "the original refused it"
        family = family_of(answer["reason"])
        assert family == judged.family or is_unlike(judged, answer["reason"]), judged


def is_unlike(judged: Refusal, reason: str) -> bool:
    """Whether this is a place where the original is known to answer from another family."""
    if judged.kind == "missing_key" and judged.path != ("method",):
        return False
    if judged.kind == "card_not_offered" and not reason.rpartition(" ")[2].isdigit():
        return False
    return (judged.kind, family_of(reason)) in UNLIKE


def family_of(reason: str) -> str:
    """The family of one of the original's reasons: what stands before the colon."""
    return reason.partition(":")[0]


def judged_by_desk(wire: Json, reply: Json) -> Judged | Refusal:
    """The reply, judged on a desk that asks the hint's question; the reply's token is that of the hint's seat.

    Without a hint, or with a watcher's, it is the token of somebody who is not asked: only the envelope is judged.
    """
    seen = decode(wire) if wire is not None else Watching("discard", (0,))
    asked = seen.players[0] if isinstance(seen, Hint | Watching) else 0
    question = seen.question if isinstance(seen, Hint) else anything(seen)
    seats = asked + 2
    owner = asked if isinstance(seen, Hint) else asked + 1
    tokens: list[Any] = [f"seat {seat}" for seat in range(seats)]
    if isinstance(reply, dict) and isinstance(reply.get("token"), str | int):
        tokens[owner] = reply["token"]
    desk = Desk(Tokens(tokens, are_integers_allowed=True))
    desk.ask({asked: question})
    saved = desk.to_json()
    judged = desk.judge(reply)
    assert desk.to_json() == saved, "judging changes nothing"
    return judged


def anything(seen: Any) -> Question:
    """Some question of the kind that a watcher sees; it is not his to answer."""
    match seen.action:
        case "select character":
            return select_character(["Guan Yu"])
        case "region":
            return select_region(["onhand"])
        case "use":
            return use([], [confirm("fan")])
        case _:
            return discard([confirm("fan")])


def listed(value: Any) -> list[Any]:
    """What is in a list; nothing if it is none."""
    return value if isinstance(value, list) else []


def allowed_by_the_lists(wire: Json, reply: Json) -> bool:
    """Whether the hint itself allows a reply, by its schema."""
    seen = None if wire is None else decode(wire)
    if not isinstance(seen, Hint) or not isinstance(reply, dict):
        return False
    # 1.0 is an integer to a schema, and no id to us
    if any(type(item) is float for key in LISTS for item in listed(reply.get(key))):
        return False
    named = {**reply, "token": "a string"} if "token" in reply else reply
    schema = reply_schema(seen.question)
    return bool(Draft202012Validator(schema).is_valid(named))


def check_written_back(case: Json, judged: Judged) -> None:
    """An accepted reply, written in each dialect, is the same reply."""
    for dialect in DIALECTS:
        token = case["reply"]["token"]
        body = through_json(encode_reply(judged.reply, token, dialect, judged.seq))
        again = judged_by_desk(case["hint_before"], body)
        assert isinstance(again, Judged) and again.reply == judged.reply, dialect


# the runner itself


def shared_cases() -> dict[str, Json]:
    """The shared cases by id."""
    if not GOLDEN.is_file():
        pytest.skip(MISSING)
    cases = json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"]
    return {case["id"]: case for case in cases}


def test_a_reply_without_a_method_is_taken_leniently() -> None:
    """A10: the original does not look at the method of a `show`; we do not either if we are told so."""
    case = shared_cases()["A10"]
    seen = decode(case["hint_before"])
    assert isinstance(seen, Hint)
    assert isinstance(Validator(seen.question).check(case["reply"]), Refusal)
    lenient = Validator(seen.question, is_lenient=True)
    judged = lenient.check(case["reply"])
    assert not isinstance(judged, Refusal)
    assert judged.name == "show" and judged.cards == (6,)


def test_a_wrong_case_is_noticed() -> None:
    """The comparison itself: a reply with another card is not what was accepted, nor one refused without reason."""
    cases = shared_cases()
    spoilt = copy.deepcopy(cases["A03"])
    spoilt["reply"]["discard"] = [99]
    with pytest.raises(AssertionError):
        check_reply(spoilt)
    # a refusal that a schema does not see: 4.0 is an integer to it
    spoilt["reply"]["discard"] = [4.0]
    spoilt["answer"] = {"code": 400, "reason": "wrong argument: wrong cards"}
    check_reply(spoilt)
    spoilt = copy.deepcopy(cases["E26"])
    spoilt["answer"]["reason"] = "wrong argument: bad cards"
    with pytest.raises(AssertionError):
        check_reply(spoilt)
    spoilt = copy.deepcopy(cases["H03"])
    spoilt["token_is_responder"] = False
    with pytest.raises(AssertionError):
        check_hint(spoilt)
