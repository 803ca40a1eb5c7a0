"""A window from the discard to the result, three seats of four asked: built, opened, three answers, and decided.

What the game has to find out, whether a hand allows a claim, is not in it: offers are looked up. Once the pure functions
alone, once through the desk with its messages to four seats and whoever watches, which nobody takes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations, product
from random import Random
from typing import Final, TypeAlias

from bench.contest import (
    MICROSECONDS,
    Answers,
    Contender,
    Contest,
    Row,
    Setting,
    at_most,
)
from bench.timing import calling
from dealwright.runtime.windows import (
    PASS,
    GameMessagePublisher,
    Offer,
    Resolution,
    ResponseActionWindowBuilder,
    ResponseDesk,
    ResponseReply,
    Seat,
    Shape,
    TableView,
    Trigger,
    on_reply,
    opening,
    shipped_mode,
)
from dealwright.runtime.windows.messages import Message

Table: TypeAlias = dict[str, tuple[Sequence[Shape], ...]]
Replies: TypeAlias = list[ResponseReply]

TURN_ORDER: Final = (0, 1, 2, 3)
TRIGGER: Final = Trigger("DISCARD", 0, "5m", 1, 1_000, 40)
ROUND: Final = "r1"
WINDOW: Final = f"{ROUND}:w1"
TABLE: Final[Table] = {
    "HU": ((), (), (Shape(),), (Shape(),)),
    "GANG": ((), (), (), ()),
    "PENG": ((), (Shape(("5m", "5m")),), (), ()),
}
"""For each action the ways in which each seat can take it."""
CLAIMS: Final = {1: "PENG", 2: "HU", 3: "HU"}

MODE: Final = shipped_mode("V1")
SPEC: Final = MODE.windows[TRIGGER.kind]
OFFERS: Final[dict[str, Offer[Table]]] = {
    "HU": lambda table, seat, _: table["HU"][seat],
    "GANG": lambda table, seat, _: table["GANG"][seat],
    "PENG": lambda table, seat, _: table["PENG"][seat],
}
BUILDER: Final = ResponseActionWindowBuilder(SPEC, OFFERS)
VIEW: Final = TableView("t1", ROUND, TURN_ORDER, 1, 0, TABLE, {"won": ()})


def decided(replies: Replies) -> Resolution | None:
    """What a window comes to that is built and gets these replies."""
    window = BUILDER.build(VIEW, TRIGGER)
    assert window is not None
    window, told = opening(window, SPEC)
    at = TRIGGER.at
    for reply in replies:
        at += 100
        window, told = on_reply(window, reply, at, SPEC)
    return told[-1].resolution


def _alone(setting: Setting) -> Contest:
    return _contest(setting, decided)


def _through_the_desk(setting: Setting) -> Contest:
    def nobody(recipient: Seat | None, message: Message) -> None:
        """Nobody listens."""

    publisher = GameMessagePublisher("t1", TURN_ORDER, nobody)
    desk = ResponseDesk(MODE, {TRIGGER.kind: OFFERS}, publisher, TURN_ORDER)

    def run(replies: Replies) -> Resolution | None:
        desk.open(TABLE, TRIGGER, ROUND, 0, VIEW.roles)
        assert desk.window is not None
        window_id, at = desk.window.window_id, TRIGGER.at
        for name, _, seat, action, _ in replies:
            at += 100
            desk.reply(ResponseReply(name, window_id, seat, action), at)
        resolution = desk.resolution
        desk.applied(_is_ready)
        return resolution

    return _contest(setting, run)


def _is_ready(seat: Seat) -> bool:
    """The mode has no locks, so nobody asks."""
    return False


def _contest(setting: Setting, run: Callable[[Replies], Resolution | None]) -> Contest:
    questions = three_replies(setting.count, setting.seed)

    def answers() -> Answers:
        return [run(replies) for replies in questions]

    return Contest(
        len(questions), Contender("dealwright", answers, calling(run, questions))
    )


def three_replies(count: int, seed: int) -> list[Replies]:
    """Three answers each, in an order in which the third is still needed."""
    found = []
    for order in permutations(CLAIMS):
        for claims in product((True, False), repeat=len(order)):
            said = zip(order, claims, strict=True)
            replies = [
                ResponseReply(
                    f"a{seat}", WINDOW, seat, CLAIMS[seat] if is_claim else PASS
                )
                for seat, is_claim in said
            ]
            if _is_open(replies[:-1]):
                found.append(replies)
    return Random(seed).choices(found, k=count)


def _is_open(replies: Replies) -> bool:
    window = BUILDER.build(VIEW, TRIGGER)
    assert window is not None
    for reply in replies:
        window, _ = on_reply(window, reply, TRIGGER.at, SPEC)
    return window.status == "OPEN"


ROWS: Final = (
    Row(
        "window",
        "a window, three seats asked: built, answered by all, decided",
        MICROSECONDS,
        _alone,
        aim=at_most(15),
    ),
    Row(
        "window-desk",
        "the same through the desk, told to four seats and a watcher",
        MICROSECONDS,
        _through_the_desk,
    ),
)
