"""Hints: what may each player do now, and what he answers.

The protocol between a game and its clients: every decision is put to the players who have to make it as a *question*
with all that is open to them; what comes back is judged against that very question before any rule sees it. Only the
standard library and the runtime's errors and checks are used, so a game that is written by hand can have hints
without any rule.

For a game: the builders (`discard`, `use`, …) or the adapter (`Asking`, `questions_of`), and a `Desk` for the
questions that are open. For a client: `decode`, `options`, `Draft`. For both: `Validator`, `Choices`, `encode`,
`encode_reply`, `schema`.
"""

from dealwright.runtime.hints.adapter import (
    Asking,
    Face,
    open_desk,
    question_of,
    questions_of,
)
from dealwright.runtime.hints.build import (
    REGIONS,
    aim,
    confirm,
    discard,
    fix_cards,
    fix_targets,
    forbid,
    implicit,
    method,
    min_cards,
    select_character,
    select_region,
    use,
)
from dealwright.runtime.hints.choices import Choices, default_reply
from dealwright.runtime.hints.client import Draft, Missing, Option, options
from dealwright.runtime.hints.decode import convert, decode
from dealwright.runtime.hints.desk import NOT_YOU, Desk
from dealwright.runtime.hints.dialects import encode, guard, watching
from dealwright.runtime.hints.errors import HintError, Refusal, Refused
from dealwright.runtime.hints.model import (
    CardEntry,
    CardNeed,
    Combos,
    Discard,
    Hint,
    Method,
    NoDecision,
    Note,
    Question,
    SelectCharacter,
    SelectRegion,
    TargetNeed,
    Use,
    Watching,
)
from dealwright.runtime.hints.record import Record, Recorder, replay
from dealwright.runtime.hints.reply import (
    DIALECTS,
    Dialect,
    Reply,
    abort_reply,
    encode_reply,
)
from dealwright.runtime.hints.schema import reply_schema, schema
from dealwright.runtime.hints.slots import Closed, Judged
from dealwright.runtime.hints.tokens import Tokens, new_tokens
from dealwright.runtime.hints.typescript import typescript
from dealwright.runtime.hints.validate import Validator

__all__ = [
    "DIALECTS",
    "NOT_YOU",
    "REGIONS",
    "Asking",
    "CardEntry",
    "CardNeed",
    "Choices",
    "Closed",
    "Combos",
    "Desk",
    "Dialect",
    "Discard",
    "Draft",
    "Face",
    "Hint",
    "HintError",
    "Judged",
    "Method",
    "Missing",
    "NoDecision",
    "Note",
    "Option",
    "Question",
    "Record",
    "Recorder",
    "Refusal",
    "Refused",
    "Reply",
    "SelectCharacter",
    "SelectRegion",
    "TargetNeed",
    "Tokens",
    "Use",
    "Validator",
    "Watching",
    "abort_reply",
    "aim",
    "confirm",
    "convert",
    "decode",
    "default_reply",
    "discard",
    "encode",
    "encode_reply",
    "fix_cards",
    "fix_targets",
    "forbid",
    "guard",
    "implicit",
    "method",
    "min_cards",
    "new_tokens",
    "open_desk",
    "options",
    "question_of",
    "questions_of",
    "replay",
    "reply_schema",
    "schema",
    "select_character",
    "select_region",
    "typescript",
    "use",
    "watching",
]
