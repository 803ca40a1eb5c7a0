"""A small edit of a rule is a small diff of its package, at every place of every rule that we ship.

The edits are those of `tests.small_edits`. Each says how many lines may change, taken away and added, over all files as
black leaves them: none for keys and the canvas, two for a constant or a check, one for a node, a function and its row for
a wait. What an edit may change besides is named here, reason by reason, and counted in the texts (`Diff.reasons`). What is
left must be the same to the letter, which the second test holds against the functions and classes that the edit is about.

`test_small_diffs_table` has one place of each edit in each rule, with the exact number of lines.

`-s` prints the table of what was tried and the worst place of each edit; by default that is a sample of the places, with
`DEALWRIGHT_LONG=1` all of them.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from dealwright.compiler import pipeline
from tests import small_edits
from tests.adopt.lines import changed_lines
from tests.rule_changes import Flow, document
from tests.small_edits import EDITORS, Edited, Editor, constant, flows, targets
from tests.small_edits_texts import (
    Files,
    Ifs,
    calls_of,
    first_statements,
    function_heads,
    has_word,
    ifs_of,
    imported_names,
    lines_of,
    lines_of_all,
    lines_with,
    local_names,
    regions,
    says,
    statements_from,
    statements_of,
    times_written,
)
from tests.support import LONG, built, encoded, shipped_rules, shown

Json: TypeAlias = Any

PLACES = 2
"""Places of an edit in a rule that are tried by default."""

NEAR = 1
"""An edit may turn an `if` round if no more branches than this, guards left out, stand between the two."""

FUNCTIONS = 2
"""A wait may make so many functions: its own, and one of the join that it can no longer reach otherwise."""

CALLS = 2
"""So many ways may lead to that join; or led to a function that is none any longer."""

ELIFS, ELSES = 1, 1
"""An edit opens at most one `elif`, and gives or takes one `else:`."""

COPIES = 2
"""A wait may have so many statements written once more, or once less: a step, and the wait or the end behind it."""

BEATS = 7 + 1
"""`beats` of two cardsets asks for them, in seven lines; of a lone one it is its comparison, in one."""


# -- what has changed


@dataclass(frozen=True, slots=True)
class Diff:
    """An edit with the files of both rules."""

    edited: Edited
    old: Files
    new: Files

    @property
    def lines(self) -> int:
        """The lines taken away and added, over all files."""
        assert self.old.keys() == self.new.keys()
        return sum(changed_lines(self.old[file], self.new[file]) for file in self.old)

    @property
    def allowed(self) -> int:
        """The lines that may change."""
        return sum(self.reasons().values())

    def reasons(self) -> dict[str, int]:
        """Why lines may change, and how many."""
        edited = self.edited
        copies = self._copies()
        # of a wait the function and the row are there once
        is_wait = bool(edited.beyond)
        lines = edited.lines + copies - 1 if is_wait else edited.lines * copies
        found = {"the edit": lines}
        if edited.counted:
            texts = [line for text in self.old.values() for line in text.splitlines()]
            found["its name"] = 2 * sum(
                has_word(line, edited.counted) for line in texts
            )
        if is_wait:
            found |= {
                "an elif or else": self._for_else(),
                "further functions and their calls": self._for_functions(),
                "what stands at another depth, or twice": self._for_moves(),
            }
        elif edited.inserted:
            found |= {
                "a parameter": self._for_parameters(),
                "the end behind it, which is nested": self._for_end(),
                "ifs turned round": 2 * sum(self.turned().values()),
                "an elif or else": self._for_else(),
                "a tail that is copied": self._for_tail(),
                "a local that a step ends": self._for_locals(),
            }
        found["beats, of a lone cardset its comparison"] = self._for_beats()
        found["imports"] = self._for_imports()
        found["what of the cards judging looks at"] = self._for_facts()
        return {reason: lines for reason, lines in found.items() if lines}

    def _for_beats(self) -> int:
        """What asks of which cardset the plays are, where there is a second one."""
        aliases = [
            any(line.startswith(("beats = ", "beats_in = ")) for line in lines)
            for lines in (
                files["cardsets.py"].splitlines() for files in (self.old, self.new)
            )
        ]
        return BEATS if aliases[0] != aliases[1] else 0

    def _copies(self) -> int:
        """How often the nodes that are edited, or the inserted one, are written in functions that change."""
        edited, file = self.edited, self.edited.file
        ids = edited.written or (edited.inserted,)
        if not any(ids):
            return 1
        old, new = regions({file: self.old[file]}), regions({file: self.new[file]})
        changed = [
            name
            for name in {**old, **new}
            if new.get(name) != old.get(name) and not name.endswith(":RESUME")
        ]
        before, after = (
            sum(times_written(one.get(name, ""), id) for name in changed for id in ids)
            for one in (old, new)
        )
        return max(1, before, after) if edited.written else max(1, after - before)

    def _for_imports(self) -> int:
        """A line for a name, and three more where a module is imported from first: `from`, a parenthesis, an empty line."""
        found = 0
        for file in self.old:
            old, new = (imported_names(one[file]) for one in (self.old, self.new))
            modules = {module for module, _ in old} ^ {module for module, _ in new}
            found += len(set(old) ^ set(new)) + 3 * len(modules)
        return found

    def _for_parameters(self) -> int:
        """The first look of a function at the game: its head and all of its calls."""
        found = 0
        for file, text in self.old.items():
            heads, new_heads = function_heads(text), function_heads(self.new[file])
            for name, head in heads.items():
                if new_heads.get(name, head) != head:
                    calls = [x for one in self.old.values() for x in one.split("\n")]
                    found += 2 + 2 * sum(f"{name}(" in line for line in calls)
        return found

    def turned(self) -> dict[tuple[str, str], int]:
        """The ifs that ask otherwise than before, with the lines from there to the end of the block."""
        old, new = self._ifs()
        return {
            id: one.span for id, one in old.items() if new.get(id, one).test != one.test
        }

    def _for_end(self) -> int:
        """Where both sides of a new branch are ends, the one on the true side is nested: what stood there is indented."""
        edited = self.edited
        flow = flows(edited.new)[edited.flow][1]
        ways = targets(flow, edited.inserted)
        ends = small_edits.ENDS[small_edits.kind_of(flow)]
        if len(ways) < 2 or any(flow[one]["type"] != ends for one in ways):
            return 0
        return 2 * lines_of(self.old[edited.file], edited.before)

    def _ifs(self) -> tuple[Ifs, Ifs]:
        """The ifs of the old file and the new one; what a wait moves to another function is the same `if` there."""
        file, is_wait = self.edited.file, bool(self.edited.beyond)
        old, new = (
            {
                ("" if is_wait else name, id): one
                for (name, id), one in ifs_of(text).items()
            }
            for text in (self.old[file], self.new[file])
        )
        return old, new

    def _for_else(self) -> int:
        """An `else:` where there was none, and an `elif` that no longer follows at once, all of it if that is for a step."""
        old, new = self._ifs()
        is_wait = bool(self.edited.beyond)
        opened = [
            one.head if is_wait else one.lines
            for id, one in old.items()
            if one.is_elif and not new.get(id, one).is_elif
        ]
        file = self.edited.file
        more = self.new[file].count("else:\n") - self.old[file].count("else:\n")
        return 2 * sum(opened[:ELIFS]) + min(abs(more), ELSES)

    def _for_tail(self) -> int:
        """Where steps before an end are written more than once, and longer ones would not be: all that is written there."""
        file, behind = self.edited.file, self.edited.behind
        flow = flows(self.edited.old)[self.edited.flow][1]
        is_step = flow[behind]["type"] in small_edits.STEPS
        times = max(times_written(one[file], behind) for one in (self.old, self.new))
        if not is_step or times <= 1:
            return 0
        return self._laid_out_anew((behind,))

    def _for_locals(self) -> int:
        """Lines that named a local and now spell its formula, since a step before them may change what it is made of."""
        file = self.edited.file
        flow = flows(self.edited.new)[self.edited.flow][1]
        if flow[self.edited.inserted]["type"] not in small_edits.STEPS:
            return 0
        names = local_names(self.old[file])
        old, new = (lines_with(one[file], names) for one in (self.old, self.new))
        return 2 * (old - new).total()

    def _for_functions(self) -> int:
        """Functions that a wait makes or makes no longer, its own apart: three lines each, and those that call them."""
        file = self.edited.file
        old, new = (calls_of(one[file]) for one in (self.old, self.new))
        names = [set(function_heads(one[file])) for one in (self.old, self.new)]
        come, gone = len(names[1] - names[0]), len(names[0] - names[1])
        # at most the one function goes that the wait makes superfluous
        changed = min(come + gone, FUNCTIONS)
        calls = min((new - old).total(), CALLS)
        calls += min((old - new).total(), CALLS) if gone else 0
        return 3 * max(changed - 1, 0) + calls

    def _for_moves(self) -> int:
        """What an inserted wait takes to another depth, or makes twice: the lines of those statements.

        Nothing moves but what stands behind the wait in its block, or behind the join that becomes a function in the block
        of that; and a statement stands at one other place only. What comes or goes besides is a short tail that is written
        once more, or once less.
        """
        edited = self.edited
        old, new = (statements_of(one[edited.file]) for one in (self.old, self.new))
        block = statements_from(self.old[edited.file], (edited.before, *self._joins()))
        found, copies = 0, list[int]()
        for id in (edited.behind, *edited.beyond):
            was, now, below = (
                Counter((one.depth, one.lines) for one in part if says(one.last, id))
                for part in (old, new, block)
            )
            gone, come = lines_of_all(was - now), lines_of_all(now - was)
            moved = min(len(gone), len(come), ((was - now) & below).total())
            found += sum(gone[:moved]) + sum(come[:moved])
            copies += gone[moved:] + come[moved:]
        return found + sum(copies[:COPIES])

    def _joins(self) -> tuple[str, ...]:
        """The node with which the one function begins that a wait makes besides its own; none if it makes more."""
        old, new = (
            first_statements(one[self.edited.file]) for one in (self.old, self.new)
        )
        heads = [
            new[name].last for name in new.keys() - old.keys() - {*self.edited.words}
        ]
        if len(heads) != 1:
            return ()
        return tuple(id for id in self.edited.beyond if says(heads[0], id))

    def _laid_out_anew(self, ids: Sequence[str]) -> int:
        """All lines of the functions that name one of the nodes, and the heads of new functions."""
        file = self.edited.file
        old, new = regions({file: self.old[file]}), regions({file: self.new[file]})
        parts = [text for text in old.values() if any(says(text, id) for id in ids)]
        heads = 4 * len(new.keys() - old.keys()) if parts else 0
        return heads + 2 * sum(part.count("\n") + 1 for part in parts)

    def _for_facts(self) -> int:
        """These lines say what of the cards judging looks at: that they follow an edit of it is what they are for."""
        lines = [re.findall(FACTS, one["__init__.py"]) for one in (self.old, self.new)]
        return len(set(lines[0]) ^ set(lines[1]))

    def concerns(self, region: str, text: str) -> bool:
        """Whether a function or another part of a file is one that the edit is about."""
        edited, file = self.edited, region.partition(":")[0]
        if region in edited.regions:
            return True
        if any(has_word(text, word) for word in edited.words):
            return True
        flow = flows(edited.new)[edited.flow][1] if edited.beyond else {}
        steps = [one for one in edited.beyond if not small_edits.is_end(flow, one)]
        nodes = (*edited.nodes, *steps)
        return file == edited.file and any(says(text, one) for one in nodes)


FACTS = r"(?m)^    (?:judged_by=.*|in_any_order=True),\n"


def is_near(flow: Flow, id: str, behind: str) -> bool:
    """Whether at most `NEAR` branches lie on some way from one branch to the node `behind`, which counts, guards do not."""
    found: set[str] = set()
    pending = [(id, 0)]
    while pending:
        here, passed = pending.pop(0)
        if here in found or passed > NEAR:
            continue
        if here == behind:
            return True
        found.add(here)
        for target in targets(flow, here):
            counts = flow[target]["type"] == 16 and not _is_guard(flow, target)
            pending.append((target, passed + counts))
    return False


def _is_guard(flow: Flow, id: str) -> bool:
    """Whether one side of a branch refuses, or ends the match."""
    ends = [flow[one] for one in targets(flow, id)]
    return any(
        one["type"] == 18 or (one["type"] == 28 and not one["content"].get("result"))
        for one in ends
    )


# -- making the diffs


@cache
def diffs(path: Path, editor: Editor) -> tuple[Diff, ...]:
    """An edit of a shipped rule at some places, or at all of them in the long setting; compiled."""
    offers = list(editor(document(path)))
    assert offers, "the rule has no place for this edit"
    if not LONG and len(offers) > PLACES:
        choose = random.Random(f"{path.stem} {editor.__name__}")
        offers = choose.sample(offers, PLACES)
    return tuple(diff_of(path, offer()) for offer in offers)


def diff_of(path: Path, edited: Edited) -> Diff:
    """An edit of the rule at `path`, compiled."""
    return Diff(edited, _files(path, edited.old), _files(path, edited.new))


def _files(path: Path, rule: Json) -> Files:
    if encoded(rule) == encoded(document(path)):
        return built(path).files
    return pipeline.build(encoded(rule, indent=2), shown(path)).files


# -- the tests

PATHS = shipped_rules()

STRAIGHT = "ask_reply -> keep_reply 21"
"""A wait in War where the way is straight."""


@pytest.mark.parametrize("editor", EDITORS)
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_an_edit_changes_few_lines(path: Path, editor: Editor) -> None:
    """No more lines change than the reasons give, and some do where the meaning changes."""
    tried = sorted(diffs(path, editor), key=lambda one: one.lines)
    for made in tried if not LONG else tried[-1:]:
        print(f"\n{_row(path, editor, made)}", end="")
    wrong = [
        _row(path, editor, made)
        for made in tried
        if made.lines > made.allowed or (made.lines > 0) != (made.allowed > 0)
    ]
    assert wrong == []


def _row(path: Path, editor: Editor, made: Diff) -> str:
    reasons = "; ".join(f"{lines} {reason}" for reason, lines in made.reasons().items())
    row = f"{path.stem:12} {editor.__name__:20} {made.edited.place:36}"
    return f"{row} {made.lines:4} of {made.allowed} lines: {reasons or 'none'}"


@pytest.mark.parametrize("editor", EDITORS)
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_nothing_else_changes(path: Path, editor: Editor) -> None:
    """Only functions, methods and tables change that the edit is about."""
    for made in diffs(path, editor):
        strangers = list(_strangers(made))
        assert strangers == [], made.edited.place


def _strangers(made: Diff) -> Iterator[str]:
    old, new = regions(made.old), regions(made.new)
    reasons = made.reasons()
    for one in {**old, **new}:
        was, now = old.get(one, ""), new.get(one, "")
        if was == now or any(made.concerns(one, text) for text in (was, now)):
            continue
        if "imports" in reasons and one.endswith((":other", ":names")):
            continue
        if "a tail that is copied" in reasons and not was:
            continue  # the tail is a function now
        if "a parameter" in reasons and _without_game(was) == _without_game(now):
            continue
        if one == "__init__.py:PACKAGE" and re.sub(FACTS, "", was) == re.sub(
            FACTS, "", now
        ):
            continue
        yield one


def _without_game(text: str) -> str:
    return re.sub(r"\s|,|\bgame\b", "", text)


@pytest.mark.parametrize(
    "editor", [one for one in EDITORS if one.__name__ not in ("constant",)]
)
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_only_an_edit_nearby_turns_an_if(path: Path, editor: Editor) -> None:
    """No `if` says the opposite of before because of something further down, nor because of a step or a wait."""
    for made in diffs(path, editor):
        if not made.edited.inserted:
            continue
        flow = flows(made.edited.new)[made.edited.flow][1]
        behind = made.edited.behind
        is_wait = bool(made.edited.beyond)
        turned = [id for _, id in made.turned()]
        far = [id for id in turned if is_wait or not is_near(flow, id, behind)]
        assert far == [], made.edited.place


@pytest.mark.parametrize(
    ("rule", "place", "lines"),
    [
        # a function, where the way is straight: `return`, `def` and two empty lines, a row
        ("war", STRAIGHT, 5),
        # a join becomes a function where it stands, and what led to it calls that
        ("big_two", "has_played -> pass_on 21", 6),
        ("twenty_one", "wants_card -> end_turn 22", 3 + 5),
        ("twenty_one", "keep_best -> last_seat 22", 3 + 5),
        # a function and a join, two calls, and an `elif` that is an `if`
        ("war", "reply_wins -> lead_wins 21", 12),
    ],
)
def test_a_wait_leaves_a_join_where_it_is(rule: str, place: str, lines: int) -> None:
    """Lines change only where the wait stands: these places are the ways to a join, from within a branch or before it."""
    (path,) = (one for one in PATHS if one.stem == rule)
    offers = (offer() for offer in small_edits.wait(document(path)))
    (edited,) = (one for one in offers if one.place == place)
    assert diff_of(path, edited).lines == lines


def test_a_diff_elsewhere_is_seen() -> None:
    """The first two tests would fail if a constant changed a line of another function, or one line more."""
    made = diffs(PATHS[0], constant)[0]
    worse = dict(made.new)
    worse["__init__.py"] = worse["__init__.py"].replace("players=", "players= ")
    other = Diff(made.edited, made.old, worse)
    assert other.lines == made.lines + 2 > other.allowed
    assert "__init__.py:PACKAGE" in list(_strangers(other))


def test_a_wait_that_changes_more_is_seen() -> None:
    """The first test would fail if a wait made a third function, or took three statements along that stay where they are."""
    (path,) = (one for one in PATHS if one.stem == "war")
    offers = (offer() for offer in small_edits.wait(document(path)))
    made = diff_of(path, next(one for one in offers if one.place == STRAIGHT))
    assert made.lines == made.allowed == 5

    def changed(old: str, new: str) -> Diff:
        assert made.new["match.py"].count(old) == 1
        text = made.new["match.py"].replace(old, new)
        return Diff(made.edited, made.old, {**made.new, "match.py": text})

    count = "    game.table.round += 1  # [count_round]\n"
    rest = "    return {0}(game)\n\n\ndef {0}(game: WarGame) -> Next:\n"
    split = changed(count, rest.format("one") + count + rest.format("other"))
    assert split.lines == 5 + 2 * 4 > split.allowed
    repeated = changed(count, 4 * count)
    assert repeated.lines == 5 + 3 > repeated.allowed


def test_an_if_turned_from_afar_is_seen() -> None:
    """What the third test asks is no matter of course: two branches further up are too far."""
    flow: Flow = {
        "1": small_edits.node(23, next="a"),
        "a": small_edits.node(16, condition=True, next_true="b", next_false="x"),
        "b": small_edits.node(16, condition=True, next_true="c", next_false="x"),
        "c": small_edits.node(16, condition=True, next_true="y", next_false="x"),
        "x": small_edits.node(24, result=0),
        "y": small_edits.node(24, result=1),
    }
    assert is_near(flow, "b", "c") and is_near(flow, "c", "c")
    assert not is_near(flow, "a", "c")
