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

_MODULES = frozenset(
    (
        "abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb "
        "binascii bisect builtins bz2 calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys "
        "compileall compression concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses "
        "dataclasses datetime dbm dealwright decimal difflib dis distutils doctest email encodings ensurepip enum errno "
        "faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext "
        "glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress "
        "itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap "
        "modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator "
        "optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath "
        "pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib "
        "resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr "
        "socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep "
        "struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this "
        "threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types "
        "typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib "
        "xml xmlrpc zipapp zipfile zipimport zlib zoneinfo"
    ).split()
)
"""Our own package and the modules of the standard library, of Python 3.11 to 3.14: where packages lie on the path, one of
such a name would stand before the module, and an `import json` anywhere would get the rule. Written out, so that a name
does not depend on the Python that compiles."""


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
    punctuation to that gets hex digits of a hash of its spelling. Keywords and the names of modules get a suffix.

    >>> slug("big-two"), slug("War 2"), slug("7up"), slug("json")
    ('big_two', 'war_2', 'rule_7up', 'json_rule')
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
        if keyword.iskeyword(plain) or keyword.issoftkeyword(plain) or plain in _MODULES
        else plain
    )
