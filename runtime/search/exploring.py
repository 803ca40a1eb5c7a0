"""Running a function once for every way in which its questions about unknown things can be answered.

The function asks an `Exploration` whatever it needs to know of numbers that are not known. An answer that follows from
those before it is given; otherwise both are possible, and the function is run again for the other one: with the same
answers up to there, which need not be thought about a second time. What has been answered on the way to a result is all
that the numbers must be like for the function to come to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias, final

from dealwright.runtime.search.bounds import Bounds

Known: TypeAlias = Mapping[str, Bounds]
"""What is known of the cards, by property: the numbers are the property of the first card, of the second, and so on."""
Question: TypeAlias = tuple[str, int, int, int]
"""Of a property: are the cards at the first two places apart by at most (or exactly) the last number?"""

MOST_WORK_OF_RUN: Final = 20_000
"""Work of one run: a flow that goes round and round is left alone."""


class Stuck(Exception):
    """The function does something with an unknown thing that no answer can be given for."""


@final
class Exploration:
    """The runs of one function.

    Attributes:
        known: what the answers of this run say.
        work: what all runs have taken up to now, in steps of some two microseconds; counted, not timed.
    """

    __slots__ = ("_answers", "_cost", "_given", "_later", "_limit", "known", "work")

    def __init__(self, known: Known) -> None:
        """Explore a function that is about to be run, where this much is known."""
        self.known = known
        self.work = 0
        self._limit = MOST_WORK_OF_RUN
        self._given: tuple[bool, ...] = ()
        self._answers: list[bool] = []
        self._later: list[tuple[tuple[bool, ...], Known]] = [((), known)]
        # of two new bounds, each of which is held against all others, some eight in the time of a step
        places = max((len(bounds.rows) for bounds in known.values()), default=0)
        self._cost = places * places // 8

    def runs(self, function: Callable[[], object]) -> Iterator[object]:
        """What the function returns, run by run; `Stuck` where it cannot go on, because of what is not known or else.

        While one is looked at, `known` is what led to it.

        Raises:
            RecursionError: the stack is full, which says nothing of the function.
        """
        while self._later:
            self._given, self.known = self._later.pop()
            self._answers = []
            self._limit = self.work + MOST_WORK_OF_RUN
            try:
                yield function()
            except RecursionError:
                raise  # by whoever asks with a full stack: another time it would be different
            except Exception:
                # an error of the rule, or of an unknown thing that is taken for one that is not: which one cannot be told
                yield Stuck

    @property
    def ways_left(self) -> int:
        """How many answers are known to be possible that no run has been made for."""
        return len(self._later)

    def step(self, work: int = 1) -> None:
        """Something was done with an unknown thing, or other work.

        Raises:
            Stuck: it was too much for one run.
        """
        self.work += work
        if self.work > self._limit:
            raise Stuck

    def is_at_most(self, question: Question) -> bool:
        """Whether the one card's property is greater than the other's by at most so much."""
        answer = self._again()
        if answer is not None:
            return answer
        name, one, other, most = question
        known = self.known[name]
        if known.rows[one][other] <= most:
            return self._follows(True)
        if known.rows[other][one] < -most:
            return self._follows(False)
        return self._either(
            name, known.at_most(one, other, most), known.at_most(other, one, -most - 1)
        )

    def is_exactly(self, question: Question) -> bool:
        """Whether the one card's property is greater than the other's by exactly so much."""
        answer = self._again()
        if answer is not None:
            return answer
        name, one, other, difference = question
        known = self.known[name]
        equal = known.exactly(one, other, difference)
        if equal is None:
            return self._follows(False)
        if known.is_exact(one, other):
            return self._follows(True)
        return self._either(name, equal, known.other_than(one, other, difference))

    def is_so(self) -> bool:
        """Whether something is so of which nothing can be known."""
        answer = self._again()
        if answer is not None:
            return answer
        self._later.append(((*self._answers, False), self.known))
        return self._follows(True)

    def _again(self) -> bool | None:
        """The answer that this run was begun for, up to where it leaves the one before."""
        self.step()
        place = len(self._answers)
        if place >= len(self._given):
            return None
        answer = self._given[place]
        self._answers.append(answer)
        return answer

    def _follows(self, answer: bool) -> bool:
        self._answers.append(answer)
        return answer

    def _either(self, name: str, if_so: Bounds | None, if_not: Bounds | None) -> bool:
        """Go on with the one, and come back for the other."""
        assert if_so is not None and if_not is not None, "otherwise it would follow"
        self.work += self._cost
        self._later.append(((*self._answers, False), {**self.known, name: if_not}))
        self.known = {**self.known, name: if_so}
        return self._follows(True)
