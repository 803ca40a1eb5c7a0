"""JSON → `WindowSpec`, with everything that is wrong with it reported at once.

    {"id": "after_discard", "trigger": "DISCARD", "actions": [{"name": "PENG", "priority": 100, "consumes": 2}, …]}

Section 1.7 of the requirement has the whole form. Each complaint has the place in the document and a remedy. What is
left out has the value of the requirement's first mode. An action's `when` is a note to people here: the offer of an
action is a callable.
"""

from __future__ import annotations

from typing import Final, get_args

from dealwright.runtime.errors import shown
from dealwright.runtime.windows.model import PASS
from dealwright.runtime.windows.reading import Place
from dealwright.runtime.windows.spec import (
    Amend,
    CloseReasonIs,
    Conceal,
    Early,
    ForcedClaim,
    ForcedMode,
    Offline,
    OpenEvent,
    RoundEnd,
    SpecProblem,
    SpecRefused,
    Timeout,
    WindowSpec,
)
from dealwright.runtime.windows.spec_actions import (
    read_actions,
    read_audience,
    read_overflow,
    read_strength,
    read_tie_break,
)

AMEND: Final[tuple[Amend, ...]] = get_args(Amend)
EARLY: Final[tuple[Early, ...]] = get_args(Early)
OFFLINE: Final[tuple[Offline, ...]] = get_args(Offline)
OPEN_EVENT: Final[tuple[OpenEvent, ...]] = get_args(OpenEvent)
CLOSE_REASON: Final[tuple[CloseReasonIs, ...]] = get_args(CloseReasonIs)
FORCED_MODE: Final[tuple[ForcedMode, ...]] = get_args(ForcedMode)
KEYS: Final = (
    "id",
    "trigger",
    "audience",
    "actions",
    "arbiter",
    "answers",
    "timeout",
    "close",
    "offline",
    "conceal",
    "after",
    "events",
    "copies",
    "end",
    "note",
)


def window_spec(document: object, mode: str = "") -> WindowSpec:
    """The spec of one window.

    Args:
        document: JSON as section 1.7 has it, its `id` included.
        mode: the name of the mode, for the windows that are made by it.

    Raises:
        SpecRefused: with all that is wrong.
    """
    problems: list[SpecProblem] = []
    spec = read_spec(Place(document, "", problems), mode, ())
    if problems or spec is None:
        raise SpecRefused(tuple(problems))
    return spec


def read_spec(
    place: Place, mode: str, forced: tuple[tuple[Place, ForcedClaim], ...]
) -> WindowSpec | None:
    """The spec at `place`; complaints go to its problems, and None is for one that is too broken to be looked at.

    Args:
        forced: the mode's forced claims for this trigger, each with its place.
    """
    place.known(*KEYS)
    actions = place.items("actions", "name")
    labels = [action.text("name") for action in actions]
    if len(set(labels)) != len(labels):
        place.complain(
            "actions", "bad_shape", "two actions have one name", "rename one"
        )
        return None
    if PASS not in labels:
        place.complain(
            "actions",
            "pass_missing",
            "PASS is not among the actions",
            'add {"name": "PASS", "priority": 0, "implicit": true}',
        )
        return None
    beats, priorities = read_strength(place, actions, labels)
    tie_break = read_tie_break(place, beats)
    read = read_actions(place, actions, priorities)
    _check_after(place, labels)
    amend, grace, early = _ending(place)
    for claim_place, claim in forced:
        if claim.action not in labels or claim.action == PASS:
            claim_place.complain(
                "action",
                "bad_shape",
                f"no action {shown(claim.action)} can be claimed",
                "name one of the actions",
            )
    return WindowSpec(
        id=place.text("id"),
        rule_mode=mode,
        trigger=place.text("trigger"),
        audience=read_audience(place, ("source",)),
        actions=read,
        beats=beats,
        tie_break=tie_break,
        overflow=read_overflow(place, read),
        amend=amend,
        amend_grace_ms=grace,
        timeout=_timeout(place, labels),
        early=early,
        offline=_offline(place),
        conceal=_conceal(place),
        public_pass=_public_pass(place),
        copies=place.count("copies", 4, 1),
        forced=tuple(claim for _, claim in forced),
        end=_end(place),
    )


# --- time, answers, what may be seen


def _ending(place: Place) -> tuple[Amend, int, Early]:
    answers, close = place.child("answers"), place.child("close")
    answers.known("amend", "amend_grace_ms", "duplicate")
    close.known("early")
    answers.choice("duplicate", ("idempotent",), "idempotent")
    amend = answers.choice("amend", AMEND, "never")
    early = close.choice("early", EARLY, "when_decided")
    if amend != "never" and early != "never" and "amend_grace_ms" not in answers.fields:
        answers.complain(
            "amend",
            "amend_early_close",
            f"a window that closes early ({early}) would cut off an amendment",
            'give "amend_grace_ms", or close the window at the deadline only ("early": "never")',
        )
    return amend, answers.count("amend_grace_ms", 0), early


def _timeout(place: Place, labels: list[str]) -> Timeout:
    given = place.child("timeout")
    given.known("ms", "boundary", "answer", "per_action_answer", "per_action_ms")
    given.choice("boundary", ("exclusive",), "exclusive")
    answers, times = given.child("per_action_answer"), given.child("per_action_ms")
    for names in (answers, times):
        for name in names.fields:
            if name not in labels or name == PASS:
                names.misfit(name, f"there is no action {shown(name)} to be offered")
    answer = given.text("answer", PASS)
    for where, name in [(given, answer)] + [
        (answers, answers.text(name)) for name in answers.fields
    ]:
        if name not in labels:
            where.misfit(
                "answer" if where is given else "",
                f"silence cannot mean {shown(name)}",
                "name a declared action",
            )
    ms = given.count("ms", 8000, 1)
    by_action = {name: times.count(name, 1, 1) for name in times.fields}
    return Timeout(
        ms=ms,
        answer=answer,
        per_action_answer={name: answers.text(name) for name in answers.fields},
        per_action_ms=by_action,
        longest=max((ms, *by_action.values())),
    )


def _offline(place: Place) -> Offline:
    given = place.child("offline")
    given.known("policy")
    return given.choice("policy", OFFLINE, "wait_for_deadline")


def _conceal(place: Place) -> Conceal:
    given = place.child("conceal")
    given.known("open_event", "min_open_ms", "close_reason")
    most = place.child("timeout").fields.get("ms", 8000)
    least = given.count("min_open_ms", 0)
    if type(most) is int and 0 < most < least:
        given.misfit(
            "min_open_ms",
            f"the window would have to stay open beyond its deadline of {most} ms",
            "at most the deadline",
        )
    return Conceal(
        given.choice("open_event", OPEN_EVENT, "when_candidates"),
        least,
        given.choice("close_reason", CLOSE_REASON, "audit"),
    )


def _public_pass(place: Place) -> bool:
    given = place.child("events")
    given.known("PASS_DECLARED")
    return given.choice("PASS_DECLARED", ("private", "public"), "private") == "public"


# --- afterwards


def _check_after(place: Place, labels: list[str]) -> None:
    after = place.child("after")
    for name in after.fields:
        if name not in labels:
            after.complain(
                name,
                "after_unknown",
                f"after names {shown(name)}, which is no declared action",
                "declare it under actions, or take it out",
            )
    for name in labels:
        if name not in after.fields:
            place.complain(
                "after",
                "after_missing",
                f"nothing is said about what follows {name}",
                f'add "{name}": {{"next": …}}',
            )


def _end(place: Place) -> RoundEnd:
    given = place.child("end")
    given.known("wall_empty", "seats_left", "few_seats", "overflow")
    return RoundEnd(
        given.text("wall_empty", "WALL_EMPTY"),
        given.count("seats_left", 1),
        given.text("few_seats", "FEW_SEATS"),
        given.text("overflow", "TOO_MANY_CLAIMS"),
    )


def read_forced(place: Place) -> ForcedClaim:
    """A mode's `forced_claim` (section 4.5 of the requirement), whose condition is `when_wall_at_most`."""
    place.known(
        "action",
        "when_wall_at_most",
        "triggers",
        "mode",
        "auto_answer",
        "overrides",
        "note",
    )
    return ForcedClaim(
        place.text("action"),
        place.count("when_wall_at_most", 0),
        place.choice("mode", FORCED_MODE, "remove_pass"),
        place.flag("auto_answer", False),
        frozenset(place.names("overrides")),
    )
