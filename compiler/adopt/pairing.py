"""Which flow of NEW is which flow of OLD.

The match flow and the end flow are themselves; methods go by class and name; cardsets by id and name, else by name (a
cardset put in front of others moves their ids), else by id; comparisons by the two names, else by id. A method that was
renamed is found if it is the only one of its class.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeAlias

from dealwright.compiler.adopt.flows import FlowKey
from dealwright.compiler.rule.model import Rule

Renamed: TypeAlias = Mapping[FlowKey, str]
"""For the keys that lead to a method, cardset or comparison of NEW: the key that it has in OLD."""


def pair_owners(old: Rule, new: Rule) -> Renamed:
    """The methods, cardsets and comparisons of NEW that are in OLD too."""
    found: dict[FlowKey, str] = {}
    cardsets = _pairs(
        [(one.id, ((one.id, one.name), one.name, one.id)) for one in old.cardsets],
        [(one.id, ((one.id, one.name), one.name, one.id)) for one in new.cardsets],
    )
    found |= {("cardsets", id): former for id, former in cardsets.items()}
    comparisons = _pairs(
        [
            (one.id, ((one.id, one.a, one.b), (one.a, one.b), one.id))
            for one in old.comparisons
        ],
        [
            (one.id, ((one.id, one.a, one.b), (one.a, one.b), one.id))
            for one in new.comparisons
        ],
    )
    found |= {("cardset_comparisons", id): one for id, one in comparisons.items()}
    for before, now in zip(old.classes(), new.classes(), strict=True):
        names = {name: name for name in now.methods if name in before.methods}
        gone = [name for name in before.methods if name not in names]
        come = [name for name in now.methods if name not in names]
        if len(gone) == len(come) == 1:
            names[come[0]] = gone[0]
        found |= {("classes", now.name, "methods", one): names[one] for one in names}
    return found


def _pairs(
    old: Sequence[tuple[str, Sequence[Hashable]]],
    new: Sequence[tuple[str, Sequence[Hashable]]],
) -> dict[str, str]:
    """The id in OLD of each id of NEW, given for each its marks, the most telling first."""
    found: dict[str, str] = {}
    for rank in range(3):
        taken = set(found.values())
        open_ = _by_mark((id, marks[rank]) for id, marks in old if id not in taken)
        for id, marks in new:
            if id not in found and open_.get(marks[rank]):
                found[id] = open_[marks[rank]].pop()
    return found


def _by_mark(items: Iterable[tuple[str, Hashable]]) -> dict[Hashable, list[str]]:
    """The ids of each mark, the first at the end."""
    marked: dict[Hashable, list[str]] = {}
    for id, mark in items:
        marked.setdefault(mark, []).insert(0, id)
    return marked


def former_key(key: FlowKey, renamed: Renamed) -> FlowKey | None:
    """Where the flow of NEW at this key stands in OLD, or None if what it belongs to is new."""
    if len(key) == 1:
        return key
    length = 4 if key[0] == "classes" else 2
    owner, rest = key[:length], key[length:]
    return (*owner[:-1], renamed[owner], *rest) if owner in renamed else None
