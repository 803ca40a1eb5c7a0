"""Compiles one rule in a process that has compiled nothing yet, and prints the CPU seconds that it took.

Every module that compiling needs is imported first. A second compilation in the same process would find caches full,
which nobody who runs `dealwright build` has.
"""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Final

from dealwright import compiler
from dealwright.compiler import pipeline

TOOLS: Final = ("black", "jinja2", "libcst")


def main(path: Path) -> None:
    """Compile the rule file at `path`."""
    for tool in TOOLS:
        import_module(tool)
    prefix = f"{compiler.__name__}."
    for module in pkgutil.walk_packages(compiler.__path__, prefix):
        # the hook for hatch needs hatch, and compiles nothing by itself
        if module.name != f"{prefix}hatch_hook":
            import_module(module.name)
    data = path.read_bytes()
    start = process_time()
    pipeline.build(data, f"rules/{path.name}")
    print(process_time() - start)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
