"""A small edit of a rule is a small diff of its package, on every rule that we ship.

Each edit finds a fitting place in whatever rule it is given, and says how many lines may change, taken away and added,
over all files as black leaves them. Where that depends on the rule it is counted in the texts: the lines that name a
property, the places where a node was written. What is left besides those lines must be the same to the letter, which
the second test holds against the functions and classes that the edit is about. `-s` prints the table.
"""

from __future__ import annotations

import ast
import copy
import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from keyword import iskeyword
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from dealwright.compiler import pipeline
from tests import rule_changes
from tests.adopt.lines import changed_lines
from tests.rule_changes import Flow, design, document
from tests.support import LONG, built, encoded, shipped_rules, shown

Json: TypeAlias = Any
Files: TypeAlias = Mapping[str, str]

WAITS = (21, 22)
STATEMENTS = (4, 19, 20, *WAITS)
CONTROL = (*STATEMENTS, 16, 18, 24, 26, 28, 30)
JUMPS = ("next", "next_true", "next_false")


@dataclass(frozen=True, slots=True)
class Edited:
    """A rule before and after one edit, and what the edit is about.

    `lines` may change, for each place in a changed function at which the node `copied` is written if that is given, and
    two more for each line of the old texts that contains the word `counted`. Where the node
    `tail` is written more than once, short tails of a flow were copied and no longer are, or the other way round: the
    functions that it is written in may change as a whole, and another one may appear. A function, method
    or table is concerned if it stands in `regions`, if it contains one of `words`, or if it is in `file` and one of its
    comments names one of `nodes`.
    """

    place: str
    old: Json
    new: Json
    lines: int
    file: str = ""
    nodes: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()
    counted: str = ""
    tail: str = ""
    copied: str = ""


Editor: TypeAlias = Callable[[Json], Iterator[Edited]]
"""It gives the edit at every fitting place, the best one first."""


# -- finding places


def content(node: Json) -> Json:
    """The content of a node that has fields."""
    return node["content"]


def _flows(rule: Json) -> Iterator[tuple[str, Flow]]:
    """The flows of a rule with the files that they end up in; those first in which no edit changes sizes of cardsets."""
    sections = design(rule)
    yield "settle.py", sections["end_flow"]
    yield "match.py", sections["match_flow"]
    for owner in sections["classes"].values():
        for method in (owner.get("methods") or {}).values():
            yield "classes.py", method["flow"]
    for cardset in sections["cardsets"].values():
        yield "cardsets.py", cardset.get("compare_flow") or {}
    for one in (sections.get("cardset_comparisons") or {}).values():
        yield "cardsets.py", one.get("compare_flow") or {}
    for cardset in sections["cardsets"].values():
        yield "cardsets.py", cardset["build_flow"]


def _places(rule: Json) -> Iterator[tuple[Json, str, Flow, str]]:
    """Every node of every flow: a copy of the rule to spoil, the file, the flow in the copy, and the node's id."""
    ids = [list(flow) for _, flow in _flows(rule)]
    for number, flow_ids in enumerate(ids):
        for id in flow_ids:
            new = copy.deepcopy(rule)
            file, flow = list(_flows(new))[number]
            yield new, file, flow, id


def _reads(flow: Flow, id: str) -> set[str]:
    """The nodes that a node refers to, without jumps."""
    given, type = content(flow[id]), flow[id]["type"]
    fields = rule_changes.FIELDS.get(type, ())
    if type == 6 and given.get("operator"):
        fields = ("ident",)
    read = [given.get(field) for field in fields if field not in JUMPS]
    read += given.get("parameter", ()) if type == 1 else ()
    return {one for one in read if isinstance(one, str) and one in flow}


def _control_users(flow: Flow, id: str) -> set[str]:
    """The nodes on the path whose formulas need a node, itself if it is one."""
    if flow[id]["type"] in CONTROL:
        return {id}
    users = [one for one in flow if id in _reads(flow, one)]
    return {found for one in users for found in _control_users(flow, one)}


def _needs_size(flow: Flow, id: str) -> bool:
    return flow[id]["type"] == 7 or any(
        _needs_size(flow, one) for one in _reads(flow, id)
    )


# -- the edits


def constant(rule: Json) -> Iterator[Edited]:
    """A number that one statement uses once is another one, as wide as it was.

    Not the number of cards that a cardset has: that one stands in tables too.
    """
    for new, file, flow, id in _places(rule):
        given, key = content(flow[id]), "rval"
        if flow[id]["type"] == 8:
            key = "value"
            readers = [one for one in flow if id in _reads(flow, one)]
            if len(readers) != 1 or _times_read(flow, readers[0]) > 1:
                continue
        elif flow[id]["type"] not in (10, 14) or _times_read(flow, id) > 1:
            continue
        users = _control_users(flow, id)
        if type(given.get(key)) is not int or len(users) != 1:
            continue
        user = next(iter(users))
        if file == "cardsets.py" and _needs_size(flow, user):
            continue
        given[key] += -1 if given[key] % 10 == 9 else 1
        yield Edited(f"{file} {id}", rule, new, 2, file, (user,), copied=user)


def _times_read(flow: Flow, id: str) -> int:
    """How often a formula is written out in all that stands on the path."""
    if flow[id]["type"] in CONTROL:
        return 1
    return sum(
        _times_read(flow, one)
        * sum(1 for field in content(flow[one]).values() if field == id)
        for one in flow
        if id in _reads(flow, one)
    )


def check(rule: Json) -> Iterator[Edited]:
    """A branch of a cardset that refuses otherwise is followed by another one."""
    card = next(iter(design(rule)["classes"]["card"]["default_properties"]))
    for new, file, flow, id in _places(rule):
        given = content(flow[id])
        if flow["1"]["type"] != 27 or flow[id]["type"] != 16:
            continue
        refusal, then = given["next_false"], given["next_true"]
        if content(flow[refusal]).get("result") != 0:
            continue
        given["next_true"] = "checked"
        flow["checked"] = node(16, condition="low", next_true=then, next_false=refusal)
        flow["low"] = node(14, operator=2, lval="it", rval=50)
        flow["it"] = node(6, operator=1, ident="top", property=card)
        flow["top"] = node(5, selection="cards", index=0)
        yield Edited(f"{id}", rule, new, 2, file, (id, "checked"))


def node(type: int, **fields: Json) -> Json:
    """A node as the format writes it."""
    return {"type": type, "content": fields}


def node_in_the_middle(rule: Json) -> Iterator[Edited]:
    """An assignment stands behind a statement or a wait of the match flow."""
    for new, file, flow, id in _places(rule):
        is_match = flow.get("1", {}).get("type") == 17
        if not is_match or flow[id]["type"] not in STATEMENTS:
            continue
        then = content(flow[id])["next"]
        flow["noted"] = node(4, component="kept", rvalue=7, next=then)
        kept = "settlement_index"
        flow["kept"] = node(6, operator=0, ident="table_0", property=kept)
        content(flow[id])["next"] = "noted"
        tail = "" if flow[id]["type"] in WAITS else id
        yield Edited(id, rule, new, 1, file, (id, "noted"), tail=tail)


def retargeted(rule: Json) -> Iterator[Edited]:
    """One way out of a branch of the settlement leads to a result of its own."""
    for new, file, flow, id in _places(rule):
        if file != "settle.py" or flow[id]["type"] != 16:
            continue
        was = content(flow[id])["next_true"]
        if flow[was]["type"] != 24:
            continue
        flow["instead"] = node(24, result=8)
        content(flow[id])["next_true"] = "instead"
        yield Edited(id, rule, new, 2, file, (id, was, "instead"))


def wait(rule: Json) -> Iterator[Edited]:
    """A second wait of the same kind stands behind one: a function, and a row that may need three lines."""
    for new, file, flow, id in _places(rule):
        if flow[id]["type"] not in WAITS:
            continue
        flow["once_more"] = copy.deepcopy(flow[id])
        content(flow[id])["next"] = "once_more"
        words = ("after_play_once_more", "after_choice_once_more")
        yield Edited(id, rule, new, 4 + 3, file, (id, "once_more"), words)


def property_renamed(rule: Json) -> Iterator[Edited]:
    """A property has another name of the same width, everywhere."""
    for name in _properties(rule):
        new = copy.deepcopy(rule)
        other = name[:-1] + ("甲" if ord(name[-1]) > 127 else "q")
        for owner in design(new)["classes"].values():
            for part in ("default_properties", "user_properties"):
                given = owner.get(part) or {}
                owner[part] = {
                    other if key == name else key: one for key, one in given.items()
                }
        for flow, _ in rule_changes.flows(new):
            for one in flow.values():
                _rename(content(one), name, other)
        lines = 3 if iskeyword(name) else 0  # how a keyword is respelled
        yield Edited(name, rule, new, lines, words=(name, other), counted=name)


def _properties(rule: Json) -> Iterator[str]:
    """The properties of the table, of players and of cards, in the order in which they are preferred."""
    for part in ("table", "player", "card"):
        owner = design(rule)["classes"][part]
        yield from owner.get("user_properties") or {}
        yield from owner.get("default_properties") or {}


def _rename(given: Json, name: str, other: str) -> None:
    for key, value in given.items():
        if key in ("property", "name", "prop_name") and value == name:
            given[key] = other
        for one in value if isinstance(value, list) else ():
            if isinstance(one, dict):
                _rename(one, name, other)


def with_a_cardset(rule: Json) -> Json:
    """The rule with one more cardset, tried last."""
    made = copy.deepcopy(rule)
    cardsets = design(made)["cardsets"]
    cardsets[str(max(map(int, cardsets)) + 1)] = {
        "name": "Added",
        "properties": {},
        "build_flow": {
            "1": node(27, next="two"),
            "two": node(16, condition="pair", next_true="yes", next_false="no"),
            "pair": node(14, operator=0, lval="how_many", rval=2),
            "how_many": node(7, selection="cards"),
            "yes": node(28, result=1, properties={}),
            "no": node(28, result=0, properties={}),
        },
        "compare_flow": {},
        "successors": [],
    }
    return made


TABLES = (
    "__init__.py:PACKAGE",
    "cardsets.py:recognize",
    "cardsets.py:beats",
)
"""What lists all cardsets."""


A_CARDSET = 6 + 1 + 3 + 2
"""The lines of a cardset: its function, its row, how it is recognised where its size is new, and the list of sizes."""


def cardset_added(rule: Json) -> Iterator[Edited]:
    """One more cardset."""
    new, words = with_a_cardset(rule), ("build_Added",)
    yield Edited("", rule, new, A_CARDSET, words=words, regions=TABLES)


def cardset_removed(rule: Json) -> Iterator[Edited]:
    """The cardset that has been added is gone again."""
    old, words = with_a_cardset(rule), ("build_Added",)
    yield Edited("", old, rule, A_CARDSET, words=words, regions=TABLES)


def keys_reordered(rule: Json) -> Iterator[Edited]:
    """Keys, nodes and cardsets in another order."""
    new, choose = copy.deepcopy(rule), random.Random(1)
    for change in (
        rule_changes.shuffled_fields,
        rule_changes.shuffled_nodes,
        rule_changes.shuffled_cardsets,
        rule_changes.shuffled_methods,
    ):
        new = change(new, choose)
    assert json.dumps(new) != json.dumps(rule)
    yield Edited("", rule, new, 0)


def moved_on_the_canvas(rule: Json) -> Iterator[Edited]:
    """Every node somewhere else, and what else the builder's editor keeps."""
    new = rule_changes.drawn_on_a_canvas(copy.deepcopy(rule), random.Random(1))
    yield Edited("", rule, new, 0)


FACTS = r"(?m)^    (judged_by=.*|in_any_order=True),\n"

EDITORS: tuple[Editor, ...] = (
    constant,
    check,
    node_in_the_middle,
    retargeted,
    wait,
    property_renamed,
    cardset_added,
    cardset_removed,
    keys_reordered,
    moved_on_the_canvas,
)


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
        word = self.edited.counted
        lines = [line for text in self.old.values() for line in text.splitlines()]
        places = sum(_names(line, word) for line in lines) if word else 0
        own = self.edited.lines * self._copies()
        return own + 2 * places + self._for_tail()

    def _copies(self) -> int:
        """How often the node `copied` is written in a function that changes; short tails are."""
        file, id = self.edited.file, self.edited.copied
        if not id:
            return 1
        old, new = regions({file: self.old[file]}), regions({file: self.new[file]})
        changed = [text for name, text in old.items() if new.get(name) != text]
        lines = [line for text in changed for line in text.split("\n")]
        return max(1, sum(_says(line, id) for line in lines))

    def _for_tail(self) -> int:
        file, tail = self.edited.file, self.edited.tail
        if not tail:
            return 0
        lines = self.old[file].splitlines()
        if sum(_says(line, tail) for line in lines) <= 1:
            return 0
        parts = regions({file: self.old[file]}).values()
        return 2 * sum(part.count("\n") + 1 for part in parts if _says(part, tail))

    def concerns(self, region: str, text: str) -> bool:
        """Whether a function or another part of a file is one that the edit is about."""
        edited, file = self.edited, region.partition(":")[0]
        if region in edited.regions:
            return True
        if any(_names(text, word) for word in edited.words):
            return True
        return file == edited.file and any(_says(text, one) for one in edited.nodes)


def _names(text: str, word: str) -> bool:
    """Whether a text contains a word, as it is or as a part of a longer name."""
    spelled = "[ _]".join(map(re.escape, re.split(r"\W", word)))
    return bool(re.search(rf"(?<![^\W_]){spelled}(?![^\W_])", text))


def _says(text: str, node: str) -> bool:
    """Whether a comment names a node."""
    return bool(re.search(rf"#.*[\[ ]{re.escape(node)}[\], ]", text + "\n"))


@cache
def diffs(path: Path, editor: Editor) -> tuple[Diff, ...]:
    """An edit made to a shipped rule at the first fitting place, or at all of them in the long setting; compiled."""
    every = editor(document(path))
    found = tuple(every if LONG else islice(every, 1))
    assert found, "the rule has no place for this edit"
    return tuple(
        Diff(one, _files(path, one.old), _files(path, one.new)) for one in found
    )


def _files(path: Path, rule: Json) -> Files:
    if encoded(rule) == encoded(document(path)):
        files = built(path).files
    else:
        files = pipeline.build(encoded(rule, indent=2), shown(path)).files
    # these two lines say what of the cards judging looks at: that they follow an edit of it is what they are for
    start = re.sub(FACTS, "", files["__init__.py"])
    return {**files, "__init__.py": start}


def regions(files: Files) -> dict[str, str]:
    """The texts of all functions, methods and other statements, comments at their ends included."""
    found: dict[str, str] = {}
    for file, text in files.items():
        lines = text.splitlines()
        module = ast.parse(text)
        for part in module.body:
            _add_regions(found, f"{file}:", part, lines)
        if file not in ("py.typed",):
            found[f"{file}:names"] = "\n".join(lines[: _first(module, lines)])
    return found


def _first(module: ast.Module, lines: list[str]) -> int:
    return module.body[0].lineno - 1 if module.body else len(lines)


def _add_regions(
    found: dict[str, str], prefix: str, part: ast.stmt, lines: list[str]
) -> None:
    name = getattr(part, "name", "")
    if isinstance(part, ast.Assign | ast.AnnAssign):
        target = part.targets[0] if isinstance(part, ast.Assign) else part.target
        name = ast.unparse(target)
    if isinstance(part, ast.ClassDef):
        for one in part.body:
            _add_regions(found, f"{prefix}{name}.", one, lines)
        return
    text = "\n".join(lines[part.lineno - 1 : part.end_lineno])
    key = prefix + (name or "other")
    found[key] = f"{found[key]}\n{text}" if key in found else text


PATHS = shipped_rules()


@pytest.mark.parametrize("editor", EDITORS)
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_an_edit_changes_few_lines(path: Path, editor: Editor) -> None:
    """No more lines change than the edit says, and some do where the meaning changes."""
    failed = []
    for made in diffs(path, editor):
        row = f"{path.stem:14} {editor.__name__:20} {made.edited.place:20}"
        row += f" {made.lines:4} of {made.allowed} lines"
        print(f"\n{row}", end="")
        if made.lines > made.allowed or (made.lines > 0) != (made.allowed > 0):
            failed.append(row)
    assert failed == []


@pytest.mark.parametrize("editor", EDITORS)
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_nothing_else_changes(path: Path, editor: Editor) -> None:
    """Only functions, methods and tables change that the edit is about."""
    for made in diffs(path, editor):
        old, new = regions(made.old), regions(made.new)
        changed = [one for one in {**old, **new} if old.get(one) != new.get(one)]
        strangers = [
            one
            for one in changed
            if not any(made.concerns(one, part.get(one, "")) for part in (old, new))
        ]
        assert strangers == [], made.edited.place
        assert bool(changed) == (made.allowed > 0)


def test_a_diff_elsewhere_is_seen() -> None:
    """The two tests above would fail if a constant changed a line of another function, or one line more."""
    made = diffs(PATHS[0], constant)[0]
    worse = dict(made.new)
    worse["__init__.py"] = worse["__init__.py"].replace("players=", "players= ")
    other = Diff(made.edited, made.old, worse)
    assert other.lines == made.lines + 2 > other.allowed
    old, new = regions(other.old), regions(other.new)
    changed = {one for one in old if old[one] != new[one]}
    assert "__init__.py:PACKAGE" in changed
    assert not other.concerns("__init__.py:PACKAGE", new["__init__.py:PACKAGE"])
