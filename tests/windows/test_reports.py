"""Bug reports from public engines (section 6 of the window requirement), each replayed: what went in, and what is right.

The numbers are those of the section. Positions are on the Sichuan table, played on the desk as a server would.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from dealwright.runtime.windows import (
    LOCKS,
    NextStep,
    ResponseReply,
    RuleMode,
    on_deadline,
    on_reply,
    resolution_of,
    shipped_mode,
)
from dealwright.runtime.windows.presets import ROBBING_A_KONG, SEVERAL_WINNERS
from dealwright.runtime.windows.replay import outputs_of, replayed
from examples.sichuan.hand import Meld, can_win
from examples.sichuan.rules import TURN_ORDER, Desk, announce, settle
from examples.sichuan.table import InTransit, Player, Table
from examples.sichuan.tiles import tiles
from tests.windows.builders import codes, kinds, outcome, reply, spec_of, window_of
from tests.windows.rounds import Log, new_desk

Json = Any

QUIET = "147m 258p 147s 2m5p8s9s"
"""Thirteen tiles that wait for nothing and hold no pair."""
WAITS_5M = "46m 789m 234p 678p 99p"
WAITS_4M = "23m 567m 234p 678p 99p"


class Play:
    """One tile on a table, and everything that is sent and told."""

    def __init__(
        self,
        mode: RuleMode,
        hands: Mapping[int, str],
        tile: str = "5m",
        source: int = 0,
        wall: int = 20,
        added: bool = False,
        out: Sequence[int] = (),
    ) -> None:
        players = [
            Player(tiles(hands.get(seat, QUIET)), void_suit="s") for seat in TURN_ORDER
        ]
        for seat in out:
            players[seat].won_tile = "1m"
        self.table = Table(players, ["1s"] * wall, discards=1)
        if added:
            players[source].melds.append(Meld("PENG", tile, 1))
        self.table.transit = InTransit(tile, source, added)
        self.log = Log()
        self.desk: Desk = new_desk(mode, self.log)
        self.next: NextStep | None = announce(self.table, self.desk, "r1", 0)

    def say(self, seat: int, action: str, now: int = 100) -> str:
        """A reply to the current window; the kind or the code of what the seat is told."""
        window = self.desk.window
        assert window is not None
        name = f"{seat}-{action}"
        sent = ResponseReply(name, window.window_id, seat, action)
        self.desk.reply(sent, now)
        self.settle()
        own = [each for each in self.log.streams[seat] if each.get("replyId") == name]
        return str(own[-1]["rejectCode"] or own[-1]["kind"])

    def wait(self, now: int = 8000) -> None:
        """Time passes."""
        self.desk.time(now)
        self.settle()

    def settle(self) -> None:
        if self.desk.resolution is not None:
            self.next = settle(self.table, self.desk, "r1")

    @property
    def offers(self) -> dict[int, list[str]]:
        """What each seat is offered."""
        window = self.desk.window
        if window is None:
            return {}
        return {
            each.seat_no: [option.action_type for option in each.options]
            for each in window.candidates
        }

    @property
    def events(self) -> list[str]:
        """The types of all public events."""
        return [each["type"] for each in self.log.streams[None]]


V1 = shipped_mode("V1")
MULTI = shipped_mode("V1", SEVERAL_WINNERS)
ROBBING = shipped_mode("V1", ROBBING_A_KONG)
PAIR_OF_5M = "55m 147m 258p 147s 9s9p"
THREE_5M = "555m 147m 258p 147s 9p"


def test_01_a_pung_taken_early_does_not_hide_anothers_win() -> None:
    play = Play(V1, {1: "123m 55m 678m 234p 99p", 3: WAITS_5M})
    assert play.offers == {1: ["HU", "PENG", "PASS"], 3: ["HU", "PASS"]}
    assert play.say(1, "PENG") == "ACK"
    assert play.desk.is_open
    play.say(3, "HU")
    assert play.events[-1] == "HU_DECLARED"
    assert play.log.streams[None][-1]["payload"]["seatNo"] == 3


def test_02_declining_to_rob_a_kong_arms_the_lock() -> None:
    mode = shipped_mode("V1", ROBBING_A_KONG, LOCKS["same_turn_strict"])
    play = Play(mode, {0: WAITS_4M}, "4m", source=2, added=True)
    play.say(0, "PASS")
    assert [each.seat for each in play.desk.locks] == [0]


def test_03_whoever_may_rob_is_offered_that_and_nothing_else() -> None:
    hands = {0: WAITS_4M, 1: "44m 147m 258p 147s 9s9p"}
    play = Play(ROBBING, hands, "4m", source=2, added=True)
    assert play.offers == {0: ["HU", "PASS"]}


def test_04_nothing_is_settled_before_the_whole_window_is() -> None:
    overflow = {"arbiter": {"overflow": {"claims": 3, "effect": "draw"}}}
    change = {"response_windows": {"after_discard": overflow}}
    mode = shipped_mode("V1", SEVERAL_WINNERS, change)
    play = Play(mode, {1: WAITS_5M, 2: WAITS_5M, 3: WAITS_5M})
    play.say(1, "HU")
    play.say(2, "HU")
    assert "HU_DECLARED" not in play.events
    play.say(3, "HU")
    assert play.next == NextStep("END", None, "TOO_MANY_CLAIMS")
    assert "HU_DECLARED" not in play.events
    assert not play.table.out


@pytest.mark.parametrize("is_silent", (False, True))
def test_05_the_end_of_the_round_is_looked_at_after_every_kind_of_close(
    is_silent: bool,
) -> None:
    play = Play(V1, {2: WAITS_5M}, wall=0)
    if is_silent:
        play.wait()
    else:
        play.say(2, "PASS")
    assert play.events[-2:] == ["RESPONSE_WINDOW_CLOSED", "ROUND_ENDED"]
    assert play.next == NextStep("END", None, "WALL_EMPTY")


def test_06_no_kong_where_no_replacement_is_left() -> None:
    for wall, options in ((1, ["GANG", "PENG", "PASS"]), (0, ["PENG", "PASS"])):
        assert Play(V1, {3: THREE_5M}, wall=wall).offers == {3: options}


def test_07_the_replay_opens_the_same_windows_as_the_live_game() -> None:
    play = Play(ROBBING, {0: WAITS_4M}, "4m", source=2, added=True)
    play.say(0, "HU")
    again = replayed(play.log.audit, ROBBING, "t1", TURN_ORDER)
    assert [each["output"] for each in again] == ["OPENED", "OFFER", "ACK", "CLOSED"]
    assert again == outputs_of(play.log.audit)


def test_08_claims_on_the_last_discard_do_not_vanish() -> None:
    play = Play(V1, {1: PAIR_OF_5M, 2: WAITS_5M}, wall=0)
    assert play.offers == {1: ["PENG", "PASS"], 2: ["HU", "PASS"]}
    play.say(2, "PASS")
    play.say(1, "PENG")
    assert play.next == NextStep("DISCARD", 1)


def test_09_a_lock_is_released_by_the_callers_discard_and_not_by_its_call() -> None:
    mode = shipped_mode("V1", LOCKS["same_turn_strict"])
    play = Play(mode, {1: "123m 55m 678m 234p 99p"})
    play.say(1, "PENG")
    assert play.next == NextStep("DISCARD", 1)
    assert [each.seat for each in play.desk.locks] == [1]
    play.desk.release(1, "own_claim")
    assert play.desk.locks
    play.desk.release(1, "own_discard")
    assert not play.desk.locks


def test_10_the_named_option_is_the_one_that_is_applied() -> None:
    spec = spec_of()
    window = window_of(spec, {1: ["PENG"], 2: ["HU"]})
    plain, passing = window.candidates[0].options
    with_joker = plain._replace(option_id="PENG#1", consumes=("5m", "joker"))
    options = (plain, with_joker, passing)
    candidate = window.candidates[0]._replace(options=options)
    window = window._replace(candidates=(candidate, window.candidates[1]))
    named = ResponseReply("a", window.window_id, 1, "PENG", "PENG#1")
    window, _ = on_reply(window, named, 1, spec)
    window, _ = on_reply(window, reply(2, "PASS"), 2, spec)
    answer = window.candidates[0].answer
    assert answer is not None
    taken = next(each for each in options if each.option_id == answer.option_id)
    assert taken.consumes == ("5m", "joker")


def test_11_the_windows_result_comes_before_the_end_of_the_round() -> None:
    play = Play(MULTI, {1: WAITS_5M, 2: WAITS_5M, 3: WAITS_5M}, wall=0)
    for seat in (3, 1, 2):
        play.say(seat, "HU")
    assert play.events[-4:] == ["HU_DECLARED"] * 3 + ["ROUND_ENDED"]
    assert play.next == NextStep("END", None, "THREE_WINNERS")


def test_12_an_old_timer_and_a_second_reply_touch_nothing() -> None:
    play = Play(V1, {1: PAIR_OF_5M, 2: WAITS_5M})
    assert play.say(1, "PENG") == "ACK"
    assert play.say(1, "PENG") == "ACK"
    first = play.desk.window
    assert first is not None
    play.say(2, "PASS", 200)
    play.table.discard(1, "9p")
    play.table.players[3].hand[:2] = ["9p", "9p"]
    assert announce(play.table, play.desk, "r1", 7900) is None
    second = play.desk.window
    play.desk.time(8000, first.window_id)
    assert play.desk.window == second and play.desk.is_open
    play.desk.time(16_000, first.window_id)
    assert play.desk.is_open, "even when it fires long after"
    play.desk.reply(ResponseReply("x", first.window_id, 3, "PENG"), 7950)
    assert play.log.streams[3][-1]["rejectCode"] == "STALE_WINDOW"


def test_13_silence_on_a_possible_win_is_a_missed_win() -> None:
    mode = shipped_mode("V1", LOCKS["fan_cap"])
    play = Play(mode, {1: WAITS_5M, 3: WAITS_5M})
    play.say(3, "PASS")
    play.wait()
    assert [each.seat for each in play.desk.locks] == [1, 3]


def test_14_each_winner_is_declared_and_the_audit_holds_every_claim() -> None:
    play = Play(MULTI, {1: WAITS_5M, 2: PAIR_OF_5M, 3: WAITS_5M})
    play.say(2, "PENG")
    play.say(3, "HU")
    play.say(1, "HU")
    declared = [
        (each["payload"]["seatNo"], each["payload"]["huOrder"])
        for each in play.log.streams[None]
        if each["type"] == "HU_DECLARED"
    ]
    assert declared == [(1, 1), (3, 2)]
    closed = next(each for each in play.log.audit if each.get("output") == "CLOSED")
    claims = [each["answer"]["actionType"] for each in closed["window"]["candidates"]]
    assert claims == ["HU", "PENG", "HU"]


def test_15_kong_and_pung_are_two_options_and_stay_until_the_close() -> None:
    play = Play(V1, {1: WAITS_5M, 3: THREE_5M})
    before = play.offers
    assert play.say(3, "PENG") == "ACK"
    assert play.offers == before
    assert before[3] == ["GANG", "PENG", "PASS"]


def test_16_silence_is_pass_a_pung_discards_a_kong_draws() -> None:
    play = Play(V1, {3: THREE_5M})
    play.wait()
    assert play.next == NextStep("DRAW", 1)
    for action, step in (("PENG", "DISCARD"), ("GANG", "KONG_DRAW")):
        play = Play(V1, {3: THREE_5M})
        play.say(3, action)
        assert play.next == NextStep(step, 3)  # type: ignore[arg-type]


def test_17_all_offers_are_made_in_one_pass_and_a_triplet_may_give_the_pair() -> None:
    hands = {1: THREE_5M, 3: WAITS_5M}
    assert Play(V1, hands).offers == {1: ["GANG", "PENG", "PASS"], 3: ["HU", "PASS"]}
    assert can_win(tiles("33345m 678m 234p 678p"), [], "s")


def test_18_four_groups_without_a_pair_are_no_win_and_three_of_a_kind_may_pung() -> (
    None
):
    play = Play(V1, {})
    play.table.players[1].hand = tiles("4m")
    play.table.players[1].melds = [Meld("PENG", f"{rank}p", 0) for rank in (1, 2, 3, 4)]
    assert not can_win(tiles("45m"), play.table.players[1].melds, "s")
    assert Play(V1, {1: THREE_5M}).offers == {1: ["GANG", "PENG", "PASS"]}


def test_19_a_tile_of_a_kong_opens_no_window_for_discards() -> None:
    play = Play(V1, {1: PAIR_OF_5M, 2: WAITS_5M}, source=3, added=True)
    assert play.offers == {}
    assert play.events == ["GANG_DECLARED"]
    assert play.next == NextStep("KONG_DRAW", 3)


def test_20_a_robbed_kong_leaves_the_pung_and_every_tile_in_one_place() -> None:
    play = Play(ROBBING, {0: WAITS_4M}, "4m", source=2, added=True)
    before = play.table.tile_count()
    play.say(0, "HU")
    assert play.table.tile_count() == before
    assert play.table.players[2].melds == [Meld("PENG", "4m", 1)]
    assert "4m" in play.table.players[0].hand
    assert play.table.transit is None
    assert "GANG_DECLARED" not in play.events
    assert play.next == NextStep("DRAW", 1)


def test_21_after_a_pung_comes_a_discard_and_no_kong() -> None:
    play = Play(V1, {3: THREE_5M})
    play.say(3, "PENG")
    assert play.next == NextStep("DISCARD", 3)
    assert play.say(3, "GANG", 200) == "WINDOW_CLOSED"


def test_22_a_reply_after_the_time_out_is_refused_politely() -> None:
    play = Play(V1, {2: WAITS_5M})
    play.wait()
    assert play.say(2, "HU", 8001) == "WINDOW_CLOSED"
    assert play.next == NextStep("DRAW", 1)


def test_23_distance_is_counted_from_whose_tile_it_is() -> None:
    hands = dict.fromkeys((0, 1, 3), WAITS_5M)
    play = Play(V1, hands, source=2)
    assert list(play.offers) == [3, 0, 1]
    play.say(1, "HU")
    play.say(0, "HU")
    play.say(3, "PASS")
    assert play.log.streams[None][-1]["payload"]["seatNo"] == 0


def test_24_no_automatic_answer_after_a_choice_and_won_seats_are_not_asked() -> None:
    play = Play(V1, {1: PAIR_OF_5M, 2: WAITS_5M, 3: WAITS_5M}, out=(3,))
    assert list(play.offers) == [1, 2]
    play.say(2, "HU", 7999)
    events = list(play.events)
    play.wait(8000)
    play.wait(10**9)
    assert play.events == events


def test_25_of_two_declined_wins_the_higher_is_kept() -> None:
    mode = shipped_mode("V1", LOCKS["fan_cap"])
    play = Play(mode, {1: "33345m 123p 22p 789p"}, "3m")
    play.say(1, "PASS")
    assert [each.value for each in play.desk.locks] == [1]
    play.table.transit = InTransit("6m", 0)
    assert announce(play.table, play.desk, "r1", 9000) is not None
    assert play.offers == {1: ["HU", "GANG", "PENG", "PASS"]}, "still the first window"
    assert play.desk.locks[0].value == 1


def test_26_every_window_ends_even_if_nobody_ever_answers() -> None:
    spec = spec_of()
    window = window_of(spec, {1: ["HU", "GANG"], 2: ["PENG"], 3: ["HU"]})
    closed, outputs = on_deadline(window, window.deadline_at, spec)
    assert kinds(outputs) == ["CLOSED"]
    assert outcome(resolution_of(closed, spec)) == ((), "PASS")
    assert codes(on_reply(closed, reply(1, "HU"), 9000, spec)[1]) == ["WINDOW_CLOSED"]
