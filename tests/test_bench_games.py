"""The benchmark's rows about claims, whole rounds and the plays of Dou Dizhu.

Their questions are what their titles say, and are answered right. Rivals that are packages take no part here;
`python -m bench` holds their answers against ours before it times anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench import dou_dizhu
from bench.contest import Contest, Setting, hold
from bench.environments import Environments
from bench.hands import Hand
from bench.rows import ROWS, claims, patterns, rounds, windows
from bench.subjects import Subject
from dealwright.runtime.windows import PASS

ROW = {row.name: row for row in ROWS}
COUNT = 60


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    """A setting in which no rival takes part."""
    return Setting(frozenset(), Environments(tmp_path), Subject, COUNT, 3)


def contest_of(name: str, setting: Setting) -> Contest:
    """A row's contest."""
    contest = ROW[name].prepare(setting)
    assert isinstance(contest, Contest) and not contest.rivals and not contest.missing
    return contest


def is_complete(hand: Hand) -> bool:
    """Seven different pairs, or a pair and four groups: the lowest card in a set or in a run, again and again."""
    counts = Counter(hand)
    if set(counts.values()) == {2}:
        return True
    pairs = [kind for kind, count in counts.items() if count >= 2]
    return any(_splits(counts - Counter({kind: 2})) for kind in pairs)


def _splits(counts: Counter[int]) -> bool:
    if not counts:
        return True
    kind = min(counts)
    groups = [[kind] * 3]
    if kind % 9 < 7:
        groups.append([kind, kind + 1, kind + 2])
    return any(
        all(counts[each] >= needed for each, needed in Counter(group).items())
        and _splits(counts - Counter(group))
        for group in groups
    )


@pytest.mark.parametrize("name", patterns.MIXES)
def test_hands_win_or_miss_as_their_row_says(
    name: str, setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Hand] = []

    def timed(function: Any, questions: Any) -> Any:
        asked.extend(questions)
        return lambda loops: 0.01

    monkeypatch.setattr(patterns, "calling", timed)
    contest = contest_of(name, setting)
    is_win = patterns.MIXES[name][1]
    assert contest.ours.answers() == [is_win] * COUNT
    assert [is_complete(hand) for hand in asked] == [is_win] * COUNT


def play_of(ranks: list[int]) -> str | None:
    """The play of Dou Dizhu that cards of these ranks are, by how often each rank is there."""
    counts = Counter(ranks)
    if counts == {16: 1, 17: 1}:
        return "rocket"
    sizes = sorted(counts.values(), reverse=True)
    alike = {1: "solo", 2: "pair", 3: "trio", 4: "bomb"}
    if len(sizes) == 1:
        return alike[sizes[0]]
    has_both = {16, 17} <= {*counts}
    if sizes[0] == 4:
        if len(ranks) == 6 and not has_both:
            return "four_two_solo"
        return "four_two_pair" if sizes == [4, 2, 2] else None
    for width, least, kind in ((1, 5, "solo"), (2, 3, "pair"), (3, 2, "trio")):
        if {*sizes} == {width} and len(sizes) >= least and _in_line([*counts]):
            return f"{kind}_chain_{len(sizes)}"
    return None if has_both else _plane(counts, len(ranks))


def _plane(counts: Counter[int], size: int) -> str | None:
    """Triples in line with as many singles or pairs; other triples may be singles, unless they make the line longer."""
    trios = sorted(rank for rank, count in counts.items() if count == 3)
    for kind, each in (("trio_solo", 4), ("trio_pair", 5)):
        length, rest = divmod(size, each)
        lines = [trios[place : place + length] for place in range(len(trios))]
        fitting = [one for one in lines if len(one) == length and _in_line(one)]
        if rest or not fitting:
            continue
        if kind == "trio_pair" and {*counts.values()} != {2, 3}:
            continue
        if length > 1 and any(
            _in_line(trios[place : place + length + 1])
            for place in range(len(trios) - length)
        ):
            continue
        if kind == "trio_solo" or len(trios) == length:
            return kind if length == 1 else f"{kind}_chain_{length}"
    return None


def _in_line(ranks: list[int]) -> bool:
    """Whether ranks follow each other, up to the ace; one alone does."""
    low, high = min(ranks), max(ranks)
    return high - low == len(ranks) - 1 and (len(ranks) == 1 or high <= 14)


@pytest.mark.parametrize(
    ("name", "hands"),
    [("dou-dizhu", dou_dizhu.plays), ("dou-dizhu-near", dou_dizhu.near_plays)],
)
def test_plays_of_dou_dizhu_are_what_their_ranks_say(
    name: str, hands: Callable[[int, int], list[list[int]]], setting: Setting
) -> None:
    setting = replace(setting, count=2000)
    wanted = [play_of(ranks) for ranks in hands(setting.count, setting.seed)]
    assert contest_of(name, setting).ours.answers() == wanted
    misses = wanted.count(None)
    if name == "dou-dizhu":
        assert misses == 0 and len({*wanted}) == 37
    else:
        assert setting.count / 2 < misses < setting.count
        plays = dou_dizhu.plays(setting.count, setting.seed)
        changed = [
            (Counter(play) - Counter(near)).total()
            for play, near in zip(
                plays, hands(setting.count, setting.seed), strict=True
            )
        ]
        assert {*changed} == {1}


@pytest.mark.parametrize("size", [17, 20])
def test_leads_of_dou_dizhu_are_all_that_a_hand_can_play(
    size: int, setting: Setting
) -> None:
    setting = replace(setting, count=4)
    hands = dou_dizhu.hands(setting.count, size, setting.seed)
    wanted = [
        sorted(
            "".join(dou_dizhu.SIGNS[rank - 3] for rank in ranks)
            for ranks in choices_of(hand)
            if ranks and play_of(ranks) is not None
        )
        for hand in hands
    ]
    assert contest_of(f"dou-dizhu-leads-{size}", setting).ours.answers() == wanted
    assert all(len(plays) > 15 for plays in wanted)
    fewer = dou_dizhu.hands(50, size, setting.seed, most_alike=3)
    assert len(fewer) == 50
    assert max(max(map(hand.count, hand)) for hand in fewer) == 3


def choices_of(hand: list[int]) -> list[list[int]]:
    """All choices of cards of a hand, by rank."""
    found: list[list[int]] = [[]]
    for rank, count in sorted(Counter(hand).items()):
        found = [[*some, *[rank] * more] for some in found for more in range(count + 1)]
    return found


def test_every_window_is_decided_by_its_third_answer(setting: Setting) -> None:
    """Through the desk or not, the result is the same; the pure functions alone know no desk's numbers."""
    alone = contest_of("window", setting).ours.answers()
    assert alone == contest_of("window-desk", setting).ours.answers()
    outcomes = Counter(
        (result.winner_seat_no, result.winning_action_type) for result in alone
    )
    assert outcomes.keys() == {(1, "PENG"), (2, "HU"), (3, "HU"), (None, PASS)}
    assert all(not result.superseded_seat_nos for result in alone)
    assert windows.SPEC.early == "when_decided"


def taker(deal: claims.Deal) -> list[str | int] | None:
    """Who takes the discard: three copies before two, then the next seat's two neighbours below."""
    *hands, (tile,) = deal
    for action, needed in (("GANG", 3), ("PENG", 2)):
        for seat in (1, 2, 3):
            if hands[seat].count(tile) == needed:
                return [action, seat]
    has_two_below = tile % 9 >= 2 and {tile - 1, tile - 2} <= set(hands[1])
    return ["CHOW", 1] if has_two_below else None


def test_discards_are_taken_as_their_rows_say() -> None:
    for is_claimed in (False, True):
        dealt = claims.deals(600, 3, is_claimed)
        taken = [claims.who_claims(deal) for deal in dealt]
        assert taken == [taker(deal) for deal in dealt]
        ways = Counter(None if each is None else each[0] for each in taken)
        assert ways.keys() - {None} == {"GANG", "PENG", "CHOW"}
        assert (None in ways) is not is_claimed


def test_rounds_are_played_to_their_end(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "ROUNDS", 2)
    totals = contest_of("sichuan-round", setting).ours.answers()
    assert len(totals) == 2 and all(any(each) for each in totals)
    for name in ("sichuan-step", "sichuan-step-hints"):
        contest = contest_of(name, setting)
        assert contest.ours.answers() == [True] * contest.questions
        assert contest.questions > 60


def test_a_row_of_each_module_can_be_held(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "ROUNDS", 1)
    for name in ("window", "window-claims", "complete-miss", "sichuan-step"):
        outcome = hold(ROW[name], setting, rounds=1)
        assert outcome.figure.median > 0
