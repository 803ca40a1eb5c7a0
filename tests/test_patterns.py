"""Patterns against brute force, and what their documentation promises.

Two oracles share nothing with the tables. Small decks: all splits of a pattern are written down forwards, group by group,
and every hand of the deck is looked up among them. The big deck: hands are taken apart one card at a time, a wild card
being tried as every card there is. DEALWRIGHT_LONG=1 takes 100,000 hands of the big deck and more small patterns.
The hands of the big deck are those of `bench.hands`, which everybody measures with.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, islice, product
from typing import TypeAlias

import pytest

from bench.hands import BIG, FACES, MELD, PAIR, WILD, Hand, Kind, hands
from dealwright.runtime.patterns import (
    LARGEST,
    Deck,
    Face,
    Group,
    Matcher,
    Part,
    Pattern,
    Slots,
    Split,
    run,
    same,
)
from tests.support import LONG, ROOT

COUNT = 100_000 if LONG else 3_000

WINNING = MELD * 4 + PAIR | PAIR * 7
"""The pattern of the hands: four runs or sets and a pair, or seven pairs."""

SUITS = {"m": 0, "p": 9, "s": 18}


def numbers(text: str) -> Hand:
    """The numbers of cards as `46m 789m` writes them."""
    found = []
    for word in text.split():
        found += [SUITS[word[-1]] + int(rank) - 1 for rank in word[:-1]]
    return found


def wins(hand: Sequence[int]) -> bool:
    """The oracle for WINNING: a pair put aside, then the lowest card in a set or a run, again and again."""
    if WILD in hand:
        rest = list(hand)
        rest.remove(WILD)
        return any(wins([*rest, number]) for number in range(27))
    counts = [hand.count(number) for number in range(27)]
    if len(hand) != 14:
        return False
    if all(count % 2 == 0 for count in counts):
        return True
    return any(
        count >= 2 and _melds([*counts[:pair], count - 2, *counts[pair + 1 :]])
        for pair, count in enumerate(counts)
    )


def _melds(counts: list[int]) -> bool:
    lowest = next((number for number, count in enumerate(counts) if count), None)
    if lowest is None:
        return True
    melds = [[lowest] * 3]
    if lowest % 9 < 7:
        melds.append([lowest, lowest + 1, lowest + 2])
    for meld in melds:
        rest = counts.copy()
        for number in meld:
            rest[number] -= 1
        if min(rest) >= 0 and _melds(rest):
            return True
    return False


@pytest.mark.parametrize("kind", ["winning", "near", "random"])
def test_big_deck(kind: Kind) -> None:
    matcher = Matcher(WINNING, BIG)
    found = Counter[bool]()
    for hand in hands(kind, COUNT // 3 + 1, seed=2):
        expected = wins(hand)
        assert matcher.fits(hand) == expected, hand
        found[expected] += 1
    assert found[kind == "winning"] > COUNT // 4


@pytest.mark.parametrize("kind", ["winning", "near"])
def test_big_deck_waits(kind: Kind) -> None:
    matcher = Matcher(WINNING, BIG)
    found = 0
    for hand in hands(kind, COUNT // 30, seed=3):
        held = hand[:13]
        expected = [
            face
            for number, face in enumerate(FACES)
            if held.count(number) < 4 and wins([*held, number])
        ]
        assert list(matcher.waits(held)) == expected, held
        found += bool(expected)
    assert found > COUNT // 200


@pytest.mark.parametrize("wilds", [1, 2])
def test_big_deck_wild_cards(wilds: int) -> None:
    matcher = Matcher(WINNING, BIG)
    found = Counter[bool]()
    for hand in hands("near", COUNT // 30 // wilds**3, seed=4):
        with_wild = hand[: 14 - wilds] + [WILD] * wilds
        expected = wins(with_wild)
        assert matcher.fits(with_wild) == expected, with_wild
        found[expected] += 1
    assert min(found.values()) > 3 and len(found) == 2


def test_splits_of_the_big_deck_add_up() -> None:
    """Each split uses exactly the hand and fills exactly its plan; the first says what `fits` says."""
    matcher = Matcher(WINNING, BIG)
    for hand in hands("winning", COUNT // 30, seed=5) + hands("near", 100, seed=5):
        splits = list(matcher.splits(hand))
        assert bool(splits) == matcher.fits(hand)
        assert len(set(splits)) == len(splits)
        for split in splits:
            used = Counter(
                Face(part.suit, rank) for part in split.parts for rank in part.ranks
            )
            assert used == Counter(FACES[number] for number in hand)
            lengths = Counter(len(part.ranks) for part in split.parts)
            assert lengths == ({3: 4, 2: 1} if split.plan == 0 else {2: 7})


Expected: TypeAlias = Mapping[tuple[int, ...], Counter["Written"]]
Written: TypeAlias = tuple[int, frozenset[tuple[int, Part, int]]]
"""A plan, and its parts: the place that each fills, the part, how often."""


def small_deck(
    suits: Sequence[Sequence[int]], copies: int, unordered: int
) -> Deck[int]:
    """Cards 0, 1, 2, … of the suits in order, and after them a wild card."""
    faces = [Face(suit, rank) for suit, ranks in enumerate(suits) for rank in ranks]
    codes: dict[int, Face | None] = dict(enumerate(faces))
    codes[len(faces)] = None
    return Deck(codes, copies, unordered=range(len(suits) - unordered, len(suits)))


def all_parts(deck: Deck[int], group: Group) -> Iterator[Part]:
    """Everything that the group can be, with every choice of wild cards."""
    most = group.length if group.wilds is None else min(group.wilds, group.length)
    for suit, ranks in deck.suits().items():
        for first in ranks:
            stand = [first] * group.length
            if group.kind == "run":
                stand = list(range(first, first + group.length))
                if not set(stand) <= set(ranks):
                    continue
                if suit in deck.unordered and group.length > 1:
                    continue
            choices = {
                tuple(
                    rank for rank, is_wild in zip(stand, mask, strict=True) if is_wild
                )
                for mask in product((False, True), repeat=group.length)
                if sum(mask) <= most
            }
            for wild in sorted(choices):
                yield Part(group, suit, tuple(stand), wild)


def fillings(deck: Deck[int], slots: Slots) -> Iterator[tuple[Part, ...]]:
    """All ways to fill places of one kind, whatever cards that takes."""
    parts = [part for group in slots.groups for part in all_parts(deck, group)]
    for chosen in combinations_with_replacement(parts, slots.count):
        stands = [(part.group, part.suit, part.ranks) for part in chosen]
        if not slots.distinct or len(set(stands)) == len(stands):
            yield chosen


def written_down(deck: Deck[int], pattern: Pattern) -> Expected:
    """For every hand, as sorted codes, all its splits; hands with too many copies are left out."""
    code_of = {face: code for code, face in deck.faces.items()}
    found: dict[tuple[int, ...], Counter[Written]] = defaultdict(Counter)
    for plan, places in enumerate(pattern.plans):
        for filled in product(*(list(fillings(deck, slots)) for slots in places)):
            hand = []
            for part in (part for chosen in filled for part in chosen):
                natural = Counter(part.ranks) - Counter(part.wild)
                hand += [code_of[Face(part.suit, rank)] for rank in natural.elements()]
                hand += [code_of[None]] * len(part.wild)
            counts = Counter(code for code in hand if code != code_of[None])
            if max(counts.values(), default=0) <= deck.copies:
                parts = Counter(
                    (place, part)
                    for place, chosen in enumerate(filled)
                    for part in chosen
                )
                written = frozenset((*key, count) for key, count in parts.items())
                found[tuple(sorted(hand))][plan, written] += 1
    return found


def without_places(written: Counter[Written]) -> Counter[tuple[int, frozenset[object]]]:
    """Splits as `Split` can tell them apart, with how often each comes."""
    found = Counter[tuple[int, frozenset[object]]]()
    for (plan, parts), count in written.items():
        merged = Counter[Part]()
        for _, part, times in parts:
            merged[part] += times
        found[plan, frozenset(merged.items())] += count
    return found


def as_found(splits: Iterator[Split]) -> Counter[tuple[int, frozenset[object]]]:
    return Counter(
        (split.plan, frozenset(Counter(split.parts).items())) for split in splits
    )


def all_hands(deck: Deck[int], size: int, wilds: int) -> Iterator[tuple[int, ...]]:
    """Every hand of so many cards, at most `wilds` wild ones and one copy too many of each card."""
    wild = max(deck.faces)
    for hand in combinations_with_replacement(range(wild + 1), size):
        counts = Counter(hand)
        if counts.pop(wild, 0) <= wilds and max(counts.values(), default=0) <= (
            deck.copies + 1
        ):
            yield hand


def check_all(deck: Deck[int], pattern: Pattern, wilds: int, sample: int) -> int:
    """Compare every answer for `sample` hands that fit and `sample` hands of any kind; how many of all fit."""
    expected = written_down(deck, pattern)
    matcher = Matcher(pattern, deck)
    source = random.Random(1)
    fitting = 0
    for size in sorted(set(pattern.sizes())):
        every = list(all_hands(deck, size, wilds))
        right = sorted(hand for hand in expected if len(hand) == size)
        for hand in [
            *source.sample(every, min(sample, len(every))),
            *source.sample(right, min(sample, len(right))),
        ]:
            assert matcher.fits(hand) == (hand in expected), hand
            splits = as_found(matcher.splits(hand))
            assert splits == without_places(expected.get(hand, Counter())), hand
            held = hand[1:]
            waits = [
                face
                for code, face in deck.faces.items()
                if face is not None and tuple(sorted((*held, code))) in expected
            ]
            assert list(matcher.waits(held)) == waits, held
            fitting += hand in expected
    return fitting


NAMED: dict[str, tuple[Pattern, list[Sequence[int]], int, int, int]] = {
    "melds and a pair": (
        (run(3, 1) | same(3, 0)) * 2 + same(2, 1),
        [range(1, 5), range(2)],
        3,
        0,
        1,
    ),
    "wild cards": (MELD + PAIR, [range(1, 6), range(2)], 3, 0, 5),
    "limited wild cards": (
        (run(3, 1) | same(3, 2)) + same(2, 0) + same(1),
        [range(4), range(2)],
        2,
        0,
        3,
    ),
    "lengths": ((run(3) | run(4) | same(3) | same(4)) * 2, [range(5)], 4, 0, 0),
    "pairs": (PAIR * 3, [range(4), range(2)], 4, 0, 2),
    "different pairs": ((PAIR * 3).distinct(), [range(3), range(1)], 4, 0, 6),
    "different runs": ((run(3) * 2).distinct() + PAIR, [range(5)], 3, 0, 2),
    "each place different by itself": (
        ((run(2) | same(2)) * 2).distinct() + same(2).distinct(),
        [range(3)],
        4,
        0,
        1,
    ),
    "an unordered suit": (MELD + MELD, [range(4), range(3)], 3, 1, 1),
    "gaps": (run(2) * 2 + same(1), [(1, 2, 4, 5, 7), (0, 9)], 2, 0, 1),
    "overlapping places": ((run(2) | same(2)) * 2 + same(2), [range(3)], 4, 0, 1),
    "alternatives": (run(4) | same(2) * 2 | same(1) + same(3), [range(5)], 4, 0, 4),
}
"""A pattern, the ranks of each suit, copies, how many of the last suits have no order, wild cards in hands."""


@pytest.mark.parametrize("name", NAMED)
def test_small_decks(name: str) -> None:
    pattern, suits, copies, unordered, wilds = NAMED[name]
    deck = small_deck(suits, copies, unordered)
    assert check_all(deck, pattern, wilds, 20_000 if LONG else 800) > 10


def random_pattern(source: random.Random, cards: int) -> Pattern:
    """A pattern whose plans take at most `cards` cards."""
    while True:
        pattern = _random_term(source)
        for _ in range(source.randrange(3)):
            other = _random_term(source)
            pattern = pattern + other if source.randrange(2) else pattern | other
        if max(pattern.sizes()) <= cards:
            return pattern


def _random_term(source: random.Random) -> Pattern:
    makers = (run, same)
    term = source.choice(makers)(source.randint(1, 4), source.choice([None, 0, 1, 2]))
    if source.randrange(2):
        term |= source.choice(makers)(source.randint(1, 4))
    if source.randrange(5) == 0:
        term = term.distinct()
    return term * source.randint(1, 2)


@pytest.mark.parametrize("seed", range(400 if LONG else 25))
def test_random_patterns(seed: int) -> None:
    source = random.Random(seed)
    pattern = random_pattern(source, 5)
    suits = [
        sorted(source.sample(range(6), source.randint(1, 4)))
        for _ in range(source.randint(1, 2))
    ]
    deck = small_deck(suits, source.randint(1, 4), source.randrange(2))
    check_all(deck, pattern, source.randrange(4), 300)


SPLITTABLE = {
    "F01": "46m 789m 234p 678p 99p 5m",
    "F02": "111m 333m 555p 77p 99p 7p",
    "F03": "123m 345m 567m 99m 78m 9m",
    "F04": "11m 33m 55m 77p 88p 99p 2p 2p",
    "F05": "2222m 33m 55m 77p 88p 9p 9p",
    "F18": "111m 222m 333m 99p 77p 7p",
}


@pytest.mark.parametrize("name", SPLITTABLE)
def test_scoring_vectors(name: str) -> None:
    hand = numbers(SPLITTABLE[name])
    assert Matcher(WINNING, BIG).fits(hand)
    assert Matcher(WINNING, BIG).waits(hand) == ()


def test_readings() -> None:
    """111222333 is three runs or three sets; two pairs of one card are two pairs, unless they must be distinct."""
    matcher = Matcher(WINNING, BIG)
    kinds = [
        [part.group.kind for part in split.parts]
        for split in matcher.splits(numbers(SPLITTABLE["F18"]))
    ]
    assert kinds == [["run"] * 3 + ["set"] * 2, ["set"] * 5]
    quad = numbers(SPLITTABLE["F05"])
    assert [split.plan for split in matcher.splits(quad)] == [1]
    assert not Matcher((PAIR * 7).distinct(), BIG).fits(quad)
    assert Matcher((PAIR * 7).distinct(), BIG).fits(numbers(SPLITTABLE["F04"]))


def test_waits() -> None:
    matcher = Matcher(WINNING, BIG)
    assert matcher.waits(numbers("3333m 456m 789m 234p")) == (Face(0, 6), Face(0, 9))
    assert matcher.waits(numbers("1112345678999m")) == FACES[:9]
    assert matcher.waits(numbers("1111m 444m 777m 999p")) == ()
    single = Matcher(MELD * 0 + PAIR, BIG)
    assert single.waits(numbers("8m")) == (Face(0, 8),)


def test_groups_of_wild_cards_alone() -> None:
    matcher = Matcher(MELD + PAIR, BIG)
    assert matcher.waits([WILD] * 4) == FACES
    assert matcher.fits([WILD] * 5)
    assert not matcher.fits([WILD] * 6)
    limited = Matcher(same(3, 2) + PAIR, BIG)
    assert limited.fits([0, WILD, WILD, WILD, WILD])
    assert not limited.fits([WILD] * 5)


def test_groups_of_wild_cards_must_have_something_to_stand_for() -> None:
    two = small_deck([range(2)], copies=4, unordered=0)
    assert Matcher((PAIR * 2).distinct(), two).fits([2, 2, 2, 2])
    assert not Matcher((PAIR * 3).distinct(), two).fits([0, 0, 1, 1, 2, 2])
    assert not Matcher((PAIR * 3).distinct(), two).fits([2] * 6)
    assert not Matcher(run(3), two).fits([2] * 3)
    unordered = small_deck([range(5)], copies=4, unordered=1)
    assert not Matcher(run(3), unordered).fits([5] * 3)


def test_wild_cards_stand_for_cards_that_are_all_in_the_hand() -> None:
    assert Matcher(same(5), BIG).fits([0, 0, 0, 0, WILD])
    assert not Matcher(same(5), BIG).fits([0] * 5)


def place_of(pattern: Pattern, plan: int, part: Part) -> tuple[int, int]:
    """The place that the part fills and its group's rank there, in a pattern whose places share no group."""
    for place, slots in enumerate(pattern.plans[plan]):
        if part.group in slots.groups:
            return place, slots.groups.index(part.group)
    raise AssertionError(part)


def test_order() -> None:
    """The lowest card first, in its first place, first group, lowest rank, fewest wild cards; wild groups last."""
    pattern = MELD * 2 + PAIR | PAIR * 4
    matcher = Matcher(pattern, BIG)
    for text in ("11112233m", "11223m", "1122p 33s", "44m 5s", "3m"):
        hand = numbers(text)
        hand += [WILD] * (8 - len(hand))
        order = []
        for split in islice(matcher.splits(hand), 2_000):
            keys = []
            lowest = []
            for part in split.parts:
                left = sorted((Counter(part.ranks) - Counter(part.wild)).elements())
                lowest.append((part.suit, left[0]) if left else (99, 99))
                place = place_of(pattern, split.plan, part)
                first = part.ranks[0]
                suit = 0 if left else part.suit
                keys.append((*place, suit, first, len(part.wild), part.wild))
            assert lowest == sorted(lowest)
            order.append((split.plan, keys))
        assert len(order) > 1
        assert order == sorted(order)


def test_splits_are_lazy() -> None:
    """Nobody could wait for all the splits of fourteen wild cards."""
    matcher = Matcher(WINNING, BIG)
    assert len(list(islice(matcher.splits([WILD] * 14), 5))) == 5


def test_answers_do_not_depend_on_the_order_of_cards() -> None:
    matcher = Matcher(WINNING, BIG)
    source = random.Random(6)
    for hand in hands("winning", 50, seed=6):
        other = source.sample(hand, 14)
        assert list(matcher.splits(hand)) == list(matcher.splits(other))
        assert matcher.waits(hand[:13]) == matcher.waits(sorted(hand[:13]))


def test_memory_is_bounded_and_changes_nothing() -> None:
    small = Matcher(WINNING, BIG, remembered=20)
    large = Matcher(WINNING, BIG)
    for hand in hands("winning", 100, seed=7) + hands("near", 100, seed=7):
        wild = [*hand[:13], WILD]
        assert small.fits(hand) == large.fits(hand)
        assert small.waits(hand[1:]) == large.waits(hand[1:])
        assert list(small.splits(hand)) == list(large.splits(hand))
        assert small.fits(wild) == large.fits(wild)
        assert small.entries <= 20
    assert large.entries > 200


def test_keys_add_up() -> None:
    """A game may keep the key of a hand and change it with the hand."""
    matcher = Matcher(WINNING, BIG)
    for hand in hands("near", 200, seed=8):
        wild = [*hand[:13], WILD]
        key = matcher.key(hand[:13])
        assert matcher.waits_key(key, 13) == matcher.waits(hand[:13])
        drawn = key + matcher.keys[hand[13]]
        assert drawn == matcher.key(hand)
        assert matcher.fits_key(drawn, 14) == matcher.fits(hand)
        assert matcher.fits_key(key + matcher.keys[WILD], 14) == matcher.fits(wild)


def test_too_many_copies_fit_nothing() -> None:
    """Nor can they be mistaken for other cards, even where a plan has room for the fewer cards that they look like."""
    pattern = same(5) | same(1) | PAIR * 7 | MELD * 3
    matcher = Matcher(pattern, BIG)
    for number in range(27):
        for count in range(5, 30):
            assert not matcher.fits([number] * count)
            assert not list(matcher.splits([number] * count))
            assert matcher.waits([number] * count) == ()


def test_any_codes() -> None:
    """Cards may be strings, and several codes may show one face."""
    names: Deck[str] = Deck(
        {f"{face.rank}{'mps'[face.suit]}": face for face in FACES}, copies=4
    )
    tiles = Deck({tile: FACES[tile // 4] for tile in range(108)}, copies=4)
    by_name, by_tile = Matcher(WINNING, names), Matcher(WINNING, tiles)
    assert by_name.fits(["1m"] * 2 + ["2m", "3m", "4m"] * 4)
    assert by_tile.fits([0, 1, *range(4, 16)])
    assert not by_tile.fits([0, 4, *range(4, 16)])


def test_unknown_cards_are_refused() -> None:
    matcher = Matcher(WINNING, BIG)
    for ask in (matcher.fits, matcher.waits, matcher.splits, matcher.key):
        with pytest.raises(ValueError, match="card 28 is not in the deck"):
            ask([0, 28])


def test_large_patterns_stay_within_the_stack() -> None:
    ranks = range(LARGEST)
    deck = small_deck([ranks], 4, 0)
    matcher = Matcher(MELD * 20, deck)
    assert matcher.fits(list(ranks))
    assert matcher.fits([*list(ranks)[:-2], LARGEST, LARGEST])
    assert not matcher.fits([0, 0, *range(2, LARGEST)])
    assert next(matcher.splits(list(ranks))).parts[19].ranks == (57, 58, 59)
    ones = Matcher(same(1) * LARGEST, deck)
    assert ones.fits(list(ranks))


def test_the_same_in_every_process() -> None:
    """Hash seeds change the order of strings in sets; no answer may show it."""
    script = (
        "from tests.test_patterns import *\n"
        "deck = Deck({f'{f.rank}{f.suit}': f for f in FACES} | {'*': None}, copies=4)\n"
        "matcher = Matcher(WINNING, deck)\n"
        "hand = ['10', '20', '30', '31', '*', '*', '*', '*']\n"
        "hand += ['12', '12', '22', '32', '42', '52']\n"
        "print(list(islice(matcher.splits(hand), 100)), matcher.waits(hand[1:]))\n"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1 and len(printed.pop()) > 1_000


def test_patterns_are_values() -> None:
    assert MELD * 4 + PAIR == MELD + MELD * 3 + PAIR
    assert hash(MELD * 2) == hash(MELD + MELD)
    assert (MELD | MELD) == MELD
    assert (PAIR | run(3)) * 2 == PAIR * 2 | (PAIR + run(3)) | run(3) * 2
    assert PAIR.distinct() * 7 == (PAIR * 7).distinct()
    assert (MELD * 4 + PAIR | PAIR * 7).plans == (
        (
            Slots((Group("run", 3), Group("set", 3)), 4),
            Slots((Group("set", 2),), 1),
        ),
        (Slots((Group("set", 2),), 7),),
    )
    assert WINNING.sizes() == (14, 14)
    assert Matcher(PAIR * 0, BIG).fits([])
    assert list(Matcher(PAIR * 0, BIG).splits([])) == [Split(0, ())]


def test_refusals() -> None:
    with pytest.raises(ValueError, match="run: a length from 1 to 60, not 0"):
        run(0)
    with pytest.raises(ValueError, match="set: wilds must not be negative: -1"):
        same(2, -1)
    with pytest.raises(ValueError, match="times: from 0 to 60, not -1"):
        PAIR * -1
    with pytest.raises(ValueError, match="alternatives when multiplied out"):
        (run(1) | run(2) | run(3) | run(4)) * 30
    with pytest.raises(ValueError, match="pattern: 63 cards, the most is 60"):
        Matcher(MELD * 21, BIG)
    with pytest.raises(ValueError, match="pattern: 2187 states, the most is 1024"):
        Matcher(
            sum((run(length) * 2 for length in range(2, 7)), run(1) * 2 + same(2) * 2),
            BIG,
        )
    with pytest.raises(ValueError, match="remembered: at least 1, not 0"):
        Matcher(PAIR, BIG, remembered=0)
    with pytest.raises(ValueError, match="copies: at least 1, not 0"):
        Deck({0: Face(0, 0)}, copies=0)
    with pytest.raises(ValueError, match="faces: no card shows a suit and a rank"):
        Deck({0: None}, copies=4)
    with pytest.raises(ValueError, match="suit 0: 61 ranks, the most is 60"):
        Deck({rank: Face(0, rank) for rank in range(61)}, copies=4)
