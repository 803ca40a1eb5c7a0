"""`dealwright explain` on paper: each flow's facts and outline beside the functions generated from it.

    cardset 'Pair' ('2'), build flow
      accepted lengths: 2
      …
      outline:
        right_size: if size(judged) = 2 then may_play else no
      generated:
        def build_Pair(cards: Hand, game: BigTwoGame) -> dict[str, int] | None:

On a wide terminal the two stand side by side and the code is coloured; otherwise one below the other, as plain text that
is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from dealwright.compiler.diagnostics.codes import Words
from dealwright.compiler.diagnostics.reporter import Lang
from dealwright.compiler.report.explained import FlowExplained
from dealwright.compiler.report.fact_words import facts_in_words
from dealwright.compiler.rule.model import Rule

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

WIDE: Final = 140
"""Columns from which on outline and code stand side by side."""

_INDENT: Final = "  "
_GUTTER: Final = 4
_HANGING: Final = 4
_LEFT: Final = 0.45
_OUTLINE: Final = Words("outline", "流程")
_CODE: Final = Words("generated", "生成的代码")
_NO_CODE: Final = Words(
    "nothing: no play is ever compared by it", "无：没有牌会用到这个比较"
)


def _say(words: Words, lang: Lang) -> str:
    return words.zh if lang == "zh" else words.en


def stacked(rule: Rule, flows: Iterable[FlowExplained], lang: Lang) -> Iterator[str]:
    """The flows one below the other, lines without their ends; an empty one between two flows."""
    for number, flow in enumerate(flows):
        if number:
            yield ""
        yield _say(flow.title, lang)
        for line in _left_lines(rule, flow, lang):
            yield f"{_INDENT}{line}"
        yield f"{_INDENT}{_say(_CODE, lang)}:"
        code = flow.code or _say(_NO_CODE, lang)
        for line in code.splitlines():
            yield f"{_INDENT * 2}{line}".rstrip()


def _left_lines(rule: Rule, flow: FlowExplained, lang: Lang) -> Iterator[str]:
    """The facts, then the outline."""
    for label, text in facts_in_words(rule, flow.facts, lang):
        yield f"{label}: {text}"
    yield f"{_say(_OUTLINE, lang)}:"
    for line in flow.outline.splitlines():
        yield f"{_INDENT}{line}"


def print_beside(
    rule: Rule, flows: Iterable[FlowExplained], lang: Lang, console: Console
) -> None:
    """Facts and outline on the left, code on the right; for consoles of at least `WIDE` columns."""
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    for flow in flows:
        lines = list(_left_lines(rule, flow, lang))
        widest = max(map(cell_len, lines))
        width = min(widest, int(console.width * _LEFT))
        left = [part for line in lines for part in _wrapped(line, width, console)]
        grid = Table.grid(padding=(0, _GUTTER, 0, 0))
        grid.add_column(width=width)
        grid.add_column()
        grid.add_row(Text("\n").join(left), _code(flow, lang))
        console.print(Text(_say(flow.title, lang), "bold"))
        console.print(grid)
        console.print()


def _wrapped(line: str, width: int, console: Console) -> Iterator[Text]:
    """A line of the left side, what does not fit indented below it.

    What stands before its first colon, a label or a node, is bold.
    """
    from rich.text import Text

    bare = line.lstrip()
    text = Text(bare)
    text.stylize("bold", 0, bare.find(":") + 1)
    indent = len(line) - len(bare)
    parts = text.wrap(console, width - indent - _HANGING)
    for number, part in enumerate(parts):
        yield Text(" " * (indent + _HANGING if number else indent)) + part


def _code(flow: FlowExplained, lang: Lang) -> RenderableType:
    from rich.syntax import Syntax
    from rich.text import Text

    if not flow.code:
        return Text(_say(_NO_CODE, lang))
    return Syntax(
        flow.code,
        "python",
        theme="ansi_dark",
        background_color="default",
        word_wrap=True,
    )
