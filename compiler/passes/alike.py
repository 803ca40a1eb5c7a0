"""Which cards judging cannot tell apart: the card properties that recognising and beating read.

Goes in: the lowered program. Comes out: names of properties, in the order of their names. Two cards that are alike in all
of them can stand for one another in any play. It is the set of all that build and compare flows read of cards, also
through methods and through other cardsets; a property that is read of other cards only, such as the deck's, is among
them too, which does no harm.
"""

from __future__ import annotations

from collections.abc import Iterator

from dealwright.compiler.lowering.coerce import card_number_property
from dealwright.compiler.passes.facts import ANY, read_in
from dealwright.compiler.passes.order import callees
from dealwright.compiler.passes.reads import CallKey
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.program import Program


def judged_by(program: Program) -> tuple[str, ...] | None:
    """The properties, in the rule's spelling; None if judging may read the number of a card, so that no two are alike.

    What a card is worth as an integer is always among them: values of mixed kinds read it without naming it, and a rule
    that begins to look at it, as nearly every rule does, changes nothing but the flow that looks.
    """
    worth = card_number_property(program.rule)
    found = set() if worth is None else {worth}
    for body in _judging(program):
        found.update(name for owner, name in read_in(body) if owner in ("card", ANY))
    if "id" in found:
        return None
    return tuple(sorted(found & {one.name for one in program.stored["card"]}))


def _judging(program: Program) -> Iterator[ir.Body]:
    """The flows that judge, and all that they call, each once."""
    roots = [
        *program.builds.values(),
        *program.compares.values(),
        *program.comparisons.values(),
    ]
    yield from roots
    pending = [key for body in roots for key in callees(body)]
    seen: set[CallKey] = set()
    while pending:
        key = pending.pop()
        if key in seen or key[0] == "build":
            continue
        seen.add(key)
        body = program.methods[key].body
        yield body
        pending += callees(body)
