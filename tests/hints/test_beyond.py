"""B1 to B8, B10, B11 and B15 of hints.md, section 4.2: what goes beyond the protocol page."""

from __future__ import annotations

import copy
import itertools
import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dealwright.runtime.hints import (
    DIALECTS,
    Choices,
    Combos,
    Desk,
    Draft,
    Hint,
    HintError,
    Judged,
    Note,
    Question,
    Record,
    Recorder,
    Refused,
    Reply,
    Tokens,
    Validator,
    aim,
    confirm,
    convert,
    decode,
    default_reply,
    discard,
    encode,
    encode_reply,
    fix_cards,
    fix_targets,
    forbid,
    implicit,
    method,
    min_cards,
    new_tokens,
    replay,
    reply_schema,
    schema,
    select_character,
    select_region,
    typescript,
    use,
)
from dealwright.runtime.hints.errors import Refusal
from dealwright.runtime.hints.record import from_golden, read_lines
from tests.hints import anyhint
from tests.hints.test_must_haves import DODGE, DRAGON, TWO, desk_of, implied
from tests.support import LONG, Json, as_bytes

CASES = 20_000 if LONG else 150


def body(card: int, token: str = "t0") -> Json:
    """A dodge."""
    return {"token": token, "method": "dodge", "discard": [card]}


def refusal(desk: Desk, reply: Json, **arguments: Any) -> Refusal:
    """Why a reply is refused."""
    found = desk.judge(reply, **arguments)
    assert isinstance(found, Refusal), found
    return found


def test_b1_late_and_repeated_replies() -> None:
    desk = desk_of(DODGE)
    assert desk.answer(body(4), seq=1)[0] == {"code": 200}
    after = desk.to_json()
    # a retry under lag: the same answer again, without effect, even when nobody is asked any more
    answer, closed = desk.answer(body(4), seq=1)
    assert answer == {"code": 200} and closed == []
    assert refusal(desk, body(5), seq=1).kind == "duplicate_reply"
    assert desk.to_json() == after
    desk.ask({0: DODGE})
    assert desk.hint("t0", "extended")["meta"] == {"version": 1, "seq": 2}
    assert isinstance(desk.judge(body(4), seq=2), Judged)
    repeat = desk.judge(body(4), seq=1)
    assert isinstance(repeat, Judged) and repeat.is_repeat
    assert refusal(desk, body(5), seq=1).kind == "duplicate_reply"
    assert refusal(desk, body(5), seq=7).kind == "stale_hint"
    assert refusal(desk, body(5), seq="2").kind == "bad_type"
    desk.answer(body(5), seq=2)
    desk.ask({0: DODGE})
    assert refusal(desk, body(4), seq=1).kind == "stale_hint"
    # in the extended dialect the reply itself says it
    said = {**body(4), "meta": {"seq": 1}}
    assert refusal(desk, said).kind == "stale_hint"
    assert isinstance(desk.judge({**said, "meta": {"seq": 3}}), Judged)
    # on the protocol page there are no numbers: the hint in force decides
    assert isinstance(desk.judge(body(6)), Judged)


def test_b1_numbers_are_counted_for_each_seat() -> None:
    desk = desk_of(*[select_character(["a", "b"])] * 3)
    for seat in (2, 0, 1):
        assert desk.answer({"token": f"t{seat}", "select": "a"}, seq=1)[0] == {
            "code": 200
        }
    desk.ask({1: DODGE})
    assert isinstance(desk.judge(body(4, "t1"), seq=2), Judged)
    # a number tells a stranger nothing about who is asked
    strangers = [desk.answer(body(4, token), seq=2)[0] for token in ("t0", "who")]
    assert strangers[0] == strangers[1]


def test_b1_a_reply_to_what_has_expired_is_stale_even_if_it_is_the_same() -> None:
    desk = desk_of(DODGE, limit=10, now=100)
    [closed] = desk.expire(110)
    assert closed.why == "expired" and closed.reply is not None
    late = {"token": "t0", "method": "abort"}
    assert refusal(desk, late, seq=1).kind == "stale_hint"
    desk.ask({0: DODGE})
    assert refusal(desk, late, seq=1).kind == "stale_hint"


def test_b2_validator_enumerator_client_and_schema_agree() -> None:
    rng = random.Random(2)
    for _ in range(CASES):
        asked = anyhint.question(rng)
        listed = set(Choices(asked))
        check = Validator(asked).check
        allowed = Draft202012Validator(reply_schema(asked))
        for reply in list(listed)[:30]:
            good = encode_reply(reply, "t0")
            assert check(good) == reply
            assert allowed.is_valid(good)
            wrong = anyhint.near_miss(rng, good)
            if is_plain(wrong):
                assert allowed.is_valid(wrong) == isinstance(check(wrong), Reply), wrong


def is_plain(reply: Json) -> bool:
    """Whether a schema can judge it: no 4.0 for 4, no targets under both keys, and with a token."""
    has_floats = ".0" in repr(reply) or "1e" in repr(reply)
    return (
        type(reply.get("token")) is str
        and not has_floats
        and not ("players" in reply and "targets" in reply)
    )


def test_b3_defaults_pass_the_validator_and_are_stated() -> None:
    rng = random.Random(3)
    for _ in range(CASES):
        asked = anyhint.question(rng)
        default = default_reply(asked)
        assert default is not None
        assert default.is_abort == asked.may_abort
        assert Validator(asked).check(encode_reply(default)) == default
    assert default_reply(DRAGON) == Reply("use", "abort", is_abort=True)
    stated = {
        select_region(["weapon", "armor"]): Reply("region", "weapon"),
        discard([method("discard", fix_cards(2, [9, 3, 8]))]): Reply(
            "discard", "discard", (3, 8)
        ),
        use([implicit(7), aim(2, [4, 1]), forbid(0)], may_abort=False): Reply(
            "use", "card", (2,), (1,)
        ),
        discard([confirm("b"), confirm("a")]): Reply("discard", "a"),
    }
    for asked, expected in stated.items():
        assert default_reply(asked) == expected


def test_b3_deadlines_come_from_the_callers_clock() -> None:
    desk = desk_of(TWO, limit=30, now=1000.0)
    assert desk.deadline == 1030.0
    assert desk.hint("t0", "extended")["meta"] == {
        "version": 1,
        "seq": 1,
        "deadline": 1030.0,
    }
    assert desk.expire(1029.9) == [] and desk.is_waiting
    [closed] = desk.expire(1030.0)
    assert closed.reply == Reply("discard", "discard", (0, 1))
    assert desk.answers == {0: closed.reply} and not desk.is_waiting
    assert desk.expire(5000) == []
    # without a word about the time, it begins to run when somebody says what time it is
    desk.ask({0: TWO}, limit=5, defaults={0: Reply("discard", "discard", (8, 9))})
    assert desk.deadline is None
    assert desk.expire(2000) == [] and desk.deadline == 2005
    assert desk.expire(2006)[0].reply == Reply("discard", "discard", (8, 9))
    with pytest.raises(HintError) as caught:
        desk.ask({0: TWO}, defaults={0: Reply("discard", "discard", (8, 77))})
    assert caught.value.code == "bad_reply"
    assert not desk.is_waiting, "nothing was asked"


def test_b4_a_refusal_brings_the_hint_in_force() -> None:
    desk = desk_of(DODGE)
    for dialect in DIALECTS:
        answer: Json = desk.answer(body(9), dialect=dialect)[0]
        assert answer["error"]["hint"] == desk.hint("t0", dialect)
        answer = desk.answer(body(4, "t1"), dialect=dialect)[0]
        assert answer["error"]["hint"] == desk.hint("nobody", dialect)


def test_b5_asking_again_is_the_same_and_a_saved_desk_goes_on() -> None:
    rng = random.Random(5)
    for number in range(CASES):
        asked = anyhint.question(rng)
        note = Note("show", 1, number, 2, ((3, "too far"),), (("slash", "used"),))
        asked = Question(asked.detail, asked.may_abort, note)
        desk = desk_of(asked, limit=9, now=number)
        views = [desk.hint("t0", "extended", is_explained=True) for _ in range(2)]
        assert as_bytes(views[0]) == as_bytes(views[1])
        saved = desk.to_json()
        again = Desk.from_json(json.loads(json.dumps(saved)))
        assert again.to_json() == saved
        assert again.hint("t0", "extended", is_explained=True) == views[0]
        assert again.open[0].question == asked, "nothing is lost"
        reply = encode_reply(Choices(asked).draw(rng), "t0")
        assert again.answer(reply, seq=1)[0] == desk.answer(reply, seq=1)[0]
        assert again.to_json() == desk.to_json()


def test_b5_a_refreshed_question_keeps_its_number() -> None:
    """The limits of a game live in the game: it may say the question anew, and what is no longer allowed is gone."""
    desk = desk_of(DRAGON, limit=7, now=1)
    desk.refresh({0: use([forbid(0), forbid(1)])})
    hint: Json = desk.hint("t0", "extended")
    assert hint["card"]["0"] == {"type": "forbid"} and hint["meta"]["seq"] == 1
    spent = {"token": "t0", "action": "card", "use": [0], "players": [2]}
    assert refusal(desk, spent).kind == "card_forbidden"
    assert desk.deadline == 8
    with pytest.raises(HintError):
        desk.refresh({0: TWO})
    with pytest.raises(HintError):
        desk.refresh({1: DRAGON})


def spoilt(rng: random.Random, state: Json) -> Json:
    """A saved desk with something changed somewhere."""
    state = copy.deepcopy(state)
    place: Json = state
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return state
        key = rng.choice(keys)
        inside = place[key]
        if isinstance(inside, dict | list) and inside and rng.random() < 0.8:
            place = inside
            continue
        if isinstance(place, dict) and rng.random() < 0.3:
            del place[key]
        else:
            place[key] = anyhint.value(rng, 1)
        return state


def test_b5_a_damaged_desk_is_refused() -> None:
    rng = random.Random(55)
    for _ in range(CASES):
        desk = desk_of(TWO)
        desk.answer({"token": "t0", "method": "discard", "discard": [0, 1]})
        desk.ask({0: anyhint.question(rng)}, limit=3, now=1)
        state = spoilt(rng, desk.to_json())
        try:
            other = Desk.from_json(state)
        except HintError as error:
            assert error.code == "bad_state"
        else:
            # what is read back must be a desk that works
            other.hint("t0", "extended")
            other.answer({"token": "t0", "method": "abort"}, seq=1)
            json.dumps(other.to_json())


def test_b5_tokens_are_kept_as_hashes_only() -> None:
    tokens = new_tokens(4)
    assert len(set(tokens)) == 4 and min(map(len, tokens)) >= 32
    desk = Desk(Tokens(tokens))
    desk.ask({2: TWO})
    text = json.dumps(desk.to_json())
    assert not any(token in text for token in tokens)
    assert desk.tokens.seat(tokens[2]) == 2
    assert desk.tokens.seat(desk.to_json()["tokens"][2]) is None  # type: ignore[index]
    for wrong in (["a", "a"], [""], [1], [None], "ab", 5):
        with pytest.raises(HintError):
            Tokens(wrong)  # type: ignore[arg-type]
    assert Tokens([91, "91x"], are_integers_allowed=True).seat(91) == 0


def test_b6_replies_are_counted_numbered_and_drawn() -> None:
    rng = random.Random(6)
    for _ in range(CASES):
        asked = anyhint.question(rng)
        choices = Choices(asked)
        listed = list(choices)
        assert choices.count == len(listed) == len(implied(asked))
        assert [choices.nth(index) for index in range(choices.count)] == listed
        for index, reply in enumerate(listed):
            cards = tuple(rng.sample(reply.cards, len(reply.cards)))
            assert choices.index(reply._replace(cards=cards)) == index
        sample = choices.sample(5, 6)
        assert sample == choices.sample(5, 6)
        assert len(set(sample)) == min(5, choices.count)
        for wrong in (-1, choices.count, True, "0"):
            with pytest.raises(HintError):
                choices.nth(wrong)  # type: ignore[arg-type]
        with pytest.raises(HintError):
            choices.index(Reply(asked.action, "nothing of the kind"))


def test_b6_what_could_never_be_listed_is_counted() -> None:
    asked = use(
        [aim(card, range(40), 20) for card in range(40)],
        [method("give", min_cards(1, range(200)), fix_targets(20, range(40)))],
    )
    choices = Choices(asked)
    ways = 137846528820  # 20 of 40
    assert choices.count == 1 + 40 * ways + (2**200 - 1) * ways
    for index in (0, 1, ways, choices.count // 2, choices.count - 1):
        reply = choices.nth(index)
        assert choices.index(reply) == index
        assert Validator(asked).check(encode_reply(reply)) == reply
    assert len(list(itertools.islice(choices, 100))) == 100
    assert len(set(choices.sample(50, 1))) == 50


PAIRS = Combos(((1, 5, 9), (2, 6), (3,)), ((2, 0, 0), (0, 2, 0)))


def test_b6_groups_say_exactly_which_cards_go_together() -> None:
    need = fix_cards(2, [1, 2, 3, 5, 6, 9], PAIRS)
    asked = discard([method("pair", need)], may_abort=True)
    pairs = [(1, 5), (1, 9), (5, 9), (2, 6)]
    assert [reply.cards for reply in Choices(asked)] == [(), *pairs]
    assert Choices(asked).index(Reply("discard", "pair", (6, 2))) == 4
    view: Json = encode(Hint((0,), asked), "extended")
    assert view["meta"]["methods"]["pair"]["groups"] == [[1, 5, 9], [2, 6], [3]]
    seen = decode(json.loads(json.dumps(view)))
    assert seen == Hint((0,), asked)
    assert isinstance(seen, Hint)
    draft = Draft(seen)
    draft.choose_method("pair")
    assert draft.selectable_cards() == [1, 2, 5, 6, 9], "no pair with the third"
    draft.pick_card(2)
    assert draft.selectable_cards() == [6]
    with pytest.raises(Refused):
        draft.pick_card(1)
    draft.pick_card(6)
    assert draft.encode() == {"method": "pair", "discard": [2, 6]}
    # the page cannot say it, so the rule has the last word on the others
    assert isinstance(
        Validator(asked).check({"method": "pair", "discard": [1, 2]}), Reply
    )
    for groups, picks in (
        (((1, 5), (2,)), ((2, 0),)),
        (((1, 5, 9, 2, 6, 3),), ((3,),)),
        (((1, 5, 9, 2, 6, 3),), ((2,), (2,))),
        (((1, 5, 9, 2, 6, 3), ()), ((2, 0),)),
        (((1, 5, 9), (2, 6), (3,)), ((0, 1, 2),)),
    ):
        with pytest.raises(HintError):
            fix_cards(2, [1, 2, 3, 5, 6, 9], Combos(groups, picks))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_b7_all_hints_replies_and_answers_fit_their_schema(dialect: Any) -> None:
    hints, replies, answers = (
        Draft202012Validator(schema(name, dialect))
        for name in ("Hint", "Reply", "Answer")
    )
    for checker in (hints, replies, answers):
        Draft202012Validator.check_schema(checker.schema)
    rng = random.Random(7)
    desk = desk_of(TWO)
    desk.withdraw()
    hints.validate(desk.hint("t0", dialect))
    for _ in range(CASES // 3):
        asked = anyhint.question(rng)
        desk = desk_of(asked, limit=2, now=3)
        for token in ("t0", "t1"):
            hints.validate(desk.hint(token, dialect))
        hints.validate(desk.hint("t0", dialect, is_explained=True))
        reply = encode_reply(Choices(asked).draw(rng), "t0", dialect, 1)
        replies.validate(reply)
        wrong = anyhint.near_miss(rng, reply)
        for sent in (wrong, reply):
            answers.validate(
                json.loads(json.dumps(desk.answer(sent, dialect=dialect)[0]))
            )


def test_b7_the_schema_of_hints_refuses_what_is_none() -> None:
    checker = Draft202012Validator(schema("Hint"))
    hint: Json = encode(Hint((0,), DRAGON))
    for change in (
        {"abort": "maybe"},
        {"action": "discard"},
        {"card": {"01": {"type": "forbid"}}},
        {"card": {"1": {"type": "forbid", "targets": [1]}}},
        {"card": {"1": {"type": "fix target", "target count": 1}}},
        {"methods": {"a": {"require": ["forbid", "fix target"]}}},
        {
            "methods": {
                "a": {"require": ["fix card count"], "card count": 0, "cards": []}
            }
        },
        {"players": [0, 0]},
        {"secret": 1},
    ):
        assert not checker.is_valid({**hint, **change}), change
    with pytest.raises(HintError):
        schema("Nothing")
    with pytest.raises(HintError):
        schema("Hint", "klingon")


USAGE = """
import type { Hint, Reply, Answer } from "./hints";

export function first(hint: Hint, token: string): Reply | undefined {
  if (hint.code !== 200 || !("abort" in hint)) return undefined;
  switch (hint.action) {
    case "select character":
      return { token, select: hint.candidates[0] ?? "" };
    case "region":
      return { token, region: hint.regions[0] ?? "" };
    case "discard":
      for (const [method, need] of Object.entries(hint.methods ?? {})) {
        if ("card count" in need) {
          return { token, method, discard: need.cards.slice(0, need["card count"]) };
        }
        return { token, method };
      }
      return { token, method: "abort" };
    case "use":
      for (const [card, entry] of Object.entries(hint.card ?? {})) {
        if (entry.type === "fix target") {
          return { token, action: "card", use: [Number(card)], players: entry.targets.slice(0, 1) };
        }
      }
      return { token, method: "abort" };
  }
}

export const why = (answer: Answer): string => (answer.code === 400 ? answer.reason : "");
"""

MISUSE = """
import type { Hint } from "./hints";
export const wrong: Hint = { code: 200, action: "region", players: [0], abort: "perhaps", regions: [] };
"""


def tsc() -> list[str] | None:
    """How to run the TypeScript compiler here; None if there is none. Nothing is downloaded."""
    if (found := shutil.which("tsc")) is not None:
        return [found]
    npx = shutil.which("npx")
    if npx is None:
        return None
    command = [npx, "--offline", "--yes", "--package", "typescript", "tsc"]
    try:
        done = subprocess.run([*command, "--version"], capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return command if done.returncode == 0 else None


def test_b7_typescript_takes_the_types(tmp_path: Path) -> None:
    command = tsc()
    if command is None:
        pytest.skip("tsc is not installed, and npx has no typescript at hand")
    (tmp_path / "hints.ts").write_text(typescript(), encoding="utf-8")
    (tmp_path / "usage.ts").write_text(USAGE, encoding="utf-8")
    (tmp_path / "misuse.ts").write_text(MISUSE, encoding="utf-8")
    for dialect in DIALECTS:
        (tmp_path / f"{dialect}.ts").write_text(typescript(dialect), encoding="utf-8")
    good = ["usage.ts", *(f"{dialect}.ts" for dialect in DIALECTS)]
    options = [
        "--strict",
        "--noEmit",
        "--noUncheckedIndexedAccess",
        "--target",
        "es2020",
    ]
    for files, is_right in ((good, True), (["misuse.ts"], False)):
        done = subprocess.run(
            [*command, *options, *files],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert (done.returncode == 0) == is_right, done.stdout
        assert is_right or "abort" in done.stdout


def test_b8_every_dialect_can_be_had_from_every_other() -> None:
    rng = random.Random(8)
    for _ in range(CASES):
        asked = anyhint.question(rng)
        views = {dialect: encode(anyhint.hint(asked), dialect) for dialect in DIALECTS}
        for dialect in ("spec", "upstream"):
            assert convert(views["extended"], dialect) == convert(
                views["spec"], dialect
            )
        assert convert(views["upstream"], "spec") == views["spec"]
        spec = {key: value for key, value in views["extended"].items() if key != "meta"}
        assert spec == views["spec"], "extended is spec with one key more"
        for reply in Choices(asked).sample(3, 8):
            for dialect in DIALECTS:
                sent = encode_reply(reply, "t0", dialect, 1)
                assert Validator(asked).check(sent) == reply
    meta: Json = encode(Hint((0,), TWO, 4, 2.5), "extended")["meta"]
    assert meta == {"version": 1, "seq": 4, "deadline": 2.5}
    targets = Reply("use", "card", (0,), (2,))
    assert "players" in encode_reply(targets) and "targets" not in encode_reply(targets)
    assert "targets" in encode_reply(targets, dialect="upstream")
    abort = Reply("use", "abort", is_abort=True)
    assert encode_reply(abort) == {"method": "abort"}
    assert encode_reply(abort, dialect="upstream") == {"action": "abort"}
    for wrong in ("", "Spec", "klingon"):
        with pytest.raises(HintError):
            encode(Hint((0,), TWO), wrong)
        with pytest.raises(HintError):
            encode_reply(abort, dialect=wrong)  # type: ignore[arg-type]


def test_b10_reasons_are_for_the_owner_and_only_if_he_asks() -> None:
    note = Note(
        purpose="play",
        why_cards=((1, "nobody is in range"),),
        why_methods=(("dragon heart", "used already"),),
    )
    desk = desk_of(use([aim(0, [2]), forbid(1)], note=note))
    told: Json = desk.hint("t0", "extended", is_explained=True)["meta"]
    assert told["why"] == {
        "card": {"1": "nobody is in range"},
        "methods": {"dragon heart": "used already"},
    }
    for dialect in DIALECTS:
        assert "why" not in json.dumps(desk.hint("t0", dialect))
        for token in ("t1", "who"):
            view = desk.hint(token, dialect, is_explained=True)
            assert set(view) == {"code", "action", "players"}
    assert "meta" not in desk.hint("t0", "spec", is_explained=True)


def test_b11_a_race_ends_with_the_first_answers_that_do_not_give_up() -> None:
    nullify = discard([method("nullify", fix_cards(1, [4, 5]))], may_abort=True)
    for first in (1, 2):
        desk = desk_of(*[nullify] * 4, first=first)
        assert desk.answer({"token": "t3", "method": "abort"})[1][0].seat == 3
        assert desk.hint("t0")["players"] == [0, 1, 2]
        closed = desk.answer({"token": "t1", "method": "nullify", "discard": [4]})[1]
        if first == 2:
            assert [(one.seat, one.why) for one in closed] == [(1, "answered")]
            closed = desk.answer({"token": "t0", "method": "nullify", "discard": [5]})[
                1
            ]
            assert [(one.seat, one.why) for one in closed] == [
                (0, "answered"),
                (2, "overtaken"),
            ]
        else:
            assert [(one.seat, one.why) for one in closed] == [
                (1, "answered"),
                (0, "overtaken"),
                (2, "overtaken"),
            ]
        assert not desk.is_waiting
        late = {"token": "t2", "method": "nullify", "discard": [4]}
        assert refusal(desk, late, seq=1).kind == "stale_hint"
        assert refusal(desk, late).kind == "no_decision"


def test_b11_an_exclusive_character_leaves_the_other_hints() -> None:
    asked = [select_character(["a", "b", "c"]), select_character(["c", "a", "d"])]
    desk = desk_of(*asked, is_exclusive=True, limit=5, now=0)
    before = desk.hint("t1", "extended")
    desk.answer({"token": "t0", "select": "c"})
    after: Json = desk.hint("t1", "extended")
    assert after["candidates"] == ["a", "d"]
    assert after["meta"] == before["meta"], "it is the same question still"
    taken = refusal(desk, {"token": "t1", "select": "c"}, seq=1)
    assert taken.kind == "character_not_offered"
    [closed] = desk.expire(5)
    assert closed.reply == Reply("select character", "a"), "the default is not taken"
    desk.ask({0: asked[0], 1: asked[1]})
    desk.answer({"token": "t0", "select": "c"})
    assert desk.hint("t1")["candidates"] == ["c", "a", "d"]
    desk.withdraw()
    for wrong in ([select_character(["a"])] * 2, [TWO, TWO]):
        with pytest.raises(HintError) as caught:
            desk.ask(dict(enumerate(wrong)), is_exclusive=True)
        assert caught.value.code == "bad_question"


def test_b11_a_desk_asks_what_makes_sense() -> None:
    desk = desk_of(TWO)
    nobody: dict[int, Question] = {}
    with pytest.raises(HintError, match="open still"):
        desk.ask({1: TWO})
    assert [one.why for one in desk.withdraw()] == ["withdrawn"]
    for wrong, options in (
        (nobody, {}),
        ({9: TWO}, {}),
        ({True: TWO}, {}),
        ({0: TWO, 1: DRAGON}, {}),
        ({0: TWO}, {"first": 2}),
        ({0: TWO}, {"first": 0}),
        ({0: TWO}, {"limit": 0}),
        ({0: TWO}, {"limit": float("inf")}),
        ({0: TWO}, {"limit": 10**400}),
        ({0: TWO}, {"limit": 3, "now": float("nan")}),
    ):
        with pytest.raises(HintError) as caught:
            desk.ask(wrong, **options)  # type: ignore[arg-type]
        assert caught.value.code == "bad_question"
    with pytest.raises(HintError):
        desk.accept(Judged(0, 1, Reply("discard", "discard", (0, 1))))
    assert desk.hint("t0") == {"code": 400, "reason": "no decision pending"}
    assert desk.hint("t0", "extended")["action"] == "none"
    desk.finish()
    assert desk.hint("who") == {"code": 400, "reason": "game over"}
    with pytest.raises(HintError):
        desk.ask({0: TWO})


@pytest.mark.parametrize("now", [None, True, "1", float("nan"), float("inf"), 10**400])
def test_b3_a_clock_that_tells_no_time_starts_and_ends_nothing(now: object) -> None:
    desk = desk_of(TWO)
    desk.withdraw()
    desk.ask({0: TWO}, limit=3)
    before = desk.to_json()
    with pytest.raises(HintError) as caught:
        desk.expire(now)  # type: ignore[arg-type]
    assert caught.value.code == "bad_question"
    assert desk.to_json() == before
    assert desk.expire(1) == [] and len(desk.expire(4)) == 1


def test_b15_what_was_written_down_is_judged_the_same_again(tmp_path: Path) -> None:
    rng = random.Random(15)
    path = tmp_path / "replies.jsonl"
    with path.open("w", encoding="utf-8") as file:
        recorder = Recorder(file.write)
        for _ in range(CASES):
            asked = anyhint.question(rng)
            desk = desk_of(asked)
            sent = encode_reply(Choices(asked).draw(rng), "t0")
            if rng.random() < 0.7:
                sent = anyhint.near_miss(rng, sent) | {"token": "t0"}
            hint = desk.hint("t0")
            recorder.note(hint, sent, desk.answer(sent)[0])
    records = list(read_lines(path.read_text(encoding="utf-8").splitlines()))
    assert len(records) == CASES
    for record in records:
        assert not isinstance(record.reply, dict) or "token" not in record.reply
    assert replay(records) == []
    accepted = next(one for one in records if one.answer["code"] == 200)
    assert isinstance(accepted.reply, dict)
    changed = Record(accepted.hint, {"method": "nothing"}, accepted.answer)
    [difference] = replay([changed])
    assert difference.was == "accepted" and difference.now != "accepted"
    for line in ("", "{}", "[1]", '{"hint": 1, "reply": 2, "answer": 3}'):
        with pytest.raises(HintError):
            list(read_lines([line]))


def test_b15_golden_cases_can_be_read_as_records() -> None:
    hint = encode(Hint((0,), DODGE), "upstream")
    cases: Json = [
        {
            "kind": "reply",
            "hint_before": hint,
            "reply": body(4),
            "answer": {"code": 200},
        },
        {
            "kind": "reply",
            "hint_before": hint,
            "reply": body(9),
            "answer": {"code": 400, "reason": "wrong argument: wrong cards"},
        },
        {"kind": "reply", "hint_before": None, "reply": {}, "answer": {"code": 400}},
        {"kind": "hint", "hint": hint},
    ]
    records = list(from_golden(cases))
    assert len(records) == 2
    assert replay(records) == []
