"""Imports rules: after `install("rules")`, `import war` compiles `rules/war.json` in memory.

For notebooks and tests, and only where somebody asks for it. The finder stands last, so a rule file never takes the
place of a module that can be found otherwise (and a package in `build/` that is on the path wins over its rule).
Nothing is kept on disk: every process compiles anew, and so does `importlib.reload` after the rule file was edited.
This module knows nothing about rules: it takes the texts as `pipeline.build` gives them.
"""

from __future__ import annotations

import linecache
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final, final

from dealwright.compiler.emit.naming import slug

_installing: Final = threading.Lock()


def install(*folders: str | os.PathLike[str]) -> None:
    """Lets import statements find the rule files in these folders, after those of earlier calls.

    A rule file is found by the name that its package would have: `rules/big-two.json` as `big_two`. The import raises
    `CompileError` with the text of all errors if the rule is refused, `ImportError` if two files of a folder have one
    name. Warnings are left to `dealwright check`.

    Raises:
        NotADirectoryError: one of the folders is not there; none is taken then.
    """
    given = [Path(one) for one in folders]
    for one in given:
        if not one.is_dir():
            raise NotADirectoryError(f"{one} is no folder of rule files")
    with _installing:
        finder = _finder()
        # a new dict: another thread may be looking through the old one
        finder.folders = {**finder.folders, **{one.absolute(): one for one in given}}


def uninstall() -> None:
    """Undoes all calls of `install`, and forgets the modules that were imported by it."""
    with _installing:
        _finder().folders = {}
        for name, module in list(sys.modules.items()):
            if isinstance(getattr(module, "__loader__", None), _RuleLoader):
                sys.modules.pop(name, None)


@final
class _Finder(MetaPathFinder):
    """Finds rule files, and the modules of packages made from them.

    `folders` maps each folder, absolute so that it outlives a change of the working directory, to how it was given.
    """

    def __init__(self) -> None:
        self.folders: dict[Path, Path] = {}

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """The spec of a rule or of a module within one, or None for everybody else's.

        Nothing is compiled yet, but for a reload: importlib gives the module its new loader before that runs, and a
        rule that is refused must leave what was imported as it is.

        Raises:
            CompileError: the rule of a package that is being reloaded is refused.
            ImportError: two files of a folder have this name.
        """
        root = fullname.partition(".")[0]
        if root == fullname:
            loader: object = self._loader(fullname)
        else:
            # the texts of the package that is imported, even if its file has changed since
            loader = getattr(sys.modules.get(root), "__loader__", None)
        if not isinstance(loader, _RuleLoader) or not loader.has(fullname):
            return None
        if target is not None:
            loader.compile()
        return spec_from_loader(fullname, loader, origin=loader.filename(fullname))

    def _loader(self, name: str) -> _RuleLoader | None:
        for folder, given in self.folders.items():
            # the folder is read each time: the file may have come since the last import
            files = sorted(
                one for one in folder.glob("*.json") if slug(one.stem) == name
            )
            if len(files) > 1:
                names = " and ".join(str(given / one.name) for one in files)
                raise ImportError(
                    f"{names} would both be the package {name!r}; rename one of the files",
                    name=name,
                )
            if files:
                return _RuleLoader(name, files[0], str(given / files[0].name))
        return None


@final
class _RuleLoader(InspectLoader):
    """The loader of one rule's package; it compiles once, when its first text is asked for."""

    def __init__(self, name: str, file: Path, shown: str) -> None:
        self.name = name
        self.file = file
        self.shown = shown

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The text of each module by its full name.

        Raises:
            CompileError: the rule is refused.
            OSError: the file cannot be read.
        """
        # compiling takes a while to import: only those who import a rule pay for it
        from dealwright.compiler import pipeline
        from dealwright.compiler.reading.source import read_limited

        built = pipeline.build(read_limited(self.file), self.shown)
        return {
            _module_name(self.name, path): text
            for path, text in built.files.items()
            if path.endswith(".py")
        }

    def compile(self) -> None:
        """Makes sure that there are texts; raises what `texts` raises."""
        _ = self.texts

    def has(self, fullname: str) -> bool:
        """Whether there is such a module; for the package itself nothing is compiled."""
        return fullname == self.name or fullname in self.texts

    def filename(self, fullname: str) -> str:
        """What tracebacks show, `rules/war.json/match.py`; there can be no such file."""
        module = fullname[len(self.name) + 1 :] or "__init__"
        return f"{self.file}/{module.replace('.', '/')}.py"

    def is_package(self, fullname: str) -> bool:
        """Whether the module is the package itself; generated packages have no others in them."""
        return fullname == self.name

    def get_source(self, fullname: str) -> str:
        """The generated text, for the import itself and for linecache."""
        if not self.has(fullname):
            raise ImportError(f"{self.shown} has no module {fullname}", name=fullname)
        return self.texts[fullname]

    def get_code(self, fullname: str) -> CodeType:
        """The compiled text; `from __future__` of this file must not leak into it."""
        return compile(
            self.get_source(fullname),
            self.filename(fullname),
            "exec",
            dont_inherit=True,
        )

    def exec_module(self, module: ModuleType) -> None:
        """Runs the module; that of a package brings its modules up to date too, for `importlib.reload`."""
        name = module.__name__
        code = self.get_code(name)
        if name == self.name:
            inside = [one for one in sys.modules if one.startswith(f"{name}.")]
            for one in inside:
                sys.modules.pop(one, None)
                # or `from . import cards` of a reload would find the old module
                module.__dict__.pop(one[len(name) + 1 :], None)
            for one in self.texts:
                # lines of the package before it was reloaded
                linecache.cache.pop(self.filename(one), None)
        # there is no such file, but by this name `inspect` and notebooks ask for the text
        module.__file__ = self.filename(name)
        exec(code, module.__dict__)


def _module_name(package: str, path: str) -> str:
    parts = path.removesuffix(".py").split("/")
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join([package, *parts])


def _finder() -> _Finder:
    """The one finder of this process; the caller holds the lock.

    It stays on `sys.meta_path` for good, after `uninstall` without folders: taking it off while another thread walks
    that list would make the other thread skip an entry.
    """
    for finder in sys.meta_path:
        if isinstance(finder, _Finder):
            return finder
    made = _Finder()
    sys.meta_path.append(made)
    return made
