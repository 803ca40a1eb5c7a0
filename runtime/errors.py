"""The exceptions of the runtime.

Every exception that a caller of a generated package may meet is a `DealwrightError`: it has a stable code, the rule,
the flow and the node that it came from, and one sentence for people. `FlowStopped` never leaves the runtime: a flow is
stopped with it, and whoever ran the flow turns it into one of the public ones, with the place added.
"""

from __future__ import annotations

from typing import Final, final

from dealwright.runtime.shapes import Function


class DealwrightError(Exception):
    """What every error of ours has in common.

    Attributes:
        code: a stable word for programs, such as "not_your_turn"; the sentence may change, the code does not.
        sentence: what is wrong, in English.
        rule: the name of the rule, where it is known.
        flow: "match_flow", "end_flow" or the name of a generated function.
        node: the id of the node as the rule spells it.
    """

    def __init__(
        self,
        code: str,
        sentence: str,
        rule: str | None = None,
        flow: str | None = None,
        node: str | None = None,
    ) -> None:
        # all arguments go to Exception, so that a copy or a pickle rebuilds the same error
        super().__init__(code, sentence, rule, flow, node)
        self.code = code
        self.sentence = sentence
        self.rule = rule
        self.flow = flow
        self.node = node

    def __str__(self) -> str:
        place = "/".join(part for part in (self.flow, self.node) if part is not None)
        names = ": ".join(part for part in (self.rule, place) if part)
        return f"{names}: {self.sentence}" if names else self.sentence


@final
class Rejected(DealwrightError):
    """An action was refused; the match is exactly what it was before.

    The codes, in the order in which they are looked for (contract, section 6): nothing_pending, not_your_turn,
    wrong_action, card_not_in_hand, duplicate_card, no_cardset, not_beating, must_lead, choice_not_offered; and from
    the flow that follows: deck_exhausted, endless_flow, rule_error.
    """


@final
class MatchError(DealwrightError):
    """There is no such match: a start, an arranged position, a saved state or a question about a match fails.

    Codes: bad_players, bad_seed, bad_actions, bad_position, bad_state, bad_seat, bad_reason, bad_cards, bad_play,
    bad_tokens, no_tokens, bad_time, needs_match; and from a flow at the start or in a question: deck_exhausted,
    endless_flow, rule_error.
    """


@final
class FlowStopped(Exception):
    """A flow cannot go on. `origin` is a generated function to look the place up in if the traceback names none."""

    def __init__(
        self, code: str, sentence: str, origin: Function | None = None
    ) -> None:
        super().__init__(code, sentence)
        self.code = code
        self.sentence = sentence
        self.origin = origin


_PLAIN: Final = frozenset({str, int, bool, float, type(None)})


def shown(value: object) -> str:
    """`value` for a message, cut short: states and arguments may be of any size."""
    # exact types only: a subclass may answer with anything, or raise
    if type(value) is int and value.bit_length() > 200:
        return "a very large integer"
    text = (
        ascii(value)
        if type(value) in _PLAIN
        else f"a value of type {type(value).__name__}"
    )
    return text if len(text) <= 60 else text[:57] + "..."
