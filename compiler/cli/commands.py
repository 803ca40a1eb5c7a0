"""The command line: `dealwright build`, `check`, `explain`, `adopt`, `schema` and `play`.

Messages for people go to stderr, results to stdout. Exit codes: 0 fine, 1 a rule has errors or a check failed, 2 wrong
usage. What is slow to import (black, libcst, jinja2, rich) is imported inside the commands that need it, so that
`dealwright --help` answers at once.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, TypeAlias

import click

import dealwright
from dealwright.compiler.adopt.command import adopt_command
from dealwright.compiler.cli.explain import explain_command
from dealwright.compiler.cli.group import FAILED, CommandLine
from dealwright.compiler.cli.native import compile_written, not_compiled
from dealwright.compiler.cli.rules import declared, fail, read
from dealwright.compiler.diagnostics.text import counted_noun, system_reason
from dealwright.compiler.paths import FilePath, header_path, project_root
from dealwright.compiler.verify.option import (
    VerifyingCommand,
    seconds_of,
    verify_option,
)

if TYPE_CHECKING:
    from pathlib import Path

    from dealwright.compiler.diagnostics.reporter import Diagnostic
    from dealwright.compiler.output.package import Changes
    from dealwright.compiler.pipeline import Built
    from dealwright.compiler.report.checked import Checked

    Packages: TypeAlias = list[tuple[Path, Built]]

_MANY_OBJECTS = 100_000
_OUTPUT = "build"

RULES = click.argument(
    "rules",
    metavar="RULE...",
    nargs=-1,
    required=True,
    type=FilePath(exists=True, readable=False),
)
PLAYERS = click.option(
    "--players",
    type=click.IntRange(1),
    metavar="N",
    help="Number of players, for rules that do not state it.",
)


@click.group(
    cls=CommandLine,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(dealwright.__version__, prog_name="dealwright")
def main() -> None:
    """Compile card-game rules to plain, typed, readable Python, and play them."""
    for stream in (sys.stdout, sys.stderr):
        # names of rules may be Chinese and the stream may be Latin-1: then \u escapes are better than a traceback
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


main.add_command(adopt_command)
main.add_command(explain_command)


@main.command(cls=VerifyingCommand, short_help="Compile rules to Python packages.")
@RULES
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    type=FilePath(file_okay=False),
    default=_OUTPUT,
    show_default=True,
    help="Where the packages go, one folder each.",
)
@click.option(
    "--check",
    is_flag=True,
    help="Write nothing; show what would change and exit 1 if anything would.",
)
@click.option(
    "--name", help="Name of the rule, instead of the file's; for a single RULE."
)
@click.option(
    "--native",
    is_flag=True,
    help="Compile the packages with mypyc besides; needs dealwright[native] and a C compiler.",
)
@PLAYERS
@verify_option
def build(
    rules: tuple[Path, ...],
    output: Path,
    check: bool,
    name: str | None,
    native: bool,
    players: int | None,
    verify: float | None,
) -> None:
    """Compile each RULE, a file or a folder of *.json, to a Python package.

    Only what changed is written and what is stale is removed. If any rule has errors, or --verify finds a package that
    does not do what its rule says, nothing is written at all.

    With --native the same sources are compiled to shared objects beside them, which Python prefers. Where that cannot
    be done the packages stay plain Python.
    """
    from dealwright.compiler.output import package

    files = _rule_files(rules)
    if name is not None and len(files) != 1:
        raise click.UsageError("--name needs a single rule")
    packages = _compile_all(files, name, players)
    _verify(packages, declared(files, players), seconds_of(verify))
    folders = {built.slug: (output / built.slug, built.files) for _, built in packages}
    for stale in _orphans(rules, output, folders):
        folders[stale.name] = (stale, {})
    by_path = dict(folders.values())
    plain: Collection[Path] = ()
    with _writing():
        # first a look at all of them: when one folder is not ours, the others are not written either
        changes = {
            slug: package.write(folder, texts, check=True)
            for slug, (folder, texts) in folders.items()
        }
        if not check:
            for folder, texts in by_path.items():
                package.write(folder, texts)
        elif native:
            plain = not_compiled(by_path)
    if check:
        _finish_check(changes.values(), rules, output, plain)
        return
    _print_changes({folders[slug][0]: one for slug, one in changes.items()})
    if native:
        with _writing():
            compiled = compile_written(by_path)
        _print_changes(compiled)


@main.command(short_help="Print what is wrong with rules.")
@RULES
@click.option("--strict", is_flag=True, help="Take warnings for errors.")
@PLAYERS
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github", "sarif"]),
    default="text",
    show_default=True,
    help="For people, for programs, for GitHub's annotations, for code scanning.",
)
@click.option(
    "--lang",
    type=click.Choice(["en", "zh"]),
    default="en",
    show_default=True,
    help="Language of the messages.",
)
def check(
    rules: tuple[Path, ...],
    strict: bool,
    players: int | None,
    form: str,
    lang: Literal["en", "zh"],
) -> None:
    """Print everything there is to say about each RULE, a file or a folder of *.json.

    Exits with 1 if a rule has errors, with --strict also if it has warnings; notes never count.
    """
    from dealwright.compiler.report.checked import summary

    found = _checked(declared(_rule_files(rules), players), strict)
    _report(found, form, lang, strict)
    click.echo(summary(found, lang), err=True)
    if any(one.failed for one in found):
        sys.exit(FAILED)


@main.command(short_help="Print a JSON Schema of rule files, or of hints.")
@click.option("--hints", is_flag=True, help="Of hints, replies and answers.")
@click.option(
    "--typescript", is_flag=True, help="TypeScript types of the same, no schema."
)
@click.option(
    "--dialect",
    type=click.Choice(["spec", "upstream", "extended"]),
    default="spec",
    show_default=True,
    help="Whose spelling the hints have.",
)
def schema(hints: bool, typescript: bool, dialect: str) -> None:
    """Print a JSON Schema (2020-12) of rule files, made from the table of components.

    Editors show with it what a field means and complete it. It knows shapes only: `check` says much more. With --hints
    it is the schema of what a server and its clients say to each other; see Reply and Answer among its definitions.
    """
    if typescript:
        from dealwright.runtime.hints.typescript import typescript as types

        click.echo(types(dialect), nl=False)
    elif hints:
        from dealwright.runtime.hints.schema import schema as hint_schema

        _echo_json(hint_schema("Hint", dialect))
    else:
        from dealwright.compiler.report.schema import rule_schema

        _echo_json(rule_schema())


@main.command(hidden=True)
def codes() -> None:
    """Print docs/codes.md: all codes of `check`, with examples."""
    from dealwright.compiler.report.page import codes_page

    click.echo(codes_page(), nl=False)


@main.command(short_help="Play a match in the terminal.")
@click.argument("rule", metavar="RULE", type=FilePath(exists=True, dir_okay=False))
@click.option("--auto", is_flag=True, help="Let the computer play every seat.")
@click.option(
    "--seed",
    type=int,
    metavar="N",
    help="Seed of the shuffles and of the computer players.",
)
@click.option(
    "--transcript",
    metavar="FILE",
    type=FilePath(dir_okay=False, writable=True),
    help="Write the log of the match and its actions to FILE.",
)
@PLAYERS
def play(
    rule: Path,
    auto: bool,
    seed: int | None,
    transcript: Path | None,
    players: int | None,
) -> None:
    """Play a match of RULE in the terminal: you are seat 0, the computer plays the others.

    The rule is compiled in memory; nothing is written but the transcript.
    """
    from dealwright.compiler.terminal.play import play_rule

    if transcript is not None and transcript.exists() and transcript.samefile(rule):
        raise click.UsageError(
            "--transcript would replace the rule file; name another file"
        )
    data = read(rule)
    ((_, built),) = _compile_all([rule], None, players)
    sys.exit(play_rule(built, data, auto=auto, seed=seed, transcript=transcript))


def _rule_files(rules: Iterable[Path]) -> list[Path]:
    """The files that the arguments name; those of a folder in the order of their names, each file once."""
    files: dict[str, Path] = {}
    for rule in rules:
        inside = sorted(rule.glob("*.json")) if rule.is_dir() else [rule]
        if not inside:
            raise click.UsageError(
                f"no *.json in {rule}; name a rule file, or a folder that holds some"
            )
        for file in inside:
            files.setdefault(os.path.realpath(file), file)
    return list(files.values())


def _checked(declared: dict[Path, int | None], strict: bool) -> list[Checked]:
    """What the front says about each file; what cannot be read is a problem of that file like any other."""
    from dealwright.compiler.diagnostics.reporter import Reporter
    from dealwright.compiler.front import read_rule
    from dealwright.compiler.reading.source import read_bytes
    from dealwright.compiler.report.checked import checked

    found = []
    for file, players in declared.items():
        reporter = Reporter(str(file))
        data = read_bytes(file, reporter)
        if data is not None:
            _, reporter = read_rule(data, str(file), players=players)
        found.append(checked(str(file), data, reporter, strict=strict))
    return found


def _report(
    found: Sequence[Checked], form: str, lang: Literal["en", "zh"], strict: bool
) -> None:
    from dealwright.compiler.report import machine

    match form:
        case "json":
            _echo_json(machine.json_report(found, strict=strict))
        case "sarif":
            from dealwright.compiler.report.sarif import sarif_report

            _echo_json(sarif_report(found, lang, dealwright.__version__))
        case "github":
            for command in machine.github_commands(found, lang):
                click.echo(command)
        case _:
            _report_to_people(found, lang)


def _report_to_people(found: Sequence[Checked], lang: Literal["en", "zh"]) -> None:
    from dealwright.compiler.report import text

    if sys.stdout is not None and sys.stdout.isatty():
        from rich.console import Console

        console = Console()
        text.print_coloured(text.lines(found, lang, console.width), console)
        return
    for line in text.plain(text.lines(found, lang, text.PLAIN_WIDTH)):
        click.echo(line)


def _echo_json(document: object) -> None:
    """A document for programs; in a stream that is not Unicode all but ASCII is escaped, as JSON can."""
    import json

    encoding = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
    click.echo(json.dumps(document, ensure_ascii=encoding != "utf8", indent=2))


def _compile_all(
    files: Sequence[Path], name: str | None, players: int | None
) -> Packages:
    """Every file compiled, warnings printed; ends the command after the last file if any has errors."""
    from dataclasses import replace

    from dealwright.compiler import pipeline
    from dealwright.compiler.diagnostics.reporter import (
        MORE,
        CompileError,
        Counts,
        Severity,
    )

    packages: Packages = []
    found: list[Diagnostic] = []
    counts = Counts()
    for file, number in declared(files, players).items():
        try:
            with _rare_collection():
                built = pipeline.build(
                    read(file), header_path(file), name=name, players=number
                )
        except CompileError as problem:
            diagnostics, said = problem.diagnostics, problem.counts
        else:
            packages.append((file, built))
            diagnostics, said = built.reporter.diagnostics(), built.reporter.counts()
        # the header needs a path that is the same everywhere, a person one that leads to the file from here
        shown = [
            replace(one, place=replace(one.place, file=str(file)))
            for one in diagnostics
        ]
        found += [
            one
            for one in shown
            if one.severity is not Severity.NOTE or one.code == MORE
        ]
        counts += said
    for one in found:
        click.echo(one.text(), err=True)
    if counts.errors:
        fail(
            f"{counted_noun(counts.errors, 'error')}, {counted_noun(counts.warnings, 'warning')}"
        )
    _refuse_same_slugs(packages)
    return packages


@contextmanager
def _writing() -> Iterator[None]:
    """Ends the command with a sentence if a folder is not ours or cannot be read or written."""
    from dealwright.compiler.output import package

    try:
        yield
    except package.NotOurs as problem:
        fail(str(problem))
    except OSError as problem:
        fail(
            f"cannot write {system_reason(problem)}; choose another folder with -o, or make it writable"
        )


@contextmanager
def _rare_collection() -> Iterator[None]:
    """Cyclic garbage looked for now and then only: most of what is made while a rule is compiled lives to the end."""
    thresholds = gc.get_threshold()
    gc.set_threshold(_MANY_OBJECTS, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


def _verify(
    packages: Packages, players: dict[Path, int | None], seconds: float
) -> None:
    """Look at fresh packages; ends the command if one is not what it has to be."""
    if not seconds:
        return
    from dealwright.compiler.verify.faults import Fresh, faults

    fresh = [
        Fresh(str(file), read(file), players[file], built) for file, built in packages
    ]
    found = faults(fresh, seconds)
    if found is not None:
        for text in found.printed:
            click.echo(text)
        fail(found.sentence)


def _refuse_same_slugs(packages: Packages) -> None:
    first: dict[str, Path] = {}
    for file, built in packages:
        other = first.setdefault(built.slug, file)
        if other != file:
            fail(
                f"{other} and {file} would both be the package {built.slug!r}; rename one of the files"
            )


def _orphans(rules: Iterable[Path], output: Path, built: Iterable[str]) -> list[Path]:
    """Packages made from files that are no longer in a folder of rules that has been named."""
    from dealwright.compiler.output import package

    found: dict[str, Path] = {}
    for rule in rules:
        root = project_root(rule.resolve()) if rule.is_dir() else None
        if root is not None:
            sources = rule.resolve().relative_to(root).as_posix()
            known = {one.name for one in rule.glob("*.json")}
            found |= {one.name: one for one in package.orphans(output, sources, known)}
    return [folder for slug, folder in found.items() if slug not in built]


def _finish_check(
    changes: Iterable[Changes],
    rules: Iterable[Path],
    output: Path,
    plain: Collection[Path],
) -> None:
    """Show what would change; `plain` are the packages that should be compiled and are not."""
    diff = "".join(one.diff for one in changes)
    if diff or plain:
        click.echo(diff, nl=False)
        for folder in plain:
            click.echo(f"{folder} has no compiled modules of these sources")
        words = ["dealwright build", *(["--native"] if plain else []), *map(str, rules)]
        words += [] if str(output) == _OUTPUT else ["-o", str(output)]
        fail(f"{output} is not what the rules give; run: {' '.join(words)}")
    click.echo("nothing would change", err=True)


def _print_changes(changes: dict[Path, Changes]) -> None:
    for folder, one in changes.items():
        for path in one.written:
            click.echo(f"wrote {folder / path}")
        for path in one.removed:
            click.echo(f"removed {folder / path}")
    written, removed, unchanged = (
        sum(len(getattr(one, kind)) for one in changes.values())
        for kind in ("written", "removed", "unchanged")
    )
    summary = f"{counted_noun(len(changes), 'package')}: {written} written, {removed} removed, {unchanged} unchanged"
    click.echo(summary, err=True)
