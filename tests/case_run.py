"""The commands of a case's `== run` section, carried out on either engine.

- `start 2`, `start 2 seed=7`, `arrange {"hands": …, "wait": …}`; `play SEAT CARDS`, `skip SEAT`, `choose SEAT VALUE`:
  each may end in `-> CODE` or `-> CODE at NODE`: it is refused, and nothing has changed; without, it must be accepted;
- `build ID CARDS -> PROPERTIES|none`, `recognize CARDS -> NAME PROPERTIES|none`, `beats CARDS CARDS -> true|false`,
  `deck_properties CARD -> VALUES`: with the match at hand if there is one;
- `plays SEAT -> [["Pair", [3, 9]], …]`: every set of cards that the seat can play now, if it is the one asked;
- `WHAT == JSON`: `hands`, `deck`, `discard`, `latest`, `choice`, `results`, `pending`, `options`, `timer`, `finished`,
  `previous`, `table.NAME`, `player SEAT NAME`, `card N NAME`, `events KIND` (the fields of all events of that kind so
  far), `events kinds` (their kinds in order, repetitions joined).

Answers are compared with what the case file says, and nothing here is ever rewritten.
"""

from __future__ import annotations

import json
from typing import Any, TypeAlias

from tests.case_engines import Engine, EngineRefused
from tests.casefile import (
    PROBE_SET,
    PROBED_A,
    PROBED_B,
    PROBED_BUILD,
    Case,
    CaseError,
    Expected,
)

Json: TypeAlias = Any


def run_case(case: Case, engine: Engine) -> None:
    """Carry out the commands and the probes of `case`; an AssertionError says which line gave what."""
    for command in case.commands:
        run_command(command, engine)
    if case.expected:
        run_probes(case, engine)


def run_command(command: str, engine: Engine) -> None:
    """Carry out one line of a `== run` section."""
    if " == " in command:
        what, _, wanted = command.partition(" == ")
        found = _look(what.split(), engine)
        assert found == json.loads(
            wanted
        ), f"{command}: found {json.dumps(found, ensure_ascii=False)}"
        return
    request, _, wanted = command.partition(" -> ")
    words = request.split(" ", 1)
    if words[0] in ("build", "recognize", "beats", "plays", "deck_properties"):
        found = _ask(words[0], words[1], engine)
        assert found == wanted.strip(), f"{command}: found {found}"
    else:
        _act(command, words[0], words[1], wanted.strip(), engine)


def _act(command: str, verb: str, arguments: str, wanted: str, engine: Engine) -> None:
    """Do something that may be refused; a refusal must leave the state as it was."""
    before = engine.state() if engine.is_started() else None
    try:
        _do(verb, arguments, engine)
    except EngineRefused as refused:
        answer = (
            f"{refused.code} at {refused.node}" if " at " in wanted else refused.code
        )
        assert (
            answer == wanted
        ), f"{command}: refused as {refused.code} at {refused.node}"
        after = engine.state() if engine.is_started() else None
        assert (
            after == before
        ), f"{command}: refused, but the state changed from {before} to {after}"
    else:
        assert not wanted, f"{command}: accepted"


def _do(verb: str, arguments: str, engine: Engine) -> None:
    """One action on the engine."""
    match verb, arguments.split(" ", 1):
        case "start", [seats, *seed]:
            engine.start(int(seats), int(seed[0].removeprefix("seed=")) if seed else 1)
        case "arrange", _:
            engine.arrange(json.loads(arguments))
        case "play", [seat, cards]:
            engine.play(int(seat), json.loads(cards))
        case "skip", [seat]:
            engine.skip(int(seat))
        case "choose", [seat, value]:
            engine.choose(int(seat), int(value))
        case _:
            raise CaseError(f"no such command: {verb} {arguments}")


def _ask(verb: str, arguments: str, engine: Engine) -> str:
    """The answer to a question about cards, as a case writes it."""
    if verb == "build":
        id, cards = arguments.split(" ", 1)
        return _plain(engine.build(id, json.loads(cards)))
    if verb == "recognize":
        play = engine.recognize(json.loads(arguments))
        return "none" if play is None else f"{play[0]} {_plain(play[1])}"
    if verb == "plays":
        return _plain(engine.plays(int(arguments)))
    if verb == "deck_properties":
        return _plain(engine.state()["cards"][arguments])
    now, before = json.loads(f"[{arguments.replace('] [', '], [')}]")
    return "true" if engine.beats(now, before) else "false"


def _plain(value: Json) -> str:
    """A value as cases write it."""
    return (
        "none"
        if value is None
        else json.dumps(value, ensure_ascii=False, sort_keys=True)
    )


def _look(words: list[str], engine: Engine) -> Json:
    """What the match shows under these words."""
    state = engine.state()
    match words:
        case ["player", seat, name]:
            return state["players"][int(seat)].get(name, 0)
        case ["card", number, name]:
            return state["cards"][number].get(name, 0)
        case ["events", "kinds"]:
            kinds = [kind for kind, _ in engine.events()]
            return [
                kind
                for index, kind in enumerate(kinds)
                if index == 0 or kinds[index - 1] != kind
            ]
        case ["events", kind]:
            return [fields for name, fields in engine.events() if name == kind]
        case [word] if word.startswith("table."):
            return state["table"].get(word.removeprefix("table."), 0)
        case [word]:
            return state[word]
        case _:
            raise CaseError(f"nothing to look at: {words}")


def run_probes(case: Case, engine: Engine) -> None:
    """Run the match of a case with `== values` sections and compare every value; see `casefile.add_probes`.

    Match and method are probed after seat 0 has played card 1 (hands then [3] and [2, 4], deck 5 to 8); build judges
    cards 3 and 5, and compare compares cards 3, 5, 7 (A) with card 1 (B), both at that moment; the end flow is probed
    for seat 0 after it has played card 3 too.
    """
    engine.start(2, 1)
    engine.play(0, [1])
    _compare_assigned(case, engine, ("match", "method"))
    if "build" in case.expected:
        assert engine.build(PROBE_SET, list(PROBED_BUILD)) == {}, _every(
            case.expected["build"], "build"
        )
    if "compare" in case.expected:
        assert engine.beats(list(PROBED_A), list(PROBED_B)), _every(
            case.expected["compare"], "compare"
        )
    engine.play(0, [3])
    assert engine.state()["results"] == {"0": 0, "1": 0}
    _compare_assigned(case, engine, ("end",))


def _compare_assigned(case: Case, engine: Engine, kinds: tuple[str, ...]) -> None:
    """Compare what the probes of these kinds of flow have assigned."""
    table = engine.state()["table"]
    for kind in kinds:
        for number, one in enumerate(case.expected.get(kind, []), 1):
            found = (table[f"out_{kind}_{number}"], table[f"is_{kind}_{number}"])
            assert found == (
                one.integer,
                int(one.truth),
            ), f"{one.reference!r} in a {kind} flow: found {found}"


def _every(expected: list[Expected], kind: str) -> str:
    """What is said when a judging flow found some difference."""
    return f"in a {kind} flow one of these is otherwise: " + ", ".join(
        f"{one.reference!r} -> {one.integer} {one.truth}" for one in expected
    )
