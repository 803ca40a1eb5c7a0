"""The oracle's world: a live state as formulas see it: objects, their properties and the coercions.

Nothing here waits for another formula; what does is in `machine`. Also the two things that every task is
made with: the scope in which references mean something, and `drive`, which runs tasks on a stack of its own. Part of
the oracle (`interpret.py`): imports the standard library and the oracle's own modules only.
"""

import re
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, final

from dealwright.compiler.interpreter.rule import (
    ALL_PLAYERS,
    CALLER,
    CHOICE,
    DECK,
    HAND_SIZE,
    Flow,
    Node,
    Reference,
    Rule,
    integer_or_zero,
)
from dealwright.compiler.interpreter.values import (
    Card,
    Cards,
    Integers,
    Object,
    Play,
    Player,
    Players,
    Refused,
    State,
    Table,
    Value,
    size,
)

#: A computation in progress: it yields tasks and is sent their results.
Task: TypeAlias = Generator[Any, Any, Any]

_SIDE = re.compile(r"牌型 ?([AB])(?:\.(.*))?", re.DOTALL)
NO_PAIR = object()

MOST_WORK = 500_000
"""Formulas that one submission may compute (decision 30)."""


def drive(task: Task) -> Any:
    """Run a task to its end with an explicit stack, however deep it goes, and give its result."""
    stack, result = [task], None
    while stack:
        try:
            stack.append(stack[-1].send(result))
            result = None
        except StopIteration as ended:
            stack.pop()
            result = ended.value
    return result


@final
@dataclass(frozen=True, slots=True)
class Scope:
    """What references mean at one place: the flow, the control node `at` which it stands, the cards being judged, the two
    plays, a method's caller.

    `memo` holds values already worked out. It is sound because nothing changes while a formula is read: a walk that
    can change the state takes a fresh one at every control node.
    """

    flow: Flow
    at: str = ""
    judged: tuple[int, ...] = ()
    bound_card: int | None = None
    bound_player: int | None = None
    now: Play | None = None
    before: Play | None = None
    caller: Value = None
    arguments: Mapping[str, Value] = field(default_factory=dict)
    memo: dict[str, Value] = field(default_factory=dict)

    @property
    def is_pure(self) -> bool:
        """Whether control in this flow changes nothing (build and compare flows)."""
        return self.flow.kind in ("build", "compare")


class World:
    """One match's state with the rule behind it: reads objects and properties, counts steps, records events.

    `steps` counts the control nodes since the last submission; beyond `step_limit` the flow is endless. So it is beyond
    `MOST_WORK` formulas, which `work` counts.
    """

    def __init__(self, rule: Rule, state: State, *, step_limit: int = 100_000) -> None:
        self.rule = rule
        self.state = state
        self.steps = 0
        self.step_limit = step_limit
        self.work = 0
        self.events: list[dict[str, Any]] = []

    # ---- objects and their properties (contract, sections 2 and 4)

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.state.players)

    def current_seat(self) -> int:
        """The seat whose turn it is or, once the end flow has begun, who is being settled (decision 17)."""
        index = self.state.table[
            "settlement_index" if self.state.is_settling else "player_index"
        ]
        return max(index, 0) % self.seats

    def emit(self, kind: str, **details: Any) -> None:
        """Record an event."""
        self.events.append({"kind": kind, **details})

    def current_player(self, scope: Scope) -> Player:
        """The player meant by 玩家: a quantifier's, else the current one."""
        return Player(
            self.current_seat() if scope.bound_player is None else scope.bound_player
        )

    def find_object(self, scope: Scope, reference: Reference) -> Object | None:
        """The object that a reference names; None if it names none, or none that this match has."""
        match reference.kind:
            case "table":
                return Table()
            case "current":
                return self.current_player(scope)
            case "player":
                return Player(reference.value) if reference.value < self.seats else None
            case "card":
                return (
                    Card(reference.value)
                    if reference.value in self.state.cards
                    else None
                )
            case _:
                return None

    def object_property(self, scope: Scope, owner: Object, name: str) -> Value:
        """A property of an object; undeclared ones are 0."""
        match owner:
            case Card(number):
                return self.card_property(number, name)
            case Player(seat):
                return self.player_property(seat, name)
            case Table():
                return self.table_property(scope, name)

    def card_property(self, number: int, name: str) -> int:
        """A property of a card; `id` is its number."""
        return number if name == "id" else self.state.cards[number].get(name, 0)

    def player_property(self, seat: int, name: str) -> int:
        """A property of a player; `id` is the seat."""
        return seat if name == "id" else self.state.players[seat].get(name, 0)

    def table_property(self, scope: Scope, name: str) -> Value:
        """A property of the table; a quantifier over players shows in `settlement_index` (decision 9)."""
        if name == ALL_PLAYERS:
            return Players(tuple(range(self.seats)))
        if name == DECK:
            return Cards(tuple(self.state.deck))
        if name == "settlement_index" and scope.bound_player is not None:
            return scope.bound_player
        return self.state.table.get(name, 0)

    def integer(self, value: Value) -> int:
        """A value as an integer (contract, section 4)."""
        match value:
            case int():
                return int(value)
            case Integers(numbers):
                return numbers[0] if numbers else 0
            case Card(number):
                return self._card_as_integer(number)
            case Player(seat):
                return seat
            case _:
                return size(value)

    def _card_as_integer(self, number: int) -> int:
        declared = self.rule.card_properties
        if not declared:
            return 0
        return self.card_property(number, "点数" if "点数" in declared else declared[0])

    # ---- values that need no other (contract, sections 3 and 5)

    def direct(self, scope: Scope, reference: Reference) -> Value:
        """The value of a reference that is no node id."""
        match reference.kind:
            case "value":
                value: int = reference.value
                return value
            case "cards":
                return Cards(scope.judged)
            case "now":
                return scope.now
            case "before":
                return scope.before
            case "argument":
                return scope.arguments[reference.value]
            case "caller":
                return scope.caller
            case _:
                return self.find_object(scope, reference)

    def plain(self, scope: Scope, node: Node) -> Value:
        """A node whose value needs no other: constants, starts and waits; all others have none (decision 7)."""
        match node.type:
            case 8 | 9:
                return integer_or_zero(node.content.get("value"))
            case 21:
                return self.latest(scope)
            case 22:
                return self.state.table[CHOICE]
            case 27:
                return Cards(scope.judged)
            case _:
                return None

    def latest(self, scope: Scope) -> Cards:
        """The cards of the latest action, or the one card that a quantifier binds."""
        return Cards(
            tuple(self.state.latest)
            if scope.bound_card is None
            else (scope.bound_card,)
        )

    def pair(self, scope: Scope, node_type: int, name: str) -> Any:
        """The special pairs of a start or wait with a property name; `NO_PAIR` if this is none of them."""
        match node_type:
            case 17 if name == "牌桌":
                return Table()
            case 21 if name == "用户打出的牌组":
                return self.latest(scope)
            case 22:
                return self.state.table[CHOICE] if name == CHOICE else None
            case 23 if name == "玩家":
                return self.current_player(scope)
            case 25 if name in scope.arguments:
                return scope.arguments[name]
            case 25 if name == CALLER:
                return scope.caller
            case 27 if name == "传入牌组":
                return Cards(scope.judged)
            case 29 if side := _SIDE.fullmatch(name):
                play = scope.now if side[1] == "A" else scope.before
                return (
                    play
                    if side[2] is None or play is None
                    else self.play_property(play, side[2])
                )
            case _:
                return NO_PAIR

    def value_property(
        self, scope: Scope, value: Value, name: str, *, is_mapped: bool
    ) -> Value:
        """A property through operator 1, or 2 if `is_mapped` (contract, section 5; decision 6)."""
        match value:
            case None:
                return None
            case int() | Integers():
                return value
            case Card() | Player() | Table():
                return self.object_property(scope, value, name)
            case Play():
                return self.play_property(value, name)
            case Cards(numbers) if is_mapped:
                return Integers(
                    tuple(self.card_property(number, name) for number in numbers)
                )
            case Players(seats) if is_mapped:
                return Integers(
                    tuple(self.player_property(seat, name) for seat in seats)
                )
            case _:
                is_whole = not name.strip() or name == "content"
                return size(value) if is_whole else value

    def play_property(self, play: Play, name: str) -> Value:
        """A property of a cardset (contract, section 5; decisions 6 and 11)."""
        cardset = self.rule.cardset_by_id[play.cardset]
        if name in ("cards", "牌组"):
            return Cards(play.cards)
        if name in ("cardsetId", "牌型ID", "牌型 ID"):
            return cardset.number
        side = _SIDE.fullmatch(name)
        own = name if side is None or side[2] is None else side[2]
        return play.properties.get(own, 0)

    # ---- what the engine keeps

    def count_step(self, node: Node) -> None:
        """Count a control node; raises `Refused` beyond the limit."""
        self.steps += 1
        if self.steps > self.step_limit:
            raise Refused("endless_flow", node.id)

    def count_work(self, node: Node) -> None:
        """Count a formula that is computed; raises `Refused` beyond the limit."""
        self.work += 1
        if self.work > MOST_WORK:
            raise Refused("endless_flow", node.id)

    def count_hand(self, seat: int) -> None:
        """Set the player's 手牌数, as the engine does at every change of a hand."""
        self.state.players[seat][HAND_SIZE] = len(self.state.hands[seat])
