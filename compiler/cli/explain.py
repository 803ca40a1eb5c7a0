"""`dealwright explain RULE [FLOW]`: reads a rule, writes nothing, prints what was decided about its flows.

On a terminal that is wide enough outline and code stand side by side; elsewhere the output is plain and always the same.
What is slow to import is imported when the command runs, so that `dealwright --help` stays quick.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from dealwright.compiler.cli.rules import declared, fail, read
from dealwright.compiler.diagnostics.text import Lang, quote
from dealwright.compiler.paths import FilePath

if TYPE_CHECKING:
    from pathlib import Path

    from dealwright.compiler.report.explained import Explained, FlowExplained


@click.command("explain", short_help="Show what is known of each flow, and its code.")
@click.argument(
    "rule",
    metavar="RULE",
    type=FilePath(exists=True, dir_okay=False, readable=False),
)
@click.argument("flow", metavar="[FLOW]", required=False)
@click.option(
    "--players",
    type=click.IntRange(1),
    metavar="N",
    help="Number of players, for rules that do not state it.",
)
@click.option(
    "--lang",
    type=click.Choice(["en", "zh"]),
    default="en",
    show_default=True,
    help="Language of the facts.",
)
def explain_command(
    rule: Path, flow: str | None, players: int | None, lang: Lang
) -> None:
    """Show what was decided about each flow of RULE, the flow as an outline, and the functions generated from it.

    FLOW is one of them: the name or id of a cardset, `match`, `settle`, a method such as `Table.name`, or `A against B`.
    """
    found = _explained(rule, players)
    flows = found.flows if flow is None else found.named(flow)
    if flow is not None and not flows:
        near = ", ".join(map(quote, found.nearest(flow)))
        raise click.UsageError(f"{rule} has no flow {quote(flow)}; nearest: {near}")
    _print(found, flows, lang)


def _explained(rule: Path, players: int | None) -> Explained:
    """What there is to explain of a rule; errors of the rule end the command."""
    from dealwright.compiler import pipeline
    from dealwright.compiler.diagnostics.reporter import MORE, CompileError, Severity

    try:
        return pipeline.explain(
            read(rule), str(rule), players=declared([rule], players)[rule]
        )
    except CompileError as problem:
        for found in problem.diagnostics:
            if found.severity is Severity.ERROR or found.code == MORE:
                click.echo(found.text(), err=True)
        fail("there is nothing to explain before the errors are mended")


def _print(found: Explained, flows: Sequence[FlowExplained], lang: Lang) -> None:
    from dealwright.compiler.report.explain import WIDE, print_beside, stacked

    if sys.stdout is not None and sys.stdout.isatty():
        from rich.console import Console

        console = Console()
        if console.width >= WIDE:
            print_beside(found.rule, flows, lang, console)
            return
    for line in stacked(found.rule, flows, lang):
        click.echo(line)
