"""What a segment of the match flow returns, and what the runtime knows of a wait.

A segment ends by waiting for a player (`AwaitPlay`, `AwaitChoice`), by going on to the settlement (`SETTLE`) or by
naming the segment that follows (`Hop`), which the runtime calls in a loop so that long chains need no deep stack.
The id of the wait's node is all that a saved match keeps of where it is; `RESUME` of the generated package says what
follows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, Generic, Literal, NamedTuple, Never, TypeAlias, TypeVar, final

GameT_contra = TypeVar("GameT_contra", contravariant=True)
WaitKind: TypeAlias = Literal["play", "choose"]


@final
class Await:
    """Wait at this node for the current player; its `WaitPoint` says for what."""

    __slots__ = ("node",)

    def __init__(self, node: str) -> None:
        self.node = node


# Generated code reads `return AwaitPlay("ask")`, as if each made an object; that would be one for each action.


@cache
def AwaitPlay(node: str) -> Await:
    """Wait at this node for the current player to play or skip (component 21): made once, the same ever after."""
    return Await(node)


@cache
def AwaitChoice(node: str) -> Await:
    """Wait at this node for the current player to choose (component 22), likewise."""
    return Await(node)


@final
class Settle:
    """On to the end flow (component 18). There is one, `SETTLE`."""

    __slots__ = ()
    node: Final = (
        None  # no wait: asking for it takes less time than asking for the class
    )


SETTLE: Final = Settle()


@final
class Hop(Generic[GameT_contra]):
    """The runtime calls `flow` next. Every hop counts against the bound of a submission.

    A segment of the match flow hops to a segment of the match flow; a long settlement
    may be cut in the same way, its segments return the result or another hop.
    """

    __slots__ = ("flow",)
    node: Final = None  # as of `Settle`

    def __init__(self, flow: Callable[[GameT_contra], Next | int]) -> None:
        self.flow = flow


# a hop to a segment of any package: none can be called without saying which
Next: TypeAlias = "Await | Settle | Hop[Never]"


class WaitPoint(Generic[GameT_contra]):
    """A wait of the rule: what follows it, and what clients are told about it.

    Attributes:
        follows: the segment that runs once the player has acted.
        kind: which action it waits for.
        timer: seconds, reported only.
        options: what may be chosen, in the rule's order; empty means any integer.
    """

    __slots__ = ("follows", "kind", "options", "timer")
    kind: WaitKind

    def __init__(
        self,
        follows: Callable[[GameT_contra], Next],
        timer: int,
        options: tuple[int, ...],
    ) -> None:
        self.follows = follows
        self.timer = timer
        self.options = options

    def wait(self, node: str, seat: int) -> Wait:
        """The wait at `node` for the player at `seat`."""
        return Wait(node, seat, self.kind, self.timer, self.options)


@final
class PlayWait(WaitPoint[GameT_contra]):
    """A wait for cards, or for a skip."""

    __slots__ = ()

    def __init__(
        self, follows: Callable[[GameT_contra], Next], timer: int = 30
    ) -> None:
        super().__init__(follows, timer, ())
        self.kind = "play"


@final
class ChoiceWait(WaitPoint[GameT_contra]):
    """A wait for a choice among `options`.

    Attributes:
        regions: where the choice is one of regions, what each option is called in hints; else empty.
    """

    __slots__ = ("regions",)

    def __init__(
        self,
        follows: Callable[[GameT_contra], Next],
        timer: int = 30,
        options: tuple[int, ...] = (),
        regions: tuple[str, ...] = (),
    ) -> None:
        super().__init__(follows, timer, options)
        if regions and len(regions) != len(options):
            raise ValueError("every option of a choice of regions has a name")
        self.kind = "choose"
        self.regions = regions


Resume: TypeAlias = Mapping[str, WaitPoint[GameT_contra]]


class Wait(NamedTuple):
    """What a match waits for now: at which node, for whom, for what. The seat is fixed when the wait begins."""

    node: str
    seat: int
    kind: WaitKind
    timer: int
    options: tuple[int, ...]

    def to_json(self) -> dict[str, object]:
        """The wait as JSON, for views and events."""
        return {
            "node": self.node,
            "seat": self.seat,
            "kind": self.kind,
            "timer": self.timer,
            "options": list(self.options),
        }


Asked: TypeAlias = tuple[Literal["asked"], Wait]  # how the log has it


@final
class Waits(dict[int, Asked], Generic[GameT_contra]):
    """The waits at one node by seat, as the log has them: each made when it is first wanted, then the same for ever."""

    __slots__ = ("node", "point")

    def __init__(self, node: str, point: WaitPoint[GameT_contra]) -> None:
        super().__init__()
        self.node = node
        self.point = point

    def __missing__(self, seat: int) -> Asked:
        return self.setdefault(seat, ("asked", self.point.wait(self.node, seat)))
