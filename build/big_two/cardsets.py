# @generated from rules/big_two.json by `dealwright build`; do not edit.
"""How Big Two recognises its cardsets and compares two plays."""

from __future__ import annotations

from dealwright.runtime import A_WINS, B_WINS, Play

from .classes import BigTwoGame, Hand, Played


def build_Single(cards: Hand, game: BigTwoGame) -> dict[str, int] | None:
    if len(cards) != 1:  # [right_size]
        return None  # [no]
    if not game.table.may_be_played(game, cards):  # [may_play]
        return None  # [no]
    return {}  # [yes]


def compare_Single(a: Played, b: Played, game: BigTwoGame) -> bool:
    if game.table.top_card(a) > game.table.top_card(b):  # [2]
        return A_WINS  # [now_wins]
    return B_WINS  # [before_wins]


def build_Pair(cards: Hand, game: BigTwoGame) -> dict[str, int] | None:
    if len(cards) != 2:  # [right_size]
        return None  # [no]
    if not game.table.may_be_played(game, cards):  # [may_play]
        return None  # [no]
    sorted_rank = sorted([card.rank for card in cards])  # [right_cards]
    if sorted_rank[0] != sorted_rank[1]:  # [right_cards]
        return None  # [no]
    return {}  # [yes]


def compare_Pair(a: Played, b: Played, game: BigTwoGame) -> bool:
    if game.table.top_card(a) > game.table.top_card(b):  # [2]
        return A_WINS  # [now_wins]
    return B_WINS  # [before_wins]


def build_Triple(cards: Hand, game: BigTwoGame) -> dict[str, int] | None:
    if len(cards) != 3:  # [right_size]
        return None  # [no]
    if not game.table.may_be_played(game, cards):  # [may_play]
        return None  # [no]
    sorted_rank = sorted([card.rank for card in cards])  # [right_cards]
    if sorted_rank[0] != sorted_rank[2]:  # [right_cards]
        return None  # [no]
    return {}  # [yes]


def compare_Triple(a: Played, b: Played, game: BigTwoGame) -> bool:
    if game.table.middle_rank(a) > game.table.middle_rank(b):  # [2]
        return A_WINS  # [now_wins]
    return B_WINS  # [before_wins]


def build_Straight_flush(
    cards: Hand, sorted_rank: list[int], game: BigTwoGame
) -> dict[str, int] | None:
    if len(cards) != 5:  # [right_size]
        return None  # [no]
    if (
        build_Straight(cards, sorted_rank, game) is None
        or build_Flush(cards, game) is None
    ):  # [right_cards]
        return None  # [no]
    return {}  # [yes]


def compare_Straight_flush(a: Played, b: Played, game: BigTwoGame) -> bool:
    if game.table.top_card(a) > game.table.top_card(b):  # [2]
        return A_WINS  # [now_wins]
    return B_WINS  # [before_wins]


def build_Four_and_one(
    cards: Hand, sorted_rank: list[int], game: BigTwoGame
) -> dict[str, int] | None:
    if len(cards) != 5:  # [right_size]
        return None  # [no]
    if not game.table.may_be_played(game, cards):  # [may_play]
        return None  # [no]
    if (
        sorted_rank[1] != sorted_rank[3]
        or sorted_rank[0] != sorted_rank[1]
        and sorted_rank[3] != sorted_rank[4]
    ):  # [right_cards]
        return None  # [no]
    return {}  # [yes]


def compare_Four_and_one(a: Played, b: Played, game: BigTwoGame) -> bool:
    if game.table.middle_rank(a) > game.table.middle_rank(b):  # [2]
        return A_WINS  # [now_wins]
    return B_WINS  # [before_wins]


def build_Full_house(
    cards: Hand, sorted_rank: list[int], game: BigTwoGame
) -> dict[str, int] | None:
    if len(cards) != 5:  # [right_size]
        return None  # [no]
    if not game.table.may_be_played(game, cards):  # [may_play]
        return None  # [no]
    if (
        sorted_rank[0] != sorted_rank[1]
        or sorted_rank[3] != sorted_rank[4]
        or sorted_rank[1] != sorted_rank[2]
        and sorted_rank[2] != sorted_rank[3]
    ):  # [right_cards]
        return None  # [no]
    return {}  # [yes]


def compare_Full_house(a: Played, b: Played, game: BigTwoGame) -> bool:
    if game.table.middle_rank(a) > game.table.middle_rank(b):  # [2]
        return A_WINS  # [now_wins]
    return B_WINS  # [before_wins]


def build_Flush(cards: Hand, game: BigTwoGame) -> dict[str, int] | None:
    if len(cards) != 5:  # [right_size]
        return None  # [no]
    if not game.table.may_be_played(game, cards):  # [may_play]
        return None  # [no]
    sorted_suit = sorted([card.suit for card in cards])  # [right_cards]
    if sorted_suit[0] != sorted_suit[4]:  # [right_cards]
        return None  # [no]
    return {}  # [yes]


def compare_Flush(a: Played, b: Played, game: BigTwoGame) -> bool:
    if game.table.top_card(a) > game.table.top_card(b):  # [2]
        return A_WINS  # [now_wins]
    return B_WINS  # [before_wins]


def build_Straight(
    cards: Hand, sorted_rank: list[int], game: BigTwoGame
) -> dict[str, int] | None:
    if len(cards) != 5:  # [right_size]
        return None  # [no]
    if not game.table.may_be_played(game, cards):  # [may_play]
        return None  # [no]
    if (
        sorted_rank[0] >= sorted_rank[1]
        or sorted_rank[1] >= sorted_rank[2]
        or (sorted_rank[2] >= sorted_rank[3] or sorted_rank[3] >= sorted_rank[4])
    ):  # [all_different]
        return None  # [no]
    if (sorted_rank[4] - sorted_rank[0] != 4 or sorted_rank[4] > 14) and (
        sorted_rank[2] != 5
        or (sorted_rank[4] != 15 or sorted_rank[3] != 6 and sorted_rank[3] != 14)
    ):  # [right_cards]
        return None  # [no]
    return {}  # [yes]


def compare_Straight(a: Played, b: Played, game: BigTwoGame) -> bool:
    if game.table.top_card(a) > game.table.top_card(b):  # [2]
        return A_WINS  # [now_wins]
    return B_WINS  # [before_wins]


def recognize_in(cards: Hand, game: BigTwoGame) -> Played | None:
    size = len(cards)
    if size == 1:
        if (found := build_Single(cards, game)) is not None:
            return Play("1", "Single", cards, found)
    elif size == 2:
        if (found := build_Pair(cards, game)) is not None:
            return Play("2", "Pair", cards, found)
    elif size == 3:
        if (found := build_Triple(cards, game)) is not None:
            return Play("3", "Triple", cards, found)
    elif size == 5:
        a, b, c, d, e = cards
        sorted_rank = sorted([a.rank, b.rank, c.rank, d.rank, e.rank])
        if (found := build_Straight_flush(cards, sorted_rank, game)) is not None:
            return Play("4", "Straight flush", cards, found)
        if (found := build_Four_and_one(cards, sorted_rank, game)) is not None:
            return Play("5", "Four and one", cards, found)
        if (found := build_Full_house(cards, sorted_rank, game)) is not None:
            return Play("6", "Full house", cards, found)
        if (found := build_Flush(cards, game)) is not None:
            return Play("7", "Flush", cards, found)
        if (found := build_Straight(cards, sorted_rank, game)) is not None:
            return Play("8", "Straight", cards, found)
    return None


def beats_in(now: Played, before: Played, game: BigTwoGame) -> bool:
    if now.cardset == "Single":
        if before.cardset == "Single":
            return compare_Single(now, before, game)
        return False
    if now.cardset == "Pair":
        if before.cardset == "Pair":
            return compare_Pair(now, before, game)
        return False
    if now.cardset == "Triple":
        if before.cardset == "Triple":
            return compare_Triple(now, before, game)
        return False
    if now.cardset == "Straight flush":
        if before.cardset == "Straight flush":
            return compare_Straight_flush(now, before, game)
        return before.cardset in ("Four and one", "Full house", "Flush", "Straight")
    if now.cardset == "Four and one":
        if before.cardset == "Four and one":
            return compare_Four_and_one(now, before, game)
        return before.cardset in ("Full house", "Flush", "Straight")
    if now.cardset == "Full house":
        if before.cardset == "Full house":
            return compare_Full_house(now, before, game)
        return before.cardset in ("Flush", "Straight")
    if now.cardset == "Flush":
        if before.cardset == "Flush":
            return compare_Flush(now, before, game)
        return before.cardset == "Straight"
    if now.cardset == "Straight":
        if before.cardset == "Straight":
            return compare_Straight(now, before, game)
        return False
    return False
