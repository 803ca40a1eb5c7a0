"""The match in the terminal, from the first deal to the settlement.

In: a package that has just been compiled and the bytes of its rule file. The person sits at seat 0 and sees what that
seat may see; without a person everything is shown.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeAlias, final

from dealwright.compiler.diagnostics.reporter import counted_noun, safe
from dealwright.compiler.output.memory import import_package
from dealwright.compiler.pipeline import Built
from dealwright.compiler.terminal.choices import Choices
from dealwright.compiler.terminal.commands import (
    HELP,
    Choose,
    Misread,
    Pick,
    Play,
    read_command,
)
from dealwright.compiler.terminal.computer import Computer, Stuck
from dealwright.compiler.terminal.labels import Labels
from dealwright.compiler.terminal.narrator import YOU, Line, Narrator, properties
from dealwright.compiler.terminal.screen import Screen, Turn, open_screen, turn_lines
from dealwright.compiler.terminal.transcript import Transcript
from dealwright.runtime import (
    Event,
    Match,
    MatchError,
    Package,
    PlayerBase,
    Rejected,
    TableBase,
    Wait,
)

AnyMatch: TypeAlias = Match[Any, Any, Any]

LONGEST_MATCH = 10_000
"""How many actions the computer players may make in a row; a rule whose matches go on longer hardly ever ends."""

PERSON = 0
TABLE_KEPT = frozenset(TableBase().values())
PLAYER_KEPT = frozenset(PlayerBase(PERSON).values())


def play_rule(
    built: Built,
    data: bytes,
    *,
    auto: bool,
    seed: int | None,
    transcript: Path | None,
) -> int:
    """Plays one match.

    Args:
        built: the compiled rule.
        data: the rule file, for the words that only people need.
        auto: no person plays.
        seed: decides the shuffles and what the computer players do; without one, a fresh one is made and shown.
        transcript: where to write the log and the actions.

    Returns:
        The exit code: 0, or 1 if the match cannot start or cannot end.

    Raises:
        OSError: the transcript cannot be written.
    """
    package: Package[Any, Any, Any] = import_package(built.slug, built.files).PACKAGE
    # where the rule leaves it open, two
    count = package.players or 2
    ids = [f"com{seat}" if auto or seat != PERSON else YOU for seat in range(count)]
    start = secrets.randbits(32) if seed is None else seed
    person = None if auto else PERSON
    with Transcript(transcript) as log:
        log.record({"rule": built.name, "ids": ids, "seed": start})
        table = _Table(package, Labels(data), ids, start, person, open_screen(), log)
        return table.run(built.name)


@final
class _Endless(Exception):
    """The computer players have made LONGEST_MATCH actions in a row."""

    def __str__(self) -> str:
        return f"stopped after {LONGEST_MATCH} actions: this match does not seem to end"


@final
class _Table:
    """One match with all that is needed to play and show it. `person` is the seat of the person, if one plays."""

    def __init__(
        self,
        package: Package[Any, Any, Any],
        labels: Labels,
        ids: Sequence[str],
        seed: int,
        person: int | None,
        screen: Screen,
        log: Transcript,
    ) -> None:
        self._package = package
        self._labels = labels
        self._ids = ids
        self._seed = seed
        self._person = person
        self._screen = screen
        self._log = log
        self._narrator = Narrator(ids, labels)
        self._actions = 0
        self._token = ""

    def run(self, name: str) -> int:
        """Plays to the end, or until the person leaves; gives the exit code."""
        self._say(
            Line(
                "title",
                f"{safe(name)}: {counted_noun(len(self._ids), 'player')}, seed {self._seed}",
            )
        )
        try:
            match = self._package.new_match(self._ids, seed=self._seed)
        except MatchError as problem:
            return self._give_up(f"the match cannot start: {safe(str(problem), None)}")
        if self._person is not None:
            self._token = match.tokens[self._person]
        self._tell(match)
        try:
            finished = self._play(match)
        except (Stuck, _Endless) as problem:
            return self._give_up(safe(str(problem), None))
        end = (
            f"finished after {counted_noun(self._actions, 'action')}"
            if finished
            else "you leave; the match stays unfinished"
        )
        self._say(Line("info", end))
        return 0

    def _play(self, match: AnyMatch) -> bool:
        """Has everybody act in turn; False if the person leaves."""
        computer = Computer(match, self._package.lengths, Random(self._seed))
        in_a_row = 0
        while (wait := match.pending) is not None:
            if wait.seat == self._person:
                in_a_row = 0
                if not self._person_acts(match, wait):
                    return False
            elif in_a_row == LONGEST_MATCH:
                raise _Endless
            else:
                in_a_row += 1
                computer.act()
            self._tell(match)
        return True

    def _person_acts(self, match: AnyMatch, wait: Wait) -> bool:
        """Asks the person until an action is accepted; False if there is no more to come."""
        choices = Choices(match, self._token)
        self._show(self._turn(match, wait, choices))
        prompt = "cards, or skip" if wait.kind == "play" else "your choice"
        while (text := self._ask(prompt)) is not None:
            match read_command(text, wait):
                case "quit":
                    return False
                case "help":
                    for line in HELP[wait.kind]:
                        self._say(Line("info", line))
                case Misread(why=why):
                    self._refuse(why)
                case Pick(number=number):
                    outcome = choices.take(number, self._ask, self._refuse)
                    if outcome != "open":
                        return outcome == "done"
                case Play() | Choose() as command:
                    if self._submit(match, command):
                        return True
        return False

    def _ask(self, prompt: str) -> str | None:
        text = self._screen.ask(prompt)
        if text is not None:
            self._log.note(f"{prompt}> {text}")
        return text

    def _refuse(self, why: str) -> None:
        self._say(Line("refused", why))

    def _submit(self, match: AnyMatch, command: Play | Choose) -> bool:
        player = self._ids[PERSON]
        try:
            if isinstance(command, Choose):
                match.choose(player, command.value)
            else:
                match.play(player, command.cards)
        except Rejected as problem:
            self._say(
                Line("refused", f"refused ({problem.code}): {safe(str(problem), None)}")
            )
            return False
        return True

    def _turn(self, match: AnyMatch, wait: Wait, choices: Choices) -> Turn:
        """What the person may know of the position."""
        facts = [("table", properties(_without(match.table.values(), TABLE_KEPT)))]
        for seat, player in enumerate(match.players):
            own = properties(_without(player.values(), PLAYER_KEPT))
            facts.append(
                (
                    self._ids[seat],
                    f"{counted_noun(len(match.hands[seat]), 'card')}{'' if own == '-' else f', {own}'}",
                )
            )
        if match.previous is not None:
            facts.append(("last play", self._narrator.play(*match.previous)))
        if wait.options:
            facts.append(
                (
                    "options",
                    ", ".join(
                        self._labels.option(wait.node, value) for value in wait.options
                    ),
                )
            )
        if wait.kind == "play" or choices.is_about_regions:
            facts += choices.lines()
        hand = sorted(
            match.hands[wait.seat], key=lambda card: (*card.values().values(), card.id)
        )
        faces = tuple((card.id, self._labels.card(card.values())) for card in hand)
        return Turn(f"you are to {wait.kind}", tuple(facts), faces)

    def _tell(self, match: AnyMatch) -> None:
        """Shows and records what has happened since the last time."""
        events = match.take_events(seat=self._person)
        for action in filter(None, map(_action, events)):
            self._actions += 1
            self._log.record(action)
        for line in self._narrator.lines(events):
            self._say(line)

    def _give_up(self, why: str) -> int:
        self._say(Line("refused", why))
        return 1

    def _say(self, line: Line) -> None:
        self._screen.say(line)
        self._log.note(line.text)

    def _show(self, turn: Turn) -> None:
        self._screen.turn(turn)
        for text in turn_lines(turn):
            self._log.note(text)


def _action(event: Event) -> list[object] | None:
    """The action that an event tells of, as `match.actions` and `replay` have it."""
    fields: Mapping[str, Any] = event.fields
    match event.kind:
        case "played":
            return [event.seat, "play", [card["card"] for card in fields["cards"]]]
        case "skipped":
            return [event.seat, "skip"]
        case "chose":
            return [event.seat, "choose", fields["value"]]
        case _:
            return None


def _without(
    values: Mapping[str, int], kept: Collection[str]
) -> Iterator[tuple[str, int]]:
    """The rule's own properties: those of the engine only say what the screen shows anyway."""
    return ((name, value) for name, value in values.items() if name not in kept)
