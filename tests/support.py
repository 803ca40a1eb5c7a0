"""What several tests of compiled packages share: the rule files, packages made from them, and random players.

Everything here works on the public face of a generated package, never on the interpreter, so that the tests that use it
say something about what is shipped.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias

from dealwright.compiler import pipeline
from dealwright.compiler.output import memory
from dealwright.compiler.pipeline import Built
from dealwright.runtime import Rejected

Json: TypeAlias = Any
Match: TypeAlias = Any  # of whatever package
Action: TypeAlias = list[Any]  # as `Match.actions` lists them

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "rules"
SHARED = ROOT.parent / "shared" / "data"
SHARED_RULES = SHARED / "rules"
SHARED_TRACES = SHARED / "traces"

LONG = os.environ.get("DEALWRIGHT_LONG") == "1"

TRIES = 8
"""Random candidates that a random player tries before he would rather skip."""


def shipped_rules() -> list[Path]:
    """The rule files of this project."""
    return sorted(RULES.glob("*.json"))


def real_rules() -> list[Path]:
    """The rule files that people wrote for today's software, where they are at hand."""
    return sorted(SHARED_RULES.glob("*.json"))


def shown(path: Path) -> str:
    """A rule file as test ids and generated headers name it: its folder and its name, never where that folder is."""
    folder = "rules" if path.parent == RULES else "shared"
    return f"{folder}/{path.name}"


def encoded(document: Json, indent: int | None = None) -> bytes:
    """A rule as the bytes of a file."""
    return json.dumps(document, ensure_ascii=False, indent=indent).encode()


@cache
def built(path: Path) -> Built:
    """The compiled rule file."""
    return pipeline.build(path.read_bytes(), shown(path))


@cache
def package_of(path: Path) -> Any:
    """The package of a rule file, imported."""
    made = built(path)
    return memory.import_package(made.slug, made.files)


def compiled(document: Json, shown_path: str = "rules/test.json") -> Any:
    """The package of a rule that a test has made up, imported."""
    made = pipeline.build(encoded(document), shown_path)
    return memory.import_package(made.slug, made.files)


def write_packages(folder: Path, paths: Iterable[Path]) -> list[str]:
    """Write the packages of these rules below `folder`; their slugs. Rules of one name are told apart by a suffix."""
    slugs: list[str] = []
    for path in paths:
        slug = built(path).slug
        name = slug if slug not in slugs else f"{slug}_{len(slugs)}"
        slugs.append(name)
        (folder / name).mkdir(parents=True)
        for file, text in built(path).files.items():
            (folder / name / file).write_text(text, encoding="utf-8")
    return slugs


def python(
    *arguments: str,
    cwd: Path,
    given: str = "",
    path: Sequence[Path] = (),
    environment: Mapping[str, str] | None = None,
) -> str:
    """What a new Python process prints; it sees what this one sees, and the folders `path`.

    Raises:
        AssertionError: it fails, with all that it said.
    """
    # a relative entry of ours would mean another folder there
    seen = [*map(str, path), *(os.path.abspath(one) for one in sys.path)]
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        input=given,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(seen),
            "PYTHONIOENCODING": "utf-8",
            "PYTHONDONTWRITEBYTECODE": "1",
            **(environment or {}),
        },
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# --- random players


def seats_of(package: Any, fallback: int = 3) -> int:
    """How many players a match of the package gets."""
    players: int | None = package.PACKAGE.players
    return fallback if players is None else players


def candidates(
    hand: Sequence[Any], lengths: Sequence[int] | None, rng: random.Random
) -> Iterator[list[Any]]:
    """Cards of a hand that may be a play, at random: singles, pairs, and the usual larger ones of the right sizes.

    Cards of one value in a property, and cards of values in a row, are what nearly every cardset is about.
    """
    sizes = range(1, len(hand) + 1) if lengths is None else lengths
    found = [
        list(group)
        for size in sizes
        if 0 < size <= min(2, len(hand))
        for group in combinations(hand, size)
    ]
    for size in sizes:
        if 2 < size <= len(hand):
            found += _alike(hand, size, rng)
            found.append(rng.sample(list(hand), size))
    for cards in rng.sample(found, len(found)):
        rng.shuffle(cards)
        yield cards


def _alike(hand: Sequence[Any], size: int, rng: random.Random) -> Iterator[list[Any]]:
    for name in hand[0].values():
        groups: dict[int, list[Any]] = {}
        for card in hand:
            groups.setdefault(card.values()[name], []).append(card)
        values = sorted(groups)
        for cards in groups.values():
            if len(cards) >= size:
                yield rng.sample(cards, size)
            for others in groups.values():
                # a triple and a pair, four and one: what is left of `size` comes from another group
                if others is not cards and len(cards) < size <= len(cards) + len(
                    others
                ):
                    yield [*cards, *others[: size - len(cards)]]
        for at in range(len(values) - size + 1):
            yield [rng.choice(groups[one]) for one in values[at : at + size]]


def act(match: Match, package: Any, rng: random.Random, skips: float = 0.2) -> Action:
    """Do one random legal action, and tell which.

    Args:
        skips: how often a skip is tried first.
    """
    wait = match.pending
    player = match.ids[wait.seat]
    if wait.kind == "choose":
        match.choose(player, rng.choice(wait.options or (-1, 0, 1, 2)))
    elif not (rng.random() < skips and _did_skip(match, player)):
        _play_something(match, package, rng, player)
    done: Action = match.actions[-1]
    return done


def _play_something(
    match: Match, package: Any, rng: random.Random, player: str | int
) -> None:
    hand = match.hands[match.pending.seat]
    lengths = package.PACKAGE.lengths
    for tried, cards in enumerate(candidates(hand, lengths, rng) if hand else ()):
        if tried == TRIES and _did_skip(match, player):
            return
        if _did_play(match, player, cards):
            return
    if not _did_skip(match, player):
        sizes = range(1, len(hand) + 1) if lengths is None else lengths
        groups = (group for size in sizes for group in combinations(hand, size))
        assert any(
            _did_play(match, player, list(group)) for group in groups
        ), "a leader must play and cannot"


def _did_skip(match: Match, player: str | int) -> bool:
    try:
        match.skip(player)
    except Rejected as error:
        assert error.code == "must_lead", error
        return False
    return True


def _did_play(match: Match, player: str | int, cards: list[Any]) -> bool:
    try:
        match.play(player, cards)
    except Rejected as error:
        assert error.code in ("no_cardset", "not_beating"), error
        return False
    return True


def do(match: Match, action: Sequence[Any]) -> None:
    """Do an action that `Match.actions` has listed."""
    seat, what, *rest = action
    player = match.ids[seat]
    if what == "skip":
        match.skip(player)
    elif what == "choose":
        match.choose(player, *rest)
    else:
        match.play(player, *rest)


def check_cards(match: Match, package: Any) -> None:
    """Every card is in exactly one place, and 手牌数 follows the hands."""
    placed = [
        *match.deck,
        *match.discard,
        *(card for hand in match.hands for card in hand),
    ]
    numbers = sorted(card.id for card in placed)
    assert numbers == list(range(1, len(package.PACKAGE.cards) + 1))
    assert [player.手牌数 for player in match.players] == [
        len(hand) for hand in match.hands
    ]


def as_bytes(value: Json) -> bytes:
    """JSON as bytes, the order of keys included."""
    return json.dumps(value, ensure_ascii=False).encode()
