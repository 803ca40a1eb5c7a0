"""Dealwright: card-game rules compiled to plain, typed, readable Python.

In a checkout this file lives in `.src/dealwright/` and the sources in `compiler/`, `runtime/` and `templates/` at
the root of the repository; the root is put first on the package's search path so that both spell the same names.
In an installed wheel the three folders stand beside this file and nothing has to be done.
"""

import os.path

__version__ = "0.1.0"

# without pathlib, which costs more than all else that `dealwright --help` needs of ours
_folder = os.path.dirname(os.path.realpath(__file__))
_above, _name = os.path.split(os.path.dirname(_folder))
if _name == ".src":
    __path__.insert(0, _above)
