"""Modes and locks as they are played, as JSON values: the requirement's V1, and what section 4 of it lists.

They are data for `modes.rule_mode` and nothing reads them but users. Actions are called HU, GANG and PENG here because
that is what they are called where these rules are played.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from dealwright.runtime.windows.modes import RuleMode, rule_mode

Document = Mapping[str, object]

V1: Final[Document] = MappingProxyType(
    {
        "emits": ["DISCARD", "ADD_KONG"],
        "response_windows": {
            "after_discard": {
                "trigger": "DISCARD",
                "audience": {"exclude": ["source", "won"]},
                "actions": {
                    "HU": {"priority": 300},
                    "GANG": {"priority": 200, "consumes": 3, "needs_wall": 1},
                    "PENG": {"priority": 100, "consumes": 2},
                    "PASS": {"priority": 0, "implicit": True},
                },
                "arbiter": {
                    "winners": {"default": "single"},
                    "tie_break": "nearest_after_source",
                },
                "answers": {"amend": "never", "duplicate": "idempotent"},
                "timeout": {"ms": 8000, "boundary": "exclusive", "answer": "PASS"},
                "close": {"early": "when_decided"},
                "offline": {"policy": "wait_for_deadline"},
                "conceal": {
                    "open_event": "when_candidates",
                    "min_open_ms": 0,
                    "close_reason": "audit",
                },
                "after": {
                    "HU": {"next": "after_last_winner", "leaves": True},
                    "GANG": {"next": "kong_draw"},
                    "PENG": {"next": "discard_by_winner"},
                    "PASS": {"next": "draw_after_source"},
                },
                "events": {"PASS_DECLARED": "private"},
                "end": {"few_seats": "THREE_WINNERS"},
            }
        },
    }
)
"""The requirement's first mode: one winner, PASS is final, no lock, added kongs are safe."""

SEVERAL_WINNERS: Final[Document] = MappingProxyType(
    {
        "response_windows": {
            "after_discard": {"arbiter": {"winners": {"HU": "all"}}},
        }
    }
)
"""一炮多响: everybody who says HU wins."""

ROBBING_A_KONG: Final[Document] = MappingProxyType(
    {
        "response_windows": {
            "after_added_kong": {
                "trigger": "ADD_KONG",
                "audience": {"exclude": ["source", "won"]},
                "actions": {
                    "HU": {"priority": 300},
                    "PASS": {"priority": 0, "implicit": True},
                },
                "arbiter": {
                    "winners": {"HU": "all"},
                    "tie_break": "nearest_after_source",
                },
                "after": {
                    "HU": {"next": "after_last_winner", "leaves": True},
                    "PASS": {"next": "kong_draw"},
                },
                "end": {"few_seats": "THREE_WINNERS"},
            }
        }
    }
)
"""抢杠胡: a kong that is added to a pung may be robbed."""

UPWARD_AMENDMENT: Final[Document] = MappingProxyType(
    {
        "response_windows": {
            "after_discard": {
                "answers": {"amend": "upward_on_new_claim", "amend_grace_ms": 5000}
            }
        }
    }
)
"""At a table: who hears another's claim may outdo it, for five seconds."""

FORCED_LAST_WIN: Final[Document] = MappingProxyType(
    {
        "forced_claim": {
            "action": "HU",
            "when_wall_at_most": 0,
            "triggers": ["DISCARD", "ADD_KONG"],
            "mode": "remove_pass",
            "auto_answer": True,
            "overrides": ["missed_win"],
        }
    }
)
"""最后一张必胡: on the last card a win must be taken."""

SILENCE_WINS: Final[Document] = MappingProxyType(
    {
        "response_windows": {
            "after_discard": {"timeout": {"per_action_answer": {"HU": "HU"}}}
        }
    }
)
"""Silence of a seat that may win means that it does."""

CONCEALED: Final[Document] = MappingProxyType(
    {
        "response_windows": {
            "after_discard": {
                "conceal": {"open_event": "always"},
                "close": {"early": "never"},
            }
        }
    }
)
"""Every discard opens a window and every window lasts to its deadline: nobody learns anything from either."""

CONCEALED_KONGS: Final[Document] = MappingProxyType(
    {
        "response_windows": {
            "after_added_kong": {
                "conceal": {"open_event": "always"},
                "close": {"early": "never"},
            }
        }
    }
)
"""The same for added kongs, where a mode has a window for them."""

LOCKS: Final[Mapping[str, Document]] = MappingProxyType(
    {
        "off": {"missed_win": {"enabled": False}},
        "same_turn_strict": {
            "missed_win": {
                "arm_on": ["explicit_pass", "timeout", "claimed_lower"],
                "claimed_lower": "always",
                "scope": "any_tile",
                "release": ["own_discard"],
            }
        },
        "same_turn_strict_until_call": {
            "missed_win": {
                "arm_on": ["explicit_pass", "timeout", "claimed_lower"],
                "claimed_lower": "always",
                "scope": "any_tile",
                "release": ["own_draw", "own_kong_draw", "own_claim"],
            }
        },
        "same_tile": {
            "missed_win": {
                "arm_on": ["explicit_pass"],
                "scope": "same_tile",
                "release": ["own_draw", "own_kong_draw", "own_discard"],
            }
        },
        "fan_cap": {
            "missed_win": {
                "arm_on": ["explicit_pass", "timeout", "claimed_lower"],
                "claimed_lower": "if_still_ready",
                "arm_extra": {"declined_self_draw": True, "own_discard_of_wait": True},
                "scope": "any_tile",
                "exception": "higher_fan",
                "release": ["own_draw", "own_kong_draw"],
            }
        },
        "fan_cap_and_same_tile": {
            "missed_win": {
                "arm_on": ["explicit_pass"],
                "scope": "any_tile",
                "exception": "higher_fan_on_another_tile",
                "release": ["own_draw", "own_kong_draw"],
            }
        },
        "same_wait_set": {
            "missed_win": {
                "arm_on": ["explicit_pass", "timeout"],
                "scope": "same_wait_set",
                "release": ["own_draw", "own_kong_draw", "claim_breaks_ready"],
            }
        },
        "missed_peng": {
            "missed_peng": {
                "action": "PENG",
                "arm_on": ["explicit_pass"],
                "scope": "same_tile",
                "applies_to": ["DISCARD"],
                "release": ["own_draw", "own_kong_draw"],
            }
        },
    }
)
"""过水不胡 and its relatives (section 4.2), each a change to a mode."""

_SBR_2025: Final[tuple[Document, ...]] = (
    SEVERAL_WINNERS,
    ROBBING_A_KONG,
    LOCKS["fan_cap"],
    # a pung and a kong are equally strong there; the nearer one has it
    {"response_windows": {"after_discard": {"actions": {"GANG": {"priority": 100}}}}},
)

MODES: Final[Mapping[str, tuple[Document, ...]]] = MappingProxyType(
    {
        "V1": (),
        "SBR_2025": _SBR_2025,
        "CHENGDU_ONLINE": (
            SEVERAL_WINNERS,
            {
                "response_windows": {
                    "after_discard": {"after": {"HU": {"next": "after_source"}}}
                }
            },
        ),
    }
)
"""The modes that ship, as changes to V1."""


def shipped_mode(name: str, *changes: Document) -> RuleMode:
    """A mode of `MODES`, with further changes if wanted.

    Raises:
        KeyError: there is no such mode.
        SpecRefused: the changes do not fit.
    """
    return rule_mode(name, V1, *MODES[name], *changes)
