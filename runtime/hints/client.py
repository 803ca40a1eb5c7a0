"""The side of whoever answers: what can be chosen, one step after the other, and the reply that comes of it.

A client reads the hint (`decode`), shows `options`, and keeps what its player has picked in a `Draft`, which says at
every step what may still be picked and what is missing. A draft refuses with the very kinds with which the server
would, before anything is sent. Where the hint tells which cards go together (`extended`), it only lets such be
picked.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, final

from dealwright.runtime.hints.decode import unsupported
from dealwright.runtime.hints.errors import HintError, Kind, Refusal, Refused
from dealwright.runtime.hints.judge import Plan
from dealwright.runtime.hints.model import (
    FACE,
    Combos,
    Hint,
    Question,
    SelectCharacter,
    SelectRegion,
    Use,
    faces,
    methods_of,
)
from dealwright.runtime.hints.reply import (
    CARD_KEYS,
    Dialect,
    Reply,
    abort_reply,
    encode_reply,
)
from dealwright.runtime.hints.validate import Validator

What: TypeAlias = Literal["character", "region", "card", "method", "abort"]


class Option(NamedTuple):
    """One thing that can be chosen first.

    Attributes:
        what: which sort of thing.
        name: the character, region or method; "card" for a card's own face; "abort".
        card: the card of a face, else None.
    """

    what: What
    name: str
    card: int | None = None


class Missing(NamedTuple):
    """What a draft still lacks.

    Attributes:
        what: "choice" (nothing is chosen yet), "cards", "targets", or "combination": the cards do not go together yet.
        least: how many more at least.
        most: how many more at most.
    """

    what: Literal["choice", "cards", "targets", "combination"]
    least: int
    most: int


def options(question: Question) -> list[Option]:
    """What can be chosen first, in the order of the hint; what cannot be carried out is left out."""
    detail = question.detail
    found: list[Option] = []
    match detail:
        case SelectCharacter(names):
            found += [Option("character", name) for name in names]
        case SelectRegion(names):
            found += [Option("region", name) for name in names]
        case Use():
            found += [
                Option("card", FACE, entry.card)
                for entry in faces(detail)
                if entry.is_usable
            ]
        case _:
            pass
    found += [
        Option("method", made.name)
        for made in methods_of(detail)
        if made.is_satisfiable
    ]
    if question.may_abort:
        found.append(Option("abort", abort_reply(detail.action).name))
    return found


@final
class Draft:
    """A reply that is being put together. Picking in any order that the hint allows is fine, and so is taking back.

    Attributes:
        hint: what is answered.
        chosen: what was chosen first; None before that.
        cards, targets: what was picked since, in that order.
    """

    __slots__ = ("_combos", "_plan", "_validator", "cards", "chosen", "hint", "targets")

    def __init__(self, hint: Hint) -> None:
        self.hint = hint
        self._validator = Validator(hint.question)
        self.clear()

    def clear(self) -> None:
        """Begin again."""
        self.chosen: Option | None = None
        self.cards: tuple[int, ...] = ()
        self.targets: tuple[int, ...] = ()
        self._plan: Plan | None = None
        self._combos: Combos | None = None

    # choosing what to do

    def options(self) -> list[Option]:
        """What can be chosen first."""
        return options(self.hint.question)

    def choose(self, option: Option) -> None:
        """Choose what to do; picks made before are gone.

        Raises:
            Refused: it is not offered, or cannot be used.
            HintError: "unsupported_requirement": this version cannot tell what it needs.
        """
        if option not in self.options():
            self._explain(option)
        self.clear()
        self.chosen = option
        judge = self._validator.judge
        if option.what == "card" and option.card is not None:
            self._plan = judge.entries[option.card]
            self.cards = (option.card,)
        elif option.what == "method":
            self._plan = judge.plans[option.name]
            for made in methods_of(self.hint.question.detail):
                if made.name == option.name and made.cards is not None:
                    self._combos = made.cards.combos

    def choose_card(self, card: int) -> None:
        """Choose to use a card by its face.

        Raises:
            Refused, HintError: as for `choose`.
        """
        self.choose(Option("card", FACE, card))

    def choose_method(self, name: str) -> None:
        """Choose a method.

        Raises:
            Refused, HintError: as for `choose`.
        """
        self.choose(Option("method", name))

    def choose_abort(self) -> None:
        """Choose to give up.

        Raises:
            Refused: that is not allowed.
        """
        self.choose(Option("abort", abort_reply(self.hint.action).name))

    def _explain(self, option: Option) -> None:
        """Refuse an option as the server would refuse the reply."""
        question = self.hint.question
        error = unsupported(
            question, option.name if option.card is None else option.card
        )
        if error is not None:
            raise error
        action = question.action
        reply = Reply(
            action,
            option.name,
            () if option.card is None else (option.card,),
            (),
            option.what == "abort",
        )
        judged = self._validator.check_reply(reply)
        if not isinstance(judged, Refusal):
            raise HintError("bad_reply", f"{option.what!r} is no option of this hint")
        raise Refused(judged)

    # picking cards and targets

    def selectable_cards(self) -> list[int]:
        """The cards that could be picked next, ascending."""
        plan = self._plan
        if plan is None or len(self.cards) >= plan.most:
            return []
        return [
            card
            for card in sorted(plan.cards)
            if card not in self.cards and self._may_add(card)
        ]

    def _may_add(self, card: int) -> bool:
        combos = self._combos
        return combos is None or combos.may_become((*self.cards, card))

    def selectable_targets(self) -> list[int]:
        """The players who could be picked next, ascending."""
        plan = self._plan
        if plan is None or len(self.targets) >= plan.aims:
            return []
        return [seat for seat in sorted(plan.targets) if seat not in self.targets]

    def pick_card(self, card: int) -> None:
        """Pick a card for the method.

        Raises:
            Refused: it is not offered, picked already, one too many, or goes with none of the others.
        """
        plan = self._plan
        key = CARD_KEYS.get(self.hint.action, "use")
        most = 0 if plan is None else plan.most
        if plan is None or most == 0:
            self._refuse("cards_not_allowed", key, "no card is wanted here")
        elif card in self.cards:
            self._refuse("duplicate_card", key, "that card is picked already")
        elif card not in plan.cards:
            self._refuse("card_not_offered", key, "that card is not offered for this")
        elif len(self.cards) >= most:
            self._refuse("card_count", key, f"no more than {most} can be picked")
        elif not self._may_add(card):
            self._refuse("rule_refused", key, "that card does not go with the others")
        self.cards = (*self.cards, card)

    def pick_target(self, seat: int) -> None:
        """Pick a player to aim at.

        Raises:
            Refused: he is not offered, picked already, or one too many.
        """
        plan = self._plan
        aims = 0 if plan is None else plan.aims
        if plan is None or aims == 0:
            self._refuse("targets_not_allowed", "players", "no player is wanted here")
        elif seat in self.targets:
            self._refuse("duplicate_target", "players", "he is picked already")
        elif seat not in plan.targets:
            self._refuse("target_not_offered", "players", "he is not offered")
        elif len(self.targets) >= aims:
            self._refuse("target_count", "players", f"no more than {aims} can be")
        self.targets = (*self.targets, seat)

    def unpick(self, card: int | None = None, target: int | None = None) -> None:
        """Take back a card or a target; one that was not picked is no error."""
        if self._plan is not None and self._plan.most:
            self.cards = tuple(kept for kept in self.cards if kept != card)
        self.targets = tuple(kept for kept in self.targets if kept != target)

    def _refuse(self, kind: Kind, key: str, sentence: str) -> None:
        raise Refused(Refusal(kind, (key,), sentence, (), self.hint.action))

    # the reply

    def missing(self) -> list[Missing]:
        """What is still to be picked; empty when the reply is complete."""
        if self.chosen is None:
            return [Missing("choice", 1, 1)]
        plan = self._plan
        if plan is None:
            return []
        found: list[Missing] = []
        have = len(self.cards)
        if have < plan.least:
            found.append(Missing("cards", plan.least - have, plan.most - have))
        elif self._combos is not None and not self._combos.allows(self.cards):
            found.append(Missing("combination", 0, plan.most - have))
        aims = plan.aims - len(self.targets)
        if aims:
            found.append(Missing("targets", aims, aims))
        return found

    @property
    def is_complete(self) -> bool:
        """Whether it can be sent."""
        return not self.missing()

    def reply(self) -> Reply:
        """The reply as it stands.

        Raises:
            Refused: it is not complete; as the server would refuse it.
        """
        option = self.chosen
        if option is None:
            sentence = "nothing is chosen yet"
            raise Refused(Refusal("missing_key", ("method",), sentence))
        action = self.hint.action
        judged = self._validator.check_reply(
            Reply(
                action,
                option.name,
                self.cards,
                self.targets,
                option.what == "abort",
            )
        )
        if isinstance(judged, Refusal):
            raise Refused(judged)
        if self._combos is not None and not self._combos.allows(self.cards):
            self._refuse(
                "rule_refused", CARD_KEYS[action], "these cards do not go together"
            )
        return judged

    def encode(
        self, token: object = None, dialect: Dialect = "spec"
    ) -> dict[str, object]:
        """The reply as it is sent; in `extended` it says which hint it answers.

        Raises:
            Refused: as for `reply`.
        """
        return encode_reply(self.reply(), token, dialect, self.hint.seq)
