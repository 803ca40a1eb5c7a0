"""Imports a generated package from memory: texts in, a module out; nothing is written to disk.

`play`, the agreement tests and the case files run what the compiler has just made. The package gets a module name of
its own, `war@3`, which no import statement can spell, so that any number of rules with one slug live side by side, in
any threads. This module knows nothing about rules: it takes the texts as `pipeline.build` gives them.
"""

from __future__ import annotations

import itertools
import linecache
import sys
import threading
import weakref
from collections.abc import Mapping, Sequence
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import CodeType, ModuleType
from typing import final

_numbers = itertools.count(1)
_installing = threading.Lock()


def import_package(slug: str, files: Mapping[str, str]) -> ModuleType:
    """The package that `files` make, imported.

    Args:
        slug: the package's name, as in `build/<slug>/`.
        files: relative POSIX path to text, as `pipeline.build(…).files`; `__init__.py` must be among them.

    The modules stay in `sys.modules` only while they are imported: after that the returned module alone keeps them
    alive, and dropping it frees everything. Tracebacks and `linecache` show the generated text.

    Raises:
        ImportError: there is no `__init__.py`, or a module imports what is not there.
        Exception: whatever the package raises while it is imported.
    """
    name = f"{slug}@{next(_numbers)}"
    package = _Package(name, files)
    finder = _finder()
    finder.packages[name] = package
    try:
        module = __import__(name)
    finally:
        finder.packages.pop(name, None)
        for loaded in [name, *package.modules]:
            sys.modules.pop(loaded, None)
    # what linecache has kept of the texts for a traceback goes with the package
    weakref.finalize(
        module, _forget, tuple(package.filename(one) for one in package.modules)
    )
    return module


def _forget(filenames: tuple[str, ...]) -> None:
    for filename in filenames:
        linecache.cache.pop(filename, None)


@final
class _Package(InspectLoader):
    """The loader of one package's modules; `modules` maps each full module name to the path of its text."""

    def __init__(self, name: str, files: Mapping[str, str]) -> None:
        self.name = name
        self.files = dict(files)
        self.modules = {
            _module_name(name, path): path for path in files if path.endswith(".py")
        }

    def filename(self, fullname: str) -> str:
        """What tracebacks show. It is unique to this package, since linecache knows texts by file name alone."""
        return f"{self.name}/{self.modules[fullname]}"

    def is_package(self, fullname: str) -> bool:
        """Whether the module is an `__init__.py`."""
        return self.modules[fullname].rpartition("/")[2] == "__init__.py"

    def get_source(self, fullname: str) -> str:
        """The generated text, for the import itself and for linecache."""
        return self.files[self.modules[fullname]]

    def get_code(self, fullname: str) -> CodeType:
        """The compiled text; `from __future__` of this file must not leak into it."""
        return compile(
            self.get_source(fullname),
            self.filename(fullname),
            "exec",
            dont_inherit=True,
        )


def _module_name(package: str, path: str) -> str:
    parts = path.removesuffix(".py").split("/")
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join([package, *parts])


@final
class _Finder(MetaPathFinder):
    """Finds the modules of the packages that are being imported right now."""

    def __init__(self) -> None:
        self.packages: dict[str, _Package] = {}

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """The spec of one of our modules, or None for everybody else's."""
        package = self.packages.get(fullname.partition(".")[0])
        if package is None or fullname not in package.modules:
            return None
        return spec_from_loader(fullname, package, origin=package.filename(fullname))


def _finder() -> _Finder:
    """The one finder of this process.

    It stays on `sys.meta_path` for good: taking it off while another thread walks that list would make the other thread
    skip an entry.
    """
    with _installing:
        for finder in sys.meta_path:
            if isinstance(finder, _Finder):
                return finder
        made = _Finder()
        sys.meta_path.append(made)
        return made
