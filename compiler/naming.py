"""Original names to Python identifiers, one namespace at a time.

Unicode is normalised to NFKC first, as Python does with identifiers; Chinese stays Chinese; keywords and taken names get
an underscore; other characters become underscores. Where two names would become one, the name whose spelling *is* the
identifier keeps it, and the others get hex digits of a hash of their own spelling: never a counter, so that a new name
renames no other. The result depends on the set of names and the reserved ones only.
"""

from __future__ import annotations

import hashlib
import keyword
import re
import unicodedata
from collections.abc import Iterable

LONGEST = 60
"""Characters of an identifier before any hash; longer names are cut."""


def _is_identifier_part(character: str) -> bool:
    # Unicode 15.1, and so Python 3.13, takes joiners that nobody sees for parts of identifiers
    return f"a{character}".isidentifier() and character.isprintable()


def sanitized(name: str, prefix: str = "") -> str:
    """The identifier nearest to a name; it never begins with an underscore, which is left to ourselves.

    >>> sanitized("倍 数"), sanitized("class"), sanitized("2nd"), sanitized("2nd", "build_")
    ('倍_数', 'class_', 'n2nd', 'build_2nd')
    """
    # putting the marks of a long name in order takes quadratic time, and all but its beginning is cut off anyway
    text = unicodedata.normalize("NFKC", name[: 8 * LONGEST])
    text = "".join(one if _is_identifier_part(one) else "_" for one in text)[:LONGEST]
    # replacing and cutting may leave a text that NFKC composes anew
    text = unicodedata.normalize("NFKC", prefix + text).lstrip("_")
    if not text.isidentifier():
        text = f"n{text}"
    return (
        f"{text}_" if keyword.iskeyword(text) or keyword.issoftkeyword(text) else text
    )


def digest(text: str, digits: int = 4) -> str:
    """The first hex digits of a hash of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:digits]


def identifiers(
    names: Iterable[str], reserved: frozenset[str] = frozenset(), prefix: str = ""
) -> dict[str, str]:
    """An identifier for each name, all different and none reserved.

    Args:
        names: the original spellings; repeated ones count once.
        reserved: identifiers that are taken already.
        prefix: what every identifier begins with, such as `build_`; keywords need no underscore then.
    """
    wanted: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        wanted.setdefault(_with_prefix(prefix, name, reserved), []).append(name)
    taken = set(reserved) | wanted.keys()
    given: dict[str, str] = {}
    for candidate, sharing in wanted.items():
        keeper = next((one for one in sharing if prefix + one == candidate), None)
        if keeper is None and len(sharing) == 1:
            keeper = sharing[0]
        for name in sorted(sharing):
            if name == keeper:
                given[name] = candidate
                continue
            given[name] = _hashed(candidate, name, taken)
            taken.add(given[name])
    return {name: given[name] for name in dict.fromkeys(names)}


def _with_prefix(prefix: str, name: str, reserved: frozenset[str]) -> str:
    text = sanitized(name, prefix)
    while text in reserved:
        text += "_"
    return text


def _hashed(candidate: str, name: str, taken: set[str]) -> str:
    digits = 4
    while (text := f"{candidate}_{digest(name, digits)}") in taken:
        digits += 4
    return text


def slug(stem: str) -> str:
    """The ASCII name of a package, from the stem of its rule file.

    ASCII letters, digits and underscores stay, other runs become one underscore; a stem that loses anything else than
    punctuation to that gets hex digits of a hash of its spelling.

    >>> slug("big-two"), slug("War 2"), slug("7up")
    ('big_two', 'war_2', 'rule_7up')
    """
    text = unicodedata.normalize("NFKC", stem)
    plain = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    if not text.isascii():
        plain = f"{plain or 'rule'}_{digest(stem)}"
    if not plain or not plain[0].isalpha():
        plain = f"rule_{plain}" if plain else "rule"
    if len(plain) > LONGEST:
        plain = f"{plain[:LONGEST]}_{digest(stem)}"
    return (
        f"{plain}_rule"
        if keyword.iskeyword(plain) or keyword.issoftkeyword(plain)
        else plain
    )
