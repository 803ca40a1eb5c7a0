"""`recognize` and `beats` of a package, as servers call them: they check what they get, and say what is wrong.

They are called more often than anything else, so they are functions with everything at hand, not methods. What is no
card or no play is looked for only once something was found, or has gone wrong: a list that forms nothing anyway costs
one comparison more than the generated function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from dealwright.runtime.checks import Misfit, ints, is_listed
from dealwright.runtime.errors import DealwrightError, MatchError, shown
from dealwright.runtime.game import CardT, Game, PlayerT, TableT
from dealwright.runtime.match import Match
from dealwright.runtime.play import Play

if TYPE_CHECKING:
    from dealwright.runtime.package import Package


class Recognize(Protocol[PlayerT, TableT, CardT]):
    """The cardset that some cards form."""

    def __call__(
        self, cards: Sequence[CardT], match: Match[PlayerT, TableT, CardT] | None = None
    ) -> Play[CardT] | None:
        """The cardset that the cards form, or None.

        Raises:
            MatchError: "bad_cards" if `cards` is no list of the package's Card objects (a list that forms nothing
                anyway is not looked through), or no list and longer than the deck; "needs_match" if judging takes the
                match (because cardsets read it, or may take long) and none is given; "endless_flow", "rule_error".
        """


class Beats(Protocol[PlayerT, TableT, CardT]):
    """Whether one play beats another."""

    def __call__(
        self,
        now: Play[CardT],
        before: Play[CardT],
        match: Match[PlayerT, TableT, CardT] | None = None,
    ) -> bool:
        """Whether the play `now` beats the play `before`.

        Raises:
            MatchError: "bad_play" if one of them is no play, or one that the rule's flows cannot compare; otherwise as
                for `Recognize`.
        """


def recognizer(
    package: Package[PlayerT, TableT, CardT],
    alone: Callable[[list[CardT]], Play[CardT] | None] | None,
    inside: (
        Callable[[list[CardT], Game[PlayerT, TableT, CardT]], Play[CardT] | None] | None
    ),
) -> Recognize[PlayerT, TableT, CardT]:
    """The function of a package; one of the two is the generated one: `alone` takes no match, `inside` does."""
    kind, game_of = package.card, package.game_of

    def recognize(
        cards: Sequence[CardT], match: Match[PlayerT, TableT, CardT] | None = None
    ) -> Play[CardT] | None:
        """The cardset that the cards form, or None; see `Recognize`."""
        try:
            hand = cards if type(cards) is list else _hand(package, cards)
            if alone is not None:
                play = alone(hand)
            else:
                # written out, as `package.judge` has it: each further call costs a tenth of the whole
                game = (
                    match.game_for(package) if type(match) is Match else game_of(match)
                )
                game.ticks = 0
                play = inside(hand, game)  # type: ignore[misc]  # there, since `alone` is not
        except Exception as error:
            if not isinstance(error, DealwrightError):
                _hand(package, cards)
            package.fail(error)
        if play is None:
            return None
        # the caller's list is his; the slot is that of the package's own class
        play.cards = [*hand]  # type: ignore[misc]
        for card in hand:
            if type(card) is not kind:
                _hand(package, cards)
        return play

    return recognize


def comparer(
    package: Package[PlayerT, TableT, CardT],
    alone: Callable[[Any, Any], bool] | None,
    inside: Callable[[Any, Any, Game[PlayerT, TableT, CardT]], bool] | None,
) -> Beats[PlayerT, TableT, CardT]:
    """The function of a package; one of the two is the generated one: `alone` takes no match, `inside` does."""
    kind, game_of = package.play, package.game_of

    def beats(
        now: Play[CardT],
        before: Play[CardT],
        match: Match[PlayerT, TableT, CardT] | None = None,
    ) -> bool:
        """Whether the play `now` beats the play `before`; see `Beats`."""
        try:
            if type(now) is not kind or type(before) is not kind:
                _check_plays(package, now, before)
            if alone is not None:
                return alone(now, before)
            game = match.game_for(package) if type(match) is Match else game_of(match)
            game.ticks = 0
            return inside(now, before, game)  # type: ignore[misc]  # likewise
        except Exception as error:
            if not isinstance(error, DealwrightError):
                _check_plays(package, now, before)
            package.fail(error)

    return beats


def _hand(package: Package[PlayerT, TableT, CardT], cards: object) -> list[CardT]:
    """The cards as a list of their own, if they are cards of the package."""
    most = len(package.cards)
    try:
        if is_listed(cards):
            # more than the deck are refused, so an endless iterator is too
            hand = list(islice(cards, most + 1))
            if len(hand) <= most and set(map(type, hand)) <= {package.card}:
                return hand
    except Exception as error:
        raise MatchError(
            "bad_cards", "the list of cards cannot be read", package.name
        ) from error
    raise MatchError(
        "bad_cards",
        f"the cards must be a list of at most {most} cards of the package",
        package.name,
    )


def _check_plays(package: Package[PlayerT, TableT, CardT], *plays: object) -> None:
    """Refuse what `recognize` cannot have made."""
    for play in plays:
        try:
            if type(play) is not package.play:
                raise Misfit(f"a play is wanted, not {shown(play)}")
            size = len(_hand(package, play.cards))
            package.check_cardset(play.id, play.cardset, play.properties, size)
            ints(list(play.properties.values()), "the properties of a play")
        except Misfit as error:
            raise MatchError("bad_play", str(error), package.name) from None
        except DealwrightError:
            raise
        except Exception as error:
            raise MatchError(
                "bad_play", "a play cannot be read", package.name
            ) from error
