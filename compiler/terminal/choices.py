"""What the person may do, as his hint tells it: numbered choices, and the cards for the one that he takes.

In: a match and the person's token; all that is known here comes across the client side of hints, as it would in a
client that talks to a server. Out: lines to show, and a reply that the match has accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias, final

from dealwright.compiler.diagnostics.reporter import safe
from dealwright.compiler.terminal.commands import Misread, is_leaving, read_cards
from dealwright.compiler.terminal.labels import LONGEST
from dealwright.runtime import Match
from dealwright.runtime.hints import Draft, Hint, Option, Refused, decode

Ask: TypeAlias = Callable[[str], str | None]
"""Asks the person for a line; None when there is no more input."""
Tell: TypeAlias = Callable[[str], object]
"""Tells the person why something is refused."""
Outcome: TypeAlias = Literal["done", "open", "quit"]
"""The match has accepted it; nothing has changed, and why was told if there is a reason; the person leaves."""


@final
class Choices:
    """The choices of one turn.

    Args:
        match: waits for the person.
        token: the person's.
    """

    def __init__(self, match: Match[Any, Any, Any], token: str) -> None:
        hint = decode(match.hint(token, "extended"))
        assert isinstance(hint, Hint), "the match waits for this person"
        self._match = match
        self._token = token
        self._draft = Draft(hint)
        self._options = self._draft.options()

    @property
    def is_about_regions(self) -> bool:
        """Whether one of several regions is to be chosen, which have names and not only numbers."""
        return self._draft.hint.action == "region"

    def lines(self) -> list[tuple[str, str]]:
        """The choices, each with what to type for it."""
        return [
            (f"#{number}", self._text(option))
            for number, option in enumerate(self._options, 1)
        ]

    def _text(self, option: Option) -> str:
        if option.what == "abort":
            return "skip"
        name = safe(option.name, LONGEST)
        if option.what != "method":
            return name
        least, most = self._begin(option)
        count = str(least) if least == most else f"{least} to {most}"
        return f"{name}: {count} of {self._selectable()}"

    def _begin(self, option: Option) -> tuple[int, int]:
        """Choose an option; how many cards it takes at least and at most."""
        self._draft.choose(option)
        for missing in self._draft.missing():
            if missing.what == "cards":
                return missing.least, missing.most
        return 0, 0

    def _selectable(self) -> str:
        return " ".join(map(str, self._draft.selectable_cards()))

    def take(self, number: int, ask: Ask, tell: Tell) -> Outcome:
        """Take a choice; asks for its cards, if there is any choice among them."""
        if not 0 < number <= len(self._options):
            tell(f"there is no choice #{number}")
            return "open"
        option = self._options[number - 1]
        least, _ = self._begin(option)
        cards = self._draft.selectable_cards()
        if len(cards) == least:
            return "done" if self._send(cards, tell) else "open"
        while (text := ask(f"cards for {safe(option.name, LONGEST)}")) is not None:
            if is_leaving(text):
                return "quit"
            read = read_cards(text)
            if isinstance(read, Misread):
                return "open"  # he has thought better of it
            if self._send(read.cards, tell):
                return "done"
        return "quit"

    def _send(self, cards: Sequence[int], tell: Tell) -> bool:
        draft = self._draft
        for card in draft.cards:
            draft.unpick(card)
        try:
            for card in cards:
                draft.pick_card(card)
            body = draft.encode(dialect="extended")
        except Refused as problem:
            refusal = problem.refusal
            tell(f"refused ({refusal.kind}): {refusal.sentence}")
            return False
        answer: dict[str, Any] = self._match.reply(self._token, body)
        if answer["code"] == 200:
            return True
        error = answer["error"]
        kind = error["values"].get("code", error["kind"])
        tell(f"refused ({kind}): {safe(error['sentence'], None)}")
        return False
