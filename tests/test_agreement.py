"""Compiled = interpreted, on the rules we ship, on real rule files, and on rules that hypothesis makes up whole.

`pytest tests/test_agreement.py --rules DIR` runs the same on every rule file of a directory. The generated part is
short by default; with DEALWRIGHT_LONG=1 it goes through 2,000 rules. Both print their figures.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from dealwright.compiler.diagnostics.reporter import CompileError, Severity
from dealwright.compiler.front import read_rule
from tests.agreement import Plan, compare, seed_of, subject
from tests.agreement_cardsets import Tally
from tests.rulegen.figures import Figures
from tests.rulegen.reduce import Document, reduce, written
from tests.rulegen.rules import GeneratedRule, rules

ROOT = Path(__file__).resolve().parent.parent
IS_LONG = os.environ.get("DEALWRIGHT_LONG") == "1"
COMPARED = 2_000 if IS_LONG else 40
COUNTED = 2_000 if IS_LONG else 100

GENERATED_PLAN = Plan(matches=3, actions=30, subsets=4)
FILE_PLAN = Plan(matches=6, actions=120, subsets=12, limit=100_000)

run = settings(
    max_examples=COMPARED,
    derandomize=True,
    database=None,
    deadline=None,
    phases=(Phase.generate,),  # `reduce` makes rules smaller than shrinking would
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)


def _rule_files(config: pytest.Config) -> list[Path]:
    """The files of --rules, else ours and, where they are at hand, the real ones."""
    given_folder = config.getoption("--rules")
    if given_folder:
        return sorted(Path(given_folder).glob("*.json"))
    folders = (ROOT / "rules", ROOT.parent / "shared" / "data" / "rules")
    return [path for folder in folders for path in sorted(folder.glob("*.json"))]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "rule_file" in metafunc.fixturenames:
        paths = _rule_files(metafunc.config)
        names = [f"{path.parent.parent.name}/{path.name}" for path in paths]
        metafunc.parametrize("rule_file", paths, ids=names)


def test_rule_file(rule_file: Path, request: pytest.FixtureRequest) -> None:
    """A rule file: with its own number of players, or with two, three and four."""
    try:
        one = subject(rule_file.read_bytes(), rule_file.name)
    except CompileError as error:
        if request.config.getoption("--rules"):
            pytest.skip(f"the compiler refuses it: {_codes(error)}")
        raise
    tally = Tally()
    for seats in [one.rule.players] if one.rule.players else [2, 3, 4]:
        tally.add(compare(one, seats, FILE_PLAN))
    assert tally.judged, "no build flow was compared"


# hypothesis shows what fails in its own way too, and its warning about that must not hide what has failed
@pytest.mark.filterwarnings("ignore:Generating overly large repr")
def test_generated_rules_agree(
    request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rules of the generator, whole matches and every cardset flow."""
    _only_without_rules(request)
    figures, tally = Figures(), Tally()

    failing: list[GeneratedRule] = []

    @run
    @given(rules())
    def check(rule: GeneratedRule) -> None:
        figures.add(rule)
        failing.append(rule)  # stays there if anything is raised
        try:
            one = subject(rule.source, "generated.json")
        except CompileError as error:
            figures.codes.update(_codes(error))
        else:
            figures.compiled += 1
            tally.add(compare(one, rule.seats, GENERATED_PLAN))
        failing.pop()

    try:
        check()
    except Exception as error:
        error.add_note(smallest(failing[-1], error))
        raise
    with capsys.disabled():
        print("\n" + "\n".join([*figures.lines(), *_told(tally)]))
    assert figures.compiled >= 0.8 * figures.rules
    assert tally.settled >= 0.5 * tally.matches
    if IS_LONG:
        assert figures.flows >= 20_000


def test_generated_rules_cover_the_language(
    request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every component and operator stands in every kind of flow that may hold it, in at least 1 % of the rules."""
    _only_without_rules(request)
    figures = Figures()

    @settings(run, max_examples=COUNTED)
    @given(rules())
    def count(rule: GeneratedRule) -> None:
        figures.add(rule)
        read, reporter = read_rule(rule.source, "generated.json")
        figures.compiled += read is not None
        found = reporter.diagnostics()
        figures.codes.update(
            {one.code for one in found if one.severity is Severity.ERROR}
        )

    count()
    with capsys.disabled():
        print("\n" + "\n".join(figures.lines()))
    place, share = figures.rarest
    assert share >= 0.01, f"{place} occurs in {share:.1%} of the rules"
    assert figures.compiled >= 0.8 * figures.rules


def smallest(rule: GeneratedRule, found: Exception) -> str:
    """The rule that fails and how, both as small as they go in a minute."""
    last = found
    plan = Plan(matches=4, seed=seed_of(rule.document), is_shortened=False)

    def fails(document: Document) -> bool:
        nonlocal last
        try:
            source = json.dumps(document, ensure_ascii=False).encode()
            compare(subject(source, "generated.json"), rule.seats, plan)
        except CompileError:
            return False
        except Exception as error:
            if type(error) is not type(found):
                return False
            last = error
            return True
        return False

    document = reduce(rule.document, fails)
    return f"the smallest rule found that fails so:\n{written(document)}\n{last}"


def _only_without_rules(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--rules"):
        pytest.skip("--rules asks for the rules of a directory only")


def _codes(error: Any) -> set[str]:
    return {one.code for one in error.diagnostics if one.severity is Severity.ERROR}


def _told(tally: Tally) -> list[str]:
    return [
        f"{tally.matches} matches, {tally.settled} settled, {tally.unstarted} could not start,"
        f" {tally.endless} ended in an endless flow",
        f"{tally.actions} actions, {tally.refused} refused; {tally.restored} restores,"
        f" {tally.arranged} arranged positions",
        f"{tally.judged} build flows, {tally.recognised} plays recognised, {tally.beaten} comparisons",
    ]
