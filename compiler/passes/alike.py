"""Which cards judging cannot tell apart: the card properties that recognising and beating read.

Goes in: the lowered program. Comes out: names of properties, in the order of their names. Two cards that are alike in all
of them can stand for one another in any play. It is the set of all that build and compare flows read of cards, also
through methods and through other cardsets; a property that is read of other cards only, such as the deck's, is among
them too, which does no harm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dealwright.compiler import ir
from dealwright.compiler.coerce import card_number_property
from dealwright.compiler.ir import Value, rep_of
from dealwright.compiler.lower import Program
from dealwright.compiler.passes.reads import CallKey, all_values, called
from dealwright.compiler.types import Rep

_CARDS = (Rep.CARD, Rep.CARDS, Rep.PLAY, Rep.MIXED)


def judged_by(program: Program) -> tuple[str, ...] | None:
    """The properties, in the rule's spelling; None if judging may read the number of a card, so that no two are alike.

    What a card is worth as an integer is always among them: values of mixed kinds read it without naming it, and a rule
    that begins to look at it, as nearly every rule does, changes nothing but the flow that looks.
    """
    worth = card_number_property(program.rule)
    found = set() if worth is None else {worth}
    for body in _judging(program):
        for value in all_values(body):
            found.update(_read_of_cards(value))
    if "id" in found:
        return None
    return tuple(sorted(found & {one.name for one in program.stored["card"]}))


def _judging(program: Program) -> Iterator[ir.Body]:
    """The flows that judge, and all that they call, each once."""
    yield from program.builds.values()
    roots = [
        *program.builds.values(),
        *program.compares.values(),
        *program.comparisons.values(),
    ]
    yield from roots[len(program.builds) :]
    pending, seen = _called_in(roots), set[CallKey]()
    while pending:
        key = pending.pop()
        if key in seen or key[0] == "build":
            continue
        seen.add(key)
        body = program.methods[key].body
        yield body
        pending += _called_in([body])


def _called_in(bodies: Iterable[ir.Body]) -> list[CallKey]:
    return [
        key
        for body in bodies
        for value in all_values(body)
        if (key := called(value)) is not None
    ]


def _read_of_cards(value: Value) -> Iterator[str]:
    """What a value itself reads of cards, by name."""
    match value:
        case ir.Member(subject, name) if rep_of(subject) in _CARDS:
            yield name
        case ir.Each(selection, str(name)) if rep_of(selection) in _CARDS:
            yield name
        case ir.Sorted(selection, keys) if rep_of(selection) in _CARDS:
            yield from (key.property for key in keys)
        case ir.SortedValues(_, names, _):
            yield from names
        case ir.MixedProperty(_, name, _, _):
            yield name
        case ir.MixedSorted(_, keys, _):
            yield from (key.property for key in keys)
        case _:
            pass
