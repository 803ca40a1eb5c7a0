"""`verify_spec`: it proves good specs, and finds every fault that is planted in arbiter, life and spec."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from dealwright.runtime.windows import (
    PASS,
    WindowSpec,
    arbiter,
    closing,
    life,
    shipped_mode,
    verify_spec,
)
from dealwright.runtime.windows.presets import CONCEALED, SILENCE_WINS, UPWARD_AMENDMENT
from tests.support import LONG
from tests.windows.builders import spec_of

Json = Any

PARTIAL: Json = {
    "actions": {
        "HU": {"priority": None, "beats": ["PENG"]},
        "GANG": {"priority": None, "beats": []},
        "PENG": {"priority": None, "beats": []},
    }
}

FAMILY: dict[str, Json] = {
    "one winner": {},
    "equal priorities": {"actions": {"GANG": {"priority": 100}}},
    "all three equal": {
        "actions": {
            "GANG": {"priority": 1},
            "PENG": {"priority": 1},
            "HU": {"priority": 1},
        }
    },
    "several winners": {"arbiter": {"winners": {"HU": "all"}}},
    "at most two winners": {"arbiter": {"winners": {"HU": {"max": 2}}}},
    "everybody wins": {"arbiter": {"winners": "all"}},
    "too many winners": {
        "arbiter": {
            "winners": {"HU": "all"},
            "overflow": {"claims": 3, "effect": "draw"},
        }
    },
    "two are too many": {
        "arbiter": {"winners": "all", "overflow": {"claims": 2, "effect": "draw"}}
    },
    "farthest wins": {"arbiter": {"tie_break": "farthest_after_source"}},
    "more cards win": {
        "actions": {"GANG": {"priority": 100}},
        "arbiter": {"tie_break": ["most_cards", "nearest_after_source"]},
    },
    "partial order": PARTIAL,
    "partial order, all win": {**PARTIAL, "arbiter": {"winners": "all"}},
    "silence wins": {"timeout": {"per_action_answer": {"HU": "HU"}}},
    "time by action": {"timeout": {"per_action_ms": {"HU": 9000, "PENG": 100}}},
    "never early": {"close": {"early": "never"}},
    "when all have answered": {"close": {"early": "when_all_answered"}},
    "open for a second": {"conceal": {"min_open_ms": 1000}},
    "grace": {"answers": {"amend": "until_close", "amend_grace_ms": 500}},
}


@pytest.mark.parametrize("name", FAMILY)
def test_a_family_of_specs_is_proved(name: str) -> None:
    verified = verify_spec(spec_of(FAMILY[name]), 4 if LONG else 3)
    assert verified.problems == ()
    assert verified.holds
    assert verified.offers == (511 if LONG else 63)
    assert verified.states > verified.offers


def test_four_seats_with_two_actions() -> None:
    """Three seats may answer here, so three may win: what three seats alone cannot show."""
    two: Json = {"actions": {"GANG": None}, "after": {"GANG": None}}
    for arbiter_ in (
        {},
        {"winners": {"HU": "all"}},
        {"winners": {"HU": "all"}, "overflow": {"claims": 3, "effect": "draw"}},
        {"winners": "all", "overflow": {"claims": 2, "effect": "draw"}},
        {"winners": {"HU": {"max": 2}}},
    ):
        verified = verify_spec(spec_of({**two, "arbiter": arbiter_}))
        assert verified.problems == ()
        assert verified.offers == 63


@pytest.mark.parametrize("change", (None, CONCEALED, SILENCE_WINS, UPWARD_AMENDMENT))
def test_the_shipped_modes_are_proved(change: Json) -> None:
    for name in ("V1", "SBR_2025", "CHENGDU_ONLINE"):
        mode = shipped_mode(name) if change is None else shipped_mode(name, change)
        for spec in mode.windows.values():
            assert verify_spec(spec, 4 if LONG else 3).problems == ()


def test_a_result_that_depends_on_the_network_is_told() -> None:
    verified = verify_spec(spec_of({"arbiter": {"tie_break": "first_answer"}}), 3)
    assert not verified.holds
    assert all("order of arrival" in problem for problem in verified.problems)


def test_more_seats_than_can_be_tried_are_refused() -> None:
    for seats in (1, 5):
        with pytest.raises(ValueError, match="two to four"):
            verify_spec(spec_of(), seats)


# --- planted faults


def first_hu_closes(candidates: Any, answered: int, spec: WindowSpec) -> str | None:
    """Whoever says HU first has it, though a nearer seat may still say so."""
    said = [each.answer.action_type for each in candidates if each.answer]
    if len(said) == len(candidates):
        return "ALL_ANSWERED"
    return "DECIDED" if "HU" in said else None


def any_claim_closes(candidates: Any, answered: int, spec: WindowSpec) -> str | None:
    said = [each.answer.action_type for each in candidates if each.answer]
    if len(said) == len(candidates):
        return "ALL_ANSWERED"
    return "DECIDED" if set(said) - {PASS} else None


def waits_for_all(candidates: Any, answered: int, spec: WindowSpec) -> str | None:
    return "ALL_ANSWERED" if all(each.answer for each in candidates) else None


def farthest(ranked: list[Any], spec: WindowSpec) -> Any:
    return ranked[-1]


def weakest(ranked: list[Any], spec: WindowSpec) -> Any:
    return max(ranked, key=lambda claim: len(claim[0]))


def silence_claims(candidate: Any) -> Any:
    return candidate.options[0]


FAULTS: list[tuple[Any, str, Callable[..., Any], str]] = [
    (closing, "settled_by", first_hu_closes, "closed too early"),
    (closing, "settled_by", any_claim_closes, "closed too early"),
    (closing, "settled_by", waits_for_all, "waits although"),
    (arbiter, "_head", farthest, "should be"),
    (arbiter, "_head", weakest, "should be"),
    (life, "silent_option", silence_claims, "should be"),
]


@pytest.mark.parametrize(("module", "name", "fault", "words"), FAULTS)
def test_planted_faults_are_found(
    module: Any,
    name: str,
    fault: Callable[..., Any],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, name, fault)
    problems = verify_spec(spec_of(), 3).problems
    assert any(words in problem for problem in problems)


def test_a_spec_that_contradicts_itself_is_found() -> None:
    """By hand, since the reader refuses it: an action that beats its own superior."""
    spec = spec_of()
    broken = replace(spec, beats={**spec.beats, "PENG": frozenset({"PASS", "GANG"})})
    with pytest.raises(AssertionError, match="strict order"):
        verify_spec(broken, 3)
