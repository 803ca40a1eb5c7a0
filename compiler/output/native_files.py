"""Which files of a package's folder are compiled modules of ours, and whether they still belong to its sources.

Shared objects carry no header, so a list stands beside them, `native.txt`: it has the header of everything generated, a
digest of the sources that they were compiled from, and one of each object. An object that is not listed there with its
digest is somebody else's. Python takes an object rather than the source beside it, hence objects of other sources must
go before new sources come.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Final

LIST: Final = "native.txt"
"""The file that lists the compiled modules of a package."""

_OBJECT: Final = re.compile(r"[^/\\]+\.(so|pyd)")
_LINE: Final = re.compile(r"(?P<digest>[0-9a-f]{64})  (?P<name>[^/\\]+)")
_SOURCES: Final = "(sources)"


def is_object(path: str) -> bool:
    """Whether a file of a package can be a compiled module, by its name."""
    return _OBJECT.fullmatch(path) is not None


def listing(texts: Mapping[str, str], objects: Mapping[str, bytes], tools: str) -> str:
    """The text of `native.txt`.

    Args:
        texts: the package's files as `pipeline.build` gives them.
        objects: the compiled modules, file name to content.
        tools: what they were compiled with, for people.
    """
    header = texts["__init__.py"].partition("\n")[0]
    lines = [f"{_digest_of(texts)}  {_SOURCES}"]
    lines += [f"{_digest(data)}  {name}" for name, data in sorted(objects.items())]
    return "\n".join([header, f"# compiled with {tools}", *lines, ""])


def listed(text: bytes) -> Mapping[str, str]:
    """The digests in a `native.txt`, by file name; nothing for a text that is none."""
    found: dict[str, str] = {}
    for line in text.decode("utf-8", "replace").split("\n"):
        match = _LINE.fullmatch(line)
        if match:
            found[match["name"]] = match["digest"]
    return found


def is_listed(name: str, data: bytes, text: bytes) -> bool:
    """Whether a `native.txt` lists this object with this content."""
    return is_object(name) and listed(text).get(name) == _digest(data)


def fitting(present: Mapping[str, bytes], texts: Mapping[str, str]) -> dict[str, bytes]:
    """The compiled modules of a folder, with their list, if they are all there and were made of these texts; else nothing.

    Args:
        present: the files of the folder that are ours.
        texts: what the package should consist of.
    """
    digests = dict(listed(present.get(LIST, b"")))
    if digests.pop(_SOURCES, None) != _digest_of(texts):
        return {}
    if any(
        _digest(present.get(name, b"")) != digest for name, digest in digests.items()
    ):
        return {}
    return {name: present[name] for name in (*digests, LIST)}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _digest_of(texts: Mapping[str, str]) -> str:
    sources = hashlib.sha256()
    for path, text in sorted(texts.items()):
        data = text.encode("utf-8")
        # with its length before it, no text can pass for another's end
        sources.update(f"{path} {len(data)}\n".encode() + data)
    return sources.hexdigest()
