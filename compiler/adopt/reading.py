"""A rule file read for adoption: the rule, the JSON document that it comes from, its text and its flows.

In go bytes, out comes a `RuleFile`; a file that could not be compiled is refused with its diagnostics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from dealwright.compiler.adopt.flows import FlowKey, FlowPlace, flow_places
from dealwright.compiler.diagnostics.reporter import CompileError, Reporter
from dealwright.compiler.front import read_rule
from dealwright.compiler.reading.source import Source
from dealwright.compiler.rule.model import Rule


@final
@dataclass(frozen=True, slots=True)
class RuleFile:
    """A rule file that compiles.

    `root` is the path of the object with the five sections, `document` the whole JSON value.
    """

    rule: Rule
    reporter: Reporter
    text: str
    document: Mapping[str, object]
    root: tuple[str, ...]
    flows: Mapping[FlowKey, FlowPlace]


def read(data: bytes, file: str, players: int | None = None) -> RuleFile:
    """Read a rule file.

    Arguments: `file` is how messages call it; `players` counts only if the file does not state a number.

    Raises:
        CompileError: the rule is refused; it carries all diagnostics.
    """
    rule, reporter = read_rule(data, file)
    # a number of players can only rule something out, so a file that is refused without one need not be tried again
    if players is not None and rule is not None and rule.players is None:
        rule, reporter = read_rule(data, file, players=players)
    source = reporter.locator
    if rule is None or not isinstance(source, Source):
        raise CompileError(reporter)
    document = source.value
    root = reporter.root.steps()
    design = document
    for step in root:
        design = design[step] if isinstance(design, Mapping) else None
    assert isinstance(document, Mapping) and isinstance(
        design, Mapping
    ), "load refuses others"
    return RuleFile(
        rule, reporter, source.text, document, root, flow_places(rule, design)
    )
