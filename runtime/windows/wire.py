"""Windows and their parts as JSON, in the names of the requirement; `wire_read` is the way back.

A window is kept inside the state of its game, and written to the audit; players get its options and nothing else of it.
"""

from __future__ import annotations

from dealwright.runtime.windows.model import (
    Answer,
    NextStep,
    Resolution,
    ResponseActionOption,
    ResponseActionSeatCandidate,
    ResponseActionWindow,
    ResponseReply,
)

Json = dict[str, object]


def option_json(option: ResponseActionOption) -> Json:
    """An option as its seat sees it; `hint` only where there is one."""
    fields: Json = {
        "actionType": option.action_type,
        "optionId": option.option_id,
        "tile": option.tile,
        "consumes": list(option.consumes),
        "priority": option.priority,
    }
    if option.hint is not None:
        fields["hint"] = dict(option.hint)
    return fields


def answer_json(answer: Answer | None) -> Json | None:
    """An answer for the state and the audit."""
    if answer is None:
        return None
    return {
        "optionId": answer.option_id,
        "actionType": answer.action_type,
        "receivedAt": answer.received_at,
        "replyId": answer.reply_id,
        "order": answer.order,
    }


def candidate_json(candidate: ResponseActionSeatCandidate) -> Json:
    """A candidate for the state and the audit."""
    return {
        "seatNo": candidate.seat_no,
        "options": [option_json(option) for option in candidate.options],
        "seatDistance": candidate.seat_distance,
        "deadlineAt": candidate.deadline_at,
        "silence": candidate.silence,
        "state": candidate.state,
        "answer": answer_json(candidate.answer),
        "connection": candidate.connection,
    }


def window_json(window: ResponseActionWindow) -> Json:
    """A window for the state and the audit; never for a player."""
    return {
        "windowId": window.window_id,
        "tableId": window.table_id,
        "roundId": window.round_id,
        "trigger": window.trigger,
        "sourceSeatNo": window.source_seat_no,
        "tile": window.tile,
        "discardIndex": window.discard_index,
        "openedAt": window.opened_at,
        "deadlineAt": window.deadline_at,
        "candidates": [candidate_json(candidate) for candidate in window.candidates],
        "status": window.status,
        "stateVersion": window.state_version,
        "ruleMode": window.rule_mode,
        "turnOrder": list(window.turn_order),
        "audience": list(window.audience),
        "wakeAt": window.wake_at,
        "graceUntil": window.grace_until,
        "answered": window.answered,
        "closedAt": window.closed_at,
        "closeReason": window.close_reason,
    }


def step_json(step: NextStep | None) -> Json | None:
    """A next step; the seat or the reason, whichever there is."""
    if step is None:
        return None
    fields: Json = {"kind": step.kind, "seat": step.seat_no}
    if step.reason is not None:
        fields["reason"] = step.reason
    return fields


def resolution_json(resolution: Resolution) -> Json:
    """A resolution for the audit; never for a player."""
    return {
        "hasWinner": resolution.has_winner,
        "winnerSeatNo": resolution.winner_seat_no,
        "winnerSeatNos": list(resolution.winner_seat_nos),
        "winningActionType": resolution.winning_action_type,
        "passedSeatNos": list(resolution.passed_seat_nos),
        "continueOriginalFlow": resolution.continue_original_flow,
        "timedOutSeatNos": list(resolution.timed_out_seat_nos),
        "supersededSeatNos": list(resolution.superseded_seat_nos),
        "outrankedSeatNos": list(resolution.outranked_seat_nos),
        "overflow": resolution.overflow,
        "nextStep": step_json(resolution.next_step),
    }


def reply_json(reply: ResponseReply) -> Json:
    """A reply; `optionId` only where it names one."""
    fields: Json = {
        "replyId": reply.reply_id,
        "windowId": reply.window_id,
        "seatNo": reply.seat_no,
        "actionType": reply.action_type,
    }
    if reply.option_id is not None:
        fields["optionId"] = reply.option_id
    return fields
