"""Whole rounds of the Sichuan example as a server plays them: inputs checked, windows, payments, and every message made.

What the seats do was found out beforehand by the example's computer players, so that their thinking is not in it. RLCard's
mahjong is another game with other rules (pungs, kongs and chows asked of one seat at a time, no payments), and its steps
come with the observation that its players learn from. One of its steps stands beside one of our inputs, and all that both
answer is that it was taken.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from time import process_time
from typing import Final, NamedTuple, TypeAlias

from bench.contest import A_SECOND, Answers, Contender, Contest, Row, Setting
from bench.opponents import Opponents
from dealwright.runtime.hints import Hint, Reply, encode_reply
from dealwright.runtime.windows import GameMessagePublisher, Seat, shipped_mode
from dealwright.runtime.windows.messages import Message
from examples.sichuan.asking import answer, carry_out, hint, seen
from examples.sichuan.bots import bot_move
from examples.sichuan.round import Round, dealt, shuffled_wall
from examples.sichuan.rules import TURN_ORDER

TASK: Final = "step"
RLCARD: Final = "rlcard"
MODE: Final = shipped_mode("SBR_2025")
ROUNDS: Final = 20
STEP_MS: Final = 100


class Said(NamedTuple):
    """What a seat did, as its reply and as the JSON that a client sends."""

    seat: Seat
    reply: Reply
    body: object


class Script(NamedTuple):
    """A round that was played: its wall's seed and all that was said."""

    seed: int
    said: tuple[Said, ...]


Play: TypeAlias = Callable[[Script], Round]


def _nobody(recipient: Seat | None, message: Message) -> None:
    """Nobody listens."""


def _opened(seed: int) -> Round:
    publisher = GameMessagePublisher("t1", TURN_ORDER, _nobody)
    played = Round(MODE, dealt(shuffled_wall(seed)), publisher)
    played.begin(0)
    return played


@cache
def _script(seed: int) -> Script:
    """A round between four computer players; nobody lets the time run out."""
    played, rng, said, now = _opened(seed), Random(seed), [], 0
    while played.phase != "OVER":
        seat = next(each for each in TURN_ORDER if isinstance(seen(played, each), Hint))
        reply = bot_move(played, seat, rng)
        now += STEP_MS
        carry_out(played, seat, reply, now, "bot")
        said.append(Said(seat, reply, encode_reply(reply)))
    return Script(seed, tuple(said))


def _played(script: Script) -> Round:
    """The round again, its inputs given as they are."""
    played, now = _opened(script.seed), 0
    for seat, reply, _ in script.said:
        now += STEP_MS
        carry_out(played, seat, reply, now, "bot")
    return played


def _played_by_hints(script: Script) -> Round:
    """The round again, each seat being sent its hint and its reply being checked against it."""
    played, now = _opened(script.seed), 0
    for seat, _, body in script.said:
        now += STEP_MS
        hint(played, seat)
        answer(played, seat, body, now, "bot")
    return played


def _scripts(setting: Setting) -> list[Script]:
    return [_script(seed) for seed in range(setting.seed, setting.seed + ROUNDS)]


def _run(scripts: list[Script], play: Play) -> Callable[[int], float]:
    def run(loops: int) -> float:
        start = process_time()
        for _ in range(loops):
            for script in scripts:
                play(script)
        return process_time() - start

    return run


def _rounds(setting: Setting) -> Contest:
    scripts = _scripts(setting)

    def answers() -> Answers:
        return [_played(script).accounts.totals() for script in scripts]

    ours = Contender("dealwright", answers, _run(scripts, _played))
    return Contest(len(scripts), ours)


def _steps(play: Play, setting: Setting) -> Contest:
    scripts = _scripts(setting)
    steps = sum(len(script.said) for script in scripts)

    def answers() -> Answers:
        over = all(play(script).phase == "OVER" for script in scripts)
        return [over] * steps

    opponents = Opponents(setting, TASK, [0] * steps, {RLCARD: None})
    return Contest(
        steps,
        Contender("dealwright", answers, _run(scripts, play)),
        opponents.contenders,
        opponents.missing,
        opponents.close,
    )


ROWS: Final = (
    Row("sichuan-round", "whole rounds of Sichuan mahjong", A_SECOND, _rounds),
    Row(
        "sichuan-step",
        "inputs in rounds of Sichuan mahjong (RLCard: steps of its own mahjong)",
        A_SECOND,
        lambda setting: _steps(_played, setting),
        rivals=(RLCARD,),
    ),
    Row(
        "sichuan-step-hints",
        "the same with a hint made and a reply checked for each input",
        A_SECOND,
        lambda setting: _steps(_played_by_hints, setting),
        rivals=(RLCARD,),
    ),
)
