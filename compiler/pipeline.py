"""The passes in order, from the bytes of a rule file to the texts of its package.

`build` is what the command line, the tests and other tools call. Nothing is written here, and nothing depends on the
machine, the clock or the order of a set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, final

from dealwright.compiler.diagnostics.reporter import CompileError, Reporter
from dealwright.compiler.front import read_rule
from dealwright.compiler.representation.handed import AllHanded, Handed
from dealwright.compiler.rule.model import Rule

if TYPE_CHECKING:
    from dealwright.compiler.emit.judgement import Judgement
    from dealwright.compiler.emit.package import Package
    from dealwright.compiler.passes.facts import Facts
    from dealwright.compiler.report.explained import Explained


@final
@dataclass(frozen=True, slots=True)
class Built:
    """A compiled rule: its package's name, the rule's name, the package's files, and what there was to say.

    `handed` tells those who call a build function by itself how recognition asks it.
    """

    slug: str
    name: str
    files: Mapping[str, str]
    reporter: Reporter
    handed: AllHanded


def build(
    data: bytes, shown_path: str, *, name: str | None = None, players: int | None = None
) -> Built:
    """Compile a rule file.

    Args:
        data: the file's bytes.
        shown_path: how diagnostics and headers name it; its stem names the package, and the rule if nothing else does.
        name, players: declare the rule's name and number of players in place of the file.

    Raises:
        CompileError: the rule is refused; it carries all diagnostics.
    """
    rule, reporter = read_rule(data, shown_path, name=name, players=players)
    if rule is None:
        raise CompileError(reporter)
    slug, files, handed = compile_rule(rule, shown_path)
    return Built(slug, rule.name, files, reporter, handed)


def analyse(rule: Rule) -> Facts:
    """A rule that has been checked, lowered, with everything that the passes know of it."""
    from dealwright.compiler.lowering.lower import lower
    from dealwright.compiler.passes.arguments import arguments
    from dealwright.compiler.passes.bounds import all_bounds
    from dealwright.compiler.passes.costs import Costs
    from dealwright.compiler.passes.dispatch import dispatch
    from dealwright.compiler.passes.ends import compare_ends
    from dealwright.compiler.passes.facts import Facts
    from dealwright.compiler.passes.handover import hand_over
    from dealwright.compiler.passes.needs import found_before
    from dealwright.compiler.passes.order import Orders
    from dealwright.compiler.passes.reads import Reads
    from dealwright.compiler.passes.values import sort_values
    from dealwright.compiler.passes.widths import Widths

    program = lower(rule)
    lengths = all_bounds(program.builds)
    program = compare_ends(sort_values(program, lengths), lengths)
    program, given = hand_over(program, lengths)
    sure = found_before(program.builds, given)
    dispatched = dispatch(program, lengths, given, sure)
    program = dispatched.program
    widths = Widths(program)
    costs = Costs(program, widths.of)
    reads = Reads(program, costs.is_counted, given)
    orders = Orders(program, dispatched.lengths)
    return Facts(
        program,
        dispatched.lengths,
        dispatched.settled,
        given,
        sure,
        arguments(program, dispatched.lengths, given),
        widths,
        costs,
        reads,
        orders,
    )


def generate(
    facts: Facts, shown_path: str
) -> tuple[Package, Judgement, dict[str, str]]:
    """The package of an analysed rule, how it judges cards, and its files."""
    # black and libcst take a fifth of a second to import: only those who compile pay for it
    from dealwright.compiler.emit.judgement import Judgement
    from dealwright.compiler.emit.modules import Modules
    from dealwright.compiler.emit.names import Names
    from dealwright.compiler.emit.package import Package
    from dealwright.compiler.emit.style import formatted

    names = Names(facts.program, PurePath(shown_path).stem)
    package = Package(facts, names)
    judgement = Judgement(package)
    texts = Modules(package, judgement, shown_path).render()
    files = {
        path: formatted(text) if path.endswith(".py") else text
        for path, text in sorted(texts.items())
    }
    return package, judgement, files


def compile_rule(
    rule: Rule, shown_path: str
) -> tuple[str, dict[str, str], dict[str, Handed]]:
    """The slug and the files of a rule that has been checked, and what its build functions take besides the cards."""
    package, _, files = generate(analyse(rule), shown_path)
    return package.names.slug, files, package.all_handed()


def explain(data: bytes, shown_path: str, *, players: int | None = None) -> Explained:
    """Everything that is known and generated of a rule file, for people to read.

    Raises:
        CompileError: the rule is refused; it carries all diagnostics.
    """
    from dealwright.compiler.report.explained import explained

    rule, reporter = read_rule(data, shown_path, players=players)
    if rule is None:
        raise CompileError(reporter)
    return explained(*generate(analyse(rule), shown_path))
