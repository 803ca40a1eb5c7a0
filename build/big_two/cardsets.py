# @generated from rules/big_two.json by `dealwright build`; do not edit.
"""How Big Two recognises its cardsets and compares two plays."""

from __future__ import annotations

from dealwright.runtime import (
    A_WINS,
    B_WINS,
    NO_PROPERTIES,
)

from .classes import (
    BigTwoGame,
    Hand,
    Played,
)


def build_Single(cards: Hand, game: BigTwoGame) -> dict[str, int] | None:
    # [right_size]: only asked about 1 card
    if not game.table.may_be_played(cards):  # [may_play]
        return None  # [no]
    return NO_PROPERTIES  # [yes]


def compare_Single(a: Played, b: Played, game: BigTwoGame) -> bool:
    if game.table.top_card(a) > game.table.top_card(b):  # [2]
        return A_WINS  # [now_wins]
    return B_WINS  # [before_wins]


def build_Pair(cards: Hand, game: BigTwoGame) -> dict[str, int] | None:
    # [right_size]: only asked about 2 cards
    if not game.table.may_be_played(cards):  # [may_play]
        return None  # [no]
    if cards[0].rank != cards[1].rank:  # [right_cards]
        return None  # [no]
    return NO_PROPERTIES  # [yes]


def compare_Pair(a: Played, b: Played, game: BigTwoGame) -> bool:
    if game.table.top_card(a) > game.table.top_card(b):  # [2]
        return A_WINS  # [now_wins]
    return B_WINS  # [before_wins]


def build_Triple(cards: Hand, game: BigTwoGame) -> dict[str, int] | None:
    # [right_size]: only asked about 3 cards
    if not game.table.may_be_played(cards):  # [may_play]
        return None  # [no]
    if not cards[0].rank == cards[1].rank == cards[2].rank:  # [right_cards]
        return None  # [no]
    return NO_PROPERTIES  # [yes]


def compare_Triple(a: Played, b: Played, game: BigTwoGame) -> bool:
    if game.table.middle_rank(a) > game.table.middle_rank(b):  # [2]
        return A_WINS  # [now_wins]
    return B_WINS  # [before_wins]


def build_Straight_flush(cards: Hand) -> dict[str, int] | None:
    # [right_size] [right_cards]: only asked about 5 cards that are Flush and Straight
    return NO_PROPERTIES  # [yes]


def compare_Straight_flush(a: Played, b: Played, game: BigTwoGame) -> bool:
    if game.table.top_card(a) > game.table.top_card(b):  # [2]
        return A_WINS  # [now_wins]
    return B_WINS  # [before_wins]


def build_Four_and_one(cards: Hand, sorted_rank: list[int]) -> dict[str, int] | None:
    # [right_size] [may_play]: only asked about 5 cards for which may_be_played holds
    if not (
        sorted_rank[1] == sorted_rank[3]
        and (sorted_rank[0] == sorted_rank[1] or sorted_rank[3] == sorted_rank[4])
    ):  # [right_cards]
        return None  # [no]
    return NO_PROPERTIES  # [yes]


def compare_Four_and_one(a: Played, b: Played, game: BigTwoGame) -> bool:
    if game.table.middle_rank(a) > game.table.middle_rank(b):  # [2]
        return A_WINS  # [now_wins]
    return B_WINS  # [before_wins]


def build_Full_house(cards: Hand, sorted_rank: list[int]) -> dict[str, int] | None:
    # [right_size] [may_play]: only asked about 5 cards for which may_be_played holds
    if not (
        sorted_rank[0] == sorted_rank[1]
        and sorted_rank[3] == sorted_rank[4]
        and (sorted_rank[1] == sorted_rank[2] or sorted_rank[2] == sorted_rank[3])
    ):  # [right_cards]
        return None  # [no]
    return NO_PROPERTIES  # [yes]


def compare_Full_house(a: Played, b: Played, game: BigTwoGame) -> bool:
    if game.table.middle_rank(a) > game.table.middle_rank(b):  # [2]
        return A_WINS  # [now_wins]
    return B_WINS  # [before_wins]


def build_Flush(cards: Hand) -> dict[str, int] | None:
    # [right_size] [may_play]: only asked about 5 cards for which may_be_played holds
    if (
        not cards[0].suit
        == cards[1].suit
        == cards[2].suit
        == cards[3].suit
        == cards[4].suit
    ):  # [right_cards]
        return None  # [no]
    return NO_PROPERTIES  # [yes]


def compare_Flush(a: Played, b: Played, game: BigTwoGame) -> bool:
    if game.table.top_card(a) > game.table.top_card(b):  # [2]
        return A_WINS  # [now_wins]
    return B_WINS  # [before_wins]


def build_Straight(cards: Hand, sorted_rank: list[int]) -> dict[str, int] | None:
    # [right_size] [may_play]: only asked about 5 cards for which may_be_played holds
    if (
        sorted_rank[0] >= sorted_rank[1]
        or sorted_rank[1] >= sorted_rank[2]
        or sorted_rank[2] >= sorted_rank[3]
        or sorted_rank[3] >= sorted_rank[4]
    ):  # [all_different]
        return None  # [no]
    if not (
        sorted_rank[4] - sorted_rank[0] == 4
        and sorted_rank[4] <= 14
        or sorted_rank[2] == 5
        and sorted_rank[4] == 15
        and (sorted_rank[3] == 6 or sorted_rank[3] == 14)
    ):  # [right_cards]
        return None  # [no]
    return NO_PROPERTIES  # [yes]


def compare_Straight(a: Played, b: Played, game: BigTwoGame) -> bool:
    if game.table.top_card(a) > game.table.top_card(b):  # [2]
        return A_WINS  # [now_wins]
    return B_WINS  # [before_wins]


def recognize_in(cards: Hand, game: BigTwoGame) -> Played | None:
    size = len(cards)
    if size == 1:
        if (found := build_Single(cards, game)) is not None:
            return Played("1", "Single", cards, found)
    elif size == 2:
        if (found := build_Pair(cards, game)) is not None:
            return Played("2", "Pair", cards, found)
    elif size == 3:
        if (found := build_Triple(cards, game)) is not None:
            return Played("3", "Triple", cards, found)
    elif size == 5:
        if not game.table.may_be_played(cards):
            return None
        as_Flush = build_Flush(cards)
        a, b, c, d, e = cards
        sorted_rank = [a.rank, b.rank, c.rank, d.rank, e.rank]
        sorted_rank.sort()
        if (
            as_Flush is not None
            and build_Straight(cards, sorted_rank) is not None
            and (found := build_Straight_flush(cards)) is not None
        ):
            return Played("4", "Straight flush", cards, found)
        if (found := build_Four_and_one(cards, sorted_rank)) is not None:
            return Played("5", "Four and one", cards, found)
        if (found := build_Full_house(cards, sorted_rank)) is not None:
            return Played("6", "Full house", cards, found)
        if as_Flush is not None:
            return Played("7", "Flush", cards, as_Flush)
        if (found := build_Straight(cards, sorted_rank)) is not None:
            return Played("8", "Straight", cards, found)
    return None


def beats_in(now: Played, before: Played, game: BigTwoGame) -> bool:
    kind = now.cardset
    other = before.cardset
    if kind == other:
        if kind == "Single":
            return compare_Single(now, before, game)
        if kind == "Pair":
            return compare_Pair(now, before, game)
        if kind == "Triple":
            return compare_Triple(now, before, game)
        if kind == "Straight flush":
            return compare_Straight_flush(now, before, game)
        if kind == "Four and one":
            return compare_Four_and_one(now, before, game)
        if kind == "Full house":
            return compare_Full_house(now, before, game)
        if kind == "Flush":
            return compare_Flush(now, before, game)
        if kind == "Straight":
            return compare_Straight(now, before, game)
    if kind == "Straight flush":
        return other in ("Four and one", "Full house", "Flush", "Straight")
    if kind == "Four and one":
        return other in ("Full house", "Flush", "Straight")
    if kind == "Full house":
        return other in ("Flush", "Straight")
    if kind == "Flush":
        return other == "Straight"
    return False
