"""What a match offers to whoever carries hints to its players and replies back (`hint`, `reply`, `expire`).

`Match` is made of this and of its actions. The questions themselves are kept by `hints.of_match`, which is imported when
somebody asks for the first time: until then a match keeps nothing of this, takes no time for it, and equal matches are
equal.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, Generic

from dealwright.runtime.events import PlayerId
from dealwright.runtime.game import CardT, Game, PlayerT, TableT

if TYPE_CHECKING:
    from dealwright.runtime.hints import Closed
    from dealwright.runtime.hints.of_match import MatchHints
    from dealwright.runtime.package import Package

HINTS: Final = "hints"
"""The field of a saved match that has been asked for hints; others do not have it."""


class Asked(ABC, Generic[PlayerT, TableT, CardT]):
    """The part of a match that asks players and takes their replies."""

    __slots__ = ("_hints",)
    _package: Package[PlayerT, TableT, CardT]
    _game: Game[PlayerT, TableT, CardT]
    ids: tuple[PlayerId, ...]

    def __init__(self) -> None:
        self._hints: MatchHints | None = None

    @abstractmethod
    def play(self, player: PlayerId, cards: Iterable[CardT | int | str]) -> None:
        """See `Match.play`."""

    @abstractmethod
    def skip(self, player: PlayerId) -> None:
        """See `Match.skip`."""

    @abstractmethod
    def choose(self, player: PlayerId, value: int) -> None:
        """See `Match.choose`."""

    @property
    def tokens(self) -> tuple[str, ...]:
        """What each seat signs its replies with, by seat. Hand them out at once: only hashes are kept.

        Raises:
            MatchError: "no_tokens": a reply has counted since they were made, or the match was loaded.
        """
        return self._desk().plain_tokens()

    def hint(
        self,
        token: object,
        dialect: str = "spec",
        now: float | None = None,
        is_explained: bool = False,
    ) -> dict[str, object]:
        """What the owner of a token may do now, as JSON; any other token gets what everybody may see.

        Args:
            dialect: "spec", "upstream" or "extended".
            now: the time on the server's clock in seconds, from which the time for the reply runs.
            is_explained: in "extended", tell its owner also why cardsets, or a skip, are not offered: `meta.why`.

        Raises:
            HintError: "bad_dialect". MatchError: "bad_time".
        """
        return self._desk().hint(token, dialect, now, is_explained)

    def reply(
        self,
        token: object,
        body: object,
        seq: object = None,
        now: float | None = None,
        dialect: str = "spec",
        is_explained: bool = False,
    ) -> dict[str, object]:
        """Take a player's reply to his hint, and do what it says.

        Args:
            token: whose it is; None: the body says it.
            body: any JSON value; it stays as it is.
            seq: the number of the hint, if the caller knows it; else `meta.seq` of the body, if it is there.
            now: as for `hint`; the time for the next reply runs from it.
            dialect: of the hint that a refusal brings along.
            is_explained: a refusal of what was not offered tells also why it was not: `error.values.why`.

        Returns:
            What goes back to the client: `{"code": 200}`, or why the reply was refused; nothing has changed then.

        Raises:
            As for `hint`; never for anything in `token`, `body` or `seq`.
        """
        # before anybody has a token no reply can count, and a refused one leaves nothing behind, tokens neither
        desk = self._new_hints(None) if self._hints is None else self._hints
        return desk.reply(token, body, seq, now, dialect, is_explained)

    def expire(self, now: float) -> list[Closed]:
        """Let a default take the place of a reply whose time is up; see `hint` for `now`.

        Returns:
            The questions closed by it, with the replies that took effect.

        Raises:
            MatchError: "bad_time"; None is no time here.
        """
        return self._desk().expire(now)

    def give_tokens(self, tokens: Iterable[str] | None) -> None:
        """For `new_match`: use these tokens; None: make some.

        Raises:
            MatchError: "bad_tokens".
        """
        self._hints = self._new_hints(tokens)

    def _new_hints(self, tokens: Iterable[str] | None) -> MatchHints:
        from dealwright.runtime.hints.of_match import MatchHints

        return MatchHints.with_tokens(self, self._package, self._game, tokens)

    def restore_hints(self, state: object) -> None:
        """For `match_from_json`: go on with the questions of a saved match, if it has any.

        Raises:
            MatchError: "bad_state".
        """
        # asking the type first saves the slow check of an abstract class for what JSON gives
        if (type(state) is dict or isinstance(state, Mapping)) and HINTS in state:
            from dealwright.runtime.hints.of_match import MatchHints

            self._hints = MatchHints.from_state(self, self._package, self._game, state)

    def _desk(self) -> MatchHints:
        """The match's questions. Matches that are never asked for hints do not even import what hints need."""
        if self._hints is None:
            self.give_tokens(None)
            assert self._hints is not None
        return self._hints
