"""The same package compiled with mypyc, as a contender: the questions are asked again with its own cards.

A rule is compiled when it is first asked for and stays in a temporary folder until the process ends. Where mypyc or a C
compiler is missing the contender is, too, and the table says why.
"""

from __future__ import annotations

import atexit
import copy
import importlib
import shutil
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from bench.environments import Unavailable
from bench.subjects import Subject
from dealwright.compiler import pipeline
from dealwright.compiler.output import native, package

PARENT: Final = "dealwright_bench_native"


@cache
def _folder() -> Path:
    """A new folder that packages can be imported from."""
    folder = Path(tempfile.mkdtemp(prefix="dealwright-bench-native-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    sys.path.append(str(folder))
    return folder


def compiled(subject: Subject) -> Subject:
    """The subject with its package compiled.

    Raises:
        Unavailable: it cannot be compiled here.
    """
    twin = copy.copy(subject)
    for known in ("position", "cards"):  # of the other package
        twin.__dict__.pop(known, None)
    twin.package = _package(subject.name, subject.source.path)
    return twin


@cache
def _package(name: str, rule: Path) -> Any:
    built = pipeline.build(rule.read_bytes(), f"rules/{name}.json")
    # two rules may have one slug, and plain namesakes may be on the path
    home = _folder() / f"{PARENT}_{name}"
    home.mkdir(exist_ok=True)
    (home / "__init__.py").touch()
    folder = home / built.slug
    try:
        modules = native.compile_packages({folder: built.files})
    except native.NotCompiled as problem:
        raise Unavailable(str(problem)) from None
    package.write(folder, built.files, compiled=modules[folder])
    importlib.invalidate_caches()
    return importlib.import_module(f"{home.name}.{built.slug}")


def asked_again(questions: Sequence[Any], twin: Subject) -> list[Any]:
    """The same hands, or pairs of plays, with the cards of the compiled package."""
    by_number = {card.id: card for card in twin.cards}

    def again(thing: Any) -> Any:
        if isinstance(thing, tuple):
            return tuple(map(again, thing))
        if isinstance(thing, list):
            return [by_number[card.id] for card in thing]
        cards = [by_number[card.id] for card in thing.cards]
        play = (
            twin.package.PACKAGE.play
        )  # a compiled function takes plays of its own package only
        return play(thing.id, thing.cardset, cards, dict(thing.properties))

    return [again(question) for question in questions]
