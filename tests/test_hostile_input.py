"""Hostile rule files end in a diagnostic: never in a traceback, in a hang or in code.

Tables of bytes, of values in every place where a value can stand, of file names and of rules that are large in one
direction only. `DEALWRIGHT_LONG=1` compiles whatever the front accepts, and goes through a million damaged files:

    DEALWRIGHT_LONG=1 pytest tests/test_hostile_input.py -k damaged

prints how far it has come after every part.
"""

from __future__ import annotations

import ast
import json
import random
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import click.testing
import pytest

from dealwright.compiler import pipeline
from dealwright.compiler.cli import main
from dealwright.compiler.diagnostics.reporter import CompileError, Reporter
from dealwright.compiler.emit.naming import sanitized
from dealwright.compiler.front import read_rule
from dealwright.compiler.output import memory
from dealwright.compiler.rule.components import COMPONENTS
from tests.front.small import branch, node, small
from tests.hostile import HOSTILE, LONGEST, ODD
from tests.support import LONG, RULES, as_bytes

Json = dict[str, Any]

CODE = re.compile(r"R[1-4][0-9][0-9]")
TINY = (RULES / "tiny.json").read_bytes()

VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 99, 10**30, -(10**3999), 1.5, -0.0, 1e300, "", " ", "x", "1", " 1", "+1", "-1", "1.5",
    "true", "cards", "A", "玩家", "table_0", "player_0", "player_99", "card_1", "card_0", "card_1|card_2", "card_1|",
    "player_" + "9" * 5000, "9" * 4001, "\x00", "\u2028", "\u202e", '"""', "{x}", "{{x}}", "../x", "a" * 10_000, [], [[]],
    [None], [1], [1.5], ["x"], [{}], [{"name": 1, "value": "1"}], {}, {"x": 1}, {"x": {}}, {"": None},
)  # fmt: skip
"""JSON of every type, and texts that mean something somewhere."""

TYPES: tuple[Any, ...] = (None, True, 10**30, 1.5, "x", "", ["x"], {"x": 1})
"""One value of every type of JSON, and the empty text, which means "nothing here"."""


def checked(data: bytes, shown: str = "x.json") -> bool:
    """Whether the front accepts the file; whatever it says must name a place in the file, a code and a remedy."""
    rule, reporter = read_rule(data, shown)
    assert (rule is None) == reporter.has_errors
    check_diagnostics(reporter, data)
    return rule is not None


def check_diagnostics(reporter: Reporter, data: bytes) -> None:
    lines = re.split("\r\n|\r|\n", data.decode("utf-8", "replace"))
    for one in reporter.diagnostics():
        assert CODE.fullmatch(one.code)
        assert 1 <= one.place.line <= len(lines)
        assert 1 <= one.place.column <= len(lines[one.place.line - 1]) + 1
        for text in (one.text("en"), one.text("zh")):
            assert text.isprintable() or text.replace("\n", "").isprintable()
            assert text.count("\n") == 1
            assert len(text) < 2_000
        assert one.remedy("en")
        assert one.remedy("zh")


def compile_and_start(document: Json) -> None:
    """Compile a rule that the front accepts, import it, and start a match; only typed errors may come out."""
    from dealwright.runtime import DealwrightError

    built = pipeline.build(as_bytes(document), "rules/x.json")
    package = memory.import_package(built.slug, built.files)
    try:
        package.new_match(range(package.PACKAGE.players or 2), seed=1)
    except DealwrightError as error:
        assert error.code in {"deck_exhausted", "endless_flow", "rule_error"}


@pytest.fixture
def _unformatted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Formatting takes nine tenths of the time and is not what is tested here; the text must still be Python."""

    def parsed(text: str) -> str:
        ast.parse(text)
        return text

    monkeypatch.setattr("dealwright.compiler.emit.style.formatted", parsed)


# --- bytes

BYTES: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "R104"),
    "spaces": (b" \n\t\r\n", "R104"),
    "nul": (b"\0", "R104"),
    "BOM": (b"\xef\xbb\xbf" + TINY, "R103"),
    "UTF-16": (TINY.decode().encode("utf-16"), "R102"),
    "UTF-32": (TINY.decode().encode("utf-32"), "R102"),
    "GBK": ('{"名": 1}'.encode("gbk"), "R102"),
    "Latin-1": ('{"é": 1}'.encode("latin-1"), "R102"),
    "overlong slash": (b'["\xc0\xaf"]', "R102"),
    "raw surrogate": (b'["\xed\xa0\x80"]', "R102"),
    "escaped surrogate": (b'{"\\ud800": 1}', "R109"),
    "beyond Unicode": (b'["\xf4\x90\x80\x80"]', "R102"),
    "truncated character": (b'["\xe7\x8e', "R102"),
    "a repeated key": (b'{"a": 1, "a": 2}', "R106"),
    "not a number": (b'{"a": NaN}', "R105"),
    "a million digits": (b"[" + b"1" * 1_000_000 + b"]", "R108"),
    "a million digits, negative": (b"[-" + b"1" * 1_000_000 + b"]", "R108"),
    "a fraction of a million digits": (b"[0." + b"1" * 1_000_000 + b"]", "R117"),
    "an exponent of a million digits": (b"[1e" + b"9" * 1_000_000 + b"]", "R117"),
    "lists, 100,000 deep": (b"[" * 100_000, "R107"),
    "objects, 100,000 deep": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "R107"),
    "100 MB": (b" " * 100_000_000, "R101"),
    "100,000 values": (b"[" + b"{}," * 99_999 + b"{}]", "R117"),
    "a million nodes": (
        b'{"match_flow": {' + b",".join(b'"%d":{}' % id for id in range(10**6)) + b"}}",
        "R110",
    ),
    "Python": (b"import os; os.abort()", "R104"),
    "YAML": (b"!!python/object/apply:os.abort []", "R104"),
    "a pickle": (b"cos\nabort\n(tR.", "R104"),
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes(name: str) -> None:
    data, code = BYTES[name]
    _, reporter = read_rule(data, "x.json")
    check_diagnostics(reporter, data)
    assert reporter.has(code)
    assert reporter.has_errors
    with pytest.raises(CompileError):
        pipeline.build(data, "x.json")


def damaged(data: bytes, rng: random.Random) -> bytes:
    """`data` with a few bytes or tokens changed, removed, doubled, or from elsewhere."""
    made = bytearray(data)
    for _ in range(rng.randrange(1, 4)):
        spot = rng.randrange(len(made) + 1)
        match rng.randrange(6):
            case 0:
                made[spot : spot + 1] = rng.randbytes(1)
            case 1:
                del made[spot : spot + rng.randrange(1, 60)]
            case 2:
                made[spot:spot] = rng.choice(TOKENS)
            case 3:
                end = spot + rng.randrange(1, 60)
                made[spot:spot] = made[spot:end]
            case 4:
                start = rng.randrange(len(data))
                made[spot:spot] = data[start : start + rng.randrange(1, 200)]
            case _:
                made = made[:spot] if rng.random() < 0.1 else made
    return bytes(made)


TOKENS = (
    *(b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"\\u", b"\\ud800", b"\0", b"\xff", b"\xef\xbb\xbf"),
    *(b"null", b"true", b"-", b"1e9", b"NaN", b"-0", b"1" * 4001, b'"1"', b'"cards"', b'{"1":{"type":17}}', b"[[[[[["),
)  # fmt: skip


@pytest.mark.parametrize("part", range(20 if LONG else 1))
def test_damaged_files(part: int, capsys: pytest.CaptureFixture[str]) -> None:
    """A million in the long setting; about a tenth of them are still rules."""
    rng = random.Random(part)
    count = 50_000 if LONG else 400
    accepted = 0
    for _ in range(count):
        data = (
            rng.randbytes(rng.randrange(40))
            if rng.random() < 0.1
            else damaged(TINY, rng)
        )
        accepted += checked(data)
    if LONG:
        with capsys.disabled():
            print(
                f"\n{(part + 1) * count:,} damaged files; {accepted:,} of the last {count:,} are rules"
            )
    assert count * 0.02 < accepted < count * 0.9


# --- every value in every place

VALUE_HOSTS = (1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 21, 22, 23, 25, 27, 29)
GOOD: dict[int, Json] = {
    1: {"object": "player_0", "method": "twice", "parameter": [1]},
    2: {"selection": "pool", "properties": [{"name": "点数", "order": 1}]},
    4: {"component": "round", "rvalue": 1},
    5: {"selection": "pool", "index": 0},
    6: {"operator": 0, "ident": "table_0", "property": "轮"},
    7: {"selection": "pool"},
    8: {"value": 1},
    9: {"value": 1},
    10: {"operator": 0, "lval": 1, "rval": 2},
    11: {"operator": 0, "set": "pool", "component": "round"},
    12: {"operator": 0, "lval": 1, "rval": "round"},
    13: {"component": "round"},
    14: {"operator": 0, "lval": 1, "rval": "round"},
    15: {"card_set": "pool", "card_rule": "1"},
    16: {"condition": "round", "next_true": "play", "next_false": "end"},
    20: {"prop_pair": [{"prop_name": "点数"}], "count": 0},
    21: {"timer": 1},
    22: {"timer": 1, "options": [1, 2]},
}
TERMINALS: dict[int, tuple[str, ...]] = {
    18: ("match_flow", "end"),
    24: ("end_flow", "end"),
    26: ("classes", "player", "methods", "twice", "flow", "end"),
    28: ("cardsets", "1", "build_flow", "yes"),
    30: ("cardsets", "1", "compare_flow", "now"),
}


def lean() -> Json:
    """The least rule that has something of everything: thousands of copies of it are read below."""
    number = {"type": "int", "default": 3}
    method = {"1": node(25, "end"), "end": node(26, **{"return": "n"})}
    return {
        "classes": {
            "player": {
                "methods": {"twice": {"parameters": {"n": number}, "flow": method}}
            },
            "card": {"default_properties": {"点数": number}},
            "table": {"user_properties": {"轮": number}},
        },
        "cardsets": {
            "1": {
                "name": "单",
                "build_flow": {"1": node(27, "yes"), "yes": node(28, result=1)},
                "compare_flow": {"1": node(29, "now"), "now": node(30, result=0)},
            },
        },
        "match_flow": {
            "1": node(17, "call"),
            "call": node(19, "play"),
            "play": node(21, "end"),
            "end": node(18),
            "round": node(6, operator=0, ident="table_0", property="轮"),
            "pool": node(6, operator=0, ident="table_0", property="卡牌池"),
        },
        "end_flow": {"1": node(23, "end"), "end": node(24, result=1)},
    }


def host(type_: int) -> tuple[Json, Json]:
    """A rule that compiles with a reachable node of this type, and that node."""
    rule = lean()
    flow = rule["match_flow"]
    if type_ in TERMINALS:
        inner: Any = rule
        for key in TERMINALS[type_]:
            inner = inner[key]
        inner["content"] = dict(inner.get("content") or {})
        return rule, inner
    made = node(type_, **GOOD.get(type_, {}))
    flow["host"] = made
    if type_ in VALUE_HOSTS:
        flow["call"]["content"]["next"] = "if"
        flow["if"] = branch("host", "play", "end")
    else:
        flow["call"]["content"]["next"] = "host"
        if type_ != 16:
            made["content"]["next"] = "end"
    return rule, made


def places(type_: int) -> Iterator[tuple[str, str, tuple[Any, ...]]]:
    """Every field of a component, in its content and on the node: where, key, and the values to try there."""
    for field in COMPONENTS[type_].fields:
        yield "content", field.name, VALUES
    others = VALUES if LONG else TYPES
    for jump in ("next", "next_true", "next_false"):
        yield "content", jump, others
        yield "node", jump, others
    for key in ("type", "content", "count", "position", ""):
        yield "node", key, others


DELETED = object()


def test_hosts_are_good() -> None:
    """What is refused below is refused for the value put in; every component of the table has a host."""
    for type_ in COMPONENTS:
        rule, _ = host(type_)
        _, reporter = read_rule(as_bytes(rule), "x.json")
        assert not reporter.has_errors, (
            type_,
            [one.text() for one in reporter.diagnostics()],
        )


@pytest.mark.usefixtures("_unformatted")
@pytest.mark.parametrize("type_", COMPONENTS)
def test_every_field_of_every_component(type_: int) -> None:
    accepted = refused = 0
    for where, key, values in places(type_):
        for value in values:
            rule, made = host(type_)
            (made if where == "node" else made["content"])[key] = value
            if not checked(as_bytes(rule)):
                refused += 1
                continue
            accepted += 1
            if LONG or accepted % 29 == 1:
                compile_and_start(rule)
    assert accepted > 20
    assert refused > 20


FIELDS = sorted({field.name for one in COMPONENTS.values() for field in one.fields})


@pytest.mark.usefixtures("_unformatted")
@pytest.mark.parametrize("type_", COMPONENTS)
def test_every_field_on_every_other_component(type_: int) -> None:
    """A field that the component does not have, or does, beside good content and beside nothing but jumps."""
    seen = 0
    for name in FIELDS:
        for value in (*TYPES, DELETED):
            for is_bare in (False, True):
                rule, made = host(type_)
                content = made["content"]
                if is_bare:
                    jumps = ("next", "next_true", "next_false")
                    content = {key: content[key] for key in jumps if key in content}
                    made["content"] = content
                content.pop(name, None)
                if value is not DELETED:
                    content[name] = value
                seen += 1
                if checked(as_bytes(rule)) and (LONG or seen % 97 == 1):
                    compile_and_start(rule)
    assert seen == 2 * len(FIELDS) * (len(TYPES) + 1)


def inner_places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """All places in a document that are not inside a flow."""
    if path and str(path[-1]).endswith("flow"):
        yield path
        return
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from inner_places(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value[:1]):
            yield from inner_places(inner, (*path, index))


@pytest.mark.usefixtures("_unformatted")
def test_every_value_outside_of_flows() -> None:
    document = {
        "meta": {"name": "小", "playerCount": 2, "description": ""},
        "design": small(),
    }
    text = json.dumps(document)
    accepted = 0
    for path in inner_places(document):
        for value in VALUES if LONG else TYPES:
            edited = json.loads(text)
            inner: Any = edited
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = value
            if checked(as_bytes(edited)):
                accepted += 1
                if LONG or accepted % 29 == 1:
                    compile_and_start(edited)
    assert accepted > 100


# --- file names

FILE_NAMES = (
    "x\nimport os\nos.abort()\n#.json", "x\rimport os.json", "x\u2028import os.json", '"""; import os.json', "'''.json",
    "../../x.json", "/etc/passwd", "a/../b.json", ".json", "..json", "__init__.json", "match.json", "class.json",
    "con.json", "nul.json", "x" * 250 + ".json", "\u202egpj.json", "\x1b[31m.json", "{{ 7 * 7 }}.json", "%s.json", "\\.json",
    "-o.json", "~.json", "ｆｕｌｌ.json", "\udcff\udcfe.json", "x.json\0", "# @generated from y.json by z.json",
)  # fmt: skip


@pytest.mark.parametrize("name", FILE_NAMES, ids=ascii)
def test_file_names(name: str) -> None:
    """A file name becomes a package name, a comment and nothing else."""
    plain = pipeline.build(TINY, "plain.json")
    built = pipeline.build(TINY, name)
    assert re.fullmatch(r"[a-z][a-z0-9_]{0,70}", built.slug)
    assert built.files.keys() == plain.files.keys()
    for path, text in built.files.items():
        assert text.encode("utf-8", "strict").isascii() or not path.endswith("py.typed")
        assert [type(one) for one in ast.walk(ast.parse(text))] == [
            type(one) for one in ast.walk(ast.parse(plain.files[path]))
        ]
        if text:
            assert text.split("\n")[0].startswith("# @generated from ")
            assert text.split("\n")[1].startswith('"""')
    checked(b"[", name)


# --- rules that are large in one direction


def seconds(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def with_condition(nodes: Json) -> Json:
    """The small rule with a branch whose condition is the node `v0`, and whose two ways differ."""
    rule = small()
    flow = rule["match_flow"]
    flow["pool"] = node(6, operator=0, ident="table_0", property="卡牌池")
    flow["people"] = node(6, operator=0, ident="table_0", property="玩家池")
    flow["call"]["content"]["next"] = "if"
    flow["if"] = branch("v0", "play", "end")
    return {**rule, "match_flow": {**flow, **nodes}}


def quantifiers(subject: str) -> Json:
    """Quantifiers in quantifiers, 250 deep, over nobody: each is false at once."""
    nodes = {
        f"v{n}": node(11, operator=0, set=subject, component=f"v{n + 1}")
        for n in range(250)
    }
    return with_condition({**nodes, "v250": node(7, selection="people")})


def many_filters() -> Json:
    rule = small()
    rule["match_flow"]["deal"]["content"]["prop_pair"] = [
        {"prop_name": "点数", "lower_bound": 1}
    ] * 2_000
    return rule


def many_players() -> Json:
    """No match of it can begin, or ever be settled: every seat costs a turn of the settlement, and memory."""
    rule = small()
    rule["match_flow"]["1"]["content"]["next"] = "play"
    return {"meta": {"name": "n", "playerCount": 10**12}, "design": rule}


LARGE: dict[str, Callable[[], Json]] = {
    "quantifiers over cards": lambda: quantifiers("pool"),
    "quantifiers over players": lambda: quantifiers("people"),
    "filters of a deal": many_filters,
}


@pytest.mark.usefixtures("_unformatted")
@pytest.mark.parametrize("name", LARGE)
def test_large_in_one_direction(name: str) -> None:
    """Compiled, or refused with a diagnostic that names the limit; nothing else may come out."""
    try:
        built = pipeline.build(as_bytes(LARGE[name]()), "x.json")
    except CompileError as error:
        assert error.diagnostics
        return
    memory.import_package(built.slug, built.files)


def test_a_trillion_players_are_refused() -> None:
    _, reporter = read_rule(as_bytes(many_players()), "x.json")
    assert reporter.has_errors


@pytest.mark.parametrize(
    "name",
    [
        "a" + "\u0300\u0316" * 20_000,
        "\u1100\u1161\u11a8" * 30_000,
        "\ufdfa" * 30_000,
        *LONGEST,
    ],
    ids=["marks out of order", "Hangul", "ligatures", "long", "spaces", "quotes"],
)
def test_long_names_become_identifiers_at_once(name: str) -> None:
    """Putting marks in order takes quadratic time: a name of 1 MB took minutes."""
    assert seconds(lambda: sanitized(name)) < 0.5
    assert sanitized(name).isidentifier()


def test_a_long_id_is_not_copied_into_every_node() -> None:
    """An id of 100,000 letters above 2,000 nodes: hundreds of megabytes if each node kept its own pointer as text."""
    import tracemalloc

    rule = small()
    letters = "i" * 100_000
    rule["cardsets"][letters] = {**rule["cardsets"].pop("1"), "successors": []}
    rule["cardsets"][letters]["build_flow"].update(
        {f"n{number}": {"type": 8, "content": {"value": 1}} for number in range(2_000)}
    )
    data = as_bytes(rule)
    tracemalloc.start()
    try:
        read_rule(data, "x.json")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 100_000_000


def test_long_runs_of_digits_are_looked_at_once() -> None:
    """The search for integers that are too long must not begin anew at each digit."""
    rule = small()
    rule["match_flow"]["twice"]["content"]["parameter"] = [("9" * 4000 + "x") * 150]
    assert seconds(lambda: checked(as_bytes(rule))) < 1.0


# --- the command line


def run(*arguments: str) -> click.testing.Result:
    """A command; an exception that would be a traceback is raised here."""
    return click.testing.CliRunner().invoke(main, arguments, catch_exceptions=False)


@pytest.mark.parametrize("command", ["build", "check", "play"])
@pytest.mark.parametrize(
    "count", ["1e999", "-1e999", "1e308", '"3"', "[]", "true", "9" * 4001, "NaN"]
)
def test_stated_numbers_of_players(tmp_path: Any, command: str, count: str) -> None:
    """Refused; and never a traceback where `--players` says another number."""
    file = tmp_path / "x.json"
    document = {"meta": {"name": "n", "playerCount": 7}, "design": small()}
    stated = '"playerCount": '
    text = json.dumps(document, ensure_ascii=False)
    assert text.count(f"{stated}7") == 1
    file.write_text(text.replace(f"{stated}7", stated + count), "utf-8")
    options = {
        "build": ["-o", str(tmp_path / "o")],
        "check": [],
        "play": ["--auto", "--seed", "1"],
    }[command]
    result = run(command, str(file), *options)
    assert result.exit_code == 1
    assert CODE.search(result.output)
    assert run(command, str(file), "--players", "2", *options).output


@pytest.mark.parametrize("value", [{"x": 1}, "x", [1], 1, {"match_flow": {}}])
def test_a_bare_rule_with_an_unknown_key_called_design(
    tmp_path: Any, value: object
) -> None:
    """The bare five sections and a key that means nothing to us: accepted, and played."""
    file = tmp_path / "x.json"
    file.write_bytes(as_bytes({**small(), "design": value}))
    result = run("play", str(file), "--auto", "--seed", "1")
    assert result.exit_code == 0
    assert "finished" in result.output


def test_a_transcript_never_replaces_the_rule(tmp_path: Any) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(TINY)
    result = run("play", str(file), "--auto", "--seed", "1", "--transcript", str(file))
    assert result.exit_code != 0
    assert file.read_bytes() == TINY


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif"])
def test_thousands_of_problems_are_printed_soon(tmp_path: Any, form: str) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(b"{" + b",".join([b'"a":1'] * 2_000) + b"}")
    assert seconds(lambda: run("check", str(file), "--format", form)) < 5


NAMES = [name for name in (*ODD, *HOSTILE) if not re.search("[\ud800-\udfff]", name)]


def test_names_given_on_the_command_line() -> None:
    """`--name` is text, whatever it is."""
    plain = pipeline.build(TINY, "x.json", name="plain")
    shape = [type(one) for one in ast.walk(ast.parse(plain.files["__init__.py"]))]
    for name in NAMES if LONG else NAMES[::6]:
        built = pipeline.build(TINY, "x.json", name=name)
        found = ast.parse(built.files["__init__.py"])
        assert [type(one) for one in ast.walk(found)] == shape
