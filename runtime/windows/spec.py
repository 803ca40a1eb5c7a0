"""What a response window is like, as data: who is asked, what may be answered, whose claim wins, and when it ends.

A `WindowSpec` is made by `spec_read` from JSON (section 1.7 of the requirement), and checked there; it holds what the
other modules of the package want to know and decides nothing itself. The one thing that is no data, whether a hand
allows an action, is a callable given to the builder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Literal, TypeAlias, final

from dealwright.runtime.errors import DealwrightError
from dealwright.runtime.windows.order import is_ranked

Amend: TypeAlias = Literal["never", "upward_on_new_claim", "until_close"]
Early: TypeAlias = Literal["when_decided", "when_all_answered", "never"]
Offline: TypeAlias = Literal["wait_for_deadline", "pass_now", "bot"]
OpenEvent: TypeAlias = Literal["when_candidates", "always"]
CloseReasonIs: TypeAlias = Literal["audit", "public"]
ForcedMode: TypeAlias = Literal["remove_pass", "timeout"]
Next: TypeAlias = Literal[
    "after_last_winner",
    "after_first_winner",
    "after_source",
    "draw_after_source",
    "discard_by_winner",
    "kong_draw",
    "end",
]

NEAREST: Final = "nearest_after_source"
FIRST_ANSWER: Final = "first_answer"
HIGHEST: Final = "highest:"
DECIDING: Final = (NEAREST, "farthest_after_source", FIRST_ANSWER)
"""Criteria that leave no tie."""


@final
@dataclass(frozen=True, slots=True)
class SpecProblem:
    """Something wrong with a spec, or (as a lint) something to think about.

    Attributes:
        path: where, as a JSON pointer into the document.
        code: a stable word for programs.
        sentence: what is wrong.
        remedy: what to do about it.
    """

    path: str
    code: str
    sentence: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.path or '/'}: {self.sentence}; {self.remedy}"


@final
class SpecRefused(DealwrightError):
    """A spec or a mode cannot be used.

    Attributes:
        problems: all that was found, in the order of the document. `code` is the first one's.
    """

    def __init__(self, problems: tuple[SpecProblem, ...]) -> None:
        super().__init__(problems[0].code, "\n".join(map(str, problems)))
        self.problems = problems

    def __reduce__(self) -> tuple[type[SpecRefused], tuple[object]]:
        return SpecRefused, (self.problems,)


@final
@dataclass(frozen=True, slots=True)
class Audience:
    """Which seats are asked, by the roles that the game gives them ("source" and "next" are known to all games).

    Attributes:
        exclude: seats in one of these roles are not asked.
        only: if there are any, seats in none of these roles are not asked.
    """

    exclude: frozenset[str] = frozenset()
    only: frozenset[str] = frozenset()


EVERYBODY: Final = Audience()
"""An audience that nobody is left out of; the same object wherever an action does not narrow the window's."""


@final
@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action.

    Attributes:
        name: its name.
        priority: how strong; where the spec says `beats`, the length of the longest chain below it.
        consumes: how many cards leave the hand, where the spec says.
        is_same: whether those are copies of the claimed card.
        needs_wall: how many cards must be left to draw.
        audience: narrows the window's.
        winners: how many may win with it on one card; None is any number.
        next: who goes on after it.
        leaves: whether its winners are out of the round.
    """

    name: str
    priority: int
    consumes: int | None
    is_same: bool
    needs_wall: int
    audience: Audience
    winners: int | None
    next: Next
    leaves: bool


@final
@dataclass(frozen=True, slots=True)
class Timeout:
    """How long seats have, in milliseconds, and what silence means.

    Attributes:
        ms: for everybody.
        answer: the action that silence means; PASS if the seat was not offered it.
        per_action_answer: what silence means for a seat that was offered the action. The strongest offered counts.
        per_action_ms: another time for a seat that was offered the action; the longest offered counts.
        longest: how long the window may stay open. Does not depend on what is offered, since everybody is told.
    """

    ms: int
    answer: str
    per_action_answer: Mapping[str, str]
    per_action_ms: Mapping[str, int]
    longest: int


@final
@dataclass(frozen=True, slots=True)
class Conceal:
    """What the table may learn from the window as such.

    Attributes:
        open_event: whether a window opens even where nobody may claim.
        min_open_ms: it does not close earlier.
        close_reason: whether RESPONSE_WINDOW_CLOSED says why.
    """

    open_event: OpenEvent
    min_open_ms: int
    close_reason: CloseReasonIs


@final
@dataclass(frozen=True, slots=True)
class ForcedClaim:
    """An action that a seat must take when the wall has come to its end.

    Attributes:
        action: which.
        when_wall_at_most: how many cards are left then, at most.
        mode: "remove_pass": nothing else is offered. "timeout": silence means it.
        is_auto: with nothing else offered, whether the seat is answered for at once.
        overrides: ids of locks that do not hold then.
    """

    action: str
    when_wall_at_most: int
    mode: ForcedMode
    is_auto: bool
    overrides: frozenset[str]


@final
@dataclass(frozen=True, slots=True)
class RoundEnd:
    """When a round ends instead of somebody drawing.

    Attributes:
        wall_empty: the reason when nothing is left to draw.
        seats_left: the round ends when no more seats than this play on.
        few_seats: the reason then.
        overflow: the reason when too many claimed.
    """

    wall_empty: str
    seats_left: int
    few_seats: str
    overflow: str


@final
@dataclass(frozen=True, slots=True)
class WindowSpec:
    """A kind of window. Made by `spec_read.window_spec`, which refuses what cannot work.

    Attributes:
        id: its name.
        rule_mode: the mode that it belongs to.
        trigger: the kind of event that opens it.
        audience: who is asked.
        actions: the strongest first, PASS last.
        beats: for each action, those that it beats. A strict partial order; PASS is below everything.
        tie_break: criteria between claims of which none beats another, the most important first.
        overflow: so many claims of one action, and none of them wins; None if there is no such rule.
        amend: whether an answer may be changed.
        amend_grace_ms: how long after each claim the window stays open so that it can be outdone.
        timeout: time.
        early: when it may close before the deadline.
        offline: what happens to seats that are not there.
        conceal: what the table may learn.
        public_pass: whether PASS_DECLARED is published; a lint advises against it.
        copies: how many of each card there are.
        forced: claims that must be made.
        end: when the round ends.
        caps: from `actions`: for each, how many may win with it on one card; None is any number.
        is_ranked: whether actions that do not beat each other beat, and are beaten by, the same ones: numbers always do.
        is_by_nearness: whether the nearest to the source wins ties and nothing else is asked, as is usual.
        is_prompt: whether a window closes as soon as it is decided, and nothing but answers and one deadline counts.
    """

    id: str
    rule_mode: str
    trigger: str
    audience: Audience
    actions: tuple[ActionSpec, ...]
    beats: Mapping[str, frozenset[str]]
    tie_break: tuple[str, ...]
    overflow: int | None
    amend: Amend
    amend_grace_ms: int
    timeout: Timeout
    early: Early
    offline: Offline
    conceal: Conceal
    public_pass: bool
    copies: int
    forced: tuple[ForcedClaim, ...]
    end: RoundEnd
    caps: Mapping[str, int | None] = field(init=False)
    is_ranked: bool = field(init=False)
    is_by_nearness: bool = field(init=False)
    is_prompt: bool = field(init=False)

    def __post_init__(self) -> None:
        derive = partial(object.__setattr__, self)
        derive("caps", {action.name: action.winners for action in self.actions})
        derive("is_ranked", is_ranked(self.beats))
        derive("is_by_nearness", self.tie_break[:1] == (NEAREST,))
        derive(
            "is_prompt",
            self.early == "when_decided"
            and self.amend == "never"
            and not self.conceal.min_open_ms
            and not self.timeout.per_action_ms,
        )

    def action(self, name: str) -> ActionSpec:
        """The action of that name.

        Raises:
            KeyError: there is none.
        """
        for action in self.actions:
            if action.name == name:
                return action
        raise KeyError(name)
