"""NEW written the way OLD is: keys in OLD's order, line breaks, indentation and spelling of equal values like OLD's.

A diff of the two texts then shows only what differs in value. What OLD does not have is laid out like its neighbours.
Keys whose order means something keep the order of NEW: card properties make the deck, parameters take arguments, and
cardsets and comparisons are tried one after the other (contract, sections 2, 5, 6). Recursion is as deep as the document,
which `source` bounds.
"""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, final

from dealwright.compiler.adopt.document import (
    Container,
    Document,
    Member,
    Part,
    Path,
    Scalar,
)
from dealwright.compiler.adopt.flows import FlowKey

Partners: TypeAlias = Mapping[Path, str]
Groups: TypeAlias = Mapping[str, Hashable]
"""Keys of an object that must keep their order among those of the same group."""


@final
@dataclass(frozen=True, slots=True)
class _Gaps:
    """What stands before the first entry of a container, between two, before the bracket, and around the colon."""

    first: str
    between: str
    last: str
    colon: str


@final
@dataclass(frozen=True, slots=True)
class _Writer:
    """The layout of one OLD document.

    `partners` gives the key in OLD of a part of NEW that is called otherwise there, `ordered` the objects
    whose order of keys means something, by path; `unit` is one level of indentation ("" in a file of one line), `inline` the
    layout of a container on one line.
    """

    partners: Partners
    ordered: Mapping[Path, Groups]
    unit: str
    inline: _Gaps

    def written(self, new: Part, like: Part | None, path: Path, lead: str) -> Part:
        """`new`, laid out like `like`, which need not hold the same; `lead` is what stands before it in its container."""
        if isinstance(new, Scalar):
            is_same = isinstance(like, Scalar) and _is_same(new.text, like.text)
            return like if is_same and like is not None else new
        if not isinstance(like, Container) or like.is_object is not new.is_object:
            like = Container(new.is_object, (), "")
        if not new.members:
            return Container(new.is_object, (), "" if like.members else like.tail)
        gaps = self.gaps(like, lead)
        members = self.in_order(new, like, path)
        made = tuple(
            self.entry(one, former, index, path, gaps, like)
            for index, (one, former) in enumerate(members)
        )
        return Container(new.is_object, made, gaps.last)

    def entry(
        self,
        one: Member,
        former: Member | None,
        index: int,
        path: Path,
        gaps: _Gaps,
        like: Container,
    ) -> Member:
        """An entry of NEW at its place; `former` is the one of OLD that it goes by, if there is any."""
        is_first = former is not None and former is like.members[0]
        lead = gaps.between if former is None or is_first else former.lead
        lead = gaps.first if index == 0 else lead
        step = one.key if like.is_object else index
        pattern = _sibling(one.part, like) if former is None else former.part
        part = self.written(one.part, pattern, (*path, step), lead)
        if not like.is_object:
            return replace(one, lead=lead, part=part)
        is_same_key = former is not None and former.key == one.key
        return Member(
            lead=lead,
            key=one.key,
            spelled=former.spelled if is_same_key and former else one.spelled,
            colon=gaps.colon if former is None else former.colon,
            part=part,
        )

    def in_order(
        self, new: Container, like: Container, path: Path
    ) -> list[tuple[Member, Member | None]]:
        """The entries of NEW with those of OLD that they go by, in OLD's order where order means nothing.

        An entry that OLD does not have follows the one that it follows in NEW, but does not become the last.
        """
        if not new.is_object:
            known = like.members
            return [
                (one, known[index] if index < len(known) else None)
                for index, one in enumerate(new.members)
            ]
        former = self.formers(new, like, path)
        entries = [(one, former.get(one.key)) for one in new.members]
        if path[:1] == ("extensions",) or path[:2] == ("design", "extensions"):
            return entries
        place = {one.key: number for number, one in enumerate(like.members)}
        after = -1
        ranks: list[tuple[int, int]] = []
        for number, (_, known_one) in enumerate(entries):
            if known_one is not None:
                after = place[known_one.key]
            ranks.append((after, -1 if known_one is not None else number))
        order = sorted(range(len(entries)), key=lambda number: ranks[number])
        # behind OLD's last entry a new one would cost that line a comma
        last = [number for number in order if entries[number][1] is not None][-1:]
        order = [number for number in order if number not in last] + last
        groups = self.ordered.get(path, {})
        names = [one.key for one in new.members]
        return [entries[number] for number in _kept(order, names, groups)]

    def formers(self, new: Container, like: Container, path: Path) -> dict[str, Member]:
        """The entry of OLD for each key of NEW: its partner, else that of the same key if it is nobody's partner."""
        keyed = like.keyed()
        partner = {
            one.key: keyed[old]
            for one in new.members
            if (old := self.partners.get((*path, one.key))) in keyed and old is not None
        }
        taken = {one.key for one in partner.values()}
        return partner | {
            one.key: keyed[one.key]
            for one in new.members
            if one.key not in partner and one.key in keyed and one.key not in taken
        }

    def gaps(self, like: Container, lead: str) -> _Gaps:
        """How the entries of a container are set; of one that is empty in OLD, as its place suggests."""
        if like.members:
            first, tail = like.members[0], like.tail
            between = _after(first.lead)
            if len(like.members) > 1:
                between = like.members[1].lead
            elif "\n" not in first.lead:
                between = self.inline.between
            return _Gaps(first.lead, between, tail, first.colon or self.inline.colon)
        if "\n" not in lead or not self.unit:
            return self.inline
        # everything after the last line break in front of the container is its own indentation
        start = lead[lead.rindex("\n") :].strip(",")
        inside = start + self.unit
        return _Gaps(inside, f",{inside}", start, self.inline.colon)


def written_like(
    old: Document,
    new: Document,
    partners: Mapping[FlowKey, str],
    root: Path,
    ordered: Mapping[Path, Groups],
) -> Document:
    """NEW in the layout of OLD.

    Arguments: `partners` as in `pairing`; `root` leads to the object with the five sections in both; `ordered` are the
    objects of NEW in which the order of some keys means something, by path.
    """
    writer = _Writer(
        {(*root, *key): former for key, former in partners.items()},
        ordered,
        _unit(old.root),
        _inline(old.root),
    )
    return Document(
        old.head,
        writer.written(new.root, old.root, (), _line_start(old.head)),
        old.foot,
    )


def _kept(order: list[int], names: list[str], groups: Groups) -> list[int]:
    """The order, but members of one group in their own among the places that they have together."""
    members: dict[Hashable, list[int]] = {}
    for number in sorted(order, reverse=True):
        if names[number] in groups:
            members.setdefault(groups[names[number]], []).append(number)
    return [
        (members[groups[names[number]]].pop() if names[number] in groups else number)
        for number in order
    ]


def _line_start(head: str) -> str:
    return head if "\n" in head else "\n" + head


def _after(lead: str) -> str:
    return f",{lead}"


def _is_same(one: str, other: str) -> bool:
    """Whether two scalars are the same value, whatever their spelling; a float is no integer."""
    if one == other:
        return True
    first, second = json.loads(one), json.loads(other)
    if isinstance(first, float) and not math.isfinite(first):
        return False
    return (
        type(first) is type(second) and type(first) in (str, float) and first == second
    )


def _sibling(part: Part, like: Container) -> Part | None:
    """The part of OLD that a part without a counterpart is set like: of its kind, of its type if it is a node."""
    if isinstance(part, Scalar):
        return None
    kind = _kind(part)
    alike = [
        one.part
        for one in like.members
        if isinstance(one.part, Container) and one.part.is_object is part.is_object
    ]
    return next(
        (one for one in alike if _kind(one) == kind), alike[0] if alike else None
    )


def _kind(part: Container) -> str:
    for one in part.members:
        if one.key == "type" and isinstance(one.part, Scalar):
            return one.part.text
    return ""


def _containers(root: Part) -> list[Container]:
    """All containers that hold something, outer ones first."""
    found: list[Container] = []
    pending = [root]
    while pending:
        one = pending.pop()
        if isinstance(one, Container) and one.members:
            found.append(one)
            pending.extend(member.part for member in reversed(one.members))
    return found


def _unit(root: Part) -> str:
    """One level of indentation: what the outermost entries have more than the document's end."""
    if isinstance(root, Scalar) or not root.members:
        return ""
    inner = root.members[0].lead.rpartition("\n")[2]
    outer = root.tail.rpartition("\n")[2]
    return inner.removeprefix(outer) if "\n" in root.members[0].lead else ""


def _inline(root: Part) -> _Gaps:
    """The layout of the first object on one line, or what is usual."""
    containers = _containers(root)
    colon = next((one.members[0].colon for one in containers if one.is_object), ": ")
    for one in containers:
        leads = [one.tail, *(member.lead for member in one.members)]
        if one.is_object and len(leads) > 2 and "\n" not in "".join(leads):
            return _Gaps(leads[1], leads[2], one.tail, colon)
    return _Gaps("", ", ", "", colon)
