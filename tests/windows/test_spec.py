"""Every refusal of a spec (section 1.7 of the requirement) by the smallest edit that causes it, and every lint."""

from __future__ import annotations

import pickle
from itertools import pairwise
from typing import Any

import pytest

from dealwright.runtime.windows import (
    MODES,
    SpecRefused,
    lints,
    merged,
    rule_mode,
    shipped_mode,
    window_spec,
)
from dealwright.runtime.windows.lints import most_seats
from dealwright.runtime.windows.presets import (
    CONCEALED,
    CONCEALED_KONGS,
    FORCED_LAST_WIN,
    LOCKS,
    SILENCE_WINS,
    UPWARD_AMENDMENT,
)
from tests.windows.builders import BASE, spec_of

Json = Any

GANG_AS_PENG = {"actions": {"GANG": {"priority": 100}}}
WITHOUT_TIE_BREAK = {"arbiter": {"tie_break": None}}

REFUSED: list[tuple[str, str, Json]] = [
    ("equal_priorities", "/arbiter/tie_break", {**GANG_AS_PENG, **WITHOUT_TIE_BREAK}),
    ("pass_missing", "/actions", {"actions": {"PASS": None}}),
    (
        "pass_not_lowest",
        "/actions/PASS/priority",
        {"actions": {"PASS": {"priority": 100}}},
    ),
    ("after_unknown", "/after/CHOW", {"after": {"CHOW": {"next": "kong_draw"}}}),
    ("after_missing", "/after", {"after": {"GANG": None}}),
    ("after_missing", "/after", {"after": {"PASS": None}}),
    (
        "consumes_too_many",
        "/actions/GANG/consumes",
        {"actions": {"GANG": {"consumes": 4}}},
    ),
    ("consumes_too_many", "/actions/GANG/consumes", {"copies": 3}),
    (
        "amend_early_close",
        "/answers/amend",
        {"answers": {"amend": "upward_on_new_claim"}},
    ),
    ("amend_early_close", "/answers/amend", {"answers": {"amend": "until_close"}}),
    (
        "tie_not_broken",
        "/arbiter/tie_break",
        {"arbiter": {"tie_break": ["most_cards"]}},
    ),
    (
        "overflow_unreachable",
        "/arbiter/overflow/claims",
        {"arbiter": {"overflow": {"claims": 3, "effect": "draw"}}},
    ),
    ("bad_shape", "/colour", {"colour": "green"}),
    ("bad_shape", "/actions/HU/colour", {"actions": {"HU": {"colour": "green"}}}),
    ("bad_shape", "/trigger", {"trigger": ""}),
    ("bad_shape", "/timeout/ms", {"timeout": {"ms": 0}}),
    ("bad_shape", "/timeout/ms", {"timeout": {"ms": 8000.0}}),
    ("bad_shape", "/timeout/ms", {"timeout": {"ms": True}}),
    ("bad_shape", "/timeout/boundary", {"timeout": {"boundary": "inclusive"}}),
    ("bad_shape", "/timeout/answer", {"timeout": {"answer": "DANCE"}}),
    (
        "bad_shape",
        "/timeout/per_action_answer/DANCE",
        {"timeout": {"per_action_answer": {"DANCE": "HU"}}},
    ),
    ("bad_shape", "/close/early", {"close": {"early": "sometimes"}}),
    ("bad_shape", "/offline/policy", {"offline": {"policy": "hope"}}),
    ("bad_shape", "/conceal/min_open_ms", {"conceal": {"min_open_ms": 8001}}),
    ("bad_shape", "/answers/duplicate", {"answers": {"duplicate": "refused"}}),
    ("bad_shape", "/arbiter/winners", {"arbiter": {"winners": "most"}}),
    ("bad_shape", "/arbiter/winners/DANCE", {"arbiter": {"winners": {"DANCE": "all"}}}),
    ("bad_shape", "/arbiter/winners/HU", {"arbiter": {"winners": {"HU": {"max": 0}}}}),
    ("bad_shape", "/arbiter/tie_break", {"arbiter": {"tie_break": "loudest"}}),
    ("bad_shape", "/after/HU/next", {"after": {"HU": {"next": "whoever"}}}),
    ("bad_shape", "/after/HU/next", {"after": {"HU": {"next": None}}}),
    (
        "bad_shape",
        "/after/PASS/next",
        {"after": {"PASS": {"next": "discard_by_winner"}}},
    ),
    ("bad_shape", "/audience/exclude", {"audience": {"exclude": "won"}}),
    ("bad_shape", "/actions/HU/priority", {"actions": {"HU": {"beats": ["PENG"]}}}),
    ("bad_shape", "/timeout", {"timeout": [8000]}),
]


@pytest.mark.parametrize(("code", "path", "change"), REFUSED)
def test_it_is_refused_with_place_and_remedy(
    code: str, path: str, change: Json
) -> None:
    with pytest.raises(SpecRefused) as caught:
        spec_of(change)
    found = {(problem.code, problem.path) for problem in caught.value.problems}
    assert (code, path) in found
    for problem in caught.value.problems:
        assert problem.sentence and problem.remedy
        assert str(problem) in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        GANG_AS_PENG,
        WITHOUT_TIE_BREAK,
        {"copies": 5, "actions": {"GANG": {"consumes": 4}}},
        {"actions": {"GANG": {"consumes": 4, "same": False}}},
        {"answers": {"amend": "until_close"}, "close": {"early": "never"}},
        {"answers": {"amend": "upward_on_new_claim", "amend_grace_ms": 5000}},
        {"arbiter": {"tie_break": ["most_cards", "nearest_after_source"]}},
        {"arbiter": {"winners": "all", "overflow": {"claims": 3, "effect": "draw"}}},
        {"arbiter": {"winners": {"max": 2}}},
        {"conceal": {"min_open_ms": 8000}},
        {"actions": {"HU": {"when": "can_hu(hand + [tile], melds, void)"}}},
    ],
)
def test_what_lies_beside_it_is_accepted(change: Json) -> None:
    assert spec_of(change).id == "after_discard"


def test_the_form_of_the_requirement_is_accepted_as_it_is() -> None:
    """Actions and winners as lists and words, every setting written out (section 1.7, without text conditions)."""
    spec = window_spec(
        {
            "id": "after_discard",
            "trigger": "DISCARD",
            "audience": {"exclude": ["source", "won"]},
            "actions": [
                {"name": "HU", "priority": 300},
                {"name": "GANG", "priority": 200, "consumes": 3},
                {"name": "PENG", "priority": 100, "consumes": 2},
                {"name": "PASS", "priority": 0, "implicit": True},
            ],
            "arbiter": {
                "winners": {"default": "single"},
                "tie_break": "nearest_after_source",
            },
            "answers": {"amend": "never", "duplicate": "idempotent"},
            "timeout": {
                "ms": 8000,
                "boundary": "exclusive",
                "answer": "PASS",
                "per_action_answer": {},
            },
            "close": {"early": "when_decided"},
            "offline": {"policy": "wait_for_deadline"},
            "conceal": {
                "open_event": "when_candidates",
                "min_open_ms": 0,
                "close_reason": "audit",
            },
            "after": {
                "HU": {"next": "after_last_winner"},
                "GANG": {"next": "kong_draw"},
                "PENG": {"next": "discard_by_winner"},
                "PASS": {"next": "draw_after_source"},
            },
            "events": {"PASS_DECLARED": "private"},
        }
    )
    assert [action.name for action in spec.actions] == ["HU", "GANG", "PENG", "PASS"]
    assert spec.beats["GANG"] == {"PENG", "PASS"}


def test_everything_wrong_is_told_at_once() -> None:
    with pytest.raises(SpecRefused) as caught:
        spec_of({"colour": 1, "timeout": {"ms": -1}, "after": {"GANG": None}})
    assert len(caught.value.problems) == 3
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.problems == caught.value.problems


@pytest.mark.parametrize(
    "document", [None, [], "spec", 7, {"actions": 1}, {"actions": [1]}]
)
def test_no_document_breaks_the_reader(document: Json) -> None:
    with pytest.raises(SpecRefused):
        window_spec(document)


def test_a_partial_order_by_what_beats_what() -> None:
    actions: Json = {
        "HU": {"priority": None, "beats": ["GANG", "PENG"]},
        "GANG": {"priority": None, "beats": ["CHOW"]},
        "PENG": {"priority": None, "beats": ["CHOW"]},
        "CHOW": {"beats": []},
    }
    change = {"actions": actions, "after": {"CHOW": {"next": "discard_by_winner"}}}
    spec = spec_of(change)
    assert spec.beats["HU"] == {"GANG", "PENG", "CHOW", "PASS"}
    assert spec.beats["GANG"] == spec.beats["PENG"] == {"CHOW", "PASS"}
    assert [action.priority for action in spec.actions] == [3, 2, 2, 1, 0]
    for code, edit in (
        ("equal_priorities", {"arbiter": {"tie_break": None}}),
        ("beats_itself", {"actions": {"CHOW": {"beats": ["HU"]}}}),
        ("bad_shape", {"actions": {"CHOW": {"beats": ["DANCE"]}}}),
        ("pass_not_lowest", {"actions": {"PASS": {"beats": ["CHOW"]}}}),
    ):
        with pytest.raises(SpecRefused) as caught:
            window_spec(merged(merged(BASE, change), edit))
        assert code in {problem.code for problem in caught.value.problems}


def test_a_long_chain_of_actions_is_read_in_no_time() -> None:
    names = [f"A{number}" for number in range(300)]
    chain = {name: {"beats": [before]} for before, name in pairwise(names)}
    actions: Json = {names[0]: {"beats": []}, **chain, "PASS": {}}
    document = {**BASE, "actions": actions}
    document["after"] = {name: {"next": "end"} for name in actions}
    spec = window_spec(document)
    assert len(spec.beats["A299"]) == 300
    assert spec.action("A299").priority == 300


# --- modes


def mode(**change: Json) -> Json:
    return merged({"emits": ["DISCARD"], "response_windows": {"after": BASE}}, change)


def test_two_windows_on_one_trigger_are_refused() -> None:
    with pytest.raises(SpecRefused) as caught:
        rule_mode("x", mode(response_windows={"twin": BASE}))
    assert caught.value.code == "windows_overlap"


def test_a_trigger_that_the_game_never_emits_is_refused() -> None:
    with pytest.raises(SpecRefused) as caught:
        rule_mode("x", mode(emits=["ADD_KONG"]))
    assert caught.value.code == "trigger_never_emitted"
    assert caught.value.problems[0].path == "/response_windows/after/trigger"


def test_locks_and_forced_claims_must_be_of_actions_that_there_are() -> None:
    for change in (
        {"missed_win": {"action": "DANCE"}},
        {"missed_win": {"scope": "everything"}},
        {"missed_win": {"release": ["tomorrow"]}},
        {"forced_claim": {"action": "DANCE"}},
        {"forced_claim": {"action": "PASS"}},
    ):
        with pytest.raises(SpecRefused):
            rule_mode("x", mode(**change))
    assert rule_mode("x", mode(missed_win={}, forced_claim={"action": "HU"})).locks


def test_a_merge_patch_takes_out_adds_and_replaces() -> None:
    base = {"a": {"b": 1, "c": [1, 2]}, "d": 4}
    assert merged(base, {"a": {"b": None, "c": [3]}, "e": {"f": 1}}) == {
        "a": {"c": [3]},
        "d": 4,
        "e": {"f": 1},
    }
    assert base == {"a": {"b": 1, "c": [1, 2]}, "d": 4}


@pytest.mark.parametrize("name", MODES)
def test_the_shipped_modes_and_changes_fit_together(name: str) -> None:
    for change in (
        *LOCKS.values(),
        FORCED_LAST_WIN,
        SILENCE_WINS,
        CONCEALED,
        UPWARD_AMENDMENT,
    ):
        assert shipped_mode(name, change).name == name


def test_windows_on_added_kongs_are_concealed_too() -> None:
    mode = shipped_mode("SBR_2025", CONCEALED, CONCEALED_KONGS)
    assert {
        (each.conceal.open_event, each.early) for each in mode.windows.values()
    } == {("always", "never")}
    with pytest.raises(SpecRefused):
        shipped_mode("V1", CONCEALED_KONGS)  # it has no such window


# --- lints


def found(change: Json) -> list[tuple[str, str]]:
    return [(each.code, each.path) for each in lints(spec_of(change))]


def test_the_bound_on_seats() -> None:
    assert [most_seats(4, used) for used in (1, 2, 3)] == [3, 1, 1]
    assert most_seats(8, 2) == 3
    assert most_seats(4, 0) is None


def test_ties_that_cannot_happen() -> None:
    assert found({}) == [
        ("unreachable_tie", "/actions/GANG"),
        ("unreachable_tie", "/actions/PENG"),
    ]
    assert ("unreachable_tie", "/actions/PENG") in found(GANG_AS_PENG)
    assert found({"copies": 8}) == []


def test_what_tells_too_much_or_depends_on_the_network() -> None:
    quiet = {"copies": 8}
    for code, change in (
        ("network_decides", {"arbiter": {"tie_break": "first_answer"}}),
        ("public_candidates", {"events": {"PASS_DECLARED": "public"}}),
        ("public_candidates", {"conceal": {"close_reason": "public"}}),
        ("timing_tells", {"conceal": {"open_event": "always"}}),
        (
            "claims_announced",
            {"answers": {"amend": "upward_on_new_claim", "amend_grace_ms": 1}},
        ),
    ):
        assert [each for each, _ in found({**quiet, **change})] == [code]
    always = {"open_event": "always"}
    assert found({**quiet, "conceal": always, "close": {"early": "never"}}) == []
    assert found({**quiet, "conceal": {**always, "min_open_ms": 8000}}) == []
