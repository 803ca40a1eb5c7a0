"""The layout of generated code: black has nothing to do on it, although black has seen only the long statements of it.

`formatted` is compared with black itself: on texts that it must treat in different ways, and on packages of random rules.
"""

from __future__ import annotations

import black
import pytest

from dealwright.compiler import pipeline
from dealwright.compiler.emit import style
from dealwright.compiler.emit.style import BadOutput, formatted, refuse_unsettled
from tests.rulegen.rules import seeded
from tests.rulegen.shortcuts import shortcut_rule
from tests.support import LONG, RULES, encoded

SEEDS = range(400 if LONG else 15)

SUM = " + ".join(f"number_{index}" for index in range(12))
TEST = " and ".join(f"number_{index} == {index}" for index in range(6))
PARAMETERS = ", ".join(f"number_{index}: int" for index in range(8))
WIDE = " + ".join(["点数花色"] * 8)

TEXTS = {
    "short": "def f() -> int:\n    return 1  # [1]\n",
    "a long value": f"def f() -> int:\n    return {SUM}  # [1]\n",
    "a long question": f"def f() -> int:\n    if {TEST}:  # [1]\n        return 1\n    return 0\n",
    "a long second question": (
        f"def f() -> int:\n    if f:\n        return 1\n    elif {TEST}:  # [1]\n        return 2\n    return 0\n"
    ),
    "a long loop": f"def f() -> None:\n    while {TEST}:  # [1]\n        f()\n",
    "long parameters": f"def f({PARAMETERS}) -> int:\n    return 1\n",
    "a long method": f"class C:\n    def f(self, {PARAMETERS}) -> int:\n        return {SUM}\n",
    "wide letters": f"def f() -> int:\n    return {WIDE}  # [1]\n",
    "a long row of a table": f'ROWS = {{\n    "a": f({SUM}),  # [1]\n    "b": 2,\n}}\n',
    "a statement of two long lines": f"x = f({SUM},\n    {SUM})\n",
    "nothing to break": f'x = "{"x" * 100}"  # [1]\n',
    "a long comment": f"# {'x ' * 60}x\nx = 1\n",
    "escapes": 'x = "a\\"b"\ny = "\\N{DIGIT ONE}"\n',
    "single quotes": "x = 'a'\n",
    "a docstring with spaces": '""" name """\n',
    "spaces at the end": "x = 1  # a \n",
    "deep": "".join(f"{'    ' * depth}if f:\n" for depth in range(24))
    + f"{'    ' * 24}f({SUM})\n",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_formatted_as_black_does(text: str) -> None:
    result = formatted(text)
    assert result == black.format_str(text, mode=style.MODE)
    refuse_unsettled(result)


LEFT, RIGHT = (
    f"{one}.cards[0].rank * 2 + int(game.table.is_trump(game, {one}.cards[0].suit))"
    for one in "ab"
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"if {LEFT} > {RIGHT}:  # [a]", "    f()\n"),
        (f"elif {LEFT} > {RIGHT}:  # [ä]", "    f()\n"),
        (f"return {LEFT} > {RIGHT}  # [ä]", ""),
        (f"higher = {LEFT} > {RIGHT}", ""),
    ],
)
def test_no_formula_is_torn(before: str, after: str) -> None:
    """Where black alone would break within a formula, parentheses say where it can break before it."""
    head = "if e:\n    f()\n" if before.startswith("elif") else ""
    text = f"{head}{before}\n{after}"
    alone, result = black.format_str(text, mode=style.MODE), formatted(text)
    assert style._TORN.search(alone) and not style._TORN.search(result)
    assert "> (\n" in result
    refuse_unsettled(result)


@pytest.mark.parametrize("seed", SEEDS)
def test_black_leaves_random_packages_alone(seed: int) -> None:
    for document in (seeded(seed).document, shortcut_rule(seed)):
        files = pipeline.build(encoded(document), "rules/random.json").files
        for path, text in files.items():
            if path.endswith(".py"):
                assert black.format_str(text, mode=style.MODE) == text, path


def test_most_modules_are_not_given_to_black_as_a_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Black gets the long statements of a rule without odd names: the skeletons leave it nothing else to do."""
    seen: list[str] = []
    once = style._once

    def watched(text: str, mode: black.Mode = style.MODE) -> str:
        seen.append(text)
        return once(text, mode)

    monkeypatch.setattr(style, "_once", watched)
    style.formatted.cache_clear()
    files = pipeline.build((RULES / "war.json").read_bytes(), "rules/war.json").files
    assert all("from __future__" not in text for text in seen)
    assert sum(map(len, seen)) < sum(map(len, files.values())) / 2


def test_what_black_would_change_is_our_fault() -> None:
    """The message shows where, not all of the text."""
    with pytest.raises(BadOutput, match="otherwise") as caught:
        refuse_unsettled("x = 1\n" * 100 + "x = ( 1 )\n")
    assert str(caught.value).split("\n")[1:] == [
        "@@ -101 +101 @@", "-x = ( 1 )", "+x = 1",
    ]  # fmt: skip
    with pytest.raises(BadOutput, match="otherwise") as caught:
        refuse_unsettled("x = ( 1 )\n" * 100)
    assert len(str(caught.value).split("\n")) == 1 + style._SHOWN
    with pytest.raises(BadOutput, match="cannot read"):
        refuse_unsettled("x = (\n")


def test_what_is_no_python_is_our_fault() -> None:
    with pytest.raises(BadOutput, match="no Python"):
        formatted("x = (\n")


def test_another_meaning_is_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(style, "_once", lambda text, mode: text.replace("0", "1"))
    style.formatted.cache_clear()
    with pytest.raises(BadOutput, match="meaning"):
        formatted(f"x = {SUM}\n")
