"""The words that diagnostics are made of: severities, wordings in both languages, and the columns of the code tables.

The tables themselves stand in `codes_shape`, `codes_meaning` and `codes_warning`. Imports nothing of ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import final


class Severity(Enum):
    """How bad a problem is: errors stop compilation, warnings do with `--strict`, notes never."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@final
@dataclass(frozen=True, slots=True)
class Words:
    """Words of our own, in both languages, to be put into a sentence as they are."""

    en: str
    zh: str


@final
@dataclass(frozen=True, slots=True)
class Code:
    """One kind of problem.

    The code is stable: it never gets another meaning. `en` and `zh` are the sentence, `remedy_en` and `remedy_zh` what
    the author can do; all four are templates for `str.format`, filled by `Reporter.report`.
    """

    code: str
    severity: Severity
    en: str
    zh: str
    remedy_en: str
    remedy_zh: str
