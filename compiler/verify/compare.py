"""One input on both sides: what is answered, and everything there is to see afterwards, must be the same.

A `Session` is one match, interpreted and compiled. Each step is done on the interpreter first: if that meets the bound
of a flow, nothing more is compared, since where an endless flow stops is not specified. The first difference is raised
as `Differs`, with the line of a case file that the interpreter fulfils and the package does not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

from dealwright.compiler.interpreter import interpret
from dealwright.compiler.verify.inputs import (
    Action,
    Arranged,
    Beats,
    Begin,
    Build,
    Cards,
    Input,
    Json,
    Plays,
    Question,
    Recognize,
    Start,
    Step,
    shown,
)
from dealwright.compiler.verify.playable import (
    MOST_HELD,
    judged,
    listed,
    searched,
)
from dealwright.compiler.verify.sides import (
    STEPS,
    Answer,
    Event,
    Failure,
    Refusal,
    State,
    Subject,
    Value,
    compiled_answer,
    compiled_event,
    compiled_state,
    event_views,
    interpreted_answer,
    interpreted_event,
    interpreted_state,
    line_of,
    play_json,
    play_text,
)
from dealwright.compiler.verify.watch import NoAnswer, watched


@final
@dataclass(frozen=True, slots=True)
class Difference:
    """Where both sides differ: a line of a case file as the interpreter has it, and both answers as text.

    `is_answer` says whether the line is the last command itself, with its answer; else it looks at what came of it.
    """

    line: str
    interpreted: str
    compiled: str
    is_answer: bool


class Differs(Exception):
    """Both sides differ; `told` are the lines of a case file for what was done before without a difference."""

    def __init__(self, difference: Difference, told: list[str]) -> None:
        super().__init__(difference.line)
        self.difference = difference
        self.told = told


class Incomparable(Exception):
    """Nothing more can be compared in this match: it cannot start, or a flow does not end."""


@final
class Session:
    """A match on both sides. `told` holds the lines of a case file for all that was done so far.

    `answer` is the common answer to the latest step, if that was a question that was answered; `refused` counts the
    actions in a row that were refused.

    Raises:
        Differs: from every method, at the first difference.
        Incomparable: from every method.
    """

    def __init__(self, subject: Subject, begin: Begin) -> None:
        self.subject = subject
        self.told: list[str] = []
        self.answer: Json = None
        self.refused = 0
        self._is_arranged = isinstance(begin, Arranged)
        self._events: tuple[list[Event], list[Event]] = ([], [])
        mine, yours = _begun(subject, begin)
        self._agree(begin.command(), mine, yours, _no_text)
        if not isinstance(mine, Value) or not isinstance(yours, Value):
            raise Incomparable
        self.interpreted: interpret.Match = mine.value
        self.compiled: Any = yours.value
        self._compare_states()

    def do(self, step: Step) -> None:
        """Do one step on both sides."""
        self.answer = None
        if isinstance(step, Action):
            self._act(step)
        elif isinstance(step, Plays):
            self._ask_plays(step)
        else:
            self._ask(step)

    def would_fit(self, cards: Cards, must_beat: bool) -> bool:
        """Whether the package takes these cards for a cardset, and one that beats the previous play.

        A cheap guess for those who draw inputs: nothing is compared, and an error counts as yes, so that it is met.
        """
        package, match = self.subject.compiled, self.compiled

        def fits() -> bool:
            play = package.recognize(self._live(cards), match)
            if play is None or not must_beat or match.previous is None:
                return play is not None
            return bool(package.beats(play, match.previous[1], match))

        return _is_likely(fits)

    # ---- actions

    def _act(self, action: Action) -> None:
        mine = interpreted_answer(_submit, self.interpreted, action)
        _stop_if_endless(mine)
        with watched():
            yours = _answer(_submit, self.compiled, action)
        self._agree(action.command(), mine, yours, _no_text)
        self.refused = 0 if isinstance(mine, Value) else self.refused + 1
        self._compare_states()

    # ---- questions

    def _ask(self, question: Question) -> None:
        # who the current player is when the match is over is not specified
        is_over = self.interpreted.finished
        if is_over or max(_cards_of(question), default=0) > len(self.subject.rule.deck):
            return
        mine = interpreted_answer(self._interpreted, question)
        if isinstance(mine, Value) and mine.value is _NOT_ASKED:
            return
        _stop_if_endless(mine)
        with watched():
            yours = _answer(self._asked, question)
        self._agree(question.command(), mine, yours, _TEXTS[type(question)])
        self.answer = mine.value if isinstance(mine, Value) else None

    def _ask_plays(self, question: Plays) -> None:
        """What can be played, if that is asked and the hand is small."""
        match, seat = self.interpreted, question.seat
        wait = match.pending
        if (
            wait is None
            or (wait["kind"], wait["seat"]) != ("play", seat)
            or len(match.state()["hands"][seat]) > MOST_HELD
        ):
            return
        with watched():
            found = _answer(searched, self.subject.compiled, self.compiled, seat)
        if found == Value(None):
            return
        orders = found.value.values() if isinstance(found, Value) else ()
        mine = interpreted_answer(judged, self.subject.rule, match, seat, orders)
        _stop_if_endless(mine)
        self._agree(question.command(), _in_order(mine), _in_order(found), shown)

    def _interpreted(self, question: Question) -> Json:
        rule, match = self.subject.rule, self.interpreted
        match question:
            case Build(cardset, cards):
                return interpret.build(rule, cardset, cards, match)
            case Recognize(cards):
                return interpret.recognize(rule, cards, match)
            case Beats(now, before):
                plays = [interpret.recognize(rule, one, match) for one in (now, before)]
                if plays[0] is None or plays[1] is None:
                    return _NOT_ASKED
                return interpret.beats(rule, plays[0], plays[1], match)

    def _asked(self, question: Question) -> Json:
        package, match = self.subject.compiled, self.compiled
        match question:
            case Build(cardset, cards):
                return self._built(cardset, cards)
            case Recognize(cards):
                return play_json(package.recognize(self._live(cards), match))
            case Beats(now, before):
                plays = [
                    package.recognize(self._live(one), match) for one in (now, before)
                ]
                return package.beats(plays[0], plays[1], match)

    def _built(self, cardset: str, cards: Cards) -> Json:
        """A build function called directly."""
        game = self.compiled.game_for(self.subject.compiled)
        return self.subject.builds[cardset](self._live(cards), game)

    def _live(self, numbers: Cards) -> list[Any]:
        cards = self.compiled.game_for(self.subject.compiled).cards
        return [cards[number - 1] for number in numbers]

    # ---- what has to be the same

    def _agree(
        self, command: str, mine: Answer, yours: Answer, text: Callable[[Json], str]
    ) -> None:
        """Take the answer to a command into the story, or raise."""
        line = command + _answer_text(mine, text)
        if not _is_same(mine, yours):
            spoken = _spoken(mine, text), _spoken(yours, text)
            raise Differs(Difference(line, *spoken, True), self.told)
        is_told = isinstance(mine, Value) or text is _no_text
        if is_told:
            self.told.append(line)

    def _compare_states(self) -> None:
        mine = interpreted_state(self.interpreted)
        answer = _answer(compiled_state, self.compiled)
        if not isinstance(answer, Value):
            line = f"hands == {shown(mine['hands'])}"
            spoken = "shows the match", str(answer)
            raise Differs(Difference(line, *spoken, False), self.told)
        self._compare(mine, answer.value)
        self._compare_events()

    def _compare(self, mine: State, yours: State) -> None:
        for words in {**mine, **yours}:
            missing = 0 if words.startswith(("table.", "player ", "card ")) else None
            one, other = mine.get(words, missing), yours.get(words, missing)
            if one != other:
                line = line_of(words, mine, self.interpreted.state())
                spoken = f"{words} is {shown(one)}", f"{words} is {shown(other)}"
                raise Differs(Difference(line, *spoken, False), self.told)

    def _compare_events(self) -> None:
        mine, yours = self._events
        known, told_before = len(mine), len(yours)
        mine += [interpreted_event(one) for one in self.interpreted.events[known:]]
        told = (compiled_event(one) for one in self.compiled.take_events())
        yours += [one for one in told if one is not None]
        if mine[known:] != yours[told_before:]:
            views = event_views(mine), event_views(yours)
            for one in views if self._is_arranged else ():
                # the package tells that an arranged match begins and who is asked, the interpreter does not
                for words in ("started", "asked", "kinds"):
                    one.pop(f"events {words}", None)
            self._compare(*views)


_NOT_ASKED = object()
"""The interpreter's answer to a question that makes no sense on both sides, because nothing recognises the cards."""


@final
@dataclass(frozen=True, slots=True)
class Found:
    """An input on which both sides differ, cut behind the step that shows it, with its story and the difference."""

    input: Input
    told: tuple[str, ...]
    difference: Difference


def run(subject: Subject, given: Input) -> Found | None:
    """What both sides differ in on this input, if they do."""
    done = 0
    try:
        session = Session(subject, given.begin)
        for step in given.steps:
            done += 1
            session.do(step)
    except Differs as differs:
        cut = Input(given.begin, given.steps[:done])
        return Found(cut, tuple(differs.told), differs.difference)
    except Incomparable:
        return None
    return None


def _begun(subject: Subject, begin: Begin) -> tuple[Answer, Answer]:
    """The match on both sides."""
    rule, package = subject.rule, subject.compiled
    match begin:
        case Start(seats, seed):
            mine = interpreted_answer(
                lambda: interpret.Match(rule, seats, seed=seed, step_limit=STEPS)
            )
            _stop_if_endless(mine)
            with watched():
                yours = _answer(lambda: package.new_match([*range(seats)], seed=seed))
        case Arranged():
            position = begin.position()
            mine = interpreted_answer(lambda: interpret.Match.arrange(rule, **position))
            yours = _answer(lambda: package.arrange(**position))
    return mine, yours


def _submit(match: Any, action: Action) -> None:
    """One action on either side."""
    match action.verb:
        case "play":
            match.play(action.seat, action.value)
        case "skip":
            match.skip(action.seat)
        case "choose":
            match.choose(action.seat, action.value)


def _answer(do: Callable[..., Any], *given: Any) -> Answer:
    """The package's answer; none within the time is a failure too."""
    try:
        return compiled_answer(do, *given)
    except NoAnswer:
        return Failure("does not come back")


def _is_likely(guess: Callable[[], bool]) -> bool:
    try:
        with watched():
            return guess()
    except (Exception, NoAnswer):
        return True


def _stop_if_endless(mine: Answer) -> None:
    if isinstance(mine, Refusal) and mine.code == "endless_flow":
        raise Incomparable


def _is_same(mine: Answer, yours: Answer) -> bool:
    if isinstance(mine, Value) and isinstance(yours, Value):
        return _is_match(mine.value) or bool(mine.value == yours.value)
    return mine == yours


def _is_match(value: Json) -> bool:
    """Whether an answer is a match, whose state is compared by itself."""
    return isinstance(value, interpret.Match)


def _answer_text(answer: Answer, text: Callable[[Json], str]) -> str:
    """The end of a command's line, with the arrow; nothing where it is just accepted."""
    said = text(answer.value) if isinstance(answer, Value) else str(answer)
    return f" -> {said}" if said else ""


def _spoken(answer: Answer, text: Callable[[Json], str]) -> str:
    """An answer in the words of a report."""
    match answer:
        case Value(value):
            return text(value) or "accepted"
        case Refusal():
            cause = f" ({answer.cause})" if answer.code == "rule_error" else ""
            return f"refused: {answer}{cause}"
        case Failure():
            return str(answer)


def _in_order(found: Answer) -> Answer:
    """What can be played, as a case file has it."""
    return Value(listed(found.value)) if isinstance(found, Value) else found


def _cards_of(question: Question) -> Cards:
    match question:
        case Build(_, cards) | Recognize(cards):
            return cards
        case Beats(now, before):
            return now + before


def _no_text(value: Json) -> str:
    """The text of an answer that says no more than that something was accepted."""
    return ""


_TEXTS: dict[type, Callable[[Json], str]] = {
    Build: lambda value: "none" if value is None else shown(value),
    Recognize: play_text,
    Beats: lambda value: "true" if value else "false",
}
