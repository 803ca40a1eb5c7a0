"""The checker of the intermediate representation passes what the compiler makes, and catches each flow that is broken.

The broken programs are the small rule with one flow replaced by instructions made by hand, or with one thing about it
changed. Each case names a piece of the sentence that the checker must say, so that it cannot pass for another reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from dealwright.compiler.front import read_rule, require_rule
from dealwright.compiler.lowering.lower import lower
from dealwright.compiler.passes.structure import structure
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value
from dealwright.compiler.representation.ircheck import (
    IrError,
    check_program,
    check_regions,
)
from dealwright.compiler.representation.irtext import program_text
from dealwright.compiler.representation.program import Program
from dealwright.compiler.representation.types import Rep
from tests.irparts import (
    Edit,
    Parts,
    body_of,
    build_of,
    deciding,
    match_of,
    method_of,
    with_value,
)
from tests.rulegen.rules import GeneratedRule, rules
from tests.test_ir import lowered

ROOT = Path(__file__).resolve().parent.parent
RULES = [
    path
    for folder in (ROOT / "rules", ROOT.parent / "shared" / "data" / "rules")
    for path in sorted(folder.glob("*.json"))
]
GENERATED = 100


# it passes what the compiler makes


def bodies(program: Program) -> Iterator[ir.Body]:
    """Every flow of a program."""
    yield from program.builds.values()
    yield from program.compares.values()
    yield from program.comparisons.values()
    yield from (one.body for one in program.methods.values())
    yield from (program.match, program.end)


def check_all(program: Program) -> int:
    """Check a program and the regions of all its flows; how many regions there were."""
    check_program(program)
    count = 0
    for body in bodies(program):
        regions = structure(body)
        check_regions(body, regions)
        count += len(regions)
    return count


@pytest.mark.parametrize(
    "path", RULES, ids=lambda path: f"{path.parts[-3]}-{path.stem}"
)
def test_rule_files_are_sound(path: Path) -> None:
    program = lower(require_rule(path))
    assert check_all(program) >= len(list(bodies(program)))


def test_generated_rules_are_sound() -> None:
    """A hundred whole rules: values, control, and regions that are the same flow as the graph."""
    checked = 0

    @settings(
        max_examples=GENERATED,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(rules())
    def check(rule: GeneratedRule) -> None:
        nonlocal checked
        read, _ = read_rule(rule.source, "generated.json")
        if read is not None:
            program = lower(read)
            check_all(program)
            assert program_text(program).startswith("rule ")
            checked += 1

    check()
    assert checked >= 0.8 * GENERATED


def test_deep_formulas_need_no_deep_stack() -> None:
    program = lowered({})
    value: Value = program.pool.make(ir.Truth, program.pool.make(ir.Choice))
    for _ in range(20_000):
        value = program.pool.make(ir.Not, value)
    check_program(match_of(program, *deciding(value)))


# broken values of other flows, and broken operations


def assigned(name: str, subject: Callable[[Parts], Value], value: str = "one") -> Edit:
    """A match flow that assigns a property."""

    def edit(program: Program) -> Program:
        parts = Parts(program)
        target = ir.Target(subject(parts), name)
        return match_of(program, ir.Assign(target, getattr(parts, value)), ir.Finish())

    return edit


def returning(value: Callable[[Parts], Value | None], rep: Rep) -> Edit:
    """A method that returns this as that."""
    return lambda program: method_of(
        program, ir.Return(value(Parts(program))), returned=rep
    )


def in_method(value: Callable[[Parts], Value]) -> Edit:
    """A method that returns an integer."""
    return returning(value, Rep.INTEGER)


def in_build(value: Callable[[Parts], Value]) -> Edit:
    """A build flow that evaluates a value."""

    def edit(program: Program) -> Program:
        found = program.pool.make(ir.Truth, value(Parts(program)))
        return build_of(program, ir.Branch(found, "2", "3"), ir.Accept(()), ir.Reject())

    return edit


def mixed_settlement(p: Parts) -> Value:
    """`settlement_index` of a parameter of mixed kinds, below a quantifier over players."""
    parameter = p.make(ir.Parameter, "n", Rep.MIXED)
    index = p.make(ir.MixedProperty, parameter, "settlement_index", False, None)
    return p.some(p.players, p.make(ir.Truth, index))


def with_mixed_parameter(program: Program) -> Program:
    """The method with a parameter of mixed kinds instead of an integer."""
    changed = returning(mixed_settlement, Rep.BOOLEAN)(program)
    key = ("player", "twice")
    method = replace(changed.methods[key], parameters=(("n", Rep.MIXED),))
    changed = replace(changed, methods={**changed.methods, key: method})
    return match_of(changed, ir.Finish())


def calls_itself(program: Program) -> Program:
    """A method whose value needs its value."""
    parts = Parts(program)
    judged = parts.make(ir.Context, parts.make(ir.Judged), None, None)
    return in_method(lambda p: p.twice(p.one, context=judged))(program)


def asks_for_itself(program: Program) -> Program:
    """A build flow that asks for its own cardset."""
    return in_build(
        lambda p: p.make(
            ir.Number,
            p.make(
                ir.IsCardset,
                "1",
                p.make(ir.Judged),
                p.make(ir.Context, p.make(ir.Judged), None, None),
                (),
            ),
        )
    )(program)


def effect_as_value(program: Program) -> Program:
    """A value that calls a method that shuffles."""
    changed = method_of(program, ir.Shuffle(), ir.Return(Parts(program).one))
    return with_value(changed, Parts(program).twice(Parts(program).one))


def effect_in_build(program: Program) -> Program:
    """A build flow with a statement that calls a method that shuffles."""
    parts = Parts(program)
    judged = parts.make(ir.Context, parts.make(ir.Judged), None, None)
    changed = method_of(program, ir.Shuffle(), ir.Return(parts.one))
    call = parts.twice(parts.one, context=judged)
    return build_of(changed, ir.Invoke(call), ir.Accept(()))


def misplaced_method(program: Program) -> Program:
    """A method under another's name."""
    methods = dict(program.methods)
    methods["player", "add"] = methods["player", "twice"]
    return replace(program, methods=methods)


def spliced(id: str, one: ir.Instruction, entry: str = "1") -> Edit:
    """A match flow of one more instruction than `1: finish`."""

    def edit(program: Program) -> Program:
        instructions = {**body_of(ir.Finish()).instructions, id: one}
        return replace(program, match=ir.Body(entry, instructions))

    return edit


def flow_of(*operations: ir.Operation) -> Edit:
    """A match flow of these instructions."""
    return lambda program: match_of(program, *operations)


def cyclic(program: Program) -> Program:
    """A build flow that goes in a circle."""
    parts = Parts(program)
    chosen = parts.make(ir.Truth, parts.make(ir.Choice))
    return build_of(program, ir.Branch(chosen, "1", "2"), ir.Reject())


def end_of(*operations: ir.Operation) -> Edit:
    """An end flow of these instructions."""
    return lambda program: replace(program, end=body_of(*operations))


def compare_of(*operations: ir.Operation) -> Edit:
    """A compare flow of these instructions."""
    return lambda program: replace(program, compares={"1": body_of(*operations)})


def comparison_of(*operations: ir.Operation) -> Edit:
    """A comparison of two cardsets of these instructions."""
    return lambda program: replace(program, comparisons={"1": body_of(*operations)})


PLAY = ir.AskPlay(30, "1")
PROGRAMS: dict[str, tuple[str, Edit]] = {
    # control
    "no_entry": (
        "the entry '9' does not exist",
        spliced("1", body_of(ir.Finish()).instructions["1"], "9"),
    ),
    "other_id": (
        "calls itself '2'",
        spliced("1", ir.Instruction("2", ir.Finish(), None)),
    ),
    "no_target": (
        "goes on at '9', which",
        spliced("1", ir.Instruction("1", ir.Shuffle(), "9")),
    ),
    "no_wait_target": ("goes on at '9', which", flow_of(ir.AskPlay(30, "9"))),
    "no_choice_target": ("goes on at '9', which", flow_of(ir.AskChoice(30, (), "9"))),
    "no_branch_target": (
        "goes on at '3', which",
        lambda program: match_of(program, *deciding(Parts(program).yes)[:2]),
    ),
    "no_next": (
        "the step Shuffle has no next",
        spliced("1", ir.Instruction("1", ir.Shuffle(), None)),
    ),
    "next_of_terminal": (
        "Finish is no step, but has",
        spliced("1", ir.Instruction("1", ir.Finish(), "1")),
    ),
    "next_of_branch": (
        "Branch is no step, but has",
        lambda program: spliced(
            "1", ir.Instruction("1", ir.Branch(Parts(program).yes, "1", "1"), "1")
        )(program),
    ),
    "unreached": ("control never comes here", flow_of(ir.Finish(), ir.Finish())),
    "cycle": ("control comes back here", cyclic),
    # terminals of other kinds of flow
    "settle_in_match": (
        "Settle cannot end a flow of kind MATCH",
        flow_of(ir.Settle(1)),
    ),
    "return_in_match": (
        "Return cannot end a flow of kind MATCH",
        flow_of(ir.Return(None)),
    ),
    "accept_in_match": ("Accept cannot end", flow_of(ir.Accept(()))),
    "reject_in_match": ("Reject cannot end", flow_of(ir.Reject())),
    "win_in_match": ("Win cannot end", flow_of(ir.Win(True))),
    "finish_in_end": ("Finish cannot end a flow of kind END", end_of(ir.Finish())),
    "play_in_end": ("AskPlay cannot end", end_of(PLAY)),
    "choice_in_end": ("AskChoice cannot end", end_of(ir.AskChoice(30, (), "1"))),
    "play_in_method": (
        "AskPlay cannot end a flow of kind METHOD",
        lambda program: method_of(program, PLAY),
    ),
    "win_in_build": (
        "Win cannot end a flow of kind BUILD",
        lambda program: build_of(program, ir.Win(True)),
    ),
    "accept_in_compare": (
        "Accept cannot end a flow of kind COMPARE",
        compare_of(ir.Accept(())),
    ),
    "reject_in_comparison": (
        "comparison flow '1', instruction '1': Reject cannot end",
        comparison_of(ir.Reject()),
    ),
    # flows that change nothing
    "shuffle_in_build": (
        "Shuffle changes something",
        lambda program: build_of(program, ir.Shuffle(), ir.Reject()),
    ),
    "deal_in_compare": (
        "Deal changes something",
        compare_of(ir.Deal(1, ()), ir.Win(True)),
    ),
    "sort_in_compare": (
        "SortDeck changes",
        compare_of(ir.SortDeck((), None), ir.Win(True)),
    ),
    # operations
    "condition": (
        "the condition is Integer (INTEGER), not BOOLEAN",
        lambda program: match_of(program, *deciding(Parts(program).one)),
    ),
    "assigned_truth": (
        "the assigned value is Boolean",
        assigned("轮", lambda p: p.table, "yes"),
    ),
    "assigned_to_cards": (
        "a property of Deck (CARDS) is assigned",
        assigned("轮", lambda p: p.deck),
    ),
    "assigned_to_nobody": (
        "a property of Empty (PLAYER) is assigned",
        assigned("分", lambda p: p.make(ir.Empty, Rep.PLAYER)),
    ),
    "assigned_id": (
        "'id' is assigned, which no player stores",
        assigned("id", lambda p: p.player),
    ),
    "assigned_deck": (
        "'卡牌池' is assigned, which no table",
        assigned("卡牌池", lambda p: p.table),
    ),
    "sort_key": (
        "a sort by '分', which no card stores",
        flow_of(ir.SortDeck((ir.SortKey("分", True),), None), ir.Finish()),
    ),
    "guard": (
        "the guard of a sort of the deck is TheTable (TABLE), not MIXED",
        lambda program: match_of(
            program, ir.SortDeck((), Parts(program).table), ir.Finish()
        ),
    ),
    "filter": (
        "a filter on '分', which no card stores",
        flow_of(ir.Deal(1, (ir.Filter("分", 1, None),)), ir.Finish()),
    ),
    # what methods give
    "other_result": (
        "Boolean (BOOLEAN) is returned, not INTEGER",
        in_method(lambda p: p.yes),
    ),
    "no_result": (
        "nothing is returned, not INTEGER",
        returning(lambda p: None, Rep.INTEGER),
    ),
    "some_result": (
        "a value is returned where none",
        returning(lambda p: p.one, Rep.NONE),
    ),
    "mixed_element": (
        "MixedElement (MIXED) is returned, not CARD",
        returning(
            lambda p: p.make(
                ir.MixedElement, p.make(ir.Parameter, "n", Rep.MIXED), p.one
            ),
            Rep.CARD,
        ),
    ),
    # what stands where in other flows
    "parameter_rep": (
        "no parameter 'n' held as CARD",
        in_method(
            lambda p: p.make(ir.Member, p.make(ir.Parameter, "n", Rep.CARD), "id")
        ),
    ),
    "owner_rep": (
        "no object of a method held as CARD",
        in_method(lambda p: p.make(ir.Member, p.make(ir.Owner, Rep.CARD), "id")),
    ),
    "parameter_in_build": (
        "no parameter 'n'",
        in_build(lambda p: p.make(ir.Parameter, "n", Rep.INTEGER)),
    ),
    "compared_in_build": (
        "a Compared stands outside",
        in_build(lambda p: p.make(ir.CardsOf, p.make(ir.Compared, False))),
    ),
    "judged_in_compare": (
        "no cards are being judged",
        lambda program: compare_of(
            ir.Branch(
                program.pool.make(ir.Truth, program.pool.make(ir.Judged)), "2", "3"
            ),
            ir.Win(True),
            ir.Win(False),
        )(program),
    ),
    "judged_below_cards": (
        "a Judged stands where a quantifier has bound a card",
        in_method(
            lambda p: p.make(
                ir.Number,
                p.some(p.deck, p.make(ir.Truth, p.make(ir.Judged))),
            )
        ),
    ),
    "mixed_settlement": (
        "settlement_index is not that of the bound",
        with_mixed_parameter,
    ),
    # how flows call each other
    "method_circle": (
        "in a circle: method player.twice -> method player.twice",
        calls_itself,
    ),
    "build_circle": ("in a circle: build flow '1' -> build flow '1'", asks_for_itself),
    "effect_as_value": ("match flow: method player.twice has effects", effect_as_value),
    "effect_in_build": (
        "build flow '1': method player.twice has effects",
        effect_in_build,
    ),
    "misplaced_method": (
        "method player.add: stands as method player.twice",
        misplaced_method,
    ),
}


@pytest.mark.parametrize("named", PROGRAMS)
def test_a_broken_program_is_caught(named: str) -> None:
    sentence, edit = PROGRAMS[named]
    wrong = edit(lowered({}))
    with pytest.raises(IrError, match=re.escape(sentence)):
        check_program(wrong)


def test_the_parts_are_sound() -> None:
    """The helpers above break nothing by themselves."""
    program = lowered({})
    parts = Parts(program)
    check_program(with_value(program, parts.twice(parts.one)))
    check_program(assigned("轮", lambda p: p.table)(program))
    check_program(in_method(lambda p: p.make(ir.Parameter, "n", Rep.INTEGER))(program))
    check_program(in_build(lambda p: p.make(ir.Judged))(program))
    check_program(compare_of(ir.Win(True))(program))
    check_program(comparison_of(ir.Win(True))(program))
    check_program(end_of(ir.Settle(1))(program))
    check_program(flow_of(PLAY)(program))
