"""Questions, JSON and near misses, made at random: what the tests of hints throw at the validator.

Everything comes from a `random.Random` that the test seeds, so a failure can be had again.
"""

from __future__ import annotations

import copy
import random
from typing import Any

from dealwright.runtime.hints import (
    CardEntry,
    CardNeed,
    Hint,
    HintError,
    Method,
    Question,
    TargetNeed,
    aim,
    confirm,
    discard,
    fix_cards,
    fix_targets,
    forbid,
    implicit,
    method,
    min_cards,
    select_character,
    select_region,
    use,
)
from tests.support import Json

NAMES = ("slash", "dodge", "dragon heart", "martial saint:weapon", "龙胆", "1", "use")
PEOPLE = ("Guo Jia", "Pang De", "Ma Chao SP", "abort", "card", "")[:5]
REGIONS = ("onhand", "weapon", "armor", "-1 horse", "+1 horse", "judge")


def cards_of(rng: random.Random, most: int = 6) -> list[int]:
    """Some different card numbers, in any order."""
    return rng.sample(range(30), rng.randint(0, most))


def need(rng: random.Random) -> CardNeed:
    """A requirement of cards, hopeless ones among them."""
    cards, count = cards_of(rng), rng.randint(1, 3)
    if rng.random() < 0.6:
        return fix_cards(count, cards)
    most = rng.choice([None, count, count + 1])
    return min_cards(count, cards, most)


def targets(rng: random.Random) -> TargetNeed:
    """A requirement of targets, hopeless ones among them."""
    return fix_targets(rng.randint(1, 2), rng.sample(range(5), rng.randint(0, 4)))


def entry(rng: random.Random, card: int) -> CardEntry:
    """What a card's face can do."""
    kind = rng.randrange(3)
    if kind == 0:
        return forbid(card)
    if kind == 1:
        return implicit(card)
    return aim(card, rng.sample(range(5), rng.randint(0, 4)), rng.randint(1, 2))


def methods(rng: random.Random, has_targets: bool) -> list[Method]:
    """Some methods of all sorts."""
    found: list[Method] = []
    for name in rng.sample(NAMES, rng.randint(0, 3)):
        kind = rng.randrange(6)
        if kind == 0:
            found.append(confirm(name))
        elif kind == 1 and has_targets:
            found.append(method(name, None, targets(rng)))
        elif kind == 2 and has_targets:
            found.append(method(name, need(rng), targets(rng)))
        elif kind == 3:
            found.append(method(name, need(rng), is_implicit=True))
        else:
            found.append(method(name, need(rng)))
    return found


def question(rng: random.Random) -> Question:
    """A question of any kind that can be answered."""
    while True:
        may_abort = rng.random() < 0.5
        try:
            match rng.randrange(5):
                case 0:
                    names = rng.sample(PEOPLE, rng.randint(1, 4))
                    return select_character(names, may_abort)
                case 1:
                    return select_region(rng.sample(REGIONS, 3), may_abort)
                case 2:
                    return discard(methods(rng, False), may_abort)
                case _:
                    listed = [entry(rng, card) for card in cards_of(rng)]
                    hand = None if rng.random() < 0.2 else listed
                    return use(hand, methods(rng, True), may_abort)
        except HintError as error:
            assert error.code == "unanswerable", error


def hint(asked: Question, seat: int = 0) -> Hint:
    """A hint that asks one seat."""
    return Hint((seat,), asked, 1)


# --- JSON of any kind

WORDS = (
    *("token", "meta", "method", "action", "discard", "use", "players", "targets"),
    *("select", "region", "abort", "card", "select character", "", "\ud800", *NAMES),
)


def value(rng: random.Random, depth: int = 3) -> Json:
    """Any JSON value."""
    kind = rng.randrange(9 if depth else 7)
    match kind:
        case 0:
            return None
        case 1:
            return rng.random() < 0.5
        case 2:
            return rng.randint(-3, 30)
        case 3:
            return rng.choice([1.0, 4.0, -0.0, 1e300, float("inf"), float("nan"), 2.5])
        case 4:
            return rng.choice([10**30, -(10**30), 2**63])
        case 5 | 6:
            return rng.choice(WORDS)
        case 7:
            return [value(rng, depth - 1) for _ in range(rng.randrange(4))]
        case _:
            return {
                rng.choice(WORDS): value(rng, depth - 1)
                for _ in range(rng.randrange(5))
            }


def near_miss(rng: random.Random, body: dict[str, Any]) -> Json:
    """A good reply with something changed: a key lost, renamed or added, an id swapped, doubled or retyped."""
    changed: dict[str, Any] = copy.deepcopy(body)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        keys = list(changed)
        key = rng.choice(keys) if keys else "method"
        match rng.randrange(8):
            case 0:
                changed.pop(key, None)
            case 1:
                changed[rng.choice(WORDS)] = changed.get(key)
            case 2:
                changed[rng.choice(WORDS)] = value(rng, 2)
            case 3:
                changed[key] = value(rng, 2)
            case _:
                lists = [name for name in keys if isinstance(changed.get(name), list)]
                if lists:
                    changed[rng.choice(lists)] = _other_list(
                        rng, changed[rng.choice(lists)]
                    )
    return changed


def _other_list(rng: random.Random, ids: list[Any]) -> Json:
    """A list of ids that is a little wrong."""
    other = list(ids)
    match rng.randrange(7):
        case 0:
            other.append(rng.choice(other) if other else 0)
        case 1:
            other.append(rng.randint(-1, 30))
        case 2:
            del other[-1:]
        case 3 if other:
            place = rng.randrange(len(other))
            odd = [str(other[place]), float(99), True, None, [other[place]], -1, 99]
            other[place] = rng.choice(odd)
        case 4 if other and type(other[0]) is int:
            other[0] = float(other[0]) if rng.random() < 0.5 else bool(other[0])
        case 5:
            rng.shuffle(other)
        case _:
            return rng.choice([other[:1], {}, "7", 7, None, [other]])
    return other
