"""The questions that are open now: who is asked what, whose reply counts, and what happens to the others.

A game puts questions on its desk (`ask`), gives every client what he may see (`hint`), hands in what clients send
(`judge`), and takes the answers off (`accept`, `expire`). The desk knows no rules, does no input or output and never
looks at a clock: the time is what its caller says it is. All it keeps goes into a saved game as JSON.

Every question to a seat has a number, counted for that seat alone, so that players who answer at once do not make one
another stale. A reply that gives a number is held to it: the reply that was accepted is answered again without effect,
any other is refused. Without a number, as on the protocol page, the question in force decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, final

from dealwright.runtime.checks import Misfit, a_list, a_mapping, an_int, ints
from dealwright.runtime.errors import shown
from dealwright.runtime.hints.build import answerable
from dealwright.runtime.hints.dialects import encode
from dealwright.runtime.hints.errors import HintError, Refusal
from dealwright.runtime.hints.model import (
    Hint,
    NoDecision,
    Question,
    Seen,
    SelectCharacter,
    Watching,
)
from dealwright.runtime.hints.reasons import explained
from dealwright.runtime.hints.reply import (
    Reply,
    missing_key,
    sent_seq,
)
from dealwright.runtime.hints.saved import (
    a_bool,
    fields,
    is_seconds,
    pairs,
    reply_from,
    reply_json,
)
from dealwright.runtime.hints.slots import (
    NO_TIME,
    Answered,
    Closed,
    Judged,
    Slot,
    Why,
    answered_from,
    answered_json,
    bad_question,
    check_terms,
    checked_default,
    enough_for_all,
    late,
    slot_from,
    slot_json,
)
from dealwright.runtime.hints.tokens import Tokens
from dealwright.runtime.hints.validate import Validator

FIELDS: Final = frozenset(
    "tokens asked answered open answers first exclusive over".split()
)

NOT_YOU: Final = Refusal("player_forbidden", ("token",), "you are not asked")
"""For unknown tokens and for players who are not asked alike."""

NO_NUMBER: Final = Refusal("bad_type", ("meta", "seq"), "a hint's number is an integer")


@final
class Desk:
    """The open questions of one game.

    Attributes:
        tokens: who is who.
        has_watchers: whether an unknown token may watch; if not, it gets a refusal instead of a hint.
        open: the open questions by seat, in the order in which the seats were asked; to read and not to change.
        answered: for each seat the last reply that counted.
    """

    __slots__ = (
        "_answers",
        "_asked",
        "_exclusive",
        "_first",
        "_is_over",
        "_validators",
        "answered",
        "has_watchers",
        "open",
        "tokens",
    )

    def __init__(self, tokens: Tokens, has_watchers: bool = True) -> None:
        self.tokens = tokens
        self.has_watchers = has_watchers
        self.open: dict[int, Slot] = {}
        self.answered: dict[int, Answered] = {}
        self._asked = [0] * len(tokens)
        self._answers: dict[int, Reply] = {}
        # made when the first reply comes: most questions of a match played in one process never get one
        self._validators: dict[int, Validator] = {}
        self._first: int | None = None
        self._exclusive = False
        self._is_over = False

    # the game's side

    def ask(
        self,
        questions: Mapping[int, Question],
        limit: float | None = None,
        now: float | None = None,
        first: int | None = None,
        is_exclusive: bool = False,
        defaults: Mapping[int, Reply] | None = None,
    ) -> None:
        """Ask one seat or several at once.

        Args:
            questions: by seat.
            limit: seconds until a default takes the place of a reply that has not come.
            now: the time on the game's clock. Without it the time runs from the first `expire` on.
            first: a race: the first so many answers count that do not abort, the others are overtaken. None: all count.
            is_exclusive: a character that somebody has selected is no longer offered to the others.
            defaults: replies to be used when time is up, by seat; where there is none, the first of `Choices`.

        Raises:
            HintError: "bad_question": something is open still, nobody is asked, a seat that there is not, different
                kinds of question, `first` out of range, no time to tell, or characters might run out; "unanswerable";
                "bad_reply": a default that its question refuses.
        """
        self._check_ask(questions, limit, now, first)
        chosen = defaults or {}
        slots: dict[int, Slot] = {}
        for seat, question in questions.items():
            answerable(question.detail, question.may_abort, question.note)
            if is_exclusive:
                enough_for_all(question, len(questions))
            slots[seat] = Slot(
                self._asked[seat] + 1,
                question,
                checked_default(question, chosen.get(seat)),
                limit,
                None if now is None or limit is None else now + limit,
            )
        # all is well: from here on nothing can fail
        for seat in slots:
            self._asked[seat] += 1
        self.open = slots
        self._validators = {}
        self._answers = {}
        self._first = first
        self._exclusive = is_exclusive

    def _check_ask(
        self,
        questions: Mapping[int, Question],
        limit: float | None,
        now: float | None,
        first: int | None,
    ) -> None:
        if self.open:
            raise bad_question("a question is open still; take it back first")
        if self._is_over:
            raise bad_question("the game is over")
        if not questions:
            raise bad_question("nobody is asked")
        if len({question.action for question in questions.values()}) > 1:
            raise bad_question("what is asked at once must be of one kind")
        for seat in questions:
            if type(seat) is not int or not 0 <= seat < len(self.tokens):
                raise bad_question(f"there is no seat {shown(seat)}")
        check_terms(len(questions), first, limit, now)

    @property
    def answers(self) -> dict[int, Reply]:
        """The replies to the latest questions so far, by seat, in the order in which they came."""
        return dict(self._answers)

    @property
    def is_over(self) -> bool:
        """Whether nobody will be asked again."""
        return self._is_over

    @property
    def is_waiting(self) -> bool:
        """Whether anybody is asked anything."""
        return bool(self.open)

    def accept(self, judged: Judged) -> list[Closed]:
        """Close the question that this reply answers; the game has applied it or is about to.

        Returns:
            The question, and those that it overtook. Empty for a repeat.

        Raises:
            HintError: "bad_question": that question is not open.
        """
        if judged.is_repeat:
            return []
        slot = self.open.get(judged.seat)
        if slot is None or slot.seq != judged.seq:
            raise bad_question("that question is not open")
        why: Why = "expired" if judged.is_default else "answered"
        return self._close(judged.seat, judged.reply, why)

    def _close(self, seat: int, reply: Reply, why: Why) -> list[Closed]:
        slot = self.open.pop(seat)
        self._answers[seat] = reply
        self.answered[seat] = Answered(slot.seq, reply, why == "expired")
        closed = [Closed(seat, slot.seq, why, reply)]
        if self._has_enough():
            closed += self._drop("overtaken")
        elif self._exclusive and not reply.is_abort:
            self._take_away(reply.name)
        return closed

    def _has_enough(self) -> bool:
        """Whether no more answers are wanted. In a race somebody who gives up has not won."""
        counted = [reply for reply in self._answers.values() if not reply.is_abort]
        return self._first is not None and len(counted) >= self._first

    def _drop(self, why: Why) -> list[Closed]:
        dropped = [
            Closed(seat, slot.seq, why, None) for seat, slot in self.open.items()
        ]
        self.open = {}
        return dropped

    def _take_away(self, name: str) -> None:
        """A character is taken: the others no longer see it. Their questions keep their numbers (hints.md, line 24)."""
        for seat, slot in self.open.items():
            detail = slot.question.detail
            if isinstance(detail, SelectCharacter) and name in detail.candidates:
                kept = tuple(other for other in detail.candidates if other != name)
                question = replace(slot.question, detail=SelectCharacter(kept))
                default = slot.default
                if (
                    default is not None
                    and not default.is_abort
                    and default.name == name
                ):
                    default = None
                self._say_anew(seat, question, default)

    def _say_anew(self, seat: int, question: Question, default: Reply | None) -> None:
        """Put another question of the same number in the place of an open one."""
        self.open[seat] = replace(self.open[seat], question=question, default=default)
        self._validators.pop(seat, None)

    def refresh(self, questions: Mapping[int, Question]) -> None:
        """Say an open question anew, with its number and its time as they are: a game that has been loaded, or a player
        who comes back, gets what is true now and not what was true before.

        Raises:
            HintError: "bad_question": a seat that is not asked, or another kind of question; "unanswerable".
        """
        for seat, question in questions.items():
            slot = self.open.get(seat)
            if slot is None or slot.question.action != question.action:
                raise bad_question(f"seat {shown(seat)} is not asked that")
            answerable(question.detail, question.may_abort, question.note)
        for seat, question in questions.items():
            default = self.open[seat].default
            if default is not None and isinstance(
                Validator(question).check_reply(default), Refusal
            ):
                default = None
            self._say_anew(seat, question, default)

    def withdraw(self) -> list[Closed]:
        """Take back whatever is open: somebody has left, or the game goes another way."""
        return self._drop("withdrawn")

    def finish(self) -> list[Closed]:
        """The game is over: nobody will be asked again."""
        self._is_over = True
        return self.withdraw()

    def due(self, now: float) -> list[Judged]:
        """The defaults of the questions whose time is up at `now`, in the order in which the seats were asked.

        They close nothing: a game applies one, then gives it to `accept`, as it does with a reply. A question whose
        time has not begun to run begins now.

        Raises:
            HintError: "bad_question": `now` is no finite number, which no saved desk and no client could be told.
        """
        if not is_seconds(now):
            raise bad_question(NO_TIME)
        found: list[Judged] = []
        for seat, slot in self.open.items():
            if slot.limit is None:
                continue
            if slot.deadline is None:
                self.open[seat] = replace(slot, deadline=now + slot.limit)
            elif slot.deadline <= now:
                default = slot.reply()
                if default is not None:
                    found.append(Judged(seat, slot.seq, default, is_default=True))
        return found

    def expire(self, now: float) -> list[Closed]:
        """Let defaults take the place of all replies whose time is up at `now`; see `due`.

        Returns:
            The questions that are closed, with the replies that a game applies as if they had been sent.

        Raises:
            HintError: as for `due`.
        """
        closed: list[Closed] = []
        # one after the other: each may take something away from those that follow, or overtake them
        while due := self.due(now):
            closed += self.accept(due[0])
        return closed

    @property
    def deadline(self) -> float | None:
        """When the next question expires; None if none does, or nobody has said what time it is."""
        times = [slot.deadline for slot in self.open.values()]
        return min((time for time in times if time is not None), default=None)

    # a saved game

    def to_json(self) -> dict[str, object]:
        """Everything on the desk, as JSON types. Tokens are in it as hashes only."""
        return {
            "tokens": self.tokens.to_json(),
            "asked": list(self._asked),
            "answered": [
                [seat, answered_json(last)] for seat, last in self.answered.items()
            ],
            "open": [[seat, slot_json(slot)] for seat, slot in self.open.items()],
            "answers": [
                [seat, reply_json(reply)] for seat, reply in self._answers.items()
            ],
            "first": self._first,
            "exclusive": self._exclusive,
            "over": self._is_over,
        }

    @classmethod
    def from_json(
        cls,
        value: object,
        are_integers_allowed: bool = False,
        has_watchers: bool = True,
    ) -> Desk:
        """A desk as it was saved.

        Args:
            are_integers_allowed: as for `Tokens`.
            has_watchers: as for `Desk`; it is no part of what is saved.

        Raises:
            HintError: "bad_state": it is none, or it cannot have come about.
        """
        try:
            desk = cls._read(value, are_integers_allowed)
        except (Misfit, HintError) as error:
            said = error.sentence if isinstance(error, HintError) else error
            raise HintError("bad_state", f"a desk: {said}") from None
        desk.has_watchers = has_watchers
        return desk

    @classmethod
    def _read(cls, value: object, are_integers_allowed: bool) -> Desk:
        saved = fields(a_mapping(value, "desk"), FIELDS, "desk")
        hashes = a_list(saved["tokens"], "tokens")
        desk = cls(Tokens.from_json(hashes, are_integers_allowed))
        desk._asked = ints(saved["asked"], "asked")
        if len(desk._asked) != len(desk.tokens) or min(desk._asked, default=0) < 0:
            raise Misfit("asked must count the questions of each seat")
        for seat, item in pairs(saved["answered"], "answered"):
            last = answered_from(item)
            desk._known(seat, last.seq)
            desk.answered[seat] = last
        for seat, item in pairs(saved["open"], "open"):
            slot = slot_from(item)
            desk._known(seat, slot.seq)
            desk.open[seat] = slot
        if len({slot.question.action for slot in desk.open.values()}) > 1:
            raise Misfit("what is open at once must be of one kind")
        for seat, item in pairs(saved["answers"], "answers"):
            desk._known(seat, 1)
            desk._answers[seat] = reply_from(item, "answers")
        first = saved["first"]
        desk._first = None if first is None else an_int(first, "first")
        desk._exclusive = a_bool(saved["exclusive"], "exclusive")
        desk._is_over = a_bool(saved["over"], "over")
        if desk._is_over and desk.open:
            raise Misfit("somebody is asked, although the game is over")
        return desk

    def _known(self, seat: int, seq: int) -> None:
        if not 0 <= seat < len(self.tokens) or not 1 <= seq <= self._asked[seat]:
            raise Misfit(f"seat {shown(seat)} was never asked a question {shown(seq)}")

    # the clients' side

    def seen(self, seat: int | None) -> Seen:
        """What a seat, or somebody who has none, may see now. Asking again changes nothing."""
        if not self.open:
            return NoDecision(self._is_over)
        players = tuple(self.open)
        slot = None if seat is None else self.open.get(seat)
        if slot is None:
            action = next(iter(self.open.values())).question.action
            return Watching(action, players)
        return Hint(players, slot.question, slot.seq, slot.deadline)

    def hint(
        self, token: object, dialect: str = "spec", is_explained: bool = False
    ) -> dict[str, object]:
        """What the owner of `token` may see now, as JSON; any other token gets what watchers get, if there may be any.

        Raises:
            HintError: "bad_dialect".
        """
        seat = self.tokens.seat(token)
        if seat is None and not self.has_watchers:
            return NOT_YOU.to_json(dialect)
        return encode(self.seen(seat), dialect, is_explained)

    def judge(
        self, body: object, token: object = None, seq: object = None
    ) -> Judged | Refusal:
        """Judge a reply. Nothing changes: neither the desk nor `body`.

        Args:
            body: any JSON value.
            token: whose reply it is, if the connection says so; else the body's own token counts. If both are there
                they must be the same.
            seq: the number of the question, if the connection says so; else `meta.seq` of the body, if it is there.

        Returns:
            The reply, or the first reason against it in the order of hints.md, section 2.
        """
        if not isinstance(body, dict):
            return Refusal("not_an_object", (), "a reply is a JSON object")
        if token is None:
            if "token" not in body:
                return missing_key("token", None)
            token = body["token"]
        seat = self.tokens.seat(token)
        if "token" in body and self.tokens.seat(body["token"]) != seat:
            seat = None
        if seq is None:
            seq = sent_seq(body)
        slot = None if seat is None else self.open.get(seat)
        if slot is not None and seq is not None and type(seq) is not int:
            return NO_NUMBER
        if seat is not None and type(seq) is int:
            # to a seat that is not asked, a number that it never had says no more than none at all
            was_asked = 1 <= seq <= self._asked[seat]
            if slot.seq != seq if slot is not None else was_asked:
                return late(seat, self.answered.get(seat), body, seq)
        if not self.open:
            return Refusal("no_decision", (), NoDecision(self._is_over).reason)
        if seat is None or slot is None:
            return NOT_YOU
        judged = self.validator(seat).check(body)
        if isinstance(judged, Refusal):
            return judged
        return Judged(seat, slot.seq, judged)

    def validator(self, seat: int) -> Validator:
        """What judges replies of a seat that is asked.

        Raises:
            KeyError: the seat is not asked.
        """
        found = self._validators.get(seat)
        if found is None:
            found = self._validators[seat] = Validator(self.open[seat].question)
        return found

    def answer(
        self,
        body: object,
        token: object = None,
        seq: object = None,
        apply: Callable[[int, Reply], Refusal | None] | None = None,
        dialect: str = "spec",
        is_explained: bool = False,
    ) -> tuple[dict[str, object], list[Closed]]:
        """Judge a reply, let the game apply it, close the question, and say what goes back to the client.

        Args:
            body, token, seq: as for `judge`.
            apply: called with the seat and the reply before the question is closed; may refuse, and must not have
                changed anything then.
            dialect: of the hint that a refusal brings along.
            is_explained: tell also why what was asked for is not offered, as `why` among the values of a refusal.

        Returns:
            The answer as JSON, and the questions that are closed now.
        """
        judged = self.judge(body, token, seq)
        if isinstance(judged, Judged) and not judged.is_repeat and apply is not None:
            judged = apply(judged.seat, judged.reply) or judged
        if isinstance(judged, Refusal):
            return self.refused(judged, body, token, dialect, is_explained), []
        return judged.to_json(), self.accept(judged)

    def refused(
        self,
        refusal: Refusal,
        body: object,
        token: object,
        dialect: str = "spec",
        is_explained: bool = False,
    ) -> dict[str, object]:
        """A refusal as JSON, with the hint in force as the replier may see it; `is_explained` as for `answer`."""
        if token is None and isinstance(body, dict):
            token = body.get("token")
        # where nobody may watch, players who are not asked must look like strangers still
        is_told = self.has_watchers or refusal is not NOT_YOU
        hint = self.hint(token, dialect, is_explained) if is_told else None
        seat = self.tokens.seat(token) if is_explained else None
        if seat is not None and seat in self.open:
            refusal = explained(refusal, self.open[seat].question.note)
        return refusal.to_json(dialect, hint)
