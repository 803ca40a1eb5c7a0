"""What a generated package hands to the runtime, and the public functions that it gets back.

`Package` is the only thing that a generated `__init__.py` makes. It ties together the classes, the deck, the flows and
the judgement of cardsets of one rule, and offers `new_match`, `match_from_json`, `replay`, `arrange`, `recognize` and
`beats`, typed with the rule's own classes.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final, Generic, Never, NoReturn, final

from dealwright.runtime.checks import Misfit, is_listed, player_ids
from dealwright.runtime.errors import DealwrightError, FlowStopped, MatchError, shown
from dealwright.runtime.events import PlayerId
from dealwright.runtime.flow import advance
from dealwright.runtime.game import CardT, Deals, Game, PlayerT, TableT
from dealwright.runtime.judging import Beats, Recognize, comparer, recognizer
from dealwright.runtime.match import Match, failure
from dealwright.runtime.objects import MOST_BITS, AssignableCard
from dealwright.runtime.place import note_place
from dealwright.runtime.play import Play
from dealwright.runtime.position import MOST_ITEMS, arranged
from dealwright.runtime.record import read_actions
from dealwright.runtime.search.book import FormBook
from dealwright.runtime.usual import loaded, usual_states
from dealwright.runtime.waits import Hop, Next, Resume, Waits

MOST_DEALS: Final = 10_000
"""Events of deals that a package keeps for its matches."""
MOST_ACTIONS: Final = 1_000_000
"""Actions of a record that is played again; an iterator that never ends is found out so."""


@final
class Package(Generic[PlayerT, TableT, CardT]):
    """A compiled rule. Nothing in it changes after it is made, so that threads may share it.

    Attributes:
        name: the rule's name.
        players: how many players it is for, or None for any number from one.
        cards: the cards by number. For a rule that assigns no card property these are the cards of every match.
        recognize, beats: see `Recognize` and `Beats`.
        forms: what cards must be like to be a play, written down when it is first needed.
    """

    __slots__ = (
        "_beats_in",
        "_deals",
        "_new_deck",
        "_recognize_in",
        "_usual",
        "assigns_cards",
        "assigns_hand_sizes",
        "beats",
        "beats_alone",
        "card",
        "cards",
        "cardsets",
        "effort",
        "forms",
        "in_any_order",
        "judged_by",
        "lengths",
        "name",
        "no_card",
        "no_player",
        "play",
        "player",
        "player_start",
        "players",
        "recognize",
        "recognize_alone",
        "resume",
        "root",
        "settle",
        "start",
        "table",
        "table_start",
        "waits",
    )

    def __init__(
        self,
        *,
        name: str,
        players: int | None,
        card: type[CardT],
        play: type[Play[CardT]],
        player: Callable[[int], PlayerT],
        table: Callable[[], TableT],
        new_deck: Callable[[], list[CardT]],
        no_player: PlayerT,
        start: Callable[[Game[PlayerT, TableT, CardT]], Next],
        resume: Resume[Game[PlayerT, TableT, CardT]],
        settle: Callable[[Game[PlayerT, TableT, CardT]], int | Hop[Never]],
        recognize: Callable[[list[CardT]], Play[CardT] | None] | None = None,
        recognize_in: (
            Callable[[list[CardT], Game[PlayerT, TableT, CardT]], Play[CardT] | None]
            | None
        ) = None,
        beats: Callable[[Any, Any], bool] | None = None,
        beats_in: (
            Callable[[Any, Any, Game[PlayerT, TableT, CardT]], bool] | None
        ) = None,
        lengths: Sequence[int] | None = None,
        effort: int = 1,
        judged_by: Sequence[str] | None = None,
        in_any_order: bool = False,
        assigns_hand_sizes: bool = False,
        no_card: CardT | None = None,
        cardsets: (
            Mapping[str, tuple[str, Sequence[str], Sequence[int] | None]] | None
        ) = None,
    ) -> None:
        """Describe a rule.

        Args:
            new_deck: the cards of a new match, `card_1` first.
            start: the segment that a match begins with. The package is the one that this function's module is in.
            resume: what follows each wait, by the wait's node.
            settle: the settlement of the current player: his result.
            recognize, recognize_in: the judgement of a hand of cards, without and with the match; one of the two.
            beats, beats_in: whether a play beats another, both of the class `play`, likewise.
            lengths: how many cards a cardset of the rule can have, ascending; None if nothing is known.
            effort: for how many candidates one counts in the search for a leader's duty to play, where judging is slow.
            judged_by: the attributes of a card that judging reads: cards alike in them can stand for one another; None if
                it may tell any two cards apart.
            in_any_order: whether the order of the cards never matters to judging.
            assigns_hand_sizes: whether the rule assigns 手牌数, so that it may be anything.
            no_card: the none of cards, for `Game.card` beyond the deck; made from the deck if missing.
            cardsets: id -> (name, declared property names, numbers of cards it can have) of each cardset. With it, a saved
                state whose previous play cannot be one is refused; without it, that is not looked at.
        """
        self.name = name
        self.players = players
        self.card = card
        self.play = play
        self.player = player
        self.table = table
        self.no_player = no_player
        self.start = start
        self.resume = resume
        self.waits = {node: Waits(node, point) for node, point in resume.items()}
        self.settle = settle
        self.lengths = None if lengths is None else tuple(lengths)
        self.effort = effort
        self.judged_by = None if judged_by is None else tuple(judged_by)
        self.in_any_order = in_any_order
        self.assigns_hand_sizes = assigns_hand_sizes
        self.cardsets = cardsets
        self.root = start.__module__.rpartition(".")[0] or start.__module__
        self.table_start = table().values()
        self.player_start = player(0).values()
        self.assigns_cards = issubclass(card, AssignableCard)
        self.cards = tuple(new_deck())
        self.no_card = _no_card(card) if no_card is None else no_card
        self._new_deck = new_deck
        self._deals = self._shared_deals()
        self.forms = FormBook(self)
        self.recognize_alone = recognize
        self._recognize_in = recognize_in
        self.beats_alone = beats
        self._beats_in = beats_in
        if (recognize is None) == (recognize_in is None) or (beats is None) == (
            beats_in is None
        ):
            raise ValueError(
                "a package has either recognize or recognize_in, and either beats or beats_in"
            )
        self.recognize: Recognize[PlayerT, TableT, CardT] = recognizer(
            self, recognize, recognize_in
        )
        self.beats: Beats[PlayerT, TableT, CardT] = comparer(self, beats, beats_in)
        self._usual = usual_states(self)

    # the public functions of a generated package

    def new_match(
        self,
        ids: Sequence[PlayerId],
        seed: int | None = None,
        tokens: Sequence[str] | None = None,
    ) -> Match[PlayerT, TableT, CardT]:
        """Start a match and run its flow to the first wait.

        Args:
            ids: the players, strings or integers, all different; the place in the list is the seat.
            seed: what the shuffles come from; without one a fresh one is taken and can be read from the match.
            tokens: what players sign their replies to hints with, by seat; without them unguessable ones are made when
                they are first needed (`Match.tokens`).

        Raises:
            MatchError: "bad_players", "bad_seed", "bad_tokens", or what the flow met: "deck_exhausted", "endless_flow",
                "rule_error".
        """
        players = player_ids(ids, self.players, self.name)
        if seed is None:
            seed = secrets.randbits(64)
        elif type(seed) is not int or seed.bit_length() > MOST_BITS:
            raise MatchError(
                "bad_seed", f"the seed must be an integer, not {shown(seed)}", self.name
            )
        game = self.empty_game(len(players))
        game.start(seed)
        game.log.append(("started", players))
        try:
            advance(self, game, self.start(game))
        except Exception as error:
            code, sentence, flow, node = failure(error, self.name, self.root)
            raise MatchError(code, sentence, self.name, flow, node) from error
        match = Match(self, game, players, seed)
        if tokens is not None:
            match.give_tokens(tokens)
        return match

    def match_from_json(self, state: object) -> Match[PlayerT, TableT, CardT]:
        """The match that `Match.to_json` saved.

        Raises:
            MatchError: "bad_state" if the state does not fit the package, saying why.
        """
        match = Match(self, *loaded(self, self._usual, state))
        match.restore_hints(state)
        return match

    def replay(
        self, ids: Sequence[PlayerId], seed: int, actions: Iterable[object]
    ) -> Match[PlayerT, TableT, CardT]:
        """Play a match again from its seed and `Match.actions`.

        Aborting is no action of a player: what was aborted comes out as it stood then, waiting. `abort` it again.

        Raises:
            MatchError: as for `new_match`, or "bad_actions" if an action is none.
            Rejected: if the rule refuses one of them.
        """
        match = self.new_match(ids, seed)
        if not is_listed(actions):
            raise MatchError("bad_actions", "the actions must be a list", self.name)
        try:
            given = list(islice(actions, MOST_ACTIONS + 1))
            if len(given) > MOST_ACTIONS:
                raise Misfit("there are too many actions")
            listed = read_actions(given, len(match.ids), len(self.cards))
        except Misfit as error:
            raise MatchError("bad_actions", str(error), self.name) from None
        except Exception as error:
            raise MatchError(
                "bad_actions", "the list of actions cannot be read", self.name
            ) from error
        for action in listed:
            player = match.ids[action[0]]
            if action[1] == "skip":
                match.skip(player)
            elif action[1] == "play":
                match.play(player, action[2])
            else:
                match.choose(player, action[2])
        return match

    def arrange(
        self,
        *,
        hands: Iterable[Iterable[CardT | int | str]],
        wait: str,
        deck: Iterable[CardT | int | str] = (),
        discard: Iterable[CardT | int | str] = (),
        table: Mapping[str, int] | None = None,
        players: Iterable[Mapping[str, int]] | None = None,
        ids: Sequence[PlayerId] | None = None,
        cards: Mapping[int, Mapping[str, int]] | None = None,
        seed: int = 0,
    ) -> Match[PlayerT, TableT, CardT]:
        """Any position, as a match that waits at a node and in which nothing has been played yet.

        Args:
            hands, deck, discard: Card objects, numbers or "card_3"; together every card exactly once.
            wait: the node of the wait.
            table, players, cards: properties by the rule's spelling; the others have their start values, and 手牌数
                is the size of the hand.
            ids: the players; without them 0, 1, ….
            seed: what later shuffles come from.

        Raises:
            MatchError: "bad_position", saying what does not fit, or "bad_players".
        """
        try:
            rows = list(islice(hands, MOST_ITEMS + 1))
        except Exception as error:
            raise MatchError(
                "bad_position", "hands must be a list of lists of cards", self.name
            ) from error
        players_ids = player_ids(
            range(len(rows)) if ids is None else ids, self.players, self.name
        )
        try:
            game = arranged(
                self,
                len(players_ids),
                hands=rows,
                deck=deck,
                discard=discard,
                table={} if table is None else table,
                players=players,
                wait=wait,
                cards=cards,
                seed=seed,
            )
        except Misfit as error:
            raise MatchError("bad_position", str(error), self.name) from None
        except Exception as error:
            raise MatchError(
                "bad_position", "a part of the position cannot be read", self.name
            ) from error
        game.attach()
        game.log.append(("started", players_ids))
        if game.pending is not None:
            game.log.append(("asked", game.pending))
        return Match(self, game, players_ids, seed)

    # for the runtime

    def judge(
        self, cards: list[CardT], game: Game[PlayerT, TableT, CardT]
    ) -> Play[CardT] | None:
        """The cardset that the cards form in this game, or None."""
        if self.recognize_alone is not None:
            return self.recognize_alone(cards)
        game.ticks = 0  # each question has the whole bound to itself
        assert self._recognize_in is not None
        return self._recognize_in(cards, game)

    def compare(
        self, now: Play[CardT], before: Play[CardT], game: Game[PlayerT, TableT, CardT]
    ) -> bool:
        """Whether `now` beats `before` in this game."""
        if self.beats_alone is not None:
            return self.beats_alone(now, before)
        game.ticks = 0
        assert self._beats_in is not None
        return self._beats_in(now, before, game)

    def empty_game(self, seats: int) -> Game[PlayerT, TableT, CardT]:
        """A game with all its objects at their start values, no card placed and nothing live."""
        # cards that no rule changes are shared by all matches: building them would cost more than a whole action
        cards = tuple(self._new_deck()) if self.assigns_cards else self.cards
        players = [self.player(seat) for seat in range(seats)]
        return Game(
            self.table(), players, cards, self.no_player, self.no_card, self._deals
        )

    def _shared_deals(self) -> Deals:
        """The events of all possible deals: made once, they are a fifth of a match less.

        Empty where cards change, since events tell what they were; where nobody knows how many players there will be;
        and where they would be more than some hundred matches have.
        """
        seats = self.players
        if self.assigns_cards or seats is None or seats * len(self.cards) > MOST_DEALS:
            return ()
        return [
            {card: ("dealt", seat, card, None) for card in self.cards}
            for seat in range(seats)
        ]

    def check_cardset(
        self, id: str, name: str, properties: Mapping[str, int], size: int
    ) -> None:
        """Refuse a play of a saved state that cannot be one of the package's."""
        if self.cardsets is None:
            return
        known = self.cardsets.get(id)
        if known is None or known[0] != name:
            raise Misfit(
                f"the rule has no cardset {shown(name)} with the id {shown(id)}"
            )
        if known[1] and not set(known[1]) <= properties.keys():
            raise Misfit(
                f"the previous play lacks a property of the cardset {shown(name)}"
            )
        if known[2] is not None and size not in known[2]:
            raise Misfit(f"no cardset {shown(name)} has {size} cards")

    def check_hand_sizes(self, game: Game[PlayerT, TableT, CardT]) -> None:
        """Refuse a position in which 手牌数 is not the size of the hand, unless the rule assigns it itself."""
        if self.assigns_hand_sizes:
            return
        for player, hand in zip(game.players, game.hands, strict=True):
            if player.手牌数 != len(hand):
                raise Misfit(
                    f"players[{player.seat}].手牌数 is not the size of the hand"
                )

    def fail(self, error: Exception) -> NoReturn:
        """A question about cards failed in generated code: the error as it is, with its place as a note.

        Only what stops a flow never leaves the runtime and becomes a `MatchError`; so does a stack that is full.
        """
        if isinstance(error, FlowStopped | RecursionError):
            code, sentence, flow, node = failure(error, self.name, self.root)
            raise MatchError(code, sentence, self.name, flow, node) from error
        if not isinstance(error, DealwrightError):
            note_place(error, self.name, self.root)
        raise error

    def game_of(
        self, match: Match[PlayerT, TableT, CardT] | None
    ) -> Game[PlayerT, TableT, CardT]:
        """The match that judging takes, without its face."""
        if not isinstance(match, Match):
            raise MatchError(
                "needs_match",
                "judging cards by this rule takes the match: give one",
                self.name,
            )
        return match.game_for(self)


def _no_card(card: type[CardT]) -> CardT:
    """The none of cards: number 0 and every property 0."""
    nothing = card.__new__(card)
    for owner in card.__mro__:
        for name in getattr(owner, "__slots__", ()):
            object.__setattr__(nothing, name, None if name == "_home" else 0)
    return nothing.as_nothing()
