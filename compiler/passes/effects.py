"""What a step may change and what a value reads, so that a local is never used beyond an assignment to what it read.

Goes in: steps and values of the intermediate representation. Comes out: sets of keys such as `table.轮数`; a key in both
sets ends the local. `ANYTHING` stands for everything that can change.
"""

from __future__ import annotations

from typing import Final, final

from dealwright.compiler.passes.reads import values_below
from dealwright.compiler.representation import ir
from dealwright.compiler.representation.ir import Value, rep_of
from dealwright.compiler.representation.tree import Do, If, Loop, Statement
from dealwright.compiler.representation.types import Rep

ANYTHING: Final = "*"
DECK: Final = "deck"
_TURN: Final = frozenset({"table.player_index", "table.settlement_index"})
_OWNERS: Final = {
    Rep.CARD: "card",
    Rep.PLAYER: "player",
    Rep.TABLE: "table",
    Rep.CARDS: "card",
    Rep.PLAYERS: "player",
}


@final
class Effects:
    """Answers for one program, remembered."""

    def __init__(self) -> None:
        self._known: dict[Value, frozenset[str]] = {}

    def read_by(self, value: Value) -> frozenset[str]:
        """The keys of everything changeable that the value reads."""
        known = self._known.get(value)
        if known is None:
            found: set[str] = set()
            for one in values_below((value,), set()):
                found |= self._read(one)
            known = self._known[value] = frozenset(found)
        return known

    def _read(self, value: Value) -> frozenset[str]:
        match value:
            case ir.Member(subject, name):
                return frozenset({f"{_OWNERS[rep_of(subject)]}.{name}"})
            case ir.Each(selection, name):
                return frozenset({f"{_OWNERS[rep_of(selection)]}.{name}"})
            case ir.Sorted(selection, keys):
                return frozenset(
                    f"{_OWNERS[rep_of(selection)]}.{key.property}" for key in keys
                )
            case ir.SortedValues(_, names, _):
                return frozenset(f"card.{name}" for name in names)
            case ir.Alike(_, name):
                return frozenset({f"card.{name}"})
            case ir.CurrentPlayer():
                return _TURN
            case ir.Choice():
                return frozenset({"table.用户做出的选择"})
            case ir.Deck():
                return frozenset({DECK})
            case ir.MixedProperty() | ir.MixedSorted():
                return frozenset({ANYTHING})
            case ir.Number(operand) if rep_of(operand) is Rep.MIXED:
                return frozenset({ANYTHING})
            case ir.Call() | ir.IsCardset():
                return frozenset({ANYTHING})
            case _:
                return frozenset()

    def changed_by(self, step: ir.Step) -> frozenset[str]:
        """The keys of everything that the step may change."""
        match step:
            case ir.Assign(target, _):
                rep = rep_of(target.subject)
                owners = (
                    ("card", "player", "table") if rep is Rep.MIXED else (_OWNERS[rep],)
                )
                return frozenset(f"{owner}.{target.name}" for owner in owners)
            case ir.SortDeck() | ir.Shuffle():
                return frozenset({DECK})
            case ir.Deal():
                return frozenset({DECK, "player.手牌数"})
            case ir.Invoke():
                return frozenset({ANYTHING})
            case ir.Pass():
                return frozenset()

    def changed_in(self, statements: tuple[Statement, ...]) -> frozenset[str]:
        """The keys of everything that running these statements may change."""
        found: frozenset[str] = frozenset()
        for one in statements:
            match one:
                case Do(_, step):
                    found |= self.changed_by(step)
                case If(_, _, _, then, orelse):
                    found |= self.changed_in(then) | self.changed_in(orelse)
                case Loop(_, body):
                    found |= self.changed_in(body)
                case _:
                    pass
        return found


def ends(read: frozenset[str], changed: frozenset[str]) -> bool:
    """Whether a change to `changed` makes a value that read `read` stale."""
    if not read or not changed:
        return False
    return ANYTHING in read or ANYTHING in changed or not read.isdisjoint(changed)
