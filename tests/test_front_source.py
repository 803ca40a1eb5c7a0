"""What the front says about bytes: every refusal of reading, positions, and that no bytes at all give a traceback."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealwright.compiler.diagnostics.pointer import ROOT
from dealwright.compiler.diagnostics.reporter import (
    CODES,
    CompileError,
    Reporter,
    quote,
    safe,
)
from dealwright.compiler.front import read_rule, require_rule
from dealwright.compiler.reading.source import (
    MAX_BYTES,
    MAX_DEPTH,
    Source,
    parse_source,
)
from tests.front.small import edited, node, said, small, text_of


def parsed(data: bytes) -> tuple[Source | None, list[str]]:
    """The source, and what is wrong as `code:line:column`."""
    reporter = Reporter("x.json")
    source = parse_source(data, reporter)
    found = reporter.diagnostics()
    return source, [f"{one.code}:{one.place.line}:{one.place.column}" for one in found]


BROKEN = [
    (b"", "R104:1:1"),
    (b" \n", "R104:2:1"),
    (b"\xef\xbb\xbf{}", "R103:1:1"),
    ("{}".encode("utf-16"), "R102:1:1"),
    ("{}".encode("utf-16-le"), "R104:1:2"),
    ("{\n 'é': 1}".encode("latin-1"), "R102:2:3"),
    (b'{"\xe4\xb8\xad": "\xff"}', "R102:1:8"),
    (b'"\xed\xa0\x80"', "R102:1:2"),
    (b'{"a": 1,}', "R104:1:8"),
    (b"[1,]", "R104:1:3"),
    (b"[,1]", "R104:1:2"),
    (b"[1 2]", "R104:1:4"),
    (b'{"a" 1}', "R104:1:6"),
    (b"{a: 1}", "R104:1:2"),
    (b'{,"a": 1}', "R104:1:2"),
    (b'{"a": 1 "b": 2}', "R104:1:9"),
    (b'{"a": }', "R104:1:7"),
    (b"{} {}", "R104:1:4"),
    (b"[", "R104:1:2"),
    (b'{"a": [1, 2', "R104:1:12"),
    (b'["abc', "R104:1:2"),
    (b'["a\nb"]', "R104:1:4"),
    (b'["\\x"]', "R104:1:3"),
    (b'["\\u12"]', "R104:1:4"),
    (b"[01]", "R104:1:2"),
    (b"[+1]", "R104:1:2"),
    (b"[1.]", "R104:1:3"),
    (b"[-]", "R104:1:2"),
    (b"[1x]", "R104:1:2"),
    (b"[tru]", "R104:1:2"),
    (b"[True]", "R104:1:2"),
    (b"// x\n{}", "R104:1:1"),
    ("[²]".encode(), "R104:1:2"),
    (b"[" * (MAX_DEPTH + 1), f"R107:1:{MAX_DEPTH + 1}"),
    (b'{"a":' * 5000, f"R107:1:{MAX_DEPTH * 5 + 1}"),
    (b" " * (MAX_BYTES + 1), "R101:1:1"),
]


@pytest.mark.parametrize(
    ("data", "found"),
    BROKEN,
    ids=[f"{n}-{case[1][:12]}" for n, case in enumerate(BROKEN)],
)
def test_no_document(data: bytes, found: str) -> None:
    source, said_ = parsed(data)
    assert source is None
    assert said_ == [found]


MENDABLE = [
    (b'{"a": 1,\n "b": {"c": 1, "c": 2},\n "a": 3}', ["R106:2:16", "R106:3:2"]),
    (b'{"a": 1, "\\u0061": [NaN]}', ["R106:1:10", "R105:1:21"]),
    (b"[NaN, Infinity,\n-Infinity]", ["R105:1:2", "R105:1:7", "R105:2:1"]),
    (b'{"\\ud800": "\\udc00x"}', ["R109:1:2", "R109:1:12"]),
    (b"[" + b"1" * 4001 + b", -" + b"1" * 4001 + b"]", ["R108:1:2", "R108:1:4005"]),
]


@pytest.mark.parametrize(("data", "found"), MENDABLE)
def test_document_goes_on(data: bytes, found: list[str]) -> None:
    """After these the rest is read, so that all problems are told at once."""
    source, said_ = parsed(data)
    assert source is not None
    assert said_ == found


@pytest.mark.parametrize(
    "data",
    [
        b"[" * MAX_DEPTH + b"]" * MAX_DEPTH,
        b"[" + b"1" * 4000 + b", 1e999, -0, 0.5e-3]",
        '["\\ud83d\\ude00", "\U0001f600"]'.encode(),
        b'\t\r\n{"a" : [ ] , "b":{ }, "" : null }\n',
    ],
)
def test_good_documents(data: bytes) -> None:
    source, found = parsed(data)
    assert source is not None
    assert found == []
    assert source.value == json.loads(data)


def test_number_of_values_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit itself takes seconds to reach; a lower one shows the same."""
    monkeypatch.setattr("dealwright.compiler.reading.source.MAX_VALUES", 100)
    assert parsed(b"[" + b"[]," * 98 + b"[]]")[1] == []
    assert parsed(b"[" + b"[]," * 99 + b"[]]") == (None, ["R110:1:299"])


def test_first_of_repeated_keys_counts() -> None:
    source, _ = parsed(b'{"a": 1, "a": [2], "b": 3}')
    assert source is not None
    assert source.value == {"a": 1, "b": 3}
    assert source.locate(ROOT / "b") == (1, 25)


def test_positions() -> None:
    text = '{\r\n "a/b": [10,\n  {"~": "字", "": 2}],\n "z": 3}'
    source, found = parsed(text.encode())
    assert source is not None
    assert found == []
    for pointer, value_at, key_at in (
        ("", (1, 1), (1, 1)),
        ("/a~1b", (2, 9), (2, 2)),
        ("/a~1b/0", (2, 10), (2, 10)),
        ("/a~1b/1/~0", (3, 9), (3, 4)),
        ("/a~1b/1/", (3, 18), (3, 14)),
        ("/z", (4, 7), (4, 2)),
    ):
        place = ROOT.below(pointer[1:]) if pointer else ROOT
        assert str(place) == pointer
        assert source.has(place)
        assert source.locate(place) == value_at
        assert source.locate(place, key=True) == key_at
    for missing in ("/q", "/z/0", "/a~1b/2", "/a~1b/x", "/a~1b/-1", "/a~1b/²"):
        assert not source.has(ROOT.below(missing[1:]))
    assert source.locate(ROOT.below("a~1b/1/q/r")) == (3, 3)
    assert [source.line(n) for n in (0, 1, 2, 4, 5)] == [
        "",
        "{",
        ' "a/b": [10,',
        ' "z": 3}',
        "",
    ]


TEXT = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(JSON, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_reads_what_json_reads(
    value: object, indent: int | str | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    source, found = parsed(text.encode())
    assert source is not None
    assert found == []
    assert source.value == value


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.text('[]{},:"\\u0123456789abcdef.eE+-NaInfity \n\x00', max_size=30))
def test_refuses_what_json_refuses(text: str) -> None:
    """Python's own reader accepts the same texts, but for what we refuse on purpose."""
    source, found = parsed(text.encode())
    try:
        json.loads(text)
        is_json = True
    except ValueError:
        is_json = False
    assert (source is not None) == is_json
    assert (
        is_json
        or found[-1].startswith("R104")
        or any(one.startswith("R104") for one in found)
    )


def test_hostile_bytes_give_diagnostics() -> None:
    """Truncated, spliced and random files: a rule or errors with a place in the file, never an exception."""
    rng = random.Random(7)
    good = text_of(small()).encode()
    for number in range(150):
        data = bytearray(good)
        for _ in range(rng.randrange(1, 4)):
            spot = rng.randrange(len(data))
            match number % 3:
                case 0:
                    data[spot] = rng.randrange(256)
                case 1:
                    del data[spot : spot + rng.randrange(1, 40)]
                case _:
                    data = data[: spot + 1]
        rule, reporter = read_rule(bytes(data), "x.json")
        assert (rule is None) == reporter.has_errors
        lines = bytes(data).decode("utf-8", "replace").split("\n")
        for one in reporter.diagnostics():
            assert 1 <= one.place.line <= len(lines)
            assert 1 <= one.place.column <= len(lines[one.place.line - 1]) + 1


ODD: list[Any] = [
    None,
    True,
    1.5,
    -1,
    10**30,
    "",
    "x",
    "1",
    "玩家",
    [],
    [[]],
    {},
    {"": {}},
    "card_9|",
    "player_" + "9" * 5000,
]


def mutate(value: Any, rng: random.Random) -> None:
    """Replace one random value inside `value` by something of another shape."""
    while True:
        key = rng.choice(list(value) if isinstance(value, dict) else range(len(value)))
        child = value[key]
        if not isinstance(child, (dict, list)) or not child or rng.random() < 0.2:
            value[key] = rng.choice(ODD)
            return
        value = child


def test_hostile_shapes_give_diagnostics() -> None:
    """Any value anywhere may have any shape: a rule or errors, never an exception."""
    rng = random.Random(11)
    refused = 0
    for _ in range(200):
        rule = edited({})
        for _ in range(rng.randrange(1, 4)):
            mutate(rule, rng)
        made, reporter = read_rule(text_of(rule).encode(), "x.json")
        assert (made is None) == reporter.has_errors
        refused += made is None
        for one in reporter.diagnostics():
            assert one.text("en").count("\n") == one.text("zh").count("\n") == 1
    assert 50 < refused < 200


def test_large_flows() -> None:
    """Thousands of nodes in a chain of values, in a chain of control and in a circle, without deep recursion."""
    depth = sys.getrecursionlimit()
    size = 3_000
    values = {
        f"x{n}": node(10, operator=0, lval=f"x{n + 1}", rval=1) for n in range(size)
    }
    values[f"x{size}"] = node(8, value=1)
    steps = {f"s{n}": node(7, f"s{n + 1}", selection="play") for n in range(size)}
    steps[f"s{size}"] = node(18)
    flow = edited(
        {"match_flow/set/content/rvalue": "x0", "match_flow/call/content/next": "s0"}
    )
    flow["match_flow"] |= values | steps
    assert [one.code for one in said(flow)] == ["R401"] * 2
    flow["match_flow"][f"x{size}"] = node(13, component="x0")
    assert [one.code for one in said(flow)] == ["R401", "R401", "R214"]
    assert sys.getrecursionlimit() == depth


def test_reading_files(tmp_path: Path) -> None:
    path = tmp_path / "规则.json"
    path.write_bytes(text_of(small()).encode())
    rule, reporter = read_rule(path)
    assert rule is not None
    assert rule.name == "规则"
    assert reporter.diagnostics() == ()
    for bad in (tmp_path / "none.json", tmp_path, "a\x00b"):
        rule, reporter = read_rule(bad, "shown.json")
        assert rule is None
        (only,) = reporter.diagnostics()
        assert only.text().startswith(
            "shown.json:1:1: error R100: the file cannot be read: "
        )


def test_compile_error() -> None:
    with pytest.raises(CompileError) as caught:
        require_rule(b"[]", "x.json")
    assert [one.code for one in caught.value.diagnostics] == ["R117"]
    assert str(caught.value).startswith(
        "x.json:1:1: error R117: 'the document'".replace("'", "")
    )
    assert require_rule(text_of(small()).encode()).name == "<rule>"


def test_form_of_a_diagnostic() -> None:
    (only,) = said(edited({"match_flow/set/content/next": "99"}))[:1]
    first, second = only.text().split("\n")
    place = only.place
    assert first == (
        f"small.json:{place.line}:{place.column}: error R121: "
        "match_flow/set: 'next' names node '99', which does not exist"
    )
    assert second == "    remedy: correct the id, or leave the jump empty"
    assert only.text("zh").startswith(
        f"small.json:{place.line}:{place.column}: 错误 R121: match_flow/set: "
    )
    shown = only.to_json()
    assert json.loads(json.dumps(shown)) == shown
    assert (shown["flow"], shown["node"], shown["field"]) == (
        "match_flow",
        "set",
        "next",
    )


HOSTILE = "'\x1b[31m\n\u202e\u2028\ud800\ue000{0}{code}" + "x" * 1000


def test_user_text_is_made_harmless() -> None:
    assert quote("a'b") == "'a\\'b'"
    assert safe("\n\u202e\x00 中\U000e0001") == "\\u000a\\u202e\\u0000 中\\U000e0001"
    shown = quote(HOSTILE)
    assert shown.isprintable()
    assert len(shown) < 150
    name = HOSTILE.replace("\ud800", "")
    rule = edited(
        {
            f"match_flow/{name}": node(4, name, component=name, rvalue=name),
            "match_flow/set/content/next": name,
        }
    )
    found = said(rule)
    assert {"R206", "R314"} <= {one.code for one in found}
    for one in found:
        for lang in ("en", "zh"):
            for line in one.text("zh" if lang == "zh" else "en").split("\n"):
                assert line.isprintable()
                assert len(line) < 600


def test_codes_are_complete() -> None:
    """Every code has both languages, a remedy in each, and the same blanks in both sentences."""
    for code, entry in CODES.items():
        assert code == entry.code
        texts = (entry.en, entry.zh, entry.remedy_en, entry.remedy_zh)
        assert all(texts)
        assert (
            entry.en[0].islower()
            or not entry.en[0].isalpha()
            or entry.en.startswith("手")
        )
        assert not entry.en.endswith(".")
        assert any("\u4e00" <= letter <= "\u9fff" for letter in entry.zh)
        assert any("\u4e00" <= letter <= "\u9fff" for letter in entry.remedy_zh)
