"""mahjong: the library of riichi mahjong in Python."""

from __future__ import annotations

from typing import Any

from mahjong.agari import Agari  # type: ignore[import-not-found]

from bench.rivals.serve import Task, serve

KINDS = 34


def counted(hand: list[int]) -> list[int]:
    """How many of each kind; the kinds of honours come last."""
    return [hand.count(kind) for kind in range(KINDS)]


def is_complete(counts: list[int]) -> Any:
    """Whether it is four groups and a pair, or seven pairs."""
    return Agari.is_agari(counts)


if __name__ == "__main__":
    serve("mahjong", {"is-it-complete": Task(is_complete, counted)})
