"""A JSON text as a tree that keeps every character: spelling of scalars, white space, order of keys.

In goes the text of a file that `source` has accepted (so it is well-formed and at most 200 levels deep), out comes a
`Document`; `text_of` gives the text back unchanged. Edits make new trees. Nothing here knows about rules.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, final

Step: TypeAlias = str | int
Path: TypeAlias = tuple[Step, ...]

_SPACE = re.compile(r"[ \t\n\r]*")
_GAP = re.compile(r"[ \t\n\r]*,?[ \t\n\r]*")
_COLON = re.compile(r"[ \t\n\r]*:[ \t\n\r]*")
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_WORD = re.compile(r"[^ \t\n\r,:\[\]{}\"]+")


@final
@dataclass(frozen=True, slots=True)
class Scalar:
    """A text, number, boolean or null, as it is spelled."""

    text: str


@final
@dataclass(frozen=True, slots=True)
class Member:
    """An entry of a container.

    `lead` is everything between the opening bracket, or the entry before, and this one: white space and the comma.
    `spelled` is the key as written and `colon` what stands between it and the value; both are empty in lists.
    """

    lead: str
    key: str
    spelled: str
    colon: str
    part: Part


@final
@dataclass(frozen=True, slots=True)
class Container:
    """An object or a list; `tail` is what stands before the closing bracket."""

    is_object: bool
    members: tuple[Member, ...]
    tail: str

    def keyed(self) -> dict[str, Member]:
        """The entries of an object by key."""
        return {one.key: one for one in self.members}


Part: TypeAlias = Scalar | Container


@final
@dataclass(frozen=True, slots=True)
class Document:
    """A whole file: the value, and what stands before and after it."""

    head: str
    root: Part
    foot: str


@final
@dataclass(slots=True)
class _Open:
    """A container that is being read: what has been read of it, and the entry that it will be (its part excepted)."""

    is_object: bool
    members: list[Member]
    slot: Member


def parse_document(text: str) -> Document:
    """The tree of a well-formed JSON text."""
    at = _end(_SPACE, text, 0)
    slot = Member(text[:at], "", "", "", Scalar(""))
    stack: list[_Open] = []
    while True:
        part: Part | None = None
        if text[at] in "{[":
            stack.append(_Open(text[at] == "{", [], slot))
            at += 1
        else:
            end = _end(_STRING if text[at] == '"' else _WORD, text, at)
            part, at = Scalar(text[at:end]), end
        while True:
            if part is not None and not stack:
                return Document(slot.lead, part, text[at:])
            if part is not None:
                stack[-1].members.append(replace(slot, part=part))
            start, at = at, _end(_GAP, text, at)
            if text[at] not in "}]":
                break
            closed = stack.pop()
            part = Container(closed.is_object, tuple(closed.members), text[start:at])
            slot, at = closed.slot, at + 1
        slot, at = _slot(text, start, at, stack[-1].is_object)


def _slot(text: str, start: int, at: int, is_object: bool) -> tuple[Member, int]:
    """The entry that begins at `at`, without its part, and where the part begins."""
    if not is_object:
        return Member(text[start:at], "", "", "", Scalar("")), at
    end = _end(_STRING, text, at)
    spelled, colon_end = text[at:end], _end(_COLON, text, end)
    colon = text[end:colon_end]
    slot = Member(text[start:at], decoded(spelled), spelled, colon, Scalar(""))
    return slot, colon_end


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    if found is None:
        raise ValueError(f"offset {at}: not a JSON text")
    return found.end()


def decoded(spelled: str) -> str:
    """The text that a JSON string spells."""
    return str(json.loads(spelled))


def spelled(text: str) -> str:
    """A text as a JSON string."""
    return json.dumps(text, ensure_ascii=False)


def text_of(document: Document) -> str:
    """The text of a tree."""
    pieces: list[str] = []
    pending: list[str | Part] = [document.foot, document.root, document.head]
    while pending:
        one = pending.pop()
        match one:
            case str():
                pieces.append(one)
            case Scalar(text):
                pieces.append(text)
            case Container(is_object, members, tail):
                pieces.append("{" if is_object else "[")
                pending += (tail + ("}" if is_object else "]"),)
                for member in reversed(members):
                    front = member.lead + member.spelled + member.colon
                    pending += (member.part, front)
    return "".join(pieces)


def part_at(part: Part, path: Path) -> Part | None:
    """The part at a path of keys and indexes, or None."""
    for step in path:
        member = _member(part, step)
        if member is None:
            return None
        part = member.part
    return part


def _member(part: Part, step: Step) -> Member | None:
    if isinstance(part, Scalar) or part.is_object is isinstance(step, int):
        return None
    if isinstance(step, int):
        return part.members[step] if step < len(part.members) else None
    return next((one for one in part.members if one.key == step), None)


def replaced(part: Part, changes: Mapping[Path, Part]) -> Part:
    """The tree with other parts at some paths; paths that do not exist change nothing."""
    if () in changes:
        return changes[()]
    if not changes or isinstance(part, Scalar):
        return part
    below: dict[Step, dict[Path, Part]] = {}
    for path, new in changes.items():
        below.setdefault(path[0], {})[path[1:]] = new
    members = tuple(
        (
            replace(one, part=replaced(one.part, below[step]))
            if (step := one.key if part.is_object else index) in below
            else one
        )
        for index, one in enumerate(part.members)
    )
    return replace(part, members=members)
