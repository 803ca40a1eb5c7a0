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
    decoded,
    text_of,
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

    `partners` gives the key in OLD of a part of NEW that is called otherwise there, `ordered` the objects whose order of
    keys means something, by path; `is_ascii` tells how texts are spelled, if that can be seen; `unit` is one level of
    indentation ("" in a file of one line), `inline` and `inline_list` the layout of an object or list on one line.
    """

    partners: Partners
    ordered: Mapping[Path, Groups]
    unit: str
    is_ascii: bool | None
    inline: _Gaps
    inline_list: _Gaps

    def written(self, new: Part, like: Part | None, path: Path, lead: str) -> Part:
        """`new`, laid out like `like`, which need not hold the same; `lead` is what stands before it in its container."""
        if isinstance(new, Scalar):
            is_same = isinstance(like, Scalar) and _is_same(new.text, like.text)
            return like if is_same and like is not None else self.spelled(new)
        if not isinstance(like, Container) or like.is_object is not new.is_object:
            like = Container(new.is_object, (), "")
        if not new.members:
            return Container(new.is_object, (), "" if like.members else like.tail)
        gaps = self.gaps(like, lead)
        members = self.in_order(new, like, path)
        has_new = any(former is None for _, former in members)
        siblings = _siblings(like) if has_new else {}
        made: list[Member] = []
        for index, (one, former) in enumerate(members):
            pattern = _sibling(one.part, siblings) if former is None else former.part
            is_first = former is not None and former is like.members[0]
            lead = gaps.between if former is None or is_first else former.lead
            lead = gaps.first if index == 0 else lead
            step = one.key if new.is_object else index
            part = self.written(one.part, pattern, (*path, step), lead)
            made.append(self.entry(replace(one, lead=lead, part=part), former, gaps))
        return Container(new.is_object, tuple(made), gaps.last)

    def spelled(self, scalar: Scalar) -> Scalar:
        """A scalar that OLD does not have: numbers as they are, texts with or without escapes like those of OLD."""
        if self.is_ascii is None or not scalar.text.startswith('"'):
            return scalar
        return Scalar(json.dumps(decoded(scalar.text), ensure_ascii=self.is_ascii))

    def key(self, one: Member) -> str:
        return self.spelled(Scalar(one.spelled)).text

    def entry(self, one: Member, former: Member | None, gaps: _Gaps) -> Member:
        """An entry with its key and colon as in OLD; `former` is the entry that it goes by, if there is any."""
        if not one.spelled:
            return one
        is_same_key = former is not None and former.key == one.key
        key = former.spelled if is_same_key and former else self.key(one)
        colon = gaps.colon if former is None else former.colon
        return replace(one, spelled=key, colon=colon)

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
                between = self.on_one_line(like).between
            return _Gaps(first.lead, between, tail, first.colon or self.inline.colon)
        if "\n" not in lead or not self.unit:
            return self.on_one_line(like)
        # everything after the last line break in front of the container is its own indentation
        start = lead[lead.rindex("\n") :].strip(",")
        inside = start + self.unit
        return _Gaps(inside, f",{inside}", start, self.inline.colon)

    def on_one_line(self, like: Container) -> _Gaps:
        return self.inline if like.is_object else self.inline_list


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
        _is_ascii(text_of(old)),
        _inline(old.root, is_object=True),
        _inline(old.root, is_object=False),
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


def _siblings(like: Container) -> dict[tuple[bool, str], Part]:
    """The first container in `like` of each kind and type, and under the type "" the first of each kind."""
    found: dict[tuple[bool, str], Part] = {}
    for one in like.members:
        if isinstance(one.part, Container):
            found.setdefault((one.part.is_object, _kind(one.part)), one.part)
            found.setdefault((one.part.is_object, ""), one.part)
    return found


def _sibling(part: Part, siblings: Mapping[tuple[bool, str], Part]) -> Part | None:
    """What a part without a counterpart is set like: of its kind, of its type if it is a node."""
    if isinstance(part, Scalar):
        return None
    return siblings.get(
        (part.is_object, _kind(part)), siblings.get((part.is_object, ""))
    )


def _kind(part: Container) -> str:
    """The type of a node as it is spelled; of anything else nothing."""
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


def _is_ascii(text: str) -> bool | None:
    """Whether other characters than ASCII are escaped in a document; None if there are none."""
    if not text.isascii():
        return False
    return True if "\\u" in text else None


def _inline(root: Part, is_object: bool) -> _Gaps:
    """The layout of the first object or list on one line, or what is usual."""
    containers = _containers(root)
    colon = next((one.members[0].colon for one in containers if one.is_object), ": ")
    for one in containers:
        leads = [one.tail, *(member.lead for member in one.members)]
        is_wanted = one.is_object is is_object and len(leads) > 2
        if is_wanted and "\n" not in "".join(leads):
            return _Gaps(leads[1], leads[2], one.tail, colon)
    return _Gaps("", ", ", "", colon)
