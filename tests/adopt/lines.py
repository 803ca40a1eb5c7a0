"""How many lines two texts differ by, at the least: those taken away plus those added (Myers, O((n + m) d))."""

from __future__ import annotations

import json
from typing import Any


def changed_lines(old: str, new: str) -> int:
    """The lines of the shortest diff of two texts."""
    a, b = old.split("\n"), new.split("\n")
    while a and b and a[-1] == b[-1]:
        a.pop()
        b.pop()
    furthest = {1: 0}
    for cost in range(len(a) + len(b) + 1):
        for diagonal in range(-cost, cost + 1, 2):
            below, left = furthest.get(diagonal + 1, -1), furthest.get(diagonal - 1, -1)
            is_down = diagonal == -cost or (diagonal != cost and left < below)
            x = below if is_down else left + 1
            y = x - diagonal
            while x < len(a) and y < len(b) and a[x] == b[y]:
                x, y = x + 1, y + 1
            furthest[diagonal] = x
            if x >= len(a) and y >= len(b):
                return cost
    raise AssertionError("a diff is never longer than both texts")


def pretty(document: Any) -> str:
    """A JSON document as tools print it."""
    return json.dumps(document, ensure_ascii=False, indent=2)
