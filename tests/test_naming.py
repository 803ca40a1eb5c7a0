"""Names of a rule become identifiers, and never anything else.

`naming` by itself: identifiers are valid, different, and do not change when other names come along. Then whole rules
with hostile names in every place where a name can stand: they compile to what Python reads as one program, they play,
what they save has the names as the author wrote them, and no text of the author's is ever run.
"""

from __future__ import annotations

import ast
import io
import json
import keyword
import random
import sys
import tokenize
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dealwright.compiler import pipeline
from dealwright.compiler.diagnostics.reporter import CompileError
from dealwright.compiler.emit.naming import identifiers, sanitized, slug
from dealwright.compiler.output import memory
from dealwright.compiler.pipeline import Built
from tests.hostile import (
    HOSTILE,
    INJECTION,
    LONGEST,
    NAMES,
    ODD,
    PLAIN,
    RISKY,
    method,
    rule,
)
from tests.support import LONG, python


def short(name: str) -> str:
    """A name as a test id."""
    return ascii(name)[1:-1][:40]


each_name = pytest.mark.parametrize("name", NAMES, ids=short)


# --- naming by itself


@each_name
def test_what_comes_out_is_an_identifier(name: str) -> None:
    for prefix in ("", "build_"):
        made = sanitized(name, prefix)
        assert made.isidentifier() and not keyword.iskeyword(made)
        assert not keyword.issoftkeyword(made) and not made.startswith("_")
        # Python reads identifiers in this form, and getattr does not
        assert unicodedata.normalize("NFKC", made) == made
        assert len(made) <= 80


@pytest.mark.parametrize("prefix", ["", "build_"])
def test_different_names_get_different_identifiers(prefix: str) -> None:
    reserved = frozenset({"self", "values", "n", "a_b", "build_a_b"})
    made = identifiers(NAMES, reserved, prefix)
    assert set(made) == set(NAMES)
    assert len(set(made.values())) == len(NAMES)
    assert not reserved & set(made.values())
    assert all(
        one.isidentifier() and not keyword.iskeyword(one) for one in made.values()
    )
    assert all(one.startswith(prefix) for one in made.values())


def test_a_name_that_is_an_identifier_keeps_it() -> None:
    made = identifiers(["a b", "a-b", "a_b", "点数"])
    assert made["a_b"] == "a_b" and made["点数"] == "点数"


@pytest.mark.parametrize("seed", range(200 if LONG else 40))
def test_names_are_stable(seed: int) -> None:
    """The order of names does not matter, and a new name renames only those whose identifier it shares."""
    rng = random.Random(seed)
    names = rng.sample(NAMES, 20)
    made = identifiers(names)
    assert identifiers(rng.sample(names, len(names))) == made
    new = rng.choice([one for one in NAMES if one not in names])
    more = identifiers([*names, new])
    for name in names:
        if sanitized(name) != sanitized(new):
            assert more[name] == made[name]


def test_slugs_are_plain_and_different() -> None:
    made = [slug(name) for name in NAMES]
    for one in made:
        assert one.isascii() and one.isidentifier() and not keyword.iskeyword(one)
        assert one == one.lower() and 1 <= len(one) <= 80
    assert slug("抢对子") != slug("斗地主")


def test_no_package_stands_before_a_module() -> None:
    """Packages lie on the path of a server: `json.json` must not be what `import json` finds."""
    modules = {one for one in sys.stdlib_module_names if not one.startswith("_")}
    for name in sorted(modules | {"dealwright"}):
        assert slug(name) not in modules | {"dealwright"}
        assert slug(name.upper()) == slug(name)
    assert slug("json") == "json_rule" and slug("jsons") == "jsons"


# --- whole rules


@cache
def build(name: str) -> Built:
    """The rule with this name everywhere, compiled. JSON can spell any name, lone surrogates too."""
    data = json.dumps(rule(name)).encode()
    return pipeline.build(data, "rules/test.json")


HALF = "lone \ud800 surrogate"
WHOLE = tuple(
    one
    for one in (NAMES if LONG else dict.fromkeys([*ODD, *HOSTILE, *RISKY, *LONGEST]))
    # what the engine computes cannot be assigned
    if one not in (HALF, "id")
)


@pytest.mark.parametrize("name", WHOLE, ids=short)
def test_rules_with_odd_names_compile_and_play(name: str) -> None:
    made = build(name)
    package = memory.import_package(made.slug, made.files)
    assert package.PACKAGE.name == name
    check_texts(made, name)
    match = package.new_match(["a", "b"], seed=1)
    check_match(package, match, name)


def check_texts(made: Built, name: str) -> None:
    """The modules are Python that can be written to a file, and say the name no more often than they need to."""
    for file, text in made.files.items():
        if file.endswith(".py"):
            ast.parse(text.encode("utf-8"))
            assert len(text) < 20_000 + 40 * len(name)


def check_match(package: Any, match: Any, name: str) -> None:
    """The one match that the rule can have, with the name as its author wrote it in all that is saved and shown."""
    # what the engine keeps starts as it wants: `cur_max` at -1
    start, own = package.PACKAGE.table().values()[name], 1
    assert match.pending.node == "choose" and match.hands[0][0].values() == {name: 1}
    match.choose("a", 1)
    assert match.pending.node == name and match.pending.seat == 0
    assert match.to_json()["players"][0][name] == 3 + 5
    assert match.to_json()["table"][name] == start + (start + 2) + (own + 1)
    state = json.loads(json.dumps(match.to_json()))
    assert package.match_from_json(state).to_json() == match.to_json()
    match.play("a", [1])
    assert match.finished and match.results == {"a": 1, "b": 0}
    assert match.previous[1].cardset == name and match.previous[1].properties == {
        name: 7
    }
    kinds = [event.kind for event in match.take_events()]
    assert kinds[0] == "started" and kinds[-1] == "finished"
    plays = [package.PACKAGE.recognize([card]) for card in package.PACKAGE.cards[:2]]
    assert package.PACKAGE.beats(plays[0], plays[1])


def test_all_names_at_once() -> None:
    """One rule in which each class has a property and a method of every name, and one method parameters."""
    names = [one for one in NAMES if one not in (HALF, "id", *LONGEST)]
    document = rule(PLAIN)
    sections = document["design"]
    for owner in sections["classes"].values():
        owner["user_properties"] |= {
            one: {"type": "int", "default": at} for at, one in enumerate(names)
        }
        owner["methods"] |= {one: method(one, []) for one in names}
        parameters = owner["methods"][PLAIN]["parameters"]
        parameters |= {one: {"type": "int"} for one in names}
    made = pipeline.build(json.dumps(document).encode(), "rules/test.json")
    package = memory.import_package(made.slug, made.files)
    match = package.new_match(["a", "b"], seed=1)
    match.choose("a", 1)
    kept = match.table.values().keys() & names
    for shown in (
        match.hands[0][0].values(),
        match.table.values(),
        match.players[0].values(),
    ):
        assert [shown[one] for one in names if one not in kept] == [
            at for at, one in enumerate(names) if one not in kept
        ]
    match.play("a", match.hands[0])
    assert match.results == {"a": 1, "b": 0}


def test_half_a_character_is_refused() -> None:
    with pytest.raises(CompileError) as caught:
        build(HALF)
    assert {one.code for one in caught.value.diagnostics} == {"R109"}


# --- names are never code


def outline(text: str, name: str) -> list[str]:
    """A module without layout and comments: identifiers of its own by first appearance, `name` in literals as a mark."""
    numbers: dict[str, int] = {}
    found: list[str] = []
    for node in ast.walk(ast.parse(text)):
        found.append(type(node).__name__)
        if isinstance(node, ast.Import):
            found += [one.name for one in node.names]
        for field, value in ast.iter_fields(node):
            if isinstance(node, ast.Constant):
                found.append(repr(marked(value, name)))
            elif isinstance(value, str) and not isinstance(node, ast.ImportFrom):
                found.append(f"{field} {numbers.setdefault(value, len(numbers))}")
            elif isinstance(value, list):
                found.append(f"{field} of {len(value)}")
            elif not isinstance(value, ast.AST):
                found.append(f"{field} {value}")
    return found


def marked(value: object, name: str) -> object:
    """A constant of a module, with a mark where the name stands, as such or as an identifier."""
    if not isinstance(value, str):
        return value
    # RESPELLED has identifiers as its keys
    if value != name and value.rstrip("_") == sanitized(name).rstrip("_"):
        return "<identifier>"
    return value.replace(name, "<name>")


@pytest.mark.parametrize("name", [one for one in HOSTILE if one != HALF], ids=short)
def test_hostile_names_change_no_code(name: str) -> None:
    made, plain = build(name), build(PLAIN)
    for file, text in made.files.items():
        if file.endswith(".py"):
            assert outline(text, name) == outline(plain.files[file], PLAIN), file


def test_another_module_is_noticed() -> None:
    """The comparison itself: one statement more, or an identifier that stands for another, is seen."""
    text = "import os\nx = 'a b'\ny = x\n"
    assert outline(text, "a b") == outline("import os\nz = 'c'\nq = z\n", "c")
    assert outline(text, "a b") != outline("import os\nz = 'c'\nq = q\n", "c")
    assert outline(text, "a b") != outline("import sys\nz = 'c'\nq = z\n", "c")
    assert outline(text, "a b") != outline("import os\nz = 'c'\nq = z\nq\n", "c")


@pytest.mark.parametrize("name", WHOLE, ids=short)
def test_comments_stay_on_their_line(name: str) -> None:
    """What a comment says of a node is visible, and no tool takes it for an instruction."""
    for file, text in build(name).files.items():
        if not file.endswith(".py"):
            continue
        assert all(line.isprintable() for line in text.split("\n")), file
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
        comments = [one.string for one in tokens if one.type == tokenize.COMMENT]
        assert comments[0].startswith("# @generated from ")
        for comment in comments[1:]:
            assert comment.count("#") == 1
            assert (
                not comment[1:]
                .lstrip()
                .startswith(("fmt:", "type:", "noqa", "pylint", "-*-"))
            )


def test_a_rule_that_wants_to_abort_runs_to_its_end(tmp_path: Path) -> None:
    """The package on disk, in a process of its own: had the name become code, it would be gone before it prints."""
    made = build(INJECTION)
    folder = tmp_path / made.slug
    folder.mkdir()
    for file, text in made.files.items():
        (folder / file).write_text(text, encoding="utf-8")
    play = f"""
import {made.slug} as package
match = package.new_match(["a", "b"], seed=1)
match.choose("a", 1)
match.play("a", match.hands[0])
match.take_events()
match.view(0)
print(match.results)
"""
    said = python("-c", play, cwd=tmp_path, path=[tmp_path])
    assert said.strip() == "{'a': 1, 'b': 0}"
