"""The part of a spec that says which actions there are, what beats what, and how ties are broken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from dealwright.runtime.errors import shown
from dealwright.runtime.windows.model import PASS
from dealwright.runtime.windows.order import by_numbers, closure, levels, ties
from dealwright.runtime.windows.reading import Place, quoted
from dealwright.runtime.windows.spec import (
    DECIDING,
    EVERYBODY,
    HIGHEST,
    NEAREST,
    ActionSpec,
    Audience,
    Next,
)

NEXT: Final[tuple[Next, ...]] = get_args(Next)


def read_strength(
    place: Place, actions: list[Place], labels: list[str]
) -> tuple[dict[str, frozenset[str]], dict[str, int]]:
    """What each action beats, and its priority. The strongest come first, in the document's order where equal."""
    claims = [
        (label, action)
        for label, action in zip(labels, actions, strict=True)
        if label != PASS
    ]
    ordered = any("beats" in action.fields for _, action in claims)
    if ordered:
        beats, priorities = _by_relation(place, claims)
    else:
        priorities = {label: action.count("priority", 1) for label, action in claims}
        for label, action in claims:
            if "priority" not in action.fields:
                action.misfit(
                    "", f"{label} has neither priority nor beats", "give it one"
                )
        beats = by_numbers(priorities)
    passing = actions[labels.index(PASS)]
    lowest = passing.count("priority", 0)
    if "beats" in passing.fields or (
        not ordered and any(lowest >= number for number in priorities.values())
    ):
        passing.complain(
            "priority",
            "pass_not_lowest",
            "PASS is not the lowest action",
            "give PASS the priority 0 and every other action a higher one",
        )
    names = sorted(priorities, key=lambda name: -priorities[name])
    strength = {name: beats[name] | {PASS} for name in names}
    strength[PASS] = frozenset()
    return strength, {**priorities, PASS: 0 if ordered else lowest}


def _by_relation(
    place: Place, claims: list[tuple[str, Place]]
) -> tuple[dict[str, frozenset[str]], dict[str, int]]:
    """`"beats": ["PENG", "CHOW"]` instead of a priority; all actions must then say so."""
    labels = {label for label, _ in claims}
    said: dict[str, frozenset[str]] = {}
    for label, action in claims:
        if "priority" in action.fields:
            action.misfit(
                "priority",
                "some actions have beats, others a priority",
                "use one of them for all actions",
            )
        names = [name for name in action.names("beats") if name != PASS]
        for name in names:
            if name not in labels:
                action.misfit(
                    "beats", f"there is no action {shown(name)}", "declare it"
                )
        said[label] = frozenset(names) & labels
    beats = closure(said)
    looped = [label for label in said if label in beats[label]]
    if looped:
        place.complain(
            "actions",
            "beats_itself",
            f"{quoted(looped)} would beat itself, through what it beats",
            "take one step out of the circle",
        )
        beats = {label: frozenset() for label in said}
    return beats, {label: number + 1 for label, number in levels(beats).items()}


def read_actions(
    place: Place, actions: list[Place], priorities: Mapping[str, int]
) -> tuple[ActionSpec, ...]:
    copies = place.count("copies", 4, 1)
    after = place.child("after")
    winners = _winners(place.child("arbiter"), list(priorities))
    read: dict[str, ActionSpec] = {}
    for action in actions:
        action.known(
            "name",
            "priority",
            "beats",
            "implicit",
            "consumes",
            "same",
            "needs_wall",
            "audience",
            "when",
            "note",
        )
        name = action.text("name")
        action.flag("implicit", True)
        consumes, is_same = action.optional_count("consumes"), action.flag("same", True)
        if consumes is not None and is_same and consumes > copies - 1:
            action.complain(
                "consumes",
                "consumes_too_many",
                f"{name} takes {consumes} copies from a hand, and of {copies} one is the claimed card",
                f'at most {copies - 1}, or "same": false if they are other cards',
            )
        step = after.child(name) if name in after.fields else None
        if step is not None:
            _check_step(step, name)
        read[name] = ActionSpec(
            name=name,
            priority=priorities.get(name, 0),
            consumes=consumes,
            is_same=is_same,
            needs_wall=action.count("needs_wall", 0),
            audience=read_audience(action, ()),
            winners=winners.get(name, 1),
            next="end" if step is None else step.choice("next", NEXT, "end"),
            leaves=step is not None and step.flag("leaves", False),
        )
    return tuple(read[name] for name in _strongest_first(priorities) if name in read)


def _check_step(step: Place, name: str) -> None:
    step.known("next", "leaves")
    if "next" not in step.fields:
        step.misfit("next", f"who goes on after {name} is not said", 'give "next"')
    elif name == PASS and "winner" in str(step.fields["next"]):
        step.misfit(
            "next", "nobody wins when all pass", "use draw_after_source or kong_draw"
        )


def _strongest_first(priorities: Mapping[str, int]) -> list[str]:
    """Action names, the strongest first and PASS last."""
    return sorted(priorities, key=lambda name: (name == PASS, -priorities[name]))


def read_audience(place: Place, exclude: tuple[str, ...]) -> Audience:
    given = place.child("audience")
    given.known("exclude", "only")
    read = Audience(
        frozenset(given.names("exclude", exclude)), frozenset(given.names("only"))
    )
    return EVERYBODY if read == EVERYBODY else read


# --- the arbiter


def _winners(arbiter: Place, labels: list[str]) -> dict[str, int | None]:
    """`"single"`, `"all"`, `{"max": 2}`, or these by action with a `default`."""
    arbiter.known("winners", "tie_break", "overflow")
    given = arbiter.fields.get("winners", "single")
    if not isinstance(given, Mapping) or "max" in given:
        cap = _cap(arbiter, "winners", given)
        return dict.fromkeys(labels, cap)
    by_action = arbiter.child("winners")
    default = _cap(by_action, "default", by_action.fields.pop("default", "single"))
    caps: dict[str, int | None] = dict.fromkeys(labels, default)
    for name, value in by_action.fields.items():
        if name not in caps or name == PASS:
            by_action.misfit(name, f"there is no action {shown(name)} that could win")
        caps[name] = _cap(by_action, name, value)
    return caps


def _cap(place: Place, name: str, value: object) -> int | None:
    if value == "single":
        return 1
    if value == "all":
        return None
    if isinstance(value, Mapping) and value.keys() == {"max"}:
        most = value["max"]
        if type(most) is int and most > 0:
            return most
    place.misfit(name, f"{name} is {shown(value)}", 'use "single", "all" or {"max": n}')
    return 1


def read_tie_break(
    place: Place, beats: Mapping[str, frozenset[str]]
) -> tuple[str, ...]:
    arbiter = place.child("arbiter")
    given = arbiter.fields.get("tie_break")
    if given is None:
        for first, second in ties(beats):
            arbiter.complain(
                "tie_break",
                "equal_priorities",
                f"neither of {first} and {second} beats the other, and there is no tie break",
                f'say "tie_break": "{NEAREST}", or give them different priorities',
            )
        return (NEAREST,)
    criteria = (
        (given,) if isinstance(given, str) else arbiter.names("tie_break", (NEAREST,))
    )
    for criterion in criteria:
        if criterion not in (*DECIDING, "most_cards") and not (
            criterion.startswith(HIGHEST) and len(criterion) > len(HIGHEST)
        ):
            arbiter.misfit(
                "tie_break",
                f"there is no tie break {shown(criterion)}",
                f"use some of {', '.join(DECIDING)}, most_cards, {HIGHEST}<name of a hint>",
            )
    if not criteria or criteria[-1] not in DECIDING:
        arbiter.complain(
            "tie_break",
            "tie_not_broken",
            "two claims can be equal in all of this",
            f"end with one of {', '.join(DECIDING)}",
        )
    return criteria


def read_overflow(place: Place, actions: tuple[ActionSpec, ...]) -> int | None:
    arbiter = place.child("arbiter")
    given = arbiter.child("overflow")
    given.known("claims", "effect")
    effect = given.choice("effect", ("none", "draw"), "none")
    claims = given.optional_count("claims", 2)
    if effect == "none":
        return None
    if claims is None:
        given.misfit("claims", "how many claims are too many is not said")
    elif all(item.winners is not None and item.winners < claims for item in actions):
        given.complain(
            "claims",
            "overflow_unreachable",
            f"no action can have {claims} winners",
            'let the action have "all" winners',
        )
    return claims
