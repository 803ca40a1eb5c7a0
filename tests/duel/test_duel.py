"""The duel shows what the hints of a hand-written game are worth: exact examples, whole games, and nothing left
behind.

Random clients that know nothing but their hints finish every game, in each spelling; whatever a hint implies is
applied; and near misses of replies, however odd, are refused without a trace.
"""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from dealwright.runtime.hints import (
    DIALECTS,
    Choices,
    Dialect,
    Judged,
    Reply,
    abort_reply,
    encode_reply,
)
from dealwright.runtime.hints.errors import Refusal
from tests.duel.cards import EQUIPMENT, FAN, SPEAR, Card
from tests.duel.rules import is_allowed
from tests.duel.server import LIMIT, Server, question, random_body
from tests.duel.table import CHARACTERS
from tests.hints import anyhint
from tests.support import LONG, SHARED, Json, as_bytes

GAMES = 10_000 if LONG else 45
MUTATIONS = 100_000 if LONG else 2_000
MOST_STEPS = 5_000


def play(
    server: Server,
    rng: random.Random,
    dialect: Dialect = "spec",
    most: int = MOST_STEPS,
) -> int:
    """Let random clients play until the game is over, or so many steps; how many it took."""
    for step in range(most):
        asked = server.asked()
        if not asked:
            return step
        seat = rng.choice(asked)
        body = random_body(server, seat, rng, dialect)
        assert server.send(body, dialect) == {"code": 200}, body
    return most


@pytest.mark.parametrize("dialect", DIALECTS)
def test_random_clients_finish_every_game(dialect: Dialect) -> None:
    """In `upstream` too: that is the spelling of the original's browser client."""
    for seed in range(GAMES // 3 + 1):
        rng = random.Random(f"{dialect} {seed}")
        server = Server(rng.randint(2, 4), seed)
        assert play(server, rng, dialect) < MOST_STEPS
        assert server.game.is_over()
        assert server.hint(None) == {"code": 400, "reason": "game over"}
        server.game.table.check()


def test_every_reply_that_a_hint_implies_is_applied() -> None:
    """On copies of the game, each reply in turn; of very many a sample, the last one included."""
    rng = random.Random(3)
    for seed in range(GAMES // 30):
        server = Server(3, seed)
        for _ in range(MOST_STEPS):
            if not server.asked():
                break
            for seat in server.asked():
                asked = server.desk.open[seat].question
                choices = Choices(asked)
                few = choices.sample(12, seed)
                for reply in [*few, choices.nth(choices.count - 1)]:
                    other = copy.deepcopy(server.game)
                    assert other.apply(seat, reply) is None
                    other.table.check()
            seat = rng.choice(server.asked())
            assert server.send(random_body(server, seat, rng)) == {"code": 200}


def every_reply(server: Server, seat: int) -> Iterator[Reply]:
    """Replies of every name that there is, with up to two cards of anybody and at most one player."""
    frame = server.game.frame
    assert frame is not None
    table = frame.table
    held = [
        card.id
        for player in table.players
        for card in (*player.hand, *player.equipped.values())
    ]
    choices = [*CHARACTERS, "onhand", *sorted({*EQUIPMENT.values()})]
    plain = ["card", "slash", "dodge", "peach", "discard", "show", FAN, SPEAR]
    saint = [f"martial saint:{region}" for region in ("onhand", "weapon", "-1 horse")]
    skills = ["dragon heart", "heavenly scent", "bequeathed strategy", *saint]
    action = frame.action()
    yield abort_reply(action)
    if action in ("region", "select character"):
        yield from (Reply(action, name) for name in choices)
        return
    for name in (*plain, *skills):
        for size in range(3):
            for cards in itertools.combinations(held, size):
                yield Reply(action, name, cards)
                if action == "use":
                    for target in range(len(table.players)):
                        yield Reply(action, name, cards, (target,))


def test_what_the_rules_allow_is_what_the_hint_implies() -> None:
    """M15, both ways and by brute force: hints and rules are written apart, and never disagree."""
    rng = random.Random(15)
    for seed in range(GAMES // 15):
        server = Server(2 + seed % 2, seed)
        compared = 0
        while server.asked() and compared < 25:
            for seat in server.asked():
                frame = server.game.frame
                assert frame is not None
                compared += 1
                check = server.desk.validator(seat).check_reply
                for reply in every_reply(server, seat):
                    is_offered = not isinstance(check(reply), Refusal)
                    assert is_allowed(frame, seat, reply) == is_offered, reply
            seat = rng.choice(server.asked())
            assert server.send(random_body(server, seat, rng)) == {"code": 200}


def test_near_misses_are_refused_without_a_trace() -> None:
    rng = random.Random(5)
    refused = taken = 0
    server = Server(3, 0)
    while refused < MUTATIONS:
        if not server.asked():
            server = Server(3, refused)
        seat = rng.choice(server.asked())
        dialect: Dialect = rng.choice(DIALECTS)
        good = random_body(server, seat, rng, dialect)
        before = server.state()
        choices = Choices(server.desk.open[seat].question)
        for _ in range(10):
            wrong = anyhint.near_miss(rng, good)
            copied = repr(wrong)
            judged = server.desk.judge(wrong)
            if isinstance(judged, Judged):
                # a near miss may be a good reply of another kind: then the hint implies it
                assert choices.index(judged.reply) >= 0
                taken += 1
                continue
            answer: Json = server.send(wrong)
            assert answer["code"] == 400 and answer["error"]["kind"] == judged.kind
            assert repr(wrong) == copied
            refused += 1
        assert server.state() == before
        assert server.send(good, dialect)["code"] == 200
    assert taken < refused


def test_a_game_of_nobody_but_the_clock_ends() -> None:
    """Every decision has a default: nobody ever answers, and the game still comes to its end."""
    server = Server(4, 9)
    for step in range(1, MOST_STEPS):
        if not server.asked():
            break
        server.expire(step * LIMIT)
    assert server.game.is_over()


# the examples of the protocol page


def arranged(*hands: list[str], skill: str = "", turn: int = 0) -> Server:
    """A duel at the play phase of a seat, in which everybody holds these cards; the numbers go on from hand to hand."""
    server = Server(len(hands), 1)
    game = server.game
    table = game.table
    names = [name for hand in hands for name in hand]
    suits = ("spade", "heart", "club", "diamond")
    table.cards = [
        Card(number, name, suits[number % 4]) for number, name in enumerate(names)
    ]
    table.deck, table.pile = [], []
    left = list(table.cards)
    for player, hand in zip(table.players, hands, strict=True):
        player.hand, left = left[: len(hand)], left[len(hand) :]
        player.skill = ""
    table.players[turn].skill = skill
    server.desk.withdraw()
    game._todo.clear()
    game.frame = None
    game.current = turn
    game._later(game._next)
    game._play(table.players[turn])
    server.ask()
    return server


def equip(server: Server, seat: int, number: int) -> None:
    """Put a card of a hand before its player, and say the hints anew."""
    game = server.game
    game._equip(game.table.players[seat], game.table.cards[number])
    game._play(game.table.players[game.current])
    server.desk.withdraw()
    server.ask()


def test_the_dragon_heart_is_the_example_of_the_protocol_page() -> None:
    server = arranged(["slash", "dodge"], ["shadow runner"], [], skill="dragon heart")
    equip(server, 1, 2)
    hint = server.hint(0)
    assert hint == {
        "code": 200,
        "action": "use",
        "players": [0],
        "abort": "allow",
        "card": {
            "0": {"type": "fix target", "target count": 1, "targets": [2]},
            "1": {"type": "forbid"},
        },
        "methods": {
            "dragon heart": {
                "require": ["fix card count", "fix target"],
                "cards": [1],
                "card count": 1,
                "targets": [2],
                "target count": 1,
            }
        },
    }
    body = {"token": server.tokens[0], "action": "dragon heart", "use": [1]}
    assert server.send({**body, "players": [1]})["code"] == 400
    assert server.send({**body, "players": [2]}) == {"code": 200}
    assert server.asked() == [2]


def test_a_slash_in_a_duel_is_the_example_of_the_protocol_page() -> None:
    server = arranged(["slash"] * 4 + ["dodge"], ["duel"], turn=1)
    body = {"token": server.tokens[1], "action": "card", "use": [5], "players": [0]}
    assert server.send(body) == {"code": 200}
    assert server.hint(0)["methods"] == {
        "slash": {"require": ["fix card count"], "card count": 1, "cards": [0, 1, 2, 3]}
    }
    reply = {"token": server.tokens[0], "method": "slash", "discard": [2]}
    assert server.send(reply) == {"code": 200}
    assert server.hint(1)["abort"] == "allow" and "methods" not in server.hint(1)
    assert server.send({"token": server.tokens[1], "method": "abort"}) == {"code": 200}
    assert server.game.table.players[1].vigor == 3


def test_sabotage_offers_the_regions_that_hold_anything() -> None:
    server = arranged(["sabotage", "sabotage"], ["rattan armor", "dodge"])
    equip(server, 1, 2)
    body = {"token": server.tokens[0], "action": "card", "use": [0], "targets": [1]}
    assert server.send(body) == {"code": 200}
    hint = server.hint(0)
    assert hint["regions"] == ["onhand", "armor"] and hint["abort"] == "disallow"
    assert set(server.hint(1)) == {"code", "action", "players"}
    weapon = {"token": server.tokens[0], "region": "weapon"}
    answer = server.send(weapon)
    assert answer["error"]["kind"] == "region_not_offered"
    assert server.send({**weapon, "region": "armor"}) == {"code": 200}
    assert server.game.table.players[1].equipped == {}


def test_a_weapon_given_up_does_not_reach() -> None:
    """The martial saint names where the red card comes from, since that decides who is in reach."""
    hands: list[list[str]] = [["dodge", "green dragon blade"], [], [], []]
    server = arranged(*hands, skill="martial saint")
    equip(server, 0, 1)
    methods = server.hint(0)["methods"]
    assert methods["martial saint:weapon"]["targets"] == [1, 3]
    body = {"token": server.tokens[0], "action": "martial saint:weapon", "use": [1]}
    assert server.send({**body, "players": [2]})["error"]["kind"] == (
        "target_not_offered"
    )
    assert server.send({**body, "players": [3]}) == {"code": 200}


# the shapes of the golden cases

Shape = tuple[Any, ...]


def shape_of(hint: Json) -> Shape:
    """A hint without its numbers and names: kind, abort, and the sorts of requirement that stand together."""
    faces = {tuple(entry["require"]) for entry in hint.get("card", {}).values()}
    methods = [tuple(entry["require"]) for entry in hint.get("methods", {}).values()]
    return (
        hint["action"],
        hint.get("abort"),
        tuple(sorted(faces)),
        tuple(sorted(methods)),
        "candidates" in hint,
        "regions" in hint,
    )


def test_the_duel_has_the_shapes_of_the_golden_cases() -> None:
    path = SHARED / "hints" / "golden.json"
    if not path.is_file():
        pytest.skip("no golden cases are at hand")
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    wanted = {shape_of(case["hint"]): case["id"] for case in cases if "hint" in case}
    for seed in range(400):
        rng = random.Random(seed)
        server = Server(4, seed)
        for _ in range(MOST_STEPS):
            if not server.asked() or not wanted:
                break
            for seat in (*server.asked(), None):
                wanted.pop(shape_of(server.hint(seat, "upstream")), None)
            seat = rng.choice(server.asked())
            server.send(random_body(server, seat, rng))
        if not wanted:
            break
    assert wanted == {}


# privacy


def test_another_hand_changes_no_other_view() -> None:
    """M17 in a whole game: seats that are not asked see the same bytes, whatever the one who is asked holds."""
    for seed in range(500 if LONG else 5):
        rng = random.Random(seed)
        server = Server(3, seed)
        for _ in range(100):
            asked = server.asked()
            if len(asked) == 1:
                check_views(server, asked[0], rng)
            if not asked:
                break
            seat = rng.choice(asked)
            server.send(random_body(server, seat, rng))


def check_views(server: Server, seat: int, rng: random.Random) -> None:
    """Deal the cards that nobody else sees anew, and look at all other views; then at the view of the one asked."""
    others = [other for other in range(3) if other != seat]
    before = [as_bytes(server.hint(other)) for other in (*others, None)]
    changed = copy.deepcopy(server)
    swap_hidden(changed, [seat], rng)
    if reask(changed):
        after = [as_bytes(changed.hint(other)) for other in (*others, None)]
        assert after == before
    changed = copy.deepcopy(server)
    swap_hidden(changed, others, rng)
    assert reask(changed)
    assert as_bytes(changed.hint(seat)) == as_bytes(server.hint(seat))


def swap_hidden(server: Server, seats: list[int], rng: random.Random) -> None:
    """Other cards in these hands, as many as before, from the deck."""
    table = server.game.table
    for seat in seats:
        player = table.players[seat]
        size = len(player.hand)
        table.deck += player.hand
        rng.shuffle(table.deck)
        player.hand = [table.deck.pop() for _ in range(size)]


def reask(server: Server) -> bool:
    """Say the pending question anew; whether it is about a hand, and not about cards that were swapped away."""
    frame = server.game.frame
    assert frame is not None
    server.desk.withdraw()
    left = getattr(frame, "left", [])
    if not set(left) <= set(frame.player.hand):
        return False
    server.ask()
    return True


def test_replies_may_be_written_with_numbers_of_hints() -> None:
    """In `extended` a late reply is told apart from a reply to the question that follows."""
    server = Server(2, 4)
    rng = random.Random(4)
    old: list[Json] = []
    for _ in range(60):
        if not server.asked():
            break
        seat = rng.choice(server.asked())
        body = random_body(server, seat, rng, "extended")
        for late in old:
            if late["token"] == body["token"]:
                answer = server.send(late)
                assert answer["code"] == 200 or answer["error"]["kind"] == "stale_hint"
        state = server.state()
        assert server.state() == state
        assert server.send(body) == {"code": 200}
        after = server.state()
        assert server.send(body) == {"code": 200}, "a retry is answered again"
        assert server.state() == after, "and has no effect"
        old.append(body)


def test_a_reply_encodes_the_same_from_the_hint_of_any_dialect() -> None:
    server = arranged(["slash", "duel"], ["dodge"])
    for dialect in DIALECTS:
        seen = question(server, 0, dialect)
        bodies = [encode_reply(reply) for reply in Choices(seen.question)]
        assert bodies == [
            {"method": "abort"},
            {"action": "card", "use": [0], "players": [1]},
            {"action": "card", "use": [1], "players": [1]},
        ]
