"""The rule as its author wrote it, after every error of shape has been reported.

`load` makes these from rule JSON; `check` and `lower` read them. Names, ids and references keep the author's spelling.
Nothing here knows Python identifiers, types of values or the order in which anything is emitted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import final

from dealwright.compiler.diagnostics.pointer import Pointer


class FlowKind(Enum):
    """The five kinds of flow; the value is the type number of the start node that each must have as node "1"."""

    MATCH = 17
    END = 23
    METHOD = 25
    BUILD = 27
    COMPARE = 29


@final
@dataclass(frozen=True, slots=True)
class Node:
    """One node of a flow.

    `fields` is the node's `content` without the jumps, with `count` of the node itself (it wins) filled in; its values are
    plain JSON values whose shape `load` has checked for reachable nodes. Jumps are node ids of the same flow or None.
    `type` is the component number, `pointer` the JSON pointer of the node in the file.
    """

    id: str
    type: int
    fields: Mapping[str, object]
    next: str | None
    next_true: str | None
    next_false: str | None
    pointer: Pointer


@final
@dataclass(frozen=True, slots=True)
class Flow:
    """A graph of nodes, in document order.

    `path` names it to people and in errors: `match_flow`, `end_flow`, `cardsets/3/build_flow`, `cardsets/3/compare_flow`,
    `cardset_comparisons/2/compare_flow`, `classes/player/methods/结算`.
    """

    path: str
    kind: FlowKind
    nodes: Mapping[str, Node]


@final
@dataclass(frozen=True, slots=True)
class Property:
    """A declared property; `values` are the integer values of an enum's config, in order (empty for an int)."""

    name: str
    type: str
    default: int
    values: tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class Method:
    """A method of a class; parameter names in document order, `returns` "int", "enum" or None (informative)."""

    name: str
    parameters: tuple[str, ...]
    returns: str | None
    flow: Flow


@final
@dataclass(frozen=True, slots=True)
class RuleClass:
    """`player`, `card` or `table`: declared properties, default ones first, then user ones; methods in document order.

    A user property of the same name as a default one has replaced it in the default one's place.
    """

    name: str
    properties: tuple[Property, ...]
    methods: Mapping[str, Method]


@final
@dataclass(frozen=True, slots=True)
class Cardset:
    """A kind of play. `properties` maps its integer properties to their defaults; `compare` is None if not written."""

    id: str
    name: str
    properties: Mapping[str, int]
    build: Flow
    compare: Flow | None
    successors: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """How two cardsets, given by name, compare; `flow` is None if not written."""

    id: str
    a: str
    b: str
    flow: Flow | None


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """A whole rule file.

    `cardsets` stand in the order in which they are tried: numeric ids by number, then the others as in the document.
    `comparisons` stand in document order. `players` is the declared number of players or None for any number.
    """

    name: str
    description: str
    players: int | None
    player: RuleClass
    card: RuleClass
    table: RuleClass
    cardsets: tuple[Cardset, ...]
    comparisons: tuple[Comparison, ...]
    match_flow: Flow
    end_flow: Flow

    def classes(self) -> tuple[RuleClass, RuleClass, RuleClass]:
        """The three classes: card, player, table."""
        return (self.card, self.player, self.table)

    def cardset(self, id: str) -> Cardset | None:
        """The cardset with this id, or None."""
        return next((one for one in self.cardsets if one.id == id), None)
