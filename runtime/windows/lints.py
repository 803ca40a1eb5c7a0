"""What is allowed in a spec and yet worth a second thought: ties that cannot happen, results that depend on the network,
and windows that tell more than they need to."""

from __future__ import annotations

from collections.abc import Iterator

from dealwright.runtime.windows.model import PASS
from dealwright.runtime.windows.order import ties
from dealwright.runtime.windows.spec import (
    FIRST_ANSWER,
    ActionSpec,
    SpecProblem,
    WindowSpec,
)


def most_seats(copies: int, consumes: int) -> int | None:
    """How many seats at most can hold `consumes` copies of a card of which one has been played; None is no limit."""
    return None if consumes == 0 else (copies - 1) // consumes


def lints(spec: WindowSpec) -> tuple[SpecProblem, ...]:
    """Everything that is worth a second thought, in the order of the document."""
    return (
        *_unreachable_ties(spec),
        *_network(spec),
        *_early_claims(spec),
        *_told(spec),
    )


def _unreachable_ties(spec: WindowSpec) -> Iterator[SpecProblem]:
    claims = [action for action in spec.actions if action.name != PASS]
    for action in claims:
        used = _copies_used(action)
        if used is not None and most_seats(spec.copies, used) == 1:
            yield SpecProblem(
                f"/actions/{action.name}",
                "unreachable_tie",
                f"of {spec.copies} copies only one seat can hold {used} for {action.name}, so two seats never tie with it",
                "nothing to do; a tie break between them never runs",
            )
    for first, second in ties(spec.beats):
        used, more = _copies_used(spec.action(first)), _copies_used(spec.action(second))
        if used is not None and more is not None and used + more > spec.copies - 1:
            yield SpecProblem(
                f"/actions/{second}",
                "unreachable_tie",
                f"of {spec.copies} copies no two seats can hold {used} for {first} and {more} for {second}",
                "nothing to do; the tie break between them never runs",
            )


def _copies_used(action: ActionSpec) -> int | None:
    """How many copies of the card the action takes from a hand; None if that is no question of copies."""
    return action.consumes if action.is_same and action.consumes else None


def _network(spec: WindowSpec) -> Iterator[SpecProblem]:
    if FIRST_ANSWER in spec.tie_break:
        yield SpecProblem(
            "/arbiter/tie_break",
            "network_decides",
            "the first answer wins a tie, which depends on the network and cannot be replayed",
            "break ties by seats, such as nearest_after_source",
        )


def _early_claims(spec: WindowSpec) -> Iterator[SpecProblem]:
    if spec.amend == "upward_on_new_claim":
        yield SpecProblem(
            "/answers/amend",
            "claims_announced",
            "claims are announced while the window is open, since others may outdo them",
            'use "never" unless the game is played as at a table',
        )


def _told(spec: WindowSpec) -> Iterator[SpecProblem]:
    if spec.public_pass:
        yield SpecProblem(
            "/events/PASS_DECLARED",
            "public_candidates",
            "a public PASS tells that the seat could have claimed",
            'make it "private"',
        )
    if spec.conceal.close_reason == "public":
        yield SpecProblem(
            "/conceal/close_reason",
            "public_candidates",
            "the public reason tells whether somebody fell silent or was cut off",
            'make it "audit"',
        )
    if (
        spec.conceal.open_event == "always"
        and spec.early != "never"
        and spec.conceal.min_open_ms < spec.timeout.longest
    ):
        yield SpecProblem(
            "/conceal/open_event",
            "timing_tells",
            "a window without candidates closes earlier than one whose candidates think",
            'say "early": "never", or let min_open_ms be the whole time',
        )
