"""What can go wrong around a hint: an error of whoever makes or reads one, and the refusal of a reply.

A `HintError` is a mistake of a program: a hint that nobody could answer, a hint that is none. A `Refusal` is a value
and not an exception, because a reply comes from outside and may be anything at all. It quotes only what the replier
sent and what he was offered (hints.md, section 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, final

from dealwright.runtime.errors import DealwrightError

Family: TypeAlias = Literal[
    "missing argument", "player forbidden", "incorrect interface", "wrong argument"
]
Kind: TypeAlias = Literal[
    "not_an_object",
    "missing_key",
    "bad_type",
    "unknown_key",
    "conflicting_keys",
    "player_forbidden",
    "stale_hint",
    "duplicate_reply",
    "no_decision",
    "abort_not_allowed",
    "abort_with_payload",
    "unknown_method",
    "unsatisfiable_method",
    "card_not_offered",
    "card_forbidden",
    "duplicate_card",
    "card_count",
    "cards_not_allowed",
    "target_not_offered",
    "duplicate_target",
    "target_count",
    "targets_not_allowed",
    "region_not_offered",
    "character_not_offered",
    "rule_refused",
]

FORBIDDEN: Final = frozenset({"player_forbidden", "stale_hint", "duplicate_reply"})
UPSTREAM_KEYS: Final = {"players": "targets"}
"""Keys of a reply that the original server spells otherwise."""


@final
class HintError(DealwrightError):
    """A hint cannot be made, read or kept as it was asked for.

    Codes: bad_hint (it breaks the protocol), unanswerable (nothing could be replied to it), unsupported_requirement (a
    method needs a kind of requirement that this version does not know), bad_dialect, bad_state, bad_question (a desk is
    asked for something that it cannot do now), bad_reply (a program makes a reply that the hint does not allow).
    """


@final
@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a reply was refused. Nothing has changed then.

    Attributes:
        kind: a stable word for programs (hints.md, section 2; `unknown_key` belongs to strict reading, `rule_refused`
            to a rule that says no to what the hint allowed).
        path: where in the reply: keys and places in lists.
        sentence: what is wrong, in English.
        values: what was sent, offered or needed, by name, each a string, an integer or a list of them.
        action: the kind of question that was answered, if there was one.
    """

    kind: Kind
    path: tuple[str | int, ...]
    sentence: str
    values: tuple[tuple[str, object], ...] = ()
    action: str | None = None

    @property
    def family(self) -> Family:
        """The original server's word for this kind of refusal."""
        if self.kind == "missing_key":
            return "missing argument"
        if self.kind in FORBIDDEN:
            return "player forbidden"
        if self.kind == "unknown_method" and self.action == "use":
            return "incorrect interface"
        return "wrong argument"

    def reason(self, dialect: str = "spec") -> str:
        """The text that the original server would send: its family, and what it adds to two of them."""
        family = self.family
        if family == "missing argument":
            return f"{family}: {self._spelled(self.path, dialect)[-1]}"
        return f"{family}: {self.sentence}" if family == "wrong argument" else family

    def to_json(
        self, dialect: str = "spec", hint: Mapping[str, object] | None = None
    ) -> dict[str, object]:
        """The answer as it crosses the wire: code 400, the reason, and the same in a structure.

        Args:
            dialect: whose spelling the keys in `reason` and `path` have.
            hint: the hint in force, so that a client can start again from what is true.
        """
        error: dict[str, object] = {
            "kind": self.kind,
            "path": self._spelled(self.path, dialect),
            "sentence": self.sentence,
            "values": dict(self.values),
        }
        if hint is not None:
            error["hint"] = dict(hint)
        return {"code": 400, "reason": self.reason(dialect), "error": error}

    @staticmethod
    def _spelled(path: tuple[str | int, ...], dialect: str) -> list[str | int]:
        if dialect != "upstream":
            return list(path)
        return [
            UPSTREAM_KEYS.get(step, step) if isinstance(step, str) else step
            for step in path
        ]


@final
class Refused(Exception):
    """A `Refusal` on its way through a program of ours: what the client side raises before anything is sent."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal

    def __str__(self) -> str:
        return f"{self.refusal.kind}: {self.refusal.sentence}"
