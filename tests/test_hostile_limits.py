"""What hostile files cost, and what the command line says where the system refuses: limits, and streams that fail.

Time is measured by what is done, not by the clock, wherever that can be counted. `test_hostile_input.py` has the tables
of what a file may hold.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dealwright.compiler import import_hook, pipeline
from dealwright.compiler.diagnostics.pointer import ROOT
from dealwright.compiler.diagnostics.reporter import (
    MORE,
    MOST_SHOWN,
    CompileError,
    Reporter,
)
from dealwright.compiler.front import read_rule
from dealwright.compiler.lowering.infer import Kinds, infer
from dealwright.compiler.output import memory
from dealwright.compiler.reading.source import MAX_BYTES, MAX_KEY, parse_source
from tests.front.small import branch, node, small
from tests.hostile import ODD
from tests.support import ROOT as PROJECT
from tests.support import RULES, as_bytes

Json = Any
TINY = RULES / "tiny.json"

# --- quantifiers in each other


def nested(quantifiers: int, height: int) -> Json:
    """Quantifiers over cards and players in turn, with formulas of this height between them that cannot be moved."""
    nodes: dict[str, Json] = {
        f"c{at}": node(7, selection="cards") for at in range(quantifiers)
    }
    for at in range(quantifiers):
        names = [
            *(f"s{at}_{step}" for step in range(height)),
            f"v{at + 1}",
        ]
        nodes[f"v{at}"] = node(
            11, operator=at % 2, set="pool" if at % 2 else "people", component=names[0]
        )
        for step, name in enumerate(names[:-1]):
            other = f"c{at}" if step % 2 else step + 2
            nodes[name] = node(10, operator=step % 3, lval=names[step + 1], rval=other)
    rule = small()
    flow = rule["match_flow"]
    flow["pool"] = node(6, operator=0, ident="table_0", property="卡牌池")
    flow["people"] = node(6, operator=0, ident="table_0", property="玩家池")
    flow["call"]["content"]["next"] = "if"
    flow["if"] = branch("v0", "play", "end")
    flow |= nodes | {f"v{quantifiers}": node(7, selection="cards")}
    return rule


@pytest.fixture
def _unformatted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Formatting takes nine tenths of the time and is not what is tested here."""
    monkeypatch.setattr("dealwright.compiler.emit.style.formatted", lambda text: text)


def on_a_short_stack(act: Callable[[], object], depth: int) -> object:
    """What `act` gives where only so many calls may be open; an exception is raised here."""
    done: list[object] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(act())
        except BaseException as error:
            failed.append(error)

    before = sys.getrecursionlimit()
    thread = threading.Thread(target=run)
    sys.setrecursionlimit(depth)
    try:
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(before)
    if failed:
        raise failed[0]
    return done[0]


@pytest.mark.usefixtures("_unformatted")
@pytest.mark.parametrize(
    ("height", "most"), [(0, 39), (2, 28), (10, 13), (24, 6), (60, 3), (200, 3)]
)
def test_nested_quantifiers(height: int, most: int) -> None:
    """The deepest nests that are accepted compile with a third of the stack to spare; one more is refused."""
    data = as_bytes(nested(most, height))
    built: Any = on_a_short_stack(lambda: pipeline.build(data, "x.json"), 700)
    memory.import_package(built.slug, built.files)
    _, reporter = read_rule(as_bytes(nested(most + 1, height)), "x.json")
    errors = [one for one in reporter.diagnostics() if one.severity.value == "error"]
    assert [one.code for one in errors] == ["R222"]
    assert f"{most + 1} in each other" in errors[0].message_en
    assert f"{most + 1} 层" in errors[0].message_zh


def test_hundreds_of_nested_quantifiers_are_told_once() -> None:
    _, reporter = read_rule(as_bytes(nested(79, 0)), "x.json")
    assert [one.code for one in reporter.diagnostics()].count("R222") == 1
    _, reporter = read_rule(as_bytes(nested(80, 0)), "x.json")
    assert [one.code for one in reporter.diagnostics()].count("R222") == 2


# --- long keys


def test_keys_that_are_too_long() -> None:
    """Refused wherever they stand, and everything else is told too."""
    rule = small()
    rule["x" * (MAX_KEY + 1)] = 1
    rule["y" * MAX_KEY] = 1
    rule["end_flow"] = {}
    codes = [one.code for one in read_rule(as_bytes(rule), "x.json")[1].diagnostics()]
    assert sorted(codes) == ["R132", "R136"]


def test_pointers_share_their_keys() -> None:
    """A key of 10,000 letters above thousands of nodes, each with a problem, is one text and stays one."""
    rule = small()
    letters = "i" * MAX_KEY
    rule["cardsets"][letters] = {**rule["cardsets"].pop("1"), "successors": []}
    rule["cardsets"][letters]["build_flow"].update(
        {f"n{number}": node(8, "nowhere", value=1) for number in range(10_000)}
    )
    data = as_bytes(rule)
    tracemalloc.start()
    try:
        _, reporter = read_rule(data, "x.json")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert reporter.counts().errors == 10_000
    # as texts of their own the pointers alone would be 100 MB
    assert peak < 60_000_000


@pytest.mark.parametrize("name", ["", "a/b", "~", "~1", "0", "字", " "])
def test_pointers(name: str) -> None:
    place = ROOT / "x" / name
    assert place == ROOT.below(str(place)[1:])
    assert place.steps() == ("x", name)
    assert hash(place) == hash(ROOT / "x" / name)
    assert place != ROOT / "x" / f"{name}!"


# --- thousands of problems


def repeated(count: int) -> bytes:
    """An object with one key so many times more than it may stand."""
    return b"{" + b",".join([b'"a":1'] * (count + 1)) + b"}"


def test_problems_beyond_the_limit_are_counted() -> None:
    """Of each file 200 are listed, errors first, and the last one tells how many there are besides."""
    reporter = Reporter("x.json")
    parse_source(repeated(100_000), reporter)
    found = reporter.diagnostics()
    assert [one.code for one in found] == ["R106"] * MOST_SHOWN + [MORE]
    assert found[-1].message_en == "and 99800 more that are not listed: 99800 errors"
    assert found[-1].message_zh == "另有 99800 个问题未列出：99800 个错误"
    assert reporter.counts().errors == 100_000


def test_problems_that_are_only_counted_are_not_built(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    built = 0
    made = sys.modules["dealwright.compiler.diagnostics.reporter"].diagnostic

    def counted(*arguments: Any) -> Any:
        nonlocal built
        built += 1
        return made(*arguments)

    monkeypatch.setattr("dealwright.compiler.diagnostics.reporter.diagnostic", counted)
    parse_source(repeated(10_000), Reporter("x.json"))
    assert built == MOST_SHOWN


def test_an_error_is_listed_before_any_warning() -> None:
    """Three hundred warnings that stand before the only error do not hide it."""
    rule = small()
    rule["match_flow"] = {
        **{f"x{number}": node(3) for number in range(300)},
        **rule["match_flow"],
    }
    rule["end_flow"] = {}
    _, reporter = read_rule(as_bytes(rule), "x.json")
    found = reporter.diagnostics()
    codes = [one.code for one in found]
    assert len(codes) == MOST_SHOWN + 1
    assert "R136" in codes
    assert codes[-1] == MORE
    positions = [(one.place.line, one.place.column) for one in found[:-1]]
    assert positions == sorted(positions)
    counts = reporter.counts()
    assert (counts.errors, counts.warnings) == (1, 300)
    more = "and 101 more that are not listed: 101 warnings"
    assert found[-1].message_en == more


FORMS = ("text", "json", "github", "sarif")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_says_how_many_more(tmp_path: Path, form: str, lang: str) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(repeated(100_000))
    done = dealwright("check", "--format", form, "--lang", lang, str(file))
    assert done.returncode == 1
    # R106 at every place but one, and what is missing from an empty rule
    more = {"en": "and 99804 more that are not listed", "zh": "另有 99804 个问题未列出"}
    assert done.stdout.count(more[lang]) == 1
    total = {"en": "1 rule: 100004 errors", "zh": "1 个规则：100004 个错误"}
    assert total[lang] in done.stderr
    if form in ("json", "sarif"):
        document = json.loads(done.stdout)
        if form == "json":
            assert document["counts"]["errors"] == 100_004
            assert document["files"][0]["errors"] == 100_004


def test_build_and_adopt_say_how_many_more(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(repeated(1_000))
    for arguments in (
        ("build", str(file), "-o", str(tmp_path / "o")),
        ("adopt", str(file), str(file)),
        ("play", str(file), "--auto"),
    ):
        done = dealwright(*arguments)
        assert done.returncode == 1
        assert "and 804 more that are not listed: 804 errors" in done.stderr
    assert "dealwright: 1004 errors, 0 warnings" in dealwright("play", str(file)).stderr
    with pytest.raises(CompileError, match="and 804 more") as caught:
        pipeline.build(file.read_bytes(), "x.json")
    assert caught.value.counts.errors == 1_004


# --- chains of methods


def chain(length: int, *, callers_first: bool) -> Json:
    """Methods of which each hands its parameter on to the next, and gives what that gives, one more."""
    rule = small()
    calls = [
        node(1, object="玩家", method=f"m{at + 1}", parameter=["p"])
        for at in range(length)
    ]
    methods = {
        f"m{at}": {
            "parameters": {"p": {"type": "int"}},
            "flow": {
                "1": node(25, "end"),
                "end": node(26, **{"return": "sum"}),
                "sum": node(10, operator=0, lval="call", rval="p"),
                "call": call,
            },
        }
        for at, call in enumerate([*calls, node(8, value=1)])
    }
    names = list(methods) if callers_first else list(reversed(methods))
    rule["classes"]["player"]["methods"].update({name: methods[name] for name in names})
    flow = rule["match_flow"]
    flow["set"]["content"]["rvalue"] = "first"
    flow["first"] = node(1, object="玩家", method="m0", parameter=[2])
    return rule


@pytest.mark.parametrize("callers_first", [True, False])
def test_kinds_are_found_in_linear_time(
    monkeypatch: pytest.MonkeyPatch, callers_first: bool
) -> None:
    """Twice as many methods take twice as many steps, in whichever order they stand."""
    steps = 0
    found = Kinds._found

    def counted(self: Kinds, fact: Any) -> Any:
        nonlocal steps
        steps += 1
        return found(self, fact)

    monkeypatch.setattr(Kinds, "_found", counted)
    taken = []
    for length in (100, 200, 400):
        rule, _ = read_rule(
            as_bytes(chain(length, callers_first=callers_first)), "x.json"
        )
        assert rule is not None
        steps = 0
        infer(rule)
        taken.append(steps)
    assert taken[1] <= 2.1 * taken[0]
    assert taken[2] <= 2.1 * taken[1]


# --- files without an end


def too_large(folder: Path) -> Path:
    """A file that is far beyond the limit and takes no room on disk."""
    file = folder / "huge.json"
    with file.open("wb") as stream:
        stream.truncate(64 * MAX_BYTES)
    return file


@pytest.fixture
def _counted_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fails a test in which a large file is read as a whole."""
    whole = Path.read_bytes

    def bounded(self: Path) -> bytes:
        assert self.stat().st_size <= MAX_BYTES, f"all of {self} is read"
        return whole(self)

    monkeypatch.setattr(Path, "read_bytes", bounded)


@pytest.mark.usefixtures("_counted_reads")
@pytest.mark.parametrize(
    "command",
    [
        ["check"],
        ["build", "-o", "o"],
        ["build", "--players", "2", "-o", "o"],
        ["play", "--auto"],
    ],
    ids=" ".join,
)
def test_no_command_reads_more_than_it_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    from click.testing import CliRunner

    from dealwright.compiler.cli import main

    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(
        main,
        [command[0], str(too_large(tmp_path)), *command[1:]],
        catch_exceptions=False,
    )
    assert result.exit_code == 1
    assert "R101" in result.output


@pytest.mark.usefixtures("_counted_reads")
def test_no_hook_reads_more_than_it_may(tmp_path: Path) -> None:
    from dealwright.compiler.hatch_hook import _compiled, _Refused

    too_large(tmp_path)
    import_hook.install(tmp_path)
    try:
        with pytest.raises(CompileError, match="R101"):
            __import__("huge")
    finally:
        import_hook.uninstall()
    with pytest.raises(_Refused, match="R101"):
        _compiled(tmp_path, ["huge.json"], print)


# --- streams that fail


def dealwright(
    *arguments: str | bytes, stdout: Any = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    path = os.pathsep.join(os.path.abspath(one) for one in sys.path)
    return subprocess.run(
        [sys.executable, "-m", "dealwright", *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="surrogateescape",
        env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
    )


COMMANDS = {
    "schema": ["schema"],
    "help": ["--help"],
    "codes": ["codes"],
    "check text": ["check", "BROKEN"],
    "check json": ["check", "--format", "json", "BROKEN"],
    "check sarif": ["check", "--format", "sarif", "BROKEN"],
    "check github": ["check", "--format", "github", "BROKEN"],
    "build": ["build", str(TINY), "-o", "OUT"],
    "play": ["play", "--auto", "--seed", "1", str(TINY)],
}


def command_of(name: str, folder: Path) -> list[str]:
    broken = folder / "broken.json"
    broken.write_text('{"a": 1, "a": 2}', "utf-8")
    known = {"BROKEN": str(broken), "OUT": str(folder / "out")}
    return [known.get(one, one) for one in COMMANDS[name]]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device /dev/full")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_is_one_line(tmp_path: Path, name: str) -> None:
    with open("/dev/full", "w") as full:
        done = dealwright(*command_of(name, tmp_path), stdout=full)
    assert done.returncode == 1
    assert (
        done.stderr.splitlines()[-1]
        == "dealwright: cannot write the output: No space left on device"
    )
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_a_reader_that_has_gone_is_no_news(tmp_path: Path, name: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = dealwright(*command_of(name, tmp_path), stdout=writing)
    finally:
        os.close(writing)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    assert "ipe" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device /dev/full")
def test_a_transcript_that_cannot_be_written(tmp_path: Path) -> None:
    done = dealwright("play", "--auto", "--transcript", "/dev/full", str(TINY))
    assert done.returncode == 1
    assert (
        done.stderr == "dealwright: cannot write the output: No space left on device\n"
    )
    missing = str(tmp_path / "missing" / "x.txt")
    done = dealwright("play", "--auto", "--transcript", missing, str(TINY))
    assert done.returncode == 1
    assert done.stderr == f"dealwright: {missing}: No such file or directory\n"


# --- file names


@pytest.fixture
def odd_file(tmp_path: Path) -> bytes:
    """A broken rule file whose name is no UTF-8."""
    path = os.fsencode(tmp_path) + b"/odd\xff\xfe.json"
    try:
        with open(path, "wb") as stream:
            stream.write(b'{"a": 1, "a": 2}')
    except OSError:
        pytest.skip("this file system takes names in UTF-8 only")
    return path


@pytest.mark.parametrize("form", FORMS)
def test_file_names_that_are_not_utf_8(odd_file: bytes, form: str) -> None:
    done = dealwright("check", "--format", form, odd_file)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    done.stdout.encode("utf-8", "strict")
    shown = {"text": "odd\\udcff\\udcfe.json", "sarif": "/odd%FF%FE.json"}
    assert shown.get(form, "odd\ufffd\ufffd.json") in done.stdout
    if form == "json":
        files = json.loads(done.stdout)["files"]
        assert [Path(one["file"]).name for one in files] == ["odd\ufffd\ufffd.json"]
    if form == "sarif":
        (run,) = json.loads(done.stdout)["runs"]
        assert run["artifacts"][0]["location"]["uri"].startswith("file:///")


def test_rules_in_files_that_are_not_utf_8(odd_file: bytes, tmp_path: Path) -> None:
    with open(odd_file, "wb") as stream:
        stream.write(TINY.read_bytes())
    out = tmp_path / "out"
    done = dealwright("build", odd_file, "-o", str(out))
    assert done.returncode == 0, done.stderr
    (package,) = out.iterdir()
    assert package.name.isascii()
    assert dealwright("play", "--auto", "--seed", "1", odd_file).returncode == 0
    assert dealwright("build", odd_file, "-o", str(out), "--check").returncode == 0


# --- messages


def test_what_the_system_says_has_a_remedy(tmp_path: Path) -> None:
    """No numbers of the system, and what can be done about it."""
    rules = tmp_path / "rules"
    (rules / "folder.json").mkdir(parents=True)
    file = tmp_path / "file"
    file.write_text("mine", "utf-8")
    output, tiny = str(file / "x"), str(TINY)
    for arguments, said in (
        (("build", str(rules), "-o", str(tmp_path / "o")), "cannot read"),
        (("build", tiny, "-o", output), "cannot write"),
        (("adopt", tiny, tiny, "-o", output), "cannot write"),
    ):
        done = dealwright(*arguments)
        assert done.returncode == 1
        last = done.stderr.splitlines()[-1]
        assert last.startswith(f"dealwright: {said} {tmp_path}")
        assert "Errno" not in done.stderr
        assert ";" in last, "what is wrong; what to do"


def test_numbers_agree_with_their_nouns() -> None:
    """`1 card`, never `1 cards`: in the texts of a whole match of a rule with few cards, and of every diagnostic."""
    shown = dealwright("play", "--auto", "--seed", "1", str(TINY)).stdout
    one_of_many = [
        word for word in shown.split("\n") if " 1 cards" in word or " 1 actions" in word
    ]
    assert one_of_many == []
    page = (PROJECT / "docs" / "codes.md").read_text("utf-8")
    for noun in ("cards", "players", "errors", "nodes"):
        assert f"› {noun}" not in page.replace("‹limit› ", "")


def test_the_largest_names_are_cut_in_messages() -> None:
    for name in (*ODD, "x" * MAX_KEY):
        rule = {**small(), "end_flow": {name: node(3)}}
        for one in read_rule(as_bytes(rule), "x.json")[1].diagnostics():
            assert len(one.text("en")) < 1_000
