"""Names for the locals of one function, after what they hold: `by_点数`, `is_顺子`, and a method's answer after the method.

What has no such name is called like the node that it comes from, if that is called by a word without digits (builders
number their nodes, and a number is no name). No counter is involved: where two locals of a function want one name, the
later one gets hex digits of a hash of the shape of its formula, or, where that is taken too, of the formula itself. A
method's answer, `total`, is `from_total` before that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, final

import libcst as cst

from dealwright.compiler.emit.code import Code
from dealwright.compiler.emit.names import Names
from dealwright.compiler.emit.naming import LONGEST, digest, sanitized
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value, rep_of
from dealwright.compiler.representation.types import Rep

_TELLING: Final = (
    ir.Alike,
    ir.Call,
    ir.Column,
    ir.IsCardset,
    ir.Sorted,
    ir.SortedValues,
    ir.ValueAt,
)
"""Values that are called after what they are."""
_WORD: Final = re.compile(r"\w+")

_FUNCTIONS: Final = (
    "PROPERTIES_",
    "after_",
    "at_",
    "build_",
    "compare_",
    "read_",
    "settle_",
    "start_",
)
"""How the constants and functions begin that a module has for nodes, cardsets, large formulas and mixed values. No local
called after a method begins so, whether there is such a function or not, so that a node put in renames no local."""


@final
class LocalNames:
    """Gives names in one function.

    taken: its parameters and everything that it uses from outside. called: the nodes that values come from.
    """

    def __init__(
        self, names: Names, taken: frozenset[str], called: Mapping[Value, str]
    ) -> None:
        self._called = called
        self._names = names
        self._taken = set(taken)
        self._known: dict[Value, str] = {}

    def name(self, value: Value, made: Code) -> str:
        """A name for a local that holds `value`, whose formula is `made`; the same each time."""
        if value in self._known:
            return self._known[value]
        base = sanitized(self._base(value)[:LONGEST])
        wanted = (self._own_name(value), self._authors_name(value), base)
        name = next(
            (one for one in wanted if one is not None and one not in self._taken),
            None,
        )
        if name is None:
            name = self._hashed(base, made)
        self._taken.add(name)
        self._known[value] = name
        return name

    def _hashed(self, base: str, made: Code) -> str:
        """A free name for one more local that wants the name `base`."""
        text = cst.Module([]).code_for_node(made.node)
        # by its shape first, so that another constant or another name of a property renames no local
        name = f"{base}_{digest(re.sub(_WORD, 'x', text))}"
        digits = 4
        while name in self._taken:
            name = f"{base}_{digest(text, digits)}"
            digits += 4
        return name

    def _own_name(self, value: Value) -> str | None:
        """The name of the method whose answer this is, as anybody would call it; None if it is no answer, or unfit."""
        if not isinstance(value, ir.Call):
            return None
        name = sanitized(self._names.method(value.owner, value.method)[:LONGEST])
        return None if name.startswith(_FUNCTIONS) else name

    def _authors_name(self, value: Value) -> str | None:
        """The id of the node that a value comes from, if that is a word and the value has no telling name."""
        id = self._called.get(value)
        if id is None or isinstance(value, _TELLING):
            return None
        is_word = len(id) > 1 and not any(map(str.isnumeric, id))
        return (
            id
            if is_word and sanitized(id) == id and not id.startswith(_FUNCTIONS)
            else None
        )

    def _base(self, value: Value) -> str:
        match value:
            case ir.Sorted(_, keys):
                owner = "card" if rep_of(value) is Rep.CARDS else "player"
                return "by_" + "_".join(
                    self._attribute(owner, key.property) for key in keys
                )
            case ir.SortedValues(_, names, is_descending):
                return ("falling_" if is_descending else "sorted_") + "_".join(
                    map(self._names.card_attribute, names)
                )
            case ir.ValueAt(values, index) if isinstance(values, ir.SortedValues):
                attributes = "_".join(map(self._names.card_attribute, values.names))
                is_first = isinstance(index, ir.Integer) and index.value <= 0
                which = "highest" if values.is_descending else "lowest"
                return f"{which if is_first else 'one'}_{attributes}"
            case ir.Column(ir.ValueAt(ir.SortedValues(_, names, _), _), place):
                return "highest_" + self._names.card_attribute(names[place])
            case ir.Alike(_, name):
                return "same_" + self._names.card_attribute(name)
            case ir.Quantifier(is_all, _, _):
                return "every_one" if is_all else "some_one"
            case ir.IsCardset(cardset, _, _):
                return "is_" + self._names.build(cardset).removeprefix("build_")
            case ir.Call():
                return "from_" + self._names.method(value.owner, value.method)
            case ir.Each(selection, name) if name is not None:
                owner = "card" if rep_of(selection) is Rep.CARDS else "player"
                return "each_" + self._attribute(owner, name)
            case ir.Element():
                return "one_" + ("player" if rep_of(value) is Rep.PLAYER else "card")
            case ir.Member(subject, name):
                owners = {Rep.CARD: "card", Rep.PLAYER: "player", Rep.TABLE: "table"}
                return "its_" + self._attribute(owners[rep_of(subject)], name)
            case _:
                return {
                    Rep.BOOLEAN: "test",
                    Rep.INTEGER: "amount",
                    Rep.CARDS: "chosen",
                }.get(rep_of(value), "held")

    def _attribute(self, owner: str, name: str) -> str:
        return (
            "id"
            if name == "id" and owner != "table"
            else self._names.property(owner, name)
        )
