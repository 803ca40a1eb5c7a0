"""The pass `check`: every refusal and warning of the contract that is not about shape.

In goes the rule as `load` understood it, out come diagnostics; the rule is not changed. The checks themselves stand in
`places` (the graph), `references`, `properties`, `calls`, `deals`, `waits`, `nesting` (one flow at a time) and `rule` (the
whole). For example a condition that names nothing gives

    rules/x.json:12:7: warning R304: match_flow/5: 'condition' refers to 'cpm', which names nothing and reads none
"""

from __future__ import annotations

from dealwright.compiler.checks.calls import check_calls, check_circles
from dealwright.compiler.checks.context import contexts, facts
from dealwright.compiler.checks.deals import check_deals
from dealwright.compiler.checks.nesting import check_nesting
from dealwright.compiler.checks.places import check_places, check_unused
from dealwright.compiler.checks.properties import check_properties
from dealwright.compiler.checks.references import check_references
from dealwright.compiler.checks.rule import check_rule
from dealwright.compiler.checks.waits import check_waits
from dealwright.compiler.diagnostics.reporter import Reporter
from dealwright.compiler.rule.model import Rule


def check(rule: Rule, reporter: Reporter) -> None:
    """Report everything about `rule` that the contract refuses or warns about (section 1).

    `reporter` is the one that `load` reported to: what it has said already is not said again in other words.
    """
    flows = contexts(rule, reporter)
    known = facts(rule, flows, reporter)
    for context in flows:
        check_places(context)
        # errors of deals, properties and calls explain what else could be said about a reference
        check_deals(context, known)
        check_properties(context, known)
        check_calls(context, known)
        check_references(context, known)
        check_waits(context)
        check_nesting(context)
        check_unused(context)
    check_circles(flows)
    check_rule(known, flows, reporter)
