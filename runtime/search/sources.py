"""The generated classes and judgement of a package as Python runs them, where the package itself is compiled.

Compiled code takes nothing but real cards and integers. The sources lie beside it and say the same, so what a rule asks of
cards is found out from these.
"""

from __future__ import annotations

import sys
from importlib.machinery import EXTENSION_SUFFIXES, SourceFileLoader
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Final

_MAKING: Final = Lock()
"""While modules are made, they stand among those that are imported, for the imports in them."""
MODULES: Final = ("classes", "cardsets")
"""In this order: the second imports names of the first, the first only the second itself."""


def is_compiled(root: str) -> bool:
    """Whether the package that is imported by this name has compiled modules."""
    judgement = sys.modules.get(f"{root}.cardsets")
    path = getattr(judgement, "__file__", None)
    return path is not None and path.endswith(tuple(EXTENSION_SUFFIXES))


def sources_of(root: str) -> dict[str, ModuleType] | None:
    """The modules that judge cards, made anew from their sources, of which it is taken for granted that they were compiled.

    Args:
        root: what the package is imported by.

    Returns:
        None if they are not there, or cannot be imported.

    Raises:
        RecursionError: the stack is full.
    """
    folder = Path(sys.modules[f"{root}.cardsets"].__file__ or "").parent
    with _MAKING:
        return _made(folder, f"{root} of the sources")


def _made(folder: Path, apart: str) -> dict[str, ModuleType] | None:
    """The modules in this folder, of a package that no statement can import, since its name has blanks."""
    package = ModuleType(apart)
    package.__path__ = []
    made = {name: ModuleType(f"{apart}.{name}") for name in MODULES}
    sys.modules[apart] = package
    for name, module in made.items():
        module.__package__ = apart
        setattr(package, name, module)
        sys.modules[module.__name__] = module
    try:
        for name, module in made.items():
            loader = SourceFileLoader(module.__name__, str(folder / f"{name}.py"))
            loader.exec_module(module)
    except RecursionError:
        raise  # another time it would be different
    except Exception:  # somebody has changed them, or taken them away
        return None
    finally:
        for module in (package, *made.values()):
            del sys.modules[module.__name__]
    return made
