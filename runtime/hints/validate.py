"""Replies judged against the very question that was asked, quickly where they are good.

A question is compiled once into tables, so that an ordinary good reply is recognised with a few look-ups and no
allocation but the result. Whatever does not fit there goes to `judge`, which knows every spelling, and whose verdict is
the same; the tests compare the two. That is worth a module: a server judges every reply of every client.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, final

from dealwright.runtime.hints.judge import Judge, Judged
from dealwright.runtime.hints.model import (
    FACE,
    Discard,
    Question,
    SelectCharacter,
    SelectRegion,
    Use,
)
from dealwright.runtime.hints.reply import Parsed, Reply

Check: TypeAlias = Callable[[object], Judged]
_new = tuple.__new__


@final
class Validator:
    """Judges replies to one question.

    Attributes:
        question: the question.
        check: the reply that a body is, or why it is none: `validator.check(body)`. The body may be any JSON value and
            stays as it is. It is a plain function, which is quicker to call than a method.
        judge: the same without the quick way.
    """

    __slots__ = ("check", "judge", "question")

    def __init__(
        self, question: Question, is_strict: bool = False, is_lenient: bool = False
    ) -> None:
        """Compile `question`.

        Args:
            is_strict: refuse keys that mean nothing, which are otherwise passed over.
            is_lenient: take a `discard` that names no method for the only one there is, as the original server does.
        """
        self.question = question
        self.judge = Judge(question, is_strict, is_lenient)
        self.check = _check_of(self.judge)

    def __call__(self, body: object) -> Judged:
        """The reply that `body` is, or why it is none."""
        return self.check(body)

    def check_parsed(self, parsed: Parsed) -> Judged:
        """The same for a body whose shape is known already."""
        return self.judge.judge_parsed(parsed)

    def check_reply(self, reply: Reply) -> Judged:
        """The same for a reply that a program made, such as a default."""
        return self.judge.judge_reply(reply)


# The quick ways know the usual spellings, with nothing beside them but a token. Each asks for an exact dict, since a
# subclass could do anything when it is asked. A key that is missing, a list where a name should be, a list that is not
# of one: the slow way says which.


def _check_of(judge: Judge) -> Check:
    match judge.question.detail:
        case SelectCharacter():
            return _quick_choice(judge, "select")
        case SelectRegion():
            return _quick_choice(judge, "region")
        case Discard():
            return _quick_discard(judge)
        case Use():
            return _quick_use(judge)


def _quick_choice(judge: Judge, key: str) -> Check:
    slow, choices, action = judge.judge, judge.choices, judge.question.action

    def check(body: object) -> Judged:
        if type(body) is dict:
            try:
                name = body[key]
                size = len(body)
                if (size == 1 or (size == 2 and "token" in body)) and name in choices:
                    return _new(Reply, (action, name, (), (), False))
            except (KeyError, TypeError):
                pass
        return slow(body)

    return check


def _quick_discard(judge: Judge) -> Check:
    slow = judge.judge
    able = {name: plan for name, plan in judge.plans.items() if not plan.is_hopeless}
    # one card is what is asked for most; the others need their duplicates counted
    single = {name: plan.cards for name, plan in able.items() if plan.most == 1}
    several = {
        name: (plan.least, plan.most, plan.cards)
        for name, plan in able.items()
        if plan.most > 1
    }

    def check(body: object) -> Judged:
        if type(body) is dict:
            try:
                name = body["method"]
                cards = body["discard"]
                size = len(body)
                if type(cards) is list and (
                    size == 2 or (size == 3 and "token" in body)
                ):
                    if name in single:
                        [card] = cards
                        # True equals 1, but is no id
                        if type(card) is int and card in single[name]:
                            return _new(Reply, ("discard", name, (card,), (), False))
                    else:
                        least, most, offered = several[name]
                        size = len(cards)
                        if (
                            least <= size <= most
                            and len(set(cards)) == size
                            and offered.issuperset(cards)
                            and all_integers(cards)
                        ):
                            return _new(
                                Reply, ("discard", name, tuple(cards), (), False)
                            )
            except (KeyError, TypeError, ValueError):
                pass
        return slow(body)

    return check


def all_integers(values: list[object]) -> bool:
    """Whether all are integers: True equals 1, and 1.0 too, but they are no ids."""
    for value in values:  # noqa: SIM110  # a generator takes three times as long
        if type(value) is not int:
            return False
    return True


def _quick_use(judge: Judge) -> Check:
    """One card and at most one target; the rest is rare enough for the slow way."""
    slow = judge.judge
    faces_of = {
        card: (plan.aims, plan.targets)
        for card, plan in judge.entries.items()
        if plan is not None and plan.aims <= 1
    }
    single = {
        name: (plan.cards, plan.aims, plan.targets)
        for name, plan in judge.plans.items()
        if plan.least == 1 and plan.aims <= 1 and not plan.is_hopeless
    }

    def check(body: object) -> Judged:
        if type(body) is dict:
            try:
                name = body["action"]
                cards = body["use"]
                [card] = cards
                if type(card) is int and type(cards) is list:
                    if name == FACE:
                        count, offered = faces_of[card]
                        is_offered = True
                    else:
                        candidates, count, offered = single[name]
                        is_offered = card in candidates
                    size = len(body) - 1 if "token" in body else len(body)
                    if is_offered and size == 3 and count:
                        aimed = body["players" if "players" in body else "targets"]
                        [target] = aimed
                        if (
                            target in offered
                            and type(target) is int
                            and type(aimed) is list
                        ):
                            return _new(Reply, ("use", name, (card,), (target,), False))
                    elif is_offered and size == 2 and not count:
                        return _new(Reply, ("use", name, (card,), (), False))
            except (KeyError, TypeError, ValueError):
                pass
        return slow(body)

    return check
