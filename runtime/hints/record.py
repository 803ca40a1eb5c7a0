"""What was asked, what came back and what was said to it: one line of JSON each, to be judged again at any time.

A recording is a regression test that nobody has to write. Recordings of the original server have the same three parts
under other names, and `from_golden` reads those. Tokens are left out of what is written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, final

from dealwright.runtime.hints.decode import decode
from dealwright.runtime.hints.desk import NOT_YOU
from dealwright.runtime.hints.errors import HintError, Refusal
from dealwright.runtime.hints.model import Hint, NoDecision
from dealwright.runtime.hints.reply import Reply
from dealwright.runtime.hints.validate import Validator

FIELDS: Final = frozenset({"hint", "reply", "answer"})


@final
@dataclass(frozen=True, slots=True)
class Record:
    """One exchange.

    Attributes:
        hint: the hint in force, as it was sent to the replier.
        reply: what he sent, any JSON value.
        answer: what he was told.
    """

    hint: Mapping[str, object]
    reply: object
    answer: Mapping[str, object]

    def line(self) -> str:
        """As a line of a file, in ASCII."""
        reply = self.reply
        if isinstance(reply, dict):
            reply = {key: value for key, value in reply.items() if key != "token"}
        parts = {"hint": self.hint, "reply": reply, "answer": self.answer}
        return json.dumps(parts) + "\n"


@final
class Recorder:
    """Writes exchanges down as they happen.

    Args:
        write: takes each line, such as the method of an open file.
    """

    __slots__ = ("_write",)

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write

    def note(
        self,
        hint: Mapping[str, object],
        reply: object,
        answer: Mapping[str, object],
    ) -> None:
        """Write one exchange down."""
        self._write(Record(hint, reply, answer).line())


@final
@dataclass(frozen=True, slots=True)
class Difference:
    """An exchange that would go otherwise now.

    Attributes:
        place: which, from 0.
        was, now: "accepted", or the kind of the refusal.
    """

    place: int
    was: str
    now: str


def read_lines(lines: Iterable[str]) -> Iterator[Record]:
    """The exchanges of a file.

    Raises:
        HintError: "bad_state": a line that is no record.
    """
    for number, line in enumerate(lines, 1):
        try:
            parts = json.loads(line)
        except ValueError:
            parts = None
        if (
            not isinstance(parts, dict)
            or parts.keys() != FIELDS
            or not isinstance(parts["hint"], dict)
            or not isinstance(parts["answer"], dict)
        ):
            raise HintError("bad_state", f"line {number} is no record of a reply")
        yield Record(parts["hint"], parts["reply"], parts["answer"])


def from_golden(cases: Iterable[Mapping[str, object]]) -> Iterator[Record]:
    """The replies of a file in the format of the original's golden cases; cases without a hint are left out."""
    for case in cases:
        hint, answer = case.get("hint_before"), case.get("answer")
        if (
            case.get("kind") == "reply"
            and isinstance(hint, dict)
            and isinstance(answer, dict)
        ):
            yield Record(hint, case.get("reply"), answer)


def judge(record: Record, is_lenient: bool = False) -> Reply | Refusal:
    """The reply of a record, judged by its hint now.

    Raises:
        HintError: "bad_hint": the hint is none.
    """
    seen = decode(record.hint)
    if isinstance(seen, Hint):
        return Validator(seen.question, is_lenient=is_lenient).check(record.reply)
    if isinstance(seen, NoDecision):
        return Refusal("no_decision", (), seen.reason)
    return NOT_YOU


def replay(records: Iterable[Record], is_lenient: bool = False) -> list[Difference]:
    """Judge all replies again.

    A refusal that only the game's rule made is not among the differences: the rule is not asked here. Of refusals of
    the original server, which have no kind, it counts only that they are refusals.

    Raises:
        HintError: "bad_hint": a hint that is none.
    """
    found: list[Difference] = []
    for place, record in enumerate(records):
        judged = judge(record, is_lenient)
        now = judged.kind if isinstance(judged, Refusal) else "accepted"
        was = _said(record.answer)
        is_same = was == now or was == "rule_refused"
        if not is_same and not (was == "refused" and now != "accepted"):
            found.append(Difference(place, was, now))
    return found


def _said(answer: Mapping[str, object]) -> str:
    """What an answer said: "accepted", the kind of a refusal, or "refused" where there is no kind."""
    if answer.get("code") == 200:
        return "accepted"
    error = answer.get("error")
    kind = error.get("kind") if isinstance(error, dict) else None
    return kind if isinstance(kind, str) else "refused"
