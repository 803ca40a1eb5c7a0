"""A match from start to end: dealing, acting, every refusal in the contract's order, settling, replaying."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import plain
import pytest
import toy
import toy.match
from runtime_helpers import ToyMatch, at_play, everything, objects, random_moves
from toy.classes import Toy

from dealwright.runtime import (
    SETTLE,
    AwaitPlay,
    MatchError,
    Next,
    Rejected,
)


def refused(match: ToyMatch, code: str, action: Callable[[], object]) -> Rejected:
    """`action` is refused with `code` and leaves no trace at all."""
    before = everything(match)
    same = objects(match)
    with pytest.raises(Rejected) as caught:
        action()
    assert caught.value.code == code
    assert caught.value.rule == "玩具"
    assert everything(match) == before
    assert objects(match) == same
    return caught.value


def test_start_runs_to_the_first_wait() -> None:
    match = toy.new_match(["ann", 7, "bo"], seed=7)
    assert match.pending is not None
    assert match.pending._asdict() == {
        "node": "6",
        "seat": 0,
        "kind": "choose",
        "timer": 15,
        "options": (0, 1, 2, 7, 55, 70, 71, 90, 91, 92, 93, 94, 95, 96, 97, 99),
    }
    assert [len(hand) for hand in match.hands] == [4, 4, 4]
    assert [player.手牌数 for player in match.players] == [4, 4, 4]
    assert len(match.deck) == 12
    assert all(1 <= hand[-1].点数 <= 4 for hand in match.hands)
    assert (match.finished, match.results, match.aborted) == (False, None, None)
    assert (match.ids, match.seed) == (("ann", 7, "bo"), 7)


def test_a_deal_gives_in_turn_and_the_filter_takes_the_first_that_match() -> None:
    deck = [card.id for card in toy.new_match(["a"], seed=3)._game.cards]
    assert deck == list(range(1, 25))
    match = toy.arrange(
        hands=[[], []], deck=[24, 1, 23, 2, 22, 3, *range(4, 22)], wait="14"
    )
    game = match._game
    game.deal(1, lambda card: card.点数 == 1)
    assert [[card.id for card in hand] for hand in match.hands] == [[1], [2]]
    assert [card.id for card in match.deck[:4]] == [24, 23, 22, 3]
    game.deal(2)
    assert [[card.id for card in hand] for hand in match.hands] == [
        [1, 24, 22],
        [2, 23, 3],
    ]
    game.deal(-4)
    assert [player.手牌数 for player in match.players] == [3, 3]


def test_the_same_seed_gives_the_same_match_and_none_a_fresh_one() -> None:
    first, second = (toy.new_match([0, 1], seed=-5).to_json() for _ in range(2))
    assert first == second
    assert first["generator"] != toy.new_match([0, 1], seed=6).to_json()["generator"]
    seeds = {toy.new_match([0, 1]).seed for _ in range(20)}
    assert len(seeds) == 20
    again = toy.new_match([0, 1])
    assert toy.new_match([0, 1], seed=again.seed).to_json() == again.to_json()


@pytest.mark.parametrize(
    "ids",
    [[], ["a", "a"], [1, True], [1.0], [None], [["a"]], "ab", 7, {"a": 1}.values],
)
def test_bad_players(ids: object) -> None:
    with pytest.raises(MatchError) as caught:
        toy.new_match(ids)  # type: ignore[arg-type]
    assert caught.value.code == "bad_players"


def test_a_rule_may_fix_the_number_of_players() -> None:
    for count in (1, 3):
        with pytest.raises(MatchError) as caught:
            plain.new_match(list(range(count)))
        assert caught.value.code == "bad_players"
    assert plain.new_match([1, "1"], seed=1).ids == (1, "1")


@pytest.mark.parametrize("seed", [True, 1.5, "7", b""])
def test_bad_seed(seed: object) -> None:
    with pytest.raises(MatchError) as caught:
        toy.new_match(["a"], seed=seed)  # type: ignore[arg-type]
    assert caught.value.code == "bad_seed"


def test_a_start_that_fails_makes_no_match() -> None:
    with pytest.raises(MatchError) as caught:
        toy.new_match(list(range(9)), seed=1)
    error = caught.value
    assert (error.code, error.flow, error.node) == ("deck_exhausted", "match_flow", "3")


def test_refusals_before_the_flow_in_order() -> None:
    match = at_play([[1, 2, 4, 19], [3, 5, 7]])
    strangers: list[Any] = [1, "0", "nobody", None, True, False, 0.0, [], {}]
    for stranger in strangers:
        error = refused(
            match,
            "not_your_turn",
            lambda: match.choose(stranger, 1),  # noqa: B023
        )
        assert (error.flow, error.node) == ("match_flow", "14")
    refused(match, "wrong_action", lambda: match.choose(0, 1))
    odd: list[object] = [
        [3], [1, 1, 3], [0], [-1], [99], ["card_3"], ["card_01"], ["card_"], ["1"],
        [True], [1.0], [None], [[1]], "card_1", 1, None, [10**40], ["card_" + "9" * 99],
        [plain.PACKAGE.cards[0]],
    ]  # fmt: skip
    for cards in odd:
        refused(match, "card_not_in_hand", lambda: match.play(0, cards))  # type: ignore[arg-type]  # noqa: B023
    refused(match, "duplicate_card", lambda: match.play(0, [1, "card_1"]))
    refused(match, "duplicate_card", lambda: match.play(0, [1, 4, match.hands[0][0]]))
    refused(match, "no_cardset", lambda: match.play(0, [1, 4]))
    refused(match, "no_cardset", lambda: match.play(0, [19]))
    refused(match, "must_lead", lambda: match.skip(0))
    refused(match, "must_lead", lambda: match.play(0, []))
    match.play(0, [4])
    refused(match, "not_beating", lambda: match.play(1, [3]))
    refused(match, "not_your_turn", lambda: match.play(0, [1]))
    match.play(1, ["card_7"])
    refused(match, "not_beating", lambda: match.play(0, [1]))
    match.play(0, [match.hands[0][0], 2])
    assert match.previous is not None
    assert (match.previous[0], match.previous[1].cardset) == (0, "Pair")
    assert [card.id for card in match.discard] == [4, 7, 1, 2]
    assert [card.id for card in match.latest] == [1, 2]


def test_refusals_of_a_choice() -> None:
    match = toy.new_match(["a", "b"], seed=1)
    refused(match, "not_your_turn", lambda: match.play("b", [1]))
    refused(match, "wrong_action", lambda: match.play("a", [1]))
    refused(match, "wrong_action", lambda: match.skip("a"))
    for value in (3, -1, True, "1", 1.0, None, 10**50, [1]):
        refused(match, "choice_not_offered", lambda: match.choose("a", value))  # type: ignore[arg-type]  # noqa: B023
    match.choose("a", 2)
    assert match.table.trump == match.table.用户做出的选择 == 2


def test_nothing_pending_comes_first() -> None:
    match = toy.new_match(["a", "b"], seed=1)
    match.choose("a", 70)
    assert match.finished
    for action in (
        lambda: match.play("b", [1]),
        lambda: match.skip("nobody"),
        lambda: match.choose("a", 1),
        lambda: match.abort("late"),
    ):
        error = refused(match, "nothing_pending", action)
        assert (error.flow, error.node) == (None, None)


@pytest.mark.parametrize(
    ("choice", "code", "flow", "node"),
    [
        (90, "endless_flow", "match_flow", "29"),
        (91, "deck_exhausted", "match_flow", "31"),
        (92, "endless_flow", "match_flow", None),
        (93, "rule_error", "match_flow", "34"),
        (94, "rule_error", "match_flow", "36"),
        (95, "endless_flow", "end_flow", None),
        (96, "rule_error", "end_flow", "7"),
        (97, "rule_error", "end_flow", "7"),
        (99, "rule_error", "结算分", "3"),
    ],
)
def test_a_flow_that_fails_is_undone_and_says_where(
    choice: int, code: str, flow: str, node: str | None
) -> None:
    match = toy.new_match(["a", "b", "c"], seed=11)
    match.take_events(1)
    error = refused(match, code, lambda: match.choose("a", choice))
    assert error.flow == flow
    # where an endless flow stops is not specified, but it is in the cycle
    assert error.node == node or (node is None and error.node in {"40", "41", "2", "4"})
    assert (error.__cause__ is None) is False
    match.choose("a", 1)
    assert match.table.rounds == 3


def test_an_error_in_a_cardset_names_its_flow() -> None:
    match = at_play([[1, 2], [4, 5]], table={"class": 55})
    match.play(0, [1])
    error = refused(match, "rule_error", lambda: match.play(1, [4]))
    assert (error.flow, error.node) == ("compare_Single", "坏 of [5]")
    assert isinstance(error.__cause__, ZeroDivisionError)
    assert "玩具" in str(error)
    assert "compare_Single" in str(error)


def test_an_interrupt_is_undone_and_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    match = toy.new_match(["a", "b"], seed=11)
    before = everything(match)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("dealwright.runtime.match.advance", interrupted)
    with pytest.raises(KeyboardInterrupt):
        match.choose("a", 0)
    assert everything(match) == before


def busy(game: Toy) -> Next:
    """A flow that changes all that a flow can, some of it twice; it settles if the table's `class` is 1."""
    game.deal(1)
    game.players[0].手牌数 = 40
    game.deal(2, lambda card: card.点数 > 2)
    game.players[1].手牌数 += 1
    game.players[1].score = 3
    game.hands[0][0].记号 = 5
    game.table.用户做出的选择 = 7
    game.table.settlement_index = 1
    game.shuffle()
    game.deck.sort(key=lambda card: card.id)
    game.hands[0][0].记号 = 6
    game.deal(1)
    game.table.player_index = 1
    return SETTLE if game.table.class_ == 1 else AwaitPlay("14")


def interrupted_at(line: int, action: Callable[[], object]) -> bool:
    """Whether `action` came to its end; else a KeyboardInterrupt has hit it at the line executed as number `line`."""
    left = line

    def trace(_frame: object, event: str, _argument: object) -> Any:
        nonlocal left
        left -= event == "line"
        if left < 0:
            sys.settrace(None)
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
    except KeyboardInterrupt:
        return False
    finally:
        sys.settrace(before)
    return True


@pytest.mark.parametrize("settles", [False, True])
@pytest.mark.parametrize("skips", [False, True])
def test_an_interrupt_at_any_line_leaves_no_trace(
    monkeypatch: pytest.MonkeyPatch, settles: bool, skips: bool
) -> None:
    monkeypatch.setattr(toy.match.RESUME["14"], "follows", busy)
    match = at_play([[1, 10, 11], [4, 6], [9]], [24], {"class": int(settles)})
    if skips:
        match._game.previous = 1, toy.classes.Played(
            "1", "Single", match.discard[:], {}
        )
    before, same = everything(match), objects(match)

    def act() -> None:
        if skips:
            match.skip(0)
        else:
            match.play(0, [11, 10])

    lines = 0
    while not interrupted_at(lines, act):
        assert everything(match) == before
        assert objects(match) == same
        lines += 1
    assert lines > 60
    assert everything(match) != before
    assert match.finished == settles


def test_settlement_settles_each_player_once() -> None:
    match = toy.new_match(["a", "b", 3], seed=1)
    match.choose("a", 70)
    assert match.results == {"a": 0, "b": 0, 3: 0}
    assert match.table.settlement_index == 3


def test_after_the_end_a_saved_match_is_still_the_same_match() -> None:
    table = {"player_index": 2}
    match = toy.arrange(hands=[[], [], []], deck=range(1, 25), table=table, wait="6")
    match.choose(2, 70)
    assert match.finished
    for one in (match, toy_copy(match)):
        assert one._game.current_player.seat == 2
        assert one.results == {0: 0, 1: 0, 2: 0}


def test_a_seat_that_the_settlement_passes_over_has_no_result() -> None:
    match = toy.new_match(["a", "b", "c"], seed=1)
    match.choose("a", 71)
    assert match.results == {"b": 0, "c": 0}
    assert toy.match_from_json(match.to_json()).results == match.results


def test_methods_and_assignments_work_in_a_whole_match() -> None:
    for seed in range(20):
        match = toy.new_match([0, 1, 2], seed=seed)
        for _ in random_moves(match, seed, 60):
            assert [player.手牌数 for player in match.players] == [
                len(hand) for hand in match.hands
            ]
            cards = [
                *match.deck, *match.discard, *(c for hand in match.hands for c in hand)
            ]  # fmt: skip
            assert sorted(card.id for card in cards) == list(range(1, 25))
        assert sum(player.score for player in match.players) > 0


def test_replay() -> None:
    for seed in range(10):
        match = toy.new_match([0, "x"], seed=seed)
        for _ in random_moves(match, seed, 30):
            pass
        actions = json.loads(json.dumps(match.actions))
        again = toy.replay([0, "x"], seed, actions)
        assert again.to_json() == match.to_json()
        assert again.take_events() == match.take_events()


def test_actions_are_json_and_a_copy() -> None:
    match = at_play([[1, 2], [4, 5]])
    match.play(0, [2])
    match.skip(1)
    assert match.actions == [[0, "play", [2]], [1, "skip"]]
    match.actions.clear()
    match.actions[0].clear()
    assert match.actions == [[0, "play", [2]], [1, "skip"]]


@pytest.mark.parametrize(
    "action",
    [
        None, 7, [], [0], [0, "dance"], [9, "skip"], [0, "skip", 1], [True, "skip"],
        [0, "play", []], [0, "play", [99]], [0, "play", [1, 1]], [0, "play", ["card_1"]],
        [0, "choose", True], [0, "choose", "1"], [0, "choose"], {"0": 1}, [-1, "skip"],
        [0, ["skip"]], [0, "play", 3],
    ],
)  # fmt: skip
def test_bad_actions(action: object) -> None:
    with pytest.raises(MatchError) as caught:
        toy.replay([0, 1], 1, [[0, "choose", 1], action])
    assert caught.value.code == "bad_actions"
    with pytest.raises(MatchError):
        toy.replay([0, 1], 1, None)  # type: ignore[arg-type]


def test_a_replayed_action_may_be_refused() -> None:
    with pytest.raises(Rejected) as caught:
        toy.replay([0, 1], 1, [[0, "choose", 5]])
    assert caught.value.code == "choice_not_offered"


def test_abort() -> None:
    match = toy.new_match(["a", "b"], seed=1)
    with pytest.raises(MatchError) as caught:
        match.abort(7)  # type: ignore[arg-type]
    assert caught.value.code == "bad_reason"
    match.abort("room closed")
    assert (match.finished, match.pending) == (True, None)
    assert (match.results, match.aborted) == (None, "room closed")
    assert match.take_events(0)[-1].fields == {"reason": "room closed"}
    assert toy.match_from_json(match.to_json()).aborted == "room closed"


def test_the_seat_of_a_wait_is_the_player_index_modulo_the_players() -> None:
    for index, seat in ((0, 0), (5, 1), (-3, 0), (10**30, 0)):
        match = toy.arrange(
            hands=[[], []], deck=range(1, 25), table={"player_index": index}, wait="14"
        )
        assert match.pending is not None
        assert match.pending.seat == seat


def test_recognize_and_beats_with_the_match() -> None:
    match = at_play([[1, 2], [4, 5]], table={"trump": 0})
    single = toy.recognize_cards([match.hands[0][0]], match)
    higher = toy.recognize_cards(match.hands[1][1:], match)
    pair = toy.recognize_cards(match.hands[1], match)
    assert single is not None and higher is not None and pair is not None
    assert (pair.id, pair.cardset, pair.properties) == ("2", "Pair", {"权重": 10})
    assert toy.recognize_cards([match.hands[0][0], match.hands[1][0]], match) is None
    assert toy.beats_play(pair, single, match)
    assert toy.beats_play(single, higher, match)  # a trump, though the lower card
    match.table.trump = -1
    assert not toy.beats_play(single, higher, match)
    for missing in (None, toy.PACKAGE, at_play):
        with pytest.raises(MatchError) as caught:
            toy.recognize_cards(match.hands[0], missing)  # type: ignore[arg-type]
        assert caught.value.code == "needs_match"
    with pytest.raises(MatchError):
        toy.beats_play(pair, single)
    other = plain.new_match([0, 1])
    with pytest.raises(MatchError) as caught:
        toy.beats_play(pair, single, other)  # type: ignore[arg-type]
    assert caught.value.code == "needs_match"
    found = plain.PACKAGE.recognize(plain.PACKAGE.cards[:1])
    assert found is not None and not plain.PACKAGE.beats(found, found)


def test_a_play_keeps_a_list_of_its_own() -> None:
    """What the caller does with his list afterwards does not show in the play, nor the other way round."""
    cards = list(plain.PACKAGE.cards[:1])
    play = plain.PACKAGE.recognize(cards)
    assert play is not None and play.cards == cards
    cards.append(plain.PACKAGE.cards[1])
    play.cards.clear()
    assert len(cards) == 2


def test_what_looks_like_a_hand_is_looked_through_once_it_forms_something() -> None:
    card = plain.PACKAGE.cards[0]
    for wrong in (["card_1"], [None], [1], (card, 2), {card: 1}, 7, "card_1", None):
        with pytest.raises(MatchError) as caught:
            plain.PACKAGE.recognize(wrong)  # type: ignore[arg-type]
        assert caught.value.code == "bad_cards"
    assert plain.PACKAGE.recognize((card,)) is not None


def test_cards_of_a_plain_rule_are_shared_and_those_of_an_assigning_rule_are_not() -> (
    None
):
    first, second = plain.new_match([0, 1]), plain.new_match([0, 1])
    assert first._game.cards is second._game.cards
    one, two = toy.new_match([0]), toy.new_match([0])
    assert not {id(card) for card in one._game.cards} & {
        id(card) for card in two._game.cards
    }


def test_objects_beyond_the_seats_and_the_deck() -> None:
    game = toy.new_match([0, 1])._game
    for number in (-1, 2, 10**30):
        assert game.player(number) is toy.classes.NO_PLAYER
    for number in (-1, 0, 25, 10**30):
        assert game.card(number) is toy.classes.NO_CARD
    assert game.card(24).id == 24
    none = plain.new_match([0, 1])._game.card(99)
    assert (none.id, none.点数, bool(none)) == (0, 0, False)


HUGE = 10**6000  # more digits than Python turns into text


@pytest.mark.parametrize(
    ("field", "value"),
    [("ids", [HUGE, 1]), ("table", {"class": HUGE}), ("seed", HUGE)],
    ids=["ids", "table", "seed"],
)
def test_integers_that_no_json_text_can_hold_are_refused(
    field: str, value: object
) -> None:
    position: dict[str, object] = {
        "hands": [[1], [4]],
        "deck": [card for card in range(2, 25) if card != 4],
        "wait": "14",
    }
    with pytest.raises(MatchError) as caught:
        toy.arrange(**{**position, field: value})  # type: ignore[arg-type]
    assert len(str(caught.value)) < 200


def test_integers_of_any_size_do_no_harm() -> None:
    match = toy.arrange(
        hands=[[1], [4]],
        deck=[card for card in range(2, 25) if card != 4],
        wait="14",
    )
    before = match.to_json()
    odd: list[list[int | str]] = [[HUGE], [-HUGE], ["card_" + "1" * 9000]]
    for cards in odd:
        with pytest.raises(Rejected) as refusal:
            match.play(0, cards)
        assert refusal.value.code == "card_not_in_hand"
    with pytest.raises(Rejected) as refusal:
        match.skip(HUGE)
    assert len(str(refusal.value)) < 200
    assert match.to_json() == before
    with pytest.raises(MatchError) as caught:
        match.view(HUGE)
    assert len(str(caught.value)) < 200
    with pytest.raises(Exception, match="a very large integer") as stopped:
        match._game.deal(HUGE)
    assert stopped.value.args[0] == "deck_exhausted"
    match.play(0, [1])
    assert toy_copy(match).to_json() == match.to_json()


def toy_copy(match: ToyMatch) -> ToyMatch:
    return toy.match_from_json(match.to_json())
