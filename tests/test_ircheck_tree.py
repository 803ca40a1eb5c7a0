"""The checker of structured regions passes regions that run like their flow, and catches each way in which they may not.

The flow is a loop, a wait and an end, small enough to be structured by hand in several ways.
"""

from __future__ import annotations

import re

import pytest

from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ircheck import IrError, check_regions
from dealwright.compiler.representation.tree import (
    Break,
    Continue,
    Do,
    End,
    If,
    Jump,
    Loop,
    Region,
    Statement,
)


def looping() -> ir.Body:
    """`1: while choice: shuffle`, then a wait, then the end."""
    pool = ir.Pool()
    chosen = pool.make(ir.Truth, pool.make(ir.Choice))
    operations = {
        "1": ir.Branch(chosen, "2", "3"),
        "2": ir.Shuffle(),
        "3": ir.AskPlay(30, "4"),
        "4": ir.Finish(),
    }
    follows = {"2": "1"}
    return ir.Body(
        "1",
        {
            id: ir.Instruction(id, one, follows.get(id))
            for id, one in operations.items()
        },
    )


BODY = looping()
CHOSEN = ir.operation_values(BODY.instructions["1"].operation)[0]
OTHER = ir.Boolean(True)
SHUFFLE = Do("2", ir.Shuffle())
WAIT = End("3", ir.AskPlay(30, "4"))
FINISH = End("4", ir.Finish())
LAST = Region("4", (FINISH,))


def first(*statements: Statement) -> tuple[Region, ...]:
    """The region of the entry, and that behind the wait."""
    return (Region("1", statements), LAST)


def unless(*statements: Statement) -> If:
    """The branch of the body, negated."""
    return If("1", CHOSEN, True, statements, ())


def whether(*statements: Statement) -> If:
    """The branch of the body."""
    return If("1", CHOSEN, False, statements, ())


SOUND: dict[str, tuple[Region, ...]] = {
    "leaving_by_the_end": first(Loop("1", (unless(WAIT), SHUFFLE))),
    "break": first(Loop("1", (unless(Break()), SHUFFLE)), WAIT),
    "continue": first(Loop("1", (whether(SHUFFLE, Continue()), Break())), WAIT),
    "hop": first(whether(SHUFFLE, Jump("1", True)), WAIT),
    "region": (
        Region("1", (whether(Jump("2", False)), WAIT)),
        Region("2", (SHUFFLE, Jump("1", True))),
        LAST,
    ),
}


@pytest.mark.parametrize("named", SOUND)
def test_sound_regions(named: str) -> None:
    check_regions(BODY, SOUND[named])


REGIONS: dict[str, tuple[str, tuple[Region, ...]]] = {
    "none": ("the first region is not that of the entry '1'", ()),
    "other_first": ("the first region is not", (LAST, *SOUND["break"][:1])),
    "same_head": ("two regions have the same head", (*SOUND["break"], LAST)),
    "no_region_of_a_jump": (
        "a jump leads to '2', which",
        first(whether(Jump("2", True)), WAIT),
    ),
    "no_region_of_a_wait": ("a wait goes on at '4', which", SOUND["break"][:1]),
    "unknown_do": (
        "'9' is no instruction",
        (*SOUND["break"], Region("9", (Do("9", ir.Shuffle()), WAIT))),
    ),
    "other_do": (
        "'2' is not what the flow does",
        first(Loop("1", (unless(WAIT), Do("2", ir.Deal(1, ()))))),
    ),
    "other_end": (
        "'3' is not what the flow does",
        first(Loop("1", (unless(End("3", ir.Finish())), SHUFFLE))),
    ),
    "other_condition": (
        "'1' is not what the flow does",
        first(Loop("1", (If("1", OTHER, True, (WAIT,), ()), SHUFFLE))),
    ),
    "no_branch": (
        "'2' is not what the flow does",
        first(Loop("1", (whether(If("2", CHOSEN, False, (), ())), WAIT))),
    ),
    "break_outside": (
        "a break stands outside loops",
        first(whether(SHUFFLE, Jump("1", True)), Break()),
    ),
    "continue_outside": (
        "a continue stands outside",
        first(whether(SHUFFLE, Continue()), WAIT),
    ),
    "empty": ("control falls off the region", first()),
    "falls_off": (
        "control falls off the region",
        (SOUND["region"][0], Region("2", (SHUFFLE,)), LAST),
    ),
    "falls_off_the_end": (
        "control falls off the region",
        first(whether(SHUFFLE, Jump("1", True))),
    ),
    "break_off": (
        "control falls off the region",
        first(Loop("1", (unless(Break()), SHUFFLE))),
    ),
    "other_head": ("the region begins at '2', not at '1'", first(SHUFFLE, WAIT)),
    "wrong_side": (
        "a side of '1' goes on at",
        first(Loop("1", (whether(WAIT), SHUFFLE))),
    ),
    "wrong_next": (
        "'2' goes on at '3', not at '1'",
        first(whether(SHUFFLE, WAIT), WAIT),
    ),
    "wrong_loop": (
        "the loop '2' begins at '1'",
        (SOUND["region"][0], Region("2", (Loop("2", (unless(WAIT), SHUFFLE)),)), LAST),
    ),
    "never_reached": (
        "a statement stands where control never comes",
        first(Loop("1", (unless(WAIT), SHUFFLE)), WAIT),
    ),
    "circle": (
        "call each other in a circle without a hop",
        first(whether(SHUFFLE, Jump("1", False)), WAIT),
    ),
}


@pytest.mark.parametrize("named", REGIONS)
def test_broken_regions_are_caught(named: str) -> None:
    sentence, regions = REGIONS[named]
    with pytest.raises(IrError, match=re.escape(sentence)):
        check_regions(BODY, regions)
