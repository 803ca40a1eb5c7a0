"""What the players of a match have done so far, in three lists of integers.

It is kept with every saved state, and grows with the match: three flat lists are copied and checked all at once, where a
list or a tuple for each action would have to be made one by one, and takes more memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Final, Literal, TypeAlias, final

from dealwright.runtime.checks import (
    Misfit,
    a_list,
    a_mapping,
    an_int,
    ints,
)

Action: TypeAlias = (
    tuple[int, Literal["skip"]]
    | tuple[int, Literal["choose"], int]
    | tuple[int, Literal["play"], tuple[int, ...]]
)
SKIP: Final = 0
CHOICE: Final = -1
_BYTES: Final = bytes(range(256))
_FIELDS: Final = frozenset({"seats", "sizes", "numbers"})


@final
class Record:
    """The actions of one match, in order.

    Attributes:
        seats: who acted, for each action.
        sizes: how many cards he played, for each action; `SKIP` if none, `CHOICE` if he chose.
        numbers: the cards of all plays in the order of submission, and of a choice its value.
    """

    __slots__ = ("numbers", "seats", "sizes")

    def __init__(self, seats: list[int], sizes: list[int], numbers: list[int]) -> None:
        self.seats = seats
        self.sizes = sizes
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.seats)

    def cut(self, actions: int, numbers: int) -> None:
        """Forget all but so many actions, which had so many numbers; whatever part of the next one is there goes."""
        del self.seats[actions:], self.sizes[actions:], self.numbers[numbers:]

    def rows(self) -> list[list[object]]:
        """As JSON, for reports and `replay`: `[seat, "play", [3, 9]]`, `[seat, "skip"]`, `[seat, "choose", 1]`."""
        ends = accumulate(map(abs, self.sizes))
        return [
            (
                [seat, "skip"]
                if size == SKIP
                else (
                    [seat, "choose", self.numbers[end - 1]]
                    if size == CHOICE
                    else [seat, "play", self.numbers[end - size : end]]
                )
            )
            for seat, size, end in zip(self.seats, self.sizes, ends, strict=True)
        ]

    def to_json(self) -> dict[str, list[int]]:
        """As JSON, for saved states."""
        return {
            "seats": self.seats[:],
            "sizes": self.sizes[:],
            "numbers": self.numbers[:],
        }


def usual_record(
    saved: Mapping[str, list[int]], seats: int, deck: bytes
) -> Record | None:
    """The saved record of a usual match, in which nobody chooses and no card is played twice; else None.

    Args:
        saved: what `Record.to_json` gave, or lists of integers that were damaged.
        seats: how many players there are.
        deck: the numbers of all cards, each a byte.

    Raises:
        Exception: any, for what is damaged.
    """
    who, sizes, numbers = saved["seats"], saved["sizes"], saved["numbers"]
    if len(saved) != len(_FIELDS) or len(who) != len(sizes):
        return None
    if sum(sizes) != len(numbers) or (sizes and min(sizes) < SKIP):
        return None
    if bytes(who).translate(None, _BYTES[:seats]):
        return None
    # as many cards are missing from the deck as there are numbers: each is a card, and none comes twice
    if len(deck.translate(None, bytes(numbers))) + len(numbers) != len(deck):
        return None
    return Record(who[:], sizes[:], numbers[:])


def read_record(value: object, seats: int, cards: int) -> Record:
    """The record of a saved state, checked for its shape: whether the actions were legal is not asked here.

    Raises:
        Misfit: saying what is wrong with it.
    """
    fields = a_mapping(value, "actions")
    if fields.keys() != _FIELDS:
        raise Misfit("actions must have seats, sizes and numbers and nothing else")
    who = ints(fields["seats"], "actions.seats")
    sizes = ints(fields["sizes"], "actions.sizes")
    numbers = ints(fields["numbers"], "actions.numbers")
    if len(who) != len(sizes):
        raise Misfit("actions.seats and actions.sizes must be of one length")
    if who and not 0 <= min(who) <= max(who) < seats:
        raise Misfit(f"actions.seats names a seat that is none of {seats} players")
    if sizes and not CHOICE <= min(sizes) <= max(sizes) <= cards:
        raise Misfit(f"actions.sizes must be from {CHOICE} to the {cards} cards")
    if sum(map(abs, sizes)) != len(numbers):
        raise Misfit("actions.numbers must be as many as actions.sizes say")
    for size, end in zip(sizes, accumulate(map(abs, sizes)), strict=True):
        if size > 0:
            _check_cards(numbers[end - size : end], cards)
    return Record(who, sizes, numbers)


def read_actions(value: object, seats: int, cards: int) -> list[Action]:
    """Actions as `Record.rows` gives them, likewise checked for their shape.

    Raises:
        Misfit: saying what is wrong with them.
    """
    return [_read_action(item, seats, cards) for item in a_list(value, "actions")]


def _read_action(item: object, seats: int, cards: int) -> Action:
    if isinstance(item, list) and 2 <= len(item) <= 3:
        seat, kind, *rest = item
        if type(seat) is int and 0 <= seat < seats and type(kind) is str:
            if kind == "skip" and not rest:
                return seat, "skip"
            if kind == "choose" and rest and type(rest[0]) is int:
                return seat, "choose", an_int(rest[0], "an action's choice")
            if kind == "play" and rest and rest[0]:
                numbers = ints(rest[0], "an action's cards")
                _check_cards(numbers, cards)
                return seat, "play", tuple(numbers)
    raise Misfit(
        'an action is [seat, "play", [card numbers]], [seat, "skip"] or [seat, "choose", integer]'
    )


def _check_cards(numbers: list[int], cards: int) -> None:
    """Refuse what are not cards of the deck, each at most once."""
    if not 0 < min(numbers) <= max(numbers) <= cards:
        raise Misfit(f"an action plays a card that is none of card_1 to card_{cards}")
    if len(set(numbers)) != len(numbers):
        raise Misfit("an action plays a card twice")
