"""What the front says about a text that is not JSON: the slips that people make by hand, each named, with its remedy.

The places are those of what is to be changed. That all other bytes end in a diagnostic too is in `test_front_source`
and `test_hostile_input`.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealwright.compiler.diagnostics.reporter import Diagnostic
from dealwright.compiler.front import read_rule
from dealwright.compiler.reading.source_slips import Wanted, slip_at


def said(data: str | bytes) -> Diagnostic:
    """The only thing that is said."""
    content = data if isinstance(data, bytes) else data.encode()
    (found,) = read_rule(content, "x.json")[1].diagnostics()
    return found


# the text, the place, a part of the sentence, a part of the remedy, a part of the Chinese remedy
SLIPS = [
    ("", "1:1", "it is empty", "write a rule", "编写规则"),
    ('{"a": 1,}', "1:8", "a comma stands before the closing '}'", "remove the comma", "删除这个逗号"),
    ("[1,\n ]", "1:3", "a comma stands before the closing ']'", "remove the comma", "删除这个逗号"),
    ("[1,,2]", "1:4", "nothing comes before it", "remove the comma", "删除这个逗号"),
    ('{"a": 1\n "b": 2}', "2:2", "no comma before this", "write a comma after the previous", "加上逗号"),
    ('{"a" 1}', "1:6", "no ':' between key and value", "write ':' after the key", "加上“:”"),
    ('{"a"}', "1:5", "a key has no value", "write ':' and its value", "“:”和值"),
    ('{"a": }', "1:7", "a key has no value", "write its value", "写上值"),
    ('{"a": "b": 1}', "1:10", "a ':' stands after a value", "write a comma before the key", "加逗号"),
    ("{'a': 1}", "1:2", "' is no quote of JSON", 'write " before and after', "前后都用"),
    ("{“a”: 1}", "1:2", "“ is no quote of JSON", 'write " before and after', "前后都用"),
    ('{"a"：1}', "1:5", "'：' is no sign of JSON", "write ':' instead", "改写为“:”"),
    ('{"a": 1，"b": 2}', "1:8", "'，' is no sign of JSON", "write ',' instead", "改写为“,”"),
    ('{"a": 1; "b": 2}', "1:8", "';' is no sign of JSON", "write ',' instead", "改写为“,”"),
    ('{\u3000"a": 1}', "1:2", "(U+3000) stands outside of texts", "delete it", "删除"),
    ('{"a":\u00a01}', "1:6", "(U+00A0) stands outside of texts", "delete it", "删除"),
    ("{a: 1}", "1:2", "the key 'a' has no double quotes", "in double quotes", "双引号"),
    ("{1: 2}", "1:2", "the key '1' has no double quotes", "in double quotes", "双引号"),
    ('{"点数": 大}', "1:8", "'大' is no value of JSON", 'write "大" in double quotes', "双引号"),
    ('{"a": True}', "1:7", "'True' is no value of JSON", "write true", "请写 true"),
    ('{"a": None}', "1:7", "'None' is no value of JSON", "write null", "请写 null"),
    ('{"a": undefined}', "1:7", "'undefined' is no value of JSON", "write null", "请写 null"),
    ("[01]", "1:2", "'01' is not a number of JSON", "write a plain integer", "普通整数"),
    ("[+1]", "1:2", "'+1' is not a number of JSON", "write a plain integer", "普通整数"),
    ("[.5]", "1:2", "'.5' is not a number of JSON", "write a plain integer", "普通整数"),
    ("[12.]", "1:4", "'12.' is not a number of JSON", "write a plain integer", "普通整数"),
    ("[0x10]", "1:2", "'0x10' is not a number of JSON", "write a plain integer", "普通整数"),
    ("[1_000]", "1:3", "'1_000' is neither a number nor a word", "write a plain integer", "普通整数"),
    ("// x\n{}", "1:1", "JSON has no comments", "remove the comment", "删除注释"),
    ('{"a": 1 /* x */}', "1:9", "JSON has no comments", "remove the comment", "删除注释"),
    ("{\n# x\n}", "2:1", "JSON has no comments", "remove the comment", "删除注释"),
    ('{"a": 1,\n<<<<<<< HEAD\n"b": 1}', "2:1", "a merge conflict", "choose one of the two", "选定其中一个版本"),
    ('{"a": 1,\n=======\n"b": 1}', "2:1", "a merge conflict", "choose one of the two", "选定其中一个版本"),
    ("<!DOCTYPE html>", "1:1", "HTML or XML", "save the rule itself", "规则本身"),
    ('{"a": ...}', "1:7", "dots stand for what was left out", "write out what belongs here", "完整内容"),
    ('["say "hi" now"]', "1:8", "ended at the quote before this", 'inside a text as \\"', "文本内的引号"),
    ('{"a: "5"}', "1:7", "ended at the quote before this", "the quote or comma that is missing", "缺少引号或逗号"),
    ('["a\nb"]', "1:4", "the line ends inside a text", "written \\n", "写作 \\n"),
    ('["a\tb"]', "1:4", "a raw control character", "\\u0009", "\\u0009"),
    ('["C:\\x"]', "1:5", "an invalid escape", "a backslash as two: \\\\", "写作两个"),
    ('["abc', "1:2", "no closing quote", "close it with a double quote", "双引号结束"),
    ('{\n"a": [1, 2\n', "3:1", "the '[' of line 2 is still open", "close it with ']'", "补上“]”"),
    ('{"a": "["', "1:10", "the '{' of line 1 is still open", "close it with '}'", "补上“}”"),
    ('{\n"a": [1}\n}', "2:8", "'}' does not close the '[' of line 2", "write ']' before it", "补上“]”"),
    ('{"a": 1}}', "1:9", "a '}' too many", "remove it", "删除"),
    ("{} {}", "1:4", "more text after the end", "keep one document", "一个文档"),
    ('{"x": 5%}', "1:8", "',' or '}' expected", "correct the text", "修正此处的文本"),
    ("{}".encode("utf-16-le"), "1:2", "a NUL, as in UTF-16", "in the encoding UTF-8", "UTF-8"),
    ('{\n  "a": {\n    "b": {"c": 1,\n    "d": 2\n  },\n  "e": 3\n}', "3:10",
     "'{' is not closed: by the indentation, line 5", "'}' where it ends, before line 5", "第 5 行之前"),
    ('{\r\n\t"a": [\r\n\t\t[1],\r\n\t2]\r\n', "5:1", "the '{' of line 1 is still open", "close it with '}'", "补上“}”"),
    ('{\n  "a": {\n    "b": {"c": 1} },\n    "d": 2\n  },\n  "e": 3\n}', "3:19",
     "closes the '{' of line 2, by the indentation too early", "remove it", "请删除"),
    ('{\n  "a": {\n    "b": 1\n  }\n  },\n  "e": 3\n}', "5:3",
     "closes the '{' of line 1, by the indentation too early", "remove it", "请删除"),
    ('{\n  "a": [\n    1\n  ]\n}\n}', "6:1", "a '}' too many", "remove it, or open", "左括号"),
    ('{"a": { {"b": 1} } }', "1:7", "entries without keys stand between", "write '[' and ']'", "“[”“]”"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "place", "reason", "remedy", "zh"), SLIPS)
def test_slip(data: str | bytes, place: str, reason: str, remedy: str, zh: str) -> None:
    found = said(data)
    assert found.code == "R104"
    assert f"{found.place.line}:{found.place.column}" == place
    assert reason in found.message_en
    assert remedy in found.remedy_en
    assert zh in found.remedy_zh


@pytest.mark.parametrize(
    ("data", "guess"),
    [
        ('{"规则": "牌型"}'.encode("gbk"), "; it looks like GBK"),
        ("{}".encode("utf-16"), "; it looks like UTF-16"),
        ('{"é": 1}'.encode("latin-1"), "does not fit"),
        (b'{"\xff\xff\xff\xff": 1}', "does not fit"),
    ],
)
def test_encoding_is_guessed(data: bytes, guess: str) -> None:
    found = said(data)
    assert found.code == "R102"
    assert found.message_en.endswith(guess)


@settings(max_examples=300, deadline=None)
@given(
    st.text(alphabet="{}[]\",: \n\r\t\\/#'a1.-，“trueN<=\x00\ud7ff", max_size=30),
    st.sampled_from(Wanted),
    st.data(),
)
def test_any_text_has_a_slip(text: str, wanted: Wanted, data: st.DataObject) -> None:
    """Whatever stands where the parser stops, there is something to say, at a place within the text."""
    offset = data.draw(st.integers(0, len(text)))
    found = slip_at(text, offset, wanted)
    assert 0 <= found.offset <= len(text)
    for words in (found.reason, found.mend):
        assert words.en
        assert any("\u4e00" <= letter <= "\u9fff" for letter in words.zh)


def test_long_words_are_cut() -> None:
    found = said("[" + "x" * 1_000_000 + "]")
    assert len(found.text()) < 500
