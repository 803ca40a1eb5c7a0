"""What hands and plays mean in the shipped rules: hand-made cards and positions with known answers.

A straight, a trump pair, an ace that counts one, who has to lead: each is pinned here on the interpreter, so that an
edit of a rule that changes the game shows, whatever the random matches of `test_rules.py` happen to meet. Cards are
written as people name them and turned into the rules' numbers by the small helpers at the top of each section.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

from dealwright.compiler.interpreter.interpret import (
    Match,
    Refused,
    Rule,
    beats,
    can_lead,
    recognize,
)

RULES = Path(__file__).resolve().parent.parent / "rules"


@cache
def rule(name: str) -> Rule:
    """A shipped rule, by the name of its file, indexed once for the whole run."""
    return Rule(json.loads((RULES / f"{name}.json").read_text(encoding="utf-8")))


def arranged(
    name: str,
    wait: str,
    hands: Sequence[Sequence[int]],
    table: Mapping[str, int],
    *,
    top: Sequence[int] = (),
    players: Sequence[Mapping[str, int]] = (),
) -> Match:
    """A position of a rule in which nothing has been played yet.

    Args:
        name: the rule's file name without its suffix.
        wait: the node of the wait that is open.
        hands: the cards of each seat; all others are in the deck.
        table: the table's properties that differ from the start.
        top: the first cards of the deck.
        players: the properties of each player that differ from the start; none given, none do.
    """
    gone = {card for hand in hands for card in hand} | set(top)
    rest = [card for card in range(1, len(rule(name).deck) + 1) if card not in gone]
    return Match.arrange(
        rule(name),
        hands=hands,
        deck=[*top, *rest],
        discard=[],
        table=dict(table),
        players=[dict(player) for player in players] or [{} for _ in hands],
        wait=wait,
    )


# --- tiny


def test_tiny_must_be_led() -> None:
    match = Match(rule("tiny"), 2)
    with pytest.raises(Refused) as refused:
        match.skip(0)
    assert refused.value.code == "must_lead"


# --- war


def test_war_scores_nothing_for_equal_ranks_and_the_round_for_a_skip() -> None:
    match = arranged("war", "ask_lead", [[52, 1], [51, 5]], {"round": 8})
    match.play(0, [52])
    match.play(1, [51])
    assert [player["round_wins"] for player in match.state()["players"]] == [0, 0]
    match.play(0, [1])
    match.skip(1)
    assert match.results == {0: 1, 1: -1}


# --- twenty-one


def twenty_one_at(*names: str) -> Match:
    """Two players, seat 0 asked for the first time; the cards are turned in this order.

    The rule shuffles before it turns anything, so the two cards that seat 0 has by then
    are put where the rule would have put them: on his properties.
    """
    ranks = ["A23456789TJQK".index(name) + 1 for name in names]
    top = [4 * rank - 3 + ranks[:at].count(rank) for at, rank in enumerate(ranks)]
    mine = {
        "points": sum(min(rank, 10) for rank in ranks[:2]),
        "aces": ranks[:2].count(1),
    }
    table = {"turned": 2}
    return arranged("twenty_one", "ask", [[], []], table, top=top, players=[mine, {}])


def test_twenty_one_an_ace_falls_back_to_one() -> None:
    match = twenty_one_at("A", "9", "5", "T", "J")
    match.choose(0, 1)
    assert match.pending is not None and match.pending["seat"] == 0
    match.choose(0, 0)
    assert match.state()["table"]["cur_max"] == 15
    match.choose(1, 0)
    assert match.results == {0: 0, 1: 1}


def test_twenty_one_only_one_of_two_aces_counts_eleven() -> None:
    match = twenty_one_at("A", "A", "9", "T", "J")
    match.choose(0, 1)
    assert match.state()["table"]["cur_max"] == 21
    match.choose(1, 0)
    assert match.results == {0: 1, 1: 0}


def test_twenty_one_equal_totals_share_the_win() -> None:
    match = twenty_one_at("K", "9", "A", "8")
    match.choose(0, 0)
    match.choose(1, 0)
    assert match.results == {0: 1, 1: 1}


def test_twenty_one_too_much_ends_the_turn_and_wins_nothing() -> None:
    match = twenty_one_at("J", "Q", "K", "2", "3")
    match.choose(0, 1)
    assert match.pending is not None and match.pending["seat"] == 1
    match.choose(1, 0)
    assert match.results == {0: 0, 1: 1}


def test_twenty_one_nobody_wins_when_all_have_too_much() -> None:
    match = twenty_one_at("J", "Q", "K", "J", "Q", "2")
    match.choose(0, 1)
    match.choose(1, 1)
    assert match.results == {0: 0, 1: 0}


def test_twenty_one_offers_hit_and_stand_only() -> None:
    match = twenty_one_at("J", "Q")
    assert match.pending is not None and match.pending["options"] == [1, 0]
    with pytest.raises(Refused) as refused:
        match.choose(0, 2)
    assert refused.value.code == "choice_not_offered"


# --- big two

BIG_RANKS = "3456789TJQKA2"
BIG_SUITS = "dchs"


def big(text: str) -> list[int]:
    """Cards of Big Two by name: "3d" is card 1, "2s" card 52."""
    return [
        4 * BIG_RANKS.index(name[0]) + BIG_SUITS.index(name[1]) + 1
        for name in text.split()
    ]


@cache
def opened() -> Match:
    """A table of Big Two on which somebody has played, so that the three of diamonds is not asked for."""
    hands = [[card] for card in range(1, 5)]
    return arranged("big_two", "ask", hands, {"opened": 1})


def big_kind(text: str) -> str | None:
    """What some cards are in Big Two, in the order given and backwards: the answer must not depend on it."""
    cards = big(text)
    plays = [
        recognize(rule("big_two"), order, opened()) for order in (cards, cards[::-1])
    ]
    answers = {play["cardset"] if play else None for play in plays}
    assert len(answers) == 1
    return answers.pop()


def big_beats(now: str, before: str) -> bool:
    """Does one play of Big Two beat the other?"""
    plays = [recognize(rule("big_two"), big(text), opened()) for text in (now, before)]
    assert plays[0] is not None and plays[1] is not None
    return beats(rule("big_two"), plays[0], plays[1], opened())


@pytest.mark.parametrize(
    ("cards", "kind"),
    [
        ("7h", "Single"),
        ("7h 7d", "Pair"),
        ("7h 8d", None),
        ("7h 7d 7s", "Triple"),
        ("7h 7d 8s", None),
        ("7h 7d 7s 7c", None),
        ("7h 3d 6s 4c 5h", "Straight"),
        ("Th Ad Js Kc Qh", "Straight"),
        ("2h Ad 3s 5c 4h", "Straight"),
        ("2h 6d 3s 5c 4h", "Straight"),
        ("2h Ad Js Kc Qh", None),
        ("2h Ad 3s Kc 4h", None),
        ("3h 3d 4s 5c 7h", None),
        ("3h 4d 5s 6c 8h", None),
        ("3h 5h 9h Kh 2h", "Flush"),
        ("7h 7d 7s 4c 4h", "Full house"),
        ("7h 7d 7s Kc Kh", "Full house"),
        ("7h 7d 9s Kc Kh", None),
        ("7h 7d 7s 7c 3h", "Four and one"),
        ("7h 7d 7s 7c Kh", "Four and one"),
        ("9h 7h 8h Th Jh", "Straight flush"),
        ("2s As 3s 5s 4s", "Straight flush"),
        ("7h 7d 7s 4c 5h", None),
        ("3h 4h 5h 6h 7h 8h", None),
    ],
)
def test_big_two_kinds(cards: str, kind: str | None) -> None:
    assert big_kind(cards) == kind


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("2d", "As"),
        ("As", "Kd"),
        ("7s", "7h"),
        ("7c", "7d"),
        ("4d 4c", "3h 3s"),
        ("7d 7s", "7c 7h"),
        ("2d 2c 2h", "Ad Ac As"),
        ("4d 5d 6s 7d 8c", "3s 4s 5h 6h 7c"),
        ("3d 4d 5d 6s 7s", "3s 4s 5s 6d 7h"),
        ("3d 4d 5d 6s 2d", "Td Jd Qd Kd As"),
        ("3d 4d 5d As 2s", "3c 4c 5c 6d 2h"),
        ("3d 4d 5d 9d 2d", "9s Ts Js Ks As"),
        ("3s 4s 6s 9s Ks", "Th 9h 8h 5h Kh"),
        ("4d 4c 4h 3d 3c", "3s 3h 3c 2d 2s"),
        ("4d 4c 4h 4s 3c", "3s 3h 3c 3d 2s"),
        ("4d 5d 6d 7d 8d", "3s 4s 5s 6s 7s"),
        ("3d 4d 6d 7d 9d", "3s 4s 5s As 2h"),
        ("3d 3c 3h 4s 4h", "8s Ts Qs As 2s"),
        ("3d 3c 3h 3s 4h", "2s 2h 2d As Ah"),
        ("3d 4d 5d 6d 7d", "2s 2h 2d 2c As"),
        ("3d 4d 5d 6d 7d", "Ts Js Qs Ks Ad"),
    ],
)
def test_big_two_beating(higher: str, lower: str) -> None:
    assert big_beats(higher, lower)
    assert not big_beats(lower, higher)


@pytest.mark.parametrize(
    ("now", "before"),
    [("2s 2h", "3d"), ("2s", "3d 3c"), ("3d 3c 3h 3s 4h", "4d"), ("2s 2h 2d", "3d 3c")],
)
def test_big_two_numbers_of_cards_do_not_mix(now: str, before: str) -> None:
    assert not big_beats(now, before)


def test_big_two_opens_with_the_three_of_diamonds() -> None:
    game = rule("big_two")
    assert recognize(game, big("3d")) is not None
    assert recognize(game, big("3c 3d")) is not None
    assert recognize(game, big("3c 3h")) is None
    assert can_lead(game, big("3c 4d 4c 5s")) is False
    assert can_lead(game, big("4c 4d 3d")) is True


def test_big_two_everybody_passes_until_the_holder_opens() -> None:
    hands = [big("4d 5d"), big("3d 6s"), big("7d 7c"), big("8s 9s")]
    match = arranged("big_two", "ask", hands, {})
    with pytest.raises(Refused) as early:
        match.play(0, big("4d"))
    assert early.value.code == "no_cardset"
    match.skip(0)
    with pytest.raises(Refused) as late:
        match.skip(1)
    assert late.value.code == "must_lead"
    match.play(1, big("3d"))
    match.play(2, big("7d"))
    for seat in (3, 0, 1):
        match.skip(seat)
    match.play(
        2, big("7c")
    )  # all others have passed: the lead is his again, and so is the game
    assert match.results == {0: -1, 1: -1, 2: 3, 3: -1}


# --- 抢对子

花色 = "方梅红黑"
宝牌 = 19


def 牌(text: str) -> list[int]:
    """Cards by name: "1方" is card 1, "8黑" card 32."""
    return [4 * (int(name[0]) - 1) + 花色.index(name[1]) + 1 for name in text.split()]


@cache
def 红桃王() -> Match:
    """A table on which hearts are trumps."""
    return arranged("qiang_duizi", "出牌", [[1], [2], [3]], {"王牌花色": 2})


def 认(text: str) -> tuple[str, int] | None:
    """Name and weight of some cards, hearts being trumps, in the order given and backwards."""
    plays = [
        recognize(rule("qiang_duizi"), order, 红桃王())
        for order in (牌(text), 牌(text)[::-1])
    ]
    answers = {
        (play["cardset"], play["properties"]["权重"]) if play else None
        for play in plays
    }
    assert len(answers) == 1
    return answers.pop()


def 压(now: str, before: str) -> bool:
    """Does one play beat the other, hearts being trumps?"""
    plays = [
        recognize(rule("qiang_duizi"), 牌(text), 红桃王()) for text in (now, before)
    ]
    assert plays[0] is not None and plays[1] is not None
    return beats(rule("qiang_duizi"), plays[0], plays[1], 红桃王())


@pytest.mark.parametrize(
    ("cards", "kind"),
    [
        ("5红", ("单张", 1)),
        ("8方", ("单张", 1)),
        ("8红", ("单张", 2)),
        ("5方 5黑", ("对子（两张）", 2)),
        ("5方 5红", ("对子（两张）", 3)),
        ("5方 6方", None),
        ("5方 7黑 6梅", ("顺子·三连", 2)),
        ("5方 7方 6方", ("顺子·三连", 4)),
        ("5方 6方 7黑", ("顺子·三连", 2)),
        ("5方 6黑 7黑", ("顺子·三连", 2)),
        ("5方 8方 6方", None),
        ("5方 5黑 6方", None),
        ("5方 5黑 5梅", None),
        ("5方 5黑 5梅 5红", ("四喜！", 9)),
        ("5方 5黑 5梅 6红", None),
        ("5方 5黑 5梅 4红", None),
        ("5方 6方 7方 8方", None),
    ],
)
def test_抢对子_kinds(cards: str, kind: tuple[str, int] | None) -> None:
    assert 认(cards) == kind


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("8方", "7红"),
        ("7红", "7黑"),
        ("1方 1梅", "7红"),
        ("1方 1梅", "8黑"),
        ("8红", "8方 8梅"),
        ("1方 1红", "8红"),
        ("2方 2梅", "1方 1梅"),
        ("1方 1红", "8方 8梅"),
        ("2方 3方 4梅", "1方 2梅 3梅"),
        ("1方 2方 3方", "6方 7梅 8梅"),
        ("1方 2方 3方", "8红 8梅"),
        ("1方 1梅", "6方 7梅 8梅"),
        ("8方 8红", "1方 2梅 3红"),
        ("1方 2梅 3红", "8红"),
        ("1方 1梅 1红 1黑", "8红"),
        ("1方 1梅 1红 1黑", "8红 8黑"),
        ("1方 1梅 1红 1黑", "6黑 7黑 8黑"),
        ("2方 2梅 2红 2黑", "1方 1梅 1红 1黑"),
    ],
)
def test_抢对子_beating(higher: str, lower: str) -> None:
    assert 压(higher, lower)
    assert not 压(lower, higher)


@pytest.mark.parametrize(
    ("one", "other"),
    [("7方", "7黑"), ("1方 1梅", "1方 1黑"), ("1方 2梅 3红", "1梅 2红 3黑")],
)
def test_抢对子_equals_do_not_beat_each_other(one: str, other: str) -> None:
    assert not 压(one, other)
    assert not 压(other, one)


def test_抢对子_starts_with_a_high_card_for_everybody_and_a_sorted_rest() -> None:
    match = Match(rule("qiang_duizi"), 3, seed=5)
    state = match.state()
    points = [(card - 1) // 4 + 1 for card in state["deck"]]
    assert [len(hand) for hand in state["hands"]] == [7, 7, 7]
    assert all(hand[0] > 24 for hand in state["hands"])
    assert points == sorted(points, reverse=True)
    assert state["table"]["王牌花色"] == (state["deck"][0] - 1) % 4
    assert [player["class"] for player in state["players"]] == [1, 0, 0]
    assert [
        card for card, values in state["cards"].items() if values["倍 数"] == 2
    ] == [str(宝牌)]


def 散局(scores: Sequence[int]) -> dict[int, int] | None:
    """The results when these scores stand and seat 0 plays his last card, which is worth three to him.

    His seat is the banker's; the scores are those after that play.
    """
    before = [scores[0] - 3, *scores[1:]]
    players = [
        {"得分": score, "class": int(seat == 0)} for seat, score in enumerate(before)
    ]
    table = {"cur_max": max(before), "手数": 9}
    match = arranged("qiang_duizi", "出牌", [[1], [2], [3]], table, players=players)
    match.play(0, [1])
    return match.results


@pytest.mark.parametrize(
    ("scores", "results"),
    [
        ((3, 3, 3), {0: 0, 1: 0, 2: 0}),
        ((5, 3, 3), {0: 2, 1: -1, 2: -1}),
        ((3, 4, 3), {0: -1, 1: 1, 2: -1}),
        ((4, 4, 3), {0: 2, 1: 1, 2: -1}),
        ((3, 7, 7), {0: -1, 1: 1, 2: 1}),
    ],
)
def test_抢对子_highest_score_wins_and_the_banker_wins_double(
    scores: tuple[int, ...], results: dict[int, int]
) -> None:
    assert 散局(scores) == results
