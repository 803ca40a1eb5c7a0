"""The desk of a compiled match: asks at every wait, and does what the replies say.

It follows the match and never leads it. Whenever somebody comes, it looks whether the match still waits where it has
asked; if players have acted by other ways meanwhile (`play`, `skip`, `choose`), the old question is taken back and the
new one asked with the next number. A question is worked out once for each wait, and again after loading, so that what is
asked is true of the match and not of a file. Nothing here looks at a clock or at anybody's cards but the seat's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias, final

from dealwright.runtime.asked import HINTS, Asked
from dealwright.runtime.checks import Misfit, a_mapping, an_int, is_listed
from dealwright.runtime.errors import MatchError, Rejected
from dealwright.runtime.game import Game
from dealwright.runtime.hints.choices import Choices
from dealwright.runtime.hints.desk import Desk
from dealwright.runtime.hints.errors import HintError, Refusal
from dealwright.runtime.hints.questions import (
    cardset_names,
    choices_at,
    method_name,
    question_at,
)
from dealwright.runtime.hints.reply import CARD_KEYS, CHOICE_KEYS, Reply
from dealwright.runtime.hints.saved import fields
from dealwright.runtime.hints.slots import Closed, Judged
from dealwright.runtime.hints.tokens import Tokens, new_tokens
from dealwright.runtime.plays import order_for
from dealwright.runtime.waits import Wait

if TYPE_CHECKING:
    from dealwright.runtime.package import Package

AnyMatch: TypeAlias = Asked[Any, Any, Any]
AnyGame: TypeAlias = Game[Any, Any, Any]
AnyPackage: TypeAlias = "Package[Any, Any, Any]"

USUAL_LIMIT: Final = 30
"""Seconds where the rule gives none; the rule format's own default."""
MOST_SECONDS: Final = 1_000_000_000
"""A timer is any integer in a rule; nobody waits longer than that."""
MOST_DEFAULTS: Final = 10
"""Replies that are tried, one after the other, when the time is up and the rule's flow cannot carry out the default."""
SAVED: Final = frozenset({"asked", "desk"})


@final
class MatchHints:
    """The questions of one match."""

    __slots__ = (
        "_asked",
        "_desk",
        "_game",
        "_is_fresh",
        "_match",
        "_package",
        "_plain",
    )

    def __init__(
        self,
        match: AnyMatch,
        package: AnyPackage,
        game: AnyGame,
        desk: Desk,
        asked: int,
        plain: tuple[str, ...] | None,
    ) -> None:
        self._match = match
        self._package = package
        self._game = game
        self._desk = desk
        self._asked = (
            asked  # how many actions there were when the open question was asked
        )
        self._is_fresh = False  # whether that question was worked out here
        self._plain = plain

    @classmethod
    def with_tokens(
        cls,
        match: AnyMatch,
        package: AnyPackage,
        game: AnyGame,
        tokens: Iterable[str] | None,
    ) -> Self:
        """Begin with these tokens, one for each seat; None: new ones.

        Raises:
            MatchError: "bad_tokens".
        """
        seats = len(match.ids)
        try:
            given: list[str] = new_tokens(seats)
            if tokens is not None:
                # one more than there may be is enough to see that there are too many
                given = list(islice(tokens, seats + 1)) if is_listed(tokens) else []
            desk = Desk(Tokens(given))
            if len(given) != seats:
                raise Misfit(f"{seats} players need {seats} tokens")
        except Exception as error:
            said = str(error) if isinstance(error, Misfit) else "they cannot be read"
            said = error.sentence if isinstance(error, HintError) else said
            raise MatchError(
                "bad_tokens", f"the tokens: {said}", package.name
            ) from None
        return cls(match, package, game, desk, -1, tuple(given))

    # a saved match

    def to_json(self) -> dict[str, object]:
        """The field `hints` of a saved match. Tokens are in it as hashes only.

        What the match waits for is asked first, if it is not yet: so that a reply that is refused, which is told what is
        asked, finds nothing left to change.
        """
        self._catch_up(None)
        return {"asked": self._asked, "desk": self._desk.to_json()}

    @classmethod
    def from_state(
        cls,
        match: AnyMatch,
        package: AnyPackage,
        game: AnyGame,
        state: Mapping[object, object],
    ) -> Self:
        """The questions as `to_json` saved them.

        Raises:
            MatchError: "bad_state".
        """
        try:
            saved = fields(a_mapping(state[HINTS], HINTS), SAVED, HINTS)
            asked = an_int(saved["asked"], f"{HINTS}.asked")
            desk = Desk.from_json(saved["desk"])
            if len(desk.tokens) != len(match.ids):
                raise Misfit(f"{HINTS} has tokens for {len(desk.tokens)} players")
            if not -1 <= asked <= len(game.record):
                raise Misfit(f"{HINTS}.asked is before the start or after the end")
            if desk.is_over and game.pending is not None:
                raise Misfit(f"{HINTS} says that the game is over, and it waits")
        except Exception as error:
            said = str(error) if isinstance(error, Misfit) else "hints cannot be read"
            said = error.sentence if isinstance(error, HintError) else said
            raise MatchError(
                "bad_state", f"the state does not fit: {said}", package.name
            ) from None
        return cls(match, package, game, desk, asked, None)

    # what the match offers

    def plain_tokens(self) -> tuple[str, ...]:
        """See `Match.tokens`."""
        if self._plain is None:
            raise MatchError(
                "no_tokens",
                "only hashes are left of the tokens: they have to be taken when they are made",
                self._package.name,
            )
        return self._plain

    def hint(
        self, token: object, dialect: str, now: float | None, is_explained: bool
    ) -> dict[str, object]:
        """See `Match.hint`."""
        self._follow(self._time(now))
        return self._desk.hint(token, dialect, is_explained)

    def reply(
        self,
        token: object,
        body: object,
        seq: object,
        now: float | None,
        dialect: str,
        is_explained: bool,
    ) -> dict[str, object]:
        """See `Match.reply`."""
        now = self._time(now)
        self._follow(now)
        answer, closed = self._desk.answer(
            body, token, seq, self._apply, dialect, is_explained
        )
        if closed:
            self._plain = None  # whoever sends a reply that counts has his token
        if closed and now is not None:
            self._follow(now)  # the next one's time runs from here
        return answer

    def expire(self, now: float) -> list[Closed]:
        """See `Match.expire`."""
        if self._time(now) is None:
            raise self._bad_time()
        self._follow(now)
        closed: list[Closed] = []
        # one seat is asked at a time; whoever comes next has all of his time before him
        for judged in self._desk.due(now):
            done = self._by_default(judged)
            if done is not None:
                closed += self._desk.accept(done)
        if closed:
            self._follow(now)
        return closed

    # how it follows the match

    def _time(self, now: float | None) -> float | None:
        if now is None:
            return None
        is_number = type(now) is int and now.bit_length() <= 64
        if not is_number and not (type(now) is float and isfinite(now)):
            raise self._bad_time()
        return now

    def _bad_time(self) -> MatchError:
        return MatchError(
            "bad_time", "the time must be a number of seconds", self._package.name
        )

    def _follow(self, now: float | None) -> None:
        """Ask what the match waits for now, if that is not asked yet, and let its time run."""
        self._catch_up(now)
        wait = self._game.pending
        if wait is not None and not self._is_fresh:
            self._ask_anew(wait, now)
        if now is not None:
            self._desk.due(now)

    def _catch_up(self, now: float | None) -> None:
        """Ask what the match waits for now, if that is not asked yet."""
        wait = self._game.pending
        if wait is None:
            self._desk.finish()
        elif self._asked != len(self._game.record) or wait.seat not in self._desk.open:
            self._ask(wait, now)

    def _ask(self, wait: Wait, now: float | None) -> None:
        question, default = question_at(self._package, self._game, wait)
        self._desk.withdraw()
        self._desk.ask(
            {wait.seat: question},
            min(wait.timer or USUAL_LIMIT, MOST_SECONDS),
            now,
            defaults={} if default is None else {wait.seat: default},
        )
        self._asked = len(self._game.record)
        self._is_fresh = True

    def _ask_anew(self, wait: Wait, now: float | None) -> None:
        """Say a loaded question again as it is now, with its number and its time."""
        question, _ = question_at(self._package, self._game, wait)
        try:
            self._desk.refresh({wait.seat: question})
            self._is_fresh = True
        except HintError:
            # the file had another kind of question: its author gets an answer to neither
            self._ask(wait, now)

    # what replies do

    def _apply(self, seat: int, reply: Reply) -> Refusal | None:
        """Do in the match what a reply says; why not, if the rule refuses it. Nothing has changed then."""
        match = self._match
        player = match.ids[seat]
        try:
            if reply.is_abort:
                match.skip(player)
            elif reply.action == "discard":
                match.play(player, self._laid_out(seat, reply))
            else:
                wait = self._game.pending
                assert wait is not None, "a question was open"
                match.choose(player, choices_at(self._package, wait)[reply.name])
        except Rejected as error:
            key = "method" if reply.is_abort else _ANSWER_KEYS[reply.action]
            return Refusal(
                "rule_refused",
                (key,),
                error.sentence,
                (("code", error.code),),
                reply.action,
            )
        return None

    def _laid_out(self, seat: int, reply: Reply) -> tuple[int, ...]:
        """The cards of a reply in the order in which they are played: as they were sent, if they are a legal play of
        the cardset that the reply names. A hint tells sets of cards; where the rule looks at their order, another
        order will do.

        Raises:
            Rejected: "no_cardset": in the order as sent they are another cardset, which nobody plays without saying so.
        """
        package, game = self._package, self._game
        names = cardset_names(package)

        def is_wanted(cardset: str) -> bool:
            return method_name(cardset, names) == reply.name

        order = order_for(package, game, seat, reply.cards, is_wanted)
        if order is not None:
            return order
        try:
            made = package.judge(game.numbered(list(reply.cards)), game)
        except Exception:
            made = None
        if made is not None and not is_wanted(made.cardset):
            name = method_name(made.cardset, names)
            raise Rejected(
                "no_cardset", f"these cards are {name!r}, not {reply.name!r}"
            )
        return reply.cards  # the match says what is wrong with them

    def _by_default(self, judged: Judged) -> Judged | None:
        """The default, or the first reply after it that the rule's flow can carry out; None if none of some can be."""
        seat = judged.seat
        question = self._desk.open[seat].question
        others = islice(Choices(question), MOST_DEFAULTS)
        for reply in (judged.reply, *others):
            if self._apply(seat, reply) is None:
                return Judged(seat, judged.seq, reply, is_default=True)
        return None


_ANSWER_KEYS: Final = {**CARD_KEYS, **CHOICE_KEYS}
