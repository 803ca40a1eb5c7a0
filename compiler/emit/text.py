"""The only two doors through which text of a rule's author reaches generated code: a literal and a comment.

Whatever the text holds, what comes out is one Python string literal, or one comment on one line that no tool takes for
an instruction.
"""

from __future__ import annotations


def literal(text: str) -> str:
    """A Python string literal of exactly this text; characters that cannot be seen are escaped.

    >>> literal('a"b')
    '"a\\\\"b"'
    """
    return '"' + "".join(_escaped(one) for one in text) + '"'


def comment(text: str) -> str:
    """The text for use inside a comment: printable, on one line, without a number sign that tools might read on from.

    Backslashes are doubled, so the runtime, whose map from code to nodes these comments are, can read the text back.

    >>> comment("牌1"), comment("a\\n# fmt: off")
    ('牌1', 'a\\\\n\\\\x23 fmt: off')
    """
    return "".join(_IN_COMMENTS.get(one) or _visible(one) for one in text)


_IN_COMMENTS = {"#": "\\x23", "\\": "\\\\"}


def docstring(text: str) -> str:
    """A docstring of one line: a literal in three quotes."""
    return f'"""{literal(text)[1:-1]}"""'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    return _visible(character)


_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _visible(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    if character.isprintable():
        return character
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
