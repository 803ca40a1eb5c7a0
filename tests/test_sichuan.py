"""The Sichuan example's hands and fans: the scoring vectors and waits of section 5.4 of the window requirement."""

from __future__ import annotations

import pytest

from examples.sichuan.fans import Circumstances, fan_count, fan_items, points
from examples.sichuan.hand import GangKind, Meld, can_win, is_ready, waits
from examples.sichuan.tiles import KINDS, WALL, tiles


def pung(tile: str) -> Meld:
    return Meld("PENG", tile, 3)


def kong(tile: str, kind: GangKind = "EXPOSED") -> Meld:
    return Meld("GANG", tile, 3, kind)


VECTORS: list[tuple[str, str, list[Meld], Circumstances, list[str], int]] = [
    ("F01", "46m 789m 234p 678p 99p 5m", [], Circumstances(), [], 1),
    ("F02", "111m 333m 555p 77p 99p 7p", [], Circumstances(), ["ALL_TRIPLETS"], 2),
    ("F03", "123m 345m 567m 99m 78m 9m", [], Circumstances(), ["FLUSH"], 4),
    ("F04", "11m 33m 55m 77p 88p 99p 2p 2p", [], Circumstances(), ["SEVEN_PAIRS"], 4),
    (
        "F05",
        "2222m 33m 55m 77p 88p 9p 9p",
        [],
        Circumstances(),
        ["ROOT", "SEVEN_PAIRS"],
        8,
    ),
    (
        "F07",
        "8m 8m",
        [pung("2m"), pung("4p"), kong("7p"), pung("9m")],
        Circumstances(),
        ["GANG", "ALL_TRIPLETS", "GOLDEN_HOOK"],
        8,
    ),
    (
        "F09",
        "123m 456m 789p 5p 5p",
        [kong("9m", "CONCEALED")],
        Circumstances(is_self_drawn=True, is_after_kong=True),
        ["GANG", "GANG_FLOWER"],
        4,
    ),
    (
        "F10",
        "23m 567m 234p 678p 99p 4m",
        [],
        Circumstances(is_robbed=True),
        ["ROB_GANG"],
        2,
    ),
    (
        "F11",
        "46m 789m 234p 678p 99p 5m",
        [],
        Circumstances(is_last=True),
        ["SEABED"],
        2,
    ),
    (
        "F12",
        "46m 789m 234p 678p 99p 5m",
        [],
        Circumstances(is_after_kong=True),
        ["GANG_SHOT"],
        2,
    ),
    (
        "F14",
        "5m 5m",
        [kong("2m"), kong("4m"), kong("7m"), kong("9m")],
        Circumstances(),
        ["GANG"] * 4 + ["ALL_TRIPLETS", "GOLDEN_HOOK", "FLUSH"],
        8,
    ),
    ("F18", "111m 222m 333m 99p 77p 7p", [], Circumstances(), ["ALL_TRIPLETS"], 2),
]


@pytest.mark.parametrize(
    ("name", "hand", "melds", "how", "items", "worth"),
    VECTORS,
    ids=lambda each: str(each)[:3],
)
def test_scoring_vectors(
    name: str,
    hand: str,
    melds: list[Meld],
    how: Circumstances,
    items: list[str],
    worth: int,
) -> None:
    held = tiles(hand)
    suits = {tile[1] for tile in [*held, *(meld.tile for meld in melds)]}
    void = next(suit for suit in "smp" if suit not in suits)
    assert can_win(held, melds, void)
    found = fan_items(held, melds, how)
    assert found == items
    assert points(found) == worth


def test_f14_has_eight_fans_of_which_three_count() -> None:
    items = ["GANG"] * 4 + ["ALL_TRIPLETS", "GOLDEN_HOOK", "FLUSH"]
    assert fan_count(items) == 8
    assert points(items) == 8
    assert points(items, cap=5) == 32


def test_f15_tiles_of_the_void_suit_are_no_win() -> None:
    held = tiles("46m 789m 234p 678p 99s 5m")
    assert not can_win(held, [], "s")
    assert can_win(held, [], "z")
    assert not can_win(held, [], None), "before the void suit is chosen nobody wins"


@pytest.mark.parametrize(
    ("hand", "found"),
    [
        ("3333m 456m 789m 234p", "6m 9m"),
        ("1112345678999m", "123456789m"),
        ("46m 789m 234p 678p 99p", "5m"),
        ("11m 33m 55m 77p 88p 99p 2p", "2p"),
        ("2222m 33m 55m 77p 88p 9p", "9p"),
        ("1357m 1357p 13579s", ""),
    ],
)
def test_waits(hand: str, found: str) -> None:
    assert waits(tiles(hand)) == tiles(found)


def test_a_tile_that_the_seat_holds_all_four_of_is_no_wait() -> None:
    """W2: three in hand and one laid open count together."""
    assert waits(tiles("5555m 123p 456p 789p")) == []
    assert waits(tiles("55m 46m"), []) == tiles("5m")
    melds = [kong("5m"), pung("1p"), pung("2p")]
    assert waits(tiles("46m 99p"), melds) == []
    assert waits(tiles("5m 123p"), [pung("5m"), pung("1p"), pung("2p")]) == []


def test_four_melds_without_a_pair_are_no_win() -> None:
    assert not can_win(tiles("12m"), [pung("2p")] * 4, "s")
    assert not can_win(tiles("111m 222m 333m 444m"), [], "s")


def test_seven_pairs_need_all_fourteen_tiles_in_hand() -> None:
    assert not can_win(tiles("11m 33m 55m 77p 8p 8p 9p"), [pung("1p")], "s")
    assert not can_win(tiles("11m 33m 55m 77p 88p"), [pung("1p")], "s")


def test_of_several_ways_to_see_a_hand_the_best_counts() -> None:
    assert fan_items(tiles("112233m 778899p 55p"), []) == ["SEVEN_PAIRS"]
    assert fan_items(tiles("111222333m 999m 77p"), []) == ["ALL_TRIPLETS"]


def test_ready_means_a_wait_outside_of_the_void_suit() -> None:
    assert is_ready(tiles("46m 789m 234p 678p 99p"), [], "s")
    assert not is_ready(tiles("46m 789m 234p 678p 99s"), [], "s")
    assert not is_ready(tiles("46m 789m 234p 678p 9p 5p"), [], "s")


def test_the_tiles() -> None:
    assert len(WALL) == 108 and len(KINDS) == 27
    assert tiles("46m 7s") == ["4m", "6m", "7s"]
    with pytest.raises(ValueError, match="no tiles"):
        tiles("46m 7x")
