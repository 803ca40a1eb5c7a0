"""The shipped rules are real games: they play to the end, lose no card, and pay what their descriptions say.

Every rule in `rules/` is played here on the interpreter with random legal actions. After each action the cards are
counted and the sizes of the hands compared; at the end the results are worked out again in plain Python from what was
done, so that a slip in a rule's flows shows. What single hands and plays mean is in `test_rules_meaning.py`.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from dealwright.compiler.front import read_rule
from dealwright.compiler.interpreter.interpret import (
    Match,
    Refused,
    Rule,
)

RULES = Path(__file__).resolve().parent.parent / "rules"
NAMES = ("tiny", "war", "twenty_one", "big_two", "qiang_duizi")
COMPONENTS = {1, 2, *range(4, 23), *range(23, 31)}

Action = tuple[
    int, str, Any
]  # seat, "play" | "skip" | "choose", the cards or the value


# --- playing at random


@cache
def document(name: str) -> Mapping[str, Any]:
    """The JSON of a shipped rule, by the name of its file."""
    loaded: Mapping[str, Any] = json.loads(
        (RULES / f"{name}.json").read_text(encoding="utf-8")
    )
    return loaded


@cache
def rule(name: str) -> Rule:
    """A shipped rule, indexed once for the whole run."""
    return Rule(document(name))


def candidates(
    deck: Sequence[Mapping[str, int]], hand: Sequence[int], rng: random.Random
) -> Iterator[list[int]]:
    """Cards worth trying from a hand: the first two properties of a card are its rank and its suit in all our rules.

    Five-card hands are too many to try them all, so a few likely ones are drawn: of one suit, of ranks in a row, of two
    ranks. The lowest card comes with the likely ones, for the opening of Big Two.
    """
    if not hand:
        return
    rank, suit = list(deck[0])[:2] if len(deck[0]) > 1 else [next(iter(deck[0]))] * 2
    few = [list(group) for size in (1, 2) for group in combinations(hand, size)]
    for value in sorted({deck[card - 1][suit] for card in hand}):
        same = [card for card in hand if deck[card - 1][suit] == value]
        few += [rng.sample(same, size) for size in (3, 5) if len(same) >= size]
    by_rank: dict[int, list[int]] = {}
    for card in hand:
        by_rank.setdefault(deck[card - 1][rank], []).append(card)
    for size in (3, 5):
        ranks = sorted(by_rank)
        few += [
            [rng.choice(by_rank[one]) for one in ranks[at : at + size]]
            for at in range(len(ranks) - size + 1)
        ]
    for cards in by_rank.values():
        few += [cards[:size] for size in (3, 4) if len(cards) >= size]
        rest = [card for card in hand if card not in cards]
        few += [cards[:4] + rest[:1]] if len(cards) == 4 and rest else []
        few += [
            cards[:3] + pair[:2]
            for pair in by_rank.values()
            if len(cards) >= 3 and len(pair) >= 2 and pair is not cards
        ]
    for cards in rng.sample(few, len(few)):
        rng.shuffle(cards)
        yield cards


def act(
    match: Match, deck: Sequence[Mapping[str, int]], rng: random.Random, skips: float
) -> Action:
    """Do one random legal action: a choice, or the first cards that the rule accepts, or a skip when none are."""
    pending = match.pending
    assert pending is not None
    seat: int = pending["seat"]
    if pending["kind"] == "choose":
        value = rng.choice(pending["options"])
        match.choose(seat, value)
        return seat, "choose", value
    if rng.random() < skips and skipped(match, seat):
        return seat, "skip", []
    for cards in candidates(deck, match.state()["hands"][seat], rng):
        try:
            match.play(seat, cards)
        except Refused as error:
            assert error.code in ("no_cardset", "not_beating"), error.code
            continue
        return seat, "play", cards
    match.skip(seat)
    return seat, "skip", []


def skipped(match: Match, seat: int) -> bool:
    """Skip if the rule allows it; a leader must play, and nothing else may be wrong."""
    try:
        match.skip(seat)
    except Refused as error:
        assert error.code == "must_lead", error.code
        return False
    return True


def check_cards(state: Mapping[str, Any], size: int) -> None:
    """Every card is in exactly one place, and 手牌数 follows the hands."""
    held = [card for hand in state["hands"] for card in hand]
    assert sorted(held + state["deck"] + state["discard"]) == list(range(1, size + 1))
    assert [player["手牌数"] for player in state["players"]] == [
        len(hand) for hand in state["hands"]
    ]


def play_out(
    name: str, seats: int, seed: int, bound: int, skips: float = 0.2
) -> tuple[Match, list[int], list[Action]]:
    """Play one match to its end.

    Args:
        name: the rule's file name without its suffix.
        seats: how many players take part.
        seed: of the match and of the random actions.
        bound: how many actions the game can take at the very most.
        skips: how often a skip is preferred.

    Returns:
        The finished match, the deck as it was at the first wait, and what was done.
    """
    game, rng = rule(name), random.Random(f"{name} {seats} {seed}")
    match = Match(game, seats, seed=seed)
    deck: list[int] = list(match.state()["deck"])
    actions: list[Action] = []
    check_cards(match.state(), len(game.deck))
    while not match.finished:
        assert len(actions) < bound, "the game does not end"
        actions.append(act(match, game.deck, rng, skips))
        check_cards(match.state(), len(game.deck))
    assert match.pending is None
    assert match.results is not None and sorted(match.results) == list(range(seats))
    return match, deck, actions


def results(match: Match) -> dict[int, int]:
    """The results of a finished match."""
    assert match.results is not None
    return dict(match.results)


# --- the set of rules


def flows(node: Any) -> Iterator[Mapping[str, Any]]:
    """All nodes of all flows below a piece of a rule: whatever has a number as its type."""
    if isinstance(node, dict):
        if isinstance(node.get("type"), int):
            yield node
        for child in node.values():
            yield from flows(child)


def test_the_folder_holds_these_rules_and_no_other() -> None:
    assert sorted(path.stem for path in RULES.glob("*.json")) == sorted(NAMES)


def test_together_they_use_every_component_and_every_operator() -> None:
    nodes = [node for name in NAMES for node in flows(document(name))]
    assert {node["type"] for node in nodes} == COMPONENTS
    used = {
        (node["type"], node["content"]["operator"])
        for node in nodes
        if "operator" in node["content"]
    }
    sizes = {6: 3, 10: 5, 11: 2, 12: 2, 14: 5}
    assert used == {
        (kind, operator) for kind, size in sizes.items() for operator in range(size)
    }


@pytest.mark.parametrize("name", NAMES)
def test_the_compiler_finds_nothing_to_say(name: str) -> None:
    checked, reporter = read_rule(RULES / f"{name}.json", f"rules/{name}.json")
    assert checked is not None
    assert list(reporter.diagnostics()) == []


@pytest.mark.parametrize("name", NAMES)
def test_files_are_written_the_same_way(name: str) -> None:
    text = (RULES / f"{name}.json").read_text(encoding="utf-8")
    assert text.endswith("}\n") and "\t" not in text and "\\u" not in text
    assert list(document(name)) == ["meta", "design"]
    assert document(name)["meta"]["name"] and document(name)["meta"]["description"]
    assert all((len(line) - len(line.lstrip())) % 2 == 0 for line in text.splitlines())


# --- tiny


def test_tiny_ends_after_the_one_play() -> None:
    match, _, actions = play_out("tiny", 2, seed=0, bound=1, skips=1.0)
    assert actions == [(0, "play", [1])]
    assert match.results == {0: 1, 1: 0}
    assert match.state()["hands"] == [[], [2]] and match.state()["discard"] == [1]


# --- war


def shown(action: Action) -> int:
    """The rank shown in War: card 1 is the 2 of diamonds, card 52 the ace of spades; 0 for no card."""
    return (action[2][0] - 1) // 4 + 2 if action[1] == "play" else 0


@pytest.mark.parametrize("seed", range(12))
def test_war_counts_rounds_and_the_winner_leads(seed: int) -> None:
    match, _, actions = play_out("war", 2, seed, bound=20)
    wins, leader = [0, 0], 0
    for first, second in zip(actions[::2], actions[1::2], strict=True):
        assert (first[0], second[0]) == (leader, 1 - leader)
        if shown(first) != shown(second):
            leader = leader if shown(first) > shown(second) else 1 - leader
            wins[leader] += 1
    sign = (wins[0] > wins[1]) - (wins[0] < wins[1])
    assert len(actions) == 20
    assert [player["round_wins"] for player in match.state()["players"]] == wins
    assert match.results == {0: sign, 1: -sign}


# --- twenty-one


def twenty_one_total(cards: Sequence[int]) -> int:
    """What cards are worth: card 1 is the ace of diamonds, cards 41 and up count ten, one ace may count eleven."""
    worth = [min((card - 1) // 4 + 1, 10) for card in cards]
    hard = sum(worth)
    return hard + 10 if 1 in worth and hard <= 11 else hard


def twenty_one_again(
    deck: Sequence[int], seats: int, actions: Sequence[Action]
) -> tuple[list[int], list[Action]]:
    """Play the turns once more in plain Python: the totals, and the actions that were not used up."""
    left, piles, at = list(actions), [], 0
    for seat in range(seats):
        mine, at = list(deck[at : at + 2]), at + 2
        while True:
            who, _, choice = left.pop(0)
            assert who == seat
            if choice == 0:
                break
            mine, at = mine + list(deck[at : at + 1]), at + 1
            if twenty_one_total(mine) >= 21 or at >= len(deck):
                break
        piles.append(mine)
    return [twenty_one_total(mine) for mine in piles], left


@pytest.mark.parametrize("seats", [2, 3, 5, 30])
@pytest.mark.parametrize("seed", range(3))
def test_twenty_one_adds_up_what_was_turned(seats: int, seed: int) -> None:
    match, deck, actions = play_out("twenty_one", seats, seed, bound=52 + seats)
    totals, left = twenty_one_again(deck, seats, actions)
    best = max((total for total in totals if total <= 21), default=None)
    assert left == []
    assert match.results == {
        seat: int(total == best) for seat, total in enumerate(totals)
    }
    assert match.state()["deck"] == deck


# --- big two


@pytest.mark.parametrize("seed", (0, 2))
def test_big_two_is_won_by_the_first_who_is_out(seed: int) -> None:
    match, _, actions = play_out("big_two", 4, seed, bound=52 * 4 + 3)
    hands = match.state()["hands"]
    plays = [action for action in actions if action[1] == "play"]
    assert [seat for seat, _, _ in actions] == [at % 4 for at in range(len(actions))]
    assert 1 in plays[0][2]
    assert [seat for seat, hand in enumerate(hands) if not hand] == [plays[-1][0]]
    assert match.results == {seat: -1 if hand else 3 for seat, hand in enumerate(hands)}


# --- 抢对子

宝牌 = 19


def score_again(actions: Sequence[Action], hands: Sequence[Sequence[int]]) -> list[int]:
    """The scores of 抢对子 worked out in plain Python from what was chosen and played."""
    stake, plays, scores = actions[0][2], 0, [0, 0, 0]
    for seat, what, cards in actions[1:]:
        if what == "skip":
            continue
        if len(cards) == 2:
            scores[seat] += stake * 2 * (2 if plays < 3 or 宝牌 in cards else 1)
        plays += 1
        if not hands[seat] and (seat, what, cards) == actions[-1]:
            scores[seat] += 3 * stake
    return scores


@pytest.mark.parametrize("seed", range(12))
def test_抢对子_scores_pairs_and_the_first_who_is_out(seed: int) -> None:
    match, _, actions = play_out("qiang_duizi", 3, seed, bound=1 + 21 * 3)
    scores = score_again(actions, match.state()["hands"])
    best = max(scores)
    prizes = (
        [0, 0, 0]
        if scores == [best] * 3
        else [
            (2 if seat == 0 else 1) if score == best else -1
            for seat, score in enumerate(scores)
        ]
    )
    assert [seat for seat, _, _ in actions] == [0] + [
        at % 3 for at in range(len(actions) - 1)
    ]
    assert [player["得分"] for player in match.state()["players"]] == scores
    assert results(match) == dict(enumerate(prizes))
    assert (
        Counter(
            seat for seat, hand in enumerate(match.state()["hands"]) if not hand
        ).total()
        == 1
    )
