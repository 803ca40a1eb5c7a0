"""The saved state of a usual match, read in few steps.

`state.read_state` looks at one field after another, so that a state that does not fit is refused with a sentence that
names the field. Nearly all states fit, and a server may load a match for every request. Here a state is looked at in a few
passes that take no loop of ours: the types of all its numbers at once, all cards against all card numbers at once. Whatever
is not exactly what `Match.to_json` writes gives None, and `read_state` decides; what is taken gives the same game there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain, count, repeat
from operator import call, itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar, final
from weakref import ref

from dealwright.runtime.asked import HINTS
from dealwright.runtime.checks import (
    DICT,
    INT,
    LIST,
    TOO_LARGE,
    are_small,
    is_text,
    player_ids,
)
from dealwright.runtime.events import Entry, PlayerId
from dealwright.runtime.game import CardT, Game, PlayerT, TableT, seat_at
from dealwright.runtime.record import Record, read_record, usual_record
from dealwright.runtime.shuffle import MASK
from dealwright.runtime.state import FIELDS, read_end, read_state

if TYPE_CHECKING:
    from dealwright.runtime.package import Package

ObjectT = TypeVar("ObjectT")
Json: TypeAlias = Any
"""A value of a state: what it is, is found out here."""
Saved: TypeAlias = tuple[Game[PlayerT, TableT, CardT], tuple[PlayerId, ...], int]
"""The game, the ids and the seed."""

_TYPES: Final[Mapping[str, type]] = MappingProxyType(
    {
        "rule": str,
        **dict.fromkeys(("seed", "generator", "event"), int),
        **dict.fromkeys(("ids", "hands", "deck", "discard", "players"), list),
        **dict.fromkeys(("latest", "skipped"), list),
        "table": dict,
        "actions": dict,
    }
)
"""The fields that always have the same type, with it; the others may be null."""
_typed_of = itemgetter(*_TYPES)
_KINDS: Final = (*_TYPES.values(),)
_play_of = itemgetter("seat", "cardset_id", "cardset", "cards", "properties")
_wait_of = itemgetter("seat", "node")
_lists_of = itemgetter("seats", "sizes", "numbers")
_STR: Final = frozenset({str})


@final
class Mould(Generic[ObjectT]):
    """Makes objects of one class from their values, past `__init__` and `__setattr__`, which take most of the time.

    Attributes:
        values_of: the values of a mapping of properties, in the order of the class; the first comes once more, since
            `itemgetter` gives a tuple for several only.
        width: how many properties there are.
    """

    __slots__ = ("_kind", "_setters", "values_of", "width")

    def __init__(
        self, kind: type[ObjectT], start: Mapping[str, int], kept: tuple[str, ...]
    ) -> None:
        """Prepare it.

        Args:
            start: the properties by the rule's spelling.
            kept: the other attributes.

        Raises:
            ValueError: the class keeps something else, or not in slots.
        """
        respelled: Mapping[str, str] = kind.RESPELLED  # type: ignore[attr-defined]
        spelled = {property: attribute for attribute, property in respelled.items()}
        names = tuple(start)
        attributes = [*kept, *(spelled.get(name, name) for name in names)]
        slots = {
            slot
            for owner in kind.__mro__[:-1]
            for slot in owner.__dict__.get("__slots__", ("__dict__",))
        }
        if slots != set(attributes):
            raise ValueError(f"{kind.__name__} keeps more than its properties")
        self._kind = kind
        self._setters = [getattr(kind, name).__set__ for name in attributes]
        self.values_of: Callable[[Json], tuple[Json, ...]] = itemgetter(
            *names, names[0]
        )
        self.width = len(names)

    def make(self, *values: object) -> ObjectT:
        """An object with these values: of the kept attributes, then of the properties."""
        made = object.__new__(self._kind)
        # setters give None, so `any` calls them all; the last value is the first again, and has no setter
        any(map(call, self._setters, repeat(made), values))
        return made

    def make_all(self, number: int, *columns: Iterable[object]) -> list[ObjectT]:
        """So many objects; a column has the values of all for one kept attribute or one property."""
        made = [*map(object.__new__, repeat(self._kind, number))]
        for put, column in zip(self._setters, columns):  # noqa: B905  # likewise
            any(map(put, made, column))  # no setter gives anything: it goes through all
        return made


@final
class UsualStates(Generic[PlayerT, TableT, CardT]):
    """Reads the saved states of one package. Nothing in it changes, so that threads may share it."""

    __slots__ = ("_cards", "_numbers", "_package", "_players", "_size", "_table")

    def __init__(self, package: Package[PlayerT, TableT, CardT]) -> None:
        """Prepare it.

        Raises:
            ValueError: the package's classes are not as generated ones are.
        """
        kind = package.table
        # `itemgetter` gives a tuple for several cards only, and a byte holds a number up to 255
        if not isinstance(kind, type) or not 1 < len(package.cards) < 256:
            raise ValueError("states of this package cannot be taken apart at once")
        start = package.player_start
        self._package = package
        self._table: Mould[TableT] = Mould(kind, package.table_start, ("_log",))
        self._players: Mould[PlayerT] = Mould(
            type(package.no_player), start, ("_log", "seat")
        )
        self._size = list(start).index("手牌数")
        self._cards: Mould[CardT] | None = None
        if package.assigns_cards:
            start = package.cards[0].values()
            self._cards = Mould(package.card, start, ("_home", "id"))
        self._numbers = bytes(range(1, len(package.cards) + 1))

    def read(self, state: object) -> Saved[PlayerT, TableT, CardT] | None:
        """The game, the ids and the seed of a saved state, or None if it is an unusual one or none at all."""
        if type(state) is not dict or len(state) - (HINTS in state) != len(FIELDS):
            return None
        try:
            return self._read(state)
        except Exception:  # `read_state` meets it again, and says what it means
            return None

    def _read(self, state: Json) -> Saved[PlayerT, TableT, CardT] | None:
        """As `read`; what is damaged may raise anything."""
        if not _has_types(state):
            return None
        values = self._table.values_of(state["table"])
        rows = map(self._players.values_of, state["players"])
        columns = [*zip(*rows)]  # noqa: B905  # all rows are of one length
        sizes = [*map(len, state["hands"])]
        numbers = _card_numbers(state)
        properties = [state["seed"], state["event"], *values, *chain(*columns)]
        if not (
            self._has_numbers(state, numbers, properties)
            and self._has_objects(state, sizes, columns)
        ):
            return None
        known = self._ids(state["ids"])
        actions, seats = state["actions"], len(sizes)
        record = usual_record(actions, seats, self._numbers)
        if record is None:
            record = read_record(actions, seats, len(self._numbers))
        game = self._game(values, columns, record)
        game.log_start = state["event"]
        game.generator = state["generator"]
        if self._cards is None:
            if state["cards"] is not None:
                return None
        elif not self._put_card_properties(game, state["cards"], self._cards):
            return None
        self._put_cards(game, numbers, sizes, len(state["deck"]))
        if not self._put_course(game, state):
            return None
        return game, known, state["seed"]

    def _has_numbers(
        self, state: Json, numbers: list[int], properties: list[int]
    ) -> bool:
        """Whether each card is somewhere and once, all numbers are integers, and those of properties are not too large."""
        latest, skipped = state["latest"], state["skipped"]
        who, sizes, played = _lists_of(state["actions"])
        listed = [*numbers, *properties, *latest, *skipped, *who, *sizes, *played]
        return (
            {*map(type, listed)} == INT
            and len(numbers) == len(self._numbers)
            and not self._numbers.translate(None, bytes(numbers))  # none is missing
            and max(properties) < TOO_LARGE
            and min(properties) > -TOO_LARGE
            and state["event"] >= 0
            and 0 <= state["generator"] <= MASK
        )

    def _has_objects(
        self, state: Json, sizes: list[int], columns: list[tuple[Json, ...]]
    ) -> bool:
        """Whether the players, the table and the hands are those of this rule: so many, with these properties only."""
        package, players = self._package, state["players"]
        return (
            state["rule"] == package.name
            and len(state["ids"]) == len(sizes) == len(players)
            and len(state["table"]) == self._table.width
            and {*map(len, players)} == {self._players.width}
            and (package.assigns_hand_sizes or [*columns[self._size]] == sizes)
        )

    def _game(
        self,
        values: tuple[Json, ...],
        columns: list[tuple[Json, ...]],
        record: Record,
    ) -> Game[PlayerT, TableT, CardT]:
        """A game without cards yet: from the table's properties, each property of all players, and what they did."""
        package = self._package
        log: list[Entry] = []
        seats = len(columns[0])
        game = Game(
            self._table.make(log, *values),
            self._players.make_all(seats, repeat(log), count(), *columns),
            package.cards,
            package.no_player,
            package.no_card,
            package._deals,
            record,
        )
        game.log = log
        return game

    def _ids(self, ids: list[Json]) -> tuple[PlayerId, ...]:
        """The players; what is not plainly right is for `player_ids` to refuse."""
        package = self._package
        is_plain = {*map(type, ids)} == _STR and "".join(ids).isascii()
        if is_plain and len({*ids}) == len(ids) == package.players:
            return tuple(ids)
        return player_ids(ids, package.players, package.name)

    def _put_cards(
        self,
        game: Game[PlayerT, TableT, CardT],
        numbers: list[int],
        sizes: list[int],
        below: int,
    ) -> None:
        """Put the cards where they are: into hands of these sizes, so many into the deck, the others away."""
        placed = [*itemgetter(*numbers)((game.no_card, *game.cards))]
        end = 0
        game.hands = []
        for size in sizes:
            start = end
            end += size
            game.hands.append(placed[start:end])
        game.deck = placed[end : end + below]
        game.discard = placed[end + below :]

    def _put_course(self, game: Game[PlayerT, TableT, CardT], state: Json) -> bool:
        """Give the game what has been done and what it has come to; whether it can be."""
        previous, latest, skipped = state["previous"], state["latest"], state["skipped"]
        if previous is None:
            if latest or skipped:
                return False
        elif not self._put_play(game, previous, state["discard"], latest, skipped):
            return False
        if not self._put_wait(game, state["pending"], state):
            read_end(self._package, game, state)
        return True

    def _put_wait(
        self, game: Game[PlayerT, TableT, CardT], pending: Json, state: Json
    ) -> bool:
        """Give the game the wait that it has come to; whether it has come to one."""
        if type(pending) is not dict or len(pending) != 2:
            return False
        seat, node = _wait_of(pending)
        if (
            type(seat) is not int
            or type(node) is not str
            or seat != seat_at(game.table.player_index, len(game.players))
            or state["results"] is not None
            or state["aborted"] is not None
        ):
            return False
        game.pending = self._package.waits[node][seat][1]
        return True

    def _put_card_properties(
        self, game: Game[PlayerT, TableT, CardT], cards: Json, mould: Mould[CardT]
    ) -> bool:
        """Give the game cards of its own; whether the field is as it has to be."""
        if type(cards) is not list or {*map(type, cards)} != DICT:
            return False
        columns = [*zip(*map(mould.values_of, cards), strict=True)]
        if (
            len(cards) != len(self._numbers)
            or {*map(len, cards)} != {mould.width}
            or not are_small([*chain(*columns)])
        ):
            return False
        made = mould.make_all(len(cards), repeat(ref(game)), count(1), *columns)
        game.cards = tuple(made)
        return True

    def _put_play(
        self,
        game: Game[PlayerT, TableT, CardT],
        previous: Json,
        discard: list[int],
        latest: list[int],
        skipped: list[int],
    ) -> bool:
        """Give the game its previous play, and who has skipped since; whether they can be."""
        seat, id, name, numbers, properties = _play_of(previous)
        number = len(numbers)
        if (
            type(previous) is not dict
            or len(previous) != 5
            or type(seat) is not int
            or not 0 <= seat < len(game.players)
            or type(id) is not str
            or type(name) is not str
            or type(properties) is not dict
            or type(numbers) is not list
            or {*map(type, numbers)} != INT
            or numbers != discard[-number:]  # so they are in it, each once
            or (latest and latest != numbers)
        ):
            return False
        if properties and not (
            are_small(properties.values()) and all(map(is_text, properties))
        ):
            return False
        self._package.check_cardset(id, name, properties, number)
        cards = game.discard[-number:]
        game.previous = seat, self._package.play(id, name, cards, properties.copy())
        if latest:
            game.latest = cards[:]
        if skipped:
            if (
                skipped != sorted({*skipped})
                or seat in skipped
                or not 0 <= skipped[0] <= skipped[-1] < len(game.players)
            ):
                return False
            game.skipped = sum([1 << each for each in skipped])
        return True


def _has_types(state: Json) -> bool:
    """Whether the fields have their types, and what they hold that is no number: anything else may never end."""
    return (
        (*map(type, _typed_of(state)),) == _KINDS
        and {*map(type, [*state["hands"], *_lists_of(state["actions"])])} == LIST
        and {*map(type, state["players"])} == DICT
    )


def _card_numbers(state: Json) -> list[int]:
    """The cards of all hands, of the deck and those put away, in this order."""
    numbers: list[int] = []
    for hand in state["hands"]:
        numbers += hand
    numbers += state["deck"]
    numbers += state["discard"]
    return numbers


def usual_states(
    package: Package[PlayerT, TableT, CardT],
) -> UsualStates[PlayerT, TableT, CardT] | None:
    """What reads the usual states of a package; None for one whose classes are not as generated ones are."""
    try:
        return UsualStates(package)
    except ValueError:
        return None


def loaded(
    package: Package[PlayerT, TableT, CardT],
    usual: UsualStates[PlayerT, TableT, CardT] | None,
    state: object,
) -> Saved[PlayerT, TableT, CardT]:
    """The game, the ids and the seed of a saved state, usual or not.

    Raises:
        MatchError: "bad_state", as `read_state` says it.
    """
    saved = None if usual is None else usual.read(state)
    return read_state(package, state) if saved is None else saved
