"""The runtime of compiled rules: what every generated package imports, and what its users meet.

It knows matches, cards, waits and events, and nothing of rule files: a generated package hands it classes and
functions. Only the standard library is imported, and no module holds state that changes.

For users: `Match`, `Wait`, `Event`, `Events`, `Play`, and the errors `DealwrightError`, `Rejected`, `MatchError`. The
other names are for generated code.
"""

from dealwright.runtime.again import Again, OrAgain, follow, run
from dealwright.runtime.errors import DealwrightError, MatchError, Rejected
from dealwright.runtime.events import Event, Events
from dealwright.runtime.game import Game
from dealwright.runtime.match import Match
from dealwright.runtime.mixed import (
    cards_in,
    element_in,
    every,
    integers_in,
    players_in,
    sorted_in,
)
from dealwright.runtime.objects import AssignableCard, CardBase, PlayerBase, TableBase
from dealwright.runtime.package import Package
from dealwright.runtime.play import NO_PROPERTIES, Play, Properties
from dealwright.runtime.values import (
    A_WINS,
    B_WINS,
    Value,
    at,
    divide,
    integer,
    modulo,
    multiply,
    size,
    truth,
)
from dealwright.runtime.waits import (
    SETTLE,
    AwaitChoice,
    AwaitPlay,
    ChoiceWait,
    Hop,
    Next,
    PlayWait,
    Resume,
    Wait,
)

__all__ = [
    "A_WINS",
    "B_WINS",
    "NO_PROPERTIES",
    "SETTLE",
    "Again",
    "AssignableCard",
    "AwaitChoice",
    "AwaitPlay",
    "CardBase",
    "ChoiceWait",
    "DealwrightError",
    "Event",
    "Events",
    "Game",
    "Hop",
    "Match",
    "MatchError",
    "Next",
    "OrAgain",
    "Package",
    "Play",
    "PlayWait",
    "PlayerBase",
    "Properties",
    "Rejected",
    "Resume",
    "TableBase",
    "Value",
    "Wait",
    "at",
    "cards_in",
    "divide",
    "element_in",
    "every",
    "follow",
    "integer",
    "integers_in",
    "modulo",
    "multiply",
    "players_in",
    "run",
    "size",
    "sorted_in",
    "truth",
]
