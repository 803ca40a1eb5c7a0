"""The rules that are measured: each compiled from its file, with the functions written by hand for it.

The shipped rules are in `rules/`; `shared_big_two` is the rule of the recorded matches, which stands beside a checkout
of the project's shared material and is left out, saying so, where that is not there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeAlias, final

from bench.fast_interpreter import FastRule
from dealwright.compiler import pipeline
from dealwright.compiler.output import memory

Json: TypeAlias = Any
Package: TypeAlias = Any  # of whatever rule
Match: TypeAlias = Any  # of whatever package

ROOT: Final = Path(__file__).resolve().parent.parent
RULES: Final = ROOT / "rules"
SHARED_RULES: Final = ROOT.parent / "shared" / "data" / "rules"


class NotHere(Exception):
    """Something that a row needs is not on this machine; the text says what."""


@final
@dataclass(frozen=True, slots=True)
class Source:
    """Where a rule comes from, and the table of the position in which its cardsets are judged."""

    path: Path
    players: int
    table: Mapping[str, int]
    rank: str
    suit: str


SOURCES: Final[Mapping[str, Source]] = {
    "tiny": Source(RULES / "tiny.json", 2, {}, "rank", ""),
    "war": Source(RULES / "war.json", 2, {}, "rank", "suit"),
    "twenty_one": Source(RULES / "twenty_one.json", 2, {}, "rank", "suit"),
    "big_two": Source(RULES / "big_two.json", 4, {"opened": 1}, "rank", "suit"),
    "qiang_duizi": Source(
        RULES / "qiang_duizi.json", 3, {"王牌花色": 2}, "点数", "花色"
    ),
    "shared_big_two": Source(SHARED_RULES / "big_two.json", 2, {}, "点数", "花色"),
}


@final
class Subject:
    """One rule and everything that answers questions about its cards.

    Attributes:
        name: as in `SOURCES`, and the module of `bench.by_hand`.
        source: where the rule comes from.
        package: the compiled rule.
        by_hand: the functions written by hand.
    """

    def __init__(self, name: str) -> None:
        """Compile the rule.

        Raises:
            NotHere: the rule file does not exist.
        """
        self.name = name
        self.source = SOURCES[name]
        if not self.source.path.exists():
            raise NotHere(f"the rule {name} is not beside this checkout")
        self.package = package_of(self.source.path.read_bytes(), f"rules/{name}.json")
        self.by_hand: ModuleType = import_module(f"bench.by_hand.{name}")

    @cached_property
    def design(self) -> Json:
        """The five sections of the rule."""
        document = json.loads(self.source.path.read_bytes())
        return document.get("design", document)

    @cached_property
    def interpreter(self) -> FastRule:
        """The rule, indexed for the fast interpreter."""
        match = self.position
        return FastRule(
            self.design,
            attributes_of(match.table) | attributes_of(self.cards[0]),
        )

    @cached_property
    def position(self) -> Match:
        """A match in the middle of which cards are judged: they are dealt out evenly."""
        package, players = self.package, self.source.players
        numbers = range(1, len(package.PACKAGE.cards) + 1)
        hands = [list(numbers[seat::players]) for seat in range(players)]
        wait = next(iter(package.PACKAGE.resume))
        return package.arrange(hands=hands, wait=wait, table=dict(self.source.table))

    @cached_property
    def cards(self) -> list[Any]:
        """The position's cards by number, `card_1` first."""
        hands = self.position.hands
        return sorted((card for hand in hands for card in hand), key=lambda c: c.id)

    def reads_match(self, verb: str) -> bool:
        """Whether "recognize" or "beats" reads the table, so that it is asked in a match."""
        return hasattr(self.package.cardsets, f"{verb}_in")

    @property
    def game(self) -> Any:
        """What the generated functions themselves are given as the match."""
        return self.position.game_for(self.package.PACKAGE)


def package_of(rule: bytes, shown_path: str, players: int | None = None) -> Package:
    """A rule compiled and imported, without a file written."""
    built = pipeline.build(rule, shown_path, players=players)
    return memory.import_package(built.slug, built.files)


def attributes_of(thing: Any) -> dict[str, str]:
    """The attribute of each property of an object, by the rule's spelling."""
    respelled = {spelling: name for name, spelling in type(thing).RESPELLED.items()}
    return {name: respelled.get(name, name) for name in thing.values()}
