"""Check a good reply of a client against the hint that he was given: a server does it for every reply that comes.

The rival is asked for the bare shape only (an object, a string, a list of integers), since a schema of the hint itself
would cost it more; it gives no reason when it refuses, and its answer is no value that a game could use.
"""

from __future__ import annotations

from typing import Final

from bench.contest import (
    MICROSECONDS,
    Answers,
    Contender,
    Contest,
    Row,
    Setting,
    at_most,
)
from bench.opponents import Opponents
from bench.timing import calling
from dealwright.runtime.hints import (
    Choices,
    Question,
    Reply,
    Validator,
    discard,
    encode_reply,
    fix_cards,
    method,
)

TASK: Final = "check-a-reply"
RIVALS: Final = {"fastjsonschema": at_most(1.0)}
HAND: Final = range(17)


def _prepare(setting: Setting) -> Contest:
    asked = _question()
    replies = Choices(asked).sample(setting.count, setting.seed)
    bodies = [encode_reply(reply, "a token") for reply in replies]
    check = Validator(asked).check

    def answers() -> Answers:
        return [isinstance(check(body), Reply) for body in bodies]

    opponents = Opponents(setting, TASK, bodies, dict(RIVALS))
    return Contest(
        len(bodies),
        Contender("dealwright", answers, calling(check, bodies)),
        opponents.contenders,
        opponents.missing,
        opponents.close,
    )


def _question() -> Question:
    """One card or two of a hand of 17: what is asked for most."""
    single = method("single", fix_cards(1, HAND))
    return discard([single, method("pair", fix_cards(2, HAND))])


ROWS: Final = (
    Row(
        TASK,
        "check a good reply to a hint, with a reason if it were none",
        MICROSECONDS,
        _prepare,
        aim=at_most(1.4),
        rivals=tuple(RIVALS),
    ),
)
