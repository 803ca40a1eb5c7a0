"""JSON pointers as chains: every place of a file knows its parent and its own key, and nothing is joined until shown.

A file may hold hundreds of thousands of nodes below one key of thousands of characters. Each pointer as a text of its
own would copy that key once a node; as a chain it costs two references. Imports nothing of ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final


@final
@dataclass(frozen=True, slots=True, repr=False)
class Pointer:
    """A place in a JSON document (RFC 6901): `parent` and the `key` or index there, unescaped; `ROOT` has no parent."""

    parent: Pointer | None
    key: str

    def __truediv__(self, key: str) -> Pointer:
        """The place of an entry of the value here."""
        return Pointer(self, key)

    def below(self, relative: str) -> Pointer:
        """The place that a pointer text without its first slash leads to from here: `content/parameter/0`."""
        place = self
        for token in relative.split("/"):
            place = Pointer(place, token.replace("~1", "/").replace("~0", "~"))
        return place

    def steps(self) -> tuple[str, ...]:
        """The keys from the document down to here."""
        keys: list[str] = []
        place = self
        while place.parent is not None:
            keys.append(place.key)
            place = place.parent
        return tuple(reversed(keys))

    def __str__(self) -> str:
        return "".join(f"/{pointer_token(key)}" for key in self.steps())

    def __repr__(self) -> str:
        return repr(str(self))


#: The document itself.
ROOT: Final = Pointer(None, "")


def pointer_token(key: str) -> str:
    """A key as one step of the text of a pointer."""
    return key.replace("~", "~0").replace("/", "~1")
