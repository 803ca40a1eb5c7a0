"""Recognising cards and comparing plays, for every rule: the generated functions against the ones written by hand and
against the fast interpreter of the same flows; the public face, which checks and copies; and the same compiled by mypyc.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from inspect import signature
from typing import Any, Final, TypeAlias

from bench.contest import (
    NANOSECONDS,
    Aim,
    Answers,
    Contender,
    Contest,
    Row,
    Setting,
    at_least,
    at_most,
)
from bench.environments import Unavailable
from bench.native import asked_again, compiled
from bench.subjects import SOURCES, Subject
from bench.timing import calling
from bench.workloads import legal, pairs, subsets

Function: TypeAlias = Callable[..., Any]

HAND: Final = "hand"
INTERPRETER: Final = "interpreter"
PUBLIC: Final = "public face"
NATIVE: Final = "native"

RECOGNISE: Final = {
    "legal": ("plausible plays", legal, at_most(1.3)),
    "random": ("subsets of a hand", subsets, at_most(1.5)),
}
COMPARE: Final = {
    "same": ("of one cardset", True),
    "any": ("of any cardsets", False),
}


def _recognise(name: str, mix: str, setting: Setting) -> Contest:
    subject = setting.subject(name)
    _, questions_of, aim = RECOGNISE[mix]
    questions = questions_of(subject, setting.count, setting.seed)
    return _contest(
        subject, setting, "recognize", questions, aim, _play, has_graph=True
    )


def _compare(name: str, mix: str, setting: Setting) -> Contest:
    subject = setting.subject(name)
    _, same = COMPARE[mix]
    questions = pairs(subject, setting.count, setting.seed, same=same)
    cardsets = subject.design["cardsets"].values()
    # what successors decide is looked up, interpreted or not
    has_graph = same and all(cardset.get("compare_flow") for cardset in cardsets)
    aim = at_most(1.3)
    return _contest(
        subject, setting, "beats", questions, aim, bool, has_graph=has_graph
    )


def _contest(
    subject: Subject,
    setting: Setting,
    verb: str,
    questions: Sequence[Any],
    aim: Aim,
    told: Callable[[Any], object],
    *,
    has_graph: bool,
) -> Contest:
    """Generated functions, hand, interpreter and public face on the same questions.

    Args:
        verb: "recognize" or "beats".
        has_graph: whether every question is answered by a flow, so that there is a graph to interpret.
        told: turns what a function returns into an answer that can be compared.
    """
    reads_match = subject.reads_match(verb)
    generated = f"{verb}_in" if reads_match else verb
    in_game = (subject.game,) if reads_match else ()
    in_match = (subject.position,) if reads_match else ()

    def contender(
        name: str,
        function: Function,
        context: tuple[object, ...],
        aim: Aim | None,
        questions: Sequence[Any] = questions,
    ) -> Contender:
        def answers() -> Answers:
            parts = (
                question if isinstance(question, tuple) else (question,)
                for question in questions
            )
            return [told(function(*part, *context)) for part in parts]

        run = calling(function, questions, *context)
        return Contender(name, answers, run, aim)

    functions = subject.package.cardsets
    ours = contender("dealwright", getattr(functions, generated), in_game, None)
    by_hand = getattr(subject.by_hand, verb)
    public = getattr(subject.package, verb)
    rivals = []
    if setting.has(HAND):
        # by hand it may have turned out that the match is not needed
        takes_match = "game" in signature(by_hand).parameters
        context = in_game if takes_match else ()
        rivals.append(contender(HAND, by_hand, context, aim))
    if setting.has(PUBLIC):
        rivals.append(contender(PUBLIC, public, in_match, None))
    if setting.has(INTERPRETER):
        interpreted = getattr(subject.interpreter, verb)
        wanted = at_least(10) if has_graph else None
        rivals.append(contender(INTERPRETER, interpreted, in_game, wanted))
    missing = {}
    if setting.has(NATIVE):
        try:
            twin = compiled(subject)
        except Unavailable as error:
            missing[NATIVE] = str(error)
        else:
            function = getattr(twin.package.cardsets, generated)
            context = (twin.game,) if reads_match else ()
            again = asked_again(questions, twin)
            rivals.append(contender(NATIVE, function, context, None, again))
    return Contest(len(questions), ours, rivals, missing)


def _play(play: Any) -> object:
    """A play as values."""
    if play is None:
        return None
    return play.id, play.cardset, [card.id for card in play.cards], play.properties


ROWS: Final = (
    *(
        Row(
            f"recognise-{mix}:{name}",
            f"recognise, {what}: {name}",
            NANOSECONDS,
            partial(_recognise, name, mix),
            rivals=(HAND, PUBLIC, INTERPRETER, NATIVE),
        )
        for name in SOURCES
        for mix, (what, _, _) in RECOGNISE.items()
    ),
    *(
        Row(
            f"compare-{mix}:{name}",
            f"compare two plays {what}: {name}",
            NANOSECONDS,
            partial(_compare, name, mix),
            rivals=(HAND, PUBLIC, INTERPRETER, NATIVE),
        )
        for name in SOURCES
        for mix, (what, _) in COMPARE.items()
    ),
)
