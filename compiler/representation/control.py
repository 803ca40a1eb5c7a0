"""The order in which control meets the instructions of a body, before it is structured."""

from __future__ import annotations

from dealwright.compiler.representation import ir


def in_control_order(body: ir.Body) -> list[ir.Instruction]:
    """The instructions as control meets them, the first branch first; then any that it never meets, by id."""
    ordered: dict[str, None] = {}
    pending = [body.entry]
    while pending:
        id = pending.pop()
        if id in ordered or id not in body.instructions:
            continue
        ordered[id] = None
        pending.extend(reversed(_targets(body.instructions[id])))
    ordered |= dict.fromkeys(sorted(body.instructions.keys() - ordered.keys()))
    return [body.instructions[id] for id in ordered]


def _targets(one: ir.Instruction) -> tuple[str, ...]:
    match one.operation:
        case ir.AskPlay(_, next) | ir.AskChoice(_, _, next):
            return (next,)
        case _:
            return ir.successors(one)
