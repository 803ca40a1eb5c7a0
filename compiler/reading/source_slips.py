"""What people do to JSON by hand: why a text is not JSON, and how to mend it, from the place where the parser stopped.

In go the text, the offset and what was wanted there, out come a sentence and a remedy in both languages, and the offset
to point at. Nothing is repaired: the parser has stopped. Each function looks for one kind of slip; the first that sees
its own answers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final, final

from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.diagnostics.text import QUOTED_LENGTH, quote, safe
from dealwright.compiler.reading.source_brackets import (
    CLOSING,
    Slip,
    closing_too_early,
    never_closed,
    still_open,
)

_COMMENT: Final = ("//", "/*", "#")
_CONFLICT: Final = re.compile(r"<{7}|={7}|>{7}|\|{7}")
_QUOTES: Final = "'`´‘’‚‛“”„‟«»「」『』＂＇"
_WIDE: Final = {
    "，": ",", "、": ",", "：": ":", "；": ",", "｛": "{", "｝": "}", "［": "[", "］": "]", "【": "[", "】": "]",
    ";": ",", "=": ":", "（": "{", "）": "}", "(": "[", ")": "]",
}  # fmt: skip
_LITERALS: Final = {
    "true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false", "null": "null",
    "none": "null", "nil": "null", "undefined": "null",
}  # fmt: skip
_WORD: Final = re.compile(r"[\w$][\w$-]*")
_NUMBER: Final = re.compile(r"[-+]?[.\w]+")
_SPACE: Final = " \t\n\r"
_EXPORT: Final = Words("or export the rule again", "或重新导出规则")


class Wanted(Enum):
    """What the parser was looking for; the value is how people call it."""

    KEY = Words("a key in double quotes", "用双引号括起的键名")
    COLON = Words("':'", "“:”")
    VALUE = Words("a value", "一个值")
    NEXT_MEMBER = Words("',' or '}'", "“,”或“}”")
    NEXT_ITEM = Words("',' or ']'", "“,”或“]”")
    END = Words("the end of the file", "文件的结尾")
    TEXT_END = Words("the end of the text", "文本的结尾")
    PLAIN_TEXT = Words("a character that may stand in a text", "文本中可用的字符")
    ESCAPE = Words("a valid escape", "有效的转义")
    NUMBER = Words("a number", "数字")


@final
@dataclass(frozen=True, slots=True)
class _Spot:
    """Where the parser stopped: the text, the offset, what it wanted, and the offset of the last visible character."""

    text: str
    offset: int
    wanted: Wanted
    before: int

    @property
    def here(self) -> str:
        """The character at the place; empty at the end of the text."""
        return self.text[self.offset : self.offset + 1]

    @property
    def last(self) -> str:
        """The last visible character before the place; empty at the start."""
        return self.text[self.before : self.before + 1] if self.before >= 0 else ""

    def slip(self, reason: Words, mend: Words) -> Slip:
        """A slip at this very place."""
        return Slip(self.offset, reason, mend)


def slip_at(text: str, offset: int, wanted: Wanted) -> Slip:
    """What is wrong where the parser stopped at `offset`, looking for `wanted`.

    Never fails: what is no slip that people are known to make is told by what was wanted.
    """
    before = offset - 1
    while before >= 0 and text[before] in _SPACE:
        before -= 1
    spot = _Spot(text, offset, wanted, before)
    for look in _LOOKS:
        found = look(spot)
        if found is not None:
            return found
    return spot.slip(
        Words(f"{wanted.value.en} expected", f"此处应为{wanted.value.zh}"),
        Words(
            f"correct the text at this place, {_EXPORT.en}",
            f"请修正此处的文本，{_EXPORT.zh}",
        ),
    )


def _in_text(spot: _Spot) -> Slip | None:
    """The parser stopped inside a text in double quotes."""
    match spot.wanted:
        case Wanted.TEXT_END:
            return spot.slip(
                Words("this text has no closing quote", "这段文本没有结束的引号"),
                Words("close it with a double quote", "请用双引号结束这段文本"),
            )
        case Wanted.PLAIN_TEXT if spot.here in "\r\n":
            return spot.slip(
                Words("the line ends inside a text", "文本尚未结束就换行了"),
                Words(
                    "close the text with a double quote; a line break in a text is written \\n",
                    "请用双引号结束文本；文本中的换行应写作 \\n",
                ),
            )
        case Wanted.PLAIN_TEXT:
            code = f"\\u{ord(spot.here):04x}"
            return spot.slip(
                Words(
                    "a text holds a raw control character", "文本中含有未转义的控制字符"
                ),
                Words(f"remove it, or write {code}", f"请删除该字符，或写作 {code}"),
            )
        case Wanted.ESCAPE:
            return spot.slip(
                Words("a text holds an invalid escape", "文本中含有无效的转义"),
                Words(
                    "write a backslash as two: \\\\",
                    "反斜杠本身应写作两个：\\\\",
                ),
            )
        case _:
            return None


def _ended(spot: _Spot) -> Slip | None:
    """The file is empty, or ends while something is still open."""
    if spot.offset < len(spot.text):
        return None
    if not spot.text.strip():
        return spot.slip(
            Words("it is empty", "文件是空的"),
            Words("write a rule, or export it again", "请编写规则，或重新导出规则"),
        )
    opened = still_open(spot.text, spot.offset)
    if not opened:
        return None
    odd = never_closed(spot.text, spot.offset)
    if odd is not None:
        return odd
    sign, line = opened[-1].sign, opened[-1].line
    wanted = spot.wanted.value
    return spot.slip(
        Words(
            f"the file ends where {wanted.en} should stand; the '{sign}' of line {line} is still open",
            f"文件在应有{wanted.zh}处结束；第 {line} 行的“{sign}”尚未闭合",
        ),
        Words(
            f"close it with '{CLOSING[sign]}', or fetch the file anew if it was cut off",
            f"请补上“{CLOSING[sign]}”；若文件不完整，请重新获取",
        ),
    )


def _foreign(spot: _Spot) -> Slip | None:
    """Text that belongs to something else: comments, marks of a merge, HTML, UTF-16."""
    here, text = spot.here, spot.text
    starts_line = spot.offset == 0 or text[spot.offset - 1] in "\r\n"
    if starts_line and _CONFLICT.match(text, spot.offset):
        return spot.slip(
            Words("this is the mark of a merge conflict", "这是合并冲突的标记"),
            Words(
                "choose one of the two versions, and remove the marks",
                "请选定其中一个版本，并删除冲突标记",
            ),
        )
    if text.startswith(_COMMENT, spot.offset):
        return spot.slip(
            Words("JSON has no comments", "JSON 不支持注释"),
            Words(
                'remove the comment, or keep it as a text under a key of its own ("comment": "…")',
                '请删除注释，或写成单独的键（"comment": "…"）',
            ),
        )
    if here == "<":
        return spot.slip(
            Words("this is HTML or XML", "这是 HTML 或 XML"),
            Words(
                "save the rule itself, not the page that shows it",
                "请保存规则本身，而不是显示它的网页",
            ),
        )
    if here == "\0":
        return spot.slip(
            Words("this is a NUL, as in UTF-16", "这是 NUL 字符，常见于 UTF-16 编码"),
            Words("save the file in the encoding UTF-8", "请以 UTF-8 编码保存文件"),
        )
    if text.startswith(("...", "…"), spot.offset):
        return spot.slip(
            Words("dots stand for what was left out", "此处用省略号代替了内容"),
            Words("write out what belongs here", "请写出完整内容"),
        )
    return None


def _lookalike(spot: _Spot) -> Slip | None:
    """Signs that look like those of JSON: other quotes, full-width signs, spaces that are none."""
    here = spot.here
    if here and here in _QUOTES:
        return spot.slip(
            Words(
                f"{safe(here)} is no quote of JSON, which wants straight double quotes",
                f"{safe(here)} 不是 JSON 的引号，JSON 只用直双引号",
            ),
            Words('write " before and after the text', '请在文本前后都用 "'),
        )
    sign = _WIDE.get(here)
    if sign is not None:
        return spot.slip(
            Words(f"'{here}' is no sign of JSON", f"“{here}”不是 JSON 的符号"),
            Words(f"write '{sign}' instead", f"请改写为“{sign}”"),
        )
    if here and (unicodedata.category(here) in ("Zs", "Zl", "Zp", "Cf", "Cc")):
        code = f"U+{ord(here):04X}"
        return spot.slip(
            Words(
                f"an invisible character ({code}) stands outside of texts",
                f"文本之外有一个不可见字符（{code}）",
            ),
            Words(
                "delete it; only plain spaces may stand there",
                "请删除；此处只能用普通空格",
            ),
        )
    return None


def _comma(spot: _Spot) -> Slip | None:
    """A comma too many."""
    here, last = spot.here, spot.last
    remove = Words("remove the comma", "请删除这个逗号")
    if last == "," and here and here in "}]":
        return Slip(
            spot.before,
            Words(
                f"a comma stands before the closing '{here}'",
                f"“{here}”之前多了一个逗号",
            ),
            remove,
        )
    if here == "," and last in ("", ",", "{", "[", ":"):
        return spot.slip(
            Words(
                "a comma stands where nothing comes before it", "这个逗号之前缺少内容"
            ),
            Words(
                "remove the comma, or write what is missing before it",
                "请删除这个逗号，或补上缺少的内容",
            ),
        )
    if last == ":" and here and here in "}]":
        return spot.slip(
            Words("a key has no value", "键没有值"),
            Words(
                "write its value after the ':', for example \"\"",
                '请在“:”之后写上值，例如 ""',
            ),
        )
    return None


def _bracket(spot: _Spot) -> Slip | None:
    """A closing bracket too many, or of the other kind."""
    here = spot.here
    if not here or here not in "}]":
        return None
    if spot.wanted is Wanted.END:
        return closing_too_early(spot.text, spot.offset) or spot.slip(
            Words(f"there is a '{here}' too many", f"多了一个“{here}”"),
            Words(
                "remove it, or open what it closes further up",
                "请删除，或在前面补上对应的左括号",
            ),
        )
    opened = still_open(spot.text, spot.offset)
    if not opened or CLOSING[opened[-1].sign] == here:
        return None
    sign, line = opened[-1].sign, opened[-1].line
    return spot.slip(
        Words(
            f"'{here}' does not close the '{sign}' of line {line}",
            f"“{here}”与第 {line} 行的“{sign}”不匹配",
        ),
        Words(
            f"write '{CLOSING[sign]}' before it or instead of it",
            f"请在此之前补上“{CLOSING[sign]}”，或用它替换",
        ),
    )


def _number(spot: _Spot) -> Slip | None:
    """A number that JSON spells otherwise."""
    start, here = spot.offset, spot.here
    follows_digit = spot.before == start - 1 and spot.last.isdecimal()
    if (
        spot.wanted in (Wanted.NEXT_MEMBER, Wanted.NEXT_ITEM)
        and here == "."
        and follows_digit
    ):
        start = _word_start(spot.text, start)
    elif spot.wanted is not Wanted.NUMBER and not (
        spot.wanted is Wanted.VALUE and here and here in "+."
    ):
        return None
    found = _NUMBER.match(spot.text, start)
    shown = quote(spot.text[start:] if found is None else found[0])
    return Slip(
        spot.offset,
        Words(f"{shown} is not a number of JSON", f"{shown} 不是 JSON 的数字"),
        Words(
            "write a plain integer (7, 0, -3), or put a text into double quotes",
            "请写普通整数（7、0、-3）；若是文本，请加双引号",
        ),
    )


def _unquoted(spot: _Spot) -> Slip | None:
    """A word without quotes: a literal of another language, a key, a text; or the rest of a text that ended too early."""
    word = _WORD.match(spot.text, spot.offset)
    if word is None:
        return None
    shown = quote(word[0])
    # a quote directly before the word: it was meant to stand in the text
    if spot.last == '"' and spot.before == spot.offset - 1:
        return _early(spot)
    if spot.wanted is Wanted.VALUE:
        literal = _LITERALS.get(word[0].lower())
        mend = Words(f'write "{safe(word[0])}" in double quotes', "请加上双引号")
        if literal is not None:
            mend = Words(f"write {literal}", f"请写 {literal}")
        return spot.slip(
            Words(f"{shown} is no value of JSON", f"{shown} 不是 JSON 的值"),
            mend,
        )
    if spot.wanted is Wanted.KEY and spot.last in ("{", ","):
        return spot.slip(
            Words(f"the key {shown} has no double quotes", f"键 {shown} 没有双引号"),
            Words("write the key in double quotes", "请给键加上双引号"),
        )
    if spot.before == spot.offset - 1 and spot.last.isalnum():
        shown = quote(spot.text[_word_start(spot.text, spot.offset) : word.end()])
        return spot.slip(
            Words(
                f"{shown} is neither a number nor a word of JSON",
                f"{shown} 既不是 JSON 的数字也不是 JSON 的词",
            ),
            Words(
                "write a plain integer, or put a text into double quotes",
                "请写普通整数；若是文本，请加双引号",
            ),
        )
    return None


def _word_start(text: str, end: int) -> int:
    """Where the run of letters and digits that ends before an offset begins, as far back as anybody reads."""
    start = end
    while start > max(0, end - QUOTED_LENGTH) and text[start - 1].isalnum():
        start -= 1
    return start


def _early(spot: _Spot) -> Slip:
    """A text that ended at a quote which was meant to stand in it."""
    return spot.slip(
        Words(
            "a text ended at the quote before this",
            "文本在前一个引号处就结束了",
        ),
        Words(
            'write a quote inside a text as \\", or put in the quote or comma that is missing before',
            '文本内的引号应写作 \\"；也可能是前面缺少引号或逗号',
        ),
    )


def _missing_sign(spot: _Spot) -> Slip | None:
    """A comma or colon that is not there."""
    here = spot.here
    if not here or (spot.last not in ('"', "}", "]") and not spot.last.isalnum()):
        return None
    starts_entry = here in '"{[-' or here.isalnum()
    if here == ":" and spot.wanted in (Wanted.NEXT_MEMBER, Wanted.NEXT_ITEM):
        return spot.slip(
            Words("a ':' stands after a value", "值之后多了一个“:”"),
            Words(
                "write a comma before the key, or '{' and '}' around keys and values",
                "请在键之前加逗号，或用“{”“}”括起键和值",
            ),
        )
    if spot.wanted in (Wanted.NEXT_MEMBER, Wanted.NEXT_ITEM) and starts_entry:
        return spot.slip(
            Words("there is no comma before this", "此处之前缺少逗号"),
            Words("write a comma after the previous entry", "请在前一项之后加上逗号"),
        )
    if spot.wanted is Wanted.COLON and here in ",}" and spot.last == '"':
        return spot.slip(
            Words("a key has no value", "键没有值"),
            Words("write ':' and its value after the key", "请在键之后写上“:”和值"),
        )
    if spot.wanted is Wanted.COLON:
        return spot.slip(
            Words("there is no ':' between key and value", "键和值之间缺少“:”"),
            Words("write ':' after the key", "请在键之后加上“:”"),
        )
    return None


def _entries_without_keys(spot: _Spot) -> Slip | None:
    """A list that was opened like an object."""
    if spot.wanted is not Wanted.KEY or spot.last != "{" or not spot.here:
        return None
    if spot.here not in "{[":
        return None
    return Slip(
        spot.before,
        Words(
            "entries without keys stand between '{' and '}'",
            "“{”“}”之间的各项没有键",
        ),
        Words(
            "write '[' and ']' around a list, or a key before each entry",
            "列表请用“[”“]”括起；否则请给每一项写上键",
        ),
    )


def _more(spot: _Spot) -> Slip | None:
    """Text behind the end of the document."""
    if spot.wanted is not Wanted.END:
        return None
    return closing_too_early(spot.text, spot.offset) or spot.slip(
        Words(
            "there is more text after the end of the document",
            "文档结束之后还有内容",
        ),
        Words(
            "keep one document in the file; look for a bracket that closes too early",
            "一个文件只能有一个文档；请检查是否有括号过早闭合",
        ),
    )


_LOOKS: Final[tuple[Callable[[_Spot], Slip | None], ...]] = (
    _in_text,
    _ended,
    _foreign,
    _number,
    _lookalike,
    _comma,
    _bracket,
    _unquoted,
    _missing_sign,
    _entries_without_keys,
    _more,
)
