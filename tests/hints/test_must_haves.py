"""M1 to M20 of hints.md, section 4.1: what the protocol asks of every server that speaks it."""

from __future__ import annotations

import copy
import itertools
import json
import random
from typing import Any

import pytest

from dealwright.runtime.hints import (
    Choices,
    Desk,
    Draft,
    Hint,
    HintError,
    Judged,
    Option,
    Question,
    Refused,
    Reply,
    Tokens,
    Validator,
    Watching,
    aim,
    confirm,
    decode,
    discard,
    encode,
    encode_reply,
    fix_cards,
    fix_targets,
    forbid,
    implicit,
    method,
    min_cards,
    questions_of,
    select_character,
    select_region,
    use,
    watching,
)
from dealwright.runtime.hints.errors import Refusal
from tests.hints import anyhint
from tests.hints.toys import Auction, HighCard
from tests.support import LONG, Json, as_bytes

CASES = 20_000 if LONG else 200

DRAGON = use(
    [aim(0, [2]), forbid(1)],
    [method("dragon heart", fix_cards(1, [1]), fix_targets(1, [2]))],
)
DODGE = discard([method("dodge", fix_cards(1, [4, 5, 6, 7]))], may_abort=True)
TWO = discard([method("discard", fix_cards(2, [0, 1, 2, 3, 8, 9]))])
GIVE = use(None, [method("give", min_cards(1, [10, 11, 12]), fix_targets(1, [1]))])


def judged(question: Question, body: Json) -> Reply | Refusal:
    """A reply, judged both ways, which have to agree."""
    before = copy.deepcopy(body)
    validator = Validator(question)
    quick = validator.check(body)
    assert quick == validator.judge.judge(body)
    assert same(body, before), "judging changes nothing"
    return quick


def same(one: Json, other: Json) -> bool:
    """Whether two values are alike, types and NaN included."""
    return repr(one) == repr(other)


def refused(question: Question, body: Json) -> str:
    """The kind of the refusal."""
    found = judged(question, body)
    assert isinstance(found, Refusal), found
    return found.kind


def accepted(question: Question, body: Json) -> Reply:
    """The reply, which has to be a good one."""
    found = judged(question, body)
    assert isinstance(found, Reply), found
    return found


def desk_of(*questions: Question, seats: int = 4, **options: Any) -> Desk:
    """A desk that asks the first seats these questions; the token of seat 2 is "t2"."""
    desk = Desk(Tokens([f"t{seat}" for seat in range(seats)]))
    desk.ask(dict(enumerate(questions)), **options)
    return desk


def test_m01_watchers_see_three_keys_whatever_the_responder_holds() -> None:
    rng = random.Random(1)
    for _ in range(CASES):
        asked = anyhint.question(rng)
        desk = desk_of(asked)
        expected = {"code": 200, "action": asked.action, "players": [0]}
        for dialect in ("spec", "upstream", "extended"):
            views = [
                desk.hint(token, dialect) for token in ("t1", "t2", "who", None, 7, [])
            ]
            assert {as_bytes(view) for view in views} == {as_bytes(expected)}


def test_m02_responders_see_whether_they_may_abort() -> None:
    questions = {
        "select character": select_character(["Guan Yu"]),
        "region": select_region(["onhand"]),
        "use": DRAGON,
        "discard": TWO,
    }
    for action, asked in questions.items():
        hint = encode(anyhint.hint(asked))
        assert list(hint)[:4] == ["code", "action", "players", "abort"]
        assert hint["action"] == action
        assert hint["abort"] == ("allow" if action == "use" else "disallow")


def test_m03_characters_are_private_and_players_leave_as_they_answer() -> None:
    for order in itertools.permutations((0, 1, 2)):
        desk = desk_of(
            *(
                select_character([f"{name} {seat}" for name in "ab"])
                for seat in range(3)
            )
        )
        left = [0, 1, 2]
        for seat in order:
            hint = desk.hint(f"t{seat}")
            assert hint["candidates"] == [f"a {seat}", f"b {seat}"]
            assert hint["players"] == left
            answer, closed = desk.answer({"token": f"t{seat}", "select": f"b {seat}"})
            assert answer == {"code": 200}
            assert [one.seat for one in closed] == [seat]
            left.remove(seat)
            if left:
                assert desk.hint(f"t{seat}") == {
                    "code": 200,
                    "action": "select character",
                    "players": left,
                }
        assert {seat: reply.name for seat, reply in desk.answers.items()} == {
            seat: f"b {seat}" for seat in range(3)
        }


def test_m04_regions_are_those_offered_and_no_others() -> None:
    asked = select_region(["onhand", "armor"])
    assert encode(anyhint.hint(asked))["regions"] == ["onhand", "armor"]
    assert accepted(asked, {"region": "armor"}).name == "armor"
    for wrong in ("weapon", "Armor", "", "onhand "):
        assert refused(asked, {"region": wrong}) == "region_not_offered"
    assert refused(asked, {}) == "missing_key"
    assert refused(asked, {"region": ["armor"]}) == "bad_type"
    assert refused(asked, {"region": None}) == "bad_type"


def test_m05_discard_has_methods_with_both_card_requirements() -> None:
    asked = discard(
        [
            method("slash", fix_cards(1, [0, 1, 2, 3])),
            method("give", min_cards(2, [4, 5, 6])),
        ]
    )
    assert encode(anyhint.hint(asked)) == {
        "code": 200,
        "action": "discard",
        "players": [0],
        "abort": "disallow",
        "methods": {
            "slash": {
                "require": ["fix card count"],
                "card count": 1,
                "cards": [0, 1, 2, 3],
            },
            "give": {
                "require": ["min card count"],
                "card count": 2,
                "cards": [4, 5, 6],
            },
        },
    }
    assert accepted(asked, {"method": "give", "discard": [6, 4, 5]}).cards == (6, 4, 5)
    assert refused(asked, {"method": "give", "discard": [6]}) == "card_count"
    assert refused(asked, {"method": "slash", "discard": [0, 1]}) == "card_count"
    assert refused(asked, {"method": "slash", "discard": [4]}) == "card_not_offered"


def test_m06_use_is_the_example_of_the_protocol_page() -> None:
    hint = encode(Hint((0,), DRAGON))
    assert hint["card"] == {
        "0": {"type": "fix target", "target count": 1, "targets": [2]},
        "1": {"type": "forbid"},
    }
    assert hint["methods"] == {
        "dragon heart": {
            "require": ["fix card count", "fix target"],
            "cards": [1],
            "card count": 1,
            "targets": [2],
            "target count": 1,
        }
    }
    body = {"action": "card", "use": [0], "players": [2]}
    assert accepted(DRAGON, body) == Reply("use", "card", (0,), (2,))
    body = {"action": "dragon heart", "use": [1], "players": [2]}
    assert accepted(DRAGON, body) == Reply("use", "dragon heart", (1,), (2,))
    equipment = use([implicit(5)])
    assert accepted(equipment, {"action": "card", "use": [5]}).targets == ()


def test_m07_a_minimum_joined_with_a_target_and_several_replies_in_one_decision() -> (
    None
):
    asked = GIVE
    body = {"action": "give", "use": [12, 10], "players": [1]}
    assert accepted(asked, body) == Reply("use", "give", (12, 10), (1,))
    assert refused(asked, {**body, "use": []}) == "card_count"
    desk = desk_of(asked)
    for cards in ([10], [11, 12]):
        body = {"token": "t0", "action": "give", "use": cards, "players": [1]}
        answer, _ = desk.answer(body)
        assert answer["code"] == 200
        left = [card for card in (10, 11, 12) if card not in cards and card != 10]
        if left:
            need = min_cards(1, left)
            desk.ask({0: use(None, [method("give", need, fix_targets(1, [1]))])})


def test_m08_both_spellings_are_read_and_conflicts_refused() -> None:
    for targets in ("players", "targets"):
        for name in ("action", "method"):
            body = {name: "dragon heart", "use": [1], targets: [2]}
            assert accepted(DRAGON, body).targets == (2,)
    body = {"action": "dragon heart", "method": "dragon heart", "use": [1]}
    body |= {"players": [2], "targets": [2]}
    assert accepted(DRAGON, body).name == "dragon heart"
    assert refused(DRAGON, body | {"method": "card"}) == "conflicting_keys"
    assert refused(DRAGON, body | {"targets": [3]}) == "conflicting_keys"
    assert accepted(DODGE, {"action": "dodge", "discard": [4]}).name == "dodge"
    region = select_region(["onhand"])
    assert accepted(region, {"action": "region", "region": "onhand"}).name == "onhand"
    assert (
        refused(region, {"action": "steal", "region": "onhand"}) == "conflicting_keys"
    )
    show = discard([method("show", fix_cards(1, [4, 5]))])
    assert refused(show, {"discard": [4]}) == "missing_key"
    assert isinstance(Validator(show, is_lenient=True).check({"discard": [4]}), Reply)
    both = discard([method("a", fix_cards(1, [4])), method("b", fix_cards(1, [4]))])
    assert isinstance(Validator(both, is_lenient=True).check({"discard": [4]}), Refusal)
    assert refused(DRAGON, {"action": "slash", "use": [0], "players": [2]}) == (
        "unknown_method"
    )


def test_m09_abort_counts_only_where_it_is_allowed() -> None:
    empty: Json = {"use": [], "discard": [], "targets": [], "players": []}
    for asked in (DRAGON, DODGE):
        for said in ({"method": "abort"}, {"action": "abort"}):
            assert accepted(asked, said).is_abort
            assert accepted(asked, {**said, **empty}).is_abort
            for key in empty:
                with_card = {**said, key: [4]}
                assert refused(asked, with_card) == "abort_with_payload"
                assert refused(asked, {**said, key: None}) == "abort_with_payload"
        both = {"method": "abort", "action": "abort"}
        assert accepted(asked, both).is_abort
        assert refused(asked, both | {"action": "dodge"}) == "conflicting_keys"
    for asked in (TWO, select_region(["a"]), select_character(["a"])):
        for said in ({"method": "abort"}, {"action": "abort"}):
            assert refused(asked, said) == "abort_not_allowed"
    region = select_region(["a"], may_abort=True)
    assert accepted(region, {"method": "abort"}) == Reply(
        "region", "abort", is_abort=True
    )
    assert refused(region, {"method": "abort", "region": "a"}) == "abort_with_payload"


def test_m10_unknown_tokens_and_players_who_are_not_asked_look_alike() -> None:
    desk = desk_of(DODGE)
    body = {"method": "dodge", "discard": [4]}
    answers = [
        desk.answer({**body, "token": token})[0]
        for token in ("t1", "t3", "who", "", None, 7, True, ["t0"], {"t0": 1}, "\ud800")
    ]
    assert len({as_bytes(answer) for answer in answers}) == 1
    assert answers[0]["reason"] == "player forbidden"
    answer, _ = desk.answer(body)
    assert answer["reason"] == "missing argument: token"
    for said, connected in (("t0", "t1"), ("t1", "t0"), ("who", "t0")):
        found = desk.judge({**body, "token": said}, connected)
        assert isinstance(found, Refusal) and found.kind == "player_forbidden"
    assert isinstance(desk.judge(body, "t0"), Judged)
    answer, _ = desk.answer({**body, "token": "t0"})
    assert answer == {"code": 200}
    answer, _ = desk.answer({**body, "token": "t0"})
    assert answer["reason"] == "wrong argument: no decision pending"


ODD: list[Json] = [4.0, True, "4", None, [4], {"4": 4}, -1, 99, 10**40]


def test_m10_where_nobody_may_watch_strangers_are_told_nothing() -> None:
    desk = Desk(Tokens(["t0", "t1"]), has_watchers=False)
    desk.ask({0: DODGE})
    assert desk.hint("who")["code"] == 400
    assert set(desk.hint("t1")) == {"code", "action", "players"}
    answers = [desk.answer({"token": token})[0] for token in ("who", "t1")]
    assert answers[0] == answers[1]
    for seq in (1, 0, "1", None, True):
        answers = [desk.answer({"token": token}, seq=seq)[0] for token in ("who", "t1")]
        assert answers[0] == answers[1]


@pytest.mark.parametrize("odd", ODD)
def test_m11_ids_are_integers_that_are_offered(odd: Json) -> None:
    expected = "card_not_offered" if type(odd) is int else "bad_type"
    assert refused(DODGE, {"method": "dodge", "discard": [odd]}) == expected
    assert refused(TWO, {"method": "discard", "discard": [0, odd]}) == expected
    body = {"action": "card", "use": [odd], "players": [2]}
    assert refused(DRAGON, body) == expected
    body = {"action": "card", "use": [0], "players": [odd]}
    aimed = expected.replace("card_", "target_")
    assert refused(DRAGON, body) == aimed


def test_m11_keys_that_mean_nothing_are_passed_over_or_refused_if_one_is_strict() -> (
    None
):
    body: Json = {"token": "t0", "meta": {"seq": 1}, "method": "dodge", "discard": [4]}
    strict = Validator(DODGE, is_strict=True)
    assert isinstance(strict.check(body), Reply)
    for extra in ("use", "select", "cards", ""):
        assert accepted(DODGE, {**body, extra: 1}) == Reply("discard", "dodge", (4,))
        found = strict.check({**body, extra: 1})
        assert isinstance(found, Refusal) and found.kind == "unknown_key"


def test_m11_refusals_name_the_key_that_was_sent() -> None:
    for aimed, said in (("players", "action"), ("targets", "method")):
        body: Json = {said: "card", "use": [0], aimed: [7]}
        found = judged(DRAGON, body)
        assert isinstance(found, Refusal) and found.path == (aimed, 0)
        found = judged(DRAGON, {**body, said: "spear"})
        assert isinstance(found, Refusal) and found.path == (said,)
        found = judged(DRAGON, {**body, aimed: [2, 2]})
        assert isinstance(found, Refusal) and found.path == (aimed, 1)


def test_m11_counts_membership_and_repeats() -> None:
    assert refused(TWO, {"method": "discard", "discard": [0, 0]}) == "duplicate_card"
    assert refused(TWO, {"method": "discard", "discard": [0, 0, 1]}) == "duplicate_card"
    assert refused(TWO, {"method": "discard", "discard": [0]}) == "card_count"
    assert refused(TWO, {"method": "discard", "discard": []}) == "card_count"
    assert refused(TWO, {"method": "discard", "discard": 0}) == "bad_type"
    assert refused(TWO, {"method": "discard"}) == "missing_key"
    assert refused(TWO, {"method": ["discard"], "discard": [0, 1]}) == "bad_type"
    assert refused(TWO, {"method": "slash", "discard": [0, 1]}) == "unknown_method"
    body: Json = {"action": "card", "use": [0], "players": [2]}
    for change, kind in (
        ({"players": [2, 2]}, "duplicate_target"),
        ({"players": []}, "target_count"),
        ({"players": [1]}, "target_not_offered"),
        ({"players": "2"}, "bad_type"),
        ({"use": [1]}, "card_forbidden"),
        ({"use": [7]}, "card_not_offered"),
        ({"use": [0, 1]}, "card_count"),
        ({"use": []}, "card_count"),
        ({"action": "abort"}, "abort_with_payload"),
    ):
        assert refused(DRAGON, {**body, **change}) == kind, change
    del body["players"]
    assert refused(DRAGON, body) == "missing_key"
    equipment = use([implicit(5)])
    body = {"action": "card", "use": [5], "players": [1]}
    assert refused(equipment, body) == "targets_not_allowed"
    fan = discard([confirm("fan")], may_abort=True)
    assert accepted(fan, {"method": "fan"}).cards == ()
    assert accepted(fan, {"method": "fan", "discard": []}).cards == ()
    assert refused(fan, {"method": "fan", "discard": [1]}) == "cards_not_allowed"


def test_m12_a_refusal_changes_nothing() -> None:
    rng = random.Random(12)
    for _ in range(CASES):
        asked = anyhint.question(rng)
        desk = desk_of(asked)
        choices = Choices(asked)
        body = encode_reply(choices.nth(rng.randrange(choices.count)), "t0")
        wrong = anyhint.near_miss(rng, body)
        saved, before = desk.to_json(), copy.deepcopy(wrong)
        answer, closed = desk.answer(wrong)
        assert same(wrong, before)
        if answer["code"] != 200:
            assert desk.to_json() == saved
            assert closed == []


def test_m12_the_two_inputs_that_broke_the_original() -> None:
    """Section 1.6: a card given away twice, and damage passed on to somebody who is dead."""
    assert refused(GIVE, {"action": "give", "use": [10, 10], "targets": [1]}) == (
        "duplicate_card"
    )
    scent = use(
        None, [method("heavenly scent", fix_cards(1, [2]), fix_targets(1, [1]))]
    )
    for dead in (3, 99):
        body = {"action": "heavenly scent", "use": [2], "targets": [dead]}
        assert refused(scent, body) == "target_not_offered"


def test_m13_no_json_value_raises_anything() -> None:
    rng = random.Random(13)
    for number in range(CASES * 5):
        asked = anyhint.question(rng)
        body = anyhint.value(rng, 4)
        if number % 2 and isinstance(body, dict):
            body["token"] = "t0"
        found = judged(asked, body)
        assert isinstance(found, Reply | Refusal)
        desk = desk_of(asked)
        answer, _ = desk.answer(body, seq=anyhint.value(rng, 1))
        json.dumps(answer).encode()


def test_m13_deep_and_huge_values_are_refused_like_others() -> None:
    deep: Json = []
    for _ in range(900):
        deep = [deep]
    other: Json = []
    for _ in range(900):
        other = [other]
    for asked in (DRAGON, TWO, select_region(["a"])):
        check = Validator(asked).check
        for key in ("method", "action", "discard", "use", "players", "region"):
            assert isinstance(check({key: deep}), Refusal)
        twice = {"method": deep, "action": other, "targets": deep, "players": other}
        assert isinstance(check(twice), Refusal)
        assert isinstance(check({"method": "x" * 10**6}), Refusal)
    many = {"method": "discard", "discard": list(range(10**5))}
    found = judged(TWO, many)
    assert isinstance(found, Refusal)
    assert (
        len(json.dumps(found.to_json())) < 2_000
    ), "a refusal is not as long as a reply"


def test_m14_refusals_say_what_and_where() -> None:
    found = judged(TWO, {"method": "discard", "discard": [0, 7]})
    assert isinstance(found, Refusal)
    assert found.to_json() == {
        "code": 400,
        "reason": "wrong argument: that card is not offered for this",
        "error": {
            "kind": "card_not_offered",
            "path": ["discard", 1],
            "sentence": "that card is not offered for this",
            "values": {"sent": 7, "offered": [0, 1, 2, 3, 8, 9]},
        },
    }
    found = judged(DRAGON, {"action": "card", "use": [0]})
    assert isinstance(found, Refusal)
    assert found.reason() == "missing argument: players"
    assert found.reason("upstream") == "missing argument: targets"
    found = judged(DRAGON, {"action": "slash", "use": [0]})
    assert isinstance(found, Refusal) and found.reason() == "incorrect interface"
    found = judged(TWO, {"method": "slash", "discard": [0]})
    assert isinstance(found, Refusal) and found.family == "wrong argument"
    quoted = judged(DODGE, {"method": "dodge", "discard": ["4"]})
    assert isinstance(quoted, Refusal)
    assert "integers, like 7, not '4'" in quoted.sentence


def implied(asked: Question) -> set[tuple[str, frozenset[int], frozenset[int], bool]]:
    """All replies that the hint implies, by the letter of the protocol page and not by the code under test."""
    wire: Json = json.loads(json.dumps(encode(anyhint.hint(asked))))
    found: set[tuple[str, frozenset[int], frozenset[int], bool]] = set()
    nothing: frozenset[int] = frozenset()
    if wire["abort"] == "allow":
        found.add(("abort", nothing, nothing, True))
    for name in (*wire.get("candidates", ()), *wire.get("regions", ())):
        found.add((name, nothing, nothing, False))
    for card, entry in wire.get("card", {}).items():
        if entry["type"] == "implicit target":
            found.add(("card", frozenset([int(card)]), nothing, False))
        elif entry["type"] == "fix target":
            for aimed in itertools.combinations(
                entry["targets"], entry["target count"]
            ):
                found.add(("card", frozenset([int(card)]), frozenset(aimed), False))
    for name, entry in wire.get("methods", {}).items():
        least = entry.get("card count", 0)
        most = least
        if "min card count" in entry["require"]:
            most = min(len(entry["cards"]), most_of(asked, name) or len(entry["cards"]))
        for size in range(least, most + 1):
            for cards in itertools.combinations(entry.get("cards", ()), size):
                for aimed in itertools.combinations(
                    entry.get("targets", ()), entry.get("target count", 0)
                ):
                    found.add((name, frozenset(cards), frozenset(aimed), False))
    return found


def most_of(asked: Question, name: str) -> int | None:
    """What the protocol page cannot say: how many cards at most."""
    wire: Json = encode(anyhint.hint(asked), "extended")
    found: int | None = (
        wire["meta"].get("methods", {}).get(name, {}).get("max card count")
    )
    return found


def test_m15_what_a_hint_implies_is_what_is_accepted() -> None:
    """Both ways: every implied reply is accepted, and of all replies over small lists no other is."""
    rng = random.Random(15)
    for _ in range(CASES // 2):
        asked = anyhint.question(rng)
        expected = implied(asked)
        listed = list(Choices(asked))
        assert len(listed) == Choices(asked).count == len(expected)
        assert {
            (
                reply.name,
                frozenset(reply.cards),
                frozenset(reply.targets),
                reply.is_abort,
            )
            for reply in listed
        } == expected
        for reply in listed:
            assert accepted(asked, encode_reply(reply)) == reply
        for _ in range(20):
            base = encode_reply(rng.choice(listed))
            found = judged(asked, anyhint.near_miss(rng, base))
            if isinstance(found, Reply):
                key = found.name, frozenset(found.cards), frozenset(found.targets)
                assert (*key, found.is_abort) in expected


def test_m16_keys_of_cards_are_strings_on_the_wire_and_integers_inside() -> None:
    rng = random.Random(16)
    for _ in range(CASES):
        hint = anyhint.hint(anyhint.question(rng))
        for dialect in ("spec", "upstream", "extended"):
            view = encode(hint, dialect)
            there = json.loads(json.dumps(view))
            assert there == view, "JSON keeps all of it"
            assert encode(decode(there), dialect) == view
    in_process = {
        "code": 200,
        "action": "use",
        "players": [0],
        "abort": "allow",
        "card": {3: {"type": "forbid"}},
    }
    assert decode(in_process) == Hint((0,), use([forbid(3)]))
    for key in ("01", "+1", " 1", "1.0", "-1", "", "１", "x", -1, 1.0, True):
        with pytest.raises(HintError, match="a card's key is its number"):
            decode({**in_process, "card": {key: {"type": "forbid"}}})
    twice = {3: {"type": "forbid"}, "3": {"type": "forbid"}}
    with pytest.raises(HintError, match="twice"):
        decode({**in_process, "card": twice})


def test_m17_a_hidden_hand_changes_nothing_for_anybody_else() -> None:
    rng = random.Random(17)
    for _ in range(CASES):
        first, second = HighCard.dealt(rng), HighCard.dealt(rng)
        second.hands[0] = list(first.hands[0])
        second.lead = first.lead
        asked = questions_of(first), questions_of(second)
        views = []
        for game, questions in zip((first, second), asked, strict=True):
            desk = Desk(Tokens(["a", "b"]))
            desk.ask(questions)
            views.append(desk.hint("nobody"))
            seat = game.responders()[0]
            if seat == 0:
                views[-1] = desk.hint("a", "extended", is_explained=True)
        assert as_bytes(views[0]) == as_bytes(views[1])


def test_m18_what_cannot_be_carried_out_is_never_offered() -> None:
    none = discard([method("dodge", fix_cards(1, []))], may_abort=True)
    hint = encode(anyhint.hint(none))
    assert "methods" not in hint and hint["abort"] == "allow"
    wire: Json = encode(anyhint.hint(none), "upstream")
    assert wire["methods"]["dodge"]["cards"] == []
    found = judged(none, {"method": "dodge", "discard": []})
    assert isinstance(found, Refusal) and found.kind == "unsatisfiable_method"
    assert found.sentence == "needs 1, 0 offered"
    for hopeless in (
        lambda: discard([method("show", fix_cards(2, [1]))]),
        lambda: use([forbid(1)], may_abort=False),
        lambda: use([aim(1, [], 1)], may_abort=False),
        lambda: discard([]),
    ):
        with pytest.raises(HintError) as caught:
            hopeless()
        assert caught.value.code == "unanswerable"
    rng = random.Random(18)
    for _ in range(CASES):
        assert implied(anyhint.question(rng)), "there is always something to reply"


def pick(draft: Draft, reply: Reply) -> None:
    """Put a reply together step by step, asking at each step whether it is offered."""
    card = reply.cards[0] if reply.name == "card" and reply.action == "use" else None
    if reply.is_abort:
        draft.choose_abort()
    elif reply.action in ("region", "select character"):
        what = "region" if reply.action == "region" else "character"
        draft.choose(Option(what, reply.name))  # type: ignore[arg-type]  # one of the two
    elif card is not None:
        draft.choose_card(card)
    else:
        draft.choose_method(reply.name)
    for wanted in reply.cards if card is None else ():
        assert not draft.is_complete or draft.selectable_cards()
        assert wanted in draft.selectable_cards()
        draft.pick_card(wanted)
    for wanted in reply.targets:
        assert not draft.is_complete
        assert wanted in draft.selectable_targets()
        draft.pick_target(wanted)


def test_m19_the_client_side_reaches_every_reply_and_no_other() -> None:
    rng = random.Random(19)
    for _ in range(CASES // 4):
        asked = anyhint.question(rng)
        seen = decode(json.loads(json.dumps(encode(anyhint.hint(asked), "extended"))))
        assert isinstance(seen, Hint)
        for reply in Choices(asked).sample(20, 19):
            draft = Draft(seen)
            assert draft.missing()[0].what == "choice"
            pick(draft, reply)
            assert draft.is_complete and draft.missing() == []
            assert accepted(asked, draft.encode("t0")) == reply
            assert draft.encode("t0", "extended")["meta"] == {"seq": 1}


def kind_of(action: Any) -> str:
    """The kind with which the client side refuses."""
    with pytest.raises(Refused) as caught:
        action()
    return caught.value.refusal.kind


def test_m19_the_client_side_refuses_as_the_server_does() -> None:
    draft = Draft(Hint((0,), DRAGON))
    assert draft.options() == [
        Option("card", "card", 0),
        Option("method", "dragon heart"),
        Option("abort", "abort"),
    ]
    assert kind_of(draft.reply) == "missing_key"
    assert kind_of(lambda: draft.choose_card(1)) == "card_forbidden"
    assert kind_of(lambda: draft.choose_card(9)) == "card_not_offered"
    assert kind_of(lambda: draft.choose_method("slash")) == "unknown_method"
    draft.choose_method("dragon heart")
    assert [(lack.what, lack.least) for lack in draft.missing()] == [
        ("cards", 1),
        ("targets", 1),
    ]
    assert kind_of(lambda: draft.pick_card(0)) == "card_not_offered"
    assert kind_of(lambda: draft.pick_target(1)) == "target_not_offered"
    assert kind_of(draft.reply) == "card_count"
    draft.pick_card(1)
    assert kind_of(lambda: draft.pick_card(1)) == "duplicate_card"
    assert kind_of(draft.reply) == "target_count"
    draft.pick_target(2)
    draft.unpick(card=1)
    assert draft.selectable_cards() == [1] and not draft.is_complete
    draft.choose_card(0)
    assert kind_of(lambda: draft.pick_card(0)) == "cards_not_allowed"
    assert kind_of(lambda: Draft(Hint((0,), TWO)).choose_abort()) == "abort_not_allowed"
    two = Draft(Hint((0,), TWO))
    two.choose_method("discard")
    two.pick_card(0)
    two.pick_card(1)
    assert two.selectable_cards() == []
    assert kind_of(lambda: two.pick_card(2)) == "card_count"
    assert kind_of(lambda: two.pick_target(2)) == "targets_not_allowed"


def test_m19_an_unknown_requirement_spoils_its_own_method_only() -> None:
    wire: Json = encode(anyhint.hint(DODGE))
    odd = {"require": ["max suits"], "suits": 2}
    wire["methods"]["odd"] = odd
    seen = decode(wire)
    assert isinstance(seen, Hint)
    draft = Draft(seen)
    with pytest.raises(HintError) as caught:
        draft.choose_method("odd")
    assert caught.value.code == "unsupported_requirement"
    draft.choose_method("dodge")
    draft.pick_card(4)
    assert draft.encode() == {"method": "dodge", "discard": [4]}
    assert encode(seen)["methods"] == wire["methods"], "it is written back as it came"


def test_m20_two_toy_games_get_their_hints_from_the_adapter() -> None:
    rng = random.Random(20)
    for game in (HighCard.dealt(rng), Auction(3, rng)):
        desk = Desk(Tokens(["a", "b", "c"]))
        steps = 0
        while not game.is_over():
            asked = questions_of(game)
            assert set(asked) == set(game.responders())
            desk.ask(asked)
            for seat in game.responders():
                reply = Choices(asked[seat]).draw(rng)
                body = encode_reply(reply, "abc"[seat])
                answer, _ = desk.answer(body, apply=game.apply)
                assert answer == {"code": 200}, "what is offered is allowed"
            steps += 1
            assert steps < 100
    assert watching(Hint((0,), TWO)) == Watching("discard", (0,))
