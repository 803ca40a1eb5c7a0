"""`dealwright check`: what people see, and what programs get, in all formats and both languages.

The text form is pinned letter for letter on small files, and by properties on random lines: the caret stands under the
place whatever comes before it. The forms for programs are read back the way their readers do.
"""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import time
import unicodedata
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

import dealwright
from dealwright.compiler.cli import main
from dealwright.compiler.diagnostics.reporter import CODES, MORE, MOST_SHOWN
from dealwright.compiler.front import read_rule
from dealwright.compiler.report import text as report_text
from dealwright.compiler.report.checked import Checked, checked
from dealwright.compiler.report.examples import BASE, EXAMPLES, Edit, Missing
from dealwright.compiler.report.excerpt import Lines, excerpt
from dealwright.compiler.report.sarif import escaped

ROOT = Path(__file__).resolve().parent.parent
JUMP = Edit({"match_flow/play/content/next": "99"})
WARNING = EXAMPLES["R316"].bad
NOTE = EXAMPLES["R401"].bad
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, ["check", *map(str, arguments)])
    assert result.exception is None or isinstance(
        result.exception, SystemExit
    ), result.exception
    return result


def written(folder: Path, data: bytes | str, name: str = "x.json") -> Path:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def broken(old: str, new: str) -> str:
    """The base file with a part of its text replaced."""
    assert old in BASE
    return BASE.replace(old, new, 1)


def shown(data: bytes | str, lang: Any = "en", width: int = 100) -> list[str]:
    """The text form of what is wrong with a file."""
    raw = data if isinstance(data, bytes) else data.encode()
    found = checked("x.json", raw, read_rule(raw, "x.json")[1])
    return list(report_text.plain(report_text.lines([found], lang, width)))


# ---------------------------------------------------------------- for people


def test_text() -> None:
    data = broken(
        '"play": {"type": 21, "content": {"next": "set"}}',
        '"play": {"type": 21, "content": {"next": "99"}}',
    )
    assert shown(data)[:6] == [
        "x.json:27:48: error R121: match_flow/play: 'next' names node '99', which does not exist",
        ' 27 |       "play": {"type": 21, "content": {"next": "99"}},',
        "    | " + " " * 47 + "^^^^",
        "    = where: node 'play' (21, play), field 'next', in the match flow",
        "    = remedy: correct the id, or leave the jump empty",
        "",
    ]


def test_text_in_chinese() -> None:
    assert shown(broken('"condition": "is"', '"condition": ""'), "zh", 120)[:5] == [
        "x.json:16:55: 警告 R302: cardsets/1/build_flow/if: 条件为空，分支总是走 next_false",
        ' 16 |           "if": {"type": 16, "content": {"condition": "", "next_true": "yes", "next_false": "no"}},',
        "    | " + " " * 54 + "^^",
        "    = 位置: 牌型 '1'（'Single'）的识别流程中节点 'if'（16，条件分支）的字段 'condition'",
        "    = 建议: 请连接未被使用的 'is'，或其他值；或把分支改为直接跳转",
    ]


def test_wide_characters_keep_the_caret_in_place() -> None:
    _, line, carets, *_ = shown(
        broken(
            '"play": {"type": 21, "content": {"next": "set"}}',
            '"出牌": {"备注": "你好", "type": 21, "next": "无"}',
        ).replace('"next": "play"', '"next": "出牌"')
    )
    assert line == ' 27 |       "出牌": {"备注": "你好", "type": 21, "next": "无"},'
    assert (
        carets
        == "    | "
        + " "
        * (
            6
            + len("出牌備註你好")
            + len('"出牌": {"备注": "你好", "type": 21, "next": ')
        )
        + "^^^^"
    )


def test_one_long_line_shows_a_window() -> None:
    data = JUMP.data()
    head, line, carets, *_ = shown(data, width=60)
    assert head.startswith("x.json:1:")
    assert line.startswith("  1 | …")
    assert line.endswith("…")
    assert len(line) <= 60
    assert line[carets.index("^") : carets.rindex("^") + 1] == '"99"'


def test_what_would_deceive_is_spelled_out() -> None:
    name = "a\u202eb\u200bc\u3000d"
    found = shown(broken('"lval": "size"', f'"lval": "{name}"'))
    text = "\n".join(found)
    assert text.replace("\n", "").isprintable()
    assert '"a\\u202eb\\u200bc\\u3000d"' in found[1]
    assert (
        found[1][found[2].index("^") : found[2].rindex("^") + 1]
        == '"a\\u202eb\\u200bc\\u3000d"'
    )


@pytest.mark.parametrize(
    ("data", "line", "carets"),
    [
        (b'{\n"a": 1,\n', "  3 | ", "    | ^"),
        (b'{"a":\xff}', '  1 | {"a":\ufffd}', "    |      ^"),
        (b"\xef\xbb\xbf{}", "  1 | \\ufeff{}", "    | ^^^^^^"),
        (b"{\t'a'}", "  1 | {    'a'}", "    |      ^^^"),
        (b'{"a": "\x1b[31m"}', '  1 | {"a": "\\u001b[31m"}', "    |        ^^^^^^"),
        (b"", "  1 | ", "    | ^"),
    ],
)
def test_broken_text(data: bytes, line: str, carets: str) -> None:
    _, first, second, *_ = shown(data)
    assert (first, second) == (line.rstrip(), carets)


def test_problems_without_a_line(tmp_path: Path) -> None:
    """A file that cannot be read, and one too large to be one, are named; there is no line to show."""
    folder = tmp_path / "folder.json"
    folder.mkdir()
    written(tmp_path, b" " * (16 * 1024 * 1024 + 1), "large.json")
    result = run(tmp_path)
    assert result.exit_code == 1
    assert re.findall(r"error R\d+", result.stdout) == ["error R100", "error R101"]
    assert " | " not in result.stdout
    assert result.stdout.count("= remedy: ") == 2


def width(text: str) -> int:
    """The cells of a text without control characters, counted here once more."""
    cells = 0
    for character in text:
        if unicodedata.category(character) in ("Mn", "Me") or unicodedata.combining(
            character
        ):
            continue
        cells += 2 if unicodedata.east_asian_width(character) in "FW" else 1
    return cells


LINE = st.text(
    st.characters(exclude_characters="\n", exclude_categories=["Cs"])
    | st.sampled_from('中文{}":, \u202e\u0301\t'),
    max_size=200,
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(LINE, st.integers(1, 220), st.integers(1, 40), st.integers(20, 120))
def test_the_caret_stands_under_the_place(
    line: str, column: int, mark: int, room: int
) -> None:
    made = excerpt(line, column, mark, room)
    assert made.text.isprintable()
    assert width(made.text) <= room
    # a last wide or combined character may pass the edge of the window by what it is wide
    assert len(made.carets) <= room + 1
    blank = made.carets.index("^")
    cells = 0
    for index in range(len(made.text) + 1):
        if cells == blank:
            break
        cells += width(made.text[index])
    assert cells == blank
    if (
        column <= len(line)
        and line[column - 1].isascii()
        and line[column - 1].isprintable()
    ):
        under = [
            one for one in range(len(made.text)) if width(made.text[:one]) == blank
        ]
        assert line[column - 1] in {made.text[one] for one in under}


def test_lines_in_any_order() -> None:
    lines = Lines(b"eins\r\nzwei\n\ndrei")
    assert [lines.line(number) for number in (3, 1, 4, 5, 2)] == [
        "",
        "eins",
        "drei",
        "",
        "zwei",
    ]
    assert lines.mark(1, 1) == 4
    assert lines.mark(9, 9) == 1


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_every_line_end_counts(end: str, tmp_path: Path) -> None:
    """Files of old editors end their lines with CR alone: place, line and caret are the same for all three."""
    text = JUMP.data().decode().replace(", ", f",{end}")
    lines, data = text.split(end), text.encode()
    assert [Lines(data).line(n + 1) for n in range(len(lines))] == lines
    found = run(written(tmp_path, data), "--format", "json")
    (error,) = json.loads(found.stdout)["diagnostics"]
    assert lines[error["line"] - 1][error["column"] - 1 :].startswith('"99"')
    shown = run(written(tmp_path, text), "--format", "text").stdout.splitlines()
    assert any('| "content": {"next": "99"}}' in line for line in shown)
    assert sum("^^^^" in line for line in shown) == 1


def test_thousands_of_problems_on_one_line_stay_quick() -> None:
    rule = json.loads(BASE)
    rule["design"]["match_flow"] |= {
        f"x{n}": {"type": 8, "content": {"value": n}} for n in range(3000)
    }
    data = json.dumps(rule).encode()
    start = time.process_time()
    found = shown(data)
    # the last of them says how many more there are
    assert sum(line.startswith("x.json:1:") for line in found) == MOST_SHOWN + 1
    assert f"x.json:1:1: note {MORE}: and {3000 - MOST_SHOWN} more" in "\n".join(found)
    assert time.process_time() - start < 10


def on_a_terminal(*arguments: str | Path, **environment: str) -> str:
    """What the command prints when standard output is a terminal."""
    ours, theirs = pty.openpty()
    variables = {
        key: value
        for key, value in os.environ.items()
        if key not in ("NO_COLOR", "FORCE_COLOR")
    }
    variables |= {
        "PYTHONPATH": str(ROOT / ".src"),
        "TERM": "xterm-256color",
        "COLUMNS": "100",
        **environment,
    }
    command = [sys.executable, "-m", "dealwright", "check", *map(str, arguments)]
    with subprocess.Popen(
        command, stdout=theirs, stderr=subprocess.DEVNULL, env=variables
    ) as process:
        os.close(theirs)
        found = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # Linux says so when the other side is closed
                break
            if not part:
                break
            found += part
        process.wait()
    os.close(ours)
    return found.decode().replace("\r\n", "\n")


def test_colour_on_a_terminal_only(tmp_path: Path) -> None:
    path = written(tmp_path, JUMP.data())
    coloured = on_a_terminal(path)
    assert "\x1b[1;31merror R121: " in coloured
    assert "\x1b" not in run(path).stdout
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", on_a_terminal(path, NO_COLOR="1"))


def test_colour_changes_no_letter() -> None:
    raw = broken('"lval": "size"', '"lval": "[bold]中\\u202e:smile:"').encode()
    files = [checked("x[1].json", raw, read_rule(raw, "x[1].json")[1])]
    stream = StringIO()
    console = Console(file=stream, force_terminal=True, color_system="256", width=80)
    report_text.print_coloured(report_text.lines(files, "en", 80), console)
    plain = "\n".join(report_text.plain(report_text.lines(files, "en", 80)))
    coloured = [line.rstrip() for line in ANSI.sub("", stream.getvalue()).split("\n")]
    assert "\n".join(coloured).strip() == plain.strip()


# ---------------------------------------------------------------- exit codes


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif"])
def test_exit_codes(tmp_path: Path, form: str) -> None:
    """Errors fail; warnings fail with --strict, and are errors then; notes never fail."""
    error, warning, note = (
        written(tmp_path, one.data(), f"{number}.json")
        for number, one in enumerate((JUMP, WARNING, NOTE))
    )
    good = written(tmp_path, BASE, "good.json")
    for path, plain, strict in (
        (error, 1, 1),
        (warning, 0, 1),
        (note, 0, 0),
        (good, 0, 0),
    ):
        assert run(path, "--format", form).exit_code == plain
        assert run(path, "--format", form, "--strict").exit_code == strict


def test_strict_says_why(tmp_path: Path) -> None:
    path = written(tmp_path, WARNING.data())
    assert " warning R316: " in run(path).stdout
    result = run(path, "--strict")
    assert " error R316: " in result.stdout
    assert result.stderr == "1 rule: 1 error (1 of them by --strict), 0 warnings\n"
    assert (
        run(path, "--strict", "--lang", "zh").stderr
        == "1 个规则：1 个错误（其中 1 个因 --strict 由警告升级），0 个警告\n"
    )
    assert run(path, "--lang", "zh").stderr == "1 个规则：0 个错误，1 个警告\n"


@pytest.mark.parametrize(
    "arguments", [["--format", "xml"], ["--lang", "de"], ["--players", "0"]]
)
def test_wrong_usage(tmp_path: Path, arguments: list[str]) -> None:
    result = run(written(tmp_path, BASE), *arguments)
    assert (result.exit_code, result.stdout) == (2, "")


def test_players(tmp_path: Path) -> None:
    """--players declares the number as the file would."""
    rule = json.loads(JUMP.data())["design"]
    rule["match_flow"]["play"]["content"]["next"] = "set"
    path = written(tmp_path, json.dumps(rule))
    assert run(path).exit_code == 0
    result = run(path, "--players", "4")
    assert result.exit_code == 1
    assert " error R220: " in result.stdout


# ---------------------------------------------------------------- for programs


def test_json(tmp_path: Path) -> None:
    bad, good = written(tmp_path, JUMP.data(), "bad.json"), written(
        tmp_path, BASE, "good.json"
    )
    found = json.loads(run(bad, good, "--format", "json").stdout)
    assert {key: found[key] for key in ("format", "version", "strict", "failed")} == {
        "format": "dealwright check",
        "version": 1,
        "strict": False,
        "failed": True,
    }
    assert found["counts"] == {"errors": 1, "warnings": 0, "notes": 0}
    assert found["files"] == [
        {"file": str(bad), "errors": 1, "warnings": 0, "notes": 0},
        {"file": str(good), "errors": 0, "warnings": 0, "notes": 0},
    ]
    (error,) = (one for one in found["diagnostics"] if one["severity"] == "error")
    assert JUMP.data().decode()[error["column"] - 1 : error["end_column"] - 1] == '"99"'
    column = error["column"]
    assert error == {
        "code": "R121",
        "severity": "error",
        "file": str(bad),
        "pointer": "/design/match_flow/play/content/next",
        "line": 1,
        "column": column,
        "end_column": column + 4,
        "flow": "match_flow",
        "node": "play",
        "field": "next",
        "component": {"type": 21, "en": "play", "zh": "等待玩家出牌"},
        "message": {
            "en": "'next' names node '99', which does not exist",
            "zh": "'next' 指向节点 '99'，但该节点不存在",
        },
        "remedy": {"en": CODES["R121"].remedy_en, "zh": CODES["R121"].remedy_zh},
    }


def test_json_of_all_codes_has_the_same_keys(tmp_path: Path) -> None:
    keys = set()
    for example in EXAMPLES.values():
        if isinstance(example.bad, Edit):
            found = json.loads(
                run(written(tmp_path, example.bad.data()), "--format", "json").stdout
            )
            keys |= {tuple(one) for one in found["diagnostics"]}
    assert len(keys) == 1


COMMAND = re.compile(
    r"::(error|warning|notice) file=([^,:]*),line=(\d+),col=(\d+),title=(R\d{3})::([^\r\n]*)"
)


def unescaped(text: str) -> str:
    """As the runner reads a property."""
    for code, character in (
        ("%0D", "\r"),
        ("%0A", "\n"),
        ("%3A", ":"),
        ("%2C", ","),
        ("%25", "%"),
    ):
        text = text.replace(code, character)
    return text


def test_github(tmp_path: Path) -> None:
    """One command a line, whatever the names of file and nodes; our levels become theirs."""
    rule = json.loads(JUMP.data())
    rule["design"]["match_flow"]["play"]["content"]["next"] = "a\n::error::%0A,b"
    rule["design"]["match_flow"]["to"]["content"]["property"] = "rounds"
    rule["extensions"] = {}
    path = written(tmp_path, json.dumps(rule), "100%, or: more.json")
    lines = run(path, "--format", "github").stdout.splitlines()
    found = [COMMAND.fullmatch(line) for line in lines]
    assert all(found), lines
    levels = {(one[5], one[1]) for one in found if one is not None}
    assert levels == {("R121", "error"), ("R402", "notice")}
    (error,) = (one for one in found if one is not None and one[5] == "R121")
    assert unescaped(error[2]) == str(path)
    assert unescaped(error[6]).split("\n") == [
        "match_flow/play: 'next' names node 'a\\u000a::error::%0A,b', which does not exist",
        "node 'play' (21, play), field 'next', in the match flow",
        "remedy: correct the id, or leave the jump empty",
    ]
    warning = run(
        written(tmp_path, WARNING.data()), "--format", "github", "--lang", "zh"
    ).stdout
    assert warning.startswith("::warning ")
    assert "没有声明" in warning


def is_uri_reference(text: str) -> bool:
    return re.fullmatch(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+", text) is not None


def check_message(message: dict[str, Any]) -> None:
    assert set(message) <= {"text", "markdown"}
    assert message["text"]
    for text in message.values():
        # a single brace would be a placeholder without an argument
        assert "{" not in text.replace("{{", "").replace("}}", "")
        assert "}" not in text.replace("{{", "").replace("}}", "")
        assert not re.search(r"(?<!\\)\[[^\[\]]*\]\(", text)


def check_result(
    result: dict[str, Any], rules: list[dict[str, Any]], artifacts: list[Any]
) -> None:
    assert set(result) == {"ruleId", "ruleIndex", "level", "message", "locations"}
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert result["level"] in ("none", "note", "warning", "error")
    check_message(result["message"])
    (location,) = result["locations"]
    assert set(location) <= {"physicalLocation", "logicalLocations"}
    physical = location["physicalLocation"]
    assert set(physical) == {"artifactLocation", "region"}
    where = dict(physical["artifactLocation"])
    assert artifacts[where.pop("index")]["location"] == where
    region = physical["region"]
    assert set(region) <= {"startLine", "startColumn", "endColumn"}
    assert all(type(value) is int and value >= 1 for value in region.values())
    assert region.get("endColumn", 10**9) > region["startColumn"]
    for logical in location.get("logicalLocations", []):
        assert set(logical) <= {"name", "fullyQualifiedName", "decoratedName", "kind"}
        assert all(isinstance(value, str) and value for value in logical.values())


def check_sarif(log: dict[str, Any]) -> dict[str, Any]:
    """What the schema and the text of SARIF 2.1.0 demand of the parts that we write; gives the run."""
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run_,) = log["runs"]
    assert set(run_) == {
        "tool",
        "language",
        "columnKind",
        "invocations",
        "artifacts",
        "results",
    }
    assert run_["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    assert re.fullmatch(r"[a-z]{2}(-[A-Z]{2})?", run_["language"])
    assert run_["invocations"] == [{"executionSuccessful": True}]
    driver = run_["tool"]["driver"]
    assert set(driver) == {"name", "version", "language", "rules"}
    assert len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"])
    for rule in driver["rules"]:
        assert set(rule) == {
            "id",
            "shortDescription",
            "help",
            "defaultConfiguration",
            "properties",
        }
        check_message(rule["shortDescription"])
        check_message(rule["help"])
        assert rule["defaultConfiguration"]["level"] in ("note", "warning", "error")
        assert all(isinstance(tag, str) for tag in rule["properties"]["tags"])
    for artifact in run_["artifacts"]:
        location = artifact["location"]
        assert is_uri_reference(location["uri"])
        assert location["uri"].startswith("file:///") != (
            location.get("uriBaseId") == "%SRCROOT%"
        )
    for result in run_["results"]:
        check_result(result, driver["rules"], run_["artifacts"])
    return dict(run_)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_sarif(tmp_path: Path, lang: str) -> None:
    bad, good = written(tmp_path, JUMP.data(), "坏 规则.json"), written(
        tmp_path, BASE, "good.json"
    )
    log = json.loads(run(bad, good, "--format", "sarif", "--lang", lang).stdout)
    found = check_sarif(log)
    driver = found["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("dealwright", dealwright.__version__)
    assert [rule["id"] for rule in driver["rules"]] == list(CODES)
    assert len(found["artifacts"]) == 2
    (error,) = (one for one in found["results"] if one["level"] == "error")
    assert error["ruleId"] == "R121"
    assert error["message"]["text"].split("\n") == (
        [
            "match_flow/play: 'next' names node '99', which does not exist",
            "remedy: correct the id, or leave the jump empty",
        ]
        if lang == "en"
        else [
            "match_flow/play: 'next' 指向节点 '99'，但该节点不存在",
            "建议: 请改正编号，或留空",
        ]
    )
    (logical,) = error["locations"][0]["logicalLocations"]
    assert (logical["name"], logical["fullyQualifiedName"]) == (
        "play",
        "/design/match_flow/play/content/next",
    )
    rule = driver["rules"][error["ruleIndex"]]
    assert (
        CODES["R121"].remedy_zh if lang == "zh" else CODES["R121"].remedy_en
    ) in rule["help"]["text"]


def test_sarif_of_every_code(tmp_path: Path) -> None:
    """Files within the working directory are relative to the root of the sources."""
    paths = []
    for code, example in EXAMPLES.items():
        if code not in ("R101", "R110") and not isinstance(example.bad, Missing):
            paths.append(written(tmp_path, example.bad.data(), f"{code}.json"))
    command = [sys.executable, "-m", "dealwright", "check", ".", "--format", "sarif"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / ".src")}
    said = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, check=False
    )
    found = check_sarif(json.loads(said.stdout))
    assert {one["location"]["uri"] for one in found["artifacts"]} == {
        path.name for path in paths
    }
    assert {one["ruleId"] for one in found["results"]} == set(CODES) - {
        "R100",
        "R101",
        "R110",
    }


def test_names_do_not_become_links_or_placeholders() -> None:
    assert escaped("{0} [a](http://x) b[1] {") == "{{0}} \\[a](http://x) b[1] {{"


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_documents_survive_any_stream(tmp_path: Path, form: str) -> None:
    """In a pipe that is not Unicode the document is the same: JSON can say everything in ASCII."""
    rule = json.loads(JUMP.data())
    rule["design"]["match_flow"]["play"]["content"]["next"] = "é中\U0001f600"
    written(tmp_path, json.dumps(rule))
    command = [sys.executable, "-m", "dealwright", "check", "x.json", "--format", form]
    documents = []
    for encoding in ("utf-8", "latin-1"):
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT / ".src"),
            "PYTHONIOENCODING": encoding,
            "PYTHONUTF8": "0",
        }
        said = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, check=False
        )
        documents.append(json.loads(said.stdout.decode(encoding)))
    assert documents[0] == documents[1]
    assert "é中\U0001f600" in json.dumps(documents[0], ensure_ascii=False)


# ---------------------------------------------------------------- the author's names


WHERE = [
    ("R113", "cardset '1'", "牌型 '1'"),
    ("R116", "the class table", "类 table"),
    ("R203", "the compare flow of cardset '1' ('Single')", "牌型 '1'（'Single'）的比较流程"),
    ("R321", "comparison '2' ('Pair' against 'Single')", "跨牌型比较 '2'（'Pair' 对 'Single'）"),
    ("R215", "the method 'm' of player", "player 的方法 'm'"),
    ("R332", "'end' (24, settle), field 'result', in the end flow", "结算流程中节点 'end'（24，写入结算结果）的"),
    ("R122", "node 'set', field 'type', in the match flow", "对局流程中节点 'set'的字段 'type'"),
]  # fmt: skip


def file_of(code: str) -> Checked:
    change = EXAMPLES[code].bad
    assert not isinstance(change, Missing)
    data = change.data()
    return checked("x.json", data, read_rule(data, "x.json")[1])


@pytest.mark.parametrize(("code", "en", "zh"), WHERE)
def test_whereabouts(code: str, en: str, zh: str) -> None:
    file = file_of(code)
    (one,) = (one for one in file.diagnostics if one.code == code)
    words = file.whereabouts(one.place)
    assert words is not None
    assert words.en.endswith(en)
    assert zh in words.zh


def test_whereabouts_outside_of_everything() -> None:
    file = file_of("R118")
    assert [file.whereabouts(one.place) for one in file.diagnostics] == [None]
    assert [file.component(one.place) for one in file.diagnostics] == [None]
