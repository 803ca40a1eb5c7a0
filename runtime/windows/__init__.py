"""Response windows: after a card is played, who may claim it, who does, and whose claim holds.

    requirement → `presets` / JSON → `modes.rule_mode` → `ResponseDesk` (`builder`, `life`, `arbiter`, `publisher`)

The windows of a game are data (`WindowSpec`, `RuleMode`); the game gives a callable for each action that says when a seat
may take it. `ResponseDesk` is all that a server needs; its parts are pure functions and can be used alone. `verify_spec`
proves a spec by trying everything, `as_hints` turns an open window into hints. Nothing here knows a game, a clock or the
network, and only the standard library is imported.
"""

from dealwright.runtime.windows.arbiter import arbitrate, decided
from dealwright.runtime.windows.builder import (
    Offer,
    ResponseActionWindowBuilder,
    Shape,
    TableView,
    Trigger,
)
from dealwright.runtime.windows.closing import resolution_of
from dealwright.runtime.windows.desk import ResponseDesk
from dealwright.runtime.windows.follow import next_step, step_after
from dealwright.runtime.windows.life import (
    applied,
    on_abort,
    on_deadline,
    on_disconnect,
    on_reconnect,
    on_reply,
    opening,
)
from dealwright.runtime.windows.lints import lints
from dealwright.runtime.windows.locks import (
    Locks,
    MissedClaim,
    SeatLock,
    arm,
    arm_directly,
    blocks,
    released,
)
from dealwright.runtime.windows.messages import GameEvent, PrivateActionMessage
from dealwright.runtime.windows.model import (
    PASS,
    Answer,
    Change,
    NextStep,
    Output,
    Resolution,
    ResponseActionOption,
    ResponseActionSeatCandidate,
    ResponseActionWindow,
    ResponseReply,
    Seat,
    Tile,
)
from dealwright.runtime.windows.modes import RuleMode, merged, rule_mode
from dealwright.runtime.windows.presets import LOCKS, MODES, V1, shipped_mode
from dealwright.runtime.windows.publisher import GameMessagePublisher
from dealwright.runtime.windows.replay import outputs_of, replayed
from dealwright.runtime.windows.spec import SpecProblem, SpecRefused, WindowSpec
from dealwright.runtime.windows.spec_read import window_spec
from dealwright.runtime.windows.verify import Verified, verify_spec
from dealwright.runtime.windows.wire import resolution_json, window_json
from dealwright.runtime.windows.wire_read import read_reply, read_window

__all__ = [
    "LOCKS",
    "MODES",
    "PASS",
    "V1",
    "Answer",
    "Change",
    "GameEvent",
    "GameMessagePublisher",
    "Locks",
    "MissedClaim",
    "NextStep",
    "Offer",
    "Output",
    "PrivateActionMessage",
    "Resolution",
    "ResponseActionOption",
    "ResponseActionSeatCandidate",
    "ResponseActionWindow",
    "ResponseActionWindowBuilder",
    "ResponseDesk",
    "ResponseReply",
    "RuleMode",
    "Seat",
    "SeatLock",
    "Shape",
    "SpecProblem",
    "SpecRefused",
    "TableView",
    "Tile",
    "Trigger",
    "Verified",
    "WindowSpec",
    "applied",
    "arbitrate",
    "arm",
    "arm_directly",
    "blocks",
    "decided",
    "lints",
    "merged",
    "next_step",
    "on_abort",
    "on_deadline",
    "on_disconnect",
    "on_reconnect",
    "on_reply",
    "opening",
    "outputs_of",
    "read_reply",
    "read_window",
    "released",
    "replayed",
    "resolution_json",
    "resolution_of",
    "rule_mode",
    "shipped_mode",
    "step_after",
    "verify_spec",
    "window_json",
    "window_spec",
]
