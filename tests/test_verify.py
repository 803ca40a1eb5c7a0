"""`dealwright build --verify`: faults planted in the compiler are found, told as a case, and nothing is written.

Faults are changes of the emitter, and replacements in the generated files. Each must be caught within `PATIENCE` on a
rule that we ship (nearly all are within the default budget), and the printed case, put together with the rule, must
pass on the interpreter and fail on the package.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dealwright.compiler import pipeline
from dealwright.compiler.cli import main
from dealwright.compiler.emit import code, exprs, stmts, style
from dealwright.compiler.emit.exprs import Expressions
from dealwright.compiler.emit.judgement import Judgement
from dealwright.compiler.output import memory
from dealwright.compiler.pipeline import Built
from dealwright.compiler.verify import watch
from dealwright.compiler.verify.compare import Session
from dealwright.compiler.verify.draw import Draw, Source
from dealwright.compiler.verify.inputs import (
    Action,
    Arranged,
    Beats,
    Build,
    Plays,
    Start,
)
from dealwright.compiler.verify.option import SECONDS, seconds_of
from dealwright.compiler.verify.progress import Fresh, failing_cases
from dealwright.compiler.verify.report import case_text
from dealwright.compiler.verify.search import verify
from dealwright.compiler.verify.sides import subject_of
from dealwright.runtime import game as runtime_game
from tests.case_engines import Compiled, Interpreted
from tests.case_run import run_case
from tests.casefile import read_case

RULES = Path(__file__).resolve().parent.parent / "rules"
SHIPPED = sorted(RULES.glob("*.json"))

Patch = pytest.MonkeyPatch

# what the fixture below takes away
FORMATTED, REFUSE_UNSETTLED = style.formatted, style.refuse_unsettled


PATIENCE = 30.0
"""Seconds of processor time in which a fault is sought: what is rare comes late on a slow machine."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, the shipped rule on which it must be caught, and how it is planted in the emitter or the files."""

    name: str
    rule: str
    plant: Callable[[Patch], None] = lambda patch: None
    file: str = ""
    old: str = ""
    new: str = ""


def _entry(table: Any, key: Any, value: Any) -> Callable[[Patch], None]:
    return lambda patch: patch.setitem(table, key, value)


def _replaced(
    owner: Any, name: str, make: Callable[[Any], Any]
) -> Callable[[Patch], None]:
    return lambda patch: patch.setattr(owner, name, make(getattr(owner, name)))


FAULTS = (
    # in the emitter
    Fault("> as >=", "war", _entry(exprs._COMPARISONS, 1, ">=")),
    Fault("= as >=", "twenty_one", _entry(exprs._COMPARISONS, 0, ">=")),
    Fault("- as +", "war", _entry(exprs._ARITHMETIC, 1, "+")),
    Fault("* as +", "qiang_duizi", _entry(exprs._ARITHMETIC, 2, "+")),
    Fault(
        "and as or",
        "big_two",
        _replaced(code, "both", lambda original: code.either),
    ),
    Fault(
        "negation dropped",
        "big_two",
        _replaced(code, "negated", lambda original: lambda operand: operand),
    ),
    Fault(
        "element not guarded",
        "war",
        _replaced(Expressions, "_is_certain", lambda original: lambda self, value: True),
    ),
    Fault(
        "lower bound of a deal dropped",
        "qiang_duizi",
        _replaced(
            stmts,
            "_within",
            lambda original: lambda member, lower, upper: original(member, None, upper),
        ),
    ),
    Fault(
        "successors ignored",
        "qiang_duizi",
        _replaced(
            Judgement,
            "_beats_others",
            lambda original: lambda self, now: original(self, replace(now, successors=())),
        ),
    ),
    # in the files
    Fault("shuffle left out", "big_two", file="match.py", old="game.shuffle()", new="pass"),
    Fault("one round too many", "tiny", file="match.py", old="game.deal(1)", new="game.deal(2)"),
    Fault("the wrong result", "tiny", file="settle.py", old="return 1", new="return 2"),
    Fault("another player", "tiny", file="settle.py", old="current_player", new="players[0]"),
    Fault("a wait at another node", "war", file="match.py", old='AwaitPlay("ask_reply")', new='AwaitPlay("ask_lead")'),
    Fault("an option missing", "twenty_one", file="match.py", old="options=(1, 0)", new="options=(1,)"),
    Fault("another timer", "twenty_one", file="match.py", old="timer=20", new="timer=30"),
    Fault("the last to play is first", "war", file="match.py", old="1 - game.table.leader", new="game.table.leader"),
    Fault("the end missed", "war", file="match.py", old="game.table.round >= 10", new="game.table.round >= 9"),
    Fault("the deck in another order", "tiny", file="classes.py", old="(1, 2, 3, 4)", new="(1, 2, 4, 3)"),
    Fault("a property restored wrongly", "qiang_duizi", file="classes.py", old='values["底分"]', new='values["手数"]'),
    Fault("a start value", "qiang_duizi", file="classes.py", old="self.底分 = 1", new="self.底分 = 0"),
    Fault("a cardset of another size", "big_two", file="cardsets.py", old="size == 3", new="size == 4"),
    Fault("a bound of a cardset", "big_two", file="cardsets.py", old="sorted_rank[4] <= 14", new="sorted_rank[4] < 14"),
    Fault("a constant of a cardset", "big_two", file="cardsets.py", old="sorted_rank[2] == 5", new="sorted_rank[2] == 4"),
    Fault("a step of a row", "big_two", file="cardsets.py", old="[0] == 4", new="[0] == 5"),
    Fault("a size that no hint looks at", "big_two", file="__init__.py", old="(1, 2, 3, 5)", new="(1, 3, 5)"),
    Fault("the greatest size forgotten", "big_two", file="__init__.py", old="(1, 2, 3, 5)", new="(1, 2, 3)"),
    Fault("a size of a cardset", "big_two", file="__init__.py", old='"Triple", (), (3,)', new='"Triple", (), (2,)'),
    Fault("a property that no play has", "war", file="__init__.py", old='"Single", ()', new='"Single", ("w",)'),
    Fault("ranks taken for one another", "big_two", file="__init__.py", old="in_any", new='judged_by=("suit",), in_any'),
    Fault("a cardset's property", "qiang_duizi", file="cardsets.py", old='"权重": 9', new='"权重": 8'),
    Fault("now and before exchanged", "qiang_duizi", file="cardsets.py", old="四喜_(now, before)", new="四喜_(before, now)"),
    Fault("the suit forgotten", "big_two", file="classes.py", old="highest_rank * 4 + highest_suit", new="highest_rank * 4"),
    Fault("a method that fails", "twenty_one", file="classes.py", old="def total(self)", new="def total(self, more)"),
    Fault("an import that fails", "tiny", file="match.py", old="SETTLE,", new="SETTLED,"),
)  # fmt: skip


@pytest.fixture(autouse=True)
def unformatted(monkeypatch: Patch) -> None:
    """Leaves out formatting, which changes no meaning and takes most of the time."""
    monkeypatch.setattr(style, "formatted", lambda text: text)
    monkeypatch.setattr(style, "refuse_unsettled", lambda text: None)


def _source(rule: str) -> bytes:
    return (RULES / f"{rule}.json").read_bytes()


def _sound(rule: str) -> Built:
    return pipeline.build(_source(rule), f"rules/{rule}.json")


def _with(built: Built, file: str, old: str, new: str) -> Built:
    """The package with a text in one of its files replaced, all over."""
    assert old in built.files[file], f"{file} does not have {old!r}"
    changed = built.files[file].replace(old, new)
    return replace(built, files={**built.files, file: changed})


def _faulty(fault: Fault) -> Built:
    """The package of the fault's rule, compiled with the fault; an AssertionError if that changes nothing."""
    sound = _sound(fault.rule)
    with Patch.context() as patch:
        fault.plant(patch)
        built = _sound(fault.rule)
    if fault.file:
        built = _with(built, fault.file, fault.old, fault.new)
    assert built.files != sound.files
    return built


def _fails_as_printed(text: str, built: Built, source: bytes, folder: Path) -> None:
    """The printed case passes on the interpreter and fails on the package."""
    path = folder / "printed.case"
    rule = "== rule alone\n" + source.decode()
    path.write_text(text.replace("== run", f"{rule}\n== run"), encoding="utf-8")
    case = read_case(path)
    assert case.commands
    run_case(case, Interpreted(case.document()))
    with pytest.raises(Exception):  # noqa: B017 - a faulty package fails in any way
        package = memory.import_package(built.slug, built.files)
        run_case(case, Compiled(package, case.cardset_order(), built.handed))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_caught_and_told(fault: Fault, tmp_path: Path) -> None:
    built, source = _faulty(fault), _source(fault.rule)
    found = verify(built, source, seconds=PATIENCE)
    assert found is not None
    text = case_text(found, built.name, f"rules/{fault.rule}.json")
    assert "# interpreted: " in text and "# compiled:    " in text
    assert f"rules/{fault.rule}.json" in text
    _fails_as_printed(text, built, source, tmp_path)


def test_there_are_enough_faults() -> None:
    assert len(FAULTS) >= 12
    assert {fault.rule for fault in FAULTS} == {path.stem for path in SHIPPED}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_a_sound_package_passes(path: Path) -> None:
    shares: list[float] = []
    built = _sound(path.stem)
    assert verify(built, path.read_bytes(), report=shares.append) is None
    assert shares == sorted(shares) and shares[-1] == 1.0


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_inputs_are_of_every_kind_and_fixed_by_the_rule(path: Path) -> None:
    subject = subject_of(_sound(path.stem), path.read_bytes(), None)

    def drawn() -> Iterator[object]:
        source = Source(subject)
        for number in range(4):
            draw = Draw(source, number)
            begin = draw.begin()
            session = Session(subject, begin)
            yield begin
            for step in draw.steps(session):
                session.do(step)
                yield step

    inputs = list(drawn())
    kinds = {type(one) for one in inputs}
    assert {Start, Arranged, Action, Build, Beats} <= kinds
    # Twenty-one mostly asks for a choice
    assert Plays in kinds or path.stem == "twenty_one"
    assert inputs == list(drawn())


def test_the_same_fault_gives_the_same_case() -> None:
    fault = next(one for one in FAULTS if one.name == "> as >=")
    built, source = _faulty(fault), _source(fault.rule)
    first = verify(built, source, seconds=60)
    assert first is not None
    assert verify(built, source, seconds=60) == first
    assert len(first.input.steps) <= 3


# --- flows that do not end


def _looping(turns: int | None) -> bytes:
    """The tiny rule with a loop before its wait: so many turns, or endlessly many."""
    rule = json.loads(_source("tiny"))
    design = rule["design"]
    flow = design["match_flow"]
    design["classes"]["table"]["user_properties"]["turn"] = {
        "type": "int",
        "default": 0,
    }
    after = flow["deal"]["content"]["next"]
    flow["deal"]["content"]["next"] = "count"
    flow |= {
        "turn": {"type": 6, "content": {"operator": 0, "ident": "table_0", "property": "turn"}},
        "more": {"type": 10, "content": {"operator": 0, "lval": "turn", "rval": " 1"}},
        "count": {"type": 4, "content": {"component": "turn", "rvalue": "more", "next": "again"}},
        "again": {"type": 16, "content": {"condition": "is_less", "next_true": "count", "next_false": after}},
        "is_less": {"type": 14, "content": {"operator": 2, "lval": "turn", "rval": str(turns)}},
    }  # fmt: skip
    if turns is None:
        flow["again"]["content"]["condition"] = "true"
    return json.dumps(rule).encode()


def test_where_an_endless_flow_stops_is_no_difference() -> None:
    source = _looping(None)
    assert verify(pipeline.build(source, "loop.json"), source, seconds=0.3) is None


def test_a_flow_that_ends_must_end_in_the_package_too(monkeypatch: Patch) -> None:
    source = _looping(50)
    built = pipeline.build(source, "loop.json")
    assert verify(built, source, seconds=0.3) is None
    monkeypatch.setattr(runtime_game, "TICKS", 20)
    found = verify(built, source, seconds=0.3)
    assert found is not None
    assert "endless_flow" in found.difference.compiled


def test_a_package_that_never_comes_back_is_given_up(monkeypatch: Patch) -> None:
    monkeypatch.setattr(watch, "PATIENCE", 0.2)
    built = _with(_sound("tiny"), "match.py", "game.deal(1)", "while True: pass")
    found = verify(built, _source("tiny"))
    assert found is not None
    assert found.difference.compiled == "does not come back"


# --- the command


def _build(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["build", *map(str, arguments)])


def _contents(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


def _plant(patch: Patch) -> None:
    """A fault that shows in twenty_one and in no tiny rule."""
    patch.setitem(exprs._COMPARISONS, 0, ">=")


def test_nothing_is_written_on_a_mismatch(tmp_path: Path, monkeypatch: Patch) -> None:
    _plant(monkeypatch)
    output = tmp_path / "build"
    tiny, faulty = RULES / "war.json", RULES / "twenty_one.json"
    result = _build(tiny, faulty, "-o", output, "--verify=1")
    assert result.exit_code == 1
    assert "== run" in result.stdout and "Twenty-one" in result.stdout
    assert "twenty_one.json" in result.stderr and "nothing was written" in result.stderr
    assert "war.json" not in result.stderr
    assert not output.exists()


def test_what_was_there_stays(tmp_path: Path, monkeypatch: Patch) -> None:
    rule = RULES / "twenty_one.json"
    assert _build(rule, "-o", tmp_path).exit_code == 0
    before = {one: one.read_bytes() for one in _contents(tmp_path) if one.is_file()}
    _plant(monkeypatch)
    assert _build(rule, "-o", tmp_path, "--verify").exit_code == 1
    after = {one: one.read_bytes() for one in _contents(tmp_path) if one.is_file()}
    assert after == before


def test_a_layout_that_black_would_change_is_told(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    """Faulty layout is a bug of ours like a mismatch: what differs is printed, not the module, and nothing is written."""
    monkeypatch.setattr(style, "refuse_unsettled", REFUSE_UNSETTLED)
    monkeypatch.setattr(
        style, "formatted", lambda text: FORMATTED(text).replace(" == 0", "==0")
    )
    output, rule = tmp_path / "build", RULES / "tiny.json"
    result = _build(rule, "-o", output, "--verify=0.1")
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert result.stdout.splitlines() == [
        "tiny/settle.py: black would lay out generated code otherwise:",
        "@@ -12 +12 @@",
        "-    if game.current_player.手牌数==0:  # [is_out]",
        "+    if game.current_player.手牌数 == 0:  # [is_out]",
    ]
    assert (
        f"{rule} is not laid out as black would do it: a bug of dealwright"
        in result.stderr
    )
    assert "nothing was written" in result.stderr
    assert not output.exists()

    monkeypatch.setattr(style, "formatted", FORMATTED)
    assert _build(rule, "-o", output, "--verify=0.1").exit_code == 0


@pytest.mark.parametrize(
    ("environment", "arguments", "is_verified"),
    [
        (None, [], False),
        ("", [], False),
        ("false", [], False),
        ("0", [], False),
        ("true", [], True),
        ("1", [], True),
        ("true", ["--no-verify"], False),
        ("true", ["--verify=0"], False),
        (None, ["--verify"], True),
        (None, ["--verify=0.5"], True),
        (None, ["--no-verify", "--verify"], True),
        (None, ["--verify", "--no-verify"], False),
        (None, ["--check", "--verify"], True),
    ],
)
def test_when_it_runs(
    environment: str | None,
    arguments: list[str],
    is_verified: bool,
    tmp_path: Path,
    monkeypatch: Patch,
) -> None:
    if environment is None:
        monkeypatch.delenv("CI", raising=False)
    else:
        monkeypatch.setenv("CI", environment)
    _plant(monkeypatch)
    # the option stands before the rule, which must not be taken for its value
    result = _build(*arguments, RULES / "twenty_one.json", "-o", tmp_path / "build")
    assert ("does not do what the rule says" in result.stderr) == is_verified
    assert result.exit_code == int(is_verified)


def test_seconds() -> None:
    assert seconds_of(None, {}) == seconds_of(None, {"CI": "False"}) == 0
    assert seconds_of(None, {"CI": "yes"}) == SECONDS
    assert seconds_of(7, {"CI": "yes"}) == 7
    assert seconds_of(0, {"CI": "yes"}) == 0


@pytest.mark.parametrize("value", ["x", "-1", "nan", "inf", ""])
def test_a_bad_number_of_seconds_is_wrong_usage(value: str, tmp_path: Path) -> None:
    result = _build(f"--verify={value}", RULES / "tiny.json", "-o", tmp_path / "build")
    assert result.exit_code == 2
    assert "--verify" in result.stderr


def test_the_help_shows_both_spellings() -> None:
    said = CliRunner().invoke(main, ["build", "--help"]).stdout
    assert "--verify[=SECONDS] / --no-verify" in said


def test_declared_players_count(tmp_path: Path) -> None:
    rule = RULES / "war.json"
    result = _build("--players", "2", "--verify=0.3", rule, "-o", tmp_path)
    assert result.exit_code == 0, result.output


# --- progress


class _Screen(io.StringIO):
    """A stream that is a terminal or not."""

    def __init__(self, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_progress_bar_on_a_terminal_only(
    is_terminal: bool, monkeypatch: Patch
) -> None:
    screen = _Screen(is_terminal)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    fresh = [Fresh("rules/tiny.json", _source("tiny"), None, _sound("tiny"))] * 2
    assert failing_cases(fresh, 0.2) == {}
    assert ("verifying" in screen.getvalue()) == is_terminal
