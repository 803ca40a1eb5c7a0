"""A build hook for hatchling: the wheel of somebody's own project holds packages compiled from rule files.

In: the hook's table of the project's `pyproject.toml`, as hatchling gives it. Out: the generated files in a temporary
folder and, in hatchling's build data, where each belongs in the wheel; nothing is written to the source tree. Only
hatchling imports this module, which it finds by the entry point group `hatch`; `hatchling` itself is no dependency of
`dealwright`, since whoever calls the hook has it. Compiling is imported late: hatchling imports all plugins there are,
for projects that have no rules too.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final, final

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.plugin import hookimpl

if TYPE_CHECKING:
    from dealwright.compiler.pipeline import Built

_OPTIONS: Final = frozenset({"rules", "output"})
# what hatchling itself reads from the table of any hook
_HATCHLINGS: Final = frozenset(
    {
        "dependencies",
        "enable-by-default",
        "require-runtime-dependencies",
        "require-runtime-features",
    }
)


class _Refused(Exception):
    """What is wrong with the configuration or with a rule, for the person who builds."""


@final
class DealwrightBuildHook(BuildHookInterface[BuilderConfig]):
    """The hook `dealwright`: compiles rules whenever a wheel is built.

    Options: `rules`, a list of rule files and folders of `*.json`, relative to the project; `output`, the folder of the
    wheel that the packages go into, `"."` for its top. An sdist carries the rule files themselves.
    """

    PLUGIN_NAME = "dealwright"

    _folder: tempfile.TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile all rules and tell hatchling where the files belong; ends the build if anything is wrong."""
        if self.target_name != "wheel":
            return
        try:
            rules, output = _options(self.config)
            packages = _compiled(Path(self.root), rules, self.app.display_warning)
        except _Refused as problem:
            self.app.abort(f"dealwright: {problem}")
            raise  # for an application whose abort returns
        except OSError as problem:
            from dealwright.compiler.diagnostics.reporter import system_reason

            self.app.abort(
                f"dealwright: cannot read {system_reason(problem)}; correct the option 'rules', or the file's permissions"
            )
            raise
        self._folder = tempfile.TemporaryDirectory(prefix="dealwright-")
        for slug, built in packages.items():
            for path, text in built.files.items():
                source = Path(self._folder.name, slug, path)
                source.parent.mkdir(parents=True, exist_ok=True)
                source.write_bytes(text.encode("utf-8"))
                # file by file: of a folder hatchling would not know which files of the tree it replaces
                build_data["force_include"][str(source)] = str(output / slug / path)

    def finalize(
        self, version: str, build_data: dict[str, Any], artifact_path: str
    ) -> None:
        """Remove the temporary folder."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


@hookimpl
def hatch_register_build_hook() -> type[DealwrightBuildHook]:
    """What hatchling calls to learn of the hook."""
    return DealwrightBuildHook


def _options(config: Mapping[str, Any]) -> tuple[list[str], PurePosixPath]:
    unknown = sorted(config.keys() - _OPTIONS - _HATCHLINGS)
    if unknown:
        raise _Refused(
            f"the hook has no option {unknown[0]!r}; it has 'rules' and 'output'"
        )
    rules = config.get("rules")
    if (
        not isinstance(rules, list)
        or not rules
        or not all(isinstance(one, str) for one in rules)
    ):
        raise _Refused(
            "the option 'rules' must be a list of rule files and folders, as [\"rules\"]"
        )
    output = config.get("output")
    if not isinstance(output, str) or not output:
        raise _Refused(
            'the option \'output\' must be a folder of the wheel, as "my_game/rules", or "." for its top'
        )
    folder = PurePosixPath(output)
    if folder.is_absolute() or ".." in folder.parts or "\\" in output or ":" in output:
        raise _Refused(
            f"the option 'output' must be a folder inside the wheel, not {output!r}"
        )
    return rules, folder


def _compiled(
    root: Path, rules: list[str], warn: Callable[[str], object]
) -> dict[str, Built]:
    """The packages by name; warnings are told, errors are told for all rules at once."""
    from dealwright.compiler import pipeline
    from dealwright.compiler.diagnostics.reporter import MORE, CompileError, Severity
    from dealwright.compiler.reading.source import read_limited

    packages: dict[str, Built] = {}
    shown: dict[str, str] = {}
    errors: list[str] = []
    for file in _rule_files(root, rules):
        path = _header_path(root, file)
        try:
            built = pipeline.build(read_limited(file), path)
        except CompileError as problem:
            errors.append(str(problem))
            continue
        for one in built.reporter.diagnostics():
            if one.severity is Severity.WARNING or one.code == MORE:
                warn(one.text())
        if built.slug in packages:
            errors.append(
                f"{shown[built.slug]} and {path} would both be the package {built.slug!r}; rename one of the files"
            )
        packages[built.slug] = built
        shown[built.slug] = path
    if errors:
        raise _Refused("rules have errors; no wheel was built\n" + "\n".join(errors))
    return packages


def _rule_files(root: Path, rules: list[str]) -> Iterator[Path]:
    """The files that the option names; those of a folder in the order of their names, each file once."""
    seen: set[Path] = set()
    for rule in rules:
        path = root / rule
        inside = sorted(path.glob("*.json")) if path.is_dir() else [path]
        if not inside:
            raise _Refused(
                f"no *.json in {rule}; the option 'rules' must name rule files, or folders that hold some"
            )
        for file in inside:
            if file.resolve() not in seen:
                seen.add(file.resolve())
                yield file


def _header_path(root: Path, file: Path) -> str:
    """The path within the project, as `dealwright build` writes it, so that both give the same bytes."""
    full, base = file.resolve(), root.resolve()
    return full.relative_to(base).as_posix() if full.is_relative_to(base) else full.name
