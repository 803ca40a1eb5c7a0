"""A failing input as a case file: what `tests/cases` could take, readable, with both answers.

The rule itself is named and not repeated: a case holds it under `== rule alone`.
"""

from __future__ import annotations

from dealwright.compiler.verify.compare import Found


def case_text(found: Found, rule: str, file: str) -> str:
    """The case file.

    Args:
        found: the input and the difference.
        rule: the name of the rule.
        file: its file, as the person who builds it names it.
    """
    difference = found.difference
    where = "the answer to" if difference.is_answer else "what comes of"
    lines = [
        f"# {_line(rule)}: the package and the interpreter differ in {where} the last command.",
        f"# Rule: {_line(file)}; to keep this case, put the file's text below a line `== rule alone` here.",
        "# The answers below are the interpreter's. Where the package differs, both are given.",
        "",
        "== run",
        *found.told,
        f"# interpreted: {difference.interpreted}",
        f"# compiled:    {difference.compiled}",
        difference.line,
    ]
    return "\n".join(lines) + "\n"


def _line(text: str) -> str:
    """Text of a rule on one line of a comment."""
    return " ".join(text.split())
