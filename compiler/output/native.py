"""Compiles generated packages with mypyc: the same sources, as shared objects that Python prefers to them.

Everything happens in a temporary folder, since mypyc and setuptools write beside what they compile: the sources are
copied there, with the runtime for mypy to look at, and a process of its own runs both tools. What comes back are the
objects, as bytes; `package.write` puts them into the folder of the package. Nothing is rewritten but what tells mypyc
to leave a class alone, and no line moves, so that tracebacks show the lines of the generated files.

Compiled are all modules but `__init__.py`, as one group, so that they call each other and read cards without Python. The
runtime stays as it is, for all packages the same. Players, tables and cards that a rule assigns to build on classes with
slots, which compiled classes cannot do: they stay classes of Python, with compiled methods.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Final, TypeAlias, final

import dealwright
from dealwright.compiler.output.native_files import LIST, is_object, listing

Texts: TypeAlias = Mapping[str, str]

EXTRA: Final = "pip install 'dealwright[native]'"

# slots of a base would lie where a compiled class keeps its own attributes; that a class has the metaclass that it has
# anyway is what tells mypyc to make it as Python does
_SLOTTED: Final = re.compile(
    r"^(class \w+\((?:AssignableCard|PlayerBase|TableBase))\):$", re.MULTILINE
)
# mypyc looks a base class up in the module that defines it, and forgets to import that; on one line, or all lines move
_FUTURE: Final = "from __future__ import annotations\n"
_IMPORTS: Final = (
    "from __future__ import annotations; "
    "import dealwright.runtime.objects; import dealwright.runtime.play\n"
)

_SETUP: Final = '''\
"""Compiles the packages that plan.json lists."""

import json
import os

from setuptools import setup

from mypyc.build import mypycify

with open("plan.json", encoding="utf-8") as file:
    plan = [(paths, name) for paths, name in json.load(file)]
generated = os.path.abspath("c")
os.chdir("src")  # paths are shown in tracebacks as they are spelt here
modules = mypycify(
    # no configuration of the user's has a say
    ["--config-file=", "--cache-dir=../cache", *(path for paths, _ in plan for path in paths)],
    opt_level=os.environ.get("MYPYC_OPT_LEVEL", "3"),  # what the command `mypyc` reads
    debug_level="0",
    target_dir=generated,
    **({"group_name": plan[0][1]} if len(plan) == 1 else {"separate": plan}),
)
os.chdir("..")
parts = ["--build-lib=lib", "--build-temp=temp", f"--parallel={os.cpu_count() or 1}"]
setup(name="packages", ext_modules=modules, script_args=["build_ext", *parts])
'''


@final
class NotCompiled(Exception):
    """There are no compiled modules. `code` says why: "no_mypyc", "no_c_compiler" or "native_failed"."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(f"{code}: {sentence}")
        self.code = code


def compile_packages(packages: Mapping[Path, Texts]) -> dict[Path, dict[str, bytes]]:
    """The compiled modules of some packages.

    Args:
        packages: the folder that each package is imported from, and its files. A folder may lie in another package:
            compiled modules know the full name that they are imported by.

    Returns:
        For each folder the files to add: the objects and `native.txt`.

    Raises:
        NotCompiled: a tool is missing or fails.
        OSError: the temporary folder cannot be written.
    """
    require_tools()
    if not packages:
        return {}
    with tempfile.TemporaryDirectory(prefix="dealwright-native-") as temporary:
        stage = Path(temporary)
        names = {folder: _full_name(folder) for folder in packages}
        shutil.copytree(_runtime(), stage / "src" / "dealwright" / "runtime")
        for empty in ("__init__.py", "py.typed"):
            (stage / "src" / "dealwright" / empty).touch()
        plan = [
            (_put(texts, stage / "src", names[folder]), f"{names[folder]}.native")
            for folder, texts in packages.items()
        ]
        (stage / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
        (stage / "setup.py").write_text(_SETUP, encoding="utf-8")
        _run(stage)
        return {
            folder: _taken(texts, stage / "lib" / _path(names[folder]))
            for folder, texts in packages.items()
        }


def require_tools() -> None:
    """Do nothing if mypyc and a C compiler are at hand.

    Raises:
        NotCompiled: "no_mypyc" or "no_c_compiler".
    """
    for module in ("mypyc", "setuptools"):
        if importlib.util.find_spec(module) is None:
            raise NotCompiled(
                "no_mypyc", f"{module} is not installed; run: {EXTRA}, and try again"
            )
    if os.name != "posix":
        return  # setuptools knows where to look, and says so
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    compiler = shlex.split(command)[0]
    if shutil.which(compiler) is None:
        raise NotCompiled(
            "no_c_compiler",
            f"there is no C compiler ({compiler}); install one (on Debian `apt install gcc`, on macOS "
            "`xcode-select --install`), or name yours in CC",
        )
    header = Path(sysconfig.get_path("include"), "Python.h")
    if not header.is_file():
        raise NotCompiled(
            "no_c_compiler",
            f"Python's C headers are missing ({header}); install them (on Debian `apt install python3-dev`)",
        )


def _runtime() -> Path:
    """The folder of the runtime that is imported here."""
    spec = importlib.util.find_spec("dealwright.runtime")
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent


def _full_name(folder: Path) -> str:
    """What a package is imported as: its folder's name, after those of the packages that the folder lies in."""
    folder = folder.resolve()
    names = [folder.name]
    for parent in folder.parents:
        if not (parent / "__init__.py").is_file():
            break
        names.append(parent.name)
    return ".".join(reversed(names))


def _path(name: str) -> Path:
    return Path(*name.split("."))


def _put(texts: Texts, sources: Path, name: str) -> list[str]:
    """Copy a package to where it is compiled; the modules to compile, relative to `sources`."""
    folder = sources / _path(name)
    folder.mkdir(parents=True, exist_ok=True)
    for parent in folder.parents:
        if parent == sources:
            break
        (parent / "__init__.py").touch()
    modules = []
    for path, text in texts.items():
        (folder / path).write_text(_for_mypyc(text), encoding="utf-8")
        if path.endswith(".py") and path != "__init__.py":
            modules.append((folder / path).relative_to(sources).as_posix())
    return modules


def _for_mypyc(text: str) -> str:
    """A generated module as mypyc gets it."""
    return _SLOTTED.sub(r"\1, metaclass=type):", text.replace(_FUTURE, _IMPORTS, 1))


def _run(stage: Path) -> None:
    """Run mypyc and the C compiler.

    Raises:
        NotCompiled: "native_failed", with the end of what they said.
    """
    environment = {
        name: value for name, value in os.environ.items() if name != "MYPYPATH"
    }
    # relative entries would mean other folders there
    environment["PYTHONPATH"] = os.pathsep.join(
        os.path.abspath(folder) for folder in sys.path
    )
    done = subprocess.run(
        [sys.executable, "setup.py"],
        cwd=stage,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="backslashreplace",
    )
    if done.returncode:
        lines = [line for line in done.stdout.splitlines() if line.strip()]
        errors = [line for line in lines if "error" in line.lower()] or lines
        raise NotCompiled(
            "native_failed",
            "mypyc or the C compiler failed, and said at the end:\n"
            + "\n".join(f"  {line}" for line in errors[-5:]),
        )


def _taken(texts: Texts, folder: Path) -> dict[str, bytes]:
    """The compiled modules in the folder, with their list."""
    objects = {
        path.name: path.read_bytes()
        for path in sorted(folder.iterdir())
        if is_object(path.name)
    }
    tag = sys.implementation.cache_tag or sys.implementation.name
    tools = (
        f"mypyc {version('mypy')} for {tag} on {sysconfig.get_platform()}, "
        f"dealwright {dealwright.__version__}"
    )
    return {**objects, LIST: listing(texts, objects, tools).encode("utf-8")}
