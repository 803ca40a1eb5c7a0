"""Packages compiled with mypyc do what the same sources do in plain Python.

`dealwright build --native` compiles the shipped rules (and the real one of Big Two where it is at hand) once for all
tests, into a package of packages. What is asked of a package is asked of both: agreement with the interpreter, recorded
matches, the same events and states action by action, cards that can be copied, errors that name their node. Without a C
compiler that half is skipped; what is said then is tested in any case.
"""

from __future__ import annotations

import copy
import importlib
import os
import pickle
import random
import shutil
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, wraps
from importlib.machinery import ExtensionFileLoader
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dealwright.compiler.cli import main
from dealwright.compiler.output import native, native_files, package
from dealwright.runtime import MatchError
from dealwright.runtime.errors import FlowStopped
from dealwright.runtime.place import place_of
from dealwright.runtime.search.sources import sources_of
from tests import test_traces
from tests.agreement import Plan, compare, subject
from tests.support import (
    LONG,
    RULES,
    SHARED_RULES,
    SHARED_TRACES,
    act,
    as_bytes,
    built,
    package_of,
    real_rules,
    seats_of,
    shipped_rules,
)

PARENT = "dealwright_compiled_packages"
"""The package that holds the compiled ones: their plain namesakes in `build/` stay what they are."""
RECORDED = ("big_two", "war")
"""The real rules of which there are recorded matches."""
FILES = [
    *shipped_rules(),
    *(path for path in real_rules() if LONG or path.stem in RECORDED),
]
NAMES = [f"{path.parent.parent.name}-{path.stem}" for path in FILES]
PLAN = Plan(matches=20 if LONG else 2)


def missing() -> str | None:
    """Why packages cannot be compiled here, or None."""
    try:
        native.require_tools()
    except native.NotCompiled as problem:
        return str(problem)
    return None


def dealwright(*arguments: object) -> Result:
    """The command line."""
    return CliRunner().invoke(main, [*map(str, arguments)], catch_exceptions=False)


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[Path, Path]]:
    """The folder of the compiled package of each rule file; compiled without optimising, which takes half the time."""
    why = missing()
    if why is not None:
        pytest.skip(why)
    root = tmp_path_factory.mktemp("native")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MYPYC_OPT_LEVEL", "3" if LONG else "0")
        patch.syspath_prepend(str(root))
        found: dict[Path, Path] = {}
        wanted: dict[Path, Any] = {}
        for number, path in enumerate(FILES):
            # two rules of one name get folders of their own
            folder = root / PARENT / f"of_{number}" / built(path).slug
            for parent in (folder.parent.parent, folder.parent):
                parent.mkdir(exist_ok=True)
                (parent / "__init__.py").touch()
            wanted[folder] = built(path).files
            found[path] = folder
        for folder, compiled in native.compile_packages(wanted).items():
            package.write(folder, wanted[folder], compiled=compiled)
        yield found


@pytest.fixture(params=["plain", "native"])
def make(request: pytest.FixtureRequest) -> Any:
    """A function from a rule file to its package, in plain Python or compiled."""
    if request.param == "plain":
        return package_of
    places: dict[Path, Path] = request.getfixturevalue("folders")

    @cache
    def compiled(path: Path) -> Any:
        folder = places[path]
        return importlib.import_module(f"{PARENT}.{folder.parent.name}.{folder.name}")

    return compiled


@pytest.fixture
def both(folders: dict[Path, Path], request: pytest.FixtureRequest) -> Any:
    """A function from a rule file to its plain and its compiled package."""

    def pair(path: Path) -> tuple[Any, Any]:
        folder = folders[path]
        name = f"{PARENT}.{folder.parent.name}.{folder.name}"
        return package_of(path), importlib.import_module(name)

    return pair


by_rule = pytest.mark.parametrize("path", FILES, ids=NAMES)


# --- both kinds do the same


@by_rule
def test_compiled_modules_are_imported(both: Any, path: Path) -> None:
    _, compiled = both(path)
    modules = [
        sys.modules[f"{compiled.__name__}.{one}"] for one in ("classes", "match")
    ]
    for module in modules:
        assert module.__spec__ is not None
        assert isinstance(module.__spec__.loader, ExtensionFileLoader)


@by_rule
def test_what_cards_must_be_like_is_known_of_both(both: Any, path: Path) -> None:
    """Compiled code can be asked of real cards only; its sources can be asked of any."""
    plain, compiled = both(path)
    known = [compiled.PACKAGE.forms.of(size) for size in range(1, 7)]
    assert known == [plain.PACKAGE.forms.of(size) for size in range(1, 7)]
    assert any(forms is not None for forms in known)
    assert not [
        name for name in sys.modules if name.startswith(compiled.__name__ + " ")
    ]


def test_sources_are_made_by_one_thread_after_the_other(both: Any) -> None:
    package = both(RULES / "big_two.json")[1].PACKAGE
    start = threading.Barrier(4)
    made: list[Any] = []

    def ask() -> None:
        start.wait()
        made.append(sources_of(package.root))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for _ in range(20):
            threads = [threading.Thread(target=ask) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert len(made) == 80 and all(made)


@by_rule
def test_agrees_with_the_interpreter(make: Any, path: Path) -> None:
    compared = replace(
        subject(path.read_bytes(), path.name), package=signed(make(path), path)
    )
    players = compared.rule.players
    tally = compare(compared, players if players else 2, PLAN)
    assert tally.judged, "no build flow was compared"


def _passing_on(*given: Any, to: Any) -> Any:
    return to(*given)


def signed(package: Any, path: Path) -> Any:
    """The package with build functions that look like those of plain Python: with parameters, and with globals."""
    shown = vars(package.cardsets)
    like: dict[str, Any] = {}
    for name, function in vars(package_of(path).cardsets).items():
        if name.startswith("build_"):
            copied = FunctionType(_passing_on.__code__, like, name)
            copied.__kwdefaults__ = {"to": shown[name]}
            like[name] = wraps(function)(copied)
    return SimpleNamespace(
        **{**vars(package), "cardsets": SimpleNamespace(**{**shown, **like})}
    )


@by_rule
def test_same_matches_action_by_action(both: Any, path: Path) -> None:
    plain, compiled = both(path)
    ids = list(range(seats_of(plain, fallback=1)))
    for seed in range(3):
        matches = [outcome(one, ids, seed) for one in (plain, compiled)]
        if isinstance(matches[0], tuple):
            assert matches[0] == matches[1]  # a deck without cards for that
            continue
        rng = random.Random(seed)
        for _ in range(60):
            if matches[0].finished:
                break
            act(matches[0], plain, rng)
            seat, what, *rest = matches[0].actions[-1]
            getattr(matches[1], what)(seat, *rest)
            states = [as_bytes(match.to_json()) for match in matches]
            assert states[0] == states[1]
        events = [[repr(event) for event in match.take_events(0)] for match in matches]
        assert events[0] == events[1] and events[0]
        # a match that plain Python has saved goes on compiled
        saved = matches[0].to_json()
        assert compiled.match_from_json(saved).to_json() == saved


def outcome(package: Any, ids: list[int], seed: int) -> Any:
    """A new match, or why there is none: code, sentence, node and file with line."""
    try:
        return package.new_match(ids, seed)
    except MatchError as error:
        notes = getattr(error.__cause__, "__notes__", [])
        return error.code, str(error), error.node, notes


@pytest.mark.skipif(not SHARED_TRACES.is_dir(), reason=test_traces.MISSING)
@pytest.mark.parametrize("name", RECORDED)
def test_recorded_matches(make: Any, name: str) -> None:
    package = make(SHARED_RULES / f"{name}.json")
    assert test_traces.replay_all(package, f"{name}.json", limit=None if LONG else 5)


# --- traps of compiled classes


@by_rule
def test_cards_can_be_copied_and_pickled(make: Any, path: Path) -> None:
    package = make(path).PACKAGE
    if package.assigns_cards:
        pytest.skip("a card that is assigned to belongs to its match")
    for card in (package.cards[0], package.cards[-1], package.no_card):
        twins = [copy.copy(card), copy.deepcopy(card)]
        if "@" not in package.root:  # a package in memory cannot be imported again
            twins.append(pickle.loads(pickle.dumps(card)))
        for twin in twins:
            assert type(twin) is type(card) and twin is not card
            assert (twin.id, twin.values()) == (card.id, card.values())
            assert bool(twin) is bool(card)


def test_plays_can_be_copied_and_pickled(make: Any) -> None:
    found = make(RULES / "war.json")
    play = found.recognize(found.PACKAGE.cards[:1])
    twins = [copy.copy(play), copy.deepcopy(play)]
    if "@" not in found.PACKAGE.root:
        twins.append(pickle.loads(pickle.dumps(play)))
    for twin in twins:
        assert type(twin) is type(play) and twin is not play
        assert (twin.id, twin.cardset) == (play.id, play.cardset)
        assert twin.properties == play.properties
        assert [card.id for card in twin.cards] == [card.id for card in play.cards]


def test_a_play_of_another_package_is_refused(make: Any) -> None:
    war, other = make(RULES / "war.json"), make(RULES / "tiny.json")
    mine = war.recognize(war.PACKAGE.cards[:1])
    stranger = other.recognize(other.PACKAGE.cards[:1])
    for pair in ((mine, stranger), (stranger, mine)):
        with pytest.raises(MatchError) as caught:
            war.beats(*pair)
        assert caught.value.code == "bad_play"


@pytest.mark.parametrize("kind", [list, tuple])
def test_any_sequence_of_cards_is_recognised(make: Any, kind: Any) -> None:
    """A compiled function that wants a list takes nothing else."""
    found = make(RULES / "war.json")
    assert found.recognize(kind(found.PACKAGE.cards[:1])).cardset == "Single"
    assert found.recognize(kind()) is None


def test_what_is_no_card_is_refused(make: Any) -> None:
    found = make(RULES / "war.json")
    for wrong in ([1], ["card_1"], [None], [found.PACKAGE.players], 7):
        with pytest.raises(MatchError) as caught:
            found.recognize(wrong)
        assert caught.value.code == "bad_cards"


def test_an_error_names_its_node(make: Any) -> None:
    package = make(RULES / "war.json").PACKAGE
    game = package.empty_game(2)
    with pytest.raises(FlowStopped) as caught:
        package.start(game)  # nobody has shuffled: there is no card to deal
    place = place_of(caught.value, package.root)
    assert (place.flow, place.node) == ("match_flow", "deal")


def test_an_error_in_a_method_names_its_node(make: Any) -> None:
    """A module that another one has imported says of itself that it lies somewhere else."""
    package = make(RULES / "twenty_one.json").PACKAGE
    with pytest.raises((AttributeError, TypeError)) as caught:
        package.table().worth("no card")
    place = place_of(caught.value, package.root)
    assert (place.flow, place.node) == ("worth", "is_court")


# --- the command


def test_build_native(
    tmp_path: Path, folders: dict[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Written, found up to date, removed with other sources; what was compiled for `folders` is put in mypyc's place."""
    compiled = {
        path.name: path.read_bytes()
        for path in folders[RULES / "war.json"].iterdir()
        if native_files.is_object(path.name)
    }
    asked: list[list[str]] = []

    def instead(packages: Any) -> Any:
        asked.append([folder.name for folder in packages])
        return {
            folder: {
                **compiled,
                native_files.LIST: native_files.listing(texts, compiled, "x").encode(),
            }
            for folder, texts in packages.items()
        }

    monkeypatch.setattr(native, "compile_packages", instead)
    rule = tmp_path / "rules" / "war.json"
    rule.parent.mkdir()
    shutil.copy(RULES / "war.json", rule)
    command = ["build", rule, "-o", tmp_path / "build"]
    folder = tmp_path / "build" / "war"
    assert dealwright(*command, "--native", "--check").exit_code == 1
    assert not folder.exists() and asked == []
    assert dealwright(*command, "--native").exit_code == 0
    assert asked == [["war"]] and {*compiled, "native.txt"} < {*os.listdir(folder)}
    # up to date, with and without the option
    for options in ([], ["--check"], ["--native", "--check"], ["--native"]):
        assert dealwright(*command, *options).exit_code == 0
    assert asked == [["war"], []] and {*compiled} < {*os.listdir(folder)}
    # other sources: what was compiled goes before they come
    rule.write_text(rule.read_text(encoding="utf-8").replace("War", "Peace"), "utf-8")
    checked = dealwright(*command, "--check")
    assert checked.exit_code == 1 and "Binary files a/war/classes" in checked.output
    assert dealwright(*command).exit_code == 0
    assert not {*compiled, "native.txt"} & {*os.listdir(folder)}
    checked = dealwright(*command, "--native", "--check")
    assert checked.exit_code == 1 and "build --native" in checked.output


def test_somebody_elses_object_keeps_us_out(tmp_path: Path) -> None:
    texts = built(RULES / "war.json").files
    objects = {"classes.so": b"compiled"}
    listing = native_files.listing(texts, objects, "x").encode()
    package.write(
        tmp_path / "war", texts, compiled={**objects, native_files.LIST: listing}
    )
    assert not package.write(tmp_path / "war", texts)
    (tmp_path / "war" / "classes.so").write_bytes(b"another")
    with pytest.raises(package.NotOurs):
        package.write(tmp_path / "war", {})


def test_a_package_that_is_not_wanted_goes_with_its_objects(tmp_path: Path) -> None:
    texts = built(RULES / "war.json").files
    objects = {"classes.so": b"compiled"}
    listing = native_files.listing(texts, objects, "x").encode()
    package.write(
        tmp_path / "war", texts, compiled={**objects, native_files.LIST: listing}
    )
    package.write(tmp_path / "war", {})
    assert not (tmp_path / "war").exists()


@pytest.mark.parametrize("code", ["no_mypyc", "no_c_compiler"])
def test_without_tools_the_packages_are_plain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    if code == "no_mypyc":
        monkeypatch.setitem(sys.modules, "mypyc", None)
    elif os.name != "posix":
        pytest.skip("only setuptools knows whether there is a C compiler")
    monkeypatch.setenv("CC", "no-such-compiler -m64")
    if missing() is not None and code not in str(missing()):
        pytest.skip(str(missing()))
    done = dealwright("build", "--native", RULES / "war.json", "-o", tmp_path)
    assert done.exit_code == 1
    assert f"dealwright: {code}: " in done.output and "install" in done.output
    assert "plain Python" in done.output
    assert {*os.listdir(tmp_path / "war")} == {*built(RULES / "war.json").files}


def test_a_compiler_that_fails_is_quoted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    why = missing()
    if why is not None:
        pytest.skip(why)
    files = {**built(RULES / "war.json").files}
    files["settle.py"] = files["settle.py"].replace("return 0", 'return "nothing"')
    with pytest.raises(native.NotCompiled, match=r"settle\.py") as caught:
        native.compile_packages({tmp_path / "war": files})
    assert caught.value.code == "native_failed"
    assert list(tmp_path.iterdir()) == []
