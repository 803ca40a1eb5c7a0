"""Dealwright: card-game rules compiled to plain, typed, readable Python.

In a checkout this file lives in `.src/dealwright/` and the sources in `compiler/`, `runtime/` and `templates/` at
the root of the repository; the root is put first on the package's search path so that both spell the same names.
In an installed wheel the three folders stand beside this file and nothing has to be done.
"""

from pathlib import Path

__version__ = "0.1.0"

_here = Path(__file__).resolve().parent
if _here.parent.name == ".src":
    __path__.insert(0, str(_here.parent.parent))
