"""An open window as hints of the hint protocol: the methods are the actions, abort is PASS.

    seat 1 may PENG  →  {"code": 200, "action": "use", "players": [1, 2, 3], "abort": "allow", "method": …}
    seat 2 may not   →  {"code": 200, "action": "use", "players": [1, 2, 3]}

While a window is open, `players` is its whole audience for everybody, so it tells nothing of who was asked. A seat
without an offer, and one that has answered, gets the watcher's form. The cards of a method are those that the claim
takes from the hand, by the numbers that the game gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from dealwright.runtime.hints import (
    Hint,
    Method,
    NoDecision,
    Question,
    Reply,
    Watching,
    confirm,
    fix_cards,
    method,
    use,
)
from dealwright.runtime.windows.model import (
    PASS,
    ResponseActionOption,
    ResponseActionSeatCandidate,
    ResponseActionWindow,
    ResponseReply,
    Seat,
    Tile,
)

Numbers: TypeAlias = Callable[[Seat, tuple[Tile, ...]], Sequence[int]]
"""The numbers of these cards in the seat's hand, one for each; of equal cards any."""

NOTHING_PENDING = NoDecision()


def seen_by(
    window: ResponseActionWindow, seat: Seat | None, numbers: Numbers
) -> Hint | Watching | NoDecision:
    """What a seat (or, as None, somebody who only watches) sees of a window.

    Raises:
        HintError: "bad_hint": an action is called like a word of the protocol, "card" or "abort".
    """
    if window.status != "OPEN":
        return NOTHING_PENDING
    candidate = None if seat is None else window.candidate(seat)
    if candidate is None or candidate.answer is not None:
        return Watching("use", window.audience)
    question = question_of(candidate, numbers)
    return Hint(window.audience, question, deadline=candidate.deadline_at)


def question_of(candidate: ResponseActionSeatCandidate, numbers: Numbers) -> Question:
    """The offer of a candidate as a question.

    Raises:
        HintError: as for `seen_by`.
    """
    claims = [each for each in candidate.options if each.action_type != PASS]
    return use(
        None,
        [
            _method(name, option, candidate.seat_no, numbers)
            for name, option in _named(claims)
        ],
        may_abort=len(claims) < len(candidate.options),
    )


def reply_of(
    window: ResponseActionWindow, seat: Seat, reply: Reply, reply_id: str
) -> ResponseReply:
    """A reply to such a question, which its validator has accepted, as a reply to the window.

    Raises:
        ValueError: the seat was not offered that.
    """
    if reply.is_abort:
        return ResponseReply(reply_id, window.window_id, seat, PASS)
    candidate = window.candidate(seat)
    claims = [] if candidate is None else list(candidate.options)
    for name, option in _named([each for each in claims if each.action_type != PASS]):
        if name == reply.name:
            action, option_id = option.action_type, option.option_id
            return ResponseReply(reply_id, window.window_id, seat, action, option_id)
    raise ValueError(f"seat {seat} was not offered {reply.name}")


def _named(
    claims: list[ResponseActionOption],
) -> list[tuple[str, ResponseActionOption]]:
    """Each option with the name of its method: its action, or its id where the action has several options."""
    actions = [option.action_type for option in claims]
    return [
        (
            (
                option.action_type
                if actions.count(option.action_type) == 1
                else option.option_id
            ),
            option,
        )
        for option in claims
    ]


def _method(
    name: str, option: ResponseActionOption, seat: Seat, numbers: Numbers
) -> Method:
    if not option.consumes:
        return confirm(name)
    cards = numbers(seat, option.consumes)
    return method(name, fix_cards(len(option.consumes), cards))
