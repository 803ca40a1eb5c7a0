"""The saved state of a usual match, read in few steps.

`state.read_state` looks at one field after another, so that a state that does not fit is refused with a sentence that
names the field. Nearly all states fit, and a server may load a match for every request. Here a state is looked at in a few
passes that take no loop of ours: the types of all its numbers at once, all cards against all card numbers at once. Whatever
is not exactly what `Match.to_json` writes gives None, and `read_state` decides; what is taken gives the same game there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain, count, repeat
from operator import itemgetter
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
from dealwright.runtime.game import Action, CardT, Game, PlayerT, TableT, seat_at
from dealwright.runtime.shuffle import MASK
from dealwright.runtime.state import FIELDS, read_actions, read_end, read_state

if TYPE_CHECKING:
    from dealwright.runtime.package import Package

ObjectT = TypeVar("ObjectT")
Json: TypeAlias = Any
"""A value of a state: what it is, is found out here."""
Saved: TypeAlias = tuple[Game[PlayerT, TableT, CardT], tuple[PlayerId, ...], int]
"""The game, the ids and the seed."""

_SINGLE: Final = ("rule", "seed", "generator", "event")
_LISTS: Final = ("ids", "hands", "deck", "discard", "players", "latest", "skipped")
_fields_of = itemgetter(
    *_SINGLE, *_LISTS, "actions", "table", "cards", "previous", "pending"
)
_TYPES: Final = (str, int, int, int, *(list,) * 8, dict)
"""Of the fields up to the table."""
_play_of = itemgetter("seat", "cardset_id", "cardset", "cards", "properties")
_wait_of = itemgetter("seat", "node")
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
        for put, value in zip(self._setters, values):  # noqa: B905  # one comes twice
            put(made, value)
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
        fields = _fields_of(state)
        rule, seed, generator, event, ids, hands, deck, discard, players = fields[:9]
        latest, skipped, actions, table, cards, previous, pending = fields[9:]
        if (
            (*map(type, fields[:13]),) != _TYPES
            or {*map(type, hands)} != LIST
            or {*map(type, players)} != DICT
        ):
            return None
        package = self._package
        kinds = self._players
        seats = len(ids)
        sizes = [*map(len, hands)]
        columns = [*zip(*map(kinds.values_of, players), strict=True)]
        values = self._table.values_of(table)
        numbers: list[int] = []
        for hand in hands:
            numbers += hand
        numbers += deck
        numbers += discard
        properties = [seed, event, *values, *chain(*columns)]
        if (
            {*map(type, chain(numbers, properties, latest, skipped))} != INT
            or len(numbers) != len(self._numbers)
            or self._numbers.translate(None, bytes(numbers))  # which are not there
            or max(properties) >= TOO_LARGE
            or min(properties) <= -TOO_LARGE
            or event < 0
            or not 0 <= generator <= MASK
            or rule != package.name
            or not seats == len(hands) == len(players)
            or len(table) != self._table.width
            or {*map(len, players)} != {kinds.width}
            or (not package.assigns_hand_sizes and [*columns[self._size]] != sizes)
        ):
            return None
        known = self._ids(ids)
        log: list[Entry] = []
        game = Game(
            self._table.make(log, *values),
            kinds.make_all(seats, repeat(log), count(), *columns),
            package.cards,
            package.no_player,
            package.no_card,
            package._deals,
        )
        game.log = log
        game.log_start = event
        game.generator = generator
        if not self._put_card_properties(game, cards):
            return None
        self._put_cards(game, numbers, sizes, len(deck))
        if previous is None:
            if latest or skipped:
                return None
        elif not self._put_play(game, previous, discard, latest, skipped):
            return None
        usual = self._usual_actions(actions, seats)
        game.actions = usual or read_actions(actions, seats, len(numbers))
        if not self._put_wait(game, pending, state):
            read_end(package, game, state)
        return game, known, seed

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

    def _usual_actions(self, items: Json, seats: int) -> list[Action]:
        """The actions of the usual match: plays, in which no card comes twice, and skips. Anything else gives none."""
        actions: list[Action] = []
        played: list[int] = []
        for item in items:
            if type(item) is not list:
                return []
            if len(item) == 3:
                seat, kind, numbers = item
                if kind != "play" or type(numbers) is not list or not numbers:
                    return []
                played += numbers
                actions.append((seat, "play", tuple(numbers)))
            else:
                seat, kind = item
                if kind != "skip":
                    return []
                actions.append((seat, "skip"))
            if type(kind) is not str or type(seat) is not int or not 0 <= seat < seats:
                return []
        if not played:
            return actions
        if {*map(type, played)} != INT:
            return []
        others = self._numbers.translate(None, bytes(played))
        return actions if len(others) + len(played) == len(self._numbers) else []

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
        self, game: Game[PlayerT, TableT, CardT], cards: Json
    ) -> bool:
        """Give the game cards of its own, if its rule assigns their properties; whether the field is as it has to be."""
        mould = self._cards
        if mould is None:
            return cards is None
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
