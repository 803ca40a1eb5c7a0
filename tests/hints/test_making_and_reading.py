"""What builders and the reader refuse: section 2 of hints.md line by line, and whatever else is no hint."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from dealwright.runtime.hints import (
    DIALECTS,
    Combos,
    Hint,
    HintError,
    Method,
    NoDecision,
    TargetNeed,
    Validator,
    Watching,
    aim,
    confirm,
    decode,
    discard,
    encode,
    fix_cards,
    fix_targets,
    forbid,
    guard,
    implicit,
    method,
    min_cards,
    select_character,
    select_region,
    use,
)
from tests.hints import anyhint
from tests.support import LONG, Json

CASES = 50_000 if LONG else 1_500

ONE = fix_cards(1, [0])
AT = fix_targets(1, [1])

BAD: dict[str, Callable[[], object]] = {
    "6: a method called card": lambda: method("card", ONE),
    "6: a method called abort": lambda: confirm("abort"),
    "6: a method made past the builders": lambda: discard([Method("abort")]),
    "10: a count of 0": lambda: fix_cards(0, [1]),
    "10: a negative count": lambda: min_cards(-1, [1]),
    "10: a count that is true": lambda: fix_cards(True, [1]),
    "10: a count that is a float": lambda: fix_targets(1.0, [1]),  # type: ignore[arg-type]
    "10: no target": lambda: fix_targets(0, [1]),
    "10: a card twice": lambda: fix_cards(1, [1, 1]),
    "10: a target twice": lambda: fix_targets(1, [1, 1]),
    "10: a card of the hand twice": lambda: use([forbid(1), implicit(1)]),
    "10: a method twice": lambda: discard([confirm("a"), confirm("a")], True),
    "10: no regions": lambda: select_region([], True),
    "10: no candidates": lambda: select_character([], True),
    "10: a candidate twice": lambda: select_character(["a", "a"]),
    "12: a maximum below the minimum": lambda: min_cards(2, [1, 2, 3], most=1),
    "13: two kinds of target": lambda: method("a", ONE, AT, is_implicit=True),
    "a method without a name": lambda: confirm(""),
    "a method that needs nothing": lambda: method("a"),
    "a card that is text": lambda: fix_cards(1, ["1"]),  # type: ignore[list-item]
    "a card that is true": lambda: use([forbid(True)]),
    "a negative card": lambda: fix_cards(1, [-1]),
    "a region that is a number": lambda: select_region([1]),  # type: ignore[list-item]
    "a target when discarding": lambda: discard([method("a", ONE, AT)]),
    "a pick of other numbers": lambda: fix_cards(1, [1, 2], Combos(((1, 2),), ((2,),))),
}


@pytest.mark.parametrize("name", BAD)
def test_a_builder_refuses(name: str) -> None:
    with pytest.raises(HintError) as caught:
        BAD[name]()
    assert caught.value.code == "bad_hint"


def test_what_finds_no_target_is_forbidden() -> None:
    assert aim(3, []) == forbid(3)
    assert aim(3, [1], count=2) == forbid(3)
    assert aim(3, [1, 2], count=2).targets == TargetNeed(2, (1, 2))


HINT: Json = encode(
    Hint(
        (0, 2),
        use(
            [aim(0, [2]), forbid(1), implicit(3)],
            [method("dragon heart", min_cards(1, [1, 4]), fix_targets(1, [2]))],
        ),
    )
)


def changed(**parts: Any) -> Json:
    """The hint above with other parts; a part that is `...` is left out."""
    hint = {**copy.deepcopy(HINT), **parts}
    return {key: value for key, value in hint.items() if value is not ...}


def with_method(**parts: Any) -> Json:
    """The hint above with a method of these parts."""
    return changed(methods={"m": parts})


NO_HINTS: dict[str, Json] = {
    "a list": [],
    "nothing": None,
    "another code": changed(code=201),
    "a refusal": {"code": 400, "reason": "player forbidden"},
    "no code": changed(code=...),
    "no action": changed(action=...),
    "an action that is a list": changed(action=["use"]),
    "another action": changed(action="sing"),
    "no players": changed(players=...),
    "players as text": changed(players="0"),
    "a player twice": changed(players=[0, 0]),
    "a negative player": changed(players=[-1]),
    "another abort": changed(abort="maybe"),
    "an abort that is a list": changed(abort=["allow"]),
    "no candidates": changed(action="select character"),
    "regions as text": changed(action="region", regions="onhand"),
    "cards as a list": changed(card=[]),
    "a card as text": changed(card={"1": "forbid"}),
    "a card of both spellings": changed(
        card={"1": {"type": "forbid", "require": ["forbid"]}}
    ),
    "a card of no kind": changed(card={"1": {}}),
    "a card without targets": changed(card={"1": {"type": "fix target"}}),
    "methods as a list": changed(methods=[]),
    "a method called abort": changed(methods={"abort": {"require": []}}),
    "a method called card": changed(methods={"card": {"require": []}}),
    "no require": with_method(cards=[]),
    "require as text": with_method(require="forbid"),
    "a requirement twice": with_method(require=["forbid", "forbid"]),
    "13: both card requirements": with_method(
        **{
            "require": ["fix card count", "min card count"],
            "card count": 1,
            "cards": [1],
        }
    ),
    "13: forbid and a target": with_method(
        **{"require": ["forbid", "fix target"], "target count": 1, "targets": [1]}
    ),
    "13: implicit and a target": with_method(
        **{"require": ["implicit target", "fix target"], "target count": 1}
        | {"targets": [1]}
    ),
    "no count": with_method(require=["fix card count"], cards=[1]),
    "a count of 0": with_method(
        **{"require": ["fix card count"], "card count": 0, "cards": [1]}
    ),
    "a card twice": with_method(
        **{"require": ["fix card count"], "card count": 1, "cards": [1, 1]}
    ),
    "cards as an object": with_method(
        **{"require": ["fix card count"], "card count": 1, "cards": {}}
    ),
    "meta as a list": changed(meta=[1]),
    "meta with a deadline in words": changed(meta={"deadline": "soon"}),
    "meta with a number in words": changed(meta={"seq": "1"}),
    "meta with picks of lists": changed(
        meta={"methods": {"dragon heart": {"groups": [[1, 4]], "picks": [[[1]]]}}}
    ),
    "meta with other groups": changed(
        meta={"methods": {"dragon heart": {"groups": [[1]], "picks": [[1]]}}}
    ),
}


@pytest.mark.parametrize("name", NO_HINTS)
def test_what_is_no_hint_is_refused(name: str) -> None:
    with pytest.raises(HintError) as caught:
        decode(NO_HINTS[name])
    assert caught.value.code == "bad_hint"


def test_reading_is_lenient_where_the_page_leaves_it_open() -> None:
    assert decode(HINT) == decode(changed(code=200.0))
    assert decode(changed(extra=1, other={})) == decode(
        HINT
    ), "unknown keys say nothing"
    # an empty map is as good as none (line 8), no requirement as good as forbid (line 14), and the order says nothing
    none = changed(card=..., methods={})
    assert encode(decode(none)) == changed(card=..., methods=...)
    said = {"require": ["fix target", "fix card count"], "card count": 1, "cards": [1]}
    said |= {"target count": 1, "targets": [2]}
    there: Json = encode(decode(changed(methods={"m": said, "yes": {"require": []}})))
    assert there["methods"]["m"]["require"] == ["fix card count", "fix target"]
    assert there["methods"]["yes"]["require"] == ["forbid"]
    # a watcher need not care what kind of question others are asked
    assert decode({"code": 200, "action": "sing", "players": [1]}) == Watching(
        "sing", (1,)
    )


def test_nothing_pending_is_told_in_every_dialect() -> None:
    for nothing in (NoDecision(), NoDecision(is_over=True)):
        for dialect in DIALECTS:
            view = encode(nothing, dialect)
            assert decode(json.loads(json.dumps(view))) in (nothing, NoDecision())
    assert encode(NoDecision(), "extended") == {
        "code": 200,
        "action": "none",
        "players": [],
    }


def test_the_guard_lets_nothing_but_three_keys_through() -> None:
    """B9: what goes to everybody is looked at once more before it leaves."""
    view: dict[str, object] = {"code": 200, "action": "use", "players": [0]}
    guard(view)
    for wrong in ({**view, "abort": "allow"}, {**view, "meta": {}}, {"code": 200}):
        with pytest.raises(HintError):
            guard(wrong)


def test_no_json_value_raises_anything_else_when_read_as_a_hint() -> None:
    rng = random.Random(7)
    read = 0
    for number in range(CASES):
        if number % 3:
            view = encode(anyhint.hint(anyhint.question(rng)), rng.choice(DIALECTS))
            wrong = anyhint.near_miss(rng, view)
            for inside in ("methods", "card", "meta"):
                part = wrong.get(inside)
                if isinstance(part, dict) and part and rng.random() < 0.5:
                    wrong[inside] = anyhint.near_miss(rng, part)
                    key = rng.choice(list(part))
                    if isinstance(part[key], dict):
                        wrong[inside] = part | {key: anyhint.near_miss(rng, part[key])}
        else:
            wrong = anyhint.value(rng, 4)
        before = repr(wrong)
        try:
            seen = decode(wrong)
        except HintError as error:
            assert error.code == "bad_hint"
        else:
            read += 1
            encode(seen, "extended", is_explained=True)
            if isinstance(seen, Hint):
                Validator(seen.question).check(anyhint.value(rng))
        assert repr(wrong) == before, "reading changes nothing"
    assert read > CASES // 20, "some are hints still"
