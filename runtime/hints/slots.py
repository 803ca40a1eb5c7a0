"""What lies on a desk: an open question, an answer that counted, and what the desk says about either."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, final

from dealwright.runtime.checks import Misfit, a_list, a_mapping, an_int
from dealwright.runtime.errors import shown
from dealwright.runtime.hints.choices import default_reply
from dealwright.runtime.hints.dialects import OK
from dealwright.runtime.hints.errors import HintError, Refusal
from dealwright.runtime.hints.model import Question, SelectCharacter
from dealwright.runtime.hints.reply import Reply, parse_reply
from dealwright.runtime.hints.saved import (
    a_bool,
    a_time,
    fields,
    is_seconds,
    question_from,
    question_json,
    reply_from,
    reply_json,
)
from dealwright.runtime.hints.validate import Validator

Why: TypeAlias = Literal["answered", "expired", "overtaken", "withdrawn"]

NO_TIME: Final = "the time is a number of seconds"
SLOT_FIELDS: Final = frozenset("seq question default limit deadline".split())


@final
@dataclass(frozen=True, slots=True)
class Judged:
    """A reply that the hint allows. The game has the last word on it, then `Desk.accept` closes the question.

    Attributes:
        seat: whose it is.
        seq: the number of the question that it answers.
        reply: what it says.
        is_repeat: it was answered before: nothing is to be done, and the answer is yes again.
        is_default: nobody sent it: the time was up.
    """

    seat: int
    seq: int
    reply: Reply
    is_repeat: bool = False
    is_default: bool = False

    def to_json(self) -> dict[str, object]:
        """The answer as it crosses the wire."""
        return {"code": OK}


@final
@dataclass(frozen=True, slots=True)
class Closed:
    """A question that is no longer open: a game passes it on to whoever has to know.

    Attributes:
        seat: who was asked.
        seq: the number of the question.
        why: "answered"; "expired": the time was up, `reply` is the default; "overtaken": others were faster, and
            "withdrawn": the game has taken it back, both without a reply.
        reply: the answer that counts, or None.
    """

    seat: int
    seq: int
    why: Why
    reply: Reply | None


@final
@dataclass(frozen=True, slots=True)
class Slot:
    """One open question.

    Attributes:
        seq: its number.
        question: the question.
        default: what counts when the time is up; None: the first of `Choices` when it comes to that.
        limit: seconds that there are for it, or None: as long as it takes.
        deadline: when the time is up; None until somebody has said what time it is.
    """

    seq: int
    question: Question
    default: Reply | None
    limit: float | None
    deadline: float | None

    def reply(self) -> Reply | None:
        """What counts when the time is up; None if nothing could be replied."""
        return default_reply(self.question) if self.default is None else self.default


@final
@dataclass(frozen=True, slots=True)
class Answered:
    """The last reply of a seat that counted.

    Attributes:
        seq: the number of the question.
        is_default: it was the default, since the time was up.
    """

    seq: int
    reply: Reply
    is_default: bool


def answered_json(last: Answered) -> list[object]:
    """A reply that counted, as JSON types."""
    return [last.seq, reply_json(last.reply), last.is_default]


def answered_from(value: object) -> Answered:
    """A reply that counted, as it was saved.

    Raises:
        Misfit: it is none.
    """
    items = a_list(value, "answered")
    if len(items) != 3:
        raise Misfit("answered: a number, a reply, and whether it was a default")
    return Answered(
        an_int(items[0], "answered"),
        reply_from(items[1], "answered"),
        a_bool(items[2], "answered"),
    )


def slot_json(slot: Slot) -> dict[str, object]:
    """An open question as JSON types."""
    return {
        "seq": slot.seq,
        "question": question_json(slot.question),
        "default": None if slot.default is None else reply_json(slot.default),
        "limit": slot.limit,
        "deadline": slot.deadline,
    }


def slot_from(value: object) -> Slot:
    """An open question as it was saved.

    Raises:
        HintError, Misfit: it is none.
    """
    saved = fields(a_mapping(value, "open"), SLOT_FIELDS, "open")
    question = question_from(saved["question"])
    default = saved["default"]
    given = None if default is None else reply_from(default, "default")
    limit = a_time(saved["limit"], "limit")
    check_terms(1, None, limit)
    return Slot(
        an_int(saved["seq"], "seq"),
        question,
        checked_default(question, given),
        limit,
        a_time(saved["deadline"], "deadline"),
    )


def checked_default(question: Question, given: Reply | None) -> Reply | None:
    """A default that a game gives, if it gives one.

    Raises:
        HintError: "bad_reply": the question refuses it.
    """
    if given is None:
        return None
    judged = Validator(question).check_reply(given)
    if isinstance(judged, Refusal):
        raise HintError("bad_reply", f"a default reply is refused: {judged.sentence}")
    return judged


def bad_question(sentence: str) -> HintError:
    """The error of asking what a desk cannot ask now."""
    return HintError("bad_question", sentence)


def enough_for_all(question: Question, players: int) -> None:
    """See to it that whoever selects last finds a character, whatever the others have selected.

    Raises:
        HintError: "bad_question".
    """
    detail = question.detail
    if not isinstance(detail, SelectCharacter):
        raise bad_question("only characters can be exclusive")
    if len(detail.candidates) < players:
        raise bad_question(f"{players} players need {players} candidates each")


def check_terms(
    players: int, first: int | None, limit: float | None, now: float | None = None
) -> None:
    """See to it that a race can be won, that there is any time at all, and that it can be told.

    Raises:
        HintError: "bad_question".
    """
    if first is not None and not 1 <= first <= players:
        raise bad_question(f"{players} are asked, so {shown(first)} cannot answer")
    if limit is not None and not (is_seconds(limit) and limit > 0):
        raise bad_question("a time limit is a number of seconds, more than none")
    if now is not None and not is_seconds(now):
        raise bad_question(NO_TIME)


def late(seat: int, last: Answered | None, body: object, seq: int) -> Judged | Refusal:
    """What becomes of a reply to another question than the open one.

    Args:
        last: the last reply of the seat that counted.
        seq: the number that the reply gives.

    Returns:
        The last reply itself if this is the same once more, else why it is refused.
    """
    if last is None or last.seq != seq or last.is_default:
        return Refusal("stale_hint", ("meta", "seq"), "that hint is no longer open")
    parsed = parse_reply(last.reply.action, body)
    # another order of cards is another reply
    if isinstance(parsed, Refusal) or parsed.reply != last.reply:
        return Refusal("duplicate_reply", ("meta", "seq"), "that hint is answered")
    return Judged(seat, seq, last.reply, is_repeat=True)
