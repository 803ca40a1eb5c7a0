"""The sentences of the code tables as they are shown without a rule at hand: their blanks become words in brackets."""

from __future__ import annotations

import string


def filled(template: str) -> str:
    """A template of a code with each blank shown as ‹its name›."""
    parts = string.Formatter().parse(template)
    return "".join(
        text + (f"‹{name}›" if name is not None else "") for text, name, _, _ in parts
    )
