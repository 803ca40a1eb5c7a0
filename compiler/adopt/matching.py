"""Which node of the new version of a flow is which node of the old one.

Node "1" is node "1". From there, level by level of `keys`, nodes that nothing else can be mistaken for are paired, and
pairs spread along their links: what two paired nodes call by the same name is the same if its keys are equal. So nodes
far from an edit are settled by everything around them before those near it are settled by less. What is left is paired
by what it shares with others. Ids play no part but among nodes that cannot be told apart otherwise, and where it turns
out that the flow has not been renumbered at all.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import chain
from typing import Final, TypeAlias, final

from dealwright.compiler.adopt.flows import NOWHERE, NodePlace
from dealwright.compiler.adopt.keys import Keys, Level, Nodes, Side, levels
from dealwright.compiler.rule.flowgraph import START_ID

Pair: TypeAlias = tuple[str, str]
"""An old node and a new one."""

COMMON: Final = 30
"""What more nodes than these share says nothing about any of them."""
ENOUGH: Final = 2
"""How much two left-over nodes must share: a link with a paired node counts 2, an equal field 1."""


def match(old: Nodes, new: Nodes) -> dict[str, str]:
    """The old id of each new node that is an old one, in the order of the new nodes; one to one.

    Arguments: the nodes of both versions by id. Linear in the size of the flow for each level of `keys`.
    """
    matcher = _Matcher(Side(old), Side(new))
    if START_ID in old and START_ID in new:
        matcher.pair((START_ID, START_ID))
    *telling, alone, types, places = levels(matcher.old, matcher.new)
    for level in telling:
        matcher.settle(level)
    matcher.believe_ids(types)
    matcher.settle(alone)
    matcher.settle(types)
    for level in (*telling, alone):
        matcher.settle_twins(level)
    matcher.settle_similar(types)
    matcher.settle(places)
    return {id: matcher.former[id] for id in new if id in matcher.former}


@final
class _Matcher:
    """The pairs so far: `former` gives the old node of a new one, `later` the new node of an old one."""

    def __init__(self, old: Side, new: Side) -> None:
        self.old = old
        self.new = new
        self.former: dict[str, str] = {}
        self.later: dict[str, str] = {}

    def pair(self, one: Pair) -> bool:
        """Make a pair, unless one of the two is paired already."""
        if not self.is_open(one):
            return False
        self.former[one[1]], self.later[one[0]] = one
        return True

    def is_open(self, one: Pair) -> bool:
        return one[0] not in self.later and one[1] not in self.former

    def settle(self, level: Level) -> None:
        """Pair all that this level tells, until it tells nothing more."""
        self.spread(list(self.later.items()), level)
        while level.is_telling:
            found = [one for one in self.only_ones(level) if self.pair(one)]
            if not found:
                return
            self.spread(found, level)

    def believe_ids(self, level: Level) -> None:
        """If all nodes that are surely the same have the same id, nobody has renumbered the flow: then ids count."""
        if len(self.later) < 2 or any(old != new for old, new in self.later.items()):
            return
        for id in self.old.nodes:
            if id in self.new.nodes and _is_equal((id, id), level):
                self.pair((id, id))

    def only_ones(self, level: Level) -> list[Pair]:
        """Open nodes whose key no other open node of their side has."""
        return list(
            _single_pairs(
                (id for id in self.old.nodes if id not in self.later),
                (id for id in self.new.nodes if id not in self.former),
                level,
            )
        )

    def spread(self, pairs: list[Pair], level: Level) -> None:
        """From these pairs along links, round by round; of what contradicts each other, what agrees with most goes first."""
        while pairs:
            proposed = dict.fromkeys(
                chain.from_iterable(self.neighbours(one, level) for one in pairs)
            )
            ranked = sorted(
                proposed,
                key=lambda one: (-self.agreement(one), self.old.order[one[0]]),
            )
            pairs = [one for one in ranked if self.pair(one)]

    def neighbours(self, pair: Pair, level: Level) -> Iterator[Pair]:
        """Open nodes that two paired nodes call, or that call them, by the same name, keys being equal."""
        old, new = pair
        targets = self.new.out[new]
        for label, target in self.old.out[old].items():
            one = (target, targets.get(label, ""))
            if label in targets and self.is_open(one) and _is_equal(one, level):
                yield one
        sources = self.new.into[new]
        for label, callers in self.old.into[old].items():
            yield from _single_pairs(
                (id for id in callers if id not in self.later),
                (id for id in sources.get(label, ()) if id not in self.former),
                level,
            )

    def agreement(self, pair: Pair) -> int:
        """How many links to paired nodes the two have in common."""
        old, new = pair
        targets, sources = self.new.out[new], self.new.into[new]
        forward = sum(
            target in self.later and self.later[target] == targets.get(label)
            for label, target in self.old.out[old].items()
        )
        backward = sum(
            caller in self.later and self.later[caller] in sources.get(label, ())
            for label, callers in self.old.into[old].items()
            for caller in callers
        )
        return forward + backward

    def settle_twins(self, level: Level) -> None:
        """Pair nodes of which several are alike: those at the same place of the canvas, of the same id, then in order."""
        groups: dict[int, tuple[list[str], list[str]]] = {}
        for id in self.old.nodes:
            if id not in self.later:
                groups.setdefault(level.old[id], ([], []))[0].append(id)
        for id in self.new.nodes:
            if id not in self.former and level.new[id] in groups:
                groups[level.new[id]][1].append(id)
        for old, new in groups.values():
            for one in self.twins(old, new):
                if self.pair(one):
                    self.spread([one], level)

    def twins(self, old: list[str], new: list[str]) -> Iterator[Pair]:
        """Pairs to try of nodes that are alike, the best reasons first."""
        yield from self.marked(old, new, lambda node: node.rest)
        yield from self.marked(old, new, lambda node: node.position)
        known = set(old)
        yield from ((id, id) for id in new if id in known)
        # pairs may have spread meanwhile, so these lists are made when they are needed
        left_old = [id for id in old if id not in self.later]
        left_new = [id for id in new if id not in self.former]
        yield from zip(left_old, left_new, strict=False)

    def marked(
        self, old: list[str], new: list[str], mark: Callable[[NodePlace], str]
    ) -> Iterator[Pair]:
        """The open nodes of both lists that have the same mark, in order."""
        waiting: dict[str, list[str]] = {}
        for id in reversed(old):
            if id not in self.later:
                waiting.setdefault(mark(self.old.nodes[id]), []).append(id)
        for id in new:
            sign = mark(self.new.nodes[id])
            if id not in self.former and sign != NOWHERE and waiting.get(sign):
                yield waiting[sign].pop(), id

    def settle_similar(self, level: Level) -> None:
        """Pair what is left and of one type by what the two share and few others have."""
        holders: dict[Hashable, list[str]] = {}
        for id in self.old.nodes:
            if id not in self.later:
                for feature in self.features(self.old, id, {}):
                    holders.setdefault(feature, []).append(id)
        votes: dict[Pair, int] = {}
        for id in self.new.nodes:
            if id not in self.former:
                for feature in self.features(self.new, id, self.former):
                    weight = 1 if feature[0] == "field" else 2
                    found = holders.get(feature, [])
                    for former in found if len(found) <= COMMON else ():
                        one = (former, id)
                        if _is_equal(one, level):
                            votes[one] = votes.get(one, 0) + weight
        ranked = sorted(
            (one for one, count in votes.items() if count >= ENOUGH),
            key=lambda one: (-votes[one], self.old.order[one[0]]),
        )
        for one in ranked:
            if self.pair(one):
                self.spread([one], level)

    def features(
        self, side: Side, id: str, former: dict[str, str]
    ) -> Iterator[tuple[str, str, str]]:
        """What can be said about an open node in the words of the old version."""
        is_old = side is self.old
        for name, text in side.nodes[id].fields:
            yield "field", name, text
        for label, target in side.out[id].items():
            if (target in self.later) if is_old else (target in former):
                yield "out", label, target if is_old else former[target]
        for label, callers in side.into[id].items():
            for caller in callers:
                if (caller in self.later) if is_old else (caller in former):
                    yield "into", label, caller if is_old else former[caller]


def _is_equal(one: Pair, level: Level) -> bool:
    return level.old[one[0]] == level.new[one[1]]


def _single_pairs(
    old: Iterable[str], new: Iterable[str], level: Level
) -> Iterator[Pair]:
    """Nodes of both sides whose key no other node of their side has."""
    first, second = _singles(old, level.old), _singles(new, level.new)
    for key, id in first.items():
        other = second.get(key)
        if id is not None and other is not None:
            yield id, other


def _singles(ids: Iterable[str], keys: Keys) -> dict[int, str | None]:
    found: dict[int, str | None] = {}
    for id in ids:
        found[keys[id]] = None if keys[id] in found else id
    return found
