"""A JSON object that is being read, with its path and the complaints about it so far.

Nothing here raises: what does not fit is noted and read as its default, so that one look at a document finds all that is
wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar, final

from dealwright.runtime.errors import shown
from dealwright.runtime.windows.spec import SpecProblem

_WordT = TypeVar("_WordT", bound=str)

MOST: Final = 1 << 53
"""No number of a spec is larger: JSON of other languages keeps integers up to here."""


@final
class Place:
    """One object of the document.

    Attributes:
        fields: its members.
        path: where it stands, as a JSON pointer.
        problems: all complaints about the document; shared by all its places.
    """

    __slots__ = ("fields", "path", "problems")

    def __init__(self, value: object, path: str, problems: list[SpecProblem]) -> None:
        self.path = path
        self.problems = problems
        self.fields: dict[str, object] = {}
        if not isinstance(value, Mapping):
            self.misfit("", f"this must be an object, not {shown(value)}")
            return
        for key, member in value.items():
            if isinstance(key, str):
                self.fields[key] = member

    def complain(self, name: str, code: str, sentence: str, remedy: str) -> None:
        """Note that the member `name` ("" is the object itself) is wrong."""
        path = f"{self.path}/{pointer(name)}" if name else self.path
        self.problems.append(SpecProblem(path, code, sentence, remedy))

    def misfit(self, name: str, sentence: str, remedy: str = "correct it") -> None:
        """Note that the member has the wrong shape."""
        self.complain(name, "bad_shape", sentence, remedy)

    def known(self, *keys: str) -> None:
        """Complain about members with other names than these."""
        for key in self.fields:
            if key not in keys:
                self.misfit(
                    key,
                    f"there is no setting {shown(key)}",
                    f"use one of {', '.join(keys)}",
                )

    def child(self, name: str) -> Place:
        """An object inside; a missing one reads as empty."""
        return Place(
            self.fields.get(name, {}), f"{self.path}/{pointer(name)}", self.problems
        )

    def text(self, name: str, default: str | None = None) -> str:
        """A text that is not empty; without a default it must be there."""
        value = self.fields.get(name, default)
        if isinstance(value, str) and value:
            return value
        self.misfit(name, f"{name} must be a text that is not empty")
        return default or "?"

    def count(self, name: str, default: int, least: int = 0) -> int:
        """An integer of at least `least`."""
        value = self.fields.get(name, default)
        if type(value) is int and least <= value <= MOST:
            return value
        self.misfit(name, f"{name} must be an integer of at least {least}")
        return default

    def optional_count(self, name: str, least: int = 0) -> int | None:
        """An integer of at least `least`; missing or null is None."""
        if self.fields.get(name) is None:
            return None
        return self.count(name, least, least)

    def flag(self, name: str, default: bool) -> bool:
        """true or false."""
        value = self.fields.get(name, default)
        if isinstance(value, bool):
            return value
        self.misfit(name, f"{name} must be true or false")
        return default

    def choice(self, name: str, words: tuple[_WordT, ...], default: _WordT) -> _WordT:
        """One of `words`."""
        value = self.fields.get(name, default)
        for word in words:
            if value == word:
                return word
        self.misfit(name, f"{name} is {shown(value)}", f"use one of {', '.join(words)}")
        return default

    def names(self, name: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """A list of texts."""
        value = self.fields.get(name, list(default))
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        self.misfit(name, f"{name} must be a list of texts")
        return default

    def some_of(
        self, name: str, words: tuple[_WordT, ...], default: tuple[_WordT, ...]
    ) -> tuple[_WordT, ...]:
        """A list of some of `words`."""
        found: list[_WordT] = []
        for given in self.names(name, default):
            for word in words:
                if word == given:
                    found.append(word)
            if given not in words:
                self.misfit(
                    name, f"{shown(given)} is none", f"use some of {', '.join(words)}"
                )
        return tuple(found)

    def items(self, name: str, key: str) -> list[Place]:
        """A list of objects that name themselves with the member `key`, or an object of them by that name."""
        value = self.fields.get(name, [])
        path = f"{self.path}/{pointer(name)}"
        if isinstance(value, Mapping):
            named = [
                (
                    str(label),
                    {key: label, **item} if isinstance(item, Mapping) else item,
                )
                for label, item in value.items()
            ]
        elif isinstance(value, list):
            named = [(str(index), item) for index, item in enumerate(value)]
        else:
            self.misfit(name, f"{name} must be a list or an object")
            named = []
        return [
            Place(item, f"{path}/{pointer(label)}", self.problems)
            for label, item in named
        ]


def pointer(name: str) -> str:
    """A member's name as a JSON pointer writes it."""
    return name.replace("~", "~0").replace("/", "~1")


def quoted(names: Iterable[str]) -> str:
    """Names for a sentence."""
    return ", ".join(shown(name) for name in names)
