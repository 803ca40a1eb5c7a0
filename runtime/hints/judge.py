"""Replies judged against a question the long way: every spelling is known, and a refusal says precisely what is wrong.

`validate` puts a quick way in front of it for ordinary good replies; both read the same plans. Nothing here changes
anything, and no JSON value raises an exception. The order of the checks is that of hints.md, section 2: shape, abort,
method, cards, targets.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias, final

from dealwright.runtime.hints.errors import Kind, Refusal
from dealwright.runtime.hints.model import (
    FACE,
    Detail,
    Discard,
    Method,
    Question,
    SelectCharacter,
    SelectRegion,
    Use,
    faces,
    methods_of,
)
from dealwright.runtime.hints.reply import (
    CARD_KEYS,
    METHOD_KEYS,
    Parsed,
    Reply,
    missing_key,
    parse_reply,
    quoted,
)

Judged: TypeAlias = Reply | Refusal

NOBODY: Final[frozenset[int]] = frozenset()


class Plan(NamedTuple):
    """What a method, or a card's face, takes.

    Attributes:
        least, most: how many cards.
        cards: the candidates.
        aims: how many targets; 0 for none.
        targets: the candidates.
        is_hopeless: fewer cards or players are listed than it takes.
    """

    least: int
    most: int
    cards: frozenset[int]
    aims: int
    targets: frozenset[int]
    is_hopeless: bool = False


def plan_of(method: Method) -> Plan:
    """A method's plan."""
    need, aim = method.cards, method.targets
    return Plan(
        0 if need is None else need.count,
        0 if need is None else need.highest,
        NOBODY if need is None else frozenset(need.cards),
        0 if aim is None else aim.count,
        NOBODY if aim is None else frozenset(aim.targets),
        not method.is_satisfiable,
    )


@final
class Judge:
    """Judges replies to one question.

    Attributes:
        question: the question.
        is_strict: whether keys that mean nothing are refused.
        is_lenient: whether a `discard` that names no method means the only one there is, as with the original server.
        plans: by method.
        entries: by card of the hand; None for a card that cannot be used.
        choices: what can be chosen at a plain choice.
    """

    __slots__ = (
        "choices",
        "entries",
        "is_lenient",
        "is_strict",
        "plans",
        "question",
    )

    def __init__(
        self, question: Question, is_strict: bool = False, is_lenient: bool = False
    ) -> None:
        self.question = question
        self.is_strict = is_strict
        self.is_lenient = is_lenient
        detail = question.detail
        self.plans = {method.name: plan_of(method) for method in methods_of(detail)}
        # a card that its face forbids is known, and not usable
        self.entries: dict[int, Plan | None] = {}
        if isinstance(detail, Use):
            for entry in faces(detail):
                plan = plan_of(Method(FACE, None, entry.targets))
                self.entries[entry.card] = None if entry.kind == "forbid" else plan
        self.choices = _choices(detail)

    def judge(self, body: object) -> Judged:
        """The reply that `body` is, or why it is none. `body` may be any JSON value and stays as it is."""
        parsed = parse_reply(self.question.action, body, self.is_strict)
        if isinstance(parsed, Refusal):
            return parsed
        return self.judge_parsed(parsed)

    def judge_parsed(self, parsed: Parsed) -> Judged:
        """A reply whose shape is known."""
        if parsed.is_abort:
            if self.question.may_abort:
                return parsed.reply
            return self._refuse(
                "abort_not_allowed",
                (parsed.name_key,),
                "this question cannot be aborted",
            )
        match self.question.detail:
            case SelectCharacter(candidates):
                return self._chosen(parsed, candidates)
            case SelectRegion(regions):
                return self._chosen(parsed, regions)
            case Use():
                return self._used(parsed)
            case Discard():
                return self._discarded(parsed)

    def judge_reply(self, reply: Reply) -> Judged:
        """A reply that a program made, such as a default."""
        if reply.action != self.question.action:
            return self._refuse(
                "bad_type", (), f"this question is not answered by a {reply.action!r}"
            )
        name_key = METHOD_KEYS.get(reply.action, ("method",))[0]
        return self.judge_parsed(Parsed(*reply, name_key))

    def _refuse(
        self,
        kind: Kind,
        path: tuple[str | int, ...],
        sentence: str,
        **values: object,
    ) -> Refusal:
        return Refusal(
            kind, path, sentence, tuple(values.items()), self.question.action
        )

    def _chosen(self, parsed: Parsed, offered: tuple[str, ...]) -> Judged:
        name = parsed.name
        if name in self.choices:
            return parsed.reply
        is_region = parsed.action == "region"
        return self._refuse(
            "region_not_offered" if is_region else "character_not_offered",
            ("region" if is_region else "select",),
            "that is not among what is offered",
            sent=quoted(name),
            offered=list(offered),
        )

    def _used(self, parsed: Parsed) -> Judged:
        name = parsed.name
        if name is None:
            return missing_key("action", "use")
        if name != FACE:
            return self._by_method(parsed, name)
        if self._has_no_faces():
            return self._unknown(parsed)
        if parsed.cards is None:
            return missing_key("use", "use")
        for place, card in enumerate(parsed.cards):
            if card not in self.entries:
                return self._not_offered(place, card, "use", list(self.entries))
        if len(parsed.cards) != 1:
            return self._refuse(
                "card_count",
                ("use",),
                "a card is used by its face alone, so exactly one must be named",
                sent=len(parsed.cards),
                needed=1,
            )
        plan = self.entries[parsed.cards[0]]
        if plan is None:
            return self._refuse(
                "card_forbidden",
                ("use", 0),
                "that card cannot be used now",
                sent=quoted(parsed.cards[0]),
            )
        return self._aimed(parsed, plan)

    def _has_no_faces(self) -> bool:
        detail = self.question.detail
        return isinstance(detail, Use) and detail.cards is None

    def _discarded(self, parsed: Parsed) -> Judged:
        name = parsed.name
        if name is None:
            if not self.is_lenient or len(self.plans) != 1:
                return missing_key("method", "discard")
            name = next(iter(self.plans))
        return self._by_method(parsed._replace(name=name), name)

    def _unknown(self, parsed: Parsed) -> Refusal:
        able = [name for name, plan in self.plans.items() if not plan.is_hopeless]
        return self._refuse(
            "unknown_method",
            (parsed.name_key,),
            "no such method is offered",
            sent=quoted(parsed.name),
            offered=able,
        )

    def _by_method(self, parsed: Parsed, name: str) -> Judged:
        plan = self.plans.get(name)
        if plan is None:
            return self._unknown(parsed)
        key = CARD_KEYS[parsed.action]
        if plan.is_hopeless:
            is_cards = len(plan.cards) < plan.least
            return self._refuse(
                "unsatisfiable_method",
                (parsed.name_key,),
                (
                    f"needs {plan.least}, {len(plan.cards)} offered"
                    if is_cards
                    else f"needs {plan.aims}, {len(plan.targets)} offered"
                ),
            )
        cards = parsed.cards
        if plan.most == 0:
            if cards:
                return self._refuse(
                    "cards_not_allowed", (key,), "this method takes no cards"
                )
            return self._aimed(parsed, plan)
        if cards is None:
            return missing_key(key, parsed.action)
        for place, card in enumerate(cards):
            if card not in plan.cards:
                return self._not_offered(place, card, key, sorted(plan.cards))
        if not plan.least <= len(cards) <= plan.most:
            return self._refuse(
                "card_count",
                (key,),
                _wrong_count(len(cards), plan.least, plan.most, "card"),
                sent=len(cards),
                needed=plan.least,
                most=plan.most,
            )
        return self._aimed(parsed, plan)

    def _not_offered(
        self, place: int, card: int, key: str, offered: list[int]
    ) -> Refusal:
        return self._refuse(
            "card_not_offered",
            (key, place),
            "that card is not offered for this",
            sent=quoted(card),
            offered=offered,
        )

    def _aimed(self, parsed: Parsed, plan: Plan) -> Judged:
        """The targets; all else is right."""
        targets = parsed.targets
        if plan.aims == 0:
            if targets:
                return self._refuse(
                    "targets_not_allowed",
                    (parsed.target_key,),
                    "no target is named for this",
                )
            return parsed.reply
        if targets is None:
            return missing_key("players", parsed.action)
        for place, target in enumerate(targets):
            if target not in plan.targets:
                return self._refuse(
                    "target_not_offered",
                    (parsed.target_key, place),
                    "that player is not offered as a target",
                    sent=quoted(target),
                    offered=sorted(plan.targets),
                )
        if len(targets) != plan.aims:
            return self._refuse(
                "target_count",
                (parsed.target_key,),
                _wrong_count(len(targets), plan.aims, plan.aims, "target"),
                sent=len(targets),
                needed=plan.aims,
            )
        return parsed.reply


def _choices(detail: Detail) -> frozenset[str | None]:
    """What can be chosen at a plain choice."""
    match detail:
        case SelectCharacter(names) | SelectRegion(names):
            return frozenset(names)
        case _:
            return frozenset()


def _wrong_count(sent: int, least: int, most: int, what: str) -> str:
    """How many there are, and how many there have to be."""
    if least == most:
        return f"needs exactly {least} {what}{'s' * (least != 1)}, not {sent}"
    return f"needs {least} to {most} {what}s, not {sent}"
