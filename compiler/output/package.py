"""Brings a package folder on disk up to date: writes what changed, removes what is stale, or only shows the difference.

In: a folder and the texts that belong there. Only files that carry our header (or are an empty `py.typed`) are ever
replaced or removed, besides compiled modules that `native.txt` lists; a folder that holds anything else is left alone
altogether. Compiled modules stay only as long as they are of the sources beside them. Knows nothing about rules.
"""

from __future__ import annotations

import difflib
import io
import os
import re
import shutil
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Final, final

from dealwright.compiler.output import native_files

GENERATED = "# @generated"
"""How the first line of every generated module begins."""

_FORGOTTEN = 3600
"""Seconds after which an unfinished file is nobody's work any more."""

_FROM = f"{GENERATED} from "
_BY = " by "
_UNFINISHED = ".dealwright-new"
_NOTHING: Final[Mapping[str, bytes]] = MappingProxyType({})
# the whole first line: other generators say "@generated" too
_HEADER = re.compile(
    rb"# @generated from [^\n]* by (dealwright|`dealwright build`); do not edit\."
)


@final
class NotOurs(Exception):
    """A folder that we may not write to. `path` is the file or folder that stands in the way."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: {why}; nothing was written there")
        self.path = path


@final
@dataclass(frozen=True, slots=True)
class Changes:
    """What `write` did, or with `check` would do; paths are relative to the folder, with `/`, sorted.

    `diff` is the unified diff from what was there to what is wanted, "" if nothing differs.
    """

    written: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: tuple[str, ...]
    diff: str

    def __bool__(self) -> bool:
        return bool(self.written or self.removed)


def write(
    directory: Path,
    files: Mapping[str, str],
    check: bool = False,
    compiled: Mapping[str, bytes] = _NOTHING,
) -> Changes:
    """Makes the folder hold exactly `files`, and compiled modules of just these files, if there are some.

    Args:
        directory: the package's folder, `build/war`; made if it is missing.
        files: relative POSIX path to text.
        check: change nothing, only tell what would change.
        compiled: modules compiled from `files`, with their list (`native.compile_packages`); without any, those that
            are there stay if they were compiled from `files`.

    Each file is replaced in one step, so that a reader sees the old text or the new one. `files` empty removes the
    package, folder and all.

    Raises:
        NotOurs: the folder holds something that we have not generated.
        ValueError: a path in `files` leads out of the folder.
        OSError: the disk says no.
    """
    for path in files:
        _inside(path)
    present = _read(directory)
    wanted = {path: text.encode("utf-8") for path, text in files.items()}
    wanted |= compiled or native_files.fitting(present, files)
    written = sorted(path for path, data in wanted.items() if present.get(path) != data)
    removed = sorted(present.keys() - wanted.keys())
    if not check:
        # Python prefers objects to sources: those of other sources must be gone before new sources are there. And the
        # list must be there before what it lists: an object that is on no list would be taken for somebody else's.
        for path in filter(native_files.is_object, sorted({*written, *removed})):
            (directory / path).unlink(missing_ok=True)
        for path in sorted(
            written, key=lambda path: (native_files.is_object(path), path)
        ):
            _replace(directory / path, wanted[path])
        for path in removed:
            (directory / path).unlink(missing_ok=True)
        _tidy(directory)
    return Changes(
        written=tuple(written),
        removed=tuple(removed),
        unchanged=tuple(sorted(wanted.keys() - set(written))),
        diff="".join(
            _diff(directory.name, path, present.get(path), wanted.get(path))
            for path in sorted({*written, *removed})
        ),
    )


def is_compiled(directory: Path, files: Mapping[str, str]) -> bool:
    """Whether the folder holds modules compiled from `files` for the Python that runs.

    Raises:
        NotOurs: the folder holds something that we have not generated.
    """
    suffix = EXTENSION_SUFFIXES[0]
    return any(
        path.endswith(suffix) for path in native_files.fitting(_read(directory), files)
    )


def orphans(directory: Path, sources: str, known: Collection[str]) -> list[Path]:
    """Packages in `directory` whose rule file is gone.

    Args:
        directory: where the packages are, `build`.
        sources: the folder of rule files as headers spell it, `rules`.
        known: names of the rule files that are there, `war.json`.

    A package counts if everything in it is ours and its header names a file directly in `sources` that is not in
    `known`.
    """
    if not directory.is_dir():
        return []
    folders = sorted(
        one for one in directory.iterdir() if one.is_dir() and not one.is_symlink()
    )
    return [one for one in folders if _is_orphan(one, sources, known)]


def _is_orphan(folder: Path, sources: str, known: Collection[str]) -> bool:
    source = source_of(folder)
    if source is None:
        return False
    path = PurePosixPath(source)
    if path.parent.as_posix() != sources or path.name in known:
        return False
    try:
        _read(folder)
    except NotOurs:
        return False
    return True


def source_of(folder: Path) -> str | None:
    """The rule file that the header of a package's `__init__.py` names, or None if that is no file of ours."""
    try:
        with open(folder / "__init__.py", encoding="utf-8") as file:
            head = file.readline()
    except (OSError, UnicodeDecodeError):
        return None
    if not head.startswith(_FROM):
        return None
    return head.removeprefix(_FROM).rpartition(_BY)[0] or None


def _inside(path: str) -> None:
    parts = path.split("/")
    if "\\" in path or ":" in path or any(part in ("", ".", "..") for part in parts):
        raise ValueError(f"{path!r} is no path inside a package")


def _read(directory: Path) -> dict[str, bytes]:
    """Everything in the folder, by relative path; Python's caches left out.

    Raises:
        NotOurs: something there is not ours.
    """
    if directory.is_symlink() or (directory.exists() and not directory.is_dir()):
        raise NotOurs(
            directory,
            "is not a folder of generated files; choose another output folder, or move it away",
        )
    found: dict[str, bytes] = {}
    listed = _list_in(directory)
    for path in _walk(directory):
        if _is_unfinished(path.name) and not path.is_symlink():
            if _is_old(path):
                found[path.relative_to(directory).as_posix()] = b""
            continue  # another process is at it
        data = b"" if path.is_symlink() else path.read_bytes()
        if not _is_ours(path, data) and not (
            path.parent == directory and native_files.is_listed(path.name, data, listed)
        ):
            raise NotOurs(
                path,
                "was not generated by dealwright; choose another output folder, or move it away",
            )
        found[path.relative_to(directory).as_posix()] = data
    return found


def _list_in(directory: Path) -> bytes:
    """The list of compiled modules; nothing if there is none of ours."""
    path = directory / native_files.LIST
    if path.is_symlink() or not path.is_file():
        return b""
    text = path.read_bytes()
    return text if _is_ours(path, text) else b""


def _walk(directory: Path) -> Iterator[Path]:
    for folder, subfolders, names in os.walk(directory):
        # a link to a folder is listed among the subfolders but not entered: it is judged like a file
        yield from (
            Path(folder, one) for one in subfolders if Path(folder, one).is_symlink()
        )
        subfolders[:] = sorted(one for one in subfolders if one != "__pycache__")
        yield from (Path(folder, one) for one in sorted(names))


def _is_old(path: Path) -> bool:
    """Whether an unfinished file was left by a call that did not end well."""
    try:
        return time.time() - path.stat().st_mtime > _FORGOTTEN
    except FileNotFoundError:
        return False


def _is_ours(path: Path, data: bytes) -> bool:
    if path.is_symlink():
        return False
    if path.name == "py.typed":
        return not data.strip()
    return _HEADER.match(data) is not None or _is_unfinished(path.name)


def _is_unfinished(name: str) -> bool:
    """Whether this is the name of a file that some call of `write` is about to put in place, or once was."""
    return name.startswith(".") and name.endswith(_UNFINISHED)


def _replace(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.{os.getpid()}{_UNFINISHED}")
    try:
        new.write_bytes(data)
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)


def _tidy(directory: Path) -> None:
    """Removes folders that hold nothing but Python's caches, the package's own folder included."""
    for folder, _, names in os.walk(directory, topdown=False):
        path = Path(folder)
        if path.name == "__pycache__" or names:
            continue
        left = [one for one in path.iterdir() if one.name != "__pycache__"]
        if not left:
            shutil.rmtree(path, ignore_errors=True)


def _diff(package: str, path: str, before: bytes | None, after: bytes | None) -> str:
    old = "/dev/null" if before is None else f"a/{package}/{path}"
    new = "/dev/null" if after is None else f"b/{package}/{path}"
    if native_files.is_object(path):
        return f"Binary files {old} and {new} differ\n"
    lines = list(difflib.unified_diff(_lines(before), _lines(after), old, new))
    if not lines:
        # the file comes or goes, but has no lines to show
        return f"--- {old}\n+++ {new}\n"
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in lines
    )


def _lines(data: bytes | None) -> list[str]:
    if data is None:
        return []
    # not splitlines: form feeds and U+2028 end no line of a diff
    return list(io.StringIO(data.decode("utf-8", "backslashreplace"), newline="\n"))
