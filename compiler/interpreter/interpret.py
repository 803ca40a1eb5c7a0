"""The oracle: plays a match straight from rule JSON, by the contract and nothing else.

It exists to prove the compiler right. Therefore it shares no code with lowering, passes, emission or runtime, imports
only the standard library and its own modules (`rule`, `values`, `world`, `machine`, `lead`), and prefers the plainest
reading of the contract to speed. It takes the parsed JSON of a file that the loader has accepted and diagnoses nothing.
What it shows is canonical: JSON types, cards by number, property names in their original spelling.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, final

from dealwright.compiler.interpreter.lead import can_lead as _can_lead
from dealwright.compiler.interpreter.machine import MOST_BITS, Machine
from dealwright.compiler.interpreter.rule import (
    CHOICE,
    HAND_SIZE,
    VIRTUAL,
    Node,
    Rule,
    integer_or_none,
    integer_or_zero,
    items,
    mapping,
)
from dealwright.compiler.interpreter.values import Play, Refused, State, Wait
from dealwright.compiler.interpreter.world import Scope, drive

__all__ = ["Match", "Refused", "Rule", "beats", "build", "can_lead", "recognize"]

#: Beyond so many candidate plays a leader may skip (contract, section 6).
LEAD_BUDGET = 200_000


def _start_state(rule: Rule, seats: int, seed: int = 0) -> State:
    """The state before node "1": everybody's start values, the whole deck in order."""
    return State(
        hands=[[] for _ in range(seats)],
        deck=list(range(1, len(rule.deck) + 1)),
        discard=[],
        table=dict(rule.table_start),
        players=[dict(rule.player_start) for _ in range(seats)],
        cards={number: dict(card) for number, card in enumerate(rule.deck, 1)},
        rng=seed % 2**64,
        latest=[],
        previous=None,
        skipped=set(),
        wait=None,
        is_settling=False,
        settled={},
        is_finished=False,
    )


@final
class Match:
    """One match, at a wait or finished.

    Arguments: `deck` is another initial order of the deck, by card number; `step_limit` how many control nodes a
    submission may execute. Raises `Refused` if the start fails, `ValueError` for a number of players or a deck that
    the rule does not have. A refused action leaves `state()` and `events` as they were.
    """

    def __init__(
        self,
        rule: Rule,
        seats: int,
        *,
        seed: int = 0,
        deck: Sequence[int] | None = None,
        step_limit: int = 100_000,
    ) -> None:
        _check_seats(rule, seats)
        self._machine = Machine(
            rule, _start_state(rule, seats, seed), step_limit=step_limit
        )
        if deck is not None:
            _check_cards(rule, deck)
            self._machine.state.deck = list(deck)
        self._machine.emit("started", seats=seats)
        self._continue("1")

    @classmethod
    def arrange(
        cls,
        rule: Rule,
        *,
        hands: Sequence[Sequence[int]],
        deck: Sequence[int],
        discard: Sequence[int],
        table: Mapping[str, int],
        players: Sequence[Mapping[str, int]],
        wait: str,
        cards: Mapping[int, Mapping[str, int]] | None = None,
        seed: int = 0,
    ) -> "Match":
        """A match in any position, at the wait with this node id; nothing has been played yet.

        Properties not given have their start values, and 手牌数 follows the hands unless given. Raises `ValueError`
        for a node that is no wait, a card that is unknown or in two places, or a wrong number of hands or players.
        """
        _check_cards(
            rule, [*deck, *discard, *(card for hand in hands for card in hand)]
        )
        node = rule.match_flow.nodes.get(wait)
        if node is None or node.type not in (21, 22):
            raise ValueError(f"node {wait!r} of the match flow is no wait")
        state = _start_state(rule, len(hands), seed)
        state.hands, state.deck, state.discard = (
            [list(hand) for hand in hands],
            list(deck),
            list(discard),
        )
        state.table |= _stored(table, "table")
        for player, hand, given in zip(state.players, hands, players, strict=True):
            player |= {HAND_SIZE: len(hand)} | _stored(given, "player")
        for number, changed in (cards or {}).items():
            state.cards[int(number)] |= _stored(changed, "card")
        match = object.__new__(cls)
        match._machine = Machine(rule, state)
        state.wait = match._wait(node)
        return match

    # ---- what can be seen

    @property
    def events(self) -> list[dict[str, Any]]:
        """What has happened, oldest first; the position in the list is the event's number."""
        return self._machine.events

    @property
    def finished(self) -> bool:
        """Whether everybody has been settled."""
        return self._state.is_finished

    @property
    def results(self) -> dict[int, int] | None:
        """The results by seat once finished; a seat passed over has no entry."""
        return dict(sorted(self._state.settled.items())) if self.finished else None

    @property
    def pending(self) -> dict[str, Any] | None:
        """The open wait: `node`, `seat`, `kind`, `timer`, `options`; None when the match is over."""
        wait = self._state.wait
        if wait is None:
            return None
        return {
            "node": wait.node,
            "seat": wait.seat,
            "kind": wait.kind,
            "timer": wait.timer,
            "options": list(wait.options),
        }

    def state(self) -> dict[str, Any]:
        """Everything that the match remembers, as a fresh structure of JSON types (`results` is keyed by seat)."""
        state = self._state.copy()
        wait = state.wait
        return {
            "hands": state.hands,
            "deck": state.deck,
            "discard": state.discard,
            "table": state.table,
            "players": state.players,
            "cards": {str(number): card for number, card in state.cards.items()},
            "latest": state.latest,
            "choice": state.table[CHOICE],
            "previous": None if state.previous is None else _previous(*state.previous),
            "pending": None if wait is None else {"node": wait.node, "seat": wait.seat},
            "results": self.results,
            "rng": state.rng,
            "skipped": sorted(state.skipped),
        }

    # ---- actions (contract, section 6)

    def play(self, seat: int, cards: Sequence[int]) -> None:
        """Play cards, by number in the order wanted; none is a skip. Raises `Refused`."""
        if not cards:
            return self.skip(seat)
        with self._all_or_nothing() as machine:
            wait = self._expect(seat, "play")
            play = self._judge(wait, cards)
            self._move(seat, play)
            machine.emit("played", seat=seat, cards=list(cards), cardset=play.name)
            self._go_on(wait)
        return None

    def skip(self, seat: int) -> None:
        """Skip. A leader who has a play must lead; his skip, if allowed, clears the previous play. Raises `Refused`."""
        with self._all_or_nothing() as machine:
            wait = self._expect(seat, "play")
            if self._is_leading(seat):
                if _can_lead(machine, machine.state.hands[seat], LEAD_BUDGET):
                    raise Refused("must_lead", wait.node)
                machine.state.previous = None
                machine.state.skipped.clear()
            else:
                machine.state.skipped.add(seat)
            machine.state.latest = []
            machine.emit("skipped", seat=seat)
            self._go_on(wait)

    def choose(self, seat: int, value: int) -> None:
        """Choose one of the wait's options, or any integer where it has none. Raises `Refused`."""
        with self._all_or_nothing() as machine:
            wait = self._expect(seat, "choose")
            if (
                integer_or_none(value) is None
                or value.bit_length() > MOST_BITS
                or (wait.options and value not in wait.options)
            ):
                raise Refused("choice_not_offered", wait.node)
            machine.state.latest = []
            machine.state.table[CHOICE] = value
            machine.emit("chose", seat=seat, value=value)
            self._go_on(wait)

    @property
    def _state(self) -> State:
        return self._machine.state

    @contextmanager
    def _all_or_nothing(self) -> Iterator[Machine]:
        saved, events = self._state.copy(), len(self._machine.events)
        try:
            yield self._machine
        except BaseException:
            self._machine.state = saved
            del self._machine.events[events:]
            raise

    def _expect(self, seat: int, kind: Literal["play", "choose"]) -> Wait:
        wait = self._state.wait
        if wait is None:
            raise Refused("nothing_pending")
        if wait.seat != seat:
            raise Refused("not_your_turn", wait.node)
        if wait.kind != kind:
            raise Refused("wrong_action", wait.node)
        return wait

    def _judge(self, wait: Wait, cards: Sequence[int]) -> Play:
        if not set(cards) <= set(self._state.hands[wait.seat]):
            raise Refused("card_not_in_hand", wait.node)
        if len(set(cards)) < len(cards):
            raise Refused("duplicate_card", wait.node)
        play = self._machine.recognise(cards)
        if play is None:
            raise Refused("no_cardset", wait.node)
        previous = self._state.previous
        if (
            previous is not None
            and not self._is_leading(wait.seat)
            and not self._machine.beats(play, previous[1])
        ):
            raise Refused("not_beating", wait.node)
        return play

    def _is_leading(self, seat: int) -> bool:
        state = self._state
        if state.previous is None or state.previous[0] == seat:
            return True
        return seat in state.skipped and not state.hands[state.previous[0]]

    def _move(self, seat: int, play: Play) -> None:
        state = self._state
        state.hands[seat] = [
            card for card in state.hands[seat] if card not in play.cards
        ]
        state.discard.extend(play.cards)
        self._machine.count_hand(seat)
        state.latest = list(play.cards)
        state.previous = (seat, play)
        state.skipped.clear()

    # ---- the flow between waits

    def _go_on(self, wait: Wait) -> None:
        node = self._machine.rule.match_flow.nodes[wait.node]
        if not node.next:
            raise Refused("rule_error", node.id)
        self._state.wait = None
        self._continue(node.next)

    def _continue(self, at: str) -> None:
        """Execute the match flow from a node to the next wait, or through the settlement to the end."""
        machine = self._machine
        stopped: Node | None = machine.run(
            machine.walk(Scope(flow=machine.rule.match_flow), at)
        )
        if stopped is not None and stopped.type in (21, 22):
            self._state.wait = wait = self._wait(stopped)
            machine.emit("asked", seat=wait.seat, node=wait.node, wait_kind=wait.kind)
        elif stopped is not None and stopped.type == 18:
            self._settle()
        else:
            raise Refused("rule_error", at if stopped is None else stopped.id)

    def _wait(self, node: Node) -> Wait:
        timer = integer_or_none(node.content.get("timer"))
        return Wait(
            node=node.id,
            seat=self._machine.current_seat(),
            kind="play" if node.type == 21 else "choose",
            timer=30 if timer is None or timer < 0 else timer,
            options=_options(node),
        )

    def _settle(self) -> None:
        """Restart the end flow for each player in turn until `settlement_index` is past the last seat."""
        machine, state = self._machine, self._state
        state.is_settling = True
        state.table["settlement_index"] = 0
        while state.table["settlement_index"] < machine.seats:
            stopped: Node | None = drive(
                machine.walk(Scope(flow=machine.rule.end_flow), "1")
            )
            if stopped is None or stopped.type != 24:
                raise Refused("rule_error", None if stopped is None else stopped.id)
            seat, result = machine.current_seat(), integer_or_zero(
                stopped.content.get("result")
            )
            state.settled[seat] = result
            machine.emit("settled", seat=seat, result=result)
            state.table["settlement_index"] += 1
        state.is_finished = True
        machine.emit("finished")


def _options(node: Node) -> tuple[int, ...]:
    """The usable options of a wait: integers, or objects whose `value` is one (decision 25)."""
    values = (
        mapping(raw).get("value") if isinstance(raw, Mapping) else raw
        for raw in items(node.content.get("options"))
    )
    return tuple(value for raw in values if (value := integer_or_none(raw)) is not None)


def _stored(given: Mapping[str, int], owner: str) -> dict[str, int]:
    return {name: value for name, value in given.items() if name not in VIRTUAL[owner]}


def _check_seats(rule: Rule, seats: int) -> None:
    if seats < 1 or (rule.players is not None and seats != rule.players):
        raise ValueError(f"the rule is not for {seats} players")


def _check_cards(rule: Rule, cards: Sequence[int]) -> None:
    if len(set(cards)) != len(cards) or not set(cards) <= set(
        range(1, len(rule.deck) + 1)
    ):
        raise ValueError("a card is unknown or in two places")


def _previous(seat: int, play: Play) -> dict[str, Any]:
    return {
        "seat": seat,
        "cardset": play.name,
        "cards": list(play.cards),
        "properties": dict(play.properties),
    }


# ---- cardsets by themselves


def _machine(rule: Rule, match: Match | None) -> Machine:
    """The machine of a match, or one over fresh start values for flows that need no match."""
    return (
        match._machine
        if match is not None
        else Machine(rule, _start_state(rule, rule.players or 1))
    )


def _as_dict(play: Play) -> dict[str, Any]:
    return {
        "cardset": play.name,
        "id": play.cardset,
        "cards": list(play.cards),
        "properties": dict(play.properties),
    }


def _as_play(rule: Rule, play: Mapping[str, Any]) -> Play:
    cardset = (
        rule.cardset_by_id[play["id"]]
        if "id" in play
        else rule.cardset_by_name[play["cardset"]]
    )
    return Play(
        cardset.id, cardset.name, tuple(play["cards"]), dict(play["properties"])
    )


def recognize(
    rule: Rule, cards: Sequence[int], match: Match | None = None
) -> dict[str, Any] | None:
    """What the cards, by number, are recognised as: `cardset` (its name), `id`, `cards`, `properties`; None if nothing.

    Raises `Refused` if a method that a build flow calls never ends.
    """
    play = _machine(rule, match).recognise(cards)
    return None if play is None else _as_dict(play)


def build(
    rule: Rule, cardset_id: str, cards: Sequence[int], match: Match | None = None
) -> dict[str, int] | None:
    """The properties that one cardset's build flow gives these cards, whatever else they may be; None if no match."""
    machine = _machine(rule, match)
    play: Play | None = machine.run(
        machine.build(rule.cardset_by_id[cardset_id], cards)
    )
    return None if play is None else dict(play.properties)


def beats(
    rule: Rule,
    now: Mapping[str, Any],
    before: Mapping[str, Any],
    match: Match | None = None,
) -> bool:
    """Whether a play beats another; both as `recognize` returns them."""
    return _machine(rule, match).beats(_as_play(rule, now), _as_play(rule, before))


def can_lead(
    rule: Rule,
    hand: Sequence[int],
    match: Match | None = None,
    budget: int = LEAD_BUDGET,
) -> bool | None:
    """Whether some non-empty subset of the hand is recognised; None if `budget` candidates did not settle it."""
    return _can_lead(_machine(rule, match), hand, budget)
