"""A whole rule, lowered: what the passes look at and the emitter prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Pool
from dealwright.compiler.representation.types import Rep
from dealwright.compiler.rule.model import Rule
from dealwright.compiler.rule.objects import ObjectProperty


@final
@dataclass(frozen=True, slots=True)
class MethodBody:
    """A lowered method: the representation of each parameter and of the result, and its body."""

    owner: str
    name: str
    parameters: tuple[tuple[str, Rep], ...]
    returned: Rep
    body: ir.Body


@final
@dataclass(frozen=True, slots=True)
class Program:
    """A whole rule, lowered. Comparisons and cardsets by id; `stored` gives each class its stored properties."""

    rule: Rule
    pool: Pool
    stored: Mapping[str, tuple[ObjectProperty, ...]]
    assigned: Mapping[str, frozenset[str]]
    builds: Mapping[str, ir.Body]
    compares: Mapping[str, ir.Body]
    comparisons: Mapping[str, ir.Body]
    methods: Mapping[tuple[str, str], MethodBody]
    match: ir.Body
    end: ir.Body
