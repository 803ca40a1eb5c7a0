"""Why a compiled match does not offer something (hints.md, B10): true, for the owner's eyes, and only if he asks.

The reasons are held to what the match's own package says of every subset of a hand in small games.
"""

from __future__ import annotations

import json
import random
from itertools import combinations
from typing import Any

import pytest

from dealwright.runtime.hints import DIALECTS, Choices, encode_reply
from dealwright.runtime.hints.questions import method_name
from dealwright.runtime.hints.reasons import MUST_PLAY, reason
from tests.hints_match.small_rules import asked, legal_plays, small_package
from tests.support import LONG, RULES, Json, Match, package_of

BIG_TWO = RULES / "big_two.json"
MAKES_NONE = "no cards of your hand make it"
BEATEN = "you can make it, but none that beats what was played"


def why(match: Match, token: str) -> Json:
    """The reasons why methods are not offered, by name."""
    hint: Json = match.hint(token, "extended", is_explained=True)
    return hint["meta"]["why"]["methods"]


def big_two(seed: int = 5) -> tuple[Match, tuple[str, ...]]:
    match = package_of(BIG_TWO).new_match(list("abcd"), seed=seed)
    return match, match.tokens


def test_b10_every_cardset_is_offered_or_has_a_reason() -> None:
    match, tokens = big_two()
    first = why(match, tokens[0])
    assert first == {
        "Straight flush": MAKES_NONE,
        "Four and one": MAKES_NONE,
        "Flush": MAKES_NONE,
        "Straight": MAKES_NONE,
        "abort": MUST_PLAY,
    }
    match.reply(tokens[0], {"method": "Single", "discard": [1]})
    offered = match.hint(tokens[1])["methods"]
    second = why(match, tokens[1])
    assert offered.keys().isdisjoint(second)
    names = {name for name, *_ in package_of(BIG_TWO).PACKAGE.cardsets.values()}
    assert offered.keys() | second.keys() == names
    assert second["Straight"] == BEATEN
    assert second["Triple"] == MAKES_NONE


def test_b10_a_refusal_of_what_is_not_offered_says_why_if_it_is_asked() -> None:
    match, tokens = big_two()
    straight: Json = {"method": "Straight", "discard": [1]}
    abort: Json = {"method": "abort"}
    for body, text in ((straight, MAKES_NONE), (abort, MUST_PLAY)):
        plain = match.reply(tokens[0], body, dialect="extended")
        assert "why" not in json.dumps(plain)
        told = match.reply(tokens[0], body, dialect="extended", is_explained=True)
        assert told["error"]["values"]["why"] == text
        assert told["error"]["hint"]["meta"]["why"]["methods"] == why(match, tokens[0])
        del told["error"]["values"]["why"]
        del told["error"]["hint"]["meta"]["why"]
        assert told == plain
    for token in (tokens[1], "a stranger"):
        told = match.reply(token, straight, dialect="extended", is_explained=True)
        assert told["error"]["kind"] == "player_forbidden"
        assert "why" not in json.dumps(told)
    unknown = {"method": "Quintuple", "discard": [1]}
    told = match.reply(tokens[0], unknown, is_explained=True)
    assert told["error"]["kind"] == "unknown_method"
    assert "why" not in told["error"]["values"]


def test_b10_reasons_are_for_the_owner_and_only_if_he_asks() -> None:
    match, tokens = big_two()
    for dialect in DIALECTS:
        assert "why" not in json.dumps(match.hint(tokens[0], dialect))
        for token in (tokens[1], "a stranger", None):
            told = match.hint(token, dialect, is_explained=True)
            assert told.keys() == {"code", "action", "players"}
    assert "meta" not in match.hint(tokens[0], "spec", is_explained=True)
    state = match.to_json()
    loaded = package_of(BIG_TWO).match_from_json(state)
    assert why(loaded, tokens[0]) == why(match, tokens[0])


def test_b10_reasons_are_true_on_small_games() -> None:
    seen: dict[str, int] = {}
    for seed in range(200 if LONG else 12):
        package = small_package(seed, has_order=False)
        match = package.new_match([0, 1], seed=seed)
        tokens, rng = match.tokens, random.Random(seed)
        for _ in range(12):
            if match.finished:
                break
            for text in checked(package, match, tokens[match.pending.seat]):
                kind = "it takes" if text.startswith("it takes") else text
                seen[kind] = seen.get(kind, 0) + 1
            choices = Choices(asked(match, tokens[match.pending.seat]).question)
            body = encode_reply(choices.draw(rng))
            if match.reply(tokens[match.pending.seat], body)["code"] != 200:
                break
    assert seen.keys() == {MAKES_NONE, BEATEN, MUST_PLAY, "it takes"}
    assert min(seen.values()) > 3, seen


def checked(package: Any, match: Match, token: str) -> list[str]:
    """The reasons at this wait, each held to what the package says of every subset of the hand."""
    cardsets = package.PACKAGE.cardsets
    names = [name for name, *_ in cardsets.values()]
    reasons = why(match, token)
    hand = list(match._game.hands[match.pending.seat])
    made = {
        play.cardset
        for size in range(1, len(hand) + 1)
        for cards in combinations(hand, size)
        if (play := package.recognize(list(cards), match)) is not None
    }
    legal = {name for name, _ in legal_plays(package, match.to_json(), False)}
    for name, _, lengths in cardsets.values():
        text = reasons.get(method_name(name, names))
        if name in legal:
            assert text is None
        elif name in made:
            assert text == BEATEN
        elif lengths is not None and min(lengths) > len(hand):
            assert text is not None
            assert text.endswith(f"and you hold {len(hand)}")
        else:
            assert text == MAKES_NONE
    may_skip = match.hint(token)["abort"] == "allow"
    assert ("abort" in reasons) != may_skip
    return list(reasons.values())


@pytest.mark.parametrize(
    ("held", "lengths", "is_beaten", "text"),
    [
        (0, (1,), False, "your hand is empty"),
        (3, (5,), False, "it takes 5 cards, and you hold 3"),
        (1, (2, 4), False, "it takes 2 or 4 cards, and you hold 1"),
        (1, (2, 3, 5), False, "it takes 2, 3 or 5 cards, and you hold 1"),
        (1, range(2, 30), False, "it takes at least 2 cards, and you hold 1"),
        (5, (5,), False, MAKES_NONE),
        (5, None, False, MAKES_NONE),
        (5, (5,), True, BEATEN),
        (5, (), False, "the rule never takes any cards for it"),
        (5, (0,), False, "the rule never takes any cards for it"),
    ],
)
def test_reason(held: int, lengths: Any, is_beaten: bool, text: str) -> None:
    assert reason(held, lengths, is_beaten) == text
