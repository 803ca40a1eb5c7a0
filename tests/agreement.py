"""The agreement check: a rule compiled and the same rule interpreted must be the same game.

`subject` compiles a rule and keeps the interpreter's reading of it beside the package. `compare` plays both with the
same random actions, legal and illegal, and compares after every step what was accepted or why it was refused, every
part of the state, and the events in order; at some waits it saves and restores the compiled match, arranges the same
position anew, and asks both sides what cards are and which play beats which. The first difference is raised as a
`Disagreement` whose text is a case that a person can read: the rule, the cards or actions, both answers.

Where an endless flow stops is not specified, so a match in which either side finds one ends there.
"""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dealwright.compiler import pipeline
from dealwright.compiler.interpreter import interpret
from dealwright.compiler.output import memory
from tests.agreement_cardsets import Judges, Subject, Tally, cardset_order
from tests.agreement_players import Action, next_action
from tests.agreement_sides import (
    VIRTUAL,
    Answer,
    Disagreement,
    Endless,
    Json,
    agree,
    compiled_answer,
    compiled_event,
    compiled_state,
    interpreted_answer,
    interpreted_event,
    interpreted_state,
    same,
)

INTERPRETED_STEPS = 20_000  # of generated rules; more than any of their loops that ends


def subject(source: bytes, name: str, *, players: int | None = None) -> Subject:
    """Compiles a rule.

    Args:
        source: the bytes of the rule file.
        name: its name, as for `pipeline.build`.
        players: a declared number of players, as on the command line.

    Raises:
        CompileError: the compiler refuses the rule.
    """
    built = pipeline.build(source, name, name=None, players=players)
    return subject_of(built, source, name, players=players)


def subject_of(
    built: pipeline.Built, source: bytes, name: str, *, players: int | None = None
) -> Subject:
    """The same of a rule that has been compiled already."""
    document = json.loads(source)
    return Subject(
        name,
        document,
        memory.import_package(built.slug, built.files),
        interpret.Rule(document, players=players),
        cardset_order(document.get("design", document)["cardsets"]),
        built.handed,
    )


# -- one match, step by step


@dataclass(slots=True)
class Pair:
    """The same match on both sides. `tell` collects the story for the reader of a failure."""

    subject: Subject
    interpreted: interpret.Match
    compiled: Any
    tally: Tally
    story: list[str] = field(default_factory=list)
    seen: int = 0

    def check(self, where: str) -> None:
        """Compares everything there is to see, and the events since the last time."""
        same(where, interpreted_state(self.interpreted), compiled_state(self.compiled))
        told = [
            one
            for event in self.compiled.take_events()
            if (one := compiled_event(event)) is not None
        ]
        expected = [
            interpreted_event(event) for event in self.interpreted.events[self.seen :]
        ]
        self.seen = len(self.interpreted.events)
        for number, (mine, yours) in enumerate(zip(expected, told, strict=False)):
            same(f"{where}, event {number} of this step", mine, yours)
        same(f"{where}, the events of this step", expected, told)

    def act(self, action: Action) -> None:
        """Submits an action to both sides and compares what comes of it."""
        kind, seat, value = action
        before = self.compiled.to_json()
        mine = interpreted_answer(submit, self.interpreted, kind, seat, value)
        yours = compiled_answer(submit, self.compiled, kind, player_id(seat), value)
        self.tally.actions += 1
        answer = agree("the answer to the action", mine, yours)
        if answer[0] == "refused":
            self.tally.refused += 1
            same("the state after a refused action", before, self.compiled.to_json())
        self.check("the state after the action")

    def restore(self) -> None:
        """Saves the compiled match as text and goes on with what comes back."""
        saved = self.compiled.to_json()
        again = self.subject.package.match_from_json(json.loads(json.dumps(saved)))
        same("the match after saving and restoring", saved, again.to_json())
        self.compiled = again
        self.tally.restored += 1


def submit(match: Any, kind: str, player: Any, value: Any) -> None:
    """One action on either side."""
    if kind == "play":
        match.play(player, value)
    elif kind == "skip":
        match.skip(player)
    else:
        match.choose(player, value)


def player_id(seat: int) -> str:
    """The compiled side's name of a seat: nothing that could be taken for the seat's number."""
    return f"player at {seat}"


def start(
    subject: Subject, seats: int, seed: int, tally: Tally, limit: int
) -> Pair | None:
    """Starts a match on both sides; None if both refuse to."""
    ids = [player_id(seat) for seat in range(seats)]
    mine = interpreted_answer(
        lambda: interpret.Match(subject.rule, seats, seed=seed, step_limit=limit)
    )
    yours = compiled_answer(lambda: subject.package.new_match(ids, seed=seed))
    tally.matches += 1
    if "refused" in (mine[0], yours[0]):
        agree("the start of the match", _kind_only(mine), _kind_only(yours))
        tally.unstarted += 1
        return None
    pair = Pair(subject, mine[1], yours[1], tally)
    pair.check("the state after the start")
    return pair


def arrange(subject: Subject, seats: int, seed: int, tally: Tally) -> Pair | None:
    """A match that begins in the middle, in a random position; None if the rule never waits."""
    package, choose = subject.package.PACKAGE, random.Random(seed)
    waits = sorted(package.resume)
    if not waits:
        return None
    numbers = [card.id for card in package.cards]
    choose.shuffle(numbers)
    hands = [
        [numbers.pop() for _ in range(_few(choose, numbers))] for _ in range(seats)
    ]
    discard = [numbers.pop() for _ in range(_few(choose, numbers))]
    position = {
        "hands": hands,
        "deck": numbers,
        "discard": discard,
        "table": _some_values("table", package.table().values(), choose),
        "players": [
            _some_values("players", package.player(seat).values(), choose)
            for seat in range(seats)
        ],
        "wait": choose.choice(waits),
        "seed": seed,
    }
    ids = [player_id(seat) for seat in range(seats)]
    mine = interpret.Match.arrange(subject.rule, **position)
    pair = Pair(subject, mine, subject.package.arrange(**position, ids=ids), tally)
    pair.seen = len(pair.interpreted.events)
    pair.compiled.take_events()
    tally.arranged += 1
    pair.check("the arranged position")
    return pair


def _few(choose: random.Random, numbers: list[int]) -> int:
    return min(choose.choice((0, 1, 2, 3, 4)), len(numbers))


def _some_values(
    part: str, values: Mapping[str, int], choose: random.Random
) -> dict[str, int]:
    """Random values for about half of the properties that may be given."""
    names = [name for name in values if name not in VIRTUAL[part] | {"手牌数"}]
    return {name: choose.randint(-1, 4) for name in names if choose.random() < 0.5}


def _kind_only(answer: Answer) -> Answer:
    return answer if answer[0] == "refused" else ("ok", None)


# -- whole comparisons


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to compare of each rule, whether to look for fewer actions when it fails, and the seed of it all.

    Without a seed the rule's own text is it.
    """

    matches: int = 3
    actions: int = 30
    subsets: int = 4
    limit: int = INTERPRETED_STEPS
    is_shortened: bool = True
    seed: int | None = None


def compare(subject: Subject, seats: int, plan: Plan = Plan()) -> Tally:
    """Plays `plan.matches` matches on both sides. It is deterministic.

    Raises:
        Disagreement: they differ; of the matches that do, the one with the fewest actions, made as short as it goes.
    """
    tally = Tally()
    seed = seed_of(subject.document) if plan.seed is None else plan.seed
    for number in range(plan.matches):
        played: list[Action] = []
        try:
            play_match(subject, seats, seed + number, plan, tally, played)
        except Disagreement as found:
            if not plan.is_shortened:
                raise
            raise shortest(subject, seats, seed + number, plan, played, found) from None
    return tally


def seed_of(document: Json) -> int:
    """A seed that depends on a rule's content alone."""
    return zlib.crc32(json.dumps(document, sort_keys=True).encode())


def play_match(
    subject: Subject,
    seats: int,
    seed: int,
    plan: Plan,
    tally: Tally,
    played: list[Action],
    script: Sequence[Action] | None = None,
) -> None:
    """One match on both sides, by random actions or those of `script`; `played` receives what was done.

    A third of the matches, and those that cannot start, begin in a random position.
    """
    choose = random.Random(seed)
    try:
        pair = None
        if seed % 3:
            pair = start(subject, seats, seed, tally, plan.limit)
        pair = pair or arrange(subject, seats, seed, tally)
        if pair is None:
            Judges(subject, None, None, tally).compare(choose, plan.subsets)
            return
        judges = Judges(subject, pair.interpreted, pair.compiled, tally)
        judges.compare(random.Random(seed), plan.subsets)
        for step in range(plan.actions if script is None else len(script)):
            if script is None and pair.interpreted.finished and choose.random() < 0.7:
                break
            action = (
                next_action(subject.rule, pair.interpreted, choose)
                if script is None
                else script[step]
            )
            played.append(action)
            pair.act(action)
            if step % 3 == 2:
                pair.restore()
            if step % 5 == 4:
                judges = Judges(subject, pair.interpreted, pair.compiled, tally)
                judges.compare(random.Random(seed + step), plan.subsets)
        if pair.interpreted.finished and seed % 3:
            tally.settled += 1
    except Endless:
        tally.endless += 1


def shortest(
    subject: Subject,
    seats: int,
    seed: int,
    plan: Plan,
    played: list[Action],
    found: Disagreement,
) -> Disagreement:
    """The same disagreement with actions left out as long as one remains, told as a case."""
    actions, tries = list(played), 0
    place = len(actions) - 1
    while place >= 0 and tries < 60:
        fewer = actions[:place] + actions[place + 1 :]
        again, done = _differs(subject, seats, seed, plan, fewer)
        tries += 1
        if again is not None:
            found, actions = again, done
        place = min(place, len(actions)) - 1
    found.story = [f"rule: {subject.name}, {seats} seats, seed {seed}"]
    found.story += [
        f"  {number}. {_told(action)}" for number, action in enumerate(actions, 1)
    ]
    return found


def _differs(
    subject: Subject, seats: int, seed: int, plan: Plan, actions: list[Action]
) -> tuple[Disagreement | None, list[Action]]:
    done: list[Action] = []
    try:
        play_match(subject, seats, seed, plan, Tally(), done, actions)
    except Disagreement as again:
        return again, done
    return None, done


def _told(action: Action) -> str:
    kind, seat, value = action
    return f"seat {seat} {kind}s" if kind == "skip" else f"seat {seat} {kind}s {value}"
