"""Our end of the conversation with a rival that is a package: a process in its environment, asked as a contender."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO, Any, TypeAlias, final

from bench.contest import Aim, Contender, Setting
from bench.environments import Unavailable
from bench.rivals import PACKAGES
from bench.subjects import ROOT

Json: TypeAlias = Any


@final
class Opponent:
    """A rival's process: it has answered the questions and waits to go through them against the clock."""

    __slots__ = ("_errors", "_process", "answers", "version")

    def __init__(
        self, setting: Setting, rival: str, task: str, questions: Json
    ) -> None:
        """Start the rival and have the questions answered.

        Args:
            task: what its script calls the kind of question.
            questions: a list of whatever JSON its script takes as a question.

        Raises:
            Unavailable: its environment cannot be made, or it fails.
        """
        python = setting.environments.python(rival, PACKAGES[rival])
        module = f"bench.rivals.{rival.replace('-', '_')}"
        # whatever is set up for finding our own modules must not reach the rival
        environment = {
            name: value for name, value in os.environ.items() if name != "PYTHONPATH"
        }
        # closed by `close`; a pipe that nobody empties could stop the rival
        self._errors: IO[str] = tempfile.TemporaryFile(  # noqa: SIM115
            "w+", encoding="utf-8"
        )
        self._process = subprocess.Popen(
            [str(python), "-m", module],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            encoding="utf-8",
        )
        try:
            reply = self._ask({"task": task, "questions": questions})
        except Unavailable:
            self.close()
            raise
        self.version: str = reply["version"]
        self.answers: list[Any] = reply["answers"]

    def run(self, loops: int) -> float:
        """Go through the questions so many times: CPU seconds of the rival's process."""
        return float(self._ask(loops)["seconds"])

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None and self._process.stdout is not None
        with suppress(BrokenPipeError):  # it may have ended by itself
            self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._errors.close()

    def _ask(self, message: Json) -> Json:
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise Unavailable(self._last_words()) from None
        line = self._process.stdout.readline()
        if not line:
            raise Unavailable(self._last_words())
        return json.loads(line)

    def _last_words(self) -> str:
        self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read().strip().splitlines()
        return lines[-1] if lines else "it ended without a word"


@final
class Opponents:
    """All rivals of a contest that are packages.

    Attributes:
        contenders: those that could be had.
        missing: the others, and why.
    """

    __slots__ = ("_processes", "contenders", "missing")

    def __init__(
        self,
        setting: Setting,
        task: str,
        questions: Json,
        aims: Mapping[str, Aim | None],
    ) -> None:
        """Start those rivals of `aims` that take part, and set them the task."""
        self.contenders: list[Contender] = []
        self.missing: dict[str, str] = {}
        self._processes: list[Opponent] = []
        for rival, aim in aims.items():
            if not setting.has(rival):
                continue
            try:
                opponent = Opponent(setting, rival, task, questions)
            except Unavailable as error:
                self.missing[rival] = str(error)
                continue
            self._processes.append(opponent)
            self.contenders.append(
                Contender(rival, _given(opponent), opponent.run, aim, opponent.version)
            )

    def close(self) -> None:
        """End all of them."""
        for process in self._processes:
            process.close()


def _given(opponent: Opponent) -> Callable[[], list[Any]]:
    return lambda: opponent.answers
